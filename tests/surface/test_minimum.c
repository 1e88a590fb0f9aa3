// SPDX-License-Identifier: MIT
// test_minimum.c - least thicknesses of films: the closed form against a minimisation by force,
// each rule of 000 section 4.4 on ground of one vertex, and bumpy ground that no film may pass
// below.
#include "surface/surface_internal.h"
#include "tests/kit/kit.h"

#define SIDE   24
#define PITCH  32 // unlike SIDE, so that a mistaken pitch shows
#define LAYERS 3
#define STRIDE (PITCH * (SIDE + 3))
#define SLOTS  (LAYERS * STRIDE)
#define POINTS 40000
#define TABLE  (4 * SLOTS) // what rl_minimum_floats() asks for, and more

#define CELL   0.5f // all lengths below are in cells unless a comment says otherwise
#define GLOBAL 0.05
#define MARK   -7.0f // where nothing may be written

// From low to high.
static double random_between(unsigned *state, double low, double high)
{
    return low + (high - low) * next_random(state) / 65535.0;
}

// ---- One vertex, closed form -----------------------------------------------------------

// Lengths in millimetres; a minimisation by force with fifteen digits gave the thicknesses.
TEST(the_worked_case_has_its_known_thicknesses)
{
    const double share[4] = {0.28, 0.12, 0.42, 0.18}, base[4] = {0.0, 0.2, 0.1, 0.6};
    const double known[4] = {0.24067843, 0.04420624, 0.25786974, 2.2e-11};
    double lift[4];
    rl_minimum_solve(4, share, base, 0.35, 0.005, 0.5, 0.0, lift);
    double level = 0.0, objective = 0.0;
    const double weight[4] = {0.5 / 0.35, 0.5 / 0.15, 0.5 / 0.25, 1e10};
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(lift[k] - known[k]) < 1e-8);
        level += share[k] * (base[k] + lift[k]);
        objective += weight[k] * lift[k] * lift[k] * 1e-6; // m^2
    }
    assert_true(fabs(lift[3] - 2.2e-11) < 0.1e-11);
    assert_true(fabs(level - 0.355) < 1e-12);
    assert_true(fabs(objective - 2.2225916e-7) < 1e-14);
}

typedef struct problem {
    double share[4], base[4], weight[4], height, least;
} problem;

static problem random_problem(unsigned *seed)
{
    problem p = {.height = random_between(seed, 0.0, 1.0), .least = 0.0};
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += p.share[k] = random_between(seed, 0.01, 1.0);
    for (int k = 0; k < 4; k++) {
        p.share[k] /= sum;
        p.base[k] = random_between(seed, -1.0, 1.2);
        p.weight[k] = p.base[k] > p.height ? 1e10 : 1.0 / fmax(p.height - p.base[k], 1e-3);
    }
    if (next_random(seed) % 2)
        p.least = random_between(seed, 0.0, 0.3);
    return p;
}

static double missing_of(const problem *p)
{
    double missing = p->height + RL_MINIMUM_CLEARANCE;
    for (int k = 0; k < 4; k++)
        missing -= p->share[k] * p->base[k];
    return missing;
}

// Starts from equal thicknesses and moves two of them at a time against each other, each time to
// the best place: cannot get stuck, since the problem is convex and has one constraint only.
static void minimise_by_force(const problem *p, double lift[4])
{
    for (int k = 0; k < 4; k++)
        lift[k] = fmax(missing_of(p), p->least);
    for (int round = 0; round < 400; round++)
        for (int m = 0; m < 4; m++)
            for (int k = 0; k < m; k++) {
                const double a = 1.0 / p->share[k], b = 1.0 / p->share[m];
                double way = (b * p->weight[m] * lift[m] - a * p->weight[k] * lift[k]) /
                             (a * a * p->weight[k] + b * b * p->weight[m]);
                way = fmin(way, (lift[m] - p->least) / b);
                way = fmax(way, -(lift[k] - p->least) / a);
                lift[k] += way * a;
                lift[m] -= way * b;
            }
}

TEST(the_closed_form_equals_a_minimisation_by_force)
{
    unsigned seed = 1;
    int bounded = 0;
    for (int n = 0; n < 2000; n++) {
        const problem p = random_problem(&seed);
        double lift[4], forced[4];
        rl_minimum_solve(4, p.share, p.base, p.height, RL_MINIMUM_CLEARANCE, 1.0, p.least, lift);
        minimise_by_force(&p, forced);
        for (int k = 0; k < 4; k++) {
            const double wanted = missing_of(&p) > p.least ? forced[k] : p.least;
            assert_true(lift[k] >= p.least);
            assert_true(fabs(lift[k] - wanted) < 1e-7);
            bounded += lift[k] == p.least && missing_of(&p) > p.least;
        }
    }
    assert_true(bounded > 500); // the lower bound took part
}

TEST(a_vertex_below_the_film_asks_for_nothing)
{
    const double share[3] = {0.2, 0.3, 0.5}, base[3] = {0.0, 1.0, 1.0};
    double lift[3];
    rl_minimum_solve(3, share, base, 0.7, 0.01, 1.0, 0.0, lift);
    for (int k = 0; k < 3; k++)
        assert_true(lift[k] == 0.0);
    rl_minimum_solve(3, share, base, 0.82, 0.01, 1.0, 0.04, lift);
    for (int k = 0; k < 3; k++)
        assert_true(lift[k] == 0.04);
}

// Eq. 7 divides by h_v - b_k.
TEST(a_floor_at_the_height_of_the_vertex_has_a_finite_weight)
{
    const double share[2] = {0.5, 0.5}, level[2] = {1.0, 1.0}, steep[2] = {1.0, 0.0};
    double lift[2];
    rl_minimum_solve(2, share, level, 1.0, 0.01, 1.0, 0.0, lift);
    assert_true(fabs(lift[0] - 0.01) < 1e-15 && fabs(lift[1] - 0.01) < 1e-15);
    rl_minimum_solve(2, share, steep, 1.0, 0.01, 1.0, 0.0, lift);
    assert_true(fabs(lift[0] / lift[1] - 1e-3) < 1e-12);
    assert_true(fabs(0.5 * (lift[0] + lift[1]) - 0.51) < 1e-12);
}

// ---- Grounds ---------------------------------------------------------------------------

typedef struct plot {
    float base[SLOTS], low[SLOTS], high[SLOTS], least[TABLE];
    rill_columns columns;
    rill_ground_vertex vertices[POINTS];
    rill_ground_mesh ground;
} plot;

static size_t slot_of(int layer, int i, int j)
{
    return (size_t)layer * STRIDE + (size_t)j * PITCH + (size_t)i;
}

// Flat ground under the sky, no vertices.
static plot *plot_create(int layers)
{
    plot *p = calloc(1, sizeof *p);
    assert_non_null(p);
    for (size_t k = 0; k < SLOTS; k++) {
        p->low[k] = k < STRIDE ? -1e30f : 1e30f;
        p->high[k] = k < STRIDE ? 1e30f : -1e30f;
    }
    for (size_t k = 0; k < TABLE; k++)
        p->least[k] = MARK;
    p->columns = (rill_columns){
        .nx = SIDE,
        .ny = SIDE,
        .layers = layers,
        .pitch = PITCH,
        .layer_stride = STRIDE,
        .cell_size = CELL,
        .base = p->base,
        .range_min = p->low,
        .range_max = p->high,
    };
    p->ground.vertices = p->vertices;
    return p;
}

// A column in cells: its range and its floor.
static void set_column(plot *p, int layer, int i, int j, double low, double base, double high)
{
    p->low[slot_of(layer, i, j)] = (float)low * CELL;
    p->base[slot_of(layer, i, j)] = (float)base * CELL;
    p->high[slot_of(layer, i, j)] = (float)high * CELL;
}

// A vertex x, y cells from the centre of cell (0, 0), with an upward part of its normal.
static void add_vertex(plot *p, double x, double y, double z, double up)
{
    assert_true(p->ground.vertex_count < POINTS);
    p->vertices[p->ground.vertex_count++] = (rill_ground_vertex){
        .position = {((float)x + 0.5f) * CELL, ((float)y + 0.5f) * CELL, (float)z * CELL},
        .normal = {(float)sqrt(1.0 - up * up), 0.0f, (float)up},
    };
}

static void compute(plot *p)
{
    assert_true(rl_minimum_floats(&p->columns) <= TABLE);
    rl_minimum_compute(&p->ground, &p->columns, (float)GLOBAL * CELL, p->least);
}

static double cells_of(float metres)
{
    return (double)metres / (double)CELL;
}

// Least thickness of a film that has become as thick as the global minimum, in cells.
static double least_at(const plot *p, int layer, int i, int j)
{
    return fmax(cells_of(p->least[slot_of(layer, i, j)]), GLOBAL);
}

// The largest of all columns, with one vertex at the place given.
static double largest_with(plot *p, double x, double y, double z, double up)
{
    p->ground.vertex_count = 0;
    add_vertex(p, x, y, z, up);
    compute(p);
    double largest = 0.0;
    for (int layer = 0; layer < p->columns.layers; layer++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                largest = fmax(largest, least_at(p, layer, i, j));
    return largest;
}

static void assert_only_global(double largest)
{
    assert_true(fabs(largest - GLOBAL) < 1e-6);
}

// Height of the film, drawn as thin as allowed, above (x, y) with either cut of the quartet.
// It is as thin as a film that has just become wet.
static void film_above(const plot *p, double x, double y, double level[2])
{
    const int i = x < SIDE - 2 ? (int)x : SIDE - 2, j = y < SIDE - 2 ? (int)y : SIDE - 2;
    const double s = x - i, t = y - j;
    double h[4];
    for (int k = 0; k < 4; k++) {
        const size_t slot = slot_of(0, i + (k == 1 || k == 2), j + (k >= 2));
        h[k] = ((double)p->base[slot] + (double)p->least[slot]) / (double)CELL;
    }
    level[0] = s >= t ? h[0] + s * (h[1] - h[0]) + t * (h[2] - h[1])
                      : h[0] + s * (h[2] - h[3]) + t * (h[3] - h[0]);
    level[1] = s + t <= 1.0 ? h[0] + s * (h[1] - h[0]) + t * (h[3] - h[0])
                            : h[2] + (1.0 - s) * (h[3] - h[2]) + (1.0 - t) * (h[1] - h[2]);
}

static void assert_above_ground(const plot *p)
{
    for (size_t k = 0; k < p->ground.vertex_count; k++) {
        const rill_ground_vertex *v = &p->vertices[k];
        const double x = cells_of(v->position[0]) - 0.5, y = cells_of(v->position[1]) - 0.5;
        double level[2];
        if (x < 0.0 || y < 0.0 || x > SIDE - 1 || y > SIDE - 1)
            continue;
        film_above(p, x, y, level);
        for (int cut = 0; cut < 2; cut++)
            assert_true(level[cut] >= cells_of(v->position[2]) + 0.99e-3);
    }
}

// ---- Rules -----------------------------------------------------------------------------

TEST(without_vertices_no_film_has_a_minimum_of_its_own)
{
    FREED(plot) *p = plot_create(2);
    compute(p);
    for (size_t k = 0; k < 2 * STRIDE; k++)
        assert_true(p->least[k] == (k % PITCH < SIDE && k % STRIDE / PITCH < SIDE ? 0.0f : MARK));
    for (size_t k = rl_minimum_floats(&p->columns); k < TABLE; k++)
        assert_true(p->least[k] == MARK);
}

// Two triangles hold the vertex, A B C and A B D; in each the shares squared give the lift.
TEST(a_bump_lifts_the_four_columns_around_it)
{
    FREED(plot) *p = plot_create(1);
    add_vertex(p, 5.5, 7.25, 0.4, 1.0);
    compute(p);
    const double lambda = 0.41 / (0.5 * 0.5 + 0.25 * 0.25 * 2);
    assert_true(fabs(least_at(p, 0, 5, 7) - 0.5 * lambda) < 1e-6);
    assert_true(fabs(least_at(p, 0, 6, 7) - 0.5 * lambda) < 1e-6);
    assert_true(fabs(least_at(p, 0, 6, 8) - 0.25 * lambda) < 1e-6);
    assert_true(fabs(least_at(p, 0, 5, 8) - 0.25 * lambda) < 1e-6);
    assert_true(fabs(least_at(p, 0, 4, 7) - GLOBAL) < 1e-6);
    assert_true(fabs(least_at(p, 0, 7, 8) - GLOBAL) < 1e-6);
    assert_above_ground(p);
}

// On a saddle the bilinear surface passes above a vertex that one of the cuts passes below.
TEST(both_diagonals_pass_above_a_vertex_on_a_saddle)
{
    FREED(plot) *p = plot_create(1);
    p->base[slot_of(0, 5, 5)] = p->base[slot_of(0, 6, 6)] = 0.5f * CELL;
    add_vertex(p, 5.5, 5.5, 0.2, 1.0); // bilinear 0.25, cut B D 0
    compute(p);
    assert_true(fabs(least_at(p, 0, 6, 5) - 0.21) < 1e-6);
    assert_true(fabs(least_at(p, 0, 5, 6) - 0.21) < 1e-6);
    assert_true(fabs(least_at(p, 0, 5, 5) - GLOBAL) < 1e-6);
    assert_above_ground(p);
}

// Corners without a share are left out, but not with the elevation of their floor.
TEST(the_elevation_of_the_ground_does_not_matter)
{
    FREED(plot) *p = plot_create(1);
    for (size_t k = 0; k < STRIDE; k++)
        p->base[k] = 512.0f * CELL;
    assert_true(fabs(largest_with(p, 5.5, 5.5005, 512.3, 1.0) - 0.31) < 1e-3);
    assert_true(fabs(largest_with(p, 5.5, 5.0005, 512.3, 1.0) - 0.31) < 1e-3);
}

TEST(vertices_that_face_downward_or_sideways_are_skipped)
{
    FREED(plot) *p = plot_create(1);
    assert_true(largest_with(p, 5.5, 5.5, 0.3, 0.2) > 0.3);
    assert_only_global(largest_with(p, 5.5, 5.5, 0.3, 0.05));
    assert_only_global(largest_with(p, 5.5, 5.5, 0.3, 0.0));
    assert_only_global(largest_with(p, 5.5, 5.5, 0.3, -0.5));
    assert_only_global(largest_with(p, 5.5, 5.5, 0.3, (double)NAN));
}

// On the side from 0 to 3 the chord passes 0.25 below the vertex, and the upper column is dear: the
// lower one would have to bring 2.6 cells alone.
TEST(where_one_lift_is_too_high_all_columns_are_lifted_alike)
{
    FREED(plot) *p = plot_create(1);
    p->base[slot_of(0, 6, 5)] = 3.0f * CELL;
    assert_true(fabs(largest_with(p, 5.9, 5.0, 2.95, 1.0) - 0.251) < 1e-5);
    assert_true(fabs(least_at(p, 0, 5, 5) - 0.251) < 1e-5);
    assert_true(fabs(least_at(p, 0, 6, 5) - 0.251) < 1e-5);
}

TEST(vertices_that_lift_more_than_a_cell_above_the_highest_floor_are_skipped)
{
    FREED(plot) *p = plot_create(1);
    assert_true(fabs(largest_with(p, 5.5, 5.5, 0.95, 1.0) - 0.96) < 1e-6);
    assert_only_global(largest_with(p, 5.5, 5.5, 1.05, 1.0));
    // A higher floor beside it makes room, until its own lift is more than two cells.
    p->base[slot_of(0, 6, 6)] = 1.0f * CELL;
    assert_true(largest_with(p, 5.5, 5.5, 1.05, 1.0) > 1.0);
    p->base[slot_of(0, 6, 6)] = 0.0f;
}

// A wall of eight cells; the vertex is its upper edge.
TEST(a_film_is_not_drawn_up_a_wall)
{
    FREED(plot) *p = plot_create(1);
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++)
            p->base[slot_of(0, i, j)] = 8.0f * CELL;
    assert_only_global(largest_with(p, 5.5, 5.5, 8.0, 0.7));
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++)
            p->base[slot_of(0, i, j)] = 1.5f * CELL;
    const double step = largest_with(p, 5.5, 5.5, 1.5, 0.7);
    assert_true(step > 1.4 && step < 1.6);
    assert_above_ground(p);
}

// A at the height of the vertex is dear (Eq. 7) and would stay below the global minimum; held there
// it carries more, and the others, which have little leverage, rise less.
TEST(the_global_minimum_counts_in_the_solution)
{
    FREED(plot) *p = plot_create(1);
    p->base[slot_of(0, 5, 5)] = 1.0f * CELL;
    (void)largest_with(p, 5.05, 5.05, 1.0, 1.0);
    // A B D: shares 0.9, 0.05, 0.05, missing 0.11. Without the bound B would get 0.95.
    assert_true(fabs(least_at(p, 0, 6, 5) - (0.11 - 0.9 * GLOBAL) / 0.1) < 1e-5);
    // A C: shares 0.95, 0.05, missing 0.06.
    assert_true(fabs(least_at(p, 0, 6, 6) - (0.06 - 0.95 * GLOBAL) / 0.05) < 1e-5);
    assert_true(fabs(least_at(p, 0, 5, 5) - GLOBAL) < 1e-6);
    assert_above_ground(p);
}

TEST(the_largest_lift_of_all_vertices_counts)
{
    FREED(plot) *p = plot_create(1);
    const double spots[3][3] = {{5.5, 5.5, 0.3}, {5.2, 5.4, 0.5}, {4.7, 5.6, 0.2}};
    double single[3], all;
    for (int k = 0; k < 3; k++) {
        (void)largest_with(p, spots[k][0], spots[k][1], spots[k][2], 1.0);
        single[k] = least_at(p, 0, 5, 5);
    }
    p->ground.vertex_count = 0;
    for (int k = 0; k < 3; k++)
        add_vertex(p, spots[k][0], spots[k][1], spots[k][2], 1.0);
    compute(p);
    all = least_at(p, 0, 5, 5);
    assert_true(all == fmax(single[0], fmax(single[1], single[2])));
    assert_above_ground(p);
}

// Out to the border the surface goes on as high as it is at the outermost centres, or rises with
// the ground.
TEST(vertices_between_the_outermost_centres_and_the_border_lift_the_columns_there)
{
    FREED(plot) *p = plot_create(1);
    assert_true(fabs(largest_with(p, -0.3, 5.5, 0.3, 1.0) - 0.301) < 1e-5);
    assert_true(fabs(least_at(p, 0, 0, 5) - 0.301) < 1e-5);
    assert_true(fabs(least_at(p, 0, 0, 6) - 0.301) < 1e-5);
    assert_true(fabs(largest_with(p, SIDE - 0.5, SIDE - 0.5, 0.3, 1.0) - 0.301) < 1e-5);
    assert_true(fabs(largest_with(p, 5.0, SIDE - 0.7, 0.3, 1.0) - 0.301) < 1e-5);
    for (int i = 0; i < SIDE; i++)
        p->base[slot_of(0, i, SIDE - 1)] = 0.4f * CELL; // and 0.6 on the border
    assert_only_global(largest_with(p, 5.0, SIDE - 0.75, 0.49, 1.0));
    assert_true(fabs(largest_with(p, 5.0, SIDE - 0.75, 0.6, 1.0) - 0.101) < 1e-5);
}

TEST(vertices_beyond_the_border_and_bad_ones_are_skipped)
{
    FREED(plot) *p = plot_create(1);
    assert_only_global(largest_with(p, -0.6, 5.5, 0.3, 1.0));
    assert_only_global(largest_with(p, 5.5, SIDE - 0.4, 0.3, 1.0));
    assert_only_global(largest_with(p, (double)NAN, 5.5, 0.3, 1.0));
    assert_only_global(largest_with(p, 5.5, 1e30, 0.3, 1.0));
    assert_only_global(largest_with(p, 5.5, 5.5, (double)NAN, 1.0));
    assert_true(largest_with(p, 0.0, 5.5, 0.3, 1.0) > 0.3);
    assert_true(largest_with(p, SIDE - 1.0, SIDE - 1.0, 0.3, 1.0) > 0.3);
}

// ---- Layers ----------------------------------------------------------------------------

// A platform from 4 to 5 covers cells with i >= 6, above ground at 0.
static plot *platform_create(void)
{
    plot *p = plot_create(2);
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++) {
            set_column(p, 0, i, j, 4.0, 5.0, 1e30);
            set_column(p, 1, i, j, -1e30, 0.0, 4.0);
        }
    return p;
}

TEST(a_vertex_lifts_the_columns_of_its_own_layer)
{
    FREED(plot) *p = platform_create();
    assert_true(largest_with(p, 9.5, 9.5, 0.3, 1.0) > 0.3);
    assert_true(least_at(p, 1, 9, 9) > 0.3 && least_at(p, 1, 10, 10) > 0.3);
    assert_true(fabs(least_at(p, 0, 9, 9) - GLOBAL) < 1e-6);
    assert_true(largest_with(p, 9.5, 9.5, 5.3, 1.0) > 0.3);
    assert_true(least_at(p, 0, 9, 9) > 0.3 && least_at(p, 0, 10, 10) > 0.3);
    assert_true(fabs(least_at(p, 1, 9, 9) - GLOBAL) < 1e-6);
    // Across the edge the open ground goes on below the platform.
    assert_true(largest_with(p, 5.5, 9.5, 0.3, 1.0) > 0.3);
    assert_true(least_at(p, 0, 5, 9) > 0.3 && least_at(p, 1, 6, 10) > 0.3);
    assert_true(fabs(least_at(p, 0, 6, 9) - GLOBAL) < 1e-6);
    // Below a thin platform the range decides, although the floor above is nearer.
    for (int k = 0; k < 4; k++) {
        set_column(p, 0, 15 + k % 2, 15 + k / 2, 1.0, 1.2, 1e30);
        set_column(p, 1, 15 + k % 2, 15 + k / 2, -1e30, 0.0, 1.0);
    }
    assert_true(largest_with(p, 15.5, 15.5, 0.9, 1.0) > 0.9);
    assert_true(least_at(p, 1, 15, 15) > 0.9);
}

// The edge of a platform one cell and a half above the ground: the ground's range holds the vertex,
// but no film on it is joined to one on the platform.
TEST(the_edge_of_a_platform_does_not_lift_the_film_below)
{
    FREED(plot) *p = plot_create(2);
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++) {
            set_column(p, 0, i, j, 1.0, 1.5, 1e30);
            set_column(p, 1, i, j, -1e30, 0.0, 1.0);
        }
    assert_only_global(largest_with(p, 5.5, 9.5, 1.5, 1.0));
}

TEST(where_a_cell_has_no_column_the_triangle_of_the_others_counts)
{
    FREED(plot) *p = plot_create(1);
    set_column(p, 0, 6, 6, 1.0, 0.0, -1.0); // corner C of quartet (5, 5) is missing
    assert_true(largest_with(p, 5.25, 5.25, 0.3, 1.0) > 0.3);
    const double sum = 0.5 * 0.5 + 0.25 * 0.25 * 2; // A B D alone
    assert_true(fabs(least_at(p, 0, 5, 5) - 0.31 * 0.5 / sum) < 1e-6);
    assert_true(fabs(least_at(p, 0, 6, 5) - 0.31 * 0.25 / sum) < 1e-6);
    assert_only_global(largest_with(p, 5.75, 5.75, 0.3, 1.0));
    assert_true(largest_with(p, 5.5, 5.5004, 0.3, 1.0) > 0.3); // C has no share yet
    // A missing column has no floor that could count as the highest one.
    for (int k = 0; k < 3; k++)
        p->base[slot_of(0, 5 + k % 2, 5 + k / 2)] = -3.0f * CELL;
    assert_only_global(largest_with(p, 5.25, 5.25, -1.9, 1.0));
    for (int k = 0; k < 3; k++)
        p->base[slot_of(0, 5 + k % 2, 5 + k / 2)] = 0.0f;
    // On the edge from A to B the far corners do not matter.
    set_column(p, 0, 5, 6, 1.0, 0.0, -1.0);
    assert_true(fabs(largest_with(p, 5.5, 5.0, 0.3, 1.0) - 0.31) < 1e-6);
    assert_only_global(largest_with(p, 5.25, 5.25, 0.3, 1.0));
}

TEST(of_two_ranges_that_meet_the_nearer_floor_is_taken)
{
    FREED(plot) *p = platform_create();
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++) {
            set_column(p, 0, i, j, 4.0, 4.0005, 1e30); // a platform as thin as the tolerance
            set_column(p, 1, i, j, -1e30, 3.7, 4.0);
        }
    assert_only_global(largest_with(p, 9.5, 9.5, 4.0005, 1.0));
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++)
            set_column(p, 0, i, j, 4.0, 4.9, 1e30);
    assert_true(largest_with(p, 9.5, 9.5, 4.0, 1.0) > 0.29); // up to the ceiling
    assert_true(least_at(p, 1, 9, 9) > 0.29);
}

TEST(no_film_is_lifted_through_its_ceiling)
{
    FREED(plot) *p = platform_create();
    for (int j = 0; j < SIDE; j++)
        for (int i = 6; i < SIDE; i++)
            set_column(p, 1, i, j, -1e30, 0.0, 0.2);
    assert_true(largest_with(p, 9.25, 9.25, 0.19, 1.0) < 0.2 + 1e-6);
    assert_true(fabs(least_at(p, 1, 9, 9) - 0.2) < 1e-6); // 0.27 without a ceiling
    assert_true(fabs(least_at(p, 1, 10, 9) - 0.2 * 0.25 / 0.375) < 1e-6);
}

// ---- Bumpy ground ----------------------------------------------------------------------

// Bumps shorter than three cells, so that centres see little of them.
static double bumpy(double x, double y)
{
    return 0.2 * sin(2.3 * x + 0.5) * cos(2.9 * y) + 0.1 * sin(4.1 * x - 3.3 * y);
}

static plot *bumpy_create(void)
{
    plot *p = plot_create(1);
    unsigned seed = 5;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            p->base[slot_of(0, i, j)] = (float)bumpy(i, j) * CELL;
    for (int j = 0; j < 4 * SIDE; j++)
        for (int i = 0; i < 4 * SIDE; i++) {
            const double x = 0.25 * i - 0.5, y = 0.25 * j - 0.5;
            add_vertex(p, x, y, bumpy(x, y), 0.9);
        }
    for (int k = 0; k < 20000; k++) {
        const double x = random_between(&seed, -0.5, SIDE - 0.5);
        const double y = random_between(&seed, -0.5, SIDE - 0.5);
        add_vertex(p, x, y, bumpy(x, y), 0.9);
    }
    return p;
}

TEST(no_vertex_of_bumpy_ground_is_above_a_thin_film)
{
    FREED(plot) *p = bumpy_create();
    compute(p);
    assert_above_ground(p);
    double sum = 0.0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            assert_true(least_at(p, 0, i, j) >= GLOBAL - 1e-6);
            assert_true(least_at(p, 0, i, j) <= 1.6); // the bumps are 0.6 from foot to top
            sum += least_at(p, 0, i, j);
        }
    assert_true(sum > 2.0 * GLOBAL * SIDE * SIDE); // bumps do stand out between centres
}

TEST(the_order_of_vertices_does_not_matter)
{
    FREED(plot) *p = bumpy_create();
    FREED(float) *forward = malloc(sizeof p->least);
    assert_non_null(forward);
    compute(p);
    memcpy(forward, p->least, sizeof p->least);
    const size_t count = p->ground.vertex_count;
    for (size_t k = 0; k < count / 2; k++) {
        const rill_ground_vertex swapped = p->vertices[k];
        p->vertices[k] = p->vertices[count - 1 - k];
        p->vertices[count - 1 - k] = swapped;
    }
    compute(p);
    assert_memory_equal(forward, p->least, sizeof p->least);
}

// Digs a pit or heaps a hill over the box, as wide as marching cubes would move its vertices, and
// turns some normals a cell further out.
static void change_ground(plot *p, int i0, int j0, int i1, int j1, double by)
{
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++)
            p->base[slot_of(0, i, j)] += (float)by * CELL;
    for (size_t k = 0; k < p->ground.vertex_count; k++) {
        rill_ground_vertex *v = &p->vertices[k];
        const double x = cells_of(v->position[0]) - 0.5, y = cells_of(v->position[1]) - 0.5;
        if (x > i0 - 1 && x < i1 && y > j0 - 1 && y < j1)
            v->position[2] += (float)(0.7 * by) * CELL;
        if (x > i0 - 2 && x < i1 + 1 && y > j0 - 2 && y < j1 + 1 && k % 3 == 0)
            v->normal[2] = -v->normal[2];
    }
}

TEST(an_update_gives_what_computing_anew_gives)
{
    static const int boxes[][4] = {{8, 9, 11, 12},    {0, 0, 2, 1},   {22, 20, 24, 24},
                                   {5, 5, 6, 6},      {-3, 4, 2, 40}, {10, 10, 10, 12},
                                   {0, 0, SIDE, SIDE}};
    FREED(plot) *p = bumpy_create();
    FREED(float) *updated = malloc(sizeof p->least);
    assert_non_null(updated);
    compute(p);
    for (size_t n = 0; n < sizeof boxes / sizeof boxes[0]; n++) {
        const int *box = boxes[n];
        const int i0 = box[0] > 0 ? box[0] : 0, j0 = box[1] > 0 ? box[1] : 0;
        const int i1 = box[2] < SIDE ? box[2] : SIDE, j1 = box[3] < SIDE ? box[3] : SIDE;
        if (i0 < i1 && j0 < j1)
            change_ground(p, i0, j0, i1, j1, n % 2 ? 0.4 : -0.3);
        rl_minimum_update(&p->ground, &p->columns, (float)GLOBAL * CELL, p->least, box[0], box[1],
                          box[2], box[3]);
        memcpy(updated, p->least, sizeof p->least);
        compute(p);
        assert_memory_equal(updated, p->least, sizeof p->least);
    }
}

TEST(an_update_leaves_columns_far_away_alone)
{
    FREED(plot) *p = bumpy_create();
    for (size_t k = 0; k < TABLE; k++)
        p->least[k] = 1000.0f;
    rl_minimum_update(&p->ground, &p->columns, (float)GLOBAL * CELL, p->least, 8, 9, 11, 12);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const bool near = i >= 6 && i < 13 && j >= 7 && j < 14;
            assert_int_equal(p->least[slot_of(0, i, j)] < 1000.0f, near);
        }
    rl_minimum_update(&p->ground, &p->columns, 0.0f, p->least, -9, -9, -4, -4);
    rl_minimum_update(&p->ground, &p->columns, 0.0f, p->least, 40, 40, 50, 50);
    assert_true(p->least[slot_of(0, 0, 0)] == 1000.0f);
    assert_true(p->least[slot_of(0, SIDE - 1, SIDE - 1)] == 1000.0f);
}
