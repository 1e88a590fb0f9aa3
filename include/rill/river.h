// SPDX-License-Identifier: MIT
// river.h - kilometres of river from a DEM (Burrell): where a river runs in a terrain, how it
// flows, the wave particles on it, and less detail far from the viewer.
#pragma once

#include "rill/base.h"
#include "rill/support.h"
#include "rill/terrain.h"
#include "rill/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;

// ---- Where it runs ---------------------------------------------------------------------

/// What the surface of a river is like.
typedef enum rill_river_surface {
    RILL_RIVER_PLANE,   ///< One level everywhere, as Burrell has it: lakes and lowland rivers.
    RILL_RIVER_PROFILE, ///< It falls along its channels, which are found in the DEM: mountain
                        ///< rivers, and side branches that start above the main river's level.
} rill_river_surface;

/// Where a river comes from, besides the sides of the grid (rill_side).
enum {
    /// The largest stem, found by the areas that drain through it, wherever it rises or comes in.
    RILL_RIVER_FROM_AUTO = 4,
};

/// Where a river leaves, besides the sides of the grid, which are a rill_side.
enum { RILL_RIVER_OUTLET_ANY = 4 };

/// How a river is found (Burrell section 3.1). Start from rill_default_river_path_def().
typedef struct rill_river_path_def {
    /// Side of the grid that it comes in by, a rill_side, or RILL_RIVER_FROM_AUTO, the default.
    int from;
    rill_river_surface surface; ///< Default RILL_RIVER_PROFILE.
    /// Plane: elevation of the water, metres. Default 0.
    double level;
    /// Profile: metres of water over the lowest line of the main channel, positive. NAN: 4 for a
    /// river that comes in by a given side; otherwise it follows from `runoff`. There it is the
    /// mean depth where the river leaves, and less upstream, in proportion to the drained area to
    /// the power 0.4. Default NAN.
    double depth;
    /// Profile: a side branch belongs to the river when at least this area drains through it, m^2.
    /// 0: a hundredth of the grid. Infinity: none. Default 0.
    double catchment;
    /// Metres over which the ground is smoothed before looking; 0: not at all. The ground itself is
    /// not changed. Default 0.
    double smoothing;
    /// The rest is for RILL_RIVER_FROM_AUTO. `outlet`: side that the river leaves by, a rill_side,
    /// or RILL_RIVER_OUTLET_ANY, the default.
    int outlet;
    /// A point that the river goes by, metres: the largest channel within 10 cells of it. NAN: the
    /// largest of all. Default NAN, NAN.
    double through[2];
    /// Metres across where the river leaves, and less upstream, in proportion to the square root of
    /// the drained area, but at least a cell. NAN: it follows from `runoff`. Default NAN.
    double width;
    /// Millimetres a day that run off the catchment when the river is full to its banks.
    /// Default 20.
    double runoff;
    /// Elevation from which cells hold no data, metres: what RILL_NO_DATA_WALL made of them. Such
    /// cells stay dry, and water that gets beside one leaves. Infinity: all have data, but for
    /// those that are not a number. Default infinity.
    double no_data;
} rill_river_path_def;

RILL_API rill_river_path_def rill_default_river_path_def(void);

/// A river as it was found.
typedef struct rill_river_path rill_river_path;

/// Finds the river in `ground`, in time proportional to its cells (times the logarithm of the
/// longest shore for a profile) and without recursion. Cells that are not a number are dry. A level
/// above all ground or below all of the border, and a border from which no channel leads anywhere,
/// are RILL_BAD_DEF with a sentence.
RILL_API rill_status rill_river_path_find(rill_field_view ground, double cell_size,
                                          const rill_river_path_def *def, const rill_host *host,
                                          rill_river_path **out);
RILL_API void rill_river_path_destroy(rill_river_path **path);

/// What was found. Pointers belong to the path.
typedef struct rill_river_path_view {
    /// Elevation of the water per cell, metres; -1e30 where it is dry.
    rill_field_view level;
    int64_t wet_cells;
    int branches;  ///< Channels, the main one included; 1 for a plane.
    double length; ///< Of the main channel, from where it comes in to where it leaves, metres.
    double fall;   ///< Of the water's surface between its ends, metres.
    /// The main channel's line: `count` points downstream, metres.
    int count;
    const float *x, *y, *surface, *bed;
    int from; ///< Side that it comes in by, a rill_side; -1 when it rises in the terrain.
    /// Of the line, for a river that was found by its areas (otherwise NULL): metres across, and
    /// m^2 that drain through it.
    const float *width, *area;
    /// The ground with the bed of such a river carved into it, metres; otherwise data is NULL.
    rill_field_view ground;
    /// What is not plausible about the river, and what to set; NULL when nothing is.
    const char *doubt;
} rill_river_path_view;

RILL_API rill_river_path_view rill_river_path_get(const rill_river_path *path);

/// The normals of the banks, of unit length and from land to water, per cell: nx * ny values each,
/// row after row. Cells of either kind that touch the other have one, all others 0, 0 (Burrell
/// section 3.1). The solver needs none: nothing flows through the face between a wet and a dry
/// cell.
RILL_API rill_status rill_river_path_normals(const rill_river_path *path, float *normal_x,
                                             float *normal_y);

// ---- Where all water runs --------------------------------------------------------------

/// The drainage of a terrain: where the water of every cell goes, and how much comes.
typedef struct rill_drainage rill_drainage;

/// Fills hollows to their lowest pass (priority flood), leads water over flats, away from higher
/// ground and towards lower ground (Barnes, Lehman and Mulla 2014), and sums up drained areas, in
/// time proportional to the cells (and the logarithm of the longest shore). Sides of the grid and
/// cells that are not a number are outlets. The ground is smoothed over `smoothing` metres first.
RILL_API rill_status rill_drainage_find(rill_field_view ground, double cell_size, double smoothing,
                                        const rill_host *host, rill_drainage **out);
RILL_API void rill_drainage_destroy(rill_drainage **drainage);

/// Where the water of a cell goes when it leaves the terrain, and for cells without data.
enum { RILL_DRAINAGE_OUT = 8, RILL_DRAINAGE_NO_DATA = 10 };

/// What was found; value (i, j) of each is [j * pitch + i]. Pointers belong to the drainage.
typedef struct rill_drainage_view {
    int nx, ny;
    size_t pitch;
    const float *filled;  ///< The ground with its hollows filled, metres.
    const uint32_t *area; ///< Cells that drain through this one, itself included.
    /// 0 to 7: to the east, west, north, south, north-east, south-west, north-west, south-east; or
    /// RILL_DRAINAGE_OUT, RILL_DRAINAGE_NO_DATA.
    const unsigned char *way;
} rill_drainage_view;

RILL_API rill_drainage_view rill_drainage_get(const rill_drainage *drainage);

// ---- How it flows ----------------------------------------------------------------------

/// How pressure is solved for (Burrell section 3.3).
typedef enum rill_river_pressure {
    RILL_RIVER_MULTIGRID, ///< Conjugate gradients with a multigrid preconditioner, until it holds.
    RILL_RIVER_JACOBI,    ///< A fixed number of Jacobi sweeps, as Burrell has it.
} rill_river_pressure;

/// What water does along banks and rocks.
typedef enum rill_river_bank {
    RILL_RIVER_FREE_SLIP, ///< It slides along them.
    RILL_RIVER_NO_SLIP,   ///< It stands still at them.
} rill_river_bank;

/// Waves on a river: wave particles, each of which carries a patch of an animated texture (Burrell
/// chapter 4).
typedef struct rill_wave_particles_def {
    int texels; ///< Texels of the output along a cell, 1 to 16; 0: no such waves. Default 4.
    int size;   ///< Points of the wave texture a side, a power of two. Default 256.
    float tile; ///< Its side, metres. 0: 256 texels. Default 0.
    float wind; ///< m/s, of the texture's spectrum. 0: that of the world, or else 4. Default 0.
    float wind_direction; ///< Degrees from +x to +y. NAN: that of the world. Default NAN.
    float height;         ///< Times that of a grown sea. Default 1.
    float life;           ///< A: mean life of a particle, seconds. Default 6 (Burrell: 1.5).
    /// L: metres from its birth place after which a particle is not seen. 0: a twentieth of the
    /// river's length. Default 0.
    float distance;
    int max_particles; ///< 0: eight a wet cell. Default 0.
} rill_wave_particles_def;

/// Hydrostatic columns, by which a river feels its bed (Burrell section 3.2).
typedef struct rill_river_columns_def {
    int cells;      ///< Of a column, 1 to 16; 0: none. Default 4.
    float weight;   ///< z: how much they change the flow, 0 to 4. Default 1.
    float limit;    ///< By at most this factor either way, 1 to 100. Default 3.
    float vary;     ///< Their pressure varies at random by this part (Eq. 3.25). Default 0.05.
    float friction; ///< f: part of a pipe's flow kept per second, 0 to 1. Default 0.1.
    /// 1 runs them along with the river; 0 rebuilds them when the ground or an obstacle changes.
    /// Default 0.
    int along;
} rill_river_columns_def;

/// Where a river's flow is stored, so that it need not be found again: a file
/// (rill_river_cache_file() of rill/files.h) or whatever the host has. Used only while a world is
/// made.
typedef struct rill_river_cache {
    void *user; ///< Handed to both functions.
    /// Fills the arrays with what was stored under `key`, and `seconds`; or fails and changes
    /// nothing. NULL: there is no cache.
    rill_status (*read)(void *user, uint64_t key, const rill_state_array *arrays, int count,
                        double *seconds);
    /// Stores them under `key`. A failure is logged; the river flows all the same.
    rill_status (*write)(void *user, uint64_t key, const rill_state_array *arrays, int count,
                         double seconds);
} rill_river_cache;

/// Parameters of the solver `river`.
typedef struct rill_river_def {
    rill_river_path_def path;
    /// A path that was found before, of as many cells; the world copies it. NULL: it is looked for
    /// in the ground. Default NULL.
    const rill_river_path *found;
    float speed;          ///< Mean over the river, m/s, above 0, at most 20. Default 1.3.
    float viscosity;      ///< Of eddies too small for the grid, m^2/s, 0 to 100. Default 0.05.
    rill_river_bank bank; ///< Default RILL_RIVER_FREE_SLIP.
    rill_river_pressure pressure; ///< Default RILL_RIVER_MULTIGRID.
    int sweeps;                   ///< Of RILL_RIVER_JACOBI, 1 to 1000. Default 20.
    /// Of RILL_RIVER_MULTIGRID: the largest divergence that may be left, times the mean speed over
    /// the cell size, 1e-6 to 1. Default 5e-5.
    float tolerance;

    rill_river_columns_def columns;

    float vary;      ///< Random part of an impulse, 0 to 1. Default 0.01.
    float min_speed; ///< Slowest and fastest flow, parts of `speed`. Default 0.05 and 3.
    float max_speed;
    float reversal; ///< Degrees around straight back in which a flow is turned. Default 15.
    /// Weight of the direction at the border in the hints further down (appendix A.2 has 1, which
    /// suits straight rivers). Default 0.
    float straight;
    /// Where the river flows to at the border it comes in by, degrees from +x to +y; NAN: straight
    /// in. Default NAN.
    float direction;
    /// Seconds of flow before the start; -1: until the first water has come through. Default -1.
    double bootstrap;
    /// Where what bootstrapping found is stored, keyed by the content of the ground and by this
    /// definition; asked first, and written to when it had nothing. Default: none.
    rill_river_cache cache;

    rill_wave_particles_def wave_particles;
    /// Which parts get coarser with the distance from the viewer (Burrell section 5.2), 0 or 1
    /// each. Solver: cells are merged, and the pressure of merged ones iterated less. Waves: fewer
    /// particles, coarser texels. Default 0 and 0.
    int detail_solver, detail_waves;
    float detail_distance; ///< Metres from the viewer where cells are first merged. Default 500.
    double viewer[3];      ///< Where the viewer is at the start, metres. Default 0, 0, 0.
    int dye_conservative;  ///< 1: dye is never made or lost; 0: semi-Lagrangian. Default 1.
} rill_river_def;

RILL_API rill_river_def rill_default_river_def(void);

/// Tells where the viewer is, metres: detail follows from the next step on. Part of the state.
RILL_API rill_status rill_world_set_viewer(rill_world *world, double x, double y, double z);

/// How the river of a world is now. All-zero for another solver.
typedef struct rill_river_state {
    int64_t cells;       ///< Wet cells of the grid.
    int64_t merged;      ///< Cells that the solver works on: fewer with detail_solver.
    double mean_speed;   ///< Over wet cells, m/s.
    double divergence;   ///< The largest of the last step, times cell size over mean speed.
    int iterations;      ///< Of the pressure in the last step.
    double length;       ///< Of the main channel, metres.
    double bootstrapped; ///< Seconds of flow before the start.
    int cached;          ///< 1 when they came from the cache.
    int64_t reversed;    ///< Cells that flow against their hint by more than 90 degrees.
} rill_river_state;

RILL_API rill_river_state rill_world_river(rill_world *world);

/// Closes (or, with `closed` 0, opens again) the wet cells whose centres lie within `radius` of
/// (x, y), metres, or the one that (x, y) lies in: a pier, a barge, a gate. No water goes through
/// them, what is in them stands still, and the columns are rebuilt.
RILL_API rill_status rill_world_close_river(rill_world *world, double x, double y, double radius,
                                            int closed);

/// The river as it was found; NULL for another solver. Valid as long as the world lives.
RILL_API const rill_river_path *rill_world_river_path(const rill_world *world);

/// Adds `amount` of dye (its concentration times m^3) to the wet cells within `radius` of (x, y).
RILL_API rill_status rill_world_add_dye(rill_world *world, double x, double y, double radius,
                                        double amount);
/// Concentration of dye per cell; data == NULL for another solver.
RILL_API rill_field_view rill_world_dye(const rill_world *world);
/// All dye in the river, concentration times m^3, summed in a fixed order.
RILL_API double rill_world_dye_amount(rill_world *world);

// ---- Wave particles --------------------------------------------------------------------

/// The waves that wave particles make, now. The output is a height over the level of the river, in
/// square tiles of `tile_side` x `tile_side` texels that cover `tile_cells` x `tile_cells` cells
/// and a rim of one texel around them, so that each can be interpolated by itself. Tile (i, j) of
/// the grid is number index[j * tiles_x + i], or none when that is negative.
typedef struct rill_wave_particles {
    int tiles_x, tiles_y, tile_cells, tile_side, tile_count;
    float texel;        ///< Metres.
    const int *index;   ///< tiles_x * tiles_y.
    const float *tiles; ///< tile_count * tile_side * tile_side heights, metres.

    /// The particles: where they are, where they were born, metres, and how much they count, 0
    /// to 1.
    int count;
    const float *x, *y, *birth_x, *birth_y, *weight;
    rill_sea_view texture; ///< Without shifts and slopes.
} rill_wave_particles;

/// All-zero for a world without. Brings the output up to date.
RILL_API rill_wave_particles rill_world_wave_particles(rill_world *world);

/// Detail per square of the grid: cells of square (i, j) are merged 2^level[j * squares_x + i] by
/// as many. Squares have `square_cells` cells a side. All-zero without detail.
typedef struct rill_detail {
    int squares_x, squares_y, square_cells;
    const unsigned char *level;
} rill_detail;
RILL_API rill_detail rill_world_detail(const rill_world *world);

#ifdef __cplusplus
}
#endif
