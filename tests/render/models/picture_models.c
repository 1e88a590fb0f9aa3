// SPDX-License-Identifier: MIT
#include "tests/render/models/picture_models.h"

#include "render/frame/frame_data_solid.h"
#include "render/half.h"
#include "tests/kit/kit.h"
#include "tests/render/models/solid_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define MM 1e-3

// ---- Putting a still together ----------------------------------------------------------

static void *need(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static void begin(frame_data *s, int nx, int ny, double cell)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    s->nx = nx;
    s->ny = ny;
    s->cell_size = (float)cell;
    s->gravity = 9.81f;
    s->wet_depth = (float)(1e-4 * cell);
    s->columns = need(calloc(cells, sizeof *s->columns));
    s->bed = need(calloc(cells, sizeof *s->bed));
    s->ground_version = 1;
}

static void set_ground(frame_data *s, solid_model_distance distance, double top)
{
    solid_model model =
        solid_model_make(distance, s->nx, s->ny, (double)s->cell_size, -1.0 * MM, top);
    if (frame_set_solid(s, &model.mesh) != RILL_OK)
        abort();
    solid_model_free(&model);
}

static uint32_t add_vertex(frame_data *s, const double place[3], const double normal[3],
                           double depth)
{
    void *memory = s->vertices;
    if (frame_grow(&memory, &s->vertex_capacity, s->vertex_count + 1, sizeof *s->vertices) !=
        RILL_OK)
        abort();
    s->vertices = memory;
    frame_vertex *v = &s->vertices[s->vertex_count];
    memset(v, 0, sizeof *v);
    for (int k = 0; k < 3; k++)
        v->position[k] = (float)place[k];
    v->normal[0] = frame_pack_unit((float)normal[0]);
    v->normal[1] = frame_pack_unit((float)normal[1]);
    v->depth = half_from_float((float)fmax(depth, 0.0));
    v->opacity = half_from_float((float)fmin(fmax(depth, 0.0) / (1.0 * MM), 1.0));
    return (uint32_t)s->vertex_count++;
}

static void add_quad(frame_data *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[6] = {a, b, c, a, c, d};
    void *memory = s->indices;
    if (frame_grow(&memory, &s->index_capacity, s->index_count + 6, sizeof *s->indices) != RILL_OK)
        abort();
    s->indices = memory;
    memcpy(&s->indices[s->index_count], corners, sizeof corners);
    s->index_count += 6;
}

// A lattice of `across` x `along` quads; `shape` gives place, normal and depth at parts 0 to 1.
typedef void (*sheet_shape)(double u, double v, double place[3], double normal[3], double *depth);

static void add_sheet(frame_data *s, int across, int along, sheet_shape shape)
{
    const uint32_t first = (uint32_t)s->vertex_count, row = (uint32_t)across + 1;
    for (int j = 0; j <= along; j++)
        for (int i = 0; i <= across; i++) {
            double place[3], normal[3], depth;
            shape((double)i / across, (double)j / along, place, normal, &depth);
            add_vertex(s, place, normal, depth);
        }
    for (uint32_t j = 0; j < (uint32_t)along; j++)
        for (uint32_t i = 0; i < (uint32_t)across; i++) {
            const uint32_t a = first + j * row + i;
            add_quad(s, a, a + 1, a + row + 1, a + row);
        }
}

// ---- Bone ------------------------------------------------------------------------------

static double ball(const double p[3], double x, double y, double z, double radius)
{
    const double dx = p[0] - x, dy = p[1] - y, dz = p[2] - z;
    return sqrt(dx * dx + dy * dy + dz * dz) - radius;
}

static double box(const double p[3], const double low[3], const double high[3])
{
    double most = -1.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(low[k] - p[k], p[k] - high[k]));
    return most;
}

static double bone(const double p[3])
{
    static const double shelf_low[3] = {22 * MM, 20.3 * MM, 15.2 * MM};
    static const double shelf_high[3] = {44.4 * MM, 40 * MM, 18.2 * MM};
    static const double stalk_low[3] = {38.6 * MM, 20.3 * MM, 9 * MM};
    const double x = p[0] - 33 * MM, z = p[2] - 4.5 * MM;
    double d = p[2] - 10.3 * MM;
    d = fmin(d, ball(p, 11 * MM, 21 * MM, 13 * MM, 6.2 * MM));
    d = fmin(d, box(p, shelf_low, shelf_high));
    d = fmin(d, box(p, stalk_low, shelf_high));
    d = fmax(d, 4.2 * MM - sqrt(x * x + z * z));
    return fmax(d, -ball(p, 13 * MM, 7.5 * MM, 11.5 * MM, 6.2 * MM));
}

// Polar, with u outwards: the pool in the bowl.
static void pool(double u, double v, double place[3], double normal[3], double *depth)
{
    const double radius = 5.9 * MM * u, angle = 2.0 * PI * v, level = 9.0 * MM;
    const double below = 6.2 * MM * 6.2 * MM - radius * radius;
    set3(place, 13 * MM + radius * cos(angle), 7.5 * MM + radius * sin(angle), level);
    set3(normal, 0.0, 0.0, 1.0);
    *depth = level - (11.5 * MM - sqrt(fmax(below, 0.0)));
}

// A film that gets thinner towards its edge.
static void film(double u, double v, double place[3], double normal[3], double *depth)
{
    const double angle = 2.0 * PI * v;
    *depth = 0.12 * MM * (1.0 - u * u);
    set3(place, 24 * MM + 5.5 * MM * u * cos(angle), 12 * MM + 6 * MM * u * sin(angle),
         10.31 * MM + *depth);
    set3(normal, 0.0, 0.0, 1.0);
}

// A sheet that hangs from the shelf down to the film.
static void hanging(double u, double v, double place[3], double normal[3], double *depth)
{
    *depth = 0.4 * MM * sin(PI * u);
    set3(place, 25 * MM + 5 * MM * u, 20 * MM - 1.0 * MM * sin(PI * v), (17 - 6.7 * v) * MM);
    set3(normal, 0.25 * (u - 0.5), -1.0, 0.0);
}

static void stream(double u, double v, double place[3], double normal[3], double *depth)
{
    set3(place, (29.5 + 7.0 * u) * MM, 27 * MM * v, 2.6 * MM);
    set3(normal, 0.0, 0.0, 1.0);
    *depth = 2.2 * MM * (1.0 - pow(fabs(2.0 * u - 1.0), 2.0));
}

static void add_pane(frame_data *s)
{
    static const float corners[6][2] = {{29.5f, 0.0f}, {36.5f, 0.0f}, {36.5f, 2.6f},
                                        {29.5f, 0.0f}, {36.5f, 2.6f}, {29.5f, 2.6f}};
    s->panes = need(calloc(6, sizeof *s->panes));
    s->pane_count = s->pane_capacity = 6;
    for (int k = 0; k < 6; k++)
        s->panes[k] = (frame_pane){
            .position = {corners[k][0] * 1e-3f, 2e-5f, corners[k][1] * 1e-3f},
            .level = 2.6e-3f,
            .facing = {0.0f, -1.0f},
        };
}

rill_view picture_model_bone(frame_data *s)
{
    static const rill_camera_key eye = {.position = {8 * MM, -36 * MM, 38 * MM},
                                        .target = {24 * MM, 12 * MM, 8 * MM},
                                        .field_of_view = 38.0};
    begin(s, 48, 27, 1.0 * MM);
    set_ground(s, bone, 20 * MM);
    add_sheet(s, 8, 32, pool);
    add_sheet(s, 8, 32, film);
    add_sheet(s, 12, 6, hanging);
    s->has_curtains = true;
    add_sheet(s, 12, 12, stream);
    add_pane(s);
    rill_view look = rill_default_view();
    rill_liquid_find("blood", &look.liquid);
    look.ground = RILL_GROUND_BONE;
    look.backdrop = RILL_BACKDROP_STUDIO;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}

rill_view picture_model_table(frame_data *s)
{
    static const rill_camera_key eye = {.position = {52 * MM, -30 * MM, 34 * MM},
                                        .target = {24 * MM, 13 * MM, 9 * MM},
                                        .field_of_view = 40.0};
    rill_view look = picture_model_bone(s);
    // Something has been spilt on the near corner and wiped away.
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const double wet = 1.5 - hypot(i - 40.0, j - 9.0) / 6.0;
            s->bed[j * s->nx + i] = (float)(10.3 * MM);
            s->columns[j * s->nx + i].wetness = half_from_float((float)fmin(fmax(wet, 0.0), 1.0));
        }
    rill_liquid_find("coffee", &look.liquid);
    look.ground = RILL_GROUND_WOOD;
    look.backdrop = RILL_BACKDROP_SKY;
    look.time_of_day = 15.5;
    look.heading = 200.0;
    look.camera = &eye;
    return look;
}

// ---- Meniscus --------------------------------------------------------------------------

#define BASIN (7.0 * MM) // radius
#define LEVEL (4.4 * MM)

static double basin(const double p[3])
{
    const double x = p[0] - 10 * MM, y = p[1] - 10 * MM;
    const double hole = fmax(sqrt(x * x + y * y) - BASIN, 1.2 * MM - p[2]);
    return fmax(p[2] - 6.2 * MM, -hole);
}

static void brew(double u, double v, double place[3], double normal[3], double *depth)
{
    const double radius = 7.2 * MM * u, angle = 2.0 * PI * v;
    set3(place, 10 * MM + radius * cos(angle), 10 * MM + radius * sin(angle), LEVEL);
    set3(normal, 0.0, 0.0, 1.0);
    *depth = LEVEL - 1.2 * MM;
}

rill_view picture_model_flat(frame_data *s)
{
    static const rill_camera_key eye = {.position = {10 * MM, -14 * MM, 20 * MM},
                                        .target = {10 * MM, 8.6 * MM, 4 * MM},
                                        .field_of_view = 36.0};
    begin(s, 40, 40, 0.5 * MM);
    set_ground(s, basin, 8 * MM);
    add_sheet(s, 36, 64, brew);
    rill_view look = rill_default_view();
    rill_liquid_find("coffee", &look.liquid);
    look.ground = RILL_GROUND_PLASTER;
    look.backdrop = RILL_BACKDROP_STUDIO;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}

rill_view picture_model_meniscus(frame_data *s)
{
    const rill_view look = picture_model_flat(s);
    s->meniscus = need(calloc(s->vertex_count, sizeof *s->meniscus));
    s->meniscus_capacity = s->vertex_count;
    s->has_meniscus = true;
    for (size_t n = 0; n < s->vertex_count; n++) {
        const double x = (double)s->vertices[n].position[0] - 10 * MM;
        const double y = (double)s->vertices[n].position[1] - 10 * MM;
        const double radius = hypot(x, y), share = 1.0 - (BASIN - radius) / (2.8 * MM);
        // The contact angle of 20 degrees at an upright wall tilts the normal by 70.
        s->meniscus[n] = (frame_meniscus){
            .direction = {frame_pack_unit((float)(x / fmax(radius, 1e-9))),
                          frame_pack_unit((float)(y / fmax(radius, 1e-9)))},
            .angle = half_from_float((float)(70.0 * PI / 180.0)),
            .share = half_from_float((float)fmin(fmax(share, 0.0), 1.0)),
        };
    }
    return look;
}
