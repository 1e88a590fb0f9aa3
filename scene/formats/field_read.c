// SPDX-License-Identifier: MIT
// field_read.c - the values of a field from a file, and a field of distances made of them.
#include "scene/formats/field_read.h"
#include "scene/formats/scan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define CHUNK_VALUES 8192 // read at once

// ---- Values ----------------------------------------------------------------------------

// Returns a value whose bytes stand in any order; two's complement and IEEE 754, as everywhere.
static double decode(const unsigned char *at, rill_value_type type, bool big_endian)
{
    const int bytes = rl_value_bytes(type);
    uint64_t bits = 0;
    for (int k = 0; k < bytes; k++)
        bits |= (uint64_t)at[big_endian ? bytes - 1 - k : k] << 8 * k;
    const uint32_t low = (uint32_t)bits;
    float single;
    double twice;
    switch (type) {
    case RILL_VALUE_INT8:
        return (double)(int8_t)bits;
    case RILL_VALUE_INT16:
        return (double)(int16_t)bits;
    case RILL_VALUE_INT32:
        return (double)(int32_t)bits;
    case RILL_VALUE_INT64:
        return (double)(int64_t)bits;
    case RILL_VALUE_FLOAT:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case RILL_VALUE_DOUBLE:
        memcpy(&twice, &bits, sizeof twice);
        return twice;
    default:
        return (double)bits;
    }
}

typedef struct values {
    float *data; // NULL: only their range is asked for
    size_t bytes;
    rill_field_range range;
} values;

static void note(values *v, size_t number, double value)
{
    rill_field_range *r = &v->range;
    if (v->data != NULL)
        v->data[number] = (float)value;
    if (!isfinite(value)) {
        r->not_finite++;
        return;
    }
    const bool first = number == (size_t)r->not_finite;
    r->low = first || value < r->low ? value : r->low;
    r->high = first || value > r->high ? value : r->high;
    r->mean += value;
}

static rill_status read_values(const rl_field_file *f, FILE *file, size_t count, values *v)
{
    const rill_field_header *h = &f->header;
    const size_t size = (size_t)rl_value_bytes(h->type);
    unsigned char chunk[CHUNK_VALUES * 8];
    for (size_t done = 0; done < count;) {
        const size_t left = count - done, many = left < CHUNK_VALUES ? left : CHUNK_VALUES;
        if (fread(chunk, size, many, file) != many)
            return rill_fail(RILL_BAD_FILE, "%s: ends after %zu of %zu values", f->data, done,
                             count);
        for (size_t k = 0; k < many; k++)
            note(v, done + k, decode(chunk + k * size, h->type, h->big_endian != 0));
        done += many;
    }
    const size_t finite = count - (size_t)v->range.not_finite;
    v->range.mean /= finite > 0 ? (double)finite : 1.0;
    return RILL_OK;
}

// ---- Where they begin ------------------------------------------------------------------

static rill_status check_header(const rill_field_header *h, const char *path)
{
    const int n[3] = {h->nx, h->ny, h->nz};
    int64_t left = RILL_MAX_SOLID_NODES;
    for (int a = 0; a < 3; a++) {
        if (n[a] < 2 || (left /= n[a]) == 0)
            return rill_fail(
                RILL_BAD_FILE,
                "%s: %d x %d x %d values cannot be read: each side must be 2 at least, "
                "all together at most %d",
                path, n[0], n[1], n[2], RILL_MAX_SOLID_NODES);
    }
    if ((unsigned)h->type >= RILL_VALUE_TYPE_COUNT)
        return rill_fail(RILL_BAD_DEF, "%s: %d is no type of values", path, (int)h->type);
    return RILL_OK;
}

// Goes to the first value. The values must fit into the file, and of raw ones fill it.
static rill_status find_start(const rl_field_file *f, FILE *file, int64_t bytes, bool whole)
{
    int64_t length = 0, at = f->start;
    if (!rl_file_length(file, &length) || fseeko(file, (off_t)at, SEEK_SET) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", f->data, strerror(errno));
    for (int64_t line = 0; line < f->skip_lines; line++)
        for (int c = 0; c != '\n'; at++)
            if ((c = fgetc(file)) == EOF)
                return rill_fail(RILL_BAD_FILE, "%s: has no %lld lines to skip", f->data,
                                 (long long)f->skip_lines);
    const int64_t first = f->at_end ? length - bytes : at + f->header.skip;
    if (first < at || first > length || length - first < bytes)
        return rill_fail(RILL_BAD_FILE,
                         "%s: is cut short: %lld bytes cannot hold %d x %d x %d values of %s",
                         f->data, (long long)(length > at ? length - at : 0), f->header.nx,
                         f->header.ny, f->header.nz, rill_value_type_name(f->header.type));
    if (whole && length - first != bytes)
        return rill_fail(RILL_BAD_FILE,
                         "%s: has %lld bytes more than %d x %d x %d values of %s; if they stand "
                         "before the values, skip them",
                         f->data, (long long)(length - first - bytes), f->header.nx, f->header.ny,
                         f->header.nz, rill_value_type_name(f->header.type));
    if (fseeko(file, (off_t)first, SEEK_SET) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", f->data, strerror(errno));
    return RILL_OK;
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    // Reading one byte first detects a folder.
    if (file == NULL || (fgetc(file) == EOF && ferror(file))) {
        rill_fail(RILL_BAD_FILE, "%s: cannot be %s: %s", path, file == NULL ? "opened" : "read",
                  strerror(errno));
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    rewind(file);
    return file;
}

// Memory is taken for `data` unless only the range is wanted.
static rill_status read_data(const rill_allocator *a, const rl_field_file *f, bool raw, bool wanted,
                             values *v)
{
    *v = (values){0};
    RILL_TRY(check_header(&f->header, f->path));
    const rill_field_header *h = &f->header;
    const size_t count = (size_t)h->nx * (size_t)h->ny * (size_t)h->nz;
    FILE *file = open_file(f->data);
    if (file == NULL)
        return RILL_BAD_FILE;
    rill_status status =
        find_start(f, file, (int64_t)count * (int64_t)rl_value_bytes(h->type), raw);
    if (status == RILL_OK && wanted) {
        v->bytes = count * sizeof *v->data;
        v->data = rill_alloc(a, v->bytes);
        if (v->data == NULL)
            status = rill_fail(RILL_NO_MEMORY, "%s: no memory for %zu values", f->data, count);
    }
    if (status == RILL_OK)
        status = read_values(f, file, count, v);
    fclose(file);
    return status;
}

// ---- Public ----------------------------------------------------------------------------

rill_field_header rill_default_field_header(void)
{
    return (rill_field_header){
        .type = RILL_VALUE_FLOAT,
        .spacing = {1.0, 1.0, 1.0},
        .axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
    };
}

rill_distance_field_load_def rill_default_distance_field_load_def(void)
{
    return (rill_distance_field_load_def){.scale = 1.0, .unit = 1.0};
}

static rill_status read_header(const char *path, const rill_field_header *raw, rl_field_file *out)
{
    FILE *file = open_file(path);
    if (file == NULL)
        return RILL_BAD_FILE;
    const bool is_nrrd = rl_nrrd_is(file);
    rill_status status = RILL_OK;
    if (is_nrrd && raw == NULL)
        status = rl_nrrd_read_header(path, file, out);
    else if (is_nrrd)
        status = rill_fail(RILL_BAD_FILE,
                           "%s: is NRRD, which says itself what it holds: nothing "
                           "must be said of raw values",
                           path);
    else if (raw == NULL)
        status = rill_fail(RILL_BAD_FILE,
                           "%s: is no field that Rill knows: NRRD is read, and raw "
                           "values whose size, spacing and type are given",
                           path);
    else
        *out = (rl_field_file){.header = *raw, .path = path};
    fclose(file);
    if (status != RILL_OK || raw == NULL)
        return status;
    if (raw->skip < 0)
        return rill_fail(RILL_BAD_DEF, "%s: skip is negative", path);
    return snprintf(out->data, RL_PATH_BYTES, "%s", path) < RL_PATH_BYTES
               ? RILL_OK
               : rill_fail(RILL_BAD_FILE, "%s: its path is too long", path);
}

rill_status rill_field_file_inspect(const char *path, rill_field_header *header,
                                    rill_field_range *range)
{
    if (path == NULL || header == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "header");
    rl_field_file file;
    values v = {0};
    RILL_TRY(read_header(path, NULL, &file));
    if (range != NULL)
        RILL_TRY(read_data(NULL, &file, false, false, &v));
    else
        RILL_TRY(check_header(&file.header, path));
    *header = file.header;
    if (range != NULL)
        *range = v.range;
    return RILL_OK;
}

static rill_status check_load_def(const rill_distance_field_load_def *def, const char *path)
{
    if (!(def->unit > 0.0 && def->unit <= 1e9))
        return rill_fail(RILL_BAD_DEF, "%s: the unit is %g m, it must be above 0 and at most 1e9",
                         path, def->unit);
    if (!isfinite(def->level) || !isfinite(def->scale) || def->scale == 0.0)
        return rill_fail(RILL_BAD_DEF,
                         "%s: the level is %g and the scale %g: both must be finite, the scale not "
                         "0",
                         path, def->level, def->scale);
    return rill_host_check(def->host);
}

static rill_status make_field(const rl_field_file *f, const rill_distance_field_load_def *def,
                              const values *v, rill_distance_field **out)
{
    const rill_field_header *h = &f->header;
    rill_distance_field_def made = rill_default_distance_field_def();
    made.nx = h->nx, made.ny = h->ny, made.nz = h->nz;
    made.values = v->data;
    made.level = def->level;
    made.scale = def->unit * def->scale;
    made.host = def->host;
    memcpy(made.axes, h->axes, sizeof made.axes);
    for (int a = 0; a < 3; a++) {
        made.spacing[a] = def->unit * h->spacing[a];
        made.origin[a] = def->unit * h->origin[a];
    }
    rill_status status = rill_distance_field_create(&made, out);
    if (status != RILL_OK)
        return rill_fail_prefix(status == RILL_NO_MEMORY ? status : RILL_BAD_FILE, "%s", f->path);
    const rill_distance_field_info info = rill_distance_field_view(*out);
    if (info.lowest < 0.0 && info.highest > 0.0)
        return RILL_OK;
    rill_distance_field_destroy(out);
    return rill_fail(
        RILL_BAD_FILE, "%s: has nothing %s: its values go from %g to %g, the level is %g", f->path,
        info.lowest < 0.0 ? "outside" : "inside", v->range.low, v->range.high, def->level);
}

rill_status rill_distance_field_load(const char *path, const rill_distance_field_load_def *def,
                                     rill_distance_field **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (path == NULL || def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "def");
    RILL_TRY(check_load_def(def, path));
    const rill_allocator *a = rill_allocator_of(def->host);
    rl_field_file file;
    values v;
    RILL_TRY(read_header(path, def->header, &file));
    rill_status status = read_data(a, &file, def->header != NULL, true, &v);
    if (status == RILL_OK)
        status = make_field(&file, def, &v, out);
    rill_free(a, v.data, v.bytes);
    return status;
}
