// SPDX-License-Identifier: MIT
#include "apps/rill/run_files.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "apps/rill/progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES 4096
#define MESHES     (RILL_OUTPUT_PLY | RILL_OUTPUT_GLTF)

typedef struct output_kind {
    int bit;
    const char *stem, *ending;
    rill_status (*write)(run_files *files, rill_world *world, const char *path);
} output_kind;

// ---- The kinds of file -----------------------------------------------------------------

// The scene's scales hold for the whole run, so that colours do not jump from frame to frame.
static rill_status write_map(run_files *files, rill_world *world, const char *path)
{
    rill_map_def def = rill_default_map_def();
    def.flow = files->info.map_flow;
    def.depth_max = files->info.map_depth;
    def.speed_max = files->info.map_speed;
    def.title = files->info.title;
    def.georeference = &files->georeference;
    return rill_export_map(world, &def, path);
}

static rill_status write_ply(run_files *files, rill_world *world, const char *path)
{
    (void)world;
    const rill_mesh mesh = rill_surface_mesh(files->surface);
    return rill_export_ply(&mesh, path);
}

static rill_status write_gltf(run_files *files, rill_world *world, const char *path)
{
    (void)world;
    const rill_mesh mesh = rill_surface_mesh(files->surface);
    return rill_export_gltf(&mesh, path);
}

static rill_status write_geotiff(run_files *files, rill_world *world, const char *path)
{
    return rill_export_geotiff(world, &files->georeference, path);
}

static const output_kind kinds[] = {
    {RILL_OUTPUT_MAP, "map", "png", write_map},
    {RILL_OUTPUT_PLY, "surface", "ply", write_ply},
    {RILL_OUTPUT_GLTF, "surface", "glb", write_gltf},
    {RILL_OUTPUT_GEOTIFF, "water", "tif", write_geotiff},
};

// ---- Opening ---------------------------------------------------------------------------

static int make_folder(const char *path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0 || errno == EEXIST || errno == EISDIR) {
        if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
            return STATUS_DONE;
        return say_failed("%s: is not a folder", path);
    }
    return say_failed("%s: cannot be made: %s", path, strerror(errno));
}

static int make_folders(const char *path)
{
    char part[PATH_BYTES];
    const size_t length = strlen(path);
    if (length == 0)
        return say_wrong("-o: the folder has no name");
    if (length >= sizeof part - 64) // room for a file's name
        return say_wrong("-o: the folder's name is longer than %zu bytes", sizeof part - 64);
    memcpy(part, path, length + 1);
    int status = STATUS_DONE;
    for (size_t k = 1; k < length && status == STATUS_DONE; k++)
        if (part[k] == '/' && part[k - 1] != '/') {
            part[k] = '\0';
            status = make_folder(part);
            part[k] = '/';
        }
    return status == STATUS_DONE ? make_folder(part) : status;
}

// Names sort by number as long as all have the same number of digits.
static int digits_for(const rill_scene_info *info, double duration)
{
    const double most = info->output_every > 0.0 ? duration / info->output_every + 1.0 : 1.0;
    int digits = 4;
    for (double limit = 1e4; most >= limit && digits < 12; limit *= 10.0)
        digits++;
    return digits;
}

int run_files_open(run_files *files, const char *folder, const rill_scene *scene,
                   const rill_world *world, double duration)
{
    *files = (run_files){.folder = folder, .info = rill_scene_describe(scene)};
    files->digits = digits_for(&files->info, duration);
    const rill_heightfield *ground = rill_scene_ground(scene);
    if (ground != NULL)
        files->georeference = rill_heightfield_georeference(ground);

    const int wanted = files->info.outputs | files->info.outputs_last;
    if (wanted == 0)
        say_warning("the scene asks for no files, so none are written to %s", folder);
    if ((wanted & MESHES) != 0) {
        const rill_surface_def def = rill_default_surface_def();
        const rill_status status = rill_surface_create(world, &def, &files->surface);
        if (status != RILL_OK)
            return say_status(status);
    }
    const int status = make_folders(folder);
    if (status != STATUS_DONE)
        run_files_close(files);
    return status;
}

void run_files_close(run_files *files)
{
    rill_surface_destroy(&files->surface);
}

// ---- Writing ---------------------------------------------------------------------------

// Sums of frame lengths miss the round number by a little.
bool run_files_due(const run_files *files, double time, bool last)
{
    return last || time >= files->due - 1e-9 * (files->info.frame + fabs(files->due));
}

static int write_kind(run_files *files, const output_kind *kind, rill_world *world)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s_%0*d.%s", files->folder, kind->stem, files->digits,
             files->written, kind->ending);
    const rill_status status = kind->write(files, world, path);
    if (status == RILL_NO_BACKEND) {
        files->missing |= kind->bit;
        say_warning("%s; the run goes on without such files", rill_last_error());
        return STATUS_DONE;
    }
    return status == RILL_OK ? STATUS_DONE : say_failed("%s", rill_last_error());
}

static int write_kinds(run_files *files, rill_world *world, int wanted)
{
    const double start = progress_clock();
    if ((wanted & MESHES) != 0) {
        if (rill_surface_build(files->surface, world) != RILL_OK)
            return say_failed("%s", rill_last_error());
        files->surface_ms = 1e3 * (progress_clock() - start);
    }
    const double built = progress_clock();
    int status = STATUS_DONE;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && status == STATUS_DONE; k++)
        if ((wanted & kinds[k].bit) != 0)
            status = write_kind(files, &kinds[k], world);
    files->output_ms = 1e3 * (progress_clock() - built);
    return status;
}

int run_files_write(run_files *files, rill_world *world, bool last)
{
    const int wanted =
        (files->info.outputs | (last ? files->info.outputs_last : 0)) & ~files->missing;
    files->surface_ms = -1.0;
    files->output_ms = 0.0;
    const int status = write_kinds(files, world, wanted);
    files->written++;
    // The end of a run may come before its time; what was due meanwhile is this frame.
    const double time = rill_world_time(world), every = files->info.output_every;
    files->due = every > 0.0 ? every * (floor(time / every + 1e-9) + 1.0) : INFINITY;
    return status;
}
