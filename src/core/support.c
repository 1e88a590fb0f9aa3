// SPDX-License-Identifier: MIT
// support.c - the functions of rill/support.h: statuses and the message of the last error of each
// thread, memory through the host's hooks and on large pages, grids of floats in padded rows,
// numbers.
#define _DEFAULT_SOURCE // for madvise
#include "rill/support.h"

#include "core/assert.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/power_cell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Statuses and errors ---------------------------------------------------------------

#define SENTENCE_BYTES 1024

static _Thread_local char last_error[SENTENCE_BYTES];

const char *rill_status_name(rill_status status)
{
    switch (status) {
#define X(name, text) \
    case RILL_##name: \
        return #name;
        RILL_STATUS_LIST(X)
#undef X
    }
    return "UNKNOWN";
}

const char *rill_status_text(rill_status status)
{
    switch (status) {
#define X(name, text) \
    case RILL_##name: \
        return text;
        RILL_STATUS_LIST(X)
#undef X
    }
    return "an unknown status";
}

const char *rill_last_error(void)
{
    return last_error;
}

#define TEXT_OF(x)                        #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *rill_version(void)
{
    return VERSION_TEXT(RILL_VERSION_MAJOR, RILL_VERSION_MINOR, RILL_VERSION_PATCH);
}

rill_status rill_fail(rill_status status, const char *format, ...)
{
    RL_ASSERT(status != RILL_OK);
    // The text is formatted aside first: an argument may be the old message itself.
    char fresh[SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    memcpy(last_error, fresh, sizeof fresh);
    return status;
}

rill_status rill_fail_prefix(rill_status status, const char *format, ...)
{
    RL_ASSERT(status != RILL_OK && last_error[0] != '\0');
    char prefix[SENTENCE_BYTES / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    char old[SENTENCE_BYTES];
    memcpy(old, last_error, sizeof old);
    snprintf(last_error, sizeof last_error, "%s: %.*s", prefix,
             (int)(sizeof last_error - strlen(prefix) - 3), old);
    return status;
}

rill_status rill_host_check(const rill_host *host)
{
    if (host != NULL && (host->allocator.allocate == NULL) != (host->allocator.release == NULL))
        return rill_fail(RILL_BAD_DEF, "the allocator has only one of its two functions");
    return RILL_OK;
}

// ---- Memory ----------------------------------------------------------------------------

#if defined(__linux__)
#include <sys/mman.h>
#endif

// Large blocks lie on pages of 2 MiB where the system has them: a sweep touches a dozen rows at
// once, and small pages would cost it a tenth in address translation.
#define LARGE_PAGE ((size_t)2 << 20)

static void *default_allocate(size_t bytes)
{
    const size_t alignment = bytes >= 2 * LARGE_PAGE ? LARGE_PAGE : RILL_ALIGNMENT;
    // aligned_alloc asks for a multiple of the alignment.
    const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *memory = rounded < bytes ? NULL : aligned_alloc(alignment, rounded);
    RL_ASSERT((uintptr_t)memory % RILL_ALIGNMENT == 0);
#if defined(MADV_HUGEPAGE)
    if (memory != NULL && alignment == LARGE_PAGE)
        (void)madvise(memory, rounded, MADV_HUGEPAGE); // advice: a refusal does no harm
#endif
    return memory;
}

void *rill_alloc(const rill_allocator *allocator, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *memory = allocator != NULL && allocator->allocate != NULL
                       ? allocator->allocate(allocator->user, bytes, RILL_ALIGNMENT)
                       : default_allocate(bytes);
    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

void rill_free(const rill_allocator *allocator, void *memory, size_t bytes)
{
    if (memory == NULL)
        return;
    if (allocator != NULL && allocator->release != NULL)
        allocator->release(allocator->user, memory, bytes);
    else
        free(memory);
}

void *rill_realloc(const rill_allocator *allocator, void *memory, size_t old_bytes, size_t bytes)
{
    RL_ASSERT(memory != NULL || old_bytes == 0);
    void *fresh = rill_alloc(allocator, bytes);
    if (fresh == NULL)
        return NULL;
    if (memory != NULL)
        memcpy(fresh, memory, old_bytes < bytes ? old_bytes : bytes);
    rill_free(allocator, memory, old_bytes);
    return fresh;
}

void *rl_grow(const rill_allocator *allocator, void *values, size_t size, size_t *capacity,
              size_t count)
{
    if (count <= *capacity)
        return values;
    void *grown = rill_realloc(allocator, values, *capacity * size, 2 * count * size);
    if (grown != NULL)
        *capacity = 2 * count;
    return grown;
}

uint64_t rl_memory_of_machine(void)
{
#if defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
#else
    return 0;
#endif
}

bool rl_multiply_sizes(size_t count, size_t size, size_t *bytes)
{
    if (size != 0 && count > SIZE_MAX / size)
        return false;
    *bytes = count * size;
    return true;
}

// ---- Grids of floats -------------------------------------------------------------------

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

// ---- Numbers ---------------------------------------------------------------------------

uint64_t rill_random_bits(uint64_t seed, uint64_t step, uint64_t index)
{
    return rl_random_bits(seed, step, index);
}

float rill_random_unit(uint64_t seed, uint64_t step, uint64_t index)
{
    return rl_random_unit(seed, step, index);
}

// Returns sin(2 pi turns), good to 1e-15: folded into a quarter turn, then the series. From + - * /
// alone, so that no math library's last bit can show in a state.
double rill_sine_of_turns(double turns)
{
    double t = turns - floor(turns), sign = 1.0;
    if (t >= 0.5) {
        t -= 0.5;
        sign = -1.0;
    }
    t = t > 0.25 ? 0.5 - t : t;
    const double x = 6.283185307179586 * t, x2 = x * x;
    double sum = 1.0;
    for (int n = 20; n >= 2; n -= 2)
        sum = 1.0 - sum * x2 / (n * (n + 1.0));
    return sign * x * sum;
}

double rill_power(double base, double exponent)
{
    return rl_power_of(base, exponent);
}
