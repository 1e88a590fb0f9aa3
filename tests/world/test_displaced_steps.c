// SPDX-License-Identifier: MIT
// Displaced volume in the steps of a world: it spreads in each of them, however slowly it is
// released and however long the frames are.
#include "bodies/blocking/body_raster.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "world/world_internal.h"

#include <math.h>

enum { N = 65, MIDDLE = N / 2 };

// A deep lake in which all of the displaced volume is in the cell in the middle.
static rill_world *make_lake(float release)
{
    rill_world_def def = lake_def(N, N, 1.0, 50.0);
    def.bodies.max_bodies = 1;
    def.bodies.release = release;
    rill_world *world = make_world(&def);
    rl_bodies *b = world->bodies;
    b->virtual_volume[MIDDLE * N + MIDDLE] = 200.0;
    b->virtual_first[MIDDLE] = MIDDLE;
    b->virtual_end[MIDDLE] = MIDDLE + 1;
    rl_raster_of(b)->active_unknown = true;
    return world;
}

// The mean of the square of the distance from the middle of what is displaced, in cells.
static double spread_of(const rill_world *world)
{
    double sum = 0.0, moment = 0.0;
    for (int n = 0; n < N * N; n++) {
        const int x = n % N - MIDDLE, y = n / N - MIDDLE;
        const double v = world->bodies->virtual_volume[n];
        sum += v;
        moment += v * (double)(x * x + y * y);
    }
    assert_true(sum > 0.0);
    return moment / sum;
}

// A step moves the part tau of a cell to each of its four neighbours, a cell away: n steps spread
// it by 4 tau n. What is released is the same part everywhere but for crumbs far out.
TEST(displaced_volume_spreads_in_every_step)
{
    const float releases[] = {0.05f, 0.5f, 5.0f};
    const double frames[] = {1.0 / 240.0, 1.0 / 60.0, 1.0 / 25.0};
    for (int n = 0; n < 9; n++) {
        rill_world *world = make_lake(releases[n % 3]);
        const double tau = (double)world->def.bodies.spread, frame = frames[n / 3];
        for (int step = 1; step <= 8; step++) {
            run_world(world, 1, frame);
            const double expected = 4.0 * tau * step, spread = spread_of(world);
            if (fabs(spread - expected) > 0.05 * expected)
                printf("release %g, frame %g: %g cells squared after %d steps, not %g\n",
                       (double)releases[n % 3], frame, spread, step, expected);
            assert_true(fabs(spread - expected) <= 0.05 * expected);
        }
        rill_world_destroy(&world);
    }
}

// And what is released is what the rate says, to a crumb, whatever the frame.
TEST(displaced_volume_is_released_by_its_rate)
{
    for (int n = 0; n < 3; n++) {
        const int steps = n == 0 ? 48 : n == 1 ? 24 : 8; // of 0.4 s
        rill_world *world = make_lake(0.5f);
        run_world(world, steps, 0.4 / steps);
        const double left = rill_world_ledger(world).virtual_volume;
        assert_true(fabs(left - 200.0 * exp(-0.5 * 0.4)) < 0.01 * 200.0);
        rill_world_destroy(&world);
    }
}
