// SPDX-License-Identifier: MIT
// layers_passages_capacity.c - capacity that liquid makes by passing on. The limiters of inflow of
// a step count the free volume below the ceiling alone (docs/papers.md, erratum 13 to Dagenais), so
// that a covered column cannot pass on more than it lacks: where passages fill and open, liquid
// would be held up, the more the longer the step. Here the columns that are of limited inflow are
// read again, and what leaves them counts as capacity. Limiters of inflow only grow by that, so
// what leaves with the limiters of now will leave, but for what enters passages: that may be cut
// when they are balanced. So columns are checked once more after that, and those that counted on
// too much take less in.
#include "solvers/layers/layers_passages_inside.h"

#include <math.h>

static float limited(const rl_layers *s, float q, ptrdiff_t from, ptrdiff_t to)
{
    const float *out = s->outflow_limiter.origin, *in = s->inflow_limiter.origin;
    return rl_pipe_limit_inflow(rl_pipe_limit(q, out[from], out[to]), in[from], in[to]);
}

// What wants to enter a column if it fits, and what leaves it, m^2/s.
static float entering(const rl_layers *s, const rl_layers_limited *column)
{
    const ptrdiff_t slot = column->slot, pitch = (ptrdiff_t)s->base.pitch;
    const ptrdiff_t west = slot - 1, south = slot - pitch;
    const float *limiter = s->outflow_limiter.origin, *x = s->raw_x.origin, *y = s->raw_y.origin;
    return (rl_passages_positive(x[west]) * limiter[west] +
            rl_passages_positive(-x[slot]) * limiter[slot + 1]) +
           (rl_passages_positive(y[south]) * limiter[south] +
            rl_passages_positive(-y[slot]) * limiter[slot + pitch]) +
           column->entering;
}

static float leaving(const rl_layers *s, const rl_layers_limited *column)
{
    const ptrdiff_t slot = column->slot, pitch = (ptrdiff_t)s->base.pitch;
    const ptrdiff_t west = slot - 1, south = slot - pitch;
    const float *x = s->raw_x.origin, *y = s->raw_y.origin;
    return (rl_passages_positive(-limited(s, x[west], west, slot)) +
            rl_passages_positive(limited(s, x[slot], slot, slot + 1))) +
           (rl_passages_positive(-limited(s, y[south], south, slot)) +
            rl_passages_positive(limited(s, y[slot], slot, slot + pitch))) +
           column->leaving;
}

static float limiter_of(const rl_layers *s, const rl_layers_limited *column)
{
    const ptrdiff_t slot = column->slot;
    return rl_passages_inflow_limiter(s->base.origin[slot], s->depth.origin[slot],
                                      s->range_max.origin[slot], s->remainder.origin[slot],
                                      entering(s, column), leaving(s, column), s->k);
}

// ---- Columns of limited inflow ---------------------------------------------------------

static void list_limited(rl_layers *s)
{
    rl_layers_passages *p = s->passages;
    p->limited_count = 0;
    for (int plane = 1; plane < s->planes; plane++)
        for (int y = 0; y < s->ny; y++) {
            if (!s->inflow_limited[rl_layers_flag_of(s, plane, y)])
                continue;
            const rl_layers_span *span = rl_layers_span_of(s, plane, y);
            const ptrdiff_t row = rl_layers_row(s, &s->base, plane, y) - s->base.origin;
            for (int x = span->first; x < span->end; x++)
                if (s->inflow_limiter.origin[row + x] < 1.0f &&
                    p->limited_count < p->limited_capacity)
                    p->limited[p->limited_count++] = (rl_layers_limited){
                        .slot = (int32_t)(row + x), .limiter = s->inflow_limiter.origin[row + x]};
        }
}

// The place of a column in the list, or NULL.
static rl_layers_limited *find_limited(const rl_layers_passages *p, ptrdiff_t slot)
{
    size_t low = 0, high = p->limited_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->limited[middle].slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->limited_count && p->limited[low].slot == slot ? &p->limited[low] : NULL;
}

static void sum_cross_pipes(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    const float *limiter = s->inflow_limiter.origin;
    for (size_t n = 0; n < p->limited_count; n++)
        p->limited[n].entering = p->limited[n].leaving = 0.0f;
    for (size_t n = 0; n < s->cross_count; n++) {
        const ptrdiff_t i = (ptrdiff_t)s->cross[n].from, j = (ptrdiff_t)s->cross[n].to;
        const bool forth = s->cross_raw[n] > 0.0f;
        if (s->cross_raw[n] == 0.0f || !(limiter[i] < 1.0f || limiter[j] < 1.0f))
            continue;
        rl_layers_limited *from = find_limited(p, forth ? i : j),
                          *to = find_limited(p, forth ? j : i);
        const float q = s->cross_raw[n];
        if (from != NULL)
            from->leaving += fabsf(limited(s, q, i, j));
        if (to != NULL)
            to->entering +=
                fabsf(rl_pipe_limit(q, s->outflow_limiter.origin[i], s->outflow_limiter.origin[j]));
    }
}

static void widen(rl_layers *s, const rl_layers_limited *column)
{
    float *limiter = &s->inflow_limiter.origin[column->slot];
    *limiter = rl_passages_wider(*limiter, limiter_of(s, column));
}

// Forth and back, so that the column downstream comes first in one of the two, whichever way the
// liquid goes.
void rl_layers_widen_capacities(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    list_limited(s);
    if (p->limited_count == 0)
        return;
    sum_cross_pipes(s);
    for (size_t n = 0; n < p->limited_count; n++)
        widen(s, &p->limited[n]);
    for (size_t n = p->limited_count; n-- > 0;)
        widen(s, &p->limited[n]);
}

bool rl_layers_narrow_capacities(rl_layers *s, bool safely)
{
    const rl_layers_passages *p = s->passages;
    bool some = false;
    if (p->limited_count == 0)
        return false;
    sum_cross_pipes(s);
    for (size_t n = 0; n < p->limited_count; n++) {
        const rl_layers_limited *column = &p->limited[n];
        float *limiter = &s->inflow_limiter.origin[column->slot];
        const float fits = limiter_of(s, column);
        if (!rl_passages_too_wide(*limiter, column->limiter, fits))
            continue;
        *limiter = rl_passages_narrower(column->limiter, fits, safely);
        some = true;
    }
    return some;
}
