// SPDX-License-Identifier: MIT
// picture_distance.h - how different two pictures are to an eye. Small enough a distance when the
// same picture comes from another driver, large when a part of it is gone.
//
//   1. sRGB bytes become linear light and then CIE XYZ.
//   2. Light is spread by a Gaussian of one pixel: an eye at arm's length has about that blur, and
//      so what a driver rounds one way or the other, dithering and the steps of an edge all vanish.
//   3. XYZ becomes CIELAB, in which equal distances (Delta E, CIE 1976) look about equally large.
//   4. Tiles of 16 x 16 pixels, half overlapping, are compared: the mean Delta E of their pixels,
//      the least over displacements of the other picture by up to one pixel. Nobody sees that a
//      line has moved so little, but a colour that has changed stays changed wherever it is laid.
//   5. The distance is that of the worst tile. Averaged over the whole picture a missing shadow
//      would be nothing; a tile is half a degree wide at arm's length, a thing one can look at.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// One unit of Delta E is about the least that a practised eye finds with two colours edge to edge;
// people asked about patches of a screen say "different" from 2.3 on (Mahy, Van Eycken and
// Oosterlinck 1994). Two pictures of the same scene must not differ by what anyone could see in any
// spot, hence the smaller figure.
#define PICTURE_TOLERANCE 1.0

typedef struct picture_verdict {
    double distance; // Delta E of the worst tile
    int x, y;        // its upper left corner
} picture_verdict;

// Compares two pictures of width * height * 3 bytes (sRGB, upper row first), each side at least 1
// pixel. `difference` is NULL or gets a picture of the same size to look at: grey is Delta E of
// each pixel, white from 10 on, and the worst tile has a red frame. False without memory.
bool picture_compare(const uint8_t *expected, const uint8_t *seen, int width, int height,
                     uint8_t *difference, picture_verdict *out);
