// SPDX-License-Identifier: MIT
// generate_internal.h - generates a terrain from a seed: noise for the lie of the land, then
// running water.
#pragma once

#include "rill/generate.h"
#include "rill/support.h"

// Returns RILL_BAD_DEF with a message when a field is out of range.
rill_status rl_generate_check(const rill_heightfield_generate_def *def);

// Fills `elevation`, a field of def->nx x def->ny cells without margin. `def` must have passed the
// check. Takes about 40 bytes of scratch a cell, of a grid that is up to a quarter wider and
// longer.
rill_status rl_generate(const rill_heightfield_generate_def *def, const rill_allocator *allocator,
                        rill_field *elevation);
