// SPDX-License-Identifier: MIT
// map_scene.h - small countries for the tests of the map picture, and questions to its pixels.
#pragma once

#include "scene/map/map.h"
#include "tests/kit/kit.h"

// --- Scenes ------------------------------------------------------------------------------------

typedef struct scene {
    int nx, ny;
    float *ground, *depth, *velocity_x, *velocity_y;
    rl_map_input input;
} scene;

static inline scene scene_create(int nx, int ny, float cell_size)
{
    const size_t n = (size_t)nx * (size_t)ny;
    scene s = {.nx = nx, .ny = ny};
    s.ground = calloc(4 * n, sizeof(float));
    assert_non_null(s.ground);
    s.depth = s.ground + n;
    s.velocity_x = s.depth + n;
    s.velocity_y = s.velocity_x + n;
    const size_t pitch = (size_t)nx;
    s.input = (rl_map_input){.ground = {s.ground, nx, ny, pitch},
                             .depth = {s.depth, nx, ny, pitch},
                             .velocity_x = {s.velocity_x, nx, ny, pitch},
                             .velocity_y = {s.velocity_y, nx, ny, pitch},
                             .cell_size = cell_size,
                             .wet_depth = 1e-3f,
                             .time = 12.5,
                             .title = "A map"};
    return s;
}

static inline void scene_destroy(scene *s)
{
    free(s->ground);
}

static inline size_t at(const scene *s, int i, int j)
{
    return (size_t)j * (size_t)s->nx + (size_t)i;
}

static inline void make_hills(scene *s)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const float x = (float)i * 0.21f, y = (float)j * 0.17f;
            s->ground[at(s, i, j)] = 40.0f * sinf(x) * cosf(y) + 9.0f * sinf(3.1f * x + y);
        }
}

// A cone with its tip at (cx, cy) cells, of `slope` metres a cell, filled to radius `shore` cells.
static inline void make_bowl(scene *s, float cx, float cy, float slope, float shore)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const float r = hypotf((float)i + 0.5f - cx, (float)j + 0.5f - cy);
            s->ground[at(s, i, j)] = slope * r;
            s->depth[at(s, i, j)] = r < shore ? slope * (shore - r) : 0.0f;
        }
}

static inline rl_image draw(const scene *s, const rl_map_style *style)
{
    rl_image image;
    assert_int_equal(rl_map_draw(NULL, &s->input, style, &image), RILL_OK);
    assert_non_null(image.rgb);
    return image;
}

static inline rl_image draw_default(const scene *s)
{
    const rl_map_style style = rl_default_map_style();
    return draw(s, &style);
}

// --- Pixels ------------------------------------------------------------------------------------

static inline const uint8_t *pixel(const rl_image *m, int x, int y)
{
    assert_true(x >= 0 && x < m->width && y >= 0 && y < m->height);
    return m->rgb + 3 * ((size_t)y * (size_t)m->width + (size_t)x);
}

// The pixel of the map above the middle of cell (i, j).
static inline const uint8_t *cell_pixel(const rl_image *m, const scene *s, int i, int j)
{
    const float x = ((float)i + 0.5f) / (float)s->nx, y = 1.0f - ((float)j + 0.5f) / (float)s->ny;
    return pixel(m, m->map_x + (int)(x * (float)m->map_width),
                 m->map_y + (int)(y * (float)m->map_height));
}

static inline int blueness(const uint8_t *p)
{
    return (int)p[2] - (int)p[0];
}

static inline int lightness(const uint8_t *p)
{
    return 3 * (int)p[0] + 6 * (int)p[1] + (int)p[2];
}

static inline bool is_dark(const uint8_t *p)
{
    return lightness(p) < 1100;
}

static inline bool is_white(const uint8_t *p)
{
    return p[0] == 255 && p[1] == 255 && p[2] == 255;
}

static inline int count_dark(const rl_image *m, int x0, int y0, int x1, int y1)
{
    int count = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            count += is_dark(pixel(m, x, y));
    return count;
}

// The rows in which two pictures of one size differ.
static inline void rows_that_differ(const rl_image *a, const rl_image *b, int *first, int *last)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    *first = a->height;
    *last = -1;
    const size_t row = 3 * (size_t)a->width;
    for (int y = 0; y < a->height; y++)
        if (memcmp(a->rgb + (size_t)y * row, b->rgb + (size_t)y * row, row) != 0) {
            *first = y < *first ? y : *first;
            *last = y;
        }
}
