// SPDX-License-Identifier: MIT
// scene_parameters.c - reading what stands in a table of parameters (rill/parameters.h): each row
// is a key of the scene, with its type, its range and the solvers that it is for.
#include "scene/reader/scene_internal.h"

#include <stdio.h>
#include <string.h>

// ---- Names -----------------------------------------------------------------------------

// Opens the tables along a dotted path; its last part is the key.
static rl_scene_key open_path(rl_toml_table base, const char *path)
{
    rl_scene_key key = {base, path};
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(key.name, '.')) {
        char part[48];
        RL_ASSERT((size_t)(dot - key.name) < sizeof part);
        snprintf(part, sizeof part, "%.*s", (int)(dot - key.name), key.name);
        rl_toml_get_table(key.table, part, &key.table);
        key.name = dot + 1;
    }
    return key;
}

// What the scene has at a path, without asking for it.
static const rl_toml_value *value_at(const rl_toml_value *value, const char *path)
{
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(path, '.')) {
        char part[48];
        snprintf(part, sizeof part, "%.*s", (int)(dot - path), path);
        value = rl_toml_find(value, part);
        path = dot + 1;
    }
    return rl_toml_find(value, path);
}

rl_scene_key rl_scene_find_key(rl_toml_table base, const char *path, const char *old_path)
{
    const rl_scene_key key = open_path(base, path);
    const rl_toml_value *old = old_path != NULL ? value_at(base.value, old_path) : NULL;
    if (old == NULL)
        return key;
    const rl_scene_key old_key = open_path(base, old_path);
    const rl_toml_value *now = rl_toml_get_value(key.table, key.name);
    rl_toml_get_value(old_key.table, old_key.name);
    // Of two names an override has the last word, whichever it uses.
    if (now != NULL && (now->place.line > 0) == (old->place.line > 0))
        rl_toml_refuse(old_key.table, old_key.name,
                       "is an older name of %s, which is given as well", path);
    return now == NULL || now->place.line > 0 ? old_key : key;
}

bool rl_scene_has(rl_toml_table root, const char *name)
{
    RL_ASSERT(rill_parameter_find(name) != NULL);
    const rl_scene_key key = rl_scene_find_key(root, name, rill_parameter_find(name)->alias);
    return rl_toml_has(key.table, key.name);
}

// ---- Values ----------------------------------------------------------------------------

static void get_word(const rl_scene_key *key, const rill_parameter *row, double *value)
{
    const rl_toml_value *written = rl_toml_get_value(key->table, key->name);
    int word = (int)*value;
    for (int n = 0; row->old_words != NULL && row->old_words[n] != NULL; n++)
        if (written->kind == RL_TOML_STRING &&
            strcmp(rl_toml_text(written), row->old_words[n]) == 0) {
            *value = n;
            return;
        }
    rl_toml_get_choice(key->table, key->name, row->words, &word);
    *value = word;
}

static void get_number(const rl_scene_key *key, const rill_parameter *row, double *value)
{
    const bool positive = (row->flags & RILL_PARAMETER_ABOVE) != 0 && row->low == 0.0;
    const double low = positive ? RL_TOML_POSITIVE : row->low;
    float narrow = (float)*value;
    int whole = (int)*value;
    bool flag = *value != 0.0;
    switch (row->type) {
    case RILL_PARAMETER_ENUM:
        get_word(key, row, value);
        break;
    case RILL_PARAMETER_FLAG:
        rl_toml_get_bool(key->table, key->name, &flag);
        *value = flag ? 1.0 : 0.0;
        break;
    case RILL_PARAMETER_INT:
        rl_toml_get_int(key->table, key->name, (int)low, (int)row->high, &whole);
        *value = whole;
        if ((row->flags & RILL_PARAMETER_POWER_OF_TWO) != 0 && (whole & (whole - 1)) != 0)
            rl_toml_refuse(key->table, key->name, "is %d, it must be a power of two", whole);
        break;
    case RILL_PARAMETER_FLOAT:
        rl_toml_get_float(key->table, key->name, low, row->high, &narrow);
        *value = (double)narrow;
        break;
    default:
        rl_toml_get_double(key->table, key->name, low, row->high, value);
    }
    if (*value > 0.0 && *value < row->least)
        rl_toml_refuse(key->table, key->name, "is %g %s, it must be 0 or at least %g", *value,
                       row->unit, row->least);
}

// A key that is there goes into `def`.
static rill_status get_values(const rl_scene_key *key, const rill_parameter *row, void *def)
{
    RL_ASSERT(row->count >= 1 && row->count <= 3);
    double values[3] = {rill_parameter_get(def, row, 0)};
    void *seed = (char *)def + row->offset;
    const size_t count = (size_t)row->count;
    if (row->type == RILL_PARAMETER_SEED)
        return rl_toml_get_integer(key->table, key->name, 0, INT64_MAX, seed);
    if (count > 1)
        rl_toml_get_doubles(key->table, key->name, count, count, row->low, row->high, values, NULL);
    else
        get_number(key, row, &values[0]);
    RILL_TRY(key->table.document->failed);
    for (int k = 0; k < row->count; k++)
        if (rill_parameter_set(def, row, k, values[k]) != RILL_OK)
            return rl_toml_refuse(key->table, key->name, "is not possible: %s", rill_last_error());
    return RILL_OK;
}

rill_status rl_scene_read_row(const rill_scene *scene, rl_toml_table base,
                              const rill_parameter *row, void *def)
{
    // The name of a row of [[body]] begins with "body.", which the table is already.
    const size_t skip = base.path[0] == '\0' ? 0 : (size_t)(strchr(row->name, '.') + 1 - row->name);
    const char *old = row->alias != NULL ? row->alias + skip : NULL;
    const rl_scene_key key = rl_scene_find_key(base, row->name + skip, old);
    if (!rl_toml_has(key.table, key.name))
        return base.document->failed;
    if (row->solvers != 0 && !(row->solvers >> scene->def.solver & 1u))
        return rl_toml_refuse(key.table, key.name,
                              "is for world.solver = %s, this world has \"%s\"",
                              rl_scene_solvers_with(row->solvers, 0, 0).text, scene->info.solver);
    return get_values(&key, row, def);
}

rill_status rl_scene_read_rows(const rill_scene *scene, rl_toml_table base,
                               rill_definition definition, const char *const *others, void *def)
{
    int count = 0;
    const rill_parameter *rows =
        definition == RILL_DEFINITION_VIEW ? rill_view_parameters(&count) : rill_parameters(&count);
    for (int n = 0; n < count; n++) {
        bool other = rows[n].definition != definition || (rows[n].flags & RILL_PARAMETER_HOST) != 0;
        for (size_t k = 0; others != NULL && others[k] != NULL && !other; k++)
            other = strcmp(others[k], rows[n].name) == 0;
        if (!other)
            RILL_TRY(rl_scene_read_row(scene, base, &rows[n], def));
    }
    return RILL_OK;
}
