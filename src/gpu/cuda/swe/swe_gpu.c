// SPDX-License-Identifier: MIT
// swe_gpu.c - the swe solver on a GPU as a table of functions: which side has the state, and when
// it is copied.
#include "gpu/cuda/swe/swe_gpu.h"

#include "core/numbers.h"
#include "gpu/cuda/gpu_solvers.h"
#include "gpu/cuda/mirror/device.h"

#include "rill/support.h"

#include <string.h>

// Larger fields are not registered with the device: that takes seconds.
#define MOST_LENT ((size_t)1 << 28)

// ---- Synchronisation -------------------------------------------------------------------

static rill_field *field_of(rl_swe *s, int field)
{
    rl_swe_moving *m = rl_swe_now(s);
    rill_field *const fields[] = {
        &s->bed, &m->depth, &m->remainder, &m->u, &m->v, &m->phi, &s->moving[!s->now].depth};
    return fields[field];
}

static void upload(rl_gpu_swe *g, int field, int first, int count)
{
    const rill_field *f = field_of(g->host, field);
    rl_gpu_swe_note(g, rl_device_swe_upload(g->device, field, f->origin, f->pitch, first, count));
}

static void download(rl_gpu_swe *g, int field, int first, int count)
{
    const rill_field *f = field_of(g->host, field);
    rl_gpu_swe_note(g, rl_device_swe_download(g->device, field, f->origin, f->pitch, first, count));
}

static void settle(rl_gpu_swe *g)
{
    rl_gpu_swe_note(g, rl_device_swe_settle(g->device));
}

// Copies rows that the host has changed, in runs. Row -1 of v goes with row 0.
static void send_rows(rl_gpu_swe *g)
{
    for (int y = 0; y < g->host->ny; y++) {
        int end = y;
        while (end < g->host->ny && g->row_ahead[end])
            end++;
        if (end == y)
            continue;
        for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_V; field++)
            upload(g, field, y, end - y);
        y = end;
    }
    memset(g->row_ahead, 0, (size_t)g->host->ny);
    g->some_ahead = false;
    settle(g);
}

// Sends where falls are, from the list.
static void send_falls(rl_gpu_swe *g)
{
    const rl_swe *s = g->host;
    if (s->fall_capacity == 0)
        return;
    memset(g->fall_map, 0, (size_t)s->nx * (size_t)s->ny * sizeof *g->fall_map);
    for (int n = s->fall_count - 1; n >= 0; n--) {
        const rl_fall *f = &s->falls[n];
        int *lower = &g->fall_map[f->lower_j * s->nx + f->lower_i];
        int *upper = &g->fall_map[f->upper_j * s->nx + f->upper_i];
        *lower = (*lower & ((1 << RL_FALL_SHIFT) - 1)) | n << RL_FALL_SHIFT;
        if (f->upper_i < f->lower_i)
            *upper |= RL_FALL_EAST;
        else if (f->upper_i > f->lower_i)
            *lower |= RL_FALL_WEST;
        else if (f->upper_j < f->lower_j)
            *upper |= RL_FALL_NORTH;
        else
            *lower |= RL_FALL_SOUTH;
    }
    rl_gpu_swe_note(g, rl_device_swe_set_falls(g->device, s->falls, s->fall_count, g->fall_map));
}

// Sends what changes rarely.
static void send_rare(rl_gpu_swe *g)
{
    const rl_swe *s = g->host;
    if (g->bed_stale)
        upload(g, RL_DEVICE_SWE_BED, -2, s->ny + 4);
    if (g->layers_stale) {
        const rl_device_absorb layers = {.on = s->layers.on,
                                         .width = s->def.absorb_cells,
                                         .profile_x = s->layers.profile_x,
                                         .level_x = s->layers.level_x,
                                         .profile_y = s->layers.profile_y,
                                         .level_y = s->layers.level_y};
        rl_gpu_swe_note(g, rl_device_swe_set_layers(g->device, &layers));
    }
    if (g->marks_stale) {
        const uint32_t *const marks[2] = {s->marks[0], s->marks[1]};
        rl_gpu_swe_note(g, rl_device_swe_set_marks(g->device, s->some_marked ? marks : NULL,
                                                   (int)s->mark_words));
    }
    if (g->falls_stale)
        send_falls(g);
    else if (g->list_ahead && s->fall_count > 0)
        rl_gpu_swe_note(g, rl_device_swe_send_falls(g->device, s->falls, s->fall_count));
    g->bed_stale = g->layers_stale = g->marks_stale = g->falls_stale = g->list_ahead = false;
}

void rl_gpu_swe_to_device(rl_gpu_swe *g)
{
    const int ny = g->host->ny;
    send_rare(g);
    if (g->host_leads) {
        for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_BEFORE; field++)
            upload(g, field, -2, ny + 4);
        // The host has the running maximum.
        rl_gpu_swe_note(g, rl_device_swe_clear_running_max(g->device));
        g->fresh = RL_GPU_SWE_STATE | 1u << RL_DEVICE_SWE_BEFORE;
        g->list_fresh = true;
        memset(g->row_ahead, 0, (size_t)ny);
        g->some_ahead = g->host_leads = false;
        settle(g);
    }
    if (g->some_ahead)
        send_rows(g);
    rl_gpu_swe_give(g);
}

// Merges the running maximum of the device's deposits with that of the host.
static void merge_running_max(rl_gpu_swe *g)
{
    rl_swe *s = g->host;
    if (!g->running_max_stale)
        return;
    rl_gpu_swe_note(g, rl_device_swe_running_max(g->device, g->device_running_max));
    g->running_max_stale = false;
    for (int y = 0; y < s->ny; y++)
        s->raised[y] =
            g->device_running_max[y] > s->raised[y] ? g->device_running_max[y] : s->raised[y];
    float pushed[2] = {0.0f, 0.0f};
    rl_gpu_swe_note(g, rl_device_swe_pushed(g->device, pushed));
    s->largest.u = pushed[0] > s->largest.u ? pushed[0] : s->largest.u;
    s->largest.v = pushed[1] > s->largest.v ? pushed[1] : s->largest.v;
}

void rl_gpu_swe_to_host(rl_gpu_swe *g, unsigned fields)
{
    if (g->host_leads)
        return;
    rl_gpu_swe_to_device(g);
    if (!g->host->layers.on)
        fields &= ~(1u << RL_DEVICE_SWE_PHI); // it is zero on both sides
    for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_BEFORE; field++) {
        if (!((fields & ~g->fresh) >> field & 1))
            continue;
        download(g, field, -1, g->host->ny + 2);
        g->fresh |= 1u << field;
    }
    settle(g);
    merge_running_max(g);
}

void rl_gpu_swe_synchronise_rows(rl_gpu_swe *g, int first, int count)
{
    for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_V; field++)
        download(g, field, first, count);
    if (first == 0)
        download(g, RL_DEVICE_SWE_V, -1, 1);
    settle(g);
    memset(g->row_fresh + first, 1, (size_t)count);
}

static void read_falls(rl_gpu_swe *g)
{
    rl_swe *s = g->host;
    if (!g->list_fresh && !g->host_leads && s->fall_count > 0)
        rl_gpu_swe_note(g, rl_device_swe_get_falls(g->device, s->falls, s->fall_count));
    g->list_fresh = true;
}

// ---- Creation and destruction ----------------------------------------------------------

static size_t map_bytes(const rl_swe *s)
{
    return s->fall_capacity > 0 ? (size_t)s->nx * (size_t)s->ny * sizeof(int) : 0;
}

// Registers the memory of the fields that are copied with the device, or unregisters it.
static void lend(rl_swe *s, bool lent)
{
    for (int copy = 0; copy < 2; copy++) {
        const rl_swe_moving *m = &s->moving[copy];
        const rill_field *const fields[] = {&m->depth, &m->remainder, &m->u, &m->v};
        for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++) {
            if (fields[n]->bytes > MOST_LENT)
                continue;
            if (lent)
                rl_device_swe_lend(fields[n]->memory, fields[n]->bytes);
            else
                rl_device_swe_take_back(fields[n]->memory);
        }
    }
}

static void gpu_destroy(const rill_allocator *allocator, void **self)
{
    rl_gpu_swe *g = *self;
    if (g == NULL)
        return;
    const size_t ny = g->host != NULL ? (size_t)g->host->ny : 0;
    rl_device_swe_destroy(&g->device);
    rl_evaporation_destroy(&g->evaporation);
    if (g->lent)
        lend(g->host, false);
    rl_deposit_queue *w = &g->deposits;
    rl_deposit_queue_unpin(w);
    rill_free(allocator, w->row_counts, ny * sizeof *w->row_counts);
    rill_free(allocator, g->row_fresh, ny);
    rill_free(allocator, g->row_ahead, ny);
    rill_free(allocator, g->device_running_max, ny * sizeof *g->device_running_max);
    if (g->host != NULL)
        rill_free(allocator, g->fall_map, map_bytes(g->host));
    void *host = g->host;
    rl_swe_ops.destroy(allocator, &host);
    if (g->has_mutex)
        pthread_mutex_destroy(&g->mutex);
    rill_free(allocator, g, sizeof *g);
    *self = NULL;
}

static int make_device(rl_gpu_swe *g)
{
    const rl_swe *s = g->host;
    const rl_swe_rules rules = rl_swe_rules_of(s);
    rl_deposit_queue *w = &g->deposits;
    int error = rl_device_swe_create(s->nx, s->ny, s->band_count, &rules, &g->device);
    if (error == 0)
        error = rl_deposit_queue_pin(w, (int64_t)s->nx * s->ny);
    if (error == 0)
        error = rl_device_swe_reserve(g->device, w->run_capacity, w->amount_capacity);
    return error;
}

static rill_status make(const rill_world_def *def, rl_isa isa, rl_gpu_swe *g)
{
    void *host = NULL;
    const rill_status status = rl_swe_ops.create(def, isa, &host);
    g->host = host;
    if (status != RILL_OK)
        return status;
    const size_t ny = (size_t)def->ny, map = map_bytes(g->host);
    g->has_mutex = pthread_mutex_init(&g->mutex, NULL) == 0;
    g->deposits.row_counts = rill_alloc(&g->allocator, ny * sizeof *g->deposits.row_counts);
    g->row_fresh = rill_alloc(&g->allocator, ny);
    g->row_ahead = rill_alloc(&g->allocator, ny);
    g->device_running_max = rill_alloc(&g->allocator, ny * sizeof *g->device_running_max);
    if (map > 0)
        g->fall_map = rill_alloc(&g->allocator, map);
    if (!g->has_mutex || g->deposits.row_counts == NULL || g->row_fresh == NULL ||
        g->row_ahead == NULL || g->device_running_max == NULL || (map > 0 && g->fall_map == NULL))
        return rill_fail(RILL_NO_MEMORY, "no memory for the swe solver beside the GPU");
    const int error = make_device(g);
    if (error != 0)
        return rill_fail(RILL_DEVICE, "the GPU cannot hold %d x %d cells of the swe solver: %s",
                         def->nx, def->ny, rl_device_text(error));
    lend(g->host, true);
    g->lent = true;
    g->host_leads = g->bed_stale = g->layers_stale = g->falls_stale = g->beyond_stale = true;
    return RILL_OK;
}

static rill_status gpu_create(const rill_world_def *def, rl_isa isa, void **self)
{
    const rill_allocator *allocator = &def->host.allocator;
    rl_gpu_swe *g = rill_alloc(allocator, sizeof *g);
    *self = g;
    if (g == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the swe solver beside the GPU");
    g->allocator = *allocator;
    const rill_status status = make(def, isa, g);
    if (status != RILL_OK)
        gpu_destroy(allocator, self);
    return status;
}

static uint64_t gpu_memory_needed(const rill_world_def *def)
{
    return rl_swe_ops.memory_needed(def);
}

// Counts the host's memory only; the device's is separate.
static size_t gpu_memory(const void *self)
{
    const rl_gpu_swe *g = self;
    const rl_deposit_queue *w = &g->deposits;
    const size_t a_row = 2 + sizeof *g->device_running_max + sizeof *w->row_counts;
    return sizeof *g + rl_swe_ops.memory(g->host) + (size_t)g->host->ny * a_row +
           map_bytes(g->host) + (size_t)w->run_capacity * (2 * sizeof *w->runs + sizeof *w->rows) +
           (size_t)w->amount_capacity * sizeof *w->amounts;
}

// ---- A step ----------------------------------------------------------------------------

// Returns the deepest water beyond the borders, whatever is inside them.
static float deepest_beyond(const rl_swe *s)
{
    float deepest = 0.0f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
        for (int n = 0; n < (column ? s->ny : s->nx); n++) {
            const int x = side == RILL_SIDE_WEST ? 0 : side == RILL_SIDE_EAST ? s->nx - 1 : n;
            const int y = side == RILL_SIDE_SOUTH ? 0 : side == RILL_SIDE_NORTH ? s->ny - 1 : n;
            const float d =
                rl_swe_depth_beyond(&s->side[side], rill_field_row(&s->bed, y)[x], 0.0f);
            deepest = d > deepest ? d : deepest;
        }
    }
    return deepest;
}

static void step_on_device(rl_gpu_swe *g, rl_substeps *controller, rl_exchange *exchange)
{
    rl_swe *s = g->host;
    rl_gpu_swe_take_list_back(g);
    rl_gpu_swe_to_device(g);
    if (g->beyond_stale)
        g->deepest_beyond = deepest_beyond(s);
    g->beyond_stale = false;
    rl_swe_setup setup = {.rules = rl_swe_rules_of(s), .deepest_beyond = g->deepest_beyond};
    memcpy(setup.side, s->side, sizeof setup.side);
    rl_device_swe_advance advance = {.controller = *controller,
                                     .largest = s->largest,
                                     .in = exchange->in,
                                     .out = exchange->out,
                                     .corrected = exchange->corrected};
    for (int y = 0; y < s->ny; y++) {
        advance.largest.depth =
            s->raised[y] > advance.largest.depth ? s->raised[y] : advance.largest.depth;
        s->raised[y] = -1.0f;
    }
    rl_gpu_swe_note(g, rl_device_swe_step(g->device, &setup, &advance));
    if (g->error != 0)
        return;
    if (advance.controller.substeps > controller->substeps) {
        s->k = rl_swe_coefficients_of(&setup.rules, advance.controller.substep, 0);
        s->last_step = advance.controller.substep;
    }
    *controller = advance.controller;
    s->largest = advance.largest;
    exchange->in = advance.in;
    exchange->out = advance.out;
    exchange->corrected = advance.corrected;
}

static rill_status gpu_advance(void *self, rl_jobs *jobs, rl_substeps *controller,
                               rl_exchange *exchange)
{
    rl_gpu_swe *g = self;
    (void)jobs;
    step_on_device(g, controller, exchange);
    g->fresh = 0;
    g->list_fresh = g->running_max_stale = false;
    memset(g->row_fresh, 0, (size_t)g->host->ny);
    g->rows_asked = 0;
    g->deposits.under_way = false; // a step waits for all before it
    if (g->error != 0)
        return rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(g->error));
    return RILL_OK;
}

static void synchronise(rl_gpu_swe *g, unsigned fields)
{
    pthread_mutex_lock(&g->mutex);
    rl_gpu_swe_to_host(g, fields);
    pthread_mutex_unlock(&g->mutex);
}

static double gpu_stable_step(const void *self)
{
    rl_gpu_swe *g = (rl_gpu_swe *)self; // a query may synchronise the running maximum
    synchronise(g, 1u << RL_DEVICE_SWE_DEPTH);
    return rl_swe_ops.stable_step(g->host);
}

// One substep of a given length.
static void gpu_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    rl_substeps controller = {.left = dt, .max_substeps = 1};
    gpu_advance(self, jobs, &controller, exchange);
}

// ---- Reading ---------------------------------------------------------------------------

static rill_columns gpu_columns(void *self, rl_jobs *jobs)
{
    rl_gpu_swe *g = self;
    synchronise(g, 1u << RL_DEVICE_SWE_DEPTH | RL_GPU_SWE_FACES);
    return rl_swe_ops.columns(g->host, jobs);
}

static double gpu_volume(const void *self, rl_jobs *jobs)
{
    rl_gpu_swe *g = (rl_gpu_swe *)self; // a query sends what waits
    const rl_swe *s = g->host;
    if (g->host_leads)
        return rl_swe_ops.volume(s, jobs);
    pthread_mutex_lock(&g->mutex);
    rl_gpu_swe_to_device(g);
    rl_gpu_swe_note(g, rl_device_swe_row_sums(g->device, s->row_sums));
    pthread_mutex_unlock(&g->mutex);
    rl_sum sum = {0};
    for (int y = 0; y < s->ny; y++)
        rl_sum_add(&sum, s->row_sums[y]);
    return rl_sum_value(&sum) * s->cell_size * s->cell_size;
}

static int gpu_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_gpu_swe *g = self;
    synchronise(g, RL_GPU_SWE_STATE);
    read_falls(g);
    return rl_swe_ops.state(g->host, arrays);
}

// The caller may lower what waits in the falls.
static rl_motion gpu_motion(void *self)
{
    rl_gpu_swe *g = self;
    synchronise(g, RL_GPU_SWE_FACES | 1u << RL_DEVICE_SWE_BEFORE);
    read_falls(g);
    g->list_lent = true;
    return rl_swe_ops.motion(g->host);
}

// ---- Changing --------------------------------------------------------------------------

// Makes the state host-resident: the host's own code changes it.
static void lead(rl_gpu_swe *g)
{
    synchronise(g, RL_GPU_SWE_STATE);
    read_falls(g);
    g->host_leads = g->list_ahead = true;
}

static rill_field *gpu_bed(void *self)
{
    return rl_swe_ops.bed(((rl_gpu_swe *)self)->host);
}

static void gpu_bed_changed(void *self)
{
    rl_gpu_swe *g = self;
    if (g->host->fall_capacity > 0)
        lead(g); // what waits in falls that are none any more becomes water
    rl_swe_ops.bed_changed(g->host);
    g->bed_stale = g->falls_stale = g->beyond_stale = true;
}

static void gpu_set_border(void *self, rill_side side, rill_border border, float level)
{
    rl_gpu_swe *g = self;
    const rl_swe_side *before = &g->host->side[side];
    if (before->border == border && before->level == level)
        return;
    if (before->border != border)
        lead(g); // faces close or open
    g->layers_stale |= before->border == RILL_BORDER_ABSORB || border == RILL_BORDER_ABSORB;
    g->beyond_stale = true;
    rl_swe_ops.set_border(g->host, side, border, level);
}

static void gpu_mark_face(void *self, int axis, int i, int j, bool closed)
{
    rl_gpu_swe *g = self;
    lead(g);
    rl_swe_ops.mark_face(g->host, axis, i, j, closed);
    g->marks_stale = true;
}

static void gpu_shift(void *self, int di, int dj, const rill_field *bed, float level,
                      rl_exchange *exchange)
{
    rl_gpu_swe *g = self;
    lead(g);
    rl_swe_ops.shift(g->host, di, dj, bed, level, exchange);
    g->bed_stale = g->marks_stale = g->falls_stale = g->beyond_stale = true;
}

static void gpu_state_changed(void *self)
{
    rl_gpu_swe *g = self;
    rl_swe_ops.state_changed(g->host);
    g->host_leads = g->bed_stale = g->marks_stale = g->falls_stale = g->beyond_stale = true;
    g->layers_stale = true;
}

const rl_solver_ops rl_gpu_swe_ops = {
    .name = "swe",
    .memory_needed = gpu_memory_needed,
    .create = gpu_create,
    .destroy = gpu_destroy,
    .memory = gpu_memory,
    .stable_step = gpu_stable_step,
    .step = gpu_step,
    .advance = gpu_advance,
    .deposit = rl_gpu_swe_deposit,
    .rain = rl_gpu_swe_rain,
    .depth_row = rl_gpu_swe_depth_row,
    .columns = gpu_columns,
    .volume = gpu_volume,
    .bed = gpu_bed,
    .bed_changed = gpu_bed_changed,
    .set_border = gpu_set_border,
    .mark_face = gpu_mark_face,
    .motion = gpu_motion,
    .shift = gpu_shift,
    .state = gpu_state,
    .state_changed = gpu_state_changed,
    .device = &rl_gpu_swe_columns,
};
