// SPDX-License-Identifier: MIT
// validate_passages.c - liquid through flooded passages (docs/validation.md).
//
// Two basins of free areas S1 and S2, joined below their surfaces by a passage of section a and
// length L, are a U-tube. The discharge Q through the passage follows
//
//     dQ/dt = g (a / L_e) (h1 - h2) - 12 nu / H^2 Q,   S1 h1' = -Q,   S2 h2' = Q
//
// with two walls a height H apart, so the difference of the levels swings with
//
//     w0^2 = g a (1/S1 + 1/S2) / L_e,   w = sqrt(w0^2 - (6 nu / H^2)^2)
//
// and dies away with exp(-6 nu t / H^2). L_e is L and half a cell in each basin; the basins are
// deep enough that the way to the passage hardly counts.
#include "validation/measure.h"

#include "rill/scene.h"
#include "rill/solid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY   9.81
#define PI        3.14159265358979323846
#define VISCOSITY 1e-6 // m^2/s
#define CELL      1e-3 // metres
#define LENGTH    60   // of the passage, cells
#define WIDTH     8
#define HEIGHT    4
#define SIDE      30 // of the basins across, cells
#define FIRST     30 // and along
#define SECOND    40
#define DEPTH     40
#define TILT      1.0  // of the levels at the start, cells: the first basin stands this much higher
#define SECONDS   12.0 // six periods
#define SAMPLES   1200

static rill_status carve(rill_solid *solid, double x0, double y0, double x1, double y1, double top,
                         rill_combine how)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX);
    const double low = how == RILL_COMBINE_UNION ? -4.0 : 0.0;
    box.position[0] = 0.5 * (x0 + x1) * CELL;
    box.position[1] = 0.5 * (y0 + y1) * CELL;
    box.position[2] = 0.5 * (low + top) * CELL;
    box.size[0] = (x1 - x0) * CELL;
    box.size[1] = (y1 - y0) * CELL;
    box.size[2] = (top - low) * CELL;
    return rill_solid_combine(solid, &box, how, 0.0);
}

static rill_status create(rill_passages passages, rill_world **world)
{
    const int nx = FIRST + LENGTH + SECOND;
    rill_solid_def solid_def = rill_default_solid_def();
    solid_def.nx = nx;
    solid_def.ny = SIDE;
    solid_def.cell_size = CELL;
    solid_def.bottom = -4.0 * CELL;
    solid_def.top = (DEPTH + 8.0) * CELL;
    rill_solid *solid = NULL;
    const double far = 20.0, south = 0.5 * (SIDE - WIDTH), north = south + WIDTH;
    const double top = DEPTH + 6.0, above = DEPTH + 40.0;
    rill_status status = rill_solid_create(&solid_def, &solid);
    if (status == RILL_OK)
        status = carve(solid, -far, -far, nx + far, SIDE + far, top, RILL_COMBINE_UNION);
    if (status == RILL_OK)
        status = carve(solid, -far, -far, FIRST, SIDE + far, above, RILL_COMBINE_SUBTRACT);
    if (status == RILL_OK)
        status =
            carve(solid, FIRST + LENGTH, -far, nx + far, SIDE + far, above, RILL_COMBINE_SUBTRACT);
    if (status == RILL_OK)
        status = carve(solid, FIRST - 1, south, FIRST + LENGTH + 1, north, HEIGHT,
                       RILL_COMBINE_SUBTRACT);
    validation_grid depth = {0};
    if (status == RILL_OK && !validation_grid_create(nx, SIDE, &depth))
        status = RILL_NO_MEMORY;
    for (int j = 0; j < SIDE && status == RILL_OK; j++)
        for (int i = 0; i < FIRST; i++)
            depth.data[(size_t)j * (size_t)nx + (size_t)i] = (float)((DEPTH + TILT) * CELL);
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = SIDE;
    def.cell_size = (float)CELL;
    def.gravity = (float)GRAVITY;
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    def.layers.max_layers = 2;
    def.layers.passages = passages;
    def.pipes.viscosity = (float)VISCOSITY;
    def.use_level = 1;
    def.level = (float)(DEPTH * CELL);
    def.depth = validation_grid_view(&depth);
    if (status == RILL_OK)
        status = rill_world_create(&def, world);
    rill_solid_destroy(&solid);
    free(depth.data);
    return status;
}

// Mean level of the open columns of cells [i0, i1), metres.
static double mean_level(rill_world *world, int i0, int i1)
{
    const rill_columns c = rill_world_columns(world);
    double sum = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = i0; i < i1; i++) {
            const size_t n = (size_t)j * c.pitch + (size_t)i;
            sum += (double)c.base[n] + (double)c.depth[n];
        }
    return sum / ((double)c.ny * (i1 - i0));
}

typedef struct swing {
    double start;  // difference of the levels at first, metres
    double end;    // and at last
    double period; // from its zeros, seconds; NaN where there are fewer than three
    double time[SAMPLES], difference[SAMPLES];
} swing;

static rill_status record(rill_world *world, swing *s)
{
    double first_zero = NAN, last_zero = NAN, before = 0.0;
    int zeros = 0;
    rill_status status = RILL_OK;
    for (int n = 0; n < SAMPLES && status == RILL_OK; n++) {
        const double difference = mean_level(world, 0, FIRST) -
                                  mean_level(world, FIRST + LENGTH, FIRST + LENGTH + SECOND);
        s->time[n] = rill_world_time(world);
        s->difference[n] = difference;
        // Late zeros drown in the rounding of the levels.
        if (n > 0 && before * difference < 0.0 && fabs(before) > 0.002 * fabs(s->difference[0])) {
            const double part = before / (before - difference);
            last_zero = s->time[n - 1] + part * (s->time[n] - s->time[n - 1]);
            first_zero = zeros++ == 0 ? last_zero : first_zero;
        }
        before = difference;
        status = rill_world_step(world, SECONDS / SAMPLES);
    }
    s->start = s->difference[0];
    s->end = before;
    s->period = zeros >= 3 ? 2.0 * (last_zero - first_zero) / (zeros - 1) : NAN;
    return status;
}

static rill_status draw(const swing *s, double damping, double omega, validation_plot *plot)
{
    validation_curve *exact = validation_add_curve(plot, VALIDATION_EXACT, "exact", SAMPLES);
    validation_curve *computed =
        validation_add_curve(plot, VALIDATION_COMPUTED, "computed", SAMPLES / 8);
    if (exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "time, s";
    plot->y_name = "difference of the levels, mm";
    for (int n = 0; n < SAMPLES; n++) {
        const double t = s->time[n];
        exact->x[n] = t;
        exact->y[n] = 1e3 * s->start * exp(-damping * t) *
                      (cos(omega * t) + damping / omega * sin(omega * t));
    }
    for (int n = 0; n < SAMPLES / 8; n++) {
        computed->x[n] = s->time[8 * n];
        computed->y[n] = 1e3 * s->difference[8 * n];
    }
    return RILL_OK;
}

static rill_status run_tube(const validation_case *self, int n, validation_result *out)
{
    (void)n;
    const rill_passages passages = *(const rill_passages *)self->setup;
    const double damping = 6.0 * VISCOSITY / (HEIGHT * CELL * HEIGHT * CELL);
    const double areas = 1.0 / (FIRST * SIDE * CELL * CELL) + 1.0 / (SECOND * SIDE * CELL * CELL);
    const double section = WIDTH * HEIGHT * CELL * CELL, way = (LENGTH + 1.0) * CELL;
    const double omega = sqrt(GRAVITY * section * areas / way - damping * damping);
    swing *s = calloc(1, sizeof *s);
    rill_world *world = NULL;
    rill_status status = s != NULL ? create(passages, &world) : RILL_NO_MEMORY;
    if (status == RILL_OK)
        status = record(world, s);
    validation_norms norms = {0};
    for (int k = 0; k < SAMPLES && status == RILL_OK; k++) {
        const double t = s->time[k];
        const double exact =
            s->start * exp(-damping * t) * (cos(omega * t) + damping / omega * sin(omega * t));
        validation_norms_add(&norms, s->difference[k] - exact);
    }
    if (status == RILL_OK) {
        validation_finish(out, &norms, s->start, world);
        if (passages == RILL_PASSAGES_NONE) {
            // Nothing gets through: what is left of the difference is all of it.
            out->figures[0] = (validation_figure){fabs(s->end / s->start - 1.0), 1e-3};
        } else {
            out->figures[0] = (validation_figure){fabs(s->period * omega / (2.0 * PI) - 1.0), 0.05};
            // The swing itself has died to exp(-damping SECONDS) = 1.1 %.
            out->figures[1] = (validation_figure){fabs(s->end / s->start), 0.02};
        }
        status = draw(s, damping, omega, &out->plot);
    }
    rill_world_destroy(&world);
    free(s);
    return status;
}

// ---- A branched passage ----------------------------------------------------------------

// The scene passages-cross: four basins at the ends of a cross of tunnels, of which the western one
// is filled. Cells of the basins, without those beside their walls.
static const struct {
    int i0, i1, j0, j1;
} basins[4] = {{5, 19, 31, 69}, {81, 95, 31, 69}, {31, 69, 5, 19}, {31, 69, 81, 95}};

#define CROSS_SAMPLES 300

// Largest difference between two of the four levels over their mean.
static double spread_of(rill_world *world, double *west, double *lowest)
{
    const rill_columns c = rill_world_columns(world);
    double levels[4], low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 4; k++) {
        double sum = 0.0;
        int count = 0;
        for (int j = basins[k].j0; j < basins[k].j1; j++)
            for (int i = basins[k].i0; i < basins[k].i1; i++, count++) {
                const size_t n = (size_t)j * c.pitch + (size_t)i;
                sum += (double)c.base[n] + (double)c.depth[n];
            }
        levels[k] = sum / count;
        low = fmin(low, levels[k]);
        high = fmax(high, levels[k]);
    }
    *west = levels[0];
    *lowest = low;
    return (high - low) / (0.25 * (levels[0] + levels[1] + levels[2] + levels[3]));
}

// Runs the scene with one kind of passages and draws the lowest level of the four.
static rill_status run_branches(const char *passages, validation_plot *plot,
                                validation_curve_kind kind, double *spread, double *mass_error)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    validation_curve *curve = validation_add_curve(plot, kind, passages, CROSS_SAMPLES);
    rill_status status = curve != NULL
                             ? rill_scene_open("passages-cross", &passages, 1, NULL, &scene)
                             : RILL_NO_MEMORY;
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, 1, &world);
    const rill_scene_info info = rill_scene_describe(scene);
    for (int n = 0; n < CROSS_SAMPLES && status == RILL_OK; n++) {
        const double until = info.duration * (n + 1) / CROSS_SAMPLES;
        while (rill_world_time(world) < until - 0.5 * info.frame && status == RILL_OK)
            status = rill_world_step(world, info.frame);
        double west, lowest;
        *spread = spread_of(world, &west, &lowest);
        curve->x[n] = rill_world_time(world);
        curve->y[n] = 1e3 * lowest;
    }
    if (status == RILL_OK)
        *mass_error = fmax(*mass_error, rill_world_ledger(world).error);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return status;
}

static rill_status run_cross(const validation_case *self, int n, validation_result *out)
{
    (void)self;
    (void)n;
    double unified = INFINITY, axis = 0.0;
    out->plot.x_name = "time, s";
    out->plot.y_name = "level of the lowest of the four basins, mm";
    rill_status status = run_branches("layers.passages=unified", &out->plot, VALIDATION_EXACT,
                                      &unified, &out->mass_error);
    if (status == RILL_OK)
        status = run_branches("layers.passages=axis", &out->plot, VALIDATION_COMPUTED, &axis,
                              &out->mass_error);
    out->error_l1 = out->error_linf = unified;
    out->figures[0] = (validation_figure){unified, 0.02};
    // Pipes along the axes must be left behind by far, or the scene shows nothing.
    out->figures[1] = (validation_figure){unified / axis, 0.1};
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define TUBE_TEXT                                                                              \
    "Basins of 30 x 30 and 40 x 30 mm, 40 mm deep, joined by a flooded passage of 60 x 8 x 4 " \
    "mm; viscosity 1e-6 m2/s. "

static const validation_case cases[] = {
    {
        .solver = "layers",
        .title = "A U-tube through a flooded passage, unified pipe",
        .description = TUBE_TEXT "Exact: a damped swing of 1.98 s.",
        .grid_name = "cells along the passage",
        .rows = {{"layers-utube-period", "period, relative"},
                 {"layers-utube-level", "levels after 12 s, over the first difference"}},
        .row_count = 2,
        .grids = {LENGTH},
        .grid_count = 1,
        .setup = &(const rill_passages){RILL_PASSAGES_UNIFIED},
        .run = run_tube,
    },
    {
        .solver = "layers",
        .title = "A U-tube through a flooded passage, pipes along the axes",
        .description = TUBE_TEXT "Exact: a damped swing of 1.98 s.",
        .grid_name = "cells along the passage",
        .rows = {{"layers-utube-axis-period", "period, relative"},
                 {"layers-utube-axis-level", "levels after 12 s, over the first difference"}},
        .row_count = 2,
        .grids = {LENGTH},
        .grid_count = 1,
        .setup = &(const rill_passages){RILL_PASSAGES_AXIS},
        .run = run_tube,
    },
    {
        .solver = "layers",
        .title = "A U-tube without extended pipes",
        .description = TUBE_TEXT "A flooded column lets nothing through: the levels must stay "
                                 "apart.",
        .grid_name = "cells along the passage",
        .rows = {{"layers-utube-blocked", "part of the difference that is gone"}},
        .row_count = 1,
        .grids = {LENGTH},
        .grid_count = 1,
        .setup = &(const rill_passages){RILL_PASSAGES_NONE},
        .run = run_tube,
    },
    {
        .solver = "layers",
        .title = "A branched passage",
        .description = "The scene passages-cross: one of four basins at the ends of a cross of "
                       "tunnels is filled. With the unified pipe all must come to one level; the "
                       "line is the unified pipe, the points are pipes along the axes.",
        .grid_name = "cells a side",
        .rows = {{"layers-cross-spread", "spread of the four levels at the end"},
                 {"layers-cross-axis", "spread over that of pipes along the axes"}},
        .row_count = 2,
        .grids = {100},
        .grid_count = 1,
        .run = run_cross,
    },
};

validation_topic validation_passage_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
