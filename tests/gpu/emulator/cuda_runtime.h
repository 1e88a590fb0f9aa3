// SPDX-License-Identifier: MIT
// cuda_runtime.h - stands in for the header of CUDA of the same name when src/gpu/cuda is compiled
// for the emulator (docs/gpu.md): the words of the language here, threads and their cooperation in
// emulated_threads.h, memory, streams and launches in emulated_host.h. Only what Rill uses is
// there; translate.py has rewritten launches and shared variables before the compiler sees them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// ---- Words -----------------------------------------------------------------------------

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

// ---- Vectors ---------------------------------------------------------------------------

struct uchar2 {
    unsigned char x, y;
};
struct int3 {
    int x, y, z;
};
struct uint3 {
    unsigned x, y, z;
};
struct __align__(16) uint4
{
    unsigned x, y, z, w;
};
struct __align__(8) float2
{
    float x, y;
};
struct __align__(16) double2
{
    double x, y;
};

static inline int3 make_int3(int x, int y, int z)
{
    return {x, y, z};
}

static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

static inline float2 make_float2(float x, float y)
{
    return {x, y};
}

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned across = 1, unsigned along = 1, unsigned up = 1)
        : x(across), y(along), z(up)
    {
    }
};

// ---- Functions of single threads -------------------------------------------------------

static inline int min(int a, int b)
{
    return a < b ? a : b;
}

static inline int max(int a, int b)
{
    return a > b ? a : b;
}

static inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

static inline int __ffs(unsigned bits)
{
    return __builtin_ffs((int)bits);
}

static inline int __float_as_int(float value)
{
    int bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float __int_as_float(int bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Reads past a cache that the emulator does not have.
template <typename T> static inline T __ldcg(const T *place)
{
    return *place;
}

// Only one thread of the emulator runs at a time, and changes places where it says so.
static inline void __threadfence()
{
}

static inline void __threadfence_system()
{
}

// ---- Atomic operations -----------------------------------------------------------------

// The amount has the type of the place, as in CUDA, where there is one function a type.
template <typename T> struct rl_same_type {
    typedef T type;
};

template <typename T> static inline T atomicAdd(T *place, typename rl_same_type<T>::type amount)
{
    const T before = *place;
    *place = (T)(before + amount);
    return before;
}

template <typename T> static inline T atomicMax(T *place, typename rl_same_type<T>::type value)
{
    const T before = *place;
    *place = value > before ? value : before;
    return before;
}

template <typename T> static inline T atomicMin(T *place, typename rl_same_type<T>::type value)
{
    const T before = *place;
    *place = value < before ? value : before;
    return before;
}

template <typename T> static inline T atomicOr(T *place, typename rl_same_type<T>::type bits)
{
    const T before = *place;
    *place = before | bits;
    return before;
}

template <typename T> static inline T atomicAnd(T *place, typename rl_same_type<T>::type bits)
{
    const T before = *place;
    *place = before & bits;
    return before;
}

#include "tests/gpu/emulator/emulated_host.h"
#include "tests/gpu/emulator/emulated_threads.h"
