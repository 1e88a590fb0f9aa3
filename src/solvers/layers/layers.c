// SPDX-License-Identifier: MIT
// layers.c - several columns above each other in a cell, joined by virtual pipes (Dagenais): liquid
// over overhangs, in caves and through flooded passages. See layers.h for where things lie,
// layers_step.c for what a step does and pipe_cell.h for the formulas.
#include "solvers/layers/layers.h"

#include "core/assert.h"
#include "solvers/layers/layers_cell.h"
#include "solvers/shared/grid_solver.h"

#include "rill/support.h"

#include <string.h>

// ---- Memory ----------------------------------------------------------------------------

typedef enum needed { ALWAYS, ON_SOLID, SLOPED } needed;

typedef struct owned_field {
    rill_field *field;
    needed when;
} owned_field;

#define FIELD_COUNT 18

static void list_fields(rl_layers *s, owned_field list[FIELD_COUNT])
{
    const owned_field fields[FIELD_COUNT] = {
        {&s->base, ALWAYS},        {&s->depth, ALWAYS},
        {&s->remainder, ALWAYS},   {&s->qx, ALWAYS},
        {&s->qy, ALWAYS},          {&s->raw_x, ALWAYS},
        {&s->raw_y, ALWAYS},       {&s->outflow_limiter, ALWAYS},
        {&s->velocity_x, ALWAYS},  {&s->velocity_y, ALWAYS},
        {&s->range_min, ON_SOLID}, {&s->range_max, ON_SOLID},
        {&s->flooded, ON_SOLID},   {&s->inflow_limiter, ON_SOLID},
        {&s->extra, ON_SOLID},     {&s->cosine_x, SLOPED},
        {&s->cosine_y, SLOPED},    {&s->head, ON_SOLID},
    };
    memcpy(list, fields, sizeof fields);
}

static bool is_needed(needed what, bool on_solid, bool sloped)
{
    return what == ALWAYS || (what == ON_SOLID && on_solid) || (what == SLOPED && sloped);
}

static int planes_of(const rill_world_def *def)
{
    return def->solid != NULL ? def->layers.max_layers + 1 : 1;
}

// Rows of a field between its outermost ghost rows.
static int64_t tall_rows(int planes, int ny)
{
    return (int64_t)planes * (ny + 2 * RL_LAYERS_GHOST_ROWS) - 2 * RL_LAYERS_GHOST_ROWS;
}

static uint64_t layers_memory_needed(const rill_world_def *def)
{
    rl_layers s = {0};
    owned_field fields[FIELD_COUNT];
    list_fields(&s, fields);
    const double row = (double)rill_field_bytes(def->nx, 1, 0);
    double bytes = 0.0;
    for (int n = 0; n < FIELD_COUNT; n++)
        if (is_needed(fields[n].when, def->solid != NULL, def->layers.slope_correction))
            bytes += row * (double)(tall_rows(planes_of(def), def->ny) + 2 * RL_LAYERS_GHOST_ROWS);
    if (def->solid != NULL)
        bytes += 8.0 * (double)(sizeof(rl_layers_cross) + sizeof(float)) * def->nx * def->ny;
    return (uint64_t)bytes;
}

static bool allocate(rl_layers *s)
{
    rl_owned *own = &s->own;
    owned_field fields[FIELD_COUNT];
    list_fields(s, fields);
    const int rows = (int)tall_rows(s->planes, s->ny);
    for (int n = 0; n < FIELD_COUNT; n++)
        if (is_needed(fields[n].when, s->on_solid, s->def.slope_correction))
            rl_owned_field(own, s->nx, rows, RL_LAYERS_GHOST_ROWS, 9 * n, fields[n].field);
    const size_t ny = (size_t)s->ny, rows_of_planes = (size_t)s->planes * (ny + 2);
    unsigned char **const flags[] = {&s->outflow_limited, &s->inflow_limited, &s->crossed,
                                     &s->quiet, &s->at_rest};
    for (size_t n = 0; n < sizeof flags / sizeof flags[0]; n++)
        *flags[n] = rl_owned_take(own, rows_of_planes, 1);
    s->spans = rl_owned_take(own, (size_t)s->planes * ny, sizeof *s->spans);
    s->cross_busy = rl_owned_take(own, ny, 1);
    s->running_max = rl_owned_take(own, ny, sizeof *s->running_max);
    s->row_sums = rl_owned_take(own, ny, sizeof *s->row_sums);
    s->cross_first = rl_owned_take(own, ny + 1, sizeof *s->cross_first);
    s->tiles = rl_owned_take(own, (size_t)s->tile_count, sizeof *s->tiles);
    return !own->failed;
}

// Edits of the ground will add cross pipes: there is memory for half as many more at least.
static bool allocate_cross(rl_layers *s)
{
    if (!s->on_solid)
        return true;
    const size_t need = rl_layers_count_cross(s), ample = 4 * (size_t)s->nx * (size_t)s->ny;
    const size_t capacity = need + need / 2 > ample ? need + need / 2 : ample;
    s->cross = rl_owned_take(&s->own, capacity, sizeof *s->cross);
    s->cross_spare = rl_owned_take(&s->own, capacity, sizeof *s->cross_spare);
    s->cross_q = rl_owned_take(&s->own, capacity, sizeof *s->cross_q);
    s->cross_raw = rl_owned_take(&s->own, capacity, sizeof *s->cross_raw);
    s->cross_capacity = capacity;
    return !s->own.failed;
}

// ---- The start -------------------------------------------------------------------------

// All slots dead but for the cells of plane 0 above a bed.
static void clear_ground(rl_layers *s, const rill_world_def *def)
{
    for (int plane = 0; plane < s->planes; plane++)
        for (int y = -RL_LAYERS_GHOST_ROWS; y < s->ny + RL_LAYERS_GHOST_ROWS; y++) {
            float *base = rl_layers_row(s, &s->base, plane, y) - RILL_MARGIN_X;
            for (size_t n = 0; n < s->base.pitch; n++)
                base[n] = plane == 0 ? RL_FAR : 0.0f;
        }
    if (s->on_solid) {
        rill_field_fill(&s->range_min, RL_FAR);
        rill_field_fill(&s->range_max, -RL_FAR);
        return;
    }
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            rill_field_row(&s->base, j)[i] = rl_first_value(&def->bed, i, j);
}

// Liquid of a cell: `depth` into the open column, and up to `level` in all of them.
static void fill_cell(rl_layers *s, const rill_world_def *def, int i, int j)
{
    RL_ASSERT(i >= 0 && i < s->nx && j >= 0 && j < s->ny);
    for (int plane = 0; plane < s->planes; plane++) {
        const size_t slot = rl_layers_slot(s, plane, i, j);
        if (!rl_layers_live(s, slot))
            continue;
        const float base = s->base.origin[slot], to_level = def->level - base;
        float d = plane == 0 ? rl_first_value(&def->depth, i, j) : 0.0f;
        if (def->use_level && to_level > d)
            d = to_level;
        if (plane > 0 && rl_layers_above(base, d, s->range_max.origin[slot]))
            d = rl_layers_full_depth(base, s->range_max.origin[slot]);
        s->depth.origin[slot] = d;
        s->max_depth = d > s->max_depth ? d : s->max_depth;
    }
}

// What a step expects to find, and what follows from the columns.
static void prepare(rl_layers *s)
{
    rill_field_fill(&s->raw_x, 0.0f);
    rill_field_fill(&s->raw_y, 0.0f);
    rill_field_fill(&s->outflow_limiter, 1.0f);
    if (s->on_solid) {
        rill_field_fill(&s->inflow_limiter, 1.0f);
        rill_field_fill(&s->extra, 0.0f);
    }
    memset(s->outflow_limited, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    memset(s->inflow_limited, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    rl_layers_find_spans(s, 0, s->ny);
    rl_layers_set_ghosts(s);
    if (s->def.slope_correction) {
        rill_field_fill(&s->cosine_x, 1.0f);
        rill_field_fill(&s->cosine_y, 1.0f);
    }
    rl_layers_find_cosines(s, -1, -1, s->nx, s->ny);
}

static void take_def(rl_layers *s, const rill_world_def *def, rl_isa isa)
{
    s->nx = def->nx;
    s->ny = def->ny;
    s->on_solid = def->solid != NULL;
    s->planes = planes_of(def);
    s->plane_rows = (size_t)def->ny + 2 * RL_LAYERS_GHOST_ROWS;
    s->cell_size = (double)def->cell_size;
    s->wet_depth = def->wet_depth;
    s->rules = rl_pipe_rules_of(def);
    s->def = def->layers;
    memcpy(s->border, def->border, sizeof s->border);
    memcpy(s->border_level, def->border_level, sizeof s->border_level);
    s->rows = RL_ROWS_OF(isa, rl_layers_rows);
    s->tile_count = (def->ny + RL_LAYERS_TILE_ROWS - 1) / RL_LAYERS_TILE_ROWS;
}

static rill_status fail_memory(const rl_layers *s)
{
    return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d cells of the layers solver", s->nx,
                     s->ny);
}

static rill_status set_up(rl_layers *s, const rill_world_def *def)
{
    RL_ASSERT(RL_SOLID_SKY == RL_FAR);
    const size_t row = rill_field_bytes(s->nx, 1, 0) / sizeof(float);
    if ((uint64_t)row * s->plane_rows * (uint64_t)s->planes > UINT32_MAX)
        return rill_fail(RILL_BAD_DEF, "%d x %d cells of up to %d layers are too many", s->nx,
                         s->ny, s->planes - 1);
    if (!allocate(s))
        return fail_memory(s);
    clear_ground(s, def);
    const rill_status status = s->on_solid ? rl_layers_cut(s, def->solid) : RILL_OK;
    if (status != RILL_OK)
        return status;
    rl_running_max_clear(s->running_max, s->ny);
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            fill_cell(s, def, i, j);
    if (!allocate_cross(s))
        return fail_memory(s);
    prepare(s);
    rl_layers_list_cross(s);
    return s->planes > 1 ? rl_layers_passages_create(s) : RILL_OK;
}

static rill_status layers_create(const rill_world_def *def, rl_isa isa, void **self)
{
    rl_layers *s = rl_owned_create(&def->host.allocator, sizeof *s);
    *self = s;
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the layers solver");
    take_def(s, def, isa);
    const rill_status status = set_up(s, def);
    if (status != RILL_OK)
        rl_owned_destroy(&def->host.allocator, self);
    return status;
}

// ---- Changes from outside --------------------------------------------------------------

static rill_field *layers_bed(void *self)
{
    rl_layers *s = self;
    return s->on_solid ? NULL : &s->base;
}

static void layers_bed_changed(void *self)
{
    rl_layers *s = self;
    rl_layers_set_ghosts(s);
    rl_layers_find_cosines(s, -1, -1, s->nx, s->ny);
}

static void layers_set_border(void *self, rill_side side, rill_border border, float level)
{
    RL_ASSERT(RL_LAYERS_BORDERS & RL_BORDER_BIT(border));
    rl_layers *s = self;
    s->border[side] = border;
    s->border_level[side] = level;
    layers_bed_changed(s);
}

void rl_layers_fetched(rl_layers *s)
{
    const size_t flags = (size_t)s->planes * ((size_t)s->ny + 2);
    memset(s->quiet, 0, flags);
    memset(s->at_rest, 0, flags);
    if (s->planes > 1)
        rl_layers_passages_changed(s);
}

static void layers_state_changed(void *self)
{
    rl_layers *s = self;
    for (int plane = 0; plane < s->planes; plane++)
        for (int y = 0; y < s->ny; y++) {
            float *qx = rl_layers_row(s, &s->qx, plane, y);
            qx[-2] = qx[-1];
            qx[s->nx] = qx[s->nx - 1];
        }
    prepare(s);
    rill_field_fill(&s->velocity_x, 0.0f);
    rill_field_fill(&s->velocity_y, 0.0f);
    rl_layers_list_cross(s);
    if (s->planes > 1)
        rl_layers_passages_changed(s);
}

static const rl_solids_ops solids = {.recut = rl_layers_recut, .layer_at = rl_layers_layer_at};

const rl_solver_ops rl_layers_ops = {
    .name = "layers",
    .borders = RL_LAYERS_BORDERS,
    .memory_needed = layers_memory_needed,
    .create = layers_create,
    .destroy = rl_owned_destroy,
    .memory = rl_owned_memory,
    .stable_step = rl_layers_stable_step,
    .step = rl_layers_step,
    .deposit = rl_layers_deposit,
    .columns = rl_layers_columns,
    .volume = rl_layers_volume,
    .bed = layers_bed,
    .bed_changed = layers_bed_changed,
    .set_border = layers_set_border,
    .state = rl_layers_state,
    .state_changed = layers_state_changed,
    .validate = rl_layers_validate,
    .solids = &solids,
};
