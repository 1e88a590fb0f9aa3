// SPDX-License-Identifier: MIT
// render_along.c - the camera that flies down a river, from where it rises or comes in to where it
// leaves, above its line and looking ahead.
#include "apps/rill/render_camera.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"

#include "rill/river.h"

#include <math.h>
#include <stdlib.h>

#define USUAL_CELLS 8.0 // height over the water
#define BEHIND      2.0 // heights that the camera is behind the place that it shows,
#define AHEAD       1.0 // and that its target is ahead of it
#define APART       3.0 // heights between keys
#define MOST_KEYS   4000
#define EVENED      2.0  // heights over which the line is evened out, either way
#define CLEAR       0.4  // of the height: over the ground
#define FIELD       45.0 // degrees
#define PARTS       16   // of an evened place

typedef struct way {
    rill_river_path_view path;
    rill_field_view bed;
    double *along; // metres from the first point
    double cell_size, height;
} way;

// Finds the place `s` metres along the line; before and after it the line goes straight on.
static void place_at(const way *w, double s, double out[3])
{
    const rill_river_path_view *p = &w->path;
    int low = 0, high = p->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (w->along[middle] <= s)
            low = middle;
        else
            high = middle;
    }
    const double part = (s - w->along[low]) / (w->along[high] - w->along[low]);
    out[0] = (double)p->x[low] + part * (double)(p->x[high] - p->x[low]);
    out[1] = (double)p->y[low] + part * (double)(p->y[high] - p->y[low]);
    const double flat = fmin(fmax(part, 0.0), 1.0);
    out[2] = (double)p->surface[low] + flat * (double)(p->surface[high] - p->surface[low]);
}

static void even_place(const way *w, double s, double out[3])
{
    double sum[3] = {0.0, 0.0, 0.0}, one[3];
    const double end = w->along[w->path.count - 1];
    const double reach = fmin(EVENED * w->height, 0.25 * end);
    for (int n = 0; n <= PARTS; n++) {
        place_at(w, s + reach * (2.0 * n / PARTS - 1.0), one);
        for (int k = 0; k < 3; k++)
            sum[k] += one[k] / (PARTS + 1);
    }
    for (int k = 0; k < 3; k++)
        out[k] = sum[k];
}

static double ground_at(const way *w, double x, double y)
{
    const double i = fmin(fmax(x / w->cell_size, 0.0), w->bed.nx - 1.0);
    const double j = fmin(fmax(y / w->cell_size, 0.0), w->bed.ny - 1.0);
    return (double)w->bed.data[(size_t)j * w->bed.pitch + (size_t)i];
}

static rill_camera_key key_at(const way *w, double s)
{
    rill_camera_key key = {.field_of_view = FIELD};
    even_place(w, s - BEHIND * w->height, key.position);
    even_place(w, s + AHEAD * w->height, key.target);
    key.position[2] += w->height;
    // Over the ground between it and what it shows, as far as that rises into the view.
    for (int n = 0; n < PARTS / 2; n++) {
        const double part = (double)n / PARTS;
        const double x = key.position[0] + part * (key.target[0] - key.position[0]);
        const double y = key.position[1] + part * (key.target[1] - key.position[1]);
        key.position[2] = fmax(key.position[2], ground_at(w, x, y) + CLEAR * w->height);
    }
    return key;
}

static int lay_keys(render_camera *c, const way *w, double from, double end)
{
    const double length = w->along[w->path.count - 1];
    const int count = 2 + (int)fmin(length / (APART * w->height), MOST_KEYS - 2);
    c->own = calloc((size_t)count, sizeof *c->own);
    if (c->own == NULL)
        return error_failed("no memory for %d cameras", count);
    for (int k = 0; k < count; k++) {
        const double part = (double)k / (count - 1);
        c->own[k] = key_at(w, part * length);
        c->own[k].time = from + part * (end - from);
    }
    c->kind = RENDER_CAMERA_PATH;
    c->keys = c->own;
    c->key_count = count;
    return STATUS_DONE;
}

int render_camera_follow(render_camera *c, const rill_world *world, double cell_size, double from,
                         double end)
{
    if (c->kind != RENDER_CAMERA_ALONG)
        return STATUS_DONE;
    way w = {.path = rill_river_path_get(rill_world_river_path(world)),
             .bed = rill_world_bed(world),
             .cell_size = cell_size,
             .height = c->height > 0.0 ? c->height : USUAL_CELLS * cell_size};
    if (w.path.count < 2 || !(end > from))
        return error_wrong("--camera: along needs %s",
                           w.path.count < 2 ? "a scene with a river that was found in its ground"
                                            : "a film that lasts some time");
    w.along = malloc((size_t)w.path.count * sizeof *w.along);
    if (w.along == NULL)
        return error_failed("no memory for a way of %d points", w.path.count);
    w.along[0] = 0.0;
    for (int n = 1; n < w.path.count; n++)
        w.along[n] = w.along[n - 1] + fmax(1e-6, hypot((double)(w.path.x[n] - w.path.x[n - 1]),
                                                       (double)(w.path.y[n] - w.path.y[n - 1])));
    const int status = lay_keys(c, &w, from, end);
    free(w.along);
    return status;
}
