// SPDX-License-Identifier: MIT
// Scan conversion of bodies: intervals at the centres of cells against the geometry itself.
#include "bodies/blocking/body_raster.h"
#include "tests/bodies/block_water.h"
#include "tests/kit/kit.h"

#define PI 3.14159265358979323846
#define N  48

// All intervals of the world's bodies in a cell.
static rl_interval_list intervals_at(block_water *w, int i, int j)
{
    const rl_raster *r = rl_raster_of(w->bodies);
    rl_interval_list lists[RL_RASTER_CELLS] = {0};
    for (int n = 0; n < r->body_count; n++) {
        const rl_box box = r->bodies[n].box;
        if (j >= box.j0 && j < box.j1 && box.i0 <= i && box.i1 > i)
            rl_raster_row(r, &r->bodies[n], (double)w->cell_size, j, i, 1, lists);
    }
    rl_interval_sort(&lists[0]);
    return lists[0];
}

// Where the vertical line at (x, y) is in a turned box; false where it misses.
static bool line_in_box(const rl_body *body, double x, double y, double *low, double *high)
{
    const double back[4] = {-body->rotation[0], -body->rotation[1], -body->rotation[2],
                            body->rotation[3]};
    const double from[3] = {x - body->position[0], y - body->position[1], -body->position[2]};
    const double up[3] = {0.0, 0.0, 1.0};
    double p[3], d[3];
    rl_body_turn(back, from, p);
    rl_body_turn(back, up, d);
    *low = -1e9;
    *high = 1e9;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * body->def.size[k];
        if (fabs(d[k]) < 1e-12) {
            if (fabs(p[k]) > half)
                return false;
            continue;
        }
        const double a = (-half - p[k]) / d[k], b = (half - p[k]) / d[k];
        *low = fmax(*low, fmin(a, b));
        *high = fmin(*high, fmax(a, b));
    }
    return *high > *low;
}

// The least share of the sky in the normals of a box's faces: 0 for one that stands upright.
static double flattest(const rl_body *body)
{
    const double back[4] = {-body->rotation[0], -body->rotation[1], -body->rotation[2],
                            body->rotation[3]};
    const double up[3] = {0.0, 0.0, 1.0};
    double d[3];
    rl_body_turn(back, up, d);
    return fmin(fabs(d[0]), fmin(fabs(d[1]), fabs(d[2])));
}

TEST(upright_boxes_take_exactly_the_centres_inside)
{
    uint64_t luck = 0;
    for (int round = 0; round < 50; round++) {
        SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
        const double x = chance(&luck, 5, 19), y = chance(&luck, 5, 19), z = chance(&luck, -1, 4);
        const double s[3] = {chance(&luck, 0.6, 8), chance(&luck, 0.6, 8), chance(&luck, 0.6, 3)};
        add_upright(w, x, y, z, s[0], s[1], s[2]);
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const double out = fmax(fabs((i + 0.5) * 0.5 - x) - 0.5 * s[0],
                                        fabs((j + 0.5) * 0.5 - y) - 0.5 * s[1]);
                const rl_interval_list list = intervals_at(w, i, j);
                if (fabs(out - RL_RASTER_MARGIN * 0.5) < 1e-5)
                    continue;
                assert_int_equal(list.count, out < RL_RASTER_MARGIN * 0.5 ? 1 : 0);
                if (list.count == 1) {
                    assert_true(fabs((double)list.items[0].lower - (z - 0.5 * s[2])) < 1e-5);
                    assert_true(fabs((double)list.items[0].upper - (z + 0.5 * s[2])) < 1e-5);
                }
            }
    }
}

// A cell whose centre is in the box has its interval; one that is near may have that of a centre
// no further than the margin.
static void check_turned_box(block_water *w, const rl_body *body, int i, int j)
{
    const double dx = (double)w->cell_size, x = (i + 0.5) * dx, y = (j + 0.5) * dx;
    double low = 0, high = 0, least = 1e9, most = -1e9;
    const bool hit = line_in_box(body, x, y, &low, &high);
    for (int k = 0; k < 25; k++) {
        double a, b;
        const double shift = (RL_RASTER_MARGIN + 1e-5) * dx / 2.0;
        if (line_in_box(body, x + shift * (k % 5 - 2), y + shift * (k / 5 - 2), &a, &b)) {
            least = fmin(least, a);
            most = fmax(most, b);
        }
    }
    const rl_interval_list list = intervals_at(w, i, j);
    if (hit && high - low > 1e-3) {
        assert_int_equal(list.count, 1);
        const double lower = (double)list.items[0].lower, upper = (double)list.items[0].upper;
        assert_true(lower < low + 2e-4 && lower > least - 2e-3);
        assert_true(upper > high - 2e-4 && upper < most + 2e-3);
        if (flattest(body) > 0.06) {
            assert_true(fabs(lower - low) < 2e-4);
            assert_true(fabs(upper - high) < 2e-4);
        }
    } else if (!hit && list.count > 0) {
        assert_true(most > least && list.count == 1);
        assert_true((double)list.items[0].lower > least - 2e-3);
        assert_true((double)list.items[0].upper < most + 2e-3);
    }
}

TEST(turned_boxes_have_the_interval_of_the_line_through_them)
{
    uint64_t luck = 1000;
    for (int round = 0; round < 200; round++) {
        SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
        const double p[3] = {chance(&luck, 6, 18), chance(&luck, 6, 18), chance(&luck, -1, 4)};
        const double s[3] = {chance(&luck, 0.6, 6), chance(&luck, 0.6, 6), chance(&luck, 0.6, 3)};
        const double axis[3] = {chance(&luck, -1, 1), chance(&luck, -1, 1), chance(&luck, -1, 1)};
        // Also nearly upright ones, whose walls are tilted a little.
        const double angle = chance(&luck, 0, round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 0.05 : 3);
        const int n = add_block(w, p, s, axis, angle);
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                check_turned_box(w, &w->bodies->items[n], i, j);
    }
}

TEST(a_sphere_is_round)
{
    SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
    rill_body_def def = rill_default_body_def();
    def.coupling = RILL_COUPLING_BLOCK;
    def.shape = RILL_BODY_SPHERE;
    def.radius = 5.0;
    set3(def.position, 11.93, 12.21, 2.0);
    assert_ok(rl_bodies_add(w->bodies, &def, NULL));
    const double reach = w->bodies->items[0].reach; // the corners of its facets lie outside
    assert_true(reach < 5.2);
    rl_raster_info(w->bodies, w->jobs);
    rl_raster_prepare(w->bodies, w->jobs);
    int inside = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double r = hypot((i + 0.5) * 0.5 - 11.93, (j + 0.5) * 0.5 - 12.21);
            const rl_interval_list list = intervals_at(w, i, j);
            assert_true(r < reach + 0.015 || list.count == 0);
            if (r > 4.5)
                continue;
            inside++;
            assert_int_equal(list.count, 1);
            const double half = sqrt(25.0 - r * r);
            assert_true(fabs((double)list.items[0].upper - 2.0 - half) < 0.25);
            assert_true(fabs((double)list.items[0].lower - 2.0 + half) < 0.25);
        }
    assert_true(inside > 240);
}

// Boxes in a line, each touching the next or `gap` away from it, turned together.
static void check_wall(double x, double y, double angle, double gap, bool quarter_turns)
{
    SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
    const double c = cos(angle), s = sin(angle), width = 1.37;
    for (int n = -4; n <= 4; n++) {
        const double along = n * (width + gap);
        const double turned = angle + (quarter_turns ? 0.5 * PI * (n + 4) : 0.0);
        add_block(w, (double[3]){x + c * along, y + s * along, 1.0}, (double[3]){width, width, 2.0},
                  (double[3]){0, 0, 1}, turned);
    }
    rl_raster_info(w->bodies, w->jobs);
    rl_raster_prepare(w->bodies, w->jobs);
    int inside = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double a = (i + 0.5) * 0.5 - x, b = (j + 0.5) * 0.5 - y;
            const double along = c * a + s * b, across = c * b - s * a;
            if (fabs(along) > 4.5 * width + 4.0 * gap || fabs(across) > 0.5 * width)
                continue;
            inside++;
            const rl_interval_list list = intervals_at(w, i, j);
            assert_true(list.count >= 1);
            assert_true((double)list.items[0].lower < 1e-4);
            assert_true((double)list.items[0].upper > 2.0 - 1e-4);
        }
    assert_true(inside > 40);
}

TEST(bodies_that_touch_leave_no_slit)
{
    uint64_t luck = 5000;
    for (int round = 0; round < 120; round++) {
        const double angle = round % 2 == 0 ? 0.0 : chance(&luck, 0, PI);
        // Along an axis a gap may be twice the margin; across it a diagonal makes it shorter.
        const double gap = chance(&luck, 0, angle == 0.0 ? 0.0195 : 0.013);
        check_wall(chance(&luck, 11, 13), chance(&luck, 11, 13), angle, round % 3 == 0 ? 0.0 : gap,
                   round % 4 < 2);
    }
}

// The commonest place of all: sides right through centres, with rounding from quarter turns.
TEST(boxes_with_sides_through_centres_leave_no_slit)
{
    for (int turns = 0; turns < 8; turns++) {
        SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 1.0f, 0.0, 1);
        for (int n = 0; n < 9; n++)
            add_block(w, (double[3]){15.0 + 2.0 * n, 24.0, 1.0}, (double[3]){2.0, 3.0, 2.0},
                      (double[3]){turns > 3, 0, 1}, turns % 4 * PI);
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        for (int i = 14; i < 32; i++)
            for (int j = 22; j < 26; j++) {
                const rl_interval_list list = intervals_at(w, i, j);
                const bool side = j == 22 || j == 25; // the margin takes those as well
                assert_true(list.count >= 1 || (side && turns > 3));
                assert_true(list.count == 0 || ((double)list.items[0].lower < 1e-4 + (turns > 3)));
            }
    }
}

// ---- Bodies of any shape ---------------------------------------------------------------

// How often the mesh of a body surrounds a point (its solid angle over the whole).
static double winding(const rl_bodies *b, const rl_body *body, const double p[3])
{
    const float *vertex = b->position + 3 * (size_t)body->first_vertex;
    const uint32_t *corner = b->triangles + 3 * (size_t)body->first_triangle;
    double sum = 0.0;
    for (int t = 0; t < body->triangle_count; t++) {
        double v[3][3], length[3];
        for (int k = 0; k < 3; k++) {
            for (int d = 0; d < 3; d++)
                v[k][d] = (double)vertex[3 * (size_t)corner[3 * t + k] + (size_t)d] - p[d];
            length[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
        }
        const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                              v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                              v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        double dots[3];
        for (int k = 0; k < 3; k++) {
            const double *a = v[k], *c = v[(k + 1) % 3];
            dots[k] = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
        }
        sum += atan2(volume, length[0] * length[1] * length[2] + dots[0] * length[2] +
                                 dots[1] * length[0] + dots[2] * length[1]);
    }
    return sum / (2.0 * PI);
}

// Random points of cells are in an interval just when the mesh surrounds them; where it is closer
// than the margin neither is asked for.
static int check_points(block_water *w, int place, uint64_t *luck, int points)
{
    const rl_body *body = &w->bodies->items[place];
    const double near = 0.03 * (double)w->cell_size;
    int inside = 0;
    for (int n = 0; n < points; n++) {
        const int i = (int)chance(luck, 0, N), j = (int)chance(luck, 0, N);
        const double z = chance(luck, body->low[2] - 0.1, body->high[2] + 0.1);
        const double dx = (double)w->cell_size;
        const double p[3] = {(i + 0.5) * dx, (j + 0.5) * dx, z};
        const bool in = winding(w->bodies, body, p) > 0.5;
        bool same = true;
        for (int k = 0; k < 27 && same; k++) {
            const double q[3] = {p[0] + near * (k % 3 - 1), p[1] + near * (k / 3 % 3 - 1),
                                 p[2] + near * (k / 9 - 1)};
            same = (winding(w->bodies, body, q) > 0.5) == in;
        }
        if (!same)
            continue;
        const rl_interval_list list = intervals_at(w, i, j);
        bool found = false;
        for (int k = 0; k < list.count; k++)
            found |= z > (double)list.items[k].lower && z < (double)list.items[k].upper;
        assert_int_equal(found, in);
        inside += in;
    }
    return inside;
}

static int add_mesh(block_water *w, const float *vertices, int vertex_count,
                    const uint32_t *triangles, int triangle_count)
{
    rill_body_def def = rill_default_body_def();
    def.coupling = RILL_COUPLING_BLOCK;
    def.shape = RILL_BODY_MESH;
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    def.position[0] = def.position[1] = 12.1;
    rill_body_id id;
    assert_ok(rl_bodies_add(w->bodies, &def, &id));
    return rl_bodies_find(w->bodies, id);
}

TEST(random_tetrahedra_contain_what_their_meshes_surround)
{
    uint64_t luck = 9000;
    int inside = 0;
    for (int round = 0; round < 100; round++) {
        SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
        float v[12];
        for (int k = 0; k < 12; k++)
            v[k] = (float)chance(&luck, -8, 8);
        const double a[3] = {(double)(v[3] - v[0]), (double)(v[4] - v[1]), (double)(v[5] - v[2])};
        const double b[3] = {(double)(v[6] - v[0]), (double)(v[7] - v[1]), (double)(v[8] - v[2])};
        const double c[3] = {(double)(v[9] - v[0]), (double)(v[10] - v[1]), (double)(v[11] - v[2])};
        const double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) +
                              a[1] * (b[2] * c[0] - b[0] * c[2]) +
                              a[2] * (b[0] * c[1] - b[1] * c[0]);
        const uint32_t right[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
        const uint32_t left[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3};
        const int n = add_mesh(w, v, 4, volume > 0 ? right : left, 4);
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        inside += check_points(w, n, &luck, 400);
    }
    assert_true(inside > 300);
}

// A shelf: a back wall with `boards` boards, as a polygon in x and z drawn out along y.
static int add_shelf(block_water *w, int boards)
{
    enum { MOST = 4 * 12 + 4 };
    float profile[MOST][2];
    uint32_t triangles[3 * 4 * MOST];
    float vertices[6 * MOST];
    int corners = 0, count = 0;
    profile[corners][0] = 0.0f, profile[corners++][1] = (float)boards;
    profile[corners][0] = 0.0f, profile[corners++][1] = 0.0f;
    for (int n = 0; n < boards; n++) {
        const float z = (float)n;
        if (n > 0)
            profile[corners][0] = 1.0f, profile[corners++][1] = z;
        profile[corners][0] = 6.0f, profile[corners++][1] = z;
        profile[corners][0] = 6.0f, profile[corners++][1] = z + 0.4f;
        profile[corners][0] = 1.0f, profile[corners++][1] = z + 0.4f;
    }
    profile[corners][0] = 1.0f, profile[corners++][1] = (float)boards;
    for (int k = 0; k < corners; k++)
        for (int side = 0; side < 2; side++) {
            float *v = vertices + 3 * (k + side * corners);
            v[0] = profile[k][0], v[1] = side == 0 ? 0.0f : 5.0f, v[2] = profile[k][1];
        }
    // Along y, then the two ends: boards and the pieces of wall between are strips of quads.
    for (int k = 0; k < corners; k++) {
        const uint32_t a = (uint32_t)k, b = (uint32_t)((k + 1) % corners), n = (uint32_t)corners;
        const uint32_t two[6] = {a, a + n, b, b, a + n, b + n};
        memcpy(triangles + 3 * count, two, sizeof two);
        count += 2;
    }
    // Ears are cut from the ends: a fan will not do for a shape with teeth.
    uint32_t left[MOST];
    for (int k = 0; k < corners; k++)
        left[k] = (uint32_t)k;
    for (int most = corners; most > 2;) {
        int cut = -1;
        for (int k = 0; k < most && cut < 0; k++) {
            const float *p = profile[left[(k + most - 1) % most]], *q = profile[left[k]];
            const float *r = profile[left[(k + 1) % most]];
            bool ear = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0.0f;
            for (int m = 0; m < most && ear; m++) {
                const float *s = profile[left[m]];
                if (s == p || s == q || s == r)
                    continue;
                const float e0 = (q[0] - p[0]) * (s[1] - p[1]) - (q[1] - p[1]) * (s[0] - p[0]);
                const float e1 = (r[0] - q[0]) * (s[1] - q[1]) - (r[1] - q[1]) * (s[0] - q[0]);
                const float e2 = (p[0] - r[0]) * (s[1] - r[1]) - (p[1] - r[1]) * (s[0] - r[0]);
                ear = !(e0 >= 0.0f && e1 >= 0.0f && e2 >= 0.0f);
            }
            cut = ear ? k : -1;
        }
        assert_true(cut >= 0);
        const uint32_t a = left[(cut + most - 1) % most], b = left[cut];
        const uint32_t c = left[(cut + 1) % most], n = (uint32_t)corners;
        const uint32_t two[6] = {a, b, c, a + n, c + n, b + n};
        memcpy(triangles + 3 * count, two, sizeof two);
        count += 2;
        memmove(left + cut, left + cut + 1, (size_t)(most - cut - 1) * sizeof *left);
        most--;
    }
    return add_mesh(w, vertices, 2 * corners, triangles, count);
}

TEST(a_shelf_has_an_interval_for_every_board)
{
    uint64_t luck = 20000;
    for (int boards = 1; boards <= RL_BODY_INTERVALS; boards++) {
        SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
        const int n = add_shelf(w, boards);
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        assert_true(check_points(w, n, &luck, 3000) > 50);
        const rl_body *body = &w->bodies->items[n];
        const int i = (int)((body->high[0] - 1.0) / 0.5), j = (int)(body->position[1] / 0.5);
        assert_int_equal(intervals_at(w, i, j).count, boards);
    }
}

TEST(more_boards_than_there_is_room_for_are_merged)
{
    for (int boards = RL_BODY_INTERVALS + 1; boards <= 12; boards++) {
        SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
        const rl_body *body = &w->bodies->items[add_shelf(w, boards)];
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        const int i = (int)((body->high[0] - 1.0) / 0.5), j = (int)(body->position[1] / 0.5);
        const rl_interval_list list = intervals_at(w, i, j);
        assert_true(list.count >= 1 && list.count <= RL_BODY_INTERVALS);
        for (int n = 0; n < boards; n++) {
            const double z = body->low[2] + n + 0.2;
            bool found = false;
            for (int k = 0; k < list.count; k++)
                found |= z > (double)list.items[k].lower && z < (double)list.items[k].upper;
            assert_true(found);
        }
    }
}

// Most lines are found a span at a time; looked at one by one they must say the same. Lists of a
// ball with many triangles near a line are crowded, and walls stand in each other's way.
TEST(lines_found_together_are_as_those_looked_at_one_by_one)
{
    uint64_t luck = 4000;
    int intervals = 0;
    for (int round = 0; round < 300; round++) {
        SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
        const double p[3] = {chance(&luck, 2, 22), chance(&luck, 2, 22), chance(&luck, -1, 4)};
        const double s[3] = {chance(&luck, 0.3, 9), chance(&luck, 0.3, 9), chance(&luck, 1e-6, 3)};
        const double axis[3] = {chance(&luck, -1, 1), chance(&luck, -1, 1), chance(&luck, -1, 1)};
        const double turned = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 0.01 : 3.0;
        const int n = add_block(w, p, s, axis, chance(&luck, 0, turned));
        if (round % 4 == 3) {
            rl_bodies_remove(w->bodies, n);
            rill_body_def def = rill_default_body_def();
            def.coupling = RILL_COUPLING_BLOCK;
            def.shape = RILL_BODY_SPHERE;
            def.radius = chance(&luck, 0.2, 5);
            memcpy(def.position, p, sizeof p);
            if (round % 8 == 7) { // at a centre, and so small that all of it is near
                def.radius = chance(&luck, 0.01, 0.2);
                def.position[0] = 10.25 + chance(&luck, -0.02, 0.02);
                def.position[1] = 12.75 + chance(&luck, -0.02, 0.02);
            }
            assert_ok(rl_bodies_add(w->bodies, &def, NULL));
        }
        rl_raster_info(w->bodies, w->jobs);
        rl_raster_prepare(w->bodies, w->jobs);
        const rl_raster *r = rl_raster_of(w->bodies);
        const rl_box box = r->body_count > 0 ? r->bodies[0].box : (rl_box){0};
        const int count = box.i1 - box.i0;
        for (int j = box.j0; j < box.j1; j++) {
            rl_interval_list together[RL_RASTER_CELLS] = {0}, alone[RL_RASTER_CELLS] = {0};
            rl_raster_row(r, &r->bodies[0], 0.5, j, box.i0, count, together);
            rl_raster_unclear(r, &r->bodies[0], 0.5, j, box.i0, ~(uint64_t)0 >> (64 - count),
                              alone);
            for (int i = 0; i < count; i++) {
                assert_int_equal(together[i].count, alone[i].count);
                assert_memory_equal(together[i].items, alone[i].items,
                                    (size_t)alone[i].count * sizeof alone[i].items[0]);
                intervals += alone[i].count;
            }
        }
    }
    assert_true(intervals > 20000);
}

TEST(a_body_of_no_numbers_does_no_harm)
{
    SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 1.0f, 0.0, 1);
    const int n = add_upright(w, 12, 12, 0, 3, 3, 3);
    const double bad[] = {(double)NAN, (double)INFINITY, -1e300, 1e30};
    for (int k = 0; k < 4; k++) {
        move_body(w, n, bad[k], 12, 0);
        block_water_tell(w);
        move_body(w, n, 12, bad[k], bad[k]);
        block_water_tell(w);
    }
}
