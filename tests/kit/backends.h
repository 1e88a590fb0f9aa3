// SPDX-License-Identifier: MIT
// backends.h - one scenario on the CPU and on another back end, to be compared to the last bit.
//
// The other back end is a GPU where there is one; without one the tests that need it are skipped in
// words. RILL_TEST_BACKEND=cpu makes it the CPU again, which shows that a scenario is sound and
// says the same twice.
#pragma once

#include "tests/kit/worlds.h"

// Two worlds of one definition; `gpu` is the one on the other back end.
typedef struct pair {
    union {
        struct {
            rill_world *cpu, *gpu;
        };
        rill_world *both[2];
    };
} pair;

rill_backend other_backend(void);
// "cuda" or "cpu", as rill_world_backend says it.
const char *other_backend_name(void);
// Skips the test, with the library's sentence, where there is no other back end, or where it does
// not have this solver.
void need_gpu(void);
void need_gpu_for(rill_solver solver);

pair pair_of(const rill_world_def *def);
// Each of the two is where it should be.
void assert_backends(const pair *p);
void destroy_pair(pair *p);
// Steps both and compares how.
void step_pair(pair *p, int steps, double dt);
// State, ledgers and columns; the ledgers first, so that nothing has been synchronised for them.
void assert_same(pair *p);

// Pours into both, also below something, and compares what found a place.
void pour_both(pair *p, double x, double y, double radius, double volume);
void pour_both_at(pair *p, double x, double y, double z, double radius, double volume);
// A ball that joins the ground and moves along a path.
void add_moving_ball(rill_world *world, const rill_path_key *path, int count);

// Saves the world on the other back end, clones it, and takes `steps` steps with both worlds; then
// the restored one, the clone, and the world on the CPU from the same snapshot get to the same
// state.
void assert_snapshot_brings_everything_back(pair *p, int steps, double dt);

// ---- Recorded hashes -------------------------------------------------------------------

// The world of a row of recorded hashes, on a back end and as many threads.
typedef rill_world *(*golden_make)(int row, rill_backend backend, int workers);
// What else must hold of it at the end; NULL: nothing.
typedef void (*golden_check)(rill_world *world);

// After so many steps of 1/64 s each row has its hash, on one thread and on three and on the other
// back end. Numbers that differ are printed.
void assert_recorded(golden_make make, golden_check check, int steps, const uint64_t *hashes,
                     int rows);
