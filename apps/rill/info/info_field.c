// SPDX-License-Identifier: MIT
// info_field.c - describes a field of values on a 3D grid: NRRD.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/json_write.h"
#include "apps/rill/message.h"

#include "rill/files.h"

#include <string.h>

bool info_is_field(FILE *file)
{
    char magic[4] = {0};
    rewind(file);
    const bool same =
        fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "NRRD", 4) == 0;
    rewind(file);
    return same;
}

static void json_triple(json_writer *w, const char *key, const double values[3])
{
    json_open(w, key, '[');
    for (int k = 0; k < 3; k++)
        json_number(w, NULL, values[k]);
    json_close(w, ']');
}

static void print_json(const char *path, const rill_field_header *h, const rill_field_range *r)
{
    json_writer w = {.out = stdout};
    json_open(&w, NULL, '{');
    json_text(&w, "kind", "field");
    json_text(&w, "path", path);
    json_integer(&w, "nx", h->nx);
    json_integer(&w, "ny", h->ny);
    json_integer(&w, "nz", h->nz);
    json_text(&w, "type", rill_value_type_name(h->type));
    json_triple(&w, "spacing", h->spacing);
    json_triple(&w, "origin", h->origin);
    json_open(&w, "axes", '[');
    for (int a = 0; a < 3; a++)
        json_triple(&w, NULL, h->axes[a]);
    json_close(&w, ']');
    json_text(&w, "space", h->space[0] != '\0' ? h->space : NULL);
    json_text(&w, "unit", h->unit[0] != '\0' ? h->unit : NULL);
    json_number(&w, "min", r->low);
    json_number(&w, "max", r->high);
    json_number(&w, "mean", r->mean);
    json_integer(&w, "not_finite", r->not_finite);
    json_close(&w, '}');
    putchar('\n');
}

static void print_plain(const char *path, const rill_field_header *h, const rill_field_range *r)
{
    const char *unit = h->unit[0] != '\0' ? h->unit : "units of the file";
    const double *s = h->spacing, *o = h->origin;
    printf("%-12s ", "field");
    print_clean(stdout, path);
    printf("\n%-12s %d x %d x %d nodes of %s\n", "size", h->nx, h->ny, h->nz,
           rill_value_type_name(h->type));
    printf("%-12s %.9g x %.9g x %.9g %s\n", "spacing", s[0], s[1], s[2], unit);
    printf("%-12s %.9g x %.9g x %.9g %s\n", "box", (h->nx - 1) * s[0], (h->ny - 1) * s[1],
           (h->nz - 1) * s[2], unit);
    printf("%-12s %.9g %.9g %.9g\n", "origin", o[0], o[1], o[2]);
    printf("%-12s", "axes");
    for (int a = 0; a < 3; a++)
        printf(" (%.6g, %.6g, %.6g)", h->axes[a][0], h->axes[a][1], h->axes[a][2]);
    printf("\n%-12s %s\n", "space", h->space[0] != '\0' ? h->space : "unknown");
    printf("%-12s %.9g to %.9g, mean %.9g\n", "values", r->low, r->high, r->mean);
    if (r->not_finite > 0)
        printf("%-12s no: %lld values are not finite\n", "as a solid", (long long)r->not_finite);
}

int info_field(const char *path, bool json)
{
    rill_field_header header;
    rill_field_range range;
    const rill_status status = rill_field_file_inspect(path, &header, &range);
    if (status != RILL_OK)
        return error_status(status);
    if (json)
        print_json(path, &header, &range);
    else
        print_plain(path, &header, &range);
    return STATUS_DONE;
}
