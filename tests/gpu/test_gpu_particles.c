// SPDX-License-Identifier: MIT
// Particles beside a water on a GPU against the same ones on the CPU: to the last bit.
#include "tests/kit/backends.h"
#include "tests/kit/solids.h"

#define DT (1.0 / 60.0)

// ---- Two worlds ------------------------------------------------------------------------

static void add_emitter(pair *p, const rill_emitter_def *def)
{
    assert_ok(rill_world_add_emitter(p->cpu, def, NULL));
    assert_ok(rill_world_add_emitter(p->gpu, def, NULL));
}

static void assert_same_particles(pair *p)
{
    assert_same(p);
    const rill_particles a = rill_world_particles(p->cpu), b = rill_world_particles(p->gpu);
    assert_int_equal(a.count, b.count);
    const float *const x[] = {a.x,          a.y,      a.z,   a.velocity_x, a.velocity_y,
                              a.velocity_z, a.radius, a.age, a.life,       a.volume};
    const float *const y[] = {b.x,          b.y,      b.z,   b.velocity_x, b.velocity_y,
                              b.velocity_z, b.radius, b.age, b.life,       b.volume};
    for (int n = 0; n < 10; n++)
        assert_memory_equal(x[n], y[n], a.count * sizeof(float));
    assert_memory_equal(a.kind, b.kind, a.count);
}

// How many of each kind there are.
static void count_kinds(const rill_world *world, int counts[RILL_PARTICLE_KIND_COUNT])
{
    const rill_particles look = rill_world_particles(world);
    memset(counts, 0, RILL_PARTICLE_KIND_COUNT * sizeof *counts);
    for (size_t n = 0; n < look.count; n++)
        counts[look.kind[n]]++;
}

// ---- Emitters over a bed ---------------------------------------------------------------

enum { NX = 75, NY = 53 };

// The waters that stand on hills here.
static const rill_solver hill_waters[] = {RILL_SOLVER_PIPES, RILL_SOLVER_LAYERS};

// Hills, of which some stand out of the water.
static rill_world_def hills(float *bed, rill_solver solver)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            bed[j * NX + i] = (float)(1.0 + sin(0.21 * i) * cos(0.17 * j) + 0.3 * sin(0.9 * i + j));
    rill_world_def def = rill_default_world_def();
    def.solver = solver;
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.5f;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.level = 1.3f;
    def.use_level = 1;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.particles.radius = 0.02f;
    def.particles.foam_life = 0.6f;
    def.particles.wind[0] = 1.5f;
    return def;
}

static void add_foam(pair *p, double x, double y, double z, double discs)
{
    rill_emitter_def foam = rill_default_emitter_def();
    foam.particle = RILL_PARTICLE_FOAM;
    foam.discs = discs;
    foam.radius = 1.0;
    foam.position[0] = x;
    foam.position[1] = y;
    foam.position[2] = z;
    add_emitter(p, &foam);
}

// The steps that both say the pool was full in; the GPU does not know of the last one yet.
static void assert_same_full_steps(const pair *p, bool some)
{
    const uint64_t a = rill_world_last_step(p->cpu).limits.full_pool_steps;
    const uint64_t b = rill_world_last_step(p->gpu).limits.full_pool_steps;
    print_message("the pool was full in %u and %u steps\n", (unsigned)a, (unsigned)b);
    assert_true(a == b || a == b + 1);
    assert_true(!some || b > 0);
}

// A hose that shoots over the border too, rain, and a jug that moves.
static void add_emitters(pair *p)
{
    rill_emitter_def hose = rill_default_emitter_def();
    hose.position[0] = 20.0;
    hose.position[1] = 12.0;
    hose.position[2] = 3.0;
    hose.velocity[0] = 9.0;
    hose.velocity[2] = 6.0;
    hose.spread = 0.5;
    hose.rate = 1.2;
    add_emitter(p, &hose);
    rill_emitter_def rain = rill_default_emitter_def();
    rain.kind = RILL_EMITTER_RAIN;
    rain.position[0] = 18.0;
    rain.position[1] = 13.0;
    rain.position[2] = 6.0;
    rain.size[0] = rain.size[1] = 40.0;
    rain.velocity[2] = -4.0;
    rain.particle = RILL_PARTICLE_SPRAY;
    rain.rate = 0.2;
    add_emitter(p, &rain);
    rill_emitter_def jug = rill_default_emitter_def();
    jug.path_count = 2;
    jug.path[0] = (rill_path_key){0.0, 5.0, 5.0, 4.0};
    jug.path[1] = (rill_path_key){5.0, 45.0, 20.0, 4.0};
    jug.velocity[1] = 2.0;
    jug.rate = 0.3;
    jug.start = 0.2;
    add_emitter(p, &jug);
    add_foam(p, 22.0, 14.0, 2.0, 250.0);
}

static void compare_emitters(const rill_world_def *def, bool full)
{
    pair p = pair_of(def);
    add_emitters(&p);
    const int steps[] = {1, 1, 58, 120};
    for (int n = 0; n < 4; n++) {
        step_pair(&p, steps[n], DT);
        assert_same_particles(&p);
    }
    int kinds[RILL_PARTICLE_KIND_COUNT];
    count_kinds(p.cpu, kinds);
    print_message("%d spray, %d splashes, %d foam\n", kinds[0], kinds[1], kinds[2]);
    assert_true(full || (kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100));
    assert_true(!full || kinds[0] + kinds[1] + kinds[2] > 650);
    assert_same_full_steps(&p, full);
    assert_true(rill_world_ledger(p.gpu).error <= 1e-9);
    destroy_pair(&p);
}

TEST(emitters_give_the_same_on_both_sides)
{
    need_gpu();
    float bed[NX * NY];
    const int sizes[] = {20000, 700}; // the second is full most of the time
    for (int water = 0; water < 2; water++)
        for (int n = 0; n < 2; n++) {
            if (TEST_PARTS > 1 && n == water)
                continue;
            rill_world_def def = hills(bed, hill_waters[water]);
            def.particles.max_particles = sizes[n];
            compare_emitters(&def, n == 1);
        }
}

// Many thousands come down in the same step, some of them outside of the grid.
static void compare_cloudburst(rill_solver water)
{
    float bed[NX * NY];
    rill_world_def def = hills(bed, water);
    def.particles.max_particles = 30000;
    pair p = pair_of(&def);
    rill_emitter_def burst = rill_default_emitter_def();
    burst.kind = RILL_EMITTER_RAIN;
    burst.position[0] = 18.0;
    burst.position[1] = 13.0;
    burst.position[2] = 2.5;
    burst.size[0] = burst.size[1] = 34.0;
    burst.velocity[0] = 3.0;
    burst.velocity[2] = -6.0;
    burst.spread = 0.0;
    burst.start = 0.5 * DT;
    burst.end = 0.6 * DT;
    burst.rate = 25000.0 * 4.0 * 4.18879 * 8e-6 / (0.1 * DT);
    add_emitter(&p, &burst);
    size_t most = 0, before = 0;
    for (int step = 0; step < 30; step++) {
        step_pair(&p, 1, DT);
        assert_same_particles(&p);
        int kinds[RILL_PARTICLE_KIND_COUNT];
        count_kinds(p.gpu, kinds);
        const size_t flying = (size_t)(kinds[0] + kinds[1]);
        most = before > flying + most ? before - flying : most;
        before = flying;
    }
    print_message("%zu landed in a step\n", most);
    assert_true(most > 5000);
    destroy_pair(&p);
}

TEST(a_cloudburst_lands_in_the_same_order)
{
    need_gpu();
    for (int n = 0; n < 2; n++)
        compare_cloudburst(hill_waters[n]);
}

TEST(an_emitter_that_is_taken_away_leaves_its_water)
{
    need_gpu();
    float bed[NX * NY];
    rill_world_def def = hills(bed, RILL_SOLVER_PIPES);
    def.particles.max_particles = 3000;
    pair p = pair_of(&def);
    rill_emitter_def jet = rill_default_emitter_def();
    jet.position[0] = jet.position[1] = 10.0;
    jet.position[2] = 3.0;
    jet.rate = 0.5;
    rill_emitter_id a, b;
    assert_ok(rill_world_add_emitter(p.cpu, &jet, &a));
    assert_ok(rill_world_add_emitter(p.gpu, &jet, &b));
    step_pair(&p, 40, DT);
    assert_ok(rill_world_remove_emitter(p.cpu, a));
    assert_ok(rill_world_remove_emitter(p.gpu, b));
    step_pair(&p, 3, DT);
    assert_same_particles(&p);
    step_pair(&p, 120, DT);
    assert_same_particles(&p);
    assert_true(rill_world_particles(p.gpu).count == 0);
    destroy_pair(&p);
}

static void go_back_to_a_snapshot(rill_solver water)
{
    float bed[NX * NY];
    rill_world_def def = hills(bed, water);
    def.particles.max_particles = 4000;
    pair p = pair_of(&def);
    add_emitters(&p);
    step_pair(&p, 40, DT);
    rill_snapshot *then = NULL;
    assert_ok(rill_snapshot_create(p.gpu, &then));
    assert_ok(rill_world_save(p.gpu, then));
    const uint64_t hash = rill_world_hash(p.gpu);
    step_pair(&p, 25, DT);
    assert_same_particles(&p);
    const uint64_t later = rill_world_hash(p.gpu);
    assert_ok(rill_world_restore(p.gpu, then));
    assert_true(rill_world_hash(p.gpu) == hash);
    run_world(p.gpu, 25, DT);
    assert_true(rill_world_hash(p.gpu) == later);
    assert_same_particles(&p);
    rill_snapshot_destroy(&then);
    destroy_pair(&p);
}

TEST(a_snapshot_brings_particles_back)
{
    need_gpu();
    for (int n = 0; n < 2; n++)
        go_back_to_a_snapshot(hill_waters[n]);
}

// ---- Emitters over columns above each other --------------------------------------------

enum { HOUSE_X = 44, HOUSE_Y = 30 };

// A house that stands in water, whose room is full to its ceiling; a closed room above that, and
// one in a tower, which jets will fill; a table.
static rill_solid *make_house(void)
{
    rill_solid *solid = make_air(HOUSE_X, HOUSE_Y, 0.25, 4.0);
    combine(solid, box_at(5.5, 3.75, -0.75, 30.0, 30.0, 2.5), RILL_COMBINE_UNION);
    combine(solid, box_at(2.5, 3.0, 1.25, 3.0, 3.0, 2.5), RILL_COMBINE_UNION);
    combine(solid, box_at(2.5, 3.0, 0.75, 2.0, 2.0, 0.5), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(3.5, 3.0, 0.75, 2.0, 0.75, 0.5), RILL_COMBINE_SUBTRACT); // its door
    combine(solid, box_at(2.5, 3.0, 1.5625, 1.0, 1.0, 0.375), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(7.0, 5.5, 3.0, 2.0, 2.0, 6.0), RILL_COMBINE_UNION);
    combine(solid, box_at(7.0, 5.5, 0.9, 1.0, 1.0, 0.6), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(9.0, 2.0, 2.25, 2.0, 2.0, 0.5), RILL_COMBINE_UNION);
    return solid;
}

static void add_jet(pair *p, double x, double y, double z, double u, double v, double w,
                    double rate)
{
    rill_emitter_def jet = rill_default_emitter_def();
    const double position[3] = {x, y, z}, velocity[3] = {u, v, w};
    memcpy(jet.position, position, sizeof position);
    memcpy(jet.velocity, velocity, sizeof velocity);
    jet.radius = 0.05;
    jet.spread = 0.3;
    jet.rate = rate;
    add_emitter(p, &jet);
}

// In the room of the house and in the one above it, in the tower, against the tower from outside,
// up against the table from below, over the border; and rain over all of it.
static void add_jets(pair *p)
{
    add_jet(p, 2.4, 2.9, 0.8, 0.5, 0.3, 0.0, 0.1);
    add_jet(p, 2.4, 2.9, 1.6, 0.5, 0.3, 0.0, 0.5);
    add_jet(p, 7.0, 5.5, 1.0, 1.0, 0.5, 0.0, 0.5);
    add_jet(p, 4.5, 5.3, 3.0, 6.0, 0.0, 0.0, 0.1);
    add_jet(p, 9.0, 2.0, 1.3, 0.0, 0.0, 6.0, 0.1);
    add_jet(p, 9.5, 6.5, 3.0, 6.0, 3.0, 3.0, 0.1);
    add_foam(p, 2.4, 2.9, 0.8, 100.0);
    add_foam(p, 9.0, 2.0, 3.5, 100.0);
    rill_emitter_def rain = rill_default_emitter_def();
    rain.kind = RILL_EMITTER_RAIN;
    rain.position[0] = 5.5;
    rain.position[1] = 3.75;
    rain.position[2] = 3.9;
    rain.size[0] = rain.size[1] = 12.0;
    rain.velocity[2] = -3.0;
    rain.rate = 0.3;
    add_emitter(p, &rain);
}

// A stone that sinks through the water beside the house: columns are cut anew in every step.
static void add_stone(rill_world *world)
{
    const rill_sdf_primitive stone = ball_at(5.5, 2.0, 2.0, 0.6);
    rill_mover_id id;
    assert_ok(rill_world_add_mover(world, &stone, &id));
    const rill_path_key path[] = {{1.0, 5.5, 2.0, 2.0}, {2.0, 6.5, 2.0, 0.8}};
    assert_ok(rill_world_set_mover_path(world, id, path, 2));
}

TEST(emitters_in_a_house_give_the_same_on_both_sides)
{
    need_gpu();
    const int sizes[] = {20000, 250}; // the second is full most of the time
    for (int n = 0; n < 2; n++) {
        rill_solid *solid = make_house();
        rill_world_def def = rill_default_world_def();
        def.solver = RILL_SOLVER_LAYERS;
        def.nx = HOUSE_X;
        def.ny = HOUSE_Y;
        def.cell_size = 0.25f;
        def.solid = solid;
        def.use_level = 1;
        def.level = 1.25f;
        def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
        def.particles.max_particles = sizes[n];
        def.particles.radius = 0.025f;
        def.particles.foam_life = 0.6f;
        pair p = pair_of(&def);
        rill_solid_destroy(&solid);
        add_jets(&p);
        add_stone(p.cpu);
        add_stone(p.gpu);
        int foam = 0;
        for (int part = 0; part < 60; part++) {
            step_pair(&p, part < 20 ? 1 : 3, DT);
            assert_same_particles(&p);
            int kinds[RILL_PARTICLE_KIND_COUNT];
            count_kinds(p.gpu, kinds);
            foam = kinds[2] > foam ? kinds[2] : foam;
        }
        print_message("%zu particles, up to %d of them foam\n", rill_world_particles(p.gpu).count,
                      foam);
        assert_true(foam > (n == 0 ? 200 : 20));
        assert_true(rill_world_ledger(p.gpu).error <= 1e-9);
        destroy_pair(&p);
    }
}

// ---- Waves and falls over swe ----------------------------------------------------------

enum { SIDE = 64 };

// A lake on a plateau runs over its edge, 6 m down into a basin with a beach; beside it a dam has
// broken. Ground and water are uneven.
static rill_world_def cliffs(float *bed, float *depth, int most)
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int at = j * SIDE + i;
            const float rough = (float)((i * 7 + j * 13) % 11) / 64.0f;
            bed[at] = rough + (i < 16 ? 6.0f : i < 36 ? 0.0f : 0.2f * (float)(i - 36));
            depth[at] = i < 12 ? 2.0f : j < 20 && i > 15 ? 3.0f : bed[at] < 1.0f ? 1.0f : 0.0f;
        }
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = SIDE;
    def.solver = RILL_SOLVER_SWE;
    def.bed = (rill_field_view){bed, SIDE, SIDE, SIDE};
    def.depth = (rill_field_view){depth, SIDE, SIDE, SIDE};
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.particles.max_particles = most;
    def.particles.breaking_rise = 0.5f;
    def.particles.breaking_curvature = -0.125f;
    def.particles.radius = 0.06f;
    def.particles.spray_share = 0.3f;
    return def;
}

TEST(waves_and_falls_give_the_same_on_both_sides)
{
    need_gpu();
    float bed[SIDE * SIDE], depth[SIDE * SIDE];
    const int sizes[] = {60000, 900, 60};
    const rill_advection advections[] = {RILL_ADVECTION_MACCORMACK, RILL_ADVECTION_CONSERVATIVE,
                                         RILL_ADVECTION_MACCORMACK};
    for (int n = 0; n < 3; n++) {
        rill_world_def def = cliffs(bed, depth, sizes[n]);
        def.swe.advection = advections[n];
        pair p = pair_of(&def);
        for (int part = 0; part < 8; part++) {
            // Walls come and go.
            const int closed = part % 4 == 2;
            assert_ok(rill_world_set_wall(p.cpu, 20.0, 5.0, 20.0, 50.0, closed));
            assert_ok(rill_world_set_wall(p.gpu, 20.0, 5.0, 20.0, 50.0, closed));
            step_pair(&p, part < 4 ? 1 : n == 1 ? TEST_PART(249) : 25, DT); // 1,000 in all, or 104
            assert_same_particles(&p);
        }
        int kinds[RILL_PARTICLE_KIND_COUNT];
        count_kinds(p.cpu, kinds);
        print_message("%d spray, %d splashes, %d foam\n", kinds[0], kinds[1], kinds[2]);
        assert_true(n > 0 || (kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 500));
        const rill_ledger books = rill_world_ledger(p.gpu);
        assert_true(books.error <= 1e-6);
        destroy_pair(&p);
    }
}

// A box that is swung through the water throws up some of it, between steps of the particles.
TEST(a_body_throws_the_same_on_both_sides)
{
    need_gpu();
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = 48;
    def.cell_size = 0.5f;
    def.solver = RILL_SOLVER_SWE;
    def.level = 1.5f;
    def.use_level = 1;
    def.particles.max_particles = 3000;
    def.particles.radius = 0.05f;
    def.bodies.max_bodies = 1;
    pair p = pair_of(&def);
    rill_body_def box = rill_default_body_def();
    box.motion = RILL_BODY_HOST;
    box.size[0] = box.size[1] = 2.0;
    box.path_count = 5;
    for (int n = 0; n < 5; n++)
        box.path[n] = (rill_path_key){0.5 * n, 6.0 + 2.5 * n, 12.0, n % 2 == 0 ? 3.0 : 1.3};
    assert_ok(rill_world_add_body(p.cpu, &box, NULL));
    assert_ok(rill_world_add_body(p.gpu, &box, NULL));
    size_t most = 0;
    for (int part = 0; part < 12; part++) {
        step_pair(&p, 10, DT);
        assert_same_particles(&p);
        const size_t count = rill_world_particles(p.gpu).count;
        most = count > most ? count : most;
    }
    print_message("%zu thrown\n", most);
    assert_true(most > 100);
    destroy_pair(&p);
}

// ---- A window that moves ---------------------------------------------------------------

TEST(particles_stay_where_they_are_when_the_window_moves)
{
    need_gpu();
    enum { COUNTRY = 96 };
    static float values[COUNTRY * COUNTRY];
    for (int n = 0; n < COUNTRY * COUNTRY; n++)
        values[n] = sinf(0.2f * (float)(n % COUNTRY)) * cosf(0.15f * (float)(n / COUNTRY));
    rill_heightfield *country = NULL;
    assert_ok(rill_heightfield_create(COUNTRY, COUNTRY, 1.0, values, NULL, &country));
    rill_world_def def = rill_default_world_def();
    def.nx = 40;
    def.ny = 33;
    def.solver = RILL_SOLVER_SWE;
    def.domain.full_terrain = country;
    def.domain.i = def.domain.j = 20;
    def.use_level = 1;
    def.level = 0.5f;
    def.particles.max_particles = 5000;
    pair p = pair_of(&def);
    rill_emitter_def rain = rill_default_emitter_def();
    rain.kind = RILL_EMITTER_RAIN;
    rain.position[0] = rain.position[1] = 18.0;
    rain.position[2] = 5.0;
    rain.size[0] = rain.size[1] = 30.0;
    rain.velocity[0] = 5.0;
    rain.rate = 40.0;
    add_emitter(&p, &rain);
    for (int move = 0; move < 4; move++) {
        step_pair(&p, 30, DT);
        assert_same_particles(&p);
        assert_true(rill_world_particles(p.gpu).count > 500);
        const double x = 20.0 + (move % 2 == 0 ? 6.4 : -4.0), y = 16.5 + (move < 2 ? 3.0 : -5.0);
        assert_ok(rill_world_follow(p.cpu, x, y));
        assert_ok(rill_world_follow(p.gpu, x, y));
        assert_same_particles(&p);
    }
    step_pair(&p, 20, DT);
    assert_same_particles(&p);
    destroy_pair(&p);
    rill_heightfield_destroy(&country);
}
