// SPDX-License-Identifier: MIT
// jobs.h - work shared between threads. Work is cut into fixed tiles by the caller, never by the
// number of threads, so the result cannot depend on it.
#pragma once

#include "rill/base.h"

typedef struct rl_jobs rl_jobs;

// A pool of `workers` threads, the calling one included. With host->parallel_for no thread is made
// and the host's function is used.
rill_status rl_jobs_create(const rill_host *host, int workers, rl_jobs **out);
void rl_jobs_destroy(rl_jobs **jobs);

// Runs task(context, i) for each i in [0, count), in any order, and returns when all are done. One
// caller at a time. `jobs` may be NULL: then the calling thread does it all.
void rl_jobs_run(rl_jobs *jobs, int count, rill_task task, void *context);
