// SPDX-License-Identifier: MIT
// instruction_sets.h - the same test on every instruction set that this processor has, and on
// several threads: what it computes must be the same to the last bit.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "tests/kit/kit.h"

// The instruction set that the library takes: the best one, or what RILL_ISA asks for.
rl_isa best_isa(void);
// The best one of this processor, whatever RILL_ISA asks for.
rl_isa widest_isa(void);

// Every instruction set of this processor, plain C first. RL_ROWS_OF(isa, rl_swe_rows) is the table
// of row loops of one.
#define FOR_EACH_ISA(isa)                                                         \
    for (rl_isa isa = RL_ISA_PLAIN, last_##isa = widest_isa(); isa <= last_##isa; \
         isa = (rl_isa)(isa + 1))

rl_jobs *make_jobs(int workers);

// A run of something with an instruction set on some threads; returns a hash of what it computed.
typedef uint64_t (*isa_run)(rl_isa isa, rl_jobs *jobs, const void *context);

// The run gives the same hash in plain C on one thread and with every instruction set on one, two
// and three threads.
void assert_same_on_every_isa(isa_run run, const void *context);
// The same with every instruction set on two threads, and only the plainest and the widest one on
// three: for long runs.
void assert_same_on_some_isas(isa_run run, const void *context);
