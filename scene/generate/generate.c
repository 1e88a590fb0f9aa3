// SPDX-License-Identifier: MIT
// generate.c - generates a terrain. It is made on a grid that reaches some way past every edge, so
// that rivers can come in and go out there as they do on a map cut from a larger one. Water first
// works on a coarse copy, where great valleys form in a few steps; each finer copy takes these
// over, adds the detail of its own scale, and is worked on in turn:
//
//     noise -> halve, halve ... -> erode -> double -> erode ... -> fill ponds -> cut out -> metres
#include "scene/generate/generate_internal.h"

#include <math.h>

#define MAX_LEVELS 14

#define SCRATCH_BYTES 40 // a cell, rounded up

// A level whose features are fewer cells than this across adds nothing.
#define LEAST_FEATURE_CELLS 18.0
#define LEAST_LEVEL_SIDE    16

// Steps of erosion and K times their time, on the coarse levels and on the finest.
#define USUAL_LEVELS 4
#define COARSE_STEPS 16
#define FINE_STEPS   8
#define COARSE_TIME  1.5
#define FINE_TIME    2.0

#define CHANNEL_HEAD   0.02  // features
#define CREEP          5e-5  // features^2 per K t
#define TALUS          4.0   // relief a feature
#define SEDIMENT_SLOPE 0.03  // relief a feature
#define LAKE_DEPTH     0.02  // parts of the relief: deeper lakes keep all gravel
#define POND_DEPTH     0.005 // parts of the relief: shallower lakes are filled at the end
#define POND_CELLS     24    // smaller lakes are filled at the end

// Coarse grids are bent a little where they are copied to finer ones, so that valleys which had to
// follow the coarse grid lose its direction. Both in cells of the finer grid.
#define BEND_REACH  3.2
#define BEND_LENGTH 20.0

typedef struct level {
    int nx, ny;
    float *base; // raw terrain, 0 to 1
} level;

typedef struct terrain {
    const rill_heightfield_generate_def *def;
    rl_noise noise;
    int pad;       // cells past each edge
    double cell;   // finest cell, features
    double relief; // part of the total height that is not tilt
    int levels;
    level level[MAX_LEVELS]; // 0 is the finest
    float *z, *next;         // ground of the level being worked on and of the one before or after
    float *settling, *area;
    rl_flow flow;
    float *memory;
    size_t bytes;
} terrain;

// ---- Definition ------------------------------------------------------------------------

rill_heightfield_generate_def rill_default_heightfield_generate_def(void)
{
    return (rill_heightfield_generate_def){
        .nx = 256,
        .ny = 256,
        .cell_size = 4.0,
        .seed = 1,
        .relief = 200.0,
        .feature_size = 600.0,
        .octaves = 8,
        .ridges = 0.7,
        .valleys = 0.6,
        .tilt = 0.02,
    };
}

rill_status rl_generate_check_size(int nx, int ny)
{
    if (nx >= 4 && nx <= RILL_MAX_SIDE && ny >= 4 && ny <= RILL_MAX_SIDE &&
        (int64_t)nx * ny <= RILL_MAX_CELLS)
        return RILL_OK;
    return rill_fail(RILL_BAD_DEF,
                     "the size is %d x %d cells, each side must be 4 to %d and all cells at most "
                     "%d",
                     nx, ny, RILL_MAX_SIDE, RILL_MAX_CELLS);
}

static rill_status check_def(const rill_heightfield_generate_def *def)
{
    RILL_TRY(rl_generate_check_size(def->nx, def->ny));
    if (!(def->cell_size > 0.0) || !isfinite(def->cell_size))
        return rill_fail(RILL_BAD_DEF, "cell_size is %g m, it must be positive", def->cell_size);
    if (!(def->feature_size > 0.0) || !isfinite(def->feature_size))
        return rill_fail(RILL_BAD_DEF, "feature_size is %g m, it must be positive",
                         def->feature_size);
    if (def->octaves < 1 || def->octaves > RL_NOISE_MAX_OCTAVES)
        return rill_fail(RILL_BAD_DEF, "octaves is %d, it must be 1 to %d", def->octaves,
                         RL_NOISE_MAX_OCTAVES);
    if (!(def->ridges >= 0.0 && def->ridges <= 1.0))
        return rill_fail(RILL_BAD_DEF, "ridges is %g, it must be 0 to 1", def->ridges);
    if (!(def->valleys >= 0.0 && def->valleys <= 1.0))
        return rill_fail(RILL_BAD_DEF, "valleys is %g, it must be 0 to 1", def->valleys);
    if (!(def->tilt >= -1.0 && def->tilt <= 1.0))
        return rill_fail(RILL_BAD_DEF, "tilt is %g m/m, it must be -1 to 1", def->tilt);
    const double height = def->relief + fabs(def->tilt) * def->cell_size * (def->ny - 1);
    if (!(def->relief >= 0.0) || !(height <= 1e6))
        return rill_fail(RILL_BAD_DEF,
                         "relief is %g m and the terrain %g m high in all, it must be "
                         "0 to 1000000",
                         def->relief, height);
    return RILL_OK;
}

// ---- Plan and memory -------------------------------------------------------------------

static void plan(terrain *c)
{
    const int longest = c->def->nx > c->def->ny ? c->def->nx : c->def->ny;
    const double feature =
        rl_clamp_double(c->def->feature_size / c->def->cell_size, 4.0, 4.0 * (double)longest);
    c->cell = 1.0 / feature;
    c->pad =
        (int)rl_clamp_double(0.5 * feature, 8.0, rl_clamp_double((double)(longest / 8), 8.0, 1e9));

    const int nx = c->def->nx + 2 * c->pad, ny = c->def->ny + 2 * c->pad;
    const int shortest = nx < ny ? nx : ny;
    c->level[0] = (level){.nx = nx, .ny = ny};
    c->levels = 1;
    while (c->levels < MAX_LEVELS && feature >= LEAST_FEATURE_CELLS * (double)(1 << c->levels) &&
           shortest >> c->levels >= LEAST_LEVEL_SIDE) {
        const level *finer = &c->level[c->levels - 1];
        c->level[c->levels++] = (level){.nx = (finer->nx + 1) / 2, .ny = (finer->ny + 1) / 2};
    }
    const double fall = fabs(c->def->tilt) * c->def->cell_size * (ny - 1);
    c->relief = c->def->relief / (c->def->relief + fall);

    c->noise = rl_noise_make(c->def->seed, c->def->octaves, c->def->ridges, c->cell);
}

static rill_status allocate(terrain *c, const rill_allocator *allocator)
{
    const size_t cells = (size_t)c->level[0].nx * (size_t)c->level[0].ny;
    size_t floats = 4 * cells;
    if (cells > SIZE_MAX / SCRATCH_BYTES)
        return rill_fail(RILL_NO_MEMORY, "%d x %d cells are more than this machine can address",
                         c->def->nx, c->def->ny);
    for (int l = 0; l < c->levels; l++)
        floats += (size_t)c->level[l].nx * (size_t)c->level[l].ny;
    c->bytes = floats * sizeof(float);
    c->memory = rill_alloc(allocator, c->bytes);
    if (c->memory == NULL || !rl_flow_create(allocator, cells, &c->flow))
        return rill_fail(RILL_NO_MEMORY, "no memory to generate %d x %d cells", c->def->nx,
                         c->def->ny);
    float *free_from = c->memory;
    float **parts[] = {&c->z, &c->next, &c->settling, &c->area};
    for (int p = 0; p < 4; p++, free_from += cells)
        *parts[p] = free_from;
    for (int l = 0; l < c->levels; l++) {
        c->level[l].base = free_from;
        free_from += (size_t)c->level[l].nx * (size_t)c->level[l].ny;
    }
    return RILL_OK;
}

// ---- Raw terrain -----------------------------------------------------------------------

static void find_range(const float *z, size_t pitch, int nx, int ny, float *low, float *high)
{
    *low = *high = z[0];
    for (int j = 0; j < ny; j++, z += pitch)
        for (int i = 0; i < nx; i++) {
            *low = z[i] < *low ? z[i] : *low;
            *high = z[i] > *high ? z[i] : *high;
        }
}

// Computes features from the corner of the terrain to the centre of a cell of a level.
static double place(const terrain *c, int l, int index)
{
    return (((double)index + 0.5) * (double)(1 << l) - (double)c->pad) * c->cell;
}

static void lay_base(terrain *c)
{
    const int nx = c->level[0].nx, ny = c->level[0].ny;
    float *base = c->level[0].base, low, high;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            base[(size_t)j * (size_t)nx + (size_t)i] =
                (float)rl_noise_terrain(&c->noise, place(c, 0, i), place(c, 0, j));
    find_range(base, (size_t)nx, nx, ny, &low, &high);
    const double scale = high > low ? c->relief / ((double)high - (double)low) : 0.0;
    for (int j = 0; j < ny; j++) {
        const int rise = c->def->tilt >= 0.0 ? j : ny - 1 - j;
        const double tilted = (1.0 - c->relief) * (double)rise / (double)(ny - 1);
        float *row = base + (size_t)j * (size_t)nx;
        for (int i = 0; i < nx; i++)
            row[i] = (float)(scale * ((double)row[i] - (double)low) + tilted);
    }
}

static void halve(const level *fine, const level *coarse)
{
    const size_t nx = (size_t)fine->nx, ny = (size_t)fine->ny;
    for (size_t j = 0; j < (size_t)coarse->ny; j++) {
        const float *south = fine->base + 2 * j * nx;
        const float *north = 2 * j + 1 < ny ? south + nx : south;
        for (size_t i = 0; i < (size_t)coarse->nx; i++) {
            const size_t west = 2 * i, east = west + 1 < nx ? west + 1 : west;
            coarse->base[j * (size_t)coarse->nx + i] =
                0.25f * ((south[west] + south[east]) + (north[west] + north[east]));
        }
    }
}

// ---- From a coarse level to the next finer one -----------------------------------------

// Evaluates a quadratic B-spline through the cells of a level; smooth to the first derivative, so
// that no crease of the coarse grid is left.
static float sample(const float *values, const level *grid, double x, double y)
{
    const double near_x = floor(x + 0.5), near_y = floor(y + 0.5);
    const float dx = (float)(x - near_x), dy = (float)(y - near_y);
    const float wx[3] = {0.5f * (0.5f - dx) * (0.5f - dx), 0.75f - dx * dx,
                         0.5f * (0.5f + dx) * (0.5f + dx)};
    const float wy[3] = {0.5f * (0.5f - dy) * (0.5f - dy), 0.75f - dy * dy,
                         0.5f * (0.5f + dy) * (0.5f + dy)};
    float sum = 0.0f;
    for (int b = 0; b < 3; b++) {
        const int j = (int)rl_clamp_double(near_y + b - 1, 0.0, (double)(grid->ny - 1));
        const float *row = values + (size_t)j * (size_t)grid->nx;
        float along = 0.0f;
        for (int a = 0; a < 3; a++)
            along += wx[a] * row[(int)rl_clamp_double(near_x + a - 1, 0.0, (double)(grid->nx - 1))];
        sum += wy[b] * along;
    }
    return sum;
}

// Makes the ground of level l from that of level l + 1, which is stretched back to heights from 0
// to 1.
static void refine(terrain *c, int l)
{
    const level *fine = &c->level[l], *coarse = &c->level[l + 1];
    const uint32_t seed = c->noise.warp_seeds[0] + 16u * (uint32_t)l;
    float low, high;
    find_range(c->z, (size_t)coarse->nx, coarse->nx, coarse->ny, &low, &high);
    const float scale = high > low ? 1.0f / (high - low) : 0.0f;
    for (int j = 0; j < fine->ny; j++)
        for (int i = 0; i < fine->nx; i++) {
            const double x = 0.5 * i - 0.25, y = 0.5 * j - 0.25; // in coarse cells
            const double bx = i / BEND_LENGTH, by = j / BEND_LENGTH;
            const double bent_x = x + 0.5 * BEND_REACH * rl_noise_gradient(seed, bx, by);
            const double bent_y = y + 0.5 * BEND_REACH * rl_noise_gradient(seed + 1u, bx, by);
            const size_t cell = (size_t)j * (size_t)fine->nx + (size_t)i;
            const float ground = scale * (sample(c->z, coarse, bent_x, bent_y) - low);
            const float detail = fine->base[cell] - sample(coarse->base, coarse, x, y);
            const float sum = ground + detail;
            c->next[cell] = sum > 0.0f ? sum : 0.0f; // the flood takes no negative ground
        }
    float *worked = c->z;
    c->z = c->next;
    c->next = worked;
}

// ---- Erosion ---------------------------------------------------------------------------

// Some basins fill with sediment, some stay lakes: a slow noise decides which.
static void lay_settling(terrain *c, int l)
{
    const uint32_t seed = c->noise.warp_seeds[1] + 64u;
    for (int j = 0; j < c->level[l].ny; j++)
        for (int i = 0; i < c->level[l].nx; i++) {
            const double x = 0.8 * place(c, l, i), y = 0.8 * place(c, l, j);
            const double part = 0.35 + 1.2 * rl_noise_slow(seed, x, y);
            c->settling[(size_t)j * (size_t)c->level[l].nx + (size_t)i] =
                (float)rl_clamp_double(part, 0.0, 1.0);
        }
}

static void erode(terrain *c, int l)
{
    // A terrain of small features has few levels; the coarsest then works for those it lacks.
    const int extra = l == c->levels - 1 && c->levels < USUAL_LEVELS ? USUAL_LEVELS - c->levels : 0;
    const int steps = (l > 0 ? COARSE_STEPS : FINE_STEPS) + extra * FINE_STEPS;
    const double time = (l > 0 ? COARSE_TIME : FINE_TIME) + extra * COARSE_TIME;
    const double step = c->def->valleys * time / steps;
    const double cell = c->cell * (double)(1 << l);
    const double diffusion = rl_clamp_double(CREEP * step / (cell * cell), 0.0, 0.8);
    const int passes = (int)(diffusion / 0.2) + 1;
    const rl_erosion erosion = {
        .nx = c->level[l].nx,
        .ny = c->level[l].ny,
        .cell = (float)cell,
        .step = (float)step,
        .head = (float)rl_clamp_double(CHANNEL_HEAD, 1.5 * cell, 1e9),
        .lake_depth = (float)(LAKE_DEPTH * c->relief),
        .gradient = (float)(SEDIMENT_SLOPE * c->relief * cell),
        .talus = (float)(TALUS * c->relief * cell),
        .creep = (float)(diffusion / passes),
        .creep_passes = passes,
        .settling = c->settling,
    };
    lay_settling(c, l);
    for (int n = 0; n < steps; n++)
        rl_erosion_step(&erosion, &c->flow, c->z, c->area);
}

static void carve(terrain *c)
{
    for (int l = 1; l < c->levels; l++)
        halve(&c->level[l - 1], &c->level[l]);
    const level *top = &c->level[c->levels - 1];
    for (size_t n = 0; n < (size_t)top->nx * (size_t)top->ny; n++)
        c->z[n] = top->base[n];
    erode(c, c->levels - 1);
    for (int l = c->levels - 2; l >= 0; l--) {
        refine(c, l);
        erode(c, l);
    }
    // The scratch of the finest level is free again: every float of it can hold an index.
    rl_erosion_fill_ponds(&c->flow, c->z, c->level[0].nx, c->level[0].ny,
                          (float)(SEDIMENT_SLOPE * c->relief * c->cell),
                          (float)(POND_DEPTH * c->relief), POND_CELLS, (uint32_t *)(void *)c->area);
}

// ---- Out -------------------------------------------------------------------------------

// Cuts the terrain out of `ground` and stretches it to its height in metres, exactly: the lowest
// cell to 0 and the highest to relief + |tilt| times the length of a column of cells.
static void cut_out(const terrain *c, const float *ground, rill_field *elevation)
{
    const size_t pitch = (size_t)c->level[0].nx;
    const float *corner = ground + (size_t)c->pad * pitch + (size_t)c->pad;
    float low, high;
    find_range(corner, pitch, elevation->nx, elevation->ny, &low, &high);
    const double height =
        c->def->relief + fabs(c->def->tilt) * c->def->cell_size * (elevation->ny - 1);
    const double range = (double)high - (double)low;
    for (int j = 0; j < elevation->ny; j++) {
        float *row = rill_field_row(elevation, j);
        for (int i = 0; i < elevation->nx; i++) {
            const double above = (double)corner[(size_t)j * pitch + (size_t)i] - (double)low;
            row[i] = (float)(range > 0.0 ? above / range * height : 0.0);
        }
    }
}

static void lay_plane(const rill_heightfield_generate_def *def, rill_field *elevation)
{
    RL_ASSERT(def->nx == elevation->nx && def->ny == elevation->ny);
    for (int j = 0; j < def->ny; j++) {
        const int rise = def->tilt >= 0.0 ? j : def->ny - 1 - j;
        float *row = rill_field_row(elevation, j);
        for (int i = 0; i < def->nx; i++)
            row[i] = (float)(fabs(def->tilt) * def->cell_size * rise);
    }
}

// Takes about 40 bytes of scratch a cell, of a grid that is up to a quarter wider and longer.
static rill_status fill(const rill_heightfield_generate_def *def, rill_field *elevation)
{
    if (def->relief == 0.0) { // nothing for water to carve
        lay_plane(def, elevation);
        return RILL_OK;
    }
    const rill_allocator *allocator = rill_allocator_of(def->host);
    terrain c = {.def = def};
    plan(&c);
    const rill_status status = allocate(&c, allocator);
    if (status == RILL_OK) {
        lay_base(&c);
        if (def->valleys > 0.0)
            carve(&c);
        cut_out(&c, def->valleys > 0.0 ? c.z : c.level[0].base, elevation);
    }
    rl_flow_destroy(allocator, &c.flow);
    rill_free(allocator, c.memory, c.bytes);
    return status;
}

rill_status rl_generate_begin(const void *def, rill_heightfield **out)
{
    if (out != NULL)
        *out = NULL;
    if (out == NULL || def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s is NULL", out == NULL ? "out" : "def");
    return RILL_OK;
}

rill_status rill_heightfield_generate(const rill_heightfield_generate_def *def,
                                      rill_heightfield **out)
{
    RILL_TRY(rl_generate_begin(def, out));
    RILL_TRY(check_def(def));
    RILL_TRY(rill_heightfield_create_flat(def->nx, def->ny, def->cell_size, def->host, out));
    const rill_status status = fill(def, rill_heightfield_field(*out));
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}
