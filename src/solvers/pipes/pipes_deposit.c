// SPDX-License-Identifier: MIT
// pipes_deposit.c - giving water to cells and taking it, exactly: what a float cannot hold of it
// goes into the cell's remainder.
#include "solvers/pipes/pipes.h"

#include <math.h>
#include <string.h>

// The bits of a float. Floats that are not negative are in the order of their bits, and the
// compiler makes vectors of comparisons of integers, but not of floats, which might be NaN.
static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool some_negative(const float *values, int count)
{
    int32_t signs = 0;
    for (int i = 0; i < count; i++)
        signs |= bits_of(values[i]);
    return signs < 0;
}

// Water that only comes, such as rain on a whole row. The sum is exact, filled + remainder = depth
// + change (Dekker). Returns the largest depth.
static float add_to_run(float *restrict depth, float *restrict remainder,
                        const float *restrict amounts, int count)
{
    int32_t deepest = 0;
    for (int i = 0; i < count; i++) {
        const float change = amounts[i] + remainder[i], before = depth[i];
        const float filled = before + change;
        const float large = before > change ? before : change;
        const float small = before > change ? change : before;
        depth[i] = filled;
        remainder[i] = small - (filled - large);
        const int32_t bits = bits_of(filled);
        deepest = bits > deepest ? bits : deepest;
    }
    return float_of(deepest);
}

// Eight sums side by side, added up in a fixed order: one sum would wait for itself.
static double sum_run(const float *values, int count)
{
    double part[8] = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++)
            part[k] += (double)values[i + k];
    for (; i < count; i++)
        part[0] += (double)values[i];
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

// Any deposit: a cell gives no more than it holds. Returns the sum of what was given, metres.
static double change_run(float *depth, float *remainder, const float *amounts, int count)
{
    double given = 0.0;
    for (int i = 0; i < count; i++) {
        const double before = (double)depth[i] + (double)remainder[i];
        const double after = fmax(before + (double)amounts[i], 0.0);
        depth[i] = (float)after;
        remainder[i] = (float)(after - (double)depth[i]);
        given += after - before;
    }
    return given;
}

double rl_pipes_deposit(void *self, const rl_deposit *deposit)
{
    rl_pipes *s = self;
    const int y = deposit->row;
    float *depth = rl_field_row(&s->depth, y) + deposit->first;
    float *remainder = rl_field_row(&s->remainder, y) + deposit->first;
    double given;
    float deepest = s->raised[y] > 0.0f ? s->raised[y] : 0.0f;
    if (!some_negative(deposit->depth, deposit->count)) {
        given = sum_run(deposit->depth, deposit->count);
        const float now = add_to_run(depth, remainder, deposit->depth, deposit->count);
        deepest = now > deepest ? now : deepest;
    } else {
        given = change_run(depth, remainder, deposit->depth, deposit->count);
        for (int i = 0; i < deposit->count; i++)
            deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    // A face's share of the cells beside it is one cell's area, so half of a cell's momentum goes
    // to each of its two faces.
    const float per_face = (float)(0.5 / (s->cell_size * s->cell_size));
    for (int i = 0; deposit->momentum_x != NULL && i < deposit->count; i++) {
        float *qx = rl_field_row(&s->qx, y) + deposit->first + i;
        qx[-1] += deposit->momentum_x[i] * per_face;
        qx[0] += deposit->momentum_x[i] * per_face;
    }
    for (int i = 0; deposit->momentum_y != NULL && i < deposit->count; i++) {
        rl_field_row(&s->qy, y - 1)[deposit->first + i] += deposit->momentum_y[i] * per_face;
        rl_field_row(&s->qy, y)[deposit->first + i] += deposit->momentum_y[i] * per_face;
    }
    s->raised[y] = deepest;
    return given * s->cell_size * s->cell_size;
}
