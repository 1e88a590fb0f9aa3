// SPDX-License-Identifier: MIT
// river_path.c - the public functions of river paths: finding one and reading it.
#include "terrain/river_path/river_path.h"

#include "terrain/heightfield.h"
#include "terrain/river_path/river_path_internal.h"

#include "rill/world.h"

#include <math.h>
#include <string.h>

void rill_river_path_destroy(rill_river_path **path)
{
    if (path == NULL)
        return;
    void *object = *path;
    rl_owned_destroy(NULL, &object);
    *path = NULL;
}

rill_river_path_view rill_river_path_get(const rill_river_path *path)
{
    return path != NULL ? path->found : (rill_river_path_view){0};
}

// ---- Copies ----------------------------------------------------------------------------

static void copy_field(rl_owned *own, const rill_field *from, rill_field *to)
{
    rl_owned_field(own, from->nx, from->ny, 0, 0, to);
    for (int j = 0; j < from->ny && !own->failed; j++)
        memcpy(rill_field_row(to, j), rill_field_row(from, j), (size_t)from->nx * sizeof(float));
}

static void copy_line(rl_owned *own, const float **values, int count)
{
    float *copy = *values != NULL ? rl_owned_take(own, (size_t)count, sizeof **values) : NULL;
    if (copy != NULL)
        memcpy(copy, *values, (size_t)count * sizeof *copy);
    *values = copy;
}

rill_status rl_river_path_copy(const rill_river_path *path, const rill_allocator *allocator,
                               rill_river_path **out)
{
    *out = NULL;
    rill_river_path *copy = rl_owned_create(allocator, sizeof *copy);
    if (copy == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a river");
    const rl_owned own = copy->own;
    *copy = *path;
    copy->own = own;
    copy_field(&copy->own, &path->level, &copy->level);
    copy->found.level = rill_field_view_of(&copy->level);
    if (path->ground.origin != NULL) {
        copy_field(&copy->own, &path->ground, &copy->ground);
        copy->found.ground = rill_field_view_of(&copy->ground);
    }
    rill_river_path_view *found = &copy->found;
    const float **const lines[] = {&found->x,   &found->y,     &found->surface,
                                   &found->bed, &found->width, &found->area};
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++)
        copy_line(&copy->own, lines[n], found->count);
    copy->springs = rl_owned_take(&copy->own, path->spring_count, sizeof *copy->springs);
    if (copy->springs != NULL)
        memcpy(copy->springs, path->springs, path->spring_count * sizeof *copy->springs);
    found->doubt = found->doubt != NULL ? copy->doubt : NULL;
    if (copy->own.failed)
        rill_river_path_destroy(&copy);
    *out = copy;
    return copy != NULL ? RILL_OK : rill_fail(RILL_NO_MEMORY, "no memory for a river");
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

rill_status rill_river_path_normals(const rill_river_path *path, float *normal_x, float *normal_y)
{
    if (path == NULL || normal_x == NULL || normal_y == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "normals need a path and a place for each of their parts, one is NULL");
    const rill_field *level = &path->level;
    for (int j = 0; j < level->ny; j++)
        for (int i = 0; i < level->nx; i++)
            normal_at(level, i, j, normal_x++, normal_y++);
    return RILL_OK;
}

// ---- One level everywhere --------------------------------------------------------------
//
// A river whose surface is one level (Burrell section 3.1): all cells at or below
// it that have a way, cell by cell, to the border that it comes in by. Lakes beside it stay dry,
// and so do the hollows behind its banks (erratum 1 to Burrell).

const char *const rl_side_names[4] = {"west", "east", "south", "north"};

static rill_status check_level(const rill_field *ground, const rill_river_path_def *def)
{
    float highest = -INFINITY, border = INFINITY;
    for (int j = 0; j < ground->ny; j++) {
        const float *row = rill_field_row(ground, j);
        for (int i = 0; i < ground->nx; i++)
            highest = row[i] > highest ? row[i] : highest;
    }
    for (int n = 0; n < rl_side_cells(def->from, ground->nx, ground->ny); n++) {
        const uint32_t cell = rl_side_cell(def->from, n, ground->nx, ground->ny);
        const float z =
            rill_field_row(ground, (int)(cell / (uint32_t)ground->nx))[cell % (uint32_t)ground->nx];
        border = z < border ? z : border;
    }
    const char *side = rl_side_names[def->from];
    if (!(border < INFINITY))
        return rill_fail(RILL_BAD_DEF, "no cell of the %s border holds data", side);
    if (def->level < (double)border)
        return rill_fail(RILL_BAD_DEF,
                         "level is %g m, below all of the %s border, whose lowest cell is at %g m; "
                         "the highest ground is at %g m",
                         def->level, side, (double)border, (double)highest);
    if (def->level >= (double)highest)
        return rill_fail(RILL_BAD_DEF,
                         "level is %g m, which leaves no dry ground: the highest is at %g m, the "
                         "lowest cell of the %s border at %g m",
                         def->level, (double)highest, side, (double)border);
    return RILL_OK;
}

static bool flood(rl_wet *wet, const rill_river_path_def *def)
{
    const float level = (float)def->level;
    for (int n = 0; n < rl_side_cells(def->from, wet->nx, wet->ny); n++) {
        const uint32_t cell = rl_side_cell(def->from, n, wet->nx, wet->ny);
        if (rl_wet_ground(wet, cell) <= level && !rl_wet_add(wet, cell, level))
            return false;
    }
    return rl_wet_spread(wet, 0, false);
}

// Searches smoothed ground instead of the true one, and then leaves out what truly stands above the
// level.
static bool flood_smoothed(rl_wet *wet, double length, const rill_river_path_def *def)
{
    const rill_field *ground = wet->ground;
    rill_field smooth;
    if (!rill_field_create(wet->allocator, wet->nx, wet->ny, 0, &smooth))
        return false;
    for (int j = 0; j < wet->ny; j++)
        memcpy(rill_field_row(&smooth, j), rill_field_row(ground, j),
               (size_t)wet->nx * sizeof(float));
    bool good = rl_smooth(smooth.origin, smooth.pitch, wet->nx, wet->ny, length, wet->allocator);
    wet->ground = &smooth;
    good = good && flood(wet, def);
    wet->ground = ground;
    rill_field_destroy(wet->allocator, &smooth);
    if (!good)
        return false;
    const int sources = rl_side_cells(def->from, wet->nx, wet->ny);
    uint32_t *border = rill_alloc(wet->allocator, (size_t)sources * sizeof *border);
    for (int n = 0; n < sources && border != NULL; n++)
        border[n] = rl_side_cell(def->from, n, wet->nx, wet->ny);
    good = border != NULL && rl_wet_trim(wet, border, (size_t)sources);
    rill_free(wet->allocator, border, (size_t)sources * sizeof *border);
    return good;
}

// Returns the wet cell of another border that was reached last: the flood goes step by step, so
// that it is the furthest one.
static rill_status find_end(const rl_wet *wet, const rill_river_path_def *def, uint32_t *end)
{
    for (size_t n = wet->count; n-- > 0;) {
        const uint32_t cell = wet->cell[n];
        bool other = false;
        for (int side = 0; side < 4; side++)
            other = other || (side != def->from && rl_on_side(cell, side, wet->nx, wet->ny));
        if (other && !rl_on_side(cell, def->from, wet->nx, wet->ny)) {
            *end = cell;
            return RILL_OK;
        }
    }
    return rill_fail(
        RILL_BAD_DEF,
        "level is %g m: water from the %s border reaches %lld cells and no other border",
        def->level, rl_side_names[def->from], (long long)wet->count);
}

static rill_status lay_line(const rl_wet *wet, uint32_t end, double cell_size,
                            const rill_river_path_def *def, rill_river_path *path)
{
    rl_river_line line = {0};
    const bool good = rl_river_line_find(wet, def->from, end, &line) &&
                      rl_river_line_lay(&line, wet, NULL, cell_size, path);
    rl_river_line_destroy(wet->allocator, &line);
    return good ? RILL_OK : rill_fail(RILL_NO_MEMORY, "no memory for the line of a river");
}

// Finds a plane from a given side.
static rill_status find_plane(const rill_field *ground, double cell_size,
                              const rill_river_path_def *def, rill_river_path *path)
{
    rl_wet wet = {0};
    uint32_t end = 0;
    rill_status status = RILL_OK;
    RILL_TRY(check_level(ground, def));
    bool good = rl_wet_create(&path->own.allocator, ground, &path->level, &wet);
    if (good && def->smoothing > 0.0)
        good = flood_smoothed(&wet, def->smoothing / cell_size, def);
    else if (good)
        good = flood(&wet, def);
    if (!good)
        status = rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                           ground->ny);
    if (status == RILL_OK)
        status = find_end(&wet, def, &end);
    if (status == RILL_OK)
        status = lay_line(&wet, end, cell_size, def, path);
    path->found.wet_cells = (int64_t)wet.count;
    path->found.branches = 1;
    rl_wet_destroy(&wet);
    return status;
}

// Water at one level that reaches two sides is the same from either: the first of them will do.
static rill_status find_plane_anywhere(const rill_field *ground, double cell_size,
                                       const rill_river_path_def *def, rill_river_path *path)
{
    static const int order[4] = {RILL_SIDE_NORTH, RILL_SIDE_WEST, RILL_SIDE_EAST, RILL_SIDE_SOUTH};
    rill_river_path_def from_side = *def;
    rill_status status = RILL_BAD_DEF;
    for (int n = 0; n < 4 && status == RILL_BAD_DEF; n++) {
        from_side.from = path->found.from = order[n];
        rill_field_fill(&path->level, RL_RIVER_DRY);
        status = find_plane(ground, cell_size, &from_side, path);
    }
    return status;
}

// ---- All of it -------------------------------------------------------------------------

static rill_status find(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                        rill_river_path *path)
{
    const bool anywhere = def->from == RILL_RIVER_FROM_AUTO;
    if (def->surface == RILL_RIVER_PLANE && anywhere)
        return find_plane_anywhere(ground, cell_size, def, path);
    if (def->surface == RILL_RIVER_PROFILE && anywhere)
        return rl_river_find_auto(ground, cell_size, def, path);
    path->found.from = def->from;
    if (def->surface == RILL_RIVER_PLANE)
        return find_plane(ground, cell_size, def, path);
    rill_river_path_def profile = *def;
    profile.depth = isnan(def->depth) ? RL_DEPTH_FROM_SIDE : def->depth;
    return rl_river_find_profile(ground, cell_size, &profile, path);
}

rill_status rl_river_path_find(const rill_field *ground, double cell_size,
                               const rill_river_path_def *def, const rill_allocator *allocator,
                               rill_river_path **out)
{
    *out = NULL;
    rill_river_path *path = rl_owned_create(allocator, sizeof *path);
    if (path == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a river");
    rill_status status;
    rl_owned_field(&path->own, ground->nx, ground->ny, 0, 0, &path->level);
    if (path->own.failed) {
        status = rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                           ground->ny);
    } else {
        path->found.level = rill_field_view_of(&path->level);
        rill_field_fill(&path->level, RL_RIVER_DRY);
        status = find(ground, cell_size, def, path);
    }
    if (status == RILL_OK)
        rl_river_doubt(ground, cell_size, def, path);
    if (status != RILL_OK)
        rill_river_path_destroy(&path);
    *out = path;
    return status;
}
