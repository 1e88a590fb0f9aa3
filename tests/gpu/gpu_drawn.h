// SPDX-License-Identifier: MIT
// gpu_drawn.h - two worlds and their surfaces, made on the CPU and on a GPU, to be compared to the
// last bit.
#pragma once

#include "tests/kit/backends.h"

typedef struct drawn {
    pair worlds;
    rill_surface *cpu, *gpu;
} drawn;

static inline drawn draw(const rill_world_def *def, const rill_surface_def *surface)
{
    drawn d = {.worlds = pair_of(def)};
    assert_ok(rill_surface_create(d.worlds.cpu, surface, &d.cpu));
    assert_ok(rill_surface_create(d.worlds.gpu, surface, &d.gpu));
    return d;
}

static inline void destroy_drawn(drawn *p)
{
    rill_surface_destroy(&p->cpu);
    rill_surface_destroy(&p->gpu);
    destroy_pair(&p->worlds);
}

static inline void assert_same_mesh(rill_mesh a, rill_mesh b)
{
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.index_count, b.index_count);
    if (a.index_count == 0)
        return;
    assert_memory_equal(a.vertices, b.vertices, a.vertex_count * sizeof *a.vertices);
    assert_memory_equal(a.indices, b.indices, a.index_count * sizeof *a.indices);
    assert_int_equal(a.meniscus != NULL, b.meniscus != NULL);
    if (a.meniscus != NULL)
        assert_memory_equal(a.meniscus, b.meniscus, a.vertex_count * sizeof *a.meniscus);
}

// Builds both; returns the number of triangles.
static inline size_t build_both(drawn *p)
{
    assert_ok(rill_surface_build(p->cpu, p->worlds.cpu));
    assert_ok(rill_surface_build(p->gpu, p->worlds.gpu));
    const rill_mesh mesh = rill_surface_mesh(p->cpu);
    assert_same_mesh(mesh, rill_surface_mesh(p->gpu));
    return mesh.index_count / 3;
}

static inline void assert_on_device(drawn *p, bool there)
{
    rill_device_mesh mesh;
    there = there && other_backend() == RILL_BACKEND_CUDA;
    const rill_status status = rill_surface_device_mesh(p->gpu, &mesh);
    assert_int_equal(status, there ? RILL_OK : RILL_NO_BACKEND);
    const rill_mesh same = there ? rill_surface_mesh(p->cpu) : (rill_mesh){0};
    assert_int_equal(mesh.vertex_count, same.vertex_count);
    assert_int_equal(mesh.index_count, same.index_count);
    assert_int_equal(mesh.vertices != NULL, same.index_count > 0);
    assert_int_equal(mesh.indices != NULL, same.index_count > 0);
    assert_int_equal(mesh.meniscus != NULL, same.meniscus != NULL);
}
