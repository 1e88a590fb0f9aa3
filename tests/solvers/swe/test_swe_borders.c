// SPDX-License-Identifier: MIT
// What happens at the sides of the swe water: walls, drains, levels, inflows, absorbing layers.
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

static void set_side(rill_side side, rill_border border, double level)
{
    c.def.border[side] = border;
    c.def.border_level[side] = (float)level;
}

static bool is_outward(rill_side side)
{
    return side == RILL_SIDE_EAST || side == RILL_SIDE_NORTH;
}

// Velocity through the middle of a side, outwards.
static double outward(const rl_swe *s, rill_side side)
{
    const int i = s->nx / 2, y = s->ny / 2;
    const float at[RILL_SIDE_COUNT] = {u_row(s, y)[-1], u_row(s, y)[s->nx - 1], v_row(s, -1)[i],
                                       v_row(s, s->ny - 1)[i]};
    return (is_outward(side) ? 1.0 : -1.0) * (double)at[side];
}

// ---- Drains, levels, inflows -----------------------------------------------------------

// Water leaves a drain at critical speed or faster, whichever side it is on, and all of it.
TEST(a_drain_empties_the_basin_at_critical_speed)
{
    for (int n = 0; n < 8; n++) {
        const rill_side side = (rill_side)(n / 2);
        begin_case(&c, 24, 24, 1.0);
        fill(1.0f);
        set_side(side, RILL_BORDER_DRAIN, 0.0);
        c.def.swe.advection = advections[n % 2];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        const double before = volume_of(s);
        run_swe_for(s, 5.0, &e);
        const int edge = side == RILL_SIDE_WEST || side == RILL_SIDE_SOUTH ? 0 : 23;
        const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
        const double depth = (double)(column ? depth_row(s, 12)[edge] : depth_row(s, edge)[12]);
        assert_true(depth > 0.1 && outward(s, side) > 0.999 * sqrt(9.81 * depth));
        run_swe_for(s, 600.0, &e);
        assert_true(volume_of(s) < 0.01 * before && e.in == 0.0);
        assert_true(fabs(before - e.out - volume_of(s)) < 1e-6 * before);
    }
}

// A drain lets nothing in, even where the water turns back.
TEST(a_drain_lets_nothing_in)
{
    begin_case(&c, 24, 8, 1.0);
    fill(0.5f);
    set_side(RILL_SIDE_EAST, RILL_BORDER_DRAIN, 0.0);
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    set_velocities(s, -1.0f, 0.0f);
    rl_exchange e = {0};
    for (int n = 0; n < 100; n++) {
        run_swe(s, NULL, 1, 0.05, &e);
        assert_true(outward(s, RILL_SIDE_EAST) >= 0.0);
    }
    assert_true(e.in == 0.0);
}

// A basin beside a sea fills to its level, and when the level falls it empties again.
TEST(a_fixed_level_fills_and_empties_the_basin)
{
    for (int n = 0; n < 8; n++) {
        const rill_side side = (rill_side)(n / 2);
        begin_case(&c, 32, 32, 10.0 / 32);
        for (int k = 0; k < 32 * 32; k++)
            c.bed[k] = 0.2f * made_bed(k % 32, k / 32, 10.0 / 32, 0);
        set_side(side, RILL_BORDER_LEVEL, 0.9);
        c.def.swe.advection = advections[n % 2];
        c.def.swe.viscosity = 0.02f; // to calm down
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        for (int turn = 0; turn < 2; turn++) {
            const float level = turn == 0 ? 0.9f : 0.5f;
            rl_swe_ops.set_border(s, side, RILL_BORDER_LEVEL, level);
            run_swe_for(s, 200.0, &e);
            for (int j = 0; j < 32; j++)
                for (int i = 0; i < 32; i++)
                    assert_true(fabsf(c.bed[j * 32 + i] + depth_row(s, j)[i] - level) < 5e-3f);
        }
        assert_true(fabs(e.in - e.out - volume_of(s)) < 1e-6 * e.in);
    }
}

// Exactly the given discharge comes in, also onto dry ground and at the first step.
TEST(an_inflow_brings_its_discharge)
{
    for (int n = 0; n < 8; n++) {
        const rill_side side = (rill_side)(n / 2);
        begin_case(&c, 40, 40, 0.5);
        if (n % 4 == 1)
            fill(0.3f);
        set_side(side, RILL_BORDER_INFLOW, 0.25);
        c.def.swe.advection = advections[n % 2];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        double time = 0.0;
        for (int k = 0; k < 400; k++) {
            const double dt = fmin(rl_swe_ops.stable_step(s), 0.05);
            rl_swe_ops.step(s, NULL, dt, &e);
            time += dt;
        }
        assert_true(fabs(e.in / (0.25 * 20.0 * time) - 1.0) < 1e-5 && e.out == 0.0);
    }
}

// ---- Incident borders ------------------------------------------------------------------

// A lake on any ground, islands and shores at its sides included, stays as it is to the last bit.
TEST(a_lake_at_rest_beside_incident_borders_stays_at_rest)
{
    for (int n = 0; n < 2; n++) {
        begin_case(&c, 32, 32, 0.5);
        for (int k = 0; k < 32 * 32; k++) {
            // In steps of 1/1024 m, so that bed and depth add up to the level without rounding.
            c.bed[k] = floorf(1024.0f * made_bed(k % 32, k / 32, 0.5, 0)) / 1024.0f;
            c.depth[k] = fmaxf(0.75f - c.bed[k], 0.0f);
        }
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            set_side((rill_side)side, RILL_BORDER_INCIDENT, 0.75);
        c.def.swe.advection = advections[n];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        run_swe_for(s, 20.0, &e);
        assert_true(e.in == 0.0 && e.out == 0.0);
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                assert_true(depth_row(s, j)[i] == fmaxf(0.75f - c.bed[j * 32 + i], 0.0f));
    }
}

// A simple wave of 5 cm comes in by each side with its own volume: what passes a metre in a second
// is u h, u = 2 (sqrt(g h) - sqrt(g h0)).
TEST(a_wave_that_is_given_comes_in_by_every_side)
{
    const double g = 9.81, rest = 1.0, high = 1.05, seconds = 3.0;
    const double u = 2.0 * (sqrt(g * high) - sqrt(g * rest));
    // The front is a step: until it has passed the first cell the side may be short of it.
    const double late = 0.5 / sqrt(g * rest) / seconds;
    for (int n = 0; n < 8; n++) {
        const rill_side side = (rill_side)(n / 2);
        begin_case(&c, 60, 60, 0.5);
        fill(1.0f);
        set_side(side, RILL_BORDER_INCIDENT, rest);
        c.def.swe.advection = advections[n % 2];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_swe_ops.incident->set(s, side, (rl_incident){.wave = (float)(high - rest)});
        rl_exchange e = {0};
        run_swe_for(s, seconds, &e);
        assert_true(fabs(e.in / (u * high * 30.0 * seconds) - 1.0) < late);
        assert_true(fabs(-outward(s, side) / u - 1.0) < 0.01);
        assert_true(rl_swe_ops.validate(s) == NULL);
    }
}

// Onto dry ground no more comes than the critical flow of a dam break, 8/27 sqrt(g h) h, however
// high the water stands beyond; and a torrent comes in as it is.
TEST(incident_water_runs_onto_dry_ground)
{
    for (int n = 0; n < 4; n++) {
        const double g = 9.81, h = 0.5, fast = n < 2 ? 0.0 : 4.0; // m/s, faster than its waves
        const double q = n < 2 ? 8.0 / 27.0 * sqrt(g * h) * h : fast * h;
        begin_case(&c, 80, 8, 0.25);
        set_side(RILL_SIDE_WEST, RILL_BORDER_INCIDENT, h);
        set_side(RILL_SIDE_EAST, RILL_BORDER_DRAIN, 0.0);
        c.def.swe.advection = advections[n % 2];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_swe_ops.incident->set(s, RILL_SIDE_WEST, (rl_incident){.velocity = (float)fast});
        rl_exchange e = {0};
        run_swe_for(s, 3.0, &e);
        assert_true(fabs(e.in / (q * 2.0 * 3.0) - 1.0) < 0.05);
        assert_true(rl_swe_ops.validate(s) == NULL);
    }
}

// A torrent leaves as fast as it comes, whatever stands beyond.
TEST(a_torrent_leaves_by_an_incident_border)
{
    for (int n = 0; n < 2; n++) {
        begin_case(&c, 60, 8, 0.25);
        fill(0.2f);
        set_side(RILL_SIDE_WEST, RILL_BORDER_INCIDENT, 0.2);
        set_side(RILL_SIDE_EAST, RILL_BORDER_INCIDENT, 0.2);
        c.def.swe.advection = advections[n];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        set_velocities(s, 3.0f, 0.0f);
        rl_swe_ops.incident->set(s, RILL_SIDE_WEST, (rl_incident){.velocity = 3.0f});
        rl_exchange e = {0};
        run_swe_for(s, 10.0, &e);
        for (int i = 0; i < 60; i++)
            assert_true(fabsf(depth_row(s, 4)[i] - 0.2f) < 1e-3f);
        assert_true(fabs(e.out / e.in - 1.0) < 1e-3);
    }
}

// ---- Streams ---------------------------------------------------------------------------

// Tranquil flow over a bump, q = 4.42 m^2/s and 2 m of water at the end: Bernoulli gives 1.7073475
// m above its top, which is at 0.2 m (section A6 of the exact solutions has the rest).
TEST(a_steady_stream_over_a_bump_keeps_its_head)
{
    enum { NX = 200, NY = 4 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, NX, NY, 25.0 / NX);
        for (int n = 0; n < NX * NY; n++) {
            const double x = (n % NX + 0.5) * 25.0 / NX;
            c.bed[n] = (float)fmax(0.0, 0.2 - 0.05 * (x - 10.0) * (x - 10.0));
            c.depth[n] = 2.0f - c.bed[n];
        }
        set_side(RILL_SIDE_WEST, RILL_BORDER_INFLOW, 4.42);
        set_side(RILL_SIDE_EAST, RILL_BORDER_LEVEL, 2.0);
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe_for(s, 200.0, NULL);
        const float *d = depth_row(s, 1);
        assert_true(fabs(0.5 * (double)(d[79] + d[80]) / 1.7073475 - 1.0) < 0.005);
        assert_true(fabs((double)d[0] / 2.0 - 1.0) < 0.005);
    }
}

// ---- Absorbing layers ------------------------------------------------------------------

static double packet(double x)
{
    return exp(-x * x / 100.0) * cos(acos(-1.0) * x / 5.0);
}

// The height of the packet over the depth: its compressions are too low to count as a bore
// (RL_SWE_BORE_LEAST), for the layer is linear theory.
#define LOW_WAVE 2e-4

// A channel of nx cells of 0.1 m with a wave packet of ten cells length 60 cells from its west end,
// running east.
static rl_swe *make_channel(int nx, double depth, rill_border east, rill_advection advection)
{
    begin_case(&c, nx, 4, 0.1);
    for (int n = 0; n < 4 * nx; n++)
        c.depth[n] = (float)(depth * (1.0 + LOW_WAVE * packet(n % nx + 0.5 - 60.0)));
    set_side(RILL_SIDE_WEST, RILL_BORDER_ABSORB, depth);
    set_side(RILL_SIDE_EAST, east, depth);
    c.def.swe.advection = advection;
    rl_swe *s = make_swe(&c.def);
    for (int y = 0; y < 4; y++)
        for (int i = 0; i < nx - 1; i++)
            u_row(s, y)[i] = (float)(sqrt(9.81 * depth) * LOW_WAVE * packet(i + 1.0 - 60.0));
    return s;
}

// The largest difference to an endless channel, over the amplitude that reaches the border.
static double reflection(double depth, rill_border border, rill_advection advection)
{
    enum { NX = 120, LONG = 320 };
    FREED_BY(free_swe) rl_swe *test = make_channel(NX, depth, border, advection);
    FREED_BY(free_swe) rl_swe *endless = make_channel(LONG, depth, RILL_BORDER_WALL, advection);
    const double dt = 0.5 * 0.1 / sqrt(9.81 * depth);
    double largest = 0.0, incident = 0.0;
    for (int n = 0; n < 260; n++) {
        rl_swe_ops.step(test, NULL, dt, &(rl_exchange){0});
        rl_swe_ops.step(endless, NULL, dt, &(rl_exchange){0});
        for (int i = 10; i < NX - 10; i++) {
            const double here = (double)depth_row(endless, 1)[i];
            largest = fmax(largest, fabs((double)depth_row(test, 1)[i] - here));
            if (i > NX - 20)
                incident = fmax(incident, fabs(here - depth));
        }
    }
    return largest / incident;
}

TEST(an_absorbing_layer_returns_less_than_half_a_percent)
{
    const double depths[] = {0.5, 1.0, 20.0};
    for (int n = 0; n < 6; n++)
        assert_true(reflection(depths[n / 2], RILL_BORDER_ABSORB, advections[n % 2]) < 0.005);
    assert_true(reflection(1.0, RILL_BORDER_WALL, advections[0]) > 0.95);
}

static double aslant(double x, double y)
{
    const double along = sqrt(0.5) * (x - 5.0 + y + 5.0), across = sqrt(0.5) * (x - 5.0 - y - 5.0);
    return 1e-3 * packet(along) * exp(-across * across / 400.0);
}

static double ring(double x, double y)
{
    return 1e-3 * packet(hypot(x, y));
}

// The largest part of a wave that comes back in a square whose four sides and corners absorb,
// against one with more room.
static double reflection_in_square(double (*wave)(double x, double y))
{
    enum { N = 100, LARGE = 160, OFF = 30 };
    rl_swe *pair[2];
    for (int k = 0; k < 2; k++) {
        const int n = k == 0 ? N : LARGE;
        begin_case(&c, n, n, 0.1);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                c.depth[j * n + i] = (float)(1.0 + wave(i + 0.5 - 0.5 * n, j + 0.5 - 0.5 * n));
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            set_side((rill_side)side, RILL_BORDER_ABSORB, 1.0);
        pair[k] = make_swe(&c.def);
    }
    const double dt = 0.5 * 0.1 / sqrt(9.81);
    double largest = 0.0, incident = 0.0;
    for (int n = 0; n < 180; n++) {
        for (int k = 0; k < 2; k++)
            rl_swe_ops.step(pair[k], NULL, dt, &(rl_exchange){0});
        for (int j = 10; j < N - 10; j++)
            for (int i = 10; i < N - 10; i++) {
                const double here = (double)depth_row(pair[1], j + OFF)[i + OFF];
                largest = fmax(largest, fabs((double)depth_row(pair[0], j)[i] - here));
                if (i == N - 11)
                    incident = fmax(incident, fabs(here - 1.0));
            }
    }
    free_swe(&pair[0]);
    free_swe(&pair[1]);
    return largest / incident;
}

// At 45 degrees phi does its work: without it 4 % comes back, and with the paper's lambdas too. In
// corners the two layers need their common term: without it 1.9 % of a ring comes back.
TEST(waves_aslant_and_in_corners_are_absorbed)
{
    assert_true(reflection_in_square(aslant) < 0.015);
    assert_true(reflection_in_square(ring) < 0.015);
}

// Energy of the waves on water of depth `rest`, m^5/s^2 over dx^2.
static double wave_energy(const rl_swe *s, double rest)
{
    double sum = 0.0;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const double rise = (double)depth_row(s, j)[i] - rest;
            const double u = (double)u_row(s, j)[i], v = (double)v_row(s, j)[i];
            sum += 0.5 * (9.81 * rise * rise + rest * (u * u + v * v));
        }
    return sum;
}

// After a long time nothing is left of the waves, and the level is that of the water beyond.
TEST(absorbed_water_comes_to_rest)
{
    enum { N = 48 };
    begin_case(&c, N, N, 0.5);
    fill(2.0f);
    c.depth[20 * N + 30] = 6.0f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        set_side((rill_side)side, RILL_BORDER_ABSORB, 2.0);
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    rl_exchange e = {0};
    const double before = volume_of(s), energy = wave_energy(s, 2.0);
    run_swe(s, NULL, 10000, 1.0, &e);
    assert_true(wave_energy(s, 2.0) < 1e-4 * energy);
    assert_true(fabs(volume_of(s) / (2.0 * 0.25 * N * N) - 1.0) < 1e-4);
    assert_true(fabs(before + e.in - e.out - volume_of(s)) < 1e-6 * before);
}

// Uneven ground, dry land in the layers, corners: a lake at rest stays to the last bit.
TEST(a_lake_in_absorbing_layers_does_not_move)
{
    enum { N = 40 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 0.25);
        for (int k = 0; k < N * N; k++) {
            c.bed[k] = made_bed(k % N, k / N, 0.25, 1.0 / 64.0);
            c.depth[k] = fmaxf(26.0f / 64.0f - c.bed[k], 0.0f);
        }
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            set_side((rill_side)side, RILL_BORDER_ABSORB, 26.0 / 64.0);
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        run_swe(s, NULL, 300, 1.0 / 60.0, &e);
        assert_true(fastest_in(s) == 0.0 && e.in == 0.0 && e.out == 0.0);
        for (int j = 0; j < N; j++)
            assert_memory_equal(depth_row(s, j), &c.depth[j * N], N * sizeof(float));
    }
}

// East, west, north and south are treated alike: a world that is mirrored or turned moves its water
// mirrored or turned, to the last bit. MacCormack's fall-back looks west where nothing flows along
// x, so there only turning is exact.
TEST(mirrored_and_turned_waters_do_the_same)
{
    enum { N = 150 };
    static float first[N * N];
    for (int variant = 0; variant < 4; variant++)
        for (int motion = 0; motion < 8; motion += variant % 2 ? 4 : 1) {
            begin_case(&c, N, N, 0.1);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const float b = made_bed(i, j, 10.0 / N, 0);
                    const float level = i < 60 && j > 30 ? 0.7f : 0.3f;
                    c.bed[moved_cell(i, j, N, motion)] = b;
                    c.depth[moved_cell(i, j, N, motion)] = level > b ? level - b : 0.0f;
                }
            const rill_border other = variant < 2 ? RILL_BORDER_INFLOW : RILL_BORDER_ABSORB;
            set_side(moved_side(RILL_SIDE_EAST, motion), RILL_BORDER_DRAIN, 0.0);
            set_side(moved_side(RILL_SIDE_NORTH, motion), RILL_BORDER_LEVEL, 0.5);
            set_side(moved_side(RILL_SIDE_SOUTH, motion), other, 0.3);
            c.def.swe.advection = advections[variant % 2];
            c.def.swe.manning = variant == 3 ? 0.03f : 0.0f;
            FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
            run_swe(s, NULL, 60, 1.0 / 60.0, NULL);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const size_t cell = moved_cell(i, j, N, motion);
                    const float now = depth_row(s, (int)(cell / N))[cell % N];
                    if (motion == 0)
                        first[j * N + i] = now;
                    else
                        assert_memory_equal(&now, &first[j * N + i], sizeof now);
                }
        }
}
