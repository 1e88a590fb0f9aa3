// SPDX-License-Identifier: MIT
// river_hints.c - which way the river flows, everywhere (Burrell section 3.5, Algorithm 2 and
// appendix A.2, as erratum 2 to Burrell reads them). Impulses where it comes in, a solve for the
// pressure, and every cell that then moves has a hint: the direction that it moves in. Burrell
// repeats this with impulses along the hints that are there, because twenty sweeps of Jacobi reach
// twenty cells further each time. Multigrid reaches all of the river at once, whatever the flow
// itself is solved with, and a flow from nothing but those first impulses has no curl: hints that
// follow it drive the river and no eddy.
//
// What hardly moves in it, the ends of bays and side arms, takes the mean direction of the cells
// beside it, evened out, for the same reason; side streams go down where their level falls.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

#define SEED_CELLS    4     // from the border where the first impulses are
#define MOVES         0.02f // of the mean speed: below, a cell only gives way a little
#define LEAST_FALL    1e-3f // of a level, metres per metre, that says which way is down
#define EVENINGS      200   // sweeps that even out the directions where nothing moves
#define SMOOTHINGS    3
#define CELLS_INWARDS 8 // cells, to see which way the level falls

static const double inwards[RILL_SIDE_COUNT][2] = {[RILL_SIDE_WEST] = {1.0, 0.0},
                                                   [RILL_SIDE_EAST] = {-1.0, 0.0},
                                                   [RILL_SIDE_SOUTH] = {0.0, 1.0},
                                                   [RILL_SIDE_NORTH] = {0.0, -1.0}};

// ---- Where it comes in -----------------------------------------------------------------

static float border_level(const rl_river *r, rill_side side, int k, int cells)
{
    int i, j;
    rl_side_cell(side, r->nx, r->ny, k, cells, &i, &j);
    return i >= 0 && i < r->nx && j >= 0 && j < r->ny ? rill_field_row(&r->surface, j)[i]
                                                      : RL_RIVER_DRY;
}

// The level a few cells straight inwards, in the same water.
static float level_inwards(const rl_river *r, rill_side side, int k)
{
    float level = border_level(r, side, k, 0);
    for (int n = 1; n <= CELLS_INWARDS; n++) {
        const float next = border_level(r, side, k, n);
        if (next <= RL_RIVER_DRY)
            break;
        level = next;
    }
    return level;
}

static bool wet_at_border(const rl_river *r, rill_side side, int k)
{
    int i, j;
    rl_side_cell(side, r->nx, r->ny, k, 0, &i, &j);
    return rl_river_is_wet(r, i, j);
}

// Does the main channel end in the crossing of a border that place k is part of? A river may leave
// by the side that it came in by.
static bool ends_here(const rl_river *r, rill_side side, int k)
{
    const rill_river_path *path = r->path;
    if (path == NULL || path->found.count < 2)
        return false;
    const double size = (double)r->cell_size;
    const double x = (double)path->found.x[path->found.count - 1],
                 y = (double)path->found.y[path->found.count - 1];
    const double distance[] = {[RILL_SIDE_WEST] = x,
                               [RILL_SIDE_EAST] = size * r->nx - x,
                               [RILL_SIDE_SOUTH] = y,
                               [RILL_SIDE_NORTH] = size * r->ny - y};
    if (distance[side] > 2.0 * size)
        return false;
    const int length = rl_side_length(side, r->nx, r->ny);
    const double along = (rl_side_is_column(side) ? y : x) / size;
    int first = k, end = k + 1;
    while (first > 0 && wet_at_border(r, side, first - 1))
        first--;
    while (end < length && wet_at_border(r, side, end))
        end++;
    return along >= first && along <= end;
}

bool rl_river_comes_in(const rl_river *r, rill_side side, int k)
{
    int i, j;
    rl_side_cell(side, r->nx, r->ny, k, 0, &i, &j);
    if (!rl_river_is_wet(r, i, j) || ends_here(r, side, k))
        return false;
    const rill_river_path *path = r->path;
    const bool falls = path != NULL && path->found.count > 0 && path->found.fall > 0.0;
    const float here = rill_field_row(&r->surface, j)[i];
    if ((int)side == r->from)
        return !falls || (double)here >= (double)path->found.surface[0] - 0.5 * path->found.fall;
    return falls && level_inwards(r, side, k) < here;
}

// From the first point of a line to the last one a few cells on.
static void direction_of_line(const rl_river *r, double *x, double *y)
{
    const rill_river_path_view *found = &r->path->found;
    const int end = found->count > CELLS_INWARDS ? CELLS_INWARDS : found->count - 1;
    const double dx = (double)found->x[end] - (double)found->x[0];
    const double dy = (double)found->y[end] - (double)found->y[0];
    const double length = sqrt(dx * dx + dy * dy);
    *x = length > 0.0 ? dx / length : 1.0;
    *y = length > 0.0 ? dy / length : 0.0;
}

void rl_river_first_direction(const rl_river *r, double *x, double *y)
{
    if (isfinite(r->def.direction)) {
        rl_river_turn((double)r->def.direction, x, y);
        return;
    }
    if (r->from < 0) {
        direction_of_line(r, x, y);
        return;
    }
    *x = inwards[r->from][0];
    *y = inwards[r->from][1];
}

static void seed_side(rl_river *r, rill_side side, double x, double y)
{
    rl_river_level *l = &r->levels[0];
    for (int k = 0; k < rl_side_length(side, r->nx, r->ny); k++) {
        if (!rl_river_comes_in(r, side, k))
            continue;
        for (int n = 0; n < SEED_CELLS; n++) {
            int i, j;
            rl_side_cell(side, r->nx, r->ny, k, n, &i, &j);
            if (!rl_river_is_wet(r, i, j))
                break;
            rill_field_row(&l->hint_x, j)[i] = (float)x;
            rill_field_row(&l->hint_y, j)[i] = (float)y;
        }
    }
}

static void seed(rl_river *r)
{
    double x, y;
    rl_river_clear(&r->levels[0], &r->levels[0].hint_x);
    rl_river_clear(&r->levels[0], &r->levels[0].hint_y);
    for (int side = 0; side < 4; side++)
        if (side != r->from)
            seed_side(r, (rill_side)side, inwards[side][0], inwards[side][1]);
    rl_river_first_direction(r, &x, &y);
    if (r->from >= 0)
        seed_side(r, (rill_side)r->from, x, y);
}

// ---- Flow from hints -------------------------------------------------------------------

void rl_river_rest(rl_river *r)
{
    for (int k = 0; k < r->level_count; k++) {
        rl_river_level *l = &r->levels[k];
        rl_river_clear(l, &l->u);
        rl_river_clear(l, &l->v);
        rl_river_clear(l, &l->pressure);
    }
    r->velocities_fresh = false;
}

static void follow_in_row(rl_river *r, rl_river_run run, float speed)
{
    rl_river_level *l = &r->levels[0];
    const int j = run.row;
    const float *x = rill_field_row(&l->hint_x, j), *y = rill_field_row(&l->hint_y, j);
    const float *y_south = rill_field_row(&l->hint_y, j > 0 ? j - 1 : j);
    const float *target = rill_field_row(&l->target, j);
    const float *target_south = rill_field_row(&l->target, j > 0 ? j - 1 : j);
    const float *open_x = rill_field_row(&l->open_x, j), *open_y = rill_field_row(&l->open_y, j);
    float *u = rill_field_row(&l->u, j), *v = rill_field_row(&l->v, j);
    for (int i = run.first; i < run.end; i++) {
        const int west = i > 0 ? i - 1 : i;
        const float here = speed > 0.0f ? speed : target[i];
        const float there = speed > 0.0f ? speed : target[west];
        const float south = speed > 0.0f ? speed : target_south[i];
        u[i] = open_x[i] > 0.0f ? 0.5f * (x[west] * there + x[i] * here) : 0.0f;
        v[i] = open_y[i] > 0.0f ? 0.5f * (y_south[i] * south + y[i] * here) : 0.0f;
        if (i == l->nx - 1)
            u[i + 1] = open_x[i + 1] > 0.0f ? x[i] * here : 0.0f;
        if (j == l->ny - 1)
            rill_field_row(&l->v, j + 1)[i] =
                rill_field_row(&l->open_y, j + 1)[i] > 0.0f ? y[i] * here : 0.0f;
    }
}

void rl_river_follow_hints(rl_river *r, float speed)
{
    RL_ASSERT(speed >= 0.0f);
    rl_river_rest(r);
    for (int n = 0; n < r->levels[0].all.count; n++)
        follow_in_row(r, r->levels[0].all.runs[n], speed);
}

// ---- Hints from flow -------------------------------------------------------------------

static bool set_hint(rl_river *r, int i, int j, float x, float y, float floor)
{
    const float length = sqrtf(x * x + y * y);
    if (!(length > floor) || !isfinite(length))
        return false;
    rill_field_row(&r->levels[0].hint_x, j)[i] = x / length;
    rill_field_row(&r->levels[0].hint_y, j)[i] = y / length;
    return true;
}

static bool hinted(const rl_river *r, int i, int j)
{
    return rill_field_row(&r->levels[0].hint_x, j)[i] != 0.0f ||
           rill_field_row(&r->levels[0].hint_y, j)[i] != 0.0f;
}

// Sum over a cell and the four beside it; dry ones are 0.
static void sum_of_five(const rill_field *x, const rill_field *y, int i, int j, float sum[2])
{
    sum[0] = rill_field_row(x, j)[i];
    sum[1] = rill_field_row(y, j)[i];
    for (int side = 0; side < 4; side++) {
        const int a = i + (side == 0) - (side == 1), b = j + (side == 2) - (side == 3);
        if (a < 0 || a >= x->nx || b < 0 || b >= x->ny)
            continue;
        sum[0] += rill_field_row(x, b)[a];
        sum[1] += rill_field_row(y, b)[a];
    }
}

// Cells without a hint take the direction of the velocity around them, where it is above `floor`;
// returns how many did.
static int64_t take_directions(rl_river *r, float floor)
{
    int64_t count = 0;
    for (int n = 0; n < r->levels[0].all.count; n++) {
        const rl_river_run run = r->levels[0].all.runs[n];
        for (int i = run.first; i < run.end; i++) {
            if (hinted(r, i, run.row))
                continue;
            float sum[2];
            sum_of_five(&r->velocity_x, &r->velocity_y, i, run.row, sum);
            count += set_hint(r, i, run.row, sum[0], sum[1], floor);
        }
    }
    return count;
}

// Hints of the directions (x, y) everywhere.
static void set_hints(rl_river *r, const rill_field *x, const rill_field *y, float floor)
{
    for (int n = 0; n < r->levels[0].all.count; n++) {
        const rl_river_run run = r->levels[0].all.runs[n];
        for (int i = run.first; i < run.end; i++)
            set_hint(r, i, run.row, rill_field_row(x, run.row)[i], rill_field_row(y, run.row)[i],
                     floor);
    }
}

// A flow of about the asked speed from impulses in the first cells alone, which are so strong that
// they move the whole length of the river.
static void flow_from_seeds(rl_river *r, rl_jobs *jobs)
{
    const rill_river_pressure asked = r->def.pressure;
    r->def.pressure = RILL_RIVER_MULTIGRID;
    rl_river_follow_hints(r, r->def.speed * (float)(r->nx + r->ny) / (float)SEED_CELLS);
    rl_river_project_flow(r, jobs);
    r->def.pressure = asked;
    r->velocities_fresh = false;
    rl_river_update_centres(r, jobs);
}

// ---- What does not move ----------------------------------------------------------------

// Sets the hints aside in the place of the velocities, so that no order of the cells shows.
static void set_aside(rl_river *r)
{
    const rl_river_level *l = &r->levels[0];
    rl_river_copy_runs(&l->all, &l->hint_x, &r->velocity_x);
    rl_river_copy_runs(&l->all, &l->hint_y, &r->velocity_y);
}

// Cells without a hint that touch one with take the mean of those; returns how many did.
static int64_t borrow(rl_river *r)
{
    set_aside(r);
    return take_directions(r, 1e-3f);
}

// Of the cell and the wet ones beside it, where `resting` is set; others stay.
static void even_row(rl_river *r, rl_river_run run, const rill_field *x, const rill_field *y)
{
    rl_river_level *l = &r->levels[0];
    const float *resting = rill_field_row(&r->dye_next, run.row);
    for (int i = run.first; i < run.end; i++) {
        if (resting[i] == 0.0f)
            continue;
        float sum[2];
        int count = 1;
        sum_of_five(x, y, i, run.row, sum);
        for (int side = 0; side < 4; side++) {
            const int a = i + (side == 0) - (side == 1), b = run.row + (side == 2) - (side == 3);
            count += rl_river_is_wet(r, a, b);
        }
        rill_field_row(&l->hint_x, run.row)[i] = sum[0] / (float)count;
        rill_field_row(&l->hint_y, run.row)[i] = sum[1] / (float)count;
    }
}

// A harmonic field in all that does not move: deep in a bay it is the mean over its mouth.
static void even_out(rl_river *r)
{
    rl_river_level *l = &r->levels[0];
    for (int turn = 0; turn < EVENINGS; turn++) {
        set_aside(r);
        for (int n = 0; n < l->all.count; n++)
            even_row(r, l->all.runs[n], &r->velocity_x, &r->velocity_y);
    }
}

// Level of the cell beside (i, j), or that of (i, j) itself where that is dry.
static float level_beside(const rl_river *r, int i, int j, int di, int dj)
{
    const int a = i + di, b = j + dj;
    const bool wet = rl_river_is_wet(r, a, b);
    return rill_field_row(&r->surface, wet ? b : j)[wet ? a : i];
}

// A side stream that starts within the terrain has no flow of its own here, but a level that falls:
// its hints go down.
static void hint_falling(rl_river *r)
{
    const float least = LEAST_FALL * 2.0f * r->cell_size;
    for (int n = 0; n < r->levels[0].all.count; n++) {
        const rl_river_run run = r->levels[0].all.runs[n];
        for (int i = run.first; i < run.end; i++) {
            if (hinted(r, i, run.row))
                continue;
            const float x = level_beside(r, i, run.row, -1, 0) - level_beside(r, i, run.row, 1, 0);
            const float y = level_beside(r, i, run.row, 0, -1) - level_beside(r, i, run.row, 0, 1);
            set_hint(r, i, run.row, x, y, least);
        }
    }
}

// Cells without a hint, marked in a field that is free as long as no dye moves.
static int64_t mark_resting(rl_river *r)
{
    const rl_river_runs *all = &r->levels[0].all;
    int64_t count = 0;
    for (int n = 0; n < all->count; n++) {
        const rl_river_run run = all->runs[n];
        float *resting = rill_field_row(&r->dye_next, run.row);
        for (int i = run.first; i < run.end; i++) {
            resting[i] = hinted(r, i, run.row) ? 0.0f : 1.0f;
            count += resting[i] != 0.0f;
        }
    }
    return count;
}

void rl_river_hints_mend(rl_river *r)
{
    if (mark_resting(r) == 0)
        return;
    r->velocities_fresh = false; // their place is used below
    if (borrow(r) == 0)
        return;
    while (borrow(r) > 0)
        continue;
    even_out(r);
    set_hints(r, &r->levels[0].hint_x, &r->levels[0].hint_y, 1e-6f);
}

// A part of the direction at the border everywhere, and the last word where no cell has one.
static void add_straight(rl_river *r)
{
    double x, y;
    rl_river_first_direction(r, &x, &y);
    const float weight = r->def.straight;
    for (int n = 0; n < r->levels[0].all.count; n++) {
        const rl_river_run run = r->levels[0].all.runs[n];
        float *hint_x = rill_field_row(&r->levels[0].hint_x, run.row);
        float *hint_y = rill_field_row(&r->levels[0].hint_y, run.row);
        for (int i = run.first; i < run.end; i++) {
            const float w = hinted(r, i, run.row) ? weight : 1.0f;
            set_hint(r, i, run.row, hint_x[i] + w * (float)x, hint_y[i] + w * (float)y, 1e-3f);
        }
    }
}

static void smooth(rl_river *r)
{
    rl_river_level *l = &r->levels[0];
    for (int turn = 0; turn < SMOOTHINGS; turn++) {
        for (int n = 0; n < l->all.count; n++) {
            const rl_river_run run = l->all.runs[n];
            float *x = rill_field_row(&r->velocity_x, run.row);
            float *y = rill_field_row(&r->velocity_y, run.row);
            for (int i = run.first; i < run.end; i++) {
                float sum[2];
                sum_of_five(&l->hint_x, &l->hint_y, i, run.row, sum);
                x[i] = sum[0];
                y[i] = sum[1];
            }
        }
        set_hints(r, &r->velocity_x, &r->velocity_y, 1e-3f);
    }
}

void rl_river_hints_find(rl_river *r, rl_jobs *jobs)
{
    rl_river_level *l = &r->levels[0];
    seed(r);
    flow_from_seeds(r, jobs);
    rl_river_clear(l, &l->hint_x);
    rl_river_clear(l, &l->hint_y);
    rl_river_measure_flow(r, jobs);
    take_directions(r, MOVES * (float)r->mean_speed);
    hint_falling(r);
    rl_river_hints_mend(r);
    smooth(r);
    add_straight(r);
    rl_river_rest(r);
    rl_river_levels_merge_hints(r);
}
