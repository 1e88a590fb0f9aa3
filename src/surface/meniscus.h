// SPDX-License-Identifier: MIT
// meniscus.h - what capillarity does at each vertex (000 section 5.1).
#pragma once

#include "surface/lattice.h"

// Fills s->meniscus for the mesh that was built.
void rl_surface_find_meniscus(rl_surface *s, rl_surface_runner runner);
