// SPDX-License-Identifier: MIT
// pipes_gpu.h - the pipes solver on a GPU, shared by its files. Its state is device-resident. A
// whole pipes solver of the host accompanies it: it has bed and borders, the caller reads columns
// and state from it, and it takes over while bodies block the flow, which devices cannot do.
#pragma once

#include "gpu/cuda/mirror/deposit_queue.h"
#include "gpu/cuda/mirror/evaporation.h"
#include "gpu/cuda/pipes/pipes_device_columns.h"
#include "solvers/pipes/pipes.h"

#include <pthread.h>

typedef struct rl_gpu_pipes {
    rill_allocator allocator;
    rl_pipes *host;
    rl_device_pipes *device;
    pthread_mutex_t mutex; // of all below: deposits come from several threads
    bool has_mutex;
    int error; // first failure of the device; the next step reports it

    bool host_leads;          // the state is host-resident, the device must get all of it
    bool bed_stale;           // the device must get the bed,
    bool borders_stale;       // and the cells beyond the borders
    unsigned fresh;           // bit of a field: the host's copy is the device's
    unsigned char *row_fresh; // the same of single rows of depth and remainder,
    unsigned char *row_ahead; // and rows of them in which the host is ahead of the device
    int rows_asked;           // for single rows since the last step
    bool some_ahead;
    float *ghosts;             // of rl_device_borders, pinned
    float *device_running_max; // per row: running maximum of the device
    rl_deposit_queue deposits;
    rl_evaporation evaporation;
    rl_pipes_velocities velocities; // computed for other modules on the device
} rl_gpu_pipes;

// Brings the device up to date with all changes on the host's side.
void rl_gpu_pipes_to_device(rl_gpu_pipes *g);

// Brings fields of the host up to date; `fields` has the bits of RL_DEVICE_ fields.
void rl_gpu_pipes_to_host(rl_gpu_pipes *g, unsigned fields);

// Functions of rl_solver_ops.
double rl_gpu_pipes_deposit(void *self, const rl_deposit *deposit);
bool rl_gpu_pipes_rain(void *self, float depth, double *row_volumes);
const float *rl_gpu_pipes_depth_row(void *self, int row);

// Sends waiting deposits to the device.
void rl_gpu_pipes_give(rl_gpu_pipes *g);

#define RL_GPU_PIPES_STATE \
    (1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER | 1u << RL_DEVICE_QX | 1u << RL_DEVICE_QY)

// The interface for other modules on the device (pipes_device_columns.c).
extern const struct rl_device_columns_ops rl_gpu_pipes_columns;

// Stores the first error.
static inline void rl_gpu_pipes_note(rl_gpu_pipes *g, int error)
{
    if (g->error == 0)
        g->error = error;
}
