// SPDX-License-Identifier: MIT
// view_box.h - tests boxes against the view of a camera.
#pragma once

#include <math.h>
#include <stdbool.h>

// Returns true when all corners of a box are beyond the same plane of the view. The far plane is
// not tested.
static inline bool view_box_outside(const double low[3], const double high[3], const float m[16])
{
    int beyond[5] = {0};
    for (int k = 0; k < 8; k++) {
        const double p[3] = {k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1],
                             k & 4 ? high[2] : low[2]};
        double clip[4];
        for (int row = 0; row < 4; row++)
            clip[row] = (double)m[row] * p[0] + (double)m[4 + row] * p[1] +
                        (double)m[8 + row] * p[2] + (double)m[12 + row];
        beyond[0] += clip[0] > clip[3];
        beyond[1] += clip[0] < -clip[3];
        beyond[2] += clip[1] > clip[3];
        beyond[3] += clip[1] < -clip[3];
        beyond[4] += clip[2] < -clip[3];
    }
    for (int plane = 0; plane < 5; plane++)
        if (beyond[plane] == 8)
            return true;
    return false;
}

// Computes the distances from `eye` to the nearest and to the farthest point of a box.
static inline void view_box_distances(const double low[3], const double high[3],
                                      const double eye[3], double *nearest, double *farthest)
{
    double near = 0.0, far = 0.0;
    for (int k = 0; k < 3; k++) {
        const double below = low[k] - eye[k], above = eye[k] - high[k];
        const double away = fmax(fmax(below, above), 0.0), most = -fmin(below, above);
        near += away * away;
        far += most * most;
    }
    *nearest = sqrt(near);
    *farthest = sqrt(far);
}
