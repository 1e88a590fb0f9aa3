// SPDX-License-Identifier: MIT
// layers_validate.c - what holds between the steps of the layers solver.
#include "solvers/layers/layers.h"

#include <float.h>
#include <math.h>

#define NAME "layers"

// A flooded column keeps in its remainder what its passage could not place: metres per cell.
#define FULL 1e-3f

// A column lies in its range and below its ceiling; a slot without one is empty.
static const char *validate_slot(const rl_layers *s, int plane, int i, int y)
{
    const size_t slot = rl_layers_slot(s, plane, i, y);
    const float base = s->base.origin[slot], depth = s->depth.origin[slot];
    if (!rl_layers_live(s, slot)) {
        if (depth != 0.0f || s->remainder.origin[slot] != 0.0f ||
            base != (plane == 0 ? RL_WALL : 0.0f))
            return RL_INVALID(NAME ": slot (%d, %d) of plane %d is dead and not empty", i, y,
                              plane);
        return NULL;
    }
    if (!(fabsf(base) < RL_FAR / 2))
        return RL_INVALID(NAME ": the base of cell (%d, %d) of plane %d is %g m", i, y, plane,
                          (double)base);
    if (!s->on_solid)
        return NULL;
    const float top = s->range_max.origin[slot], flooded = s->flooded.origin[slot];
    if (!(s->range_min.origin[slot] <= base && base <= top) || (plane == 0) != (top >= RL_FAR))
        return RL_INVALID(NAME ": the base %g m of cell (%d, %d) of plane %d is outside its range",
                          (double)base, i, y, plane);
    if (plane > 0 && rl_layers_above(base, depth, top))
        return RL_INVALID(NAME ": cell (%d, %d) of plane %d is %g m deep, above its ceiling", i, y,
                          plane, (double)depth);
    if (flooded != 0.0f && flooded != 1.0f)
        return RL_INVALID(NAME ": cell (%d, %d) of plane %d is flooded by %g", i, y, plane,
                          (double)flooded);
    return NULL;
}

// Rows that are passed over have nothing that moves, and limiters that are not flagged are 1.
static const char *validate_flags(const rl_layers *s, int plane, int y, rl_layers_span span)
{
    const size_t flag = rl_layers_flag_of(s, plane, y);
    const float *depth = rl_layers_row(s, &s->depth, plane, y);
    const float *qx = rl_layers_row(s, &s->qx, plane, y), *qy = rl_layers_row(s, &s->qy, plane, y);
    const float *out = rl_layers_row(s, &s->outflow_limiter, plane, y);
    for (int i = span.first; i < span.end; i++) {
        if (s->quiet[flag] && (depth[i] != 0.0f || qx[i] != 0.0f || qy[i] != 0.0f))
            return RL_INVALID(NAME ": cell (%d, %d) of plane %d moves in a quiet row", i, y, plane);
        if (!(out[i] >= 0.0f && out[i] <= 1.0f) || (!s->outflow_limited[flag] && out[i] != 1.0f))
            return RL_INVALID(NAME ": the outflow limiter of cell (%d, %d) of plane %d is %g", i, y,
                              plane, (double)out[i]);
    }
    return NULL;
}

static const char *validate_row(const rl_layers *s, int plane, int y)
{
    const rl_layers_span span = *rl_layers_span_of(s, plane, y);
    const float *qx = rl_layers_row(s, &s->qx, plane, y);
    const rl_validate_row row = {
        .solver = NAME,
        .layer = plane,
        .row = y,
        .first = span.first,
        .end = span.end,
        .depth = rl_layers_row(s, &s->depth, plane, y),
        .remainder = rl_layers_row(s, &s->remainder, plane, y),
        .deepest = fmaxf(s->running_max[y], s->max_depth),
        .largest_remainder = FULL * (float)s->cell_size,
    };
    if (span.first % 16 != 0 || span.end > s->nx)
        return RL_INVALID(NAME ": row %d of plane %d spans cells %d to %d", y, plane, span.first,
                          span.end);
    const char *wrong = rl_validate_row_of(&row);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "qx", y, qx - 1, s->nx + 1, FLT_MAX);
    if (wrong == NULL)
        wrong =
            rl_validate_values(NAME, "qy", y, rl_layers_row(s, &s->qy, plane, y), s->nx, FLT_MAX);
    for (int i = 0; i < s->nx && wrong == NULL; i++) {
        wrong = validate_slot(s, plane, i, y);
        if (wrong == NULL && (i < span.first || i >= span.end) &&
            rl_layers_live(s, rl_layers_slot(s, plane, i, y)))
            wrong =
                RL_INVALID(NAME ": column (%d, %d) of plane %d is outside its span", i, y, plane);
    }
    return wrong == NULL ? validate_flags(s, plane, y, span) : wrong;
}

static const char *validate_walls(const rl_layers *s, int plane)
{
    bool open[RILL_SIDE_COUNT];
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        open[side] = rl_layers_is_open(s, (rill_side)side);
    return rl_validate_walls(NAME, (const char *const[]){"qx", "qy"},
                             rl_layers_row(s, &s->qx, plane, 0), rl_layers_row(s, &s->qy, plane, 0),
                             s->qx.pitch, s->nx, s->ny, open);
}

// Cross pipes join columns, in the order of the list, and rows know where theirs begin.
static const char *validate_cross(const rl_layers *s)
{
    if (s->cross_first[0] != 0 || s->cross_first[s->ny] != s->cross_count ||
        s->cross_count > s->cross_capacity)
        return RL_INVALID(NAME ": the list of %zu cross pipes does not fit its rows",
                          s->cross_count);
    for (int y = 0; y < s->ny; y++)
        for (size_t n = s->cross_first[y]; n < s->cross_first[y + 1]; n++) {
            const rl_layers_cross *c = &s->cross[n];
            const bool in_order = n == s->cross_first[y] || c[-1].from < c->from ||
                                  (c[-1].from == c->from && c[-1].to != c->to);
            if (!in_order || c->from / s->base.pitch % s->plane_rows != (size_t)y ||
                !isfinite(s->cross_q[n]) ||
                !rl_layers_are_joined(s, (ptrdiff_t)c->from, (ptrdiff_t)c->to))
                return RL_INVALID(NAME ": cross pipe %zu of row %d is not one", n, y);
        }
    return NULL;
}

const char *rl_layers_validate(void *self)
{
    const rl_layers *s = self;
    const char *wrong = s->on_solid ? validate_cross(s) : NULL;
    for (int plane = 0; plane < s->planes && wrong == NULL; plane++) {
        for (int y = 0; y < s->ny && wrong == NULL; y++)
            wrong = validate_row(s, plane, y);
        if (wrong == NULL)
            wrong = validate_walls(s, plane);
    }
    return wrong;
}
