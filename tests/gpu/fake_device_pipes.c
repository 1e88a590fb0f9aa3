// SPDX-License-Identifier: MIT
// fake_device_pipes.c - the pipes solver "on a device": a second one of the host, behind the
// functions that src/gpu/cuda/pipes has for C.
#include "gpu/cuda/pipes/pipes_device.h"
#include "gpu/cuda/pipes/pipes_device_columns.h"
#include "gpu/device_ops.h"
#include "solvers/pipes/pipes.h"
#include "tests/gpu/fake_device.h"

#include <stdlib.h>
#include <string.h>

struct rl_device_pipes {
    rl_pipes *solver;
    rl_jobs *jobs;
    int run_capacity, amount_capacity;
};

static rill_field *field_of(const rl_device_pipes *p, int field)
{
    rl_pipes *s = p->solver;
    rill_field *const fields[RL_DEVICE_FIELDS] = {&s->bed, &s->depth, &s->remainder, &s->qx,
                                                  &s->qy};
    return fields[field];
}

int rl_device_pipes_create(int nx, int ny, int bands, const rl_pipe_rules *rules,
                           rl_device_pipes **out)
{
    float *zero = calloc((size_t)nx * (size_t)ny, sizeof *zero);
    rl_device_pipes *p = calloc(1, sizeof *p);
    const rill_host host = {0};
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)rules->cell_size;
    def.bed = def.depth = (rill_field_view){zero, nx, ny, (size_t)nx};
    void *solver = NULL;
    (void)bands;
    *out = p;
    if (zero == NULL || p == NULL || rl_jobs_create(&host, 1, &p->jobs) != RILL_OK ||
        rl_pipes_ops.create(&def, RL_ISA_PLAIN, &solver) != RILL_OK)
        abort();
    p->solver = solver;
    p->solver->rules = *rules;
    free(zero);
    return fake_device_result();
}

void rl_device_pipes_destroy(rl_device_pipes **pipes)
{
    rl_device_pipes *p = *pipes;
    if (p == NULL)
        return;
    const rill_allocator allocator = {0};
    void *solver = p->solver;
    rl_pipes_ops.destroy(&allocator, &solver);
    rl_jobs_destroy(&p->jobs);
    free(p);
    *pipes = NULL;
}

// The real ones copy two ghosts west of a row and one or more east of it.
static void copy_rows(float *to, size_t to_pitch, const float *from, size_t from_pitch, int nx,
                      int first, int count)
{
    for (int y = first; y < first + count; y++)
        memcpy(to + (ptrdiff_t)y * (ptrdiff_t)to_pitch - 2,
               from + (ptrdiff_t)y * (ptrdiff_t)from_pitch - 2, ((size_t)nx + 3) * sizeof *to);
}

int rl_device_pipes_upload(rl_device_pipes *p, int field, const float *origin, size_t pitch,
                           int first, int count)
{
    const rill_field *f = field_of(p, field);
    fake_device_seen.uploads++;
    fake_device_seen.uploaded_rows += count;
    copy_rows(f->origin, f->pitch, origin, pitch, f->nx, first, count);
    return fake_device_result();
}

int rl_device_pipes_download(rl_device_pipes *p, int field, float *origin, size_t pitch, int first,
                             int count)
{
    const rill_field *f = field_of(p, field);
    fake_device_seen.downloads++;
    fake_device_seen.downloaded_rows += count;
    copy_rows(origin, pitch, f->origin, f->pitch, f->nx, first, count);
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
    rl_pipes *s = p->solver;
    fake_device_seen.borders++;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        const bool open = borders->open >> side & 1, drains = borders->drains >> side & 1;
        s->border[side] = drains ? RILL_BORDER_DRAIN : open ? RILL_BORDER_LEVEL : RILL_BORDER_WALL;
    }
    rl_pipes_set_ghosts(s); // closes faces; the ghosts are given
    spread_ghosts(&s->depth, spread_ghosts(&s->bed, borders->ghosts));
    return fake_device_result();
}

int rl_device_pipes_reserve(rl_device_pipes *p, int runs, int amounts)
{
    p->run_capacity = runs;
    p->amount_capacity = amounts;
    return fake_device_result();
}

int rl_device_pipes_give(rl_device_pipes *p, const rl_queued_deposit *queued)
{
    return fake_device_give(queued, p->run_capacity, p->amount_capacity, p->solver->nx,
                            rl_pipes_ops.deposit, p->solver);
}

int rl_device_pipes_settle(rl_device_pipes *p)
{
    (void)p;
    fake_device_seen.settles++;
    return fake_device_result();
}

int rl_device_pipes_running_max(rl_device_pipes *p, float *running_max)
{
    fake_device_seen.running_maxima++;
    memcpy(running_max, p->solver->running_max, (size_t)p->solver->ny * sizeof *running_max);
    return fake_device_result();
}

int rl_device_pipes_clear_running_max(rl_device_pipes *p)
{
    for (int y = 0; y < p->solver->ny; y++)
        p->solver->running_max[y] = -1.0f;
    return fake_device_result();
}

int rl_device_pipes_advance(rl_device_pipes *p, rl_device_advance *advance)
{
    rl_pipes *s = p->solver;
    rl_exchange exchange = {0};
    fake_device_seen.steps++;
    s->max_depth = advance->deepest;
    s->halos_stale = true;
    while (advance->controller.left > 0.0) {
        rl_substeps_choose(&advance->controller, rl_pipes_ops.stable_step(s));
        rl_pipes_ops.step(s, p->jobs, advance->controller.substep, &exchange);
        rl_substeps_taken(&advance->controller);
    }
    advance->deepest = s->max_depth;
    advance->in = exchange.in;
    advance->out = exchange.out;
    return fake_device_result();
}

int rl_device_pipes_row_sums(rl_device_pipes *p, double *sums)
{
    const rl_pipes *s = p->solver;
    rl_pipes_ops.volume(s, p->jobs);
    memcpy(sums, s->row_sums, (size_t)s->ny * sizeof *sums);
    return fake_device_result();
}

void rl_device_pipes_view_of(rl_device_pipes *p, rl_device_pipes_view *view)
{
    *view = (rl_device_pipes_view){.running_max = p->solver->running_max,
                                   .nx = p->solver->nx,
                                   .ny = p->solver->ny,
                                   .pitch = (int)p->solver->bed.pitch,
                                   .stream = p->solver};
    for (int field = 0; field < RL_DEVICE_FIELDS; field++)
        view->fields[field] = field_of(p, field)->origin;
}

int rl_pipes_velocities_make(const rl_device_pipes_view *view, float wet_depth,
                             rl_pipes_velocities *velocities)
{
    (void)view;
    (void)wet_depth;
    (void)velocities;
    return fake_device_result();
}

void rl_pipes_velocities_destroy(rl_pipes_velocities *velocities)
{
    (void)velocities;
}

int rl_pipes_device_deposit(const rl_device_pipes_view *view, double cell_size,
                            const rl_device_deposits *deposits)
{
    (void)cell_size;
    fake_device_give_to_cells(deposits, view->nx, rl_pipes_ops.deposit, view->stream);
    return fake_device_result();
}
