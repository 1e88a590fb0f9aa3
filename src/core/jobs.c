// SPDX-License-Identifier: MIT
// jobs.c - a pool of threads. Each thread has a part of the indices of a run, the same part in
// every run, so that what it worked on in one is in its cache in the next. It takes them one by one
// from a ticket, whose upper half counts runs and whose lower half is the next index. A thread that
// has finished its own part takes indices from the other parts, so a slow core takes fewer, and a
// worker that wakes up late finds nothing left and delays no run. Workers wait for the next run,
// first spinning, since the next sweep of a step comes within microseconds, then asleep.
#include "core/jobs.h"

#include "core/assert.h"

#include "rill/support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define MAX_WORKERS 256
#define SPINS       20000 // some tens of microseconds

// A thread's part of a run, alone in its lines of the cache.
typedef struct part {
    _Alignas(RILL_ALIGNMENT) atomic_ullong ticket;
} part;

struct rl_jobs {
    rill_host host;
    int started; // threads to join
    pthread_t threads[MAX_WORKERS];

    pthread_mutex_t mutex;
    pthread_cond_t wake;
    int sleepers;       // under the mutex
    atomic_uint run;    // the latest
    atomic_uint joined; // workers that have a number
    atomic_bool stopping;
    part parts[MAX_WORKERS + 1];

    // Written before a run is published; a thread that holds an index of that run may read them.
    rill_task task;
    void *context;
    atomic_int count;
    atomic_int unfinished; // indices of the current run
};

#define NO_INDEX         0x7fffffffu
#define RUN_OF(ticket)   ((unsigned)((ticket) >> 32))
#define INDEX_OF(ticket) ((int)((ticket)&NO_INDEX))

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int part_begin(const rl_jobs *jobs, int count, int n)
{
    return (int)((int64_t)count * n / (jobs->started + 1));
}

// Takes indices of a part in run number `run` until none is left or another run has begun.
static void take_part(rl_jobs *jobs, unsigned run, int n)
{
    atomic_ullong *place = &jobs->parts[n].ticket;
    unsigned long long ticket = atomic_load_explicit(place, memory_order_acquire);
    // If another run has begun since, this is the end of its part, but no ticket is valid any more.
    const int end =
        part_begin(jobs, atomic_load_explicit(&jobs->count, memory_order_acquire), n + 1);
    while (RUN_OF(ticket) == run && INDEX_OF(ticket) < end) {
        if (!atomic_compare_exchange_weak_explicit(place, &ticket, ticket + 1, memory_order_acquire,
                                                   memory_order_acquire))
            continue;
        jobs->task(jobs->context, INDEX_OF(ticket));
        atomic_fetch_sub_explicit(&jobs->unfinished, 1, memory_order_release);
        ticket = atomic_load_explicit(place, memory_order_acquire);
    }
}

// Its own part first.
static void take_indices(rl_jobs *jobs, unsigned run, int thread)
{
    for (int n = 0; n <= jobs->started; n++)
        take_part(jobs, run, (thread + n) % (jobs->started + 1));
}

static unsigned current_run(rl_jobs *jobs)
{
    return atomic_load_explicit(&jobs->run, memory_order_acquire);
}

static unsigned wait_for_run_after(rl_jobs *jobs, unsigned seen)
{
    for (int spin = 0; spin < SPINS; spin++) {
        if (current_run(jobs) != seen)
            return current_run(jobs);
        pause_briefly();
    }
    pthread_mutex_lock(&jobs->mutex);
    jobs->sleepers++;
    while (current_run(jobs) == seen)
        pthread_cond_wait(&jobs->wake, &jobs->mutex);
    jobs->sleepers--;
    pthread_mutex_unlock(&jobs->mutex);
    return current_run(jobs);
}

static void *work(void *argument)
{
    rl_jobs *jobs = argument;
    const int thread = 1 + (int)atomic_fetch_add_explicit(&jobs->joined, 1, memory_order_relaxed);
    RL_ASSERT(thread <= MAX_WORKERS);
    unsigned run = 0;
    while (!atomic_load_explicit(&jobs->stopping, memory_order_acquire)) {
        run = wait_for_run_after(jobs, run);
        take_indices(jobs, run, thread);
    }
    return NULL;
}

// Closes the last run for good. A worker that still reads it may compare its index with the count
// of the next run; the ticket it then holds must not be valid any more.
static void end_run(rl_jobs *jobs)
{
    RL_ASSERT(atomic_load_explicit(&jobs->unfinished, memory_order_acquire) == 0);
    const unsigned long long run = current_run(jobs);
    for (int n = 0; n <= jobs->started; n++)
        atomic_store_explicit(&jobs->parts[n].ticket, run << 32 | NO_INDEX, memory_order_release);
}

// The mutex is taken so that no worker can fall asleep between its last read and the signal.
static unsigned begin_run(rl_jobs *jobs, int count)
{
    RL_ASSERT(count >= 0 && (unsigned)count < NO_INDEX);
    pthread_mutex_lock(&jobs->mutex);
    const unsigned run = current_run(jobs) + 1;
    for (int n = 0; n <= jobs->started; n++)
        atomic_store_explicit(&jobs->parts[n].ticket,
                              (unsigned long long)run << 32 | (unsigned)part_begin(jobs, count, n),
                              memory_order_release);
    atomic_store_explicit(&jobs->run, run, memory_order_release);
    if (jobs->sleepers > 0)
        pthread_cond_broadcast(&jobs->wake);
    pthread_mutex_unlock(&jobs->mutex);
    return run;
}

void rl_jobs_run(rl_jobs *jobs, int count, rill_task task, void *context)
{
    RL_ASSERT(count >= 0 && task != NULL);
    if (jobs != NULL && jobs->host.parallel_for != NULL) {
        jobs->host.parallel_for(jobs->host.parallel_user, count, task, context);
        return;
    }
    if (jobs == NULL || jobs->started == 0 || count < 2) {
        for (int i = 0; i < count; i++)
            task(context, i);
        return;
    }
    end_run(jobs);
    jobs->task = task;
    jobs->context = context;
    atomic_store_explicit(&jobs->count, count, memory_order_release);
    atomic_store_explicit(&jobs->unfinished, count, memory_order_relaxed);
    take_indices(jobs, begin_run(jobs, count), 0);
    for (int spin = 0; atomic_load_explicit(&jobs->unfinished, memory_order_acquire) > 0; spin++) {
        // On a crowded machine a worker may have lost its core: let it have this one.
        if (spin > SPINS)
            sched_yield();
        else
            pause_briefly();
    }
}

rill_status rl_jobs_create(const rill_host *host, int workers, rl_jobs **out)
{
    *out = NULL;
    if (workers < 1 || workers > MAX_WORKERS)
        return rill_fail(RILL_BAD_DEF, "worker_count is %d, it must be between 1 and %d", workers,
                         MAX_WORKERS);
    const rill_allocator *allocator = host != NULL ? &host->allocator : NULL;
    rl_jobs *jobs = rill_alloc(allocator, sizeof *jobs);
    if (jobs == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the thread pool");
    if (host != NULL)
        jobs->host = *host;
    pthread_mutex_init(&jobs->mutex, NULL);
    pthread_cond_init(&jobs->wake, NULL);
    for (int i = 1; i < workers && jobs->host.parallel_for == NULL; i++) {
        if (pthread_create(&jobs->threads[jobs->started], NULL, work, jobs) != 0) {
            rl_jobs_destroy(&jobs);
            return rill_fail(RILL_NO_MEMORY, "the system refused to start thread %d of %d", i + 1,
                             workers);
        }
        jobs->started++;
    }
    *out = jobs;
    return RILL_OK;
}

void rl_jobs_destroy(rl_jobs **jobs)
{
    rl_jobs *j = *jobs;
    if (j == NULL)
        return;
    atomic_store_explicit(&j->stopping, true, memory_order_release);
    end_run(j);
    atomic_store_explicit(&j->count, 0, memory_order_release);
    begin_run(j, 0);
    for (int i = 0; i < j->started; i++)
        pthread_join(j->threads[i], NULL);
    pthread_cond_destroy(&j->wake);
    pthread_mutex_destroy(&j->mutex);
    const rill_allocator allocator = j->host.allocator;
    rill_free(&allocator, j, sizeof *j);
    *jobs = NULL;
}
