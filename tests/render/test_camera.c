// SPDX-License-Identifier: MIT
// test_camera.c - cameras: the matrices, the overview, paths, moving by hand, and words.
#include "render/camera.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define DEGREE       0.017453292519943295
#define WIDTH        1280
#define HEIGHT       720

static const camera_bounds valley = {{0.0, 0.0, -3.0}, {512.0, 256.0, 90.0}};

// Worlds from a blood vessel to a mountain range, flat, long, deep and tall.
static const camera_bounds worlds[] = {
    {{0.0, 0.0, -3.0}, {512.0, 256.0, 90.0}},   {{0.0, 0.0, 0.0}, {10.0, 10.0, 0.0}},
    {{0.0, 0.0, 0.0}, {1.0, 100.0, 2.0}},       {{0.0, 0.0, 0.0}, {2000.0, 4.0, 1.0}},
    {{0.0, 0.0, 0.0}, {3e-3, 2e-3, 5e-4}},      {{0.0, 0.0, 1200.0}, {5e4, 4e4, 4800.0}},
    {{0.0, 0.0, -500.0}, {20.0, 20.0, -100.0}},
};

// A point of the world in the picture: x and y from -1 to 1, z the depth, from -1 to 1 as well
// between the planes; the last is its depth in metres.
typedef struct seen {
    double x, y, z, depth;
} seen;

static seen look_at(const camera *c, const camera_bounds *bounds, const double jitter[2],
                    const double point[3])
{
    float view[16], projection[16];
    double eye[4], clip[4];
    camera_matrices(c, bounds, WIDTH, HEIGHT, jitter, view, projection);
    for (int row = 0; row < 4; row++)
        eye[row] = (double)view[row] * point[0] + (double)view[4 + row] * point[1] +
                   (double)view[8 + row] * point[2] + (double)view[12 + row];
    for (int row = 0; row < 4; row++) {
        clip[row] = 0.0;
        for (int k = 0; k < 4; k++)
            clip[row] += (double)projection[4 * k + row] * eye[k];
    }
    return (seen){clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3], clip[3]};
}

static void corner_of(const camera_bounds *b, int k, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (k >> axis & 1) != 0 ? b->high[axis] : b->low[axis];
}

static double distance_of(const camera *c)
{
    return sqrt(pow(c->position[0] - c->target[0], 2.0) + pow(c->position[1] - c->target[1], 2.0) +
                pow(c->position[2] - c->target[2], 2.0));
}

static void assert_points_near(const double *a, const double *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++)
        assert_near(a[k], b[k], tolerance);
}

// ---- Matrices and rays -----------------------------------------------------------------

TEST(the_target_is_in_the_middle_of_the_picture)
{
    const camera cameras[] = {
        {{100.0, -50.0, 120.0}, {200.0, 128.0, 10.0}, 45.0},
        {{200.0, 128.0, 500.0}, {200.0, 128.0, 10.0}, 60.0}, // straight down
        {{200.0, 128.0, 1.0}, {200.0, 128.0, 90.0}, 60.0},   // straight up
        {{600.0, 300.0, 20.0}, {-100.0, 128.0, 20.0}, 20.0}, // level
    };
    for (int k = 0; k < COUNT(cameras); k++) {
        const seen s = look_at(&cameras[k], &valley, NULL, cameras[k].target);
        assert_near(s.x, 0.0, 1e-5);
        assert_near(s.y, 0.0, 1e-5);
        assert_near(s.depth, distance_of(&cameras[k]), 1e-3);
    }
}

TEST(up_is_up_and_east_is_right_for_an_eye_in_the_south)
{
    const camera c = {{256.0, -200.0, 100.0}, {256.0, 128.0, 10.0}, 45.0};
    const double east[3] = {300.0, 128.0, 10.0}, above[3] = {256.0, 128.0, 60.0};
    assert_true(look_at(&c, &valley, NULL, east).x > 0.01);
    assert_near(look_at(&c, &valley, NULL, east).y, 0.0, 1e-5);
    assert_true(look_at(&c, &valley, NULL, above).y > 0.01);
    // From straight above a map comes out: east is right, north is up.
    const camera map = {{256.0, 128.0, 900.0}, {256.0, 128.0, 0.0}, 45.0};
    const double north[3] = {256.0, 200.0, 0.0};
    assert_true(look_at(&map, &valley, NULL, east).x > 0.01);
    assert_true(look_at(&map, &valley, NULL, north).y > 0.01);
}

TEST(the_field_of_view_reaches_from_the_lower_to_the_upper_edge)
{
    const camera c = {{0.0, -10.0, 0.0}, {0.0, 0.0, 0.0}, 90.0};
    const double top[3] = {0.0, 0.0, 10.0}, side[3] = {10.0 * WIDTH / HEIGHT, 0.0, 0.0};
    assert_near(look_at(&c, &valley, NULL, top).y, 1.0, 1e-5);
    assert_near(look_at(&c, &valley, NULL, side).x, 1.0, 1e-5);
}

TEST(jitter_moves_the_picture_by_parts_of_a_pixel)
{
    const camera c = camera_overview(&valley);
    const double point[3] = {30.0, 200.0, 20.0}, jitter[2] = {0.25, -0.5};
    const seen before = look_at(&c, &valley, NULL, point);
    const seen after = look_at(&c, &valley, jitter, point);
    assert_near((after.x - before.x) * 0.5 * WIDTH, 0.25, 1e-3);
    assert_near((after.y - before.y) * 0.5 * HEIGHT, -0.5, 1e-3);
}

TEST(a_ray_goes_through_its_pixel)
{
    const camera c = {{100.0, -50.0, 120.0}, {200.0, 128.0, 10.0}, 70.0};
    for (int k = 0; k < 25; k++) {
        const double x = WIDTH * (k % 5) / 4.0, y = HEIGHT * (k / 5) / 4.0;
        double direction[3], point[3];
        camera_ray(&c, WIDTH, HEIGHT, x, y, direction);
        for (int axis = 0; axis < 3; axis++)
            point[axis] = c.position[axis] + 150.0 * direction[axis];
        const seen s = look_at(&c, &valley, NULL, point);
        assert_near((s.x + 1.0) * 0.5 * WIDTH, x, 0.01);
        assert_near((1.0 - s.y) * 0.5 * HEIGHT, y, 0.01);
        assert_near(direction[0] * direction[0] + direction[1] * direction[1] +
                        direction[2] * direction[2],
                    1.0, 1e-12);
    }
}

// Every point of the box that is in the picture at all is between the planes, wherever the eye is.
TEST(the_planes_cut_nothing_off_and_waste_little)
{
    for (int w = 0; w < COUNT(worlds); w++) {
        const camera_bounds *b = &worlds[w];
        camera c = camera_overview(b);
        for (int turn = 0; turn < 12; turn++) {
            int in_picture = 0;
            for (int n = 0; n < 343; n++) {
                const double part[3] = {n % 7 / 6.0, n / 7 % 7 / 6.0, n / 49 / 6.0};
                double point[3];
                for (int k = 0; k < 3; k++)
                    point[k] = b->low[k] + part[k] * (b->high[k] - b->low[k]);
                const seen s = look_at(&c, b, NULL, point);
                if (s.depth <= 0.0 || fabs(s.x) > 1.0 || fabs(s.y) > 1.0)
                    continue;
                in_picture++;
                assert_true(s.z >= -1.0 && s.z <= 1.0);
            }
            assert_true(in_picture > 0);
            camera_orbit(&c, 30.0, turn < 6 ? 9.0 : -20.0);
        }
        // 24 bits of depth tell a thousandth of the diagonal even at the far side.
        float view[16], projection[16];
        camera_matrices(&c, b, WIDTH, HEIGHT, NULL, view, projection);
        const double near = (double)projection[14] / ((double)projection[10] - 1.0);
        const double far = (double)projection[14] / ((double)projection[10] + 1.0);
        assert_true(near > 0.0 && far > near && far / near < 16777216.0 / 1000.0);
    }
}

TEST(an_eye_in_the_water_still_sees_what_is_at_its_feet)
{
    const camera inside = {{256.0, 128.0, 40.0}, {256.0, 129.0, 40.0}, 60.0};
    const double diagonal = sqrt(512.0 * 512.0 + 256.0 * 256.0 + 93.0 * 93.0);
    const double feet[3] = {256.0, 128.0 + 2e-4 * diagonal, 40.0}, corner[3] = {512.0, 256.0, 90.0};
    assert_true(look_at(&inside, &valley, NULL, feet).z > -1.0);
    assert_true(look_at(&inside, &valley, NULL, corner).z < 1.0);
}

// ---- The overview ----------------------------------------------------------------------

TEST(the_overview_has_all_of_the_world_in_the_picture)
{
    for (int w = 0; w < COUNT(worlds); w++) {
        const camera c = camera_overview(&worlds[w]);
        double widest = 0.0, highest = 0.0;
        for (int k = 0; k < 8; k++) {
            double corner[3];
            corner_of(&worlds[w], k, corner);
            const seen s = look_at(&c, &worlds[w], NULL, corner);
            assert_true(s.depth > 0.0 && fabs(s.z) < 1.0);
            widest = fmax(widest, fabs(s.x));
            highest = fmax(highest, fabs(s.y));
        }
        assert_true(widest < 0.99 && highest < 0.99);
        // It fills the picture one way or the other.
        assert_true(fmax(widest, highest) > 0.85);
    }
}

TEST(the_overview_looks_from_the_south_and_above)
{
    for (int w = 0; w < COUNT(worlds); w++) {
        const camera c = camera_overview(&worlds[w]);
        const double d[3] = {c.position[0] - c.target[0], c.position[1] - c.target[1],
                             c.position[2] - c.target[2]};
        const double down = atan2(d[2], hypot(d[0], d[1])) / DEGREE;
        assert_true(down > 20.0 && down < 40.0);
        assert_true(-d[1] > fabs(d[0]));
    }
}

TEST(a_world_without_extent_has_an_overview_too)
{
    const camera_bounds point = {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}};
    const camera c = camera_overview(&point);
    assert_true(distance_of(&c) > 0.0 && isfinite(c.position[0]));
}

// ---- Paths -----------------------------------------------------------------------------

static const rill_camera_key path[] = {
    {1.0, {0.0, 0.0, 10.0}, {5.0, 5.0, 0.0}, 40.0},
    {3.0, {10.0, -4.0, 12.0}, {6.0, 7.0, 1.0}, 50.0},
    {3.5, {14.0, 2.0, 9.0}, {6.0, 9.0, 0.0}, 30.0},
    {9.0, {3.0, 20.0, 30.0}, {5.0, 1.0, 2.0}, 60.0},
};

TEST(a_path_passes_through_its_keys)
{
    for (int k = 0; k < COUNT(path); k++) {
        const camera c = camera_on_path(path, COUNT(path), path[k].time);
        assert_points_near(c.position, path[k].position, 3, 1e-12);
        assert_points_near(c.target, path[k].target, 3, 1e-12);
        assert_near(c.field_of_view, path[k].field_of_view, 1e-12);
    }
}

TEST(a_path_stands_still_before_and_after)
{
    const camera first = camera_on_path(path, COUNT(path), -5.0);
    const camera last = camera_on_path(path, COUNT(path), 1e6);
    assert_points_near(first.position, path[0].position, 3, 0.0);
    assert_points_near(last.position, path[3].position, 3, 0.0);
    for (int k = 0; k < 3; k++) {
        const camera one = camera_on_path(path, 1, 3.0 * k);
        assert_points_near(one.target, path[0].target, 3, 0.0);
    }
}

// The second derivative is bounded inside a piece, so over a small time h the velocity changes by
// a multiple of h; a jump would stay as h shrinks.
TEST(a_path_has_no_jump_in_its_velocity)
{
    double worst[2];
    for (int fine = 0; fine < 2; fine++) {
        const double h = fine != 0 ? 1e-5 : 1e-4;
        worst[fine] = 0.0;
        for (int k = 0; k < COUNT(path); k++) {
            const camera a = camera_on_path(path, COUNT(path), path[k].time - h);
            const camera b = camera_on_path(path, COUNT(path), path[k].time);
            const camera c = camera_on_path(path, COUNT(path), path[k].time + h);
            for (int axis = 0; axis < 3; axis++) {
                const double change = c.position[axis] - 2.0 * b.position[axis] + a.position[axis];
                worst[fine] = fmax(worst[fine], fabs(change / h));
            }
        }
    }
    assert_true(worst[0] > 0.0);
    assert_near(worst[1] / worst[0], 0.1, 0.01);
}

// Keys on a parabola in time: the inner pieces follow it exactly.
TEST(a_path_follows_steady_acceleration_between_uneven_keys)
{
    static const double times[] = {0.0, 1.0, 4.0, 6.0};
    rill_camera_key keys[4];
    for (int k = 0; k < 4; k++)
        keys[k] = (rill_camera_key){
            times[k], {2.0 * times[k], times[k] * times[k], 50.0}, {100.0, 0.0, 0.0}, 45.0};
    for (double t = 1.0; t <= 4.0; t += 0.125) {
        const camera c = camera_on_path(keys, 4, t);
        assert_near(c.position[0], 2.0 * t, 1e-12);
        assert_near(c.position[1], t * t, 1e-12);
    }
}

// ---- By hand ---------------------------------------------------------------------------

TEST(orbiting_keeps_the_distance_and_stays_off_the_poles)
{
    camera c = {{256.0, -200.0, 100.0}, {256.0, 128.0, 10.0}, 45.0};
    const double distance = distance_of(&c);
    camera_orbit(&c, 90.0, 0.0);
    assert_true(c.position[0] > 500.0); // to the right of a southern eye is the east
    assert_near(c.position[1], 128.0, 1e-9);
    for (int k = 0; k < 400; k++) {
        camera_orbit(&c, 7.0, k < 200 ? 3.0 : -3.0);
        assert_near(distance_of(&c), distance, 1e-9 * distance);
        const double level =
            hypot(c.position[0] - c.target[0], c.position[1] - c.target[1]) / distance;
        assert_true(level > 0.99 * cos(89.0 * DEGREE));
        assert_points_near(c.target, (double[]){256.0, 128.0, 10.0}, 3, 0.0);
    }
    assert_true(c.position[2] < c.target[2]);
}

TEST(orbiting_from_straight_above_goes_on_from_the_south)
{
    camera c = {{256.0, 128.0, 500.0}, {256.0, 128.0, 0.0}, 45.0};
    camera_orbit(&c, 0.0, -45.0);
    assert_near(c.position[0], 256.0, 1e-9);
    assert_near(c.position[1], 128.0 - 500.0 * sqrt(0.5), 1e-9);
    camera down = {{256.0, 128.0, 500.0}, {256.0, 128.0, 0.0}, 45.0};
    camera_turn(&down, 0.0, 45.0);
    assert_near(down.target[1], 128.0 + 500.0 * sqrt(0.5), 1e-9);
}

TEST(zooming_changes_the_distance_alone)
{
    camera c = {{0.0, -40.0, 30.0}, {0.0, 0.0, 0.0}, 45.0};
    camera_zoom(&c, 0.5);
    assert_points_near(c.position, (double[]){0.0, -20.0, 15.0}, 3, 1e-12);
    for (int k = 0; k < 2000; k++)
        camera_zoom(&c, k < 1000 ? 0.5 : 3.0);
    assert_true(isfinite(c.position[1]) && distance_of(&c) > 1e3);
    assert_near(c.position[1] / c.position[2], -40.0 / 30.0, 1e-6);
    camera_zoom(&c, 0.0);
    camera_zoom(&c, -1.0);
    assert_true(distance_of(&c) > 1e3);
}

TEST(panning_moves_in_the_plane_of_the_picture)
{
    camera c = {{0.0, -40.0, 30.0}, {0.0, 0.0, 0.0}, 45.0};
    camera_pan(&c, 0.1, 0.0);
    assert_points_near(c.target, (double[]){5.0, 0.0, 0.0}, 3, 1e-12);
    camera_pan(&c, -0.1, 0.2);
    assert_points_near(c.target, (double[]){0.0, 6.0, 8.0}, 3, 1e-12);
    assert_points_near(c.position, (double[]){0.0, -34.0, 38.0}, 3, 1e-12);
}

TEST(looking_turns_where_the_eye_stands)
{
    camera c = {{1.0, 2.0, 3.0}, {1.0, 12.0, 3.0}, 45.0};
    camera_turn(&c, 90.0, 0.0);
    assert_points_near(c.target, (double[]){11.0, 2.0, 3.0}, 3, 1e-12);
    camera_turn(&c, 0.0, 300.0);
    assert_true(c.target[2] > 12.9 && c.target[0] > 1.1); // not over the pole
    assert_points_near(c.position, (double[]){1.0, 2.0, 3.0}, 3, 0.0);
}

TEST(flying_moves_eye_and_target_alike)
{
    camera c = {{0.0, -40.0, 30.0}, {0.0, 0.0, 0.0}, 45.0};
    camera_fly(&c, 10.0, 2.0, 1.0);
    assert_points_near(c.position, (double[]){2.0, -32.0, 25.0}, 3, 1e-12);
    assert_points_near(c.target, (double[]){2.0, 8.0, -5.0}, 3, 1e-12);
}

// ---- In words --------------------------------------------------------------------------

TEST(words_are_read)
{
    rill_camera_key key;
    assert_true(camera_parse("1,-2.5,3e1:4,5,.5", &key));
    assert_points_near(key.position, (double[]){1.0, -2.5, 30.0}, 3, 0.0);
    assert_points_near(key.target, (double[]){4.0, 5.0, 0.5}, 3, 0.0);
    assert_true(key.time == 0.0 && key.field_of_view == 45.0);
    assert_true(camera_parse("12.5@1,2,3:4,5,6:60", &key));
    assert_true(key.time == 12.5 && key.field_of_view == 60.0);
}

TEST(nonsense_is_refused_with_a_sentence)
{
    static const char *const wrong[] = {
        "",
        "x",
        "1,2,3",
        "1,2,3:4,5",
        "1,2,3:4,5,6:",
        "1,2,3:4,5,6:60:7",
        "1,2,3:4,5,6 ",
        " 1,2,3:4,5,6",
        "1,2,3:4, 5,6",
        "1;2;3:4;5;6",
        "@1,2,3:4,5,6",
        "1@",
        "-1@1,2,3:4,5,6",
        "1@2@1,2,3:4,5,6",
        "nan,2,3:4,5,6",
        "1,2,3:inf,5,6",
        "0x1,2,3:4,5,6",
        "1e999,2,3:4,5,6",
        "1e10,2,3:4,5,6",
        "1-1,2,3:4,5,6",
        "1,2,3:4,5,6:0",
        "1,2,3:4,5,6:151",
        "1,2,3:4,5,6:-45",
        "1,2,3:1,2,3",
    };
    for (int k = 0; k < COUNT(wrong); k++) {
        rill_camera_key key = {.time = 77.0};
        if (camera_parse(wrong[k], &key))
            print_message("\"%s\" was taken\n", wrong[k]);
        assert_false(camera_parse(wrong[k], &key));
        assert_non_null(strstr(render_error_text(), wrong[k]));
        assert_true(key.time == 77.0);
    }
}

TEST(what_is_written_reads_back)
{
    for (int w = 0; w < COUNT(worlds); w++) {
        camera c = camera_overview(&worlds[w]);
        camera_orbit(&c, 12.3456789, -3.3333333);
        char text[200];
        rill_camera_key key;
        camera_format(&c, text, sizeof text);
        assert_true(camera_parse(text, &key));
        const double distance = distance_of(&c); // seven digits of numbers of this size
        assert_points_near(key.position, c.position, 3, 1e-5 * distance);
        assert_points_near(key.target, c.target, 3, 1e-5 * distance);
        assert_near(key.field_of_view, c.field_of_view, 1e-5);
    }
    char little[8];
    const camera c = camera_overview(&valley);
    camera_format(&c, little, sizeof little);
    assert_true(strlen(little) == 7);
    camera_format(&c, little, 0);
}
