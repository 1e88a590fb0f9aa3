// SPDX-License-Identifier: MIT
// validation_report.c - writes the report of a validation as HTML.
#include "validation/validation_report.h"

#include "validation/plot.h"

#include "rill/base.h"

#include <math.h>
#include <stdlib.h>

#define MAX_SERIES (VALIDATION_MAX_CURVES * VALIDATION_MAX_GRIDS)

static const char *const style =
    "body{font:15px/1.5 Helvetica,Arial,sans-serif;color:#222;max-width:1320px;margin:2em auto;"
    "padding:0 1.2em}\n"
    "h1{font-size:1.7em;margin-bottom:.2em}h2{font-size:1.2em;margin:0 0 .2em}\n"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15em .7em;text-align:right;border-bottom:1px solid #e4e4e4}\n"
    "th{border-bottom:1.5px solid #444}th.t,td.t{text-align:left}\n"
    "td.pass{color:#00694a}td.fail{color:#fff;background:#b3261e;font-weight:bold}\n"
    "tr.first td{border-top:1.5px solid #bbb}\n"
    "section{margin-top:2.4em;break-inside:avoid}\n"
    ".plots{display:flex;flex-wrap:wrap;gap:1.2em}.plots>svg{flex:1 1 440px;max-width:640px}\n"
    "p{max-width:60em;margin:.2em 0 .8em}\n"
    "@media print{body{font-size:11px;margin:0;max-width:none}.plots>svg{flex-basis:300px}}\n";

// ---- Tables ----------------------------------------------------------------------------

static void write_number(FILE *f, double value)
{
    if (isnan(value))
        fprintf(f, "<td>&ndash;</td>");
    else
        fprintf(f, "<td>%.3g</td>", value);
}

static void write_row(FILE *f, const validation_record *record, int grid, int row, bool first)
{
    const validation_run_record *run = &record->runs[grid];
    const validation_result *result = &run->result;
    const bool passes = validation_passes(run, row);
    fprintf(f, "<tr%s><td class=\"t\">%s</td><td class=\"t\">%s</td><td>%d</td>",
            first ? " class=\"first\"" : "", record->c->rows[row].name,
            record->c->rows[row].measure, run->n);
    if (run->status != RILL_OK) {
        fprintf(f, "<td class=\"t\" colspan=\"6\">");
        validation_write_escaped(f, run->message);
        fprintf(f, "</td>");
    } else {
        const double order = validation_order(record, grid);
        write_number(f, result->error_l1);
        write_number(f, result->error_linf);
        if (isnan(order))
            fprintf(f, "<td>&ndash;</td>");
        else
            fprintf(f, "<td>%.2f</td>", order);
        write_number(f, result->figures[row].error);
        write_number(f, result->figures[row].bound);
        write_number(f, result->mass_error);
    }
    fprintf(f, "<td class=\"%s\">%s</td></tr>\n", passes ? "pass" : "fail",
            passes ? "pass" : "FAIL");
}

// Rows of one figure stand together, coarse to fine.
static void write_summary(FILE *f, const validation_record *records, int count)
{
    fprintf(f, "<table>\n<tr><th class=\"t\">row</th><th class=\"t\">what is judged</th>"
               "<th>n</th><th>L1</th><th>L&infin;</th><th>order</th><th>error</th><th>bound</th>"
               "<th>mass</th><th></th></tr>\n");
    for (int n = 0; n < count; n++)
        for (int row = 0; row < records[n].c->row_count; row++)
            for (int grid = 0; records[n].wanted[row] && grid < records[n].c->grid_count; grid++)
                write_row(f, &records[n], grid, row, grid == 0);
    fprintf(f, "</table>\n");
}

static void count_rows(const validation_record *records, int count, int *passed, int *failed)
{
    *passed = *failed = 0;
    for (int n = 0; n < count; n++)
        for (int row = 0; row < records[n].c->row_count; row++)
            for (int grid = 0; records[n].wanted[row] && grid < records[n].c->grid_count; grid++)
                ++*(validation_passes(&records[n].runs[grid], row) ? passed : failed);
}

// ---- Plots -----------------------------------------------------------------------------

// Exact curves and ground of the finest run, computed points of all runs; where there is ground,
// which differs from grid to grid, of the finest alone.
static void write_profile(FILE *f, const validation_record *record)
{
    const int finest = record->c->grid_count - 1;
    const validation_plot *last = &record->runs[finest].result.plot;
    validation_series series[MAX_SERIES];
    int count = 0, lines = 0;
    bool ground = false;
    for (int n = 0; n < last->count; n++) {
        const validation_curve *c = &last->curves[n];
        if (c->kind == VALIDATION_COMPUTED)
            continue;
        const bool is_ground = c->kind == VALIDATION_GROUND;
        ground |= is_ground;
        series[count++] =
            (validation_series){is_ground ? VALIDATION_MARK_GROUND : VALIDATION_MARK_LINE,
                                is_ground ? 0 : lines++,
                                c->label,
                                c->count,
                                c->x,
                                c->y};
    }
    for (int grid = ground ? finest : 0; grid <= finest; grid++) {
        const validation_plot *plot = &record->runs[grid].result.plot;
        for (int n = 0; n < plot->count; n++) {
            const validation_curve *c = &plot->curves[n];
            if (c->kind == VALIDATION_COMPUTED)
                series[count++] = (validation_series){
                    VALIDATION_MARK_POINTS, grid, c->label, c->count, c->x, c->y};
        }
    }
    if (count > 0)
        validation_draw_svg(f, &(validation_axes){.x_name = last->x_name, .y_name = last->y_name},
                            series, count);
}

// error_l1 and the judged errors against n, with lines of first and second order beside them.
static void write_convergence(FILE *f, const validation_record *record)
{
    const validation_case *c = record->c;
    double n[VALIDATION_MAX_GRIDS], first[VALIDATION_MAX_GRIDS], second[VALIDATION_MAX_GRIDS];
    double l1[VALIDATION_MAX_GRIDS], judged[VALIDATION_MAX_FIGURES][VALIDATION_MAX_GRIDS];
    for (int grid = 0; grid < c->grid_count; grid++) {
        const validation_result *result = &record->runs[grid].result;
        n[grid] = c->grids[grid];
        l1[grid] = result->error_l1;
        first[grid] = l1[0] * n[0] / n[grid];
        second[grid] = first[grid] * n[0] / n[grid];
        for (int row = 0; row < c->row_count; row++)
            judged[row][grid] = result->figures[row].error;
    }
    validation_series series[3 + VALIDATION_MAX_FIGURES] = {
        {VALIDATION_MARK_LINE, 1, "first order", c->grid_count, n, first},
        {VALIDATION_MARK_DASHES, 1, "second order", c->grid_count, n, second},
        {VALIDATION_MARK_JOINED, 0, "L1 of the profile", c->grid_count, n, l1},
    };
    int count = 3;
    for (int row = 0; row < c->row_count; row++)
        if (record->wanted[row])
            series[count++] =
                (validation_series){VALIDATION_MARK_JOINED, 1 + row, c->rows[row].measure,
                                    c->grid_count,          n,       judged[row]};
    validation_draw_svg(f, &(validation_axes){c->grid_name, "error", true, n, c->grid_count},
                        series, count);
}

static bool all_done(const validation_record *record)
{
    for (int grid = 0; grid < record->c->grid_count; grid++)
        if (record->runs[grid].status != RILL_OK)
            return false;
    return true;
}

static void write_case(FILE *f, const validation_record *record)
{
    fprintf(f, "<section>\n<h2>");
    validation_write_escaped(f, record->c->title);
    fprintf(f, "</h2>\n<p>");
    validation_write_escaped(f, record->c->description);
    fprintf(f, " n: ");
    validation_write_escaped(f, record->c->grid_name);
    fprintf(f, ".</p>\n<div class=\"plots\">\n");
    if (all_done(record)) {
        write_profile(f, record);
        if (record->c->converges)
            write_convergence(f, record);
    }
    fprintf(f, "</div>\n</section>\n");
}

bool validation_write_report(FILE *file, const validation_record *records, int count)
{
    int passed, failed;
    count_rows(records, count, &passed, &failed);
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<title>Rill: validation</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<h1>Rill against exact solutions</h1>\n<p>Rill %s: %d passed, %d failed. L1 and "
            "L&infin; are errors of the whole profile, the order is that of L1; a row passes when "
            "what is judged is within its bound and the mass is kept to %g.</p>\n",
            style, rill_version(), passed, failed, VALIDATION_MAX_MASS);
    write_summary(file, records, count);
    for (int n = 0; n < count; n++)
        write_case(file, &records[n]);
    fprintf(file, "</body>\n</html>\n");
    return fflush(file) == 0 && !ferror(file);
}
