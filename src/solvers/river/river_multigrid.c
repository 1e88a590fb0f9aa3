// SPDX-License-Identifier: MIT
// river_multigrid.c - the preconditioner of the pressure: one V-cycle over the pyramid.
//
//     level 0   sweep, sweep, what is left --+          +-- add, sweep, sweep
//     level 1        sums of four: the same --+        +-- add, ...
//     coarsest                             solve directly (river_direct.c)
//
// Sums of four go up and values come down to four, each the other's transpose, and the sweeps after
// are those before in reverse: so the cycle is symmetric, as conjugate gradients need it. A level
// sweeps over cells of its own size alone: those that the solver works on, and those that stand for
// smaller ones. What a small cell's sweep does to a large one beside it goes over their joint.
#include "solvers/river/river_project.h"

#include <string.h>

void rl_river_multigrid_prepare(rl_river *r)
{
    if (r->direct->laid == r->laid)
        return;
    r->direct->laid = r->laid;
    rl_river_direct_prepare(r, r->direct);
}

// ---- Passes over one level -------------------------------------------------------------

static void relax_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    pass->r->rows->relax(rl_river_packed(s->b, square),
                         rl_river_packed(s->multigrid.inverse, square),
                         rl_river_packed(s->z, square), pass->omega);
}

static void smooth_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    const rl_river_stencil a = rl_river_stencil_of(s, &s->multigrid, square);
    const rl_river_patch z = rl_river_patch_of(s, s->z, square);
    _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
    pass->r->rows->smooth(&a, &z, rl_river_packed(s->b, square), rl_river_packed(s->z_next, square),
                          pass->omega, sums);
    for (int c = 0; c < RL_SQUARE; c++)
        pass->found.sum += (double)sums[c];
}

// The quarter of the larger square that a square is.
static float *quarter_of(const rl_river_squares *s, const rl_river_squares *larger, float *array,
                         int square)
{
    const int column = s->place[square] % s->across, row = s->place[square] / s->across;
    const int parent = larger->index[row / 2 * larger->across + column / 2];
    if (parent < 0)
        return NULL;
    const int corner = row % 2 * RL_RIVER_AREA / 2 + column % 2 * RL_SQUARE / 2;
    return rl_river_packed(array, parent) + corner;
}

static void restrict_square(rl_river_pass *pass, int k, int square)
{
    rl_river *r = pass->r;
    const rl_river_squares *s = &r->levels[k].squares, *larger = &r->levels[k + 1].squares;
    const rl_river_stencil a = rl_river_stencil_of(s, &s->multigrid, square);
    const rl_river_patch z = rl_river_patch_of(s, s->z, square);
    _Alignas(RILL_ALIGNMENT) float left[RL_RIVER_AREA];
    r->rows->residual(&a, &z, rl_river_packed(s->b, square), left);
    if (k + 1 == r->direct->level) {
        // Squares of different indices touch different nodes.
        const int *node = r->direct->of_fine + (size_t)square * RL_RIVER_AREA;
        for (int c = 0; c < RL_RIVER_AREA; c++)
            if (node[c] >= 0)
                r->direct->solution[node[c]] += (double)left[c];
        return;
    }
    float *quarter = quarter_of(s, larger, larger->b, square);
    if (quarter != NULL)
        r->rows->restrict_to(left, quarter, k + 1 <= r->coarsest_work);
}

static void prolong_square(rl_river_pass *pass, int k, int square)
{
    const rl_river *r = pass->r;
    const rl_river_squares *s = &r->levels[k].squares, *larger = &r->levels[k + 1].squares;
    if (k + 1 == r->direct->level) {
        const int *node = r->direct->of_fine + (size_t)square * RL_RIVER_AREA;
        for (int c = 0; c < RL_RIVER_AREA; c++)
            if (node[c] >= 0)
                rl_river_packed(s->z, square)[c] += (float)r->direct->solution[node[c]];
        return;
    }
    const float *quarter = quarter_of(s, larger, larger->z, square);
    if (quarter != NULL)
        r->rows->prolong(quarter, rl_river_packed(s->z, square));
}

static void swap(rl_river_squares *s)
{
    float *z = s->z;
    s->z = s->z_next;
    s->z_next = z;
}

// ---- The cycle -------------------------------------------------------------------------

// Larger cells that the solver works on: their own right-hand sides, to which sums are added.
static void copy_own(rl_river *r)
{
    for (int k = 1; k <= r->coarsest_work; k++) {
        const rl_river_squares *s = &r->levels[k].squares;
        for (int n = 0; n < s->units.count; n++)
            memcpy(rl_river_packed(s->b, s->units.squares[n]),
                   rl_river_packed(s->r, s->units.squares[n]), RL_RIVER_AREA * sizeof(float));
    }
}

// Right-hand sides of the nodes: those of their own cells, to which sums are added.
static void begin_direct(rl_river *r)
{
    rl_river_direct *d = r->direct;
    const rl_river_squares *s = &r->levels[d->level].squares;
    for (int n = 0; n < d->count; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        d->solution[n] = node->own_at >= 0 ? (double)s->r[node->own_at] : 0.0;
    }
}

static void end_direct(rl_river *r)
{
    rl_river_direct *d = r->direct;
    const rl_river_squares *s = &r->levels[d->level].squares;
    rl_river_direct_solve(d);
    for (int n = 0; n < d->count; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        if (node->own_at >= 0)
            s->z[node->own_at] = (float)d->solution[n];
    }
}

static double run_units(rl_river *r, rl_jobs *jobs, int k, rl_river_on_square *square, float omega)
{
    const rl_river_pass pass = {
        .r = r, .square = square, .units = true, .level = k, .omega = omega};
    return rl_river_run_squares(jobs, &pass).sum;
}

static void go_up(rl_river *r, rl_jobs *jobs, int k, bool relaxed)
{
    rl_river_squares *s = &r->levels[k].squares, *larger = &r->levels[k + 1].squares;
    rl_river_direct *direct = r->direct;
    if (!relaxed)
        run_units(r, jobs, k, relax_square, RL_RIVER_OMEGA_1);
    run_units(r, jobs, k, smooth_square, RL_RIVER_OMEGA_2);
    swap(s);
    run_units(r, jobs, k, restrict_square, 0.0f);
    for (int n = r->joint_first[k]; n < r->joint_first[k + 1]; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const float flow = joint->open / 1.5f * s->z[joint->fine_at];
        larger->b[joint->coarse_at] += flow;
        if (k + 1 == direct->level && direct->of_own[joint->coarse_at] >= 0)
            direct->solution[direct->of_own[joint->coarse_at]] += (double)flow;
    }
}

// One sweep after; returns the scalar product of right-hand side and result.
static double sweep_after(rl_river *r, rl_jobs *jobs, int k, float omega)
{
    rl_river_squares *s = &r->levels[k].squares;
    const rl_river_squares *larger = &r->levels[k + 1].squares;
    const double sum = run_units(r, jobs, k, smooth_square, omega);
    swap(s);
    for (int n = r->joint_first[k]; n < r->joint_first[k + 1]; n++) {
        const rl_river_joint *joint = &r->joints[n];
        s->z[joint->fine_at] += omega * (s->multigrid.inverse[joint->fine_at] *
                                         (joint->open / 1.5f * larger->z[joint->coarse_at]));
    }
    return sum;
}

static double go_down(rl_river *r, rl_jobs *jobs, int k)
{
    run_units(r, jobs, k, prolong_square, 0.0f);
    sweep_after(r, jobs, k, RL_RIVER_OMEGA_2);
    return sweep_after(r, jobs, k, RL_RIVER_OMEGA_1);
}

double rl_river_multigrid_cycle(rl_river *r, rl_jobs *jobs, bool relaxed)
{
    const int coarsest = r->direct->level;
    copy_own(r);
    begin_direct(r);
    for (int k = 0; k < coarsest; k++)
        go_up(r, jobs, k, relaxed && k == 0);
    end_direct(r);
    double sum = 0.0;
    for (int k = coarsest - 1; k >= 0; k--)
        sum = go_down(r, jobs, k);
    if (coarsest > 0 && r->coarsest_work == 0)
        return sum;
    return rl_river_product_rz(r, jobs);
}
