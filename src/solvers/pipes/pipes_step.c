// SPDX-License-Identifier: MIT
// pipes_step.c - one step as one sweep over memory, band by band, row by row, in place:
//
//     row y     flow:   b, d of rows y and y+1, old qx, qy  ->  new qx, qy; outflow limiters of y
//     row y-1   fill:   limiters of y-1 and y               ->  limited qx, qy; d of y-1
//
// The rows in between stay in the cache, so b, d, qx, qy are read once and d, qx, qy written once.
#include "solvers/pipes/pipes.h"

#include "core/assert.h"

#include <string.h>

#define ROWS_AHEAD 3
#define NO_ROW     (-3)

// ---- Bands -----------------------------------------------------------------------------

// A row of floats has space for the bits of its cells and the numbers of its lines.
static rl_pipes_hung take_hung(rl_pipes *s)
{
    rl_band_rows *rows = &s->rows_of_bands;
    rl_pipes_hung hung = {.line_count = 0};
    hung.lower = rl_band_rows_take_filled(rows, RL_BLOCK_NO_LOWER);
    hung.upper = rl_band_rows_take_filled(rows, RL_BLOCK_NO_UPPER);
    hung.cells = (uint64_t *)(void *)rl_band_rows_take(rows);
    hung.lines = (int *)(void *)(hung.cells + rl_pipes_words(s));
    return hung;
}

void rl_pipes_lay_bands(rl_pipes *s)
{
    rl_band_rows *rows = &s->rows_of_bands;
    s->ones = rl_band_rows_take_filled(rows, 1.0f);
    s->no_lower = rl_band_rows_take_filled(rows, RL_BLOCK_NO_LOWER);
    s->no_upper = rl_band_rows_take_filled(rows, RL_BLOCK_NO_UPPER);
    for (int n = 0; n < s->band_count; n++) {
        rl_pipes_band *band = &s->bands[n];
        band->y0 = rl_band_first(s->ny, s->band_count, n);
        band->y1 = rl_band_first(s->ny, s->band_count, n + 1);
        for (int set = 0; set < 2; set++) {
            rl_pipes_halo *halo = &band->halo[set];
            for (int r = 0; r < 2; r++) {
                halo->depth_south[r] = rl_band_rows_take(rows);
                halo->depth_north[r] = rl_band_rows_take(rows);
                halo->qy_north[r] = rl_band_rows_take(rows);
            }
            for (int r = 0; r < 3; r++)
                halo->qy_south[r] = rl_band_rows_take(rows);
            halo->qx_south = rl_band_rows_take(rows);
            halo->qx_north = rl_band_rows_take(rows);
        }
        rl_pipes_scratch *scratch = &band->scratch;
        for (int r = 0; r < 2; r++) {
            scratch->limiter[r] = rl_band_rows_take_filled(rows, 1.0f);
            scratch->qy[r] = rl_band_rows_take(rows);
            scratch->under_x[r] = rl_band_rows_take(rows);
            scratch->under_y[r] = rl_band_rows_take(rows);
            scratch->inflow[r].below = rl_band_rows_take(rows);
            scratch->inflow[r].above = rl_band_rows_take(rows);
        }
        for (int r = 0; r < 2; r++)
            scratch->places[r].at = (int *)(void *)rl_band_rows_take(rows);
        for (int r = 0; r < 3; r++)
            scratch->hung[r] = take_hung(s);
        scratch->lines = (int *)(void *)rl_band_rows_take(rows);
        scratch->kept = rl_band_rows_take(rows);
        scratch->qx = rl_band_rows_take(rows);
        scratch->qy_below = rl_band_rows_take(rows);
        scratch->qy_below_south = rl_band_rows_take(rows);
    }
}

// ---- Halos -----------------------------------------------------------------------------

// Whole rows, margins included: a ghost cell is part of what a neighbour sees.
static void copy_row(const rl_pipes *s, float *to, const float *from)
{
    memcpy(to - RILL_MARGIN_X, from - RILL_MARGIN_X, s->bed.pitch * sizeof(float));
}

// Leaves the first rows of band n in halo set `set` of the band south of it.
static void publish_south(rl_pipes *s, int n, int set)
{
    RL_ASSERT(n > 0 && n < s->band_count);
    const int y0 = s->bands[n].y0;
    rl_pipes_halo *halo = &s->bands[n - 1].halo[set];
    for (int r = 0; r < 2; r++) {
        copy_row(s, halo->depth_north[r], rill_field_row(&s->depth, y0 + r));
        copy_row(s, halo->qy_north[r], rill_field_row(&s->qy, y0 + r));
    }
    copy_row(s, halo->qx_north, rill_field_row(&s->qx, y0));
}

// And its last rows in that of the band north of it.
static void publish_north(rl_pipes *s, int n, int set)
{
    RL_ASSERT(n >= 0 && n + 1 < s->band_count);
    const int y1 = s->bands[n].y1;
    rl_pipes_halo *halo = &s->bands[n + 1].halo[set];
    for (int r = 0; r < 2; r++)
        copy_row(s, halo->depth_south[r], rill_field_row(&s->depth, y1 - 2 + r));
    for (int r = 0; r < 3; r++)
        copy_row(s, halo->qy_south[r], rill_field_row(&s->qy, y1 - 3 + r));
    copy_row(s, halo->qx_south, rill_field_row(&s->qx, y1 - 1));
}

static void publish_all(void *context, int n)
{
    rl_pipes *s = context;
    if (n > 0) {
        publish_north(s, n - 1, s->parity);
        publish_south(s, n, s->parity);
    }
}

// What the next sweep reads in the place of row y; NULL where it reads the row itself alone.
typedef struct copies {
    float *depth, *qx, *qy;
} copies;

static copies copies_of(const rl_pipes *s, int y)
{
    // The last band that begins at most three rows north of it: no other end is that near.
    int n = (int)(((int64_t)(y + 4) * s->band_count - 1) / s->ny);
    n = n < s->band_count ? n : s->band_count - 1;
    const int r = y - s->bands[n].y0;
    if (n == 0 || r > 1)
        return (copies){0};
    const rl_pipes_halo *south = &s->bands[n].halo[s->parity];
    const rl_pipes_halo *north = &s->bands[n - 1].halo[s->parity];
    if (r >= 0)
        return (copies){north->depth_north[r], r == 0 ? north->qx_north : NULL, north->qy_north[r]};
    return (copies){r >= -2 ? south->depth_south[r + 2] : NULL, r == -1 ? south->qx_south : NULL,
                    south->qy_south[r + 3]};
}

static void copy_cells(float *to, const float *from, int first, int count)
{
    if (to != NULL)
        memcpy(to + first, from + first, (size_t)count * sizeof(float));
}

void rl_pipes_depth_changed(rl_pipes *s, int y, int first, int count)
{
    RL_ASSERT(y >= 0 && y < s->ny && first >= 0 && first + count <= s->nx);
    copy_cells(copies_of(s, y).depth, rill_field_row(&s->depth, y), first, count);
}

void rl_pipes_flow_changed(rl_pipes *s, int y, int first, int count)
{
    RL_ASSERT(y >= 0 && y < s->ny && first >= 0 && first + count <= s->nx);
    copy_cells(copies_of(s, y).qx, rill_field_row(&s->qx, y), first - 1, count + 1);
    copy_cells(copies_of(s, y).qy, rill_field_row(&s->qy, y), first, count);
    if (y > 0)
        copy_cells(copies_of(s, y - 1).qy, rill_field_row(&s->qy, y - 1), first, count);
}

static bool is_copy(const rl_pipes *s, const float *copy, const rill_field *field, int y)
{
    return copy == NULL ||
           memcmp(copy, rill_field_row(field, y), (size_t)s->nx * sizeof(float)) == 0;
}

bool rl_pipes_halos_are_right(const rl_pipes *s)
{
    for (int y = 0; y < s->ny && !s->halos_stale; y++) {
        const copies c = copies_of(s, y);
        if (!is_copy(s, c.depth, &s->depth, y) || !is_copy(s, c.qx, &s->qx, y) ||
            !is_copy(s, c.qy, &s->qy, y))
            return false;
    }
    return true;
}

// ---- One band --------------------------------------------------------------------------

// What a band carries from row to row.
typedef struct sweep {
    rl_pipes *s;
    rl_pipes_band *band;
    const rl_pipes_halo *halo;
    int (*flow)(const rl_pipes_flow_row *, rl_pipe_coef);
    void (*faces)(const rl_pipes_flow_row *, rl_pipe_coef);
    void (*flow_north)(const rl_pipes_flow_row *, rl_pipe_coef);
    // Of the row before: whether some cell's outflow is limited, and the discharges north
    // of it, old and new.
    bool limited_before;
    const float *qy_old_before;
    float *qy_before;
} sweep;

// Rows beyond the band come from the halo; the bed does not change during a step.
static float *depth_row(const sweep *w, int y)
{
    if (y < w->band->y0 && y >= 0)
        return w->halo->depth_south[y - (w->band->y0 - 2)];
    if (y >= w->band->y1 && y < w->s->ny)
        return w->halo->depth_north[y - w->band->y1];
    return rill_field_row(&w->s->depth, y);
}

// A drain lets nothing in through a row of faces, where outflow has the sign `out`.
static void let_out(const rl_pipes *s, float *qy, float out)
{
    for (int i = 0; i < s->nx; i++)
        qy[i] = out * qy[i] > 0.0f ? qy[i] : 0.0f;
}

// What the rows after row y will ask for first, as far as it is the band's own: others may just be
// writing the rest.
static rl_pipes_prefetch wanted_after(const sweep *w, int y)
{
    const rl_pipes *s = w->s;
    const int last = w->band->y1 - 1, one = y + 1 < last ? y + 1 : last;
    const int two = y + 2 < last ? y + 2 : last;
    return (rl_pipes_prefetch){.bed = rl_pipes_floor(s, two),
                               .depth = rill_field_row(&s->depth, two),
                               .qx = rill_field_row(&s->qx, one),
                               .qy = rill_field_row(&s->qy, two),
                               .remainder = rill_field_row(&s->remainder, y < last ? y : last)};
}

static bool has_drain(const rl_pipes *s)
{
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        if (s->border[side] == RILL_BORDER_DRAIN)
            return true;
    return false;
}

// New discharges of row y and its outflow limiters; returns whether some cell's outflow is limited.
// Limiters depend on what enters, too: what drains do not let in is taken out before.
static bool flow_cells(sweep *w, int y, const rl_pipes_flow_row *row)
{
    rl_pipes *s = w->s;
    rl_pipes_scratch *scratch = &w->band->scratch;
    rl_pipes_prefetch_rows(s, y + ROWS_AHEAD);
    const bool hangs = rl_pipes_hangs_beside(s, y);
    if (!hangs && !has_drain(s))
        return w->flow(row, s->k);
    if (hangs)
        rl_pipes_find_beside(s, y, row->qx, scratch);
    w->faces(row, s->k);
    if (hangs)
        rl_pipes_flow_blocked(s, y, row, scratch);
    rl_clip_drains(s->border, row->qx_out, s->nx);
    if (y == s->ny - 1 && s->border[RILL_SIDE_NORTH] == RILL_BORDER_DRAIN)
        let_out(s, row->qy_out, 1.0f);
    return s->rows->find_limiter(row, s->k);
}

// Those north of row y alone.
static void flow_north_cells(sweep *w, int y, const rl_pipes_flow_row *row)
{
    w->flow_north(row, w->s->k);
    if (!rl_pipes_hangs_beside(w->s, y))
        return;
    rl_pipes_find_beside(w->s, y, NULL, &w->band->scratch);
    rl_pipes_flow_blocked(w->s, y, row, &w->band->scratch);
}

// The row south of the band: its north faces are the band's south faces, and they depend on the
// outflow limiters of its cells.
static void begin_from_neighbour(sweep *w)
{
    RL_ASSERT(w->band->y0 >= 3);
    rl_pipes *s = w->s;
    const int y0 = w->band->y0;
    rl_pipes_scratch *scratch = &w->band->scratch;
    rl_pipes_flow_row row = {
        .nx = s->nx,
        .bed = rl_pipes_floor(s, y0 - 2),
        .bed_north = rl_pipes_floor(s, y0 - 1),
        .depth = depth_row(w, y0 - 2),
        .depth_north = depth_row(w, y0 - 1),
        .qy_south_old = w->halo->qy_south[0],
        .qy = w->halo->qy_south[1],
        .qy_north_old = w->halo->qy_south[2],
        .qy_out = scratch->qy_below_south,
    };
    flow_north_cells(w, y0 - 2, &row);

    row = (rl_pipes_flow_row){
        .nx = s->nx,
        .open_west = rl_pipes_is_open(s, RILL_SIDE_WEST),
        .bed = rl_pipes_floor(s, y0 - 1),
        .bed_north = rl_pipes_floor(s, y0),
        .bed_south = rl_pipes_floor(s, y0 - 2),
        .depth = depth_row(w, y0 - 1),
        .depth_north = depth_row(w, y0),
        .qx = w->halo->qx_south,
        .qx_out = scratch->qx,
        .qy_south_old = w->halo->qy_south[1],
        .qy = w->halo->qy_south[2],
        .qy_north_old = rill_field_row(&s->qy, y0),
        .qy_south = scratch->qy_below_south,
        .qy_out = scratch->qy_below,
        .limiter = scratch->limiter[(y0 - 1) & 1],
        .ahead = wanted_after(w, y0),
    };
    w->limited_before = flow_cells(w, y0 - 1, &row);
    w->qy_before = scratch->qy_below;
    w->qy_old_before = w->halo->qy_south[2];
}

// The southern border: ghost cells, whose outflow is never limited.
static void begin_from_border(sweep *w)
{
    rl_pipes *s = w->s;
    const float *qy_old = rill_field_row(&s->qy, -1);
    float *qy = w->band->scratch.qy_below;
    w->limited_before = false;
    w->qy_before = qy;
    w->qy_old_before = qy_old;
    if (!rl_pipes_is_open(s, RILL_SIDE_SOUTH)) {
        rl_pipes_find_beside(s, -1, NULL, &w->band->scratch);
        copy_row(s, qy, qy_old); // nothing, before and after
        copy_row(s, w->band->scratch.under_y[1], qy_old);
        w->band->scratch.limited[1] = false;
        return;
    }
    const rl_pipes_flow_row row = {
        .nx = s->nx,
        .bed = rl_pipes_floor(s, -1),
        .bed_north = rl_pipes_floor(s, 0),
        .depth = rill_field_row(&s->depth, -1),
        .depth_north = rill_field_row(&s->depth, 0),
        .qy_south_old = qy_old, // no face lies south: smooth with itself
        .qy = qy_old,
        .qy_north_old = rill_field_row(&s->qy, 0),
        .qy_out = qy,
    };
    flow_north_cells(w, -1, &row);
    if (s->border[RILL_SIDE_SOUTH] == RILL_BORDER_DRAIN) {
        let_out(s, qy, -1.0f);
        let_out(s, w->band->scratch.under_y[1], -1.0f); // row -1
    }
}

// Old discharges north of row y, which may lie beyond the band or, as its own neighbour, at the
// northern border.
static const float *old_north(const sweep *w, int y)
{
    if (y >= w->s->ny)
        y = w->s->ny - 1;
    return y < w->band->y1 ? rill_field_row(&w->s->qy, y) : w->halo->qy_north[y - w->band->y1];
}

// New discharges of row y, which may be the first row of the next band. Returns whether the
// outflow of some cell is limited.
static bool flow_row(sweep *w, int y)
{
    rl_pipes *s = w->s;
    rl_pipes_scratch *scratch = &w->band->scratch;
    const bool beyond = y == w->band->y1;
    float *qx = beyond ? w->halo->qx_north : rill_field_row(&s->qx, y);
    float *qy = scratch->qy[y & 1];
    const rl_pipes_flow_row row = {
        .nx = s->nx,
        .open_west = rl_pipes_is_open(s, RILL_SIDE_WEST),
        .bed = rl_pipes_floor(s, y),
        .bed_north = rl_pipes_floor(s, y + 1),
        .bed_south = rl_pipes_floor(s, y - 1),
        .depth = depth_row(w, y),
        .depth_north = depth_row(w, y + 1),
        .qx = qx,
        .qx_out = beyond ? scratch->qx : qx,
        .qy = old_north(w, y),
        .qy_south_old = w->qy_old_before,
        .qy_north_old = old_north(w, y + 1),
        .qy_south = w->qy_before,
        .qy_out = qy,
        .limiter = scratch->limiter[y & 1],
        .ahead = wanted_after(w, y),
    };
    const bool limits = flow_cells(w, y, &row);
    if (!beyond)
        rl_clip_drains(s->border, scratch->under_x[y & 1], s->nx);
    if (y == s->ny - 1 && s->border[RILL_SIDE_NORTH] == RILL_BORDER_DRAIN)
        let_out(s, scratch->under_y[y & 1], 1.0f);
    return limits;
}

// Limits and fills row y of the band, the row before the one whose flow was just made. `qy_south`
// are its limited south discharges.
static void fill_row(sweep *w, int y, const float *qy_south, bool limit, const float *limiter,
                     const float *limiter_north)
{
    RL_ASSERT(y >= w->band->y0 && y < w->band->y1);
    rl_pipes *s = w->s;
    float *depth = rill_field_row(&s->depth, y), *remainder = rill_field_row(&s->remainder, y);
    float *qx = rill_field_row(&s->qx, y);
    const rl_pipes_fill_row row = {
        .nx = s->nx,
        .limiter = limiter,
        .limiter_north = limiter_north,
        .qx = qx,
        .qy_new = w->band->scratch.qy[y & 1],
        .qy = rill_field_row(&s->qy, y),
        .qy_south = qy_south,
        .depth = depth,
        .remainder = remainder,
    };
    // A vector may reach past the last cell: an open ghost must neither change nor count.
    const float ghost = depth[s->nx];
    const bool open_east = rl_pipes_is_open(s, RILL_SIDE_EAST);
    if (open_east)
        depth[s->nx] = -RL_FAR;
    const float deepest = limit ? s->rows->limit_and_fill(&row, s->k) : s->rows->fill(&row, s->k);
    w->band->max_depth = deepest > w->band->max_depth ? deepest : w->band->max_depth;
    if (open_east) {
        depth[s->nx] = ghost;
        remainder[s->nx] = 0.0f;
        qx[s->nx] = qx[s->nx - 1]; // smoothing sees the same discharge beyond the border
        rl_exchange_book(&w->band->moved, -(double)qx[s->nx - 1]);
    }
    if (rl_pipes_is_open(s, RILL_SIDE_WEST)) {
        qx[-2] = qx[-1];
        rl_exchange_book(&w->band->moved, (double)qx[-1]);
    }
}

static void sweep_band(void *context, int n)
{
    rl_pipes *s = context;
    rl_pipes_band *band = &s->bands[n];
    const int paper = s->rules.def.area == RILL_AREA_PAPER;
    const int slowed = rl_pipe_slowed_by(&s->rules);
    const int smooth = s->rules.theta < 1.0f;
    sweep w = {.s = s,
               .band = band,
               .halo = &band->halo[s->parity],
               .flow = s->rows->flow[paper][slowed][smooth],
               .faces = s->rows->faces[paper][slowed][smooth],
               .flow_north = s->rows->flow_north[paper][slowed][smooth]};
    band->max_depth = 0.0f;
    band->moved = (rl_exchange){0};
    for (int r = 0; r < 3; r++)
        band->scratch.hung[r].y = NO_ROW;

    if (n > 0)
        begin_from_neighbour(&w);
    else
        begin_from_border(&w);
    const float *qy_south = w.qy_before; // limited discharges south of the row to be filled
    for (int y = band->y0; y <= band->y1; y++) {
        const bool limits = y < s->ny && flow_row(&w, y);
        const bool limit = w.limited_before || limits;
        const float *limiter = w.limited_before ? band->scratch.limiter[(y - 1) & 1] : s->ones;
        const float *limiter_north = limits ? band->scratch.limiter[y & 1] : s->ones;
        if (y > band->y0) {
            rl_pipes_limit_inflow(s, y - 1, rill_field_row(&s->qx, y - 1), w.qy_before,
                                  &band->scratch);
            fill_row(&w, y - 1, qy_south, limit, limiter, limiter_north);
            qy_south = rill_field_row(&s->qy, y - 1);
        } else {
            rl_pipes_limit_inflow(s, y - 1, NULL, w.qy_before, &band->scratch);
            if (limit)
                s->rows->limit(w.qy_before, limiter, limiter_north, s->nx);
        }
        w.qy_before = band->scratch.qy[y & 1];
        w.qy_old_before = y < s->ny ? old_north(&w, y) : NULL;
        w.limited_before = limits;
        if (n > 0 && y == band->y0 + 2) // its first two rows are done, and still near
            publish_south(s, n, !s->parity);
    }
    if (n == 0)
        copy_row(s, rill_field_row(&s->qy, -1), band->scratch.qy_below);
    if (n == 0 && rl_pipes_is_open(s, RILL_SIDE_SOUTH))
        rl_exchange_book_row(&band->moved, rill_field_row(&s->qy, -1), s->nx, 1.0);
    if (n + 1 == s->band_count && rl_pipes_is_open(s, RILL_SIDE_NORTH))
        rl_exchange_book_row(&band->moved, rill_field_row(&s->qy, s->ny - 1), s->nx, -1.0);
    if (n + 1 < s->band_count)
        publish_north(s, n, !s->parity);
}

void rl_pipes_sweep(rl_pipes *s, rl_jobs *jobs)
{
    RL_ASSERT(s->parity == 0 || s->parity == 1);
    if (s->halos_stale)
        rl_jobs_run(jobs, s->band_count, publish_all, s);
    rl_jobs_run(jobs, s->band_count, sweep_band, s);
    s->halos_stale = false;
    s->parity = !s->parity;
}
