// SPDX-License-Identifier: MIT
// particle_model.h - a still with particles made by hand: a river falls over a cliff as a curtain
// of splashes into a pool with waves, spray stands around its foot, foam drifts away, and something
// has just dropped into the pool.
#pragma once

#include "tests/render/models/picture_models.h"

rill_view picture_model_fall(frame_data *s);

// From near, in the flood and against the sun.
rill_view picture_model_flood(frame_data *s);

// The land and its water without a particle.
rill_view picture_model_quiet_fall(frame_data *s);

// The same water in `times` as many particles.
rill_view particle_model_dense(frame_data *s, int times);
