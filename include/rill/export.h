// SPDX-License-Identifier: MIT
// export.h - a world as files: map pictures, rasters, meshes, and pictures of any kind. Files are
// written under a temporary name and renamed when complete, so a reader never sees half a file.
#pragma once

#include "rill/base.h"
#include "rill/scene.h"
#include "rill/surface.h"
#include "rill/terrain.h"
#include "rill/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a map picture is drawn. Start from rill_default_map_def().
typedef struct rill_map_def {
    int max_side;       ///< Pixels of the longer side of the map itself, 64 to 8192. Default 1024.
    rill_map_flow flow; ///< Flow signs. Default: none.
    double depth_max;   ///< Metres at the end of the depth scale; 0: from the water. Default 0.
    double speed_max;   ///< m/s at the end of the speed scale; 0: from the water. Default 0.
    const char *title;  ///< Printed above the map; may be NULL.
    const rill_georeference *georeference; ///< Where the grid lies; may be NULL.
} rill_map_def;

RILL_API rill_map_def rill_default_map_def(void);

/// Draws the world from above into a PNG file: hill-shaded ground, water by depth, scale bar and
/// legend.
RILL_API rill_status rill_export_map(rill_world *world, const rill_map_def *def, const char *path);

/// Writes depth, level and velocity as bands of one GeoTIFF. `georeference` may be NULL: then
/// local metres.
RILL_API rill_status rill_export_geotiff(rill_world *world, const rill_georeference *georeference,
                                         const char *path);

/// Writes a mesh as binary PLY.
RILL_API rill_status rill_export_ply(const rill_mesh *mesh, const char *path);

/// Writes a mesh as binary glTF 2.0 (.glb), in the colour of clear water. The format "gltf" of
/// rill_export_formats() has the colour of a scene's liquid.
RILL_API rill_status rill_export_gltf(const rill_mesh *mesh, const char *path);

/// Writes a picture as PNG: 8 bits each of red, green and blue, upper row first, no gaps. Sides
/// from 1 to 16384 pixels.
RILL_API rill_status rill_export_png(const uint8_t *rgb, int width, int height, const char *path);

/// What the files of a frame are written from.
typedef struct rill_export_frame {
    const rill_scene *scene; ///< Has the title, the scales of maps, the georeference and the view.
    rill_world *world;       ///< A world of that scene.
    const rill_mesh *mesh;   ///< Its surface (rill_view_surface_def); may be NULL for formats that
                             ///< need no mesh.
} rill_export_frame;

/// A format in which a run of a scene writes its frames.
typedef struct rill_export_format {
    const char *name;   ///< In the scene's output.kinds, such as "gltf".
    rill_output bit;    ///< In rill_scene_info.
    const char *stem;   ///< Files are called stem_0000.ending.
    const char *ending; ///< Without the dot.
    int needs_mesh;     ///< 1 when `write` needs rill_export_frame.mesh.
    rill_status (*write)(const rill_export_frame *frame, const char *path);
} rill_export_format;

/// The formats, in the order in which a run writes them, and their number in `count`.
RILL_API const rill_export_format *rill_export_formats(int *count);

#ifdef __cplusplus
}
#endif
