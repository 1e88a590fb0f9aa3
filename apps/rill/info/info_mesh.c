// SPDX-License-Identifier: MIT
// info_mesh.c - prints the facts about a mesh of any format.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/json_write.h"
#include "apps/rill/message.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool begins_with(FILE *file, const char *magic)
{
    char head[4] = {0};
    rewind(file);
    const size_t length = strlen(magic);
    const bool same = fread(head, 1, length, file) == length && memcmp(head, magic, length) == 0;
    rewind(file);
    return same;
}

bool info_is_mesh(const char *path, FILE *file)
{
    return begins_with(file, "ply\n") || begins_with(file, "ply\r") || begins_with(file, "glTF") ||
           info_solid_format(path, file) != NULL;
}

void mesh_facts_attribute(mesh_facts *facts, const char *name)
{
    char cut[MESH_NAME_BYTES];
    snprintf(cut, sizeof cut, "%s", name);
    for (int k = 0; k < facts->attribute_count; k++)
        if (strcmp(facts->attributes[k], cut) == 0)
            return;
    if (facts->attribute_count < MESH_MOST_ATTRIBUTES)
        memcpy(facts->attributes[facts->attribute_count++], cut, sizeof cut);
}

void mesh_facts_bound(mesh_facts *facts, int axis, double low, double high)
{
    if (!isfinite(low) || !isfinite(high))
        return;
    if (!facts->bounded)
        for (int k = 0; k < 3; k++) {
            facts->low[k] = INFINITY;
            facts->high[k] = -INFINITY;
        }
    facts->bounded = true;
    facts->low[axis] = low < facts->low[axis] ? low : facts->low[axis];
    facts->high[axis] = high > facts->high[axis] ? high : facts->high[axis];
}

static void json_triple(json_writer *w, const char *key, const double values[3])
{
    json_open(w, key, '[');
    for (int k = 0; k < 3; k++)
        json_number(w, NULL, values[k]);
    json_close(w, ']');
}

static void json_solid(json_writer *w, const mesh_facts *f)
{
    if (f->solid) {
        json_open(w, "solid", '{');
        json_number(w, "open_edges", f->open_edges);
        json_number(w, "volume", f->volume);
        json_close(w, '}');
    } else {
        json_text(w, "solid", NULL);
    }
    json_text(w, "refused", f->refused[0] != '\0' ? f->refused : NULL);
}

static void print_solid(const mesh_facts *f)
{
    if (f->solid)
        printf("%-12s %.9g m3 if its unit is a metre, %.0f open edges\n", "as a solid", f->volume,
               f->open_edges);
    if (f->refused[0] != '\0') {
        printf("%-12s no: ", "as a solid");
        print_clean(stdout, f->refused);
        putchar('\n');
    }
}

static void print_json(const char *path, const mesh_facts *f)
{
    json_writer w = {.out = stdout};
    json_open(&w, NULL, '{');
    json_text(&w, "kind", "mesh");
    json_text(&w, "path", path);
    json_text(&w, "format", f->format);
    json_text(&w, "maker", f->maker[0] != '\0' ? f->maker : NULL);
    json_number(&w, "vertices", f->vertices);
    json_number(&w, "triangles", f->triangles);
    json_open(&w, "attributes", '[');
    for (int k = 0; k < f->attribute_count; k++)
        json_text(&w, NULL, f->attributes[k]);
    json_close(&w, ']');
    if (f->bounded) {
        json_triple(&w, "min", f->low);
        json_triple(&w, "max", f->high);
    } else {
        json_text(&w, "min", NULL);
        json_text(&w, "max", NULL);
    }
    json_solid(&w, f);
    json_close(&w, '}');
    putchar('\n');
}

static void print_plain(const char *path, const mesh_facts *f)
{
    printf("%-12s ", "mesh");
    print_clean(stdout, path);
    printf("\n%-12s %s\n", "format", f->format);
    if (f->maker[0] != '\0') {
        printf("%-12s ", "made by");
        print_clean(stdout, f->maker);
        putchar('\n');
    }
    printf("%-12s %.0f\n%-12s %.0f\n", "vertices", f->vertices, "triangles", f->triangles);
    printf("%-12s", "attributes");
    for (int k = 0; k < f->attribute_count; k++) {
        putchar(' ');
        print_clean(stdout, f->attributes[k]);
    }
    puts(f->attribute_count == 0 ? " none" : "");
    if (f->bounded)
        printf("%-12s %.9g %.9g %.9g to %.9g %.9g %.9g\n", "bounds", f->low[0], f->low[1],
               f->low[2], f->high[0], f->high[1], f->high[2]);
    else
        printf("%-12s unknown\n", "bounds");
    print_solid(f);
}

int info_mesh(const char *path, bool json)
{
    mesh_facts facts = {.format = ""};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return error_wrong("%s: cannot be read: %s", path, strerror(errno));
    const bool glb = begins_with(file, "glTF"), ply = begins_with(file, "ply");
    int status = STATUS_DONE;
    if (glb)
        status = info_read_glb(path, file, &facts);
    else if (ply)
        status = info_read_ply(path, file, &facts);
    else
        facts.format = info_solid_format(path, file);
    fclose(file);
    if (status == STATUS_DONE && !glb)
        status = info_read_solid(path, !ply, &facts);
    if (status != STATUS_DONE)
        return status;
    for (int k = 0; k < 3; k++)
        facts.bounded = facts.bounded && facts.low[k] <= facts.high[k];
    if (json)
        print_json(path, &facts);
    else
        print_plain(path, &facts);
    return STATUS_DONE;
}
