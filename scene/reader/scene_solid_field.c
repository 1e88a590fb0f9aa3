// SPDX-License-Identifier: MIT
// scene_solid_field.c - parts of a solid that are fields of distances: NRRD files, and raw values
// that the scene describes.
#include "scene/reader/scene_internal.h"

#include <math.h>

// raw = { size = [nx, ny, nz], spacing = [dx, dy, dz], type = "int16", endian = "big", skip = 0 }
static rill_status read_raw(rl_toml_table table, rl_scene_part *part)
{
    static const char *const orders[] = {"little", "big", NULL};
    const char *types[RILL_VALUE_TYPE_COUNT + 1] = {NULL};
    rill_field_header *header = &part->header;
    double size[3] = {2.0, 2.0, 2.0};
    int64_t skip = 0;
    rl_toml_table raw;
    for (int k = 0; k < RILL_VALUE_TYPE_COUNT; k++)
        types[k] = rill_value_type_name((rill_value_type)k);
    rl_toml_get_table(table, "raw", &raw);
    rl_toml_require(raw, "size");
    rl_toml_require(raw, "spacing");
    rl_toml_require(raw, "type");
    rl_toml_get_doubles(raw, "size", 3, 3, 2.0, (double)RILL_MAX_SOLID_NODES, size, NULL);
    rl_toml_get_doubles(raw, "spacing", 3, 3, 1e-9, RL_SCENE_FAR, header->spacing, NULL);
    rl_toml_get_choice(raw, "type", types, &header->type);
    rl_toml_get_choice(raw, "endian", orders, &header->big_endian);
    rl_toml_get_integer(raw, "skip", 0, (int64_t)1 << 50, &skip);
    for (int axis = 0; axis < 3; axis++)
        if (size[axis] != floor(size[axis]))
            rl_toml_refuse(raw, "size", "must be three whole numbers, one is %g", size[axis]);
    header->nx = (int)size[0];
    header->ny = (int)size[1];
    header->nz = (int)size[2];
    header->skip = skip;
    part->raw = true;
    return table.document->failed;
}

rill_status rl_scene_read_field(rl_toml_table table, rl_scene_part *part)
{
    rl_toml_require(table, "file");
    part->file = rl_toml_get_value(table, "file");
    if (rl_toml_has(table, "raw"))
        read_raw(table, part);
    if (part->load.scale == 0.0)
        rl_toml_refuse(table, "factor", "is 0, it must not be");
    return table.document->failed;
}

rill_status rl_scene_load_field(const rill_scene *scene, const rl_scene_part *part, const char *key,
                                rill_distance_field **out)
{
    char path[RL_PATH_BYTES];
    rill_distance_field_load_def def = rill_default_distance_field_load_def();
    def.level = part->level;
    def.scale = part->load.scale;
    def.unit = part->unit;
    def.header = part->raw ? &part->header : NULL;
    def.host = &scene->host;
    RILL_TRY(rl_scene_path(scene, part->file, key, path));
    return rl_scene_blame(scene, part->file, key, rill_distance_field_load(path, &def, out));
}
