// SPDX-License-Identifier: MIT
// frame_data_particles.h - the part of the frame data that is not in the water's mesh: spray,
// splash and foam.
#pragma once

#include "render/frame/frame_data.h"

// Copies the particles at the time of the frame data, sorted by kind. Particles of an unknown kind,
// without a radius or without a position (NaN) are left out.
rill_status frame_set_particles(frame_data *s, const rill_particles *from);

// Returns the index of the first particle of a kind in `particles`.
size_t frame_first_particle(const frame_data *s, rill_particle_kind kind);
