// SPDX-License-Identifier: MIT
// png_file.h - pictures in PNG files: writes colour, reads grey. The only files that include
// libpng. Rows run from the top of the picture down, as PNG stores them.
#pragma once

#include "rill/support.h"

// A grey picture of 8 or 16 bits. Fewer bits in the file (1, 2, 4) are widened to 8.
typedef struct rl_png_grey {
    int width, height;
    int white;        // the largest value a pixel can have: 255 or 65535
    uint16_t *pixels; // width * height
    size_t bytes;
} rl_png_grey;

// Reads a grey picture. Refuses pictures with colour or transparency and pictures of more than
// `max_pixels` pixels. Messages begin with the path.
rill_status rl_png_read_grey(const char *path, int64_t max_pixels, const rill_allocator *allocator,
                             rl_png_grey *out);
void rl_png_free_grey(const rill_allocator *allocator, rl_png_grey *picture);

// Writes three bytes a pixel, red first; `row_bytes` from one row to the next. After a failure part
// of the file may be left behind.
rill_status rl_png_write_rgb(const char *path, int width, int height, const uint8_t *pixels,
                             size_t row_bytes);
