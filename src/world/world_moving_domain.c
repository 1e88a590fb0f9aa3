// SPDX-License-Identifier: MIT
// world_moving_domain.c - a world whose grid moves over a larger, full terrain: the grid follows a
// target in whole cells, and what leaves and enters it is booked (the boat ride of
// Chentanez and Müller).
#include "world/world_internal.h"

#include "core/numbers.h"
#include "terrain/heightfield.h"

#include <string.h>

static float terrain_bed(const rill_world *w, int i, int j)
{
    RL_ASSERT(i >= 0 && i < w->def.nx && j >= 0 && j < w->def.ny);
    const rill_field_view view = rill_heightfield_view(w->def.domain.full_terrain);
    return view.data[(size_t)(j + w->core.domain_j) * view.pitch + (size_t)(i + w->core.domain_i)];
}

// Water that cell (i, j) of the moving domain brings along, metres.
static float terrain_depth(const rill_world *w, int i, int j, float bed)
{
    float depth = 0.0f;
    if (w->def.domain.water != NULL) {
        const rill_field_view view = rill_heightfield_view(w->def.domain.water);
        depth =
            view.data[(size_t)(j + w->core.domain_j) * view.pitch + (size_t)(i + w->core.domain_i)];
    }
    const float to_level = w->def.use_level ? w->def.level - bed : 0.0f;
    return to_level > depth ? to_level : depth > 0.0f ? depth : 0.0f;
}

// Replaces a heightfield that the caller lends by a copy of it.
static rill_status copy_one(const rill_world *w, const rill_heightfield **lent,
                            rill_heightfield **own)
{
    if (*lent == NULL)
        return RILL_OK;
    const rill_field_view view = rill_heightfield_view(*lent);
    RILL_TRY(rill_heightfield_create_flat(view.nx, view.ny, rill_heightfield_cell_size(*lent),
                                          &w->def.host, own));
    for (int j = 0; j < view.ny; j++)
        memcpy(rill_field_row(rill_heightfield_field(*own), j), view.data + (size_t)j * view.pitch,
               (size_t)view.nx * sizeof(float));
    *lent = *own;
    return RILL_OK;
}

rill_status rl_world_moving_domain_create(rill_world *w, rill_field cut[2])
{
    rill_world_def *def = &w->def;
    const rill_allocator *a = &def->host.allocator;
    w->core.domain_i = def->domain.i;
    w->core.domain_j = def->domain.j;
    if (def->domain.full_terrain == NULL)
        return RILL_OK;
    if (def->domain.copy) {
        RILL_TRY(copy_one(w, &def->domain.full_terrain, &w->own_terrain));
        RILL_TRY(copy_one(w, &def->domain.water, &w->own_water));
    }
    if (!rill_field_create(a, def->nx, def->ny, 0, &cut[0]) ||
        !rill_field_create(a, def->nx, def->ny, 0, &cut[1]) ||
        !rill_field_create(a, def->nx, def->ny, 0, &w->domain_bed))
        return rill_fail(RILL_NO_MEMORY, "no memory for a moving domain of %d x %d cells", def->nx,
                         def->ny);
    for (int j = 0; j < def->ny; j++) {
        float *bed = rill_field_row(&cut[0], j), *depth = rill_field_row(&cut[1], j);
        for (int i = 0; i < def->nx; i++) {
            bed[i] = terrain_bed(w, i, j);
            depth[i] = terrain_depth(w, i, j, bed[i]);
        }
    }
    def->bed = rill_field_view_of(&cut[0]);
    if (def->depth.data == NULL)
        def->depth = rill_field_view_of(&cut[1]);
    return RILL_OK;
}

// Cells that stay keep their ground, with what was dug there; others take the full terrain's.
static void lay_bed(rill_world *w, int di, int dj)
{
    const rill_field_view old = rill_world_bed(w);
    for (int j = 0; j < w->def.ny; j++) {
        float *bed = rill_field_row(&w->domain_bed, j);
        for (int i = 0; i < w->def.nx; i++) {
            const int from_i = i + di, from_j = j + dj;
            const bool stays =
                from_i >= 0 && from_i < w->def.nx && from_j >= 0 && from_j < w->def.ny;
            bed[i] = stays ? old.data[(size_t)from_j * old.pitch + (size_t)from_i]
                           : terrain_bed(w, i, j);
        }
    }
}

// Fills the cells that came in.
static void bring_water(rill_world *w, int di, int dj)
{
    for (int j = 0; j < w->def.ny; j++) {
        const bool row_stays = j + dj >= 0 && j + dj < w->def.ny;
        const float *bed = rill_field_row(&w->domain_bed, j);
        for (int first = 0; first < w->def.nx; first += RL_DEPOSIT_RUN) {
            float amounts[RL_DEPOSIT_RUN];
            const int count =
                w->def.nx - first < RL_DEPOSIT_RUN ? w->def.nx - first : RL_DEPOSIT_RUN;
            bool some = false;
            for (int n = 0; n < count; n++) {
                const int i = first + n;
                const bool stays = row_stays && i + di >= 0 && i + di < w->def.nx;
                amounts[n] = stays ? 0.0f : terrain_depth(w, i, j, bed[i]);
                some |= amounts[n] > 0.0f;
            }
            if (some)
                rl_world_book(w, w->ops->deposit(w->solver, &(rl_deposit){.row = j,
                                                                          .first = first,
                                                                          .count = count,
                                                                          .depth = amounts}));
        }
    }
}

static void move_path(rill_path_key *keys, int count, double dx, double dy)
{
    for (int n = 0; n < count; n++) {
        keys[n].x -= dx;
        keys[n].y -= dy;
    }
}

// Springs, drains and emitters stay where they are in the full terrain.
static void move_sources(rill_world *w, double dx, double dy)
{
    for (int n = 0; n < w->def.max_sources; n++) {
        rill_source_def *def = &w->sources[n].def;
        def->x -= dx;
        def->y -= dy;
        move_path(def->path, def->path_count, dx, dy);
    }
    for (int n = 0; n < RILL_MAX_EMITTERS; n++) {
        rill_emitter_def *def = &w->core.emitters[n].def;
        def->position[0] -= dx;
        def->position[1] -= dy;
        move_path(def->path, def->path_count, dx, dy);
    }
    rl_world_restore_emitters(w);
}

static void shift(rill_world *w, int di, int dj)
{
    RL_ASSERT(w->ops->moving_domain != NULL && (di != 0 || dj != 0));
    const double cell = (double)w->def.cell_size, dx = di * cell, dy = dj * cell;
    rl_exchange exchange = {0};
    w->core.domain_i += di;
    w->core.domain_j += dj;
    lay_bed(w, di, dj);
    w->ops->moving_domain->shift(w->solver, di, dj, &w->domain_bed, RL_NO_LEVEL, &exchange);
    rl_world_book(w, exchange.in);
    rl_world_book(w, -exchange.out);
    bring_water(w, di, dj);
    move_sources(w, dx, dy);
    if (w->particles != NULL) {
        rl_particles_books books = {0};
        rl_particles_shift(w->particles, (float)dx, (float)dy, (float)(cell * w->def.nx),
                           (float)(cell * w->def.ny), &books);
        rl_world_book(w, -books.drained);
    }
    if (w->waves != NULL)
        rl_advected_shift(w->waves, di, dj);
    if (w->bodies != NULL)
        rl_bodies_shift(w->bodies, di, dj);
}

// Cells to move so that `place` comes to the middle of `count` cells, as far as the terrain of
// `all` cells reaches from cell `origin` on. A target that stays within a cell moves nothing.
static int cells_to(double place, double cell, int count, int origin, int all)
{
    RL_ASSERT(cell > 0.0 && all >= count);
    const double off = place / cell - 0.5 * count;
    if (fabs(off) < 1.0)
        return 0;
    const double wanted = origin + trunc(off), most = all - count;
    return (int)(wanted < 0.0 ? 0.0 : wanted > most ? most : wanted) - origin;
}

static void follow(rill_world *w, double x, double y)
{
    const rill_field_view full = rill_heightfield_view(w->def.domain.full_terrain);
    const double cell = (double)w->def.cell_size;
    const int di = cells_to(x, cell, w->def.nx, w->core.domain_i, full.nx);
    const int dj = cells_to(y, cell, w->def.ny, w->core.domain_j, full.ny);
    if (di != 0 || dj != 0)
        shift(w, di, dj);
}

rill_status rill_world_follow(rill_world *world, double x, double y)
{
    if (world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_follow needs a world, it is NULL");
    if (world->def.domain.full_terrain == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "this world has no moving domain");
    if (!(fabs(x) + fabs(y) < 1e12))
        return rill_fail(RILL_BAD_ARGUMENT, "a target at (%g, %g) m is not possible", x, y);
    follow(world, x, y);
    return RILL_OK;
}

void rl_world_moving_domain_advance(rill_world *w, double time)
{
    const rill_moving_domain_def *domain = &w->def.domain;
    if (domain->full_terrain != NULL && domain->body > 0 && w->bodies != NULL &&
        domain->body <= w->def.bodies.max_bodies) {
        const rl_body *body = &w->bodies->items[domain->body - 1];
        if (body->alive)
            follow(w, body->position[0], body->position[1]);
        return;
    }
    if (domain->full_terrain == NULL || domain->path_count == 0)
        return;
    const rill_path_key at = rl_path_at(domain->path, domain->path_count, time);
    const double cell = (double)w->def.cell_size;
    follow(w, at.x - cell * w->core.domain_i, at.y - cell * w->core.domain_j);
}

void rill_world_origin(const rill_world *world, int *i, int *j)
{
    if (i != NULL)
        *i = world != NULL ? world->core.domain_i : 0;
    if (j != NULL)
        *j = world != NULL ? world->core.domain_j : 0;
}
