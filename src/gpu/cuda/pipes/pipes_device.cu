// SPDX-License-Identifier: MIT
// pipes_device.cu - the pipes solver in a device's memory: fields, copies from and to the host, and
// the rows of steps, which are captured once as graphs and launched again and again.
#define RL_CELL_PLAIN_EXTREMES // as pipes_march.cuh, before all that includes core/cell.h
#include "gpu/cuda/pipes/pipes_device.h"

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/pipes/pipes_configs.h"
#include "gpu/cuda/pipes/pipes_small.cuh"

#include <climits>
#include <cstdlib>
#include <cstring>

#define LEAST_ROWS 5 // of a march that goes far

#define LARGEST_ROUND 256 // steps that are launched before the host reads the result

// Lengths of captured rows of steps. Any number is a sum of these.
static const int row_lengths[] = {64, 8, 1};
#define ROW_KINDS 3
#define LONGEST   64

// Steps of a call from which on a persistent kernel is used: it must load and store the state.
#define LEAST_RESIDENT_STEPS 3
#define MOST_RESIDENT_STEPS  (2 * LONGEST) // at once; an even number

// A kernel, and its grid.
struct rl_launch {
    rl_kernel_config config;
    int strips, rows, blocks;
};

struct rl_device_pipes : rl_device_grid {
    int bands;
    rl_pipe_rules rules;
    rl_launch steps, pairs;          // pairs: without a kernel where they are slower
    rl_persistent_config persistent; // the same

    rl_pipes_control *controls; // LONGEST + 1
    rl_pass_control *passes;    // LONGEST + 1
    rl_pipes_setup *setup;
    rl_pipes_report *report, *report_host;
    float *crossed, *spread; // of 2 LONGEST steps
    double *moved;
    float *ghosts;                // as they come from the host
    unsigned long long *arrivals; // words of tiles of the persistent kernel: see pipes_configs.h
    unsigned long long *words;
    unsigned *barriers; // grid barriers that they have passed
    rl_device_borders borders;
    cudaGraphExec_t graphs[2][ROW_KINDS]; // by the copy they start from
    cudaGraphExec_t pass_graphs[ROW_KINDS];
};

// ---- Creation and destruction ----------------------------------------------------------

// Returns the rows a warp for large grids: as many as make whole waves of warps. Each warp passes
// over some rows more than it fills, so they must not be too few either.
static int rows_of_warp(const rl_device_pipes *p, const rl_launch &l)
{
    if (l.config.rows > 0)
        return l.config.rows;
    const int rows = rl_rows_of_waves(l.config.kernel, l.config.warps, l.config.ring_bytes,
                                      l.config.marches, l.strips, p->ny, l.config.most_rows);
    return rows < LEAST_ROWS ? LEAST_ROWS : rows;
}

static int cut_grid(const rl_device_pipes *p, rl_launch &l)
{
    if (l.config.kernel == nullptr)
        return 0;
    if (l.config.ring_bytes > 0)
        RL_TRY(cudaFuncSetAttribute(l.config.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)l.config.ring_bytes));
    l.strips = (p->nx + l.config.width - 1) / l.config.width;
    l.rows = rows_of_warp(p, l);
    const int chunks = (p->ny + l.rows - 1) / l.rows;
    l.blocks = (l.strips * chunks + l.config.marches - 1) / l.config.marches;
    return 0;
}

static int choose_grid(rl_device_pipes *p)
{
    const int paper = p->rules.def.area == RILL_AREA_PAPER;
    const int slowed = p->rules.def.drag > 0.0f        ? RL_PIPE_DRAG
                       : p->rules.def.viscosity > 0.0f ? RL_PIPE_VISCOUS
                                                       : RL_PIPE_FREE;
    const rl_kernel_config_rules rules = {paper, slowed, p->rules.theta < 1.0f,
                                          rl_pipe_limits_to_critical(&p->rules)};
    p->steps.config = rl_kernel_config_for(p->nx, p->ny, rules);
    p->pairs.config = rl_pair_config_for(p->nx, p->ny, rules);
    p->persistent = rl_persistent_config_for(p->nx, p->ny, rules);
    const int error = cut_grid(p, p->steps);
    return error != 0 ? error : cut_grid(p, p->pairs);
}

static int take_memory(rl_device_pipes *p)
{
    const size_t nx = (size_t)p->nx, ny = (size_t)p->ny;
    RL_TRY(rl_device_grid_create(p, RL_DEVICE_FIELDS));
    RL_TRY(rl_device_take(p, LONGEST + 1, &p->controls, &p->passes));
    RL_TRY(rl_device_take(p, 1, &p->setup, &p->report));
    RL_TRY(rl_device_take(p, 2 * LONGEST * rl_crossed_floats(p->nx, p->ny), &p->crossed));
    RL_TRY(rl_device_take(p, 2 * LONGEST, &p->spread));
    RL_TRY(rl_device_take(p, 4 * LONGEST * (size_t)p->bands, &p->moved));
    RL_TRY(rl_device_take(p, 4 * (nx + ny), &p->ghosts));
    return rl_device_take_pinned(p, sizeof *p->report_host, (void **)&p->report_host);
}

// Allocates the words with which the tiles of the persistent kernel communicate.
static int take_words(rl_device_pipes *p)
{
    const rl_persistent_config &r = p->persistent;
    if (r.kernel == nullptr)
        return 0;
    RL_TRY(rl_device_take(p, 2 * RL_MOST_TILES, &p->arrivals));
    RL_TRY(rl_device_take(p, 2 * (size_t)r.words, &p->words));
    return rl_device_take(p, 1, &p->barriers);
}

int rl_device_pipes_create(int nx, int ny, int bands, const rl_pipe_rules *rules, void **out)
{
    rl_device_pipes *p = (rl_device_pipes *)std::calloc(1, sizeof *p);
    *out = p;
    if (p == nullptr)
        return (int)cudaErrorMemoryAllocation;
    p->bands = bands;
    p->rules = *rules;
    rl_device_grid_size(p, nx, ny, ny + 2 * RL_PIPES_GHOST_ROWS, RL_PIPES_GHOST_ROWS);
    // Kernels count the floats of a field in 32 bits (rl_place); only the thinnest grids have more.
    int error = p->field_floats > INT_MAX ? (int)cudaErrorInvalidValue : take_memory(p);
    if (error == 0)
        error = choose_grid(p);
    if (error == 0)
        error = take_words(p);
    if (error != 0)
        rl_device_pipes_destroy(out);
    return error;
}

static void drop_graphs(rl_device_pipes *p)
{
    for (int n = 0; n < ROW_KINDS; n++) {
        rl_device_drop_graph(&p->graphs[0][n]);
        rl_device_drop_graph(&p->graphs[1][n]);
        rl_device_drop_graph(&p->pass_graphs[n]);
    }
}

void rl_device_pipes_destroy(void **pipes)
{
    rl_device_pipes *p = (rl_device_pipes *)*pipes;
    if (p == nullptr)
        return;
    rl_device_await(p);
    drop_graphs(p);
    rl_device_release(p);
    std::free(p);
    *pipes = nullptr;
}

// ---- Copies from and to the host, borders ----------------------------------------------

int rl_device_pipes_upload(rl_device_pipes *p, int field, const float *origin, size_t pitch,
                           int first, int count)
{
    RL_TRY(rl_device_grid_upload(p, rl_device_grid_now(p, field), origin, pitch, first, count,
                                 RL_DEVICE_HOST_MARGIN, p->nx + 2 * RL_DEVICE_HOST_MARGIN));
    return rl_device_grid_settle(p);
}

int rl_device_pipes_download(rl_device_pipes *p, int field, float *origin, size_t pitch, int first,
                             int count)
{
    RL_TRY(rl_device_grid_download(p, rl_device_grid_now(p, field), origin, pitch, first, count, 2,
                                   p->nx + 3));
    return rl_device_grid_settle(p);
}

int rl_device_pipes_set_borders(rl_device_pipes *p, const rl_device_borders *borders)
{
    const int longest = p->nx > p->ny ? p->nx : p->ny;
    RL_TRY(cudaMemcpyAsync(p->ghosts, borders->ghosts,
                           4 * ((size_t)p->nx + (size_t)p->ny) * sizeof(float),
                           cudaMemcpyHostToDevice, p->stream));
    rl_ghost_args args = {p->fields[0][RL_DEVICE_BED],
                          {p->fields[0][RL_DEVICE_DEPTH], p->fields[1][RL_DEVICE_DEPTH]},
                          {p->fields[0][RL_DEVICE_QX], p->fields[1][RL_DEVICE_QX]},
                          {p->fields[0][RL_DEVICE_QY], p->fields[1][RL_DEVICE_QY]},
                          p->ghosts,
                          p->nx,
                          p->ny,
                          p->pitch,
                          borders->open};
    rl_set_ghosts<<<(longest + RL_SMALL_BLOCK - 1) / RL_SMALL_BLOCK, RL_SMALL_BLOCK, 0,
                    p->stream>>>(args);
    RL_TRY(cudaGetLastError());
    const rl_pipes_setup setup = {p->rules, borders->border_deepest};
    RL_TRY(cudaMemcpyAsync(p->setup, &setup, sizeof setup, cudaMemcpyHostToDevice, p->stream));
    RL_TRY(cudaStreamSynchronize(p->stream));
    if (borders->open != p->borders.open || borders->drains != p->borders.drains)
        drop_graphs(p); // they contain which borders are open
    p->borders = *borders;
    return 0;
}

// ---- Steps -----------------------------------------------------------------------------

static cudaError_t launch_march(rl_device_pipes *p, const rl_launch &l, rl_march_args &args, int n)
{
    args.setup = p->setup;
    args.nx = p->nx;
    args.ny = p->ny;
    args.pitch = p->pitch;
    args.rows = l.rows;
    args.strips = l.strips;
    args.open = p->borders.open;
    args.drains = p->borders.drains;
    return rl_launch_march(l.config.kernel, l.blocks, l.config.warps, l.config.ring_bytes,
                           p->stream, args, n == 0);
}

static rl_march_fields fields_from(const rl_device_pipes *p, int from, int to)
{
    float *const *in = p->fields[from], *const *out = p->fields[to];
    return {in[RL_DEVICE_BED],        in[RL_DEVICE_DEPTH], in[RL_DEVICE_REMAINDER],
            in[RL_DEVICE_QX],         in[RL_DEVICE_QY],    out[RL_DEVICE_DEPTH],
            out[RL_DEVICE_REMAINDER], out[RL_DEVICE_QX],   out[RL_DEVICE_QY]};
}

// Launches step `n` of a row.
static cudaError_t launch_step(rl_device_pipes *p, int from, int n)
{
    rl_march_args args = {};
    args.f = fields_from(p, from, !from);
    args.now = p->controls + n;
    args.crossed = p->crossed + (size_t)n * rl_crossed_floats(p->nx, p->ny);
    args.spread = p->spread + n;
    return launch_march(p, p->steps, args, n);
}

// Launches pass `n` of a row. It finds out by itself which copy has the state.
static cudaError_t launch_pass(rl_device_pipes *p, int n)
{
    rl_march_args args = {};
    args.f = fields_from(p, 0, 1);
    args.back = fields_from(p, 1, 0);
    args.passes = p->passes;
    args.pass = n;
    args.crossed = p->crossed;
    args.spread = p->spread;
    return launch_march(p, p->pairs, args, n);
}

static cudaError_t end_row(rl_device_pipes *p, bool pairs, int length)
{
    const rl_end_args end = {p->controls, p->passes, p->setup,           p->report, p->crossed,
                             p->spread,   p->moved,  p->rules.cell_size, length,    p->nx,
                             p->ny,       p->bands,  p->borders.open};
    if (pairs)
        rl_end_passes<<<1, RL_SMALL_BLOCK, 0, p->stream>>>(end);
    else
        rl_end_steps<<<1, RL_SMALL_BLOCK, 0, p->stream>>>(end);
    return cudaGetLastError();
}

static cudaError_t launch_row(rl_device_pipes *p, bool pairs, int from, int length)
{
    for (int n = 0; n < length; n++) {
        const cudaError_t error = pairs ? launch_pass(p, n) : launch_step(p, from ^ (n & 1), n);
        if (error != cudaSuccess)
            return error;
    }
    return end_row(p, pairs, length);
}

// Captures once; borders that open or close drop the graphs.
static int capture_all(rl_device_pipes *p, bool pairs)
{
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (int from = 0; from < (pairs ? 1 : 2); from++) {
            cudaGraphExec_t *graph = pairs ? &p->pass_graphs[kind] : &p->graphs[from][kind];
            if (*graph == nullptr)
                RL_TRY(rl_device_capture(p->stream, graph, [=] {
                    return launch_row(p, pairs, from, row_lengths[kind]);
                }));
        }
    return 0;
}

static int read_report(rl_device_pipes *p)
{
    RL_TRY(cudaMemcpyAsync(p->report_host, p->report, sizeof *p->report, cudaMemcpyDeviceToHost,
                           p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

// Launches so many steps or passes and waits for them; the report comes back.
static int round_of_steps(rl_device_pipes *p, bool pairs, int count)
{
    int from = p->now;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        while (count >= row_lengths[kind]) {
            RL_TRY(
                cudaGraphLaunch(pairs ? p->pass_graphs[kind] : p->graphs[from][kind], p->stream));
            from ^= row_lengths[kind] & 1;
            count -= row_lengths[kind];
        }
    return read_report(p);
}

// Does the same with the persistent kernel, for exactly the steps that are needed.
static int round_of_resident_steps(rl_device_pipes *p, int count)
{
    rl_tile_args args = {};
    args.f[0] = fields_from(p, p->now, !p->now);
    args.f[1] = fields_from(p, !p->now, p->now);
    args.now = p->controls;
    args.setup = p->setup;
    args.crossed = p->crossed;
    args.spread = p->spread;
    args.arrivals = p->arrivals;
    args.words = p->words;
    args.barriers = p->barriers;
    args.nx = p->nx;
    args.ny = p->ny;
    args.pitch = p->pitch;
    args.most = MOST_RESIDENT_STEPS;
    args.open = p->borders.open;
    args.drains = p->borders.drains;
    for (int n = 0; n < count; n += MOST_RESIDENT_STEPS) {
        RL_TRY(rl_launch_persistent(p->persistent, args, p->stream));
        RL_TRY(end_row(p, false, 1));
    }
    return read_report(p);
}

// Estimates the substeps that are needed; the device takes fewer or leaves some for another round.
static int guess_steps(const rl_device_pipes *p, const rl_substeps *controller, float deepest)
{
    rl_substeps next = *controller;
    const float least = p->borders.border_deepest;
    const double height =
        rl_pipe_driving_height_of(&p->rules, (double)(deepest > least ? deepest : least));
    rl_substeps_choose(&next, rl_pipe_stable_step_of(&p->rules, height));
    const int ahead = rl_substeps_ahead(&next);
    return ahead < LARGEST_ROUND ? ahead : LARGEST_ROUND;
}

// Takes one round, of single steps or of passes. `kind` is that of the round before, or -1.
static int take_round(rl_device_pipes *p, rl_device_advance *advance, int *kind)
{
    const int steps = guess_steps(p, &advance->controller, advance->deepest);
    const bool pairs = p->pairs.config.kernel != nullptr && (steps > 1 || *kind == 1);
    const bool stays = p->persistent.kernel != nullptr && steps >= LEAST_RESIDENT_STEPS;
    if (!stays)
        RL_TRY(capture_all(p, pairs));
    if (*kind != pairs) {
        const rl_begin_args begin = {p->controls,
                                     pairs ? p->passes : nullptr,
                                     p->report,
                                     advance->controller,
                                     advance->deepest,
                                     p->running_max,
                                     p->ny,
                                     p->now,
                                     *kind < 0};
        rl_begin_substeps<<<1, RL_SMALL_BLOCK, 0, p->stream>>>(begin);
        RL_TRY(cudaGetLastError());
    }
    *kind = pairs;
    const int error = stays ? round_of_resident_steps(p, steps)
                            : round_of_steps(p, pairs, pairs ? (steps + 1) / 2 : steps);
    if (error != 0)
        return error;
    const rl_pipes_report *report = p->report_host;
    p->now = pairs ? report->copy
                   : p->now ^ ((report->controller.substeps - advance->controller.substeps) & 1);
    advance->controller = report->controller;
    std::memcpy(&advance->deepest, &report->deepest, sizeof advance->deepest);
    advance->in = report->in;
    advance->out = report->out;
    return 0;
}

int rl_device_pipes_advance(rl_device_pipes *p, rl_device_advance *advance)
{
    int kind = -1;
    while (advance->controller.left > 0.0) {
        const int error = take_round(p, advance, &kind);
        if (error != 0)
            return error;
    }
    return 0;
}
