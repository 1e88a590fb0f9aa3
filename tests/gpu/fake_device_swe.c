// SPDX-License-Identifier: MIT
// fake_device_swe.c - the swe solver "on a device": a second one of the host, behind the functions
// that src/gpu/cuda/swe has for C.
#include "gpu/cuda/mirror/evaporation.h"
#include "gpu/cuda/swe/swe_device.h"
#include "gpu/device_ops.h"
#include "solvers/swe/swe.h"
#include "tests/gpu/fake_device.h"

#include <stdlib.h>
#include <string.h>

struct rl_device_swe {
    rl_swe *solver;
    rl_jobs *jobs;
    int run_capacity, amount_capacity;
    float pushed[2]; // largest speeds that deposits left since the last step, m/s
};

static rill_field *field_of(const rl_device_swe *p, int field)
{
    rl_swe *s = p->solver;
    rl_swe_moving *m = rl_swe_now(s);
    rill_field *const fields[] = {
        &s->bed, &m->depth, &m->remainder, &m->u, &m->v, &m->phi, &s->moving[!s->now].depth};
    return fields[field];
}

int rl_device_swe_create(int nx, int ny, int bands, const rl_swe_rules *rules, rl_device_swe **out)
{
    float *zero = calloc((size_t)nx * (size_t)ny, sizeof *zero);
    rl_device_swe *p = calloc(1, sizeof *p);
    const rill_host host = {0};
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)rules->cell_size;
    def.gravity = (float)rules->gravity;
    def.wet_depth = rules->wet_depth;
    def.swe = rules->def;
    def.particles.max_particles = rules->falls;
    def.bed = def.depth = (rill_field_view){zero, nx, ny, (size_t)nx};
    void *solver = NULL;
    (void)bands;
    *out = p;
    if (zero == NULL || p == NULL || rl_jobs_create(&host, 1, &p->jobs) != RILL_OK ||
        rl_swe_ops.create(&def, RL_ISA_PLAIN, &solver) != RILL_OK)
        abort();
    p->solver = solver;
    free(zero);
    return fake_device_result();
}

void rl_device_swe_destroy(rl_device_swe **swe)
{
    rl_device_swe *p = *swe;
    if (p == NULL)
        return;
    const rill_allocator allocator = {0};
    void *solver = p->solver;
    rl_swe_ops.destroy(&allocator, &solver);
    rl_jobs_destroy(&p->jobs);
    free(p);
    *swe = NULL;
}

// ---- To and fro ------------------------------------------------------------------------

static void copy_rows(float *to, size_t to_pitch, const float *from, size_t from_pitch, int nx,
                      int first, int count)
{
    for (int y = first; y < first + count; y++)
        memcpy(to + (ptrdiff_t)y * (ptrdiff_t)to_pitch - 1,
               from + (ptrdiff_t)y * (ptrdiff_t)from_pitch - 1, ((size_t)nx + 2) * sizeof *to);
}

int rl_device_swe_upload(rl_device_swe *p, int field, const float *origin, size_t pitch, int first,
                         int count)
{
    const rill_field *f = field_of(p, field), *other = &p->solver->moving[!p->solver->now].phi;
    fake_device_seen.uploads++;
    fake_device_seen.uploaded_rows += count;
    copy_rows(f->origin, f->pitch, origin, pitch, f->nx, first, count);
    if (field == RL_DEVICE_SWE_PHI)
        copy_rows(other->origin, other->pitch, origin, pitch, f->nx, first, count);
    return fake_device_result();
}

int rl_device_swe_download(rl_device_swe *p, int field, float *origin, size_t pitch, int first,
                           int count)
{
    const rill_field *f = field_of(p, field);
    fake_device_seen.downloads++;
    fake_device_seen.downloaded_rows += count;
    copy_rows(origin, pitch, f->origin, f->pitch, f->nx, first, count);
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
    const rl_swe *s = p->solver;
    const size_t x = (size_t)s->nx * sizeof(float), y = (size_t)s->ny * sizeof(float);
    p->solver->absorbing.on = layers->on != 0;
    memcpy(s->absorbing.profile_x, layers->profile_x, x);
    memcpy(s->absorbing.level_x, layers->level_x, x);
    memcpy(s->absorbing.profile_y, layers->profile_y, y);
    memcpy(s->absorbing.level_y, layers->level_y, y);
    return fake_device_result();
}

int rl_device_swe_set_marks(rl_device_swe *p, const uint32_t *const marks[2], int words)
{
    rl_swe *s = p->solver;
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
    memcpy(p->solver->falls, falls, (size_t)count * sizeof *falls);
    return fake_device_result();
}

int rl_device_swe_set_falls(rl_device_swe *p, const rl_fall *falls, int count, const int *map)
{
    (void)map;
    p->solver->fall_count = count;
    const int error = rl_device_swe_send_falls(p, falls, count);
    rl_swe_falls_restored(p->solver);
    return error;
}

int rl_device_swe_get_falls(rl_device_swe *p, rl_fall *falls, int count)
{
    memcpy(falls, p->solver->falls, (size_t)count * sizeof *falls);
    return fake_device_result();
}

int rl_device_swe_move_falls(rl_device_swe *p, rl_fall **falls, int *count)
{
    const rl_motion motion = rl_swe_motion(p->solver);
    *falls = motion.falls;
    *count = motion.fall_count;
    return fake_device_result();
}

// ---- Deposits --------------------------------------------------------------------------

int rl_device_swe_reserve(rl_device_swe *p, int runs, int amounts)
{
    p->run_capacity = runs;
    p->amount_capacity = amounts;
    return fake_device_result();
}

int rl_device_swe_give(rl_device_swe *p, const rl_queued_deposit *queued)
{
    return fake_device_give(queued, p->run_capacity, p->amount_capacity, p->solver->nx,
                            rl_swe_deposit, p->solver);
}

int rl_device_swe_settle(rl_device_swe *p)
{
    (void)p;
    fake_device_seen.settles++;
    return fake_device_result();
}

int rl_device_swe_running_max(rl_device_swe *p, float *running_max)
{
    fake_device_seen.running_maxima++;
    memcpy(running_max, p->solver->running_max, (size_t)p->solver->ny * sizeof *running_max);
    return fake_device_result();
}

int rl_device_swe_clear_running_max(rl_device_swe *p)
{
    p->pushed[0] = p->pushed[1] = 0.0f;
    for (int y = 0; y < p->solver->ny; y++)
        p->solver->running_max[y] = -1.0f;
    return fake_device_result();
}

void rl_device_swe_cells(rl_device_swe *p, rl_evaporation_cells *cells)
{
    *cells = (rl_evaporation_cells){.depth = field_of(p, RL_DEVICE_SWE_DEPTH)->origin,
                                    .remainder = field_of(p, RL_DEVICE_SWE_REMAINDER)->origin,
                                    .running_max = p->solver->running_max,
                                    .nx = p->solver->nx,
                                    .ny = p->solver->ny,
                                    .pitch = (int)p->solver->bed.pitch};
}

int rl_device_swe_give_to_cells(rl_device_swe *p, const rl_swe_coef *k,
                                const rl_device_deposits *deposits)
{
    rl_swe *s = p->solver;
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
    rl_swe *s = p->solver;
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
        rl_swe_ops.step(s, p->jobs, advance->controller.substep, &exchange);
        rl_substeps_taken(&advance->controller);
    }
    advance->largest = s->largest;
    advance->in = exchange.in;
    advance->out = exchange.out;
    advance->corrected = exchange.corrected;
    return fake_device_result();
}

int rl_device_swe_row_sums(rl_device_swe *p, double *sums)
{
    rl_swe_ops.volume(p->solver, p->jobs);
    memcpy(sums, p->solver->row_sums, (size_t)p->solver->ny * sizeof *sums);
    return fake_device_result();
}

int rl_device_swe_read(rl_device_swe *p, rl_device_swe_view *view)
{
    const rill_columns columns = rl_swe_ops.columns(p->solver, p->jobs, NULL);
    *view = (rl_device_swe_view){.base = columns.base,
                                 .depth = columns.depth,
                                 .depth_before = p->solver->moving[!p->solver->now].depth.origin,
                                 .velocity_x = columns.velocity_x,
                                 .velocity_y = columns.velocity_y,
                                 .pitch = (int)columns.pitch};
    return fake_device_result();
}
