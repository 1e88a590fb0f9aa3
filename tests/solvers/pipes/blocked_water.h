// SPDX-License-Identifier: MIT
// blocked_water.h - for tests of a water that bodies block: a basin of the pipes water, driven
// through its table of functions, with sets of blocks made by hand.
#pragma once

#include "core/cpu.h"
#include "core/numbers.h"
#include "solvers/pipes/pipes.h"
#include "tests/kit/worlds.h"

typedef struct blocked_water {
    rill_world_def def;
    int nx, ny;
    float *bed, *depth; // at the start
    void *water;
    rl_jobs *jobs;
    rl_blocks sets[2];
    int now;   // set that the water has; the other one is to be drawn in
    bool told; // the water knows of it
    double *owed;
    rl_exchange moved; // across the borders so far
} blocked_water;

static inline size_t blocked_cells(const blocked_water *w)
{
    return (size_t)w->nx * (size_t)w->ny;
}

// Draws nothing: the set that the water does not have becomes empty, with the ground of now.
static inline rl_blocks *blocked_clear(blocked_water *w)
{
    rl_blocks *set = &w->sets[!w->now];
    const rill_field *bed = rl_pipes_ops.bed(w->water);
    rill_field_fill(&set->lower, RL_BLOCK_NO_LOWER);
    rill_field_fill(&set->upper, RL_BLOCK_NO_UPPER);
    for (int j = 0; j < w->ny; j++) {
        memcpy(rill_field_row(&set->floor, j) - RILL_MARGIN_X,
               rill_field_row(bed, j) - RILL_MARGIN_X, bed->pitch * sizeof(float));
        set->first[j] = w->nx;
        set->end[j] = 0;
        set->hangs[j] = false;
    }
    return set;
}

// A basin with walls on all sides, flat and dry. Change w->def, w->bed and w->depth, then open it.
static inline void blocked_plan(blocked_water *w, int nx, int ny, float cell_size)
{
    *w = (blocked_water){.nx = nx, .ny = ny};
    w->def = grid_def(nx, ny, (double)cell_size);
    w->def.wet_depth = 1e-4f * cell_size;
    w->def.bodies.max_bodies = 1;
    w->bed = calloc(blocked_cells(w), sizeof *w->bed);
    w->depth = calloc(blocked_cells(w), sizeof *w->depth);
    w->owed = calloc(blocked_cells(w), sizeof *w->owed);
    set_ground(&w->def, w->bed, w->depth);
}

static inline bool blocked_open(blocked_water *w, rl_isa isa, int workers)
{
    const rill_host host = {0};
    if (rl_jobs_create(&host, workers, &w->jobs) != RILL_OK ||
        rl_pipes_ops.create(&w->def, isa, &w->water) != RILL_OK)
        return false;
    for (int n = 0; n < 2; n++) {
        rl_blocks *set = &w->sets[n];
        set->first = calloc((size_t)w->ny, sizeof *set->first);
        set->end = calloc((size_t)w->ny, sizeof *set->end);
        set->hangs = calloc((size_t)w->ny, sizeof *set->hangs);
        if (!rill_field_create(NULL, w->nx, w->ny, 2, &set->floor) ||
            !rill_field_create(NULL, w->nx, w->ny, 2, &set->lower) ||
            !rill_field_create(NULL, w->nx, w->ny, 2, &set->upper))
            return false;
    }
    w->now = 1;
    blocked_clear(w);
    return true;
}

static inline void blocked_water_destroy(blocked_water *w)
{
    rl_pipes_ops.destroy(NULL, &w->water);
    rl_jobs_destroy(&w->jobs);
    for (int n = 0; n < 2; n++) {
        rl_blocks *set = &w->sets[n];
        rill_field_destroy(NULL, &set->floor);
        rill_field_destroy(NULL, &set->lower);
        rill_field_destroy(NULL, &set->upper);
        free(set->first);
        free(set->end);
        free(set->hangs);
    }
    free(w->bed);
    free(w->depth);
    free(w->owed);
}

static inline void blocked_grow_row(rl_blocks *set, int j, int i0, int i1)
{
    set->first[j] = i0 < set->first[j] ? i0 : set->first[j];
    set->end[j] = i1 > set->end[j] ? i1 : set->end[j];
}

// Draws something up to `top` that rests on the ground of the cells of a box.
static inline void blocked_rest(blocked_water *w, rl_box box, float top)
{
    rl_blocks *set = &w->sets[!w->now];
    for (int j = box.j0; j < box.j1; j++) {
        blocked_grow_row(set, j, box.i0, box.i1);
        float *floor = rill_field_row(&set->floor, j), *lower = rill_field_row(&set->lower, j);
        for (int i = box.i0; i < box.i1; i++) {
            floor[i] = top > floor[i] ? top : floor[i];
            if (lower[i] <= floor[i]) { // what hung there is in the way
                lower[i] = RL_BLOCK_NO_LOWER;
                rill_field_row(&set->upper, j)[i] = RL_BLOCK_NO_UPPER;
            }
        }
    }
}

// Draws something that hangs there, above the floor drawn so far; it goes where there is room.
static inline void blocked_hang(blocked_water *w, rl_box box, float lower, float upper)
{
    rl_blocks *set = &w->sets[!w->now];
    for (int j = box.j0; j < box.j1; j++) {
        blocked_grow_row(set, j, box.i0, box.i1);
        for (int i = box.i0; i < box.i1; i++) {
            if (!(lower > rill_field_row(&set->floor, j)[i]))
                continue;
            set->hangs[j] = true;
            rill_field_row(&set->lower, j)[i] = lower;
            rill_field_row(&set->upper, j)[i] = upper;
        }
    }
}

// Lines from cell `first` of row j on, as they are drawn.
static inline rl_blocks_part blocked_part(const blocked_water *w, int j, int first)
{
    const rl_blocks *set = &w->sets[!w->now];
    const float *bed = rill_field_row(rl_pipes_ops.bed(w->water), j);
    rl_blocks_part part = {.row = j, .first = first};
    for (; part.lines < RL_BLOCKS_PART_LINES && first < w->nx; part.lines++)
        for (int n = 0; n < RL_BLOCKS_LINE; n++, first++) {
            const int at = part.lines * RL_BLOCKS_LINE + n;
            part.floor[at] = rill_field_row(&set->floor, j)[first];
            part.lower[at] = rill_field_row(&set->lower, j)[first];
            part.upper[at] = rill_field_row(&set->upper, j)[first];
            if (part.floor[at] != bed[first] || part.lower[at] < RL_BLOCK_NO_LOWER)
                part.blocked[part.lines] = 1;
        }
    return part;
}

// What is drawn in row j takes the place of what the water has there.
static inline void blocked_change_row(blocked_water *w, int j)
{
    const rl_blocks *from = &w->sets[!w->now], *to = &w->sets[w->now];
    const size_t bytes = from->floor.pitch * sizeof(float);
    memcpy(rill_field_row(&to->floor, j) - RILL_MARGIN_X,
           rill_field_row(&from->floor, j) - RILL_MARGIN_X, bytes);
    memcpy(rill_field_row(&to->lower, j) - RILL_MARGIN_X,
           rill_field_row(&from->lower, j) - RILL_MARGIN_X, bytes);
    memcpy(rill_field_row(&to->upper, j) - RILL_MARGIN_X,
           rill_field_row(&from->upper, j) - RILL_MARGIN_X, bytes);
    to->first[j] = from->first[j];
    to->end[j] = from->end[j];
    to->hangs[j] = from->hangs[j];
}

static inline void blocked_give_way(void *context, int j)
{
    blocked_water *w = context;
    for (int first = 0; first < w->nx; first += RL_BLOCKS_PART) {
        const rl_blocks_part part = blocked_part(w, j, first);
        rl_pipes_ops.blocking->give_way(w->water, &part, w->owed);
    }
    blocked_change_row(w, j);
}

// Gives what is drawn to the water; with `moves` it gives way.
static inline void blocked_give(blocked_water *w, bool moves)
{
    if (!w->told)
        rl_pipes_ops.blocking->block(w->water, w->jobs, &w->sets[w->now]);
    w->told = true;
    if (moves) {
        rl_jobs_run(w->jobs, w->ny, blocked_give_way, w);
        return;
    }
    for (int j = 0; j < w->ny; j++)
        blocked_change_row(w, j);
    rl_pipes_ops.blocking->block(w->water, w->jobs, &w->sets[w->now]);
}

// Takes a step as long as is stable, but no longer than `longest`; returns its length, seconds.
static inline double blocked_step(blocked_water *w, double longest)
{
    const double stable = rl_pipes_ops.stable_step(w->water);
    const double dt = stable < longest ? stable : longest;
    rl_pipes_ops.step(w->water, w->jobs, dt, &w->moved);
    return dt;
}

static inline rl_block blocked_cell(const blocked_water *w, int i, int j)
{
    return rl_blocks_at(&w->sets[w->now], i, j, w->bed[(size_t)j * (size_t)w->nx + (size_t)i]);
}

static inline rill_columns blocked_columns(blocked_water *w)
{
    return rl_pipes_ops.columns(w->water, w->jobs, NULL);
}

static inline float blocked_depth(const rill_columns *c, int i, int j)
{
    return c->depth[(size_t)j * c->pitch + (size_t)i];
}

static inline float blocked_level(const rill_columns *c, int i, int j)
{
    const size_t k = (size_t)j * c->pitch + (size_t)i;
    return c->base[k] + c->depth[k];
}

static inline double blocked_fastest(blocked_water *w)
{
    double largest = 0.0;
    const rill_columns c = blocked_columns(w);
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t k = (size_t)j * c.pitch + (size_t)i;
            largest = fmax(largest, hypot((double)c.velocity_x[k], (double)c.velocity_y[k]));
        }
    return largest;
}

// Volume of the water and of what is owed, m^3.
static inline double blocked_volume(const blocked_water *w)
{
    double owed = 0.0;
    for (size_t n = 0; n < blocked_cells(w); n++)
        owed += w->owed[n];
    const double dx = (double)w->def.cell_size;
    return rl_pipes_ops.volume(w->water, w->jobs) + owed * dx * dx;
}

// Bits of the state of two waters alike?
static inline bool blocked_same_state(blocked_water *a, blocked_water *b)
{
    rill_state_array x[RL_MAX_STATE_ARRAYS], y[RL_MAX_STATE_ARRAYS];
    const int count = rl_pipes_ops.state(a->water, x);
    if (rl_pipes_ops.state(b->water, y) != count)
        return false;
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < x[n].rows; row++)
            if (memcmp(x[n].data + row * x[n].pitch, y[n].data + row * y[n].pitch,
                       x[n].width * sizeof(float)) != 0)
                return false;
    return true;
}
