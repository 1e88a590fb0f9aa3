// SPDX-License-Identifier: MIT
// test_soft_scene.c - the scene `soft` from its first frame to its last (002 Fig. 8): its cloth and
// its balls stay afloat, follow the waves and are carried along by them.
#include "tests/kit/scene_runs.h"

#include "rill/scene.h"

#include <math.h>

#define BODIES  3   // the cloth, and two balls
#define SETTLED 4.0 // s: all have come down and calmed by then
#define DEPTH   4.0 // metres of water at rest

// Sums over the moments at which a body was observed, for means and correlations.
typedef struct follows {
    double count, level, height, level_level, height_height, level_height;
} follows;

static void note(follows *f, double level, double height)
{
    f->count += 1.0;
    f->level += level;
    f->height += height;
    f->level_level += level * level;
    f->height_height += height * height;
    f->level_height += level * height;
}

static double deviation(double count, double sum, double square)
{
    return sqrt(fmax(square / count - sum * sum / (count * count), 0.0));
}

static double correlation(const follows *f)
{
    const double both = f->level_height / f->count - f->level * f->height / (f->count * f->count);
    return both / (deviation(f->count, f->level, f->level_level) *
                   deviation(f->count, f->height, f->height_height));
}

typedef struct watch {
    follows cloth, balls[BODIES];
    double submerged[BODIES], mass[BODIES]; // sums over the moments, m^3; kg
    double start[BODIES], end[BODIES];      // x, metres
    double sheet_spread;                    // least width of the cloth over that at rest
    int moments;
} watch;

// What is observed from SETTLED on: each vertex of the cloth and the level at its place, each ball
// and the level at its centre.
static void observe(rill_world *world, const char *name, void *context)
{
    watch *w = context;
    (void)name;
    const rill_columns columns = rill_world_columns(world);
    if (rill_world_time(world) < SETTLED)
        return;
    for (int n = 0; n < BODIES; n++) {
        rill_body_state state;
        const rill_body_id id = rill_world_body_at(world, n);
        assert_ok(rill_world_get_body(world, id, &state));
        if (w->moments == 0)
            w->start[n] = state.position[0];
        w->end[n] = state.position[0];
        w->submerged[n] += state.submerged;
        w->mass[n] = state.mass;
        const rill_body_mesh mesh = rill_world_body_mesh(world, id);
        if (mesh.shape != RILL_BODY_SHEET) {
            const rill_probe at =
                rill_columns_probe(&columns, 0, state.position[0], state.position[1]);
            note(&w->balls[n], (double)at.level, state.position[2]);
            continue;
        }
        double low = 1e9, high = -1e9;
        for (int v = 0; v < mesh.vertex_count; v++) {
            const float *p = mesh.positions + 3 * v;
            const rill_probe at = rill_columns_probe(&columns, 0, (double)p[0], (double)p[1]);
            note(&w->cloth, (double)at.level, (double)p[2]);
            low = fmin(low, (double)p[0]);
            high = fmax(high, (double)p[0]);
        }
        w->sheet_spread = fmin(w->sheet_spread, high - low);
    }
    w->moments++;
}

TEST_NEEDS(TEST_PARTS == 1, "a run of a whole scene, which sanitizers see parts of elsewhere");

TEST(cloth_drapes_on_the_waves_and_balls_bob_on_them)
{
    watch w = {.sheet_spread = 1e9};
    run_scene("soft", 1.0, &(scene_checks){.tenth = observe}, &w);
    assert_true(w.moments > 50);
    const follows *f = &w.cloth;
    const double above = (f->height - f->level) / f->count;
    print_message("cloth: %.3f m over the water, follows it by %.2f, levels differ by %.3f m, at "
                  "least %.2f m wide\n",
                  above, correlation(f), deviation(f->count, f->level, f->level_level),
                  w.sheet_spread);
    // It lies on the water, whatever the waves, and takes their shape.
    assert_true(fabs(above) < 0.05 && correlation(f) > 0.8);
    assert_true(deviation(f->count, f->level, f->level_level) > 0.03);
    assert_true(w.sheet_spread > 0.5 * 4.0);
    for (int n = 0; n < BODIES; n++) {
        if (w.balls[n].count == 0.0)
            continue;
        const double floats = w.submerged[n] / w.moments / (w.mass[n] / 1000.0);
        print_message("ball: follows by %.2f, displaces %.2f of its mass, drifts %.2f m\n",
                      correlation(&w.balls[n]), floats, w.end[n] - w.start[n]);
        // On average it displaces its mass (Archimedes), and it rises with every crest.
        assert_near(floats, 1.0, 0.1);
        assert_true(correlation(&w.balls[n]) > 0.8);
    }
    // The waves run to the east, and what floats on them as well, at least as linear waves of
    // shallow water carry it: <u u> / c with u = c eta / h.
    const double levels = deviation(f->count, f->level, f->level_level);
    const double drift = levels * levels * sqrt(9.81 * DEPTH) / (DEPTH * DEPTH) * (20.0 - SETTLED);
    print_message("linear waves would carry them %.2f m\n", drift);
    for (int n = 0; n < BODIES; n++)
        assert_true(drift > 0.05 && w.end[n] - w.start[n] > drift);
}
