// SPDX-License-Identifier: MIT
// raster_png.c - elevations from a grey picture: black is 0 and white is 1 before the scale.
#include "scene/formats/png_file.h"
#include "scene/formats/raster.h"

#include "rill/files.h"

rill_status rl_raster_load_png(const char *path, const rill_heightfield_load_def *def,
                               rill_heightfield **out)
{
    const rill_allocator *allocator = rill_allocator_of(def->host);
    rl_png_grey picture;
    *out = NULL;
    rill_status status = rl_png_read_grey(path, def->max_cells, allocator, &picture);
    if (status != RILL_OK)
        return status;
    status = rl_raster_create(path, picture.width, picture.height,
                              def->cell_size > 0.0 ? def->cell_size : 1.0, def, out);
    for (int row = 0; status == RILL_OK && row < picture.height; row++) {
        const uint16_t *pixels = picture.pixels + (size_t)row * (size_t)picture.width;
        for (int column = 0; status == RILL_OK && column < picture.width; column++)
            status =
                rl_raster_put(path, def, *out, column, row, (double)pixels[column] / picture.white);
    }
    rl_png_free_grey(allocator, &picture);
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}
