// SPDX-License-Identifier: MIT
// The flow of the river water: what projection, advection and diffusion promise.
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/solvers/river/river_basins.h"

// ---- Projection ------------------------------------------------------------------------

// Largest sum of opening times velocity over the faces of a cell, in double from the fields.
static double divergence_of(const rl_river *r)
{
    const rl_river_level *l = &r->levels[0];
    double worst = 0.0, speed = 0.0;
    int64_t cells = 0;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            if (!basin_wet(r, i, j))
                continue;
            const float *u = rill_field_row(&l->u, j), *v = rill_field_row(&l->v, j);
            const float *north = rill_field_row(&l->v, j + 1);
            const float *x = rill_field_row(&l->open_x, j), *y = rill_field_row(&l->open_y, j);
            const float *y_north = rill_field_row(&l->open_y, j + 1);
            const double out = (double)x[i + 1] * (double)u[i + 1] - (double)x[i] * (double)u[i] +
                               (double)y_north[i] * (double)north[i] - (double)y[i] * (double)v[i];
            worst = fmax(worst, fabs(out));
            speed += hypot(0.5 * ((double)u[i] + (double)u[i + 1]),
                           0.5 * ((double)v[i] + (double)north[i]));
            cells++;
        }
    return worst / (speed / (double)cells);
}

static void assert_banks_closed(const rl_river *r)
{
    const rl_river_level *l = &r->levels[0];
    for (int j = 0; j <= r->ny; j++)
        for (int i = 0; i <= r->nx; i++) {
            const bool west = basin_wet(r, i - 1, j) || i == 0,
                       east = basin_wet(r, i, j) || i == r->nx;
            const bool south = basin_wet(r, i, j - 1) || j == 0,
                       north = basin_wet(r, i, j) || j == r->ny;
            if (j < r->ny && !(west && east))
                assert_true(rill_field_row(&l->u, j)[i] == 0.0f);
            if (i < r->nx && !(south && north))
                assert_true(rill_field_row(&l->v, j)[i] == 0.0f);
        }
}

static void set_random_conveyance(rl_river *r)
{
    r->def.columns.cells = 1; // conveyance is given
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            rill_field_row(&r->levels[0].conveyance, j)[i] =
                0.4f + 2.0f * rl_random_unit(3, 3, (uint64_t)(j / 5 * 1000 + i / 5));
    rl_river_levels_rebuild(r);
}

TEST(projected_flow_has_no_divergence_and_keeps_to_its_banks)
{
    for (int varied = 0; varied < 2; varied++)
        for (int n = 63; n <= 700; n += 91) { // mostly not multiples of a square
            FREED_BY(free_basin) rl_river *r = basin_create(n, n + 5, n, basin_river);
            if (varied)
                set_random_conveyance(r);
            basin_set_flow(r, 0.0f, -1.0f, true);
            assert_true(divergence_of(r) > 1.0);
            rl_river_project_flow(r, NULL);
            assert_true(divergence_of(r) < 1e-4);
            assert_true(r->divergence <= 5e-5);
            assert_banks_closed(r);
            rl_river_advect(r, NULL, 0.2);
            rl_river_diffuse(r, NULL, 0.2);
            rl_river_project_flow(r, NULL);
            assert_true(divergence_of(r) < 1e-4);
            assert_banks_closed(r);
        }
}

static double change_of_projection(rl_river *r)
{
    const rill_field *u = &r->levels[0].u, *v = &r->levels[0].v;
    const size_t bytes = (size_t)(r->ny + 1) * u->pitch * sizeof(float);
    FREED(float) *before = malloc(2 * bytes);
    assert_non_null(before);
    const size_t values = bytes / sizeof(float);
    memcpy(before, u->origin, bytes);
    memcpy(before + values, v->origin, bytes);
    rl_river_project_flow(r, NULL);
    double most = 0.0;
    for (int j = 0; j <= r->ny; j++)
        for (int i = 0; i <= r->nx; i++) {
            const size_t at = (size_t)j * u->pitch + (size_t)i;
            most = fmax(most, fabs((double)u->origin[at] - (double)before[at]));
            most = fmax(most, fabs((double)v->origin[at] - (double)before[values + at]));
        }
    return most;
}

// What is left within the tolerance may be taken off: a pressure of some hundred cells' sum of it.
TEST(projecting_twice_is_projecting_once)
{
    FREED_BY(free_basin) rl_river *r = basin_create(300, 300, 300, basin_river);
    basin_set_flow(r, 0.0f, -1.0f, true);
    rl_river_project_flow(r, NULL);
    assert_true(change_of_projection(r) < 1e-3);
    assert_true(r->iterations <= 1);
}

TEST(a_flow_without_divergence_stays)
{
    FREED_BY(free_basin) rl_river *r = basin_create(96, 96, 96, basin_lake);
    rl_river_level *l = &r->levels[0];
    // A vortex by its stream function, 0 at the banks; it neither enters nor leaves.
    static double psi[97][97];
    for (int j = 0; j <= 96; j++)
        for (int i = 0; i <= 96; i++) {
            const double x = (i - 10) / 77.0, y = j / 96.0;
            psi[j][i] = x > 0.0 && x < 1.0 ? 20.0 * x * (1.0 - x) * y * (1.0 - y) : 0.0;
        }
    for (int j = 0; j < 96; j++)
        for (int i = 0; i < 96; i++) {
            if (rill_field_row(&l->full_x, j)[i] > 0.0f)
                rill_field_row(&l->u, j)[i] = (float)(psi[j + 1][i] - psi[j][i]);
            if (rill_field_row(&l->full_y, j)[i] > 0.0f)
                rill_field_row(&l->v, j)[i] = (float)(psi[j][i] - psi[j][i + 1]);
        }
    assert_true(divergence_of(r) < 1e-4);
    assert_true(change_of_projection(r) < 1e-4);
}

TEST(the_pressure_takes_as_many_iterations_on_larger_grids)
{
    int iterations[3];
    const int sizes[3] = {64, 256, 1024};
    for (int n = 0; n < 3; n++) {
        FREED_BY(free_basin) rl_river *r = basin_create(sizes[n], sizes[n], sizes[n], basin_lake);
        basin_set_flow(r, 0.0f, -1.0f, true);
        rl_river_project_flow(r, NULL);
        assert_true(divergence_of(r) < 1e-4);
        iterations[n] = r->iterations;
    }
    for (int n = 0; n < 3; n++)
        assert_in_range(iterations[n], 1, 2 * iterations[0]);
}

static double sum_of_divergence(const rl_river *r)
{
    const rl_river_level *l = &r->levels[0];
    double sum = 0.0;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            if (basin_wet(r, i, j))
                sum += fabs(
                    (double)rill_field_row(&l->u, j)[i + 1] - (double)rill_field_row(&l->u, j)[i] +
                    (double)rill_field_row(&l->v, j + 1)[i] - (double)rill_field_row(&l->v, j)[i]);
    return sum;
}

// A Jacobi sweep takes from each cell what it has too much and gives it to its neighbours: the sum
// of magnitudes cannot grow. Every step goes on where the last one stopped.
TEST(jacobi_sweeps_lower_the_divergence_step_by_step)
{
    FREED_BY(free_basin) rl_river *r = basin_create(128, 128, 128, basin_river);
    r->def.pressure = RILL_RIVER_JACOBI;
    basin_set_flow(r, 0.0f, -1.0f, true);
    double before = sum_of_divergence(r);
    for (int n = 0; n < 12; n++) {
        r->def.sweeps = 20;
        rill_field_fill(&r->blocks.pressure, 0.0f);
        rl_river_project_flow(r, NULL);
        assert_int_equal(r->iterations, 20);
        const double now = sum_of_divergence(r);
        assert_true(now < before);
        before = now;
    }
    assert_banks_closed(r);
}

// ---- Known flows -----------------------------------------------------------------------

TEST(a_uniform_flow_stays_uniform)
{
    FREED_BY(free_basin) rl_river *r = basin_create(64, 100, 64, basin_channel);
    r->def.viscosity = 0.5f;
    basin_set_flow(r, 0.0f, -1.3f, false);
    for (int n = 0; n < 50; n++) {
        rl_river_advect(r, NULL, 0.5);
        rl_river_diffuse(r, NULL, 0.5);
        rl_river_project_flow(r, NULL);
    }
    for (int j = 0; j <= 100; j++)
        for (int i = 0; i < 64; i++) {
            const float want = basin_channel(i, j, 64) ? -1.3f : 0.0f;
            assert_true(fabsf(rill_field_row(&r->levels[0].v, j)[i] - want) < 2e-6f);
            assert_true(fabsf(rill_field_row(&r->levels[0].u, j < 100 ? j : 99)[i]) < 2e-6f);
        }
    assert_true(fabs(r->mean_speed - 1.3) < 1e-5);
}

// Between banks where it stands still, water that is pushed evenly has the profile of Poiseuille,
// v = g x (w - x) / (2 nu); a grid of 16 cells across has it to (dx / w)^2.
TEST(water_held_at_its_banks_has_the_profile_of_poiseuille)
{
    FREED_BY(free_basin) rl_river *r = basin_create(64, 48, 64, basin_channel);
    const double push = 1e-3, viscosity = 0.5, width = 16.0, dt = 2.0;
    r->def.bank = RILL_RIVER_NO_SLIP;
    r->def.viscosity = (float)viscosity;
    for (int n = 0; n < 600; n++) {
        for (int j = 0; j <= 48; j++)
            for (int i = 24; i < 40; i++)
                rill_field_row(&r->levels[0].v, j)[i] -= (float)(push * dt);
        rl_river_diffuse(r, NULL, dt);
        rl_river_advect(r, NULL, dt);
        rl_river_project_flow(r, NULL);
    }
    const double fastest = push * width * width / (8.0 * viscosity);
    for (int i = 24; i < 40; i++) {
        const double x = i - 24 + 0.5, want = push * x * (width - x) / (2.0 * viscosity);
        const double got = -(double)rill_field_row(&r->levels[0].v, 24)[i];
        assert_true(fabs(got - want) < 0.02 * fastest);
    }
}

#define CYLINDER 160
#define RADIUS   10.0

static bool around_cylinder(int i, int j, int n)
{
    const double x = i + 0.5 - 0.5 * n, y = j + 0.5 - 0.5 * n;
    return x * x + y * y > RADIUS * RADIUS;
}

// What projection makes of an even stream is potential flow: twice as fast at the flanks of a
// cylinder, 1 + (R / r)^2 beside them, and symmetric fore and aft.
TEST(an_even_stream_parts_around_a_cylinder)
{
    FREED_BY(free_basin) rl_river *r = basin_create(CYLINDER, CYLINDER, CYLINDER, around_cylinder);
    r->def.tolerance = 1e-6f;
    basin_set_flow(r, 1.0f, 0.0f, false);
    rl_river_project_flow(r, NULL);
    const rill_field *u = &r->levels[0].u;
    double stream = 0.0;
    for (int j = 0; j < CYLINDER; j++)
        stream += (double)rill_field_row(u, j)[0] / CYLINDER;
    const int flank = CYLINDER / 2 + (int)RADIUS; // the first row of water beside it
    const double fast = (double)rill_field_row(u, flank)[CYLINDER / 2] / stream;
    assert_true(fast > 1.7 && fast < 2.1);
    for (int j = 0; j < CYLINDER; j++)
        for (int i = 0; i <= CYLINDER; i++) {
            const float here = rill_field_row(u, j)[i];
            assert_true(fabsf(here - rill_field_row(u, j)[CYLINDER - i]) < 2e-4f);
            assert_true(fabsf(here - rill_field_row(u, CYLINDER - 1 - j)[i]) < 2e-4f);
        }
}

// Continuity: where the conveyance is half, water runs twice as fast.
TEST(water_runs_faster_over_a_bar)
{
    FREED_BY(free_basin) rl_river *r = basin_create(64, 128, 64, basin_channel);
    r->def.columns.cells = 1;
    for (int j = 0; j < 128; j++)
        for (int i = 0; i < 64; i++)
            rill_field_row(&r->levels[0].conveyance, j)[i] = j >= 56 && j < 72 ? 0.6f : 1.2f;
    rl_river_levels_rebuild(r);
    basin_set_flow(r, 0.0f, -1.0f, false);
    rl_river_project_flow(r, NULL);
    for (int i = 24; i < 40; i++) {
        const double deep = (double)rill_field_row(&r->levels[0].v, 20)[i];
        const double bar = (double)rill_field_row(&r->levels[0].v, 64)[i];
        assert_true(fabs(bar / deep - 2.0) < 0.04);
    }
}

// ---- Equal bits ------------------------------------------------------------------------

static uint64_t hash_of(const rl_river *r)
{
    uint64_t hash = KIT_HASH;
    hash = hash_bytes(hash, r->blocks.u.memory, r->blocks.u.bytes);
    hash = hash_bytes(hash, r->blocks.v.memory, r->blocks.v.bytes);
    return hash;
}

static uint64_t stirred_basin(rl_isa isa, rl_jobs *jobs, const void *merged)
{
    FREED_BY(free_basin) rl_river *r = basin_create(512, 480, 512, basin_river);
    r->rows = RL_ROWS_OF(isa, rl_river_rows);
    r->def.viscosity = 0.01f;
    basin_set_flow(r, 0.0f, -1.0f, true);
    if (*(const bool *)merged)
        basin_look(r, 250.0, 100.0, 40.0);
    for (int n = 0; n < 4; n++) {
        rl_river_advect(r, jobs, 0.25);
        rl_river_diffuse(r, jobs, 0.25);
        rl_river_project_flow(r, jobs);
        rl_river_scale(r, jobs, 1.0 / r->mean_speed);
    }
    assert_true(r->divergence <= 5e-5);
    return hash_of(r);
}

TEST(threads_and_instruction_sets_do_not_show)
{
    assert_same_on_some_isas(stirred_basin, &(bool){false});
    assert_same_on_some_isas(stirred_basin, &(bool){true});
}
