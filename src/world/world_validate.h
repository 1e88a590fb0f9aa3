// SPDX-License-Identifier: MIT
// world_validate.h - a hook for tests, which call it between steps.
#pragma once

#include "rill/world.h"

// NULL when all that must hold between steps of a world does, else a sentence about what does not,
// which holds until the next error of the thread (world_ledger.c).
const char *rl_world_validate(rill_world *world);
