// SPDX-License-Identifier: MIT
// The named parts of the swe water (Chentanez and Müller sections 2.1 and 2.2), one by one: each
// test fails without its part.
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

// ---- Advection -------------------------------------------------------------------------

// Stoker's dam break of 1 m onto 0.1 m: a bore of height 0.396175 m at 3.105134 m/s. Without
// advection it would be 0.638 m at 1.9 m/s.
TEST(a_bore_has_stokers_speed_and_height_when_momentum_is_kept)
{
    enum { NX = 400, NY = 4 };
    const double dx = 10.0 / NX, height = 0.396175, speed = 3.105134, time = 1.2;
    begin_case(&c, NX, NY, dx);
    for (int n = 0; n < NX * NY; n++)
        c.depth[n] = n % NX < NX / 2 ? 1.0f : 0.1f;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    run_swe_for(s, time, NULL);
    const float *d = depth_row(s, 1);
    int bore = NX - 1;
    while ((double)d[bore] < 0.5 * (height + 0.1))
        bore--;
    assert_true(fabs(((bore + 1) * dx - 5.0) / time / speed - 1.0) < 0.02);
    for (int i = (int)(6.5 / dx); i < (int)(8.0 / dx); i++) // the shelf behind it
        assert_true(fabs((double)d[i] / height - 1.0) < 0.02);
}

// Ritter's dam break on dry ground: the depth of a hundredth of the dam's is at 2 c - 3 sqrt(g h) =
// 1.7 c, and thins out beyond. Look-ups alone find no velocity in dry ground and come to 0.8 c.
TEST(a_front_runs_on_into_dry_ground)
{
    enum { NX = 400, NY = 4 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, NX, NY, 10.0 / NX);
        for (int n = 0; n < NX * NY; n++)
            c.depth[n] = n % NX < NX / 2 ? 0.005f : 0.0f;
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe_for(s, 6.0, NULL);
        int front = NX - 1;
        while (depth_row(s, 1)[front] < 5e-5f)
            front--;
        const double speed = ((front + 1) * 10.0 / NX - 5.0) / 6.0 / sqrt(9.81 * 0.005);
        assert_true(speed > 0.85 * 1.7 && speed < 1.02 * 1.7);
    }
}

// Water at speed `u` between an inflow and a drain, with a sideways velocity that depends on x
// alone, so that nothing but advection acts on it. It is so shallow that what happens at the walls
// beside it does not come to its middle.
static rl_swe *make_carrier(rill_advection advection, double u, double (*profile)(int i))
{
    enum { NX = 120, NY = 60 };
    begin_case(&c, NX, NY, 1.0);
    fill(0.02f);
    c.def.swe.advection = advection;
    c.def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
    c.def.border_level[RILL_SIDE_WEST] = (float)(0.02 * u);
    c.def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    rl_swe *s = make_swe(&c.def);
    set_velocities(s, (float)u, 0.0f);
    for (int y = 0; y < NY - 1; y++)
        for (int i = 0; i < NX; i++)
            v_row(s, y)[i] = (float)profile(i);
    s->largest.v = 0.01f;
    rl_swe_ops.state_changed(s);
    return s;
}

static double bump(int i)
{
    return 0.01 * exp(-(i - 30.0) * (i - 30.0) / 32.0);
}

static double step_down(int i)
{
    return i < 40 ? 0.01 : 0.001;
}

// A bump of sigma = 4 cells goes 40 cells with the water. Semi-Lagrangian look-ups alone would
// spread it by dx (1 - C) per cell of way, C = 0.1, and leave sqrt(16 / (16 + 36)) = 55 % of its
// height, as first-order upwinding does; MacCormack's correction keeps all but what its fall-back
// clips at the top.
TEST(velocities_move_with_the_water)
{
    for (int a = 0; a < 2; a++) {
        FREED_BY(free_swe) rl_swe *s = make_carrier(advections[a], 2.0, bump);
        for (int n = 0; n < 400; n++)
            rl_swe_ops.step(s, NULL, 0.05, &(rl_exchange){0});
        double sum = 0.0, first = 0.0, highest = 0.0;
        for (int i = 40; i < 100; i++) {
            const double v = (double)v_row(s, 30)[i];
            sum += v;
            first += v * i;
            highest = fmax(highest, v);
        }
        assert_true(fabs(first / sum - 70.0) < 0.5);
        if (advections[a] == RILL_ADVECTION_MACCORMACK)
            assert_true(highest > 0.75 * 0.01);
        else
            assert_true(highest > 0.5 * 0.01 && highest < 0.65 * 0.01);
    }
}

// MacCormack's correction overshoots at a jump; the fall-back keeps the range of what was there.
TEST(advected_velocities_stay_within_their_range)
{
    FREED_BY(free_swe) rl_swe *s = make_carrier(RILL_ADVECTION_MACCORMACK, 2.0, step_down);
    for (int n = 0; n < 100; n++) {
        rl_swe_ops.step(s, NULL, 0.05, &(rl_exchange){0});
        for (int i = 20; i < 100; i++) {
            const double v = (double)v_row(s, 30)[i];
            assert_true(v > 0.00099 && v < 0.0101);
        }
    }
}

// A mound that runs across still water: until its waves reach the walls no force acts along x, so
// the momentum of all faces stays what it was.
TEST(momentum_is_kept_away_from_walls)
{
    enum { N = 100 };
    begin_case(&c, N, N, 1.0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double r2 = (i - 50.0) * (i - 50.0) + (j - 50.0) * (j - 50.0);
            c.depth[j * N + i] = (float)(1.0 + 0.5 * exp(-r2 / 30.0));
        }
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    for (int j = 30; j < 70; j++)
        for (int i = 30; i < 70; i++)
            u_row(s, j)[i] = c.depth[j * N + i] > 1.05f ? 2.0f : 0.0f;
    s->largest.u = 2.0f;
    double momentum[2] = {0.0, 0.0};
    for (int n = 0; n < 2; n++) {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N - 1; i++)
                momentum[n] += 0.5 * (double)(depth_row(s, j)[i] + depth_row(s, j)[i + 1]) *
                               (double)u_row(s, j)[i];
        if (n == 0)
            run_swe_for(s, 6.0, NULL);
    }
    assert_true(momentum[0] > 100.0);
    assert_true(fabs(momentum[1] / momentum[0] - 1.0) < 1e-5);
}

// ---- Heights ---------------------------------------------------------------------------

// Water that runs from a cross to all sides: the four faces of its middle together would take 1.5
// times what the cell holds.
TEST(a_cell_gives_no_more_than_it_holds)
{
    enum { N = 9 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 1.0);
        fill(0.5f);
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                u_row(s, j)[i] = i < N - 1 ? (i < 4 ? -5.0f : 5.0f) : 0.0f;
                v_row(s, j)[i] = j < N - 1 ? (j < 4 ? -5.0f : 5.0f) : 0.0f;
            }
        s->largest.u = s->largest.v = 5.0f;
        const double before = volume_of(s);
        rl_swe_ops.step(s, NULL, 0.075, &(rl_exchange){0});
        assert_sound(s);
        if (a == 0) // MacCormack mixes the two directions before anything moves
            assert_true(depth_row(s, 4)[4] < 1e-5f);
        assert_true(fabs(volume_of(s) - before) < 1e-6 * before);
    }
}

// A standing wave crosses its mean level every half period, T = 2 L / sqrt(g H).
static double wave_speed(double h, rill_advection advection)
{
    enum { N = 64 };
    const double dx = 0.5, k = acos(-1.0) / (N * dx), amplitude = 1e-4 * h, exact = sqrt(9.81 * h);
    begin_case(&c, N, 4, dx);
    for (int n = 0; n < 4 * N; n++)
        c.depth[n] = (float)(h + amplitude * cos(k * (n % N + 0.5) * dx));
    c.def.swe.advection = advection;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    const double dt = 2.0 * N * dx / exact / 1000.0;
    double before = amplitude, first = 0.0, last = 0.0;
    int crossings = 0;
    for (int n = 0; n < 10000 && crossings < 6; n++) {
        rl_swe_ops.step(s, NULL, dt, &(rl_exchange){0});
        double mode = 0.0;
        for (int i = 0; i < N; i++)
            mode += ((double)depth_row(s, 1)[i] - h) * cos(k * (i + 0.5) * dx);
        if ((mode < 0.0) != (before < 0.0)) {
            last = dt * (n + before / (before - mode));
            first = crossings++ == 0 ? last : first;
        }
        before = mode;
    }
    assert_int_equal(crossings, 6);
    return N * dx * 5.0 / (last - first);
}

TEST(small_waves_run_at_the_square_root_of_g_h)
{
    const double depths[] = {0.1, 1.0, 10.0};
    for (int n = 0; n < 6; n++)
        assert_true(fabs(wave_speed(depths[n / 2], advections[n % 2]) / sqrt(9.81 * depths[n / 2]) -
                         1.0) < 0.01);
}

// Far deeper than the step allows: waves get slower instead of growing.
TEST(deep_water_stays_calm_in_long_steps)
{
    for (int a = 0; a < 2; a++) {
        begin_case(&c, 48, 48, 1.0);
        fill(400.0f);
        for (int j = 22; j < 26; j++)
            for (int i = 22; i < 26; i++)
                c.depth[j * 48 + i] += 5.0f;
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int n = 0; n < 3000; n++)
            rl_swe_ops.step(s, NULL, 0.1, &(rl_exchange){0});
        // h_avgmax = beta dx^2 / (g dt^2) = 5.1 m
        assert_true(fabsf(rl_swe_ops.motion->get(s).depth_limit - 5.0968f) < 1e-3f);
        for (int j = 0; j < 48; j++)
            for (int i = 0; i < 48; i++)
                assert_true(fabsf(depth_row(s, j)[i] - 400.0f) < 2.5f);
    }
}

// ---- Velocities ------------------------------------------------------------------------

TEST(velocities_stay_below_the_clamp)
{
    begin_case(&c, 32, 8, 1.0);
    for (int n = 0; n < 32 * 8; n++)
        c.depth[n] = n % 32 < 16 ? 20.0f : 0.0f;
    c.def.swe.velocity_limit = 0.3f;
    c.def.swe.advection = RILL_ADVECTION_MACCORMACK;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    float fastest_seen = 0.0f;
    for (int n = 0; n < 100; n++) {
        rl_swe_ops.step(s, NULL, 0.1, &(rl_exchange){0});
        fastest_seen = fmaxf(fastest_seen, s->largest.u);
    }
    assert_true(fastest_seen <= 3.0f * 1.000001f && fastest_seen > 2.9f);
}

TEST(an_acceleration_from_outside_pushes_every_open_face)
{
    begin_case(&c, 16, 16, 1.0);
    fill(1.0f);
    c.def.swe.acceleration[0] = 0.5f;
    c.def.swe.acceleration[1] = -0.25f;
    FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
    rl_swe_ops.step(s, NULL, 0.01, &(rl_exchange){0});
    for (int j = 0; j < 15; j++)
        for (int i = 0; i < 15; i++) {
            assert_true(u_row(s, j)[i] == (float)(0.01 * (double)0.5f));
            assert_true(v_row(s, j)[i] == (float)(0.01 * (double)-0.25f));
        }
    assert_true(u_row(s, 3)[15] == 0.0f && u_row(s, 3)[-1] == 0.0f && v_row(s, -1)[3] == 0.0f);
}

// Water on a ledge above a deep pit is pushed by its own depth and the cliff limit alone: head = d
// + 1.5 dx (docs/papers.md, 002.5), to either side.
TEST(a_cliff_does_not_suck)
{
    for (int n = 0; n < 16 * 16; n++)
        c.bed[n] = 0.0f;
    for (int side = 0; side < 2; side++) {
        begin_case(&c, 16, 16, 1.0);
        for (int n = 0; n < 16 * 16; n++) {
            const bool up = (n % 16 < 8) == (side == 0);
            c.bed[n] = up ? 1000.0f : 0.0f;
            c.depth[n] = up ? 0.1f : 0.0f;
        }
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_swe_ops.step(s, NULL, 1e-3, &(rl_exchange){0});
        const double exact = 9.81 * 1e-3 * (0.1 + 1.5) * (side == 0 ? 1.0 : -1.0);
        assert_true(fabs((double)u_row(s, 5)[7] / exact - 1.0) < 1e-5);
    }
}

// A river on a rough slope runs at Manning's speed: H = (n q / sqrt(S))^(3/5).
TEST(manning_holds_a_river_at_its_depth)
{
    enum { NX = 120, NY = 4 };
    const double dx = 2.0, slope = 0.01, n = 0.05, q = 0.8, exact = pow(n * q / sqrt(slope), 0.6);
    for (int a = 0; a < 2; a++) {
        begin_case(&c, NX, NY, dx);
        for (int k = 0; k < NX * NY; k++) {
            c.bed[k] = (float)(slope * dx * (NX - k % NX));
            c.depth[k] = 0.3f;
        }
        c.def.swe.advection = advections[a];
        c.def.swe.manning = (float)n;
        c.def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
        c.def.border_level[RILL_SIDE_WEST] = (float)q;
        c.def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe_for(s, 1200.0, NULL);
        const rill_columns w = rl_swe_ops.columns(s, NULL, NULL);
        for (int i = 20; i < NX / 2; i++) { // the drain draws the end down
            assert_true(fabs((double)w.depth[w.pitch + (size_t)i] / exact - 1.0) < 0.01);
            assert_true(fabs((double)w.velocity_x[w.pitch + (size_t)i] * exact / q - 1.0) < 0.01);
        }
    }
}

// A film on a slope runs at Nusselt's speed: H = (3 nu q / (g S))^(1/3).
TEST(viscosity_holds_a_film_at_nusselts_speed)
{
    enum { NX = 60, NY = 4 };
    const double dx = 2e-3, slope = 0.17633, nu = 4e-5, film = 1e-3;
    const double q = 9.81 * slope * film * film * film / (3.0 * nu);
    for (int a = 0; a < 2; a++) {
        begin_case(&c, NX, NY, dx);
        for (int k = 0; k < NX * NY; k++) {
            c.bed[k] = (float)(slope * dx * (NX - k % NX));
            c.depth[k] = (float)(1.2 * film);
        }
        c.def.swe.advection = advections[a];
        c.def.swe.viscosity = (float)nu;
        c.def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
        c.def.border_level[RILL_SIDE_WEST] = (float)q;
        c.def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe_for(s, 60.0, NULL);
        for (int i = 15; i < NX / 2; i++)
            assert_true(fabs((double)depth_row(s, 1)[i] / film - 1.0) < 0.01);
    }
}

// ---- Reflecting faces ------------------------------------------------------------------

// Sloshing water below the top of its bank never gets onto it, whatever its velocity and however
// the bank is cut: its faces are walls. Once it stands above, it flows.
TEST(water_does_not_climb_a_bank_that_is_higher)
{
    enum { N = 40 };
    for (int a = 0; a < 2; a++)
        for (int low = 0; low < 2; low++) {
            begin_case(&c, N, N, 1.0);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const bool bank = i + j > 50;
                    c.bed[j * N + i] = bank ? (low ? 0.95f : 2.5f) : 0.0f;
                    c.depth[j * N + i] = bank ? 0.0f : 1.0f + 0.02f * (float)(i - j);
                }
            c.def.swe.advection = advections[a];
            FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
            run_swe_for(s, 60.0, NULL);
            double on_bank = 0.0;
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    on_bank += i + j > 50 ? (double)depth_row(s, j)[i] : 0.0;
            assert_true((on_bank > 0.0) == (low == 1));
        }
}

// A wall without thickness across a basin: one half stays dry to the last bit until it is opened.
TEST(marked_faces_hold_water_back)
{
    enum { N = 40 };
    for (int n = 0; n < 4; n++) {
        const int axis = n / 2;
        begin_case(&c, N, N, 0.5);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                c.depth[j * N + i] = (axis == 0 ? i : j) < 20 ? 1.0f : 0.0f;
        c.def.swe.advection = advections[n % 2];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int k = 0; k < N; k++)
            rl_swe_ops.walls->mark_face(s, axis, axis == 0 ? 19 : k, axis == 0 ? k : 19, true);
        assert_int_equal(
            rl_swe_ops.deposit(
                s, &(rl_deposit){.row = 5, .first = 5, .count = 1, .depth = &(float){3.0f}}) > 0.0,
            1);
        run_swe_for(s, 10.0, NULL);
        double beyond = 0.0;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                beyond += (axis == 0 ? i : j) < 20 ? 0.0 : (double)depth_row(s, j)[i];
        assert_true(beyond == 0.0);
        for (int k = 0; k < N; k++)
            rl_swe_ops.walls->mark_face(s, axis, axis == 0 ? 19 : k, axis == 0 ? k : 19, false);
        run_swe_for(s, 10.0, NULL);
        assert_true(depth_row(s, 30)[30] > 0.1f);
    }
}

// ---- Overshooting ----------------------------------------------------------------------

TEST(crests_are_cut_only_if_asked_for_and_booked)
{
    for (int cut = 0; cut < 2; cut++) {
        begin_case(&c, 20, 20, 0.5);
        fill(1.0f);
        c.depth[10 * 20 + 10] = 5.0f;
        c.depth[10 * 20 + 11] = 4.5f;
        c.def.swe.overshoot = cut ? 0.5f : 0.0f;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        const double before = volume_of(s);
        rl_swe_ops.step(s, NULL, 1e-6, &e);
        if (cut) {
            // Along y it stands 4 m above both neighbours, more than 2 dx = 1 m: half of the way
            // down to the mean of 5 and 1 m. Its neighbour goes half of the way from 4.5 to 2.75.
            assert_true(fabsf(depth_row(s, 10)[10] - 4.0f) < 1e-3f);
            assert_true(fabs(e.corrected + (1.0 + 0.875) * 0.25) < 1e-3);
        } else {
            assert_true(e.corrected == 0.0);
        }
        assert_true(fabs(before + e.corrected - volume_of(s)) < 1e-6 * before);
    }
}

// ---- Small numbers ---------------------------------------------------------------------

// Waves that die out must not end in denormal numbers, which would slow the processor down.
TEST(decayed_water_holds_no_denormals)
{
    enum { N = 48 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 10.0 / N);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                c.bed[j * N + i] = made_bed(i, j, 10.0 / N, 0);
                c.depth[j * N + i] = fmaxf(0.4f - c.bed[j * N + i], 0.0f);
            }
        c.depth[14 * N + 14] += 0.1f;
        c.def.swe.advection = advections[a];
        c.def.swe.viscosity = 0.1f;
        for (int side = 0; side < 2; side++) {
            c.def.border[side] = RILL_BORDER_ABSORB;
            c.def.border_level[side] = 0.4f;
        }
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        for (int n = 0; n < 40; n++) {
            run_swe(s, NULL, 100, 1.0 / 60.0, NULL);
            rill_state_array arrays[RL_MAX_STATE_ARRAYS];
            const int count = rl_swe_ops.state(s, arrays);
            for (int k = 0; k < count; k++)
                for (size_t row = 0; strncmp(arrays[k].name, "marks", 5) && row < arrays[k].rows;
                     row++)
                    for (size_t i = 0; i < arrays[k].width; i++)
                        assert_int_not_equal(fpclassify(arrays[k].data[row * arrays[k].pitch + i]),
                                             FP_SUBNORMAL);
        }
    }
}
