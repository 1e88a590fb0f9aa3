// SPDX-License-Identifier: MIT
// command.h - the commands of `rill`. Each gets its own arguments, its name among them as argv[0],
// and returns the exit status of the program.
#pragma once

// Exit statuses of the program.
#define STATUS_DONE   0
#define STATUS_FAILED 1
#define STATUS_WRONG  2 // wrong usage or bad input

int command_list(int argc, char **argv);
int command_run(int argc, char **argv);
int command_render(int argc, char **argv);
int command_view(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_validate(int argc, char **argv);
int command_info(int argc, char **argv);
