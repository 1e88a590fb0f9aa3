// SPDX-License-Identifier: MIT
// parameters_table.c - the table of parameters: one row for each number, word and switch of a
// world, a body, an emitter and a source. A new parameter is a field of a definition, a row here,
// and its use.
//
// The name of a row is made of the name of its field, so that scenes and programs use the same
// words. A row has, after its field: unit, default, low and high end of the range, help, solvers.
#include "world/world_internal.h"

#include <stddef.h>

#define STORED_FLAG   int
#define STORED_INT    int
#define STORED_ENUM   int
#define STORED_FLOAT  float
#define STORED_DOUBLE double
#define STORED_SEED   uint64_t

#define FIELD(owner, struct_, table, member, kind)                                               \
    .name = table #member, .definition = RILL_DEFINITION_##owner, .type = RILL_PARAMETER_##kind, \
    .count = (int)(sizeof(((struct_ *)0)->member) / sizeof(STORED_##kind)),                      \
    .offset = offsetof(struct_, member)
#define AT(member, kind)      FIELD(WORLD, rill_world_def, "", member, kind)
#define WORLD(member, kind)   FIELD(WORLD, rill_world_def, "world.", member, kind)
#define WATER(member, kind)   FIELD(WORLD, rill_world_def, "water.", member, kind)
#define BODY(member, kind)    FIELD(BODY, rill_body_def, "body.", member, kind)
#define EMITTER(member, kind) FIELD(EMITTER, rill_emitter_def, "emitter.", member, kind)
#define SOURCE(member, kind)  FIELD(SOURCE, rill_source_def, "spring.", member, kind)
#define BORDER(side, index, help)                                                                 \
    .name = "borders." side, .type = RILL_PARAMETER_ENUM, .count = 1,                             \
    .offset = offsetof(rill_world_def, border[index]), CHOICE(rl_border_words, RILL_BORDER_WALL), \
    help

// Unit, default and range of a number, of a vector, of a switch and of a word.
#define OF(unit_, first, low_, high_)   unit_, {first}, low_, high_
#define VECTOR(unit_, low_, high_, ...) unit_, {__VA_ARGS__}, low_, high_
#define SWITCH(first)                   "", {first}, 0, 1
#define CHOICE(list, first) \
    .words = list, .unit = "", {first}, 0, (int)(sizeof(list) / sizeof(list)[0]) - 2

enum {
    PIPES = 1u << RILL_SOLVER_PIPES | 1u << RILL_SOLVER_LAYERS, // what has virtual pipes
    ONLY_PIPES = 1u << RILL_SOLVER_PIPES,
    LAYERS = 1u << RILL_SOLVER_LAYERS,
    SWE = 1u << RILL_SOLVER_SWE,
    RIVER = 1u << RILL_SOLVER_RIVER,
};

#define ALIAS(old)      .alias = old
#define AUTOMATIC(what) .automatic = what
#define IN_SCENES(what) .in_scenes = what
#define NEEDED          IN_SCENES("needed")
#define ABOVE           .flags = RILL_PARAMETER_ABOVE
#define POWERS          .flags = RILL_PARAMETER_POWER_OF_TWO
#define HOST            .flags = RILL_PARAMETER_HOST

#define HIGH    1e6 // metres: the highest elevation and the deepest water
#define FAR     1e7 // metres: the farthest place
#define ENDLESS ((double)INFINITY)
#define NONE    ((double)NAN)

static const char *const solvers[] = {"pipes", "layers", "swe", "river", NULL};
static const char *const backends[] = {"cpu", "cuda", "auto", NULL};
static const char *const origins[] = {"west", "east", "south", "north", "auto", NULL};
static const char *const outlets[] = {"west", "east", "south", "north", "any", NULL};
static const char *const areas[] = {"wetted", "paper", NULL};
static const char *const heads[] = {"level", "interval", NULL};
static const char *const more[] = {"refuse", "widest", NULL};
static const char *const passages[] = {"unified", "axis", "none", NULL};
static const char *const advections[] = {"conservative", "maccormack", NULL};
static const char *const surfaces[] = {"plane", "profile", NULL};
static const char *const banks[] = {"free-slip", "no-slip", NULL};
static const char *const pressures[] = {"multigrid", "jacobi", NULL};
static const char *const motions[] = {"fixed", "rigid", "soft", NULL};
static const char *const couplings[] = {"none", "pass", "block", NULL};
static const char *const shapes[] = {"box", "sphere", "cylinder", "hull", "mesh", "sheet", NULL};
static const char *const materials[] = {"plain", "crate", "barrel", "stone", "boat",
                                        "cloth", "metal", "ball",   NULL};
static const char *const emitters[] = {"jet", "rain", NULL};
static const char *const particles[] = {"spray", "splash", "foam", NULL};

const rill_parameter rl_parameter_rows[] = {
    {AT(seed, SEED), OF("", 1, 0, 9223372036854775807.0),
     "seed of everything random, except generated ground, which has its own"},

    {WORLD(nx, INT), OF("", 256, 4, RILL_MAX_SIDE),
     "cells along x; nx times ny is at most 1 073 741 824",
     IN_SCENES("needed, or from the file of the ground")},
    {WORLD(ny, INT), OF("", 256, 4, RILL_MAX_SIDE), "cells along y", IN_SCENES("likewise")},
    {WORLD(cell_size, FLOAT), OF("m", 1, 1e-6, 1e6), "edge of a cell", IN_SCENES("likewise")},
    {WORLD(gravity, FLOAT), OF("m/s^2", 9.81, 0.01, 1000), "downward acceleration"},
    {WORLD(solver, ENUM), CHOICE(solvers, RILL_SOLVER_PIPES),
     "which equations move the water: 'pipes', one column a cell; 'layers', several above each "
     "other; 'swe', shallow-water equations: bores, vortices, open seas, waterfalls; 'river', a "
     "river found in the ground"},
    {WORLD(backend, ENUM), CHOICE(backends, RILL_BACKEND_CPU), "where the water is computed", HOST},
    {WORLD(max_substeps, INT), OF("", 256, 1, 100000),
     "most substeps a frame may take; if stability asks for more, deep waves are slowed instead"},
    {WORLD(max_step, DOUBLE), OF("s", 0, 0, 3600),
     "longest substep, where a finer one than stability asks for is wanted", ABOVE,
     AUTOMATIC("none")},
    {WORLD(wet_depth, FLOAT), OF("m", 0, 0, HIGH),
     "a column counts as wet, is drawn and has a velocity above this depth", ABOVE,
     AUTOMATIC("1e-4 cells")},
    {WORLD(worker_count, INT), OF("", 1, 1, 256), "threads that a step may use", HOST},
    {WORLD(max_sources, INT), OF("", 256, 0, 1000000),
     "most springs and drains, also those that a program adds later",
     IN_SCENES("256, or as many as the scene has")},

    {WATER(level, FLOAT), OF("m", 0, -HIGH, HIGH),
     "water up to this level wherever the ground is lower", IN_SCENES("none")},
    {WATER(use_level, FLAG), SWITCH(0), "whether there is water up to that level", HOST},
    {BORDER("west", RILL_SIDE_WEST, "what lies beyond x = 0")},
    {BORDER("east", RILL_SIDE_EAST, "what lies beyond the largest x")},
    {BORDER("south", RILL_SIDE_SOUTH, "what lies beyond y = 0")},
    {BORDER("north", RILL_SIDE_NORTH, "what lies beyond the largest y")},

    {AT(wind.speed, FLOAT), OF("m/s", -1, 0, 100),
     "of the wind that waves, particles, bodies and pictures feel, unless they say otherwise",
     AUTOMATIC("each has its own")},
    {AT(wind.direction, FLOAT), OF("degrees", 30, -360, 360), "where it blows to, from +x to +y"},

    {AT(pipes.area, ENUM), CHOICE(areas, RILL_AREA_WETTED),
     "cross-section of a pipe: 'wetted', which has the right wave speed, or 'paper', a constant, "
     "as the papers have it",
     PIPES},
    {AT(pipes.friction, FLOAT), OF("1/s", 0, 0, 0.999999), "part of the flow lost per second",
     PIPES},
    {AT(pipes.viscosity, FLOAT), OF("m^2/s", 0, 0, 1),
     "kinematic; water 1e-6, blood 4e-6, honey 5e-3", PIPES},
    {AT(pipes.drag, FLOAT), OF("", 0, 0, 1),
     "friction coefficient of a rough bed, sqrt(g S H / drag) is the speed on a slope S; streams "
     "0.01 to 0.05",
     PIPES},
    {AT(pipes.smoothing, FLOAT), OF("", -1, 0.5, 1),
     "weight of a face among its neighbours when flows are smoothed; 1 is none", PIPES,
     AUTOMATIC("0.9 for wetted pipes, 1 for the paper's")},

    {AT(pipes.critical_flow, FLAG), SWITCH(1),
     "limits what flows through gates and over sills and brinks to critical flow, sqrt(g) (2/3 "
     "H)^1.5; for wetted pipes",
     ONLY_PIPES},
    {AT(pipes.head, ENUM), CHOICE(heads, RILL_HEAD_LEVEL),
     "what makes new flow: 'level', the drop of the level, or 'interval', where water touches air, "
     "at most its depth, as Kellomäki has it",
     ONLY_PIPES},

    {AT(layers.max_layers, INT), OF("", 8, 1, 64), "most columns above each other in a cell",
     LAYERS},
    {AT(layers.on_more, ENUM), CHOICE(more, RILL_MORE_REFUSED),
     "what to do with a cell that has more: 'refuse' is an error that names it, 'widest' keeps the "
     "widest ones",
     LAYERS},
    {AT(layers.passages, ENUM), CHOICE(passages, RILL_PASSAGES_UNIFIED),
     "how liquid gets through what is flooded up to its ceiling: 'unified', passages of any shape; "
     "'axis', straight along x and y; 'none', not at all",
     LAYERS},
    {AT(layers.slope_correction, FLAG), SWITCH(0),
     "measures films across and not upright, so that they run at the right speed on steep ground",
     LAYERS},
    {AT(layers.max_movers, INT), OF("", 16, 0, 10000),
     "most solids that move, also those that a program adds later", LAYERS,
     IN_SCENES("16, or as many as the scene has")},

    {AT(swe.advection, ENUM), CHOICE(advections, RILL_ADVECTION_CONSERVATIVE),
     "how the water carries its own velocity: 'conservative' keeps momentum, so bores and dam "
     "breaks have the right speed; 'maccormack' keeps vortices",
     SWE},
    {AT(swe.viscosity, FLOAT), OF("m^2/s", 0, 0, 1), "kinematic; shear against the bed", SWE},
    {AT(swe.manning, FLOAT), OF("s/m^(1/3)", 0, 0, 1),
     "roughness n of the bed; rivers 0.02 to 0.05", SWE},
    {AT(swe.eddy_viscosity, FLOAT), OF("m^2/s", 0, 0, 1000),
     "of eddies too small for the grid, a constant; shear between columns", SWE},
    {AT(swe.smagorinsky, FLOAT), OF("", 0, 0, 1),
     "C_s, for an eddy viscosity (C_s dx)^2 S that grows with the shear S; 0.1 to 0.2 is usual",
     SWE},
    {AT(swe.acceleration, FLOAT), VECTOR("m/s^2", -100, 100, 0, 0), "from outside, `[ax, ay]`",
     SWE},
    {AT(swe.velocity_limit, FLOAT), OF("", 0.5, 0.001, 0.5),
     "no velocity above this part of dx / dt", SWE},
    {AT(swe.depth_limit, FLOAT), OF("", 0.5, 0.001, 0.5),
     "where `max_substeps` binds: water deeper than this times dx^2 / (g dt^2) makes no faster "
     "waves",
     SWE},
    {AT(swe.cliff, FLOAT), OF("m/m", 1.5, 0.01, 1e6),
     "slope of the bed from which a face is a cliff", SWE},
    {AT(swe.waterfalls, FLAG), SWITCH(1),
     "what goes over a cliff becomes particles, if there are any", SWE, ALIAS("swe.falls")},
    {AT(swe.overshoot, FLOAT), OF("", 0, 0, 0.5),
     "part of an overshooting crest that is cut in a step; the ledger has it as `corrected`", SWE},
    {AT(swe.overshoot_edge, FLOAT), OF("cells", 2, 0, 1e6), "height of such a crest", SWE},
    {AT(swe.absorb_cells, INT), OF("cells", 10, 2, 1000), "width of an absorbing layer", SWE},
    {AT(swe.absorb_reflection, FLOAT), OF("", 1e-4, 1e-30, 0.999),
     "part of a wave that the layer may send back, straight on", SWE},

    {AT(river.speed, FLOAT), OF("m/s", 1.3, 1e-3, 20), "mean over the river", RIVER},
    {AT(river.viscosity, FLOAT), OF("m^2/s", 0.05, 0, 100), "of eddies too small for the grid",
     RIVER},
    {AT(river.bank, ENUM), CHOICE(banks, RILL_RIVER_FREE_SLIP),
     "whether water slides along banks and rocks or stands still at them", RIVER},
    {AT(river.pressure, ENUM), CHOICE(pressures, RILL_RIVER_MULTIGRID),
     "'multigrid', solved until it holds; 'jacobi', a number of sweeps, as Burrell has it", RIVER},
    {AT(river.sweeps, INT), OF("", 20, 1, 1000), "of 'jacobi'", RIVER},
    {AT(river.tolerance, FLOAT), OF("", 5e-5, 1e-6, 1),
     "largest divergence left by 'multigrid', times cell size over mean speed", RIVER},
    {AT(river.vary, FLOAT), OF("", 0.01, 0, 1), "random part of the impulses", RIVER},
    {AT(river.min_speed, FLOAT), OF("`speed`", 0.05, 0, 1), "slowest flow", RIVER},
    {AT(river.max_speed, FLOAT), OF("`speed`", 3, 1, 1000), "fastest flow", RIVER},
    {AT(river.reversal, FLOAT), OF("degrees", 15, 0, 180),
     "angle around straight back in which a flow is turned", RIVER},
    {AT(river.straight, FLOAT), OF("", 0, 0, 1000),
     "weight of the direction at the border in all hints", RIVER},
    {AT(river.direction, FLOAT), OF("degrees", NONE, -360, 360),
     "of the flow at the border it comes in by, from +x to +y", RIVER, AUTOMATIC("straight in")},
    {AT(river.bootstrap, DOUBLE), OF("s", -1, -1, FAR),
     "flow before the start; -1: until the first water has come through", RIVER},
    {AT(river.dye_conservative, FLAG), SWITCH(1), "dye is never made or lost, or semi-Lagrangian",
     RIVER},
    {AT(river.detail_solver, FLAG), SWITCH(0), "cells are merged with the distance from the viewer",
     RIVER},
    {AT(river.detail_waves, FLAG), SWITCH(0),
     "wave particles get fewer with the distance from the viewer", RIVER},
    {AT(river.detail_distance, FLOAT), OF("m", 500, 1e-3, FAR), "where that begins", RIVER},
    {AT(river.viewer, DOUBLE), VECTOR("m", -FAR, FAR, 0, 0, 0), "`[x, y, z]` at the start", RIVER,
     IN_SCENES("the first camera's place")},

    {AT(river.path.from, ENUM), CHOICE(origins, RILL_RIVER_FROM_AUTO),
     "side that it comes in by; 'auto': the largest stem, found by the areas that drain, wherever "
     "it "
     "rises or comes in",
     RIVER},
    {AT(river.path.surface, ENUM), CHOICE(surfaces, RILL_RIVER_PROFILE),
     "'profile', falling along channels found in the ground; 'plane', one level", RIVER},
    {AT(river.path.level, DOUBLE), OF("m", 0, -HIGH, HIGH), "of a plane", RIVER, NEEDED},
    {AT(river.path.depth, DOUBLE), OF("m", NONE, 1e-3, 1e4),
     "of a profile, over the lowest line of the main channel; with 'auto' the mean where it leaves",
     RIVER, AUTOMATIC("4, or from `runoff`")},
    {AT(river.path.catchment, DOUBLE), OF("m^2", 0, 0, ENDLESS),
     "of a profile: area that drains through a side branch at least; 0: a hundredth of the grid",
     RIVER},
    {AT(river.path.smoothing, DOUBLE), OF("m", 0, 0, 1e6), "of the ground before looking", RIVER},
    {AT(river.path.outlet, ENUM), CHOICE(outlets, RILL_RIVER_OUTLET_ANY),
     "of 'auto': side that it leaves by", RIVER},
    {AT(river.path.through, DOUBLE), VECTOR("m", -FAR, FAR, NONE, NONE),
     "of 'auto': point that it goes by, within 10 cells", RIVER, AUTOMATIC("the largest stem")},
    {AT(river.path.width, DOUBLE), OF("m", NONE, 1e-3, 1e5),
     "of 'auto': where it leaves, at least a cell", RIVER, AUTOMATIC("from `runoff`")},
    {AT(river.path.runoff, DOUBLE), OF("mm/day", 20, 1e-3, 1e4),
     "of 'auto': from the catchment, when the river is full to its banks", RIVER},
    {AT(river.path.no_data, DOUBLE), OF("m", ENDLESS, -HIGH, ENDLESS),
     "elevation from which cells hold no data", RIVER, HOST},

    {AT(river.columns.cells, INT), OF("", 4, 0, 16),
     "of a hydrostatic column; 0: no columns, the bed is not felt", RIVER},
    {AT(river.columns.weight, FLOAT), OF("", 1, 0, 4), "z: how much they change the flow", RIVER,
     ALIAS("river.columns.share")},
    {AT(river.columns.limit, FLOAT), OF("", 3, 1, 100), "by at most this factor", RIVER},
    {AT(river.columns.vary, FLOAT), OF("", 0.05, 0, 0.5), "random part of their pressure", RIVER},
    {AT(river.columns.friction, FLOAT), OF("", 0.1, 0, 1), "part of a pipe's flow kept per second",
     RIVER},
    {AT(river.columns.along, FLAG), SWITCH(0),
     "runs them along with the river, else they are rebuilt when the ground changes", RIVER},

#define PARTICLES(member, kind) ALIAS("river.drift.") #member, AT(river.wave_particles.member, kind)
    {PARTICLES(texels, INT), OF("", 4, 0, 16), "of the output along a cell; 0: no such waves",
     RIVER},
    {PARTICLES(size, INT), OF("", 256, 16, 1024),
     "points of the wave texture a side, a power of two", RIVER, POWERS},
    {PARTICLES(tile, FLOAT), OF("m", 0, 0, 1e6), "its side; 0: 256 texels", RIVER},
    {PARTICLES(wind, FLOAT), OF("m/s", 0, 0.01, 100), "of the wind that made it", RIVER,
     AUTOMATIC("`wind.speed`, or else 4")},
    {PARTICLES(wind_direction, FLOAT), OF("degrees", NONE, -360, 360),
     "where that wind blows to, from +x to +y", RIVER, AUTOMATIC("`wind.direction`")},
    {PARTICLES(height, FLOAT), OF("", 1, 0, 1000), "times that of a grown sea", RIVER},
    {PARTICLES(life, FLOAT), OF("s", 6, 0.01, 1e6), "mean life of a particle", RIVER},
    {PARTICLES(distance, FLOAT), OF("m", 0, 0, FAR),
     "from its birth place after which it is not seen; 0: a twentieth of the river", RIVER},
    {PARTICLES(max_particles, INT), OF("", 0, 0, 1e8), "0: eight a wet cell", RIVER},
#undef PARTICLES

    {AT(particles.max_particles, INT), OF("", 0, 0, 1e7), "most of them at once",
     ALIAS("particles.max"), NEEDED},
    {AT(particles.radius, FLOAT), OF("m", 0, 0, 1e3), "of a splash", ABOVE,
     AUTOMATIC("an eighth of a cell")},
    {AT(particles.spray_radius, FLOAT), OF("", 0.5, 0.01, 1), "of spray, over that of a splash"},
    {AT(particles.deposit, FLOAT), OF("", 4, 1, 1000),
     "how many times its own ball a particle holds"},
    {AT(particles.spray_drag, FLOAT), OF("1/s", 1.5, 0, 1000),
     "part of its speed against the air that spray loses per second"},
    {AT(particles.splash_drag, FLOAT), OF("1/s", 0.1, 0, 1000), "the same of a splash"},
    {AT(particles.wind, FLOAT), VECTOR("m/s", -1000, 1000, NONE, NONE),
     "velocity of the air, `[x, y]`; bodies feel it too", AUTOMATIC("`[wind]`, or else none")},
    {AT(particles.velocity_noise, FLOAT), OF("", 0.1, 0, 1), "random part of the first velocity"},
    {AT(particles.breaking_slope, FLOAT), OF("m/m", 0.15, 0, 1e6),
     "a wave breaks where it is steeper than this"},
    {AT(particles.breaking_rise, FLOAT), OF("m/s", 1, 0, 1e6), "and rises faster than this"},
    {AT(particles.breaking_curvature, FLOAT), OF("1/m", -1, -1e9, 1e9),
     "and its Laplacian is below this"},
    {AT(particles.breaking_amount, FLOAT), OF("", 0.2, 0, 100),
     "water that breaks off, as a part of what rises, per unit of slope; 0: waves do not break"},
    {AT(particles.breaking_lift, FLOAT), OF("", 0.5, 0, 100),
     "its upward speed over that at which the surface rises"},
    {AT(particles.spray_share, FLOAT), OF("", 0.15, 0, 1), "part of it that is spray"},
    {AT(particles.foam_speed, FLOAT), OF("m/s", 4, 0, 1e6),
     "impact speed from which a splash always leaves foam; 0: none"},
    {AT(particles.foam_life, FLOAT), OF("s", 4, 0, 1e6), "mean life of foam"},
    {AT(particles.foam_life_noise, FLOAT), OF("", 0.5, 0, 1), "how much it varies"},
    {AT(particles.foam_radius, FLOAT), OF("m", 0, 0, 1e3), "of a disc of foam", ABOVE,
     AUTOMATIC("a quarter of a cell")},

    {AT(waves.size, INT), OF("", 0, 16, 1024), "points of the texture a side, a power of two",
     POWERS, AUTOMATIC("no such waves"), IN_SCENES("256")},
    {AT(waves.tile, FLOAT), OF("m", 0, 0, 1e6), "side of the texture", ABOVE,
     AUTOMATIC("16 cells")},
    {AT(waves.wind, FLOAT), OF("m/s", 0, 0.01, 100), "of the wind that made them",
     AUTOMATIC("`wind.speed`, or else 4")},
    {AT(waves.wind_direction, FLOAT), OF("degrees", NONE, -360, 360),
     "where that wind blows to, from +x to +y", AUTOMATIC("`wind.direction`")},
    {AT(waves.height, FLOAT), OF("", 1, 0, 1000), "times that of a grown sea"},
    {AT(waves.longest, FLOAT), OF("m", 0, 0, 1e6), "longest wave in it", ABOVE,
     AUTOMATIC("2 cells")},
    {AT(waves.stretch, FLOAT), OF("", 1, 0, 1000),
     "how fast they fade where the flow pulls them apart"},
    {AT(waves.period, FLOAT), OF("s", 3, 0.01, 1e6),
     "after which texture coordinates are laid anew"},
    {AT(waves.chop, FLOAT), OF("", 1, 0, 2), "how far crests are drawn together; 0: heights alone"},

    {AT(domain.i, INT), OF("", 0, 0, RILL_MAX_SIDE),
     "cell of the full terrain at its corner at the start, along x", SWE, ALIAS("window.i")},
    {AT(domain.j, INT), OF("", 0, 0, RILL_MAX_SIDE), "the same along y", SWE, ALIAS("window.j")},
    {AT(domain.repeats, FLAG), SWITCH(0),
     "the full terrain begins anew beyond its ends along x, with its water", SWE},
    {AT(domain.fall, FLOAT), OF("m", 0, -1e6, 1e6), "how much lower it lies each time round", SWE},
    {AT(domain.body, INT), OF("", 0, 0, 10000),
     "the body that its middle follows, counted from 1; 0: none", SWE, ALIAS("window.body")},

    {AT(bodies.max_bodies, INT), OF("", 0, 0, 10000),
     "most of them, also those that are thrown in later", ALIAS("bodies.max"),
     IN_SCENES("those of the scene")},
    {AT(bodies.max_vertices, INT), OF("", 0, 0, 1e7),
     "most vertices of all their meshes; needed with meshes from files", AUTOMATIC("64 a body"),
     IN_SCENES("those of the scene, and 200 for each body more")},
    {AT(bodies.max_triangles, INT), OF("", 0, 0, 1e7), "the same of triangles",
     AUTOMATIC("128 a body"), IN_SCENES("those of the scene, and 400 for each body more")},
    {AT(bodies.density, FLOAT), OF("kg/m^3", 1000, 1, 1e5), "of the water"},
    {AT(bodies.kappa, FLOAT), OF("", 1, 0.01, 1e6),
     "triangles are divided until smaller than this many cells"},
    {AT(bodies.decay, FLOAT), OF("1/m", 1, 0, 1e6),
     "how fast the effect of a body on the water fades with its depth"},
    {AT(bodies.splash_speed, FLOAT), OF("m/s", 1.5, 0, 1e6), "speed from which a body splashes"},
    {AT(bodies.splash_amount, FLOAT), OF("s/m", 0.02, 0, 100),
     "water thrown up, as a part of what is swept, per speed above that"},
    {AT(bodies.splash_normal, FLOAT), OF("", 0.86, -10, 10),
     "part of the body's velocity across its surface in that of splashes"},
    {AT(bodies.splash_along, FLOAT), OF("", 0.15, -10, 10), "part of that along it"},
    {AT(bodies.splash_lift, FLOAT), OF("", 0.005, -10, 10), "part that goes along the normal"},
    {AT(bodies.splash_mirror, FLOAT), OF("", 0.4, -10, 10), "part that is mirrored at the surface"},
    {AT(bodies.spread, FLOAT), OF("", 0.2, 0, 0.25),
     "part of displaced water that each neighbour gets in a step"},
    {AT(bodies.release, FLOAT), OF("1/s", 0.5, 0, 1e6),
     "part of it that becomes water again per second"},
    {AT(bodies.fence, FLAG), SWITCH(1),
     "walls at the borders that only bodies feel; without them who leaves is gone"},
    {AT(bodies.engine_step, FLOAT), OF("s", 1.0 / 60.0, 1e-5, 1),
     "longest step of rigid and soft bodies"},

    {BODY(shape, ENUM), CHOICE(shapes, RILL_BODY_BOX),
     "'hull' is a boat, its bow towards +x, 'sheet' is cloth"},
    {BODY(size, DOUBLE), VECTOR("m", 1e-6, 1e6, 1, 1, 1),
     "box and hull `[x, y, z]`, sheet `[x, y]`", NEEDED},
    {BODY(radius, DOUBLE), OF("m", 0.5, 1e-6, 1e6), "of a sphere or cylinder", NEEDED},
    {BODY(length, DOUBLE), OF("m", 1, 1e-6, 1e6), "of a cylinder along its z", NEEDED},
    {BODY(cells, INT), VECTOR("", 1, 1000, 12, 8), "sheet: squares along its sides"},
    {BODY(motion, ENUM), CHOICE(motions, RILL_BODY_RIGID),
     "'rigid': falls, floats, collides; 'fixed': stays, or goes along `path`; 'soft': cloth, or a "
     "ball full of air"},
    {BODY(coupling, ENUM), CHOICE(couplings, RILL_COUPLING_PASS),
     "'none', 'pass': water runs through, 'block': it goes round",
     IN_SCENES("as `bodies.coupling` says")},
    {BODY(position, DOUBLE), VECTOR("m", -FAR, FAR, 0, 0, 0), "of its centre of mass",
     IN_SCENES("needed, or a `path`")},
    {BODY(velocity, DOUBLE), VECTOR("m/s", -1e4, 1e4, 0, 0, 0), "at the start"},
    {BODY(spin, DOUBLE), VECTOR("rad/s", -1e4, 1e4, 0, 0, 0),
     "at the start, about the axes of the world"},
    {BODY(density, DOUBLE), OF("kg/m^3", 500, 1e-3, 1e6),
     "of the whole volume; of cloth per area, kg/m^2"},
    {BODY(thickness, DOUBLE), OF("m", 0, 0, 1e3),
     "sheet: so much of it displaces water; 0: it has no buoyancy"},
    {BODY(friction, DOUBLE), OF("", 0.6, 0, 10), "against other bodies and the ground"},
    {BODY(bounce, DOUBLE), OF("", 0.1, 0, 1), "part of the speed that comes back from a collision"},
    {BODY(drag, DOUBLE), OF("", 1, 0, 1000), "C_D"},
    {BODY(lift, DOUBLE), OF("", 0, 0, 1000), "C_L"},
    {BODY(area_weight, DOUBLE), OF("", 1, 0, 1),
     "omega: 1 counts the area across the flow alone, 0 all of the side that faces it"},
    {BODY(displacement, DOUBLE), OF("", 1, 0, 1), "C_dis: part of the swept volume felt at once"},
    {BODY(adaptation, DOUBLE), OF("1/s", 0.2, 0, 1000),
     "C_adapt: how fast water takes on the velocity of a body that is in it"},
    {BODY(stretch_stiffness, DOUBLE), OF("", 1, 0, 1), "soft: how much it resists stretching"},
    {BODY(bend_stiffness, DOUBLE), OF("", 0.1, 0, 1), "soft: how much it resists bending"},
    {BODY(pressure, DOUBLE), OF("", 1, 0, 100),
     "soft and closed: of the air inside, times what keeps its volume"},
    {BODY(thrust, DOUBLE), OF("N", 0, 0, 1e12), "rigid: of the propeller that follows `course`"},
    {BODY(start, DOUBLE), OF("s", 0, -ENDLESS, ENDLESS), "in the world from then on"},
    {BODY(end, DOUBLE), OF("s", ENDLESS, -ENDLESS, ENDLESS), "and until then",
     IN_SCENES("for ever")},
    {BODY(material, ENUM), CHOICE(materials, RILL_MATERIAL_PLAIN), "what it is drawn as",
     ALIAS("body.look")},
    {BODY(colour, FLOAT), VECTOR("", 0, 1, 1, 1, 1), "tints the material, linear `[r, g, b]`"},

    {EMITTER(kind, ENUM), CHOICE(emitters, RILL_EMITTER_JET),
     "'jet': a faucet, a jug, a hose; 'rain': drops from a rectangle"},
    {EMITTER(position, DOUBLE), VECTOR("m", -FAR, FAR, 0, 0, 0), "of its middle, `[x, y, z]`",
     IN_SCENES("needed, or a `path`")},
    {EMITTER(velocity, DOUBLE), VECTOR("m/s", -1e4, 1e4, 0, 0, 0),
     "of what comes out, `[x, y, z]`"},
    {EMITTER(radius, DOUBLE), OF("m", 0.1, 0, 1e6), "of the mouth of a jet"},
    {EMITTER(size, DOUBLE), VECTOR("m", 0, FAR, 0, 0), "of the rectangle of a rain",
     IN_SCENES("needed for a rain")},
    {EMITTER(rate, DOUBLE), OF("m^3/s", 0, 0, 1e9), "how much water comes out",
     IN_SCENES("needed, but for foam")},
    {EMITTER(discs, DOUBLE), OF("1/s", 0, 0, 1e7), "how many discs of foam come out",
     IN_SCENES("needed for foam")},
    {EMITTER(spread, DOUBLE), OF("", 0.05, 0, 1), "random part of the velocity"},
    {EMITTER(particle, ENUM), CHOICE(particles, RILL_PARTICLE_SPLASH), "what comes out"},
    {EMITTER(start, DOUBLE), OF("s", 0, -ENDLESS, ENDLESS), "active from then on"},
    {EMITTER(end, DOUBLE), OF("s", ENDLESS, -ENDLESS, ENDLESS), "and until then, which is later",
     IN_SCENES("for ever")},

    {SOURCE(radius, DOUBLE), OF("m", 0, 0, FAR),
     "the water is spread over cells with centres this near; a small one means the nearest cell"},
    {SOURCE(rate, DOUBLE), OF("m^3/s", 0, 0, 1e12),
     "what a spring gives and a drain takes; in C a drain has a negative rate", ABOVE,
     AUTOMATIC("nothing"), NEEDED},
    {SOURCE(start, DOUBLE), OF("s", 0, -ENDLESS, ENDLESS), "active from then on"},
    {SOURCE(end, DOUBLE), OF("s", ENDLESS, -ENDLESS, ENDLESS), "and until then, which is later",
     IN_SCENES("for ever")},
    {SOURCE(pulse, DOUBLE), OF("1/s", 0, 0, 1000), "beats per second; needs `pulse_depth`", ABOVE,
     AUTOMATIC("none")},
    {SOURCE(pulse_depth, DOUBLE), OF("", 0, 0, 1),
     "part of the rate that comes in beats; needs `pulse`", IN_SCENES("none")},
};

const int rl_parameter_count = (int)(sizeof rl_parameter_rows / sizeof rl_parameter_rows[0]);
