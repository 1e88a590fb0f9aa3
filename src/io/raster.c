// SPDX-License-Identifier: MIT
#include "io/raster.h"

#include "core/status.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PROBE_BYTES 256

static bool is_png(const char *head, size_t bytes)
{
    static const char signature[8] = "\x89PNG\r\n\x1a\n";
    return bytes >= sizeof signature && memcmp(head, signature, sizeof signature) == 0;
}

// Names that are no files but that GDAL understands: archives and parts of files, such as
// /vsizip/dem.zip/dem.tif or NETCDF:dem.nc:z.
static bool may_be_gdal_name(const char *path)
{
    return strncmp(path, "/vsi", 4) == 0 || strchr(path, ':') != NULL;
}

rill_status rl_raster_load(const char *path, const rill_heightfield_load_def *def,
                           rill_heightfield **out)
{
    *out = NULL;
    char head[PROBE_BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        if (may_be_gdal_name(path))
            return rl_raster_load_gdal(path, def, out);
        return rl_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    }
    const size_t bytes = fread(head, 1, sizeof head, file);
    const bool readable = ferror(file) == 0; // a folder is not, but may be a raster of GDAL's
    fclose(file);

    if (readable && bytes == 0)
        return rl_fail(RILL_BAD_FILE, "%s: is empty", path);
    if (is_png(head, bytes))
        return rl_raster_load_png(path, def, out);
    if (rl_raster_is_asc(head, bytes))
        return rl_raster_load_asc(path, def, out);
    return rl_raster_load_gdal(path, def, out);
}

rill_status rl_raster_create(const char *path, int64_t nx, int64_t ny, double cell_size,
                             const rill_heightfield_load_def *def, rill_heightfield **out)
{
    rill_status status = rl_grid_check_size(nx, ny, def->max_cells);
    if (status == RILL_OK)
        status = rl_heightfield_create((int)nx, (int)ny, cell_size, def->host, out);
    if (status == RILL_OK)
        return RILL_OK;
    return rl_fail_prefix(status == RILL_BAD_DEF ? RILL_BAD_FILE : status, "%s", path);
}

rill_status rl_raster_put(const char *path, const rill_heightfield_load_def *def,
                          rill_heightfield *heightfield, int column, int row, double value)
{
    const rl_field *field = &heightfield->elevation;
    const float elevation = (float)(def->offset + def->scale * value);
    if (isinf(elevation) || (isnan(elevation) && !isnan(value)))
        return rl_fail(RILL_BAD_FILE, "%s: the value %g in row %d, column %d is out of range", path,
                       value, row + 1, column + 1);
    rl_field_row(field, field->ny - 1 - row)[column] = elevation;
    return RILL_OK;
}

// ---- Numbers ---------------------------------------------------------------------------

// mantissa * 10^exponent, exactly rounded where both fit a double exactly (nearly always), else
// within a few units of the last place; the same on every machine either way.
static double scale_by_ten(double mantissa, int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (exponent > 0 && mantissa != 0.0 && !isinf(mantissa)) {
        const int step = exponent < 22 ? exponent : 22;
        mantissa *= powers[step];
        exponent -= step;
    }
    while (exponent < 0 && mantissa != 0.0) {
        const int step = exponent > -22 ? -exponent : 22;
        mantissa /= powers[step];
        exponent += step;
    }
    return mantissa;
}

// Reads digits, of which the first 18 count; the others only move the point.
static const char *parse_digits(const char *text, uint64_t *mantissa, int *dropped, int *digits)
{
    for (; *text >= '0' && *text <= '9'; text++, (*digits)++) {
        if (*mantissa < 100000000000000000u)
            *mantissa = *mantissa * 10 + (uint64_t)(*text - '0');
        else
            (*dropped)++;
    }
    return text;
}

static bool is_nan_word(const char *text)
{
    return (text[0] | 32) == 'n' && (text[1] | 32) == 'a' && (text[2] | 32) == 'n' &&
           text[3] == '\0';
}

static const char *parse_exponent(const char *text, int *exponent)
{
    const bool negative = *text == '-';
    if (*text == '+' || *text == '-')
        text++;
    if (*text < '0' || *text > '9')
        return NULL;
    int value = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value < 1000 ? value * 10 + (*text - '0') : value;
    *exponent += negative ? -value : value;
    return text;
}

bool rl_raster_parse_number(const char *text, double *value)
{
    uint64_t mantissa = 0;
    int exponent = 0, digits = 0, dropped = 0;
    const bool negative = *text == '-';
    if (*text == '+' || *text == '-')
        text++;
    if (is_nan_word(text)) {
        *value = NAN;
        return true;
    }
    text = parse_digits(text, &mantissa, &dropped, &digits);
    exponent += dropped;
    if (*text == '.') {
        int fraction = 0;
        dropped = 0;
        text = parse_digits(text + 1, &mantissa, &dropped, &fraction);
        exponent -= fraction - dropped;
        digits += fraction;
    }
    if (digits == 0)
        return false;
    if (*text == 'e' || *text == 'E')
        text = parse_exponent(text + 1, &exponent);
    if (text == NULL || *text != '\0')
        return false;
    const double size = scale_by_ten((double)mantissa, exponent);
    *value = negative ? -size : size;
    return true;
}
