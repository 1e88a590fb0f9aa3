// SPDX-License-Identifier: MIT
// fft.h - the two-dimensional discrete Fourier transform of a square of complex numbers.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"

#include "rill/support.h"

#define RL_FFT_MAX_SIZE 4096

typedef struct rl_fft rl_fft;

// Creates a transform for squares of `size` points a side, a power of two from 2 to
// RL_FFT_MAX_SIZE. Returns NULL when there is no memory.
rl_fft *rl_fft_create(const rill_allocator *allocator, int size, rl_isa isa);
void rl_fft_destroy(rl_fft **fft);
size_t rl_fft_memory(const rl_fft *fft);

// Computes the inverse transform in place, without a factor: out(x) = sum over k of in(k) exp(+2 pi
// i k x / size). Real and imaginary parts are squares of their own, row after row, aligned to
// RILL_ALIGNMENT. The bits do not depend on the number of threads or on the instruction set. One
// thread may call it at a time.
void rl_fft_inverse(rl_fft *fft, rl_jobs *jobs, float *real, float *imaginary);
