// SPDX-License-Identifier: MIT
// frame_data_river.c - puts the triangles of a river into patches and makes their coarse levels.
#include "render/frame/frame_data_river.h"

#include "render/frame/frame_data.h"
#include "render/frame/frame_data_solid.h"
#include "render/ground/ground_mesh.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_VERTEX UINT32_MAX

_Static_assert(CARPET_PATCH == GROUND_CHUNK, "patches are made as the ground's chunks are");

const float carpet_bounds[CARPET_LEVELS] = {0.004f, 0.05f};

void frame_free_carpet(frame_carpet *c)
{
    free(c->patches);
    free(c->coarse);
    free(c->vertex_of);
    *c = (frame_carpet){0};
}

// ---- Changes ---------------------------------------------------------------------------

void carpet_memory_free(carpet_memory *memory)
{
    free(memory->indices);
    free(memory->places);
    *memory = (carpet_memory){0};
}

static bool same_mesh(const carpet_memory *m, const rill_mesh *mesh)
{
    if (m->version == 0 || m->index_count != mesh->index_count ||
        m->vertex_count != mesh->vertex_count)
        return false;
    for (size_t n = 0; n < mesh->vertex_count; n++)
        if (memcmp(m->places + 3 * n, mesh->vertices[n].position, 3 * sizeof(float)) != 0)
            return false;
    return mesh->index_count == 0 ||
           memcmp(m->indices, mesh->indices, mesh->index_count * sizeof *m->indices) == 0;
}

rill_status carpet_notice(carpet_memory *m, const rill_mesh *mesh)
{
    if (same_mesh(m, mesh))
        return RILL_OK;
    void *indices = m->indices, *places = m->places;
    rill_status status =
        frame_grow(&indices, &m->index_capacity, mesh->index_count, sizeof *m->indices);
    m->indices = indices;
    if (status == RILL_OK)
        status = frame_grow(&places, &m->place_capacity, 3 * mesh->vertex_count, sizeof(float));
    m->places = places;
    if (status != RILL_OK)
        return status;
    if (mesh->index_count > 0)
        memcpy(m->indices, mesh->indices, mesh->index_count * sizeof *m->indices);
    for (size_t n = 0; n < mesh->vertex_count; n++)
        memcpy(m->places + 3 * n, mesh->vertices[n].position, 3 * sizeof(float));
    m->index_count = mesh->index_count;
    m->vertex_count = mesh->vertex_count;
    m->version++;
    return RILL_OK;
}

// ---- Patches ---------------------------------------------------------------------------

// Makes empty patches over the grid.
static rill_status begin_patches(frame_data *s)
{
    frame_carpet *c = &s->carpet;
    const int across = (s->nx + CARPET_PATCH - 1) / CARPET_PATCH;
    const int along = (s->ny + CARPET_PATCH - 1) / CARPET_PATCH;
    void *memory = c->patches;
    const rill_status status =
        frame_grow(&memory, &c->patch_capacity, (size_t)across * (size_t)along, sizeof *c->patches);
    c->patches = memory;
    if (status != RILL_OK)
        return status;
    c->patches_x = across;
    c->patch_count = (size_t)across * (size_t)along;
    for (size_t n = 0; n < c->patch_count; n++)
        c->patches[n] = (frame_patch){.low = {INFINITY, INFINITY, INFINITY},
                                      .high = {-INFINITY, -INFINITY, -INFINITY}};
    return RILL_OK;
}

static int patch_along(const frame_data *s, float place, int cells)
{
    const int cell = (int)(place / s->cell_size - 0.5f);
    const int patch = (cell < 0 ? 0 : cell) / CARPET_PATCH, last = (cells - 1) / CARPET_PATCH;
    return patch < last ? patch : last;
}

// Returns the patch by the lower corner of the triangle's box: that of a quad is the cell that the
// quad counts with.
frame_patch *frame_patch_of(frame_data *s, const uint32_t *triangle)
{
    if (s->carpet.patch_count == 0)
        return NULL;
    float low[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 2; n++)
            low[n] = fminf(low[n], s->vertices[triangle[k]].position[n]);
    // Centres of cells are hit exactly; rounding must not put them into the patch before.
    const float hair = 0.01f * s->cell_size;
    const int i = patch_along(s, low[0] + hair, s->nx), j = patch_along(s, low[1] + hair, s->ny);
    return &s->carpet.patches[j * s->carpet.patches_x + i];
}

static void stretch_boxes(frame_data *s)
{
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        frame_patch *patch = frame_patch_of(s, &s->indices[n]);
        for (size_t k = 0; k < 9; k++) {
            const float at = s->vertices[s->indices[n + k / 3]].position[k % 3];
            patch->low[k % 3] = fminf(patch->low[k % 3], at);
            patch->high[k % 3] = fmaxf(patch->high[k % 3], at);
        }
    }
}

static rill_status find_vertices(frame_data *s)
{
    frame_carpet *c = &s->carpet;
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    void *memory = c->vertex_of;
    const rill_status status =
        frame_grow(&memory, &c->vertex_of_capacity, cells, sizeof *c->vertex_of);
    c->vertex_of = memory;
    if (status != RILL_OK)
        return status;
    for (size_t n = 0; n < cells; n++)
        c->vertex_of[n] = NO_VERTEX;
    for (size_t n = 0; n < s->vertex_count; n++) {
        const frame_quad cell = s->waves.corner[n];
        if (cell.i != FRAME_NO_CELL)
            c->vertex_of[(size_t)cell.j * (size_t)s->nx + cell.i] = (uint32_t)n;
    }
    return RILL_OK;
}

// ---- Coarse triangles ------------------------------------------------------------------

// A patch while its coarse triangles are made: its first cell, and its number of quads.
typedef struct shaping {
    frame_data *s;
    int i0, j0, wide, high;
    float heights[GROUND_POINTS];
    bool fixed[GROUND_POINTS];
    ground_errors errors;
    uint16_t indices[GROUND_INDICES]; // of the network
} shaping;

static bool plain(const frame_data *s, int i, int j)
{
    return i + 1 < s->nx && j + 1 < s->ny &&
           s->waves.state[(size_t)j * (size_t)s->nx + (size_t)i] == 2;
}

// Collects the heights of the patch's points. Those of the edge and around quads that are not plain
// stay.
static void measure_patch(shaping *p)
{
    const frame_data *s = p->s;
    for (int n = 0; n < GROUND_POINTS; n++) {
        const int a = n % (GROUND_CHUNK + 1), b = n / (GROUND_CHUNK + 1);
        const int i = p->i0 + a < s->nx ? p->i0 + a : s->nx - 1;
        const int j = p->j0 + b < s->ny ? p->j0 + b : s->ny - 1;
        p->heights[n] = s->waves.points[(size_t)j * (size_t)s->nx + (size_t)i].level;
        p->fixed[n] = a == 0 || b == 0 || a >= p->wide || b >= p->high;
    }
    for (int b = 0; b < p->high; b++)
        for (int a = 0; a < p->wide; a++) {
            if (plain(s, p->i0 + a, p->j0 + b))
                continue;
            for (int k = 0; k < 4; k++)
                p->fixed[(b + k / 2) * (GROUND_CHUNK + 1) + a + k % 2] = true;
        }
}

static rill_status add_coarse(frame_carpet *c, const uint32_t triangle[3])
{
    void *memory = c->coarse;
    const rill_status status =
        frame_grow(&memory, &c->coarse_capacity, c->coarse_count + 3, sizeof *c->coarse);
    c->coarse = memory;
    if (status != RILL_OK)
        return status;
    memcpy(c->coarse + c->coarse_count, triangle, 3 * sizeof *triangle);
    c->coarse_count += 3;
    return RILL_OK;
}

// Finds the vertices of a triangle of the network; returns false for one that hangs in a hem or
// lies on a quad that is not plain, whose own triangles are drawn instead.
static bool real_triangle(const shaping *p, const uint16_t *corners, uint32_t triangle[3])
{
    const frame_data *s = p->s;
    int i[3], j[3];
    for (int k = 0; k < 3; k++) {
        if (corners[k] >= GROUND_POINTS)
            return false;
        i[k] = p->i0 + corners[k] % (GROUND_CHUNK + 1);
        j[k] = p->j0 + corners[k] / (GROUND_CHUNK + 1);
        if (i[k] >= s->nx || j[k] >= s->ny)
            return false;
        triangle[k] = s->carpet.vertex_of[(size_t)j[k] * (size_t)s->nx + (size_t)i[k]];
        if (triangle[k] == NO_VERTEX)
            return false;
    }
    const int low_i = i[0] < i[1] ? (i[0] < i[2] ? i[0] : i[2]) : (i[1] < i[2] ? i[1] : i[2]);
    const int low_j = j[0] < j[1] ? (j[0] < j[2] ? j[0] : j[2]) : (j[1] < j[2] ? j[1] : j[2]);
    return plain(s, low_i, low_j);
}

// Adds the coarse triangles of a patch. The triangles of the patch's own shore lie at `shore`;
// every level has them.
static rill_status coarsen_patch(shaping *p, int level, const uint32_t *shore, frame_patch *patch)
{
    frame_carpet *c = &p->s->carpet;
    const float bound = carpet_bounds[level] * p->s->cell_size;
    const int count = ground_mesh_build(&p->errors, p->wide, p->high, bound, p->indices);
    rill_status status = RILL_OK;
    patch->first_coarse[level] = (uint32_t)c->coarse_count;
    for (int n = 0; n + 2 < count && status == RILL_OK; n += 3) {
        uint32_t triangle[3];
        if (real_triangle(p, &p->indices[n], triangle))
            status = add_coarse(c, triangle);
    }
    for (uint32_t n = 0; n < patch->rest_count && status == RILL_OK; n += 3)
        status = add_coarse(c, shore + n);
    patch->coarse_count[level] = (uint32_t)c->coarse_count - patch->first_coarse[level];
    return status;
}

// Returns whether a triangle is one of the two of a plain quad.
static bool on_plain(const frame_data *s, const uint32_t *triangle)
{
    const frame_quad quad = frame_quad_of(&s->waves, triangle);
    return quad.i != FRAME_NO_CELL && plain(s, quad.i, quad.j);
}

// Puts the triangles of quads that are not plain into the order of the patches.
static void sort_shore(frame_data *s, uint32_t *shore)
{
    frame_carpet *c = &s->carpet;
    for (size_t n = 0; n + 2 < s->index_count; n += 3)
        if (!on_plain(s, &s->indices[n]))
            frame_patch_of(s, &s->indices[n])->rest_count += 3;
    uint32_t first = 0;
    for (size_t n = 0; n < c->patch_count; n++) {
        c->patches[n].first_rest = c->patches[n].next = first;
        first += c->patches[n].rest_count;
    }
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        if (on_plain(s, &s->indices[n]))
            continue;
        frame_patch *patch = frame_patch_of(s, &s->indices[n]);
        memcpy(shore + patch->next, &s->indices[n], 3 * sizeof *shore);
        patch->next += 3;
    }
}

static int quads_along(int cells, int first)
{
    const int left = cells - 1 - first;
    return left < 0 ? 0 : left < CARPET_PATCH ? left : CARPET_PATCH;
}

static rill_status coarsen_all(frame_data *s, shaping *p, const uint32_t *shore)
{
    frame_carpet *c = &s->carpet;
    rill_status status = RILL_OK;
    for (size_t n = 0; n < c->patch_count && status == RILL_OK; n++) {
        frame_patch *patch = &c->patches[n];
        if (patch->low[0] > patch->high[0])
            continue;
        p->i0 = (int)(n % (size_t)c->patches_x) * CARPET_PATCH;
        p->j0 = (int)(n / (size_t)c->patches_x) * CARPET_PATCH;
        p->wide = quads_along(s->nx, p->i0);
        p->high = quads_along(s->ny, p->j0);
        measure_patch(p);
        ground_mesh_measure(p->heights, p->fixed, p->wide, p->high, &p->errors);
        for (int level = 0; level < CARPET_LEVELS && status == RILL_OK; level++)
            status = coarsen_patch(p, level, shore + patch->first_rest, patch);
    }
    return status;
}

rill_status frame_carpet_coarsen(frame_data *s)
{
    s->carpet.coarse_count = 0;
    shaping *p = malloc(sizeof *p);
    if (p == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for the river's patches");
    p->s = s;
    rill_status status = begin_patches(s);
    if (status == RILL_OK)
        status = find_vertices(s);
    if (status == RILL_OK) {
        uint32_t *const shore = s->waves.sorted; // free until triangles are put into order
        stretch_boxes(s);
        sort_shore(s, shore);
        status = coarsen_all(s, p, shore);
    }
    free(p);
    return status;
}
