// SPDX-License-Identifier: MIT
// swe_falls.c - faces over cliffs, and what goes over them (Chentanez and Müller section 2.4.3).
// The lower cell does not get the water: it waits in the fall until particles take it.
//
// The list is in the order of the lower cells, so that each band of a sweep finds its own falls,
// and within a cell in that of the sides.
#include "core/assert.h"
#include "solvers/swe/swe.h"
#include "solvers/swe/swe_deposit_inline.h"

#include <string.h>

// From the lower cell to the upper one.
static const int step_x[] = {-1, 1, 0, 0}, step_y[] = {0, 0, -1, 1};

int rl_swe_fall_capacity(const rill_world_def *def)
{
    if (!def->swe.waterfalls || def->particles.max_particles <= 0)
        return 0;
    return (int)((int64_t)def->nx * def->ny / 4 + 256);
}

// Order of the list: where the lower cell lies, then on which side of it the upper one.
static int64_t place_of(const rl_swe *s, const rl_fall *f)
{
    int side = 0;
    while (f->upper_i - f->lower_i != step_x[side] || f->upper_j - f->lower_j != step_y[side])
        side++;
    return ((int64_t)f->lower_j * s->nx + f->lower_i) * 4 + side;
}

static void index_rows(rl_swe *s)
{
    RL_ASSERT(s->fall_count >= 0 && s->fall_count <= s->fall_capacity);
    int n = 0;
    for (int y = 0; y <= s->ny; y++) {
        while (n < s->fall_count && s->falls[n].lower_j < y)
            n++;
        s->fall_rows[y] = n;
    }
}

// What waits in a fall that is none any more goes to the cell below it.
static void dissolve(rl_swe *s, const rl_fall *f)
{
    RL_ASSERT(f->volume >= 0.0);
    const float depth = (float)(f->volume / (s->cell_size * s->cell_size));
    const rl_deposit deposit = {
        .row = f->lower_j, .first = f->lower_i, .count = 1, .depth = &depth};
    if (depth > 0.0f)
        rl_swe_deposit(s, &deposit);
}

// Lists the falls of the ground as it is now; those that were there before keep their water.
void rl_swe_find_falls(rl_swe *s)
{
    if (s->fall_capacity == 0)
        return;
    const float cliff = (float)((double)s->def.cliff * s->cell_size);
    int count = 0, old = 0;
    s->falls_left_out = 0;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            for (int side = 0; side < 4; side++) {
                const int x = i + step_x[side], y = j + step_y[side];
                if (x < 0 || x >= s->nx || y < 0 || y >= s->ny ||
                    !(rill_field_row(&s->bed, y)[x] - rill_field_row(&s->bed, j)[i] > cliff))
                    continue;
                if (count == s->fall_capacity) {
                    s->falls_left_out++;
                    continue;
                }
                rl_fall *f = &s->falls_next[count++];
                *f = (rl_fall){.upper_i = x, .upper_j = y, .lower_i = i, .lower_j = j};
                const int64_t place = place_of(s, f);
                while (old < s->fall_count && place_of(s, &s->falls[old]) < place)
                    dissolve(s, &s->falls[old++]);
                if (old < s->fall_count && place_of(s, &s->falls[old]) == place)
                    f->volume = s->falls[old++].volume;
            }
    while (old < s->fall_count)
        dissolve(s, &s->falls[old++]);
    memset(s->falls_next + count, 0, (size_t)(s->fall_capacity - count) * sizeof *s->falls_next);
    rl_fall *const spare = s->falls;
    s->falls = s->falls_next;
    s->falls_next = spare;
    s->fall_count = count;
    index_rows(s);
}

void rl_swe_falls_restored(rl_swe *s)
{
    if (s->fall_capacity > 0)
        index_rows(s);
}

int rl_swe_falls_left_out(const void *self)
{
    return ((const rl_swe *)self)->falls_left_out;
}

// Where the discharge over a fall stands, and its sign towards the lower cell.
static float *discharge_over(const rl_fall *f, rl_swe_discharges q, float *sign)
{
    *sign = f->upper_i < f->lower_i || f->upper_j < f->lower_j ? 1.0f : -1.0f;
    if (f->upper_j < f->lower_j)
        return &q.south[f->lower_i];
    if (f->upper_j > f->lower_j)
        return &q.north[f->lower_i];
    return &q.x[f->upper_i < f->lower_i ? f->upper_i : f->lower_i];
}

static bool falls_free(const rl_swe *s, const rl_fall *f, const float *depth_old)
{
    return rl_swe_falls_free(rill_field_row(&s->bed, f->upper_j)[f->upper_i],
                             rill_field_row(&s->bed, f->lower_j)[f->lower_i],
                             depth_old[f->lower_i]);
}

void rl_swe_take_falls(rl_swe *s, int y, const float *depth_old, rl_swe_discharges q, float *over,
                       float *depth, float *remainder, bool book)
{
    RL_ASSERT(y >= 0 && y < s->ny && s->fall_rows[y] <= s->fall_rows[y + 1]);
    for (int n = s->fall_rows[y]; n < s->fall_rows[y + 1]; n++) {
        rl_fall *f = &s->falls[n];
        const int i = f->lower_i;
        const bool from_north = f->upper_j > f->lower_j;
        float sign, *through = discharge_over(f, q, &sign);
        if (from_north)
            over[i] = 0.0f;
        if (!(*through * sign > 0.0f) || !falls_free(s, f, depth_old))
            continue;
        const double taken = rl_swe_change_by(&depth[i], &remainder[i], -(double)(*through * sign));
        if (book)
            f->volume -= taken * s->cell_size * s->cell_size;
        if (from_north)
            over[i] = *through;
        // To the water below its face is a wall: a fall brings no momentum either. The water flies
        // off with that, and brings it when it lands.
        *through = 0.0f;
    }
}

void rl_swe_begin_falls(const rl_swe *s, int y, const float *depth_old, float *north, float *over)
{
    RL_ASSERT(y > 0 && y < s->ny);
    for (int n = s->fall_rows[y - 1]; n < s->fall_rows[y]; n++) {
        const rl_fall *f = &s->falls[n];
        const int i = f->lower_i;
        if (f->upper_j != y)
            continue;
        over[i] = 0.0f;
        if (!(-north[i] > 0.0f) || !falls_free(s, f, depth_old))
            continue;
        over[i] = north[i];
        north[i] = 0.0f;
    }
}

void rl_swe_subtract_falls(const rl_swe *s, int y, const float *over, float *depth,
                           float *remainder)
{
    RL_ASSERT(y > 0 && y < s->ny);
    for (int n = s->fall_rows[y - 1]; n < s->fall_rows[y]; n++) {
        const rl_fall *f = &s->falls[n];
        const int i = f->upper_i;
        if (f->upper_j == y)
            rl_swe_change_by(&depth[i], &remainder[i], (double)over[i]);
    }
}

rl_motion rl_swe_motion(void *self)
{
    rl_swe *s = self;
    const rl_swe_moving *m = rl_swe_now(s);
    for (int n = 0; n < s->fall_count; n++) {
        rl_fall *f = &s->falls[n];
        const float *u = rill_field_row(&m->u, f->upper_j), *v = rill_field_row(&m->v, f->upper_j);
        const float *v_south = rill_field_row(&m->v, f->upper_j - 1);
        const int i = f->upper_i;
        rl_swe_fall_velocity(f->lower_i - i, f->lower_j - f->upper_j, u[i - 1], u[i], v_south[i],
                             v[i], &f->velocity, &f->across);
    }
    return (rl_motion){
        .depth_before = s->moving[!s->now].depth.origin,
        .step = s->last_step,
        .depth_limit = s->last_step > 0.0 ? s->k.deepest : 0.0f,
        .falls = s->falls,
        .fall_count = s->fall_count,
    };
}
