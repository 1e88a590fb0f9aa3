// SPDX-License-Identifier: MIT
// fake_device.c - memory, errors and evaporation of a device that is none, and what its solvers
// have in common.
#include "tests/gpu/fake_device.h"

#include "solvers/shared/grid_solver.h"

#include <stdlib.h>
#include <string.h>

fake_device_counts fake_device_seen;
int fake_device_fails;

int fake_device_result(void)
{
    const int error = fake_device_fails;
    fake_device_fails = 0;
    return error;
}

const char *rl_device_text(int error)
{
    return error == 0 ? "no error" : "an error of the fake device";
}

int rl_device_pin(size_t bytes, void **memory)
{
    *memory = calloc(1, bytes);
    return *memory == NULL ? 2 : fake_device_result();
}

void rl_device_unpin(void *memory)
{
    free(memory);
}

int rl_evaporation_step(rl_evaporation *evaporation, const rl_evaporation_cells *cells,
                        float amount, double cell_size, double *row_volumes)
{
    float amounts[RL_DEPOSIT_RUN];
    (void)evaporation;
    for (int i = 0; i < RL_DEPOSIT_RUN; i++)
        amounts[i] = amount;
    for (int y = 0; y < cells->ny; y++) {
        row_volumes[y] = 0.0;
        for (int first = 0; first < cells->nx; first += RL_DEPOSIT_RUN) {
            const ptrdiff_t at = (ptrdiff_t)y * cells->pitch + first;
            const int left = cells->nx - first,
                      count = left < RL_DEPOSIT_RUN ? left : RL_DEPOSIT_RUN;
            row_volumes[y] +=
                rl_run_change(cells->depth + at, cells->remainder + at, amounts, count) *
                cell_size * cell_size;
            const float deepest = rl_run_largest(cells->depth + at, count);
            if (deepest > cells->running_max[y])
                cells->running_max[y] = deepest;
        }
    }
    return fake_device_result();
}

void rl_evaporation_destroy(rl_evaporation *evaporation)
{
    *evaporation = (rl_evaporation){0};
}

int fake_device_give(const rl_queued_deposit *queued, int run_capacity, int amount_capacity, int nx,
                     fake_device_deposit *deposit, void *solver)
{
    float *even = malloc((size_t)nx * sizeof *even);
    fake_device_seen.deposits++;
    fake_device_seen.deposited_runs += queued->run_count;
    if (even == NULL || queued->run_count > run_capacity ||
        queued->amount_count > amount_capacity ||
        queued->rows[queued->row_count] != queued->run_count)
        abort();
    for (int row = 0; row < queued->row_count; row++)
        for (int n = queued->rows[row]; n < queued->rows[row + 1]; n++) {
            const rl_device_run *run = &queued->runs[n];
            for (int i = 0; run->place < 0 && i < run->count; i++)
                even[i] = run->even;
            const rl_deposit d = {.row = run->row,
                                  .first = run->first,
                                  .count = run->count,
                                  .depth = run->place < 0 ? even : queued->amounts + run->place};
            if (run->row != queued->runs[queued->rows[row]].row)
                abort(); // a row is one block's
            deposit(solver, &d);
        }
    free(even);
    return fake_device_result();
}

void fake_device_give_to_cells(const rl_device_deposits *deposits, int nx,
                               fake_device_deposit *deposit, void *solver)
{
    for (int n = 0; n < *deposits->count; n++) {
        const int cell = deposits->cells[n];
        const rl_deposit d = {.row = cell / nx,
                              .first = cell % nx,
                              .count = 1,
                              .depth = &deposits->depth[n],
                              .momentum_x = &deposits->momentum_x[n],
                              .momentum_y = &deposits->momentum_y[n]};
        deposit(solver, &d);
    }
}

void fake_device_copy_rows(float *to, size_t to_pitch, const float *from, size_t from_pitch,
                           int west, int width, int first, int count)
{
    for (int y = first; y < first + count; y++)
        memcpy(to + (ptrdiff_t)y * (ptrdiff_t)to_pitch - west,
               from + (ptrdiff_t)y * (ptrdiff_t)from_pitch - west, (size_t)width * sizeof *to);
}

// ---- Solvers with two copies of their fields -------------------------------------------

void fake_device_grid_make(fake_device_grid *g, const rl_solver_ops *ops, rill_world_def *def)
{
    float *zero = calloc((size_t)def->nx * (size_t)def->ny, sizeof *zero);
    const rill_host host = {0};
    def->bed = def->depth = (rill_field_view){zero, def->nx, def->ny, (size_t)def->nx};
    g->ops = ops;
    g->nx = def->nx;
    g->ny = def->ny;
    if (zero == NULL || rl_jobs_create(&host, 1, &g->jobs) != RILL_OK ||
        ops->create(def, RL_ISA_PLAIN, &g->solver) != RILL_OK)
        abort();
    free(zero);
}

void fake_device_grid_unmake(fake_device_grid *g)
{
    const rill_allocator allocator = {0};
    g->ops->destroy(&allocator, &g->solver);
    rl_jobs_destroy(&g->jobs);
}

int rl_device_grid_reserve(void *device, int runs, int amounts)
{
    fake_device_grid *g = device;
    g->run_capacity = runs;
    g->amount_capacity = amounts;
    return fake_device_result();
}

int rl_device_grid_give(void *device, const rl_queued_deposit *queued)
{
    const fake_device_grid *g = device;
    return fake_device_give(queued, g->run_capacity, g->amount_capacity, g->nx, g->ops->deposit,
                            g->solver);
}

int rl_device_grid_settle(void *device)
{
    (void)device;
    fake_device_seen.settles++;
    return fake_device_result();
}

int rl_device_grid_running_max(void *device, float *running_max)
{
    const fake_device_grid *g = device;
    fake_device_seen.running_maxima++;
    memcpy(running_max, g->running_max, (size_t)g->ny * sizeof *running_max);
    return fake_device_result();
}

int rl_device_grid_clear_running_max(void *device)
{
    const fake_device_grid *g = device;
    for (int y = 0; y < g->ny; y++)
        g->running_max[y] = -1.0f;
    return fake_device_result();
}

int rl_device_grid_row_sums(void *device, double *sums)
{
    const fake_device_grid *g = device;
    g->ops->volume(g->solver, g->jobs);
    memcpy(sums, g->row_sums, (size_t)g->ny * sizeof *sums);
    return fake_device_result();
}

void rl_device_grid_cells(void *device, rl_evaporation_cells *cells)
{
    const fake_device_grid *g = device;
    *cells = (rl_evaporation_cells){.running_max = g->running_max, .nx = g->nx, .ny = g->ny};
    g->cells(device, cells);
}
