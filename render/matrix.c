// SPDX-License-Identifier: MIT
#include "render/matrix.h"

#include <math.h>
#include <string.h>

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

// Gauss and Jordan on [m | 1], with the largest pivot of each column.
void matrix_invert(const float m[16], float out[16])
{
    double rows[4][8] = {{0}};
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++)
            rows[r][c] = (double)m[4 * c + r];
        rows[r][4 + r] = 1.0;
    }
    for (int c = 0; c < 4; c++) {
        int pivot = c;
        for (int r = c + 1; r < 4; r++)
            pivot = fabs(rows[r][c]) > fabs(rows[pivot][c]) ? r : pivot;
        if (rows[pivot][c] == 0.0) {
            memset(out, 0, 16 * sizeof *out);
            return;
        }
        for (int k = 0; k < 8; k++) {
            const double swapped = rows[c][k];
            rows[c][k] = rows[pivot][k];
            rows[pivot][k] = swapped;
        }
        const double scale = 1.0 / rows[c][c];
        for (int k = 0; k < 8; k++)
            rows[c][k] *= scale;
        for (int r = 0; r < 4; r++) {
            const double factor = r == c ? 0.0 : rows[r][c];
            for (int k = 0; k < 8; k++)
                rows[r][k] -= factor * rows[c][k];
        }
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            out[4 * c + r] = (float)rows[r][4 + c];
}
