// SPDX-License-Identifier: MIT
// view_surface.c - derives from a view how the surface of its liquid is built and coloured, so that
// a mesh that is exported is the mesh that is drawn.
#include "rill/river.h"
#include "rill/view.h"
#include "rill/world.h"

#include <math.h>
#include <stddef.h>

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
