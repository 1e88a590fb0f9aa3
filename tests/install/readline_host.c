// SPDX-License-Identifier: MIT
// readline_host.c - a program that links GNU readline and Rill: both have inner functions whose
// names begin with rl_, and each must get its own.
#include <stdio.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>
#include <rill/rill.h>

int main(void)
{
    int ends[2]; // what is typed comes out of a pipe
    if (pipe(ends) != 0 || write(ends[1], "pour\n", 5) != 5)
        return 1;
    rl_instream = fdopen(ends[0], "r");
    rl_outstream = fopen("/dev/null", "w");
    rill_world_def def = rill_default_world_def();
    rill_world *world = NULL;
    if (rill_world_create(&def, &world) != RILL_OK || rill_world_pour(world, 128, 128, 9, 50, NULL))
        return puts(rill_last_error()), 1;
    char *line = readline("> ");
    add_history(line);
    rill_world_step(world, 1.0 / 60.0);
    printf("line %s, water %.6f m3\n", line, rill_world_ledger(world).water);
    rl_free(line);
    clear_history();
    rill_world_destroy(&world);
    return 0;
}
