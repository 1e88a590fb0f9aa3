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
    if (r->project->laid == r->laid)
        return;
    r->project->laid = r->laid;
    rl_river_direct_prepare(r, &r->project->direct);
}

// ---- Passes over one level -------------------------------------------------------------

typedef struct level_pass {
    rl_river *r;
    int level;
    float omega;
    rl_river_found *found; // NULL: sums are not wanted
} level_pass;

static int last_of_tile(const rl_river_list *list, int tile)
{
    const int end = (tile + 1) * RL_RIVER_TILE;
    return end < list->count ? end : list->count;
}

static void relax_tile(void *context, int tile)
{
    const level_pass *pass = context;
    const rl_river_squares *s = &pass->r->levels[pass->level].squares;
    for (int n = tile * RL_RIVER_TILE; n < last_of_tile(&s->units, tile); n++) {
        const int square = s->units.squares[n];
        pass->r->rows->relax(rl_river_packed(s->b, square),
                             rl_river_packed(s->multigrid.inverse, square),
                             rl_river_packed(s->z, square), pass->omega);
    }
}

static void smooth_tile(void *context, int tile)
{
    const level_pass *pass = context;
    const rl_river_squares *s = &pass->r->levels[pass->level].squares;
    double sum = 0.0;
    for (int n = tile * RL_RIVER_TILE; n < last_of_tile(&s->units, tile); n++) {
        const int square = s->units.squares[n];
        const rl_river_stencil a = rl_river_stencil_of(s, &s->multigrid, square);
        const rl_river_patch z = rl_river_patch_of(s, s->z, square);
        _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
        pass->r->rows->smooth(&a, &z, rl_river_packed(s->b, square),
                              rl_river_packed(s->z_next, square), pass->omega, sums);
        for (int c = 0; c < RL_SQUARE; c++)
            sum += (double)sums[c];
    }
    if (pass->found != NULL)
        pass->found[tile].sum = sum;
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

// Squares of different indices touch different nodes.
static void add_to_nodes(rl_river_direct *d, const float *left, int square)
{
    const int *node = d->of_fine + (size_t)square * RL_RIVER_AREA;
    for (int c = 0; c < RL_RIVER_AREA; c++)
        if (node[c] >= 0)
            d->solution[node[c]] += (double)left[c];
}

static void take_from_nodes(const rl_river_direct *d, float *z, int square)
{
    const int *node = d->of_fine + (size_t)square * RL_RIVER_AREA;
    for (int c = 0; c < RL_RIVER_AREA; c++)
        if (node[c] >= 0)
            z[c] += (float)d->solution[node[c]];
}

static void restrict_tile(void *context, int tile)
{
    const level_pass *pass = context;
    const rl_river_squares *s = &pass->r->levels[pass->level].squares;
    const rl_river_squares *larger = &pass->r->levels[pass->level + 1].squares;
    rl_river_direct *direct = &pass->r->project->direct;
    const int add = pass->level + 1 <= pass->r->coarsest_work;
    for (int n = tile * RL_RIVER_TILE; n < last_of_tile(&s->units, tile); n++) {
        const int square = s->units.squares[n];
        const rl_river_stencil a = rl_river_stencil_of(s, &s->multigrid, square);
        const rl_river_patch z = rl_river_patch_of(s, s->z, square);
        _Alignas(RILL_ALIGNMENT) float left[RL_RIVER_AREA];
        pass->r->rows->residual(&a, &z, rl_river_packed(s->b, square), left);
        if (pass->level + 1 == direct->level) {
            add_to_nodes(direct, left, square);
            continue;
        }
        float *quarter = quarter_of(s, larger, larger->b, square);
        if (quarter != NULL)
            pass->r->rows->restrict_to(left, quarter, add);
    }
}

static void prolong_tile(void *context, int tile)
{
    const level_pass *pass = context;
    const rl_river_squares *s = &pass->r->levels[pass->level].squares;
    const rl_river_squares *larger = &pass->r->levels[pass->level + 1].squares;
    const rl_river_direct *direct = &pass->r->project->direct;
    for (int n = tile * RL_RIVER_TILE; n < last_of_tile(&s->units, tile); n++) {
        const int square = s->units.squares[n];
        if (pass->level + 1 == direct->level) {
            take_from_nodes(direct, rl_river_packed(s->z, square), square);
            continue;
        }
        const float *quarter = quarter_of(s, larger, larger->z, square);
        if (quarter != NULL)
            pass->r->rows->prolong(quarter, rl_river_packed(s->z, square));
    }
}

static void swap(rl_river_squares *s)
{
    float *kept = s->z;
    s->z = s->z_next;
    s->z_next = kept;
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
    rl_river_direct *d = &r->project->direct;
    const rl_river_squares *s = &r->levels[d->level].squares;
    for (int n = 0; n < d->count; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        d->solution[n] = node->own_at >= 0 ? (double)s->r[node->own_at] : 0.0;
    }
}

static void end_direct(rl_river *r)
{
    rl_river_direct *d = &r->project->direct;
    const rl_river_squares *s = &r->levels[d->level].squares;
    rl_river_direct_solve(d);
    for (int n = 0; n < d->count; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        if (node->own_at >= 0)
            s->z[node->own_at] = (float)d->solution[n];
    }
}

static void go_up(rl_river *r, rl_jobs *jobs, int k, bool relaxed)
{
    rl_river_squares *s = &r->levels[k].squares, *larger = &r->levels[k + 1].squares;
    rl_river_direct *direct = &r->project->direct;
    const int tiles = rl_river_tiles(&s->units);
    level_pass pass = {.r = r, .level = k, .omega = RL_RIVER_OMEGA_1};
    if (!relaxed)
        rl_jobs_run(jobs, tiles, relax_tile, &pass);
    pass.omega = RL_RIVER_OMEGA_2;
    rl_jobs_run(jobs, tiles, smooth_tile, &pass);
    swap(s);
    rl_jobs_run(jobs, tiles, restrict_tile, &pass);
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
    const int tiles = rl_river_tiles(&s->units);
    level_pass pass = {.r = r, .level = k, .omega = omega};
    pass.found = k == 0 ? r->project->found : NULL;
    rl_jobs_run(jobs, tiles, smooth_tile, &pass);
    swap(s);
    for (int n = r->joint_first[k]; n < r->joint_first[k + 1]; n++) {
        const rl_river_joint *joint = &r->joints[n];
        s->z[joint->fine_at] += omega * (s->multigrid.inverse[joint->fine_at] *
                                         (joint->open / 1.5f * larger->z[joint->coarse_at]));
    }
    double sum = 0.0;
    for (int n = 0; k == 0 && n < tiles; n++)
        sum += pass.found[n].sum;
    return sum;
}

static double go_down(rl_river *r, rl_jobs *jobs, int k)
{
    level_pass pass = {.r = r, .level = k};
    rl_jobs_run(jobs, rl_river_tiles(&r->levels[k].squares.units), prolong_tile, &pass);
    sweep_after(r, jobs, k, RL_RIVER_OMEGA_2);
    return sweep_after(r, jobs, k, RL_RIVER_OMEGA_1);
}

static void product_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_squares *s = &pass->r->levels[pass->r->tiles[tile].level].squares;
    pass->r->project->found[tile].sum = rl_river_product(pass->r, tile, s->r, s->z);
}

double rl_river_multigrid_cycle(rl_river *r, rl_jobs *jobs, bool relaxed)
{
    const int coarsest = r->project->direct.level;
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
    rl_river_pass pass = {.r = r};
    rl_jobs_run(jobs, r->tile_count, product_tile, &pass);
    return rl_river_gather(r).sum;
}
