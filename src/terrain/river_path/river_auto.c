// SPDX-License-Identifier: MIT
// river_auto.c - the river of any terrain, found by what drains through it:
//
//     fill hollows -> ways, over flats too -> areas -> largest stem -> lines -> bed and water
//
// and the drainage of a terrain by itself.
#include "terrain/river_path/river_path_internal.h"

#include "core/memory.h"

#include <math.h>

#define OWN_BED 3.0 // cells: the mean width from which a DEM shows the bed of a river

// ---- Line ------------------------------------------------------------------------------

static double area_at(const rl_river_course *c, size_t n)
{
    return (double)c->channels->cell[n].area * c->cell_size * c->cell_size + c->stem->beyond;
}

// Fills what is known about the main channel.
static bool lay_line(const rl_river_course *c, rill_river_path *path)
{
    const size_t count = c->channels->main;
    const float size = (float)c->cell_size;
    const rl_wet grid = {.ground = c->ground, .nx = c->ground->nx, .ny = c->ground->ny};
    float *arrays[6];
    for (int k = 0; k < 6; k++)
        arrays[k] = rl_owned_take(&path->own, count, sizeof(float));
    if (path->own.failed)
        return false;
    double length = c->cell_size; // from the rim to the middle of the first cell, and at the end
    for (size_t n = 0; n < count; n++) {
        arrays[0][n] = c->x[n] * size;
        arrays[1][n] = c->y[n] * size;
        arrays[2][n] = c->surface[n];
        // A cell has the level of the place on the line that is nearest to it.
        const uint32_t cell = rl_river_course_cell(c, n);
        const float depth =
            *rl_wet_at(&grid, &path->level, cell) - *rl_wet_at(&grid, &path->ground, cell);
        arrays[3][n] = arrays[2][n] - depth;
        // The ground of the channel's own cell: the line may pass beside it.
        const double cut =
            (double)rl_wet_ground(&grid, c->channels->cell[n].cell) - (double)arrays[2][n];
        path->cut_at = cut > path->cut ? (int)n : path->cut_at;
        path->cut = cut > path->cut ? cut : path->cut;
        arrays[4][n] = c->width[n] * size;
        arrays[5][n] = (float)area_at(c, n);
        if (n > 0) {
            const double dx = (double)arrays[0][n] - (double)arrays[0][n - 1];
            const double dy = (double)arrays[1][n] - (double)arrays[1][n - 1];
            length += sqrt(dx * dx + dy * dy);
        }
    }
    rill_river_path_view *found = &path->found;
    found->count = (int)count;
    found->x = arrays[0];
    found->y = arrays[1];
    found->surface = arrays[2];
    found->bed = arrays[3];
    found->width = arrays[4];
    found->area = arrays[5];
    found->length = length;
    found->fall = (double)arrays[2][0] - (double)arrays[2][count - 1];
    found->from = c->stem->from;
    found->branches = c->branches;
    return true;
}

// ---- All of it -------------------------------------------------------------------------

static bool lay_river(const rl_stem *stem, const rill_field *ground, double cell_size,
                      const rill_river_path_def *def, rill_river_path *path)
{
    const rill_allocator *allocator = &path->own.allocator;
    rl_wet wet = {.allocator = allocator};
    rl_river_course course;
    const bool good = rl_river_course_lay(stem, ground, cell_size, def, allocator, &course) &&
                      rl_wet_create(allocator, ground, &path->level, &wet) &&
                      rl_bed_carve(&course, &wet, path) && lay_line(&course, path);
    path->found.wet_cells = (int64_t)wet.count;
    if (good)
        path->found.ground = rill_field_view_of(&path->ground);
    rl_wet_destroy(&wet);
    rl_river_course_destroy(&course);
    return good;
}

// A river that comes from beyond has drained who knows how much; but a DEM that is fine enough
// shows its bed. Then the surface lies in that as for a river from a given side. Leaves the path as
// it was when it is not plausible, or narrower than a few cells: there the DEM shows no bed.
static bool lay_in_own_bed(const rill_field *ground, double cell_size,
                           const rill_river_path_def *def, int from, rill_river_path *path)
{
    rill_river_path_def from_side = *def;
    from_side.from = from;
    from_side.depth = isnan(def->depth) ? RL_DEPTH_FROM_SIDE : def->depth;
    const rill_river_path_view before = path->found;
    if (rl_river_find_profile(ground, cell_size, &from_side, path) == RILL_OK) {
        const double water = (double)path->found.wet_cells * cell_size * cell_size;
        path->found.from = from;
        rl_river_doubt(ground, cell_size, &from_side, path);
        if (path->found.doubt == NULL && water >= OWN_BED * cell_size * path->found.length)
            return true;
    }
    path->found = before;
    rill_field_fill(&path->level, RL_RIVER_DRY);
    return false;
}

rill_status rl_river_find_auto(const rill_field *ground, double cell_size,
                               const rill_river_path_def *def, rill_river_path *path)
{
    int from = RL_NO_SIDE;
    rl_stem stem;
    if (isnan(def->through[0]) &&
        !rl_crossing_find(ground, cell_size, def, &path->own.allocator, &from))
        return rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                         ground->ny);
    if (from != RL_NO_SIDE && isnan(def->width) &&
        lay_in_own_bed(ground, cell_size, def, from, path))
        return RILL_OK;
    RILL_TRY(rl_stem_find(ground, cell_size, def, from, &path->own.allocator, &stem));
    const bool good = lay_river(&stem, ground, cell_size, def, path);
    rl_channels_destroy(&path->own.allocator, &stem.channels);
    return good ? RILL_OK
                : rill_fail(RILL_NO_MEMORY, "no memory to lay a river in %d x %d cells", ground->nx,
                            ground->ny);
}

// ---- The drainage by itself ------------------------------------------------------------

rill_status rl_drainage_find(const rill_field *ground, double length,
                             const rill_allocator *allocator, rill_drainage **out)
{
    const rl_flood_def flood = {
        .from = RL_NO_SIDE, .ways = 8, .length = length, .no_data = (double)INFINITY};
    rl_drainage *d = rl_drainage_flood(ground, &flood, allocator);
    if (d == NULL || !rl_drainage_route(d)) {
        rl_drainage_destroy(&d);
        return rill_fail(RILL_NO_MEMORY, "no memory for the drainage of %d x %d cells", ground->nx,
                         ground->ny);
    }
    for (size_t n = 0; n < d->cells; n++)
        d->way[n] &= RL_WAY_BITS;
    *out = d;
    return RILL_OK;
}

void rill_drainage_destroy(rill_drainage **drainage)
{
    if (drainage != NULL)
        rl_drainage_destroy(drainage);
}

rill_drainage_view rill_drainage_get(const rill_drainage *d)
{
    if (d == NULL)
        return (rill_drainage_view){0};
    const size_t first = d->pitch + 1;
    return (rill_drainage_view){.nx = d->nx,
                                .ny = d->ny,
                                .pitch = d->pitch,
                                .filled = d->level + first,
                                .area = d->work + first,
                                .way = d->way + first};
}
