// SPDX-License-Identifier: MIT
// frame_data_waves.c - fills the part of the frame data that belongs to waves finer than the grid.
#include "render/frame/frame_data_waves.h"

#include "render/frame/frame_data.h"
#include "render/frame/frame_data_solid.h"
#include "render/half.h"
#include "render/passes/wave_levels.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Depths in cells from which waves displace the surface at all, and in full: waves shorter than
// twice the depth do not feel the ground.
#define DEEP_FROM 0.1f
#define DEEP_TO   0.5f
// The same in standard deviations of their height, so that no trough digs into the ground.
#define TROUGH_FROM 2.0f
#define TROUGH_TO   6.0f

// Ways to draw a quad.
enum { QUAD_COARSE, QUAD_FINE, QUAD_BOTH };

void frame_free_waves(frame_waves *w)
{
    free(w->moves);
    free(w->slopes);
    free(w->scratch);
    free(w->advected[0]);
    free(w->advected[1]);
    free(w->points);
    free(w->quads);
    free(w->blocks);
    free(w->sorted);
    free(w->corner);
    free(w->state);
    free(w->starts);
    *w = (frame_waves){0};
}

// ---- Memory ------------------------------------------------------------------------------

static size_t blocks_along(int n)
{
    return ((size_t)n + FRAME_QUAD_BLOCK - 1) / FRAME_QUAD_BLOCK;
}

static rill_status fit_advected(frame_waves *w)
{
    for (int k = 0; k < 2; k++) {
        if (w->advected[k] == NULL)
            w->advected[k] = calloc(w->cells, 4 * sizeof(uint16_t));
        if (w->advected[k] == NULL)
            return render_fail(RILL_NO_MEMORY, "no memory for the fine waves of %zu cells",
                               w->cells);
    }
    return RILL_OK;
}

static rill_status fit_cells(frame_waves *w, int nx, int ny)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    if (cells == w->cells)
        return RILL_OK;
    frame_free_waves(w);
    const size_t blocks = blocks_along(nx) * blocks_along(ny);
    w->points = calloc(cells, sizeof *w->points);
    w->quads = calloc(cells, sizeof *w->quads);
    w->state = calloc(cells, sizeof *w->state);
    w->blocks = calloc(blocks, sizeof *w->blocks);
    w->starts = calloc(blocks, sizeof *w->starts);
    if (w->points == NULL || w->quads == NULL || w->state == NULL || w->blocks == NULL ||
        w->starts == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for the fine waves of %d x %d cells", nx, ny);
    w->cells = cells;
    w->block_count = blocks;
    return RILL_OK;
}

static rill_status fit_texture(frame_waves *w, int size)
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
        return render_fail(RILL_NO_MEMORY, "no memory for a texture of %d x %d waves", size, size);
    w->texture_capacity = texels;
    return RILL_OK;
}

static rill_status fit_mesh(frame_waves *w, const frame_data *s)
{
    void *sorted = w->sorted, *corner = w->corner;
    rill_status status =
        frame_grow(&sorted, &w->sorted_capacity, s->index_count, sizeof *w->sorted);
    w->sorted = sorted;
    if (status == RILL_OK)
        status = frame_grow(&corner, &w->corner_capacity, s->vertex_count, sizeof *w->corner);
    w->corner = corner;
    return status;
}

// ---- Advected texture coordinates --------------------------------------------------------

static void fill_advected(const rill_waves *from, frame_waves *w)
{
    for (int j = 0; j < from->ny; j++) {
        const size_t row = (size_t)j * from->pitch, to = 4 * (size_t)j * (size_t)from->nx;
        uint16_t *first = w->advected[0] + to, *last = w->advected[1] + to;
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

// ---- Quads that can be refined -----------------------------------------------------------

// Returns the cell whose centre (x, y) is, if there is one.
static frame_quad centre_at(const frame_data *s, float per_metre, float x, float y)
{
    const float u = x * per_metre - 0.5f, v = y * per_metre - 0.5f;
    const int i = (int)(u + 0.5f), j = (int)(v + 0.5f);
    if (u < -0.1f || v < -0.1f || i >= s->nx || j >= s->ny || fabsf(u - (float)i) > 1e-2f ||
        fabsf(v - (float)j) > 1e-2f)
        return (frame_quad){FRAME_NO_CELL, FRAME_NO_CELL};
    return (frame_quad){(uint16_t)i, (uint16_t)j};
}

static void find_points(const frame_data *s, frame_waves *w)
{
    const float per_metre = 1.0f / s->cell_size;
    memset(w->points, 0, w->cells * sizeof *w->points);
    for (size_t n = 0; n < s->vertex_count; n++) {
        const frame_vertex *v = &s->vertices[n];
        const frame_quad cell = centre_at(s, per_metre, v->position[0], v->position[1]);
        w->corner[n] = cell;
        if (cell.i == FRAME_NO_CELL)
            continue;
        frame_point *point = &w->points[cell.j * s->nx + cell.i];
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

frame_quad frame_quad_of(const frame_waves *w, const uint32_t *triangle)
{
    const frame_quad a = w->corner[triangle[0]], b = w->corner[triangle[1]];
    const frame_quad c = w->corner[triangle[2]];
    const int i0 = least(a.i, b.i, c.i), j0 = least(a.j, b.j, c.j);
    const int i1 = most(a.i, b.i, c.i), j1 = most(a.j, b.j, c.j);
    if (i1 != i0 + 1 || j1 != j0 + 1 || i1 == FRAME_NO_CELL)
        return (frame_quad){FRAME_NO_CELL, FRAME_NO_CELL};
    return (frame_quad){(uint16_t)i0, (uint16_t)j0};
}

static float ramp(float value, float from, float to)
{
    const float t = fminf(fmaxf((value - from) / (to - from), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Returns the weight with which waves of this standard deviation displace a column of this depth.
static float depth_weight(float depth, float cell, float deviation)
{
    const float from = fmaxf(DEEP_FROM * cell, TROUGH_FROM * deviation);
    const float to = fmaxf(DEEP_TO * cell, TROUGH_TO * deviation);
    return depth >= to ? 1.0f : ramp(depth, from, to);
}

// Counts the triangles of every quad.
static void count_triangles(const frame_data *s, frame_waves *w)
{
    memset(w->state, 0, w->cells);
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        const frame_quad quad = frame_quad_of(w, &s->indices[n]);
        if (quad.i == FRAME_NO_CELL)
            continue;
        uint8_t *count = &w->state[quad.j * s->nx + quad.i];
        *count = (uint8_t)(*count < 3 ? *count + 1 : 3);
    }
}

// Marks quads with their own two triangles and four deep corners.
static void find_quads(const frame_data *s, frame_waves *w, const rill_columns *c, float deviation)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const size_t at = (size_t)j * c->pitch + (size_t)i;
            w->points[j * s->nx + i].weight = depth_weight(c->depth[at], s->cell_size, deviation);
        }
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const size_t at = (size_t)j * (size_t)s->nx + (size_t)i;
            const frame_point *p = &w->points[at];
            const bool fine = i + 1 < s->nx && j + 1 < s->ny && w->state[at] == 2 &&
                              p[0].weight > 0.0f && p[1].weight > 0.0f && p[s->nx].weight > 0.0f &&
                              p[s->nx + 1].weight > 0.0f;
            w->state[at] = fine ? QUAD_FINE : QUAD_COARSE;
        }
}

// Returns whether all of the 4 x 4 quads around a point are fine.
static bool all_fine(const frame_data *s, const frame_waves *w, int i, int j)
{
    static const uint8_t fine[4] = {QUAD_FINE, QUAD_FINE, QUAD_FINE, QUAD_FINE};
    const uint8_t *corner = &w->state[(j - 2) * s->nx + i - 2];
    for (int k = 0; k < 4; k++)
        if (memcmp(corner + k * s->nx, fine, sizeof fine) != 0)
            return false;
    return true;
}

// Points within two quads of one that stays coarse do not move.
static void hold_seams(const frame_data *s, frame_waves *w)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const bool border = i < 2 || j < 2 || i + 2 >= s->nx || j + 2 >= s->ny;
            if (border || !all_fine(s, w, i, j))
                w->points[j * s->nx + i].weight = 0.0f;
        }
}

static bool any_moves(const frame_data *s, const frame_waves *w, int i0, int j0, int i1, int j1)
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
static void find_rims(const frame_data *s, frame_waves *w)
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

static void begin_block(const frame_data *s, frame_quad_block *b, int i0, int j0)
{
    *b = (frame_quad_block){.low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY}};
    const float cell = s->cell_size;
    const int i1 = i0 + FRAME_QUAD_BLOCK < s->nx ? i0 + FRAME_QUAD_BLOCK : s->nx - 1;
    const int j1 = j0 + FRAME_QUAD_BLOCK < s->ny ? j0 + FRAME_QUAD_BLOCK : s->ny - 1;
    b->low[0] = ((float)i0 + 0.5f) * cell;
    b->low[1] = ((float)j0 + 0.5f) * cell;
    b->high[0] = ((float)i1 + 0.5f) * cell;
    b->high[1] = ((float)j1 + 0.5f) * cell;
}

static void add_quads(const frame_data *s, frame_waves *w, frame_quad_block *b, int i0, int j0)
{
    b->first_quad = (uint32_t)w->quad_count;
    for (int j = j0; j < j0 + FRAME_QUAD_BLOCK && j + 1 < s->ny; j++)
        for (int i = i0; i < i0 + FRAME_QUAD_BLOCK && i + 1 < s->nx; i++) {
            const uint8_t state = w->state[j * s->nx + i];
            if (state == QUAD_COARSE)
                continue;
            b->index_count += state == QUAD_FINE ? 6 : 0;
            w->quads[w->quad_count++] = (frame_quad){(uint16_t)i, (uint16_t)j};
            for (int k = 0; k < 4; k++) {
                const float level = w->points[(j + k / 2) * s->nx + i + k % 2].level;
                b->low[2] = level < b->low[2] ? level : b->low[2];
                b->high[2] = level > b->high[2] ? level : b->high[2];
            }
        }
    b->quad_count = (uint32_t)w->quad_count - b->first_quad;
}

static void make_blocks(const frame_data *s, frame_waves *w)
{
    const int along = (int)blocks_along(s->nx);
    w->quad_count = 0;
    for (size_t n = 0; n < w->block_count; n++) {
        const int i0 = (int)n % along * FRAME_QUAD_BLOCK, j0 = (int)n / along * FRAME_QUAD_BLOCK;
        begin_block(s, &w->blocks[n], i0, j0);
        add_quads(s, w, &w->blocks[n], i0, j0);
    }
    size_t first = s->index_count;
    for (size_t n = 0; n < w->block_count; n++)
        first -= w->blocks[n].index_count;
    w->rest_count = first;
    for (size_t n = 0; n < w->block_count; n++) {
        frame_quad_block *b = &w->blocks[n];
        b->first_index = w->starts[n] = (uint32_t)first;
        first += b->index_count;
    }
}

// Returns the place of a triangle of no block: those of a patch lie behind each other, if there are
// patches.
static uint32_t *place_of_rest(frame_data *s, const uint32_t *triangle, uint32_t *rest)
{
    frame_patch *patch = frame_patch_of(s, triangle);
    uint32_t *next = patch != NULL ? &patch->next : rest;
    uint32_t *to = &s->waves.sorted[*next];
    *next += 3;
    return to;
}

// Returns true when the triangle belongs to a quad of a block.
static bool in_block(const frame_data *s, const frame_waves *w, frame_quad quad)
{
    return quad.i != FRAME_NO_CELL && w->state[quad.j * s->nx + quad.i] == QUAD_FINE;
}

// Counts the triangles of no block in every patch, and finds where they begin.
static void count_rests(frame_data *s, const frame_waves *w)
{
    frame_patch *patches = s->carpet.patches;
    const size_t count = s->carpet.patch_count;
    for (size_t n = 0; n < count; n++)
        patches[n].rest_count = 0;
    for (size_t n = 0; count > 0 && n + 2 < s->index_count; n += 3)
        if (!in_block(s, w, frame_quad_of(w, &s->indices[n])))
            frame_patch_of(s, &s->indices[n])->rest_count += 3;
    uint32_t first = 0;
    for (size_t n = 0; n < count; n++) {
        patches[n].first_rest = patches[n].next = first;
        first += patches[n].rest_count;
    }
}

// Puts triangles of no block first, then those of each block.
static void sort_triangles(frame_data *s, frame_waves *w)
{
    const int along = (int)blocks_along(s->nx);
    uint32_t rest = 0;
    count_rests(s, w);
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        const frame_quad quad = frame_quad_of(w, &s->indices[n]);
        uint32_t *to;
        if (in_block(s, w, quad)) {
            uint32_t *start =
                &w->starts[quad.j / FRAME_QUAD_BLOCK * along + quad.i / FRAME_QUAD_BLOCK];
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

rill_status frame_fill_waves(const rill_waves *waves, const rill_columns *columns, frame_data *s)
{
    frame_waves *w = &s->waves;
    w->shown = false;
    if (waves->texture.size <= 0 || waves->nx != s->nx || waves->ny != s->ny)
        return RILL_OK;
    rill_status status = fit_cells(w, s->nx, s->ny);
    if (status == RILL_OK)
        status = fit_advected(w);
    if (status == RILL_OK)
        status = fit_texture(w, waves->texture.size);
    if (status == RILL_OK)
        status = fit_mesh(w, s);
    if (status != RILL_OK)
        return status;
    w->size = waves->texture.size;
    w->tile = (float)waves->texture.tile;
    memcpy(w->blend, waves->blend, sizeof w->blend);
    wave_levels_pack(&waves->texture, WAVE_CURVATURE, w->scratch, w->moves, w->slopes);
    fill_advected(waves, w);
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

rill_status frame_find_quads(const rill_columns *columns, double variance, frame_data *s)
{
    frame_waves *w = &s->waves;
    rill_status status = fit_cells(w, s->nx, s->ny);
    if (status == RILL_OK)
        status = fit_mesh(w, s);
    if (status != RILL_OK)
        return status;
    find_points(s, w);
    count_triangles(s, w);
    status = frame_carpet_coarsen(s);
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
