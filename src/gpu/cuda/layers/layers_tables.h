// SPDX-License-Identifier: MIT
// layers_tables.h - what a device must know of the ground under a layers water, made from the
// host's: which columns there are, in words of 32, who is whose neighbour, and which cross pipes
// end in a column.
#pragma once

#include "gpu/cuda/layers/layers_device.h"
#include "solvers/layers/layers.h"

typedef struct rl_ground_tables {
    rl_layers_tables t; // points to what follows
    rl_layers_word *words;
    rl_layers_pipe *pipes;
    int32_t *ends_first;
    rl_layers_end *ends;
    int32_t *row_words; // per plane and row: its first word, or -1
    int32_t *counts;    // per column of all words, for counting
    size_t word_room, pipe_room;
} rl_ground_tables;

// Memory for the worst case that the water can come to. False when there is none.
bool rl_ground_tables_create(const rl_layers *s, rl_ground_tables *out);
void rl_ground_tables_destroy(const rl_layers *s, rl_ground_tables *tables);
size_t rl_ground_tables_memory(const rl_layers *s, const rl_ground_tables *tables);

// Makes them anew.
void rl_ground_tables_make(const rl_layers *s, rl_ground_tables *tables);

// The marks of flooded columns as bits of the covered words, and back.
void rl_ground_tables_pack(const rl_layers *s, const rl_ground_tables *tables, uint32_t *flooded);
void rl_ground_tables_unpack(rl_layers *s, const rl_ground_tables *tables, const uint32_t *flooded);
