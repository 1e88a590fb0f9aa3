// SPDX-License-Identifier: MIT
// layer_head.c - the level that liquid at a point of the `layers` solver feels. In a column with a
// free surface that is the surface. A column that is full up to its ceiling says nothing of the
// pressure under it: its passage leads to columns that do. They are sought along the four
// directions of the grid, and each counts the more the nearer it is: between two ends the level
// then falls in a straight line, as that of liquid seeping under a dam does.
#include "bodies/sampling/samples.h"

// A body that rises leaves a gap which liquid fills as fast as it can, not at once: the pressure
// under it sinks, but no air comes in. Up to this gap, in cells, a column under liquid that stands
// above its ceiling counts as full.
#define FULL_GAP  0.25f
#define FULL_PART 0.5f // and in parts of its height

typedef struct column {
    float base, level, top;
} column;

static bool column_at(const rill_columns *c, int layer, int i, int j, column *out)
{
    const size_t slot = (size_t)layer * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
    const float base = c->base[slot];
    *out = (column){base, base + c->depth[slot], INFINITY};
    if (c->range_max == NULL)
        return true;
    out->top = c->range_max[slot];
    return c->range_max[slot] > c->range_min[slot];
}

static bool is_full(const rill_columns *c, const column *at)
{
    const float gap = at->top - at->level;
    return gap <= FULL_GAP * c->cell_size && gap <= FULL_PART * (at->top - at->base);
}

static float distance(const column *at, float z)
{
    return z < at->base ? at->base - z : z > at->top ? z - at->top : 0.0f;
}

// The column of a cell nearest to z.
static bool nearest(const rill_columns *c, int i, int j, float z, column *out)
{
    bool found = false;
    for (int layer = 0; layer < c->layers; layer++) {
        column at;
        if (!column_at(c, layer, i, j, &at) || (found && distance(&at, z) >= distance(out, z)))
            continue;
        *out = at;
        found = true;
    }
    return found;
}

// The column of a cell that has most in common with `from`; false where none is joined with it.
static bool next_of(const rill_columns *c, int i, int j, const column *from, column *out)
{
    float most = 0.0f;
    if (i < 0 || i >= c->nx || j < 0 || j >= c->ny)
        return false;
    for (int layer = 0; layer < c->layers; layer++) {
        column at;
        if (!column_at(c, layer, i, j, &at))
            continue;
        const float common = fminf(at.top, from->top) - fmaxf(at.base, from->base);
        if (common > most) {
            most = common;
            *out = at;
        }
    }
    return most > 0.0f;
}

// Goes along the passage until there is a surface. Returns the steps; 0 when it ends at a wall.
static int follow(const rill_columns *c, int i, int j, int di, int dj, column at, float *level)
{
    for (int steps = 1;; steps++) {
        column next = at;
        i += di;
        j += dj;
        if (!next_of(c, i, j, &at, &next))
            return 0;
        at = next;
        if (!is_full(c, &at)) {
            *level = at.level;
            return steps;
        }
    }
}

// Columns that do not hold z, but come as near to it as `reach`, count too.
static bool level_within(const rill_columns *c, double x, double y, double z, float reach,
                         float *level)
{
    RL_ASSERT(c->layers > 0 && c->cell_size > 0.0f);
    const double size = (double)c->cell_size;
    const int i = (int)fmin(fmax(floor(x / size), 0.0), (double)(c->nx - 1));
    const int j = (int)fmin(fmax(floor(y / size), 0.0), (double)(c->ny - 1));
    column at = {0};
    if (!nearest(c, i, j, (float)z, &at) || distance(&at, (float)z) > reach)
        return false;
    *level = at.level;
    if (!is_full(c, &at))
        return true;
    static const int directions[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    double sum = 0.0, weights = 0.0;
    for (int n = 0; n < 4; n++) {
        float outside;
        const int steps = follow(c, i, j, directions[n][0], directions[n][1], at, &outside);
        if (steps == 0)
            continue;
        weights += 1.0 / steps;
        sum += (double)outside / steps;
    }
    // Without a way out along the axes the pressure is not known, but it is that of the ceiling at
    // least.
    const float head = weights > 0.0 ? (float)(sum / weights) : at.top;
    if (head > at.top)
        *level = head - (at.top - at.level);
    return true;
}

// Seen from a point the centre of its cell is at most half of (|n_x| + |n_y|) cells back along n,
// and the solid at most 0.6 of it ahead. Half a cell up or down keeps the columns above and below a
// thin body apart.
bool rl_body_layer_level_on(const rill_columns *c, const double point[3], const double normal[3],
                            float *level)
{
    static const double outs[2] = {0.501, 1.101};
    const double size = (double)c->cell_size, across = fabs(normal[0]) + fabs(normal[1]);
    for (int n = 0; n < 2; n++) {
        const double out = outs[n] * size * across;
        const float reach = n == 0 && across > 0.0 ? 0.0f : c->cell_size;
        if (level_within(c, point[0] + out * normal[0], point[1] + out * normal[1],
                         point[2] + (out + 0.5 * size) * normal[2], reach, level))
            return true;
    }
    return false;
}
