// SPDX-License-Identifier: MIT
// edges.h - vertices where a surface ends at no column: against a wall, over the edge of an
// overhang, or under a ceiling.
//
// A wet column that is linked to nothing in a neighbouring cell X gets a vertex there, so that its
// surface has no crack. Its kind depends on what X has at the column's level. Against a wall
// (Dagenais section 4.3) columns around X that belong together have one vertex in common: those on
// two sides of X of which both are linked to one column in the cell between them. Over the edge of
// an overhang each column has a lip of its own.
#pragma once

#include "surface/lattice.h"

// The content of X at the level of a column.
typedef enum rl_edge_kind {
    RL_EDGE_WALL,   // solid: the vertex is inside it
    RL_EDGE_LIP,    // air: the liquid drips off
    RL_EDGE_POCKET, // liquid that is higher than the ceiling of the column
} rl_edge_kind;

// A column on one of the four sides of X: lattice point, layer, and the side of X it is on.
typedef struct rl_edge_member {
    int i, j, layer, side;
} rl_edge_member;

typedef struct rl_edge {
    int i, j; // X
    int count;
    rl_edge_member members[4];
    rl_edge_kind kind; // for the first member; a lip has no other
    float span[2];     // elevations of X with that content, metres
    bool closed;       // members on all sides, all joined
    bool shifted;      // the surface of another column ends between it and X
    int adopted;       // layer of a dry column of X whose vertex is used instead, or -1
    int owner;         // the member whose slot the vertex is counted with
} rl_edge;

// The place of the vertex, and the foot and back of its curtain.
typedef struct rl_edge_place {
    float position[3];
    float foot[3];    // of a lip: on the liquid or the floor below
    float back[3];    // of a lip: under the solid, where the back of the curtain begins
    float outward[2]; // horizontal unit vector away from the members, or 0
} rl_edge_place;

// The edge vertex of a slot on a side, as `edge` holds it: its kind, the layer of its owner (or of
// the dry column that is adopted), the side of X that its owner is on, whether a curtain hangs from
// it.
typedef struct rl_edge_code {
    rl_edge_kind kind;
    int layer, side;
    bool adopted, curtain;
} rl_edge_code;

#define RL_NO_EDGE 0xffff

// Bits 0 to 6: layer, 7 and 8: side, 9: adopted, 10: curtain, 11 and 12: kind.
RL_CELL rl_edge_code rl_edge_decode(uint16_t code)
{
    rl_edge_code c;
    c.kind = (rl_edge_kind)(code >> 11 & 3);
    c.layer = code & 127;
    c.side = 2 * (code >> 7 & 3);
    c.adopted = code >> 9 & 1;
    c.curtain = code >> 10 & 1;
    return c;
}

RL_CELL uint16_t rl_edge_encode(rl_edge_code c)
{
    return (uint16_t)((unsigned)c.layer | (unsigned)(c.side / 2) << 7 | (unsigned)c.adopted << 9 |
                      (unsigned)c.curtain << 10 | (unsigned)c.kind << 11);
}

// Returns the number of the vertex of a slot on side `way` among those counted with it, from 1 on;
// if it has a curtain, the foot is the next one, and the back the one after.
RL_CELL unsigned rl_edge_offset(const rl_surface *s, size_t slot, int way)
{
    const unsigned extra = s->extra[slot];
    unsigned offset = 1 + rl_surface_sides_below(s->cut[slot], 8);
    for (int k = 0; k < way / 2; k++)
        offset += (extra >> k & 1u) + 2 * (extra >> (k + 4) & 1u);
    return offset;
}
