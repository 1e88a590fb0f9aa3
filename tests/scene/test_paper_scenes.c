// SPDX-License-Identifier: MIT
// test_paper_scenes.c - the scenes of Chentanez and Müller with the paper's own parameters: as many
// particles as its Table 1 has, spray, splashes and foam where it has them, waves that break where
// theory lets them, and crests that are lower where they are cut (section 2.2, Fig. 3).
#include "tests/kit/kit.h"

#include "rill/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The paper's thresholds for breaking (section 2.4.2); the slope is 0.45 g dt / dx.
#define PAPER_RISE      4.0  // m/s
#define PAPER_CURVATURE -4.0 // 1/m
#define PAPER_STEEP     0.45

// The smallest depth in which a wave of height H runs on unbroken is H / 0.78 (McCowan 1894).
#define MCCOWAN 0.78

// What is seen of a scene from its first frame to its last.
typedef struct seen {
    int nx, ny;
    double particles[RILL_PARTICLE_KIND_COUNT]; // means over all frames
    int rows;                                   // most that break in one frame
    double crest;                               // highest water, metres
} seen;

// ---- Breaking cells --------------------------------------------------------------------

typedef struct depths {
    float *of;
    size_t bytes;
} depths;

static void keep_depths(const rill_columns *c, depths *d)
{
    const size_t bytes = c->pitch * (size_t)c->ny * sizeof *d->of;
    if (d->of == NULL)
        d->of = malloc(d->bytes = bytes);
    assert_non_null(d->of);
    memcpy(d->of, c->depth, bytes);
}

static double level(const rill_columns *c, size_t at, double otherwise)
{
    const double there = (double)c->base[at] + (double)c->depth[at];
    return (double)c->depth[at] > (double)c->wet_depth || there < otherwise ? there : otherwise;
}

static double larger(double s, double t)
{
    return fabs(s) > fabs(t) ? s : t;
}

// The three conditions as the paper prints them (with erratum 10), by a test's own arithmetic.
static bool breaks(const rill_columns *c, const depths *before, size_t at, double frame)
{
    const double dx = (double)c->cell_size, here = (double)c->base[at] + (double)c->depth[at];
    const double e = level(c, at + 1, here), w = level(c, at - 1, here);
    const double n = level(c, at + c->pitch, here), s = level(c, at - c->pitch, here);
    const double slope = hypot(larger(e - here, here - w), larger(n - here, here - s)) / dx;
    const double rise = ((double)c->depth[at] - (double)before->of[at]) / frame;
    return (double)c->depth[at] > (double)c->wet_depth && slope > PAPER_STEEP * 9.81 * frame / dx &&
           rise > PAPER_RISE && (e + w + n + s - 4.0 * here) / (dx * dx) < PAPER_CURVATURE;
}

static int breaking_rows(const rill_columns *c, const depths *before, double frame)
{
    int rows = 0;
    for (int j = 1; j < c->ny - 1; j++)
        for (int i = 1; i < c->nx - 1; i++)
            if (breaks(c, before, (size_t)j * c->pitch + (size_t)i, frame)) {
                rows++;
                break;
            }
    return rows;
}

static double highest(const rill_columns *c)
{
    double crest = -1e30;
    for (int j = 0; j < c->ny; j++)
        for (int i = 0; i < c->nx; i++) {
            const size_t at = (size_t)j * c->pitch + (size_t)i;
            if ((double)c->depth[at] > 0.2 * (double)c->cell_size)
                crest = fmax(crest, (double)c->base[at] + (double)c->depth[at]);
        }
    return crest;
}

// ---- Playing ---------------------------------------------------------------------------

static seen play(const char *name, const char *const *overrides, int count)
{
    SCOPED(rill_scene) *scene = NULL;
    rill_world *world = NULL;
    assert_ok(rill_scene_open(name, overrides, count, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 2, &world));
    const rill_scene_info info = rill_scene_describe(scene);
    const int frames = (int)(info.duration / info.frame + 0.5);
    rill_columns c = rill_world_columns(world);
    seen all = {.nx = c.nx, .ny = c.ny, .crest = -1e30};
    depths before = {0};
    for (int f = 0; f < frames; f++) {
        keep_depths(&c, &before);
        assert_ok(rill_world_step(world, info.frame));
        c = rill_world_columns(world);
        const int rows = breaking_rows(&c, &before, info.frame);
        all.rows = rows > all.rows ? rows : all.rows;
        all.crest = fmax(all.crest, highest(&c));
        const rill_particles p = rill_world_particles(world);
        for (size_t n = 0; n < p.count; n++)
            all.particles[p.kind[n]] += 1.0 / frames;
    }
    free(before.of);
    assert_true(rill_world_ledger(world).error < 1e-6);
    rill_world_destroy(&world);
    return all;
}

// Table 1: the grid, and the mean number of particles in a frame.
static seen play_table_1(const char *name, int nx, int ny, double particles)
{
    const seen all = play(name, NULL, 0);
    const double *kind = all.particles;
    const double sum =
        kind[RILL_PARTICLE_SPRAY] + kind[RILL_PARTICLE_SPLASH] + kind[RILL_PARTICLE_FOAM];
    print_message("%s: %.0f particles (%.0f in the paper): %.0f spray, %.0f splash, %.0f foam; "
                  "waves break in up to %d rows; highest water %.2f m\n",
                  name, sum, particles, kind[RILL_PARTICLE_SPRAY], kind[RILL_PARTICLE_SPLASH],
                  kind[RILL_PARTICLE_FOAM], all.rows, all.crest);
    assert_int_equal(all.nx, nx);
    assert_int_equal(all.ny, ny);
    assert_true(sum > particles * 2.0 / 3.0 && sum < particles * 4.0 / 3.0);
    // Splashes that land leave foam, so there is some wherever there are splashes.
    assert_true(kind[RILL_PARTICLE_SPLASH] > 0.01 * particles);
    assert_true(kind[RILL_PARTICLE_FOAM] > 0.01 * particles);
    return all;
}

TEST_NEEDS(TEST_PARTS == 1, "runs of whole scenes, which sanitizers see parts of elsewhere");

TEST(the_paper_s_waterfall_has_its_particles)
{
    const seen all = play_table_1("paper-waterfall", 128, 128, 56e3);
    assert_true(all.particles[RILL_PARTICLE_SPRAY] > 560.0);
}

// Its rings are no breakers, whose spray there would be.
TEST(the_paper_s_absorbing_basin_has_its_particles)
{
    play_table_1("paper-pml", 128, 128, 2e3);
}

// A wave of height H must break before it gets to a depth of H / 0.78, which is within the grid:
// all of a crest breaks that is not behind a rock. The rocks of the scene take less than a tenth of
// it, and a crest that comes in aslant breaks within some frames and not in one: a third in one
// frame. Spray comes from nothing but breaking there.
TEST(the_paper_s_beach_has_its_particles_and_breakers)
{
    const double swell = 2.2, deepest = 3.6, cells = 128.0;
    assert_true(swell / MCCOWAN < deepest);
    const seen all = play_table_1("paper-beach", 128, 128, 220e3);
    assert_true(all.rows > cells / 3.0);
    assert_true(all.particles[RILL_PARTICLE_SPRAY] > 2200.0);
}

// Fig. 3: the same waves with and without the reduction. A spike that stands over the cells on both
// sides by more than the edge of two cells, a metre, loses alpha / 2 of that in a step.
TEST(crests_of_the_paper_s_beach_overshoot_less_where_they_are_cut)
{
    static const char *const before[] = {"swe.overshoot=0"};
    const seen with = play("paper-beach", NULL, 0), without = play("paper-beach", before, 1);
    print_message("highest crest: %.3f m before, %.3f m after\n", without.crest, with.crest);
    assert_true(with.crest < without.crest - 0.5 * 0.3 * 1.0);
}

TEST_NEEDS(TEST_PARTS == 1 && rill_has_rigid_bodies(), "runs of whole scenes with rigid bodies");

TEST(the_paper_s_ocean_has_its_particles)
{
    play_table_1("paper-ocean", 256, 256, 83e3);
}

TEST(the_paper_s_boat_ride_has_its_particles)
{
    const seen all = play_table_1("paper-boat", 900, 135, 250e3);
    assert_true(all.particles[RILL_PARTICLE_SPRAY] > 2500.0);
}
