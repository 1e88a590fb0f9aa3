// SPDX-License-Identifier: MIT
// river_impulse.c - what makes a river flow on (Burrell section 3.5, Algorithm 3 and appendix A.1).
//
// Per cell, with v the velocity at its centre, h the hint and l the target (Eq. 3.27):
//
//     impulse   h dt / (T + dt) min(1, |v| / l) max(0, min(gain l', fastest) - v.h)
//               l' is l varied at random
//     limits    v grows below the slowest speed, and loses some of what it has above the fastest,
//               by powers of dt (erratum 4 to Burrell); continuity makes jets all the same
//     reversal  towards |v| h where v runs within reversal / 2 of straight back (erratum 3 to
//     Burrell)
//
// The gain is set so that the mean speed is the asked one. Where the mean is above it all
// velocities shrink together, which keeps them free of divergence; below it they never grow
// together, because that would feed eddies.
//
// An impulse is in proportion to the velocity that is there: where water is slow because the banks
// make it so, in bays and behind rocks, hardly anything pushes it. T is long against the turn of an
// eddy, so eddies live. Faces get the mean of the changes of their two cells.
#include "core/assert.h"
#include "solvers/river/river_internal.h"

#include "core/numbers.h"

#include <math.h>
#include <string.h>

#define IMPULSE_TIME 30.0 // T, seconds
#define HOLD_TIME    2.0 // in which a river that is too fast comes back to the asked speed, seconds
#define GAIN_TIME    30.0 // in which the gain comes to what the river needs
#define ANSWER       40.0 // how much stronger impulses are for what is missing now
#define TURN_TIME    1.0  // in which a reversed cell is turned
#define LEAST_GAIN   0.1
#define MOST_GAIN    10.0
#define SPEED_UP     1.1  // per second, of cells that are too slow
#define SLOW_DOWN    0.95 // part of what is too fast that is left after a second
#define LEAST_PART   0.05 // of an impulse, so that water at rest starts
#define DRAWS        10.0 // of random numbers per second
#define MOST_SWEEPS  400  // that even targets out across the river

typedef rl_river_row_pass pass;

// ---- Small things ----------------------------------------------------------------------

// By Taylor's series within 45 degrees, where 12 terms are exact to the last bits of a double.
void rl_river_turn(double degrees, double *cosine, double *sine)
{
    double turns = floor(degrees / 90.0 + 0.5);
    const double x = (degrees - 90.0 * turns) * (3.14159265358979323846 / 180.0), x2 = x * x;
    double c = 1.0, s = 1.0;
    for (int n = 12; n >= 1; n--) {
        c = 1.0 - c * x2 / ((2.0 * n - 1.0) * (2.0 * n));
        s = 1.0 - s * x2 / ((2.0 * n) * (2.0 * n + 1.0));
    }
    s *= x;
    turns -= 4.0 * floor(turns / 4.0);
    const double cosines[] = {c, -s, -c, s}, sines[] = {s, c, -s, -c};
    *cosine = cosines[(int)turns];
    *sine = sines[(int)turns];
}

void rl_river_clear(const rl_river_level *l, rill_field *field)
{
    for (int j = 0; j <= l->ny; j++)
        memset(rill_field_row(field, j), 0, (size_t)(l->nx + 1) * sizeof(float));
}

static int row_tiles(const rl_river_level *l)
{
    return (l->ny + RL_RIVER_ROWS - 1) / RL_RIVER_ROWS;
}

static void run_rows(void *context, int tile)
{
    const rl_river_row_pass *p = context;
    const rl_river_level *levels = p->river->levels;
    int level = 0;
    for (; tile >= row_tiles(&levels[level]); level++)
        tile -= row_tiles(&levels[level]);
    const int first = tile * RL_RIVER_ROWS, ny = levels[level].ny;
    for (int j = first; j < ny && j < first + RL_RIVER_ROWS; j++)
        p->row(p, level, j);
}

void rl_river_run_rows(rl_jobs *jobs, const rl_river_row_pass *p)
{
    int tiles = 0;
    for (int k = 0; k <= p->river->coarsest_work; k++)
        tiles += row_tiles(&p->river->levels[k]);
    rl_jobs_run(jobs, tiles, run_rows, (void *)(uintptr_t)p);
}

int64_t rl_river_count_reversed(rl_river *r, rl_jobs *jobs)
{
    rl_river_update_centres(r, jobs);
    const rl_river_level *l = &r->levels[0];
    const float least = r->def.min_speed * r->def.speed; // what is slower does not flow
    int64_t count = 0;
    for (int n = 0; n < l->all.count; n++) {
        const rl_river_run run = l->all.runs[n];
        const float *x = rill_field_row(&r->velocity_x, run.row);
        const float *y = rill_field_row(&r->velocity_y, run.row);
        const float *hint_x = rill_field_row(&l->hint_x, run.row);
        const float *hint_y = rill_field_row(&l->hint_y, run.row);
        for (int i = run.first; i < run.end; i++)
            count += x[i] * hint_x[i] + y[i] * hint_y[i] < 0.0f &&
                     x[i] * x[i] + y[i] * y[i] > least * least;
    }
    return count;
}

// ---- Targets ---------------------------------------------------------------------------

// Continuity: as much faster as the columns let less water pass (Eq. 3.27; erratum 9 to Burrell).
static double target_of(const rl_river *r, int i, int j, double mean_pressure)
{
    RL_ASSERT(i >= 0 && i < r->nx && j >= 0 && j < r->ny);
    if (!(mean_pressure > 0.0))
        return 1.0;
    const double ratio = (double)rill_field_row(&r->columns->pressure, j)[i] / mean_pressure;
    return 1.0 / (double)rl_column_conveyance(r, ratio);
}

// Means over a cell and the wet ones beside it.
static void smooth_row(const rl_river *r, rl_river_run run, const rill_field *from, rill_field *to)
{
    const int j = run.row;
    const rill_field *part = &r->levels[0].wet; // 1 in wet cells
    const float *here = rill_field_row(from, j), *wet = rill_field_row(part, j);
    const float *south = rill_field_row(from, j - 1), *north = rill_field_row(from, j + 1);
    const float *wet_south = rill_field_row(part, j - 1), *wet_north = rill_field_row(part, j + 1);
    float *out = rill_field_row(to, j);
    for (int i = run.first; i < run.end; i++) {
        const float count = 1.0f + ((wet[i - 1] + wet[i + 1]) + (wet_south[i] + wet_north[i]));
        const float sum = here[i] + ((wet[i - 1] * here[i - 1] + wet[i + 1] * here[i + 1]) +
                                     (wet_south[i] * south[i] + wet_north[i] * north[i]));
        out[i] = sum / count;
    }
}

// Continuity speaks of whole sections of a river, not of the shallow water at its banks, which
// should not be the fastest: so targets are evened out over about half the width of the river. An
// even number of sweeps, each of which adds 0.4 cells^2 to the variance.
static void smooth_targets(rl_river *r)
{
    rl_river_level *l = &r->levels[0];
    const double across = rl_river_cells_across(r), sweeps = 0.25 * across * across / 0.4;
    for (int n = 0; n < (int)fmin(sweeps, MOST_SWEEPS); n += 2) {
        for (int k = 0; k < l->all.count; k++)
            smooth_row(r, l->all.runs[k], &l->target, &r->dye_next);
        for (int k = 0; k < l->all.count; k++)
            smooth_row(r, l->all.runs[k], &r->dye_next, &l->target);
    }
}

void rl_river_targets(rl_river *r)
{
    rl_river_level *l = &r->levels[0];
    const double mean_pressure = r->columns != NULL ? rl_column_mean_pressure(r) : 0.0;
    rl_river_hints_mend(r);
    rl_river_clear(l, &l->target);
    for (int n = 0; n < l->all.count; n++) {
        const rl_river_run run = l->all.runs[n];
        float *target = rill_field_row(&l->target, run.row);
        for (int i = run.first; i < run.end; i++)
            target[i] = (float)target_of(r, i, run.row, mean_pressure);
    }
    if (mean_pressure > 0.0)
        smooth_targets(r);
    const double sum = rl_river_sum(&l->all, &l->target, NULL);
    if (!(sum > 0.0))
        return;
    const float scale = (float)((double)r->def.speed * (double)l->all.cells / sum);
    for (int n = 0; n < l->all.count; n++) {
        const rl_river_run run = l->all.runs[n];
        float *target = rill_field_row(&l->target, run.row);
        for (int i = run.first; i < run.end; i++)
            target[i] *= scale;
    }
}

// ---- Impulses --------------------------------------------------------------------------

static rl_river_drive_row row_of(const rl_river_level *l, int j)
{
    return (rl_river_drive_row){
        .u = rill_field_row(&l->u, j),
        .v = rill_field_row(&l->v, j),
        .v_north = rill_field_row(&l->v, j + 1),
        .hint_x = rill_field_row(&l->hint_x, j),
        .hint_y = rill_field_row(&l->hint_y, j),
        .target = rill_field_row(&l->target, j),
        .open_x = rill_field_row(&l->open_x, j),
        .open_y = rill_field_row(&l->open_y, j),
        .change_x = rill_field_row(&l->u_next, j),
        .change_y = rill_field_row(&l->v_next, j),
        .change_y_south = rill_field_row(&l->v_next, j > 0 ? j - 1 : j),
    };
}

static void change_cells(const pass *p, int level, int j)
{
    const rl_river *r = p->river;
    const rl_river_level *l = &r->levels[level];
    rl_river_drive_row row = row_of(l, j);
    row.noise =
        (uint32_t)rl_random_bits(r->seed, p->draw, (uint64_t)level << 32 | (uint64_t)(uint32_t)j);
    for (int n = l->work.row_first[j]; n < l->work.row_first[j + 1]; n++) {
        row.first = l->work.runs[n].first;
        row.end = l->work.runs[n].end;
        r->rows->drive_cells(&row, p->drive);
    }
}

static void change_faces(const pass *p, int level, int j)
{
    const rl_river_level *l = &p->river->levels[level];
    rl_river_drive_row f = row_of(l, j);
    for (int n = l->work.row_first[j]; n < l->work.row_first[j + 1]; n++) {
        f.first = l->work.runs[n].first;
        f.end = l->work.runs[n].end;
        p->river->rows->drive_faces(&f);
        // At an open border a face has one cell alone.
        if (f.first == 0 && f.open_x[0] > 0.0f)
            f.u[0] += f.change_x[0];
        if (f.end == l->nx && f.open_x[l->nx] > 0.0f)
            f.u[l->nx] += f.change_x[l->nx - 1];
        if (j < l->ny - 1)
            continue;
        const float *open = rill_field_row(&l->open_y, l->ny);
        float *v = rill_field_row(&l->v, l->ny);
        for (int i = f.first; i < f.end; i++)
            v[i] += open[i] > 0.0f ? f.change_y[i] : 0.0f;
    }
}

// A face between levels takes the change of its smaller cell.
static void change_joints(rl_river *r)
{
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const rl_river_level *l = &r->levels[joint->level];
        const rill_field *change = joint->axis == 0 ? &l->u_next : &l->v_next;
        if (joint->open > 0.0f)
            *rl_river_face(r, joint->level, joint->axis, joint->face_i, joint->face_j) +=
                rill_field_row(change, joint->fine_j)[joint->fine_i];
    }
}

// A gain that answers at once, and one that takes over slowly what is always needed.
static void hold_mean_speed(rl_river *r, double dt, rl_river_drive *drive)
{
    double missing = 0.0;
    if (!(r->gain > 0.0))
        r->gain = 1.0;
    if (r->mean_speed > 0.0)
        missing = fmax(fmin((double)r->def.speed / r->mean_speed - 1.0, 0.5), -0.5);
    // In a long step an impulse does so much at once that a strong answer would overshoot.
    const double answer = fmin(ANSWER, 0.5 * (IMPULSE_TIME + dt) / dt) * missing;
    r->gain += dt / (GAIN_TIME + dt) * answer;
    r->gain = fmin(fmax(r->gain, LEAST_GAIN), MOST_GAIN);
    drive->gain = (float)fmax(r->gain + answer, 0.0);
    drive->scale = (float)(dt / (HOLD_TIME + dt) * fmin(missing, 0.0));
}

static rl_river_drive drive_of(rl_river *r, double dt)
{
    const rill_river_def *def = &r->def;
    double cosine = 2.0, sine; // never
    if (def->reversal > 0.0f)
        rl_river_turn(0.5 * (double)def->reversal, &cosine, &sine);
    rl_river_drive drive = {
        .rate = (float)(dt / (IMPULSE_TIME + dt)),
        .least = (float)LEAST_PART,
        .vary = def->vary,
        .vary_columns = r->columns != NULL ? def->columns.weight * def->columns.vary : 0.0f,
        .slowest = def->min_speed * def->speed,
        .fastest = def->max_speed * def->speed,
        .speed_up = (float)(1.0 / rill_power(1.0 / SPEED_UP, dt) - 1.0),
        .slow_down = (float)(1.0 - rill_power(SLOW_DOWN, dt)),
        .cosine = (float)cosine,
        .turn = (float)(dt / (TURN_TIME + dt)),
    };
    hold_mean_speed(r, dt, &drive);
    return drive;
}

void rl_river_impulse(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(dt > 0.0);
    const rl_river_drive drive = drive_of(r, dt);
    pass p = {.river = r,
              .row = change_cells,
              .drive = &drive,
              .draw = (uint64_t)((double)r->steps * dt * DRAWS)};
    rl_river_run_rows(jobs, &p);
    p.row = change_faces;
    rl_river_run_rows(jobs, &p);
    change_joints(r);
    r->velocities_fresh = false;
}
