// SPDX-License-Identifier: MIT
// layers_tables.h - the tables of the ground that a device needs for a layers solver, made from the
// host's: the columns, in words of 32, their neighbours, and the cross pipes that end in a column.
#pragma once

#include "gpu/cuda/layers/layers_device.h"
#include "solvers/layers/layers.h"

typedef struct rl_ground_tables {
    rl_layers_tables t; // points to the following arrays
    rl_layers_word *words;
    rl_layers_pipe *pipes;
    int32_t *ends_first;
    rl_layers_end *ends;
    int32_t *row_words; // per plane and row: its first word, or -1
    int32_t *counts;    // per column of all words, for counting
    size_t word_capacity, pipe_capacity;
} rl_ground_tables;

// Takes memory of `own` for the worst case that the solver can reach.
void rl_ground_tables_create(const rl_layers *s, rl_owned *own, rl_ground_tables *out);

// Makes the tables anew.
void rl_ground_tables_make(const rl_layers *s, rl_ground_tables *tables);

// Converts the marks of flooded columns to bits of the covered words, and back.
void rl_ground_tables_pack(const rl_layers *s, const rl_ground_tables *tables, uint32_t *flooded);
void rl_ground_tables_unpack(rl_layers *s, const rl_ground_tables *tables, const uint32_t *flooded);
