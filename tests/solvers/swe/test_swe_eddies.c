// SPDX-License-Identifier: MIT
// Eddy viscosity: what holds exactly or by theory for the stresses alone, and for the water that
// they act on. How fast shear decays and wakes turn is in validation/.
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/solvers/swe/swe_worlds.h"

static swe_case c;

static const rill_advection advections[] = {RILL_ADVECTION_CONSERVATIVE, RILL_ADVECTION_MACCORMACK};

static uint64_t drawn;

static float unit(void)
{
    return rl_random_unit(3, 29, drawn++);
}

// ---- The stresses alone ----------------------------------------------------------------

#define SIDE 70 // more than one band
#define REST 3  // faces of so many rows along the borders rest

// Depths of 2 cm to 2 m on a bed that is as uneven, and velocities of any direction.
static rl_swe *make_random_water(rl_swe_coef *k)
{
    begin_case(&c, SIDE, SIDE, 0.5);
    for (int n = 0; n < SIDE * SIDE; n++) {
        c.bed[n] = 0.4f * unit();
        c.depth[n] = 0.02f + 2.0f * unit() * unit();
    }
    c.def.swe.eddy_viscosity = 0.01f;
    rl_swe *s = make_swe(&c.def);
    for (int y = REST; y < SIDE - REST - 1; y++)
        for (int i = REST; i < SIDE - REST - 1; i++) {
            u_row(s, y)[i] = 4.0f * unit() - 2.0f;
            v_row(s, y)[i] = 4.0f * unit() - 2.0f;
        }
    s->largest.u = s->largest.v = 2.0f;
    const rl_swe_rules rules = rl_swe_rules_of(s);
    s->k = rl_swe_coefficients_of(&rules, 0.01, 0, 2.0f);
    *k = s->k;
    return s;
}

typedef struct motion_sums {
    double momentum_x, momentum_y, size, energy;
} motion_sums;

// Sums over the faces inside, of velocities (u, v) with the velocities (u_with, v_with).
static motion_sums sums_of(const rl_swe *s, const rill_field *u, const rill_field *v,
                           const rill_field *u_with, const rill_field *v_with)
{
    motion_sums sums = {0.0, 0.0, 0.0, 0.0};
    for (int y = 0; y < SIDE - 1; y++)
        for (int i = 0; i < SIDE - 1; i++) {
            const double here = (double)depth_row(s, y)[i];
            const double x = 0.5 * (here + (double)depth_row(s, y)[i + 1]);
            const double z = 0.5 * (here + (double)depth_row(s, y + 1)[i]);
            const double to_x = (double)rill_field_row(u, y)[i];
            const double to_y = (double)rill_field_row(v, y)[i];
            sums.momentum_x += x * to_x;
            sums.momentum_y += z * to_y;
            sums.size += x * fabs(to_x) + z * fabs(to_y);
            sums.energy += x * to_x * (double)rill_field_row(u_with, y)[i] +
                           z * to_y * (double)rill_field_row(v_with, y)[i];
        }
    return sums;
}

// Each velocity is rounded three times by half an ulp of the largest at most; beyond that nothing
// may be missing. Falls are among the faces.
TEST(stresses_leave_momentum_as_it_is)
{
    for (int round = 0; round < 20; round++) {
        rl_swe_coef k;
        FREED_BY(free_swe) rl_swe *s = make_random_water(&k);
        s->k.smagorinsky = (float)(0.04 * (round % 3)) * k.spread;
        const rl_swe_moving *m = rl_swe_now(s);
        rl_swe_strain(s, NULL);
        const motion_sums before = sums_of(s, &m->u, &m->v, &m->u, &m->v);
        const motion_sums after =
            sums_of(s, &s->eddies.u, &s->eddies.v, &s->eddies.u, &s->eddies.v);
        const double rounding = before.size * 0x1p-22;
        assert_true(after.energy < 0.999 * before.energy); // they do act
        assert_true(fabs(after.momentum_x - before.momentum_x) < rounding);
        assert_true(fabs(after.momentum_y - before.momentum_y) < rounding);
    }
}

// At the cap nothing may turn round in a step nor grow: with depths as weights, the velocities of
// after times those of before are not negative, and energy falls. On flat ground of one depth the
// pattern that decays fastest, a chequered one, is gone after one step, so twice the cap turns it
// round.
TEST(at_the_cap_no_pattern_turns_round_or_grows)
{
    for (int round = 0; round < 20; round++) {
        rl_swe_coef k;
        FREED_BY(free_swe) rl_swe *s = make_random_water(&k);
        if (round == 0) // the chequered pattern
            for (int y = REST; y < SIDE - REST - 1; y++)
                for (int i = REST; i < SIDE - REST - 1; i++) {
                    depth_row(s, y)[i] = 1.0f;
                    rill_field_row(&s->bed, y)[i] = 0.0f;
                    u_row(s, y)[i] = v_row(s, y)[i] = (i + y) % 2 ? 1.0f : -1.0f;
                }
        s->k.eddy = 1e6f;
        const rl_swe_moving *m = rl_swe_now(s);
        rl_swe_strain(s, NULL);
        const motion_sums before = sums_of(s, &m->u, &m->v, &m->u, &m->v);
        const motion_sums turned = sums_of(s, &s->eddies.u, &s->eddies.v, &m->u, &m->v);
        const motion_sums after =
            sums_of(s, &s->eddies.u, &s->eddies.v, &s->eddies.u, &s->eddies.v);
        assert_true(turned.energy >= 0.0 && after.energy <= before.energy);
        if (round == 0)
            for (int y = SIDE / 3; y < SIDE / 2; y++)
                for (int i = SIDE / 3; i < SIDE / 2; i++)
                    assert_true(fabsf(rill_field_row(&s->eddies.u, y)[i]) < 1e-6f);
    }
}

// The stresses alone, over steps of `step` seconds.
static void strain_for(rl_swe *s, double step)
{
    const rl_swe_rules rules = rl_swe_rules_of(s);
    s->k = rl_swe_coefficients_of(&rules, step, 0, 1.0f);
    rl_swe_strain(s, NULL);
}

// In the flow a x^2 across or along an axis, both viscosity and stress grow with x: c^2 |S| S with
// |S| = 2 a x for a shear, and 2 sqrt(2) a x where the same is a stretch, whose stress is twice as
// much. Their slopes, 8 c^2 a^2 x and 16 sqrt(2) c^2 a^2 x, are exact in differences over a cell.
TEST(smagorinskys_viscosity_is_his)
{
    enum { N = 24 };
    const double a = 0.05, c_s = 1.0, cell = 0.5, step = 0.02, c2 = c_s * c_s * cell * cell;
    for (int kind = 0; kind < 4; kind++) {
        const bool shear = kind % 2, along_y = kind / 2; // of the flow
        begin_case(&c, N, N, cell);
        for (int n = 0; n < N * N; n++)
            c.depth[n] = 1.0f;
        c.def.swe.smagorinsky = (float)c_s;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        // Places of faces: along the flow they stand between cells.
        const double offset = shear ? 0.5 : 1.0;
        for (int j = 0; j < N - 1; j++)
            for (int i = 0; i < N - 1; i++) {
                const double x = ((shear != along_y ? j : i) + offset) * cell;
                (along_y ? v_row(s, j) : u_row(s, j))[i] = (float)(a * x * x);
            }
        strain_for(s, step);
        for (int n = 4; n < N - 4; n++) {
            const int i = shear != along_y ? N / 2 : n, j = shear != along_y ? n : N / 2;
            const rill_field *after = along_y ? &s->eddies.v : &s->eddies.u;
            const float *before = along_y ? v_row(s, j) : u_row(s, j);
            const double x = (n + offset) * cell;
            const double exact = (shear ? 8.0 : 16.0 * sqrt(2.0)) * c2 * a * a * x * step;
            const double change = (double)rill_field_row(after, j)[i] - (double)before[i];
            // Velocities up to 7.2 m/s are rounded, before and after.
            assert_true(fabs(change - exact) < 4.0 * 7.2 * 0x1p-24);
            assert_true(exact > 100.0 * 7.2 * 0x1p-24);
        }
    }
}

// ---- Walls, films and falls ------------------------------------------------------------

static void make_viscous(void)
{
    c.def.swe.eddy_viscosity = 0.05f;
    c.def.swe.smagorinsky = 0.2f;
}

static bool is_unstrained(const rl_swe *s, int axis, int i, int j)
{
    const float *before = axis == 0 ? u_row(s, j) : v_row(s, j);
    const float *after = rill_field_row(axis == 0 ? &s->eddies.u : &s->eddies.v, j);
    return memcmp(&before[i], &after[i], sizeof(float)) == 0;
}

// An even stream along banks: they let it slip, so nothing slows it.
TEST(water_slips_along_banks)
{
    enum { NX = 40, NY = 24, BANK = 3 };
    begin_case(&c, NX, NY, 1.0);
    make_viscous();
    for (int n = 0; n < NX * NY; n++) {
        const int j = n / NX;
        c.bed[n] = j < BANK || j == NY / 2 ? 3.0f : 0.0f;
        c.depth[n] = c.bed[n] > 0.0f ? 0.0f : 1.0f;
    }
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    for (int j = 0; j < NY; j++)
        for (int i = -1; i < NX; i++)
            u_row(s, j)[i] = j < BANK || j == NY / 2 ? -0.0f : 0.8f;
    strain_for(s, 0.1);
    for (int j = 0; j < NY; j++)
        for (int i = 2; i < NX - 3; i++)
            assert_true(is_unstrained(s, 0, i, j));
}

// A stream beside water at rest, with a wall of ten faces between them: beside all of it, its ends
// too, nothing slows the stream, and beyond them the shear does. Water that presses against the
// wall does not move it.
TEST(water_slips_along_walls)
{
    enum { N = 40, MIDDLE = N / 2, FROM = 10, TO = 20 };
    for (int axis = 0; axis < 2; axis++) { // that the stream runs along
        begin_case(&c, N, N, 1.0);
        make_viscous();
        for (int n = 0; n < N * N; n++)
            c.depth[n] = 1.0f;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int along = 0; along < N - 1; along++)
            for (int across = 0; across < N - 1; across++) {
                const int i = axis == 0 ? along : across, j = axis == 0 ? across : along;
                const float stream = across > MIDDLE ? 0.8f : 0.0f;
                const float presses = across == MIDDLE - 1 ? 0.3f : 0.0f;
                u_row(s, j)[i] = axis == 0 ? stream : presses;
                v_row(s, j)[i] = axis == 0 ? presses : stream;
            }
        for (int n = FROM; n < TO; n++)
            rl_swe_mark_face(s, 1 - axis, axis == 0 ? n : MIDDLE, axis == 0 ? MIDDLE : n, true);
        strain_for(s, 0.1);
        for (int n = FROM - 2; n <= TO; n++) {
            const bool beside = n >= FROM - 1 && n < TO;
            for (int across = MIDDLE; across < MIDDLE + 2; across++)
                assert_true(is_unstrained(s, axis, axis == 0 ? n : across,
                                          axis == 0 ? across : n) == beside);
            if (n >= FROM && n < TO)
                assert_true(
                    is_unstrained(s, 1 - axis, axis == 0 ? n : MIDDLE, axis == 0 ? MIDDLE : n));
        }
    }
}

// A film on a terrace above a pool that streams along it, and over its edge: neither feels the
// other.
TEST(where_water_falls_free_there_is_no_stress)
{
    enum { N = 24, EDGE = 12 };
    for (int axis = 0; axis < 2; axis++) // that the film falls along
        for (int high_first = 0; high_first < 2; high_first++) {
            begin_case(&c, N, N, 1.0);
            make_viscous();
            for (int n = 0; n < N * N; n++) {
                const bool high = ((axis == 0 ? n % N : n / N) < EDGE) == high_first;
                c.bed[n] = high ? 9.0f : 0.0f;
                c.depth[n] = high ? 0.02f : 8.0f;
            }
            FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
            for (int j = 0; j < N - 1; j++)
                for (int i = 0; i < N - 1; i++) {
                    const int across = axis == 0 ? i : j;
                    const float falls = across == EDGE - 1 ? 1.0f : 0.2f;
                    const float along = (across < EDGE) == high_first ? 0.1f : 0.5f;
                    u_row(s, j)[i] = axis == 0 ? falls : along;
                    v_row(s, j)[i] = axis == 0 ? along : falls;
                }
            strain_for(s, 0.1);
            for (int n = 4; n < N - 4; n++)
                for (int across = EDGE - 1; across < EDGE + 1; across++) {
                    const int i = axis == 0 ? across : n, j = axis == 0 ? n : across;
                    assert_true(is_unstrained(s, 1 - axis, i, j));
                    assert_true(across > EDGE - 1 || is_unstrained(s, axis, i, j));
                }
        }
}

// A closed face stays closed and water beside it moves no other way than along it.
TEST(walls_stay_walls)
{
    enum { N = 40 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 1.0);
        make_viscous();
        c.def.swe.advection = advections[a];
        for (int n = 0; n < N * N; n++)
            c.depth[n] = n % N < N / 3 ? 2.0f : 1.0f;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int j = 5; j < N - 5; j++)
            rl_swe_mark_face(s, 0, N / 2, j, true);
        for (int n = 0; n < 60; n++) {
            run_swe(s, NULL, 1, 1.0, NULL);
            assert_null(rl_swe_ops.validate(s));
        }
        assert_true(fastest_in(s) > 0.05);
    }
}

// A film runs over a sill into a pool, in cells of 30 m: the pool neither drags nor drives it.
TEST(a_film_that_falls_into_a_pool_does_not_feel_it)
{
    enum { NX = 24, NY = 6, SILL = 12 };
    for (int a = 0; a < 2; a++) {
        float speed[2];
        for (int viscous = 0; viscous < 2; viscous++) {
            begin_case(&c, NX, NY, 30.0);
            for (int n = 0; n < NX * NY; n++) {
                c.bed[n] = n % NX < SILL ? 16.04f : 0.0f;
                c.depth[n] = n % NX < SILL ? 0.1f : 9.84f;
            }
            c.def.swe.manning = 0.04f;
            c.def.swe.eddy_viscosity = viscous ? 5.0f : 0.0f;
            c.def.swe.advection = advections[a];
            c.def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
            c.def.border_level[RILL_SIDE_WEST] = 0.2f;
            c.def.border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
            c.def.border_level[RILL_SIDE_EAST] = 9.84f;
            FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
            run_swe_for(s, 1200.0, NULL);
            speed[viscous] = u_row(s, 2)[SILL - 1];
            assert_sound(s);
        }
        // Before the sill the film is faster along 30 m by some part of its speed. With a stress of
        // the pool's depth it would be a hundred times as much.
        assert_true(fabsf(speed[1] / speed[0] - 1.0f) < 0.1f);
    }
}

// Beside deep water that moves, a film on a ledge below its level is dragged by no more than its
// own depth bears: it never becomes faster than the water beside it.
TEST(a_film_on_a_ledge_is_never_faster_than_the_deep_water_beside_it)
{
    enum { NX = 48, NY = 24, LEDGE = 8 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, NX, NY, 1.0);
        for (int n = 0; n < NX * NY; n++) {
            c.bed[n] = n / NX < LEDGE ? 9.97f : 0.0f;
            c.depth[n] = 10.0f - c.bed[n];
        }
        c.def.swe.eddy_viscosity = 0.5f;
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int j = LEDGE; j < NY; j++)
            for (int i = 4; i < NX - 5; i++)
                u_row(s, j)[i] = 1.0f;
        s->largest.u = 1.0f;
        const rl_swe_rules rules = rl_swe_rules_of(s);
        s->k = rl_swe_coefficients_of(&rules, 0.05, 0, 10.0f);
        for (int n = 0; n < 40; n++) { // the stresses alone, again and again
            rl_swe_strain(s, NULL);
            for (int j = 0; j < NY; j++)
                memcpy(u_row(s, j) - 1, rill_field_row(&s->eddies.u, j) - 1,
                       (NX + 1) * sizeof(float));
        }
        assert_true(u_row(s, LEDGE - 1)[NX / 2] > 0.1f && u_row(s, LEDGE - 1)[NX / 2] < 1.0f);
        assert_true(u_row(s, LEDGE)[NX / 2] > 0.9f);
    }
}

// ---- Lakes, books, steps, bits ---------------------------------------------------------

static void begin_basin(int n, double level, double quantum)
{
    begin_case(&c, n, n, 10.0 / n);
    make_viscous();
    for (int k = 0; k < n * n; k++) {
        const float b = made_bed(k % n, k / n, 10.0 / n, quantum), to_level = (float)level - b;
        c.bed[k] = b;
        c.depth[k] = to_level > 0.0f ? to_level : 0.0f;
    }
}

TEST(a_lake_at_rest_does_not_move_at_all)
{
    for (int a = 0; a < 2; a++) {
        begin_basin(40, 26.0 / 64.0, 1.0 / 64.0);
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe(s, NULL, 300, 1.0 / 60.0, NULL);
        assert_true(fastest_in(s) == 0.0);
        for (int j = 0; j < 40; j++)
            assert_memory_equal(depth_row(s, j), &c.depth[j * 40], 40 * sizeof(float));
    }
}

static const rill_border borders[] = {RILL_BORDER_WALL,   RILL_BORDER_DRAIN,  RILL_BORDER_LEVEL,
                                      RILL_BORDER_INFLOW, RILL_BORDER_ABSORB, RILL_BORDER_INCIDENT};

// A dam breaks in a basin with another border on each side, and a wall in it.
static rl_swe *make_violent_water(rl_isa isa, int variant)
{
    enum { N = 150 };
    begin_basin(N, 0.3, 0);
    for (int k = 0; k < N * N; k++)
        if (k % N < 60 && k / N > 30)
            c.depth[k] = fmaxf(0.9f - c.bed[k], 0.0f);
    c.def.swe.advection = advections[variant % 2];
    c.def.swe.eddy_viscosity = variant == 2 ? 2.0f : 0.01f; // that alone decides the step
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        c.def.border[side] = borders[(variant + side) % 6];
        c.def.border_level[side] = 0.4f;
    }
    rl_swe *s = make_solver(&rl_swe_ops, &c.def, isa);
    for (int j = 40; j < 90; j++)
        rl_swe_mark_face(s, variant % 2, 64, j, true);
    return s;
}

static uint64_t violent_run(rl_isa isa, rl_jobs *jobs, const void *variant)
{
    FREED_BY(free_swe) rl_swe *s = make_violent_water(isa, *(const int *)variant);
    run_swe(s, jobs, TEST_FIFTH(40), 1.0, NULL);
    for (int n = 0; n < TEST_FIFTH(20); n++) // too long: clamp and cap are at work
        rl_swe_ops.step(s, jobs, 0.05, &(rl_exchange){0});
    return hash_swe(s);
}

TEST(threads_and_instruction_sets_give_the_same_bits)
{
    for (int variant = 0; variant < 6; variant++)
        assert_same_on_every_isa(violent_run, &variant);
}

TEST(the_books_are_closed_with_any_borders)
{
    for (int variant = 0; variant < 6; variant++) {
        FREED_BY(free_swe) rl_swe *s = make_violent_water(best_isa(), variant);
        rl_exchange e = {0};
        const double before = volume_of(s);
        run_swe(s, NULL, 400, 1.0, &e);
        assert_sound(s);
        assert_null(rl_swe_ops.validate(s));
        assert_true(e.corrected == 0.0 && e.in >= 0.0 && e.out >= 0.0);
        const double error = before + e.in - e.out - volume_of(s);
        assert_true(fabs(error) < 1e-6 * (before + e.in));
    }
}

// Steep ground, long steps, no friction: neither walls nor films nor the cap may let anything grow.
TEST(violent_water_stays_sound_at_any_step)
{
    enum { N = 40 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 0.25);
        make_viscous();
        for (int k = 0; k < N * N; k++) {
            c.bed[k] = 4.0f * rl_random_unit(3, 5, (uint64_t)k);
            c.depth[k] = k % N < N / 3 ? 20.0f : 0.0f;
        }
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        const double before = volume_of(s);
        for (int n = 0; n < 4000; n++) {
            rl_swe_ops.step(s, NULL, n % 7 == 0 ? 1.0 : 1.0 / 60.0, &(rl_exchange){0});
            if (n % 1000 == 0)
                assert_sound(s);
        }
        assert_sound(s);
        assert_true(fabs(volume_of(s) / before - 1.0) < 1e-5);
    }
}

// The constant viscosity is never capped in a step that the solver chooses, Smagorinsky's does not
// change the step, and memory is taken only where there is some of either.
TEST(steps_are_short_enough_for_the_constant_viscosity)
{
    begin_case(&c, 16, 16, 0.5);
    for (int n = 0; n < 16 * 16; n++)
        c.depth[n] = 1.0f;
    const uint64_t memory = rl_swe_ops.memory_needed(&c.def);
    FREED_BY(free_swe) rl_swe *plain = make_swe(&c.def);
    const double waves = rl_swe_ops.stable_step(plain);
    c.def.swe.smagorinsky = 0.2f;
    FREED_BY(free_swe) rl_swe *turbulent = make_swe(&c.def);
    assert_true(rl_swe_ops.stable_step(turbulent) == waves);
    assert_true(rl_swe_ops.memory_needed(&c.def) > memory);
    assert_true(plain->eddies.rows == NULL && turbulent->eddies.rows != NULL);
    c.def.swe.eddy_viscosity = 4.0f;
    FREED_BY(free_swe) rl_swe *viscous = make_swe(&c.def);
    const double step = rl_swe_ops.stable_step(viscous);
    const rl_swe_rules rules = rl_swe_rules_of(viscous);
    assert_true(step < waves && step > 0.8 / 16.0 * 0.5 * 0.5 / 4.0);
    assert_true(rl_swe_coefficients_of(&rules, step, 0, 1.0f).eddy < RL_SWE_EDDY_MOST);
}
