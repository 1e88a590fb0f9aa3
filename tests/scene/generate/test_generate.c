// SPDX-License-Identifier: MIT
// test_generate.c - country from a seed: the same bits everywhere, exact heights, drained hollows.
#include "scene/generate/generate_internal.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/generate.h"
#include "rill/terrain.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// Recorded once; equal with every compiler, level of optimisation and instruction set.
#define GOLDEN_CARVED 0x441792e1bd37a691u
#define GOLDEN_RAW    0x493e15f77cedf377u

static rill_heightfield *generate(rill_heightfield_generate_def def)
{
    rill_heightfield *heightfield = NULL;
    if (rill_heightfield_generate(&def, &heightfield) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return heightfield;
}

static rill_heightfield_generate_def small_country(void)
{
    rill_heightfield_generate_def def = rill_default_heightfield_generate_def();
    def.nx = 96;
    def.ny = 80;
    def.feature_size = 160.0;
    return def;
}

// FNV-1a over the bits of the elevations, row by row.
static uint64_t hash_of(const rill_heightfield *heightfield)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++) {
            uint32_t bits;
            memcpy(&bits, &view.data[(size_t)j * view.pitch + (size_t)i], sizeof bits);
            for (int n = 0; n < 32; n += 8)
                hash = (hash ^ ((bits >> n) & 0xffu)) * 0x100000001b3u;
        }
    return hash;
}

static void range_of(const rill_heightfield *heightfield, float *low, float *high)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    *low = *high = view.data[0];
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++) {
            const float z = view.data[(size_t)j * view.pitch + (size_t)i];
            assert_true(isfinite(z));
            *low = z < *low ? z : *low;
            *high = z > *high ? z : *high;
        }
}

// Cells lower than all eight neighbours, per cell.
static double pit_fraction(const rill_heightfield *heightfield)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    int pits = 0;
    for (int j = 1; j < view.ny - 1; j++)
        for (int i = 1; i < view.nx - 1; i++) {
            const float *z = view.data + (size_t)j * view.pitch + (size_t)i;
            const ptrdiff_t up = (ptrdiff_t)view.pitch;
            pits += z[0] < z[1] && z[0] < z[-1] && z[0] < z[up] && z[0] < z[-up] &&
                    z[0] < z[up + 1] && z[0] < z[up - 1] && z[0] < z[-up + 1] && z[0] < z[-up - 1];
        }
    return (double)pits / ((double)(view.nx - 2) * (double)(view.ny - 2));
}

TEST(a_seed_gives_the_same_bits_on_every_machine)
{
    rill_heightfield *carved = generate(small_country());
    rill_heightfield_generate_def def = small_country();
    def.valleys = 0.0;
    def.ridges = 0.25;
    rill_heightfield *raw = generate(def);
    if (hash_of(carved) != GOLDEN_CARVED || hash_of(raw) != GOLDEN_RAW)
        fail_msg("carved 0x%016llx, raw 0x%016llx", (unsigned long long)hash_of(carved),
                 (unsigned long long)hash_of(raw));
    rill_heightfield_destroy(&carved);
    rill_heightfield_destroy(&raw);
}

TEST(every_field_of_the_definition_changes_the_country)
{
    uint64_t hashes[8];
    for (int n = 0; n < COUNT(hashes); n++) {
        rill_heightfield_generate_def def = small_country();
        def.seed += n == 1;
        def.relief += n == 2;
        def.feature_size += n == 3 ? 20.0 : 0.0;
        def.octaves -= n == 4 ? 5 : 0;
        def.ridges += n == 5 ? 0.2 : 0.0;
        def.valleys += n == 6 ? 0.2 : 0.0;
        def.tilt += n == 7 ? 0.05 : 0.0;
        rill_heightfield *country = generate(def);
        hashes[n] = hash_of(country);
        rill_heightfield_destroy(&country);
        for (int other = 0; other < n; other++)
            assert_int_not_equal(hashes[n], hashes[other]);
    }
}

TEST(the_height_of_a_country_is_exact)
{
    static const double tilts[] = {0.0, 0.02, -0.02, 0.7};
    for (int n = 0; n < COUNT(tilts); n++)
        for (int carved = 0; carved < 2; carved++) {
            rill_heightfield_generate_def def = small_country();
            def.tilt = tilts[n];
            def.valleys = carved ? 0.6 : 0.0;
            rill_heightfield *country = generate(def);
            float low, high;
            range_of(country, &low, &high);
            assert_true(low == 0.0f);
            assert_true(high ==
                        (float)(def.relief + fabs(def.tilt) * def.cell_size * (def.ny - 1)));
            rill_heightfield_destroy(&country);
        }
}

static double mean_of_rows(const rill_heightfield *heightfield, int first, int count)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    double sum = 0.0;
    for (int j = first; j < first + count; j++)
        for (int i = 0; i < view.nx; i++)
            sum += (double)view.data[(size_t)j * view.pitch + (size_t)i];
    return sum / ((double)count * view.nx);
}

TEST(a_country_falls_from_north_to_south_by_its_tilt)
{
    rill_heightfield_generate_def def = small_country();
    def.relief = 20.0;
    def.tilt = 0.5;
    rill_heightfield *country = generate(def);
    const double fall = mean_of_rows(country, 70, 10) - mean_of_rows(country, 0, 10);
    assert_true(fall > 0.8 * 0.5 * 4.0 * 70 && fall < 1.2 * 0.5 * 4.0 * 70);
    rill_heightfield_destroy(&country);

    def.relief = 0.0;
    def.tilt = -0.25;
    country = generate(def);
    const rill_field_view view = rill_heightfield_view(country);
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++)
            assert_true(view.data[(size_t)j * view.pitch + (size_t)i] == (float)(79 - j));
    rill_heightfield_destroy(&country);
}

TEST(running_water_drains_hollows)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rill_heightfield_generate_def def = rill_default_heightfield_generate_def();
        def.nx = def.ny = 160;
        def.feature_size = 200.0;
        def.seed = seed;
        rill_heightfield *carved = generate(def);
        def.valleys = 0.0;
        rill_heightfield *raw = generate(def);
        assert_true(pit_fraction(raw) > 1e-3);
        assert_true(pit_fraction(carved) < 0.4 * pit_fraction(raw));
        rill_heightfield_destroy(&carved);
        rill_heightfield_destroy(&raw);
    }
}

// Cells that stand under water when every hollow is full to its sill, per cell; and the deepest of
// those steps by which a cell lies below all its eight neighbours, metres.
static double wet_fraction(const rill_heightfield *heightfield, float *deepest_pit)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    const size_t nx = (size_t)view.nx, cells = nx * (size_t)view.ny;
    const rl_neighbours neighbours = rl_neighbours_of(view.nx);
    float *z = malloc(cells * sizeof(float));
    rl_flow flow;
    assert_non_null(z);
    assert_true(rl_flow_create(NULL, cells, &flow));
    for (size_t c = 0; c < cells; c++)
        z[c] = view.data[c / nx * view.pitch + c % nx];
    rl_flow_flood(&flow, z, view.nx, view.ny, 0.0f);
    size_t wet = 0;
    *deepest_pit = 0.0f;
    for (size_t c = 0; c < cells; c++) {
        wet += flow.level[c] > z[c];
        if (c % nx == 0 || c % nx == nx - 1 || c < nx || c >= cells - nx)
            continue;
        float least = INFINITY;
        for (int k = 0; k < 8; k++)
            least = fminf(least, z[(ptrdiff_t)c + neighbours.step[k]] - z[c]);
        *deepest_pit = fmaxf(*deepest_pit, least);
    }
    rl_flow_destroy(NULL, &flow);
    free(z);
    return (double)wet / (double)cells;
}

TEST(some_hollows_stay_as_lakes_with_even_beds)
{
    double wet = 0.0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rill_heightfield_generate_def def = rill_default_heightfield_generate_def();
        def.seed = seed;
        rill_heightfield *country = generate(def);
        float deepest_pit;
        wet += wet_fraction(country, &deepest_pit) / 4.0;
        assert_true(deepest_pit < 0.0025f * (float)def.relief);
        rill_heightfield_destroy(&country);
    }
    assert_true(wet > 0.005 && wet < 0.15);
}

// Rows of the same country should be no smoother and no rougher than its columns.
TEST(no_direction_of_the_grid_is_preferred)
{
    double across = 0.0, along = 0.0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rill_heightfield_generate_def def = rill_default_heightfield_generate_def();
        def.nx = def.ny = 160;
        def.feature_size = 160.0;
        def.tilt = 0.0;
        def.seed = seed;
        rill_heightfield *country = generate(def);
        const rill_field_view view = rill_heightfield_view(country);
        for (int j = 0; j + 1 < view.ny; j++)
            for (int i = 0; i + 1 < view.nx; i++) {
                const float *z = view.data + (size_t)j * view.pitch + (size_t)i;
                across += fabs((double)z[1] - (double)z[0]);
                along += fabs((double)z[view.pitch] - (double)z[0]);
            }
        rill_heightfield_destroy(&country);
    }
    assert_true(across / along > 0.85 && across / along < 1.18);
}

TEST(odd_definitions_give_sound_countries)
{
    for (int n = 0; n < 9; n++) {
        rill_heightfield_generate_def def = small_country();
        def.nx = n == 0 ? 4 : n == 1 ? 300 : 33;
        def.ny = n == 0 ? 4 : n == 1 ? 5 : 47;
        def.feature_size = n == 2 ? 1e-300 : n == 3 ? 1e300 : 160.0;
        def.cell_size = n == 4 ? 1e-9 : n == 5 ? 1e3 : 4.0;
        def.octaves = n == 6 ? 1 : 16;
        def.ridges = n == 7 ? 0.0 : 1.0;
        def.valleys = 1.0;
        def.relief = n == 8 ? 1e-3 : 900.0;
        rill_heightfield *country = generate(def);
        float low, high;
        range_of(country, &low, &high);
        assert_true(low == 0.0f && high > 0.0f);
        rill_heightfield_destroy(&country);
    }
}

TEST(the_generator_refuses_nonsense)
{
    static const char *const words[] = {"size",    "size",    "cell_size", "feature_size",
                                        "octaves", "octaves", "ridges",    "valleys",
                                        "tilt",    "relief",  "relief",    "relief"};
    for (int n = 0; n < COUNT(words); n++) {
        rill_heightfield_generate_def def = small_country();
        def.nx = n == 0 ? 3 : n == 1 ? RILL_MAX_SIDE : def.nx;
        def.ny = n == 1 ? RILL_MAX_SIDE : def.ny;
        def.cell_size = n == 2 ? -1.0 : def.cell_size;
        def.feature_size = n == 3 ? NAN : def.feature_size;
        def.octaves = n == 4 ? 0 : n == 5 ? 17 : def.octaves;
        def.ridges = n == 6 ? 1.5 : def.ridges;
        def.valleys = n == 7 ? NAN : def.valleys;
        def.tilt = n == 8 ? -2.0 : def.tilt;
        def.relief = n == 9 ? -1.0 : n == 10 ? NAN : n == 11 ? INFINITY : def.relief;
        rill_heightfield *out = NULL;
        assert_int_equal(rill_heightfield_generate(&def, &out), RILL_BAD_DEF);
        assert_sentence_has(words[n]);
        assert_null(out);
    }
    rill_heightfield *out = NULL;
    assert_int_equal(rill_heightfield_generate(NULL, &out), RILL_BAD_ARGUMENT);
}

TEST(the_generator_gives_back_all_memory_when_there_is_too_little)
{
    for (int fail_at = 1;; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rill_heightfield_generate_def def = small_country();
        def.nx = def.ny = 16;
        def.host = &host;
        rill_heightfield *out = NULL;
        const rill_status status = rill_heightfield_generate(&def, &out);
        if (status == RILL_OK) {
            assert_true(fail_at > 4);
            rill_heightfield_destroy(&out);
            assert_int_equal(count.bytes, 0);
            break;
        }
        assert_int_equal(status, RILL_NO_MEMORY);
        assert_null(out);
        assert_int_equal(count.bytes, 0);
    }
}

TEST(gradient_noise_is_smooth_and_centred)
{
    double sum = 0.0, largest = 0.0;
    for (int n = 0; n < 40000; n++) {
        const double x = 0.173 * (n % 200) - 9.0, y = 0.171 * (n / 200) - 7.0;
        const double here = rl_noise_gradient(7u, x, y);
        sum += here;
        largest = fabs(here) > largest ? fabs(here) : largest;
        assert_true(fabs(rl_noise_gradient(7u, x + 1e-4, y) - here) < 1e-3);
        assert_true(fabs(rl_noise_gradient(7u, x, y + 1e-4) - here) < 1e-3);
    }
    assert_true(fabs(sum / 40000.0) < 0.02);
    assert_true(largest > 0.6 && largest < 1.2);
    assert_true(rl_noise_gradient(7u, -3.0, 5.0) == 0.0);
}

// A bowl behind a sill in a wall: the flood must stand at the height of the sill.
TEST(a_flood_fills_a_bowl_to_its_sill)
{
    enum { N = 16 };
    float z[N * N];
    for (int c = 0; c < N * N; c++) {
        const int i = c % N, j = c / N;
        const int ring = abs(2 * i - (N - 1)) > abs(2 * j - (N - 1)) ? abs(2 * i - (N - 1))
                                                                     : abs(2 * j - (N - 1));
        z[c] = ring == 11 ? 8.0f : ring > 11 ? 1.0f : 2.0f;
    }
    z[2 * N + 7] = 5.0f; // the sill: ring 11 is row 2
    rl_flow flow;
    assert_true(rl_flow_create(NULL, N * N, &flow));
    rl_flow_flood(&flow, z, N, N, 1e-4f);
    const rl_neighbours neighbours = rl_neighbours_of(N);
    for (int j = 3; j < 13; j++)
        for (int i = 3; i < 13; i++) {
            float shares[8], sum = 0.0f;
            const size_t c = (size_t)(j * N + i);
            assert_true(flow.level[c] > 5.0f && flow.level[c] < 5.01f);
            rl_flow_shares(&flow, &neighbours, c, shares);
            for (int k = 0; k < 8; k++)
                sum += shares[k];
            assert_true(fabsf(sum - 1.0f) < 1e-5f);
        }
    for (int n = 1; n < N * N; n++)
        assert_true(flow.level[flow.order[n - 1]] <= flow.level[flow.order[n]]);
    rl_flow_destroy(NULL, &flow);
}
