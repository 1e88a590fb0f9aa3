// SPDX-License-Identifier: MIT
// field.c - allocates grids of floats in padded rows (rill/support.h).
#include "rill/support.h"

#include "core/assert.h"

// Rows whose addresses differ by a multiple of 4096 bytes compete for the same few places in the
// first-level cache; one more cache line a row avoids that.
static size_t pitch_of(int nx)
{
    size_t pitch = ((size_t)nx + 15) / 16 * 16 + 2 * RILL_MARGIN_X;
    if (pitch % 1024 == 0)
        pitch += 16;
    return pitch;
}

size_t rill_field_bytes(int nx, int ny, int margin)
{
    return pitch_of(nx) * ((size_t)ny + 2 * (size_t)margin) * sizeof(float);
}

bool rill_field_create(const rill_allocator *allocator, int nx, int ny, int margin, rill_field *out)
{
    return rill_field_create_shifted(allocator, nx, ny, margin, 0, out);
}

bool rill_field_create_shifted(const rill_allocator *allocator, int nx, int ny, int margin,
                               int lines, rill_field *out)
{
    RL_ASSERT(nx > 0 && ny > 0 && margin >= 0 && lines >= 0);
    *out = (rill_field){0};
    const size_t pitch = pitch_of(nx), shift = (size_t)lines * (RILL_ALIGNMENT / sizeof(float));
    const size_t bytes = rill_field_bytes(nx, ny, margin) + shift * sizeof(float);
    float *memory = rill_alloc(allocator, bytes);
    if (memory == NULL)
        return false;
    *out = (rill_field){.origin = memory + shift + pitch * (size_t)margin + RILL_MARGIN_X,
                        .nx = nx,
                        .ny = ny,
                        .margin = margin,
                        .pitch = pitch,
                        .memory = memory,
                        .bytes = bytes};
    RL_ASSERT((uintptr_t)out->origin % RILL_ALIGNMENT == 0);
    return true;
}

void rill_field_destroy(const rill_allocator *allocator, rill_field *field)
{
    RL_ASSERT(field->memory != NULL || field->bytes == 0);
    rill_free(allocator, field->memory, field->bytes);
    *field = (rill_field){0};
}

void rill_field_fill(rill_field *field, float value)
{
    for (size_t i = 0; i < field->bytes / sizeof(float); i++)
        field->memory[i] = value;
}
