// SPDX-License-Identifier: MIT
// layers_device.h - the layers solver in a device's memory (Dagenais): the interface for C. Fields
// lie there as on the host, slot for slot, ghosts included. Functions return 0 or an error whose
// message rl_device_text() returns.
#pragma once

#include "gpu/cuda/mirror/device.h"
#include "solvers/shared/pipe_rules_inline.h"
#include "solvers/shared/substeps.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rl_device_layers rl_device_layers;

enum {
    RL_COLUMN_BASE,
    RL_COLUMN_TOP,
    RL_COLUMN_BOTTOM, // of its range
    RL_COLUMN_DEPTH,
    RL_COLUMN_REMAINDER,
    RL_COLUMN_QX,
    RL_COLUMN_QY,
    RL_COLUMN_HEAD,
    RL_COLUMN_COSINE_X,
    RL_COLUMN_COSINE_Y,
    RL_COLUMN_RAW_X, // from here on: of the step that is running; the host's own are separate
    RL_COLUMN_RAW_Y,
    RL_COLUMN_INFLOW_LIMITER,
    RL_COLUMN_FIELDS
};

enum {
    RL_WORD_COVERED = 1, // its plane has ceilings
    RL_WORD_CROSSED = 2, // some column of its row has cross pipes
    RL_WORD_WEST = 4,    // the word before it is the one west of it,
    RL_WORD_EAST = 8,    // the one after it that east of it
};

// 32 cells of a row of a plane, one a bit: the work of a warp. Words of covered planes come first,
// in the order of their slots.
typedef struct rl_layers_word {
    int32_t slot;                                          // of its first cell
    int32_t x, y;                                          // of that cell
    uint32_t flags;                                        // RL_WORD_
    uint32_t cells;                                        // that are swept
    uint32_t crossed;                                      // columns with cross pipes,
    int32_t crossed_first;                                 // and how many come before them
    int32_t south, north;                                  // words beside it, or -1
    uint32_t join_west, join_east, join_south, join_north; // columns with a neighbour there
} rl_layers_word;

// A cross pipe. Columns of covered planes have a number: word times 32 plus bit.
typedef struct rl_layers_pipe {
    uint32_t from, to;        // slots
    int32_t from_bit, to_bit; // numbers, or -1
    uint32_t north;
} rl_layers_pipe;

// An end of a cross pipe: its number times 2, plus 1 where it leads into the column; its slots; and
// the number of the column at the other end, or -1.
typedef struct rl_layers_end {
    int32_t end, from, to, beside;
} rl_layers_end;

// The tables that follow from ground and borders alone.
typedef struct rl_layers_tables {
    const rl_layers_word *words;
    int word_count, covered_count;
    const rl_layers_pipe *pipes;
    int pipe_count;
    // Per column with cross pipes, in the order of words and bits: its first end; one more ends the
    // last.
    const int32_t *ends_first;
    const rl_layers_end *ends;
    int crossed_count;
    int open, drains; // bit of a side: something passes; only outwards
    float border_level[4];
    float deepest_beyond;
    int gateway_capacity, limited_capacity; // the host's
} rl_layers_tables;

typedef struct rl_device_layers_def {
    int nx, ny, planes, pitch, plane_rows;
    int tile_rows;       // of the host's ledger
    int sloped, covered; // slope correction; there are ceilings
    int passages;        // flooded passages are searched,
    int straight;        // and have straight pipes along x and y
    rl_pipe_rules rules;
} rl_device_layers_def;

int rl_device_layers_create(const rl_device_layers_def *def, void **out);
void rl_device_layers_destroy(void **layers);

// Takes over new ground; the fields are sent separately.
int rl_device_layers_set_tables(rl_device_layers *layers, const rl_layers_tables *tables);

// Copies rows [first, first + count) of a field, counted through all planes from the lowest ghost
// row on, -2. `origin` is cell (0, 0) of the host's field.
int rl_device_layers_upload(rl_device_layers *layers, int field, float *origin, int first,
                            int count);
int rl_device_layers_download(rl_device_layers *layers, int field, float *origin, int first,
                              int count);
// Copies the discharges of the cross pipes, and which columns are flooded: a bit each of the
// covered words.
int rl_device_layers_send_rest(rl_device_layers *layers, const float *cross_q,
                               const uint32_t *flooded);
int rl_device_layers_read_cross(rl_device_layers *layers, float *cross_q);
int rl_device_layers_read_flooded(rl_device_layers *layers, uint32_t *flooded);

// Functions for the table of a mirror (mirror.h); deposits are to columns of the open plane.
struct rl_device_columns;
int rl_device_layers_reserve(void *layers, int runs, int amounts);
int rl_device_layers_give(void *layers, const rl_queued_deposit *deposit);
int rl_device_layers_running_max(void *layers, float *running_max);
int rl_device_layers_columns(void *layers, float wet_depth, struct rl_device_columns *columns);
int rl_device_layers_clear_running_max(rl_device_layers *layers);

// Takes deposits to single columns, with their momentum (gpu/device_ops.h).
struct rl_device_deposits;
int rl_device_layers_give_to_columns(rl_device_layers *layers, double cell_size,
                                     const struct rl_device_deposits *deposits);

// Takes as many substeps as are needed to bring controller.left to 0. `deepest` is that of the
// whole grid before, without deposits since the last step; and after.
typedef struct rl_layers_advance {
    rl_substeps controller;
    float deepest;
    double in, out; // across the borders, m^3; added to the present values
} rl_layers_advance;
int rl_device_layers_advance(rl_device_layers *layers, rl_layers_advance *advance);

#ifdef __cplusplus
}
#endif
