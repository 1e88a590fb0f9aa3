// SPDX-License-Identifier: MIT
// pipes.h - the state of the pipes solver, shared by the files of this module.
#pragma once

#include "solvers/pipes/pipes_rows.h"
#include "solvers/shared/grid_solver.h"
#include "solvers/shared/pipe_rules_inline.h"
#include "solvers/solver.h"

// A band of rows is the unit of work of a sweep. While one band is swept in place, its neighbours
// may already be a step ahead, so each band reads the rows beyond its ends from private copies:
//
//     south: rows y0-2 and y0-1 of depth, y0-1 of qx, y0-3, y0-2 and y0-1 of qy
//     north: rows y1 and y1+1 of depth, y1 of qx, y1 and y1+1 of qy
//
// There are two sets: a sweep reads one, and leaves the new rows in the other when it is done. Who
// changes a row in between changes its copy, too.
typedef struct rl_pipes_halo {
    float *depth_south[2], *qx_south, *qy_south[3];
    float *depth_north[2], *qx_north, *qy_north[2];
} rl_pipes_halo;

#define RL_PIPES_HALO_ROWS 11

// Rows a band needs for itself while it is swept.
typedef struct rl_pipes_scratch {
    float *limiter[2];     // outflow limiters of the last two rows, and
    float *qy[2];          // their new discharges north: the old ones are still needed
    float *qx;             // new discharges east of a neighbour's row
    float *qy_below;       // discharges south of the band, and
    float *qy_below_south; // of the row below that
    // Of the last two rows, where bodies hang: the parts of the discharges that pass below them,
    // and what cells let in.
    float *under_x[2], *under_y[2];
    rl_pipes_inflow_limiter_row inflow[2];
    rl_pipes_places places[2]; // where such faces are
    bool limited[2];           // some are to be limited to what their cells let in
    float *kept;               // of the old discharges east of the last row
    rl_pipes_hung hung[3];     // the last two rows and the next
    int *lines;                // of that one
} rl_pipes_scratch;

#define RL_PIPES_SCRATCH_ROWS 28
#define RL_PIPES_COMMON_ROWS  3 // ones, no_lower, no_upper

typedef struct rl_pipes_band {
    int y0, y1; // rows [y0, y1)
    rl_pipes_halo halo[2];
    rl_pipes_scratch scratch;
    float max_depth;   // after the last sweep, metres
    rl_exchange moved; // across the borders in the last sweep, as discharge times cells, m^2/s
} rl_pipes_band;

typedef struct rl_pipes {
    rl_owned own;
    int nx, ny;
    double cell_size;
    float wet_depth;
    rl_pipe_rules rules;
    rill_border border[RILL_SIDE_COUNT];
    float border_level[RILL_SIDE_COUNT];
    const rl_pipes_rows *rows;

    // Cells: bed, depth, remainder (rl_pipe_fill). Faces: qx east of a cell, so that column -1
    // holds the western border; qy north of it, row -1 holds the southern border.
    rill_field bed, depth, remainder, qx, qy;
    rill_field velocity_x, velocity_y; // made when columns are asked for

    // What bodies block, or NULL (pipes_blocks.c). `base` is what columns show then in place of the
    // bed: made when they are asked for.
    const rl_blocks *blocks;
    rill_field base; // empty in a world without bodies
    // Lines of RL_PIPES_LINE cells in which something is blocked, from row -1 to row ny, and those
    // of `base` that may differ from the bed: line_pitch flags to a row.
    unsigned char *lines, *based;
    size_t line_pitch, lines_bytes;
    bool base_stale; // the bed has changed

    rl_pipes_band *bands;
    int band_count;
    rl_band_rows rows_of_bands; // halos and scratch of all bands
    float *ones;                // a row of limiters of 1
    float *no_lower, *no_upper; // rows of a blocks set with nothing in them
    int parity;                 // halo set that the next sweep reads
    bool halos_stale; // the state was changed from outside, and not by deposits and blocks alone

    float *running_max; // per row (grid_solver.h)
    double *row_sums;   // per row: for sums in a fixed order
    rl_pipe_coef k;     // of the step being taken
    float max_depth; // after the last step, metres; part of the state: the next step depends on it
} rl_pipes;

extern const rl_solver_ops rl_pipes_ops;

// Borders that a side can have.
#define RL_PIPES_BORDERS                                                  \
    (RL_BORDER_BIT(RILL_BORDER_WALL) | RL_BORDER_BIT(RILL_BORDER_DRAIN) | \
     RL_BORDER_BIT(RILL_BORDER_LEVEL))

// Sweeps (pipes_step.c).
void rl_pipes_lay_bands(rl_pipes *s);
void rl_pipes_sweep(rl_pipes *s, rl_jobs *jobs);

// Tell the bands beside row y that the depths of some of its cells have changed, and that the
// discharges on all sides of them have. Rows may be told of at the same time.
void rl_pipes_depth_changed(rl_pipes *s, int y, int first, int count);
void rl_pipes_flow_changed(rl_pipes *s, int y, int first, int count);

// Reading (pipes_columns.c): the columns of rl_solver_ops.
rill_columns rl_pipes_columns(void *self, rl_jobs *jobs, const rl_columns_request *request);

// Bodies that block (pipes_blocks.c): the functions of rl_blocking_ops, and what a sweep does
// more for row y if something hangs in it or in the next one. Some rows before: brings what it
// will need into the cache. Before its faces are made: finds out which are beside bodies. After:
// makes those anew (without row->qx_out only those north), and finds out what its cells let in.
// Before it is filled: limits its faces to that.
rl_pipes_block_row rl_pipes_block_row_of(const rl_pipes *s, int y, const float *depth);
void rl_pipes_block(void *self, rl_jobs *jobs, const rl_blocks *now);
bool rl_pipes_give_way(void *self, const rl_blocks_part *now, double *displaced);
void rl_pipes_prefetch_rows(const rl_pipes *s, int y);
void rl_pipes_find_beside(const rl_pipes *s, int y, const float *qx, rl_pipes_scratch *scratch);
void rl_pipes_flow_blocked(const rl_pipes *s, int y, const rl_pipes_flow_row *row,
                           rl_pipes_scratch *scratch);
void rl_pipes_limit_inflow(const rl_pipes *s, int y, float *qx, float *qy,
                           rl_pipes_scratch *scratch);

// Is something blocked in row y, and does something hang in it? Ghost rows have nothing.
static inline bool rl_pipes_is_blocked(const rl_pipes *s, int y)
{
    return s->blocks != NULL && y >= 0 && y < s->ny && s->blocks->first[y] < s->blocks->end[y];
}

static inline bool rl_pipes_hangs(const rl_pipes *s, int y)
{
    return s->blocks != NULL && y >= 0 && y < s->ny && s->blocks->hangs[y];
}

static inline bool rl_pipes_hangs_beside(const rl_pipes *s, int y)
{
    return rl_pipes_hangs(s, y) || rl_pipes_hangs(s, y + 1);
}

// What water of row y stands on, may be a ghost row.
static inline const float *rl_pipes_floor(const rl_pipes *s, int y)
{
    return rill_field_row(rl_pipes_is_blocked(s, y) ? &s->blocks->floor : &s->bed, y);
}

// Flags of the lines of row y, may be a ghost row.
static inline unsigned char *rl_pipes_lines(const rl_pipes *s, int y)
{
    return s->lines + (size_t)(y + 1) * s->line_pitch;
}

// Words of bits that are enough for the cells of a row and one more.
static inline size_t rl_pipes_words(const rl_pipes *s)
{
    return s->line_pitch * RL_PIPES_LINE / 64 + 1;
}

// Cells [first, end) of a row.
typedef struct rl_pipes_run {
    int first, end;
} rl_pipes_run;

// The next run of lines of which one of two rows has something, from run->end on; false where there
// is none. Both rows may be the same.
bool rl_pipes_next_run(const rl_pipes *s, const unsigned char *a, const unsigned char *b,
                       rl_pipes_run *run);

// Borders (pipes.c).

static inline bool rl_pipes_is_open(const rl_pipes *s, rill_side side)
{
    return s->border[side] != RILL_BORDER_WALL;
}
// The ghost cell beyond cell n of a side, counted from the west or south.
rl_ghost rl_pipes_ghost(const rl_pipes *s, rill_side side, int n);
void rl_pipes_set_ghosts(rl_pipes *s);

// Whether every halo holds the rows that it copies (pipes_step.c).
bool rl_pipes_halos_are_right(const rl_pipes *s);
