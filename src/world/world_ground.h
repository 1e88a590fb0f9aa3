// SPDX-License-Identifier: MIT
// world_ground.h - the solid that a world of the solver `layers` stands on: what is fixed, what
// moves through it, what is yet to change. Empty for other worlds.
#pragma once

#include "terrain/sdf/mesh_band.h"
#include "terrain/sdf/solid_internal.h"

#include "rill/solid.h"
#include "rill/world.h"

#include <stdbool.h>

// A slot of one that is gone is all-zero but for its generation.
typedef struct rl_mover {
    rill_sdf_primitive shape; // holds its triangles or its field
    uint32_t generation;
    bool alive;
    bool bent;                    // its triangles are not those that it came with, but bent ones
    rill_mover_beat beat;         // period 0: none
    const rill_triangles *unbent; // what beats, as it is without the beat; held; NULL: nothing
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int path_count;
} rl_mover;

// A change of the ground, which may wait for its time.
typedef struct rl_ground_change {
    double time;              // seconds
    rill_sdf_primitive shape; // holds its triangles or its field while it waits
    rill_combine how;
    double blend;
} rl_ground_change;

// What moves in the ground, and what is yet to change.
typedef struct rl_ground_plan {
    rl_mover *movers; // def.layers.max_movers of them, then one for each place of a body
    int mover_count;
    uint32_t mover_generation;
    rl_ground_change *waiting; // RILL_MAX_SCHEDULED at most, in the order of their times
    int waiting_count;
} rl_ground_plan;

// Of a mover that is a mesh.
typedef struct rl_ground_band {
    rl_mesh_band band;
    rill_triangles *spare; // memory for its next shape; NULL: none
} rl_ground_band;

typedef struct rl_ground_bands {
    rl_ground_band *items; // one for each mover
    rl_mesh_scratch scratch;
    float *places; // vertices of one that bends, three each
    size_t place_count;
} rl_ground_bands;

// Triangles that the host has handed in for those of the field. All-zero: there are none.
typedef struct rl_host_ground {
    rill_ground_vertex *vertices;
    uint32_t *indices;
    size_t vertex_count, index_count;
    uint64_t version;
} rl_host_ground;

// A version of the triangles, and the cells in which it differs from the one before.
typedef struct rl_ground_version {
    uint64_t version;
    rl_solid_box cells;
} rl_ground_version;

#define RL_GROUND_LOG 8 // versions that are remembered

typedef struct rl_world_ground {
    rl_solid *fixed; // without what moves
    rl_solid *whole; // with it: the columns are cut from this one
    rl_ground_plan plan;
    rl_ground_bands bands; // made from the plan

    rl_solid_surface *surface; // triangles, made when they are asked for
    rl_solid *seen; // what they are made of once there are bodies, which have triangles of their
                    // own: with what moves, but without bodies

    rl_host_ground host;
    rl_solid_box touched; // cells that have changed since the last version
    rl_ground_version log[RL_GROUND_LOG];
    int log_count;
} rl_world_ground;

// Copies def->solid, if there is one.
rill_status rl_world_ground_create(rill_world *world, const rill_world_def *def);
void rl_world_ground_destroy(rill_world *world);
size_t rl_world_ground_memory(const rill_world *world);

// Makes the changes that have come due at `time`, seconds, and moves what moves. Every change is
// made altogether or not at all; the first that cannot be made ends it. One that was waiting is
// dropped then, so that the world can go on.
rill_status rl_world_ground_advance(rill_world *world, double time);

// Makes a change now (world_ground_compose.c). On failure nothing has changed.
rill_status rl_world_ground_change(rill_world *world, const rl_ground_change *change);

// Makes `seen` from the fixed ground and what moves in it but for bodies.
rill_status rl_world_ground_compose_seen(rill_world *world);

// Adds a holder to what a shape or a mover holds; takes one away.
void rl_shape_hold(const rill_sdf_primitive *shape);
void rl_shape_drop(const rill_sdf_primitive *shape);
void rl_mover_hold(const rl_mover *mover);
void rl_mover_drop(const rl_mover *mover);

// Bands for `count` movers; false when there is no memory.
bool rl_ground_bands_create(const rill_allocator *allocator, int count, rl_ground_bands *bands);
void rl_ground_bands_destroy(const rill_allocator *allocator, int count, rl_ground_bands *bands);
size_t rl_ground_bands_bytes(int count, const rl_ground_bands *bands);

// What the public functions of this module have in common: RILL_BAD_ARGUMENT for a world without a
// solid, and shapes that cannot be kept.
rill_status rl_world_ground_check(const rill_world *world, const char *what);
rill_status rl_world_ground_check_owned(const rill_sdf_primitive *shape, const char *what);

// Whether bodies are part of the ground.
bool rl_world_ground_has_bodies(const rill_world *world);

// Returns the triangles of the field, as rill_world_ground_mesh does where the host has none.
rill_ground_mesh rl_world_ground_cubes(rill_world *world);

// ---- Triangles (world_ground_mesh.c) ---------------------------------------------------

// Notes that the ground has changed above these cells.
void rl_world_ground_touch(rl_world_ground *ground, rl_solid_box cells);

// Finds the cells in which the last version of the triangles, or the columns below them, differs
// from version `since`. Returns false where that is not known.
bool rl_world_ground_changed(const rill_world *world, uint64_t since, rl_solid_box *cells);

void rl_host_ground_destroy(const rill_allocator *allocator, rl_host_ground *host);
size_t rl_host_ground_memory(const rl_host_ground *host);

// ---- Movers (world_movers.c) -----------------------------------------------------------

// Puts a mover as `next` says, which must not be the mover itself; takes care of the triangles or
// the field that it holds. On failure nothing has changed (world_ground_compose.c).
rill_status rl_world_ground_replace(rill_world *world, rl_mover *mover, const rl_mover *next);

// The same for a mover that is a mesh, with its vertices at new places: three floats each, in the
// order in which they were given to rill_triangles_create.
rill_status rl_world_ground_bend(rill_world *world, rl_mover *mover, const rl_mover *next,
                                 const float *vertices, size_t count);

// Takes memory for `count` vertices in world->ground.bands.places, if there is not enough: in a
// world that has just been cloned there is none.
rill_status rl_world_ground_take_places(rill_world *world, size_t count);

// Takes the memory that a mover needs which has, or will have, a shape that is a mesh and bends,
// also while it becomes larger by the factor `growth`: for its places, too.
rill_status rl_world_ground_reserve_bending(rill_world *world, const rl_mover *mover,
                                            const rill_sdf_primitive *shape, double growth);

// Puts a mover somewhere; one that is there costs nothing.
rill_status rl_world_mover_place(rill_world *world, rl_mover *mover, const double position[3],
                                 const double rotation[4]);

// Moves all that have a path, and bends all that beat, as they are at `time`.
rill_status rl_world_movers_advance(rill_world *world, double time);

// ---- Bodies (world_body_solids.c) -----------------------------------------------------------

// The solid of body n, which blocks the liquid and has just been added to world->bodies; nothing
// for one that does not block or a solver without solids. On failure (too many columns above each
// other) nothing has changed.
rill_status rl_world_body_solid_add(rill_world *world, int n);

// Takes the solid of body n out of the ground, before or after the body itself is removed.
void rl_world_body_solid_remove(rill_world *world, int n);

// Puts the solids of all bodies where their poses have them, to a cell, and makes those of bodies
// that have just woken up. Where the ground cannot be cut the solid of a body stays behind until it
// can; the others move all the same. Returns what the last such body met with.
rill_status rl_world_body_solids_advance(rill_world *world);

// ---- Snapshots -------------------------------------------------------------------------

// Everything of the ground that a snapshot keeps. Empty for a world without a solid.
typedef struct rl_ground_copy {
    float *fixed, *whole;
    size_t field_bytes; // of each of them
    double bottom, steepest;
    rl_ground_plan plan;
} rl_ground_copy;

// False, with nothing kept, when there is no memory.
bool rl_ground_copy_create(const rill_world *world, rl_ground_copy *copy);
void rl_ground_copy_destroy(const rill_allocator *allocator, rl_ground_copy *copy);
size_t rl_ground_copy_bytes(const rill_world *world);
// Whether it was made for a world like this one.
bool rl_ground_copy_fits(const rill_world *world, const rl_ground_copy *copy);
void rl_world_ground_save(const rill_world *world, rl_ground_copy *copy);
rill_status rl_world_ground_restore(rill_world *world, const rl_ground_copy *copy);
