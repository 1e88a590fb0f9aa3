// SPDX-License-Identifier: MIT
// world_internal.h - what a world holds, shared by the files of this module.
#pragma once

#include "bodies/bodies_internal.h"
#include "bodies/rigid/engine.h"
#include "core/assert.h"
#include "core/jobs.h"
#include "core/numbers.h"
#include "particles/particles_internal.h"
#include "solvers/solver.h"
#include "waves/advected.h"
#include "waves/wave_particles.h"
#include "world/world_ground.h"

#include "rill/parameters.h"
#include "rill/sources.h"
#include "rill/support.h"
#include "rill/world.h"

#include <stdbool.h>

#define RL_DEF_COOKIE 0x52494c4cu // in every definition made by rill_default_world_def()

typedef struct rl_source {
    rill_source_def def;
    uint32_t generation;
    bool alive;
} rl_source;

// Rain as it was set: frames, and the fields they point to in one block.
typedef struct rl_rain {
    rill_rain_frame *frames;
    int count;
    float *fields;
    size_t field_bytes;
} rl_rain;

// The books, m^3. Sums of very many small bookings, hence compensated.
typedef struct rl_books {
    double initial;
    rl_sum sourced, drained, corrected;
    double ground_impulse; // N s: upward momentum of splashes that the ground has given
} rl_books;

typedef struct rl_emitter {
    rill_emitter_def def;
    uint32_t generation;
    bool alive;
} rl_emitter;

// What a side does in time: its kind changes; its level or discharge, and what comes in besides,
// follow a series, with a swell on top of it.
typedef struct rl_border_series {
    rill_border_change *changes;
    int change_count;
    rill_border kind; // that the series was made for
    rill_border_frame *frames;
    int count;
    double swell_height, swell_period; // metres from trough to crest, seconds; 0: none
} rl_border_series;

// Everything that a snapshot must bring back besides the solver's arrays and the sources.
typedef struct rl_world_core {
    double time;
    uint64_t steps;        // substeps since the start
    double stable;         // longest substep that was stable when the last one was taken, seconds
    uint64_t capped_steps; // steps since the start in which max_substeps bound
    rill_limits limits;    // as rill_step_info has them
    rl_books books;
    rill_border border[RILL_SIDE_COUNT];
    float border_level[RILL_SIDE_COUNT]; // as it was set
    float border_now[RILL_SIDE_COUNT];   // as the water has it: with series and swell
    rl_incident incident_now[RILL_SIDE_COUNT];
    uint32_t source_generation; // of the next source
    rl_emitter emitters[RILL_MAX_EMITTERS];
    uint32_t emitter_generation;
    int domain_i, domain_j; // cell of the full terrain under cell (0, 0)
    int release_steps;      // since bodies last deposited displaced volume,
    double release_time;    // and how long that was, seconds
    bool blocks_stale;      // blocking bodies have come or gone since the water last knew
} rl_world_core;

// Heightfields of a moving domain: ground, water, velocities along x and y.
#define RL_DOMAIN_FIELDS 4

struct rill_world {
    rill_world_def def; // bed and depth are nulled: they belonged to the caller
    rl_isa isa;
    rl_jobs *jobs;
    const rl_solver_ops *ops;
    bool on_gpu; // `ops` is a table of gpu/gpu.h
    void *solver;
    rl_world_ground ground;
    rl_particles *particles;           // NULL: none
    rl_advected *waves;                // NULL: none
    rl_wave_particles *wave_particles; // NULL: none
    rl_bodies *bodies;                 // NULL: none
    rl_engine *engine;                 // NULL: this build has none
    bool engine_stale;                 // bodies have come, gone or been brought back
    rill_field body_floors;            // what bodies fall on in a world on a solid; else empty
    rl_box *body_boxes;                // def.bodies.max_bodies: cells around them
    rl_splash *splashes;               // what bodies throw up in a step

    rl_world_core core;
    rl_source *sources; // def.max_sources of them
    rl_rain rain;
    rl_border_series border_series[RILL_SIDE_COUNT];
    double evaporation;  // m/s
    double *row_volumes; // per row: what was given or taken there, m^3
    float *brush_scratch;
    // Of a moving domain: ground and velocities in its new place, while it is moved; what lies
    // beyond one of its sides; and copies of what it was given, if it outlives its scene.
    rill_field domain_bed, domain_velocity[2];
    float *domain_along;
    rill_heightfield *own_domain[RL_DOMAIN_FIELDS];

    rill_step_info last;
};

// Words of the kinds of borders, for the table of parameters; NULL at the end.
extern const char *const rl_border_words[RILL_BORDER_COUNT + 1];

// Is the definition one that a world can be made of (world_check.c)? The second: of one side, for
// a solver (world_borders.c).
rill_status rl_world_check_def(const rill_world_def *def);
rill_status rl_world_check_border(const rl_solver_ops *ops, rill_side side, rill_border border,
                                  float level);

// Columns of which the depths of rows [first, end) are right and velocities say nothing: for few
// rows of a large grid, or none, where the ground is read alone (world.c).
rill_columns rl_world_rows(const rill_world *world, int first, int end);

// A field of the caller that has the size of the world and values in a range; none is fine.
rill_status rl_world_check_view(const char *name, const rill_field_view *view,
                                const rill_world_def *def, float low, float high);

// A path at rising times through places within `farthest` metres; `whose` is for the message.
rill_status rl_world_check_path(const char *whose, const rill_path_key *keys, int count,
                                double farthest);

// Every array of the state, of the water and of what rides on it; returns their number
// (world_snapshot.c).
#define RL_MAX_WORLD_ARRAYS (4 * RL_MAX_STATE_ARRAYS)
int rl_world_state(const rill_world *world, rill_state_array arrays[RL_MAX_WORLD_ARRAYS]);

// Brings levels and discharges beyond the sides to the middle of the next `dt` seconds
// (world_borders.c).
void rl_world_set_side(rill_world *w, rill_side side); // tells the solver what is beyond now
void rl_world_apply_border_series(rill_world *world, double dt);
void rl_world_free_borders(rill_world *world);
rill_status rl_world_copy_borders(rill_world *to, const rill_world *from);

// Cuts the first bed, water and velocities out of the full terrain, if there is one, and lends them
// to the definition (world_moving_domain.c).
typedef struct rl_world_cut {
    rill_field bed, depth, velocity[2];
} rl_world_cut;
rill_status rl_world_moving_domain_create(rill_world *world, rl_world_cut *cut);
void rl_world_cut_destroy(const rill_world *world, rl_world_cut *cut);
void rl_world_moving_domain_destroy(rill_world *world);
// Follows the path of the definition to `time`.
void rl_world_moving_domain_advance(rill_world *world, double time);

// What the full terrain of a moving domain has at cell (i, j) of the grid, which may lie beyond it
// (world_full_terrain.c): ground; water in a cell of that ground, metres; velocity along an axis,
// m/s.
float rl_world_full_bed(const rill_world *world, int i, int j);
float rl_world_full_depth(const rill_world *world, int i, int j, float bed);
float rl_world_full_velocity(const rill_world *world, int axis, int i, int j);
// Metres along x after which the full terrain begins anew; 0: it has an end, or there is none.
double rl_world_full_period(const rill_world *world);
// Does what lies beyond a side follow the water of the full terrain? And tells the solver what it
// is in the place of now, for one such side or for all.
bool rl_world_side_follows(const rill_world *world, rill_side side);
void rl_world_set_profile(rill_world *world, rill_side side);
void rl_world_set_profiles(rill_world *world);

// One step of the particles, and all that they hold, m^3 (world_particles.c).
rill_status rl_world_step_particles(rill_world *world, double dt);
rl_particles_flow rl_world_flow(rill_world *world); // the water that they fly over
double rl_world_particle_volume(const rill_world *world);
void rl_world_restore_emitters(rill_world *world);

// Rivers (world_river.c): the first flow and the wave particles on it,
// after the solver is made; one step of those; after the ground has changed.
rill_status rl_world_start_river(rill_world *world);
void rl_world_step_wave_particles(rill_world *world, double dt);
rill_status rl_world_river_ground_changed(rill_world *world);

// Bodies (world_bodies.c): made with the world; one step of them; after the state or the ground has
// changed.
rill_status rl_world_bodies_create(rill_world *world);
void rl_world_bodies_destroy(rill_world *world);
size_t rl_world_bodies_memory(const rill_world *world);
void rl_world_begin_bodies(rill_world *world); // before the water moves
rill_status rl_world_step_bodies(rill_world *world, double dt);
void rl_world_end_bodies(rill_world *world); // pushes of the host end with the step, not a slice
// Before ground or borders change: water gives way to bodies where they are now.
void rl_world_bodies_settle(rill_world *world);
void rl_world_bodies_changed(rill_world *world);
void rl_world_bodies_cast_floors(rill_world *world); // after the solid ground has changed for good
rl_body_water rl_world_body_water(rill_world *world, double dt);

// Seconds from the host's clock or the system's.
double rl_world_clock(const rill_world *world);

// Applies springs, drains, rain and evaporation of the `dt` seconds from `begin` on
// (world_sources.c); is there anything of the kind?
void rl_world_apply_sources(rill_world *world, double begin, double dt);
bool rl_world_has_sources(const rill_world *world);

// The weather's part of that (world_weather.c).
void rl_world_apply_weather(rill_world *world, double begin, double dt);
bool rl_world_has_weather(const rill_world *world);

// Books a volume that was given (positive) or taken.
void rl_world_book(rill_world *world, double volume);

// Frees the rain's memory.
void rl_world_free_rain(rill_world *world);

// ---- Parameters (parameters.c, parameters_table.c) -------------------------------------

// (parameters_table.c)
extern const rill_parameter rl_parameter_rows[];
extern const int rl_parameter_count;

// Sets all fields of a definition that are parameters to their defaults, and leaves the others.
void rl_parameters_fill(rill_definition definition, void *def);

// The first field that is out of its range is an error that names it.
rill_status rl_parameters_check(rill_definition definition, const void *def);

// NULL when all that must hold between steps of a world does, else a sentence about what does not,
// which holds until the next error of the thread (world_ledger.c).
const char *rl_world_validate(rill_world *world);
