// SPDX-License-Identifier: MIT
#include "tests/kit/solver_runs.h"

void *make_solver(const rl_solver_ops *ops, const rill_world_def *def, rl_isa isa)
{
    void *solver = NULL;
    assert_ok(ops->create(def, isa, &solver));
    return solver;
}

void run_solver(const rl_solver_ops *ops, void *solver, rl_jobs *jobs, int steps, double longest,
                rl_exchange *exchange)
{
    rl_exchange unwanted = {0};
    for (int n = 0; n < steps; n++)
        ops->step(solver, jobs, fmin(ops->stable_step(solver), longest),
                  exchange != NULL ? exchange : &unwanted);
}

void run_solver_for(const rl_solver_ops *ops, void *solver, rl_jobs *jobs, double seconds,
                    rl_exchange *exchange)
{
    rl_exchange unwanted = {0};
    for (double left = seconds; left > 0.0;) {
        const double dt = fmin(ops->stable_step(solver), left);
        ops->step(solver, jobs, dt, exchange != NULL ? exchange : &unwanted);
        left = dt < left ? left - dt : 0.0;
    }
}

uint64_t hash_arrays(uint64_t hash, const rill_state_array *arrays, int count)
{
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++)
            hash = hash_bytes(hash, arrays[n].data + row * arrays[n].pitch,
                              arrays[n].width * sizeof(float));
    return hash;
}

uint64_t hash_solver(const rl_solver_ops *ops, void *solver)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    return hash_arrays(KIT_HASH, arrays, ops->state(solver, arrays));
}
