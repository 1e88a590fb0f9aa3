// SPDX-License-Identifier: MIT
// layers_gpu.c - the layers solver with its state on a GPU. What travels when is the mirror's
// matter (gpu/cuda/mirror/mirror.h); here is what the layers solver has of its own: which fields,
// the tables of the ground, flooded passages, the step. Ground is cut anew on the host, which leads
// then. Columns with a ceiling take no more than fits: deposits to them are the host's.
#include "core/assert.h"
#include "gpu/cuda/layers/layers_tables.h"
#include "gpu/cuda/mirror/mirror.h"

#include "rill/support.h"

typedef struct gpu_layers {
    rl_mirror mirror;
    rl_ground_tables tables;
    uint32_t *flooded; // a bit a column, of rl_device_layers_read_flooded
    bool ground_stale; // the device must get ground and borders
} gpu_layers;

// Fields of the mirror.
#define DEPTH       1u
#define REMAINDER   2u
#define FLOW        4u // through straight and through cross pipes
#define FLOODED     8u // heads, and which columns are flooded
#define WHOLE_STATE 15u

// ---- What travels ----------------------------------------------------------------------

static rill_field *field_of(const gpu_layers *g, int field)
{
    RL_ASSERT(field >= 0 && field <= RL_COLUMN_COSINE_Y);
    rl_layers *s = g->mirror.host;
    rill_field *const fields[] = {&s->base,      &s->range_max, &s->range_min, &s->depth,
                                  &s->remainder, &s->qx,        &s->qy,        &s->head,
                                  &s->cosine_x,  &s->cosine_y};
    return fields[field];
}

// Rows of all planes, ghosts included.
static int all_rows(const gpu_layers *g)
{
    const rl_layers *s = g->mirror.host;
    return (int)s->plane_rows * s->planes;
}

// Fields that the world has none of do not travel.
static void copy_part(gpu_layers *g, int field, int first, int count, bool up)
{
    float *const origin = field_of(g, field)->origin;
    if (origin != NULL)
        rl_mirror_note(&g->mirror, (up ? rl_device_layers_upload : rl_device_layers_download)(
                                       g->mirror.device, field, origin, first, count));
}

static void upload(gpu_layers *g, int field)
{
    copy_part(g, field, -RL_LAYERS_GHOST_ROWS, all_rows(g), true);
}

static void download(gpu_layers *g, int field)
{
    copy_part(g, field, -RL_LAYERS_GHOST_ROWS, all_rows(g), false);
}

static void send_ground(gpu_layers *g)
{
    rl_ground_tables_make(g->mirror.host, &g->tables);
    rl_mirror_note(&g->mirror, rl_device_layers_set_tables(g->mirror.device, &g->tables.t));
    upload(g, RL_COLUMN_BASE);
    upload(g, RL_COLUMN_TOP);
    upload(g, RL_COLUMN_BOTTOM);
    upload(g, RL_COLUMN_COSINE_X);
    upload(g, RL_COLUMN_COSINE_Y);
    g->ground_stale = false;
}

static void send_state(gpu_layers *g)
{
    const rl_layers *s = g->mirror.host;
    RL_ASSERT(!g->ground_stale);
    for (int field = RL_COLUMN_DEPTH; field <= RL_COLUMN_HEAD; field++)
        upload(g, field);
    rl_ground_tables_pack(s, &g->tables, g->flooded);
    rl_mirror_note(&g->mirror,
                   rl_device_layers_send_rest(g->mirror.device, s->cross_q, g->flooded));
    rl_mirror_note(&g->mirror, rl_device_layers_clear_running_max(g->mirror.device));
}

static void upload_changes(void *self, bool state)
{
    gpu_layers *g = self;
    if (g->ground_stale)
        send_ground(g);
    if (state)
        send_state(g);
}

static void download_fields(void *self, unsigned fields)
{
    gpu_layers *g = self;
    rl_layers *s = g->mirror.host;
    if (fields & DEPTH)
        download(g, RL_COLUMN_DEPTH);
    if (fields & REMAINDER)
        download(g, RL_COLUMN_REMAINDER);
    if (fields & FLOW) {
        download(g, RL_COLUMN_QX);
        download(g, RL_COLUMN_QY);
        rl_mirror_note(&g->mirror, rl_device_layers_read_cross(g->mirror.device, s->cross_q));
    }
    if (fields & FLOODED && s->on_solid) {
        download(g, RL_COLUMN_HEAD);
        rl_mirror_note(&g->mirror, rl_device_layers_read_flooded(g->mirror.device, g->flooded));
        rl_ground_tables_unpack(s, &g->tables, g->flooded);
    }
}

// A row of the mirror, counted with the ghost rows between planes.
static int field_row(const gpu_layers *g, int row)
{
    const rl_layers *s = g->mirror.host;
    RL_ASSERT(row >= 0 && row < s->planes * s->ny);
    return row / s->ny * (int)s->plane_rows + row % s->ny;
}

static void copy_rows(gpu_layers *g, int first, int count, bool up)
{
    copy_part(g, RL_COLUMN_DEPTH, field_row(g, first), count, up);
    copy_part(g, RL_COLUMN_REMAINDER, field_row(g, first), count, up);
}

static void upload_rows(void *self, int first, int count)
{
    copy_rows(self, first, count, true);
}

static void download_rows(void *self, int first, int count)
{
    copy_rows(self, first, count, false);
}

static void fetched(void *self, bool leads)
{
    if (leads)
        rl_layers_fetched(((rl_mirror *)self)->host);
}

// ---- Making ----------------------------------------------------------------------------

static rill_status prepare(void *self)
{
    gpu_layers *g = self;
    rl_mirror *m = &g->mirror;
    const rl_layers *s = m->host;
    m->planes = s->planes;
    m->host_max = s->running_max;
    g->ground_stale = true;
    if (s->base.pitch * s->plane_rows * (size_t)s->planes > INT32_MAX / 2)
        return rill_fail(RILL_BAD_DEF, "%d x %d cells of up to %d layers are too many for the GPU",
                         m->nx, m->ny, s->planes - 1);
    rl_ground_tables_create(s, &m->own, &g->tables);
    g->flooded = rl_owned_take(&m->own, g->tables.word_capacity, sizeof *g->flooded);
    return m->own.failed ? rl_mirror_no_memory(m->ops) : RILL_OK;
}

static int make_device(void *self)
{
    gpu_layers *g = self;
    const rl_layers *s = g->mirror.host;
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
    return rl_device_layers_create(&def, &g->mirror.device);
}

static void release(void *self)
{
    rl_device_layers_destroy(&((rl_mirror *)self)->device);
}

// ---- A step ----------------------------------------------------------------------------

static void step_on_device(gpu_layers *g, rl_substeps *substeps, rl_exchange *exchange)
{
    rl_layers *s = g->mirror.host;
    rl_mirror_to_device(&g->mirror);
    rl_layers_advance advance = {.controller = *substeps,
                                 .deepest = rl_mirror_take_max(&g->mirror, s->max_depth),
                                 .in = exchange->in,
                                 .out = exchange->out};
    rl_mirror_note(&g->mirror, rl_device_layers_advance(g->mirror.device, &advance));
    if (g->mirror.error != 0)
        return;
    *substeps = advance.controller;
    s->max_depth = advance.deepest;
    exchange->in = advance.in;
    exchange->out = advance.out;
}

static rill_status gpu_advance(void *self, rl_jobs *jobs, rl_substeps *substeps,
                               rl_exchange *exchange)
{
    (void)jobs;
    step_on_device(self, substeps, exchange);
    return rl_mirror_end_step(self);
}

// ---- Reading ---------------------------------------------------------------------------

static rill_columns gpu_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    rl_mirror *m = self;
    if (request == NULL || request->box_count > 0)
        rl_mirror_read(m, DEPTH | FLOW);
    else if (request->row_first < request->row_end)
        rl_mirror_read(m, DEPTH);
    return rl_layers_columns(m->host, jobs, request);
}

static int gpu_layer_at(const void *self, int i, int j, float z)
{
    return rl_layers_layer_at(((const rl_mirror *)self)->host, i, j, z);
}

static int device_columns(void *self, rl_device_columns *columns)
{
    rl_mirror *m = self;
    return rl_mirror_columns(m, ((const rl_layers *)m->host)->wet_depth, columns);
}

// ---- Changing --------------------------------------------------------------------------

static double gpu_deposit(void *self, const rl_deposit *deposit)
{
    const rl_mirror *m = self;
    return deposit->layer < 0 || deposit->layer >= m->planes ? 0.0
                                                             : rl_mirror_deposit(self, deposit);
}

static int device_deposit(void *self, const rl_device_deposits *deposits)
{
    rl_mirror *m = self;
    rl_mirror_note(m, rl_device_layers_give_to_columns(m->device, m->cell_size, deposits));
    return m->error;
}

// The host's own code is going to change ground or borders. Returns its solver.
static rl_layers *change_ground(gpu_layers *g)
{
    rl_mirror_lead(&g->mirror);
    g->ground_stale = true;
    return g->mirror.host;
}

static void gpu_bed_changed(void *self)
{
    rl_layers_ops.bed_changed(change_ground(self));
}

static void gpu_set_border(void *self, rill_side side, rill_border border, float level)
{
    rl_layers_ops.set_border(change_ground(self), side, border, level);
}

static rill_status gpu_recut(void *self, const rl_solid *solid, int i0, int j0, int i1, int j1,
                             double *lost)
{
    return rl_layers_recut(change_ground(self), solid, i0, j0, i1, j1, lost);
}

static void gpu_state_changed(void *self)
{
    gpu_layers *g = self;
    rl_layers_ops.state_changed(g->mirror.host);
    g->mirror.host_leads = g->ground_stale = true;
}

// ---- Tables ----------------------------------------------------------------------------

static const rl_mirror_ops mirror_ops = {
    .host = &rl_layers_ops,
    .size = sizeof(gpu_layers),
    .state_fields = WHOLE_STATE,
    .sent_fields = WHOLE_STATE,
    .column_fields = DEPTH | REMAINDER,
    .row_fields = DEPTH | REMAINDER,
    .run_factor = 1,
    .prepare = prepare,
    .make_device = make_device,
    .release = release,
    .reserve = rl_device_layers_reserve,
    .give = rl_device_layers_give,
    .settle = rl_device_grid_settle,
    .upload = upload_changes,
    .download = download_fields,
    .upload_rows = upload_rows,
    .download_rows = download_rows,
    .fetched = fetched,
    .running_max = rl_device_layers_running_max,
    .columns = rl_device_layers_columns,
    .advance = gpu_advance,
};

static rill_status gpu_create(const rill_world_def *def, rl_isa isa, void **self)
{
    return rl_mirror_create(&mirror_ops, def, isa, self);
}

static const rl_solids_ops solids = {.recut = gpu_recut, .layer_at = gpu_layer_at};

static const rl_device_ops device_ops = {
    .advance = gpu_advance,
    .columns = device_columns,
    .deposit = device_deposit,
    .changed = rl_mirror_changed,
};

extern const rl_solver_ops rl_gpu_layers_ops; // gpu_cuda.c has the list
const rl_solver_ops rl_gpu_layers_ops = {
    .name = "layers",
    .borders = RL_LAYERS_BORDERS,
    .create = gpu_create,
    .deposit = gpu_deposit,
    .columns = gpu_columns,
    .bed_changed = gpu_bed_changed,
    .set_border = gpu_set_border,
    .state_changed = gpu_state_changed,
    RL_MIRROR_SOLVER_OPS,
    .solids = &solids,
    .device = &device_ops,
};
