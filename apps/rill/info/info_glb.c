// SPDX-License-Identifier: MIT
// info_glb.c - binary glTF: a header of twelve bytes, then chunks; the first is JSON and says it
// all. The geometry itself is not read: its accessors know their number and bounds. Bounds are in
// the mesh's own axes, before the node turns it.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/json_read.h"
#include "apps/rill/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES     20          // of the file and of its first chunk
#define CHUNK_JSON     0x4E4F534Au // "JSON"
#define MODE_TRIANGLES 4
#define MODE_STRIP     5
#define MODE_FAN       6

static uint32_t read_u32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

// Returns the JSON chunk with a zero byte behind it, or NULL; then an error was reported.
static char *load_json(const char *path, FILE *file, size_t *bytes)
{
    unsigned char head[HEAD_BYTES];
    if (fread(head, 1, sizeof head, file) != sizeof head) {
        error_wrong("%s: ends inside the header of a binary glTF file", path);
        return NULL;
    }
    if (read_u32(head + 4) != 2 || read_u32(head + 16) != CHUNK_JSON) {
        error_wrong("%s: is not binary glTF of version 2", path);
        return NULL;
    }
    *bytes = read_u32(head + 12);
    // The length may be wrong; no memory is taken for bytes that the file does not have.
    const long start = ftell(file);
    const bool sought = start >= 0 && fseek(file, 0, SEEK_END) == 0;
    const long end = sought ? ftell(file) : -1;
    if (end < start || (unsigned long)(end - start) < *bytes || fseek(file, start, SEEK_SET) != 0) {
        error_wrong("%s: ends inside the description of a binary glTF file", path);
        return NULL;
    }
    char *text = malloc(*bytes + 1);
    if (text == NULL || fread(text, 1, *bytes, file) != *bytes) {
        error_failed("%s: no memory for its description of %zu bytes", path, *bytes);
        free(text);
        return NULL;
    }
    text[*bytes] = '\0';
    return text;
}

static double triangles_of(double mode, double corners)
{
    if (mode == MODE_TRIANGLES)
        return floor(corners / 3.0);
    if (mode == MODE_STRIP || mode == MODE_FAN)
        return corners > 2.0 ? corners - 2.0 : 0.0;
    return 0.0;
}

static void add_primitive(const json_document *d, const json_node *primitive, mesh_facts *facts)
{
    const json_node *accessors = json_member(d, json_root(d), "accessors");
    const json_node *attributes = json_member(d, primitive, "attributes");
    const json_node *indices = json_member(d, primitive, "indices");
    const json_node *positions =
        json_item(d, accessors, json_number_of(json_member(d, attributes, "POSITION"), -1.0));
    const double vertices = json_number_of(json_member(d, positions, "count"), 0.0);
    const json_node *corners = json_item(d, accessors, json_number_of(indices, -1.0));
    facts->vertices += vertices;
    facts->triangles +=
        triangles_of(json_number_of(json_member(d, primitive, "mode"), MODE_TRIANGLES),
                     json_number_of(json_member(d, corners, "count"), vertices));
    for (const json_node *n = json_first(d, attributes); n != NULL; n = json_next(d, n))
        mesh_facts_attribute(facts, n->key != NULL ? n->key : "");
    for (int axis = 0; axis < 3; axis++)
        mesh_facts_bound(facts, axis,
                         json_number_of(json_item(d, json_member(d, positions, "min"), axis), NAN),
                         json_number_of(json_item(d, json_member(d, positions, "max"), axis), NAN));
}

static void gather(const json_document *d, mesh_facts *facts)
{
    const json_node *root = json_root(d);
    facts->format = "binary glTF 2.0";
    snprintf(facts->maker, sizeof facts->maker, "%s",
             json_text_of(json_member(d, json_member(d, root, "asset"), "generator"), ""));
    const json_node *mesh = json_first(d, json_member(d, root, "meshes"));
    for (; mesh != NULL; mesh = json_next(d, mesh)) {
        const json_node *primitive = json_first(d, json_member(d, mesh, "primitives"));
        for (; primitive != NULL; primitive = json_next(d, primitive))
            add_primitive(d, primitive, facts);
    }
}

int info_read_glb(const char *path, FILE *file, mesh_facts *facts)
{
    json_document document;
    size_t bytes = 0;
    char *text = load_json(path, file, &bytes);
    if (text == NULL)
        return STATUS_WRONG;
    int status = STATUS_DONE;
    if (json_parse(&document, text, bytes)) {
        gather(&document, facts);
        json_free(&document);
    } else {
        status = error_wrong("%s: its description is not JSON", path);
    }
    free(text);
    return status;
}
