// SPDX-License-Identifier: MIT
// layers_passages.c - liquid through flooded passages: one pipe with many ends a passage (Dagenais
// section 7, Eqs. 8 and 9).
//
// The flux of an end is the discharge of its gateway, so that momentum is handed over by itself
// when a passage connects and when it opens. Per gateway g with discharge f into the passage:
//
//     f_g <- gamma (zeta f_g + dt g / dx G_g (h_g - h_P)),   h_P = sum G h / sum G       (Eq. 8)
//     f_g <- f_g - G_g sum f / sum G                                                     (Eq. 9)
//
// G_g is the section over the length of an end, H_g / l. A passage of N columns with n gateways has
// l = N / n cells: half its length if it is straight, the length of an arm if it is a cross, and
// half a cell more in the column outside, which also keeps G below the height of a face and the end
// as stable as an ordinary pipe (docs/layers.md). Eq. 9 takes away in proportion to G what a common
// pressure in the passage would: equal parts, as printed, only where all ends are alike. What
// limiting by limiters breaks is mended last (erratum 10 to Dagenais).
#include "core/assert.h"
#include "solvers/layers/layers_passages_inside.h"

#include "rill/support.h"

#include <string.h>

// ---- Memory ----------------------------------------------------------------------------

size_t rl_layers_passages_capacity(const rl_layers *s)
{
    return (size_t)(s->planes - 1) * (size_t)s->nx * (size_t)s->ny / 2 + 256;
}

// Real passages have far fewer runs and gateways than columns; what does not fit here stays open
// (layers_passages_find.c).
static bool allocate(rl_layers *s, rl_layers_passages *p)
{
    rl_owned *own = &s->own;
    const size_t lines = (size_t)p->lines, words = lines * (size_t)p->words;
    const size_t capacity = rl_layers_passages_capacity(s);
    const bool axis = s->def.passages == RILL_PASSAGES_AXIS;
    p->run_capacity = p->gateway_capacity = p->limited_capacity = capacity;
    uint64_t **const bits[] = {&p->flooded, &p->join_east, &p->join_north, &p->ended[0],
                               &p->ended[1]};
    for (int n = 0; n < (axis ? 5 : 3); n++)
        *bits[n] = rl_owned_take(own, words, sizeof(uint64_t));
    p->active = rl_owned_take(own, lines + 1, 1);
    p->known = rl_owned_take(own, lines + 1, 1);
    p->bytes = rl_owned_take(own, 64 * (size_t)p->words, 1);
    p->first_run = rl_owned_take(own, lines + 1, sizeof *p->first_run);
    p->runs = rl_owned_take(own, capacity, sizeof *p->runs);
    p->gateways = rl_owned_take(own, capacity, sizeof *p->gateways);
    p->found = rl_owned_take(own, capacity, sizeof *p->found);
    p->limited = rl_owned_take(own, capacity, sizeof *p->limited);
    p->pipes = rl_owned_take(own, axis ? capacity : 0, sizeof *p->pipes);
    return !own->failed;
}

rill_status rl_layers_passages_create(rl_layers *s)
{
    RL_ASSERT(s->planes > 1 && s->passages == NULL);
    if (s->def.passages == RILL_PASSAGES_NONE)
        return RILL_OK;
    if (s->base.pitch * s->plane_rows * (size_t)s->planes > INT32_MAX)
        return rill_fail(RILL_BAD_DEF, "%d x %d cells of up to %d layers are too many for passages",
                         s->nx, s->ny, s->planes - 1);
    rl_layers_passages *p = rl_owned_take(&s->own, 1, sizeof *p);
    if (p == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for flooded passages");
    p->lines = (s->planes - 1) * (s->ny + 2);
    p->words = (s->nx + 2 + 63) / 64;
    p->calm = (rl_layers_calm){true, true};
    p->to_search = true;
    s->passages = p;
    return allocate(s, p) ? RILL_OK : rill_fail(RILL_NO_MEMORY, "no memory for flooded passages");
}

void rl_layers_passages_changed(rl_layers *s)
{
    RL_ASSERT(s->planes > 1);
    rl_layers_passages *p = s->passages;
    if (p == NULL)
        return;
    memset(p->known, 0, (size_t)p->lines);
    p->to_search = true;
}

void rl_layers_passages_set_calm(rl_layers *s, rl_layers_calm calm)
{
    if (s->passages != NULL)
        s->passages->calm = calm;
}

// ---- Driving ---------------------------------------------------------------------------

// What the ends of a passage have in common.
typedef struct ends {
    double openings;    // sum of their heights, metres
    double height;      // of the passage, metres
    double level;       // h_P, metres
    double conductance; // sum, metres
} ends;

static double height_of(const rl_layers *s, const rl_layers_passage *a, double openings)
{
    rl_chunk_sum north;
    rl_chunk_sum_begin(&north);
    for (uint32_t n = 0; n < a->count; n++)
        rl_chunk_sum_add(
            &north, rl_gate_is_north(s, &a->gateways[n]) ? (double)a->gateways[n].height : 0.0);
    return rl_passages_height(a->root->columns, a->root->along, a->root->across,
                              rl_chunk_sum_end(&north), openings, s->cell_size);
}

double rl_layers_gateway_level(const rl_layers *s, const rl_layers_gateway *g)
{
    const ptrdiff_t inside = rl_gate_inside(s, g), outside = rl_gate_outside(s, g);
    // A ghost ends at its ceiling; the sea beyond may stand higher.
    if (g->beyond != 0 && !g->airy)
        return (double)s->border_level[g->beyond - 1];
    // The end of a passage that runs full into the air is at the pressure of the air.
    if (g->airy)
        return (double)rl_passages_air_level(s, inside, outside,
                                             s->passages->calm.hysteresis && !g->fresh);
    return (double)rl_passages_level(s, outside);
}

static ends measure(const rl_layers *s, const rl_layers_passage *a)
{
    const int paper = s->rules.def.area == RILL_AREA_PAPER;
    ends e;
    rl_chunk_sum openings, conductance, levels;
    rl_chunk_sum_begin(&openings);
    rl_chunk_sum_begin(&conductance);
    rl_chunk_sum_begin(&levels);
    for (uint32_t n = 0; n < a->count; n++)
        rl_chunk_sum_add(&openings, (double)a->gateways[n].height);
    e.openings = rl_chunk_sum_end(&openings);
    e.height = height_of(s, a, e.openings);
    const double length =
        rl_passages_length(a->root->columns, a->root->joints, a->count, e.openings, e.height);
    for (uint32_t n = 0; n < a->count; n++) {
        rl_layers_gateway *g = &a->gateways[n];
        g->conductance = rl_passages_conductance(g->height, length, paper, s->k);
        rl_chunk_sum_add(&conductance, (double)g->conductance);
        rl_chunk_sum_add(&levels, (double)g->conductance * rl_layers_gateway_level(s, g));
    }
    e.conductance = rl_chunk_sum_end(&conductance);
    e.level = rl_chunk_sum_end(&levels) / e.conductance;
    return e;
}

double rl_layers_passage_filling(const rl_layers *s, const rl_layers_passage *a)
{
    return rl_passages_filling(a->count, rl_passages_metres(a->root->lacking, s->cell_size),
                               s->k.spread);
}

// Eqs. 8 and 9 for one passage.
static void drive(rl_layers *s, const rl_layers_passage *a)
{
    const double keep = (double)s->k.keep;
    const ends e = measure(s, a);
    const double height2 = e.height * e.height;
    rl_chunk_sum all;
    rl_chunk_sum_begin(&all);
    for (uint32_t n = 0; n < a->count; n++) {
        const rl_layers_gateway *g = &a->gateways[n];
        const bool from_zero = g->fresh && !s->passages->calm.hand_over;
        const double old = from_zero ? 0.0 : keep * (double)*rl_gate_old(s, g) * (double)g->inward;
        const double flux = rl_passages_drive(old, rl_layers_gateway_level(s, g), e.level,
                                              g->conductance, height2, s->k);
        rl_chunk_sum_add(&all, flux);
        *rl_gate_raw(s, g) = (float)flux;
    }
    const double sum = rl_chunk_sum_end(&all) - rl_layers_passage_filling(s, a);
    for (uint32_t n = 0; n < a->count; n++) {
        const rl_layers_gateway *g = &a->gateways[n];
        float *raw = rl_gate_raw(s, g);
        *raw = rl_passages_even(*raw, g->conductance, sum, e.conductance, g->airy, g->inward);
    }
}

void rl_layers_drive_passages(rl_layers *s)
{
    RL_ASSERT(s->planes > 1);
    const rl_layers_passages *p = s->passages;
    if (p == NULL || p->run_count == 0)
        return;
    // Nothing moves on the faces inside but what is left there at the end of the step.
    rl_layers_set_inside(s, &s->raw_x, &s->raw_y, s->cross_raw, false);
    if (s->def.passages == RILL_PASSAGES_AXIS) {
        rl_layers_axis_drive(s);
        return;
    }
    rl_passages_each(s, drive);
}
