// SPDX-License-Identifier: MIT
// mesh_ply.c - PLY, the plainest of mesh formats, and the file that both mesh writers write to.
#include "scene/formats/mesh.h"
#include "scene/scene_assert.h"

#include "rill/support.h"

#include <errno.h>
#include <string.h>

// ---- What both writers share -----------------------------------------------------------

rill_status rl_mesh_check(const char *path, const rill_mesh *mesh)
{
    if (path == NULL || path[0] == '\0')
        return rill_fail(RILL_BAD_ARGUMENT, "a mesh file needs a path");
    if (mesh == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s: the mesh is null", path);
    if ((mesh->vertices == NULL && mesh->vertex_count > 0) ||
        (mesh->indices == NULL && mesh->index_count > 0))
        return rill_fail(RILL_BAD_ARGUMENT, "%s: the mesh counts vertices it does not have", path);
    if (mesh->index_count % 3 != 0)
        return rill_fail(RILL_BAD_ARGUMENT, "%s: %zu indices do not make triangles", path,
                         mesh->index_count);
    for (size_t k = 0; k < mesh->index_count; k++)
        if (mesh->indices[k] >= mesh->vertex_count)
            return rill_fail(RILL_BAD_ARGUMENT, "%s: index %zu names vertex %u out of %zu", path, k,
                             (unsigned)mesh->indices[k], mesh->vertex_count);
    return RILL_OK;
}

rill_status rl_mesh_file_open(rl_mesh_file *file, const char *path)
{
    static const char suffix[] = ".part";
    const size_t length = strlen(path);
    file->path = path;
    file->error = 0;
    file->filled = 0;
    file->temporary_bytes = length + sizeof suffix;
    file->temporary = rill_alloc(NULL, file->temporary_bytes);
    if (file->temporary == NULL)
        return rill_fail(RILL_NO_MEMORY, "%s: no memory for its name", path);
    memcpy(file->temporary, path, length);
    memcpy(file->temporary + length, suffix, sizeof suffix);

    errno = 0;
    file->file = fopen(file->temporary, "wb");
    if (file->file == NULL) {
        const int reason = errno;
        rill_free(NULL, file->temporary, file->temporary_bytes);
        return rill_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, strerror(reason));
    }
    return RILL_OK;
}

// EIO stands in where the system gives no reason.
static void note_error(rl_mesh_file *file)
{
    if (file->error == 0)
        file->error = errno != 0 ? errno : EIO;
}

static void flush(rl_mesh_file *file)
{
    RL_ASSERT(file->filled <= sizeof file->buffer);
    errno = 0;
    if (file->error == 0 && fwrite(file->buffer, 1, file->filled, file->file) != file->filled)
        note_error(file);
    file->filled = 0;
}

void rl_mesh_file_bytes(rl_mesh_file *file, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0) {
        if (file->filled == sizeof file->buffer)
            flush(file);
        const size_t space = sizeof file->buffer - file->filled;
        const size_t part = count < space ? count : space;
        memcpy(file->buffer + file->filled, from, part);
        file->filled += part;
        from += part;
        count -= part;
    }
}

void rl_mesh_file_u32(rl_mesh_file *file, uint32_t value)
{
    const unsigned char bytes[4] = {(unsigned char)(value & 255), (unsigned char)(value >> 8 & 255),
                                    (unsigned char)(value >> 16 & 255),
                                    (unsigned char)(value >> 24)};
    rl_mesh_file_bytes(file, bytes, sizeof bytes);
}

void rl_mesh_file_f32(rl_mesh_file *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    rl_mesh_file_u32(file, bits);
}

void rl_mesh_file_vertex(rl_mesh_file *file, const rill_vertex *vertex)
{
    for (int k = 0; k < 3; k++)
        rl_mesh_file_f32(file, vertex->position[k]);
    for (int k = 0; k < 3; k++)
        rl_mesh_file_f32(file, vertex->normal[k]);
    for (int k = 0; k < 2; k++)
        rl_mesh_file_f32(file, vertex->velocity[k]);
    rl_mesh_file_f32(file, vertex->opacity);
    rl_mesh_file_f32(file, vertex->depth);
}

rill_status rl_mesh_file_close(rl_mesh_file *file)
{
    RL_ASSERT(file->file != NULL && file->temporary != NULL);
    flush(file);
    errno = 0;
    if (fclose(file->file) != 0)
        note_error(file);
    errno = 0;
    if (file->error == 0 && rename(file->temporary, file->path) != 0)
        note_error(file);

    rill_status status = RILL_OK;
    if (file->error != 0) {
        remove(file->temporary);
        status = rill_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", file->path,
                           strerror(file->error));
    }
    rill_free(NULL, file->temporary, file->temporary_bytes);
    return status;
}

// ---- PLY -------------------------------------------------------------------------------

// Velocity is not called u and v: programs take those for texture coordinates.
static void put_header(rl_mesh_file *file, size_t vertices, size_t faces)
{
    RL_ASSERT(vertices > 0 || faces == 0);
    char text[640];
    const int length = snprintf(text, sizeof text,
                                "ply\n"
                                "format binary_little_endian 1.0\n"
                                "comment made by rill %s, z up, metres and seconds\n"
                                "element vertex %zu\n"
                                "property float x\nproperty float y\nproperty float z\n"
                                "property float nx\nproperty float ny\nproperty float nz\n"
                                "property float velocity_x\nproperty float velocity_y\n"
                                "property float opacity\nproperty float depth\n"
                                "element face %zu\n"
                                "property list uchar uint vertex_indices\n"
                                "end_header\n",
                                rill_version(), vertices, faces);
    rl_mesh_file_bytes(file, text, (size_t)length);
}

rill_status rl_mesh_write_ply(const char *path, const rill_mesh *mesh)
{
    rill_status status = rl_mesh_check(path, mesh);
    if (status != RILL_OK)
        return status;
    rl_mesh_file file;
    status = rl_mesh_file_open(&file, path);
    if (status != RILL_OK)
        return status;

    static const unsigned char corners = 3;
    put_header(&file, mesh->vertex_count, mesh->index_count / 3);
    for (size_t k = 0; k < mesh->vertex_count; k++)
        rl_mesh_file_vertex(&file, &mesh->vertices[k]);
    for (size_t k = 0; k < mesh->index_count; k++) {
        if (k % 3 == 0)
            rl_mesh_file_bytes(&file, &corners, 1);
        rl_mesh_file_u32(&file, mesh->indices[k]);
    }
    return rl_mesh_file_close(&file);
}
