// SPDX-License-Identifier: MIT
// swe_gpu.c - the swe solver with its state on a GPU. What travels when is the mirror's matter
// (gpu/cuda/mirror/mirror.h); here is what the swe solver has of its own: which fields, absorbing
// layers, marks, falls, the step. What happens rarely is done by the host's code, which leads then.
#include "core/assert.h"
#include "gpu/cuda/mirror/mirror.h"
#include "gpu/cuda/swe/swe_device.h"
#include "solvers/swe/swe.h"

#include <string.h>

// Larger fields are not lent to the device: that takes seconds.
#define MOST_LENT ((size_t)1 << 28)

typedef struct gpu_swe {
    rl_mirror mirror;
    bool lent;            // the device knows the memory of the host's fields
    bool bed_stale;       // the device must get the bed,
    bool layers_stale;    // the absorbing layers,
    bool marks_stale;     // the marks,
    bool falls_stale;     // where falls are,
    bool list_ahead;      // and what waits in them
    bool list_fresh;      // the host's list of falls is the device's
    bool list_lent;       // particles of the host may still lower volumes in the host's list
    bool along_stale;     // what lies beyond incident sides, cell by cell
    bool beyond_stale;    // deepest_beyond must be found anew
    float deepest_beyond; // metres
    int *fall_map;        // of rl_device_swe_set_falls
} gpu_swe;

#define DEPTH       (1u << RL_DEVICE_SWE_DEPTH)
#define BEFORE      (1u << RL_DEVICE_SWE_BEFORE)
#define COLUMNS     (DEPTH | 1u << RL_DEVICE_SWE_REMAINDER)
#define FACES       (1u << RL_DEVICE_SWE_U | 1u << RL_DEVICE_SWE_V)
#define WHOLE_STATE (COLUMNS | FACES | 1u << RL_DEVICE_SWE_PHI)

// ---- What travels ----------------------------------------------------------------------

static rill_field *field_of(const gpu_swe *g, int field)
{
    RL_ASSERT(field >= 0 && field <= RL_DEVICE_SWE_BEFORE);
    rl_swe *s = g->mirror.host;
    rl_swe_moving *m = rl_swe_now(s);
    rill_field *const fields[] = {
        &s->bed, &m->depth, &m->remainder, &m->u, &m->v, &m->phi, &s->moving[!s->now].depth};
    return fields[field];
}

static void upload(gpu_swe *g, int field, int first, int count)
{
    const rill_field *f = field_of(g, field);
    rl_mirror_note(&g->mirror, rl_device_swe_upload(g->mirror.device, field, f->origin, f->pitch,
                                                    first, count));
}

static void download(gpu_swe *g, int field, int first, int count)
{
    const rill_field *f = field_of(g, field);
    rl_mirror_note(&g->mirror, rl_device_swe_download(g->mirror.device, field, f->origin, f->pitch,
                                                      first, count));
}

// Where falls are, from the list.
static void send_falls(gpu_swe *g)
{
    const rl_swe *s = g->mirror.host;
    if (s->fall_capacity == 0)
        return;
    memset(g->fall_map, 0, (size_t)s->nx * (size_t)s->ny * sizeof *g->fall_map);
    for (int n = s->fall_count - 1; n >= 0; n--) {
        const rl_fall *f = &s->falls[n];
        RL_ASSERT(f->lower_i >= 0 && f->lower_i < s->nx && f->lower_j >= 0 && f->lower_j < s->ny);
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
    rl_mirror_note(&g->mirror,
                   rl_device_swe_set_falls(g->mirror.device, s->falls, s->fall_count, g->fall_map));
}

static void send_layers(gpu_swe *g)
{
    const rl_swe *s = g->mirror.host;
    const rl_device_absorb layers = {.on = s->absorbing.on,
                                     .width = s->def.absorb_cells,
                                     .profile_x = s->absorbing.profile_x,
                                     .level_x = s->absorbing.level_x,
                                     .profile_y = s->absorbing.profile_y,
                                     .level_y = s->absorbing.level_y};
    rl_mirror_note(&g->mirror, rl_device_swe_set_layers(g->mirror.device, &layers));
}

static void send_marks(gpu_swe *g)
{
    const rl_swe *s = g->mirror.host;
    const uint32_t *const marks[2] = {s->marks[0], s->marks[1]};
    rl_mirror_note(&g->mirror,
                   rl_device_swe_set_marks(g->mirror.device, s->some_marked ? marks : NULL,
                                           (int)s->mark_words));
}

static void upload_changes(void *self, bool state)
{
    gpu_swe *g = self;
    const rl_swe *s = g->mirror.host;
    if (g->bed_stale)
        upload(g, RL_DEVICE_SWE_BED, -2, s->ny + 4);
    if (g->layers_stale)
        send_layers(g);
    if (g->marks_stale)
        send_marks(g);
    if (g->falls_stale)
        send_falls(g);
    else if (g->list_ahead && s->fall_count > 0)
        rl_mirror_note(&g->mirror,
                       rl_device_swe_send_falls(g->mirror.device, s->falls, s->fall_count));
    g->bed_stale = g->layers_stale = g->marks_stale = g->falls_stale = g->list_ahead = false;
    if (!state)
        return;
    for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_BEFORE; field++)
        upload(g, field, -2, s->ny + 4);
    rl_mirror_note(&g->mirror, rl_device_swe_clear_running_max(g->mirror.device));
    g->list_fresh = true;
}

// Without absorbing layers phi is nothing, there and here.
static void download_fields(void *self, unsigned fields)
{
    gpu_swe *g = self;
    const rl_swe *s = g->mirror.host;
    for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_BEFORE; field++)
        if (fields >> field & 1 && (field != RL_DEVICE_SWE_PHI || s->absorbing.on))
            download(g, field, -1, s->ny + 2);
}

static void upload_rows(void *self, int first, int count)
{
    for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_V; field++)
        upload(self, field, first, count);
}

// Row -1 of v comes with row 0.
static void download_rows(void *self, int first, int count)
{
    for (int field = RL_DEVICE_SWE_DEPTH; field <= RL_DEVICE_SWE_V; field++)
        download(self, field, first, count);
    if (first == 0)
        download(self, RL_DEVICE_SWE_V, -1, 1);
}

static void fetch_falls(gpu_swe *g)
{
    rl_swe *s = g->mirror.host;
    RL_ASSERT(s->fall_count <= s->fall_capacity);
    if (!g->list_fresh && !g->mirror.host_leads && s->fall_count > 0)
        rl_mirror_note(&g->mirror,
                       rl_device_swe_get_falls(g->mirror.device, s->falls, s->fall_count));
    g->list_fresh = true;
}

static void fetched(void *self, bool leads)
{
    gpu_swe *g = self;
    fetch_falls(g);
    g->list_ahead |= leads;
}

// The host's largest speeds rise with its running maxima, by what deposits pushed on the device.
static void max_fetched(void *self)
{
    rl_mirror *m = self;
    rl_swe *s = m->host;
    float pushed[2] = {0.0f, 0.0f};
    rl_mirror_note(m, rl_device_swe_pushed(m->device, pushed));
    s->largest.u = pushed[0] > s->largest.u ? pushed[0] : s->largest.u;
    s->largest.v = pushed[1] > s->largest.v ? pushed[1] : s->largest.v;
}

// ---- Making ----------------------------------------------------------------------------

static size_t map_bytes(const rl_swe *s)
{
    return s->fall_capacity > 0 ? (size_t)s->nx * (size_t)s->ny * sizeof(int) : 0;
}

// Makes the memory of the fields that travel the device's to read and write, and no longer.
static void lend(const rl_swe *s, bool lent)
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

static rill_status prepare(void *self)
{
    gpu_swe *g = self;
    const rl_swe *s = g->mirror.host;
    const size_t map = map_bytes(s);
    g->mirror.planes = 1;
    g->mirror.host_max = s->running_max;
    g->mirror.row_sums = s->row_sums;
    g->bed_stale = g->layers_stale = g->falls_stale = g->beyond_stale = true;
    if (map > 0)
        g->fall_map = rill_alloc(&g->mirror.allocator, map);
    return map == 0 || g->fall_map != NULL ? RILL_OK : rl_mirror_no_memory(g->mirror.ops);
}

static int make_device(void *self)
{
    gpu_swe *g = self;
    const rl_swe *s = g->mirror.host;
    const rl_swe_rules rules = rl_swe_rules_of(s);
    const int error = rl_device_swe_create(s->nx, s->ny, s->band_count, &rules, &g->mirror.device);
    if (error != 0)
        return error;
    lend(s, true);
    g->lent = true;
    return 0;
}

static void release(void *self)
{
    gpu_swe *g = self;
    rl_device_swe_destroy(&g->mirror.device);
    if (g->lent)
        lend(g->mirror.host, false);
    if (g->mirror.host != NULL)
        rill_free(&g->mirror.allocator, g->fall_map, map_bytes(g->mirror.host));
}

static size_t memory(const void *self)
{
    return map_bytes(((const rl_mirror *)self)->host);
}

// ---- A step ----------------------------------------------------------------------------

// The deepest water beyond the borders, whatever lies before them.
static float find_deepest_beyond(const rl_swe *s)
{
    float deepest = 0.0f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
        for (int n = 0; n < (column ? s->ny : s->nx); n++) {
            const int x = side == RILL_SIDE_WEST ? 0 : side == RILL_SIDE_EAST ? s->nx - 1 : n;
            const int y = side == RILL_SIDE_SOUTH ? 0 : side == RILL_SIDE_NORTH ? s->ny - 1 : n;
            const float d =
                rl_swe_depth_beyond(&s->side[side], rill_field_row(&s->bed, y)[x], 0.0f, n);
            deepest = d > deepest ? d : deepest;
        }
    }
    return deepest;
}

// Ends what gpu_motion() allowed: the host's list of falls is final.
static void take_list_back(gpu_swe *g)
{
    g->list_ahead |= g->list_lent;
    g->list_lent = false;
}

static void step_on_device(gpu_swe *g, rl_substeps *substeps, rl_exchange *exchange)
{
    rl_swe *s = g->mirror.host;
    take_list_back(g);
    rl_mirror_to_device(&g->mirror);
    if (g->beyond_stale)
        g->deepest_beyond = find_deepest_beyond(s);
    g->beyond_stale = false;
    rl_swe_setup setup = {.rules = rl_swe_rules_of(s), .deepest_beyond = g->deepest_beyond};
    memcpy(setup.side, s->side, sizeof setup.side);
    if (s->has_along) {
        rl_mirror_note(&g->mirror,
                       rl_device_swe_set_along(g->mirror.device, g->along_stale ? s->along : NULL,
                                               setup.side));
        g->along_stale = false;
    }
    rl_device_swe_advance advance = {.controller = *substeps,
                                     .largest = s->largest,
                                     .in = exchange->in,
                                     .out = exchange->out,
                                     .corrected = exchange->corrected};
    advance.largest.depth = rl_mirror_take_max(&g->mirror, s->largest.depth);
    rl_mirror_note(&g->mirror, rl_device_swe_step(g->mirror.device, &setup, &advance));
    if (g->mirror.error != 0)
        return;
    if (advance.controller.substeps > substeps->substeps) {
        s->k = rl_swe_coefficients_of(&setup.rules, advance.controller.substep, 0, 0.0f);
        s->last_step = advance.controller.substep;
    }
    *substeps = advance.controller;
    s->largest = advance.largest;
    exchange->in = advance.in;
    exchange->out = advance.out;
    exchange->corrected = advance.corrected;
}

static rill_status gpu_advance(void *self, rl_jobs *jobs, rl_substeps *substeps,
                               rl_exchange *exchange)
{
    gpu_swe *g = self;
    (void)jobs;
    step_on_device(g, substeps, exchange);
    g->list_fresh = false;
    return rl_mirror_end_step(&g->mirror);
}

// ---- Reading ---------------------------------------------------------------------------

// The caller may lower what waits in the falls.
static rl_motion gpu_motion(void *self)
{
    gpu_swe *g = self;
    rl_mirror_read(&g->mirror, FACES | BEFORE);
    fetch_falls(g);
    g->list_lent = true;
    return rl_swe_ops.motion->get(g->mirror.host);
}

static float gpu_fall_slope(const void *self)
{
    return rl_swe_ops.motion->fall_slope(((const rl_mirror *)self)->host);
}

static int gpu_falls_left_out(const void *self)
{
    return rl_swe_ops.motion->falls_left_out(((const rl_mirror *)self)->host);
}

static int device_columns(void *self, rl_device_columns *columns)
{
    rl_mirror *m = self;
    const rl_swe *s = m->host;
    const int error = rl_mirror_columns(m, s->wet_depth, columns);
    columns->step = s->last_step;
    columns->depth_limit = s->last_step > 0.0 ? s->k.deepest : 0.0f;
    columns->version = s->some_marked;
    return error;
}

static int device_falls(void *self, rl_fall **falls, int *count)
{
    gpu_swe *g = self;
    pthread_mutex_lock(&g->mirror.mutex);
    take_list_back(g);
    rl_mirror_to_device(&g->mirror);
    rl_mirror_note(&g->mirror, rl_device_swe_move_falls(g->mirror.device, falls, count));
    g->list_fresh = false;
    pthread_mutex_unlock(&g->mirror.mutex);
    return g->mirror.error;
}

// ---- Changing --------------------------------------------------------------------------

static int device_deposit(void *self, const rl_device_deposits *deposits)
{
    gpu_swe *g = self;
    const rl_swe *s = g->mirror.host;
    rl_mirror_note(&g->mirror, rl_device_swe_give_to_cells(g->mirror.device, &s->k, deposits));
    return g->mirror.error;
}

static void gpu_bed_changed(void *self)
{
    gpu_swe *g = self;
    rl_swe *s = g->mirror.host;
    if (s->fall_capacity > 0)
        rl_mirror_lead(&g->mirror); // what waits in falls that are none any more becomes water
    rl_swe_ops.bed_changed(s);
    g->bed_stale = g->falls_stale = g->beyond_stale = true;
}

static void gpu_set_border(void *self, rill_side side, rill_border border, float level)
{
    gpu_swe *g = self;
    rl_swe *s = g->mirror.host;
    const rl_swe_side *before = &s->side[side];
    if (before->border == border && before->level == level)
        return;
    if (before->border != border)
        rl_mirror_lead(&g->mirror); // faces close or open
    g->layers_stale |= before->border == RILL_BORDER_ABSORB || border == RILL_BORDER_ABSORB;
    g->beyond_stale = true;
    rl_swe_ops.set_border(s, side, border, level);
}

static void gpu_set_incident(void *self, rill_side side, rl_incident incident)
{
    gpu_swe *g = self;
    rl_swe_ops.incident->set(g->mirror.host, side, incident);
    g->beyond_stale = true;
}

static void gpu_set_profile(void *self, rill_side side, const float *depth, const float *velocity)
{
    gpu_swe *g = self;
    rl_swe_ops.incident->set_profile(g->mirror.host, side, depth, velocity);
    g->along_stale = g->beyond_stale = true;
}

static void gpu_mark_face(void *self, int axis, int i, int j, bool closed)
{
    gpu_swe *g = self;
    RL_ASSERT(axis == 0 || axis == 1);
    rl_mirror_lead(&g->mirror);
    rl_swe_ops.walls->mark_face(g->mirror.host, axis, i, j, closed);
    g->marks_stale = true;
}

static void gpu_shift(void *self, int di, int dj, const rill_field *bed, float level,
                      rl_exchange *exchange)
{
    gpu_swe *g = self;
    rl_mirror_lead(&g->mirror);
    rl_swe_ops.moving_domain->shift(g->mirror.host, di, dj, bed, level, exchange);
    g->bed_stale = g->marks_stale = g->falls_stale = g->beyond_stale = true;
}

static void gpu_enter(void *self, int di, int dj, const rill_field *x, const rill_field *y)
{
    gpu_swe *g = self;
    rl_mirror_lead(&g->mirror);
    rl_swe_ops.moving_domain->enter(g->mirror.host, di, dj, x, y);
}

static void gpu_state_changed(void *self)
{
    gpu_swe *g = self;
    rl_swe_ops.state_changed(g->mirror.host);
    g->mirror.host_leads = g->bed_stale = g->marks_stale = g->falls_stale = g->beyond_stale = true;
    g->layers_stale = true;
}

// ---- Tables ----------------------------------------------------------------------------

// Deposits with momentum read velocities, so these travel with rows. Bodies ask for many rows,
// so runs begin longer than those of other solvers.
static const rl_mirror_ops mirror_ops = {
    .host = &rl_swe_ops,
    .size = sizeof(gpu_swe),
    .state_fields = WHOLE_STATE,
    .sent_fields = WHOLE_STATE | BEFORE,
    .column_fields = COLUMNS,
    .row_fields = COLUMNS | FACES,
    .stable_fields = DEPTH,
    .depth_fields = DEPTH,
    .flow_fields = FACES,
    .run_factor = 4,
    .run_first = 1,
    .copies_wait = true,
    .pushes_rows = true,
    .prepare = prepare,
    .make_device = make_device,
    .release = release,
    .memory = memory,
    .reserve = rl_device_grid_reserve,
    .give = rl_device_grid_give,
    .settle = rl_device_grid_settle,
    .upload = upload_changes,
    .download = download_fields,
    .upload_rows = upload_rows,
    .download_rows = download_rows,
    .fetched = fetched,
    .running_max = rl_device_grid_running_max,
    .max_fetched = max_fetched,
    .row_sums = rl_device_grid_row_sums,
    .evaporation_cells = rl_device_grid_cells,
    .columns = rl_device_swe_columns,
    .advance = gpu_advance,
};

static rill_status gpu_create(const rill_world_def *def, rl_isa isa, void **self)
{
    return rl_mirror_create(&mirror_ops, def, isa, self);
}

static const rl_moving_domain_ops moving_domain = {.shift = gpu_shift, .enter = gpu_enter};
static const rl_motion_ops motion = {
    .get = gpu_motion, .fall_slope = gpu_fall_slope, .falls_left_out = gpu_falls_left_out};
static const rl_walls_ops walls = {.mark_face = gpu_mark_face};
static const rl_incident_ops incident = {.set = gpu_set_incident, .set_profile = gpu_set_profile};

static const rl_device_ops device_ops = {
    .advance = gpu_advance,
    .rain = rl_mirror_rain,
    .columns = device_columns,
    .deposit = device_deposit,
    .changed = rl_mirror_changed,
    .falls = device_falls,
};

extern const rl_solver_ops rl_gpu_swe_ops; // gpu_cuda.c has the list
const rl_solver_ops rl_gpu_swe_ops = {
    .name = "swe",
    .borders = RL_SWE_BORDERS,
    .create = gpu_create,
    .deposit = rl_mirror_deposit,
    .columns = rl_mirror_read_columns,
    .bed_changed = gpu_bed_changed,
    .set_border = gpu_set_border,
    .state_changed = gpu_state_changed,
    RL_MIRROR_SOLVER_OPS,
    .moving_domain = &moving_domain,
    .motion = &motion,
    .walls = &walls,
    .incident = &incident,
    .device = &device_ops,
};
