// SPDX-License-Identifier: MIT
// solver_runs.h - a solver by itself, without a world around it: made, stepped and hashed through
// its table of functions.
#pragma once

#include "solvers/solver.h"
#include "tests/kit/instruction_sets.h"

void *make_solver(const rl_solver_ops *ops, const rill_world_def *def, rl_isa isa);
// As many stable steps, none longer than `longest` seconds. exchange NULL: what crosses the borders
// is not wanted.
void run_solver(const rl_solver_ops *ops, void *solver, rl_jobs *jobs, int steps, double longest,
                rl_exchange *exchange);
// Stable steps up to `seconds` in all.
void run_solver_for(const rl_solver_ops *ops, void *solver, rl_jobs *jobs, double seconds,
                    rl_exchange *exchange);

// A hash of arrays of a state that goes on from another; the first goes on from KIT_HASH.
uint64_t hash_arrays(uint64_t hash, const rill_state_array *arrays, int count);
uint64_t hash_solver(const rl_solver_ops *ops, void *solver);
