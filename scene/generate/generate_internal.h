// SPDX-License-Identifier: MIT
// generate_internal.h - what the files that generate terrains share. Nothing but + - * /, sqrt and
// floor touches a number, so the bits are the same everywhere.
#pragma once

#include "scene/scene_assert.h"

#include "rill/generate.h"
#include "rill/support.h"

// ---- What both generators share (generate.c) --------------------------------------------

// Clears `out`; a NULL argument is RILL_BAD_ARGUMENT.
rill_status rl_generate_begin(const void *def, rill_heightfield **out);

// Returns RILL_BAD_DEF with a message when a side is out of range.
rill_status rl_generate_check_size(int nx, int ny);

static inline double rl_clamp_double(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

// ---- Noise (generate_noise.c) ----------------------------------------------------------
//
// The raw terrain before water has run over it: gradient noise on a hashed lattice, summed over
// octaves as rolling hills and as a ridged multifractal (Musgrave 1994), its coordinates bent by a
// slower noise so that no range runs straight.

#define RL_NOISE_MAX_OCTAVES 16

typedef struct rl_noise {
    uint32_t octave_seeds[RL_NOISE_MAX_OCTAVES];
    uint32_t warp_seeds[2];
    int octaves;
    double ridges; // 0 hills, 1 ridges
} rl_noise;

// Prepares the noise. `cell` is the edge of a cell in features: octaves that such cells cannot show
// are left out.
rl_noise rl_noise_make(uint64_t seed, int octaves, double ridges, double cell);

// Returns gradient noise in about -1 to 1, zero at whole coordinates, one bump a unit.
double rl_noise_gradient(uint32_t seed, double x, double y);

// Returns three octaves of gradient noise, in about -1.5 to 1.5.
double rl_noise_slow(uint32_t seed, double x, double y);

// Returns the height of the raw terrain, in about 0 to 1. One unit of x and y is one mountain to
// the next.
double rl_noise_terrain(const rl_noise *noise, double x, double y);

// ---- Flow of water (generate_erosion.c) ---------------------------------------------------
//
// Water over a raw terrain: depressions filled to their lowest pass (priority flood; Barnes, Lehman
// and Mulla 2014), and for every cell the parts in which its water goes on to lower neighbours.
// Grids here are dense, row after row, all rim cells are outlets.

typedef struct rl_flow {
    int nx, ny;      // grid of the last flood; rl_flow_create gives the largest
    float *level;    // filled surface: ground, or water of a lake
    uint32_t *order; // cells from low to high: a cell stands after all it drains to
    uint64_t *queue; // level and index of cells at the front of the flood, a heap; owns the memory
    uint8_t *reached;
    size_t capacity; // cells
} rl_flow;

// The eight neighbours of a cell: east, west, north, south, then the diagonals.
typedef struct rl_neighbours {
    ptrdiff_t step[8];
    float distance[8]; // cells
} rl_neighbours;

bool rl_flow_create(const rill_allocator *allocator, size_t capacity, rl_flow *out);
void rl_flow_destroy(const rill_allocator *allocator, rl_flow *flow);

rl_neighbours rl_neighbours_of(int nx);

// Fills `level` and `order` for the ground `z`, which must not be negative. Lake surfaces fall
// towards their outlet by about `gradient` a cell, so that every inner cell has a lower neighbour;
// the fall varies from cell to cell, or water would cross plains along straight lines of the grid.
void rl_flow_flood(rl_flow *flow, const float *z, int nx, int ny, float gradient);

// Computes the parts of the water of inner cell `c` that go to its neighbours, in their order; sums
// to 1. Steeper ways get more, by the square of their slope: not one of eight directions but any.
void rl_flow_shares(const rl_flow *flow, const rl_neighbours *neighbours, size_t c, float parts[8]);

// ---- Erosion (generate_erosion.c) ------------------------------------------------------
//
// Erodes a raw terrain by running water, one step at a time:
//
//     rivers   dz/dt = -K sqrt(A) slope     stream power with m = 1/2, n = 1; A drainage area
//     lakes    some fill with sediment, the rest retain the gravel that rivers carve with
//     slopes   creep (diffusion), faster along rivers; slides above the talus slope
//
// Rivers are solved implicitly from the mouth upwards as in Braun and Willett (2013), here with
// water that parts among all lower neighbours, so steps may be long and no direction of the grid is
// preferred. Lengths are in features (one mountain to the next), heights in parts of the total
// height of the terrain; rim cells never change.
typedef struct rl_erosion {
    int nx, ny;
    float cell;       // edge of a cell, features
    float step;       // K dt
    float head;       // square root of the drainage area at which a channel begins, features
    float lake_depth; // height of water that keeps all gravel
    float gradient;   // fall of sediment towards the outlet, height a cell
    float talus;      // steepest lasting fall, height a cell
    float creep;      // diffusion number of one pass on dry slopes
    int creep_passes;
    const float *settling; // part of the depth of a lake that fills up in a step, 0 to 1, by cell
} rl_erosion;

// Advances the ground `z`. `area` is scratch of the size of the grid.
void rl_erosion_step(const rl_erosion *erosion, rl_flow *flow, float *z, float *area);

// Fills lakes that are shallower than `depth` everywhere or smaller than `cells` cells. `mark` is
// scratch of the size of the grid.
void rl_erosion_fill_ponds(rl_flow *flow, float *z, int nx, int ny, float gradient, float depth,
                           size_t cells, uint32_t *mark);

// ---- Courses of rivers (valley_plan.c) --------------------------------------------------
//
// The course of a river is a line of points in metres that does not depend on any grid; any place
// has a position relative to it.

typedef struct rl_course {
    int count;
    double *x, *y; // metres, downstream
    double *s;     // metres along the line, 0 at the first point
    double *bend;  // -1 to 1, positive where it turns left, felt a little downstream

    // For nodes of a coarse lattice: the nearest point, -1 when that is beyond `reach`.
    int lattice_nx, lattice_ny;
    double lattice, reach;
    int *nearest;

    const rill_allocator *allocator;
    size_t bytes, nearest_bytes;
} rl_course;

// The position of a place relative to a course.
typedef struct rl_course_place {
    double distance; // metres, positive to the left of the course; beyond reach: 1e30
    double s, bend;  // of the nearest point of the line
} rl_course_place;

// Places have 0 <= x <= width_x, 0 <= y <= width_y of the plan that the course belongs to.
rl_course_place rl_course_locate(const rl_course *course, double x, double y);

// ---- The plan of a valley (valley_plan.c) ------------------------------------------------
//
// What is known before any cell is filled: the courses of its river, of the river it once had and
// of a side stream, and the places of rocks and islands.

#define RL_VALLEY_LEVELS 257 // entries of the table of levels

typedef struct rl_valley_rock {
    double x, y, radius, top; // metres; top above the water
} rl_valley_rock;

typedef struct rl_valley_plan {
    rill_valley_def def;
    double width_x, width_y; // of the terrain, metres
    uint32_t seed;           // of the noises
    rl_course river, old;
    rl_course side, stream; // the side valley and the stream that meanders in it
    bool has_stream;
    double end_s;                    // of the river where it leaves the terrain
    double mouth_level;              // at its mouth
    double stream_width;             // metres
    double levels[RL_VALLEY_LEVELS]; // of the river, evened out, from y = 0 to y = width_y
    double *island_s;                // where islands lie along the river
    rl_valley_rock *rocks;           // in the order of their bins
    int *rock_bins; // first rock of each stretch of RL_VALLEY_BIN widths along the river
    int bins;
    const rill_allocator *allocator;
    size_t bytes; // of the memory that begins with the rocks
} rl_valley_plan;

#define RL_VALLEY_BASE 100.0 // level of the river where it leaves, metres
#define RL_VALLEY_BIN  0.5   // widths

// Makes a plan. Returns RILL_NO_MEMORY when there is none; then nothing is left behind.
rill_status rl_valley_plan_make(const rill_valley_def *def, const rill_allocator *allocator,
                                rl_valley_plan *out);
void rl_valley_plan_destroy(rl_valley_plan *plan);

// Returns x of the valley's axis at y, metres.
double rl_valley_axis(const rl_valley_plan *plan, double y);

// Returns the level of the river when it is full to its banks, at s metres along it.
static inline double rl_valley_level(const rl_valley_plan *plan, double s)
{
    return RL_VALLEY_BASE + plan->def.fall * (plan->end_s - s);
}
