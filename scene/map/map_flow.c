// SPDX-License-Identifier: MIT
// map_flow.c - arrows of the flow: one in each square of a regular net, where there is water that
// moves. Length and colour tell the speed; a dark rim keeps them readable on light and dark.
#include "scene/map/map_parts.h"

#include <math.h>

#define SPACING 28.0f  // pixels between arrows, at scale 1
#define SLOWEST 0.015f // part of the top speed below which nothing is drawn
// Distance of drawn flow from a shore.
#define OFF_SHORE_PIXELS 4.0f
#define OFF_SHORE_CELLS  0.15f
#define LEAST_COVER      0.2f // opacity below which a film needs no arrows

const rl_colour rl_flow_rim = {26, 44, 66};

static float bilinear(const rill_field *field, int i, int j, float tx, float ty)
{
    const float *low = rill_field_row(field, j) + i, *high = rill_field_row(field, j + 1) + i;
    const float a = low[0] + (low[1] - low[0]) * tx, b = high[0] + (high[1] - high[0]) * tx;
    return a + (b - a) * ty;
}

// Returns the distance to the shore, cells: depth over its slope, by the four cells around.
static float shore_distance(const rill_field *water, int i, int j, float tx, float ty, float depth)
{
    const float *low = rill_field_row(water, j) + i, *high = rill_field_row(water, j + 1) + i;
    const float gx = (low[1] - low[0]) * (1.0f - ty) + (high[1] - high[0]) * ty;
    const float gy = (high[0] - low[0]) * (1.0f - tx) + (high[1] - low[1]) * tx;
    const float slope = sqrtf(gx * gx + gy * gy);
    return depth < 1e3f * slope ? depth / slope : 1e3f;
}

rl_flow_sample rl_map_flow_at(const rl_map *map, rl_point p)
{
    const rl_map_grid *grid = &map->grid;
    const rl_image *image = &map->image;
    const float u = (p.x - (float)image->map_x) / (float)image->map_width;
    const float v = 1.0f - (p.y - (float)image->map_y) / (float)image->map_height;
    const float x = rl_clamp(grid->extent_x * u - 0.5f, -1.0f, (float)grid->nx - 0.01f);
    const float y = rl_clamp(grid->extent_y * v - 0.5f, -1.0f, (float)grid->ny - 0.01f);
    const int i = (int)floorf(x), j = (int)floorf(y);
    const float tx = x - (float)i, ty = y - (float)j;
    rl_flow_sample s = {.x = bilinear(&grid->velocity_x, i, j, tx, ty),
                        .y = -bilinear(&grid->velocity_y, i, j, tx, ty)};
    s.speed = sqrtf(s.x * s.x + s.y * s.y);
    const float water = bilinear(&grid->water, i, j, tx, ty);
    // Narrow streams have no middle that is so far from their shores; a part of a cell must do.
    const float pixels = OFF_SHORE_PIXELS * grid->extent_x / (float)image->map_width;
    const float least = pixels < OFF_SHORE_CELLS ? pixels : OFF_SHORE_CELLS;
    if (water > 0.0f && shore_distance(&grid->water, i, j, tx, ty, water) > least)
        s.water = water;
    return s;
}

void rl_draw_arrow(rl_canvas *canvas, rl_point p, float dx, float dy, float t, float scale)
{
    const float size = sqrtf(dx * dx + dy * dy), root = sqrtf(rl_clamp_unit(t));
    if (!(size > 0.0f))
        return;
    // Equal steps of length for equal ratios would hide calm; the square root is the compromise
    // that the legend shows.
    const float length = SPACING * scale * (0.08f + 0.92f * root);
    const float head = rl_clamp(0.45f * length, 3.0f * scale, 8.5f * scale);
    const float wing = 0.42f * head, shaft = scale * (0.4f + 0.5f * root);
    const float ux = dx / size, uy = dy / size;
    // Along the arrow and across it, from its middle.
    const float at[7][2] = {{-0.5f * length, 0.35f * shaft}, {0.5f * length - head, shaft},
                            {0.5f * length - head, wing},    {0.5f * length, 0.0f},
                            {0.5f * length - head, -wing},   {0.5f * length - head, -shaft},
                            {-0.5f * length, -0.35f * shaft}};
    rl_point corners[7];
    for (int i = 0; i < 7; i++)
        corners[i] =
            (rl_point){p.x + ux * at[i][0] - uy * at[i][1], p.y + uy * at[i][0] + ux * at[i][1]};
    rl_canvas_polygon(canvas, corners, 7, 0.9f * scale, rl_flow_rim);
    rl_canvas_polygon(canvas, corners, 7, 0.0f, rl_colour_of(rl_ramp_colour(RL_RAMP_SPEED, t)));
}

bool rl_flow_shows(const rl_map *map, const rl_flow_sample *sample)
{
    return sample->speed > SLOWEST * map->scales.speed_max &&
           rl_water_opacity(&map->scales, sample->water) > LEAST_COVER;
}

// --- The net -----------------------------------------------------------------------------------

typedef struct net {
    const rl_map *map;
    rl_canvas canvas; // the map part
    int nx, ny;       // squares
    float wide, high; // of a square, pixels
    rl_point *places; // of the arrows; x < 0 in an empty square
} net;

static void put_arrow(net *n, int i, int j, rl_point place, const rl_flow_sample *flow)
{
    n->places[(size_t)j * (size_t)n->nx + (size_t)i] = place;
    rl_draw_arrow(&n->canvas, place, flow->x, flow->y, flow->speed / n->map->scales.speed_max,
                  n->map->layout.scale);
}

static rl_point middle_of(const net *n, int i, int j)
{
    return (rl_point){(float)n->map->image.map_x + ((float)i + 0.5f) * n->wide,
                      (float)n->map->image.map_y + ((float)j + 0.5f) * n->high};
}

// Draws an arrow in the middle of each square that flows there.
static void draw_regular(net *n)
{
    for (int j = 0; j < n->ny; j++)
        for (int i = 0; i < n->nx; i++) {
            const rl_point middle = middle_of(n, i, j);
            const rl_flow_sample flow = rl_map_flow_at(n->map, middle);
            n->places[(size_t)j * (size_t)n->nx + (size_t)i].x = -1.0f;
            if (rl_flow_shows(n->map, &flow))
                put_arrow(n, i, j, middle, &flow);
        }
}

static bool is_free_around(const net *n, int i, int j, rl_point p)
{
    const float least = 1.1f * (n->wide < n->high ? n->wide : n->high);
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < n->ny; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < n->nx; x++) {
            const rl_point other = n->places[(size_t)y * (size_t)n->nx + (size_t)x];
            const float dx = other.x - p.x, dy = other.y - p.y;
            if (other.x >= 0.0f && dx * dx + dy * dy < least * least)
                return false;
        }
    return true;
}

// Where most water passes through an empty square with free squares around it: streams narrower
// than the net still get their arrows.
static void draw_in_stream(net *n, int i, int j)
{
    const rl_point middle = middle_of(n, i, j);
    rl_point place = middle;
    rl_flow_sample flow = {0};
    float most = 0.0f;
    for (float y = middle.y - 0.5f * n->high; y < middle.y + 0.5f * n->high; y += 2.0f)
        for (float x = middle.x - 0.5f * n->wide; x < middle.x + 0.5f * n->wide; x += 2.0f) {
            const rl_point p = {x, y};
            const rl_flow_sample s = rl_map_flow_at(n->map, p);
            if (s.water * s.speed > most && rl_flow_shows(n->map, &s) &&
                is_free_around(n, i, j, p)) {
                most = s.water * s.speed;
                place = p;
                flow = s;
            }
        }
    if (most > 0.0f)
        put_arrow(n, i, j, place, &flow);
}

bool rl_draw_arrows(rl_map *map)
{
    if (!(map->scales.speed_max > 0.0f))
        return true;
    const rl_image *image = &map->image;
    const float scale = map->layout.scale;
    net n = {.map = map, .canvas = map->canvas};
    n.canvas.clip_x0 = image->map_x;
    n.canvas.clip_y0 = image->map_y;
    n.canvas.clip_x1 = image->map_x + image->map_width;
    n.canvas.clip_y1 = image->map_y + image->map_height;
    // Chooses whole squares, as near to the wanted size as the map's sides allow.
    const int columns = (int)((float)image->map_width / (SPACING * scale) + 0.5f);
    const int rows = (int)((float)image->map_height / (SPACING * scale) + 0.5f);
    n.nx = columns > 0 ? columns : 1;
    n.ny = rows > 0 ? rows : 1;
    n.wide = (float)image->map_width / (float)n.nx;
    n.high = (float)image->map_height / (float)n.ny;
    const size_t bytes = (size_t)n.nx * (size_t)n.ny * sizeof(rl_point);
    n.places = rill_alloc(map->allocator, bytes);
    if (n.places == NULL)
        return false;
    draw_regular(&n);
    for (int j = 0; j < n.ny; j++)
        for (int i = 0; i < n.nx; i++)
            if (n.places[(size_t)j * (size_t)n.nx + (size_t)i].x < 0.0f)
                draw_in_stream(&n, i, j);
    rill_free(map->allocator, n.places, bytes);
    return true;
}
