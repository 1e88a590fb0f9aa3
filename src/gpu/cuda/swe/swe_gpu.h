// SPDX-License-Identifier: MIT
// swe_gpu.h - the swe solver on a GPU, shared by its files. Its state is device-resident. A whole
// swe solver of the host accompanies it: it has bed, borders, absorbing layers, marks and the list
// of falls, the caller reads columns and state from it, and its code does what happens rarely.
#pragma once

#include "gpu/cuda/mirror/deposit_queue.h"
#include "gpu/cuda/mirror/evaporation.h"
#include "gpu/cuda/swe/swe_device.h"
#include "solvers/swe/swe.h"

#include <pthread.h>

typedef struct rl_gpu_swe {
    rill_allocator allocator;
    rl_swe *host;
    rl_device_swe *device;
    pthread_mutex_t mutex; // of all below: deposits come from several threads
    bool has_mutex;
    int error; // first failure of the device; the next step reports it

    bool host_leads;          // the state is host-resident, the device must get all of it
    bool bed_stale;           // the device must get the bed,
    bool layers_stale;        // the absorbing layers,
    bool marks_stale;         // the marks,
    bool falls_stale;         // where falls are,
    bool list_ahead;          // and the volumes that wait in them
    bool list_lent;           // the caller may be lowering those in the host's list
    bool beyond_stale;        // deepest_beyond must be computed anew
    bool running_max_stale;   // the running maximum of the device may have changed
    bool lent;                // the memory of the host's fields is registered with the device
    bool list_fresh;          // the host's list of falls is the device's
    unsigned fresh;           // bit of a field: the host's copy is the device's
    unsigned char *row_fresh; // the same of single rows of depth, remainder and velocities,
    unsigned char *row_ahead; // and rows of them in which the host is ahead of the device
    int rows_asked;           // for single rows since the last step
    bool some_ahead;
    float deepest_beyond;      // metres
    float *device_running_max; // per row: running maximum of the device
    int *fall_map;             // of rl_device_swe_set_falls
    rl_deposit_queue deposits;
    rl_evaporation evaporation;
} rl_gpu_swe;

// Brings the device up to date with all changes on the host's side.
void rl_gpu_swe_to_device(rl_gpu_swe *g);

// Ends what gpu_motion() allowed: the host's list of falls is final.
static inline void rl_gpu_swe_take_list_back(rl_gpu_swe *g)
{
    g->list_ahead |= g->list_lent;
    g->list_lent = false;
}

// Brings fields of the host up to date; `fields` has the bits of RL_DEVICE_SWE_ fields.
void rl_gpu_swe_to_host(rl_gpu_swe *g, unsigned fields);

// Synchronises rows [first, first + count) of the fields that deposits read.
void rl_gpu_swe_synchronise_rows(rl_gpu_swe *g, int first, int count);

// Functions of rl_solver_ops.
double rl_gpu_swe_deposit(void *self, const rl_deposit *deposit);
bool rl_gpu_swe_rain(void *self, float depth, double *row_volumes);
const float *rl_gpu_swe_depth_row(void *self, int row);

// Sends waiting deposits to the device.
void rl_gpu_swe_give(rl_gpu_swe *g);

#define RL_GPU_SWE_COLUMNS (1u << RL_DEVICE_SWE_DEPTH | 1u << RL_DEVICE_SWE_REMAINDER)
#define RL_GPU_SWE_FACES   (1u << RL_DEVICE_SWE_U | 1u << RL_DEVICE_SWE_V)
#define RL_GPU_SWE_STATE   (RL_GPU_SWE_COLUMNS | RL_GPU_SWE_FACES | 1u << RL_DEVICE_SWE_PHI)

// Stores the first error.
static inline void rl_gpu_swe_note(rl_gpu_swe *g, int error)
{
    if (g->error == 0)
        g->error = error;
}

extern const struct rl_device_columns_ops rl_gpu_swe_columns;
