// SPDX-License-Identifier: MIT
// matrix.h - four by four matrices, column-major as OpenGL takes them.
#pragma once

// out = a b. `out` may not be a or b.
void matrix_multiply(const float a[16], const float b[16], float out[16]);
