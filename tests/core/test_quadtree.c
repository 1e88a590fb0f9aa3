// SPDX-License-Identifier: MIT
// Detail by distance: fine near the viewer, never coarser than the distance allows, and without
// jumps between neighbours.
#include "core/quadtree.h"
#include "tests/kit/kit.h"

#define NX 1000 // not a multiple of a square
#define NY 700

static double distance_to(const double viewer[3], int i, int j)
{
    const double low_x = i * RL_SQUARE, low_y = j * RL_SQUARE;
    const double x = fmax(fmax(low_x - viewer[0], viewer[0] - (low_x + RL_SQUARE)), 0.0);
    const double y = fmax(fmax(low_y - viewer[1], viewer[1] - (low_y + RL_SQUARE)), 0.0);
    return sqrt(x * x + y * y + viewer[2] * viewer[2]);
}

static void check_levels(const rl_quadtree *tree, const double viewer[3], double near)
{
    const rl_quadtree_view view = rl_quadtree_squares(tree);
    assert_int_equal(view.squares_x, (NX + RL_SQUARE - 1) / RL_SQUARE);
    assert_int_equal(view.squares_y, (NY + RL_SQUARE - 1) / RL_SQUARE);
    for (int j = 0; j < view.squares_y; j++)
        for (int i = 0; i < view.squares_x; i++) {
            const int level = view.level[j * view.squares_x + i];
            assert_in_range(level, 0, RL_MAX_DETAIL);
            // Level n begins at 2^(n - 1) times the near distance.
            if (level > 0)
                assert_true(distance_to(viewer, i, j) >= near * pow(2.0, level - 1) - 1e-9);
            for (int n = 0; n < 9; n++) {
                const int a = i + n % 3 - 1, b = j + n / 3 - 1;
                if (a < 0 || a >= view.squares_x || b < 0 || b >= view.squares_y)
                    continue;
                assert_true(abs(view.level[b * view.squares_x + a] - level) <= 1);
            }
        }
}

TEST(levels_follow_the_distance_and_neighbours_differ_by_one)
{
    rl_quadtree *tree = rl_quadtree_create(NULL, NX, NY);
    assert_non_null(tree);
    const double viewers[][3] = {{0, 0, 0},      {500, 350, 20}, {-300, 2000, 5},
                                 {999, 699, 80}, {123, 45, 500}, {1e6, 1e6, 0}};
    const double nears[] = {5, 40, 200};
    for (size_t v = 0; v < sizeof viewers / sizeof viewers[0]; v++)
        for (size_t n = 0; n < sizeof nears / sizeof nears[0]; n++) {
            rl_quadtree_get(tree, viewers[v], nears[n]);
            check_levels(tree, viewers[v], nears[n]);
        }
    rl_quadtree_destroy(&tree);
    assert_null(tree);
}

TEST(far_squares_are_merged_entirely)
{
    SCOPED(rl_quadtree) *tree = rl_quadtree_create(NULL, NX, NY);
    const double viewer[3] = {0, 0, 0};
    rl_quadtree_get(tree, viewer, 50.0);
    const rl_quadtree_view view = rl_quadtree_squares(tree);
    assert_int_equal(view.level[0], 0);
    // 8 times the near distance is 400 cells; the corner is 1200 away.
    assert_int_equal(view.level[view.squares_x * view.squares_y - 1], RL_MAX_DETAIL);
    int counts[RL_MAX_DETAIL + 1] = {0};
    for (int n = 0; n < view.squares_x * view.squares_y; n++)
        counts[view.level[n]]++;
    for (int level = 0; level <= RL_MAX_DETAIL; level++)
        assert_true(counts[level] > 0);
}

TEST(a_height_over_the_ground_is_a_distance_too)
{
    SCOPED(rl_quadtree) *tree = rl_quadtree_create(NULL, NX, NY);
    const double viewer[3] = {500, 350, 2.5 * 3000};
    rl_quadtree_get(tree, viewer, 3000.0); // 2.5 times as far: level 2 below, and level 2 at most
    const rl_quadtree_view view = rl_quadtree_squares(tree);
    for (int n = 0; n < view.squares_x * view.squares_y; n++)
        assert_int_equal(view.level[n], 2);
}

TEST(a_look_tells_whether_something_changed)
{
    SCOPED(rl_quadtree) *tree = rl_quadtree_create(NULL, NX, NY);
    const double viewer[3] = {100, 100, 0}, other[3] = {900, 100, 0};
    const double nowhere[3] = {NAN, 0, 0};
    assert_true(rl_quadtree_get(tree, viewer, 50.0));
    assert_false(rl_quadtree_get(tree, viewer, 50.0));
    assert_true(rl_quadtree_get(tree, other, 50.0));
    assert_true(rl_quadtree_get(tree, other, 0.0));
    const rl_quadtree_view view = rl_quadtree_squares(tree);
    for (int n = 0; n < view.squares_x * view.squares_y; n++)
        assert_int_equal(view.level[n], 0);
    assert_false(rl_quadtree_get(tree, nowhere, 50.0));
    assert_true(rl_quadtree_memory(tree) >= 2u * (unsigned)(view.squares_x * view.squares_y));
}
