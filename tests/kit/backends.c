// SPDX-License-Identifier: MIT
#include "tests/kit/backends.h"
#include "tests/kit/solids.h"

rill_backend other_backend(void)
{
    const char *name = getenv("RILL_TEST_BACKEND");
    return name != NULL && strcmp(name, "cpu") == 0 ? RILL_BACKEND_CPU : RILL_BACKEND_CUDA;
}

const char *other_backend_name(void)
{
    return other_backend() == RILL_BACKEND_CPU ? "cpu" : "cuda";
}

static void skip_unless(rill_status status)
{
    if (status == RILL_OK)
        return;
    print_message("skipped: %s\n", rill_last_error());
    skip();
}

void need_gpu(void)
{
    skip_unless(rill_backend_check(other_backend()));
}

void need_gpu_for(rill_solver solver)
{
    rill_world_def def = grid_def(16, 16, 1.0);
    def.solver = solver;
    def.backend = other_backend();
    rill_world *world = NULL;
    const rill_status status = rill_world_create(&def, &world);
    rill_world_destroy(&world);
    skip_unless(status);
}

// ---- Two worlds ------------------------------------------------------------------------

void assert_backends(const pair *p)
{
    assert_string_equal(rill_world_backend(p->cpu), "cpu");
    assert_string_equal(rill_world_backend(p->gpu), other_backend_name());
}

pair pair_of(const rill_world_def *def)
{
    pair p = {0};
    rill_world_def both = *def;
    both.worker_count = 2;
    both.backend = RILL_BACKEND_CPU;
    p.cpu = make_world(&both);
    both.backend = other_backend();
    p.gpu = make_world(&both);
    assert_backends(&p);
    return p;
}

void destroy_pair(pair *p)
{
    rill_world_destroy(&p->cpu);
    rill_world_destroy(&p->gpu);
}

void step_pair(pair *p, int steps, double dt)
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

static void assert_columns_equal(const char *what, const float *a, const float *b,
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

void assert_same(pair *p)
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

void pour_both(pair *p, double x, double y, double radius, double volume)
{
    double a = 0.0, b = 0.0;
    assert_ok(rill_world_pour(p->cpu, x, y, radius, volume, &a));
    assert_ok(rill_world_pour(p->gpu, x, y, radius, volume, &b));
    assert_true(a == b);
}

void pour_both_at(pair *p, double x, double y, double z, double radius, double volume)
{
    double a = 0.0, b = 0.0;
    assert_ok(rill_world_pour_at(p->cpu, x, y, z, radius, volume, &a));
    assert_ok(rill_world_pour_at(p->gpu, x, y, z, radius, volume, &b));
    assert_true(a == b);
}

void add_moving_ball(rill_world *world, const rill_path_key *path, int count)
{
    const rill_sdf_primitive ball = placed(RILL_SDF_SPHERE, path[0].x, path[0].y, path[0].z);
    rill_mover_id id;
    assert_ok(rill_world_add_mover(world, &ball, &id));
    assert_ok(rill_world_set_mover_path(world, id, path, count));
}

void assert_snapshot_brings_everything_back(pair *p, int steps, double dt)
{
    SCOPED(rill_snapshot) *saved = NULL;
    SCOPED(rill_world) *clone = NULL;
    assert_ok(rill_snapshot_create(p->gpu, &saved));
    assert_ok(rill_world_save(p->gpu, saved));
    assert_ok(rill_world_clone(p->gpu, &clone));
    assert_string_equal(rill_world_backend(clone), other_backend_name());
    step_pair(p, steps, dt);
    const uint64_t later = rill_world_hash(p->cpu);
    assert_ok(rill_world_restore(p->gpu, saved));
    for (int n = 0; n < steps; n++) {
        run_world(p->gpu, 1, dt);
        run_world(clone, 1, dt);
    }
    assert_true(rill_world_hash(p->gpu) == later);
    assert_true(rill_world_hash(clone) == later);
    // A snapshot belongs to no back end.
    assert_ok(rill_world_restore(p->cpu, saved));
    run_world(p->cpu, steps, dt);
    assert_true(rill_world_hash(p->cpu) == later);
}

// ---- Recorded hashes -------------------------------------------------------------------

void assert_recorded(golden_make make, golden_check check, int steps, const uint64_t *hashes,
                     int rows)
{
    const bool other = rill_backend_check(other_backend()) == RILL_OK;
    if (!other)
        print_message("on the CPU alone: %s\n", rill_last_error());
    int different = 0;
    for (int row = 0; row < rows; row++)
        for (int run = TEST_ONE_THREAD_TOO ? 0 : 1; run < (other ? 3 : 2); run++) {
            const rill_backend backend = run == 2 ? other_backend() : RILL_BACKEND_CPU;
            SCOPED(rill_world) *world = make(row, backend, run == 0 ? 1 : 3);
            run_world(world, steps, 1.0 / 64.0);
            const uint64_t hash = rill_world_hash(world);
            if (hash != hashes[row]) {
                print_message("row %d on %s, %s, run %d: 0x%016llx\n", row,
                              rill_world_backend(world), rill_world_isa(world), run,
                              (unsigned long long)hash);
                different++;
            }
            if (check != NULL)
                check(world);
        }
    assert_int_equal(different, 0);
}
