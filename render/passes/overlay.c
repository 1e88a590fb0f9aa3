// SPDX-License-Identifier: MIT
// overlay.c - the table of what can be painted over water and ground: names and units for the
// panel, the legend and the command, the end of each scale, and what is drawn with it. The value of
// a column and its colour are in the part "Overlays" of shaders/common.glsl. A new overlay is an
// enumerator in renderer.h, a row here and its value there.
#include "render/renderer.h"

#include <assert.h>
#include <math.h>

static double depth_end(const overlay_columns *c)
{
    return (double)c->depth;
}

static double speed_end(const overlay_columns *c)
{
    return (double)c->speed;
}

// Returns the substeps that the Courant number of the usual wave asks of a frame.
static double substeps_end(const overlay_columns *c)
{
    const double fastest = (double)c->speed + sqrt((double)c->gravity * (double)c->depth);
    return sqrt(2.0) * fastest * c->frame / (double)c->cell_size;
}

static double scene_depth(const rill_scene_info *info)
{
    return info->map_depth;
}

static double scene_speed(const rill_scene_info *info)
{
    return info->map_speed;
}

static const overlay_row overlays[OVERLAY_COUNT] = {
    [OVERLAY_NONE] = {.name = "none", .unit = ""},
    [OVERLAY_DEPTH] = {.name = "depth", .unit = "m", .end = depth_end, .scene_end = scene_depth},
    [OVERLAY_SPEED] = {.name = "speed",
                       .unit = "m/s",
                       .end = speed_end,
                       .scene_end = scene_speed,
                       .has_arrows = true},
    [OVERLAY_WETNESS] = {.name = "wetness", .unit = "", .fixed_end = 1.0f},
    [OVERLAY_SUBSTEPS] = {.name = "substeps", .unit = "a frame", .end = substeps_end},
    [OVERLAY_BIRTHS] = {.name = "births",
                        .unit = "",
                        .legend = "colour: where born; bright: how much it counts",
                        .shows_wave_particles = true},
};

const overlay_row *overlay_get(overlay o)
{
    assert((unsigned)o < OVERLAY_COUNT);
    return &overlays[o];
}

bool overlay_has_scale(overlay o)
{
    return overlay_get(o)->end != NULL || overlay_get(o)->fixed_end > 0.0f;
}

const char *overlay_name(overlay o)
{
    return overlay_get(o)->name;
}

static float encode(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

// The colours are those of scale_colour in shaders/common.glsl, as the picture shows them.
void overlay_colour(float part, float rgb[3])
{
    static const float stops[4][3] = {
        {0.09f, 0.04f, 0.32f}, {0.10f, 0.32f, 0.55f}, {0.16f, 0.62f, 0.48f}, {0.97f, 0.91f, 0.18f}};
    const float t = (part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part) * 3.0f;
    const int k = t < 1.0f ? 0 : t < 2.0f ? 1 : 2;
    for (int n = 0; n < 3; n++)
        rgb[n] = encode(stops[k][n] + (t - (float)k) * (stops[k + 1][n] - stops[k][n]));
}
