// SPDX-License-Identifier: MIT
// test_ground_patches.c - level of detail of a river and the ground around it (004 section 5.2):
// patches fit together without cracks whatever detail each is drawn in, the shore stays where it
// is, and what is far away is drawn in far fewer triangles that look the same.
#include "render/ground/ground_mesh.h"
#include "render/ground/landscape.h"
#include "render/half.h"
#include "render/output/headless.h"
#include "tests/kit/kit.h"
#include "tests/render/headless_group.h"

#include "tests/render/models/river_model.h"

#define NX     150
#define NY     200
#define WIDTH  320
#define HEIGHT 180
#define BYTES  (WIDTH * HEIGHT * 3)

// ---- Edges -----------------------------------------------------------------------------

typedef struct edge {
    uint32_t from, to;
} edge;

static int by_ends(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->to == q->to ? 0 : p->to < q->to ? -1 : 1;
}

typedef struct edges {
    edge *of;
    size_t count;
} edges;

static void add_triangles(edges *e, const uint32_t *indices, size_t count)
{
    e->of = realloc(e->of, (e->count + count) * sizeof *e->of);
    assert_true(e->of != NULL || e->count + count == 0);
    for (size_t n = 0; n < count; n++)
        e->of[e->count++] = (edge){indices[n], indices[n - n % 3 + (n + 1) % 3]};
}

// Edges that no triangle has the other way round: the outline, and every crack. Sorts them to the
// front and returns their number.
static size_t open_edges(edges *e)
{
    size_t open = 0;
    qsort(e->of, e->count, sizeof *e->of, by_ends);
    edge *kept = calloc(e->count + 1, sizeof *kept);
    assert_non_null(kept);
    for (size_t n = 0; n < e->count; n++) {
        const edge back = {e->of[n].to, e->of[n].from};
        if (bsearch(&back, e->of, e->count, sizeof back, by_ends) == NULL)
            kept[open++] = e->of[n];
    }
    free(e->of);
    e->of = kept;
    e->count = open;
    return open;
}

static double covered_area(const frame_data *s, const uint32_t *indices, size_t count)
{
    double sum = 0.0;
    for (size_t n = 0; n + 2 < count; n += 3) {
        const float *a = s->vertices[indices[n]].position;
        const float *b = s->vertices[indices[n + 1]].position;
        const float *c = s->vertices[indices[n + 2]].position;
        sum += 0.5 * ((double)(b[0] - a[0]) * (double)(c[1] - a[1]) -
                      (double)(b[1] - a[1]) * (double)(c[0] - a[0]));
    }
    return sum;
}

static river_model *patched(bool waves)
{
    river_model *m = river_model_make(NX, NY, 10.0);
    if (waves)
        river_model_lay_pages(m, 16, 4);
    river_model_take(m, false);
    return m;
}

TEST(patches_of_any_detail_fit_without_cracks)
{
    SCOPED(river_model) *m = patched(false);
    const frame_data *s = m->frame_data;
    const frame_carpet *c = &s->carpet;
    edges full = {0};
    add_triangles(&full, s->indices, s->index_count);
    const size_t outline = open_edges(&full);
    const double area = covered_area(s, s->indices, s->index_count);
    assert_true(outline > 500); // both banks, both ends, and the rock
    for (uint32_t choice = 0; choice < 12; choice++) {
        edges mixed = {0};
        double sum = 0.0;
        for (size_t n = 0; n < c->patch_count; n++) {
            const frame_patch *p = &c->patches[n];
            const uint32_t level = (choice * 2654435761u >> (n % 24)) % (CARPET_LEVELS + 1);
            const uint32_t *indices = level == CARPET_LEVELS ? s->indices + p->first_rest
                                                             : c->coarse + p->first_coarse[level];
            const size_t count = level == CARPET_LEVELS ? p->rest_count : p->coarse_count[level];
            add_triangles(&mixed, indices, count);
            sum += covered_area(s, indices, count);
        }
        assert_int_equal(open_edges(&mixed), outline);
        assert_memory_equal(mixed.of, full.of, outline * sizeof *full.of);
        assert_true(fabs(sum - area) < 1e-6 * area);
        free(mixed.of);
    }
    free(full.of);
}

TEST(every_triangle_is_in_one_patch_and_in_one_order)
{
    SCOPED(river_model) *m = patched(true);
    const frame_data *s = m->frame_data;
    size_t rest = 0, refined = 0;
    for (size_t n = 0; n < s->carpet.patch_count; n++) {
        assert_int_equal(s->carpet.patches[n].first_rest, rest);
        rest += s->carpet.patches[n].rest_count;
    }
    for (size_t n = 0; n < s->waves.block_count; n++)
        refined += s->waves.blocks[n].index_count;
    assert_int_equal(rest, s->waves.rest_count);
    assert_int_equal(rest + refined, s->index_count);
    assert_true(refined > 1000);
}

// A coarse level leaves out points of a plane only: nothing is farther off than its bound.
TEST(far_patches_have_far_fewer_triangles)
{
    SCOPED(river_model) *m = patched(false);
    const frame_carpet *c = &m->frame_data->carpet;
    size_t count[CARPET_LEVELS] = {0};
    for (size_t n = 0; n < c->patch_count; n++)
        for (int level = 0; level < CARPET_LEVELS; level++)
            count[level] += c->patches[n].coarse_count[level];
    assert_true(3 * count[0] < m->frame_data->index_count);
    assert_true(count[1] <= count[0]);
}

// ---- Ground ----------------------------------------------------------------------------

TEST(fixed_points_are_in_every_network)
{
    static float heights[GROUND_POINTS];
    static bool fixed[GROUND_POINTS], used[GROUND_POINTS];
    static ground_errors errors;
    static uint16_t indices[GROUND_INDICES];
    for (int n = 0; n < GROUND_POINTS; n++)
        fixed[n] = n % 97 == 5;
    ground_mesh_measure(heights, fixed, GROUND_CHUNK, GROUND_CHUNK, &errors);
    const int count = ground_mesh_build(&errors, GROUND_CHUNK, GROUND_CHUNK, 1e6f, indices);
    for (int n = 0; n < count; n++)
        if (indices[n] < GROUND_POINTS)
            used[indices[n]] = true;
    for (int n = 0; n < GROUND_POINTS; n++)
        assert_true(used[n] || !fixed[n]);
    ground_mesh_measure(heights, NULL, GROUND_CHUNK, GROUND_CHUNK, &errors);
    const int flat = ground_mesh_build(&errors, GROUND_CHUNK, GROUND_CHUNK, 1e6f, indices);
    assert_true(flat < count);
}

TEST(land_knows_how_far_and_how_high_above_water_it_is)
{
    enum { SIDE = 40, LOW = 3 * SIDE + 30 };
    static float bed[SIDE * SIDE];
    static uint16_t depths[SIDE * SIDE];
    static landscape_texel seen[SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE; n++) {
        bed[n] = n == LOW ? -5.0f : 1.5f * (float)(n % SIDE);
        depths[n] = half_from_float(n % SIDE < 3 ? 1.0f : 0.0f);
    }
    assert_ok(landscape_bake(SIDE, SIDE, 10.0f, bed, depths, 1, 0.01f, seen));
    for (int n = 0; n < SIDE * SIDE; n++) {
        const int away = n % SIDE < 3 ? 0 : n % SIDE - 2;
        // The last wet cell has its level at 4. A hollow that is lower and yet dry is not under
        // water.
        const float above = n % SIDE < 3 ? -1.0f : n == LOW ? 0.3f : bed[n] - 4.0f;
        assert_true(fabsf(half_to_float(seen[n].away) - 10.0f * (float)away) < 0.3f);
        assert_true(fabsf(half_to_float(seen[n].above) - above) < 0.02f);
    }
    const landscape_texel middle = seen[SIDE * SIDE / 2 + SIDE / 2];
    assert_true(fabsf(half_to_float(middle.steep) - 0.15f) < 1e-3f);
    assert_true(fabsf(half_to_float(middle.ridge)) < 1e-2f);
    for (int n = 0; n < SIDE * SIDE; n++)
        depths[n] = 0;
    assert_ok(landscape_bake(SIDE, SIDE, 10.0f, bed, depths, 1, 0.01f, seen));
    assert_true(half_to_float(seen[7].away) > 1e4f);
}

// ---- Pictures --------------------------------------------------------------------------

static shot from_afar(void)
{
    return (shot){.camera = {{750.0, -900.0, 900.0}, {750.0, 900.0, 0.0}, 50.0},
                  .width = WIDTH,
                  .height = HEIGHT,
                  .samples = 1};
}

// Channels that differ by more than `least`, and by how much all do on the average.
static int far_off(const uint8_t *a, const uint8_t *b, int least, double *mean)
{
    int count = 0;
    double sum = 0.0;
    for (int n = 0; n < BYTES; n++) {
        count += abs(a[n] - b[n]) > least;
        sum += abs(a[n] - b[n]);
    }
    *mean = sum / BYTES;
    return count;
}

TEST(far_detail_is_not_missed)
{
    static uint8_t fine[BYTES], coarse[BYTES];
    const rill_view look = rill_default_view();
    const shot asked = from_afar();
    SCOPED(river_model) *m = patched(true);
    double mean;
    const size_t all = river_model_draw(m, &look, &asked, false, fine);
    const size_t few = river_model_draw(m, &look, &asked, true, coarse);
    assert_true(few > 0 && 3 * few < all);
    // A hole at the shore would show sky or the bed in full light: tens of steps.
    const int off = far_off(fine, coarse, 24, &mean);
    print_message("%zu triangles instead of %zu, mean difference %.3f, %d far off\n", few, all,
                  mean, off);
    assert_true(mean < 0.5);
    assert_true(off < BYTES / 1000);
}

// An eye that looks straight down from afar sees the shore in the same pixels: water is blue, sand
// and grass are not.
TEST(the_shore_stays_where_it_is)
{
    static uint8_t fine[BYTES], coarse[BYTES];
    rill_view look = rill_default_view();
    look.ground = RILL_GROUND_PLASTER;
    look.opaque_depth = 0.2;
    SCOPED(river_model) *m = patched(false);
    shot asked = from_afar();
    asked.camera = (camera){{750.0, 990.0, 6000.0}, {750.0, 1000.0, 0.0}, 25.0};
    river_model_draw(m, &look, &asked, false, fine);
    river_model_draw(m, &look, &asked, true, coarse);
    int wet = 0, moved = 0;
    for (int n = 0; n < BYTES; n += 3) {
        const bool was = fine[n + 2] > fine[n] + 12, is = coarse[n + 2] > coarse[n] + 12;
        wet += was;
        moved += was != is;
    }
    print_message("%d wet pixels, %d moved\n", wet, moved);
    assert_true(wet > 1000);
    // Pixels that are half wet may fall on the other side of the limit; a shore that moves by the
    // error that the ground has elsewhere, 0.4 pixels upright on a bank of 1 : 4, takes dozens.
    assert_true(moved <= 12);
}
