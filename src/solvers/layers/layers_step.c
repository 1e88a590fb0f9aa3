// SPDX-License-Identifier: MIT
// layers_step.c - one step, as passes over tiles of rows. A pass reads only what earlier passes
// wrote, and writes only rows of its own tile, so tiles may run in any order:
//
//     1. flow      raw discharges of faces and cross pipes
//     2. outflow   limiters, by what columns hold
//     3. inflow    limiters, by the free volume of covered columns
//     4. fill      discharges limited by both; depths
//
// Flooded passages (layers_passages.c) have their say before, between and after.
#include "solvers/layers/layers.h"

#include "core/assert.h"

#include <string.h>

// ---- Cross pipes -----------------------------------------------------------------------

static void gather(const rl_layers *s, size_t n, rl_layers_chunk *c, int at)
{
    const uint32_t i = s->cross[n].from, j = s->cross[n].to;
    c->base_i[at] = s->base.origin[i];
    c->depth_i[at] = s->depth.origin[i];
    c->top_i[at] = s->range_max.origin[i];
    c->base_j[at] = s->base.origin[j];
    c->depth_j[at] = s->depth.origin[j];
    c->top_j[at] = s->range_max.origin[j];
    c->q[at] = s->cross_q[n];
}

// Raw discharges of the cross pipes of a row. A pipe without flow between dry columns stays so.
static void flow_cross(rl_layers *s, int y)
{
    RL_ASSERT(s->cross_first[y] <= s->cross_first[y + 1]);
    rl_layers_chunk chunk;
    size_t number[RL_LAYERS_CHUNK];
    int count = 0;
    const int paper = s->rules.def.area == RILL_AREA_PAPER, slowed = rl_pipe_slowed_by(&s->rules);
    const float *depth = s->depth.origin;
    const size_t end = s->cross_first[y + 1];
    s->cross_busy[y] = 0;
    for (size_t n = s->cross_first[y]; n < end; n++) {
        if (depth[s->cross[n].from] == 0.0f && depth[s->cross[n].to] == 0.0f &&
            s->cross_q[n] == 0.0f) {
            s->cross_raw[n] = 0.0f;
        } else {
            gather(s, n, &chunk, count);
            number[count++] = n;
            s->cross_busy[y] = 1;
        }
        if (count < RL_LAYERS_CHUNK && (n + 1 < end || count == 0))
            continue;
        for (int rest = count; rest % 16 != 0; rest++) // whole vectors: let them see a pipe
            gather(s, n, &chunk, rest);
        s->rows->cross[paper][slowed](&chunk, count, s->k);
        for (int c = 0; c < count; c++)
            s->cross_raw[number[c]] = chunk.q[c];
        count = 0;
    }
}

// What the cross pipes add to the sums of the columns of a row. Each column's sum has a fixed
// order: pipes from the row south of it, then those of its own row.
typedef enum sum_kind { LEAVING, ARRIVING, NET } sum_kind;

static float limited_q(const rl_layers *s, size_t n, sum_kind kind)
{
    const uint32_t i = s->cross[n].from, j = s->cross[n].to;
    float q = s->cross_raw[n];
    if (kind != LEAVING)
        q = rl_pipe_limit(q, s->outflow_limiter.origin[i], s->outflow_limiter.origin[j]);
    if (kind == NET)
        q = rl_pipe_limit_inflow(q, s->inflow_limiter.origin[i], s->inflow_limiter.origin[j]);
    return q;
}

// `inward` is the discharge into the column.
static float part_of(float inward, sum_kind kind)
{
    if (kind == LEAVING)
        return rl_layers_leaving_part(inward);
    if (kind == ARRIVING)
        return rl_layers_arriving_part(inward);
    return inward;
}

// Whether cross pipes may bring or take liquid in a row.
static bool is_crossed_by_flow(const rl_layers *s, int y)
{
    return s->cross_busy[y] || (y > 0 && s->cross_busy[y - 1]);
}

static void sum_cross(rl_layers *s, int y, sum_kind kind)
{
    // Pipes that carry nothing left sums of nothing behind in the step before.
    if (!is_crossed_by_flow(s, y))
        return;
    float *extra = s->extra.origin;
    const size_t south = y > 0 ? s->cross_first[y - 1] : 0;
    const size_t own = s->cross_first[y], end = s->cross_first[y + 1];
    for (size_t n = south; n < end; n++) {
        if (n >= own)
            extra[s->cross[n].from] = 0.0f;
        if ((n >= own) != (s->cross[n].north != 0))
            extra[s->cross[n].to] = 0.0f;
    }
    for (size_t n = south; n < end; n++) {
        const bool to_here = (n >= own) != (s->cross[n].north != 0);
        if (n < own && !to_here)
            continue;
        const float q = limited_q(s, n, kind);
        if (n >= own) {
            extra[s->cross[n].from] += part_of(-q, kind);
            if (kind == NET)
                s->cross_q[n] = q;
        }
        if (to_here)
            extra[s->cross[n].to] += part_of(q, kind);
    }
}

// ---- Tiles -----------------------------------------------------------------------------

typedef struct tile_rows {
    int y0, y1;
} tile_rows;

static tile_rows rows_of(const rl_layers *s, int tile)
{
    RL_ASSERT(tile >= 0 && tile < s->tile_count);
    const int y0 = tile * RL_LAYERS_TILE_ROWS, y1 = y0 + RL_LAYERS_TILE_ROWS;
    return (tile_rows){y0, y1 < s->ny ? y1 : s->ny};
}

static float *row_of(const rl_layers *s, const rill_field *field, int plane, int y)
{
    return field->origin != NULL ? rl_layers_row(s, field, plane, y) : NULL;
}

// ---- Rows that need no work ------------------------------------------------------------

static bool is_quiet(const rl_layers *s, int plane, int y)
{
    if (y == s->ny)
        return s->border[RILL_SIDE_NORTH] != RILL_BORDER_LEVEL;
    return y >= 0 && s->quiet[rl_layers_flag_of(s, plane, y)];
}

// Whether nothing can come into a row, or out of it, in this step.
static bool is_idle(const rl_layers *s, int plane, int y)
{
    const size_t flag = rl_layers_flag_of(s, plane, y);
    const bool rests_south = y > 0 ? s->at_rest[flag - 1] : !rl_layers_is_open(s, RILL_SIDE_SOUTH);
    return s->quiet[flag] && s->at_rest[flag] && rests_south &&
           !(s->crossed[flag] && is_crossed_by_flow(s, y));
}

static bool is_nothing(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == 0;
}

// Whether a row without depth becomes quiet. Ghosts with a level beside it may bring liquid at any
// time. A zero with a sign would lose it in the next step: a row that is passed over must be as one
// that is not.
static bool becomes_quiet(const rl_layers *s, const rl_layers_fill_row *row)
{
    if (s->border[RILL_SIDE_WEST] == RILL_BORDER_LEVEL ||
        s->border[RILL_SIDE_EAST] == RILL_BORDER_LEVEL)
        return false;
    bool none = is_nothing(row->qx[row->first - 1]);
    for (int i = row->first; i < row->end; i++)
        none &= is_nothing(row->depth[i]) && is_nothing(row->qx[i]) && is_nothing(row->qy[i]) &&
                is_nothing(row->remainder[i]);
    return none;
}

// ---- 1. Flow ---------------------------------------------------------------------------

static void clip_drains(rl_layers *s, int plane, int y)
{
    rl_clip_drains(s->border, rl_layers_row(s, &s->raw_x, plane, y), s->nx);
    const bool south = y == -1 && s->border[RILL_SIDE_SOUTH] == RILL_BORDER_DRAIN;
    const bool north = y == s->ny - 1 && s->border[RILL_SIDE_NORTH] == RILL_BORDER_DRAIN;
    float *raw_y = rl_layers_row(s, &s->raw_y, plane, y);
    for (int i = 0; i < s->nx && (south || north); i++)
        if (south ? raw_y[i] > 0.0f : raw_y[i] < 0.0f)
            raw_y[i] = 0.0f;
}

// Row -1 has north faces alone: those of the southern border.
static void flow_row(rl_layers *s, int plane, int y)
{
    const rl_layers_span span = *rl_layers_span_of(s, plane, y < 0 ? 0 : y);
    if (span.end == 0)
        return;
    unsigned char *at_rest = &s->at_rest[rl_layers_flag_of(s, plane, y)];
    if (is_quiet(s, plane, y) && is_quiet(s, plane, y + 1)) {
        const size_t bytes = (size_t)(span.end - span.first) * sizeof(float);
        if (!*at_rest) {
            rl_layers_row(s, &s->raw_x, plane, y)[span.first - 1] = 0.0f;
            memset(rl_layers_row(s, &s->raw_x, plane, y) + span.first, 0, bytes);
            memset(rl_layers_row(s, &s->raw_y, plane, y) + span.first, 0, bytes);
        }
        *at_rest = 1;
        return;
    }
    *at_rest = 0;
    // No face lies beyond the borders: smooth with the face itself.
    const int south = y > -1 ? y - 1 : y, north = y < s->ny - 1 ? y + 1 : y;
    const rl_layers_flow_row row = {
        .first = span.first,
        .end = span.end,
        .open_west = rl_layers_is_open(s, RILL_SIDE_WEST),
        .base = rl_layers_row(s, &s->base, plane, y),
        .depth = rl_layers_row(s, &s->depth, plane, y),
        .top = row_of(s, &s->range_max, plane, y),
        .base_north = rl_layers_row(s, &s->base, plane, y + 1),
        .depth_north = rl_layers_row(s, &s->depth, plane, y + 1),
        .top_north = row_of(s, &s->range_max, plane, y + 1),
        .qx = rl_layers_row(s, &s->qx, plane, y),
        .qy = rl_layers_row(s, &s->qy, plane, y),
        .qy_south = rl_layers_row(s, &s->qy, plane, south),
        .qy_north = rl_layers_row(s, &s->qy, plane, north),
        .cosine_x = row_of(s, &s->cosine_x, plane, y),
        .cosine_y = row_of(s, &s->cosine_y, plane, y),
        .raw_x = y < 0 ? NULL : rl_layers_row(s, &s->raw_x, plane, y),
        .raw_y = rl_layers_row(s, &s->raw_y, plane, y),
    };
    const int kind = (s->rules.def.area == RILL_AREA_PAPER ? RL_PIPE_PAPER : 0) +
                     (plane > 0 ? RL_PIPE_CEILINGS : 0) +
                     (s->def.slope_correction ? RL_PIPE_SLOPED : 0);
    s->rows->flow[kind][rl_pipe_slowed_by(&s->rules)][s->rules.theta < 1.0f](&row, s->k);
    clip_drains(s, plane, y);
}

static void flow_tile(void *context, int tile)
{
    rl_layers *s = context;
    const tile_rows t = rows_of(s, tile);
    const int y0 = t.y0 == 0 && rl_layers_is_open(s, RILL_SIDE_SOUTH) ? -1 : t.y0;
    for (int plane = 0; plane < s->planes; plane++)
        for (int y = y0; y < t.y1; y++)
            flow_row(s, plane, y);
    for (int y = t.y0; y < t.y1; y++)
        flow_cross(s, y);
}

// The rows that the passes after the flow work on.
static rl_layers_fill_row fill_row_of(const rl_layers *s, int plane, int y)
{
    const rl_layers_span span = *rl_layers_span_of(s, plane, y);
    return (rl_layers_fill_row){
        .first = span.first,
        .end = span.end,
        .open_west = rl_layers_is_open(s, RILL_SIDE_WEST),
        .raw_x = rl_layers_row(s, &s->raw_x, plane, y),
        .raw_y = rl_layers_row(s, &s->raw_y, plane, y),
        .raw_y_south = rl_layers_row(s, &s->raw_y, plane, y - 1),
        .limiter = rl_layers_row(s, &s->outflow_limiter, plane, y),
        .limiter_south = rl_layers_row(s, &s->outflow_limiter, plane, y - 1),
        .limiter_north = rl_layers_row(s, &s->outflow_limiter, plane, y + 1),
        .inflow = row_of(s, &s->inflow_limiter, plane, y),
        .inflow_south = row_of(s, &s->inflow_limiter, plane, y - 1),
        .inflow_north = row_of(s, &s->inflow_limiter, plane, y + 1),
        .extra = row_of(s, &s->extra, plane, y),
        .base = rl_layers_row(s, &s->base, plane, y),
        .top = row_of(s, &s->range_max, plane, y),
        .flooded = row_of(s, &s->flooded, plane, y),
        .qx = rl_layers_row(s, &s->qx, plane, y),
        .qy = rl_layers_row(s, &s->qy, plane, y),
        .depth = rl_layers_row(s, &s->depth, plane, y),
        .remainder = rl_layers_row(s, &s->remainder, plane, y),
    };
}

// ---- 2. Outflow limiters ---------------------------------------------------------------

static void limit_outflow_row(rl_layers *s, int plane, int y)
{
    if (rl_layers_span_of(s, plane, y)->end == 0)
        return;
    unsigned char *flag = &s->outflow_limited[rl_layers_flag_of(s, plane, y)];
    if (!*flag && is_idle(s, plane, y))
        return;
    rl_layers_fill_row row = fill_row_of(s, plane, y);
    row.reset = *flag;
    const int crossed = s->crossed[rl_layers_flag_of(s, plane, y)];
    *flag = (unsigned char)s->rows->outflow_limiter[plane > 0][crossed](&row, s->k);
}

static void limit_outflow_tile(void *context, int tile)
{
    rl_layers *s = context;
    const tile_rows t = rows_of(s, tile);
    for (int y = t.y0; y < t.y1; y++)
        sum_cross(s, y, LEAVING);
    for (int plane = 0; plane < s->planes; plane++)
        for (int y = t.y0; y < t.y1; y++)
            limit_outflow_row(s, plane, y);
}

// ---- 3. Inflow limiters ----------------------------------------------------------------

// Whether a flag is set in a row or one of its two neighbours.
static bool flagged(const rl_layers *s, const unsigned char *flags, int plane, int y)
{
    const unsigned char *flag = &flags[rl_layers_flag_of(s, plane, y)];
    return flag[-1] | flag[0] | flag[1];
}

static void limit_inflow_row(rl_layers *s, int plane, int y)
{
    if (rl_layers_span_of(s, plane, y)->end == 0)
        return;
    unsigned char *flag = &s->inflow_limited[rl_layers_flag_of(s, plane, y)];
    if (!*flag && is_idle(s, plane, y))
        return;
    rl_layers_fill_row row = fill_row_of(s, plane, y);
    row.reset = *flag;
    const bool limited = flagged(s, s->outflow_limited, plane, y);
    *flag = (unsigned char)s->rows->inflow_limiter[limited](&row, s->k);
}

static void limit_inflow_tile(void *context, int tile)
{
    rl_layers *s = context;
    const tile_rows t = rows_of(s, tile);
    for (int y = t.y0; y < t.y1; y++)
        sum_cross(s, y, ARRIVING);
    for (int plane = 1; plane < s->planes; plane++)
        for (int y = t.y0; y < t.y1; y++)
            limit_inflow_row(s, plane, y);
}

// ---- 4. Filling ------------------------------------------------------------------------

static void fill_row(rl_layers *s, rl_layers_tile *tile, int plane, int y)
{
    const rl_layers_fill_row row = fill_row_of(s, plane, y);
    if (row.end == 0 || is_idle(s, plane, y))
        return;
    const bool limited =
        flagged(s, s->outflow_limited, plane, y) || flagged(s, s->inflow_limited, plane, y);
    const int crossed = s->crossed[rl_layers_flag_of(s, plane, y)];
    // A vector may reach past the last cell: an open ghost must neither change nor count.
    const int nx = s->nx;
    const bool open_east = rl_layers_is_open(s, RILL_SIDE_EAST) && row.end == nx;
    const float ghost = row.depth[nx];
    if (open_east)
        row.depth[nx] = -RL_FAR;
    const float deepest = s->rows->fill[plane > 0][crossed][limited](&row, s->k);
    tile->max_depth = deepest > tile->max_depth ? deepest : tile->max_depth;
    s->quiet[rl_layers_flag_of(s, plane, y)] = deepest == 0.0f && becomes_quiet(s, &row);
    if (open_east) {
        row.depth[nx] = ghost;
        row.remainder[nx] = 0.0f;
        row.qx[nx] = row.qx[nx - 1]; // smoothing sees the same discharge beyond the border
        rl_exchange_book(&tile->moved, -(double)row.qx[nx - 1]);
    }
    if (row.open_west && row.first == 0) {
        row.qx[-2] = row.qx[-1];
        rl_exchange_book(&tile->moved, (double)row.qx[-1]);
    }
}

// The discharges of the southern border, which no row of the tile writes.
static void limit_south(rl_layers *s, int plane)
{
    RL_ASSERT(rl_layers_is_open(s, RILL_SIDE_SOUTH));
    const float *raw = rl_layers_row(s, &s->raw_y, plane, -1);
    float *qy = rl_layers_row(s, &s->qy, plane, -1);
    const rl_layers_fill_row row = fill_row_of(s, plane, 0);
    for (int i = 0; i < s->nx; i++) {
        qy[i] = rl_pipe_limit(raw[i], 1.0f, row.limiter[i]);
        if (plane > 0)
            qy[i] = rl_pipe_limit_inflow(qy[i], 1.0f, row.inflow[i]);
    }
}

static void fill_tile(void *context, int number)
{
    rl_layers *s = context;
    const tile_rows t = rows_of(s, number);
    rl_layers_tile *tile = &s->tiles[number];
    *tile = (rl_layers_tile){0};
    for (int y = t.y0; y < t.y1; y++)
        sum_cross(s, y, NET);
    for (int plane = 0; plane < s->planes; plane++) {
        for (int y = t.y0; y < t.y1; y++)
            fill_row(s, tile, plane, y);
        if (t.y0 == 0 && rl_layers_is_open(s, RILL_SIDE_SOUTH)) {
            limit_south(s, plane);
            rl_exchange_book_row(&tile->moved, rl_layers_row(s, &s->qy, plane, -1), s->nx, 1.0);
        }
        if (t.y1 == s->ny && rl_layers_is_open(s, RILL_SIDE_NORTH))
            rl_exchange_book_row(&tile->moved, rl_layers_row(s, &s->qy, plane, s->ny - 1), s->nx,
                                 -1.0);
    }
}

// ---- The step --------------------------------------------------------------------------

double rl_layers_stable_step(const void *self)
{
    const rl_layers *s = self;
    float deepest = s->max_depth > s->deepest_beyond ? s->max_depth : s->deepest_beyond;
    deepest = rl_running_max_over(s->running_max, s->ny, deepest);
    return rl_pipe_stable_step_of(&s->rules, rl_pipe_driving_height_of(&s->rules, (double)deepest));
}

void rl_layers_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    RL_ASSERT(dt > 0.0);
    rl_layers *s = self;
    const bool passages = s->planes > 1;
    s->k = rl_pipe_coefficients_of(&s->rules, dt, rl_layers_stable_step(s));
    rl_running_max_clear(s->running_max, s->ny);
    if (passages)
        rl_layers_find_passages(s);
    rl_jobs_run(jobs, s->tile_count, flow_tile, s);
    if (passages)
        rl_layers_drive_passages(s);
    rl_jobs_run(jobs, s->tile_count, limit_outflow_tile, s);
    if (s->planes > 1)
        rl_jobs_run(jobs, s->tile_count, limit_inflow_tile, s);
    if (passages)
        rl_layers_balance_passages(s);
    rl_jobs_run(jobs, s->tile_count, fill_tile, s);
    if (passages)
        rl_layers_settle_passages(s);

    // Columns fill by the rounded dt / dx, so the books must use the same number.
    const double volume = (double)s->k.spread * s->cell_size * s->cell_size;
    s->max_depth = 0.0f;
    for (int n = 0; n < s->tile_count; n++) {
        const rl_layers_tile *tile = &s->tiles[n];
        s->max_depth = tile->max_depth > s->max_depth ? tile->max_depth : s->max_depth;
        rl_exchange_add(exchange, &tile->moved, volume);
    }
}
