// SPDX-License-Identifier: MIT
// view_command.c - `rill view`: parses the arguments; the window is in apps/view.
#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "apps/rill/options.h"
#include "apps/rill/play.h"

#ifdef RILL_HAS_WINDOW
#include "apps/view/viewer.h"
#include "render/render_error.h"
#endif

typedef struct window_options {
    play_options play;
    int size[2];
    const char *script;
} window_options;

static option_result parse(int argc, char **argv, window_options *o, option_list *operands)
{
    const option options[] = {
        {"size", 0, OPTION_SIZE, "WxH", "Pixels of the window. Default: 1280x720.", o->size, 16,
         16384},
        play_threads_option(&o->play),
        play_backend_option(&o->play.backend),
        play_set_option(&o->play),
        {"script", 0, OPTION_TEXT, "FILE", "Play mouse and keys from FILE, then close.", &o->script,
         0, 0},
    };
    const option_syntax syntax = {
        .command = "view",
        .summary = "Opens a window on a scene: fly around, pour water, dig, change everything.",
        .operands = "SCENE",
        .operand = "a scene",
        .least = 1,
        .most = 1,
        .more = "SCENE is a built-in name (\"rill list\") or the path of a .toml file. The panel "
                "in the\nwindow says which keys there are.\n"
                "\n"
                "Exit status: 0 done, 1 failed, 2 wrong usage or bad input.",
        .options = options,
        .option_count = (int)(sizeof options / sizeof options[0]),
    };
    return options_parse(&syntax, argc, argv, operands);
}

static int show(const window_options *o)
{
#ifdef RILL_HAS_WINDOW
    rill_backend backend = RILL_BACKEND_CPU;
    const int found = play_find_backend(o->play.backend, &backend);
    if (found != STATUS_DONE)
        return found;
    const view_options wanted = {
        .scene = o->play.scene,
        .overrides = o->play.set.items,
        .override_count = o->play.set.count,
        .threads = o->play.threads,
        .backend = backend,
        .width = o->size[0],
        .height = o->size[1],
        .script = o->script,
    };
    const rill_status status = view_run(&wanted);
    return status == RILL_OK ? STATUS_DONE : error_message(status, render_error_text());
#else
    (void)o;
    return error_failed("this build has no window; cmake -D RILL_WINDOW=ON brings it");
#endif
}

int command_view(int argc, char **argv)
{
    window_options o = {.play = play_default_options(), .size = {1280, 720}};
    option_list operands;
    const option_result result = parse(argc, argv, &o, &operands);
    int status = result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (result == OPTIONS_GO) {
        o.play.scene = operands.items[0];
        status = show(&o);
    }
    options_free_list(&operands);
    options_free_list(&o.play.set);
    return status;
}
