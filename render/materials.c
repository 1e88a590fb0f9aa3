// SPDX-License-Identifier: MIT
// materials.c - fills the uniform block from a scene's view.
#include "render/materials.h"

#include "render/palette.h"

#include <math.h>
#include <string.h>

#define SNOW_RELIEF  300.0f // metres from the lowest to the highest ground: less has no snow
#define LEAST_TREES  380.0f // metres above the lowest ground that trees grow up to at least
#define LEAST_SNOW   560.0f // metres above it that have no snow
#define CLEAREST_AIR 1.2e5  // metres that one sees at the very most, however large the world is
#define GRAIN_TILE   100.0f // metres: edge of the middle one of the grains of a terrain of kilometres
#define SMALL_SIDE   3.0f   // metres: what fits on a table is not seen through haze

static const double degree = 3.14159265358979 / 180.0;

// ---- Ground ----------------------------------------------------------------------------

static float side_of(const view_scale *size)
{
    return size->cell_size * (float)(size->nx > size->ny ? size->nx : size->ny);
}

static void set_colour(float to[4], const float from[3], float last)
{
    memcpy(to, from, 3 * sizeof *to);
    to[3] = last;
}

static void fill_ground(const rill_view *view, const view_scale *size, frame_block *block)
{
    const palette_land *kind = palette_of_land(view->ground);
    const float range = size->high - size->low;
    set_colour(block->ground[0], kind->bed, size->low + kind->high_from * range);
    set_colour(block->ground[1], kind->shore, size->low + kind->high_to * range + 1e-3f);
    set_colour(block->ground[2], kind->gentle, kind->steep_from);
    set_colour(block->ground[3], kind->gentle_too, kind->steep_to);
    const float side = side_of(size);
    const float tile =
        5.0f * size->cell_size > 0.01f * side ? 5.0f * size->cell_size : 0.01f * side;
    set_colour(block->ground[4], kind->steep, tile);
    block->ring_colour[3] = kind->contrast;
    set_colour(block->ground[5], kind->high, 0.0f);
}

// Gives a terrain of kilometres a tree line, and where it is high enough a snow line. Its grain has
// sizes of its own, in metres.
static void fill_landscape(const view_scale *size, frame_block *block)
{
    const float range = size->high - size->low;
    const bool high = range > SNOW_RELIEF;
    block->ground[0][3] = size->low + (high ? fmaxf(0.5f * range, LEAST_TREES) : range);
    block->ground[1][3] = high ? size->low + fmaxf(0.72f * range, LEAST_SNOW) : 1e9f;
    block->ground[4][3] = GRAIN_TILE;
}

static void fill_solid(const rill_view *view, const view_scale *size, frame_block *block)
{
    const palette_solid *kind = palette_of_solid(view->ground);
    const float side = side_of(size);
    set_colour(block->solid_material[0], kind->base, kind->tile * side);
    set_colour(block->solid_material[1], kind->other, kind->contrast);
    set_colour(block->solid_material[2], kind->third, kind->gloss);
    set_colour(block->solid_material[3], kind->cut, kind->bump);
    const float steep[3] = {kind->steep_from, kind->steep_to, kind->hollow};
    set_colour(block->solid_material[4], steep, kind->stretch);
    block->solid_material[5][0] = kind->roughness;
}

// ---- Liquid ----------------------------------------------------------------------------

// Thickens the liquid until `depth` metres leave a fiftieth of what is below in the colour that
// gets through best. Absorption and scattering grow alike, which leaves the colour as it is.
static void make_dense(double depth, frame_block *block)
{
    float least = block->liquid_fade[0];
    for (int k = 1; k < 3; k++)
        least = block->liquid_fade[k] < least ? block->liquid_fade[k] : least;
    const float times = (float)(0.5 * log(50.0) / depth) / (least > 1e-9f ? least : 1e-9f);
    for (int k = 0; k < 3; k++) {
        block->liquid_fade[k] *= times;
        block->liquid_path[k] *= times;
    }
}

// Kubelka and Munk's two fluxes with K = 2 a and S = s: what a bottomless liquid reflects, and how
// fast diffuse light fades in it.
static void fill_liquid(const rill_view *view, frame_block *block)
{
    const rill_liquid *liquid = &view->liquid;
    rill_liquid_colour(liquid, block->liquid_body);
    for (int k = 0; k < 3; k++) {
        const double absorbed = 2.0 * (double)liquid->absorption[k];
        const double scattered = fmax((double)liquid->scattering[k], 1e-9);
        block->liquid_fade[k] = (float)sqrt(absorbed * (absorbed + 2.0 * scattered));
        block->liquid_path[k] = liquid->absorption[k] + liquid->scattering[k];
        block->foam_material[k] = liquid->foam_colour[k];
    }
    if (view->opaque_depth > 0.0)
        make_dense(view->opaque_depth, block);
    const float n = liquid->refractive_index;
    block->solid[2] = (float)view->fog_begin;
    block->solid[3] = (float)fmax(view->fog_end, view->fog_begin);
    block->liquid_body[3] = (n - 1.0f) * (n - 1.0f) / ((n + 1.0f) * (n + 1.0f));
    block->liquid_fade[3] = liquid->foam;
    block->liquid_path[3] = 1.0f / n;
    block->foam_material[3] = liquid->roughness * liquid->roughness;
}

// Returns true where there is neither wind nor foam: in a studio, and on a model that fits on a
// table.
static bool sheltered(const rill_view *view, const view_scale *size)
{
    return view->backdrop == RILL_BACKDROP_STUDIO || (size->solid && side_of(size) < SMALL_SIDE);
}

// Slopes of wind waves by Cox and Munk (1954): 0.003 + 0.00512 of the wind in m/s is their mean
// square, of which the tiles carry a part; the rest is in the liquid's own roughness.
static void fill_ripples(const rill_view *view, const view_scale *size, frame_block *block)
{
    const double direction = view->wind_direction * degree;
    const double longest = view->ripple_size > 0.0 ? view->ripple_size
                           : size->shortest > 0.0f ? (double)size->shortest
                                                   : 1.2 * (double)size->cell_size;
    const double steepness = sqrt(0.5 * (0.0006 + 0.00512 * view->wind));
    const float rippled = sheltered(view, size) ? 0.0f : view->liquid.ripples;
    block->ripple[0] = (float)cos(direction);
    block->ripple[1] = (float)sin(direction);
    block->ripple[2] = (float)(4.0 * longest); // the tile's longest wave is a quarter of its edge
    block->ripple[3] = (float)steepness * rippled;
    block->ground[5][3] = rippled;
}

void materials_set_ripples(double time, frame_block *block)
{
    // Deep-water waves of a quarter and of a ninth of the tile: c = sqrt(g L / (2 pi)), here in
    // tiles a second. Shifts stay within a tile so that floats are exact.
    const double edge = (double)block->ripple[2];
    const double first = sqrt(9.81 * edge / 4.0 / (2.0 * 180.0 * degree)) / edge;
    const double second = 2.7 * sqrt(9.81 * edge / 10.8 / (2.0 * 180.0 * degree)) / edge;
    block->ripple_shift[0] = (float)fmod(first * time, 1.0);
    block->ripple_shift[1] = 0.0f;
    block->ripple_shift[2] = (float)fmod(0.8 * second * time, 1.0);
    block->ripple_shift[3] = (float)fmod(0.35 * second * time, 1.0);
}

void materials_set_origin(const double origin[2], frame_block *block)
{
    const double edge = (double)block->ripple[2], tile = (double)block->ground[4][3];
    const double c = (double)block->ripple[0], s = (double)block->ripple[1];
    const double along = c * origin[0] + s * origin[1], across = c * origin[1] - s * origin[0];
    for (int k = 0; k < 2; k++) {
        block->domain_place[k] = (float)fmod(origin[k], 360.0 * tile);
        block->domain_place[2 + k] = (float)fmod(origin[k] / edge, 170.0);
        block->afloat[k] = (float)fmod((k == 0 ? along : across) / edge, 50.0);
    }
}

// ---- Light -----------------------------------------------------------------------------

static double seen_distance(const rill_view *view, const view_scale *size)
{
    const int side = size->nx > size->ny ? size->nx : size->ny;
    if (view->visibility > 0.0)
        return view->visibility;
    return fmin(40.0 * side * (double)size->cell_size, CLEAREST_AIR);
}

double materials_haze(const rill_view *view, const view_scale *size)
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

static void fill_light(const rill_view *view, const sky *light, const view_scale *size,
                       frame_block *block)
{
    // Clouds take light from the sun and give some of it back from the sky.
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

// Lamps of a studio: a large soft one from the left behind the camera, and bright walls around.
// `heading` turns them as it turns the sun.
static void fill_studio(const rill_view *view, frame_block *block)
{
    static const float lamp[3] = {1.15f, 1.11f, 1.05f}, walls[3] = {0.27f, 0.285f, 0.31f};
    const double azimuth = (215.0 - view->heading) * degree, elevation = 52.0 * degree;
    block->sun[0] = (float)(cos(elevation) * sin(azimuth));
    block->sun[1] = (float)(cos(elevation) * cos(azimuth));
    block->sun[2] = (float)sin(elevation);
    memcpy(block->sunlight, lamp, sizeof lamp);
    memcpy(block->skylight, walls, sizeof walls);
    memcpy(block->horizon, walls, sizeof walls);
    block->sunlight[3] = 0.75f * (float)exp2(view->exposure);
    block->skylight[3] = 0.0f;
    block->horizon[3] = 0.0f;
}

void materials_fill(const rill_view *view, const sky *light, const view_scale *size,
                    frame_block *block)
{
    block->grid[0] = (float)size->nx;
    block->grid[1] = (float)size->ny;
    block->grid[2] = size->cell_size;
    block->grid[3] = 1.0f / size->cell_size;
    fill_ground(view, size, block);
    if (size->landscape)
        fill_landscape(size, block);
    fill_solid(view, size, block);
    fill_liquid(view, block);
    fill_ripples(view, size, block);
    fill_light(view, light, size, block);
    if (sheltered(view, size))
        block->liquid_fade[3] = 0.0f;
    if (size->solid && view->visibility <= 0.0 && side_of(size) < SMALL_SIDE)
        block->horizon[3] = 0.0f;
    if (view->backdrop == RILL_BACKDROP_STUDIO)
        fill_studio(view, block);
}
