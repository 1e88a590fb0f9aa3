// SPDX-License-Identifier: MIT
// test_fine_waves.c - waves finer than the grid on their way to the picture: their textures, which
// quads are refined, and that neither the seams nor the change of detail leave holes.
#include "render/half.h"
#include "render/output/headless.h"
#include "render/passes/fine_waves_pass.h"
#include "render/passes/wave_levels.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"
#include "tests/render/headless_group.h"
#include "tests/render/models/wave_model.h"

#define PI     3.14159265358979323846
#define WIDTH  240
#define HEIGHT 135
#define BYTES  (WIDTH * HEIGHT * 3)

// ---- Textures --------------------------------------------------------------------------

// Packs one wave a cos(k x) with chop and returns its finest level.
static void pack_one(double a, double k, double chop, wave_extra extra, uint16_t *moves,
                     uint16_t *slopes)
{
    static wave_model_sea sea;
    static float scratch[8 * WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    wave_model_make_sea(2.0 * PI, 0.0, 0.0, &sea);
    assert_int_equal(wave_levels_scratch(WAVE_MODEL_SIZE), sizeof scratch / sizeof scratch[0]);
    for (int n = 0; n < WAVE_MODEL_SIZE * WAVE_MODEL_SIZE; n++) {
        const double x = n % WAVE_MODEL_SIZE * 2.0 * PI / WAVE_MODEL_SIZE;
        sea.height[n] = (float)(a * cos(k * x));
        sea.slope_x[n] = (float)(-a * k * sin(k * x));
        sea.shift_x[n] = (float)(-chop * a * sin(k * x));
    }
    wave_levels_pack(&sea.view, extra, scratch, moves, slopes);
}

TEST(slopes_are_those_of_the_shifted_surface)
{
    static uint16_t moves[4 * 2 * WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    static uint16_t slopes[4 * 2 * WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    const double a = 0.15, k = 2.0, chop = 1.0;
    pack_one(a, k, chop, WAVE_FOLD, moves, slopes);
    for (int n = 0; n < WAVE_MODEL_SIZE; n++) {
        const double x = n * 2.0 * PI / WAVE_MODEL_SIZE;
        const double fold = 1.0 - chop * a * k * cos(k * x), slope = -a * k * sin(k * x) / fold;
        // Halves have 11 bits, and central differences over a 32nd of the wave are 0.7 % short.
        assert_true(fabs((double)half_to_float(slopes[4 * n]) - slope) < 0.01);
        assert_true(fabs((double)half_to_float(slopes[4 * n + 3]) - fold) < 0.01);
        assert_true(fabs((double)half_to_float(moves[4 * n + 2]) - a * cos(k * x)) < 1e-3);
        assert_true(fabs((double)half_to_float(moves[4 * n]) + chop * a * sin(k * x)) < 1e-3);
    }
}

TEST(coarse_levels_keep_the_squares_of_slopes)
{
    static uint16_t moves[4 * 2 * WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    static uint16_t slopes[4 * 2 * WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    pack_one(0.1, 4.0, 0.0, WAVE_CURVATURE, moves, slopes);
    const size_t last = wave_levels_texels(WAVE_MODEL_SIZE) - 1;
    // A sine of slope 0.4 has a mean of 0 and a mean square of half of 0.16.
    assert_true(fabs((double)half_to_float(slopes[4 * last])) < 1e-3);
    assert_true(fabs((double)half_to_float(slopes[4 * last + 2]) - 0.08) < 1e-3);
    assert_true(fabs((double)half_to_float(moves[4 * last + 2])) < 1e-3);
    // Its crest gathers light: minus the second derivative is a k^2.
    assert_true(fabs((double)half_to_float(slopes[3]) - 1.6) < 0.05);
}

// ---- Which quads are refined -----------------------------------------------------------

#define SIDE 40

static double flat(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return 0.0;
}

// A bank that comes up to the surface.
static double bank(double x, double y)
{
    const double slope = -0.3 + 0.35 * (6.0 - hypot(x - 17.0, y - 21.0));
    return fmax(fmin(slope, 0.4), -5.0);
}

static frame_data *banked(float weight)
{
    static wave_model_sea sea;
    wave_model_make_sea(16.0, 0.25, 1.0, &sea);
    frame_data *s = wave_model_still(SIDE, 1.0, bank, flat);
    wave_model_add(s, &sea, weight, 0.0f);
    return s;
}

static void mark_quads(const frame_data *s, uint8_t refined[SIDE][SIDE])
{
    memset(refined, 0, SIDE * SIDE);
    for (size_t n = 0; n < s->waves.quad_count; n++)
        refined[s->waves.quads[n].j][s->waves.quads[n].i] = 1;
}

// How many of the first `count` indices belong to quad (i, j).
static int triangles_of(const frame_data *s, int i, int j, size_t first, size_t count)
{
    int found = 0;
    for (size_t n = first; n < first + count; n += 3) {
        int within = 0;
        for (int k = 0; k < 3; k++) {
            const float *p = s->vertices[s->indices[n + (size_t)k]].position;
            within += p[0] >= (float)i + 0.4f && p[0] <= (float)i + 1.6f &&
                      p[1] >= (float)j + 0.4f && p[1] <= (float)j + 1.6f;
        }
        found += within == 3;
    }
    return found;
}

static bool touches_coarse(uint8_t refined[SIDE][SIDE], int i, int j)
{
    for (int k = 0; k < 9; k++) {
        const int ni = i - 1 + k % 3, nj = j - 1 + k / 3;
        if (ni < 0 || nj < 0 || ni >= SIDE - 1 || nj >= SIDE - 1 || !refined[nj][ni])
            return true;
    }
    return false;
}

TEST(beside_coarse_quads_nothing_moves_and_both_meshes_are_drawn)
{
    uint8_t refined[SIDE][SIDE];
    SCOPED(frame_data) *s = banked(1.0f);
    mark_quads(s, refined);
    int seams = 0, moving = 0;
    for (int j = 0; j + 1 < SIDE; j++)
        for (int i = 0; i + 1 < SIDE; i++) {
            if (!refined[j][i])
                continue;
            float most = 0.0f;
            for (int k = 0; k < 4; k++)
                most = fmaxf(most, s->waves.points[(j + k / 2) * SIDE + i + k % 2].weight);
            moving += most > 0.9f;
            if (!touches_coarse(refined, i, j))
                continue;
            seams++;
            assert_true(most == 0.0f);
            assert_int_equal(triangles_of(s, i, j, 0, s->waves.rest_count), 2);
        }
    assert_true(seams > 100 && moving > 400);
    assert_false(refined[21][17]); // on the bank
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

TEST(sorting_keeps_every_triangle)
{
    SCOPED(frame_data) *plain = wave_model_still(SIDE, 1.0, bank, flat), *s = banked(1.0f);
    assert_int_equal(s->index_count, plain->index_count);
    size_t sum = s->waves.rest_count;
    for (size_t n = 0; n < s->waves.block_count; n++) {
        const frame_quad_block *b = &s->waves.blocks[n];
        assert_true(b->index_count == 0 || b->first_index == sum);
        sum += b->index_count;
        // Those of a block are of its own quads.
        for (uint32_t q = b->first_quad; q < b->first_quad + b->quad_count; q++) {
            const frame_quad *quad = &s->waves.quads[q];
            const int own = triangles_of(s, quad->i, quad->j, b->first_index, b->index_count) +
                            triangles_of(s, quad->i, quad->j, 0, s->waves.rest_count);
            assert_int_equal(own, 2);
        }
    }
    assert_int_equal(sum, s->index_count);
    qsort(plain->indices, plain->index_count / 3, 3 * sizeof(uint32_t), compare_triangles);
    qsort(s->indices, s->index_count / 3, 3 * sizeof(uint32_t), compare_triangles);
    assert_memory_equal(plain->indices, s->indices, s->index_count * sizeof(uint32_t));
}

TEST(without_a_texture_the_mesh_stays_as_it_is)
{
    SCOPED(frame_data) *plain = wave_model_still(SIDE, 1.0, bank, flat);
    SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, bank, flat);
    const rill_waves none = {0};
    const rill_columns columns = {.nx = SIDE, .ny = SIDE};
    assert_ok(frame_fill_waves(&none, &columns, s));
    assert_false(s->waves.shown);
    assert_memory_equal(plain->indices, s->indices, s->index_count * sizeof(uint32_t));
}

// ---- Pictures --------------------------------------------------------------------------

// Blue paint lets no light down: a hole in it is black.
static rill_view painted_look(void)
{
    rill_view look = rill_default_view();
    rill_liquid_find("paint", &look.liquid);
    look.ground = RILL_GROUND_SAND;
    look.clouds = 0.0;
    return look;
}

static int black_pixels(const uint8_t *rgb)
{
    int count = 0;
    for (int n = 0; n < WIDTH * HEIGHT; n++)
        count += rgb[3 * n + 2] < 80;
    return count;
}

static double deep_bank(double x, double y)
{
    const double away = hypot(x - 17.0, y - 21.0);
    return away < 5.0 ? -0.08 : -5.0;
}

TEST(no_hole_is_seen_where_the_detail_changes)
{
    static wave_model_sea sea;
    static uint8_t rgb[BYTES];
    wave_model_make_sea(16.0, 0.2, 1.0, &sea);
    const rill_view look = painted_look();
    SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, deep_bank, flat);
    wave_model_add(s, &sea, 1.0f, 0.0f);
    // At 14 pixels a cell the displacement ends 8 to 14 m away: in the picture are refined quads,
    // coarse ones, and the seams around a shallow place that stays coarse.
    for (int k = 0; k < 8; k++) {
        const double turn = 2.0 * PI * k / 8.0;
        const shot asked = {
            .camera = {{17.0 + 6.0 * cos(turn), 21.0 + 6.0 * sin(turn), 8.0 + 0.2 * k},
                       {17.0, 21.0, 0.0},
                       50.0},
            .width = WIDTH,
            .height = HEIGHT};
        wave_model_draw(s, &look, &asked, rgb);
        assert_int_equal(black_pixels(rgb), 0);
    }
    // Without its surface, all of it is black.
    s->index_count = s->waves.rest_count = s->waves.block_count = 0;
    const shot from_above = {
        .camera = {{20.0, 19.9, 12.0}, {20.0, 20.0, 0.0}, 50.0}, .width = WIDTH, .height = HEIGHT};
    wave_model_draw(s, &look, &from_above, rgb);
    assert_int_equal(black_pixels(rgb), WIDTH * HEIGHT);
}

// A back of water across the view.
static double back(KIT_UNUSED double x, double y)
{
    return -(y - 20.0) * (y - 20.0) / 60.0;
}

static double below_back(double x, double y)
{
    return back(x, y) - 3.0;
}

static void look_at_back(wave_model_height level, float weight, const float blend[3], uint8_t *rgb)
{
    static wave_model_sea sea;
    wave_model_make_sea(16.0, 0.2, 1.0, &sea);
    const rill_view look = painted_look();
    SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, below_back, level);
    wave_model_add_sets(s, &sea, weight, (const float[3]){0.0f, 0.0f, 0.0f}, blend);
    const shot asked = {
        .camera = {{20.0, 14.0, -0.2}, {20.0, 24.0, -0.1}, 50.0}, .width = WIDTH, .height = HEIGHT};
    wave_model_draw(s, &look, &asked, rgb);
}

// Rows between the highest and the lowest place of the water's outline before the sky, where the
// picture without water begins to differ.
static int unevenness(float weight, float first, float second, float third)
{
    static uint8_t dry[BYTES], rgb[BYTES];
    const float blend[3] = {first, second, third};
    look_at_back(below_back, 0.0f, blend, dry);
    look_at_back(back, weight, blend, rgb);
    int low = HEIGHT, high = 0;
    for (int column = 0; column < WIDTH; column++) {
        int row = 0;
        for (int far = 0; row < HEIGHT && far < 10; row++) {
            const int at = 3 * (row * WIDTH + column);
            far = abs(rgb[at] - dry[at]);
        }
        low = row < low ? row : low;
        high = row > high ? row : high;
    }
    assert_true(low > 10 && high < HEIGHT - 10);
    return high - low;
}

TEST(fine_waves_lift_the_surface_and_their_weight_can_take_it_back)
{
    // Their standard deviation is 0.08 m, some 2 pixels at the 5 m from which the outline is seen.
    const int calm = unevenness(0.0f, 0.5f, 0.3f, 0.2f), rough = unevenness(1.0f, 0.5f, 0.3f, 0.2f);
    print_message("outline of the water: %d rows of unevenness, calm %d\n", rough, calm);
    assert_true(calm <= 1);
    assert_true(rough >= 4 && rough <= 20);
    // Each of the three sets lifts it alone as all do together.
    for (int k = 0; k < 3; k++)
        assert_int_equal(unevenness(1.0f, k == 0, k == 1, k == 2), rough);
}

// Bytes that differ by more than rounding when the flow has carried the waves so far.
static int moved_bytes(float advected)
{
    static wave_model_sea sea;
    static uint8_t rgb[2][BYTES];
    wave_model_make_sea(16.0, 0.15, 1.0, &sea);
    rill_view look = rill_default_view();
    for (int k = 0; k < 2; k++) {
        SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, below_back, back);
        wave_model_add(s, &sea, 1.0f, k == 0 ? 0.0f : advected);
        const shot asked = {.camera = {{20.0, 8.0, 4.0}, {20.0, 20.0, 0.0}, 50.0},
                            .width = WIDTH,
                            .height = HEIGHT};
        wave_model_draw(s, &look, &asked, rgb[k]);
    }
    int count = 0;
    for (int n = 0; n < BYTES; n++)
        count += abs(rgb[0][n] - rgb[1][n]) > 6;
    return count;
}

TEST(waves_that_were_carried_a_whole_tile_look_the_same)
{
    assert_true(moved_bytes(16.0f) < BYTES / 200);
    assert_true(moved_bytes(2.0f) > BYTES / 10);
}

// Draws waves whose sets were carried and are blended like this.
static void draw_sets(const float advected[3], const float blend[3], uint8_t *rgb)
{
    static wave_model_sea sea;
    wave_model_make_sea(16.0, 0.15, 1.0, &sea);
    const rill_view look = rill_default_view();
    SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, below_back, back);
    wave_model_add_sets(s, &sea, 1.0f, advected, blend);
    const shot asked = {
        .camera = {{20.0, 8.0, 4.0}, {20.0, 20.0, 0.0}, 50.0}, .width = WIDTH, .height = HEIGHT};
    wave_model_draw(s, &look, &asked, rgb);
}

static int differing_bytes(const uint8_t *a, const uint8_t *b)
{
    int count = 0;
    for (int n = 0; n < BYTES; n++)
        count += abs(a[n] - b[n]) > 6;
    return count;
}

// Seen alone, each set gives the picture that all three give together when they agree; the places
// of the other two do not show.
TEST(each_of_the_three_sets_is_drawn_where_its_own_coordinates_are)
{
    static uint8_t together[BYTES], alone[BYTES], calm[BYTES];
    draw_sets((const float[3]){2.0f, 2.0f, 2.0f}, (const float[3]){0.5f, 0.3f, 0.2f}, together);
    draw_sets((const float[3]){2.0f, 2.0f, 2.0f}, (const float[3]){0.0f, 0.0f, 0.0f}, calm);
    assert_true(differing_bytes(together, calm) > BYTES / 10);
    for (int k = 0; k < 3; k++) {
        float advected[3] = {7.0f, 7.0f, 7.0f}, blend[3] = {0.0f, 0.0f, 0.0f};
        advected[k] = 2.0f;
        blend[k] = 1.0f;
        draw_sets(advected, blend, alone);
        assert_true(differing_bytes(together, alone) < BYTES / 200);
    }
}

// ---- Choppy waves ----------------------------------------------------------------------

#define WAVE_LENGTH 8.0
#define AMPLITUDE   0.3

static double train(double x, KIT_UNUSED double y)
{
    return AMPLITUDE * sin(2.0 * PI * x / WAVE_LENGTH);
}

static double shallow(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return -1.0;
}

// How red the overlay is beside green, in the middle row of a picture from straight above: it grows
// with the depth between green and yellow.
static void red_part(const frame_data *s, double choppiness, double part[WIDTH])
{
    static uint8_t rgb[BYTES];
    rill_view look = painted_look();
    look.choppiness = choppiness;
    const shot asked = {.camera = {{20.0, 19.999, 400.0}, {20.0, 20.0, 0.0}, 2.58},
                        .width = WIDTH,
                        .height = HEIGHT,
                        .painted = OVERLAY_DEPTH,
                        .overlay_max = 1.2f};
    wave_model_draw(s, &look, &asked, rgb);
    for (int i = 0; i < WIDTH; i++) {
        const uint8_t *pixel = rgb + 3 * (HEIGHT / 2 * WIDTH + i);
        part[i] = pixel[0] / (pixel[1] + 1.0);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(crests_are_drawn_together_by_their_slope)
{
    static wave_model_sea sea;
    wave_model_make_sea(16.0, 0.1, 1.0, &sea);
    SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, shallow, train);
    double plain[WIDTH], choppy[WIDTH], sorted[WIDTH];
    red_part(s, 1.0, plain);
    wave_model_add(s, &sea, 0.0f, 0.0f); // choppy, but without fine waves
    // The picture is four wave lengths wide: half of it is above the mean level.
    memcpy(sorted, plain, sizeof sorted);
    qsort(sorted, WIDTH, sizeof *sorted, compare_doubles);
    const double middle = sorted[WIDTH / 2], k = 2.0 * PI / WAVE_LENGTH;
    for (double choppiness = 0.0; choppiness <= 1.0; choppiness += 0.5) {
        red_part(s, choppiness, choppy);
        int above = 0;
        for (int i = 0; i < WIDTH; i++)
            above += choppy[i] > middle;
        // x + c dz/dx with c so many cells of a metre: the half period above 0 gets narrower by
        // 2 c a k, of which linear interpolation between eight points takes some.
        const double expected = 0.5 - choppiness * AMPLITUDE * k * k / PI;
        print_message("choppiness %.1f: above the mean level %.3f of the picture, expected %.3f\n",
                      choppiness, (double)above / WIDTH, expected);
        assert_true(fabs((double)above / WIDTH - expected) < 0.015);
    }
}
