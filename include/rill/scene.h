// SPDX-License-Identifier: MIT
// scene.h - scenes: a world with its ground, water and sources, written down in TOML. Some are
// carried inside the library; docs/scenes.md lists every key.
#pragma once

#include "rill/base.h"
#include "rill/terrain.h"
#include "rill/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scene that was read and checked. Opaque.
typedef struct rill_scene rill_scene;

/// How many scenes the library carries.
RILL_API int rill_builtin_scene_count(void);

/// Name of built-in scene `index`, such as "spring", or NULL past the end. Sorted.
RILL_API const char *rill_builtin_scene_name(int index);

/// One line about built-in scene `index`, or NULL past the end.
RILL_API const char *rill_builtin_scene_description(int index);

/// Built-in scenes with the choices that their papers print, where Rill's defaults differ
/// (docs/papers.md): how many, and the name of one, such as "paper-surgery", or NULL past the end.
/// Sorted. They open like the others.
RILL_API int rill_printed_scene_count(void);
RILL_API const char *rill_printed_scene_name(int index);

/// Override `n` by which printed scene `index` differs from the scene that its name ends with, such
/// as "pipes.area='paper'", or NULL past the last.
RILL_API const char *rill_printed_scene_override(int index, int n);

/// What flow signs a map picture carries.
typedef enum rill_map_flow {
    RILL_MAP_FLOW_NONE,
    RILL_MAP_FLOW_ARROWS,
    RILL_MAP_FLOW_LINES
} rill_map_flow;

/// What a run of a scene writes, one bit a kind.
typedef enum rill_output {
    RILL_OUTPUT_MAP = 1,     ///< A map picture (PNG).
    RILL_OUTPUT_PLY = 2,     ///< The water's surface as PLY.
    RILL_OUTPUT_GLTF = 4,    ///< The same as binary glTF.
    RILL_OUTPUT_GEOTIFF = 8, ///< Depth, level and velocity as GeoTIFF.
} rill_output;

/// What a scene says about itself.
typedef struct rill_scene_info {
    const char *name;        ///< Built-in name, or the file's name without folder and ending.
    const char *title;       ///< A few words.
    const char *description; ///< One line.
    double duration;         ///< Seconds a run lasts unless the caller says otherwise.
    double frame;            ///< Seconds from frame to frame.
    int nx, ny;              ///< Cells.
    double cell_size;        ///< Metres.
    const char *solver;      ///< Name of the solver.
    int max_substeps;        ///< Most substeps that a frame may take.

    int solid;               ///< 1 when the ground is a solid (rill/solid.h), else 0.
    double bottom, top;      ///< Of the solid's grid, metres.
    int parts, movers, cuts; ///< Of the solid, as the scene lists them.

    int bodies;           ///< In the scene, those that come later included.
    int full_nx, full_ny; ///< Cells of the full terrain of a moving domain; 0: none.
    double discharge;     ///< Of the river that settles on it when the first world is made, which
                          ///< takes some seconds, m^3/s; 0: none.

    double output_every;    ///< Seconds between written frames.
    int outputs;            ///< Which kinds, rill_output bits, for every written frame.
    int outputs_last;       ///< Which kinds, for the last frame only.
    rill_map_flow map_flow; ///< Flow signs on maps.
    double map_depth;       ///< Depth at the end of the map's colour scale, metres; 0: automatic.
    double map_speed;       ///< Likewise for speed, m/s.
} rill_scene_info;

/// Reads a scene: a built-in name or the path of a .toml file. `overrides` are `count` assignments
/// such as "pipes.friction=0.3". A mistake is RILL_BAD_SCENE and a sentence with file, line, column
/// and, for a mistyped key, the nearest known one; a name that is no scene and no file that can be
/// read is RILL_BAD_FILE. Files that the scene names are looked for beside it, files that an
/// override names in the current folder. The terrain is made here, so this may take a moment.
RILL_API rill_status rill_scene_open(const char *name_or_path, const char *const *overrides,
                                     int count, const rill_host *host, rill_scene **out);

/// The same from text in memory; `name` stands for the file in errors, `folder` (may be NULL) is
/// where files are looked for.
RILL_API rill_status rill_scene_parse(const char *name, const char *text, size_t bytes,
                                      const char *folder, const char *const *overrides, int count,
                                      const rill_host *host, rill_scene **out);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_scene_destroy(rill_scene **scene);

/// What the scene says about itself. Texts belong to the scene.
RILL_API rill_scene_info rill_scene_describe(const rill_scene *scene);

/// The ground of the scene; belongs to the scene. For a solid: its floors under the open sky.
RILL_API const rill_heightfield *rill_scene_ground(const rill_scene *scene);

/// A world at the scene's first moment. `workers` threads; `host` of rill_scene_open is lent on.
/// The first time a river settles on the full terrain, if the scene says so (docs/swe.md).
RILL_API rill_status rill_scene_create_world(const rill_scene *scene, int workers,
                                             rill_world **out);

/// The same on a back end.
RILL_API rill_status rill_scene_create_world_on(const rill_scene *scene, rill_backend backend,
                                                int workers, rill_world **out);

#ifdef __cplusplus
}
#endif
