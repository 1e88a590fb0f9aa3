// SPDX-License-Identifier: MIT
// scene_view.c - how a scene wants to be looked at: [view] with the light and the names of liquid
// and ground, [view.optics] with what is special about the liquid, [[view.camera]] with the camera.
#include "scene/reader/scene_internal.h"

#include <math.h>
#include <stddef.h>

#define MOST_CAMERA_KEYS 10000
#define MOST_LIQUIDS     32
#define SHORTEST         1e-6 // metres; a length that is not 0 and shorter has no sensible inverse
#define WIDEST_MENISCUS  1.0  // metres; that of water is 2.8 mm
#define NEAREST_TARGET   1e-9 // metres; nearer than this there is no direction to look in

static rill_sea_def no_sea(void)
{
    rill_sea_def sea = rill_default_sea_def();
    sea.size = 0;
    return sea;
}

rill_view rill_default_view(void)
{
    return (rill_view){
        .liquid = rill_liquid_preset(0),
        .ground = RILL_GROUND_LAND,
        .time_of_day = 10.0,
        .latitude = 45.0,
        .clouds = 0.35,
        .wind = 3.0,
        .wind_direction = 30.0,
        .backdrop = RILL_BACKDROP_SKY,
        .contact_angle = 20.0,
        .open_sea = no_sea(),
    };
}

rill_view rill_scene_view(const rill_scene *scene)
{
    return scene != NULL ? scene->view : rill_default_view();
}

// ---- [view] ----------------------------------------------------------------------------

static rill_status read_liquid(rill_view *view, rl_toml_table table)
{
    const char *names[MOST_LIQUIDS + 1] = {NULL};
    int index = 0;
    for (int n = 0; n < rill_liquid_count() && n < MOST_LIQUIDS; n++)
        names[n] = rill_liquid_preset(n).name;
    const rill_status status = rl_toml_get_choice(table, "liquid", names, &index);
    view->liquid = rill_liquid_preset(index);
    return status;
}

// Zero stands for "choose yourself"; what follows it begins at SHORTEST.
static rill_status get_length(rl_toml_table table, const char *key, double max, double *inout)
{
    const rill_status status = rl_toml_get_double(table, key, 0.0, max, inout);
    if (status == RILL_OK && *inout > 0.0 && *inout < SHORTEST)
        return rl_toml_refuse(table, key, "is %g m, it must be 0 or at least %g", *inout, SHORTEST);
    return status;
}

// Sediment hides the bed from one depth to another.
static rill_status read_fog(rill_view *view, rl_toml_table table)
{
    get_length(table, "fog_begin", RL_SCENE_HIGH, &view->fog_begin);
    const rill_status status = get_length(table, "fog_end", RL_SCENE_HIGH, &view->fog_end);
    if (status == RILL_OK && (view->fog_end > 0.0 || view->fog_begin > 0.0) &&
        !(view->fog_end > view->fog_begin))
        return rl_toml_refuse(table, "fog_end", "is %g m, it must be above fog_begin, which is %g",
                              view->fog_end, view->fog_begin);
    return status;
}

static rill_status read_light(rill_view *view, rl_toml_table table)
{
    rl_toml_get_double(table, "time_of_day", 0.0, 24.0, &view->time_of_day);
    rl_toml_get_double(table, "latitude", -90.0, 90.0, &view->latitude);
    rl_toml_get_double(table, "heading", -360.0, 360.0, &view->heading);
    rl_toml_get_double(table, "clouds", 0.0, 1.0, &view->clouds);
    get_length(table, "visibility", RL_SCENE_FAR, &view->visibility);
    rl_toml_get_double(table, "wind", 0.0, 100.0, &view->wind);
    rl_toml_get_double(table, "wind_direction", -360.0, 360.0, &view->wind_direction);
    get_length(table, "ripple_size", RL_SCENE_HIGH, &view->ripple_size);
    get_length(table, "opaque_depth", RL_SCENE_HIGH, &view->opaque_depth);
    get_length(table, "meniscus", WIDEST_MENISCUS, &view->meniscus);
    read_fog(view, table);
    rl_toml_get_double(table, "contact_angle", 0.0, 180.0, &view->contact_angle);
    return rl_toml_get_double(table, "exposure", -10.0, 10.0, &view->exposure);
}

// ---- [view.optics] ---------------------------------------------------------------------

static rill_status read_optics(rill_liquid *liquid, rl_toml_table view)
{
    rl_toml_table optics;
    rl_toml_get_table(view, "optics", &optics);
    rl_toml_get_floats(optics, "absorption", 3, 3, 0.0, 1e6, liquid->absorption, NULL);
    rl_toml_get_floats(optics, "scattering", 3, 3, 0.0, 1e6, liquid->scattering, NULL);
    rl_toml_get_float(optics, "refractive_index", 1.0, 4.0, &liquid->refractive_index);
    rl_toml_get_float(optics, "roughness", 0.0, 1.0, &liquid->roughness);
    rl_toml_get_float(optics, "ripples", 0.0, 4.0, &liquid->ripples);
    rl_toml_get_float(optics, "foam", 0.0, 1.0, &liquid->foam);
    return rl_toml_get_floats(optics, "foam_colour", 3, 3, 0.0, 1.0, liquid->foam_colour, NULL);
}

// ---- [[view.camera]] -------------------------------------------------------------------

static rill_status get_place(rl_toml_table table, const char *key, double place[3])
{
    rl_toml_require(table, key);
    return rl_toml_get_doubles(table, key, 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, place, NULL);
}

static rill_status read_camera_key(rl_toml_table table, rill_camera_key *key)
{
    *key = (rill_camera_key){.field_of_view = 45.0};
    rl_toml_get_double(table, "time", -1e12, 1e12, &key->time);
    get_place(table, "position", key->position);
    get_place(table, "target", key->target);
    const rill_status status =
        rl_toml_get_double(table, "field_of_view", 1.0, 150.0, &key->field_of_view);
    if (status != RILL_OK)
        return status;
    const double across =
        hypot(key->target[0] - key->position[0], key->target[1] - key->position[1]);
    const double distance = hypot(across, key->target[2] - key->position[2]);
    if (distance < NEAREST_TARGET)
        return rl_toml_refuse(table, "target",
                              "is %g m from the position, it must be at least %g m away", distance,
                              NEAREST_TARGET);
    return RILL_OK;
}

static rill_status read_camera(rill_scene *scene, rl_toml_table view)
{
    rl_toml_tables tables;
    rill_status status = rl_toml_get_tables(view, "camera", MOST_CAMERA_KEYS, &tables);
    if (status == RILL_OK)
        status = rl_scene_take(scene, tables.count, sizeof *scene->camera, &scene->camera);
    if (status != RILL_OK)
        return status;
    scene->camera_count = tables.count;
    for (size_t n = 0; n < tables.count && status == RILL_OK; n++) {
        rl_toml_table table;
        rill_camera_key *key = &scene->camera[n];
        status = rl_toml_table_at(&tables, n, &table);
        if (status == RILL_OK)
            status = read_camera_key(table, key);
        if (status == RILL_OK && n > 0 && !(key->time > key[-1].time))
            status = rl_toml_refuse(
                table, "time", "is %g s, it must be after that of the key before it, which is %g s",
                key->time, key[-1].time);
    }
    scene->view.camera = scene->camera;
    scene->view.camera_count = (int)tables.count;
    return status;
}

rill_status rl_scene_read_view(rill_scene *scene, rl_toml_table root)
{
    static const char *const grounds[RILL_GROUND_MATERIAL_COUNT + 1] = {
        [RILL_GROUND_LAND] = "country",      [RILL_GROUND_SAND] = "sand",
        [RILL_GROUND_CONCRETE] = "concrete", [RILL_GROUND_TISSUE] = "tissue",
        [RILL_GROUND_BONE] = "bone",         [RILL_GROUND_WOOD] = "wood",
        [RILL_GROUND_PLASTER] = "plaster",   [RILL_GROUND_CERAMIC] = "ceramic",
    };
    static const char *const backdrops[RILL_BACKDROP_COUNT + 1] = {
        [RILL_BACKDROP_SKY] = "sky",
        [RILL_BACKDROP_STUDIO] = "studio",
    };
    rill_view *view = &scene->view;
    *view = rill_default_view();
    rl_toml_table table;
    int ground = (int)view->ground, backdrop = (int)view->backdrop;
    rl_toml_get_table(root, "view", &table);
    read_liquid(view, table);
    rl_toml_get_choice(table, "ground", grounds, &ground);
    view->ground = (rill_ground_material)ground;
    rl_toml_get_choice(table, "backdrop", backdrops, &backdrop);
    view->backdrop = (rill_backdrop)backdrop;
    read_light(view, table);
    rl_scene_read_open_sea(view, table);
    view->camera_in_country = scene->window.nx > 0;
    rl_toml_get_int(table, "camera_body", 0, 10000, &view->camera_body);
    const rill_status status = read_optics(&view->liquid, table);
    return status == RILL_OK ? read_camera(scene, table) : status;
}
