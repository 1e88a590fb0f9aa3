// SPDX-License-Identifier: MIT
// bench_solids.c - times moves of a mesh of some 20,000 triangles through a pool of the `layers`
// solver: ground cut anew and liquid that gives way, without a step.
#include "bench/bench_solids.h"

#include "bench/machine.h"

#include "rill/solid.h"
#include "rill/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS   128
#define CELL    0.5e-3 // metres
#define TOP     0.036
#define PARTS   41 // 20,172 triangles
#define REPEATS 15
#define MOVES   8 // a repeat
#define TURN    6.283185307179586

const bench_solids_case bench_solids_cases[] = {
    {"solids-mover", 0},
    {"solids-deform", 1},
};
const int bench_solids_case_count = (int)(sizeof bench_solids_cases / sizeof bench_solids_cases[0]);

// An organ as long as a third of the pool.
static const double size[3] = {0.022, 0.018, 0.014};

static rill_status make_world(int threads, rill_world **out)
{
    rill_solid_def def = rill_default_solid_def();
    def.nx = def.ny = CELLS;
    def.cell_size = CELL;
    def.top = TOP;
    rill_solid *solid = NULL;
    rill_status status = rill_solid_create(&def, &solid);
    rill_sdf_primitive floor = rill_default_sdf_primitive(RILL_SDF_PLANE);
    floor.position[2] = 0.00225;
    if (status == RILL_OK)
        status = rill_solid_combine(solid, &floor, RILL_COMBINE_UNION, 0.0);
    rill_world_def world = rill_default_world_def();
    world.solver = RILL_SOLVER_LAYERS;
    world.nx = world.ny = CELLS;
    world.cell_size = (float)CELL;
    world.solid = solid;
    world.use_level = 1;
    world.level = 0.018f;
    world.layers.max_layers = 4;
    world.worker_count = threads;
    if (status == RILL_OK)
        status = rill_world_create(&world, out);
    rill_solid_destroy(&solid);
    return status;
}

// Along a circle, and turning about a diagonal.
static rill_status move(rill_world *world, rill_mover_id id, int n)
{
    const double angle = TURN * n / 60.0, half = 0.5 * angle;
    const double place[3] = {0.032 + 0.006 * cos(angle), 0.032 + 0.006 * sin(angle), 0.016};
    const double axis = sin(half) / sqrt(3.0), rotation[4] = {axis, axis, axis, cos(half)};
    return rill_world_move(world, id, place, rotation);
}

// A wave that runs along the organ.
static rill_status bend(rill_world *world, rill_mover_id id, const rill_triangles_info *unbent,
                        float *places, int n)
{
    for (int64_t v = 0; v < unbent->vertices; v++) {
        const float *own = unbent->positions + 3 * v;
        const double s = sin(TURN * (n / 60.0 - (double)own[0] / 0.03));
        for (int k = 0; k < 3; k++)
            places[3 * v + k] = (float)((double)own[k] * (1.0 + 0.1 * s));
    }
    return rill_world_set_mover_vertices(world, id, places, (size_t)unbent->vertices);
}

rill_status bench_solids_measure(const bench_solids_case *c, int threads, bench_solids *out)
{
    rill_world *world = NULL;
    rill_triangles *mesh = NULL;
    rill_mover_id id = {0};
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_MESH);
    rill_status status = make_world(threads, &world);
    if (status == RILL_OK)
        status = rill_triangles_create_ellipsoid(size, PARTS, NULL, &mesh);
    const rill_triangles_info unbent = rill_triangles_view(mesh);
    float *places = malloc(3 * (size_t)unbent.vertices * sizeof *places);
    shape.triangles = mesh;
    shape.position[0] = shape.position[1] = 0.032;
    shape.position[2] = 0.016;
    if (status == RILL_OK && places == NULL)
        status = RILL_NO_MEMORY;
    if (status == RILL_OK)
        status = rill_world_add_mover(world, &shape, &id);
    *out = (bench_solids){.c = c,
                          .n = CELLS,
                          .levels = (int)ceil(TOP / CELL) + 1,
                          .triangles = (int)unbent.triangles,
                          .threads = threads,
                          .ms = 1e30};
    for (int repeat = 0; repeat < REPEATS && status == RILL_OK; repeat++) {
        const double start = bench_now();
        for (int n = 1; n <= MOVES && status == RILL_OK; n++)
            status = c->bends ? bend(world, id, &unbent, places, repeat * MOVES + n)
                              : move(world, id, repeat * MOVES + n);
        out->ms = fmin(out->ms, 1e3 * (bench_now() - start) / MOVES);
    }
    free(places);
    rill_triangles_destroy(&mesh);
    rill_world_destroy(&world);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

void bench_solids_print(FILE *out, const bench_solids *b)
{
    char grid[32];
    snprintf(grid, sizeof grid, "%dx%dx%d", b->n, b->n, b->levels);
    fprintf(out, "%-30s %11s %3d %10.4f %10.3f   a move of %d triangles\n", b->c->name, grid,
            b->threads, b->ms, b->ms, b->triangles);
}

void bench_solids_print_json(FILE *out, const bench_solids *b)
{
    fprintf(out,
            "{\"name\": \"%s\", \"solver\": \"layers\", \"backend\": \"cpu\", \"grid\": "
            "\"%dx%d\", \"layers\": 1, \"threads\": %d, \"steps\": 1, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": 0, \"bytes_per_cell\": 0, "
            "\"roofline_fraction\": 0, \"triangles\": %d, \"paper\": null, \"paper_ms\": null}",
            b->c->name, b->n, b->n, b->threads, b->ms, b->ms, b->triangles);
}
