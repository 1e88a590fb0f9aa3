// SPDX-License-Identifier: MIT
// device.h - particles on a device, beside a water that is there. The host keeps the numbers of the
// pool and decides what emitters give; the device has the arrays and does all the rest. Functions
// return 0 or an error of the device.
#pragma once

#include "particles/birth_inline.h"
#include "particles/landing_inline.h"

#define RL_POOL_PART   256  // of a sum over landings or crests: parts are summed first
#define RL_POOL_EXTRAS 1024 // gifts of a step besides the landings

// The arrays of floats.
enum {
    RL_POOL_X,
    RL_POOL_Y,
    RL_POOL_Z,
    RL_POOL_VELOCITY_X,
    RL_POOL_VELOCITY_Y,
    RL_POOL_VELOCITY_Z,
    RL_POOL_RADIUS,
    RL_POOL_AGE,
    RL_POOL_LIFE,
    RL_POOL_VOLUME,
    RL_POOL_ARRAYS
};

// Water for a column that comes from no particle: the pool had no room for it.
typedef struct rl_pool_extra {
    int column; // its number, (layer * ny + j) * nx + i
    double volume, momentum_x, momentum_y;
} rl_pool_extra;

// What the host knows of the pool between steps.
typedef struct rl_pool_numbers {
    double rest, gone; // of rl_pool_kept
    int flying, count;
} rl_pool_numbers;

// The first `count` places of the host's arrays.
typedef struct rl_pool_places {
    float *arrays[RL_POOL_ARRAYS];
    unsigned char *kind;
    int count;
} rl_pool_places;

// Where the water works, and what makes its deposits different from those before.
typedef struct rl_pool_queue {
    void *stream;
    int version;
} rl_pool_queue;

// One step.
typedef struct rl_pool_order {
    rl_birth_scene births; // of columns in the device's memory, as the next one
    rl_landing_scene landing;
    rl_breaking_limits limits;
    rl_flight_air air[2];
    float radius_of[RILL_PARTICLE_KIND_COUNT];
    rl_pool_numbers before; // the step; `gone` has what emitters let go in it
    int born;               // by emitters: they lie in the memory that `births` gave
    const rl_pool_extra *extras;
    int extra_count;
    int waves;      // 0: none can break
    rl_fall *falls; // in the device's memory
    int fall_count;
    const rl_solver_ops *ops; // of the water, with its queue
    void *water;
    rl_pool_queue queue;
} rl_pool_order;

typedef struct rl_particles_device {
    // The water's columns and motion, in the device's memory, and the queue that it works in.
    // columns->base NULL: the host has the water.
    int (*look)(const rl_solver_ops *ops, void *water, rill_columns *columns, rl_motion *motion,
                rl_pool_queue *queue);
    // For a pool of so many places, of which `most` are used. Its arrays travel to and from places
    // in `memory`, of the host.
    int (*create)(int places, int most, void *memory, size_t bytes, void **self);
    void (*destroy)(void **self);
    int (*upload)(void *self, const rl_pool_places *from);
    int (*download)(void *self, const rl_pool_places *to);
    // Memory for births, of the host, `most` of them. Free after `settle`.
    rl_birth *(*births)(void *self);
    // Gives `count` of them their places, between steps.
    int (*add)(void *self, const rl_pool_numbers *before, int count, const float *radius_of);
    // Begins a step; what it does to the water others in the water's queue see.
    int (*step)(void *self, const rl_pool_order *order);
    // Waits for the step that was begun last.
    int (*settle)(void *self, rl_pool_numbers *after);
    // What an error means, in words.
    const char *(*text)(int error);
} rl_particles_device;
