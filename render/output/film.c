// SPDX-License-Identifier: MIT
// film.c - writes pictures to their files. Opening is a rehearsal: a small picture is really
// written, a short video really encoded, so that all that is missing is known before an hour of
// simulation.
#include "render/output/film.h"

#include "render/output/encoder.h"
#include "render/render_error.h"

#include "rill/export.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_SIDE 16384  // pixels
#define FASTEST      1000.0 // pictures a second
#define NAME_BYTES   32     // of the file of a picture in a folder

struct film {
    film_kind kind;
    encoder_def video; // its path is `part`
    encoder encoder;   // of videos
    char *path;        // file, or folder without a slash at its end
    char *part;        // temporary name of the file that is being written
    long count;        // pictures so far
    bool made_folder;
};

// ---- Kinds -----------------------------------------------------------------------------

static bool is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

rill_status film_kind_of(const char *path, film_kind *out)
{
    static const struct {
        const char *ending;
        film_kind kind;
    } known[] = {{".png", FILM_PICTURE}, {".mp4", FILM_MP4}, {".webm", FILM_WEBM}};
    const size_t length = strlen(path);
    if (length > 0 && (path[length - 1] == '/' || is_folder(path))) {
        *out = FILM_SEQUENCE;
        return RILL_OK;
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const size_t tail = strlen(known[k].ending);
        if (length > tail && strcasecmp(path + length - tail, known[k].ending) == 0) {
            *out = known[k].kind;
            return RILL_OK;
        }
    }
    return render_fail(
        RILL_BAD_ARGUMENT,
        "\"%.200s\" is no film: its name must end with .mp4, .webm or .png, or with a "
        "slash for a folder of pictures",
        path);
}

static bool is_video(film_kind kind)
{
    return kind == FILM_MP4 || kind == FILM_WEBM;
}

static rill_status check(film_kind kind, int width, int height, double frames_per_second)
{
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE)
        return render_fail(RILL_BAD_ARGUMENT,
                           "a picture of %d x %d pixels is not possible; each side must be 1 to %d",
                           width, height, LARGEST_SIDE);
    if (!is_video(kind))
        return RILL_OK;
    if (width % 2 != 0 || height % 2 != 0)
        return render_fail(RILL_BAD_ARGUMENT,
                           "a video of %d x %d pixels is not possible; both numbers must be even",
                           width, height);
    if (!(frames_per_second > 0.0) || frames_per_second > FASTEST)
        return render_fail(
            RILL_BAD_ARGUMENT,
            "%g pictures a second are not possible; it must be above 0 and at most %g",
            frames_per_second, FASTEST);
    return RILL_OK;
}

// ---- Places ----------------------------------------------------------------------------

static rill_status fail_unwritable(const char *path)
{
    return render_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, strerror(errno));
}

static char *joined(const char *a, const char *b)
{
    const size_t bytes = strlen(a) + strlen(b) + 1;
    char *text = malloc(bytes);
    if (text != NULL)
        snprintf(text, bytes, "%s%s", a, b);
    return text;
}

// Makes a folder, and before it the one it lies in where that is missing.
static bool make_folder(char *path, bool *made)
{
    *made = mkdir(path, 0777) == 0;
    const int reason = errno;
    if (*made || is_folder(path))
        return true;
    errno = reason;
    char *slash = strrchr(path, '/');
    if (errno != ENOENT || slash == NULL || slash == path)
        return false;
    *slash = '\0';
    const bool parent = make_folder(path, made);
    *slash = '/';
    *made = parent && mkdir(path, 0777) == 0;
    return *made;
}

static rill_status set_place(film *f, const char *path)
{
    f->path = joined(path, "");
    if (f->path == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for the name of a film");
    if (f->kind == FILM_SEQUENCE) {
        size_t length = strlen(f->path);
        while (length > 1 && f->path[length - 1] == '/')
            f->path[--length] = '\0';
        if (!make_folder(f->path, &f->made_folder))
            return fail_unwritable(f->path);
    }
    f->part = joined(f->path, f->kind == FILM_SEQUENCE ? "/frame.png.part" : ".part");
    return f->part != NULL ? RILL_OK
                           : render_fail(RILL_NO_MEMORY, "no memory for the name of a film");
}

// ---- Opening ---------------------------------------------------------------------------

static rill_status rehearse_video(film *f)
{
    const size_t bytes = (size_t)f->video.width * (size_t)f->video.height * 3;
    uint8_t *black = calloc(bytes, 1);
    if (black == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a picture of %zu bytes", bytes);
    rill_status status = encoder_start(&f->encoder, &f->video);
    if (status == RILL_OK)
        status = encoder_send(&f->encoder, black, bytes);
    if (status == RILL_OK)
        status = encoder_finish(&f->encoder);
    free(black);
    return status;
}

static rill_status rehearse(film *f)
{
    static const uint8_t pixel[3] = {0};
    const int file = open(f->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return fail_unwritable(f->path);
    close(file);
    if (is_video(f->kind)) {
        const rill_status status = rehearse_video(f);
        return status == RILL_OK ? encoder_start(&f->encoder, &f->video) : status;
    }
    const rill_status status = rill_export_png(pixel, 1, 1, f->part);
    unlink(f->part);
    return status == RILL_OK ? RILL_OK : render_fail_from_rill(status);
}

rill_status film_open(const char *path, int width, int height, double frames_per_second, film **out)
{
    film_kind kind = FILM_PICTURE;
    *out = NULL;
    rill_status status = film_kind_of(path, &kind);
    if (status == RILL_OK)
        status = check(kind, width, height, frames_per_second);
    if (status != RILL_OK)
        return status;
    film *f = calloc(1, sizeof *f);
    if (f == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a film");
    f->kind = kind;
    status = set_place(f, path);
    f->video = (encoder_def){kind, width, height, frames_per_second, f->part};
    if (status == RILL_OK)
        status = rehearse(f);
    if (status != RILL_OK)
        film_abandon(&f);
    *out = f;
    return status;
}

// ---- Pictures --------------------------------------------------------------------------

static rill_status add_to_folder(film *f, const uint8_t *rgb)
{
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "/frame-%05ld.png", f->count);
    char *path = joined(f->path, name);
    if (path == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for the name of a picture");
    const rill_status status = rill_export_png(rgb, f->video.width, f->video.height, path);
    free(path);
    return status == RILL_OK ? RILL_OK : render_fail_from_rill(status);
}

rill_status film_add(film *f, const uint8_t *rgb)
{
    const int width = f->video.width, height = f->video.height;
    rill_status status;
    if (f->kind == FILM_SEQUENCE) {
        status = add_to_folder(f, rgb);
    } else if (f->kind == FILM_PICTURE) {
        status = rill_export_png(rgb, width, height, f->path);
        status = status == RILL_OK ? RILL_OK : render_fail_from_rill(status);
    } else {
        status = encoder_send(&f->encoder, rgb, (size_t)width * (size_t)height * 3);
    }
    if (status == RILL_OK)
        f->count++;
    return status;
}

// ---- Ending ----------------------------------------------------------------------------

static rill_status close_video(film *f)
{
    if (f->encoder.process == 0)
        return render_fail(RILL_WRITE_FAILED, "%s: the video broke off", f->path);
    if (f->count == 0)
        return render_fail(RILL_BAD_ARGUMENT, "%s: a video needs at least one picture", f->path);
    const rill_status status = encoder_finish(&f->encoder);
    if (status == RILL_OK && rename(f->part, f->path) != 0)
        return fail_unwritable(f->path);
    return status;
}

rill_status film_close(film **f)
{
    const rill_status status = is_video((*f)->kind) ? close_video(*f) : RILL_OK;
    film_abandon(f);
    return status;
}

void film_abandon(film **f)
{
    if (f == NULL || *f == NULL)
        return;
    film *gone = *f;
    encoder_stop(&gone->encoder);
    if (is_video(gone->kind) && gone->part != NULL)
        unlink(gone->part); // is not there any more when it was moved to its place
    if (gone->made_folder && gone->count == 0)
        rmdir(gone->path);
    free(gone->path);
    free(gone->part);
    free(gone);
    *f = NULL;
}
