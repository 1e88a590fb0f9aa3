// SPDX-License-Identifier: MIT
// bodies_internal.h - the bodies of a world, as the files of this module and the world see them
// (rill/bodies.h). They read water through columns and change it by the deposits of the solver.
//
// One step, in this order (the world calls them from world_bodies.c):
//
//     rl_bodies_feel     levels that bodies feel, where they press the water down (head.c), and
//                        forces of the water, Chentanez and Müller section 2.3.1 (forces.c)
//     rl_engine_ops.step rigid bodies (engine.h); rl_soft_step: soft ones (soft.c)
//     rl_bodies_disturb  what the water feels of bodies that let it through, Chentanez and Müller
//                        Algorithm 2 (displace.c)
//     rl_bodies_splash   water that they throw up, Chentanez and Müller section 2.4.4 (splash.c)
//     rl_bodies_block    intervals that the other bodies block, Kellomäki section 4.1 (blocking.c,
//                        body_raster.c)
//     rl_bodies_release  displaced water comes back, Kellomäki section 4.2 (displaced.c)
#pragma once

#include "bodies/sampling/box_rows.h"
#include "core/assert.h"
#include "core/cpu.h"
#include "core/jobs.h"
#include "core/numbers.h"
#include "solvers/shared/blocks.h"
#include "solvers/solver.h"

#include "rill/bodies.h"

#include <stdbool.h>

// One body. Its centre of mass is the origin of its own coordinates. Vertices and triangles lie in
// the arrays of rl_bodies. Everything that changes in a step is state: it is hashed and saved.
typedef struct rl_body {
    bool taken; // the place has a body: in the world, or waiting for its time
    bool alive; // in the world; only then anything but its memory counts
    uint32_t generation;
    rill_body_def def; // as it was added; its arrays are nulled

    int first_vertex, vertex_count;     // in rest, position, velocity, force
    int first_triangle, triangle_count; // in triangles
    double mass, volume;                // kg, m^3
    double inertia[9];                  // about the centre of mass, own axes, row by row, kg m^2
    double inverse_inertia[9];          // positive definite, as that is
    double reach;                       // largest distance of a vertex from the origin, metres
    int first_constraint, constraint_count; // soft: in the arrays of soft.c

    double position[3], rotation[4], velocity[3], spin[3];
    bool bent;                      // the host has put its vertices where its pose has them not
    double low[3], high[3];         // box around the vertices, metres
    double push[3], push_torque[3]; // of the host, for the next step
    double force[3], torque[3];     // of the water, N, N m about the centre of mass
    double submerged;               // m^3 below the water
    double displaced;               // m^3 that the water has got for it (RILL_COUPLING_PASS)
    // Of that, what still lies around it as a hill or a hollow of its own, m^3, and on how much
    // area, m^2: the body does not feel it.
    double own, own_area;
    double given[3]; // momentum that went to the water by adaptation since the
                     // last rl_bodies_feel, kg m/s: the body will lose it
    int course_next; // key that it steers for
    // Soft: where `pinned_to` holds its pins, in coordinates of that one; and seconds in the wind.
    bool pins_placed;
    double pin_local[RILL_MAX_PINS][3];
    double air_time;
} rl_body;

typedef struct rl_soft rl_soft; // constraints of soft bodies (soft.c)

typedef struct rl_bodies {
    rill_allocator allocator;
    rill_bodies_def def;
    int nx, ny;
    double cell_size, gravity;
    rl_isa isa;              // of row loops, and
    const rl_box_rows *rows; // those over cells near bodies

    rl_body *items; // def.max_bodies of them; free ones are all-zero but for their generation
    uint32_t generation;
    int alive, waiting;
    bool pushed; // some body may have a push of the host

    // All bodies together, in the order of their places without gaps.
    float *rest;         // 3 a vertex: own coordinates, metres (soft: at the start)
    float *position;     // 3 a vertex: in the world, metres
    float *velocity;     // 3 a vertex, m/s
    float *force;        // 3 a vertex: of the water, N
    uint32_t *triangles; // 3 a triangle: vertices of the body, from 0
    int vertex_count, triangle_count;

    rl_soft *soft;

    // Blocking (only with a solver that can, else empty): what the solver has as blocked.
    rl_blocks blocks;
    bool can_block, has_blocks;
    double *virtual_volume; // nx x ny: displaced volume as a depth, metres (Kellomäki's V)
    double *virtual_next;
    int *virtual_first, *virtual_end; // per row: only cells [first, end) can have some
    rill_field level; // what bodies feel: levels around blocking bodies (head.c); elsewhere unused
    rill_field show_base, show_depth; // columns as they are drawn (head.c)

    void *scratch;        // of forces and displacement: rl_samples_bytes
    void *raster_scratch; // of the raster: rl_raster_bytes
    size_t bytes;         // of this and all arrays, which are one block of memory
    double *packed;       // what changes in records, for hashing
} rl_bodies;

// The next `count` things of `size` bytes in a block of memory of which `used` bytes are taken;
// NULL while the block is only measured, and for nothing.
static inline void *rl_take(char *block, size_t *used, size_t count, size_t size)
{
    RL_ASSERT(*used % RILL_ALIGNMENT == 0);
    void *at = block != NULL && count > 0 ? block + *used : NULL;
    *used += (count * size + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT * RILL_ALIGNMENT;
    return at;
}

// Bytes that dividing triangles (samples.c) and the raster (body_raster.c) work in. Asked when
// `def`, the grid and can_block are known.
size_t rl_samples_bytes(const rl_bodies *bodies);
size_t rl_raster_bytes(const rl_bodies *bodies);

// The water that bodies swim in, for one step.
typedef struct rl_body_water {
    const rl_solver_ops *ops;
    void *solver;
    rl_jobs *jobs;
    rill_columns columns; // velocities are right near bodies alone
    double time, dt;      // at the beginning of the step; its length, seconds
    uint64_t step;        // with the seed: random numbers
} rl_body_water;

// `can_block`: the solver has rl_solver_ops.blocking. `def` has been checked and completed.
rill_status rl_bodies_create(const rill_world_def *def, bool can_block, rl_bodies **out);
void rl_bodies_destroy(rl_bodies **bodies);
size_t rl_bodies_memory(const rl_bodies *bodies);

// Adds a body: its mesh, mass and place. `def` is checked here. On failure nothing has changed.
rill_status rl_bodies_add(rl_bodies *bodies, const rill_body_def *def, rill_body_id *out);
void rl_bodies_remove(rl_bodies *bodies, int n);
// Brings bodies that have waited for `time` into the world; returns whether there were any.
bool rl_bodies_wake(rl_bodies *bodies, double time);
// What the bodies are, in one block of bytes, to go back to: first they themselves, then, after
// rl_bodies_block_again, what the solver has as blocked. The engine is to be made anew.
size_t rl_bodies_saved_bytes(const rl_bodies *bodies);
void rl_bodies_save(const rl_bodies *bodies, void *to);
void rl_bodies_restore(rl_bodies *bodies, const void *from);
void rl_bodies_restore_blocks(rl_bodies *bodies, const void *from, const rl_body_water *water);
// The arrays that make up their state, for hashing; returns their number.
int rl_bodies_state(rl_bodies *bodies, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);

// The grid has moved by (di, dj) cells over the full terrain.
void rl_bodies_shift(rl_bodies *bodies, int di, int dj);

// The place of a body, or -1 for an id that does not exist.
int rl_bodies_find(const rl_bodies *bodies, rill_body_id id);

// Puts vertices and box of a body that does not change its shape where its pose has them, with the
// velocities of a rigid motion; `rl_body_measure` makes only the box, of any body.
void rl_body_pose(rl_bodies *bodies, int n);
void rl_body_measure(rl_bodies *bodies, int n);

// The mesh of a body and its mass (body_shape.c).
typedef struct rl_body_mesh {
    float *vertices;
    uint32_t *triangles;
    int vertex_count, triangle_count; // how many there are, or would be when the arrays are NULL
} rl_body_mesh;
// Volume, centre and second moments of the inside of a closed mesh of density 1.
typedef struct rl_body_moments {
    double volume, centre[3];
    double inertia[9]; // about the centre
} rl_body_moments;
rl_body_moments rl_body_measure_mesh(const rl_body_mesh *mesh);
// What a body encloses whose vertices are at `positions`, m^3, and the centre of that; where it is
// not positive, the position that the body has.
double rl_body_enclosed(const rl_bodies *bodies, const rl_body *body, const float *positions,
                        double middle[3]);
// The inverse of an inertia, row by row; false where it is not positive definite.
bool rl_body_invert(const double inertia[9], double inverse[9]);
// RILL_OK for a mesh whose every edge has one triangle on each side.
rill_status rl_body_check_closed(const rl_body_mesh *mesh, const rill_allocator *allocator);

// Adds so much of a vector.
static inline void rl_vector_add(double to[3], double scale, const double v[3])
{
    for (int k = 0; k < 3; k++)
        to[k] += scale * v[k];
}

static inline void rl_vector_between(const double from[3], const double to[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = to[k] - from[k];
}

static inline double rl_square_distance(const double a[3], const double b[3])
{
    double way[3];
    rl_vector_between(a, b, way);
    return rl_dot(way, way);
}

// The normal of a triangle, as long as twice its area.
static inline void rl_triangle_across(const double a[3], const double b[3], const double c[3],
                                      double out[3])
{
    double ab[3], ac[3];
    rl_vector_between(a, b, ab);
    rl_vector_between(a, c, ac);
    rl_cross(ab, ac, out);
}

// Reads a vertex of arrays of floats.
static inline void rl_vertex_at(const float *vertices, size_t n, double out[3])
{
    for (size_t k = 0; k < 3; k++)
        out[k] = (double)vertices[3 * n + k];
}

// Turns v by the unit quaternion q (x, y, z, w).
static inline void rl_body_turn(const double q[4], const double v[3], double out[3])
{
    const double x = 2.0 * (q[1] * v[2] - q[2] * v[1]);
    const double y = 2.0 * (q[2] * v[0] - q[0] * v[2]);
    const double z = 2.0 * (q[0] * v[1] - q[1] * v[0]);
    out[0] = v[0] + q[3] * x + (q[1] * z - q[2] * y);
    out[1] = v[1] + q[3] * y + (q[2] * x - q[0] * z);
    out[2] = v[2] + q[3] * z + (q[0] * y - q[1] * x);
}

// Turns v back by the same quaternion: from world axes into those of a body.
static inline void rl_body_turn_back(const double q[4], const double v[3], double out[3])
{
    rl_body_turn((const double[4]){-q[0], -q[1], -q[2], q[3]}, v, out);
}

// The turn q after the turn p.
static inline void rl_body_turns(const double q[4], const double p[4], double out[4])
{
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = q[3] * p[k] + p[3] * q[k] + q[l] * p[m] - q[m] * p[l];
    }
    out[3] = q[3] * p[3] - q[0] * p[0] - q[1] * p[1] - q[2] * p[2];
}

// ---- Water to solids and back ----------------------------------------------------------

// Levels that bodies feel at cells which they block or press down (head.c), and forces of the water
// on every body: force per vertex, sums, submerged volume; `given` is taken in. The water gets the
// opposite of what drags and lifts the bodies that it runs through.
void rl_bodies_feel(rl_bodies *bodies, const rl_body_water *water);

// Height and velocity of the water around bodies that let it through. Returns the volume that was
// made (or, negative, taken), m^3.
double rl_bodies_disturb(rl_bodies *bodies, const rl_body_water *water);

// Takes the volume that a PASS body displaces out of the water around it, before it is removed.
// Returns what was made (negative), m^3.
double rl_bodies_withdraw(rl_bodies *bodies, int n, const rl_body_water *water);

// Finds the lumps of this step, in a fixed order, each as large as a particle of `volume` m^3 and
// `radius` m; at most `most`. Nothing is taken from the water here. Returns their number, and adds
// to `left_out` how many more there should have been.
int rl_bodies_splash(rl_bodies *bodies, const rl_body_water *water, double volume, double radius,
                     uint64_t seed, rl_splash *out, int most, uint64_t *left_out);

// ---- Blocking --------------------------------------------------------------------------

// Finds what bodies block now and tells the solver, whose water gives way: what that displaces is
// added to the displaced volume.
void rl_bodies_block(rl_bodies *bodies, const rl_body_water *water, const rill_field *bed);
// The same without moving water: after the state was brought back, or with the first bodies.
void rl_bodies_block_again(rl_bodies *bodies, const rl_body_water *water, const rill_field *bed);

// Lays the floor of rows without bodies on the bed, for rill_world_blocked: the solver does not
// read it there.
void rl_bodies_lay_floors(rl_bodies *bodies, const rill_field *bed);
// The set was written to from elsewhere.
void rl_bodies_blocks_changed(rl_bodies *bodies, const rill_field *bed);

// Spreads the displaced volume by one step and deposits what is released in `dt` of the water,
// seconds; 0: it only spreads. The sum of that volume and the water stays.
void rl_bodies_release(rl_bodies *bodies, const rl_body_water *water);
double rl_bodies_displaced(const rl_bodies *bodies);   // m^3, summed in a fixed order
bool rl_bodies_has_displaced(const rl_bodies *bodies); // whether any cell may have some

// Columns as they are to be drawn: the water goes on through bodies that press it down or stand in
// it, instead of ending in a dent before them (Kellomäki section 4.4). `truth` when there are none.
rill_columns rl_bodies_show(rl_bodies *bodies, rl_jobs *jobs, const rill_columns *truth);

// ---- Soft bodies (soft.c) --------------------------------------------------------------

// The ground that soft and rigid bodies lie on: elevation of a cell, metres.
typedef struct rl_body_ground {
    const rill_field *bed;
    bool fence;       // walls at the sides of the grid
    double origin[2]; // of the grid in the full terrain, metres
    double period;    // metres along x after which that begins anew; 0: it has an end
} rl_body_ground;

// Lays out the memory that soft bodies work in; returns its bytes. NULL only measures it.
size_t rl_soft_lay(const rill_bodies_def *def, rl_soft *soft);
// Constraints of body n, which has just been added with its vertices; and without it.
rill_status rl_soft_add(rl_bodies *bodies, int n);
void rl_soft_remove(rl_bodies *bodies, int n);
// Steps all soft bodies by `dt`: gravity, forces of the water (per vertex), constraints, pins,
// ground and rigid bodies. The wind, m/s, blows on what is above the water; NULL: there is no air.
void rl_soft_step(rl_bodies *bodies, const rl_body_ground *ground, const double wind[3], double dt);
// Water that goes along with cloth where it is wet, kg for each m^2 of its surface `area` (added
// mass); 0 for other bodies. A step moves wet vertices as if they were that much heavier, so a
// limit of forces by the mass that they act on counts it in.
double rl_soft_water_mass(const rl_bodies *bodies, const rl_body *body, double area);
