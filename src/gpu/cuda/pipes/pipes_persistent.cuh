// SPDX-License-Identifier: MIT
// pipes_persistent.cuh - a persistent kernel that takes many steps: every block has its tile of the
// grid (pipes_tile.cuh) from the first to the last. After a step the blocks exchange the depth of
// their deepest water, and the cells along their borders.
//
// Every exchanged number is one word of eight bytes together with the number of the step: a reader
// polls until the number is right, and no writer must wait for memory before signalling. Words
// alternate: even steps use one half of them and odd ones the other. No block can be two steps
// ahead, because every step waits for the deepest water of all.
//
// Sizes of tiles were measured on an H200 (docs/gpu.md): the smallest tiles for which there are
// processors enough are the fastest.
#pragma once

#include "gpu/cuda/pipes/pipes_configs.h"

#define RL_GRID_BARRIER_POLL (RL_MOST_TILES / 32)

__device__ __forceinline__ unsigned long long rl_word(unsigned step, int bits)
{
    return (unsigned long long)step << 32 | (unsigned)bits;
}

__device__ __forceinline__ bool rl_is_of(unsigned long long word, unsigned step)
{
    return (unsigned)(word >> 32) == step;
}

// Polls before other warps are let run; an emulator, where nothing happens meanwhile, has fewer.
#if !defined(RL_PATIENT_POLLS)
#define RL_PATIENT_POLLS 4096
#endif

// Lets other warps run after many tries.
__device__ __forceinline__ void rl_be_patient(unsigned tries)
{
    if (tries > RL_PATIENT_POLLS)
        __nanosleep(200);
}

// Runs on one warp of every block: returns the largest of the numbers of all blocks.
__device__ __forceinline__ int rl_largest_of_all(const unsigned long long *arrivals, unsigned step)
{
    const unsigned lane = threadIdx.x & 31;
    const volatile unsigned long long *places = arrivals + (step & 1) * RL_MOST_TILES;
    bool all = false;
    int largest = 0;
    for (unsigned tries = 0; !all; tries++) {
        unsigned long long seen[RL_GRID_BARRIER_POLL];
        all = true;
        largest = 0;
#pragma unroll
        for (unsigned n = 0; n < RL_GRID_BARRIER_POLL; n++)
            if (lane + 32 * n < gridDim.x)
                seen[n] = places[lane + 32 * n];
#pragma unroll
        for (unsigned n = 0; n < RL_GRID_BARRIER_POLL; n++)
            if (lane + 32 * n < gridDim.x) {
                all = all && rl_is_of(seen[n], step);
                largest = (int)seen[n] > largest ? (int)seen[n] : largest;
            }
        all = __all_sync(RL_EVERYONE, all);
        rl_be_patient(tries);
    }
    return rl_largest_of_warp(largest);
}

// Not inlined: it is called twice a step, and the instructions are in the cache the second time.
static __device__ __noinline__ void rl_plan_from(rl_step_plan *plan, const rl_substeps *controller,
                                                 int bits, const rl_pipes_setup *setup)
{
    *plan = rl_plan_step(*controller, bits, *setup);
}

// Runs on one warp of every block: publishes the deepest water of the tile, and plans the next step
// from the numbers of all. Until they arrive, it plans for its own water: for one block that is
// right, and for all others it loads the instructions. After the last step there is no next one.
template <typename M>
__device__ __forceinline__ int rl_tile_barrier(M &m, unsigned long long *arrivals, unsigned step,
                                               bool last)
{
    const bool speaks = (threadIdx.x & 31) == 0;
    const int mine = speaks ? m.deepest : 0;
    if (speaks) {
        volatile unsigned long long *places = arrivals + (step & 1) * RL_MOST_TILES;
        places[blockIdx.x] = rl_word(step, mine);
        m.controller = m.plan.controller;
        if (last)
            m.plan.moves = 0;
        else
            rl_plan_from(&m.plan, &m.controller, mine, &m.setup);
    }
    const int deepest = rl_largest_of_all(arrivals, step);
    if (speaks && !last && deepest != mine)
        rl_plan_from(&m.plan, &m.controller, deepest, &m.setup);
    if (speaks)
        m.deepest = 0;
    return deepest;
}

// ---- Lines along the borders of tiles --------------------------------------------------

// A number that the tile on the other side of a border between tiles needs. A border has eleven
// lines: depths two cells deep on both sides, discharges across it three faces deep below (west)
// and two above (east), and discharges along it, one deep.
struct rl_line_item {
    bool along; // a row, else a column
    int number; // of the line
    int from;   // how far it is from the border: -3 to 1
    int place;  // in the line, from the first cell of the tile on
    bool weak;  // a discharge along the border
};

template <typename M> __device__ __forceinline__ rl_line_item rl_line_item_of(int n)
{
    constexpr int more = RL_TILE_BELOW + RL_TILE_ABOVE;
    constexpr int row = M::width + more, column = M::height + more;
    rl_line_item i;
    i.along = n < RL_BORDER_LINES * row;
    const int rest = i.along ? n : n - RL_BORDER_LINES * row;
    i.number = i.along ? rest / row : rest / column;
    i.place = (i.along ? rest % row : rest % column) - RL_TILE_BELOW;
    i.from = i.number - (i.number < 4 ? 2 : i.number < 9 ? 7 : 10);
    i.weak = i.number >= 9;
    return i;
}

template <typename M> __device__ __forceinline__ constexpr int rl_line_items()
{
    return RL_BORDER_LINES * (M::width + M::height + 2 * (RL_TILE_BELOW + RL_TILE_ABOVE));
}

// Returns whether it is one of the tile's own numbers. Ghosts count where something passes through
// the border of the grid that the line ends at.
template <typename T> __device__ __forceinline__ bool rl_is_own(const T &t, const rl_line_item &i)
{
    const int length = i.along ? t.columns : t.rows;
    if (i.place >= 0 && i.place < length)
        return true;
    const rill_side before = i.along ? RILL_SIDE_WEST : RILL_SIDE_SOUTH;
    const rill_side after = i.along ? RILL_SIDE_EAST : RILL_SIDE_NORTH;
    if (!i.weak || t.a.open == 0)
        return false;
    return i.place < 0 ? i.place > -3 && t.opens(before) : i.place == length && t.opens(after);
}

// Returns whether it comes from the tile on the other side. The ends of rows come from tiles
// further away.
template <typename T> __device__ __forceinline__ bool rl_is_seen(const T &t, const rl_line_item &i)
{
    const bool above = i.from >= 0;
    if (i.along ? t.at_side(above ? RILL_SIDE_NORTH : RILL_SIDE_SOUTH)
                : t.at_side(above ? RILL_SIDE_EAST : RILL_SIDE_WEST))
        return false;
    const int x = t.x0 + i.place;
    return rl_is_own(t, i) ||
           (i.along && x >= 0 && x < t.a.nx && i.place < t.columns + RL_TILE_ABOVE);
}

// Returns the word of an item, in the first half; `later` is for the border to the north or east of
// the tile.
template <typename T>
__device__ __forceinline__ int rl_word_of(const T &t, const rl_line_item &i, bool later)
{
    const int border = (i.along ? t.ty : t.tx) + later;
    const int length = (i.along ? t.a.nx : t.a.ny) + 2 * RL_LINE_GHOSTS;
    const int place = (i.along ? t.x0 : t.y0) + i.place + RL_LINE_GHOSTS;
    const int before = i.along ? 0 : t.a.words_of_rows;
    return before + (border * RL_BORDER_LINES + i.number) * length + place;
}

// Returns its place in shared memory, counted from the bed on: of the tile, or beyond its border.
template <typename T>
__device__ __forceinline__ unsigned rl_number_of(const T &t, const rl_line_item &i, bool own)
{
    typedef typename T::memory memory;
    const int length = i.along ? t.rows : t.columns;
    const int across = (i.from >= 0) != own ? length + i.from : i.from;
    const int at = i.along ? memory::place(i.place, across) : memory::place(across, i.place);
    const float *field = i.number < 4 ? t.m.depth : i.along != i.weak ? t.m.qy : t.m.qx;
    return (unsigned)(field - t.m.bed + at);
}

// The numbers that a thread publishes and those that it reads, computed once. Missing numbers have
// no place (RL_NO_PLACE).
#define RL_NO_PLACE 0xffffu

template <typename T> struct rl_line_exchange {
    typedef typename T::memory memory;
    static constexpr int threads = RL_TILE_THREADS - 32; // the first warp plans the step
    static constexpr int items = (rl_line_items<memory>() + threads - 1) / threads;
    static_assert(4 * memory::places < RL_NO_PLACE, "places are kept in 16 bits");
    unsigned places[items];        // of published numbers, and above 16 bits: of those read
    int shown[items], seen[items]; // words

    __device__ explicit rl_line_exchange(const T &t)
    {
#pragma unroll
        for (int n = 0; n < items; n++) {
            const rl_line_item i = rl_line_item_of<memory>(n * threads + (int)threadIdx.x - 32);
            const bool there = threadIdx.x >= 32 && i.number < RL_BORDER_LINES;
            const unsigned own = there && rl_is_own(t, i) ? rl_number_of(t, i, true) : RL_NO_PLACE;
            const unsigned other =
                there && rl_is_seen(t, i) ? rl_number_of(t, i, false) : RL_NO_PLACE;
            places[n] = other << 16 | own;
            shown[n] = rl_word_of(t, i, i.from < 0);
            seen[n] = rl_word_of(t, i, i.from >= 0);
        }
    }

    // Publishes the numbers that other tiles need, and reads theirs.
    __device__ __forceinline__ void exchange_lines(const T &t, unsigned step) const
    {
        float *const numbers = t.m.bed;
        volatile unsigned long long *const words = t.a.words + (step & 1) * (size_t)t.a.half;
        bool waits[items];
#pragma unroll
        for (int n = 0; n < items; n++) {
            if ((places[n] & 0xffffu) != RL_NO_PLACE)
                words[shown[n]] = rl_word(step, __float_as_int(numbers[places[n] & 0xffffu]));
            waits[n] = places[n] >> 16 != RL_NO_PLACE;
        }
        bool all = false;
        for (unsigned tries = 0; !all; tries++) {
            unsigned long long word[items];
            all = true;
#pragma unroll
            for (int n = 0; n < items; n++)
                if (waits[n])
                    word[n] = words[seen[n]];
#pragma unroll
            for (int n = 0; n < items; n++)
                if (waits[n]) {
                    waits[n] = !rl_is_of(word[n], step);
                    all = all && !waits[n];
                    if (!waits[n])
                        numbers[places[n] >> 16] = __int_as_float((int)word[n]);
                }
            rl_be_patient(tries);
        }
    }
};

// ---- The kernel ------------------------------------------------------------------------

// Loads the tile and its frame, before the first step.
template <typename T> __device__ __forceinline__ void rl_load_tile(T &t, const rl_march_fields &f)
{
    typedef typename T::memory memory;
    constexpr int loads = (memory::width + RL_TILE_BELOW + RL_TILE_ABOVE + 31) / 32;
#pragma unroll 1
    for (int y = t.warp - RL_TILE_BELOW; y < t.rows + RL_TILE_ABOVE; y += RL_TILE_WARPS)
#pragma unroll
        for (int n = 0; n < loads; n++) {
            const int x = t.lane - RL_TILE_BELOW + 32 * n;
            if (x < t.columns + RL_TILE_ABOVE) {
                const ptrdiff_t from = t.place_in_grid(x, y);
                const int to = memory::place(x, y);
                t.m.bed[to] = f.bed[from];
                t.m.depth[to] = f.depth[from];
                t.m.qx[to] = f.qx[from];
                t.m.qy[to] = f.qy[from];
            }
        }
#pragma unroll 1
    for (int y = t.warp; y < t.rows; y += RL_TILE_WARPS)
#pragma unroll
        for (int x = t.lane; x < memory::width; x += 32)
            if (x < t.columns)
                t.m.remainder[y * memory::width + x] = f.remainder[t.place_in_grid(x, y)];
}

// Stores the state after the last step, with the discharges beyond open borders.
template <typename T> __device__ __forceinline__ void rl_leave_tile(T &t, const rl_march_fields &f)
{
    typedef typename T::memory memory;
    const int west = t.opens(RILL_SIDE_WEST) ? -2 : 0, east = t.opens(RILL_SIDE_EAST) ? 1 : 0;
    const int south = t.opens(RILL_SIDE_SOUTH) ? -2 : 0, north = t.opens(RILL_SIDE_NORTH) ? 1 : 0;
#pragma unroll 1
    for (int y = t.warp + south; y < t.rows + north; y += RL_TILE_WARPS)
#pragma unroll 1
        for (int x = t.lane + west; x < t.columns + east; x += 32) {
            const ptrdiff_t to = t.place_in_grid(x, y);
            const int at = memory::place(x, y);
            const bool in_x = x >= 0 && x < t.columns, in_y = y >= 0 && y < t.rows;
            if (in_x && in_y) {
                f.depth_out[to] = t.m.depth[at];
                f.remainder_out[to] = t.m.remainder[y * memory::width + x];
            }
            if (in_y)
                f.qx_out[to] = t.m.qx[at];
            if (in_x)
                f.qy_out[to] = t.m.qy[at];
        }
}

template <int V, int R, int KIND, int SLOWED, int SMOOTH>
__global__ void __launch_bounds__(RL_TILE_THREADS, 1) rl_persistent(const rl_tile_args a)
{
    typedef rl_tile<V, R, KIND, SLOWED, SMOOTH> tile;
    extern __shared__ __align__(16) float shared[];
    typename tile::memory &m = *reinterpret_cast<typename tile::memory *>(shared);
    tile t(a, m);
    rl_load_tile(t, a.f[0]);
    const rl_line_exchange<tile> exchange(t);
    unsigned step = *a.barriers;
    int deepest = a.now->deepest, n = 0;
    if (threadIdx.x == 0) {
        m.setup = *a.setup;
        m.deepest = 0;
        m.controller = a.now->controller;
        rl_plan_from(&m.plan, &m.controller, deepest, &m.setup);
    }
    __syncthreads();
    while (m.plan.moves) {
        if (blockIdx.x == 0 && threadIdx.x == 0)
            a.spread[n] = m.plan.k.spread;
        t.step(a.crossed + (size_t)n * rl_crossed_floats(a.nx, a.ny));
        n++;
        step++;
        if (t.warp == 0)
            deepest = rl_tile_barrier(m, a.arrivals, step, n == a.most);
        else
            exchange.exchange_lines(t, step);
        __syncthreads();
    }
    if (n > 0)
        rl_leave_tile(t, a.f[(n - 1) & 1]);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        a.now[1].controller = m.plan.controller;
        a.now[1].deepest = deepest;
        *a.barriers = step;
    }
}

// ---- Sizes of tiles --------------------------------------------------------------------

// A tile of fewer rows is mostly border.
#define LEAST_ROWS 8

// Returns the cells of a line that is cut into `parts`, a multiple of `grain`; 0 when the last part
// would be smaller than what its neighbours read.
static int cut_line(int cells, int parts, int grain)
{
    const int part = (((cells + parts - 1) / parts) + grain - 1) / grain * grain;
    const int last = cells - (cells - 1) / part * part;
    return cells > part && last < RL_TILE_BELOW ? 0 : part;
}

static bool fits(rl_persistent_kernel kernel, size_t bytes)
{
    int together = 0, most_bytes = 0, blocks = 0;
    cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, 0);
    cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    if (together == 0 || bytes > (size_t)most_bytes)
        return false;
    const bool there =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) ==
            cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, RL_TILE_THREADS, bytes) ==
            cudaSuccess;
    cudaGetLastError(); // the march is used instead
    return there && blocks > 0;
}

// Cuts the grid into tiles of at most 32 V columns and 16 R rows, if they fit.
template <int V, int R, int KIND, int SLOWED, int SMOOTH>
static rl_persistent_config cut(int nx, int ny)
{
    typedef rl_tile_memory<V, R> memory;
    const rl_persistent_kernel kernel = rl_persistent<V, R, KIND, SLOWED, SMOOTH>;
    int processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int most = processors < RL_MOST_TILES ? processors : RL_MOST_TILES;
    const int tiles = (nx + memory::width - 1) / memory::width;
    if (tiles > most)
        return {};
    int stacked = most / tiles;
    if (stacked > ny / LEAST_ROWS)
        stacked = ny / LEAST_ROWS > 0 ? ny / LEAST_ROWS : 1;
    const int columns = cut_line(nx, tiles, V), rows = cut_line(ny, stacked, R);
    if (columns == 0 || rows == 0 || rows > memory::height || !fits(kernel, sizeof(memory)))
        return {};
    stacked = (ny + rows - 1) / rows;
    const int words = rl_words_of_lines(stacked + 1, nx);
    return {kernel,  sizeof(memory), tiles, stacked,
            columns, rows,           words, words + rl_words_of_lines(tiles + 1, ny)};
}

template <int KIND, int SLOWED, int SMOOTH> static rl_persistent_config smallest(int nx, int ny)
{
    rl_persistent_config r = cut<1, 1, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<2, 1, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<2, 2, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<4, 2, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<4, 4, KIND, SLOWED, SMOOTH>(nx, ny);
    return r;
}

// KIND and SMOOTH are those of rl_tile.
template <int KIND, int SMOOTH>
static rl_persistent_config rl_persistent_config_of_kind(int nx, int ny,
                                                         const rl_kernel_config_rules &rules)
{
    switch (rules.slowed) {
    case RL_PIPE_FREE:
        return smallest<KIND, RL_PIPE_FREE, SMOOTH>(nx, ny);
    case RL_PIPE_VISCOUS:
        return smallest<KIND, RL_PIPE_VISCOUS, SMOOTH>(nx, ny);
    default:
        return smallest<KIND, RL_PIPE_DRAG, SMOOTH>(nx, ny);
    }
}
