// SPDX-License-Identifier: MIT
// mesh_read.c - finds the kind of a mesh file and has what its readers share: a mesh that grows,
// and faces cut into triangles. A file is read whole; all counts in it are checked against its size
// before memory is taken for them.
#include "scene/formats/mesh_read.h"

#include <errno.h>
#include <math.h>
#include <string.h>

// ---- The mesh --------------------------------------------------------------------------

// Grows memory to `count` values more than the `used` that there are, doubled where needed. Returns
// the memory as it was when there is no more; then the reader has failed.
static void *grow(rl_mesh_reader *reader, void *memory, size_t *bytes, size_t used, size_t count,
                  size_t value_bytes)
{
    RL_ASSERT(used * value_bytes <= *bytes);
    const size_t needed = (used + count) * value_bytes;
    if (needed <= *bytes || reader->scan.status != RILL_OK)
        return memory;
    size_t fresh = *bytes < 512 ? 512 : *bytes;
    while (fresh < needed)
        fresh *= 2;
    void *moved = rill_realloc(reader->allocator, memory, *bytes, fresh);
    if (moved == NULL) {
        reader->scan.status =
            rill_fail(RILL_NO_MEMORY, "%s: no memory for its triangles (%zu bytes)",
                      reader->scan.name, fresh);
        return memory;
    }
    *bytes = fresh;
    return moved;
}

bool rl_mesh_add_vertex(rl_mesh_reader *reader, const double position[3], const char *what)
{
    rl_mesh_data *data = reader->data;
    for (int k = 0; k < 3; k++)
        if (!isfinite((float)position[k]))
            return rl_scan_fail_line(&reader->scan, "a coordinate of the %s is not finite", what);
    data->vertices =
        grow(reader, data->vertices, &data->vertex_bytes, data->vertex_count, 1, 3 * sizeof(float));
    if (reader->scan.status != RILL_OK)
        return false;
    for (size_t k = 0; k < 3; k++)
        data->vertices[3 * data->vertex_count + k] = (float)position[k];
    data->vertex_count++;
    return true;
}

static bool add_index(rl_mesh_reader *reader, uint32_t **list, size_t *bytes, size_t *count,
                      uint32_t index)
{
    *list = grow(reader, *list, bytes, *count, 1, sizeof index);
    if (reader->scan.status != RILL_OK)
        return false;
    (*list)[(*count)++] = index;
    return true;
}

bool rl_mesh_add_triangle(rl_mesh_reader *reader, uint32_t a, uint32_t b, uint32_t c)
{
    rl_mesh_data *data = reader->data;
    const uint32_t corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        if (!add_index(reader, &data->indices, &data->index_bytes, &data->index_count, corners[k]))
            return false;
    return true;
}

bool rl_mesh_add_corner(rl_mesh_reader *reader, uint32_t vertex)
{
    return add_index(reader, &reader->corners, &reader->corner_bytes, &reader->corner_count,
                     vertex);
}

void rl_mesh_data_free(const rill_allocator *allocator, rl_mesh_data *data)
{
    rill_free(allocator, data->vertices, data->vertex_bytes);
    rill_free(allocator, data->indices, data->index_bytes);
    *data = (rl_mesh_data){0};
}

// ---- Faces of many corners -------------------------------------------------------------
//
// A face is cut into triangles. It is projected along its
// own normal (Newell's, to which all corners contribute), and ears are cut off one by one: a corner
// is an ear when it turns left and no other corner lies in its triangle. A plain fan would do for
// convex faces only; a fan over a dent reaches beyond the face, and distances would be wrong there.

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
static bool flatten(rl_mesh_reader *reader)
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
    reader->flat = grow(reader, reader->flat, &reader->flat_bytes, 0, reader->corner_count,
                        2 * sizeof(double));
    if (reader->scan.status != RILL_OK)
        return false;
    for (size_t k = 0; k < reader->corner_count; k++) {
        reader->flat[2 * k] = (double)position(reader, k)[x];
        reader->flat[2 * k + 1] = (double)position(reader, k)[y];
    }
    return true;
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
static void cut_ears(rl_mesh_reader *reader)
{
    RL_ASSERT(reader->corner_count >= 3);
    for (size_t k = 1; reader->corner_count > 3; k++) {
        const size_t count = reader->corner_count;
        for (size_t tried = 0; tried < count && !is_ear(reader->flat, count, k % count); tried++)
            k++;
        k %= count;
        rl_mesh_add_triangle(reader, reader->corners[(k + count - 1) % count], reader->corners[k],
                             reader->corners[(k + 1) % count]);
        remove_corner(reader, k);
    }
}

static void cut_fan(rl_mesh_reader *reader)
{
    RL_ASSERT(reader->corner_count >= 3);
    uint32_t *corners = reader->corners;
    const size_t count = reader->corner_count;
    for (size_t k = 1; k + 2 < count; k++)
        rl_mesh_add_triangle(reader, corners[0], corners[k], corners[k + 1]);
    corners[1] = corners[count - 2];
    corners[2] = corners[count - 1];
    reader->corner_count = 3;
}

bool rl_mesh_end_face(rl_mesh_reader *reader, bool *sound)
{
    *sound = true;
    if (reader->corner_count > 3 && flatten(reader)) {
        if (is_convex(reader->flat, reader->corner_count))
            cut_fan(reader);
        else if (reader->corner_count <= RL_MESH_MAX_CONCAVE)
            cut_ears(reader);
        else
            *sound = false;
    }
    if (*sound && reader->corner_count == 3)
        rl_mesh_add_triangle(reader, reader->corners[0], reader->corners[1], reader->corners[2]);
    reader->corner_count = 0;
    return reader->scan.status == RILL_OK;
}

// ---- Files -----------------------------------------------------------------------------

// `ending` in small letters.
static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), count = strlen(ending);
    return length >= count && rl_word_is(name + length - count, count, ending);
}

rill_status rl_mesh_parse(const rill_allocator *allocator, const char *name, const void *bytes,
                          size_t size, rl_mesh_data *out)
{
    RL_ASSERT(bytes != NULL || size == 0);
    *out = (rl_mesh_data){0};
    rl_mesh_reader reader = {
        .scan = {.name = name, .bytes = bytes, .size = size, .line = 1, .word_line = 1},
        .allocator = allocator,
        .data = out};
    if (size == 0)
        rl_scan_fail(&reader.scan, "is empty");
    else if (rl_mesh_is_ply(&reader))
        rl_mesh_read_ply(&reader);
    else if (ends_in(name, ".obj"))
        rl_mesh_read_obj(&reader);
    else if (rl_mesh_is_stl(&reader) || ends_in(name, ".stl"))
        rl_mesh_read_stl(&reader);
    else
        rl_scan_fail(&reader.scan,
                     "is no mesh that Rill knows: OBJ (by its ending .obj), PLY and STL (by their "
                     "content) are read");
    if (out->index_count == 0)
        rl_scan_fail(&reader.scan, "has no triangles");
    rill_free(allocator, reader.corners, reader.corner_bytes);
    rill_free(allocator, reader.flat, reader.flat_bytes);
    if (reader.scan.status != RILL_OK)
        rl_mesh_data_free(allocator, out);
    return reader.scan.status;
}

static rill_status cannot_read(const char *path)
{
    return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno));
}

// Reading one byte first detects a folder, whose size may be anything.
static rill_status measure(const char *path, FILE *file, size_t *size)
{
    int64_t length = 0;
    errno = 0;
    if ((fgetc(file) == EOF && ferror(file)) || !rl_file_length(file, &length) ||
        fseek(file, 0, SEEK_SET) != 0)
        return cannot_read(path);
    if ((uint64_t)length > RL_MESH_MAX_BYTES)
        return rill_fail(RILL_BAD_FILE, "%s: has %lld bytes, at most %zu are read", path,
                         (long long)length, RL_MESH_MAX_BYTES);
    *size = (size_t)length;
    return RILL_OK;
}

rill_status rl_mesh_read(const rill_allocator *allocator, const char *path, rl_mesh_data *out)
{
    *out = (rl_mesh_data){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    size_t size = 0;
    unsigned char *bytes = NULL;
    rill_status status = measure(path, file, &size);
    if (status == RILL_OK && size > 0) {
        bytes = rill_alloc(allocator, size);
        if (bytes == NULL)
            status = rill_fail(RILL_NO_MEMORY, "%s: no memory for its %zu bytes", path, size);
        else if (fread(bytes, 1, size, file) != size)
            status = cannot_read(path);
    }
    fclose(file);
    if (status == RILL_OK)
        status = rl_mesh_parse(allocator, path, bytes, size, out);
    rill_free(allocator, bytes, size);
    return status;
}
