// SPDX-License-Identifier: MIT
// bodies.h - solids in the water: crates, boats, barrels, cloth. A body is a closed mesh of
// triangles (cloth: an open sheet). Every rill_world_step tells it the forces of the water and lets
// the water feel the body. Who moves the body is another question: a host with a physics engine of
// its own, a path, the rigid bodies and the soft bodies in the box.
//
// With an engine of your own, a frame is
//
//     for each body: rill_world_set_body_pose(world, id, position, rotation, velocity, spin);
//     rill_world_step(world, dt);
//     for each body: rill_world_get_body(world, id, &state);   // state.force, state.torque
//     your engine applies the forces and steps by dt
//
// or, to have no frame of delay, the same in rill_bodies_def.engine, which is called in the middle
// of the step: when forces are known and before the water feels the bodies.
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;

/// A body of a world. All-zero is the null id; stale ids are detected.
typedef struct rill_body_id {
    uint32_t index1;
    uint32_t generation;
} rill_body_id;

/// Who moves a body.
typedef enum rill_body_motion {
    RILL_BODY_HOST,  ///< The host (rill_world_set_body_pose, rill_world_set_body_vertices), or a
                     ///< path, or it stays.
    RILL_BODY_RIGID, ///< The rigid bodies in the box: it falls, floats, collides.
    RILL_BODY_SOFT,  ///< The soft bodies in the box: cloth and balls filled with air.
    RILL_BODY_MOTION_COUNT
} rill_body_motion;

/// How the water feels a body.
typedef enum rill_coupling {
    RILL_COUPLING_NONE, ///< Not at all, nor does the body feel the water.
    RILL_COUPLING_PASS, ///< Water runs through it; it makes waves and currents (Chentanez and
                        ///< Müller section 2.3). For what is small or floats: crates, boats, cloth.
    RILL_COUPLING_BLOCK, ///< Water cannot enter it and goes round it (Kellomäki section 4): dams,
                         ///< locks, vehicles in a flood. With the solver `pipes`; with `layers` the
                         ///< body is a moving solid of the ground. It blocks with the shape that it
                         ///< has now, also a soft one; a sheet has no inside and cannot.
    RILL_COUPLING_COUNT
} rill_coupling;

/// What a body is, in coordinates of its own: its centre of mass is the origin, z is up.
typedef enum rill_body_shape {
    RILL_BODY_BOX,      ///< size[3].
    RILL_BODY_SPHERE,   ///< radius.
    RILL_BODY_CYLINDER, ///< radius, length along z: a barrel.
    RILL_BODY_HULL,     ///< A boat of size[3], its bow towards +x.
    RILL_BODY_MESH,     ///< vertices and triangles below.
    RILL_BODY_SHEET,    ///< size[0] x size[1] in the plane of x and y: cloth (soft).
    RILL_BODY_SHAPE_COUNT
} rill_body_shape;

/// Fields of rill_body_def that give a shape its size, a bit each.
typedef enum rill_shape_field {
    RILL_SHAPE_SIZE = 1,       ///< size[3].
    RILL_SHAPE_SIDES = 2,      ///< size[0] and size[1].
    RILL_SHAPE_RADIUS = 4,     ///< radius.
    RILL_SHAPE_LENGTH = 8,     ///< length.
    RILL_SHAPE_CELLS = 16,     ///< cells[2].
    RILL_SHAPE_TRIANGLES = 32, ///< vertices, triangles and their numbers.
} rill_shape_field;

/// A shape as scene files and renderers see it.
typedef struct rill_body_shape_info {
    const char *name; ///< In scene files, such as "box".
    unsigned fields;  ///< Of rill_shape_field.
    int is_open;      ///< 1: a surface without an inside; its body must be soft.
    int is_smooth;    ///< 1: to be drawn with normals that turn smoothly across its edges.
} rill_body_shape_info;

/// [any thread] A shape of the library, from 0 on; NULL past the last.
RILL_API const rill_body_shape_info *rill_body_shape_get(rill_body_shape shape);

/// How a body looks; nothing simulated depends on it.
typedef enum rill_body_material {
    RILL_MATERIAL_PLAIN,
    RILL_MATERIAL_CRATE,
    RILL_MATERIAL_BARREL,
    RILL_MATERIAL_STONE,
    RILL_MATERIAL_BOAT,
    RILL_MATERIAL_CLOTH,
    RILL_MATERIAL_METAL,
    RILL_MATERIAL_BALL,
    RILL_MATERIAL_COUNT
} rill_body_material;

/// At most this many vertices of cloth are held by another body.
#define RILL_MAX_PINS 16

/// Most keys of the course of a body.
#define RILL_COURSE_MAX_KEYS 32

/// A new body. Start from rill_default_body_def().
typedef struct rill_body_def {
    rill_body_motion motion; ///< Default RILL_BODY_RIGID.
    rill_coupling coupling;  ///< Default RILL_COUPLING_PASS.
    rill_body_shape shape;   ///< Default RILL_BODY_BOX.
    double size[3];          ///< Metres. Default 1, 1, 1.
    double radius, length;   ///< Metres. Default 0.5, 1.
    /// RILL_BODY_MESH: three floats a vertex, three indices a triangle, counter-clockwise seen from
    /// outside; copied. The mesh must be closed. Its centre of mass is found and made the origin.
    const float *vertices;
    const uint32_t *triangles;
    int vertex_count, triangle_count;
    int cells[2]; ///< RILL_BODY_SHEET: squares along its two sides. Default 12, 8.

    double position[3]; ///< Of the centre of mass, metres.
    double rotation[4]; ///< Unit quaternion x, y, z, w. Default none.
    double velocity[3]; ///< m/s.
    double spin[3];     ///< Angular velocity, rad/s, in world axes.

    double density; ///< kg/m^3 of the whole volume; cloth: kg/m^2. Default 500.
    /// RILL_BODY_SHEET: metres of it that displace water. It floats where this times the density of
    /// the water is more than its own; 0: it sinks as slowly as its drag lets it. Default 0.
    double thickness;
    double friction; ///< Of the surface against others (Coulomb), 0 to 10. Default 0.6.
    double bounce;   ///< Part of the speed that comes back from a collision, 0 to 1. Default 0.1.

    double drag;        ///< C_D of Chentanez and Müller Eq. 15. Default 1.
    double lift;        ///< C_L of their Eq. 16. Default 0.
    double area_weight; ///< omega of their Eq. 17, 0 to 1: 1 counts the area across the flow
                        ///< alone, 0 all of the side that faces it. Default 1.
    /// C_dis of their Algorithm 2: part of the swept volume that is felt at once; the rest follows.
    /// 0 to 1. Default 1.
    double displacement;
    /// C_adapt of their Algorithm 2, 1/s: how fast water takes on the velocity of a body that is in
    /// it. The body loses the momentum that the water gets. Default 0.2.
    double adaptation;

    /// Soft: how much the material resists stretching and bending, 0 to 1. Default 1 and 0.1.
    double stretch_stiffness, bend_stiffness;
    /// Soft and closed: pressure of the air inside, as a multiple of what keeps its volume; 0: an
    /// open sheet. Default 1.
    double pressure;
    /// Soft: vertices that `pinned_to` holds (all-zero: the world does), and how many.
    rill_body_id pinned_to;
    int pins[RILL_MAX_PINS];
    int pin_count;

    /// RILL_BODY_HOST: where it goes by itself; replaces position, and gives it the velocity.
    /// Default 0 keys.
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int path_count;
    /// RILL_BODY_RIGID: a course that it steers along by an engine of its own, x and y of the keys
    /// in metres of the full terrain (rill_moving_domain_def), whatever their times, and the force
    /// of its propeller, N. Where that terrain repeats, the first key comes after the last again,
    /// a period further on. Default none.
    rill_path_key course[RILL_COURSE_MAX_KEYS];
    int course_count;
    double thrust;

    /// In the world while start <= time < end, seconds: before it waits, afterwards it is removed.
    /// Default 0 and infinity.
    double start, end;

    rill_body_material material;
    float colour[3]; ///< Linear, 0 to 1; tints the material. Default 1, 1, 1.
} rill_body_def;

RILL_API rill_body_def rill_default_body_def(void);

/// Vertices and triangles that a body of this definition takes of those that the world has
/// (rill_bodies_def).
RILL_API void rill_body_mesh_size(const rill_body_def *def, int *vertices, int *triangles);

/// Called once a step, or once in each slice of a step of more than a second (rill_world_step),
/// when forces are known and before the water feels the bodies. It may get and set bodies of the
/// world, and nothing else of it.
typedef void (*rill_body_engine)(void *user, rill_world *world, double dt);

/// Bodies of a world. Part of rill_world_def.
typedef struct rill_bodies_def {
    int max_bodies;    ///< 0 to 10000. Default 0: none.
    int max_vertices;  ///< Of all bodies together. Default 0: 64 for each of max_bodies.
    int max_triangles; ///< Likewise. Default 0: 128 for each of max_bodies.
    float density;     ///< Of the water, kg/m^3. Default 1000.
    /// kappa: triangles are divided until they are smaller than this many cells. Default 1.
    float kappa;
    /// lambda of Chentanez and Müller Algorithm 2, 1/m: how fast the effect of bodies on the water
    /// fades with their depth. Default 1.
    float decay;
    /// Speed of a body's surface through the water's from which it splashes, m/s. Default 1.5.
    float splash_speed;
    /// Water that a splash throws up, as a part of what the surface sweeps, per m/s above that
    /// speed; 0: none. Needs particles. Default 0.02.
    float splash_amount;
    /// alpha_rn, alpha_rp, alpha_n, alpha_r of Chentanez and Müller section 2.4.4. Default 0.86,
    /// 0.15, 0.005, 0.4.
    float splash_normal, splash_along, splash_lift, splash_mirror;
    /// tau of Kellomäki section 4.2: part of the displaced water that each neighbour gets in a
    /// step, at most 0.25. Default 0.2.
    float spread;
    /// Part of the displaced water that becomes water again, per second (alpha). Default 0.5.
    float release;
    /// 1 keeps rigid and soft bodies inside the world by walls that only they feel. 0: one that
    /// leaves the world is removed. Default 1.
    int fence;
    /// Longest step of rigid and soft bodies, seconds; a longer one is divided. Default 1/60.
    float engine_step;
    /// An engine of the host; NULL: none. `user` is handed to it.
    rill_body_engine engine;
    void *engine_user;
} rill_bodies_def;

/// A definition filled with the defaults above; also in rill_default_world_def().
RILL_API rill_bodies_def rill_default_bodies_def(void);

/// Adds a body. In the world from the next step on.
RILL_API rill_status rill_world_add_body(rill_world *world, const rill_body_def *def,
                                         rill_body_id *out);
RILL_API rill_status rill_world_remove_body(rill_world *world, rill_body_id id);

/// Puts a body somewhere, with a velocity: a frame's news from a host's engine, or a push into a
/// new place of a rigid one. `velocity` and `spin` may be NULL: 0. Not for soft bodies.
RILL_API rill_status rill_world_set_body_pose(rill_world *world, rill_body_id id,
                                              const double position[3], const double rotation[4],
                                              const double velocity[3], const double spin[3]);

/// The same for a body that changes its shape: three floats for each of its vertices, in world
/// coordinates, m and m/s. Host bodies without a path alone. `velocities` may be NULL: 0. Water
/// that it blocks gives way to the new shape in the next step; its position is the centre of that
/// shape. A body that blocks and encloses nothing so, or is inside out, is RILL_BAD_ARGUMENT. The
/// next rill_world_set_body_pose gives it back the shape that it was added with.
RILL_API rill_status rill_world_set_body_vertices(rill_world *world, rill_body_id id,
                                                  const float *positions, const float *velocities);

/// Pushes a rigid or soft body during the next step: a force, N, at a point of the world, metres
/// (NULL: at its centre of mass). Pushes of one step add up, and last for all of it.
RILL_API rill_status rill_world_push_body(rill_world *world, rill_body_id id, const double force[3],
                                          const double point[3]);

/// What a body is doing.
typedef struct rill_body_state {
    double position[3], rotation[4], velocity[3], spin[3]; ///< As in rill_body_def.
    double mass;                                           ///< kg.
    double volume;                                         ///< m^3.
    double submerged; ///< m^3 of it below the water, at the beginning of the last step.
    /// What the water did to it in the last step: N, and N m about its centre of mass.
    double force[3], torque[3];
} rill_body_state;

/// [reader]
RILL_API rill_status rill_world_get_body(const rill_world *world, rill_body_id id,
                                         rill_body_state *out);

/// A body as it lies in the world now. Valid until the next call that changes the world.
typedef struct rill_body_mesh {
    rill_body_id id;
    int vertex_count, triangle_count;
    const float *positions;    ///< Three a vertex, metres.
    const float *velocities;   ///< Three a vertex, m/s.
    const float *forces;       ///< Three a vertex, N: of the water, in the last step.
    const float *rest;         ///< Three a vertex: in the body's own coordinates, metres.
    const uint32_t *triangles; ///< Three indices a triangle.
    rill_body_shape shape;
    rill_body_motion motion;
    rill_body_material material;
    float colour[3];
    float size[3]; ///< Of the box around its own coordinates, metres.
} rill_body_mesh;

/// [reader] Number of bodies, and the one at a place in [0, count): ascending ids. The null id past
/// the end.
RILL_API int rill_world_body_count(const rill_world *world);
RILL_API rill_body_id rill_world_body_at(const rill_world *world, int place);

/// [reader] All-zero for an id that does not exist.
RILL_API rill_body_mesh rill_world_body_mesh(const rill_world *world, rill_body_id id);

/// [reader] The first body that a ray meets, and how far along (in lengths of `direction`); the
/// null id when it meets none.
RILL_API rill_body_id rill_world_pick_body(const rill_world *world, const double origin[3],
                                           const double direction[3], double *distance);

/// What bodies block of the cells of a `pipes` world (Kellomäki section 4), metres: water stands
/// on `floor`, below `lower` and above `upper`. Where nothing hangs over a cell lower is 1e30 and
/// upper -1e30; where nothing rests on the ground the floor is the bed.
typedef struct rill_blocked {
    rill_field_view floor, lower, upper;
} rill_blocked;

/// [reader] All-zero for a world where bodies cannot block. Valid until the next step.
RILL_API rill_blocked rill_world_blocked(const rill_world *world);

/// [reader] 1 when this library can move rigid bodies by itself, 0 when it was built without.
RILL_API int rill_has_rigid_bodies(void);

#ifdef __cplusplus
}
#endif
