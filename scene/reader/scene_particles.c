// SPDX-License-Identifier: MIT
// scene_particles.c - what pours particles, [[emitter]].
#include "scene/reader/scene_internal.h"

#include <math.h>
#include <string.h>

static rill_status read_place(const rill_scene *scene, rl_toml_table table, rill_emitter_def *def)
{
    if (!rl_toml_has(table, "path"))
        return rl_toml_require(table, "position");
    if (rl_toml_has(table, "position"))
        return rl_toml_refuse(table, "position", "must not be given together with path");
    return rl_scene_read_path(scene, table, "path", false, def->path, &def->path_count);
}

static rill_status read_emitter(const rill_scene *scene, rl_toml_table table, rill_emitter_def *def)
{
    int count = 0;
    const rill_parameter *rows = rill_parameters(&count);
    *def = rill_default_emitter_def();
    rill_status status = read_place(scene, table, def);
    if (status != RILL_OK)
        return status;
    rl_toml_require(table, "rate");
    status = rl_scene_read_rows(scene, table, rows, count, RILL_DEFINITION_EMITTER, NULL, def);
    if (status != RILL_OK)
        return status;
    const bool rain = def->kind == RILL_EMITTER_RAIN;
    if (rl_toml_has(table, rain ? "radius" : "size"))
        return rl_toml_refuse(table, rain ? "radius" : "size", "is for kind = \"%s\"",
                              rain ? "jet" : "rain");
    if (rain && rl_toml_require(table, "size") != RILL_OK)
        return rl_toml_status(table.document);
    if (!(def->end > def->start))
        return rl_toml_refuse(table, "end", "is %g s, it must be after the start at %g s", def->end,
                              def->start);
    if (scene->def.particles.max_particles == 0)
        return rl_toml_refuse(table, "rate",
                              "needs particles: [particles] with max_particles above 0");
    return RILL_OK;
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
