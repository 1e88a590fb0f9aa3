// SPDX-License-Identifier: MIT
// river_project.h - what the files of the pressure share.
#pragma once

#include "solvers/river/river_internal.h"

// ---- The direct solution (river_direct.c) ----------------------------------------------

#define RL_RIVER_MAX_NODES  4096
#define RL_RIVER_MAX_FACTOR 32768 // numbers of the factor: what fits a cache
#define RL_RIVER_MAX_LINKS  8     // two along each side

// A connected part of a large cell. The members of the second group belong to the node of that
// number, not to this one.
typedef struct rl_river_node {
    int beside[RL_RIVER_MAX_LINKS];
    float weight[RL_RIVER_MAX_LINKS];
    int links;
    float diagonal;
    int own_at; // the cell in packed arrays if the solver works on it, or -1
    int number;

    int at_number; // node of this number
    int first;     // column where its row of the factor begins
    size_t row;    // where that is
} rl_river_node;

typedef struct rl_river_direct {
    int level; // whose cells the nodes are parts of
    int count;
    rl_river_node *nodes;
    // Number of the node that a cell of level - 1, or one of this level that the solver works on,
    // belongs to, by its place in packed arrays; -1: none.
    int *of_fine, *of_own;
    size_t map_bytes;
    double *factor;
    double *solution; // right-hand sides before
} rl_river_direct;

bool rl_river_direct_create(rl_river *r, rl_river_direct *d);
void rl_river_direct_destroy(rl_river *r, rl_river_direct *d);
size_t rl_river_direct_memory(const rl_river_direct *d);
// Finds the first level that is small enough, and factors it.
void rl_river_direct_prepare(rl_river *r, rl_river_direct *d);
void rl_river_direct_solve(rl_river_direct *d);

// ---- All of it -------------------------------------------------------------------------

// What the tiles of a pass find, in double and in their order, so that threads cannot show.
typedef struct rl_river_found {
    double sum;
    float worst, fastest;
} rl_river_found;

struct rl_river_project {
    unsigned laid; // of the equations that the factor below belongs to
    rl_river_direct direct;
    rl_river_found *found; // per tile
    size_t found_bytes;
};

// One pass over all squares that the solver works on.
typedef struct rl_river_pass {
    rl_river *r;
    float alpha, beta;
} rl_river_pass;

// Sum and largest values over the tiles.
rl_river_found rl_river_gather(const rl_river *r);
// Scalar product of two packed arrays of the level of a tile, over that tile.
double rl_river_product(const rl_river *r, int tile, float *a, float *b);
// Sets `r` of all squares to what flows in; worst in units of level 0 (Eq. 3.5).
rl_river_found rl_river_measure_flow(rl_river *r, rl_jobs *jobs);

// ---- river_multigrid.c -----------------------------------------------------------------

// Relaxation factors of the two sweeps before (and, backwards, after) the visit to larger cells:
// the roots of the Chebyshev polynomial over the upper three quarters of the spectrum of the
// Jacobi-scaled equations, which reaches to 2.
#define RL_RIVER_OMEGA_1 0.5619f
#define RL_RIVER_OMEGA_2 1.3890f

// Factors the coarsest level if the equations were laid anew.
void rl_river_multigrid_prepare(rl_river *r);
// z = an approximate solution of A z = r: one symmetric V-cycle. `relaxed`: level 0 has its first
// sweep already. Returns the scalar product of r and z.
double rl_river_multigrid_cycle(rl_river *r, rl_jobs *jobs, bool relaxed);

// ---- river_jacobi.c --------------------------------------------------------------------

// `sweeps` sweeps: x further towards the solution, r what is left.
void rl_river_jacobi(rl_river *r, rl_jobs *jobs, int sweeps);
// q = A d on all levels, and the scalar product of both.
double rl_river_apply(rl_river *r, rl_jobs *jobs);
