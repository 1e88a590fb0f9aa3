// SPDX-License-Identifier: MIT
// mesh_ply.c - PLY, the plainest of mesh formats, and what both writers of meshes share.
#include "scene/formats/formats.h"
#include "scene/scene_assert.h"

#include "rill/support.h"

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

void rl_mesh_put_vertex(rl_out_file *file, const rill_vertex *vertex)
{
    for (int k = 0; k < 3; k++)
        rl_out_f32(file, vertex->position[k]);
    for (int k = 0; k < 3; k++)
        rl_out_f32(file, vertex->normal[k]);
    for (int k = 0; k < 2; k++)
        rl_out_f32(file, vertex->velocity[k]);
    rl_out_f32(file, vertex->opacity);
    rl_out_f32(file, vertex->depth);
}

// ---- PLY -------------------------------------------------------------------------------

// Velocity is not called u and v: programs take those for texture coordinates.
static void put_header(rl_out_file *file, size_t vertices, size_t faces)
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
    rl_out_bytes(file, text, (size_t)length);
}

rill_status rl_mesh_write_ply(const char *path, const rill_mesh *mesh)
{
    RILL_TRY(rl_mesh_check(path, mesh));
    rl_out_file file;
    RILL_TRY(rl_out_open(&file, path));

    static const unsigned char corners = 3;
    put_header(&file, mesh->vertex_count, mesh->index_count / 3);
    for (size_t k = 0; k < mesh->vertex_count; k++)
        rl_mesh_put_vertex(&file, &mesh->vertices[k]);
    for (size_t k = 0; k < mesh->index_count; k++) {
        if (k % 3 == 0)
            rl_out_bytes(&file, &corners, 1);
        rl_out_u32(&file, mesh->indices[k]);
    }
    return rl_out_close(&file);
}
