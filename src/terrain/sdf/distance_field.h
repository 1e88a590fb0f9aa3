// SPDX-License-Identifier: MIT
// distance_field.h - distances at the nodes of a box of any orientation, trilinear in between. The
// public functions of rill/solid.h stand on this; files are read in scene/formats (field_read.h).
#pragma once

#include "core/owned.h"

#include "rill/solid.h"
#include "rill/support.h"

#include <stdatomic.h>

// Distances at neighbouring nodes differ by no more than the way between them. Along a straight
// line that has a part of all three axes they may change by this much more than the way, sqrt(3).
#define RL_FIELD_STEEPEST 1.7320508075688773

struct rill_distance_field {
    rl_owned own;
    atomic_int holders; // its maker, and worlds and snapshots that need it
    rill_distance_field_info info;
    float *distances; // nx ny nz of them, x fastest
    double length[3]; // of the box along its axes, metres
    double outside;   // how far the solid reaches out of the box at most, metres
};

// Returns the distance at a point in the field's own coordinates, metres, negative inside.
double rl_distance_field_at(const rill_distance_field *field, const double point[3]);

// Computes middle and half size of a box along the field's own coordinates that holds all that is
// inside.
void rl_distance_field_box(const rill_distance_field *field, double middle[3], double half[3]);

// Adds a holder; returns its argument. Threads: as rl_triangles_retain.
const rill_distance_field *rl_distance_field_retain(const rill_distance_field *field);
