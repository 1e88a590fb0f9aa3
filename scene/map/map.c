// SPDX-License-Identifier: MIT
// map.c - draws a map picture, part by part.
#include "scene/map/map_parts.h"

#include <math.h>
#include <string.h>

#define LEAST_SIDE 64
#define MOST_SIDE  16384

// Slopes are drawn as if the typical one were this, as far as the exaggeration below allows.
#define PLEASING_SLOPE     0.55f
#define LEAST_EXAGGERATION 0.3f
#define MOST_EXAGGERATION  30.0f
#define MOST_CONTOURS      22.0f
#define CONTOUR_DISTANCE   9.0f // pixels

rl_map_style rl_default_map_style(void)
{
    return (rl_map_style){.max_side = 1024};
}

// --- Checks ------------------------------------------------------------------------------------

static rill_status check_view(const char *name, const rill_field_view *view,
                              const rill_field_view *ground)
{
    if (view->data == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's %s is null", name);
    if (view->nx < 1 || view->ny < 1 || view->nx > RILL_MAX_SIDE || view->ny > RILL_MAX_SIDE)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the map's %s is %d x %d cells, each side must be 1 to %d", name, view->nx,
                         view->ny, RILL_MAX_SIDE);
    if (view->nx != ground->nx || view->ny != ground->ny)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's %s is %d x %d cells, its ground is %d x %d",
                         name, view->nx, view->ny, ground->nx, ground->ny);
    if (view->pitch < (size_t)view->nx)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's %s has a pitch of %zu for rows of %d cells",
                         name, view->pitch, view->nx);
    return RILL_OK;
}

static rill_status check_not_negative(const char *name, float value, const char *unit)
{
    return value >= 0.0f && isfinite(value)
               ? RILL_OK
               : rill_fail(RILL_BAD_ARGUMENT, "the map's %s is %g %s, it must not be negative",
                           name, (double)value, unit);
}

static rill_status check_input(const rl_map_input *input, const rl_map_style *style)
{
    const rill_field_view *const views[] = {&input->ground, &input->depth, &input->velocity_x,
                                            &input->velocity_y};
    static const char *const names[] = {"ground", "depth", "velocity_x", "velocity_y"};
    for (int n = 0; n < (style->flow != RILL_MAP_FLOW_NONE ? 4 : 2); n++)
        RILL_TRY(check_view(names[n], views[n], &input->ground));
    if (!(input->cell_size > 0.0f && isfinite(input->cell_size)))
        return rill_fail(RILL_BAD_ARGUMENT, "the map's cell_size is %g m, it must be positive",
                         (double)input->cell_size);
    RILL_TRY(check_not_negative("wet_depth", input->wet_depth, "m"));
    if (!isfinite(input->time))
        return rill_fail(RILL_BAD_ARGUMENT, "the map's time is %g s", input->time);
    return RILL_OK;
}

static rill_status check_style(const rl_map_style *style)
{
    if (style->max_side < LEAST_SIDE || style->max_side > MOST_SIDE)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's max_side is %d pixels, it must be %d to %d",
                         style->max_side, LEAST_SIDE, MOST_SIDE);
    if (style->supersample < 0 || style->supersample > 8)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's supersample is %d, it must be 0 to 8",
                         style->supersample);
    if ((int)style->flow < RILL_MAP_FLOW_NONE || style->flow > RILL_MAP_FLOW_LINES)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's flow is %d, it must be 0 to %d",
                         (int)style->flow, (int)RILL_MAP_FLOW_LINES);
    RILL_TRY(check_not_negative("depth_max", style->depth_max, "m"));
    RILL_TRY(check_not_negative("speed_max", style->speed_max, "m/s"));
    if (!isfinite(style->contour_interval))
        return rill_fail(RILL_BAD_ARGUMENT, "the map's contour_interval is %g m",
                         (double)style->contour_interval);
    if (!(style->text_scale >= 0.0f && style->text_scale <= 8.0f))
        return rill_fail(RILL_BAD_ARGUMENT, "the map's text_scale is %g, it must be 0 to 8",
                         (double)style->text_scale);
    return RILL_OK;
}

// --- Scales ------------------------------------------------------------------------------------

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float top_of_scale(float wanted, float data)
{
    if (wanted > 0.0f)
        return wanted;
    return data > 0.0f ? (float)rl_nice_above((double)data) : 0.0f;
}

// Chooses some twenty contour steps at most, as wide apart on a typical slope as the eye can
// follow; none where differences are rounding.
static float contour_interval(const rl_map *map, float metres_per_pixel)
{
    const rl_map_scales *s = &map->scales;
    RL_ASSERT(map->grid.slope >= 0.0f);
    const float relief = s->ground_max - s->ground_min, wanted = map->style->contour_interval;
    const float size = larger(fabsf(s->ground_min), fabsf(s->ground_max));
    if (wanted < 0.0f || !(relief > 1e-5f * size))
        return 0.0f;
    if (wanted > 0.0f)
        return wanted;
    const float apart = CONTOUR_DISTANCE * map->grid.slope * metres_per_pixel;
    const float step = (float)rl_nice_step((double)larger(relief / MOST_CONTOURS, apart));
    return step < relief ? step : 0.0f;
}

// Chooses which depths are a film and which hide the ground. Rain on large cells is a film of
// millimetres and must not be drawn like a lake; a film on cells of a millimetre is what the
// picture is about. Some ten centimetres hide the ground however deep the lakes and large the cells
// are.
static void set_depths(rl_map_scales *s, const rl_map_input *input)
{
    const float by_depth = 0.005f * s->depth_max, by_cell = 0.01f * input->cell_size;
    const float opaque =
        larger(by_depth < 0.1f ? by_depth : 0.1f, by_cell < 0.15f ? by_cell : 0.15f);
    s->opaque_depth = larger(opaque, 4.0f * input->wet_depth);
    s->clear_depth = larger(input->wet_depth, 0.01f * s->opaque_depth);
    s->shore_depth = larger(input->wet_depth, 0.12f * s->opaque_depth);
}

static void make_scales(const rl_map_input *input, const rl_map_style *style, rl_map_scales *s)
{
    s->flow = style->flow;
    rl_map_find_ranges(input, s);
    s->depth_max = top_of_scale(style->depth_max, s->deepest);
    s->depth_clipped = s->deepest > 1.001f * s->depth_max;
    s->speed_max = top_of_scale(style->speed_max, s->fastest);
    s->speed_clipped = s->fastest > 1.001f * s->speed_max;
    set_depths(s, input);
}

// Computes the scales that depend on the ground as it is drawn.
static void add_relief(rl_map *map)
{
    const rl_map_grid *grid = &map->grid;
    const float longer = larger(grid->extent_x, grid->extent_y);
    const float metres_per_pixel = grid->cell_size * longer / (float)map->style->max_side;
    map->scales.contour_interval = contour_interval(map, metres_per_pixel);
    const float wanted = grid->slope > 0.0f ? PLEASING_SLOPE / grid->slope : 1.0f;
    const float least = larger(LEAST_EXAGGERATION, wanted);
    map->scales.exaggeration = least < MOST_EXAGGERATION ? least : MOST_EXAGGERATION;
}

// --- Whole -------------------------------------------------------------------------------------

static bool create_image(rl_map *map)
{
    const rl_map_layout *l = &map->layout;
    RL_ASSERT(l->width > 0 && l->height > 0);
    const size_t bytes = (size_t)l->width * (size_t)l->height * 3;
    uint8_t *rgb = rill_alloc(map->allocator, bytes);
    if (rgb == NULL)
        return false;
    memset(rgb, 255, bytes);
    map->image = (rl_image){l->width, l->height, rgb,          bytes,
                            l->map_x, l->map_y,  l->map_width, l->map_height};
    map->canvas = rl_canvas_of(rgb, l->width, l->height);
    return true;
}

static bool draw_everything(rl_map *map)
{
    const rill_map_flow flow = map->scales.flow;
    if (!rl_map_paint(map) || (flow == RILL_MAP_FLOW_ARROWS && !rl_draw_arrows(map)) ||
        (flow == RILL_MAP_FLOW_LINES && !rl_draw_lines(map)))
        return false;
    rl_draw_header(map);
    rl_draw_frame(map);
    rl_draw_scale_bar(map);
    rl_draw_legend(map);
    return true;
}

// The longer side fills max_side; the other one follows, at least one pixel.
static int map_side(int cells, int longer, int max_side)
{
    const int side = (int)((double)cells * (double)max_side / (double)longer + 0.5);
    return side > 0 ? side : 1;
}

rill_status rl_map_draw(const rill_allocator *allocator, const rl_map_input *input,
                        const rl_map_style *style, rl_image *out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's picture is null");
    *out = (rl_image){0};
    if (input == NULL || style == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "the map's %s is null",
                         input == NULL ? "input" : "style");
    RILL_TRY(check_style(style));
    RILL_TRY(check_input(input, style));

    const int nx = input->ground.nx, ny = input->ground.ny, longer = nx > ny ? nx : ny;
    rl_map map = {.allocator = allocator, .input = input, .style = style};
    make_scales(input, style, &map.scales);
    bool done = rl_map_grid_create(allocator, input, style->max_side, map.scales.shore_depth,
                                   style->flow != RILL_MAP_FLOW_NONE, &map.grid);
    if (done) {
        add_relief(&map);
        rl_map_lay_out(&map, map_side(nx, longer, style->max_side),
                       map_side(ny, longer, style->max_side));
        done = create_image(&map) && draw_everything(&map);
    }
    rl_map_grid_destroy(allocator, &map.grid);
    if (!done) {
        rl_image_free(allocator, &map.image);
        return rill_fail(RILL_NO_MEMORY, "no memory for a map of %d x %d cells", nx, ny);
    }
    *out = map.image;
    return RILL_OK;
}

void rl_image_free(const rill_allocator *allocator, rl_image *image)
{
    if (image == NULL)
        return;
    rill_free(allocator, image->rgb, image->bytes);
    *image = (rl_image){0};
}
