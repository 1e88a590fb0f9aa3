// SPDX-License-Identifier: MIT
// layers_columns.c - reading the layers solver: columns with velocities, volume, state.
#include "solvers/layers/layers.h"

#include "core/assert.h"
#include "solvers/shared/column_cell.h"

// ---- Velocities ------------------------------------------------------------------------

// Liquid above the sill between the ends of a cross pipe and below their ceilings, metres.
static float above_sill(const rl_layers *s, size_t i, size_t j)
{
    const float *base = s->base.origin, *depth = s->depth.origin, *top = s->range_max.origin;
    return rl_layers_above_sill(base[i], depth[i], top[i], base[j], depth[j], top[j]);
}

// Discharges are gathered in velocity_x and velocity_y, the liquid in the faces in raw_x and raw_y,
// which are free between steps.
static rl_layers_columns_row columns_row(const rl_layers *s, int plane, int y)
{
    const rl_layers_span span = *rl_layers_span_of(s, plane, y);
    const bool covered = plane > 0;
    return (rl_layers_columns_row){
        .first = span.first,
        .end = span.end,
        .wet = s->wet_depth,
        .base = rl_layers_row(s, &s->base, plane, y),
        .base_south = rl_layers_row(s, &s->base, plane, y - 1),
        .base_north = rl_layers_row(s, &s->base, plane, y + 1),
        .depth = rl_layers_row(s, &s->depth, plane, y),
        .depth_south = rl_layers_row(s, &s->depth, plane, y - 1),
        .depth_north = rl_layers_row(s, &s->depth, plane, y + 1),
        .top = covered ? rl_layers_row(s, &s->range_max, plane, y) : NULL,
        .top_south = covered ? rl_layers_row(s, &s->range_max, plane, y - 1) : NULL,
        .top_north = covered ? rl_layers_row(s, &s->range_max, plane, y + 1) : NULL,
        .qx = rl_layers_row(s, &s->qx, plane, y),
        .qy = rl_layers_row(s, &s->qy, plane, y),
        .qy_south = rl_layers_row(s, &s->qy, plane, y - 1),
        .velocity_x = rl_layers_row(s, &s->velocity_x, plane, y),
        .velocity_y = rl_layers_row(s, &s->velocity_y, plane, y),
        .liquid_x = rl_layers_row(s, &s->raw_x, plane, y),
        .liquid_y = rl_layers_row(s, &s->raw_y, plane, y),
    };
}

static void add_cross(rl_layers *s, size_t slot, const rl_layers_cross *pipe, float q)
{
    const float in = above_sill(s, pipe->from, pipe->to);
    rill_field *flow = pipe->north ? &s->velocity_y : &s->velocity_x;
    rill_field *liquid = pipe->north ? &s->raw_y : &s->raw_x;
    flow->origin[slot] += q;
    liquid->origin[slot] += in;
}

static void gather_cross(rl_layers *s, int y)
{
    RL_ASSERT(y >= 0 && y < s->ny);
    for (size_t n = y > 0 ? s->cross_first[y - 1] : 0; n < s->cross_first[y]; n++)
        if (s->cross[n].north)
            add_cross(s, s->cross[n].to, &s->cross[n], s->cross_q[n]);
    for (size_t n = s->cross_first[y]; n < s->cross_first[y + 1]; n++) {
        add_cross(s, s->cross[n].from, &s->cross[n], s->cross_q[n]);
        if (!s->cross[n].north)
            add_cross(s, s->cross[n].to, &s->cross[n], s->cross_q[n]);
    }
}

static void velocity_row(void *context, int y)
{
    rl_layers *s = context;
    for (int plane = 0; plane < s->planes; plane++) {
        const rl_layers_columns_row row = columns_row(s, plane, y);
        s->rows->sum_faces[plane > 0](&row);
    }
    if (s->cross_count > 0)
        gather_cross(s, y);
    for (int plane = 0; plane < s->planes; plane++) {
        const rl_layers_columns_row row = columns_row(s, plane, y);
        s->rows->divide_sums(&row);
    }
}

rill_columns rl_layers_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    rl_layers *s = self;
    if (request == NULL || request->box_count > 0)
        rl_jobs_run(jobs, s->ny, velocity_row, s);
    return (rill_columns){
        .nx = s->nx,
        .ny = s->ny,
        .layers = s->planes,
        .pitch = s->base.pitch,
        .layer_stride = s->plane_rows * s->base.pitch,
        .cell_size = (float)s->cell_size,
        .wet_depth = s->wet_depth,
        .base = s->base.origin,
        .depth = s->depth.origin,
        .velocity_x = s->velocity_x.origin,
        .velocity_y = s->velocity_y.origin,
        .range_min = s->on_solid ? s->range_min.origin : NULL,
        .range_max = s->on_solid ? s->range_max.origin : NULL,
    };
}

// ---- Volume, places, state -------------------------------------------------------------

static void sum_row(void *context, int y)
{
    const rl_layers *s = context;
    double sum = 0.0;
    for (int plane = 0; plane < s->planes; plane++) {
        const rl_layers_span span = *rl_layers_span_of(s, plane, y);
        const float *depth = rl_layers_row(s, &s->depth, plane, y);
        const float *remainder = rl_layers_row(s, &s->remainder, plane, y);
        for (int i = span.first; i < span.end; i++)
            sum += (double)depth[i] + (double)remainder[i];
    }
    s->row_sums[y] = sum;
}

double rl_layers_volume(const void *self, rl_jobs *jobs)
{
    const rl_layers *s = self;
    rl_jobs_run(jobs, s->ny, sum_row, (void *)(uintptr_t)s);
    return rl_row_sums_volume(s->row_sums, s->ny, s->cell_size);
}

int rl_layers_layer_at(const void *self, int i, int j, float z)
{
    const rl_layers *s = self;
    RL_ASSERT(i >= 0 && i < s->nx && j >= 0 && j < s->ny);
    const float *bottom = s->on_solid ? s->range_min.origin : NULL;
    const float *top = s->on_solid ? s->range_max.origin : NULL;
    return rl_layer_at(s->base.origin, bottom, top, s->planes, s->plane_rows * s->base.pitch,
                       rl_layers_slot(s, 0, i, j), z);
}

// All planes lie in one array each; the ghost rows between them are made from the rest.
int rl_layers_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_layers *s = self;
    const size_t nx = (size_t)s->nx, pitch = s->base.pitch, one = s->qy.pitch;
    const size_t rows = s->plane_rows * (size_t)s->planes - 2 * RL_LAYERS_GHOST_ROWS;
    int count = 0;
    arrays[count++] = (rill_state_array){"bed", s->base.origin, pitch, nx, rows};
    arrays[count++] = (rill_state_array){"depth", s->depth.origin, pitch, nx, rows};
    arrays[count++] = (rill_state_array){"remainder", s->remainder.origin, pitch, nx, rows};
    arrays[count++] = (rill_state_array){"qx", s->qx.origin - 1, pitch, nx + 1, rows};
    arrays[count++] = (rill_state_array){"qy", s->qy.origin - one, pitch, nx, rows + 1};
    arrays[count++] =
        (rill_state_array){"running_max", s->running_max, (size_t)s->ny, (size_t)s->ny, 1};
    arrays[count++] = (rill_state_array){"max_depth", &s->max_depth, 1, 1, 1};
    if (!s->on_solid)
        return count;
    arrays[count++] = (rill_state_array){"range_min", s->range_min.origin, pitch, nx, rows};
    arrays[count++] = (rill_state_array){"range_max", s->range_max.origin, pitch, nx, rows};
    arrays[count++] = (rill_state_array){"flooded", s->flooded.origin, pitch, nx, rows};
    arrays[count++] = (rill_state_array){"head", s->head.origin, pitch, nx, rows};
    const size_t capacity = s->cross_capacity;
    arrays[count++] = (rill_state_array){"cross_q", s->cross_q, capacity, capacity, 1};
    return count;
}
