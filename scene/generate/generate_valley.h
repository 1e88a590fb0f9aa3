// SPDX-License-Identifier: MIT
// generate_valley.h - generates a river valley from a seed.
#pragma once

#include "rill/generate.h"
#include "rill/support.h"

// Returns RILL_BAD_DEF with a message when a field is out of range.
rill_status rl_valley_check(const rill_valley_def *def);

// Fills `elevation`, a field of def->nx x def->ny cells without margin. `def` must have passed the
// check. Memory and time besides those of the cells do not depend on their number.
rill_status rl_valley(const rill_valley_def *def, const rill_allocator *allocator,
                      rill_field *elevation);
