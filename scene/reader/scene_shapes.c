// SPDX-License-Identifier: MIT
// scene_shapes.c - [[terrain.shape]]: hills, boxes, bowls, channels and the like, added to the
// ground one after the other. Exponentials and sines are our own, made of + - * / alone, so that
// the ground of a scene has the same bits on every machine.
#include "scene/reader/scene_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define MOST_SHAPES 10000
#define ONE_BY_E    0.36787944117144233
#define CLOSED      1e-3 // metres: nearer points of a channel are one
#define PIECES      12   // straight pieces between two points of the line of a channel

// ---- Reading ---------------------------------------------------------------------------

#define KIND(name) (1u << RL_FEATURE_##name)
#define ROUND      (KIND(HILL) | KIND(BOWL) | KIND(CYLINDER))
#define KEY(key, member, low, high, kinds) \
    key, offsetof(rl_scene_feature, member), low, high, kinds, .needed = true

static const rl_scene_number shape_keys[] = {
    {KEY("x", x, -RL_SCENE_FAR, RL_SCENE_FAR, ROUND)},
    {KEY("y", y, -RL_SCENE_FAR, RL_SCENE_FAR, ROUND)},
    {KEY("height", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(HILL) | KIND(BOX) | KIND(CYLINDER))},
    {KEY("depth", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(BOWL))},
    {KEY("radius", radius, 1e-9, RL_SCENE_FAR, ROUND)},
    {KEY("direction_x", along_x, -1000.0, 1000.0, KIND(SLOPE))},
    {KEY("direction_y", along_y, -1000.0, 1000.0, KIND(SLOPE))},
    {KEY("amplitude", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(RIPPLE))},
    {KEY("wavelength_x", along_x, 1e-9, RL_SCENE_FAR, KIND(RIPPLE))},
    {KEY("wavelength_y", along_y, 1e-9, RL_SCENE_FAR, KIND(RIPPLE))},
    {KEY("amplitude", amount, 0.0, RL_SCENE_HIGH, KIND(ROUGH))},
    {KEY("elevation", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(SET))},
    {KEY("width", width, 0.0, RL_SCENE_FAR, KIND(CHANNEL))},
    {KEY("bank", bank, 0.0, 1000.0, KIND(CHANNEL))},
    {0},
};

static bool has_box(rl_feature_kind kind)
{
    return kind == RL_FEATURE_BOX || kind == RL_FEATURE_SET;
}

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

static rill_status read_channel(rl_toml_table table, rl_scene_feature *shape)
{
    rl_toml_require(table, "points");
    const rl_toml_value *points = rl_toml_get_value(table, "points");
    if (points == NULL || points->kind != RL_TOML_ARRAY)
        return rl_toml_refuse(table, "points", "must be an array of points [x, y, z]");
    const size_t count = rl_toml_size(points);
    if (count < 2 || count > RL_CHANNEL_POINTS)
        return rl_toml_refuse(table, "points", "must have between 2 and %d points, it has %zu",
                              RL_CHANNEL_POINTS, count);
    for (size_t n = 0; n < count; n++)
        RILL_TRY(read_point(table, n, rl_toml_at(points, n), shape->points[n]));
    shape->point_count = (int)count;
    return RILL_OK;
}

static rill_status read_shape(rill_scene *scene, rl_toml_table table, void *item)
{
    static const char *const kinds[] = {"hill",  "box", "bowl",     "slope",   "ripple",
                                        "rough", "set", "cylinder", "channel", NULL};
    rl_scene_feature *shape = item;
    rl_toml_require(table, "kind");
    rl_toml_get_choice(table, "kind", kinds, &shape->kind);
    if (has_box(shape->kind))
        rl_scene_read_box(scene, table, &shape->box);
    if (shape->kind == RL_FEATURE_CHANNEL)
        read_channel(table, shape);
    return rl_scene_read_numbers(table, shape_keys, (int)shape->kind, shape);
}

rill_status rl_scene_read_features(rill_scene *scene, rl_toml_table terrain)
{
    rl_scene_terrain *plan = &scene->terrain;
    return rl_scene_read_tables(scene, terrain, "shape", MOST_SHAPES, sizeof *plan->shapes,
                                read_shape, &plan->shapes, &plan->shape_count);
}

// ---- Adding to the ground --------------------------------------------------------------

// Metres along x after which the ground begins anew; 0: never.
static double period_of(const rill_scene *scene)
{
    return scene->def.domain.repeats ? rl_scene_width(scene) : 0.0;
}

// From the centre, in radii; where the ground repeats from the nearest one.
static double distance_squared(const rl_scene_feature *shape, double x, double y, double period)
{
    double way = x - shape->x;
    if (period > 0.0)
        way -= period * floor(way / period + 0.5);
    const double dx = way / shape->radius, dy = (y - shape->y) / shape->radius;
    return dx * dx + dy * dy;
}

// What the shape adds at a place. `random` is uniform in [0, 1).
static double added(const rl_scene_feature *shape, double x, double y, double period, double random)
{
    switch (shape->kind) {
    case RL_FEATURE_HILL:
        return shape->amount * rill_power(ONE_BY_E, 0.5 * distance_squared(shape, x, y, period));
    case RL_FEATURE_BOWL:
        return shape->amount * (distance_squared(shape, x, y, period) - 1.0);
    case RL_FEATURE_SLOPE:
        return shape->along_x * x + shape->along_y * y;
    case RL_FEATURE_RIPPLE:
        return shape->amount * rill_sine_of_turns(x / shape->along_x) *
               rill_sine_of_turns(y / shape->along_y);
    case RL_FEATURE_ROUGH:
        return shape->amount * (2.0 * random - 1.0);
    case RL_FEATURE_CYLINDER:
        return distance_squared(shape, x, y, period) <= 1.0 ? shape->amount : 0.0;
    case RL_FEATURE_BOX:
    case RL_FEATURE_SET:
    case RL_FEATURE_CHANNEL:
        break;
    }
    return shape->amount;
}

static void apply_shape(rill_scene *scene, size_t index)
{
    const rl_scene_feature *shape = &scene->terrain.shapes[index];
    const rill_field *field = rill_heightfield_field(scene->ground);
    const double dx = scene->info.cell_size, period = period_of(scene);
    const rl_scene_cells cells = has_box(shape->kind)
                                     ? rl_scene_box_cells(scene, &shape->box)
                                     : (rl_scene_cells){0, field->nx, 0, field->ny};
    for (int j = cells.j0; j < cells.j1; j++) {
        float *row = rill_field_row(field, j);
        for (int i = cells.i0; i < cells.i1; i++) {
            const uint64_t cell = (uint64_t)j * (uint64_t)field->nx + (uint64_t)i;
            const double random = shape->kind == RL_FEATURE_ROUGH
                                      ? (double)rill_random_unit(scene->def.seed, index, cell)
                                      : 0.0;
            const double change = added(shape, (i + 0.5) * dx, (j + 0.5) * dx, period, random);
            row[i] = (float)(shape->kind == RL_FEATURE_SET ? change : (double)row[i] + change);
        }
    }
}

// ---- Channels --------------------------------------------------------------------------
//
// A floor of some width along a line through points, with banks that rise from it. Only takes
// ground away. Where the ground repeats a channel does too, and one whose last point is its first,
// a period further and lower by the fall, goes through that place without a bend.

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

typedef struct channel_loop {
    double period, fall; // metres; period 0: the ground has an end
    bool closed;         // the channel goes round
} channel_loop;

// The point of a channel that goes round, which may lie before the first or after the last.
static void point_of(const rl_scene_feature *shape, const channel_loop *loop, int n, double out[3])
{
    const int last = shape->point_count - 1;
    const int turn = !loop->closed ? 0 : n < 0 ? -1 : n > last ? 1 : 0;
    const int index = n - turn * last;
    memcpy(out, shape->points[index < 0 ? 0 : index > last ? last : index], 3 * sizeof *out);
    out[0] += turn * loop->period;
    out[2] -= turn * loop->fall;
}

// The line is a Catmull-Rom spline in x and y whose parameter is the distance between points, so
// that two points close together do not make it loop. The floor falls evenly from point to point:
// such a pair makes a step.
static void place(const rl_scene_feature *shape, const channel_loop *loop, int piece, double out[3])
{
    const int last = shape->point_count - 1;
    RL_ASSERT(last >= 1 && last < RL_CHANNEL_POINTS && piece <= last * PIECES);
    int n = piece / PIECES;
    double t = (double)(piece % PIECES) / PIECES;
    if (n >= last) {
        n = last - 1;
        t = 1.0;
    }
    const double *p1 = shape->points[n], *p2 = shape->points[n + 1];
    double p0[3], p3[3];
    point_of(shape, loop, n - 1, p0);
    point_of(shape, loop, n + 2, p3);
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

// How the ground of a scene repeats, for a channel.
static channel_loop loop_of(const rill_scene *scene, const rl_scene_feature *shape)
{
    channel_loop loop = {.period = period_of(scene), .fall = (double)scene->def.domain.fall};
    const double *first = shape->points[0], *last = shape->points[shape->point_count - 1];
    loop.closed = loop.period > 0.0 && fabs(last[0] - first[0] - loop.period) < CLOSED &&
                  fabs(last[1] - first[1]) < CLOSED &&
                  fabs(last[2] - first[2] + loop.fall) < CLOSED;
    return loop;
}

// Is a piece of the line farther from x than a distance, squared?
static bool is_far(const double from[3], const double to[3], double x, double squared)
{
    const double west = fmin(from[0], to[0]), east = fmax(from[0], to[0]);
    const double gap = fmax(west - x, x - east);
    return gap > 0.0 && gap * gap > squared;
}

// The floor or bank of a channel at a place. `near` is the piece that was the nearest beside it,
// and is here afterwards.
static double channel_at(const rl_scene_feature *shape, double (*line)[3], double x, double y,
                         int *near)
{
    double bottom = 0.0, nearest = INFINITY;
    const double most = distance_to(line[*near], line[*near + 1], x, y, &bottom);
    for (int n = 0; n < (shape->point_count - 1) * PIECES; n++) {
        double here = 0.0;
        if (is_far(line[n], line[n + 1], x, most))
            continue;
        const double squared = distance_to(line[n], line[n + 1], x, y, &here);
        if (squared < nearest) {
            nearest = squared;
            bottom = here;
            *near = n;
        }
    }
    const double off = sqrt(nearest) - 0.5 * shape->width;
    return bottom + (off > 0.0 ? shape->bank * off : 0.0);
}

// No elevation of the channel at x is below this: the lowest floor, and the bank up to there.
static double lowest_at(const rl_scene_feature *shape, double (*line)[3], double x)
{
    double low = INFINITY, west = INFINITY, east = -INFINITY;
    for (int n = 0; n <= (shape->point_count - 1) * PIECES; n++) {
        low = fmin(low, line[n][2]);
        west = fmin(west, line[n][0]);
        east = fmax(east, line[n][0]);
    }
    const double off = fmax(west - x, x - east) - 0.5 * shape->width;
    return low + (off > 0.0 ? shape->bank * off : 0.0);
}

static void cut_column(const rill_field *field, const rl_scene_feature *shape, double (*line)[3],
                       int i, double x, double cell, double lower)
{
    const double lowest = lowest_at(shape, line, x) - lower;
    int near = 0;
    for (int j = 0; j < field->ny; j++) {
        float *ground = &rill_field_row(field, j)[i];
        if (lowest >= (double)*ground)
            continue;
        const float cut = (float)(channel_at(shape, line, x, (j + 0.5) * cell, &near) - lower);
        *ground = cut < *ground ? cut : *ground;
    }
}

static void cut_channel(rill_scene *scene, const rl_scene_feature *shape)
{
    double line[(RL_CHANNEL_POINTS - 1) * PIECES + 1][3];
    const channel_loop loop = loop_of(scene, shape);
    const int turns = loop.period > 0.0 ? 1 : 0;
    for (int n = 0; n <= (shape->point_count - 1) * PIECES; n++)
        place(shape, &loop, n, line[n]);
    const rill_field *field = rill_heightfield_field(scene->ground);
    const double cell = scene->info.cell_size;
    for (int i = 0; i < field->nx; i++)
        for (int turn = -turns; turn <= turns; turn++)
            cut_column(field, shape, line, i, (i + 0.5) * cell + turn * loop.period, cell,
                       -turn * loop.fall);
}

void rl_scene_apply_features(rill_scene *scene)
{
    for (size_t n = 0; n < scene->terrain.shape_count; n++)
        if (scene->terrain.shapes[n].kind == RL_FEATURE_CHANNEL)
            cut_channel(scene, &scene->terrain.shapes[n]);
        else
            apply_shape(scene, n);
}
