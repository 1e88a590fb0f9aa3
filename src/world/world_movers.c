// SPDX-License-Identifier: MIT
// world_movers.c - solids that can be moved through the liquid: instruments, swabs. Where they are
// is decided here; how the ground follows them is in world_ground.c.
#include "world/world_internal.h"

#include "core/path.h"

#include <string.h>

// ---- Over time -------------------------------------------------------------------------

rill_status rl_world_mover_put(rill_world *w, rl_mover *mover, const double position[3],
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

rill_status rl_world_movers_advance(rill_world *w, double time)
{
    for (int n = 0; n < w->def.layers.max_movers; n++) {
        rl_mover *mover = &w->ground.plan.movers[n];
        if (!mover->alive || mover->path_count == 0)
            continue;
        const rill_path_key at = rl_path_at(mover->path, mover->path_count, time);
        const double position[3] = {at.x, at.y, at.z};
        const rill_status status = rl_world_mover_put(w, mover, position, mover->shape.rotation);
        if (status != RILL_OK)
            return rill_fail_prefix(status, "mover %d on its path to (%g, %g, %g) m", n + 1,
                                    position[0], position[1], position[2]);
    }
    return RILL_OK;
}

// ---- Public ----------------------------------------------------------------------------

rill_status rill_world_add_mover(rill_world *world, const rill_sdf_primitive *shape,
                                 rill_mover_id *out)
{
    rill_status status = rl_world_ground_check(world, "a mover");
    if (status == RILL_OK)
        status = rill_sdf_primitive_check(shape, RILL_COMBINE_UNION, 0.0);
    if (status == RILL_OK)
        status = rl_world_ground_check_owned(shape, "a mover");
    if (status != RILL_OK)
        return status;
    rl_world_ground *g = &world->ground;
    for (int n = 0; n < world->def.layers.max_movers; n++) {
        if (g->plan.movers[n].alive)
            continue;
        const rl_mover next = {
            .shape = *shape, .generation = g->plan.mover_generation + 1, .alive = true};
        status = rl_world_ground_replace(world, &g->plan.movers[n], &next);
        if (status != RILL_OK)
            return status;
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
    return rl_world_mover_put(world, mover, position,
                              rotation != NULL ? rotation : mover->shape.rotation);
}

rill_status rill_world_remove_mover(rill_world *world, rill_mover_id id)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    const rl_mover next = {.generation = mover->generation};
    return rl_world_ground_replace(world, mover, &next);
}

static rill_status check_path(const rill_path_key *keys, int count)
{
    if (count < 0 || count > RILL_PATH_MAX_KEYS || (count > 0 && keys == NULL))
        return rill_fail(RILL_BAD_ARGUMENT, "a path needs 0 to %d keys, not %d", RILL_PATH_MAX_KEYS,
                         count);
    for (int n = 0; n < count; n++)
        if (!(fabs(keys[n].time) < 1e15) || !(fabs(keys[n].x) <= 1e9) ||
            !(fabs(keys[n].y) <= 1e9) || !(fabs(keys[n].z) <= 1e9) ||
            (n > 0 && !(keys[n].time > keys[n - 1].time)))
            return rill_fail(
                RILL_BAD_DEF,
                "key %d of a path is (%g, %g, %g) m at %g s; times must rise and places "
                "be within 1e9 m",
                n, keys[n].x, keys[n].y, keys[n].z, keys[n].time);
    return RILL_OK;
}

rill_status rill_world_set_mover_path(rill_world *world, rill_mover_id id,
                                      const rill_path_key *keys, int count)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    RILL_TRY(check_path(keys, count));
    if (count > 0)
        memcpy(mover->path, keys, (size_t)count * sizeof *keys);
    mover->path_count = count;
    return RILL_OK;
}
