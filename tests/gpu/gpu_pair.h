// SPDX-License-Identifier: MIT
// gpu_pair.h - a world on the CPU and the same on a GPU, to be compared to the last bit.
#pragma once

#include "tests/kit/kit.h"

#include "rill/rill.h"

typedef struct pair {
    rill_world *cpu, *gpu;
} pair;

static inline void need_gpu(void)
{
    if (rill_backend_check(RILL_BACKEND_CUDA) == RILL_OK)
        return;
    print_message("skipped: %s\n", rill_last_error());
    skip();
}

static inline pair pair_of(const rill_world_def *def)
{
    pair p = {0};
    rill_world_def both = *def;
    both.worker_count = 2;
    both.backend = RILL_BACKEND_CPU;
    assert_ok(rill_world_create(&both, &p.cpu));
    both.backend = RILL_BACKEND_CUDA;
    assert_ok(rill_world_create(&both, &p.gpu));
    assert_string_equal(rill_world_backend(p.cpu), "cpu");
    assert_string_equal(rill_world_backend(p.gpu), "cuda");
    return p;
}

static inline void destroy_pair(pair *p)
{
    rill_world_destroy(&p->cpu);
    rill_world_destroy(&p->gpu);
}

// A ball that joins the ground and moves along a path.
static inline void add_moving_ball(rill_world *world, const rill_path_key *path, int count)
{
    rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    ball.position[0] = path[0].x;
    ball.position[1] = path[0].y;
    ball.position[2] = path[0].z;
    rill_mover_id id;
    assert_ok(rill_world_add_mover(world, &ball, &id));
    assert_ok(rill_world_set_mover_path(world, id, path, count));
}

static inline void step_pair(pair *p, int steps, double dt)
{
    for (int n = 0; n < steps; n++) {
        assert_ok(rill_world_step(p->cpu, dt));
        assert_ok(rill_world_step(p->gpu, dt));
        const rill_step_info a = rill_world_last_step(p->cpu), b = rill_world_last_step(p->gpu);
        assert_int_equal(a.substeps, b.substeps);
        assert_int_equal(a.capped, b.capped);
        assert_true(a.substep == b.substep && a.steps == b.steps);
    }
}

static inline void assert_columns_equal(const char *what, const float *a, const float *b,
                                        const rill_columns *c)
{
    for (int layer = 0; layer < c->layers; layer++)
        for (int j = 0; j < c->ny; j++)
            for (int i = 0; i < c->nx; i++) {
                const size_t at =
                    (size_t)layer * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
                if (memcmp(a + at, b + at, sizeof *a) != 0)
                    fail_msg("%s of cell %d, %d, layer %d: %.9g on the CPU, %.9g on the GPU", what,
                             i, j, layer, (double)a[at], (double)b[at]);
            }
}

// State, books and what columns show; the books first, so that nothing has been fetched for them.
static inline void assert_same(pair *p)
{
    const rill_ledger a = rill_world_ledger(p->cpu), b = rill_world_ledger(p->gpu);
    assert_memory_equal(&a, &b, sizeof a);
    const rill_columns c = rill_world_columns(p->cpu), d = rill_world_columns(p->gpu);
    assert_int_equal(c.pitch, d.pitch);
    assert_int_equal(c.layers, d.layers);
    assert_int_equal(c.layer_stride, d.layer_stride);
    assert_columns_equal("base", c.base, d.base, &c);
    assert_columns_equal("depth", c.depth, d.depth, &c);
    assert_columns_equal("velocity_x", c.velocity_x, d.velocity_x, &c);
    assert_columns_equal("velocity_y", c.velocity_y, d.velocity_y, &c);
    assert_true(rill_world_hash(p->cpu) == rill_world_hash(p->gpu));
}
