// SPDX-License-Identifier: MIT
// base.h - what every other header of Rill stands on: status codes, error messages, the hooks by
// which a host lends its memory, threads, log and clock, and the view of a grid of floats.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(RILL_SHARED)
#define RILL_API __declspec(dllexport)
#elif defined(__GNUC__)
#define RILL_API __attribute__((visibility("default")))
#else
#define RILL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define RILL_VERSION_MAJOR 0
#define RILL_VERSION_MINOR 1
#define RILL_VERSION_PATCH 0

/// One list makes the enum, the names and the sentences, so they cannot drift apart.
#define RILL_STATUS_LIST(X)                                            \
    X(OK, "no error")                                                  \
    X(BAD_ARGUMENT, "an argument is null or out of range")             \
    X(BAD_DEF, "a definition field is out of range")                   \
    X(BAD_SCENE, "a scene has a mistake")                              \
    X(BAD_FILE, "a file is missing, truncated or of another kind")     \
    X(NO_MEMORY, "the allocator returned NULL")                        \
    X(NO_BACKEND, "this build or machine lacks the feature asked for") \
    X(WRITE_FAILED, "a file could not be written")                     \
    X(DEVICE, "the GPU or the message layer reported a failure")

/// What a function that can fail returns. RILL_OK is zero.
typedef enum rill_status {
#define X(name, text) RILL_##name,
    RILL_STATUS_LIST(X)
#undef X
} rill_status;

/// The name of a status, such as "BAD_FILE". Never NULL.
RILL_API const char *rill_status_name(rill_status status);

/// One general sentence about a status. rill_last_error() says more.
RILL_API const char *rill_status_text(rill_status status);

/// One plain sentence about the last failure on the calling thread: what was wrong, and with which
/// value. Empty before the first failure. Valid until the next failing call on the same thread.
RILL_API const char *rill_last_error(void);

/// The version of the library that is running, such as "0.1.0".
RILL_API const char *rill_version(void);

/// Memory lent by the host. Both functions must be callable from any thread.
typedef struct rill_allocator {
    void *user; ///< Handed back to both functions.
    /// At least `bytes` bytes at a multiple of `alignment` (a power of two), or NULL.
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /// Gives back what `allocate` returned for the same `bytes`.
    void (*release)(void *user, void *memory, size_t bytes);
} rill_allocator;

/// Work of one index out of many. Indices may run in any order and at the same time.
typedef void (*rill_task)(void *context, int index);

/// Threads lent by the host: runs task(context, i) for each i in [0, count), each exactly once,
/// and returns when all are done.
typedef void (*rill_parallel_for)(void *user, int count, rill_task task, void *context);

/// How grave a log line is.
typedef enum rill_log_level { RILL_LOG_INFO, RILL_LOG_WARNING, RILL_LOG_ERROR } rill_log_level;

/// Receives one line of text without a line break. May be called from any thread.
typedef void (*rill_log)(void *user, rill_log_level level, const char *line);

/// Everything a host can lend. A null function means Rill's own: malloc, its own threads, silence
/// and the system's monotonic clock. All-zero is therefore a fair host.
typedef struct rill_host {
    rill_allocator allocator; ///< Both functions or neither.

    rill_parallel_for parallel_for; ///< Replaces Rill's own threads.
    void *parallel_user;            ///< Handed to parallel_for.

    rill_log log;   ///< Receives warnings and errors. Default: none.
    void *log_user; ///< Handed to log.

    double (*clock)(void *user); ///< Seconds that never go back; used for timings only.
    void *clock_user;            ///< Handed to clock.
} rill_host;

/// A grid of floats that the struct does not own. Value (i, j) is data[j * pitch + i]; i counts
/// along x, j along y.
typedef struct rill_field_view {
    const float *data;
    int nx, ny;   ///< Size in cells.
    size_t pitch; ///< Floats from one row to the next, at least nx.
} rill_field_view;

/// Where something that moves is at one moment: a source, a solid. Between keys it moves in a
/// straight line, before the first and after the last it rests.
typedef struct rill_path_key {
    double time;    ///< Seconds; keys must be in rising order.
    double x, y, z; ///< Metres.
} rill_path_key;

#define RILL_PATH_MAX_KEYS 16

#ifdef __cplusplus
}
#endif
