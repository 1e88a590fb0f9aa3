// SPDX-License-Identifier: MIT
// bench_river_path.c - times the search for river paths.
#include "bench/bench_river_path.h"

#include "bench/machine.h"

#include "rill/generate.h"
#include "rill/river.h"
#include "rill/terrain.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define SIDE    10240.0 // of the terrain, metres
#define LARGEST 1024    // cells a side that are generated; larger grids are drawn out from these
#define DEPTH   7.0     // of the profile, metres
#define LEVEL   119.0   // of the plane: a lake fills the valley
#define SECONDS 2.0     // at least, and
#define REPEATS 3       // at least, except
#define LONG    2.0     // seconds: what takes longer is measured once

const bench_river_path_case bench_river_path_cases[] = {
    {"river-path-plane-100", 100, BENCH_RIVER_PATH_PLANE},
    {"river-path-plane-256", 256, BENCH_RIVER_PATH_PLANE},
    {"river-path-plane-1024", 1024, BENCH_RIVER_PATH_PLANE},
    {"river-path-plane-4096", 4096, BENCH_RIVER_PATH_PLANE},
    {"river-path-plane-8192", 8192, BENCH_RIVER_PATH_PLANE},
    {"river-path-profile-100", 100, BENCH_RIVER_PATH_PROFILE},
    {"river-path-profile-256", 256, BENCH_RIVER_PATH_PROFILE},
    {"river-path-profile-1024", 1024, BENCH_RIVER_PATH_PROFILE},
    {"river-path-profile-4096", 4096, BENCH_RIVER_PATH_PROFILE},
    {"river-path-profile-8192", 8192, BENCH_RIVER_PATH_PROFILE},
    {"river-path-auto-100", 100, BENCH_RIVER_PATH_AUTO},
    {"river-path-auto-256", 256, BENCH_RIVER_PATH_AUTO},
    {"river-path-auto-1024", 1024, BENCH_RIVER_PATH_AUTO},
    {"river-path-auto-4096", 4096, BENCH_RIVER_PATH_AUTO},
    {"river-path-auto-8192", 8192, BENCH_RIVER_PATH_AUTO},
    {"river-path-drainage-100", 100, BENCH_RIVER_PATH_DRAINAGE},
    {"river-path-drainage-256", 256, BENCH_RIVER_PATH_DRAINAGE},
    {"river-path-drainage-1024", 1024, BENCH_RIVER_PATH_DRAINAGE},
    {"river-path-drainage-4096", 4096, BENCH_RIVER_PATH_DRAINAGE},
    {"river-path-drainage-8192", 8192, BENCH_RIVER_PATH_DRAINAGE},
    {"river-path-flats-100", 100, BENCH_RIVER_PATH_FLATS},
    {"river-path-flats-256", 256, BENCH_RIVER_PATH_FLATS},
    {"river-path-flats-1024", 1024, BENCH_RIVER_PATH_FLATS},
    {"river-path-flats-4096", 4096, BENCH_RIVER_PATH_FLATS},
    {"river-path-flats-8192", 8192, BENCH_RIVER_PATH_FLATS},
};
const int bench_river_path_case_count =
    (int)(sizeof bench_river_path_cases / sizeof bench_river_path_cases[0]);

// ---- Memory that is counted ------------------------------------------------------------

typedef struct counter {
    size_t now, most;
} counter;

static void *counted_allocate(void *user, size_t bytes, size_t alignment)
{
    counter *c = user;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == NULL)
        return NULL;
    c->now += bytes;
    c->most = c->now > c->most ? c->now : c->most;
    return memory;
}

static void counted_release(void *user, void *memory, size_t bytes)
{
    ((counter *)user)->now -= bytes;
    free(memory);
}

// ---- Ground ----------------------------------------------------------------------------

// Between the middles of four cells.
static float sample(rill_field_view view, double x, double y)
{
    const double last_x = view.nx - 1.001, last_y = view.ny - 1.001;
    x = x < 0.0 ? 0.0 : x > last_x ? last_x : x;
    y = y < 0.0 ? 0.0 : y > last_y ? last_y : y;
    const float *z = view.data + (size_t)y * view.pitch + (size_t)x;
    const float u = (float)(x - (double)(size_t)x), v = (float)(y - (double)(size_t)y);
    const float low = z[0] + u * (z[1] - z[0]);
    const float high = z[view.pitch] + u * (z[view.pitch + 1] - z[view.pitch]);
    return low + v * (high - low);
}

static rill_status make_ground(int n, float **out)
{
    rill_valley_def def = rill_default_valley_def();
    def.nx = def.ny = n < LARGEST ? n : LARGEST;
    def.cell_size = SIDE / def.nx;
    rill_heightfield *valley = NULL;
    const rill_status status = rill_heightfield_valley(&def, &valley);
    if (status != RILL_OK)
        return status;
    *out = malloc((size_t)n * (size_t)n * sizeof **out);
    const double scale = (double)def.nx / n;
    for (int j = 0; j < n && *out != NULL; j++)
        for (int i = 0; i < n; i++)
            (*out)[(size_t)j * (size_t)n + (size_t)i] = sample(
                rill_heightfield_view(valley), (i + 0.5) * scale - 0.5, (j + 0.5) * scale - 0.5);
    rill_heightfield_destroy(&valley);
    return *out != NULL ? RILL_OK : RILL_NO_MEMORY;
}

// ---- Measuring -------------------------------------------------------------------------

static bool wanted(int done, double spent, double last)
{
    return done == 0 || (last < LONG && (done < REPEATS || spent < SECONDS));
}

static rill_river_path_def path_def(const bench_river_path_case *c)
{
    rill_river_path_def def = rill_default_river_path_def();
    def.surface = c->kind == BENCH_RIVER_PATH_PLANE ? RILL_RIVER_PLANE : RILL_RIVER_PROFILE;
    def.from = c->kind == BENCH_RIVER_PATH_AUTO ? RILL_RIVER_FROM_AUTO : 3; // north
    def.depth = DEPTH;
    def.level = LEVEL;
    return def;
}

// Finds what the row asks for, once.
static rill_status find_once(rill_field_view view, const bench_river_path_case *c,
                             const rill_host *host, bench_river_path *out)
{
    const double cell = SIDE / c->n;
    if (c->kind >= BENCH_RIVER_PATH_DRAINAGE) {
        rill_drainage *drainage = NULL;
        const rill_status status = rill_drainage_find(view, cell, 0.0, host, &drainage);
        rill_drainage_destroy(&drainage);
        return status;
    }
    const rill_river_path_def def = path_def(c);
    rill_river_path *path = NULL;
    const rill_status status = rill_river_path_find(view, cell, &def, host, &path);
    out->wet_cells = rill_river_path_get(path).wet_cells;
    rill_river_path_destroy(&path);
    return status;
}

rill_status bench_river_path_measure(const bench_river_path_case *c, bench_river_path *out)
{
    const double cells = (double)c->n * c->n;
    float *ground = NULL;
    rill_status status = make_ground(c->n, &ground);
    const rill_field_view view = {ground, c->n, c->n, (size_t)c->n};
    for (size_t n = 0; ground != NULL && c->kind == BENCH_RIVER_PATH_FLATS && n < (size_t)cells;
         n++)
        ground[n] = floorf(ground[n]);
    *out = (bench_river_path){.c = c, .ms = 1e30};
    double spent = 0.0, seconds = 0.0;
    for (int n = 0; status == RILL_OK && wanted(n, spent, seconds); n++) {
        counter count = {0};
        const rill_host host = {.allocator = {&count, counted_allocate, counted_release}};
        const double start = bench_now();
        status = find_once(view, c, &host, out);
        seconds = bench_now() - start;
        spent += seconds;
        out->ms = 1e3 * seconds < out->ms ? 1e3 * seconds : out->ms;
        out->bytes_per_cell = (double)count.most / cells;
    }
    out->ns_per_cell = 1e6 * out->ms / cells;
    free(ground);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

void bench_river_path_print(FILE *out, const bench_river_path *b)
{
    fprintf(out, "%-30s %5dx%-5d %3d %10.3f %10.3f %9.0f %9s %6.0f ns and %.1f bytes a cell\n",
            b->c->name, b->c->n, b->c->n, 1, b->ms, b->ms, 1e3 / b->ns_per_cell, "-",
            b->ns_per_cell, b->bytes_per_cell);
}

void bench_river_path_print_json(FILE *out, const bench_river_path *b)
{
    fprintf(out,
            "{\"name\": \"%s\", \"solver\": \"river\", \"backend\": \"cpu\", \"grid\": \"%dx%d\", "
            "\"layers\": 1, \"threads\": 1, \"steps\": 1, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %.4g, "
            "\"roofline_fraction\": 0, \"wet_cells\": %lld, \"paper\": null, \"paper_ms\": null}",
            b->c->name, b->c->n, b->c->n, b->ms, b->ms, 1e3 / b->ns_per_cell, b->bytes_per_cell,
            (long long)b->wet_cells);
}
