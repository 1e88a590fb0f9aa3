// SPDX-License-Identifier: MIT
// machine.h - names the machine that a figure was measured on, and its clock.
#pragma once

// Returns seconds that never go back.
double bench_now(void);

// Returns the processors online.
int bench_processors(void);

// Returns the processor's own name, or "unknown processor".
void bench_processor_name(char *name, int size);
