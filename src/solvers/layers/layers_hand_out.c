// SPDX-License-Identifier: MIT
// layers_hand_out.c - liquid that has to leave its cell, because the ground has come there: it goes
// to the columns around, ring by ring, that begin below where it stood. Under a wide solid that is
// a long way, and for every cell the same one; so of each cell the lowest floor that still takes
// liquid is remembered, and a cell without any is passed by.
#include "solvers/layers/layers_recut_inline.h"

static bool column_at(const rl_layers *s, int plane, int i, int j, column *out)
{
    RL_ASSERT(plane >= 0 && plane < s->planes);
    const size_t slot = rl_layers_slot(s, plane, i, j);
    if (!rl_layers_live(s, slot))
        return false;
    *out = (column){slot, (double)s->base.origin[slot], (double)s->range_max.origin[slot],
                    content(s, slot)};
    return true;
}

static double pour_at(rl_layers *s, column *c, int j, double amount)
{
    const double taken = pour(c, amount);
    rl_layers_put(s, c->slot, c->amount);
    note_depth(s, c->slot, j);
    return taken;
}

// ---- What is known of cells ------------------------------------------------------------

void rl_layers_free_forget(rl_layers *s)
{
    for (size_t n = 0; n < (size_t)s->nx * (size_t)s->ny; n++)
        s->lowest_free[n] = NAN;
}

void rl_layers_free_changed(rl_layers *s, int i, int j)
{
    s->lowest_free[(size_t)j * (size_t)s->nx + (size_t)i] = NAN;
}

// The lowest floor of the columns of a cell that have capacity, as it was when it was first asked
// for; it can only have risen since, because columns only get more.
static double lowest_free(rl_layers *s, int i, int j)
{
    float *known = &s->lowest_free[(size_t)j * (size_t)s->nx + (size_t)i];
    if (!isnan(*known))
        return (double)*known;
    *known = INFINITY;
    for (int plane = 0; plane < s->planes; plane++) {
        column c;
        if (column_at(s, plane, i, j, &c) && capacity_of(&c) > 0.0)
            *known = fminf(*known, (float)c.base);
    }
    return (double)*known;
}

// ---- Rings -----------------------------------------------------------------------------

// Visits the columns of one cell that begin below `level` and have capacity. Counts them, or gives
// each of them up to `part`.
static int visit(rl_layers *s, int i, int j, double level, double part, double *left)
{
    int count = 0;
    if (i < 0 || i >= s->nx || j < 0 || j >= s->ny || !(lowest_free(s, i, j) < level))
        return 0;
    for (int plane = 0; plane < s->planes; plane++) {
        column c;
        if (!column_at(s, plane, i, j, &c) || !(c.base < level) || !(capacity_of(&c) > 0.0))
            continue;
        count++;
        if (part > 0.0)
            *left -= pour_at(s, &c, j, fmin(part, *left));
    }
    return count;
}

// The cells at a distance of `radius` steps, of which there are four a radius.
static int visit_ring(rl_layers *s, int i, int j, int radius, double level, double part,
                      double *left)
{
    int count = 0;
    for (int n = 0; n < radius; n++) {
        count += visit(s, i + radius - n, j + n, level, part, left);
        count += visit(s, i - n, j + radius - n, level, part, left);
        count += visit(s, i - radius + n, j - n, level, part, left);
        count += visit(s, i + n, j - radius + n, level, part, left);
    }
    return count;
}

double rl_layers_hand_out(rl_layers *s, int i, int j, double level, double left)
{
    RL_ASSERT(left >= 0.0);
    for (int radius = 1; radius < s->nx + s->ny && left > 0.0; radius++) {
        const int count = visit_ring(s, i, j, radius, level, 0.0, &left);
        // A hair more than its part, so that rounding leaves nothing for another ring.
        if (count > 0)
            visit_ring(s, i, j, radius, level, left / count * (1.0 + 1e-12), &left);
    }
    for (int plane = s->planes - 1; plane >= 0 && left > 0.0; plane--) {
        column c;
        if (column_at(s, plane, i, j, &c))
            left -= pour_at(s, &c, j, left);
    }
    return left;
}
