// SPDX-License-Identifier: MIT
// near.h - for tests: doubles that are near each other. cmocka's own compares floats.
#pragma once

#include "tests/kit/counting_host.h"

#include <math.h>

#define assert_near(value, expected, error) \
    assert_near_at((double)(value), (double)(expected), (double)(error), __FILE__, __LINE__)

static inline void assert_near_at(double value, double expected, double error, const char *file,
                                  int line)
{
    if (!(fabs(value - expected) <= error)) {
        print_error("%.17g is not within %g of %.17g\n", value, error, expected);
        _fail(file, line);
    }
}
