// SPDX-License-Identifier: MIT
// prefetch.h - hints that memory will soon be read or written, for loops that know long before
// where they will look next.
#pragma once

// Of no use in a function that does nothing else: compilers see no effect of that and leave its
// calls out, which is why these are no functions themselves.
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
