// SPDX-License-Identifier: MIT
// rill.h - all of Rill: the engine (librill), and the scene library on it (librill_scene), which is
// export.h, files.h, generate.h, scene.h and view.h.
#pragma once

#include "rill/base.h"
#include "rill/bodies.h"
#include "rill/columns.h"
#include "rill/export.h"
#include "rill/files.h"
#include "rill/generate.h"
#include "rill/parameters.h"
#include "rill/particles.h"
#include "rill/river.h"
#include "rill/scene.h"
#include "rill/solid.h"
#include "rill/sources.h"
#include "rill/support.h"
#include "rill/surface.h"
#include "rill/terrain.h"
#include "rill/view.h"
#include "rill/waves.h"
#include "rill/world.h"
