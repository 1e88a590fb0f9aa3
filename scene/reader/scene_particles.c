// SPDX-License-Identifier: MIT
// scene_particles.c - spray, splashes and foam, [particles], and what pours them, [[emitter]].
#include "scene/reader/scene_internal.h"

#include <math.h>
#include <string.h>

rill_status rl_scene_read_particles(rill_scene *scene, rl_toml_table root)
{
    rill_particles_def *def = &scene->def.particles;
    rl_toml_table table;
    rill_status status = rl_toml_get_table(root, "particles", &table);
    if (status != RILL_OK || table.value == NULL)
        return status;
    float wind[2] = {def->wind_x, def->wind_y};
    rl_toml_require(table, "max");
    rl_toml_get_int(table, "max", 0, 10000000, &def->max_particles);
    rl_toml_get_float(table, "radius", RL_TOML_POSITIVE, 1e3, &def->radius);
    rl_toml_get_float(table, "spray_radius", 0.01, 1.0, &def->spray_radius);
    rl_toml_get_float(table, "deposit", 1.0, 1000.0, &def->deposit);
    rl_toml_get_float(table, "spray_drag", 0.0, 1000.0, &def->drag[RILL_PARTICLE_SPRAY]);
    rl_toml_get_float(table, "splash_drag", 0.0, 1000.0, &def->drag[RILL_PARTICLE_SPLASH]);
    rl_toml_get_floats(table, "wind", 2, 2, -1000.0, 1000.0, wind, NULL);
    rl_toml_get_float(table, "velocity_noise", 0.0, 1.0, &def->velocity_noise);
    rl_toml_get_float(table, "breaking_slope", 0.0, 1e6, &def->breaking_slope);
    rl_toml_get_float(table, "breaking_rise", 0.0, 1e6, &def->breaking_rise);
    rl_toml_get_float(table, "breaking_curvature", -1e9, 1e9, &def->breaking_curvature);
    rl_toml_get_float(table, "breaking_amount", 0.0, 100.0, &def->breaking_amount);
    rl_toml_get_float(table, "breaking_lift", 0.0, 100.0, &def->breaking_lift);
    rl_toml_get_float(table, "spray_share", 0.0, 1.0, &def->spray_share);
    rl_toml_get_float(table, "foam_speed", 0.0, 1e6, &def->foam_speed);
    rl_toml_get_float(table, "foam_life", 0.0, 1e6, &def->foam_life);
    rl_toml_get_float(table, "foam_life_noise", 0.0, 1.0, &def->foam_life_noise);
    status = rl_toml_get_float(table, "foam_radius", RL_TOML_POSITIVE, 1e3, &def->foam_radius);
    def->wind_x = wind[0];
    def->wind_y = wind[1];
    return status;
}

// ---- [[emitter]] -----------------------------------------------------------------------

static rill_status read_place(const rill_scene *scene, rl_toml_table table, rill_emitter_def *def)
{
    if (!rl_toml_has(table, "path")) {
        rl_toml_require(table, "position");
        return rl_toml_get_doubles(table, "position", 3, 3, -1e7, 1e7, def->position, NULL);
    }
    if (rl_toml_has(table, "position"))
        return rl_toml_refuse(table, "position", "must not be given together with path");
    return rl_scene_read_path(scene, table, "path", false, def->path, &def->path_count);
}

static rill_status read_emitter(const rill_scene *scene, rl_toml_table table, rill_emitter_def *def)
{
    static const char *const kinds[] = {"jet", "rain", NULL};
    static const char *const particles[] = {"spray", "splash", NULL};
    *def = rill_default_emitter_def();
    int kind = (int)def->kind, particle = (int)def->particle;
    rill_status status = read_place(scene, table, def);
    if (status != RILL_OK)
        return status;
    rl_toml_get_choice(table, "kind", kinds, &kind);
    rl_toml_get_choice(table, "particle", particles, &particle);
    def->kind = (rill_emitter_kind)kind;
    def->particle = (rill_particle_kind)particle;
    const bool rain = def->kind == RILL_EMITTER_RAIN;
    if (rl_toml_has(table, rain ? "radius" : "size"))
        return rl_toml_refuse(table, rain ? "radius" : "size", "is for kind = \"%s\"",
                              kinds[rain ? RILL_EMITTER_JET : RILL_EMITTER_RAIN]);
    if (rain)
        rl_toml_require(table, "size");
    rl_toml_require(table, "rate");
    rl_toml_get_doubles(table, "velocity", 3, 3, -1e4, 1e4, def->velocity, NULL);
    rl_toml_get_doubles(table, "size", 2, 2, 0.0, 1e7, def->size, NULL);
    rl_toml_get_double(table, "radius", 0.0, 1e6, &def->radius);
    rl_toml_get_double(table, "rate", 0.0, 1e9, &def->rate);
    rl_toml_get_double(table, "spread", 0.0, 1.0, &def->spread);
    rl_toml_get_double(table, "start", -(double)INFINITY, (double)INFINITY, &def->start);
    status = rl_toml_get_double(table, "end", -(double)INFINITY, (double)INFINITY, &def->end);
    if (status == RILL_OK && !(def->end > def->start))
        return rl_toml_refuse(table, "end", "is %g s, it must be after the start at %g s", def->end,
                              def->start);
    if (status == RILL_OK && scene->def.particles.max_particles == 0)
        return rl_toml_refuse(table, "rate", "needs particles: [particles] with max above 0");
    return status;
}

rill_status rl_scene_read_emitters(rill_scene *scene, rl_toml_table root)
{
    rl_toml_tables tables;
    rill_status status = rl_toml_get_tables(root, "emitter", RILL_MAX_EMITTERS, &tables);
    if (status == RILL_OK)
        status = rl_scene_take(scene, tables.count, sizeof *scene->emitters, &scene->emitters);
    if (status != RILL_OK)
        return status;
    scene->emitter_count = tables.count;
    for (size_t n = 0; n < tables.count && status == RILL_OK; n++) {
        rl_toml_table table;
        status = rl_toml_table_at(&tables, n, &table);
        if (status == RILL_OK)
            status = read_emitter(scene, table, &scene->emitters[n]);
    }
    return status;
}
