// SPDX-License-Identifier: MIT
// layers_cut.c - from a solid to columns: which slots hold one, and what follows from that alone.
#include "solvers/layers/layers.h"

#include "core/assert.h"

#include "rill/support.h"

// Slopes of the ground count up to this squared tangent, 60 degrees: a film may run down a cliff,
// it must not stop there.
#define STEEPEST 3.0

#define MOST_SPANS 512 // of a cell

// The columns that a solid leaves above cell (i, j), no more than max_layers; `spans` has space for
// MOST_SPANS. Returns their number, or -1 with the sentence of a failure.
static int cast(const rl_layers *s, const rl_solid *solid, int i, int j, rl_span *spans)
{
    const int limit = s->def.max_layers;
    const int count = rl_solid_cast(solid, i, j, spans, MOST_SPANS);
    if (count <= limit)
        return count;
    if (s->def.on_more != RILL_MORE_WIDEST || count > MOST_SPANS) {
        rill_fail(RILL_BAD_DEF,
                  "cell (%d, %d) has %d columns above each other, layers.max_layers is %d", i, j,
                  count, limit);
        return -1;
    }
    rl_spans_keep_widest(spans, count, limit);
    return limit;
}

// Makes all slots of a cell dead but for those of the spans. Depths are left alone.
static void write_cell(rl_layers *s, int i, int j, const rl_span *spans, int count)
{
    RL_ASSERT(i >= 0 && i < s->nx && j >= 0 && j < s->ny && count < s->planes);
    for (int plane = 0; plane < s->planes; plane++) {
        const size_t slot = rl_layers_slot(s, plane, i, j);
        s->base.origin[slot] = plane == 0 ? RL_FAR : 0.0f;
        s->range_min.origin[slot] = RL_FAR;
        s->range_max.origin[slot] = -RL_FAR;
    }
    for (int n = 0; n < count; n++) {
        if (!(spans[n].base < spans[n].max))
            continue;
        const size_t slot = rl_layers_slot(s, spans[n].max >= RL_SOLID_SKY ? 0 : 1 + n, i, j);
        s->base.origin[slot] = spans[n].base;
        s->range_min.origin[slot] = spans[n].min;
        s->range_max.origin[slot] = spans[n].max;
    }
}

rill_status rl_layers_cut(rl_layers *s, const rl_solid *solid, rl_box b)
{
    rl_span spans[MOST_SPANS];
    for (int j = b.j0; j < b.j1; j++)
        for (int i = b.i0; i < b.i1; i++) {
            const int count = cast(s, solid, i, j, spans);
            if (count < 0)
                return RILL_BAD_DEF;
            write_cell(s, i, j, spans, count);
        }
    return RILL_OK;
}

static rl_layers_span live_span(const rl_layers *s, int plane, int j)
{
    rl_layers_span span = {0, 0};
    for (int i = 0; i < s->nx; i++) {
        if (!rl_layers_live(s, rl_layers_slot(s, plane, i, j)))
            continue;
        if (span.end == 0)
            span.first = i / 16 * 16;
        span.end = i + 1;
    }
    return span;
}

void rl_layers_find_spans(rl_layers *s, int j0, int j1)
{
    RL_ASSERT(j0 >= 0 && j1 <= s->ny);
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = j0; j < j1; j++)
            *rl_layers_span_of(s, plane, j) =
                s->on_solid ? live_span(s, plane, j) : (rl_layers_span){0, s->nx};
}

// ---- Slopes ----------------------------------------------------------------------------

// Rise of the ground across column `here`, from what it is joined to on its two sides; false when
// there is nothing.
static bool rise_across(const rl_layers *s, ptrdiff_t here, ptrdiff_t across, double *rise)
{
    const float *base = s->base.origin;
    const bool before = rl_layers_are_joined(s, here - across, here),
               after = rl_layers_are_joined(s, here, here + across);
    const double low = (double)base[before ? here - across : here];
    const double high = (double)base[after ? here + across : here];
    *rise = (high - low) / ((before && after ? 2.0 : 1.0) * s->cell_size);
    return before || after;
}

// Squared cosine of the slope at the face between column `here` and the one `along` it.
static float cosine_at(const rl_layers *s, ptrdiff_t here, ptrdiff_t along, ptrdiff_t across)
{
    RL_ASSERT(along != across);
    if (!rl_layers_are_joined(s, here, here + along))
        return 1.0f;
    const double rise =
        ((double)s->base.origin[here + along] - (double)s->base.origin[here]) / s->cell_size;
    double sum = 0.0, part;
    int count = 0;
    for (int end = 0; end < 2; end++)
        if (rise_across(s, here + end * along, across, &part)) {
            sum += part;
            count++;
        }
    const double aside = count > 0 ? sum / count : 0.0;
    const double tangent2 = rise * rise + aside * aside;
    return (float)(1.0 / (1.0 + (tangent2 < STEEPEST ? tangent2 : STEEPEST)));
}

// Of the faces east and north of cells [i0, i1) x [j0, j1); from -1 on for the borders.
void rl_layers_find_cosines(rl_layers *s, int i0, int j0, int i1, int j1)
{
    if (!s->def.slope_correction)
        return;
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    i0 = i0 < -1 ? -1 : i0;
    j0 = j0 < -1 ? -1 : j0;
    i1 = i1 > s->nx ? s->nx : i1;
    j1 = j1 > s->ny ? s->ny : j1;
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = j0; j < j1; j++)
            for (int i = i0; i < i1; i++) {
                const ptrdiff_t here = ((ptrdiff_t)s->plane_rows * plane + j) * pitch + i;
                if (j >= 0)
                    s->cosine_x.origin[here] = cosine_at(s, here, 1, pitch);
                if (i >= 0)
                    s->cosine_y.origin[here] = cosine_at(s, here, pitch, 1);
            }
}
