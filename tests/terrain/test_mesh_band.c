// SPDX-License-Identifier: MIT
// Distances that a mesh tells the nodes around it, beside those that its tree knows exactly.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"
#include "tests/kit/solids.h"
#include "tests/terrain/distances.h"

#include "core/jobs.h"
#include "terrain/sdf/mesh_band.h"

#define N     40
#define CELL  0.1
#define TOP   4.0
#define EXACT 5e-5 // cells: places are rounded to 2^-17 of one along each axis, and floats

typedef struct filled {
    rl_mesh_band band;
    rl_mesh_scratch scratch;
    rill_solid *solid;
} filled;

static filled fill(const rill_sdf_primitive *shape, rl_jobs *jobs)
{
    filled f = {.solid = make_air(N, N, CELL, TOP)};
    assert_true(rl_mesh_band_fits(f.solid, shape));
    assert_ok(rl_mesh_band_fill(&f.band, &f.scratch, f.solid, shape, jobs, NULL));
    const rl_solid_nodes all = {{-1, -1, 0}, {N + 1, N + 1, f.solid->nz}};
    rl_mesh_band_join(&f.band, f.solid, &all);
    return f;
}

static void release(filled *f)
{
    rl_mesh_band_free(&f->band, NULL);
    rl_mesh_scratch_free(&f->scratch, NULL);
    rill_solid_destroy(&f->solid);
}

static rill_triangles *ellipsoid(double x, double y, double z, int parts)
{
    rill_triangles *mesh = NULL;
    assert_ok(rill_triangles_create_ellipsoid((const double[3]){x, y, z}, parts, NULL, &mesh));
    return mesh;
}

static rill_sdf_primitive turned(const rill_triangles *mesh)
{
    rill_sdf_primitive shape = placed(RILL_SDF_MESH, 2.013, 1.971, 1.876);
    const double turn[4] = {0.1, 0.5, -0.7, 0.5};
    memcpy(shape.rotation, turn, sizeof turn);
    shape.scale = 1.1;
    shape.triangles = mesh;
    return shape;
}

// Nodes within a cell of the surface are exact. Farther ones know the triangle of a neighbour,
// whose nearest point is another one by at most two of their sides: `sides` cells.
static void check_nodes(const rill_sdf_primitive *shape, double sides)
{
    filled f = fill(shape, NULL);
    int near = 0, inside = 0, farther = 0;
    for (int j = -1; j <= N; j++)
        for (int i = -1; i <= N; i++)
            for (int k = 0; k < f.solid->nz; k++) {
                const double p[3] = {(i + 0.5) * CELL, (j + 0.5) * CELL, k * CELL};
                const double exact = distance_to(shape, p) / CELL;
                const double told = (double)rl_solid_column(f.solid, i, j)[k] / CELL;
                if (fabs(exact) > EXACT)
                    assert_true((told < 0.0) == (exact < 0.0));
                if (fabs(exact) < 1.0) {
                    if (!(fabs(told - exact) < EXACT))
                        fail_msg("node (%d, %d, %d): %g cells, not %g", i, j, k, told, exact);
                    near++;
                } else if (fabs(told) < RL_SOLID_BAND) {
                    assert_true(fabs(told) >= fabs(exact) - EXACT); // that of some triangle
                    assert_true(fabs(told) <= fabs(exact) + sides);
                    farther++;
                } else {
                    assert_true(exact > 3.0 || exact < -2.0);
                }
                inside += told < 0.0;
            }
    assert_true(near > 1000 && inside > 1000 && farther > 1000);
    release(&f);
}

TEST(nodes_near_a_mesh_know_their_distance_exactly)
{
    static const int parts[4] = {1, 5, 20, 41};
    for (int n = 0; n < 4; n++) {
        SCOPED(rill_triangles) *mesh = ellipsoid(2.2, 1.6, 1.2, parts[n]);
        const rill_sdf_primitive shape = turned(mesh);
        check_nodes(&shape, 2.0 * 24.0 / parts[n]);
    }
}

// Corners, sides and faces lie exactly in lines of nodes: none may slip through, and the surface
// belongs to the solid, as that of a box does.
TEST(a_mesh_between_nodes_is_the_box)
{
    float vertices[24];
    for (int n = 0; n < 8; n++)
        for (int a = 0; a < 3; a++)
            vertices[3 * n + a] = (n >> a & 1) ? 0.5f : -0.5f;
    static const uint32_t indices[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    SCOPED(rill_triangles) *cube = NULL;
    assert_ok(rill_triangles_create(vertices, 8, indices, 36, NULL, &cube));
    rill_sdf_primitive mesh = placed(RILL_SDF_MESH, 2.05, 2.05, 2.0);
    mesh.triangles = cube;
    filled f = fill(&mesh, NULL);
    SCOPED(rill_solid) *box = make_air(N, N, CELL, TOP);
    combine(box, box_at(2.05, 2.05, 2.0, 1.0, 1.0, 1.0), RILL_COMBINE_UNION);
    int solid = 0;
    for (int j = -1; j <= N; j++)
        for (int i = -1; i <= N; i++)
            for (int k = 0; k < box->nz; k++) {
                const double of_mesh = (double)rl_solid_column(f.solid, i, j)[k];
                const double of_box = (double)rl_solid_column(box, i, j)[k];
                assert_true((of_mesh < 0.0) == (of_box < 0.0));
                if (fabs(of_box) < CELL)
                    assert_true(fabs(of_mesh - of_box) < EXACT * CELL);
                solid += of_mesh < 0.0;
            }
    assert_int_equal(solid, 11 * 11 * 11);
    release(&f);
}

// Where two parts of a mesh overlap the surface goes around twice; inside is where it does at all.
TEST(parts_that_overlap_are_one_solid)
{
    SCOPED(rill_triangles) *one = ellipsoid(1.4, 1.4, 1.4, 12), *two = NULL;
    const rill_triangles_info info = rill_triangles_view(one);
    const size_t v = 3 * (size_t)info.vertices, t = 3 * (size_t)info.triangles;
    float *vertices = malloc(2 * v * sizeof *vertices);
    uint32_t *indices = malloc(2 * t * sizeof *indices);
    assert_true(vertices != NULL && indices != NULL);
    for (size_t n = 0; n < v; n++) {
        vertices[n] = info.positions[n];
        vertices[v + n] = info.positions[n] + (n % 3 == 0 ? 0.6f : 0.0f);
    }
    for (size_t n = 0; n < t; n++) {
        indices[n] = info.indices[n];
        indices[t + n] = info.indices[n] + (uint32_t)info.vertices;
    }
    assert_ok(rill_triangles_create(vertices, 2 * v / 3, indices, 2 * t, NULL, &two));
    free(vertices);
    free(indices);
    const rill_sdf_primitive shape = turned(two);
    filled f = fill(&shape, NULL);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < f.solid->nz; k++) {
                const double p[3] = {(i + 0.5) * CELL, (j + 0.5) * CELL, k * CELL};
                const double exact = distance_to(&shape, p);
                if (fabs(exact) > EXACT * CELL)
                    assert_true((rl_solid_column(f.solid, i, j)[k] < 0.0f) == (exact < 0.0));
            }
    release(&f);
}

// A mesh that sticks out of the grid on every side.
TEST(what_lies_outside_of_the_grid_counts)
{
    SCOPED(rill_triangles) *mesh = ellipsoid(5.0, 5.2, 4.6, 30);
    rill_sdf_primitive shape = placed(RILL_SDF_MESH, 2.0, 1.9, 1.0);
    shape.triangles = mesh;
    filled f = fill(&shape, NULL);
    for (int j = -1; j <= N; j++)
        for (int i = -1; i <= N; i++)
            for (int k = 0; k < f.solid->nz; k++) {
                const double p[3] = {(i + 0.5) * CELL, (j + 0.5) * CELL, k * CELL};
                const double exact = distance_to(&shape, p);
                const double told = (double)rl_solid_column(f.solid, i, j)[k];
                if (fabs(exact) > EXACT * CELL)
                    assert_true((told < 0.0) == (exact < 0.0));
                if (fabs(exact) < CELL)
                    assert_true(fabs(told - exact) < EXACT * CELL);
            }
    release(&f);
}

TEST(threads_fill_the_same_bits)
{
    SCOPED(rill_triangles) *mesh = ellipsoid(2.2, 1.6, 1.2, 41);
    const rill_sdf_primitive shape = turned(mesh);
    filled alone = fill(&shape, NULL);
    for (int threads = 2; threads <= 5; threads++) {
        rl_jobs *jobs = NULL;
        assert_ok(rl_jobs_create(NULL, threads, &jobs));
        filled f = fill(&shape, jobs);
        assert_memory_equal(f.solid->distance, alone.solid->distance, f.solid->bytes);
        release(&f);
        rl_jobs_destroy(&jobs);
    }
    release(&alone);
}

TEST(a_mesh_that_is_open_or_too_far_is_left_to_its_tree)
{
    SCOPED(rill_solid) *solid = make_air(N, N, CELL, TOP);
    SCOPED(rill_triangles) *mesh = ellipsoid(2.0, 2.0, 2.0, 8), *open = NULL;
    const rill_triangles_info info = rill_triangles_view(mesh);
    assert_ok(rill_triangles_create(info.positions, (size_t)info.vertices, info.indices,
                                    3 * (size_t)info.triangles - 3, NULL, &open));
    rill_sdf_primitive shape = turned(mesh);
    assert_true(rl_mesh_band_fits(solid, &shape));
    shape.position[1] = -9000.0 * CELL;
    assert_false(rl_mesh_band_fits(solid, &shape));
    shape = turned(open);
    assert_false(rl_mesh_band_fits(solid, &shape));
}

TEST(a_band_without_memory_stays_as_it_was)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    SCOPED(rill_triangles) *mesh = ellipsoid(2.0, 2.0, 2.0, 8);
    SCOPED(rill_solid) *solid = make_air(N, N, CELL, TOP);
    const rill_sdf_primitive shape = turned(mesh);
    rl_mesh_band band = {0};
    rl_mesh_scratch scratch = {0};
    rill_status status = RILL_NO_MEMORY;
    int failures = 0;
    for (int n = 1; status != RILL_OK; n++) {
        count.fail_at = count.calls + n;
        status = rl_mesh_band_fill(&band, &scratch, solid, &shape, NULL, &host.allocator);
        assert_true(status == RILL_OK ? band.filled : !band.filled);
        failures += status != RILL_OK;
        assert_true(n < 20);
    }
    assert_int_equal(failures, 4); // seven blocks: after 0, 1, 3 and 6 of them
    assert_int_equal(count.bytes, rl_mesh_band_memory(&band) + rl_mesh_scratch_memory(&scratch));
    rl_mesh_band_free(&band, &host.allocator);
    rl_mesh_scratch_free(&scratch, &host.allocator);
    assert_int_equal(count.bytes, 0);
}
