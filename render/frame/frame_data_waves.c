// SPDX-License-Identifier: MIT
#include "render/frame/frame_data_waves.h"

#include "render/frame/frame_data.h"
#include "render/frame/frame_data_solid.h"
#include "render/half.h"
#include "render/passes/wave_levels.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Depths in cells from which waves displace the surface at all, and in full: shorter ones than
// twice the depth do not feel the ground.
#define DEEP_FROM 0.1f
#define DEEP_TO   0.5f
// The same in standard deviations of their height, so that no trough digs into the ground.
#define TROUGH_FROM 2.0f
#define TROUGH_TO   6.0f

// How a quad is drawn.
enum { QUAD_COARSE, QUAD_FINE, QUAD_BOTH };

void still_free_waves(still_waves *w)
{
    free(w->moves);
    free(w->slopes);
    free(w->scratch);
    free(w->carried[0]);
    free(w->carried[1]);
    free(w->points);
    free(w->quads);
    free(w->blocks);
    free(w->sorted);
    free(w->corner);
    free(w->state);
    free(w->starts);
    *w = (still_waves){0};
}

// ---- Room --------------------------------------------------------------------------------

static size_t blocks_along(int n)
{
    return ((size_t)n + STILL_BLOCK - 1) / STILL_BLOCK;
}

static rill_status make_room_for_carried(still_waves *w)
{
    for (int k = 0; k < 2; k++) {
        if (w->carried[k] == NULL)
            w->carried[k] = calloc(w->cells, 4 * sizeof(uint16_t));
        if (w->carried[k] == NULL)
            return trouble(RILL_NO_MEMORY, "no memory for the fine waves of %zu cells", w->cells);
    }
    return RILL_OK;
}

static rill_status make_room_for_cells(still_waves *w, int nx, int ny)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    if (cells == w->cells)
        return RILL_OK;
    still_free_waves(w);
    const size_t blocks = blocks_along(nx) * blocks_along(ny);
    w->points = calloc(cells, sizeof *w->points);
    w->quads = calloc(cells, sizeof *w->quads);
    w->state = calloc(cells, sizeof *w->state);
    w->blocks = calloc(blocks, sizeof *w->blocks);
    w->starts = calloc(blocks, sizeof *w->starts);
    if (w->points == NULL || w->quads == NULL || w->state == NULL || w->blocks == NULL ||
        w->starts == NULL)
        return trouble(RILL_NO_MEMORY, "no memory for the fine waves of %d x %d cells", nx, ny);
    w->cells = cells;
    w->block_count = blocks;
    return RILL_OK;
}

static rill_status make_room_for_texture(still_waves *w, int size)
{
    const size_t texels = wave_levels_texels(size);
    if (texels <= w->texture_capacity)
        return RILL_OK;
    free(w->moves);
    free(w->slopes);
    free(w->scratch);
    w->texture_capacity = 0;
    w->moves = malloc(4 * texels * sizeof *w->moves);
    w->slopes = malloc(4 * texels * sizeof *w->slopes);
    w->scratch = malloc(wave_levels_scratch(size) * sizeof *w->scratch);
    if (w->moves == NULL || w->slopes == NULL || w->scratch == NULL)
        return trouble(RILL_NO_MEMORY, "no memory for a texture of %d x %d waves", size, size);
    w->texture_capacity = texels;
    return RILL_OK;
}

static rill_status make_room_for_mesh(still_waves *w, const still *s)
{
    void *sorted = w->sorted, *corner = w->corner;
    rill_status status =
        still_grow(&sorted, &w->sorted_capacity, s->index_count, sizeof *w->sorted);
    w->sorted = sorted;
    if (status == RILL_OK)
        status = still_grow(&corner, &w->corner_capacity, s->vertex_count, sizeof *w->corner);
    w->corner = corner;
    return status;
}

// ---- Carried texture coordinates ---------------------------------------------------------

static void take_carried(const rill_waves *from, still_waves *w)
{
    for (int j = 0; j < from->ny; j++) {
        const size_t row = (size_t)j * from->pitch, to = 4 * (size_t)j * (size_t)from->nx;
        uint16_t *first = w->carried[0] + to, *last = w->carried[1] + to;
        for (size_t i = 0; i < (size_t)from->nx; i++) {
            first[4 * i + 0] = half_from_float(from->s[0][row + i]);
            first[4 * i + 1] = half_from_float(from->t[0][row + i]);
            first[4 * i + 2] = half_from_float(from->s[1][row + i]);
            first[4 * i + 3] = half_from_float(from->t[1][row + i]);
            last[4 * i + 0] = half_from_float(from->s[2][row + i]);
            last[4 * i + 1] = half_from_float(from->t[2][row + i]);
            last[4 * i + 2] = half_from_float(from->weight[row + i]);
            last[4 * i + 3] = 0;
        }
    }
}

// ---- Which quads can be refined ----------------------------------------------------------

// The cell whose centre (x, y) is, if there is one.
static still_quad centre_at(const still *s, float per_metre, float x, float y)
{
    const float u = x * per_metre - 0.5f, v = y * per_metre - 0.5f;
    const int i = (int)(u + 0.5f), j = (int)(v + 0.5f);
    if (u < -0.1f || v < -0.1f || i >= s->nx || j >= s->ny || fabsf(u - (float)i) > 1e-2f ||
        fabsf(v - (float)j) > 1e-2f)
        return (still_quad){STILL_NO_CELL, STILL_NO_CELL};
    return (still_quad){(uint16_t)i, (uint16_t)j};
}

static void find_points(const still *s, still_waves *w)
{
    const float per_metre = 1.0f / s->cell_size;
    memset(w->points, 0, w->cells * sizeof *w->points);
    for (size_t n = 0; n < s->vertex_count; n++) {
        const still_vertex *v = &s->vertices[n];
        const still_quad cell = centre_at(s, per_metre, v->position[0], v->position[1]);
        w->corner[n] = cell;
        if (cell.i == STILL_NO_CELL)
            continue;
        still_point *point = &w->points[cell.j * s->nx + cell.i];
        point->level = v->position[2];
        point->normal[0] = (float)v->normal[0] / 32767.0f;
        point->normal[1] = (float)v->normal[1] / 32767.0f;
    }
}

static int least(int a, int b, int c)
{
    const int two = a < b ? a : b;
    return two < c ? two : c;
}

static int most(int a, int b, int c)
{
    const int two = a > b ? a : b;
    return two > c ? two : c;
}

still_quad still_quad_of(const still_waves *w, const uint32_t *triangle)
{
    const still_quad a = w->corner[triangle[0]], b = w->corner[triangle[1]];
    const still_quad c = w->corner[triangle[2]];
    const int i0 = least(a.i, b.i, c.i), j0 = least(a.j, b.j, c.j);
    const int i1 = most(a.i, b.i, c.i), j1 = most(a.j, b.j, c.j);
    if (i1 != i0 + 1 || j1 != j0 + 1 || i1 == STILL_NO_CELL)
        return (still_quad){STILL_NO_CELL, STILL_NO_CELL};
    return (still_quad){(uint16_t)i0, (uint16_t)j0};
}

static float ramp(float value, float from, float to)
{
    const float t = fminf(fmaxf((value - from) / (to - from), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// How much a column of this depth lets waves of this standard deviation displace it.
static float depth_weight(float depth, float cell, float deviation)
{
    const float from = fmaxf(DEEP_FROM * cell, TROUGH_FROM * deviation);
    const float to = fmaxf(DEEP_TO * cell, TROUGH_TO * deviation);
    return depth >= to ? 1.0f : ramp(depth, from, to);
}

// How many triangles of its own every quad has.
static void count_triangles(const still *s, still_waves *w)
{
    memset(w->state, 0, w->cells);
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        const still_quad quad = still_quad_of(w, &s->indices[n]);
        if (quad.i == STILL_NO_CELL)
            continue;
        uint8_t *count = &w->state[quad.j * s->nx + quad.i];
        *count = (uint8_t)(*count < 3 ? *count + 1 : 3);
    }
}

// Quads with their own two triangles and four deep corners.
static void find_quads(const still *s, still_waves *w, const rill_columns *c, float deviation)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const size_t at = (size_t)j * c->pitch + (size_t)i;
            w->points[j * s->nx + i].weight = depth_weight(c->depth[at], s->cell_size, deviation);
        }
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const size_t at = (size_t)j * (size_t)s->nx + (size_t)i;
            const still_point *p = &w->points[at];
            const bool fine = i + 1 < s->nx && j + 1 < s->ny && w->state[at] == 2 &&
                              p[0].weight > 0.0f && p[1].weight > 0.0f && p[s->nx].weight > 0.0f &&
                              p[s->nx + 1].weight > 0.0f;
            w->state[at] = fine ? QUAD_FINE : QUAD_COARSE;
        }
}

// Whether all of the 4 x 4 quads around a point are fine.
static bool all_fine(const still *s, const still_waves *w, int i, int j)
{
    static const uint8_t fine[4] = {QUAD_FINE, QUAD_FINE, QUAD_FINE, QUAD_FINE};
    const uint8_t *corner = &w->state[(j - 2) * s->nx + i - 2];
    for (int k = 0; k < 4; k++)
        if (memcmp(corner + k * s->nx, fine, sizeof fine) != 0)
            return false;
    return true;
}

// Points within two quads of one that stays coarse do not move.
static void hold_seams(const still *s, still_waves *w)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const bool border = i < 2 || j < 2 || i + 2 >= s->nx || j + 2 >= s->ny;
            if (border || !all_fine(s, w, i, j))
                w->points[j * s->nx + i].weight = 0.0f;
        }
}

static bool any_moves(const still *s, const still_waves *w, int i0, int j0, int i1, int j1)
{
    for (int j = j0 < 0 ? 0 : j0; j <= j1 && j < s->ny; j++)
        for (int i = i0 < 0 ? 0 : i0; i <= i1 && i < s->nx; i++)
            if (w->points[j * s->nx + i].weight > 0.0f)
                return true;
    return false;
}

// A quad none of whose corners moves is the same in both meshes. Beside one that moves it is drawn
// in both, which covers the seam: the refined mesh has points on its edge that the coarse one
// lacks, and rounding could leave a pixel between them.
static void find_rims(const still *s, still_waves *w)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            uint8_t *state = &w->state[j * s->nx + i];
            if (*state == QUAD_COARSE || any_moves(s, w, i, j, i + 1, j + 1))
                continue;
            *state = any_moves(s, w, i - 1, j - 1, i + 2, j + 2) ? QUAD_BOTH : QUAD_COARSE;
        }
}

// ---- Blocks ------------------------------------------------------------------------------

static void begin_block(const still *s, still_block *b, int i0, int j0)
{
    *b = (still_block){.low = {INFINITY, INFINITY, INFINITY},
                       .high = {-INFINITY, -INFINITY, -INFINITY}};
    const float cell = s->cell_size;
    const int i1 = i0 + STILL_BLOCK < s->nx ? i0 + STILL_BLOCK : s->nx - 1;
    const int j1 = j0 + STILL_BLOCK < s->ny ? j0 + STILL_BLOCK : s->ny - 1;
    b->low[0] = ((float)i0 + 0.5f) * cell;
    b->low[1] = ((float)j0 + 0.5f) * cell;
    b->high[0] = ((float)i1 + 0.5f) * cell;
    b->high[1] = ((float)j1 + 0.5f) * cell;
}

static void add_quads(const still *s, still_waves *w, still_block *b, int i0, int j0)
{
    b->first_quad = (uint32_t)w->quad_count;
    for (int j = j0; j < j0 + STILL_BLOCK && j + 1 < s->ny; j++)
        for (int i = i0; i < i0 + STILL_BLOCK && i + 1 < s->nx; i++) {
            const uint8_t state = w->state[j * s->nx + i];
            if (state == QUAD_COARSE)
                continue;
            b->index_count += state == QUAD_FINE ? 6 : 0;
            w->quads[w->quad_count++] = (still_quad){(uint16_t)i, (uint16_t)j};
            for (int k = 0; k < 4; k++) {
                const float level = w->points[(j + k / 2) * s->nx + i + k % 2].level;
                b->low[2] = level < b->low[2] ? level : b->low[2];
                b->high[2] = level > b->high[2] ? level : b->high[2];
            }
        }
    b->quad_count = (uint32_t)w->quad_count - b->first_quad;
}

static void make_blocks(const still *s, still_waves *w)
{
    const int along = (int)blocks_along(s->nx);
    w->quad_count = 0;
    for (size_t n = 0; n < w->block_count; n++) {
        const int i0 = (int)n % along * STILL_BLOCK, j0 = (int)n / along * STILL_BLOCK;
        begin_block(s, &w->blocks[n], i0, j0);
        add_quads(s, w, &w->blocks[n], i0, j0);
    }
    size_t first = s->index_count;
    for (size_t n = 0; n < w->block_count; n++)
        first -= w->blocks[n].index_count;
    w->rest_count = first;
    for (size_t n = 0; n < w->block_count; n++) {
        still_block *b = &w->blocks[n];
        b->first_index = w->starts[n] = (uint32_t)first;
        first += b->index_count;
    }
}

// Where a triangle of no block goes: those of a patch lie behind each other, if there are patches.
static uint32_t *place_of_rest(still *s, const uint32_t *triangle, uint32_t *rest)
{
    still_patch *patch = still_patch_of(s, triangle);
    uint32_t *next = patch != NULL ? &patch->next : rest;
    uint32_t *to = &s->waves.sorted[*next];
    *next += 3;
    return to;
}

// True when the triangle belongs to a quad of a block.
static bool in_block(const still *s, const still_waves *w, still_quad quad)
{
    return quad.i != STILL_NO_CELL && w->state[quad.j * s->nx + quad.i] == QUAD_FINE;
}

// How many triangles of no block every patch has, and where they begin.
static void count_rests(still *s, const still_waves *w)
{
    still_patch *patches = s->carpet.patches;
    const size_t count = s->carpet.patch_count;
    for (size_t n = 0; n < count; n++)
        patches[n].rest_count = 0;
    for (size_t n = 0; count > 0 && n + 2 < s->index_count; n += 3)
        if (!in_block(s, w, still_quad_of(w, &s->indices[n])))
            still_patch_of(s, &s->indices[n])->rest_count += 3;
    uint32_t first = 0;
    for (size_t n = 0; n < count; n++) {
        patches[n].first_rest = patches[n].next = first;
        first += patches[n].rest_count;
    }
}

// Triangles of no block first, then those of each block.
static void sort_triangles(still *s, still_waves *w)
{
    const int along = (int)blocks_along(s->nx);
    uint32_t rest = 0;
    count_rests(s, w);
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        const still_quad quad = still_quad_of(w, &s->indices[n]);
        uint32_t *to;
        if (in_block(s, w, quad)) {
            uint32_t *start = &w->starts[quad.j / STILL_BLOCK * along + quad.i / STILL_BLOCK];
            to = &w->sorted[*start];
            *start += 3;
        } else {
            to = place_of_rest(s, &s->indices[n], &rest);
        }
        memcpy(to, &s->indices[n], 3 * sizeof *to);
    }
    uint32_t *const indices = s->indices;
    const size_t capacity = s->index_capacity;
    s->indices = w->sorted;
    s->index_capacity = w->sorted_capacity;
    w->sorted = indices;
    w->sorted_capacity = capacity;
}

rill_status still_take_waves(const rill_waves *waves, const rill_columns *columns, still *s)
{
    still_waves *w = &s->waves;
    w->shown = false;
    if (waves->texture.size <= 0 || waves->nx != s->nx || waves->ny != s->ny)
        return RILL_OK;
    rill_status status = make_room_for_cells(w, s->nx, s->ny);
    if (status == RILL_OK)
        status = make_room_for_carried(w);
    if (status == RILL_OK)
        status = make_room_for_texture(w, waves->texture.size);
    if (status == RILL_OK)
        status = make_room_for_mesh(w, s);
    if (status != RILL_OK)
        return status;
    w->size = waves->texture.size;
    w->tile = (float)waves->texture.tile;
    memcpy(w->blend, waves->blend, sizeof w->blend);
    wave_levels_pack(&waves->texture, WAVE_CURVATURE, w->scratch, w->moves, w->slopes);
    take_carried(waves, w);
    find_points(s, w);
    count_triangles(s, w);
    find_quads(s, w, columns, (float)sqrt(fmax(waves->texture.variance, 0.0)));
    hold_seams(s, w);
    find_rims(s, w);
    make_blocks(s, w);
    sort_triangles(s, w);
    w->shown = true;
    return RILL_OK;
}

rill_status still_find_quads(const rill_columns *columns, double variance, still *s)
{
    still_waves *w = &s->waves;
    rill_status status = make_room_for_cells(w, s->nx, s->ny);
    if (status == RILL_OK)
        status = make_room_for_mesh(w, s);
    if (status != RILL_OK)
        return status;
    find_points(s, w);
    count_triangles(s, w);
    status = still_carpet_coarsen(s);
    if (status != RILL_OK)
        return status;
    if (variance >= 0.0) {
        find_quads(s, w, columns, (float)sqrt(variance));
        hold_seams(s, w);
        find_rims(s, w);
    } else {
        memset(w->state, QUAD_COARSE, w->cells);
    }
    make_blocks(s, w);
    sort_triangles(s, w);
    return RILL_OK;
}
