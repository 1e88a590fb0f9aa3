// SPDX-License-Identifier: MIT
// sim.h - the simulation on a thread of its own. It runs at real time times a speed and provides
// frame data; the picture takes the newest and never waits. What the user does to the world goes
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

// Starts the thread, which opens the scene; it is there when sim_newest() has frame data.
rill_status sim_create(const sim_def *def, sim **out);
void sim_destroy(sim **s);

// ---- Inputs of a picture ---------------------------------------------------------------

typedef struct sim_picture {
    const loaded_scene *loaded; // NULL before the first scene is open
    const frame_data *frame_data;
    unsigned epoch; // another number than before: another scene, or the same from its start
    bool fresh;     // not the frame data of the call before
} sim_picture;

// Returns the newest frame data. They are valid until the next call.
sim_picture sim_newest(sim *s);

typedef struct sim_state {
    bool paused;
    bool opening;                  // a scene is being opened
    bool until_reached;            // no sim_run_until() is under way
    double speed;                  // wanted: simulated seconds a second
    double rate;                   // what came of it lately; 0 while paused
    bool too_slow;                 // the machine cannot keep up
    double step_ms, frame_data_ms; // the last ones
    bool holding;                  // the picker holds a body
    double held_at[3];             // there, metres: the point of it that was grabbed
    rill_status failed;            // of the scene asked for first
    char note[512];                // the message of the last error
    unsigned notes;                // how many there were
} sim_state;

sim_state sim_get_state(sim *s);

// ---- Time ------------------------------------------------------------------------------

void sim_pause(sim *s, bool paused);
void sim_set_speed(sim *s, double speed);

// Pauses and takes one frame.
void sim_step(sim *s);

// Runs as fast as it can to the first frame at `time` or later, then pauses.
void sim_run_until(sim *s, double time);

// Goes to the first frame at `time` or later, provides its frame data and waits there until it gets
// another time: a film gets the frames it needs. Infinite: no waiting.
void sim_hold(sim *s, double time);

// Starts the scene again. What waits in the queue is dropped.
void sim_restart(sim *s);

// Opens another scene. The present one goes on until it is open, and if it cannot be opened.
rill_status sim_open(sim *s, const char *scene, const char *const *overrides, int count);

// ---- Viewer ----------------------------------------------------------------------------

// Sets the position of the viewer, metres: a river whose detail goes with the distance from the
// viewer gets it before every step. Other worlds do not.
void sim_set_viewer(sim *s, const double position[3]);

// Sets whether frame data have the wave particles that OVERLAY_BIRTHS shows.
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

// Bodies that can be thrown.
typedef enum sim_body {
    SIM_BODY_CRATE,
    SIM_BODY_BARREL,
    SIM_BODY_BALL,
    SIM_BODY_STONE,
    SIM_BODY_COUNT
} sim_body;

// A ray into the world. The domain may have moved on over the full terrain since the picture was
// drawn in which the mouse points, so the ray has the cell of that picture.
typedef struct sim_ray {
    double origin[3], direction[3]; // metres; a unit vector
    double ground; // metres along it: bodies behind are hidden. Infinite: it meets no ground
    double reach;  // what is held is this many times as far away as it was when it was grabbed
    int cell[2];   // of the full terrain, under the corner of the grid (rill_world_origin)
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

// Queues a command. Returns false when the queue is full: try again with the next picture.
bool sim_order(sim *s, const sim_command *command);

// sim_grab() takes the body that the ray meets first; from then on a spring draws the point that
// was met to the ray, in every step. sim_drag() moves the ray. All three take effect at once:
// nothing of them waits in the queue, so none can be lost when it is full.
void sim_grab(sim *s, const sim_ray *ray);
void sim_drag(sim *s, const sim_ray *ray);
void sim_let_go(sim *s);

// ---- Queries ---------------------------------------------------------------------------

typedef struct sim_answer {
    double time;
    uint64_t hash;
    rill_ledger ledger;
    rill_stats stats;
    rill_step_info last;
    rill_probe probe; // at the place asked for
    int bodies;
    bool holds, has_thrown; // the picker holds a body; the one thrown last is still there
    rill_body_state held, thrown;
} sim_answer;

// Queries the world itself after all commands that were queued before. Waits for the answer.
// Returns false when there is no world.
bool sim_ask(sim *s, double x, double y, sim_answer *out);
