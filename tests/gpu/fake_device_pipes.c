// SPDX-License-Identifier: MIT
// fake_device_pipes.c - the pipes solver "on a device": a second one of the host, behind the
// functions that src/gpu/cuda/pipes has for C.
#include "gpu/cuda/pipes/pipes_device.h"
#include "gpu/device_ops.h"
#include "solvers/pipes/pipes.h"
#include "tests/gpu/fake_device.h"

#include <stdlib.h>
#include <string.h>

struct rl_device_pipes {
    fake_device_grid grid;
};

static rill_field *field_of(const rl_device_pipes *p, int field)
{
    rl_pipes *s = p->grid.solver;
    rill_field *const fields[RL_DEVICE_FIELDS] = {&s->bed, &s->depth, &s->remainder, &s->qx,
                                                  &s->qy};
    return fields[field];
}

static void cells_of(void *device, rl_evaporation_cells *cells)
{
    cells->depth = field_of(device, RL_DEVICE_DEPTH)->origin;
    cells->remainder = field_of(device, RL_DEVICE_REMAINDER)->origin;
    cells->pitch = (int)field_of(device, RL_DEVICE_BED)->pitch;
}

int rl_device_pipes_create(int nx, int ny, int bands, const rl_pipe_rules *rules, void **out)
{
    rl_device_pipes *p = calloc(1, sizeof *p);
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)rules->cell_size;
    (void)bands;
    *out = p;
    if (p == NULL)
        abort();
    fake_device_grid_make(&p->grid, &rl_pipes_ops, &def);
    rl_pipes *s = p->grid.solver;
    s->rules = *rules;
    p->grid.running_max = s->running_max;
    p->grid.row_sums = s->row_sums;
    p->grid.cells = cells_of;
    return fake_device_result();
}

void rl_device_pipes_destroy(void **pipes)
{
    rl_device_pipes *p = *pipes;
    if (p == NULL)
        return;
    fake_device_grid_unmake(&p->grid);
    free(p);
    *pipes = NULL;
}

int rl_device_pipes_upload(rl_device_pipes *p, int field, const float *origin, size_t pitch,
                           int first, int count)
{
    const rill_field *f = field_of(p, field);
    fake_device_seen.uploads++;
    fake_device_seen.uploaded_rows += count;
    // The real ones copy two ghosts west of a row and one or more east of it.
    fake_device_copy_rows(f->origin, f->pitch, origin, pitch, 2, f->nx + 3, first, count);
    return fake_device_result();
}

int rl_device_pipes_download(rl_device_pipes *p, int field, float *origin, size_t pitch, int first,
                             int count)
{
    const rill_field *f = field_of(p, field);
    fake_device_seen.downloads++;
    fake_device_seen.downloaded_rows += count;
    fake_device_copy_rows(origin, pitch, f->origin, f->pitch, 2, f->nx + 3, first, count);
    return fake_device_result();
}

// Ghosts of a field along the four sides.
static const float *spread_ghosts(const rill_field *f, const float *from)
{
    for (int y = 0; y < f->ny; y++) {
        rill_field_row(f, y)[-1] = from[y];
        rill_field_row(f, y)[f->nx] = from[f->ny + y];
    }
    from += 2 * f->ny;
    memcpy(rill_field_row(f, -1), from, (size_t)f->nx * sizeof *from);
    memcpy(rill_field_row(f, f->ny), from + f->nx, (size_t)f->nx * sizeof *from);
    return from + 2 * f->nx;
}

int rl_device_pipes_set_borders(rl_device_pipes *p, const rl_device_borders *borders)
{
    rl_pipes *s = p->grid.solver;
    fake_device_seen.borders++;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        const bool open = borders->open >> side & 1, drains = borders->drains >> side & 1;
        s->border[side] = drains ? RILL_BORDER_DRAIN : open ? RILL_BORDER_LEVEL : RILL_BORDER_WALL;
    }
    rl_pipes_set_ghosts(s); // closes faces; the ghosts are given
    spread_ghosts(&s->depth, spread_ghosts(&s->bed, borders->ghosts));
    return fake_device_result();
}

int rl_device_pipes_advance(rl_device_pipes *p, rl_device_advance *advance)
{
    rl_pipes *s = p->grid.solver;
    rl_exchange exchange = {0};
    fake_device_seen.steps++;
    s->max_depth = advance->deepest;
    s->halos_stale = true;
    while (advance->controller.left > 0.0) {
        rl_substeps_choose(&advance->controller, rl_pipes_ops.stable_step(s));
        rl_pipes_ops.step(s, p->grid.jobs, advance->controller.substep, &exchange);
        rl_substeps_taken(&advance->controller);
    }
    advance->deepest = s->max_depth;
    advance->in = exchange.in;
    advance->out = exchange.out;
    return fake_device_result();
}

int rl_device_pipes_columns(void *pipes, float wet_depth, rl_device_columns *columns)
{
    (void)wet_depth;
    columns->view.base = field_of(pipes, RL_DEVICE_BED)->origin;
    columns->view.depth = field_of(pipes, RL_DEVICE_DEPTH)->origin;
    columns->view.layers = 1;
    columns->view.pitch = field_of(pipes, RL_DEVICE_BED)->pitch;
    columns->stream = ((rl_device_pipes *)pipes)->grid.solver;
    return fake_device_result();
}

int rl_device_pipes_give_to_cells(rl_device_pipes *p, double cell_size,
                                  const rl_device_deposits *deposits)
{
    (void)cell_size;
    fake_device_give_to_cells(deposits, p->grid.nx, rl_pipes_ops.deposit, p->grid.solver);
    return fake_device_result();
}
