// SPDX-License-Identifier: MIT
// info.c - `rill info`: finds the kind of a file and has it described.
#include "apps/rill/info/info.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "apps/rill/options.h"

#include "rill/scene.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_NAMES 256 // built-in scenes that are compared for a spelling suggestion

static bool is_scene_name(const char *text)
{
    const char *ending = strrchr(text, '.');
    if (ending != NULL && strcmp(ending, ".toml") == 0)
        return true;
    for (int k = 0; k < rill_builtin_scene_count(); k++)
        if (strcmp(rill_builtin_scene_name(k), text) == 0)
            return true;
    return false;
}

static int fail_missing(const char *path)
{
    const char *names[MOST_NAMES];
    int count = 0;
    while (count < rill_builtin_scene_count() && count < MOST_NAMES) {
        names[count] = rill_builtin_scene_name(count);
        count++;
    }
    const char *nearest = spelling_suggestion(path, names, count);
    if (nearest != NULL)
        return error_wrong("there is no file and no built-in scene \"%s\"; did you mean \"%s\"?",
                           path, nearest);
    return error_wrong("there is no file and no built-in scene \"%s\"", path);
}

static int explain(const char *path, bool json)
{
    struct stat found;
    if (is_scene_name(path))
        return info_scene(path, json);
    if (stat(path, &found) != 0)
        return errno == ENOENT ? fail_missing(path)
                               : error_wrong("%s: cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(found.st_mode))
        return error_wrong("%s: is a folder, not a file", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return error_wrong("%s: cannot be read: %s", path, strerror(errno));
    const bool field = info_is_field(file), mesh = !field && info_is_mesh(path, file);
    fclose(file);
    if (field)
        return info_field(path, json);
    return mesh ? info_mesh(path, json) : info_raster(path, json);
}

int command_info(int argc, char **argv)
{
    bool json = false;
    const option options[] = {
        {"json", 0, OPTION_FLAG, NULL, "Print one JSON object.", &json, 0, 0},
    };
    const option_syntax syntax = {
        .command = "info",
        .summary =
            "Says what a file holds: a raster of elevations (PNG, ESRI ASCII grid, whatever "
            "GDAL reads),\na mesh (PLY, OBJ, STL, binary glTF), a scene (.toml, or the name of a "
            "built-in one).",
        .operands = "FILE",
        .operand = "a file",
        .least = 1,
        .most = 1,
        .options = options,
        .option_count = 1,
    };
    option_list operands;
    const option_result result = options_parse(&syntax, argc, argv, &operands);
    int status = result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (result == OPTIONS_GO)
        status = explain(operands.items[0], json);
    options_free_list(&operands);
    return status;
}
