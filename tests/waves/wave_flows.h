// SPDX-License-Identifier: MIT
// wave_flows.h - for tests of drifting waves: flows on a small grid, and waves that drift on them.
#pragma once

#include "tests/kit/counting_host.h"
#include "tests/kit/instruction_sets.h"
#include "waves/wave_particles_internal.h"

#include "rill/support.h"

#include <math.h>

#define NX    48
#define NY    56 // the last page is not full
#define PITCH (NX + 3)
#define DX    10.0f
#define DT    (1.0 / 60)

#include "tests/waves/flows.h"

static inline void set_cell(flow *f, int i, int j, bool wet, double u, double v)
{
    f->depth[j * PITCH + i] = wet ? 2.0f : 0.0f;
    f->u[j * PITCH + i] = wet ? (float)u : 0.0f;
    f->v[j * PITCH + i] = wet ? (float)v : 0.0f;
}

static inline void set_uniform(flow *f, double u, double v)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            set_cell(f, i, j, true, u, v);
}

// From 0.3 m/s in the south to 2.1 m/s in the north.
static inline void set_shear(flow *f)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            set_cell(f, i, j, true, 0.3 + 1.8 * j / NY, 0.1);
}

// A bend around the south-western corner, fastest in the middle.
static inline void set_bend(flow *f)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double x = i + 0.5, y = j + 0.5, r = sqrt(x * x + y * y), s = (r - 30) / 12;
            const double speed = 0.2 + 1.8 * (1 - s * s);
            set_cell(f, i, j, s * s < 1, speed * y / r, -speed * x / r);
        }
}

static inline rill_wave_particles_def a_def(float life)
{
    return (rill_wave_particles_def){.texels = 4,
                                     .size = 64,
                                     .tile = 160,
                                     .wind = 5,
                                     .wind_direction = 30,
                                     .height = 1,
                                     .life = life,
                                     .distance = 100};
}

static inline rl_wave_particles *make_with(const rill_wave_particles_def *def, const flow *f,
                                           rl_isa isa)
{
    rl_wave_particles *drift = NULL;
    const rill_columns columns = columns_of(f);
    assert_ok(rl_wave_particles_create(def, &columns, 1000, 9.81f, 7, isa, NULL, &drift));
    return drift;
}

static inline rl_wave_particles *make(rill_wave_particles_def def, const flow *f)
{
    return make_with(&def, f, best_isa());
}

static inline void run(rl_wave_particles *drift, const flow *f, int first, int steps)
{
    const rill_columns columns = columns_of(f);
    for (int n = first; n < first + steps; n++)
        rl_wave_particles_step(drift, NULL, &columns, NULL, DT, (uint64_t)n);
}

static inline bool wet_at(const flow *f, double x, double y)
{
    const int i = (int)fmin(fmax(x / (double)DX, 0), NX - 1);
    const int j = (int)fmin(fmax(y / (double)DX, 0), NY - 1);
    return f->depth[j * PITCH + i] > 0.0f;
}
