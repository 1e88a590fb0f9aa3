// SPDX-License-Identifier: MIT
// swe_device.cu - the swe solver in a device's memory: fields, copies from and to the host, rare
// changes, deposits. swe_steps.cu has the steps.
#include "gpu/cuda/swe/swe_small.cuh"

#include "gpu/device_ops.h"

#include <cstdlib>

// ---- Creation and destruction ----------------------------------------------------------

static int take_memory(rl_device_swe *p)
{
    const size_t nx = (size_t)p->nx, ny = (size_t)p->ny;
    RL_TRY(rl_device_grid_create(p, RL_DEVICE_SWE_FIELDS));
    RL_TRY(rl_device_take(p, 2, &p->pushed));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST + 1, &p->controls));
    RL_TRY(rl_device_take(p, 1, &p->setup, &p->report));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST * rl_crossed_floats(p->nx, p->ny), &p->books.crossed));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST * 2 * (size_t)p->bands, &p->books.moved));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST, &p->books.removed));
    RL_TRY(rl_device_take(p, 2 * (nx + ny), &p->profiles));
    if (p->rules.def.overshoot > 0.0f)
        RL_TRY(rl_device_take(p, RL_SWE_LONGEST * ny, &p->books.cut));
    if (rl_swe_has_eddies(&p->rules.def))
        RL_TRY(rl_device_take(p, 2 * p->field_floats, &p->strained));
    return rl_device_take_pinned(p, sizeof *p->report_host, (void **)&p->report_host);
}

int rl_device_swe_create(int nx, int ny, int bands, const rl_swe_rules *rules, void **out)
{
    rl_device_swe *p = (rl_device_swe *)std::calloc(1, sizeof *p);
    *out = p;
    if (p == nullptr)
        return (int)cudaErrorMemoryAllocation;
    p->bands = bands;
    p->rules = *rules;
    rl_device_grid_size(p, nx, ny, ny + 2 * RL_SWE_GHOST_ROWS + 1, RL_SWE_GHOST_ROWS);
    const int error = take_memory(p);
    if (error != 0)
        rl_device_swe_destroy(out);
    return error;
}

void rl_device_swe_destroy(void **swe)
{
    rl_device_swe *p = (rl_device_swe *)*swe;
    if (p == nullptr)
        return;
    rl_device_await(p);
    rl_swe_drop_graphs(p);
    rl_device_release(p);
    std::free(p);
    *swe = nullptr;
}

// ---- Copies from and to the host -------------------------------------------------------

static float *field_of(const rl_device_swe *p, int field)
{
    return field == RL_DEVICE_SWE_BEFORE ? p->fields[!p->now][RL_DEVICE_SWE_DEPTH]
                                         : p->fields[p->now][field];
}

int rl_device_swe_upload(rl_device_swe *p, int field, const float *origin, size_t pitch, int first,
                         int count)
{
    RL_TRY(rl_device_grid_upload(p, field_of(p, field), origin, pitch, first, count, 1, p->nx + 2));
    // Steps write phi in the absorbing layers only: beside them both copies must hold the same.
    return field != RL_DEVICE_SWE_PHI ? 0
                                      : rl_device_grid_upload(p, p->fields[!p->now][field], origin,
                                                              pitch, first, count, 1, p->nx + 2);
}

int rl_device_swe_download(rl_device_swe *p, int field, float *origin, size_t pitch, int first,
                           int count)
{
    return rl_device_grid_download(p, field_of(p, field), origin, pitch, first, count, 1,
                                   p->nx + 2);
}

void rl_device_swe_lend(void *memory, size_t bytes)
{
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError(); // copies are slower then
}

void rl_device_swe_take_back(void *memory)
{
    if (cudaHostUnregister(memory) != cudaSuccess)
        cudaGetLastError();
}

int rl_device_swe_clear_running_max(rl_device_swe *p)
{
    RL_TRY(cudaMemsetAsync(p->pushed, 0, 2 * sizeof *p->pushed, p->stream));
    return rl_device_grid_clear_running_max(p);
}

// ---- Rare changes ----------------------------------------------------------------------

// Allocates two fields: for velocities, and for depths that are made anew or stored.
static int take_scratch(rl_device_swe *p)
{
    return p->velocities != nullptr ? 0 : rl_device_take(p, 2 * p->field_floats, &p->velocities);
}

// Graphs contain all of this, so they are dropped.
static int settle_extras(rl_device_swe *p)
{
    rl_swe_drop_graphs(p);
    if (p->extras.layers || p->rules.def.overshoot > 0.0f)
        RL_TRY(take_scratch(p));
    if (p->extras.layers && p->books.absorbed == nullptr)
        RL_TRY(rl_device_take(p, RL_SWE_LONGEST * (size_t)p->ny, &p->books.absorbed));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_set_layers(rl_device_swe *p, const rl_device_absorb *layers)
{
    const size_t nx = (size_t)p->nx, ny = (size_t)p->ny;
    const float *const from[] = {layers->profile_x, layers->level_x, layers->profile_y,
                                 layers->level_y};
    const size_t count[] = {nx, nx, ny, ny};
    float *to = p->profiles;
    for (int n = 0; n < 4 && layers->on; n++) {
        RL_TRY(cudaMemcpyAsync(to, from[n], count[n] * sizeof(float), cudaMemcpyHostToDevice,
                               p->stream));
        to += count[n];
    }
    RL_TRY(cudaStreamSynchronize(p->stream));
    if (p->extras.layers == layers->on && p->layer_width == layers->width)
        return 0;
    p->extras.layers = layers->on;
    p->layer_width = layers->width;
    return settle_extras(p);
}

int rl_device_swe_set_along(rl_device_swe *p, const float *along, rl_swe_side side[RILL_SIDE_COUNT])
{
    const size_t floats = 4 * ((size_t)p->nx + (size_t)p->ny);
    if (p->along == nullptr)
        RL_TRY(rl_device_take(p, floats, &p->along));
    if (along != nullptr) {
        RL_TRY(cudaMemcpyAsync(p->along, along, floats * sizeof *along, cudaMemcpyHostToDevice,
                               p->stream));
        RL_TRY(cudaStreamSynchronize(p->stream));
    }
    const float *from = p->along;
    for (int n = 0; n < RILL_SIDE_COUNT; n++) {
        const int count = n == RILL_SIDE_WEST || n == RILL_SIDE_EAST ? p->ny : p->nx;
        if (side[n].depth_along != nullptr) {
            side[n].depth_along = from;
            side[n].velocity_along = from + count;
        }
        from += 2 * count;
    }
    return 0;
}

int rl_device_swe_set_marks(rl_device_swe *p, const uint32_t *const marks[2], int words)
{
    const size_t count = (size_t)p->ny * (size_t)words;
    if (marks != nullptr && p->marks == nullptr)
        RL_TRY(rl_device_take(p, 2 * count, &p->marks));
    for (int axis = 0; axis < 2 && marks != nullptr; axis++)
        RL_TRY(cudaMemcpyAsync(p->marks + (size_t)axis * count, marks[axis],
                               count * sizeof *p->marks, cudaMemcpyHostToDevice, p->stream));
    p->extras.marked = marks != nullptr;
    p->extras.mark_words = words;
    p->extras.marks[0] = p->marks;
    p->extras.marks[1] = p->marks + count;
    return settle_extras(p);
}

int rl_device_swe_send_falls(rl_device_swe *p, const rl_fall *falls, int count)
{
    RL_TRY(cudaMemcpyAsync(p->list, falls, (size_t)count * sizeof *falls, cudaMemcpyHostToDevice,
                           p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_get_falls(rl_device_swe *p, rl_fall *falls, int count)
{
    RL_TRY(cudaMemcpyAsync(falls, p->list, (size_t)count * sizeof *falls, cudaMemcpyDeviceToHost,
                           p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_set_falls(rl_device_swe *p, const rl_fall *falls, int count, const int *map)
{
    const size_t cells = (size_t)p->nx * (size_t)p->ny;
    if (count > p->list_capacity) {
        rl_device_drop(p, &p->list);
        p->list_capacity = 0;
        RL_TRY(rl_device_take(p, (size_t)count, &p->list));
        p->list_capacity = count;
    }
    if (count > 0) {
        if (p->fall_map == nullptr)
            RL_TRY(rl_device_take(p, cells, &p->fall_map));
        RL_TRY(cudaMemcpyAsync(p->fall_map, map, cells * sizeof *map, cudaMemcpyHostToDevice,
                               p->stream));
        RL_TRY(rl_device_swe_send_falls(p, falls, count));
    }
    p->extras.fall_count = count;
    return settle_extras(p);
}

// ---- Reading ---------------------------------------------------------------------------

int rl_device_swe_columns(void *swe, float wet_depth, rl_device_columns *columns)
{
    rl_device_swe *p = (rl_device_swe *)swe;
    RL_TRY(take_scratch(p));
    rl_swe_read_args args = {};
    args.depth = field_of(p, RL_DEVICE_SWE_DEPTH);
    args.u = field_of(p, RL_DEVICE_SWE_U);
    args.v = field_of(p, RL_DEVICE_SWE_V);
    args.velocity_x = rl_swe_scratch_of(p, 0);
    args.velocity_y = rl_swe_scratch_of(p, 1);
    args.bed = field_of(p, RL_DEVICE_SWE_BED);
    args.k = rl_swe_coefficients_of(&p->rules, 1.0, 0, 0.0f);
    args.k.dry = wet_depth;
    args.nx = p->nx;
    args.pitch = p->pitch;
    const dim3 blocks((unsigned)((p->nx + RL_SWE_BLOCK - 1) / RL_SWE_BLOCK), (unsigned)p->ny);
    rl_swe_make_velocities<<<blocks, RL_SWE_BLOCK, 0, p->stream>>>(args);
    RL_TRY(cudaGetLastError());
    columns->view.base = field_of(p, RL_DEVICE_SWE_BED);
    columns->view.depth = args.depth;
    columns->depth_before = field_of(p, RL_DEVICE_SWE_BEFORE);
    columns->view.velocity_x = args.velocity_x;
    columns->view.velocity_y = args.velocity_y;
    columns->view.layers = 1;
    columns->view.pitch = (size_t)p->pitch;
    columns->stream = p->stream;
    return 0;
}

int rl_device_swe_move_falls(rl_device_swe *p, rl_fall **falls, int *count)
{
    *falls = p->list;
    *count = p->extras.fall_count;
    if (*count == 0)
        return 0;
    rl_swe_move_falls<<<(*count + RL_SWE_BLOCK - 1) / RL_SWE_BLOCK, RL_SWE_BLOCK, 0, p->stream>>>(
        p->list, *count, field_of(p, RL_DEVICE_SWE_U), field_of(p, RL_DEVICE_SWE_V), p->pitch);
    return (int)cudaGetLastError();
}
