// SPDX-License-Identifier: MIT
// world.c - making, checking and unmaking a world, and looking at it.
#include "world/world.h"

#include "terrain/brush.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define DEF_COOKIE 0x52494c4cu

static const rl_solver_ops *const solvers[RILL_SOLVER_COUNT] = {
    [RILL_SOLVER_PIPES] = &rl_pipes_ops,
    [RILL_SOLVER_LAYERS] = &rl_layers_ops,
};

rill_world_def rill_default_world_def(void)
{
    return (rill_world_def){
        .nx = 256,
        .ny = 256,
        .cell_size = 1.0f,
        .gravity = 9.81f,
        .solver = RILL_SOLVER_PIPES,
        .pipes = {.area = RILL_AREA_WETTED, .smoothing = RILL_SMOOTHING_AUTO},
        .layers = {.max_layers = 8, .passages = RILL_PASSAGES_UNIFIED, .max_movers = 16},
        .max_substeps = 256,
        .seed = 1,
        .worker_count = 1,
        .max_sources = 256,
        .cookie = DEF_COOKIE,
    };
}

// ---- Checks ----------------------------------------------------------------------------

// Written so that a NaN fails.
static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static rill_status check_view(const char *name, const rill_field_view *view,
                              const rill_world_def *def, float low)
{
    if (view->data == NULL)
        return RILL_OK;
    if (view->nx != def->nx || view->ny != def->ny)
        return rl_fail(RILL_BAD_DEF, "%s has %d x %d cells, the world has %d x %d", name, view->nx,
                       view->ny, def->nx, def->ny);
    if (view->pitch < (size_t)view->nx)
        return rl_fail(RILL_BAD_DEF, "%s has a pitch of %zu floats for rows of %d", name,
                       view->pitch, view->nx);
    for (int j = 0; j < view->ny; j++)
        for (int i = 0; i < view->nx; i++) {
            const float value = view->data[(size_t)j * view->pitch + (size_t)i];
            if (!within((double)value, (double)low, 1e6))
                return rl_fail(RILL_BAD_DEF, "%s is %g at cell (%d, %d), it must be from %g to 1e6",
                               name, (double)value, i, j, (double)low);
        }
    return RILL_OK;
}

static rill_status check_numbers(const rill_world_def *def)
{
    const struct {
        const char *name;
        double value, low, high;
    } numbers[] = {
        {"nx", def->nx, 4, RILL_MAX_SIDE},
        {"ny", def->ny, 4, RILL_MAX_SIDE},
        {"nx * ny", (double)def->nx * (double)def->ny, 16, RILL_MAX_CELLS},
        {"cell_size", (double)def->cell_size, 1e-6, 1e6},
        {"gravity", (double)def->gravity, 0.01, 1000},
        {"level", def->use_level ? (double)def->level : 0.0, -1e6, 1e6},
        {"pipes.friction", (double)def->pipes.friction, 0, 0.999999},
        {"pipes.viscosity", (double)def->pipes.viscosity, 0, 1},
        {"pipes.drag", (double)def->pipes.drag, 0, 1},
        {"layers.max_layers", def->layers.max_layers, 1, 64},
        {"layers.max_movers", def->layers.max_movers, 0, 10000},
        {"max_substeps", def->max_substeps, 1, 100000},
        {"max_step", def->max_step, 0, 3600},
        {"worker_count", def->worker_count, 1, 256},
        {"max_sources", def->max_sources, 0, 1000000},
    };
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        if (!within(numbers[n].value, numbers[n].low, numbers[n].high))
            return rl_fail(RILL_BAD_DEF, "%s is %g, it must be from %g to %g", numbers[n].name,
                           numbers[n].value, numbers[n].low, numbers[n].high);
    const float theta = def->pipes.smoothing;
    if (theta != RILL_SMOOTHING_AUTO && !within((double)theta, 0.5, 1))
        return rl_fail(RILL_BAD_DEF, "pipes.smoothing is %g, it must be from 0.5 to 1",
                       (double)theta);
    if (isnan(def->wet_depth))
        return rl_fail(RILL_BAD_DEF, "wet_depth is not a number");
    return RILL_OK;
}

static rill_status check_border(rill_side side, rill_border border, float level)
{
    if ((unsigned)side >= RILL_SIDE_COUNT || (unsigned)border > RILL_BORDER_LEVEL)
        return rl_fail(RILL_BAD_DEF, "border %d of side %d does not exist", (int)border, (int)side);
    if (border == RILL_BORDER_LEVEL && !within((double)level, -1e6, 1e6))
        return rl_fail(RILL_BAD_DEF, "border_level of side %d is %g, it must be from -1e6 to 1e6",
                       (int)side, (double)level);
    return RILL_OK;
}

static rill_status check_layers(const rill_world_def *def)
{
    if ((unsigned)def->layers.passages > RILL_PASSAGES_NONE)
        return rl_fail(RILL_BAD_DEF, "layers.passages %d does not exist",
                       (int)def->layers.passages);
    const rill_solid *solid = def->solid;
    if (solid == NULL)
        return RILL_OK;
    if (def->solver != RILL_SOLVER_LAYERS)
        return rl_fail(RILL_BAD_DEF, "only the layers water can stand on a solid");
    if (def->bed.data != NULL)
        return rl_fail(RILL_BAD_DEF, "the world has two grounds, a solid and a bed");
    if (solid->nx != def->nx || solid->ny != def->ny ||
        fabs(solid->cell_size / (double)def->cell_size - 1.0) > 1e-5)
        return rl_fail(
            RILL_BAD_DEF, "the solid has %d x %d cells of %g m, the world has %d x %d of %g m",
            solid->nx, solid->ny, solid->cell_size, def->nx, def->ny, (double)def->cell_size);
    return RILL_OK;
}

static rill_status check_def(const rill_world_def *def)
{
    if (def->cookie != DEF_COOKIE)
        return rl_fail(RILL_BAD_DEF, "the definition was not made by rill_default_world_def()");
    if ((unsigned)def->solver >= RILL_SOLVER_COUNT)
        return rl_fail(RILL_BAD_DEF, "solver %d does not exist", (int)def->solver);
    if ((unsigned)def->pipes.area > RILL_AREA_PAPER)
        return rl_fail(RILL_BAD_DEF, "pipes.area %d does not exist", (int)def->pipes.area);
    if ((def->host.allocator.allocate == NULL) != (def->host.allocator.release == NULL))
        return rl_fail(RILL_BAD_DEF, "the host's allocator needs both of its functions, or none");
    rill_status status = check_numbers(def);
    if (status == RILL_OK)
        status = check_layers(def);
    for (int side = 0; side < RILL_SIDE_COUNT && status == RILL_OK; side++)
        status = check_border((rill_side)side, def->border[side], def->border_level[side]);
    if (status == RILL_OK)
        status = check_view("bed", &def->bed, def, -1e6f);
    if (status == RILL_OK)
        status = check_view("depth", &def->depth, def, 0.0f);
    return status;
}

rill_status rl_world_check_memory(const rill_world_def *def)
{
    const uint64_t have = rl_memory_of_machine();
    const uint64_t need = solvers[def->solver]->memory_needed(def);
    if (have == 0 || need <= have || def->host.allocator.allocate != NULL)
        return RILL_OK;
    return rl_fail(RILL_NO_MEMORY, "%d x %d cells need %.1f GB of memory, this machine has %.1f GB",
                   def->nx, def->ny, 1e-9 * (double)need, 1e-9 * (double)have);
}

// ---- Making and unmaking ---------------------------------------------------------------

rill_status rill_world_create(const rill_world_def *def, rill_world **out)
{
    if (out == NULL || def == NULL)
        return rl_fail(RILL_BAD_ARGUMENT,
                       "rill_world_create needs a definition and a place for the "
                       "world, one of them is NULL");
    *out = NULL;
    rill_status status = check_def(def);
    if (status == RILL_OK)
        status = rl_world_check_memory(def);
    rl_isa isa = RL_ISA_PLAIN;
    if (status == RILL_OK)
        status = rl_isa_pick(&isa);
    if (status != RILL_OK)
        return status;
    rill_world *w = rl_alloc(&def->host.allocator, sizeof *w);
    if (w == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for a world");
    w->def = *def;
    if (!(w->def.wet_depth > 0.0f))
        w->def.wet_depth = 1e-4f * def->cell_size;
    w->isa = isa;
    w->ops = solvers[def->solver];
    memcpy(w->core.border, def->border, sizeof w->core.border);
    memcpy(w->core.border_level, def->border_level, sizeof w->core.border_level);

    status = rl_jobs_create(&def->host, def->worker_count, &w->jobs);
    if (status == RILL_OK)
        status = rl_world_ground_create(w, def);
    if (status == RILL_OK)
        status = w->ops->create(&w->def, isa, &w->solver);
    w->def.bed.data = w->def.depth.data = NULL;
    if (status == RILL_OK) {
        const rill_allocator *a = &w->def.host.allocator;
        w->sources = rl_alloc(a, (size_t)def->max_sources * sizeof *w->sources);
        w->row_volumes = rl_alloc(a, (size_t)def->ny * sizeof *w->row_volumes);
        w->brush_scratch = rl_alloc(a, rl_brush_scratch_floats(def->nx) * sizeof(float));
        if ((w->sources == NULL && def->max_sources > 0) || w->row_volumes == NULL ||
            w->brush_scratch == NULL)
            status = rl_fail(RILL_NO_MEMORY, "no memory for %d sources", def->max_sources);
    }
    if (status != RILL_OK) {
        rill_world_destroy(&w);
        return status;
    }
    w->core.books.initial = w->ops->volume(w->solver, w->jobs);
    *out = w;
    return RILL_OK;
}

void rill_world_destroy(rill_world **world)
{
    if (world == NULL || *world == NULL)
        return;
    rill_world *w = *world;
    const rill_allocator allocator = w->def.host.allocator;
    rl_world_free_rain(w);
    rl_free(&allocator, w->sources, (size_t)w->def.max_sources * sizeof *w->sources);
    rl_free(&allocator, w->row_volumes, (size_t)w->def.ny * sizeof *w->row_volumes);
    rl_free(&allocator, w->brush_scratch, rl_brush_scratch_floats(w->def.nx) * sizeof(float));
    w->ops->destroy(&allocator, &w->solver);
    rl_world_ground_destroy(w);
    rl_jobs_destroy(&w->jobs);
    rl_free(&allocator, w, sizeof *w);
    *world = NULL;
}

// ---- Looking ---------------------------------------------------------------------------

double rl_world_clock(const rill_world *w)
{
    if (w->def.host.clock != NULL)
        return w->def.host.clock(w->def.host.clock_user);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double rill_world_time(const rill_world *world)
{
    return world != NULL ? world->core.time : 0.0;
}

rill_columns rill_world_columns(rill_world *world)
{
    return world != NULL ? world->ops->columns(world->solver, world->jobs) : (rill_columns){0};
}

static rill_field_view state_view(const rill_world *world, const char *name)
{
    rl_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = world != NULL ? world->ops->state(world->solver, arrays) : 0;
    for (int n = 0; n < count; n++)
        if (strcmp(arrays[n].name, name) == 0)
            return (rill_field_view){arrays[n].data, world->def.nx, world->def.ny, arrays[n].pitch};
    return (rill_field_view){0};
}

rill_field_view rill_world_depth(const rill_world *world)
{
    return state_view(world, "depth");
}

rill_field_view rill_world_bed(const rill_world *world)
{
    return state_view(world, "bed");
}

float rill_world_cell_size(const rill_world *world)
{
    return world != NULL ? world->def.cell_size : 0.0f;
}

float rill_world_gravity(const rill_world *world)
{
    return world != NULL ? world->def.gravity : 0.0f;
}

size_t rill_world_memory(const rill_world *world)
{
    if (world == NULL)
        return 0;
    return sizeof *world + world->ops->memory(world->solver) + rl_world_ground_memory(world) +
           (size_t)world->def.max_sources * sizeof *world->sources +
           (size_t)world->def.ny * sizeof *world->row_volumes +
           rl_brush_scratch_floats(world->def.nx) * sizeof(float) + world->rain.field_bytes +
           (size_t)world->rain.count * sizeof *world->rain.frames;
}

const char *rill_world_isa(const rill_world *world)
{
    return world != NULL ? rl_isa_name(world->isa) : "";
}

// ---- Changing --------------------------------------------------------------------------

rill_status rill_world_set_border(rill_world *world, rill_side side, rill_border border,
                                  float level)
{
    if (world == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "rill_world_set_border needs a world, it is NULL");
    const rill_status status = check_border(side, border, level);
    if (status != RILL_OK)
        return status;
    world->core.border[side] = border;
    world->core.border_level[side] = level;
    world->ops->set_border(world->solver, side, border, level);
    return RILL_OK;
}
