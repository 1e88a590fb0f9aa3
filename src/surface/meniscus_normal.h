// SPDX-License-Identifier: MIT
// meniscus_normal.h - the normal of a surface that capillarity bends (000 sections 5.2 and 5.3).
#pragma once

#include "rill/surface.h"

// rill_meniscus_normal(); `out` may be `normal`.
void rl_meniscus_normal(const float normal[3], const rill_meniscus *meniscus, const float to_eye[3],
                        float out[3]);
