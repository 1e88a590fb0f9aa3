// SPDX-License-Identifier: MIT
// gpu_hills.h - hills, of which some stand out of the water, with an uneven level: the ground of
// the tests of single-layer solvers.
#pragma once

#include "tests/kit/backends.h"

// Metres. A block of water stands higher than the rest by `block`.
typedef struct hills {
    double high, ripple, level, swell, block;
} hills;

static inline rill_world_def hills_def(const hills *h, rill_solver solver, int nx, int ny,
                                       float *bed, float *depth)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double x = i % 256, y = j % 256;
            const double hill =
                h->high * sin(0.11 * x) * cos(0.09 * y) + h->ripple * sin(0.37 * x + 0.29 * y);
            const double ground = 3.0 + hill + 0.07 * sin(2.3 * x) * sin(1.9 * y);
            const bool in_block = i > nx / 3 && i < nx / 2 && j > ny / 4 && j < ny / 2;
            const double level =
                h->level + h->swell * sin(0.2 * x) * sin(0.17 * y) + (in_block ? h->block : 0.0);
            bed[(size_t)j * (size_t)nx + (size_t)i] = (float)ground;
            depth[(size_t)j * (size_t)nx + (size_t)i] = (float)fmax(level - ground, 0.0);
        }
    rill_world_def def = rill_default_world_def();
    def.solver = solver;
    def.nx = nx;
    def.ny = ny;
    def.bed = (rill_field_view){bed, nx, ny, (size_t)nx};
    def.depth = (rill_field_view){depth, nx, ny, (size_t)nx};
    return def;
}

// `change` alters the definition. NULL: it stays as it is.
static inline pair pair_on_hills(const hills *h, rill_solver solver, int nx, int ny,
                                 void (*change)(rill_world_def *def))
{
    const size_t cells = (size_t)nx * (size_t)ny;
    float *ground = malloc(2 * cells * sizeof *ground);
    assert_non_null(ground);
    rill_world_def def = hills_def(h, solver, nx, ny, ground, ground + cells);
    if (change != NULL)
        change(&def);
    const pair p = pair_of(&def);
    free(ground);
    return p;
}
