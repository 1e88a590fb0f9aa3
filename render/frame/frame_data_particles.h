// SPDX-License-Identifier: MIT
// frame_data_particles.h - the part of a still that is not in the water's mesh: spray, splash and
// foam.
#pragma once

#include "render/frame/frame_data.h"

// Copies the particles of the time that the still has, those of one kind behind each other.
// Particles of an unknown kind, without a radius or not anywhere (NaN) are left out.
rill_status still_set_particles(still *s, const rill_particles *from);

// The first particle of a kind in `particles`.
size_t still_first_particle(const still *s, rill_particle_kind kind);
