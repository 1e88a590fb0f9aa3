// SPDX-License-Identifier: MIT
// solid_trim.c - clips a solid ground at the sides of the world and fills the cut.
//
// A triangle that crosses a side leaves a segment on it. All segments of a side are the outline of
// the solid there; a segment knows on which side of it the solid is, because triangles are
// counter-clockwise from outside. The outline is filled strip by strip between neighbouring ends of
// segments: within a strip segments only lie above each other, floors (solid below) and ceilings
// (solid above) by turns.
#include "render/ground/solid_trim.h"

#include "render/frame/frame_data_solid.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CORNERS 8    // a triangle clipped by four planes has at most seven
#define THINNEST     1e-6 // strips narrower than this part of a side are left out

void solid_mesh_free(solid_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    *mesh = (solid_mesh){0};
}

static rill_status reserve(solid_mesh *mesh, size_t vertices, size_t indices)
{
    void *first = mesh->vertices, *second = mesh->indices;
    rill_status status = frame_grow(&first, &mesh->vertex_capacity, mesh->vertex_count + vertices,
                                    sizeof *mesh->vertices);
    mesh->vertices = first;
    if (status == RILL_OK)
        status = frame_grow(&second, &mesh->index_capacity, mesh->index_count + indices,
                            sizeof *mesh->indices);
    mesh->indices = second;
    return status;
}

// ---- Outlines --------------------------------------------------------------------------

// From left to right along a side.
typedef struct segment {
    float from[2], to[2]; // metres along the side, elevation
    bool floor;           // the solid is below it
} segment;

typedef struct outline {
    segment *segments;
    size_t count, capacity;
} outline;

// A side: the coordinate that is the same all along it, and its value.
typedef struct plane {
    int axis;    // 0: west, east; 1: south, north
    float value; // metres
    float inner; // 1: the world is where the coordinate is larger; -1: smaller
} plane;

static void planes_of(const solid_box *box, plane planes[4])
{
    planes[RILL_SIDE_WEST] = (plane){0, box->west, 1.0f};
    planes[RILL_SIDE_EAST] = (plane){0, box->east, -1.0f};
    planes[RILL_SIDE_SOUTH] = (plane){1, box->south, 1.0f};
    planes[RILL_SIDE_NORTH] = (plane){1, box->north, -1.0f};
}

// With n the triangle's normal and d the way along its edge on the plane, n x d points into the
// triangle, that is inwards. On a plane of constant x the upper side of the segment has z of the
// normal = -inner d_y; on one of constant y it is inner d_x.
static rill_status add_segment(outline *o, const plane *p, const float a[3], const float b[3])
{
    const int along = 1 - p->axis;
    const float way = b[along] - a[along];
    if (way == 0.0f)
        return RILL_OK;
    void *memory = o->segments;
    const rill_status status = frame_grow(&memory, &o->capacity, o->count + 1, sizeof *o->segments);
    o->segments = memory;
    if (status != RILL_OK)
        return status;
    const bool rightwards = way > 0.0f;
    const float *left = rightwards ? a : b, *right = rightwards ? b : a;
    o->segments[o->count++] = (segment){
        .from = {left[along], left[2]},
        .to = {right[along], right[2]},
        .floor = (p->axis == 0) == (way * p->inner < 0.0f),
    };
    return RILL_OK;
}

// ---- Clipping --------------------------------------------------------------------------

static float inside_by(const plane *p, const frame_ground *v)
{
    return p->inner * (v->position[p->axis] - p->value);
}

static frame_ground between(const frame_ground *a, const frame_ground *b, float part,
                            const plane *p)
{
    frame_ground v;
    for (int k = 0; k < 3; k++) {
        // Rounding must not lead beyond either end, which may lie on another side.
        const float low = fminf(a->position[k], b->position[k]);
        const float high = fmaxf(a->position[k], b->position[k]);
        const float here = a->position[k] + part * (b->position[k] - a->position[k]);
        v.position[k] = fminf(fmaxf(here, low), high);
        v.normal[k] = (int16_t)((float)a->normal[k] + part * (float)(b->normal[k] - a->normal[k]));
    }
    v.openness = (int16_t)((float)a->openness + part * (float)(b->openness - a->openness));
    v.position[p->axis] = p->value; // exactly: edges on the side are found by it
    return v;
}

// Sutherland and Hodgman's clipping by one plane.
static int clip(const plane *p, const frame_ground *from, int count, frame_ground *to)
{
    int inside = 0;
    for (int n = 0; n < count; n++) {
        const frame_ground *a = &from[n], *b = &from[(n + 1) % count];
        const float da = inside_by(p, a), db = inside_by(p, b);
        if (da >= 0.0f)
            to[inside++] = *a;
        if ((da > 0.0f && db < 0.0f) || (da < 0.0f && db > 0.0f))
            to[inside++] = between(a, b, da / (da - db), p);
    }
    return inside;
}

static rill_status add_polygon(solid_mesh *mesh, const frame_ground *corners, int count)
{
    const rill_status status = reserve(mesh, (size_t)count, 3 * (size_t)count);
    if (status != RILL_OK)
        return status;
    const uint32_t first = (uint32_t)mesh->vertex_count;
    memcpy(&mesh->vertices[first], corners, (size_t)count * sizeof *corners);
    mesh->vertex_count += (size_t)count;
    for (uint32_t n = 2; n < (uint32_t)count; n++) {
        mesh->indices[mesh->index_count++] = first;
        mesh->indices[mesh->index_count++] = first + n - 1;
        mesh->indices[mesh->index_count++] = first + n;
    }
    return RILL_OK;
}

static rill_status add_clipped(solid_mesh *mesh, const plane planes[4], outline outlines[4],
                               const frame_ground corners[3])
{
    frame_ground a[MOST_CORNERS], b[MOST_CORNERS];
    int count = 3;
    memcpy(a, corners, 3 * sizeof *a);
    for (int k = 0; k < 4; k++) {
        count = clip(&planes[k], a, count, b);
        memcpy(a, b, (size_t)count * sizeof *a);
    }
    if (count < 3)
        return RILL_OK;
    rill_status status = RILL_OK;
    for (int k = 0; k < 4; k++)
        for (int n = 0; status == RILL_OK && n < count; n++) {
            const frame_ground *v = &a[n], *w = &a[(n + 1) % count];
            if (inside_by(&planes[k], v) == 0.0f && inside_by(&planes[k], w) == 0.0f)
                status = add_segment(&outlines[k], &planes[k], v->position, w->position);
        }
    return status == RILL_OK ? add_polygon(mesh, a, count) : status;
}

// Returns one bit for each plane that the vertex is not inside of.
static unsigned outside(const plane planes[4], const frame_ground *v)
{
    unsigned bits = 0;
    for (unsigned k = 0; k < 4; k++)
        bits |= inside_by(&planes[k], v) <= 0.0f ? 1u << k : 0u;
    return bits;
}

static rill_status clip_all(const frame_data *s, const plane planes[4], outline outlines[4],
                            solid_mesh *out)
{
    rill_status status = reserve(out, s->ground_vertex_count, s->ground_index_count);
    if (status != RILL_OK)
        return status;
    if (s->ground_vertex_count > 0)
        memcpy(out->vertices, s->ground_vertices, s->ground_vertex_count * sizeof *out->vertices);
    out->vertex_count = s->ground_vertex_count;
    for (size_t n = 0; status == RILL_OK && n + 2 < s->ground_index_count; n += 3) {
        const uint32_t *index = &s->ground_indices[n];
        const frame_ground corners[3] = {s->ground_vertices[index[0]], s->ground_vertices[index[1]],
                                         s->ground_vertices[index[2]]};
        const unsigned bits[3] = {outside(planes, &corners[0]), outside(planes, &corners[1]),
                                  outside(planes, &corners[2])};
        if ((bits[0] & bits[1] & bits[2]) != 0)
            continue;
        if ((bits[0] | bits[1] | bits[2]) != 0) {
            status = add_clipped(out, planes, outlines, corners);
            continue;
        }
        status = reserve(out, 0, 3);
        if (status == RILL_OK)
            memcpy(&out->indices[out->index_count], index, 3 * sizeof *index);
        out->index_count += status == RILL_OK ? 3 : 0;
    }
    return status;
}

// ---- Filling the cut -------------------------------------------------------------------

typedef struct strip {
    const plane *side;
    float from, to, foot; // metres
} strip;

// The part of a segment within a strip.
typedef struct strip_part {
    float low, high; // elevation at both edges of the strip
    bool floor;
} strip_part;

static rill_status add_face(solid_mesh *mesh, const strip *at, const strip_part *below,
                            const strip_part *above)
{
    const float along[4] = {at->from, at->to, at->to, at->from};
    const float height[4] = {below != NULL ? below->low : at->foot,
                             below != NULL ? below->high : at->foot, above->high, above->low};
    // The corners go left to right along the side, with the world behind: counter-clockwise on
    // south and east.
    const bool forward = (at->side->axis == 1) == (at->side->inner > 0.0f);
    frame_ground corners[4];
    for (int k = 0; k < 4; k++) {
        const int n = forward ? k : 3 - k;
        memset(&corners[k], 0, sizeof corners[k]);
        corners[k].position[at->side->axis] = at->side->value;
        corners[k].position[1 - at->side->axis] = along[n];
        corners[k].position[2] = height[n];
        corners[k].normal[at->side->axis] = (int16_t)(-32767.0f * at->side->inner);
        corners[k].openness = -32767;
    }
    return add_polygon(mesh, corners, 4);
}

static int by_height(const void *a, const void *b)
{
    const strip_part *p = a, *q = b;
    const float x = p->low + p->high, y = q->low + q->high;
    return (x > y) - (x < y);
}

static rill_status fill_strip(solid_mesh *mesh, const strip *at, strip_part *parts, size_t count)
{
    qsort(parts, count, sizeof *parts, by_height);
    const strip_part *ceiling = NULL;
    bool solid = true; // below everything
    rill_status status = RILL_OK;
    for (size_t n = 0; n < count && status == RILL_OK; n++) {
        // Where steep parts lie so close together that rounding has put them into a wrong order,
        // what does not fit is passed over: the ground below must not vanish for it.
        if (parts[n].floor != solid)
            continue;
        if (solid)
            status = add_face(mesh, at, ceiling, &parts[n]);
        else
            ceiling = &parts[n];
        solid = !solid;
    }
    return status;
}

static int by_start(const void *a, const void *b)
{
    const segment *p = a, *q = b;
    return (p->from[0] > q->from[0]) - (p->from[0] < q->from[0]);
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float height_at(const segment *s, float x)
{
    const float part = (x - s->from[0]) / (s->to[0] - s->from[0]);
    const float within = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
    return s->from[1] + within * (s->to[1] - s->from[1]);
}

// Memory for one side: the ends of its segments, those in the present strip, and their parts.
typedef struct workspace {
    float *ends;
    const segment **active;
    strip_part *parts;
} workspace;

static rill_status fill_side(solid_mesh *mesh, const plane *side, float foot, outline *o,
                             workspace *w)
{
    qsort(o->segments, o->count, sizeof *o->segments, by_start);
    for (size_t n = 0; n < o->count; n++) {
        w->ends[2 * n] = o->segments[n].from[0];
        w->ends[2 * n + 1] = o->segments[n].to[0];
    }
    qsort(w->ends, 2 * o->count, sizeof *w->ends, by_value);
    const float thin = (float)THINNEST * (w->ends[2 * o->count - 1] - w->ends[0]);
    size_t active = 0, next = 0;
    rill_status status = RILL_OK;
    strip at = {.side = side, .from = w->ends[0], .foot = foot};
    for (size_t e = 1; e < 2 * o->count && status == RILL_OK; e++) {
        at.to = w->ends[e];
        if (at.to - at.from <= thin)
            continue;
        while (next < o->count && o->segments[next].from[0] <= at.from + thin)
            w->active[active++] = &o->segments[next++];
        size_t left = 0;
        for (size_t n = 0; n < active; n++)
            if (w->active[n]->to[0] >= at.to - thin)
                w->active[left++] = w->active[n];
        active = left;
        for (size_t n = 0; n < active; n++)
            w->parts[n] = (strip_part){height_at(w->active[n], at.from),
                                       height_at(w->active[n], at.to), w->active[n]->floor};
        status = fill_strip(mesh, &at, w->parts, active);
        at.from = at.to;
    }
    return status;
}

static rill_status close_side(solid_mesh *mesh, const plane *side, float foot, outline *o)
{
    if (o->count == 0)
        return RILL_OK;
    workspace w = {.ends = malloc(2 * o->count * sizeof *w.ends),
                   .active = malloc(o->count * sizeof *w.active),
                   .parts = malloc(o->count * sizeof *w.parts)};
    const bool enough = w.ends != NULL && w.active != NULL && w.parts != NULL;
    const rill_status status =
        enough ? fill_side(mesh, side, foot, o, &w)
               : render_fail(RILL_NO_MEMORY, "no memory for the cut side of the ground");
    free(w.ends);
    free((void *)w.active);
    free(w.parts);
    return status;
}

rill_status solid_trim(const frame_data *s, const solid_box *box, solid_mesh *out)
{
    plane planes[4];
    outline outlines[4] = {{0}};
    planes_of(box, planes);
    out->vertex_count = 0;
    out->index_count = 0;
    rill_status status = clip_all(s, planes, outlines, out);
    for (int k = 0; k < 4; k++) {
        if (status == RILL_OK)
            status = close_side(out, &planes[k], box->foot, &outlines[k]);
        free(outlines[k].segments);
    }
    return status;
}
