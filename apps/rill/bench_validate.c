// SPDX-License-Identifier: MIT
// bench_validate.c - `rill bench` and `rill validate`: parses the arguments; the work is done in
// bench/ and validation/.
#include "apps/rill/command.h"
#include "apps/rill/options.h"
#include "apps/rill/play.h"

#include "bench/bench.h"
#include "validation/validation.h"

// Parses the arguments of either command; *names must be freed. Returns STATUS_DONE and sets *go
// when there is work to do.
static int parse(const option_syntax *syntax, int argc, char **argv, option_list *names, bool *go)
{
    const option_result result = options_parse(syntax, argc, argv, names);
    *go = result == OPTIONS_GO;
    return result == OPTIONS_GO || result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
}

int command_bench(int argc, char **argv)
{
    bench_options chosen = {0};
    const char *backend = "cpu";
    const option options[] = {
        {"json", 0, OPTION_FLAG, NULL, "Print a JSON array, an object a row.", &chosen.json, 0, 0},
        play_backend_option(&backend),
    };
    const option_syntax syntax = {
        .command = "bench",
        .summary =
            "Measures the speed of the water and prints it beside the papers' own figures and "
            "this\nmachine's memory speed.",
        .operands = "[NAME...]",
        .most = -1,
        .more =
            "With names, the rows whose name contains one of them; without, all rows. On a GPU\n"
            "there are rows of the solvers that run there, beside the speed of its\n"
            "memory.",
        .options = options,
        .option_count = 2,
    };
    option_list names;
    bool go;
    int status = parse(&syntax, argc, argv, &names, &go);
    if (go)
        status = play_find_backend(backend, &chosen.backend);
    if (go && status == STATUS_DONE) {
        chosen.names = names.items;
        chosen.name_count = names.count;
        status = bench_run(&chosen, stdout);
    }
    options_free_list(&names);
    return status;
}

int command_validate(int argc, char **argv)
{
    validation_options chosen = {0};
    const option options[] = {
        {"json", 0, OPTION_FLAG, NULL, "Print a JSON array, an object a row.", &chosen.json, 0, 0},
        {"report", 0, OPTION_TEXT, "FILE", "Write an HTML report with plots.", &chosen.report, 0,
         0},
    };
    const option_syntax syntax = {
        .command = "validate",
        .summary = "Compares the water with exact solutions: errors and convergence orders, each "
                   "beside the\nbound it must keep.",
        .operands = "[NAME...]",
        .most = -1,
        .more = "With names, the rows whose name contains one of them; without, all rows.\n"
                "Exit status: 0 when all rows keep their bounds, 1 when one does not.",
        .options = options,
        .option_count = 2,
    };
    option_list names;
    bool go;
    int status = parse(&syntax, argc, argv, &names, &go);
    if (go) {
        chosen.names = names.items;
        chosen.name_count = names.count;
        status = validation_run(&chosen, stdout);
    }
    options_free_list(&names);
    return status;
}
