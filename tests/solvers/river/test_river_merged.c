// SPDX-License-Identifier: MIT
// The river water on cells of different sizes, its state, and what others do to it.
#include "tests/kit/kit.h"
#include "tests/solvers/river/river_basins.h"

// ---- Merged cells ----------------------------------------------------------------------

// The largest sum of flows out of a cell that the solver works on, over its area: faces of its own
// size, and joints.
static double divergence_of(const rl_river *r)
{
    double worst = 0.0;
    for (int k = 0; k <= r->coarsest_work; k++) {
        const rl_river_level *l = &r->levels[k];
        const size_t cells = (size_t)l->nx * (size_t)l->ny;
        FREED(double) *out = calloc(cells, sizeof *out);
        assert_non_null(out);
        for (int j = 0; j < l->ny; j++)
            for (int i = 0; i < l->nx; i++) {
                const float *u = rill_field_row(&l->u, j), *x = rill_field_row(&l->open_x, j);
                const float *v = rill_field_row(&l->v, j), *y = rill_field_row(&l->open_y, j);
                const float *north = rill_field_row(&l->v, j + 1);
                const float *y_north = rill_field_row(&l->open_y, j + 1);
                out[j * l->nx + i] =
                    ((double)x[i + 1] * (double)u[i + 1] - (double)x[i] * (double)u[i] +
                     (double)y_north[i] * (double)north[i] - (double)y[i] * (double)v[i]) *
                    (double)l->cell_size;
            }
        for (int n = 0; n < r->joint_count; n++) {
            const rl_river_joint *joint = &r->joints[n];
            const rl_river_level *fine = &r->levels[joint->level];
            const rill_field *velocity = joint->axis == 0 ? &fine->u : &fine->v;
            const double flow = (double)joint->sign * (double)joint->open *
                                (double)fine->cell_size *
                                (double)rill_field_row(velocity, joint->face_j)[joint->face_i];
            if (joint->level == k)
                out[joint->fine_j * l->nx + joint->fine_i] += flow;
            if (joint->level + 1 == k)
                out[joint->coarse_j * l->nx + joint->coarse_i] -= flow;
        }
        for (size_t n = 0; n < cells; n++)
            worst = fmax(worst, fabs(out[n]) / (double)(l->cell_size * l->cell_size));
    }
    return worst;
}

TEST(merged_cells_cover_the_river_once)
{
    FREED_BY(free_basin) rl_river *r = basin_create(500, 444, 500, basin_river);
    for (int look = 0; look < 6; look++) {
        basin_look(r, 80.0 * look, 90.0 * look, look == 3 ? 0.0 : 30.0 + 10.0 * look);
        double area = 0.0;
        int64_t cells = 0;
        for (int k = 0; k < r->level_count; k++) {
            const rl_river_level *l = &r->levels[k];
            cells += l->work.cells;
            for (int n = 0; n < l->work.count; n++)
                for (int i = l->work.runs[n].first; i < l->work.runs[n].end; i++)
                    area += (double)(rill_field_row(&l->wet, l->work.runs[n].row)[i] *
                                     l->cell_size * l->cell_size);
        }
        assert_true(fabs(area - (double)r->levels[0].all.cells) < 1e-6);
        if (look == 3)
            assert_int_equal(cells, r->levels[0].all.cells);
        else
            assert_true(cells < r->levels[0].all.cells / 2);
    }
}

TEST(flow_on_merged_cells_has_no_divergence)
{
    for (int varied = 0; varied < 2; varied++) {
        FREED_BY(free_basin) rl_river *r = basin_create(500, 444, 500, basin_river);
        if (varied) {
            r->def.columns.cells = 1;
            for (int j = 0; j < r->ny; j++)
                for (int i = 0; i < r->nx; i++)
                    rill_field_row(&r->levels[0].conveyance, j)[i] =
                        0.4f + 2.0f * rl_random_unit(3, 3, (uint64_t)(j / 5 * 1000 + i / 5));
            rl_river_levels_rebuild(r);
        }
        basin_set_flow(r, 0.0f, -1.0f, true);
        for (int look = 0; look < 5; look++) {
            basin_look(r, 250.0, 100.0 * look, 25.0 + 5.0 * look);
            assert_true(r->joint_count > 0);
            rl_river_advect(r, NULL, 0.2);
            rl_river_project_flow(r, NULL);
            assert_true(r->divergence <= 5e-5);
            assert_true(divergence_of(r) < 1e-4 * r->mean_speed);
            assert_in_range(r->iterations, 0, 20);
        }
    }
}

// A joint is as good as any face for a flow that is the same everywhere.
TEST(a_uniform_flow_does_not_see_the_joints)
{
    FREED_BY(free_basin) rl_river *r = basin_create(256, 256, 256, basin_channel);
    r->def.viscosity = 0.1f;
    basin_set_flow(r, 0.0f, -1.3f, false);
    for (int n = 0; n < 20; n++) {
        basin_look(r, 128.0, 12.0 * n, 24.0);
        rl_river_advect(r, NULL, 0.5);
        rl_river_diffuse(r, NULL, 0.5);
        rl_river_project_flow(r, NULL);
    }
    assert_true(r->coarsest_work >= 2);
    rl_river_update_centres(r, NULL);
    for (int j = 0; j < 256; j++)
        for (int i = 96; i < 160; i++) {
            assert_true(fabsf(rill_field_row(&r->velocity_x, j)[i]) < 1e-5f);
            assert_true(fabsf(rill_field_row(&r->velocity_y, j)[i] + 1.3f) < 1e-5f);
        }
    assert_true(fabs(r->mean_speed - 1.3) < 1e-5);
}

static void assert_same_equations(const rl_river_level *a, const rl_river_level *b)
{
    const rl_river_squares *s = &a->squares, *t = &b->squares;
    assert_int_equal(s->count, t->count);
    assert_int_equal(s->work.count, t->work.count);
    assert_int_equal(s->units.count, t->units.count);
    const size_t list = (size_t)s->work.count * sizeof(int);
    assert_memory_equal(s->work.squares, t->work.squares, list);
    const size_t bytes = (size_t)s->count * RL_RIVER_AREA * sizeof(float);
    assert_memory_equal(s->equations.x, t->equations.x, bytes);
    assert_memory_equal(s->equations.y, t->equations.y, bytes);
    assert_memory_equal(s->equations.inverse, t->equations.inverse, bytes);
    assert_memory_equal(s->multigrid.x, t->multigrid.x, bytes);
    assert_memory_equal(s->multigrid.diagonal, t->multigrid.diagonal, bytes);
    for (int j = 0; j <= a->ny; j++) {
        const size_t row = (size_t)a->nx * sizeof(float);
        assert_memory_equal(rill_field_row(&a->open_x, j), rill_field_row(&b->open_x, j), row);
        assert_memory_equal(rill_field_row(&a->open_y, j), rill_field_row(&b->open_y, j), row);
    }
}

// Only squares where the detail has changed are laid anew; nothing may show of what was before.
TEST(a_way_of_looks_ends_as_its_last_look)
{
    FREED_BY(free_basin) rl_river *far = basin_create(500, 444, 500, basin_river);
    for (int n = 0; n < 40; n++) {
        const double x = 250.0 + 240.0 * sin(0.7 * n), y = 222.0 + 200.0 * cos(1.1 * n);
        basin_look(far, x, y, 20.0 + n);
    }
    FREED_BY(free_basin) rl_river *near = basin_create(500, 444, 500, basin_river);
    basin_look(near, 250.0 + 240.0 * sin(0.7 * 39), 222.0 + 200.0 * cos(1.1 * 39), 20.0 + 39);
    for (int k = 0; k < far->level_count; k++)
        assert_same_equations(&far->levels[k], &near->levels[k]);
    assert_int_equal(far->joint_count, near->joint_count);
    assert_memory_equal(far->joints, near->joints, (size_t)far->joint_count * sizeof *far->joints);
    assert_int_equal(far->ring_count, near->ring_count);
    assert_int_equal(far->gate_count, near->gate_count);
}

// ---- State -----------------------------------------------------------------------------

typedef struct copy {
    float *values;
    size_t count;
} copy;

static copy copy_state(rl_river *r)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_river_state_arrays(r, arrays);
    copy c = {0};
    for (int n = 0; n < count; n++)
        c.count += arrays[n].rows * arrays[n].width;
    c.values = malloc(c.count * sizeof(float));
    assert_non_null(c.values);
    size_t at = 0;
    for (int n = 0; n < count; n++)
        for (size_t j = 0; j < arrays[n].rows; j++, at += arrays[n].width)
            memcpy(c.values + at, arrays[n].data + j * arrays[n].pitch,
                   arrays[n].width * sizeof(float));
    return c;
}

static void bring_back(rl_river *r, const copy *c)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_river_state_arrays(r, arrays);
    size_t at = 0;
    for (int n = 0; n < count; n++)
        for (size_t j = 0; j < arrays[n].rows; j++, at += arrays[n].width)
            memcpy(arrays[n].data + j * arrays[n].pitch, c->values + at,
                   arrays[n].width * sizeof(float));
    rl_river_state_changed(r);
}

static void assert_same_state(rl_river *r, const copy *want)
{
    copy now = copy_state(r);
    assert_int_equal(now.count, want->count);
    assert_memory_equal(now.values, want->values, now.count * sizeof(float));
    free(now.values);
}

static void flow_on(rl_river *r)
{
    for (int n = 0; n < 3; n++) {
        rl_river_advect(r, NULL, 0.25);
        rl_river_diffuse(r, NULL, 0.25);
        rl_river_project_flow(r, NULL);
        r->steps++;
    }
}

TEST(a_state_that_is_brought_back_goes_on_alike)
{
    for (int detail = 0; detail < 2; detail++) {
        FREED_BY(free_basin) rl_river *r = basin_create(200, 190, 200, basin_river);
        r->def.viscosity = 0.02f;
        r->def.detail_solver = detail;
        r->def.detail_distance = 20.0f;
        basin_set_flow(r, 0.0f, -1.0f, true);
        const double near[3] = {100.0, 20.0, 0.0}, far[3] = {90.0, 150.0, 0.0};
        rl_river_set_viewer(r, near);
        flow_on(r);
        copy early = copy_state(r);
        flow_on(r);
        copy late = copy_state(r);
        rl_river_set_viewer(r, far); // another grouping in between
        flow_on(r);
        bring_back(r, &early);
        assert_same_state(r, &early);
        assert_int_equal(r->coarsest_work > 0, detail);
        flow_on(r);
        assert_same_state(r, &late);
        free(early.values);
        free(late.values);
    }
}

// ---- What others do --------------------------------------------------------------------

TEST(deposits_are_booked_and_dry_cells_take_none)
{
    FREED_BY(free_basin)
    rl_river *r = basin_create(64, 64, 64, basin_channel); // wet from 24 to 39, 2 m deep
    const float depth[4] = {0.5f, 0.5f, -3.0f, 0.25f};
    const float momentum_x[4] = {0}, momentum_y[4] = {0.0f, 4.0f, 0.0f, 0.0f};
    const rl_deposit deposit = {.row = 10,
                                .first = 23, // a bank, then water
                                .count = 4,
                                .depth = depth,
                                .momentum_x = momentum_x,
                                .momentum_y = momentum_y};
    const double given = rl_river_deposit(r, &deposit);
    assert_true(fabs(given - (0.5 - 2.0 + 0.25)) < 1e-6); // no more taken than there was
    assert_true(fabs(r->passed_rows[10] - given) < 1e-12);
    // 4 m^4/s in 2 m^3 of water: half of it at each of the two faces.
    assert_true(fabsf(rill_field_row(&r->levels[0].v, 10)[24] - 1.0f) < 1e-6f);
    assert_true(fabsf(rill_field_row(&r->levels[0].v, 11)[24] - 1.0f) < 1e-6f);
    assert_true(r->fastest >= 1.0f);
}

TEST(raised_ground_falls_dry_and_lowered_ground_floods)
{
    FREED_BY(free_basin) rl_river *r = basin_create(64, 64, 64, basin_channel);
    basin_set_flow(r, 0.0f, -1.0f, false);
    rl_river_project_flow(r, NULL);
    const int64_t cells = r->levels[0].all.cells;
    for (int j = 30; j < 34; j++)
        for (int i = 28; i < 33; i++)
            rill_field_row(&r->bed, j)[i] = 5.0f; // an island
    for (int i = 40; i < 50; i++)
        rill_field_row(&r->bed, 20)[i] = 1.0f; // a ditch from the bank, as deep as half the river
    rl_river_bed_changed(r);
    double passed = 0.0; // water that the island displaced, less what fills the ditch
    for (int j = 0; j < 64; j++)
        passed += r->passed_rows[j];
    assert_true(fabs(passed - (4 * 5 * 2.0 - 10 * 1.0)) < 1e-9);
    assert_int_equal(r->levels[0].all.cells, cells - 4 * 5 + 10);
    assert_true(rill_field_row(&r->depth, 31)[30] == 0.0f);
    assert_true(fabsf(rill_field_row(&r->depth, 20)[49] - 1.0f) < 1e-6f);
    assert_true(rill_field_row(&r->levels[0].v, 32)[30] == 0.0f);
    rl_river_project_flow(r, NULL);
    assert_true(divergence_of(r) < 1e-4 * r->mean_speed);
}

// Water that no gate holds has a pressure up to a constant; its flow must come to rest all the
// same.
static bool pond_beside_channel(int i, int j, int n)
{
    return basin_channel(i, j, n) || (i >= 4 && i < 16 && j > 8 && j < n - 8);
}

TEST(water_without_a_way_out_is_solved_for_too)
{
    for (int n = 64; n <= 256; n *= 2) {
        FREED_BY(free_basin) rl_river *r = basin_create(n, n, n, pond_beside_channel);
        basin_set_flow(r, 0.3f, -1.0f, true);
        rl_river_project_flow(r, NULL);
        assert_true(divergence_of(r) < 1e-4 * r->mean_speed);
        assert_true(isfinite(r->mean_speed));
    }
}
