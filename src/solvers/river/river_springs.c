// SPDX-License-Identifier: MIT
// river_springs.c - water that comes out of the ground along a river that rises in the terrain, in
// place of what runs off its catchment: every wet cell with a spring lets out more than flows in.
// What the springs give together is as much as the asked mean speed needs.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define ANSWER_TIME 30.0 // seconds in which the springs come to what the river needs
#define LEAST_FLOW  0.05 // of the asked speed
#define MOST_FLOW   20.0

// ---- Creation --------------------------------------------------------------------------

rill_status rl_river_springs_create(rl_river *r)
{
    const size_t cells = (size_t)r->nx * (size_t)r->ny;
    r->spring_flow = 0.0;
    if (r->path->spring_count == 0)
        return RILL_OK;
    r->springs = rl_owned_take(&r->own, r->path->spring_count, sizeof *r->springs);
    r->reached = rl_owned_take(&r->own, cells, sizeof *r->reached);
    r->reach_list = rl_owned_take(&r->own, cells, sizeof *r->reach_list);
    if (r->own.failed)
        return rill_fail(RILL_NO_MEMORY, "no memory for the springs of a river");
    r->spring_count = (int)r->path->spring_count;
    r->spring_flow = (double)r->def.speed;
    memcpy(r->springs, r->path->springs, r->path->spring_count * sizeof *r->springs);
    return RILL_OK;
}

// ---- Which of them flow ----------------------------------------------------------------

static size_t reach(rl_river *r, int i, int j, size_t count)
{
    const size_t cell = (size_t)j * (size_t)r->nx + (size_t)i;
    if (!rl_river_is_wet(r, i, j) || r->reached[cell])
        return count;
    r->reached[cell] = 1;
    r->reach_list[count] = (uint32_t)cell;
    return count + 1;
}

// Reaches all water that has a way to the border, or to where it leaves without one.
static void reach_outlets(rl_river *r)
{
    size_t count = 0;
    memset(r->reached, 0, (size_t)r->nx * (size_t)r->ny);
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        for (int k = 0; k < rl_side_length((rill_side)side, r->nx, r->ny); k++) {
            int i, j;
            rl_side_cell((rill_side)side, r->nx, r->ny, k, 0, &i, &j);
            count = reach(r, i, j, count);
        }
    for (int n = 0; n < r->spring_count; n++)
        if (r->path->springs[n].amount < 0.0f)
            count = reach(r, (int)(r->springs[n].cell % (uint32_t)r->nx),
                          (int)(r->springs[n].cell / (uint32_t)r->nx), count);
    for (size_t n = 0; n < count; n++) {
        const int i = (int)(r->reach_list[n] % (uint32_t)r->nx);
        const int j = (int)(r->reach_list[n] / (uint32_t)r->nx);
        for (int k = 0; k < 4; k++)
            count = reach(r, i + (k == 0) - (k == 1), j + (k == 2) - (k == 3), count);
    }
}

// What leaves without a border leaves by several cells, each as much of it as the path says.
static float part_of_outlets(const rl_river *r, int n)
{
    double all = 0.0;
    for (int k = 0; k < r->spring_count; k++)
        all += fmin((double)r->path->springs[k].amount, 0.0);
    return (float)((double)r->path->springs[n].amount / all);
}

// Behind a gate that is closed springs stand still, for their water could go nowhere. What leaves
// without a border is what the springs give.
void rl_river_springs_rebuild(rl_river *r)
{
    if (r->spring_count == 0)
        return;
    reach_outlets(r);
    double sum = 0.0;
    for (int n = 0; n < r->spring_count; n++) {
        rl_river_spring *spring = &r->springs[n];
        const float amount = r->path->springs[n].amount;
        spring->amount = amount > 0.0f && r->reached[spring->cell] ? amount : 0.0f;
        sum += (double)spring->amount;
    }
    for (int n = 0; n < r->spring_count; n++)
        if (r->path->springs[n].amount < 0.0f && r->reached[r->springs[n].cell])
            r->springs[n].amount = (float)-sum * part_of_outlets(r, n);
}

// ---- Flow ------------------------------------------------------------------------------

// Adds to what flows into the cells that the solver works on, in units of level 0.
void rl_river_springs_add(rl_river *r)
{
    for (int n = 0; n < r->spring_count; n++) {
        const rl_river_spring *spring = &r->springs[n];
        const int i = (int)(spring->cell % (uint32_t)r->nx);
        const int j = (int)(spring->cell / (uint32_t)r->nx);
        const int k = rl_river_level_at(r, 0, i, j);
        const int at = rl_river_packed_at(&r->levels[k].squares, i >> k, j >> k);
        if (at >= 0 && spring->amount != 0.0f)
            r->levels[k].squares.r[at] += (float)(r->spring_flow * (double)spring->amount);
    }
}

// Where the river is too slow springs give more; where it is too fast, rl_river_scale has them give
// less along with all velocities.
void rl_river_springs_follow(rl_river *r, double dt)
{
    RL_ASSERT(dt > 0.0);
    const double speed = (double)r->def.speed;
    if (r->spring_count == 0 || !(r->mean_speed < speed))
        return;
    r->spring_flow *= 1.0 + dt / (ANSWER_TIME + dt) * (1.0 - r->mean_speed / speed);
    r->spring_flow = fmin(fmax(r->spring_flow, LEAST_FLOW * speed), MOST_FLOW * speed);
}
