// SPDX-License-Identifier: MIT
// swe_rules_inline.h - constants and lengths of steps of the swe solver, for every back end: the
// length of a step follows from the largest depth and speeds, and a device knows them before the
// host does.
#pragma once

#include "solvers/swe/swe_eddy_cell.h"

#include "rill/world.h"

#include <math.h>
#include <string.h>

// Part of the stability bound that is used.
#define RL_SWE_SAFETY 0.9

// Clamp of velocities in steps beyond that bound, as a part of dx / dt, if momentum is kept: with
// four faces a cell then gives no more than it holds, and what the clamp of 002 lets grow for ever
// in two dimensions dies out (erratum 9 to Chentanez and Müller).
#define RL_SWE_LONG_STEP_LIMIT 0.25

// Thinner water than this part of a cell is a film (rl_swe_can_read).
#define RL_SWE_FILM 0.01

// Compressions below this part of the speed of waves in the deepest water make no bore
// (swe_bore_cell.h).
#define RL_SWE_BORE_LEAST 2e-4

#define RL_SWE_BORE_LINEAR 0.2 // C1 of swe_bore_cell.h

typedef struct rl_swe_rules {
    double cell_size, gravity; // m, m/s^2
    rill_swe_def def;
    float wet_depth;
    int falls; // water that goes over cliffs flies
} rl_swe_rules;

// Is there eddy viscosity?
RL_CELL int rl_swe_has_eddies(const rill_swe_def *def)
{
    return def->eddy_viscosity > 0.0f || def->smagorinsky > 0.0f;
}

// The longest step in which waves and currents are stable where the water's largest numbers are
// these, seconds.
RL_CELL double rl_swe_wave_step_of(const rl_swe_rules *r, rl_swe_largest most)
{
    const double u = (double)most.u, v = (double)most.v;
    const double fastest = u > v ? u : v;
    const double speed = u + v + sqrt(2.0 * r->gravity * (double)most.depth);
    // Velocities must also stay below the clamp.
    const double clamped = fastest / (double)r->def.velocity_limit;
    if (!(speed > 0.0))
        return (double)INFINITY;
    return RL_SWE_SAFETY * r->cell_size / fmax(speed, clamped);
}

// The longest step in which the constant eddy viscosity is below its cap, seconds. What
// Smagorinsky's adds is not known before; where waves are stable, |S| dt is below 3.2, so that up
// to C_s = 0.13 it stays below the cap by itself.
RL_CELL double rl_swe_eddy_step_of(const rl_swe_rules *r)
{
    const double nu = (double)r->def.eddy_viscosity;
    if (!(nu > 0.0))
        return (double)INFINITY;
    return RL_SWE_SAFETY * (double)RL_SWE_EDDY_MOST * r->cell_size * r->cell_size / nu;
}

// The longest stable step, seconds.
RL_CELL double rl_swe_stable_step_of(const rl_swe_rules *r, rl_swe_largest most)
{
    return fmin(rl_swe_wave_step_of(r, most), rl_swe_eddy_step_of(r));
}

// Are steps of `dt` too long for waves that are stable in steps of `waves`?
RL_CELL int rl_swe_is_too_long(double dt, double waves)
{
    return RL_SWE_SAFETY * dt > waves;
}

// `deepest` is the depth of the deepest water, metres.
RL_CELL rl_swe_coef rl_swe_coefficients_of(const rl_swe_rules *r, double dt, int too_long,
                                           float deepest)
{
    const double dx = r->cell_size, g = r->gravity;
    double limit = (double)r->def.velocity_limit;
    if (r->def.advection == RILL_ADVECTION_CONSERVATIVE && too_long)
        limit = fmin(limit, RL_SWE_LONG_STEP_LIMIT);
    const double n2 = (double)r->def.manning * (double)r->def.manning;
    rl_swe_coef k;
    memset(&k, 0, sizeof k);
    k.pipe.spread = 1.0f;
    k.pipe.outflow = RL_PIPE_LIMITER;
    k.step = (float)dt;
    k.spread = (float)(dt / dx);
    k.push = (float)(dt * g / dx);
    k.gravity = (float)g;
    k.calm = (float)(RL_SWE_BORE_LEAST * sqrt(g * (double)deepest));
    k.bore_speed = rl_root_guess((float)(RL_SWE_BORE_LINEAR * sqrt(g)));
    k.acceleration_x = (float)(dt * (double)r->def.acceleration[0]);
    k.acceleration_y = (float)(dt * (double)r->def.acceleration[1]);
    k.cliff = (float)((double)r->def.cliff * dx);
    k.cliff_part = r->falls ? 1.0f : 2.0f;
    k.dry = r->wet_depth > RL_PIPE_AT_REST ? r->wet_depth : RL_PIPE_AT_REST;
    k.film = (float)(RL_SWE_FILM * dx);
    k.fastest = (float)(limit * dx / dt);
    k.deepest = (float)fmin((double)r->def.depth_limit * dx * dx / (g * dt * dt), 1e30);
    k.viscous = (float)((double)RL_VISCOUS_OPEN * dt * (double)r->def.viscosity);
    k.rough = (float)(dt * g * n2);
    k.eddy = (float)((double)r->def.eddy_viscosity * dt / (dx * dx));
    k.smagorinsky = (float)((double)r->def.smagorinsky * (double)r->def.smagorinsky * dt / dx);
    return k;
}

// What slows the water of this world: RL_SWE_FREE and so on.
RL_CELL int rl_swe_slowed_by(const rill_swe_def *def)
{
    return def->manning > 0.0f     ? RL_SWE_ROUGH
           : def->viscosity > 0.0f ? RL_SWE_VISCOUS
                                   : RL_SWE_FREE;
}

// Height of a crest that is cut, metres.
RL_CELL float rl_swe_crest_edge(float overshoot_edge, double cell_size)
{
    return (float)((double)overshoot_edge * cell_size);
}

// Runs of cells of a row that lie in an absorbing layer, from multiples of 16 on; returns their
// number. `whole`: all of the row does; `west`, `east`: those sides absorb.
RL_CELL int rl_swe_layer_runs(int nx, int width, int whole, int west, int east, int first[2],
                              int end[2])
{
    if (whole) {
        first[0] = 0;
        end[0] = nx;
        return 1;
    }
    int count = 0;
    if (west) {
        first[count] = 0;
        end[count++] = width < nx ? width : nx;
    }
    if (east) {
        const int covered = count > 0 ? (end[0] + 15) / 16 * 16 : 0;
        int from = nx - width - 1 > 0 ? (nx - width - 1) / 16 * 16 : 0; // the face before it too
        from = from > covered ? from : covered;
        if (from < nx) {
            first[count] = from;
            end[count++] = nx;
        }
    }
    return count;
}
