// SPDX-License-Identifier: MIT
// info_ply.c - reads PLY: a header of text lines that lists elements and their properties, then
// their values, as text or in binary. All values are read, for the bounding box, to count the
// triangles of polygons, and to find a file that was cut short.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/message.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ELEMENTS   16
#define MOST_PROPERTIES MESH_MOST_ATTRIBUTES
#define LINE_BYTES      1024

typedef enum ply_format { PLY_ASCII, PLY_LITTLE, PLY_BIG } ply_format;

typedef enum ply_type {
    PLY_NONE,
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;

typedef struct ply_property {
    char name[MESH_NAME_BYTES];
    ply_type type;
    ply_type count_type; // PLY_NONE: one value, no list
    int axis;            // 0 to 2: x, y or z of a vertex; else -1
} ply_property;

typedef struct ply_element {
    char name[MESH_NAME_BYTES];
    double count;
    int property_count;
    ply_property properties[MOST_PROPERTIES];
} ply_element;

typedef struct ply_file {
    const char *path;
    FILE *file;
    mesh_facts *facts;
    ply_format format;
    int element_count;
    ply_element elements[MOST_ELEMENTS];
} ply_file;

// ---- Header ----------------------------------------------------------------------------

static ply_type type_named(const char *name)
{
    static const struct {
        const char *name;
        ply_type type;
    } types[] = {
        {"char", PLY_INT8},       {"int8", PLY_INT8},       {"uchar", PLY_UINT8},
        {"uint8", PLY_UINT8},     {"short", PLY_INT16},     {"int16", PLY_INT16},
        {"ushort", PLY_UINT16},   {"uint16", PLY_UINT16},   {"int", PLY_INT32},
        {"int32", PLY_INT32},     {"uint", PLY_UINT32},     {"uint32", PLY_UINT32},
        {"float", PLY_FLOAT32},   {"float32", PLY_FLOAT32}, {"double", PLY_FLOAT64},
        {"float64", PLY_FLOAT64},
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(types[k].name, name) == 0)
            return types[k].type;
    return PLY_NONE;
}

static bool read_line(FILE *file, char line[LINE_BYTES])
{
    if (fgets(line, LINE_BYTES, file) == NULL || strchr(line, '\n') == NULL)
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static bool read_format(ply_file *p, const char *name)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    static const char *const formats[] = {"PLY, text", "PLY, binary, little-endian",
                                          "PLY, binary, big-endian"};
    for (int k = 0; k < 3; k++)
        if (strcmp(name, names[k]) == 0) {
            p->format = (ply_format)k;
            p->facts->format = formats[k];
            return true;
        }
    return false;
}

static bool add_element(ply_file *p, const char *name, const char *count)
{
    char *end;
    if (p->element_count == MOST_ELEMENTS || count[strspn(count, "0123456789")] != '\0')
        return false;
    ply_element *e = &p->elements[p->element_count++];
    snprintf(e->name, sizeof e->name, "%s", name);
    e->count = strtod(count, &end);
    return end != count && e->count < 1e15;
}

// "property TYPE NAME" or "property list COUNT_TYPE TYPE NAME".
static bool add_property(ply_file *p, char parts[5][MESH_NAME_BYTES], int count)
{
    ply_element *e = p->element_count > 0 ? &p->elements[p->element_count - 1] : NULL;
    if (e == NULL || e->property_count == MOST_PROPERTIES || count < 3)
        return false;
    const bool list = strcmp(parts[1], "list") == 0;
    if (list && count < 5)
        return false;
    ply_property *q = &e->properties[e->property_count++];
    const char *name = parts[list ? 4 : 2];
    q->count_type = list ? type_named(parts[2]) : PLY_NONE;
    q->type = type_named(parts[list ? 3 : 1]);
    snprintf(q->name, sizeof q->name, "%s", name);
    q->axis = -1;
    if (strcmp(e->name, "vertex") == 0) {
        mesh_facts_attribute(p->facts, name);
        if (!list && strlen(name) == 1 && name[0] >= 'x' && name[0] <= 'z')
            q->axis = name[0] - 'x';
    }
    return q->type != PLY_NONE && (!list || q->count_type != PLY_NONE);
}

static bool read_header_line(ply_file *p, const char *line)
{
    char parts[5][MESH_NAME_BYTES] = {""};
    const int count =
        sscanf(line, "%63s %63s %63s %63s %63s", parts[0], parts[1], parts[2], parts[3], parts[4]);
    if (strcmp(parts[0], "comment") == 0) {
        if (p->facts->maker[0] == '\0' && strncmp(line, "comment made by ", 16) == 0)
            snprintf(p->facts->maker, sizeof p->facts->maker, "%.*s", (int)strcspn(line + 16, ","),
                     line + 16);
        return true;
    }
    if (count < 1 || strcmp(parts[0], "obj_info") == 0)
        return true;
    if (strcmp(parts[0], "format") == 0)
        return read_format(p, parts[1]);
    if (strcmp(parts[0], "element") == 0)
        return count == 3 && add_element(p, parts[1], parts[2]);
    return strcmp(parts[0], "property") == 0 && add_property(p, parts, count);
}

static int read_header(ply_file *p)
{
    char line[LINE_BYTES];
    if (!read_line(p->file, line) || strcmp(line, "ply") != 0)
        return error_wrong("%s: is not a PLY file", p->path);
    for (int number = 2;; number++) {
        if (!read_line(p->file, line))
            return error_wrong("%s: ends inside the header of a PLY file", p->path);
        if (strcmp(line, "end_header") == 0)
            break;
        if (!read_header_line(p, line))
            return error_wrong("%s: line %d of the PLY header makes no sense: \"%.80s\"", p->path,
                               number, line);
    }
    if (p->facts->format[0] == '\0')
        return error_wrong("%s: the PLY header names no format", p->path);
    return STATUS_DONE;
}

// ---- Values ----------------------------------------------------------------------------

static double decode(ply_type type, const unsigned char bytes[8])
{
    uint64_t bits = 0;
    float single;
    double twice;
    for (int k = 7; k >= 0; k--)
        bits = bits << 8 | bytes[k];
    const uint32_t low = (uint32_t)bits;
    switch (type) {
    case PLY_INT8:
        return (double)(bits & 0x7f) - (double)(bits & 0x80);
    case PLY_INT16:
        return (double)(bits & 0x7fff) - (double)(bits & 0x8000);
    case PLY_INT32:
        return (double)(bits & 0x7fffffff) - (double)(bits & 0x80000000);
    case PLY_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case PLY_FLOAT64:
        memcpy(&twice, &bits, sizeof twice);
        return twice;
    default: // unsigned: the bytes that were not read are zero
        return (double)bits;
    }
}

static bool read_value(const ply_file *p, ply_type type, double *value)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    if (p->format == PLY_ASCII) {
        char word[MESH_NAME_BYTES], *end;
        if (fscanf(p->file, "%63s", word) != 1)
            return false;
        *value = strtod(word, &end);
        return *end == '\0';
    }
    unsigned char bytes[8] = {0};
    const size_t size = sizes[type];
    if (fread(bytes, 1, size, p->file) != size)
        return false;
    for (size_t k = 0; k < size / 2 && p->format == PLY_BIG; k++) {
        const unsigned char swapped = bytes[k];
        bytes[k] = bytes[size - 1 - k];
        bytes[size - 1 - k] = swapped;
    }
    *value = decode(type, bytes);
    return true;
}

// A polygon of n corners is n - 2 triangles.
static bool read_property(ply_file *p, const ply_property *q, bool face)
{
    double value, count = 1.0;
    if (q->count_type != PLY_NONE) {
        if (!read_value(p, q->count_type, &count) || !(count >= 0.0))
            return false;
        if (face && strncmp(q->name, "vertex_ind", 10) == 0 && count > 2.0)
            p->facts->triangles += count - 2.0;
    }
    for (double k = 0.0; k < count; k += 1.0) {
        if (!read_value(p, q->type, &value))
            return false;
        if (q->axis >= 0)
            mesh_facts_bound(p->facts, q->axis, value, value);
    }
    return true;
}

static int read_element(ply_file *p, const ply_element *e)
{
    const bool face = strcmp(e->name, "face") == 0;
    if (strcmp(e->name, "vertex") == 0)
        p->facts->vertices += e->count;
    if (e->property_count == 0)
        return STATUS_DONE;
    for (double n = 0.0; n < e->count; n += 1.0)
        for (int k = 0; k < e->property_count; k++)
            if (!read_property(p, &e->properties[k], face))
                return error_wrong("%s: ends or breaks off in %s %.0f of %.0f", p->path, e->name,
                                   n + 1.0, e->count);
    return STATUS_DONE;
}

int info_read_ply(const char *path, FILE *file, mesh_facts *facts)
{
    ply_file *p = calloc(1, sizeof *p);
    if (p == NULL)
        return error_failed("%s: no memory to read it", path);
    p->path = path;
    p->file = file;
    p->facts = facts;
    int status = read_header(p);
    for (int k = 0; k < p->element_count && status == STATUS_DONE; k++)
        status = read_element(p, &p->elements[k]);
    free(p);
    return status;
}
