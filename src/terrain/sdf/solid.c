// SPDX-License-Identifier: MIT
// solid.c - the grid of distances: creates, copies, changes by primitives and samples it.
//
// Union is the lesser of two distances, intersection the greater, a cut the greater of the one and
// the negative of the other. All are cut off at the band, so that a primitive changes only the
// nodes around it, and a change costs in proportion to the size of the primitive.
#include "terrain/sdf/solid_internal.h"

#include "core/numbers.h"

#include "terrain/heightfield.h"
#include "terrain/sdf/distance_field.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Distances smaller than this part of a cell count as inside the primitive: its surface belongs to
// it. With that rule a plate of exactly one cell has both its nodes, and a hole as long as the
// plate is thick leaves no skin, whatever rounding does.
#define TIE 1e-7

// How far beyond a primitive columns can change, cells. One is enough but for rounding.
#define CUT_REACH 1.01

// ---- Making ----------------------------------------------------------------------------

// Returns the nodes in z; 0 when there would be too many.
static int64_t count_levels(const rill_solid_def *def)
{
    const double levels = ceil((def->top - def->bottom) / def->cell_size - 1e-6) + 1.0;
    return levels <= (double)RILL_MAX_SOLID_NODES ? (int64_t)fmax(levels, 2.0) : 0;
}

rill_status rill_solid_check(const rill_solid_def *def)
{
    RILL_TRY(rl_grid_check_size(def->nx, def->ny));
    if (!(def->cell_size >= 1e-6 && def->cell_size <= 1e6))
        return rill_fail(RILL_BAD_DEF, "cell_size is %g m, it must be from 1e-6 to 1e6",
                         def->cell_size);
    if (!(fabs(def->bottom) <= 1e9) || !(fabs(def->top) <= 1e9) || !(def->top > def->bottom))
        return rill_fail(RILL_BAD_DEF,
                         "a solid reaches from %g m to %g m, its top must be above its bottom and "
                         "both within 1e9 m",
                         def->bottom, def->top);
    const int64_t levels = count_levels(def), columns = ((int64_t)def->nx + 2) * (def->ny + 2);
    if (levels == 0 || levels > RILL_MAX_SOLID_NODES / columns)
        return rill_fail(
            RILL_BAD_DEF,
            "a solid of %d x %d cells from %g m to %g m has more than %d nodes; take larger cells",
            def->nx, def->ny, def->bottom, def->top, RILL_MAX_SOLID_NODES);
    if ((uint64_t)(levels * columns) > SIZE_MAX / sizeof(float))
        return rill_fail(RILL_NO_MEMORY, "a solid is larger than this machine can address");
    return RILL_OK;
}

static rill_status make(const rl_solid *like, const rill_allocator *allocator, rl_solid **out)
{
    *out = NULL;
    rl_solid *solid = rl_owned_create(allocator, sizeof *solid);
    if (solid == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a solid");
    const rl_owned own = solid->own;
    *solid = *like;
    solid->own = own;
    solid->bytes = (size_t)(like->nx + 2) * (size_t)(like->ny + 2) * (size_t)like->nz *
                   sizeof *solid->distance;
    solid->distance = rl_owned_take(&solid->own, solid->bytes, 1);
    if (solid->distance == NULL) {
        rill_solid_destroy(&solid);
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d x %d distances", like->nx + 2,
                         like->ny + 2, like->nz);
    }
    *out = solid;
    return RILL_OK;
}

rill_status rill_solid_create(const rill_solid_def *def, rill_solid **out)
{
    if (def == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a solid needs a definition and a place, one is NULL");
    *out = NULL;
    RILL_TRY(rill_host_check(def->host));
    RILL_TRY(rill_solid_check(def));
    const rl_solid like = {
        .nx = def->nx,
        .ny = def->ny,
        .nz = (int)count_levels(def),
        .cell_size = def->cell_size,
        .bottom = def->bottom,
        .steepest = 1.0,
    };
    RILL_TRY(make(&like, rill_allocator_of(def->host), out));
    const float air = (float)(RL_SOLID_BAND * def->cell_size);
    for (size_t n = 0; n < (*out)->bytes / sizeof air; n++)
        (*out)->distance[n] = air;
    return RILL_OK;
}

void rill_solid_destroy(rl_solid **solid)
{
    if (solid == NULL)
        return;
    void *object = *solid;
    rl_owned_destroy(NULL, &object);
    *solid = NULL;
}

rill_status rl_solid_copy(const rl_solid *from, const rill_allocator *allocator, rl_solid **out)
{
    const rill_status status = make(from, allocator, out);
    if (status == RILL_OK)
        memcpy((*out)->distance, from->distance, from->bytes);
    return status;
}

// ---- Where a primitive reaches ---------------------------------------------------------

static rl_solid_nodes all_nodes(const rl_solid *solid)
{
    return (rl_solid_nodes){{-1, -1, 0}, {solid->nx + 1, solid->ny + 1, solid->nz}};
}

static bool is_empty(const rl_solid_nodes *box)
{
    return box->low[0] >= box->end[0] || box->low[1] >= box->end[1] || box->low[2] >= box->end[2];
}

static double blend_of(const rl_solid *solid, rill_combine how, double blend)
{
    return how == RILL_COMBINE_SMOOTH_UNION ? fmin(blend, RL_SOLID_BAND * solid->cell_size) : 0.0;
}

// Finds the nodes no further than `cells` and the blend from the box around a primitive.
static rl_solid_nodes nodes_around(const rl_solid *solid, const rill_sdf_primitive *primitive,
                                   rill_combine how, double blend, double cells)
{
    rl_solid_nodes box = all_nodes(solid);
    if (how == RILL_COMBINE_INTERSECT)
        return box;
    const double reach = cells * solid->cell_size + blend_of(solid, how, blend);
    double low[3], high[3];
    rl_sdf_primitive_bounds(primitive, low, high);
    for (int a = 0; a < 3; a++) {
        const double first = a == 2 ? solid->bottom : 0.5 * solid->cell_size;
        const double from = ceil((low[a] - reach - first) / solid->cell_size);
        const double to = floor((high[a] + reach - first) / solid->cell_size) + 1.0;
        const double least = (double)box.low[a], most = (double)box.end[a];
        box.low[a] = (int)fmin(fmax(from, least), most);
        box.end[a] = (int)fmin(fmax(to, least), most);
    }
    return box;
}

rl_solid_box rl_solid_cells_of(const rl_solid *solid, const rl_solid_nodes *box)
{
    if (is_empty(box))
        return (rl_solid_box){0};
    return (rl_solid_box){
        .i0 = rl_clamp_int(box->low[0], 0, solid->nx - 1),
        .j0 = rl_clamp_int(box->low[1], 0, solid->ny - 1),
        .i1 = rl_clamp_int(box->end[0], 1, solid->nx),
        .j1 = rl_clamp_int(box->end[1], 1, solid->ny),
    };
}

rl_solid_nodes rl_solid_nodes_of(const rl_solid *solid, const rill_sdf_primitive *primitive,
                                 rill_combine how, double blend)
{
    // Beyond the band and the blend a primitive changes nothing.
    return nodes_around(solid, primitive, how, blend, RL_SOLID_BAND);
}

rl_solid_nodes rl_solid_nodes_around(const rl_solid *solid, const rill_sdf_primitive *primitive,
                                     double cells)
{
    return nodes_around(solid, primitive, RILL_COMBINE_UNION, 0.0, cells);
}

rl_solid_box rl_solid_cut_by(const rl_solid *solid, const rill_sdf_primitive *primitive,
                             rill_combine how, double blend)
{
    const rl_solid_nodes box =
        nodes_around(solid, primitive, how, blend, CUT_REACH * solid->steepest);
    return rl_solid_cells_of(solid, &box);
}

// ---- Combining -------------------------------------------------------------------------

typedef struct change {
    rl_placed_primitive placed;
    rill_combine how;
    double cell_size, bottom, blend;
    float band;
    double far;      // farther inside or outside than this the field has one value
    double steepest; // the distance changes by no more than this times the way that a point goes up
} change;

static float join(const change *c, float here, double primitive)
{
    if (fabs(primitive) < TIE * c->cell_size)
        primitive = -TIE * c->cell_size;
    const double field = (double)here, most = (double)c->band;
    double joined = field;
    switch (c->how) {
    case RILL_COMBINE_SUBTRACT:
        joined = field > -primitive ? field : -primitive;
        break;
    case RILL_COMBINE_INTERSECT:
        joined = field > primitive ? field : primitive;
        break;
    default: {
        joined = field < primitive ? field : primitive;
        const double near = c->blend - fabs(field - primitive);
        if (near > 0.0) {
            joined -= near * near / (4.0 * c->blend); // a parabola between the two distances
            if (fabs(joined) < TIE * c->cell_size)
                joined = -TIE * c->cell_size;
        }
        break;
    }
    }
    return (float)(joined < -most ? -most : joined > most ? most : joined);
}

// Handles nodes [k, end) that are all far inside or far outside the primitive.
static void join_far(const change *c, float *column, int k, int end, bool inside)
{
    const bool stays = inside == (c->how == RILL_COMBINE_INTERSECT);
    if (stays)
        return;
    const bool solid = inside && c->how != RILL_COMBINE_SUBTRACT;
    for (; k < end; k++)
        column[k] = solid ? -c->band : c->band;
}

// Does the same as join for many nodes, without a branch, for the two operations of instruments: a
// cut is the union of the air with the primitive.
static void join_many(const change *c, float *restrict column, const double *restrict primitive,
                      int count)
{
    const double tie = TIE * c->cell_size, most = (double)c->band;
    const double sign = c->how == RILL_COMBINE_SUBTRACT ? -1.0 : 1.0;
    if (c->how == RILL_COMBINE_UNION || c->how == RILL_COMBINE_SUBTRACT)
        for (int n = 0; n < count; n++) {
            const double d = fabs(primitive[n]) < tie ? -tie : primitive[n];
            const double field = sign * (double)column[n];
            const double low = field < d ? field : d, high = low < -most ? -most : low;
            column[n] = (float)(sign * (high > most ? most : high));
        }
    else
        for (int n = 0; n < count; n++)
            column[n] = join(c, column[n], primitive[n]);
}

// At node `seen` the distance to the primitive is larger than `far` by `beyond`: returns the next
// node above that may be near.
static int leap_from(const change *c, int seen, double beyond, int end)
{
    const double leap = beyond / (c->steepest * c->cell_size);
    return leap < (double)(end - seen - 1) ? seen + 1 + (int)leap : end;
}

// Where the distance is d, nodes nearer than d - far have the same far value: they are skipped
// where that saves more than computing many at once does.
static void join_column(const change *c, float *column, const rl_upright *line, int low, int end)
{
    RL_ASSERT(low >= 0 && low <= end);
    double primitive[RL_MOST_AT_ONCE];
    rl_placed_distances(&c->placed, line, low, 1, 2.0 * c->far, primitive);
    int seen = low; // the last node whose distance is known
    double last = primitive[0];
    for (int k = low; k < end;) {
        const double beyond = fabs(last) - c->far;
        const int next = beyond >= 0.0 ? leap_from(c, seen, beyond, end) : k;
        if (next == end || next - k >= RL_MOST_AT_ONCE) {
            join_far(c, column, k, next, last < 0.0);
            k = next;
        }
        const int count = end - k < RL_MOST_AT_ONCE ? end - k : RL_MOST_AT_ONCE;
        if (count == 0)
            return;
        rl_placed_distances(&c->placed, line, k, count, 2.0 * c->far, primitive);
        join_many(c, column + k, primitive, count);
        k += count;
        seen = k - 1;
        last = primitive[count - 1];
    }
}

// Each query of a mesh is expensive, and many at once are no faster.
static void join_mesh_column(const change *c, float *column, const rl_upright *line, int low,
                             int end)
{
    for (int k = low, next; k < end; k = next) {
        double primitive;
        rl_placed_distances(&c->placed, line, k, 1, 2.0 * c->far, &primitive);
        const double beyond = fabs(primitive) - c->far;
        next = leap_from(c, k, fmin(beyond, c->far), end);
        if (beyond >= 0.0) {
            join_far(c, column, k, next, primitive < 0.0);
        } else {
            column[k] = join(c, column[k], primitive);
            next = k + 1;
        }
    }
}

static change prepare(const rl_solid *solid, const rill_sdf_primitive *primitive, rill_combine how,
                      double blend)
{
    change c = {
        .placed = rl_sdf_primitive_place(primitive),
        .how = how,
        .cell_size = solid->cell_size,
        .bottom = solid->bottom,
        .band = (float)(RL_SOLID_BAND * solid->cell_size),
        .blend = blend_of(solid, how, blend),
    };
    c.far = RL_SOLID_BAND * solid->cell_size + c.blend;
    // A map of heights does not know its cliffs beside it; straight above it that does not matter.
    const bool upright = c.placed.turn[0][2] == 0.0 && c.placed.turn[1][2] == 0.0;
    c.steepest = primitive->kind == RILL_SDF_HEIGHTS && !upright ? HUGE_VAL
                 : primitive->kind == RILL_SDF_FIELD             ? RL_FIELD_STEEPEST
                                                                 : 1.0;
    return c;
}

void rl_solid_make_steeper(rl_solid *solid, const rill_sdf_primitive *primitive)
{
    if (primitive->kind == RILL_SDF_FIELD)
        solid->steepest = RL_FIELD_STEEPEST;
}

rl_solid_box rl_solid_combine(rl_solid *solid, const rill_sdf_primitive *primitive,
                              rill_combine how, double blend)
{
    const rl_solid_nodes box = rl_solid_nodes_of(solid, primitive, how, blend);
    rl_solid_combine_within(solid, primitive, how, blend, &box);
    rl_solid_make_steeper(solid, primitive);
    return rl_solid_cells_of(solid, &box);
}

void rl_solid_combine_within(rl_solid *solid, const rill_sdf_primitive *primitive, rill_combine how,
                             double blend, const rl_solid_nodes *within)
{
    const change c = prepare(solid, primitive, how, blend);
    const bool is_mesh = primitive->kind == RILL_SDF_MESH;
    rl_solid_nodes box = rl_solid_nodes_of(solid, primitive, how, blend);
    for (int a = 0; a < 3; a++) {
        box.low[a] = rl_greater_int(box.low[a], within->low[a]);
        box.end[a] = rl_lesser_int(box.end[a], within->end[a]);
    }
    if (is_empty(&box))
        return;
    for (int j = box.low[1]; j < box.end[1]; j++)
        for (int i = box.low[0]; i < box.end[0]; i++) {
            const rl_upright line = {(i + 0.5) * c.cell_size, (j + 0.5) * c.cell_size, c.bottom,
                                     c.cell_size};
            (is_mesh ? join_mesh_column : join_column)(&c, rl_solid_column(solid, i, j), &line,
                                                       box.low[2], box.end[2]);
        }
}

// ---- Copying and sampling --------------------------------------------------------------

void rl_solid_copy_nodes(const rl_solid *from, rl_solid *to, const rl_solid_nodes *nodes)
{
    RL_ASSERT(from->nx == to->nx && from->ny == to->ny && from->nz == to->nz);
    if (is_empty(nodes))
        return;
    const int low = nodes->low[2];
    const size_t bytes = (size_t)(nodes->end[2] - low) * sizeof *from->distance;
    for (int j = nodes->low[1]; j < nodes->end[1]; j++)
        for (int i = nodes->low[0]; i < nodes->end[0]; i++)
            memcpy(rl_solid_column(to, i, j) + low, rl_solid_column(from, i, j) + low, bytes);
}

// Finds the node below a place, and how far beyond it the place is, 0 to 1. `last` is the last
// node.
static int split(double place, int first, int last, double *part)
{
    const double within = fmin(fmax(place, (double)first), (double)last);
    const int node = rl_clamp_int((int)floor(within), first, last - 1);
    *part = within - node;
    return node;
}

double rill_solid_distance(const rill_solid *solid, double x, double y, double z)
{
    if (solid == NULL || !isfinite(x) || !isfinite(y) || !isfinite(z))
        return 0.0;
    RL_ASSERT(solid->nz >= 2);
    double fx, fy, fz;
    const int i = split(x / solid->cell_size - 0.5, -1, solid->nx, &fx);
    const int j = split(y / solid->cell_size - 0.5, -1, solid->ny, &fy);
    const int k = split((z - solid->bottom) / solid->cell_size, 0, solid->nz - 1, &fz);
    double sum = 0.0;
    for (int corner = 0; corner < 4; corner++) {
        const float *column = rl_solid_column(solid, i + (corner & 1), j + (corner >> 1)) + k;
        const double weight = (corner & 1 ? fx : 1.0 - fx) * (corner >> 1 ? fy : 1.0 - fy);
        sum += weight * ((double)column[0] * (1.0 - fz) + (double)column[1] * fz);
    }
    return sum;
}
