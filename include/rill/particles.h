// SPDX-License-Identifier: MIT
// particles.h - water that has left the height field: spray, splashes and foam (Chentanez
// and Müller section 2.4). A particle takes volume and momentum out of the water where it is born
// and gives both back where it lands. All of them live in one pool of fixed size; when it is full
// the water stays where it is.
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;

/// What a particle is.
typedef enum rill_particle_kind {
    RILL_PARTICLE_SPRAY,  ///< A small drop, held back by the air.
    RILL_PARTICLE_SPLASH, ///< A lump of water in free flight.
    RILL_PARTICLE_FOAM,   ///< Foam: floats on the surface, drifts with it, holds no water. That of
                          ///< an emitter falls as a splash does until it meets the surface.
    RILL_PARTICLE_KIND_COUNT
} rill_particle_kind;

/// Parameters of the particles of a world. Lengths that are 0 are taken from the cells.
typedef struct rill_particles_def {
    /// Most particles alive at once, 0 to 10000000; 0: there are none. Default 0.
    int max_particles;
    /// Radius of a splash particle, metres. 0: an eighth of a cell. Default 0.
    float radius;
    /// Radius of spray over that of a splash, in (0, 1]. Default 0.5.
    float spray_radius;
    /// C_deposit, 1 to 1000: how many times its own ball a particle holds, so that fewer of them
    /// carry the same water. Default 4.
    float deposit;
    /// Part of its speed against the air that a particle loses per second (foam goes with the
    /// water). Default 1.5 and 0.1.
    float spray_drag, splash_drag;
    /// Velocity of the air, m/s. NAN: that of the world's wind, or else 0. Default NAN, NAN.
    float wind[2];
    /// Random part of a particle's first velocity, as a part of its speed, 0 to 1. Default 0.1.
    float velocity_noise;

    /// A cell holds a breaking wave where the surface is steeper than this (rise over run), rises
    /// faster than this, m/s, and its Laplacian is below this, 1/m (Chentanez and Müller section
    /// 2.4.2). Default 0.15, 1, -1.
    float breaking_slope, breaking_rise, breaking_curvature;
    /// Water that breaks off, as a part of what rises, per unit of slope; 0: waves do not break.
    /// Default 0.2.
    float breaking_amount;
    /// lambda_y: upward velocity over the speed at which the surface rises. Default 0.5.
    float breaking_lift;
    /// Part of the water that breaks off, and of what goes over a fall, that becomes spray, 0 to 1.
    /// Default 0.15.
    float spray_share;

    /// Impact speed from which a landing splash always leaves foam, m/s; below it the chance falls
    /// with the square of the speed. 0: no foam. Default 4.
    float foam_speed;
    /// Mean life of foam, seconds, and how much it varies, 0 to 1. Default 4, 0.5.
    float foam_life, foam_life_noise;
    /// Radius of a disc of foam, metres. 0: a quarter of a cell. Default 0.
    float foam_radius;
} rill_particles_def;

/// A definition filled with the defaults above; also in rill_default_world_def().
RILL_API rill_particles_def rill_default_particles_def(void);

/// The particles now, in arrays of `count`. Valid until the next call that changes the world.
typedef struct rill_particles {
    size_t count;
    const float *x, *y, *z;                            ///< Metres.
    const float *velocity_x, *velocity_y, *velocity_z; ///< m/s.
    const float *radius;                               ///< Metres, as it is drawn.
    const float *age;                                  ///< Seconds since it was born.
    const float *life;                                 ///< Foam: seconds it lives; else 0.
    const float *volume;                               ///< m^3 of water that it holds.
    const uint8_t *kind;                               ///< A rill_particle_kind.
} rill_particles;

/// [reader] All-zero for a world without particles.
RILL_API rill_particles rill_world_particles(const rill_world *world);

/// An emitter of a world. All-zero is the null id; stale ids are detected.
typedef struct rill_emitter_id {
    uint32_t index1;
    uint32_t generation;
} rill_emitter_id;

/// The ways in which an emitter gives particles.
typedef enum rill_emitter_kind {
    RILL_EMITTER_JET,  ///< A faucet, a jug, a hose: out of a round mouth in one direction.
    RILL_EMITTER_RAIN, ///< Drops from a rectangle in the sky.
} rill_emitter_kind;

/// Where particles come from besides the water itself. Their water is booked as sourced. Foam lives
/// for particles.foam_life from where it meets the surface on; on dry ground it is gone. Start from
/// rill_default_emitter_def().
typedef struct rill_emitter_def {
    rill_emitter_kind kind;      ///< Default RILL_EMITTER_JET.
    double position[3];          ///< Middle of the mouth, or of the rectangle, metres.
    double velocity[3];          ///< Of what comes out, m/s.
    double radius;               ///< Of the mouth, metres, not negative. Default 0.1.
    double size[2];              ///< Sides of the rectangle along x and y, metres (rain).
    double rate;                 ///< m^3/s, not negative; 0 for foam, which holds no water.
    double discs;                ///< Of foam: discs a second, not negative; else 0. Default 0.
    double spread;               ///< Random part of the velocity, as a part of the speed, 0 to 1.
                                 ///< Default 0.05.
    double start, end;           ///< Seconds. Default 0 and infinity.
    rill_particle_kind particle; ///< What comes out. Default splash.
    /// Where the mouth goes; replaces position. Default 0 keys.
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int path_count;
} rill_emitter_def;

RILL_API rill_emitter_def rill_default_emitter_def(void);

/// At most this many emitters in a world.
#define RILL_MAX_EMITTERS 64

RILL_API rill_status rill_world_add_emitter(rill_world *world, const rill_emitter_def *def,
                                            rill_emitter_id *out);
RILL_API rill_status rill_world_set_emitter(rill_world *world, rill_emitter_id id,
                                            const rill_emitter_def *def);
RILL_API rill_status rill_world_remove_emitter(rill_world *world, rill_emitter_id id);

#ifdef __cplusplus
}
#endif
