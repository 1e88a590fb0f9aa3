// SPDX-License-Identifier: MIT
// pipes_gpu.c - the pipes solver with its state on a GPU. What travels when is the mirror's matter
// (gpu/cuda/mirror/mirror.h); here is what the pipes solver has of its own: which fields, borders,
// the step, and bodies that block the water, which devices cannot do: the host leads while they do.
#include "core/assert.h"
#include "gpu/cuda/mirror/mirror.h"
#include "gpu/cuda/pipes/pipes_device.h"
#include "solvers/pipes/pipes.h"

#include <string.h>

typedef struct gpu_pipes {
    rl_mirror mirror;
    bool bed_stale;     // the device must get the bed,
    bool borders_stale; // and what lies beyond the borders
    float *ghosts;      // of rl_device_borders, pinned
} gpu_pipes;

#define DEPTH       (1u << RL_DEVICE_DEPTH)
#define FLOW        (1u << RL_DEVICE_QX | 1u << RL_DEVICE_QY)
#define COLUMNS     (DEPTH | 1u << RL_DEVICE_REMAINDER)
#define WHOLE_STATE (COLUMNS | FLOW)

// ---- What travels ----------------------------------------------------------------------

static rill_field *field_of(const gpu_pipes *g, int field)
{
    RL_ASSERT(field >= 0 && field < RL_DEVICE_FIELDS);
    rl_pipes *s = g->mirror.host;
    rill_field *const fields[RL_DEVICE_FIELDS] = {&s->bed, &s->depth, &s->remainder, &s->qx,
                                                  &s->qy};
    return fields[field];
}

static void upload(gpu_pipes *g, int field, int first, int count)
{
    const rill_field *f = field_of(g, field);
    rl_mirror_note(&g->mirror, rl_device_pipes_upload(g->mirror.device, field, f->origin, f->pitch,
                                                      first, count));
}

static void download(gpu_pipes *g, int field, int first, int count)
{
    const rill_field *f = field_of(g, field);
    rl_mirror_note(&g->mirror, rl_device_pipes_download(g->mirror.device, field, f->origin,
                                                        f->pitch, first, count));
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

static void send_borders(gpu_pipes *g)
{
    const rl_pipes *s = g->mirror.host;
    rl_device_borders borders = {.ghosts = g->ghosts};
    const float *depths = collect_ghosts(&s->bed, g->ghosts);
    const float *end = collect_ghosts(&s->depth, g->ghosts + (depths - g->ghosts));
    RL_ASSERT(end - g->ghosts == 4 * (ptrdiff_t)(s->nx + s->ny));
    // Only a given level has water beyond the border.
    for (const float *d = depths; d < end; d++)
        borders.border_deepest = *d > borders.border_deepest ? *d : borders.border_deepest;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        borders.open |= (s->border[side] != RILL_BORDER_WALL) << side;
        borders.drains |= (s->border[side] == RILL_BORDER_DRAIN) << side;
    }
    rl_mirror_note(&g->mirror, rl_device_pipes_set_borders(g->mirror.device, &borders));
}

// Borders come last: they set the ghosts of what was uploaded before.
static void upload_changes(void *self, bool state)
{
    gpu_pipes *g = self;
    const int ny = g->mirror.ny;
    if (g->bed_stale)
        upload(g, RL_DEVICE_BED, -2, ny + 4);
    if (state) {
        for (int field = RL_DEVICE_DEPTH; field < RL_DEVICE_FIELDS; field++)
            upload(g, field, -2, ny + 4);
        rl_mirror_note(&g->mirror, rl_device_grid_clear_running_max(g->mirror.device));
    }
    if (g->bed_stale || state || g->borders_stale)
        send_borders(g);
    g->bed_stale = g->borders_stale = false;
}

static void download_fields(void *self, unsigned fields)
{
    gpu_pipes *g = self;
    rl_pipes *s = g->mirror.host;
    for (int field = RL_DEVICE_DEPTH; field < RL_DEVICE_FIELDS; field++)
        if (fields >> field & 1)
            download(g, field, -1, s->ny + 2);
    s->halos_stale = true;
}

static void upload_rows(void *self, int first, int count)
{
    upload(self, RL_DEVICE_DEPTH, first, count);
    upload(self, RL_DEVICE_REMAINDER, first, count);
}

static void download_rows(void *self, int first, int count)
{
    download(self, RL_DEVICE_DEPTH, first, count);
    download(self, RL_DEVICE_REMAINDER, first, count);
}

// ---- Making ----------------------------------------------------------------------------

static rill_status prepare(void *self)
{
    gpu_pipes *g = self;
    const rl_pipes *s = g->mirror.host;
    g->mirror.planes = 1;
    g->mirror.host_max = s->running_max;
    g->mirror.row_sums = s->row_sums;
    g->bed_stale = true;
    return RILL_OK;
}

static int make_device(void *self)
{
    gpu_pipes *g = self;
    const rl_pipes *s = g->mirror.host;
    const int error =
        rl_device_pipes_create(s->nx, s->ny, s->band_count, &s->rules, &g->mirror.device);
    const size_t ghosts = 4 * ((size_t)s->nx + (size_t)s->ny);
    return error != 0 ? error : rl_device_pin(ghosts * sizeof *g->ghosts, (void **)&g->ghosts);
}

static void release(void *self)
{
    gpu_pipes *g = self;
    rl_device_pipes_destroy(&g->mirror.device);
    rl_device_unpin(g->ghosts);
}

// ---- A step ----------------------------------------------------------------------------

static void step_on_host(gpu_pipes *g, rl_jobs *jobs, rl_substeps *substeps, rl_exchange *exchange)
{
    rl_mirror_lead(&g->mirror);
    while (substeps->left > 0.0) {
        rl_substeps_choose(substeps, rl_pipes_ops.stable_step(g->mirror.host));
        rl_pipes_ops.step(g->mirror.host, jobs, substeps->substep, exchange);
        rl_substeps_taken(substeps);
    }
}

static void step_on_device(gpu_pipes *g, rl_substeps *substeps, rl_exchange *exchange)
{
    rl_pipes *s = g->mirror.host;
    RL_ASSERT(s->blocks == NULL); // devices cannot block
    rl_mirror_to_device(&g->mirror);
    rl_device_advance advance = {.controller = *substeps,
                                 .deepest = rl_mirror_take_max(&g->mirror, s->max_depth)};
    rl_mirror_note(&g->mirror, rl_device_pipes_advance(g->mirror.device, &advance));
    if (g->mirror.error != 0)
        return;
    *substeps = advance.controller;
    s->max_depth = advance.deepest;
    exchange->in += advance.in;
    exchange->out += advance.out;
}

static rill_status gpu_advance(void *self, rl_jobs *jobs, rl_substeps *substeps,
                               rl_exchange *exchange)
{
    gpu_pipes *g = self;
    if (((const rl_pipes *)g->mirror.host)->blocks != NULL)
        step_on_host(g, jobs, substeps, exchange);
    else
        step_on_device(g, substeps, exchange);
    return rl_mirror_end_step(&g->mirror);
}

// ---- Reading ---------------------------------------------------------------------------

static int device_columns(void *self, rl_device_columns *columns)
{
    rl_mirror *m = self;
    const rl_pipes *s = m->host;
    *columns = (rl_device_columns){0};
    return s->blocks != NULL ? 0 : rl_mirror_columns(m, s->wet_depth, columns); // the host may lead
}

// ---- Changing --------------------------------------------------------------------------

static int device_deposit(void *self, const rl_device_deposits *deposits)
{
    rl_mirror *m = self;
    rl_mirror_note(m, rl_device_pipes_give_to_cells(m->device, m->cell_size, deposits));
    return m->error;
}

static void gpu_bed_changed(void *self)
{
    gpu_pipes *g = self;
    rl_pipes_ops.bed_changed(g->mirror.host);
    g->bed_stale = true;
}

static void gpu_set_border(void *self, rill_side side, rill_border border, float level)
{
    gpu_pipes *g = self;
    rl_pipes_ops.set_border(g->mirror.host, side, border, level);
    g->borders_stale = true;
}

static void gpu_state_changed(void *self)
{
    gpu_pipes *g = self;
    rl_pipes_ops.state_changed(g->mirror.host);
    g->mirror.host_leads = g->bed_stale = true;
}

static void gpu_block(void *self, rl_jobs *jobs, const rl_blocks *now)
{
    rl_mirror *m = self;
    if (now == NULL && ((const rl_pipes *)m->host)->blocks == NULL)
        return;
    rl_mirror_lead(m);
    rl_pipes_ops.blocking->block(m->host, jobs, now);
}

static bool gpu_give_way(void *self, const rl_blocks_part *now, double *displaced)
{
    return rl_pipes_ops.blocking->give_way(((rl_mirror *)self)->host, now, displaced);
}

// ---- Tables ----------------------------------------------------------------------------

static const rl_mirror_ops mirror_ops = {
    .host = &rl_pipes_ops,
    .size = sizeof(gpu_pipes),
    .state_fields = WHOLE_STATE,
    .sent_fields = WHOLE_STATE,
    .column_fields = COLUMNS,
    .row_fields = COLUMNS,
    .depth_fields = DEPTH,
    .flow_fields = FLOW,
    .run_factor = 1,
    .prepare = prepare,
    .make_device = make_device,
    .release = release,
    .reserve = rl_device_grid_reserve,
    .give = rl_device_grid_give,
    .settle = rl_device_grid_settle,
    .upload = upload_changes,
    .download = download_fields,
    .upload_rows = upload_rows,
    .download_rows = download_rows,
    .running_max = rl_device_grid_running_max,
    .row_sums = rl_device_grid_row_sums,
    .evaporation_cells = rl_device_grid_cells,
    .columns = rl_device_pipes_columns,
    .advance = gpu_advance,
};

static rill_status gpu_create(const rill_world_def *def, rl_isa isa, void **self)
{
    return rl_mirror_create(&mirror_ops, def, isa, self);
}

static const rl_blocking_ops blocking = {.block = gpu_block, .give_way = gpu_give_way};

static const rl_device_ops device_ops = {
    .advance = gpu_advance,
    .rain = rl_mirror_rain,
    .columns = device_columns,
    .deposit = device_deposit,
    .changed = rl_mirror_changed,
};

extern const rl_solver_ops rl_gpu_pipes_ops; // gpu_cuda.c has the list
const rl_solver_ops rl_gpu_pipes_ops = {
    .name = "pipes",
    .borders = RL_PIPES_BORDERS,
    .create = gpu_create,
    .deposit = rl_mirror_deposit,
    .columns = rl_mirror_read_columns,
    .bed_changed = gpu_bed_changed,
    .set_border = gpu_set_border,
    .state_changed = gpu_state_changed,
    RL_MIRROR_SOLVER_OPS,
    .blocking = &blocking,
    .device = &device_ops,
};
