// SPDX-License-Identifier: MIT
// validate_river.c - what the `river` solver promises (docs/validation.md): flow without
// divergence, the asked mean speed on any grid, no section that flows back, speeds over a shallow
// that continuity asks for, and dye that is neither made nor lost.
#include "validation/measure.h"

#include "rill/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- The valley of the scene `river`, n x n cells of it ---------------------------------

#define VALLEY_SIDE 10240.0 // metres
#define TEN_MINUTES 600.0   // seconds
#define VALLEY_STEP 1.0     // seconds a call: the water takes shorter ones by itself

static rill_status open_valley(int n, rill_world **world)
{
    char nx[32], ny[32], cell[48];
    snprintf(nx, sizeof nx, "world.nx=%d", n);
    snprintf(ny, sizeof ny, "world.ny=%d", n);
    snprintf(cell, sizeof cell, "world.cell_size=%.9g", VALLEY_SIDE / n);
    const char *const overrides[] = {nx, ny, cell, "river.wave_particles.texels=0", "body=[]"};
    rill_scene *scene = NULL;
    rill_status status = rill_scene_open("river", overrides, 5, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, 2, world);
    rill_scene_destroy(&scene);
    return status;
}

// Mean velocity along the channel over the section at point k of its line, m/s.
static double section_speed(const rill_columns *columns, const rill_river_path_view *path, int k)
{
    const int before = k > 2 ? k - 2 : 0, after = k + 2 < path->count ? k + 2 : path->count - 1;
    const double dx = (double)path->x[after] - (double)path->x[before];
    const double dy = (double)path->y[after] - (double)path->y[before];
    const double length = hypot(dx, dy), cell = (double)columns->cell_size;
    if (!(length > 0.0))
        return 1.0;
    double sum = 0.0;
    int count = 0;
    for (int side = -1; side <= 1; side += 2)
        for (int m = side > 0 ? 0 : 1; m < 200; m++) {
            const double x = (double)path->x[k] - side * m * cell * dy / length;
            const double y = (double)path->y[k] + side * m * cell * dx / length;
            const rill_probe water = rill_columns_probe(columns, 0, x, y);
            if (!water.wet)
                break;
            sum += ((double)water.velocity_x * dx + (double)water.velocity_y * dy) / length;
            count++;
        }
    return count > 0 ? sum / count : 1.0;
}

static void plot_sections(validation_result *out, const double *speed, int count, double spacing)
{
    validation_curve *curve =
        validation_add_curve(&out->plot, VALIDATION_COMPUTED, "mean over the section", count);
    for (int k = 0; curve != NULL && k < count; k++) {
        curve->x[k] = k * spacing;
        curve->y[k] = speed[k];
    }
    out->plot.x_name = "along the river (m)";
    out->plot.y_name = "speed (m/s)";
}

static rill_status judge_valley(rill_world *world, validation_result *out)
{
    const double asked = (double)rill_default_river_def().speed;
    const rill_river_state river = rill_world_river(world);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    const rill_columns columns = rill_world_columns(world);
    double *speed = malloc((size_t)path.count * sizeof *speed);
    if (speed == NULL)
        return RILL_NO_MEMORY;
    int reversed = 0;
    for (int k = 0; k < path.count; k++) {
        speed[k] = section_speed(&columns, &path, k);
        reversed += !(speed[k] > 0.0);
    }
    plot_sections(out, speed, path.count, river.length / path.count);
    free(speed);
    out->error_l1 = out->error_linf = fabs(river.mean_speed / asked - 1.0);
    out->mass_error = rill_world_ledger(world).error;
    out->figures[0] = (validation_figure){out->error_l1, 0.05};
    out->figures[1] = (validation_figure){river.divergence, 1e-4};
    out->figures[2] = (validation_figure){reversed, 0.0};
    return RILL_OK;
}

static rill_status run_valley(const validation_case *self, int n, validation_result *out)
{
    (void)self;
    rill_world *world = NULL;
    rill_status status = open_valley(n, &world);
    if (status == RILL_OK)
        status = validation_advance(world, TEN_MINUTES, VALLEY_STEP);
    if (status == RILL_OK)
        status = judge_valley(world, out);
    rill_world_destroy(&world);
    return status;
}

// ---- A straight river with a bar across it ----------------------------------------------

#define BAR_CELL  5.0
#define BAR_WIDTH 24 // cells between the banks
#define DEEP      8.0
#define SHALLOW   4.0

// The river comes from the north over a bar that is as long as it is wide.
static double bar_depth(int j, int ny)
{
    const double from_middle = fabs(j + 0.5 - 0.5 * ny), edge = 0.5 * BAR_WIDTH;
    const double t = fmin(fmax((from_middle - edge) / (0.5 * BAR_WIDTH), 0.0), 1.0);
    return SHALLOW + (DEEP - SHALLOW) * t * t * (3.0 - 2.0 * t);
}

static rill_status open_straight(int ny, int columns, rill_world **world)
{
    const int nx = BAR_WIDTH + 8;
    validation_grid bed;
    if (!validation_grid_create(nx, ny, &bed))
        return RILL_NO_MEMORY;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            bed.data[j * nx + i] = (float)(i < 4 || i >= nx - 4 ? 5.0 : -bar_depth(j, ny));
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)BAR_CELL;
    def.solver = RILL_SOLVER_RIVER;
    def.bed = validation_grid_view(&bed);
    def.river.path.surface = RILL_RIVER_PLANE;
    def.river.path.level = 0.0;
    def.river.columns.cells = columns;
    def.river.wave_particles.texels = 0;
    def.river.vary = 0.0f;
    const rill_status status = rill_world_create(&def, world);
    free(bed.data);
    return status;
}

// Mean downstream speed of row j.
static double row_speed(const rill_columns *c, int j)
{
    double sum = 0.0;
    for (int i = 4; i < c->nx - 4; i++)
        sum -= (double)c->velocity_y[(size_t)j * c->pitch + (size_t)i];
    return sum / (c->nx - 8);
}

// With columns continuity asks for depth times speed that is the same everywhere, without for the
// same speed.
static rill_status run_bar(const validation_case *self, int n, validation_result *out)
{
    const int columns = *(const int *)self->setup;
    rill_world *world = NULL;
    rill_status status = open_straight(n, columns, &world);
    if (status == RILL_OK)
        status = validation_advance(world, 60.0, 1.0);
    if (status == RILL_OK) {
        const rill_columns c = rill_world_columns(world);
        validation_curve *computed =
            validation_add_curve(&out->plot, VALIDATION_COMPUTED, "computed", n);
        validation_curve *exact = validation_add_curve(&out->plot, VALIDATION_EXACT, "exact", n);
        double flow = 0.0;
        for (int j = 0; j < n; j++)
            flow += row_speed(&c, j) * (columns > 0 ? bar_depth(j, n) : 1.0) / n;
        validation_norms norms = {0};
        for (int j = 0; j < n && computed != NULL && exact != NULL; j++) {
            const int k = n - 1 - j;
            exact->x[k] = computed->x[k] = (k + 0.5) * BAR_CELL;
            computed->y[k] = row_speed(&c, j);
            exact->y[k] = flow / (columns > 0 ? bar_depth(j, n) : 1.0);
            validation_norms_add(&norms, computed->y[k] / exact->y[k] - 1.0);
        }
        out->plot.x_name = "downstream (m)";
        out->plot.y_name = "speed (m/s)";
        validation_finish(out, &norms, 1.0, world);
        out->figures[0] = (validation_figure){out->error_linf, 0.02};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Dye --------------------------------------------------------------------------------

// A body of dye above the bar drifts for five minutes and does not reach the end.
static rill_status run_dye(const validation_case *self, int n, validation_result *out)
{
    (void)self;
    rill_world *world = NULL;
    rill_status status = open_straight(n, 4, &world);
    const double middle = 0.5 * (BAR_WIDTH + 8) * BAR_CELL;
    if (status == RILL_OK)
        status = rill_world_add_dye(world, middle, 0.8 * n * BAR_CELL, 30.0, 1000.0);
    if (status == RILL_OK)
        status = validation_advance(world, 300.0, 0.5);
    if (status == RILL_OK) {
        out->error_l1 = out->error_linf = fabs(rill_world_dye_amount(world) / 1000.0 - 1.0);
        out->mass_error = rill_world_ledger(world).error;
        out->figures[0] = (validation_figure){out->error_l1, 1e-3};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- The cases --------------------------------------------------------------------------

static const int with_columns = 4, without_columns = 0;

static const validation_case cases[] = {
    {.solver = "river",
     .title = "The valley of the scene river after ten minutes",
     .description = "The same valley on three grids. The mean speed must be the asked one, what "
                    "the projection leaves of divergence small, and no section may flow back.",
     .grid_name = "cells a side",
     .rows = {{"river-speed", "|mean speed / asked - 1|"},
              {"river-divergence", "largest divergence, times cell size / mean speed"},
              {"river-sections", "sections that flow back"}},
     .row_count = 3,
     .grids = {256, 512, 1024},
     .grid_count = 3,
     .run = run_valley},
    {.solver = "river",
     .title = "A bar across a straight river, with columns",
     .description = "Depth times speed must be the same in all sections: water is faster over the "
                    "bar by the ratio of the depths.",
     .grid_name = "cells along the river",
     .rows = {{"river-bar", "largest error of a section's speed"}},
     .row_count = 1,
     .grids = {192},
     .grid_count = 1,
     .setup = &with_columns,
     .run = run_bar},
    {.solver = "river",
     .title = "A bar across a straight river, without columns",
     .description = "The bed is not felt: the speed must be the same in all sections.",
     .grid_name = "cells along the river",
     .rows = {{"river-bar-unfelt", "largest error of a section's speed"}},
     .row_count = 1,
     .grids = {192},
     .grid_count = 1,
     .setup = &without_columns,
     .run = run_bar},
    {.solver = "river",
     .title = "Dye in a river",
     .description = "A body of dye drifts over a bar for five minutes; none is made or lost.",
     .grid_name = "cells along the river",
     .rows = {{"river-dye", "|dye / given - 1|"}},
     .row_count = 1,
     .grids = {256},
     .grid_count = 1,
     .run = run_dye},
};

validation_topic validation_river_cases(void)
{
    return (validation_topic){cases, (int)(sizeof cases / sizeof cases[0])};
}
