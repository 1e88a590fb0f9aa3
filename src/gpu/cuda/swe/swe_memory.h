// SPDX-License-Identifier: MIT
// swe_memory.h - the arrays of the swe solver in a device's memory, shared by swe_device.cu and
// swe_steps.cu.
#pragma once

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/swe/swe_small.cuh"

#define RL_SWE_GHOST_ROWS 2 // below and above the grid

// Lengths of captured rows of steps. Any number is a sum of these.
#define RL_SWE_ROW_KINDS 3
#define RL_SWE_LONGEST   32

struct rl_device_swe : rl_device_grid {
    int bands;
    rl_swe_rules rules;
    int *pushed;           // largest u and v after deposits to single cells, as integers
    float *deposit_before; // depths before such deposits
    int deposit_capacity;
    rl_swe_control *controls; // RL_SWE_LONGEST + 1
    rl_swe_setup *setup;
    rl_swe_report *report, *report_host;
    rl_swe_books books;
    float *profiles; // of the layers: profile_x, level_x, profile_y, level_y
    uint32_t *marks;
    int *fall_map;
    rl_fall *list;
    int list_capacity, layer_width;
    rl_swe_extras extras; // the extras that exist; pointers are set when graphs are made

    rl_swe_kernel_config config; // of the graphs
    int strips, rows, blocks;
    cudaGraphExec_t graphs[2][RL_SWE_ROW_KINDS]; // by the copy they start from
};

// Returns one of two fields for velocities, or for depths that are made anew or stored.
static inline float *rl_swe_scratch_of(const rl_device_swe *p, int n)
{
    return p->velocities + (size_t)n * p->field_floats + p->origin;
}

void rl_swe_drop_graphs(rl_device_swe *p);
