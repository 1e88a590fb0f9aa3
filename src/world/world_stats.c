// SPDX-License-Identifier: MIT
// world_stats.c - what the water is like now: how deep, how fast and how far above or below the
// speed of its own waves, and where.
//
// Rows are read in bands whose number is fixed and whose results are compared in order, so that the
// first of equal columns is named whatever the number of threads.
#include "world/world_internal.h"

#include "rill/columns.h"

#define BANDS 64

// Shallower columns do not count for speeds: water less deep than this part of a cell is wide is
// below what the grid resolves, for a slope of 1 in 100 changes the ground within a cell by as
// much. The speed of a film, micrometres on a steep slope, is set by the solver's guards against
// division by small depths and not by the flow that is asked for.
#define LEAST_OF_CELL 0.01f
// But a world of films has a speed, too: no column counts as too shallow that has this part of the
// largest depth.
#define LEAST_OF_DEEPEST 0.1f

// The largest value of some columns, and which column has it.
typedef struct peak {
    float value;
    int i, j, layer;
} peak;

typedef struct band {
    float max_depth;
    int64_t wet_cells;
    peak speed_squared, froude_squared; // the second times gravity
} band;

typedef struct survey {
    rill_columns columns;
    float least; // metres: shallower columns do not count for speeds
    band bands[BANDS];
} survey;

// Row [*first, *end) of all rows of all layers belong to a band.
static void rows_of(const rill_columns *c, int n, int *first, int *end)
{
    const int64_t rows = (int64_t)c->layers * c->ny;
    *first = (int)(rows * n / BANDS);
    *end = (int)(rows * (n + 1) / BANDS);
}

static size_t place_of(const rill_columns *c, int row)
{
    return (size_t)(row / c->ny) * c->layer_stride + (size_t)(row % c->ny) * c->pitch;
}

static void survey_depths(void *context, int n)
{
    survey *s = context;
    const rill_columns *c = &s->columns;
    band *b = &s->bands[n];
    int first, end;
    rows_of(c, n, &first, &end);
    for (int row = first; row < end; row++) {
        const float *depth = c->depth + place_of(c, row);
        for (int i = 0; i < c->nx; i++) {
            b->wet_cells += depth[i] > c->wet_depth;
            b->max_depth = depth[i] > b->max_depth ? depth[i] : b->max_depth;
        }
    }
}

// Water that fills its column up to the ceiling has no surface on which waves could run.
static bool has_surface(const rill_columns *c, size_t at)
{
    return c->range_max == NULL || c->base[at] + c->depth[at] < c->range_max[at] - c->wet_depth;
}

static void survey_speeds(void *context, int n)
{
    survey *s = context;
    const rill_columns *c = &s->columns;
    band *b = &s->bands[n];
    int first, end;
    rows_of(c, n, &first, &end);
    for (int row = first; row < end; row++) {
        const size_t place = place_of(c, row);
        for (int i = 0; i < c->nx; i++) {
            const size_t at = place + (size_t)i;
            const float d = c->depth[at];
            if (!(d >= s->least && d > c->wet_depth))
                continue;
            const float u = c->velocity_x[at], v = c->velocity_y[at];
            const float squared = u * u + v * v;
            const peak here = {squared, i, row % c->ny, row / c->ny};
            if (squared > b->speed_squared.value)
                b->speed_squared = here;
            if (squared / d > b->froude_squared.value && has_surface(c, at)) {
                b->froude_squared = here;
                b->froude_squared.value = squared / d;
            }
        }
    }
}

static float least_depth(float cell_size, float deepest)
{
    const float of_cell = LEAST_OF_CELL * cell_size, of_deepest = LEAST_OF_DEEPEST * deepest;
    return of_cell < of_deepest ? of_cell : of_deepest;
}

static peak higher(peak a, peak b)
{
    return b.value > a.value ? b : a;
}

rill_stats rill_world_stats(rill_world *world)
{
    if (world == NULL)
        return (rill_stats){0};
    survey s = {.columns = rill_world_columns(world)};
    rill_stats stats = {0};
    rl_jobs_run(world->jobs, BANDS, survey_depths, &s);
    for (int n = 0; n < BANDS; n++) {
        stats.wet_cells += s.bands[n].wet_cells;
        if (s.bands[n].max_depth > stats.max_depth)
            stats.max_depth = s.bands[n].max_depth;
    }
    s.least = least_depth(s.columns.cell_size, stats.max_depth);
    rl_jobs_run(world->jobs, BANDS, survey_speeds, &s);
    peak speed = {0}, froude = {0};
    for (int n = 0; n < BANDS; n++) {
        speed = higher(speed, s.bands[n].speed_squared);
        froude = higher(froude, s.bands[n].froude_squared);
    }
    const float cell = s.columns.cell_size;
    stats.speed_depth = s.least > s.columns.wet_depth ? s.least : s.columns.wet_depth;
    if (speed.value > 0.0f) {
        stats.max_speed = sqrtf(speed.value);
        stats.max_speed_x = ((float)speed.i + 0.5f) * cell;
        stats.max_speed_y = ((float)speed.j + 0.5f) * cell;
        stats.max_speed_layer = speed.layer;
    }
    if (froude.value > 0.0f) {
        stats.max_froude = sqrtf(froude.value / world->def.gravity);
        stats.max_froude_x = ((float)froude.i + 0.5f) * cell;
        stats.max_froude_y = ((float)froude.j + 0.5f) * cell;
        stats.max_froude_layer = froude.layer;
    }
    return stats;
}
