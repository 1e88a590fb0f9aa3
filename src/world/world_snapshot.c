// SPDX-License-Identifier: MIT
// world_snapshot.c - going back in time, and a second world in the same state.
#include "world/world_internal.h"

#include <string.h>

struct rill_snapshot {
    rill_allocator allocator;
    int nx, ny, max_sources;
    rill_solver solver;
    bool filled;
    rl_world_core core;
    rl_source *sources;
    float *arrays; // of the water and its riders, one after another, without padding
    size_t array_bytes;
    rl_ground_copy ground; // a solid ground and what moves in it
    void *bodies;
    size_t body_bytes;
};

int rl_world_state(const rill_world *world, rill_state_array arrays[RL_MAX_WORLD_ARRAYS])
{
    int count = world->ops->state(world->solver, arrays);
    if (world->particles != NULL)
        count += rl_particles_state(world->particles, arrays + count);
    if (world->waves != NULL)
        count += rl_advected_state(world->waves, arrays + count);
    if (world->wave_particles != NULL)
        count += rl_wave_particles_state(world->wave_particles, arrays + count);
    return count;
}

static size_t state_bytes(const rill_world *w)
{
    RL_ASSERT(w->ops != NULL && w->solver != NULL);
    rill_state_array arrays[RL_MAX_WORLD_ARRAYS];
    const int count = rl_world_state(w, arrays);
    size_t floats = 0;
    for (int n = 0; n < count; n++)
        floats += arrays[n].width * arrays[n].rows;
    return floats * sizeof(float);
}

rill_status rill_snapshot_create(const rill_world *world, rill_snapshot **out)
{
    if (world == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a snapshot needs a world and a place, one is NULL");
    *out = NULL;
    const rill_allocator *a = &world->def.host.allocator;
    rill_snapshot *s = rill_alloc(a, sizeof *s);
    bool ground = false;
    if (s != NULL) {
        s->allocator = *a;
        s->nx = world->def.nx;
        s->ny = world->def.ny;
        s->solver = world->def.solver;
        s->max_sources = world->def.max_sources;
        s->array_bytes = state_bytes(world);
        s->arrays = rill_alloc(a, s->array_bytes);
        s->body_bytes = rl_bodies_saved_bytes(world->bodies);
        s->bodies = rill_alloc(a, s->body_bytes);
        ground = rl_ground_copy_create(world, &s->ground);
        s->sources = rill_alloc(a, (size_t)s->max_sources * sizeof *s->sources);
    }
    if (s == NULL || s->arrays == NULL || !ground || (s->sources == NULL && s->max_sources > 0) ||
        (s->bodies == NULL && s->body_bytes > 0)) {
        rill_snapshot_destroy(&s);
        return rill_fail(RILL_NO_MEMORY, "no memory for a snapshot of %zu bytes",
                         state_bytes(world) + rl_ground_copy_bytes(world));
    }
    *out = s;
    return RILL_OK;
}

void rill_snapshot_destroy(rill_snapshot **snapshot)
{
    if (snapshot == NULL || *snapshot == NULL)
        return;
    rill_snapshot *s = *snapshot;
    const rill_allocator allocator = s->allocator;
    rill_free(&allocator, s->arrays, s->array_bytes);
    rill_free(&allocator, s->bodies, s->body_bytes);
    rl_ground_copy_destroy(&allocator, &s->ground);
    rill_free(&allocator, s->sources, (size_t)s->max_sources * sizeof *s->sources);
    rill_free(&allocator, s, sizeof *s);
    *snapshot = NULL;
}

static rill_status check_pair(const rill_world *world, const rill_snapshot *s)
{
    if (world == NULL || s == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a world and a snapshot are needed, one is NULL");
    if (s->nx != world->def.nx || s->ny != world->def.ny || s->solver != world->def.solver ||
        s->max_sources != world->def.max_sources)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the snapshot is of a world of %d x %d cells and %d sources, this one has "
                         "%d x %d and %d",
                         s->nx, s->ny, s->max_sources, world->def.nx, world->def.ny,
                         world->def.max_sources);
    if (s->array_bytes != state_bytes(world) || !rl_ground_copy_fits(world, &s->ground) ||
        s->body_bytes != rl_bodies_saved_bytes(world->bodies))
        return rill_fail(RILL_BAD_ARGUMENT, "the snapshot is of a world that differs in its solid, "
                                            "its layers, its movers or its bodies");
    return RILL_OK;
}

rill_status rill_world_save(const rill_world *world, rill_snapshot *snapshot)
{
    RILL_TRY(check_pair(world, snapshot));
    rill_state_array arrays[RL_MAX_WORLD_ARRAYS];
    const int count = rl_world_state(world, arrays);
    float *to = snapshot->arrays;
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++, to += arrays[n].width)
            memcpy(to, arrays[n].data + row * arrays[n].pitch, arrays[n].width * sizeof(float));
    rl_world_ground_save(world, &snapshot->ground);
    if (world->bodies != NULL)
        rl_bodies_save(world->bodies, snapshot->bodies);
    snapshot->core = world->core;
    if (snapshot->max_sources > 0)
        memcpy(snapshot->sources, world->sources,
               (size_t)snapshot->max_sources * sizeof *snapshot->sources);
    snapshot->filled = true;
    return RILL_OK;
}

rill_status rill_world_restore(rill_world *world, const rill_snapshot *snapshot)
{
    RILL_TRY(check_pair(world, snapshot));
    if (!snapshot->filled)
        return rill_fail(RILL_BAD_ARGUMENT, "the snapshot is empty: nothing was saved in it");
    world->core = snapshot->core;
    rl_world_restore_emitters(
        world); // before the arrays: they hold what emitters have still to give
    rill_state_array arrays[RL_MAX_WORLD_ARRAYS];
    const int count = rl_world_state(world, arrays);
    const float *from = snapshot->arrays;
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++, from += arrays[n].width)
            memcpy(arrays[n].data + row * arrays[n].pitch, from, arrays[n].width * sizeof(float));
    RILL_TRY(rl_world_ground_restore(world, &snapshot->ground));
    if (snapshot->max_sources > 0)
        memcpy(world->sources, snapshot->sources,
               (size_t)snapshot->max_sources * sizeof *world->sources);
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        rl_world_set_side(world, (rill_side)side);
    world->ops->state_changed(world->solver);
    if (world->wave_particles != NULL)
        rl_wave_particles_state_changed(world->wave_particles);
    if (world->bodies != NULL) {
        rl_bodies_restore(world->bodies, snapshot->bodies);
        rl_world_bodies_changed(world);
        const rl_body_water water = rl_world_body_water(world, 0.0);
        rl_bodies_restore_blocks(world->bodies, snapshot->bodies, &water);
    }
    return RILL_OK;
}

rill_status rill_world_clone(const rill_world *world, rill_world **out)
{
    if (world == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a clone needs a world and a place, one is NULL");
    *out = NULL;
    rill_world *copy = NULL;
    rill_snapshot *snapshot = NULL;
    rill_world_def def = world->def;
    if (world->ops->river != NULL) { // its flow comes with the snapshot, its path along with it
        def.bed = rill_world_bed(world);
        def.river.found = rill_world_river_path(world);
        def.river.bootstrap = 0.0;
    }
    rill_status status = rill_snapshot_create(world, &snapshot);
    if (status == RILL_OK)
        status = rill_world_save(world, snapshot);
    if (status == RILL_OK)
        status = rill_world_create(&def, &copy);
    if (status == RILL_OK)
        status = rill_world_restore(copy, snapshot);
    if (status == RILL_OK)
        status = rill_world_set_rain(copy, world->rain.frames, world->rain.count);
    if (status == RILL_OK)
        status = rl_world_copy_borders(copy, world);
    if (status == RILL_OK) {
        copy->evaporation = world->evaporation;
        *out = copy;
        copy = NULL;
    }
    rill_world_destroy(&copy);
    rill_snapshot_destroy(&snapshot);
    return status;
}
