// SPDX-License-Identifier: MIT
// solid_surface_cases.c - derives the cases of marching cubes.
//
// On each face of a cube, walk around its four corners. The surface cuts the edges where solid
// turns into air and where air turns into solid; it crosses the face from the second cut of every
// stretch of air to its first. A face with two solid corners opposite each other thus leaves the
// solid connected: a wall that runs diagonally stays tight, as it is for the water. Both cubes at a
// face see the same corners and draw the same lines, so no crack can open between them.
//
// Every cut belongs to two faces and is the end of a line in one and the beginning in the other:
// the lines join to loops. Loops are cut into triangles. A triangle's side within the loop must not
// lie in a face of the cube, where the neighbour could have the same one and four triangles would
// meet.
#include "terrain/sdf/solid_surface_brick.h"

#include <stdbool.h>
#include <string.h>

#define NOWHERE 255

// Returns the edge between two corners that differ in one axis.
static int edge_between(int a, int b)
{
    RL_ASSERT(a != b);
    const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    const int low = a & b, below = (1 << axis) - 1;
    return 4 * axis + ((low & below) | (low & ~below) >> 1);
}

// Returns corner n of a face, counter-clockwise seen from outside the cube.
static int face_corner(int face, int n)
{
    const int axis = face >> 1, side = face & 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int turned = side ? n : 3 - n;
    const int along_u = turned == 1 || turned == 2, along_v = turned >= 2;
    return side << axis | along_u << u | along_v << v;
}

// Returns the bits of the two faces that an edge belongs to.
static unsigned faces_of(int edge)
{
    const int axis = edge / 4, corner = rl_cube_edge_corner(edge);
    unsigned faces = 0;
    for (int a = 0; a < 3; a++)
        if (a != axis)
            faces |= 1u << (2 * a + (corner >> a & 1));
    return faces;
}

// next[e]: the cut that follows cut e on its loop.
static void link_cuts(unsigned solid, uint8_t next[RL_CUBE_EDGES])
{
    memset(next, NOWHERE, RL_CUBE_EDGES);
    for (int face = 0; face < 6; face++)
        for (int n = 0; n < 4; n++) {
            const int from = face_corner(face, n), to = face_corner(face, (n + 1) % 4);
            if (!(solid >> from & 1) || (solid >> to & 1))
                continue; // only where solid turns into air
            int end = (n + 1) % 4;
            while (!(solid >> face_corner(face, (end + 1) % 4) & 1))
                end = (end + 1) % 4;
            const int back = edge_between(face_corner(face, end), face_corner(face, (end + 1) % 4));
            next[back] = (uint8_t)edge_between(from, to);
        }
}

// Finds the best way to cut a loop of `count` edges into triangles: split[a][b] is the third corner
// of the triangle on side a-b of the polygon a, a + 1, ..., b.
typedef struct cutting {
    const uint8_t *loop;
    int split[RL_CUBE_EDGES][RL_CUBE_EDGES];
} cutting;

static void find_cutting(cutting *c, int count)
{
    RL_ASSERT(count >= 0 && count <= RL_CUBE_EDGES);
    int cost[RL_CUBE_EDGES][RL_CUBE_EDGES] = {{0}};
    for (int width = 2; width < count; width++)
        for (int a = 0; a + width < count; a++) {
            const int b = a + width;
            int best = 1000;
            for (int m = a + 1; m < b; m++) {
                if (cost[a][m] + cost[m][b] < best) {
                    best = cost[a][m] + cost[m][b];
                    c->split[a][b] = m;
                }
            }
            const bool whole = width == count - 1; // a side of the loop, no cut
            const bool in_face = (faces_of(c->loop[a]) & faces_of(c->loop[b])) != 0;
            cost[a][b] = best + (!whole && in_face ? 1 : 0);
        }
}

static void write_triangles(const cutting *c, int a, int b, rl_cube_case *out)
{
    if (b - a < 2)
        return;
    RL_ASSERT(out->count < 10);
    const int m = c->split[a][b];
    uint8_t *edges = &out->edges[3 * out->count++];
    edges[0] = c->loop[a];
    edges[1] = c->loop[m];
    edges[2] = c->loop[b];
    write_triangles(c, a, m, out);
    write_triangles(c, m, b, out);
}

void rl_cube_cases_build(rl_cube_case cases[RL_CUBE_CASES])
{
    for (unsigned solid = 0; solid < RL_CUBE_CASES; solid++) {
        uint8_t next[RL_CUBE_EDGES], loop[RL_CUBE_EDGES];
        link_cuts(solid, next);
        memset(&cases[solid], 0, sizeof cases[solid]);
        for (int first = 0; first < RL_CUBE_EDGES; first++) {
            int count = 0;
            for (int edge = first; next[edge] != NOWHERE;) {
                loop[count++] = (uint8_t)edge;
                const int after = next[edge];
                next[edge] = NOWHERE; // every cut is on one loop
                edge = after;
            }
            cutting c = {.loop = loop, .split = {{0}}};
            find_cutting(&c, count);
            write_triangles(&c, 0, count - 1, &cases[solid]);
        }
    }
}
