// SPDX-License-Identifier: MIT
// What the hand does to bodies through the simulation's thread: throwing, dragging, removing.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/view/sims.h"

#include "rill/bodies.h"
#include "rill/scene.h"
#include "rill/world.h"

#define FRAME   0.02
#define GRAVITY 9.81
#define LAKE    RL_TEST_TMP "/view_bodies_lake.toml"
#define BANK    RL_TEST_TMP "/view_bodies_bank.toml"

// 24 m x 24 m, flat. The second is dry and has a wall that stands.
static const char lake_text[] =
    "title = \"Lake\"\ndescription = \"At rest.\"\nduration = 20.0\nframe = 0.02\n"
    "[world]\nnx = 48\nny = 48\ncell_size = 0.5\n"
    "[terrain]\nkind = \"flat\"\n[water]\nlevel = 2.0\n";
static const char bank_text[] =
    "title = \"Bank\"\ndescription = \"Dry.\"\nduration = 20.0\nframe = 0.02\n"
    "[world]\nnx = 48\nny = 48\ncell_size = 0.5\n"
    "[terrain]\nkind = \"flat\"\n"
    "[[body]]\nmotion = \"fixed\"\nshape = \"box\"\n"
    "size = [2.0, 2.0, 2.0]\nposition = [18.0, 18.0, 1.0]\n";

static int write_scenes(KIT_UNUSED void **state)
{
    const char *const paths[] = {LAKE, BANK}, *const texts[] = {lake_text, bank_text};
    for (int n = 0; n < 2; n++) {
        FILE *file = fopen(paths[n], "w");
        if (file == NULL)
            return 1;
        fputs(texts[n], file);
        if (fclose(file) != 0)
            return 1;
    }
    return 0;
}

static sim *start_with(const char *scene, const char *const *overrides, int count)
{
    const sim_def def = {.scene = scene,
                         .overrides = overrides,
                         .override_count = count,
                         .threads = 2,
                         .paused = true};
    return started_sim(def);
}

static sim *start(const char *scene)
{
    return start_with(scene, NULL, 0);
}

static void run_until(sim *s, double time)
{
    sim_run_until(s, time);
    for (int n = 0; n < LIMIT; n++) {
        if (sim_get_state(s).until_reached)
            return;
        sleep_briefly();
    }
    fail_msg("the time asked for was not reached");
}

static sim_command thrown(sim_body body, double x, double y, double z)
{
    return (sim_command){
        .kind = SIM_THROW,
        .thrown = {
            .body = body, .size = 1.0, .coupling = RILL_COUPLING_PASS, .position = {x, y, z}}};
}

static void put(sim *s, sim_body body, double x, double y, double z)
{
    const sim_command command = thrown(body, x, y, z);
    assert_true(sim_order(s, &command));
}

// Straight down from 20 m.
static sim_ray down_at(double x, double y)
{
    return (sim_ray){
        .origin = {x, y, 20.0}, .direction = {0.0, 0.0, -1.0}, .ground = INFINITY, .reach = 1.0};
}

// The same without a thread or a hand.
static uint64_t plain_hash(const char *scene, const char *const *overrides, int count, int frames)
{
    SCOPED(rill_scene) *opened = NULL;
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_open(scene, overrides, count, NULL, &opened));
    assert_ok(rill_scene_create_world(opened, 1, &world));
    run_world(world, frames, FRAME);
    return rill_world_hash(world);
}

// ---- Throwing --------------------------------------------------------------------------

TEST(room_for_bodies_does_not_change_the_water)
{
    SCOPED(sim) *s = start("bowl");
    const double frame = sim_newest(s).loaded->info.frame;
    SCOPED(rill_scene) *scene = NULL;
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_open("bowl", NULL, 0, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 1, &world));
    run_world(world, 20, frame);
    run_until(s, 20 * frame);
    assert_true(ask(s, 3.0, 3.0).hash == rill_world_hash(world));
}

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");
TEST_GROUP(write_scenes, NULL);

TEST(what_is_thrown_falls_freely_and_is_seen_at_once)
{
    SCOPED(sim) *s = start(LAKE);
    sim_command command = thrown(SIM_BODY_STONE, 4.0, 12.0, 15.0);
    command.thrown.velocity[0] = 5.0;
    assert_true(sim_order(s, &command));
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 1);
    for (int n = 0; n < LIMIT && sim_newest(s).frame_data->bodies.count == 0; n++)
        sleep_briefly();
    assert_int_equal(sim_newest(s).frame_data->bodies.count, 1);
    const double time = 1.0;
    run_until(s, time);
    const sim_answer a = ask(s, 3.0, 3.0);
    assert_true(a.has_thrown);
    // A step of the engine is a 50th of a second; whichever end of it has the speed, the place is
    // off by half a step's fall a step at most.
    const double off = 0.5 * GRAVITY * time * FRAME + 1e-6;
    assert_true(fabs(a.thrown.position[0] - 9.0) < 1e-6);
    assert_true(fabs(a.thrown.position[2] - (15.0 - 0.5 * GRAVITY * time * time)) <= off);
    assert_true(fabs(a.thrown.velocity[2] + GRAVITY * time) < 1e-6);
}

// Their own density is what the definition says; the sea floor is 2 m down.
TEST(crates_barrels_and_balls_float_and_stones_sink)
{
    const sim_body bodies[] = {SIM_BODY_CRATE, SIM_BODY_BARREL, SIM_BODY_BALL, SIM_BODY_STONE};
    for (int n = 0; n < 4; n++) {
        SCOPED(sim) *s = start(LAKE);
        put(s, bodies[n], 12.0, 12.0, 2.6);
        run_until(s, 12.0);
        const rill_body_state b = ask(s, 3.0, 3.0).thrown;
        assert_true(b.volume > 0.1 && b.volume < 1.0);
        if (bodies[n] == SIM_BODY_STONE) {
            assert_true(b.submerged > 0.99 * b.volume);
            assert_true(b.position[2] < 0.6);
        } else {
            // Archimedes, with what is left of bobbing after ten periods.
            assert_true(fabs(b.submerged - b.mass / 1000.0) < 0.15 * b.mass / 1000.0);
        }
    }
}

TEST(every_scene_has_room_and_as_much_as_was_asked_for)
{
    static const char *const one[] = {"bodies.max=1"};
    SCOPED(sim) *s = start("bowl");
    for (int n = 0; n < 40; n++)
        put(s, SIM_BODY_CRATE, 4.0 + n, 30.0, 40.0);
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 40);
    assert_int_equal(sim_get_state(s).notes, 0);
    sim_destroy(&s);
    s = start_with(LAKE, one, 1);
    put(s, SIM_BODY_CRATE, 4.0, 4.0, 5.0);
    put(s, SIM_BODY_CRATE, 8.0, 4.0, 5.0);
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 1);
    assert_int_equal(sim_get_state(s).notes, 1);
}

TEST(a_body_that_blocks_is_for_a_water_that_can)
{
    static const char *const swe[] = {"world.solver=\"swe\""};
    sim_command command = thrown(SIM_BODY_CRATE, 12.0, 12.0, 2.6);
    command.thrown.coupling = RILL_COUPLING_BLOCK;
    SCOPED(sim) *s = start(LAKE);
    assert_true(sim_order(s, &command));
    run_until(s, 4.0);
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 1);
    assert_true(ask(s, 3.0, 3.0).ledger.error < 1e-6);
    sim_destroy(&s);
    s = start_with(LAKE, swe, 1);
    assert_true(sim_order(s, &command));
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 0);
    assert_int_equal(sim_get_state(s).notes, 1);
}

// ---- Dragging --------------------------------------------------------------------------

TEST(a_body_in_the_hand_comes_to_the_ray_and_stays)
{
    const sim_body bodies[] = {SIM_BODY_CRATE, SIM_BODY_BALL, SIM_BODY_STONE};
    for (int n = 0; n < 3; n++) {
        SCOPED(sim) *s = start(LAKE);
        put(s, bodies[n], 8.0, 8.0, 2.0);
        run_until(s, 4.0);
        const sim_answer before = ask(s, 3.0, 3.0);
        const double x = before.thrown.position[0], y = before.thrown.position[1];
        sim_ray ray = down_at(x, y);
        sim_grab(s, &ray);
        ray.origin[0] = x + 6.0;
        ray.origin[1] = y + 4.0;
        ray.origin[2] = 23.0; // and 3 m up: the stone out of the water
        sim_drag(s, &ray);    // at once: what is taken is what was met when it was grabbed
        assert_true(ask(s, 3.0, 3.0).holds);
        assert_true(sim_get_state(s).holding);
        run_until(s, 10.0);
        const sim_answer after = ask(s, 3.0, 3.0);
        // What hangs still hangs lower than the hand by weight / stiffness: a ninth of its size.
        const double *const held = sim_get_state(s).held_at;
        assert_true(fabs(held[0] - ray.origin[0]) < 0.15);
        assert_true(fabs(held[1] - ray.origin[1]) < 0.15);
        const double lift = after.held.position[2] - before.thrown.position[2];
        assert_true(lift > 3.0 - 0.5 && lift < 3.0 + 0.5);
        // It stays there, and falls when it is let go.
        run_until(s, 12.0);
        assert_true(fabs(ask(s, 3.0, 3.0).held.position[2] - after.held.position[2]) < 0.1);
        sim_let_go(s);
        run_until(s, 12.2);
        assert_false(ask(s, 3.0, 3.0).holds);
        assert_false(sim_get_state(s).holding);
        assert_true(ask(s, 3.0, 3.0).thrown.velocity[2] < -0.5 * GRAVITY * 0.2);
    }
}

// However far away the hand is: at most fifteen weights, with which gravity may join.
TEST(the_pull_is_limited_by_the_weight)
{
    SCOPED(sim) *s = start(BANK);
    put(s, SIM_BODY_STONE, 8.0, 8.0, 5.0);
    sim_ray ray = down_at(8.0, 8.0);
    sim_grab(s, &ray);
    assert_true(ask(s, 3.0, 3.0).holds);
    ray.origin[0] = 5000.0;
    sim_drag(s, &ray);
    double speed = 0.0, fastest = 0.0;
    for (int n = 1; n <= 20; n++) {
        run_until(s, n * FRAME);
        const double *const v = ask(s, 3.0, 3.0).thrown.velocity;
        const double now = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        assert_true(now - speed < 16.0 * GRAVITY * FRAME + 1e-6);
        fastest = fmax(fastest, now);
        speed = now;
    }
    assert_true(fastest > 1.0);
}

TEST(what_does_not_move_or_is_not_there_cannot_be_dragged)
{
    SCOPED(sim) *s = start(BANK);
    put(s, SIM_BODY_CRATE, 8.0, 8.0, 0.5);
    const sim_ray wall = down_at(18.0, 18.0), nothing = down_at(3.0, 3.0);
    sim_ray hidden = down_at(8.0, 8.0);
    hidden.ground = 10.0; // the crate is 19 m away
    const uint64_t before = ask(s, 3.0, 3.0).hash;
    sim_grab(s, &wall);
    assert_false(ask(s, 3.0, 3.0).holds);
    assert_non_null(strstr(sim_get_state(s).note, "cannot be dragged"));
    sim_grab(s, &nothing);
    assert_false(ask(s, 3.0, 3.0).holds);
    assert_non_null(strstr(sim_get_state(s).note, "no body"));
    sim_grab(s, &hidden);
    assert_false(ask(s, 3.0, 3.0).holds);
    assert_int_equal(sim_get_state(s).notes, 3);
    assert_true(ask(s, 3.0, 3.0).hash == before);
}

TEST(a_restart_lets_go_and_takes_what_was_thrown_away)
{
    static const char *const room[] = {"bodies.max=8"};
    SCOPED(sim) *s = start_with(BANK, room, 1);
    put(s, SIM_BODY_CRATE, 8.0, 8.0, 0.5);
    const sim_ray ray = down_at(8.0, 8.0);
    sim_grab(s, &ray);
    run_until(s, 0.2);
    assert_true(ask(s, 3.0, 3.0).holds);
    sim_restart(s);
    sim_answer a = ask(s, 3.0, 3.0);
    assert_false(a.holds || a.has_thrown || sim_get_state(s).holding);
    assert_int_equal(a.bodies, 1);
    assert_true(a.hash == plain_hash(BANK, room, 1, 0));
    run_until(s, 10 * FRAME); // the hand is still closed, around nothing
    a = ask(s, 3.0, 3.0);
    assert_true(a.hash == plain_hash(BANK, room, 1, 10));
}

// ---- Removing --------------------------------------------------------------------------

TEST(what_is_removed_is_gone_also_from_the_hand)
{
    SCOPED(sim) *s = start(LAKE);
    put(s, SIM_BODY_CRATE, 8.0, 8.0, 2.5);
    put(s, SIM_BODY_BALL, 16.0, 16.0, 2.5);
    const sim_ray ray = down_at(8.0, 8.0);
    const sim_command removal = {.kind = SIM_REMOVE, .ray = ray};
    sim_grab(s, &ray);
    run_until(s, 0.1);
    assert_true(sim_get_state(s).holding);
    assert_true(sim_order(s, &removal));
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 1);
    assert_false(ask(s, 3.0, 3.0).holds || sim_get_state(s).holding);
    assert_true(ask(s, 3.0, 3.0).has_thrown); // the ball
    assert_true(sim_order(s, &removal));
    assert_int_equal(ask(s, 3.0, 3.0).bodies, 1);
    assert_int_equal(sim_get_state(s).notes, 1);
    run_until(s, 0.5);
    assert_true(ask(s, 3.0, 3.0).ledger.error < 1e-6);
}
