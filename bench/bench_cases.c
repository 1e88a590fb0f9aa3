// SPDX-License-Identifier: MIT
// bench_cases.c - builds the worlds that several benchmarks time.
#include "bench/bench_cases.h"

#include <math.h>
#include <stdlib.h>

// Kellomäki, section 5: one step with bodies on a Quadro 1000M.
#define PAPER "Kellomäki, Quadro 1000M, with bodies"

// Read bed, depth, remainder and both discharges; write all but the bed.
#define PIPES_BYTES 36

// clang-format off
const bench_case bench_cases[] = {
    {"pipes-256",        "pipes", 256,  RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, PIPES_BYTES, PAPER, 1.6},
    {"pipes-512",        "pipes", 512,  RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, PIPES_BYTES, PAPER, 4.7},
    {"pipes-1024",       "pipes", 1024, RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, PIPES_BYTES, PAPER, 18.0},
    {"pipes-2048",       "pipes", 2048, RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, PIPES_BYTES, NULL, 0.0},
    {"pipes-4096",       "pipes", 4096, RILL_AREA_WETTED, 1e-3f, 0.0f, 0.2, PIPES_BYTES, NULL, 0.0},
    {"pipes-inviscid-1024", "pipes", 1024, RILL_AREA_WETTED, 0.0f, 0.0f, 0.5, PIPES_BYTES, PAPER, 18.0},
    {"pipes-calmed-512", "pipes", 512,  RILL_AREA_WETTED, 1e-3f, 0.99f, 60.0, PIPES_BYTES, PAPER, 4.7},
    {"pipes-paper-256",  "pipes", 256,  RILL_AREA_PAPER,  0.0f,  0.0f, 0.5, PIPES_BYTES, PAPER, 1.6},
    {"pipes-paper-512",  "pipes", 512,  RILL_AREA_PAPER,  0.0f,  0.0f, 0.5, PIPES_BYTES, PAPER, 4.7},
    {"pipes-paper-1024", "pipes", 1024, RILL_AREA_PAPER,  0.0f,  0.0f, 0.5, PIPES_BYTES, PAPER, 18.0},
    {"pipes-paper-2048", "pipes", 2048, RILL_AREA_PAPER,  0.0f,  0.0f, 0.5, PIPES_BYTES, NULL, 0.0},
    {"pipes-paper-4096", "pipes", 4096, RILL_AREA_PAPER,  0.0f,  0.0f, 0.2, PIPES_BYTES, NULL, 0.0},
};
// clang-format on
const int bench_case_count = (int)(sizeof bench_cases / sizeof bench_cases[0]);

// Cells after which the terrain repeats: nobody waits for a billion sines.
#define PERIOD 4096u

static float bed_at(double x, double y)
{
    const double hills = 1.6 * sin(0.11 * x) * cos(0.09 * y) + 0.7 * sin(0.37 * x + 0.29 * y);
    return (float)(2.0 + hills + 0.05 * sin(2.3 * x) * sin(1.9 * y));
}

rill_status bench_make_world(const bench_case *c, int threads, rill_world **out)
{
    return bench_make_world_on(c, RILL_BACKEND_CPU, 0.0, threads, out);
}

rill_status bench_make_world_on(const bench_case *c, rill_backend backend, double max_step,
                                int threads, rill_world **out)
{
    *out = NULL;
    const size_t n = (size_t)c->n;
    float *bed = malloc(2 * n * n * sizeof *bed), *depth = bed + n * n;
    if (bed == NULL)
        return RILL_NO_MEMORY;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            if (i >= PERIOD || j >= PERIOD) {
                const size_t same = j % PERIOD * n + i % PERIOD;
                bed[j * n + i] = bed[same];
                depth[j * n + i] = depth[same];
                continue;
            }
            const double x = (double)i, y = (double)j;
            const double level = 3.4 + 0.3 * sin(0.2 * x) * sin(0.17 * y);
            bed[j * n + i] = bed_at(x, y);
            depth[j * n + i] = (float)fmax(level - (double)bed[j * n + i], 0.0);
        }
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = c->n;
    def.bed = (rill_field_view){bed, c->n, c->n, n};
    def.depth = (rill_field_view){depth, c->n, c->n, n};
    def.pipes.area = c->area;
    def.pipes.viscosity = c->viscosity;
    def.pipes.friction = c->friction;
    def.worker_count = threads;
    def.backend = backend;
    def.max_step = max_step;
    const rill_status status = rill_world_create(&def, out);
    free(bed);
    return status;
}
