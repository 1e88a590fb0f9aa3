// SPDX-License-Identifier: MIT
// world_movers.c - solids that can be moved through the liquid: instruments, swabs, tissue that
// bends. Where they are is decided here; how the ground follows them is in world_ground_compose.c.
#include "world/world_internal.h"

#include "core/numbers.h"
#include "terrain/sdf/triangles.h"

#include <string.h>

// ---- Beats -----------------------------------------------------------------------------

// The vertices of a mover that beats, as they were given, at a time.
static const float *beaten(rill_world *w, const rl_mover *mover, double time)
{
    const rill_mover_beat *beat = &mover->beat;
    const rill_triangles *unbent = mover->unbent;
    float *places = w->ground.bands.places;
    for (size_t v = 0; v < unbent->given_count; v++) {
        const bool used = unbent->given[v] != RL_NO_TRIANGLE;
        const float *own = unbent->vertices + 3 * (size_t)(used ? unbent->given[v] : 0);
        double turns = time / beat->period;
        for (int k = 0; k < 3; k++)
            if (beat->wavelength[k] != 0.0)
                turns -= (double)own[k] / beat->wavelength[k];
        const double s = rill_sine_of_turns(turns);
        for (size_t k = 0; k < 3; k++) {
            const double from = (double)own[k];
            places[3 * v + k] = (float)(from + s * (beat->amplitude[k] + beat->swell[k] * from));
        }
    }
    return places;
}

// By how much a mesh that beats may become larger than it is, seen from its origin.
static double growth_of(const rill_mover_beat *beat, const rill_triangles *unbent)
{
    double way = 0.0, reach = 0.0, swell = 0.0;
    for (int k = 0; k < 3; k++) {
        const double far = rl_greater(fabs(unbent->info.low[k]), fabs(unbent->info.high[k]));
        way += fabs(beat->amplitude[k]);
        reach = rl_greater(reach, far);
        swell = rl_greater(swell, fabs(beat->swell[k]));
    }
    return 1.0 + swell + way / reach;
}

// ---- Over time -------------------------------------------------------------------------

// One that stays where it is costs nothing and changes nothing.
rill_status rl_world_mover_place(rill_world *w, rl_mover *mover, const double position[3],
                                 const double rotation[4])
{
    const rill_sdf_primitive *shape = &mover->shape;
    if (memcmp(position, shape->position, sizeof shape->position) == 0 &&
        memcmp(rotation, shape->rotation, sizeof shape->rotation) == 0)
        return RILL_OK;
    rl_mover next = *mover;
    memcpy(next.shape.position, position, sizeof next.shape.position);
    memcpy(next.shape.rotation, rotation, sizeof next.shape.rotation);
    RILL_TRY(rill_sdf_primitive_check(&next.shape, RILL_COMBINE_UNION, 0.0));
    return rl_world_ground_replace(w, mover, &next);
}

static rill_status advance(rill_world *w, rl_mover *mover, const double position[3], double time)
{
    if (mover->unbent == NULL)
        return rl_world_mover_place(w, mover, position, mover->shape.rotation);
    rl_mover next = *mover;
    memcpy(next.shape.position, position, sizeof next.shape.position);
    RILL_TRY(rl_world_ground_take_places(w, mover->unbent->given_count));
    return rl_world_ground_bend(w, mover, &next, beaten(w, mover, time),
                                mover->unbent->given_count);
}

rill_status rl_world_movers_advance(rill_world *w, double time)
{
    for (int n = 0; n < w->def.layers.max_movers; n++) {
        rl_mover *mover = &w->ground.plan.movers[n];
        if (!mover->alive || (mover->path_count == 0 && mover->unbent == NULL))
            continue;
        double to[3];
        memcpy(to, mover->shape.position, sizeof to);
        if (mover->path_count > 0) {
            const rill_path_key at = rl_path_at(mover->path, mover->path_count, time);
            to[0] = at.x;
            to[1] = at.y;
            to[2] = at.z;
        }
        const rill_status status = advance(w, mover, to, time);
        if (status != RILL_OK)
            return rill_fail_prefix(status,
                                    "mover %d on its path to (%g, %g, %g) m, as it is at %g s",
                                    n + 1, to[0], to[1], to[2], time);
    }
    return RILL_OK;
}

// ---- Public ----------------------------------------------------------------------------

rill_status rill_world_add_mover(rill_world *world, const rill_sdf_primitive *shape,
                                 rill_mover_id *out)
{
    RILL_TRY(rl_world_ground_check(world, "a mover"));
    RILL_TRY(rill_sdf_primitive_check(shape, RILL_COMBINE_UNION, 0.0));
    RILL_TRY(rl_world_ground_check_owned(shape, "a mover"));
    rl_world_ground *g = &world->ground;
    for (int n = 0; n < world->def.layers.max_movers; n++) {
        if (g->plan.movers[n].alive)
            continue;
        const rl_mover next = {
            .shape = *shape, .generation = g->plan.mover_generation + 1, .alive = true};
        RILL_TRY(rl_world_ground_replace(world, &g->plan.movers[n], &next));
        g->plan.mover_generation++;
        if (out != NULL)
            *out = (rill_mover_id){(uint32_t)n + 1, next.generation};
        return RILL_OK;
    }
    return rill_fail(RILL_BAD_DEF, "the world has its %d movers already; raise layers.max_movers",
                     world->def.layers.max_movers);
}

static rill_status find_mover(rill_world *w, rill_mover_id id, rl_mover **out)
{
    RILL_TRY(rl_world_ground_check(w, "a mover"));
    if (id.index1 != 0 && id.index1 <= (uint32_t)w->def.layers.max_movers) {
        *out = &w->ground.plan.movers[id.index1 - 1];
        if ((*out)->alive && (*out)->generation == id.generation)
            return RILL_OK;
    }
    return rill_fail(RILL_BAD_ARGUMENT, "the mover does not exist, or no longer");
}

rill_status rill_world_move(rill_world *world, rill_mover_id id, const double position[3],
                            const double rotation[4])
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    if (position == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "moving a mover needs a position, it is NULL");
    return rl_world_mover_place(world, mover, position,
                                rotation != NULL ? rotation : mover->shape.rotation);
}

rill_status rill_world_remove_mover(rill_world *world, rill_mover_id id)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    const rl_mover next = {.generation = mover->generation};
    return rl_world_ground_replace(world, mover, &next);
}

rill_status rill_world_set_mover_path(rill_world *world, rill_mover_id id,
                                      const rill_path_key *keys, int count)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    if (count < 0 || count > RILL_PATH_MAX_KEYS || (count > 0 && keys == NULL))
        return rill_fail(RILL_BAD_ARGUMENT, "a path needs 0 to %d keys, not %d", RILL_PATH_MAX_KEYS,
                         count);
    RILL_TRY(rl_world_check_path("a mover", keys, count, 1e9));
    if (count > 0)
        memcpy(mover->path, keys, (size_t)count * sizeof *keys);
    mover->path_count = count;
    return RILL_OK;
}

// ---- Meshes that bend ------------------------------------------------------------------

static rill_status find_mesh(rill_world *w, rill_mover_id id, const char *what, rl_mover **out)
{
    RILL_TRY(find_mover(w, id, out));
    if ((*out)->shape.kind != RILL_SDF_MESH)
        return rill_fail(RILL_BAD_ARGUMENT, "only a mover that is a mesh %s", what);
    return RILL_OK;
}

rill_status rill_world_set_mover_vertices(rill_world *world, rill_mover_id id,
                                          const float *vertices, size_t count)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mesh(world, id, "has vertices that can be moved", &mover));
    if (mover->unbent != NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a mover that beats moves its vertices by itself; stop the beat first");
    const rl_mover next = *mover;
    return rl_world_ground_bend(world, mover, &next, vertices, count);
}

static rill_status check_beat(const rill_mover_beat *beat)
{
    if (!(beat->period == 0.0 || (beat->period >= 1e-6 && beat->period <= 1e9)))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the period of a beat is %g s, it must be 0 or from 1e-6 to 1e9",
                         beat->period);
    for (int k = 0; k < 3; k++) {
        if (!(fabs(beat->amplitude[k]) <= 1e9))
            return rill_fail(RILL_BAD_ARGUMENT,
                             "the amplitude of a beat is %g m along %c, it must be within 1e9",
                             beat->amplitude[k], "xyz"[k]);
        if (!(fabs(beat->swell[k]) < 1.0))
            return rill_fail(RILL_BAD_ARGUMENT,
                             "the swell of a beat is %g along %c, it must be above -1 and below 1",
                             beat->swell[k], "xyz"[k]);
        const double length = fabs(beat->wavelength[k]);
        if (!(length == 0.0 || (length >= 1e-9 && length <= 1e9)))
            return rill_fail(
                RILL_BAD_ARGUMENT,
                "the wavelength of a beat is %g m along %c, it must be 0 or from 1e-9 to 1e9",
                beat->wavelength[k], "xyz"[k]);
    }
    return RILL_OK;
}

rill_status rill_world_set_mover_beat(rill_world *world, rill_mover_id id,
                                      const rill_mover_beat *beat)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mesh(world, id, "can beat", &mover));
    if (beat == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a beat is NULL; a period of 0 stops one");
    RILL_TRY(check_beat(beat));
    const rl_mover before = *mover;
    rl_mover next = before;
    next.beat = *beat;
    // What beats already goes on from how it was without the beat.
    next.unbent = beat->period == 0.0     ? NULL
                  : before.unbent != NULL ? before.unbent
                                          : before.shape.triangles;
    rl_mover_hold(&next);
    *mover = next;
    rill_status status = RILL_OK;
    if (next.unbent != NULL && before.unbent == NULL)
        status = rl_world_ground_reserve_bending(world, mover, &mover->shape,
                                                 growth_of(beat, next.unbent));
    if (status == RILL_OK && next.unbent != NULL)
        status = advance(world, mover, mover->shape.position, world->core.time);
    if (status != RILL_OK) {
        *mover = before;
        rl_mover_drop(&next);
        return status;
    }
    rl_mover_drop(&before);
    return RILL_OK;
}
