// SPDX-License-Identifier: MIT
// distance_field.c - makes a field of distances from values at the nodes of a box, and reads it.
//
// What a solid asks of a shape is that its distance changes by no more than the way: beyond the
// band it must not matter. Values that are no distances are therefore made flatter as a whole. One
// divisor for all of them leaves the surface between two nodes where linear interpolation has it.
// Only + - * / and square roots are used, so that every machine finds the same bits.
#include "terrain/sdf/distance_field.h"

#include "core/assert.h"
#include "core/numbers.h"

#include <math.h>

#define FARTHEST  1e9  // metres, as for all shapes
#define TOLERANCE 1e-3 // of lengths and right angles of axes

// ---- Checks ----------------------------------------------------------------------------

static rill_status check_nodes(const rill_distance_field_def *def)
{
    const int n[3] = {def->nx, def->ny, def->nz};
    int64_t left = RILL_MAX_SOLID_NODES;
    for (int a = 0; a < 3; a++) {
        if (n[a] < 2)
            return rill_fail(RILL_BAD_DEF,
                             "a field of %d x %d x %d nodes cannot be: each side needs 2 at least",
                             n[0], n[1], n[2]);
        left /= n[a];
    }
    if (left == 0 || (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2] > SIZE_MAX / sizeof(float))
        return rill_fail(RILL_BAD_DEF, "a field of %d x %d x %d nodes has more than %d", n[0], n[1],
                         n[2], RILL_MAX_SOLID_NODES);
    if (def->values == NULL)
        return rill_fail(RILL_BAD_DEF, "a field has no values, they are NULL");
    return RILL_OK;
}

static rill_status check_box(const rill_distance_field_def *def)
{
    const int n[3] = {def->nx, def->ny, def->nz};
    for (int a = 0; a < 3; a++) {
        const double length = (n[a] - 1) * def->spacing[a];
        if (!(def->spacing[a] >= 1e-12 && length <= FARTHEST))
            return rill_fail(
                RILL_BAD_DEF,
                "the spacing of a field along axis %d is %g m, it must be positive and "
                "the field no longer than %g m",
                a + 1, def->spacing[a], FARTHEST);
        if (!(fabs(def->origin[a]) <= FARTHEST))
            return rill_fail(RILL_BAD_DEF,
                             "the origin of a field is at %g m along %c, it must be "
                             "within %g",
                             def->origin[a], "xyz"[a], FARTHEST);
    }
    for (int a = 0; a < 3; a++) {
        const double *u = def->axes[a];
        if (!(fabs(sqrt(rl_dot(u, u)) - 1.0) <= TOLERANCE))
            return rill_fail(RILL_BAD_DEF,
                             "axis %d of a field is (%g, %g, %g), of length %g instead of 1", a + 1,
                             u[0], u[1], u[2], sqrt(rl_dot(u, u)));
    }
    for (int a = 0; a < 3; a++) {
        const double *u = def->axes[a], *v = def->axes[(a + 1) % 3];
        if (!(fabs(rl_dot(u, v)) <= TOLERANCE))
            return rill_fail(
                RILL_BAD_DEF,
                "axes %d and %d of a field are not at right angles: the cosine between "
                "them is %g",
                a + 1, (a + 1) % 3 + 1, rl_dot(u, v));
    }
    return RILL_OK;
}

static rill_status check(const rill_distance_field_def *def)
{
    RILL_TRY(check_nodes(def));
    RILL_TRY(check_box(def));
    if (!isfinite(def->level))
        return rill_fail(RILL_BAD_DEF, "the level of a field is %g", def->level);
    if (!isfinite(def->scale) || def->scale == 0.0)
        return rill_fail(RILL_BAD_DEF, "the scale of a field is %g, it must be finite and not 0",
                         def->scale);
    for (int k = 0; k < def->nz; k++)
        for (int j = 0; j < def->ny; j++)
            for (int i = 0; i < def->nx; i++) {
                const size_t n = ((size_t)k * (size_t)def->ny + (size_t)j) * (size_t)def->nx;
                const double value = (double)def->values[n + (size_t)i];
                if (!isfinite(value) || !isfinite(def->scale * (value - def->level)))
                    return rill_fail(RILL_BAD_DEF, "value (%d, %d, %d) of a field is %g", i, j, k,
                                     value);
            }
    return RILL_OK;
}

// ---- Making ----------------------------------------------------------------------------

// Returns how much the distances change from node to node, per way between them, at most.
static double find_steepest(const rill_distance_field_def *def)
{
    const size_t nx = (size_t)def->nx, ny = (size_t)def->ny, nz = (size_t)def->nz;
    const float *v = def->values;
    double most[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < nz; k++)
        for (size_t j = 0; j < ny; j++)
            for (size_t i = 0; i < nx; i++) {
                const size_t n = (k * ny + j) * nx + i;
                if (i > 0)
                    most[0] = rl_greater(most[0], fabs((double)v[n] - (double)v[n - 1]));
                if (j > 0)
                    most[1] = rl_greater(most[1], fabs((double)v[n] - (double)v[n - nx]));
                if (k > 0)
                    most[2] = rl_greater(most[2], fabs((double)v[n] - (double)v[n - nx * ny]));
            }
    double steepest = 0.0;
    for (int a = 0; a < 3; a++)
        steepest = rl_greater(steepest, fabs(def->scale) * most[a] / def->spacing[a]);
    return steepest;
}

// Makes the axes those of a turned, or turned and mirrored, system exactly.
static void set_axes(const double given[3][3], double axes[3][3])
{
    double cross[3], length = sqrt(rl_dot(given[0], given[0]));
    for (int k = 0; k < 3; k++)
        axes[0][k] = given[0][k] / length;
    const double lean = rl_dot(axes[0], given[1]);
    for (int k = 0; k < 3; k++)
        axes[1][k] = given[1][k] - lean * axes[0][k];
    length = sqrt(rl_dot(axes[1], axes[1]));
    for (int k = 0; k < 3; k++)
        axes[1][k] /= length;
    rl_cross(axes[0], axes[1], cross);
    const double hand = rl_dot(cross, given[2]) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        axes[2][k] = hand * cross[k];
}

// Sets all distances, their range, and how far the solid reaches out of the box.
static void fill(rill_distance_field *field, const rill_distance_field_def *def)
{
    const size_t nx = (size_t)def->nx, ny = (size_t)def->ny, nz = (size_t)def->nz;
    const double factor = def->scale / field->info.flattened;
    double lowest = HUGE_VAL, highest = -HUGE_VAL, at_side = HUGE_VAL;
    for (size_t k = 0; k < nz; k++)
        for (size_t j = 0; j < ny; j++)
            for (size_t i = 0; i < nx; i++) {
                const size_t n = (k * ny + j) * nx + i;
                const float distance = (float)(factor * ((double)def->values[n] - def->level));
                field->distances[n] = distance;
                lowest = rl_lesser(lowest, (double)distance);
                highest = rl_greater(highest, (double)distance);
                if (i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1)
                    at_side = rl_lesser(at_side, (double)distance);
            }
    field->info.lowest = lowest;
    field->info.highest = highest;
    field->outside = rl_greater(-at_side, 0.0);
}

static rill_status make(const rill_distance_field_def *def, rill_distance_field **out)
{
    const size_t count = (size_t)def->nx * (size_t)def->ny * (size_t)def->nz;
    rill_distance_field *field = rl_owned_create(rill_allocator_of(def->host), sizeof *field);
    if (field == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a field");
    *out = field;
    atomic_init(&field->holders, 1);
    field->distances = rl_owned_take(&field->own, count, sizeof *field->distances);
    if (field->distances == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a field of %d x %d x %d nodes", def->nx,
                         def->ny, def->nz);
    rill_distance_field_info *info = &field->info;
    const int n[3] = {info->nx = def->nx, info->ny = def->ny, info->nz = def->nz};
    for (int a = 0; a < 3; a++) {
        info->spacing[a] = def->spacing[a];
        info->origin[a] = def->origin[a];
        field->length[a] = (n[a] - 1) * def->spacing[a];
    }
    set_axes(def->axes, info->axes);
    info->flattened = rl_greater(find_steepest(def), 1.0);
    info->distances = field->distances;
    if (!isfinite(info->flattened))
        return rill_fail(RILL_BAD_DEF, "the values of a field differ too much for its spacing");
    fill(field, def);
    if (info->lowest < -FARTHEST || info->highest > FARTHEST)
        return rill_fail(RILL_BAD_DEF,
                         "the distances of a field go from %g to %g m, they must be within %g",
                         info->lowest, info->highest, FARTHEST);
    return RILL_OK;
}

rill_distance_field_def rill_default_distance_field_def(void)
{
    return (rill_distance_field_def){
        .spacing = {1.0, 1.0, 1.0},
        .axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
        .scale = 1.0,
    };
}

rill_status rill_distance_field_create(const rill_distance_field_def *def,
                                       rill_distance_field **out)
{
    if (def == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a field needs a definition and a place, one is NULL");
    *out = NULL;
    RILL_TRY(rill_host_check(def->host));
    RILL_TRY(check(def));
    const rill_status status = make(def, out);
    if (status != RILL_OK)
        rill_distance_field_destroy(out);
    return status;
}

rill_distance_field_info rill_distance_field_view(const rill_distance_field *field)
{
    return field != NULL ? field->info : (rill_distance_field_info){0};
}

const rill_distance_field *rl_distance_field_retain(const rill_distance_field *field)
{
    rill_distance_field *f = (rill_distance_field *)(uintptr_t)field; // the count alone changes
    atomic_fetch_add_explicit(&f->holders, 1, memory_order_relaxed);
    return field;
}

void rill_distance_field_destroy(rill_distance_field **field)
{
    if (field == NULL || *field == NULL)
        return;
    rill_distance_field *f = *field;
    *field = NULL;
    // The last holder sees all that the other holders did before.
    if (atomic_fetch_sub_explicit(&f->holders, 1, memory_order_acq_rel) > 1)
        return;
    void *object = f;
    rl_owned_destroy(NULL, &object);
}

// ---- Distance --------------------------------------------------------------------------

static double mix(double from, double to, double part)
{
    return from + part * (to - from);
}

double rl_distance_field_at(const rill_distance_field *field, const double point[3])
{
    const rill_distance_field_info *info = &field->info;
    const int n[3] = {info->nx, info->ny, info->nz};
    const double from[3] = {point[0] - info->origin[0], point[1] - info->origin[1],
                            point[2] - info->origin[2]};
    double part[3], square = 0.0;
    size_t node[3];
    for (int a = 0; a < 3; a++) {
        const double along = rl_dot(info->axes[a], from);
        const double within = rl_clamp(along, 0.0, field->length[a]);
        const double place = within / info->spacing[a];
        const int below = rl_lesser_int((int)place, n[a] - 2);
        node[a] = (size_t)below;
        part[a] = place - below;
        square += (along - within) * (along - within);
    }
    const size_t row = (size_t)n[0], sheet = row * (size_t)n[1];
    const float *v = field->distances + node[2] * sheet + node[1] * row + node[0];
    double edge[4];
    for (size_t e = 0; e < 4; e++) {
        const float *low = v + (e & 1) * row + (e >> 1) * sheet;
        edge[e] = mix((double)low[0], (double)low[1], part[0]);
    }
    return mix(mix(edge[0], edge[1], part[1]), mix(edge[2], edge[3], part[1]), part[2]) +
           sqrt(square);
}

double rill_distance_field_distance(const rill_distance_field *field, double x, double y, double z)
{
    if (field == NULL || !isfinite(x) || !isfinite(y) || !isfinite(z))
        return 0.0;
    const double point[3] = {x, y, z};
    return rl_distance_field_at(field, point);
}

void rl_distance_field_box(const rill_distance_field *field, double middle[3], double half[3])
{
    RL_ASSERT(field->outside >= 0.0);
    for (int k = 0; k < 3; k++) {
        middle[k] = field->info.origin[k];
        half[k] = field->outside;
        for (int a = 0; a < 3; a++) {
            middle[k] += 0.5 * field->length[a] * field->info.axes[a][k];
            half[k] += 0.5 * field->length[a] * fabs(field->info.axes[a][k]);
        }
    }
}
