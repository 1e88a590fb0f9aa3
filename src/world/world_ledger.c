// SPDX-License-Identifier: MIT
// world_ledger.c - the books, the last step and the hash: what a world says about itself.
#include "world/world_internal.h"

#include "core/numbers.h"

#include "rill/columns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define LARGEST_ERROR 1e-6 // of the ledger, relative

void rl_world_book(rill_world *w, double volume)
{
    RL_ASSERT(volume == volume);
    if (volume > 0.0)
        rl_sum_add(&w->core.books.sourced, volume);
    else if (volume < 0.0)
        rl_sum_add(&w->core.books.drained, -volume);
}

rill_ledger rill_world_ledger(rill_world *world)
{
    if (world == NULL)
        return (rill_ledger){0};
    const rl_books *books = &world->core.books;
    rill_ledger ledger = {
        .initial = books->initial,
        .sourced = rl_sum_value(&books->sourced),
        .drained = rl_sum_value(&books->drained),
        .corrected = rl_sum_value(&books->corrected),
        .water = world->ops->volume(world->solver, world->jobs),
        .particles = rl_world_particle_volume(world),
        .ground_impulse = books->ground_impulse,
        .virtual_volume = world->bodies != NULL ? rl_bodies_displaced(world->bodies) : 0.0,
    };
    const double have = ledger.water + ledger.particles + ledger.virtual_volume;
    const double should = ledger.initial + ledger.sourced - ledger.drained + ledger.corrected;
    ledger.error = fabs(have - should) / fmax(ledger.initial + ledger.sourced, 1e-30);
    return ledger;
}

rill_step_info rill_world_last_step(const rill_world *world)
{
    return world != NULL ? world->last : (rill_step_info){0};
}

uint64_t rill_world_hash(const rill_world *world)
{
    if (world == NULL)
        return 0;
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    rill_state_array arrays[RL_MAX_WORLD_ARRAYS];
    const int count = rl_world_state(world, arrays);
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++)
            XXH64_update(&state, arrays[n].data + row * arrays[n].pitch,
                         arrays[n].width * sizeof(float));
    // Without bodies a world is what it would be if it could have none.
    const rl_bodies *b = world->bodies;
    if (b != NULL && (b->alive + b->waiting > 0 || rl_bodies_has_displaced(b))) {
        const int more = rl_bodies_state(world->bodies, arrays);
        for (int n = 0; n < more; n++)
            XXH64_update(&state, arrays[n].data, arrays[n].width * arrays[n].rows * sizeof(float));
    }
    XXH64_update(&state, &world->core.time, sizeof world->core.time);
    XXH64_update(&state, &world->core.steps, sizeof world->core.steps);
    return XXH64_digest(&state);
}

const char *rl_world_validate(rill_world *world)
{
    RL_ASSERT(world != NULL);
    const rill_ledger ledger = rill_world_ledger(world);
    if (!(ledger.error <= LARGEST_ERROR)) {
        rill_fail(RILL_BAD_ARGUMENT, "the ledger of %s is open by %g of all water",
                  world->ops->name, ledger.error);
        return rill_last_error();
    }
    return world->ops->validate(world->solver);
}

// ---- Water at a point ------------------------------------------------------------------

rill_probe rill_columns_probe(const rill_columns *c, int layer, double x, double y)
{
    if (c == NULL || layer < 0 || layer >= c->layers)
        return (rill_probe){0};
    const double cells = 1.0 / (double)c->cell_size;
    const rl_sample_place at = rl_sample_find(c->nx, c->ny, x * cells - 0.5, y * cells - 0.5);
    const size_t from = (size_t)layer * c->layer_stride;
    rill_probe probe = {
        .base = rl_sample(c->base + from, c->pitch, at),
        .depth = rl_sample(c->depth + from, c->pitch, at),
        .velocity_x = rl_sample(c->velocity_x + from, c->pitch, at),
        .velocity_y = rl_sample(c->velocity_y + from, c->pitch, at),
    };
    probe.level = probe.base + probe.depth;
    probe.wet = probe.depth > c->wet_depth;
    return probe;
}
