// SPDX-License-Identifier: MIT
// The simulation's thread behind the window: what it promises to the thread that draws. Run under
// ThreadSanitizer this is also the proof that the two share nothing by accident.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/view/sims.h"

#include "rill/river.h"
#include "rill/scene.h"
#include "rill/world.h"

#include <semaphore.h>
#include <stdatomic.h>

#define FRAME (1.0 / 60.0)

static const char *const small[] = {"world.nx=48", "world.ny=40"};

static sim *start(bool paused)
{
    const sim_def def = {
        .scene = "bowl", .overrides = small, .override_count = 2, .threads = 2, .paused = paused};
    return make_sim(def);
}

// Draws until a still of `time` or later of an epoch other than `not_epoch` is there.
static sim_picture still_of(sim *s, double time, unsigned not_epoch)
{
    for (int n = 0; n < LIMIT; n++) {
        const sim_picture p = sim_newest(s);
        if (p.frame_data != NULL && p.epoch != not_epoch && p.frame_data->time >= time - 1e-9)
            return p;
        sleep_briefly();
    }
    fail_msg("no still of %g s came", time);
    return (sim_picture){0};
}

static void wait_until_reached(sim *s)
{
    for (int n = 0; n < LIMIT; n++) {
        if (sim_get_state(s).until_reached)
            return;
        sleep_briefly();
    }
    fail_msg("the time asked for was not reached");
}

static sim_command pour_of(double volume)
{
    return (sim_command){.kind = SIM_POUR,
                         .pour = {.x = 6.0, .y = 5.0, .radius = 1.0, .volume = volume}};
}

// The same scene without a thread or a picture.
static uint64_t plain_hash(int frames)
{
    SCOPED(rill_scene) *scene = NULL;
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_open("bowl", small, 2, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 1, &world));
    run_world(world, frames, rill_scene_describe(scene).frame);
    return rill_world_hash(world);
}

TEST(a_paused_scene_shows_its_first_moment)
{
    sim *s = start(true);
    const sim_picture p = still_of(s, 0.0, 0);
    assert_true(p.fresh);
    assert_string_equal(p.loaded->info.name, "bowl");
    assert_int_equal(p.frame_data->nx, 48);
    assert_true(p.frame_data->time == 0.0);
    assert_true(ask(s, 3.0, 3.0).hash == plain_hash(0));
    assert_false(sim_newest(s).fresh);
    sim_destroy(&s);
    assert_null(s);
}

TEST(drawing_does_not_change_the_water)
{
    SCOPED(sim) *s = start(true);
    still_of(s, 0.0, 0);
    sim_run_until(s, 30 * FRAME);
    while (!sim_get_state(s).until_reached)
        sim_newest(s);
    const sim_answer a = ask(s, 3.0, 3.0);
    assert_true(fabs(a.time - 30 * FRAME) < 1e-9);
    assert_true(a.hash == plain_hash(30));
    assert_true(sim_get_state(s).paused);
}

TEST(single_frames_are_counted_and_pause)
{
    SCOPED(sim) *s = start(false);
    still_of(s, 2 * FRAME, 0);
    sim_pause(s, true);
    const double before = ask(s, 3.0, 3.0).time;
    for (int n = 0; n < 3; n++)
        sim_step(s);
    assert_true(fabs(ask(s, 3.0, 3.0).time - before - 3 * FRAME) < 1e-9);
    assert_true(sim_get_state(s).paused);
    still_of(s, before + 3 * FRAME, 0);
}

TEST(orders_are_carried_out_while_paused_and_seen)
{
    SCOPED(sim) *s = start(true);
    still_of(s, 0.0, 0);
    const sim_command pour = pour_of(2.0);
    const sim_command dig = {
        .kind = SIM_BRUSH,
        .brush = {.kind = RILL_BRUSH_LOWER, .x = 3.0, .y = 3.0, .radius = 1.0, .amount = 0.5}};
    const float bed = ask(s, 3.0, 3.0).probe.base;
    assert_true(sim_order(s, &pour));
    assert_true(sim_order(s, &dig));
    const sim_answer a = ask(s, 3.0, 3.0);
    assert_true(a.time == 0.0);
    assert_true(fabs(a.ledger.sourced - 2.0) < 1e-6);
    assert_true(a.probe.base < bed - 0.4f);
    for (int n = 0; n < LIMIT; n++) {
        const sim_picture p = sim_newest(s);
        if (fabs(p.frame_data->ledger.sourced - 2.0) < 1e-6 && p.frame_data->ground_version > 1)
            break;
        assert_true(n + 1 < LIMIT);
        sleep_briefly();
    }
}

TEST(a_wrong_order_is_a_note)
{
    SCOPED(sim) *s = start(true);
    still_of(s, 0.0, 0);
    const sim_command rain = {.kind = SIM_RAIN, .rate = -1.0};
    const uint64_t before = ask(s, 3.0, 3.0).hash;
    assert_true(sim_order(s, &rain));
    assert_true(ask(s, 3.0, 3.0).hash == before);
    assert_int_equal(sim_get_state(s).notes, 1);
    assert_true(strlen(sim_get_state(s).note) > 10);
}

// ---- A thread that is stuck ------------------------------------------------------------

typedef struct gate {
    sem_t entered, open;
    atomic_bool closed;
} gate;

static void wait_at_gate(void *user)
{
    gate *const g = user;
    if (!atomic_load(&g->closed))
        return;
    sem_post(&g->entered);
    sem_wait(&g->open);
}

TEST(the_queue_is_bounded_and_the_picture_never_waits)
{
    gate g;
    sem_init(&g.entered, 0, 0);
    sem_init(&g.open, 0, 0);
    atomic_init(&g.closed, true);
    const sim_def def = {.scene = "bowl",
                         .overrides = small,
                         .override_count = 2,
                         .threads = 1,
                         .paused = true,
                         .wake = wait_at_gate,
                         .user = &g};
    SCOPED(sim) *s = make_sim(def);
    sem_wait(&g.entered); // the scene is open, and the thread says so and is stuck there
    assert_non_null(sim_newest(s).frame_data);
    assert_non_null(sim_newest(s).frame_data);
    const sim_command pour = pour_of(0.25);
    int taken = 0;
    while (taken <= SIM_QUEUE && sim_order(s, &pour))
        taken++;
    assert_int_equal(taken, SIM_QUEUE);
    atomic_store(&g.closed, false);
    sem_post(&g.open);
    assert_true(fabs(ask(s, 3.0, 3.0).ledger.sourced - 0.25 * SIM_QUEUE) < 1e-6);
    assert_true(sim_order(s, &pour));
    sem_destroy(&g.entered);
    sem_destroy(&g.open);
}

// ---- Scenes ----------------------------------------------------------------------------

TEST(a_restart_brings_back_the_first_moment_to_the_last_bit)
{
    SCOPED(sim) *s = start(true);
    const unsigned epoch = still_of(s, 0.0, 0).epoch;
    const sim_command pour = pour_of(3.0);
    const sim_command raise = {
        .kind = SIM_BRUSH,
        .brush = {.kind = RILL_BRUSH_RAISE, .x = 3.0, .y = 3.0, .radius = 1.0, .amount = 0.5}};
    const sim_command rain = {.kind = SIM_RAIN, .rate = 1e-3};
    assert_true(sim_order(s, &pour) && sim_order(s, &raise) && sim_order(s, &rain));
    sim_run_until(s, 10 * FRAME);
    wait_until_reached(s);
    assert_true(ask(s, 3.0, 3.0).hash != plain_hash(10));
    sim_restart(s);
    assert_true(ask(s, 3.0, 3.0).hash == plain_hash(0));
    const sim_picture p = still_of(s, 0.0, epoch);
    assert_true(p.frame_data->time == 0.0);
    // The rain is the scene's own again.
    sim_run_until(s, 10 * FRAME);
    wait_until_reached(s);
    assert_true(ask(s, 3.0, 3.0).hash == plain_hash(10));
}

TEST(another_scene_takes_the_place_of_the_first)
{
    SCOPED(sim) *s = start(false);
    const sim_picture old = still_of(s, 0.0, 0);
    assert_ok(sim_open(s, "lake-at-rest", NULL, 0));
    for (int n = 0; n < LIMIT && sim_get_state(s).opening; n++)
        sleep_briefly();
    // What is being drawn stays until the next one is asked for.
    assert_int_equal(old.frame_data->nx, 48);
    const sim_picture p = still_of(s, 0.0, old.epoch);
    assert_string_equal(p.loaded->info.name, "lake-at-rest");
    assert_int_equal(p.frame_data->nx, 128);
}

TEST(a_scene_that_cannot_be_opened_leaves_the_first_running)
{
    SCOPED(sim) *s = start(true);
    still_of(s, 0.0, 0);
    assert_ok(sim_open(s, "no-such-scene", NULL, 0));
    for (int n = 0; n < LIMIT && sim_get_state(s).opening; n++)
        sleep_briefly();
    const sim_state now = sim_get_state(s);
    assert_ok(now.failed);
    assert_int_equal(now.notes, 1);
    assert_non_null(strstr(now.note, "no-such-scene"));
    assert_true(ask(s, 3.0, 3.0).hash == plain_hash(0));
}

TEST(a_first_scene_that_cannot_be_opened_is_a_failure_with_its_sentence)
{
    const sim_def def = {.scene = "no-such-scene", .threads = 1};
    SCOPED(sim) *s = make_sim(def);
    for (int n = 0; n < LIMIT && sim_get_state(s).failed == RILL_OK; n++)
        sleep_briefly();
    assert_int_equal(sim_get_state(s).failed, RILL_BAD_FILE);
    assert_non_null(strstr(sim_get_state(s).note, "no-such-scene"));
    sim_answer a;
    assert_false(sim_ask(s, 0.0, 0.0, &a));
    assert_null(sim_newest(s).frame_data);
}

TEST(a_hold_is_not_passed_until_it_is_moved)
{
    SCOPED(sim) *s = start(true);
    still_of(s, 0.0, 0);
    sim_set_speed(s, SIM_FASTEST);
    sim_hold(s, 3 * FRAME);
    sim_pause(s, false);
    for (int at = 3; at < 30; at += 9) {
        const sim_picture p = still_of(s, at * FRAME, 0);
        assert_true(fabs(p.frame_data->time - at * FRAME) < 1e-9);
        assert_true(fabs(ask(s, 3.0, 3.0).time - at * FRAME) < 1e-9);
        sim_hold(s, (at + 9) * FRAME);
    }
    sim_hold(s, INFINITY);
    still_of(s, 40 * FRAME, 0);
}

// Reads all of a still, as the graphics card would.
static unsigned read_all(const frame_data *s)
{
    unsigned sum = 0;
    for (size_t n = 0; n < s->vertex_count * sizeof *s->vertices; n++)
        sum += ((const unsigned char *)s->vertices)[n];
    for (size_t n = 0; n < s->index_count; n++)
        sum += s->indices[n];
    for (int n = 0; n < s->nx * s->ny; n++)
        sum += (unsigned)s->columns[n].depth + (s->bed[n] > 0.0f ? 1u : 0u);
    return sum;
}

// Everything at once, in an order that no hand would find.
TEST(any_mixture_of_orders_keeps_the_books)
{
    SCOPED(sim) *s = start(false);
    still_of(s, 0.0, 0);
    uint32_t random = 1;
    unsigned sum = 0;
    for (int n = 0; n < 3000; n++) {
        random = random * 1664525u + 1013904223u;
        const sim_command pour = pour_of((random >> 8 & 1) != 0 ? 0.01 : -0.01);
        switch (random >> 24 & 15) {
        case 0:
            sim_pause(s, (random & 0x10000) != 0);
            break;
        case 1:
            sim_set_speed(s, ldexp(1.0, (int)(random >> 16 & 7) - 3));
            break;
        case 2:
            sim_step(s);
            break;
        case 3:
            if (n % 16 == 0)
                sim_restart(s);
            break;
        case 4:
            if (n % 64 == 0)
                assert_ok(sim_open(s, "bowl", small, 2));
            break;
        case 5:
            assert_true(ask(s, 3.0, 3.0).ledger.error < 1e-6);
            break;
        case 6:
            sleep_briefly();
            break;
        case 7:
        case 8:
            sum += read_all(sim_newest(s).frame_data);
            break;
        default:
            sim_order(s, &pour);
        }
    }
    assert_true(ask(s, 3.0, 3.0).ledger.error < 1e-6);
    assert_true(sum > 0);
}

// ---- Rivers ----------------------------------------------------------------------------

static const char *const river[] = {"world.nx=96", "world.ny=128", "world.cell_size=10",
                                    "river.detail_distance=120", "river.detail_solver=true"};

// A river after two frames with the eye at (480, y); the first `overrides` of those above hold.
static sim *river_seen_from(int overrides, double y, sim_picture *picture)
{
    const double eye[3] = {480.0, y, 110.0};
    const sim_def def = {.scene = "river-obstacle",
                         .overrides = river,
                         .override_count = overrides,
                         .threads = 2,
                         .paused = true};
    sim *s = make_sim(def);
    still_of(s, 0.0, 0);
    sim_set_viewer(s, eye);
    sim_run_until(s, 2 * FRAME);
    wait_until_reached(s);
    *picture = still_of(s, 2 * FRAME, 0);
    return s;
}

static int level_at(const rill_detail *detail, double x, double y)
{
    const int i = (int)(x / 10.0) / detail->square_cells,
              j = (int)(y / 10.0) / detail->square_cells;
    return detail->level[j * detail->squares_x + i];
}

TEST(a_river_with_detail_is_told_where_the_eye_is)
{
    for (int north = 0; north < 2; north++) {
        sim_picture p;
        SCOPED(sim) *s = river_seen_from(5, north == 1 ? 1270.0 : 10.0, &p);
        ask(s, 3.0, 3.0); // after this the thread rests
        const rill_detail detail = rill_world_detail(p.loaded->world);
        assert_true(detail.squares_x > 0);
        const int southern = level_at(&detail, 480.0, 10.0);
        const int northern = level_at(&detail, 480.0, 1270.0);
        assert_true(north == 1 ? northern < southern : southern < northern);
    }
}

TEST(a_river_without_detail_does_not_hear_of_the_eye)
{
    uint64_t hashes[2];
    for (int north = 0; north < 2; north++) {
        sim_picture p;
        SCOPED(sim) *s = river_seen_from(4, north == 1 ? 1270.0 : 10.0, &p);
        hashes[north] = ask(s, 3.0, 3.0).hash;
    }
    assert_true(hashes[0] == hashes[1]);
}

TEST(births_come_with_the_next_still_also_in_a_pause)
{
    sim_picture p;
    SCOPED(sim) *s = river_seen_from(4, 10.0, &p);
    assert_true(p.frame_data->wave_particles.shown &&
                p.frame_data->wave_particles.birth_count == 0);
    const uint64_t hash = ask(s, 3.0, 3.0).hash;
    sim_show_births(s, true);
    for (int n = 0; n < LIMIT && p.frame_data->wave_particles.birth_count == 0; n++) {
        sleep_briefly();
        p = sim_newest(s);
    }
    assert_true(p.frame_data->wave_particles.birth_count > 100);
    assert_true(ask(s, 3.0, 3.0).hash == hash);
}
