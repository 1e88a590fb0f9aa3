// SPDX-License-Identifier: MIT
// drawn_columns.c - columns as they are drawn. Where a body presses the water down or stands in it,
// columns end far below the water around, and a picture of them would bend down to the body from
// half a cell outside of it (Kellomäki section 4.4 and Fig. 7). So the water goes on through the
// body at the level that head.c fills in, hidden by the body itself. A body that just goes under
// does not flicker: the level that was filled in is that of the water which then runs over it.
#include "bodies/sampling/head.h"

#include <string.h>

#define ROWS_PER_TASK 32

typedef struct show_task {
    rl_bodies *bodies;
    const rill_columns *truth;
} show_task;

static void copy_rows(void *context, int index)
{
    const show_task *task = context;
    const rill_columns *truth = task->truth;
    const size_t bytes = (size_t)truth->nx * sizeof(float);
    const int end = (index + 1) * ROWS_PER_TASK;
    for (int j = index * ROWS_PER_TASK; j < end && j < truth->ny; j++) {
        const size_t from = (size_t)j * truth->pitch;
        memcpy(rill_field_row(&task->bodies->show_base, j), truth->base + from, bytes);
        memcpy(rill_field_row(&task->bodies->show_depth, j), truth->depth + from, bytes);
    }
}

rill_columns rl_bodies_show(rl_bodies *bodies, rl_jobs *jobs, const rill_columns *truth)
{
    if (!bodies->can_block || !bodies->has_blocks)
        return *truth;
    RL_ASSERT(truth->nx == bodies->nx && truth->ny == bodies->ny && truth->layers <= 1);
    const show_task task = {bodies, truth};
    rl_jobs_run(jobs, (truth->ny + ROWS_PER_TASK - 1) / ROWS_PER_TASK, copy_rows, (void *)&task);
    const rl_head_fill fill = {bodies, rl_raster_of(bodies), &bodies->blocks, truth, true};
    rl_head_levels(&fill, jobs);
    rill_columns shown = *truth;
    shown.base = bodies->show_base.origin;
    shown.depth = bodies->show_depth.origin;
    shown.pitch = bodies->show_base.pitch;
    return shown;
}
