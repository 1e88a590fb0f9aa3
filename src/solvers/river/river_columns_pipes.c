// SPDX-License-Identifier: MIT
// river_columns_pipes.c - one step of the hydrostatic columns (Burrell section 3.4).
//
// Each wet column is a stack of K cells. A pipe joins each pair of overlapping cells of two
// neighbouring columns; its cross-section is the height of the overlap times dx (Eq. 3.20, 3.21).
// Its velocity is driven by the difference of pressure at equal heights (Eq. 3.22, 3.23;
// erratum 5 to Burrell), and that is the same at all heights below both surfaces:
//
//     n = f^dt n0 + dt g (head_a - head_b) / dx      head = eta + |u|^2 / (2 g)
//
// eta is how far the surface of the column is above the level that was found for the river: a level
// that falls along the river is in balance with the friction of its bed. The second term is the
// pressure p_e that the moving water exerts (Bernoulli). So all pipes through a face have one
// velocity, which is stored per face, and the pipes of a cell k to a neighbouring column together
// have the cross-section of the overlap of the cell with that whole column. Pipes one by one matter
// only where a giving cell has too little water: then all that leaves it is scaled by the same
// factor, after all flows are known (erratum 6 to Burrell).
//
//     eta, u --head--> head --accelerate--> n --find scant cells--> scant --transfer--> heights,
//     pressure
#include "solvers/river/river_internal.h"

#include "core/assert.h"
#include "core/numbers.h"

#include <math.h>
#include <string.h>

// Of the bound dx / sqrt(2 g h) of symplectic steps on a square grid (docs/theory/pipes.md).
#define SAFETY 0.7

typedef struct pass {
    rl_river *river;
    void (*row)(const struct pass *p, int j);
    float friction;    // f^dt
    float drive;       // dt g / dx
    float per_cell;    // dt / dx
    float half_per_g;  // 1 / (2 g)
    double *row_large; // per row: largest relative change of the pressure
} pass;

// A face of a column: velocity out of it, and the heights that the column beyond it covers.
typedef struct outlet {
    float out;
    float low, high;
    int i, j;
    int kind;
} outlet;

int rl_column_next(const unsigned char *kinds, int i, int nx)
{
    RL_ASSERT(i >= 0);
    while (i < nx) {
        uint64_t eight;
        if (i + 8 <= nx) {
            memcpy(&eight, kinds + i, sizeof eight);
            if (eight == 0) {
                i += 8;
                continue;
            }
        }
        if (kinds[i] == RL_COLUMN_WET)
            return i;
        i++;
    }
    return nx;
}

// ---- Velocities ------------------------------------------------------------------------

// What the moving water adds to the head of a column.
static float lift_of(const pass *p, int i, int j)
{
    const rl_river *r = p->river;
    const float u = rill_field_row(&r->velocity_x, j)[i], v = rill_field_row(&r->velocity_y, j)[i];
    return (u * u + v * v) * p->half_per_g;
}

// Heads lie where the new pressures will: those are not made before all pipes have their velocity.
static void head_row(const pass *p, int j)
{
    const rl_river *r = p->river;
    const unsigned char *kinds = rl_column_kinds(r, j);
    const float *pressure = rill_field_row(&r->columns->pressure, j);
    const float *depth = rill_field_row(&r->depth, j);
    float *head = rill_field_row(&r->columns->pressure_next, j);
    RL_FOR_WET_COLUMNS (i, kinds, r->nx)
        head[i] = (pressure[i] - depth[i]) + lift_of(p, i, j);
}

static void accelerate(const pass *p, float *n, float head_from, float head_to)
{
    *n = p->friction * *n + p->drive * (head_from - head_to);
}

// The west and south faces of a row, and those of the grid's borders east and north of it. Beyond
// an open border the level is held and the flow is that of the cell beside it.
static void accelerate_row(const pass *p, int j)
{
    const rl_river *r = p->river;
    const rl_river_columns *c = r->columns;
    const unsigned char *kinds = rl_column_kinds(r, j), *south = rl_column_kinds(r, j - 1);
    const float *head = rill_field_row(&c->pressure_next, j);
    const float *head_south = rill_field_row(&c->pressure_next, j > 0 ? j - 1 : j);
    float *u = rill_field_row(&c->u, j), *v = rill_field_row(&c->v, j);
    RL_FOR_WET_COLUMNS (i, kinds, r->nx) {
        if (kinds[i - 1] != RL_COLUMN_NONE)
            accelerate(p, &u[i], i > 0 ? head[i - 1] : lift_of(p, i, j), head[i]);
        if (south[i] != RL_COLUMN_NONE)
            accelerate(p, &v[i], j > 0 ? head_south[i] : lift_of(p, i, j), head[i]);
        if (i == r->nx - 1)
            accelerate(p, &u[i + 1], head[i], lift_of(p, i, j));
        if (j == r->ny - 1)
            accelerate(p, &rill_field_row(&c->v, j + 1)[i], head[i], lift_of(p, i, j));
    }
}

// ---- Transfer --------------------------------------------------------------------------

static outlet outlet_of(const rl_river *r, int i, int j, float out)
{
    RL_ASSERT(i >= -1 && i <= r->nx && j >= -1 && j <= r->ny);
    outlet o = {.out = out, .i = i, .j = j, .kind = rl_column_kinds(r, j)[i]};
    if (o.kind == RL_COLUMN_WET) {
        o.low = rill_field_row(&r->bed, j)[i];
        o.high = o.low + rill_field_row(&r->columns->pressure, j)[i];
    } else if (o.kind == RL_COLUMN_BEYOND) { // as deep as the column on this side
        o.low = -INFINITY;
        o.high = INFINITY;
    }
    return o;
}

static void outlets_of(const rl_river *r, int i, int j, outlet outlets[4])
{
    const rl_river_columns *c = r->columns;
    const float *u = rill_field_row(&c->u, j);
    outlets[0] = outlet_of(r, i - 1, j, -u[i]);
    outlets[1] = outlet_of(r, i + 1, j, u[i + 1]);
    outlets[2] = outlet_of(r, i, j - 1, -rill_field_row(&c->v, j)[i]);
    outlets[3] = outlet_of(r, i, j + 1, rill_field_row(&c->v, j + 1)[i]);
}

static float overlap(float low_a, float high_a, float low_b, float high_b)
{
    const float low = rl_larger(low_a, low_b), high = rl_smaller(high_a, high_b);
    return high > low ? high - low : 0.0f;
}

// Bottoms of the cells of a column; [K] is its top.
static void bottoms_of(const rl_river *r, int i, int j, float bottom[RL_COLUMN_CELLS + 1])
{
    const rl_river_columns *c = r->columns;
    const float *height = rill_field_row(&c->height, j) + (size_t)i * (size_t)c->cells;
    bottom[0] = rill_field_row(&r->bed, j)[i];
    for (int k = 0; k < c->cells; k++)
        bottom[k + 1] = bottom[k] + height[k];
}

// Outflow limiters of the cells of a column: what part of what the pipes would take each can give,
// at most 1.
static void limiters_of(const pass *p, int i, int j, float limiter[RL_COLUMN_CELLS])
{
    const rl_river *r = p->river;
    const int cells = r->columns->cells;
    const float *height = rill_field_row(&r->columns->height, j) + (size_t)i * (size_t)cells;
    for (int k = 0; k < cells; k++)
        limiter[k] = 1.0f;
    if (rl_column_scant(r, j)[i] == 0)
        return;
    float bottom[RL_COLUMN_CELLS + 1];
    outlet outlets[4];
    bottoms_of(r, i, j, bottom);
    outlets_of(r, i, j, outlets);
    for (int k = 0; k < cells; k++) {
        float out = 0.0f;
        for (int side = 0; side < 4; side++)
            if (outlets[side].out > 0.0f)
                out += p->per_cell * outlets[side].out *
                       overlap(bottom[k], bottom[k + 1], outlets[side].low, outlets[side].high);
        if (out > height[k])
            limiter[k] = height[k] / out;
    }
}

// No overlap is higher than the cell, so a column whose faces together take less than all of it has
// enough in every cell.
static void find_scant_row(const pass *p, int j)
{
    const rl_river *r = p->river;
    const unsigned char *kinds = rl_column_kinds(r, j);
    unsigned char *scant = rl_column_scant(r, j);
    const float *u = rill_field_row(&r->columns->u, j), *v = rill_field_row(&r->columns->v, j);
    const float *v_north = rill_field_row(&r->columns->v, j + 1);
    RL_FOR_WET_COLUMNS (i, kinds, r->nx) {
        const float out = rl_larger(-u[i], 0.0f) + rl_larger(u[i + 1], 0.0f) +
                          rl_larger(-v[i], 0.0f) + rl_larger(v_north[i], 0.0f);
        scant[i] = p->per_cell * out > 1.0f;
    }
}

// What comes in from a scant column, pipe by pipe.
static void take_from_scant(const pass *p, const outlet *from, const float *bottom, float *change)
{
    const rl_river *r = p->river;
    const int cells = r->columns->cells;
    float limiter[RL_COLUMN_CELLS], theirs[RL_COLUMN_CELLS + 1];
    limiters_of(p, from->i, from->j, limiter);
    bottoms_of(r, from->i, from->j, theirs);
    for (int k = 0; k < cells; k++)
        for (int l = 0; l < cells; l++)
            change[k] -= p->per_cell * from->out * limiter[l] *
                         overlap(bottom[k], bottom[k + 1], theirs[l], theirs[l + 1]);
}

static void transfer_through(const pass *p, const outlet *o, const float *bottom,
                             const float *limiter, float *change)
{
    const rl_river *r = p->river;
    if (o->kind == RL_COLUMN_NONE || o->out == 0.0f)
        return;
    if (o->out < 0.0f && o->kind == RL_COLUMN_WET && rl_column_scant(r, o->j)[o->i] != 0) {
        take_from_scant(p, o, bottom, change);
        return;
    }
    // Overlaps with a whole column are what is left of the cells between its bottom and its top.
    const bool scant = o->out > 0.0f && limiter != NULL;
    const float taken = p->per_cell * o->out;
    float below = rl_smaller(rl_larger(bottom[0], o->low), o->high);
    for (int k = 0; k < r->columns->cells; k++) {
        const float above = rl_smaller(rl_larger(bottom[k + 1], o->low), o->high);
        change[k] -= (scant ? taken * limiter[k] : taken) * (above - below);
        below = above;
    }
}

// New heights of one column; returns their sum.
static float transfer_column(const pass *p, int i, int j)
{
    const rl_river *r = p->river;
    const rl_river_columns *c = r->columns;
    const bool scant = rl_column_scant(r, j)[i] != 0;
    float bottom[RL_COLUMN_CELLS + 1], limiter[RL_COLUMN_CELLS], change[RL_COLUMN_CELLS];
    outlet outlets[4];
    for (int k = 0; k < c->cells; k++)
        change[k] = 0.0f;
    bottoms_of(r, i, j, bottom);
    if (scant)
        limiters_of(p, i, j, limiter);
    outlets_of(r, i, j, outlets);
    for (int side = 0; side < 4; side++)
        transfer_through(p, &outlets[side], bottom, scant ? limiter : NULL, change);

    const size_t first = (size_t)i * (size_t)c->cells;
    const float *height = rill_field_row(&c->height, j) + first;
    float *next = rill_field_row(&c->height_next, j) + first;
    float sum = 0.0f;
    for (int k = 0; k < c->cells; k++) {
        next[k] = rl_larger(height[k] + change[k], 0.0f); // below 0 only by rounding
        sum += next[k];
    }
    return sum;
}

static void transfer_row(const pass *p, int j)
{
    const rl_river *r = p->river;
    const rl_river_columns *c = r->columns;
    const unsigned char *kinds = rl_column_kinds(r, j);
    const float *before = rill_field_row(&c->pressure, j);
    float *after = rill_field_row(&c->pressure_next, j);
    float largest = 0.0f;
    RL_FOR_WET_COLUMNS (i, kinds, r->nx) {
        const float sum = transfer_column(p, i, j);
        // Pipes between the cells of a column keep them alike, so that none runs out because its
        // neighbours lie lower.
        float *next = rill_field_row(&c->height_next, j) + (size_t)i * (size_t)c->cells;
        const float mean = sum / (float)c->cells;
        for (int k = 0; k < c->cells; k++)
            next[k] = mean + p->friction * (next[k] - mean);
        after[i] = sum;
        largest = rl_larger(largest, fabsf(sum - before[i]) / rl_larger(before[i], r->wet_depth));
    }
    p->row_large[j] = (double)largest;
}

// What a state is made of stays in its place.
static void take_over_row(const pass *p, int j)
{
    const rl_river *r = p->river;
    const rl_river_columns *c = r->columns;
    const unsigned char *kinds = rl_column_kinds(r, j);
    const float *height = rill_field_row(&c->height_next, j);
    const float *pressure = rill_field_row(&c->pressure_next, j);
    RL_FOR_WET_COLUMNS (i, kinds, r->nx) {
        const size_t at = (size_t)i * (size_t)c->cells;
        memcpy(rill_field_row(&c->height, j) + at, height + at, (size_t)c->cells * sizeof(float));
        rill_field_row(&c->pressure, j)[i] = pressure[i];
    }
}

// ---- A step ----------------------------------------------------------------------------

static void run_tile(void *context, int tile)
{
    const pass *p = context;
    for (int j = tile * RL_RIVER_ROWS; j < p->river->ny && j < (tile + 1) * RL_RIVER_ROWS; j++)
        p->row(p, j);
}

double rl_river_pipes_stable(const rl_river *r)
{
    const rl_river_runs *all = &r->levels[0].all;
    float deepest = 1e-6f;
    for (int n = 0; n < all->count; n++) {
        const float *pressure = rill_field_row(&r->columns->pressure, all->runs[n].row);
        for (int i = all->runs[n].first; i < all->runs[n].end; i++)
            deepest = rl_larger(deepest, pressure[i]);
    }
    return SAFETY * (double)r->cell_size / sqrt(2.0 * (double)r->gravity * (double)deepest);
}

double rl_river_pipes_step(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(r->columns != NULL && dt > 0.0);
    pass p = {
        .river = r,
        .friction = (float)rill_power((double)r->def.columns.friction, dt),
        .drive = (float)(dt * (double)r->gravity / (double)r->cell_size),
        .per_cell = (float)(dt / (double)r->cell_size),
        .half_per_g = 0.5f / r->gravity,
        .row_large = r->row_sums,
    };
    const int tiles = (r->ny + RL_RIVER_ROWS - 1) / RL_RIVER_ROWS;
    void (*const passes[])(const pass *, int) = {head_row, accelerate_row, find_scant_row,
                                                 transfer_row, take_over_row};
    for (size_t n = 0; n < sizeof passes / sizeof passes[0]; n++) {
        p.row = passes[n];
        rl_jobs_run(jobs, tiles, run_tile, &p);
    }
    double largest = 0.0;
    for (int j = 0; j < r->ny; j++)
        largest = fmax(largest, r->row_sums[j]);
    return largest;
}
