// SPDX-License-Identifier: MIT
// river_flow.c - one step of the Navier-Stokes equations on the wet cells (Burrell section 3.3):
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

// Every pass ends here: what it wrote becomes the flow.
static void finish(rl_river *r)
{
    rl_river_levels_swap(r);
    for (int n = 0; n < r->gate_count; n++) {
        const rl_river_gate *gate = &r->gates[n];
        *rl_river_face(r, gate->level, gate->axis, gate->face_i, gate->face_j) =
            *rl_river_face(r, gate->level, gate->axis, gate->inner_i, gate->inner_j);
    }
    rl_river_levels_fill_rings(r);
    r->velocities_fresh = false;
}

static void advect_square(rl_river_pass *pass, int k, int square)
{
    const rl_river *r = pass->r;
    const rl_river_dense faces = rl_river_dense_of(&r->levels[k], square);
    const float slip = r->def.bank == RILL_RIVER_FREE_SLIP ? 1.0f : -1.0f;
    r->rows->advect(&faces, (float)(pass->dt / (double)r->levels[k].cell_size), slip);
}

void rl_river_advect(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(dt > 0.0);
    rl_river_levels_fill_rings(r);
    rl_river_run_squares(jobs, &(rl_river_pass){.r = r, .square = advect_square, .dt = dt});
    finish(r);
}

static void diffuse_square(rl_river_pass *pass, int k, int square)
{
    const rl_river *r = pass->r;
    const double size = (double)r->levels[k].cell_size;
    const rl_river_dense faces = rl_river_dense_of(&r->levels[k], square);
    // A bank where water stands is half a cell off: its mirror image counts twice.
    const float held = r->def.bank == RILL_RIVER_FREE_SLIP ? 0.0f : 2.0f;
    r->rows->diffuse(&faces, (float)((double)r->def.viscosity * pass->dt / (size * size)), held,
                     pass->first);
}

void rl_river_diffuse(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(dt > 0.0);
    const double size = (double)r->cell_size, k = (double)r->def.viscosity * dt / (size * size);
    if (!(k > 0.0))
        return;
    // A sweep leaves at most this part of the error (Gershgorin, banks that hold water included).
    const double left = 6.0 * k / (1.0 + 6.0 * k);
    rl_river_pass pass = {.r = r, .square = diffuse_square, .dt = dt, .first = 1};
    double error = 1.0;
    for (int sweep = 0; sweep < MOST_SWEEPS && error > DIFFUSED; sweep++) {
        rl_river_run_squares(jobs, &pass);
        finish(r);
        pass.first = 0;
        error *= left;
    }
}

static void scale_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_dense faces = rl_river_dense_of(&pass->r->levels[k], square);
    pass->r->rows->scale(&faces, pass->factor);
}

void rl_river_scale(rl_river *r, rl_jobs *jobs, double factor)
{
    const rl_river_pass pass = {.r = r, .square = scale_square, .factor = (float)factor};
    rl_river_run_squares(jobs, &pass);
    r->mean_speed *= factor;
    r->spring_flow *= factor;
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
    rl_river_springs_follow(r, dt);
}
