// SPDX-License-Identifier: MIT
// Fine waves that the flow carries: flows whose texture coordinates are known, the strain they
// give, and what must not show: threads, instruction sets, shores, snapshots.
#include "tests/kit/counting_host.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "waves/advected.h"

#include "rill/support.h"

#define NX      53
#define NY      71
#define PITCH   (NX + 3) // rows of columns need not be aligned
#define DX      0.1f
#define FOREVER 1e6f

#include "tests/waves/flows.h"

// u = u0 + gradient (x - centre), in metres from the centre of the grid.
static void set_linear(flow *f, double u0, double v0, const double gradient[4])
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double x = (double)DX * (i - NX / 2), y = (double)DX * (j - NY / 2);
            f->depth[j * PITCH + i] = 1.0f;
            f->u[j * PITCH + i] = (float)(u0 + gradient[0] * x + gradient[1] * y);
            f->v[j * PITCH + i] = (float)(v0 + gradient[2] * x + gradient[3] * y);
        }
}

static rill_waves_def a_def(float stretch, float period)
{
    return (rill_waves_def){.size = 16,
                            .wind = 4,
                            .wind_direction = 30,
                            .height = 1,
                            .stretch = stretch,
                            .period = period};
}

static rl_advected *make(rill_waves_def def)
{
    rl_advected *waves = NULL;
    assert_ok(rl_advected_create(&def, NX, NY, DX, 9.81f, 1, best_isa(), NULL, &waves));
    return waves;
}

static double run(rl_advected *waves, const flow *f, int steps, double dt, double time)
{
    const rill_columns columns = columns_of(f);
    for (int n = 0; n < steps; n++) {
        time += dt;
        rl_advected_step(waves, NULL, &columns, dt, time);
    }
    return time;
}

static double at(const rill_waves *view, const float *field, int i, int j)
{
    return (double)field[(size_t)j * view->pitch + (size_t)i];
}

// mu of a shear by c: both for the map and for its inverse, whose determinants are 1.
static double shear_strain(double c)
{
    return (c * c + c * sqrt(c * c + 4)) / 4;
}

// ---- Known flows -----------------------------------------------------------------------------

TEST(a_uniform_flow_carries_the_texture_at_its_speed)
{
    const double none[4] = {0};
    const double speeds[][2] = {{1.3, -0.7}, {0, 0}, {-2.5, 4.0}, {20.4, 3.0}, {300, -250}};
    for (size_t n = 0; n < sizeof speeds / sizeof speeds[0]; n++) {
        SCOPED(rl_advected) *waves = make(a_def(1, FOREVER));
        set_linear(&water, speeds[n][0], speeds[n][1], none);
        const double time = run(waves, &water, 60, 1.0 / 60, 0);
        const rill_waves view = rl_advected_view(waves, NULL, time);
        assert_true(view.nx == NX && view.ny == NY);
        // One rounding a move, of which there is one for each cell that is crossed.
        const double size = hypot(speeds[n][0], speeds[n][1]), moves = 60 * (1 + size / 6);
        const double worst = 1e-7 * moves * (size + 0.01);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                for (int k = 0; k < 3; k++) {
                    assert_true(fabs(at(&view, view.s[k], i, j) + speeds[n][0]) < worst);
                    assert_true(fabs(at(&view, view.t[k], i, j) + speeds[n][1]) < worst);
                }
                assert_true(fabs(at(&view, view.weight, i, j) - 1) < 1e-4);
            }
    }
}

// Rounding alone may strain: a step turns by theta = 1/40 and stretches by theta^4/8, to first
// order in time it would be theta^2/2 and the weight 0.98 after this second.
TEST(a_vortex_turns_the_texture_and_its_weight_stays_1)
{
    const double turn = 1.5, spin[4] = {0, -turn, turn, 0};
    SCOPED(rl_advected) *waves = make(a_def(1, FOREVER));
    set_linear(&water, 0, 0, spin);
    const double time = run(waves, &water, 60, 1.0 / 60, 0);
    const rill_waves view = rl_advected_view(waves, NULL, time);
    // What lies beyond the border is not known, and comes in by 1.5 rad x radius.
    for (int j = NY / 2 - 8; j <= NY / 2 + 8; j++)
        for (int i = NX / 2 - 8; i <= NX / 2 + 8; i++) {
            const double x = (double)DX * (i - NX / 2), y = (double)DX * (j - NY / 2);
            const double c = cos(turn * time), s = sin(turn * time);
            assert_true(fabs(at(&view, view.s[0], i, j) - (c * x + s * y - x)) < 1e-3);
            assert_true(fabs(at(&view, view.t[0], i, j) - (c * y - s * x - y)) < 1e-3);
            assert_true(fabs(at(&view, view.weight, i, j) - 1) < 1e-4);
        }
}

// u = S y: the coordinates are x - S t y, y. The strain of a shear by c has the eigenvalues
// (c^2 +- c sqrt(c^2 + 4)) / 4, 0.493318 for c = 0.7. The inverse map is a shear by -c, so taking
// the larger of both changes nothing.
TEST(a_shear_fades_the_waves_by_its_strain)
{
    assert_true(fabs(shear_strain(0.7) - 0.493318) < 1e-6);
    const float stretches[] = {0.0f, 0.5f, 1.0f, 2.0f, 10.0f};
    for (size_t n = 0; n < sizeof stretches / sizeof stretches[0]; n++)
        for (int fast = 0; fast < 2; fast++) {
            SCOPED(rl_advected) *waves = make(a_def(stretches[n], FOREVER));
            // Slow: c = 0.7 after 42 steps; fast: after one, with up to 25 cells in it.
            const double rate = fast ? 0.7 / 0.5 : 1.0, dt = fast ? 0.5 : 1.0 / 60;
            const double shear[4] = {0, rate, 0, 0};
            set_linear(&water, 0, 0, shear);
            const double time = run(waves, &water, fast ? 1 : 42, dt, 0);
            const rill_waves view = rl_advected_view(waves, NULL, time);
            const double want = exp(-(double)stretches[n] * shear_strain(0.7));
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++)
                    assert_true(fabs(at(&view, view.weight, i, j) - want) < 2e-4);
        }
}

// Stretched by e^at along x, the coordinates are D = e^-at: the paper's strain, (1 - e^-2at) / 2,
// would never pass one half. That of the inverse map, (e^2at - 1) / 2, does, and so a pull fades as
// a push does.
TEST(a_pull_fades_as_much_as_a_push)
{
    for (int sign = -1; sign <= 1; sign += 2)
        for (int axis = 0; axis < 2; axis++) {
            SCOPED(rl_advected) *waves = make(a_def(1, FOREVER));
            const double rate = 0.4 * sign;
            const double pull[4] = {axis == 0 ? rate : 0, 0, 0, axis == 1 ? rate : 0};
            set_linear(&water, 0, 0, pull);
            const double time = run(waves, &water, 120, 1.0 / 60, 0);
            const rill_waves view = rl_advected_view(waves, NULL, time);
            const double want = exp(-(exp(2 * 0.4 * time) - 1) / 2);
            assert_true(want < exp(-0.9)); // past what the paper's strain can give
            // A push brings in what lies beyond the border; it has not come this far.
            for (int j = NY / 2 - 5; j <= NY / 2 + 5; j++)
                for (int i = NX / 2 - 5; i <= NX / 2 + 5; i++)
                    assert_true(fabs(at(&view, view.weight, i, j) - want) < 1e-3);
        }
}

// ---- Renewal ---------------------------------------------------------------------------------

// The steps end exactly on the moments of renewal, but for rounding: none may be missed.
TEST(each_set_is_laid_anew_once_a_period_while_it_is_not_seen)
{
    const double none[4] = {0}, dt = 1.0 / 60, speed = 0.5;
    SCOPED(rl_advected) *waves = make(a_def(1, 3));
    set_linear(&water, speed, 0, none);
    double time = 0, before[3] = {0};
    int renewed[3] = {0};
    for (int n = 1; n <= 60 * 30 + 5; n++) {
        time = run(waves, &water, 1, dt, time);
        const rill_waves view = rl_advected_view(waves, NULL, time);
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            const double s = at(&view, view.s[k], 20, 30);
            sum += (double)view.blend[k];
            assert_true(view.blend[k] >= 0);
            if (fabs(s) < 1e-6) {
                // One step from the turn of the clock: (1 - cos(2 pi dt/tau)) / 3.
                assert_true((double)view.blend[k] < 2.1e-4);
                renewed[k]++;
            } else {
                assert_true(fabs(s - (before[k] - speed * dt)) < 1e-5);
            }
            assert_true(s > -speed * (3 + 1.5 * dt));
            before[k] = s;
        }
        assert_true(fabs(sum - 1) < 1e-6);
        assert_true(fabs(at(&view, view.weight, 20, 30) - 1) < 1e-4);
    }
    for (int k = 0; k < 3; k++)
        assert_int_equal(renewed[k], 10);
}

TEST(the_sum_of_the_three_sets_changes_without_a_jump)
{
    // What a point is displaced by, seen at the moments around the renewal of each set.
    const double none[4] = {0}, dt = 1e-3;
    SCOPED(rl_advected) *waves = make(a_def(1, 0.3f));
    set_linear(&water, 0.4, 0.2, none);
    double time = 0, last = 0, largest = 0;
    for (int n = 0; n < 700; n++) {
        time = run(waves, &water, 1, dt, time);
        const rill_waves view = rl_advected_view(waves, NULL, time);
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (double)view.blend[k] * sin(10 * at(&view, view.s[k], 5, 5));
        if (n > 0)
            largest = fmax(largest, fabs(sum - last));
        last = sum;
    }
    // The phases move by 10 x 0.4 x dt a step, the blends by 2 pi/3 dt/tau, each at most three
    // times; a set seen at its renewal would jump by a fifth.
    assert_true(largest < 3 * (4 * dt + 2.1 * dt / 0.3));
}

// ---- Shores ----------------------------------------------------------------------------------

// A straight river between dry banks, with an island in it, and a flow that crosses cells at an
// angle: the banks stand still, but the texture beside them must not look sheared.
TEST(dry_neighbours_make_no_strain)
{
    const double none[4] = {0};
    for (int angle = 0; angle < 2; angle++) {
        SCOPED(rl_advected) *waves = make(a_def(2, FOREVER));
        set_linear(&water, 1.2, angle ? -0.6 : 0.0, none);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                if (j < 20 || j >= 50 || (abs(i - 25) < 4 && abs(j - 35) < 4)) {
                    float *d = water.depth, *u = water.u, *v = water.v;
                    d[j * PITCH + i] = u[j * PITCH + i] = v[j * PITCH + i] = 0;
                }
        const double time = run(waves, &water, 90, 1.0 / 60, 0);
        const rill_waves view = rl_advected_view(waves, NULL, time);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const double weight = at(&view, view.weight, i, j);
                if (water.depth[j * PITCH + i] > 0)
                    assert_true(fabs(weight - 1) < 1e-3);
                else
                    assert_true(weight == 1);
            }
        assert_true(fabs(at(&view, view.s[0], 25, 45) + 1.2 * time) < 1e-4);
    }
}

// ---- What must not show ----------------------------------------------------------------------

static void set_wild(flow *f, int step)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int n = j * PITCH + i;
            f->u[n] = (float)(4 * sin(0.3 * i + 0.1 * step) * cos(0.2 * j));
            f->v[n] = (float)(9 * cos(0.25 * i) * sin(0.15 * j + 0.05 * step));
            f->depth[n] = 1.0f;
            if ((i / 5 * 7 + j / 6 * 3) % 11 == 0)
                f->depth[n] = f->u[n] = f->v[n] = 0.0f;
        }
}

static void run_wild(rl_advected *waves, rl_jobs *jobs, int first, int steps)
{
    const rill_columns columns = columns_of(&water);
    for (int n = first; n < first + steps; n++) {
        set_wild(&water, n);
        rl_advected_step(waves, jobs, &columns, 1.0 / 60, (n + 1) / 60.0);
    }
}

static void assert_same_waves(rl_advected *a, rl_advected *b, double time)
{
    rill_state_array in_a[RL_MAX_STATE_ARRAYS], in_b[RL_MAX_STATE_ARRAYS];
    const int count = rl_advected_state(a, in_a);
    assert_int_equal(count, rl_advected_state(b, in_b));
    assert_true(count >= 7);
    for (int n = 0; n < count; n++)
        for (size_t j = 0; j < in_a[n].rows; j++)
            assert_memory_equal(in_a[n].data + j * in_a[n].pitch, in_b[n].data + j * in_b[n].pitch,
                                in_a[n].width * sizeof(float));
    const rill_waves x = rl_advected_view(a, NULL, time), y = rl_advected_view(b, NULL, time);
    for (size_t j = 0; j < NY; j++)
        assert_memory_equal(x.weight + j * x.pitch, y.weight + j * y.pitch, NX * sizeof(float));
    assert_memory_equal(x.blend, y.blend, sizeof x.blend);
    assert_memory_equal(x.texture.height, y.texture.height, 16 * 16 * sizeof(float));
}

TEST(the_bits_depend_neither_on_threads_nor_on_the_instruction_set)
{
    const rill_waves_def def = a_def(1, 0.4f);
    rl_advected *want = NULL, *got = NULL;
    assert_ok(rl_advected_create(&def, NX, NY, DX, 9.81f, 1, RL_ISA_PLAIN, NULL, &want));
    run_wild(want, NULL, 0, 40);
    FOR_EACH_ISA (isa)
        for (int workers = 1; workers <= 3; workers++) {
            SCOPED(rl_jobs) *jobs = make_jobs(workers);
            assert_ok(rl_advected_create(&def, NX, NY, DX, 9.81f, 1, isa, NULL, &got));
            run_wild(got, jobs, 0, 40);
            assert_same_waves(want, got, 40 / 60.0);
            rl_advected_destroy(&got);
        }
    rl_advected_destroy(&want);
}

// The state taken from one and given to another that has lived otherwise.
TEST(the_state_brings_everything_back)
{
    const rill_waves_def def = a_def(1, 0.4f);
    SCOPED(rl_advected) *first = make(def), *second = make(def);
    run_wild(first, NULL, 0, 30);
    run_wild(second, NULL, 100, 7);
    rl_advected_view(second, NULL, 0.1);
    rill_state_array from[RL_MAX_STATE_ARRAYS], to[RL_MAX_STATE_ARRAYS];
    const int count = rl_advected_state(first, from);
    rl_advected_state(second, to);
    for (int n = 0; n < count; n++)
        for (size_t j = 0; j < from[n].rows; j++)
            memcpy(to[n].data + j * to[n].pitch, from[n].data + j * from[n].pitch,
                   from[n].width * sizeof(float));
    assert_same_waves(first, second, 0.5);
    run_wild(first, NULL, 30, 20);
    run_wild(second, NULL, 30, 20);
    assert_same_waves(first, second, 50 / 60.0);
}

TEST(a_moved_grid_takes_its_waves_along)
{
    const int shifts[][2] = {{3, 0}, {-2, 5}, {0, -7}, {NX - 1, 1 - NY}, {1, 1}};
    for (size_t n = 0; n < sizeof shifts / sizeof shifts[0]; n++) {
        const rill_waves_def def = a_def(1, FOREVER);
        SCOPED(rl_advected) *still = make(def), *moved = make(def);
        run_wild(still, NULL, 0, 10);
        run_wild(moved, NULL, 0, 10);
        const int di = shifts[n][0], dj = shifts[n][1];
        rl_advected_shift(moved, di, dj);
        const rill_waves a = rl_advected_view(still, NULL, 0), b = rl_advected_view(moved, NULL, 0);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                int fi = i + di, fj = j + dj;
                fi = fi < 0 ? 0 : (fi < NX ? fi : NX - 1);
                fj = fj < 0 ? 0 : (fj < NY ? fj : NY - 1);
                for (int k = 0; k < 3; k++) {
                    assert_true(at(&a, a.s[k], fi, fj) == at(&b, b.s[k], i, j));
                    assert_true(at(&a, a.t[k], fi, fj) == at(&b, b.t[k], i, j));
                }
                const int inner = i > 0 && j > 0 && i < NX - 1 && j < NY - 1 && i + di > 0 &&
                                  j + dj > 0 && i + di < NX - 1 && j + dj < NY - 1;
                if (inner)
                    assert_true(at(&a, a.weight, fi, fj) == at(&b, b.weight, i, j));
            }
        rl_advected_shift(moved, NX, 0);
        const rill_waves gone = rl_advected_view(moved, NULL, 0);
        assert_true(gone.s[1][0] == 0 && gone.weight[0] == 1);
    }
}

TEST(numbers_that_are_none_do_not_spread)
{
    const double none[4] = {0};
    SCOPED(rl_advected) *waves = make(a_def(1, FOREVER));
    set_linear(&water, 1, 1, none);
    water.u[30 * PITCH + 20] = NAN;
    water.v[40 * PITCH + 20] = INFINITY;
    water.u[50 * PITCH + 20] = -3e38f;
    const double time = run(waves, &water, 3, 1.0 / 60, 0);
    const rill_waves view = rl_advected_view(waves, NULL, time);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double weight = at(&view, view.weight, i, j);
            assert_true(isfinite(at(&view, view.s[0], i, j)));
            assert_true(isfinite(at(&view, view.t[2], i, j)));
            assert_true(weight >= 0 && weight <= 1.0001);
        }
}

// ---- Texture and memory ----------------------------------------------------------------------

TEST(the_texture_is_a_sea_of_waves_finer_than_the_grid)
{
    rill_waves_def def = a_def(1, 3);
    def.size = 64;
    SCOPED(rl_advected) *waves = make(def);
    const rill_sea_def sea_def = {.size = 64,
                                  .tile = (double)(16.0f * DX),
                                  .wind = 4,
                                  .wind_direction = 30,
                                  .height = 1,
                                  .longest = (double)(2.0f * DX),
                                  .depth = (double)INFINITY,
                                  .gravity = (double)9.81f,
                                  .chop = 1,
                                  .seed = 1};
    SCOPED(rl_sea) *sea = NULL;
    assert_ok(rl_sea_create(&sea_def, NULL, &sea));
    for (int n = 0; n < 3; n++) {
        rl_sea_update(sea, NULL, 1.5 * n);
        const rill_waves view = rl_advected_view(waves, NULL, 1.5 * n);
        const rill_sea_view want = rl_sea_view(sea);
        assert_true(view.texture.size == 64 && view.texture.variance == want.variance);
        assert_true(want.variance > 0);
        assert_memory_equal(view.texture.height, want.height, 64 * 64 * sizeof(float));
    }
}

TEST(they_take_memory_only_at_creation_and_give_it_back)
{
    const rill_waves_def def = a_def(1, 3);
    const double none[4] = {0};
    set_linear(&water, 1, 1, none);
    const rill_columns columns = columns_of(&water);
    int calls = 0;
    for (int fail_at = 0; fail_at == 0 || fail_at <= calls; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rl_advected *waves = NULL;
        const rill_status status =
            rl_advected_create(&def, NX, NY, DX, 9.81f, 1, RL_ISA_PLAIN, &host.allocator, &waves);
        assert_int_equal(status, fail_at > 0 ? RILL_NO_MEMORY : RILL_OK);
        if (waves != NULL) {
            calls = count.calls;
            assert_int_equal(count.bytes, rl_advected_memory(waves));
            rl_advected_step(waves, NULL, &columns, 0.02, 0.02);
            rl_advected_view(waves, NULL, 0.02);
            rl_advected_shift(waves, 1, 1);
            assert_int_equal(count.calls, calls);
            rl_advected_destroy(&waves);
        }
        assert_int_equal(count.bytes, 0);
    }
    assert_true(calls > 4);
    assert_int_equal(rl_advected_memory(NULL), 0);
}
