// SPDX-License-Identifier: MIT
// layers_passages_cell.h - the arithmetic of flooded passages for one column, one gateway and one
// passage. The host's search (layers_passages*.c) and device kernels call exactly these functions,
// so they cannot disagree.
#pragma once

#include "solvers/layers/layers_cell.h"
#include "solvers/pipe_cell.h"

#include <math.h>
#include <stdint.h>

// ---- Columns ---------------------------------------------------------------------------

// How far below its ceiling a column counts as full, metres: less than anyone sees and little of a
// low passage, but more than the ripples that would make it full and not full in turn.
RL_CELL float rl_passages_slack(float cell_size, float base, float top)
{
    const float length = 0.05f * cell_size, part = 0.05f * (top - base);
    return length < part ? length : part;
}

// Depth that a column lacks to its ceiling, metres.
RL_CELL double rl_passages_lacking(float base, float depth, float top)
{
    const double lacking = (double)top - (double)base - (double)depth;
    return lacking > 0.0 ? lacking : 0.0;
}

// Heights, their inverses and what columns lack are added up as whole numbers, so that any order
// gives the same: in parts of a cell, and of one over a cell. What is out of all proportion counts
// as much as fits.
#define RL_PASSAGES_CELL    0x1p32
#define RL_PASSAGES_INVERSE 0x1p28
#define RL_PASSAGES_MOST    0x1p42
#define RL_PASSAGES_RUN     0x1p24 // the same for the sums of runs

RL_CELL uint64_t rl_passages_whole(double value)
{
    return (uint64_t)(int64_t)(value < RL_PASSAGES_MOST ? value : RL_PASSAGES_MOST);
}

RL_CELL uint64_t rl_passages_count_height(float base, float top, double cell)
{
    const double height = (double)top - (double)base;
    return rl_passages_whole(height * (RL_PASSAGES_CELL / cell));
}

RL_CELL uint64_t rl_passages_count_inverse(float base, float top, double cell)
{
    const double height = (double)top - (double)base;
    return rl_passages_whole(RL_PASSAGES_INVERSE * cell / height);
}

RL_CELL uint64_t rl_passages_count_lacking(float base, float depth, float top, double cell)
{
    return rl_passages_whole(rl_passages_lacking(base, depth, top) * (RL_PASSAGES_CELL / cell));
}

// What was counted, in metres.
RL_CELL double rl_passages_metres(uint64_t count, double cell)
{
    return (double)count * (cell / RL_PASSAGES_CELL);
}

// Of a run of columns, from the sums of their heights and inverse heights: columns times harmonic
// mean height, in cells, and columns over mean height.
RL_CELL uint64_t rl_passages_run_along(int columns, uint64_t inverse)
{
    return (uint64_t)((double)columns * (double)columns * (RL_PASSAGES_INVERSE * RL_PASSAGES_RUN) /
                      (double)inverse);
}

RL_CELL uint64_t rl_passages_run_across(int columns, uint64_t height)
{
    return (uint64_t)((double)columns * (double)columns * (RL_PASSAGES_CELL * RL_PASSAGES_RUN) /
                      (double)height);
}

RL_CELL float rl_passages_positive(float q)
{
    return q > 0.0f ? q : 0.0f;
}

// Whether a column may be full. No stable step moves more than half a column.
RL_CELL int rl_passages_neighbour(float base, float depth, float top)
{
    return (base + 2.0f * depth >= top) & (top > base);
}

// What flows into a column through its four faces, m^2/s.
RL_CELL float rl_passages_inflow(float q_west, float q_east, float q_south, float q_north)
{
    return (rl_passages_positive(q_west) + rl_passages_positive(-q_east)) +
           (rl_passages_positive(q_south) + rl_passages_positive(-q_north));
}

// Whether a column is full, or will be after a step of this inflow; `stays`: it was flooded.
RL_CELL int rl_passages_full(float base, float depth, float top, float inflow, int stays,
                             float spread, float cell_size)
{
    const float filled = base + depth + spread * inflow;
    return ((filled >= top - rl_passages_slack(cell_size, base, top)) | stays) &
           rl_passages_neighbour(base, depth, top);
}

// The same by what a cross pipe alone brings.
RL_CELL int rl_passages_full_by_cross(float base, float depth, float top, float q, float spread,
                                      float cell_size)
{
    return !(base + 2.0f * depth < top) &&
           !(base + depth + spread * fabsf(q) < top - rl_passages_slack(cell_size, base, top));
}

// The level below which air stands at the ceiling between a flooded column and another, metres.
// `was_flooded` is for hysteresis.
RL_CELL float rl_passages_air_level_of(float cell_size, float base, float top, float ceiling,
                                       int was_flooded)
{
    const float slack = rl_passages_slack(cell_size, base, top);
    return ceiling - (was_flooded ? 2.0f : 1.0f) * slack;
}

// ---- Gateways --------------------------------------------------------------------------

// Whether what leaves through a gateway keeps the air out: it has more energy than air that moves
// in along a ceiling. `level` is what drives it, metres.
RL_CELL int rl_passages_keep_air_out(float level, float ceiling, float q, float opening,
                                     double gravity, int fresh)
{
    // v^2 / 2g must exceed what the level lacks; v is q over the height. Without a division.
    const double height = (double)opening;
    const double lacking = (fresh ? 0.18 : 0.125) * height - ((double)level - (double)ceiling);
    return (double)q * (double)q > 2.0 * gravity * height * height * lacking;
}

#define RL_PASSAGES_NO_HEAD (-RL_FAR) // below everything: air enters

// What a column tells a full one beside it of the level that drives liquid out of that. One that is
// not full tells its own level; one that is, what its passage had in the step before, and without
// a passage nothing.
RL_CELL float rl_passages_told(float base, float depth, float top, int was_flooded, float head)
{
    if (!rl_passages_neighbour(base, depth, top))
        return base + depth;
    return was_flooded ? head : RL_PASSAGES_NO_HEAD;
}

// Of two levels.
RL_CELL float rl_passages_higher(float a, float b)
{
    return a > b ? a : b;
}

// The mean level at the gateways of a passage without air, from sums over them.
RL_CELL float rl_passages_head(double heights, double levels)
{
    return heights > 0.0 ? (float)(levels / heights) : RL_PASSAGES_NO_HEAD;
}

// Section over length of an end, metres.
RL_CELL float rl_passages_conductance(float opening, double length, int paper, rl_pipe_coef k)
{
    return paper ? k.area_paper : (float)fmin((double)opening / length, (double)k.area_cap);
}

// Eq. 8: discharge of a gateway into its passage from what friction left of the old one. `level`
// is that of the passage.
RL_CELL double rl_passages_drive(double old, double level_outside, double level, float conductance,
                                 double height2, rl_pipe_coef k)
{
    const double slowing = (double)k.viscous_flooded + (double)k.drag * fabs(old);
    const double head = level_outside - level;
    const double pushed = old + (double)k.push * (double)conductance * head;
    return pushed * height2 / (height2 + slowing);
}

// Eq. 9: takes away what `sum` is too much in all; as a discharge of the face.
RL_CELL float rl_passages_even(float driven, float conductance, double sum, double conductances,
                               int airy, int inward)
{
    double flux = (double)driven - (double)conductance * (sum / conductances);
    // Air cannot be drawn in; the passage opens there in the next step.
    if (fabs(flux) < (double)RL_PIPE_AT_REST || (airy && flux > 0.0))
        flux = 0.0;
    return (float)(flux * (double)inward);
}

// ---- Passages --------------------------------------------------------------------------

// The height of a passage, metres. What lies side by side counts by its mean, what lies one behind
// the other by its harmonic mean; which is which depends on the way the liquid goes, for which the
// gateways are taken. So the thin edges of a round tunnel do not throttle it, and a throat does.
// `north` is the part of the `openings` that lead along y.
// `along` and `across` are sums over its runs.
RL_CELL double rl_passages_height(int count, uint64_t along, uint64_t across, double north,
                                  double openings, double cell)
{
    const double columns = (double)count;
    const double along_x = (double)along * (cell / RL_PASSAGES_RUN) / columns;
    const double along_y = columns * (cell * RL_PASSAGES_RUN) / (double)across;
    return along_x + (along_y - along_x) * (north / openings);
}

// The length of an end in cells, as N / n; but for chambers with small openings that is too much:
// a chamber is at least as wide, 2 N / P, and at most as long, P / 2, as its walls of P faces say.
// With an end at each end of that it has the length that follows. Never less than half a cell; and
// half a cell more in the column outside.
RL_CELL double rl_passages_length(int column_count, int joints, unsigned gateway_count,
                                  double openings, double height)
{
    const double columns = (double)column_count, gateways = (double)gateway_count;
    const double walls = 4.0 * columns - 2.0 * (double)joints - gateways;
    const double around = fmax(walls, gateways);
    const double width = fmax(gateways * gateways / columns, 16.0 * columns / (around * around));
    return fmax(openings / (height * width), 0.5) + 0.5;
}

// Columns count as full a little before they are. What they lack comes in through the gateways, a
// tenth of it a step: the discharge by which the sum of Eq. 9 differs from zero, m^2/s.
RL_CELL double rl_passages_filling(unsigned gateways, double lacking, float spread)
{
    return gateways > 1 ? 0.1 * lacking / (double)spread : 0.0;
}

// What is brought in for filling, in so far as more comes in than goes out.
RL_CELL double rl_passages_surplus(double filling, double in, double out)
{
    return fmax(fmin(filling, in - out), 0.0);
}

// What is left of a discharge, so that as much leaves a passage as enters it.
RL_CELL float rl_passages_balanced(float raw, int inward, double inflow_limiter,
                                   double outflow_limiter)
{
    const int enters = raw * (float)inward > 0.0f;
    return (float)((double)raw * (enters ? inflow_limiter : outflow_limiter));
}

// A mean discharge inside a passage from the sums over its gateways.
RL_CELL float rl_passages_mean(double flux, double outflows, double middle, double count,
                               double columns)
{
    return (float)((flux - outflows * middle / count) / columns);
}

// ---- Straight pipes --------------------------------------------------------------------

// Section 3.3: the discharge of a straight pipe through `columns` flooded columns from what
// friction left of the old one. `inverse` is the sum of one over their heights, 1/metres, `head`
// what the level at its beginning is above that at its end.
RL_CELL float rl_passages_straight(double old, double head, int columns, float inverse,
                                   float opening_in, float opening_out, int airy_in, int airy_out,
                                   int paper, rl_pipe_coef k)
{
    const double length = (double)inverse + 0.5 / (double)opening_in + 0.5 / (double)opening_out;
    const double conductance =
        paper ? (double)k.area_paper : fmin(1.0 / length, (double)k.area_cap);
    const double height = (double)columns / (double)inverse;
    const double slowing = (double)k.viscous_flooded + (double)k.drag * fabs(old);
    double flux = old + (double)k.push * conductance * head;
    flux *= height * height / (height * height + slowing);
    if (fabs(flux) < (double)RL_PIPE_AT_REST || (airy_in && flux > 0.0) || (airy_out && flux < 0.0))
        flux = 0.0;
    return (float)flux;
}

// What is left of a discharge, so that `own`, which comes of it, becomes as small as the `other`
// end of the pipe has it.
RL_CELL float rl_passages_as_small(float raw, double own, double other)
{
    return (float)((double)raw * (other / own));
}

// ---- Capacity that liquid makes by passing on ----------------------------------------------

// What leaves counts a few roundings too low.
#define RL_PASSAGES_CERTAIN (1.0f - 0x1p-18f)

// Columns of limited inflow are known by a limiter below 1, also when they have enough by now.
#define RL_PASSAGES_NEARLY_ONE (1.0f - 0x1p-24f)

// The limiter of what wants to enter a column that fits, if what leaves counts. What was too
// much in the step before counts against it.
RL_CELL float rl_passages_inflow_limiter(float base, float depth, float top, float remainder,
                                         float entering, float leaving, rl_pipe_coef k)
{
    const float below = (top - (base + depth)) - remainder;
    const float capacity = below + k.spread * RL_PASSAGES_CERTAIN * leaving;
    return rl_pipe_outflow_limiter(rl_passages_positive(capacity), k.outflow * entering);
}

RL_CELL float rl_passages_wider(float limiter, float fits)
{
    return fmaxf(limiter, fminf(fits, RL_PASSAGES_NEARLY_ONE));
}

// Whether a limiter counted on more than leaves; `least` is what it was before that counted.
RL_CELL int rl_passages_too_wide(float limiter, float least, float fits)
{
    return limiter > least && fits < 0.999f * limiter;
}

RL_CELL float rl_passages_narrower(float least, float fits, int safely)
{
    return safely ? least : fmaxf(fits, least);
}
