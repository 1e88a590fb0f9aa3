// SPDX-License-Identifier: MIT
// liquids.c - the liquids that have a name, as light sees them.
//
// Every number is per metre and stands for one band of linear Rec. 709: red about 610 nm, green
// about 550 nm, blue about 465 nm. Scattering is what acts as if spread evenly in all directions,
// because that is all a renderer without a phase function can use. Measured scattering b goes
// mostly ahead; what counts of it is
//
//     2 bb        bb the part thrown back, where light is swallowed before it is scattered twice
//                 (clear, sea: reflectance there goes with bb / a)
//     b (1 - g)   g the mean cosine, where it is scattered many times (silt, blood, paint)
//
// The colours told below follow from the two-flux equations of Kubelka and Munk for diffuse light,
// K = 2 absorption, S = scattering: a deep layer reflects
//
//     R = 1 + K/S - sqrt((K/S)^2 + 2 K/S).
//
// They are under the surface; its own mirror image comes on top. What is not said is 0.

#include "scene/toml/toml.h"

#include "rill/view.h"

#include <string.h>

static const rill_liquid liquids[] = {
    {
        // A mountain lake. Pure water swallows 0.26, 0.057 and 0.010 (Pope and Fry 1997, measured
        // in an integrating cavity); dissolved humus of a clear lake adds 0.03 in the blue and
        // falls off as exp(-0.014 per nm). Water itself turns aside 0.001 to 0.003, most of it in
        // the blue; half a milligram of particles per litre does the rest.
        // The bed is seen beyond 10 m. A metre is hardly tinted, 3 m over pale stones are
        // turquoise, from 20 m it is deep blue-green: 1, 4 and 6 % come back.
        .name = "clear",
        .absorption = {0.267f, 0.0625f, 0.040f},
        .scattering = {0.0075f, 0.010f, 0.010f},
        .refractive_index = 1.333f,
        .roughness = 0.03f,
        .ripples = 1.0f,
        .foam = 0.6f, // in fresh water bubbles join and burst quickly
        .foam_colour = {0.72f, 0.74f, 0.75f},
    },
    {
        // A shelf sea with 1.5 mg of chlorophyll per cubic metre. On top of pure water plankton
        // swallows about 0.045 in the blue and 0.01 in the green, what it leaves dissolved another
        // 0.02 and 0.005 (the ranges of Morel and of Bricaud for such water). b is 0.3 C^0.62,
        // about 0.39 in the green (Gordon and Morel 1983); 1.7 % of that goes back.
        // The bed is seen to 8 m. Shallows are sea-green; the deep is a dark blue-green, of which
        // 1, 5 and 6 % come back.
        .name = "sea",
        .absorption = {0.276f, 0.072f, 0.075f},
        .scattering = {0.0125f, 0.015f, 0.0195f},
        .refractive_index = 1.34f, // with 3.5 % of salt
        .roughness = 0.05f,
        .ripples = 1.0f,
        .foam = 1.0f, // salt keeps bubbles apart
        .foam_colour = {0.76f, 0.78f, 0.78f},
    },
    {
        // A river in flood with 300 g of loam per cubic metre. Mineral grains scatter 0.3 to 0.6
        // m2/g, of which a twentieth counts, a little less where they swallow more; iron in them
        // swallows about 0.04 m2/g in the blue and falls off as exp(-0.011 per nm) (the ranges of
        // Babin and others 2003 and of Bowers and Binding 2006).
        // Puddles of 1 cm are cloudy, 10 cm let a third of the red pass, 30 cm hide the bed. Deep
        // water is brown: 33, 22 and 9 % come back.
        .name = "silt",
        .absorption = {2.7f, 4.8f, 12.0f},
        .scattering = {8.0f, 7.0f, 5.5f},
        .refractive_index = 1.333f,
        .roughness = 0.05f,
        .ripples = 0.9f,
        .foam = 0.8f, // what the flood has washed out of the soil holds the bubbles
        .foam_colour = {0.64f, 0.55f, 0.42f},
    },
    {
        // Whole blood, 150 g of haemoglobin per litre, nearly all of it with oxygen. Its molar
        // extinctions, about 1.7e3, 4.3e4 and 3.8e4 l/(mol cm) (tables of Prahl 1999), times ln 10
        // and 2.3 mmol/l give these numbers. Cells scatter 700 to 900 per cm with g about 0.98
        // (review of Bosschaart and others 2014).
        // A film of 0.01 mm is a pale stain, 0.2 mm is red and lets half of the red pass, 2 mm are
        // opaque and dark red: 24, 2 and 2 % come back.
        .name = "blood",
        .absorption = {900.0f, 23000.0f, 20000.0f},
        .scattering = {1500.0f, 1500.0f, 1500.0f},
        .refractive_index = 1.36f, // plasma 1.35, cells 1.40
        .roughness = 0.02f,
        .ripples = 0.3f, // four times as viscous as water
        .foam = 0.3f,
        .foam_colour = {0.70f, 0.20f, 0.18f},
    },
    {
        // Filter coffee, 1.3 % of solids. Melanoidins swallow 10 to 30 per cm at 420 nm, read from
        // the optical densities of diluted brews, and fall off as exp(-0.013 per nm) to the red.
        // Fines and oil droplets make it a little cloudy.
        // A film of 0.1 mm is a faint amber, 1 mm is amber, 2 mm are brown, 1 cm is dark; a cup is
        // nearly black with a brown edge: 2.4, 0.8 and 0.2 % come back.
        .name = "coffee",
        .absorption = {200.0f, 480.0f, 1400.0f},
        .scattering = {20.0f, 16.0f, 14.0f},
        .refractive_index = 1.335f,
        .roughness = 0.02f,
        .ripples = 0.9f,
        .foam = 0.6f,
        .foam_colour = {0.60f, 0.42f, 0.24f},
    },
    {
        // Blue wall paint. A coat of white pigment that hides at 0.05 to 0.1 mm scatters 50 to 200
        // per mm; a blue pigment swallows the red and half of the green. The absorptions are those
        // that make 6, 20 and 65 % come back.
        // Opaque from 0.1 mm, which lets 0.3 % of the blue pass. Too thick for ripples and foam.
        .name = "paint",
        .absorption = {4.4e5f, 9.6e4f, 5.6e3f},
        .scattering = {1.2e5f, 1.2e5f, 1.2e5f},
        .refractive_index = 1.5f, // the binder
        .roughness = 0.02f,
        .foam_colour = {0.06f, 0.20f, 0.65f},
    },
    {
        // Water on a bench: in a glass, over a model, from a tap. It swallows what pure water does
        // (Pope and Fry 1997) and scatters a little more; in centimetres neither is seen. No wind
        // reaches it and nothing in it holds a bubble: what shows are mirror and refraction.
        .name = "water",
        .absorption = {0.26f, 0.057f, 0.010f},
        .scattering = {0.002f, 0.003f, 0.004f},
        .refractive_index = 1.333f,
        .roughness = 0.005f,
        .foam_colour = {0.72f, 0.74f, 0.75f},
    },
    {
        // Whole milk: absorption and reduced scattering as Jensen and others measured them (2001).
        // 0.1 mm is a bluish veil, for blue light is scattered most and passes least; 1 mm hides
        // half, 5 mm nearly all; deep milk is white with a touch of cream: 96, 95 and 89 % come
        // back.
        .name = "milk",
        .absorption = {1.1f, 2.4f, 14.0f},
        .scattering = {2550.0f, 3210.0f, 3770.0f},
        .refractive_index = 1.35f,
        .roughness = 0.01f,
        .foam = 0.5f, // its proteins hold the bubbles
        .foam_colour = {0.85f, 0.84f, 0.80f},
    },
    {
        // Light amber honey: the trade's scale gives it an optical density of about 0.5 per cm at
        // 560 nm, which falls off to the red as exp(-0.012 per nm); crystals and pollen make it
        // faintly cloudy.
        // A millimetre is a golden veil, 1 cm is golden, 5 cm are brown.
        .name = "honey",
        .absorption = {55.0f, 115.0f, 320.0f},
        .scattering = {8.0f, 8.0f, 8.0f},
        .refractive_index = 1.49f,
        .roughness = 0.005f,
        .foam_colour = {0.80f, 0.62f, 0.30f},
    },
};

int rill_liquid_count(void)
{
    return (int)(sizeof liquids / sizeof liquids[0]);
}

rill_liquid rill_liquid_preset(int index)
{
    return index >= 0 && index < rill_liquid_count() ? liquids[index] : (rill_liquid){0};
}

rill_status rill_liquid_find(const char *name, rill_liquid *out)
{
    if (name == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_liquid_find needs a name and a place for the "
                                            "liquid, one of them is NULL");
    rl_name_list list = {.used = 0};
    for (int n = 0; n < rill_liquid_count(); n++) {
        if (strcmp(liquids[n].name, name) == 0) {
            *out = liquids[n];
            return RILL_OK;
        }
        rl_name_list_add(&list, name, liquids[n].name);
    }
    return rill_fail(RILL_BAD_ARGUMENT, "no liquid is called '%.64s'; there are %s", name,
                     list.text);
}
