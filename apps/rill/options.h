// SPDX-License-Identifier: MIT
// options.h - parses arguments by a table. A command lists its options with the places their values
// go to; the same table checks what was typed and prints the help.
//
// Long options are written --name value or --name=value, short ones -n value or -nvalue. Options
// and operands may be mixed; "--" ends the options. Every command has --help and -h.
#pragma once

#include <stdbool.h>

typedef enum option_kind {
    OPTION_FLAG,   // no value; `into` is a bool
    OPTION_TEXT,   // `into` is a const char *
    OPTION_NUMBER, // a finite decimal number from `least` to `most`; `into` is a double
    OPTION_COUNT,  // a whole number from `least` to `most`; `into` is an int
    OPTION_SIZE,   // WIDTHxHEIGHT, each from `least` to `most`; `into` is an int[2]
    OPTION_LIST,   // may be given again and again; `into` is an option_list
} option_kind;

// Texts in the order they were typed. They belong to argv, the array to the list.
typedef struct option_list {
    const char **items;
    int count;
} option_list;

typedef struct option {
    const char *name; // without dashes
    char letter;      // 0: has no short form
    option_kind kind;
    const char *value; // what help calls the value; NULL for a flag
    const char *help;
    void *into;
    double least, most; // of numbers
} option;

typedef struct option_syntax {
    const char *command;
    const char *summary;  // one line
    const char *operands; // as shown in help: "SCENE", "[NAME...]", ""
    const char *operand;  // one of them, as messages call it: "a scene"
    int least, most;      // operands; most < 0: any number
    const char *more;     // paragraphs below the options in help, or NULL
    const option *options;
    int option_count;
} option_syntax;

typedef enum option_result {
    OPTIONS_GO,
    OPTIONS_HELPED, // help was asked for and printed
    OPTIONS_WRONG,  // a message was printed
} option_result;

// Reads argv[1..argc). Operands come back in `operands`, which, like every list, the caller frees
// with options_free_list with any result.
option_result options_parse(const option_syntax *syntax, int argc, char **argv,
                            option_list *operands);

void options_free_list(option_list *list);
