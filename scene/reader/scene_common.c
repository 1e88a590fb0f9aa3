// SPDX-License-Identifier: MIT
// scene_common.c - what the parts of a scene share: memory, arrays, numbers, boxes, paths, files.
#include "scene/reader/scene_internal.h"

#include "scene/builtin.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MOST_TIMES 100000

// ---- Memory and arrays -----------------------------------------------------------------

rill_status rl_scene_take(const rill_scene *scene, size_t count, size_t size, void *out)
{
    RL_ASSERT(size > 0 && count <= SIZE_MAX / size);
    void *memory = count > 0 ? rl_toml_take(scene->document, count * size) : NULL;
    memcpy(out, &memory, sizeof memory);
    return scene->document->failed;
}

rill_status rl_scene_read_tables(rill_scene *scene, rl_toml_table parent, const char *key,
                                 size_t most, size_t size, rl_scene_reader *read, void *items,
                                 size_t *count)
{
    rl_toml_tables tables;
    char *item = NULL;
    rl_toml_get_tables(parent, key, most, &tables);
    RILL_TRY(rl_scene_take(scene, tables.count, size, &item));
    memcpy(items, &item, sizeof item);
    *count = tables.count;
    for (size_t n = 0; n < tables.count; n++, item += size) {
        rl_toml_table table;
        RILL_TRY(rl_toml_table_at(&tables, n, &table));
        RILL_TRY(read(scene, table, item));
    }
    return RILL_OK;
}

rill_status rl_scene_refuse_keys(rl_toml_table table, const char *const *keys, const char *sentence)
{
    for (; *keys != NULL; keys++)
        if (rl_toml_has(table, *keys))
            rl_toml_refuse(table, *keys, "%s", sentence);
    return table.document->failed;
}

bool rl_scene_has_both(rl_toml_table table, const char *key, const char *other)
{
    const bool first = rl_toml_has(table, key), second = rl_toml_has(table, other);
    if (first != second)
        rl_toml_refuse(table, first ? key : other, "needs %s as well", first ? other : key);
    return first && second;
}

rill_status rl_scene_raise(rl_toml_table table, const char *key, size_t count, const char *what,
                           int *limit)
{
    if (count > (size_t)*limit && rl_toml_has(table, key))
        return rl_toml_refuse(table, key, "is %d, it must be at least %zu, the number of %s",
                              *limit, count, what);
    *limit = count > (size_t)*limit ? (int)count : *limit;
    return table.document->failed;
}

rill_status rl_scene_read_times(const rill_scene *scene, rl_toml_table table, const char *key,
                                double **times, size_t *count)
{
    const rl_toml_value *list = rl_toml_get_array(table, key, "an array of numbers");
    if (list == NULL)
        return table.document->failed;
    const size_t size = rl_toml_size(list);
    if (size < 1 || size > MOST_TIMES)
        return rl_toml_refuse(table, key, "must have between 1 and %d numbers, it has %zu",
                              MOST_TIMES, size);
    RILL_TRY(rl_scene_take(scene, size, sizeof **times, times));
    RILL_TRY(rl_toml_get_doubles(table, key, size, size, -1e12, 1e12, *times, NULL));
    for (size_t n = 1; n < size; n++)
        if (!((*times)[n] > (*times)[n - 1]))
            return rl_toml_refuse(table, key,
                                  "must rise, but number %zu is %g s and the one before it %g s",
                                  n + 1, (*times)[n], (*times)[n - 1]);
    *count = size;
    return RILL_OK;
}

// ---- Numbers ---------------------------------------------------------------------------

rill_status rl_scene_read_numbers(rl_toml_table table, const rl_scene_number *rows, int kind,
                                  void *def)
{
    for (; rows->key != NULL; rows++) {
        if (rows->type == RL_SCENE_OTHER || (rows->kinds != 0 && !(rows->kinds >> kind & 1u)))
            continue;
        RL_ASSERT(rows->min <= rows->max);
        void *place = (char *)def + rows->offset;
        if (rows->needed)
            rl_toml_require(table, rows->key);
        if (rows->type == RL_SCENE_SEED)
            rl_toml_get_integer(table, rows->key, 0, INT64_MAX, place);
        else if (rows->type == RL_SCENE_INT)
            rl_toml_get_int(table, rows->key, (int)rows->min, (int)rows->max, place);
        else if (rows->count > 0)
            rl_toml_get_doubles(table, rows->key, rows->count, rows->count, rows->min, rows->max,
                                place, NULL);
        else
            rl_toml_get_double(table, rows->key, rows->min, rows->max, place);
    }
    return table.document->failed;
}

// ---- Boxes -----------------------------------------------------------------------------

// The first cell whose centre is not below `edge`, from 0 to `count`.
static int first_cell(double edge, double cell_size, int count)
{
    const double i = ceil(edge / cell_size - 0.5);
    return i < 0.0 ? 0 : i > count ? count : (int)i;
}

rl_scene_cells rl_scene_box_cells(const rill_scene *scene, const rl_scene_box *box)
{
    const double dx = scene->info.cell_size;
    RL_ASSERT(dx > 0.0 && box->x0 <= box->x1 && box->y0 <= box->y1);
    return (rl_scene_cells){
        .i0 = first_cell(box->x0, dx, scene->info.nx),
        .i1 = first_cell(box->x1, dx, scene->info.nx),
        .j0 = first_cell(box->y0, dx, scene->info.ny),
        .j1 = first_cell(box->y1, dx, scene->info.ny),
    };
}

rill_status rl_scene_read_box(const rill_scene *scene, rl_toml_table table, rl_scene_box *out)
{
    static const rl_scene_number corners[] = {
        {"x0", offsetof(rl_scene_box, x0), -RL_SCENE_FAR, RL_SCENE_FAR, .needed = true},
        {"y0", offsetof(rl_scene_box, y0), -RL_SCENE_FAR, RL_SCENE_FAR, .needed = true},
        {"x1", offsetof(rl_scene_box, x1), -RL_SCENE_FAR, RL_SCENE_FAR, .needed = true},
        {"y1", offsetof(rl_scene_box, y1), -RL_SCENE_FAR, RL_SCENE_FAR, .needed = true},
        {0},
    };
    RILL_TRY(rl_scene_read_numbers(table, corners, 0, out));
    if (!(out->x1 > out->x0))
        return rl_toml_refuse(table, "x1", "is %g, it must be above x0, which is %g", out->x1,
                              out->x0);
    if (!(out->y1 > out->y0))
        return rl_toml_refuse(table, "y1", "is %g, it must be above y0, which is %g", out->y1,
                              out->y0);
    const rl_scene_cells cells = rl_scene_box_cells(scene, out);
    if (cells.i0 >= cells.i1 || cells.j0 >= cells.j1)
        return rl_toml_refuse(table, "x0",
                              "is %g: the box from (%g, %g) to (%g, %g) m holds no centre of a "
                              "cell of the world, which is %g x %g m",
                              out->x0, out->x0, out->y0, out->x1, out->y1, rl_scene_width(scene),
                              rl_scene_height(scene));
    return RILL_OK;
}

// ---- Paths -----------------------------------------------------------------------------

static rill_status read_moment(rl_toml_table table, const char *key, size_t index,
                               const rl_toml_value *moment, bool without_z, rill_path_key *out)
{
    const size_t size = moment->kind == RL_TOML_ARRAY ? rl_toml_size(moment) : 0;
    if (size != 4 && !(without_z && size == 3))
        return rl_toml_fail(table.document, &moment->place, "%s.%s[%zu] must be [time, x, y, z]%s",
                            table.path, key, index, without_z ? " or [time, x, y]" : "");
    double numbers[4] = {0.0, 0.0, 0.0, (double)INFINITY};
    for (size_t n = 0; n < size; n++) {
        const rl_toml_value *number = rl_toml_at(moment, n);
        numbers[n] = rl_toml_number(number);
        if (number->kind != RL_TOML_FLOAT && number->kind != RL_TOML_INTEGER)
            return rl_toml_fail(table.document, &number->place,
                                "%s.%s[%zu] must hold numbers, not %s", table.path, key, index,
                                rl_toml_kind_name(number));
        if (!(fabs(numbers[n]) <= RL_SCENE_FAR))
            return rl_toml_fail(table.document, &number->place,
                                "%s.%s[%zu] holds %g, it must be between %g and %g", table.path,
                                key, index, numbers[n], -RL_SCENE_FAR, RL_SCENE_FAR);
    }
    *out = (rill_path_key){numbers[0], numbers[1], numbers[2], numbers[3]};
    return RILL_OK;
}

rill_status rl_scene_read_path(rl_toml_table table, const char *key, bool without_z, int most,
                               rill_path_key *keys, int *count)
{
    const rl_toml_value *moments = rl_toml_get_array(table, key, "an array of moments");
    *count = 0;
    if (moments == NULL)
        return table.document->failed;
    const size_t size = rl_toml_size(moments);
    if (size < 1 || size > (size_t)most)
        return rl_toml_refuse(table, key, "must have between 1 and %d moments, it has %zu", most,
                              size);
    for (size_t n = 0; n < size; n++) {
        const rl_toml_value *moment = rl_toml_at(moments, n);
        RILL_TRY(read_moment(table, key, n, moment, without_z, &keys[n]));
        if (n > 0 && !(keys[n].time > keys[n - 1].time))
            return rl_toml_fail(table.document, &moment->place,
                                "%s.%s[%zu] is at %g s, it must be after the one before it at %g s",
                                table.path, key, n, keys[n].time, keys[n - 1].time);
        if (isinf(keys[n].z) != isinf(keys[0].z))
            return rl_toml_fail(table.document, &moment->place,
                                "%s.%s[%zu] %s z, the first one %s: all of them or none",
                                table.path, key, n, isinf(keys[n].z) ? "has no" : "has",
                                isinf(keys[n].z) ? "has" : "does not");
    }
    *count = (int)size;
    return RILL_OK;
}

// ---- Files -----------------------------------------------------------------------------

rill_status rl_scene_path(const rill_scene *scene, const rl_toml_value *value, const char *key,
                          char path[RL_PATH_BYTES])
{
    if (value->kind != RL_TOML_STRING)
        return rl_toml_fail(scene->document, &value->place, "%s must be a string, not %s", key,
                            rl_toml_kind_name(value));
    const char *name = rl_toml_text(value);
    const size_t length = value->as.string.bytes;
    const bool beside_scene = scene->folder != NULL && value->place.line > 0 && name[0] != '/' &&
                              !rl_builtin_is_name(name);
    const int bytes =
        snprintf(path, RL_PATH_BYTES, "%s%s", beside_scene ? scene->folder : "", name);
    if (length > 0 && strlen(name) == length && bytes < RL_PATH_BYTES)
        return RILL_OK;
    return rl_toml_fail(scene->document, &value->place, "%s must not %s", key,
                        length == 0             ? "be empty"
                        : strlen(name) < length ? "contain a zero character"
                                                : "be so long");
}

rill_status rl_scene_blame(const rill_scene *scene, const rl_toml_value *value, const char *key,
                           rill_status status)
{
    if (status == RILL_OK || status == RILL_NO_MEMORY)
        return status;
    char where[320];
    rl_toml_where(scene->document, value, where, sizeof where);
    // A build that cannot read this kind of file is no mistake of the scene.
    return rill_fail_prefix(status == RILL_NO_BACKEND ? status : RILL_BAD_SCENE, "%s: %s", where,
                            key);
}

rill_status rl_scene_create_flat(const rill_scene *scene, rill_heightfield **out)
{
    return rill_heightfield_create_flat(scene->info.nx, scene->info.ny, scene->info.cell_size,
                                        &scene->host, out);
}

rill_status rl_scene_load(const rill_scene *scene, const rl_toml_value *value, const char *key,
                          const rill_heightfield_load_def *def, rill_heightfield **out)
{
    char path[RL_PATH_BYTES];
    *out = NULL;
    RILL_TRY(rl_scene_path(scene, value, key, path));
    return rl_scene_blame(scene, value, key, rill_heightfield_load(path, def, out));
}

rill_status rl_scene_load_mesh(const rill_scene *scene, const rl_toml_value *file, double unit,
                               const char *key, rill_triangles **out)
{
    char path[RL_PATH_BYTES];
    RILL_TRY(rl_scene_path(scene, file, key, path));
    return rl_scene_blame(scene, file, key, rill_triangles_load(path, unit, &scene->host, out));
}

static rill_status check_amounts(const rill_scene *scene, const rl_toml_value *value,
                                 const char *key, double min, double max,
                                 const rill_field_view *view)
{
    const char *name = rl_toml_text(value);
    if (view->nx != scene->info.nx || view->ny != scene->info.ny)
        return rl_toml_fail(scene->document, &value->place,
                            "%s: '%s' has %d x %d cells, the ground has %d x %d", key, name,
                            view->nx, view->ny, scene->info.nx, scene->info.ny);
    for (int j = 0; j < view->ny; j++)
        for (int i = 0; i < view->nx; i++) {
            const double amount = (double)view->data[(size_t)j * view->pitch + (size_t)i];
            if (!(amount >= min && amount <= max))
                return rl_toml_fail(scene->document, &value->place,
                                    "%s: '%s' holds %g at cell (%d, %d), it must be from %g to %g",
                                    key, name, amount, i, j, min, max);
        }
    return RILL_OK;
}

rill_status rl_scene_load_amounts(const rill_scene *scene, const rl_toml_value *value,
                                  const char *key, double min, double max, rill_heightfield **out)
{
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    def.host = &scene->host;
    RILL_TRY(rl_scene_load(scene, value, key, &def, out));
    const rill_field_view view = rill_heightfield_view(*out);
    rill_status status = check_amounts(scene, value, key, min, max, &view);
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}

void rl_scene_turn(double q[4], int axis, double degrees)
{
    RL_ASSERT(axis >= 0 && axis < 3);
    const double s = rill_sine_of_turns(degrees / 720.0),
                 c = rill_sine_of_turns(degrees / 720.0 + 0.25);
    const double v[3] = {axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0};
    const double old[4] = {q[0], q[1], q[2], q[3]};
    q[0] = c * old[0] + v[0] * old[3] + v[1] * old[2] - v[2] * old[1];
    q[1] = c * old[1] + v[1] * old[3] + v[2] * old[0] - v[0] * old[2];
    q[2] = c * old[2] + v[2] * old[3] + v[0] * old[1] - v[1] * old[0];
    q[3] = c * old[3] - v[0] * old[0] - v[1] * old[1] - v[2] * old[2];
}

rill_status rl_scene_read_rotation(rl_toml_table table, double q[4])
{
    double degrees[3] = {0};
    const rill_status status =
        rl_toml_get_doubles(table, "rotate", 3, 3, -360.0, 360.0, degrees, NULL);
    for (int axis = 0; axis < 3; axis++)
        rl_scene_turn(q, axis, degrees[axis]);
    return status;
}
