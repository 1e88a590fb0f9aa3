// SPDX-License-Identifier: MIT
// The three sets of texture coordinates, each for itself: that none is left out of the weight, nor
// of the blend; and how far the texture that they read draws its crests together (chop).
#include "tests/kit/counting_host.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "waves/advected.h"

#include "rill/support.h"

#include <string.h>

#define NX     37
#define NY     41
#define PITCH  (NX + 3)
#define DX     0.1f
#define SETS   3
#define PERIOD 3.0f
#define TURN   6.283185307179586

#include "tests/waves/flows.h"

static rl_advected *make(float stretch, float chop, rl_isa isa)
{
    const rill_waves_def def = {.size = 16,
                                .wind = 4,
                                .wind_direction = 30,
                                .height = 1,
                                .stretch = stretch,
                                .period = PERIOD,
                                .chop = chop};
    rl_advected *waves = NULL;
    assert_ok(rl_advected_create(&def, NX, NY, DX, 9.81f, 1, isa, NULL, &waves));
    for (int n = 0; n < NY * PITCH; n++) {
        water.depth[n] = 1.0f;
        water.u[n] = water.v[n] = 0.0f;
    }
    // Water at rest moves no coordinates, but makes the cells wet.
    const rill_columns columns = columns_of(&water);
    rl_advected_step(waves, NULL, &columns, 1e-3, 1e-3);
    return waves;
}

// Shears each set along x by its own amount: s = x + shear[k] y.
static void shear_sets(rl_advected *waves, const double shear[SETS])
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    rl_advected_state(waves, arrays);
    for (int k = 0; k < SETS; k++)
        for (size_t j = 0; j < NY; j++)
            for (size_t i = 0; i < NX; i++) {
                const size_t at = j * arrays[2 * k].pitch + i;
                arrays[2 * k].data[at] = (float)(shear[k] * (double)DX * ((double)j - NY / 2));
                arrays[2 * k + 1].data[at] = 0.0f;
            }
}

// mu of a shear by c, by hand: (c^2 + c sqrt(c^2 + 4)) / 4 for the map and for its inverse.
static double strain_of(double c)
{
    return (c * c + fabs(c) * sqrt(c * c + 4)) / 4;
}

static void assert_weight(rl_advected *waves, double want)
{
    const rill_waves view = rl_advected_view(waves, NULL, 0.4);
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++)
            assert_true(fabs((double)view.weight[j * view.pitch + i] - want) < 2e-4);
}

// ---- The weight ------------------------------------------------------------------------------

// mu is the largest of the three: with one set sheared alone the weight is that set's.
TEST(each_set_alone_fades_the_waves)
{
    const double shears[] = {0.3, -0.7, 1.2};
    FOR_EACH_ISA (isa)
        for (int k = 0; k < SETS; k++)
            for (int n = 0; n < 3; n++) {
                SCOPED(rl_advected) *waves = make(1, 1, isa);
                double shear[SETS] = {0};
                shear[k] = shears[n];
                shear_sets(waves, shear);
                assert_weight(waves, exp(-strain_of(shears[n])));
            }
}

// Neither the sum nor the mean: whichever set is strained most decides, wherever it stands.
TEST(the_most_strained_set_decides)
{
    static const int orders[][SETS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const double shears[SETS] = {0.2, 0.5, 0.9};
    for (size_t n = 0; n < sizeof orders / sizeof orders[0]; n++) {
        SCOPED(rl_advected) *waves = make(2, 1, best_isa());
        double shear[SETS];
        for (int k = 0; k < SETS; k++)
            shear[k] = shears[orders[n][k]];
        shear_sets(waves, shear);
        assert_weight(waves, exp(-2 * strain_of(0.9)));
    }
}

// ---- The blend -------------------------------------------------------------------------------

// w_k = (1 - cos 2 pi (t - t_k) / tau) / 3, t_k the last time at which the set was laid anew; set k
// is laid anew a third of the period after set k - 1.
TEST(each_set_is_blended_by_the_time_since_it_was_laid_anew)
{
    SCOPED(rl_advected) *waves = make(1, 1, best_isa());
    double most[SETS] = {0};
    for (int n = 0; n < 700; n++) {
        const double time = 0.013 * n;
        const rill_waves view = rl_advected_view(waves, NULL, time);
        for (int k = 0; k < SETS; k++) {
            double since = fmod(time - k * (double)PERIOD / SETS, (double)PERIOD);
            since += since < 0 ? (double)PERIOD : 0;
            const double want = (1 - cos(TURN * since / (double)PERIOD)) / 3;
            assert_true(fabs((double)view.blend[k] - want) < 1e-6);
            most[k] = fmax(most[k], (double)view.blend[k]);
        }
    }
    for (int k = 0; k < SETS; k++)
        assert_true(fabs(most[k] - 2.0 / 3) < 1e-3); // each is seen best once a period
}

// ---- Chop ------------------------------------------------------------------------------------

// The Hilbert transform of the heights along one axis (Riesz's, in two dimensions), by direct sums:
// each wave exp(ikx) gets the factor i k / |k|.
static void hilbert(const rill_sea_view *view, int axis, double *out)
{
    enum { N = 16 };
    memset(out, 0, N * N * sizeof *out);
    for (int ky = 1 - N / 2; ky < N / 2; ky++)
        for (int kx = 1 - N / 2; kx < N / 2; kx++) {
            const double factor =
                kx == 0 && ky == 0 ? 0 : (axis == 0 ? kx : ky) / sqrt(kx * kx + ky * ky);
            double re = 0, im = 0;
            for (int n = 0; n < N * N; n++) {
                const double angle = TURN * (kx * (n % N) + ky * (n / N)) / N;
                re += (double)view->height[n] * cos(angle) / (N * N);
                im -= (double)view->height[n] * sin(angle) / (N * N);
            }
            for (int n = 0; n < N * N; n++) {
                const double angle = TURN * (kx * (n % N) + ky * (n / N)) / N;
                out[n] -= factor * (re * sin(angle) + im * cos(angle)); // Re i H exp(ikx)
            }
        }
}

TEST(points_move_by_chop_times_the_hilbert_transform_of_the_heights)
{
    const double chops[] = {0, 0.5, 1, 2};
    SCOPED(rl_advected) *plain = make(1, 0, best_isa());
    const rill_waves flat = rl_advected_view(plain, NULL, 1.7);
    double across[16 * 16], along[16 * 16];
    hilbert(&flat.texture, 0, along);
    hilbert(&flat.texture, 1, across);
    const double deviation = sqrt(flat.texture.variance);
    assert_true(flat.texture.size == 16 && deviation > 1e-5);
    for (size_t n = 0; n < sizeof chops / sizeof chops[0]; n++) {
        SCOPED(rl_advected) *waves = make(1, (float)chops[n], best_isa());
        const rill_sea_view view = rl_advected_view(waves, NULL, 1.7).texture;
        assert_memory_equal(view.height, flat.texture.height, 16 * 16 * sizeof(float));
        double moved = 0;
        for (int p = 0; p < 16 * 16; p++) {
            assert_true(fabs((double)view.shift_x[p] - chops[n] * along[p]) < 1e-4 * deviation);
            assert_true(fabs((double)view.shift_y[p] - chops[n] * across[p]) < 1e-4 * deviation);
            moved = fmax(moved, fabs((double)view.shift_x[p]));
        }
        assert_true(chops[n] > 0 ? moved > 0.3 * chops[n] * deviation : moved == 0);
    }
}
