// SPDX-License-Identifier: MIT
// plot.h - draws plots as SVG text, to be read on a screen and on paper.
#pragma once

#include "validation/cases.h"

#include <stdio.h>

// Style of a series. Lines are dark, points coloured and of different forms, so that a plot
// survives a printer without colour.
typedef enum validation_mark {
    VALIDATION_MARK_LINE,
    VALIDATION_MARK_DASHES,
    VALIDATION_MARK_POINTS,
    VALIDATION_MARK_JOINED, // points with a line through them
    VALIDATION_MARK_GROUND
} validation_mark;

typedef struct validation_series {
    validation_mark mark;
    int colour; // of the palette; for points also their shape
    const char *label;
    int count;
    const double *x, *y; // NaN leaves a gap
} validation_series;

typedef struct validation_axes {
    const char *x_name, *y_name;
    bool logarithmic;      // both axes
    const double *x_ticks; // where to put them, or none for round numbers
    int x_tick_count;
} validation_axes;

// Writes an <svg> element with a legend above. Text is escaped.
void validation_draw_svg(FILE *file, const validation_axes *axes, const validation_series *series,
                         int count);

// Writes text with the characters that mean something to HTML escaped.
void validation_write_escaped(FILE *file, const char *text);
