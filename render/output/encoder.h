// SPDX-License-Identifier: MIT
// encoder.h - runs ffmpeg as a child process: pictures go in, a video file comes out. Its death is
// an error with its own last message, never a signal.
#pragma once

#include "render/output/film.h"

#include "rill/base.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ENCODER_MESSAGE_BYTES 512 // of ffmpeg's last messages

// Fields belong to encoder.c. All-zero is an encoder that was not started.
typedef struct encoder {
    pid_t process; // 0: none
    int pictures;  // socket that the process reads
    int messages;  // socket that it writes messages to; -1 once it has closed it
    char message[ENCODER_MESSAGE_BYTES];
    size_t message_bytes;
} encoder;

// The video to make.
typedef struct encoder_def {
    film_kind kind; // FILM_MP4 or FILM_WEBM
    int width, height;
    double frames_per_second;
    const char *path; // is written over
} encoder_def;

// Starts ffmpeg. Without ffmpeg it returns RILL_NO_BACKEND and sets a message.
rill_status encoder_start(encoder *e, const encoder_def *def);

// Encodes one picture.
rill_status encoder_send(encoder *e, const uint8_t *bytes, size_t count);

// Ends the video and waits until the file is complete.
rill_status encoder_finish(encoder *e);

// Ends the process at once and leaves an incomplete file. An encoder that does not run is fine.
void encoder_stop(encoder *e);
