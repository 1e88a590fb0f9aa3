// SPDX-License-Identifier: MIT
// pipes_gpu.c - the pipes solver on a GPU as a table of functions: which side has the state, and
// when it is copied.
#include "gpu/cuda/pipes/pipes_gpu.h"

#include "core/numbers.h"
#include "gpu/cuda/gpu_solvers.h"
#include "gpu/cuda/mirror/device.h"

#include "rill/support.h"

#include <string.h>

// ---- Synchronisation -------------------------------------------------------------------

static rill_field *field_of(rl_pipes *s, int field)
{
    rill_field *const fields[RL_DEVICE_FIELDS] = {&s->bed, &s->depth, &s->remainder, &s->qx,
                                                  &s->qy};
    return fields[field];
}

static void upload(rl_gpu_pipes *g, int field, int first, int count)
{
    const rill_field *f = field_of(g->host, field);
    rl_gpu_pipes_note(g,
                      rl_device_pipes_upload(g->device, field, f->origin, f->pitch, first, count));
}

// Ghosts of a field along the four sides, in the order of rl_device_borders.
static float *collect_ghosts(const rill_field *f, float *to)
{
    for (int y = 0; y < f->ny; y++) {
        to[y] = rill_field_row(f, y)[-1];
        to[f->ny + y] = rill_field_row(f, y)[f->nx];
    }
    to += 2 * f->ny;
    memcpy(to, rill_field_row(f, -1), (size_t)f->nx * sizeof *to);
    memcpy(to + f->nx, rill_field_row(f, f->ny), (size_t)f->nx * sizeof *to);
    return to + 2 * f->nx;
}

static void send_borders(rl_gpu_pipes *g)
{
    const rl_pipes *s = g->host;
    rl_device_borders borders = {.ghosts = g->ghosts};
    const float *depths = collect_ghosts(&s->bed, g->ghosts);
    const float *end = collect_ghosts(&s->depth, g->ghosts + (depths - g->ghosts));
    // Only a given level has water beyond the border.
    for (const float *d = depths; d < end; d++)
        borders.border_deepest = *d > borders.border_deepest ? *d : borders.border_deepest;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        borders.open |= (s->border[side] != RILL_BORDER_WALL) << side;
        borders.drains |= (s->border[side] == RILL_BORDER_DRAIN) << side;
    }
    rl_gpu_pipes_note(g, rl_device_pipes_set_borders(g->device, &borders));
    g->borders_stale = false;
}

// Sends rows of depth and remainder that the host has changed, in runs.
static void send_rows(rl_gpu_pipes *g)
{
    for (int y = 0; y < g->host->ny; y++) {
        int end = y;
        while (end < g->host->ny && g->row_ahead[end])
            end++;
        if (end > y) {
            upload(g, RL_DEVICE_DEPTH, y, end - y);
            upload(g, RL_DEVICE_REMAINDER, y, end - y);
            y = end;
        }
    }
    memset(g->row_ahead, 0, (size_t)g->host->ny);
    g->some_ahead = false;
}

void rl_gpu_pipes_to_device(rl_gpu_pipes *g)
{
    const int ny = g->host->ny;
    if (g->bed_stale)
        upload(g, RL_DEVICE_BED, -2, ny + 4);
    if (g->host_leads) {
        for (int field = RL_DEVICE_DEPTH; field < RL_DEVICE_FIELDS; field++)
            upload(g, field, -2, ny + 4);
        // The host has the running maximum.
        rl_gpu_pipes_note(g, rl_device_pipes_clear_running_max(g->device));
        g->fresh = RL_GPU_PIPES_STATE;
        memset(g->row_ahead, 0, (size_t)ny);
        g->some_ahead = false;
    }
    if (g->bed_stale || g->host_leads || g->borders_stale)
        send_borders(g);
    g->bed_stale = g->host_leads = false;
    if (g->some_ahead)
        send_rows(g);
    rl_gpu_pipes_give(g);
}

void rl_gpu_pipes_to_host(rl_gpu_pipes *g, unsigned fields)
{
    if (g->host_leads)
        return;
    rl_gpu_pipes_to_device(g);
    for (int field = RL_DEVICE_DEPTH; field < RL_DEVICE_FIELDS; field++) {
        if (!((fields & ~g->fresh) >> field & 1))
            continue;
        rill_field *f = field_of(g->host, field);
        rl_gpu_pipes_note(g, rl_device_pipes_download(g->device, field, f->origin, f->pitch, -1,
                                                      g->host->ny + 2));
        g->fresh |= 1u << field;
        g->host->halos_stale = true;
    }
    // Merges the running maximum of the device's deposits with that of the host.
    rl_pipes *s = g->host;
    rl_gpu_pipes_note(g, rl_device_pipes_running_max(g->device, g->device_running_max));
    for (int y = 0; y < s->ny; y++)
        s->raised[y] =
            g->device_running_max[y] > s->raised[y] ? g->device_running_max[y] : s->raised[y];
}

// ---- Creation and destruction ----------------------------------------------------------

static void gpu_destroy(const rill_allocator *allocator, void **self)
{
    rl_gpu_pipes *g = *self;
    if (g == NULL)
        return;
    const size_t ny = g->host != NULL ? (size_t)g->host->ny : 0;
    rl_device_pipes_destroy(&g->device);
    rl_pipes_velocities_destroy(&g->velocities);
    rl_evaporation_destroy(&g->evaporation);
    rl_deposit_queue *w = &g->deposits;
    rl_device_unpin(g->ghosts);
    rl_deposit_queue_unpin(w);
    rill_free(allocator, w->row_counts, ny * sizeof *w->row_counts);
    rill_free(allocator, g->row_fresh, ny);
    rill_free(allocator, g->row_ahead, ny);
    rill_free(allocator, g->device_running_max, ny * sizeof *g->device_running_max);
    void *host = g->host;
    rl_pipes_ops.destroy(allocator, &host);
    if (g->has_mutex)
        pthread_mutex_destroy(&g->mutex);
    rill_free(allocator, g, sizeof *g);
    *self = NULL;
}

static int pin_deposits(rl_gpu_pipes *g)
{
    rl_deposit_queue *w = &g->deposits;
    int error = rl_deposit_queue_pin(w, (int64_t)g->host->nx * g->host->ny);
    if (error == 0)
        error = rl_device_pipes_reserve(g->device, w->run_capacity, w->amount_capacity);
    return error;
}

static int make_device(rl_gpu_pipes *g)
{
    const rl_pipes *s = g->host;
    int error = rl_device_pipes_create(s->nx, s->ny, s->band_count, &s->rules, &g->device);
    if (error == 0)
        error = rl_device_pin(4 * ((size_t)s->nx + (size_t)s->ny) * sizeof *g->ghosts,
                              (void **)&g->ghosts);
    return error != 0 ? error : pin_deposits(g);
}

static rill_status make(const rill_world_def *def, rl_isa isa, rl_gpu_pipes *g)
{
    void *host = NULL;
    const rill_status status = rl_pipes_ops.create(def, isa, &host);
    g->host = host;
    if (status != RILL_OK)
        return status;
    const size_t ny = (size_t)def->ny;
    g->has_mutex = pthread_mutex_init(&g->mutex, NULL) == 0;
    g->deposits.row_counts = rill_alloc(&g->allocator, ny * sizeof *g->deposits.row_counts);
    g->row_fresh = rill_alloc(&g->allocator, ny);
    g->row_ahead = rill_alloc(&g->allocator, ny);
    g->device_running_max = rill_alloc(&g->allocator, ny * sizeof *g->device_running_max);
    if (!g->has_mutex || g->deposits.row_counts == NULL || g->row_fresh == NULL ||
        g->row_ahead == NULL || g->device_running_max == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the pipes solver beside the GPU");
    const int error = make_device(g);
    if (error != 0)
        return rill_fail(RILL_DEVICE, "the GPU cannot hold %d x %d cells of the pipes solver: %s",
                         def->nx, def->ny, rl_device_text(error));
    g->host_leads = g->bed_stale = true;
    return RILL_OK;
}

static rill_status gpu_create(const rill_world_def *def, rl_isa isa, void **self)
{
    const rill_allocator *allocator = &def->host.allocator;
    rl_gpu_pipes *g = rill_alloc(allocator, sizeof *g);
    *self = g;
    if (g == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the pipes solver beside the GPU");
    g->allocator = *allocator;
    const rill_status status = make(def, isa, g);
    if (status != RILL_OK)
        gpu_destroy(allocator, self);
    return status;
}

static uint64_t gpu_memory_needed(const rill_world_def *def)
{
    return rl_pipes_ops.memory_needed(def);
}

// Counts the host's memory only; the device's is separate.
static size_t gpu_memory(const void *self)
{
    const rl_gpu_pipes *g = self;
    const rl_deposit_queue *w = &g->deposits;
    const size_t a_row = 2 + sizeof *g->device_running_max + sizeof *w->row_counts;
    return sizeof *g + rl_pipes_ops.memory(g->host) + (size_t)g->host->ny * a_row +
           (size_t)w->run_capacity * (2 * sizeof *w->runs + sizeof *w->rows) +
           (size_t)w->amount_capacity * sizeof *w->amounts;
}

// ---- A step ----------------------------------------------------------------------------

static rill_status step_on_host(rl_gpu_pipes *g, rl_jobs *jobs, rl_substeps *controller,
                                rl_exchange *exchange)
{
    rl_gpu_pipes_to_host(g, RL_GPU_PIPES_STATE);
    g->host_leads = true;
    while (controller->left > 0.0) {
        rl_substeps_choose(controller, rl_pipes_ops.stable_step(g->host));
        rl_pipes_ops.step(g->host, jobs, controller->substep, exchange);
        rl_substeps_taken(controller);
    }
    return RILL_OK;
}

static rill_status step_on_device(rl_gpu_pipes *g, rl_substeps *controller, rl_exchange *exchange)
{
    rl_pipes *s = g->host;
    rl_gpu_pipes_to_device(g);
    rl_device_advance advance = {.controller = *controller, .deepest = s->max_depth};
    for (int y = 0; y < s->ny; y++) {
        advance.deepest = s->raised[y] > advance.deepest ? s->raised[y] : advance.deepest;
        s->raised[y] = -1.0f;
    }
    rl_gpu_pipes_note(g, rl_device_pipes_advance(g->device, &advance));
    if (g->error != 0)
        return RILL_OK;
    *controller = advance.controller;
    s->max_depth = advance.deepest;
    exchange->in += advance.in;
    exchange->out += advance.out;
    return RILL_OK;
}

static rill_status gpu_advance(void *self, rl_jobs *jobs, rl_substeps *controller,
                               rl_exchange *exchange)
{
    rl_gpu_pipes *g = self;
    rill_status status = RILL_OK;
    if (g->host->blocks != NULL)
        status = step_on_host(g, jobs, controller, exchange);
    else
        status = step_on_device(g, controller, exchange);
    if (!g->host_leads) {
        g->fresh = 0;
        memset(g->row_fresh, 0, (size_t)g->host->ny);
    }
    g->rows_asked = 0;
    g->deposits.under_way = false; // a step waits for all before it
    if (status == RILL_OK && g->error != 0)
        status = rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(g->error));
    return status;
}

static double gpu_stable_step(const void *self)
{
    rl_gpu_pipes *g = (rl_gpu_pipes *)self; // a query may synchronise the running maximum
    pthread_mutex_lock(&g->mutex);
    rl_gpu_pipes_to_host(g, 0);
    pthread_mutex_unlock(&g->mutex);
    return rl_pipes_ops.stable_step(g->host);
}

// One substep of a given length.
static void gpu_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    rl_substeps controller = {.left = dt, .max_substeps = 1};
    gpu_advance(self, jobs, &controller, exchange);
}

// ---- Reading ---------------------------------------------------------------------------

static void synchronise(rl_gpu_pipes *g, unsigned fields)
{
    pthread_mutex_lock(&g->mutex);
    rl_gpu_pipes_to_host(g, fields);
    pthread_mutex_unlock(&g->mutex);
}

#define SEEN (1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_QX | 1u << RL_DEVICE_QY)

static rill_columns gpu_columns(void *self, rl_jobs *jobs)
{
    rl_gpu_pipes *g = self;
    synchronise(g, SEEN);
    return rl_pipes_ops.columns(g->host, jobs);
}

static rill_columns gpu_columns_in(void *self, rl_jobs *jobs, const rl_box *boxes, int count)
{
    rl_gpu_pipes *g = self;
    synchronise(g, SEEN);
    return rl_pipes_ops.columns_in(g->host, jobs, boxes, count);
}

static double gpu_volume(const void *self, rl_jobs *jobs)
{
    rl_gpu_pipes *g = (rl_gpu_pipes *)self; // a query sends what waits
    const rl_pipes *s = g->host;
    if (g->host_leads)
        return rl_pipes_ops.volume(s, jobs);
    pthread_mutex_lock(&g->mutex);
    rl_gpu_pipes_to_device(g);
    rl_gpu_pipes_note(g, rl_device_pipes_row_sums(g->device, s->row_sums));
    pthread_mutex_unlock(&g->mutex);
    rl_sum sum = {0};
    for (int y = 0; y < s->ny; y++)
        rl_sum_add(&sum, s->row_sums[y]);
    return rl_sum_value(&sum) * s->cell_size * s->cell_size;
}

static int gpu_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_gpu_pipes *g = self;
    synchronise(g, RL_GPU_PIPES_STATE);
    return rl_pipes_ops.state(g->host, arrays);
}

// ---- Changing --------------------------------------------------------------------------

static rill_field *gpu_bed(void *self)
{
    return rl_pipes_ops.bed(((rl_gpu_pipes *)self)->host);
}

static void gpu_bed_changed(void *self)
{
    rl_gpu_pipes *g = self;
    rl_pipes_ops.bed_changed(g->host);
    g->bed_stale = true;
}

static void gpu_set_border(void *self, rill_side side, rill_border border, float level)
{
    rl_gpu_pipes *g = self;
    rl_pipes_ops.set_border(g->host, side, border, level);
    g->borders_stale = true;
}

static void gpu_state_changed(void *self)
{
    rl_gpu_pipes *g = self;
    rl_pipes_ops.state_changed(g->host);
    g->host_leads = g->bed_stale = true;
}

static void gpu_block(void *self, rl_jobs *jobs, const rl_blocks *now)
{
    rl_gpu_pipes *g = self;
    if (now == NULL && g->host->blocks == NULL)
        return;
    synchronise(g, RL_GPU_PIPES_STATE);
    g->host_leads = true;
    rl_pipes_ops.block(g->host, jobs, now);
}

// While something is blocked the state is host-resident.
static bool gpu_give_way(void *self, const rl_blocks_part *now, double *displaced)
{
    return rl_pipes_ops.give_way(((rl_gpu_pipes *)self)->host, now, displaced);
}

const rl_solver_ops rl_gpu_pipes_ops = {
    .name = "pipes",
    .memory_needed = gpu_memory_needed,
    .create = gpu_create,
    .destroy = gpu_destroy,
    .memory = gpu_memory,
    .stable_step = gpu_stable_step,
    .step = gpu_step,
    .advance = gpu_advance,
    .deposit = rl_gpu_pipes_deposit,
    .rain = rl_gpu_pipes_rain,
    .depth_row = rl_gpu_pipes_depth_row,
    .columns = gpu_columns,
    .columns_in = gpu_columns_in,
    .volume = gpu_volume,
    .bed = gpu_bed,
    .bed_changed = gpu_bed_changed,
    .set_border = gpu_set_border,
    .block = gpu_block,
    .give_way = gpu_give_way,
    .state = gpu_state,
    .state_changed = gpu_state_changed,
    .device = &rl_gpu_pipes_columns,
};
