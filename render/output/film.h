// SPDX-License-Identifier: MIT
// film.h - pictures to files: one PNG, a folder of numbered PNGs, or a video through ffmpeg.
#pragma once

#include "rill/base.h"

#include <stdint.h>

typedef struct film film;

typedef enum film_kind {
    FILM_PICTURE,  // NAME.png: every picture replaces the one before; the last stays
    FILM_SEQUENCE, // a folder: frame-00000.png, frame-00001.png, ...
    FILM_MP4,
    FILM_WEBM
} film_kind;

// What `path` asks for by its ending; a folder ends with a slash or exists already as one. Anything
// else: RILL_BAD_ARGUMENT and a sentence in trouble_text().
rill_status film_kind_of(const char *path, film_kind *out);

// Opens a film. A folder is made; ffmpeg is looked for and started, and when it is missing the
// sentence says so. Videos are made of pictures with an even number of pixels each way; an odd one
// is refused.
rill_status film_open(const char *path, int width, int height, double frames_per_second,
                      film **out);

// Adds a picture: width * height * 3 bytes, upper row first.
rill_status film_add(film *f, const uint8_t *rgb);

// Ends the film, waits for ffmpeg and moves the video to its place. Destroys and nulls `f` whatever
// comes back.
rill_status film_close(film **f);

// Gives the film up: a video that is not complete is removed, pictures stay. NULL is fine.
void film_abandon(film **f);
