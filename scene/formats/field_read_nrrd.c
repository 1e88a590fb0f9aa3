// SPDX-License-Identifier: MIT
// field_read_nrrd.c - headers of NRRD files: a magic word, lines "field: value" up to an empty
// line, and then the values, unless a line names another file that has them. Of NRRD's many fields
// those are read that say where and what the values are; the others say nothing that a field needs.
#include "scene/formats/field_read.h"
#include "scene/formats/scan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define LINE_BYTES 4096  // of a header line at most
#define MOST_LINES 10000 // of a header

typedef enum nrrd_field {
    DIMENSION,
    TYPE,
    SIZES,
    SPACINGS,
    DIRECTIONS,
    ORIGIN,
    SPACE,
    SPACE_DIMENSION,
    SPACE_UNITS,
    UNITS,
    AXIS_MINS,
    CENTERS,
    ENCODING,
    ENDIAN,
    DATA_FILE,
    BYTE_SKIP,
    LINE_SKIP,
    FIELD_COUNT
} nrrd_field;

typedef struct nrrd {
    rl_scan scan; // of the value of a line; its status is that of the reader
    FILE *file;
    rl_field_file *out;
    bool given[FIELD_COUNT];
    double mins[3];
    bool cells; // the axes begin half a step before the first value
    char line[LINE_BYTES];
    char *value; // in `line`, of the field that is being read
} nrrd;

// ---- Types -----------------------------------------------------------------------------

static const char *const type_names[RILL_VALUE_TYPE_COUNT] = {
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float", "double"};

const char *rill_value_type_name(rill_value_type type)
{
    return (unsigned)type < RILL_VALUE_TYPE_COUNT ? type_names[type] : "";
}

int rl_value_bytes(rill_value_type type)
{
    static const int bytes[RILL_VALUE_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    RL_ASSERT((unsigned)type < RILL_VALUE_TYPE_COUNT);
    return bytes[type];
}

rill_value_type rl_value_type_find(const char *name)
{
    static const struct {
        const char *name;
        rill_value_type type;
    } others[] = {
        {"signed char", RILL_VALUE_INT8},
        {"int8_t", RILL_VALUE_INT8},
        {"uchar", RILL_VALUE_UINT8},
        {"unsigned char", RILL_VALUE_UINT8},
        {"uint8_t", RILL_VALUE_UINT8},
        {"short", RILL_VALUE_INT16},
        {"short int", RILL_VALUE_INT16},
        {"signed short", RILL_VALUE_INT16},
        {"signed short int", RILL_VALUE_INT16},
        {"int16_t", RILL_VALUE_INT16},
        {"ushort", RILL_VALUE_UINT16},
        {"unsigned short", RILL_VALUE_UINT16},
        {"unsigned short int", RILL_VALUE_UINT16},
        {"uint16_t", RILL_VALUE_UINT16},
        {"int", RILL_VALUE_INT32},
        {"signed int", RILL_VALUE_INT32},
        {"int32_t", RILL_VALUE_INT32},
        {"uint", RILL_VALUE_UINT32},
        {"unsigned int", RILL_VALUE_UINT32},
        {"uint32_t", RILL_VALUE_UINT32},
        {"longlong", RILL_VALUE_INT64},
        {"long long", RILL_VALUE_INT64},
        {"long long int", RILL_VALUE_INT64},
        {"signed long long", RILL_VALUE_INT64},
        {"signed long long int", RILL_VALUE_INT64},
        {"int64_t", RILL_VALUE_INT64},
        {"ulonglong", RILL_VALUE_UINT64},
        {"unsigned long long", RILL_VALUE_UINT64},
        {"unsigned long long int", RILL_VALUE_UINT64},
        {"uint64_t", RILL_VALUE_UINT64},
    };
    for (int k = 0; k < RILL_VALUE_TYPE_COUNT; k++)
        if (rl_word_is(name, strlen(name), type_names[k]))
            return (rill_value_type)k;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (rl_word_is(name, strlen(name), others[k].name))
            return others[k].type;
    return RILL_VALUE_TYPE_COUNT;
}

// ---- Lines -----------------------------------------------------------------------------

// Reads a line without its end. `ended`: there was none, the file is at its end.
static bool read_line(nrrd *n, bool *ended)
{
    size_t length = 0;
    int c = fgetc(n->file);
    n->scan.word_line = ++n->scan.line;
    *ended = c == EOF;
    for (; c != EOF && c != '\n'; c = fgetc(n->file)) {
        if (length == LINE_BYTES - 1)
            return rl_scan_fail_line(&n->scan, "is longer than %d bytes", LINE_BYTES - 1);
        // Bytes that are no text must not reach a message; names of files may have any.
        n->line[length++] = (char)(c == 0 || c == '\t' ? ' ' : c);
    }
    while (length > 0 && (n->line[length - 1] == '\r' || n->line[length - 1] == ' '))
        length--;
    n->line[length] = '\0';
    if (ferror(n->file))
        return rl_scan_fail(&n->scan, "cannot be read: %s", strerror(errno));
    return n->scan.line <= MOST_LINES ||
           rl_scan_fail(&n->scan, "its header has more than %d lines", MOST_LINES);
}

// A copy that can stand in a message.
static const char *clean(const char *text, char out[64])
{
    size_t k = 0;
    for (; text[k] != '\0' && k < 60; k++)
        out[k] = (char)(text[k] >= ' ' && text[k] < 127 ? text[k] : '?');
    out[k] = '\0';
    return out;
}

// Reads all numbers of the value, which may stand in parentheses; there must be `count`.
static bool read_numbers(nrrd *n, const char *what, size_t count, double *out)
{
    rl_scan *scan = &n->scan;
    for (char *c = n->value; *c != '\0'; c++)
        if (*c == '(' || *c == ')')
            *c = ' ';
    const int64_t line = scan->line;
    scan->bytes = (const unsigned char *)n->value;
    scan->size = strlen(n->value);
    scan->at = 0;
    scan->separated = true;
    for (size_t k = 0; k < count; k++) {
        if (!rl_scan_of_line(scan) || !rl_scan_number(scan, what, &out[k]))
            return false;
        if (!isfinite(out[k]))
            return rl_scan_fail_line(scan, "%s has a number that is not finite", what);
    }
    if (!rl_scan_of_line(scan))
        return false;
    scan->line = line;
    return scan->word[0] == '\0' ||
           rl_scan_fail_line(scan, "%s has more than %zu numbers; a field has 3 axes", what, count);
}

// ---- Fields ----------------------------------------------------------------------------

static bool read_sizes(nrrd *n)
{
    double sizes[3];
    int *const to[3] = {&n->out->header.nx, &n->out->header.ny, &n->out->header.nz};
    if (!read_numbers(n, "sizes", 3, sizes))
        return false;
    for (int a = 0; a < 3; a++) {
        if (!(sizes[a] >= 2.0 && sizes[a] <= (double)RILL_MAX_SOLID_NODES) ||
            sizes[a] != floor(sizes[a]))
            return rl_scan_fail_line(&n->scan, "a size is %g, it must be a whole number from 2 on",
                                     sizes[a]);
        *to[a] = (int)sizes[a];
    }
    return true;
}

static bool read_dimension(nrrd *n, const char *what, const char *instead)
{
    double number;
    return read_numbers(n, what, 1, &number) &&
           (number == 3.0 ||
            rl_scan_fail_line(&n->scan, "%s is %g, a field has 3%s", what, number, instead));
}

static bool read_spacings(nrrd *n)
{
    double *spacing = n->out->header.spacing;
    if (!read_numbers(n, "spacings", 3, spacing))
        return false;
    for (int a = 0; a < 3; a++)
        if (!(spacing[a] > 0.0))
            return rl_scan_fail_line(&n->scan, "a spacing is %g, it must be positive", spacing[a]);
    return true;
}

static bool read_directions(nrrd *n)
{
    double v[9];
    if (strstr(n->value, "none") != NULL)
        return rl_scan_fail_line(&n->scan, "an axis has no direction ('none'): it is not one of "
                                           "space, and a field has three of space");
    if (!read_numbers(n, "space directions", 9, v))
        return false;
    for (int a = 0; a < 3; a++) {
        const double *d = v + 3 * a;
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(length > 0.0) || !isfinite(length))
            return rl_scan_fail_line(&n->scan, "direction %d has the length %g", a + 1, length);
        n->out->header.spacing[a] = length;
        for (int k = 0; k < 3; k++)
            n->out->header.axes[a][k] = d[k] / length;
    }
    return true;
}

static bool read_type(nrrd *n)
{
    char shown[64];
    n->out->header.type = rl_value_type_find(n->value);
    return n->out->header.type != RILL_VALUE_TYPE_COUNT ||
           rl_scan_fail_line(
               &n->scan, "type is '%s'; whole numbers of 8 to 64 bits, float and double are read",
               clean(n->value, shown));
}

static bool read_encoding(nrrd *n)
{
    char shown[64];
    return rl_word_is(n->value, strlen(n->value), "raw") ||
           rl_scan_fail_line(&n->scan,
                             "encoding is '%s', only raw is read: write the file again without "
                             "compression, such as with: unu save -f nrrd -e raw -i IN -o OUT",
                             clean(n->value, shown));
}

static bool read_endian(nrrd *n)
{
    char shown[64];
    n->out->header.big_endian = rl_word_is(n->value, strlen(n->value), "big");
    return n->out->header.big_endian || rl_word_is(n->value, strlen(n->value), "little") ||
           rl_scan_fail_line(&n->scan, "endian is '%s', it must be little or big",
                             clean(n->value, shown));
}

static bool read_skip(nrrd *n, const char *what, int64_t *out)
{
    double number;
    if (!read_numbers(n, what, 1, &number))
        return false;
    if (number != floor(number) || number < -1.0 || number > 1e15)
        return rl_scan_fail_line(&n->scan, "%s is %g, it must be a whole number", what, number);
    *out = (int64_t)number;
    return true;
}

// The first unit in quotation marks stands for all.
static bool read_unit(nrrd *n)
{
    const char *from = strchr(n->value, '"');
    const char *to = from != NULL ? strchr(from + 1, '"') : NULL;
    char *unit = n->out->header.unit;
    if (to == NULL)
        return true;
    char copy[sizeof n->out->header.unit], shown[64];
    snprintf(copy, sizeof copy, "%.*s", (int)(to - from - 1), from + 1);
    snprintf(unit, sizeof copy, "%.23s", clean(copy, shown));
    return true;
}

// Beside the header, unless its path begins at the root.
static bool read_data_file(nrrd *n)
{
    if (strncmp(n->value, "LIST", 4) == 0 || strchr(n->value, '%') != NULL)
        return rl_scan_fail_line(&n->scan, "the values are in several files; join them to one");
    const char *slash = strrchr(n->out->path, '/');
    const int folder = slash != NULL && n->value[0] != '/' ? (int)(slash - n->out->path) + 1 : 0;
    const int bytes =
        snprintf(n->out->data, RL_PATH_BYTES, "%.*s%s", folder, n->out->path, n->value);
    return (n->value[0] != '\0' && bytes < RL_PATH_BYTES) ||
           rl_scan_fail_line(&n->scan, "the name of the data file is %s",
                             n->value[0] == '\0' ? "empty" : "too long");
}

static bool read_centers(nrrd *n)
{
    n->cells = strncmp(n->value, "cell", 4) == 0;
    return true;
}

static bool read_space(nrrd *n)
{
    char shown[64];
    snprintf(n->out->header.space, sizeof n->out->header.space, "%.47s", clean(n->value, shown));
    return true;
}

static const char *const field_names[FIELD_COUNT][2] = {
    {"dimension"},
    {"type"},
    {"sizes"},
    {"spacings"},
    {"space directions"},
    {"space origin"},
    {"space"},
    {"space dimension"},
    {"space units"},
    {"units"},
    {"axis mins", "axismins"},
    {"centers", "centerings"},
    {"encoding"},
    {"endian"},
    {"data file", "datafile"},
    {"byte skip", "byteskip"},
    {"line skip", "lineskip"},
};

static bool read_field(nrrd *n, nrrd_field field)
{
    rill_field_header *header = &n->out->header;
    switch (field) {
    case DIMENSION:
        return read_dimension(n, "dimension", ": take the part that has the values out of it");
    case TYPE:
        return read_type(n);
    case SIZES:
        return read_sizes(n);
    case SPACINGS:
        return n->given[DIRECTIONS] || read_spacings(n);
    case DIRECTIONS:
        return read_directions(n);
    case ORIGIN:
        return read_numbers(n, "space origin", 3, header->origin);
    case SPACE:
        return read_space(n);
    case SPACE_DIMENSION:
        return read_dimension(n, "space dimension", "");
    case SPACE_UNITS:
    case UNITS:
        return read_unit(n);
    case AXIS_MINS:
        return read_numbers(n, "axis mins", 3, n->mins);
    case CENTERS:
        return read_centers(n);
    case ENCODING:
        return read_encoding(n);
    case ENDIAN:
        return read_endian(n);
    case DATA_FILE:
        return read_data_file(n);
    case BYTE_SKIP:
        return read_skip(n, "byte skip", &header->skip);
    default:
        return read_skip(n, "line skip", &n->out->skip_lines);
    }
}

// ---- Headers ---------------------------------------------------------------------------

static nrrd_field find_field(const char *name, size_t length)
{
    for (int f = 0; f < FIELD_COUNT; f++)
        for (int k = 0; k < 2; k++)
            if (field_names[f][k] != NULL && rl_word_is(name, length, field_names[f][k]))
                return (nrrd_field)f;
    return FIELD_COUNT;
}

static bool read_pair(nrrd *n)
{
    char shown[64];
    char *colon = strchr(n->line, ':');
    if (n->line[0] == '#' || (colon != NULL && colon[1] == '='))
        return true; // a comment, or a key of the user's own
    if (colon == NULL || (colon[1] != ' ' && colon[1] != '\0'))
        return rl_scan_fail_line(&n->scan, "'%s' is no line of a NRRD header",
                                 clean(n->line, shown));
    const nrrd_field field = find_field(n->line, (size_t)(colon - n->line));
    if (field == FIELD_COUNT)
        return true;
    if (n->given[field])
        return rl_scan_fail_line(&n->scan, "%s is given twice", field_names[field][0]);
    n->given[field] = true;
    for (n->value = colon + 1; *n->value == ' ';)
        n->value++;
    return read_field(n, field);
}

// A place that is given by the beginnings of the axes; a space has an origin instead.
static void set_origin(nrrd *n)
{
    rill_field_header *header = &n->out->header;
    for (int a = 0; a < 3 && n->given[AXIS_MINS] && !n->given[ORIGIN]; a++)
        header->origin[a] = n->mins[a] + (n->cells ? 0.5 * header->spacing[a] : 0.0);
}

static bool finish(nrrd *n)
{
    static const nrrd_field needed[] = {DIMENSION, TYPE, SIZES, ENCODING};
    rl_field_file *out = n->out;
    for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++)
        if (!n->given[needed[k]])
            return rl_scan_fail(&n->scan, "the header lacks %s", field_names[needed[k]][0]);
    if (!n->given[ENDIAN] && rl_value_bytes(out->header.type) > 1)
        return rl_scan_fail(&n->scan, "the header lacks endian");
    if (out->skip_lines < 0)
        return rl_scan_fail(&n->scan, "line skip is negative");
    out->at_end = out->header.skip < 0;
    set_origin(n);
    if (n->given[DATA_FILE])
        return true;
    out->start = (int64_t)ftello(n->file);
    return snprintf(out->data, RL_PATH_BYTES, "%s", out->path) < RL_PATH_BYTES ||
           rl_scan_fail(&n->scan, "its path is too long");
}

bool rl_nrrd_is(FILE *file)
{
    char magic[4] = {0};
    rewind(file);
    const size_t got = fread(magic, 1, sizeof magic, file);
    rewind(file);
    return got == sizeof magic && memcmp(magic, "NRRD", sizeof magic) == 0;
}

rill_status rl_nrrd_read_header(const char *path, FILE *file, rl_field_file *out)
{
    *out = (rl_field_file){.header = rill_default_field_header(), .path = path};
    nrrd n = {.scan = {.name = path}, .file = file, .out = out};
    bool ended = false;
    if (!read_line(&n, &ended)) // the magic word
        return n.scan.status;
    while (read_line(&n, &ended) && n.line[0] != '\0')
        if (!read_pair(&n))
            return n.scan.status;
    if (n.scan.status == RILL_OK && ended && !n.given[DATA_FILE])
        rl_scan_fail(&n.scan, "ends within its header");
    if (n.scan.status == RILL_OK)
        finish(&n);
    return n.scan.status;
}
