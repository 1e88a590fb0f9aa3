// SPDX-License-Identifier: MIT
// scene.c - scenes as the outside sees them: the built-in ones, opening, describing, and the
// world that a scene makes.
#include "scene/reader/scene_internal.h"

#include "scene/builtin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- Built-in scenes -------------------------------------------------------------------

int rill_builtin_scene_count(void)
{
    int count = 0;
    while (rl_builtin_scenes[count].name != NULL)
        count++;
    return count;
}

const char *rill_builtin_scene_name(int index)
{
    return index >= 0 && index < rill_builtin_scene_count() ? rl_builtin_scenes[index].name : NULL;
}

const char *rill_builtin_scene_description(int index)
{
    return rill_builtin_scene_name(index) != NULL ? rl_builtin_scenes[index].description : NULL;
}

static const rl_builtin_scene *find_builtin(const char *name)
{
    for (const rl_builtin_scene *scene = rl_builtin_scenes; scene->name != NULL; scene++)
        if (strcmp(scene->name, name) == 0)
            return scene;
    return NULL;
}

static rill_status fail_no_scene(const char *name)
{
    rl_name_list list = {.used = 0}, printed = {.used = 0};
    for (const rl_builtin_scene *scene = rl_builtin_scenes; scene->name != NULL; scene++)
        rl_name_list_add(&list, name, scene->name);
    for (int k = 0; k < rill_printed_scene_count(); k++)
        rl_name_list_add(&printed, name, rill_printed_scene_name(k));
    const char *nearest = list.nearest != NULL ? list.nearest : printed.nearest;
    const bool near = nearest != NULL;
    return rill_fail(RILL_BAD_FILE, "no scene '%.256s' is built in and no such file exists; %s%s%s",
                     name, near ? "did you mean '" : "built in are ", near ? nearest : list.text,
                     near ? "'?" : "");
}

// ---- Making and unmaking ---------------------------------------------------------------

static rill_status create_scene(const rill_host *host, rill_scene **out)
{
    *out = rill_alloc(host != NULL ? &host->allocator : NULL, sizeof **out);
    if (*out == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a scene");
    if (host != NULL)
        (*out)->host = *host;
    return RILL_OK;
}

// Frees all but the document, which owns the arrays.
static void destroy_contents(rill_scene *scene)
{
    for (size_t n = 0; scene->rain.fields != NULL && n < scene->rain.count; n++)
        rill_heightfield_destroy(&scene->rain.fields[n]);
    if (scene->domain.river != NULL)
        rl_scene_river_destroy(scene->domain.river);
    rill_field_destroy(&scene->host.allocator, &scene->water.field);
    rill_field_destroy(&scene->host.allocator, &scene->water.velocity_x);
    rill_field_destroy(&scene->host.allocator, &scene->water.velocity_y);
    rill_solid_destroy(&scene->solid);
    rill_triangles_destroy(&scene->drawn);
    rill_heightfield_destroy(&scene->ground);
}

void rill_scene_destroy(rill_scene **scene)
{
    if (scene == NULL || *scene == NULL)
        return;
    const rill_allocator allocator = (*scene)->host.allocator; // outlives what it is stored in
    destroy_contents(*scene);
    rl_toml_destroy(&(*scene)->document);
    rill_free(&allocator, *scene, sizeof **scene);
    *scene = NULL;
}

// ---- Reading ---------------------------------------------------------------------------

static rill_status check_memory(const rill_scene *scene)
{
    rill_world_def def = scene->def;
    def.nx = scene->info.nx;
    def.ny = scene->info.ny;
    def.host = scene->host;
    return rill_world_check_memory(&def);
}

// Everything is read and every key accounted for before anything large is made.
static rill_status read_all(rill_scene *scene)
{
    static rl_scene_section *const readers[] = {
        rl_scene_read_settings, rl_scene_read_terrain,       rl_scene_read_water,
        rl_scene_read_borders,  rl_scene_read_walls,         rl_scene_read_sources,
        rl_scene_read_emitters, rl_scene_read_rain,          rl_scene_read_output,
        rl_scene_read_bodies,   rl_scene_read_moving_domain, rl_scene_read_view,
        rl_scene_read_river,
    };
    static rl_scene_maker *const makers[] = {
        rl_scene_make_ground,        rl_scene_make_water, rl_scene_make_rain,
        rl_scene_make_moving_domain, rl_scene_make_river,
    };
    RL_ASSERT(scene->name != NULL && scene->document->root != NULL);
    scene->info.name = scene->name;
    for (size_t n = 0; n < sizeof readers / sizeof readers[0]; n++)
        RILL_TRY(readers[n](scene, rl_toml_root_table(scene->document)));
    RILL_TRY(rl_toml_check_all_used(scene->document));
    scene->info.max_substeps = scene->def.max_substeps;
    RILL_TRY(check_memory(scene));
    for (size_t n = 0; n < sizeof makers / sizeof makers[0]; n++)
        RILL_TRY(makers[n](scene));
    return RILL_OK;
}

static const char *copy_text(const rill_scene *scene, const char *text, size_t length,
                             const char *end)
{
    char *copy = NULL;
    const size_t bytes = length + strlen(end) + 1;
    if (rl_scene_take(scene, bytes, 1, &copy) == RILL_OK)
        snprintf(copy, bytes, "%.*s%s", (int)length, text, end);
    return copy;
}

static rill_status check_arguments(const char *name, const char *const *overrides, int count,
                                   rill_scene **out)
{
    if (out != NULL)
        *out = NULL;
    if (name == NULL || out == NULL || count < 0 || (count > 0 && overrides == NULL))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a scene needs a name, a place for it and %d overrides, "
                         "one of them is missing",
                         count);
    for (int n = 0; n < count; n++)
        if (overrides[n] == NULL)
            return rill_fail(RILL_BAD_ARGUMENT, "override %d of a scene is NULL", n);
    return RILL_OK;
}

// The name is that of the file, without folder and ending.
static void set_name(rill_scene *scene, const char *file, const char *folder, size_t folder_length)
{
    const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    scene->name =
        copy_text(scene, base, dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base), "");
    if (folder_length > 0)
        scene->folder =
            copy_text(scene, folder, folder_length, folder[folder_length - 1] == '/' ? "" : "/");
}

// Makes a scene from a text, or where that is NULL from the file `name`.
static rill_status make_scene(const char *name, const char *text, size_t bytes, const char *folder,
                              size_t folder_length, const char *const *overrides, int count,
                              const rill_host *host, rill_scene **out)
{
    rill_scene *scene = NULL;
    RILL_TRY(create_scene(host, &scene));
    const rill_allocator *allocator = &scene->host.allocator;
    rill_status status = text != NULL
                             ? rl_toml_parse(allocator, name, text, bytes, &scene->document)
                             : rl_toml_read_file(allocator, name, &scene->document);
    if (status == RILL_OK) {
        set_name(scene, name, folder, folder_length);
        status = scene->document->failed;
    }
    for (int n = 0; n < count && status == RILL_OK; n++)
        status = rl_toml_override(scene->document, overrides[n]);
    if (status == RILL_OK)
        status = read_all(scene);
    if (status != RILL_OK)
        rill_scene_destroy(&scene);
    *out = scene;
    return status;
}

rill_status rill_scene_parse(const char *name, const char *text, size_t bytes, const char *folder,
                             const char *const *overrides, int count, const rill_host *host,
                             rill_scene **out)
{
    RILL_TRY(check_arguments(name, overrides, count, out));
    if (text == NULL && bytes > 0)
        return rill_fail(RILL_BAD_ARGUMENT, "the text of scene '%.256s' is NULL", name);
    return make_scene(name, text != NULL ? text : "", bytes, folder,
                      folder != NULL ? strlen(folder) : 0, overrides, count, host, out);
}

static bool file_is_absent(const char *path)
{
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

static rill_status open_builtin(const rl_builtin_scene *builtin, const char *name,
                                const char *const *overrides, int count, const rill_host *host,
                                rill_scene **out)
{
    char file[64];
    snprintf(file, sizeof file, "%s.toml", name);
    return rill_scene_parse(file, builtin->text, builtin->bytes, NULL, overrides, count, host, out);
}

// The caller's overrides come after those of the scene.
static rill_status open_printed(const rl_printed_scene *printed, const char *const *overrides,
                                int count, const rill_host *host, rill_scene **out)
{
    const rill_allocator *allocator = host != NULL ? &host->allocator : NULL;
    int own = 0;
    while (printed->overrides[own] != NULL)
        own++;
    const size_t bytes = ((size_t)own + (size_t)count) * sizeof *overrides;
    const char **all = rill_alloc(allocator, bytes);
    if (all == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for %d overrides of a scene", own + count);
    memcpy(all, printed->overrides, (size_t)own * sizeof *all);
    if (count > 0)
        memcpy(all + own, overrides, (size_t)count * sizeof *all);
    const rill_status status = open_builtin(find_builtin(printed->name + sizeof RL_PRINTED - 1),
                                            printed->name, all, own + count, host, out);
    rill_free(allocator, all, bytes);
    return status;
}

rill_status rill_scene_open(const char *name_or_path, const char *const *overrides, int count,
                            const rill_host *host, rill_scene **out)
{
    RILL_TRY(check_arguments(name_or_path, overrides, count, out));
    const rl_builtin_scene *builtin = find_builtin(name_or_path);
    if (builtin != NULL)
        return open_builtin(builtin, builtin->name, overrides, count, host, out);
    const rl_printed_scene *printed = rl_printed_scene_find(name_or_path);
    if (printed != NULL)
        return open_printed(printed, overrides, count, host, out);
    const char *slash = strrchr(name_or_path, '/');
    const size_t folder_length = slash != NULL ? (size_t)(slash - name_or_path) + 1 : 0;
    const rill_status status =
        make_scene(name_or_path, NULL, 0, name_or_path, folder_length, overrides, count, host, out);
    return status == RILL_BAD_FILE && file_is_absent(name_or_path) ? fail_no_scene(name_or_path)
                                                                   : status;
}

// ---- Describing, and making a world ----------------------------------------------------

rill_scene_info rill_scene_describe(const rill_scene *scene)
{
    return scene != NULL ? scene->info : (rill_scene_info){0};
}

const rill_heightfield *rill_scene_ground(const rill_scene *scene)
{
    return scene != NULL ? scene->ground : NULL;
}

static rill_status prepare_sources(const rill_scene *scene, rill_world *world)
{
    RILL_TRY(rill_world_set_rain(world, scene->rain.frames, (int)scene->rain.count));
    RILL_TRY(rill_world_set_evaporation(world, scene->water.evaporation));
    const size_t springs = scene->spring_count, sources = springs + scene->drain_count;
    for (size_t n = 0; n < sources; n++) {
        rill_source_def def = n < springs ? scene->springs[n] : scene->drains[n - springs];
        rl_scene_into_domain(scene, &def.x, &def.y);
        rl_scene_path_into_domain(scene, def.path, def.path_count);
        RILL_TRY(rill_world_add_source(world, &def, NULL));
    }
    for (size_t n = 0; n < scene->emitter_count; n++) {
        rill_emitter_def def = scene->emitters[n];
        rl_scene_into_domain(scene, &def.position[0], &def.position[1]);
        rl_scene_path_into_domain(scene, def.path, def.path_count);
        RILL_TRY(rill_world_add_emitter(world, &def, NULL));
    }
    return RILL_OK;
}

rill_status rill_scene_create_world(const rill_scene *scene, int workers, rill_world **out)
{
    return rill_scene_create_world_on(scene, RILL_BACKEND_CPU, workers, out);
}

rill_status rill_scene_create_world_on(const rill_scene *scene, rill_backend backend, int workers,
                                       rill_world **out)
{
    if (scene == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_scene_create_world needs a scene and a place for "
                                            "the world, one of them is NULL");
    rill_world_def def = scene->def;
    def.host = scene->host;
    def.backend = backend;
    def.worker_count = workers;
    def.solid = scene->solid;
    if (scene->solid == NULL)
        def.bed = rill_heightfield_view(scene->ground);
    if (scene->water.field.origin != NULL)
        def.depth = rill_field_view_of(&scene->water.field);
    if (scene->water.velocity_x.origin != NULL) {
        def.velocity_x = rill_field_view_of(&scene->water.velocity_x);
        def.velocity_y = rill_field_view_of(&scene->water.velocity_y);
    }
    if (scene->domain.discharge > 0.0)
        RILL_TRY(rl_scene_settle(scene, workers));
    rl_scene_place_moving_domain(scene, &def);
    static rl_scene_preparer *const preparers[] = {
        rl_scene_prepare_solid,
        rl_scene_prepare_borders,
        prepare_sources,
        rl_scene_prepare_bodies,
    };
    rill_status status = rill_world_create(&def, out);
    for (size_t n = 0; n < sizeof preparers / sizeof preparers[0] && status == RILL_OK; n++)
        status = preparers[n](scene, *out);
    if (status != RILL_OK)
        rill_world_destroy(out);
    return status;
}
