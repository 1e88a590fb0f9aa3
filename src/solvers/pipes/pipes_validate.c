// SPDX-License-Identifier: MIT
// pipes_validate.c - what holds between the steps of the pipes solver.
#include "solvers/pipes/pipes.h"

#include "solvers/shared/grid_solver.h"

#include <float.h>
#include <string.h>

#define NAME "pipes"

static const char *validate_row(const rl_pipes *s, int y)
{
    const float *qx = rill_field_row(&s->qx, y);
    const float deepest = s->running_max[y] > s->max_depth ? s->running_max[y] : s->max_depth;
    const rl_validate_row row = {
        .solver = NAME,
        .row = y,
        .end = s->nx,
        .depth = rill_field_row(&s->depth, y),
        .remainder = rill_field_row(&s->remainder, y),
        .deepest = deepest,
        .largest_remainder = RL_VALIDATE_ROUNDINGS * (deepest + (float)s->cell_size),
    };
    const char *wrong = rl_validate_row_of(&row);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "bed", y, rill_field_row(&s->bed, y), s->nx, RL_FAR / 2);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "qx", y, qx - 1, s->nx + 1, FLT_MAX);
    if (wrong == NULL)
        wrong = rl_validate_values(NAME, "qy", y, rill_field_row(&s->qy, y), s->nx, FLT_MAX);
    if (wrong == NULL && (qx[-2] != qx[-1] || qx[s->nx] != qx[s->nx - 1]))
        return RL_INVALID(NAME ": the discharges beyond row %d are not those at its ends", y);
    return wrong;
}

// Ghost cells are what the borders make them, and nothing flows through walls.
static const char *validate_side(const rl_pipes *s, rill_side side)
{
    const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
    for (int n = 0; n < (column ? s->ny : s->nx); n++) {
        const int i = side == RILL_SIDE_WEST ? -1 : side == RILL_SIDE_EAST ? s->nx : n;
        const int y = side == RILL_SIDE_SOUTH ? -1 : side == RILL_SIDE_NORTH ? s->ny : n;
        const rl_ghost ghost = rl_pipes_ghost(s, side, n);
        if (rill_field_row(&s->bed, y)[i] != ghost.bed ||
            rill_field_row(&s->depth, y)[i] != ghost.depth)
            return RL_INVALID(NAME ": ghost %d of side %d is not what its border says", n, side);
    }
    if (rl_pipes_is_open(s, side))
        return NULL;
    if (column)
        return rl_validate_closed(NAME, "qx", -1,
                                  &s->qx.origin[side == RILL_SIDE_WEST ? -1 : s->nx - 1],
                                  (ptrdiff_t)s->qx.pitch, s->ny);
    const int y = side == RILL_SIDE_SOUTH ? -1 : s->ny - 1;
    return rl_validate_closed(NAME, "qy", y, rill_field_row(&s->qy, y), 1, s->nx);
}

// Lines that are not marked have nothing blocked.
static const char *validate_blocks(const rl_pipes *s, int y)
{
    const rl_pipes_block_row row = rl_pipes_block_row_of(s, y, NULL);
    const float *bed = rill_field_row(&s->bed, y);
    for (int i = 0; i < s->nx; i++)
        if (!rl_pipes_lines(s, y)[i / RL_PIPES_LINE] &&
            (row.floor[i] != bed[i] || row.lower[i] != RL_BLOCK_NO_LOWER))
            return RL_INVALID(NAME ": cell (%d, %d) is blocked in a line without a mark", i, y);
    return NULL;
}

const char *rl_pipes_validate(void *self)
{
    const rl_pipes *s = self;
    const char *wrong = NULL;
    for (int y = 0; y < s->ny && wrong == NULL; y++) {
        wrong = validate_row(s, y);
        if (wrong == NULL && s->blocks != NULL)
            wrong = validate_blocks(s, y);
    }
    for (int side = 0; side < RILL_SIDE_COUNT && wrong == NULL; side++)
        wrong = validate_side(s, (rill_side)side);
    for (int n = 0; n < s->band_count && wrong == NULL; n++)
        if (s->bands[n].y0 != (n > 0 ? s->bands[n - 1].y1 : 0) || s->bands[n].y1 > s->ny)
            wrong = RL_INVALID(NAME ": band %d does not begin where the one before ends", n);
    if (wrong == NULL && !rl_pipes_halos_are_right(s))
        wrong = RL_INVALID(NAME ": a halo is not a copy of its rows");
    return wrong;
}
