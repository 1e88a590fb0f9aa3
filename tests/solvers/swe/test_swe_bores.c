// SPDX-License-Identifier: MIT
// Bores, films that fall into deep water, and water that starts in motion. Each test fails without
// the part that it is about.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/solvers/swe/swe_worlds.h"

static swe_case c;

static const rill_advection advections[] = {RILL_ADVECTION_CONSERVATIVE, RILL_ADVECTION_MACCORMACK};

// ---- Bores -----------------------------------------------------------------------------

#define BEFORE 0.32 // depth ahead of a bore, metres

// Depth behind the dam that makes a bore of height `rise`, relative to the depth before it
// (Stoker).
static double dam_of(double rise)
{
    const double middle = BEFORE * (1.0 + rise);
    const double u = (middle - BEFORE) * sqrt(9.81 * (middle + BEFORE) / (2.0 * middle * BEFORE));
    const double wave = 0.5 * u + sqrt(9.81 * middle);
    return wave * wave / 9.81;
}

// Lets a bore run in the direction (along_x, along_y) of a square; returns its crest over the
// height of its plateau, in the middle of the square.
static double crest_of(double rise, int along_x, int along_y, rill_advection advection)
{
    enum { N = 160 };
    begin_case(&c, N, N, 0.05);
    const int length = along_x + along_y;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            c.depth[j * N + i] =
                (float)(along_x * i + along_y * j < length * N / 3 ? dam_of(rise) : BEFORE);
    c.def.swe.advection = advection;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    run_swe_for(s, 1.4, NULL);
    double crest = 0.0;
    for (int j = N / 4; j < 3 * N / 4; j++)
        for (int i = N / 4; i < 3 * N / 4; i++)
            if (along_x * i + along_y * j > length * N / 3)
                crest = fmax(crest, (double)depth_row(s, j)[i]);
    return (crest - BEFORE) / (BEFORE * rise);
}

// Without the pressure of bores it is 1.3 for the weak ones.
TEST(no_bore_stands_above_its_plateau)
{
    const double rises[] = {0.05, 0.2, 1.0};
    for (int n = 0; n < 3; n++) {
        assert_true(crest_of(rises[n], 1, 0, advections[0]) < 1.03);
        assert_true(crest_of(rises[n], 0, 1, advections[0]) < 1.03);
        assert_true(crest_of(rises[n], 1, 1, advections[0]) < 1.03);
    }
    assert_true(crest_of(0.2, 1, 0, advections[1]) < 1.03);
    assert_true(crest_of(0.2, 1, 1, advections[1]) < 1.03);
}

// Bores in a narrow channel, seen from its far end: a wall throws them back without a train, too.
TEST(a_bore_that_a_wall_throws_back_has_no_train)
{
    enum { NX = 200, NY = 4 };
    begin_case(&c, NX, NY, 0.05);
    for (int n = 0; n < NX * NY; n++)
        c.depth[n] = (float)(n % NX < NX / 2 ? dam_of(0.1) : BEFORE);
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    run_swe_for(s, 4.0, NULL);
    const float *d = depth_row(s, 1), plateau = d[NX - 5];
    assert_true(plateau > 1.15f * (float)BEFORE); // it has come back
    for (int i = NX - 20; i < NX; i++)
        assert_true(fabsf(d[i] - plateau) < 0.03f * (plateau - (float)BEFORE));
}

// ---- Films -----------------------------------------------------------------------------

// A film over a step of 6.2 m into a pool of 9.84 m, in cells of 30 m: seen as part of the pool it
// would run at 27 m/s.
TEST(a_film_that_falls_into_a_pool_keeps_its_speed_and_the_pool_its_rest)
{
    enum { NX = 24, NY = 4, SILL = 12 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, NX, NY, 30.0);
        for (int n = 0; n < NX * NY; n++) {
            c.bed[n] = n % NX < SILL ? 16.04f : 0.0f;
            c.depth[n] = n % NX < SILL ? 0.1f : 9.84f;
        }
        c.def.swe.manning = 0.04f;
        c.def.swe.advection = advections[a];
        c.def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
        c.def.border_level[RILL_SIDE_WEST] = 0.2f;
        c.def.border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
        c.def.border_level[RILL_SIDE_EAST] = 9.84f;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe_for(s, 1200.0, NULL);
        const rill_columns columns = rl_swe_ops.columns(s, NULL, NULL);
        for (int i = 0; i < SILL; i++)
            assert_true(columns.velocity_x[i] < 3.0f);
        const float carried = columns.depth[SILL] * columns.velocity_x[SILL];
        assert_true(fabsf(carried - 0.2f) < 0.05f);
    }
}

// A thick film that falls into a puddle is not seen faster there than it is.
TEST(what_falls_into_a_puddle_is_no_faster_there)
{
    enum { NX = 16, NY = 4, SILL = 8 };
    begin_case(&c, NX, NY, 1.0);
    for (int n = 0; n < NX * NY; n++) {
        c.bed[n] = n % NX < SILL ? 5.0f : 0.0f;
        c.depth[n] = n % NX < SILL ? 0.5f : 1e-3f;
    }
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    for (int n = 0; n < 5; n++) {
        rl_swe_ops.step(s, NULL, 0.01, &(rl_exchange){0});
        const rill_columns columns = rl_swe_ops.columns(s, NULL, NULL);
        assert_true(columns.velocity_x[SILL] <= u_row(s, 0)[SILL - 1]);
    }
}

// ---- What is read and what is given ----------------------------------------------------

// MacCormack's advection reads velocities wherever there is more than a film, whatever counts as
// wet.
TEST(a_larger_wet_depth_leaves_deep_water_alone)
{
    enum { N = 40 };
    rl_swe *pair[2];
    for (int k = 0; k < 2; k++) {
        begin_case(&c, N, N, 1.0);
        for (int n = 0; n < N * N; n++)
            c.depth[n] = n % N < N / 2 ? 1.5f : 1.0f;
        c.def.swe.advection = RILL_ADVECTION_MACCORMACK;
        c.def.wet_depth = k == 0 ? 1e-4f : 0.05f;
        pair[k] = make_swe(&c.def);
        run_swe_for(pair[k], 5.0, NULL);
    }
    for (int j = 0; j < N; j++)
        assert_memory_equal(depth_row(pair[0], j), depth_row(pair[1], j), N * sizeof(float));
    free_swe(&pair[0]);
    free_swe(&pair[1]);
}

// Faces have the mean of their cells; walls and dry ground stay still.
TEST(water_starts_with_the_velocities_of_its_definition)
{
    enum { N = 8 };
    float velocity[2][N * N];
    begin_case(&c, N, N, 1.0);
    for (int n = 0; n < N * N; n++) {
        c.bed[n] = n % N == 5 ? 3.0f : 0.0f; // a dry wall
        c.depth[n] = n % N == 5 ? 0.0f : 1.0f;
        velocity[0][n] = (float)(n % N);
        velocity[1][n] = -2.0f;
    }
    c.def.velocity_x = (rill_field_view){velocity[0], N, N, N};
    c.def.velocity_y = (rill_field_view){velocity[1], N, N, N};
    c.def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    c.def.border_level[RILL_SIDE_WEST] = 1.0f;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    assert_true(u_row(s, 3)[-1] == 0.0f && u_row(s, 3)[0] == 0.5f && u_row(s, 3)[2] == 2.5f);
    assert_true(u_row(s, 3)[4] == 0.0f && u_row(s, 3)[5] == 0.0f && u_row(s, 3)[N - 1] == 0.0f);
    assert_true(v_row(s, 3)[2] == -2.0f && v_row(s, -1)[2] == 0.0f && v_row(s, N - 1)[2] == 0.0f);
    assert_true(s->largest.u == 6.5f && s->largest.v == 2.0f);
    assert_null(rl_swe_ops.validate(s));
}
