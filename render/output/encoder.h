// SPDX-License-Identifier: MIT
// encoder.h - ffmpeg as a child process: pictures go in, a video file comes out. Its death is an
// error with its own last words, never a signal.
#pragma once

#include "render/output/film.h"

#include "rill/base.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ENCODER_WORDS 512 // bytes of ffmpeg's last words that are kept

// Fields belong to encoder.c. All-zero is an encoder that was not started.
typedef struct encoder {
    pid_t process; // 0: none
    int pictures;  // socket that the process reads
    int words;     // socket that it complains to; -1 once it has closed it
    char said[ENCODER_WORDS];
    size_t said_bytes;
} encoder;

// What a video is made of.
typedef struct encoder_def {
    film_kind kind; // FILM_MP4 or FILM_WEBM
    int width, height;
    double frames_per_second;
    const char *path; // is written over
} encoder_def;

// Starts ffmpeg. When there is none: RILL_NO_BACKEND and a sentence that says so.
rill_status encoder_start(encoder *e, const encoder_def *def);

// Hands over one picture.
rill_status encoder_send(encoder *e, const uint8_t *bytes, size_t count);

// Ends the video and waits until the file is complete.
rill_status encoder_finish(encoder *e);

// Ends the process at once, whatever becomes of the file. An encoder that does not run is fine.
void encoder_stop(encoder *e);
