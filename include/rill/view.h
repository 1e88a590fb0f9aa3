// SPDX-License-Identifier: MIT
// view.h - how a scene is to be drawn: the liquid and the ground as the eye sees them, the
// light, and where the camera stands. Nothing here changes the simulation. Rill's own renderer
// reads it; an engine with a renderer of its own finds the optical constants of its liquids here.
#pragma once

#include "rill/base.h"
#include "rill/parameters.h"
#include "rill/scene.h"
#include "rill/surface.h"
#include "rill/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What light does in a liquid. Three numbers are red, green, blue (linear, Rec. 709; about 610,
/// 550 and 465 nm). Light that goes x metres straight on keeps exp(-(absorption + scattering) x) of
/// itself. Scattering counts what is turned aside evenly in all directions: what particles throw
/// nearly straight ahead is as good as not turned, and is left out.
typedef struct rill_liquid {
    const char *name;       ///< Such as "sea".
    float absorption[3];    ///< Part of the light swallowed per metre, 1/m.
    float scattering[3];    ///< Part of the light turned aside per metre, 1/m: makes it milky.
    float refractive_index; ///< 1.33 for water.
    float roughness;        ///< Standard deviation of the slopes too small to be drawn, 0 to 1.
    float ripples;          ///< How much of the small waves it shows: 1 water, 0 a thick paint.
    float foam;             ///< How readily it foams, 0 to 1.
    float foam_colour[3];   ///< Reflectance of the foam.
} rill_liquid;

/// How many liquids have a name.
RILL_API int rill_liquid_count(void);

/// Liquid `index`, in the order of the documentation; all-zero past the end.
RILL_API rill_liquid rill_liquid_preset(int index);

/// The liquid called `name`. Fails with RILL_BAD_ARGUMENT and the list of names; `out` is then as
/// it was.
RILL_API rill_status rill_liquid_find(const char *name, rill_liquid *out);

/// Linear colour of a layer of `liquid` that is deep enough to hide what is below: what Kubelka and
/// Munk's equations for diffuse light throw back, without the mirror image of the surface.
RILL_API void rill_liquid_colour(const rill_liquid *liquid, float rgb[3]);

/// What the ground is made of.
typedef enum rill_ground_material {
    RILL_GROUND_LAND,     ///< Grass on gentle slopes, rock on steep ones, gravel by the water.
    RILL_GROUND_SAND,     ///< Beach and dune.
    RILL_GROUND_CONCRETE, ///< Basins, streets and houses.
    RILL_GROUND_TISSUE,   ///< Moist flesh.
    RILL_GROUND_BONE,     ///< Fresh bone: ivory, moist, reddish in its hollows.
    RILL_GROUND_WOOD,     ///< A table top, its grain along x.
    RILL_GROUND_PLASTER,  ///< A neutral white model in a laboratory.
    RILL_GROUND_CERAMIC,  ///< Glazed white: a saucer, a basin.
    RILL_GROUND_MATERIAL_COUNT
} rill_ground_material;

/// What surrounds the world.
typedef enum rill_backdrop {
    RILL_BACKDROP_SKY,    ///< Sun, sky and haze.
    RILL_BACKDROP_STUDIO, ///< A plain floor and soft lamps: for models that stand on a table. The
                          ///< hour, the clouds and the haze have no part in it; `heading` turns the
                          ///< lamps.
    RILL_BACKDROP_COUNT
} rill_backdrop;

/// The camera at one moment. Between keys it moves smoothly.
typedef struct rill_camera_key {
    double time;          ///< Simulated seconds; keys are in rising order.
    double position[3];   ///< Where it stands, metres.
    double target[3];     ///< The point that it faces, metres.
    double field_of_view; ///< From the lower to the upper edge of the picture, degrees, 1 to 150.
} rill_camera_key;

/// How a scene is to be drawn: its table [view].
typedef struct rill_view {
    rill_liquid liquid;          ///< Default "clear".
    rill_ground_material ground; ///< Default RILL_GROUND_LAND.
    double time_of_day;          ///< Hours of solar time, 0 to 24. Default 10.
    double latitude;             ///< Degrees north, -90 to 90: how high the sun climbs. Default 45.
    double heading;              ///< Compass direction of +y, degrees from north. Default 0.
    double clouds;               ///< Part of the sky they cover, 0 to 1. Default 0.35.
    double visibility;      ///< Metres after which haze has taken 95 % of the contrast. 0: forty
                            ///< times the longer side of the world, at most 120 km. Default 0.
    double wind;            ///< m/s: small waves on still water. Default 3.
    double wind_direction;  ///< Where it blows to, degrees from +x to +y. Default 30.
    double ripple_size;     ///< Metres from crest to crest of the largest of these small waves.
                            ///< 0: from the size of the cells. Default 0.
    double choppiness;      ///< Cells by which a slope of 1 moves the points of water with fine
                            ///< waves or an open sea towards its crests, half a cell at most
                            ///< (Chentanez and Müller section 2.5.1). 0 to 10. Default 1.
    double exposure;        ///< Stops brighter or darker, -10 to 10. Default 0.
    rill_backdrop backdrop; ///< Default RILL_BACKDROP_SKY.
    double meniscus;        ///< Width of the strip along solids in which capillarity bends the
                            ///< liquid's surface, metres: 0.0028 for water. 0: none. Default 0.
    double contact_angle;   ///< Between liquid and solid, degrees, 0 to 180: below 90 the liquid
                            ///< climbs. Default 20.
    double opaque_depth;    ///< Metres of liquid that hide what is below: the liquid keeps its
                            ///< colour and gets as dense as that. 0: as dense as it is. Default 0.
    /// Metres of water above the bed at which it begins to fade in sediment, and at which it is
    /// hidden (Burrell section 5.4: 10 and 15). 0: no more than the liquid fades it. Default 0.
    double fog_begin, fog_end;
    rill_sea_def open_sea; ///< The sea around the world, up to the horizon; size 0: none. Its level
                           ///< is that of the absorbing borders. Default 0.
    double open_sea_level; ///< Metres.
    /// 1: the camera's places are metres of the full terrain of a moving domain
    /// (rill_moving_domain_def), else of the grid. Default 0.
    int camera_in_full_terrain;
    /// index1 of a body that the camera goes with: its places are then counted from the middle of
    /// that body, along the axes of the world. Default 0: none.
    int camera_body;
    const rill_camera_key *camera; ///< Keys; belong to the scene. NULL: the renderer chooses.
    int camera_count;
} rill_view;

/// The parameters of a view, as rill_parameters() has those of a world; rill_parameter_get and
/// rill_parameter_set take a rill_view with them.
RILL_API const rill_parameter *rill_view_parameters(int *count);

/// A view filled with the defaults above and no camera.
RILL_API rill_view rill_default_view(void);

/// How `scene` is to be drawn; the defaults for NULL. The camera keys belong to the scene.
RILL_API rill_view rill_scene_view(const rill_scene *scene);

/// The definition with which the surface of `world` is built when it is drawn with `view`: opaque
/// depth and meniscus of the liquid, and the least thickness of a river. The renderer and the
/// exports of a run use it, so that an exported mesh is the drawn one. NULL for `view` means the
/// default surface.
RILL_API rill_surface_def rill_view_surface_def(const rill_view *view, const rill_world *world);

#ifdef __cplusplus
}
#endif
