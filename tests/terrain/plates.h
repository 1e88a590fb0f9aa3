// SPDX-License-Identifier: MIT
// plates.h - small solids out of boxes and plates, for tests of solids.
#pragma once

#include "terrain/sdf/solid_internal.h"
#include "tests/kit/kit.h"

#define NX 24
#define NY 20
#define DX 0.125

static inline rl_solid *make_solid(double bottom, double top)
{
    const rill_solid_def def = {.nx = NX, .ny = NY, .cell_size = DX, .bottom = bottom, .top = top};
    rl_solid *solid = NULL;
    assert_ok(rill_solid_check(&def));
    assert_ok(rill_solid_create(&def, &solid));
    return solid;
}

static inline void put_box(rl_solid *solid, const double low[3], const double high[3],
                           rill_combine how)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX);
    for (int a = 0; a < 3; a++) {
        box.size[a] = high[a] - low[a];
        box.position[a] = 0.5 * (low[a] + high[a]);
    }
    rl_solid_combine(solid, &box, how, 0.0);
}

// A plate as wide as the world and wider.
static inline void put_plate(rl_solid *solid, double low, double high)
{
    put_box(solid, (double[]){-9.0, -9.0, low}, (double[]){9.0, 9.0, high}, RILL_COMBINE_UNION);
}
