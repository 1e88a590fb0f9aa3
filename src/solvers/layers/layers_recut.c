// SPDX-License-Identifier: MIT
// layers_recut.c - ground that changes while the liquid runs: columns of some cells are cut anew
// and their liquid finds its place among the new ones. In this order:
//
//     1. what stays where it was: the common part of the old liquid and the new column;
//     2. on top of the highest column that got some, then of the others;
//     3. where none did, in a column of the cell no further away than a cell: a floor that rises
//        lifts the film that lies on it;
//     4. in the hole that a solid leaves behind which moved on above flooded ground: as much as the
//        solid takes before it, it gives free behind it, and liquid under it joins the two;
//     5. in the columns around it that begin below the old level, ring by ring: liquid gives way to
//        a solid sideways (layers_hand_out.c);
//     6. wherever it fits in the cell; else it is lost, and said so.
//
// The fields of a step are free between steps: they hold the columns as they were.
#include "solvers/layers/layers_recut_inline.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define MOST_PLANES 65 // of a world: max_layers is at most 64

// ---- Keeping the old columns -----------------------------------------------------------

typedef struct kept_field {
    rill_field *now, *before;
    float rest; // value that the field of the step has between steps
} kept_field;

enum { BASE, DEPTH, REMAINDER, TOP, MIN, KEPT_COUNT };

static void kept_fields(rl_layers *s, kept_field fields[KEPT_COUNT])
{
    fields[BASE] = (kept_field){&s->base, &s->raw_x, 0.0f};
    fields[DEPTH] = (kept_field){&s->depth, &s->raw_y, 0.0f};
    fields[REMAINDER] = (kept_field){&s->remainder, &s->outflow_limiter, 1.0f};
    fields[TOP] = (kept_field){&s->range_max, &s->inflow_limiter, 1.0f};
    fields[MIN] = (kept_field){&s->range_min, &s->extra, 0.0f};
}

static void copy_box(rl_layers *s, rl_box b, bool back)
{
    kept_field fields[KEPT_COUNT];
    kept_fields(s, fields);
    const size_t bytes = (size_t)(b.i1 - b.i0) * sizeof(float);
    for (int n = 0; n < KEPT_COUNT; n++)
        for (int plane = 0; plane < s->planes; plane++)
            for (int j = b.j0; j < b.j1; j++) {
                float *now = rl_layers_row(s, fields[n].now, plane, j) + b.i0;
                float *before = rl_layers_row(s, fields[n].before, plane, j) + b.i0;
                memcpy(back ? now : before, back ? before : now, bytes);
            }
}

// Leaves the fields of the step as a step expects them, one cell around the box too: cross pipes
// that vanished ended there.
static void clear_box(rl_layers *s, rl_box b)
{
    kept_field fields[KEPT_COUNT];
    kept_fields(s, fields);
    const int i0 = b.i0 > 0 ? b.i0 - 1 : 0, i1 = b.i1 < s->nx ? b.i1 + 1 : s->nx;
    const int j0 = b.j0 > 0 ? b.j0 - 1 : 0, j1 = b.j1 < s->ny ? b.j1 + 1 : s->ny;
    for (int n = 0; n < KEPT_COUNT; n++)
        for (int plane = 0; plane < s->planes; plane++)
            for (int j = j0; j < j1; j++) {
                float *row = rl_layers_row(s, fields[n].before, plane, j);
                for (int i = i0; i < i1; i++)
                    row[i] = fields[n].rest;
            }
}

// ---- The liquid of a cell --------------------------------------------------------------

typedef struct cell {
    column old[MOST_PLANES], now[MOST_PLANES];
    int old_count, now_count;
    double displaced[MOST_PLANES]; // of each old column: liquid that cannot stay, metres
    double left[MOST_PLANES];      // of that: what has found no place yet
    bool changed;
} cell;

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Plane 0 is the highest, so it comes last.
static void read_cell(rl_layers *s, int i, int j, cell *c)
{
    c->old_count = c->now_count = 0;
    c->changed = false;
    for (int n = 1; n <= s->planes; n++) {
        const size_t slot = rl_layers_slot(s, n % s->planes, i, j);
        const float base = s->base.origin[slot], top = s->range_max.origin[slot];
        const float base_was = s->raw_x.origin[slot], top_was = s->inflow_limiter.origin[slot];
        const double was = (double)s->raw_y.origin[slot] + (double)s->outflow_limiter.origin[slot];
        if (top_was > s->extra.origin[slot] && was > 0.0)
            c->old[c->old_count++] = (column){slot, (double)base_was, (double)top_was, was};
        if (rl_layers_live(s, slot))
            c->now[c->now_count++] = (column){slot, (double)base, (double)top, 0.0};
        c->changed |= !same_bits(base, base_was) || !same_bits(top, top_was);
    }
}

static double distance(const column *c, double low, double high)
{
    return c->base > high ? c->base - high : c->top < low ? low - c->top : 0.0;
}

// The column nearest to [low, high] that has capacity and lies no further away than `reach`; NULL
// when there is none.
static column *nearest(cell *c, double low, double high, double reach)
{
    column *best = NULL;
    for (int n = c->now_count - 1; n >= 0; n--) {
        column *now = &c->now[n];
        const double far = distance(now, low, high);
        if (capacity_of(now) > 0.0 && far <= reach &&
            (best == NULL || far < distance(best, low, high)))
            best = now;
    }
    return best;
}

// Parts 1 to 3 of the order above.
static void settle_in_cell(const rl_layers *s, cell *c)
{
    bool got_some[MOST_PLANES];
    for (int o = 0; o < c->old_count; o++) {
        const column *old = &c->old[o];
        double left = old->amount;
        for (int n = 0; n < c->now_count; n++) {
            const double low = fmax(old->base, c->now[n].base);
            const double high = fmin(old->base + old->amount, c->now[n].top);
            const double stays = fmin(fmax(high - low, 0.0), left);
            got_some[n] = stays > 0.0;
            c->now[n].amount += stays;
            left -= stays;
        }
        c->displaced[o] = left;
        bool some = false;
        for (int n = c->now_count - 1; n >= 0; n--)
            if (got_some[n]) {
                left -= pour(&c->now[n], left);
                some = true;
            }
        column *target;
        while (!some && left > 0.0 &&
               (target = nearest(c, old->base, old->base + old->amount, s->cell_size)) != NULL)
            left -= pour(target, left);
        c->left[o] = left;
    }
}

// Returns whether some liquid could not stay where it was.
static bool refill_cell(rl_layers *s, int i, int j)
{
    cell c;
    read_cell(s, i, j, &c);
    if (!c.changed)
        return false;
    settle_in_cell(s, &c);
    for (int plane = 0; plane < s->planes; plane++) {
        const size_t slot = rl_layers_slot(s, plane, i, j);
        s->depth.origin[slot] = s->remainder.origin[slot] = 0.0f;
        s->flooded.origin[slot] = s->head.origin[slot] = 0.0f;
    }
    for (int n = 0; n < c.now_count; n++) {
        rl_layers_put(s, c.now[n].slot, c.now[n].amount);
        note_depth(s, c.now[n].slot, j);
    }
    bool displaced = false;
    for (int o = 0; o < c.old_count; o++)
        displaced |= c.displaced[o] > 0.0;
    return displaced;
}

// ---- Holes behind a solid that moves ---------------------------------------------------

// Metres of liquid, of all cells of a box.
typedef struct exchange {
    double offered; // where a solid came to hang over liquid
    double wanted;  // where one hung over liquid and does no more
    double moved;   // the lesser of the two
} exchange;

static bool is_covered(const column *c)
{
    return c->top < (double)RL_SOLID_SKY;
}

// Whether one of `columns` that has liquid stands on the floor of `c`, and one of the two is
// covered.
static bool has_other(const column *columns, int count, const column *c)
{
    for (int n = 0; n < count; n++)
        if (columns[n].base == c->base && columns[n].amount > 0.0 &&
            is_covered(&columns[n]) != is_covered(c))
            return true;
    return false;
}

static double offered_by(const cell *c, int o)
{
    const column *old = &c->old[o];
    return !is_covered(old) && has_other(c->now, c->now_count, old) ? c->displaced[o] : 0.0;
}

// The level under the sky in a cell whose columns are as they were; NAN where there is none.
static double old_level(rl_layers *s, rl_box b, int i, int j)
{
    const size_t slot = rl_layers_slot(s, 0, i, j);
    const bool inside = i >= b.i0 && i < b.i1 && j >= b.j0 && j < b.j1;
    cell c;
    if (i < 0 || i >= s->nx || j < 0 || j >= s->ny || !rl_layers_live(s, slot))
        return (double)NAN;
    if (inside)
        read_cell(s, i, j, &c);
    return (inside && c.changed) || content(s, slot) <= 0.0
               ? (double)NAN
               : (double)s->base.origin[slot] + content(s, slot);
}

// What a column lacks to the liquid beside it, where a solid has gone away above it.
static double wanted_by(rl_layers *s, rl_box b, int i, int j, const cell *c)
{
    const column *now = c->now_count > 0 ? &c->now[c->now_count - 1] : NULL;
    if (now == NULL || is_covered(now) || !has_other(c->old, c->old_count, now))
        return 0.0;
    const double around[4] = {old_level(s, b, i - 1, j), old_level(s, b, i + 1, j),
                              old_level(s, b, i, j - 1), old_level(s, b, i, j + 1)};
    double sum = 0.0;
    int count = 0;
    for (int n = 0; n < 4; n++)
        if (!isnan(around[n])) {
            sum += around[n];
            count++;
        }
    return count > 0 ? fmax(sum / count - (now->base + content(s, now->slot)), 0.0) : 0.0;
}

static exchange find_holes(rl_layers *s, rl_box b)
{
    exchange e = {0};
    for (int j = b.j0; j < b.j1; j++)
        for (int i = b.i0; i < b.i1; i++) {
            cell c;
            read_cell(s, i, j, &c);
            if (!c.changed)
                continue;
            e.wanted += wanted_by(s, b, i, j, &c);
            settle_in_cell(s, &c);
            for (int o = 0; o < c.old_count; o++)
                e.offered += offered_by(&c, o);
        }
    e.moved = fmin(e.offered, e.wanted);
    return e;
}

static void fill_holes(rl_layers *s, rl_box b, const exchange *e)
{
    for (int j = b.j0; j < b.j1 && e->moved > 0.0; j++)
        for (int i = b.i0; i < b.i1; i++) {
            cell c;
            read_cell(s, i, j, &c);
            const double wanted = c.changed ? wanted_by(s, b, i, j, &c) : 0.0;
            if (!(wanted > 0.0))
                continue;
            const size_t slot = c.now[c.now_count - 1].slot;
            rl_layers_put(s, slot, content(s, slot) + wanted * (e->moved / e->wanted));
            note_depth(s, slot, j);
        }
}

// ---- The liquid that has to leave its cell ---------------------------------------------

// What has gone into holes was left over, or has been put on top of the solid for the time being.
static void take_moved(rl_layers *s, cell *c, const exchange *e)
{
    for (int o = 0; o < c->old_count && e->moved > 0.0; o++) {
        double moved = offered_by(c, o) * (e->moved / e->offered);
        const double from_left = fmin(moved, c->left[o]);
        c->left[o] -= from_left;
        moved -= from_left;
        for (int n = c->now_count - 1; n >= 0 && moved > 0.0; n--) {
            const size_t slot = c->now[n].slot;
            const double from_top = fmin(moved, content(s, slot));
            rl_layers_put(s, slot, content(s, slot) - from_top);
            moved -= from_top;
        }
    }
}

static double hand_out_from(rl_layers *s, int i, int j, const exchange *e)
{
    cell c;
    double lost = 0.0;
    read_cell(s, i, j, &c);
    if (!c.changed)
        return 0.0;
    settle_in_cell(s, &c);
    take_moved(s, &c, e);
    rl_layers_free_changed(s, i, j);
    for (int o = 0; o < c.old_count; o++)
        if (c.left[o] > 0.0)
            lost += rl_layers_hand_out(s, i, j, c.old[o].base + c.old[o].amount, c.left[o]);
    return lost;
}

static double move_liquid(rl_layers *s, rl_box b)
{
    bool displaced = false;
    for (int j = b.j0; j < b.j1; j++)
        for (int i = b.i0; i < b.i1; i++)
            displaced |= refill_cell(s, i, j);
    double lost = 0.0;
    exchange e = {0};
    if (displaced) {
        e = find_holes(s, b);
        fill_holes(s, b, &e);
        rl_layers_free_forget(s);
    }
    for (int j = b.j0; j < b.j1 && displaced; j++)
        for (int i = b.i0; i < b.i1; i++)
            lost += hand_out_from(s, i, j, &e);
    return lost * s->cell_size * s->cell_size;
}

// ---- The whole -------------------------------------------------------------------------

// Discharges through faces that join nothing any more.
static void close_faces(rl_layers *s, rl_box b)
{
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = b.j0 - 1; j < b.j1; j++)
            for (int i = b.i0 - 1; i < b.i1; i++) {
                const ptrdiff_t here = ((ptrdiff_t)s->plane_rows * plane + j) * pitch + i;
                if (j >= 0 && !rl_layers_are_joined(s, here, here + 1))
                    s->qx.origin[here] = 0.0f;
                if (i >= 0 && !rl_layers_are_joined(s, here, here + pitch))
                    s->qy.origin[here] = 0.0f;
            }
}

static rill_status cut_box(rl_layers *s, const rl_solid *solid, rl_box b)
{
    const rill_status status = rl_layers_cut(s, solid, b);
    if (status != RILL_OK)
        return status;
    if (!rl_layers_find_cross(s, b.i0 - 1, b.j0 - 1, b.i1, b.j1))
        return rill_fail(RILL_NO_MEMORY,
                         "the ground would have more than %zu pipes under edges of overhangs",
                         s->cross_capacity);
    return RILL_OK;
}

rill_status rl_layers_recut(void *self, const rl_solid *solid, int i0, int j0, int i1, int j1,
                            double *lost)
{
    rl_layers *s = self;
    RL_ASSERT(s->on_solid && i0 < i1 && j0 < j1);
    const rl_box b = {i0 < 0 ? 0 : i0, j0 < 0 ? 0 : j0, i1 > s->nx ? s->nx : i1,
                      j1 > s->ny ? s->ny : j1};
    *lost = 0.0;
    if (!s->on_solid || b.i0 >= b.i1 || b.j0 >= b.j1)
        return RILL_OK;
    copy_box(s, b, false);
    const rill_status status = cut_box(s, solid, b);
    if (status != RILL_OK)
        copy_box(s, b, true);
    else
        *lost = move_liquid(s, b);
    clear_box(s, b);
    if (status != RILL_OK)
        return status;
    rl_layers_find_spans(s, b.j0, b.j1);
    rl_layers_set_ghosts(s);
    close_faces(s, b);
    rl_layers_find_cosines(s, b.i0 - 2, b.j0 - 2, b.i1 + 2, b.j1 + 2);
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = b.j0; j < b.j1; j++) {
            memset(rl_layers_row(s, &s->velocity_x, plane, j), 0, (size_t)s->nx * sizeof(float));
            memset(rl_layers_row(s, &s->velocity_y, plane, j), 0, (size_t)s->nx * sizeof(float));
        }
    rl_layers_passages_changed(s);
    return RILL_OK;
}
