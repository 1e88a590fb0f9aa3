// SPDX-License-Identifier: MIT
// out_file.c - writes files whole or not at all.
#include "scene/formats/formats.h"

#include <errno.h>
#include <string.h>

static rill_status cannot_write(const char *path, int error)
{
    return rill_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, strerror(error));
}

rill_status rl_part_name(const char *path, char part[RL_PATH_BYTES])
{
    const int length = snprintf(part, RL_PATH_BYTES, "%s.part", path);
    if (length < 0 || length >= RL_PATH_BYTES)
        return rill_fail(RILL_WRITE_FAILED, "%.200s...: the path is too long", path);
    return RILL_OK;
}

rill_status rl_part_finish(rill_status status, const char *part, const char *path)
{
    errno = 0;
    if (status == RILL_OK && rename(part, path) != 0)
        status = cannot_write(path, errno != 0 ? errno : EIO);
    if (status != RILL_OK)
        remove(part);
    return status;
}

rill_status rl_out_open(rl_out_file *file, const char *path)
{
    RILL_TRY(rl_part_name(path, file->part));
    file->path = path;
    file->error = 0;
    file->file = fopen(file->part, "wb");
    return file->file != NULL ? RILL_OK : cannot_write(path, errno);
}

// EIO stands in where the system gives no reason.
static void note_error(rl_out_file *file)
{
    if (file->error == 0)
        file->error = errno != 0 ? errno : EIO;
}

void rl_out_bytes(rl_out_file *file, const void *bytes, size_t count)
{
    errno = 0;
    if (file->error == 0 && fwrite(bytes, 1, count, file->file) != count)
        note_error(file);
}

void rl_out_words(rl_out_file *file, const void *words, size_t count)
{
    const unsigned char *from = words;
    unsigned char bytes[4 * 256];
    for (size_t n = 0, filled = 0; n < count; n++, from += 4) {
        uint32_t bits;
        memcpy(&bits, from, sizeof bits);
        for (int k = 0; k < 4; k++)
            bytes[filled++] = (unsigned char)(bits >> (8 * k));
        if (filled == sizeof bytes || n + 1 == count) {
            rl_out_bytes(file, bytes, filled);
            filled = 0;
        }
    }
}

void rl_out_u32(rl_out_file *file, uint32_t value)
{
    rl_out_words(file, &value, 1);
}

rill_status rl_out_close(rl_out_file *file)
{
    RL_ASSERT(file->file != NULL);
    errno = 0;
    if (fclose(file->file) != 0)
        note_error(file);
    return rl_part_finish(file->error == 0 ? RILL_OK : cannot_write(file->path, file->error),
                          file->part, file->path);
}
