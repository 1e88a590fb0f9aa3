// SPDX-License-Identifier: MIT
// river_regroup.c - cells of different sizes side by side (Burrell section 5.2.2). A face between
// two of them is a joint: it belongs to the smaller one's level. Around the cells of a level lies a
// ring of faces that are filled from the levels beside, so that a read past the last cell finds the
// flow that is there.
#include "solvers/river/river_internal.h"

#include <string.h>

#define BEYOND 127 // level of what lies beyond the border

static int detail_at(const rl_river *r, const unsigned char *levels, int k, int i, int j)
{
    const rl_river_level *level = &r->levels[k];
    if (i < 0 || i >= level->nx || j < 0 || j >= level->ny)
        return BEYOND;
    return levels[(j << k) / RL_SQUARE * r->squares_x + (i << k) / RL_SQUARE];
}

// Levels at the two sides of a face; beyond a border that of the cell inside.
typedef struct sides {
    int low, high; // west or south of it, east or north of it
} sides;

static sides sides_of(const rl_river *r, const unsigned char *levels, int k, int axis, int i, int j)
{
    sides s = {detail_at(r, levels, k, axis == 0 ? i - 1 : i, axis == 0 ? j : j - 1),
               detail_at(r, levels, k, i, j)};
    if (s.low == BEYOND)
        s.low = s.high;
    if (s.high == BEYOND)
        s.high = s.low;
    return s;
}

// Does something for each face west and south of the cells of a square of level k, those at the far
// borders of the grid included, and for each cell (`cell` NULL: for none). `detail` is what they
// read: the level that the solver works on in each smallest square.
typedef void on_face(rl_river *r, const unsigned char *detail, int k, int axis, int i, int j);
typedef void on_cell(rl_river *r, const unsigned char *detail, int k, int i, int j);

static void visit_square(rl_river *r, const unsigned char *detail, int k, int square, on_face *face,
                         on_cell *cell)
{
    const rl_river_level *level = &r->levels[k];
    int i0, j0;
    rl_river_corner(&level->squares, square, &i0, &j0);
    for (int j = j0; j < j0 + RL_SQUARE && j <= level->ny; j++)
        for (int i = i0; i < i0 + RL_SQUARE && i <= level->nx; i++) {
            if (j < level->ny)
                face(r, detail, k, 0, i, j);
            if (i < level->nx)
                face(r, detail, k, 1, i, j);
            if (cell != NULL && i < level->nx && j < level->ny)
                cell(r, detail, k, i, j);
        }
}

// The same for all squares of the level that have this mark.
static void visit(rl_river *r, const unsigned char *detail, int k, int mark, on_face *face,
                  on_cell *cell)
{
    for (int n = 0; n < r->levels[k].squares.count; n++)
        if (r->levels[k].squares.marks[n] & mark)
            visit_square(r, detail, k, n, face, cell);
}

// ---- Openings, joints, gates ------------------------------------------------------------

static void add_joint(rl_river *r, int k, int axis, int i, int j, sides s, float open)
{
    if (r->joint_count == r->joint_capacity)
        return;
    const bool fine_is_low = s.low == k;
    const int low_i = axis == 0 ? i - 1 : i, low_j = axis == 0 ? j : j - 1;
    rl_river_joint joint = {.level = k,
                            .axis = axis,
                            .fine_i = fine_is_low ? low_i : i,
                            .fine_j = fine_is_low ? low_j : j,
                            .coarse_i = (fine_is_low ? i : low_i) / 2,
                            .coarse_j = (fine_is_low ? j : low_j) / 2,
                            .face_i = i,
                            .face_j = j,
                            .sign = fine_is_low ? 1.0f : -1.0f,
                            .open = open};
    joint.fine_at = rl_river_packed_at(&r->levels[k].squares, joint.fine_i, joint.fine_j);
    joint.coarse_at = rl_river_packed_at(&r->levels[k + 1].squares, joint.coarse_i, joint.coarse_j);
    if (joint.fine_at >= 0 && joint.coarse_at >= 0)
        r->joints[r->joint_count++] = joint;
}

static void add_gate(rl_river *r, int k, int axis, int i, int j)
{
    if (r->gate_count == r->gate_capacity)
        return;
    const rl_river_level *level = &r->levels[k];
    const bool leaves = axis == 0 ? i == level->nx : j == level->ny;
    const int step = leaves ? -1 : 1, back = leaves ? 1 : 0;
    rl_river_gate gate = {.level = k,
                          .axis = axis,
                          .face_i = i,
                          .face_j = j,
                          .inner_i = axis == 0 ? i + step : i,
                          .inner_j = axis == 0 ? j : j + step,
                          .sign = leaves ? 1.0f : -1.0f};
    gate.at =
        rl_river_packed_at(&level->squares, axis == 0 ? i - back : i, axis == 0 ? j : j - back);
    if (gate.at >= 0)
        r->gates[r->gate_count++] = gate;
}

static bool is_joint(sides s, int k)
{
    return (s.low == k && s.high == k + 1) || (s.low == k + 1 && s.high == k);
}

static void open_face(rl_river *r, const unsigned char *detail, int k, int axis, int i, int j)
{
    rl_river_level *level = &r->levels[k];
    const float full = rl_river_full(&r->levels[k], axis, i, j);
    const sides s = sides_of(r, detail, k, axis, i, j);
    const bool open = s.low == k && s.high == k;
    rill_field_row(axis == 0 ? &level->open_x : &level->open_y, j)[i] = open ? full : 0.0f;
    rill_field_row(axis == 0 ? &level->u_next : &level->v_next, j)[i] = 0.0f;
    if (!(full > 0.0f) || (!open && !is_joint(s, k)))
        *rl_river_face(r, k, axis, i, j) = 0.0f;
}

static void open_cell(rl_river *r, const unsigned char *detail, int k, int i, int j)
{
    if (detail_at(r, detail, k, i, j) != k)
        rill_field_row(&r->levels[k].pressure, j)[i] = 0.0f;
}

// What passes wrote into faces that are not theirs to move, in squares of several levels.
static void clean_face(rl_river *r, const unsigned char *detail, int k, int axis, int i, int j)
{
    const sides s = sides_of(r, detail, k, axis, i, j);
    if ((s.low != k || s.high != k) && !is_joint(s, k))
        *rl_river_face(r, k, axis, i, j) = 0.0f;
}

void rl_river_levels_clean(rl_river *r)
{
    for (int k = 0; k <= r->coarsest_work; k++)
        visit(r, r->square_level, k, RL_RIVER_MIXED, clean_face, NULL);
    rl_river_levels_fill_rings(r);
}

static void join_face(rl_river *r, const unsigned char *detail, int k, int axis, int i, int j)
{
    const float full = rl_river_full(&r->levels[k], axis, i, j);
    const sides s = sides_of(r, detail, k, axis, i, j);
    if (full > 0.0f && is_joint(s, k))
        add_joint(r, k, axis, i, j, s, full);
}

static void find_gates(rl_river *r, int k)
{
    const rl_river_level *level = &r->levels[k];
    for (int far = 0; far < 2; far++)
        for (int axis = 0; axis < 2; axis++)
            for (int n = 0; n < (axis == 0 ? level->ny : level->nx); n++) {
                const int i = axis == 1 ? n : far ? level->nx : 0;
                const int j = axis == 0 ? n : far ? level->ny : 0;
                if (rill_field_row(axis == 0 ? &level->open_x : &level->open_y, j)[i] > 0.0f)
                    add_gate(r, k, axis, i, j);
            }
}

// ---- Rings -----------------------------------------------------------------------------

static void add_ring_face(rl_river *r, int k, int axis, int i, int j, int cell_level)
{
    if (r->ring_count == r->ring_capacity || !(rl_river_full(&r->levels[k], axis, i, j) > 0.0f))
        return;
    const sides s = sides_of(r, r->square_level, k, axis, i, j);
    const bool owned = (s.low == k && s.high >= k) || (s.high == k && s.low >= k);
    if (!owned)
        r->rings[r->ring_count++] =
            (rl_river_ring_face){(unsigned char)k, (unsigned char)axis, cell_level < k, i, j};
}

static bool beside_work(const rl_river *r, int k, int i, int j)
{
    for (int n = 0; n < 9; n++)
        if (detail_at(r, r->square_level, k, i + n % 3 - 1, j + n / 3 - 1) == k)
            return true;
    return false;
}

static void ring_cell(rl_river *r, const unsigned char *detail, int k, int i, int j)
{
    const int here = detail_at(r, detail, k, i, j);
    if (here == k || !(rill_field_row(&r->levels[k].wet, j)[i] > 0.0f) || !beside_work(r, k, i, j))
        return;
    add_ring_face(r, k, 0, i, j, here);
    add_ring_face(r, k, 0, i + 1, j, here);
    add_ring_face(r, k, 1, i, j, here);
    add_ring_face(r, k, 1, i, j + 1, here);
}

void rl_river_levels_open(rl_river *r)
{
    r->joint_count = 0;
    r->gate_count = 0;
    r->ring_count = 0;
    for (int k = 0; k < r->level_count; k++) {
        r->joint_first[k] = r->joint_count;
        if (k > RL_MAX_DETAIL)
            continue;
        visit(r, r->square_level, k, RL_RIVER_TOUCHED, open_face, open_cell);
        visit(r, r->square_level, k, RL_RIVER_MIXED, join_face, ring_cell);
        find_gates(r, k);
    }
    r->joint_first[r->level_count] = r->joint_count;
}

// Mean of the two faces of level k - 1 that face (i, j) of level k is made of, by their openings.
static float from_finer(rl_river *r, int k, int axis, int i, int j)
{
    const rl_river_level *fine = &r->levels[k - 1], *level = &r->levels[k];
    const bool far = axis == 0 ? i == level->nx : j == level->ny;
    const int a = axis == 0 && far ? fine->nx : 2 * i, b = axis == 1 && far ? fine->ny : 2 * j;
    const int a2 = axis == 0 ? a : a + 1, b2 = axis == 0 ? b + 1 : b;
    const float open = rl_river_full(&r->levels[k - 1], axis, a, b);
    // A ghost row or column past the border is closed.
    const bool second = axis == 0 ? b2 < fine->ny : a2 < fine->nx;
    const float open2 = second ? rl_river_full(&r->levels[k - 1], axis, a2, b2) : 0.0f;
    if (!(open + open2 > 0.0f))
        return 0.0f;
    const float here = *rl_river_face(r, k - 1, axis, a, b);
    if (!(open2 > 0.0f))
        return here;
    return (open * here + open2 * *rl_river_face(r, k - 1, axis, a2, b2)) / (open + open2);
}

// The face of level k + 1 at the place of face (i, j) of level k, or the mean of the two about it.
static float from_coarser(rl_river *r, int k, int axis, int i, int j)
{
    const rl_river_level *coarse = &r->levels[k + 1], *level = &r->levels[k];
    const int along = axis == 0 ? i : j, x = axis == 0, y = axis == 1;
    if (along == (axis == 0 ? level->nx : level->ny))
        return *rl_river_face(r, k + 1, axis, x ? coarse->nx : i / 2, y ? coarse->ny : j / 2);
    const float here = *rl_river_face(r, k + 1, axis, i / 2, j / 2);
    if (along % 2 == 0)
        return here;
    return 0.5f * (here + *rl_river_face(r, k + 1, axis, i / 2 + x, j / 2 + y));
}

void rl_river_levels_fill_rings(rl_river *r)
{
    for (int n = 0; n < r->ring_count; n++) {
        const rl_river_ring_face f = r->rings[n];
        if (f.from_finer)
            *rl_river_face(r, f.level, f.axis, f.i, f.j) = from_finer(r, f.level, f.axis, f.i, f.j);
    }
    for (int n = r->ring_count - 1; n >= 0; n--) {
        const rl_river_ring_face f = r->rings[n];
        if (!f.from_finer)
            *rl_river_face(r, f.level, f.axis, f.i, f.j) =
                from_coarser(r, f.level, f.axis, f.i, f.j);
    }
}

// ---- Handing over ----------------------------------------------------------------------

// Gives every face of level k that was coarser before the flow of level k + 1.
static void refine_face(rl_river *r, const unsigned char *before, int k, int axis, int i, int j)
{
    const sides s = sides_of(r, before, k, axis, i, j);
    if (rl_river_full(&r->levels[k], axis, i, j) > 0.0f && s.low > k && s.high > k)
        *rl_river_face(r, k, axis, i, j) = from_coarser(r, k, axis, i, j);
}

static void coarsen_face(rl_river *r, const unsigned char *before, int k, int axis, int i, int j)
{
    const sides s = sides_of(r, before, k, axis, i, j);
    if (rl_river_full(&r->levels[k], axis, i, j) > 0.0f && (s.low < k || s.high < k))
        *rl_river_face(r, k, axis, i, j) = from_finer(r, k, axis, i, j);
}

static void refine_pressure(rl_river *r, const unsigned char *before, int k, int i, int j)
{
    const bool wet = rill_field_row(&r->levels[k].wet, j)[i] > 0.0f;
    if (wet && detail_at(r, before, k, i, j) > k)
        rill_field_row(&r->levels[k].pressure, j)[i] =
            rill_field_row(&r->levels[k + 1].pressure, j / 2)[i / 2];
}

static void coarsen_pressure(rl_river *r, const unsigned char *before, int k, int i, int j)
{
    if (detail_at(r, before, k, i, j) >= k)
        return;
    const rl_river_level *fine = &r->levels[k - 1];
    float sum = 0.0f, wet = 0.0f;
    for (int part = 0; part < 4; part++) {
        const int a = 2 * i + part % 2, b = 2 * j + part / 2;
        const float w = rl_river_cell_or_zero(&fine->wet, fine, a, b);
        sum += w * rl_river_cell_or_zero(&fine->pressure, fine, a, b);
        wet += w;
    }
    rill_field_row(&r->levels[k].pressure, j)[i] = wet > 0.0f ? sum / wet : 0.0f;
}

// Marks the squares of a level by the detail of the smallest squares in and beside them. `before`
// NULL: everything is new.
static void mark_squares(rl_river *r, int k, const unsigned char *before)
{
    rl_river_squares *s = &r->levels[k].squares;
    const int size = 1 << k;
    for (int n = 0; n < s->count; n++) {
        const int column = s->place[n] % s->across * size, row = s->place[n] / s->across * size;
        const int left = column > 0 ? column - 1 : 0, low = row > 0 ? row - 1 : 0;
        const int right = column + size < r->squares_x ? column + size : r->squares_x - 1;
        const int high = row + size < r->squares_y ? row + size : r->squares_y - 1;
        bool touched = before == NULL, mixed = false;
        const int start = low <= high && left <= right ? low * r->squares_x + left : 0;
        for (int b = low; b <= high; b++)
            for (int a = left; a <= right; a++) {
                const int at = b * r->squares_x + a;
                touched = touched || before[at] != r->square_level[at];
                mixed = mixed || r->square_level[at] != r->square_level[start];
            }
        s->marks[n] &= RL_RIVER_HAS_UNITS | RL_RIVER_HAS_WORK;
        s->marks[n] |= (touched ? RL_RIVER_TOUCHED : 0) | (mixed ? RL_RIVER_MIXED : 0);
    }
}

void rl_river_levels_mark(rl_river *r, const unsigned char *before)
{
    for (int k = 0; k < r->level_count; k++)
        mark_squares(r, k, before);
}

void rl_river_levels_regroup(rl_river *r)
{
    const rl_quadtree_view now = rl_quadtree_squares(r->detail);
    const size_t count = (size_t)now.squares_x * (size_t)now.squares_y;
    unsigned char *before = r->square_level_before;
    if (memcmp(r->square_level, now.level, count) == 0)
        return;
    rl_river_levels_fill_rings(r);
    memcpy(before, r->square_level, r->square_bytes);
    memcpy(r->square_level, now.level, count);
    int last = 0;
    for (size_t n = 0; n < count; n++) {
        last = before[n] > last ? before[n] : last;
        last = now.level[n] > last ? now.level[n] : last;
    }
    rl_river_levels_mark(r, before);
    for (int k = last - 1; k >= 0; k--)
        visit(r, before, k, RL_RIVER_TOUCHED, refine_face, refine_pressure);
    for (int k = 1; k <= last; k++)
        visit(r, before, k, RL_RIVER_TOUCHED, coarsen_face, coarsen_pressure);
    rl_river_levels_lay(r);
    rl_river_levels_fill_rings(r);
    r->velocities_fresh = false;
}
