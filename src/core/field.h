// SPDX-License-Identifier: MIT
// field.h - a grid of floats in padded rows. Cell (0, 0) and with it every row starts on a cache
// line; `margin` ghost rows lie below and above, and at least RL_MARGIN_X ghost cells left and
// right of every row, so that row loops may run in whole vectors and read one cell past each end.
#pragma once

#include "core/memory.h"

#define RL_MARGIN_X 16 // floats: one cache line, one vector of the widest instruction set

typedef struct rl_field {
    float *origin; // cell (0, 0)
    int nx, ny;
    int margin;   // ghost rows below and above
    size_t pitch; // floats from one row to the next, a multiple of 16
    float *memory;
    size_t bytes;
} rl_field;

// Creates a field of zeros. Returns false when there is no memory; then the field is empty.
bool rl_field_create(const rill_allocator *allocator, int nx, int ny, int margin, rl_field *out);

// Does the same, `lines` cache lines further into its memory. Fields that are swept together take
// different numbers: large blocks start on pages of memory, and rows at the same place of a page
// compete for the same few places of the cache.
bool rl_field_create_shifted(const rill_allocator *allocator, int nx, int ny, int margin, int lines,
                             rl_field *out);
void rl_field_destroy(const rill_allocator *allocator, rl_field *field);

// Returns the bytes that rl_field_create takes for such a field.
size_t rl_field_bytes(int nx, int ny, int margin);

// Sets every value, ghosts included.
void rl_field_fill(rl_field *field, float value);

// Returns row j, which may be a ghost row: -margin <= j < ny + margin.
static inline float *rl_field_row(const rl_field *field, int j)
{
    return field->origin + (ptrdiff_t)field->pitch * j;
}

static inline rill_field_view rl_field_view_of(const rl_field *field)
{
    return (rill_field_view){field->origin, field->nx, field->ny, field->pitch};
}
