// SPDX-License-Identifier: MIT
// Flooded passages of the layers water against theory: two basins joined below, a cross, outfalls,
// borders; and what must hold exactly.
#include "tests/kit/kit.h"
#include "tests/solvers/layers/mazes.h"

#define PI      3.14159265358979323846
#define GRAVITY 9.81

// Part of the liquid that roundings of discharges may make or lose while all of it is moved about.
#define LOST 1e-8

// ---- Two basins ------------------------------------------------------------------------

// Basins of 900 and 1200 mm^2, deep enough to be still, and a passage of 20 x 8 x 4 mm between
// them.
static maze two_basins(rill_passages passages, double viscosity)
{
    maze m = maze_block(92, 32, 80);
    m.def.pipes.smoothing = 1.0f; // which damps too
    m.def.pipes.viscosity = (float)viscosity;
    m.def.layers.passages = passages;
    maze_cut(&m, 1, 1, 2, 31, 31, MAZE_SKY);
    maze_cut(&m, 51, 1, 2, 91, 31, MAZE_SKY);
    maze_cut(&m, 31, 12, 44, 51, 20, 48);
    maze_start(&m);
    maze_fill(&m, 0, 0, 92, 32, 60 * MM);
    maze_fill(&m, 0, 0, 31, 32, 61 * MM);
    return m;
}

static double difference(const maze *m)
{
    return maze_level(m, 1, 1, 31, 31) - maze_level(m, 51, 1, 91, 31);
}

// 2 pi / omega0 of the two basins: dQ/dt = g (a / l) (h1 - h2) with the half cell at either end.
static double period(void)
{
    const double s1 = 900e-6, s2 = 1200e-6, section = 32e-6, length = 21 * MM;
    return 2.0 * PI * sqrt(length * s1 * s2 / (GRAVITY * section * (s1 + s2)));
}

// Times at which the difference of the levels passes through zero.
static int find_crossings(maze *m, double *times, int count)
{
    double before = difference(m);
    for (int n = 0; n < count;) {
        const double dt = maze_step(m, 1.0), now = difference(m);
        if ((now > 0.0) != (before > 0.0))
            times[n++] = m->time - dt * now / (now - before);
        before = now;
        if (m->time > 10.0)
            return n;
    }
    return count;
}

TEST(basins_swing_with_the_period_of_theory)
{
    for (int kind = RILL_PASSAGES_UNIFIED; kind <= RILL_PASSAGES_AXIS; kind++) {
        SCOPED(maze) m = two_basins((rill_passages)kind, 0.0);
        const double volume = maze_volume(&m);
        double times[5];
        assert_int_equal(find_crossings(&m, times, 5), 5);
        assert_true(fabs(maze_volume(&m) - volume) < 1e-10 * volume);
        const double measured = (times[4] - times[0]) / 2.0;
        assert_true(fabs(measured / period() - 1.0) < 0.05);
        assert_int_equal(maze_flooded(&m), 160);
        maze_assert_sound(&m);
    }
}

// Two walls: Q decays with 6 nu / H^2 (docs/papers.md, 000.8); one wall would be a quarter of that.
TEST(friction_between_two_walls_damps_the_swing)
{
    const double viscosity = 2e-6, height = 4 * MM, rate = 6.0 * viscosity / (height * height);
    SCOPED(maze) m = two_basins(RILL_PASSAGES_UNIFIED, viscosity);
    double peaks[4] = {0};
    double times[4];
    // The swing between two zeros has its largest value in the middle.
    for (int n = 0; n < 4; n++) {
        double before = difference(&m);
        for (;;) {
            const double dt = maze_step(&m, 1.0), now = difference(&m);
            peaks[n] = fmax(peaks[n], fabs(now));
            if ((now > 0.0) != (before > 0.0)) {
                times[n] = m.time - dt * now / (now - before);
                break;
            }
            before = now;
        }
    }
    const double measured = log(peaks[1] / peaks[3]) / (times[2] - times[0]);
    assert_true(fabs(measured / rate - 1.0) < 0.1);
}

TEST(viscous_liquid_comes_to_one_level)
{
    for (int kind = RILL_PASSAGES_UNIFIED; kind <= RILL_PASSAGES_AXIS; kind++) {
        SCOPED(maze) m = two_basins((rill_passages)kind, 2e-5);
        maze_run(&m, 4.0, 1.0);
        assert_true(fabs(difference(&m)) < 0.01 * MM);
    }
}

TEST(without_extended_pipes_the_flow_stops)
{
    SCOPED(maze) m = two_basins(RILL_PASSAGES_NONE, 0.0);
    maze_run(&m, 1.0, 1.0);
    assert_true(difference(&m) > 0.999 * MM);
    assert_int_equal(maze_flooded(&m), 0);
}

// ---- Sections and lengths --------------------------------------------------------------

// A passage along x or, turned, along y between two basins, made of boxes that are given along and
// across it: from, to, from, to, floor, ceiling.
static maze passage_of(const int (*boxes)[6], int count, bool turned)
{
    maze m = maze_block(60, 60, 40);
    const int basins[2][4] = {{1, 15, 1, 59}, {45, 59, 1, 59}};
    for (int k = 0; k < 2 + count; k++) {
        const int *b = k < 2 ? basins[k] : boxes[k - 2];
        const int low = k < 2 ? 2 : b[4], high = k < 2 ? MAZE_SKY : b[5];
        if (turned)
            maze_cut(&m, b[2], b[0], low, b[3], b[1], high);
        else
            maze_cut(&m, b[0], b[2], low, b[1], b[3], high);
    }
    maze_start(&m);
    maze_fill(&m, 0, 0, 60, 60, 30 * MM);
    maze_step(&m, 1e-4);
    return m;
}

// Sum over the gateways of one end of section over length, in cells.
static double conductance_of_end(const int (*boxes)[6], int count, bool turned)
{
    SCOPED(maze) m = passage_of(boxes, count, turned);
    const rl_layers_passages *p = m.s->passages;
    double sum = 0.0;
    for (size_t n = 0; n < p->gateway_count; n++)
        if (p->gateways[n].inward > 0)
            sum += (double)p->gateways[n].conductance / MM;
    return sum;
}

// Half the length of the passage, 15 cells, and half a cell outside.
TEST(ends_have_the_section_and_half_the_length_of_a_passage)
{
    for (int turned = 0; turned < 2; turned++) {
        const int straight[1][6] = {{15, 45, 20, 28, 4, 8}};
        assert_true(fabs(conductance_of_end(straight, 1, turned) - 8 * 4 / 15.5) < 1e-4);
        // A tunnel with low edges: what lies side by side adds up.
        const int tunnel[2][6] = {{15, 45, 20, 28, 4, 5}, {15, 45, 21, 27, 4, 12}};
        assert_true(fabs(conductance_of_end(tunnel, 2, turned) - (6 * 8 + 2) / 15.5) < 1e-3);
        // A throat of half the height on a third of the way: lengths over heights add up, 10 / 4 +
        // 10 / 2 + 10 / 4, which is as much as 40 cells of 4 mm.
        const int throat[3][6] = {
            {15, 25, 20, 28, 4, 8}, {25, 35, 20, 28, 4, 6}, {35, 45, 20, 28, 4, 8}};
        assert_true(fabs(conductance_of_end(throat, 3, turned) - 8 * 4 / 20.5) < 1e-3);
    }
}

// From a point to a circle of radius r, section over length is 2 pi H / ln(r / r0). An opening of
// one cell into half a chamber of 15 cells has half of that, with r0 of half a cell: a length of
// ln(30) / pi, about a cell, beside the half cell outside. All columns one behind the other would
// be 450 cells.
TEST(a_chamber_is_no_long_passage)
{
    const int chamber[3][6] = {
        {15, 16, 29, 30, 4, 8}, {16, 44, 14, 44, 4, 8}, {44, 45, 29, 30, 4, 8}};
    const double length = 4.0 / conductance_of_end(chamber, 3, false) - 0.5;
    assert_true(length > 0.5 * log(30.0) / PI && length < 4.0 * log(30.0) / PI);
}

// ---- A cross ---------------------------------------------------------------------------

enum { CROSS_WEST, CROSS_EAST, CROSS_SOUTH, CROSS_NORTH, CROSS_ENDS };

static const int cross_basins[CROSS_ENDS][4] = {
    {1, 21, 15, 39}, {45, 21, 59, 39}, {21, 1, 39, 15}, {21, 45, 39, 59}};

static maze cross(rill_passages passages)
{
    maze m = maze_block(60, 60, 30);
    m.def.pipes.viscosity = 4e-6f;
    m.def.layers.passages = passages;
    for (int k = 0; k < CROSS_ENDS; k++) {
        const int *b = cross_basins[k];
        maze_cut(&m, b[0], b[1], 2, b[2], b[3], MAZE_SKY);
    }
    maze_cut(&m, 15, 28, 4, 45, 32, 8);
    maze_cut(&m, 27, 15, 4, 33, 45, 8);
    maze_start(&m);
    maze_fill(&m, 0, 0, 60, 60, 14 * MM);
    maze_fill(&m, 0, 21, 15, 39, 24 * MM);
    return m;
}

static double cross_level(const maze *m, int end)
{
    const int *b = cross_basins[end];
    return maze_level(m, b[0], b[1], b[2], b[3]);
}

TEST(all_ends_of_a_cross_come_to_one_level)
{
    SCOPED(maze) m = cross(RILL_PASSAGES_UNIFIED);
    maze_run(&m, 8.0, 1.0);
    for (int k = 0; k < CROSS_ENDS; k++)
        assert_true(fabs(cross_level(&m, k) - cross_level(&m, CROSS_WEST)) < 0.2 * MM);
}

// Straight pipes see only the end that faces them.
TEST(straight_pipes_leave_the_sides_of_a_cross_behind)
{
    SCOPED(maze) m = cross(RILL_PASSAGES_AXIS);
    maze_run(&m, 8.0, 1.0);
    assert_true(fabs(cross_level(&m, CROSS_WEST) - cross_level(&m, CROSS_EAST)) < 0.2 * MM);
    assert_true(fabs(cross_level(&m, CROSS_SOUTH) - 14 * MM) < 0.01 * MM);
    assert_true(fabs(cross_level(&m, CROSS_NORTH) - 14 * MM) < 0.01 * MM);
}

// ---- Filling, emptying, outfalls -------------------------------------------------------

// A passage of 20 x 8 x 4 mm from 4 to 8 mm; its floor rises above those of the basins.
static maze low_basins(rill_passages passages, double viscosity)
{
    maze m = maze_block(74, 32, 40);
    m.def.pipes.viscosity = (float)viscosity;
    m.def.layers.passages = passages;
    maze_cut(&m, 1, 1, 2, 31, 31, MAZE_SKY);
    maze_cut(&m, 51, 1, 2, 73, 31, MAZE_SKY);
    maze_cut(&m, 31, 12, 4, 51, 20, 8);
    maze_start(&m);
    return m;
}

static void pour(maze *m, int x0, int y0, int x1, int y1, double volume)
{
    float depth[128];
    for (int i = 0; i < x1 - x0; i++)
        depth[i] = (float)(volume / ((double)((x1 - x0) * (y1 - y0)) * MM * MM));
    for (int y = y0; y < y1; y++) {
        const rl_deposit deposit = {.row = y, .first = x0, .count = x1 - x0, .depth = depth};
        rl_layers_ops.deposit(m->s, &deposit);
    }
}

// A basin is filled: passages flood, air is driven out, levels swing over the ceiling. Nothing is
// lost, nothing rises above a ceiling, and the length of the step does not decide how it goes.
TEST(filling_is_sound_and_independent_of_the_step)
{
    for (int kind = RILL_PASSAGES_UNIFIED; kind <= RILL_PASSAGES_AXIS; kind++) {
        double levels[2];
        for (int fine = 0; fine < 2; fine++) {
            SCOPED(maze) m = low_basins((rill_passages)kind, 1e-6);
            maze_fill(&m, 0, 0, 31, 32, 30 * MM);
            maze_fill(&m, 51, 0, 74, 32, 3 * MM);
            const double volume = maze_volume(&m);
            while (m.time < 0.3) {
                maze_step(&m, fine ? 2e-4 : 1e-3);
                maze_assert_sound(&m);
                assert_true(fabs(maze_volume(&m) - volume) < LOST * volume);
            }
            levels[fine] = maze_level(&m, 51, 1, 73, 31);
            assert_int_equal(maze_flooded(&m), 160);
        }
        assert_true(fabs(levels[0] - levels[1]) < 0.02 * levels[1]);
    }
}

// Basins are emptied: the passage opens from its ends and drains down to its floor.
TEST(a_passage_that_is_not_fed_empties)
{
    for (int kind = RILL_PASSAGES_UNIFIED; kind <= RILL_PASSAGES_AXIS; kind++) {
        SCOPED(maze) m = low_basins((rill_passages)kind, 1e-6);
        maze_fill(&m, 0, 0, 74, 32, 9 * MM);
        maze_step(&m, 1e-3);
        assert_int_equal(maze_flooded(&m), 160);
        while (m.time < 6.0) {
            pour(&m, 2, 2, 30, 30, -4e-6 * 1e-3);
            pour(&m, 52, 2, 72, 30, -4e-6 * 1e-3);
            maze_step(&m, 1e-3);
        }
        assert_int_equal(maze_flooded(&m), 0);
        // A film that still runs off: it is (nu l^2 / (g t))^(1/3) thick, 0.13 mm of the four here.
        assert_true(maze_volume_in(&m, true, 31, 12, 51, 20) < 0.2 * MM * 160e-6);
        maze_assert_sound(&m);
    }
}

// Steady viscous flow from a deep basin through a full passage into the air: the mean speed between
// two walls is g (dh / l) H^2 / (12 nu), where dh is the level above the ceiling of the end.
TEST(a_passage_runs_full_into_the_air)
{
    const double viscosity = 4e-5, height = 4 * MM, level = 25 * MM;
    SCOPED(maze) m = low_basins(RILL_PASSAGES_UNIFIED, viscosity);
    maze_fill(&m, 0, 0, 31, 32, level);
    double moved = 0.0;
    while (m.time < 2.5) {
        // What ran out is put back, and taken away below.
        const double lacking = (level - maze_level(&m, 1, 1, 31, 31)) * 900e-6;
        pour(&m, 1, 1, 31, 31, lacking);
        moved += m.time > 1.5 ? lacking : 0.0;
        pour(&m, 51, 1, 73, 31, -1.0);
        maze_step(&m, 1e-3);
    }
    const double speed =
        GRAVITY * (level - 8 * MM) / (20.5 * MM) * height * height / (12.0 * viscosity);
    assert_true(fabs(moved / (speed * 32e-6) - 1.0) < 0.05);
    assert_true(maze_flooded(&m) >= 19 * 8);
}

// What is too viscous to be fast keeps air out by its pressure, which is that of the basin behind
// it: at 35 mm/s it has a fifteenth of the head of air that moves in along this ceiling. So it
// fills the passage but for its end, where it runs off below the air: there h^4 = 12 nu q x / g,
// which is 3.7 mm for h = 4 mm and the q of the 16.3 mm before.
TEST(pressure_alone_keeps_air_out)
{
    SCOPED(maze) m = low_basins(RILL_PASSAGES_UNIFIED, 4e-4);
    while (m.time < 2.0) {
        pour(&m, 1, 1, 31, 31, (25 * MM - maze_level(&m, 1, 1, 31, 31)) * 900e-6);
        pour(&m, 51, 1, 73, 31, -1.0);
        maze_step(&m, 1e-3);
    }
    assert_true(fabs(maze_flooded(&m) / 8.0 - 16.3) < 1.0);
}

// Air moves in along a ceiling at 0.5 sqrt(g H), with a head of H / 8 (Benjamin): as much speed
// keeps it out, or as much pressure, or some of both. What was not flooded needs more.
TEST(air_has_the_head_of_a_gravity_current)
{
    const double height = 4 * MM, ceiling = 8 * MM;
    for (int n = 0; n <= 4; n++) {
        const double head = height / 8.0, pressure = 0.25 * n * head;
        const double speed = sqrt(2.0 * GRAVITY * (head - pressure));
        for (int more = 0; more < 2; more++) {
            const double part = more ? 1.001 : 0.999;
            const float level = (float)(ceiling + part * pressure);
            const float q = (float)(part * speed * height);
            assert_int_equal(
                rl_passages_keep_air_out(level, (float)ceiling, q, (float)height, GRAVITY, 0),
                more);
            assert_false(
                rl_passages_keep_air_out(level, (float)ceiling, q, (float)height, GRAVITY, 1));
        }
    }
}

// A slow flow does not keep air out: it comes in at the lower end, faster than Benjamin's cavity,
// 0.5 sqrt(g H), and not faster than a wave, sqrt(g H): here 5 to 10 mm in 0.05 s, a cell more or
// less.
TEST(air_moves_in_against_a_slow_flow)
{
    SCOPED(maze) m = low_basins(RILL_PASSAGES_UNIFIED, 1e-6);
    maze_fill(&m, 0, 0, 51, 32, 8.2 * MM);
    maze_fill(&m, 51, 0, 74, 32, 5 * MM);
    maze_run(&m, 0.05, 1e-3);
    int open = 0;
    for (int x = 31; x < 51; x++)
        open += m.s->flooded.origin[rl_layers_slot(m.s, 1, x, 15)] == 0.0f;
    assert_in_range(open, 4, 11);
    assert_true(maze_level(&m, 1, 1, 31, 31) > 8.0 * MM);
}

// ---- Borders ---------------------------------------------------------------------------

// A passage that begins below the sea at the western border and ends in a basin.
static maze below_the_sea(rill_border border, double level)
{
    maze m = maze_block(50, 20, 40);
    m.def.pipes.viscosity = 4e-6f;
    m.def.border[RILL_SIDE_WEST] = border;
    m.def.border_level[RILL_SIDE_WEST] = (float)level;
    maze_cut(&m, 20, 1, 2, 49, 19, MAZE_SKY);
    maze_cut(&m, -4, 6, 4, 20, 14, 8);
    maze_start(&m);
    return m;
}

TEST(a_sea_fills_a_basin_through_a_passage)
{
    SCOPED(maze) m = below_the_sea(RILL_BORDER_LEVEL, 20 * MM);
    maze_fill(&m, 0, 0, 50, 20, 10 * MM);
    const double volume = maze_volume(&m);
    maze_run(&m, 6.0, 1e-3);
    assert_true(fabs(maze_level(&m, 20, 1, 49, 19) - 20 * MM) < 0.1 * MM);
    assert_true(fabs(m.moved.in - m.moved.out + volume - maze_volume(&m)) < 1e-7 * volume);
}

TEST(a_drain_empties_a_basin_through_a_passage)
{
    SCOPED(maze) m = below_the_sea(RILL_BORDER_DRAIN, 0.0);
    maze_fill(&m, 0, 0, 50, 20, 20 * MM);
    const double volume = maze_volume(&m);
    maze_run(&m, 6.0, 1e-3);
    assert_true(maze_level(&m, 20, 1, 49, 19) < 5 * MM);
    assert_true(m.moved.in == 0.0);
    assert_true(fabs(volume - m.moved.out - maze_volume(&m)) < 1e-7 * volume);
}

// ---- Exact things ----------------------------------------------------------------------

static void assert_same_state(const maze *a, const maze *b)
{
    rill_state_array first[RL_MAX_STATE_ARRAYS], second[RL_MAX_STATE_ARRAYS];
    const int count = rl_layers_ops.state(a->s, first);
    assert_int_equal(rl_layers_ops.state(b->s, second), count);
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < first[n].rows; row++)
            assert_memory_equal(first[n].data + row * first[n].pitch,
                                second[n].data + row * second[n].pitch,
                                first[n].width * sizeof(float));
}

static void copy_state(const maze *from, maze *to)
{
    rill_state_array a[RL_MAX_STATE_ARRAYS], b[RL_MAX_STATE_ARRAYS];
    const int count = rl_layers_ops.state(from->s, a);
    rl_layers_ops.state(to->s, b);
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < a[n].rows; row++)
            memcpy(b[n].data + row * b[n].pitch, a[n].data + row * a[n].pitch,
                   a[n].width * sizeof(float));
    rl_layers_ops.state_changed(to->s);
}

// The second maze takes over the state of the first in the middle, while passages connect.
TEST(the_state_decides_the_future)
{
    for (int kind = RILL_PASSAGES_UNIFIED; kind <= RILL_PASSAGES_AXIS; kind++) {
        SCOPED(maze)
        a = low_basins((rill_passages)kind, 1e-6), b = low_basins((rill_passages)kind, 1e-6);
        maze_fill(&a, 0, 0, 51, 32, 9.5 * MM);
        maze_fill(&a, 51, 0, 74, 32, 6.8 * MM);
        maze_fill(&b, 0, 0, 74, 32, 12 * MM); // flooded, and to be forgotten
        for (int n = 0; n < 60; n++) {
            maze_step(&a, 1e-3);
            maze_step(&b, 1e-3);
        }
        copy_state(&a, &b);
        for (int n = 0; n < 600; n++) {
            maze_step(&a, 1e-3);
            maze_step(&b, 1e-3);
        }
        assert_true(maze_flooded(&a) > 0);
        assert_same_state(&a, &b);
    }
}
