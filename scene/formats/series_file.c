// SPDX-License-Identifier: MIT
#include "scene/formats/series_file.h"

#include "scene/formats/scan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct reader {
    rl_scan scan;
    unsigned char buffer[RL_SCAN_BUFFER];
    const char *const *names;
    const rill_allocator *allocator;
    rl_series_file *out;
} reader;

double rl_series_file_at(const rl_series_file *series, size_t row, int name, double otherwise)
{
    RL_ASSERT(row < series->rows && name >= 0 && name < RL_SERIES_COLUMNS);
    const int column = series->column[name];
    return column < 0 ? otherwise : series->values[row * (size_t)series->columns + (size_t)column];
}

void rl_series_file_free(const rill_allocator *allocator, rl_series_file *series)
{
    rill_free(allocator, series->values,
              series->capacity * (size_t)series->columns * sizeof *series->values);
    *series = (rl_series_file){0};
}

// ---- Names -----------------------------------------------------------------------------

static bool refuse_name(reader *r)
{
    char known[256] = "";
    size_t used = 0;
    for (int n = 0; r->names[n] != NULL && used < sizeof known; n++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", n > 0 ? ", " : "",
                                 r->names[n]);
    return rl_scan_fail_line(&r->scan, "'%s' is not a column that is read here; they are: %s",
                             r->scan.word, known);
}

static bool take_name(reader *r)
{
    rl_series_file *out = r->out;
    for (int n = 0; r->names[n] != NULL; n++) {
        if (!rl_word_is(r->scan.word, strlen(r->scan.word), r->names[n]))
            continue;
        if (out->column[n] >= 0)
            return rl_scan_fail_line(&r->scan, "column '%s' is there twice", r->names[n]);
        out->column[n] = out->columns++;
        return true;
    }
    return refuse_name(r);
}

// Reads the first word of the next line that has numbers.
static bool next_line(reader *r)
{
    rl_scan *scan = &r->scan;
    if (!rl_scan_next(scan))
        return false;
    while (scan->word[0] == '#') {
        for (int c; (c = rl_scan_peek(scan)) >= 0 && c != '\n';)
            scan->at++;
        if (!rl_scan_next(scan))
            return false;
    }
    return true;
}

// Reads the names of the first line, if its first word is none of a number; leaves the first word
// of the first row in `word`.
static bool read_names(reader *r)
{
    rl_scan *scan = &r->scan;
    double unused;
    if (scan->word[0] == '\0' || rl_parse_number(scan->word, &unused))
        return true;
    while (scan->status == RILL_OK && scan->word[0] != '\0')
        if (!take_name(r) || !rl_scan_of_line(scan))
            return false;
    if (r->out->column[0] < 0)
        return rl_scan_fail_line(scan, "has no column '%s'", r->names[0]);
    return next_line(r);
}

// ---- Rows ------------------------------------------------------------------------------

static bool make_place(reader *r)
{
    rl_series_file *out = r->out;
    if (out->rows < out->capacity)
        return true;
    if (out->rows >= RL_SERIES_ROWS)
        return rl_scan_fail(&r->scan, "has more than %d lines", RL_SERIES_ROWS);
    const size_t grown = out->capacity == 0 ? 256 : 2 * out->capacity;
    const size_t row = (size_t)out->columns * sizeof *out->values;
    double *values = rill_realloc(r->allocator, out->values, out->capacity * row, grown * row);
    if (values == NULL) {
        r->scan.status = rill_fail(RILL_NO_MEMORY, "%s: no memory to read it", r->scan.name);
        return false;
    }
    out->values = values;
    out->capacity = grown;
    return true;
}

static bool check_row(reader *r, const double *row)
{
    rl_series_file *out = r->out;
    const double time = row[out->column[0]];
    if (out->rows == 0)
        return true;
    const double before = rl_series_file_at(out, out->rows - 1, 0, 0.0);
    return time > before || rl_scan_fail_line(&r->scan, "%s must rise, but %g follows %g",
                                              r->names[0], time, before);
}

// Reads the numbers of a line whose first word has been read, at most `most`.
static bool read_numbers(reader *r, double *row, int most, int *count)
{
    rl_scan *scan = &r->scan;
    for (*count = 0; scan->word[0] != '\0'; ++*count) {
        if (*count == most)
            return rl_scan_fail_line(scan, "has more than %d numbers", most);
        if (!rl_scan_number(scan, NULL, &row[*count]))
            return false;
        if (!isfinite(row[*count]))
            return rl_scan_fail_line(scan, "'%s' is not a finite number", scan->word);
        if (!rl_scan_of_line(scan))
            return false;
    }
    return true;
}

// A file without names has as many columns as its first line has numbers.
static void name_columns(rl_series_file *out, int count)
{
    for (int n = 0; n < count; n++)
        out->column[n] = n;
    out->columns = count;
}

// Reads a row whose first word has been read, and the first word after it.
static bool read_row(reader *r)
{
    rl_series_file *out = r->out;
    double row[RL_SERIES_COLUMNS];
    int most = out->columns, count = 0;
    while (out->columns == 0 && r->names[most] != NULL)
        most++;
    if (!read_numbers(r, row, most, &count))
        return false;
    if (count < 2 || count < out->columns)
        return rl_scan_fail_line(&r->scan, "has %d of %d numbers", count,
                                 out->columns > 0 ? out->columns : 2);
    if (out->columns == 0)
        name_columns(out, count);
    if (!make_place(r) || !check_row(r, row))
        return false;
    memcpy(out->values + out->rows * (size_t)out->columns, row, (size_t)count * sizeof *row);
    out->rows++;
    return next_line(r);
}

static bool read_all(reader *r)
{
    rl_scan *scan = &r->scan;
    rl_scan_skip_mark(scan);
    if (!next_line(r) || !read_names(r))
        return false;
    while (scan->status == RILL_OK && scan->word[0] != '\0')
        if (!read_row(r))
            return false;
    if (scan->status == RILL_OK && r->out->rows == 0)
        return rl_scan_fail(scan, "holds no numbers");
    return scan->status == RILL_OK;
}

rill_status rl_series_file_read(const char *path, const char *const *names,
                                const rill_allocator *allocator, rl_series_file *out)
{
    *out = (rl_series_file){0};
    for (int n = 0; n < RL_SERIES_COLUMNS; n++)
        out->column[n] = -1;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    rill_status status = RILL_NO_MEMORY;
    reader *r = rill_alloc(allocator, sizeof *r);
    if (r == NULL) {
        rill_fail(status, "%s: no memory to read it", path);
    } else {
        *r = (reader){.names = names, .allocator = allocator, .out = out};
        r->scan = (rl_scan){
            .name = path, .file = file, .buffer = r->buffer, .line = 1, .separated = true};
        read_all(r);
        status = r->scan.status;
    }
    if (status != RILL_OK)
        rl_series_file_free(allocator, out);
    fclose(file);
    rill_free(allocator, r, sizeof *r);
    return status;
}
