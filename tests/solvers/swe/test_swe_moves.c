// SPDX-License-Identifier: MIT
// Water that comes and goes otherwise: deposits with momentum, falls over cliffs, a grid that moves
// over its country, states that are saved; and that a step takes no memory.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/solvers/swe/swe_worlds.h"

static swe_case c;

static const rill_advection advections[] = {RILL_ADVECTION_CONSERVATIVE, RILL_ADVECTION_MACCORMACK};

static void fill(float depth)
{
    for (int n = 0; n < c.def.nx * c.def.ny; n++)
        c.depth[n] = depth;
}

// ---- Deposits --------------------------------------------------------------------------

// Momentum of all faces per density, m^4/s.
static void momentum_of(const rl_swe *s, double sum[2])
{
    const double area = s->cell_size * s->cell_size;
    sum[0] = sum[1] = 0.0;
    for (int y = 0; y < s->ny; y++)
        for (int i = 0; i < s->nx; i++) {
            const double here = (double)depth_row(s, y)[i];
            if (i + 1 < s->nx)
                sum[0] += 0.5 * (here + (double)depth_row(s, y)[i + 1]) * (double)u_row(s, y)[i];
            if (y + 1 < s->ny)
                sum[1] += 0.5 * (here + (double)depth_row(s, y + 1)[i]) * (double)v_row(s, y)[i];
        }
    sum[0] *= area;
    sum[1] *= area;
}

static double give(rl_swe *s, int i, int y, float depth, float px, float py)
{
    return rl_swe_ops.deposit(s, &(rl_deposit){.row = y,
                                               .first = i,
                                               .count = 1,
                                               .depth = &depth,
                                               .momentum_x = &px,
                                               .momentum_y = &py});
}

// In the open, beside a wall, beside a marked face and onto dry ground.
TEST(a_deposit_brings_its_momentum)
{
    begin_case(&c, 12, 12, 0.5);
    fill(0.8f);
    for (int j = 0; j < 12; j++)
        c.depth[j * 12 + 3] = 0.0f;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    set_velocities(s, 0.5f, -0.25f);
    rl_swe_ops.walls->mark_face(s, 0, 7, 8, true);
    const int cells[][2] = {{6, 5}, {0, 6}, {11, 11}, {7, 8}, {3, 4}};
    for (int n = 0; n < 5; n++) {
        double before[2], after[2];
        momentum_of(s, before);
        const double given = give(s, cells[n][0], cells[n][1], 0.3f, 0.06f, -0.09f);
        momentum_of(s, after);
        assert_true(fabs(given - 0.3 * 0.25) < 1e-7);
        assert_true(fabs(after[0] - before[0] - 0.06) < 1e-5);
        assert_true(fabs(after[1] - before[1] + 0.09) < 1e-5);
    }
    assert_true(u_row(s, 8)[7] == 0.0f);
    assert_true(s->largest.u >= fabsf(u_row(s, 5)[6]));
}

// What is taken comes out the same, and a cell that holds less than was asked for gives as much
// less momentum.
TEST(taking_is_the_opposite_of_giving)
{
    begin_case(&c, 12, 12, 0.5);
    fill(0.8f);
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    set_velocities(s, 0.5f, -0.25f);
    double before[2], after[2];
    momentum_of(s, before);
    give(s, 5, 5, 0.2f, 0.05f, 0.03f);
    give(s, 5, 5, -0.2f, -0.05f, -0.03f);
    momentum_of(s, after);
    assert_true(fabs(after[0] - before[0]) < 1e-6 && fabs(after[1] - before[1]) < 1e-6);
    assert_true(fabsf(u_row(s, 5)[5] - 0.5f) < 1e-5f);

    const double taken = give(s, 8, 8, -1.6f, -0.4f, 0.0f);
    momentum_of(s, after);
    assert_true(fabs(taken + 0.8 * 0.25) < 1e-6 && depth_row(s, 8)[8] == 0.0f);
    assert_true(fabs(after[0] - before[0] + 0.2) < 1e-5);
}

// ---- Falls -----------------------------------------------------------------------------

// A table 4 m high with 0.2 m of water on it over a pool of 0.5 m, falling to one of the four
// sides.
static rl_swe *make_table(int way, rill_advection advection)
{
    enum { N = 24 };
    begin_case(&c, N, N, 1.0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const int along = way < 2 ? i : j;
            const bool table = way % 2 == 0 ? along < N / 2 : along >= N / 2;
            c.bed[j * N + i] = table ? 4.0f : 0.0f;
            c.depth[j * N + i] = table ? 0.2f : 0.5f;
        }
    c.def.swe.advection = advection;
    c.def.particles.max_particles = 100;
    return make_swe(&c.def);
}

static double waiting(const rl_motion *m)
{
    double sum = 0.0;
    for (int n = 0; n < m->fall_count; n++)
        sum += m->falls[n].volume;
    return sum;
}

TEST(what_goes_over_a_cliff_waits_in_its_fall)
{
    for (int n = 0; n < 8; n++) {
        FREED_BY(free_swe) rl_swe *s = make_table(n / 2, advections[n % 2]);
        const double before = volume_of(s);
        assert_true(rl_swe_ops.motion->get(s).step == 0.0);
        run_swe(s, NULL, 60, 0.02, NULL);
        const rl_motion m = rl_swe_ops.motion->get(s);
        assert_int_equal(m.fall_count, 24);
        assert_true(m.step == 0.02 && waiting(&m) > 0.5);
        assert_true(fabs(volume_of(s) + waiting(&m) - before) < 1e-6 * before);
        for (int k = 0; k < m.fall_count; k++) {
            const rl_fall *f = &m.falls[k];
            assert_true(f->velocity > 0.5f && fabsf(f->across) < 1e-3f && f->volume > 0.0);
            assert_int_equal(abs(f->upper_i - f->lower_i) + abs(f->upper_j - f->lower_j), 1);
            assert_true(c.bed[f->upper_j * 24 + f->upper_i] == 4.0f);
            // The pool gets nothing of it, and does not move.
            assert_true(fabsf(depth_row(s, f->lower_j)[f->lower_i] - 0.5f) < 1e-6f);
        }
    }
}

// Without particles, or without the wish for them, the water goes down by itself; and a pool that
// stands as high as the table makes no fall of it.
TEST(water_falls_by_itself_where_nobody_catches_it)
{
    for (int kind = 0; kind < 3; kind++) {
        FREED_BY(free_swe) rl_swe *s = make_table(0, RILL_ADVECTION_CONSERVATIVE);
        free_swe(&s);
        c.def.particles.max_particles = kind == 0 ? 0 : 100;
        c.def.swe.waterfalls = kind != 1;
        if (kind == 2)
            for (int n = 0; n < 24 * 24; n++)
                c.depth[n] = n % 24 < 12 ? 0.2f : 4.1f;
        s = make_swe(&c.def);
        run_swe(s, NULL, 60, 0.02, NULL);
        const rl_motion m = rl_swe_ops.motion->get(s);
        assert_true(waiting(&m) == 0.0);
        double below = 0.0;
        for (int j = 0; j < 24; j++)
            for (int i = 12; i < 24; i++)
                below += (double)depth_row(s, j)[i];
        assert_true(below > (kind == 2 ? 4.1 : 0.5) * 288 + 0.1);
    }
}

// When the cliff is levelled the fall is none any more: its water goes to the cell below.
TEST(a_fall_that_is_levelled_gives_its_water_back)
{
    FREED_BY(free_swe) rl_swe *s = make_table(3, RILL_ADVECTION_CONSERVATIVE);
    const double before = volume_of(s);
    run_swe(s, NULL, 60, 0.02, NULL);
    rl_motion m = rl_swe_ops.motion->get(s);
    const double kept = m.falls[3].volume;
    assert_true(kept > 0.0);
    rill_field *bed = rl_swe_ops.bed(s);
    rill_field_row(bed, 12)[5] = 0.0f; // the upper cell of one fall: it gets two new ones instead
    rl_swe_ops.bed_changed(s);
    m = rl_swe_ops.motion->get(s);
    assert_int_equal(m.fall_count, 23 + 3);
    assert_true(m.falls[3].volume == kept);
    assert_true(fabs(volume_of(s) + waiting(&m) - before) < 1e-6 * before);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++)
            rill_field_row(bed, j)[i] = 0.0f;
    rl_swe_ops.bed_changed(s);
    assert_int_equal(rl_swe_ops.motion->get(s).fall_count, 0);
    assert_true(fabs(volume_of(s) - before) < 1e-6 * before);
}

// ---- Moving the grid -------------------------------------------------------------------

static void begin_shiftable(void)
{
    enum { N = 40 };
    begin_case(&c, N, N, 0.25);
    for (int k = 0; k < N * N; k++) {
        c.bed[k] = made_bed(k % N, k / N, 0.25, 0);
        c.depth[k] = k % N < 20 ? 0.8f : 0.1f;
    }
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        c.def.border[side] = side < 2 ? RILL_BORDER_ABSORB : RILL_BORDER_DRAIN;
        c.def.border_level[side] = 0.3f;
    }
    c.def.particles.max_particles = 10;
    c.def.swe.cliff = 0.8f;
}

TEST(a_shift_moves_water_faces_marks_and_falls)
{
    enum { N = 40 };
    const int moves[][2] = {{3, 0}, {0, -4}, {-2, 5}, {0, 0}, {50, 0}};
    for (int n = 0; n < 5; n++) {
        const int di = moves[n][0], dj = moves[n][1];
        begin_shiftable();
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def), *old = make_swe(&c.def);
        rl_swe *const both[] = {s, old};
        for (int k = 0; k < 2; k++) {
            rl_swe_ops.walls->mark_face(both[k], 0, 20, 20, true);
            rl_swe_ops.walls->mark_face(both[k], 1, 18, 22, true);
            run_swe(both[k], NULL, 50, 0.01, NULL);
        }
        rill_field bed;
        assert_true(rill_field_create(NULL, N, N, 0, &bed));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                rill_field_row(&bed, j)[i] = made_bed(i + di, j + dj, 0.25, 0);
        rl_exchange e = {0};
        rl_motion m = rl_swe_ops.motion->get(s);
        const double before = volume_of(s) + waiting(&m);
        rl_swe_ops.moving_domain->shift(s, di, dj, &bed, 0.5f, &e);
        m = rl_swe_ops.motion->get(s);
        assert_true(fabs(before + e.in - e.out - volume_of(s) - waiting(&m)) < 1e-6 * before);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const int x = i + di, y = j + dj;
                const bool inside = x >= 0 && x < N && y >= 0 && y < N;
                const float level = fmaxf(0.5f - rill_field_row(&bed, j)[i], 0.0f);
                assert_true(depth_row(s, j)[i] == (inside ? depth_row(old, y)[x] : level));
                if (inside && i + 1 < N && x + 1 < N)
                    assert_true(u_row(s, j)[i] == u_row(old, y)[x]);
                if (inside && j + 1 < N && y + 1 < N)
                    assert_true(v_row(s, j)[i] == v_row(old, y)[x]);
                assert_int_equal(rl_swe_is_marked(s, 0, i, j), x == 20 && y == 20);
                assert_int_equal(rl_swe_is_marked(s, 1, i, j), x == 18 && y == 22);
                if (i >= 10 && i < N - 10)
                    assert_true(rill_field_row(&rl_swe_now(s)->phi, j)[i] == 0.0f);
            }
        run_swe(s, NULL, 50, 0.01, &e);
        assert_sound(s);
        rill_field_destroy(NULL, &bed);
    }
}

// There and back again over still water: nothing has happened to what stayed inside.
TEST(a_shift_and_its_opposite_leave_the_middle_alone)
{
    enum { N = 40 };
    begin_shiftable();
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    run_swe(s, NULL, 50, 0.01, NULL);
    static float depth[N * N], u[N * N];
    for (int j = 0; j < N; j++) {
        memcpy(&depth[j * N], depth_row(s, j), N * sizeof(float));
        memcpy(&u[j * N], u_row(s, j), N * sizeof(float));
    }
    rill_field bed;
    assert_true(rill_field_create(NULL, N, N, 0, &bed));
    for (int turn = 0; turn < 2; turn++) {
        const int di = turn == 0 ? 4 : 0, dj = turn == 0 ? -3 : 0;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                rill_field_row(&bed, j)[i] = made_bed(i + di, j + dj, 0.25, 0);
        rl_swe_ops.moving_domain->shift(s, turn == 0 ? 4 : -4, turn == 0 ? -3 : 3, &bed, -1e30f,
                                        &(rl_exchange){0});
    }
    for (int j = 0; j < N - 3; j++) {
        assert_memory_equal(&depth_row(s, j)[4], &depth[j * N + 4], (N - 4) * sizeof(float));
        assert_memory_equal(&u_row(s, j)[4], &u[j * N + 4], (N - 6) * sizeof(float));
    }
    assert_true(depth_row(s, 5)[2] == 0.0f && depth_row(s, N - 1)[20] == 0.0f);
    rill_field_destroy(NULL, &bed);
}

// ---- States and memory -----------------------------------------------------------------

static void copy_state(rl_swe *to, rl_swe *from)
{
    rill_state_array a[RL_MAX_STATE_ARRAYS], b[RL_MAX_STATE_ARRAYS];
    const int count = rl_swe_ops.state(from, a);
    assert_int_equal(rl_swe_ops.state(to, b), count);
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < a[n].rows; row++)
            memcpy(b[n].data + row * b[n].pitch, a[n].data + row * a[n].pitch,
                   a[n].width * sizeof(float));
    rl_swe_ops.state_changed(to);
}

// A copy of the arrays is a copy of the water: same future, to the last bit, after an odd and an
// even number of steps.
TEST(a_copied_state_has_the_same_future)
{
    for (int n = 0; n < 4; n++) {
        begin_shiftable();
        c.def.swe.advection = advections[n % 2];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def), *copy = make_swe(&c.def);
        rl_swe_ops.walls->mark_face(s, 0, 20, 20, true);
        run_swe(s, NULL, 50 + n / 2, 0.01, NULL);
        give(s, 9, 9, 0.1f, 0.02f, 0.01f);
        copy_state(copy, s);
        assert_true(hash_swe(copy) == hash_swe(s));
        rl_swe_ops.bed_changed(copy);
        run_swe(s, NULL, 50, 1.0, NULL);
        run_swe(copy, NULL, 50, 1.0, NULL);
        assert_true(hash_swe(copy) == hash_swe(s));
    }
}

TEST(a_step_takes_no_memory_and_all_is_given_back)
{
    counter count = {0};
    begin_shiftable();
    c.def.host = counting_host(&count);
    c.def.swe.overshoot = 0.2f;
    rl_swe *s = make_swe(&c.def);
    const int calls = count.calls;
    const size_t bytes = count.bytes;
    assert_true(rl_swe_ops.memory(s) == bytes);
    assert_true(rl_swe_ops.memory_needed(&c.def) <= bytes);
    run_swe(s, NULL, 100, 1.0, NULL);
    rl_swe_ops.columns(s, NULL, NULL);
    rl_swe_ops.bed_changed(s);
    assert_int_equal(count.calls, calls);
    free_swe(&s);
    assert_int_equal(count.bytes, 0);
    for (int fail = 1; fail <= calls; fail++) { // no memory at any point of making one
        count = (counter){.fail_at = fail};
        void *self = NULL;
        assert_int_equal(rl_swe_ops.create(&c.def, RL_ISA_PLAIN, &self), RILL_NO_MEMORY);
        assert_true(self == NULL && count.bytes == 0);
    }
}
