// SPDX-License-Identifier: MIT
// world_borders.c - what lies beyond the four sides as time goes by: kinds that change, levels and
// discharges that follow a series, swells; and walls between cells.
#include "world/world_internal.h"

#include "core/numbers.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 1000000

static void free_series(rill_world *w, rl_border_series *series)
{
    rill_free(&w->def.host.allocator, series->frames,
              (size_t)series->count * sizeof *series->frames);
    series->frames = NULL;
    series->count = 0;
}

static void free_changes(rill_world *w, rl_border_series *series)
{
    rill_free(&w->def.host.allocator, series->changes,
              (size_t)series->change_count * sizeof *series->changes);
    series->changes = NULL;
    series->change_count = 0;
}

void rl_world_free_borders(rill_world *w)
{
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        free_series(w, &w->border_series[side]);
        free_changes(w, &w->border_series[side]);
    }
}

// ---- The kinds that there are ----------------------------------------------------------

// A new kind is its number in rill/world.h, its word and its row here, and its rule in the solvers
// that have it.
const char *const rl_border_words[RILL_BORDER_COUNT + 1] = {"wall",   "drain",  "level",
                                                            "inflow", "absorb", "incident"};

static const rill_border_info kinds[RILL_BORDER_COUNT] = {
    [RILL_BORDER_LEVEL] = {.value = "level", .low = -1e6, .high = 1e6, .swell = 1},
    [RILL_BORDER_INFLOW] = {.value = "discharge", .low = 0.0, .high = 1e6},
    [RILL_BORDER_ABSORB] = {.value = "level", .low = -1e6, .high = 1e6},
    [RILL_BORDER_INCIDENT] =
        {.value = "level", .low = -1e6, .high = 1e6, .swell = 1, .incident = 1},
};

rill_border_info rill_border_about(rill_border border)
{
    rill_border_info info = {0};
    if ((unsigned)border < RILL_BORDER_COUNT) {
        info = kinds[border];
        info.name = rl_border_words[border];
    }
    return info;
}

rill_status rl_world_check_border(const rl_solver_ops *ops, rill_side side, rill_border border,
                                  float level)
{
    RL_ASSERT(ops != NULL);
    if ((unsigned)side >= RILL_SIDE_COUNT || (unsigned)border >= RILL_BORDER_COUNT)
        return rill_fail(RILL_BAD_DEF, "border %d of side %d does not exist", (int)border,
                         (int)side);
    if (!(ops->borders & RL_BORDER_BIT(border)))
        return rill_fail(RILL_BAD_DEF,
                         "side %d has border %d, which this world's solver, %s, does not have%s%s",
                         (int)side, (int)border, ops->name, ops->border_note != NULL ? ": " : "",
                         ops->border_note != NULL ? ops->border_note : "");
    const rill_border_info *kind = &kinds[border];
    if (kind->value != NULL && !((double)level >= kind->low && (double)level <= kind->high))
        return rill_fail(RILL_BAD_DEF, "border_level of side %d is %g, it must be from %g to %g",
                         (int)side, (double)level, kind->low, kind->high);
    return RILL_OK;
}

void rl_world_set_side(rill_world *w, rill_side side)
{
    RL_ASSERT((unsigned)side < RILL_SIDE_COUNT);
    const rill_border border = w->core.border[side];
    w->ops->set_border(w->solver, side, border, w->core.border_now[side]);
    if (kinds[border].incident)
        w->ops->incident->set(w->solver, side, w->core.incident_now[side]);
    if (rl_world_side_follows(w, side))
        rl_world_set_profile(w, side);
}

static void become(rill_world *w, rill_side side, rill_border border, float level)
{
    rl_world_bodies_settle(w);
    w->core.border[side] = border;
    w->core.border_level[side] = level;
    w->core.border_now[side] = level;
    w->core.incident_now[side] = (rl_incident){0};
    rl_world_set_side(w, side);
    rl_world_bodies_changed(w);
}

rill_status rill_world_set_border(rill_world *world, rill_side side, rill_border border,
                                  float level)
{
    if (world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_set_border needs a world, it is NULL");
    RILL_TRY(rl_world_check_border(world->ops, side, border, level));
    free_series(world, &world->border_series[side]);
    free_changes(world, &world->border_series[side]);
    world->border_series[side] = (rl_border_series){0};
    become(world, side, border, level);
    return RILL_OK;
}

static rill_status check_side(const rill_world *w, rill_side side, const char *what)
{
    if (w == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s needs a world, it is NULL", what);
    if ((unsigned)side >= RILL_SIDE_COUNT)
        return rill_fail(RILL_BAD_DEF, "side %d does not exist", (int)side);
    return RILL_OK;
}

// What comes in besides the level, by borders that have it.
static rill_status check_incident(rill_side side, rill_border border,
                                  const rill_border_frame *frame)
{
    const double parts[] = {frame->wave, frame->velocity, frame->discharge};
    static const char *const names[] = {"wave", "velocity", "discharge"};
    for (int n = 0; n < 3; n++) {
        if (parts[n] != 0.0 && !kinds[border].incident)
            return rill_fail(RILL_BAD_DEF, "side %d is \"%s\", which has no %s", (int)side,
                             rl_border_words[border], names[n]);
        if (!(fabs(parts[n]) <= 1e6))
            return rill_fail(RILL_BAD_DEF, "the %s of side %d is %g, it must be from -1e6 to 1e6",
                             names[n], (int)side, parts[n]);
    }
    return RILL_OK;
}

// The kind that a series of a side is for: what the side is or will be first that has a number.
static rill_border kind_of_series(const rill_world *w, rill_side side)
{
    const rl_border_series *series = &w->border_series[side];
    rill_border border = w->core.border[side];
    for (int n = 0; n < series->change_count && kinds[border].value == NULL; n++)
        border = series->changes[n].border;
    return border;
}

static rill_status check_frames(const rill_world *w, rill_side side,
                                const rill_border_frame *frames, int count)
{
    if (count < 0 || count > MOST_FRAMES || (count > 0 && frames == NULL))
        return rill_fail(RILL_BAD_ARGUMENT, "a series of %d frames is not possible", count);
    const rill_border border = kind_of_series(w, side);
    if (count > 0 && kinds[border].value == NULL)
        return rill_fail(RILL_BAD_DEF, "side %d has neither a level nor a discharge to change",
                         (int)side);
    for (int n = 0; n < count; n++) {
        if (!(fabs(frames[n].time) < 1e15) || (n > 0 && !(frames[n].time > frames[n - 1].time)))
            return rill_fail(RILL_BAD_DEF, "frame %d of a border is at %g s, times must rise", n,
                             frames[n].time);
        rill_status status = rl_world_check_border(w->ops, side, border, (float)frames[n].value);
        if (status == RILL_OK)
            status = check_incident(side, border, &frames[n]);
        if (status != RILL_OK)
            return rill_fail_prefix(status, "frame %d", n);
    }
    return RILL_OK;
}

// Copies a series that has been checked.
static rill_status store_series(rill_world *w, rill_side side, rill_border kind,
                                const rill_border_frame *frames, int count)
{
    rl_border_series *series = &w->border_series[side];
    rill_border_frame *copy = NULL;
    if (count > 0) {
        copy = rill_alloc(&w->def.host.allocator, (size_t)count * sizeof *copy);
        if (copy == NULL)
            return rill_fail(RILL_NO_MEMORY, "no memory for %d frames of a border", count);
        memcpy(copy, frames, (size_t)count * sizeof *copy);
    }
    free_series(w, series);
    series->kind = kind;
    series->frames = copy;
    series->count = count;
    return RILL_OK;
}

rill_status rill_world_set_border_series(rill_world *world, rill_side side,
                                         const rill_border_frame *frames, int count)
{
    RILL_TRY(check_side(world, side, "rill_world_set_border_series"));
    RILL_TRY(check_frames(world, side, frames, count));
    return store_series(world, side, kind_of_series(world, side), frames, count);
}

rill_status rill_world_set_border_changes(rill_world *world, rill_side side,
                                          const rill_border_change *changes, int count)
{
    RILL_TRY(check_side(world, side, "rill_world_set_border_changes"));
    if (count < 0 || count > MOST_FRAMES || (count > 0 && changes == NULL))
        return rill_fail(RILL_BAD_ARGUMENT, "%d changes of a border are not possible", count);
    for (int n = 0; n < count; n++) {
        const rill_border_change *change = &changes[n];
        if (!(fabs(change->time) < 1e15) || (n > 0 && !(change->time > changes[n - 1].time)))
            return rill_fail(RILL_BAD_DEF, "change %d of a border is at %g s, times must rise", n,
                             change->time);
        RILL_TRY(rl_world_check_border(world->ops, side, change->border, change->level));
    }
    rill_border_change *copy = NULL;
    if (count > 0) {
        copy = rill_alloc(&world->def.host.allocator, (size_t)count * sizeof *copy);
        if (copy == NULL)
            return rill_fail(RILL_NO_MEMORY, "no memory for %d changes of a border", count);
        memcpy(copy, changes, (size_t)count * sizeof *copy);
    }
    free_changes(world, &world->border_series[side]);
    world->border_series[side].changes = copy;
    world->border_series[side].change_count = count;
    return RILL_OK;
}

rill_status rill_world_set_border_swell(rill_world *world, rill_side side, double height,
                                        double period)
{
    RILL_TRY(check_side(world, side, "rill_world_set_border_swell"));
    if (!(height >= 0.0 && height <= 1e6) || (height > 0.0 && !(period >= 1e-6 && period <= 1e12)))
        return rill_fail(RILL_BAD_DEF, "a swell of %g m in %g s is not possible", height, period);
    if (height > 0.0 && !kinds[kind_of_series(world, side)].swell)
        return rill_fail(RILL_BAD_DEF, "side %d has no level for a swell", (int)side);
    world->border_series[side].swell_height = height;
    world->border_series[side].swell_period = period;
    return RILL_OK;
}

rill_status rl_world_copy_borders(rill_world *to, const rill_world *from)
{
    rill_status status = RILL_OK;
    for (int side = 0; side < RILL_SIDE_COUNT && status == RILL_OK; side++) {
        const rl_border_series *series = &from->border_series[side];
        if (series->change_count > 0)
            status = rill_world_set_border_changes(to, (rill_side)side, series->changes,
                                                   series->change_count);
        if (series->count > 0 && status == RILL_OK)
            status = store_series(to, (rill_side)side, series->kind, series->frames, series->count);
        to->border_series[side].swell_height = series->swell_height;
        to->border_series[side].swell_period = series->swell_period;
    }
    return status;
}

static rill_border_frame series_at(const rl_border_series *series, double time)
{
    int around[2];
    const double weight =
        rl_keys_around(series->frames, sizeof *series->frames, series->count, time, around);
    const rill_border_frame *from = &series->frames[around[0]], *to = &series->frames[around[1]];
    return (rill_border_frame){
        .time = time,
        .value = from->value + weight * (to->value - from->value),
        .wave = from->wave + weight * (to->wave - from->wave),
        .velocity = from->velocity + weight * (to->velocity - from->velocity),
        .discharge = from->discharge + weight * (to->discharge - from->discharge),
    };
}

static bool have_same_number(const rill_border_info *a, const rill_border_info *b)
{
    return a->value != NULL && b->value != NULL && strcmp(a->value, b->value) == 0;
}

// What lies beyond a side at a moment.
static rill_border_frame beyond_at(const rill_world *w, int side, double time)
{
    const rl_border_series *series = &w->border_series[side];
    const rill_border_info *kind = &kinds[w->core.border[side]];
    rill_border_frame now = {.value = (double)w->core.border_level[side]};
    if (series->count > 0 && have_same_number(kind, &kinds[series->kind]))
        now = series_at(series, time);
    if (!kind->incident)
        now.wave = now.velocity = now.discharge = 0.0;
    if (series->swell_height > 0.0 && kind->swell) {
        const double swell =
            0.5 * series->swell_height * rill_sine_of_turns(time / series->swell_period);
        *(kind->incident ? &now.wave : &now.value) += swell;
    }
    return now;
}

// Makes a side what its last change by `time` says.
static void apply_change(rill_world *w, rill_side side, double time)
{
    const rl_border_series *series = &w->border_series[side];
    const rill_border_change *last = NULL;
    for (int n = 0; n < series->change_count && series->changes[n].time <= time; n++)
        last = &series->changes[n];
    if (last != NULL &&
        (w->core.border[side] != last->border || w->core.border_level[side] != last->level))
        become(w, side, last->border, last->level);
}

void rl_world_apply_border_series(rill_world *w, double dt)
{
    RL_ASSERT(dt > 0.0);
    const double time = w->core.time + 0.5 * dt;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        apply_change(w, (rill_side)side, time);
        const rill_border_frame now = beyond_at(w, side, time);
        const rl_incident incident = {(float)now.wave, (float)now.velocity, (float)now.discharge};
        if ((float)now.value == w->core.border_now[side] &&
            memcmp(&incident, &w->core.incident_now[side], sizeof incident) == 0)
            continue;
        w->core.border_now[side] = (float)now.value;
        w->core.incident_now[side] = incident;
        rl_world_set_side(w, (rill_side)side);
    }
}

// ---- Walls between cells ---------------------------------------------------------------

// The face that a step from one cell to the next crosses is the one to close: the line is walked
// from corner to corner of the grid, and every edge of a cell on the way is a face.
rill_status rill_world_set_wall(rill_world *world, double x0, double y0, double x1, double y1,
                                int closed)
{
    if (world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_set_wall needs a world, it is NULL");
    const rl_walls_ops *walls = world->ops->walls;
    if (walls == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "this world's solver, %s, has no walls between cells",
                         world->ops->name);
    if (!(fabs(x0) + fabs(y0) + fabs(x1) + fabs(y1) < 1e12))
        return rill_fail(RILL_BAD_ARGUMENT, "a wall from (%g, %g) to (%g, %g) m is not possible",
                         x0, y0, x1, y1);
    const double dx = (double)world->def.cell_size;
    const double nx = world->def.nx, ny = world->def.ny;
    int i = (int)round(fmin(fmax(x0 / dx, 0.0), nx)), j = (int)round(fmin(fmax(y0 / dx, 0.0), ny));
    const int i1 = (int)round(fmin(fmax(x1 / dx, 0.0), nx));
    const int j1 = (int)round(fmin(fmax(y1 / dx, 0.0), ny));
    const int across = abs(i1 - i), up = abs(j1 - j);
    const int step_i = i1 > i ? 1 : -1, step_j = j1 > j ? 1 : -1;
    int done_i = 0, done_j = 0;
    while (done_i < across || done_j < up) {
        // Whichever direction lags behind the straight line goes next.
        const bool along_x =
            done_j >= up || (done_i < across &&
                             (int64_t)(2 * done_i + 1) * up <= (int64_t)(2 * done_j + 1) * across);
        if (along_x) {
            // An edge along x parts row j - 1 from row j: the face north of row j - 1.
            const int cell = step_i > 0 ? i : i - 1;
            if (j > 0 && j < world->def.ny)
                walls->mark_face(world->solver, 1, cell, j - 1, closed != 0);
            i += step_i;
            done_i++;
        } else {
            const int cell = step_j > 0 ? j : j - 1;
            if (i > 0 && i < world->def.nx)
                walls->mark_face(world->solver, 0, i - 1, cell, closed != 0);
            j += step_j;
            done_j++;
        }
    }
    return RILL_OK;
}
