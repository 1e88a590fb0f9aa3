// SPDX-License-Identifier: MIT
// prefetch.h - hints that memory will be read or written, for loops that know long before where
// they will read next.
#pragma once

// These are macros, because in a function that does nothing else compilers see no effect and leave
// the calls out.
#if defined(__GNUC__)
#define RL_PREFETCH(at)       __builtin_prefetch(at)
#define RL_PREFETCH_WRITE(at) __builtin_prefetch(at, 1)
// Into the second level of the cache: whole rows would drive out of the first one what is in use.
#define RL_PREFETCH_ROW(at) __builtin_prefetch(at, 0, 2)
#else
#define RL_PREFETCH(at)       ((void)(at))
#define RL_PREFETCH_WRITE(at) ((void)(at))
#define RL_PREFETCH_ROW(at)   ((void)(at))
#endif
