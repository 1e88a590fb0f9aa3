// SPDX-License-Identifier: MIT
#include "solvers/shared/validate.h"

#include "core/assert.h"

#include <math.h>

const char *rl_validate_row_of(const rl_validate_row *r)
{
    RL_ASSERT(r->first <= r->end);
    for (int i = r->first; i < r->end; i++) {
        const float depth = r->depth[i], remainder = r->remainder[i];
        if (!(depth >= 0.0f) || !isfinite(depth))
            return RL_INVALID("%s: the depth of cell (%d, %d) of layer %d is %g m", r->solver, i,
                              r->row, r->layer, (double)depth);
        if (depth > r->deepest)
            return RL_INVALID("%s: cell (%d, %d) of layer %d holds %g m, above the maximum %g m",
                              r->solver, i, r->row, r->layer, (double)depth, (double)r->deepest);
        if (!(fabsf(remainder) <= r->largest_remainder))
            return RL_INVALID("%s: the remainder of cell (%d, %d) of layer %d is %g m", r->solver,
                              i, r->row, r->layer, (double)remainder);
    }
    return NULL;
}

const char *rl_validate_values(const char *solver, const char *what, int y, const float *row,
                               int width, float most)
{
    for (int i = 0; i < width; i++)
        if (!(fabsf(row[i]) <= most))
            return RL_INVALID("%s: value %d of row %d of %s is %g, it must be within %g", solver, i,
                              y, what, (double)row[i], (double)most);
    return NULL;
}

const char *rl_validate_closed(const char *solver, const char *what, int y, const float *row,
                               ptrdiff_t stride, int count)
{
    for (int n = 0; n < count; n++)
        if (row[stride * n] != 0.0f)
            return RL_INVALID("%s: %g flows through closed face %d of row %d of %s", solver,
                              (double)row[stride * n], n, y, what);
    return NULL;
}
