// SPDX-License-Identifier: MIT
// scene_bodies.c - solids in the water, [bodies] and [[body]].
#include "scene/reader/scene_internal.h"

#include <stddef.h>

#define MOST_TABLES     1000
#define MOST_BODIES     10000
#define SPARE_VERTICES  200 // for a body that the scene does not have, such as one thrown in
#define SPARE_TRIANGLES 400

// ---- [[body]] --------------------------------------------------------------------------

// Lengths that this shape has; those of other shapes are refused.
static rill_status read_lengths(rl_toml_table table, rl_scene_body *body)
{
    static const struct {
        const char *key;
        unsigned fields; // of rill_shape_field
        bool needed;
    } keys[] = {
        {"size", RILL_SHAPE_SIZE | RILL_SHAPE_SIDES, true},
        {"radius", RILL_SHAPE_RADIUS, true},
        {"length", RILL_SHAPE_LENGTH, true},
        {"cells", RILL_SHAPE_CELLS, false},
        {"thickness", RILL_SHAPE_CELLS, false},
        {"file", RILL_SHAPE_TRIANGLES, true},
        {"unit", RILL_SHAPE_TRIANGLES, false},
    };
    rill_body_def *def = &body->def;
    const unsigned fields = rill_body_shape_get(def->shape)->fields;
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        const bool has = (keys[n].fields & fields) != 0;
        if (!has && rl_toml_has(table, keys[n].key))
            return rl_toml_refuse(table, keys[n].key, "is not for a body of this shape");
        if (has && keys[n].needed)
            rl_toml_require(table, keys[n].key);
    }
    const size_t sides = (fields & RILL_SHAPE_SIDES) != 0 ? 2 : 3;
    const rill_parameter *size = rill_parameter_find("body.size");
    rl_toml_get_doubles(table, "size", sides, sides, size->low, size->high, def->size, NULL);
    body->file = (fields & RILL_SHAPE_TRIANGLES) != 0 ? rl_toml_get_value(table, "file") : NULL;
    return rl_toml_get_double(table, "unit", 1e-9, 1e9, &body->unit);
}

static rill_status read_place(rl_toml_table table, rl_scene_body *body)
{
    rill_body_def *def = &body->def;
    double copies[3] = {1.0, 1.0, 1.0};
    if (!rl_toml_has(table, "path"))
        rl_toml_require(table, "position");
    else if (rl_toml_has(table, "position") || def->motion != RILL_BODY_HOST)
        return rl_toml_refuse(table, "path", "is for motion = \"fixed\", without a position");
    rl_scene_read_rotation(table, def->rotation);
    rl_toml_get_doubles(table, "copies", 3, 3, 1.0, MOST_BODIES, copies, NULL);
    rl_toml_get_doubles(table, "step", 3, 3, -1e7, 1e7, body->step, NULL);
    rl_toml_get_double(table, "step_time", 0.0, 1e9, &body->step_time);
    rl_toml_get_doubles(table, "jitter", 3, 3, 0.0, 1e7, body->jitter, NULL);
    rl_toml_get_double(table, "tumble", 0.0, 180.0, &body->tumble);
    for (int axis = 0; axis < 3; axis++)
        body->copies[axis] = (int)copies[axis];
    rl_scene_read_path(table, "path", false, RILL_PATH_MAX_KEYS, def->path, &def->path_count);
    return rl_scene_read_path(table, "course", true, RILL_COURSE_MAX_KEYS, def->course,
                              &def->course_count);
}

static rill_status read_pins(rl_toml_table table, rl_scene_body *body, ptrdiff_t index)
{
    rill_body_def *def = &body->def;
    double pins[RILL_MAX_PINS];
    size_t count = 0;
    rl_toml_get_int(table, "pinned_to", 0, MOST_BODIES, &body->pinned_to);
    rl_toml_get_doubles(table, "pins", 1, RILL_MAX_PINS, 0.0, 1e6, pins, &count);
    for (size_t n = 0; n < count; n++)
        def->pins[n] = (int)pins[n];
    def->pin_count = (int)count;
    if (count > 0 && def->motion != RILL_BODY_SOFT)
        rl_toml_refuse(table, "pins", "are for motion = \"soft\"");
    if (body->pinned_to > index)
        rl_toml_refuse(table, "pinned_to", "is %d, it must be a body before this one",
                       body->pinned_to);
    return table.document->failed;
}

static rill_status read_body(rill_scene *scene, rl_toml_table table, void *item)
{
    static const char *const others[] = {"body.size", NULL}; // has as many numbers as the shape
    rl_scene_body *body = item;
    *body = (rl_scene_body){.table = table, .def = rill_default_body_def(), .unit = 1.0};
    body->def.coupling = scene->usual_coupling;
    RILL_TRY(rl_scene_read_rows(scene, table, RILL_DEFINITION_BODY, others, &body->def));
    RILL_TRY(read_lengths(table, body));
    RILL_TRY(read_place(table, body));
    return read_pins(table, body, body - scene->bodies);
}

// ---- [bodies] --------------------------------------------------------------------------

static int copies_of(const rl_scene_body *body)
{
    return body->copies[0] * body->copies[1] * body->copies[2];
}

// Makes the limits large enough for the scene's bodies, and for as many more as are asked for.
static rill_status set_capacities(rill_scene *scene, rl_toml_table root)
{
    rill_bodies_def *def = &scene->def.bodies;
    const rl_scene_key key = rl_scene_find_key(root, "bodies.max_bodies", "bodies.max");
    const int most = (int)rill_parameter_find("bodies.max_bodies")->high;
    int64_t count = 0, vertices = 0, triangles = 0;
    for (size_t n = 0; n < scene->body_count; n++) {
        const rl_scene_body *body = &scene->bodies[n];
        int body_vertices = 0, body_triangles = 0;
        if (body->file == NULL)
            rill_body_mesh_size(&body->def, &body_vertices, &body_triangles);
        count += copies_of(body);
        vertices += (int64_t)body_vertices * copies_of(body);
        triangles += (int64_t)body_triangles * copies_of(body);
    }
    if (count > most)
        return rl_toml_refuse(key.table, key.name,
                              "cannot be had: the scene has %lld bodies, at most %d are possible",
                              (long long)count, most);
    scene->info.bodies = (int)count;
    if (!rl_toml_has(key.table, key.name))
        def->max_bodies = (int)count;
    if (def->max_bodies < (int)count)
        return rl_toml_refuse(key.table, key.name, "is %d, it must be between %d and %d",
                              def->max_bodies, (int)count, most);
    const int64_t more = def->max_bodies - count;
    if (!rl_scene_has(root, "bodies.max_vertices"))
        def->max_vertices = (int)(vertices + more * SPARE_VERTICES);
    if (!rl_scene_has(root, "bodies.max_triangles"))
        def->max_triangles = (int)(triangles + more * SPARE_TRIANGLES);
    return RILL_OK;
}

rill_status rl_scene_read_bodies(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table table;
    scene->usual_coupling = rill_default_body_def().coupling;
    rl_toml_get_table(root, "bodies", &table);
    rl_toml_get_choice(table, "coupling", rill_parameter_find("body.coupling")->words,
                       &scene->usual_coupling);
    RILL_TRY(rl_scene_read_tables(scene, root, "body", MOST_TABLES, sizeof *scene->bodies,
                                  read_body, &scene->bodies, &scene->body_count));
    return set_capacities(scene, root);
}

// ---- Into a world ----------------------------------------------------------------------

// Moves copy `n` of table `index` at random. Every table and copy has numbers of its own.
static void scatter(const rill_scene *scene, const rl_scene_body *body, size_t index, int n,
                    rill_body_def *def)
{
    const uint64_t seed = scene->def.seed + 0x5ca77e4u, place = (uint64_t)index << 20 | (uint64_t)n;
    for (int axis = 0; axis < 3; axis++) {
        const float move = rill_random_unit(seed, place, (uint64_t)axis);
        const float turn = rill_random_unit(seed, place, (uint64_t)axis + 3);
        def->position[axis] += body->jitter[axis] * (2.0 * (double)move - 1.0);
        rl_scene_turn(def->rotation, axis, body->tumble * (2.0 * (double)turn - 1.0));
    }
}

static rill_status add_copies(const rill_scene *scene, size_t index, const rill_triangles *mesh,
                              rill_body_id pinned_to, rill_world *world, rill_body_id *first)
{
    const rl_scene_body *body = &scene->bodies[index];
    RL_ASSERT(copies_of(body) >= 1);
    rill_status status = RILL_OK;
    for (int n = 0; n < copies_of(body) && status == RILL_OK; n++) {
        const int at[3] = {n % body->copies[0], n / body->copies[0] % body->copies[1],
                           n / body->copies[0] / body->copies[1]};
        rill_body_def def = body->def;
        for (int axis = 0; axis < 3; axis++)
            def.position[axis] += at[axis] * body->step[axis];
        def.start += n * body->step_time;
        def.pinned_to = pinned_to;
        scatter(scene, body, index, n, &def);
        rl_scene_into_domain(scene, &def.position[0], &def.position[1]);
        rl_scene_path_into_domain(scene, def.path, def.path_count);
        if (mesh != NULL) {
            const rill_triangles_info triangles = rill_triangles_view(mesh);
            def.vertices = triangles.positions;
            def.triangles = triangles.indices;
            def.vertex_count = (int)triangles.vertices;
            def.triangle_count = (int)triangles.triangles;
        }
        rill_body_id id;
        status = rill_world_add_body(world, &def, &id);
        if (n == 0)
            *first = id;
    }
    return status;
}

static rill_status add_table(const rill_scene *scene, size_t index, rill_world *world,
                             rill_body_id *ids)
{
    const rl_scene_body *body = &scene->bodies[index];
    RL_ASSERT(body->pinned_to >= 0 && (size_t)body->pinned_to <= index);
    const char *key = body->table.path;
    rill_triangles *mesh = NULL;
    rill_status status = RILL_OK;
    if (body->file != NULL)
        status = rl_scene_load_mesh(scene, body->file, body->unit, key, &mesh);
    const rill_body_id holder = body->pinned_to > 0 ? ids[body->pinned_to - 1] : (rill_body_id){0};
    if (status == RILL_OK)
        status = rl_scene_blame(scene, body->table.value, key,
                                add_copies(scene, index, mesh, holder, world, &ids[index]));
    rill_triangles_destroy(&mesh);
    return status;
}

rill_status rl_scene_prepare_bodies(const rill_scene *scene, rill_world *world)
{
    const size_t bytes = scene->body_count * sizeof(rill_body_id);
    rill_body_id *ids = rill_alloc(&scene->host.allocator, bytes + 1); // of each first copy
    if (ids == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for %zu bodies of a scene", scene->body_count);
    rill_status status = RILL_OK;
    for (size_t n = 0; n < scene->body_count && status == RILL_OK; n++)
        status = add_table(scene, n, world, ids);
    rill_free(&scene->host.allocator, ids, bytes + 1);
    return status;
}
