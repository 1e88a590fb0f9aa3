// SPDX-License-Identifier: MIT
// river_path.c - the public functions of river paths: finding one and reading it.
#include "terrain/river_path/river_path.h"

#include <math.h>

rill_status rl_river_path_find(const rill_field *ground, double cell_size,
                               const rill_river_path_def *def, const rill_allocator *allocator,
                               rill_river_path **out)
{
    *out = NULL;
    rill_river_path *path = rill_alloc(allocator, sizeof *path);
    if (path == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a river");
    if (allocator != NULL)
        path->allocator = *allocator;
    rill_status status;
    if (!rill_field_create(allocator, ground->nx, ground->ny, 0, &path->level)) {
        status = rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                           ground->ny);
    } else {
        rill_field_fill(&path->level, RL_RIVER_DRY);
        status = def->surface == RILL_RIVER_PLANE
                     ? rl_river_find_plane(ground, cell_size, def, path)
                     : rl_river_find_profile(ground, cell_size, def, path);
    }
    if (status != RILL_OK)
        rl_river_path_destroy(&path);
    *out = path;
    return status;
}

void rl_river_path_destroy(rill_river_path **path)
{
    if (path == NULL || *path == NULL)
        return;
    rill_river_path *old = *path;
    const rill_allocator allocator = old->allocator; // outlives the object it is stored in
    float *const arrays[4] = {old->x, old->y, old->surface, old->bed};
    for (int k = 0; k < 4; k++)
        rill_free(&allocator, arrays[k], old->line_bytes);
    rill_field_destroy(&allocator, &old->level);
    rill_free(&allocator, old, sizeof *old);
    *path = NULL;
}

// ---- Banks -----------------------------------------------------------------------------

// Returns 1 for wet, 0 for dry; past the rim as at the rim.
static int wet_at(const rill_field *level, int i, int j)
{
    i = i < 0 ? 0 : i >= level->nx ? level->nx - 1 : i;
    j = j < 0 ? 0 : j >= level->ny ? level->ny - 1 : j;
    return rill_field_row(level, j)[i] > RL_RIVER_DRY;
}

// Computes the slope of the wet set smoothed over 5 x 5 cells: differences of binomial sums. They
// are whole numbers, so that a straight bank has exactly the normal it should.
static void normal_at(const rill_field *level, int i, int j, float *x, float *y)
{
    static const int smooth[5] = {1, 4, 6, 4, 1}, differ[5] = {-1, -2, 0, 2, 1};
    const int here = wet_at(level, i, j);
    const int east = wet_at(level, i + 1, j), west = wet_at(level, i - 1, j);
    const int north = wet_at(level, i, j + 1), south = wet_at(level, i, j - 1);
    *x = *y = 0.0f;
    if (east == here && west == here && north == here && south == here)
        return;
    int gx = 0, gy = 0;
    for (int b = 0; b < 5; b++)
        for (int a = 0; a < 5; a++)
            if (wet_at(level, i + a - 2, j + b - 2)) {
                gx += differ[a] * smooth[b];
                gy += smooth[a] * differ[b];
            }
    // A channel or a wall one cell wide has two banks at once: the first one serves.
    if (gx == 0 && gy == 0) {
        const int towards = here ? -1 : 1;
        gx = east != here ? towards : west != here ? -towards : 0;
        gy = gx != 0 ? 0 : north != here ? towards : -towards;
    }
    const float length = sqrtf((float)(gx * gx + gy * gy));
    *x = (float)gx / length;
    *y = (float)gy / length;
}

void rl_river_bank_normals(const rill_field *level, rill_field *normal_x, rill_field *normal_y)
{
    RL_ASSERT(normal_x->nx == level->nx && normal_y->nx == level->nx);
    for (int j = 0; j < level->ny; j++)
        for (int i = 0; i < level->nx; i++)
            normal_at(level, i, j, rill_field_row(normal_x, j) + i,
                      rill_field_row(normal_y, j) + i);
}
