// SPDX-License-Identifier: MIT
// river_path_internal.h - what the files that find a river have in common: its wet cells, the flood
// that fills hollows, the channels, and the line down its middle.
#pragma once

#include "terrain/river_path/river_path.h"

#include "rill/support.h"

#include <string.h>

// ---- Wet cells (river_wet.c) -----------------------------------------------------------
//
// The wet cells of a river while it is being found: a list that serves as the queue of every flood,
// so that nothing recurses. Cell (i, j) is number j * nx + i.
//
// Memory: one byte a cell of the grid, and 4 to 8 bytes a wet cell.

enum { RL_WET_PINNED = 1, RL_WET_REACHED = 2 }; // bits of a mark
#define RL_WET_STEPS     4                      // the other bits count steps left, times this
#define RL_WET_MAX_STEPS 63

typedef struct rl_wet {
    const rill_allocator *allocator;
    const rill_field *ground;
    rill_field *level; // RL_RIVER_DRY where it is dry
    int nx, ny;
    uint8_t *mark;
    uint32_t *cell; // those that are wet, in the order they were reached
    size_t count, capacity;
} rl_wet;

// Creates a wet set. `level` must be dry everywhere. Returns false when there is no memory.
bool rl_wet_create(const rill_allocator *allocator, const rill_field *ground, rill_field *level,
                   rl_wet *out);
void rl_wet_destroy(rl_wet *wet);

static inline float *rl_wet_at(const rl_wet *wet, const rill_field *field, uint32_t cell)
{
    return rill_field_row(field, (int)(cell / (uint32_t)wet->nx)) + cell % (uint32_t)wet->nx;
}

static inline float *rl_wet_level(const rl_wet *wet, uint32_t cell)
{
    return rl_wet_at(wet, wet->level, cell);
}

static inline float rl_wet_ground(const rl_wet *wet, uint32_t cell)
{
    return rill_field_row(wet->ground, (int)(cell / (uint32_t)wet->nx))[cell % (uint32_t)wet->nx];
}

static inline bool rl_wet_is(const rl_wet *wet, uint32_t cell)
{
    return *rl_wet_level(wet, cell) > RL_RIVER_DRY;
}

// Finds the neighbours of a cell to the east, west, north and south, as far as there are any.
static inline int rl_wet_neighbours(const rl_wet *wet, uint32_t cell, uint32_t out[4])
{
    const uint32_t nx = (uint32_t)wet->nx, i = cell % nx, j = cell / nx;
    int count = 0;
    if (i + 1 < nx)
        out[count++] = cell + 1;
    if (i > 0)
        out[count++] = cell - 1;
    if (j + 1 < (uint32_t)wet->ny)
        out[count++] = cell + nx;
    if (j > 0)
        out[count++] = cell - nx;
    return count;
}

extern const char *const rl_side_names[4]; // of sides: "west" and so on

// Return the cells along a side of the grid, and the n-th of them, counted west to east or south to
// north.
static inline int rl_side_cells(int side, int nx, int ny)
{
    return side < 2 ? ny : nx;
}
static inline uint32_t rl_side_cell(int side, int n, int nx, int ny)
{
    if (side < 2)
        return (uint32_t)n * (uint32_t)nx + (side == 0 ? 0u : (uint32_t)nx - 1u);
    return (side == 2 ? 0u : (uint32_t)(ny - 1) * (uint32_t)nx) + (uint32_t)n;
}

static inline bool rl_on_side(uint32_t cell, int side, int nx, int ny)
{
    const int i = (int)(cell % (uint32_t)nx), j = (int)(cell / (uint32_t)nx);
    return side < 2 ? i == (side == 0 ? 0 : nx - 1) : j == (side == 2 ? 0 : ny - 1);
}

// Floods anew from channel cells: the water may stand in each cell as high as in the channel cell
// nearest to it, and reaches all cells below that which have a way to the channel. So a gap in a
// bank lets no water of the upper reaches run down over the plain at their level. Takes 2 bytes a
// cell. Returns false when there is no memory.
bool rl_wet_flood(rl_wet *wet, const uint32_t *channel, const float *levels, size_t count);

// Computes chamfer distances (Borgefors 1986) from the cells where `far` is 0, as much as
// RL_CHAMFER_STRAIGHT a cell, where `far` is larger. Where it gets smaller, `level` becomes that of
// the cell which the distance is counted from; it may be NULL.
#define RL_CHAMFER_STRAIGHT 3
void rl_chamfer_distances(int nx, int ny, uint16_t *far, const rill_field *level);

// Makes a dry cell wet. Returns false when there is no memory.
bool rl_wet_add(rl_wet *wet, uint32_t cell, float level);

// Spreads the water of the cells from number `first` of the list on over dry neighbours whose
// ground is not above it, at its level: without end, or when `limited`, by as many steps as each of
// those cells has in its mark. Returns false when there is no memory.
bool rl_wet_spread(rl_wet *wet, size_t first, bool limited);

// Relaxes the level of every cell that is not pinned towards the mean of its wet neighbours, so
// that it has no seams between what came from different sources. Takes 5 bytes a wet cell. Returns
// false when there is no memory.
bool rl_wet_relax(const rl_wet *wet, int sweeps);

// Makes the list anew: `sources`, and all that have a way to them, over cells whose ground is not
// above their level. All others become dry. Returns false when there is no memory.
bool rl_wet_trim(rl_wet *wet, const uint32_t *sources, size_t count);

// ---- The flood (river_flood.c) ---------------------------------------------------------
//
// Fills the hollows of a terrain to their lowest pass, so that water has a way out
// from everywhere. Water goes to one of four neighbours, or of eight. For a river that comes in by
// a side of the grid that side is a wall, and the others are outlets; otherwise all sides are, and
// so are cells beside one without data. Cells have a rim of one cell without data around them, so
// that every cell has all its neighbours: cell (i, j) is number (j + 1) * pitch + i + 1.
//
// Memory: 9 bytes a cell, and 8 a cell of the passes and shores that wait to be flooded.

// Where the water of a cell goes, besides 0 to 7 for east, west, north, south, north-east,
// south-west, north-west and south-east: the low bits. The way back of way w is w ^ 1.
enum {
    RL_WAY_OUT = 8,
    RL_WAY_UNREACHED,
    RL_WAY_NO_DATA,
    RL_WAY_FLAT,       // no neighbour is lower
    RL_WAY_FLAT_FOUND, // and it is known how far it is from what is
    RL_WAY_BITS = 15
};
#define RL_NO_SIDE (-1)

typedef struct rill_drainage rl_drainage;
struct rill_drainage {
    rl_owned own;
    int nx, ny;
    int from;              // the side that is a wall, or RL_NO_SIDE
    int ways;              // 4 or 8
    uint32_t step[8];      // to the neighbours, modulo 2^32
    size_t pitch, cells;   // with the rim
    float *level;          // of the ground, smoothed; then of the flood
    float *border;         // of the ground along side `from`
    uint32_t *work;        // a number a cell, lists while it is flooded; then free for use
    uint8_t *way;          // the flood's own: back to where it came from
    float lowest, highest; // of the ground
    uint64_t *heap;
    size_t waiting, heap_capacity;
};

// What is to be flooded.
typedef struct rl_flood_def {
    int from;       // as in rl_drainage
    int ways;       // likewise
    double length;  // over which the ground is smoothed, cells
    double no_data; // elevation from which cells have no data, metres
} rl_flood_def;

// Copies and smooths the ground, and floods it. Returns NULL when there is no memory.
rl_drainage *rl_drainage_flood(const rill_field *ground, const rl_flood_def *def,
                               const rill_allocator *allocator);
void rl_drainage_destroy(rl_drainage **drainage);

static inline uint32_t rl_drainage_neighbour(const rl_drainage *d, uint32_t cell, int way)
{
    return cell + d->step[way];
}

// The same with steps that are a copy: marks of cells may alias everything in d, a copy nothing.
typedef struct rl_steps {
    uint32_t to[8];
} rl_steps;

static inline rl_steps rl_drainage_steps(const rl_drainage *d)
{
    rl_steps steps;
    memcpy(steps.to, d->step, sizeof steps.to);
    return steps;
}

static inline int rl_drainage_way(const rl_drainage *d, uint32_t cell)
{
    return d->way[cell] & RL_WAY_BITS;
}

// Convert j * nx + i to the number of a cell with the rim, and back.
static inline uint32_t rl_drainage_with_rim(const rl_drainage *d, uint32_t cell)
{
    const uint32_t nx = (uint32_t)d->nx;
    return (cell / nx + 1) * (uint32_t)d->pitch + cell % nx + 1;
}
static inline uint32_t rl_drainage_without_rim(const rl_drainage *d, uint32_t cell)
{
    const uint32_t pitch = (uint32_t)d->pitch;
    return (cell / pitch - 1) * (uint32_t)d->nx + cell % pitch - 1;
}

// ---- Ways and areas (river_routes.c, river_flats.c) -------------------------------------

// The other bits of d->way while areas are summed up: how many neighbours have not yet passed a
// cell their areas, and that it has passed on its own.
enum { RL_WAY_DONOR = 0x10, RL_WAY_GIVEN = 0x80 };
// Then a cell may be marked as one of the main channel.
enum { RL_WAY_MAIN = RL_WAY_DONOR };

// Finds where the water of every cell goes and, in d->work, how many cells drain through it, itself
// included. With eight ways water goes the steepest way down, also from an outlet with a way down,
// and over what is flat away from higher ground and towards lower ground. Takes 4 bytes a cell of
// what is flat. Returns false when there is no memory.
bool rl_drainage_route(rl_drainage *d);

// Finds the ways over cells marked RL_WAY_FLAT, of which there are `count`; d->work is free for
// use.
bool rl_flats_route(rl_drainage *d, size_t count);

// The next cell downstream of one that has a way.
static inline uint32_t rl_drainage_next(const rl_drainage *d, uint32_t cell)
{
    return rl_drainage_neighbour(d, cell, rl_drainage_way(d, cell));
}

// ---- Channels (river_channels.c) -------------------------------------------------------
//
// Where water runs in a terrain whose hollows are filled: the main channel, and the channels that
// join it. When a river comes in by a side, water goes to one of four neighbours, as it does
// between the cells of the `river` solver, so that a channel never has to squeeze through a corner.
//
// Memory: that of the flood, and 16 to 32 bytes a cell of a channel.

#define RL_CHANNEL_NONE UINT32_MAX

// One cell of a channel. Cells downstream have lower numbers, except in the main channel.
typedef struct rl_channel_cell {
    uint32_t cell;     // j * nx + i
    uint32_t receiver; // number of the next cell downstream, RL_CHANNEL_NONE at the end
    uint32_t area;     // cells that drain through it
    float fill;        // elevation of the filled ground, metres
} rl_channel_cell;

typedef struct rl_channels {
    rl_channel_cell *cell; // the main channel downstream, then the branches
    size_t main, count, capacity;
} rl_channels;

// Returns how many cells drain through a channel at least when `catchment` m^2 are asked for; 0 is
// a hundredth of the grid.
double rl_channels_least(const rl_drainage *d, double cell_size, double catchment);

// Collects the main channel from `head` (with the rim) down to its outlet, and the channels that
// join it through which at least `least` cells drain.
rill_status rl_channels_collect(const rl_drainage *d, uint32_t head, double least,
                                rl_channels *out);

// Finds the channels in `ground`, smoothed by def->smoothing, for a river that comes in by the
// lowest cell of side def->from. Returns RILL_BAD_DEF with a message when that leads nowhere.
rill_status rl_channels_find(const rill_field *ground, double cell_size,
                             const rill_river_path_def *def, const rill_allocator *allocator,
                             rl_channels *out);
void rl_channels_destroy(const rill_allocator *allocator, rl_channels *channels);

// Floods the branches of `channels` that leave the wet set of the main river, whose water stands
// `depth` metres deep, and counts the channels, the main one included. Returns false when
// there is no memory.
bool rl_branches_flood(rl_wet *wet, const rl_channels *channels, double cell_size, double depth,
                       int *count);

#define RL_DEPTH_FROM_SIDE 4.0 // metres, of a river from a side unless another depth is asked for

// ---- Rivers from beyond (river_crossing.c) ----------------------------------------------

// Finds the side that a river comes in by from beyond, RL_NO_SIDE when there is none. It reads a
// coarse copy of the ground, in a small part of the time that a river takes. Returns false when
// there is no memory.
bool rl_crossing_find(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                      const rill_allocator *allocator, int *side);

// ---- Where a river rises (river_stem.c) -------------------------------------------------

// A river found by what drains through it.
typedef struct rl_stem {
    rl_channels channels; // no number of a cell has the rim
    int from;             // the side that it comes in by, or RL_NO_SIDE when it rises in the grid
    double beyond;        // m^2 that it has drained before it comes in
} rl_stem;

// Finds the largest stem of a terrain, from where `catchment` drains through it, or from side
// `from` if it comes from beyond (otherwise RL_NO_SIDE), to where it leaves; or the one that
// def->through and def->outlet ask for.
rill_status rl_stem_find(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                         int from, const rill_allocator *allocator, rl_stem *out);

// Returns the outlet through which most cells drain, of those on a side or, with
// RILL_RIVER_OUTLET_ANY, of all; RL_CHANNEL_NONE when there is none.
uint32_t rl_stem_outlet(const rl_drainage *d, int side);

// ---- Its bed (river_course.c, river_bed.c, river_lakes.c) -------------------------------

// The channels as lines, a point for every cell of `channels`.
typedef struct rl_river_course {
    const rill_allocator *allocator;
    const rl_stem *stem;
    const rl_channels *channels;
    const rill_field *ground;
    double cell_size;
    double no_data;         // elevation from which cells have no data, metres
    float *x, *y;           // places of the points, cells
    float *surface, *depth; // elevation of the water, metres; its mean depth over the width, metres
    float *width;           // cells
    uint32_t *above;        // the point upstream, RL_CHANNEL_NONE at a head
    uint8_t *lake;          // 1 where it crosses a lake
    void *memory;
    size_t bytes;
    int branches; // channels, the main one included
} rl_river_course;

// Lays the lines. Returns false when there is no memory; the course is to be destroyed all the
// same.
bool rl_river_course_lay(const rl_stem *stem, const rill_field *ground, double cell_size,
                         const rill_river_path_def *def, const rill_allocator *allocator,
                         rl_river_course *out);
void rl_river_course_destroy(rl_river_course *course);

// Returns the cell that point n lies in.
static inline uint32_t rl_river_course_cell(const rl_river_course *c, size_t n)
{
    return (uint32_t)c->y[n] * (uint32_t)c->ground->nx + (uint32_t)c->x[n];
}

// Computes the profile that never rises and has the least sum of distances to `values` (isotonic
// medians): a dam of a few cells does not lift the water before it, nor does a pit draw it down.
// `heap` holds up to `count` values.
void rl_river_course_fit_falling(float *values, size_t count, float *heap);

// A lake: cells of one elevation that no lower ground lies beside but where it leaves.
#define RL_LAKE_LEAST 32 // cells

// Lists the cells of the lake that `cell` is part of; none when it is no lake. `mark` has a byte
// for every cell of the grid, all 0 before and after. Returns false when there is no memory.
typedef struct rl_lake {
    uint32_t *cell;
    size_t count, capacity;
} rl_lake;
bool rl_lake_find(const rill_field *ground, uint32_t cell, uint8_t *mark,
                  const rill_allocator *allocator, rl_lake *out);

// Carves the bed into path->ground, fills path->level and the list of springs. Returns false when
// there is no memory.
bool rl_bed_carve(const rl_river_course *course, rl_wet *wet, rill_river_path *path);

// ---- The line (river_line.c) -----------------------------------------------------------
//
// The line down the middle of a river, from one border of the grid to another.
//
// Memory: 7 bytes a cell of the grid, in time proportional to the cells.

typedef struct rl_river_line {
    uint32_t *cell; // downstream, each beside the one before it
    size_t count, capacity;
    double half_width; // mean distance to the nearest dry cell, cells
} rl_river_line;

// Finds the line from the wet cells of side `from` to the border where cell `end` lies, by the way
// that stays furthest from the banks. `end` must be a wet cell of another side. Returns false when
// there is no memory.
bool rl_river_line_find(const rl_wet *wet, int from, uint32_t end, rl_river_line *out);
void rl_river_line_destroy(const rill_allocator *allocator, rl_river_line *line);

// Fills the line, length and fall of a path: the cells' places smoothed over about half the width,
// the surface as given per cell, which must fall downstream, or (NULL) the level of the cells, and
// their bed.
bool rl_river_line_lay(const rl_river_line *line, const rl_wet *wet, const float *surface,
                       double cell_size, rill_river_path *path);

// Computes means over `reach` values on either side, fewer towards the ends and equally many on
// both sides: a straight line stays as it is, and what never rises still does not.
void rl_river_line_smooth(const float *values, size_t count, size_t reach, float *out);
