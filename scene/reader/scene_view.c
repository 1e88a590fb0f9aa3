// SPDX-License-Identifier: MIT
// scene_view.c - how a scene wants to be drawn: [view] with the light and the names of liquid
// and ground, [view.optics] with what is special about the liquid, [[view.camera]] with the camera.
#include "scene/reader/scene_internal.h"

#include <math.h>

#define MOST_CAMERA_KEYS 10000
#define MOST_LIQUIDS     32
#define USUAL_SEA        256  // points a side of the open sea
#define CALMEST_WIND     0.01 // m/s: the least that makes an open sea
#define NEAREST_TARGET   1e-9 // metres; nearer than this there is no direction to look in

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

// Sediment hides the bed from one depth to another.
static rill_status check_fog(const rill_view *view, rl_toml_table table)
{
    if ((view->fog_end > 0.0 || view->fog_begin > 0.0) && !(view->fog_end > view->fog_begin))
        return rl_toml_refuse(table, "fog_end", "is %g m, it must be above fog_begin, which is %g",
                              view->fog_end, view->fog_begin);
    return RILL_OK;
}

// The wind of the scene is that of the view and of the open sea, unless they have their own.
static void take_wind(rill_view *view, rl_toml_table table, rl_toml_table sea,
                      const rill_wind_def *wind)
{
    if (wind->speed >= 0.0f && !rl_toml_has(table, "wind"))
        view->wind = (double)wind->speed;
    if (!rl_toml_has(table, "wind_direction"))
        view->wind_direction = (double)wind->direction;
    if (wind->speed >= 0.0f && !rl_toml_has(sea, "wind"))
        view->open_sea.wind = fmax((double)wind->speed, CALMEST_WIND);
    if (!rl_toml_has(sea, "wind_direction"))
        view->open_sea.wind_direction = (double)wind->direction;
}

// ---- [[view.camera]] -------------------------------------------------------------------

static rill_status get_place(rl_toml_table table, const char *key, double place[3])
{
    rl_toml_require(table, key);
    return rl_toml_get_doubles(table, key, 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, place, NULL);
}

static rill_status read_camera_key(rill_scene *scene, rl_toml_table table, void *item)
{
    rill_camera_key *key = item;
    *key = (rill_camera_key){.field_of_view = 45.0};
    rl_toml_get_double(table, "time", -1e12, 1e12, &key->time);
    get_place(table, "position", key->position);
    get_place(table, "target", key->target);
    rl_toml_get_double(table, "field_of_view", 1.0, 150.0, &key->field_of_view);
    const double across =
        hypot(key->target[0] - key->position[0], key->target[1] - key->position[1]);
    const double distance = hypot(across, key->target[2] - key->position[2]);
    if (distance < NEAREST_TARGET)
        rl_toml_refuse(table, "target", "is %g m from the position, it must be at least %g m away",
                       distance, NEAREST_TARGET);
    if (key > scene->camera && !(key->time > key[-1].time))
        rl_toml_refuse(table, "time",
                       "is %g s, it must be after that of the key before it, which is %g s",
                       key->time, key[-1].time);
    return table.document->failed;
}

rill_status rl_scene_read_view(rill_scene *scene, rl_toml_table root)
{
    rill_view *view = &scene->view;
    rl_toml_table table, sea;
    *view = rill_default_view();
    rl_toml_get_table(root, "view", &table);
    read_liquid(view, table);
    rl_toml_get_table(table, "open_sea", &sea);
    if (sea.value != NULL) {
        view->open_sea.size = USUAL_SEA;
        rl_toml_require(sea, "level");
    }
    rl_scene_read_rows(scene, root, RILL_DEFINITION_VIEW, NULL, view);
    check_fog(view, table);
    take_wind(view, table, sea, &scene->def.wind);
    rl_scene_read_tables(scene, table, "camera", MOST_CAMERA_KEYS, sizeof *scene->camera,
                         read_camera_key, &scene->camera, &scene->camera_count);
    view->camera_in_full_terrain = scene->domain.nx > 0;
    view->camera = scene->camera;
    view->camera_count = (int)scene->camera_count;
    return table.document->failed;
}
