// SPDX-License-Identifier: MIT
// export_formats.c - the table of the formats in which a run writes its frames. The scene reader
// takes the words of output.kinds from it, `rill run` the names of files and the functions that
// write them. A new format is a writer in scene/formats and a row here.
#include "scene/formats/mesh.h"

#include "rill/export.h"
#include "rill/support.h"
#include "rill/view.h"

static rill_georeference georeference_of(const rill_scene *scene)
{
    const rill_heightfield *ground = rill_scene_ground(scene);
    return ground != NULL ? rill_heightfield_georeference(ground) : (rill_georeference){.known = 0};
}

// The scene's scales hold for the whole run, so that colours do not jump from frame to frame.
static rill_status write_map(const rill_export_frame *frame, const char *path)
{
    const rill_scene_info info = rill_scene_describe(frame->scene);
    const rill_georeference georeference = georeference_of(frame->scene);
    rill_map_def def = rill_default_map_def();
    def.flow = info.map_flow;
    def.depth_max = info.map_depth;
    def.speed_max = info.map_speed;
    def.title = info.title;
    def.georeference = &georeference;
    return rill_export_map(frame->world, &def, path);
}

static rill_status write_ply(const rill_export_frame *frame, const char *path)
{
    return rill_export_ply(frame->mesh, path);
}

static rill_status write_gltf(const rill_export_frame *frame, const char *path)
{
    const rill_view view = rill_scene_view(frame->scene);
    return rl_mesh_write_glb(path, frame->mesh, &view.liquid);
}

static rill_status write_geotiff(const rill_export_frame *frame, const char *path)
{
    const rill_georeference georeference = georeference_of(frame->scene);
    return rill_export_geotiff(frame->world, &georeference, path);
}

static const rill_export_format formats[] = {
    {"map", RILL_OUTPUT_MAP, "map", "png", .write = write_map},
    {"ply", RILL_OUTPUT_PLY, "surface", "ply", .needs_mesh = 1, .write = write_ply},
    {"gltf", RILL_OUTPUT_GLTF, "surface", "glb", .needs_mesh = 1, .write = write_gltf},
    {"geotiff", RILL_OUTPUT_GEOTIFF, "water", "tif", .write = write_geotiff},
};

const rill_export_format *rill_export_formats(int *count)
{
    if (count != NULL)
        *count = (int)(sizeof formats / sizeof formats[0]);
    return formats;
}
