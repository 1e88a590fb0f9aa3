// SPDX-License-Identifier: MIT
// Device-resident solvers without a device: the code of the host that decides what travels when is
// the real one, and the device is a second solver in the host's memory (fake_device.h). Whatever is
// done to such a solver, in whatever order, must have the same result to the last bit as the same
// done to the solver of the CPU.
#include "core/numbers.h"
#include "core/random_cell.h"
#include "gpu/device_ops.h"
#include "solvers/pipes/pipes.h"
#include "solvers/swe/swe.h"
#include "tests/kit/kit.h"

extern const rl_solver_ops rl_gpu_pipes_ops, rl_gpu_swe_ops; // pipes_gpu.c, swe_gpu.c

#define MOST_CELLS 1024 // in a row

typedef struct pair {
    const rl_solver_ops *ops[2]; // of the CPU, device-resident
    void *solver[2];
    rl_jobs *jobs;
    rill_world_def def;
    rl_blocks blocks; // a set with nothing in it
    uint64_t seed, count;
    rl_exchange moved[2];
} pair;

// ---- Random numbers --------------------------------------------------------------------

static float unit(pair *p)
{
    return rl_random_unit(p->seed, 7, p->count++);
}

static int below(pair *p, int end)
{
    const int n = (int)(unit(p) * (float)end);
    return n < end ? n : end - 1;
}

// ---- Making ----------------------------------------------------------------------------

static void make_blocks(pair *p)
{
    const int nx = p->def.nx, ny = p->def.ny;
    rl_blocks *set = &p->blocks;
    set->first = calloc((size_t)ny, sizeof *set->first);
    set->end = calloc((size_t)ny, sizeof *set->end);
    set->hangs = calloc((size_t)ny, sizeof *set->hangs);
    assert_true(rill_field_create(NULL, nx, ny, 2, &set->floor));
    assert_true(rill_field_create(NULL, nx, ny, 2, &set->lower));
    assert_true(rill_field_create(NULL, nx, ny, 2, &set->upper));
    rill_field_fill(&set->lower, RL_BLOCK_NO_LOWER);
    rill_field_fill(&set->upper, RL_BLOCK_NO_UPPER);
    for (int j = 0; j < ny; j++)
        set->first[j] = nx;
}

static void create(pair *p, const rl_solver_ops *cpu, const rl_solver_ops *gpu, int nx, int ny,
                   uint64_t seed)
{
    *p = (pair){.ops = {cpu, gpu}, .seed = seed};
    const size_t cells = (size_t)nx * (size_t)ny;
    float *bed = calloc(cells, sizeof *bed), *depth = calloc(cells, sizeof *depth);
    for (size_t n = 0; n < cells; n++) {
        bed[n] = 0.3f * unit(p);
        depth[n] = n % 5 == 0 ? 0.0f : 0.5f * unit(p);
    }
    p->def = rill_default_world_def();
    p->def.nx = nx;
    p->def.ny = ny;
    p->def.cell_size = 0.5f;
    p->def.bodies.max_bodies = 1;
    p->def.particles.max_particles = seed % 2 == 0; // then swe has falls
    p->def.swe.cliff = 0.4f;
    p->def.swe.absorb_cells = 4;
    p->def.bed = (rill_field_view){bed, nx, ny, (size_t)nx};
    p->def.depth = (rill_field_view){depth, nx, ny, (size_t)nx};
    const rill_host host = {0};
    assert_int_equal(rl_jobs_create(&host, 1, &p->jobs), RILL_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(p->ops[k]->create(&p->def, RL_ISA_PLAIN, &p->solver[k]), RILL_OK);
    make_blocks(p);
    free(bed);
    free(depth);
}

static void destroy(pair *p)
{
    for (int k = 0; k < 2; k++)
        p->ops[k]->destroy(&p->def.host.allocator, &p->solver[k]);
    rl_jobs_destroy(&p->jobs);
    rill_field_destroy(NULL, &p->blocks.floor);
    rill_field_destroy(NULL, &p->blocks.lower);
    rill_field_destroy(NULL, &p->blocks.upper);
    free(p->blocks.first);
    free(p->blocks.end);
    free(p->blocks.hangs);
}

// ---- Comparing -------------------------------------------------------------------------

static void compare_rows(const char *what, const float *a, const float *b, size_t width, int row)
{
    if (memcmp(a, b, width * sizeof *a) != 0)
        fail_msg("%s of row %d differs", what, row);
}

static void compare_state(pair *p)
{
    rill_state_array arrays[2][RL_MAX_STATE_ARRAYS];
    const int count = p->ops[0]->state(p->solver[0], arrays[0]);
    assert_int_equal(p->ops[1]->state(p->solver[1], arrays[1]), count);
    for (int n = 0; n < count; n++) {
        const rill_state_array *a = &arrays[0][n], *b = &arrays[1][n];
        for (size_t row = 0; row < a->rows; row++)
            compare_rows(a->name, a->data + row * a->pitch, b->data + row * b->pitch, a->width,
                         (int)row);
    }
}

// All of the water, the depths of some rows, or those of all and the velocities of a box.
static void compare_columns(pair *p)
{
    const int nx = p->def.nx, ny = p->def.ny, kind = below(p, 4);
    const rl_box box = {below(p, nx / 2), below(p, ny / 2), nx / 2 + 1, ny / 2 + 1};
    rl_columns_request request = {.row_first = below(p, ny)};
    request.row_end = request.row_first + below(p, ny - request.row_first + 1);
    if (kind == 1) {
        request.row_first = 0;
        request.row_end = ny;
    } else if (kind == 2) {
        request = (rl_columns_request){.row_end = ny, .boxes = &box, .box_count = 1};
    }
    rill_columns seen[2];
    for (int k = 0; k < 2; k++)
        seen[k] = p->ops[k]->columns(p->solver[k], p->jobs, kind == 0 ? NULL : &request);
    const int first = kind == 0 ? 0 : request.row_first, end = kind == 0 ? ny : request.row_end;
    for (int y = first; y < end; y++)
        compare_rows("depth", seen[0].depth + (size_t)y * seen[0].pitch,
                     seen[1].depth + (size_t)y * seen[1].pitch, (size_t)nx, y);
    const rl_box shown = kind == 0 ? (rl_box){0, 0, nx, ny} : kind == 2 ? box : (rl_box){0};
    for (int y = shown.j0; y < shown.j1; y++) {
        const size_t at = (size_t)y * seen[0].pitch + (size_t)shown.i0;
        const size_t width = (size_t)(shown.i1 - shown.i0);
        compare_rows("velocity_x", seen[0].velocity_x + at, seen[1].velocity_x + at, width, y);
        compare_rows("velocity_y", seen[0].velocity_y + at, seen[1].velocity_y + at, width, y);
    }
}

static void compare_volume(pair *p)
{
    const double a = p->ops[0]->volume(p->solver[0], p->jobs);
    assert_true(a == p->ops[1]->volume(p->solver[1], p->jobs));
}

static void compare_stable_step(pair *p)
{
    const double a = p->ops[0]->stable_step(p->solver[0]);
    assert_true(a == p->ops[1]->stable_step(p->solver[1]));
}

// ---- Giving and taking -----------------------------------------------------------------

static void deposit(pair *p, const rl_deposit *d)
{
    const double a = p->ops[0]->deposit(p->solver[0], d);
    assert_true(a == p->ops[1]->deposit(p->solver[1], d));
}

static rl_deposit any_run(pair *p, float *amounts, float least, float most)
{
    const int first = below(p, p->def.nx), count = 1 + below(p, p->def.nx - first);
    for (int i = 0; i < count; i++)
        amounts[i] = least + (most - least) * unit(p);
    return (rl_deposit){
        .row = below(p, p->def.ny), .first = first, .count = count, .depth = amounts};
}

static void give(pair *p)
{
    float amounts[MOST_CELLS];
    const rl_deposit d = any_run(p, amounts, 0.0f, 0.01f);
    deposit(p, &d);
}

static void take(pair *p)
{
    float amounts[MOST_CELLS];
    const rl_deposit d = any_run(p, amounts, -0.2f, 0.1f);
    deposit(p, &d);
}

static void push(pair *p)
{
    float amounts[MOST_CELLS], along[2][MOST_CELLS];
    rl_deposit d = any_run(p, amounts, 0.0f, 0.01f);
    for (int i = 0; i < d.count; i++) {
        along[0][i] = 0.01f * (unit(p) - 0.5f);
        along[1][i] = 0.01f * (unit(p) - 0.5f);
    }
    d.momentum_x = along[0];
    d.momentum_y = below(p, 3) == 0 ? NULL : along[1];
    deposit(p, &d);
}

// Takes from many rows one after another, as drains and bodies do.
static void take_from_many(pair *p)
{
    float amounts[MOST_CELLS];
    const int end = below(p, p->def.ny + 1);
    for (int y = below(p, p->def.ny); y < end; y++) {
        rl_deposit d = any_run(p, amounts, -0.1f, 0.0f);
        d.row = y;
        deposit(p, &d);
    }
}

// What the world does where the device cannot.
static void weather_by_deposits(pair *p, int k, float depth, double *row_volumes)
{
    float amounts[RL_DEPOSIT_RUN];
    for (int i = 0; i < RL_DEPOSIT_RUN; i++)
        amounts[i] = depth;
    for (int y = 0; y < p->def.ny; y++) {
        row_volumes[y] = 0.0;
        for (int first = 0; first < p->def.nx; first += RL_DEPOSIT_RUN) {
            const int left = p->def.nx - first;
            const rl_deposit d = {.row = y,
                                  .first = first,
                                  .count = left < RL_DEPOSIT_RUN ? left : RL_DEPOSIT_RUN,
                                  .depth = amounts};
            row_volumes[y] += p->ops[k]->deposit(p->solver[k], &d);
        }
    }
}

static void weather(pair *p, float depth)
{
    double volumes[2][MOST_CELLS];
    const rl_device_ops *device = p->ops[1]->device;
    weather_by_deposits(p, 0, depth, volumes[0]);
    if (device->rain == NULL || !device->rain(p->solver[1], depth, volumes[1]))
        weather_by_deposits(p, 1, depth, volumes[1]);
    for (int y = 0; y < p->def.ny; y++)
        assert_true(volumes[0][y] == volumes[1][y]);
}

static void rain(pair *p)
{
    weather(p, 0.003f * unit(p));
}

static void evaporate(pair *p)
{
    weather(p, -0.003f * unit(p) - 1e-6f);
}

// ---- Steps and changes -----------------------------------------------------------------

static void step(pair *p)
{
    rl_substeps substeps[2];
    for (int k = 0; k < 2; k++)
        substeps[k] = (rl_substeps){.left = 0.05, .max_substeps = 40};
    while (substeps[0].left > 0.0) {
        rl_substeps_choose(&substeps[0], p->ops[0]->stable_step(p->solver[0]));
        p->ops[0]->step(p->solver[0], p->jobs, substeps[0].substep, &p->moved[0]);
        rl_substeps_taken(&substeps[0]);
    }
    assert_int_equal(p->ops[1]->device->advance(p->solver[1], p->jobs, &substeps[1], &p->moved[1]),
                     RILL_OK);
    assert_int_equal(substeps[0].substeps, substeps[1].substeps);
    assert_true(fabs(p->moved[0].in - p->moved[1].in) <= 1e-12 * (1.0 + fabs(p->moved[0].in)));
    assert_true(fabs(p->moved[0].out - p->moved[1].out) <= 1e-12 * (1.0 + fabs(p->moved[0].out)));
}

static void substep(pair *p)
{
    for (int k = 0; k < 2; k++)
        p->ops[k]->step(p->solver[k], p->jobs, 0.01, &p->moved[k]);
}

static void set_border(pair *p)
{
    static const rill_border kinds[] = {RILL_BORDER_WALL, RILL_BORDER_DRAIN, RILL_BORDER_LEVEL,
                                        RILL_BORDER_ABSORB, RILL_BORDER_INCIDENT};
    const rill_side side = (rill_side)below(p, RILL_SIDE_COUNT);
    const rill_border border = kinds[below(p, 5)];
    const float level = 0.2f + 0.4f * unit(p);
    const rl_incident incident = {0.2f * unit(p), unit(p) - 0.5f, 0.1f * unit(p)};
    for (int k = 0; k < 2 && p->ops[0]->borders & RL_BORDER_BIT(border); k++) {
        p->ops[k]->set_border(p->solver[k], side, border, level);
        if (border == RILL_BORDER_INCIDENT)
            p->ops[k]->incident->set(p->solver[k], side, incident);
    }
}

static void change_bed(pair *p)
{
    const int i = below(p, p->def.nx), j = below(p, p->def.ny);
    const float up = 0.1f * unit(p);
    for (int k = 0; k < 2; k++) {
        rill_field_row(p->ops[k]->bed(p->solver[k]), j)[i] += up;
        p->ops[k]->bed_changed(p->solver[k]);
    }
}

static void change_state(pair *p)
{
    const int cell = below(p, p->def.nx), row = below(p, p->def.ny);
    for (int k = 0; k < 2; k++) {
        rill_state_array arrays[RL_MAX_STATE_ARRAYS];
        p->ops[k]->state(p->solver[k], arrays);
        for (int n = 1; n < 5; n++) // depths, remainders and flow
            arrays[n].data[(size_t)row * arrays[n].pitch + (size_t)cell] *= 0.75f;
        p->ops[k]->state_changed(p->solver[k]);
    }
}

static void block(pair *p)
{
    if (p->ops[0]->blocking == NULL)
        return;
    const bool some = below(p, 2) == 0;
    for (int k = 0; k < 2; k++) {
        const rill_field *bed = p->ops[k]->bed(p->solver[k]);
        for (int j = -1; some && j <= p->def.ny; j++)
            memcpy(rill_field_row(&p->blocks.floor, j) - RILL_MARGIN_X,
                   rill_field_row(bed, j) - RILL_MARGIN_X, bed->pitch * sizeof(float));
        p->ops[k]->blocking->block(p->solver[k], p->jobs, some ? &p->blocks : NULL);
    }
}

static void mark_face(pair *p)
{
    const int axis = below(p, 2), i = below(p, p->def.nx - 1), j = below(p, p->def.ny - 1);
    const bool closed = below(p, 3) > 0;
    for (int k = 0; k < 2 && p->ops[0]->walls != NULL; k++)
        p->ops[k]->walls->mark_face(p->solver[k], axis, i, j, closed);
}

static void shift(pair *p)
{
    if (p->ops[0]->moving_domain == NULL)
        return;
    const int di = below(p, 5) - 2, dj = below(p, 5) - 2, nx = p->def.nx, ny = p->def.ny;
    rill_field bed;
    assert_true(rill_field_create(NULL, nx, ny, 2, &bed));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            rill_field_row(&bed, j)[i] = 0.3f * unit(p);
    for (int k = 0; k < 2; k++)
        p->ops[k]->moving_domain->shift(p->solver[k], di, dj, &bed, 0.25f, &p->moved[k]);
    rill_field_destroy(NULL, &bed);
}

// What particles of the host see after a step; they take from the falls.
static void take_from_falls(pair *p)
{
    if (p->ops[0]->motion == NULL)
        return;
    step(p);
    rl_motion seen[2];
    for (int k = 0; k < 2; k++)
        seen[k] = p->ops[k]->motion->get(p->solver[k]);
    const rill_columns columns = p->ops[0]->columns(p->solver[0], p->jobs, NULL);
    for (int y = 0; y < p->def.ny; y++)
        compare_rows("depth before", seen[0].depth_before + (size_t)y * columns.pitch,
                     seen[1].depth_before + (size_t)y * columns.pitch, (size_t)p->def.nx, y);
    assert_int_equal(seen[0].fall_count, seen[1].fall_count);
    assert_true(seen[0].step == seen[1].step && seen[0].depth_limit == seen[1].depth_limit);
    for (int n = 0; n < seen[0].fall_count; n++) {
        assert_memory_equal(&seen[0].falls[n], &seen[1].falls[n], sizeof seen[0].falls[n]);
        if (n % 3 == 0)
            seen[0].falls[n].volume = seen[1].falls[n].volume = 0.5 * seen[0].falls[n].volume;
    }
}

// The same by particles on the device.
static void take_from_falls_on_device(pair *p)
{
    if (p->ops[1]->device->falls == NULL)
        return;
    rl_fall *falls = NULL;
    int count = 0;
    assert_int_equal(p->ops[1]->device->falls(p->solver[1], &falls, &count), 0);
    const rl_motion motion = p->ops[0]->motion->get(p->solver[0]);
    assert_int_equal(motion.fall_count, count);
    for (int n = 0; n < count; n++) {
        assert_memory_equal(&motion.falls[n], &falls[n], sizeof falls[n]);
        if (n % 2 == 0)
            motion.falls[n].volume = falls[n].volume = 0.5 * falls[n].volume;
    }
}

// Particles on the device see its columns and give to single cells there.
static void deposit_on_device(pair *p)
{
    enum { MOST = 5 };
    const rl_device_ops *device = p->ops[1]->device;
    rl_device_columns columns;
    assert_int_equal(device->columns(p->solver[1], &columns), 0);
    if (columns.view.depth == NULL)
        return; // the host leads
    int cells[MOST], count = 0, cell = 0;
    float depth[MOST], along[2][MOST];
    for (; count < MOST; count++) {
        cell += 1 + below(p, p->def.nx * p->def.ny / MOST - 1);
        cells[count] = cell;
        depth[count] = 0.02f * unit(p) - 0.005f;
        along[0][count] = 0.01f * (unit(p) - 0.5f);
        along[1][count] = 0.01f * (unit(p) - 0.5f);
        const rl_deposit d = {.row = cell / p->def.nx,
                              .first = cell % p->def.nx,
                              .count = 1,
                              .depth = &depth[count],
                              .momentum_x = &along[0][count],
                              .momentum_y = &along[1][count]};
        p->ops[0]->deposit(p->solver[0], &d);
    }
    const rl_device_deposits deposits = {.cells = cells,
                                         .depth = depth,
                                         .momentum_x = along[0],
                                         .momentum_y = along[1],
                                         .count = &count,
                                         .most = MOST};
    assert_int_equal(device->deposit(p->solver[1], &deposits), 0);
    assert_int_equal(device->changed(p->solver[1]), 0);
}

// ---- What must hold --------------------------------------------------------------------

// Operations, each as many times as it is to be likelier than another.
static void (*const operations[])(pair *) = {
    give,
    give,
    give,
    take,
    take,
    push,
    take_from_many,
    rain,
    evaporate,
    step,
    step,
    substep,
    set_border,
    change_bed,
    change_state,
    block,
    compare_state,
    compare_columns,
    compare_columns,
    compare_volume,
    compare_stable_step,
    deposit_on_device,
    mark_face,
    shift,
    take_from_falls,
    take_from_falls_on_device,
};

static void do_anything(const rl_solver_ops *cpu, const rl_solver_ops *gpu)
{
    static const int sizes[][2] = {{37, 23}, {40, 130}, {300, 9}};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        pair p;
        const int *size = sizes[seed % 3];
        create(&p, cpu, gpu, size[0], size[1], seed);
        for (int n = 0; n < 1500; n++) {
            const int which = below(&p, (int)(sizeof operations / sizeof operations[0]));
            operations[which](&p);
        }
        compare_state(&p);
        destroy(&p);
    }
}

TEST(whatever_is_done_to_pipes_gives_the_bits_of_the_cpu)
{
    do_anything(&rl_pipes_ops, &rl_gpu_pipes_ops);
}

TEST(whatever_is_done_to_swe_gives_the_bits_of_the_cpu)
{
    do_anything(&rl_swe_ops, &rl_gpu_swe_ops);
}
