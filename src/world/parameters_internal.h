// SPDX-License-Identifier: MIT
// parameters_internal.h - the table of parameters inside the library: its rows, and what the
// definitions of worlds, bodies and emitters take from it.
#pragma once

#include "rill/parameters.h"

// (parameters_table.c)
extern const rill_parameter rl_parameter_rows[];
extern const int rl_parameter_count;

// Sets all fields of a definition that are parameters to their defaults, and leaves the others.
void rl_parameters_fill(rill_definition definition, void *def);

// The first field that is out of its range is an error that names it.
rill_status rl_parameters_check(rill_definition definition, const void *def);
