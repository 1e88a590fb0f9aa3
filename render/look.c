// SPDX-License-Identifier: MIT
#include "render/look.h"

#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979 / 180.0;

// ---- Ground ----------------------------------------------------------------------------

// Reflectances in the order of `ground` in common.glsl, and where one gives way to the next.
typedef struct ground_kind {
    float bed[3], shore[3], gentle[3], gentle_too[3], steep[3], high[3];
    float steep_from, steep_to; // 1 - z of the normal
    float high_from, high_to;   // parts of the range of elevations
    float contrast;             // of the grain
} ground_kind;

static const ground_kind grounds[RILL_GROUND_LOOK_COUNT] = {
    [RILL_GROUND_COUNTRY] =
        {
            .bed = {0.20f, 0.185f, 0.15f},
            .shore = {0.33f, 0.30f, 0.24f},
            .gentle = {0.085f, 0.125f, 0.032f},
            .gentle_too = {0.150f, 0.155f, 0.058f},
            .steep = {0.245f, 0.225f, 0.195f},
            .high = {0.235f, 0.215f, 0.150f},
            .steep_from = 0.12f,
            .steep_to = 0.34f,
            .high_from = 0.62f,
            .high_to = 0.95f,
            .contrast = 1.0f,
        },
    [RILL_GROUND_SAND] =
        {
            .bed = {0.42f, 0.36f, 0.25f},
            .shore = {0.50f, 0.43f, 0.31f},
            .gentle = {0.56f, 0.47f, 0.33f},
            .gentle_too = {0.50f, 0.41f, 0.28f},
            .steep = {0.46f, 0.36f, 0.24f},
            .high = {0.58f, 0.50f, 0.36f},
            .steep_from = 0.25f,
            .steep_to = 0.60f,
            .high_from = 0.70f,
            .high_to = 1.20f,
            .contrast = 0.45f,
        },
    [RILL_GROUND_CONCRETE] =
        {
            .bed = {0.20f, 0.20f, 0.185f},
            .shore = {0.23f, 0.225f, 0.21f},
            .gentle = {0.30f, 0.29f, 0.27f},
            .gentle_too = {0.26f, 0.255f, 0.24f},
            .steep = {0.34f, 0.325f, 0.30f},
            .high = {0.32f, 0.31f, 0.29f},
            .steep_from = 0.30f,
            .steep_to = 0.60f,
            .high_from = 1.50f,
            .high_to = 2.50f,
            .contrast = 0.6f,
        },
    [RILL_GROUND_TISSUE] =
        {
            .bed = {0.42f, 0.14f, 0.11f},
            .shore = {0.50f, 0.19f, 0.15f},
            .gentle = {0.55f, 0.23f, 0.18f},
            .gentle_too = {0.48f, 0.17f, 0.14f},
            .steep = {0.45f, 0.15f, 0.13f},
            .high = {0.62f, 0.33f, 0.26f},
            .steep_from = 0.30f,
            .steep_to = 0.80f,
            .high_from = 0.60f,
            .high_to = 1.50f,
            .contrast = 0.5f,
        },
};

static void set_colour(float to[4], const float from[3], float last)
{
    memcpy(to, from, 3 * sizeof *to);
    to[3] = last;
}

static void fill_ground(const rill_view *view, const look_size *size, frame_block *block)
{
    const ground_kind *kind = &grounds[view->ground];
    const float range = size->high - size->low;
    set_colour(block->ground[0], kind->bed, size->low + kind->high_from * range);
    set_colour(block->ground[1], kind->shore, size->low + kind->high_to * range + 1e-3f);
    set_colour(block->ground[2], kind->gentle, kind->steep_from);
    set_colour(block->ground[3], kind->gentle_too, kind->steep_to);
    const float side = size->cell_size * (float)(size->nx > size->ny ? size->nx : size->ny);
    const float tile =
        5.0f * size->cell_size > 0.01f * side ? 5.0f * size->cell_size : 0.01f * side;
    set_colour(block->ground[4], kind->steep, tile);
    block->ring_colour[3] = kind->contrast;
    set_colour(block->ground[5], kind->high, view->liquid.ripples);
}

// ---- Liquid ----------------------------------------------------------------------------

// Kubelka and Munk's two fluxes with K = 2 a and S = s: what a bottomless liquid reflects, and how
// fast diffuse light fades in it.
static void fill_liquid(const rill_liquid *liquid, frame_block *block)
{
    for (int k = 0; k < 3; k++) {
        const double absorbed = 2.0 * (double)liquid->absorption[k];
        const double scattered = fmax((double)liquid->scattering[k], 1e-9);
        const double ratio = absorbed / scattered;
        block->liquid_body[k] = (float)(1.0 + ratio - sqrt(ratio * ratio + 2.0 * ratio));
        block->liquid_fade[k] = (float)sqrt(absorbed * (absorbed + 2.0 * scattered));
        block->liquid_path[k] = liquid->absorption[k] + liquid->scattering[k];
        block->foam_look[k] = liquid->foam_colour[k];
    }
    const float n = liquid->refractive_index;
    block->liquid_body[3] = (n - 1.0f) * (n - 1.0f) / ((n + 1.0f) * (n + 1.0f));
    block->liquid_fade[3] = liquid->foam;
    block->liquid_path[3] = 1.0f / n;
    block->foam_look[3] = liquid->roughness * liquid->roughness;
}

// Slopes of wind waves by Cox and Munk (1954): 0.003 + 0.00512 of the wind in m/s is their mean
// square, of which the tiles carry a part; the rest is in the liquid's own roughness.
static void fill_ripples(const rill_view *view, const look_size *size, frame_block *block)
{
    const double direction = view->wind_direction * degree;
    const double longest =
        view->ripple_size > 0.0 ? view->ripple_size : 1.2 * (double)size->cell_size;
    const double steepness = sqrt(0.5 * (0.0006 + 0.00512 * view->wind));
    block->ripple[0] = (float)cos(direction);
    block->ripple[1] = (float)sin(direction);
    block->ripple[2] = (float)(4.0 * longest); // the tile's longest wave is a quarter of its edge
    block->ripple[3] = (float)steepness * view->liquid.ripples;
}

void look_drift(double time, frame_block *block)
{
    // Deep-water waves of a quarter and of a ninth of the tile: c = sqrt(g L / (2 pi)), here in
    // tiles a second. Shifts are kept within a tile so that floats stay exact.
    const double edge = (double)block->ripple[2];
    const double first = sqrt(9.81 * edge / 4.0 / (2.0 * 180.0 * degree)) / edge;
    const double second = 2.7 * sqrt(9.81 * edge / 10.8 / (2.0 * 180.0 * degree)) / edge;
    block->drift[0] = (float)fmod(first * time, 1.0);
    block->drift[1] = 0.0f;
    block->drift[2] = (float)fmod(0.8 * second * time, 1.0);
    block->drift[3] = (float)fmod(0.35 * second * time, 1.0);
}

// ---- Light -----------------------------------------------------------------------------

static double seen_distance(const rill_view *view, const look_size *size)
{
    const int side = size->nx > size->ny ? size->nx : size->ny;
    return view->visibility > 0.0 ? view->visibility : 40.0 * side * (double)size->cell_size;
}

double look_haze(const rill_view *view, const look_size *size)
{
    // A clear day has 40 km; a scene of a few metres is not seen through more air for it.
    const double metres = fmax(seen_distance(view, size), 4000.0);
    return fmin(fmax(pow(40000.0 / metres, 0.35), 0.7), 4.0);
}

static float brightness(const float rgb[3])
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

// A camera opens its shutter longer in dim light, yet an evening stays darker than a noon: full
// compensation would be a power of -1.
static float shutter(const frame_block *block)
{
    const float height = block->sun[2] > 0.15f ? block->sun[2] : 0.15f;
    const float light = brightness(block->sunlight) * height + brightness(block->skylight);
    return 1.12f * powf(light > 1e-4f ? light : 1e-4f, -0.6f);
}

static void fill_light(const rill_view *view, const sky *light, const look_size *size,
                       frame_block *block)
{
    // Clouds take light from the sun's share and give some of it back from the sky.
    const float covered = (float)view->clouds;
    for (int k = 0; k < 3; k++) {
        block->sun[k] = light->sun[k];
        block->sunlight[k] = light->sunlight[k] * (1.0f - 0.75f * covered * covered);
        block->skylight[k] = light->skylight[k] * (1.0f - 0.25f * covered) +
                             light->sunlight[k] * light->sun[2] * 0.22f * covered;
        block->horizon[k] = light->horizon[k];
    }
    block->sun[3] = 0.35f * size->cell_size;
    block->sunlight[3] = shutter(block) * (float)exp2(view->exposure);
    block->skylight[3] = covered;
    block->horizon[3] = (float)(3.0 / seen_distance(view, size)); // exp(-3) is 5 %
}

void look_fill(const rill_view *view, const sky *light, const look_size *size, frame_block *block)
{
    block->grid[0] = (float)size->nx;
    block->grid[1] = (float)size->ny;
    block->grid[2] = size->cell_size;
    block->grid[3] = 1.0f / size->cell_size;
    fill_ground(view, size, block);
    fill_liquid(&view->liquid, block);
    fill_ripples(view, size, block);
    fill_light(view, light, size, block);
}
