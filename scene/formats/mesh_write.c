// SPDX-License-Identifier: MIT
// mesh_write.c - meshes of a liquid as files: PLY, the plainest of formats, and binary glTF 2.0.
#include "scene/formats/formats.h"

#include <float.h>
#include <string.h>

// Refuses a mesh that no file may hold.
static rill_status check_mesh(const char *path, const rill_mesh *mesh)
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

#define VERTEX_FLOATS 10 // position, normal, velocity, opacity, depth

_Static_assert(sizeof(rill_vertex) == VERTEX_FLOATS * sizeof(float), "both formats rely on it");

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
    RILL_TRY(check_mesh(path, mesh));
    rl_out_file file;
    RILL_TRY(rl_out_open(&file, path));

    static const unsigned char corners = 3;
    put_header(&file, mesh->vertex_count, mesh->index_count / 3);
    rl_out_words(&file, mesh->vertices, VERTEX_FLOATS * mesh->vertex_count);
    for (size_t k = 0; k < mesh->index_count; k += 3) {
        rl_out_bytes(&file, &corners, 1);
        rl_out_words(&file, mesh->indices + k, 3);
    }
    return rl_out_close(&file);
}

// ---- glTF ------------------------------------------------------------------------------
//
// A header, a chunk of JSON that describes, a chunk of bytes that is described. The bytes are the
// vertices as they are in memory, one colour a vertex, the indices.

#define JSON_BYTES     4096 // the description is shorter than 3000
#define MATERIAL_BYTES 320  // that of the material is shorter than 256

#define HEADER_BYTES       12          // of the file
#define CHUNK_HEADER_BYTES 8           // of each chunk
#define CHUNK_JSON         0x4E4F534Au // "JSON"
#define CHUNK_BIN          0x004E4942u // "BIN\0"

#define VERTEX_BYTES (4 * VERTEX_FLOATS)
#define COLOUR_BYTES 4
#define INDEX_BYTES  4

// glTF's x runs as Rill's, its y is Rill's z, its z Rill's -y. The matrix is column by column, and
// exact, which a quaternion with its roots of one half would not be.
static const char turn[] = "[1,0,0,0, 0,0,-1,0, 0,1,0,0, 0,0,0,1]";

// Part of the light from below that the liquid takes at its opaque depth, where the opacity is 1.
#define OPAQUE_ALPHA 0.98

typedef struct bounds {
    float low[3], high[3];
} bounds;

static bounds bounds_of(const rill_mesh *mesh)
{
    bounds box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            const float x = mesh->vertices[v].position[k];
            box.low[k] = x < box.low[k] ? x : box.low[k];
            box.high[k] = x > box.high[k] ? x : box.high[k];
        }
    return box;
}

// An accessor of glTF may hold neither infinities nor NaN.
static bool is_finite(const rill_vertex *v)
{
    float sum = v->opacity * 0.0f + v->depth * 0.0f;
    for (int k = 0; k < 3; k++)
        sum += v->position[k] * 0.0f + v->normal[k] * 0.0f;
    for (int k = 0; k < 2; k++)
        sum += v->velocity[k] * 0.0f;
    return sum == 0.0f;
}

// Formats three floats as JSON without brackets, with digits enough to read the same bits back.
// printf writes the decimal point of the host's locale, of one byte or more; JSON has the dot
// alone.
static void format_triple(char text[64], const float v[3])
{
    char number[3][20];
    for (int k = 0; k < 3; k++) {
        char raw[32];
        snprintf(raw, sizeof raw, "%.9g", (double)v[k]);
        size_t n = 0;
        for (const char *p = raw; *p != '\0' && n + 1 < sizeof number[k]; p++)
            if (strchr("0123456789+-e", *p) != NULL)
                number[k][n++] = *p;
            else if (n == 0 || number[k][n - 1] != '.')
                number[k][n++] = '.';
        number[k][n] = '\0';
    }
    snprintf(text, 64, "%s,%s,%s", number[0], number[1], number[2]);
}

// glTF forbids accessors of nothing, so an empty mesh is an empty scene.
static int describe_empty(char *json)
{
    return snprintf(json, JSON_BYTES,
                    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"rill %s\"},\"scene\":0,"
                    "\"scenes\":[{\"name\":\"water\"}]}",
                    rill_version());
}

// The colour is that of a deep layer of the liquid; the colour of a vertex multiplies it.
static void describe_material(char material[MATERIAL_BYTES], const rill_liquid *liquid)
{
    float rgb[3];
    char text[64];
    rill_liquid_colour(liquid, rgb);
    format_triple(text, rgb);
    snprintf(material, MATERIAL_BYTES,
             "{\"name\":\"water\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%s,0.%02d],"
             "\"metallicFactor\":0,\"roughnessFactor\":0.08},\"alphaMode\":\"BLEND\","
             "\"doubleSided\":true}",
             text, (int)(100.0 * OPAQUE_ALPHA + 0.5));
}

static int describe(char *json, const rill_mesh *mesh, const rill_liquid *liquid)
{
    RL_ASSERT(mesh->vertex_count > 0 && mesh->index_count % 3 == 0);
    const size_t vertices = mesh->vertex_count, indices = mesh->index_count;
    const size_t colours_at = vertices * VERTEX_BYTES,
                 indices_at = colours_at + vertices * COLOUR_BYTES,
                 end = indices_at + indices * INDEX_BYTES;
    const bounds box = bounds_of(mesh);
    char low[64], high[64], material[MATERIAL_BYTES];
    describe_material(material, liquid);
    format_triple(low, box.low);
    format_triple(high, box.high);
    // 5126: float, 5125: unsigned int, 5121: unsigned byte, 34962: vertices, 34963: indices.
    return snprintf(
        json, JSON_BYTES,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"rill %s\"},\"scene\":0,"
        "\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"name\":\"water\",\"mesh\":0,\"matrix\":%s}],"
        "\"meshes\":[{\"name\":\"water\",\"primitives\":[{\"attributes\":{\"POSITION\":0,"
        "\"NORMAL\":1,\"_VELOCITY\":2,\"_OPACITY\":3,\"_DEPTH\":4,\"COLOR_0\":5},"
        "\"indices\":6,\"material\":0,\"mode\":4}]}],"
        "\"materials\":[%s],"
        "\"accessors\":["
        "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":%zu,"
        "\"type\":\"VEC3\",\"min\":[%s],\"max\":[%s]},"
        "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":%zu,"
        "\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":24,\"componentType\":5126,\"count\":%zu,"
        "\"type\":\"VEC2\"},"
        "{\"bufferView\":0,\"byteOffset\":32,\"componentType\":5126,\"count\":%zu,"
        "\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5126,\"count\":%zu,"
        "\"type\":\"SCALAR\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"normalized\":true,\"count\":%zu,"
        "\"type\":\"VEC4\"},"
        "{\"bufferView\":2,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":["
        "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu,\"byteStride\":40,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34963}],"
        "\"buffers\":[{\"byteLength\":%zu}]}",
        rill_version(), turn, material, vertices, low, high, vertices, vertices, vertices, vertices,
        vertices, indices, colours_at, colours_at, indices_at - colours_at, indices_at,
        end - indices_at, end);
}

static void put_colour(rl_out_file *file, float opacity)
{
    const float clamped = opacity > 0.0f ? opacity < 1.0f ? opacity : 1.0f : 0.0f;
    const unsigned char colour[COLOUR_BYTES] = {255, 255, 255,
                                                (unsigned char)(clamped * 255.0f + 0.5f)};
    rl_out_bytes(file, colour, sizeof colour);
}

static void put_data(rl_out_file *file, const rill_mesh *mesh)
{
    rl_out_words(file, mesh->vertices, VERTEX_FLOATS * mesh->vertex_count);
    for (size_t k = 0; k < mesh->vertex_count; k++)
        put_colour(file, mesh->vertices[k].opacity);
    rl_out_words(file, mesh->indices, mesh->index_count);
}

// Chunks are whole words, and JSON is filled up with spaces. `rest_bytes` follow in other chunks.
static void put_description(rl_out_file *file, const char *json, uint32_t json_bytes,
                            uint32_t rest_bytes)
{
    RL_ASSERT(json_bytes < JSON_BYTES);
    const uint32_t padding = (4 - json_bytes % 4) % 4;
    rl_out_bytes(file, "glTF", 4);
    rl_out_u32(file, 2);
    rl_out_u32(file, HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes + padding + rest_bytes);
    rl_out_u32(file, json_bytes + padding);
    rl_out_u32(file, CHUNK_JSON);
    rl_out_bytes(file, json, json_bytes);
    rl_out_bytes(file, "   ", padding);
}

rill_status rl_mesh_write_glb(const char *path, const rill_mesh *mesh, const rill_liquid *liquid)
{
    RILL_TRY(check_mesh(path, mesh));
    for (size_t v = 0; v < mesh->vertex_count; v++)
        if (!is_finite(&mesh->vertices[v]))
            return rill_fail(RILL_BAD_ARGUMENT, "%s: vertex %zu has a value that is not finite",
                             path, v);

    const uint64_t data_bytes = (uint64_t)mesh->vertex_count * (VERTEX_BYTES + COLOUR_BYTES) +
                                (uint64_t)mesh->index_count * INDEX_BYTES;
    if (data_bytes > UINT32_MAX - JSON_BYTES - HEADER_BYTES - 2 * CHUNK_HEADER_BYTES)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "%s: %zu vertices are more than the 4 GiB of a .glb hold", path,
                         mesh->vertex_count);

    const bool empty = mesh->index_count == 0;
    char json[JSON_BYTES];
    const uint32_t json_bytes =
        (uint32_t)(empty ? describe_empty(json) : describe(json, mesh, liquid));
    const uint32_t rest_bytes = empty ? 0 : CHUNK_HEADER_BYTES + (uint32_t)data_bytes;

    rl_out_file file;
    RILL_TRY(rl_out_open(&file, path));
    put_description(&file, json, json_bytes, rest_bytes);
    if (!empty) {
        rl_out_u32(&file, (uint32_t)data_bytes);
        rl_out_u32(&file, CHUNK_BIN);
        put_data(&file, mesh);
    }
    return rl_out_close(&file);
}
