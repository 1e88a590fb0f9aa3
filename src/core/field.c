// SPDX-License-Identifier: MIT
// field.c - allocates padded rows.
#include "core/field.h"

#include "core/assert.h"

// Rows whose addresses differ by a multiple of 4096 bytes compete for the same few places in the
// first-level cache; one more cache line a row avoids that.
static size_t pitch_of(int nx)
{
    size_t pitch = ((size_t)nx + 15) / 16 * 16 + 2 * RL_MARGIN_X;
    if (pitch % 1024 == 0)
        pitch += 16;
    return pitch;
}

size_t rl_field_bytes(int nx, int ny, int margin)
{
    return pitch_of(nx) * ((size_t)ny + 2 * (size_t)margin) * sizeof(float);
}

bool rl_field_create(const rill_allocator *allocator, int nx, int ny, int margin, rl_field *out)
{
    return rl_field_create_shifted(allocator, nx, ny, margin, 0, out);
}

bool rl_field_create_shifted(const rill_allocator *allocator, int nx, int ny, int margin, int lines,
                             rl_field *out)
{
    RL_ASSERT(nx > 0 && ny > 0 && margin >= 0 && lines >= 0);
    *out = (rl_field){0};
    const size_t pitch = pitch_of(nx), shift = (size_t)lines * (RL_ALIGNMENT / sizeof(float));
    const size_t bytes = rl_field_bytes(nx, ny, margin) + shift * sizeof(float);
    float *memory = rl_alloc(allocator, bytes);
    if (memory == NULL)
        return false;
    *out = (rl_field){.origin = memory + shift + pitch * (size_t)margin + RL_MARGIN_X,
                      .nx = nx,
                      .ny = ny,
                      .margin = margin,
                      .pitch = pitch,
                      .memory = memory,
                      .bytes = bytes};
    RL_ASSERT((uintptr_t)out->origin % RL_ALIGNMENT == 0);
    return true;
}

void rl_field_destroy(const rill_allocator *allocator, rl_field *field)
{
    RL_ASSERT(field->memory != NULL || field->bytes == 0);
    rl_free(allocator, field->memory, field->bytes);
    *field = (rl_field){0};
}

void rl_field_fill(rl_field *field, float value)
{
    for (size_t i = 0; i < field->bytes / sizeof(float); i++)
        field->memory[i] = value;
}
