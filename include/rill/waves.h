// SPDX-License-Identifier: MIT
// waves.h - waves finer than the grid, and the open sea: surfaces made of very many small waves by
// a Fourier transform (Tessendorf), animated and periodic, and the texture coordinates by which the
// flow of a world carries them (Chentanez and Müller section 2.5.2).
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;

/// A square of sea that repeats itself in both directions.
typedef struct rill_sea rill_sea;

/// Which waves it has. Start from rill_default_sea_def().
typedef struct rill_sea_def {
    int size;              ///< Points a side, a power of two from 16 to 1024. Default 256.
    double tile;           ///< Side of the square, metres, positive. Default 100.
    double wind;           ///< m/s, above 0: the highest waves are 7.7 wind^2 / g long. Default 8.
    double wind_direction; ///< Where it blows to, degrees from +x to +y. Default 30.
    double height;         ///< Times the height of a grown sea, not negative. Default 1.
    /// Only waves between these lengths, metres; 0 and infinity: what the tile can hold. Default 0
    /// and infinity.
    double shortest, longest;
    double depth;          ///< Of the water, metres; slows long waves. Default infinity.
    double gravity;        ///< m/s^2. Default 9.81.
    double loop;           ///< Seconds after which everything repeats; 0: never. Default 0.
    double chop;           ///< How far crests are drawn together, 0 to 2. Default 1.
    uint64_t seed;         ///< Default 1.
    const rill_host *host; ///< Memory hooks; may be NULL.
} rill_sea_def;

RILL_API rill_sea_def rill_default_sea_def(void);
RILL_API rill_status rill_sea_create(const rill_sea_def *def, rill_sea **out);
RILL_API void rill_sea_destroy(rill_sea **sea);

/// Brings the square to `time`, seconds, of any sign. `world` lends its threads; may be NULL.
RILL_API rill_status rill_sea_update(rill_sea *sea, rill_world *world, double time);

/// The surface at the time of the last update. Point (i, j) is value [j * size + i] and stands at
/// (i, j) * tile / size; row `size` would be row 0 again.
typedef struct rill_sea_view {
    int size;
    double tile;          ///< Metres.
    double variance;      ///< Of the heights, as the spectrum has it, m^2.
    const float *height;  ///< Metres above the level at rest.
    const float *shift_x; ///< Horizontal displacement that makes the crests sharp, metres.
    const float *shift_y;
    const float *slope_x; ///< Slope of `height` along x and y.
    const float *slope_y;
} rill_sea_view;

/// [reader] All-zero for NULL.
RILL_API rill_sea_view rill_sea_get(const rill_sea *sea);

/// Waves finer than the grid of a world.
typedef struct rill_waves_def {
    int size;             ///< Points of the texture a side; 0: no such waves. Default 0.
    float tile;           ///< Its side, metres. 0: sixteen cells. Default 0.
    float wind;           ///< m/s. 0: that of the world, or else 4. Default 0.
    float wind_direction; ///< Degrees from +x to +y. NAN: that of the world. Default NAN.
    float height;         ///< Times that of a grown sea. Default 1.
    /// Longest wave in the texture, metres. 0: two cells, the shortest that the grid carries.
    /// Default 0.
    float longest;
    float stretch; ///< Omega: how fast they fade where the flow pulls them apart. Default 1.
    float period;  ///< tau: seconds after which texture coordinates are laid anew. Default 3.
    float chop;    ///< How far crests are drawn together, 0 to 2; 0: heights alone. Default 1.
} rill_waves_def;

/// The fine waves of a world as they are now. A point x of the grid is displaced by
///     weight(x) * sum over k of blend[k] * texture(s[k](x), t[k](x))
/// with s, t and weight interpolated between the centres of cells. Texture coordinates are metres.
typedef struct rill_waves {
    rill_sea_view texture;
    int nx, ny;
    size_t pitch;             ///< Floats from one row to the next.
    const float *s[3], *t[3]; ///< Minus the place itself: how far the flow has carried it.
    const float *weight;      ///< exp(-Omega mu), 0 to 1.
    float blend[3];           ///< Weights of the three sets; their sum is 1.
} rill_waves;

/// The fine waves now, the texture brought to the world's time. All-zero for a world without.
RILL_API rill_waves rill_world_waves(rill_world *world);

#ifdef __cplusplus
}
#endif
