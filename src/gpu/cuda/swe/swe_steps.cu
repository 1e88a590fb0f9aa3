// SPDX-License-Identifier: MIT
// swe_steps.cu - rows of steps of the swe solver on a device, which are captured once as graphs and
// launched again and again.
#include "gpu/cuda/swe/swe_eddy.cuh"
#include "gpu/cuda/swe/swe_small.cuh"

#include <cstring>

// Rows of a warp: the most, and the fewest.
#define MOST_ROWS  48
#define LEAST_ROWS 3

#define LARGEST_ROUND 128 // steps that are launched before the host reads the result

static const int row_lengths[RL_SWE_ROW_KINDS] = {RL_SWE_LONGEST, 8, 1};

void rl_swe_drop_graphs(rl_device_swe *p)
{
    for (int copy = 0; copy < 2; copy++)
        for (int n = 0; n < RL_SWE_ROW_KINDS; n++)
            rl_device_drop_graph(&p->graphs[copy][n]);
}

// ---- Kernel configurations -------------------------------------------------------------

// Chooses as many rows a warp as make whole waves of warps. Each warp passes over more rows than it
// fills, so they must not be too few. The last warps must not be left with one row: the flow over a
// northern drain reads the velocity one row before.
static void choose_rows(rl_device_swe *p)
{
    p->rows = rl_rows_of_waves(p->config.kernel, p->config.warps, 0, p->config.warps, p->strips,
                               p->ny, MOST_ROWS);
    if (p->rows < LEAST_ROWS)
        p->rows = LEAST_ROWS;
    while (p->ny % p->rows == 1)
        p->rows++;
}

static void choose_grid(rl_device_swe *p)
{
    rl_swe_extras *x = &p->extras;
    const bool extras = x->layers || x->marked || x->fall_count > 0;
    p->config = rl_swe_kernel_config_for(p->rules.def.advection == RILL_ADVECTION_CONSERVATIVE,
                                         rl_swe_slowed_by(&p->rules.def), extras);
    p->strips = (p->nx + p->config.width - 1) / p->config.width;
    choose_rows(p);
    const long long chunks = (p->ny + p->rows - 1) / p->rows;
    p->blocks = (int)((chunks * p->strips + p->config.warps - 1) / p->config.warps);
    x->profile_x = p->profiles;
    x->level_x = x->profile_x + p->nx;
    x->profile_y = x->level_x + p->nx;
    x->level_y = x->profile_y + p->ny;
    x->fall_map = p->fall_map;
    x->list = p->list;
    x->unabsorbed = x->layers ? rl_swe_scratch_of(p, 0) : nullptr;
    x->absorbed = x->layers && x->fall_count > 0 ? rl_swe_scratch_of(p, 1) : nullptr;
}

// ---- Rows of steps ---------------------------------------------------------------------

// What eddies leave of the velocities along an axis.
static float *strained_of(const rl_device_swe *p, int axis)
{
    return p->strained + (size_t)axis * p->field_floats + p->origin;
}

static cudaError_t strain(rl_device_swe *p, int from, int n)
{
    float *const *in = p->fields[from];
    rl_swe_strain_args args = {};
    args.bed = in[RL_DEVICE_SWE_BED];
    args.depth = in[RL_DEVICE_SWE_DEPTH];
    args.u = in[RL_DEVICE_SWE_U];
    args.v = in[RL_DEVICE_SWE_V];
    args.u_out = strained_of(p, 0);
    args.v_out = strained_of(p, 1);
    args.marked = p->extras.marked;
    args.mark_words = p->extras.mark_words;
    for (int axis = 0; axis < 2; axis++)
        args.marks[axis] = p->extras.marks[axis];
    args.now = p->controls + n;
    args.setup = p->setup;
    args.nx = p->nx;
    args.ny = p->ny;
    args.pitch = p->pitch;
    const dim3 tiles((unsigned)((p->nx + RL_SWE_TILE_WIDTH - 1) / RL_SWE_TILE_WIDTH),
                     (unsigned)((p->ny + RL_SWE_TILE_HEIGHT - 1) / RL_SWE_TILE_HEIGHT));
    rl_swe_strain_tiles<<<tiles, RL_SWE_TILE_WIDTH * RL_SWE_TILE_HEIGHT, 0, p->stream>>>(args);
    return cudaGetLastError();
}

static cudaError_t launch_march(rl_device_swe *p, int from, int n)
{
    float *const *in = p->fields[from], *const *out = p->fields[!from];
    rl_swe_march_args args = {};
    args.f = {in[RL_DEVICE_SWE_BED],    in[RL_DEVICE_SWE_DEPTH],      in[RL_DEVICE_SWE_REMAINDER],
              in[RL_DEVICE_SWE_U],      in[RL_DEVICE_SWE_V],          in[RL_DEVICE_SWE_PHI],
              out[RL_DEVICE_SWE_DEPTH], out[RL_DEVICE_SWE_REMAINDER], out[RL_DEVICE_SWE_U],
              out[RL_DEVICE_SWE_V],     out[RL_DEVICE_SWE_PHI]};
    if (p->strained != nullptr) {
        args.f.u = strained_of(p, 0);
        args.f.v = strained_of(p, 1);
    }
    args.x = p->extras;
    args.now = p->controls + n;
    args.setup = p->setup;
    args.crossed = p->books.crossed + (size_t)n * rl_crossed_floats(p->nx, p->ny);
    args.nx = p->nx;
    args.ny = p->ny;
    args.pitch = p->pitch;
    args.rows = p->rows;
    args.strips = p->strips;
    args.gathers_shallowest = !(p->rules.def.overshoot > 0.0f);
    return rl_launch_march(p->config.kernel, p->blocks, p->config.warps, 0, p->stream, args,
                           n == 0);
}

static cudaError_t sum_absorbed(rl_device_swe *p, int from, int n)
{
    const rl_swe_extras *x = &p->extras;
    const float *after =
        x->absorbed != nullptr ? x->absorbed : p->fields[!from][RL_DEVICE_SWE_DEPTH];
    const rl_swe_absorbed_args args = {
        p->controls + n, p->setup,     x->unabsorbed,
        after,           x->profile_y, p->books.absorbed + (size_t)n * (size_t)p->ny,
        p->nx,           p->ny,        p->pitch,
        p->layer_width};
    const int rows = RL_SWE_BLOCK / 32;
    rl_swe_sum_absorbed<<<(p->ny + rows - 1) / rows, RL_SWE_BLOCK, 0, p->stream>>>(args);
    return cudaGetLastError();
}

static int cut_crests(rl_device_swe *p, int from, int n)
{
    const rl_swe_cut_args args = {p->controls + n,
                                  p->setup,
                                  p->fields[from][RL_DEVICE_SWE_BED],
                                  p->fields[!from][RL_DEVICE_SWE_DEPTH],
                                  rl_swe_scratch_of(p, 0),
                                  p->nx,
                                  p->ny,
                                  p->pitch};
    const dim3 blocks((unsigned)((p->nx + RL_SWE_BLOCK - 1) / RL_SWE_BLOCK), (unsigned)p->ny);
    rl_swe_cut<<<blocks, RL_SWE_BLOCK, 0, p->stream>>>(args);
    RL_TRY(rl_device_grid_sum_rows(p, args.depth, args.out, -1.0,
                                   p->books.cut + (size_t)n * (size_t)p->ny));
    rl_swe_store_cut<<<blocks, RL_SWE_BLOCK, 0, p->stream>>>(args);
    return (int)cudaGetLastError();
}

static int launch_step(rl_device_swe *p, int from, int n)
{
    if (p->strained != nullptr)
        RL_TRY(strain(p, from, n));
    RL_TRY(launch_march(p, from, n));
    if (p->extras.layers)
        RL_TRY(sum_absorbed(p, from, n));
    return p->rules.def.overshoot > 0.0f ? cut_crests(p, from, n) : 0;
}

static int launch_row(rl_device_swe *p, int from, int length)
{
    for (int n = 0; n < length; n++)
        RL_TRY(launch_step(p, from ^ (n & 1), n));
    rl_swe_end_args end = {};
    end.controls = p->controls;
    end.report = p->report;
    end.to_host = p->report_host;
    end.setup = p->setup;
    end.books = p->books;
    end.count = length;
    end.nx = p->nx;
    end.ny = p->ny;
    end.bands = p->bands;
    end.layers = p->extras.layers;
    end.overshoot = p->rules.def.overshoot > 0.0f;
    rl_swe_end_steps<<<1, RL_SWE_BLOCK, 0, p->stream>>>(end);
    return (int)cudaGetLastError();
}

static int capture_all(rl_device_swe *p)
{
    if (p->graphs[0][0] == nullptr)
        choose_grid(p);
    for (int from = 0; from < 2; from++)
        for (int kind = 0; kind < RL_SWE_ROW_KINDS; kind++)
            if (p->graphs[from][kind] == nullptr)
                RL_TRY(rl_device_capture(p->stream, &p->graphs[from][kind],
                                         [=] { return launch_row(p, from, row_lengths[kind]); }));
    return 0;
}

// Launches `steps` steps and waits for them; their report comes back.
static int round_of_steps(rl_device_swe *p, int steps)
{
    int from = p->now;
    for (int kind = 0; kind < RL_SWE_ROW_KINDS; kind++)
        while (steps >= row_lengths[kind]) {
            RL_TRY(cudaGraphLaunch(p->graphs[from][kind], p->stream));
            from ^= row_lengths[kind] & 1;
            steps -= row_lengths[kind];
        }
    return (int)cudaStreamSynchronize(p->stream);
}

// Estimates the substeps that are needed; the device takes fewer or leaves some for another round.
static int guess_steps(const rl_swe_setup *setup, const rl_device_swe_advance *advance)
{
    rl_substeps next = advance->controller;
    rl_swe_largest most = advance->largest;
    most.depth = setup->deepest_beyond > most.depth ? setup->deepest_beyond : most.depth;
    rl_substeps_choose(&next, rl_swe_stable_step_of(&setup->rules, most));
    const int ahead = rl_substeps_ahead(&next);
    return ahead < LARGEST_ROUND ? ahead : LARGEST_ROUND;
}

static float float_of(int bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

int rl_device_swe_step(rl_device_swe *p, const rl_swe_setup *setup, rl_device_swe_advance *advance)
{
    RL_TRY(capture_all(p));
    rl_swe_begin_args begin = {};
    begin.controls = p->controls;
    begin.report = p->report;
    begin.place = p->setup;
    begin.running_max = p->running_max;
    begin.pushed = p->pushed;
    begin.depth = p->fields[p->now][RL_DEVICE_SWE_DEPTH];
    begin.advance = *advance;
    begin.setup = *setup;
    begin.count = RL_SWE_LONGEST + 1;
    begin.nx = p->nx;
    begin.ny = p->ny;
    begin.pitch = p->pitch;
    rl_swe_begin<<<1, RL_SWE_BLOCK, 0, p->stream>>>(begin);
    RL_TRY(cudaGetLastError());
    while (advance->controller.left > 0.0) {
        const int before = advance->controller.substeps;
        const int error = round_of_steps(p, guess_steps(setup, advance));
        if (error != 0)
            return error;
        const rl_swe_report *report = p->report_host;
        advance->controller = report->controller;
        advance->largest = {float_of(report->depth), float_of(report->u), float_of(report->v)};
        advance->in = report->in;
        advance->out = report->out;
        advance->corrected = report->corrected;
        p->now ^= (advance->controller.substeps - before) & 1;
    }
    return 0;
}
