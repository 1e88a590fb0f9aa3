// SPDX-License-Identifier: MIT
// world_edit.c - changing the ground of a running world.
#include "terrain/brush.h"
#include "world/world.h"

rill_status rill_world_edit_terrain(rill_world *world, const rill_brush *brush)
{
    if (world == NULL || brush == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "a terrain edit needs a world and a brush, one is NULL");
    if ((unsigned)brush->kind > RILL_BRUSH_SMOOTH)
        return rl_fail(RILL_BAD_ARGUMENT, "brush kind %d does not exist", (int)brush->kind);
    static const rl_brush_kind kinds[] = {[RILL_BRUSH_RAISE] = RL_BRUSH_RAISE,
                                          [RILL_BRUSH_LOWER] = RL_BRUSH_LOWER,
                                          [RILL_BRUSH_SMOOTH] = RL_BRUSH_SMOOTH};
    const rl_field *bed = world->ops->bed(world->solver);
    const rl_brush_bed ground = {.origin = bed->origin,
                                 .pitch = bed->pitch,
                                 .nx = bed->nx,
                                 .ny = bed->ny,
                                 .cell_size = (double)world->def.cell_size};
    const rl_brush tool = {.kind = kinds[brush->kind],
                           .x = (double)brush->x,
                           .y = (double)brush->y,
                           .radius = (double)brush->radius,
                           .amount = (double)brush->amount};
    rl_brush_cells touched;
    const rill_status status = rl_brush_apply(&tool, &ground, world->brush_scratch, &touched);
    if (status == RILL_OK)
        world->ops->bed_changed(world->solver);
    return status;
}
