// SPDX-License-Identifier: MIT
// world_ground_compose.c - how a solid ground changes. Two fields are kept, without and with the
// shapes that move. A change is made in the second one first; if the columns cannot be cut from it,
// it is made anew from the first and nothing has happened: the lesser of distances does not depend
// on the order in which shapes come, so the same bits come back. Of meshes that move a band of
// distances is kept besides, so that only the one that moves is asked for them (mesh_band.h).
#include "world/world_ground.h"

#include "terrain/sdf/mesh_band.h"
#include "terrain/sdf/triangles.h"
#include "world/world_internal.h"

// ---- Bands of meshes -------------------------------------------------------------------

bool rl_ground_bands_create(const rill_allocator *a, int count, rl_ground_bands *bands)
{
    bands->items = rill_alloc(a, (size_t)count * sizeof *bands->items);
    return bands->items != NULL || count == 0;
}

static void clear_band(const rill_allocator *a, rl_ground_band *item)
{
    rl_mesh_band_free(&item->band, a);
    rill_triangles_destroy(&item->spare);
}

void rl_ground_bands_destroy(const rill_allocator *a, int count, rl_ground_bands *bands)
{
    for (int n = 0; n < count && bands->items != NULL; n++)
        clear_band(a, &bands->items[n]);
    rl_mesh_scratch_free(&bands->scratch, a);
    rill_free(a, bands->places, bands->place_count * 3 * sizeof *bands->places);
    rill_free(a, bands->items, (size_t)count * sizeof *bands->items);
    *bands = (rl_ground_bands){0};
}

size_t rl_ground_bands_bytes(int count, const rl_ground_bands *bands)
{
    size_t bytes = (size_t)count * sizeof *bands->items +
                   bands->place_count * 3 * sizeof *bands->places +
                   rl_mesh_scratch_memory(&bands->scratch);
    for (int n = 0; n < count && bands->items != NULL; n++)
        bytes += rl_mesh_band_memory(&bands->items[n].band);
    return bytes;
}

static rill_status fill_band(rill_world *w, int n)
{
    rl_world_ground *g = &w->ground;
    const rl_mover *mover = &g->plan.movers[n];
    rl_mesh_band *band = &g->bands.items[n].band;
    if (band->filled || !mover->alive || !rl_mesh_band_fits(g->whole, &mover->shape))
        return RILL_OK;
    return rl_mesh_band_fill(band, &g->bands.scratch, g->whole, &mover->shape, w->jobs,
                             &w->def.host.allocator);
}

// After a snapshot has come back all of them are to be filled, as far as they are needed.
static rill_status fill_bands(rill_world *w)
{
    for (int n = 0; n < w->ground.plan.mover_count; n++)
        RILL_TRY(fill_band(w, n));
    return RILL_OK;
}

// ---- What a change touches -------------------------------------------------------------

// What a change touches: nodes whose distances it changes, and cells whose columns.
typedef struct region {
    rl_solid_nodes nodes;
    rl_solid_box cells;
} region;

static region region_of(const rl_solid *solid, const rill_sdf_primitive *shape, rill_combine how,
                        double blend)
{
    return (region){
        rl_solid_nodes_of(solid, shape, how, blend),
        rl_solid_cut_by(solid, shape, how, blend),
    };
}

static region region_of_mover(const rl_solid *solid, const rill_sdf_primitive *shape)
{
    region r = region_of(solid, shape, RILL_COMBINE_UNION, 0.0);
    if (rl_mesh_band_fits(solid, shape))
        r.nodes = rl_mesh_band_nodes(solid, shape);
    return r;
}

static bool is_empty(const rl_solid_nodes *nodes)
{
    return nodes->low[0] >= nodes->end[0] || nodes->low[1] >= nodes->end[1] ||
           nodes->low[2] >= nodes->end[2];
}

static region join(region a, const region *b)
{
    RL_ASSERT(b != NULL);
    if (is_empty(&a.nodes) || is_empty(&b->nodes))
        return is_empty(&a.nodes) ? *b : a;
    for (int k = 0; k < 3; k++) {
        a.nodes.low[k] = rl_lesser_int(a.nodes.low[k], b->nodes.low[k]);
        a.nodes.end[k] = rl_greater_int(a.nodes.end[k], b->nodes.end[k]);
    }
    // Shapes that reach the grid, but only with the far end of the band, cut no columns.
    if (a.cells.i0 >= a.cells.i1)
        a.cells = b->cells;
    else if (b->cells.i0 < b->cells.i1)
        a.cells = (rl_solid_box){
            rl_lesser_int(a.cells.i0, b->cells.i0), rl_lesser_int(a.cells.j0, b->cells.j0),
            rl_greater_int(a.cells.i1, b->cells.i1), rl_greater_int(a.cells.j1, b->cells.j1)};
    return a;
}

// ---- Composing -------------------------------------------------------------------------

// Rows of nodes that are one piece of work.
#define TILE_ROWS 8

typedef struct composing {
    const rl_world_ground *ground;
    rl_solid *field;
    int mover_count; // the first so many movers are part of it
    const rl_solid_nodes *nodes;
    const rl_ground_change *change; // or NULL
} composing;

static void compose_tile(void *context, int tile)
{
    const composing *c = context;
    const rl_world_ground *g = c->ground;
    rl_solid_nodes nodes = *c->nodes;
    nodes.low[1] += tile * TILE_ROWS;
    nodes.end[1] = rl_lesser_int(nodes.low[1] + TILE_ROWS, nodes.end[1]);
    rl_solid_copy_nodes(g->fixed, c->field, &nodes);
    if (c->change != NULL)
        rl_solid_combine_within(c->field, &c->change->shape, c->change->how, c->change->blend,
                                &nodes);
    for (int n = 0; n < c->mover_count; n++)
        if (g->plan.movers[n].alive && g->bands.items[n].band.filled)
            rl_mesh_band_join(&g->bands.items[n].band, c->field, &nodes);
        else if (g->plan.movers[n].alive)
            rl_solid_combine_within(c->field, &g->plan.movers[n].shape, RILL_COMBINE_UNION, 0.0,
                                    &nodes);
}

static void compose_field(rill_world *w, rl_solid *field, int mover_count,
                          const rl_solid_nodes *nodes, const rl_ground_change *change)
{
    composing c = {&w->ground, field, mover_count, nodes, change};
    const int rows = nodes->end[1] - nodes->low[1];
    if (!is_empty(nodes))
        rl_jobs_run(w->jobs, (rows + TILE_ROWS - 1) / TILE_ROWS, compose_tile, &c);
}

// The fields with everything that moves, made anew at some nodes. `change` may be NULL. Of a body
// that moves only the columns know.
static void compose(rill_world *w, const rl_solid_nodes *nodes, const rl_ground_change *change,
                    bool of_body)
{
    compose_field(w, w->ground.whole, w->ground.plan.mover_count, nodes, change);
    if (w->ground.seen != NULL && !of_body)
        compose_field(w, w->ground.seen, w->def.layers.max_movers, nodes, change);
}

rill_status rl_world_ground_compose_seen(rill_world *w)
{
    const rl_solid *s = w->ground.seen;
    const rl_solid_nodes all = {{-1, -1, 0}, {s->nx + 1, s->ny + 1, s->nz}};
    RILL_TRY(fill_bands(w));
    compose_field(w, w->ground.seen, w->def.layers.max_movers, &all, NULL);
    return RILL_OK;
}

// ---- Changing --------------------------------------------------------------------------

// Cuts the columns anew and books what fitted nowhere.
static rill_status recut(rill_world *w, const region *r, bool of_body)
{
    RL_ASSERT(w->ops->solids != NULL);
    double lost = 0.0;
    const rl_solid_box box = r->cells;
    RILL_TRY(box.i0 < box.i1 && box.j0 < box.j1
                 ? w->ops->solids->recut(w->solver, w->ground.whole, box.i0, box.j0, box.i1, box.j1,
                                         &lost)
                 : RILL_OK);
    rl_sum_add(&w->core.books.corrected, -lost);
    if (!of_body)
        rl_world_ground_touch(&w->ground, rl_solid_cells_of(w->ground.whole, &r->nodes));
    return RILL_OK;
}

rill_status rl_world_ground_change(rill_world *w, const rl_ground_change *change)
{
    rl_world_ground *g = &w->ground;
    RILL_TRY(fill_bands(w));
    const region r = region_of(g->whole, &change->shape, change->how, change->blend);
    compose(w, &r.nodes, change, false);
    const rill_status status = recut(w, &r, false);
    if (status == RILL_OK) {
        rl_solid_combine(g->fixed, &change->shape, change->how, change->blend);
        rl_solid_make_steeper(g->whole, &change->shape);
        rl_world_bodies_cast_floors(w);
    } else {
        compose(w, &r.nodes, NULL, false);
    }
    return status;
}

// A mesh that was bent has no tree. Where it is too far away for whole numbers it cannot be asked
// at all, which matters only if it reaches into the grid.
static rill_status check_bent(const rl_solid *solid, const rl_mover *next)
{
    if (!next->alive || next->shape.kind != RILL_SDF_MESH || next->shape.triangles->tree != NULL ||
        rl_mesh_band_fits(solid, &next->shape))
        return RILL_OK;
    const rl_solid_nodes nodes = rl_solid_nodes_of(solid, &next->shape, RILL_COMBINE_UNION, 0.0);
    return is_empty(&nodes)
               ? RILL_OK
               : rill_fail(RILL_BAD_ARGUMENT,
                           "a mesh whose vertices were moved reaches from the grid to "
                           "more than 8192 cells away from it, too far to be followed");
}

// As it was before a change that failed. There was enough memory for that.
static void go_back(rill_world *w, rl_mover *mover, const rl_mover *before, const region *r,
                    bool of_body)
{
    const int n = (int)(mover - w->ground.plan.movers);
    *mover = *before;
    w->ground.bands.items[n].band.filled = false;
    (void)fill_band(w, n);
    if (r != NULL)
        compose(w, &r->nodes, NULL, of_body);
}

rill_status rl_world_ground_replace(rill_world *w, rl_mover *mover, const rl_mover *next)
{
    RL_ASSERT(w->ground.whole != NULL && mover != NULL && next != NULL);
    const rl_mover before = *mover;
    const rl_solid *solid = w->ground.whole;
    const int n = (int)(mover - w->ground.plan.movers);
    const bool of_body = n >= w->def.layers.max_movers;
    rl_ground_band *item = &w->ground.bands.items[n];
    RILL_TRY(check_bent(solid, next));
    region r = {0};
    if (before.alive)
        r = region_of_mover(solid, &before.shape);
    if (next->alive) {
        const region there = region_of_mover(solid, &next->shape);
        r = join(r, &there);
    }
    // Turning takes no more memory later on, in a step.
    if (next->alive && !before.alive && rl_mesh_band_fits(solid, &next->shape) &&
        !rl_mesh_band_reserve(&item->band, &w->ground.bands.scratch, solid, &next->shape, 1.0,
                              &w->def.host.allocator))
        return rill_fail(RILL_NO_MEMORY, "no memory for the distances around a mesh");
    *mover = *next;
    item->band.filled = false;
    rill_status status = fill_bands(w);
    if (status != RILL_OK) {
        go_back(w, mover, &before, NULL, of_body);
        return status;
    }
    compose(w, &r.nodes, NULL, of_body);
    status = recut(w, &r, of_body);
    if (status != RILL_OK) {
        go_back(w, mover, &before, &r, of_body);
        return status;
    }
    rl_solid_make_steeper(w->ground.whole, &next->shape);
    rl_mover_hold(mover);
    rl_mover_drop(&before);
    if (!mover->alive)
        clear_band(&w->def.host.allocator, item);
    return RILL_OK;
}

// ---- Meshes that bend ------------------------------------------------------------------

rill_status rl_world_ground_bend(rill_world *w, rl_mover *mover, const rl_mover *next,
                                 const float *vertices, size_t count)
{
    rl_ground_band *item = &w->ground.bands.items[mover - w->ground.plan.movers];
    const rill_triangles *before = rl_triangles_retain(mover->shape.triangles);
    rill_triangles *old = (rill_triangles *)(uintptr_t)before, *spare = item->spare, *made = NULL;
    item->spare = NULL; // taken over
    rill_status status = rl_triangles_reshape(before, spare, vertices, count, &made);
    if (status == RILL_OK) {
        rl_mover bent = *next;
        bent.shape.triangles = made;
        bent.bent = true;
        status = rl_world_ground_replace(w, mover, &bent);
        item->spare = status == RILL_OK ? old : made;
        rill_triangles_destroy(status == RILL_OK ? &made : &old); // the ground has its own hold
        return status;
    }
    rill_triangles_destroy(&old);
    return status;
}

rill_status rl_world_ground_take_places(rill_world *w, size_t count)
{
    rl_ground_bands *b = &w->ground.bands;
    const rill_allocator *a = &w->def.host.allocator;
    if (count <= b->place_count)
        return RILL_OK;
    float *places = rill_alloc(a, 3 * count * sizeof *places);
    if (places == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the vertices of a mesh that bends");
    rill_free(a, b->places, 3 * b->place_count * sizeof *b->places);
    b->places = places;
    b->place_count = count;
    return RILL_OK;
}

rill_status rl_world_ground_reserve_bending(rill_world *w, const rl_mover *mover,
                                            const rill_sdf_primitive *shape, double growth)
{
    rl_ground_bands *b = &w->ground.bands;
    const rill_allocator *a = &w->def.host.allocator;
    rl_ground_band *item = &b->items[mover - w->ground.plan.movers];
    RILL_TRY(rl_world_ground_take_places(w, shape->triangles->given_count));
    if (!rl_mesh_band_fits(w->ground.whole, shape))
        return RILL_OK;
    rill_triangles_destroy(&item->spare);
    item->spare = rl_triangles_twin(shape->triangles);
    if (item->spare == NULL ||
        !rl_mesh_band_reserve(&item->band, &b->scratch, w->ground.whole, shape, growth, a))
        return rill_fail(RILL_NO_MEMORY, "no memory for a mesh that bends");
    return fill_band(w, (int)(mover - w->ground.plan.movers));
}
