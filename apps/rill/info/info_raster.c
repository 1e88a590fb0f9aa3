// SPDX-License-Identifier: MIT
// info_raster.c - describes a raster of elevations.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/json_write.h"
#include "apps/rill/message.h"

#include "rill/files.h"
#include "rill/terrain.h"

#include <string.h>

#define PROJECTION_COLUMNS 72 // of its first line that are shown

typedef struct raster_facts {
    const char *path;
    rill_field_view view;
    double cell_size; // m
    double low, high, mean;
    int64_t filled; // cells that had no data
    rill_georeference georeference;
} raster_facts;

static raster_facts gather(const char *path, const rill_heightfield *field)
{
    raster_facts f = {
        .path = path,
        .view = rill_heightfield_view(field),
        .cell_size = rill_heightfield_cell_size(field),
        .filled = rill_heightfield_filled(field),
        .georeference = rill_heightfield_georeference(field),
    };
    double sum = 0.0;
    f.low = f.high = (double)f.view.data[0];
    for (int j = 0; j < f.view.ny; j++)
        for (int i = 0; i < f.view.nx; i++) {
            const double z = (double)f.view.data[(size_t)j * f.view.pitch + (size_t)i];
            f.low = z < f.low ? z : f.low;
            f.high = z > f.high ? z : f.high;
            sum += z;
        }
    f.mean = sum / ((double)f.view.nx * (double)f.view.ny);
    return f;
}

static void print_json(const raster_facts *f)
{
    json_writer w = {.out = stdout};
    json_open(&w, NULL, '{');
    json_text(&w, "kind", "raster");
    json_text(&w, "path", f->path);
    json_integer(&w, "nx", f->view.nx);
    json_integer(&w, "ny", f->view.ny);
    json_number(&w, "cell_size", f->cell_size);
    json_number(&w, "min", f->low);
    json_number(&w, "max", f->high);
    json_number(&w, "mean", f->mean);
    json_integer(&w, "no_data", f->filled);
    if (f->georeference.known) {
        json_open(&w, "georeference", '{');
        json_open(&w, "transform", '[');
        for (int k = 0; k < 6; k++)
            json_number(&w, NULL, f->georeference.transform[k]);
        json_close(&w, ']');
        json_text(&w, "projection", f->georeference.projection);
        json_close(&w, '}');
    } else {
        json_text(&w, "georeference", NULL);
    }
    json_close(&w, '}');
    putchar('\n');
}

// Well-known text is one line of a thousand characters or many short ones; its beginning names it.
static void print_projection(const char *text)
{
    char line[PROJECTION_COLUMNS + 1];
    const size_t length = strcspn(text, "\r\n");
    const size_t shown = length < PROJECTION_COLUMNS ? length : PROJECTION_COLUMNS;
    memcpy(line, text, shown);
    line[shown] = '\0';
    printf("%-12s ", "projection");
    print_clean(stdout, line);
    puts(text[shown] != '\0' ? " ..." : "");
}

static void print_plain(const raster_facts *f)
{
    printf("%-12s ", "raster");
    print_clean(stdout, f->path);
    printf("\n%-12s %d x %d cells of %g m, %g x %g m\n", "size", f->view.nx, f->view.ny,
           f->cell_size, f->view.nx * f->cell_size, f->view.ny * f->cell_size);
    printf("%-12s %.10g to %.10g m, mean %.10g m\n", "elevation", f->low, f->high, f->mean);
    printf("%-12s %lld cells\n", "no data", (long long)f->filled);
    if (!f->georeference.known) {
        printf("%-12s unknown\n", "transform");
        return;
    }
    printf("%-12s", "transform");
    for (int k = 0; k < 6; k++)
        printf(" %.12g", f->georeference.transform[k]);
    putchar('\n');
    if (f->georeference.projection != NULL && f->georeference.projection[0] != '\0')
        print_projection(f->georeference.projection);
}

int info_raster(const char *path, bool json)
{
    rill_heightfield *field = NULL;
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    def.no_data = RILL_NO_DATA_FILL;
    const rill_status status = rill_heightfield_load(path, &def, &field);
    if (status != RILL_OK)
        return error_status(status);
    const raster_facts facts = gather(path, field);
    if (json)
        print_json(&facts);
    else
        print_plain(&facts);
    rill_heightfield_destroy(&field);
    return STATUS_DONE;
}
