// SPDX-License-Identifier: MIT
// river_flow.c - one step of the Navier-Stokes equations on the wet cells (004 section 3.3):
//
//     advect -> diffuse -> impulses -> project
//
// Every pass reads the velocities of the one before and writes the other copy, square by square.
// Where the river crosses the border of the grid its velocity has no gradient.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include <math.h>

// Diffusion is iterated until this part of the error is left, with at most that many sweeps.
#define DIFFUSED    1e-4
#define MOST_MEAN   1.01 // of the asked speed: the mean over the river
#define MOST_SWEEPS 100

typedef struct flow_pass {
    rl_river *r;
    double dt;
    float slip, factor;
    int first;
} flow_pass;

static rl_river_face_rows faces_of(const rl_river_level *level, int square)
{
    const rl_river_squares *s = &level->squares;
    const int column = s->place[square] % s->across, row = s->place[square] / s->across;
    const int left = level->ny + 1 - row * RL_SQUARE;
    const size_t at = (size_t)row * RL_SQUARE * level->u.pitch + (size_t)column * RL_SQUARE;
    return (rl_river_face_rows){
        .rows = left < RL_SQUARE ? left : RL_SQUARE,
        .pitch = level->u.pitch,
        .u = level->u.origin + at,
        .v = level->v.origin + at,
        .known_x = level->full_x.origin + at,
        .known_y = level->full_y.origin + at,
        .u_next = level->u_next.origin + at,
        .v_next = level->v_next.origin + at,
        .u_before = rl_river_packed(s->q, square),
        .v_before = rl_river_packed(s->d, square),
    };
}

static void open_gates(rl_river *r)
{
    for (int n = 0; n < r->gate_count; n++) {
        const rl_river_gate *gate = &r->gates[n];
        const rl_river_level *level = &r->levels[gate->level];
        const rill_field *velocity = gate->axis == 0 ? &level->u : &level->v;
        rill_field_row(velocity, gate->face_j)[gate->face_i] =
            rill_field_row(velocity, gate->inner_j)[gate->inner_i];
    }
}

static void finish(rl_river *r, rl_jobs *jobs)
{
    rl_river_levels_swap(r);
    open_gates(r);
    if (r->ring_count > 0)
        rl_river_levels_fill_rings(r, jobs);
    r->velocities_fresh = false;
}

static void advect_tile(void *context, int tile)
{
    const flow_pass *pass = context;
    const rl_river *r = pass->r;
    const rl_river_tile t = r->tiles[tile];
    const rl_river_level *level = &r->levels[t.level];
    for (int n = t.first; n < t.end; n++) {
        const rl_river_face_rows faces = faces_of(level, level->squares.work.squares[n]);
        r->rows->advect(&faces, (float)(pass->dt / (double)level->cell_size), pass->slip);
    }
}

void rl_river_advect(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(dt > 0.0);
    flow_pass pass = {.r = r, .dt = dt};
    pass.slip = r->def.bank == RILL_RIVER_FREE_SLIP ? 1.0f : -1.0f;
    if (r->ring_count > 0)
        rl_river_levels_fill_rings(r, jobs);
    rl_jobs_run(jobs, r->tile_count, advect_tile, &pass);
    finish(r, jobs);
}

static void diffuse_tile(void *context, int tile)
{
    const flow_pass *pass = context;
    const rl_river *r = pass->r;
    const rl_river_tile t = r->tiles[tile];
    const rl_river_level *level = &r->levels[t.level];
    const double size = (double)level->cell_size;
    const float k = (float)((double)r->def.viscosity * pass->dt / (size * size));
    // A bank where water stands still is half a cell away: its mirror image counts twice.
    const float held = r->def.bank == RILL_RIVER_FREE_SLIP ? 0.0f : 2.0f;
    for (int n = t.first; n < t.end; n++) {
        const rl_river_face_rows faces = faces_of(level, level->squares.work.squares[n]);
        r->rows->diffuse(&faces, k, held, pass->first);
    }
}

void rl_river_diffuse(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(dt > 0.0);
    const double size = (double)r->cell_size, k = (double)r->def.viscosity * dt / (size * size);
    if (!(k > 0.0))
        return;
    // A sweep leaves at most this part of the error (Gershgorin, banks that hold water included).
    const double left = 6.0 * k / (1.0 + 6.0 * k);
    flow_pass pass = {.r = r, .dt = dt, .first = 1};
    double error = 1.0;
    for (int sweep = 0; sweep < MOST_SWEEPS && error > DIFFUSED; sweep++) {
        rl_jobs_run(jobs, r->tile_count, diffuse_tile, &pass);
        finish(r, jobs);
        pass.first = 0;
        error *= left;
    }
}

static void scale_tile(void *context, int tile)
{
    const flow_pass *pass = context;
    const rl_river *r = pass->r;
    const rl_river_tile t = r->tiles[tile];
    const rl_river_level *level = &r->levels[t.level];
    for (int n = t.first; n < t.end; n++) {
        const rl_river_face_rows f = faces_of(level, level->squares.work.squares[n]);
        float *u = level->u.origin + (f.u - level->u.origin);
        float *v = level->v.origin + (f.v - level->v.origin);
        r->rows->scale(u, v, f.pitch, f.rows, pass->factor);
    }
}

void rl_river_scale(rl_river *r, rl_jobs *jobs, double factor)
{
    flow_pass pass = {.r = r, .factor = (float)factor};
    rl_jobs_run(jobs, r->tile_count, scale_tile, &pass);
    r->mean_speed *= factor;
    r->fastest *= (float)factor;
    r->velocities_fresh = false;
}

void rl_river_flow_step(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(dt > 0.0);
    rl_river_advect(r, jobs, dt);
    rl_river_diffuse(r, jobs, dt);
    rl_river_impulse(r, jobs, dt);
    rl_river_project_flow(r, jobs);
    // What drives cells that are too slow may outdo the gain of the impulses, on merged cells above
    // all. All velocities together shrink without a divergence.
    const double most = MOST_MEAN * (double)r->def.speed;
    if (r->mean_speed > most)
        rl_river_scale(r, jobs, most / r->mean_speed);
}
