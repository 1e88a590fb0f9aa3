// SPDX-License-Identifier: MIT
// film.h - writes pictures to files: one PNG, a folder of numbered PNGs, or a video through ffmpeg.
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

// Finds the kind of film that `path` asks for by its ending; a folder ends with a slash or exists
// already as one. Anything else is RILL_BAD_ARGUMENT, with a message in render_error_text().
rill_status film_kind_of(const char *path, film_kind *out);

// Opens a film: makes the folder, or finds and starts ffmpeg, and when it is missing the message
// names it. Videos are made of pictures with an even number of pixels each way; an odd one is
// refused.
rill_status film_open(const char *path, int width, int height, double frames_per_second,
                      film **out);

// Adds a picture: width * height * 3 bytes, upper row first.
rill_status film_add(film *f, const uint8_t *rgb);

// Ends the film, waits for ffmpeg and moves the video to its place. Destroys and nulls `f` with any
// result.
rill_status film_close(film **f);

// Abandons the film: a video that is not complete is removed, pictures stay. NULL is fine.
void film_abandon(film **f);
