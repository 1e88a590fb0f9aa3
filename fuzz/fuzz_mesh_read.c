// SPDX-License-Identifier: MIT
// fuzz_mesh_read.c - libFuzzer target for the readers of mesh files. The first byte says when
// memory runs out, the second which ending the file's name has; the rest is the file. Build with
// clang -fsanitize=fuzzer,address,undefined.
#include "scene/formats/mesh_read.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// An allocator that fails from the n-th request on and counts what is in use.
typedef struct meter {
    size_t requests_left, bytes_in_use, most_in_use;
} meter;

static void *metered_allocate(void *user, size_t bytes, size_t alignment)
{
    meter *m = user;
    if (m->requests_left == 0)
        return NULL;
    m->requests_left--;
    m->bytes_in_use += bytes;
    if (m->bytes_in_use > m->most_in_use)
        m->most_in_use = m->bytes_in_use;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void metered_release(void *user, void *memory, size_t bytes)
{
    meter *m = user;
    assert(m->bytes_in_use >= bytes);
    m->bytes_in_use -= bytes;
    free(memory);
}

// What rl_mesh_parse promises about a mesh.
static void check(const rl_mesh_data *mesh)
{
    assert(mesh->index_count > 0 && mesh->index_count % 3 == 0);
    assert(mesh->vertex_bytes >= 3 * sizeof(float) * mesh->vertex_count);
    assert(mesh->index_bytes >= sizeof(uint32_t) * mesh->index_count);
    for (size_t k = 0; k < mesh->index_count; k++)
        assert(mesh->indices[k] < mesh->vertex_count);
    for (size_t k = 0; k < 3 * mesh->vertex_count; k++)
        assert(isfinite(mesh->vertices[k]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[4] = {"fuzz.obj", "fuzz.ply", "fuzz.stl", "fuzz"};
    if (size < 2)
        return 0;
    meter m = {.requests_left = data[0] < 16 ? data[0] : SIZE_MAX};
    const rill_allocator allocator = {&m, metered_allocate, metered_release};
    rl_mesh_data mesh;
    const rill_status status =
        rl_mesh_parse(&allocator, names[data[1] % 4], data + 2, size - 2, &mesh);
    if (status == RILL_OK)
        check(&mesh);
    else
        assert(mesh.vertices == NULL && mesh.indices == NULL && rill_last_error()[0] != '\0');
    // No number in a file may make the reader take more memory than its bytes can fill.
    assert(m.most_in_use <= 65536 + 128 * size);
    rl_mesh_data_free(&allocator, &mesh);
    assert(m.bytes_in_use == 0);
    return 0;
}
