// SPDX-License-Identifier: MIT
// list.c - `rill list`: the scenes carried inside the library.
#include "apps/rill/command.h"
#include "apps/rill/options.h"

#include "rill/scene.h"

#include <stdio.h>
#include <string.h>

static void print_all(bool names_only)
{
    int width = 0;
    for (int k = 0; k < rill_builtin_scene_count(); k++) {
        const int length = (int)strlen(rill_builtin_scene_name(k));
        width = length > width ? length : width;
    }
    for (int k = 0; k < rill_builtin_scene_count(); k++) {
        if (names_only)
            puts(rill_builtin_scene_name(k));
        else
            printf("%-*s  %s\n", width, rill_builtin_scene_name(k),
                   rill_builtin_scene_description(k));
    }
}

int command_list(int argc, char **argv)
{
    bool names_only = false;
    const option options[] = {
        {"names", 0, OPTION_FLAG, NULL, "Print the names alone.", &names_only, 0, 0},
    };
    const option_syntax syntax = {
        .command = "list",
        .summary = "Lists the scenes that Rill carries, name and description, a line each.",
        .operands = "",
        .most = 0,
        .options = options,
        .option_count = 1,
    };
    option_list operands;
    const option_result result = options_parse(&syntax, argc, argv, &operands);
    options_free_list(&operands);
    if (result != OPTIONS_GO)
        return result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    print_all(names_only);
    return STATUS_DONE;
}
