// SPDX-License-Identifier: MIT
// fake_device_swe.c - the swe solver "on a device": a second one of the host, behind the functions
// that src/gpu/cuda/swe has for C.
#include "gpu/cuda/swe/swe_device.h"
#include "gpu/device_ops.h"
#include "solvers/swe/swe.h"
#include "tests/gpu/fake_device.h"

#include <stdlib.h>
#include <string.h>

struct rl_device_swe {
    fake_device_grid grid;
    float pushed[2]; // largest speeds that deposits left since the last step, m/s
};

static rl_swe *solver_of(const rl_device_swe *p)
{
    return p->grid.solver;
}

static rill_field *field_of(const rl_device_swe *p, int field)
{
    rl_swe *s = solver_of(p);
    rl_swe_moving *m = rl_swe_now(s);
    rill_field *const fields[] = {
        &s->bed, &m->depth, &m->remainder, &m->u, &m->v, &m->phi, &s->moving[!s->now].depth};
    return fields[field];
}

static void cells_of(void *device, rl_evaporation_cells *cells)
{
    cells->depth = field_of(device, RL_DEVICE_SWE_DEPTH)->origin;
    cells->remainder = field_of(device, RL_DEVICE_SWE_REMAINDER)->origin;
    cells->pitch = (int)field_of(device, RL_DEVICE_SWE_BED)->pitch;
}

int rl_device_swe_create(int nx, int ny, int bands, const rl_swe_rules *rules, void **out)
{
    rl_device_swe *p = calloc(1, sizeof *p);
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)rules->cell_size;
    def.gravity = (float)rules->gravity;
    def.wet_depth = rules->wet_depth;
    def.swe = rules->def;
    def.particles.max_particles = rules->falls;
    (void)bands;
    *out = p;
    if (p == NULL)
        abort();
    fake_device_grid_make(&p->grid, &rl_swe_ops, &def);
    p->grid.running_max = solver_of(p)->running_max;
    p->grid.row_sums = solver_of(p)->row_sums;
    p->grid.cells = cells_of;
    return fake_device_result();
}

void rl_device_swe_destroy(void **swe)
{
    rl_device_swe *p = *swe;
    if (p == NULL)
        return;
    fake_device_grid_unmake(&p->grid);
    free(p);
    *swe = NULL;
}

// ---- To and fro ------------------------------------------------------------------------

int rl_device_swe_upload(rl_device_swe *p, int field, const float *origin, size_t pitch, int first,
                         int count)
{
    const rill_field *f = field_of(p, field),
                     *other = &solver_of(p)->moving[!solver_of(p)->now].phi;
    fake_device_seen.uploads++;
    fake_device_seen.uploaded_rows += count;
    fake_device_copy_rows(f->origin, f->pitch, origin, pitch, 1, f->nx + 2, first, count);
    if (field == RL_DEVICE_SWE_PHI)
        fake_device_copy_rows(other->origin, other->pitch, origin, pitch, 1, f->nx + 2, first,
                              count);
    return fake_device_result();
}

int rl_device_swe_download(rl_device_swe *p, int field, float *origin, size_t pitch, int first,
                           int count)
{
    const rill_field *f = field_of(p, field);
    fake_device_seen.downloads++;
    fake_device_seen.downloaded_rows += count;
    fake_device_copy_rows(origin, pitch, f->origin, f->pitch, 1, f->nx + 2, first, count);
    return fake_device_result();
}

void rl_device_swe_lend(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

void rl_device_swe_take_back(void *memory)
{
    (void)memory;
}

// ---- What changes rarely ---------------------------------------------------------------

int rl_device_swe_set_layers(rl_device_swe *p, const rl_device_absorb *layers)
{
    const rl_swe *s = solver_of(p);
    const size_t x = (size_t)s->nx * sizeof(float), y = (size_t)s->ny * sizeof(float);
    solver_of(p)->absorbing.on = layers->on != 0;
    memcpy(s->absorbing.profile_x, layers->profile_x, x);
    memcpy(s->absorbing.level_x, layers->level_x, x);
    memcpy(s->absorbing.profile_y, layers->profile_y, y);
    memcpy(s->absorbing.level_y, layers->level_y, y);
    return fake_device_result();
}

// The sides point to the host's memory already, which this device reads as well.
int rl_device_swe_set_along(rl_device_swe *p, const float *along, rl_swe_side side[RILL_SIDE_COUNT])
{
    (void)p;
    (void)along;
    (void)side;
    return fake_device_result();
}

int rl_device_swe_set_marks(rl_device_swe *p, const uint32_t *const marks[2], int words)
{
    rl_swe *s = solver_of(p);
    const size_t bytes = (size_t)s->ny * (size_t)words * sizeof *s->marks[0];
    s->some_marked = marks != NULL;
    for (int axis = 0; axis < 2; axis++)
        if (marks != NULL)
            memcpy(s->marks[axis], marks[axis], bytes);
        else
            memset(s->marks[axis], 0, bytes);
    return fake_device_result();
}

int rl_device_swe_send_falls(rl_device_swe *p, const rl_fall *falls, int count)
{
    memcpy(solver_of(p)->falls, falls, (size_t)count * sizeof *falls);
    return fake_device_result();
}

int rl_device_swe_set_falls(rl_device_swe *p, const rl_fall *falls, int count, const int *map)
{
    (void)map;
    solver_of(p)->fall_count = count;
    const int error = rl_device_swe_send_falls(p, falls, count);
    rl_swe_falls_restored(solver_of(p));
    return error;
}

int rl_device_swe_get_falls(rl_device_swe *p, rl_fall *falls, int count)
{
    memcpy(falls, solver_of(p)->falls, (size_t)count * sizeof *falls);
    return fake_device_result();
}

int rl_device_swe_move_falls(rl_device_swe *p, rl_fall **falls, int *count)
{
    const rl_motion motion = rl_swe_motion(solver_of(p));
    *falls = motion.falls;
    *count = motion.fall_count;
    return fake_device_result();
}

// ---- Deposits --------------------------------------------------------------------------

int rl_device_swe_clear_running_max(rl_device_swe *p)
{
    p->pushed[0] = p->pushed[1] = 0.0f;
    return rl_device_grid_clear_running_max(p);
}

int rl_device_swe_give_to_cells(rl_device_swe *p, const rl_swe_coef *k,
                                const rl_device_deposits *deposits)
{
    rl_swe *s = solver_of(p);
    s->k = *k;
    s->largest.u = p->pushed[0];
    s->largest.v = p->pushed[1];
    fake_device_give_to_cells(deposits, s->nx, rl_swe_deposit, s);
    p->pushed[0] = s->largest.u;
    p->pushed[1] = s->largest.v;
    return fake_device_result();
}

int rl_device_swe_pushed(rl_device_swe *p, float pushed[2])
{
    memcpy(pushed, p->pushed, sizeof p->pushed);
    return fake_device_result();
}

// ---- Steps and reading -----------------------------------------------------------------

int rl_device_swe_step(rl_device_swe *p, const rl_swe_setup *setup, rl_device_swe_advance *advance)
{
    rl_swe *s = solver_of(p);
    rl_exchange exchange = {
        .in = advance->in, .out = advance->out, .corrected = advance->corrected};
    fake_device_seen.steps++;
    memcpy(s->side, setup->side, sizeof s->side);
    s->largest = advance->largest;
    s->largest.u = p->pushed[0] > s->largest.u ? p->pushed[0] : s->largest.u;
    s->largest.v = p->pushed[1] > s->largest.v ? p->pushed[1] : s->largest.v;
    p->pushed[0] = p->pushed[1] = 0.0f;
    while (advance->controller.left > 0.0) {
        rl_substeps_choose(&advance->controller, rl_swe_ops.stable_step(s));
        rl_swe_ops.step(s, p->grid.jobs, advance->controller.substep, &exchange);
        rl_substeps_taken(&advance->controller);
    }
    advance->largest = s->largest;
    advance->in = exchange.in;
    advance->out = exchange.out;
    advance->corrected = exchange.corrected;
    return fake_device_result();
}

int rl_device_swe_columns(void *swe, float wet_depth, rl_device_columns *columns)
{
    const rl_device_swe *p = swe;
    (void)wet_depth;
    columns->view = rl_swe_ops.columns(p->grid.solver, p->grid.jobs, NULL);
    columns->depth_before = field_of(p, RL_DEVICE_SWE_BEFORE)->origin;
    return fake_device_result();
}
