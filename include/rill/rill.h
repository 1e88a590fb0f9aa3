// SPDX-License-Identifier: MIT
// rill.h - all of Rill.
#pragma once

#include "rill/base.h"
#include "rill/bodies.h"
#include "rill/columns.h"
#include "rill/export.h"
#include "rill/parameters.h"
#include "rill/particles.h"
#include "rill/river.h"
#include "rill/scene.h"
#include "rill/solid.h"
#include "rill/sources.h"
#include "rill/surface.h"
#include "rill/terrain.h"
#include "rill/view.h"
#include "rill/waves.h"
#include "rill/world.h"
