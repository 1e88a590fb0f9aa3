// SPDX-License-Identifier: MIT
// world_full_terrain.c - what the full terrain of a moving domain has: ground, depths and
// velocities at the cells of the grid, wherever that lies, and what lies beyond its sides. A full
// terrain that repeats has no end along x; each time round, ground and levels lie lower by its
// fall.
#include "world/world_internal.h"

#include "core/numbers.h"

// A cell of the full terrain.
typedef struct full_cell {
    int i, j;
    int turns; // repetitions before this one
} full_cell;

static int floor_of_quotient(int a, int b)
{
    RL_ASSERT(b > 0);
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

// The cell of the full terrain that lies at cell (i, j) of the grid, which may lie beyond the grid.
// Beyond the terrain: the cell at its end.
static full_cell full_cell_at(const rill_world *w, int i, int j)
{
    const rill_field_view full = rill_heightfield_view(w->def.domain.full_terrain);
    int x = i + w->core.domain_i, y = j + w->core.domain_j, turns = 0;
    if (w->def.domain.repeats) {
        turns = floor_of_quotient(x, full.nx);
        x -= turns * full.nx;
    }
    x = x < 0 ? 0 : x < full.nx ? x : full.nx - 1;
    y = y < 0 ? 0 : y < full.ny ? y : full.ny - 1;
    return (full_cell){x, y, turns};
}

static float value_at(const rill_heightfield *values, full_cell cell)
{
    if (values == NULL)
        return 0.0f;
    const rill_field_view view = rill_heightfield_view(values);
    return view.data[(size_t)cell.j * view.pitch + (size_t)cell.i];
}

// Sunk by the fall of the repetitions before. The sum is made in double, so that only its result is
// rounded.
static float sunk(const rill_world *w, float elevation, full_cell cell)
{
    return (float)((double)elevation - cell.turns * (double)w->def.domain.fall);
}

float rl_world_full_bed(const rill_world *w, int i, int j)
{
    const full_cell cell = full_cell_at(w, i, j);
    return sunk(w, value_at(w->def.domain.full_terrain, cell), cell);
}

float rl_world_full_depth(const rill_world *w, int i, int j, float bed)
{
    const full_cell cell = full_cell_at(w, i, j);
    const float depth = value_at(w->def.domain.water, cell);
    const float to_level = w->def.use_level ? sunk(w, w->def.level, cell) - bed : 0.0f;
    return to_level > depth ? to_level : depth > 0.0f ? depth : 0.0f;
}

float rl_world_full_velocity(const rill_world *w, int axis, int i, int j)
{
    RL_ASSERT(axis == 0 || axis == 1);
    const rill_moving_domain_def *domain = &w->def.domain;
    return value_at(axis == 0 ? domain->velocity_x : domain->velocity_y, full_cell_at(w, i, j));
}

double rl_world_full_period(const rill_world *w)
{
    const rill_moving_domain_def *domain = &w->def.domain;
    if (domain->full_terrain == NULL || !domain->repeats)
        return 0.0;
    return rill_heightfield_view(domain->full_terrain).nx * (double)w->def.cell_size;
}

// ---- Beyond the sides ------------------------------------------------------------------

// The discharge of a face is that of the water upstream of it, and most of what differs between the
// two cells is how deep they are: so this much more or less of it comes in.
#define MOST_DEEPER 4.0f

// Water beyond place n of a side, as the border cell has it: its depth, and the velocity inwards
// that gives the discharge of the face between it and the cell beyond.
static void find_beyond(const rill_world *w, rill_side side, int n, float *depth, float *velocity)
{
    const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
    const bool low = side == RILL_SIDE_WEST || side == RILL_SIDE_SOUTH;
    const int axis = column ? 0 : 1, out = low ? -1 : 1;
    const int last = column ? w->def.nx - 1 : w->def.ny - 1;
    const int i = column ? (low ? 0 : last) : n, j = column ? n : low ? 0 : last;
    const int x = column ? i + out : i, y = column ? j : j + out;
    const float sum = rl_world_full_velocity(w, axis, i, j) + rl_world_full_velocity(w, axis, x, y);
    const float inwards = low ? 0.5f * sum : -0.5f * sum;
    const float beyond = rl_world_full_depth(w, x, y, rl_world_full_bed(w, x, y));
    *depth = rl_world_full_depth(w, i, j, rl_world_full_bed(w, i, j));
    *velocity = inwards;
    if (inwards > 0.0f && *depth > 0.0f) {
        const float deeper = beyond / *depth;
        *velocity = inwards * (deeper < MOST_DEEPER ? deeper : MOST_DEEPER);
    }
}

bool rl_world_side_follows(const rill_world *w, rill_side side)
{
    return w->def.domain.full_terrain != NULL && w->def.domain.water != NULL &&
           rill_border_about(w->core.border[side]).incident;
}

void rl_world_set_profile(rill_world *w, rill_side side)
{
    RL_ASSERT(rl_world_side_follows(w, side));
    const int count = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST ? w->def.ny : w->def.nx;
    float *depth = w->domain_along, *velocity = depth + count;
    for (int n = 0; n < count; n++)
        find_beyond(w, side, n, &depth[n], &velocity[n]);
    w->ops->incident->set_profile(w->solver, side, depth, velocity);
}

void rl_world_set_profiles(rill_world *w)
{
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        if (rl_world_side_follows(w, (rill_side)side))
            rl_world_set_profile(w, (rill_side)side);
}
