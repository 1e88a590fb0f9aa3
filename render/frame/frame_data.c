// SPDX-License-Identifier: MIT
// frame_data.c - fills frame data: the mesh of the water packed to 24 bytes a vertex, the columns
// as a texture, the ground when it has changed. The part for solid ground is in frame_data_solid.c.
#include "render/frame/frame_data.h"

#include "render/frame/frame_data_particles.h"
#include "render/frame/frame_data_solid.h"
#include "render/half.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Seconds after which ground that the water has left is 37 % as wet: as sand on a warm day.
#define WETNESS_TIME 40.0

struct frame_capture {
    rill_surface *surface;
    int nx, ny;
    float *wetness;    // nx * ny
    double time;       // of the last frame data; negative before the first
    int first_cell[2]; // of the last frame data
    uint64_t ground_version;
    uint64_t mesh_version;  // of the world's solid ground when it was last read
    uint64_t solid_version; // of frame data: a world made anew may count from 1 again
    body_maker *bodies;
    bool river; // the level of the water does not move
    carpet_memory carpet;
    wave_particles_memory wave_particles;
    bool births;
};

rill_status frame_capture_create(rill_world *world, const rill_view *view, frame_capture **out)
{
    *out = NULL;
    const rill_field_view bed = rill_world_bed(world);
    frame_capture *capture = calloc(1, sizeof *capture);
    float *wetness = calloc((size_t)bed.nx * (size_t)bed.ny, sizeof *wetness);
    if (capture == NULL || wetness == NULL) {
        free(capture);
        free(wetness);
        return render_fail(RILL_NO_MEMORY, "no memory for pictures of %d x %d cells", bed.nx,
                           bed.ny);
    }
    *capture = (frame_capture){.nx = bed.nx, .ny = bed.ny, .wetness = wetness, .time = -1.0};
    capture->ground_version = 1;
    capture->river = rill_world_river_path(world) != NULL;
    rill_world_origin(world, &capture->first_cell[0], &capture->first_cell[1]);
    const rill_surface_def def = rill_view_surface_def(view, world);
    rill_status status = rill_surface_create(world, &def, &capture->surface);
    status =
        status == RILL_OK ? body_maker_create(&capture->bodies) : render_fail_from_rill(status);
    if (status != RILL_OK)
        frame_capture_destroy(&capture);
    *out = capture;
    return status;
}

void frame_capture_destroy(frame_capture **capture)
{
    if (capture == NULL || *capture == NULL)
        return;
    rill_surface_destroy(&(*capture)->surface);
    body_maker_destroy(&(*capture)->bodies);
    carpet_memory_free(&(*capture)->carpet);
    wave_particles_memory_free(&(*capture)->wave_particles);
    free((*capture)->wetness);
    free(*capture);
    *capture = NULL;
}

void frame_capture_ground_changed(frame_capture *capture)
{
    capture->ground_version++;
    capture->mesh_version = 0;
}

void frame_capture_show_births(frame_capture *capture, bool shown)
{
    capture->births = shown;
}

rill_status frame_data_create(const frame_capture *capture, frame_data **out)
{
    const size_t cells = (size_t)capture->nx * (size_t)capture->ny;
    frame_data *s = calloc(1, sizeof *s);
    *out = s;
    if (s != NULL) {
        s->nx = capture->nx;
        s->ny = capture->ny;
        s->columns = calloc(cells, sizeof *s->columns);
        s->bed = calloc(cells, sizeof *s->bed);
    }
    if (s == NULL || s->columns == NULL || s->bed == NULL) {
        frame_data_destroy(out);
        return render_fail(RILL_NO_MEMORY, "no memory for frame data of %d x %d cells", capture->nx,
                           capture->ny);
    }
    return RILL_OK;
}

void frame_data_destroy(frame_data **s)
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
    frame_free_waves(&(*s)->waves);
    frame_free_wave_particles(&(*s)->wave_particles);
    frame_free_carpet(&(*s)->carpet);
    frame_free_bodies(&(*s)->bodies);
    free(*s);
    *s = NULL;
}

// ---- Filling ---------------------------------------------------------------------------

static void pack_vertices(const rill_vertex *from, size_t count, frame_vertex *to)
{
    for (size_t n = 0; n < count; n++) {
        memcpy(to[n].position, from[n].position, sizeof to[n].position);
        to[n].normal[0] = frame_pack_unit(from[n].normal[0]);
        to[n].normal[1] = frame_pack_unit(from[n].normal[1]);
        to[n].velocity[0] = half_from_float(from[n].velocity[0]);
        to[n].velocity[1] = half_from_float(from[n].velocity[1]);
        to[n].depth = half_from_float(from[n].depth);
        to[n].opacity = half_from_float(from[n].opacity);
    }
}

static rill_status take_meniscus(const rill_mesh *mesh, frame_data *s)
{
    s->has_meniscus = mesh->meniscus != NULL;
    if (!s->has_meniscus)
        return RILL_OK;
    void *memory = s->meniscus;
    const rill_status status =
        frame_grow(&memory, &s->meniscus_capacity, mesh->vertex_count, sizeof *s->meniscus);
    s->meniscus = memory;
    for (size_t n = 0; status == RILL_OK && n < mesh->vertex_count; n++) {
        const rill_meniscus *from = &mesh->meniscus[n];
        s->meniscus[n] = (frame_meniscus){
            .direction = {frame_pack_unit(from->direction[0]), frame_pack_unit(from->direction[1])},
            .angle = half_from_float(from->angle),
            .share = half_from_float(from->weight),
        };
    }
    return status;
}

// Only over a solid ground is there an edge from which liquid can hang.
static bool has_curtains(const frame_data *s)
{
    const int32_t upright = (int32_t)(0.98 * 32767.0);
    for (size_t n = 0; s->solid_version != 0 && n < s->vertex_count; n++) {
        const int32_t x = s->vertices[n].normal[0], y = s->vertices[n].normal[1];
        if (x * x + y * y > upright * upright)
            return true;
    }
    return false;
}

static rill_status take_mesh(frame_capture *capture, rill_world *world, frame_data *s)
{
    rill_status status = rill_surface_build(capture->surface, world);
    if (status != RILL_OK)
        return render_fail_from_rill(status);
    const rill_mesh mesh = rill_surface_mesh(capture->surface);
    void *vertices = s->vertices, *indices = s->indices;
    status = frame_grow(&vertices, &s->vertex_capacity, mesh.vertex_count, sizeof *s->vertices);
    s->vertices = vertices;
    if (status == RILL_OK)
        status = frame_grow(&indices, &s->index_capacity, mesh.index_count, sizeof *s->indices);
    s->indices = indices;
    if (status != RILL_OK)
        return status;
    pack_vertices(mesh.vertices, mesh.vertex_count, s->vertices);
    if (capture->river)
        status = carpet_notice(&capture->carpet, &mesh);
    const bool known = capture->river && s->carpet.version == capture->carpet.version;
    if (status != RILL_OK || known) // the triangles are there already, in the order of the patches
        return status;
    s->carpet.version = 0;
    if (mesh.index_count > 0)
        memcpy(s->indices, mesh.indices, mesh.index_count * sizeof *s->indices);
    s->vertex_count = mesh.vertex_count;
    s->index_count = mesh.index_count;
    return take_meniscus(&mesh, s);
}

#define RUN 32 // columns of a row that are tested together

// Returns true when no column of a run has water or had it lately: most of a terrain with a river
// is dry.
static bool all_dry(const float *depth, const float *wetness, int count)
{
    int any = 0;
    for (int i = 0; i < count; i++)
        any |= (depth[i] != 0.0f) | (wetness[i] != 0.0f);
    return any == 0;
}

// Fills the columns of a run, first of which is number `at` of its row in `c`.
static void take_run(const rill_columns *c, size_t at, int count, float left, float *wetness,
                     frame_column *to)
{
    const float quarter = 0.25f / c->wet_depth;
    const float *depth = c->depth + at;
    const float *velocity_x = c->velocity_x + at, *velocity_y = c->velocity_y + at;
    for (int i = 0; i < count; i++) {
        // A film makes the ground damp; what washes the soil away is four times as deep.
        const float film = depth[i] * quarter;
        const float damp = film < 1.0f ? film * (2.0f - film) : 1.0f;
        const float dried = wetness[i] * left;
        wetness[i] = dried > damp ? dried : damp;
        to[i].depth = half_from_float(depth[i]);
        to[i].velocity[0] = half_from_float(velocity_x[i]);
        to[i].velocity[1] = half_from_float(velocity_y[i]);
        to[i].wetness = half_from_float(wetness[i]);
    }
}

// Fills a row of columns. Dry ground has `left` of its wetness left since the last frame data.
static void take_columns(frame_capture *capture, const rill_columns *c, float left, frame_data *s)
{
    for (int j = 0; j < c->ny; j++)
        for (int i = 0; i < c->nx; i += RUN) {
            const int count = i + RUN < c->nx ? RUN : c->nx - i;
            const size_t at = (size_t)j * c->pitch + (size_t)i;
            const size_t cell = (size_t)j * (size_t)c->nx + (size_t)i;
            if (all_dry(c->depth + at, capture->wetness + cell, count))
                memset(&s->columns[cell], 0, (size_t)count * sizeof *s->columns);
            else
                take_run(c, at, count, left, capture->wetness + cell, &s->columns[cell]);
        }
}

// Copies the ground itself: columns may stand on bodies.
static void take_bed(const frame_capture *capture, const rill_world *world, frame_data *s)
{
    if (s->ground_version == capture->ground_version)
        return;
    const rill_field_view bed = rill_world_bed(world);
    for (int j = 0; j < bed.ny; j++)
        memcpy(s->bed + (size_t)j * (size_t)bed.nx, bed.data + (size_t)j * bed.pitch,
               (size_t)bed.nx * sizeof *s->bed);
    s->ground_version = capture->ground_version;
}

static rill_status take_solid(frame_capture *capture, rill_world *world, frame_data *s)
{
    rill_ground_mesh mesh = rill_world_ground_mesh(world);
    if (mesh.version == 0)
        return RILL_OK;
    if (mesh.version != capture->mesh_version) {
        // The floors of the open columns belong to the solid.
        frame_capture_ground_changed(capture);
        capture->mesh_version = mesh.version;
        capture->solid_version++;
    }
    mesh.version = capture->solid_version;
    return mesh.version == s->solid_version ? RILL_OK : frame_set_solid(s, &mesh);
}

static rill_status take_waves(rill_world *world, const rill_columns *columns, frame_data *s)
{
    const rill_waves waves = rill_world_waves(world);
    return frame_fill_waves(&waves, columns, s);
}

// Fills the wave particles, and the patches of the river that they are on.
static rill_status take_river(frame_capture *capture, rill_world *world,
                              const rill_columns *columns, frame_data *s)
{
    if (!capture->river)
        return RILL_OK;
    const rill_wave_particles particles = rill_world_wave_particles(world);
    rill_status status =
        frame_fill_wave_particles(&capture->wave_particles, &particles, capture->births, s);
    if (status != RILL_OK || s->carpet.version == capture->carpet.version)
        return status;
    const double variance = s->wave_particles.shown ? fmax(particles.texture.variance, 0.0) : -1.0;
    status = frame_find_quads(columns, variance, s);
    if (status == RILL_OK)
        s->carpet.version = capture->carpet.version;
    return status;
}

// Moves the wetness with the ground when the domain moves by (di, dj) cells.
static void move_wetness(frame_capture *capture, int di, int dj)
{
    const int nx = capture->nx, ny = capture->ny;
    const size_t shared = abs(di) < nx ? (size_t)(nx - abs(di)) : 0;
    for (int n = 0; n < ny; n++) {
        const int j = dj > 0 ? n : ny - 1 - n, from = j + dj;
        float *row = capture->wetness + (size_t)j * (size_t)nx;
        const bool known = from >= 0 && from < ny && shared > 0;
        const float *old = capture->wetness + (size_t)(known ? from : 0) * (size_t)nx;
        if (known)
            memmove(row + (di < 0 ? -di : 0), old + (di > 0 ? di : 0), shared * sizeof *row);
        for (int i = 0; i < nx; i++)
            if (!known || i + di < 0 || i + di >= nx)
                row[i] = 0.0f;
    }
}

static void take_origin(frame_capture *capture, const rill_world *world, frame_data *s)
{
    rill_world_origin(world, &s->first_cell[0], &s->first_cell[1]);
    const int di = s->first_cell[0] - capture->first_cell[0];
    const int dj = s->first_cell[1] - capture->first_cell[1];
    for (int k = 0; k < 2; k++) {
        s->origin[k] = s->first_cell[k] * (double)s->cell_size;
        capture->first_cell[k] = s->first_cell[k];
    }
    if (di == 0 && dj == 0)
        return;
    move_wetness(capture, di, dj);
    frame_capture_ground_changed(capture);
}

static rill_status take_particles(const rill_world *world, frame_data *s)
{
    const rill_particles particles = rill_world_particles(world);
    return frame_set_particles(s, &particles);
}

rill_status frame_data_fill(frame_capture *capture, rill_world *world, frame_data *s)
{
    const rill_columns columns = rill_world_drawn_columns(world);
    if (columns.nx != capture->nx || columns.ny != capture->ny)
        return render_fail(RILL_BAD_ARGUMENT,
                           "frame data of %d x %d cells cannot show a world of %d x %d",
                           capture->nx, capture->ny, columns.nx, columns.ny);
    rill_status status = take_mesh(capture, world, s);
    if (status == RILL_OK)
        status = take_solid(capture, world, s);
    if (status == RILL_OK)
        status = frame_fill_panes(&columns, s);
    s->has_curtains = has_curtains(s);
    if (status != RILL_OK)
        return status;
    s->time = rill_world_time(world);
    // A world that was put back to an earlier time starts a history of its own.
    const double passed = capture->time < 0.0 ? 0.0 : s->time - capture->time;
    s->frame = passed > 0.0 ? passed : 0.0;
    if (passed < 0.0)
        memset(capture->wetness, 0, (size_t)capture->nx * (size_t)capture->ny * sizeof(float));
    capture->time = s->time;
    s->cell_size = columns.cell_size;
    s->gravity = rill_world_gravity(world);
    s->wet_depth = columns.wet_depth;
    take_origin(capture, world, s);
    take_columns(capture, &columns, (float)exp(-s->frame / WETNESS_TIME), s);
    take_bed(capture, world, s);
    status = take_waves(world, &columns, s);
    if (status == RILL_OK)
        status = take_river(capture, world, &columns, s);
    if (status != RILL_OK)
        return status;
    s->step = rill_world_last_step(world);
    s->ledger = rill_world_ledger(world);
    s->stats = rill_world_stats(world);
    status = take_particles(world, s);
    return status == RILL_OK ? frame_fill_bodies(capture->bodies, world, s) : status;
}

// ---- Queries ---------------------------------------------------------------------------

rill_probe frame_data_probe(const frame_data *s, double x, double y)
{
    const double u = fmin(fmax(x / (double)s->cell_size - 0.5, 0.0), s->nx - 1.0);
    const double v = fmin(fmax(y / (double)s->cell_size - 0.5, 0.0), s->ny - 1.0);
    const int i = (int)fmin(u, s->nx - 2.0), j = (int)fmin(v, s->ny - 2.0);
    const float a = (float)(u - i), b = (float)(v - j);
    const float weights[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
    rill_probe probe = {0};
    for (int k = 0; k < 4; k++) {
        const size_t cell = (size_t)(j + k / 2) * (size_t)s->nx + (size_t)(i + k % 2);
        const frame_column *column = &s->columns[cell];
        probe.base += weights[k] * s->bed[cell];
        probe.depth += weights[k] * half_to_float(column->depth);
        probe.velocity_x += weights[k] * half_to_float(column->velocity[0]);
        probe.velocity_y += weights[k] * half_to_float(column->velocity[1]);
    }
    probe.level = probe.base + probe.depth;
    probe.wet = probe.depth > s->wet_depth;
    return probe;
}

void frame_data_place_camera(const frame_data *s, const rill_view *view, camera *eye)
{
    const frame_body *body =
        view->camera_body > 0 ? frame_find_body(s, (uint32_t)view->camera_body) : NULL;
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

camera frame_data_camera(const frame_data *s, const rill_view *view, double time)
{
    camera eye = camera_on_path(view->camera, view->camera_count, time);
    frame_data_place_camera(s, view, &eye);
    return eye;
}

static double height_above(const frame_data *s, const double origin[3], const double direction[3],
                           double t)
{
    const double x = origin[0] + t * direction[0], y = origin[1] + t * direction[1];
    return origin[2] + t * direction[2] - (double)frame_data_probe(s, x, y).level;
}

// Clips the ray to the world's rectangle. Returns false when nothing is left.
static bool clip_to_world(const frame_data *s, const double origin[3], const double direction[3],
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

bool frame_data_hit(const frame_data *s, const double origin[3], const double direction[3],
                    double hit[3])
{
    if (s->solid_version != 0)
        return frame_data_hit_solid(s, origin, direction, hit);
    double near, far;
    if (!clip_to_world(s, origin, direction, &near, &far))
        return false;
    const double level_speed = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    // The search advances half a cell at a time; a ray straight down meets the ground within one
    // step of any length.
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
