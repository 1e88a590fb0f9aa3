// SPDX-License-Identifier: MIT
// body_raster.h - which part of every cell's vertical line a body takes: triangles are scan
// converted from above, exactly at the centres of cells, and where a line enters and leaves the
// body becomes intervals (Kellomäki section 4.1). Also the memory that blocking works in
// (blocking.c, displaced.c, head.c).
//
// Lengths of x and y are in cells here, counted from the centre of cell (0, 0), so that centres lie
// at whole numbers; z is in metres.
#pragma once

#include "bodies/bodies_internal.h"
#include "bodies/shape/body_shape.h"
#include "solvers/shared/blocks.h"

#include <stddef.h>
#include <stdint.h>

// ---- Loops over displaced volume, once per instruction set (displaced_rows.c) ----------

#define RL_RASTER_CHUNK RL_BLOCKS_LINE // cells whose displaced volume is treated together

// How much of the displaced volume is released.
typedef struct rl_displaced_rates {
    double tau;     // part of a difference that goes to a neighbour in a step
    double alpha;   // part that is released in a step,
    double crumb;   // but no less than this, metres
    double nothing; // what is less than this is forgotten, metres
} rl_displaced_rates;

// The cells of a chunk that has spread; `count` may be less than a chunk at the end of a row.
typedef struct rl_displaced_chunk {
    int count;
    const double *next; // their displaced volume, metres
    const float *depth;
    const float *bed, *floor, *lower; // bed NULL: no body is in their way
} rl_displaced_chunk;

typedef struct rl_displaced_rows {
    const char *isa;
    // Spreads the displaced volume of a whole chunk, if all cells in it and around it have water;
    // the rows south and north of `volume` are `row` numbers away. Else returns 0 and does nothing.
    int (*spread)(const double *volume, ptrdiff_t row, const float *const depth[3],
                  const rl_displaced_rates *rates, double *next);
    // Finds what the cells of a chunk release and what they hold; returns whether that is anything.
    // `gives` NULL: they hold all, and only `count` and `next` of the chunk are read.
    int (*release)(const rl_displaced_chunk *chunk, const rl_displaced_rates *rates, float *gives,
                   double *held_volume);
} rl_displaced_rows;

extern const rl_displaced_rows rl_displaced_rows_c, rl_displaced_rows_avx2,
    rl_displaced_rows_avx512;

// ---- The raster ------------------------------------------------------------------------

#define RL_RASTER_CELLS   RL_BLOCKS_PART // cells of a row that are worked on at once
#define RL_RASTER_MARGIN  0.02
#define RL_CELL_INTERVALS 8 // kept for a cell; more are merged
#define RL_BODY_INTERVALS 4 // likewise for one body in a cell

typedef struct rl_interval {
    float lower, upper; // metres
} rl_interval;

// Intervals of a cell, in any order. Appending to a full list merges.
typedef struct rl_interval_list {
    int count;
    rl_interval items[RL_CELL_INTERVALS];
} rl_interval_list;

// A triangle with its corners from south to north. Edges are stored as lines from their southern
// end, so that the two triangles at an edge find the same number for where a row crosses it.
typedef struct rl_raster_triangle {
    int j0, j1;               // rows that come near it
    bool up;                  // it faces the sky
    bool steep;               // it is a wall; the rest is not known of one, but for u, v and z
    int plain_from, plain_to; // rows that cut it with no corner near,
    int middle;               // but for this one if corner 1 is near it, else -1
    double u[3], v[3], z[3];
    double long_u, half_u[2];           // corner 0 to 2, 0 to 1 and 1 to 2: change per row
    double long_z, half_z[2];           // the same
    double long_margin, half_margin[2]; // how far its sides go east or west in the margin
} rl_raster_triangle;

// Change per row along a line that goes on for some rows.
static inline double rl_per_row(double change, double rows)
{
    return rows > 0.0 ? change / rows : 0.0;
}

// A blocking body: its cells, and those of its triangles that a line can meet, in
// rl_raster.triangles.
typedef struct rl_raster_body {
    rl_box box;
    int place; // in rl_bodies.items
    int first_vertex, first_triangle, triangle_count;
    bool alone; // no other body comes near its chunks
} rl_raster_body;

// The blocking body of a place, as it was when bodies were last compared.
typedef struct rl_raster_seen {
    rl_raster_body body;
    uint32_t generation; // 0: there is none
    bool same;           // as it was the time before
} rl_raster_seen;

// Lies in rl_bodies.raster_scratch, its arrays behind it.
typedef struct rl_raster {
    bool ready;
    const rill_field *bed; // of the last rl_bodies_block

    rl_raster_body *bodies; // in the order of their first rows, then of their places
    rl_raster_body *unsorted;
    int body_count, tallest; // rows of the tallest
    int *row_start;          // ny + 2: bodies that begin before a row
    double (*points)[3];     // vertices of blocking bodies
    rl_raster_triangle *triangles;
    rl_raster_seen *seen;  // of places
    bool unseen;           // the solver has been told of something else
    float *vertices;       // of bodies that were seen, as in rl_bodies.position
    bool *crowded;         // per row: what some cell has left depends on its water too
    bool *floor_ready;     // per row: its floor is the bed where nothing is blocked
    unsigned char *in_way; // chunks with a body in them

    // Levels (head.c): boxes, their groups and a map of cells that have none of their own.
    rl_box *boxes;
    int *felt_at; // of a box: place of the body that is there now, or -1
    bool *felt;   // of a place: its body is one of those
    int *parent, *order, *members, *group_start;
    int box_count, group_count;
    unsigned char *kind; // nx x ny; all zero between calls
    float *other;        // like a field of nx x ny
    size_t pitch;        // of it

    // Displaced volume (displaced.c): chunks of rows that have some, and that were just worked on.
    int chunks, chunk_pitch; // to a row; rounded up to eight
    unsigned char *active, *worked;
    bool *row_worked;
    int *bands; // of rows that a call works on
    bool active_unknown;
    const rl_displaced_rows *displaced_rows;
} rl_raster;

// Lays the arrays into the scratch at the first call.
rl_raster *rl_raster_of(rl_bodies *bodies);

// The chunks of row j in an array that has a byte for each: in_way, active, worked.
static inline unsigned char *rl_raster_chunks(const rl_raster *raster, unsigned char *all, int j)
{
    return all + (size_t)j * (size_t)raster->chunk_pitch;
}

static inline bool rl_body_blocks(const rl_body *body)
{
    return body->alive && body->def.coupling == RILL_COUPLING_BLOCK && !rl_shape_is_open(body);
}

// A box and the cells around it, inside of the grid.
static inline rl_box rl_box_grown(rl_box box, int cells, int nx, int ny)
{
    return (rl_box){box.i0 > cells ? box.i0 - cells : 0, box.j0 > cells ? box.j0 - cells : 0,
                    box.i1 + cells < nx ? box.i1 + cells : nx,
                    box.j1 + cells < ny ? box.j1 + cells : ny};
}

// Cells that a body comes near.
rl_box rl_raster_box(const rl_bodies *bodies, const rl_body *body);

// The first whole number >= x in [low, high]; `low` for what is no number.
static inline int rl_first_from(double x, int low, int high)
{
    const double least = x > (double)low ? x : (double)low;
    const double inside = least < (double)high ? least : (double)high;
    const int whole = (int)inside;
    return whole + ((double)whole < inside);
}

// Compares where bodies are with where they were; returns whether all that block are where they
// were, so that what they block is what the solver has.
bool rl_raster_info(rl_bodies *bodies, rl_jobs *jobs);

// Sets up the cells and triangles of all blocking bodies, where they were seen.
void rl_raster_prepare(rl_bodies *bodies, rl_jobs *jobs);

// What a body takes of the cells [first, first + count) of a row, count <= RL_RASTER_CELLS. Bits
// count from the first cell.
typedef struct rl_raster_taken {
    uint64_t once;                  // cells of which it takes one interval, which stands below
    uint64_t unclear;               // others of which it may take something
    float ends[2][RL_RASTER_CELLS]; // lower, upper
} rl_raster_taken;

void rl_raster_take(const rl_raster *raster, const rl_raster_body *body, double cell_size, int j,
                    int first, int count, rl_raster_taken *taken);

// Adds the intervals of a body in those cells to their lists: where it is unclear what it takes,
// and everywhere.
void rl_raster_unclear(const rl_raster *raster, const rl_raster_body *body, double cell_size, int j,
                       int first, uint64_t unclear, rl_interval_list *lists);
void rl_raster_row(const rl_raster *raster, const rl_raster_body *body, double cell_size, int j,
                   int first, int count, rl_interval_list *lists);

// Makes one of the two intervals that are closest to each other.
void rl_interval_merge(rl_interval_list *list);

static inline void rl_interval_add(rl_interval_list *list, rl_interval interval)
{
    if (list->count == RL_CELL_INTERVALS)
        rl_interval_merge(list);
    list->items[list->count++] = interval;
}

// In the order of their lower ends.
void rl_interval_sort(rl_interval_list *list);

// What a cell has left, of its bed and the sorted intervals in it (blocking.c): what rests on the
// ground, or on what does, raises the floor; the lowest of what hangs blocks, and of the rest what
// water at `level` reaches.
rl_block rl_block_compose(float bed, const rl_interval_list *sorted, float gap, float level);

// ---- Levels that bodies feel in and around the cells which they block (head.c) ---------

#define RL_HEAD_SWEEPS   4     // even
#define RL_HEAD_TOUCHING 0.1f  // in cells: a body that is closer above the water presses it
#define RL_HEAD_FLAT     1e-6f // metres: levels that differ by less need no sweeps

// Levels in and around what is blocked (head.c).
typedef struct rl_head_fill {
    rl_bodies *bodies;
    rl_raster *raster;
    const rl_blocks *set; // NULL: nothing is blocked
    const rill_columns *columns;
    bool show; // write show_base and show_depth of blocked cells as well
} rl_head_fill;

// That of a step.
rl_head_fill rl_head_fill_of(rl_bodies *bodies, const rl_body_water *water);

// Finds the groups of boxes in which levels are filled in: rl_raster.group_count. No box of one is
// within a cell of a box of another. Then each may be filled by another thread.
void rl_head_plan(const rl_head_fill *fill);
void rl_head_group(const rl_head_fill *fill, int group);

// Fills rl_bodies.level in the boxes of blocking bodies, and where they were when the water was
// last told of them, and a cell around.
void rl_head_levels(const rl_head_fill *fill, rl_jobs *jobs);

// What the cells of row j are read from, counted from cell i on; [from, end) of them are asked for.
static inline rl_box_row rl_head_row(const rl_head_fill *fill, int j, int i, int from, int end)
{
    const rl_blocks *set = fill->set;
    const size_t slot = (size_t)j * fill->columns->pitch + (size_t)i;
    rl_box_row row = {.from = from,
                      .end = end,
                      .bed = fill->columns->base + slot,
                      .depth = fill->columns->depth + slot};
    if (set != NULL && set->first[j] < i + end && set->end[j] > i + from) {
        row.bed = rill_field_row(fill->raster->bed, j) + i;
        row.floor = rill_field_row(&set->floor, j) + i;
        row.lower = rill_field_row(&set->lower, j) + i;
        row.upper = rill_field_row(&set->upper, j) + i;
    }
    return row;
}

// The same as rl_head_group for a group that is small and simple (head_small.c); returns false,
// with nothing written, for any other.
bool rl_head_small(const rl_head_fill *fill, const int *members, int count);
