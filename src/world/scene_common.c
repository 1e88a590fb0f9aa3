// SPDX-License-Identifier: MIT
// scene_common.c - what the parts of a scene share: refusals, memory, boxes, files.
#include "world/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rill_status rl_scene_refuse(const rill_scene *scene, const rl_toml_value *value, const char *format,
                            ...)
{
    char sentence[768], where[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    rl_toml_where(scene->document, value, where, sizeof where);
    return rl_fail(RILL_BAD_SCENE, "%s: %s", where, sentence);
}

rill_status rl_scene_take(const rill_scene *scene, size_t count, size_t size, void *out)
{
    size_t bytes;
    void *memory = NULL;
    if (rl_multiply_sizes(count, size, &bytes) && bytes > 0)
        memory = rl_alloc(&scene->host.allocator, bytes);
    memcpy(out, &memory, sizeof memory);
    return memory != NULL || count == 0
               ? RILL_OK
               : rl_fail(RILL_NO_MEMORY, "no memory for %zu parts of a scene", count);
}

// ---- Boxes -----------------------------------------------------------------------------

double rl_scene_width(const rill_scene *scene)
{
    return scene->info.nx * scene->info.cell_size;
}

double rl_scene_height(const rill_scene *scene)
{
    return scene->info.ny * scene->info.cell_size;
}

// The first cell whose centre is not below `edge`, from 0 to `count`.
static int first_cell(double edge, double cell_size, int count)
{
    const double i = ceil(edge / cell_size - 0.5);
    return i < 0.0 ? 0 : i > count ? count : (int)i;
}

rl_scene_cells rl_scene_box_cells(const rill_scene *scene, const rl_scene_box *box)
{
    const double dx = scene->info.cell_size;
    return (rl_scene_cells){
        .i0 = first_cell(box->x0, dx, scene->info.nx),
        .i1 = first_cell(box->x1, dx, scene->info.nx),
        .j0 = first_cell(box->y0, dx, scene->info.ny),
        .j1 = first_cell(box->y1, dx, scene->info.ny),
    };
}

rill_status rl_scene_read_box(const rill_scene *scene, rl_toml_table table, rl_scene_box *out)
{
    const struct {
        const char *key;
        double *value;
    } corners[] = {{"x0", &out->x0}, {"y0", &out->y0}, {"x1", &out->x1}, {"y1", &out->y1}};
    rill_status status = RILL_OK;
    for (size_t n = 0; n < sizeof corners / sizeof corners[0] && status == RILL_OK; n++) {
        rl_toml_require(table, corners[n].key);
        status = rl_toml_get_double(table, corners[n].key, -RL_SCENE_FAR, RL_SCENE_FAR,
                                    corners[n].value);
    }
    if (status != RILL_OK)
        return status;
    if (!(out->x1 > out->x0))
        return rl_toml_refuse(table, "x1", "is %g, it must be above x0, which is %g", out->x1,
                              out->x0);
    if (!(out->y1 > out->y0))
        return rl_toml_refuse(table, "y1", "is %g, it must be above y0, which is %g", out->y1,
                              out->y0);
    const rl_scene_cells cells = rl_scene_box_cells(scene, out);
    if (cells.i0 >= cells.i1 || cells.j0 >= cells.j1)
        return rl_toml_refuse(table, "x0",
                              "is %g: the box from (%g, %g) to (%g, %g) m holds no centre of a "
                              "cell of the world, which is %g x %g m",
                              out->x0, out->x0, out->y0, out->x1, out->y1, rl_scene_width(scene),
                              rl_scene_height(scene));
    return RILL_OK;
}

// ---- Files -----------------------------------------------------------------------------

// The path of the file that a string names: beside the scene, or beside the caller when the string
// came from an override.
static rill_status make_path(const rill_scene *scene, const rl_toml_value *value, char **path,
                             size_t *bytes)
{
    size_t length = 0;
    const char *name = rl_toml_text(value, &length);
    const bool beside_scene = scene->folder != NULL && rl_toml_line(value) > 0 && name[0] != '/';
    const char *folder = beside_scene ? scene->folder : "";
    *bytes = strlen(folder) + length + 1;
    *path = rl_alloc(&scene->host.allocator, *bytes);
    if (*path == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for a path of %zu bytes", *bytes);
    snprintf(*path, *bytes, "%s%s", folder, name);
    return RILL_OK;
}

rill_status rl_scene_load(const rill_scene *scene, const rl_toml_value *value, const char *key,
                          const rill_heightfield_load_def *def, rill_heightfield **out)
{
    *out = NULL;
    size_t length = 0;
    if (rl_toml_kind_of(value) != RL_TOML_STRING)
        return rl_scene_refuse(scene, value, "%s must be a string, not %s", key,
                               rl_toml_kind_name(rl_toml_kind_of(value)));
    const char *name = rl_toml_text(value, &length);
    if (length == 0 || strlen(name) != length)
        return rl_scene_refuse(scene, value, "%s %s", key,
                               length == 0 ? "must not be empty"
                                           : "must not contain a zero character");
    char *path = NULL;
    size_t bytes = 0;
    rill_status status = make_path(scene, value, &path, &bytes);
    if (status == RILL_OK)
        status = rill_heightfield_load(path, def, out);
    if (status != RILL_OK && status != RILL_NO_MEMORY) {
        char where[320];
        rl_toml_where(scene->document, value, where, sizeof where);
        // A build that cannot read this kind of file is no mistake of the scene.
        status = status == RILL_NO_BACKEND ? status : RILL_BAD_SCENE;
        rl_fail_prefix(status, "%s: %s", where, key);
    }
    rl_free(&scene->host.allocator, path, bytes);
    return status;
}

static rill_status check_amounts(const rill_scene *scene, const rl_toml_value *value,
                                 const char *key, double max, const rill_field_view *view)
{
    const char *name = rl_toml_text(value, NULL);
    if (view->nx != scene->info.nx || view->ny != scene->info.ny)
        return rl_scene_refuse(scene, value, "%s: '%s' has %d x %d cells, the ground has %d x %d",
                               key, name, view->nx, view->ny, scene->info.nx, scene->info.ny);
    for (int j = 0; j < view->ny; j++)
        for (int i = 0; i < view->nx; i++) {
            const double amount = (double)view->data[(size_t)j * view->pitch + (size_t)i];
            if (!(amount >= 0.0 && amount <= max))
                return rl_scene_refuse(
                    scene, value, "%s: '%s' holds %g at cell (%d, %d), it must be from 0 to %g",
                    key, name, amount, i, j, max);
        }
    return RILL_OK;
}

rill_status rl_scene_load_amounts(const rill_scene *scene, const rl_toml_value *value,
                                  const char *key, double max, rill_heightfield **out)
{
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    def.host = &scene->host;
    rill_status status = rl_scene_load(scene, value, key, &def, out);
    if (status != RILL_OK)
        return status;
    const rill_field_view view = rill_heightfield_view(*out);
    status = check_amounts(scene, value, key, max, &view);
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}
