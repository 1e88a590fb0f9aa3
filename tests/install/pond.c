// SPDX-License-Identifier: MIT
#include <rill/rill.h>
#include <stdio.h>

int main(void)
{
    rill_world_def def = rill_default_world_def();
    rill_world *world = NULL;
    if (rill_world_create(&def, &world) != RILL_OK || rill_world_pour(world, 128, 128, 9, 50, NULL))
        return puts(rill_last_error()), 1;
    for (int frame = 0; frame < 60; frame++)
        rill_world_step(world, 1.0 / 60.0);
    printf("water %.6f m3, error %g\n", rill_world_ledger(world).water,
           rill_world_ledger(world).error);
    rill_world_destroy(&world);
    return 0;
}
