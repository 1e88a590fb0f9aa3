// SPDX-License-Identifier: MIT
// sea.h - a square of sea made of waves from a spectrum, at any time (Tessendorf 1999;
// rill/waves.h).
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"

#include "rill/waves.h"

typedef struct rill_sea rl_sea;

// Checks the definition and creates the square at time 0.
rill_status rl_sea_create(const rill_sea_def *def, const rill_allocator *allocator, rl_sea **out);
// Does the same with a given instruction set.
rill_status rl_sea_create_with(const rill_sea_def *def, rl_isa isa, const rill_allocator *allocator,
                               rl_sea **out);
void rl_sea_destroy(rl_sea **sea);
size_t rl_sea_memory(const rl_sea *sea);

// Brings the square to `time`; a time that is not finite changes nothing.
void rl_sea_update(rl_sea *sea, rl_jobs *jobs, double time);
// Does the same for the heights alone, in a third of the time: shifts and slopes are not valid
// after it.
void rl_sea_update_heights(rl_sea *sea, rl_jobs *jobs, double time);
rill_sea_view rl_sea_view(const rl_sea *sea);

// Returns the imaginary parts of the heights, which would be zero but for rounding; tests read
// them.
const float *rl_sea_residue(const rl_sea *sea);
