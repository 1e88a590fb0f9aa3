// SPDX-License-Identifier: MIT
// raster_asc.c - ESRI ASCII grids: a header of words and numbers, then one number a cell, row by
// row from the north, all parted by white space of any kind. Read as a stream; needs no library.
#include "scene/formats/raster.h"
#include "scene/formats/scan.h"

#include "scene/builtin.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef enum key {
    NCOLS,
    NROWS,
    XLLCORNER,
    XLLCENTER,
    YLLCORNER,
    YLLCENTER,
    CELLSIZE,
    NODATA_VALUE,
    KEY_COUNT
} key;

static const char *const key_names[KEY_COUNT] = {"ncols",     "nrows",       "xllcorner",
                                                 "xllcenter", "yllcorner",   "yllcenter",
                                                 "cellsize",  "nodata_value"};

typedef struct asc_reader {
    rl_scan scan;
    double header[KEY_COUNT];
    bool given[KEY_COUNT];
    unsigned char buffer[RL_SCAN_BUFFER];
} asc_reader;

// ---- Header ----------------------------------------------------------------------------

static key find_key(const char *word)
{
    for (int k = 0; k < KEY_COUNT; k++)
        if (rl_word_is(word, strlen(word), key_names[k]))
            return (key)k;
    return KEY_COUNT;
}

bool rl_raster_is_asc(const char *text, size_t bytes)
{
    RL_ASSERT(text != NULL || bytes == 0);
    rl_scan scan = {.name = "", .bytes = (const unsigned char *)text, .size = bytes, .line = 1};
    rl_scan_skip_mark(&scan);
    return rl_scan_next(&scan) && find_key(scan.word) != KEY_COUNT;
}

// Reads words and their numbers up to the first word that is itself a number, and leaves that one
// in `word`.
static bool read_pairs(asc_reader *reader)
{
    rl_scan *scan = &reader->scan;
    while (rl_scan_next(scan) && (scan->word[0] | 32) >= 'a' && (scan->word[0] | 32) <= 'z') {
        const key found = find_key(scan->word);
        double unused;
        if (found == KEY_COUNT && rl_parse_number(scan->word, &unused))
            break; // "nan", the first value
        if (found == KEY_COUNT)
            return rl_scan_fail_line(scan, "'%s' is not a word of an ASCII grid", scan->word);
        if (reader->given[found])
            return rl_scan_fail_line(scan, "%s is given twice", key_names[found]);
        reader->given[found] = true;
        if (!rl_scan_next(scan))
            return false;
        if (scan->word[0] == '\0')
            return rl_scan_fail_line(scan, "ends before the number of %s", key_names[found]);
        if (!rl_scan_number(scan, NULL, &reader->header[found]))
            return false;
    }
    return scan->status == RILL_OK;
}

static bool read_header(asc_reader *reader)
{
    static const key needed[] = {NCOLS, NROWS, CELLSIZE};
    rl_scan *scan = &reader->scan;
    // ESRI's own default for a file that names none.
    reader->header[NODATA_VALUE] = -9999.0;
    if (!read_pairs(reader))
        return false;
    for (int n = 0; n < 3; n++) {
        const double value = reader->header[needed[n]];
        const char *name = key_names[needed[n]];
        if (!reader->given[needed[n]])
            return rl_scan_fail(scan, "the header lacks %s", name);
        if (!(value > 0.0) || !isfinite(value))
            return rl_scan_fail(scan, "%s is %g, it must be positive", name, value);
        if (needed[n] != CELLSIZE && (value != floor(value) || value > 1e9))
            return rl_scan_fail(scan, "%s is %g, it must be a whole number up to %d", name, value,
                                RILL_MAX_SIDE);
    }
    for (key k = XLLCORNER; k <= YLLCORNER; k = (key)(k + 2)) {
        if (reader->given[k] == reader->given[k + 1])
            return rl_scan_fail(scan, "the header must have either %s or %s", key_names[k],
                                key_names[k + 1]);
        if (!isfinite(reader->header[reader->given[k] ? k : k + 1]))
            return rl_scan_fail(scan, "%s is not a finite number",
                                key_names[reader->given[k] ? k : k + 1]);
    }
    return true;
}

// A value takes two bytes at least; refuses a file that is too short before taking memory for it.
static bool check_length(asc_reader *reader)
{
    const double nx = reader->header[NCOLS], ny = reader->header[NROWS];
    int64_t length = 0;
    if (!rl_file_length(reader->scan.file, &length))
        return rl_scan_fail(&reader->scan, "cannot be read: %s", strerror(errno));
    if ((double)length < 2.0 * nx * ny - 1.0)
        return rl_scan_fail(&reader->scan,
                            "is cut short, %lld bytes cannot hold %.0f x %.0f values",
                            (long long)length, nx, ny);
    return true;
}

// ---- Values ----------------------------------------------------------------------------

static rill_status read_values(asc_reader *reader, const rill_heightfield_load_def *def,
                               rill_heightfield *heightfield)
{
    rl_scan *scan = &reader->scan;
    const rill_field_view view = rill_heightfield_view(heightfield);
    const int nx = view.nx, ny = view.ny;
    const double no_data = reader->header[NODATA_VALUE];
    for (int row = 0; row < ny; row++)
        for (int column = 0; column < nx; column++) {
            double value = 0.0;
            if (scan->word[0] == '\0')
                rl_scan_fail_line(scan, "ends after %lld of %lld values",
                                  (long long)row * nx + column, (long long)nx * ny);
            if (!rl_scan_number(scan, NULL, &value))
                return scan->status;
            RILL_TRY(rl_raster_put(scan->name, def, heightfield, column, row,
                                   value == no_data ? (double)NAN : value));
            rl_scan_next(scan);
        }
    if (scan->word[0] != '\0')
        rl_scan_fail_line(scan, "more than %d x %d values", nx, ny);
    return scan->status;
}

static rill_status place(const asc_reader *reader, rill_heightfield *heightfield)
{
    const double size = reader->header[CELLSIZE];
    const double west = reader->given[XLLCORNER] ? reader->header[XLLCORNER]
                                                 : reader->header[XLLCENTER] - 0.5 * size;
    const double south = reader->given[YLLCORNER] ? reader->header[YLLCORNER]
                                                  : reader->header[YLLCENTER] - 0.5 * size;
    const double north = south + size * rill_heightfield_view(heightfield).ny;
    const double transform[6] = {west, size, 0.0, north, 0.0, -size};
    return rill_heightfield_set_georeference(heightfield, transform, NULL);
}

static rill_status load(asc_reader *reader, const rill_heightfield_load_def *def,
                        rill_heightfield **out)
{
    rl_scan *scan = &reader->scan;
    const double *header = reader->header;
    rl_scan_skip_mark(scan);
    if (!read_header(reader) || !check_length(reader))
        return scan->status;
    RILL_TRY(rl_raster_create(scan->name, (int64_t)header[NCOLS], (int64_t)header[NROWS],
                              def->cell_size > 0.0 ? def->cell_size : header[CELLSIZE], def, out));
    RILL_TRY(read_values(reader, def, *out));
    return place(reader, *out);
}

rill_status rl_raster_load_asc(const char *path, const rill_heightfield_load_def *def,
                               rill_heightfield **out)
{
    const rill_allocator *allocator = rill_allocator_of(def->host);
    rill_status status = RILL_NO_MEMORY;
    *out = NULL;
    FILE *file = rl_builtin_open(path);
    if (file == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    asc_reader *reader = rill_alloc(allocator, sizeof *reader);
    if (reader == NULL) {
        rill_fail(status, "%s: no memory to read it", path);
    } else {
        reader->scan = (rl_scan){.name = path, .file = file, .buffer = reader->buffer, .line = 1};
        status = load(reader, def, out);
    }
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    fclose(file);
    rill_free(allocator, reader, sizeof *reader);
    return status;
}
