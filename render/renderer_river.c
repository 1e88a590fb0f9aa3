// SPDX-License-Identifier: MIT
// renderer_river.c - computes once what does not change about a terrain and the river in it.
#include "render/renderer_internal.h"

#include "render/frame/frame_data_solid.h"
#include "render/ground/landscape.h"
#include "render/half.h"

#include <stdlib.h>

// Metres from which on a terrain is one of kilometres: around a river, and around moving water,
// whose shore moves.
#define RIVER_SIDE     500.0f
#define LANDSCAPE_SIDE 3000.0f

static bool is_landscape(const renderer *r, const frame_data *s)
{
    const int side = r->def.nx > r->def.ny ? r->def.nx : r->def.ny;
    const float least = s->carpet.version != 0 ? RIVER_SIDE : LANDSCAPE_SIDE;
    return r->def.view.ground == RILL_GROUND_LAND && !solid_shown(r->body) &&
           (float)side * r->def.cell_size >= least;
}

void renderer_bake_landscape(renderer *r, const frame_data *s)
{
    const int nx = r->def.nx, ny = r->def.ny;
    if (!is_landscape(r, s))
        return;
    landscape_texel *texels = malloc((size_t)nx * (size_t)ny * sizeof *texels);
    if (texels == NULL)
        return; // it is drawn like any terrain
    const size_t stride = sizeof(frame_column) / sizeof(uint16_t);
    if (landscape_bake(nx, ny, r->def.cell_size, s->bed, &s->columns[0].depth, stride, s->wet_depth,
                       texels) == RILL_OK) {
        if (r->landscape_map == 0)
            r->landscape_map =
                gl_texture(&(gl_texture_def){nx, ny, GL_RGBA16F, true, false, false, 0});
        gl_texture_rows(r->landscape_map, GL_RGBA16F, nx, 0, ny, texels);
    }
    free(texels);
}

// Draws the ground along the shore of a river in full detail, because that shore does not move.
static void find_shore(renderer *r, const frame_data *s)
{
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    uint8_t *wet = malloc(cells);
    if (wet == NULL)
        return;
    for (size_t n = 0; n < cells; n++)
        wet[n] = half_to_float(s->columns[n].depth) > s->wet_depth;
    ground_set_shore(r->land, wet);
    free(wet);
}

// Detail moves only where there are patches of water, and on a rim that reads its neighbours.
static void find_wet_regions(renderer *r, const frame_data *s)
{
    const frame_carpet *c = &s->carpet;
    void *memory = r->wet_regions;
    r->wet_region_count = 0;
    const rill_status status =
        frame_grow(&memory, &r->wet_region_capacity, c->patch_count, sizeof *r->wet_regions);
    r->wet_regions = memory;
    for (size_t n = 0; status == RILL_OK && n < c->patch_count; n++) {
        const int i = (int)(n % (size_t)c->patches_x) * CARPET_PATCH;
        const int j = (int)(n / (size_t)c->patches_x) * CARPET_PATCH;
        if (c->patches[n].low[0] <= c->patches[n].high[0])
            r->wet_regions[r->wet_region_count++] =
                (flow_region){i, j, i + CARPET_PATCH + 1, j + CARPET_PATCH + 1};
    }
}

void renderer_find_river(renderer *r, const frame_data *s)
{
    find_shore(r, s);
    find_wet_regions(r, s);
}
