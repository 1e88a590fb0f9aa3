// SPDX-License-Identifier: MIT
// river_squares.c - which squares of a level hold water, and the equations of the pressure in them.
//
// With p in metres^2/s over the cell size, the flow through a face in units of the cell size is
// opening times the difference of p, on every level: a face twice as long lies between centres
// twice as far apart. Exceptions are a joint, whose centres are 1.5 small cells apart, and a gate,
// where p is 0 at the face itself, half a cell away.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include <string.h>

#define GATE_WEIGHT 2.0f

// ---- Memory ----------------------------------------------------------------------------

static bool holds_water(const rl_river_level *level, int column, int row)
{
    const int i_end = column * RL_SQUARE + RL_SQUARE, j_end = row * RL_SQUARE + RL_SQUARE;
    for (int j = row * RL_SQUARE; j < j_end && j <= level->ny; j++) {
        const float *x = rill_field_row(&level->full_x, j), *y = rill_field_row(&level->full_y, j);
        const float *wet = rill_field_row(&level->wet, j);
        for (int i = column * RL_SQUARE; i < i_end && i <= level->nx; i++)
            if (x[i] > 0.0f || y[i] > 0.0f || wet[i] > 0.0f)
                return true;
    }
    return false;
}

static int count_squares(const rl_river_level *level, int across, int up)
{
    int count = 0;
    for (int row = 0; row < up; row++)
        for (int column = 0; column < across; column++)
            count += holds_water(level, column, row);
    return count;
}

static int packed_count(int level)
{
    return level == 0 ? RL_RIVER_PACKED - 5 : RL_RIVER_PACKED;
}

static void divide_memory(rl_river_squares *s, int level)
{
    const size_t each = ((size_t)s->capacity + 1) * RL_RIVER_AREA;
    for (int n = 0; n < packed_count(level); n++)
        s->packed[n] = s->memory + (size_t)n * each;
    if (level == 0) {
        s->equations = s->multigrid;
        s->b = s->r;
    }
}

// There is capacity for twice the squares of now: the ground may be edited later. Squares beyond it
// stay dry.
static bool create_squares(rl_river *r, int k)
{
    RL_ASSERT(k >= 0 && k < r->level_count);
    rl_river_level *level = &r->levels[k];
    rl_river_squares *s = &level->squares;
    s->across = level->nx / RL_SQUARE + 1;
    s->up = level->ny / RL_SQUARE + 1;
    const int all = s->across * s->up, found = count_squares(level, s->across, s->up);
    s->capacity = 2 * found + 32 < all ? 2 * found + 32 : all;
    const size_t capacity = (size_t)s->capacity;
    s->bytes = (size_t)packed_count(k) * (capacity + 1) * RL_RIVER_AREA * sizeof(float);
    s->memory = rl_owned_take(&r->own, s->bytes, 1);
    s->index = rl_owned_take(&r->own, (size_t)all, sizeof *s->index);
    s->beside = rl_owned_take(&r->own, capacity + 1, sizeof *s->beside);
    int **const lists[] = {&s->place, &s->work.squares, &s->units.squares, &s->marks};
    for (size_t n = 0; n < sizeof lists / sizeof lists[0]; n++)
        *lists[n] = rl_owned_take(&r->own, capacity + 1, sizeof(int));
    if (!r->own.failed)
        divide_memory(s, k);
    return !r->own.failed;
}

// Joints and rings lie along the rims of squares: this many squares of level 0 may have them.
static bool create_lists(rl_river *r)
{
    const int squares = r->levels[0].squares.capacity;
    r->joint_capacity = squares * 4 * RL_SQUARE;
    r->ring_capacity = squares * 16 * RL_SQUARE;
    r->gate_capacity = 4 * (r->nx + r->ny);
    r->tile_capacity = 0;
    for (int k = 0; k < r->level_count; k++)
        r->tile_capacity += r->levels[k].squares.capacity / RL_RIVER_TILE + 1;
    rl_owned *own = &r->own;
    r->found = rl_owned_take(own, (size_t)r->tile_capacity, sizeof *r->found);
    r->joints = rl_owned_take(own, (size_t)r->joint_capacity, sizeof *r->joints);
    r->rings = rl_owned_take(own, (size_t)r->ring_capacity, sizeof *r->rings);
    r->gates = rl_owned_take(own, (size_t)r->gate_capacity, sizeof *r->gates);
    return !own->failed;
}

bool rl_river_squares_create(rl_river *r)
{
    for (int k = 0; k < r->level_count; k++)
        if (!create_squares(r, k))
            return false;
    return create_lists(r);
}

// ---- Which squares ---------------------------------------------------------------------

static int square_at(const rl_river_squares *s, int column, int row)
{
    if (column < 0 || column >= s->across || row < 0 || row >= s->up)
        return s->capacity;
    const int square = s->index[row * s->across + column];
    return square < 0 ? s->capacity : square;
}

// A square beyond the capacity: its cells and faces are closed.
static void close_square(rl_river_level *level, int column, int row)
{
    for (int j = row * RL_SQUARE; j < (row + 1) * RL_SQUARE && j <= level->ny; j++) {
        const size_t at = (size_t)column * RL_SQUARE;
        memset(rill_field_row(&level->full_x, j) + at, 0, RL_SQUARE * sizeof(float));
        memset(rill_field_row(&level->full_y, j) + at, 0, RL_SQUARE * sizeof(float));
        memset(rill_field_row(&level->wet, j) + at, 0, RL_SQUARE * sizeof(float));
    }
}

void rl_river_squares_lay(rl_river_level *level)
{
    rl_river_squares *s = &level->squares;
    s->count = 0;
    for (int row = 0; row < s->up; row++)
        for (int column = 0; column < s->across; column++) {
            const int place = row * s->across + column;
            s->index[place] = -1;
            if (!holds_water(level, column, row))
                continue;
            if (s->count == s->capacity) {
                close_square(level, column, row);
                continue;
            }
            s->place[s->count] = place;
            s->index[place] = s->count++;
        }
    for (int n = 0; n < s->count; n++) {
        const int column = s->place[n] % s->across, row = s->place[n] / s->across;
        s->marks[n] = RL_RIVER_TOUCHED;
        for (int side = 0; side < RILL_SIDE_COUNT; side++) {
            const int east = (side == RILL_SIDE_EAST) - (side == RILL_SIDE_WEST);
            const int north = (side == RILL_SIDE_NORTH) - (side == RILL_SIDE_SOUTH);
            s->beside[n][side] = square_at(s, column + east, row + north);
        }
    }
    memset(s->memory, 0, s->bytes);
}

// ---- Equations -------------------------------------------------------------------------

// Has cell (i, j) an equation: 0 none, 1 in the multigrid alone, 2 the solver works on it.
static int standing(const rl_river *r, int k, int i, int j)
{
    const rl_river_level *level = &r->levels[k];
    if (i < 0 || i >= level->nx || j < 0 || j >= level->ny)
        return 0;
    if (!(rill_field_row(&level->wet, j)[i] > 0.0f))
        return 0;
    const int detail = rl_river_level_at(r, k, i, j);
    return detail == k ? 2 : detail < k ? 1 : 0;
}

static void set_weight(float *units, float *work, int at, int a, int b, float open)
{
    const int lower = a < b ? a : b;
    units[at] = lower >= 1 ? open : 0.0f;
    if (work != units)
        work[at] = lower == 2 ? open : 0.0f;
}

static void lay_weights(rl_river *r, int k, int square)
{
    RL_ASSERT(k >= 0 && k < r->level_count && square >= 0);
    rl_river_level *level = &r->levels[k];
    rl_river_squares *s = &level->squares;
    int i0, j0;
    rl_river_corner(s, square, &i0, &j0);
    for (int n = 0; n < RL_RIVER_AREA; n++) {
        const int i = i0 + n % RL_SQUARE, j = j0 + n / RL_SQUARE;
        const int at = square * RL_RIVER_AREA + n, here = standing(r, k, i, j);
        const bool inside = i <= level->nx && j <= level->ny;
        const float x = inside && i > 0 ? rill_field_row(&level->full_x, j)[i] : 0.0f;
        const float y = inside && j > 0 ? rill_field_row(&level->full_y, j)[i] : 0.0f;
        set_weight(s->multigrid.x, s->equations.x, at, here, standing(r, k, i - 1, j), x);
        set_weight(s->multigrid.y, s->equations.y, at, here, standing(r, k, i, j - 1), y);
    }
}

static float gates_of(const rl_river_level *level, int i, int j)
{
    float open = 0.0f;
    if (i == 0)
        open += rill_field_row(&level->full_x, j)[0];
    if (i == level->nx - 1)
        open += rill_field_row(&level->full_x, j)[level->nx];
    if (j == 0)
        open += rill_field_row(&level->full_y, 0)[i];
    if (j == level->ny - 1)
        open += rill_field_row(&level->full_y, level->ny)[i];
    return GATE_WEIGHT * open;
}

static void lay_diagonal(rl_river *r, int k, int square, const rl_river_equations *e, int least)
{
    const rl_river_level *level = &r->levels[k];
    const rl_river_squares *s = &level->squares;
    const rl_river_stencil a = rl_river_stencil_of(s, e, square);
    int i0, j0;
    rl_river_corner(s, square, &i0, &j0);
    float *diagonal = rl_river_packed(e->diagonal, square);
    for (int y = 0; y < RL_SQUARE; y++)
        for (int x = 0; x < RL_SQUARE; x++) {
            const int n = y * RL_SQUARE + x;
            const float east = x == RL_SQUARE - 1 ? a.x_east[y * RL_SQUARE] : a.x[n + 1];
            const float north = y == RL_SQUARE - 1 ? a.y_north[x] : a.y[n + RL_SQUARE];
            diagonal[n] = (a.x[n] + east) + (a.y[n] + north);
            if (standing(r, k, i0 + x, j0 + y) >= least)
                diagonal[n] += gates_of(level, i0 + x, j0 + y);
        }
}

// Joints belong to the equations of both their cells; in the multigrid to that of the small one,
// for there the large one's neighbour is of its own size.
static void add_joints(rl_river *r)
{
    for (int n = 0; n < r->joint_count; n++) {
        const rl_river_joint *joint = &r->joints[n];
        const float weight = joint->open / 1.5f;
        rl_river_squares *fine = &r->levels[joint->level].squares;
        rl_river_squares *coarse = &r->levels[joint->level + 1].squares;
        fine->multigrid.diagonal[joint->fine_at] += weight;
        if (joint->level > 0)
            fine->equations.diagonal[joint->fine_at] += weight;
        coarse->equations.diagonal[joint->coarse_at] += weight;
    }
}

static bool invert(const rl_river_equations *e, int square)
{
    const float *diagonal = rl_river_packed(e->diagonal, square);
    float *inverse = rl_river_packed(e->inverse, square);
    bool some = false;
    for (int n = 0; n < RL_RIVER_AREA; n++) {
        inverse[n] = diagonal[n] > 0.0f ? 1.0f / diagonal[n] : 0.0f;
        some = some || diagonal[n] > 0.0f;
    }
    return some;
}

// Squares with faces of gates and joints of cells in another square move water too.
static bool has_faces(const rl_river *r, int k, int square)
{
    const rl_river_level *level = &r->levels[k];
    const rl_river_squares *s = &level->squares;
    int i0, j0;
    rl_river_corner(s, square, &i0, &j0);
    for (int j = j0; j < j0 + RL_SQUARE && j <= level->ny; j++)
        for (int i = i0; i < i0 + RL_SQUARE && i <= level->nx; i++) {
            const bool x = rill_field_row(&level->full_x, j)[i] > 0.0f;
            const bool y = rill_field_row(&level->full_y, j)[i] > 0.0f;
            if ((x && (standing(r, k, i, j) == 2 || standing(r, k, i - 1, j) == 2)) ||
                (y && (standing(r, k, i, j) == 2 || standing(r, k, i, j - 1) == 2)))
                return true;
        }
    return false;
}

// What earlier solutions left in a square that is not used any more.
static void clear_square(rl_river_squares *s, int square)
{
    float *const solutions[] = {s->x, s->d, s->q, s->r, s->b, s->z, s->z_next};
    for (size_t n = 0; n < sizeof solutions / sizeof solutions[0]; n++)
        memset(rl_river_packed(solutions[n], square), 0, RL_RIVER_AREA * sizeof(float));
}

static void list_squares(rl_river *r, int k)
{
    RL_ASSERT(k >= 0 && k < r->level_count);
    rl_river_squares *s = &r->levels[k].squares;
    s->work.count = 0;
    s->units.count = 0;
    for (int n = 0; n < s->count; n++) {
        if (s->marks[n] & (RL_RIVER_TOUCHED | RL_RIVER_MIXED)) {
            const bool unit = invert(&s->multigrid, n);
            const bool works = k > 0 ? invert(&s->equations, n) : unit;
            s->marks[n] &= RL_RIVER_MIXED;
            s->marks[n] |= unit ? RL_RIVER_HAS_UNITS : 0;
            s->marks[n] |= works || has_faces(r, k, n) ? RL_RIVER_HAS_WORK : 0;
            clear_square(s, n);
        }
        if (s->marks[n] & RL_RIVER_HAS_UNITS)
            s->units.squares[s->units.count++] = n;
        if (s->marks[n] & RL_RIVER_HAS_WORK)
            s->work.squares[s->work.count++] = n;
    }
}

void rl_river_squares_equations(rl_river *r)
{
    r->laid++;
    for (int k = 0; k < r->level_count; k++) {
        rl_river_squares *s = &r->levels[k].squares;
        for (int n = 0; n < s->count; n++)
            if (s->marks[n] & RL_RIVER_TOUCHED)
                lay_weights(r, k, n);
        for (int n = 0; n < s->count; n++) {
            if (!(s->marks[n] & (RL_RIVER_TOUCHED | RL_RIVER_MIXED)))
                continue;
            lay_diagonal(r, k, n, &s->multigrid, 1);
            if (k > 0)
                lay_diagonal(r, k, n, &s->equations, 2);
        }
    }
    add_joints(r); // their cells lie in mixed squares
    for (int k = 0; k < r->level_count; k++)
        list_squares(r, k);
}
