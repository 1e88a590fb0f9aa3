// SPDX-License-Identifier: MIT
// frame_data_solid.c - fills the part of the frame data that belongs to a solid ground, and traces
// rays in it.
#include "render/frame/frame_data_solid.h"

#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANE_INSIDE 0.02f // cells: panes stand this far inside the border, behind the cut ground

rill_status frame_grow(void **memory, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return RILL_OK;
    const size_t wanted = count + count / 2;
    void *larger = realloc(*memory, wanted * size);
    if (larger == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a mesh of %zu parts", count);
    *memory = larger;
    *capacity = wanted;
    return RILL_OK;
}

// ---- Ground ----------------------------------------------------------------------------

static rill_status reserve(frame_data *s, size_t vertices, size_t indices)
{
    const size_t boxes = indices / 3 / FRAME_BOX_TRIANGLES + 1;
    void *first = s->ground_vertices, *second = s->ground_indices, *third = s->boxes;
    rill_status status =
        frame_grow(&first, &s->ground_vertex_capacity, vertices, sizeof *s->ground_vertices);
    s->ground_vertices = first;
    if (status == RILL_OK)
        status = frame_grow(&second, &s->ground_index_capacity, indices, sizeof *s->ground_indices);
    s->ground_indices = second;
    if (status == RILL_OK)
        status = frame_grow(&third, &s->box_capacity, boxes, sizeof *s->boxes);
    s->boxes = third;
    return status;
}

static void make_boxes(frame_data *s)
{
    const size_t triangles = s->ground_index_count / 3;
    for (size_t first = 0; first < triangles; first += FRAME_BOX_TRIANGLES) {
        frame_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        const size_t left = triangles - first;
        const size_t corners = 3 * (left < FRAME_BOX_TRIANGLES ? left : FRAME_BOX_TRIANGLES);
        for (size_t n = 0; n < corners; n++) {
            const float *p = s->ground_vertices[s->ground_indices[3 * first + n]].position;
            for (int k = 0; k < 3; k++) {
                box.low[k] = p[k] < box.low[k] ? p[k] : box.low[k];
                box.high[k] = p[k] > box.high[k] ? p[k] : box.high[k];
            }
        }
        s->boxes[first / FRAME_BOX_TRIANGLES] = box;
    }
}

rill_status frame_set_solid(frame_data *s, const rill_ground_mesh *mesh)
{
    const rill_status status = reserve(s, mesh->vertex_count, mesh->index_count);
    if (status != RILL_OK)
        return status;
    for (size_t n = 0; n < mesh->vertex_count; n++) {
        const rill_ground_vertex *from = &mesh->vertices[n];
        frame_ground *to = &s->ground_vertices[n];
        memcpy(to->position, from->position, sizeof to->position);
        for (int k = 0; k < 3; k++)
            to->normal[k] = frame_pack_unit(from->normal[k]);
        to->openness = frame_pack_unit(from->openness < 0.0f ? 0.0f : from->openness);
    }
    if (mesh->index_count > 0)
        memcpy(s->ground_indices, mesh->indices, mesh->index_count * sizeof *s->ground_indices);
    s->ground_vertex_count = mesh->vertex_count;
    s->ground_index_count = mesh->index_count;
    s->solid_version = mesh->version;
    make_boxes(s);
    return RILL_OK;
}

// ---- Panes -----------------------------------------------------------------------------

// A side of the world: cell n along it is `first` plus n times `onward`.
typedef struct side {
    size_t first, onward, count;
    float origin[2], along[2], facing[2]; // metres; unit vectors
} side;

static side side_of(const rill_columns *c, int which)
{
    const float wide = (float)c->nx * c->cell_size, high = (float)c->ny * c->cell_size;
    const float in = PANE_INSIDE * c->cell_size;
    const size_t nx = (size_t)c->nx, ny = (size_t)c->ny;
    switch (which) {
    case RILL_SIDE_WEST:
        return (side){0, c->pitch, ny, {in, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}};
    case RILL_SIDE_EAST:
        return (side){nx - 1, c->pitch, ny, {wide - in, 0.0f}, {0.0f, 1.0f}, {1.0f, 0.0f}};
    case RILL_SIDE_SOUTH:
        return (side){0, 1, nx, {0.0f, in}, {1.0f, 0.0f}, {0.0f, -1.0f}};
    default:
        return (side){(ny - 1) * c->pitch, 1, nx, {0.0f, high - in}, {1.0f, 0.0f}, {0.0f, 1.0f}};
    }
}

// Returns the level on the line between a wet cell and the one beside it: the mean of both, if the
// same liquid goes on there in some layer, else that of the cell.
static float level_between(const rill_columns *c, size_t layer_cell, size_t beside)
{
    const float base = c->base[layer_cell], level = base + c->depth[layer_cell];
    for (int k = 0; k < c->layers; k++) {
        const size_t other = (size_t)k * c->layer_stride + beside;
        const float other_base = c->base[other], other_level = other_base + c->depth[other];
        if (c->depth[other] > c->wet_depth && other_level > base && level > other_base)
            return 0.5f * (level + other_level);
    }
    return level;
}

static void add_pane(const side *s, float cell, size_t n, float bottom, const float top[2],
                     frame_pane out[6])
{
    static const int corners[6] = {0, 1, 3, 0, 3, 2}; // bit 0: the far end; bit 1: the upper edge
    for (int k = 0; k < 6; k++) {
        const int end = corners[k] & 1, upper = corners[k] >> 1;
        const float along = ((float)n + (float)end) * cell;
        out[k] = (frame_pane){
            .position = {s->origin[0] + along * s->along[0], s->origin[1] + along * s->along[1],
                         upper ? top[end] : bottom},
            .level = top[end],
            .facing = {s->facing[0], s->facing[1]},
        };
    }
}

static rill_status side_panes(const rill_columns *c, const side *edge, frame_data *s)
{
    void *memory = s->panes;
    const rill_status status =
        frame_grow(&memory, &s->pane_capacity, s->pane_count + 6 * edge->count * (size_t)c->layers,
                   sizeof *s->panes);
    s->panes = memory;
    if (status != RILL_OK)
        return status;
    for (int k = 0; k < c->layers; k++)
        for (size_t n = 0; n < edge->count; n++) {
            const size_t cell = edge->first + n * edge->onward;
            const size_t column = (size_t)k * c->layer_stride + cell;
            if (!(c->depth[column] > c->wet_depth))
                continue;
            const size_t before = n > 0 ? cell - edge->onward : cell;
            const size_t after = n + 1 < edge->count ? cell + edge->onward : cell;
            const float top[2] = {level_between(c, column, before),
                                  level_between(c, column, after)};
            // The ground's cut side stands before the pane and hides what goes too deep.
            add_pane(edge, c->cell_size, n, c->base[column] - c->cell_size, top,
                     &s->panes[s->pane_count]);
            s->pane_count += 6;
        }
    return RILL_OK;
}

rill_status frame_fill_panes(const rill_columns *columns, frame_data *s)
{
    rill_status status = RILL_OK;
    s->pane_count = 0;
    for (int which = 0; s->solid_version != 0 && which < RILL_SIDE_COUNT; which++) {
        const side edge = side_of(columns, which);
        if (status == RILL_OK)
            status = side_panes(columns, &edge, s);
    }
    return status;
}

// ---- Rays ------------------------------------------------------------------------------

// Returns the part of the ray at which it meets the triangle, or infinity (Moeller and Trumbore
// 1997).
static double meet(const float *const p[3], const double origin[3], const double direction[3])
{
    double a[3], b[3], from[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)p[1][k] - (double)p[0][k];
        b[k] = (double)p[2][k] - (double)p[0][k];
        from[k] = origin[k] - (double)p[0][k];
    }
    const double across[3] = {direction[1] * b[2] - direction[2] * b[1],
                              direction[2] * b[0] - direction[0] * b[2],
                              direction[0] * b[1] - direction[1] * b[0]};
    const double volume = a[0] * across[0] + a[1] * across[1] + a[2] * across[2];
    if (volume == 0.0)
        return (double)INFINITY;
    const double u = (from[0] * across[0] + from[1] * across[1] + from[2] * across[2]) / volume;
    const double over[3] = {from[1] * a[2] - from[2] * a[1], from[2] * a[0] - from[0] * a[2],
                            from[0] * a[1] - from[1] * a[0]};
    const double v =
        (direction[0] * over[0] + direction[1] * over[1] + direction[2] * over[2]) / volume;
    const double t = (b[0] * over[0] + b[1] * over[1] + b[2] * over[2]) / volume;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 ? t : (double)INFINITY;
}

static bool meets_box(const frame_box *box, const double origin[3], const double direction[3],
                      double limit)
{
    double near = 0.0, far = limit;
    for (int k = 0; k < 3; k++) {
        const double low = (double)box->low[k] - origin[k], high = (double)box->high[k] - origin[k];
        if (direction[k] == 0.0) {
            if (low > 0.0 || high < 0.0)
                return false;
            continue;
        }
        const double a = low / direction[k], b = high / direction[k];
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    return near <= far;
}

static double meet_ground(const frame_data *s, const double origin[3], const double direction[3])
{
    double nearest = (double)INFINITY;
    const size_t triangles = s->ground_index_count / 3;
    for (size_t n = 0; n < triangles; n++) {
        if (n % FRAME_BOX_TRIANGLES == 0 &&
            !meets_box(&s->boxes[n / FRAME_BOX_TRIANGLES], origin, direction, nearest)) {
            n += FRAME_BOX_TRIANGLES - 1;
            continue;
        }
        const uint32_t *index = &s->ground_indices[3 * n];
        const float *const corners[3] = {s->ground_vertices[index[0]].position,
                                         s->ground_vertices[index[1]].position,
                                         s->ground_vertices[index[2]].position};
        nearest = fmin(nearest, meet(corners, origin, direction));
    }
    return nearest;
}

static double meet_water(const frame_data *s, const double origin[3], const double direction[3])
{
    double nearest = (double)INFINITY;
    for (size_t n = 0; n + 2 < s->index_count; n += 3) {
        const float *const corners[3] = {s->vertices[s->indices[n]].position,
                                         s->vertices[s->indices[n + 1]].position,
                                         s->vertices[s->indices[n + 2]].position};
        nearest = fmin(nearest, meet(corners, origin, direction));
    }
    return nearest;
}

bool frame_data_hit_solid(const frame_data *s, const double origin[3], const double direction[3],
                          double hit[3])
{
    const double t = fmin(meet_ground(s, origin, direction), meet_water(s, origin, direction));
    if (!isfinite(t))
        return false;
    for (int k = 0; k < 3; k++)
        hit[k] = origin[k] + t * direction[k];
    return true;
}
