// SPDX-License-Identifier: MIT
#include "render/matrix.h"

void matrix_multiply(const float a[16], const float b[16], float out[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += (double)a[4 * k + row] * (double)b[4 * column + k];
            out[4 * column + row] = (float)sum;
        }
}
