// SPDX-License-Identifier: MIT
// meniscus_normal.c - tilts a normal towards or away from a wall (Dagenais sections 5.2 and 5.3,
// docs/meniscus.md). Shaders do the same, line by line; it needs no iteration and only sin, cos,
// atan and sqrt.
//
// With e the horizontal unit vector towards the wall and p the one across it, the tilt turns the
// part of the normal in the plane of e and up, and leaves its part along p:
//
//     n(t) = (n_e cos t - n_z sin t) e + (n_z cos t + n_e sin t) up + n_p p
//
// so that up itself becomes cos t up - sin t e: positive t leans away from the wall.
#include "surface/surface_internal.h"

#include "core/assert.h"

#include <math.h>

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
