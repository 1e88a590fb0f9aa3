// SPDX-License-Identifier: MIT
// block_water.h - for tests of bodies that block: a water that stands still unless bodies push it
// away. It holds its depths in doubles and knows what is blocked; and some bodies to put into it.
#pragma once

#include "bodies/blocking/body_raster.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/worlds.h"

#include <math.h>
#include <stdio.h>

typedef struct block_water {
    int nx, ny;
    float cell_size;
    rill_field bed, base, depth;
    double *held;           // depths, metres
    const rl_blocks *known; // as told; NULL: nothing is blocked
    int tells, nulls;       // calls of block, and how many of them said that nothing is
    int parts;              // that it gave way to, where one thread does it all
    bool many;              // threads
    uint64_t spans;         // of deposits: a number that changes with the cells of any of them
    rl_bodies *bodies;
    rl_jobs *jobs;
} block_water;

static inline rl_block block_water_at(const block_water *w, const rl_blocks *set, int i, int j)
{
    return rl_blocks_at(set, i, j, rill_field_row(&w->bed, j)[i]);
}

// Depth and base of a cell as they are seen: together they reach to the level of 003 Eq. 5.
static inline void block_water_show(block_water *w, int i, int j)
{
    const float depth = (float)w->held[j * w->nx + i];
    const rl_block block = block_water_at(w, w->known, i, j);
    const rl_block_water seen = rl_block_divide(block, depth);
    rill_field_row(&w->depth, j)[i] = depth;
    rill_field_row(&w->base, j)[i] = seen.above > 0.0f ? seen.level - depth : block.floor;
}

static inline double block_water_deposit(void *self, const rl_deposit *d)
{
    block_water *w = self;
    double sum = 0.0;
    assert_true(d->row >= 0 && d->row < w->ny && d->first >= 0 && d->first + d->count <= w->nx);
    for (int n = 0; n < d->count; n++) {
        double *held = &w->held[d->row * w->nx + d->first + n];
        const double before = *held;
        *held = fmax(before + (double)d->depth[n], 0.0);
        sum += *held - before;
        block_water_show(w, d->first + n, d->row);
    }
    if (!w->many)
        w->spans += rl_random_bits((uint64_t)d->row, (uint64_t)d->first, (uint64_t)d->count);
    return sum * (double)w->cell_size * (double)w->cell_size;
}

static inline double overlap(double low, double high, double from, double to)
{
    return fmax(fmin(high, to) - fmax(low, from), 0.0);
}

static inline void block_water_show_all(block_water *w)
{
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++)
            block_water_show(w, i, j);
}

static inline void block_water_block(void *self, KIT_UNUSED rl_jobs *jobs, const rl_blocks *now)
{
    block_water *w = self;
    w->tells++;
    w->nulls += now == NULL;
    w->known = now;
    block_water_show_all(w);
}

// 003 section 4.2: the level stays when the old body goes, and the new one displaces its part.
static inline bool block_water_give_way(void *self, const rl_blocks_part *part, double *owed)
{
    block_water *w = self;
    const int j = part->row;
    bool differs = false;
    assert_non_null(w->known);
    if (!w->many)
        w->parts++;
    for (int n = 0; n < part->lines * RL_BLOCKS_LINE && part->first + n < w->nx; n++) {
        const int i = part->first + n;
        const rl_block a = block_water_at(w, w->known, i, j);
        const rl_block b = {part->floor[n], part->lower[n], part->upper[n]};
        double *held = &w->held[j * w->nx + i];
        if (memcmp(&a, &b, sizeof a) == 0)
            continue;
        const double before = *held, bed = (double)rill_field_row(&w->bed, j)[i];
        const rl_block_water old = rl_block_divide(a, (float)before);
        *held += before > 0.0 ? (double)a.floor - bed : 0.0;
        *held += old.above > 0.0f ? (double)a.upper - (double)a.lower : 0.0;
        const double top = bed + *held;
        *held -= overlap(bed, (double)b.floor, bed, top);
        *held -= overlap((double)b.lower, (double)b.upper, bed, top);
        *held = fmax(*held, 0.0);
        owed[j * w->nx + i] += before - *held;
        differs = true;
    }
    return differs;
}

static const rl_blocking_ops block_water_blocking = {.block = block_water_block,
                                                     .give_way = block_water_give_way};
static const rl_solver_ops block_water_ops = {
    .name = "still", .deposit = block_water_deposit, .blocking = &block_water_blocking};

// Still water up to `level` over a bed of ups and downs (0: flat, at 0).
static inline block_water *block_water_create(int nx, int ny, float cell_size, float level,
                                              double roughness, int workers)
{
    block_water *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->nx = nx;
    w->ny = ny;
    w->cell_size = cell_size;
    w->many = workers > 1;
    assert_true(rill_field_create(NULL, nx, ny, 2, &w->bed));
    assert_true(rill_field_create(NULL, nx, ny, 2, &w->base));
    assert_true(rill_field_create(NULL, nx, ny, 2, &w->depth));
    w->held = calloc((size_t)nx * (size_t)ny, sizeof *w->held);
    assert_non_null(w->held);
    rill_field_fill(&w->bed, 100.0f);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double bed = roughness * (sin(0.7 * i) * sin(0.4 * j) + 0.3 * sin(2.1 * i * j));
            rill_field_row(&w->bed, j)[i] = (float)bed;
            w->held[j * nx + i] = fmax((double)level - (double)(float)bed, 0.0);
            block_water_show(w, i, j);
        }
    rill_world_def def = grid_def(nx, ny, (double)cell_size);
    def.bodies.max_bodies = 64;
    def.bodies.max_vertices = 8000;
    def.bodies.max_triangles = 16000;
    assert_ok(rl_bodies_create(&def, true, &w->bodies));
    assert_ok(rl_jobs_create(NULL, workers, &w->jobs));
    return w;
}

static inline void block_water_destroy(block_water **at)
{
    block_water *w = *at;
    rl_bodies_destroy(&w->bodies);
    rl_jobs_destroy(&w->jobs);
    rill_field_destroy(NULL, &w->bed);
    rill_field_destroy(NULL, &w->base);
    rill_field_destroy(NULL, &w->depth);
    free(w->held);
    free(w);
}

static inline rl_body_water block_water_view(block_water *w, double dt)
{
    const rill_columns columns = {.nx = w->nx,
                                  .ny = w->ny,
                                  .layers = 1,
                                  .pitch = w->bed.pitch,
                                  .cell_size = w->cell_size,
                                  .wet_depth = 1e-4f,
                                  .base = w->base.origin,
                                  .depth = w->depth.origin};
    return (rl_body_water){&block_water_ops, w, w->jobs, columns, 0.0, dt, 0};
}

// Levels that bodies feel, as rl_bodies_feel finds them before the forces.
static inline void block_water_head(block_water *w)
{
    const rl_body_water view = block_water_view(w, 1.0 / 60.0);
    const rl_head_fill fill = rl_head_fill_of(w->bodies, &view);
    rl_head_levels(&fill, w->jobs);
}

static inline void block_water_tell(block_water *w)
{
    const rl_body_water view = block_water_view(w, 1.0 / 60.0);
    rl_bodies_block(w->bodies, &view, &w->bed);
    block_water_show_all(w);
    // The extents must hold all displaced volume.
    const rl_bodies *b = w->bodies;
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++)
            assert_true(b->virtual_volume[j * w->nx + i] == 0.0 ||
                        (i >= b->virtual_first[j] && i < b->virtual_end[j]));
}

// Water and displaced volume, m^3.
static inline double block_water_all(const block_water *w)
{
    rl_sum sum = {0};
    for (int n = 0; n < w->nx * w->ny; n++)
        rl_sum_add(&sum, w->held[n]);
    return rl_sum_value(&sum) * (double)w->cell_size * (double)w->cell_size +
           rl_bodies_displaced(w->bodies);
}

// A box that blocks, turned by `angle` radians about the axis; returns its place.
static inline int add_block(block_water *w, const double position[3], const double size[3],
                            const double axis[3], double angle)
{
    rill_body_def def = rill_default_body_def();
    def.coupling = RILL_COUPLING_BLOCK;
    def.motion = RILL_BODY_HOST;
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int k = 0; k < 3; k++) {
        def.position[k] = position[k];
        def.size[k] = size[k];
        def.rotation[k] = sin(0.5 * angle) * axis[k] / length;
    }
    def.rotation[3] = cos(0.5 * angle);
    rill_body_id id;
    assert_ok(rl_bodies_add(w->bodies, &def, &id));
    return rl_bodies_find(w->bodies, id);
}

static inline int add_upright(block_water *w, double x, double y, double z, double sx, double sy,
                              double sz)
{
    return add_block(w, (double[3]){x, y, z}, (double[3]){sx, sy, sz}, (double[3]){0, 0, 1}, 0.0);
}

static inline void move_body(block_water *w, int n, double x, double y, double z)
{
    rl_body *body = &w->bodies->items[n];
    set3(body->position, x, y, z);
    rl_body_pose(w->bodies, n);
}

// In [low, high), from a counter.
static inline double chance(uint64_t *luck, double low, double high)
{
    return low + (high - low) * (double)rl_random_unit(11, 3, (*luck)++);
}
