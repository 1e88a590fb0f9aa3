// SPDX-License-Identifier: MIT
// export.c - a world as files, and the table of the formats in which a run writes its frames. The
// scene reader takes the words of output.kinds from it, `rill run` the names of files and the
// functions that write them. A new format is a writer in scene/formats and a row of the table.
#include "scene/formats/formats.h"
#include "scene/formats/raster.h"
#include "scene/map/map.h"

#include "rill/export.h"
#include "rill/support.h"
#include "rill/view.h"

#define LARGEST_PNG_SIDE 16384

rill_map_def rill_default_map_def(void)
{
    return (rill_map_def){.max_side = 1024};
}

// ---- Map -------------------------------------------------------------------------------

static rill_field_view view_of(const rill_columns *c, const float *data)
{
    return (rill_field_view){data, c->nx, c->ny, c->pitch};
}

static rill_status check_map(const rill_world *world, const rill_map_def *def, const char *path)
{
    if (world == NULL || def == NULL || path == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a map needs a world, a definition and a path, one of "
                                            "them is NULL");
    if (def->max_side < 64 || def->max_side > 8192)
        return rill_fail(RILL_BAD_DEF, "max_side is %d, it must be from 64 to 8192", def->max_side);
    if (!(def->depth_max >= 0.0) || !(def->speed_max >= 0.0))
        return rill_fail(RILL_BAD_DEF,
                         "depth_max is %g and speed_max is %g, neither may be negative",
                         def->depth_max, def->speed_max);
    if ((unsigned)def->flow > RILL_MAP_FLOW_LINES)
        return rill_fail(RILL_BAD_DEF, "flow %d does not exist", (int)def->flow);
    return RILL_OK;
}

rill_status rill_export_map(rill_world *world, const rill_map_def *def, const char *path)
{
    RILL_TRY(check_map(world, def, path));
    const rill_columns c = rill_world_columns(world);
    const rl_map_input input = {
        .ground = view_of(&c, c.base),
        .depth = view_of(&c, c.depth),
        .velocity_x = view_of(&c, c.velocity_x),
        .velocity_y = view_of(&c, c.velocity_y),
        .cell_size = c.cell_size,
        .wet_depth = c.wet_depth,
        .time = rill_world_time(world),
        .title = def->title,
        .georeference = def->georeference,
    };
    rl_map_style style = rl_default_map_style();
    style.max_side = def->max_side;
    style.flow = def->flow;
    style.depth_max = (float)def->depth_max;
    style.speed_max = (float)def->speed_max;
    const rill_allocator *a = rill_allocator_of(rill_world_host(world));
    rl_image image = {0};
    RILL_TRY(rl_map_draw(a, &input, &style, &image));
    const rill_status status = rill_export_png(image.rgb, image.width, image.height, path);
    rl_image_free(a, &image);
    return status;
}

// ---- Rasters and meshes ----------------------------------------------------------------

rill_status rill_export_geotiff(rill_world *world, const rill_georeference *georeference,
                                const char *path)
{
    if (world == NULL || path == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a GeoTIFF needs a world and a path, one is NULL");
    char part[RL_PATH_BYTES];
    RILL_TRY(rl_part_name(path, part));
    const rill_columns c = rill_world_columns(world);
    const rill_allocator *a = rill_allocator_of(rill_world_host(world));
    rill_field level;
    if (!rill_field_create(a, c.nx, c.ny, 0, &level))
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d levels", c.nx, c.ny);
    for (int j = 0; j < c.ny; j++) {
        float *row = rill_field_row(&level, j);
        for (int i = 0; i < c.nx; i++) {
            const size_t n = (size_t)j * c.pitch + (size_t)i;
            row[i] = c.base[n] + c.depth[n];
        }
    }
    const rl_raster_band bands[] = {
        {.name = "depth", .unit = "m", .view = view_of(&c, c.depth)},
        {.name = "level", .unit = "m", .view = rill_field_view_of(&level)},
        {.name = "velocity_x", .unit = "m/s", .view = view_of(&c, c.velocity_x)},
        {.name = "velocity_y", .unit = "m/s", .view = view_of(&c, c.velocity_y)},
    };
    const rill_status status = rl_raster_write_geotiff(
        part, bands, (int)(sizeof bands / sizeof bands[0]), (double)c.cell_size, georeference);
    rill_field_destroy(a, &level);
    return rl_part_finish(status, part, path);
}

rill_status rill_export_ply(const rill_mesh *mesh, const char *path)
{
    if (mesh == NULL || path == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a PLY file needs a mesh and a path, one is NULL");
    return rl_mesh_write_ply(path, mesh);
}

rill_status rill_export_gltf(const rill_mesh *mesh, const char *path)
{
    if (mesh == NULL || path == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a glTF file needs a mesh and a path, one is NULL");
    const rill_liquid clear = rill_liquid_preset(0);
    return rl_mesh_write_glb(path, mesh, &clear);
}

// ---- Pictures --------------------------------------------------------------------------

rill_status rill_export_png(const uint8_t *rgb, int width, int height, const char *path)
{
    if (rgb == NULL || path == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a PNG file needs pixels and a path, one is NULL");
    if (width < 1 || width > LARGEST_PNG_SIDE || height < 1 || height > LARGEST_PNG_SIDE)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "%s: a picture of %d x %d pixels, each side must be from 1 to %d", path,
                         width, height, LARGEST_PNG_SIDE);
    char part[RL_PATH_BYTES];
    RILL_TRY(rl_part_name(path, part));
    return rl_part_finish(rl_png_write_rgb(part, width, height, rgb, 3 * (size_t)width), part,
                          path);
}

// ---- The table of formats --------------------------------------------------------------

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
