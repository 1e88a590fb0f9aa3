// SPDX-License-Identifier: MIT
// world_moving_domain.c - a world whose grid moves over a larger, full terrain: the grid follows a
// target in whole cells, and what leaves and enters it is booked (the boat ride of
// Chentanez and Müller).
#include "world/world_internal.h"

#include "core/numbers.h"
#include "terrain/heightfield.h"

#include <string.h>

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

// Copies of what the definition lends, if it wants them.
static rill_status copy_all(rill_world *w)
{
    rill_moving_domain_def *domain = &w->def.domain;
    const rill_heightfield **const lent[RL_DOMAIN_FIELDS] = {
        &domain->full_terrain, &domain->water, &domain->velocity_x, &domain->velocity_y};
    for (int n = 0; n < RL_DOMAIN_FIELDS && domain->copy; n++)
        RILL_TRY(copy_one(w, lent[n], &w->own_domain[n]));
    return RILL_OK;
}

static bool has_velocities(const rill_world *w)
{
    return w->def.domain.velocity_x != NULL || w->def.domain.velocity_y != NULL;
}

static size_t along_bytes(const rill_world *w)
{
    return 2 * (size_t)rl_greater_int(w->def.nx, w->def.ny) * sizeof(float);
}

static rill_status take_memory(rill_world *w, rl_world_cut *cut)
{
    const rill_world_def *def = &w->def;
    const rill_allocator *a = &def->host.allocator;
    bool taken = rill_field_create(a, def->nx, def->ny, 0, &cut->bed) &&
                 rill_field_create(a, def->nx, def->ny, 0, &cut->depth) &&
                 rill_field_create(a, def->nx, def->ny, 0, &w->domain_bed);
    for (int axis = 0; axis < 2 && taken && has_velocities(w); axis++)
        taken = rill_field_create(a, def->nx, def->ny, 0, &cut->velocity[axis]) &&
                rill_field_create(a, def->nx, def->ny, 1, &w->domain_velocity[axis]);
    w->domain_along = taken ? rill_alloc(a, along_bytes(w)) : NULL;
    return w->domain_along != NULL
               ? RILL_OK
               : rill_fail(RILL_NO_MEMORY, "no memory for a moving domain of %d x %d cells",
                           def->nx, def->ny);
}

static void cut_row(const rill_world *w, rl_world_cut *cut, int j)
{
    float *bed = rill_field_row(&cut->bed, j), *depth = rill_field_row(&cut->depth, j);
    for (int i = 0; i < w->def.nx; i++) {
        bed[i] = rl_world_full_bed(w, i, j);
        depth[i] = rl_world_full_depth(w, i, j, bed[i]);
    }
    for (int axis = 0; axis < 2 && has_velocities(w); axis++) {
        float *velocity = rill_field_row(&cut->velocity[axis], j);
        for (int i = 0; i < w->def.nx; i++)
            velocity[i] = rl_world_full_velocity(w, axis, i, j);
    }
}

rill_status rl_world_moving_domain_create(rill_world *w, rl_world_cut *cut)
{
    rill_world_def *def = &w->def;
    w->core.domain_i = def->domain.i;
    w->core.domain_j = def->domain.j;
    if (def->domain.full_terrain == NULL)
        return RILL_OK;
    RILL_TRY(copy_all(w));
    RILL_TRY(take_memory(w, cut));
    for (int j = 0; j < def->ny; j++)
        cut_row(w, cut, j);
    def->bed = rill_field_view_of(&cut->bed);
    if (def->depth.data == NULL)
        def->depth = rill_field_view_of(&cut->depth);
    if (has_velocities(w) && def->velocity_x.data == NULL && def->velocity_y.data == NULL) {
        def->velocity_x = rill_field_view_of(&cut->velocity[0]);
        def->velocity_y = rill_field_view_of(&cut->velocity[1]);
    }
    return RILL_OK;
}

void rl_world_cut_destroy(const rill_world *w, rl_world_cut *cut)
{
    const rill_allocator *a = &w->def.host.allocator;
    rill_field_destroy(a, &cut->bed);
    rill_field_destroy(a, &cut->depth);
    for (int axis = 0; axis < 2; axis++)
        rill_field_destroy(a, &cut->velocity[axis]);
}

void rl_world_moving_domain_destroy(rill_world *w)
{
    const rill_allocator *a = &w->def.host.allocator;
    rill_field_destroy(a, &w->domain_bed);
    for (int axis = 0; axis < 2; axis++)
        rill_field_destroy(a, &w->domain_velocity[axis]);
    rill_free(a, w->domain_along, along_bytes(w));
    for (int n = 0; n < RL_DOMAIN_FIELDS; n++)
        rill_heightfield_destroy(&w->own_domain[n]);
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
                           : rl_world_full_bed(w, i, j);
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
                amounts[n] = stays ? 0.0f : rl_world_full_depth(w, i, j, bed[i]);
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

// The velocities of cells that came in and of those beside them, in row j.
static void find_velocities(rill_world *w, int di, int dj, int j)
{
    const int nx = w->def.nx;
    const bool row_stays = j - 1 + dj >= 0 && j + 1 + dj < w->def.ny && j > 0 && j + 1 < w->def.ny;
    const int first = row_stays && di > 0 ? nx - di - 1 : -1;
    const int last = row_stays && di < 0 ? -di : row_stays && di == 0 ? -1 : nx;
    for (int axis = 0; axis < 2; axis++) {
        float *row = rill_field_row(&w->domain_velocity[axis], j);
        for (int i = rl_greater_int(first, -1); i <= rl_lesser_int(last, nx); i++)
            row[i] = rl_world_full_velocity(w, axis, i, j);
    }
}

// Sets the water of the cells that came in in motion.
static void bring_motion(rill_world *w, int di, int dj)
{
    if (!has_velocities(w))
        return;
    for (int j = -1; j <= w->def.ny; j++)
        find_velocities(w, di, dj, j);
    w->ops->moving_domain->enter(w->solver, di, dj, &w->domain_velocity[0], &w->domain_velocity[1]);
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
    bring_motion(w, di, dj);
    rl_world_set_profiles(w);
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

// The farthest cell that a domain over an endless terrain goes to, so that numbers of cells stay
// integers.
#define FARTHEST 1e9

// Cells to move so that `place` comes to the middle of `count` cells, if the corner, now at cell
// `origin` of the terrain, may go from cell `least` to `most`. A target that stays within a cell
// moves nothing.
static int cells_to(double place, double cell, int count, int origin, double least, double most)
{
    RL_ASSERT(cell > 0.0 && least <= most);
    const double off = place / cell - 0.5 * count;
    if (fabs(off) < 1.0)
        return 0;
    const double wanted = origin + trunc(off);
    return (int)(wanted < least ? least : wanted > most ? most : wanted) - origin;
}

static void follow(rill_world *w, double x, double y)
{
    const rill_field_view full = rill_heightfield_view(w->def.domain.full_terrain);
    const double cell = (double)w->def.cell_size;
    const bool endless = w->def.domain.repeats != 0;
    const int di = cells_to(x, cell, w->def.nx, w->core.domain_i, endless ? -FARTHEST : 0.0,
                            endless ? FARTHEST : full.nx - w->def.nx);
    const int dj = cells_to(y, cell, w->def.ny, w->core.domain_j, 0.0, full.ny - w->def.ny);
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

// Where the path is. Over a terrain that repeats it goes on after its last key as it went from its
// first.
static rill_path_key place_at(const rill_moving_domain_def *domain, double time)
{
    const rill_path_key *first = domain->path, *last = &domain->path[domain->path_count - 1];
    const double length = last->time - first->time;
    const double rounds = domain->repeats && time > last->time && length > 0.0
                              ? floor((time - first->time) / length)
                              : 0.0;
    rill_path_key at = rl_path_at(first, domain->path_count, time - rounds * length);
    at.x += rounds * (last->x - first->x);
    at.y += rounds * (last->y - first->y);
    return at;
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
    const rill_path_key at = place_at(domain, time);
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
