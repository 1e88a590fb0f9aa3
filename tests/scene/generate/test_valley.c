// SPDX-License-Identifier: MIT
// test_valley.c - ground for rivers: the generated valley, smoothing, and walls of cells without
// data.
#include "terrain/heightfield.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/files.h"
#include "rill/generate.h"
#include "rill/river.h"
#include "rill/support.h"
#include "rill/terrain.h"
#include "rill/world.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SIDE         10240.0 // of the valley, metres

// Recorded once; equal with every compiler, level of optimisation and instruction set.
#define GOLDEN_VALLEY 0xb8b5c65ba31c98b2u

static rill_heightfield *make(rill_valley_def def)
{
    rill_heightfield *valley = NULL;
    if (rill_heightfield_valley(&def, &valley) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return valley;
}

static rill_valley_def valley_of(int n)
{
    rill_valley_def def = rill_default_valley_def();
    def.nx = def.ny = n;
    def.cell_size = SIDE / n;
    return def;
}

static float at(const rill_heightfield *valley, int i, int j)
{
    const rill_field_view view = rill_heightfield_view(valley);
    return view.data[(size_t)j * view.pitch + (size_t)i];
}

// FNV-1a over the bits of the elevations, row by row.
static uint64_t hash_of(const rill_heightfield *valley)
{
    const rill_field_view view = rill_heightfield_view(valley);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++) {
            const float z = at(valley, i, j);
            uint32_t bits;
            assert_true(isfinite(z));
            memcpy(&bits, &z, sizeof bits);
            for (int n = 0; n < 32; n += 8)
                hash = (hash ^ ((bits >> n) & 0xffu)) * 0x100000001b3u;
        }
    return hash;
}

static rill_river_path *river_in(const rill_heightfield *valley, double catchment)
{
    rill_river_path_def def = rill_default_river_path_def();
    def.from = RILL_SIDE_NORTH;
    def.depth = 7.0;
    def.catchment = catchment;
    rill_river_path *path = NULL;
    if (rill_river_path_find(rill_heightfield_view(valley), rill_heightfield_cell_size(valley),
                             &def, NULL, &path) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return path;
}

// ---- Valley ----------------------------------------------------------------------------

TEST(a_valley_has_the_same_bits_on_every_machine)
{
    rill_heightfield *one = make(valley_of(96)), *two = make(valley_of(96));
    assert_int_equal(hash_of(one), hash_of(two));
    if (hash_of(one) != GOLDEN_VALLEY)
        fail_msg("0x%016llx", (unsigned long long)hash_of(one));
    rill_heightfield_destroy(&one);
    rill_heightfield_destroy(&two);
}

TEST(every_field_of_a_valley_changes_it)
{
    uint64_t hashes[13];
    for (int n = 0; n < COUNT(hashes); n++) {
        rill_valley_def def = valley_of(96);
        def.seed += n == 1;
        def.width += n == 2 ? 10.0 : 0.0;
        def.depth += n == 3;
        def.fall += n == 4 ? 1e-4 : 0.0;
        def.wavelength = n == 5 ? 2500.0 : 0.0;
        def.amplitude += n == 6 ? 20.0 : 0.0;
        def.floor_width += n == 7 ? 50.0 : 0.0;
        def.relief += n == 8;
        def.rocks = n == 9 ? 0 : 2000;
        def.bars = n == 10 ? 0.5 : 1.0;
        def.islands = n == 11 ? 0 : 2;
        def.branch = n == 12 ? 0.0 : 60.0;
        rill_heightfield *valley = make(def);
        hashes[n] = hash_of(valley);
        rill_heightfield_destroy(&valley);
        for (int other = 0; other < n; other++)
            assert_int_not_equal(hashes[n], hashes[other]);
    }
}

// A cell of a coarse grid is at the corner of four fine ones: ground between them, up to the slope
// of the steepest bank over half a cell.
TEST(coarser_grids_sample_the_same_country)
{
    rill_heightfield *fine = make(valley_of(512)), *coarse = make(valley_of(256));
    double sum = 0.0;
    for (int j = 0; j < 256; j++)
        for (int i = 0; i < 256; i++) {
            const double mean =
                0.25 * ((double)at(fine, 2 * i, 2 * j) + at(fine, 2 * i + 1, 2 * j) +
                        at(fine, 2 * i, 2 * j + 1) + at(fine, 2 * i + 1, 2 * j + 1));
            sum += fabs(mean - (double)at(coarse, i, j));
        }
    assert_true(sum / (256.0 * 256.0) < 1.0);
    rill_heightfield_destroy(&fine);
    rill_heightfield_destroy(&coarse);
}

TEST(a_valley_has_the_same_river_at_any_resolution)
{
    double lengths[3], falls[3];
    for (int n = 0; n < 3; n++) {
        const rill_valley_def def = valley_of(256 << n);
        rill_heightfield *valley = make(def);
        rill_river_path *path = river_in(valley, INFINITY);
        const rill_river_path_view view = rill_river_path_get(path);
        lengths[n] = view.length;
        falls[n] = view.fall;
        const double wet = (double)view.wet_cells * def.cell_size * def.cell_size;
        // As wide as asked, bars and islands and a wet rim of at most a cell aside.
        assert_true(fabs(wet / view.length - def.width) < 0.25 * def.width + def.cell_size);
        assert_true(view.y[0] > SIDE - def.cell_size && view.y[view.count - 1] < def.cell_size);
        assert_true(fabs(view.fall - def.fall * view.length) < 2.5);
        assert_int_equal(view.branches, 1);
        for (int k = 1; k < view.count; k++)
            assert_true(view.surface[k] <= view.surface[k - 1]);
        rill_river_path_destroy(&path);
        rill_heightfield_destroy(&valley);
    }
    for (int n = 0; n < 2; n++) {
        assert_true(fabs(lengths[n] - lengths[2]) < 0.02 * lengths[2]);
        assert_true(fabs(falls[n] - falls[2]) < 1.5);
    }
    assert_true(lengths[2] > 1.2 * SIDE); // it meanders
}

TEST(other_seeds_have_a_river_too)
{
    for (uint64_t seed = 2; seed < 10; seed++) {
        rill_valley_def def = valley_of(256);
        def.seed = seed;
        rill_heightfield *valley = make(def);
        rill_river_path *path = river_in(valley, INFINITY);
        const rill_river_path_view view = rill_river_path_get(path);
        const double wet = (double)view.wet_cells * def.cell_size * def.cell_size;
        assert_true(view.y[view.count - 1] < def.cell_size);
        assert_true(fabs(wet / view.length - def.width) < 0.5 * def.width);
        rill_river_path_destroy(&path);
        rill_heightfield_destroy(&valley);
    }
}

// The stream in the side valley starts far above the river and joins it.
TEST(the_side_valley_has_a_branch)
{
    const rill_valley_def def = valley_of(512);
    rill_heightfield *valley = make(def);
    rill_river_path *path = river_in(valley, 5e5);
    const rill_river_path_view view = rill_river_path_get(path);
    assert_true(view.branches >= 2);
    float highest = -1e30f;
    for (int j = 200; j < 340; j++)
        for (int i = 300; i < 512; i++)
            highest = fmaxf(highest, view.level.data[(size_t)j * view.level.pitch + (size_t)i]);
    assert_true(highest > view.surface[0] + 15.0f);
    rill_river_path_destroy(&path);
    rill_heightfield_destroy(&valley);
}

TEST(mistakes_in_a_valley_are_told)
{
    static const char *const names[] = {"size",       "cell_size", "width",       "depth",  "fall",
                                        "wavelength", "amplitude", "floor_width", "relief", "rocks",
                                        "bars",       "islands",   "branch"};
    for (int n = 0; n < COUNT(names); n++) {
        rill_valley_def def = valley_of(64);
        def.nx = n == 0 ? 3 : 64;
        def.cell_size = n == 1 ? (double)NAN : 160.0;
        def.width = n == 2 ? 1.0 : 220.0;
        def.depth = n == 3 ? 0.0 : 9.0;
        def.fall = n == 4 ? -0.1 : 0.001;
        def.wavelength = n == 5 ? 100.0 : 0.0;
        def.amplitude = n == 6 ? 5000.0 : 600.0;
        def.floor_width = n == 7 ? (double)NAN : 2900.0;
        def.relief = n == 8 ? -1.0 : 450.0;
        def.rocks = n == 9 ? -1 : 0;
        def.bars = n == 10 ? 2.0 : 1.0;
        def.islands = n == 11 ? 101 : 1;
        def.branch = n == 12 ? (double)INFINITY : 60.0;
        rill_heightfield *valley = NULL;
        assert_int_equal(rill_heightfield_valley(&def, &valley), RILL_BAD_DEF);
        assert_null(valley);
        assert_sentence_has(names[n]);
    }
    assert_int_equal(rill_heightfield_valley(NULL, NULL), RILL_BAD_ARGUMENT);
}

TEST(an_allocator_that_runs_dry_leaves_no_valley_behind)
{
    int failures = 0;
    rill_status status = RILL_NO_MEMORY;
    for (int fail_at = 1; status != RILL_OK && fail_at < 100; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rill_valley_def def = valley_of(16);
        def.host = &host;
        rill_heightfield *valley = NULL;
        status = rill_heightfield_valley(&def, &valley);
        assert_true(status == RILL_OK || (status == RILL_NO_MEMORY && valley == NULL));
        failures += status != RILL_OK;
        rill_heightfield_destroy(&valley);
        assert_int_equal(count.bytes, 0);
    }
    assert_in_range(failures, 8, 40);
}

// ---- Smoothing -------------------------------------------------------------------------

// What one cell becomes: its sum is kept, and its spread is that asked for.
TEST(smoothing_spreads_a_cell_by_half_its_length)
{
    static const double lengths[] = {0.5, 1.0, 2.0, 3.7, 8.0, 20.0};
    for (int n = 0; n < COUNT(lengths); n++) {
        static float z[128][128];
        memset(z, 0, sizeof z);
        z[64][64] = 1.0f;
        assert_true(rl_smooth(&z[0][0], 128, 128, 128, lengths[n], NULL));
        double sum = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
        for (int j = 0; j < 128; j++)
            for (int i = 0; i < 128; i++) {
                const double w = (double)z[j][i], x = i - 64, y = j - 64;
                assert_true(w >= -1e-9);
                sum += w;
                xx += w * x * x;
                yy += w * y * y;
                xy += w * x * y;
            }
        const double variance = 0.25 * lengths[n] * lengths[n];
        assert_true(fabs(sum - 1.0) < 1e-5);
        assert_true(fabs(xx - variance) < 1e-3 * variance && fabs(yy - variance) < 1e-3 * variance);
        assert_true(fabs(xy) < 1e-3 * variance);
    }
}

TEST(smoothing_leaves_flat_ground_and_holes_alone)
{
    float z[30][40];
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            z[j][i] = i > 10 && i < 20 && j > 8 ? NAN : 7.25f;
    assert_true(rl_smooth(&z[0][0], 40, 40, 30, 9.0, NULL));
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            assert_true(i > 10 && i < 20 && j > 8 ? isnan(z[j][i])
                                                  : fabsf(z[j][i] - 7.25f) < 1e-5f);
    assert_true(rl_smooth(&z[0][0], 40, 40, 30, 1e9, NULL));
    assert_true(fabsf(z[0][0] - 7.25f) < 1e-4f);
}

static rill_status load(rill_no_data no_data, double smoothing, rill_heightfield **out)
{
    static const char path[] = RL_TEST_TMP "/valley-holes.asc";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("ncols 6\nnrows 5\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n", file);
    for (int n = 0; n < 30; n++)
        fprintf(file, "%d%c", n == 14 || n == 15 ? -9 : n == 3 ? 90 : n, n % 6 == 5 ? '\n' : ' ');
    fclose(file);
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    def.no_data = no_data;
    def.smoothing = smoothing;
    return rill_heightfield_load(path, &def, out);
}

TEST(cells_without_data_become_the_highest_ground)
{
    rill_heightfield *ground = NULL;
    assert_int_equal(load(RILL_NO_DATA_WALL, 0.0, &ground), RILL_OK);
    assert_int_equal(rill_heightfield_filled(ground), 2);
    assert_true(at(ground, 2, 2) == 90.0f && at(ground, 3, 2) == 90.0f);
    assert_true(at(ground, 1, 2) == 13.0f && at(ground, 4, 2) == 16.0f);
    rill_heightfield_destroy(&ground);
}

TEST(a_file_is_smoothed_before_its_walls_are_built)
{
    rill_heightfield *rough = NULL, *smooth = NULL;
    assert_int_equal(load(RILL_NO_DATA_WALL, 0.0, &rough), RILL_OK);
    assert_int_equal(load(RILL_NO_DATA_WALL, 20.0, &smooth), RILL_OK);
    assert_true(at(smooth, 3, 4) < 0.6f * at(rough, 3, 4)); // the peak
    assert_true(at(smooth, 2, 2) == at(smooth, 3, 4));      // the wall is as high as what is left
    assert_true(at(smooth, 1, 1) < 40.0f);                  // and has not run into its neighbours
    rill_heightfield_destroy(&rough);
    rill_heightfield_destroy(&smooth);
    assert_int_equal(load(RILL_NO_DATA_FILL, -1.0, &smooth), RILL_BAD_DEF);
    assert_sentence_has("smoothing is -1 m");
}
