// SPDX-License-Identifier: MIT
// How triangles of bodies are divided, and water at points between cells.
#include "tests/bodies/body_worlds.h"
#include "tests/kit/kit.h"

#define DT (1.0 / 60.0)

TEST_EACH(NULL, end_case);

static void begin_lake(rill_solver solver)
{
    begin_bodies(solver, 32, 24, 0.5, 3.0);
    make_bodies();
}

// A plank of 12 m by 5 cm: its triangles are small enough, and far too long.
TEST(long_triangles_are_divided_until_they_are_short)
{
    begin_lake(RILL_SOLVER_PIPES);
    rill_body_def def = box_def(7.3, 5.1, 3.0, 0.05);
    def.size[0] = 12.0;
    const rl_body *body = add_body(def);
    for (int t = 0; t < body->triangle_count; t++) {
        rl_triangle triangle;
        assert_true(rl_samples_triangle(c.bodies, body, t, 0.25, &triangle));
        double longest = 0.0;
        for (int k = 0; k < 3; k++)
            longest = fmax(longest, fabs(triangle.p[k][0] - triangle.p[(k + 1) % 3][0]));
        assert_true(longest / triangle.parts <= sqrt(8.0 * 0.25));
        assert_true(triangle.parts <= RL_MAX_PARTS);
    }
}

// Pieces are as many as they should be, similar, and cover the triangle.
TEST(pieces_are_similar_and_cover_their_triangle)
{
    for (int parts = 1; parts <= 8; parts *= 2) {
        int count = 0;
        double sum[3] = {0};
        for (int row = 0; row < parts; row++)
            for (int n = 0; n < 2 * (parts - row) - 1; n++, count++) {
                const rl_piece piece = rl_samples_piece(parts, row, n);
                const double u[2] = {piece.at[1][1] - piece.at[0][1],
                                     piece.at[1][2] - piece.at[0][2]};
                const double v[2] = {piece.at[2][1] - piece.at[0][1],
                                     piece.at[2][2] - piece.at[0][2]};
                assert_near(u[0] * v[1] - u[1] * v[0], 1.0 / (parts * parts), 1e-12);
                for (int k = 0; k < 3; k++)
                    sum[k] += (piece.at[0][k] + piece.at[1][k] + piece.at[2][k]) / 3.0;
            }
        assert_int_equal(count, parts * parts);
        for (int k = 0; k < 3; k++)
            assert_near(sum[k] / count, 1.0 / 3.0, 1e-12);
    }
}

// A cave with water up to 0.5 m below a bridge with 2 m on it.
TEST(a_point_is_in_the_column_that_holds_it)
{
    static float base[2][16], depth[2][16], low[2][16], high[2][16], still[2][16];
    for (int n = 0; n < 16; n++) {
        base[0][n] = 3.0f; // open to the sky
        depth[0][n] = 2.0f;
        low[0][n] = 2.0f;
        high[0][n] = 1e30f;
        depth[1][n] = 0.5f; // covered
        low[1][n] = -1e30f;
        high[1][n] = 2.0f;
    }
    high[1][5] = -1.0f; // no cave in this cell
    low[1][5] = 0.0f;
    const rl_water_view view = {.columns = {.nx = 4,
                                            .ny = 4,
                                            .layers = 2,
                                            .pitch = 4,
                                            .layer_stride = 16,
                                            .cell_size = 1.0f,
                                            .wet_depth = 1e-4f,
                                            .base = base[0],
                                            .depth = depth[0],
                                            .velocity_x = still[0],
                                            .velocity_y = still[0],
                                            .range_min = low[0],
                                            .range_max = high[0]},
                                .cell_size = 1.0};
    const double up[3] = {0.0, 0.0, 1.0};
    const double above[3] = {1.7, 1.7, 4.0}, below[3] = {1.7, 1.7, 0.2}, wall[3] = {1.5, 1.5, 0.2};
    assert_near(rl_samples_level(&view, above, up), 5.0, 1e-6);
    assert_near(rl_samples_level(&view, below, up), 0.5, 1e-6);
    assert_true(rl_samples_level(&view, wall, up) == RL_NO_WATER);
}

// A raised floor carries the water above it; what hangs presses its water down, which is no level.
TEST(blocked_cells_have_the_levels_that_were_found_for_them)
{
    begin_lake(RILL_SOLVER_PIPES);
    rl_blocks *set = &c.bodies->blocks;
    for (int j = 0; j < 24; j++) {
        set->first[j] = 10;
        set->end[j] = 20;
        set->hangs[j] = true;
        for (int i = 0; i < 32; i++) {
            rill_field_row(&set->floor, j)[i] = i >= 10 && i < 12 ? 1.0f : 0.0f;
            rill_field_row(&set->lower, j)[i] = i >= 14 && i < 20 ? 2.0f : RL_BLOCK_NO_LOWER;
            rill_field_row(&set->upper, j)[i] = i >= 14 && i < 20 ? 5.0f : RL_BLOCK_NO_UPPER;
            rill_field_row(&c.bodies->level, j)[i] = 2.75f;
        }
    }
    c.bodies->has_blocks = true;
    c.ops->blocking->block(c.solver, NULL, set); // columns then stand on what it raises
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    const double up[3] = {0.0, 0.0, 1.0}, east[3] = {1.0, 0.0, 0.0};
    const double raised[3] = {5.5, 5.0, 2.0}, hung[3] = {8.5, 5.0, 2.0}, side[3] = {9.9, 5.0, 2.0};
    assert_near(rl_samples_level(&view, raised, up), 4.0, 1e-6);
    assert_true(rl_samples_level(&view, hung, up) == RL_NO_WATER);
    assert_near(rl_samples_head(&view, hung, up), 2.75, 1e-6);
    assert_near(rl_samples_head(&view, raised, up), 2.75, 1e-6);
    assert_near(rl_samples_head(&view, side, east), 3.0, 1e-6); // free water outside
}

// The surface rises where more water comes in than goes out: u = -x / 10 s.
TEST(bodies_feel_the_surface_rise)
{
    begin_lake(RILL_SOLVER_SWE);
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const rill_state_array *u = state_array(arrays, "u");
    for (size_t j = 0; j < u->rows; j++)
        for (size_t i = 0; i < u->width; i++)
            u->data[j * u->pitch + i] = (float)(-0.1 * 0.5 * ((double)i - 16.0));
    c.ops->state_changed(c.solver);
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    const double p[3] = {6.3, 5.2, 2.0};
    rl_wet_columns columns;
    double flow[3];
    assert_true(rl_samples_columns(&view, p, &columns));
    rl_samples_flow(&view, &columns, flow);
    assert_near(flow[0], -0.1 * (6.3 - 8.0), 1e-5);
    assert_near(flow[2], 0.3, 1e-4); // h times 1 / 10 s
}
