// SPDX-License-Identifier: MIT
// scene_channel.c - a river's channel in the ground: a floor of some width along a line through
// points, with banks that rise from it. Only takes ground away.
#include "scene/reader/scene_internal.h"

#include <math.h>

#define PIECES 12 // straight pieces between two points of the line

static rill_status read_point(rl_toml_table table, size_t index, const rl_toml_value *list,
                              double point[3])
{
    if (list->kind != RL_TOML_ARRAY || rl_toml_size(list) != 3)
        return rl_toml_fail(table.document, &list->place, "%s.points[%zu] must be [x, y, z]",
                            table.path, index);
    for (size_t n = 0; n < 3; n++) {
        const rl_toml_value *number = rl_toml_at(list, n);
        point[n] = rl_toml_number(number);
        const double most = n < 2 ? RL_SCENE_FAR : RL_SCENE_HIGH;
        if ((number->kind != RL_TOML_FLOAT && number->kind != RL_TOML_INTEGER) ||
            !(fabs(point[n]) <= most))
            return rl_toml_fail(table.document, &number->place,
                                "%s.points[%zu] must hold numbers between %g and %g", table.path,
                                index, -most, most);
    }
    return RILL_OK;
}

rill_status rl_scene_read_channel(rl_toml_table table, rl_scene_feature *shape)
{
    rl_toml_require(table, "points");
    const rl_toml_value *points = rl_toml_get_value(table, "points");
    if (points == NULL || points->kind != RL_TOML_ARRAY)
        return rl_toml_refuse(table, "points", "must be an array of points [x, y, z]");
    const size_t count = rl_toml_size(points);
    if (count < 2 || count > RL_CHANNEL_POINTS)
        return rl_toml_refuse(table, "points", "must have between 2 and %d points, it has %zu",
                              RL_CHANNEL_POINTS, count);
    rill_status status = RILL_OK;
    for (size_t n = 0; n < count && status == RILL_OK; n++)
        status = read_point(table, n, rl_toml_at(points, n), shape->points[n]);
    shape->point_count = (int)count;
    return status;
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

// The line is a Catmull-Rom spline in x and y whose parameter is the distance between points, so
// that two points close together do not make it loop. The floor falls evenly from point to point:
// such a pair makes a step.
static void place(const rl_scene_feature *shape, int piece, double out[3])
{
    const int last = shape->point_count - 1;
    RL_ASSERT(last >= 1 && last < RL_CHANNEL_POINTS && piece <= last * PIECES);
    int n = piece / PIECES;
    double t = (double)(piece % PIECES) / PIECES;
    if (n >= last) {
        n = last - 1;
        t = 1.0;
    }
    const double *p0 = shape->points[n > 0 ? n - 1 : 0], *p1 = shape->points[n];
    const double *p2 = shape->points[n + 1], *p3 = shape->points[n + 2 <= last ? n + 2 : last];
    const double here = apart(p1, p2), before = apart(p0, p1) + here, after = apart(p2, p3) + here;
    for (int k = 0; k < 2; k++) {
        const double from = before > 0.0 ? here * (p2[k] - p0[k]) / before : 0.0;
        const double to = after > 0.0 ? here * (p3[k] - p1[k]) / after : 0.0;
        const double rise = p2[k] - p1[k];
        out[k] =
            p1[k] + t * (from + t * (3.0 * rise - 2.0 * from - to + t * (from + to - 2.0 * rise)));
    }
    out[2] = p1[2] + t * (p2[2] - p1[2]);
}

// Distance from (x, y) to the piece, squared, and the floor's elevation at the nearest place.
static double distance_to(const double from[3], const double to[3], double x, double y,
                          double *floor_here)
{
    const double ax = to[0] - from[0], ay = to[1] - from[1];
    const double length = ax * ax + ay * ay;
    double t = length > 0.0 ? ((x - from[0]) * ax + (y - from[1]) * ay) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const double dx = x - from[0] - t * ax, dy = y - from[1] - t * ay;
    *floor_here = from[2] + t * (to[2] - from[2]);
    return dx * dx + dy * dy;
}

void rl_scene_cut_channel(rill_scene *scene, const rl_scene_feature *shape)
{
    double line[(RL_CHANNEL_POINTS - 1) * PIECES + 1][3];
    const int pieces = (shape->point_count - 1) * PIECES;
    for (int n = 0; n <= pieces; n++)
        place(shape, n, line[n]);
    const rill_field *field = rill_heightfield_field(scene->ground);
    const double cell = scene->info.cell_size;
    for (int j = 0; j < field->ny; j++) {
        float *row = rill_field_row(field, j);
        for (int i = 0; i < field->nx; i++) {
            const double x = (i + 0.5) * cell, y = (j + 0.5) * cell;
            double nearest = INFINITY, bottom = 0.0;
            for (int n = 0; n < pieces; n++) {
                double here = 0.0;
                const double squared = distance_to(line[n], line[n + 1], x, y, &here);
                if (squared < nearest) {
                    nearest = squared;
                    bottom = here;
                }
            }
            const double off = sqrt(nearest) - 0.5 * shape->width;
            const float cut = (float)(bottom + (off > 0.0 ? shape->bank * off : 0.0));
            row[i] = cut < row[i] ? cut : row[i];
        }
    }
}
