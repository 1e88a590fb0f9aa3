// SPDX-License-Identifier: MIT
// swe_border.c - the faces at the four sides of the grid, one at a time. Velocities and discharges
// are counted outwards here, so that the four sides are one.
//
//     wall, absorbing layer   nothing passes
//     drain                   free fall over the edge: at least critical, sqrt(g d); nothing comes
//                             in
//     level                   a ghost cell with the ground of the border cell and water up to the
//                             level; the face moves as any other, and beyond it nothing changes
//     inflow                  the discharge is given; it comes in a depth of at least the critical
//                             one, (q^2 / g)^(1/3)
#include "solvers/swe/swe.h"

#include <math.h>

static float level_beyond(const rl_swe_side *side, float bed)
{
    const float over = side->level - bed;
    return over > 0.0f ? over : 0.0f;
}

float rl_swe_depth_beyond(const rl_swe_side *side, float bed, float depth)
{
    switch (side->border) {
    case RILL_BORDER_LEVEL:
        return level_beyond(side, bed);
    case RILL_BORDER_INFLOW:
        return side->level > 0.0f && depth < side->critical ? side->critical : depth;
    default:
        return 0.0f;
    }
}

static float at_most(float a, float b)
{
    return a < b ? a : b;
}

rl_swe_face rl_swe_border_flow(const rl_swe *s, rill_side which, rl_swe_border_face f)
{
    const rl_swe_side *side = &s->side[which];
    float u = f.velocity, beyond = 0.0f;
    switch (side->border) {
    case RILL_BORDER_DRAIN:
        u = u > 0.0f ? u : 0.0f;
        break;
    case RILL_BORDER_LEVEL:
        beyond = level_beyond(side, f.bed);
        if (u > 0.0f) // carried out of the grid; what comes in is the same as at the face
            u += at_most(s->k.spread * u, 1.0f) * (f.inner - u);
        break;
    case RILL_BORDER_INFLOW:
        return (rl_swe_face){u, side->level > 0.0f ? -s->k.spread * side->level : 0.0f};
    default:
        return (rl_swe_face){0};
    }
    return (rl_swe_face){u, rl_swe_discharge(u, rl_swe_moving_depth(f.depth, s->k),
                                             rl_swe_moving_depth(beyond, s->k), s->k)};
}

float rl_swe_border_push(const rl_swe *s, rill_side which, rl_swe_border_face f)
{
    const rl_swe_side *side = &s->side[which];
    const rl_swe_coef *k = &s->k;
    const float sign = which == RILL_SIDE_EAST || which == RILL_SIDE_NORTH ? 1.0f : -1.0f;
    const bool along_x = which == RILL_SIDE_WEST || which == RILL_SIDE_EAST;
    const float acceleration = sign * (along_x ? k->acceleration_x : k->acceleration_y);
    float u = 0.0f;
    if (side->border == RILL_BORDER_DRAIN && f.depth > k->dry) {
        const float critical = sqrtf((float)s->gravity * f.depth);
        u = f.inner > critical ? f.inner : critical;
    } else if (side->border == RILL_BORDER_LEVEL) {
        const float beyond = level_beyond(side, f.bed);
        if (f.depth <= k->dry && beyond <= k->dry)
            return 0.0f;
        u = (f.velocity + k->push * (f.depth - beyond)) + acceleration;
        u = rl_swe_slow(u, f.depth + beyond, *k, rl_swe_slowed(s));
    } else if (side->border == RILL_BORDER_INFLOW && side->level > 0.0f) {
        u = -side->level / rl_swe_depth_beyond(side, f.bed, f.depth);
    }
    u = u > k->fastest ? k->fastest : u < -k->fastest ? -k->fastest : u;
    return fabsf(u) > RL_SWE_STILL ? u : 0.0f;
}

// (q^2 / g)^(1/3) by Newton's rule in double, so that no math library's last bit shows.
static float critical_depth(double q, double gravity)
{
    const double cube = q * q / gravity;
    double h = cube > 1.0 ? cube : 1.0;
    for (int n = 0; n < 200; n++) {
        const double next = (2.0 * h + cube / (h * h)) / 3.0;
        if (!(next < h))
            break;
        h = next;
    }
    return (float)h;
}

void rl_swe_set_border(void *self, rill_side which, rill_border border, float level)
{
    rl_swe *s = self;
    rl_swe_side *side = &s->side[which];
    const rill_border before = side->border;
    *side = (rl_swe_side){.border = border, .level = level};
    if (border == RILL_BORDER_INFLOW && level > 0.0f)
        side->critical = critical_depth((double)level, s->gravity);
    if (border != before)
        rl_swe_settle_faces(s);
    if (border == RILL_BORDER_ABSORB || before == RILL_BORDER_ABSORB) {
        rl_swe_set_layers(s);
        if (border != before)
            rl_swe_forget_outside_layers(s);
    }
}
