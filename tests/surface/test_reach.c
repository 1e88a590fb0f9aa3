// SPDX-License-Identifier: MIT
// test_reach.c - films over the edges of cliffs and overhangs: lips stand outside of the solid, and
// a surface goes down to other liquid only where the ground is below it.
#include "tests/surface/houses.h"
#include "tests/surface/protrusion_checker.h"

#define ROWS 6
#define EDGE 3 // cells with i < EDGE are high

// The side of a solid as triangles: a profile, from above downwards, drawn along y through the
// centres of the cells.
typedef struct side {
    rill_ground_vertex vertices[64];
    uint32_t indices[360];
    rill_ground_mesh mesh;
} side;

// `x` in cells from the centre of the last high cell, `z` the elevation.
static side *side_create(const float (*profile)[2], int count)
{
    side *s = calloc(1, sizeof *s);
    assert_non_null(s);
    size_t indices = 0;
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < count; k++)
            s->vertices[j * count + k] = (rill_ground_vertex){
                {(float)EDGE - 0.5f + profile[k][0], (float)j + 0.5f, profile[k][1]},
                {0.6f, 0.0f, 0.8f},
                1.0f};
    for (int j = 0; j + 1 < ROWS; j++)
        for (int k = 0; k + 1 < count; k++) {
            const uint32_t at = (uint32_t)(j * count + k), up = at + (uint32_t)count;
            const uint32_t quad[6] = {at, at + 1, up + 1, at, up + 1, up};
            memcpy(s->indices + indices, quad, sizeof quad);
            indices += 6;
        }
    s->mesh = (rill_ground_mesh){s->vertices, s->indices, (size_t)(ROWS * count), indices, 1};
    return s;
}

static rill_mesh build_on(house *h, const side *ground)
{
    const rill_surface_def def = full;
    rl_surface_destroy(&h->surface);
    assert_ok(rl_surface_create(NULL, h->columns.nx, h->columns.ny, LAYERS, &def, &h->surface));
    if (ground != NULL)
        assert_ok(rl_surface_set_ground(h->surface, &ground->mesh, &h->columns));
    assert_ok(rl_surface_build(h->surface, &h->columns, serial));
    return rl_surface_mesh(h->surface);
}

// The largest x of what hangs from the edge at elevations from `low` to `high`.
static double lip_of(rill_mesh m, float low, float high)
{
    double most = 0.0;
    for (size_t k = 0; k < m.vertex_count; k++) {
        const float *p = m.vertices[k].position;
        if (p[2] >= low && p[2] <= high && p[0] > EDGE - 0.4f && p[0] < EDGE + 0.49f)
            most = fmax(most, (double)p[0]);
    }
    return most - (EDGE - 0.5);
}

// Whether a triangle goes from the last high columns, at elevation `high`, to the first low ones,
// at `low`.
static bool goes_down(rill_mesh m, float high, float low)
{
    for (size_t t = 0; t < m.index_count; t += 3) {
        bool above = false, below = false;
        for (size_t k = 0; k < 3; k++) {
            const float *p = m.vertices[m.indices[t + k]].position;
            above = above || (p[0] == EDGE - 0.5f && fabsf(p[2] - high) < 0.1f);
            below = below || (p[0] == EDGE + 0.5f && fabsf(p[2] - low) < 0.1f);
        }
        if (above && below)
            return true;
    }
    return false;
}

// ---- Overhangs -------------------------------------------------------------------------

// A platform from 6 to 9 over ground at 0, with a film on it.
static house *platform(void)
{
    house *h = house_create(8, ROWS, 1.0f);
    for (int k = 0; k < 8 * ROWS; k++) {
        const bool high = k % 8 < EDGE;
        set_cell(h, k % 8, k / 8, 0.0f, &(slab){6.0f, 9.0f}, high,
                 (const float[]){0.0f, high ? 0.01f : 0.0f});
    }
    return h;
}

static const float bulging[][2] = {{0.3f, 9.0f}, {0.6f, 8.5f}, {0.8f, 7.5f}, {0.5f, 6.0f}};

TEST(a_curtain_hangs_outside_of_the_solid)
{
    SCOPED(house) *h = platform();
    FREED(side) *bulge = side_create(bulging, 4);
    const double free = lip_of(build_on(h, NULL), 8.9f, 9.1f);
    assert_true(fabs(free - 0.5) < 1e-6);
    const rill_mesh m = build_on(h, bulge);
    const double lip = lip_of(m, 8.9f, 9.1f), foot = lip_of(m, -0.1f, 0.1f);
    assert_true(lip > 0.8 && lip < 0.83); // a 255th of a cell and the clearance
    assert_true(foot >= lip - 1e-6);
    // The vertices of the bulge stand out of the curtain where nobody asks for them.
    mesh_ground ground = mesh_ground_of_mesh(bulge->mesh, 8, ROWS, 1.0);
    const protrusions none = protrusions_of(&m, &h->columns, &ground, &bulge->mesh);
    const rill_mesh old = build_on(h, NULL);
    const protrusions some = protrusions_of(&old, &h->columns, &ground, &bulge->mesh);
    assert_int_equal(none.inside + none.at_rim + none.of_curtains, 0);
    assert_true(some.of_curtains > 0);
    mesh_ground_free(&ground);
}

TEST(a_side_that_recedes_leaves_the_lip_halfway)
{
    static const float receding[][2] = {{0.3f, 9.0f}, {0.4f, 7.5f}, {0.1f, 6.0f}};
    SCOPED(house) *h = platform();
    FREED(side) *ground = side_create(receding, 3);
    assert_true(fabs(lip_of(build_on(h, ground), 8.9f, 9.1f) - 0.5) < 1e-6);
}

// ---- Cliffs ----------------------------------------------------------------------------

// A cliff of this height; a film on it and liquid at its foot.
static house *cliff(float height, float depth)
{
    house *h = house_create(8, ROWS, 1.0f);
    for (int k = 0; k < 8 * ROWS; k++)
        set_cell(h, k % 8, k / 8, k % 8 < EDGE ? height : 0.0f, NULL, 0,
                 (const float[]){k % 8 < EDGE ? 0.01f : depth});
    return h;
}

TEST(a_film_over_a_cliff_ends_at_its_edge)
{
    static const float upright[][2] = {{0.1f, 8.0f}, {0.5f, 8.0f}, {0.52f, 4.0f}, {0.55f, 0.0f}};
    SCOPED(house) *h = cliff(8.0f, 0.01f);
    FREED(side) *wall = side_create(upright, 4);
    assert_true(goes_down(build_on(h, NULL), 8.0f, 0.0f));
    const rill_mesh m = build_on(h, wall);
    assert_false(goes_down(m, 8.0f, 0.0f));
    assert_true(lip_of(m, 7.9f, 8.1f) > 0.55);
    mesh_ground ground = mesh_ground_of_columns(&h->columns);
    const mesh_report report = mesh_check(&m, &h->columns, &ground);
    if (mesh_report_bad(&report))
        fail_msg("%s", report.text);
    mesh_ground_free(&ground);
}

// The chord from the film to the foot clears a side that is straight.
TEST(a_film_on_a_steep_slope_stays_whole)
{
    static const float straight[][2] = {{0.1f, 7.2f}, {0.5f, 4.0f}, {0.9f, 0.8f}};
    SCOPED(house) *h = cliff(8.0f, 0.01f);
    FREED(side) *slope = side_create(straight, 3);
    assert_true(goes_down(build_on(h, slope), 8.0f, 0.0f));
}

// Dagenais section 4.1 links the two as soon as the pool stands above the underside.
TEST(a_pool_below_an_edge_joins_the_film_when_it_has_risen_to_it)
{
    static const float upright[][2] = {{0.5f, 9.0f}, {0.5f, 6.0f}};
    for (int depth = 7; depth <= 9; depth++) {
        SCOPED(house) *h = platform();
        FREED(side) *wall = side_create(upright, 2);
        for (int k = 0; k < 8 * ROWS; k++)
            h->depth[at(k % 8, k / 8, 0)] = k % 8 < EDGE ? 0.01f : (float)depth;
        for (int k = 0; k < 8 * ROWS; k++)
            if (k % 8 < EDGE)
                h->depth[at(k % 8, k / 8, 1)] = 6.0f; // flooded below
        assert_true(goes_down(build_on(h, NULL), 9.0f, (float)depth));
        assert_int_equal(goes_down(build_on(h, wall), 9.0f, (float)depth), depth == 9);
    }
}
