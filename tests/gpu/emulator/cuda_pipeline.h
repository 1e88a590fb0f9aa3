// SPDX-License-Identifier: MIT
// cuda_pipeline.h - stands in for the header of CUDA of the same name: asynchronous copies to
// shared memory. They are made when a thread waits for them and not before, so that a thread that
// forgets to wait reads garbage.
#pragma once

#include "tests/gpu/emulator/cuda_runtime.h"

void rl_emulated_copy_later(void *to, const void *from, size_t bytes);
// Makes all copies of the running thread but those of the last `batches` batches.
void rl_emulated_make_copies(unsigned batches);

static inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes)
{
    rl_emulated_copy_later(to, from, bytes);
}

static inline void __pipeline_commit()
{
    rl_self->batch++;
}

static inline void __pipeline_wait_prior(unsigned batches)
{
    rl_emulated_make_copies(batches);
}
