// SPDX-License-Identifier: MIT
// sim_bodies.c - throwing, grabbing and removing bodies. All lengths of time and force go with the
// size of the body, as those of the brushes do: a crate of 2 m and one of 2 cm feel alike.
#include "apps/view/sim/sim_bodies.h"

#include "render/render_error.h"

#include <math.h>
#include <string.h>

#define STIFF     3.0  // angular frequency of the spring, in sqrt(gravity / size)
#define FIRM      0.5  // damping of turns while a body is held, in that frequency
#define STRONGEST 15.0 // of its force, in weights of the body
#define TUMBLE    0.25 // spin of a thrown body, in its speed / size
#define BEHIND \
    4.0 // cells that a body may be behind the ground and still be met: what
        // stands on the ground may count as ground itself
#define STONE_CORNERS 12
#define STONE_FACES   20

// ---- Vectors ---------------------------------------------------------------------------

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Turns v by the unit quaternion q, or back.
static void turn(const double q[4], bool back, const double v[3], double out[3])
{
    const double axis[3] = {back ? -q[0] : q[0], back ? -q[1] : q[1], back ? -q[2] : q[2]};
    double once[3], twice[3];
    cross(axis, v, once);
    cross(axis, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2.0 * (q[3] * once[k] + twice[k]);
}

// Computes the metres to add to a place of a picture whose grid began at `cell` of the full
// terrain.
static void shift_since(const loaded_scene *at, const int cell[2], double shift[3])
{
    int now[2];
    rill_world_origin(at->world, &now[0], &now[1]);
    for (int k = 0; k < 2; k++)
        shift[k] = at->info.cell_size * (cell[k] - now[k]);
    shift[2] = 0.0;
}

// ---- Throwing --------------------------------------------------------------------------

// An icosahedron, flattened and with its corners drawn in by different amounts.
static void make_stone(double size, float corners[3 * STONE_CORNERS],
                       uint32_t faces[3 * STONE_FACES])
{
    static const double drawn_in[STONE_CORNERS] = {1.00, 0.86, 0.93, 0.80, 0.97, 0.84,
                                                   0.90, 1.00, 0.82, 0.95, 0.88, 0.99};
    static const double flat[3] = {1.0, 0.82, 0.64};
    const double golden = 0.5 * (1.0 + sqrt(5.0)),
                 radius = 0.5 * size / sqrt(1.0 + golden * golden);
    double even[STONE_CORNERS][3];
    for (int n = 0; n < STONE_CORNERS; n++) {
        const int axis = n / 4;
        even[n][axis] = 0.0;
        even[n][(axis + 1) % 3] = (n & 1) != 0 ? 1.0 : -1.0;
        even[n][(axis + 2) % 3] = (n & 2) != 0 ? golden : -golden;
        for (int k = 0; k < 3; k++)
            corners[3 * n + k] = (float)(radius * flat[k] * drawn_in[n] * even[n][k]);
    }
    int count = 0;
    for (int a = 0; a < STONE_CORNERS; a++)
        for (int b = 0; b < STONE_CORNERS; b++)
            for (int c = 0; c < STONE_CORNERS; c++) {
                // Corners of a face are 2 apart: their product is golden^2 + 1 - 2. Each face is
                // taken once, from its lowest corner and counter-clockwise.
                const double near = golden * golden - 1.0 - 1e-6;
                double normal[3];
                cross(even[a], even[b], normal);
                if (a < b && a < c && b != c && dot(even[a], even[b]) > near &&
                    dot(even[b], even[c]) > near && dot(even[c], even[a]) > near &&
                    dot(normal, even[c]) > 0.0 && count < 3 * STONE_FACES) {
                    faces[count++] = (uint32_t)a;
                    faces[count++] = (uint32_t)b;
                    faces[count++] = (uint32_t)c;
                }
            }
}

// Makes the definition of a thrown body; `size` is about its largest measure.
static rill_body_def definition(sim_body body, double size)
{
    rill_body_def def = rill_default_body_def();
    switch (body) {
    case SIM_BODY_BARREL:
        def.shape = RILL_BODY_CYLINDER;
        def.radius = 0.34 * size;
        def.length = size;
        def.density = 600.0;
        def.material = RILL_MATERIAL_BARREL;
        break;
    case SIM_BODY_BALL:
        def.shape = RILL_BODY_SPHERE;
        def.radius = 0.5 * size;
        def.density = 120.0;
        def.bounce = 0.6;
        def.drag = 0.5;
        def.material = RILL_MATERIAL_BALL;
        break;
    case SIM_BODY_STONE:
        def.shape = RILL_BODY_MESH;
        def.density = 2600.0;
        def.material = RILL_MATERIAL_STONE;
        break;
    default:
        for (int k = 0; k < 3; k++)
            def.size[k] = 0.8 * size;
        def.density = 400.0;
        def.material = RILL_MATERIAL_CRATE;
    }
    return def;
}

rill_status sim_bodies_throw(loaded_scene *at, const sim_command *command)
{
    float corners[3 * STONE_CORNERS];
    uint32_t faces[3 * STONE_FACES];
    const double size = command->thrown.size;
    rill_body_def def = definition(command->thrown.body, size);
    if (def.shape == RILL_BODY_MESH) {
        make_stone(size, corners, faces);
        def.vertices = corners;
        def.vertex_count = STONE_CORNERS;
        def.triangles = faces;
        def.triangle_count = STONE_FACES;
    }
    def.coupling = command->thrown.coupling;
    double shift[3];
    shift_since(at, command->thrown.cell, shift);
    for (int k = 0; k < 3; k++) {
        def.position[k] = command->thrown.position[k] + shift[k];
        def.velocity[k] = command->thrown.velocity[k];
    }
    // It rolls the way that it flies, askew.
    def.spin[0] = -TUMBLE * def.velocity[1] / size;
    def.spin[1] = TUMBLE * def.velocity[0] / size;
    def.spin[2] = 0.5 * (def.spin[0] + def.spin[1]);
    return render_fail_from_rill(rill_world_add_body(at->world, &def, &at->thrown));
}

// ---- Rays ------------------------------------------------------------------------------

// Returns the body that the ray meets first, and how far along; the null id when there is none.
static rill_body_id met(const loaded_scene *at, const sim_ray *ray, double *distance)
{
    double shift[3], origin[3];
    shift_since(at, ray->cell, shift);
    for (int k = 0; k < 3; k++)
        origin[k] = ray->origin[k] + shift[k];
    const rill_body_id id = rill_world_pick_body(at->world, origin, ray->direction, distance);
    if (id.index1 != 0 && *distance <= ray->ground + BEHIND * at->info.cell_size)
        return id;
    return (rill_body_id){0};
}

rill_status sim_bodies_remove(loaded_scene *at, const sim_ray *ray)
{
    double distance = 0.0;
    const rill_body_id id = met(at, ray, &distance);
    if (id.index1 == 0)
        return render_fail(RILL_BAD_ARGUMENT, "there is no body under the mouse to remove");
    return render_fail_from_rill(rill_world_remove_body(at->world, id));
}

rill_status sim_bodies_grab(loaded_scene *at, const sim_ray *ray, double where[3])
{
    body_grip grip = {0};
    rill_body_state state;
    double shift[3], arm[3];
    at->grip = grip;
    grip.id = met(at, ray, &grip.distance);
    if (grip.id.index1 == 0 || rill_world_get_body(at->world, grip.id, &state) != RILL_OK)
        return render_fail(RILL_BAD_ARGUMENT, "there is no body under the mouse to drag");
    const rill_body_mesh mesh = rill_world_body_mesh(at->world, grip.id);
    if (mesh.motion == RILL_BODY_HOST)
        return render_fail(
            RILL_BAD_ARGUMENT,
            "this body stands, or goes its way, as the scene says: it cannot be dragged");
    shift_since(at, ray->cell, shift);
    for (int k = 0; k < 3; k++) {
        where[k] = ray->origin[k] + shift[k] + grip.distance * ray->direction[k];
        arm[k] = where[k] - state.position[k];
        grip.size[k] = (double)mesh.size[k];
    }
    grip.soft = mesh.motion == RILL_BODY_SOFT;
    if (grip.soft)
        memcpy(grip.local, arm, sizeof arm);
    else
        turn(state.rotation, true, arm, grip.local);
    at->grip = grip;
    return RILL_OK;
}

// ---- Pulling ---------------------------------------------------------------------------

// Computes the grabbed point relative to the body's centre.
static void find_arm(const body_grip *grip, const rill_body_state *state, double arm[3])
{
    if (grip->soft)
        memcpy(arm, grip->local, sizeof grip->local);
    else
        turn(state->rotation, false, grip->local, arm);
}

bool sim_bodies_held_at(loaded_scene *at, double where[3])
{
    rill_body_state state;
    double arm[3];
    if (at->grip.id.index1 == 0 || rill_world_get_body(at->world, at->grip.id, &state) != RILL_OK) {
        at->grip = (body_grip){0};
        return false;
    }
    find_arm(&at->grip, &state, arm);
    for (int k = 0; k < 3; k++)
        where[k] = state.position[k] + arm[k];
    return true;
}

// Returns the moment of inertia about an axis of its own, per mass: that of a box as large as the
// body, which is accurate enough for other body shapes.
static double inertia(const body_grip *grip, int axis)
{
    const double a = grip->size[(axis + 1) % 3], b = grip->size[(axis + 2) % 3];
    return fmax((a * a + b * b) / 12.0, 1e-30);
}

// Returns the mass that a push at the point feels: a body that is pushed beside its centre gives
// way by turning.
static double felt_mass(const body_grip *grip, const rill_body_state *state, const double push[3])
{
    const double length = sqrt(dot(push, push));
    if (grip->soft || !(length > 0.0))
        return state->mass;
    double along[3], lever[3], inverse = 1.0;
    turn(state->rotation, true, push, along);
    cross(grip->local, along, lever);
    for (int k = 0; k < 3; k++)
        inverse += lever[k] * lever[k] / (length * length * inertia(grip, k));
    return state->mass / inverse;
}

static void shorten(double v[3], double most)
{
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3 && length > most; k++)
        v[k] *= most / length;
}

// Damps the turning of a held body: without this it would swing from the grabbed point for minutes.
// The torque is a pair of opposite forces a metre apart, at right angles to it.
static void calm(rill_world *world, const body_grip *grip, const rill_body_state *state,
                 double rate)
{
    double spin[3], torque[3], across[3], force[3], back[3], point[3];
    if (grip->soft)
        return;
    turn(state->rotation, true, state->spin, spin);
    for (int k = 0; k < 3; k++)
        spin[k] *= -rate * state->mass * inertia(grip, k);
    turn(state->rotation, false, spin, torque);
    const double level = fabs(torque[0]) < fabs(torque[1]) ? 1.0 : 0.0;
    const double axis[3] = {level, 1.0 - level, 0.0}; // far from parallel to it
    cross(torque, axis, across);
    const double length = sqrt(dot(across, across));
    if (!(length > 0.0))
        return;
    for (int k = 0; k < 3; k++) {
        across[k] /= length;
        point[k] = state->position[k] + across[k];
    }
    cross(torque, across, force);
    for (int k = 0; k < 3; k++)
        back[k] = -force[k];
    (void)rill_world_push_body(world, grip->id, force, point);
    (void)rill_world_push_body(world, grip->id, back, NULL);
}

// A critically damped spring, solved for the end of the step so that none is too long for it. It is
// never stretched further than where its force is the strongest: from afar the body comes at the
// speed at which damping takes half of that, and stops without swinging past.
void sim_bodies_pull(loaded_scene *at, const sim_ray *ray, double dt)
{
    const body_grip *const grip = &at->grip;
    rill_body_state state;
    double shift[3], arm[3], point[3], way[3], speed[3], push[3];
    if (grip->id.index1 == 0 || rill_world_get_body(at->world, grip->id, &state) != RILL_OK)
        return;
    const double gravity = (double)rill_world_gravity(at->world);
    const double size = fmax(grip->size[0], fmax(grip->size[1], grip->size[2]));
    const double stiff = STIFF * sqrt(gravity / fmax(size, 1e-9));
    const double distance = fmin(grip->distance * ray->reach, ray->ground);
    shift_since(at, ray->cell, shift);
    find_arm(grip, &state, arm);
    cross(state.spin, arm, speed);
    for (int k = 0; k < 3; k++) {
        point[k] = state.position[k] + arm[k];
        way[k] = ray->origin[k] + shift[k] + distance * ray->direction[k] - point[k];
        speed[k] = state.velocity[k] + (grip->soft ? 0.0 : speed[k]);
    }
    shorten(way, STRONGEST * gravity / (stiff * stiff));
    const double softer = (1.0 + stiff * dt) * (1.0 + stiff * dt);
    for (int k = 0; k < 3; k++)
        push[k] = stiff * (stiff * (way[k] - dt * speed[k]) - 2.0 * speed[k]) / softer;
    const double mass = felt_mass(grip, &state, push);
    for (int k = 0; k < 3; k++)
        push[k] *= mass;
    shorten(push, STRONGEST * state.mass * gravity);
    calm(at->world, grip, &state, FIRM * stiff / (1.0 + FIRM * stiff * dt));
    (void)rill_world_push_body(at->world, grip->id, push,
                               point); // it exists, and is not the host's
}
