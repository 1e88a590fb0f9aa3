// SPDX-License-Identifier: MIT
// jobs.h - divides work between threads. The caller cuts the work into fixed tiles, never by the
// number of threads, so the result cannot depend on it.
#pragma once

#include "rill/base.h"

typedef struct rl_jobs rl_jobs;

// Creates a pool of `workers` threads, the calling one included. With host->parallel_for no thread
// is made and the host's function is used.
rill_status rl_jobs_create(const rill_host *host, int workers, rl_jobs **out);
void rl_jobs_destroy(rl_jobs **jobs);

// Runs task(context, i) for each i in [0, count), in any order, and returns when all are done. Only
// one thread may call it at a time. With `jobs` NULL the calling thread does all of it.
void rl_jobs_run(rl_jobs *jobs, int count, rill_task task, void *context);
