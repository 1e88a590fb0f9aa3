// SPDX-License-Identifier: MIT
// test_meniscus_walls.c - the solid beside a meniscus (Dagenais sections 5.1 and 5.2): funnels
// whose slope is the contact angle, where a liquid stays level, shores on slopes, steps that are
// walls, and the walls of the world, in surfaces of whole worlds.
#include "tests/kit/kit.h"
#include "tests/kit/solids.h"
#include "tests/kit/worlds.h"

#include "rill/solid.h"
#include "rill/surface.h"
#include "rill/world.h"

#define DEGREES (3.14159265358979 / 180.0)
#define N       64
#define CELL    0.001f

// The surface of a world at its start, for a contact angle in degrees.
static rill_surface *surface_of(rill_world *world, double contact_angle)
{
    rill_surface_def def = rill_default_surface_def();
    def.meniscus_length = 4.0f * CELL;
    def.contact_angle = (float)contact_angle;
    rill_surface *surface = NULL;
    assert_ok(rill_surface_create(world, &def, &surface));
    assert_ok(rill_surface_build(surface, world));
    return surface;
}

// Mean, smallest and largest size of the angle at the boundary, degrees, over all vertices that are
// bent.
typedef struct tilts {
    double mean, least, most;
    int count;
} tilts;

static tilts tilts_of(const rill_surface *surface)
{
    const rill_mesh m = rill_surface_mesh(surface);
    tilts t = {0.0, 180.0, 0.0, 0};
    assert_non_null(m.meniscus);
    for (size_t k = 0; k < m.vertex_count; k++) {
        if (!(m.meniscus[k].weight > 0.0f))
            continue;
        const double angle = fabs((double)m.meniscus[k].angle) / DEGREES;
        t.mean += angle;
        t.least = fmin(t.least, angle);
        t.most = fmax(t.most, angle);
        t.count++;
    }
    t.mean /= fmax(t.count, 1.0);
    return t;
}

static rill_world_def small_world(rill_solver solver)
{
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = N;
    def.cell_size = CELL;
    def.solver = solver;
    def.wet_depth = 1e-5f;
    return def;
}

// A world of these grounds and depths whose sides are no walls.
static rill_world *make_open_world(const float *bed, const float *depth)
{
    rill_world_def def = small_world(RILL_SOLVER_PIPES);
    def.bed = (rill_field_view){bed, N, N, N};
    def.depth = (rill_field_view){depth, N, N, N};
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        def.border[side] = RILL_BORDER_DRAIN;
    return make_world(&def);
}

// ---- Funnels ---------------------------------------------------------------------------

#define INNER    6.0  // cells from the axis: a funnel has a flat floor
#define OUTER    26.0 // and ends on flat ground; off the grid's lines of symmetry
#define MIDDLE_X 32.2
#define MIDDLE_Y 31.6

static const double slopes[] = {20.0, 30.0, 40.0, 44.0, 46.0, 50.0, 60.0, 70.0, 80.0, 85.0};

static rill_surface *funnel_of_heights(double degrees, double shore)
{
    static float bed[N * N];
    const double tangent = tan(degrees * DEGREES), cell = (double)CELL;
    for (int k = 0; k < N * N; k++) {
        const double x = k % N + 0.5 - MIDDLE_X, y = k / N + 0.5 - MIDDLE_Y;
        const double r = fmin(fmax(hypot(x, y), INNER), OUTER);
        bed[k] = (float)((r - INNER) * tangent * cell);
    }
    rill_world_def def = small_world(RILL_SOLVER_PIPES);
    def.bed = (rill_field_view){bed, N, N, N};
    def.use_level = 1;
    def.level = (float)((shore - INNER) * tangent * cell);
    SCOPED(rill_world) *world = make_world(&def);
    return surface_of(world, degrees);
}

// A cone that is cut out of a block.
static rill_surface *funnel_of_solid(double degrees, double shore)
{
    const double cell = (double)CELL, tangent = tan(degrees * DEGREES);
    const double depth = (OUTER - INNER) * tangent * cell;
    rill_solid_def solid_def = rill_default_solid_def();
    solid_def.nx = solid_def.ny = N;
    solid_def.cell_size = cell;
    solid_def.bottom = -8.0 * cell;
    solid_def.top = depth + 4.0 * cell;
    rill_solid *solid = NULL;
    assert_ok(rill_solid_create(&solid_def, &solid));
    rill_sdf_primitive block = rill_default_sdf_primitive(RILL_SDF_BOX);
    const double middle[3] = {0.5 * N * cell, 0.5 * N * cell, 0.5 * depth - 20.0 * cell};
    const double size[3] = {2.0 * N * cell, 2.0 * N * cell, depth + 40.0 * cell};
    memcpy(block.position, middle, sizeof middle);
    memcpy(block.size, size, sizeof size);
    assert_ok(rill_solid_combine(solid, &block, RILL_COMBINE_UNION, 0.0));
    rill_sdf_primitive cone = rill_default_sdf_primitive(RILL_SDF_CONE);
    cone.position[0] = MIDDLE_X * cell;
    cone.position[1] = MIDDLE_Y * cell;
    cone.position[2] = 0.75 * depth; // half as long again as the block is high
    cone.radius = INNER * cell;
    cone.radius_top = (INNER + 1.5 * (OUTER - INNER)) * cell;
    cone.length = 1.5 * depth;
    assert_ok(rill_solid_combine(solid, &cone, RILL_COMBINE_SUBTRACT, 0.0));
    rill_world_def def = small_world(RILL_SOLVER_LAYERS);
    def.solid = solid;
    def.use_level = 1;
    def.level = (float)((shore - INNER) * tangent * cell);
    SCOPED(rill_world) *world = make_world(&def);
    rill_solid_destroy(&solid);
    return surface_of(world, degrees);
}

// A liquid that meets a slope at its contact angle is level up to it, wherever the shore lies in a
// cell.
static void check_funnel(rill_surface *surface, const char *kind, double degrees, double shore)
{
    const tilts t = tilts_of(surface);
    rill_surface_destroy(&surface);
    if (t.count < 100 || !(t.mean < 3.0))
        fail_msg("%s of %g degrees, shore at %g cells: %g degrees over %d vertices", kind, degrees,
                 shore, t.mean, t.count);
}

TEST(a_funnel_of_heights_with_the_contact_angle_stays_level)
{
    for (size_t k = 0; k < sizeof slopes / sizeof slopes[0]; k++)
        for (double shore = 12.0; shore < 20.0; shore += 1.7)
            check_funnel(funnel_of_heights(slopes[k], shore), "heights", slopes[k], shore);
}

TEST(a_funnel_cut_out_of_a_solid_with_the_contact_angle_stays_level)
{
    for (size_t k = 0; k < sizeof slopes / sizeof slopes[0]; k++)
        for (double shore = 12.0; shore < 20.0; shore += 3.1)
            check_funnel(funnel_of_solid(slopes[k], shore), "solid", slopes[k], shore);
}

// The largest error of the share along a round shore, the mean one of the direction and its largest
// within two cells of the shore, both in degrees.
typedef struct round_errors {
    double share, mean_turn, most_turn;
} round_errors;

static round_errors round_errors_of(const rill_surface *surface, double shore)
{
    const rill_mesh m = rill_surface_mesh(surface);
    round_errors e = {0.0, 0.0, 0.0};
    int count = 0;
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_vertex *v = &m.vertices[k];
        const rill_meniscus *c = &m.meniscus[k];
        const double x = (double)(v->position[0] / CELL) - MIDDLE_X;
        const double y = (double)(v->position[1] / CELL) - MIDDLE_Y, r = hypot(x, y);
        if (v->depth == 0.0f)
            continue;
        const double share = fmax(1.0 - (shore - r) / 4.0, 0.0);
        e.share = fmax(e.share, fabs((double)c->weight - share));
        if (!(c->weight > 0.0f))
            continue;
        const double cross = (double)c->direction[0] * y - (double)c->direction[1] * x;
        const double turn = fabs(asin(cross / r)) / DEGREES;
        e.mean_turn += turn;
        e.most_turn = fmax(e.most_turn, r > shore - 2.0 ? turn : 0.0);
        count++;
    }
    e.mean_turn /= fmax(count, 1.0);
    return e;
}

static void check_round(rill_surface *surface, const char *kind, double degrees, double shore)
{
    const round_errors e = round_errors_of(surface, shore);
    rill_surface_destroy(&surface);
    if (!(e.share < 0.05 && e.mean_turn < 3.0 && e.most_turn < 8.0))
        fail_msg("%s of %g degrees, shore at %g cells: share off by %g, direction by %g in the "
                 "mean and %g",
                 kind, degrees, shore, e.share, e.mean_turn, e.most_turn);
}

// Distances and directions are those of a circle, not of the cells along it.
TEST(the_shore_of_a_funnel_is_round)
{
    for (size_t k = 0; k < sizeof slopes / sizeof slopes[0]; k++) {
        for (double shore = 12.0; shore < 20.0; shore += 1.7)
            check_round(funnel_of_heights(slopes[k], shore), "heights", slopes[k], shore);
        for (double shore = 12.0; shore < 20.0; shore += 3.1)
            check_round(funnel_of_solid(slopes[k], shore), "solid", slopes[k], shore);
    }
}

// A pyramid in a lake: past its corners the nearest shore is a point and no line.
TEST(the_corners_of_a_pyramid_are_points)
{
    static float bed[N * N];
    const double half = 14.3; // of its sides, at the level
    for (int k = 0; k < N * N; k++) {
        const double x = fabs(k % N + 0.5 - MIDDLE_X), y = fabs(k / N + 0.5 - MIDDLE_Y);
        bed[k] = (float)((40.0 - 1.5 * fmax(x, y)) * (double)CELL);
    }
    rill_world_def def = small_world(RILL_SOLVER_PIPES);
    def.bed = (rill_field_view){bed, N, N, N};
    def.use_level = 1;
    def.level = (float)((40.0 - 1.5 * half) * (double)CELL);
    SCOPED(rill_world) *world = make_world(&def);
    rill_surface *surface = surface_of(world, 20.0);
    const rill_mesh m = rill_surface_mesh(surface);
    double worst = 0.0;
    for (size_t k = 0; k < m.vertex_count; k++) {
        const double x = fabs((double)(m.vertices[k].position[0] / CELL) - MIDDLE_X) - half;
        const double y = fabs((double)(m.vertices[k].position[1] / CELL) - MIDDLE_Y) - half;
        if (m.vertices[k].depth == 0.0f || fmax(x, y) > 8.0)
            continue;
        const double share = fmax(1.0 - hypot(fmax(x, 0.0), fmax(y, 0.0)) / 4.0, 0.0);
        worst = fmax(worst, fabs((double)m.meniscus[k].weight - share));
    }
    rill_surface_destroy(&surface);
    assert_true(worst < 0.1);
}

// A strip of film that runs down a slope ends at its sides, though no level of it meets the slope
// there.
TEST(a_film_on_a_slope_keeps_its_sides)
{
    static float bed[N * N], depth[N * N];
    for (int k = 0; k < N * N; k++) {
        bed[k] = (float)(k / N) * 0.5f * CELL;
        depth[k] = k % N >= 20 && k % N < 40 ? 0.25f * CELL : 0.0f;
    }
    SCOPED(rill_world) *world = make_open_world(bed, depth);
    rill_surface *surface = surface_of(world, 20.0);
    const rill_mesh m = rill_surface_mesh(surface);
    int bent = 0;
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_meniscus *c = &m.meniscus[k];
        if (!(c->weight > 0.0f))
            continue;
        const float outward = m.vertices[k].position[0] < 30.0f * CELL ? -1.0f : 1.0f;
        assert_true(fabsf(c->direction[0] - outward) < 1e-5f && fabsf(c->direction[1]) < 1e-5f);
        assert_true(fabs((double)c->angle + 20.0 * DEGREES) < 1e-5);
        bent++;
    }
    rill_surface_destroy(&surface);
    assert_true(bent > 8 * N);
}

// ---- Slopes, steps and walls -----------------------------------------------------------

// Ground that rises by `rise` cells from one column to the next in the middle, and by `before` and
// `behind` a cell in front of that and beyond; liquid stands in front of it.
typedef struct step_ground {
    double rise, before, behind;
} step_ground;

// The tilt of the solid there, degrees: the angle at the boundary for a contact angle of 0.
static double tilt_at(step_ground ground)
{
    static float bed[N * N], depth[N * N];
    const int first = N / 2; // dry column
    for (int k = 0; k < N * N; k++) {
        const int i = k % N;
        const double z =
            i < first ? (i - first + 1) * ground.before : ground.rise + (i - first) * ground.behind;
        bed[k] = (float)(z * (double)CELL);
        depth[k] = i < first ? (float)((0.5 * ground.rise - z) * (double)CELL) : 0.0f;
    }
    SCOPED(rill_world) *world = make_open_world(bed, depth);
    rill_surface *surface = surface_of(world, 0.0);
    const rill_mesh m = rill_surface_mesh(surface);
    double tilt = -1.0;
    for (size_t k = 0; k < m.vertex_count; k++)
        if (m.meniscus[k].weight > 0.0f) {
            const double one = (double)m.meniscus[k].angle / DEGREES;
            assert_true(tilt < 0.0 || fabs(one - tilt) < 1e-2);
            tilt = one;
        }
    rill_surface_destroy(&surface);
    assert_true(tilt >= 0.0);
    return tilt;
}

static void assert_tilt(double rise, double before, double behind, double degrees, double within)
{
    const double tilt = tilt_at((step_ground){rise, before, behind});
    if (!(fabs(tilt - degrees) <= within))
        fail_msg("rise %g, before %g, behind %g: tilt %g, expected %g", rise, before, behind, tilt,
                 degrees);
}

// A slope that goes on before the shore, behind it or on both sides has its own angle, however
// steep it is.
TEST(a_slope_has_its_own_angle_on_either_side_of_the_shore)
{
    for (double rise = 0.25; rise < 12.0; rise *= 1.5) {
        const double own = atan(rise) / DEGREES;
        assert_tilt(rise, rise, rise, own, 0.02);
        assert_tilt(rise, rise, 0.0, own, 0.02);
        assert_tilt(rise, 0.0, rise, own, 0.02);
    }
}

// A step of two cells and more is a wall, also in front of a roof that falls or rises a little.
TEST(a_step_of_two_cells_is_a_wall)
{
    for (double rise = 2.0; rise < 50.0; rise *= 1.5) {
        assert_tilt(rise, 0.0, 0.0, 90.0, 0.02);
        assert_tilt(rise, 0.0, -1.0, 90.0, 0.02);
        assert_tilt(rise, 0.0, 0.25, 90.0, 5.0);
    }
}

// Steps that grow, and ground behind a step that gets steeper until both are one slope: in steps of
// a hundredth of a cell the tilt changes by less than a degree.
TEST(the_tilt_of_a_solid_has_no_jump)
{
    double last = tilt_at((step_ground){0.5, 0.0, 0.0});
    for (double rise = 0.51; rise < 2.6; rise += 0.01) {
        const double now = tilt_at((step_ground){rise, 0.0, 0.0});
        assert_true(now > last - 0.01 && now - last < 1.0);
        last = now;
    }
    last = tilt_at((step_ground){1.8, 0.0, 0.0});
    for (double behind = 0.01; behind < 2.0; behind += 0.01) {
        const double now = tilt_at((step_ground){1.8, 0.0, behind});
        assert_true(fabs(now - last) < 1.0);
        last = now;
    }
    assert_true(fabs(last - atan(1.8) / DEGREES) < 0.02);
}

// A shaft with plumb walls, round or turned against the grid, is a wall all around.
TEST(a_shaft_in_a_solid_has_walls)
{
    const double cell = (double)CELL, middle = 0.5 * N * cell;
    for (int turned = 0; turned < 2; turned++) {
        SCOPED(rill_solid) *solid = make_air(N, N, cell, 20.0 * cell);
        combine(solid, box_at(middle, middle, 0.0, 1.0, 1.0, 32.0 * cell), RILL_COMBINE_UNION);
        rill_sdf_primitive shaft = placed(RILL_SDF_CYLINDER, middle, middle, 20.0 * cell);
        shaft.radius = 18.3 * cell;
        shaft.length = 32.0 * cell;
        if (turned) {
            shaft = box_at(middle, middle, 20.0 * cell, 31.0 * cell, 24.0 * cell, 32.0 * cell);
            shaft.rotation[2] = sin(10.0 * DEGREES);
            shaft.rotation[3] = cos(10.0 * DEGREES);
        }
        combine(solid, shaft, RILL_COMBINE_SUBTRACT);
        rill_world_def def = small_world(RILL_SOLVER_LAYERS);
        def.solid = solid;
        def.use_level = 1;
        def.level = 9.3f * CELL;
        SCOPED(rill_world) *world = make_world(&def);
        rill_surface *surface = surface_of(world, 20.0);
        const tilts t = tilts_of(surface);
        rill_surface_destroy(&surface);
        assert_true(t.count > 300 && t.least > 69.0 && t.most < 70.01);
    }
}

// ---- Walls of the world ----------------------------------------------------------------

#define WIDE 40
#define HIGH 30

// Level liquid up to all four sides.
static rill_world *make_vessel(rill_solver solver, const rill_border border[RILL_SIDE_COUNT])
{
    rill_world_def def = small_world(solver);
    def.nx = WIDE;
    def.ny = HIGH;
    def.use_level = 1;
    def.level = 5.0f * CELL;
    memcpy(def.border, border, sizeof def.border);
    return make_world(&def);
}

// Distances to the sides that are walls, cells; 1e9 where it is none.
static void distances_to(const rill_border border[RILL_SIDE_COUNT], const rill_vertex *v,
                         double out[RILL_SIDE_COUNT])
{
    const double x = (double)(v->position[0] / CELL), y = (double)(v->position[1] / CELL);
    const double all[RILL_SIDE_COUNT] = {[RILL_SIDE_WEST] = x,
                                         [RILL_SIDE_EAST] = WIDE - x,
                                         [RILL_SIDE_SOUTH] = y,
                                         [RILL_SIDE_NORTH] = HIGH - y};
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        out[side] = border[side] == RILL_BORDER_WALL ? all[side] : 1e9;
}

// All is exact: share, angle and, away from corners of two walls, direction.
static void check_vessel(const rill_border border[RILL_SIDE_COUNT], rill_mesh m, double angle)
{
    static const float outward[RILL_SIDE_COUNT][2] = {[RILL_SIDE_WEST] = {-1.0f, 0.0f},
                                                      [RILL_SIDE_EAST] = {1.0f, 0.0f},
                                                      [RILL_SIDE_SOUTH] = {0.0f, -1.0f},
                                                      [RILL_SIDE_NORTH] = {0.0f, 1.0f}};
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_meniscus *c = &m.meniscus[k];
        double to[RILL_SIDE_COUNT];
        distances_to(border, &m.vertices[k], to);
        int side = 0, near = 0;
        for (int n = 0; n < RILL_SIDE_COUNT; n++) {
            side = to[n] < to[side] ? n : side;
            near += to[n] < 6.0;
        }
        const double share = fmax(1.0 - to[side] / 4.0, 0.0);
        assert_true(fabs((double)c->weight - share) < 1e-4);
        if (share < 1e-4)
            continue;
        assert_true(fabs((double)c->angle - angle) < 1e-5);
        if (near > 1)
            continue;
        assert_true(fabsf(c->direction[0] - outward[side][0]) < 1e-5f);
        assert_true(fabsf(c->direction[1] - outward[side][1]) < 1e-5f);
    }
}

// Every choice of sides that reflect, in each solver: there the liquid climbs by 90 degrees less
// the contact angle, and nowhere else.
TEST(the_walls_of_the_world_bend_the_surface)
{
    const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE, RILL_SOLVER_LAYERS};
    for (int n = 0; n < 3; n++)
        for (unsigned walls = 0; walls < 16; walls++) {
            rill_border border[RILL_SIDE_COUNT];
            for (int side = 0; side < RILL_SIDE_COUNT; side++)
                border[side] = walls >> side & 1 ? RILL_BORDER_WALL : RILL_BORDER_DRAIN;
            const double contact_angle = n == 1 ? 120.0 : 20.0;
            SCOPED(rill_world) *world = make_vessel(solvers[n], border);
            rill_surface *surface = surface_of(world, contact_angle);
            const rill_mesh m = rill_surface_mesh(surface);
            assert_int_equal(m.vertex_count, (WIDE + 2) * (HIGH + 2));
            check_vessel(border, m, (90.0 - contact_angle) * DEGREES);
            rill_surface_destroy(&surface);
        }
}

// A side that opens while the world runs is no solid any longer.
TEST(a_side_that_opens_has_no_meniscus)
{
    const rill_border border[RILL_SIDE_COUNT] = {RILL_BORDER_WALL, RILL_BORDER_WALL,
                                                 RILL_BORDER_WALL, RILL_BORDER_WALL};
    SCOPED(rill_world) *world = make_vessel(RILL_SOLVER_PIPES, border);
    rill_surface *surface = surface_of(world, 20.0);
    assert_true(tilts_of(surface).count > 0);
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        assert_ok(rill_world_set_border(world, (rill_side)side, RILL_BORDER_LEVEL, 5.0f * CELL));
    assert_ok(rill_surface_build(surface, world));
    assert_int_equal(tilts_of(surface).count, 0);
    rill_surface_destroy(&surface);
}
