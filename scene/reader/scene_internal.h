// SPDX-License-Identifier: MIT
// scene_internal.h - a scene while it is read and afterwards, shared by the scene_*.c files.
// Reading has two halves: first every key is read and checked, which costs nothing, then ground,
// water and rain are made, which may take a while. Only a ground from a file is loaded in the first
// half already: it says how large the world is, and places are checked against that.
//
// The first failure sticks to the document, and all getters and refusals do nothing after it. A
// reader may therefore go on to its end and return scene->document->failed.
#pragma once

#include "scene/formats/formats.h"
#include "scene/scene_assert.h"
#include "scene/toml/toml.h"

#include "rill/files.h"
#include "rill/generate.h"
#include "rill/parameters.h"
#include "rill/scene.h"
#include "rill/solid.h"
#include "rill/sources.h"
#include "rill/support.h"
#include "rill/terrain.h"
#include "rill/view.h"
#include "rill/world.h"

#include <stdbool.h>

#define RL_SCENE_HIGH 1e6 // the highest elevation and the deepest water, metres, as a world has it
#define RL_SCENE_FAR  1e9 // the largest coordinate, metres

// A rectangle in metres: cells whose centres lie in [x0, x1) x [y0, y1).
typedef struct rl_scene_box {
    double x0, y0, x1, y1;
} rl_scene_box;

typedef struct rl_scene_cells {
    int i0, i1, j0, j1; // from the first to before the second
} rl_scene_cells;

typedef enum rl_feature_kind {
    RL_FEATURE_HILL,
    RL_FEATURE_BOX,
    RL_FEATURE_BOWL,
    RL_FEATURE_SLOPE,
    RL_FEATURE_RIPPLE,
    RL_FEATURE_ROUGH,
    RL_FEATURE_SET,
    RL_FEATURE_CYLINDER,
    RL_FEATURE_CHANNEL,
} rl_feature_kind;

#define RL_CHANNEL_POINTS 64 // of a channel at most

typedef struct rl_scene_feature {
    rl_feature_kind kind;
    double amount;           // height, depth, amplitude or elevation, metres
    double x, y, radius;     // hill, bowl: metres
    rl_scene_box box;        // box, set
    double along_x, along_y; // slope: metres per metre; ripple: wavelengths, metres
    double width, bank;      // channel: of its floor, metres; of its banks, metres per metre
    double points[RL_CHANNEL_POINTS][3]; // channel: its middle line with the elevation of its floor
    int point_count;
} rl_scene_feature;

// Rolling ground from a seed, for a part of a solid.
typedef struct rl_scene_relief {
    uint64_t seed;
    double amplitude;    // from the lowest to the highest point, metres
    double feature_size; // from one hill to the next, metres
    int octaves;
    double tilt[2]; // rise along x and y, metres per metre
} rl_scene_relief;

// A shape of a solid ground: a part of it, something that moves through it, or a later change.
typedef struct rl_scene_part {
    rl_toml_table table; // where it was written
    rill_sdf_primitive
        shape; // heights, triangles and fields are lent to it while the solid is made
    rill_combine how;
    double blend;   // metres
    int copies[3];  // along each axis, at least 1
    double step[3]; // from copy to copy, metres
    double time;    // of a cut, seconds

    const rl_toml_value *file;      // heights, mesh, field; NULL: a relief, or none is needed
    rill_heightfield_load_def load; // heights; field: its scale alone
    double unit;                    // mesh, field: metres per unit of the file
    double level;                   // field: value at the surface
    bool raw;                       // field: the file has no header, this is the one
    rill_field_header header;
    rl_scene_relief relief;

    double ellipsoid[3]; // mesh without a file: metres from end to end,
    int ellipsoid_parts; // and of each face

    rill_mover_beat beat;                   // of a mover that is a mesh; period 0: none
    rill_path_key path[RILL_PATH_MAX_KEYS]; // of a mover
    int path_count;
} rl_scene_part;

typedef struct rl_scene_parts {
    rl_scene_part *items;
    size_t count;
} rl_scene_parts;

// Triangles of a file that are drawn as a solid ground. `file` is NULL: there are none.
typedef struct rl_scene_drawn {
    const rl_toml_value *file;
    double unit;                            // metres per unit of the file
    double position[3], rotation[4], scale; // of its origin, metres; a quaternion
} rl_scene_drawn;

typedef enum rl_ground_kind {
    RL_GROUND_FLAT,
    RL_GROUND_FILE,
    RL_GROUND_GENERATE,
    RL_GROUND_SOLID,
    RL_GROUND_VALLEY,
} rl_ground_kind;

typedef struct rl_scene_terrain {
    rl_ground_kind kind;
    double elevation; // flat: metres
    double quantum;   // elevations are rounded to multiples of this, metres; 0: they are not
    rill_heightfield_generate_def generate;
    rill_valley_def valley;
    rl_scene_feature *shapes;
    size_t shape_count;
    rill_heightfield_load_def load; // file
    rill_solid_def solid;
    rl_scene_parts parts, movers, cuts; // solid
    int64_t part_copies;                // of all parts
    rl_scene_drawn drawn;               // solid
} rl_scene_terrain;

typedef struct rl_scene_water {
    float depth;                     // everywhere, metres
    const rl_toml_value *depth_file; // NULL: none
    rill_fill *blocks;
    size_t block_count;
    double evaporation;                     // m/s
    double velocity[2];                     // of all water, m/s
    const rl_toml_value *velocity_files[2]; // instead, along x and y; NULL: none
    struct rl_scene_hump *humps;
    size_t hump_count;
    rill_field field;                  // what the first three and humps make together; may be empty
    rill_field velocity_x, velocity_y; // likewise
} rl_scene_water;

// A wave that runs one way.
typedef struct rl_scene_hump {
    double x, y;      // a place on its crest, metres
    double direction; // where it runs to, degrees from +x to +y
    double height, length;
} rl_scene_hump;

typedef struct rl_scene_rain {
    rill_rain_frame *frames;
    size_t count;
    const rl_toml_value *files; // the array of names; NULL: none
    rill_heightfield **fields;  // one a frame when there are files, else NULL
} rl_scene_rain;

// What a border does in time.
typedef struct rl_scene_border_series {
    rill_border_change *changes;
    size_t change_count;
    rill_border_frame *frames;
    size_t count;
    double swell_height, swell_period; // metres, seconds; 0: none
} rl_scene_border_series;

typedef struct rl_scene_wall {
    double from[2], to[2]; // metres
} rl_scene_wall;

// A body of a scene, or several alike.
typedef struct rl_scene_body {
    rl_toml_table table;       // where it was written
    rill_body_def def;         // a mesh is lent to it while it is added
    const rl_toml_value *file; // mesh; NULL: none
    double unit;               // mesh: metres per unit of the file
    int copies[3];             // along each axis, at least 1
    double step[3];            // from copy to copy, metres
    double step_time;          // later start from copy to copy, seconds
    double jitter[3];          // copies are moved at random by at most this, metres,
    double tumble;             // and turned by at most this about each axis, degrees
    int pinned_to;             // body of the scene that holds its pins, from 1; 0: the world
} rl_scene_body;

// The water of a full terrain.
typedef struct rl_scene_river {
    rill_heightfield *depth, *velocity[2]; // NULL: none
} rl_scene_river;

// A moving domain on the full terrain that the ground of the scene is.
typedef struct rl_scene_moving_domain {
    int nx, ny;            // cells; 0: the world is the whole ground
    double discharge;      // of the river that settles on it, m^3/s; 0: the water is the scene's
    rl_scene_river *river; // which is there when the first world is made
} rl_scene_moving_domain;

struct rill_scene {
    rill_host host;
    rl_toml_document *document; // texts and values above point into it, and arrays belong to it
    const char *name;           // without folder and ending
    const char *folder;         // with a slash at its end; NULL: the current one

    rill_scene_info info;
    rill_world_def def;       // without ground and water
    rill_heightfield *ground; // of a solid: its floors under the open sky
    rill_solid *solid;        // NULL: the ground is a heightfield
    rill_triangles *drawn;    // of terrain.drawn, or NULL
    rl_scene_terrain terrain;
    rl_scene_water water;
    rl_scene_rain rain;
    rl_scene_border_series series[RILL_SIDE_COUNT];
    rill_source_def *springs, *drains;
    size_t spring_count, drain_count;
    rill_emitter_def *emitters;
    size_t emitter_count;
    rl_scene_wall *walls;
    size_t wall_count;
    rl_scene_body *bodies;
    size_t body_count;
    rill_coupling usual_coupling; // of bodies that have none of their own
    rl_scene_moving_domain domain;
    bool river_viewer_given, river_cache_wanted;
    rill_view view; // its camera is the one below
    rill_camera_key *camera;
    size_t camera_count;
};

// ---- First half: reading ---------------------------------------------------------------

// Reads one part of a scene; `table` is the root, or that of the terrain for its shapes and solids.
typedef rill_status rl_scene_section(rill_scene *scene, rl_toml_table table);

rl_scene_section rl_scene_read_settings, rl_scene_read_output;       // scene_settings.c
rl_scene_section rl_scene_read_terrain, rl_scene_read_moving_domain; // scene_terrain.c
rl_scene_section rl_scene_read_features;                             // scene_shapes.c
rl_scene_section rl_scene_read_solid;                                // scene_solid.c
rl_scene_section rl_scene_read_drawn;                                // scene_drawn.c
rl_scene_section rl_scene_read_borders, rl_scene_read_walls;         // scene_borders.c
rl_scene_section rl_scene_read_water, rl_scene_read_sources, rl_scene_read_emitters,
    rl_scene_read_rain, rl_scene_read_river; // scene_water.c
rl_scene_section rl_scene_read_bodies;       // scene_bodies.c
rl_scene_section rl_scene_read_view;         // scene_view.c

// Whether the scene's solver has a capability; and the names of the solvers that have it and such
// borders (bits of rill_solver_info), of all or of some (a bit each), as a sentence has them:
// "layers" or "swe" (scene_settings.c).
typedef struct rl_scene_solvers {
    char text[128];
} rl_scene_solvers;
bool rl_scene_can(const rill_scene *scene, unsigned capability);
rl_scene_solvers rl_scene_solvers_with(unsigned solvers, unsigned capability, unsigned borders);

// ---- Parameters (scene_parameters.c) ---------------------------------------------------

// A key of a scene and the table that it stands in.
typedef struct rl_scene_key {
    rl_toml_table table;
    const char *name;
} rl_scene_key;

// The key at a dotted path below `base`, or at an older path (NULL: none) if the scene uses that
// one. Both at once are refused, unless one is an override.
rl_scene_key rl_scene_find_key(rl_toml_table base, const char *path, const char *old_path);

// Whether the scene gives that parameter, under its own name or an older one.
bool rl_scene_has(rl_toml_table root, const char *name);

// Reads the key of a row into `def`, if the scene has it. `base` is the root, or the table that the
// first part of the row's name stands for, such as a [[body]].
rill_status rl_scene_read_row(const rill_scene *scene, rl_toml_table base,
                              const rill_parameter *row, void *def);

// The same for all rows of a definition but those of the host and those whose names `others` lists
// (NULL at its end; NULL: all). A view has rows of its own, the rest those of the engine.
rill_status rl_scene_read_rows(const rill_scene *scene, rl_toml_table base,
                               rill_definition definition, const char *const *others, void *def);

// ---- Numbers that are in no table of parameters ----------------------------------------

typedef enum rl_scene_number_type {
    RL_SCENE_DOUBLE,
    RL_SCENE_INT,
    RL_SCENE_SEED,
    RL_SCENE_OTHER, // no number: read elsewhere, and listed for the kinds that have it
} rl_scene_number_type;

// One number of a table: where it goes and what it may be.
typedef struct rl_scene_number {
    const char *key;
    size_t offset; // in the definition
    double min, max;
    unsigned kinds; // that have it, a bit each; 0: all
    bool needed;
    rl_scene_number_type type;
    size_t count; // of an array of doubles; 0: one number
} rl_scene_number;

// Reads the numbers of a kind into `def`. The last row has no key.
rill_status rl_scene_read_numbers(rl_toml_table table, const rl_scene_number *rows, int kind,
                                  void *def);

// ---- Second half: making ---------------------------------------------------------------

typedef rill_status rl_scene_maker(rill_scene *scene);

rl_scene_maker rl_scene_make_ground, rl_scene_make_water, rl_scene_make_rain, rl_scene_make_river,
    rl_scene_make_moving_domain;
rl_scene_maker rl_scene_make_solid; // and the heightfield of its floors
rl_scene_maker rl_scene_load_drawn; // its triangles to be drawn, for the former

// Adds the shapes to the ground, one after the other.
void rl_scene_apply_features(rill_scene *scene);

// What is done to a world that has just been made.
typedef rill_status rl_scene_preparer(const rill_scene *scene, rill_world *world);

rl_scene_preparer rl_scene_prepare_solid;   // covered columns, movers, cuts
rl_scene_preparer rl_scene_prepare_drawn;   // triangles to be drawn, for the former
rl_scene_preparer rl_scene_prepare_borders; // series, swells and walls
rl_scene_preparer rl_scene_prepare_bodies;

// Lays the domain on the ground of the scene; what it has in metres of the terrain is counted
// from the corner of the grid (scene_terrain.c).
void rl_scene_place_moving_domain(const rill_scene *scene, rill_world_def *def);
void rl_scene_into_domain(const rill_scene *scene, double *x, double *y);

// Lets the river of the full terrain settle, unless it has, with so many threads
// (scene_settle.c).
rill_status rl_scene_settle(const rill_scene *scene, int workers);
void rl_scene_river_destroy(rl_scene_river *river);
void rl_scene_path_into_domain(const rill_scene *scene, rill_path_key *keys, int count);

// ---- What several of them need (scene_common.c) ----------------------------------------

// Memory for `count` things, zeroed, that lives as long as the document; none for none. `out`
// points to a pointer.
rill_status rl_scene_take(const rill_scene *scene, size_t count, size_t size, void *out);

// Reads one table of an array of tables into its item.
typedef rill_status rl_scene_reader(rill_scene *scene, rl_toml_table table, void *item);

// Reads an array of at most `most` tables into an array of as many items of `size` bytes, to which
// the pointer at `items` points afterwards.
rill_status rl_scene_read_tables(rill_scene *scene, rl_toml_table parent, const char *key,
                                 size_t most, size_t size, rl_scene_reader *read, void *items,
                                 size_t *count);

// Refuses, with one sentence, each of some keys (NULL at the end) that is there.
rill_status rl_scene_refuse_keys(rl_toml_table table, const char *const *keys,
                                 const char *sentence);

// Refuses the one of two keys that is there without the other; returns whether both are.
bool rl_scene_has_both(rl_toml_table table, const char *key, const char *other);

// Makes the limit at `key` large enough for the `count` things that the scene has; refuses one that
// the scene gives and that is too small.
rill_status rl_scene_raise(rl_toml_table table, const char *key, size_t count, const char *what,
                           int *limit);

// Reads times, in seconds, that rise.
rill_status rl_scene_read_times(const rill_scene *scene, rl_toml_table table, const char *key,
                                double **times, size_t *count);

// Makes a heightfield of zeros as large as the ground.
rill_status rl_scene_create_flat(const rill_scene *scene, rill_heightfield **out);

// Loads the raster that the string `value` names; `key` is for the sentence.
rill_status rl_scene_load(const rill_scene *scene, const rl_toml_value *value, const char *key,
                          const rill_heightfield_load_def *def, rill_heightfield **out);

// The same for a mesh; `unit` is metres per unit of the file.
rill_status rl_scene_load_mesh(const rill_scene *scene, const rl_toml_value *file, double unit,
                               const char *key, rill_triangles **out);

// Reads the keys that a mesh alone has, makes it, and reads `beat` of a mover (scene_solid_mesh.c).
rill_status rl_scene_read_mesh(rl_toml_table table, rl_scene_part *part);
rill_status rl_scene_make_mesh(const rill_scene *scene, const rl_scene_part *part, const char *key,
                               rill_triangles **out);
rill_status rl_scene_read_beat(rl_toml_table table, rl_scene_part *part);

// Reads the keys that a field alone has, and loads it (scene_solid_field.c).
rill_status rl_scene_read_field(rl_toml_table table, rl_scene_part *part);
rill_status rl_scene_load_field(const rill_scene *scene, const rl_scene_part *part, const char *key,
                                rill_distance_field **out);

// The same for a raster that must be as large as the ground and within [min, max].
rill_status rl_scene_load_amounts(const rill_scene *scene, const rl_toml_value *value,
                                  const char *key, double min, double max, rill_heightfield **out);

// The path of the file that the string `value` names, beside the scene or, from an override, beside
// the caller.
rill_status rl_scene_path(const rill_scene *scene, const rl_toml_value *value, const char *key,
                          char path[RL_PATH_BYTES]);

// Puts the place of `value` and `key` before the sentence of a file that could not be read.
rill_status rl_scene_blame(const rill_scene *scene, const rl_toml_value *value, const char *key,
                           rill_status status);

// Reads [[time, x, y, z], ...] from `key`, at most `most` moments. `without_z` allows
// [time, x, y] for all of them; their z is infinite then. `table` is not the root.
rill_status rl_scene_read_path(rl_toml_table table, const char *key, bool without_z, int most,
                               rill_path_key *keys, int *count);

// Turns by `degrees` about an axis after all turns so far (quaternions x, y, z, w).
void rl_scene_turn(double q[4], int axis, double degrees);

// Reads `rotate`, three such turns about x, y and z.
rill_status rl_scene_read_rotation(rl_toml_table table, double q[4]);

// Reads x0, y0, x1, y1. An empty box and one beside the world are refused.
rill_status rl_scene_read_box(const rill_scene *scene, rl_toml_table table, rl_scene_box *out);
rl_scene_cells rl_scene_box_cells(const rill_scene *scene, const rl_scene_box *box);

// Edges of the world, metres.
static inline double rl_scene_width(const rill_scene *scene)
{
    return scene->info.nx * scene->info.cell_size;
}

static inline double rl_scene_height(const rill_scene *scene)
{
    return scene->info.ny * scene->info.cell_size;
}
