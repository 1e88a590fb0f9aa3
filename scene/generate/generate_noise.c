// SPDX-License-Identifier: MIT
// generate_noise.c - smooth noise from a seed.
#include "scene/generate/generate_internal.h"

#include <math.h>

// Ridges lie on the zero lines of the noise, which are about one lattice cell apart.
#define LATTICE_PER_FEATURE 1.25

// A lattice finer than this is rough from cell to cell and no longer noise with a slope.
#define LEAST_LATTICE_CELLS 2.5

// How far the coordinates are bent, features. More gives curls, less gives straight ranges.
#define WARP_REACH   0.35
#define SLOW_OCTAVES 3

// Every octave is turned by the angle of the 3-4-5 triangle, so that no direction of the lattice
// shows through the sum.
#define TURN_COS 0.8
#define TURN_SIN 0.6

// splitmix64 (Steele, Lea and Flood 2014): neighbouring seeds give unrelated terrains.
static uint64_t next_seed(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

rl_noise rl_noise_make(uint64_t seed, int octaves, double ridges, double cell)
{
    RL_ASSERT(octaves > 0 && cell > 0.0);
    rl_noise noise = {.ridges = ridges};
    double lattice_cells = 1.0 / (LATTICE_PER_FEATURE * cell);
    while (noise.octaves < octaves &&
           (noise.octaves == 0 || lattice_cells >= LEAST_LATTICE_CELLS)) {
        noise.octaves++;
        lattice_cells *= 0.5;
    }
    uint64_t state = seed;
    for (int o = 0; o < RL_NOISE_MAX_OCTAVES; o++)
        noise.octave_seeds[o] = (uint32_t)(next_seed(&state) >> 32);
    for (int o = 0; o < 2; o++)
        noise.warp_seeds[o] = (uint32_t)(next_seed(&state) >> 32);
    return noise;
}

static uint32_t hash_lattice(uint32_t seed, uint32_t ix, uint32_t iy)
{
    uint32_t h = seed ^ (ix * 0x9e3779b1u) ^ (iy * 0x85ebca77u);
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

// Returns slope times offset at one corner of the lattice. Sixteen directions, none along an axis.
static double corner(uint32_t hash, double dx, double dy)
{
    static const double directions[4][2] = {
        {0.98078528040323043, 0.19509032201612825},
        {0.83146961230254524, 0.55557023301960218},
        {0.55557023301960229, 0.83146961230254524},
        {0.19509032201612833, 0.98078528040323043},
    };
    const double *direction = directions[hash >> 30];
    const double gx = hash & 0x20000000u ? -direction[0] : direction[0];
    const double gy = hash & 0x10000000u ? -direction[1] : direction[1];
    return gx * dx + gy * dy;
}

static double fade(double t)
{
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

double rl_noise_gradient(uint32_t seed, double x, double y)
{
    const double floor_x = floor(x), floor_y = floor(y);
    const double dx = x - floor_x, dy = y - floor_y;
    const uint32_t ix = (uint32_t)(int64_t)floor_x, iy = (uint32_t)(int64_t)floor_y;
    const double a = corner(hash_lattice(seed, ix, iy), dx, dy);
    const double b = corner(hash_lattice(seed, ix + 1, iy), dx - 1.0, dy);
    const double c = corner(hash_lattice(seed, ix, iy + 1), dx, dy - 1.0);
    const double d = corner(hash_lattice(seed, ix + 1, iy + 1), dx - 1.0, dy - 1.0);
    const double u = fade(dx), v = fade(dy);
    const double low = a + u * (b - a), high = c + u * (d - c);
    return 1.5 * (low + v * (high - low));
}

double rl_noise_slow(uint32_t seed, double x, double y)
{
    double sum = 0.0, amplitude = 1.0;
    for (int o = 0; o < SLOW_OCTAVES; o++) {
        sum += amplitude * rl_noise_gradient(seed + (uint32_t)o, x, y);
        const double turned = TURN_COS * x - TURN_SIN * y;
        y = 2.0 * (TURN_SIN * x + TURN_COS * y);
        x = 2.0 * turned;
        amplitude *= 0.5;
    }
    return sum;
}

// Returns ranges and lowlands, several features wide, 0 to 1.
static double broad_lie(const rl_noise *noise, double x, double y)
{
    const double lie = rl_noise_gradient(noise->warp_seeds[0] + 5u, 0.3 * x + 0.37, 0.3 * y + 0.11);
    const double sub = rl_noise_gradient(noise->warp_seeds[0] + 6u, 0.6 * y, 0.6 * x);
    const double sum = 1.8 * (lie + 0.5 * sub);
    return 0.5 + 0.5 * sum / sqrt(1.0 + sum * sum);
}

double rl_noise_terrain(const rl_noise *noise, double x, double y)
{
    // Turned by the angle of the 5-12-13 triangle, away from the rows and columns of the grid.
    const double east = (5.0 * x - 12.0 * y) / 13.0, north = (12.0 * x + 5.0 * y) / 13.0;
    const double slow_x = 0.6 * east, slow_y = 0.6 * north;
    const double bent_x = east + WARP_REACH * rl_noise_slow(noise->warp_seeds[0], slow_x, slow_y);
    const double bent_y = north + WARP_REACH * rl_noise_slow(noise->warp_seeds[1], slow_x, slow_y);
    x = LATTICE_PER_FEATURE * bent_x;
    y = LATTICE_PER_FEATURE * bent_y;

    double hills = 0.0, ridges = 0.0, amplitude = 1.0, weight = 1.0;
    for (int o = 0; o < noise->octaves; o++) {
        const double value = rl_noise_gradient(noise->octave_seeds[o], x, y);
        hills += amplitude * value;

        // The crest is rounded over a few per cent of its width: real ones are not creases.
        const double crest = 1.0 - sqrt(value * value + 0.001);
        const double signal = weight * crest * crest;
        ridges += amplitude * signal;
        weight = signal < 0.5 ? 2.0 * signal : 1.0; // detail gathers on the heights

        const double turned = TURN_COS * x - TURN_SIN * y;
        y = 2.0 * (TURN_SIN * x + TURN_COS * y);
        x = 2.0 * turned;
        amplitude *= 0.48;
    }
    const double detail =
        (1.0 - noise->ridges) * (0.5 + 0.4 * hills) + noise->ridges * 0.6 * ridges;
    const double lie = broad_lie(noise, bent_x, bent_y);
    return 0.45 * lie + 0.55 * detail * (0.25 + 0.75 * lie);
}
