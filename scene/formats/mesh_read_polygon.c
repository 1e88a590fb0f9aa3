// SPDX-License-Identifier: MIT
// mesh_read_polygon.c - cuts faces of many corners into triangles. A face is projected along its
// own normal (Newell's, to which all corners contribute), and ears are cut off one by one: a corner
// is an ear when it turns left and no other corner lies in its triangle. A plain fan would do for
// convex faces only; a fan over a dent reaches beyond the face, and distances would be wrong there.
#include "scene/formats/mesh_read_parts.h"
#include "scene/scene_assert.h"

#include <math.h>

static const float *position(const rl_mesh_reader *reader, size_t corner)
{
    return reader->data->vertices + 3 * (size_t)reader->corners[corner];
}

static void newell(const rl_mesh_reader *reader, double normal[3])
{
    normal[0] = normal[1] = normal[2] = 0.0;
    const float *origin = position(reader, 0);
    for (size_t k = 0; k < reader->corner_count; k++) {
        const float *p = position(reader, k);
        const float *q = position(reader, (k + 1) % reader->corner_count);
        for (int d = 0; d < 3; d++) {
            const int y = (d + 1) % 3, z = (d + 2) % 3;
            normal[d] += ((double)p[y] - (double)origin[y]) * ((double)q[z] - (double)origin[z]) -
                         ((double)p[z] - (double)origin[z]) * ((double)q[y] - (double)origin[y]);
        }
    }
}

// Leaves out the axis along which the normal is longest; counter-clockwise stays so.
static rill_status flatten(rl_mesh_reader *reader)
{
    double normal[3];
    newell(reader, normal);
    int axis = 0;
    for (int d = 1; d < 3; d++)
        if (fabs(normal[d]) > fabs(normal[axis]))
            axis = d;
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    if (normal[axis] < 0.0) {
        const int aside = x;
        x = y;
        y = aside;
    }
    void *memory = reader->flat;
    const rill_status status = rl_mesh_reserve(reader, &memory, &reader->flat_bytes, 0,
                                               reader->corner_count, 2 * sizeof(double));
    reader->flat = memory;
    if (status != RILL_OK)
        return status;
    for (size_t k = 0; k < reader->corner_count; k++) {
        reader->flat[2 * k] = (double)position(reader, k)[x];
        reader->flat[2 * k + 1] = (double)position(reader, k)[y];
    }
    return RILL_OK;
}

// Returns twice the area of a triangle, positive counter-clockwise.
static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool same_place(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

static bool is_ear(const double *flat, size_t count, size_t k)
{
    const double *a = flat + 2 * ((k + count - 1) % count), *b = flat + 2 * k;
    const double *c = flat + 2 * ((k + 1) % count);
    if (!(turn(a, b, c) > 0.0))
        return false;
    for (size_t n = 0; n < count; n++) {
        const double *p = flat + 2 * n;
        if (same_place(p, a) || same_place(p, b) || same_place(p, c))
            continue;
        if (turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0)
            return false;
    }
    return true;
}

static bool is_convex(const double *flat, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (turn(flat + 2 * k, flat + 2 * ((k + 1) % count), flat + 2 * ((k + 2) % count)) < 0.0)
            return false;
    return true;
}

static void remove_corner(rl_mesh_reader *reader, size_t k)
{
    RL_ASSERT(k < reader->corner_count);
    for (size_t n = k; n + 1 < reader->corner_count; n++) {
        reader->corners[n] = reader->corners[n + 1];
        reader->flat[2 * n] = reader->flat[2 * n + 2];
        reader->flat[2 * n + 1] = reader->flat[2 * n + 3];
    }
    reader->corner_count--;
}

// The search goes on behind the last ear, so that ears come from all sides and not from one corner
// alone. A face that crosses itself may run out of ears; then any corner will do.
static rill_status cut_ears(rl_mesh_reader *reader)
{
    RL_ASSERT(reader->corner_count >= 3);
    rill_status status = RILL_OK;
    size_t k = 1;
    while (status == RILL_OK && reader->corner_count > 3) {
        const size_t count = reader->corner_count;
        size_t tried = 0;
        while (tried < count && !is_ear(reader->flat, count, k % count)) {
            k++;
            tried++;
        }
        k %= count;
        status = rl_mesh_add_triangle(reader, reader->corners[(k + count - 1) % count],
                                      reader->corners[k], reader->corners[(k + 1) % count]);
        remove_corner(reader, k);
        k++;
    }
    return status;
}

static rill_status cut_fan(rl_mesh_reader *reader)
{
    RL_ASSERT(reader->corner_count >= 3);
    rill_status status = RILL_OK;
    for (size_t k = 1; status == RILL_OK && k + 2 < reader->corner_count; k++)
        status = rl_mesh_add_triangle(reader, reader->corners[0], reader->corners[k],
                                      reader->corners[k + 1]);
    if (status == RILL_OK) {
        reader->corners[1] = reader->corners[reader->corner_count - 2];
        reader->corners[2] = reader->corners[reader->corner_count - 1];
        reader->corner_count = 3;
    }
    return status;
}

rill_status rl_mesh_end_face(rl_mesh_reader *reader, bool *sound)
{
    rill_status status = RILL_OK;
    *sound = true;
    if (reader->corner_count > 3) {
        status = flatten(reader);
        if (status == RILL_OK && is_convex(reader->flat, reader->corner_count))
            status = cut_fan(reader);
        else if (status == RILL_OK && reader->corner_count <= RL_MESH_MAX_CONCAVE)
            status = cut_ears(reader);
        else
            *sound = false;
    }
    if (status == RILL_OK && *sound && reader->corner_count == 3)
        status = rl_mesh_add_triangle(reader, reader->corners[0], reader->corners[1],
                                      reader->corners[2]);
    reader->corner_count = 0;
    return status;
}
