// SPDX-License-Identifier: MIT
// printed.c - built-in scenes with the choices that their papers print, where Rill's own defaults
// differ: "paper-surgery" is "surgery" with a few overrides. Misprints stay mended
// (docs/papers.md).
#include "scene/builtin.h"

#include "rill/scene.h"

#include <string.h>

// Dagenais: pipes of the constant area, omega = 0.5 (erratum 2), extended pipes along the axes
// (section 3.3), films measured upright.
#define DAGENAIS "pipes.area='paper'", "pipes.friction=0.5", "layers.slope_correction=false"
#define STRAIGHT DAGENAIS, "layers.passages='axis'"

// Chentanez and Müller: a wave breaks where it is steeper than 0.45 g dt / dx, a slope of 0.074 m /
// dx at their step of a sixtieth of a second (erratum 10), at their v = 4 m/s, l = -4 1/m and
// lambda_y = 0.1; crests are cut (section 2.2).
static const rl_printed_scene printed[] = {
    {"paper-beach",
     {"particles.breaking_slope=0.147", "particles.breaking_rise=4",
      "particles.breaking_curvature=-4", "particles.breaking_lift=0.1", "swe.overshoot=0.3",
      "swe.overshoot_edge=2"}},
    {"paper-culvert", {STRAIGHT}},
    {"paper-passages", {STRAIGHT}},
    {"paper-passages-cross", {STRAIGHT}},
    {"paper-surgery", {STRAIGHT}},
    {"paper-three-layers", {STRAIGHT}},
    {"paper-viscosity-0", {DAGENAIS}},
    {"paper-viscosity-4e-1", {DAGENAIS}},
    {"paper-viscosity-4e-5", {DAGENAIS}},
    {"paper-viscosity-4e-6", {DAGENAIS}},
};

int rill_printed_scene_count(void)
{
    return (int)(sizeof printed / sizeof printed[0]);
}

const char *rill_printed_scene_name(int index)
{
    return index >= 0 && index < rill_printed_scene_count() ? printed[index].name : NULL;
}

const char *rill_printed_scene_override(int index, int n)
{
    return rill_printed_scene_name(index) != NULL && n >= 0 && n < RL_PRINTED_OVERRIDES
               ? printed[index].overrides[n]
               : NULL;
}

const rl_printed_scene *rl_printed_scene_find(const char *name)
{
    for (int k = 0; k < rill_printed_scene_count(); k++)
        if (strcmp(printed[k].name, name) == 0)
            return &printed[k];
    return NULL;
}
