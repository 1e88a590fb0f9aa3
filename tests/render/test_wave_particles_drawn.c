// SPDX-License-Identifier: MIT
// test_wave_particles_drawn.c - waves that drift on a river on their way to the picture (004
// chapter 4): no seam between pages at any level of detail, only what has changed is packed, and
// the picture shows them, the sediment, and where their particles were born.
#include "render/half.h"
#include "render/output/headless.h"
#include "tests/kit/kit.h"
#include "tests/render/headless_group.h"

#include "tests/render/models/river_model.h"

#define NX     64
#define NY     96
#define CELL   10.0
#define WIDTH  320
#define HEIGHT 180
#define BYTES  (WIDTH * HEIGHT * 3)

// Long enough for central differences over two texels of 2.5 m to be right to (k t)^2 / 6 = 1 %.
static double swell(double x, double y)
{
    return 0.3 * sin(0.07 * x + 0.07 * y) + 0.2 * cos(0.1 * x - 0.04 * y);
}

static double swell_slope_x(double x, double y)
{
    return 0.3 * 0.07 * cos(0.07 * x + 0.07 * y) - 0.2 * 0.1 * sin(0.1 * x - 0.04 * y);
}

static double still_water(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return 0.0;
}

static river_model *waving(int cells, int texels, river_waves waves)
{
    river_model *m = river_model_make(NX, NY, CELL);
    river_model_lay_pages(m, cells, texels);
    river_model_wave(m, waves);
    river_model_take(m, false);
    return m;
}

// Texel (a, b) of a level of a layer.
static const uint16_t *texel_at(const frame_wave_particles *d, int layer, int level, int a, int b)
{
    const uint16_t *at = d->layers + 4 * (size_t)layer * frame_wave_layer_texels(d);
    for (int k = 0; k < level; k++)
        at += 4 * (size_t)(d->side >> k) * (size_t)(d->side >> k);
    return at + 4 * ((size_t)b * (size_t)(d->side >> level) + (size_t)a);
}

// ---- Pages -----------------------------------------------------------------------------

TEST(layers_have_heights_and_slopes_of_the_waves)
{
    SCOPED(river_model) *m = waving(16, 4, swell);
    const frame_wave_particles *d = &m->frame_data->wave_particles;
    assert_true(d->shown && d->side == 72 && d->levels == 3);
    // A page in the middle of the river: all of its neighbours along it are there.
    const int i = 1, j = 2, layer = m->index[j * m->wave_particles.tiles_x + i];
    assert_true(layer >= 0 && layer == (int)d->index[j * d->tiles_x + i]);
    for (int n = 0; n < 64 * 64; n++) {
        const double x = (i * 64 + n % 64 + 0.5) * 2.5, y = (j * 64 + n / 64 + 0.5) * 2.5;
        const uint16_t *t = texel_at(d, layer, 0, 4 + n % 64, 4 + n / 64);
        assert_true(fabs((double)half_to_float(t[0]) - swell(x, y)) < 1e-3);
        assert_true(fabs((double)half_to_float(t[1]) - swell_slope_x(x, y)) < 1e-3);
    }
}

// The rim of a layer is what its neighbour has there, to the bit, down to a texel a cell: then what
// is interpolated on both sides of the edge is the same.
TEST(pages_meet_without_a_seam_at_every_level)
{
    static const int texels[] = {1, 2, 3, 4, 8};
    int compared = 0;
    for (size_t n = 0; n < sizeof texels / sizeof texels[0]; n++) {
        SCOPED(river_model) *m = waving(16, texels[n], swell);
        const frame_wave_particles *d = &m->frame_data->wave_particles;
        for (int place = 0; place + 1 < d->tiles_x * d->tiles_y; place++) {
            const int west = (int)d->index[place], east = (int)d->index[place + 1];
            if (place % d->tiles_x + 1 == d->tiles_x || west < 0 || east < 0)
                continue;
            for (int level = 0; level < d->levels; level++) {
                const int rim = texels[n] >> level, side = d->side >> level;
                const int inside = side - 2 * rim;
                if (rim << level != texels[n])
                    continue;
                for (int b = rim; b < side - rim; b++)
                    for (int a = 0; a < rim - 1 + (level == 0 && rim == 1); a++) {
                        assert_memory_equal(texel_at(d, west, level, rim + inside + a, b),
                                            texel_at(d, east, level, rim + a, b), 8);
                        compared++;
                    }
            }
        }
    }
    assert_true(compared > 1000);
}

TEST(only_pages_that_changed_are_packed_anew)
{
    SCOPED(river_model) *m = waving(8, 4, swell);
    frame_wave_particles *d = &m->frame_data->wave_particles;
    FREED(uint32_t) *before = calloc((size_t)d->tile_count, sizeof *before);
    assert_non_null(before);
    memcpy(before, d->version, (size_t)d->tile_count * sizeof *before);
    river_model_take(m, false);
    assert_memory_equal(before, d->version, (size_t)d->tile_count * sizeof *before);
    const int i = 4, j = 6, tile = m->index[j * d->tiles_x + i];
    assert_true(tile >= 0);
    m->tiles[(size_t)tile * (size_t)m->wave_particles.tile_side *
                 (size_t)m->wave_particles.tile_side +
             40] += 1.0f;
    river_model_take(m, false);
    for (int place = 0; place < d->tiles_x * d->tiles_y; place++) {
        const int layer = m->index[place];
        const bool near = abs(place % d->tiles_x - i) <= 1 && abs(place / d->tiles_x - j) <= 1;
        if (layer >= 0)
            assert_true((d->version[layer] != before[layer]) == near);
    }
}

// ---- Pictures --------------------------------------------------------------------------

// From above the river down its course.
static shot over_the_river(void)
{
    return (shot){.camera = {{430.0, 300.0, RIVER_LEVEL + 15.0}, {330.0, 520.0, RIVER_LEVEL}, 50.0},
                  .width = WIDTH,
                  .height = HEIGHT,
                  .samples = 1};
}

static rill_view calm(void)
{
    rill_view look = rill_default_view();
    look.wind = 0.0;
    look.clouds = 0.0;
    return look;
}

static int differing(const uint8_t *a, const uint8_t *b, int least)
{
    int count = 0;
    for (int n = 0; n < BYTES; n++)
        count += abs(a[n] - b[n]) > least;
    return count;
}

static void draw(const river_model *m, uint8_t *rgb)
{
    const rill_view look = calm();
    const shot asked = over_the_river();
    river_model_draw(m, &look, &asked, true, rgb);
}

TEST(the_picture_shows_the_waves)
{
    static uint8_t flat[BYTES], waves[BYTES], again[BYTES];
    SCOPED(river_model) *m = waving(16, 4, still_water);
    draw(m, flat);
    river_model_wave(m, swell);
    river_model_take(m, false);
    draw(m, waves);
    draw(m, again);
    assert_memory_equal(waves, again, BYTES);
    assert_true(differing(flat, waves, 8) > BYTES / 20);
}

// The same waves in pages of another size make the same picture: nothing shows where a page ends.
TEST(no_page_shows_in_the_picture)
{
    static uint8_t large[BYTES], small[BYTES];
    river_model *m = waving(32, 4, swell);
    draw(m, large);
    river_model_destroy(&m);
    m = waving(8, 4, swell);
    draw(m, small);
    river_model_destroy(&m);
    // Pages beside the river are not the same ones, so that the last texels at the shore may
    // differ.
    const int off = differing(large, small, 3);
    print_message("%d of %d channels differ\n", off, BYTES);
    assert_true(off < BYTES / 1000);
}

// A river deep enough is the same over a white and over a black bed.
TEST(sediment_hides_the_bed_from_a_depth_on)
{
    static uint8_t seen[2][2][BYTES]; // fog, ground
    static const rill_ground_material grounds[2] = {RILL_GROUND_CERAMIC, RILL_GROUND_WOOD};
    SCOPED(river_model) *m = waving(16, 4, still_water);
    shot asked = over_the_river();
    // Straight down onto the middle of the river, where it is 8 m deep.
    asked.camera = (camera){{320.0, 489.0, RIVER_LEVEL + 60.0}, {320.0, 490.0, RIVER_LEVEL}, 20.0};
    for (int fog = 0; fog < 2; fog++)
        for (int k = 0; k < 2; k++) {
            rill_view look = calm();
            look.ground = grounds[k];
            assert_ok(rill_liquid_find("water", &look.liquid));
            look.fog_begin = fog != 0 ? 3.0 : 0.0;
            look.fog_end = fog != 0 ? 5.0 : 0.0;
            river_model_draw(m, &look, &asked, true, seen[fog][k]);
        }
    const int middle = 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    const int clear = abs(seen[0][0][middle + 2] - seen[0][1][middle + 2]);
    const int hidden = abs(seen[1][0][middle + 2] - seen[1][1][middle + 2]);
    print_message("bed differs by %d without, by %d with sediment\n", clear, hidden);
    assert_true(clear > 20);
    assert_true(hidden <= 1);
}

// ---- Births ----------------------------------------------------------------------------

TEST(particles_are_drawn_where_they_are_in_the_colour_of_their_birth)
{
    static uint8_t seen[BYTES];
    // Two that were born in one place, one far from it; one that does not count any more.
    static const float x[4] = {290.0f, 310.0f, 330.0f, 350.0f}, y[4] = {490, 490, 490, 490};
    static const float birth_x[4] = {300.0f, 300.0f, 640.0f, 640.0f},
                       birth_y[4] = {480, 480, 480, 480};
    static const float weight[4] = {1.0f, 1.0f, 1.0f, 0.0f};
    SCOPED(river_model) *m = waving(16, 4, still_water);
    m->wave_particles.count = 4;
    m->wave_particles.x = x;
    m->wave_particles.y = y;
    m->wave_particles.birth_x = birth_x;
    m->wave_particles.birth_y = birth_y;
    m->wave_particles.weight = weight;
    river_model_take(m, true);
    assert_int_equal(m->frame_data->wave_particles.birth_count, 4);
    shot asked = over_the_river();
    asked.camera = (camera){{320.0, 489.9, RIVER_LEVEL + 200.0}, {320.0, 490.0, RIVER_LEVEL}, 30.0};
    asked.painted = OVERLAY_BIRTHS;
    const rill_view look = calm();
    river_model_draw(m, &look, &asked, true, seen);
    const double pixels = 0.5 * HEIGHT / tan(15.0 * 3.14159265358979 / 180.0) / 200.0;
    const uint8_t *at[4];
    for (int k = 0; k < 4; k++)
        at[k] = &seen[3 * (HEIGHT / 2 * WIDTH + WIDTH / 2 +
                           (int)lround(((double)x[k] - 320.0) * pixels))];
    int same = 0, other = 0, bright = 0, dim = 0;
    for (int k = 0; k < 3; k++) {
        same += abs(at[0][k] - at[1][k]);
        other += abs(at[0][k] - at[2][k]);
        bright += at[2][k];
        dim += at[3][k];
    }
    assert_true(same <= 12);
    assert_true(other > 80);
    assert_true(2 * dim < bright);
}

TEST(no_births_are_carried_unless_they_are_asked_for)
{
    SCOPED(river_model) *m = waving(16, 4, still_water);
    assert_int_equal(m->frame_data->wave_particles.birth_count, 0);
    assert_false(overlay_has_scale(OVERLAY_BIRTHS));
    assert_true(overlay_has_scale(OVERLAY_SPEED));
}
