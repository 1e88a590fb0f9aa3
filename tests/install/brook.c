// SPDX-License-Identifier: MIT
// brook.c - a stranger's program that opens a built-in scene through the scene library.
#include <rill/rill.h>
#include <stdio.h>

int main(void)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    if (rill_scene_open("lake-at-rest", NULL, 0, NULL, &scene) != RILL_OK ||
        rill_scene_create_world(scene, 1, &world) != RILL_OK)
        return puts(rill_last_error()), 1;
    rill_world_step(world, 1.0 / 60.0);
    printf("scene %s, error %g\n", rill_scene_describe(scene).name, rill_world_ledger(world).error);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return 0;
}
