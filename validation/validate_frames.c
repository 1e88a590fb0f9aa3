// SPDX-License-Identifier: MIT
// validate_frames.c - what comes and goes does so at its time, however long the frames are
// (docs/validation.md).
//
// A basin with a sill at its eastern end is filled up to the sill. In `frames-rain` a storm rises
// and ends over it and runs off over the sill, so that the level over it swells and falls again; in
// `frames-tide` the sea beyond the western side rises and falls and the basin follows. A run in
// frames of a tenth of a second is the reference. Runs in frames of n seconds must have the same
// levels: at every fifth minute, where all of them have a frame, in the middle of the basin.
//
// The bound of 0.5 % is what is asked of the water. If what comes and goes did so once a frame,
// frames of 60 s would be wrong by 1 to 2 % here and those of 300 s by 4 to 8 %. Beds are rough:
// without friction the pipes over the sill gain speed until the outflow limiter stops them, and the
// level would depend on the length of the substep.
#include "validation/measure.h"

#include "rill/sources.h"

#include <math.h>
#include <stdlib.h>

#define CELLS    40   // along the basin,
#define ROWS     4    // and across
#define CELL     10.0 // metres
#define SILL     0.5  // metres above the floor
#define DURATION 3600.0
#define EVERY    300.0 // seconds between levels that are compared
#define LEVELS   12
#define SHORT    0.1  // seconds: frames of the reference
#define PEAK     1e-4 // m/s: 360 mm an hour at the height of the storm
#define BOUND    0.005

typedef struct frames_setup {
    rill_solver solver;
    int tide; // 1: a tide, 0: rain
} frames_setup;

static double bed_at(const void *context, double x)
{
    (void)context;
    return x > CELL * (CELLS - 10) ? SILL : 0.0;
}

// Rain that rises for a quarter of an hour and falls for half of one.
static rill_status set_storm(rill_world *world)
{
    const rill_rain_frame storm[] = {
        {.time = 0.0}, {.time = 900.0, .rate = PEAK}, {.time = 2700.0}};
    return rill_world_set_rain(world, storm, 3);
}

// A sea that rises by a decimetre and falls, with corners that fall into the frames.
static rill_status set_tide(rill_world *world)
{
    const rill_border_frame tide[] = {
        {.time = 0.0, .value = SILL},
        {.time = 1010.0, .value = SILL + 0.1},
        {.time = 2230.0, .value = SILL + 0.02},
        {.time = 3600.0, .value = SILL + 0.08},
    };
    return rill_world_set_border_series(world, RILL_SIDE_WEST, tide, 4);
}

static rill_status make_basin(const frames_setup *setup, rill_world **out)
{
    validation_grid bed;
    if (!validation_grid_create(CELLS, ROWS, &bed))
        return RILL_NO_MEMORY;
    validation_grid_fill_columns(&bed, CELL, bed_at, NULL);
    rill_world_def def = rill_default_world_def();
    def.nx = CELLS;
    def.ny = ROWS;
    def.cell_size = (float)CELL;
    def.solver = setup->solver;
    def.bed = validation_grid_view(&bed);
    def.pipes.drag = 0.02f;
    def.swe.manning = 0.03f;
    def.use_level = 1;
    def.level = (float)SILL;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    if (setup->tide) {
        def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
        def.border_level[RILL_SIDE_WEST] = (float)SILL;
    }
    rill_status status = rill_world_create(&def, out);
    free(bed.data);
    if (status == RILL_OK)
        status = setup->tide ? set_tide(*out) : set_storm(*out);
    return status;
}

// Heights over the sill at every fifth minute, metres, in frames of `frame` seconds. The caller
// destroys the world.
static rill_status run_in_frames(const frames_setup *setup, double frame, double levels[LEVELS],
                                 rill_world **world)
{
    rill_status status = make_basin(setup, world);
    for (int k = 0; k < LEVELS && status == RILL_OK; k++) {
        status = validation_advance(*world, EVERY, frame);
        const rill_columns columns = rill_world_columns(*world);
        const double middle = 0.5 * CELL * CELLS;
        levels[k] = (double)rill_columns_probe(&columns, 0, middle, 0.5 * CELL * ROWS).level - SILL;
    }
    return status;
}

static void add_plot(validation_plot *plot, const double *wanted, const double *levels)
{
    validation_curve *line =
        validation_add_curve(plot, VALIDATION_EXACT, "frames of a tenth of a second", LEVELS);
    validation_curve *points =
        validation_add_curve(plot, VALIDATION_COMPUTED, "frames of n seconds", LEVELS);
    for (int k = 0; k < LEVELS && line != NULL && points != NULL; k++) {
        line->x[k] = points->x[k] = EVERY * (k + 1);
        line->y[k] = wanted[k];
        points->y[k] = levels[k];
    }
    plot->x_name = "time (s)";
    plot->y_name = "level over the sill (m)";
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    const frames_setup *setup = self->setup;
    double wanted[LEVELS], levels[LEVELS], highest = 0.0;
    rill_world *reference = NULL, *world = NULL;
    rill_status status = run_in_frames(setup, SHORT, wanted, &reference);
    if (status == RILL_OK)
        status = run_in_frames(setup, n, levels, &world);
    if (status == RILL_OK) {
        validation_norms norms = {0};
        for (int k = 0; k < LEVELS; k++) {
            highest = fmax(highest, wanted[k]);
            validation_norms_add(&norms, levels[k] - wanted[k]);
        }
        validation_finish(out, &norms, highest, world);
        out->figures[0] = (validation_figure){out->error_linf, BOUND};
        add_plot(&out->plot, wanted, levels);
    }
    rill_world_destroy(&reference);
    rill_world_destroy(&world);
    return status;
}

#define FRAMES_CASE(name, solver_name, what, row, ...)                                            \
    {                                                                                             \
        .solver = solver_name, .title = name,                                                     \
        .description = what " Levels in the middle of the basin, in frames of n seconds against " \
                            "frames of a tenth of a second, over the highest level.",             \
        .grid_name = "seconds a frame", .rows = {{row, "largest difference of a level"}},         \
        .row_count = 1, .grids = {1, 60, 300}, .grid_count = 3,                                   \
        .setup = &(const frames_setup){__VA_ARGS__}, .run = run                                   \
    }

#define STORM "A storm over a basin runs off over a sill."
#define TIDE  "A basin beside a sea that rises and falls runs over at a sill."

static const validation_case cases[] = {
    FRAMES_CASE("Storm in long frames", "pipes", STORM, "frames-rain-pipes", RILL_SOLVER_PIPES, 0),
    FRAMES_CASE("Storm in long frames", "swe", STORM, "frames-rain-swe", RILL_SOLVER_SWE, 0),
    FRAMES_CASE("Tide in long frames", "pipes", TIDE, "frames-tide-pipes", RILL_SOLVER_PIPES, 1),
    FRAMES_CASE("Tide in long frames", "swe", TIDE, "frames-tide-swe", RILL_SOLVER_SWE, 1),
};

validation_topic validation_frame_cases(void)
{
    return (validation_topic){cases, (int)(sizeof cases / sizeof cases[0])};
}
