// SPDX-License-Identifier: MIT
#include "scene/builtin.h"

#include <errno.h>
#include <string.h>

static const char prefix[] = "builtin:";

bool rl_builtin_is_name(const char *path)
{
    return strncmp(path, prefix, sizeof prefix - 1) == 0;
}

FILE *rl_builtin_open(const char *path)
{
    if (!rl_builtin_is_name(path))
        return fopen(path, "rb");
    for (const rl_builtin_file *file = rl_builtin_files; file->name != NULL; file++)
        if (strcmp(file->name, path + sizeof prefix - 1) == 0)
            return fmemopen((void *)(size_t)file->data, file->bytes, "rb");
    errno = ENOENT;
    return NULL;
}
