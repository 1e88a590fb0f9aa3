// SPDX-License-Identifier: MIT
// map_grid.c - makes the working copy of the grid, its ghosts and the ranges of its values.
#include "scene/map/map_parts.h"
#include "scene/scene_assert.h"

#include <math.h>

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

rl_map_ranges rl_map_find_ranges(const rl_map_input *in, bool with_velocity)
{
    const float first = value_at(&in->ground, 0, 0);
    rl_map_ranges r = {.ground_min = first, .ground_max = first};
    float speed2_max = 0.0f;
    for (int j = 0; j < in->ground.ny; j++)
        for (int i = 0; i < in->ground.nx; i++) {
            const float z = value_at(&in->ground, i, j), d = value_at(&in->depth, i, j);
            r.ground_min = z < r.ground_min ? z : r.ground_min;
            r.ground_max = z > r.ground_max ? z : r.ground_max;
            if (!(d > in->wet_depth))
                continue;
            r.depth_max = d > r.depth_max ? d : r.depth_max;
            if (with_velocity) {
                const float u = value_at(&in->velocity_x, i, j);
                const float v = value_at(&in->velocity_y, i, j);
                speed2_max = u * u + v * v > speed2_max ? u * u + v * v : speed2_max;
            }
        }
    r.speed_max = sqrtf(speed2_max);
    return r;
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

// --- Whole -------------------------------------------------------------------------------------

static bool create_fields(const rill_allocator *allocator, rl_map_grid *grid, bool with_velocity)
{
    const int nx = grid->nx, ny = grid->ny;
    return rill_field_create(allocator, nx, ny, GHOSTS, &grid->ground) &&
           rill_field_create(allocator, nx, ny, GHOSTS, &grid->water) &&
           rill_field_create(allocator, nx, ny, GHOSTS, &grid->fill) &&
           rill_field_create(allocator, nx, ny, GHOSTS, &grid->film) &&
           (!with_velocity || (rill_field_create(allocator, nx, ny, GHOSTS, &grid->velocity_x) &&
                               rill_field_create(allocator, nx, ny, GHOSTS, &grid->velocity_y)));
}

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
    if (!create_fields(allocator, out, with_velocity))
        goto failed;
    copy_input(out, input, size, with_velocity);
    fill_ghosts(&out->ground, 1.0f);
    out->slope = typical_slope(out);
    rl_map_sign_depth(out);
    fill_ghosts(&out->water, 0.0f);
    fill_ghosts(&out->fill, 0.0f);
    fill_ghosts(&out->film, 0.0f);
    if (with_velocity) {
        fill_ghosts(&out->velocity_x, 0.0f);
        fill_ghosts(&out->velocity_y, 0.0f);
    }
    if (rl_map_ambience_create(allocator, out))
        return true;
failed:
    rl_map_grid_destroy(allocator, out);
    return false;
}

void rl_map_grid_destroy(const rill_allocator *allocator, rl_map_grid *grid)
{
    rill_field_destroy(allocator, &grid->ground);
    rill_field_destroy(allocator, &grid->water);
    rill_field_destroy(allocator, &grid->fill);
    rill_field_destroy(allocator, &grid->film);
    rill_field_destroy(allocator, &grid->velocity_x);
    rill_field_destroy(allocator, &grid->velocity_y);
    rill_field_destroy(allocator, &grid->ambience);
}
