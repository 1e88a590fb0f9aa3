// SPDX-License-Identifier: MIT
// world_columns.c - reading water at a point.
#include "core/sample.h"

#include "rill/columns.h"

rill_probe rill_columns_probe(const rill_columns *c, int layer, double x, double y)
{
    if (c == NULL || layer < 0 || layer >= c->layers)
        return (rill_probe){0};
    const double cells = 1.0 / (double)c->cell_size;
    const rl_sample_place at = rl_sample_find(c->nx, c->ny, x * cells - 0.5, y * cells - 0.5);
    const size_t from = (size_t)layer * c->layer_stride;
    rill_probe probe = {
        .base = rl_sample(c->base + from, c->pitch, at),
        .depth = rl_sample(c->depth + from, c->pitch, at),
        .velocity_x = rl_sample(c->velocity_x + from, c->pitch, at),
        .velocity_y = rl_sample(c->velocity_y + from, c->pitch, at),
    };
    probe.level = probe.base + probe.depth;
    probe.wet = probe.depth > c->wet_depth;
    return probe;
}
