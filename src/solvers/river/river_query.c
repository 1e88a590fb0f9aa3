// SPDX-License-Identifier: MIT
// river_query.c - what the world does to a river besides steps: it gives water to it, changes its
// ground, moves the viewer, reads it, and saves its state.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

// ---- Deposits --------------------------------------------------------------------------

// Adds momentum per unit density, half of it to each of the two faces across the cell that the
// solver works on.
static void push_faces(rl_river *r, int i, int j, float momentum_x, float momentum_y)
{
    RL_ASSERT(i >= 0 && i < r->nx && j >= 0 && j < r->ny);
    const int k = rl_river_level_at(r, 0, i, j);
    const rl_river_level *level = &r->levels[k];
    const int a = i >> k, b = j >> k;
    const float depth = rill_field_row(&r->depth, j)[i];
    const float volume = depth * level->cell_size * level->cell_size;
    for (int n = 0; n < 4; n++) {
        const int x = a + (n == 1), y = b + (n == 3);
        if (!(rill_field_row(n < 2 ? &level->open_x : &level->open_y, y)[x] > 0.0f))
            continue;
        float *face = rl_river_face(r, k, n / 2, x, y);
        *face += 0.5f * (n < 2 ? momentum_x : momentum_y) / volume;
        r->fastest = fmaxf(r->fastest, fabsf(*face) / level->cell_size);
    }
    r->velocities_fresh = false;
}

double rl_river_deposit(void *self, const rl_deposit *deposit)
{
    rl_river *r = self;
    RL_ASSERT(deposit->first >= 0 && deposit->first + deposit->count <= r->nx);
    RL_ASSERT(deposit->layer == 0 && deposit->row >= 0 && deposit->row < r->ny);
    const double area = (double)r->cell_size * (double)r->cell_size;
    const float *held = rill_field_row(&r->depth, deposit->row) + deposit->first;
    double given = 0.0;
    for (int n = 0; n < deposit->count; n++) {
        if (!(held[n] > 0.0f))
            continue; // the river does not leave its bed
        given += (double)fmaxf(deposit->depth[n], -held[n]);
        if (deposit->momentum_x != NULL && deposit->momentum_y != NULL)
            push_faces(r, deposit->first + n, deposit->row, deposit->momentum_x[n],
                       deposit->momentum_y[n]);
    }
    r->passed_rows[deposit->row] += given * area;
    return given * area;
}

// ---- Ground ----------------------------------------------------------------------------

// The highest water beside a dry cell, or RL_RIVER_DRY.
static float level_beside(const rl_river *r, int i, int j)
{
    float level = RL_RIVER_DRY;
    for (int n = 0; n < 4; n++) {
        const int a = i + (n == 0) - (n == 1), b = j + (n == 2) - (n == 3);
        if (a >= 0 && a < r->nx && b >= 0 && b < r->ny)
            level = fmaxf(level, rill_field_row(&r->surface, b)[a]);
    }
    return level;
}

static bool flood(rl_river *r, int i, int j)
{
    float *surface = &rill_field_row(&r->surface, j)[i];
    if (*surface > RL_RIVER_DRY)
        return false;
    const float level = level_beside(r, i, j);
    if (!(level - rill_field_row(&r->bed, j)[i] > r->wet_depth))
        return false;
    *surface = level;
    return true;
}

// Water goes down into ground that was lowered beside it, sweep by sweep; a straight or gently
// winding ditch takes one.
static void flood_lowered(rl_river *r)
{
    bool some = true;
    for (int sweep = 0; some && sweep < r->nx + r->ny; sweep++) {
        some = false;
        for (int j = 0; j < r->ny; j++)
            for (int i = 0; i < r->nx; i++)
                some = flood(r, i, j) || some;
        for (int j = r->ny - 1; some && j >= 0; j--)
            for (int i = r->nx - 1; i >= 0; i--)
                flood(r, i, j);
    }
}

// Books the water of all rows, times `factor`, as given: what ground that rises takes the place of
// leaves with the river, and what fills a hollow comes with it.
static void book_rows(rl_river *r, double factor)
{
    const double area = (double)r->cell_size * (double)r->cell_size;
    for (int j = 0; j < r->ny; j++)
        r->passed_rows[j] += factor * rl_river_row_depth(r, j) * area;
}

// After surface, bed or obstacles have changed: everything that follows from them.
static void follow(rl_river *r)
{
    rl_river_levels_rebuild(r);
    if (r->columns != NULL) {
        rl_river_columns_rebuild(r, NULL);
        rl_river_levels_rebuild(r);
    }
    rl_river_targets(r); // of ground that has become wet, too
    rl_river_levels_merge_hints(r);
    r->velocities_fresh = false;
}

void rl_river_bed_changed(void *self)
{
    rl_river *r = self;
    book_rows(r, 1.0);
    for (int j = 0; j < r->ny; j++) {
        const float *bed = rill_field_row(&r->bed, j);
        float *surface = rill_field_row(&r->surface, j);
        for (int i = 0; i < r->nx; i++)
            if (!(surface[i] - bed[i] > r->wet_depth))
                surface[i] = RL_RIVER_DRY;
    }
    flood_lowered(r);
    follow(r);
    book_rows(r, -1.0);
}

bool rl_river_close(void *self, double x, double y, double radius, bool closed)
{
    rl_river *r = self;
    RL_ASSERT(radius >= 0.0);
    bool some = false;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            float *obstacle = &rill_field_row(&r->obstacle, j)[i];
            if (!rl_river_within(r, i, j, x, y, radius) ||
                !(rill_field_row(&r->depth, j)[i] > 0.0f) || (*obstacle > 0.0f) == closed)
                continue;
            *obstacle = closed ? 1.0f : 0.0f;
            some = true;
        }
    if (some)
        follow(r);
    return some;
}

// ---- Viewer ----------------------------------------------------------------------------

// Makes the detail that the viewer asks for, or, without `wanted`, the finest everywhere.
static void set_detail(rl_river *r, bool wanted)
{
    const double size = (double)r->cell_size;
    const double in_cells[3] = {r->viewer[0] / size, r->viewer[1] / size, r->viewer[2] / size};
    rl_quadtree_get(r->detail, in_cells, wanted ? (double)r->def.detail_distance / size : 0.0);
}

void rl_river_set_viewer(void *self, const double viewer[3])
{
    rl_river *r = self;
    memmove(r->viewer, viewer, sizeof r->viewer);
    if (r->def.detail_solver || r->coarsest_work > 0) {
        set_detail(r, r->def.detail_solver);
        rl_river_levels_regroup(r);
    }
    if (!r->def.detail_solver)
        set_detail(r, r->def.detail_waves);
}

// ---- Reading ---------------------------------------------------------------------------

rill_river_state rl_river_read(void *self, rl_jobs *jobs)
{
    rl_river *r = self;
    rill_river_state state = {
        .cells = r->levels[0].all.cells,
        .mean_speed = r->mean_speed,
        .divergence = r->divergence,
        .iterations = r->iterations,
        .length = r->path != NULL ? r->path->found.length : 0.0,
        .bootstrapped = r->bootstrapped,
        .cached = r->cached,
        .reversed = rl_river_count_reversed(r, jobs),
    };
    for (int k = 0; k < r->level_count; k++)
        state.merged += r->levels[k].work.cells;
    return state;
}

// ---- State -----------------------------------------------------------------------------

static void save_numbers(rl_river *r)
{
    const double numbers[] = {r->gain,
                              r->mean_speed,
                              r->divergence,
                              r->bootstrapped,
                              r->viewer[0],
                              r->viewer[1],
                              r->viewer[2],
                              (double)r->fastest,
                              r->spring_flow,
                              r->iterations,
                              (double)(r->steps >> 32),
                              (double)(r->steps & 0xffffffffu)};
    memcpy(r->saved, numbers, sizeof numbers);
}

static void take_numbers(rl_river *r)
{
    const double *n = r->saved;
    r->gain = n[0];
    r->mean_speed = n[1];
    r->divergence = n[2];
    r->bootstrapped = n[3];
    memcpy(r->viewer, n + 4, sizeof r->viewer);
    r->fastest = (float)n[7];
    r->spring_flow = n[8];
    r->iterations = (int)n[9];
    r->steps = (uint64_t)n[10] << 32 | (uint64_t)n[11];
}

// A block holds a quantity on all levels; without detail level 0 is all there is.
static rill_state_array block_of(const rl_river *r, const char *name, const rill_field *block,
                                 size_t width, size_t rows)
{
    if (r->def.detail_solver)
        return (rill_state_array){name, block->origin, block->pitch, (size_t)block->nx,
                                  (size_t)block->ny};
    return (rill_state_array){name, block->origin, block->pitch, width, rows};
}

int rl_river_state_arrays(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_river *r = self;
    const size_t nx = (size_t)r->nx, ny = (size_t)r->ny, pitch = r->bed.pitch;
    const rl_river_level *level = &r->levels[0];
    const size_t block_pitch = level->hint_x.pitch;
    save_numbers(r);
    if (r->coarsest_work > 0)
        rl_river_levels_clean(r);
    int n = 0;
    arrays[n++] = (rill_state_array){"bed", r->bed.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"surface", r->surface.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"depth", r->depth.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"obstacle", r->obstacle.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"dye", r->dye.origin, pitch, nx, ny};
    arrays[n++] = block_of(r, "u", &r->blocks.u, nx + 1, ny);
    arrays[n++] = block_of(r, "v", &r->blocks.v, nx, ny + 1);
    arrays[n++] = block_of(r, "pressure", &r->blocks.pressure, nx, ny);
    arrays[n++] = (rill_state_array){"hint_x", level->hint_x.origin, block_pitch, nx, ny};
    arrays[n++] = (rill_state_array){"hint_y", level->hint_y.origin, block_pitch, nx, ny};
    arrays[n++] = (rill_state_array){"target", level->target.origin, block_pitch, nx, ny};
    arrays[n++] = (rill_state_array){"conveyance", level->conveyance.origin, block_pitch, nx, ny};
    // Bytes and doubles as floats: they are only copied and hashed.
    const size_t saved = r->saved_bytes / sizeof(float);
    arrays[n++] = (rill_state_array){"kept", (float *)(void *)r->saved, saved, saved, 1};
    RL_ASSERT(n < RL_MAX_STATE_ARRAYS);
    return n + rl_river_columns_state(r, arrays + n);
}

void rl_river_state_changed(void *self)
{
    rl_river *r = self;
    take_numbers(r);
    set_detail(r, r->def.detail_solver || r->def.detail_waves);
    rl_river_levels_restored(r);
    rl_river_levels_fill_rings(r);
}
