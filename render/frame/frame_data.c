// SPDX-License-Identifier: MIT
// frame_data.c - taking stills: the mesh of the water packed to 24 bytes a vertex, the columns as a
// texture, the ground when it has changed. What is special about solid ground is in
// frame_data_solid.c.
#include "render/frame/frame_data.h"

#include "render/frame/frame_data_particles.h"
#include "render/frame/frame_data_solid.h"
#include "render/half.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Seconds after which ground that the water has left looks 37 % as wet: as sand on a warm day.
#define DRYING_TIME 40.0
// Metres: the least thickness in which a river is drawn.
#define RIVER_THICKNESS 0.04f

struct still_taker {
    rill_surface *surface;
    int nx, ny;
    float *wetness;    // nx * ny
    double time;       // of the last still; negative before the first
    int first_cell[2]; // of the last still
    uint64_t ground_version;
    uint64_t mesh_version;  // of the world's solid ground as it was last seen
    uint64_t solid_version; // of stills: a world made anew may count from 1 again
    body_maker *bodies;
    bool river; // its level stands
    carpet_memory carpet;
    drift_memory drift;
    bool births;
};

// Depth at which a fiftieth of what is below is left of the light that gets through best.
static double hiding_depth(const rill_view *view)
{
    if (view->opaque_depth > 0.0)
        return view->opaque_depth;
    double least = 1e30;
    for (int k = 0; k < 3; k++) {
        const double a = 2.0 * (double)view->liquid.absorption[k];
        const double s = (double)view->liquid.scattering[k];
        least = fmin(least, sqrt(a * (a + 2.0 * s)));
    }
    return fmin(fmax(0.5 * log(50.0) / fmax(least, 1e-9), 1e-6), 1e6);
}

static rill_surface_def surface_def_for(const rill_view *view)
{
    rill_surface_def def = rill_default_surface_def();
    if (view == NULL)
        return def;
    def.opaque_depth = (float)hiding_depth(view);
    def.meniscus_length = (float)view->meniscus;
    def.contact_angle = (float)view->contact_angle;
    return def;
}

rill_status still_taker_create(rill_world *world, const rill_view *view, still_taker **out)
{
    *out = NULL;
    const rill_field_view bed = rill_world_bed(world);
    still_taker *taker = calloc(1, sizeof *taker);
    float *wetness = calloc((size_t)bed.nx * (size_t)bed.ny, sizeof *wetness);
    if (taker == NULL || wetness == NULL) {
        free(taker);
        free(wetness);
        return trouble(RILL_NO_MEMORY, "no memory for pictures of %d x %d cells", bed.nx, bed.ny);
    }
    *taker = (still_taker){.nx = bed.nx, .ny = bed.ny, .wetness = wetness, .time = -1.0};
    taker->ground_version = 1;
    taker->river = rill_world_river_path(world) != NULL;
    rill_world_origin(world, &taker->first_cell[0], &taker->first_cell[1]);
    rill_surface_def def = surface_def_for(view);
    // With cells of ten metres a part of their size would float visibly above shallow places, and
    // the ground along the shore is drawn as it is.
    if (taker->river)
        def.minimum_thickness =
            fminf(def.minimum_thickness, RIVER_THICKNESS / rill_world_cell_size(world));
    rill_status status = rill_surface_create(world, &def, &taker->surface);
    status = status == RILL_OK ? body_maker_create(&taker->bodies) : trouble_from_rill(status);
    if (status != RILL_OK)
        still_taker_destroy(&taker);
    *out = taker;
    return status;
}

void still_taker_destroy(still_taker **taker)
{
    if (taker == NULL || *taker == NULL)
        return;
    rill_surface_destroy(&(*taker)->surface);
    body_maker_destroy(&(*taker)->bodies);
    carpet_memory_free(&(*taker)->carpet);
    drift_memory_free(&(*taker)->drift);
    free((*taker)->wetness);
    free(*taker);
    *taker = NULL;
}

void still_taker_ground_changed(still_taker *taker)
{
    taker->ground_version++;
    taker->mesh_version = 0;
}

void still_taker_show_births(still_taker *taker, bool shown)
{
    taker->births = shown;
}

rill_status still_create(const still_taker *taker, still **out)
{
    const size_t cells = (size_t)taker->nx * (size_t)taker->ny;
    still *s = calloc(1, sizeof *s);
    *out = s;
    if (s != NULL) {
        s->nx = taker->nx;
        s->ny = taker->ny;
        s->columns = calloc(cells, sizeof *s->columns);
        s->bed = calloc(cells, sizeof *s->bed);
    }
    if (s == NULL || s->columns == NULL || s->bed == NULL) {
        still_destroy(out);
        return trouble(RILL_NO_MEMORY, "no memory for a still of %d x %d cells", taker->nx,
                       taker->ny);
    }
    return RILL_OK;
}

void still_destroy(still **s)
{
    if (s == NULL || *s == NULL)
        return;
    free((*s)->vertices);
    free((*s)->indices);
    free((*s)->columns);
    free((*s)->bed);
    free((*s)->meniscus);
    free((*s)->ground_vertices);
    free((*s)->ground_indices);
    free((*s)->boxes);
    free((*s)->panes);
    free((*s)->particles);
    still_free_waves(&(*s)->waves);
    still_free_drift(&(*s)->drift);
    still_free_carpet(&(*s)->carpet);
    still_free_bodies(&(*s)->bodies);
    free(*s);
    *s = NULL;
}

// ---- Taking ----------------------------------------------------------------------------

static void pack_vertices(const rill_vertex *from, size_t count, still_vertex *to)
{
    for (size_t n = 0; n < count; n++) {
        memcpy(to[n].position, from[n].position, sizeof to[n].position);
        to[n].normal[0] = still_pack_unit(from[n].normal[0]);
        to[n].normal[1] = still_pack_unit(from[n].normal[1]);
        to[n].velocity[0] = half_from_float(from[n].velocity[0]);
        to[n].velocity[1] = half_from_float(from[n].velocity[1]);
        to[n].depth = half_from_float(from[n].depth);
        to[n].opacity = half_from_float(from[n].opacity);
    }
}

static rill_status take_meniscus(const rill_mesh *mesh, still *s)
{
    s->has_meniscus = mesh->meniscus != NULL;
    if (!s->has_meniscus)
        return RILL_OK;
    void *memory = s->meniscus;
    const rill_status status =
        still_grow(&memory, &s->meniscus_capacity, mesh->vertex_count, sizeof *s->meniscus);
    s->meniscus = memory;
    for (size_t n = 0; status == RILL_OK && n < mesh->vertex_count; n++) {
        const rill_meniscus *from = &mesh->meniscus[n];
        s->meniscus[n] = (still_meniscus){
            .direction = {still_pack_unit(from->direction[0]), still_pack_unit(from->direction[1])},
            .angle = half_from_float(from->angle),
            .share = half_from_float(from->share),
        };
    }
    return status;
}

// Only over a solid ground is there an edge that liquid can hang from.
static bool has_sheets(const still *s)
{
    const int32_t upright = (int32_t)(0.98 * 32767.0);
    for (size_t n = 0; s->solid_version != 0 && n < s->vertex_count; n++) {
        const int32_t x = s->vertices[n].normal[0], y = s->vertices[n].normal[1];
        if (x * x + y * y > upright * upright)
            return true;
    }
    return false;
}

static rill_status take_mesh(still_taker *taker, rill_world *world, still *s)
{
    rill_status status = rill_surface_build(taker->surface, world);
    if (status != RILL_OK)
        return trouble_from_rill(status);
    const rill_mesh mesh = rill_surface_mesh(taker->surface);
    void *vertices = s->vertices, *indices = s->indices;
    status = still_grow(&vertices, &s->vertex_capacity, mesh.vertex_count, sizeof *s->vertices);
    s->vertices = vertices;
    if (status == RILL_OK)
        status = still_grow(&indices, &s->index_capacity, mesh.index_count, sizeof *s->indices);
    s->indices = indices;
    if (status != RILL_OK)
        return status;
    pack_vertices(mesh.vertices, mesh.vertex_count, s->vertices);
    if (taker->river)
        status = carpet_notice(&taker->carpet, &mesh);
    const bool known = taker->river && s->carpet.version == taker->carpet.version;
    if (status != RILL_OK || known) // then the triangles are there, in the order of the patches
        return status;
    s->carpet.version = 0;
    if (mesh.index_count > 0)
        memcpy(s->indices, mesh.indices, mesh.index_count * sizeof *s->indices);
    s->vertex_count = mesh.vertex_count;
    s->index_count = mesh.index_count;
    return take_meniscus(&mesh, s);
}

#define RUN 32 // columns of a row that are looked at together

// Where no column of a run has water or had it lately: most of a country with a river is dry.
static bool all_dry(const float *depth, const float *wetness, int count)
{
    int any = 0;
    for (int i = 0; i < count; i++)
        any |= (depth[i] != 0.0f) | (wetness[i] != 0.0f);
    return any == 0;
}

// Columns of a run, first of which is number `at` of its row in `c`.
static void take_run(const rill_columns *c, size_t at, int count, float keep, float *wetness,
                     still_column *to)
{
    const float quarter = 0.25f / c->wet_depth;
    const float *depth = c->depth + at;
    const float *velocity_x = c->velocity_x + at, *velocity_y = c->velocity_y + at;
    for (int i = 0; i < count; i++) {
        // A film makes the ground damp; what washes the soil away is four times as deep.
        const float film = depth[i] * quarter;
        const float damp = film < 1.0f ? film * (2.0f - film) : 1.0f;
        const float dried = wetness[i] * keep;
        wetness[i] = dried > damp ? dried : damp;
        to[i].depth = half_from_float(depth[i]);
        to[i].velocity[0] = half_from_float(velocity_x[i]);
        to[i].velocity[1] = half_from_float(velocity_y[i]);
        to[i].wetness = half_from_float(wetness[i]);
    }
}

// `keep` is what ground without water keeps of its wetness until now.
static void take_columns(still_taker *taker, const rill_columns *c, float keep, still *s)
{
    for (int j = 0; j < c->ny; j++)
        for (int i = 0; i < c->nx; i += RUN) {
            const int count = i + RUN < c->nx ? RUN : c->nx - i;
            const size_t at = (size_t)j * c->pitch + (size_t)i;
            const size_t cell = (size_t)j * (size_t)c->nx + (size_t)i;
            if (all_dry(c->depth + at, taker->wetness + cell, count))
                memset(&s->columns[cell], 0, (size_t)count * sizeof *s->columns);
            else
                take_run(c, at, count, keep, taker->wetness + cell, &s->columns[cell]);
        }
}

// The ground itself: columns may stand on bodies.
static void take_bed(const still_taker *taker, const rill_world *world, still *s)
{
    if (s->ground_version == taker->ground_version)
        return;
    const rill_field_view bed = rill_world_bed(world);
    for (int j = 0; j < bed.ny; j++)
        memcpy(s->bed + (size_t)j * (size_t)bed.nx, bed.data + (size_t)j * bed.pitch,
               (size_t)bed.nx * sizeof *s->bed);
    s->ground_version = taker->ground_version;
}

static rill_status take_solid(still_taker *taker, rill_world *world, still *s)
{
    rill_ground_mesh mesh = rill_world_ground_mesh(world);
    if (mesh.version == 0)
        return RILL_OK;
    if (mesh.version != taker->mesh_version) {
        // The floors of the open columns go with the solid.
        still_taker_ground_changed(taker);
        taker->mesh_version = mesh.version;
        taker->solid_version++;
    }
    mesh.version = taker->solid_version;
    return mesh.version == s->solid_version ? RILL_OK : still_set_solid(s, &mesh);
}

static rill_status take_waves(rill_world *world, const rill_columns *columns, still *s)
{
    const rill_waves waves = rill_world_waves(world);
    return still_take_waves(&waves, columns, s);
}

// Waves that drift, and the patches of the river that they are on.
static rill_status take_river(still_taker *taker, rill_world *world, const rill_columns *columns,
                              still *s)
{
    if (!taker->river)
        return RILL_OK;
    const rill_wave_particles drift = rill_world_wave_particles(world);
    rill_status status = still_take_drift(&taker->drift, &drift, taker->births, s);
    if (status != RILL_OK || s->carpet.version == taker->carpet.version)
        return status;
    const double variance = s->drift.shown ? fmax(drift.texture.variance, 0.0) : -1.0;
    status = still_find_quads(columns, variance, s);
    if (status == RILL_OK)
        s->carpet.version = taker->carpet.version;
    return status;
}

// Wet ground stays where it is in the country when the grid moves on by (di, dj) cells.
static void move_wetness(still_taker *taker, int di, int dj)
{
    const int nx = taker->nx, ny = taker->ny;
    const size_t shared = abs(di) < nx ? (size_t)(nx - abs(di)) : 0;
    for (int n = 0; n < ny; n++) {
        const int j = dj > 0 ? n : ny - 1 - n, from = j + dj;
        float *row = taker->wetness + (size_t)j * (size_t)nx;
        const bool known = from >= 0 && from < ny && shared > 0;
        const float *old = taker->wetness + (size_t)(known ? from : 0) * (size_t)nx;
        if (known)
            memmove(row + (di < 0 ? -di : 0), old + (di > 0 ? di : 0), shared * sizeof *row);
        for (int i = 0; i < nx; i++)
            if (!known || i + di < 0 || i + di >= nx)
                row[i] = 0.0f;
    }
}

static void take_origin(still_taker *taker, const rill_world *world, still *s)
{
    rill_world_origin(world, &s->first_cell[0], &s->first_cell[1]);
    const int di = s->first_cell[0] - taker->first_cell[0];
    const int dj = s->first_cell[1] - taker->first_cell[1];
    for (int k = 0; k < 2; k++) {
        s->origin[k] = s->first_cell[k] * (double)s->cell_size;
        taker->first_cell[k] = s->first_cell[k];
    }
    if (di == 0 && dj == 0)
        return;
    move_wetness(taker, di, dj);
    still_taker_ground_changed(taker);
}

static rill_status take_particles(const rill_world *world, still *s)
{
    const rill_particles particles = rill_world_particles(world);
    return still_set_particles(s, &particles);
}

rill_status still_take(still_taker *taker, rill_world *world, still *s)
{
    const rill_columns columns = rill_world_drawn_columns(world);
    if (columns.nx != taker->nx || columns.ny != taker->ny)
        return trouble(RILL_BAD_ARGUMENT, "stills of %d x %d cells cannot show a world of %d x %d",
                       taker->nx, taker->ny, columns.nx, columns.ny);
    rill_status status = take_mesh(taker, world, s);
    if (status == RILL_OK)
        status = take_solid(taker, world, s);
    if (status == RILL_OK)
        status = still_take_panes(&columns, s);
    s->has_sheets = has_sheets(s);
    if (status != RILL_OK)
        return status;
    s->time = rill_world_time(world);
    // A world that was put back to an earlier time starts a history of its own.
    const double passed = taker->time < 0.0 ? 0.0 : s->time - taker->time;
    s->frame = passed > 0.0 ? passed : 0.0;
    if (passed < 0.0)
        memset(taker->wetness, 0, (size_t)taker->nx * (size_t)taker->ny * sizeof(float));
    taker->time = s->time;
    s->cell_size = columns.cell_size;
    s->gravity = rill_world_gravity(world);
    s->wet_depth = columns.wet_depth;
    take_origin(taker, world, s);
    take_columns(taker, &columns, (float)exp(-s->frame / DRYING_TIME), s);
    take_bed(taker, world, s);
    status = take_waves(world, &columns, s);
    if (status == RILL_OK)
        status = take_river(taker, world, &columns, s);
    if (status != RILL_OK)
        return status;
    s->step = rill_world_last_step(world);
    s->ledger = rill_world_ledger(world);
    s->stats = rill_world_stats(world);
    status = take_particles(world, s);
    return status == RILL_OK ? still_take_bodies(taker->bodies, world, s) : status;
}

// ---- Looking into a still --------------------------------------------------------------

rill_probe still_probe(const still *s, double x, double y)
{
    const double u = fmin(fmax(x / (double)s->cell_size - 0.5, 0.0), s->nx - 1.0);
    const double v = fmin(fmax(y / (double)s->cell_size - 0.5, 0.0), s->ny - 1.0);
    const int i = (int)fmin(u, s->nx - 2.0), j = (int)fmin(v, s->ny - 2.0);
    const float a = (float)(u - i), b = (float)(v - j);
    const float weights[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
    rill_probe probe = {0};
    for (int k = 0; k < 4; k++) {
        const size_t cell = (size_t)(j + k / 2) * (size_t)s->nx + (size_t)(i + k % 2);
        const still_column *column = &s->columns[cell];
        probe.base += weights[k] * s->bed[cell];
        probe.depth += weights[k] * half_to_float(column->depth);
        probe.velocity_x += weights[k] * half_to_float(column->velocity[0]);
        probe.velocity_y += weights[k] * half_to_float(column->velocity[1]);
    }
    probe.level = probe.base + probe.depth;
    probe.wet = probe.depth > s->wet_depth;
    return probe;
}

void still_place_camera(const still *s, const rill_view *view, camera *eye)
{
    const still_body *body =
        view->camera_body > 0 ? still_find_body(s, (uint32_t)view->camera_body) : NULL;
    double shift[3] = {0.0, 0.0, 0.0};
    if (body != NULL)
        memcpy(shift, body->position, sizeof shift);
    else if (view->camera_in_full_terrain != 0)
        for (int k = 0; k < 2; k++)
            shift[k] = -s->origin[k];
    for (int k = 0; k < 3; k++) {
        eye->position[k] += shift[k];
        eye->target[k] += shift[k];
    }
}

camera still_camera(const still *s, const rill_view *view, double time)
{
    camera eye = camera_on_path(view->camera, view->camera_count, time);
    still_place_camera(s, view, &eye);
    return eye;
}

static double height_above(const still *s, const double origin[3], const double direction[3],
                           double t)
{
    const double x = origin[0] + t * direction[0], y = origin[1] + t * direction[1];
    return origin[2] + t * direction[2] - (double)still_probe(s, x, y).level;
}

// The part of the ray above the world's rectangle. False when there is none.
static bool clip_to_world(const still *s, const double origin[3], const double direction[3],
                          double *near, double *far)
{
    const double size[2] = {s->nx * (double)s->cell_size, s->ny * (double)s->cell_size};
    *near = 0.0;
    *far = 1e12;
    for (int k = 0; k < 2; k++) {
        if (fabs(direction[k]) < 1e-12) {
            if (origin[k] < 0.0 || origin[k] > size[k])
                return false;
            continue;
        }
        const double a = -origin[k] / direction[k], b = (size[k] - origin[k]) / direction[k];
        *near = fmax(*near, fmin(a, b));
        *far = fmin(*far, fmax(a, b));
    }
    return *near < *far;
}

bool still_hit(const still *s, const double origin[3], const double direction[3], double hit[3])
{
    if (s->solid_version != 0)
        return still_hit_solid(s, origin, direction, hit);
    double near, far;
    if (!clip_to_world(s, origin, direction, &near, &far))
        return false;
    const double level_speed = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    // Half a cell at a time; a ray straight down meets the ground within one step of any length.
    const double step = 0.5 * (double)s->cell_size / fmax(level_speed, 1e-3);
    double t = near;
    if (height_above(s, origin, direction, t) < 0.0)
        return false;
    int steps_left = 4 * (s->nx + s->ny); // all that the diagonal can take; a ray may point up
    while (t < far && steps_left > 0 && height_above(s, origin, direction, t + step) > 0.0) {
        t += step;
        steps_left--;
    }
    if (t >= far || steps_left == 0)
        return false;
    double low = t, high = t + step;
    for (int k = 0; k < 30; k++) {
        const double middle = 0.5 * (low + high);
        if (height_above(s, origin, direction, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    for (int k = 0; k < 3; k++)
        hit[k] = origin[k] + low * direction[k];
    return true;
}
