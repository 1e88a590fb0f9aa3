// SPDX-License-Identifier: MIT
// overlay.c - names and colours of what is painted over water and ground. The colours are those of
// scale_colour in shaders/common.glsl, as the picture shows them.
#include "render/renderer.h"

#include <math.h>

static const struct {
    const char *name, *unit;
} overlays[OVERLAY_COUNT] = {
    [OVERLAY_NONE] = {"none", ""},
    [OVERLAY_DEPTH] = {"depth", "m"},
    [OVERLAY_SPEED] = {"speed", "m/s"},
    [OVERLAY_WETNESS] = {"wetness", ""},
    [OVERLAY_SUBSTEPS] = {"substeps", "a frame"},
    [OVERLAY_BIRTHS] = {"births", ""},
};

bool overlay_has_scale(overlay o)
{
    return o > OVERLAY_NONE && o < OVERLAY_BIRTHS;
}

const char *overlay_name(overlay o)
{
    return (unsigned)o < OVERLAY_COUNT ? overlays[o].name : "";
}

const char *overlay_unit(overlay o)
{
    return (unsigned)o < OVERLAY_COUNT ? overlays[o].unit : "";
}

static float encode(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

void overlay_colour(float part, float rgb[3])
{
    static const float stops[4][3] = {
        {0.09f, 0.04f, 0.32f}, {0.10f, 0.32f, 0.55f}, {0.16f, 0.62f, 0.48f}, {0.97f, 0.91f, 0.18f}};
    const float t = (part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part) * 3.0f;
    const int k = t < 1.0f ? 0 : t < 2.0f ? 1 : 2;
    for (int n = 0; n < 3; n++)
        rgb[n] = encode(stops[k][n] + (t - (float)k) * (stops[k + 1][n] - stops[k][n]));
}
