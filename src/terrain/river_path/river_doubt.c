// SPDX-License-Identifier: MIT
// river_doubt.c - what is not plausible about a river that was found: a puddle in a corner, or
// water far deeper than asked for, behind what a DEM shows as a dam.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define DEEP_TIMES 5.0  // the asked depth
#define DEEP_LEAST 3.0  // metres
#define CUT_LEAST  20.0 // metres: less is noise of a DEM in a gorge
#define CUT_TIMES  1.0  // the width: a bed that is cut deeper is a ditch

static void doubt(rill_river_path *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path->doubt, sizeof path->doubt, format, arguments);
    va_end(arguments);
    path->found.doubt = path->doubt;
}

static int deepest_point(const rill_river_path_view *found)
{
    int deepest = 0;
    for (int n = 0; n < found->count; n++)
        if (found->surface[n] - found->bed[n] > found->surface[deepest] - found->bed[deepest])
            deepest = n;
    return deepest;
}

static void doubt_side(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                       rill_river_path *path)
{
    const rill_river_path_view *found = &path->found;
    const double shorter = cell_size * (ground->nx < ground->ny ? ground->nx : ground->ny);
    if (found->length < 0.5 * shorter) {
        doubt(path,
              "the river is only %.3g m long, in a terrain of %.3g m: it cuts a corner; set "
              "river.path.from = \"auto\", which finds the largest stem wherever it rises, or the "
              "side that the river comes in by",
              found->length, shorter);
        return;
    }
    const int n = deepest_point(found);
    const double depth = (double)found->surface[n] - (double)found->bed[n];
    const double asked = isnan(def->depth) ? RL_DEPTH_FROM_SIDE : def->depth;
    if (def->surface == RILL_RIVER_PROFILE && depth > DEEP_TIMES * asked && depth > DEEP_LEAST)
        doubt(path,
              "the river is up to %.3g m deep, at (%.6g, %.6g) m, where %g m were asked for: "
              "something "
              "dams it; set river.path.from = \"auto\", which cuts through dams, or "
              "river.path.smoothing",
              depth, (double)found->x[n], (double)found->y[n], asked);
}

// The stem is as long as the terrain has it; a bed that was cut far below the ground is told.
static void doubt_auto(const rill_field *ground, double cell_size, rill_river_path *path)
{
    const rill_river_path_view *found = &path->found;
    const double shorter = cell_size * (ground->nx < ground->ny ? ground->nx : ground->ny);
    if (found->length < 0.5 * shorter) {
        doubt(path,
              "the river is only %.3g m long, in a terrain of %.3g m: set river.path.through to a "
              "point of another one, or river.path.catchment to less for a source further up",
              found->length, shorter);
        return;
    }
    if (path->cut > CUT_LEAST && path->cut > CUT_TIMES * (double)found->width[path->cut_at])
        doubt(
            path,
            "the river is cut %.3g m deep through the ground at (%.6g, %.6g) m: a dam or a bridge, "
            "or a hollow without a way out; set river.path.through to a point of another river if "
            "this is none",
            path->cut, (double)found->x[path->cut_at], (double)found->y[path->cut_at]);
}

void rl_river_doubt(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                    rill_river_path *path)
{
    if (path->found.area != NULL)
        doubt_auto(ground, cell_size, path);
    else
        doubt_side(ground, cell_size, def, path);
}
