// SPDX-License-Identifier: MIT
// Waves that drift on a river: particles follow the water, the pattern follows the particles, and
// nothing pops.
#include "tests/kit/kit.h"
#include "tests/waves/wave_flows.h"

// ---- The output as one field, and what a texel should be -------------------------------------

#define T    4
#define WIDE (NX * T)
#define HIGH (NY * T)

static float field[HIGH * WIDE], before[HIGH * WIDE];

static void flatten(const rill_wave_particles *view, float *out)
{
    const int inner = view->tile_side - 2;
    for (int j = 0; j < HIGH; j++)
        for (int i = 0; i < WIDE; i++) {
            const int tile = view->index[j / inner * view->tiles_x + i / inner];
            const float *texels = view->tiles + tile * view->tile_side * view->tile_side;
            out[j * WIDE + i] =
                tile < 0 ? 0.0f : texels[(j % inner + 1) * view->tile_side + i % inner + 1];
        }
}

// Sums over the particles at each texel: of w k, and of the largest change of w k in a step.
// Particles move at most at `speed`.
static double sums[HIGH * WIDE], changes[HIGH * WIDE];

static void add_particle(double x, double y, double w, double fastest_fade, double speed)
{
    const double radius = (double)RL_WAVE_PARTICLE_RADIUS * (double)DX, texel = (double)DX / T;
    // The steepest slope of (1 - r^2)^2 is at r = 1 / sqrt 3.
    const double kernel = 16 / (6 * sqrt(3)) * speed * DT / radius;
    // It may have come from, or be about to go, a step further.
    const double far = radius + speed * DT;
    for (int j = (int)((y - far) / texel); j <= (int)((y + far) / texel); j++)
        for (int i = (int)((x - far) / texel); i <= (int)((x + far) / texel); i++) {
            if (i < 0 || j < 0 || i >= WIDE || j >= HIGH)
                continue;
            const double r = hypot((i + 0.5) * texel - x, (j + 0.5) * texel - y) / radius;
            const double near = fmax(0, r - speed * DT / radius);
            const double k = fmax(0, 1 - r * r), most = fmax(0, 1 - near * near);
            sums[j * WIDE + i] += w * k * k;
            changes[j * WIDE + i] += near < 1 ? fastest_fade * most * most + w * kernel : 0;
        }
}

// `death`: when each of them dies, or NULL when nobody asks for changes; `haste`: how much faster
// than time they may age.
static void sum_particles(const rill_wave_particles *view, const float *death, double haste,
                          double speed)
{
    memset(sums, 0, sizeof sums);
    memset(changes, 0, sizeof changes);
    for (int n = 0; n < view->count; n++) {
        const double fade = death == NULL ? 0 : 32 / (6 * sqrt(3)) * haste / (double)death[n];
        add_particle((double)view->x[n], (double)view->y[n], (double)view->weight[n],
                     (fade + speed / 100) * DT, speed);
    }
}

static double highest_wave(const rill_sea_view *sea)
{
    double highest = 0;
    for (int n = 0; n < sea->size * sea->size; n++)
        highest = fmax(highest, fabs((double)sea->height[n]));
    return 1.1 * highest; // between the points waves may be a little higher
}

// From point to point. The shortest wave has three points, and between two of them it is steeper
// than from one to the other: by (pi / 3) / sin(pi / 3).
static double steepest_wave(const rill_sea_view *sea)
{
    const int size = sea->size;
    const double point = sea->tile / size;
    double steepest = 0;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            const double here = (double)sea->height[j * size + i];
            const double east = (double)sea->height[j * size + (i + 1) % size];
            const double north = (double)sea->height[(j + 1) % size * size + i];
            steepest = fmax(steepest, hypot(east - here, north - here) / point);
        }
    return 1.21 * steepest;
}

// ---- Motion ----------------------------------------------------------------------------------

// A linear flow is interpolated exactly and the midpoint rule is of second order: what is left is
// rounding, and far below 1 %.
TEST(particles_follow_a_solid_body_rotation)
{
    const double middle = 24, turn = 6.283185307179586 / 20;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double x = i + 0.5 - middle, y = j + 0.5 - middle;
            set_cell(&water, i, j, x * x + y * y < 23 * 23, -turn * y * (double)DX,
                     turn * x * (double)DX);
        }
    rill_wave_particles_def def = a_def(1e7f);
    def.distance = 1e4f;
    SCOPED(rl_wave_particles) *drift = make(def, &water);
    run(drift, &water, 0, 1200);
    const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 0);
    int followed = 0;
    for (int n = 0; n < view.count; n++) {
        const double x = (double)view.birth_x[n], y = (double)view.birth_y[n];
        const double r = hypot(x - middle * (double)DX, y - middle * (double)DX);
        // Not those beside a bank, nor those that were born on the way.
        if (r > 21 * (double)DX || drift->age[n] < 1000.0f)
            continue;
        followed++;
        assert_true(hypot((double)view.x[n] - x, (double)view.y[n] - y) < 0.01 * r + 0.01);
    }
    assert_true(followed > 1000);
}

TEST(no_particle_crosses_a_bank)
{
    set_bend(&water);
    // Against the outer bank.
    for (int n = 0; n < NY * PITCH; n++)
        if (water.depth[n] > 0.0f) {
            water.u[n] += 0.7f;
            water.v[n] += 0.7f;
        }
    SCOPED(rl_wave_particles) *drift = make(a_def(4), &water);
    for (int n = 0; n < 300; n++) {
        run(drift, &water, n, 1);
        const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 0);
        for (int k = 0; k < view.count; k++)
            assert_true(wet_at(&water, (double)view.x[k], (double)view.y[k]));
    }
}

TEST(ages_and_lives_stay_in_range)
{
    set_bend(&water);
    SCOPED(rl_wave_particles) *drift = make(a_def(3), &water);
    const float *age = drift->age, *death = drift->death;
    int young = 0, old = 0;
    for (int n = 0; n < 400; n++) {
        run(drift, &water, n, 1);
        const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 0);
        for (int k = 0; k < view.count; k++) {
            assert_true(age[k] >= 0.0f && age[k] <= death[k]);
            assert_true(death[k] >= 1.5f && death[k] <= 6.0f);
            assert_true(view.weight[k] >= 0.0f && view.weight[k] <= 1.0f);
            young += death[k] < 2.0f;
            old += death[k] > 5.5f;
        }
    }
    assert_true(young > 0 && old > 0);
}

// ---- The pattern -----------------------------------------------------------------------------

static double correlation(int di, int dj, int edge)
{
    double a = 0, b = 0, ab = 0;
    for (int j = edge; j < HIGH - edge; j++)
        for (int i = edge; i < WIDE - edge; i++) {
            const double now = (double)field[j * WIDE + i];
            const double then = (double)before[(j - dj) * WIDE + i - di];
            a += now * now;
            b += then * then;
            ab += now * then;
        }
    return ab / sqrt(a * b);
}

TEST(a_uniform_flow_carries_the_pattern_along)
{
    set_uniform(&water, 1.25, 0.625);
    SCOPED(rl_wave_particles) *drift = make(a_def(3), &water);
    run(drift, &water, 0, 600);
    rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 5.0);
    flatten(&view, before);
    run(drift, &water, 600, 240);
    view = rl_wave_particles_view(drift, NULL, NULL, 5.0);
    flatten(&view, field);
    // 4 s: two texels east and one north. Not where the water has just come in.
    assert_true(correlation(2, 1, 3 * T) > 0.9);
    assert_true(correlation(0, 0, 3 * T) < 0.8);
    double height = 0;
    for (int n = 0; n < HIGH * WIDE; n++)
        height += (double)field[n] * (double)field[n];
    // Averaging must not wash the waves out.
    assert_true(height / (HIGH * WIDE) > 0.7 * view.texture.variance);
}

// A texel is what Eq. 4.3 says.
TEST(a_texel_is_the_mean_over_the_pieces_of_its_particles)
{
    set_bend(&water);
    SCOPED(rl_wave_particles) *drift = make(a_def(4), &water);
    run(drift, &water, 0, 100);
    const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 3.0);
    flatten(&view, field);
    const double texel = (double)DX / T, radius = (double)(RL_WAVE_PARTICLE_RADIUS * DX);
    double error = 0, all = 0;
    for (int j = 1; j < HIGH; j += 7)
        for (int i = 1; i < WIDE; i += 5) {
            double sum = 0, total = 0;
            for (int n = 0; n < view.count; n++) {
                const double x = (i + 0.5) * texel, y = (j + 0.5) * texel;
                const double r = hypot(x - (double)view.x[n], y - (double)view.y[n]) / radius;
                if (r >= 1)
                    continue;
                const double k = (double)view.weight[n] * (1 - r * r) * (1 - r * r);
                const double s = i + ((double)view.birth_x[n] - (double)view.x[n]) / texel + 640;
                const double t = j + ((double)view.birth_y[n] - (double)view.y[n]) / texel + 640;
                const int si = (int)s, tj = (int)t, size = view.texture.size;
                double c = 0;
                for (int m = 0; m < 4; m++)
                    c += fabs(1 - (m & 1) - (s - si)) * fabs(1 - (m >> 1) - (t - tj)) *
                         (double)view.texture
                             .height[(tj + (m >> 1)) % size * size + (si + (m & 1)) % size];
                sum += k * c;
                total += k;
            }
            const double want = sum / fmax(total, (double)RL_WAVE_PARTICLE_FLOOR);
            error += pow(want - (double)field[j * WIDE + i], 2);
            all += want * want;
        }
    // Linear interpolation here, a better one there: waves of four texels and more differ by less
    // than a third in the worst case.
    assert_true(error < 0.1 * all);
}

TEST(all_water_is_covered)
{
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0)
            set_bend(&water);
        else
            set_shear(&water);
        SCOPED(rl_wave_particles) *drift = make(a_def(6), &water);
        int64_t texels = 0, covered = 0;
        for (int n = 0; n < 5; n++) {
            run(drift, &water, 600 * n, 600);
            const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 0);
            sum_particles(&view, NULL, 0, 0);
            for (int k = 0; k < HIGH * WIDE; k++) {
                if (water.depth[k / WIDE / T * PITCH + k % WIDE / T] == 0.0f)
                    continue;
                texels++;
                covered += sums[k] > (double)RL_WAVE_PARTICLE_FLOOR;
            }
        }
        assert_true((double)covered > 0.999 * (double)texels);
    }
}

// ---- Nothing pops ----------------------------------------------------------------------------

// The bound of wave_particles_texels.c, with the particles around each texel. Those that have just
// died were about to.
static void assert_calm(const rill_wave_particles *view, double speed, double own)
{
    const double highest = highest_wave(&view->texture), steepest = steepest_wave(&view->texture);
    for (int n = 0; n < HIGH * WIDE; n++) {
        const double w = fmax(sums[n] - changes[n], (double)RL_WAVE_PARTICLE_FLOOR);
        const double bound = changes[n] / w * 2 * highest + steepest * speed * DT + own + 1e-6;
        const double change = fabs((double)field[n] - (double)before[n]);
        if (change > bound)
            fail_msg("a texel changes by %g m, at most %g m is calm", change, bound);
    }
}

// The largest difference between the texture and what it was.
static double own_change(const rill_sea_view *sea, const float *was)
{
    double most = 0;
    for (int k = 0; k < sea->size * sea->size; k++)
        most = fmax(most, fabs((double)was[k] - (double)sea->height[k]));
    return 1.2 * most; // between the points it may be a little more
}

static void nothing_pops_in(const flow *f, double haste, double speed, double rate)
{
    static float was[64 * 64];
    SCOPED(rl_wave_particles) *drift = make(a_def(4), f);
    rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 0);
    flatten(&view, field);
    int born = 0;
    for (int n = 0; n < 250; n++) {
        memcpy(before, field, sizeof before);
        memcpy(was, view.texture.height, sizeof was);
        run(drift, f, n, 1);
        view = rl_wave_particles_view(drift, NULL, NULL, rate * n * DT);
        flatten(&view, field);
        sum_particles(&view, drift->death, haste, speed);
        assert_calm(&view, speed, own_change(&view.texture, was));
        for (int k = 0; k < view.count; k++)
            born += drift->age[k] == 0.0f;
    }
    assert_true(born > 1000);
}

TEST(nothing_pops_in_a_shear)
{
    set_shear(&water);
    nothing_pops_in(&water, 1, 2.2, 0);
    nothing_pops_in(&water, 1, 2.2, 1);
}

TEST(nothing_pops_in_a_bend)
{
    set_bend(&water);
    nothing_pops_in(&water, (double)RL_WAVE_PARTICLE_STRANDED, 2.1, 0);
}

// Still water and particles that do not age: what changes is the detail alone.
TEST(nothing_pops_when_the_detail_changes)
{
    set_uniform(&water, 0, 0);
    rill_wave_particles_def def = a_def(1e7f);
    SCOPED(rl_wave_particles) *drift = make(def, &water);
    SCOPED(rl_quadtree) *detail = rl_quadtree_create(NULL, NX, NY);
    assert_non_null(detail);
    const rill_columns columns = columns_of(&water);
    rill_wave_particles view = rl_wave_particles_view(drift, NULL, detail, 0);
    flatten(&view, field);
    double most = 0;
    const double highest = highest_wave(&view.texture);
    for (int n = 0; n < 600; n++) {
        const double far[3] = {n < 300 ? 0 : NX, n < 100 ? 0 : NY, 1};
        rl_quadtree_get(detail, far, n < 500 ? 6 : 0);
        memcpy(before, field, sizeof before);
        rl_wave_particles_step(drift, NULL, &columns, detail, DT, (uint64_t)n);
        view = rl_wave_particles_view(drift, NULL, detail, 0);
        flatten(&view, field);
        for (int k = 0; k < HIGH * WIDE; k++) {
            const double change = fabs((double)field[k] - (double)before[k]);
            assert_true(change < 1.07 * (double)RL_WAVE_PARTICLE_BLEND * DT * 2 * highest + 1e-6);
            most = fmax(most, change);
        }
    }
    assert_true(most > 1e-4 * highest); // it has changed
}
