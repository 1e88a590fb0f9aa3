// SPDX-License-Identifier: MIT
// main.c - the command `rill`: a table of commands, and help.
#include "apps/rill/command.h"
#include "apps/rill/message.h"

#include "rill/base.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    const char *usage; // what follows the name, in short
    const char *line;  // what it does
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"list", "", "the built-in scenes, a line each", command_list},
    {"run", "SCENE", "let the water of a scene run; write pictures, meshes, figures", command_run},
    {"render", "SCENE", "draw a scene: a video, pictures or one picture", command_render},
    {"view", "SCENE", "a window: watch the water, pour it, dig the ground", command_view},
    {"bench", "[NAME...]", "the speed tables, the papers' figures beside ours", command_bench},
    {"validate", "[NAME...]", "exact solutions, errors and convergence orders", command_validate},
    {"info", "FILE", "what a DEM, a mesh or a scene holds", command_info},
};

#define COMMAND_COUNT ((int)(sizeof commands / sizeof commands[0]))

static void print_usage(FILE *out)
{
    fprintf(out, "Usage: rill COMMAND [ARGUMENT...]\n\n"
                 "Real-time water: ground, springs and rain in; moving water out.\n\n"
                 "Commands:\n");
    for (int k = 0; k < COMMAND_COUNT; k++)
        fprintf(out, "  %-9s %-10s %s\n", commands[k].name, commands[k].usage, commands[k].line);
    fprintf(out, "  %-9s %-10s %s\n", "help", "[COMMAND]", "this help, or that of a command");
    fprintf(out, "\n\"rill COMMAND --help\" shows the options of a command, \"rill --version\" the "
                 "version.\nTry:  rill run spring -o out\n");
}

static const command *find(const char *name)
{
    for (int k = 0; k < COMMAND_COUNT; k++)
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
    return NULL;
}

static int error_unknown(const char *name)
{
    const char *names[COMMAND_COUNT + 3] = {"help", "--help", "--version"};
    for (int k = 0; k < COMMAND_COUNT; k++)
        names[k + 3] = commands[k].name;
    const char *nearest = spelling_suggestion(name, names, COMMAND_COUNT + 3);
    const char *kind = name[0] == '-' ? "option" : "command";
    if (nearest != NULL)
        return error_wrong("unknown %s \"%s\"; did you mean \"%s\"?", kind, name, nearest);
    return error_wrong("unknown %s \"%s\"; \"rill help\" lists the commands", kind, name);
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stdout);
        return STATUS_DONE;
    }
    const command *chosen = find(argv[1]);
    if (chosen == NULL)
        return error_unknown(argv[1]);
    char flag[] = "--help";
    char *arguments[] = {argv[1], flag, NULL};
    return chosen->run(2, arguments);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return STATUS_WRONG;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("rill %s\n", rill_version());
        return STATUS_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(1, argv + 1);
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1);
    const command *chosen = find(argv[1]);
    return chosen != NULL ? chosen->run(argc - 1, argv + 1) : error_unknown(argv[1]);
}

int main(int argc, char **argv)
{
    const int status = dispatch(argc, argv);
    // A full disk behind standard output is a failure even when all else went well.
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE)
        return error_failed("standard output cannot be written: %s",
                            errno != 0 ? strerror(errno) : "an earlier write failed");
    return status;
}
