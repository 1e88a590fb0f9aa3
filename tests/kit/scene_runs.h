// SPDX-License-Identifier: MIT
// scene_runs.h - built-in scenes from their first frame to their last.
#pragma once

#include "tests/kit/backends.h"

#include "rill/scene.h"

// What a test asks of a scene while it runs; each may be NULL.
typedef struct scene_checks {
    void (*begin)(rill_world *world, const rill_scene_info *info, void *context);
    void (*step)(rill_world *world, const char *name, void *context);  // after every step
    void (*tenth)(rill_world *world, const char *name, void *context); // after every tenth
} scene_checks;

// Plays `part` of a scene: its ledger closes, its columns and particles are numbers, the checks
// hold, and one thread and two give the same bits. A build with sanitizers, ten times slower, runs
// its first part only.
void run_scene(const char *name, double part, const scene_checks *checks, void *context);

// A scene on the CPU and on the other back end; `info` describes it.
pair pair_of_scene(const char *name, rill_scene_info *info);
