// SPDX-License-Identifier: MIT
// layers_passages_axis.c - straight pipes through flooded passages (Dagenais section 3.3): from a
// column outside along x or y through flooded columns to the next column outside. Gateways that do
// not face another one are closed, which is why the paper went on to pipes with many ends.
//
// With n columns of heights H_k between the ends, section over length is 1 / sum (1 / H_k), with
// half a cell at either end (erratum 9 to Dagenais).
#include "solvers/layers/layers_passages_inside.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

// A pipe onwards from a column: its face, and the column it leads to.
typedef struct way {
    bool found, flooded; // there is one; it leads to a flooded column
    int kind;
    ptrdiff_t face, to;
} way;

// The first cross pipe that begins in a column.
static size_t first_cross_of(const rl_layers *s, ptrdiff_t slot)
{
    int plane, y, x;
    rl_passages_place(s, slot, &plane, &y, &x);
    size_t low = s->cross_first[y], high = s->cross_first[y + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((ptrdiff_t)s->cross[middle].from < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The way on from a column to the east or north: a flooded column before one that is not, and the
// same plane before another.
static way way_from(const rl_layers *s, ptrdiff_t slot, bool north)
{
    const float *flooded = s->flooded.origin;
    const ptrdiff_t to = slot + (north ? (ptrdiff_t)s->base.pitch : 1);
    way best = {false, false, north ? RL_GATE_Y : RL_GATE_X, slot, to};
    if (rl_layers_are_joined(s, slot, to)) {
        best.found = true;
        best.flooded = flooded[to] > 0.0f;
    }
    int plane, y, x;
    rl_passages_place(s, slot, &plane, &y, &x);
    for (size_t n = first_cross_of(s, slot);
         n < s->cross_first[y + 1] && (ptrdiff_t)s->cross[n].from == slot && !best.flooded; n++) {
        const ptrdiff_t end = (ptrdiff_t)s->cross[n].to;
        const bool is_flooded = flooded[end] > 0.0f;
        if ((s->cross[n].north != 0) == north && (!best.found || is_flooded))
            best = (way){true, is_flooded, RL_GATE_CROSS, (ptrdiff_t)n, end};
    }
    return best;
}

// ---- Finding ---------------------------------------------------------------------------

// Whether this is the first pipe along x (or y) that ends in a column.
static bool ends_first(rl_layers *s, ptrdiff_t slot, bool north)
{
    int plane, y, x;
    rl_passages_place(s, slot, &plane, &y, &x);
    const size_t line = (size_t)rl_passages_line(s, plane, y);
    uint64_t *word =
        &s->passages->ended[north][line * (size_t)s->passages->words + (size_t)(x + 1) / 64];
    const uint64_t bit = (uint64_t)1 << (x + 1) % 64;
    const bool first = !(*word & bit);
    *word |= bit;
    return first;
}

static void find_pipe(rl_layers *s, const rl_layers_gateway *in)
{
    rl_layers_passages *p = s->passages;
    const bool north = rl_gate_is_north(s, in);
    rl_layers_axis_pipe pipe = {.in = *in};
    double inverse = 0.0;
    ptrdiff_t slot = rl_gate_inside(s, in);
    for (;;) {
        pipe.columns++;
        inverse += 1.0 / ((double)s->range_max.origin[slot] - (double)s->base.origin[slot]);
        const way on = way_from(s, slot, north);
        if (!on.found)
            return;
        if (!on.flooded) {
            int plane, y, x;
            rl_passages_place(s, slot, &plane, &y, &x);
            pipe.out = rl_layers_gateway_at(s, on.kind, on.face, false, x, y);
            break;
        }
        slot = on.to;
    }
    pipe.inverse = (float)inverse;
    if (ends_first(s, slot, north))
        p->pipes[p->pipe_count++] = pipe;
}

void rl_layers_axis_find(rl_layers *s)
{
    RL_ASSERT(s->def.passages == RILL_PASSAGES_AXIS);
    rl_layers_passages *p = s->passages;
    for (int line = 0; line < p->lines; line++)
        if (p->active[line])
            for (int k = 0; k < 2; k++)
                memset(p->ended[k] + (size_t)line * (size_t)p->words, 0,
                       (size_t)p->words * sizeof(uint64_t));
    p->pipe_count = 0;
    for (size_t n = 0; n < p->gateway_count; n++)
        if (p->gateways[n].inward > 0 && !p->runs[p->gateways[n].root].opened)
            find_pipe(s, &p->gateways[n]);
}

// ---- A step ----------------------------------------------------------------------------

static void drive_pipe(rl_layers *s, const rl_layers_axis_pipe *pipe)
{
    RL_ASSERT(pipe != NULL && s->passages != NULL);
    const bool from_zero = !s->passages->calm.hand_over && (pipe->in.fresh || pipe->out.fresh);
    const double mean =
        0.5 * ((double)*rl_gate_old(s, &pipe->in) + (double)*rl_gate_old(s, &pipe->out));
    const double old = from_zero ? 0.0 : (double)s->k.keep * mean;
    const double head =
        rl_layers_gateway_level(s, &pipe->in) - rl_layers_gateway_level(s, &pipe->out);
    const float flux = rl_passages_straight(
        old, head, pipe->columns, pipe->inverse, pipe->in.height, pipe->out.height, pipe->in.airy,
        pipe->out.airy, s->rules.def.area == RILL_AREA_PAPER, s->k);
    *rl_gate_raw(s, &pipe->in) = *rl_gate_raw(s, &pipe->out) = flux;
}

void rl_layers_axis_drive(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    for (size_t n = 0; n < p->gateway_count; n++)
        if (!p->runs[p->gateways[n].root].opened)
            *rl_gate_raw(s, &p->gateways[n]) = 0.0f;
    for (size_t n = 0; n < p->pipe_count; n++)
        drive_pipe(s, &p->pipes[n]);
}

// Both ends carry the smaller of what is left after limiting.
void rl_layers_axis_balance(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    for (size_t n = 0; n < p->pipe_count; n++) {
        const rl_layers_gateway *ends[2] = {&p->pipes[n].in, &p->pipes[n].out};
        const double in = (double)rl_layers_gateway_limited(s, ends[0]);
        const double out = (double)rl_layers_gateway_limited(s, ends[1]);
        if (in == out)
            continue;
        const int larger = fabs(out) > fabs(in);
        float *raw = rl_gate_raw(s, ends[larger]);
        *raw = rl_passages_as_small(*raw, larger ? out : in, larger ? in : out);
    }
}

void rl_layers_axis_close(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    for (size_t n = 0; n < p->pipe_count; n++) {
        const rl_layers_gateway ends[2] = {p->pipes[n].in, p->pipes[n].out};
        const double left = (double)rl_layers_gateway_limited(s, &ends[0]) -
                            (double)rl_layers_gateway_limited(s, &ends[1]);
        if (left != 0.0)
            rl_layers_book_rounding(s, ends, 2, left);
    }
}

void rl_layers_axis_settle(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    for (size_t n = 0; n < p->pipe_count; n++) {
        const rl_layers_axis_pipe *pipe = &p->pipes[n];
        const float flux = *rl_gate_old(s, &pipe->in);
        const bool north = rl_gate_is_north(s, &pipe->in);
        ptrdiff_t slot = rl_gate_inside(s, &pipe->in);
        for (int32_t k = 1; k < pipe->columns; k++) {
            const way on = way_from(s, slot, north);
            const rl_layers_gateway face = {.face = (int32_t)on.face, .kind = (uint8_t)on.kind};
            *rl_gate_old(s, &face) = flux;
            slot = on.to;
        }
    }
}
