// SPDX-License-Identifier: MIT
// landing_inline.h - where a particle lands, and whether foam is left of it.
#pragma once

#include "particles/draws_inline.h"
#include "particles/flight_inline.h"
#include "particles/layered_inline.h"

// Arguments of the landings of a step.
typedef struct rl_landing_scene {
    rl_flight_ground ground;
    rl_layered_columns layered;
    int nx, ny;
    float cell_size, dt;
    float foam_speed, foam_life, foam_life_noise;
    rl_draw_source draws;
} rl_landing_scene;

RL_CELL float rl_landing_base(const rl_landing_scene *s, int i, int j)
{
    return s->ground.base[(size_t)j * (size_t)s->ground.pitch + (size_t)i];
}

// Returns the cell j nx + i that gets the water of a particle at (x, y, z) with velocity (u, v).
RL_CELL int rl_landing_cell(const rl_landing_scene *s, float x, float y, float z, float u, float v)
{
    const float dx = s->cell_size;
    const int i = rl_cell_at(x, dx, s->nx), j = rl_cell_at(y, dx, s->ny);
    if (rl_landing_base(s, i, j) > z) {
        // It has flown into a cliff, and falls down in the cell that it came from.
        const int before_i = rl_cell_at(x - s->dt * u, dx, s->nx);
        const int before_j = rl_cell_at(y - s->dt * v, dx, s->ny);
        if (rl_landing_base(s, before_i, before_j) < rl_landing_base(s, i, j))
            return before_j * s->nx + before_i;
    }
    return j * s->nx + i;
}

RL_CELL int rl_landing_is_wet(const rl_landing_scene *s, int cell)
{
    const size_t at = (size_t)(cell / s->nx) * (size_t)s->ground.pitch + (size_t)(cell % s->nx);
    return s->ground.depth[at] > s->ground.wet_depth;
}

// Returns whether the splash at `place`, which has hit wet water at the speed (u, v, w), leaves
// foam, and writes the time that it will live, seconds.
RL_CELL int rl_landing_foams(const rl_landing_scene *s, int place, float u, float v, float w,
                             float *life)
{
    rl_draws d = rl_draws_of(s->draws, RL_DRAW_FOAM, (uint32_t)place, 0);
    const float always = s->foam_speed;
    if (!(always > 0.0f) || !(rl_draw(&d) * (always * always) < u * u + v * v + w * w))
        return 0;
    *life = s->foam_life * (1.0f + s->foam_life_noise * rl_draw_sign(&d));
    return 1;
}
