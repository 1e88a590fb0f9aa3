// SPDX-License-Identifier: MIT
// sim_thread.h - what the two sides of sim.h share: sim.c is the side of the thread that draws,
// sim_thread.c the thread that simulates. The mutex is held for a few instructions at a time and
// never while the world steps or a still is taken, so neither side waits for the other's work.
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
    bool stopping, restarting, asked, repace;
    sim_request *wanted; // scene to open
    sim_command queue[SIM_QUEUE];
    int first, count;
    int steps;    // single ones to take
    double until; // infinite: no end
    double hold;  // infinite: none
    double ask_x, ask_y;
    double eye[3];    // of who looks
    bool eye_known;   // after the first picture
    bool births;      // stills carry particles of drifting waves
    bool grabbing;    // the hand holds, or wants to hold, what its ray meets
    bool grab_fresh;  // and has not got it yet
    sim_ray grab_ray; // of that moment: the hand may have moved on
    sim_ray ray;
    double fetched_at, fetch_period; // when a still was drawn, and how long after the one before
    sim_answer answer;
    bool answer_valid;
    sim_state state;
    bool unseen; // there is something to see that the last still does not show

    stage *stage; // written by the simulation's thread under the mutex; see also loaded_scene.h

    // Of the simulation's thread.
    unsigned epoch;
    double taken_at;
    double due; // when the next step should begin
    double window_start, window_simulated, window_lost;

    // Of the picture's thread.
    stage *drawn;
};

// The thread; its argument is the sim.
void *sim_work(void *argument);

double sim_seconds(void); // that never go back

// Ends whatever is running. With the mutex held.
void sim_halt(sim *s);

void sim_free_request(sim_request *r);
