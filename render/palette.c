// SPDX-License-Identifier: MIT
// palette.c - the table of reflectances.
#include "render/palette.h"

static const palette_land lands[RILL_GROUND_MATERIAL_COUNT] = {
    [RILL_GROUND_LAND] =
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
    [RILL_GROUND_BONE] =
        {
            .bed = {0.52f, 0.40f, 0.28f},
            .shore = {0.60f, 0.49f, 0.36f},
            .gentle = {0.70f, 0.60f, 0.46f},
            .gentle_too = {0.64f, 0.53f, 0.39f},
            .steep = {0.62f, 0.50f, 0.36f},
            .high = {0.74f, 0.65f, 0.52f},
            .steep_from = 0.30f,
            .steep_to = 0.80f,
            .high_from = 0.60f,
            .high_to = 1.50f,
            .contrast = 0.35f,
        },
    [RILL_GROUND_WOOD] =
        {
            .bed = {0.17f, 0.085f, 0.038f},
            .shore = {0.21f, 0.11f, 0.05f},
            .gentle = {0.30f, 0.165f, 0.075f},
            .gentle_too = {0.22f, 0.115f, 0.05f},
            .steep = {0.20f, 0.105f, 0.045f},
            .high = {0.31f, 0.175f, 0.08f},
            .steep_from = 0.30f,
            .steep_to = 0.80f,
            .high_from = 1.50f,
            .high_to = 2.50f,
            .contrast = 0.4f,
        },
    [RILL_GROUND_PLASTER] =
        {
            .bed = {0.58f, 0.57f, 0.55f},
            .shore = {0.62f, 0.61f, 0.59f},
            .gentle = {0.66f, 0.65f, 0.63f},
            .gentle_too = {0.63f, 0.62f, 0.60f},
            .steep = {0.62f, 0.61f, 0.59f},
            .high = {0.67f, 0.66f, 0.64f},
            .steep_from = 0.30f,
            .steep_to = 0.80f,
            .high_from = 1.50f,
            .high_to = 2.50f,
            .contrast = 0.15f,
        },
    [RILL_GROUND_CERAMIC] =
        {
            .bed = {0.70f, 0.70f, 0.69f},
            .shore = {0.72f, 0.72f, 0.71f},
            .gentle = {0.74f, 0.74f, 0.73f},
            .gentle_too = {0.73f, 0.73f, 0.72f},
            .steep = {0.72f, 0.72f, 0.71f},
            .high = {0.74f, 0.74f, 0.73f},
            .steep_from = 0.30f,
            .steep_to = 0.80f,
            .high_from = 1.50f,
            .high_to = 2.50f,
            .contrast = 0.03f,
        },
};

static const palette_solid solids[RILL_GROUND_MATERIAL_COUNT] = {
    [RILL_GROUND_LAND] =
        {
            .base = {0.095f, 0.130f, 0.036f},
            .other = {0.150f, 0.155f, 0.058f},
            .third = {0.245f, 0.225f, 0.195f},
            .cut = {0.16f, 0.12f, 0.085f},
            .contrast = 1.0f,
            .bump = 1.6f,
            .tile = 0.20f,
            .stretch = 1.0f,
            .steep_from = 0.12f,
            .steep_to = 0.34f,
            .hollow = 0.6f,
            .gloss = 0.0f,
            .roughness = 0.4f,
        },
    [RILL_GROUND_SAND] =
        {
            .base = {0.56f, 0.47f, 0.33f},
            .other = {0.50f, 0.41f, 0.28f},
            .third = {0.46f, 0.36f, 0.24f},
            .cut = {0.40f, 0.31f, 0.21f},
            .contrast = 0.45f,
            .bump = 1.0f,
            .tile = 0.20f,
            .stretch = 1.0f,
            .steep_from = 0.25f,
            .steep_to = 0.60f,
            .hollow = 0.2f,
            .gloss = 0.0f,
            .roughness = 0.4f,
        },
    [RILL_GROUND_CONCRETE] =
        {
            .base = {0.34f, 0.33f, 0.31f},
            .other = {0.29f, 0.285f, 0.27f},
            .third = {0.22f, 0.21f, 0.19f},
            .cut = {0.25f, 0.24f, 0.225f},
            .contrast = 0.6f,
            .bump = 0.8f,
            .tile = 0.35f,
            .stretch = 1.0f,
            .steep_from = 1.2f,
            .steep_to = 2.0f,
            .hollow = 0.5f,
            .gloss = 0.1f,
            .roughness = 0.3f,
        },
    [RILL_GROUND_TISSUE] =
        {
            .base = {0.54f, 0.23f, 0.18f},
            .other = {0.48f, 0.17f, 0.135f},
            .third = {0.36f, 0.07f, 0.06f},
            .cut = {0.42f, 0.13f, 0.11f},
            .contrast = 0.7f,
            .bump = 1.0f,
            .tile = 0.40f,
            .stretch = 1.0f,
            .steep_from = 0.9f,
            .steep_to = 2.2f,
            .hollow = 0.6f,
            .gloss = 1.0f,
            .roughness = 0.12f,
        },
    [RILL_GROUND_BONE] =
        {
            .base = {0.66f, 0.56f, 0.41f},
            .other = {0.60f, 0.48f, 0.33f},
            .third = {0.36f, 0.17f, 0.10f},
            .cut = {0.56f, 0.36f, 0.26f},
            .contrast = 0.55f,
            .bump = 0.7f,
            .tile = 0.40f,
            .stretch = 1.0f,
            .steep_from = 1.3f,
            .steep_to = 2.4f,
            .hollow = 0.75f,
            .gloss = 0.7f,
            .roughness = 0.17f,
        },
    [RILL_GROUND_WOOD] =
        {
            .base = {0.36f, 0.20f, 0.095f},
            .other = {0.20f, 0.095f, 0.040f},
            .third = {0.17f, 0.085f, 0.038f},
            .cut = {0.33f, 0.20f, 0.10f},
            .contrast = 0.9f,
            .bump = 0.2f,
            .tile = 0.30f,
            .stretch = 9.0f,
            .steep_from = 1.4f,
            .steep_to = 2.2f,
            .hollow = 0.2f,
            .gloss = 0.55f,
            .roughness = 0.16f,
        },
    [RILL_GROUND_PLASTER] =
        {
            .base = {0.62f, 0.61f, 0.595f},
            .other = {0.59f, 0.58f, 0.565f},
            .third = {0.55f, 0.535f, 0.515f},
            .cut = {0.40f, 0.42f, 0.45f},
            .contrast = 0.25f,
            .bump = 0.25f,
            .tile = 0.30f,
            .stretch = 1.0f,
            .steep_from = 1.5f,
            .steep_to = 2.5f,
            .hollow = 0.2f,
            .gloss = 0.12f,
            .roughness = 0.35f,
        },
    [RILL_GROUND_CERAMIC] =
        {
            .base = {0.74f, 0.74f, 0.72f},
            .other = {0.73f, 0.73f, 0.71f},
            .third = {0.70f, 0.70f, 0.68f},
            .cut = {0.55f, 0.47f, 0.40f},
            .contrast = 0.05f,
            .bump = 0.0f,
            .tile = 0.40f,
            .stretch = 1.0f,
            .steep_from = 1.5f,
            .steep_to = 2.5f,
            .hollow = 0.0f,
            .gloss = 1.0f,
            .roughness = 0.03f,
        },
};

const palette_land *palette_of_land(rill_ground_material material)
{
    return &lands[(unsigned)material < RILL_GROUND_MATERIAL_COUNT ? material : RILL_GROUND_LAND];
}

const palette_solid *palette_of_solid(rill_ground_material material)
{
    return &solids[(unsigned)material < RILL_GROUND_MATERIAL_COUNT ? material : RILL_GROUND_LAND];
}
