// SPDX-License-Identifier: MIT
// The pipes water with bodies that come, move and go (003 section 4.2): what gives way to what,
// that nothing is lost, and that nothing gets out of hand. Resting ones: test_pipes_blocks.c.
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/solvers/pipes/blocked_water.h"

enum { NX = 133, NY = 200, BODIES = 24 };

// ---- One column ------------------------------------------------------------------------

// A cell with something in it, and what another thing in its place makes of its water. The ground
// is at 1 m. Resting: `floor` above it; hanging: `lower` to `upper`.
typedef struct swap {
    rl_block old, now;
    float before, after; // depths, metres
} swap;

#define NOTHING                                    \
    {                                              \
        1.0f, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER \
    }
#define RESTS(top)                                \
    {                                             \
        top, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER \
    }
#define HANGS(from, to) \
    {                   \
        1.0f, from, to  \
    }

static const swap swaps[] = {
    // Something comes: above the water, into its surface, below it, onto the ground.
    {NOTHING, HANGS(4.0f, 5.0f), 2.0f, 2.0f},
    {NOTHING, HANGS(2.5f, 5.0f), 2.0f, 1.5f},
    {NOTHING, HANGS(1.5f, 2.25f), 2.0f, 1.25f},
    {NOTHING, RESTS(2.5f), 2.0f, 0.5f},
    {NOTHING, RESTS(4.0f), 2.0f, 0.0f},
    {NOTHING, {1.25f, 1.5f, 2.0f}, 2.0f, 1.25f},
    {NOTHING, {1.25f, 2.5f, 9.0f}, 2.0f, 1.25f},
    // It goes: the surface above it stays, one that it pressed down stays too.
    {HANGS(4.0f, 5.0f), NOTHING, 2.0f, 2.0f},
    {HANGS(2.5f, 5.0f), NOTHING, 1.5f, 1.5f},
    {HANGS(1.5f, 2.25f), NOTHING, 1.25f, 2.0f},
    {RESTS(2.5f), NOTHING, 0.5f, 2.0f},
    {RESTS(4.0f), NOTHING, 0.0f, 0.0f},
    {RESTS(4.0f), NOTHING, 0.0001f, 0.0001f}, // a film is no surface
    {HANGS(2.5f, 5.0f), NOTHING, 1.5001f, 1.5001f},
    {{1.25f, 1.5f, 2.0f}, NOTHING, 1.25f, 2.0f},
    // It moves: sinks, rises, tilts up to the surface.
    {HANGS(2.5f, 5.0f), HANGS(2.0f, 4.5f), 1.5f, 1.0f},
    {HANGS(2.5f, 5.0f), HANGS(2.75f, 5.25f), 1.5f, 1.5f},
    {HANGS(1.5f, 2.0f), HANGS(2.0f, 2.5f), 1.5f, 1.5f},
    {HANGS(1.5f, 2.0f), HANGS(2.5f, 3.5f), 1.5f, 1.5f},
    {RESTS(2.0f), RESTS(2.25f), 1.0f, 0.75f},
    {RESTS(2.0f), HANGS(1.5f, 2.5f), 1.0f, 1.0f},
};

TEST(water_gives_way_with_its_surface_where_it_was)
{
    for (size_t n = 0; n < sizeof swaps / sizeof swaps[0]; n++) {
        const swap *c = &swaps[n];
        SCOPED(blocked_water) w;
        blocked_plan(&w, 20, 8, 10.0f); // a film is thinner than a millimetre
        for (size_t k = 0; k < blocked_cells(&w); k++) {
            w.bed[k] = 1.0f;
            w.depth[k] = c->before;
        }
        assert_true(blocked_open(&w, best_isa(), 1));
        const rl_block both[2] = {c->old, c->now};
        for (int set = 0; set < 2; set++) {
            blocked_clear(&w);
            rl_blocks *b = &w.sets[!w.now];
            b->first[3] = 17;
            b->end[3] = 18;
            b->hangs[3] = both[set].lower < RL_BLOCK_NO_LOWER;
            rill_field_row(&b->floor, 3)[17] = both[set].floor;
            rill_field_row(&b->lower, 3)[17] = both[set].lower;
            rill_field_row(&b->upper, 3)[17] = both[set].upper;
            blocked_give(&w, set == 1);
        }
        const rill_columns col = blocked_columns(&w);
        for (int j = 0; j < 8; j++)
            for (int i = 0; i < 20; i++) {
                const float d = blocked_depth(&col, i, j), owed = (float)w.owed[j * 20 + i];
                const float want = i == 17 && j == 3 ? c->after : c->before;
                if (d != want || owed != c->before - want)
                    fail_msg("case %zu, cell %d %d: depth %g, owed %g", n, i, j, (double)d,
                             (double)owed);
            }
    }
}

// ---- Many bodies -----------------------------------------------------------------------

static float unit(uint64_t step, uint64_t index)
{
    return rl_random_unit(17, step, index);
}

static void plan_pond(blocked_water *w)
{
    blocked_plan(w, NX, NY, 0.5f);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const size_t n = (size_t)j * NX + (size_t)i;
            w->bed[n] = 0.3f * unit(1, n) + (i > 100 ? 0.1f * (float)(i - 100) : 0.0f);
            w->depth[n] = w->bed[n] < 2.0f ? 2.0f - w->bed[n] : 0.0f;
        }
}

// Boxes that sink, rise, swim about, sometimes jump, and now and then are not there.
static void draw_bodies(blocked_water *w, int step)
{
    blocked_clear(w);
    for (uint64_t n = 0; n < BODIES; n++) {
        const uint64_t life = (uint64_t)step / (40 + 7 * n), key = 100 + 50 * life;
        if (unit(key, n) < 0.2f)
            continue;
        const int wide = 2 + (int)(14.0f * unit(key + 1, n)),
                  high = 2 + (int)(14.0f * unit(key + 2, n));
        const float drift = (float)step * (unit(key + 3, n) - 0.5f) * 0.4f;
        int i = (int)(unit(key + 4, n) * (float)(NX - wide)) + (int)drift;
        const int j = (int)(unit(key + 5, n) * (float)(NY - high));
        i = ((i % (NX - wide)) + NX - wide) % (NX - wide);
        const rl_box box = {i, j, i + wide, j + high};
        const float bob = 0.2f * unit((uint64_t)step, n);
        if (unit(key + 6, n) < 0.4f)
            blocked_rest(w, box, 0.5f + 2.5f * unit(key + 7, n) + bob);
        else
            blocked_hang(w, box, 0.4f + 2.0f * unit(key + 8, n) + bob,
                         2.7f + bob + unit(key + 9, n) * (unit(key + 10, n) < 0.5f ? 2.0f : 0.2f));
    }
}

// Gives a part of what free cells are owed back to them, as bodies do.
static void release(blocked_water *w)
{
    const double area = (double)w->def.cell_size * (double)w->def.cell_size;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double *owed = &w->owed[j * NX + i];
            if (*owed == 0.0 || i >= 100)
                continue;
            const rl_block b = blocked_cell(w, i, j);
            if (b.lower < RL_BLOCK_NO_LOWER || b.floor > w->bed[j * NX + i])
                continue;
            const float depth = (float)(0.05 * *owed);
            const rl_deposit deposit = {.row = j, .first = i, .count = 1, .depth = &depth};
            *owed -= rl_pipes_ops.deposit(w->water, &deposit) / area;
        }
}

// The largest level of water that could come above something at cell (i, j).
static float top_at(const blocked_water *w, const rill_columns *c, int i, int j)
{
    if (i < 0 || j < 0 || i >= NX || j >= NY) {
        const int side = i < 0     ? RILL_SIDE_WEST
                         : i >= NX ? RILL_SIDE_EAST
                         : j < 0   ? RILL_SIDE_SOUTH
                                   : RILL_SIDE_NORTH;
        return w->def.border[side] == RILL_BORDER_LEVEL ? w->def.border_level[side] : -1e30f;
    }
    const rl_block b = blocked_cell(w, i, j);
    const rl_block_water water = rl_block_divide(b, blocked_depth(c, i, j));
    return b.lower < RL_BLOCK_NO_LOWER && water.above == 0.0f ? -1e30f : water.level;
}

// Marks the cells whose bodies nothing can cover in the next step: dry above, like all around.
static void mark_dry(const blocked_water *w, const rill_columns *c, bool *dry)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const rl_block b = blocked_cell(w, i, j);
            float top =
                fmaxf(top_at(w, c, i, j), fmaxf(top_at(w, c, i - 1, j), top_at(w, c, i + 1, j)));
            top = fmaxf(top, fmaxf(top_at(w, c, i, j - 1), top_at(w, c, i, j + 1)));
            dry[j * NX + i] = b.lower < RL_BLOCK_NO_LOWER && top <= b.upper;
        }
}

static void assert_sound(const blocked_water *w, const rill_columns *c, const bool *dry)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const size_t k = (size_t)j * c->pitch + (size_t)i;
            const rl_block b = blocked_cell(w, i, j);
            assert_true(c->depth[k] >= 0.0f && c->depth[k] < 10.0f);
            assert_true(isfinite(c->velocity_x[k]) && isfinite(c->velocity_y[k]));
            if (dry[j * NX + i])
                assert_true(c->depth[k] <= b.lower - b.floor);
        }
}

// The largest speed of water deeper than `depth`, m/s: films have no meaningful speed.
static double fastest_in(const rill_columns *c, float depth)
{
    double largest = 0.0;
    for (size_t j = 0; j < (size_t)c->ny; j++)
        for (size_t k = j * c->pitch; k < j * c->pitch + (size_t)c->nx; k++)
            if (c->depth[k] > depth)
                largest = fmax(largest, hypot((double)c->velocity_x[k], (double)c->velocity_y[k]));
    return largest;
}

TEST(nothing_is_lost_and_nothing_gets_out_of_hand_among_moving_bodies)
{
    static bool dry[NX * NY];
    SCOPED(blocked_water) w;
    plan_pond(&w);
    assert_true(blocked_open(&w, best_isa(), 2));
    const double start = blocked_volume(&w);
    double worst = 0.0, worst_given = 0.0, fastest = 0.0;
    for (int step = 0; step < TEST_PART(2000); step++) {
        const double before = blocked_volume(&w);
        draw_bodies(&w, step);
        blocked_give(&w, true);
        const double moved = blocked_volume(&w);
        worst = fmax(worst, fabs(moved - before));
        release(&w);
        worst_given = fmax(worst_given, fabs(blocked_volume(&w) - moved));
        rill_columns c = blocked_columns(&w);
        mark_dry(&w, &c, dry);
        blocked_step(&w, 1.0 / 60.0);
        c = blocked_columns(&w);
        assert_sound(&w, &c, dry);
        fastest = fmax(fastest, fastest_in(&c, 0.1f));
    }
    assert_true(worst < 1e-14 * start);
    // Deposits and steps round the change of each cell to floats, as they do without bodies.
    assert_true(worst_given < 1e-11 * start);
    assert_true(fabs(blocked_volume(&w) - start) < 1e-8 * start);
    // All that leaves a cell in a step leaves it at a cell a step; that is the end of it.
    assert_true(fastest < 0.5 * 60.0);
}

// Each kind of pipe, and open borders that bodies cross.
TEST(every_kind_of_pipe_and_border_stays_sound_among_moving_bodies)
{
    static bool dry[NX * NY];
    for (int variant = 0; variant < 6; variant++) {
        SCOPED(blocked_water) w;
        plan_pond(&w);
        w.def.pipes.area = variant % 2 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
        w.def.pipes.viscosity = variant / 2 >= 1 ? 1e-4f : 0.0f;
        w.def.pipes.drag = variant / 2 == 2 ? 0.01f : 0.0f;
        const rill_border borders[] = {RILL_BORDER_DRAIN, RILL_BORDER_LEVEL, RILL_BORDER_WALL};
        for (int side = 0; side < RILL_SIDE_COUNT; side++) {
            w.def.border[side] = borders[(side + variant) % 3];
            w.def.border_level[side] = 2.5f;
        }
        assert_true(blocked_open(&w, best_isa(), 2));
        const double start = blocked_volume(&w);
        for (int step = 0; step < 250; step++) {
            draw_bodies(&w, step);
            blocked_give(&w, true);
            release(&w);
            rill_columns c = blocked_columns(&w);
            mark_dry(&w, &c, dry);
            blocked_step(&w, 1.0 / 60.0);
            c = blocked_columns(&w);
            assert_sound(&w, &c, dry);
        }
        const double moved = w.moved.in - w.moved.out;
        assert_true(w.moved.out > 1.0);
        assert_true(fabs(blocked_volume(&w) - start - moved) < 1e-8 * (start + w.moved.in));
    }
}

static void run_pond(blocked_water *w, rl_isa isa, int workers)
{
    plan_pond(w);
    assert_true(blocked_open(w, isa, workers));
    for (int step = 0; step < TEST_FIFTH(150); step++) {
        draw_bodies(w, step);
        blocked_give(w, true);
        release(w);
        blocked_step(w, 1.0 / 60.0);
    }
}

static void assert_same_rows(const float *a, const float *b, size_t pitch)
{
    for (size_t j = 0; j < NY; j++)
        assert_memory_equal(a + j * pitch, b + j * pitch, NX * sizeof(float));
}

TEST(every_instruction_set_and_number_of_threads_gives_the_same_bits)
{
    SCOPED(blocked_water) first;
    run_pond(&first, RL_ISA_PLAIN, 1);
    const rill_columns a = blocked_columns(&first);
    FOR_EACH_ISA (isa)
        for (int workers = 1; workers <= 3; workers++) {
            SCOPED(blocked_water) w;
            run_pond(&w, isa, workers);
            assert_true(blocked_same_state(&first, &w));
            assert_memory_equal(first.owed, w.owed, blocked_cells(&w) * sizeof *w.owed);
            const rill_columns b = blocked_columns(&w);
            assert_same_rows(a.velocity_x, b.velocity_x, a.pitch);
            assert_same_rows(a.velocity_y, b.velocity_y, a.pitch);
            assert_same_rows(a.base, b.base, a.pitch);
        }
}

// Gives water with some momentum to a run of cells of every row, one time in eight.
static void splash(blocked_water *w, int step)
{
    float depth[NX], momentum_x[NX], momentum_y[NX];
    for (int j = 0; j < NY; j++) {
        const uint64_t key = (uint64_t)step * NY + (uint64_t)j;
        if (unit(key, 30) > 0.125f)
            continue;
        const int first = (int)(unit(key, 31) * NX), most = NX - first;
        const int count = 1 + (int)(unit(key, 32) * (float)(most - 1));
        for (int n = 0; n < count; n++) {
            depth[n] = 0.01f * unit(key, 40 + (uint64_t)n);
            momentum_x[n] = 0.5f * (unit(key, 240 + (uint64_t)n) - 0.5f);
            momentum_y[n] = 0.5f * (unit(key, 440 + (uint64_t)n) - 0.5f);
        }
        const rl_deposit deposit = {.row = j,
                                    .first = first,
                                    .count = count,
                                    .depth = depth,
                                    .momentum_x = unit(key, 33) < 0.5f ? momentum_x : NULL,
                                    .momentum_y = unit(key, 34) < 0.5f ? momentum_y : NULL};
        rl_pipes_ops.deposit(w->water, &deposit);
    }
}

// Bands hear of what bodies and deposits change in each other's rows. One pond is told that all of
// it has changed, before every step: the other one must not know less. On a shoal cells are short
// of water, and what they can pay for depends on the discharges on all their sides.
TEST(bands_know_what_was_changed_beyond_their_ends)
{
    blocked_water w[2];
    for (int n = 0; n < 2; n++) {
        plan_pond(&w[n]);
        for (int k = 0; k < NX * NY; k++)
            if (k % NX < 60) {
                w[n].bed[k] = 1.98f;
                w[n].depth[k] = 0.02f;
            }
        assert_true(blocked_open(&w[n], best_isa(), 2));
    }
    for (int step = 0; step < 300; step++) {
        for (int n = 0; n < 2; n++) {
            draw_bodies(&w[n], step);
            blocked_give(&w[n], true);
            if (step % 4 == 0)
                splash(&w[n], step);
        }
        rl_pipes_ops.state_changed(w[1].water);
        for (int n = 0; n < 2; n++)
            blocked_step(&w[n], 1.0 / 60.0);
        assert_true(blocked_same_state(&w[0], &w[1]));
    }
    blocked_water_destroy(&w[0]);
    blocked_water_destroy(&w[1]);
}

// ---- Just covered ----------------------------------------------------------------------

// Drizzle on a raft that swims in a lake: the level of a column under it jumps by what the raft
// stands out of the water as soon as it has a drop on it. A drop weighs a drop: no more than it
// runs off, above or below.
TEST(a_film_on_a_raft_does_not_push_the_lake)
{
    SCOPED(blocked_water) w;
    blocked_plan(&w, 40, 40, 0.5f);
    for (size_t n = 0; n < blocked_cells(&w); n++)
        w.depth[n] = 2.0f;
    assert_true(blocked_open(&w, best_isa(), 1));
    blocked_hang(&w, (rl_box){10, 10, 25, 25}, 1.5f, 3.5f);
    blocked_give(&w, true);
    const float drop = 1e-6f; // metres a step
    float drizzle[15];
    for (int i = 0; i < 15; i++)
        drizzle[i] = drop;
    double fastest = 0.0;
    for (int n = 0; n < 500; n++) {
        for (int j = 10; j < 25; j++) {
            const rl_deposit deposit = {.row = j, .first = 10, .count = 15, .depth = drizzle};
            rl_pipes_ops.deposit(w.water, &deposit);
        }
        blocked_step(&w, 1.0);
        const rill_columns c = blocked_columns(&w);
        fastest = fmax(fastest, fastest_in(&c, 0.0f));
    }
    // 225 cells of drizzle leave through 60 faces, 2 m high, in a step of about 0.05 s: 2e-5 m/s. A
    // level that jumps by 1.5 m would push a thousand times as much.
    assert_true(fastest < 1e-3);
}
