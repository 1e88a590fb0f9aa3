// SPDX-License-Identifier: MIT
// picker.c - finds what the mouse points at, and how to throw there. Sizes and speeds go with those
// of the world, as the brushes do.
#include "apps/view/picker.h"

#include "apps/view/window.h"

#include <math.h>
#include <string.h>

#define USUAL_SIZE    0.022 // of the shorter side of the world
#define WIDEST        500.0 // metres of world that sizes go with
#define LEAST_CELLS   3.0   // smaller ones fall between the cells
#define LARGEST_SIZE  0.2   // likewise
#define USUAL_SPEED   0.8   // in sqrt(gravity * shorter side)
#define SLOWEST       0.2
#define FASTEST       4.0
#define BEFORE_CAMERA 2.0  // sizes from the camera to what it throws
#define FROM_SIDES    0.75 // sizes that the middle stays inside the world
#define ABOVE_SURFACE 0.75 // sizes from ground or water to the middle
#define REACH_STEP    1.08 // a notch of the wheel
#define NEAREST       0.1
#define FARTHEST      10.0
#define EARTH         9.81 // m/s^2

static const char *const names[SIM_BODY_COUNT] = {
    [SIM_BODY_CRATE] = "crate",
    [SIM_BODY_BARREL] = "barrel",
    [SIM_BODY_BALL] = "ball",
    [SIM_BODY_STONE] = "stone",
};

const char *picker_body_name(sim_body body)
{
    return names[body];
}

// ---- What suits a scene ----------------------------------------------------------------

// A river is as wide as its shorter side, whatever its length in the world. On a terrain of
// kilometres bodies have a largest size.
static double shorter_side(const loaded_scene *s)
{
    return fmin(s->info.cell_size * fmin(s->info.nx, s->info.ny), WIDEST);
}

picker_range picker_sizes(const loaded_scene *s)
{
    const double least = s->info.cell_size;
    return (picker_range){least, fmax(LARGEST_SIZE * shorter_side(s), 2.0 * least)};
}

picker_range picker_speeds(const loaded_scene *s)
{
    const double natural = sqrt(EARTH * shorter_side(s));
    return (picker_range){SLOWEST * natural, FASTEST * natural};
}

void picker_fit(picker *p, const loaded_scene *s)
{
    const picker_range size = picker_sizes(s);
    p->size = fmax(USUAL_SIZE * shorter_side(s), LEAST_CELLS * s->info.cell_size);
    p->size = fmin(p->size, size.most);
    p->speed = USUAL_SPEED * sqrt(EARTH * shorter_side(s));
    p->blocks = p->blocks && picker_can_block(s);
}

const char *picker_refusal(void)
{
    if (rill_has_rigid_bodies() == 0)
        return "This build has no rigid bodies (it was made without ODE): nothing can be thrown.";
    return NULL;
}

bool picker_can_block(const loaded_scene *s)
{
    for (int n = 0; n < RILL_SOLVER_COUNT; n++) {
        const rill_solver_info info = rill_solver_about((rill_solver)n);
        if (strcmp(s->info.solver, info.name) == 0)
            return (info.can & RILL_CAN_BE_BLOCKED) != 0;
    }
    return false;
}

// ---- Where the mouse points ------------------------------------------------------------

// Returns the distance along the ray of the ground that hides what is behind it; infinite when
// there is none. A solid ground has overhangs and hides nothing here: its bodies are small beside
// its caves.
static double ground_along(const frame_data *s, const double origin[3], const double direction[3])
{
    const double side[2] = {s->nx * (double)s->cell_size, s->ny * (double)s->cell_size};
    double near = 0.0, far = INFINITY;
    for (int k = 0; k < 2; k++) {
        const double a = -origin[k] / direction[k], b = (side[k] - origin[k]) / direction[k];
        if (fabs(direction[k]) > 1e-12) {
            near = fmax(near, fmin(a, b));
            far = fmin(far, fmax(a, b));
        }
    }
    const double level = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    const double step = 0.5 * (double)s->cell_size / fmax(level, 1e-2);
    int steps_left = s->solid_version != 0 ? 0 : 4 * (s->nx + s->ny);
    for (double t = near; t < far && steps_left > 0; t += step, steps_left--) {
        const double x = origin[0] + t * direction[0], y = origin[1] + t * direction[1];
        if (origin[2] + t * direction[2] < (double)frame_data_probe(s, x, y).base)
            return t;
    }
    return INFINITY;
}

// Returns the ray through the mouse; through the middle of the picture while the mouse is on the
// panel.
static bool aim(view *v, sim_ray *ray)
{
    const frame_data *const s = v->picture.frame_data;
    if (s == NULL || v->renderer == NULL || v->width < 1 || v->height < 1)
        return false;
    const bool away =
        v->mouse.drag != DRAG_BODY && panel_has_pointer(v->panel, v->mouse.x, v->mouse.y);
    *ray = (sim_ray){.reach = v->picker.reach, .cell = {s->first_cell[0], s->first_cell[1]}};
    camera_ray(&v->controller.camera, v->width, v->height, away ? 0.5 * v->width : v->mouse.x,
               away ? 0.5 * v->height : v->mouse.y, ray->direction);
    memcpy(ray->origin, v->controller.camera.position, sizeof ray->origin);
    ray->ground = ground_along(s, ray->origin, ray->direction);
    return true;
}

static void order(view *v, const sim_command *command)
{
    if (!sim_order(v->sim, command))
        window_note(v, "the simulation is busy: please do that again");
}

// ---- Throwing --------------------------------------------------------------------------

typedef struct flight {
    double from[3], speed[3]; // metres, m/s
    double gravity;
} flight;

// The throw goes from the camera along the ray, and as much upwards as gravity takes from it until
// it is where the ray meets ground or water.
static flight plan_flight(const view *v, const sim_ray *ray)
{
    const frame_data *const s = v->picture.frame_data;
    flight f = {.gravity = (double)s->gravity};
    double hit[3], square = 0.0;
    const bool lands = frame_data_hit(s, ray->origin, ray->direction, hit);
    for (int k = 0; k < 3; k++) {
        f.from[k] = ray->origin[k];
        f.speed[k] = v->picker.speed * ray->direction[k];
        square += lands ? (hit[k] - ray->origin[k]) * (hit[k] - ray->origin[k]) : 0.0;
    }
    f.speed[2] += 0.5 * f.gravity * sqrt(square) / v->picker.speed;
    return f;
}

// Finds when the throw is over the world and clear of its sides, which are walls for bodies: the
// camera is often outside. Returns false for never.
static bool enters(const frame_data *s, const flight *f, double margin, double *when)
{
    const double side[2] = {s->nx * (double)s->cell_size, s->ny * (double)s->cell_size};
    double near = *when, far = INFINITY;
    for (int k = 0; k < 2; k++) {
        const double low = margin - f->from[k], high = side[k] - margin - f->from[k];
        if (f->speed[k] == 0.0) {
            if (low > 0.0 || high < 0.0)
                return false;
            continue;
        }
        near = fmax(near, fmin(low / f->speed[k], high / f->speed[k]));
        far = fmin(far, fmax(low / f->speed[k], high / f->speed[k]));
    }
    *when = near;
    return near <= far;
}

void picker_throw(view *v)
{
    sim_ray ray;
    if (!aim(v, &ray))
        return;
    const char *const refusal = picker_refusal();
    if (refusal != NULL) {
        window_note(v, "%s", refusal);
        return;
    }
    const frame_data *const s = v->picture.frame_data;
    const double size = v->picker.size;
    const flight f = plan_flight(v, &ray);
    double when = BEFORE_CAMERA * size / v->picker.speed;
    if (!enters(s, &f, FROM_SIDES * size, &when)) {
        window_note(v, "thrown that way it would not come into the world");
        return;
    }
    sim_command command = {
        .kind = SIM_THROW,
        .thrown = {.body = v->picker.body,
                   .size = size,
                   .coupling = v->picker.blocks ? RILL_COUPLING_BLOCK : RILL_COUPLING_PASS,
                   .cell = {ray.cell[0], ray.cell[1]}}};
    double *const at = command.thrown.position, *const speed = command.thrown.velocity;
    for (int k = 0; k < 3; k++) {
        speed[k] = f.speed[k] - (k == 2 ? f.gravity * when : 0.0);
        at[k] = f.from[k] + 0.5 * (f.speed[k] + speed[k]) * when;
    }
    at[2] = fmax(at[2], (double)frame_data_probe(s, at[0], at[1]).level + ABOVE_SURFACE * size);
    order(v, &command);
}

// ---- Removing and dragging -------------------------------------------------------------

void picker_remove(view *v)
{
    sim_command command = {.kind = SIM_REMOVE};
    if (aim(v, &command.ray))
        order(v, &command);
}

void picker_grab(view *v)
{
    sim_ray ray;
    v->picker.reach = 1.0;
    if (aim(v, &ray))
        sim_grab(v->sim, &ray);
}

void picker_drag(view *v)
{
    sim_ray ray;
    if (aim(v, &ray))
        sim_drag(v->sim, &ray);
    window_redraw(v);
}

void picker_reach(view *v, double steps)
{
    v->picker.reach = fmin(fmax(v->picker.reach * pow(REACH_STEP, steps), NEAREST), FARTHEST);
    picker_drag(v);
}

void picker_let_go(view *v)
{
    sim_let_go(v->sim);
}
