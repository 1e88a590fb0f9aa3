// SPDX-License-Identifier: MIT
// layers_device_columns.cu - velocities of the layers solver on a device.
#include "gpu/cuda/layers/layers_device_columns.h"

#include "solvers/layers/layers_cell.h"
#include "solvers/shared/column_cell.h"

#include <cuda_runtime.h>

#define BLOCK 256

struct velocity_args {
    rl_device_layers_view view;
    float *along[2];
    float wet_depth;
};

// The discharges through faces, and the liquid in them.
struct faces {
    float through[2], liquid[2];
};

// Returns the liquid between slots i and j.
static __device__ __forceinline__ float in_face(const velocity_args &a, ptrdiff_t i, ptrdiff_t j,
                                                bool covered)
{
    const float *base = a.view.fields[RL_COLUMN_BASE], *top = a.view.fields[RL_COLUMN_TOP];
    const float *depth = a.view.fields[RL_COLUMN_DEPTH];
    return covered ? rl_layers_above_sill(base[i], depth[i], top[i], base[j], depth[j], top[j])
                   : rl_pipe_above_sill(base[i], depth[i], base[j], depth[j]);
}

static __device__ __forceinline__ faces read_faces(const velocity_args &a, ptrdiff_t at,
                                                   bool covered)
{
    const ptrdiff_t pitch = a.view.pitch;
    const float *qx = a.view.fields[RL_COLUMN_QX], *qy = a.view.fields[RL_COLUMN_QY];
    faces f;
    f.through[0] = qx[at - 1] + qx[at];
    f.through[1] = qy[at - pitch] + qy[at];
    f.liquid[0] = in_face(a, at - 1, at, covered) + in_face(a, at, at + 1, covered);
    f.liquid[1] = in_face(a, at - pitch, at, covered) + in_face(a, at, at + pitch, covered);
    return f;
}

// Adds a column's cross pipes, in the order of the list.
static __device__ __forceinline__ void add_cross(const velocity_args &a, int crossed, faces *f)
{
    for (int n = a.view.ends_first[crossed]; n < a.view.ends_first[crossed + 1]; n++) {
        const rl_layers_end end = a.view.ends[n];
        const int axis = a.view.pipes[end.end / 2].north ? 1 : 0;
        f->through[axis] += a.view.cross_q[end.end / 2];
        f->liquid[axis] += in_face(a, end.from, end.to, true);
    }
}

// A warp has a word.
static __global__ void make_velocities(const velocity_args a)
{
    const int number = (int)(blockIdx.x * BLOCK + threadIdx.x) / 32, lane = (int)threadIdx.x % 32;
    if (number >= a.view.word_count)
        return;
    const rl_layers_word word = a.view.words[number];
    if (!(word.cells >> lane & 1))
        return;
    const ptrdiff_t at = word.slot + lane;
    faces f = read_faces(a, at, word.flags & RL_WORD_COVERED);
    if (word.crossed >> lane & 1)
        add_cross(a, word.crossed_first + __popc(word.crossed & ((1u << lane) - 1u)), &f);
    const float depth = a.view.fields[RL_COLUMN_DEPTH][at];
    for (int axis = 0; axis < 2; axis++)
        a.along[axis][at] = rl_layers_velocity(depth, a.wet_depth, f.through[axis], f.liquid[axis]);
}

static int take(const rl_device_layers_view *view, rl_layers_velocities *v)
{
    const size_t bytes = 2 * view->field_floats * sizeof(float);
    const cudaError_t error = cudaMalloc((void **)&v->memory, bytes);
    if (error != cudaSuccess)
        return (int)error;
    for (int axis = 0; axis < 2; axis++)
        v->along[axis] = v->memory + (size_t)axis * view->field_floats + view->origin;
    return (int)cudaMemsetAsync(v->memory, 0, bytes, (cudaStream_t)view->stream);
}

int rl_layers_velocities_make(const rl_device_layers_view *view, float wet_depth,
                              rl_layers_velocities *velocities)
{
    const int error = velocities->memory == nullptr ? take(view, velocities) : 0;
    if (error != 0 || view->word_count == 0)
        return error;
    const velocity_args args = {*view, {velocities->along[0], velocities->along[1]}, wet_depth};
    const unsigned blocks = ((unsigned)view->word_count * 32 + BLOCK - 1) / BLOCK;
    make_velocities<<<blocks, BLOCK, 0, (cudaStream_t)view->stream>>>(args);
    return (int)cudaGetLastError();
}

void rl_layers_velocities_destroy(rl_layers_velocities *velocities)
{
    cudaFree(velocities->memory);
    velocities->memory = nullptr;
}
