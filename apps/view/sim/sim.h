// SPDX-License-Identifier: MIT
// sim.h - the simulation on a thread of its own. It runs at real time times a speed and hands over
// stills; the picture takes the newest and never waits. What the hand does to the world goes
// through a queue and happens between two steps, also while the simulation is paused.
//
// All functions are for the one thread that draws.
#pragma once

#include "apps/view/sim/loaded_scene.h"

#include "render/frame/frame_data.h"

#include "rill/base.h"
#include "rill/bodies.h"
#include "rill/terrain.h"
#include "rill/world.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_SLOWEST (1.0 / 16.0)
#define SIM_FASTEST 16.0
#define SIM_QUEUE   64 // commands that may wait

typedef struct sim sim;

typedef struct sim_def {
    const char *scene;
    const char *const *overrides;
    int override_count;
    int threads; // 0: all cores
    rill_backend backend;
    bool paused; // at the start
    // Called from the simulation's thread when there is something new to see. May be NULL.
    void (*wake)(void *user);
    void *user;
} sim_def;

// Starts the thread, which opens the scene; it is there when sim_newest() has a still.
rill_status sim_create(const sim_def *def, sim **out);
void sim_destroy(sim **s);

// ---- What the picture needs ------------------------------------------------------------

typedef struct sim_picture {
    const stage *stage; // NULL before the first scene is open
    const frame_data *frame_data;
    unsigned epoch; // another number than before: another scene, or the same from its start
    bool fresh;     // not the still of the call before
} sim_picture;

// The newest still. Valid until the next call.
sim_picture sim_newest(sim *s);

typedef struct sim_state {
    bool paused;
    bool opening;             // a scene is being opened
    bool until_reached;       // no sim_run_until() is under way
    double speed;             // wanted: simulated seconds a second
    double rate;              // what came of it lately; 0 while paused
    bool too_slow;            // the machine cannot keep up
    double step_ms, still_ms; // the last ones
    bool holding;             // a body is in the hand
    double held_at[3];        // there, metres: the point of it that was grabbed
    rill_status failed;       // of the scene asked for first
    char note[512];           // the last thing that went wrong
    unsigned notes;           // how many there were
} sim_state;

sim_state sim_look(sim *s);

// ---- Time ------------------------------------------------------------------------------

void sim_pause(sim *s, bool paused);
void sim_set_speed(sim *s, double speed);

// Pauses and takes one frame.
void sim_step(sim *s);

// Runs as fast as it can to the first frame at `time` or later, then pauses.
void sim_run_until(sim *s, double time);

// Goes to the first frame at `time` or later, hands over a still of it and waits there until it is
// told another time: a film gets the moments it needs. Infinite: no waiting.
void sim_hold(sim *s, double time);

// From the scene's first moment again. What waits in the queue is dropped.
void sim_restart(sim *s);

// Another scene. What runs goes on until it is open, and if it cannot be opened.
rill_status sim_open(sim *s, const char *scene, const char *const *overrides, int count);

// ---- Who looks -------------------------------------------------------------------------

// Where the eye is, metres: a river whose detail goes with the distance from the viewer is told so
// before every step. Other worlds never hear of it.
void sim_set_eye(sim *s, const double eye[3]);

// Stills carry the particles that OVERLAY_BIRTHS shows, or not.
void sim_show_births(sim *s, bool shown);

// ---- Changing the world ----------------------------------------------------------------

typedef enum sim_kind {
    SIM_POUR,
    SIM_BRUSH,
    SIM_COMBINE, // a solid ground alone
    SIM_BORDER,
    SIM_RAIN,        // `rate`
    SIM_EVAPORATION, // `rate`
    SIM_THROW,
    SIM_REMOVE // the body that `ray` meets first
} sim_kind;

// What can be thrown.
typedef enum sim_body {
    SIM_BODY_CRATE,
    SIM_BODY_BARREL,
    SIM_BODY_BALL,
    SIM_BODY_STONE,
    SIM_BODY_COUNT
} sim_body;

// A look into the world. The grid may have moved on over its country since the picture was drawn
// in which the mouse points, so it says which one was meant.
typedef struct sim_ray {
    double origin[3], direction[3]; // metres; a unit vector
    double ground; // metres along it: bodies behind are hidden. Infinite: it meets no ground
    double reach;  // what is held is this many times as far away as it was when it was grabbed
    int cell[2];   // of the country, under the corner of the grid (rill_world_origin)
} sim_ray;

typedef struct sim_command {
    sim_kind kind;
    union {
        struct {
            double x, y, radius, volume; // metres and m^3; negative takes water away
            double z;                    // metres: which column, where several are above each other
        } pour;
        rill_brush brush;
        struct {
            double centre[3], radius; // of a ball, metres
            rill_combine how;
            double blend; // metres
        } combine;
        struct {
            rill_side side;
            rill_border border;
            float level;
        } border;
        double rate; // m/s
        struct {
            sim_body body;
            double size; // metres
            rill_coupling coupling;
            double position[3], velocity[3]; // metres, m/s
            int cell[2];                     // as in sim_ray
        } thrown;
        sim_ray ray;
    };
} sim_command;

// Queues a command. False when the queue is full: try again with the next picture.
bool sim_order(sim *s, const sim_command *command);

// Takes the body that the ray meets first into the hand; from then on a spring draws the point
// that was met to the ray, in every step. sim_drag() moves the ray. All three are at once what the
// hand does last: nothing of them waits in the queue, so none can be lost when it is full.
void sim_grab(sim *s, const sim_ray *ray);
void sim_drag(sim *s, const sim_ray *ray);
void sim_let_go(sim *s);

// ---- Questions -------------------------------------------------------------------------

typedef struct sim_answer {
    double time;
    uint64_t hash;
    rill_ledger ledger;
    rill_stats stats;
    rill_probe probe; // at the place asked for
    int bodies;
    bool holds, has_thrown; // a body is in the hand; the one thrown last is still there
    rill_body_state held, thrown;
} sim_answer;

// Asks the world itself after all commands that were queued before. Waits for the answer. False
// when there is no world.
bool sim_ask(sim *s, double x, double y, sim_answer *out);
