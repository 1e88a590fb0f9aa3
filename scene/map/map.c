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
    rill_status status = RILL_OK;
    for (int n = 0; n < (style->flow != RILL_MAP_FLOW_NONE ? 4 : 2) && status == RILL_OK; n++)
        status = check_view(names[n], views[n], &input->ground);
    if (status == RILL_OK && !(input->cell_size > 0.0f && isfinite(input->cell_size)))
        return rill_fail(RILL_BAD_ARGUMENT, "the map's cell_size is %g m, it must be positive",
                         (double)input->cell_size);
    if (status == RILL_OK)
        status = check_not_negative("wet_depth", input->wet_depth, "m");
    if (status != RILL_OK)
        return status;
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
static float contour_interval(const rl_map_style *style, const rl_map_ranges *ranges, float slope,
                              float metres_per_pixel)
{
    RL_ASSERT(slope >= 0.0f);
    const float relief = ranges->ground_max - ranges->ground_min;
    const float size = larger(fabsf(ranges->ground_min), fabsf(ranges->ground_max));
    if (style->contour_interval < 0.0f || !(relief > 1e-5f * size))
        return 0.0f;
    if (style->contour_interval > 0.0f)
        return style->contour_interval;
    const float apart = CONTOUR_DISTANCE * slope * metres_per_pixel;
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

static rl_map_scales make_scales(const rl_map_ranges *ranges, const rl_map_input *input,
                                 const rl_map_style *style)
{
    rl_map_scales s = {.ground_min = ranges->ground_min,
                       .ground_max = ranges->ground_max,
                       .deepest = ranges->depth_max,
                       .flow = style->flow};
    s.depth_max = top_of_scale(style->depth_max, ranges->depth_max);
    s.depth_clipped = ranges->depth_max > 1.001f * s.depth_max;
    s.speed_max = top_of_scale(style->speed_max, ranges->speed_max);
    s.speed_clipped = ranges->speed_max > 1.001f * s.speed_max;
    set_depths(&s, input);
    return s;
}

// Computes the scales that depend on the ground as it is drawn.
static void add_relief(rl_map_scales *s, const rl_map_ranges *ranges, const rl_map_style *style,
                       const rl_map_grid *grid)
{
    const float longer = larger(grid->extent_x, grid->extent_y);
    const float metres_per_pixel = grid->cell_size * longer / (float)style->max_side;
    s->contour_interval = contour_interval(style, ranges, grid->slope, metres_per_pixel);
    const float wanted = grid->slope > 0.0f ? PLEASING_SLOPE / grid->slope : 1.0f;
    const float least = larger(LEAST_EXAGGERATION, wanted);
    s->exaggeration = least < MOST_EXAGGERATION ? least : MOST_EXAGGERATION;
}

// --- Whole -------------------------------------------------------------------------------------

static bool create_image(const rill_allocator *allocator, const rl_map_layout *layout,
                         rl_image *image)
{
    RL_ASSERT(layout->width > 0 && layout->height > 0);
    const rl_map_layout *l = layout;
    *image = (rl_image){l->width, l->height, NULL,         (size_t)l->width * (size_t)l->height * 3,
                        l->map_x, l->map_y,  l->map_width, l->map_height};
    image->rgb = rill_alloc(allocator, image->bytes);
    if (image->rgb != NULL)
        memset(image->rgb, 255, image->bytes);
    return image->rgb != NULL;
}

static bool draw_everything(const rill_allocator *allocator, const rl_map_grid *grid,
                            const rl_map_scales *scales, const rl_map_layout *layout,
                            const rl_map_input *input, int supersample, rl_image *image)
{
    RL_ASSERT(image->rgb != NULL);
    if (!rl_map_paint(allocator, grid, scales, supersample, layout->scale, image))
        return false;
    if (scales->flow == RILL_MAP_FLOW_ARROWS &&
        !rl_draw_arrows(allocator, grid, scales, layout->scale, image))
        return false;
    if (scales->flow == RILL_MAP_FLOW_LINES &&
        !rl_draw_lines(allocator, grid, scales, layout->scale, image))
        return false;
    rl_canvas canvas = rl_canvas_of(image->rgb, image->width, image->height);
    rl_draw_header(&canvas, layout, input);
    rl_draw_frame(&canvas, layout, input);
    rl_draw_scale_bar(&canvas, layout, input);
    rl_draw_legend(&canvas, layout, scales, input);
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
    const bool with_velocity = style->flow != RILL_MAP_FLOW_NONE;
    const rl_map_ranges ranges = rl_map_find_ranges(input, with_velocity);
    rl_map_scales scales = make_scales(&ranges, input, style);
    rl_map_grid grid;
    rl_image image = {0};
    bool done = rl_map_grid_create(allocator, input, style->max_side, scales.shore_depth,
                                   with_velocity, &grid);
    if (done) {
        add_relief(&scales, &ranges, style, &grid);
        const rl_map_layout layout =
            rl_map_layout_make(input, style, &scales, map_side(nx, longer, style->max_side),
                               map_side(ny, longer, style->max_side));
        done =
            create_image(allocator, &layout, &image) &&
            draw_everything(allocator, &grid, &scales, &layout, input, style->supersample, &image);
    }
    rl_map_grid_destroy(allocator, &grid);
    if (!done) {
        rl_image_free(allocator, &image);
        return rill_fail(RILL_NO_MEMORY, "no memory for a map of %d x %d cells", nx, ny);
    }
    *out = image;
    return RILL_OK;
}

void rl_image_free(const rill_allocator *allocator, rl_image *image)
{
    if (image == NULL)
        return;
    rill_free(allocator, image->rgb, image->bytes);
    *image = (rl_image){0};
}
