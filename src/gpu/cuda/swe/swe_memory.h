// SPDX-License-Identifier: MIT
// swe_memory.h - the arrays of the swe solver in a device's memory, shared by swe_device.cu and
// swe_steps.cu.
#pragma once

#include "gpu/cuda/mirror/deposit_row.cuh"
#include "gpu/cuda/mirror/device_memory.cuh"
#include "gpu/cuda/swe/swe_configs.h"
#include "gpu/cuda/swe/swe_small.cuh"

#define RL_SWE_HOST_MARGIN 16 // ghosts east of a row that may be read

// Lengths of captured rows of steps. Any number is a sum of these.
#define RL_SWE_ROW_KINDS 3
#define RL_SWE_LONGEST   32

struct rl_device_swe {
    int nx, ny, pitch, bands;
    size_t field_floats, bytes;
    rl_swe_rules rules;
    cudaStream_t stream;

    float *memory;                          // of all fields
    float *fields[2][RL_DEVICE_SWE_FIELDS]; // cell (0, 0); the bed is the same in both
    int now;                                // copy that holds the state
    float *running_max;
    int *pushed;           // largest u and v after deposits to single cells, as integers
    float *deposit_before; // depths before such deposits
    int deposit_capacity;
    double *row_sums;
    rl_swe_control *controls; // RL_SWE_LONGEST + 1
    rl_swe_setup *setup;
    rl_swe_report *report, *report_host;
    rl_swe_books books;
    float *profiles; // of the layers: profile_x, level_x, profile_y, level_y
    float *scratch;  // two fields, or NULL
    uint32_t *marks;
    int *fall_map;
    rl_fall *list;
    int list_capacity, layer_width;
    rl_swe_extras extras; // the extras that exist; pointers are set when graphs are made

    rl_swe_kernel_config config; // of the graphs
    int strips, rows, blocks;
    cudaGraphExec_t graphs[2][RL_SWE_ROW_KINDS]; // by the copy they start from

    rl_deposit_place deposits; // fields are those of the copy with the state
};

static inline float *rl_swe_scratch_of(const rl_device_swe *p, int n)
{
    return p->scratch + (size_t)n * p->field_floats +
           (size_t)RL_DEVICE_GHOST_ROWS * (size_t)p->pitch + RL_DEVICE_MARGIN;
}

// Computes sums of first + sign * second by rows, from west to east.
cudaError_t rl_swe_sum_rows_into(rl_device_swe *p, const float *first, const float *second,
                                 double sign, double *sums);
void rl_swe_drop_graphs(rl_device_swe *p);
