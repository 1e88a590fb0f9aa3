// SPDX-License-Identifier: MIT
// sources.h - where water comes from and goes to: springs, drains, rain, evaporation. All of it is
// applied once a rill_world_step and booked in the ledger with what was really given or taken.
#pragma once

#include "rill/base.h"
#include "rill/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A spring or drain of a world. All-zero is the null id; stale ids are detected.
typedef struct rill_source_id {
    uint32_t index1;
    uint32_t generation;
} rill_source_id;

/// A round place where water comes out of the ground or vanishes into it: a spring, a wound, a tap,
/// a suction tip. Start from rill_default_source_def().
typedef struct rill_source_def {
    double x, y; ///< Centre, metres, inside the world.
    double
        radius;  ///< Metres, not negative; below half a cell it means the nearest cell. Default 0.
    double rate; ///< m^3/s; positive is a spring, negative a drain, which takes at most what is
                 ///< there. Default 0.
    double start, end; ///< Active while start <= time < end, seconds. Default 0 and infinity.
    /// Elevation, metres: in a world of several layers each cell gives it to (or takes it from) the
    /// column that holds this elevation, or else the next one below. Cells that have neither, up to
    /// a radius above it, are passed over. Default infinity: the column that is open to the sky.
    double z;
    /// Beats per second and how much of the rate they carry, 0 to 1: the rate swings between (1 -
    /// pulse_depth) and (1 + 5/3 pulse_depth) times itself, as blood from an artery; its mean
    /// stays. Default 0 and 0: steady.
    double pulse, pulse_depth;
    /// Where it goes: between keys in a straight line, before the first and after the last it
    /// rests. Times must rise. Replaces x, y and z when there is more than none. Default 0 keys.
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int path_count;
} rill_source_def;

RILL_API rill_source_def rill_default_source_def(void);

/// Adds a source. Fails when max_sources of the world's definition are there already.
RILL_API rill_status rill_world_add_source(rill_world *world, const rill_source_def *def,
                                           rill_source_id *out);

/// Changes a source: move it, open and close it.
RILL_API rill_status rill_world_set_source(rill_world *world, rill_source_id id,
                                           const rill_source_def *def);

/// Removes a source; its id is stale from then on.
RILL_API rill_status rill_world_remove_source(rill_world *world, rill_source_id id);

/// Rain at one moment.
typedef struct rill_rain_frame {
    double time; ///< Seconds; frames must be in rising order.
    double rate; ///< m/s, the same everywhere, not negative (1 mm/h is 2.78e-7).
    /// m/s per cell in addition to `rate`, not negative; nx x ny values, copied. data == NULL:
    /// none.
    rill_field_view field;
} rill_rain_frame;

/// Replaces the rain. Between frames it changes linearly; before the first and after the last it
/// stays as they are. No frames: no rain. Takes memory for the fields here, not in a step.
RILL_API rill_status rill_world_set_rain(rill_world *world, const rill_rain_frame *frames,
                                         int count);

/// Sets the water that every wet column loses to the air, m/s, not negative.
RILL_API rill_status rill_world_set_evaporation(rill_world *world, double rate);

#ifdef __cplusplus
}
#endif
