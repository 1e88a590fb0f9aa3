// SPDX-License-Identifier: MIT
// layers_gpu.h - the layers solver on a GPU, shared by its files. Its state is device-resident. A
// whole layers solver of the host accompanies it: it has ground and borders, the caller reads
// columns and state from it, and it recuts the ground.
#pragma once

#include "gpu/cuda/layers/layers_device_columns.h"
#include "gpu/cuda/layers/layers_tables.h"
#include "gpu/cuda/mirror/deposit_queue.h"

#include <pthread.h>

typedef struct rl_gpu_layers {
    rill_allocator allocator;
    rl_layers *host;
    rl_device_layers *device;
    rl_ground_tables tables;
    uint32_t *flooded; // a bit a column, of rl_device_layers_fetch_flooded
    size_t flooded_words;
    pthread_mutex_t mutex; // of all below: deposits come from several threads
    bool has_mutex;
    int error; // first failure of the device; the next step reports it

    bool host_leads;          // the state is host-resident, the device must get all of it
    bool ground_stale;        // the device must get ground and borders
    unsigned fresh;           // RL_LAYERS_SEEN_ bits: the host's copy is the device's
    unsigned char *row_fresh; // per plane and row: the same of its depths and remainders,
    unsigned char *row_ahead; // and whether the host is ahead of the device in them
    int rows_asked;           // for single rows since the last step
    bool some_ahead;
    float *device_running_max; // per row: running maximum of the device
    bool running_max_stale;    // the running maximum of the device has changed
    rl_deposit_queue deposits;
    rl_layers_velocities velocities; // computed for other modules on the device
} rl_gpu_layers;

extern const struct rl_device_columns_ops rl_gpu_layers_columns; // layers_device_columns.c

// Parts of the state that can be synchronised.
enum {
    RL_LAYERS_SEEN_DEPTH = 1,
    RL_LAYERS_SEEN_REMAINDER = 2,
    RL_LAYERS_SEEN_FLOW = 4,
    RL_LAYERS_SEEN_FLOODED = 8,
    RL_LAYERS_SEEN_ALL = 15,
};

// Brings the device up to date with all changes on the host's side.
void rl_gpu_layers_to_device(rl_gpu_layers *g);

// Brings parts of the host's state up to date.
void rl_gpu_layers_to_host(rl_gpu_layers *g, unsigned parts);

// Makes the state host-resident.
void rl_gpu_layers_lead(rl_gpu_layers *g);

// The deposit of rl_solver_ops.
double rl_gpu_layers_deposit(void *self, const rl_deposit *deposit);

// Sends waiting deposits to the device.
void rl_gpu_layers_give(rl_gpu_layers *g);

static inline size_t rl_gpu_layers_rows(const rl_gpu_layers *g)
{
    return (size_t)g->host->planes * (size_t)g->host->ny;
}

// Returns the row of a field, counted through all planes.
static inline int rl_gpu_layers_tall_row(const rl_gpu_layers *g, size_t row)
{
    const size_t ny = (size_t)g->host->ny;
    return (int)(row / ny * g->host->plane_rows + row % ny);
}

// Stores the first error.
static inline void rl_gpu_layers_note(rl_gpu_layers *g, int error)
{
    if (g->error == 0)
        g->error = error;
}
