// SPDX-License-Identifier: MIT
// What bodies that keep water out find before them and feel of it, beside what one piece at a time
// finds in the water itself.
#include "tests/bodies/body_worlds.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#include "bodies/sampling/pressure_sampling.h"

#define DT        (1.0 / 60.0)
#define TRIANGLES 12 // of a box

TEST_EACH(NULL, end_case);

// ---- Waters ----------------------------------------------------------------------------

static void begin_lake(void)
{
    begin_bodies(RILL_SOLVER_PIPES, 32, 24, 0.5, 3.0);
    make_bodies();
}

// A shore: cells in the east are dry, and here and there one in between.
static void begin_shore(void)
{
    begin_bodies(RILL_SOLVER_PIPES, 32, 24, 0.5, 3.0);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 32; i++) {
            const float bed = i > 13 || (i + 2 * j) % 5 == 0 ? 3.5f : 0.1f * (float)i;
            c.bed[32 * j + i] = bed;
            c.depth[32 * j + i] = bed < 3.0f ? 3.0f - bed : 0.0f;
        }
    make_bodies();
}

// A raised floor and something that hangs, both in the middle.
static void block_some(void)
{
    rl_blocks *set = &c.bodies->blocks;
    for (int j = 8; j < 16; j++) {
        set->first[j] = 12;
        set->end[j] = 19;
        set->hangs[j] = true;
        for (int i = 0; i < 32; i++) {
            rill_field_row(&set->floor, j)[i] = i == 12 ? 2.5f : i == 13 ? 4.0f : c.bed[32 * j + i];
            rill_field_row(&set->lower, j)[i] = i >= 15 && i < 19 ? 2.0f : RL_BLOCK_NO_LOWER;
            rill_field_row(&set->upper, j)[i] = i >= 15 && i < 19 ? 5.0f : RL_BLOCK_NO_UPPER;
            rill_field_row(&c.bodies->level, j)[i] = 2.75f + 0.01f * (float)i;
        }
    }
    c.bodies->has_blocks = true;
    c.ops->blocking->block(c.solver, NULL, set);
}

// Waves that run and, in a lake, stand.
static void stir(bool is_lake)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const char *const names[] = {"qx", "qy", "depth"};
    for (int n = 0; n < (is_lake ? 3 : 2); n++) {
        const rill_state_array *a = state_array(arrays, names[n]);
        for (size_t j = 0; j < a->rows; j++)
            for (size_t i = 0; i < a->width; i++)
                a->data[j * a->pitch + i] += (float)(0.2 * sin(0.9 * (double)i + 0.4 * (double)j));
    }
    c.ops->state_changed(c.solver);
}

// ---- Walks -----------------------------------------------------------------------------

// What a triangle feels.
typedef struct found {
    int parts;
    double area, head[3], flow[3][3], power;
} found;

typedef struct all_found {
    const rl_body *body;
    found at[TRIANGLES];
} all_found;

static void note(void *context, const rl_pressure_group *group, const rl_pressure_felt *felt)
{
    all_found *all = context;
    const uint32_t *corners = c.bodies->triangles + 3 * (size_t)all->body->first_triangle;
    for (int l = 0; l < group->count; l++) {
        int t = 0;
        while (t < TRIANGLES && ((int)corners[3 * t] != group->vertex[0][l] ||
                                 (int)corners[3 * t + 1] != group->vertex[1][l] ||
                                 (int)corners[3 * t + 2] != group->vertex[2][l]))
            t++;
        assert_true(t < TRIANGLES);
        found *f = &all->at[t];
        assert_int_equal(f->parts, 0); // nobody comes twice
        f->parts = group->parts;
        f->area = felt->area[l];
        f->power = felt->power[l];
        for (int n = 0; n < 3; n++) {
            f->head[n] = felt->head[n][l];
            for (int k = 0; k < 3; k++)
                f->flow[n][k] = felt->flow[n][k][l];
        }
    }
}

static rl_pressure_pull pull_of(const rl_body *body, double inert)
{
    return (rl_pressure_pull){.density = BODY_DENSITY,
                              .drag = body->def.drag,
                              .lift = body->def.lift,
                              .area_weight = body->def.area_weight,
                              .inert = inert};
}

static all_found walk(const rl_body *body, const rl_water_view *view, const rl_pressure_grid *grid,
                      double inert, double largest)
{
    all_found all = {.body = body};
    const rl_pressure_body of = {.bodies = c.bodies,
                                 .body = body,
                                 .view = view,
                                 .grid = grid,
                                 .pull = pull_of(body, inert),
                                 .largest = largest};
    rl_pressure_sample(&of, note, &all);
    return all;
}

// A box that leans, and moves and turns.
static rill_body_def leaning_def(double x, double y, double z, double size)
{
    rill_body_def def = box_def(x, y, z, size);
    def.rotation[0] = 0.1;
    def.rotation[2] = 0.3;
    def.rotation[3] = sqrt(1.0 - 0.1);
    set3(def.velocity, 1.5, -0.7, 0.4);
    def.spin[0] = 0.6;
    def.spin[2] = -1.1;
    def.lift = 0.4;
    def.area_weight = 0.7;
    return def;
}

static const rl_body *add_leaning(double x, double y, double z, double size)
{
    return add_body(leaning_def(x, y, z, size));
}

// ---- One piece at a time ---------------------------------------------------------------

// Drag and lift of a piece that moves at v through the water: 002 Eq. 15 to 17.
static double pull_piece(const rl_pressure_pull *pull, const double n[3], const double v[3],
                         double area, double force[3])
{
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double facing = (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]) / speed;
    memset(force, 0, 3 * sizeof *force);
    if (!(facing > 0.0))
        return 0.0;
    const double effective = area * (pull->area_weight * facing + 1.0 - pull->area_weight);
    const double half = 0.5 * pull->density * effective * speed;
    const double scale = fmin(1.0, pull->inert * area / (half * pull->drag));
    const double across = sqrt(1.0 - facing * facing);
    for (int k = 0; k < 3; k++)
        force[k] = -scale * half *
                   (pull->drag * v[k] + pull->lift * (n[k] * speed - v[k] * facing) / across);
    return half * pull->drag * speed * speed;
}

// Adds a piece to what its triangle feels. Returns how many of its corners see no water.
static int feel_piece(const rl_water_view *view, const rl_pressure_pull *pull, const rl_triangle *t,
                      const rl_piece *piece, found *f)
{
    double level[3], height[3], depth[3], flow[2] = {0}, v[3], force[3];
    int seen = 0;
    for (int n = 0; n < 3; n++) {
        double p[3];
        rl_samples_mix(t->p, piece->at[n], p);
        const rl_pressure_state front = rl_samples_pressure(view, p, t->normal);
        level[n] = front.level;
        height[n] = p[2];
        seen += front.level > RL_NO_WATER;
        flow[0] += front.flow[0];
        flow[1] += front.flow[1];
    }
    const double whole = t->area / ((double)t->parts * t->parts);
    if (seen == 0 || !rl_samples_depths(level, height, depth))
        return 3 - seen;
    const rl_wet_part wet = rl_samples_wet(piece, depth, whole);
    const double centre[3] = {wet.centre[0] / wet.area, wet.centre[1] / wet.area,
                              wet.centre[2] / wet.area};
    rl_samples_mix(t->v, centre, v);
    v[0] -= flow[0] / seen;
    v[1] -= flow[1] / seen;
    f->power += pull_piece(pull, t->normal, v, wet.area, force);
    f->area += wet.area;
    for (int n = 0; n < 3; n++) {
        f->head[n] += wet.head_centre[n];
        for (int k = 0; k < 3; k++)
            f->flow[n][k] += centre[n] * force[k];
    }
    return 3 - seen;
}

static int feel_triangle(const rl_water_view *view, const rl_pressure_pull *pull,
                         const rl_triangle *t, found *f)
{
    int unseen = 0;
    for (int row = 0; row < t->parts; row++)
        for (int n = 0; n < 2 * (t->parts - row) - 1; n++) {
            const rl_piece piece = rl_samples_piece(t->parts, row, n);
            unseen += feel_piece(view, pull, t, &piece, f);
        }
    return unseen;
}

static void assert_same(const found *a, const found *b, double whole)
{
    assert_near(a->area, b->area, 1e-4 * whole);
    assert_near(a->power, b->power, 1e-4 * BODY_DENSITY * whole);
    for (int n = 0; n < 3; n++) {
        assert_near(a->head[n], b->head[n], 1e-4 * whole);
        for (int k = 0; k < 3; k++)
            assert_near(a->flow[n][k], b->flow[n][k], 1e-4 * BODY_DENSITY * whole);
    }
}

// Every triangle beside its pieces. Returns in how many corners of wet triangles was no water.
static int compare(const rl_body *body, double inert, double largest)
{
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    const rl_pressure_pull pull = pull_of(body, inert);
    static rl_pressure_grid grid;
    memset(&grid, 0xff, sizeof grid); // NaN where nothing is put
    rl_pressure_query(&view, body, &grid);
    assert_true(rl_pressure_fits(c.bodies, body) && grid.box.i1 > grid.box.i0);
    const rl_pressure_grid none = {.reference = grid.reference, .highest = INFINITY};
    const all_found in_grid = walk(body, &view, &grid, inert, largest);
    const all_found beyond = walk(body, &view, &none, inert, largest);
    int wet = 0, cut = 0, unseen = 0;
    for (int t = 0; t < TRIANGLES; t++) {
        rl_triangle triangle;
        found pieces = {0};
        assert_true(rl_samples_triangle(c.bodies, body, t, largest, &triangle));
        triangle.parts = beyond.at[t].parts;
        const int none_seen = feel_triangle(&view, &pull, &triangle, &pieces);
        wet += pieces.area > 0.0;
        cut += pieces.area > 0.0 && pieces.area < 0.99 * triangle.area;
        unseen += pieces.area > 0.0 ? none_seen : 0;
        assert_same(&in_grid.at[t], &pieces, triangle.area);
        assert_same(&beyond.at[t], &pieces, triangle.area);
    }
    assert_true(wet >= 6 && cut >= 4);
    return unseen;
}

// ---- Tests -----------------------------------------------------------------------------

TEST(a_walk_feels_what_single_pieces_feel)
{
    for (int n = 0; n < 4; n++) {
        begin_lake();
        stir(true);
        block_some();
        const rl_body *body = add_leaning(7.6, 6.1, 2.4, 3.0);
        // Two sizes of pieces, and a soft body that drag can stop.
        compare(body, n % 2 == 0 ? 1e30 : 300.0, n < 2 ? 0.5 : 0.06);
    }
}

// A lake with waves and blocks in it; returns a body that leans in the middle of all that.
static rill_body_def begin_busy_lake(void)
{
    begin_lake();
    stir(true);
    block_some();
    return leaning_def(7.6, 6.1, 2.4, 3.0);
}

// Some are divided into more parts than others.
TEST(triangles_of_all_sizes_feel_what_their_pieces_feel)
{
    rill_body_def def = begin_busy_lake();
    def.size[1] = 1.2;
    def.size[2] = 2.0;
    const rl_body *body = add_body(def);
    compare(body, 1e30, 0.4);
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    const rl_pressure_grid none = {.reference = 2.4, .highest = INFINITY};
    const all_found all = walk(body, &view, &none, 1e30, 0.4);
    assert_true(all.at[4].parts != all.at[8].parts);
}

// There is a short way to what a body feels that is not lifted, and dragged by its area across the
// flow alone, unless it is soft. It leads to the same numbers.
TEST(plain_drag_is_that_of_all_bodies)
{
    rill_body_def def = begin_busy_lake();
    def.lift = 0.0;
    def.area_weight = 1.0;
    const rl_body *body = add_body(def);
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    static rl_pressure_grid grid;
    rl_pressure_query(&view, body, &grid);
    const all_found all = walk(body, &view, &grid, 1e30, 0.3);
    const all_found plain = walk(body, &view, &grid, INFINITY, 0.3);
    assert_true(all.at[4].power > 0.0 || all.at[6].power > 0.0);
    assert_memory_equal(&plain.at, &all.at, sizeof all.at);
    compare(body, INFINITY, 0.5);
}

TEST(corners_without_water_take_the_level_of_the_others)
{
    begin_shore();
    stir(false);
    block_some(); // beside what is dry: no water either
    assert_true(compare(add_leaning(6.3, 6.1, 2.9, 2.5), 1e30, 0.3) > 20);
}

TEST(points_beyond_the_grid_find_its_outermost_water)
{
    begin_lake();
    stir(true);
    compare(add_leaning(15.7, 11.6, 2.4, 3.0), 1e30, 0.5);
    begin_lake();
    stir(true);
    compare(add_leaning(0.2, 0.3, 2.4, 3.0), 1e30, 0.5);
}

// Parts are the fewest with which pieces are small and short enough.
TEST(no_piece_is_larger_or_longer_than_it_may_be)
{
    begin_lake();
    rill_body_def def = box_def(7.3, 5.1, 2.0, 1.0);
    def.size[0] = 12.0;
    def.size[1] = 0.05;
    const rl_body *body = add_body(def);
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    const rl_pressure_grid none = {.reference = 2.0, .highest = INFINITY};
    for (double largest = 0.0005; largest < 200.0; largest *= 1.7) {
        const all_found all = walk(body, &view, &none, 1e30, largest);
        for (int t = 0; t < TRIANGLES; t++) {
            rl_triangle triangle;
            assert_true(rl_samples_triangle(c.bodies, body, t, largest, &triangle));
            double longest = 0.0;
            for (int n = 0; n < 3; n++) {
                double squared = 0.0;
                for (int k = 0; k < 3; k++)
                    squared += pow(triangle.p[n][k] - triangle.p[(n + 1) % 3][k], 2.0);
                longest = fmax(longest, squared);
            }
            const double most = fmax(triangle.area, longest / 8.0), parts = all.at[t].parts;
            assert_true(most <= largest * parts * parts || all.at[t].parts == RL_MAX_PARTS);
            assert_true(parts == 1.0 || most > largest * (parts - 1.0) * (parts - 1.0));
        }
    }
    // Faces of 16 m^2 make two triangles of 8: four pieces of 2 are just small enough.
    const all_found all = walk(add_body(box_def(8.0, 6.0, 2.0, 4.0)), &view, &none, 1e30, 2.0);
    for (int t = 0; t < TRIANGLES; t++)
        assert_int_equal(all.at[t].parts, 2);
}

// Under still water of 3 m the integrals over a triangle are known, cut or not.
TEST(pressure_is_that_of_the_depth)
{
    begin_lake();
    const rill_body_def def = box_def(8.1, 6.2, 2.5, 2.0); // from 1.5 m to 3.5 m
    const rl_body *body = add_body(def);
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    static rl_pressure_grid grid;
    rl_pressure_query(&view, body, &grid);
    const all_found all = walk(body, &view, &grid, 1e30, 0.3);
    double area = 0.0, lifted = 0.0, pushed = 0.0, moment = 0.0;
    for (int t = 0; t < TRIANGLES; t++) {
        const found *f = &all.at[t];
        rl_triangle triangle;
        assert_true(rl_samples_triangle(c.bodies, body, t, 0.3, &triangle));
        assert_true((f->parts == 0) == (triangle.normal[2] > 0.5)); // the lid is above the water
        area += f->area;
        for (int n = 0; n < 3; n++) {
            lifted -= triangle.normal[2] * f->head[n];
            pushed += triangle.normal[0] > 0.5 ? f->head[n] : 0.0;
            moment += triangle.normal[0] > 0.5 ? f->head[n] * triangle.p[n][2] : 0.0;
        }
    }
    assert_near(area, 4.0 + 4.0 * 2.0 * 1.5, 1e-5);
    assert_near(lifted, 4.0 * 1.5, 1e-5);             // the volume below the water
    assert_near(pushed, 2.0 * 1.5 * 1.5 / 2.0, 1e-5); // width times h^2 / 2
    assert_near(moment, 2.25 * 2.0, 1e-5);            // its middle is at 2 m
}

TEST(every_instruction_set_gives_the_same_bits)
{
    begin_shore();
    stir(false);
    const rl_body *body = add_leaning(5.3, 6.1, 2.6, 3.1);
    const rl_body_water water = water_of(DT);
    const rl_water_view view = rl_samples_view(c.bodies, &water);
    static rl_pressure_grid grid;
    rl_pressure_query(&view, body, &grid);
    for (double largest = 0.05; largest < 5.0; largest *= 1.5) {
        c.bodies->isa = RL_ISA_PLAIN;
        const all_found plain = walk(body, &view, &grid, 1e30, largest);
        FOR_EACH_ISA (isa) {
            c.bodies->isa = isa;
            const all_found other = walk(body, &view, &grid, 1e30, largest);
            assert_memory_equal(&other.at, &plain.at, sizeof plain.at);
        }
    }
}
