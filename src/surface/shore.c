// SPDX-License-Identifier: MIT
// shore.c - the height of points, and where the surface ends at dry ground.
//
// A wet point is at base + max(depth, least thickness), not above its ceiling. A dry point that is
// linked to wet ones closes the surface onto the ground:
//
// Where the ground rises above the water it is at the mean level of the wet columns (Dagenais
// section 4.3): it is buried, the ground hides it, and a lake at rest is flat up to its shore.
//
// Where the ground is lower (a front running over dry land, the lip of a fall) the surface bends
// down to the ground. A coarse shore puts the dry point there, on the ground. A fine one ends the
// surface on the way from the wet centre to the dry one, on the ground, after the part
//
//     t = f / (f + c (1 - min(d_dry / w, 1)) (1 - min(max(rise, 0) / d, 1))),   f = d - w,
//
// of it, where d is the depth of the wet column, w the depth from which on a column is wet, c a
// twentieth of a cell and `rise` that of the ground. A column that has just become wet has t = 0, a
// deep one nearly 1; t goes to 1 when the dry column is about to become wet, and when its ground
// comes up to the level. So the line moves with the depths and never jumps by cells.
#include "core/assert.h"
#include "surface/shore_inline.h"

// Points are tested this many at a time.
#define CHUNK 256

// ---- Heights -----------------------------------------------------------------------------

// Dry points get a height too, so that the loops have no branch; rl_surface_shore_row() corrects
// those of the shore.
void rl_surface_heights(const rl_surface *s, int i, int j, int layer, int n)
{
    RL_ASSERT(i >= 0 && j >= 0 && i + n <= s->nx && j < s->ny);
    const rill_columns *c = &s->columns;
    const size_t column = rl_surface_column(s, i, j, layer), at = rl_surface_at(s, i, j, layer);
    const float *restrict base = c->base + column, *restrict depth = c->depth + column;
    float *restrict height = s->height + at, *restrict level = s->level + at;
    const float wet = c->wet_depth;
    const float growth = rl_surface_growth(s->fine, wet, c->cell_size);
    const float global = s->def.minimum_thickness * c->cell_size;
    for (int k = 0; k < n; k++)
        level[k] = base[k] + depth[k];
    if (s->least == NULL) {
        for (int k = 0; k < n; k++)
            height[k] = base[k] + rl_surface_thickness(depth[k], 0.0f, global, wet, growth);
    } else {
        const float *restrict least =
            s->least + (size_t)layer * s->least_stride + (size_t)j * s->least_pitch + (size_t)i;
        for (int k = 0; k < n; k++)
            height[k] = base[k] + rl_surface_thickness(depth[k], least[k], global, wet, growth);
    }
    if (!s->ranged)
        return;
    const float *restrict high = c->range_max + column;
    for (int k = 0; k < n; k++)
        height[k] = height[k] < high[k] ? height[k] : high[k];
}

// Finds dry points that are linked to wet ones.
static void shores_of(uint8_t *restrict shore, const uint8_t *restrict wet,
                      const uint8_t *restrict wet_link, const uint8_t *restrict crossed, int n)
{
    for (int i = 0; i < n; i++)
        shore[i] = (uint8_t)((wet_link[i] | crossed[i]) != 0) & (wet[i] ^ 1);
}

static void shore_row(const rl_surface *s, int j, int layer, rl_surface_row drawn)
{
    const int end = drawn.end < s->nx ? drawn.end : s->nx;
    uint8_t shore[CHUNK];
    for (int first = drawn.first < 0 ? 0 : drawn.first; first < end; first += CHUNK) {
        const size_t at = rl_surface_at(s, first, j, layer);
        const int n = end - first < CHUNK ? end - first : CHUNK;
        shores_of(shore, s->wet + at, s->wet_link + at, s->crossed + at, n);
        for (int k = rl_surface_next(shore, 0, n); k < n; k = rl_surface_next(shore, k + 1, n))
            rl_surface_shore_height(s, first + k, j, layer);
    }
}

// ---- Rows --------------------------------------------------------------------------------

void rl_surface_shore_row(const rl_surface *s, int j, int layer)
{
    RL_ASSERT(j >= 0 && j < s->ny && layer < s->layers);
    const size_t at = rl_surface_at(s, 0, j, layer);
    const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
    uint8_t *idle = rl_surface_idle(s, j, layer);
    if (drawn.end == 0 && *idle & RL_IDLE_SHORE)
        return;
    *idle |= drawn.end == 0 ? RL_IDLE_SHORE : 0;
    memcpy(s->corner + at, s->wet + at, (size_t)s->nx);
    if (drawn.end != 0)
        shore_row(s, j, layer, drawn);
    rl_surface_rim_point(s, -1, j, layer);
    rl_surface_rim_point(s, s->nx, j, layer);
    for (int i = -1; i <= s->nx && j == 0; i++)
        rl_surface_rim_point(s, i, -1, layer);
    for (int i = -1; i <= s->nx && j == s->ny - 1; i++)
        rl_surface_rim_point(s, i, s->ny, layer);
}
