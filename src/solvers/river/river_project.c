// SPDX-License-Identifier: MIT
// river_project.c - makes the flow free of divergence (Burrell section 3.3, Eq. 3.14 to 3.17).
//
// With G the gradient over open faces and D the sum of opening times velocity into each cell, p
// solves D G p = D u, and u - G p flows into no cell more than out of it. The equations are
// symmetric and positive; conjugate gradients solve them, preconditioned by a multigrid cycle. They
// start from the last pressure. What single precision leaves is found in the flow itself, and
// solved for again. The Jacobi sweeps of Burrell (section 3.3.3) are the other choice.
#include "solvers/river/river_project.h"

#include "core/assert.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define MOST_ITERATIONS 60
#define MOST_ROUNDS     4
// Conjugate gradients in single precision gain no more than this in one round.
#define ROUND_GAIN 3e-6f
// Part of the tolerance that is aimed at, since applying the pressure rounds too.
#define AIM 0.7f

// ---- Passes ----------------------------------------------------------------------------

static const rl_river_list *list_of(const rl_river_pass *pass, int level)
{
    const rl_river_squares *s = &pass->r->levels[level].squares;
    return pass->units ? &s->units : &s->work;
}

static int tiles_of(const rl_river_pass *pass, int level)
{
    return (list_of(pass, level)->count + RL_RIVER_TILE - 1) / RL_RIVER_TILE;
}

static void run_tile(void *context, int tile)
{
    rl_river_pass pass = *(const rl_river_pass *)context;
    int level = pass.units ? pass.level : 0, at = tile;
    for (; at >= tiles_of(&pass, level); level++)
        at -= tiles_of(&pass, level);
    const rl_river_list *list = list_of(&pass, level);
    for (int n = at * RL_RIVER_TILE; n < (at + 1) * RL_RIVER_TILE && n < list->count; n++)
        pass.square(&pass, level, list->squares[n]);
    pass.r->found[tile] = pass.found;
}

rl_river_found rl_river_run_squares(rl_jobs *jobs, const rl_river_pass *pass)
{
    const rl_river *r = pass->r;
    int count = pass->units ? tiles_of(pass, pass->level) : 0;
    for (int k = 0; k < r->level_count && !pass->units; k++)
        count += tiles_of(pass, k);
    RL_ASSERT(count <= r->tile_capacity);
    rl_jobs_run(jobs, count, run_tile, (void *)(uintptr_t)pass);
    rl_river_found all = {0};
    for (int n = 0; n < count; n++) {
        const rl_river_found *found = &r->found[n];
        all.sum += found->sum;
        all.worst = found->worst > all.worst ? found->worst : all.worst;
        all.fastest = found->fastest > all.fastest ? found->fastest : all.fastest;
    }
    return all;
}

static rl_river_found run_squares(rl_river *r, rl_jobs *jobs, rl_river_on_square *square)
{
    return rl_river_run_squares(jobs, &(rl_river_pass){.r = r, .square = square});
}

// ---- Measuring -------------------------------------------------------------------------

// Sums are over cells of level 0, the divergence is per cell of level 0, and the velocity per its
// size: factors of level k are powers of two, so scaling rounds nothing.
static void inflow_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_level *level = &pass->r->levels[k];
    const float size = (float)(1 << k);
    const rl_river_dense cells = rl_river_dense_of(level, square);
    rl_river_measure m;
    pass->r->rows->inflow(&cells, rl_river_packed(level->squares.r, square), size, &m);
    for (int c = 0; c < RL_SQUARE; c++)
        pass->found.sum += (double)m.speed[c] * (double)(size * size);
    pass->found.worst = fmaxf(pass->found.worst, m.worst / (size * size));
    pass->found.fastest = fmaxf(pass->found.fastest, m.fastest / size);
}

static void largest_square(rl_river_pass *pass, int k, int square)
{
    const float *left = rl_river_packed(pass->r->levels[k].squares.r, square);
    float worst = 0.0f;
    for (int c = 0; c < RL_RIVER_AREA; c++)
        worst = fabsf(left[c]) > worst ? fabsf(left[c]) : worst;
    pass->found.worst = fmaxf(pass->found.worst, worst / (float)(1 << 2 * k));
}

static void add_joint_inflow(rl_river *r)
{
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const int k = joint->level;
        const float flow = joint->sign * joint->open * (float)(1 << k) *
                           *rl_river_face(r, k, joint->axis, joint->face_i, joint->face_j);
        r->levels[k].squares.r[joint->fine_at] -= flow;
        r->levels[k + 1].squares.r[joint->coarse_at] += flow;
    }
}

// Squares count cells that the solver does not work on by their rings: those are counted in their
// own level. So with merged cells the mean is taken over runs.
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
            const float *wet = rill_field_row(&level->wet, run.row);
            for (int i = run.first; i < run.end; i++) {
                const float x = 0.5f * (u[i] + u[i + 1]), y = 0.5f * (v[i] + north[i]);
                of_level += (double)(wet[i] * sqrtf(x * x + y * y));
            }
        }
        sum += of_level * (double)(1 << 2 * k);
    }
    return sum;
}

rl_river_found rl_river_measure_flow(rl_river *r, rl_jobs *jobs)
{
    rl_river_levels_fill_rings(r);
    rl_river_found found = run_squares(r, jobs, inflow_square);
    if (r->joint_count > 0 || r->spring_count > 0) {
        add_joint_inflow(r);
        rl_river_springs_add(r);
        found.worst = run_squares(r, jobs, largest_square).worst;
    }
    if (r->coarsest_work > 0)
        found.sum = mean_over_runs(r);
    const int64_t cells = r->levels[0].all.cells;
    r->mean_speed = cells > 0 ? found.sum / (double)cells : 0.0;
    r->fastest = found.fastest / r->cell_size;
    return found;
}

static double relative(const rl_river *r, float worst)
{
    return worst > 0.0f ? (double)worst / fmax(r->mean_speed, 1e-30) : 0.0;
}

// ---- Taking a pressure off -------------------------------------------------------------

static void push_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_level *level = &pass->r->levels[k];
    const rl_river_squares *s = &level->squares;
    const rl_river_stencil a = rl_river_stencil_of(s, &s->equations, square);
    const rl_river_patch p = rl_river_patch_of(s, s->x, square);
    const rl_river_dense faces = rl_river_dense_of(level, square);
    pass->r->rows->push(&a, &p, &faces, 1.0f / (float)(1 << k));
}

// u -= G x.
static void push(rl_river *r, rl_jobs *jobs)
{
    run_squares(r, jobs, push_square);
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const int k = joint->level;
        const float p_fine = r->levels[k].squares.x[joint->fine_at];
        const float p_coarse = r->levels[k + 1].squares.x[joint->coarse_at];
        *rl_river_face(r, k, joint->axis, joint->face_i, joint->face_j) -=
            joint->sign * (p_coarse - p_fine) / (1.5f * (float)(1 << k));
    }
    for (int n = 0; n < r->gate_count; n++) {
        const rl_river_gate *gate = &r->gates[n];
        const float p = r->levels[gate->level].squares.x[gate->at];
        *rl_river_face(r, gate->level, gate->axis, gate->face_i, gate->face_j) +=
            gate->sign * 2.0f * p / (float)(1 << gate->level);
    }
}

static void clear_square(rl_river_pass *pass, int k, int square)
{
    memset(rl_river_packed(pass->r->levels[k].squares.x, square), 0, RL_RIVER_AREA * sizeof(float));
}

// d = the last pressure, x = 0.
static void begin_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_dense last = rl_river_dense_of(&pass->r->levels[k], square);
    const float per_size = 1.0f / pass->r->cell_size;
    float *d = rl_river_packed(pass->r->levels[k].squares.d, square);
    for (int y = 0; y < last.rows; y++)
        for (int c = 0; c < RL_SQUARE; c++)
            d[y * RL_SQUARE + c] = per_size * last.pressure[(size_t)y * last.pitch + (size_t)c];
    clear_square(pass, k, square);
}

// Pressure = beta times what it was, and x.
static void save_square(rl_river_pass *pass, int k, int square)
{
    rl_river_dense cells = rl_river_dense_of(&pass->r->levels[k], square);
    const float *x = rl_river_packed(pass->r->levels[k].squares.x, square);
    const float size = pass->r->cell_size, beta = pass->beta;
    for (int y = 0; y < cells.rows; y++, cells.pressure += cells.pitch)
        for (int c = 0; c < RL_SQUARE; c++)
            cells.pressure[c] = beta * cells.pressure[c] + size * x[y * RL_SQUARE + c];
}

// Takes x off the flow and saves it; `first`: in the place of the last pressure.
static rl_river_found take_off(rl_river *r, rl_jobs *jobs, bool first)
{
    const rl_river_pass save = {.r = r, .square = save_square, .beta = first ? 0.0f : 1.0f};
    push(r, jobs);
    rl_river_run_squares(jobs, &save);
    return rl_river_measure_flow(r, jobs);
}

// ---- Products --------------------------------------------------------------------------

static void dot(rl_river_pass *pass, float *a, float *b, int square)
{
    _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
    pass->r->rows->dot(rl_river_packed(a, square), rl_river_packed(b, square), sums);
    for (int c = 0; c < RL_SQUARE; c++)
        pass->found.sum += (double)sums[c];
}

static void dot_rd(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    dot(pass, s->r, s->d, square);
}

static void dot_rz(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    dot(pass, s->r, s->z, square);
}

double rl_river_product_rz(rl_river *r, rl_jobs *jobs)
{
    return run_squares(r, jobs, dot_rz).sum;
}

static void apply_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    const rl_river_stencil a = rl_river_stencil_of(s, &s->equations, square);
    const rl_river_patch d = rl_river_patch_of(s, s->d, square);
    _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
    pass->r->rows->apply(&a, &d, rl_river_packed(s->q, square), sums);
    double sum = 0.0;
    for (int c = 0; c < RL_SQUARE; c++)
        sum += (double)sums[c];
    pass->found.sum += sum;
}

// q = A d on all levels; returns the scalar product of both.
static double apply(rl_river *r, rl_jobs *jobs)
{
    double sum = run_squares(r, jobs, apply_square).sum;
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

// ---- Conjugate gradients and Jacobi sweeps ---------------------------------------------

static void follow_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    pass->r->rows->follow(rl_river_packed(s->z, square),
                          rl_river_packed(s->equations.inverse, square),
                          rl_river_packed(s->d, square), pass->beta);
}

static void advance_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    const float worst = pass->r->rows->advance(
        rl_river_packed(s->x, square), rl_river_packed(s->d, square), rl_river_packed(s->r, square),
        rl_river_packed(s->q, square), rl_river_packed(s->equations.inverse, square),
        rl_river_packed(s->z, square), pass->alpha, pass->omega);
    pass->found.worst = fmaxf(pass->found.worst, worst / (float)(1 << 2 * k));
}

static float advance(rl_river *r, rl_jobs *jobs, float alpha, float omega)
{
    const rl_river_pass pass = {.r = r, .square = advance_square, .alpha = alpha, .omega = omega};
    return rl_river_run_squares(jobs, &pass).worst;
}

// Starts with that multiple of the last pressure that leaves the least energy: forces last, so it
// is about one when a step is like the one before, and about none when the flow needs no more.
static float start(rl_river *r, rl_jobs *jobs, float worst)
{
    const double along = run_squares(r, jobs, dot_rd).sum, curvature = apply(r, jobs);
    if (!(curvature > 0.0))
        return worst;
    return advance(r, jobs, (float)(along / curvature), RL_RIVER_OMEGA_1);
}

// Solves A x = r further until the largest |r| is at most `wanted`; returns the iterations.
static int conjugate_gradients(rl_river *r, rl_jobs *jobs, float wanted, int most)
{
    rl_river_pass pass = {.r = r, .square = follow_square};
    double before = rl_river_multigrid_cycle(r, jobs, false);
    int iterations = 0;
    while (before > 0.0 && iterations < most) {
        rl_river_run_squares(jobs, &pass);
        const double curvature = apply(r, jobs);
        if (!(curvature > 0.0))
            break;
        const float worst = advance(r, jobs, (float)(before / curvature), RL_RIVER_OMEGA_1);
        iterations++;
        if (!(worst > wanted))
            break;
        const double now = rl_river_multigrid_cycle(r, jobs, true);
        pass.beta = (float)(now / before);
        before = now;
    }
    return iterations;
}

static rl_river_found solve(rl_river *r, rl_jobs *jobs, rl_river_found found)
{
    rl_river_multigrid_prepare(r);
    bool first = true;
    for (int round = 0; round < MOST_ROUNDS && r->iterations < MOST_ITERATIONS; round++) {
        if (!(relative(r, found.worst) > (double)r->def.tolerance))
            break;
        float worst = found.worst;
        if (first)
            worst = start(r, jobs, worst);
        else
            run_squares(r, jobs, clear_square);
        const float aim = AIM * r->def.tolerance * (float)r->mean_speed;
        const float wanted = fmaxf(aim, ROUND_GAIN * found.worst);
        if (!first || worst > wanted)
            r->iterations += conjugate_gradients(r, jobs, wanted, MOST_ITERATIONS - r->iterations);
        found = take_off(r, jobs, first);
        first = false;
    }
    return found;
}

// d = the step of a sweep; x and r follow from it once q = A d is known.
static void step_square(rl_river_pass *pass, int k, int square)
{
    const rl_river_squares *s = &pass->r->levels[k].squares;
    pass->r->rows->relax(rl_river_packed(s->r, square),
                         rl_river_packed(s->equations.inverse, square),
                         rl_river_packed(s->d, square), 1.0f);
}

// Each sweep moves the pressure one cell further towards the solution.
static void jacobi(rl_river *r, rl_jobs *jobs, int sweeps)
{
    RL_ASSERT(sweeps > 0);
    for (int n = 0; n < sweeps; n++) {
        run_squares(r, jobs, step_square);
        apply(r, jobs);
        advance(r, jobs, 1.0f, 1.0f);
    }
}

void rl_river_project_flow(rl_river *r, rl_jobs *jobs)
{
    r->iterations = 0;
    run_squares(r, jobs, begin_square);
    rl_river_found found = rl_river_measure_flow(r, jobs);
    if (r->def.pressure == RILL_RIVER_JACOBI) {
        start(r, jobs, found.worst);
        jacobi(r, jobs, r->def.sweeps);
        r->iterations = r->def.sweeps;
        found = take_off(r, jobs, true);
    } else {
        found = solve(r, jobs, found);
    }
    r->divergence = relative(r, found.worst);
    r->velocities_fresh = false;
}
