// SPDX-License-Identifier: MIT
// parse_number.h - numbers out of text files, the same in every locale and on every machine.
#pragma once

#include <stdbool.h>

// Text of at most 63 bytes as a number. "nan" is one, "inf" is not. False when it is none.
bool rl_parse_number(const char *text, double *value);
