// SPDX-License-Identifier: MIT
// render_camera.c - reads the cameras of `rill render`.
#include "apps/rill/render_camera.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE          0.017453292519943295 // radians
#define DEFAULT_TURNING 6.0                  // degrees per second: once around in a minute
#define FASTEST_TURNING 3600.0
#define HIGHEST         1e5          // metres
#define USUAL_ASPECT    (16.0 / 9.0) // what camera_overview is made for
#define FILLED          0.94         // of the picture, when something is as large as it gets

// ---- What was typed --------------------------------------------------------------------

static int error_unknown(const char *text)
{
    static const char *const names[] = {"auto", "scene", "orbit", "along"};
    const char *nearest = spelling_suggestion(text, names, 4);
    if (nearest != NULL)
        return error_wrong("--camera: \"%s\" is not known; did you mean %s?", text, nearest);
    return error_wrong("--camera: \"%s\" is neither auto, scene, orbit, along nor X,Y,Z:TX,TY,TZ",
                       text);
}

static int read_turning(render_camera *c, const char *text)
{
    char *end;
    const char *number = text + strlen("orbit:");
    c->turning = strtod(number, &end);
    if (end == number || *end != '\0' || number[strspn(number, "+-.0123456789eE")] != '\0' ||
        !(fabs(c->turning) <= FASTEST_TURNING))
        return error_wrong("--camera: \"%s\" is not orbit:DEGREES per second, at most %g", text,
                           FASTEST_TURNING);
    return STATUS_DONE;
}

static int read_height(render_camera *c, const char *text)
{
    char *end;
    const char *number = text + strlen("along:");
    c->height = strtod(number, &end);
    if (end == number || *end != '\0' || number[strspn(number, "+-.0123456789eE")] != '\0' ||
        !(c->height > 0.0 && c->height <= HIGHEST))
        return error_wrong(
            "--camera: \"%s\" is not along:METRES over the river, above 0, at most %g", text,
            HIGHEST);
    return STATUS_DONE;
}

// Reads a camera without a comma in its text, which is a name.
static int read_word(render_camera *c, const char *text)
{
    c->turning = DEFAULT_TURNING;
    if (strcmp(text, "auto") == 0)
        c->kind = RENDER_CAMERA_AUTO;
    else if (strcmp(text, "scene") == 0)
        c->kind = RENDER_CAMERA_SCENE;
    else if (strcmp(text, "orbit") == 0 || strncmp(text, "orbit:", 6) == 0)
        c->kind = RENDER_CAMERA_ORBIT;
    else if (strcmp(text, "along") == 0 || strncmp(text, "along:", 6) == 0)
        c->kind = RENDER_CAMERA_ALONG;
    else
        return error_unknown(text);
    if (strncmp(text, "along:", 6) == 0)
        return read_height(c, text);
    return strncmp(text, "orbit:", 6) == 0 ? read_turning(c, text) : STATUS_DONE;
}

static int read_keys(render_camera *c, const option_list *typed)
{
    c->own = malloc((size_t)typed->count * sizeof *c->own);
    if (c->own == NULL)
        return error_failed("no memory for %d cameras", typed->count);
    for (int k = 0; k < typed->count; k++) {
        if (strchr(typed->items[k], ',') == NULL)
            return error_wrong("--camera: \"%s\" cannot be a part of a path", typed->items[k]);
        if (!camera_parse(typed->items[k], &c->own[k]))
            return error_wrong("--camera: %s", render_error_text());
        if (k > 0 && c->own[k].time <= c->own[k - 1].time)
            return error_wrong("--camera: \"%s\" is not after the one before it; a path is written "
                               "with rising times, TIME@X,Y,Z:TX,TY,TZ",
                               typed->items[k]);
    }
    c->kind = RENDER_CAMERA_PATH;
    c->keys = c->own;
    c->key_count = typed->count;
    return STATUS_DONE;
}

int render_camera_read(render_camera *c, const option_list *typed)
{
    *c = (render_camera){.kind = RENDER_CAMERA_UNSAID};
    if (typed->count == 0)
        return STATUS_DONE;
    if (typed->count == 1 && strchr(typed->items[0], ',') == NULL)
        return read_word(c, typed->items[0]);
    return read_keys(c, typed);
}

void render_camera_close(render_camera *c)
{
    free(c->own);
    c->own = NULL;
}

int render_camera_choose(render_camera *c, const rill_view *view)
{
    if (c->kind != RENDER_CAMERA_UNSAID && c->kind != RENDER_CAMERA_SCENE)
        return STATUS_DONE;
    if (view->camera_count < 1 && c->kind == RENDER_CAMERA_SCENE)
        return error_wrong("--camera: the scene has no camera of its own; auto shows all of it");
    c->kind = view->camera_count < 1 ? RENDER_CAMERA_AUTO : RENDER_CAMERA_PATH;
    c->keys = view->camera;
    c->key_count = view->camera_count;
    return STATUS_DONE;
}

// ---- Position --------------------------------------------------------------------------

// Returns the distance from the middle at which a camera sees the world from every side: the world
// as a cylinder, whose rim is tried all around. `rise` is the elevation of the camera, radians.
static double distance_all_around(const camera_bounds *b, double rise, double wide, double high)
{
    const double radius = 0.5 * hypot(b->high[0] - b->low[0], b->high[1] - b->low[1]);
    const double half = 0.5 * (b->high[2] - b->low[2]);
    double distance = 0.0;
    for (int k = 0; k < 144; k++) {
        const double angle = 5.0 * DEGREE * (k / 2), level = k % 2 != 0 ? half : -half;
        const double towards = radius * cos(angle), aside = radius * sin(angle);
        const double nearer = towards * cos(rise) + level * sin(rise);
        const double up = level * cos(rise) - towards * sin(rise);
        distance = fmax(distance, nearer + fmax(fabs(aside) / wide, fabs(up) / high));
    }
    return distance;
}

static void aim_at_middle(camera *c, const camera_bounds *bounds, double aspect)
{
    double away[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        away[k] = c->position[k] - c->target[k];
        length += away[k] * away[k];
    }
    length = sqrt(length);
    const double high = FILLED * tan(0.5 * DEGREE * c->field_of_view);
    const double distance =
        distance_all_around(bounds, asin(away[2] / length), high * aspect, high);
    for (int k = 0; k < 3; k++) {
        c->target[k] = 0.5 * (bounds->low[k] + bounds->high[k]);
        c->position[k] = c->target[k] + away[k] / length * distance;
    }
}

void render_camera_place(render_camera *c, const camera_bounds *bounds, int width, int height)
{
    const double aspect = (double)width / (double)height;
    c->start = camera_overview(bounds);
    if (c->kind == RENDER_CAMERA_ORBIT)
        aim_at_middle(&c->start, bounds, aspect);
    else // a picture that is less wide shows as much only from farther away
        camera_zoom(&c->start, fmax(1.0, USUAL_ASPECT / aspect));
}

camera render_camera_at(const render_camera *c, double time, double seconds)
{
    if (c->kind == RENDER_CAMERA_PATH)
        return camera_on_path(c->keys, c->key_count, time);
    camera turned = c->start;
    if (c->kind == RENDER_CAMERA_ORBIT)
        camera_orbit(&turned, c->turning * seconds, 0.0);
    return turned;
}
