// SPDX-License-Identifier: MIT
// layers.c - several columns above each other in a cell, joined by virtual pipes (Dagenais): liquid
// over overhangs, in caves and through flooded passages. See layers.h for where things lie,
// layers_step.c for what a step does and pipe_cell.h for the formulas.
#include "solvers/layers/layers.h"

#include "core/assert.h"

#include "rill/support.h"

#include <string.h>

// ---- Memory ----------------------------------------------------------------------------

#define FIELD_COUNT 18

// Lists the fields that such a solver has: the first ten always, the next two with slopes, the
// others on a solid. Returns their number.
static int list_fields(rl_layers *s, bool on_solid, bool sloped, rill_field *list[FIELD_COUNT])
{
    rill_field *const all[FIELD_COUNT] = {
        &s->base,       &s->depth,      &s->remainder, &s->qx,
        &s->qy,         &s->raw_x,      &s->raw_y,     &s->outflow_limiter,
        &s->velocity_x, &s->velocity_y, &s->cosine_x,  &s->cosine_y,
        &s->range_min,  &s->range_max,  &s->flooded,   &s->inflow_limiter,
        &s->extra,      &s->head,
    };
    int count = 0;
    for (int n = 0; n < FIELD_COUNT; n++)
        if (n < 10 || (n < 12 ? sloped : on_solid))
            list[count++] = all[n];
    return count;
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
    rill_field *fields[FIELD_COUNT];
    const int count = list_fields(&s, def->solid != NULL, def->layers.slope_correction, fields);
    const double rows = (double)(tall_rows(planes_of(def), def->ny) + 2 * RL_LAYERS_GHOST_ROWS);
    double bytes = count * rows * (double)rill_field_bytes(def->nx, 1, 0);
    if (def->solid != NULL)
        bytes += 8.0 * (double)(sizeof(rl_layers_cross) + sizeof(float)) * def->nx * def->ny;
    return (uint64_t)bytes;
}

static bool allocate(rl_layers *s)
{
    rl_owned *own = &s->own;
    rill_field *fields[FIELD_COUNT];
    const int count = list_fields(s, s->on_solid, s->def.slope_correction, fields);
    for (int n = 0; n < count; n++)
        rl_owned_field(own, s->nx, (int)tall_rows(s->planes, s->ny), RL_LAYERS_GHOST_ROWS, 9 * n,
                       fields[n]);
    const size_t ny = (size_t)s->ny, rows_of_planes = (size_t)s->planes * (ny + 2);
    unsigned char **const flags[] = {&s->outflow_limited, &s->inflow_limited, &s->crossed,
                                     &s->quiet, &s->at_rest};
    for (size_t n = 0; n < sizeof flags / sizeof flags[0]; n++)
        *flags[n] = rl_owned_take(own, rows_of_planes, 1);
    s->spans = rl_owned_take(own, (size_t)s->planes * ny, sizeof *s->spans);
    s->cross_busy = rl_owned_take(own, ny, 1);
    s->running_max = rl_owned_take(own, ny, sizeof *s->running_max);
    s->row_sums = rl_owned_take(own, ny, sizeof *s->row_sums);
    s->lowest_free =
        rl_owned_take(own, s->on_solid ? (size_t)s->nx * ny : 0, sizeof *s->lowest_free);
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
    const rill_status status =
        s->on_solid ? rl_layers_cut(s, def->solid, (rl_box){0, 0, s->nx, s->ny}) : RILL_OK;
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

// ---- Borders ---------------------------------------------------------------------------
// Beyond the four sides of the grid lie dead slots behind walls, else one ghost column beside every
// column at the border, covered ones too.

static void make_dead(rl_layers *s, int plane, ptrdiff_t slot)
{
    RL_ASSERT(plane >= 0 && plane < s->planes);
    s->base.origin[slot] = plane == 0 ? RL_FAR : 0.0f;
    s->depth.origin[slot] = 0.0f;
    if (s->on_solid) {
        s->range_min.origin[slot] = RL_FAR;
        s->range_max.origin[slot] = -RL_FAR;
    }
}

// `ghost` is the slot beyond `edge`, `inner` the one behind it.
static void set_ghost(rl_layers *s, rill_side side, int plane, ptrdiff_t ghost, size_t edge,
                      size_t inner)
{
    if (!rl_layers_is_open(s, side) || !rl_layers_live(s, edge)) {
        make_dead(s, plane, ghost);
        return;
    }
    float *base = s->base.origin;
    const float here = base[edge];
    float top = RL_SOLID_SKY;
    bool joined = true;
    if (s->on_solid) {
        const float *max = s->range_max.origin;
        top = max[edge];
        joined = rl_layers_joined(here, top, base[inner], max[inner]);
        s->range_min.origin[ghost] = s->range_min.origin[edge];
        s->range_max.origin[ghost] = top;
    }
    // Ground behind a wall is none that falls on.
    const rl_ghost beyond =
        rl_ghost_beyond(s->border[side], s->border_level[side], here, joined ? base[inner] : here);
    base[ghost] = beyond.bed;
    float depth = beyond.depth;
    if (plane > 0 && rl_layers_above(here, depth, top))
        depth = rl_layers_full_depth(here, top);
    s->depth.origin[ghost] = depth;
    s->deepest_beyond = depth > s->deepest_beyond ? depth : s->deepest_beyond;
}

// Nothing flows through a wall, whatever the border was before.
static void close_walls_of_row(rl_layers *s, int plane, int y)
{
    float *qx = rl_layers_row(s, &s->qx, plane, y);
    if (!rl_layers_is_open(s, RILL_SIDE_WEST))
        qx[-2] = qx[-1] = rl_layers_row(s, &s->raw_x, plane, y)[-1] = 0.0f;
    if (!rl_layers_is_open(s, RILL_SIDE_EAST))
        qx[s->nx] = qx[s->nx - 1] = 0.0f;
}

static void set_ghosts_of_plane(rl_layers *s, int plane)
{
    const int nx = s->nx, ny = s->ny;
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    for (int y = 0; y < ny; y++) {
        const size_t west = rl_layers_slot(s, plane, 0, y), east = west + (size_t)nx - 1;
        set_ghost(s, RILL_SIDE_WEST, plane, (ptrdiff_t)west - 1, west, west + 1);
        set_ghost(s, RILL_SIDE_EAST, plane, (ptrdiff_t)east + 1, east, east - 1);
        close_walls_of_row(s, plane, y);
    }
    for (int i = 0; i < nx; i++) {
        const size_t south = rl_layers_slot(s, plane, i, 0);
        const size_t north = rl_layers_slot(s, plane, i, ny - 1);
        const ptrdiff_t beyond_south = (ptrdiff_t)south - pitch;
        set_ghost(s, RILL_SIDE_SOUTH, plane, beyond_south, south, south + (size_t)pitch);
        set_ghost(s, RILL_SIDE_NORTH, plane, (ptrdiff_t)north + pitch, north,
                  north - (size_t)pitch);
        if (!rl_layers_is_open(s, RILL_SIDE_SOUTH))
            s->qy.origin[beyond_south] = s->raw_y.origin[beyond_south] = 0.0f;
        if (!rl_layers_is_open(s, RILL_SIDE_NORTH))
            s->qy.origin[north] = 0.0f;
    }
}

// Every change of the ground or the borders comes through here, so no row is known to be quiet.
void rl_layers_set_ghosts(rl_layers *s)
{
    s->deepest_beyond = 0.0f;
    memset(s->quiet, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    memset(s->at_rest, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    for (int plane = 0; plane < s->planes; plane++)
        set_ghosts_of_plane(s, plane);
}

// ---- Deposits --------------------------------------------------------------------------

void rl_layers_put(rl_layers *s, size_t slot, double amount)
{
    RL_ASSERT(amount >= 0.0 && rl_layers_live(s, slot));
    const float base = s->base.origin[slot];
    const float top = s->on_solid ? s->range_max.origin[slot] : base;
    s->depth.origin[slot] =
        rl_layers_hold(amount, s->on_solid, base, top, &s->remainder.origin[slot]);
}

// Any deposit. A dead slot neither gives nor takes. Returns the sum of what was given, metres.
static double change_run(rl_layers *s, size_t slot, const float *amounts, int count)
{
    double given = 0.0;
    for (int i = 0; i < count; i++, slot++)
        if (rl_layers_live(s, slot))
            given += rl_layers_change(&s->depth.origin[slot], &s->remainder.origin[slot],
                                      amounts[i], s->on_solid, s->base.origin[slot],
                                      rl_layers_top(rl_layers_tops(s), (ptrdiff_t)slot));
    return given;
}

// Half of a column's momentum goes to each of its two faces: a face's limiter of the columns beside
// it is one column's area. Faces that join nothing, as those at walls, take none.
static void push(rl_layers *s, float *q, ptrdiff_t i, ptrdiff_t j, float amount)
{
    if (rl_layers_are_joined(s, i, j))
        *q += amount;
}

static void give_momentum(rl_layers *s, const rl_deposit *deposit)
{
    const float per_face = (float)(0.5 / (s->cell_size * s->cell_size));
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    s->quiet[rl_layers_flag_of(s, deposit->layer, deposit->row - 1)] = 0;
    for (int n = 0; n < deposit->count; n++) {
        const ptrdiff_t here =
            (ptrdiff_t)rl_layers_slot(s, deposit->layer, deposit->first + n, deposit->row);
        if (deposit->momentum_x != NULL) {
            const float amount = deposit->momentum_x[n] * per_face;
            push(s, &s->qx.origin[here - 1], here, here - 1, amount);
            push(s, &s->qx.origin[here], here, here + 1, amount);
        }
        if (deposit->momentum_y != NULL) {
            const float amount = deposit->momentum_y[n] * per_face;
            push(s, &s->qy.origin[here - pitch], here, here - pitch, amount);
            push(s, &s->qy.origin[here], here, here + pitch, amount);
        }
    }
}

static double layers_deposit(void *self, const rl_deposit *deposit)
{
    rl_layers *s = self;
    RL_ASSERT(deposit->first >= 0 && deposit->first + deposit->count <= s->nx);
    RL_ASSERT(deposit->row >= 0 && deposit->row < s->ny);
    const int y = deposit->row, count = deposit->count;
    if (deposit->layer < 0 || deposit->layer >= s->planes)
        return 0.0;
    const size_t slot = rl_layers_slot(s, deposit->layer, deposit->first, y);
    float *depth = s->depth.origin + slot, *remainder = s->remainder.origin + slot;
    double given;
    if (deposit->layer == 0 && !rl_run_some_negative(deposit->depth, count)) {
        given = rl_run_sum(deposit->depth, count);
        rl_run_add(depth, remainder, deposit->depth, count);
    } else {
        given = change_run(s, slot, deposit->depth, count);
    }
    const float deepest = rl_run_largest(depth, count);
    s->running_max[y] = deepest > s->running_max[y] ? deepest : s->running_max[y];
    s->quiet[rl_layers_flag_of(s, deposit->layer, y)] = 0;
    if (deposit->momentum_x != NULL || deposit->momentum_y != NULL)
        give_momentum(s, deposit);
    return given * s->cell_size * s->cell_size;
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
    .deposit = layers_deposit,
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
