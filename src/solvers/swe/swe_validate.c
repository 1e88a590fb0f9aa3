// SPDX-License-Identifier: MIT
// swe_validate.c - what holds between the steps of the swe solver.
#include "solvers/swe/swe.h"

#include "solvers/shared/grid_solver.h"

#include <math.h>
#include <stdlib.h>

#define NAME "swe"

static const char *validate_row(const rl_swe *s, int y)
{
    const rl_swe_moving *m = rl_swe_now(s);
    const float *u = rill_field_row(&m->u, y), *v = rill_field_row(&m->v, y);
    const float *depth = rill_field_row(&m->depth, y), *phi = rill_field_row(&m->phi, y);
    const float deepest = fmaxf(s->running_max[y], s->largest.depth);
    const rl_validate_row row = {
        .solver = NAME,
        .row = y,
        .end = s->nx,
        .depth = depth,
        .remainder = rill_field_row(&m->remainder, y),
        .deepest = deepest,
        .largest_remainder = RL_VALIDATE_ROUNDINGS * (deepest + (float)s->cell_size),
    };
    const char *wrong = rl_validate_row_of(&row);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "bed", y, rill_field_row(&s->bed, y), s->nx, RL_FAR / 2);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "u", y, u - 1, s->nx + 1, s->largest.u);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "v", y, v, s->nx, s->largest.v);
    if (wrong == NULL && (v[-1] != v[0] || v[s->nx] != v[s->nx - 1]))
        return RL_INVALID(NAME ": the copies beside row %d of v are not its ends", y);
    if (wrong == NULL && (depth[-1] != 0.0f || depth[s->nx] != 0.0f))
        return RL_INVALID(NAME ": there is water in a ghost cell beside row %d", y);
    for (int i = 0; i < s->nx && wrong == NULL; i++) {
        const bool absorbs = s->absorbing.on &&
                             (s->absorbing.profile_x[i] > 0.0f || s->absorbing.profile_y[y] > 0.0f);
        if (!isfinite(phi[i]) || (!absorbs && phi[i] != 0.0f))
            wrong = RL_INVALID(NAME ": phi of cell (%d, %d) is %g", i, y, (double)phi[i]);
        else if ((rl_swe_is_marked(s, 0, i, y) && u[i] != 0.0f) ||
                 (rl_swe_is_marked(s, 1, i, y) && v[i] != 0.0f))
            wrong = RL_INVALID(NAME ": water flows through a wall beside cell (%d, %d)", i, y);
    }
    return wrong;
}

static const char *validate_borders(const rl_swe *s)
{
    const rl_swe_moving *m = rl_swe_now(s);
    const ptrdiff_t pitch = (ptrdiff_t)m->u.pitch;
    const char *wrong = NULL;
    if (!rl_swe_lets_through(s, RILL_SIDE_WEST))
        wrong = rl_validate_closed(NAME, "u", -1, m->u.origin - 1, pitch, s->ny);
    if (wrong == NULL && !rl_swe_lets_through(s, RILL_SIDE_EAST))
        wrong = rl_validate_closed(NAME, "u", -1, m->u.origin + s->nx - 1, pitch, s->ny);
    if (wrong == NULL && !rl_swe_lets_through(s, RILL_SIDE_SOUTH))
        wrong = rl_validate_closed(NAME, "v", -1, rill_field_row(&m->v, -1), 1, s->nx);
    if (wrong == NULL && !rl_swe_lets_through(s, RILL_SIDE_NORTH))
        wrong =
            rl_validate_closed(NAME, "v", s->ny - 1, rill_field_row(&m->v, s->ny - 1), 1, s->nx);
    for (int y = -1; y <= s->ny && wrong == NULL; y++)
        for (int i = -1; i <= s->nx && wrong == NULL; i += i < 0 || y < 0 || y == s->ny ? 1 : s->nx)
            if ((i < 0 || i == s->nx || y < 0 || y == s->ny) &&
                rill_field_row(&s->bed, y)[i] != RL_WALL)
                wrong = RL_INVALID(NAME ": the ground beyond cell (%d, %d) is no wall", i, y);
    return wrong;
}

// Falls are between neighbours, in the order of their lower cells.
static const char *validate_falls(const rl_swe *s)
{
    if (s->fall_capacity == 0)
        return NULL;
    if (s->fall_count < 0 || s->fall_count > s->fall_capacity ||
        s->fall_rows[s->ny] != s->fall_count)
        return RL_INVALID(NAME ": %d falls are listed, %d are in rows, %d fit", s->fall_count,
                          s->fall_rows[s->ny], s->fall_capacity);
    for (int y = 0; y < s->ny; y++)
        for (int n = s->fall_rows[y]; n < s->fall_rows[y + 1]; n++) {
            const rl_fall *f = &s->falls[n];
            if (f->lower_j != y || abs(f->upper_i - f->lower_i) + abs(f->upper_j - y) != 1 ||
                !(f->volume >= 0.0) || !isfinite(f->volume))
                return RL_INVALID(NAME ": fall %d of row %d has a wrong place or %g m3", n, y,
                                  f->volume);
        }
    return NULL;
}

const char *rl_swe_validate(void *self)
{
    rl_swe *s = self;
    const char *wrong = NULL;
    for (int y = 0; y < s->ny && wrong == NULL; y++)
        wrong = validate_row(s, y);
    if (wrong == NULL)
        wrong = validate_borders(s);
    if (wrong == NULL)
        wrong = validate_falls(s);
    const bool some_marked = s->some_marked;
    rl_swe_count_marks(s);
    if (wrong == NULL && s->some_marked != some_marked)
        wrong = RL_INVALID(NAME ": walls between cells are %s", some_marked ? "none" : "forgotten");
    return wrong;
}
