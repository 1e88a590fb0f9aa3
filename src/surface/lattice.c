// SPDX-License-Identifier: MIT
// lattice.c - from columns to a lattice of heights and quads: which points are water, which are
// shore, how high they stand, and how each quad of four points is cut into triangles.
//
// A wet point stands at base + max(depth, least thickness). A dry point beside wet ones closes the
// sheet onto the ground. It stands at
//
//     min(mean level of the wet columns it is linked to, its own level)
//
// Where the ground rises above the water that is the level of the water (000 section 4.3): the
// point is buried, the ground hides it, and a lake at rest stays flat up to its shore. Where the
// ground lies below the water (a front running over dry land, the lip of a fall) it is the ground:
// the sheet bends down and ends there instead of hanging in the air. The two meet without a jump.
#include "surface/lattice.h"

#include <string.h>

const signed char rl_surface_step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
const signed char rl_surface_step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// ---- level: elevation of the surface and wet or dry --------------------------------------

static void level_row(float *restrict level, uint8_t *restrict wet, const float *restrict base,
                      const float *restrict depth, float wet_depth, int n)
{
    for (int i = 0; i < n; i++)
        level[i] = base[i] + depth[i];
    for (int i = 0; i < n; i++)
        wet[i] = depth[i] > wet_depth;
}

void rl_surface_level_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const rill_columns *c = s->columns;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        if (j < 0 || j >= s->ny)
            continue;
        const size_t at = rl_surface_at(s, 0, j), from = (size_t)j * c->pitch;
        level_row(s->level + at, s->wet + at, c->base + from, c->depth + from, c->wet_depth, s->nx);
    }
}

// ---- shore: links, heights, the rim ------------------------------------------------------

// Without ranges all neighbours are linked, so the wet ones are all that counts.
static void near_row(uint8_t *restrict near, const uint8_t *restrict south,
                     const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++)
        near[i] =
            (uint8_t)(here[i + 1] | north[i + 1] << 1 | north[i] << 2 | north[i - 1] << 3 |
                      here[i - 1] << 4 | south[i - 1] << 5 | south[i] << 6 | south[i + 1] << 7);
}

// Takes away the neighbours that a range keeps apart.
static void unlink_row(const rl_surface *s, int j)
{
    const rill_columns *c = s->columns;
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * c->cell_size;
    for (int i = 0; i < s->nx; i++) {
        const size_t at = rl_surface_at(s, i, j), column = (size_t)j * c->pitch + (size_t)i;
        for (int k = 0; k < 8; k++) {
            if (!(s->near[at] >> k & 1))
                continue;
            const int ni = i + rl_surface_step_x[k], nj = j + rl_surface_step_y[k];
            const size_t other = (size_t)nj * c->pitch + (size_t)ni;
            if (!rl_surface_linked(s->level[at], c->range_min[column], c->range_max[column],
                                   s->level[rl_surface_at(s, ni, nj)], c->range_min[other],
                                   c->range_max[other], tolerance))
                s->near[at] &= (uint8_t) ~(1 << k);
        }
    }
}

// See the head of the file. Sums in double: the mean of equal levels is that level exactly.
static float shore_height(const rl_surface *s, int i, int j)
{
    const size_t at = rl_surface_at(s, i, j);
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < 8; k++)
        if (s->near[at] >> k & 1) {
            sum += s->level[rl_surface_at(s, i + rl_surface_step_x[k], j + rl_surface_step_y[k])];
            count++;
        }
    const float mean = (float)(sum / count);
    return s->level[at] < mean ? s->level[at] : mean;
}

static void height_row(const rl_surface *s, int j)
{
    const rill_columns *c = s->columns;
    const size_t at = rl_surface_at(s, 0, j);
    const float *restrict base = c->base + (size_t)j * c->pitch;
    const float *restrict depth = c->depth + (size_t)j * c->pitch;
    const uint8_t *restrict wet = s->wet + at, *restrict near = s->near + at;
    float *restrict height = s->height + at;
    const float least = s->minimum_thickness * c->cell_size;

    // Dry points get a height too, so that the loop has no branch; the next one mends the shore.
    for (int i = 0; i < s->nx; i++)
        height[i] = base[i] + (depth[i] > least ? depth[i] : least);
    for (int i = 0; i < s->nx; i++)
        if (!wet[i] && near[i])
            height[i] = shore_height(s, i, j);
}

static void copy_row(const rl_surface *s, int to, int from)
{
    const size_t target = rl_surface_at(s, -1, to), source = rl_surface_at(s, -1, from);
    memcpy(s->height + target, s->height + source, s->pitch * sizeof *s->height);
    memcpy(s->corner + target, s->corner + source, s->pitch * sizeof *s->corner);
}

void rl_surface_shore_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const bool ranged = s->columns->range_min != NULL && s->columns->range_max != NULL;
    const int end = rl_surface_tile_end(s, tile), last = s->nx - 1;
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        if (j < 0 || j >= s->ny)
            continue;
        const size_t at = rl_surface_at(s, 0, j);
        near_row(s->near + at, s->wet + at - s->pitch, s->wet + at, s->wet + at + s->pitch, s->nx);
        if (ranged)
            unlink_row(s, j);
        height_row(s, j);

        memcpy(s->corner + at, s->wet + at, (size_t)s->nx);
        s->height[at - 1] = s->height[at];
        s->corner[at - 1] = s->corner[at];
        s->height[at + (size_t)s->nx] = s->height[at + (size_t)last];
        s->corner[at + (size_t)s->nx] = s->corner[at + (size_t)last];
        if (j == 0)
            copy_row(s, -1, 0);
        if (j == s->ny - 1)
            copy_row(s, s->ny, j);
    }
}

// ---- quads: which triangles, and the diagonal between them -------------------------------

// At the boundary a diagonal with both ends wet or both dry follows the shore (000 section 4.3);
// elsewhere the higher one follows the crest of a wave (002 section 2.5.1).
static inline int take_diagonal_ac(int wet_a, int wet_b, int wet_c, int wet_d, float sum_ac,
                                   float sum_bd)
{
    const int odd_ac = wet_a ^ wet_c, odd_bd = wet_b ^ wet_d;
    const int crest = sum_ac > sum_bd;
    return (odd_bd & ~odd_ac) | (crest & ~(odd_ac ^ odd_bd));
}

// A quad of a heightfield is drawn whole where a corner is wet.
static void quad_row(uint8_t *restrict quad, const uint8_t *restrict low,
                     const uint8_t *restrict high, const float *restrict low_z,
                     const float *restrict high_z, int n)
{
    for (int i = 0; i < n; i++) {
        const int a = low[i], b = low[i + 1], c = high[i + 1], d = high[i];
        const int ac =
            take_diagonal_ac(a, b, c, d, low_z[i] + high_z[i + 1], low_z[i + 1] + high_z[i]);
        const int any = a | b | c | d;
        quad[i] = (uint8_t)(any * (RL_QUAD_WHOLE | RL_QUAD_DIAGONAL_AC * ac));
    }
}

// A corner of a quad: its cell, which for the rim is the nearest one.
typedef struct quad_corner {
    int i, j;
    int wet;
} quad_corner;

static quad_corner corner_of(const rl_surface *s, int i, int j)
{
    const int ci = i < 0 ? 0 : i < s->nx ? i : s->nx - 1;
    const int cj = j < 0 ? 0 : j < s->ny ? j : s->ny - 1;
    return (quad_corner){ci, cj, s->wet[rl_surface_at(s, ci, cj)]};
}

// Two dry columns have no water to keep apart: what holds them is the wet one between them.
static bool pair_linked(const rl_surface *s, quad_corner p, quad_corner q)
{
    const bool same = p.i == q.i && p.j == q.j;
    if (same || !(p.wet | q.wet))
        return true;
    if (!q.wet)
        return pair_linked(s, q, p);
    int k = 0;
    while (rl_surface_step_x[k] != q.i - p.i || rl_surface_step_y[k] != q.j - p.j)
        k++;
    return s->near[rl_surface_at(s, p.i, p.j)] >> k & 1;
}

// Of a quad whose corners are not all linked, the diagonal that leaves more triangles is taken.
static uint8_t linked_quad(const rl_surface *s, int i, int j)
{
    const quad_corner a = corner_of(s, i, j), b = corner_of(s, i + 1, j),
                      c = corner_of(s, i + 1, j + 1), d = corner_of(s, i, j + 1);
    if (!(a.wet | b.wet | c.wet | d.wet))
        return 0;
    const bool ab = pair_linked(s, a, b), bc = pair_linked(s, b, c), cd = pair_linked(s, c, d),
               da = pair_linked(s, d, a), ac = pair_linked(s, a, c), bd = pair_linked(s, b, d);
    // Three dry corners belong to the sheet only through the wet fourth.
    const bool whole = ab && bc && cd && da && ac && bd;
    const bool abc = ab && bc && ac && (whole || (a.wet | b.wet | c.wet));
    const bool acd = ac && cd && da && (whole || (a.wet | c.wet | d.wet));
    const bool abd = ab && bd && da && (whole || (a.wet | b.wet | d.wet));
    const bool bcd = bc && cd && bd && (whole || (b.wet | c.wet | d.wet));

    const float *low = s->height + rl_surface_at(s, i, j), *high = low + s->pitch;
    bool diagonal_ac = abc + acd > abd + bcd;
    if (abc + acd == abd + bcd)
        diagonal_ac =
            take_diagonal_ac(a.wet, b.wet, c.wet, d.wet, low[0] + high[1], low[1] + high[0]);
    int code = diagonal_ac ? RL_QUAD_DIAGONAL_AC : 0;
    if (diagonal_ac ? abc : abd)
        code |= RL_QUAD_FIRST | RL_QUAD_A | RL_QUAD_B | (diagonal_ac ? RL_QUAD_C : RL_QUAD_D);
    if (diagonal_ac ? acd : bcd)
        code |= RL_QUAD_SECOND | RL_QUAD_C | RL_QUAD_D | (diagonal_ac ? RL_QUAD_A : RL_QUAD_B);
    return (uint8_t)(code & (RL_QUAD_FIRST | RL_QUAD_SECOND) ? code : 0);
}

static size_t count_triangles(const uint8_t *quad, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum += (quad[i] / RL_QUAD_FIRST & 1u) + (quad[i] / RL_QUAD_SECOND & 1u);
    return sum;
}

void rl_surface_quads_tile(void *context, int tile)
{
    rl_surface *s = context;
    const bool ranged = s->columns->range_min != NULL && s->columns->range_max != NULL;
    const int end = rl_surface_tile_end(s, tile), n = s->nx + 1;
    size_t triangles = 0;
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        if (j == s->ny)
            continue; // the last row of points has no quads above it
        const size_t at = rl_surface_at(s, -1, j);
        if (ranged)
            for (int i = 0; i < n; i++)
                s->quad[at + (size_t)i] = linked_quad(s, i - 1, j);
        else
            quad_row(s->quad + at, s->corner + at, s->corner + at + s->pitch, s->height + at,
                     s->height + at + s->pitch, n);
        triangles += count_triangles(s->quad + at, n);
    }
    s->tiles[tile].triangles = triangles;
}
