// SPDX-License-Identifier: MIT
// sea.c - a square of sea after Tessendorf (1999), with Phillips' spectrum.
//
// The spectrum of a sea that a wind V has grown, S(k) with the variance of the heights as its
// integral over all wave vectors, is
//
//     S(k) = A exp(-1/(k L)^2) / k^4 cos^2(angle to the wind),   L = V^2/g,   A = alpha / (2 pi)
//
// Phillips' equilibrium range, alpha g^2/w^5 per frequency, is alpha/(2 k^3) per wave number; cos^2
// over all directions makes A pi/k^3 of S, hence A. The variance of the whole is alpha L^2/4, the
// significant height 0.18 V^2/g (Pierson and Moskowitz measured 0.21). S does not tell a wave from
// its opposite; here waves that would run against the wind are left out, and those that run with it
// get their energy.
//
// A wave vector of the square stands for the area dk^2 = (2 pi / tile)^2 around it. With Gaussian
// numbers x, y of variance 1,
//
//     h0(k) = (x + i y) / sqrt 2 sqrt(P(k)),   P(k) = S(k) dk^2 / 2, twice with the wind, 0 against
//
// so that the sum of P(k) + P(-k) over the square is the variance. waves/sea_rows.h has the rest.
#include "waves/sea.h"

#include "core/assert.h"
#include "core/numbers.h"
#include "core/owned.h"
#include "waves/fft.h"
#include "waves/sea_rows.h"

#include "rill/support.h"

#include <math.h>
#include <stdbool.h>

#define TURN  6.283185307179586
#define ALPHA 0.0081 // Phillips' constant

// Waves lower than this are left out: a float could hold them, but products of them would be
// denormal.
#define LOWEST 1e-20

#define ROWS_PER_TASK 16

struct rill_sea {
    rl_owned own;
    const rl_sea_rows *table;
    rl_sea_row first; // row of the arrays; its time is that of the update that is running
    int size;
    double tile, variance;
    double unit; // seconds: the unit of time in which turns are counted
    rl_fft *fft;
    float *waves; // k_x of each column, or k_y of each row
};

// ---- Definition ----------------------------------------------------------------------------

static rill_status check(const rill_sea_def *def)
{
    if (def->size < 16 || def->size > RL_SEA_MAX_SIZE || (def->size & (def->size - 1)) != 0)
        return rill_fail(RILL_BAD_DEF, "size is %d, it must be a power of two from 16 to %d",
                         def->size, RL_SEA_MAX_SIZE);
    const struct {
        const char *name;
        double value, least, most;
    } ranges[] = {
        {"tile", def->tile, 1e-6, 1e9},
        {"wind", def->wind, 1e-6, 1e6},
        {"height", def->height, 0, 1e6},
        {"wind_direction", def->wind_direction, -1e6, 1e6},
        {"gravity", def->gravity, 1e-6, 1e6},
        {"loop", def->loop, 0, 1e12},
        {"chop", def->chop, 0, 2},
    };
    for (size_t n = 0; n < sizeof ranges / sizeof ranges[0]; n++)
        if (!(ranges[n].value >= ranges[n].least && ranges[n].value <= ranges[n].most))
            return rill_fail(RILL_BAD_DEF, "%s is %g, it must be from %g to %g", ranges[n].name,
                             ranges[n].value, ranges[n].least, ranges[n].most);
    if (!(def->depth > 0.0))
        return rill_fail(RILL_BAD_DEF, "depth is %g, it must be positive", def->depth);
    if (!(def->shortest >= 0.0 && def->longest >= def->shortest && def->longest > 0.0))
        return rill_fail(
            RILL_BAD_DEF,
            "waves from %g to %g m are none: shortest must not be negative, and longest "
            "not below it",
            def->shortest, def->longest);
    return RILL_OK;
}

// ---- Spectrum ------------------------------------------------------------------------------

typedef struct wave_vector {
    int nx, ny;  // waves along the sides of the tile
    double x, y; // rad/m
    double k;    // its length
} wave_vector;

static wave_vector vector_of(const rill_sea_def *def, int nx, int ny)
{
    const double step = TURN / def->tile;
    wave_vector v = {nx, ny, nx * step, ny * step, 0};
    v.k = sqrt(v.x * v.x + v.y * v.y);
    return v;
}

// Returns P(k), m^2.
static double power_of(const rill_sea_def *def, wave_vector v)
{
    const double length = TURN / v.k, angle = def->wind_direction * TURN / 360.0;
    // A cosine that is only a rounding error does not count: a wind along an axis drives no waves
    // across it.
    const double along = (v.x * cos(angle) + v.y * sin(angle)) / v.k;
    if (along < 1e-12 || length < def->shortest || length > def->longest)
        return 0.0;
    const double step = TURN / def->tile, reach = def->wind * def->wind / def->gravity;
    const double kl = v.k * reach, k2 = v.k * v.k;
    const double spectrum = ALPHA / TURN * exp(-1.0 / (kl * kl)) / (k2 * k2) * along * along;
    return def->height * def->height * spectrum * step * step;
}

// Returns a number in (0, 1] that is the same for the same wave vector and seed, whatever the size
// of the square: a finer square has the same long waves.
static double random_of(const rill_sea_def *def, wave_vector v, unsigned which)
{
    const uint64_t index = (uint64_t)(uint32_t)v.ny << 32 | (uint32_t)v.nx;
    return ((double)(rl_random_bits(def->seed, which, index) >> 11) + 1.0) * 0x1p-53;
}

typedef struct amplitude {
    double re, im;
} amplitude;

// Returns h0(k) by Box and Muller's method: -ln u is the square of the length of a complex Gaussian
// number of variance 1.
static amplitude amplitude_of(const rill_sea_def *def, wave_vector v, double power)
{
    if (sqrt(power) < LOWEST)
        return (amplitude){0, 0};
    const double length = sqrt(-log(random_of(def, v, 0)) * power);
    const double angle = TURN * random_of(def, v, 1);
    return (amplitude){length * cos(angle), length * sin(angle)};
}

static size_t place_of(int size, int nx, int ny)
{
    return (size_t)((ny + size) % size) * (size_t)size + (size_t)((nx + size) % size);
}

// Returns the turns per unit of time. With a loop the unit is the loop, and turns are whole
// numbers: rounded down, but at least 1, so that every wave moves.
static double turns_of(const rill_sea_def *def, wave_vector v)
{
    const double turns = sqrt(def->gravity * v.k * tanh(v.k * def->depth)) / TURN;
    return def->loop > 0.0 ? fmax(1.0, floor(turns * def->loop)) : turns;
}

// Fills in a wave vector and its opposite.
static void fill_pair(rl_sea *s, const rill_sea_def *def, int nx, int ny)
{
    RL_ASSERT(nx != 0 || ny != 0);
    RL_ASSERT(s->size / 2 > ny);
    const wave_vector v = vector_of(def, nx, ny), w = vector_of(def, -nx, -ny);
    const double power = power_of(def, v), power_opposite = power_of(def, w);
    s->variance += 2.0 * (power + power_opposite);
    const amplitude a = amplitude_of(def, v, power), b = amplitude_of(def, w, power_opposite);
    const size_t here = place_of(s->size, nx, ny), there = place_of(s->size, -nx, -ny);
    const rl_sea_row *r = &s->first;
    r->turns[here] = r->turns[there] = (float)turns_of(def, v);
    r->draw[here] = r->draw[there] = (float)(def->chop / v.k);
    // The opposite of a sum is its conjugate, that of a difference minus its conjugate.
    r->sum_re[here] = r->sum_re[there] = (float)(a.re + b.re);
    r->sum_im[here] = (float)(a.im - b.im);
    r->sum_im[there] = (float)(b.im - a.im);
    r->difference_re[here] = (float)(a.re - b.re);
    r->difference_re[there] = (float)(b.re - a.re);
    r->difference_im[here] = r->difference_im[there] = (float)(a.im + b.im);
}

// Fills in every wave vector but 0, which is the level of the sea, and the rows at -size/2, which
// have no opposite.
static void fill_spectrum(rl_sea *s, const rill_sea_def *def)
{
    const int half = s->size / 2;
    for (int n = 0; n < s->size; n++)
        s->waves[n] = (float)((n < half ? n : n - s->size) * TURN / def->tile);
    for (int ny = 0; ny < half; ny++)
        for (int nx = ny == 0 ? 1 : 1 - half; nx < half; nx++)
            fill_pair(s, def, nx, ny);
}

// ---- Interface -----------------------------------------------------------------------------

// One block holds all arrays; squares start some cache lines apart, so that they lie in different
// sets of the cache.
static bool take_memory(rl_sea *s)
{
    const size_t square = (size_t)s->size * (size_t)s->size + 5 * RILL_ALIGNMENT / sizeof(float);
    float *memory = rl_owned_take(&s->own, RL_SEA_ARRAYS * square + (size_t)s->size, sizeof(float));
    if (memory == NULL)
        return false;
    for (size_t n = 0; n < RL_SEA_ARRAYS; n++)
        s->first.arrays[n] = memory + n * square;
    s->first.wave_x = s->waves = memory + RL_SEA_ARRAYS * square;
    return true;
}

rill_status rl_sea_create_with(const rill_sea_def *def, rl_isa isa, const rill_allocator *allocator,
                               rl_sea **out)
{
    *out = NULL;
    RILL_TRY(check(def));
    rl_sea *s = rl_owned_create(allocator, sizeof *s);
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a sea");
    s->table = RL_ROWS_OF(isa, rl_sea_rows);
    s->size = s->first.size = def->size;
    s->tile = def->tile;
    s->unit = def->loop > 0.0 ? def->loop : 1.0;
    s->fft = rl_fft_create(allocator, def->size, isa);
    if (s->fft == NULL || !take_memory(s)) {
        rl_sea_destroy(&s);
        return rill_fail(RILL_NO_MEMORY, "no memory for a sea of %d x %d points", def->size,
                         def->size);
    }
    fill_spectrum(s, def);
    if (!(s->variance < 1e12)) {
        const double deviation = sqrt(s->variance);
        rl_sea_destroy(&s);
        return rill_fail(RILL_BAD_DEF,
                         "wind %g m/s and height %g would make waves of %g m, too high to compute",
                         def->wind, def->height, deviation);
    }
    rl_sea_update(s, NULL, 0.0);
    *out = s;
    return RILL_OK;
}

rill_status rl_sea_create(const rill_sea_def *def, const rill_allocator *allocator, rl_sea **out)
{
    *out = NULL;
    rl_isa isa;
    RILL_TRY(rl_isa_pick(&isa));
    return rl_sea_create_with(def, isa, allocator, out);
}

void rl_sea_destroy(rl_sea **sea)
{
    void *object = *sea;
    if (object != NULL)
        rl_fft_destroy(&(*sea)->fft);
    rl_owned_destroy(NULL, &object);
    *sea = NULL;
}

size_t rl_sea_memory(const rl_sea *sea)
{
    return sea == NULL ? 0 : rl_owned_memory(sea) + rl_fft_memory(sea->fft);
}

static void waves_task(void *context, int index)
{
    const rl_sea *s = context;
    for (int j = index * ROWS_PER_TASK; j < (index + 1) * ROWS_PER_TASK; j++) {
        rl_sea_row row = s->first;
        for (int n = 0; n < RL_SEA_ARRAYS; n++)
            row.arrays[n] += (size_t)j * (size_t)s->size;
        row.wave_y = s->waves[j];
        s->table->waves(&row);
    }
}

static void update(rl_sea *sea, rl_jobs *jobs, double time, int fields)
{
    RL_ASSERT(fields >= 2 && fields <= RL_SEA_FIELDS);
    if (!isfinite(time))
        return;
    sea->first.time = time / sea->unit;
    rl_jobs_run(jobs, sea->size / ROWS_PER_TASK, waves_task, sea);
    for (int pair = 0; pair < fields; pair += 2)
        rl_fft_inverse(sea->fft, jobs, sea->first.arrays[pair], sea->first.arrays[pair + 1]);
}

void rl_sea_update(rl_sea *sea, rl_jobs *jobs, double time)
{
    update(sea, jobs, time, RL_SEA_FIELDS);
}

void rl_sea_update_heights(rl_sea *sea, rl_jobs *jobs, double time)
{
    update(sea, jobs, time, 2);
}

rill_sea_view rl_sea_view(const rl_sea *sea)
{
    return (rill_sea_view){
        .size = sea->size,
        .tile = sea->tile,
        .variance = sea->variance,
        .height = sea->first.height,
        .shift_x = sea->first.shift_x,
        .shift_y = sea->first.shift_y,
        .slope_x = sea->first.slope_x,
        .slope_y = sea->first.slope_y,
    };
}

const float *rl_sea_residue(const rl_sea *sea)
{
    return sea->first.residue;
}
