// SPDX-License-Identifier: MIT
// river_project.h - what the files of the pressure share: the direct solution at the end of the
// multigrid (river_direct.c), and the multigrid (river_multigrid.c).
#pragma once

#include "solvers/river/river_internal.h"

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

struct rl_river_direct {
    unsigned laid; // of the equations that the factor belongs to
    int level;     // whose cells the nodes are parts of
    int count;
    rl_river_node *nodes;
    // Number of the node that a cell of level - 1, or one of this level that the solver works on,
    // belongs to, by its place in packed arrays; -1: none.
    int *of_fine, *of_own;
    size_t map_bytes;
    double *factor;
    double *solution; // right-hand sides before
};

// Finds the first level that is small enough, and factors it.
void rl_river_direct_prepare(rl_river *r, rl_river_direct *d);
void rl_river_direct_solve(rl_river_direct *d);

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

// Scalar product of `r` and `z` over the squares of all levels that the solver works on.
double rl_river_product_rz(rl_river *r, rl_jobs *jobs);
