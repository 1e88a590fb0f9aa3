// SPDX-License-Identifier: MIT
// body_raster_cross.c - where the vertical lines of cells meet the triangles of a body.
//
// A row of centres cuts a triangle in a span; an end of it belongs to the span on its east alone
// and a row to the triangle on its north alone, and both triangles at an edge compute the same end
// of the span, so a closed mesh is entered as often as it is left at every centre. Centres that
// miss a body by less than RL_RASTER_MARGIN see it at its nearest point, so that two bodies that
// touch leave no slit between them. The same helps where rounding has tilted a wall: a centre that
// lies just in the tilt sees the edges above and below it, not a notch in between.
//
// Nearly all lines go into a body once and out once. Those are found first, a span at a time; only
// the rest are treated one by one, with all that they meet.
#include "bodies/blocking/body_raster.h"

#define MAX_CROSSINGS 14
#define THINNEST      1e-5 // in cells: what is thinner blocks nothing

// ---- Intervals -------------------------------------------------------------------------

void rl_interval_sort(rl_interval_list *list)
{
    for (int n = 1; n < list->count; n++) {
        const rl_interval one = list->items[n];
        int k = n;
        for (; k > 0 && list->items[k - 1].lower > one.lower; k--)
            list->items[k] = list->items[k - 1];
        list->items[k] = one;
    }
}

void rl_interval_merge(rl_interval_list *list)
{
    RL_ASSERT(list->count > 1 && list->count <= RL_CELL_INTERVALS);
    rl_interval_sort(list);
    int closest = 0;
    for (int k = 1; k + 1 < list->count; k++)
        if (list->items[k + 1].lower - list->items[k].upper <
            list->items[closest + 1].lower - list->items[closest].upper)
            closest = k;
    rl_interval *to = &list->items[closest];
    to->upper = to[1].upper > to->upper ? to[1].upper : to->upper;
    for (int k = closest + 1; k + 1 < list->count; k++)
        list->items[k] = list->items[k + 1];
    list->count--;
}

// ---- A triangle in a row ---------------------------------------------------------------

// The triangle along a line of constant v, from west to east, and how far its ends go in the
// margin.
typedef struct span {
    double west, east, z_west, z_east;
    double west_margin, east_margin;
} span;

static inline span span_at(const rl_raster_triangle *t, double v)
{
    const int part = v < t->v[1] ? 0 : 1;
    const double rows = v - t->v[0], part_rows = v - t->v[part];
    const double u = t->u[0] + t->long_u * rows, z = t->z[0] + t->long_z * rows;
    const double other_u = t->u[part] + t->half_u[part] * part_rows;
    const double other_z = t->z[part] + t->half_z[part] * part_rows;
    if (u < other_u)
        return (span){u, other_u, z, other_z, t->long_margin, t->half_margin[part]};
    return (span){other_u, u, other_z, z, t->half_margin[part], t->long_margin};
}

// The triangle at the point of it that is near (i, j); false where there is none within the margin.
static bool close_height(const rl_raster_triangle *t, int i, int j, double *z)
{
    const double v = (double)j, u = (double)i;
    const double low = rl_greater(v - RL_RASTER_MARGIN, t->v[0]);
    const double high = rl_lesser(v + RL_RASTER_MARGIN, t->v[2]);
    const double tries[4] = {rl_lesser(rl_greater(v, low), high), low, high,
                             rl_lesser(rl_greater(t->v[1], low), high)};
    double nearest = RL_RASTER_MARGIN;
    bool found = false;
    for (int k = 0; k < 4; k++) {
        const span s = span_at(t, tries[k]);
        const double miss = rl_greater(rl_greater(s.west - u, u - s.east), 0.0);
        if (!(miss <= nearest) || (found && miss == nearest))
            continue;
        const double width = s.east - s.west;
        const double part =
            width > 0.0 ? rl_lesser(rl_greater((u - s.west) / width, 0.0), 1.0) : 0.5;
        *z = s.z_west + (s.z_east - s.z_west) * part;
        nearest = miss;
        found = true;
    }
    return found;
}

// How far a triangle reaches in the rows within the margin of row j; false where it is further off.
static bool reach_close(const rl_raster_triangle *t, int j, double *west, double *east)
{
    const double low = rl_greater((double)j - RL_RASTER_MARGIN, t->v[0]);
    const double high = rl_lesser((double)j + RL_RASTER_MARGIN, t->v[2]);
    if (!(low <= high))
        return false;
    const span a = span_at(t, low), b = span_at(t, high);
    *west = rl_lesser(a.west, b.west);
    *east = rl_greater(a.east, b.east);
    if (t->v[1] > low && t->v[1] < high) {
        *west = rl_lesser(*west, t->u[1]);
        *east = rl_greater(*east, t->u[1]);
    }
    return true;
}

// Cells of a row whose centres lie in a triangle, and those that are near it or in it.
typedef struct extent {
    span span; // if some lie in it
    int from, to;
    int close_from, close_to;
} extent;

// Those of [first, end) in a row that cuts the triangle, if no corner is near.
static inline extent extent_between(const rl_raster_triangle *t, double v, int first, int end)
{
    const span s = span_at(t, v);
    const int from = rl_first_from(s.west, first, end), to = rl_first_from(s.east, first, end);
    extent e = {s, from, to, from, to};
    const double west = s.west - s.west_margin - RL_RASTER_MARGIN;
    const double east = s.east + s.east_margin + RL_RASTER_MARGIN + 1e-9;
    // Mostly there is no cell more.
    if (!t->steep && from > first && (double)(from - 1) >= west)
        e.close_from = rl_first_from(west, first, end);
    if (!t->steep && to < end && (double)to < east)
        e.close_to = rl_first_from(east, first, end);
    return e;
}

// In a row that a corner may be near.
static extent extent_at_corner(const rl_raster_triangle *t, int j, int first, int end)
{
    extent e = {.from = first, .to = first, .close_from = first, .close_to = first};
    const double v = (double)j;
    double west = 0.0, east = 0.0;
    if (v >= t->v[0] && v < t->v[2])
        e = extent_between(t, v, first, end);
    const double to_corner = rl_lesser(fabs(v - t->v[1]), rl_lesser(v - t->v[0], t->v[2] - v));
    if (t->steep || to_corner > RL_RASTER_MARGIN)
        return e;
    e.close_from = e.from;
    e.close_to = e.to;
    if (reach_close(t, j, &west, &east)) {
        e.close_from = rl_first_from(west - RL_RASTER_MARGIN, first, end);
        e.close_to = rl_first_from(east + RL_RASTER_MARGIN + 1e-9, first, end);
    }
    return e;
}

// Heights of a triangle at the centres that lie in it, of which there is one at least; z[0] is that
// of cell `first`.
static inline void heights_in(const extent *e, int first, float *z)
{
    const span s = e->span;
    const double slope = (s.z_east - s.z_west) / (s.east - s.west);
    for (int i = e->from; i < e->to; i++)
        z[i - first] = (float)(s.z_west + slope * ((double)i - s.west));
}

// ---- Walls -----------------------------------------------------------------------------

// Whether no centre of a row lies in a wall, for sure: as a rule walls go down between them.
static inline bool wall_misses(const rl_raster_triangle *t, double v, int end)
{
    const int part = v < t->v[1] ? 0 : 1;
    const double u = t->u[0] + t->long_u * (v - t->v[0]);
    const double other_u = t->u[part] + t->half_u[part] * (v - t->v[part]);
    const double east = rl_lesser(rl_greater(u, other_u), (double)end);
    return rl_lesser(u, other_u) > (double)(int)rl_greater(east, 0.0);
}

// Of a wall the slopes are found out only here. None of its rows is plain: that makes no difference
// to walls.
static extent extent_of_wall(const rl_raster_triangle *t, int j, int first, int end)
{
    rl_raster_triangle wall = *t;
    wall.long_margin = wall.half_margin[0] = wall.half_margin[1] = 0.0;
    wall.long_z = rl_per_row(t->z[2] - t->z[0], t->v[2] - t->v[0]);
    for (int k = 0; k < 2; k++)
        wall.half_z[k] = rl_per_row(t->z[k + 1] - t->z[k], t->v[k + 1] - t->v[k]);
    return extent_at_corner(&wall, j, first, end);
}

static inline extent extent_of(const rl_raster_triangle *t, int j, int first, int end)
{
    if (t->steep)
        return extent_of_wall(t, j, first, end);
    if (j >= t->plain_from && j < t->plain_to && j != t->middle)
        return extent_between(t, (double)j, first, end);
    return extent_at_corner(t, j, first, end);
}

// Whether cells before `end` of row j may lie in or near a triangle.
static inline bool may_meet(const rl_raster_triangle *t, int j, int end)
{
    return j >= t->j0 && j < t->j1 && !(t->steep && wall_misses(t, (double)j, end));
}

// ---- Lines with all that they meet -----------------------------------------------------

// Where the vertical line of one cell meets the triangles of one body.
typedef struct crossings {
    float z[MAX_CROSSINGS];
    uint16_t up;    // bits: that triangle faces the sky
    uint16_t exact; // bits: the centre lies in the triangle and not only near it
    uint8_t count;
    bool wall;    // some exact one is of a wall
    bool crowded; // there were more; the lowest and the highest are kept
} crossings;

static void cross(crossings *c, float z, const rl_raster_triangle *t, bool exact)
{
    c->wall |= exact && t->steep;
    if (c->count < MAX_CROSSINGS) {
        const unsigned bit = 1u << c->count;
        c->up = (uint16_t)(c->up | (t->up ? bit : 0u));
        c->exact = (uint16_t)(c->exact | (exact ? bit : 0u));
        c->z[c->count++] = z;
        return;
    }
    c->crowded = true;
    float lowest = z, highest = z;
    for (int k = 0; k < MAX_CROSSINGS; k++) {
        lowest = c->z[k] < lowest ? c->z[k] : lowest;
        highest = c->z[k] > highest ? c->z[k] : highest;
    }
    c->z[0] = lowest;
    c->z[1] = highest;
}

// Sorts what counts of the crossings by height, downward faces first; returns how many.
static int sort_crossings(const crossings *c, float *z, bool *up)
{
    const bool all = c->exact == 0 || c->wall;
    int count = 0;
    for (int n = 0; n < c->count; n++) {
        if (!all && (c->exact >> n & 1) == 0)
            continue;
        const bool faces_up = (c->up >> n & 1) != 0;
        int k = count++;
        for (; k > 0 && (z[k - 1] > c->z[n] || (z[k - 1] == c->z[n] && up[k - 1] && !faces_up));
             k--) {
            z[k] = z[k - 1];
            up[k] = up[k - 1];
        }
        z[k] = c->z[n];
        up[k] = faces_up;
    }
    return count;
}

// Turns crossings into intervals: each runs from the first downward face after the last one to the
// last upward face in a row, which also swallows a point seen from two triangles. A mesh that does
// not begin with a downward and end with an upward face here is taken to be full inside.
static void resolve(const crossings *c, float thinnest, rl_interval_list *list)
{
    float z[MAX_CROSSINGS] = {c->z[0], c->z[1]};
    bool up[MAX_CROSSINGS] = {false, true};
    const int count = c->crowded ? 2 : sort_crossings(c, z, up);
    RL_ASSERT(count > 0 && count <= MAX_CROSSINGS);
    rl_interval found[RL_BODY_INTERVALS];
    int kept = 0;
    if (up[0] || !up[count - 1]) {
        found[kept++] = (rl_interval){z[0], z[count - 1]};
    } else {
        for (int k = 0; k < count;) {
            const float lower = z[k];
            while (!up[k])
                k++;
            while (k < count && up[k])
                k++;
            if (kept == RL_BODY_INTERVALS)
                found[kept - 1].upper = z[k - 1];
            else
                found[kept++] = (rl_interval){lower, z[k - 1]};
        }
    }
    for (int k = 0; k < kept; k++)
        if (found[k].upper - found[k].lower > thinnest)
            rl_interval_add(list, found[k]);
}

static void cross_row(const rl_raster_triangle *t, int j, int first, int end, crossings *cells)
{
    const extent e = extent_of(t, j, first, end);
    float z[RL_RASTER_CELLS];
    if (e.from < e.to)
        heights_in(&e, first, z);
    for (int i = e.from; i < e.to; i++)
        cross(&cells[i - first], z[i - first], t, true);
    for (int i = e.close_from; i < e.close_to; i++) {
        double close = 0.0;
        if ((i < e.from || i >= e.to) && close_height(t, i, j, &close))
            cross(&cells[i - first], (float)close, t, false);
    }
}

// Cells [first, end), which the body comes near.
static void add_all(const rl_raster *r, const rl_raster_body *body, double cell_size, int j,
                    int first, int end, rl_interval_list *lists)
{
    RL_ASSERT(end - first <= RL_RASTER_CELLS);
    crossings cells[RL_RASTER_CELLS];
    for (int n = 0; n < end - first; n++) {
        cells[n].count = 0;
        cells[n].up = cells[n].exact = 0;
        cells[n].wall = cells[n].crowded = false;
    }
    const rl_raster_triangle *t = r->triangles + body->first_triangle;
    for (int n = 0; n < body->triangle_count; n++)
        if (may_meet(&t[n], j, end))
            cross_row(&t[n], j, first, end, cells);
    const float thinnest = (float)(THINNEST * cell_size);
    for (int n = 0; n < end - first; n++)
        if (cells[n].count > 0)
            resolve(&cells[n], thinnest, &lists[n]);
}

void rl_raster_unclear(const rl_raster *r, const rl_raster_body *body, double cell_size, int j,
                       int first, uint64_t unclear, rl_interval_list *lists)
{
    for (int n = 0; unclear != 0; n++, unclear >>= 1) {
        const int from = n;
        for (; (unclear & 1) != 0; unclear >>= 1)
            n++;
        if (from < n)
            add_all(r, body, cell_size, j, first + from, first + n, lists + from);
    }
}

// ---- Lines that go in and out once -----------------------------------------------------

// Cells of a run, as bits: in and near how many triangles of a body are they?
typedef struct sieve {
    uint64_t in[2];     // in one that faces the ground, or the sky
    uint64_t more;      // in two of a kind, or in a wall
    uint64_t close;     // in or near one
    uint64_t counts[4]; // near how many, a bit of the number each
    uint64_t crowded;   // near more than could be counted
} sieve;

static inline uint64_t bits_of(int from, int to)
{
    return from < to ? ~(uint64_t)0 >> (64 - (to - from)) << from : 0;
}

static void count_close(sieve *s, uint64_t close)
{
    for (int k = 0; k < 4; k++) {
        const uint64_t carry = s->counts[k] & close;
        s->counts[k] ^= close;
        close = carry;
    }
    s->crowded |= close | (s->counts[0] & s->counts[1] & s->counts[2] & s->counts[3]);
}

void rl_raster_take(const rl_raster *r, const rl_raster_body *body, double cell_size, int j,
                    int first, int count, rl_raster_taken *taken)
{
    const int from = body->box.i0 > first ? body->box.i0 : first;
    const int to = body->box.i1 < first + count ? body->box.i1 : first + count;
    const rl_raster_triangle *t = r->triangles + body->first_triangle;
    RL_ASSERT(count > 0 && count <= RL_RASTER_CELLS);
    sieve s = {0};
    for (int n = 0; n < body->triangle_count; n++, t++) {
        if (!may_meet(t, j, to))
            continue;
        const extent e = extent_of(t, j, from, to);
        uint64_t in = 0;
        if (e.from < e.to) {
            in = bits_of(e.from - first, e.to - first);
            s.more |= t->steep ? in : s.in[t->up] & in;
            s.in[t->up] |= in;
            heights_in(&e, first, taken->ends[t->up]);
        }
        if (e.close_from < e.from || e.close_to > e.to)
            in |= bits_of(e.close_from - first, e.close_to - first);
        s.close |= in;
        if (body->triangle_count > MAX_CROSSINGS)
            count_close(&s, in);
    }
    taken->once = s.in[0] & s.in[1] & ~s.more & ~s.crowded;
    const float thinnest = (float)(THINNEST * cell_size);
    int n = from - first;
    for (uint64_t left = from < to ? taken->once >> n : 0; left != 0; left >>= 1, n++)
        if ((left & 1) != 0 && !(taken->ends[1][n] - taken->ends[0][n] > thinnest))
            taken->once &= ~((uint64_t)1 << n);
    taken->unclear = s.close & ~taken->once;
}

void rl_raster_row(const rl_raster *r, const rl_raster_body *body, double cell_size, int j,
                   int first, int count, rl_interval_list *lists)
{
    rl_raster_taken taken;
    rl_raster_take(r, body, cell_size, j, first, count, &taken);
    for (int n = 0; n < count; n++)
        if ((taken.once >> n & 1) != 0)
            rl_interval_add(&lists[n], (rl_interval){taken.ends[0][n], taken.ends[1][n]});
    rl_raster_unclear(r, body, cell_size, j, first, taken.unclear, lists);
}
