// SPDX-License-Identifier: MIT
// roofline.c - measures the memory bandwidth of the machine.
#include "bench/bench_cases.h"

#include "bench/machine.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS   ((size_t)4096 * 4096)
#define REPEATS 7

typedef struct part {
    const float *restrict fixed;
    float *restrict a, *restrict b, *restrict c;
    size_t begin, end;
    pthread_barrier_t *barrier;
} part;

static void update(const part *p)
{
    const float *restrict fixed = p->fixed;
    float *restrict a = p->a, *restrict b = p->b, *restrict c = p->c;
    for (size_t i = p->begin; i < p->end; i++) {
        const float sum = fixed[i] + a[i];
        a[i] = a[i] * 0.5f + 1.0f;
        b[i] = b[i] + sum;
        c[i] = c[i] - sum;
    }
}

// Both barriers of a repeat: all threads start together and the clock stops when the last is done.
static void *work(void *argument)
{
    const part *p = argument;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        pthread_barrier_wait(p->barrier);
        update(p);
        pthread_barrier_wait(p->barrier);
    }
    return NULL;
}

static double measure(part *parts, int threads, pthread_barrier_t *barrier)
{
    pthread_t ids[256];
    int started = 0;
    for (int n = 1; n < threads; n++)
        if (pthread_create(&ids[started], NULL, work, &parts[n]) == 0)
            started++;
    if (started < threads - 1) {
        fprintf(stderr, "rill: the system refused to start %d threads\n", threads);
        exit(1); // those that did start wait at a barrier that can never open
    }
    double best = 1e30;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        pthread_barrier_wait(barrier);
        const double start = bench_now();
        update(&parts[0]);
        pthread_barrier_wait(barrier);
        const double seconds = bench_now() - start;
        best = seconds < best ? seconds : best;
    }
    for (int n = 0; n < started; n++)
        pthread_join(ids[n], NULL);
    return (double)CELLS / best / 1e6;
}

double bench_roofline(int threads)
{
    float *arrays[4];
    double result = 0.0;
    bool enough = true;
    for (int n = 0; n < 4; n++) {
        arrays[n] = malloc(CELLS * sizeof(float));
        enough = enough && arrays[n] != NULL;
    }
    part *parts = calloc((size_t)threads, sizeof *parts);
    pthread_barrier_t barrier;
    if (enough && parts != NULL && pthread_barrier_init(&barrier, NULL, (unsigned)threads) == 0) {
        for (int n = 0; n < 4; n++)
            for (size_t i = 0; i < CELLS; i++)
                arrays[n][i] = (float)(i & 7);
        for (int n = 0; n < threads; n++)
            parts[n] = (part){arrays[0],
                              arrays[1],
                              arrays[2],
                              arrays[3],
                              CELLS / (size_t)threads * (size_t)n,
                              n + 1 == threads ? CELLS : CELLS / (size_t)threads * (size_t)(n + 1),
                              &barrier};
        result = measure(parts, threads, &barrier);
        pthread_barrier_destroy(&barrier);
    }
    free(parts);
    for (int n = 0; n < 4; n++)
        free(arrays[n]);
    return result;
}
