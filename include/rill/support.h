// SPDX-License-Identifier: MIT
// support.h - what code that stands on the engine shares with it: error messages, memory through
// the host's allocator, grids of floats, and numbers with the same bits on every machine. The scene
// library is made with it; generators of terrain and readers of files find it useful too.
#pragma once

#include "rill/base.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RILL_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define RILL_PRINTF(format_index, first_index)
#endif

/// RILL_BAD_DEF when a host that may be NULL lends only one of the two functions of its allocator.
RILL_API rill_status rill_host_check(const rill_host *host);

/// Stores the sentence for rill_last_error() of this thread and returns `status`, so that a caller
/// can write: return rill_fail(RILL_BAD_DEF, "cell_size is %g, it must be positive", size);
/// The function that can name the file, the field or the value writes the one sentence; functions
/// above it pass the status on in silence.
RILL_API rill_status rill_fail(rill_status status, const char *format, ...) RILL_PRINTF(2, 3);

/// Puts "prefix: " before the sentence stored last; for functions that know the file's name.
RILL_API rill_status rill_fail_prefix(rill_status status, const char *format, ...)
    RILL_PRINTF(2, 3);

/// Passes a failure of `call` on: returns its status from the calling function unless it is
/// RILL_OK.
#define RILL_TRY(call)                              \
    do {                                            \
        const rill_status rill_try_status = (call); \
        if (rill_try_status != RILL_OK)             \
            return rill_try_status;                 \
    } while (0)

/// Bytes that all memory of the engine is aligned to: a cache line, so that rows of floats are too.
#define RILL_ALIGNMENT 64

/// Zeroed memory, or NULL. `allocator` may be NULL or empty: then malloc serves. Zero bytes give
/// NULL.
RILL_API void *rill_alloc(const rill_allocator *allocator, size_t bytes);

/// Gives back what rill_alloc returned for the same `bytes`. NULL is fine.
RILL_API void rill_free(const rill_allocator *allocator, void *memory, size_t bytes);

/// Grows or shrinks a block; preserves min(old, new) bytes, zeroes the rest. On failure returns
/// NULL and the old block stays.
RILL_API void *rill_realloc(const rill_allocator *allocator, void *memory, size_t old_bytes,
                            size_t bytes);

/// The allocator of a host that may be NULL.
static inline const rill_allocator *rill_allocator_of(const rill_host *host)
{
    return host != NULL ? &host->allocator : NULL;
}

/// Ghost cells left and right of every row of a rill_field: one cache line, and one vector of the
/// widest instruction set.
#define RILL_MARGIN_X 16

/// A grid of floats in padded rows. Cell (0, 0) and with it every row starts on a cache line;
/// `margin` ghost rows lie below and above, and at least RILL_MARGIN_X ghost cells left and right
/// of every row, so that row loops may run in whole vectors and read one cell past each end.
typedef struct rill_field {
    float *origin; ///< Cell (0, 0).
    int nx, ny;    ///< Size in cells.
    int margin;    ///< Ghost rows below and above.
    size_t pitch;  ///< Floats from one row to the next, a multiple of 16.
    float *memory; ///< The block that all rows lie in.
    size_t bytes;  ///< Its size.
} rill_field;

/// Makes a field of zeros. False when there is no memory; then the field is empty.
RILL_API bool rill_field_create(const rill_allocator *allocator, int nx, int ny, int margin,
                                rill_field *out);

/// The same, `lines` cache lines further into its memory. Fields that are swept together take
/// different numbers: large blocks start on pages, and rows at the same place of a page compete for
/// the same few places of the cache.
RILL_API bool rill_field_create_shifted(const rill_allocator *allocator, int nx, int ny, int margin,
                                        int lines, rill_field *out);

/// Gives its memory back and empties it.
RILL_API void rill_field_destroy(const rill_allocator *allocator, rill_field *field);

/// Bytes that rill_field_create takes for such a field.
RILL_API size_t rill_field_bytes(int nx, int ny, int margin);

/// Sets every value, ghosts included.
RILL_API void rill_field_fill(rill_field *field, float value);

/// Row j, which may be a ghost row: -margin <= j < ny + margin.
static inline float *rill_field_row(const rill_field *field, int j)
{
    return field->origin + (ptrdiff_t)field->pitch * j;
}

/// The field without its ghosts, to be read.
static inline rill_field_view rill_field_view_of(const rill_field *field)
{
    rill_field_view view = {field->origin, field->nx, field->ny, field->pitch};
    return view;
}

/// One array of a state: `rows` rows of `width` floats.
typedef struct rill_state_array {
    const char *name;
    float *data;
    size_t pitch, width, rows; ///< Floats from row to row, floats in a row, rows.
} rill_state_array;

/// Random bits from a counter: the same (seed, step, index) gives the same bits, in any order and
/// on any thread and machine.
RILL_API uint64_t rill_random_bits(uint64_t seed, uint64_t step, uint64_t index);

/// Uniform in [0, 1), 24 bits, from the same counter.
RILL_API float rill_random_unit(uint64_t seed, uint64_t step, uint64_t index);

/// sin(2 pi turns), good to 1e-15, with the same bits on every machine.
RILL_API double rill_sine_of_turns(double turns);

/// base^exponent for base in [0, 1] and a finite exponent >= 0, with the same bits on every
/// machine.
RILL_API double rill_power(double base, double exponent);

#ifdef __cplusplus
}
#endif
