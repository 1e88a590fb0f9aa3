// SPDX-License-Identifier: MIT
// scene_solid_mesh.c - parts and movers of a solid that are meshes: from files, or ellipsoids; and
// the rhythm in which one that moves bends.
#include "scene/reader/scene_internal.h"

#include <stddef.h>

static rill_status read_ellipsoid(rl_toml_table table, rl_scene_part *part)
{
    static const char *const of_files[] = {"file", "unit", NULL};
    static const rl_scene_number keys[] = {
        {"ellipsoid", offsetof(rl_scene_part, ellipsoid), 1e-9, RL_SCENE_FAR, .count = 3},
        {"parts", offsetof(rl_scene_part, ellipsoid_parts), 1, 2048, .type = RL_SCENE_INT},
        {0},
    };
    rl_scene_refuse_keys(table, of_files, "must not be given together with ellipsoid");
    part->ellipsoid_parts = 24;
    return rl_scene_read_numbers(table, keys, 0, part);
}

rill_status rl_scene_read_mesh(rl_toml_table table, rl_scene_part *part)
{
    if (rl_toml_find(table.value, "ellipsoid") != NULL)
        return read_ellipsoid(table, part);
    if (rl_toml_find(table.value, "parts") != NULL)
        rl_toml_refuse(table, "parts", "is for ellipsoid, which is not given");
    part->file = rl_toml_get_value(table, "file");
    if (part->file == NULL)
        rl_toml_refuse(table, "file", "or ellipsoid must be given");
    return table.document->failed;
}

rill_status rl_scene_make_mesh(const rill_scene *scene, const rl_scene_part *part, const char *key,
                               rill_triangles **out)
{
    if (part->file != NULL)
        return rl_scene_load_mesh(scene, part->file, part->unit, key, out);
    return rl_scene_blame(
        scene, part->table.value, part->table.path,
        rill_triangles_create_ellipsoid(part->ellipsoid, part->ellipsoid_parts, &scene->host, out));
}

// beat = { period = 1.0, amplitude = [x, y, z], swell = [x, y, z], wavelength = [x, y, z] }
rill_status rl_scene_read_beat(rl_toml_table table, rl_scene_part *part)
{
    static const rl_scene_number keys[] = {
        {"period", offsetof(rill_mover_beat, period), 1e-6, 1e9, .needed = true},
        {"amplitude", offsetof(rill_mover_beat, amplitude), -RL_SCENE_FAR, RL_SCENE_FAR,
         .count = 3},
        {"swell", offsetof(rill_mover_beat, swell), -0.999, 0.999, .count = 3},
        {"wavelength", offsetof(rill_mover_beat, wavelength), -RL_SCENE_FAR, RL_SCENE_FAR,
         .count = 3},
        {0},
    };
    rl_toml_table beat;
    const bool given = rl_toml_find(table.value, "beat") != NULL;
    if (given && part->shape.kind != RILL_SDF_MESH)
        return rl_toml_refuse(table, "beat", "is for kind = \"mesh\"");
    if (part->shape.kind != RILL_SDF_MESH || !rl_toml_has(table, "beat"))
        return table.document->failed;
    rl_toml_get_table(table, "beat", &beat);
    return rl_scene_read_numbers(beat, keys, 0, &part->beat);
}
