// SPDX-License-Identifier: MIT
// swe_shift.c - moving the grid over a larger terrain in whole cells. The water of after is made in
// the spare set of fields, as a step does.
#include "solvers/swe/swe.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

// Copies columns [first, first + count) of row y_from, moved by di, into row y of `to`; values that
// come from beyond [low, high] become 0.
static void shift_row(const rill_field *from, rill_field *to, int y, int y_from, int di, int low,
                      int high)
{
    float *row = rill_field_row(to, y);
    for (int i = low; i <= high; i++) {
        const int source = i + di;
        row[i] = y_from >= -1 && y_from < from->ny && source >= low && source <= high
                     ? rill_field_row(from, y_from)[source]
                     : 0.0f;
    }
}

static void shift_moving(rl_swe *s, int di, int dj)
{
    const rl_swe_moving *from = &s->moving[s->now];
    rl_swe_moving *to = &s->moving[!s->now];
    const int last = s->nx - 1;
    for (int y = -1; y < s->ny; y++) {
        shift_row(&from->v, &to->v, y, y + dj, di, 0, last);
        if (y < 0)
            continue;
        const int y_from = y + dj >= 0 ? y + dj : s->ny; // row -1 has north faces alone
        shift_row(&from->depth, &to->depth, y, y_from, di, 0, last);
        shift_row(&from->remainder, &to->remainder, y, y_from, di, 0, last);
        shift_row(&from->phi, &to->phi, y, y_from, di, 0, last);
        shift_row(&from->u, &to->u, y, y_from, di, -1, last);
    }
}

static bool is_inside(const rl_swe *s, int i, int y)
{
    return i >= 0 && i < s->nx && y >= 0 && y < s->ny;
}

// Water of the cells that leave, m.
static double leaving(const rl_swe *s, int di, int dj)
{
    const rl_swe_moving *m = rl_swe_now(s);
    double sum = 0.0;
    for (int y = 0; y < s->ny; y++)
        for (int i = 0; i < s->nx; i++)
            if (!is_inside(s, i - di, y - dj))
                sum += (double)rill_field_row(&m->depth, y)[i] +
                       (double)rill_field_row(&m->remainder, y)[i];
    return sum;
}

// Fills the cells that came in; returns their water, m.
static double entering(rl_swe *s, int di, int dj, float level)
{
    double sum = 0.0;
    for (int y = 0; y < s->ny; y++) {
        float *depth = rill_field_row(&rl_swe_now(s)->depth, y);
        for (int i = 0; i < s->nx; i++) {
            if (is_inside(s, i + di, y + dj))
                continue;
            const float over = level - rill_field_row(&s->bed, y)[i];
            depth[i] = over > 0.0f ? over : 0.0f;
            sum += (double)depth[i];
            s->largest.depth = fmaxf(s->largest.depth, depth[i]);
        }
    }
    return sum;
}

// Marks move with their cells.
static void shift_marks(rl_swe *s, int di, int dj)
{
    if (!s->some_marked)
        return;
    // In the order in which no row is overwritten before it is read.
    for (int n = 0; n < s->ny; n++) {
        const int y = dj >= 0 ? n : s->ny - 1 - n;
        for (int axis = 0; axis < 2; axis++) {
            const bool forth = di >= 0;
            for (int m = 0; m < s->nx; m++) {
                const int i = forth ? m : s->nx - 1 - m;
                rl_swe_set_mark(s, axis, i, y, rl_swe_is_marked(s, axis, i + di, y + dj));
            }
        }
    }
    rl_swe_count_marks(s);
}

// Falls move with their cells. Returns what waited in those that left, m^3.
static double shift_falls(rl_swe *s, int di, int dj)
{
    double lost = 0.0;
    int count = 0;
    for (int n = 0; n < s->fall_count; n++) {
        rl_fall f = s->falls[n];
        f.upper_i -= di;
        f.lower_i -= di;
        f.upper_j -= dj;
        f.lower_j -= dj;
        if (is_inside(s, f.upper_i, f.upper_j) && is_inside(s, f.lower_i, f.lower_j))
            s->falls[count++] = f;
        else
            lost += f.volume;
    }
    s->fall_count = count;
    return lost;
}

void rl_swe_shift(void *self, int di, int dj, const rill_field *bed, float level,
                  rl_exchange *exchange)
{
    rl_swe *s = self;
    RL_ASSERT(bed->nx == s->nx && bed->ny == s->ny);
    const double area = s->cell_size * s->cell_size;
    // Rows are not what they were: the running maxima become one.
    s->largest.depth = rl_running_max_over(s->running_max, s->ny, s->largest.depth);
    rl_running_max_clear(s->running_max, s->ny);
    exchange->out += leaving(s, di, dj) * area;
    shift_moving(s, di, dj);
    s->now = !s->now;
    for (int y = 0; y < s->ny; y++)
        memcpy(rill_field_row(&s->bed, y), rill_field_row(bed, y), (size_t)s->nx * sizeof(float));
    exchange->in += entering(s, di, dj, level) * area;
    exchange->out += shift_falls(s, di, dj);
    shift_marks(s, di, dj);
    rl_swe_find_falls(s);
    rl_swe_forget_outside_absorbing(s);
    rl_swe_settle_faces(s);
    // How the water moved before has no meaning in the new place.
    memcpy(s->moving[!s->now].depth.origin, rl_swe_now(s)->depth.origin,
           (size_t)s->ny * s->bed.pitch * sizeof(float));
    s->last_step = 0.0;
}

// ---- Velocities of what came in --------------------------------------------------------

// Faces of row y, east (axis 0) or north (1) of their cells, that the shift has not brought along.
static void enter_row(rl_swe *s, int axis, int y, int di, int dj, const rill_field *cells)
{
    const int east = axis == 0, north = axis == 1;
    const bool stays = y + dj >= -north && y + dj < s->ny;
    const float *here = rill_field_row(cells, y), *next = rill_field_row(cells, y + north);
    float *row = rill_field_row(axis == 0 ? &rl_swe_now(s)->u : &rl_swe_now(s)->v, y);
    float *most = axis == 0 ? &s->largest.u : &s->largest.v;
    for (int i = -east; i < s->nx; i++) {
        if (stays && i + di >= -east && i + di < s->nx)
            continue;
        bool wall = rl_swe_is_marked(s, axis, i, y);
        if (is_inside(s, i, y) && is_inside(s, i + east, y + north)) {
            const rl_swe_end a = rl_swe_end_at(s, i, y), b = rl_swe_end_at(s, i + east, y + north);
            wall |= rl_swe_is_wall(a, b, rl_swe_fall_between(a, b), s->k);
        }
        row[i] = wall ? -0.0f : 0.5f * (here[i] + next[i + east]);
        *most = fmaxf(*most, fabsf(row[i]));
    }
}

void rl_swe_enter(void *self, int di, int dj, const rill_field *x, const rill_field *y)
{
    rl_swe *s = self;
    RL_ASSERT(x->margin >= 1 && y->margin >= 1);
    for (int row = -1; row < s->ny; row++) {
        if (row >= 0)
            enter_row(s, 0, row, di, dj, x);
        enter_row(s, 1, row, di, dj, y);
    }
    rl_swe_settle_faces(s);
}
