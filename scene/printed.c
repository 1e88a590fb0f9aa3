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
// dx at their step of a sixtieth of a second and 0.088 m / dx at the boat's of a fiftieth (erratum
// 10), at their v = 4 m/s, l = -4 1/m and lambda_y = 0.1. Radii of particles are such that as many
// of them are alive as in Table 1, within a third (tests/scene/test_paper_scenes.c).
#define BREAKS(slope)                                               \
    "particles.breaking_slope=" slope, "particles.breaking_rise=4", \
        "particles.breaking_curvature=-4", "particles.breaking_lift=0.1"

// Crates fall into the paper's ocean: its Table 2 has a time for bodies there. Its water falls over
// more of the sea, or so many particles would leave lids of foam.
#define LUMP(x, y, start, end)                                                             \
    "{position=[" x ", " y ", 24], velocity=[0, 0, -12], radius=4, rate=160, spread=0.6, " \
    "start=" start ", end=" end "}"
#define LUMP_1 LUMP("46", "48", "0.5", "1.6")
#define LUMP_2 LUMP("66", "92", "8", "9.1")
#define LUMP_3 LUMP("56", "40", "16", "17.1")
#define CRATES                                                                       \
    "[{shape='box', size=[1.6, 1.6, 1.6], position=[54, 58, 14], copies=[4, 4, 2], " \
    "step=[6, 6, 8], jitter=[2, 2, 3], tumble=60, density=500, drag=1, material='crate'}]"

static const rl_printed_scene printed[] = {
    // Crests are cut (section 2.2), of a swell that is high enough to rise by 4 m/s.
    {"paper-beach",
     {BREAKS("0.147"), "swe.overshoot=0.3", "swe.overshoot_edge=2", "borders.west_swell_height=2.2",
      "particles.breaking_amount=0.3", "particles.radius=0.042"}},
    {"paper-boat", {BREAKS("0.177"), "particles.max_particles=600000", "particles.radius=0.062"}},
    {"paper-culvert", {STRAIGHT}},
    {"paper-ocean",
     {BREAKS("0.147"), "bodies.max_bodies=32", "body=" CRATES,
      "emitter=[" LUMP_1 ", " LUMP_2 ", " LUMP_3 "]", "particles.max_particles=300000",
      "particles.radius=0.06", "particles.foam_speed=35", "particles.foam_radius=0.12"}},
    {"paper-passages", {STRAIGHT}},
    {"paper-passages-cross", {STRAIGHT}},
    // Table 2 has the case with absorbing borders all around.
    {"paper-pml",
     {BREAKS("0.147"), "particles.breaking_amount=0.2", "particles.radius=0.07",
      "borders.west=absorb", "borders.west_level=0", "borders.east=absorb",
      "borders.east_level=0"}},
    {"paper-surgery", {STRAIGHT}},
    {"paper-three-layers", {STRAIGHT}},
    {"paper-viscosity-0", {DAGENAIS}},
    {"paper-viscosity-4e-1", {DAGENAIS}},
    {"paper-viscosity-4e-5", {DAGENAIS}},
    {"paper-viscosity-4e-6", {DAGENAIS}},
    {"paper-waterfall",
     {BREAKS("0.294"), "particles.breaking_amount=0.2", "particles.radius=0.05"}},
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
