// SPDX-License-Identifier: MIT
// camera_controller.c - the camera in the hand.
#include "apps/view/camera_controller.h"

#include <math.h>

#define PI        3.14159265358979323846
#define TURN      160.0 // degrees for a drag from edge to edge
#define LOOK      90.0  // likewise, turning where the eye stands
#define ZOOM      0.88  // of the distance, a notch of the wheel
#define FLY       0.07  // of the longer side of the world, a second
#define FAST      5.0   // times that
#define HEAD_ROOM 0.75  // cells above ground and water

void eye_follow(eye *e, const rill_view *look, const camera_bounds *bounds, const still *s)
{
    if (look->camera != NULL && look->camera_count > 0)
        e->camera = still_camera(s, look, s->time);
    else
        e->camera = camera_overview(bounds);
}

static eye_tie tie_of(const rill_view *look, const still *s, bool dragging, double anchor[3])
{
    const still_body *body =
        look->camera_body > 0 ? still_find_body(s, (uint32_t)look->camera_body) : NULL;
    const bool rides = body != NULL && !dragging;
    for (int k = 0; k < 3; k++)
        anchor[k] = rides ? body->position[k] : k < 2 ? -s->origin[k] : 0.0;
    if (rides)
        return EYE_TIED_TO_BODY;
    return dragging || look->camera_in_full_terrain != 0 ? EYE_TIED_TO_COUNTRY : EYE_TIED_TO_GRID;
}

bool eye_ride(eye *e, const rill_view *look, const still *s, bool dragging)
{
    double now[3];
    bool moved = false;
    const eye_tie tie = tie_of(look, s, dragging, now);
    const bool goes = e->by_hand && tie == e->tie && tie != EYE_TIED_TO_GRID;
    for (int k = 0; k < 3; k++) {
        const double way = goes ? now[k] - e->anchor[k] : 0.0;
        e->camera.position[k] += way;
        e->camera.target[k] += way;
        e->anchor[k] = now[k];
        moved = moved || way != 0.0;
    }
    e->tie = tie;
    return moved;
}

void eye_home(eye *e)
{
    e->by_hand = false;
    e->flying = false;
}

void eye_turn(eye *e, double x, double y, int height)
{
    e->by_hand = true;
    if (e->flying)
        camera_look(&e->camera, LOOK * x / height, -LOOK * y / height);
    else
        camera_orbit(&e->camera, -TURN * x / height, TURN * y / height);
}

void eye_pan(eye *e, double x, double y, int height)
{
    // What lies at the distance of the target stays under the mouse.
    const double tall = 2.0 * tan(0.5 * PI / 180.0 * e->camera.field_of_view);
    e->by_hand = true;
    camera_pan(&e->camera, -tall * x / height, tall * y / height);
}

void eye_zoom(eye *e, double steps)
{
    e->by_hand = true;
    camera_zoom(&e->camera, pow(ZOOM, steps));
}

static void look_direction(const camera *c, double direction[3])
{
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = c->target[k] - c->position[k];
        length += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] /= fmax(sqrt(length), 1e-30);
}

void eye_toggle_flying(eye *e, const still *s)
{
    double direction[3], hit[3];
    look_direction(&e->camera, direction);
    if (e->flying && s != NULL && still_hit(s, e->camera.position, direction, hit))
        for (int k = 0; k < 3; k++)
            e->camera.target[k] = hit[k];
    e->flying = !e->flying;
    e->by_hand = true;
}

bool eye_fly(eye *e, const camera_bounds *bounds, double seconds)
{
    const double forward = e->keys[EYE_FORWARD] - e->keys[EYE_BACK];
    const double right = e->keys[EYE_RIGHT] - e->keys[EYE_LEFT];
    const double up = e->keys[EYE_UP] - e->keys[EYE_DOWN];
    if (!e->flying || (forward == 0.0 && right == 0.0 && up == 0.0))
        return false;
    const double side = fmax(bounds->high[0] - bounds->low[0], bounds->high[1] - bounds->low[1]);
    const double way = FLY * side * (e->fast ? FAST : 1.0) * seconds;
    camera_fly(&e->camera, way * forward, way * right, way * up);
    e->by_hand = true;
    return true;
}

void eye_keep_above(eye *e, const still *s)
{
    camera *const c = &e->camera;
    if (s->solid_version != 0)
        return; // below an overhang is a good place to look from
    const double side_x = s->nx * (double)s->cell_size, side_y = s->ny * (double)s->cell_size;
    if (c->position[0] < 0.0 || c->position[0] > side_x || c->position[1] < 0.0 ||
        c->position[1] > side_y)
        return;
    const rill_probe below = still_probe(s, c->position[0], c->position[1]);
    const double lift = (double)below.level + HEAD_ROOM * (double)s->cell_size - c->position[2];
    if (lift <= 0.0)
        return;
    c->position[2] += lift;
    if (e->flying)
        c->target[2] += lift;
}
