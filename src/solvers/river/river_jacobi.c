// SPDX-License-Identifier: MIT
// river_jacobi.c - the product with the equations of all levels and the Jacobi sweeps of 004
// (section 3.3.3), which carry the pressure one cell a sweep.
#include "solvers/river/river_project.h"

#include "core/assert.h"

static double sum_of(const float *sums)
{
    double sum = 0.0;
    for (int c = 0; c < RL_SQUARE; c++)
        sum += (double)sums[c];
    return sum;
}

static void apply_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    rl_river *r = pass->r;
    const rl_river_tile t = r->tiles[tile];
    const rl_river_squares *s = &r->levels[t.level].squares;
    rl_river_found found = {0};
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        const rl_river_stencil a = rl_river_stencil_of(s, &s->equations, square);
        const rl_river_patch d = rl_river_patch_of(s, s->d, square);
        _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
        r->rows->apply(&a, &d, rl_river_packed(s->q, square), sums);
        found.sum += sum_of(sums);
    }
    r->project->found[tile] = found;
}

double rl_river_apply(rl_river *r, rl_jobs *jobs)
{
    rl_river_pass pass = {.r = r};
    rl_jobs_run(jobs, r->tile_count, apply_tile, &pass);
    double sum = rl_river_gather(r).sum;
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const rl_river_squares *fine = &r->levels[joint->level].squares;
        const rl_river_squares *coarse = &r->levels[joint->level + 1].squares;
        const float weight = joint->open / 1.5f;
        const float d_fine = fine->d[joint->fine_at], d_coarse = coarse->d[joint->coarse_at];
        fine->q[joint->fine_at] -= weight * d_coarse;
        coarse->q[joint->coarse_at] -= weight * d_fine;
        sum -= 2.0 * (double)weight * (double)d_fine * (double)d_coarse;
    }
    return sum;
}

// d = the step of a sweep; x and r follow from it once q = A d is known.
static void step_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_squares *s = &pass->r->levels[t.level].squares;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        pass->r->rows->relax(rl_river_packed(s->r, square),
                             rl_river_packed(s->equations.inverse, square),
                             rl_river_packed(s->d, square), 1.0f);
    }
}

static void take_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_squares *s = &pass->r->levels[t.level].squares;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        pass->r->rows->advance(rl_river_packed(s->x, square), rl_river_packed(s->d, square),
                               rl_river_packed(s->r, square), rl_river_packed(s->q, square),
                               rl_river_packed(s->equations.inverse, square),
                               rl_river_packed(s->z, square), 1.0f, 1.0f);
    }
}

void rl_river_jacobi(rl_river *r, rl_jobs *jobs, int sweeps)
{
    RL_ASSERT(sweeps > 0);
    rl_river_pass pass = {.r = r};
    for (int n = 0; n < sweeps; n++) {
        rl_jobs_run(jobs, r->tile_count, step_tile, &pass);
        rl_river_apply(r, jobs);
        rl_jobs_run(jobs, r->tile_count, take_tile, &pass);
    }
}
