// SPDX-License-Identifier: MIT
// sdf_primitives.c - signed distances to SDF primitives, and the boxes around them.
//
// A primitive has coordinates of its own. A point is brought into them by undoing the primitive's
// translation, rotation and scale; distances are multiplied by the scale again. Only + - * / and
// square roots are used, so that every machine finds the same bits.
#include "terrain/sdf/solid_internal.h"

#include "terrain/sdf/distance_field.h"
#include "terrain/sdf/triangles.h"

// Largest distance, metres: beyond it squares and sums would lose their digits.
#define FARTHEST 1e9

// A direction this close to a vertical one is vertical: over the largest grid the difference is far
// below a cell.
#define VERTICAL 1e-12

// ---- Checks ----------------------------------------------------------------------------

static rill_status check_length(const char *what, double value, bool may_be_zero)
{
    if ((value > 0.0 || (may_be_zero && value == 0.0)) && value <= FARTHEST)
        return RILL_OK;
    return rill_fail(RILL_BAD_DEF, "the %s of a shape is %g m, it must be %s 0 and at most %g",
                     what, value, may_be_zero ? "at least" : "above", FARTHEST);
}

static rill_status check_place(const rill_sdf_primitive *primitive)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(primitive->position[a]) <= FARTHEST))
            return rill_fail(RILL_BAD_DEF, "a shape is at %g m along %c, it must be within %g",
                             primitive->position[a], "xyz"[a], FARTHEST);
    const double *q = primitive->rotation;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= 1e-3))
        return rill_fail(RILL_BAD_DEF,
                         "the rotation of a shape is (%g, %g, %g, %g), of length %g instead of 1",
                         q[0], q[1], q[2], q[3], length);
    if (!(primitive->scale >= 1e-9 && primitive->scale <= 1e9))
        return rill_fail(RILL_BAD_DEF, "the scale of a shape is %g, it must be from 1e-9 to 1e9",
                         primitive->scale);
    return RILL_OK;
}

static rill_status check_rounding(const rill_sdf_primitive *primitive, double space)
{
    RL_ASSERT(space >= 0.0);
    if (primitive->rounding >= 0.0 && primitive->rounding <= space)
        return RILL_OK;
    return rill_fail(RILL_BAD_DEF, "the rounding of a shape is %g m, it must be from 0 to %g",
                     primitive->rounding, space);
}

static rill_status check_box(const rill_sdf_primitive *primitive)
{
    double least = HUGE_VAL;
    for (int a = 0; a < 3; a++) {
        RILL_TRY(check_length("size", primitive->size[a], false));
        least = fmin(least, primitive->size[a]);
    }
    return check_rounding(primitive, 0.5 * least);
}

static rill_status check_cone(const rill_sdf_primitive *primitive)
{
    RILL_TRY(check_length("radius", primitive->radius, true));
    RILL_TRY(check_length("radius_top", primitive->radius_top, true));
    RILL_TRY(check_length("length", primitive->length, false));
    const double wide = fmax(primitive->radius, primitive->radius_top);
    if (!(wide > 0.0))
        return rill_fail(RILL_BAD_DEF, "both radii of a cone are 0 m, one must be above 0");
    // The ball that fits: it touches the wide end and the side, or both ends.
    const double step = wide - fmin(primitive->radius, primitive->radius_top);
    const double side = sqrt(primitive->length * primitive->length + step * step);
    return check_rounding(primitive,
                          fmin(0.5 * primitive->length, wide * primitive->length / (side + step)));
}

static rill_status check_heights(const rill_sdf_primitive *primitive)
{
    const rill_field_view *map = &primitive->heights;
    if (map->data == NULL)
        return rill_fail(RILL_BAD_DEF, "a shape of heights has no heights, they are NULL");
    if (map->nx < 1 || map->ny < 1 || map->pitch < (size_t)map->nx)
        return rill_fail(RILL_BAD_DEF, "a map of heights has %d x %d values and a pitch of %zu",
                         map->nx, map->ny, map->pitch);
    for (int j = 0; j < map->ny; j++)
        for (int i = 0; i < map->nx; i++) {
            const double height = (double)map->data[(size_t)j * map->pitch + (size_t)i];
            if (!(fabs(height) <= FARTHEST))
                return rill_fail(RILL_BAD_DEF, "height (%d, %d) of a shape is %g m", i, j, height);
        }
    return check_length("heights_cell", primitive->heights_cell, false);
}

static rill_status check_round(const rill_sdf_primitive *primitive)
{
    const rill_sdf_kind kind = primitive->kind;
    RILL_TRY(check_length("radius", primitive->radius, false));
    if (kind == RILL_SDF_CAPSULE || kind == RILL_SDF_CYLINDER)
        RILL_TRY(check_length("length", primitive->length, kind == RILL_SDF_CAPSULE));
    if (kind == RILL_SDF_CYLINDER)
        return check_rounding(primitive, fmin(primitive->radius, 0.5 * primitive->length));
    if (kind != RILL_SDF_TORUS)
        return RILL_OK;
    RILL_TRY(check_length("tube", primitive->tube, false));
    if (primitive->tube > primitive->radius)
        return rill_fail(RILL_BAD_DEF, "the tube of a torus is %g m, more than its radius %g",
                         primitive->tube, primitive->radius);
    return RILL_OK;
}

rill_status rill_sdf_primitive_check(const rill_sdf_primitive *primitive, rill_combine how,
                                     double blend)
{
    if (primitive == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a shape is NULL");
    if ((unsigned)how >= RILL_COMBINE_COUNT)
        return rill_fail(RILL_BAD_DEF, "%d is no way to combine shapes", (int)how);
    if (how == RILL_COMBINE_SMOOTH_UNION && !(blend >= 0.0 && blend <= FARTHEST))
        return rill_fail(RILL_BAD_DEF, "blend is %g m, it must be from 0 to %g", blend, FARTHEST);
    RILL_TRY(check_place(primitive));
    switch (primitive->kind) {
    case RILL_SDF_BOX:
        return check_box(primitive);
    case RILL_SDF_SPHERE:
    case RILL_SDF_CAPSULE:
    case RILL_SDF_CYLINDER:
    case RILL_SDF_TORUS:
        return check_round(primitive);
    case RILL_SDF_CONE:
        return check_cone(primitive);
    case RILL_SDF_PLANE:
        return RILL_OK;
    case RILL_SDF_HEIGHTS:
        return check_heights(primitive);
    case RILL_SDF_MESH:
        if (primitive->triangles == NULL)
            return rill_fail(RILL_BAD_DEF, "a shape of triangles has none, they are NULL");
        return RILL_OK;
    case RILL_SDF_FIELD:
        if (primitive->field == NULL)
            return rill_fail(RILL_BAD_DEF, "a shape of a field has none, it is NULL");
        return RILL_OK;
    default:
        return rill_fail(RILL_BAD_DEF, "%d is no kind of shape", (int)primitive->kind);
    }
}

// ---- Distances in coordinates of the primitive -----------------------------------------

static double length2(double a, double b)
{
    return sqrt(a * a + b * b);
}

static double box_distance(const rill_sdf_primitive *primitive, const double p[3])
{
    double square = 0.0, most = -HUGE_VAL;
    for (int a = 0; a < 3; a++) {
        const double beyond = fabs(p[a]) - (0.5 * primitive->size[a] - primitive->rounding);
        square += beyond > 0.0 ? beyond * beyond : 0.0;
        most = rl_greater(most, beyond);
    }
    return (most > 0.0 ? sqrt(square) : most) - primitive->rounding;
}

static double sphere_distance(const rill_sdf_primitive *primitive, const double p[3])
{
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - primitive->radius;
}

static double capsule_distance(const rill_sdf_primitive *primitive, const double p[3])
{
    const double z = p[2] - rl_clamp(p[2], -0.5 * primitive->length, 0.5 * primitive->length);
    return sqrt(p[0] * p[0] + p[1] * p[1] + z * z) - primitive->radius;
}

static double cylinder_distance(const rill_sdf_primitive *primitive, const double p[3])
{
    const double out = length2(p[0], p[1]) - (primitive->radius - primitive->rounding);
    const double up = fabs(p[2]) - (0.5 * primitive->length - primitive->rounding);
    if (out > 0.0 && up > 0.0)
        return length2(out, up) - primitive->rounding;
    return rl_greater(out, up) - primitive->rounding;
}

// Removes the rounding of a cone: its sides move inwards by it. An end that vanishes leaves a tip.
static void place_cone(rl_placed_primitive *placed)
{
    const rill_sdf_primitive *primitive = placed->primitive;
    const double r = primitive->rounding, h = primitive->length,
                 fall = primitive->radius - primitive->radius_top;
    const double inset = r * length2(h, fall) / h; // of the radius, at any height
    double low = primitive->radius - fall * r / h - inset, low_z = r - 0.5 * h;
    double high = primitive->radius_top + fall * r / h - inset, high_z = 0.5 * h - r;
    if (high < 0.0 && low > high) {
        high_z = low_z + (high_z - low_z) * rl_greater(low, 0.0) / (low - high);
        high = 0.0;
    }
    if (low < 0.0 && high > low) {
        low_z = high_z - (high_z - low_z) * rl_greater(high, 0.0) / (high - low);
        low = 0.0;
    }
    placed->low_radius = rl_greater(low, 0.0);
    placed->low_z = low_z;
    placed->high_radius = rl_greater(high, 0.0);
    placed->high_z = high_z;
    placed->slope_radius = placed->high_radius - placed->low_radius;
    placed->slope_z = high_z - low_z;
    placed->slope_square =
        placed->slope_radius * placed->slope_radius + placed->slope_z * placed->slope_z;
    placed->slope_length = sqrt(placed->slope_square);
}

// In the half plane through the axis the cone is a trapezium: two ends and a slope.
static double cone_distance(const rl_placed_primitive *c, const double p[3])
{
    const double out = length2(p[0], p[1]), z = p[2];
    const double low = length2(rl_greater(out - c->low_radius, 0.0), z - c->low_z);
    const double high = length2(rl_greater(out - c->high_radius, 0.0), z - c->high_z);
    double distance = rl_lesser(low, high);
    if (c->slope_length > 0.0) {
        const double a = out - c->low_radius, b = z - c->low_z;
        const double along =
            rl_clamp((a * c->slope_radius + b * c->slope_z) / c->slope_square, 0.0, 1.0);
        distance =
            rl_lesser(distance, length2(a - along * c->slope_radius, b - along * c->slope_z));
        const double outward = a * c->slope_z - b * c->slope_radius;
        if (z > c->low_z && z < c->high_z && outward < 0.0)
            distance = -distance;
    }
    return distance - c->primitive->rounding;
}

// The map is bilinear between its values, which stand on the middles of cells, as the ground of a
// world does; beyond the outermost ones it goes on as they are.
static double heights_distance(const rill_sdf_primitive *primitive, const double p[3])
{
    const rill_field_view *map = &primitive->heights;
    const double x = rl_clamp(p[0] / primitive->heights_cell - 0.5, 0.0, (double)(map->nx - 1));
    const double y = rl_clamp(p[1] / primitive->heights_cell - 0.5, 0.0, (double)(map->ny - 1));
    const int i = (int)rl_lesser(x, (double)(map->nx > 1 ? map->nx - 2 : 0));
    const int j = (int)rl_lesser(y, (double)(map->ny > 1 ? map->ny - 2 : 0));
    const double fx = x - i, fy = y - j;
    const float *south = map->data + (size_t)j * map->pitch + (size_t)i;
    const float *north = map->ny > 1 ? south + map->pitch : south;
    const int east = map->nx > 1 ? 1 : 0;
    const double sw = (double)south[0], se = (double)south[east];
    const double nw = (double)north[0], ne = (double)north[east];
    const double height =
        (sw * (1.0 - fx) + se * fx) * (1.0 - fy) + (nw * (1.0 - fx) + ne * fx) * fy;
    const double slope_x = ((se - sw) * (1.0 - fy) + (ne - nw) * fy) / primitive->heights_cell;
    const double slope_y = ((nw - sw) * (1.0 - fx) + (ne - se) * fx) / primitive->heights_cell;
    return (p[2] - height) / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
}

// ---- In its place ----------------------------------------------------------------------

rl_placed_primitive rl_sdf_primitive_place(const rill_sdf_primitive *primitive)
{
    RL_ASSERT(primitive->scale > 0.0);
    const double *q = primitive->rotation;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    rl_placed_primitive placed = {
        .primitive = primitive,
        .shrink = 1.0 / primitive->scale,
        // The matrix of the unit quaternion, transposed: it turns back.
        .turn = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
                 {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
                 {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}},
    };
    if (primitive->kind == RILL_SDF_CONE)
        place_cone(&placed);
    return placed;
}

// Computes the points of a line in coordinates of the primitive.
typedef struct own_points {
    double x[RL_MOST_AT_ONCE], y[RL_MOST_AT_ONCE], z[RL_MOST_AT_ONCE];
} own_points;

static void bring_into(const rl_placed_primitive *placed, const rl_upright *line, int first,
                       int count, own_points *restrict own)
{
    const rill_sdf_primitive *primitive = placed->primitive;
    const double x = line->x - primitive->position[0], y = line->y - primitive->position[1];
    double level[3], rise[3];
    for (int a = 0; a < 3; a++) {
        level[a] = placed->turn[a][0] * x + placed->turn[a][1] * y;
        rise[a] = placed->turn[a][2];
    }
    const double shrink = placed->shrink;
    for (int k = 0; k < count; k++) {
        const double z = line->z0 + (first + k) * line->dz - primitive->position[2];
        own->x[k] = (level[0] + rise[0] * z) * shrink;
        own->y[k] = (level[1] + rise[1] * z) * shrink;
        own->z[k] = (level[2] + rise[2] * z) * shrink;
    }
}

// Every kind has a loop without a branch over kinds in it.
void rl_placed_distances(const rl_placed_primitive *placed, const rl_upright *line, int first,
                         int count, double band, double *restrict out)
{
    RL_ASSERT(count > 0 && count <= RL_MOST_AT_ONCE);
    const rill_sdf_primitive *primitive = placed->primitive;
    const double scale = primitive->scale;
    own_points own;
    bring_into(placed, line, first, count, &own);
#define EACH(distance)                                      \
    for (int k = 0; k < count; k++) {                       \
        const double p[3] = {own.x[k], own.y[k], own.z[k]}; \
        out[k] = scale * (distance);                        \
    }                                                       \
    break
    switch (primitive->kind) {
    case RILL_SDF_BOX:
        EACH(box_distance(primitive, p));
    case RILL_SDF_SPHERE:
        EACH(sphere_distance(primitive, p));
    case RILL_SDF_CAPSULE:
        EACH(capsule_distance(primitive, p));
    case RILL_SDF_CYLINDER:
        EACH(cylinder_distance(primitive, p));
    case RILL_SDF_CONE:
        EACH(cone_distance(placed, p));
    case RILL_SDF_TORUS:
        EACH(length2(length2(p[0], p[1]) - primitive->radius, p[2]) - primitive->tube);
    case RILL_SDF_PLANE:
        EACH(p[2]);
    case RILL_SDF_HEIGHTS:
        EACH(heights_distance(primitive, p));
    case RILL_SDF_FIELD:
        EACH(rl_distance_field_at(primitive->field, p));
    default:
        EACH(rl_triangles_distance(primitive->triangles, p, band * placed->shrink));
    }
#undef EACH
}

// ---- Boxes around primitives -----------------------------------------------------------

static void set_half(double half[3], double across, double up)
{
    half[0] = half[1] = across;
    half[2] = up;
}

// Computes middle and half size of the box in coordinates of the primitive; returns false for an
// infinite one.
static bool own_box(const rill_sdf_primitive *primitive, double middle[3], double half[3])
{
    const double radius = primitive->radius, up = 0.5 * primitive->length;
    const rill_triangles *mesh = primitive->triangles;
    for (int a = 0; a < 3; a++) {
        const bool is_mesh = primitive->kind == RILL_SDF_MESH;
        middle[a] = is_mesh ? 0.5 * (mesh->info.low[a] + mesh->info.high[a]) : 0.0;
        half[a] = 0.5 * (is_mesh ? mesh->info.high[a] - mesh->info.low[a] : primitive->size[a]);
    }
    switch (primitive->kind) {
    case RILL_SDF_BOX:
    case RILL_SDF_MESH:
        break;
    case RILL_SDF_FIELD:
        rl_distance_field_box(primitive->field, middle, half);
        break;
    case RILL_SDF_SPHERE:
        set_half(half, radius, radius);
        break;
    case RILL_SDF_CAPSULE:
        set_half(half, radius, radius + up);
        break;
    case RILL_SDF_CYLINDER:
        set_half(half, radius, up);
        break;
    case RILL_SDF_CONE:
        set_half(half, fmax(radius, primitive->radius_top), up);
        break;
    case RILL_SDF_TORUS:
        set_half(half, primitive->tube + radius, primitive->tube);
        break;
    default:
        return false;
    }
    return true;
}

static double highest(const rill_field_view *map)
{
    float most = -INFINITY;
    for (int j = 0; j < map->ny; j++)
        for (int i = 0; i < map->nx; i++)
            most = fmaxf(most, map->data[(size_t)j * map->pitch + (size_t)i]);
    return (double)most;
}

// What lies below a plane ends only along an axis of the world that is upright to the plane.
static void endless_bounds(const rl_placed_primitive *placed, double low[3], double high[3])
{
    const rill_sdf_primitive *primitive = placed->primitive;
    const double top = primitive->kind == RILL_SDF_HEIGHTS ? highest(&primitive->heights) : 0.0;
    for (int a = 0; a < 3; a++) {
        low[a] = -HUGE_VAL;
        high[a] = HUGE_VAL;
        if (fabs(placed->turn[0][a]) > VERTICAL || fabs(placed->turn[1][a]) > VERTICAL)
            continue;
        if (placed->turn[2][a] > 0.0)
            high[a] = primitive->position[a] + primitive->scale * top;
        else
            low[a] = primitive->position[a] - primitive->scale * top;
    }
}

void rl_sdf_primitive_bounds(const rill_sdf_primitive *primitive, double low[3], double high[3])
{
    const rl_placed_primitive placed = rl_sdf_primitive_place(primitive);
    double middle[3], half[3];
    if (!own_box(primitive, middle, half)) {
        endless_bounds(&placed, low, high);
        return;
    }
    for (int a = 0; a < 3; a++) {
        double centre = 0.0, reach = 0.0;
        for (int b = 0; b < 3; b++) {
            centre += placed.turn[b][a] * middle[b];
            reach += fabs(placed.turn[b][a]) * half[b];
        }
        if (primitive->kind == RILL_SDF_SPHERE)
            reach = primitive->radius;
        low[a] = primitive->position[a] + primitive->scale * (centre - reach);
        high[a] = primitive->position[a] + primitive->scale * (centre + reach);
    }
}
