// SPDX-License-Identifier: MIT
// solid_create.c - default definitions, and columns and floors of a solid.
#include "terrain/heightfield.h"

#include "terrain/sdf/solid_internal.h"

// ---- Solids ----------------------------------------------------------------------------

rill_solid_def rill_default_solid_def(void)
{
    return (rill_solid_def){.nx = 256, .ny = 256, .cell_size = 1.0, .top = 1.0};
}

rill_sdf_primitive rill_default_sdf_primitive(rill_sdf_kind kind)
{
    return (rill_sdf_primitive){
        .kind = kind,
        .rotation = {0.0, 0.0, 0.0, 1.0},
        .scale = 1.0,
        .size = {1.0, 1.0, 1.0},
        .radius = 0.5,
        .radius_top = 0.25,
        .tube = 0.1,
        .length = 1.0,
        .heights_cell = 1.0,
    };
}

rill_status rill_solid_combine(rill_solid *solid, const rill_sdf_primitive *shape, rill_combine how,
                               double blend)
{
    if (solid == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_solid_combine needs a solid, it is NULL");
    RILL_TRY(rill_sdf_primitive_check(shape, how, blend));
    rl_solid_combine(solid, shape, how, blend);
    return RILL_OK;
}

rill_status rill_solid_floors(const rill_solid *solid, float none, rill_heightfield *floors)
{
    const rill_field *field = rill_heightfield_field(floors);
    if (solid == NULL || field == NULL || field->nx != solid->nx || field->ny != solid->ny)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "rill_solid_floors needs a solid and a heightfield of the same size");
    const int most = solid->nz + 1; // columns above each other
    const size_t bytes = (size_t)most * sizeof(rl_span);
    rl_span *spans = rill_alloc(&solid->own.allocator, bytes);
    if (spans == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the floors of a solid");
    for (int j = 0; j < solid->ny; j++) {
        float *row = rill_field_row(field, j);
        for (int i = 0; i < solid->nx; i++) {
            const int count = rl_solid_cast(solid, i, j, spans, most);
            row[i] = count > 0 ? spans[count - 1].base : none;
        }
    }
    rill_free(&solid->own.allocator, spans, bytes);
    return RILL_OK;
}

// ---- Columns ---------------------------------------------------------------------------
//
// Cuts a solid into columns: a ray goes up through the middle of a cell and notes where it comes
// out of the solid (a floor) and where it enters it again (a ceiling), Dagenais section 3.1.
//
// Between two nodes the distance is taken as linear, which is exact below a plane of any slope.

// Gaps and plates thinner than this part of a cell do not count: they are what rounding leaves
// between primitives with a common face.
#define THIN 1e-3

#define BELOW_ALL (-RL_SOLID_SKY) // underside of the solid that all stands on

typedef struct caster {
    double thin;
    rl_span *spans;
    int limit, count;
    bool open;             // a column has been begun and not been written
    double min, base, max; // of that column
    double ceiling;        // of the last column that was written, or BELOW_ALL
} caster;

static void write_column(caster *c)
{
    if (c->count < c->limit)
        c->spans[c->count] = (rl_span){(float)c->min, (float)c->base, (float)c->max};
    c->count++;
    c->ceiling = c->max;
    c->open = false;
}

// Notes that the ray comes out of the solid.
static void leave_solid(caster *c, double z)
{
    if (c->open && z - c->max < c->thin)
        return; // the plate does not count: the column goes on
    if (c->open)
        write_column(c);
    c->open = true;
    c->min = c->ceiling;
    c->base = z;
}

// Notes that the ray enters the solid. The column is not written until the plate above it is known
// to be one.
static void enter_solid(caster *c, double z)
{
    RL_ASSERT(c->open);
    c->max = z;
    if (z - c->base < c->thin || (float)c->max <= (float)c->base)
        c->open = false;
}

int rl_solid_cast(const rl_solid *solid, int i, int j, rl_span *spans, int limit)
{
    RL_ASSERT(i >= 0 && i < solid->nx && j >= 0 && j < solid->ny && limit >= 0);
    const float *column = rl_solid_column(solid, i, j);
    const double dx = solid->cell_size, bottom = solid->bottom;
    caster c = {.thin = THIN * dx, .spans = spans, .limit = limit, .ceiling = (double)BELOW_ALL};
    bool air = false;
    if (!(column[0] < 0.0f)) {
        leave_solid(&c, bottom);
        air = true;
    }
    for (int k = 1; k < solid->nz; k++) {
        const bool next = !(column[k] < 0.0f);
        if (next == air)
            continue;
        const double low = (double)column[k - 1], high = (double)column[k];
        const double z = bottom + (k - 1 + low / (low - high)) * dx;
        if (next)
            leave_solid(&c, z);
        else
            enter_solid(&c, z);
        air = next;
    }
    if (!air)
        leave_solid(&c, bottom + (solid->nz - 1) * dx);
    c.max = (double)RL_SOLID_SKY;
    write_column(&c);
    return c.count;
}

void rl_spans_keep_widest(rl_span *spans, int count, int limit)
{
    RL_ASSERT(limit > 0);
    for (; count > limit && count > 0; count--) {
        int narrowest = count - 1;
        for (int n = count - 1; n >= 0; n--)
            if (spans[n].max - spans[n].base < spans[narrowest].max - spans[narrowest].base)
                narrowest = n;
        for (int n = narrowest; n + 1 < count; n++)
            spans[n] = spans[n + 1];
        // What was left out is solid now.
        if (narrowest + 1 < count)
            spans[narrowest].min = narrowest > 0 ? spans[narrowest - 1].max : BELOW_ALL;
    }
}
