// SPDX-License-Identifier: MIT
// meniscus_cell.h - direction, angle and weight of the meniscus of a wet column (Dagenais sections
// 5.1 and 5.2) from what it knows of the boundary column nearest to it: a number, or as many as a
// vector has lanes.
//
// Distances to the centres of dry cells follow the grid: along a shore that crosses it they swing
// by half a cell and more, and the rim of light looks like a row of beads. On a slope the shore is
// known better: it is where the ground comes up to the level, and there it is across the gradient
// of the ground. All boundary columns along a straight shore give the same line. Walls have no such
// line, nor have films, whose surface is as steep as the ground.
#pragma once

#include "core/cell.h"

// The distance of a wet column for which no boundary column is known, metres.
#define RL_MENISCUS_FAR 1e30f

#define RL_SHORE_RIGHT_ANGLE 1.57079632679489662f

// A rise of so many times that before or behind it still belongs to a slope: round ground bends.
#define RL_SHORE_BEND 1.5f
// A line counts in full where the boundary column is aside from its normal by at most a cell, and
// not at all from two cells on: past the tip of a headland there is no line.
#define RL_SHORE_ASIDE 2.5f
// It does not count at all where the surface is at least so many times as steep as the ground.
#define RL_SHORE_LEVEL 0.5f

// What a wet column knows. Distances are to the centres of boundary columns, in metres; that of a
// neighbour without one is its own. Slopes of the ground are those across the boundary column, in
// cells a cell, by axis and by the step away from the liquid along it, -1 and 1.
enum {
    RL_AROUND_DISTANCE,
    RL_AROUND_EAST,
    RL_AROUND_NORTH,
    RL_AROUND_WEST,
    RL_AROUND_SOUTH,
    RL_AROUND_BOTH_X, // 1 where both neighbours along the axis have a distance, else 0
    RL_AROUND_BOTH_Y,
    RL_AROUND_X, // cells to the boundary column
    RL_AROUND_Y,
    RL_AROUND_WALL, // 1 where that is a wall of which nothing else is known, else 0
    RL_AROUND_OVER, // its floor above the level, metres
    RL_AROUND_TILT, // how steep the surface is
    RL_AROUND_GRADIENT_X,
    RL_AROUND_GRADIENT_Y,
    RL_AROUND_RISE,                         // four: all of the rise,
    RL_AROUND_LASTING = RL_AROUND_RISE + 4, // and as much of it as goes on before or behind
    RL_AROUND_FIELDS = RL_AROUND_LASTING + 4
};

// The fields of a meniscus as they are computed; all 0 where there is none.
enum { RL_BENT_X, RL_BENT_Y, RL_BENT_ANGLE, RL_BENT_WEIGHT, RL_BENT_FIELDS };

typedef struct rl_meniscus_rule {
    float cell_size, length; // metres
    float contact;           // angle, radians
} rl_meniscus_rule;

// Returns x within 0 to 1.
RL_CELL rl_real rl_shore_part(rl_real x)
{
    return rl_max(rl_set(0.0f), rl_min(x, rl_set(1.0f)));
}

// Returns the angle whose tangent is `x`, radians, to 2e-7: a polynomial between the tangents of
// -22.5 and 22.5 degrees; larger angles are turned there by 45 or 90 degrees. So the bits do not
// depend on a library.
RL_CELL rl_real rl_arctangent(rl_real x)
{
    const rl_real one = rl_set(1.0f), none = rl_set(0.0f), quarter = rl_set(0.785398163f);
    const rl_real a = rl_abs(x);
    const rl_mask large = rl_less(rl_set(2.41421356f), a),
                  middle = rl_less(rl_set(0.414213562f), a);
    const rl_real above = rl_select(large, rl_set(-1.0f), rl_select(middle, a - one, a));
    const rl_real below = rl_select(large, a, rl_select(middle, a + one, one));
    const rl_real turn = rl_select(large, rl_set(2.0f) * quarter, rl_select(middle, quarter, none));
    const rl_real turned = above / below, z = turned * turned;
    const rl_real series =
        ((rl_set(0.0852049217f) * z - rl_set(0.140241429f)) * z + rl_set(0.199912384f)) * z -
        rl_set(0.333332866f);
    const rl_real angle = turn + (series * z * turned + turned);
    return rl_select(rl_less(x, none), none - angle, angle);
}

// ---- Distances ---------------------------------------------------------------------------

// Returns the direction of neighbour k in an order in which sides come before corners, which are
// further away.
RL_CELL int rl_meniscus_way(int k)
{
    return k < 4 ? 2 * k : 2 * k - 7;
}

// Returns its distance, in cells.
RL_CELL float rl_meniscus_stretch(int k)
{
    return k < 4 ? 1.0f : 1.41421356237309505f;
}

// Returns the length of so many cells, metres.
RL_CELL rl_real rl_meniscus_straight(rl_real x, rl_real y, rl_real cell_size)
{
    return rl_sqrt(x * x + y * y) * cell_size;
}

// ---- The solid at the boundary -----------------------------------------------------------

typedef struct rl_shore_slope {
    rl_real rise, lasting;
} rl_shore_slope;

// Returns the slope at the boundary column along a horizontal unit vector that leads away from the
// liquid. An axis that hardly counts hardly matters either, so the slope is continuous in the
// direction.
RL_CELL rl_shore_slope rl_shore_slope_along(const rl_real around[], rl_real x, rl_real y)
{
    const rl_real none = rl_set(0.0f), part_x = rl_abs(x), part_y = rl_abs(y);
    const rl_mask east = rl_less(none, x), north = rl_less(none, y);
    const rl_real *rise = around + RL_AROUND_RISE, *lasting = around + RL_AROUND_LASTING;
    rl_shore_slope slope;
    slope.rise = (none + part_x * rl_select(east, rise[1], rise[0])) +
                 part_y * rl_select(north, rise[3], rise[2]);
    slope.lasting = (none + part_x * rl_select(east, lasting[1], lasting[0])) +
                    part_y * rl_select(north, lasting[3], lasting[2]);
    return slope;
}

// Returns the part of a rise that is a step, 0 to 1.
RL_CELL rl_real rl_shore_step(rl_shore_slope slope)
{
    const rl_real step = rl_set(1.0f) - rl_set(RL_SHORE_BEND) * slope.lasting / slope.rise;
    return rl_keep(rl_less(rl_set(0.0f), slope.rise), rl_shore_part(step));
}

// Returns the tilt of the solid, radians, below 0 where it falls away from the liquid. A step of
// less than a cell may well be rough ground and has the slope between the two centres; one of two
// cells is a wall; in between the tilt grows from one to the other.
RL_CELL rl_real rl_shore_tilt(rl_shore_slope slope)
{
    const rl_real tilt = rl_arctangent(slope.rise), wall = rl_shore_part(slope.rise - rl_set(1.0f));
    return tilt + wall * rl_shore_step(slope) * (rl_set(RL_SHORE_RIGHT_ANGLE) - tilt);
}

// Returns psi = beta - alpha, at most a right angle either way.
RL_CELL rl_real rl_meniscus_tilt(rl_real beta, const rl_meniscus_rule *rule)
{
    const rl_real most = rl_set(RL_SHORE_RIGHT_ANGLE), psi = beta - rl_set(rule->contact);
    return rl_max(rl_min(psi, most), rl_set(-RL_SHORE_RIGHT_ANGLE));
}

// ---- Direction and distance --------------------------------------------------------------

typedef struct rl_meniscus_course {
    rl_real x, y;     // unit vector to the boundary
    rl_real distance; // to it, metres
} rl_meniscus_course;

RL_CELL rl_real rl_meniscus_fall(rl_real before, rl_real after, rl_real both)
{
    const rl_real none = rl_set(0.0f), rise = after - before;
    return rl_select(rl_less(none, both), rl_set(-0.5f) * rise, none - rise);
}

// Returns the way down the distance field, by central differences where both sides are known.
// Between two shores it points towards the one that was found.
RL_CELL rl_meniscus_course rl_meniscus_course_down(const rl_real around[],
                                                   const rl_meniscus_rule *rule)
{
    const float least = 1e-3f * rule->cell_size;
    rl_meniscus_course way;
    way.x =
        rl_meniscus_fall(around[RL_AROUND_WEST], around[RL_AROUND_EAST], around[RL_AROUND_BOTH_X]);
    way.y = rl_meniscus_fall(around[RL_AROUND_SOUTH], around[RL_AROUND_NORTH],
                             around[RL_AROUND_BOTH_Y]);
    const rl_mask flat = rl_less(way.x * way.x + way.y * way.y, rl_set(least * least));
    way.x = rl_select(flat, around[RL_AROUND_X], way.x);
    way.y = rl_select(flat, around[RL_AROUND_Y], way.y);
    const rl_real length = rl_sqrt(way.x * way.x + way.y * way.y);
    way.x = way.x / length;
    way.y = way.y / length;
    way.distance = around[RL_AROUND_DISTANCE] - rl_set(0.5f * rule->cell_size);
    return way;
}

RL_CELL rl_real rl_meniscus_between(rl_real from, rl_real to, rl_real part)
{
    return from + part * (to - from);
}

// Returns the way to the line of the shore, as far as that counts.
RL_CELL rl_meniscus_course rl_meniscus_follow_line(const rl_real around[],
                                                   const rl_meniscus_rule *rule,
                                                   rl_meniscus_course way)
{
    const rl_real one = rl_set(1.0f), size = rl_set(rule->cell_size);
    rl_real out_x = around[RL_AROUND_GRADIENT_X], out_y = around[RL_AROUND_GRADIENT_Y];
    const rl_real steep = rl_sqrt(out_x * out_x + out_y * out_y);
    const rl_mask slope = rl_less(rl_set(1e-3f), steep);
    out_x = rl_select(slope, out_x / steep, out_x);
    out_y = rl_select(slope, out_y / steep, out_y);
    const rl_real x = around[RL_AROUND_X], y = around[RL_AROUND_Y];
    const rl_real ahead = x * out_x + y * out_y, aside = rl_abs(x * out_y - y * out_x);
    const rl_real beyond =
        around[RL_AROUND_OVER] / (steep * size); // cells from the line to the column
    const rl_real distance = rl_keep(slope, (ahead - rl_min(beyond, rl_set(1.5f))) * size);
    const rl_real step = rl_shore_step(rl_shore_slope_along(around, out_x, out_y));
    const rl_real level = one - around[RL_AROUND_TILT] / (rl_set(RL_SHORE_LEVEL) * steep);
    const rl_real part = rl_keep(slope, (one - step) * rl_shore_part(level) *
                                            rl_shore_part(rl_set(RL_SHORE_ASIDE) - aside));
    const rl_real to_x = rl_meniscus_between(way.x, out_x, part);
    const rl_real to_y = rl_meniscus_between(way.y, out_y, part);
    const rl_real length = rl_sqrt(to_x * to_x + to_y * to_y);
    // Else they point to opposite sides, or there is nothing but a wall.
    const rl_mask follows =
        rl_both(rl_less(rl_set(0.1f), length), rl_less(around[RL_AROUND_WALL], one));
    rl_meniscus_course line;
    line.x = rl_select(follows, to_x / length, way.x);
    line.y = rl_select(follows, to_y / length, way.y);
    line.distance =
        rl_select(follows, rl_meniscus_between(way.distance, distance, part), way.distance);
    return line;
}

// Returns the angle at the boundary, across which the way leads. Between two shores that may lead
// to the other one; then the way to the boundary column counts.
RL_CELL rl_real rl_meniscus_angle(const rl_real around[], const rl_meniscus_rule *rule,
                                  rl_meniscus_course way)
{
    const rl_real x = around[RL_AROUND_X], y = around[RL_AROUND_Y];
    const rl_real length = rl_sqrt(x * x + y * y), across = way.x * x + way.y * y;
    const rl_mask towards = rl_less(rl_set(0.0f), across);
    const rl_shore_slope slope = rl_shore_slope_along(around, rl_select(towards, way.x, x / length),
                                                      rl_select(towards, way.y, y / length));
    const rl_mask wall = rl_less(rl_set(0.0f), around[RL_AROUND_WALL]);
    const rl_real beta = rl_select(wall, rl_set(RL_SHORE_RIGHT_ANGLE), rl_shore_tilt(slope));
    return rl_meniscus_tilt(beta, rule);
}

// Computes the meniscus of a wet column that has a boundary column.
RL_CELL void rl_meniscus_bend(const rl_real around[], const rl_meniscus_rule *rule, rl_real bent[])
{
    const rl_real one = rl_set(1.0f);
    const rl_meniscus_course way =
        rl_meniscus_follow_line(around, rule, rl_meniscus_course_down(around, rule));
    const rl_real weight = one - way.distance / rl_set(rule->length);
    const rl_mask some = rl_less(rl_set(0.0f), weight);
    bent[RL_BENT_X] = rl_keep(some, way.x);
    bent[RL_BENT_Y] = rl_keep(some, way.y);
    bent[RL_BENT_ANGLE] = rl_keep(some, rl_meniscus_angle(around, rule, way));
    bent[RL_BENT_WEIGHT] = rl_keep(some, rl_min(weight, one));
}
