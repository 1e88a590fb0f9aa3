// SPDX-License-Identifier: MIT
// run_files.c - opens the folder of a run and writes the frames that are due into it.
#include "apps/rill/run_files.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "apps/rill/progress.h"

#include "rill/view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES 4096

static bool needs_mesh(int wanted)
{
    int count;
    const rill_export_format *formats = rill_export_formats(&count);
    for (int k = 0; k < count; k++)
        if ((wanted & (int)formats[k].bit) != 0 && formats[k].needs_mesh)
            return true;
    return false;
}

// ---- Opening ---------------------------------------------------------------------------

static int make_folder(const char *path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0 || errno == EEXIST || errno == EISDIR) {
        if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
            return STATUS_DONE;
        return error_failed("%s: is not a folder", path);
    }
    return error_failed("%s: cannot be made: %s", path, strerror(errno));
}

static int make_folders(const char *path)
{
    char part[PATH_BYTES];
    const size_t length = strlen(path);
    if (length == 0)
        return error_wrong("-o: the folder has no name");
    if (length >= sizeof part - 64) // space for a file's name
        return error_wrong("-o: the folder's name is longer than %zu bytes", sizeof part - 64);
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
    *files = (run_files){.folder = folder, .scene = scene, .info = rill_scene_describe(scene)};
    files->digits = digits_for(&files->info, duration);

    const int wanted = files->info.outputs | files->info.outputs_last;
    if (wanted == 0)
        warning("the scene asks for no files, so none are written to %s", folder);
    if (needs_mesh(wanted)) {
        const rill_view view = rill_scene_view(scene);
        const rill_surface_def def = rill_view_surface_def(&view, world);
        const rill_status status = rill_surface_create(world, &def, &files->surface);
        if (status != RILL_OK)
            return error_status(status);
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

static int write_format(run_files *files, const rill_export_format *format,
                        const rill_export_frame *frame)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s_%0*d.%s", files->folder, format->stem, files->digits,
             files->written, format->ending);
    const rill_status status = format->write(frame, path);
    if (status == RILL_NO_BACKEND) {
        files->missing |= (int)format->bit;
        warning("%s; the run goes on without such files", rill_last_error());
        return STATUS_DONE;
    }
    return status == RILL_OK ? STATUS_DONE : error_failed("%s", rill_last_error());
}

static int write_formats(run_files *files, rill_world *world, int wanted)
{
    const double start = progress_clock();
    rill_mesh mesh = {0};
    if (needs_mesh(wanted)) {
        if (rill_surface_build(files->surface, world) != RILL_OK)
            return error_failed("%s", rill_last_error());
        mesh = rill_surface_mesh(files->surface);
        files->surface_ms = 1e3 * (progress_clock() - start);
    }
    const double built = progress_clock();
    const rill_export_frame frame = {.scene = files->scene, .world = world, .mesh = &mesh};
    int count, status = STATUS_DONE;
    const rill_export_format *formats = rill_export_formats(&count);
    for (int k = 0; k < count && status == STATUS_DONE; k++)
        if ((wanted & (int)formats[k].bit) != 0)
            status = write_format(files, &formats[k], &frame);
    files->output_ms = 1e3 * (progress_clock() - built);
    return status;
}

int run_files_write(run_files *files, rill_world *world, bool last)
{
    const int wanted =
        (files->info.outputs | (last ? files->info.outputs_last : 0)) & ~files->missing;
    files->surface_ms = -1.0;
    files->output_ms = 0.0;
    const int status = write_formats(files, world, wanted);
    files->written++;
    // The end of a run may come before its time; what was due meanwhile is this frame.
    const double time = rill_world_time(world), every = files->info.output_every;
    files->due = every > 0.0 ? every * (floor(time / every + 1e-9) + 1.0) : INFINITY;
    return status;
}
