// SPDX-License-Identifier: MIT
// river_dye.c - dye that the river transports, as a concentration per cell of level 0.
//
// The conservative way is a finite volume one: what leaves a cell through a face enters the cell
// beyond it. The water that crosses a face is H dx (opening times velocity), and a cell holds
// H dx^2 (conveyance) of it, with one H, the depth that makes the sum over all cells the volume of
// the river: so dye moves with the velocity of the water, and because the projection makes the sum
// of openings times velocities zero, even dye stays even, to its tolerance. Values at the faces are
// those of the cell upstream, with a slope limited by minmod. Where the solver works on merged
// cells, dye is even within each of them. Clean water comes in at open borders; what leaves there
// is gone.
//
// The other way traces back along the velocity, as the flow itself does (Eq. 4.1).
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

#define COURANT 0.5 // of what leaves a cell: with limited slopes nothing becomes negative below 2/3

typedef rl_river_row_pass pass;

// ---- How much --------------------------------------------------------------------------

// H: depth that gives the volume of the river with the conveyances as weights, metres.
static double mean_depth(const rl_river *r)
{
    const rl_river_level *l = &r->levels[0];
    const double weights = rl_river_sum(&l->all, &l->conveyance, NULL);
    return weights > 0.0 ? rl_river_sum(&l->all, &r->depth, NULL) / weights : 0.0;
}

double rl_river_dye_amount(void *self)
{
    const rl_river *r = self;
    const double sum = rl_river_sum(&r->levels[0].all, &r->dye, &r->levels[0].conveyance);
    const double size = (double)r->cell_size;
    return sum == 0.0 ? 0.0 : sum * mean_depth(r) * size * size;
}

double rl_river_dye_add(void *self, double x, double y, double radius, double amount)
{
    rl_river *r = self;
    if (!isfinite(x) || !isfinite(y) || !(radius >= 0.0) || !isfinite(amount))
        return 0.0;
    double weights = 0.0, given = 0.0;
    const double size = (double)r->cell_size, volume = mean_depth(r) * size * size;
    for (int turn = 0; turn < 2; turn++)
        for (int n = 0; n < r->levels[0].all.count; n++) {
            const rl_river_run run = r->levels[0].all.runs[n];
            float *dye = rill_field_row(&r->dye, run.row);
            const float *weight = rill_field_row(&r->levels[0].conveyance, run.row);
            for (int i = run.first; i < run.end; i++) {
                if (!rl_river_within(r, i, run.row, x, y, radius))
                    continue;
                if (turn == 0) {
                    weights += (double)weight[i];
                    continue;
                }
                const float before = dye[i];
                dye[i] = fmaxf(before + (float)(amount / (weights * volume)), 0.0f);
                given += ((double)dye[i] - (double)before) * (double)weight[i] * volume;
            }
        }
    return given;
}

// ---- Merged cells ----------------------------------------------------------------------

// Cells of level 0 in cell (i, j) of a level.
static rl_box cells_of(const rl_river *r, int level, int i, int j)
{
    const int size = 1 << level;
    const int i1 = (i + 1) * size, j1 = (j + 1) * size;
    return (rl_box){i * size, j * size, i1 < r->nx ? i1 : r->nx, j1 < r->ny ? j1 : r->ny};
}

// Sum of the conveyances of level 0 in a cell, and the dye in it in the same measure.
static double conveyances_in(const rl_river *r, rl_box box, double *dye_sum)
{
    double weights = 0.0, dyes = 0.0;
    for (int j = box.j0; j < box.j1; j++) {
        const float *weight = rill_field_row(&r->levels[0].conveyance, j);
        const float *dye = rill_field_row(&r->dye, j);
        for (int i = box.i0; i < box.i1; i++) {
            weights += (double)weight[i];
            dyes += (double)weight[i] * (double)dye[i];
        }
    }
    *dye_sum = dyes;
    return weights;
}

// Concentrations of a level: those of level 0 are the dye itself, others lie in its scratch.
static const rill_field *dye_of(const rl_river *r, int level)
{
    return level == 0 ? &r->dye : &r->levels[level].u_next;
}

static void merge_row(const pass *p, int level, int j)
{
    RL_ASSERT(level >= 0 && level < p->river->level_count && j >= 0);
    const rl_river *r = p->river;
    const rl_river_level *l = &r->levels[level];
    if (level == 0)
        return;
    float *out = rill_field_row(&l->u_next, j);
    for (int n = l->work.row_first[j]; n < l->work.row_first[j + 1]; n++)
        for (int i = l->work.runs[n].first; i < l->work.runs[n].end; i++) {
            double dyes;
            const double weights = conveyances_in(r, cells_of(r, level, i, j), &dyes);
            out[i] = weights > 0.0 ? (float)(dyes / weights) : 0.0f;
        }
}

// ---- Fluxes ----------------------------------------------------------------------------

static float minmod(float a, float b)
{
    if (a > 0.0f && b > 0.0f)
        return a < b ? a : b;
    if (a < 0.0f && b < 0.0f)
        return a > b ? a : b;
    return 0.0f;
}

// Opening times velocity times concentration at a face, with the concentrations of the four cells
// along its axis and whether the faces before and after it are open.
static float flux(float velocity, float open, float per_cell, float before, float left, float right,
                  float after, bool open_before, bool open_after)
{
    const float part = 0.5f * (1.0f - fabsf(velocity) * per_cell);
    if (velocity > 0.0f) {
        const float slope = open_before ? minmod(left - before, right - left) : 0.0f;
        return open * velocity * (left + part * slope);
    }
    const float slope = open_after ? minmod(right - left, after - right) : 0.0f;
    return open * velocity * (right - part * slope);
}

// What flows through the face west (axis 0) or south (axis 1) of cell (i, j).
static float flux_at(const rl_river_level *l, const rill_field *dye, int axis, int i, int j,
                     float per_cell)
{
    const rill_field *open = axis == 0 ? &l->open_x : &l->open_y;
    const float here = rill_field_row(open, j)[i];
    if (!(here > 0.0f))
        return 0.0f;
    const int x = axis == 0, y = axis == 1, along = x ? i : j, last = (x ? l->nx : l->ny) - 1;
    return flux(rill_field_row(x ? &l->u : &l->v, j)[i], here, per_cell,
                rl_river_cell_or_zero(dye, l, i - 2 * x, j - 2 * y),
                rl_river_cell_or_zero(dye, l, i - x, j - y), rl_river_cell_or_zero(dye, l, i, j),
                rl_river_cell_or_zero(dye, l, i + x, j + y),
                along > 1 && rill_field_row(open, j - y)[i - x] > 0.0f,
                along < last && rill_field_row(open, j + y)[i + x] > 0.0f);
}

// Is there no dye in a cell and the four beside it? Then none moves.
static bool clean(const rl_river_level *l, const rill_field *dye, int i, int j)
{
    const float *row = rill_field_row(dye, j);
    return row[i] == 0.0f && (i == 0 || row[i - 1] == 0.0f) &&
           (i == l->nx - 1 || row[i + 1] == 0.0f) &&
           (j == 0 || rill_field_row(dye, j - 1)[i] == 0.0f) &&
           (j == l->ny - 1 || rill_field_row(dye, j + 1)[i] == 0.0f);
}

// What comes into each cell through the faces of its own level.
static void gather_row(const pass *p, int level, int j)
{
    const rl_river_level *l = &p->river->levels[level];
    const rill_field *dye = dye_of(p->river, level);
    const float per_cell = (float)(p->dt / (double)l->cell_size);
    float *in = rill_field_row(&l->v_next, j);
    for (int n = l->work.row_first[j]; n < l->work.row_first[j + 1]; n++)
        for (int i = l->work.runs[n].first; i < l->work.runs[n].end; i++) {
            in[i] = 0.0f;
            if (!clean(l, dye, i, j))
                in[i] =
                    (flux_at(l, dye, 0, i, j, per_cell) - flux_at(l, dye, 0, i + 1, j, per_cell)) +
                    (flux_at(l, dye, 1, i, j, per_cell) - flux_at(l, dye, 1, i, j + 1, per_cell));
        }
}

// Faces between levels, upstream values as they are. A face of the smaller cell is half as long as
// those that the sums of the larger one are in.
static void gather_joints(rl_river *r)
{
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        rl_river_level *fine = &r->levels[joint->level], *coarse = &r->levels[joint->level + 1];
        const rill_field *face = joint->axis == 0 ? &fine->u : &fine->v;
        const float out = joint->sign * rill_field_row(face, joint->face_j)[joint->face_i];
        const float dye =
            out > 0.0f
                ? rill_field_row(dye_of(r, joint->level), joint->fine_j)[joint->fine_i]
                : rill_field_row(dye_of(r, joint->level + 1), joint->coarse_j)[joint->coarse_i];
        const float moved = joint->open * out * dye;
        rill_field_row(&fine->v_next, joint->fine_j)[joint->fine_i] -= moved;
        rill_field_row(&coarse->v_next, joint->coarse_j)[joint->coarse_i] += 0.5f * moved;
    }
}

static void fill_row(const pass *p, int level, int j)
{
    const rl_river *r = p->river;
    const rl_river_level *l = &r->levels[level];
    const float *in = rill_field_row(&l->v_next, j);
    const double base = (double)r->cell_size;
    const double step = p->dt * (double)l->cell_size / (base * base);
    for (int n = l->work.row_first[j]; n < l->work.row_first[j + 1]; n++)
        for (int i = l->work.runs[n].first; i < l->work.runs[n].end; i++) {
            if (level == 0) {
                float *dye = rill_field_row(&r->dye, j);
                const double weight = (double)rill_field_row(&l->conveyance, j)[i];
                if (in[i] != 0.0f && weight > 0.0)
                    dye[i] =
                        rl_larger((float)((double)dye[i] + step * (double)in[i] / weight), 0.0f);
                continue;
            }
            const rl_box box = cells_of(r, level, i, j);
            double dyes;
            const double weights = conveyances_in(r, box, &dyes);
            if (!(weights > 0.0) || (dyes == 0.0 && in[i] == 0.0f))
                continue;
            const float even = rl_larger((float)((dyes + step * (double)in[i]) / weights), 0.0f);
            for (int b = box.j0; b < box.j1; b++)
                for (int a = box.i0; a < box.i1; a++)
                    if (rill_field_row(&r->levels[0].conveyance, b)[a] > 0.0f)
                        rill_field_row(&r->dye, b)[a] = even;
        }
}

// ---- Steps -----------------------------------------------------------------------------

// Largest part of a cell's water that leaves it in a second, over all cells that are worked on and
// may have dye.
static double largest_outflow(const rl_river *r)
{
    double largest = 0.0;
    for (int k = 0; k < r->level_count; k++) {
        const rl_river_level *l = &r->levels[k];
        for (int n = 0; n < l->work.count; n++) {
            const rl_river_run run = l->work.runs[n];
            const float *u = rill_field_row(&l->u, run.row), *v = rill_field_row(&l->v, run.row);
            const float *v_north = rill_field_row(&l->v, run.row + 1);
            const float *open_x = rill_field_row(&l->open_x, run.row);
            const float *open_y = rill_field_row(&l->open_y, run.row);
            const float *open_north = rill_field_row(&l->open_y, run.row + 1);
            const float *conveyance = rill_field_row(&l->conveyance, run.row);
            const float *wet = rill_field_row(&l->wet, run.row);
            const float *dye = k == 0 ? rill_field_row(&r->dye, run.row) : wet;
            float row = 0.0f;
            for (int i = run.first; i < run.end; i++) {
                if (dye[i] == 0.0f)
                    continue;
                const float out =
                    open_x[i] * fmaxf(-u[i], 0.0f) + open_x[i + 1] * fmaxf(u[i + 1], 0.0f) +
                    open_y[i] * fmaxf(-v[i], 0.0f) + open_north[i] * fmaxf(v_north[i], 0.0f);
                row = fmaxf(row, out / fmaxf(wet[i] * conveyance[i], 1e-6f));
            }
            largest = fmax(largest, (double)row / (double)l->cell_size);
        }
    }
    return largest;
}

static void transport(rl_river *r, rl_jobs *jobs, double dt)
{
    // What joints let out is not in the sum: the factor covers it, as a joint is one of the four
    // faces of a cell, or two halves of one.
    const double outflow = largest_outflow(r) * (r->joint_count > 0 ? 2.0 : 1.0);
    const int steps = (int)fmin(fmax(ceil(outflow * dt / COURANT), 1.0), 1000.0);
    pass merge = {.river = r, .row = merge_row, .dt = dt / steps}, gather = merge, fill = merge;
    gather.row = gather_row;
    fill.row = fill_row;
    for (int n = 0; n < steps; n++) {
        rl_river_run_rows(jobs, &merge);
        rl_river_run_rows(jobs, &gather);
        gather_joints(r);
        rl_river_run_rows(jobs, &fill);
    }
}

// Between the four centres around (x, y), in cells; banks do not count, beyond the grid is clean
// water. `otherwise` where there is nothing but banks.
static float sample(const rl_river *r, float x, float y, float otherwise)
{
    const float i0 = floorf(x), j0 = floorf(y);
    float sum = 0.0f, weights = 0.0f;
    for (int n = 0; n < 4; n++) {
        const int i = (int)i0 + (n & 1), j = (int)j0 + (n >> 1);
        const float weight =
            ((n & 1) != 0 ? x - i0 : 1.0f - (x - i0)) * ((n >> 1) != 0 ? y - j0 : 1.0f - (y - j0));
        const bool outside = i < 0 || i >= r->nx || j < 0 || j >= r->ny;
        if (!outside && !(rill_field_row(&r->levels[0].conveyance, j)[i] > 0.0f))
            continue;
        weights += weight;
        sum += outside ? 0.0f : weight * rill_field_row(&r->dye, j)[i];
    }
    return weights > 0.0f ? sum / weights : otherwise;
}

static void trace_back_row(void *context, int j)
{
    const pass *p = context;
    const rl_river *r = p->river;
    const rl_river_runs *runs = &r->levels[0].all;
    const float per_cell = (float)(p->dt / (double)r->cell_size);
    const float *x = rill_field_row(&r->velocity_x, j), *y = rill_field_row(&r->velocity_y, j);
    const float *dye = rill_field_row(&r->dye, j);
    float *next = rill_field_row(&r->dye_next, j);
    for (int n = runs->row_first[j]; n < runs->row_first[j + 1]; n++)
        for (int i = runs->runs[n].first; i < runs->runs[n].end; i++)
            next[i] = sample(r, (float)i - x[i] * per_cell, (float)j - y[i] * per_cell, dye[i]);
}

static void trace_back(rl_river *r, rl_jobs *jobs, double dt)
{
    rl_river_update_centres(r, jobs);
    pass p = {.river = r, .dt = dt};
    rl_jobs_run(jobs, r->ny, trace_back_row, &p);
    rl_river_copy_runs(&r->levels[0].all, &r->dye_next, &r->dye);
}

void rl_river_dye_step(rl_river *r, rl_jobs *jobs, double dt)
{
    if (!(dt > 0.0) || rl_river_sum(&r->levels[0].all, &r->dye, NULL) == 0.0)
        return;
    if (r->def.dye_conservative != 0)
        transport(r, jobs, dt);
    else
        trace_back(r, jobs, dt);
}
