// SPDX-License-Identifier: MIT
// world_meniscus.c - the public side of the meniscus.
#include "surface/surface_internal.h"

void rill_meniscus_normal(const float normal[3], const rill_meniscus *meniscus,
                          const float to_eye[3], float out[3])
{
    if (normal != NULL && meniscus != NULL && out != NULL)
        rl_meniscus_normal(normal, meniscus, to_eye, out);
}
