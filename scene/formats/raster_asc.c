// SPDX-License-Identifier: MIT
// raster_asc.c - ESRI ASCII grids: a header of words and numbers, then one number a cell, row by
// row from the north, all parted by white space of any kind. Read as a stream; needs no library.
#include "scene/formats/raster.h"
#include "scene/scene_assert.h"

#include "scene/builtin.h"
#include "scene/toml/parse_number.h"

#include "rill/files.h"
#include "rill/support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BUFFER_BYTES 65536
#define WORD_BYTES   64

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
    const char *path;
    FILE *file;
    size_t at, filled;
    int64_t line;          // of the character that is read next
    int64_t word_line;     // of `word`
    char word[WORD_BYTES]; // empty at the end of the file
    double header[KEY_COUNT];
    bool given[KEY_COUNT];
    char buffer[BUFFER_BYTES];
} asc_reader;

// ---- Words -----------------------------------------------------------------------------

// The next character, or -1 at the end of the file.
static int peek(asc_reader *reader)
{
    if (reader->at == reader->filled) {
        reader->filled = fread(reader->buffer, 1, BUFFER_BYTES, reader->file);
        reader->at = 0;
        if (reader->filled == 0)
            return -1;
    }
    return (unsigned char)reader->buffer[reader->at];
}

static bool is_space(int character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

// Not those of <ctype.h>, which change with the locale.
static bool is_letter(int character)
{
    return (character | 32) >= 'a' && (character | 32) <= 'z';
}

static int lower(int character)
{
    return is_letter(character) ? character | 32 : character;
}

static rill_status next_word(asc_reader *reader)
{
    int character;
    while (is_space(character = peek(reader))) {
        reader->line += character == '\n';
        reader->at++;
    }
    size_t length = 0;
    reader->word_line = reader->line;
    for (; character >= 0 && !is_space(character); character = peek(reader)) {
        if (length == WORD_BYTES - 1)
            return rill_fail(RILL_BAD_FILE, "%s: line %lld: a word is longer than %d characters",
                             reader->path, (long long)reader->line, WORD_BYTES - 1);
        // Bytes that are no text must not reach a message.
        reader->word[length++] = (char)(character > ' ' && character < 127 ? character : '?');
        reader->at++;
    }
    reader->word[length] = '\0';
    if (length == 0 && ferror(reader->file))
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    return RILL_OK;
}

static rill_status read_number(asc_reader *reader, const char *what, double *value)
{
    if (reader->word[0] == '\0')
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: ends before the number of %s", reader->path,
                         (long long)reader->word_line, what);
    if (!rl_parse_number(reader->word, value))
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' is not a number", reader->path,
                         (long long)reader->word_line, reader->word);
    return RILL_OK;
}

// ---- Header ----------------------------------------------------------------------------

static key find_key(const char *word, size_t length)
{
    for (int k = 0; k < KEY_COUNT; k++) {
        size_t n = 0;
        while (n < length && key_names[k][n] != '\0' &&
               lower((unsigned char)word[n]) == key_names[k][n])
            n++;
        if (n == length && key_names[k][n] == '\0')
            return (key)k;
    }
    return KEY_COUNT;
}

bool rl_raster_is_asc(const char *text, size_t bytes)
{
    RL_ASSERT(text != NULL || bytes == 0);
    size_t start = bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (start < bytes && is_space(text[start]))
        start++;
    size_t end = start;
    while (end < bytes && !is_space(text[end]))
        end++;
    return find_key(text + start, end - start) != KEY_COUNT;
}

// Reads words and their numbers up to the first word that is itself a number, and leaves that one
// in `word`.
static rill_status read_values_of(asc_reader *reader)
{
    rill_status status = next_word(reader);
    while (status == RILL_OK && is_letter((unsigned char)reader->word[0])) {
        const key found = find_key(reader->word, strlen(reader->word));
        double unused;
        if (found == KEY_COUNT && rl_parse_number(reader->word, &unused))
            break; // "nan", the first value
        if (found == KEY_COUNT)
            return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' is not a word of an ASCII grid",
                             reader->path, (long long)reader->word_line, reader->word);
        if (reader->given[found])
            return rill_fail(RILL_BAD_FILE, "%s: line %lld: %s is given twice", reader->path,
                             (long long)reader->word_line, key_names[found]);
        reader->given[found] = true;
        status = next_word(reader);
        if (status == RILL_OK)
            status = read_number(reader, key_names[found], &reader->header[found]);
        if (status == RILL_OK)
            status = next_word(reader);
    }
    return status;
}

static rill_status read_header(asc_reader *reader)
{
    // ESRI's own default for a file that names none.
    reader->header[NODATA_VALUE] = -9999.0;
    const rill_status status = read_values_of(reader);
    if (status != RILL_OK)
        return status;
    static const key needed[] = {NCOLS, NROWS, CELLSIZE};
    for (int n = 0; n < 3; n++) {
        const double value = reader->header[needed[n]];
        if (!reader->given[needed[n]])
            return rill_fail(RILL_BAD_FILE, "%s: the header lacks %s", reader->path,
                             key_names[needed[n]]);
        if (!(value > 0.0) || !isfinite(value))
            return rill_fail(RILL_BAD_FILE, "%s: %s is %g, it must be positive", reader->path,
                             key_names[needed[n]], value);
        if (needed[n] != CELLSIZE && (value != floor(value) || value > 1e9))
            return rill_fail(RILL_BAD_FILE, "%s: %s is %g, it must be a whole number up to %d",
                             reader->path, key_names[needed[n]], value, RILL_MAX_SIDE);
    }
    for (key k = XLLCORNER; k <= YLLCORNER; k = (key)(k + 2)) {
        if (reader->given[k] == reader->given[k + 1])
            return rill_fail(RILL_BAD_FILE, "%s: the header must have either %s or %s",
                             reader->path, key_names[k], key_names[k + 1]);
        if (!isfinite(reader->header[reader->given[k] ? k : k + 1]))
            return rill_fail(RILL_BAD_FILE, "%s: %s is not a finite number", reader->path,
                             key_names[reader->given[k] ? k : k + 1]);
    }
    return RILL_OK;
}

// A value takes two bytes at least; refuses a file that is too short before taking memory for it.
static rill_status check_length(asc_reader *reader)
{
    const double cells = reader->header[NCOLS] * reader->header[NROWS];
    const off_t here = ftello(reader->file);
    if (here < 0 || fseeko(reader->file, 0, SEEK_END) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    const off_t length = ftello(reader->file);
    if (length < 0 || fseeko(reader->file, here, SEEK_SET) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    if ((double)length < 2.0 * cells - 1.0)
        return rill_fail(
            RILL_BAD_FILE, "%s: is cut short, %lld bytes cannot hold %.0f x %.0f values",
            reader->path, (long long)length, reader->header[NCOLS], reader->header[NROWS]);
    return RILL_OK;
}

// ---- Values ----------------------------------------------------------------------------

static rill_status read_values(asc_reader *reader, const rill_heightfield_load_def *def,
                               rill_heightfield *heightfield)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    const int nx = view.nx, ny = view.ny;
    const double no_data = reader->header[NODATA_VALUE];
    rill_status status = RILL_OK;
    for (int row = 0; row < ny; row++)
        for (int column = 0; column < nx; column++) {
            double value;
            if (reader->word[0] == '\0')
                return rill_fail(RILL_BAD_FILE, "%s: line %lld: ends after %lld of %lld values",
                                 reader->path, (long long)reader->word_line,
                                 (long long)row * nx + column, (long long)nx * ny);
            status = read_number(reader, "a cell", &value);
            if (status == RILL_OK)
                status = rl_raster_put(reader->path, def, heightfield, column, row,
                                       value == no_data ? (double)NAN : value);
            if (status == RILL_OK)
                status = next_word(reader);
            if (status != RILL_OK)
                return status;
        }
    if (reader->word[0] != '\0')
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: more than %d x %d values", reader->path,
                         (long long)reader->word_line, nx, ny);
    return RILL_OK;
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

rill_status rl_raster_load_asc(const char *path, const rill_heightfield_load_def *def,
                               rill_heightfield **out)
{
    const rill_allocator *allocator = rill_allocator_of(def->host);
    rill_status status = RILL_OK;
    *out = NULL;
    FILE *file = rl_builtin_open(path);
    asc_reader *reader = rill_alloc(allocator, sizeof *reader);
    if (file == NULL) {
        status = rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
        goto done;
    }
    if (reader == NULL) {
        status = rill_fail(RILL_NO_MEMORY, "%s: no memory to read it", path);
        goto done;
    }
    reader->path = path;
    reader->file = file;
    reader->line = 1;
    if (peek(reader) == 0xef && reader->filled >= 3 &&
        memcmp(reader->buffer, "\xef\xbb\xbf", 3) == 0)
        reader->at = 3;

    status = read_header(reader);
    if (status == RILL_OK)
        status = check_length(reader);
    if (status == RILL_OK)
        status = rl_raster_create(
            path, (int64_t)reader->header[NCOLS], (int64_t)reader->header[NROWS],
            def->cell_size > 0.0 ? def->cell_size : reader->header[CELLSIZE], def, out);
    if (status == RILL_OK)
        status = read_values(reader, def, *out);
    if (status == RILL_OK)
        status = place(reader, *out);

done:
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    if (file != NULL)
        fclose(file);
    rill_free(allocator, reader, sizeof *reader);
    return status;
}
