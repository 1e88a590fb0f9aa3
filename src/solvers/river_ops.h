// SPDX-License-Identifier: MIT
// river_ops.h - what a river can do besides what every solver can (rill/river.h). A table like
// rl_solver_ops, because nobody outside its module sees the river solver itself.
#pragma once

#include "core/jobs.h"
#include "core/quadtree.h"

#include "rill/river.h"

typedef struct rl_river_ops {
    // Finds hints and columns and lets the flow come through once (004 section 3.5); to be called
    // once after `create`, unless the state was brought back from a cache.
    rill_status (*bootstrap)(void *self, rl_jobs *jobs);
    // The state was brought back from a cache that kept it after `seconds` of bootstrapping.
    void (*came_from_cache)(void *self, double seconds);
    // A number that stands for ground, surface and definition: of the cache.
    uint64_t (*key)(const void *self);

    rill_river_state (*look)(void *self, rl_jobs *jobs);
    const rill_river_path *(*path)(const void *self);
    void (*set_viewer)(void *self, const double viewer[3]); // metres
    // Closes or opens cells (rill_world_close_river); true when one has changed.
    bool (*close)(void *self, double x, double y, double radius, bool closed);
    const rl_quadtree *(*detail)(const void *self); // NULL: everything is fine
    double (*add_dye)(void *self, double x, double y, double radius, double amount); // really added
    rill_field_view (*dye)(const void *self);
    double (*dye_amount)(void *self);
} rl_river_ops;
