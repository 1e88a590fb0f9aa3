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
    file->filled = 0;
    file->file = fopen(file->part, "wb");
    return file->file != NULL ? RILL_OK : cannot_write(path, errno);
}

// EIO stands in where the system gives no reason.
static void note_error(rl_out_file *file)
{
    if (file->error == 0)
        file->error = errno != 0 ? errno : EIO;
}

static void flush(rl_out_file *file)
{
    RL_ASSERT(file->filled <= sizeof file->buffer);
    errno = 0;
    if (file->error == 0 && fwrite(file->buffer, 1, file->filled, file->file) != file->filled)
        note_error(file);
    file->filled = 0;
}

void rl_out_bytes(rl_out_file *file, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0) {
        if (file->filled == sizeof file->buffer)
            flush(file);
        const size_t space = sizeof file->buffer - file->filled;
        const size_t part = count < space ? count : space;
        memcpy(file->buffer + file->filled, from, part);
        file->filled += part;
        from += part;
        count -= part;
    }
}

void rl_out_u32(rl_out_file *file, uint32_t value)
{
    unsigned char bytes[4];
    for (int n = 0; n < 4; n++)
        bytes[n] = (unsigned char)(value >> (8 * n));
    rl_out_bytes(file, bytes, sizeof bytes);
}

void rl_out_f32(rl_out_file *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    rl_out_u32(file, bits);
}

rill_status rl_out_close(rl_out_file *file)
{
    RL_ASSERT(file->file != NULL);
    flush(file);
    errno = 0;
    if (fclose(file->file) != 0)
        note_error(file);
    return rl_part_finish(file->error == 0 ? RILL_OK : cannot_write(file->path, file->error),
                          file->part, file->path);
}
