// SPDX-License-Identifier: MIT
// test_borders.c - what lies beyond the sides of a world as time goes by: kinds that change, and
// series that act while the side is of their kind.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#define SIDE 16

// A pond of level 1 with a sea of level 2 beyond its western side.
static rill_world *pond(rill_solver solver)
{
    rill_world_def def = lake_def(SIDE, SIDE, 1.0, 1.0);
    def.solver = solver;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = 2.0f;
    return make_world(&def);
}

static const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE, RILL_SOLVER_LAYERS};

TEST(a_gate_that_closes_and_opens_is_as_if_the_host_did_it)
{
    static const rill_border_change gate[] = {{.time = 1.0, .border = RILL_BORDER_WALL},
                                              {2.0, RILL_BORDER_LEVEL, 1.5f}};
    for (int n = 0; n < 3; n++) {
        SCOPED(rill_world) *by_itself = pond(solvers[n]);
        SCOPED(rill_world) *by_host = pond(solvers[n]);
        assert_ok(rill_world_set_border_changes(by_itself, RILL_SIDE_WEST, gate, 2));
        run_world(by_itself, 48, 1.0 / 16.0);
        run_world(by_host, 16, 1.0 / 16.0);
        assert_ok(rill_world_set_border(by_host, RILL_SIDE_WEST, RILL_BORDER_WALL, 0.0f));
        const double closed = rill_world_ledger(by_host).sourced;
        run_world(by_host, 16, 1.0 / 16.0);
        assert_true(closed > 0.0 && rill_world_ledger(by_host).sourced == closed);
        assert_ok(rill_world_set_border(by_host, RILL_SIDE_WEST, RILL_BORDER_LEVEL, 1.5f));
        run_world(by_host, 16, 1.0 / 16.0);
        assert_true(rill_world_hash(by_itself) == rill_world_hash(by_host));
        assert_true(rill_world_ledger(by_itself).error < 1e-6);
    }
}

TEST(a_series_waits_while_the_side_is_a_wall)
{
    static const rill_border_change gate[] = {{.time = 1.0, .border = RILL_BORDER_WALL},
                                              {.time = 2.0, .border = RILL_BORDER_LEVEL}};
    static const rill_border_frame tide[] = {{.time = 0.0, .value = 2.0},
                                             {.time = 4.0, .value = 1.2}};
    SCOPED(rill_world) *w = pond(RILL_SOLVER_SWE);
    SCOPED(rill_world) *by_host = pond(RILL_SOLVER_SWE);
    assert_ok(rill_world_set_border_changes(w, RILL_SIDE_WEST, gate, 2));
    assert_ok(rill_world_set_border_series(w, RILL_SIDE_WEST, tide, 2));
    assert_ok(rill_world_set_border_series(by_host, RILL_SIDE_WEST, tide, 2));
    run_world(w, 32, 1.0 / 16.0);
    run_world(by_host, 16, 1.0 / 16.0);
    assert_ok(rill_world_set_border(by_host, RILL_SIDE_WEST, RILL_BORDER_WALL, 0.0f));
    run_world(by_host, 16, 1.0 / 16.0);
    assert_true(rill_world_hash(w) == rill_world_hash(by_host));
    // A clone made while the gate is closed knows all of it.
    SCOPED(rill_world) *clone = NULL;
    assert_ok(rill_world_clone(w, &clone));
    assert_ok(rill_world_set_border(by_host, RILL_SIDE_WEST, RILL_BORDER_LEVEL, 0.0f));
    assert_ok(rill_world_set_border_series(by_host, RILL_SIDE_WEST, tide, 2));
    run_world(w, 32, 1.0 / 16.0);
    run_world(clone, 32, 1.0 / 16.0);
    run_world(by_host, 32, 1.0 / 16.0);
    assert_true(rill_world_hash(w) == rill_world_hash(by_host));
    assert_true(rill_world_hash(w) == rill_world_hash(clone));
}

TEST(a_world_brought_back_takes_its_changes_again)
{
    static const rill_border_change gate[] = {{.time = 1.0, .border = RILL_BORDER_WALL}};
    SCOPED(rill_world) *w = pond(RILL_SOLVER_SWE);
    assert_ok(rill_world_set_border_changes(w, RILL_SIDE_WEST, gate, 1));
    run_world(w, 8, 1.0 / 16.0);
    SCOPED(rill_snapshot) *before = saved_world(w);
    run_world(w, 24, 1.0 / 16.0);
    const uint64_t hash = rill_world_hash(w);
    assert_ok(rill_world_restore(w, before));
    run_world(w, 24, 1.0 / 16.0);
    assert_true(rill_world_hash(w) == hash);
}

TEST(changes_that_cannot_be_are_refused)
{
    static const struct {
        rill_border_change changes[2];
        const char *sentence;
    } cases[] = {
        {{{1.0, RILL_BORDER_WALL, 0.0f}, {1.0, RILL_BORDER_LEVEL, 0.0f}},
         "change 1 of a border is at 1 s, times must rise"},
        {{{(double)NAN, RILL_BORDER_WALL, 0.0f}, {1.0, RILL_BORDER_LEVEL, 0.0f}},
         "change 0 of a border is at nan s, times must rise"},
        {{{1.0, RILL_BORDER_LEVEL, NAN}, {2.0, RILL_BORDER_WALL, 0.0f}},
         "border_level of side 0 is nan, it must be from -1e+06 to 1e+06"},
        {{{1.0, RILL_BORDER_WALL, 0.0f}, {2.0, RILL_BORDER_COUNT, 0.0f}},
         "border 6 of side 0 does not exist"},
    };
    SCOPED(rill_world) *w = pond(RILL_SOLVER_SWE);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_int_equal(rill_world_set_border_changes(w, RILL_SIDE_WEST, cases[n].changes, 2),
                         RILL_BAD_DEF);
        assert_string_equal(rill_last_error(), cases[n].sentence);
    }
    assert_int_equal(rill_world_set_border_changes(w, RILL_SIDE_WEST, NULL, 1), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_set_border_changes(NULL, RILL_SIDE_WEST, NULL, 0),
                     RILL_BAD_ARGUMENT);
}
