// SPDX-License-Identifier: MIT
// pressure_sampling.c - samples the pressure on the surface of a body that keeps water out. The
// water around it is laid out once in a grid of cells. Triangles above all water are left alone;
// the rest are put side by side, as many as have the same number of parts, and their points and
// pieces are found and felt together (pressure_rows.c). Bodies without a grid, in several layers or
// larger than one, query point by point (rl_samples_pressure).
#include "bodies/sampling/pressure_sampling.h"

#include <string.h>

#define ROUNDING 1e-5 // metres: no mean of levels exceeds the highest by more

// ---- Grids -----------------------------------------------------------------------------

// Velocities of the cells of a grid; in which rows bodies block some, and levels there.
typedef struct grid_water {
    float x[RL_PRESSURE_CELLS + RILL_MARGIN_X], y[RL_PRESSURE_CELLS + RILL_MARGIN_X];
    unsigned char blocked[RL_PRESSURE_CELLS / 2]; // a grid has two columns at least
    float head[RL_PRESSURE_CELLS + RILL_MARGIN_X];
} grid_water;

// Levels beside the grid may be the work of another thread, so none but its own are read: vectors
// take more than that. They come from a copy, which is made before other things are done, because
// what has just been written in other pieces than it is read in is slow to read.
static void copy_heads(const rl_water_view *view, rl_box box, grid_water *to)
{
    const rl_blocks *b = view->blocks;
    const size_t width = (size_t)(box.i1 - box.i0);
    for (int j = box.j0; j < box.j1; j++) {
        const size_t row = (size_t)(j - box.j0);
        to->blocked[row] = b != NULL && b->first[j] < box.i1 && b->end[j] > box.i0;
        if (to->blocked[row])
            memcpy(to->head + row * width, rill_field_row(view->head, j) + box.i0,
                   width * sizeof(float));
    }
}

// A grid as the loops over its rows see it.
static rl_box_grid layout_of(const rl_water_view *view, rl_pressure_grid *grid,
                             const grid_water *water)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const rl_box box = grid->box;
    const size_t slot = (size_t)box.j0 * c->pitch + (size_t)box.i0;
    rl_box_grid layout = {.width = box.i1 - box.i0,
                          .rows = box.j1 - box.j0,
                          .depth = c->depth + slot,
                          .ground = c->base + slot,
                          .depth_pitch = c->pitch,
                          .ground_pitch = c->pitch,
                          .velocity_x = c->velocity_x + slot,
                          .velocity_y = c->velocity_y + slot,
                          .velocity_pitch = c->pitch,
                          .floor = c->base + slot, // not read unless bodies block
                          .lower = c->base + slot,
                          .blocked = water->blocked,
                          .head = water->head,
                          .wet_depth = c->wet_depth,
                          .reference = (float)grid->reference,
                          .cells = grid->cells};
    if (view->copy != NULL) {
        layout.velocity_x = water->x;
        layout.velocity_y = water->y;
        layout.velocity_pitch = (size_t)layout.width;
    }
    if (b != NULL) {
        layout.ground = rill_field_row(view->bed, box.j0) + box.i0;
        layout.ground_pitch = view->bed->pitch;
        layout.floor = rill_field_row(&b->floor, box.j0) + box.i0;
        layout.lower = rill_field_row(&b->lower, box.j0) + box.i0;
        layout.block_pitch = b->floor.pitch;
    }
    return layout;
}

// Cells that surfaces of a body read.
static rl_box box_of(const rl_body *body, int nx, int ny, double cell_size)
{
    const int cells[2] = {nx, ny};
    int low[2], high[2];
    for (int k = 0; k < 2; k++) {
        float unused;
        low[k] = rl_sample_axis(body->low[k] / cell_size - 1.51, cells[k], &unused);
        high[k] = rl_sample_axis(body->high[k] / cell_size + 0.51, cells[k], &unused) + 2;
    }
    return (rl_box){low[0], low[1], high[0], high[1]};
}

static bool fits(rl_box box)
{
    return (int64_t)(box.i1 - box.i0) * (box.j1 - box.j0) <= RL_PRESSURE_CELLS;
}

bool rl_pressure_fits(const rl_bodies *bodies, const rl_body *body)
{
    return fits(box_of(body, bodies->nx, bodies->ny, bodies->cell_size));
}

void rl_pressure_query(const rl_water_view *view, const rl_body *body, rl_pressure_grid *grid)
{
    const rl_box box = box_of(body, view->columns.nx, view->columns.ny, view->cell_size);
    grid->box = (rl_box){0, 0, 0, 0};
    grid->reference = (double)(float)body->position[2];
    grid->highest = INFINITY;
    if (view->columns.layers > 1 || !fits(box))
        return;
    grid_water water;
    copy_heads(view, box, &water);
    const rl_columns_request request = {
        .boxes = &box, .box_count = 1, .velocity_x = water.x, .velocity_y = water.y};
    if (view->copy != NULL)
        view->copy(view->solver, NULL, &request);
    grid->box = box;
    RL_ASSERT(box.i1 - box.i0 >= 2 && box.j1 - box.j0 >= 2);
    const rl_box_grid layout = layout_of(view, grid, &water);
    grid->highest = view->rows->grid(&layout);
}

// ---- Groups ----------------------------------------------------------------------------

// Puts a triangle of the body into a lane.
static void put(const rl_pressure_body *of, const uint32_t corners[3], int lane,
                rl_pressure_group *to)
{
    const size_t first = 3 * (size_t)of->body->first_vertex;
    for (int c = 0; c < 3; c++) {
        const float *p = of->bodies->position + first + 3 * (size_t)corners[c];
        const float *v = of->bodies->velocity + first + 3 * (size_t)corners[c];
        to->vertex[c][lane] = (int)corners[c];
        for (int k = 0; k < 3; k++) {
            to->corner[c][k][lane] = p[k];
            to->velocity[c][k][lane] = (double)v[k];
        }
    }
}

// Height of its lowest corner; `heights` are those of the vertices, three floats apart.
static double lowest_of(const float *heights, const uint32_t corners[3])
{
    const float a = heights[3 * (size_t)corners[0]], b = heights[3 * (size_t)corners[1]];
    const float c = heights[3 * (size_t)corners[2]], ab = a < b ? a : b;
    return (double)(ab < c ? ab : c);
}

// How many lanes are whole blocks.
static int whole_blocks(int count)
{
    return (count + RL_PRESSURE_BLOCK - 1) / RL_PRESSURE_BLOCK * RL_PRESSURE_BLOCK;
}

// Up to RL_PRESSURE_LANES triangles but for those above all water; returns how many are left. Lanes
// past the last are as the first.
static int gather(const rl_pressure_body *of, const uint32_t *corners, int count,
                  rl_pressure_group *to)
{
    const float *heights = of->bodies->position + 3 * (size_t)of->body->first_vertex + 2;
    const double reference = of->grid->reference, dry = (double)of->grid->highest + ROUNDING;
    const uint32_t *first = corners;
    int lane = 0;
    for (int t = 0; t < count; t++)
        if (lowest_of(heights, corners + 3 * t) - reference < dry) {
            first = lane == 0 ? corners + 3 * t : first;
            put(of, corners + 3 * t, lane++, to);
        }
    to->count = lane;
    to->lanes = whole_blocks(lane);
    for (; lane < RL_PRESSURE_LANES && to->count > 0; lane++)
        put(of, first, lane, to);
    return to->count;
}

// Copies a lane.
static void copy(const rl_pressure_group *from, int l, int lane, rl_pressure_group *to)
{
    to->area[lane] = from->area[l];
    for (int k = 0; k < 3; k++) {
        to->vertex[k][lane] = from->vertex[k][l];
        to->normal[k][lane] = from->normal[k][l];
        to->first[k][lane] = from->first[k][l];
        to->rows[k][lane] = from->rows[k][l];
        to->along[k][lane] = from->along[k][l];
        for (int c = 0; c < 3; c++)
            to->velocity[c][k][lane] = from->velocity[c][k][l];
    }
}

// Takes those from `first` on that have as many parts as that one. They have none afterwards.
static void take(rl_pressure_group *from, int first, rl_pressure_group *to)
{
    to->parts = from->own_parts[first];
    to->count = 0;
    for (int l = first; l < from->count; l++)
        if (from->own_parts[l] == to->parts) {
            copy(from, l, to->count++, to);
            from->own_parts[l] = 0;
        }
    to->lanes = whole_blocks(to->count);
    for (int lane = to->count; lane < RL_PRESSURE_LANES; lane++)
        copy(from, first, lane, to);
}

static bool all_alike(const rl_pressure_group *group)
{
    int different = group->own_parts[0] == 0;
    for (int l = 0; l < group->count; l++)
        different += group->own_parts[l] != group->own_parts[0];
    return different == 0;
}

// ---- Points ----------------------------------------------------------------------------

// What the points of a row find where there is no grid.
static void find_beyond(const rl_pressure_body *of, const rl_pressure_group *g, int row,
                        rl_pressure_points *points)
{
    const float *position = of->bodies->position + 3 * (size_t)of->body->first_vertex;
    const double scale = 1.0 / g->parts;
    points->unseen = 0;
    for (int n = 0; n <= g->parts - row; n++)
        for (int l = 0; l < g->lanes; l++) {
            const double weights[3] = {(g->parts - row - n) * scale, row * scale, n * scale};
            const double normal[3] = {g->normal[0][l], g->normal[1][l], g->normal[2][l]};
            double p[3] = {0.0, 0.0, 0.0};
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++)
                    p[k] += weights[c] * (double)position[3 * g->vertex[c][l] + k];
            const rl_pressure_state state = rl_samples_pressure(of->view, p, normal);
            const bool seen = state.level > RL_NO_WATER;
            points->at[n].depth[l] = seen ? state.level - p[2] : RL_NO_WATER;
            points->at[n].flow_x[l] = state.flow[0];
            points->at[n].flow_y[l] = state.flow[1];
            points->unseen |= !seen;
        }
}

static void find(const rl_pressure_body *of, const rl_pressure_rows *rows,
                 const rl_pressure_group *group, int row, rl_pressure_points *points)
{
    if (of->grid->box.i1 > of->grid->box.i0)
        rows->find(of->grid, group, row, points);
    else
        find_beyond(of, group, row, points);
}

// ---- Sampling --------------------------------------------------------------------------

// Samples a group whose triangles have the same number of parts.
static void sample_group(const rl_pressure_body *of, const rl_pressure_rows *rows,
                         const rl_pressure_group *group, rl_visit_pressures visit, void *context)
{
    RL_ASSERT(group->parts > 0 && group->parts <= RL_MAX_PARTS);
    RL_ASSERT(group->count > 0 && group->count <= group->lanes);
    RL_ASSERT(group->lanes % RL_PRESSURE_BLOCK == 0 && group->lanes <= RL_PRESSURE_LANES);
    rl_pressure_points points[2];
    rl_pressure_felt felt;
    memset(&felt, 0, sizeof felt);
    find(of, rows, group, 0, &points[0]);
    for (int row = 0; row < group->parts; row++) {
        rl_pressure_points *here = &points[row % 2], *next = &points[(row + 1) % 2];
        find(of, rows, group, row + 1, next);
        rows->feel(group, &of->pull, row, here, next, &felt);
    }
    visit(context, group, &felt);
}

void rl_pressure_sample(const rl_pressure_body *of, rl_visit_pressures visit, void *context)
{
    const rl_pressure_rows *rows = RL_ROWS_OF(of->bodies->isa, rl_pressure_rows);
    RL_ASSERT(of->largest > 0.0);
    const uint32_t *corners = of->bodies->triangles + 3 * (size_t)of->body->first_triangle;
    rl_pressure_group group, alike;
    for (int left = of->body->triangle_count; left > 0; left -= RL_PRESSURE_LANES) {
        const int count = left < RL_PRESSURE_LANES ? left : RL_PRESSURE_LANES;
        const int wet = gather(of, corners, count, &group);
        corners += 3 * (size_t)count;
        if (wet == 0)
            continue;
        rows->shape(of->grid, of->view->cell_size, of->largest, &group);
        if (all_alike(&group)) { // as most are
            group.parts = group.own_parts[0];
            sample_group(of, rows, &group, visit, context);
            continue;
        }
        for (int l = 0; l < group.count; l++)
            if (group.own_parts[l] > 0) {
                take(&group, l, &alike);
                sample_group(of, rows, &alike, visit, context);
            }
    }
}
