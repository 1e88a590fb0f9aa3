// SPDX-License-Identifier: MIT
// river_model.h - a river for tests, which depends on no river water: a winding bed with a rock in
// it, filled by the `pipes` water at time 0, whose still is then put into patches; and drifting
// waves from a formula.
#pragma once

#include "render/frame/frame_data.h"
#include "render/render_error.h"
#include "render/renderer.h"
#include "tests/kit/worlds.h"

#define RIVER_LEVEL 20.0

typedef double (*river_waves)(double x, double y);

typedef struct river_model river_model;

// Elevation of the ground at a place.
typedef double (*river_ground)(const river_model *m, double x, double y);

struct river_model {
    int nx, ny;
    double cell;
    float *bed, *depth;
    rill_world *world;
    frame_capture *capture;
    frame_data *frame_data;
    wave_particles_memory memory;
    rill_wave_particles wave_particles;
    int *index;
    float *tiles;
};

// The bed falls off from the line that the river runs along, on all sides of a rock.
static inline double river_bed(const river_model *m, double x, double y)
{
    const double length = m->ny * m->cell, wide = 0.16 * m->nx * m->cell;
    const double middle = m->nx * m->cell * (0.5 + 0.18 * sin(6.0 * y / length));
    const double across = fabs(x - middle) / wide;
    const double rock = hypot(x - middle - 0.3 * wide, y - 0.4 * length) / (4.0 * m->cell);
    const double bed = RIVER_LEVEL - 8.0 + 8.0 * across * across;
    return fmin(bed, RIVER_LEVEL + 0.25 * (across - 1.0) * wide + 0.8) + 12.0 * exp(-rock * rock);
}

static inline river_model *river_model_on(int nx, int ny, double cell, river_ground ground)
{
    river_model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->nx = nx;
    m->ny = ny;
    m->cell = cell;
    m->bed = calloc((size_t)nx * (size_t)ny, sizeof *m->bed);
    m->depth = calloc((size_t)nx * (size_t)ny, sizeof *m->depth);
    assert_true(m->bed != NULL && m->depth != NULL);
    for (int n = 0; n < nx * ny; n++) {
        m->bed[n] = (float)ground(m, (n % nx + 0.5) * cell, (n / nx + 0.5) * cell);
        m->depth[n] = fmaxf((float)RIVER_LEVEL - m->bed[n], 0.0f);
    }
    rill_world_def def = grid_def(nx, ny, cell);
    set_ground(&def, m->bed, m->depth);
    m->world = make_world(&def);
    assert_ok(frame_capture_create(m->world, NULL, &m->capture));
    assert_ok(frame_data_create(m->capture, &m->frame_data));
    assert_ok(frame_data_fill(m->capture, m->world, m->frame_data));
    return m;
}

static inline river_model *river_model_make(int nx, int ny, double cell)
{
    return river_model_on(nx, ny, cell, river_bed);
}

static inline void river_model_destroy(river_model **at)
{
    river_model *m = *at;
    frame_data_destroy(&m->frame_data);
    frame_capture_destroy(&m->capture);
    rill_world_destroy(&m->world);
    wave_particles_memory_free(&m->memory);
    free(m->bed);
    free(m->depth);
    free(m->index);
    free(m->tiles);
    free(m);
}

static inline bool river_page_wet(const river_model *m, int pi, int pj, int cells)
{
    for (int n = 0; n < cells * cells; n++) {
        const int i = pi * cells + n % cells, j = pj * cells + n / cells;
        if (i < m->nx && j < m->ny && m->depth[j * m->nx + i] > 0.0f)
            return true;
    }
    return false;
}

// Pages of `cells` x `cells` cells, `texels` along a cell, where there is water.
static inline void river_model_lay_pages(river_model *m, int cells, int texels)
{
    rill_wave_particles *d = &m->wave_particles;
    *d = (rill_wave_particles){.tiles_x = (m->nx + cells - 1) / cells,
                               .tiles_y = (m->ny + cells - 1) / cells,
                               .tile_cells = cells,
                               .tile_side = cells * texels + 2,
                               .texel = (float)(m->cell / texels)};
    free(m->index);
    free(m->tiles);
    m->index = calloc((size_t)d->tiles_x * (size_t)d->tiles_y, sizeof *m->index);
    assert_non_null(m->index);
    for (int n = 0; n < d->tiles_x * d->tiles_y; n++)
        m->index[n] =
            river_page_wet(m, n % d->tiles_x, n / d->tiles_x, cells) ? d->tile_count++ : -1;
    m->tiles = calloc((size_t)d->tile_count * (size_t)d->tile_side * (size_t)d->tile_side,
                      sizeof *m->tiles);
    assert_non_null(m->tiles);
    d->index = m->index;
    d->tiles = m->tiles;
}

static inline void river_model_wave(river_model *m, river_waves waves)
{
    const rill_wave_particles *d = &m->wave_particles;
    const int inside = d->tile_side - 2;
    for (int place = 0; place < d->tiles_x * d->tiles_y; place++) {
        float *tile = m->tiles + (size_t)(m->index[place] < 0 ? 0 : m->index[place]) *
                                     (size_t)d->tile_side * (size_t)d->tile_side;
        for (int n = 0; m->index[place] >= 0 && n < d->tile_side * d->tile_side; n++) {
            const int a = place % d->tiles_x * inside + n % d->tile_side - 1;
            const int b = place / d->tiles_x * inside + n / d->tile_side - 1;
            tile[n] = (float)waves((a + 0.5) * (double)d->texel, (b + 0.5) * (double)d->texel);
        }
    }
}

// Hands the waves to the still, and puts its triangles into patches.
static inline void river_model_take(river_model *m, bool births)
{
    assert_ok(frame_fill_wave_particles(&m->memory, &m->wave_particles, births, m->frame_data));
    if (m->frame_data->carpet.version != 0)
        return;
    const rill_columns columns = rill_world_columns(m->world);
    const double variance = m->frame_data->wave_particles.shown ? 1e-4 : -1.0;
    assert_ok(frame_find_quads(&columns, variance, m->frame_data));
    m->frame_data->carpet.version = 1;
}

// Hands the still over to one that is all zero, and frees the rest.
static inline void river_model_give(river_model *m, frame_data *to)
{
    *to = *m->frame_data;
    free(m->frame_data);
    m->frame_data = NULL;
    river_model_destroy(&m);
}

// Draws into width * height * 3 bytes. Returns the triangles of the river.
static inline size_t river_model_draw(const river_model *m, const rill_view *look,
                                      const shot *asked, bool coarsen, uint8_t *rgb)
{
    SCOPED(renderer) *r = NULL;
    SCOPED(canvas) *paper = NULL;
    const renderer_def def = {.nx = m->nx, .ny = m->ny, .cell_size = (float)m->cell, .view = *look};
    assert_ok(renderer_create(&def, &r));
    assert_ok(canvas_create(asked->width, asked->height, &paper));
    renderer_coarsen(r, coarsen);
    renderer_upload(r, m->frame_data, true);
    shot s = *asked;
    s.target = canvas_framebuffer(paper);
    renderer_draw(r, &s);
    canvas_read(s.target, s.width, s.height, rgb);
    const size_t triangles = renderer_river_triangles(r);
    return triangles;
}
