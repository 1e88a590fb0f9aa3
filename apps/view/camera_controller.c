// SPDX-License-Identifier: MIT
// camera_controller.c - moves the camera of the window by mouse and keys.
#include "apps/view/camera_controller.h"

#include <math.h>

#define PI        3.14159265358979323846
#define TURN      160.0 // degrees for a drag from edge to edge
#define TURN_HERE 90.0  // likewise, turning where the eye stands
#define ZOOM      0.88  // of the distance, a notch of the wheel
#define FLY       0.07  // of the longer side of the world, a second
#define FAST      5.0   // times that
#define CLEARANCE 0.75  // cells above ground and water

void controller_follow(camera_controller *c, const rill_view *view, const camera_bounds *bounds,
                       const frame_data *s)
{
    if (view->camera != NULL && view->camera_count > 0)
        c->camera = frame_data_camera(s, view, s->time);
    else
        c->camera = camera_overview(bounds);
}

static camera_tie tie_of(const rill_view *view, const frame_data *s, bool dragging,
                         double anchor[3])
{
    const frame_body *body =
        view->camera_body > 0 ? frame_find_body(s, (uint32_t)view->camera_body) : NULL;
    const bool rides = body != NULL && !dragging;
    for (int k = 0; k < 3; k++)
        anchor[k] = rides ? body->position[k] : k < 2 ? -s->origin[k] : 0.0;
    if (rides)
        return TIED_TO_BODY;
    return dragging || view->camera_in_full_terrain != 0 ? TIED_TO_TERRAIN : TIED_TO_GRID;
}

bool controller_ride(camera_controller *c, const rill_view *view, const frame_data *s,
                     bool dragging)
{
    double now[3];
    bool moved = false;
    const camera_tie tie = tie_of(view, s, dragging, now);
    const bool goes = c->by_user && tie == c->tie && tie != TIED_TO_GRID;
    for (int k = 0; k < 3; k++) {
        const double way = goes ? now[k] - c->anchor[k] : 0.0;
        c->camera.position[k] += way;
        c->camera.target[k] += way;
        c->anchor[k] = now[k];
        moved = moved || way != 0.0;
    }
    c->tie = tie;
    return moved;
}

void controller_reset(camera_controller *c)
{
    c->by_user = false;
    c->flying = false;
}

void controller_turn(camera_controller *c, double x, double y, int height)
{
    c->by_user = true;
    if (c->flying)
        camera_turn(&c->camera, TURN_HERE * x / height, -TURN_HERE * y / height);
    else
        camera_orbit(&c->camera, -TURN * x / height, TURN * y / height);
}

void controller_pan(camera_controller *c, double x, double y, int height)
{
    // What lies at the distance of the target stays under the mouse.
    const double tall = 2.0 * tan(0.5 * PI / 180.0 * c->camera.field_of_view);
    c->by_user = true;
    camera_pan(&c->camera, -tall * x / height, tall * y / height);
}

void controller_zoom(camera_controller *c, double steps)
{
    c->by_user = true;
    camera_zoom(&c->camera, pow(ZOOM, steps));
}

static void view_direction(const camera *c, double direction[3])
{
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = c->target[k] - c->position[k];
        length += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] /= fmax(sqrt(length), 1e-30);
}

void controller_toggle_flying(camera_controller *c, const frame_data *s)
{
    double direction[3], hit[3];
    view_direction(&c->camera, direction);
    if (c->flying && s != NULL && frame_data_hit(s, c->camera.position, direction, hit))
        for (int k = 0; k < 3; k++)
            c->camera.target[k] = hit[k];
    c->flying = !c->flying;
    c->by_user = true;
}

bool controller_fly(camera_controller *c, const camera_bounds *bounds, double seconds)
{
    const double forward = c->keys[CONTROLLER_FORWARD] - c->keys[CONTROLLER_BACK];
    const double right = c->keys[CONTROLLER_RIGHT] - c->keys[CONTROLLER_LEFT];
    const double up = c->keys[CONTROLLER_UP] - c->keys[CONTROLLER_DOWN];
    if (!c->flying || (forward == 0.0 && right == 0.0 && up == 0.0))
        return false;
    const double side = fmax(bounds->high[0] - bounds->low[0], bounds->high[1] - bounds->low[1]);
    const double way = FLY * side * (c->fast ? FAST : 1.0) * seconds;
    camera_fly(&c->camera, way * forward, way * right, way * up);
    c->by_user = true;
    return true;
}

void controller_stay_above(camera_controller *c, const frame_data *s)
{
    camera *const at = &c->camera;
    if (s->solid_version != 0)
        return; // below an overhang is a good place to look from
    const double side_x = s->nx * (double)s->cell_size, side_y = s->ny * (double)s->cell_size;
    if (at->position[0] < 0.0 || at->position[0] > side_x || at->position[1] < 0.0 ||
        at->position[1] > side_y)
        return;
    const rill_probe below = frame_data_probe(s, at->position[0], at->position[1]);
    const double lift = (double)below.level + CLEARANCE * (double)s->cell_size - at->position[2];
    if (lift <= 0.0)
        return;
    at->position[2] += lift;
    if (c->flying)
        at->target[2] += lift;
}
