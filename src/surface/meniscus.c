// SPDX-License-Identifier: MIT
// meniscus.c - the meniscus of all vertices of a mesh (Dagenais section 5.1).
//
// Distances to the nearest boundary column are found by dead reckoning (Dagenais section 5.1, after
// Grevera): wet columns that are linked to a dry one or that are beside a wall form the first ring;
// then, step by step inwards, a column takes over the boundary column of a linked one where that is
// a shorter way, with its own straight distance to it. There are as many steps as the meniscus is
// long. Only columns beside some that changed in the last step are visited.
//
// The boundary is half a cell before the centre of the boundary column (erratum 18 to Dagenais).
// Walls of the world are boundaries too; shore_slope_inline.h has the tilt of all other ones, and
// shore_line_inline.h the distance to the shore on a slope.
#include "core/assert.h"
#include "surface/meniscus_inline.h"

#include <math.h>
#include <string.h>

// ---- First ring --------------------------------------------------------------------------

static void ring_row(const rl_surface *s, int j, int layer)
{
    const size_t at = rl_surface_at(s, 0, j, layer);
    memset(s->moved[0] + at, 0, (size_t)s->nx);
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    for (int i = row.first; i < row.end; i++)
        if (s->wet[at + (size_t)i])
            rl_meniscus_first_ring(s, i, j, layer);
}

// ---- Steps inwards -----------------------------------------------------------------------

static void beside_moved(uint8_t *restrict any, const uint8_t *restrict south,
                         const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++)
        any[i] = south[i - 1] | south[i] | south[i + 1] | here[i - 1] | here[i] | here[i + 1] |
                 north[i - 1] | north[i] | north[i + 1];
}

static void step_row(const rl_surface *s, int j, int layer)
{
    RL_ASSERT(j >= 0 && j < s->ny);
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    if (row.end == 0)
        return;
    const size_t at = rl_surface_at(s, row.first, j, layer);
    const int n = row.end - row.first;
    const uint8_t *moved = s->moved[0] + at;
    uint8_t *any = s->below + (size_t)((j + 1) / RL_SURFACE_TILE_ROWS) * s->pitch; // of its tile
    memset(s->moved[1] + at, 0, (size_t)n);
    beside_moved(any, moved - s->pitch, moved, moved + s->pitch, n);
    for (int i = 0; i < n; i++)
        if (s->wet[at + (size_t)i] && (any[i] || s->crossed[at + (size_t)i] == RL_CROSSED_WET))
            rl_meniscus_reckon(s, row.first + i, j, layer);
}

static void settle_row(const rl_surface *s, int j, int layer)
{
    RL_ASSERT(s->moved[0] != NULL && s->moved[1] != NULL);
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    if (row.end == 0)
        return;
    const size_t first = rl_surface_at(s, row.first, j, layer);
    const size_t n = (size_t)(row.end - row.first);
    for (size_t slot = first; slot < first + n; slot++) {
        if (!s->moved[1][slot])
            continue;
        s->shore_at[0][slot] = s->shore_at[1][slot];
        s->shore_distance[0][slot] = s->shore_distance[1][slot];
    }
    memcpy(s->moved[0] + first, s->moved[1] + first, n);
}

// ---- Vertices ----------------------------------------------------------------------------

static void vertices_row(const rl_surface *s, int j, int layer)
{
    const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
    for (int i = drawn.first; i < drawn.end; i++)
        if (s->corner[rl_surface_at(s, i, j, layer)] & RL_CORNER_USED)
            rl_meniscus_put_point(s, i, j, layer);
}

void rl_surface_find_meniscus(rl_surface *s, rl_surface_runner runner)
{
    RL_ASSERT(s->meniscus != NULL && s->def.meniscus_length > 0.0f);
    rl_surface_for_rows(s, runner, ring_row, 0);
    for (int k = rl_meniscus_steps(s); k > 0; k--) {
        rl_surface_for_rows(s, runner, step_row, 0);
        rl_surface_for_rows(s, runner, settle_row, 0);
    }
    rl_surface_for_rows(s, runner, vertices_row, 1);
}

// ---- Normals -----------------------------------------------------------------------------

// Tilts a normal towards or away from a wall (Dagenais sections 5.2 and 5.3, docs/meniscus.md).
// Shaders do the same, line by line; it needs no iteration and only sin, cos, atan and sqrt.
//
// With e the horizontal unit vector towards the wall and p the one across it, the tilt turns the
// part of the normal in the plane of e and up, and leaves its part along p:
//
//     n(t) = (n_e cos t - n_z sin t) e + (n_z cos t + n_e sin t) up + n_p p
//
// so that up itself becomes cos t up - sin t e: positive t leans away from the wall.

// Returns the tilt at the boundary. A concave meniscus (angle >= 0) is seen as it is. A convex one
// hides its own foot: the last visible point is the silhouette, where the normal is across the view
// v. With s = -t,
//
//     n(s) . v = c + a cos s - b sin s = c + r cos(s + f),    r^2 = a^2 + b^2, tan f = b / a
//
// is not negative up to s = acos(-c / r) - f, and for all s where c >= r.
static float boundary_tilt(float angle, float n_e, float n_p, float n_z, float v_e, float v_p,
                           float v_z)
{
    const float a = n_e * v_e + n_z * v_z, b = n_e * v_z - n_z * v_e, c = n_p * v_p;
    const float rest = a * a + b * b - c * c; // r^2 - c^2
    if (angle >= 0.0f)
        return angle;
    if (rest <= 0.0f) // all or nothing of it is visible
        return c >= 0.0f ? angle : 0.0f;
    const float visible = atan2f(sqrtf(rest), -c) - atan2f(b, a);
    return -fminf(-angle, fmaxf(visible, 0.0f));
}

void rl_meniscus_normal(const float normal[3], const rill_meniscus *meniscus, const float to_eye[3],
                        float out[3])
{
    RL_ASSERT(normal != NULL && meniscus != NULL && out != NULL);
    const float dx = meniscus->direction[0], dy = meniscus->direction[1];
    const float x = normal[0], y = normal[1], z = normal[2];
    const float far = sqrtf(dx * dx + dy * dy);
    out[0] = x;
    out[1] = y;
    out[2] = z;
    if (!(far > 0.0f))
        return;

    const float e_x = dx / far, e_y = dy / far;
    const float n_e = x * e_x + y * e_y, n_p = y * e_x - x * e_y;
    float tilt = meniscus->angle;
    if (to_eye != NULL)
        tilt = boundary_tilt(tilt, n_e, n_p, z, to_eye[0] * e_x + to_eye[1] * e_y,
                             to_eye[1] * e_x - to_eye[0] * e_y, to_eye[2]);
    tilt *= meniscus->weight;

    const float t_e = n_e * cosf(tilt) - z * sinf(tilt), t_z = z * cosf(tilt) + n_e * sinf(tilt);
    const float size = sqrtf(t_e * t_e + n_p * n_p + t_z * t_z);
    if (!(size > 0.0f))
        return;
    out[0] = (t_e * e_x - n_p * e_y) / size;
    out[1] = (t_e * e_y + n_p * e_x) / size;
    out[2] = t_z / size;
}
