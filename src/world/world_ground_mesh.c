// SPDX-License-Identifier: MIT
// world_ground_mesh.c - the triangles of a solid ground: those of its distance field, or those that
// the host has handed in instead. Readers that keep something for them ask where they have changed.
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

// ---- What has changed -------------------------------------------------------------------

static rl_solid_box join_boxes(rl_solid_box a, rl_solid_box b)
{
    if (a.i0 >= a.i1 || a.j0 >= a.j1)
        return b;
    if (b.i0 >= b.i1 || b.j0 >= b.j1)
        return a;
    return (rl_solid_box){a.i0 < b.i0 ? a.i0 : b.i0, a.j0 < b.j0 ? a.j0 : b.j0,
                          a.i1 > b.i1 ? a.i1 : b.i1, a.j1 > b.j1 ? a.j1 : b.j1};
}

void rl_world_ground_touch(rl_world_ground *g, rl_solid_box cells)
{
    if (g->surface != NULL)
        rl_solid_surface_touch(g->surface, cells);
    g->touched = join_boxes(g->touched, cells);
}

// Notes that what was touched since the last version belongs to this one.
static void note_version(rl_world_ground *g, uint64_t version)
{
    RL_ASSERT(version != 0);
    const int last = g->log_count - 1;
    if (last >= 0 && g->log[last].version == version)
        return;
    if (g->log_count == RL_GROUND_LOG) {
        memmove(g->log, g->log + 1, (RL_GROUND_LOG - 1) * sizeof g->log[0]);
        g->log_count--;
    }
    g->log[g->log_count++] = (rl_ground_version){version, g->touched};
    g->touched = (rl_solid_box){0, 0, 0, 0};
}

bool rl_world_ground_changed(const rill_world *w, uint64_t since, rl_solid_box *cells)
{
    const rl_world_ground *g = &w->ground;
    *cells = (rl_solid_box){0, 0, 0, 0};
    // Of a body that moves only the columns know, and no version tells.
    if (rl_world_ground_has_bodies(w))
        return false;
    for (int n = g->log_count - 1; n >= 0; n--) {
        if (g->log[n].version == since)
            return true;
        *cells = join_boxes(*cells, g->log[n].cells);
    }
    return false;
}

// ---- The host's triangles ---------------------------------------------------------------

static rill_status check_vertex(const rill_ground_vertex *v, size_t k)
{
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(v->position[axis]) || !isfinite(v->normal[axis]))
            return rill_fail(
                RILL_BAD_DEF, "vertex %zu of the mesh of the ground has the %s %g along %c", k,
                isfinite(v->position[axis]) ? "normal" : "position",
                isfinite(v->position[axis]) ? (double)v->normal[axis] : (double)v->position[axis],
                "xyz"[axis]);
    if (!(v->openness <= 1.0f))
        return rill_fail(RILL_BAD_DEF,
                         "vertex %zu of the mesh of the ground has the openness %g, "
                         "it must not be above 1",
                         k, (double)v->openness);
    return RILL_OK;
}

static rill_status check_mesh(const rill_ground_mesh *mesh)
{
    if (mesh->vertices == NULL || mesh->indices == NULL || mesh->index_count == 0)
        return rill_fail(RILL_BAD_DEF, "the mesh of the ground is empty");
    if (mesh->index_count % 3 != 0)
        return rill_fail(RILL_BAD_DEF, "%zu indices do not make triangles", mesh->index_count);
    if (mesh->vertex_count >= UINT32_MAX || mesh->index_count >= UINT32_MAX)
        return rill_fail(
            RILL_BAD_DEF,
            "the mesh of the ground has %zu vertices and %zu indices, at most %u may be",
            mesh->vertex_count, mesh->index_count, (unsigned)UINT32_MAX - 1u);
    for (size_t k = 0; k < mesh->index_count; k++)
        if (mesh->indices[k] >= mesh->vertex_count)
            return rill_fail(RILL_BAD_DEF, "triangle %zu names vertex %u, there are %zu", k / 3,
                             (unsigned)mesh->indices[k], mesh->vertex_count);
    for (size_t k = 0; k < mesh->vertex_count; k++)
        RILL_TRY(check_vertex(&mesh->vertices[k], k));
    return RILL_OK;
}

// Scales to unit length; returns false for a vector of none.
static bool make_unit(const double from[3], float to[3])
{
    const double length = sqrt((from[0] * from[0] + from[1] * from[1]) + from[2] * from[2]);
    for (int axis = 0; axis < 3 && length > 0.0; axis++)
        to[axis] = (float)(from[axis] / length);
    return length > 0.0;
}

// Adds to the sums of all vertices the normals of their triangles, as long as these are large.
static void add_normals(const rl_host_ground *h, double *sums)
{
    for (size_t t = 0; t < h->index_count; t += 3) {
        const uint32_t *index = &h->indices[t];
        const float *a = h->vertices[index[0]].position, *b = h->vertices[index[1]].position;
        const float *c = h->vertices[index[2]].position;
        double u[3], v[3];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = (double)b[axis] - (double)a[axis];
            v[axis] = (double)c[axis] - (double)a[axis];
        }
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                sums[3 * (size_t)index[k] + (size_t)axis] += n[axis];
    }
}

// Completes what the host left open: normals of no length and openness below 0.
static void complete(const rl_host_ground *h, const rl_solid *solid, const double *sums)
{
    for (size_t k = 0; k < h->vertex_count; k++) {
        rill_ground_vertex *v = &h->vertices[k];
        const double given[3] = {(double)v->normal[0], (double)v->normal[1], (double)v->normal[2]};
        if (!make_unit(given, v->normal) && !make_unit(&sums[3 * k], v->normal))
            v->normal[2] = 1.0f; // a vertex that no triangle has
        if (v->openness < 0.0f)
            v->openness = rl_solid_openness(solid, v->position, v->normal);
    }
}

void rl_host_ground_destroy(const rill_allocator *a, rl_host_ground *h)
{
    rill_free(a, h->vertices, h->vertex_count * sizeof *h->vertices);
    rill_free(a, h->indices, h->index_count * sizeof *h->indices);
    *h = (rl_host_ground){0};
}

size_t rl_host_ground_memory(const rl_host_ground *h)
{
    return h->vertex_count * sizeof *h->vertices + h->index_count * sizeof *h->indices;
}

// Copies a mesh that has been checked; on failure nothing has changed.
static rill_status take_mesh(rill_world *w, const rill_ground_mesh *mesh)
{
    const rill_allocator *a = &w->def.host.allocator;
    const size_t sum_bytes = 3 * mesh->vertex_count * sizeof(double);
    rl_host_ground h = {.vertex_count = mesh->vertex_count, .index_count = mesh->index_count};
    double *sums = rill_alloc(a, sum_bytes);
    h.vertices = rill_alloc(a, h.vertex_count * sizeof *h.vertices);
    h.indices = rill_alloc(a, h.index_count * sizeof *h.indices);
    if (sums == NULL || h.vertices == NULL || h.indices == NULL) {
        rill_free(a, sums, sum_bytes);
        rl_host_ground_destroy(a, &h);
        return rill_fail(RILL_NO_MEMORY, "no memory for %zu vertices of the host's ground",
                         mesh->vertex_count);
    }
    memcpy(h.vertices, mesh->vertices, h.vertex_count * sizeof *h.vertices);
    memcpy(h.indices, mesh->indices, h.index_count * sizeof *h.indices);
    memset(sums, 0, sum_bytes);
    add_normals(&h, sums);
    complete(&h, w->ground.whole, sums);
    rill_free(a, sums, sum_bytes);
    rl_host_ground_destroy(a, &w->ground.host);
    w->ground.host = h;
    w->ground.host.version = rl_ground_next_version();
    return RILL_OK;
}

// ---- Public ----------------------------------------------------------------------------

rill_ground_mesh rill_world_ground_mesh(rill_world *world)
{
    if (world == NULL || world->ground.fixed == NULL)
        return (rill_ground_mesh){0};
    rl_world_ground *g = &world->ground;
    rl_host_ground *h = &g->host;
    if (h->version == 0) {
        const rill_ground_mesh cubes = rl_world_ground_cubes(world);
        if (cubes.version != 0)
            note_version(g, cubes.version);
        return cubes;
    }
    // The floors below the host's triangles have changed.
    if (g->touched.i0 < g->touched.i1 && g->log_count > 0 &&
        g->log[g->log_count - 1].version == h->version)
        h->version = rl_ground_next_version();
    note_version(g, h->version);
    return (rill_ground_mesh){h->vertices, h->indices, h->vertex_count, h->index_count, h->version};
}

rill_status rill_world_set_ground_mesh(rill_world *world, const rill_ground_mesh *mesh)
{
    RILL_TRY(rl_world_ground_check(world, "a mesh of the ground"));
    if (mesh != NULL) {
        RILL_TRY(check_mesh(mesh));
        RILL_TRY(take_mesh(world, mesh));
    } else {
        rl_host_ground_destroy(&world->def.host.allocator, &world->ground.host);
    }
    rl_world_ground_touch(&world->ground, (rl_solid_box){0, 0, world->def.nx, world->def.ny});
    return RILL_OK;
}

rill_status rill_world_update_ground_mesh(rill_world *world, const rill_ground_mesh *mesh,
                                          const double low[2], const double high[2])
{
    RILL_TRY(rl_world_ground_check(world, "a mesh of the ground"));
    if (world->ground.host.version == 0)
        return rill_fail(RILL_BAD_ARGUMENT, "the ground has no mesh of the host yet that could "
                                            "change; rill_world_set_ground_mesh hands it in");
    if (mesh == NULL || low == NULL || high == NULL)
        return rill_fail(
            RILL_BAD_ARGUMENT,
            "a change of the mesh of the ground needs a mesh and a place, one is NULL");
    int first[2], end[2];
    const int count[2] = {world->def.nx, world->def.ny};
    for (int axis = 0; axis < 2; axis++) {
        if (!(low[axis] <= high[axis]))
            return rill_fail(RILL_BAD_ARGUMENT,
                             "the mesh of the ground changes from %g to %g m "
                             "along %c, the second must not be less",
                             low[axis], high[axis], "xy"[axis]);
        const double cell = (double)world->def.cell_size;
        const double from = floor(low[axis] / cell), to = floor(high[axis] / cell) + 1.0;
        first[axis] = (int)fmin(fmax(from, 0.0), (double)count[axis]);
        end[axis] = (int)fmin(fmax(to, 0.0), (double)count[axis]);
    }
    RILL_TRY(check_mesh(mesh));
    (void)rill_world_ground_mesh(world); // what has changed so far is a version of its own
    RILL_TRY(take_mesh(world, mesh));
    rl_world_ground_touch(&world->ground, (rl_solid_box){first[0], first[1], end[0], end[1]});
    return RILL_OK;
}
