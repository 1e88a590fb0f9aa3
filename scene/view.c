// SPDX-License-Identifier: MIT
// view.c - the table of parameters of rill_view: how a scene wants to be drawn. Its rows are as
// those of the engine's table, and so are the names of their columns. And how the surface of the
// liquid of a view is built and coloured, so that a mesh that is exported is the mesh that is
// drawn.
#include "rill/view.h"
#include "rill/river.h"
#include "rill/world.h"

#include <math.h>
#include <stddef.h>

#define STORED_FLAG   int
#define STORED_INT    int
#define STORED_ENUM   int
#define STORED_FLOAT  float
#define STORED_DOUBLE double

#define FIELD(key, member, kind)                                                            \
    .name = "view." key, .definition = RILL_DEFINITION_VIEW, .type = RILL_PARAMETER_##kind, \
    .count = (int)(sizeof(((rill_view *)0)->member) / sizeof(STORED_##kind)),               \
    .offset = offsetof(rill_view, member)
#define VIEW(member, kind) FIELD(#member, member, kind)
#define OPTICS(member, kind) \
    .automatic = "from `liquid`", FIELD("optics." #member, liquid.member, kind)
#define SEA(member, kind) FIELD("open_sea." #member, open_sea.member, kind)

#define OF(unit_, first, low_, high_) unit_, {first}, low_, high_
#define CHOICE(list, first) \
    .words = list, .unit = "", {first}, 0, (int)(sizeof(list) / sizeof(list)[0]) - 2
#define LENGTH          .least = 1e-6 // metres; one that is not 0 and shorter has no sensible inverse
#define POWERS          .flags = RILL_PARAMETER_POWER_OF_TWO
#define HOST            .flags = RILL_PARAMETER_HOST
#define AUTOMATIC(what) .automatic = what
#define IN_SCENES(what) .in_scenes = what

#define HIGH 1e6 // metres
#define FAR  1e9 // metres

static const char *const grounds[] = {"land", "sand",    "concrete", "tissue", "bone",
                                      "wood", "plaster", "ceramic",  NULL};
static const char *const old_grounds[] = {"country", NULL};
static const char *const backdrops[] = {"sky", "studio", NULL};

static const rill_parameter rows[] = {
    {VIEW(ground, ENUM), CHOICE(grounds, RILL_GROUND_LAND),
     "what it is made of: 'land' is grass, rock and gravel, 'tissue' moist flesh",
     .old_words = old_grounds},
    {VIEW(backdrop, ENUM), CHOICE(backdrops, RILL_BACKDROP_SKY),
     "'studio' is a grey room with a soft light, for models"},
    {VIEW(time_of_day, DOUBLE), OF("h", 10, 0, 24), "solar time: the sun is highest at 12"},
    {VIEW(latitude, DOUBLE), OF("degrees", 45, -90, 90),
     "how high the sun climbs; north is positive"},
    {VIEW(heading, DOUBLE), OF("degrees", 0, -360, 360),
     "compass direction of +y, clockwise from north"},
    {VIEW(clouds, DOUBLE), OF("", 0.35, 0, 1), "part of the sky they cover"},
    {VIEW(visibility, DOUBLE), OF("m", 0, 0, FAR),
     "where haze has taken 95 % of the contrast; 0: forty times the longer side of the world, at "
     "most 120 km",
     LENGTH},
    {VIEW(wind, DOUBLE), OF("m/s", 3, 0, 100),
     "makes small waves on still water; if not given, `wind.speed` if that is"},
    {VIEW(wind_direction, DOUBLE), OF("degrees", 30, -360, 360),
     "where it blows to, from +x to +y; if not given, `wind.direction`"},
    {VIEW(ripple_size, DOUBLE), OF("m", 0, 0, HIGH),
     "from crest to crest of the largest of these small waves; 0: from the size of the cells",
     LENGTH},
    {VIEW(choppiness, DOUBLE), OF("", 1, 0, 10),
     "cells by which a slope of 1 moves the grid of water with `[waves]` or an open sea towards "
     "its "
     "crests"},
    {VIEW(exposure, DOUBLE), OF("stops", 0, -10, 10), "brighter (above 0) or darker pictures"},
    {VIEW(opaque_depth, DOUBLE), OF("m", 0, 0, HIGH),
     "depth that hides what is below: the liquid keeps its colour and is thickened; 0: as it is",
     LENGTH},
    {VIEW(fog_begin, DOUBLE), OF("m", 0, 0, HIGH),
     "water over the bed at which it begins to fade in sediment; Burrell has 10", LENGTH},
    {VIEW(fog_end, DOUBLE), OF("m", 0, 0, HIGH),
     "water over the bed at which it is hidden, Burrell has 15; 0: no more than the liquid fades "
     "it",
     LENGTH},
    {VIEW(meniscus, DOUBLE), OF("m", 0, 0, 1),
     "width of the strip along solids in which capillarity bends the surface, 0.0028 for water; 0: "
     "none",
     LENGTH},
    {VIEW(contact_angle, DOUBLE), OF("degrees", 20, 0, 180),
     "between liquid and solid; below 90 the liquid climbs"},
    {VIEW(camera_body, INT), OF("", 0, 0, 10000),
     "the camera goes with this body, counted from 1: its places are counted from it; 0: none"},
    {VIEW(camera_in_full_terrain, FLAG), OF("", 0, 0, 1),
     "the camera's places are those of the full terrain of a moving domain", HOST},

    {OPTICS(absorption, FLOAT), OF("1/m", 0, 0, 1e6),
     "part of the light swallowed per metre, three numbers"},
    {OPTICS(scattering, FLOAT), OF("1/m", 0, 0, 1e6),
     "part of the light turned aside per metre, evenly in all directions, three numbers; it makes "
     "a liquid milky"},
    {OPTICS(refractive_index, FLOAT), OF("", 0, 1, 4), "1.33 for water"},
    {OPTICS(roughness, FLOAT), OF("", 0, 0, 1),
     "standard deviation of the slopes too small to be drawn"},
    {OPTICS(ripples, FLOAT), OF("", 0, 0, 4),
     "how much of the small waves it shows: 1 as water, 0 none"},
    {OPTICS(foam, FLOAT), OF("", 0, 0, 1), "how readily it foams"},
    {OPTICS(foam_colour, FLOAT), OF("", 0, 0, 1), "reflectance of the foam, three numbers"},

    {FIELD("open_sea.level", open_sea_level, DOUBLE), OF("m", 0, -HIGH, HIGH),
     "at rest: that of the absorbing borders", IN_SCENES("needed")},
    {SEA(size, INT), OF("", 0, 16, 1024), "points a side, a power of two", POWERS,
     AUTOMATIC("no sea"), IN_SCENES("256")},
    {SEA(tile, DOUBLE), OF("m", 100, 1e-3, 1e6), "side of the square that repeats itself"},
    {SEA(wind, DOUBLE), OF("m/s", 8, 0.01, 100),
     "of the wind that made it; if not given, `wind.speed` if that is"},
    {SEA(wind_direction, DOUBLE), OF("degrees", 30, -360, 360),
     "where that wind blows to, from +x to +y; if not given, `wind.direction`"},
    {SEA(height, DOUBLE), OF("", 1, 0, 1000), "times that of a grown sea"},
    {SEA(depth, DOUBLE), OF("m", (double)INFINITY, 1e-3, HIGH), "of its water; slows long waves",
     AUTOMATIC("endless")},
    {SEA(chop, DOUBLE), OF("", 1, 0, 2), "how far crests are drawn together"},
};

const rill_parameter *rill_view_parameters(int *count)
{
    if (count != NULL)
        *count = (int)(sizeof rows / sizeof rows[0]);
    return rows;
}

rill_view rill_default_view(void)
{
    rill_view view = {.open_sea = rill_default_sea_def()};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++)
        for (int k = 0; k < rows[n].count; k++)
            rill_parameter_set(&view, &rows[n], k, rows[n].initial[k]);
    view.liquid = rill_liquid_preset(0);
    return view;
}

// ---- The surface -----------------------------------------------------------------------

// Metres: the least thickness in which a river is drawn.
#define RIVER_THICKNESS 0.04f

// Depth at which a fiftieth of what is below is left of the light that gets through best.
static double hiding_depth(const rill_view *view)
{
    if (view->opaque_depth > 0.0)
        return view->opaque_depth;
    double least = 1e30;
    for (int k = 0; k < 3; k++) {
        const double a = 2.0 * (double)view->liquid.absorption[k];
        const double s = (double)view->liquid.scattering[k];
        least = fmin(least, sqrt(a * (a + 2.0 * s)));
    }
    return fmin(fmax(0.5 * log(50.0) / fmax(least, 1e-9), 1e-6), 1e6);
}

rill_surface_def rill_view_surface_def(const rill_view *view, const rill_world *world)
{
    rill_surface_def def = rill_default_surface_def();
    if (view != NULL) {
        def.opaque_depth = (float)hiding_depth(view);
        def.meniscus_length = (float)view->meniscus;
        def.contact_angle = (float)view->contact_angle;
    }
    // With cells of ten metres a part of their size would float visibly above shallow places, and
    // the ground along the shore is drawn as it is.
    if (world != NULL && rill_world_river_path(world) != NULL)
        def.minimum_thickness =
            fminf(def.minimum_thickness, RIVER_THICKNESS / rill_world_cell_size(world));
    return def;
}

void rill_liquid_colour(const rill_liquid *liquid, float rgb[3])
{
    for (int k = 0; k < 3; k++) {
        const double absorbed = 2.0 * (double)liquid->absorption[k];
        const double ratio = absorbed / fmax((double)liquid->scattering[k], 1e-9);
        rgb[k] = (float)(1.0 + ratio - sqrt(ratio * ratio + 2.0 * ratio));
    }
}
