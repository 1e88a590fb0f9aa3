// SPDX-License-Identifier: MIT
// swe_border.c - the four sides of the grid as the host sees them (swe_border_inline.h has
// their faces), and faces inside it that the user has closed.
#include "solvers/swe/swe.h"

#include "core/assert.h"

#include <string.h>

float rl_swe_border_push(const rl_swe *s, rill_side which, rl_swe_border_face old,
                         rl_swe_border_face f)
{
    const float sign = which == RILL_SIDE_EAST || which == RILL_SIDE_NORTH ? 1.0f : -1.0f;
    const bool along_x = which == RILL_SIDE_WEST || which == RILL_SIDE_EAST;
    const float acceleration = sign * (along_x ? s->k.acceleration_x : s->k.acceleration_y);
    return rl_swe_border_push_of(&s->side[which], old, f, acceleration, (float)s->gravity, s->k,
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
    if (border != before)
        *side = (rl_swe_side){.border = border};
    side->level = level;
    side->critical = 0.0f;
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

void rl_swe_set_incident(void *self, rill_side which, rl_incident incident)
{
    rl_swe *s = self;
    rl_swe_side *side = &s->side[which];
    RL_ASSERT((unsigned)which < RILL_SIDE_COUNT && side->border == RILL_BORDER_INCIDENT);
    side->wave = incident.wave;
    side->velocity = incident.velocity;
    side->discharge = incident.discharge;
}

size_t rl_swe_along_floats(const rl_swe *s)
{
    return 4 * ((size_t)s->nx + (size_t)s->ny);
}

void rl_swe_set_profile(void *self, rill_side which, const float *depth, const float *velocity)
{
    rl_swe *s = self;
    rl_swe_side *side = &s->side[which];
    RL_ASSERT(s->has_along && side->border == RILL_BORDER_INCIDENT);
    const size_t count = (size_t)rl_side_length(which, s->nx, s->ny);
    float *to = s->along;
    for (int before = 0; before < (int)which; before++)
        to += 2 * rl_side_length((rill_side)before, s->nx, s->ny);
    memcpy(to, depth, count * sizeof *to);
    memcpy(to + count, velocity, count * sizeof *to);
    side->depth_along = to;
    side->velocity_along = to + count;
}

// ---- Closed faces ----------------------------------------------------------------------

#define BITS 32

size_t rl_swe_mark_words(int nx)
{
    return ((size_t)nx + BITS - 1) / BITS;
}

static uint32_t *words_of(const rl_swe *s, int axis, int y)
{
    RL_ASSERT((axis == 0 || axis == 1) && y >= 0 && y < s->ny);
    return s->marks[axis] + (size_t)y * s->mark_words;
}

bool rl_swe_is_marked(const rl_swe *s, int axis, int i, int y)
{
    if (i < 0 || i >= s->nx || y < 0 || y >= s->ny)
        return false;
    return words_of(s, axis, y)[i / BITS] >> (i % BITS) & 1u;
}

void rl_swe_count_marks(rl_swe *s)
{
    s->some_marked = false;
    for (int axis = 0; axis < 2; axis++)
        for (size_t w = 0; w < (size_t)s->ny * s->mark_words; w++)
            s->some_marked |= s->marks[axis][w] != 0;
}

void rl_swe_set_mark(rl_swe *s, int axis, int i, int y, bool closed)
{
    RL_ASSERT(i >= 0 && i < s->nx);
    uint32_t *word = &words_of(s, axis, y)[i / BITS];
    const uint32_t bit = (uint32_t)1 << (i % BITS);
    *word = closed ? *word | bit : *word & ~bit;
}

void rl_swe_mark_face(void *self, int axis, int i, int j, bool closed)
{
    rl_swe *s = self;
    if (i < 0 || i >= s->nx || j < 0 || j >= s->ny)
        return;
    rl_swe_set_mark(s, axis, i, j, closed);
    if (!closed) {
        rl_swe_count_marks(s);
        return;
    }
    s->some_marked = true;
    rill_field_row(axis == 0 ? &rl_swe_now(s)->u : &rl_swe_now(s)->v, j)[i] = 0.0f;
    rl_swe_slip_row(s, j);
}

static void zero_marked(const rl_swe *s, int axis, int y, float *values)
{
    const uint32_t *words = words_of(s, axis, y);
    for (size_t w = 0; w < s->mark_words; w++)
        for (uint32_t left = words[w]; left != 0; left &= left - 1) {
            int bit = 0;
            while (!(left >> bit & 1u))
                bit++;
            values[w * BITS + (size_t)bit] = 0.0f;
        }
}

void rl_swe_close_marked(const rl_swe *s, int y, float *x, float *z)
{
    if (!s->some_marked)
        return;
    zero_marked(s, 0, y, x);
    zero_marked(s, 1, y, z);
}

// Corners lie at the northern end of a face east of a cell and at the southern end of that of the
// cell north of it, and at both ends of a face north of a cell.
void rl_swe_slip_at_marked(const rl_swe *s, int y, float *shear)
{
    if (!s->some_marked)
        return;
    zero_marked(s, 0, y, shear);
    if (y + 1 < s->ny)
        zero_marked(s, 0, y + 1, shear);
    zero_marked(s, 1, y, shear);
    zero_marked(s, 1, y, shear - 1);
}
