// SPDX-License-Identifier: MIT
// layers_passages_balance.c - after the discharges of a step have been limited by what columns can
// hold and have capacity for: as much must leave a passage as enters it (docs/papers.md, erratum 10
// to Dagenais), and the faces inside show what flows through it.
#include "core/assert.h"
#include "solvers/layers/layers_passages_inside.h"

// ---- Balancing -------------------------------------------------------------------------

float rl_layers_gateway_limited(const rl_layers *s, const rl_layers_gateway *g)
{
    const ptrdiff_t from = rl_gate_from(s, g), to = rl_gate_to(s, g);
    const float *out = s->outflow_limiter.origin, *in = s->inflow_limiter.origin;
    return rl_pipe_limit_inflow(rl_pipe_limit(*rl_gate_raw(s, g), out[from], out[to]), in[from],
                                in[to]);
}

void rl_layers_book_rounding(rl_layers *s, const rl_layers_gateway *gateways, uint32_t count,
                             double left)
{
    ptrdiff_t taker = rl_gate_inside(s, &gateways[0]);
    float deepest = -1.0f;
    for (uint32_t n = 0; n < count; n++) {
        const ptrdiff_t outside = rl_gate_outside(s, &gateways[n]);
        if (s->depth.origin[outside] > deepest && gateways[n].beyond == 0) {
            taker = outside;
            deepest = s->depth.origin[outside];
        }
    }
    s->remainder.origin[taker] += (float)(left * (double)s->k.spread);
}

static double inflow_of(const rl_layers *s, const rl_layers_gateway *g)
{
    return (double)rl_layers_gateway_limited(s, g) * (double)g->inward;
}

static double surplus_of(const rl_layers *s, const rl_layers_passage *a, double in, double out)
{
    return rl_passages_surplus(rl_layers_passage_filling(s, a), in, out);
}

static void sum_flows(const rl_layers *s, const rl_layers_passage *a, double *in, double *out)
{
    rl_chunk_sum entering, leaving;
    rl_chunk_sum_begin(&entering);
    rl_chunk_sum_begin(&leaving);
    for (uint32_t n = 0; n < a->count; n++) {
        const double flux = inflow_of(s, &a->gateways[n]);
        rl_chunk_sum_add(&entering, flux > 0.0 ? flux : 0.0);
        rl_chunk_sum_add(&leaving, flux > 0.0 ? 0.0 : -flux);
    }
    *in = rl_chunk_sum_end(&entering);
    *out = rl_chunk_sum_end(&leaving);
}

static void balance(rl_layers *s, const rl_layers_passage *a)
{
    double in, out;
    sum_flows(s, a, &in, &out);
    const double allowed = out + surplus_of(s, a, in, out);
    const double inflow_limiter = in > allowed ? allowed / in : 1.0;
    const double outflow_limiter = out > in ? in / out : 1.0;
    if (inflow_limiter < 1.0 || outflow_limiter < 1.0)
        for (uint32_t n = 0; n < a->count; n++) {
            float *raw = rl_gate_raw(s, &a->gateways[n]);
            *raw =
                rl_passages_balanced(*raw, a->gateways[n].inward, inflow_limiter, outflow_limiter);
        }
}

// Discharges are final: what they bring fills the columns, and roundings are booked.
static void close_books(rl_layers *s, const rl_layers_passage *a)
{
    double in, out;
    sum_flows(s, a, &in, &out);
    const double surplus = surplus_of(s, a, in, out);
    if (surplus > 0.0)
        a->root->filling =
            surplus * (double)s->k.spread / rl_passages_metres(a->root->lacking, s->cell_size);
    if (in > 0.0 || out > 0.0)
        rl_layers_book_rounding(s, a->gateways, a->count, in - out - surplus);
}

// Brings the columns of a run nearer to their ceilings.
static void fill_run(rl_layers *s, const rl_layers_run *run, double part)
{
    RL_ASSERT(part >= -1.0);
    const ptrdiff_t row = rl_passages_line_slot(s, run->line);
    for (ptrdiff_t slot = row + run->first; slot < row + run->end; slot++) {
        const float depth = s->depth.origin[slot];
        const double lacking =
            rl_passages_metres(rl_passages_count_lacking(s->base.origin[slot], depth,
                                                         s->range_max.origin[slot], s->cell_size),
                               s->cell_size);
        if (lacking > 0.0)
            rl_layers_put(s, (size_t)slot,
                          (double)depth + (double)s->remainder.origin[slot] + part * lacking);
    }
}

static void balance_all(rl_layers *s)
{
    if (s->def.passages == RILL_PASSAGES_AXIS) {
        rl_layers_axis_balance(s);
        return;
    }
    rl_passages_each(s, balance);
}

static void close_all_books(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    rl_passages_each(s, close_books);
    for (size_t n = 0; n < p->run_count; n++) {
        const double part = p->runs[p->runs[n].parent].filling;
        if (part > 0.0)
            fill_run(s, &p->runs[n], part);
    }
}

// Rounds in which capacities and passages come to terms. Mostly one is enough; after a few, columns
// that still count on too much are treated with care, so that there is an end to it.
#define CAREFUL_ROUNDS 3
#define MOST_ROUNDS    16

void rl_layers_balance_passages(rl_layers *s)
{
    RL_ASSERT(s->planes > 1);
    if (s->passages == NULL)
        return;
    rl_layers_widen_capacities(s);
    if (s->passages->run_count == 0)
        return;
    balance_all(s);
    for (int round = 1; round <= MOST_ROUNDS; round++) {
        if (!rl_layers_narrow_capacities(s, round > CAREFUL_ROUNDS))
            break;
        balance_all(s);
    }
    if (s->def.passages == RILL_PASSAGES_AXIS)
        rl_layers_axis_close(s);
    else
        close_all_books(s);
}

// ---- Settling --------------------------------------------------------------------------

// The mean discharge inside a passage. As much flows in as out, so that the integral of q over the
// passage is the sum of place times outflow over the gateways. Places count from the middle of the
// gateways, because a passage that is still filled takes in a little more.
static void find_mean_flow(rl_layers *s, const rl_layers_passage *a)
{
    rl_chunk_sum flux_x, flux_y, outflows, middle_x, middle_y;
    rl_chunk_sum *const sums[] = {&flux_x, &flux_y, &outflows, &middle_x, &middle_y};
    for (int n = 0; n < 5; n++)
        rl_chunk_sum_begin(sums[n]);
    for (uint32_t n = 0; n < a->count; n++) {
        const rl_layers_gateway *g = &a->gateways[n];
        const bool north = rl_gate_is_north(s, g);
        const double half = 0.5 * (double)g->inward;
        const double outflow = -(double)*rl_gate_old(s, g) * (double)g->inward;
        int plane, y, x;
        rl_passages_place(s, rl_gate_inside(s, g), &plane, &y, &x);
        const double place_x = (double)x - (north ? 0.0 : half);
        const double place_y = (double)y - (north ? half : 0.0);
        rl_chunk_sum_add(&flux_x, place_x * outflow);
        rl_chunk_sum_add(&flux_y, place_y * outflow);
        rl_chunk_sum_add(&outflows, outflow);
        rl_chunk_sum_add(&middle_x, place_x);
        rl_chunk_sum_add(&middle_y, place_y);
    }
    const double columns = (double)a->root->columns, count = (double)a->count;
    const double all = rl_chunk_sum_end(&outflows);
    a->root->mean_x = rl_passages_mean(rl_chunk_sum_end(&flux_x), all, rl_chunk_sum_end(&middle_x),
                                       count, columns);
    a->root->mean_y = rl_passages_mean(rl_chunk_sum_end(&flux_y), all, rl_chunk_sum_end(&middle_y),
                                       count, columns);
}

// The faces inside a run and between it and flooded columns north of it.
static void set_inside_run(const rl_layers *s, const rl_layers_run *run, float *x, float *y,
                           float value_x, float value_y)
{
    const rl_layers_passages *p = s->passages;
    const ptrdiff_t row = rl_passages_line_slot(s, run->line);
    const uint64_t *here = rl_passages_bits(p, p->flooded, run->line);
    const uint64_t *north = rl_passages_bits(p, p->flooded, run->line + 1);
    const uint64_t *joined = rl_passages_bits(p, p->join_north, run->line);
    const int first = run->first + 1, end = run->end + 1;
    for (ptrdiff_t slot = row + run->first; slot + 1 < row + run->end; slot++)
        x[slot] = value_x;
    for (int w = first / 64; 64 * w < end; w++) {
        uint64_t both = here[w] & north[w] & joined[w] & rl_bits_mask(w, first, end);
        for (; both != 0; both &= both - 1)
            y[row + 64 * w + rl_bits_lowest(both) - 1] = value_y;
    }
}

void rl_layers_set_inside(rl_layers *s, rill_field *x, rill_field *y, float *cross, bool mean)
{
    const rl_layers_passages *p = s->passages;
    const float *flooded = s->flooded.origin;
    for (size_t n = 0; n < p->run_count; n++) {
        const rl_layers_run *root = &p->runs[p->runs[n].parent];
        if (!root->opened)
            set_inside_run(s, &p->runs[n], x->origin, y->origin, mean ? root->mean_x : 0.0f,
                           mean ? root->mean_y : 0.0f);
    }
    for (size_t n = 0; n < s->cross_count; n++) {
        const rl_layers_cross *c = &s->cross[n];
        if (!(flooded[c->from] > 0.0f && flooded[c->to] > 0.0f))
            continue;
        const uint32_t run = rl_layers_run_at(s, (ptrdiff_t)c->from);
        const rl_layers_run *root = &p->runs[p->runs[run].parent];
        cross[n] = !mean ? 0.0f : c->north ? root->mean_y : root->mean_x;
    }
}

void rl_layers_settle_passages(rl_layers *s)
{
    RL_ASSERT(s->planes > 1);
    const rl_layers_passages *p = s->passages;
    if (p == NULL || p->run_count == 0 || !p->calm.hand_over)
        return;
    if (s->def.passages == RILL_PASSAGES_AXIS) {
        rl_layers_axis_settle(s);
        return;
    }
    rl_passages_each(s, find_mean_flow);
    rl_layers_set_inside(s, &s->qx, &s->qy, s->cross_q, true);
}
