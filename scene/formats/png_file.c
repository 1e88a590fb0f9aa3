// SPDX-License-Identifier: MIT
// png_file.c - reads and writes PNG files with libpng.
#include "scene/formats/formats.h"
#include "scene/formats/scan.h"

#include "rill/terrain.h"

void rl_png_free_grey(const rill_allocator *allocator, rl_png_grey *picture)
{
    rill_free(allocator, picture->pixels, picture->bytes);
    *picture = (rl_png_grey){0};
}

#ifdef RL_HAS_PNG

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

// Deflate shrinks zeros by at most this; a file that is smaller still cannot be whole, and is
// refused before memory is taken for what its header promises.
#define MAX_DEFLATE_RATIO 1040

typedef struct png_job {
    FILE *file;
    png_structp png;
    png_infop info;
    jmp_buf failed;
    char message[160];
} png_job;

static void note_message_and_leave(png_structp png, png_const_charp message)
{
    png_job *job = png_get_error_ptr(png);
    snprintf(job->message, sizeof job->message, "%s", message);
    longjmp(job->failed, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

// False, with the message set, when there is no memory.
static bool create_info(png_job *job, const char *path)
{
    if (job->png != NULL)
        job->info = png_create_info_struct(job->png);
    if (job->info == NULL)
        rill_fail(RILL_NO_MEMORY, "%s: no memory for libpng", path);
    return job->info != NULL;
}

// ---- Reading ---------------------------------------------------------------------------

static rill_status check_length(FILE *file, const char *path, size_t bytes)
{
    int64_t length = 0;
    if (!rl_file_length(file, &length))
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (bytes / MAX_DEFLATE_RATIO > (size_t)length)
        return rill_fail(RILL_BAD_FILE, "%s: is cut short, %lld bytes cannot hold the picture",
                         path, (long long)length);
    return RILL_OK;
}

// Widens rows of bytes in place: they were read into the second half of the memory of the row.
static void widen_rows(rl_png_grey *picture)
{
    RL_ASSERT(picture->width > 0 && picture->height > 0);
    const size_t width = (size_t)picture->width;
    for (int row = 0; row < picture->height; row++) {
        uint16_t *pixels = picture->pixels + (size_t)row * width;
        const unsigned char *bytes = (const unsigned char *)pixels + width;
        for (size_t i = 0; i < width; i++)
            pixels[i] = bytes[i];
    }
}

// File order is most significant byte first; assembled by hand so that it holds on every machine.
static void order_bytes(rl_png_grey *picture)
{
    const size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[2];
        memcpy(bytes, &picture->pixels[i], 2);
        picture->pixels[i] = (uint16_t)(bytes[0] << 8 | bytes[1]);
    }
}

static rill_status read_header(png_job *job, const char *path, int64_t max_pixels,
                               const rill_allocator *allocator, rl_png_grey *out)
{
    png_init_io(job->png, job->file);
    png_read_info(job->png, job->info);
    const int64_t width = png_get_image_width(job->png, job->info);
    const int64_t height = png_get_image_height(job->png, job->info);
    const int colour = png_get_color_type(job->png, job->info);
    const int depth = png_get_bit_depth(job->png, job->info);
    if (colour == PNG_COLOR_TYPE_GRAY_ALPHA)
        return rill_fail(RILL_BAD_FILE, "%s: has transparency, elevations must be plain grey",
                         path);
    if (colour != PNG_COLOR_TYPE_GRAY)
        return rill_fail(RILL_BAD_FILE, "%s: is a colour picture, elevations must be grey", path);
    if (width > RILL_MAX_SIDE || height > RILL_MAX_SIDE || width * height > max_pixels)
        return rill_fail(RILL_BAD_FILE, "%s: has %lld x %lld pixels, more than the %lld accepted",
                         path, (long long)width, (long long)height, (long long)max_pixels);
    if (depth < 8)
        png_set_expand_gray_1_2_4_to_8(job->png);

    const size_t bytes = (size_t)(width * height) * sizeof(uint16_t);
    RILL_TRY(check_length(job->file, path, bytes / (depth == 16 ? 1 : (size_t)(16 / depth))));
    *out = (rl_png_grey){.width = (int)width,
                         .height = (int)height,
                         .white = depth == 16 ? 65535 : 255,
                         .pixels = rill_alloc(allocator, bytes),
                         .bytes = bytes};
    if (out->pixels == NULL)
        return rill_fail(RILL_NO_MEMORY, "%s: no memory for %d x %d pixels", path, out->width,
                         out->height);
    return RILL_OK;
}

static void read_pixels(png_job *job, rl_png_grey *out)
{
    const size_t width = (size_t)out->width;
    const size_t start = out->white == 255 ? width : 0; // see widen_rows
    const int passes = png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    for (int pass = 0; pass < passes; pass++)
        for (int row = 0; row < out->height; row++)
            png_read_row(job->png, (png_bytep)(out->pixels + (size_t)row * width) + start, NULL);
    png_read_end(job->png, NULL);
    if (out->white == 255)
        widen_rows(out);
    else
        order_bytes(out);
}

// libpng leaves through longjmp, so nothing that outlives the jump may sit in a local variable: it
// all sits in `job` and `out`.
static rill_status read_guarded(png_job *job, const char *path, int64_t max_pixels,
                                const rill_allocator *allocator, rl_png_grey *out)
{
    if (setjmp(job->failed) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: is not a whole PNG picture: %s", path, job->message);
    job->png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, job, note_message_and_leave, ignore_warning);
    if (!create_info(job, path))
        return RILL_NO_MEMORY;
    const rill_status status = read_header(job, path, max_pixels, allocator, out);
    if (status == RILL_OK)
        read_pixels(job, out);
    return status;
}

rill_status rl_png_read_grey(const char *path, int64_t max_pixels, const rill_allocator *allocator,
                             rl_png_grey *out)
{
    *out = (rl_png_grey){0};
    png_job job = {.file = fopen(path, "rb")};
    if (job.file == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    const rill_status status = read_guarded(&job, path, max_pixels, allocator, out);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    fclose(job.file);
    if (status != RILL_OK)
        rl_png_free_grey(allocator, out);
    return status;
}

// ---- Writing ---------------------------------------------------------------------------

static rill_status write_guarded(png_job *job, const char *path, int width, int height,
                                 const uint8_t *pixels, size_t row_bytes)
{
    if (setjmp(job->failed) != 0)
        return rill_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, job->message);
    job->png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, job, note_message_and_leave, ignore_warning);
    if (!create_info(job, path))
        return RILL_NO_MEMORY;
    png_init_io(job->png, job->file);
    png_set_IHDR(job->png, job->info, (png_uint_32)width, (png_uint_32)height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(job->png, job->info);
    for (int row = 0; row < height; row++)
        png_write_row(job->png, pixels + (size_t)row * row_bytes);
    png_write_end(job->png, NULL);
    return RILL_OK;
}

rill_status rl_png_write_rgb(const char *path, int width, int height, const uint8_t *pixels,
                             size_t row_bytes)
{
    if (width < 1 || height < 1 || row_bytes / 3 < (size_t)width)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "%s: a picture of %d x %d pixels with rows of %zu bytes", path, width,
                         height, row_bytes);
    png_job job = {.file = fopen(path, "wb")};
    if (job.file == NULL)
        return rill_fail(RILL_WRITE_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
    rill_status status = write_guarded(&job, path, width, height, pixels, row_bytes);
    png_destroy_write_struct(&job.png, &job.info);
    if (fclose(job.file) != 0 && status == RILL_OK)
        status = rill_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    return status;
}

#else // without libpng

rill_status rl_png_read_grey(const char *path, int64_t max_pixels, const rill_allocator *allocator,
                             rl_png_grey *out)
{
    (void)max_pixels;
    (void)allocator;
    *out = (rl_png_grey){0};
    return rill_fail(RILL_NO_BACKEND, "%s: is a PNG picture and this build has no libpng", path);
}

rill_status rl_png_write_rgb(const char *path, int width, int height, const uint8_t *pixels,
                             size_t row_bytes)
{
    (void)width;
    (void)height;
    (void)pixels;
    (void)row_bytes;
    return rill_fail(RILL_NO_BACKEND, "%s: cannot write PNG, this build has no libpng", path);
}

#endif
