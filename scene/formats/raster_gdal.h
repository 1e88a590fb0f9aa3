// SPDX-License-Identifier: MIT
// raster_gdal.h - common parts of the reader and the writer with GDAL. Only for builds that have
// it.
#pragma once

#include "rill/base.h"

// Around every use of GDAL: registers its drivers the first time and keeps it from writing to the
// host's standard error. Any thread may use GDAL between its own begin and end.
void rl_gdal_begin(void);
void rl_gdal_end(void);

// Fails with what GDAL said last, as one sentence after the path.
rill_status rl_gdal_fail(rill_status status, const char *path);

// The widest raster in degrees that is laid on a plane: two zones of UTM.
#define RL_GDAL_WIDEST_DEGREES 12.0

// A raster in degrees as one in metres: in the zone of UTM that its middle lies in, with square
// pixels, bilinear, read when it is read; to be closed before `source` (a GDALDatasetH). NULL: it
// is not in degrees, or lies near a pole, or is too wide.
void *rl_gdal_in_metres(void *source);
