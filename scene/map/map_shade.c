// SPDX-License-Identifier: MIT
// map_shade.c - ground and water as colours. The picture is sampled row by row; at each sample the
// fields are cubic B-splines through the cells (smooth in slope, so that magnified hills show no
// facets), shore and contours are lines of constant value drawn to sub-pixel precision by value
// over slope, and a pixel is the mean of its samples.
#include "scene/map/map_parts.h"

#include <math.h>
#include <string.h>

// Hill shade: light from the north-west at 45 degrees, softened by light from west, north and
// above.
#define FROM_NORTH_WEST 0.5f
#define FROM_WEST       0.2f
#define FROM_NORTH      0.2f
#define FROM_ABOVE      0.1f
#define ROOT_HALF       0.70710678f
#define LEVEL_LIGHT     ((FROM_NORTH_WEST + FROM_WEST + FROM_NORTH) * ROOT_HALF + FROM_ABOVE)

#define AMBIENCE      0.13f // how much hollows and ridges change the light
#define WATER_OPACITY 0.96f // of deep water
#define WATER_SHADE   0.45f // how much slopes of the surface show, of what slopes of ground do
#define RAMP_SIZE     1024
#define CELL_MARGIN   16 // floats before and after a row of cells

static const rl_rgb shadow = {0.40f, 0.375f, 0.37f}; // what the darkest slope keeps of its tint
static const rl_rgb shore_ink = {24.0f, 72.0f, 120.0f};
static const rl_rgb contour_ink = {112.0f, 84.0f, 56.0f};

// Where a column or row of samples lies between cells: weights of the cells first - 1 to first + 2
// for the value and for the slope per cell.
typedef struct spline {
    int first;
    float value[4], slope[4];
} spline;

// Place in the coarse ambience grid.
typedef struct linear {
    int first, second;
    float t;
} linear;

// One row of samples.
enum { Z, ZX, ZY, W, WX, WY, FILL, FILM, AMBIENCE_AT, SAMPLE_ARRAYS };

// One row of cells, blended from four.
enum { ROW_Z, ROW_ZY, ROW_W, ROW_WY, ROW_FILL, ROW_FILM, CELL_ARRAYS };

typedef struct painter {
    const rl_map_grid *grid;
    const rl_map_scales *scales;
    int columns, rows; // samples
    int density;       // samples along a pixel's side
    float cells_per_pixel;
    float line_scale;
    rl_rgb tint[RAMP_SIZE], depth[RAMP_SIZE];

    spline *column_spline;
    linear *column_linear;
    float *samples[SAMPLE_ARRAYS];
    float *cells[CELL_ARRAYS]; // cell 0 of each; two ghosts before and after
    float *ambience;           // a row of the coarse grid
    rl_rgb *sums;              // a row of pixels
} painter;

// --- Sampling ----------------------------------------------------------------------------------

// The cubic B-spline and its slope at `position` cells from the grid's edge.
static spline spline_at(float position)
{
    const float x = position - 0.5f, below = floorf(x), t = x - below, s = 1.0f - t;
    spline p = {.first = (int)below};
    p.value[0] = s * s * s / 6.0f;
    p.value[1] = (4.0f - 6.0f * t * t + 3.0f * t * t * t) / 6.0f;
    p.value[2] = (4.0f - 6.0f * s * s + 3.0f * s * s * s) / 6.0f;
    p.value[3] = t * t * t / 6.0f;
    p.slope[0] = -0.5f * s * s;
    p.slope[1] = 1.5f * t * t - 2.0f * t;
    p.slope[2] = 2.0f * s - 1.5f * s * s;
    p.slope[3] = 0.5f * t * t;
    return p;
}

static linear linear_at(float position, int n)
{
    float x = position - 0.5f;
    x = x > 0.0f ? x : 0.0f;
    const int first = (int)x < n - 1 ? (int)x : n - 1;
    const float t = x - (float)first;
    return (linear){first, first + 1 < n ? first + 1 : first, t < 1.0f ? t : 1.0f};
}

// A spline reaches two cells past the last whole cell; the map never asks for more.
static int clamp_inside(int first, int n)
{
    return first < -1 ? -1 : first > n - 1 ? n - 1 : first;
}

static void blend_cells(float *restrict out, const float *a, const float *b, const float *c,
                        const float *d, const float *w, int n)
{
    const float w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    for (int i = -2; i < n + 2; i++)
        out[i] = w0 * a[i] + w1 * b[i] + w2 * c[i] + w3 * d[i];
}

static void blend_field(const rill_field *field, const spline *s, float *value, float *slope)
{
    const float *a = rill_field_row(field, s->first - 1), *b = rill_field_row(field, s->first);
    const float *c = rill_field_row(field, s->first + 1), *d = rill_field_row(field, s->first + 2);
    blend_cells(value, a, b, c, d, s->value, field->nx);
    if (slope != NULL)
        blend_cells(slope, a, b, c, d, s->slope, field->nx);
}

static float across(const float *cells, const float *w)
{
    return w[0] * cells[-1] + w[1] * cells[0] + w[2] * cells[1] + w[3] * cells[2];
}

// Fills one row of samples; row 0 is the northern edge.
static void sample_row(painter *p, int row)
{
    const rl_map_grid *g = p->grid;
    const float y = g->extent_y * (1.0f - ((float)row + 0.5f) / (float)p->rows);
    spline s = spline_at(y);
    s.first = clamp_inside(s.first, g->ny);
    blend_field(&g->ground, &s, p->cells[ROW_Z], p->cells[ROW_ZY]);
    blend_field(&g->water, &s, p->cells[ROW_W], p->cells[ROW_WY]);
    blend_field(&g->fill, &s, p->cells[ROW_FILL], NULL);
    blend_field(&g->film, &s, p->cells[ROW_FILM], NULL);
    const linear l = linear_at(y / g->ambience_step, g->ambience.ny);
    const float *low = rill_field_row(&g->ambience, l.first);
    const float *high = rill_field_row(&g->ambience, l.second);
    for (int i = 0; i < g->ambience.nx; i++)
        p->ambience[i] = low[i] + (high[i] - low[i]) * l.t;

    for (int k = 0; k < p->columns; k++) {
        const spline *c = &p->column_spline[k];
        const int i = c->first;
        p->samples[Z][k] = across(p->cells[ROW_Z] + i, c->value);
        p->samples[ZX][k] = across(p->cells[ROW_Z] + i, c->slope);
        p->samples[ZY][k] = across(p->cells[ROW_ZY] + i, c->value);
        p->samples[W][k] = across(p->cells[ROW_W] + i, c->value);
        p->samples[WX][k] = across(p->cells[ROW_W] + i, c->slope);
        p->samples[WY][k] = across(p->cells[ROW_WY] + i, c->value);
        p->samples[FILL][k] = across(p->cells[ROW_FILL] + i, c->value);
        p->samples[FILM][k] = across(p->cells[ROW_FILM] + i, c->value);
        const linear *m = &p->column_linear[k];
        p->samples[AMBIENCE_AT][k] =
            p->ambience[m->first] + (p->ambience[m->second] - p->ambience[m->first]) * m->t;
    }
}

// --- Colours -----------------------------------------------------------------------------------

// Light on a slope, 1 on level ground. Slopes are exaggerated, m/m; y is north.
static float light_on(float slope_x, float slope_y)
{
    const float shorten = 1.0f / sqrtf(1.0f + slope_x * slope_x + slope_y * slope_y);
    const float north_west = 0.5f * (slope_x - slope_y) + ROOT_HALF;
    const float west = ROOT_HALF * (1.0f + slope_x), north = ROOT_HALF * (1.0f - slope_y);
    const float sum = FROM_NORTH_WEST * (north_west > 0.0f ? north_west : 0.0f) +
                      FROM_WEST * (west > 0.0f ? west : 0.0f) +
                      FROM_NORTH * (north > 0.0f ? north : 0.0f) + FROM_ABOVE;
    return sum * shorten / LEVEL_LIGHT;
}

static rl_rgb lit(rl_rgb colour, float light)
{
    if (light >= 1.0f) {
        const float t = light - 1.0f < 0.5f ? 1.1f * (light - 1.0f) : 0.55f;
        return rl_rgb_mix(colour, (rl_rgb){255.0f, 255.0f, 255.0f}, t);
    }
    const float t = light > 0.0f ? light : 0.0f;
    return (rl_rgb){colour.r * (shadow.r + (1.0f - shadow.r) * t),
                    colour.g * (shadow.g + (1.0f - shadow.g) * t),
                    colour.b * (shadow.b + (1.0f - shadow.b) * t)};
}

static rl_rgb from_ramp(const rl_rgb *ramp, float t)
{
    return ramp[(int)(rl_clamp_unit(t) * (RAMP_SIZE - 1) + 0.5f)];
}

// How much of a line of constant value this sample holds: `value` away from the line's, changing by
// `slope` per pixel.
static float line_cover(float value, float slope, float half_width, int density)
{
    // Far from the line, or on a plateau at the line's own height.
    if (!(fabsf(value) < (half_width + 1.0f) * slope))
        return 0.0f;
    return rl_clamp_unit((half_width - fabsf(value) / slope) * (float)density + 0.5f);
}

static rl_rgb draw_contour(const painter *p, rl_rgb colour, float z, float slope, float strength)
{
    const float interval = p->scales->contour_interval;
    // Where contours would touch each other they fade, index contours last.
    const float spacing = slope > 0.0f ? interval / (slope * p->line_scale) : 1e9f;
    const float number = floorf(z / interval + 0.5f);
    const bool index = fabsf(number - 5.0f * floorf(number / 5.0f + 0.5f)) < 0.5f;
    const float fade = rl_clamp_unit((spacing * (index ? 5.0f : 1.0f) - 2.5f) * 0.25f);
    const float half = (index ? 0.55f : 0.38f) * p->line_scale;
    const float cover = line_cover(z - number * interval, slope, half, p->density);
    return rl_rgb_mix(colour, contour_ink, cover * fade * strength * (index ? 0.55f : 0.36f));
}

static rl_rgb ground_colour(const painter *p, int k, float *slope_per_pixel)
{
    const rl_map_scales *s = p->scales;
    const float zx = p->samples[ZX][k], zy = p->samples[ZY][k], z = p->samples[Z][k];
    const float steep = s->exaggeration / p->grid->cell_size;
    const float relief = s->ground_max - s->ground_min;
    const float t = relief > 0.0f ? (z - s->ground_min) / relief : 0.4f;
    const float light =
        light_on(zx * steep, zy * steep) * (1.0f + AMBIENCE * p->samples[AMBIENCE_AT][k]);
    *slope_per_pixel = sqrtf(zx * zx + zy * zy) * p->cells_per_pixel;
    return lit(from_ramp(p->tint, t), light);
}

// Water with a shore. Beside its shores a narrow stream's spline is lower than the stream is deep;
// a third of the way up it counts as the full depth.
static rl_rgb water_colour(const painter *p, int k)
{
    const float water = 3.0f * p->samples[W][k], fill = p->samples[FILL][k];
    const float steep = p->scales->exaggeration / p->grid->cell_size;
    const float light = light_on((p->samples[ZX][k] + p->samples[WX][k]) * steep,
                                 (p->samples[ZY][k] + p->samples[WY][k]) * steep);
    const float position = rl_depth_position(p->scales, water < fill ? water : fill);
    return lit(from_ramp(p->depth, position), 1.0f + WATER_SHADE * (light - 1.0f));
}

// Half covered where the shore runs through the sample; all or nothing where there is no slope.
static float shore_cover(const painter *p, float water, float slope)
{
    if (fabsf(water) < slope)
        return rl_clamp_unit(water / slope * (float)p->density + 0.5f);
    return water > 0.0f ? 1.0f : 0.0f;
}

// The dark line along the water's edge, fainter where a pixel is more than a few cells wide. On
// land the signed depth is only as good as a guess; where no wet cell is near there is no shore.
static float shore_line(const painter *p, int k, float water, float slope)
{
    const float strength = 0.25f + 0.3f * rl_clamp_unit(0.25f / p->cells_per_pixel);
    const float near = p->samples[FILM][k] - 0.15f * p->grid->shore_depth;
    const float line = line_cover(water, slope, 0.5f * p->line_scale, p->density);
    return line * strength * rl_clamp_unit(8.0f * near / p->grid->shore_depth);
}

static rl_rgb sample_colour(const painter *p, int k)
{
    float ground_slope;
    rl_rgb colour = ground_colour(p, k, &ground_slope);
    const float water = p->samples[W][k];
    const float wx = p->samples[WX][k], wy = p->samples[WY][k];
    const float slope = sqrtf(wx * wx + wy * wy) * p->cells_per_pixel;
    const float opacity = rl_water_opacity(p->scales, p->samples[FILL][k]);
    const float wash = rl_water_opacity(p->scales, p->samples[FILM][k]);
    const float wet = shore_cover(p, water, slope) * opacity;
    if (p->scales->contour_interval > 0.0f && wet < 1.0f)
        colour = draw_contour(p, colour, p->samples[Z][k], ground_slope, 1.0f - wet);
    if (wash > 0.0f && wet < 1.0f)
        colour = rl_rgb_mix(colour, p->depth[0], wash * WATER_OPACITY * (1.0f - wet));
    if (wet > 0.0f)
        colour = rl_rgb_mix(colour, water_colour(p, k), wet * WATER_OPACITY);
    if (opacity > 0.0f)
        colour = rl_rgb_mix(colour, shore_ink, opacity * shore_line(p, k, water, slope));
    return colour;
}

// --- Whole -------------------------------------------------------------------------------------

static void paint_pixel_row(painter *p, int row, uint8_t *out)
{
    const int width = p->columns / p->density;
    memset(p->sums, 0, (size_t)width * sizeof *p->sums);
    for (int sub = 0; sub < p->density; sub++) {
        sample_row(p, row * p->density + sub);
        for (int k = 0; k < p->columns; k++) {
            const rl_rgb c = sample_colour(p, k);
            rl_rgb *sum = &p->sums[k / p->density];
            sum->r += c.r;
            sum->g += c.g;
            sum->b += c.b;
        }
    }
    const float part = 1.0f / (float)(p->density * p->density);
    for (int x = 0; x < width; x++) {
        const rl_rgb s = p->sums[x];
        const rl_colour c = rl_colour_of((rl_rgb){s.r * part, s.g * part, s.b * part});
        out[3 * x] = c.r;
        out[3 * x + 1] = c.g;
        out[3 * x + 2] = c.b;
    }
}

// The next `count * size` bytes of a block; with no block yet it only counts.
static void *take(char *block, size_t *used, size_t count, size_t size)
{
    void *memory = block == NULL ? NULL : block + *used;
    *used += (count * size + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT * RILL_ALIGNMENT;
    return memory;
}

// Lays all row buffers out in `block` and returns how many bytes they need.
static size_t place_buffers(painter *p, char *block)
{
    size_t used = 0;
    const size_t columns = (size_t)p->columns, cells = (size_t)p->grid->nx + 2 * CELL_MARGIN;
    p->column_spline = take(block, &used, columns, sizeof(spline));
    p->column_linear = take(block, &used, columns, sizeof(linear));
    for (int i = 0; i < SAMPLE_ARRAYS; i++)
        p->samples[i] = take(block, &used, columns, sizeof(float));
    for (int i = 0; i < CELL_ARRAYS; i++) {
        float *row = take(block, &used, cells, sizeof(float));
        p->cells[i] = row == NULL ? NULL : row + CELL_MARGIN;
    }
    p->ambience = take(block, &used, (size_t)p->grid->ambience.nx, sizeof(float));
    p->sums = take(block, &used, columns, sizeof(rl_rgb));
    return used;
}

static void prepare_tables(painter *p)
{
    for (int i = 0; i < RAMP_SIZE; i++) {
        p->tint[i] = rl_ramp_colour(RL_RAMP_GROUND, (float)i / (RAMP_SIZE - 1));
        p->depth[i] = rl_ramp_colour(RL_RAMP_DEPTH, (float)i / (RAMP_SIZE - 1));
    }
    for (int k = 0; k < p->columns; k++) {
        const float x = p->grid->extent_x * ((float)k + 0.5f) / (float)p->columns;
        p->column_spline[k] = spline_at(x);
        p->column_spline[k].first = clamp_inside(p->column_spline[k].first, p->grid->nx);
        p->column_linear[k] = linear_at(x / p->grid->ambience_step, p->grid->ambience.nx);
    }
}

bool rl_map_paint(rl_map *map)
{
    const rl_image *image = &map->image;
    painter *p = rill_alloc(map->allocator, sizeof *p);
    if (p == NULL)
        return false;
    p->grid = &map->grid;
    p->scales = &map->scales;
    p->line_scale = map->layout.scale;
    p->cells_per_pixel = map->grid.extent_x / (float)image->map_width;
    // Magnified cells need no second sample: all edges are anti-aliased by themselves.
    const int enough = p->cells_per_pixel <= 0.51f ? 1 : 2;
    p->density = map->style->supersample > 0 ? map->style->supersample : enough;
    p->columns = image->map_width * p->density;
    p->rows = image->map_height * p->density;
    const size_t bytes = place_buffers(p, NULL);
    char *block = rill_alloc(map->allocator, bytes);
    if (block != NULL) {
        place_buffers(p, block);
        prepare_tables(p);
        for (int y = 0; y < image->map_height; y++) {
            const size_t pixel = (size_t)(image->map_y + y) * (size_t)image->width;
            paint_pixel_row(p, y, image->rgb + 3 * (pixel + (size_t)image->map_x));
        }
    }
    rill_free(map->allocator, block, bytes);
    rill_free(map->allocator, p, sizeof *p);
    return block != NULL;
}
