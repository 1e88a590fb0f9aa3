// SPDX-License-Identifier: MIT
// world.h - a world: ground, one water on it, and the order of time. Start here.
//
// Threads: calls on different worlds may run at once; calls on one world may not, except those
// marked [reader], which may run together between steps.
#pragma once

#include "rill/base.h"
#include "rill/bodies.h"
#include "rill/columns.h"
#include "rill/particles.h"
#include "rill/river.h"
#include "rill/solid.h"
#include "rill/terrain.h"
#include "rill/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Ground, water, bodies. Opaque.
typedef struct rill_world rill_world;

/// Which equations move the water.
typedef enum rill_solver {
    RILL_SOLVER_PIPES,  ///< Columns joined by virtual pipes (Kellomäki, Dagenais): the fastest.
    RILL_SOLVER_LAYERS, ///< Several columns above each other in a cell, joined by pipes
                        ///< (Dagenais): overhangs, cavities, flooded passages.
    RILL_SOLVER_SWE,    ///< Shallow-water equations on a staggered grid (Chentanez and Müller):
                        ///< bores, vortices, open seas, waterfalls.
    RILL_SOLVER_RIVER,  ///< A river that a DEM has (Burrell): its level stands, its flow is that
                        ///< of two-dimensional Navier-Stokes equations, kilometres of it.
    RILL_SOLVER_COUNT
} rill_solver;

/// Where the water is computed. The bits of the state are the same.
typedef enum rill_backend {
    RILL_BACKEND_CPU,
    RILL_BACKEND_CUDA, ///< On a GPU, for the solvers that can: an error where there is none.
    RILL_BACKEND_AUTO, ///< On a GPU where there is one and the solver can, else on the CPU.
    RILL_BACKEND_COUNT
} rill_backend;

/// The four sides of the grid. West is x = 0, south is y = 0.
typedef enum rill_side {
    RILL_SIDE_WEST,
    RILL_SIDE_EAST,
    RILL_SIDE_SOUTH,
    RILL_SIDE_NORTH,
    RILL_SIDE_COUNT
} rill_side;

/// What happens at a side.
typedef enum rill_border {
    RILL_BORDER_WALL,     ///< Nothing passes.
    RILL_BORDER_DRAIN,    ///< Water that reaches the side leaves; none comes in.
    RILL_BORDER_LEVEL,    ///< A sea or lake of fixed level lies beyond; water goes either way.
    RILL_BORDER_INFLOW,   ///< A given discharge comes in (swe).
    RILL_BORDER_ABSORB,   ///< Open water at rest lies beyond: waves run out and none comes back
                          ///< (swe).
    RILL_BORDER_INCIDENT, ///< Waves and a current come in as given, what runs out leaves (swe).
    RILL_BORDER_COUNT
} rill_border;

/// A kind of border as its table has it.
typedef struct rill_border_info {
    const char *name;  ///< As scenes write it.
    const char *value; ///< What its number (border_level) is, as scenes write it: "level", metres,
                       ///< or "discharge", m^2/s; NULL: it has none.
    double low, high;  ///< Range of that number.
    int swell;         ///< A swell can come in by it (rill_world_set_border_swell).
    int incident;      ///< A current and waves can come in by it (rill_border_frame).
} rill_border_info;

/// All zero for a kind that does not exist.
RILL_API rill_border_info rill_border_about(rill_border border);

/// What only some solvers can: bits of rill_solver_info.can. A function that needs one of them says
/// so in its error.
typedef enum rill_capability {
    RILL_CAN_MOVE_DOMAIN = 1 << 0,     ///< A grid that moves over a larger terrain.
    RILL_CAN_STAND_ON_SOLIDS = 1 << 1, ///< Ground with overhangs, several columns in a cell.
    RILL_CAN_BE_BLOCKED = 1 << 2,      ///< Bodies keep the water out (RILL_COUPLING_BLOCK).
    RILL_CAN_FALL = 1 << 3,            ///< Waterfalls and breaking waves become particles.
    RILL_CAN_WALL_CELLS = 1 << 4,      ///< Walls between cells (rill_world_set_wall).
    RILL_CAN_FIND_RIVER = 1 << 5,      ///< All of rill/river.h.
    RILL_CAN_START_MOVING = 1 << 6,    ///< Velocities at the start (rill_world_def).
} rill_capability;

/// A solver as its table has it.
typedef struct rill_solver_info {
    const char *name; ///< As scenes write it.
    unsigned borders; ///< Bit `1 << border` of every rill_border that a side can have.
    unsigned can;     ///< Bits of rill_capability.
} rill_solver_info;

/// The cross-section of a virtual pipe.
typedef enum rill_pipe_area {
    RILL_AREA_WETTED, ///< dx times the wetted height at the face: right wave speed, right films.
    RILL_AREA_PAPER,  ///< dx^2 whatever the depth, as the papers have it: waves at sqrt(g dx).
} rill_pipe_area;

/// The head that makes new flow in a virtual pipe.
typedef enum rill_pipe_head {
    RILL_HEAD_LEVEL, ///< The drop of the level, at most 1.5 dx more than the water that it leaves
                     ///< is deep.
    RILL_HEAD_INTERVAL, ///< Where that water touches air, Kellomäki Eq. 1: the drop, but at most
                        ///< the depth of the water that it leaves.
} rill_pipe_head;

/// Parameters of virtual pipes: of the solvers `pipes` and `layers`.
typedef struct rill_pipes_def {
    /// Default RILL_AREA_WETTED.
    rill_pipe_area area;
    /// Part of the flow lost per second, in [0, 1): omega = 1 - friction in Dagenais Eq. 1.
    /// Default 0.
    float friction;
    /// Kinematic viscosity, m^2/s, at least 0 and at most 1. Water 1e-6, blood 4e-6, honey 5e-3.
    /// Default 0.
    float viscosity;
    /// Friction coefficient of a rough bed, at least 0 and at most 1: it slows water by drag u^2 /
    /// depth, so that a river of depth H on a slope S runs at sqrt(g S H / drag). Smooth channels
    /// 0.003, mountain streams 0.02 and more; Manning's n gives g n^2 / H^(1/3). Default 0.
    float drag;
    /// Weight of a face in flux smoothing, in [0.5, 1]; 1 is none. RILL_SMOOTHING_AUTO takes 0.9
    /// for wetted pipes, which ripple otherwise, and 1 for the paper's. Default: auto.
    float smoothing;
    /// Limits what flows through gates and over sills and brinks to critical flow, which pipes lack
    /// the advection for (docs/pipes.md). For the solver `pipes` with RILL_AREA_WETTED. Default 1.
    int critical_flow;
    /// For the solver `pipes` (docs/pipes.md). Default RILL_HEAD_LEVEL.
    rill_pipe_head head;
} rill_pipes_def;

#define RILL_SMOOTHING_AUTO (-1.0f)

/// How liquid gets through passages that are flooded up to their ceiling.
typedef enum rill_passages {
    RILL_PASSAGES_UNIFIED, ///< One pipe with many ends a passage, of any shape (Dagenais
                           ///< section 7).
    RILL_PASSAGES_AXIS,    ///< Straight pipes along x and y (Dagenais section 3.3).
    RILL_PASSAGES_NONE,    ///< It does not: a flooded column lets nothing through.
} rill_passages;

/// What to do with a cell that has more columns than are allowed.
typedef enum rill_more_layers {
    RILL_MORE_REFUSED, ///< An error that names the cell.
    RILL_MORE_WIDEST,  ///< The widest ones are kept.
} rill_more_layers;

/// Parameters of the solver `layers`, besides those of its pipes.
typedef struct rill_layers_def {
    /// Most columns above each other in a cell, 1 to 64. Default 8.
    int max_layers;
    rill_more_layers on_more; ///< What to do with a cell that has more. Default RILL_MORE_REFUSED.
    rill_passages passages;   ///< Default RILL_PASSAGES_UNIFIED.
    /// 1 corrects films for the slope of the ground: thickness is measured across the film and not
    /// upright, so that films on 30 degrees are not 1.8 times too fast (docs/layers.md). Default 0:
    /// as in the papers.
    int slope_correction;
    int max_movers; ///< Most solids that can be moved, 0 to 10000. Default 16.
} rill_layers_def;

/// How the solver `swe` advects velocity.
typedef enum rill_advection {
    RILL_ADVECTION_CONSERVATIVE, ///< Keeps momentum (Stelling and Duinmeijer 2003): bores and dam
                                 ///< breaks run at the right speed.
    RILL_ADVECTION_MACCORMACK,   ///< Second order where smooth (Chentanez and Müller section
                                 ///< 2.1.1): keeps vortices.
} rill_advection;

/// Parameters of the solver `swe`.
typedef struct rill_swe_def {
    rill_advection advection; ///< Default RILL_ADVECTION_CONSERVATIVE.
    float viscosity; ///< Kinematic viscosity: shear against the bed, m^2/s, 0 to 1. Default 0.
    float manning;   ///< Roughness n of the bed, s/m^(1/3), 0 to 1; rivers 0.03. Default 0.
    /// Viscosity of eddies that are too small for the grid, between columns, m^2/s, 0 to 1000: a
    /// constant. Steps are short enough for it. Default 0.
    float eddy_viscosity;
    /// C_s: part of a cell that such eddies mix over (Smagorinsky 1963), whose viscosity is
    /// (C_s dx)^2 |S|, 0 to 1; 0.1 to 0.2 is usual. Default 0.
    float smagorinsky;
    /// Acceleration from outside, m/s^2, -100 to 100: a tilted tank, a wind. Default 0, 0.
    float acceleration[2];
    /// alpha: no velocity above this part of dx / dt, in (0, 0.5]. Default 0.5.
    float velocity_limit;
    /// beta: water deeper than this times dx^2 / (g dt^2) makes waves no faster, in (0, 0.5]. Binds
    /// only when max_substeps does. Default 0.5.
    float depth_limit;
    /// Slope of the bed from which a face is a cliff (Delta H_cap), above 0: the head over it is
    /// limited, and with `waterfalls` its water flies. Default 1.5.
    float cliff;
    /// 1 turns what goes over a cliff into particles, if the world has any. Default 1.
    int waterfalls;
    /// alpha_edge: how much of an overshooting crest is cut in a step, 0 to 0.5; 0: none. The
    /// ledger has what that removes under `corrected`. Default 0.
    float overshoot;
    float overshoot_edge; ///< lambda_edge: height of such a crest, cell sizes. Default 2.
    int absorb_cells;     ///< Width of an absorbing layer, cells, 2 to 1000. Default 10.
    /// Part of a wave's amplitude that may come back from it straight on, in (0, 1). Default 1e-4.
    float absorb_reflection;
} rill_swe_def;

/// A large terrain that the grid of a world moves over in whole cells. Coordinates are always
/// metres from the corner of the grid, wherever it is; rill_world_origin() says where.
///
/// A RILL_BORDER_INCIDENT side of such a world, if it has `water`, takes depth and velocity of what
/// lies beyond cell by cell from the full terrain, wherever the side is: the river that is there
/// comes in and leaves. border_level, and all of rill_border_frame but waves, have no effect there.
typedef struct rill_moving_domain_def {
    /// Elevations of all of it, with cells of the world's size; kept, not copied: must
    /// outlive the world. NULL: the world stands still. `bed` must be NULL with it.
    const rill_heightfield *full_terrain;
    /// Water at the start, and in ground that comes into the domain, as depths per cell of the full
    /// terrain, metres; kept as well. NULL: none, besides what `level` of the world gives.
    const rill_heightfield *water;
    /// Velocities of that water along x and y, per cell of the full terrain, m/s, -1000 to 1000;
    /// kept as well. At the start `velocity_x` and `velocity_y` of the world come before them.
    /// NULL: still.
    const rill_heightfield *velocity_x, *velocity_y;
    /// 1: all are copied, so that they need not outlive the world. Default 0.
    int copy;
    /// 1: the full terrain has no end along x: after its last column comes its first again, with
    /// the same water, and this much lower, metres, each time round. Default 0 and 0.
    int repeats;
    float fall;
    int i, j; ///< Cell of the full terrain under cell (0, 0) at the start. Default 0, 0.
    /// Where the middle of the domain goes in the full terrain, metres (z is not used): the world
    /// follows by itself, a step at a time. Where the terrain repeats, the path goes on after its
    /// last key as it went from its first. Default 0 keys: it stays until rill_world_follow().
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int path_count;
    int body; ///< index1 of the body that the middle of the domain follows. Default 0: none.
} rill_moving_domain_def;

/// The wind over a world.
typedef struct rill_wind_def {
    /// m/s, 0 to 100. -1: waves, wave particles, particles and bodies have each a wind of their
    /// own. With a speed here they take it, unless they say otherwise. Default -1.
    float speed;
    float direction; ///< Where it blows to, degrees from +x to +y, -360 to 360. Default 30.
} rill_wind_def;

/// Everything needed to create a world. Start from rill_default_world_def(), never from {0}: zero
/// friction is a fair thing to ask for, so zero cannot also mean "default".
typedef struct rill_world_def {
    int nx, ny;      ///< Cells, each side from 4 to RILL_MAX_SIDE. Default 256 x 256.
    float cell_size; ///< Edge of a cell, metres, from 1e-6 to 1e6. Default 1.
    float gravity;   ///< Downward acceleration, m/s^2, from 0.01 to 1000. Default 9.81.

    /// Elevation of the ground per cell, metres; nx x ny values, copied. data == NULL: flat at 0.
    rill_field_view bed;
    /// Water at the start as a depth per cell, metres, not negative; copied. data == NULL: dry.
    rill_field_view depth;
    /// Water at the start up to this level, metres, wherever the ground is lower, if use_level is
    /// not 0. May be combined with `depth`: the larger depth counts. Default 0, unused.
    float level;
    int use_level;

    /// Velocity of the water at the start per cell, m/s, -1000 to 1000; copied. For solvers that
    /// can start in motion (RILL_CAN_START_MOVING). data == NULL: still.
    rill_field_view velocity_x, velocity_y;

    rill_border border[RILL_SIDE_COUNT]; ///< What happens at each side. Default: walls.
    /// Level beyond a side, metres, for RILL_BORDER_LEVEL and RILL_BORDER_INCIDENT and, at rest,
    /// for RILL_BORDER_ABSORB;
    /// what comes in per metre of the side, m^2/s, for RILL_BORDER_INFLOW.
    float border_level[RILL_SIDE_COUNT];

    rill_solver solver;            ///< Default RILL_SOLVER_PIPES.
    rill_backend backend;          ///< Default RILL_BACKEND_CPU.
    rill_pipes_def pipes;          ///< Used by RILL_SOLVER_PIPES and RILL_SOLVER_LAYERS.
    rill_layers_def layers;        ///< Used by RILL_SOLVER_LAYERS.
    rill_swe_def swe;              ///< Used by RILL_SOLVER_SWE.
    rill_river_def river;          ///< Used by RILL_SOLVER_RIVER.
    rill_wind_def wind;            ///< Default: each has its own.
    rill_particles_def particles;  ///< Default: none.
    rill_waves_def waves;          ///< Default: none.
    rill_moving_domain_def domain; ///< Used by RILL_SOLVER_SWE. Default: none.
    rill_bodies_def bodies;        ///< Default: none.
    /// Ground of RILL_SOLVER_LAYERS, copied; its grid must be that of the world. NULL: the ground
    /// is `bed`, with one column a cell. Water at the start (`depth`, `level`) is poured into the
    /// columns that are open to the sky; `level` also fills covered columns below it.
    const rill_solid *solid;

    /// A column counts as wet above this depth, metres, to 1e6. Default 0: 1e-4 cell sizes.
    float wet_depth;
    /// Most substeps that one rill_world_step may take, 1 to 100000; of a step of several slices
    /// each may take its part of those that are left. If stability asks for more,
    /// the wetted area is capped instead: water stays stable, its deepest waves get slower, and
    /// rill_step_info counts such calls. Default 256.
    int max_substeps;
    /// Longest substep, seconds, if positive: a finer step than stability asks for. Default 0.
    double max_step;
    /// Seed of everything random. Default 1.
    uint64_t seed;
    /// Threads a step may use, the calling one included, 1 to 256. Default 1. Results do not depend
    /// on this number.
    int worker_count;
    /// Most springs and drains (rill/sources.h) that can exist at once, 0 to 1000000. Default 256.
    int max_sources;
    /// What the host lends; copied. Default: nothing.
    rill_host host;

    uint32_t cookie; ///< Set by rill_default_world_def(). Do not touch.
} rill_world_def;

/// A definition filled with the defaults documented above.
RILL_API rill_world_def rill_default_world_def(void);

/// Makes a world. All memory it will ever need is taken here. On failure *out is NULL and
/// rill_last_error() says what was wrong.
RILL_API rill_status rill_world_create(const rill_world_def *def, rill_world **out);

/// RILL_NO_MEMORY when the grid of such a world would not fit into this machine's memory; before
/// any of it is taken.
RILL_API rill_status rill_world_check_memory(const rill_world_def *def);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_world_destroy(rill_world **world);

/// Advances by `dt` seconds, more than 0 and at most 3600. The water takes as many substeps as its
/// stability asks for; their number is in rill_step_info. The same definition and calls give the
/// same bits, whatever the number of threads or the instruction set.
///
/// Sources and weather act before each substep. A step of more than a second is taken in slices of
/// at most a second, all of the same length: series at borders, moving ground, bodies, particles
/// and waves act in each of them, so that a step of a minute is as good as sixty steps of a second.
/// There are no more slices than max_substeps. Should the ground or a device fail in a slice, the
/// world stands at its start.
RILL_API rill_status rill_world_step(rill_world *world, double dt);

/// [reader] Seconds since the start.
RILL_API double rill_world_time(const rill_world *world);

/// Water as columns. Pointers into the world: valid until the next call that changes it.
RILL_API rill_columns rill_world_columns(rill_world *world);

/// The same as it is to be drawn: water that bodies press down or stand in goes on under them, as
/// if they were not there, instead of ending in a dent around them (Kellomäki section 4.4).
RILL_API rill_columns rill_world_drawn_columns(rill_world *world);

/// [reader] Depth per cell, metres, without copying.
RILL_API rill_field_view rill_world_depth(const rill_world *world);

/// [reader] Elevation of the ground per cell, metres, without copying.
RILL_API rill_field_view rill_world_bed(const rill_world *world);

/// [reader] What the host lends to this world.
RILL_API const rill_host *rill_world_host(const rill_world *world);

/// [reader] Edge of a cell, metres.
RILL_API float rill_world_cell_size(const rill_world *world);

/// [reader] Downward acceleration, m/s^2.
RILL_API float rill_world_gravity(const rill_world *world);

/// Where all water is and came from, m^3. At every step
/// initial + sourced - drained + corrected = water + particles + virtual_volume.
typedef struct rill_ledger {
    double initial;        ///< Put in at creation.
    double sourced;        ///< Given by springs, rain, borders and edits.
    double drained;        ///< Taken by drains, evaporation, borders and edits.
    double corrected;      ///< Made (or, negative, removed) by corrections of the solver's own.
    double water;          ///< In the columns now.
    double particles;      ///< In flight now.
    double virtual_volume; ///< Displaced by bodies and not yet given back (Kellomäki section
                           ///< 4.2).
    /// Upward momentum, N s, that the ground has given through the water to splashes of bodies that
    /// came down on it. What splashes carry off besides, bodies have lost. No part of the equation.
    double ground_impulse;
    /// |left - right| of the equation above, over the larger of initial + sourced and 1e-30.
    double error;
} rill_ledger;

/// Sums the water (in double, in a fixed order) and closes the books.
RILL_API rill_ledger rill_world_ledger(rill_world *world);

/// The parts of a step, in the order they run; timings are kept for each.
typedef enum rill_phase {
    RILL_PHASE_SOURCES,
    RILL_PHASE_SOLVER,
    RILL_PHASE_BODIES,
    RILL_PHASE_PARTICLES,
    RILL_PHASE_WAVES,
    RILL_PHASE_COUNT
} rill_phase;

/// What had no place since the start. Where all are 0, nothing was left out. Slices of long steps
/// (rill_world_step) count as steps.
typedef struct rill_limits {
    /// Steps in which the pool of particles was full: what was to break, fall or splash stayed in
    /// the water, and foam of emitters was left out. On a GPU the last step is not among them yet.
    uint64_t full_pool_steps;
    /// Lumps of water that bodies were to throw up besides the 4096 that a step can have, or the 16
    /// of one place of a body.
    uint64_t lumps_left_out;
    /// Steps in which the fastest water crossed more than 64 cells: fine waves stayed behind.
    uint64_t slow_wave_steps;
    /// Faces over cliffs, of the ground as it is now, that are no waterfalls, because only a
    /// quarter as many as cells, and 256, can be: water goes over them as down a slope.
    int falls_left_out;
} rill_limits;

/// What happened during the last rill_world_step.
typedef struct rill_step_info {
    uint64_t steps;                        ///< Substeps since the start.
    int substeps;                          ///< Substeps of the last call.
    double substep;                        ///< Length of the last of them, seconds.
    int capped;                            ///< 1 when max_substeps bound and the area was capped.
    uint64_t capped_steps;                 ///< Calls since the start that were capped.
    rill_limits limits;                    ///< What had no place since the start.
    double milliseconds[RILL_PHASE_COUNT]; ///< Time spent in the last call, by phase.
    double births;                         ///< Of RILL_PHASE_PARTICLES: making new ones.
} rill_step_info;

/// [reader] How the last step went. All zero before the first.
RILL_API rill_step_info rill_world_last_step(const rill_world *world);

/// What the water is like now. Places are centres of columns, metres from the corner of the grid;
/// of columns with the same value the first in the order of layers, rows and cells is named.
///
/// Speeds are those of columns that a user would call wet: above wet_depth and at least
/// `speed_depth` deep. Films run down steep slopes at speeds that say nothing about the flow.
typedef struct rill_stats {
    float max_depth;   ///< Metres.
    float max_speed;   ///< Of columns at least `speed_depth` deep, m/s.
    int64_t wet_cells; ///< Columns deeper than wet_depth.

    /// A hundredth of the cell size, but no more than a tenth of max_depth, so that a world of
    /// films has a speed, and no less than wet_depth; metres.
    float speed_depth;
    float max_speed_x, max_speed_y; ///< Where max_speed is, metres; 0 when nothing moves.
    int max_speed_layer;            ///< In which layer.

    /// Largest Froude number, speed / sqrt(gravity depth), of the same columns without those that
    /// are full up to a ceiling: above 1 the water is faster than its waves.
    float max_froude;
    float max_froude_x, max_froude_y; ///< Where that is, metres; 0 when nothing moves.
    int max_froude_layer;             ///< In which layer.
} rill_stats;

/// Reads every column, which may take as long as a step. The values do not depend on the number of
/// threads.
RILL_API rill_stats rill_world_stats(rill_world *world);

/// [reader] Hash of the complete simulated state. Equal for equal states on every machine, thread
/// count and instruction set; use it in tests and to detect that two machines have parted ways.
RILL_API uint64_t rill_world_hash(const rill_world *world);

/// [reader] Bytes that the world holds.
RILL_API size_t rill_world_memory(const rill_world *world);

/// [reader] The instruction set in use: "c", "avx2" or "avx512".
RILL_API const char *rill_world_isa(const rill_world *world);

/// What a solver can; all zero when there is no such solver. [reader]
RILL_API rill_solver_info rill_solver_about(rill_solver solver);

/// [reader] Where the water of this world is computed: "cpu" or "cuda".
RILL_API const char *rill_world_backend(const rill_world *world);

/// RILL_OK when worlds can be made on `backend`; else rill_last_error() says what is missing.
RILL_API rill_status rill_backend_check(rill_backend backend);

/// The name of the GPU, and the bytes a second that a large copy within its memory moves, read and
/// written both counted: what speeds on it are measured by. Takes a moment.
RILL_API rill_status rill_backend_measure(rill_backend backend, char *name, size_t name_size,
                                          double *copy_bytes_per_second);

/// Changes what happens at a side from now on. `level` is what border_level of the definition is;
/// a series that was set for the side ends.
RILL_API rill_status rill_world_set_border(rill_world *world, rill_side side, rill_border border,
                                           float level);

/// What lies beyond a side at one moment.
typedef struct rill_border_frame {
    double time;  ///< Seconds; frames must be in rising order.
    double value; ///< Level, metres, or discharge, m^2/s, as the border of the side has it.
    /// For RILL_BORDER_INCIDENT alone, else 0. A wave that comes in stands so high above `value`,
    /// metres. All of it comes in, where a change of `value` sends in a wave of half its height, as
    /// a sea does that rises and falls by itself.
    double wave;
    double velocity;  ///< Of the current beyond, m/s into the grid; below 0 it leaves.
    double discharge; ///< The same as what flows in per metre of the side, m^2/s; both add.
} rill_border_frame;

/// Makes the level or the discharge of a side follow a series: between frames it changes linearly,
/// before the first and after the last it stays. The frames are copied. No frames: it stays as it
/// is.
RILL_API rill_status rill_world_set_border_series(rill_world *world, rill_side side,
                                                  const rill_border_frame *frames, int count);

/// What a side becomes at a moment.
typedef struct rill_border_change {
    double time;        ///< Seconds; changes must be in rising order.
    rill_border border; ///< What the side is from then on.
    float level;        ///< As border_level of the definition.
} rill_border_change;

/// Changes the kind of a side over time: a gate that closes and opens again. A
/// series and a swell of the side act while it is of a kind that has such a number. The changes are
/// copied. No changes: the side stays as it is. rill_world_set_border() ends them.
RILL_API rill_status rill_world_set_border_changes(rill_world *world, rill_side side,
                                                   const rill_border_change *changes, int count);

/// Adds a swell to the level of a RILL_BORDER_LEVEL side or to the waves that come in by a
/// RILL_BORDER_INCIDENT one: `height` metres from trough to crest, once in `period` seconds. A
/// height of 0 ends it.
RILL_API rill_status rill_world_set_border_swell(rill_world *world, rill_side side, double height,
                                                 double period);

/// Closes (or, with `closed` 0, opens again) the faces between cells along the straight line from
/// (x0, y0) to (x1, y1), metres: a wall without thickness that reflects all water (swe).
RILL_API rill_status rill_world_set_wall(rill_world *world, double x0, double y0, double x1,
                                         double y1, int closed);

/// Moves the domain of the world over its full terrain by whole cells, so that (x, y), metres from
/// the corner of the grid, comes to lie within a cell of its middle, as far as the terrain reaches.
/// Water, particles, sources and emitters stay where they are in the terrain; what leaves the
/// domain is booked as drained, what comes in as sourced.
RILL_API rill_status rill_world_follow(rill_world *world, double x, double y);

/// [reader] Cell of the full terrain under cell (0, 0) of the world; 0, 0 without one.
RILL_API void rill_world_origin(const rill_world *world, int *i, int *j);

/// Changes the ground under the brush. Water stays in its columns, lifted or lowered with the bed.
RILL_API rill_status rill_world_edit_terrain(rill_world *world, const rill_brush *brush);

/// Pours (or, with a negative volume, takes) water at once, spread evenly over the cells whose
/// centres lie within `radius` of (x, y), or into the nearest cell. Writes what was really given or
/// taken to `done` if it is not NULL, m^3. Booked in the ledger.
RILL_API rill_status rill_world_pour(rill_world *world, double x, double y, double radius,
                                     double volume, double *done);

/// The same into (or out of) the columns that hold the elevation z, metres, or else the next ones
/// below it; for worlds with several layers. Infinity: the columns that are open to the sky.
RILL_API rill_status rill_world_pour_at(rill_world *world, double x, double y, double z,
                                        double radius, double volume, double *done);

/// Water that columns of a box of cells hold at the start, besides what the definition gave them.
typedef struct rill_fill {
    int i0, i1, j0, j1; ///< Cells, from the first to before the second.
    int at_z;           ///< 1: into the columns that hold the elevation `z`; 0: all covered ones.
    int to_level;       ///< 1: `amount` is a level; 0: a depth.
    float z, amount;    ///< Metres.
} rill_fill;

/// Fills columns that hold less, up to their ceilings; for worlds with several layers that have
/// just been made. Booked as initial water.
RILL_API rill_status rill_world_fill(rill_world *world, const rill_fill *fill);

/// A copy of the whole state of a world, to go back to.
typedef struct rill_snapshot rill_snapshot;

/// Takes memory for snapshots of this world; saving and restoring then allocate nothing.
RILL_API rill_status rill_snapshot_create(const rill_world *world, rill_snapshot **out);
RILL_API void rill_snapshot_destroy(rill_snapshot **snapshot);

/// Copies the state of `world` into the snapshot.
RILL_API rill_status rill_world_save(const rill_world *world, rill_snapshot *snapshot);

/// Brings `world` back to the state that was saved: same future, to the last bit. The snapshot must
/// have been made for a world of the same definition.
RILL_API rill_status rill_world_restore(rill_world *world, const rill_snapshot *snapshot);

/// A second world in the same state, with its own memory and threads.
RILL_API rill_status rill_world_clone(const rill_world *world, rill_world **out);

#ifdef __cplusplus
}
#endif
