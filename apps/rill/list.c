// SPDX-License-Identifier: MIT
// list.c - `rill list`: the scenes carried inside the library, or the overlays of the renderer.
#include "apps/rill/command.h"
#include "apps/rill/options.h"

#include "rill/scene.h"
#ifdef RILL_HAS_RENDER
#include "render/renderer.h"
#endif

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

static void print_overlays(void)
{
#ifdef RILL_HAS_RENDER
    for (int k = 0; k < OVERLAY_COUNT; k++)
        puts(overlay_name((overlay)k));
#endif
}

int command_list(int argc, char **argv)
{
    bool names_only = false, overlays = false;
    const option options[] = {
        {"names", 0, OPTION_FLAG, NULL, "Print the names alone.", &names_only, 0, 0},
        {"overlays", 0, OPTION_FLAG, NULL, "Print the overlays of \"rill render\" instead.",
         &overlays, 0, 0},
    };
    const option_syntax syntax = {
        .command = "list",
        .summary = "Lists the scenes that Rill carries, name and description, a line each.",
        .operands = "",
        .most = 0,
        .options = options,
        .option_count = (int)(sizeof options / sizeof options[0]),
    };
    option_list operands;
    const option_result result = options_parse(&syntax, argc, argv, &operands);
    options_free_list(&operands);
    if (result != OPTIONS_GO)
        return result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (overlays)
        print_overlays();
    else
        print_all(names_only);
    return STATUS_DONE;
}
