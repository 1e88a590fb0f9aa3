// SPDX-License-Identifier: MIT
// bench_gpu.c - times steps on a GPU.
#include "bench/bench_cases.h"

#include "bench/bench_swe.h"
#include "bench/machine.h"

#include "rill/scene.h"
#include "rill/surface.h"

#include <string.h>

#define STEP (1.0 / 60.0) // seconds
// Seconds: of the many steps of one call, all of which must lie in one slice of a second
// (docs/world.md).
#define SHORT_STEP (1.0 / 200.0)
#define REPEATS    7

// What a step of pipes must move at the least, bytes a cell, as the roofline of the CPU has it; the
// remainders of rill's own depths come on top of that (bytes_per_cell of a case).
#define LEAST_BYTES 28.0

// clang-format off
static const bench_case cases[] = {
    {"pipes-256",      "pipes", 256,   RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, 36, NULL, 0.0},
    {"pipes-512",      "pipes", 512,   RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, 36, NULL, 0.0},
    {"pipes-1024",     "pipes", 1024,  RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, 36, NULL, 0.0},
    {"pipes-2048",     "pipes", 2048,  RILL_AREA_WETTED, 1e-3f, 0.0f, 0.5, 36, NULL, 0.0},
    {"pipes-4096",     "pipes", 4096,  RILL_AREA_WETTED, 1e-3f, 0.0f, 0.2, 36, NULL, 0.0},
    {"pipes-8192",     "pipes", 8192,  RILL_AREA_WETTED, 1e-3f, 0.0f, 0.2, 36, NULL, 0.0},
    {"pipes-16384",    "pipes", 16384, RILL_AREA_WETTED, 1e-3f, 0.0f, 0.2, 36, NULL, 0.0},
    {"pipes-inviscid-4096", "pipes", 4096, RILL_AREA_WETTED, 0.0f, 0.0f, 0.2, 36, NULL, 0.0},
    {"pipes-paper-1024", "pipes", 1024, RILL_AREA_PAPER, 0.0f, 0.0f, 0.5, 36, NULL, 0.0},
    {"pipes-paper-4096", "pipes", 4096, RILL_AREA_PAPER, 0.0f, 0.0f, 0.2, 36, NULL, 0.0},
};
// clang-format on

// Rivers of the `swe` solver: those of the boat of Chentanez and Müller, and larger ones.
typedef struct river_case {
    const char *name;
    int nx, ny, conservative;
    float manning;
} river_case;

static const river_case rivers[] = {
    {"swe-900x135", 900, 135, 0, 0.04f},
    {"swe-900x135-conservative", 900, 135, 1, 0.0f},
    {"swe-1024", 1024, 1024, 0, 0.04f},
    {"swe-2048", 2048, 2048, 0, 0.04f},
    {"swe-4096", 4096, 4096, 0, 0.04f},
    {"swe-4096-smooth", 4096, 4096, 0, 0.0f},
    {"swe-4096-conservative", 4096, 4096, 1, 0.0f},
    {"swe-8192", 8192, 8192, 0, 0.04f},
};

// Bed, depth, remainder and both velocities are read, all but the bed written.
#define RIVER_BYTES 36
// Base, depth, remainder, ceiling and both discharges are read, raw discharges and shares written
// and read, depth, remainder and discharges written.
#define LAYERS_BYTES 90
// Base and depth are read twice, velocities once; a vertex, two triangles, and two bytes a point to
// and fro.
#define SURFACE_BYTES 92

// Scenes at their end: those of the `layers` solver hold most liquid then, the others most
// particles.
typedef struct scene_case {
    const char *name, *scene, *solver;
    int bytes_per_cell;
} scene_case;

static const scene_case scenes[] = {
    {"layers-surgery", "surgery", "layers", LAYERS_BYTES},
    {"layers-three-layers", "three-layers", "layers", LAYERS_BYTES},
    {"layers-passages", "passages", "layers", LAYERS_BYTES},
    {"layers-culvert", "culvert", "layers", LAYERS_BYTES},
    {"particles-beach", "beach", "swe", RIVER_BYTES},
    {"particles-waterfall", "waterfall", "swe", RIVER_BYTES},
};

// Surfaces of the water of pipes cases, or of a scene at its end; bytes are those of a heightfield.
typedef struct surface_case {
    const char *name;
    size_t water; // number of the case
    const char *scene;
    float meniscus; // metres
} surface_case;

static const surface_case surfaces[] = {
    {"surface-256", 0, NULL, 0.0f},
    {"surface-1024", 2, NULL, 0.0f},
    {"surface-4096", 4, NULL, 0.0f},
    {"surface-surgery", 0, "surgery", 0.0f},
    {"surface-surgery-meniscus", 0, "surgery", 0.0028f},
    {"surface-three-layers", 0, "three-layers", 0.0f},
};

#define CASES    (sizeof cases / sizeof cases[0])
#define RIVERS   (sizeof rivers / sizeof rivers[0])
#define SCENES   (sizeof scenes / sizeof scenes[0])
#define SURFACES (sizeof surfaces / sizeof surfaces[0])

#define FRAMES 5 // a repeat of a scene, and meshes of a surface

typedef struct result {
    const char *name, *solver;
    int nx, ny, bytes_per_cell;
    long steps;
    double ms_per_step;  // of many in one call
    double ms_per_frame; // of a call that takes one
    double copy;         // bytes a second
} result;

static double seconds_of(rill_world *world, int steps, rill_status *status)
{
    const double start = bench_now();
    if (*status == RILL_OK)
        *status = rill_world_step(world, steps * SHORT_STEP);
    return bench_now() - start;
}

static rill_status make_world(size_t n, result *r, rill_world **world)
{
    if (n < CASES) {
        const bench_case *c = &cases[n];
        *r = (result){c->name, c->solver, c->n, c->n, c->bytes_per_cell, 0, 0.0, 0.0, r->copy};
        return bench_make_world_on(c, RILL_BACKEND_CUDA, SHORT_STEP, bench_processors(), world);
    }
    const river_case *c = &rivers[n - CASES];
    *r = (result){c->name, "swe", c->nx, c->ny, RIVER_BYTES, 0, 0.0, 0.0, r->copy};
    const bench_river_grid grid = {.nx = c->nx,
                                   .ny = c->ny,
                                   .conservative = c->conservative,
                                   .manning = c->manning,
                                   .backend = RILL_BACKEND_CUDA,
                                   .max_step = SHORT_STEP,
                                   .max_substeps = 100000,
                                   .threads = bench_processors()};
    return bench_swe_make_river(&grid, world);
}

static rill_status measure(size_t number, result *r)
{
    rill_world *world = NULL;
    rill_status status = make_world(number, r, &world);
    const int many = r->nx > 6000 ? 24 : 192;
    seconds_of(world, many, &status);
    r->ms_per_step = r->ms_per_frame = 1e30;
    for (int n = 0; n < REPEATS && status == RILL_OK; n++) {
        const double row = seconds_of(world, many, &status);
        r->steps = rill_world_last_step(world).substeps;
        r->ms_per_step = row * 1e3 / (double)r->steps < r->ms_per_step
                             ? row * 1e3 / (double)r->steps
                             : r->ms_per_step;
        const double one = seconds_of(world, 1, &status);
        r->ms_per_frame = one * 1e3 < r->ms_per_frame ? one * 1e3 : r->ms_per_frame;
    }
    rill_world_destroy(&world);
    return status;
}

// The same frames again and again, from the same state; a frame has all its steps.
static rill_status measure_frames(rill_world *world, rill_world *from, double frame, result *r)
{
    rill_snapshot *snapshot = NULL;
    rill_status status = rill_snapshot_create(from, &snapshot);
    if (status == RILL_OK)
        status = rill_world_save(from, snapshot);
    r->ms_per_step = r->ms_per_frame = 1e30;
    for (int n = 0; n < 2 * REPEATS && status == RILL_OK; n++) {
        status = rill_world_restore(world, snapshot);
        if (status == RILL_OK)
            status = rill_world_step(world, frame); // sends the state
        long steps = 0;
        const double start = bench_now();
        for (int f = 0; f < FRAMES && status == RILL_OK; f++) {
            status = rill_world_step(world, frame);
            steps += rill_world_last_step(world).substeps;
        }
        const double ms = 1e3 * (bench_now() - start);
        if (ms / (double)steps >= r->ms_per_step)
            continue;
        r->steps = steps;
        r->ms_per_step = ms / (double)steps;
        r->ms_per_frame = ms / FRAMES * (STEP / frame); // of a sixtieth of a second
    }
    rill_snapshot_destroy(&snapshot);
    return status;
}

static rill_status measure_scene(const scene_case *c, result *r)
{
    rill_scene *scene = NULL;
    rill_world *host = NULL, *world = NULL;
    rill_status status = rill_scene_open(c->scene, NULL, 0, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, bench_processors(), &host);
    if (status == RILL_OK)
        status = rill_scene_create_world_on(scene, RILL_BACKEND_CUDA, bench_processors(), &world);
    if (status == RILL_OK) {
        const rill_scene_info info = rill_scene_describe(scene);
        *r =
            (result){c->name, c->solver, info.nx, info.ny, c->bytes_per_cell, 0, 0.0, 0.0, r->copy};
        const double end = info.duration - (FRAMES + 1) * info.frame;
        while (rill_world_time(host) < end && status == RILL_OK)
            status = rill_world_step(host, info.frame);
        if (status == RILL_OK)
            status = measure_frames(world, host, info.frame, r);
    }
    rill_world_destroy(&host);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return status;
}

static rill_status make_scene_world(const char *name, result *r, rill_world **world)
{
    rill_scene *scene = NULL;
    rill_status status = rill_scene_open(name, NULL, 0, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world_on(scene, RILL_BACKEND_CUDA, bench_processors(), world);
    if (status == RILL_OK) {
        const rill_scene_info info = rill_scene_describe(scene);
        *r = (result){name, "layers", info.nx, info.ny, 0, 0, 0.0, 0.0, r->copy};
        while (rill_world_time(*world) < info.duration - STEP && status == RILL_OK)
            status = rill_world_step(*world, info.frame);
    }
    rill_scene_destroy(&scene);
    return status;
}

// Meshes behind each other: a build begins when the one before is done. A frame is a build that
// comes back to the host, which waits for the size of the mesh alone.
static rill_status measure_surface(const surface_case *c, result *r)
{
    rill_world *world = NULL;
    rill_surface *surface = NULL;
    rill_surface_def def = rill_default_surface_def();
    def.meniscus_length = c->meniscus;
    rill_status status =
        c->scene != NULL ? make_scene_world(c->scene, r, &world) : make_world(c->water, r, &world);
    r->name = c->name;
    r->bytes_per_cell = SURFACE_BYTES;
    r->steps = FRAMES;
    if (status == RILL_OK)
        status = rill_world_step(world, STEP);
    if (status == RILL_OK)
        status = rill_surface_create(world, &def, &surface);
    if (status == RILL_OK)
        status = rill_surface_build(surface, world);
    r->ms_per_step = r->ms_per_frame = 1e30;
    for (int n = 0; n < REPEATS && status == RILL_OK; n++) {
        double start = bench_now();
        for (int k = 0; k < FRAMES && status == RILL_OK; k++)
            status = rill_surface_build(surface, world);
        const double many = (bench_now() - start) / FRAMES;
        status = status == RILL_OK ? rill_world_step(world, STEP) : status; // waits for the mesh
        start = bench_now();
        status = status == RILL_OK ? rill_surface_build(surface, world) : status;
        const double one = bench_now() - start;
        r->ms_per_step = 1e3 * many < r->ms_per_step ? 1e3 * many : r->ms_per_step;
        r->ms_per_frame = 1e3 * one < r->ms_per_frame ? 1e3 * one : r->ms_per_frame;
    }
    rill_surface_destroy(&surface);
    rill_world_destroy(&world);
    return status;
}

static const char *row_name(size_t n)
{
    if (n < CASES)
        return cases[n].name;
    n -= CASES;
    if (n < RIVERS)
        return rivers[n].name;
    n -= RIVERS;
    return n < SCENES ? scenes[n].name : surfaces[n - SCENES].name;
}

static rill_status measure_row(size_t n, result *r)
{
    if (n < CASES + RIVERS)
        return measure(n, r);
    n -= CASES + RIVERS;
    return n < SCENES ? measure_scene(&scenes[n], r) : measure_surface(&surfaces[n - SCENES], r);
}

static double of_copy(const result *r, double bytes)
{
    const double cells = (double)r->nx * r->ny;
    return bytes * cells / (r->ms_per_step * 1e-3) / r->copy;
}

static void print_row(FILE *out, const result *r)
{
    const double cells = (double)r->nx * r->ny;
    fprintf(out, "%-30s %5dx%-5d %10.2f %10.2f %9.0f %8.0f%% %8.0f%%\n", r->name, r->nx, r->ny,
            1e3 * r->ms_per_step, 1e3 * r->ms_per_frame, cells / r->ms_per_step / 1e3,
            100.0 * of_copy(r, LEAST_BYTES), 100.0 * of_copy(r, r->bytes_per_cell));
}

static void print_json(FILE *out, const result *r)
{
    const double cells = (double)r->nx * r->ny;
    fprintf(out,
            "{\"name\": \"%s\", \"solver\": \"%s\", \"backend\": \"cuda\", \"grid\": "
            "\"%dx%d\", \"layers\": 1, \"threads\": 1, \"steps\": %ld, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %d, "
            "\"roofline_fraction\": %.4g, \"copy_gb_per_s\": %.6g, \"paper\": null, "
            "\"paper_ms\": null}",
            r->name, r->solver, r->nx, r->ny, r->steps, r->ms_per_step, r->ms_per_frame,
            cells / r->ms_per_step / 1e3, r->bytes_per_cell, of_copy(r, LEAST_BYTES),
            1e-9 * r->copy);
}

static bool wanted(const bench_options *options, const char *name)
{
    for (int n = 0; n < options->name_count; n++)
        if (strstr(name, options->names[n]) != NULL)
            return true;
    return options->name_count == 0;
}

int bench_gpu_run(const bench_options *options, FILE *out)
{
    char name[128] = "";
    double copy = 0.0;
    if (rill_backend_measure(RILL_BACKEND_CUDA, name, sizeof name, &copy) != RILL_OK) {
        fprintf(stderr, "rill: %s\n", rill_last_error());
        return 1;
    }
    int rows = 0;
    for (size_t n = 0; n < CASES + RIVERS + SCENES + SURFACES; n++) {
        result r = {.copy = copy};
        const char *case_name = row_name(n);
        if (!wanted(options, case_name))
            continue;
        if (measure_row(n, &r) != RILL_OK) {
            fprintf(stderr, "rill: %s: %s\n", case_name, rill_last_error());
            return 1;
        }
        if (options->json)
            fprintf(out, "%s\n  ", rows == 0 ? "[" : ",");
        else if (rows == 0)
            fprintf(out,
                    "%s, a copy moves %.0f GB/s, rill %s\n\n%-30s %11s %10s %10s %9s %9s %9s\n",
                    name, 1e-9 * copy, rill_version(), "name", "grid", "us/step", "us/frame",
                    "Mcell/s", "28 B/cell", "own bytes");
        if (options->json)
            print_json(out, &r);
        else
            print_row(out, &r);
        fflush(out);
        rows++;
    }
    if (rows > 0 && options->json)
        fprintf(out, "\n]\n");
    if (rows > 0)
        return 0;
    fprintf(stderr, "rill: no row of the bench has such a name\n");
    return 2;
}
