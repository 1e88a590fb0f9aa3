// SPDX-License-Identifier: MIT
// mesh_read_ply.c - PLY, the Stanford polygon format: a header in text that describes elements and
// their properties, then the values, in text or in binary of either byte order. Vertices and the
// faces made of them are read; other elements and properties are stepped over.
#include "scene/formats/mesh_read_parts.h"
#include "scene/scene_assert.h"

#include "rill/support.h"

#include <math.h>
#include <stdio.h>
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
    ply_encoding encoding;
    ply_element elements[MOST_ELEMENTS];
    int element_count;
    ply_property properties[MOST_PROPERTIES];
    int property_count;
    uint64_t vertex_total;
    size_t value_at; // byte of the value read last, in binary
} ply;

bool rl_mesh_is_ply(const rl_mesh_reader *reader)
{
    return reader->size >= 4 && memcmp(reader->bytes, "ply", 3) == 0 &&
           (reader->bytes[3] == '\n' || reader->bytes[3] == '\r');
}

// ---- Header ----------------------------------------------------------------------------

static rill_status header_mistake(const ply *p, const char *what)
{
    return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' is %s", p->reader->name,
                     (long long)p->reader->line, p->reader->word, what);
}

static rill_status read_encoding(ply *p)
{
    static const char *const names[ENCODINGS] = {"ascii", "binary_little_endian",
                                                 "binary_big_endian"};
    const rill_status status = rl_mesh_word_of_line(p->reader);
    if (status != RILL_OK)
        return status;
    for (int e = 0; e < ENCODINGS; e++)
        if (strcmp(p->reader->word, names[e]) == 0) {
            p->encoding = (ply_encoding)e;
            return RILL_OK;
        }
    return header_mistake(p, "no format of PLY");
}

static rill_status read_element(ply *p)
{
    if (p->element_count == MOST_ELEMENTS)
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: more than %d elements", p->reader->name,
                         (long long)p->reader->line, MOST_ELEMENTS);
    rill_status status = rl_mesh_word_of_line(p->reader);
    if (status != RILL_OK)
        return status;
    const element_kind kind = strcmp(p->reader->word, "vertex") == 0 ? VERTEX
                              : strcmp(p->reader->word, "face") == 0 ? FACE
                                                                     : OTHER;
    for (int e = 0; e < p->element_count; e++)
        if (kind != OTHER && p->elements[e].kind == kind)
            return header_mistake(p, "an element that is there already");
    double count = 0.0;
    status = rl_mesh_word_of_line(p->reader);
    if (status == RILL_OK)
        status = rl_mesh_number(p->reader, "the count of an element", &count);
    if (status != RILL_OK)
        return status;
    // Also false for NaN. No file of 2 GiB has that many.
    if (!(count >= 0.0 && count <= 4294967295.0 && count == floor(count)))
        return header_mistake(p, "no count of elements");
    p->elements[p->element_count++] =
        (ply_element){.kind = kind, .count = (uint64_t)count, .first = p->property_count};
    return RILL_OK;
}

static rill_status read_scalar(ply *p, scalar *kind)
{
    for (int k = 0; k < SCALARS; k++)
        if (strcmp(p->reader->word, scalar_names[0][k]) == 0 ||
            strcmp(p->reader->word, scalar_names[1][k]) == 0) {
            *kind = (scalar)k;
            return RILL_OK;
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

static rill_status read_property(ply *p)
{
    if (p->element_count == 0 || p->property_count == MOST_PROPERTIES)
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: %s", p->reader->name,
                         (long long)p->reader->line,
                         p->element_count == 0 ? "a property comes before the first element"
                                               : "more than 256 properties");
    ply_property *property = &p->properties[p->property_count];
    rill_status status = rl_mesh_word_of_line(p->reader);
    if (status == RILL_OK && strcmp(p->reader->word, "list") == 0) {
        property->is_list = true;
        status = rl_mesh_word_of_line(p->reader);
        if (status == RILL_OK)
            status = read_scalar(p, &property->count_kind);
        if (status == RILL_OK)
            status = rl_mesh_word_of_line(p->reader);
    }
    if (status == RILL_OK)
        status = read_scalar(p, &property->kind);
    if (status == RILL_OK)
        status = rl_mesh_word_of_line(p->reader);
    if (status != RILL_OK)
        return status;
    ply_element *element = &p->elements[p->element_count - 1];
    property->use = use_of(element->kind, property, p->reader->word);
    for (int k = element->first; k < p->property_count; k++)
        if (property->use != PASSED_OVER && p->properties[k].use == property->use)
            return header_mistake(p, "a property that is there already");
    element->property_count++;
    p->property_count++;
    return RILL_OK;
}

static rill_status read_header_line(ply *p, bool *ended)
{
    const rill_status status = rl_mesh_word_of_line(p->reader);
    if (status != RILL_OK)
        return status;
    const char *word = p->reader->word;
    *ended = strcmp(word, "end_header") == 0;
    if (strcmp(word, "format") == 0)
        return read_encoding(p);
    if (strcmp(word, "element") == 0)
        return read_element(p);
    if (strcmp(word, "property") == 0)
        return read_property(p);
    if (*ended || word[0] == '\0' || strcmp(word, "comment") == 0 || strcmp(word, "obj_info") == 0)
        return RILL_OK;
    return header_mistake(p, "no word of a PLY header");
}

static bool has(const ply *p, use wanted)
{
    for (int k = 0; k < p->property_count; k++)
        if (p->properties[k].use == wanted)
            return true;
    return false;
}

static rill_status read_header(ply *p)
{
    rl_mesh_reader *reader = p->reader;
    bool ended = false;
    p->encoding = ENCODINGS;
    rl_mesh_skip_line(reader); // "ply"
    while (!ended) {
        if (reader->at == reader->size)
            return rill_fail(RILL_BAD_FILE, "%s: line %lld: ends within the header", reader->name,
                             (long long)reader->line);
        const rill_status status = read_header_line(p, &ended);
        if (status != RILL_OK)
            return status;
        rl_mesh_skip_line(reader);
    }
    if (p->encoding == ENCODINGS)
        return rill_fail(RILL_BAD_FILE, "%s: the header does not say the format", reader->name);
    if (!has(p, POSITION_X) || !has(p, POSITION_Y) || !has(p, POSITION_Z))
        return rill_fail(RILL_BAD_FILE, "%s: the header has no element vertex with x, y and z",
                         reader->name);
    if (!has(p, CORNERS))
        return rill_fail(RILL_BAD_FILE,
                         "%s: the header has no element face with a list "
                         "vertex_indices or vertex_index",
                         reader->name);
    return RILL_OK;
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

static rill_status check_counts(ply *p)
{
    const uint64_t left = p->reader->size - p->reader->at;
    for (int k = 0; k < p->element_count; k++) {
        const ply_element *e = &p->elements[k];
        // Text may end without the last space.
        if (e->count * least_bytes(p, e) > left + (p->encoding == TEXT))
            return rill_fail(
                RILL_BAD_FILE,
                "%s: is cut short: %llu elements of a kind cannot lie in the %llu bytes "
                "after the header",
                p->reader->name, (unsigned long long)e->count, (unsigned long long)left);
        if (e->kind == VERTEX)
            p->vertex_total = e->count;
    }
    return RILL_OK;
}

// ---- Values ----------------------------------------------------------------------------

// Formats where the value read last lies: "line 7" or "byte 1234".
static rill_status value_mistake(const ply *p, const char *what)
{
    if (p->encoding == TEXT)
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: %s", p->reader->name,
                         (long long)p->reader->word_line, what);
    return rill_fail(RILL_BAD_FILE, "%s: byte %zu: %s", p->reader->name, p->value_at, what);
}

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

static rill_status read_value(ply *p, scalar kind, double *value)
{
    rl_mesh_reader *reader = p->reader;
    if (p->encoding == TEXT) {
        const rill_status status = rl_mesh_word(reader);
        return status != RILL_OK ? status : rl_mesh_number(reader, "a value", value);
    }
    p->value_at = reader->at;
    if (reader->size - reader->at < scalar_bytes[kind])
        return value_mistake(p, "ends within a value");
    *value =
        scalar_of(raw_value(reader->bytes + reader->at, scalar_bytes[kind], p->encoding), kind);
    reader->at += scalar_bytes[kind];
    return RILL_OK;
}

static rill_status read_list_count(ply *p, const ply_property *property, uint64_t *count)
{
    const uint64_t left = p->reader->size - p->reader->at;
    double value = 0.0;
    const rill_status status = read_value(p, property->count_kind, &value);
    if (status != RILL_OK)
        return status;
    if (!(value >= 0.0 && value == floor(value) && value <= (double)left))
        return value_mistake(p, "the length of a list is no count, or more than the file can hold");
    *count = (uint64_t)value;
    return RILL_OK;
}

static rill_status read_corner(ply *p, const ply_property *property)
{
    double value = 0.0;
    const rill_status status = read_value(p, property->kind, &value);
    if (status != RILL_OK)
        return status;
    if (!(value >= 0.0 && value < (double)p->vertex_total && value == floor(value))) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "a face names vertex %g, there are %llu", value,
                 (unsigned long long)p->vertex_total);
        return value_mistake(p, sentence);
    }
    return rl_mesh_add_corner(p->reader, (uint32_t)value);
}

static rill_status read_face(ply *p, const ply_property *property)
{
    uint64_t count = 0;
    rill_status status = read_list_count(p, property, &count);
    if (status == RILL_OK && count < 3)
        return value_mistake(p, "a face has fewer than three corners");
    for (uint64_t k = 0; k < count && status == RILL_OK; k++)
        status = read_corner(p, property);
    bool sound = true;
    if (status == RILL_OK)
        status = rl_mesh_end_face(p->reader, &sound);
    if (status == RILL_OK && !sound)
        return value_mistake(p, "a face that is not convex has more than 1024 corners");
    return status;
}

static rill_status skip_list(ply *p, const ply_property *property)
{
    uint64_t count = 0;
    double unused;
    rill_status status = read_list_count(p, property, &count);
    for (uint64_t k = 0; k < count && status == RILL_OK; k++)
        status = read_value(p, property->kind, &unused);
    return status;
}

static rill_status read_vertex(ply *p, const ply_element *e)
{
    double position[3] = {0.0, 0.0, 0.0};
    rill_status status = RILL_OK;
    for (int k = e->first; k < e->first + e->property_count && status == RILL_OK; k++) {
        const ply_property *property = &p->properties[k];
        double value = 0.0;
        if (property->is_list)
            status = skip_list(p, property);
        else
            status = read_value(p, property->kind, &value);
        if (property->use != PASSED_OVER)
            position[property->use - POSITION_X] = value;
    }
    if (status == RILL_OK && !rl_mesh_is_finite(position))
        return value_mistake(p, "a coordinate of the vertex is not finite");
    return status == RILL_OK ? rl_mesh_add_vertex(p->reader, position) : status;
}

// Skips a value of a face, or of an element that is not used.
static rill_status read_other(ply *p, const ply_element *e)
{
    rill_status status = RILL_OK;
    for (int k = e->first; k < e->first + e->property_count && status == RILL_OK; k++) {
        const ply_property *property = &p->properties[k];
        double unused;
        if (property->use == CORNERS)
            status = read_face(p, property);
        else if (property->is_list)
            status = skip_list(p, property);
        else
            status = read_value(p, property->kind, &unused);
    }
    return status;
}

// What follows the last face is not read.
static rill_status read_values(ply *p)
{
    rill_status status = RILL_OK;
    for (int k = 0; k < p->element_count && status == RILL_OK; k++) {
        const ply_element *e = &p->elements[k];
        if (e->property_count == 0)
            continue;
        if (e->kind == FACE && p->reader->data->vertex_count < p->vertex_total)
            return rill_fail(RILL_BAD_FILE, "%s: its faces come before its vertices",
                             p->reader->name);
        for (uint64_t n = 0; n < e->count && status == RILL_OK; n++)
            status = e->kind == VERTEX ? read_vertex(p, e) : read_other(p, e);
        if (e->kind == FACE)
            break;
    }
    return status;
}

rill_status rl_mesh_read_ply(rl_mesh_reader *reader)
{
    RL_ASSERT(rl_mesh_is_ply(reader));
    ply *p = rill_alloc(reader->allocator, sizeof *p);
    if (p == NULL)
        return rill_fail(RILL_NO_MEMORY, "%s: no memory to read it", reader->name);
    p->reader = reader;
    rill_status status = read_header(p);
    if (status == RILL_OK)
        status = check_counts(p);
    if (status == RILL_OK)
        status = read_values(p);
    rill_free(reader->allocator, p, sizeof *p);
    return status;
}
