// SPDX-License-Identifier: MIT
// validation.c - runs the validation cases and prints their table.
#include "validation/validation.h"

#include "validation/cases.h"
#include "validation/measure.h"
#include "validation/validation_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- The table of cases ----------------------------------------------------------------

static validation_topic (*const topics[])(void) = {
    validation_lake_cases,       validation_wave_cases,       validation_dambreak_cases,
    validation_gate_cases,       validation_film_cases,       validation_huppert_cases,
    validation_lister_cases,     validation_passage_cases,    validation_swe_dam_cases,
    validation_swe_bore_cases,   validation_swe_fall_cases,   validation_swe_bowl_cases,
    validation_swe_steady_cases, validation_beach_cases,      validation_pml_cases,
    validation_karman_cases,     validation_body_cases,       validation_river_cases,
    validation_frame_cases,      validation_swe_border_cases, validation_swe_channel_cases,
    validation_swe_eddy_cases,   validation_swe_wake_cases,
};

#define TOPIC_COUNT ((int)(sizeof topics / sizeof topics[0]))

static int case_count(void)
{
    int count = 0;
    for (int t = 0; t < TOPIC_COUNT; t++)
        count += topics[t]().count;
    return count;
}

static bool is_wanted(const validation_options *options, const char *name)
{
    for (int n = 0; n < options->name_count; n++)
        if (strstr(name, options->names[n]) != NULL)
            return true;
    return options->name_count == 0;
}

// The cases with at least one row that is wanted, in the order of the table.
static int select_cases(const validation_options *options, validation_record *records)
{
    int count = 0;
    for (int t = 0; t < TOPIC_COUNT; t++) {
        const validation_topic topic = topics[t]();
        for (int k = 0; k < topic.count; k++) {
            validation_record record = {.c = &topic.cases[k]};
            bool some = false;
            for (int row = 0; row < record.c->row_count; row++) {
                record.wanted[row] = is_wanted(options, record.c->rows[row].name);
                some |= record.wanted[row];
            }
            if (some)
                records[count++] = record;
        }
    }
    return count;
}

// A name that no row contains is a mistake, also beside others that are found.
static bool names_exist(const validation_options *options)
{
    for (int n = 0; n < options->name_count; n++) {
        const validation_options one = {.names = &options->names[n], .name_count = 1};
        bool found = false;
        for (int t = 0; t < TOPIC_COUNT; t++)
            for (int k = 0; k < topics[t]().count; k++) {
                const validation_case *c = &topics[t]().cases[k];
                for (int row = 0; row < c->row_count; row++)
                    found |= is_wanted(&one, c->rows[row].name);
            }
        if (found)
            continue;
        fprintf(stderr, "rill: no row of the validation has '%s' in its name\n", options->names[n]);
        return false;
    }
    return true;
}

// ---- Judging ---------------------------------------------------------------------------

double validation_order(const validation_record *record, int grid)
{
    if (!record->c->converges || grid == 0)
        return NAN;
    const validation_run_record *fine = &record->runs[grid], *coarse = fine - 1;
    if (fine->status != RILL_OK || coarse->status != RILL_OK)
        return NAN;
    const double ratio = coarse->result.error_l1 / fine->result.error_l1;
    const double order = log(ratio) / log((double)fine->n / coarse->n);
    return isfinite(order) ? order : NAN;
}

// Written so that a NaN fails.
bool validation_passes(const validation_run_record *run, int row)
{
    const validation_figure *figure = &run->result.figures[row];
    return run->status == RILL_OK && figure->error <= figure->bound &&
           run->result.mass_error < VALIDATION_MAX_MASS;
}

// ---- Printing --------------------------------------------------------------------------

typedef struct printer {
    FILE *out;
    bool json;
    int passed, failed;
} printer;

static void print_head(const printer *p)
{
    if (p->json)
        fprintf(p->out, "[");
    else
        fprintf(p->out, "%-38s %-6s %5s %10s %10s %6s %10s %10s %9s  %s\n", "name", "solver", "n",
                "L1", "Linf", "order", "error", "bound", "mass", "");
}

// JSON has no NaN and no infinity.
static void print_json_number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        fprintf(out, ", \"%s\": %.9g", key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

// Names and messages are our own and rill_last_error()'s: quotes and backslashes are all that could
// hurt.
static void print_json_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": \"", key);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        if ((unsigned char)*c >= 0x20)
            fputc(*c, out);
    }
    fputc('"', out);
}

static void print_json_row(const printer *p, const validation_record *record, int grid, int row)
{
    const validation_run_record *run = &record->runs[grid];
    const validation_result *result = &run->result;
    const bool done = run->status == RILL_OK;
    fprintf(p->out, "%s\n  {\"name\": \"%s\", \"solver\": \"%s\", \"n\": %d",
            p->passed + p->failed > 0 ? "," : "", record->c->rows[row].name, record->c->solver,
            run->n);
    print_json_number(p->out, "error_l1", done ? result->error_l1 : NAN);
    print_json_number(p->out, "error_linf", done ? result->error_linf : NAN);
    print_json_number(p->out, "order", validation_order(record, grid));
    print_json_text(p->out, "measure", record->c->rows[row].measure);
    print_json_number(p->out, "error", done ? result->figures[row].error : NAN);
    print_json_number(p->out, "bound", done ? result->figures[row].bound : NAN);
    print_json_number(p->out, "mass_error", done ? result->mass_error : NAN);
    fprintf(p->out, ", \"pass\": %s", validation_passes(run, row) ? "true" : "false");
    if (!done)
        print_json_text(p->out, "message", run->message);
    fprintf(p->out, "}");
}

static void print_table_row(const printer *p, const validation_record *record, int grid, int row)
{
    const validation_run_record *run = &record->runs[grid];
    const validation_result *result = &run->result;
    const char *name = record->c->rows[row].name;
    if (run->status != RILL_OK) {
        fprintf(p->out, "%-38s %-6s %5d  FAIL  %s\n", name, record->c->solver, run->n,
                run->message);
        return;
    }
    char order[16] = "-";
    if (!isnan(validation_order(record, grid)))
        snprintf(order, sizeof order, "%.2f", validation_order(record, grid));
    fprintf(p->out, "%-38s %-6s %5d %10.3g %10.3g %6s %10.3g %10.3g %9.1g  %s\n", name,
            record->c->solver, run->n, result->error_l1, result->error_linf, order,
            result->figures[row].error, result->figures[row].bound, result->mass_error,
            validation_passes(run, row) ? "pass" : "FAIL");
}

static void print_tail(const printer *p)
{
    if (p->json)
        fprintf(p->out, "\n]\n");
    else
        fprintf(p->out, "%d passed, %d failed\n", p->passed, p->failed);
}

// ---- Running ---------------------------------------------------------------------------

static void run_case(printer *p, validation_record *record)
{
    const validation_case *c = record->c;
    for (int grid = 0; grid < c->grid_count; grid++) {
        validation_run_record *run = &record->runs[grid];
        run->n = c->grids[grid];
        run->status = c->run(c, run->n, &run->result);
        if (run->status != RILL_OK) {
            const char *text = rill_last_error();
            snprintf(run->message, sizeof run->message, "%s",
                     text[0] != '\0' ? text : rill_status_text(run->status));
        }
        for (int row = 0; row < c->row_count; row++) {
            if (!record->wanted[row])
                continue;
            if (p->json)
                print_json_row(p, record, grid, row);
            else
                print_table_row(p, record, grid, row);
            fflush(p->out);
            if (validation_passes(run, row))
                p->passed++;
            else
                p->failed++;
        }
    }
}

int validation_run(const validation_options *options, FILE *out)
{
    if (!names_exist(options))
        return 2;
    int status = 1, count = 0;
    FILE *report = NULL;
    validation_record *records = calloc((size_t)case_count(), sizeof *records);
    if (records == NULL) {
        fprintf(stderr, "rill: no memory for the cases of the validation\n");
        goto done;
    }
    // Opened before the work, so that a wrong path costs no time.
    if (options->report != NULL && (report = fopen(options->report, "w")) == NULL) {
        fprintf(stderr, "rill: %s: cannot be written\n", options->report);
        goto done;
    }
    count = select_cases(options, records);
    printer p = {.out = out, .json = options->json};
    print_head(&p);
    for (int n = 0; n < count; n++)
        run_case(&p, &records[n]);
    print_tail(&p);
    status = p.failed > 0;
    if (report != NULL && !validation_write_report(report, records, count)) {
        fprintf(stderr, "rill: %s: could not be written to its end\n", options->report);
        status = 1;
    }
done:
    if (report != NULL)
        fclose(report);
    for (int n = 0; n < count; n++)
        for (int grid = 0; grid < VALIDATION_MAX_GRIDS; grid++)
            validation_free_plot(&records[n].runs[grid].result.plot);
    free(records);
    return status;
}
