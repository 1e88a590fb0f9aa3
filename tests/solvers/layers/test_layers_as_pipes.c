// SPDX-License-Identifier: MIT
// Where there is one column a cell, the layers water is the pipes water, to the last bit.
#include "solvers/pipes/pipes.h"
#include "tests/kit/kit.h"
#include "tests/solvers/layers/layers_worlds.h"

#define N CAVES

static float bed[N * N], depth[N * N];

static void assert_same_arrays(const rill_state_array *a, const rill_state_array *b, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        assert_memory_equal(a->data + row * a->pitch, b->data + row * b->pitch,
                            a->width * sizeof(float));
}

static void deposit_something(const rl_solver_ops *ops, void *self, int round)
{
    float amounts[N], momentum[N];
    for (int i = 0; i < N; i++) {
        amounts[i] = 1e-3f * (rl_random_unit(3, (uint64_t)round, (uint64_t)i) - 0.3f);
        momentum[i] = 1e-4f * (rl_random_unit(4, (uint64_t)round, (uint64_t)i) - 0.5f);
    }
    ops->deposit(self, &(rl_deposit){.row = 1 + 17 * round % (N - 2),
                                     .first = 1,
                                     .count = N - 2,
                                     .depth = amounts,
                                     .momentum_x = round % 3 ? momentum : NULL,
                                     .momentum_y = round % 2 ? momentum : NULL});
}

static void compare_with_pipes(const rill_world_def *layers_world,
                               const rill_world_def *pipes_world)
{
    rill_world_def without = *pipes_world;
    without.pipes.critical_flow = 0; // layers have no such limit
    void *layers = make_solver(&rl_layers_ops, layers_world, best_isa());
    void *pipes = make_solver(&rl_pipes_ops, &without, best_isa());
    rl_exchange a = {0}, b = {0};
    for (int round = 0; round < 60; round++) {
        const double stable = rl_layers_ops.stable_step(layers);
        assert_true(stable == rl_pipes_ops.stable_step(pipes));
        rl_layers_ops.step(layers, NULL, fmin(stable, 0.05), &a);
        rl_pipes_ops.step(pipes, NULL, fmin(stable, 0.05), &b);
        deposit_something(&rl_layers_ops, layers, round);
        deposit_something(&rl_pipes_ops, pipes, round);
    }
    rill_state_array mine[RL_MAX_STATE_ARRAYS], theirs[RL_MAX_STATE_ARRAYS];
    rl_layers_ops.state(layers, mine);
    const int count = rl_pipes_ops.state(pipes, theirs);
    for (int n = 0; n < count; n++) {
        assert_string_equal(mine[n].name, theirs[n].name);
        assert_same_arrays(&mine[n], &theirs[n], theirs[n].rows);
    }
    assert_true(fabs(a.in - b.in) <= 1e-12 * b.in && fabs(a.out - b.out) <= 1e-12 * b.out);
    const rill_columns u = rl_layers_ops.columns(layers, NULL, NULL),
                       v = rl_pipes_ops.columns(pipes, NULL, NULL);
    for (int n = 0; n < N * N; n++) {
        const size_t at_u = (size_t)(n / N) * u.pitch + (size_t)(n % N);
        const size_t at_v = (size_t)(n / N) * v.pitch + (size_t)(n % N);
        assert_true(u.velocity_x[at_u] == v.velocity_x[at_v]);
        assert_true(u.velocity_y[at_u] == v.velocity_y[at_v]);
    }
    rl_layers_ops.destroy(&layers_world->host.allocator, &layers);
    rl_pipes_ops.destroy(&pipes_world->host.allocator, &pipes);
}

// Half of the worlds start nearly dry, so that rows are passed over until liquid comes.
TEST(one_plane_gives_the_bits_of_the_pipes_water)
{
    for (int variant = 0; variant < 12; variant++) {
        const float dry = variant < 6 ? 0.2f : 0.599f;
        for (int n = 0; n < N * N; n++) {
            bed[n] = 0.8f * rl_random_unit(1, 5, (uint64_t)n);
            depth[n] = 0.6f * rl_random_unit(2, 5, (uint64_t)n) - dry;
            depth[n] = depth[n] > 0.0f ? depth[n] : 0.0f;
        }
        rill_world_def def = layers_def(N, N, 0.25, NULL);
        set_ground(&def, bed, depth);
        choose_variant(&def, variant);
        compare_with_pipes(&def, &def);
    }
}

TEST(a_solid_without_overhangs_gives_the_bits_of_the_pipes_water)
{
    SCOPED(rill_solid) *solid = air(N, N, 0.25, 2.0);
    for (int j = -1; j <= N; j++)
        for (int i = -1; i <= N; i++)
            set_column(solid, i, j,
                       &(slab){DEEP, 0.3 + 0.25 * (double)rl_random_unit(1, (uint64_t)(i + 1),
                                                                         (uint64_t)(j + 1))},
                       1);
    for (int variant = 0; variant < 6; variant++) {
        rill_world_def def = layers_def(N, N, 0.25, solid);
        def.use_level = 1;
        def.level = 0.5f;
        choose_variant(&def, variant);
        rl_layers *s = make_layers(&def);
        for (int n = 0; n < N * N; n++)
            bed[n] = s->base.origin[rl_layers_slot(s, 0, n % N, n / N)];
        free_layers(&s);
        rill_world_def flat = def;
        flat.solid = NULL;
        flat.bed = (rill_field_view){bed, N, N, N};
        compare_with_pipes(&def, &flat);
    }
}
