// SPDX-License-Identifier: MIT
// sims.h - for tests of the window's simulation: starting it and waiting for it.
#pragma once

#include "apps/view/sim/sim.h"
#include "tests/kit/kit.h"

#include <time.h>

#define LIMIT 60000 // milliseconds until something that must happen has failed to

static inline void sleep_briefly(void)
{
    const struct timespec millisecond = {.tv_nsec = 1000000};
    nanosleep(&millisecond, NULL);
}

static inline sim *make_sim(sim_def def)
{
    sim *s = NULL;
    assert_ok(sim_create(&def, &s));
    return s;
}

// Waits for the first still.
static inline sim *started_sim(sim_def def)
{
    sim *s = make_sim(def);
    for (int n = 0; n < LIMIT && sim_newest(s).frame_data == NULL; n++) {
        if (sim_get_state(s).failed != RILL_OK)
            fail_msg("%s", sim_get_state(s).note);
        sleep_briefly();
    }
    assert_non_null(sim_newest(s).frame_data);
    return s;
}

static inline sim_answer ask(sim *s, double x, double y)
{
    sim_answer answer;
    assert_true(sim_ask(s, x, y, &answer));
    return answer;
}
