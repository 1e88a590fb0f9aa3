// SPDX-License-Identifier: MIT
// test_endless_scene.c - a scene whose river settles on a terrain that repeats: a small one of the
// kind of `boat`, with a bend, a rock and a fall. What is measured of it by hand is in docs/swe.md.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"
#include "rill/scene.h"

#include <stdio.h>

#define CELL      0.5
#define LONG      200 // cells of the terrain,
#define NX        80  // and of the domain
#define DISCHARGE 4.0

static rill_scene *river_scene(int nx, const char *more)
{
    char text[2000];
    rill_scene *scene = NULL;
    snprintf(
        text, sizeof text,
        "duration = 60\nframe = 0.04\n[world]\nnx = %d\nny = 28\ncell_size = %g\n"
        "solver = 'swe'\nmax_substeps = 4\n"
        "[domain]\nnx = %d\nny = 28\nrepeats = true\nfall = 1.2\ndischarge = %g\n%s\n"
        "[borders]\nwest = 'incident'\neast = 'incident'\n"
        "[terrain]\nkind = 'flat'\n"
        "[[terrain.shape]]\nkind = 'box'\nx0 = 0\nx1 = 100\ny0 = 0\ny1 = 14\nheight = 4\n"
        "[[terrain.shape]]\nkind = 'slope'\ndirection_x = -0.012\ndirection_y = 0\n"
        "[[terrain.shape]]\nkind = 'channel'\nwidth = 4\nbank = 0.6\n"
        "points = [[0, 6, 0], [25, 8, -0.125], [60, 6, -0.3], [60.6, 6, -1.0], [100, 6, -1.2]]\n"
        "[[terrain.shape]]\nkind = 'hill'\nx = 35\ny = 10.2\nheight = 1\nradius = 0.8\n"
        "[swe]\nmanning = 0.035\nadvection = 'maccormack'\ncliff = 1.2\n"
        "[particles]\nmax_particles = 40000\nradius = 0.06\n",
        LONG, CELL, nx, DISCHARGE, more);
    assert_ok(rill_scene_parse("river.toml", text, strlen(text), NULL, NULL, 0, NULL, &scene));
    return scene;
}

static double column_of(const rill_columns *c, int i)
{
    double sum = 0.0;
    for (int j = 0; j < c->ny; j++)
        sum += (double)c->depth[(size_t)j * c->pitch + (size_t)i];
    return sum * CELL * CELL;
}

// Depths per column of the settled river, of all of the terrain.
static void settled_columns(double columns[LONG])
{
    SCOPED(rill_scene) *scene = river_scene(LONG, "");
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_create_world(scene, 2, &world));
    const rill_columns c = rill_world_columns(world);
    assert_int_equal(c.nx, LONG);
    for (int i = 0; i < LONG; i++)
        columns[i] = column_of(&c, i);
}

// The river at the end of the terrain is that at its beginning. Between the last column and the
// first is one step, in which it changes as it does anywhere beside it.
TEST(the_settled_river_has_no_seam)
{
    double columns[LONG], usual = 0.0;
    settled_columns(columns);
    for (int i = LONG - 20; i < LONG + 20; i++)
        if (i != LONG - 1)
            usual = fmax(usual, fabs(columns[(i + 1) % LONG] - columns[i % LONG]));
    assert_true(columns[0] > 0.3 && usual > 0.0);
    assert_true(fabs(columns[0] - columns[LONG - 1]) < 2.0 * usual);
}

TEST(the_settled_river_does_not_depend_on_threads)
{
    uint64_t hash[2];
    for (int n = 0; n < 2; n++) {
        SCOPED(rill_scene) *scene = river_scene(NX, "i = 30\n");
        SCOPED(rill_world) *world = NULL, *again = NULL;
        assert_ok(rill_scene_create_world(scene, 1 + 2 * n, &world));
        assert_ok(rill_scene_create_world(scene, 1, &again)); // it settles once
        assert_true(rill_world_hash(world) == rill_world_hash(again));
        run_world(world, 10, 0.04);
        hash[n] = rill_world_hash(world);
    }
    assert_true(hash[0] == hash[1]);
}

// ---- The ride --------------------------------------------------------------------------

#define SECTIONS 5

typedef struct ride {
    double discharge[SECTIONS], seconds;
    double volume, settled; // m^3, sums of as many moments
} ride;

// Water east of a section, in columns and in flight, and what has left the world.
static double east_of(rill_world *world, const rill_columns *c, int first)
{
    const rill_particles p = rill_world_particles(world);
    double sum = rill_world_ledger(world).drained;
    for (int i = first; i < c->nx; i++)
        sum += column_of(c, i);
    for (size_t n = 0; n < p.count; n++)
        sum += (double)p.x[n] >= first * CELL ? (double)p.volume[n] : 0.0;
    return sum;
}

// Steps in which the domain does not move show what passes a section: nothing else changes what
// lies east of it.
static void step_ride(rill_world *world, const double columns[LONG], ride *r)
{
    static const double places[SECTIONS] = {0.1, 0.3, 0.5, 0.7, 0.9};
    double before[SECTIONS];
    int i0 = 0, i1 = 0;
    rill_columns c = rill_world_columns(world);
    rill_world_origin(world, &i0, NULL);
    for (int k = 0; k < SECTIONS; k++)
        before[k] = east_of(world, &c, (int)(places[k] * NX));
    assert_ok(rill_world_step(world, 0.04));
    c = rill_world_columns(world);
    rill_world_origin(world, &i1, NULL);
    for (int k = 0; k < SECTIONS && i1 == i0; k++)
        r->discharge[k] += east_of(world, &c, (int)(places[k] * NX)) - before[k];
    r->seconds += i1 == i0 ? 0.04 : 0.0;
    for (int i = 0; i < NX; i++) {
        r->volume += column_of(&c, i);
        r->settled += columns[(i1 + i) % LONG];
    }
    r->volume += rill_world_ledger(world).particles;
}

// Nearly three times round in two minutes: in every half of one of them the same passes five
// sections, to 5 % of each other and of what was asked for, and there is as much water as in the
// settled river at the same place, to 3 %.
TEST(the_river_stays_what_it_is_wherever_the_domain_goes)
{
    double columns[LONG];
    settled_columns(columns);
    SCOPED(rill_scene) *scene = river_scene(NX, "path = [[0, 20, 7], [45, 120, 7]]\n");
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_create_world(scene, 2, &world));
    for (int part = 0; part < 4; part++) {
        ride r = {0};
        for (int n = 0; n < 750; n++)
            step_ride(world, columns, &r);
        double low = 1e9, high = 0.0;
        for (int k = 0; k < SECTIONS; k++) {
            low = fmin(low, r.discharge[k] / r.seconds);
            high = fmax(high, r.discharge[k] / r.seconds);
        }
        assert_true(high - low < 0.05 * low);
        assert_true(low > 0.95 * DISCHARGE && high < 1.05 * DISCHARGE);
        assert_true(fabs(r.volume / r.settled - 1.0) < 0.03);
    }
    assert_true(rill_world_ledger(world).error < 1e-7);
}
