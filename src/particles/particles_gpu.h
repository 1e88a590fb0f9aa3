// SPDX-License-Identifier: MIT
// particles_gpu.h - particles on a device, beside a solver that is there. The host has the numbers
// of the pool and decides what emitters give; the device has the arrays and does all the rest.
// Functions return 0 or an error of the device.
#pragma once

#include "particles/flight_rows.h"
#include "particles/landing_inline.h"

#define RL_POOL_PART   256  // landings or crests that are summed first, before the sums are added
#define RL_POOL_EXTRAS 1024 // deposits of a step besides the landings

// Water for a column that comes from no particle: the pool was full.
typedef struct rl_pool_extra {
    int column; // its number, (layer * ny + j) * nx + i
    double volume, momentum_x, momentum_y;
} rl_pool_extra;

// The numbers of the pool that the host has between steps.
typedef struct rl_pool_numbers {
    double rest, gone; // of rl_pool_totals
    int flying, count;
    int full; // after a step: whether its births have filled the pool
} rl_pool_numbers;

// The stream of the solver, and a number that changes when its deposits change in kind.
typedef struct rl_pool_queue {
    void *stream;
    int version;
} rl_pool_queue;

// The arguments of one step.
typedef struct rl_pool_order {
    rl_birth_scene births; // of columns in the device's memory, as the next one
    rl_landing_scene landing;
    rl_breaking_limits limits;
    rl_flight_air air[2];
    float radius_of[RILL_PARTICLE_KIND_COUNT];
    rl_pool_numbers before; // the step; `gone` holds what emitters let go in it
    int born;               // particles born by emitters, in the memory that `births` returned
    const rl_pool_extra *extras;
    int extra_count;
    int waves;      // 0 when no wave can break
    rl_fall *falls; // in the device's memory
    int fall_count;
    const rl_solver_ops *ops; // of the solver, with its queue
    void *solver;
    rl_pool_queue queue;
} rl_pool_order;

typedef struct rl_particles_device {
    // Gets the solver's columns and motion, in the device's memory, and the queue that it works in.
    // columns->base is NULL when they are host-resident.
    int (*view)(const rl_solver_ops *ops, void *solver, rill_columns *columns, rl_motion *motion,
                rl_pool_queue *queue);
    // Creates a pool of so many places, of which `most` are used. Its arrays are copied from and to
    // places in `memory`, of the host.
    int (*create)(int places, int most, void *memory, size_t bytes, void **self);
    void (*destroy)(void **self);
    int (*upload)(void *self, const rl_pool_places *from);
    int (*download)(void *self, const rl_pool_places *to);
    // Returns memory for births, of the host, `most` of them. It may be written to after `settle`.
    rl_birth *(*births)(void *self);
    // Gives `count` of them their places, between steps.
    int (*add)(void *self, const rl_pool_numbers *before, int count, const float *radius_of);
    // Begins a step. Later work in the solver's queue sees its deposits.
    int (*step)(void *self, const rl_pool_order *order);
    // Waits for the step that was begun last.
    int (*settle)(void *self, rl_pool_numbers *after);
    // Returns the message of an error.
    const char *(*text)(int error);
} rl_particles_device;
