// SPDX-License-Identifier: MIT
// Flooded passages while they connect and open: how much that ripples, random mazes in which it
// happens all the time, and mazes that are too much for the memory of the search.
#include "tests/kit/kit.h"
#include "tests/solvers/layers/mazes.h"

#include "core/numbers.h"

// ---- Ripples ---------------------------------------------------------------------------

#define DT    1e-3
#define STEPS 5000
#define SPOTS 16

static double levels[STEPS][SPOTS]; // beside both ends of the passage

static void pour(maze *m, double volume)
{
    float depth[8];
    for (int i = 0; i < 8; i++)
        depth[i] = (float)(volume / (8 * 28 * MM * MM));
    for (int y = 2; y < 30; y++) {
        const rl_deposit deposit = {.row = y, .first = 2, .count = 8, .depth = depth};
        rl_layers_ops.deposit(m->s, &deposit);
    }
}

static void note_levels(const maze *m, double out[SPOTS])
{
    for (int k = 0; k < SPOTS; k++) {
        const size_t slot = rl_layers_slot(m->s, 0, k < 8 ? 30 : 51, 12 + k % 8);
        out[k] = (double)rl_passages_level(m->s, (ptrdiff_t)slot);
    }
}

typedef enum event { FILLING, EMPTYING, SWINGING, EVENTS } event;

static maze start(event kind, rl_layers_calm calm)
{
    maze m = maze_block(74, 32, 40);
    m.def.pipes.viscosity = 1e-6f;
    maze_cut(&m, 1, 1, 2, 31, 31, MAZE_SKY);
    maze_cut(&m, 51, 1, 2, 73, 31, MAZE_SKY);
    maze_cut(&m, 31, 12, 4, 51, 20, 8);
    maze_start(&m);
    rl_layers_passages_set_calm(m.s, calm);
    const double first[EVENTS] = {3.9, 10.0, 9.5}, second[EVENTS] = {3.0, 10.0, 6.8};
    maze_fill(&m, 0, 0, 51, 32, first[kind] * MM);
    maze_fill(&m, 51, 0, 74, 32, second[kind] * MM);
    return m;
}

// How much the levels at the ends jerk while the passage connects and opens: the root mean square
// of their second differences from step to step, metres.
static double ripple(event kind, rl_layers_calm calm)
{
    const double rates[EVENTS] = {2e-6, -2e-6, 0.0};
    const int steps[EVENTS] = {5000, 3000, 3000};
    maze m = start(kind, calm);
    int first = -1, last = 0, before = -1;
    for (int n = 0; n < steps[kind]; n++) {
        pour(&m, rates[kind] * DT);
        maze_step(&m, DT);
        note_levels(&m, levels[n]);
        const int now = maze_flooded(&m);
        if (now != before)
            last = n;
        if (now > 0 && first < 0)
            first = n;
        before = now;
    }
    maze_assert_sound(&m);
    maze_destroy(&m);
    const int from = first > 9 ? first - 8 : 1;
    const int to = last + 500 < steps[kind] - 1 ? last + 500 : steps[kind] - 1;
    double sum = 0.0;
    for (int n = from; n < to; n++)
        for (int k = 0; k < SPOTS; k++) {
            const double jerk = levels[n + 1][k] - 2.0 * levels[n][k] + levels[n - 1][k];
            sum += jerk * jerk;
        }
    return sqrt(sum / (SPOTS * (to - from)));
}

// The paper starts connections at zero and knows no hysteresis. Printed for docs/layers.md.
TEST(handing_momentum_over_and_hysteresis_calm_the_ripples)
{
    const char *names[EVENTS] = {"filling", "emptying", "swinging"};
    for (int kind = 0; kind < EVENTS; kind++) {
        double measured[4];
        for (int n = 0; n < 4; n++)
            measured[n] = ripple((event)kind, (rl_layers_calm){n & 1, n & 2});
        print_message("%-9s ripple, micrometres: paper %.2f, momentum %.2f, hysteresis %.2f, "
                      "both %.2f\n",
                      names[kind], 1e6 * measured[0], 1e6 * measured[1], 1e6 * measured[2],
                      1e6 * measured[3]);
        assert_true(measured[3] < measured[0] / 3.0);
    }
}

// ---- Random mazes ----------------------------------------------------------------------

typedef struct dice {
    uint64_t seed, count;
} dice;

static int roll(dice *d, int sides)
{
    return (int)(rl_random_bits(d->seed, 0, d->count++) % (uint64_t)sides);
}

// Boxes of all sizes above, beside and through each other, behind borders of all kinds.
static maze random_maze(dice *d)
{
    const int nx = 8 + roll(d, 72), ny = 8 + roll(d, 32);
    const float viscosities[4] = {0.0f, 1e-6f, 4e-5f, 0.4f};
    maze m = maze_block(nx, ny, 40);
    m.def.layers.max_layers = 20;
    m.def.layers.passages = (rill_passages)roll(d, 2);
    m.def.pipes.viscosity = viscosities[roll(d, 4)];
    m.def.pipes.area = roll(d, 4) == 0 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
    m.def.pipes.drag = roll(d, 4) == 0 ? 0.01f : 0.0f;
    for (int k = 0; k < RILL_SIDE_COUNT; k++) {
        m.def.border[k] = (rill_border)roll(d, 3);
        m.def.border_level[k] = (float)(roll(d, 40) * MM);
    }
    for (int k = 5 + roll(d, 40); k > 0; k--) {
        const int x = roll(d, nx) - 3, y = roll(d, ny) - 3, z = 1 + roll(d, 30);
        const int x1 = x + 1 + roll(d, nx / 2), y1 = y + 1 + roll(d, ny / 2);
        maze_cut(&m, x, y, z, x1, y1, roll(d, 5) == 0 ? MAZE_SKY : z + 1 + roll(d, 9));
    }
    maze_start(&m);
    maze_fill(&m, 0, 0, nx, ny, roll(d, 40) * MM);
    maze_fill(&m, 0, 0, nx / 2, ny, roll(d, 40) * MM);
    return m;
}

// Something is given or taken, or a border changes. Returns the volume given.
static double disturb(maze *m, dice *d)
{
    if (roll(d, 100) == 0)
        rl_layers_ops.set_border(m->s, (rill_side)roll(d, RILL_SIDE_COUNT), (rill_border)roll(d, 3),
                                 (float)(roll(d, 40) * MM));
    if (roll(d, 20) != 0)
        return 0.0;
    const float depth = (float)((roll(d, 5) - 2) * MM);
    const rl_deposit deposit = {.layer = roll(d, m->s->planes),
                                .row = roll(d, m->s->ny),
                                .first = roll(d, m->s->nx),
                                .count = 1,
                                .depth = &depth};
    return rl_layers_ops.deposit(m->s, &deposit);
}

// Liquid that waits in the remainder of a column for want of room, metres.
static double largest_remainder(const maze *m)
{
    const rl_layers *s = m->s;
    double largest = 0.0;
    for (int plane = 1; plane < s->planes; plane++)
        for (int j = 0; j < s->ny; j++)
            for (int i = 0; i < s->nx; i++)
                largest = fmax(largest,
                               fabs((double)s->remainder.origin[rl_layers_slot(s, plane, i, j)]));
    return largest;
}

TEST(random_mazes_lose_nothing_and_stay_below_their_ceilings)
{
    const double steps[4] = {1e-4, 1e-3, 3e-3, 9e-3};
    int flooded = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        dice d = {seed, 0};
        SCOPED(maze) m = random_maze(&d);
        double given = maze_volume(&m);
        const double dt = steps[roll(&d, 4)];
        const bool too_long = roll(&d, 3) == 0; // as when substeps run out: the area is capped
        for (int n = 0; n < 200; n++) {
            if (too_long)
                rl_layers_ops.step(m.s, NULL, dt, &m.moved);
            else
                maze_step(&m, dt);
            given += disturb(&m, &d);
            maze_assert_sound(&m);
            assert_true(largest_remainder(&m) < 0.02 * MM);
        }
        flooded += maze_flooded(&m);
        const double all = given + m.moved.in;
        assert_true(fabs(maze_volume(&m) - (all - m.moved.out)) <= 1e-7 * all);
    }
    assert_true(flooded > 10000);
}

// ---- Too many --------------------------------------------------------------------------

// Low and high ceilings in turn, liquid between them: every other column is a passage of its own,
// and there are four gateways to each, more than there is memory for. Those that find none are
// blocked; nothing breaks.
TEST(more_gateways_than_memory_do_no_harm)
{
    SCOPED(maze) m = maze_block(64, 64, 40);
    m.def.layers.max_layers = 2;
    maze_cut(&m, 1, 1, 2, 63, 63, 6);
    for (int y = 1; y < 63; y++)
        for (int x = 1 + y % 2; x < 63; x += 2)
            maze_cut(&m, x, y, 2, x + 1, y + 1, 10);
    maze_start(&m);
    maze_fill(&m, 0, 0, 64, 64, 8 * MM);
    maze_fill(&m, 0, 0, 20, 64, 9 * MM);
    const double volume = maze_volume(&m);
    for (int n = 1; n <= 200; n++) {
        maze_step(&m, 1e-3);
        maze_assert_sound(&m);
        assert_true(fabs(maze_volume(&m) - volume) < 1e-8 * volume);
    }
    assert_int_equal(m.s->passages->gateway_count, m.s->passages->gateway_capacity);
    assert_true(maze_flooded(&m) > 0 && maze_flooded(&m) < 62 * 31);
}

// Full columns side by side that do not touch, low and high in turn, three above each other: each
// is a run of its own, and there are more of them than there is memory for.
TEST(more_runs_than_memory_do_no_harm)
{
    SCOPED(maze) m = maze_block(40, 40, 40);
    m.def.layers.max_layers = 4;
    for (int y = 1; y < 39; y++)
        for (int x = 1; x < 39; x++)
            for (int z = (x + y) % 2 == 0 ? 4 : 8; z < 28; z += 8)
                maze_cut(&m, x, y, z, x + 1, y + 1, z + 2);
    maze_start(&m);
    maze_fill(&m, 0, 0, 40, 40, 30 * MM);
    const double volume = maze_volume(&m);
    for (int n = 0; n < 5; n++)
        maze_step(&m, 1e-3);
    maze_assert_sound(&m);
    assert_true(maze_flooded(&m) > 0 && maze_flooded(&m) < 38 * 38 * 3);
    assert_true(maze_volume(&m) == volume);
}
