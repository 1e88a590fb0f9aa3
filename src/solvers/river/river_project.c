// SPDX-License-Identifier: MIT
// river_project.c - makes the flow free of divergence (004 section 3.3, Eq. 3.14 to 3.17).
//
// With G the gradient over open faces and D the sum of opening times velocity into each cell, p
// solves D G p = D u, and u - G p flows into no cell more than out of it. The equations are
// symmetric and positive; conjugate gradients solve them, preconditioned by a multigrid cycle. They
// start from the last pressure. What single precision leaves is found by looking at the flow
// itself, and solved for again.
#include "solvers/river/river_project.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define MOST_ITERATIONS 60
#define MOST_ROUNDS     4
// Conjugate gradients in single precision gain no more than this in one round.
#define ROUND_GAIN 3e-6f
// Part of the tolerance that is aimed at, since applying the pressure rounds too.
#define AIM 0.7f

// ---- Memory ----------------------------------------------------------------------------

rill_status rl_river_project_create(rl_river *r)
{
    rl_river_project *p = rill_alloc(&r->allocator, sizeof *p);
    r->project = p;
    if (p != NULL) {
        p->found_bytes = (size_t)r->tile_capacity * sizeof *p->found;
        p->found = rill_alloc(&r->allocator, p->found_bytes);
    }
    if (p == NULL || p->found == NULL || !rl_river_direct_create(r, &p->direct))
        return rill_fail(RILL_NO_MEMORY, "no memory for the pressure of the river");
    return RILL_OK;
}

void rl_river_project_destroy(rl_river *r)
{
    rl_river_project *p = r->project;
    if (p == NULL)
        return;
    rl_river_direct_destroy(r, &p->direct);
    rill_free(&r->allocator, p->found, p->found_bytes);
    rill_free(&r->allocator, p, sizeof *p);
    r->project = NULL;
}

size_t rl_river_project_memory(const rl_river *r)
{
    const rl_river_project *p = r->project;
    return p != NULL ? sizeof *p + p->found_bytes + rl_river_direct_memory(&p->direct) : 0;
}

// ---- Measuring -------------------------------------------------------------------------

rl_river_found rl_river_gather(const rl_river *r)
{
    rl_river_found all = {0};
    for (int n = 0; n < r->tile_count; n++) {
        const rl_river_found *found = &r->project->found[n];
        all.sum += found->sum;
        all.worst = found->worst > all.worst ? found->worst : all.worst;
        all.fastest = found->fastest > all.fastest ? found->fastest : all.fastest;
    }
    return all;
}

static int rows_of(const rl_river_level *level, int square)
{
    const int left =
        level->ny + 1 - level->squares.place[square] / level->squares.across * RL_SQUARE;
    return left < RL_SQUARE ? left : RL_SQUARE;
}

static size_t dense_at(const rl_river_level *level, int square)
{
    const rl_river_squares *s = &level->squares;
    return (size_t)(s->place[square] / s->across) * RL_SQUARE * level->u.pitch +
           (size_t)(s->place[square] % s->across) * RL_SQUARE;
}

static void inflow_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    rl_river *r = pass->r;
    const rl_river_tile t = r->tiles[tile];
    const rl_river_level *level = &r->levels[t.level];
    const float size = (float)(1 << t.level);
    rl_river_found found = {0};
    double speeds = 0.0;
    for (int n = t.first; n < t.end; n++) {
        const int square = level->squares.work.squares[n];
        const size_t at = dense_at(level, square);
        const rl_river_cell_rows cells = {
            .rows = rows_of(level, square),
            .pitch = level->u.pitch,
            .u = level->u.origin + at,
            .v = level->v.origin + at,
            .open_x = level->open_x.origin + at,
            .open_y = level->open_y.origin + at,
            .share = level->share.origin + at,
        };
        rl_river_measure m;
        r->rows->inflow(&cells, rl_river_packed(level->squares.r, square), size, &m);
        for (int c = 0; c < RL_SQUARE; c++)
            speeds += (double)m.speed[c];
        found.worst = m.worst > found.worst ? m.worst : found.worst;
        found.fastest = m.fastest > found.fastest ? m.fastest : found.fastest;
    }
    // A sum over cells of level 0; a divergence per cell of level 0, a velocity per its size.
    found.sum = speeds * (double)(size * size);
    found.worst /= size * size;
    found.fastest /= size;
    r->project->found[tile] = found;
}

static void largest_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_squares *s = &pass->r->levels[t.level].squares;
    float worst = 0.0f;
    for (int n = t.first; n < t.end; n++) {
        const float *left = rl_river_packed(s->r, s->work.squares[n]);
        for (int c = 0; c < RL_RIVER_AREA; c++)
            worst = fabsf(left[c]) > worst ? fabsf(left[c]) : worst;
    }
    pass->r->project->found[tile].worst = worst / (float)(1 << 2 * t.level);
}

static void add_joint_inflow(rl_river *r)
{
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const rl_river_level *fine = &r->levels[joint->level];
        const rill_field *velocity = joint->axis == 0 ? &fine->u : &fine->v;
        const float flow = joint->sign * joint->open * (float)(1 << joint->level) *
                           rill_field_row(velocity, joint->face_j)[joint->face_i];
        fine->squares.r[joint->fine_at] -= flow;
        r->levels[joint->level + 1].squares.r[joint->coarse_at] += flow;
    }
}

// Squares count cells that the solver does not work on by their rings: those have their share in
// their own level. So with merged cells the mean is taken over runs.
static double mean_over_runs(const rl_river *r)
{
    double sum = 0.0;
    for (int k = 0; k <= r->coarsest_work; k++) {
        const rl_river_level *level = &r->levels[k];
        double of_level = 0.0;
        for (int n = 0; n < level->work.count; n++) {
            const rl_river_run run = level->work.runs[n];
            const float *u = rill_field_row(&level->u, run.row),
                        *v = rill_field_row(&level->v, run.row);
            const float *north = rill_field_row(&level->v, run.row + 1);
            const float *share = rill_field_row(&level->share, run.row);
            for (int i = run.first; i < run.end; i++) {
                const float x = 0.5f * (u[i] + u[i + 1]), y = 0.5f * (v[i] + north[i]);
                of_level += (double)(share[i] * sqrtf(x * x + y * y));
            }
        }
        sum += of_level * (double)(1 << 2 * k);
    }
    return sum;
}

rl_river_found rl_river_measure_flow(rl_river *r, rl_jobs *jobs)
{
    rl_river_pass pass = {.r = r};
    if (r->ring_count > 0)
        rl_river_levels_fill_rings(r, jobs);
    rl_jobs_run(jobs, r->tile_count, inflow_tile, &pass);
    if (r->joint_count > 0) {
        add_joint_inflow(r);
        rl_jobs_run(jobs, r->tile_count, largest_tile, &pass);
    }
    rl_river_found found = rl_river_gather(r);
    if (r->coarsest_work > 0)
        found.sum = mean_over_runs(r);
    const int64_t cells = r->levels[0].all.cells;
    r->mean_speed = cells > 0 ? found.sum / (double)cells : 0.0;
    r->fastest = found.fastest / r->cell_size;
    return found;
}

double rl_river_levels_mean_speed(rl_river *r, rl_jobs *jobs)
{
    rl_river_measure_flow(r, jobs);
    return r->mean_speed;
}

static double relative(const rl_river *r, float worst)
{
    return worst > 0.0f ? (double)worst / fmax(r->mean_speed, 1e-30) : 0.0;
}

double rl_river_largest_divergence(rl_river *r, rl_jobs *jobs)
{
    const rl_river_found found = rl_river_measure_flow(r, jobs);
    return relative(r, found.worst);
}

// ---- Taking a pressure off -------------------------------------------------------------

static void push_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    rl_river *r = pass->r;
    const rl_river_tile t = r->tiles[tile];
    const rl_river_level *level = &r->levels[t.level];
    const rl_river_squares *s = &level->squares;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        const rl_river_stencil a = rl_river_stencil_of(s, &s->equations, square);
        const rl_river_patch p = rl_river_patch_of(s, s->x, square);
        const size_t at = dense_at(level, square);
        r->rows->push(&a, &p, level->u.origin + at, level->v.origin + at, level->u.pitch,
                      rows_of(level, square), 1.0f / (float)(1 << t.level));
    }
}

// u -= G x.
static void push(rl_river *r, rl_jobs *jobs)
{
    rl_river_pass pass = {.r = r};
    rl_jobs_run(jobs, r->tile_count, push_tile, &pass);
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        rl_river_level *fine = &r->levels[joint->level];
        const float p_fine = fine->squares.x[joint->fine_at];
        const float p_coarse = r->levels[joint->level + 1].squares.x[joint->coarse_at];
        rill_field_row(joint->axis == 0 ? &fine->u : &fine->v, joint->face_j)[joint->face_i] -=
            joint->sign * (p_coarse - p_fine) / (1.5f * (float)(1 << joint->level));
    }
    for (int n = 0; n < r->gate_count; n++) {
        const rl_river_gate *gate = &r->gates[n];
        rl_river_level *level = &r->levels[gate->level];
        rill_field_row(gate->axis == 0 ? &level->u : &level->v, gate->face_j)[gate->face_i] +=
            gate->sign * 2.0f * level->squares.x[gate->at] / (float)(1 << gate->level);
    }
}

// d = the last pressure, x = 0.
static void fetch_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_level *level = &pass->r->levels[t.level];
    const rl_river_squares *s = &level->squares;
    const float per_size = 1.0f / pass->r->cell_size;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        const float *pressure = level->pressure.origin + dense_at(level, square);
        float *d = rl_river_packed(s->d, square);
        for (int y = 0; y < rows_of(level, square); y++, pressure += level->pressure.pitch)
            for (int c = 0; c < RL_SQUARE; c++)
                d[y * RL_SQUARE + c] = per_size * pressure[c];
        memset(rl_river_packed(s->x, square), 0, RL_RIVER_AREA * sizeof(float));
    }
}

// Pressure = beta times what it was, and x.
static void keep_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_level *level = &pass->r->levels[t.level];
    const rl_river_squares *s = &level->squares;
    const float size = pass->r->cell_size, kept = pass->beta;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        float *pressure = level->pressure.origin + dense_at(level, square);
        float *x = rl_river_packed(s->x, square);
        for (int y = 0; y < rows_of(level, square); y++, pressure += level->pressure.pitch)
            for (int c = 0; c < RL_SQUARE; c++)
                pressure[c] = kept * pressure[c] + size * x[y * RL_SQUARE + c];
    }
}

// Takes x off the flow and keeps it; `first`: in the place of the last pressure.
static rl_river_found take_off(rl_river *r, rl_jobs *jobs, bool first)
{
    rl_river_pass pass = {.r = r, .beta = first ? 0.0f : 1.0f};
    push(r, jobs);
    rl_jobs_run(jobs, r->tile_count, keep_tile, &pass);
    return rl_river_measure_flow(r, jobs);
}

// ---- Conjugate gradients ---------------------------------------------------------------

static void clear_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_squares *s = &pass->r->levels[t.level].squares;
    for (int n = t.first; n < t.end; n++)
        memset(rl_river_packed(s->x, s->work.squares[n]), 0, RL_RIVER_AREA * sizeof(float));
}

double rl_river_product(const rl_river *r, int tile, float *a, float *b)
{
    const rl_river_tile t = r->tiles[tile];
    const rl_river_squares *s = &r->levels[t.level].squares;
    double sum = 0.0;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
        r->rows->dot(rl_river_packed(a, square), rl_river_packed(b, square), sums);
        for (int c = 0; c < RL_SQUARE; c++)
            sum += (double)sums[c];
    }
    return sum;
}

static void dot_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_squares *s = &pass->r->levels[pass->r->tiles[tile].level].squares;
    pass->r->project->found[tile].sum = rl_river_product(pass->r, tile, s->r, s->d);
}

static void follow_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_squares *s = &pass->r->levels[t.level].squares;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        pass->r->rows->follow(rl_river_packed(s->z, square),
                              rl_river_packed(s->equations.inverse, square),
                              rl_river_packed(s->d, square), pass->beta);
    }
}

static void advance_tile(void *context, int tile)
{
    const rl_river_pass *pass = context;
    const rl_river_tile t = pass->r->tiles[tile];
    const rl_river_squares *s = &pass->r->levels[t.level].squares;
    float worst = 0.0f;
    for (int n = t.first; n < t.end; n++) {
        const int square = s->work.squares[n];
        const float w =
            pass->r->rows->advance(rl_river_packed(s->x, square), rl_river_packed(s->d, square),
                                   rl_river_packed(s->r, square), rl_river_packed(s->q, square),
                                   rl_river_packed(s->equations.inverse, square),
                                   rl_river_packed(s->z, square), pass->alpha, RL_RIVER_OMEGA_1);
        worst = w > worst ? w : worst;
    }
    pass->r->project->found[tile].worst = worst / (float)(1 << 2 * t.level);
}

// Starts with that multiple of the last pressure that leaves the least energy: forces last, so it
// is near one when a step is like the one before, and near none when the flow needs no more.
static float start(rl_river *r, rl_jobs *jobs, float worst)
{
    rl_river_pass pass = {.r = r};
    rl_jobs_run(jobs, r->tile_count, dot_tile, &pass);
    const double along = rl_river_gather(r).sum, curvature = rl_river_apply(r, jobs);
    if (!(curvature > 0.0))
        return worst;
    pass.alpha = (float)(along / curvature);
    rl_jobs_run(jobs, r->tile_count, advance_tile, &pass);
    return rl_river_gather(r).worst;
}

// Solves A x = r further until the largest |r| is at most `wanted`; returns the iterations.
static int conjugate_gradients(rl_river *r, rl_jobs *jobs, float wanted, int most)
{
    rl_river_pass pass = {.r = r};
    double before = rl_river_multigrid_cycle(r, jobs, false);
    int iterations = 0;
    while (before > 0.0 && iterations < most) {
        rl_jobs_run(jobs, r->tile_count, follow_tile, &pass);
        const double curvature = rl_river_apply(r, jobs);
        if (!(curvature > 0.0))
            break;
        pass.alpha = (float)(before / curvature);
        rl_jobs_run(jobs, r->tile_count, advance_tile, &pass);
        iterations++;
        if (!(rl_river_gather(r).worst > wanted))
            break;
        const double now = rl_river_multigrid_cycle(r, jobs, true);
        pass.beta = (float)(now / before);
        before = now;
    }
    return iterations;
}

static rl_river_found solve(rl_river *r, rl_jobs *jobs, rl_river_found found)
{
    rl_river_pass pass = {.r = r};
    rl_river_multigrid_prepare(r);
    bool first = true;
    for (int round = 0; round < MOST_ROUNDS && r->iterations < MOST_ITERATIONS; round++) {
        if (!(relative(r, found.worst) > (double)r->def.tolerance))
            break;
        float worst = found.worst;
        if (first)
            worst = start(r, jobs, worst);
        else
            rl_jobs_run(jobs, r->tile_count, clear_tile, &pass);
        const float aim = AIM * r->def.tolerance * (float)r->mean_speed;
        const float wanted = fmaxf(aim, ROUND_GAIN * found.worst);
        if (!first || worst > wanted)
            r->iterations += conjugate_gradients(r, jobs, wanted, MOST_ITERATIONS - r->iterations);
        found = take_off(r, jobs, first);
        first = false;
    }
    return found;
}

void rl_river_project_flow(rl_river *r, rl_jobs *jobs)
{
    rl_river_pass pass = {.r = r};
    r->iterations = 0;
    rl_jobs_run(jobs, r->tile_count, fetch_tile, &pass);
    rl_river_found found = rl_river_measure_flow(r, jobs);
    if (r->def.pressure == RILL_RIVER_JACOBI) {
        start(r, jobs, found.worst);
        rl_river_jacobi(r, jobs, r->def.sweeps);
        r->iterations = r->def.sweeps;
        found = take_off(r, jobs, true);
    } else {
        found = solve(r, jobs, found);
    }
    r->divergence = relative(r, found.worst);
    r->velocities_fresh = false;
}
