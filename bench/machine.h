// SPDX-License-Identifier: MIT
// machine.h - the machine that a figure was measured on.
#pragma once

// Seconds that never go back.
double bench_now(void);

// Processors online.
int bench_processors(void);

// The processor's own name, or "unknown processor".
void bench_processor_name(char *name, int size);
