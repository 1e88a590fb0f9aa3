// SPDX-License-Identifier: MIT
// sun_map.c - makes the textures and matrices of shadow maps.
#include "render/ground/sun_map.h"

#include <math.h>
#include <stdbool.h>

static void normalise(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

void sun_map_axes(const float sun[3], double axes[3][3])
{
    for (int k = 0; k < 3; k++)
        axes[2][k] = (double)sun[k];
    normalise(axes[2]);
    const bool upright = fabs(axes[2][2]) > 0.999;
    axes[0][0] = upright ? 1.0 : -axes[2][1];
    axes[0][1] = upright ? 0.0 : axes[2][0];
    axes[0][2] = 0.0;
    normalise(axes[0]);
    axes[1][0] = axes[2][1] * axes[0][2] - axes[2][2] * axes[0][1];
    axes[1][1] = axes[2][2] * axes[0][0] - axes[2][0] * axes[0][2];
    axes[1][2] = axes[2][0] * axes[0][1] - axes[2][1] * axes[0][0];
}

void sun_map_row(const double axis[3], int row, double middle, double half, float matrix[16])
{
    const double sign = row == 2 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        matrix[4 * k + row] = (float)(sign * axis[k] / half);
    matrix[12 + row] = (float)(-sign * middle / half);
    for (int k = 0; k < 4; k++)
        matrix[4 * k + 3] = k == 3 ? 1.0f : 0.0f;
}

void sun_map_begin(GLuint target, int side)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, side, side);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 4.0f);
}

void sun_map_end(void)
{
    glDisable(GL_POLYGON_OFFSET_FILL);
}
