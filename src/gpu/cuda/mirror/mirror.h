// SPDX-License-Identifier: MIT
// mirror.h - keeps the state of a device-resident solver coherent with its copy on the host,
// whatever the solver. The state lives on the device; beside it stands a whole solver of the host,
// in which it is read, which does what the device cannot, and whose own code changes single rows.
// The mirror knows which side has what, and lets nothing travel that need not:
//
// - Fields of the host may be fresh, as a whole or by rows: they equal those of the device.
// - Rows of the host may be dirty: it has changed them, and the device gets them before it is used.
// - The host may lead: it has the state, and the device gets all of it before it is used.
// - Deposits that only give are known without reading the water. They wait in a queue, which is
//   handed over when the device is used. A row that is fresh or dirty has none in the queue.
//
// Nothing here is CUDA's: a solver describes itself by a table of functions, and a test drives the
// mirror with a device that is none.
#pragma once

#include "core/owned.h"
#include "gpu/cuda/mirror/device.h"
#include "gpu/device_ops.h"
#include "solvers/solver.h"

#include <pthread.h>

// ---- Deposits that wait (deposit_queue.c) ----------------------------------------------

// The memory is pinned; none of it may be changed while the device reads it.
typedef struct rl_deposit_queue {
    rl_device_run *runs, *sorted;
    int *rows;       // of rl_queued_deposit
    int *row_counts; // runs of each row
    float *amounts;
    int run_count, amount_count, run_capacity, amount_capacity;
    bool under_way; // the device may be reading it
} rl_deposit_queue;

// Allocates memory for deposits to a grid of so many cells; returns 0 or an error of the device.
// The caller must call rl_deposit_queue_unpin() in either case.
int rl_deposit_queue_pin(rl_deposit_queue *w, int64_t cells);
void rl_deposit_queue_unpin(rl_deposit_queue *w);

// Returns whether one more run of so many cells fits beside those that wait already.
static inline bool rl_deposit_queue_fit(const rl_deposit_queue *w, int count)
{
    return w->run_count < w->run_capacity && w->amount_count + count <= w->amount_capacity;
}

// Adds a deposit that fits.
void rl_deposit_queue_add(rl_deposit_queue *w, const rl_deposit *deposit);

// Adds `depth` metres for every cell of ny rows of nx; the queue must have capacity for ny runs.
// Writes row_volumes, m^3, as deposits to runs of RL_DEPOSIT_RUN cells would give them.
void rl_deposit_queue_rain(rl_deposit_queue *w, int nx, int ny, float depth, double cell_size,
                           double *row_volumes);

// Returns all waiting deposits, by rows, for the device to read; the queue is empty then. `ny` is
// the number of rows.
rl_queued_deposit rl_deposit_queue_take(rl_deposit_queue *w, int ny);

// ---- The mirror ------------------------------------------------------------------------

// What a mirror asks of a device-resident solver, whose struct begins with its rl_mirror: `self` is
// the address of both. Rows are counted from 0 to ny - 1, and on through all planes of a solver
// that has several. Fields are bits of the solver's own. `device` is that of the mirror, which
// make_device sets. Functions that return int return 0 or an error of the device; the others note
// theirs by rl_mirror_note().
typedef struct rl_mirror_ops {
    const rl_solver_ops *host; // the solver beside it
    size_t size;               // of the struct of the device-resident solver

    unsigned state_fields;  // that the host needs to lead
    unsigned sent_fields;   // that are equal on both sides after the host has led
    unsigned column_fields; // depths and remainders, which deposits change
    unsigned row_fields;    // that travel with single rows
    unsigned stable_fields; // that the host's `stable_step` reads
    unsigned depth_fields;  // that rl_mirror_read_columns() reads: depths,
    unsigned flow_fields;   // and what velocities are made of
    // Rows that are read ahead when single rows are asked for: run_factor (n + run_first)^2 the nth
    // time since the last step, from 0 on, at least one; after 16 times all that are not there.
    int run_factor, run_first;
    bool copies_wait; // copies of rows and fields may be under way until `settle`
    // Deposits with momentum read the rows before and after theirs, and change the one before. Else
    // they change more than rows, and the host must lead.
    bool pushes_rows;

    // Fills planes, host_max and row_sums of the mirror and takes what else the host needs; makes
    // the device; gives all of it back, as far as it was taken. The host's solver may be NULL then.
    rill_status (*prepare)(void *self);
    int (*make_device)(void *self);
    void (*release)(void *self);
    // Bytes of the host that `prepare` has taken besides blocks of the mirror. NULL: none.
    size_t (*memory)(const void *self);

    // Takes memory of the device for queued deposits of at most so many runs and amounts.
    int (*reserve)(void *device, int runs, int amounts);
    int (*give)(void *device, const rl_queued_deposit *queued);
    // Waits until nothing is under way.
    int (*settle)(void *device);

    // Uploads ground, borders and the like, as far as they are stale; with `state` the whole state,
    // too, and clears the running maxima of the device: the host knows them.
    void (*upload)(void *self, bool state);
    void (*download)(void *self, unsigned fields);
    // Rows of row_fields, all of one plane.
    void (*upload_rows)(void *self, int first, int count);
    void (*download_rows)(void *self, int first, int count);
    // The host has got state_fields: fetches what else belongs to the state. `leads`: the host is
    // going to change it. NULL: there is nothing to do.
    void (*fetched)(void *self, bool leads);

    // The largest depth that deposits on the device left in each of ny rows since the last step,
    // metres, or -1.
    int (*running_max)(void *device, float *row_max);
    // The host has got them: fetches the other maxima that deposits raise. NULL: there are none.
    void (*max_fetched)(void *self);
    // Sums of depths and remainders by rows. NULL: the host sums up.
    int (*row_sums)(void *device, double *sums);
    // Where depths lie on the device. NULL: rl_mirror_rain() must not be called.
    void (*evaporation_cells)(void *device, rl_evaporation_cells *cells);
    // Makes the velocities of now and says where columns are: all but what rl_mirror_columns()
    // knows.
    int (*columns)(void *device, float wet_depth, rl_device_columns *columns);
    // The function of rl_device_ops.
    rill_status (*advance)(void *self, rl_jobs *jobs, rl_substeps *substeps, rl_exchange *exchange);
} rl_mirror_ops;

typedef struct rl_mirror {
    rl_owned own;
    rill_allocator allocator;
    const rl_mirror_ops *ops;
    void *host;   // the solver beside it
    void *device; // the solver on the device, as its own functions know it
    int nx, ny, planes;
    double cell_size; // metres
    float *host_max;  // running maxima of the host's solver, per row
    double *row_sums; // of the host's solver, per row, where the device sums up

    pthread_mutex_t mutex; // of all below: deposits come from several threads
    bool has_mutex;
    int error;                // first failure of the device; the next step reports it
    bool host_leads;          // the host has the state, the device must get all of it
    unsigned fresh;           // fields of the host that equal those of the device
    unsigned char *row_fresh; // the same of row_fields of single rows
    unsigned char *row_dirty; // rows of them that the host has changed
    bool some_dirty;
    int rows_asked;    // times that single rows had to be downloaded since the last step
    float *device_max; // running maxima of the device, per row
    bool max_stale;    // those of the device may be larger than the host knows
    rl_deposit_queue queue;
    rl_evaporation evaporation;
} rl_mirror;

// Makes a device-resident solver. The host leads at first.
rill_status rl_mirror_create(const rl_mirror_ops *ops, const rill_world_def *def, rl_isa isa,
                             void **self);

// Fails for want of the host's memory, with a sentence.
rill_status rl_mirror_no_memory(const rl_mirror_ops *ops);

// Keeps the first error.
static inline void rl_mirror_note(rl_mirror *m, int error)
{
    if (m->error == 0)
        m->error = error;
}

// ---- For the solver's own functions ----------------------------------------------------

// Brings the device up to date with all that was done on the host's side. The caller holds the
// mutex or knows that no other thread is here.
void rl_mirror_to_device(rl_mirror *m);

// Brings fields of the host up to date, and its running maxima.
void rl_mirror_read(rl_mirror *m, unsigned fields);
// Brings row_fields of rows [first, end) to the host; rows beyond the grid are left out.
void rl_mirror_read_rows(rl_mirror *m, int first, int end);
// Brings the state to the host, which leads from now on.
void rl_mirror_lead(rl_mirror *m);

// Before a step on the device: the largest of `deepest` and the host's running maxima, which begin
// anew.
float rl_mirror_take_max(rl_mirror *m, float deepest);
// After a step, on whatever side it was taken. A step on the device takes at least one substep,
// clears the running maxima there and has waited for all that was under way. The first error of the
// device becomes a status.
rill_status rl_mirror_end_step(rl_mirror *m);

// For `columns` of rl_device_ops: brings the device up to date and fills `columns`.
int rl_mirror_columns(rl_mirror *m, float wet_depth, rl_device_columns *columns);

// ---- For the solver's tables -----------------------------------------------------------

// Functions of rl_solver_ops, and those that are the same in the tables of all solvers.
void rl_mirror_destroy(const rill_allocator *allocator, void **self);
size_t rl_mirror_memory(const void *self); // of the host; the device's memory is its own
double rl_mirror_stable_step(const void *self);
void rl_mirror_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange);
double rl_mirror_deposit(void *self, const rl_deposit *deposit);
rill_columns rl_mirror_read_columns(void *self, rl_jobs *jobs, const rl_columns_request *request);
double rl_mirror_volume(const void *self, rl_jobs *jobs);
rill_field *rl_mirror_bed(void *self);
int rl_mirror_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
const char *rl_mirror_validate(void *self);
#define RL_MIRROR_SOLVER_OPS                                                                  \
    .destroy = rl_mirror_destroy, .memory = rl_mirror_memory,                                 \
    .stable_step = rl_mirror_stable_step, .step = rl_mirror_step, .volume = rl_mirror_volume, \
    .bed = rl_mirror_bed, .state = rl_mirror_state, .validate = rl_mirror_validate

// Functions of rl_device_ops.
bool rl_mirror_rain(void *self, float depth, double *row_volumes);
int rl_mirror_changed(void *self);
