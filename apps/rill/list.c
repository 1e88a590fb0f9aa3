// SPDX-License-Identifier: MIT
// list.c - `rill list`: the scenes carried inside the library, the parameters that scenes have, or
// the overlays of the renderer.
#include "apps/rill/command.h"
#include "apps/rill/json_write.h"
#include "apps/rill/options.h"

#include "rill/parameters.h"
#include "rill/scene.h"
#ifdef RILL_HAS_RENDER
#include "render/renderer.h"
#endif
#include "rill/view.h"

#include <stdio.h>
#include <string.h>

// Returns the length of the longest of `count` names.
static int longest_name(const char *(*name)(int index), int count)
{
    int longest = 0;
    for (int k = 0; k < count; k++) {
        const int length = (int)strlen(name(k));
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void print_all(bool names_only)
{
    const int width = longest_name(rill_builtin_scene_name, rill_builtin_scene_count());
    for (int k = 0; k < rill_builtin_scene_count(); k++) {
        if (names_only)
            puts(rill_builtin_scene_name(k));
        else
            printf("%-*s  %s\n", width, rill_builtin_scene_name(k),
                   rill_builtin_scene_description(k));
    }
}

// The scenes with the choices that the papers print, and by which keys each differs.
static void print_printed(bool names_only)
{
    const int width = longest_name(rill_printed_scene_name, rill_printed_scene_count());
    for (int k = 0; k < rill_printed_scene_count(); k++) {
        const char *change = NULL;
        printf("%-*s", names_only ? 0 : width, rill_printed_scene_name(k));
        for (int n = 0; !names_only && (change = rill_printed_scene_override(k, n)) != NULL; n++)
            printf("%s%s", n == 0 ? "  " : ", ", change);
        putchar('\n');
    }
}

static void print_overlays(void)
{
#ifdef RILL_HAS_RENDER
    for (int k = 0; k < OVERLAY_COUNT; k++)
        puts(overlay_name((overlay)k));
#endif
}

// ---- Parameters ------------------------------------------------------------------------

// The engine's parameters, then those of views; NULL past the end.
static const rill_parameter *parameter_at(int index)
{
    int count = 0, views = 0;
    const rill_parameter *rows = rill_parameters(&count), *view = rill_view_parameters(&views);
    return index < count ? &rows[index] : index < count + views ? &view[index - count] : NULL;
}

static void write_values(json_writer *w, const rill_parameter *p)
{
    static const char *const types[] = {"flag", "int", "float", "double", "enum", "seed"};
    json_text(w, "type", types[p->type]);
    json_integer(w, "count", p->count);
    json_text(w, "unit", p->unit);
    json_open(w, "default", '[');
    for (int k = 0; k < p->count; k++)
        json_number(w, NULL, p->initial[k]);
    json_close(w, ']');
    json_text(w, "automatic", p->automatic);
    json_text(w, "in_scenes", p->in_scenes);
    json_number(w, "low", p->low);
    json_number(w, "high", p->high);
    json_number(w, "least", p->least);
    json_bool(w, "above", (p->flags & RILL_PARAMETER_ABOVE) != 0);
    json_bool(w, "power_of_two", (p->flags & RILL_PARAMETER_POWER_OF_TWO) != 0);
}

static void write_names(json_writer *w, const char *key, const char *const *names, unsigned chosen)
{
    json_open(w, key, '[');
    for (unsigned n = 0; names != NULL && names[n] != NULL; n++)
        if (chosen >> n & 1u)
            json_text(w, NULL, names[n]);
    json_close(w, ']');
}

static void write_parameters(void)
{
    json_writer w = {.out = stdout};
    const rill_parameter *p = NULL;
    json_open(&w, NULL, '[');
    for (int n = 0; (p = parameter_at(n)) != NULL; n++) {
        json_open(&w, NULL, '{');
        json_text(&w, "name", p->name);
        json_text(&w, "alias", p->alias);
        write_values(&w, p);
        write_names(&w, "words", p->words, ~0u);
        write_names(&w, "old_words", p->old_words, ~0u);
        write_names(&w, "solvers", rill_parameter_find("world.solver")->words,
                    p->solvers != 0 ? p->solvers : ~0u);
        json_bool(&w, "host", (p->flags & RILL_PARAMETER_HOST) != 0);
        json_text(&w, "help", p->help);
        json_close(&w, '}');
    }
    json_close(&w, ']');
    putchar('\n');
}

// Names alone are those that --set takes: the host's are not, nor are those inside lists.
static void print_parameters(bool names_only)
{
    const rill_parameter *p = NULL;
    for (int n = 0; (p = parameter_at(n)) != NULL; n++) {
        const bool settable =
            (p->flags & RILL_PARAMETER_HOST) == 0 && p->definition != RILL_DEFINITION_BODY &&
            p->definition != RILL_DEFINITION_EMITTER && p->definition != RILL_DEFINITION_SOURCE;
        if (names_only && settable)
            puts(p->name);
        else if (!names_only)
            printf("%-34s %s%s%s\n", p->name, p->help, p->unit[0] != '\0' ? ", " : "", p->unit);
    }
}

int command_list(int argc, char **argv)
{
    bool names_only = false, overlays = false, parameters = false, json = false, printed = false;
    const option options[] = {
        {"names", 0, OPTION_FLAG, NULL, "Print the names alone.", &names_only, 0, 0},
        {"printed", 0, OPTION_FLAG, NULL,
         "List the scenes with the choices that the papers print instead.", &printed, 0, 0},
        {"overlays", 0, OPTION_FLAG, NULL, "Print the overlays of \"rill render\" instead.",
         &overlays, 0, 0},
        {"parameters", 0, OPTION_FLAG, NULL, "List the parameters of scenes instead.", &parameters,
         0, 0},
        {"json", 0, OPTION_FLAG, NULL, "Print the parameters as a JSON array.", &json, 0, 0},
    };
    const option_syntax syntax = {
        .command = "list",
        .summary = "Lists the scenes that Rill carries, name and description, a line each.",
        .operands = "",
        .most = 0,
        .options = options,
        .option_count = (int)(sizeof options / sizeof options[0]),
    };
    option_list operands;
    const option_result result = options_parse(&syntax, argc, argv, &operands);
    options_free_list(&operands);
    if (result != OPTIONS_GO)
        return result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (overlays)
        print_overlays();
    else if (printed)
        print_printed(names_only);
    else if (json)
        write_parameters();
    else if (parameters)
        print_parameters(names_only);
    else
        print_all(names_only);
    return STATUS_DONE;
}
