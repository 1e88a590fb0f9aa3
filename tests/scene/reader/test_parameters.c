// SPDX-License-Identifier: MIT
// test_parameters.c - the table of parameters: its rows are sound, the defaults of definitions are
// the documented ones, every value just outside its range is refused by name, and every key of a
// scene gets where it belongs, under its own name and under older ones.
#include "scene/reader/scene_internal.h"
#include "tests/kit/kit.h"

#include "rill/rill.h"

#include <float.h>

static const rill_parameter *row_at(int index)
{
    int count = 0, views = 0;
    const rill_parameter *rows = rill_parameters(&count), *view = rill_view_parameters(&views);
    return index < count ? &rows[index] : index < count + views ? &view[index - count] : NULL;
}

typedef union any_definition {
    rill_world_def world;
    rill_body_def body;
    rill_emitter_def emitter;
    rill_source_def source;
    rill_view view;
} any_definition;

static bool is_whole(const rill_parameter *p)
{
    return p->type != RILL_PARAMETER_FLOAT && p->type != RILL_PARAMETER_DOUBLE;
}

// ---- Rows ------------------------------------------------------------------------------

TEST(every_default_lies_in_its_range)
{
    any_definition memory;
    for (int n = 0; row_at(n) != NULL; n++) {
        const rill_parameter *p = row_at(n);
        assert_true(p->count >= 1 && p->count <= 3 && p->low <= p->high);
        assert_true(p->help[0] != '\0' && p->help[strlen(p->help) - 1] != '.');
        assert_true((p->type == RILL_PARAMETER_ENUM) == (p->words != NULL));
        for (int k = 0; k < p->count; k++) {
            if (rill_parameter_set(&memory, p, k, p->initial[k]) != RILL_OK)
                fail_msg("%s", rill_last_error());
            const double got = rill_parameter_get(&memory, p, k);
            assert_true(got == p->initial[k] || fabs(got - p->initial[k]) < 1e-6 * fabs(got) ||
                        (isnan(got) && isnan(p->initial[k])));
        }
    }
}

TEST(no_name_is_given_twice)
{
    for (int n = 0; row_at(n) != NULL; n++)
        for (int m = 0; row_at(m) != NULL; m++) {
            const char *names[] = {row_at(m)->name, row_at(m)->alias};
            for (int k = n == m ? 1 : 0; k < 2; k++)
                assert_true(names[k] == NULL || strcmp(names[k], row_at(n)->name) != 0);
            assert_true(n == m || names[1] == NULL || row_at(n)->alias == NULL ||
                        strcmp(names[1], row_at(n)->alias) != 0);
        }
    assert_ptr_equal(rill_parameter_find("swe.falls"), rill_parameter_find("swe.waterfalls"));
    assert_null(rill_parameter_find("swe.fall"));
    assert_null(rill_parameter_find(NULL));
}

TEST(misuse_is_said_in_words)
{
    rill_world_def def = rill_default_world_def();
    const rill_parameter *manning = rill_parameter_find("swe.manning");
    assert_int_equal(rill_parameter_set(&def, manning, 1, 0.1), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_parameter_set(&def, NULL, 0, 0.1), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_parameter_set(NULL, manning, 0, 0.1), RILL_BAD_ARGUMENT);
    assert_true(isnan(rill_parameter_get(&def, manning, 1)));
    assert_int_equal(rill_parameter_set(&def, manning, 0, 2.0), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(), "swe.manning is 2, it must be from 0 to 1");
    assert_int_equal(rill_parameter_set(&def, manning, 0, (double)NAN), RILL_BAD_DEF);
    assert_true(def.swe.manning == 0.0f);
    assert_int_equal(rill_parameter_set(&def, manning, 0, 0.03), RILL_OK);
    assert_true(def.swe.manning == 0.03f);
    const rill_parameter *size = rill_parameter_find("waves.size");
    assert_int_equal(rill_parameter_set(&def, size, 0, 100.0), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(),
                        "waves.size is 100, it must be a power of two from 16 to 1024");
    const rill_parameter *solver = rill_parameter_find("world.solver");
    assert_int_equal(rill_parameter_set(&def, solver, 0, 4.0), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(), "world.solver is 4, it must be one of 0 ('pipes'), 1 "
                                           "('layers'), 2 ('swe'), 3 ('river')");
    assert_int_equal(rill_parameter_set(&def, solver, 0, 1.5), RILL_BAD_DEF);
}

// ---- Defaults --------------------------------------------------------------------------

// What is not here is 0.
static const struct {
    const char *name;
    double value[3];
} documented[] = {
    {"seed", {1}},
    {"world.nx", {256}},
    {"world.ny", {256}},
    {"world.cell_size", {1}},
    {"world.gravity", {9.81}},
    {"world.max_substeps", {256}},
    {"world.worker_count", {1}},
    {"world.max_sources", {256}},
    {"wind.speed", {-1}},
    {"wind.direction", {30}},
    {"pipes.smoothing", {-1}},
    {"pipes.critical_flow", {1}},
    {"layers.max_layers", {8}},
    {"layers.max_movers", {16}},
    {"swe.velocity_limit", {0.5}},
    {"swe.depth_limit", {0.5}},
    {"swe.cliff", {1.5}},
    {"swe.waterfalls", {1}},
    {"swe.overshoot_edge", {2}},
    {"swe.absorb_cells", {10}},
    {"swe.absorb_reflection", {1e-4}},
    {"river.speed", {1.3}},
    {"river.viscosity", {0.05}},
    {"river.sweeps", {20}},
    {"river.tolerance", {5e-5}},
    {"river.vary", {0.01}},
    {"river.min_speed", {0.05}},
    {"river.max_speed", {3}},
    {"river.reversal", {15}},
    {"river.direction", {NAN}},
    {"river.bootstrap", {-1}},
    {"river.dye_conservative", {1}},
    {"river.detail_distance", {500}},
    {"river.path.from", {RILL_RIVER_FROM_AUTO}},
    {"river.path.surface", {RILL_RIVER_PROFILE}},
    {"river.path.depth", {NAN}},
    {"river.path.outlet", {RILL_RIVER_OUTLET_ANY}},
    {"river.path.through", {NAN, NAN}},
    {"river.path.width", {NAN}},
    {"river.path.runoff", {20}},
    {"river.path.no_data", {INFINITY}},
    {"river.columns.cells", {4}},
    {"river.columns.weight", {1}},
    {"river.columns.limit", {3}},
    {"river.columns.vary", {0.05}},
    {"river.columns.friction", {0.1}},
    {"river.wave_particles.texels", {4}},
    {"river.wave_particles.size", {256}},
    {"river.wave_particles.wind_direction", {NAN}},
    {"river.wave_particles.height", {1}},
    {"river.wave_particles.life", {6}},
    {"particles.spray_radius", {0.5}},
    {"particles.deposit", {4}},
    {"particles.spray_drag", {1.5}},
    {"particles.splash_drag", {0.1}},
    {"particles.wind", {NAN, NAN}},
    {"particles.velocity_noise", {0.1}},
    {"particles.breaking_slope", {0.15}},
    {"particles.breaking_rise", {1}},
    {"particles.breaking_curvature", {-1}},
    {"particles.breaking_amount", {0.2}},
    {"particles.breaking_lift", {0.5}},
    {"particles.spray_share", {0.15}},
    {"particles.foam_speed", {4}},
    {"particles.foam_life", {4}},
    {"particles.foam_life_noise", {0.5}},
    {"waves.wind_direction", {NAN}},
    {"waves.height", {1}},
    {"waves.stretch", {1}},
    {"waves.period", {3}},
    {"waves.chop", {1}},
    {"bodies.density", {1000}},
    {"bodies.kappa", {1}},
    {"bodies.decay", {1}},
    {"bodies.splash_speed", {1.5}},
    {"bodies.splash_amount", {0.02}},
    {"bodies.splash_normal", {0.86}},
    {"bodies.splash_along", {0.15}},
    {"bodies.splash_lift", {0.005}},
    {"bodies.splash_mirror", {0.4}},
    {"bodies.spread", {0.2}},
    {"bodies.release", {0.5}},
    {"bodies.fence", {1}},
    {"bodies.engine_step", {1.0 / 60.0}},
    {"body.motion", {RILL_BODY_RIGID}},
    {"body.coupling", {RILL_COUPLING_PASS}},
    {"body.size", {1, 1, 1}},
    {"body.radius", {0.5}},
    {"body.length", {1}},
    {"body.cells", {12, 8}},
    {"body.density", {500}},
    {"body.friction", {0.6}},
    {"body.bounce", {0.1}},
    {"body.drag", {1}},
    {"body.area_weight", {1}},
    {"body.displacement", {1}},
    {"body.adaptation", {0.2}},
    {"body.stretch_stiffness", {1}},
    {"body.bend_stiffness", {0.1}},
    {"body.pressure", {1}},
    {"body.end", {INFINITY}},
    {"body.colour", {1, 1, 1}},
    {"emitter.radius", {0.1}},
    {"emitter.spread", {0.05}},
    {"emitter.particle", {RILL_PARTICLE_SPLASH}},
    {"emitter.end", {INFINITY}},
    {"spring.end", {INFINITY}},
    {"view.time_of_day", {10}},
    {"view.latitude", {45}},
    {"view.clouds", {0.35}},
    {"view.wind", {3}},
    {"view.wind_direction", {30}},
    {"view.choppiness", {1}},
    {"view.contact_angle", {20}},
    {"view.open_sea.tile", {100}},
    {"view.open_sea.wind", {8}},
    {"view.open_sea.wind_direction", {30}},
    {"view.open_sea.height", {1}},
    {"view.open_sea.depth", {INFINITY}},
    {"view.open_sea.chop", {1}},
};

TEST(defaults_are_the_documented_ones)
{
    const rill_world_def world = rill_default_world_def();
    const rill_body_def body = rill_default_body_def();
    const rill_emitter_def emitter = rill_default_emitter_def();
    const rill_source_def source = rill_default_source_def();
    const rill_view view = rill_default_view();
    const void *const defs[] = {&world, &body, &emitter, &source, &view};
    size_t found = 0;
    for (int n = 0; row_at(n) != NULL; n++) {
        const rill_parameter *p = row_at(n);
        double want[3] = {0.0, 0.0, 0.0};
        if (strncmp(p->name, "view.optics.", 12) == 0)
            continue; // of the first liquid
        for (size_t k = 0; k < sizeof documented / sizeof documented[0]; k++)
            if (strcmp(documented[k].name, p->name) == 0) {
                memcpy(want, documented[k].value, sizeof want);
                found++;
            }
        for (int k = 0; k < p->count; k++) {
            const double got = rill_parameter_get(defs[p->definition], p, k);
            const double as_kept =
                p->type == RILL_PARAMETER_FLOAT ? (double)(float)want[k] : want[k];
            if (!(got == as_kept || (isnan(got) && isnan(as_kept))))
                fail_msg("%s is %.9g, documented is %.9g", p->name, got, want[k]);
        }
    }
    assert_int_equal(found, sizeof documented / sizeof documented[0]);
    assert_true(world.particles.max_particles == 0 && world.bed.data == NULL &&
                body.rotation[3] == 1.0);
    const rill_river_def river = rill_default_river_def();
    assert_true(river.speed == world.river.speed && isnan(river.path.depth));
    assert_true(rill_default_bodies_def().density == 1000.0f);
    assert_true(rill_default_particles_def().deposit == 4.0f);
}

// ---- Ranges ----------------------------------------------------------------------------

// Writes what rill_parameter_set would refuse.
static void force(void *def, const rill_parameter *p, double value)
{
    void *at = (char *)def + p->offset;
    const float narrow = (float)value;
    const int whole = (int)value;
    if (p->type == RILL_PARAMETER_FLOAT)
        memcpy(at, &narrow, sizeof narrow);
    else if (p->type == RILL_PARAMETER_DOUBLE)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &whole, sizeof whole);
}

// The values just outside, and one that is no number; how many there are.
static int outside(const rill_parameter *p, double values[3])
{
    int count = 0;
    const bool above = (p->flags & RILL_PARAMETER_ABOVE) != 0;
    const bool narrow = p->type == RILL_PARAMETER_FLOAT;
    if (isfinite(p->low))
        values[count++] = is_whole(p) ? p->low - 1.0
                          : narrow    ? (double)nextafterf((float)p->low, -FLT_MAX)
                                      : nextafter(p->low, -DBL_MAX);
    if (above && !(p->automatic != NULL && p->initial[0] == p->low))
        values[count - 1] = p->low;
    if (isfinite(p->high))
        values[count++] = is_whole(p) ? p->high + 1.0
                          : narrow    ? (double)nextafterf((float)p->high, FLT_MAX)
                                      : nextafter(p->high, DBL_MAX);
    if (!is_whole(p) && !(p->automatic != NULL && isnan(p->initial[0])))
        values[count++] = (double)NAN;
    return count;
}

static rill_solver solver_of(const rill_parameter *p)
{
    int solver = RILL_SOLVER_PIPES;
    while (p->solvers != 0 && !(p->solvers >> solver & 1u))
        solver++;
    return (rill_solver)solver;
}

static rill_status try_world(const rill_parameter *p, double value)
{
    rill_world_def def = rill_default_world_def();
    rill_world *world = NULL;
    def.solver = solver_of(p);
    force(&def, p, value);
    const rill_status status = rill_world_create(&def, &world);
    assert_null(world);
    return status;
}

static rill_status try_body(rill_world *world, const rill_parameter *p, double value)
{
    rill_body_def def = rill_default_body_def();
    if (strcmp(p->name, "body.radius") == 0 || strcmp(p->name, "body.length") == 0)
        def.shape = RILL_BODY_CYLINDER;
    if (strcmp(p->name, "body.cells") == 0)
        def.shape = RILL_BODY_SHEET;
    force(&def, p, value);
    return rill_world_add_body(world, &def, NULL);
}

static rill_status try_emitter(rill_world *world, const rill_parameter *p, double value)
{
    rill_emitter_def def = rill_default_emitter_def();
    force(&def, p, value);
    return rill_world_add_emitter(world, &def, NULL);
}

static rill_status try_source(rill_world *world, const rill_parameter *p, double value)
{
    rill_source_def def = rill_default_source_def();
    if (strcmp(p->name, "spring.rate") == 0 && value < 0.0)
        value = 1e13; // a drain has a negative rate
    force(&def, p, value);
    return rill_world_add_source(world, &def, NULL);
}

TEST(a_value_just_outside_its_range_is_refused_by_name)
{
    rill_world_def plain = rill_default_world_def();
    plain.nx = plain.ny = 16;
    plain.bodies.max_bodies = plain.particles.max_particles = 4;
    rill_world *world = NULL;
    assert_int_equal(rill_world_create(&plain, &world), RILL_OK);
    for (int n = 0; row_at(n) != NULL; n++) {
        const rill_parameter *p = row_at(n);
        double values[3];
        const int count = p->type != RILL_PARAMETER_SEED ? outside(p, values) : 0;
        for (int k = 0; k < count; k++) {
            rill_view view = rill_default_view();
            const rill_status status =
                p->definition == RILL_DEFINITION_WORLD     ? try_world(p, values[k])
                : p->definition == RILL_DEFINITION_BODY    ? try_body(world, p, values[k])
                : p->definition == RILL_DEFINITION_EMITTER ? try_emitter(world, p, values[k])
                : p->definition == RILL_DEFINITION_SOURCE
                    ? try_source(world, p, values[k])
                    : rill_parameter_set(&view, p, 0, values[k]);
            if (status != RILL_BAD_DEF)
                fail_msg("%s = %.9g was not refused", p->name, values[k]);
            if (strncmp(rill_last_error(), p->name, strlen(p->name)) != 0)
                fail_msg("%s = %.9g: %s", p->name, values[k], rill_last_error());
        }
    }
    rill_world_destroy(&world);
}

TEST(the_ends_of_a_range_are_part_of_it)
{
    any_definition memory;
    for (int n = 0; row_at(n) != NULL; n++) {
        const rill_parameter *p = row_at(n);
        if (p->type == RILL_PARAMETER_SEED)
            continue;
        assert_int_equal(rill_parameter_set(&memory, p, 0, p->high), RILL_OK);
        if ((p->flags & RILL_PARAMETER_ABOVE) == 0)
            assert_int_equal(rill_parameter_set(&memory, p, 0, p->low), RILL_OK);
    }
}

// ---- Scenes ----------------------------------------------------------------------------

// A value that is not the default.
static double another(const rill_parameter *p)
{
    if (p->type == RILL_PARAMETER_SEED)
        return 7.0;
    if (p->type == RILL_PARAMETER_ENUM || p->type == RILL_PARAMETER_FLAG)
        return p->initial[0] == 1.0 ? 0.0 : 1.0;
    if (!isfinite(p->high) || strcmp(p->name, "domain.i") == 0 ||
        strcmp(p->name, "domain.j") == 0 || strcmp(p->name, "view.fog_begin") == 0)
        return 5.0;
    return p->automatic != NULL || p->initial[0] == p->low ? p->high : p->low;
}

static void show_value(const rill_parameter *p, char *text, size_t size)
{
    const double value = another(p);
    if (p->type == RILL_PARAMETER_ENUM)
        snprintf(text, size, "'%s'", p->words[(int)value]);
    else if (p->type == RILL_PARAMETER_FLAG)
        snprintf(text, size, "%s", value != 0.0 ? "true" : "false");
    else if (p->count == 3)
        snprintf(text, size, "[%.9g, %.9g, %.9g]", value, value, value);
    else if (p->count == 2)
        snprintf(text, size, "[%.9g, %.9g]", value, value);
    else
        snprintf(text, size, "%.9g", value);
}

// What else a scene needs when it has that key.
static const struct {
    const char *key, *more;
} needs[] = {
    {"particles.", "[particles]\nmax_particles = 100\n"},
    {"particles.max", ""},
    {"domain.", "[domain]\nnx = 8\nny = 8\n"},
    {"river.path.level", "[river.path]\nsurface = 'plane'\n"},
    {"river.path.surface", "[river.path]\nlevel = 1\n"},
    {"view.open_sea.", "[view.open_sea]\nlevel = 1\n"},
    {"view.open_sea.level", ""},
    {"view.fog_begin", "[view]\nfog_end = 10\n"},
    {"emitter.", "[particles]\nmax_particles = 100\n"},
};

static rill_scene *scene_with(const rill_parameter *p, const char *name)
{
    char text[512], value[64], set[512];
    const char *more = "", *const *solvers = rill_parameter_find("world.solver")->words;
    const char *key = strrchr(name, '.') != NULL ? strrchr(name, '.') + 1 : name;
    for (size_t n = 0; n < sizeof needs / sizeof needs[0]; n++)
        if (strncmp(p->name, needs[n].key, strlen(needs[n].key)) == 0)
            more = needs[n].more;
    show_value(p, value, sizeof value);
    const bool cylinder = strcmp(key, "radius") == 0 || strcmp(key, "length") == 0;
    const bool sheet = strcmp(key, "cells") == 0 || strcmp(key, "thickness") == 0;
    const bool discs = strcmp(key, "discs") == 0;
    const bool foam = discs || strcmp(value, "'foam'") == 0;
    if (p->definition == RILL_DEFINITION_BODY)
        snprintf(set, sizeof set, "body=[{%s%s%s%s%s%s = %s}]",
                 strcmp(key, "position") != 0 ? "position = [1, 1, 1], " : "",
                 cylinder ? "shape = 'cylinder', "
                 : sheet  ? "shape = 'sheet', motion = 'soft', size = [1, 1], "
                 : strcmp(p->name, "body.shape") == 0 ? "radius = 1, "
                 : strcmp(key, "size") != 0           ? "size = [1, 1, 1], "
                                                      : "",
                 strcmp(key, "length") == 0 ? "radius = 1, " : "",
                 strcmp(key, "radius") == 0 ? "length = 1, " : "", key, "", value);
    else if (p->definition == RILL_DEFINITION_EMITTER)
        snprintf(set, sizeof set, "emitter=[{%s%s%s%s = %s}]",
                 strcmp(key, "position") != 0 ? "position = [1, 1, 1], " : "",
                 discs                      ? ""
                 : foam                     ? "discs = 1, "
                 : strcmp(key, "rate") != 0 ? "rate = 1, "
                                            : "",
                 discs                      ? "particle = 'foam', "
                 : strcmp(key, "size") == 0 ? "kind = 'rain', "
                 : strcmp(key, "kind") == 0 ? "size = [1, 1], "
                                            : "",
                 key, value);
    else if (p->definition == RILL_DEFINITION_SOURCE)
        snprintf(set, sizeof set, "spring=[{x = 1, y = 1, %s%s%s = %s}]",
                 strcmp(key, "rate") != 0 ? "rate = 1, " : "",
                 strcmp(key, "pulse") == 0         ? "pulse_depth = 1, "
                 : strcmp(key, "pulse_depth") == 0 ? "pulse = 1, "
                                                   : "",
                 key, value);
    else
        snprintf(set, sizeof set, "%s=%s", name, value);
    snprintf(text, sizeof text,
             "duration = 1\n[world]\nnx = 16\nny = 16\ncell_size = 1\nsolver = '%s'\n%s",
             solvers[solver_of(p)], more);
    const char *const overrides[] = {set};
    rill_scene *scene = NULL;
    if (rill_scene_parse("s.toml", text, strlen(text), NULL, overrides, 1, NULL, &scene) != RILL_OK)
        fail_msg("%s: %s", set, rill_last_error());
    return scene;
}

static void assert_read(const rill_parameter *p, const char *name)
{
    rill_scene *scene = scene_with(p, name);
    const void *const defs[] = {&scene->def, scene->body_count > 0 ? &scene->bodies[0].def : NULL,
                                scene->emitters, scene->springs, &scene->view};
    const double want = another(p);
    for (int k = 0; k < p->count; k++) {
        const double got = rill_parameter_get(defs[p->definition], p, k);
        if (!(fabs(got - want) <= 1e-6 * fabs(want)))
            fail_msg("%s is %.9g in the scene, it became %.9g", name, want, got);
    }
    rill_scene_destroy(&scene);
}

TEST(every_key_of_a_scene_gets_where_it_belongs)
{
    int aliases = 0;
    for (int n = 0; row_at(n) != NULL; n++) {
        const rill_parameter *p = row_at(n);
        if ((p->flags & RILL_PARAMETER_HOST) != 0)
            continue;
        assert_read(p, p->name);
        if (p->alias != NULL)
            assert_read(p, p->alias);
        aliases += p->alias != NULL;
    }
    assert_true(aliases >= 15);
}

#define SWE "duration = 1\n[world]\nnx = 16\nny = 16\ncell_size = 1\nsolver = 'swe'\n"

static rill_status open_text(const char *text, const char *set, rill_scene **scene)
{
    return rill_scene_parse("s.toml", text, strlen(text), NULL, &set, set != NULL, NULL, scene);
}

TEST(of_two_names_an_override_has_the_last_word)
{
    rill_scene *scene = NULL;
    assert_int_equal(open_text(SWE "[swe]\nfalls = true\nwaterfalls = false\n", NULL, &scene),
                     RILL_BAD_SCENE);
    assert_string_equal(rill_last_error(), "s.toml:8:9: swe.falls is an older name of "
                                           "swe.waterfalls, which is given as well");
    assert_int_equal(open_text(SWE "[swe]\nwaterfalls = true\n", "swe.falls=false", &scene),
                     RILL_OK);
    assert_int_equal(scene->def.swe.waterfalls, 0);
    rill_scene_destroy(&scene);
    assert_int_equal(open_text(SWE "[swe]\nfalls = true\n", "swe.waterfalls=false", &scene),
                     RILL_OK);
    assert_int_equal(scene->def.swe.waterfalls, 0);
    rill_scene_destroy(&scene);
    assert_int_equal(open_text(SWE "[window]\nnx = 8\nny = 8\n", "domain.i=3", &scene), RILL_OK);
    assert_true(scene->def.domain.i == 3 && scene->info.nx == 8 && scene->info.full_nx == 16);
    rill_scene_destroy(&scene);
    assert_int_equal(open_text(SWE "[view]\nground = 'country'\n", NULL, &scene), RILL_OK);
    assert_int_equal(rill_scene_view(scene).ground, RILL_GROUND_LAND);
    rill_scene_destroy(&scene);
}

TEST(a_key_of_another_solver_is_refused)
{
    rill_scene *scene = NULL;
    for (int n = 0; row_at(n) != NULL; n++) {
        const rill_parameter *p = row_at(n);
        if (p->solvers == 0 || (p->solvers >> RILL_SOLVER_SWE & 1u))
            continue;
        char value[64], set[128];
        show_value(p, value, sizeof value);
        snprintf(set, sizeof set, "%s=%s", p->name, value);
        assert_int_equal(open_text(SWE, set, &scene), RILL_BAD_SCENE);
        if (strstr(rill_last_error(), "is for world.solver = ") == NULL ||
            strstr(rill_last_error(), p->name) == NULL)
            fail_msg("%s", rill_last_error());
    }
    assert_int_equal(open_text(SWE, "pipes.drag=0.1", &scene), RILL_BAD_SCENE);
    assert_string_equal(rill_last_error(),
                        "--set pipes.drag=0.1: pipes.drag is for world.solver = \"pipes\" or "
                        "\"layers\", this world has \"swe\"");
}

// ---- Wind ------------------------------------------------------------------------------

TEST(one_wind_goes_to_all_that_have_none_of_their_own)
{
    static const char text[] = SWE "[wind]\nspeed = 6\ndirection = 90\n[waves]\nsize = 16\n"
                                   "[particles]\nmax_particles = 8\n[view.open_sea]\nlevel = 0\n";
    rill_scene *scene = NULL;
    assert_int_equal(open_text(text, NULL, &scene), RILL_OK);
    rill_view view = rill_scene_view(scene);
    assert_true(view.wind == 6.0 && view.wind_direction == 90.0);
    assert_true(view.open_sea.wind == 6.0 && view.open_sea.wind_direction == 90.0);
    rill_world *world = NULL, *same = NULL;
    assert_int_equal(rill_scene_create_world(scene, 1, &world), RILL_OK);
    rill_scene_destroy(&scene);

    // The same, said one by one.
    static const char each[] = SWE "[waves]\nsize = 16\nwind = 6\nwind_direction = 90\n"
                                   "[particles]\nmax_particles = 8\nwind = [0, 6]\n";
    assert_int_equal(open_text(each, NULL, &scene), RILL_OK);
    assert_int_equal(rill_scene_create_world(scene, 1, &same), RILL_OK);
    rill_scene_destroy(&scene);
    const rill_waves a = rill_world_waves(world), b = rill_world_waves(same);
    assert_memory_equal(a.texture.height, b.texture.height, 16 * 16 * sizeof(float));
    rill_world_destroy(&world);
    rill_world_destroy(&same);

    assert_int_equal(open_text(text, "view.wind=2", &scene), RILL_OK);
    view = rill_scene_view(scene);
    assert_true(view.wind == 2.0 && view.open_sea.wind == 6.0);
    rill_scene_destroy(&scene);
    assert_int_equal(open_text(SWE, NULL, &scene), RILL_OK);
    view = rill_scene_view(scene);
    assert_true(view.wind == 3.0 && view.wind_direction == 30.0 && view.open_sea.wind == 8.0);
    rill_scene_destroy(&scene);
}
