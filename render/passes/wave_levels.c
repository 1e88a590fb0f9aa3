// SPDX-License-Identifier: MIT
// wave_levels.c - computes the coarser levels of wave textures.
#include "render/passes/wave_levels.h"

#include "render/half.h"

#include <math.h>

// Where the shifted surface folds over, its slope has no bounds; crests are as sharp as this, and
// nothing is steeper than a wave that breaks by far.
#define LEAST_FOLD 0.3f
#define STEEPEST   1.2f

size_t wave_levels_texels(int size)
{
    size_t sum = 0;
    for (int side = size; side > 0; side /= 2)
        sum += (size_t)side * (size_t)side;
    return sum;
}

size_t wave_levels_scratch(int size)
{
    return 8 * (size_t)size * (size_t)size;
}

// Computes central differences over the neighbours of a point; `half` is 1 / (2 spacing).
typedef struct around {
    size_t west, east, south, north;
    float half;
} around;

static float along_x(const float *field, const around *a)
{
    return (field[a->east] - field[a->west]) * a->half;
}

static float along_y(const float *field, const around *a)
{
    return (field[a->north] - field[a->south]) * a->half;
}

// The surface is (x + shift, height), so its slope over the ground is that of the height with the
// inverse of the shift's Jacobian.
static void fill_slope(const rill_sea_view *sea, wave_extra extra, size_t at, const around *a,
                       float texel[4])
{
    const float xx = 1.0f + along_x(sea->shift_x, a), yy = 1.0f + along_y(sea->shift_y, a);
    const float xy = 0.5f * (along_y(sea->shift_x, a) + along_x(sea->shift_y, a));
    const float fold = xx * yy - xy * xy;
    const float inverse = 1.0f / (fold > LEAST_FOLD ? fold : LEAST_FOLD);
    const float hx = sea->slope_x[at], hy = sea->slope_y[at];
    const float x = (yy * hx - xy * hy) * inverse, y = (xx * hy - xy * hx) * inverse;
    const float square = x * x + y * y;
    const float within = square > STEEPEST * STEEPEST ? STEEPEST / sqrtf(square) : 1.0f;
    texel[0] = x * within;
    texel[1] = y * within;
    texel[2] = texel[0] * texel[0] + texel[1] * texel[1];
    texel[3] =
        extra == WAVE_FOLD ? fold : 0.0f - along_x(sea->slope_x, a) - along_y(sea->slope_y, a);
}

static void fill_finest(const rill_sea_view *sea, wave_extra extra, float *moves, float *slopes)
{
    const size_t n = (size_t)sea->size, mask = n - 1;
    around a = {.half = (float)(0.5 * sea->size / sea->tile)};
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = j * n + i;
            a.west = j * n + ((i - 1) & mask);
            a.east = j * n + ((i + 1) & mask);
            a.south = ((j - 1) & mask) * n + i;
            a.north = ((j + 1) & mask) * n + i;
            float *move = moves + 4 * at;
            move[0] = sea->shift_x[at];
            move[1] = sea->shift_y[at];
            move[2] = sea->height[at];
            move[3] = 0.0f;
            fill_slope(sea, extra, at, &a, slopes + 4 * at);
        }
}

// A texel is written after all that lie behind it were read.
void wave_levels_halve(float *texels, size_t side)
{
    const size_t row = 8 * side;
    for (size_t j = 0; j < side; j++)
        for (size_t i = 0; i < side; i++) {
            const float *from = texels + 2 * j * row + 8 * i;
            float *to = texels + 4 * (j * side + i);
            for (size_t k = 0; k < 4; k++)
                to[k] = 0.25f * (from[k] + from[k + 4] + from[row + k] + from[row + k + 4]);
        }
}

static size_t pack(const float *from, size_t side, uint16_t *to)
{
    const size_t count = 4 * side * side;
    for (size_t k = 0; k < count; k++)
        to[k] = half_from_float(from[k]);
    return count;
}

void wave_levels_pack(const rill_sea_view *sea, wave_extra extra, float *scratch, uint16_t *moves,
                      uint16_t *slopes)
{
    float *const fine_moves = scratch;
    float *const fine_slopes = scratch + 4 * (size_t)sea->size * (size_t)sea->size;
    fill_finest(sea, extra, fine_moves, fine_slopes);
    for (size_t side = (size_t)sea->size; side > 0; side /= 2) {
        if (side < (size_t)sea->size) {
            wave_levels_halve(fine_moves, side);
            wave_levels_halve(fine_slopes, side);
        }
        moves += pack(fine_moves, side, moves);
        slopes += pack(fine_slopes, side, slopes);
    }
}
