// SPDX-License-Identifier: MIT
// mesh_read_ply.c - PLY, the Stanford polygon format: a header in text that describes elements and
// their properties, then the values, in text or in binary of either byte order. Vertices and the
// faces made of them are read; other elements and properties are stepped over.
#include "scene/formats/mesh_read.h"

#include <math.h>
#include <string.h>

#define MOST_ELEMENTS   32
#define MOST_PROPERTIES 256 // of all elements together

typedef enum scalar { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, SCALARS } scalar;

static const char *const scalar_names[2][SCALARS] = {
    {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
    {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}};
static const size_t scalar_bytes[SCALARS] = {1, 1, 2, 2, 4, 4, 4, 8};

// Use of a property.
typedef enum use { PASSED_OVER, POSITION_X, POSITION_Y, POSITION_Z, CORNERS } use;

typedef struct ply_property {
    scalar kind;
    bool is_list;
    scalar count_kind; // of a list
    use use;
} ply_property;

typedef enum element_kind { OTHER, VERTEX, FACE } element_kind;

typedef struct ply_element {
    element_kind kind;
    uint64_t count;
    int first, property_count; // in `properties`
} ply_element;

typedef enum ply_encoding { TEXT, BINARY_LITTLE, BINARY_BIG, ENCODINGS } ply_encoding;

typedef struct ply {
    rl_mesh_reader *reader;
    rl_scan *scan; // of the reader
    ply_encoding encoding;
    ply_element elements[MOST_ELEMENTS];
    int element_count;
    ply_property properties[MOST_PROPERTIES];
    int property_count;
    uint64_t vertex_total;
} ply;

bool rl_mesh_is_ply(const rl_mesh_reader *reader)
{
    const rl_scan *scan = &reader->scan;
    return scan->size >= 4 && memcmp(scan->bytes, "ply", 3) == 0 &&
           (scan->bytes[3] == '\n' || scan->bytes[3] == '\r');
}

// ---- Header ----------------------------------------------------------------------------

static bool header_mistake(ply *p, const char *what)
{
    return rl_scan_fail_line(p->scan, "'%s' is %s", p->scan->word, what);
}

static bool word_is(const ply *p, const char *word)
{
    return strcmp(p->scan->word, word) == 0;
}

static bool read_encoding(ply *p)
{
    static const char *const names[ENCODINGS] = {"ascii", "binary_little_endian",
                                                 "binary_big_endian"};
    if (!rl_scan_of_line(p->scan))
        return false;
    for (int e = 0; e < ENCODINGS; e++)
        if (word_is(p, names[e])) {
            p->encoding = (ply_encoding)e;
            return true;
        }
    return header_mistake(p, "no format of PLY");
}

static bool read_element(ply *p)
{
    if (p->element_count == MOST_ELEMENTS)
        return rl_scan_fail_line(p->scan, "more than %d elements", MOST_ELEMENTS);
    if (!rl_scan_of_line(p->scan))
        return false;
    const element_kind kind = word_is(p, "vertex") ? VERTEX : word_is(p, "face") ? FACE : OTHER;
    for (int e = 0; e < p->element_count; e++)
        if (kind != OTHER && p->elements[e].kind == kind)
            return header_mistake(p, "an element that is there already");
    double count = 0.0;
    if (!rl_scan_of_line(p->scan) || !rl_scan_number(p->scan, "the count of an element", &count))
        return false;
    // Also false for NaN. No file of 2 GiB has that many.
    if (!(count >= 0.0 && count <= 4294967295.0 && count == floor(count)))
        return header_mistake(p, "no count of elements");
    p->elements[p->element_count++] =
        (ply_element){.kind = kind, .count = (uint64_t)count, .first = p->property_count};
    return true;
}

static bool read_scalar(ply *p, scalar *kind)
{
    for (int k = 0; k < SCALARS; k++)
        if (word_is(p, scalar_names[0][k]) || word_is(p, scalar_names[1][k])) {
            *kind = (scalar)k;
            return true;
        }
    return header_mistake(p, "no type of PLY");
}

static use use_of(element_kind kind, const ply_property *property, const char *name)
{
    static const char *const axes[3] = {"x", "y", "z"};
    for (int k = 0; k < 3 && kind == VERTEX && !property->is_list; k++)
        if (strcmp(name, axes[k]) == 0)
            return (use)(POSITION_X + k);
    if (kind == FACE && property->is_list &&
        (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        return CORNERS;
    return PASSED_OVER;
}

static bool read_property(ply *p)
{
    rl_scan *scan = p->scan;
    if (p->element_count == 0)
        return rl_scan_fail_line(scan, "a property comes before the first element");
    if (p->property_count == MOST_PROPERTIES)
        return rl_scan_fail_line(scan, "more than %d properties", MOST_PROPERTIES);
    ply_property *property = &p->properties[p->property_count];
    if (!rl_scan_of_line(scan))
        return false;
    property->is_list = word_is(p, "list");
    if (property->is_list &&
        !(rl_scan_of_line(scan) && read_scalar(p, &property->count_kind) && rl_scan_of_line(scan)))
        return false;
    if (!read_scalar(p, &property->kind) || !rl_scan_of_line(scan))
        return false;
    ply_element *element = &p->elements[p->element_count - 1];
    property->use = use_of(element->kind, property, scan->word);
    for (int k = element->first; k < p->property_count; k++)
        if (property->use != PASSED_OVER && p->properties[k].use == property->use)
            return header_mistake(p, "a property that is there already");
    element->property_count++;
    p->property_count++;
    return true;
}

static bool read_header_line(ply *p, bool *ended)
{
    if (!rl_scan_of_line(p->scan))
        return false;
    *ended = word_is(p, "end_header");
    if (word_is(p, "format"))
        return read_encoding(p);
    if (word_is(p, "element"))
        return read_element(p);
    if (word_is(p, "property"))
        return read_property(p);
    return *ended || word_is(p, "") || word_is(p, "comment") || word_is(p, "obj_info") ||
           header_mistake(p, "no word of a PLY header");
}

static bool has(const ply *p, use wanted)
{
    for (int k = 0; k < p->property_count; k++)
        if (p->properties[k].use == wanted)
            return true;
    return false;
}

static bool read_header(ply *p)
{
    rl_scan *scan = p->scan;
    p->encoding = ENCODINGS;
    rl_scan_skip_line(scan); // "ply"
    for (bool ended = false; !ended; rl_scan_skip_line(scan)) {
        scan->word_line = scan->line;
        if (scan->at == scan->size)
            return rl_scan_fail_line(scan, "ends within the header");
        if (!read_header_line(p, &ended))
            return false;
    }
    if (p->encoding == ENCODINGS)
        return rl_scan_fail(scan, "the header does not say the format");
    if (!has(p, POSITION_X) || !has(p, POSITION_Y) || !has(p, POSITION_Z))
        return rl_scan_fail(scan, "the header has no element vertex with x, y and z");
    return has(p, CORNERS) ||
           rl_scan_fail(scan, "the header has no element face with a list vertex_indices or "
                              "vertex_index");
}

// The least bytes that an element takes: a character and a space for each value of text.
static uint64_t least_bytes(const ply *p, const ply_element *e)
{
    uint64_t bytes = 0;
    for (int k = e->first; k < e->first + e->property_count; k++) {
        const ply_property *property = &p->properties[k];
        if (p->encoding == TEXT)
            bytes += 2;
        else
            bytes += scalar_bytes[property->is_list ? property->count_kind : property->kind];
    }
    return bytes;
}

static bool check_counts(ply *p)
{
    const uint64_t left = p->scan->size - p->scan->at;
    p->scan->binary = p->encoding != TEXT;
    for (int k = 0; k < p->element_count; k++) {
        const ply_element *e = &p->elements[k];
        // Text may end without the last space.
        if (e->count * least_bytes(p, e) > left + (p->encoding == TEXT))
            return rl_scan_fail(p->scan,
                                "is cut short: %llu elements of a kind cannot lie in the %llu "
                                "bytes after the header",
                                (unsigned long long)e->count, (unsigned long long)left);
        if (e->kind == VERTEX)
            p->vertex_total = e->count;
    }
    return true;
}

// ---- Values ----------------------------------------------------------------------------

// Returns a value of 1 to 8 bytes as an unsigned number.
static uint64_t raw_value(const unsigned char *bytes, size_t count, ply_encoding encoding)
{
    uint64_t value = 0;
    for (size_t k = 0; k < count; k++)
        value = value << 8 | bytes[encoding == BINARY_BIG ? k : count - 1 - k];
    return value;
}

static double scalar_of(uint64_t raw, scalar kind)
{
    const uint32_t half = (uint32_t)raw;
    float single;
    double value;
    switch (kind) {
    case INT8:
        return raw < 0x80u ? (double)raw : (double)raw - 0x100p0;
    case INT16:
        return raw < 0x8000u ? (double)raw : (double)raw - 0x10000p0;
    case INT32:
        return raw < 0x80000000u ? (double)raw : (double)raw - 0x100000000p0;
    case FLOAT32:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case FLOAT64:
        memcpy(&value, &raw, sizeof value);
        return value;
    default:
        return (double)raw;
    }
}

static bool read_value(ply *p, scalar kind, double *value)
{
    rl_scan *scan = p->scan;
    if (p->encoding == TEXT)
        return rl_scan_next(scan) && rl_scan_number(scan, "a value", value);
    const size_t bytes = scalar_bytes[kind];
    scan->word_line = (int64_t)scan->at;
    if (scan->size - scan->at < bytes)
        return rl_scan_fail_line(scan, "ends within a value");
    *value = scalar_of(raw_value(scan->bytes + scan->at, bytes, p->encoding), kind);
    scan->at += bytes;
    return true;
}

static bool read_list_count(ply *p, const ply_property *property, uint64_t *count)
{
    const uint64_t left = p->scan->size - p->scan->at;
    double value = 0.0;
    if (!read_value(p, property->count_kind, &value))
        return false;
    if (!(value >= 0.0 && value == floor(value) && value <= (double)left))
        return rl_scan_fail_line(
            p->scan, "the length of a list is no count, or more than the file can hold");
    *count = (uint64_t)value;
    return true;
}

static bool read_corner(ply *p, const ply_property *property)
{
    double value = 0.0;
    if (!read_value(p, property->kind, &value))
        return false;
    if (!(value >= 0.0 && value < (double)p->vertex_total && value == floor(value)))
        return rl_scan_fail_line(p->scan, "a face names vertex %g, there are %llu", value,
                                 (unsigned long long)p->vertex_total);
    return rl_mesh_add_corner(p->reader, (uint32_t)value);
}

static bool read_face(ply *p, const ply_property *property)
{
    uint64_t count = 0;
    if (!read_list_count(p, property, &count))
        return false;
    if (count < 3)
        return rl_scan_fail_line(p->scan, "a face has fewer than three corners");
    for (uint64_t k = 0; k < count; k++)
        if (!read_corner(p, property))
            return false;
    bool sound = true;
    return rl_mesh_end_face(p->reader, &sound) &&
           (sound ||
            rl_scan_fail_line(p->scan, "a face that is not convex has more than 1024 corners"));
}

static bool skip_list(ply *p, const ply_property *property)
{
    uint64_t count = 0;
    double unused;
    bool went_well = read_list_count(p, property, &count);
    for (uint64_t k = 0; k < count && went_well; k++)
        went_well = read_value(p, property->kind, &unused);
    return went_well;
}

// Reads a vertex, a face, or an element that is not used.
static bool read_one(ply *p, const ply_element *e)
{
    double position[3] = {0.0, 0.0, 0.0};
    for (int k = e->first; k < e->first + e->property_count; k++) {
        const ply_property *property = &p->properties[k];
        double value = 0.0;
        if (!(property->use == CORNERS ? read_face(p, property)
              : property->is_list      ? skip_list(p, property)
                                       : read_value(p, property->kind, &value)))
            return false;
        if (property->use >= POSITION_X && property->use <= POSITION_Z)
            position[property->use - POSITION_X] = value;
    }
    if (e->kind != VERTEX)
        return true;
    return rl_mesh_add_vertex(p->reader, position, "vertex");
}

// What follows the last face is not read.
static bool read_values(ply *p)
{
    for (int k = 0; k < p->element_count; k++) {
        const ply_element *e = &p->elements[k];
        if (e->property_count == 0)
            continue;
        if (e->kind == FACE && p->reader->data->vertex_count < p->vertex_total)
            return rl_scan_fail(p->scan, "its faces come before its vertices");
        for (uint64_t n = 0; n < e->count; n++)
            if (!read_one(p, e))
                return false;
        if (e->kind == FACE)
            break;
    }
    return true;
}

bool rl_mesh_read_ply(rl_mesh_reader *reader)
{
    RL_ASSERT(rl_mesh_is_ply(reader));
    ply *p = rill_alloc(reader->allocator, sizeof *p);
    if (p == NULL) {
        reader->scan.status =
            rill_fail(RILL_NO_MEMORY, "%s: no memory to read it", reader->scan.name);
        return false;
    }
    p->reader = reader;
    p->scan = &reader->scan;
    const bool went_well = read_header(p) && check_counts(p) && read_values(p);
    rill_free(reader->allocator, p, sizeof *p);
    return went_well;
}
