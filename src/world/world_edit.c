// SPDX-License-Identifier: MIT
// world_edit.c - changing the ground of a running world.
#include "terrain/heightfield.h"
#include "world/world_internal.h"

rill_status rill_world_edit_terrain(rill_world *world, const rill_brush *brush)
{
    if (world == NULL || brush == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a terrain edit needs a world and a brush, one is NULL");
    const rill_field *bed = world->ops->bed(world->solver);
    if (bed == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "this world stands on a solid, which rill_world_combine "
                         "changes, and not on a bed");
    const rl_brush_bed ground = {.origin = bed->origin,
                                 .pitch = bed->pitch,
                                 .nx = world->def.nx,
                                 .ny = world->def.ny,
                                 .cell_size = (double)world->def.cell_size};
    RILL_TRY(rl_brush_check(brush));
    rl_world_bodies_settle(world);
    rl_brush_cells touched;
    rill_status status = rl_brush_apply(brush, &ground, world->brush_scratch, &touched);
    if (status == RILL_OK) {
        world->ops->bed_changed(world->solver);
        rl_world_bodies_changed(world);
        status = rl_world_river_ground_changed(world);
    }
    return status;
}
