// SPDX-License-Identifier: MIT
// The pool as a whole: books that close over long runs, the same bits on any number of threads and
// any instruction set, states that can be gone back to, and memory.
#include "particles/pool.h"
#include "tests/kit/kit.h"
#include "tests/kit/solver_runs.h"
#include "tests/particles/fake_water.h"

#include "rill/rill.h"

#define RL_ISA scalar
#include "particles/flight_rows.c"

#define DT   (1.0 / 60.0)
#define SIDE 64

// ---- A stormy sea ----------------------------------------------------------------------

// A hash of all the state.
static uint64_t hash_of(rl_particles *p, const fake_water *w)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_particles_state(p, arrays);
    for (int n = 0; n < count; n++)
        assert_true(arrays[n].pitch == arrays[n].width);
    const size_t bytes = (size_t)(w->nx * w->ny) * sizeof *w->held;
    uint64_t hash = hash_arrays(KIT_HASH, arrays, count);
    hash = hash_bytes(hash, w->held, bytes);
    hash = hash_bytes(hash, w->momentum_x, bytes);
    hash = hash_bytes(hash, w->momentum_y, bytes);
    return hash;
}

static fake_water *stormy_water(void)
{
    fake_water *w = fake_create(SIDE, SIDE, 1.0f, 3.0f);
    w->moves = true;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            *fake_cell(&w->base, i, j) = i > 48 ? 0.25f * (float)(i - 48) : 0.0f;
            *fake_cell(&w->velocity_x, i, j) = 0.05f * (float)(32 - j);
            *fake_cell(&w->velocity_y, i, j) = 0.05f * (float)(i - 32);
        }
    w->fall_count = 1;
    w->falls[0] =
        (rl_fall){.upper_i = 20, .upper_j = 20, .lower_i = 19, .lower_j = 20, .velocity = 2.0f};
    return w;
}

static rl_particles *stormy_particles(rl_isa isa, int most, const rill_allocator *allocator)
{
    rill_particles_def def = rill_default_particles_def();
    def.max_particles = most;
    def.radius = 0.03f;
    def.foam_radius = 0.1f;
    def.wind[0] = 2.0f;
    def.foam_life = 1.0f;
    rl_particles *p = NULL;
    assert_ok(rl_particles_create(&def, 11, isa, allocator, &p));
    rill_emitter_def hose = rill_default_emitter_def();
    set3(hose.position, 30.0, 30.0, 4.0);
    hose.velocity[0] = 12.0; // some of it goes over the border
    hose.velocity[2] = 10.0;
    hose.spread = 0.4;
    hose.rate = 20.0;
    rl_particles_set_emitter(p, 1, &hose);
    rill_emitter_def rain = rill_default_emitter_def();
    rain.kind = RILL_EMITTER_RAIN;
    set3(rain.position, 32.0, 32.0, 15.0);
    rain.size[0] = rain.size[1] = 70.0;
    rain.particle = RILL_PARTICLE_SPRAY;
    rain.rate = 2.0;
    rl_particles_set_emitter(p, 2, &rain);
    return p;
}

// Waves that run through the fake: what they are made of is put in and taken out by hand, so the
// volume is counted as it is changed. Returns what was added.
static double stir(fake_water *w, int step)
{
    rl_sum added = {0};
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int at = j * SIDE + i;
            const bool crest = (i + 2 * j + step) % 16 == 0;
            const float before = *fake_cell(&w->depth, i, j), wish = crest ? 4.0f : 3.0f;
            *fake_cell(&w->before, i, j) = before;
            rl_sum_add(&added, (double)wish - w->held[at]);
            w->held[at] = (double)wish;
            *fake_cell(&w->depth, i, j) = wish;
        }
    w->falls[0].volume += 0.01;
    return rl_sum_value(&added) + 0.01;
}

static double step_storm(rl_particles *p, fake_water *w, rl_jobs *jobs, int step)
{
    rl_particles_books books = {0};
    const rl_particles_flow view = fake_view(w, jobs);
    const double added = stir(w, step);
    rl_particles_step(p, &view, step * DT, DT, (uint64_t)step, &books);
    return added + books.sourced - books.drained;
}

// ---- Books -----------------------------------------------------------------------------

// All that is done with the water for ten minutes of a small pool that is full most of the time,
// and of a large one.
TEST(the_books_close_over_a_long_run)
{
    const int sizes[] = {500, 60000}, steps[] = {6000, 600};
    for (int n = 0; n < 2; n++) {
        SCOPED(fake_water) *w = stormy_water();
        SCOPED(rl_particles) *p = stormy_particles(best_isa(), sizes[n], NULL);
        rl_sum expected = {fake_volume(w), 0.0};
        for (int s = 0; s < steps[n]; s++) {
            rl_sum_add(&expected, step_storm(p, w, NULL, s));
            const double have = fake_volume(w) + rl_particles_volume(p) + w->falls[0].volume;
            // Some thousand deposits a step round a double of 4 m; floats would be seen.
            assert_near(have, rl_sum_value(&expected), 1e-9);
            assert_true(p->totals.count <= sizes[n]);
            assert_true(fabs(p->totals.rest) < 1e-3);
        }
        assert_true(n == 1 || p->totals.count > 400);
    }
}

// ---- The same bits ---------------------------------------------------------------------

static uint64_t large_storm(rl_isa isa, rl_jobs *jobs, KIT_UNUSED const void *context)
{
    SCOPED(fake_water) *w = stormy_water();
    SCOPED(rl_particles) *p = stormy_particles(isa, 200000, NULL);
    for (int s = 0; s < 90; s++)
        step_storm(p, w, jobs, s);
    assert_true(p->totals.count > 100000);
    return hash_of(p, w);
}

TEST(threads_and_instruction_sets_do_not_show_with_100000_alive)
{
    assert_same_on_some_isas(large_storm, NULL);
}

// Loops against the same source with one float at a time, on ranges that begin and end anywhere.
enum { ROW_PLACES = 160, ROW_GRID = 9 };

typedef struct row_trial {
    float *arrays[8];
    uint8_t kind[ROW_PLACES];
    uint32_t list[ROW_PLACES];
    int count;
} row_trial;

static row_trial make_trial(const rl_flight_rows *rows, int first, int end, bool foam,
                            const rill_field *ground)
{
    row_trial t = {0};
    uint64_t draw = 0;
    for (int n = 0; n < 8; n++) {
        t.arrays[n] = aligned_alloc(64, ROW_PLACES * sizeof(float));
        for (int k = 0; k < ROW_PLACES; k++) {
            const float unit = rl_random_unit(3, 4, draw++);
            t.arrays[n][k] = n < 2 ? 11.0f * unit - 1.0f : n < 6 ? 4.0f * unit - 2.0f : unit;
        }
    }
    for (int k = 0; k < ROW_PLACES; k++)
        t.kind[k] = k % 3 == 0;
    rl_pool_places a = {.kind = t.kind, .count = ROW_PLACES};
    memcpy(a.arrays, t.arrays, 6 * sizeof *a.arrays); // places and velocities
    a.arrays[RL_POOL_AGE] = t.arrays[6];
    a.arrays[RL_POOL_LIFE] = t.arrays[7];
    const rl_flight_ground g = {.base = ground[0].origin,
                                .depth = ground[1].origin,
                                .velocity_x = ground[2].origin,
                                .velocity_y = ground[3].origin,
                                .pitch = (int)ground[0].pitch,
                                .to_cells = 1.0f,
                                .last_x = ROW_GRID - 1,
                                .last_y = ROW_GRID - 1,
                                .width = ROW_GRID,
                                .height = ROW_GRID,
                                .wet_depth = 0.3f};
    const rl_flight_air air[2] = {{0.9f, 0.1f, 0.01f, -0.02f, -0.3f, 0.003f, -0.004f, -0.01f},
                                  {0.7f, 0.2f, 0.03f, -0.01f, -0.2f, 0.001f, -0.002f, -0.03f}};
    t.count = foam ? rows->advect(&a, first, end, &g, 0.1f, t.list)
                   : rows->fly(&a, first, end, &g, air, 0.1f, t.list);
    return t;
}

static void assert_same_trial(row_trial *a, row_trial *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->list, b->list, sizeof a->list);
    for (int n = 0; n < 8; n++) {
        assert_memory_equal(a->arrays[n], b->arrays[n], ROW_PLACES * sizeof(float));
        free(a->arrays[n]);
        free(b->arrays[n]);
    }
}

TEST(row_loops_give_the_bits_of_plain_loops)
{
    rill_field ground[4];
    uint64_t draw = 0;
    for (int n = 0; n < 4; n++) {
        assert_true(rill_field_create(NULL, ROW_GRID, ROW_GRID, 0, &ground[n]));
        for (int k = 0; k < ROW_GRID * ROW_GRID; k++)
            *fake_cell(&ground[n], k % ROW_GRID, k / ROW_GRID) = rl_random_unit(9, 1, draw++);
    }
    FOR_EACH_ISA (isa)
        for (int first = 0; first < 40; first += 3)
            for (int end = first; end < ROW_PLACES; end += 7)
                for (int foam = 0; foam < 2; foam++) {
                    row_trial want = make_trial(&rl_flight_rows_scalar, first, end, foam, ground);
                    row_trial got =
                        make_trial(RL_ROWS_OF(isa, rl_flight_rows), first, end, foam, ground);
                    assert_same_trial(&want, &got);
                }
    for (int n = 0; n < 4; n++)
        rill_field_destroy(NULL, &ground[n]);
}

// ---- State and memory ------------------------------------------------------------------

TEST(a_restored_state_has_the_same_future)
{
    const rl_isa isa = best_isa();
    SCOPED(fake_water) *w = stormy_water();
    SCOPED(rl_particles) *p = stormy_particles(isa, 20000, NULL),
                         *q = stormy_particles(isa, 20000, NULL);
    for (int s = 0; s < 60; s++)
        step_storm(p, w, NULL, s);
    rill_state_array from[RL_MAX_STATE_ARRAYS], to[RL_MAX_STATE_ARRAYS];
    const int count = rl_particles_state(p, from);
    assert_true(count <= RL_MAX_STATE_ARRAYS && rl_particles_state(q, to) == count);
    for (int n = 0; n < count; n++)
        memcpy(to[n].data, from[n].data, from[n].width * sizeof(float));
    SCOPED(fake_water) *copy = stormy_water();
    memcpy(copy->falls, w->falls, sizeof w->falls);
    for (int n = 0; n < SIDE * SIDE; n++) {
        fake_set(copy, n % SIDE, n / SIDE, *fake_cell(&w->depth, n % SIDE, n / SIDE), 0.0f);
        copy->held[n] = w->held[n];
        copy->momentum_x[n] = w->momentum_x[n];
        copy->momentum_y[n] = w->momentum_y[n];
    }
    assert_true(p->totals.count > 1000 && p->totals.flying < p->totals.count);
    for (int s = 60; s < 120; s++) {
        step_storm(p, w, NULL, s);
        step_storm(q, copy, NULL, s);
        assert_true(hash_of(p, w) == hash_of(q, copy));
    }
}

TEST(flying_particles_come_first_and_unused_places_are_zero)
{
    SCOPED(fake_water) *w = stormy_water();
    SCOPED(rl_particles) *p = stormy_particles(best_isa(), 20000, NULL);
    for (int s = 0; s < 200; s++) {
        step_storm(p, w, NULL, s);
        for (int k = 0; k < (int)p->places; k++) {
            const bool foam = k >= p->totals.flying && k < p->totals.count;
            assert_true((p->kind[k] == RILL_PARTICLE_FOAM) == foam);
            assert_true((p->arrays[RL_POOL_VOLUME][k] > 0.0f) == (k < p->totals.flying));
            for (int n = 0; k >= p->totals.count && n < RL_POOL_ARRAYS; n++)
                assert_true(p->arrays[n][k] == 0.0f && p->kind[k] == 0);
        }
    }
}

TEST(a_step_allocates_nothing_and_nothing_is_left_behind)
{
    const rl_isa isa = best_isa();
    counter count = {0};
    const rill_host host = counting_host(&count);
    SCOPED(fake_water) *w = stormy_water();
    SCOPED(rl_particles) *p = stormy_particles(isa, 5000, &host.allocator);
    const int calls = count.calls;
    assert_true(rl_particles_memory(p) == count.bytes);
    for (int s = 0; s < 60; s++)
        step_storm(p, w, NULL, s);
    assert_int_equal(count.calls, calls);
    rl_particles_destroy(&p);
    assert_true(p == NULL && count.bytes == 0);
    for (int fail = 1; fail <= calls; fail++) {
        const rill_particles_def def = quiet_def(1000);
        count = (counter){.fail_at = fail};
        assert_int_equal(rl_particles_create(&def, 1, isa, &host.allocator, &p), RILL_NO_MEMORY);
        assert_true(p == NULL && count.bytes == 0);
    }
    assert_true(rl_particles_memory(NULL) == 0);
}

// The window moves 20 m east: what was in the western 20 m is out.
TEST(a_window_that_moves_leaves_particles_where_they_are)
{
    SCOPED(fake_water) *w = stormy_water();
    SCOPED(rl_particles) *p = stormy_particles(best_isa(), 20000, NULL);
    for (int s = 0; s < 100; s++)
        step_storm(p, w, NULL, s);
    int flying = 0, foam = 0;
    double volume = 0.0;
    for (int k = 0; k < p->totals.count; k++) {
        const bool stays = p->arrays[RL_POOL_X][k] >= 20.0f;
        flying += stays && k < p->totals.flying;
        foam += stays && k >= p->totals.flying;
        volume += stays ? 0.0 : (double)p->arrays[RL_POOL_VOLUME][k];
    }
    assert_true(flying > 0 && foam > 0 && flying + foam < p->totals.count);
    const double before = rl_particles_volume(p);
    rl_particles_books books = {0};
    rl_particles_shift(p, 20.0f, 0.0f, 64.0f, 64.0f, &books);
    assert_int_equal(p->totals.flying, flying);
    assert_int_equal(p->totals.count, flying + foam);
    assert_near(books.drained, volume, 1e-12);
    assert_near(rl_particles_volume(p), before - volume, 1e-9);
}
