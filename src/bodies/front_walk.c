// SPDX-License-Identifier: MIT
// front_walk.c - walks over the triangles of a body that keeps water out. Those above all water are
// left alone; the others are put side by side, as many as have the same number of parts, and their
// points and pieces are found and felt together (front_rows.c). samples_front.c says of one point
// of any water what is found here in the tile of the body.
#include "bodies/front_walk.h"

#include <string.h>

// Corners of `count` triangles; the rest are as the first.
static void gather(const rl_front_body *of, const uint32_t *corners, int count,
                   rl_front_triangles *to)
{
    const float *position = of->bodies->position + 3 * (size_t)of->body->first_vertex;
    for (int t = 0; t < RL_FRONT_LANES; t++)
        for (int c = 0; c < 3; c++) {
            const float *p = position + 3 * (size_t)corners[3 * (t < count ? t : 0) + c];
            for (int k = 0; k < 3; k++)
                to->corner[c][k][t] = p[k];
        }
}

// ---- Groups ----------------------------------------------------------------------------

// Puts triangle t, with its corners, into a lane.
static void put(const rl_front_body *of, const rl_front_triangles *from, int t,
                const uint32_t corner[3], int lane, rl_front_group *to)
{
    const float *velocity = of->bodies->velocity + 3 * (size_t)of->body->first_vertex;
    to->area[lane] = from->area[t];
    for (int k = 0; k < 3; k++) {
        to->normal[k][lane] = from->normal[k][t];
        to->first[k][lane] = from->first[k][t];
        to->rows[k][lane] = from->rows[k][t];
        to->along[k][lane] = from->along[k][t];
    }
    for (int c = 0; c < 3; c++) {
        const float *v = velocity + 3 * (size_t)corner[c];
        to->vertex[c][lane] = (int)corner[c];
        for (int k = 0; k < 3; k++)
            to->velocity[c][k][lane] = (double)v[k];
    }
}

// Takes those from `first` on that have as many parts as that one. They have none afterwards.
static void take(const rl_front_body *of, rl_front_triangles *from, int first, int count,
                 const uint32_t *corners, rl_front_group *to)
{
    to->parts = from->parts[first];
    to->count = 0;
    for (int t = first; t < count; t++)
        if (from->parts[t] == to->parts) {
            put(of, from, t, corners + 3 * t, to->count++, to);
            from->parts[t] = 0;
        }
    for (to->lanes = to->count; to->lanes % 4 != 0; to->lanes++)
        put(of, from, first, corners + 3 * first, to->lanes, to);
}

// What the points of a row find where there is no tile.
static void find_beyond(const rl_front_body *of, const rl_front_group *g, int row,
                        rl_front_points *points)
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
            const rl_front front = rl_samples_front(of->view, p, normal);
            const bool seen = front.level > RL_NO_WATER;
            points->at[n].depth[l] = seen ? front.level - p[2] : RL_NO_WATER;
            points->at[n].flow_x[l] = front.flow[0];
            points->at[n].flow_y[l] = front.flow[1];
            points->unseen |= !seen;
        }
}

static void find(const rl_front_body *of, const rl_front_rows *rows, const rl_front_group *group,
                 int row, rl_front_points *points)
{
    if (of->tile->box.i1 > of->tile->box.i0)
        rows->find(of->tile, group, row, points);
    else
        find_beyond(of, group, row, points);
}

// ---- The walk --------------------------------------------------------------------------

static void walk_group(const rl_front_body *of, const rl_front_rows *rows,
                       const rl_front_group *group, rl_front_felt *felt)
{
    rl_front_points points[2];
    memset(felt, 0, sizeof *felt);
    find(of, rows, group, 0, &points[0]);
    for (int row = 0; row < group->parts; row++) {
        rl_front_points *near = &points[row % 2], *far = &points[(row + 1) % 2];
        find(of, rows, group, row + 1, far);
        rows->feel(group, &of->pull, row, near, far, felt);
    }
}

void rl_front_walk(const rl_front_body *of, rl_visit_fronts visit, void *context)
{
    const rl_front_rows *rows = RL_ROWS_OF(of->bodies->isa, rl_front_rows);
    const uint32_t *corners = of->bodies->triangles + 3 * (size_t)of->body->first_triangle;
    rl_front_triangles triangles;
    rl_front_group group;
    rl_front_felt felt;
    for (int left = of->body->triangle_count; left > 0; left -= RL_FRONT_LANES) {
        const int count = left < RL_FRONT_LANES ? left : RL_FRONT_LANES;
        gather(of, corners, count, &triangles);
        rows->shape(of->tile, of->view->cell_size, of->largest, &triangles);
        for (int t = 0; t < count; t++)
            if (triangles.parts[t] > 0) {
                take(of, &triangles, t, count, corners, &group);
                walk_group(of, rows, &group, &felt);
                visit(context, &group, &felt);
            }
        corners += 3 * (size_t)count;
    }
}
