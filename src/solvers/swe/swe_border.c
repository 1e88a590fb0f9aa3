// SPDX-License-Identifier: MIT
// swe_border.c - the four sides of the grid as the host sees them (swe_border_inline.h has their
// faces).
#include "solvers/swe/swe.h"

#include "core/assert.h"

rl_swe_face rl_swe_border_flow(const rl_swe *s, rill_side which, rl_swe_border_face f)
{
    return rl_swe_border_flow_of(&s->side[which], f, s->k);
}

float rl_swe_border_push(const rl_swe *s, rill_side which, rl_swe_border_face f)
{
    const float sign = which == RILL_SIDE_EAST || which == RILL_SIDE_NORTH ? 1.0f : -1.0f;
    const bool along_x = which == RILL_SIDE_WEST || which == RILL_SIDE_EAST;
    const float acceleration = sign * (along_x ? s->k.acceleration_x : s->k.acceleration_y);
    return rl_swe_border_push_of(&s->side[which], f, acceleration, (float)s->gravity, s->k,
                                 rl_swe_slowed(s));
}

// (q^2 / g)^(1/3) by Newton's rule in double, so that no math library's last bit shows.
static float critical_depth(double q, double gravity)
{
    RL_ASSERT(q > 0.0 && gravity > 0.0);
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
    RL_ASSERT((RL_SWE_BORDERS & RL_BORDER_BIT(border)) && (unsigned)which < RILL_SIDE_COUNT);
    rl_swe *s = self;
    rl_swe_side *side = &s->side[which];
    const rill_border before = side->border;
    *side = (rl_swe_side){.border = border, .level = level};
    if (border == RILL_BORDER_INFLOW && level > 0.0f)
        side->critical = critical_depth((double)level, s->gravity);
    if (border != before)
        rl_swe_settle_faces(s);
    if (border == RILL_BORDER_ABSORB || before == RILL_BORDER_ABSORB) {
        rl_swe_set_absorbing(s);
        if (border != before)
            rl_swe_forget_outside_absorbing(s);
    }
}
