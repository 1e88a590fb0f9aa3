// SPDX-License-Identifier: MIT
// test_particles_drawn.c - spray, splash and foam in pictures: where they are seen and where not,
// and that their shapes are those of the world, not of the picture. How they look is in
// test_pictures.
#include "render/frame/frame_data_particles.h"
#include "render/half.h"
#include "render/output/headless.h"
#include "render/render_error.h"
#include "render/renderer.h"
#include "tests/kit/kit.h"
#include "tests/render/headless_group.h"
#include "tests/render/models/particle_model.h"
#include "tests/render/models/picture_distance.h"

#define WIDTH  320
#define HEIGHT 180
#define BYTES  (WIDTH * HEIGHT * 3)

#define PI 3.14159265358979323846

// ---- Drawing ---------------------------------------------------------------------------

// The land and the water of the model, with particles of the test's own.
typedef struct stage {
    frame_data *picture;
    rill_view look;
    renderer *drawer;
    canvas *paper;
    camera eye;
    uint8_t bare[BYTES]; // without particles
} stage;

static void draw(stage *s, uint8_t *rgb)
{
    renderer_upload(s->drawer, s->picture, true);
    shot asked = renderer_default_shot(s->drawer);
    asked.camera = s->eye;
    asked.width = WIDTH;
    asked.height = HEIGHT;
    asked.target = canvas_framebuffer(s->paper);
    renderer_draw(s->drawer, &asked);
    canvas_read(asked.target, WIDTH, HEIGHT, rgb);
}

static stage *open_stage(void)
{
    stage *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->picture = calloc(1, sizeof *s->picture);
    assert_non_null(s->picture);
    s->look = picture_model_quiet_fall(s->picture);
    s->eye = camera_on_path(s->look.camera, s->look.camera_count, 0.0);
    const renderer_def def = {.nx = s->picture->nx,
                              .ny = s->picture->ny,
                              .cell_size = s->picture->cell_size,
                              .view = s->look};
    assert_ok(renderer_create(&def, &s->drawer));
    assert_ok(canvas_create(WIDTH, HEIGHT, &s->paper));
    draw(s, s->bare);
    return s;
}

static void stage_destroy(stage **at)
{
    stage *s = *at;
    canvas_destroy(&s->paper);
    renderer_destroy(&s->drawer);
    frame_data_destroy(&s->picture);
    free(s);
}

// ---- Particles -------------------------------------------------------------------------

// A ball of 27 particles around `middle`, or one.
typedef struct cluster {
    rill_particle_kind kind;
    int side; // 1 or 3 along each axis
    double middle[3], velocity[3];
    double radius, age, life;
} cluster;

static void put(stage *s, const cluster *c)
{
    float numbers[10][27];
    uint8_t kinds[27];
    size_t count = 0;
    for (int n = 0; n < c->side * c->side * c->side; n++, count++) {
        const int at[3] = {n % c->side, n / c->side % c->side, n / c->side / c->side};
        for (int k = 0; k < 3; k++) {
            const double off = 1.7 * c->radius * (at[k] - 0.5 * (c->side - 1));
            numbers[k][count] = (float)(c->middle[k] + off);
            numbers[3 + k][count] = (float)c->velocity[k];
        }
        numbers[6][count] = (float)c->radius;
        numbers[7][count] = (float)(c->age + 0.001 * n);
        numbers[8][count] = (float)c->life;
        numbers[9][count] = 0.0f;
        kinds[count] = (uint8_t)c->kind;
    }
    const rill_particles all = {.count = count,
                                .x = numbers[0],
                                .y = numbers[1],
                                .z = numbers[2],
                                .velocity_x = numbers[3],
                                .velocity_y = numbers[4],
                                .velocity_z = numbers[5],
                                .radius = numbers[6],
                                .age = numbers[7],
                                .life = numbers[8],
                                .volume = numbers[9],
                                .kind = kinds};
    assert_ok(frame_set_particles(s->picture, &all));
}

// What a cluster changes in the picture.
typedef struct change {
    int pixels;
    int low[2], high[2]; // columns, rows
} change;

static change seen(stage *s, const cluster *c, uint8_t *rgb)
{
    change found = {0, {WIDTH, HEIGHT}, {-1, -1}};
    put(s, c);
    draw(s, rgb);
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        int far = 0;
        for (int k = 0; k < 3; k++)
            far = (int)fmax(far, abs(rgb[3 * n + k] - s->bare[3 * n + k]));
        if (far < 2)
            continue;
        const int at[2] = {n % WIDTH, n / WIDTH};
        found.pixels++;
        for (int k = 0; k < 2; k++) {
            found.low[k] = at[k] < found.low[k] ? at[k] : found.low[k];
            found.high[k] = at[k] > found.high[k] ? at[k] : found.high[k];
        }
    }
    return found;
}

static const rill_particle_kind in_flight[] = {RILL_PARTICLE_SPRAY, RILL_PARTICLE_SPLASH};

// ---- Where they are seen ---------------------------------------------------------------

TEST(water_in_flight_is_seen_before_the_land_and_not_behind_it)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    for (int k = 0; k < 2; k++) {
        cluster c = {.kind = in_flight[k], .side = 3, .middle = {7.5, 6.8, 1.8}};
        c.radius = 0.05;
        c.age = 1.0;
        assert_true(seen(s, &c, rgb).pixels > 20);
        c.middle[1] = 9.5; // in the cliff
        assert_int_equal(seen(s, &c, rgb).pixels, 0);
        assert_memory_equal(rgb, s->bare, BYTES);
    }
}

TEST(water_in_flight_is_not_seen_below_the_surface)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    for (int k = 0; k < 2; k++) {
        cluster c = {.kind = in_flight[k], .side = 3, .middle = {7.5, 4.0, 1.2}};
        c.radius = 0.05;
        c.age = 1.0;
        assert_true(seen(s, &c, rgb).pixels > 20);
        c.middle[2] = 0.4;
        assert_int_equal(seen(s, &c, rgb).pixels, 0);
    }
}

TEST(foam_is_seen_on_water_and_nowhere_else)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    cluster c = {.kind = RILL_PARTICLE_FOAM, .side = 1, .middle = {7.5, 4.0, 0.75}};
    c.radius = 0.4;
    c.age = 1.0;
    c.life = 4.0;
    assert_true(seen(s, &c, rgb).pixels > 50);
    c.middle[2] = 2.5; // in the air
    assert_int_equal(seen(s, &c, rgb).pixels, 0);
    c.middle[1] = 7.9; // on the cliff
    assert_int_equal(seen(s, &c, rgb).pixels, 0);
}

TEST(foam_fades_until_its_life_is_over)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    cluster c = {.kind = RILL_PARTICLE_FOAM, .side = 1, .middle = {7.5, 4.0, 0.75}};
    c.radius = 0.4;
    c.life = 4.0;
    long before = 1L << 60;
    for (int n = 0; n < 4; n++) {
        c.age = 3.0 + n / 3.0;
        seen(s, &c, rgb);
        long sum = 0;
        for (int b = 0; b < BYTES; b++)
            sum += abs(rgb[b] - s->bare[b]);
        assert_true(sum < before || sum == 0);
        before = sum;
    }
    assert_memory_equal(rgb, s->bare, BYTES);
}

TEST(particles_leave_nothing_in_the_next_picture)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    for (int kind = 0; kind < RILL_PARTICLE_KIND_COUNT; kind++) {
        cluster c = {.kind = (rill_particle_kind)kind, .side = 3, .middle = {7.0, 4.0, 0.8}};
        c.radius = 0.1;
        c.age = 1.0;
        c.life = 4.0;
        assert_true(seen(s, &c, rgb).pixels > 20);
        c.side = 0;
        put(s, &c);
        draw(s, rgb);
        assert_memory_equal(rgb, s->bare, BYTES);
    }
}

// ---- Shapes ----------------------------------------------------------------------------

// Pixels to a metre across the view that is a metre away.
static double focal(const camera *eye)
{
    return 0.5 * HEIGHT / tan(0.5 * eye->field_of_view * PI / 180.0);
}

// The lens is as long as a drop moves in a sixtieth of a second.
TEST(spray_is_drawn_out_along_its_velocity)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    s->eye = (camera){{7.5, 1.5, 2.0}, {7.5, 6.5, 2.0}, 30.0};
    draw(s, s->bare);
    const double metre = focal(&s->eye) / 5.0;
    cluster c = {.kind = RILL_PARTICLE_SPRAY, .side = 3, .middle = {7.5, 6.5, 2.0}};
    c.radius = 0.06;
    c.age = 1.0;
    const change resting = seen(s, &c, rgb);
    c.velocity[0] = 30.0;
    const change across = seen(s, &c, rgb);
    c.velocity[0] = 0.0;
    c.velocity[2] = -30.0;
    const change falling = seen(s, &c, rgb);
    const double more = 30.0 / 60.0 * metre;
    for (int k = 0; k < 2; k++) {
        const int was = resting.high[k] - resting.low[k];
        const int moved[2] = {across.high[k] - across.low[k], falling.high[k] - falling.low[k]};
        // The ends of an ellipse fade, and take a part of its length with them.
        assert_true(moved[k] - was > 0.6 * more && moved[k] - was < 1.1 * more + 2.0);
        assert_true(abs(moved[1 - k] - was) < 0.2 * more);
    }
}

// How much the pixels that a cluster changes are changed, on average.
static double contrast(const stage *s, const uint8_t *rgb, const change *found)
{
    double sum = 0.0;
    for (int b = 0; b < BYTES; b++)
        sum += abs(rgb[b] - s->bare[b]);
    return sum / found->pixels;
}

// A lump that left at 1 m/s and falls at 6 m/s now is long and thin; one that was just thrown as
// fast is neither yet.
TEST(falling_water_is_drawn_out_and_gets_thin)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    s->eye = (camera){{7.5, 2.5, 5.5}, {7.5, 6.5, 5.5}, 30.0};
    assert_ok(rill_liquid_find("blood", &s->look.liquid)); // takes no air in, and so stays dark
    renderer_set_view(s->drawer, &s->look);
    draw(s, s->bare);
    cluster c = {.kind = RILL_PARTICLE_SPLASH, .side = 1, .middle = {7.5, 6.5, 5.5}};
    c.radius = 0.06;
    c.velocity[2] = -6.0;
    c.age = 0.05;
    const change thrown = seen(s, &c, rgb);
    const double before = contrast(s, rgb, &thrown);
    c.age = 0.51;
    const change fallen = seen(s, &c, rgb);
    assert_true(fallen.high[1] - fallen.low[1] > 1.5 * (thrown.high[1] - thrown.low[1]));
    assert_true(contrast(s, rgb, &fallen) < before);
}

// Foam spreads while it ages, by no more than 1.8; half a radius of waves is allowed below it.
TEST(a_disc_of_foam_covers_its_circle_on_the_water)
{
    static uint8_t rgb[BYTES];
    SCOPED(stage) *s = open_stage();
    cluster c = {.kind = RILL_PARTICLE_FOAM, .side = 1, .middle = {7.0, 3.5, 0.75}};
    c.radius = 0.5;
    c.age = 2.0;
    c.life = 4.0;
    s->eye = (camera){{7.0, -0.5, 5.0}, {7.0, 3.5, 0.75}, 30.0};
    draw(s, s->bare);
    const change found = seen(s, &c, rgb);
    const double pixels = focal(&s->eye) / hypot(4.0, 4.25), wide = found.high[0] - found.low[0];
    // Half of its life has gone: it is 1.4 as wide as it was born, and faint at the rim.
    assert_true(wide > 2.0 * 0.5 * pixels && wide < 2.0 * 1.4 * 0.5 * pixels + 4.0);
    const double high = found.high[1] - found.low[1], slant = 4.25 / hypot(4.0, 4.25);
    assert_true(fabs(high / wide - slant) < 0.2);
}

static void draw_sized(stage *s, int width, int height, uint8_t *rgb)
{
    SCOPED(canvas) *paper = NULL;
    assert_ok(canvas_create(width, height, &paper));
    shot asked = renderer_default_shot(s->drawer);
    asked.camera = s->eye;
    asked.width = width;
    asked.height = height;
    asked.samples = 8;
    asked.target = canvas_framebuffer(paper);
    renderer_draw(s->drawer, &asked);
    canvas_read(asked.target, width, height, rgb);
}

// What is seen of a splash from near, with many pixels on each lump, and from afar, with few, is
// the same but for detail finer than the pixels.
TEST(a_splash_is_as_smooth_in_many_pixels_as_in_few)
{
    static uint8_t few[BYTES], many[4 * BYTES], means[BYTES], difference[BYTES];
    SCOPED(stage) *s = open_stage();
    cluster c = {.kind = RILL_PARTICLE_SPLASH, .side = 3, .middle = {7.5, 6.5, 5.5}};
    c.radius = 0.06;
    c.age = 1.0;
    s->eye = (camera){{7.5, 2.5, 5.5}, {7.5, 6.5, 5.5}, 30.0};
    // Clear water hardly shows before the sky.
    assert_ok(rill_liquid_find("silt", &s->look.liquid));
    renderer_set_view(s->drawer, &s->look);
    draw(s, s->bare);
    assert_true(seen(s, &c, few).pixels > 500);
    draw_sized(s, WIDTH, HEIGHT, few);
    draw_sized(s, 2 * WIDTH, 2 * HEIGHT, many);
    for (int n = 0; n < BYTES; n++) {
        const int k = n % 3, i = n / 3 % WIDTH, j = n / 3 / WIDTH;
        int sum = 0;
        for (int m = 0; m < 4; m++)
            sum += many[((2 * j + m / 2) * 2 * WIDTH + 2 * i + m % 2) * 3 + k];
        means[n] = (uint8_t)((sum + 2) / 4);
    }
    picture_verdict verdict;
    assert_true(picture_compare(few, means, WIDTH, HEIGHT, difference, &verdict));
    assert_true(verdict.distance < 2.0 * PICTURE_TOLERANCE); // side by side nobody minds
}

// ---- Stills ----------------------------------------------------------------------------

TEST_GROUP(NULL, NULL);

TEST(a_still_has_particles_by_kind_without_those_that_are_nowhere)
{
    const float x[6] = {0.0f, 1.0f, 2.0f, 3.0f, NAN, 5.0f}, one[6] = {1, 1, 1, 1, 1, 1};
    const float radius[6] = {1.0f, 1.0f, 1.0f, 0.0f, 1.0f, 1.0f};
    const uint8_t kind[6] = {RILL_PARTICLE_FOAM, RILL_PARTICLE_SPRAY,  RILL_PARTICLE_SPLASH,
                             RILL_PARTICLE_FOAM, RILL_PARTICLE_SPLASH, RILL_PARTICLE_SPRAY};
    const rill_particles all = {6, x, one, one, one, one, one, radius, one, one, one, kind};
    SCOPED(frame_data) *s = calloc(1, sizeof *s);
    assert_ok(frame_set_particles(s, &all));
    assert_int_equal(s->particle_count[RILL_PARTICLE_SPRAY], 2);
    assert_int_equal(s->particle_count[RILL_PARTICLE_SPLASH], 1);
    assert_int_equal(s->particle_count[RILL_PARTICLE_FOAM], 1);
    const float expected[4] = {1.0f, 5.0f, 2.0f, 0.0f};
    for (int n = 0; n < 4; n++)
        assert_true(s->particles[n].position[0] == expected[n]);
    assert_int_equal(frame_first_particle(s, RILL_PARTICLE_FOAM), 3);
    assert_int_equal(sizeof(frame_particle), 24);
}

// The grain of a lump must not flicker while it flies.
TEST(a_particle_keeps_its_mark_while_it_flies)
{
    const float one[1] = {1.0f};
    const uint8_t kind[1] = {RILL_PARTICLE_SPLASH};
    SCOPED(frame_data) *s = calloc(1, sizeof *s);
    uint16_t first = 0;
    for (int n = 0; n < 90; n++) {
        const float age[1] = {(float)(n / 60.0)};
        const rill_particles all = {1, one, one, one, one, one, one, one, age, one, one, kind};
        s->time = 100.002 + n / 60.0;
        assert_ok(frame_set_particles(s, &all));
        first = n == 0 ? s->particles[0].mark : first;
        const double moved = (double)half_to_float(s->particles[0].mark) - half_to_float(first);
        assert_true(fabs(moved) < 1e-3);
    }
}

// ---- Drivers ---------------------------------------------------------------------------

static void draw_fall(bool embedded, uint8_t *rgb)
{
    SCOPED(headless) *own = NULL;
    if (embedded)
        setenv("RILL_GLES", "1", 1);
    if (headless_create(&own) != RILL_OK)
        fail_msg("%s", render_error_text());
    unsetenv("RILL_GLES");
    frame_data *s = calloc(1, sizeof *s);
    const rill_view look = picture_model_fall(s);
    const renderer_def def = {.nx = s->nx, .ny = s->ny, .cell_size = s->cell_size, .view = look};
    stage drawn = {.picture = s, .look = look};
    drawn.eye = camera_on_path(look.camera, look.camera_count, 0.0);
    assert_ok(renderer_create(&def, &drawn.drawer));
    assert_ok(canvas_create(WIDTH, HEIGHT, &drawn.paper));
    draw(&drawn, rgb);
    canvas_destroy(&drawn.paper);
    renderer_destroy(&drawn.drawer);
    frame_data_destroy(&drawn.picture);
}

TEST(opengl_and_opengl_es_draw_the_same_particles)
{
    static uint8_t pictures[2][BYTES], difference[BYTES];
    for (int k = 0; k < 2; k++)
        draw_fall(k == 1, pictures[k]);
    assert_string_equal(render_error_text(), "");
    picture_verdict verdict;
    assert_true(picture_compare(pictures[0], pictures[1], WIDTH, HEIGHT, difference, &verdict));
    assert_true(verdict.distance < PICTURE_TOLERANCE);
}
