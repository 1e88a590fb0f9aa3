// SPDX-License-Identifier: MIT
// swe_device.h - the swe solver in a device's memory: the interface for C. Fields have rows of
// their own pitch, ghosts included; there are two copies of all that a step changes, so that a step
// reads one and writes the other. Functions return 0 or an error whose message rl_device_text()
// returns.
#pragma once

#include "gpu/cuda/mirror/device.h"
#include "solvers/shared/substeps.h"
#include "solvers/swe/swe_border_inline.h"
#include "solvers/swe/swe_rules_inline.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rl_device_swe rl_device_swe;

enum {
    RL_DEVICE_SWE_BED,
    RL_DEVICE_SWE_DEPTH,
    RL_DEVICE_SWE_REMAINDER,
    RL_DEVICE_SWE_U,
    RL_DEVICE_SWE_V,
    RL_DEVICE_SWE_PHI,
    RL_DEVICE_SWE_FIELDS,
    RL_DEVICE_SWE_BEFORE = RL_DEVICE_SWE_FIELDS, // depths before the last step
};

int rl_device_swe_create(int nx, int ny, int bands, const rl_swe_rules *rules, void **out);
void rl_device_swe_destroy(void **swe);

// Copies rows [first, first + count), ghost rows -2, -1, ny and ny + 1, with one ghost on both
// sides. `origin` is cell (0, 0) of the host's field. Copies may be incomplete until
// rl_device_grid_settle().
int rl_device_swe_upload(rl_device_swe *swe, int field, const float *origin, size_t pitch,
                         int first, int count);
int rl_device_swe_download(rl_device_swe *swe, int field, float *origin, size_t pitch, int first,
                           int count);

// Registers memory of the host, so that copies from and to it are faster. A failure has no effect.
void rl_device_swe_lend(void *memory, size_t bytes);
void rl_device_swe_take_back(void *memory);

// Absorbing layers: the profiles per column and per row of rl_swe_absorbing.
typedef struct rl_device_absorb {
    int on, width; // cells
    const float *profile_x, *level_x, *profile_y, *level_y;
} rl_device_absorb;
int rl_device_swe_set_layers(rl_device_swe *swe, const rl_device_absorb *layers);

// Sets the faces that are closed: a bit a face in rows of `words` words, or NULL for none.
int rl_device_swe_set_marks(rl_device_swe *swe, const uint32_t *const marks[2], int words);

// Faces over cliffs. The low bits of `map`, of every cell in rows of nx:
enum {
    RL_FALL_EAST = 1,  // over its eastern face water falls to the east,
    RL_FALL_WEST = 2,  // to the west, into this cell
    RL_FALL_NORTH = 4, // over its northern face to the north,
    RL_FALL_SOUTH = 8, // to the south, into this cell
};
// and above them the number of the first fall into the cell; those into one cell follow each other.
#define RL_FALL_SHIFT 4
struct rl_fall;
int rl_device_swe_set_falls(rl_device_swe *swe, const struct rl_fall *falls, int count,
                            const int *map);
// Replaces only the list, because its volumes have changed.
int rl_device_swe_send_falls(rl_device_swe *swe, const struct rl_fall *falls, int count);
int rl_device_swe_get_falls(rl_device_swe *swe, struct rl_fall *falls, int count);
// Computes the velocities of falls; returns the list in device memory.
int rl_device_swe_move_falls(rl_device_swe *swe, struct rl_fall **falls, int *count);

// Begins the running maxima anew, those of speeds too.
int rl_device_swe_clear_running_max(rl_device_swe *swe);

// Takes deposits to single cells with momentum (gpu/device_ops.h), and returns the largest
// speeds along x and y that they left since the last step; `k` is that of the last step.
struct rl_device_deposits;
int rl_device_swe_give_to_cells(rl_device_swe *swe, const rl_swe_coef *k,
                                const struct rl_device_deposits *deposits);
int rl_device_swe_pushed(rl_device_swe *swe, float pushed[2]);

// The arguments of a step of the world.
typedef struct rl_swe_setup {
    rl_swe_rules rules;
    rl_swe_side side[RILL_SIDE_COUNT];
    float deepest_beyond; // deepest water beyond the borders, metres
} rl_swe_setup;

// Sends what lies beyond incident sides cell by cell (rl_swe.along; NULL: it has not changed), and
// makes the sides that have it point to the device's copy.
int rl_device_swe_set_along(rl_device_swe *swe, const float *along,
                            rl_swe_side side[RILL_SIDE_COUNT]);

// Takes as many substeps as are needed to bring controller.left to 0. `largest` is that of the
// whole grid before, without deposits since the last step; and after. The volumes that cross the
// borders are added.
typedef struct rl_device_swe_advance {
    rl_substeps controller;
    rl_swe_largest largest;
    double in, out, corrected; // m^3
} rl_device_swe_advance;
int rl_device_swe_step(rl_device_swe *swe, const rl_swe_setup *setup,
                       rl_device_swe_advance *advance);

// Makes velocities for other modules on the device (gpu/device_ops.h, mirror.h).
struct rl_device_columns;
int rl_device_swe_columns(void *swe, float wet_depth, struct rl_device_columns *columns);

#ifdef __cplusplus
}
#endif
