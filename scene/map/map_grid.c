// SPDX-License-Identifier: MIT
// map_grid.c - makes the working copy of the grid, its ghosts, the ranges of its values, its
// ambience and the shores of its water.
#include "scene/map/map_parts.h"

#include <math.h>
#include <string.h>

#define GHOSTS 2
// Cells of the working grid along a pixel at most; beyond, whole blocks of cells become one.
#define CELLS_PER_PIXEL 2

static float value_at(const rill_field_view *view, int i, int j)
{
    return view->data[(size_t)j * view->pitch + (size_t)i];
}

// --- Coarsening --------------------------------------------------------------------------------

typedef struct block {
    float ground, depth, velocity_x, velocity_y;
} block;

// A block holds water with a shore when a thread of it could cross half the block, and then it is
// as deep as those cells are on average: a stream must not fade away because its cells are small.
static block block_mean(const rl_map_input *in, int i0, int j0, int size, float shore_depth,
                        bool with_velocity)
{
    RL_ASSERT(size >= 1);
    const int i1 = i0 + size < in->ground.nx ? i0 + size : in->ground.nx;
    const int j1 = j0 + size < in->ground.ny ? j0 + size : in->ground.ny;
    double ground = 0.0, film = 0.0, depth = 0.0, flux_x = 0.0, flux_y = 0.0;
    int wet = 0;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            ground += (double)value_at(&in->ground, i, j);
            const float d = value_at(&in->depth, i, j);
            film += d > in->wet_depth ? (double)d : 0.0;
            if (!(d > shore_depth))
                continue;
            wet++;
            depth += (double)d;
            if (with_velocity) {
                flux_x += (double)d * (double)value_at(&in->velocity_x, i, j);
                flux_y += (double)d * (double)value_at(&in->velocity_y, i, j);
            }
        }
    const double cells = (double)(i1 - i0) * (double)(j1 - j0);
    block out = {.ground = (float)(ground / cells), .depth = (float)(film / cells)};
    if (wet > 0 && 2 * wet >= size) {
        out.depth = (float)(depth / wet);
        out.velocity_x = (float)(flux_x / depth);
        out.velocity_y = (float)(flux_y / depth);
    } else if (out.depth > shore_depth) {
        out.depth = shore_depth;
    }
    return out;
}

static void copy_input(rl_map_grid *grid, const rl_map_input *in, int size, bool with_velocity)
{
    for (int j = 0; j < grid->ny; j++) {
        float *ground = rill_field_row(&grid->ground, j), *depth = rill_field_row(&grid->water, j);
        float *film = rill_field_row(&grid->film, j);
        for (int i = 0; i < grid->nx; i++) {
            const block b =
                block_mean(in, i * size, j * size, size, grid->shore_depth, with_velocity);
            ground[i] = b.ground;
            film[i] = b.depth < grid->shore_depth ? b.depth : grid->shore_depth;
            depth[i] = b.depth > grid->shore_depth ? b.depth : 0.0f;
            if (with_velocity) {
                rill_field_row(&grid->velocity_x, j)[i] = b.velocity_x;
                rill_field_row(&grid->velocity_y, j)[i] = b.velocity_y;
            }
        }
    }
}

// --- Ranges ------------------------------------------------------------------------------------

void rl_map_find_ranges(const rl_map_input *in, rl_map_scales *s)
{
    float fastest2 = 0.0f;
    s->ground_min = s->ground_max = value_at(&in->ground, 0, 0);
    for (int j = 0; j < in->ground.ny; j++)
        for (int i = 0; i < in->ground.nx; i++) {
            const float z = value_at(&in->ground, i, j), d = value_at(&in->depth, i, j);
            s->ground_min = z < s->ground_min ? z : s->ground_min;
            s->ground_max = z > s->ground_max ? z : s->ground_max;
            if (!(d > in->wet_depth))
                continue;
            s->deepest = d > s->deepest ? d : s->deepest;
            if (s->flow != RILL_MAP_FLOW_NONE) {
                const float u = value_at(&in->velocity_x, i, j);
                const float v = value_at(&in->velocity_y, i, j);
                fastest2 = u * u + v * v > fastest2 ? u * u + v * v : fastest2;
            }
        }
    s->fastest = sqrtf(fastest2);
}

static float slope_at(const rl_map_grid *grid, int i, int j)
{
    const float *row = rill_field_row(&grid->ground, j);
    const float *south = rill_field_row(&grid->ground, j - 1),
                *north = rill_field_row(&grid->ground, j + 1);
    const float gx = row[i + 1] - row[i - 1], gy = north[i] - south[i];
    return sqrtf(gx * gx + gy * gy) / (2.0f * grid->cell_size);
}

// Returns the mean slope of what is not nearly level, so that plains beside mountains, or a level
// floor between walls, do not count.
static float typical_slope(const rl_map_grid *grid)
{
    float steepest = 0.0f;
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            const float s = slope_at(grid, i, j);
            steepest = s > steepest ? s : steepest;
        }
    double sum = 0.0;
    int64_t count = 0;
    for (int j = 0; j < grid->ny && steepest > 0.0f; j++)
        for (int i = 0; i < grid->nx; i++) {
            const float s = slope_at(grid, i, j);
            if (s > 0.02f * steepest) {
                sum += (double)s;
                count++;
            }
        }
    return count > 0 ? (float)(sum / (double)count) : 0.0f;
}

// --- Ghosts ------------------------------------------------------------------------------------

// Fills one and two cells past an edge: on a straight line through the last two cells (`slope` 1),
// or level with the last one (`slope` 0).
static void extend_row(float *row, int n, ptrdiff_t stride, float slope)
{
    const ptrdiff_t last = (n - 1) * stride;
    const float low = n > 1 ? slope * (row[0] - row[stride]) : 0.0f;
    const float high = n > 1 ? slope * (row[last] - row[last - stride]) : 0.0f;
    for (int g = 1; g <= GHOSTS; g++) {
        row[-g * stride] = row[0] + (float)g * low;
        row[last + g * stride] = row[last] + (float)g * high;
    }
}

static void fill_ghosts(rill_field *field, float slope)
{
    for (int j = 0; j < field->ny; j++)
        extend_row(rill_field_row(field, j), field->nx, 1, slope);
    for (int i = -GHOSTS; i < field->nx + GHOSTS; i++)
        extend_row(field->origin + i, field->ny, (ptrdiff_t)field->pitch, slope);
}

// --- Ambience ----------------------------------------------------------------------------------
//
// The soft light of the whole sky: hollows see less of it than ridges. Instead of casting rays, the
// ground is compared with its own surroundings, smoothed over a few per cent of the map, on a
// coarse copy; fine forms are the hill shade's business.

#define COARSE_SIDE 256
#define PASSES      3     // box filters in a row come close to a Gaussian
#define RADIUS_PART 0.03f // of the longer side

static void coarsen(const rl_map_grid *grid, int step, rill_field *out)
{
    RL_ASSERT(step >= 1);
    // Heights above the first cell have all their digits in the sums below.
    const double datum = (double)rill_field_row(&grid->ground, 0)[0];
    for (int j = 0; j < out->ny; j++)
        for (int i = 0; i < out->nx; i++) {
            double sum = 0.0;
            int count = 0;
            for (int y = j * step; y < (j + 1) * step && y < grid->ny; y++)
                for (int x = i * step; x < (i + 1) * step && x < grid->nx; x++, count++)
                    sum += (double)rill_field_row(&grid->ground, y)[x];
            rill_field_row(out, j)[i] = (float)(sum / count - datum);
        }
}

// Returns a value of the line or, past its ends, of its continuation by point reflection: a slope
// goes on as a slope, so that the frame casts no shade.
static double value_on(const float *line, int n, ptrdiff_t stride, int k)
{
    if (k >= 0 && k < n)
        return (double)line[k * stride];
    const int end = k < 0 ? 0 : n - 1, mirrored = 2 * end - k;
    const int inner = mirrored < 0 ? 0 : mirrored < n ? mirrored : n - 1;
    return 2.0 * (double)line[end * stride] - (double)line[inner * stride];
}

// Computes means over 2 radius + 1 values.
static void blur_line(float *line, int n, ptrdiff_t stride, int radius, float *spare)
{
    double sum = 0.0;
    for (int k = -radius; k <= radius; k++)
        sum += value_on(line, n, stride, k);
    for (int i = 0; i < n; i++) {
        spare[i] = (float)(sum / (2 * radius + 1));
        sum += value_on(line, n, stride, i + radius + 1);
        sum -= value_on(line, n, stride, i - radius);
    }
    for (int i = 0; i < n; i++)
        line[i * stride] = spare[i];
}

static void blur(rill_field *field, int radius, float *spare)
{
    RL_ASSERT(radius >= 0);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int j = 0; j < field->ny; j++)
            blur_line(rill_field_row(field, j), field->nx, 1, radius, spare);
        for (int i = 0; i < field->nx; i++)
            blur_line(field->origin + i, field->ny, (ptrdiff_t)field->pitch, radius, spare);
    }
}

// Computes what stands out of the smoothed ground, in units of its own spread, squeezed into [-1,
// 1].
static void compare(const rill_field *ground, rill_field *smooth)
{
    double sum = 0.0;
    float relief = 0.0f;
    for (int j = 0; j < ground->ny; j++)
        for (int i = 0; i < ground->nx; i++) {
            float *s = &rill_field_row(smooth, j)[i];
            const float z = rill_field_row(ground, j)[i];
            relief = fabsf(z) > relief ? fabsf(z) : relief;
            *s = z - *s;
            sum += (double)*s * (double)*s;
        }
    const float spread = (float)sqrt(sum / ((double)ground->nx * (double)ground->ny));
    // Rounding alone must not show as relief.
    const float unit = 1.2f * spread > 1e-5f * relief ? 1.2f * spread : 1e-5f * relief;
    for (int j = 0; j < ground->ny; j++)
        for (int i = 0; i < ground->nx; i++) {
            float *s = &rill_field_row(smooth, j)[i];
            const float v = unit > 0.0f ? *s / unit : 0.0f;
            *s = v / sqrtf(1.0f + v * v);
        }
}

static bool create_ambience(const rill_allocator *allocator, rl_map_grid *grid)
{
    const int longer = grid->nx > grid->ny ? grid->nx : grid->ny;
    const int step = (longer - 1) / COARSE_SIDE + 1;
    const int nx = (grid->nx - 1) / step + 1, ny = (grid->ny - 1) / step + 1;
    const size_t spare_bytes = (size_t)(nx > ny ? nx : ny) * sizeof(float);
    bool done = false;
    rill_field ground = {0};
    float *spare = rill_alloc(allocator, spare_bytes);
    if (spare == NULL || !rill_field_create(allocator, nx, ny, 0, &ground) ||
        !rill_field_create(allocator, nx, ny, 0, &grid->ambience))
        goto finish;
    coarsen(grid, step, &ground);
    memcpy(grid->ambience.memory, ground.memory, ground.bytes);
    const int radius = (int)(RADIUS_PART * (float)(nx > ny ? nx : ny)) + 1;
    blur(&grid->ambience, radius, spare);
    compare(&ground, &grid->ambience);
    grid->ambience_step = (float)step;
    done = true;
finish:
    rill_field_destroy(allocator, &ground);
    rill_free(allocator, spare, spare_bytes);
    return done;
}

// --- Shores ------------------------------------------------------------------------------------
//
// Where water ends between two cells: wet cells have their depth, dry cells get a depth below zero,
// and the shore is where a smooth surface through both is zero. A dry cell gets the height of its
// ground above the water beside it, so that a lake at rest ends where its level meets the ground;
// where that is unknown (a front, a cliff, a stream on a slope), the water's own depth sets a
// bound, and the shore runs near the edge between the two cells.

// The bound, in depths. At 0.8 a lone wet cell would vanish below the cubic splines that are laid
// through the values; at 0.6 it keeps about its size.
#define BANK 0.6f
// And the least, so that the sign always tells dry from wet.
#define LEAST_BANK 0.02f

// Sums over the wet cells within two cells of a dry one.
typedef struct surroundings {
    float level;   // of the water, m, weighted by nearness
    float depth;   // m, weighted by nearness
    float deepest; // m; 0 when all are dry
    bool beside;   // one of the eight neighbours is wet
} surroundings;

static surroundings collect_around(const rl_map_grid *grid, int i, int j)
{
    surroundings s = {0};
    double level = 0.0, weight = 0.0, depth = 0.0, depth_weight = 0.0;
    for (int dj = -2; dj <= 2; dj++) {
        if (j + dj < 0 || j + dj >= grid->ny)
            continue;
        const float *d = rill_field_row(&grid->water, j + dj);
        const float *z = rill_field_row(&grid->ground, j + dj);
        for (int di = -2; di <= 2; di++) {
            const int k = i + di;
            if (k < 0 || k >= grid->nx || !(d[k] > 0.0f))
                continue;
            const int distance2 = di * di + dj * dj;
            const double w = 1.0 / (double)(distance2 * distance2);
            level += w * ((double)z[k] + (double)d[k]);
            weight += w;
            // Deep neighbours count more: a lone shallow cell must not blanch a whole shore.
            depth += w * (double)d[k] * (double)d[k];
            depth_weight += w * (double)d[k];
            s.deepest = d[k] > s.deepest ? d[k] : s.deepest;
            s.beside = s.beside || distance2 <= 2;
        }
    }
    if (weight > 0.0) {
        s.level = (float)(level / weight);
        s.depth = (float)(depth / depth_weight);
    }
    return s;
}

// Cells beside water get their value, the next ring is marked by a negative `fill`, all other cells
// have zero: not known yet.
static void value_first_ring(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++) {
        float *water = rill_field_row(&grid->water, j), *fill = rill_field_row(&grid->fill, j);
        const float *ground = rill_field_row(&grid->ground, j);
        for (int i = 0; i < grid->nx; i++) {
            fill[i] = water[i];
            if (water[i] > 0.0f)
                continue;
            const surroundings s = collect_around(grid, i, j);
            fill[i] = s.beside ? s.depth : -s.depth;
            if (s.beside)
                water[i] =
                    -rl_clamp(fabsf(ground[i] - s.level), LEAST_BANK * s.deepest, BANK * s.deepest);
        }
    }
}

// Dry, and inside the grid: beyond the frame water goes on as it is.
static bool is_dry(const rl_map_grid *grid, int i, int j)
{
    return i >= 0 && i < grid->nx && j >= 0 && j < grid->ny &&
           !(rill_field_row(&grid->water, j)[i] > 0.0f);
}

// A thread of water one cell wide must not be drowned by dry neighbours that border on deep water
// nearby: they are raised to what the thread's own depth allows.
static void raise_threads(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            const float depth = rill_field_row(&grid->water, j)[i];
            if (!(depth > 0.0f) || !((is_dry(grid, i - 1, j) && is_dry(grid, i + 1, j)) ||
                                     (is_dry(grid, i, j - 1) && is_dry(grid, i, j + 1))))
                continue;
            for (int dj = -1; dj <= 1; dj++)
                for (int di = -1; di <= 1; di++)
                    if (is_dry(grid, i + di, j + dj)) {
                        float *w = &rill_field_row(&grid->water, j + dj)[i + di];
                        *w = *w > -BANK * depth ? *w : -BANK * depth;
                    }
        }
}

// Returns the mean of the known dry neighbours, or 0; of the first ring only, when asked.
static float dry_neighbours(const rl_map_grid *grid, int i, int j, bool first_ring)
{
    double sum = 0.0;
    int count = 0;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            if (!is_dry(grid, i + di, j + dj))
                continue;
            const float w = rill_field_row(&grid->water, j + dj)[i + di];
            if (w < 0.0f && (!first_ring || rill_field_row(&grid->fill, j + dj)[i + di] > 0.0f)) {
                sum += (double)w;
                count++;
            }
        }
    return count > 0 ? (float)(sum / count) : 0.0f;
}

// Values go on falling away from the water, else a second shore would show on land.
static void value_second_ring(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            if (!(rill_field_row(&grid->fill, j)[i] < 0.0f))
                continue;
            const float near = -dry_neighbours(grid, i, j, true);
            const surroundings s = collect_around(grid, i, j);
            const float above = fabsf(rill_field_row(&grid->ground, j)[i] - s.level);
            rill_field_row(&grid->water, j)[i] = -rl_clamp(above, near, 2.5f * near);
        }
}

static void spread_to(rl_map_grid *grid, int i, int j)
{
    float *w = &rill_field_row(&grid->water, j)[i];
    if (*w == 0.0f)
        *w = dry_neighbours(grid, i, j, false);
}

// Dry land takes over what lies between it and the water; two sweeps reach every cell.
static void spread_inland(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++)
            spread_to(grid, i, j);
    for (int j = grid->ny - 1; j >= 0; j--)
        for (int i = grid->nx - 1; i >= 0; i--)
            spread_to(grid, i, j);
}

// Turns depths above shore_depth in `water` into signed depths, and makes `fill`.
static void sign_depth(rl_map_grid *grid)
{
    value_first_ring(grid);
    raise_threads(grid);
    value_second_ring(grid);
    spread_inland(grid);
    for (int j = 0; j < grid->ny; j++) {
        float *water = rill_field_row(&grid->water, j), *fill = rill_field_row(&grid->fill, j);
        for (int i = 0; i < grid->nx; i++) {
            fill[i] = fabsf(fill[i]);
            if (water[i] > 0.0f)
                water[i] -= grid->shore_depth;
            else if (water[i] == 0.0f)
                water[i] = -1.0f; // no water anywhere
        }
    }
}

// --- Whole -------------------------------------------------------------------------------------

bool rl_map_grid_create(const rill_allocator *allocator, const rl_map_input *input, int pixels,
                        float shore_depth, bool with_velocity, rl_map_grid *out)
{
    RL_ASSERT(pixels > 0);
    const int nx = input->ground.nx, ny = input->ground.ny, longer = nx > ny ? nx : ny;
    const int size = (longer - 1) / (CELLS_PER_PIXEL * pixels) + 1;
    *out = (rl_map_grid){.nx = (nx - 1) / size + 1,
                         .ny = (ny - 1) / size + 1,
                         .extent_x = (float)nx / (float)size,
                         .extent_y = (float)ny / (float)size,
                         .cell_size = input->cell_size * (float)size,
                         .shore_depth = shore_depth};
    rill_field *const fields[] = {&out->ground, &out->water,      &out->fill,
                                  &out->film,   &out->velocity_x, &out->velocity_y};
    const int field_count = with_velocity ? 6 : 4;
    bool done = true;
    for (int n = 0; n < field_count && done; n++)
        done = rill_field_create(allocator, out->nx, out->ny, GHOSTS, fields[n]);
    if (done) {
        copy_input(out, input, size, with_velocity);
        fill_ghosts(&out->ground, 1.0f);
        out->slope = typical_slope(out);
        sign_depth(out);
        for (int n = 1; n < field_count; n++)
            fill_ghosts(fields[n], 0.0f);
        done = create_ambience(allocator, out);
    }
    if (!done)
        rl_map_grid_destroy(allocator, out);
    return done;
}

void rl_map_grid_destroy(const rill_allocator *allocator, rl_map_grid *grid)
{
    rill_field *const fields[] = {&grid->ground,     &grid->water,      &grid->fill,    &grid->film,
                                  &grid->velocity_x, &grid->velocity_y, &grid->ambience};
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++)
        rill_field_destroy(allocator, fields[n]);
}
