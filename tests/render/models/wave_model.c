// SPDX-License-Identifier: MIT
#include "tests/render/models/wave_model.h"

#include "render/frame/frame_data_solid.h"
#include "render/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI    3.14159265358979323846
#define WAVES 36

static void *need(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

// ---- Texture ---------------------------------------------------------------------------

static void add_wave(wave_model_sea *sea, double tile, int a, int b, double slope, double phase,
                     double chop)
{
    const double kx = 2.0 * PI * a / tile, ky = 2.0 * PI * b / tile, k = hypot(kx, ky);
    const double height = slope / k;
    for (int n = 0; n < WAVE_MODEL_SIZE * WAVE_MODEL_SIZE; n++) {
        const double x = n % WAVE_MODEL_SIZE * tile / WAVE_MODEL_SIZE;
        const double y = n / WAVE_MODEL_SIZE * tile / WAVE_MODEL_SIZE;
        const double c = cos(kx * x + ky * y + phase), s = sin(kx * x + ky * y + phase);
        sea->height[n] += (float)(height * c);
        sea->shift_x[n] -= (float)(chop * kx / k * height * s);
        sea->shift_y[n] -= (float)(chop * ky / k * height * s);
        sea->slope_x[n] -= (float)(kx * height * s);
        sea->slope_y[n] -= (float)(ky * height * s);
    }
    sea->view.variance += 0.5 * height * height;
}

void wave_model_make_sea(double tile, double steepness, double chop, wave_model_sea *sea)
{
    *sea = (wave_model_sea){0};
    const double slope = steepness * sqrt(2.0 / WAVES);
    for (int n = 0; n < WAVES; n++) {
        const double angle = 2.399963 * n; // the golden angle: evenly around
        const int a = (int)lround((3.0 + n % 6) * cos(angle));
        const int b = (int)lround((3.0 + n % 6) * sin(angle));
        add_wave(sea, tile, a, b, slope, 1.7 * n, chop);
    }
    sea->view.size = WAVE_MODEL_SIZE;
    sea->view.tile = tile;
    sea->view.height = sea->height;
    sea->view.shift_x = sea->shift_x;
    sea->view.shift_y = sea->shift_y;
    sea->view.slope_x = sea->slope_x;
    sea->view.slope_y = sea->slope_y;
}

// ---- Water -----------------------------------------------------------------------------

static double place_of(int point, int nx, double cell)
{
    return fmin(fmax((point - 0.5) * cell, 0.0), nx * cell);
}

static void put_vertex(frame_data *s, int i, int j, wave_model_height bed, wave_model_height level)
{
    const double cell = (double)s->cell_size, step = 0.01 * cell;
    const double x = place_of(i, s->nx, cell), y = place_of(j, s->ny, cell);
    const double sx = (level(x + step, y) - level(x - step, y)) / (2.0 * step);
    const double sy = (level(x, y + step) - level(x, y - step)) / (2.0 * step);
    const double length = sqrt(1.0 + sx * sx + sy * sy);
    const double depth = fmax(level(x, y) - bed(x, y), 0.0);
    s->vertices[s->vertex_count++] = (frame_vertex){
        .position = {(float)x, (float)y, (float)level(x, y)},
        .normal = {frame_pack_unit((float)(-sx / length)), frame_pack_unit((float)(-sy / length))},
        .depth = half_from_float((float)depth),
        .opacity = half_from_float(1.0f),
    };
}

static void put_quads(frame_data *s)
{
    const uint32_t row = (uint32_t)s->nx + 2;
    for (uint32_t j = 0; j + 1 < row; j++)
        for (uint32_t i = 0; i + 1 < row; i++) {
            const uint32_t a = j * row + i;
            const uint32_t corners[6] = {a, a + 1, a + row + 1, a, a + row + 1, a + row};
            memcpy(&s->indices[s->index_count], corners, sizeof corners);
            s->index_count += 6;
        }
}

frame_data *wave_model_still(int nx, double cell, wave_model_height bed, wave_model_height level)
{
    const size_t cells = (size_t)nx * (size_t)nx, points = (size_t)(nx + 2) * (size_t)(nx + 2);
    frame_data *s = need(calloc(1, sizeof *s));
    *s = (frame_data){.nx = nx, .ny = nx, .cell_size = (float)cell, .gravity = 9.81f};
    s->wet_depth = (float)(1e-4 * cell);
    s->ground_version = 1;
    s->columns = need(calloc(cells, sizeof *s->columns));
    s->bed = need(calloc(cells, sizeof *s->bed));
    s->vertices = need(calloc(points, sizeof *s->vertices));
    s->indices = need(calloc(6 * points, sizeof *s->indices));
    s->vertex_capacity = points;
    s->index_capacity = 6 * points;
    for (int j = 0; j < nx + 2; j++)
        for (int i = 0; i < nx + 2; i++)
            put_vertex(s, i, j, bed, level);
    put_quads(s);
    for (size_t n = 0; n < cells; n++) {
        const double x = ((double)(n % (size_t)nx) + 0.5) * cell;
        const double y = ((double)(n / (size_t)nx) + 0.5) * cell;
        s->bed[n] = (float)bed(x, y);
        const float depth = (float)fmax(level(x, y) - bed(x, y), 0.0);
        s->columns[n].depth = half_from_float(depth);
        s->columns[n].wetness = half_from_float(depth > 0.0f ? 1.0f : 0.0f);
    }
    return s;
}

void wave_model_add(frame_data *s, const wave_model_sea *sea, float weight, float advected)
{
    wave_model_add_sets(s, sea, weight, (const float[3]){advected, advected, advected},
                        (const float[3]){0.5f, 0.3f, 0.2f});
}

void wave_model_add_sets(frame_data *s, const wave_model_sea *sea, float weight,
                         const float advected[3], const float blend[3])
{
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    float *zero = need(calloc(cells, sizeof *zero)),
          *weights = need(calloc(cells, sizeof *weights));
    float *depth = need(calloc(cells, sizeof *depth)),
          *away = need(calloc(3 * cells, sizeof *away));
    for (size_t n = 0; n < cells; n++) {
        weights[n] = weight;
        for (size_t k = 0; k < 3; k++)
            away[k * cells + n] = advected[k];
        depth[n] = half_to_float(s->columns[n].depth);
    }
    const rill_waves waves = {.texture = sea->view,
                              .nx = s->nx,
                              .ny = s->ny,
                              .pitch = (size_t)s->nx,
                              .s = {away, away + cells, away + 2 * cells},
                              .t = {zero, zero, zero},
                              .weight = weights,
                              .blend = {blend[0], blend[1], blend[2]}};
    const rill_columns columns = {.nx = s->nx, .ny = s->ny, .pitch = (size_t)s->nx, .depth = depth};
    if (frame_fill_waves(&waves, &columns, s) != RILL_OK)
        abort();
    free(zero);
    free(weights);
    free(depth);
    free(away);
}

// ---- Pictures --------------------------------------------------------------------------

void wave_model_draw(const frame_data *s, const rill_view *look, const shot *asked, uint8_t *rgb)
{
    const renderer_def def = {.nx = s->nx, .ny = s->ny, .cell_size = s->cell_size, .view = *look};
    renderer *r = NULL;
    canvas *paper = NULL;
    if (renderer_create(&def, &r) != RILL_OK ||
        canvas_create(asked->width, asked->height, &paper) != RILL_OK)
        abort();
    renderer_upload(r, s, true);
    shot taken = *asked;
    taken.target = canvas_framebuffer(paper);
    taken.samples = taken.samples > 0 ? taken.samples : 1;
    renderer_draw(r, &taken);
    canvas_read(taken.target, asked->width, asked->height, rgb);
    canvas_destroy(&paper);
    renderer_destroy(&r);
}

// ---- Golden images ---------------------------------------------------------------------

static void take_over(frame_data *made, frame_data *s)
{
    *s = *made;
    free(made);
}

static double island(double x, double y)
{
    const double away = hypot(x - 30.0, y - 34.0);
    return -6.0 + 9.0 * exp(-away * away / 180.0);
}

static double calm_sea(double x, double y)
{
    return 0.12 * sin(0.5 * x + 0.7 * y);
}

rill_view wave_model_ocean(frame_data *s)
{
    static const rill_camera_key eye = {
        .position = {52.0, -14.0, 7.0}, .target = {28.0, 34.0, 0.5}, .field_of_view = 50.0};
    static wave_model_sea sea;
    take_over(wave_model_still(64, 1.0, island, calm_sea), s);
    wave_model_make_sea(16.0, 0.08, 1.0, &sea);
    wave_model_add(s, &sea, 1.0f, 0.0f);
    s->time = 7.0;
    rill_view look = rill_default_view();
    rill_liquid_find("sea", &look.liquid);
    look.ground = RILL_GROUND_SAND;
    look.open_sea = rill_default_sea_def();
    look.open_sea.size = 128;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}

static double shelf(double x, double y)
{
    (void)x;
    return -0.5 - 0.05 * y;
}

static double swell(double x, double y)
{
    return 0.1 * sin(0.9 * y + 0.3 * x);
}

rill_view wave_model_ripples(frame_data *s)
{
    static const rill_camera_key eye = {
        .position = {14.0, 1.0, 1.6}, .target = {17.0, 12.0, 0.0}, .field_of_view = 50.0};
    static wave_model_sea sea;
    take_over(wave_model_still(32, 1.0, shelf, swell), s);
    wave_model_make_sea(8.0, 0.14, 1.0, &sea);
    wave_model_add(s, &sea, 0.8f, 1.3f);
    rill_view look = rill_default_view();
    rill_liquid_find("clear", &look.liquid);
    look.ground = RILL_GROUND_SAND;
    look.time_of_day = 16.0;
    look.heading = 260.0;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}
