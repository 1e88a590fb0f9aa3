// SPDX-License-Identifier: MIT
// sim_thread.h - state of the simulation that its two sides share: sim.c is the side of the thread
// that draws, sim_thread.c the thread that simulates. The mutex is held for a few instructions at a
// time and never while the world steps or frame data are filled, so neither side waits for the
// other's work.
#pragma once

#include "apps/view/sim/sim.h"

#include <pthread.h>

// A scene to open.
typedef struct sim_request {
    char *scene;
    char **overrides;
    int count;
} sim_request;

struct sim {
    int threads;
    rill_backend backend;
    void (*wake)(void *user);
    void *user;
    pthread_t thread;

    pthread_mutex_t mutex;
    pthread_cond_t changed;  // there is something to do
    pthread_cond_t answered; // a question was answered

    // Under the mutex.
    bool stopping, restarting, asked, restart_clock;
    sim_request *wanted; // scene to open
    sim_command queue[SIM_QUEUE];
    int first, count;
    int steps;    // single ones to take
    double until; // infinite: no end
    double hold;  // infinite: none
    double ask_x, ask_y;
    double viewer[3];  // position of the viewer, metres
    bool viewer_known; // after the first picture
    bool births;       // frame data have the wave particles
    bool grabbing;     // the user holds, or wants to hold, what the ray meets
    bool grab_fresh;   // and has not got it yet
    sim_ray grab_ray;  // when the grab began: the mouse may have moved on
    sim_ray ray;
    double shown_at, show_period; // when frame data were drawn, and how long after those before
    sim_answer answer;
    bool answer_valid;
    sim_state state;
    bool unseen; // there is something to see that the last frame data do not show

    loaded_scene
        *loaded; // written by the simulation's thread under the mutex; see also loaded_scene.h

    // Of the simulation's thread.
    unsigned epoch;
    double taken_at;
    double due; // when the next step should begin
    double rate_start, rate_simulated, rate_lost;

    // Of the picture's thread.
    loaded_scene *drawn;
};

// The thread; its argument is the sim.
void *sim_work(void *argument);

double sim_seconds(void); // that never go back

// Ends whatever is running. With the mutex held.
void sim_halt(sim *s);

void sim_free_request(sim_request *r);
