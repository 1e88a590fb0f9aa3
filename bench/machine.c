// SPDX-License-Identifier: MIT
// machine.c - names the machine that the figures are from.
#include "bench/machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bench_processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > 256 ? 256 : (int)online;
}

void bench_processor_name(char *name, int size)
{
    snprintf(name, (size_t)size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "model name", 10) != 0)
            continue;
        const char *colon = strchr(line, ':');
        if (colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, (size_t)size, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    fclose(file);
}
