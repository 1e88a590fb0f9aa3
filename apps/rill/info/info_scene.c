// SPDX-License-Identifier: MIT
// info_scene.c - describes a scene, the memory of its world included.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/json_write.h"
#include "apps/rill/message.h"

#include "rill/export.h"
#include "rill/scene.h"
#include "rill/world.h"

static void json_outputs(json_writer *w, const char *key, int outputs)
{
    int count;
    const rill_export_format *formats = rill_export_formats(&count);
    json_open(w, key, '[');
    for (int k = 0; k < count; k++)
        if ((outputs & (int)formats[k].bit) != 0)
            json_text(w, NULL, formats[k].name);
    json_close(w, ']');
}

// Columns of a world that has several above each other.
typedef struct column_facts {
    int64_t columns;
    int layers; // most of them in one cell
} column_facts;

static column_facts count_columns(rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    column_facts facts = {0};
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            int here = 0;
            for (int k = 0; k < c.layers; k++) {
                const size_t at = (size_t)k * c.layer_stride + (size_t)j * c.pitch + (size_t)i;
                here += c.range_max == NULL || c.range_max[at] > c.range_min[at];
            }
            facts.columns += here;
            facts.layers = here > facts.layers ? here : facts.layers;
        }
    return facts;
}

static void json_ground(json_writer *w, const rill_scene_info *info, const column_facts *facts)
{
    if (info->solid) {
        json_open(w, "solid", '{');
        json_number(w, "bottom", info->bottom);
        json_number(w, "top", info->top);
        json_integer(w, "parts", info->parts);
        json_integer(w, "movers", info->movers);
        json_integer(w, "cuts", info->cuts);
        json_close(w, '}');
    } else {
        json_text(w, "solid", NULL);
    }
    json_integer(w, "layers", facts->layers);
    json_integer(w, "columns", facts->columns);
}

static void print_json(const rill_scene_info *info, const column_facts *facts, size_t memory)
{
    json_writer w = {.out = stdout};
    json_open(&w, NULL, '{');
    json_text(&w, "kind", "scene");
    json_text(&w, "name", info->name);
    json_text(&w, "title", info->title);
    json_text(&w, "description", info->description);
    json_text(&w, "solver", info->solver);
    json_integer(&w, "nx", info->nx);
    json_integer(&w, "ny", info->ny);
    json_number(&w, "cell_size", info->cell_size);
    json_ground(&w, info, facts);
    json_integer(&w, "bodies", info->bodies);
    json_integer(&w, "full_nx", info->full_nx);
    json_integer(&w, "full_ny", info->full_ny);
    json_number(&w, "duration", info->duration);
    json_number(&w, "frame", info->frame);
    json_number(&w, "output_every", info->output_every);
    json_outputs(&w, "outputs", info->outputs);
    json_outputs(&w, "outputs_last", info->outputs_last);
    json_integer(&w, "memory", (int64_t)memory);
    json_close(&w, '}');
    putchar('\n');
}

static void print_outputs(const char *label, int outputs)
{
    int count;
    const rill_export_format *formats = rill_export_formats(&count);
    printf("%-12s", label);
    for (int k = 0; k < count; k++)
        if ((outputs & (int)formats[k].bit) != 0)
            printf(" %s", formats[k].name);
    puts(outputs == 0 ? " none" : "");
}

static void print_text(const char *label, const char *text)
{
    printf("%-12s ", label);
    print_clean(stdout, text != NULL ? text : "");
    putchar('\n');
}

static void print_ground(const rill_scene_info *info, const column_facts *facts)
{
    if (!info->solid)
        return;
    printf("%-12s solid from %g to %g m: parts %d, movers %d, cuts %d\n", "ground", info->bottom,
           info->top, info->parts, info->movers, info->cuts);
    printf("%-12s %lld, up to %d above each other\n", "columns", (long long)facts->columns,
           facts->layers);
}

static void print_plain(const rill_scene_info *info, const column_facts *facts, size_t memory)
{
    print_text("scene", info->name);
    print_text("title", info->title);
    print_text("description", info->description);
    print_text("solver", info->solver);
    printf("%-12s %d x %d cells of %g m, %g x %g m\n", "size", info->nx, info->ny, info->cell_size,
           info->nx * info->cell_size, info->ny * info->cell_size);
    if (info->full_nx > 0)
        printf("%-12s %d x %d cells, over which the domain moves\n", "full terrain", info->full_nx,
               info->full_ny);
    print_ground(info, facts);
    if (info->bodies > 0)
        printf("%-12s %d\n", "bodies", info->bodies);
    printf("%-12s %g s in frames of %g s\n", "duration", info->duration, info->frame);
    printf("%-12s %g s\n", "output every", info->output_every);
    print_outputs("outputs", info->outputs);
    print_outputs("at the end", info->outputs_last);
    printf("%-12s %.1f MB\n", "memory", (double)memory * 1e-6);
}

int info_scene(const char *name_or_path, bool json)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    rill_status status = rill_scene_open(name_or_path, NULL, 0, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, 1, &world);
    if (status == RILL_OK) {
        const rill_scene_info info = rill_scene_describe(scene);
        const column_facts facts = count_columns(world);
        if (json)
            print_json(&info, &facts, rill_world_memory(world));
        else
            print_plain(&info, &facts, rill_world_memory(world));
    }
    const int result = status == RILL_OK ? STATUS_DONE : error_status(status);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return result;
}
