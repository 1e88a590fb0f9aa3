// SPDX-License-Identifier: MIT
// layers_gpu.c - the layers solver on a GPU as a table of functions: which side has the state, and
// when it is copied.
#include "gpu/cuda/layers/layers_gpu.h"

#include "gpu/cuda/gpu_solvers.h"
#include "gpu/cuda/mirror/device.h"

#include "rill/support.h"

#include <string.h>

// ---- Synchronisation -------------------------------------------------------------------

static rill_field *field_of(rl_layers *s, int field)
{
    rill_field *const fields[] = {&s->base,      &s->range_max, &s->range_min, &s->depth,
                                  &s->remainder, &s->qx,        &s->qy,        &s->head,
                                  &s->cosine_x,  &s->cosine_y};
    return fields[field];
}

static int all_rows(const rl_layers *s)
{
    return (int)s->plane_rows * s->planes;
}

static void upload(rl_gpu_layers *g, int field)
{
    const rill_field *f = field_of(g->host, field);
    if (f->origin != NULL)
        rl_gpu_layers_note(g, rl_device_layers_upload(g->device, field, f->origin,
                                                      -RL_LAYERS_GHOST_ROWS, all_rows(g->host)));
}

static void download(rl_gpu_layers *g, int field)
{
    rl_gpu_layers_note(g,
                       rl_device_layers_download(g->device, field, field_of(g->host, field)->origin,
                                                 -RL_LAYERS_GHOST_ROWS, all_rows(g->host)));
}

static void send_ground(rl_gpu_layers *g)
{
    rl_ground_tables_make(g->host, &g->tables);
    rl_gpu_layers_note(g, rl_device_layers_set_tables(g->device, &g->tables.t));
    upload(g, RL_COLUMN_BASE);
    upload(g, RL_COLUMN_TOP);
    upload(g, RL_COLUMN_BOTTOM);
    upload(g, RL_COLUMN_COSINE_X);
    upload(g, RL_COLUMN_COSINE_Y);
    g->ground_stale = false;
}

static void send_state(rl_gpu_layers *g)
{
    for (int field = RL_COLUMN_DEPTH; field <= RL_COLUMN_HEAD; field++)
        upload(g, field);
    rl_ground_tables_pack(g->host, &g->tables, g->flooded);
    rl_gpu_layers_note(g, rl_device_layers_send_rest(g->device, g->host->cross_q, g->flooded));
    // The host has the running maximum.
    rl_gpu_layers_note(g, rl_device_layers_clear_running_max(g->device));
    g->fresh = RL_LAYERS_SEEN_ALL;
    memset(g->row_ahead, 0, rl_gpu_layers_rows(g));
    g->some_ahead = g->host_leads = false;
}

// Sends rows of depths and remainders that the host has changed, in runs.
static void send_rows(rl_gpu_layers *g)
{
    const rl_layers *s = g->host;
    for (size_t row = 0; row < rl_gpu_layers_rows(g); row++) {
        const size_t end_of_plane = (row / (size_t)s->ny + 1) * (size_t)s->ny;
        size_t end = row;
        while (end < end_of_plane && g->row_ahead[end])
            end++;
        if (end == row)
            continue;
        const int first = rl_gpu_layers_tall_row(g, row), count = (int)(end - row);
        rl_gpu_layers_note(
            g, rl_device_layers_upload(g->device, RL_COLUMN_DEPTH, s->depth.origin, first, count));
        rl_gpu_layers_note(g, rl_device_layers_upload(g->device, RL_COLUMN_REMAINDER,
                                                      s->remainder.origin, first, count));
        row = end - 1;
    }
    memset(g->row_ahead, 0, rl_gpu_layers_rows(g));
    g->some_ahead = false;
}

void rl_gpu_layers_to_device(rl_gpu_layers *g)
{
    if (g->ground_stale)
        send_ground(g);
    if (g->host_leads)
        send_state(g);
    if (g->some_ahead)
        send_rows(g);
    rl_gpu_layers_give(g);
}

void rl_gpu_layers_to_host(rl_gpu_layers *g, unsigned parts)
{
    rl_layers *s = g->host;
    if (g->host_leads)
        return;
    rl_gpu_layers_to_device(g);
    const unsigned missing = parts & ~g->fresh;
    if (missing & RL_LAYERS_SEEN_DEPTH)
        download(g, RL_COLUMN_DEPTH);
    if (missing & RL_LAYERS_SEEN_REMAINDER)
        download(g, RL_COLUMN_REMAINDER);
    if (missing & RL_LAYERS_SEEN_FLOW) {
        download(g, RL_COLUMN_QX);
        download(g, RL_COLUMN_QY);
        rl_gpu_layers_note(g, rl_device_layers_read_cross(g->device, s->cross_q));
    }
    if (missing & RL_LAYERS_SEEN_FLOODED && s->on_solid) {
        download(g, RL_COLUMN_HEAD);
        rl_gpu_layers_note(g, rl_device_layers_read_flooded(g->device, g->flooded));
        rl_ground_tables_unpack(s, &g->tables, g->flooded);
    }
    g->fresh |= parts;
    if (!g->running_max_stale)
        return;
    // Merges the running maximum of the device's deposits with that of the host.
    g->running_max_stale = false;
    rl_gpu_layers_note(g, rl_device_layers_running_max(g->device, g->device_running_max));
    for (int y = 0; y < s->ny; y++)
        s->raised[y] =
            g->device_running_max[y] > s->raised[y] ? g->device_running_max[y] : s->raised[y];
}

void rl_gpu_layers_lead(rl_gpu_layers *g)
{
    if (g->host_leads)
        return;
    rl_gpu_layers_to_host(g, RL_LAYERS_SEEN_ALL);
    rl_layers_fetched(g->host);
    g->host_leads = true;
}

// ---- Creation and destruction ----------------------------------------------------------

static void gpu_destroy(const rill_allocator *allocator, void **self)
{
    rl_gpu_layers *g = *self;
    if (g == NULL)
        return;
    rl_layers_velocities_destroy(&g->velocities);
    rl_device_layers_destroy(&g->device);
    rl_deposit_queue *w = &g->deposits;
    rl_deposit_queue_unpin(w);
    if (g->host != NULL) {
        const size_t ny = (size_t)g->host->ny, rows = rl_gpu_layers_rows(g);
        rill_free(allocator, w->row_counts, ny * sizeof *w->row_counts);
        rill_free(allocator, g->device_running_max, ny * sizeof *g->device_running_max);
        rill_free(allocator, g->row_fresh, rows);
        rill_free(allocator, g->row_ahead, rows);
        rill_free(allocator, g->flooded, g->flooded_words * sizeof *g->flooded);
        rl_ground_tables_destroy(g->host, &g->tables);
    }
    void *host = g->host;
    rl_layers_ops.destroy(allocator, &host);
    if (g->has_mutex)
        pthread_mutex_destroy(&g->mutex);
    rill_free(allocator, g, sizeof *g);
    *self = NULL;
}

static int pin_deposits(rl_gpu_layers *g)
{
    rl_deposit_queue *w = &g->deposits;
    int error = rl_deposit_queue_pin(w, (int64_t)g->host->nx * g->host->ny);
    if (error == 0)
        error = rl_device_layers_reserve(g->device, w->run_capacity, w->amount_capacity);
    return error;
}

static int make_device(rl_gpu_layers *g)
{
    const rl_layers *s = g->host;
    const rl_device_layers_def def = {
        .nx = s->nx,
        .ny = s->ny,
        .planes = s->planes,
        .pitch = (int)s->base.pitch,
        .plane_rows = (int)s->plane_rows,
        .tile_rows = RL_LAYERS_TILE_ROWS,
        .sloped = s->def.slope_correction,
        .covered = s->on_solid,
        .passages = s->passages != NULL,
        .straight = s->def.passages == RILL_PASSAGES_AXIS,
        .rules = s->rules,
    };
    const int error = rl_device_layers_create(&def, &g->device);
    return error != 0 ? error : pin_deposits(g);
}

static bool take_memory(rl_gpu_layers *g)
{
    const rl_layers *s = g->host;
    const size_t ny = (size_t)s->ny, rows = rl_gpu_layers_rows(g);
    g->deposits.row_counts = rill_alloc(&g->allocator, ny * sizeof *g->deposits.row_counts);
    g->device_running_max = rill_alloc(&g->allocator, ny * sizeof *g->device_running_max);
    g->row_fresh = rill_alloc(&g->allocator, rows);
    g->row_ahead = rill_alloc(&g->allocator, rows);
    const bool made = rl_ground_tables_create(s, &g->tables);
    g->flooded_words = g->tables.word_capacity;
    g->flooded = rill_alloc(&g->allocator, g->flooded_words * sizeof *g->flooded);
    return made && g->deposits.row_counts != NULL && g->device_running_max != NULL &&
           g->row_fresh != NULL && g->row_ahead != NULL && g->flooded != NULL;
}

static rill_status make(const rill_world_def *def, rl_isa isa, rl_gpu_layers *g)
{
    void *host = NULL;
    const rill_status status = rl_layers_ops.create(def, isa, &host);
    g->host = host;
    if (status != RILL_OK)
        return status;
    if (g->host->base.pitch * g->host->plane_rows * (size_t)g->host->planes > INT32_MAX / 2)
        return rill_fail(RILL_BAD_DEF, "%d x %d cells of up to %d layers are too many for the GPU",
                         def->nx, def->ny, g->host->planes - 1);
    g->has_mutex = pthread_mutex_init(&g->mutex, NULL) == 0;
    if (!g->has_mutex || !take_memory(g))
        return rill_fail(RILL_NO_MEMORY, "no memory for the layers solver beside the GPU");
    const int error = make_device(g);
    if (error != 0)
        return rill_fail(RILL_DEVICE, "the GPU cannot hold %d x %d cells of the layers solver: %s",
                         def->nx, def->ny, rl_device_text(error));
    g->host_leads = g->ground_stale = true;
    return RILL_OK;
}

static rill_status gpu_create(const rill_world_def *def, rl_isa isa, void **self)
{
    const rill_allocator *allocator = &def->host.allocator;
    rl_gpu_layers *g = rill_alloc(allocator, sizeof *g);
    *self = g;
    if (g == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the layers solver beside the GPU");
    g->allocator = *allocator;
    const rill_status status = make(def, isa, g);
    if (status != RILL_OK)
        gpu_destroy(allocator, self);
    return status;
}

static uint64_t gpu_memory_needed(const rill_world_def *def)
{
    return rl_layers_ops.memory_needed(def);
}

// Counts the host's memory only; the device's is separate.
static size_t gpu_memory(const void *self)
{
    const rl_gpu_layers *g = self;
    const rl_deposit_queue *w = &g->deposits;
    return sizeof *g + rl_layers_ops.memory(g->host) +
           rl_ground_tables_memory(g->host, &g->tables) + g->flooded_words * sizeof *g->flooded +
           2 * rl_gpu_layers_rows(g) +
           (size_t)g->host->ny * (sizeof *g->device_running_max + sizeof *w->row_counts) +
           (size_t)w->run_capacity * (2 * sizeof *w->runs + sizeof *w->rows) +
           (size_t)w->amount_capacity * sizeof *w->amounts;
}

// ---- A step ----------------------------------------------------------------------------

static void take_steps(rl_gpu_layers *g, rl_substeps *controller, rl_exchange *exchange)
{
    rl_layers *s = g->host;
    rl_gpu_layers_to_device(g);
    rl_layers_advance advance = {.controller = *controller,
                                 .deepest = s->max_depth,
                                 .in = exchange->in,
                                 .out = exchange->out};
    for (int y = 0; y < s->ny; y++) {
        advance.deepest = s->raised[y] > advance.deepest ? s->raised[y] : advance.deepest;
        s->raised[y] = -1.0f;
    }
    rl_gpu_layers_note(g, rl_device_layers_advance(g->device, &advance));
    g->fresh = 0;
    memset(g->row_fresh, 0, rl_gpu_layers_rows(g));
    if (g->error != 0)
        return;
    *controller = advance.controller;
    s->max_depth = advance.deepest;
    exchange->in = advance.in;
    exchange->out = advance.out;
}

static rill_status gpu_advance(void *self, rl_jobs *jobs, rl_substeps *controller,
                               rl_exchange *exchange)
{
    rl_gpu_layers *g = self;
    (void)jobs;
    take_steps(g, controller, exchange);
    g->rows_asked = 0;
    g->deposits.under_way = false; // a step waits for all before it
    return g->error == 0 ? RILL_OK
                         : rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(g->error));
}

static double gpu_stable_step(const void *self)
{
    rl_gpu_layers *g = (rl_gpu_layers *)self; // a query may synchronise the running maximum
    pthread_mutex_lock(&g->mutex);
    rl_gpu_layers_to_host(g, 0);
    pthread_mutex_unlock(&g->mutex);
    return rl_layers_stable_step(g->host);
}

// One substep of a given length.
static void gpu_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    rl_substeps controller = {.left = dt, .max_substeps = 1};
    gpu_advance(self, jobs, &controller, exchange);
}

// ---- Reading ---------------------------------------------------------------------------

static void synchronise(rl_gpu_layers *g, unsigned parts)
{
    pthread_mutex_lock(&g->mutex);
    rl_gpu_layers_to_host(g, parts);
    pthread_mutex_unlock(&g->mutex);
}

static rill_columns gpu_columns(void *self, rl_jobs *jobs)
{
    rl_gpu_layers *g = self;
    synchronise(g, RL_LAYERS_SEEN_DEPTH | RL_LAYERS_SEEN_FLOW);
    return rl_layers_columns(g->host, jobs);
}

static double gpu_volume(const void *self, rl_jobs *jobs)
{
    rl_gpu_layers *g = (rl_gpu_layers *)self; // a query sends what waits
    synchronise(g, RL_LAYERS_SEEN_DEPTH | RL_LAYERS_SEEN_REMAINDER);
    return rl_layers_volume(g->host, jobs);
}

static int gpu_layer_at(const void *self, int i, int j, float z)
{
    return rl_layers_layer_at(((const rl_gpu_layers *)self)->host, i, j, z);
}

static int gpu_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_gpu_layers *g = self;
    synchronise(g, RL_LAYERS_SEEN_ALL);
    return rl_layers_state(g->host, arrays);
}

static const rill_field *gpu_floors(const void *self)
{
    return &((const rl_gpu_layers *)self)->host->base;
}

// ---- Changing --------------------------------------------------------------------------

static void lead(rl_gpu_layers *g)
{
    pthread_mutex_lock(&g->mutex);
    rl_gpu_layers_lead(g);
    g->ground_stale = true;
    pthread_mutex_unlock(&g->mutex);
}

static rill_field *gpu_bed(void *self)
{
    return rl_layers_ops.bed(((rl_gpu_layers *)self)->host);
}

static void gpu_bed_changed(void *self)
{
    rl_gpu_layers *g = self;
    lead(g);
    rl_layers_ops.bed_changed(g->host);
}

static void gpu_set_border(void *self, rill_side side, rill_border border, float level)
{
    rl_gpu_layers *g = self;
    lead(g);
    rl_layers_ops.set_border(g->host, side, border, level);
}

static rill_status gpu_recut(void *self, const rl_solid *solid, int i0, int j0, int i1, int j1,
                             double *lost)
{
    rl_gpu_layers *g = self;
    lead(g);
    return rl_layers_recut(g->host, solid, i0, j0, i1, j1, lost);
}

static void gpu_state_changed(void *self)
{
    rl_gpu_layers *g = self;
    rl_layers_ops.state_changed(g->host);
    g->host_leads = g->ground_stale = true;
}

const rl_solver_ops rl_gpu_layers_ops = {
    .name = "layers",
    .memory_needed = gpu_memory_needed,
    .create = gpu_create,
    .destroy = gpu_destroy,
    .memory = gpu_memory,
    .stable_step = gpu_stable_step,
    .step = gpu_step,
    .advance = gpu_advance,
    .deposit = rl_gpu_layers_deposit,
    .columns = gpu_columns,
    .volume = gpu_volume,
    .bed = gpu_bed,
    .floors = gpu_floors,
    .bed_changed = gpu_bed_changed,
    .set_border = gpu_set_border,
    .recut = gpu_recut,
    .layer_at = gpu_layer_at,
    .state = gpu_state,
    .state_changed = gpu_state_changed,
    .device = &rl_gpu_layers_columns,
};
