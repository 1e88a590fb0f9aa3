// SPDX-License-Identifier: MIT
// test_ground_mesh.c - the network of triangles covers its chunk once, without cracks, and stays as
// near to the ground as it says.
#include "render/ground/ground_mesh.h"
#include "tests/kit/kit.h"

#define SIDE     (GROUND_CHUNK + 1)
#define HALVINGS 12 // from the whole chunk to triangles of half a quad: 2 log2(GROUND_CHUNK)

typedef struct built {
    float heights[GROUND_POINTS];
    ground_errors errors;
    uint16_t indices[GROUND_INDICES];
    int count;
    int wide, high;
} built;

static float hills(int i, int j)
{
    const float x = (float)i, y = (float)j;
    return 3.0f * sinf(0.13f * x) * cosf(0.09f * y) + 0.8f * sinf(0.7f * x + 0.4f * y) +
           (i > 40 && j > 20 && j < 30 ? 6.0f : 0.0f);
}

static built *build(float (*ground)(int, int), int wide, int high, float bound)
{
    built *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->wide = wide;
    b->high = high;
    for (int n = 0; n < GROUND_POINTS; n++) {
        const int i = n % SIDE < wide ? n % SIDE : wide, j = n / SIDE < high ? n / SIDE : high;
        b->heights[n] = ground(i, j);
    }
    ground_mesh_measure(b->heights, NULL, wide, high, &b->errors);
    b->count = ground_mesh_build(&b->errors, wide, high, bound, b->indices);
    assert_true(b->count % 3 == 0 && b->count <= GROUND_INDICES);
    return b;
}

static double twice_area(const uint16_t *t)
{
    const double ax = t[0] % SIDE, ay = (double)(t[0] / SIDE), bx = t[1] % SIDE;
    const double by = (double)(t[1] / SIDE), cx = t[2] % SIDE, cy = (double)(t[2] / SIDE);
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

// Index of the first triangle of the hem: the first that has a hem point.
static int surface_count(const built *b)
{
    int n = 0;
    while (n < b->count && b->indices[n] < GROUND_POINTS && b->indices[n + 1] < GROUND_POINTS &&
           b->indices[n + 2] < GROUND_POINTS)
        n += 3;
    return n;
}

static void check_covers(const built *b)
{
    double area = 0.0;
    for (int n = 0; n < surface_count(b); n += 3) {
        const double one = twice_area(&b->indices[n]);
        assert_true(one > 0.0); // counter-clockwise, never flat
        area += one;
    }
    assert_true(area == 2.0 * b->wide * b->high);
}

// Every edge inside is walked once each way; an edge walked one way only lies on the border.
static void check_no_cracks(const built *b)
{
    const int n = surface_count(b);
    for (int t = 0; t < n; t += 3)
        for (int k = 0; k < 3; k++) {
            const uint16_t from = b->indices[t + k], to = b->indices[t + (k + 1) % 3];
            int back = 0, same = 0;
            for (int u = 0; u < n; u += 3)
                for (int m = 0; m < 3; m++) {
                    back += b->indices[u + m] == to && b->indices[u + (m + 1) % 3] == from;
                    same += b->indices[u + m] == from && b->indices[u + (m + 1) % 3] == to;
                }
            const int i = from % SIDE, j = from / SIDE, i2 = to % SIDE, j2 = to / SIDE;
            const int border =
                (i == i2 && (i == 0 || i == b->wide)) || (j == j2 && (j == 0 || j == b->high));
            assert_int_equal(same, 1);
            assert_int_equal(back, border ? 0 : 1);
        }
}

// Largest distance of the points of the lattice from the triangle they lie in.
static double largest_error(const built *b)
{
    double largest = 0.0;
    for (int n = 0; n < surface_count(b); n += 3) {
        const uint16_t *t = &b->indices[n];
        const double area = twice_area(t);
        for (int p = 0; p < GROUND_POINTS; p++) {
            const uint16_t q = (uint16_t)p;
            const double u = twice_area((uint16_t[]){q, t[1], t[2]}) / area;
            const double v = twice_area((uint16_t[]){t[0], q, t[2]}) / area;
            const double w = twice_area((uint16_t[]){t[0], t[1], q}) / area;
            if (u < 0.0 || v < 0.0 || w < 0.0)
                continue;
            const double flat = u * (double)b->heights[t[0]] + v * (double)b->heights[t[1]] +
                                w * (double)b->heights[t[2]];
            largest = fmax(largest, fabs(flat - (double)b->heights[p]));
        }
    }
    return largest;
}

static float flat(KIT_UNUSED int i, KIT_UNUSED int j)
{
    return 7.0f;
}

TEST(flat_ground_takes_two_triangles_and_a_hem)
{
    FREED(built) *b = build(flat, GROUND_CHUNK, GROUND_CHUNK, 0.0f);
    assert_int_equal(surface_count(b), 6);
    assert_int_equal(b->count, 6 + 4 * 6);
    check_covers(b);
}

TEST(rough_ground_without_tolerance_takes_every_point)
{
    FREED(built) *b = build(hills, GROUND_CHUNK, GROUND_CHUNK, 0.0f);
    check_covers(b);
    assert_true(largest_error(b) < 1e-5);
}

TEST(a_network_covers_its_chunk_without_cracks)
{
    static const int sizes[][2] = {{64, 64}, {1, 64}, {64, 37}, {50, 3}, {1, 1}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        FREED(built) *b = build(hills, sizes[n][0], sizes[n][1], 0.5f);
        check_covers(b);
        check_no_cracks(b);
    }
}

TEST(a_network_stays_within_its_bound_and_gets_smaller_with_it)
{
    int before = GROUND_INDICES + 1;
    for (float bound = 0.05f; bound < 2.0f; bound *= 3.0f) {
        FREED(built) *b = build(hills, GROUND_CHUNK, GROUND_CHUNK, bound);
        assert_true(largest_error(b) <= HALVINGS * (double)bound);
        assert_true(surface_count(b) < before);
        before = surface_count(b);
    }
}

TEST(the_hem_hangs_below_every_edge_that_is_drawn)
{
    FREED(built) *b = build(hills, GROUND_CHUNK, GROUND_CHUNK, 0.5f);
    // Each hem point belongs below an edge point of the network.
    int used[GROUND_POINTS] = {0};
    for (int n = 0; n < surface_count(b); n++)
        used[b->indices[n]] = 1;
    int hung = 0;
    for (int n = surface_count(b); n < b->count; n++)
        if (b->indices[n] >= GROUND_POINTS) {
            int i, j;
            ground_mesh_edge(b->indices[n] - GROUND_POINTS, &i, &j);
            assert_true(used[j * SIDE + i]);
            hung++;
        }
    int edges = 0;
    for (int k = 0; k < GROUND_HEM; k++) {
        int i, j;
        ground_mesh_edge(k, &i, &j);
        edges += used[j * SIDE + i];
    }
    assert_int_equal(hung, 3 * edges); // a quad an edge, each with three hem corners
}
