// SPDX-License-Identifier: MIT
// scene_terrain.c - [terrain] and the size of the world, which is either written in [world] or
// comes with the file of the ground. And a grid that moves over that ground, [domain]
// (rill_moving_domain_def); the scene itself is written in metres of the full terrain.
#include "scene/reader/scene_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- The size --------------------------------------------------------------------------

static rill_status read_size(rill_scene *scene, rl_toml_table root)
{
    rill_scene_info *info = &scene->info;
    rl_toml_table world;
    rl_toml_get_table(root, "world", &world);
    rl_toml_require(world, "nx");
    rl_toml_require(world, "ny");
    rl_toml_require(world, "cell_size");
    const rill_parameter *side = rill_parameter_find("world.nx");
    const rill_parameter *cell = rill_parameter_find("world.cell_size");
    rl_toml_get_int(world, "nx", (int)side->low, (int)side->high, &info->nx);
    rl_toml_get_int(world, "ny", (int)side->low, (int)side->high, &info->ny);
    RILL_TRY(rl_toml_get_double(world, "cell_size", cell->low, cell->high, &info->cell_size));
    const int64_t cells = (int64_t)info->nx * info->ny;
    if (cells > RILL_MAX_CELLS)
        return rl_toml_refuse(world, "nx",
                              "is %d and world.ny is %d: that is %" PRId64
                              " cells, there must be at most %d",
                              info->nx, info->ny, cells, RILL_MAX_CELLS);
    return RILL_OK;
}

static rill_status load_ground(rill_scene *scene, rl_toml_table root, rl_toml_table terrain)
{
    static const char *const no_data[] = {"refuse", "fill", "wall", NULL};
    static const char *const sizes[] = {"nx", "ny", "cell_size"};
    rill_heightfield_load_def *def = &scene->terrain.load;
    rl_toml_table world;
    rl_toml_get_table(root, "world", &world);
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        if (rl_toml_has(world, sizes[n]))
            rl_toml_refuse(world, sizes[n], "must not be given: terrain.file says it%s",
                           n == 2 ? ", or else terrain.cell_size" : "");
    rl_toml_require(terrain, "file");
    rl_toml_get_choice(terrain, "no_data", no_data, &def->no_data);
    if (def->scale == 0.0)
        rl_toml_refuse(terrain, "scale", "is 0, it must not be");
    RILL_TRY(terrain.document->failed);
    const rl_toml_value *file = rl_toml_get_value(terrain, "file");
    RILL_TRY(rl_scene_load(scene, file, "terrain.file", def, &scene->ground));
    const rill_field_view view = rill_heightfield_view(scene->ground);
    scene->info.nx = view.nx;
    scene->info.ny = view.ny;
    scene->info.cell_size = rill_heightfield_cell_size(scene->ground);
    if (view.nx < 4 || view.ny < 4)
        return rl_toml_fail(scene->document, &file->place,
                            "terrain.file: '%s' has %d x %d cells, each side must be at least 4",
                            rl_toml_text(file), view.nx, view.ny);
    if (!(scene->info.cell_size >= 1e-6 && scene->info.cell_size <= 1e6))
        return rl_toml_fail(scene->document, &file->place,
                            "terrain.file: '%s' has cells of %g m, they must be from 1e-6 to 1e6 m",
                            rl_toml_text(file), scene->info.cell_size);
    return RILL_OK;
}

// ---- [terrain] -------------------------------------------------------------------------

static const char *const ground_kinds[] = {"flat", "file", "generate", "solid", "valley", NULL};

#define KEY(type, name, low, high) \
    .key = #name, .offset = offsetof(type, name), .min = low, .max = high
#define LOAD(...)     KEY(rill_heightfield_load_def, __VA_ARGS__)
#define GENERATE(...) KEY(rill_heightfield_generate_def, __VA_ARGS__)
#define VALLEY(...)   KEY(rill_valley_def, __VA_ARGS__)
#define SOLID(...)    KEY(rill_solid_def, __VA_ARGS__), .needed = true

static const rl_scene_number flat_keys[] = {
    {KEY(rl_scene_terrain, elevation, -RL_SCENE_HIGH, RL_SCENE_HIGH)}, {0}};
static const rl_scene_number file_keys[] = {
    {"file", .type = RL_SCENE_OTHER},
    {"no_data", .type = RL_SCENE_OTHER},
    {LOAD(offset, -RL_SCENE_HIGH, RL_SCENE_HIGH)},
    {LOAD(scale, -1e9, 1e9)},
    {LOAD(cell_size, 1e-6, 1e6)},
    {LOAD(smoothing, 0.0, RL_SCENE_FAR)},
    {0},
};
static const rl_scene_number generate_keys[] = {
    {GENERATE(seed, 0, 0), .type = RL_SCENE_SEED},
    {GENERATE(relief, 0.0, RL_SCENE_HIGH)},
    {GENERATE(feature_size, RL_TOML_POSITIVE, RL_SCENE_FAR)},
    {GENERATE(octaves, 1, 16), .type = RL_SCENE_INT},
    {GENERATE(ridges, 0.0, 1.0)},
    {GENERATE(valleys, 0.0, 1.0)},
    {GENERATE(tilt, -1.0, 1.0)},
    {0},
};
static const rl_scene_number valley_keys[] = {
    {VALLEY(seed, 0, 0), .type = RL_SCENE_SEED},
    {VALLEY(width, RL_TOML_POSITIVE, RL_SCENE_FAR)},
    {VALLEY(depth, RL_TOML_POSITIVE, RL_SCENE_HIGH)},
    {VALLEY(fall, 0.0, 0.02)},
    {VALLEY(wavelength, 0.0, RL_SCENE_FAR)},
    {VALLEY(amplitude, 0.0, RL_SCENE_FAR)},
    {VALLEY(floor_width, 0.0, RL_SCENE_FAR)},
    {VALLEY(relief, 0.0, RL_SCENE_HIGH)},
    {VALLEY(rocks, 0, 10000), .type = RL_SCENE_INT},
    {VALLEY(bars, 0.0, 1.0)},
    {VALLEY(islands, 0, 100), .type = RL_SCENE_INT},
    {VALLEY(branch, 0.0, 1000.0)},
    {0},
};
static const rl_scene_number solid_keys[] = {
    {"part", .type = RL_SCENE_OTHER},
    {"mover", .type = RL_SCENE_OTHER},
    {"cut", .type = RL_SCENE_OTHER},
    {"drawn", .type = RL_SCENE_OTHER},
    {SOLID(bottom, -RL_SCENE_HIGH, RL_SCENE_HIGH)},
    {SOLID(top, -RL_SCENE_HIGH, RL_SCENE_HIGH)},
    {0},
};
static const rl_scene_number *const number_keys[] = {
    [RL_GROUND_FLAT] = flat_keys,         [RL_GROUND_FILE] = file_keys,
    [RL_GROUND_GENERATE] = generate_keys, [RL_GROUND_SOLID] = solid_keys,
    [RL_GROUND_VALLEY] = valley_keys,
};

// A key of another kind of ground is known, but would do nothing.
static rill_status refuse_other_kinds(rl_toml_table terrain, rl_ground_kind kind)
{
    static const char *const of_heightfields[] = {"quantum", "shape"};
    for (int of = 0; ground_kinds[of] != NULL; of++)
        for (const rl_scene_number *row = number_keys[of]; row->key != NULL; row++) {
            const rl_scene_number *own = number_keys[kind];
            while (own->key != NULL && strcmp(own->key, row->key) != 0)
                own++;
            if (own->key == NULL && rl_toml_find(terrain.value, row->key) != NULL)
                rl_toml_refuse(terrain, row->key,
                               "is for terrain.kind = \"%s\", this terrain is \"%s\"",
                               ground_kinds[of], ground_kinds[kind]);
        }
    for (size_t n = 0; n < 2 && kind == RL_GROUND_SOLID; n++)
        if (rl_toml_find(terrain.value, of_heightfields[n]) != NULL)
            rl_toml_refuse(terrain, of_heightfields[n],
                           "is for heightfields, this terrain is \"solid\"");
    return terrain.document->failed;
}

// Sets the size of what makes the ground, where that does not come from a file.
#define SET_SIZE(def)                             \
    do {                                          \
        (def)->nx = scene->info.nx;               \
        (def)->ny = scene->info.ny;               \
        (def)->cell_size = scene->info.cell_size; \
        (def)->host = &scene->host;               \
    } while (0)

rill_status rl_scene_read_terrain(rill_scene *scene, rl_toml_table root)
{
    rl_scene_terrain *plan = &scene->terrain;
    void *const defs[] = {plan, &plan->load, &plan->generate, &plan->solid, &plan->valley};
    rl_toml_table terrain;
    plan->load = rill_default_heightfield_load_def();
    plan->load.host = &scene->host;
    plan->generate = rill_default_heightfield_generate_def();
    plan->solid = rill_default_solid_def();
    plan->valley = rill_default_valley_def();
    rl_toml_get_table(root, "terrain", &terrain);
    rl_toml_get_choice(terrain, "kind", ground_kinds, &plan->kind);
    rl_toml_get_double(terrain, "quantum", 0.0, RL_SCENE_HIGH, &plan->quantum);
    refuse_other_kinds(terrain, plan->kind);
    if (plan->kind == RL_GROUND_SOLID && !rl_scene_can(scene, RILL_CAN_STAND_ON_SOLIDS))
        rl_toml_refuse(terrain, "kind", "is \"solid\", which needs world.solver = %s, it is \"%s\"",
                       rl_scene_solvers_with(0, RILL_CAN_STAND_ON_SOLIDS, 0).text,
                       scene->info.solver);
    rl_scene_read_numbers(terrain, number_keys[plan->kind], (int)plan->kind, defs[plan->kind]);
    RILL_TRY(plan->kind == RL_GROUND_FILE ? load_ground(scene, root, terrain)
                                          : read_size(scene, root));
    SET_SIZE(&plan->generate);
    SET_SIZE(&plan->valley);
    SET_SIZE(&plan->solid);
    scene->def.nx = scene->info.nx;
    scene->def.ny = scene->info.ny;
    scene->def.cell_size = (float)scene->info.cell_size;
    return plan->kind == RL_GROUND_SOLID ? rl_scene_read_solid(scene, terrain)
                                         : rl_scene_read_features(scene, terrain);
}

// ---- Making it -------------------------------------------------------------------------

// Rounds as asked for and checks that a world takes these elevations. There is no one key to blame:
// the height is the sum of the ground and all shapes.
static rill_status finish_ground(rill_scene *scene, const rl_toml_value *terrain)
{
    const rill_field *field = rill_heightfield_field(scene->ground);
    const double quantum = scene->terrain.quantum;
    for (int j = 0; j < field->ny; j++) {
        float *row = rill_field_row(field, j);
        for (int i = 0; i < field->nx; i++) {
            if (quantum > 0.0)
                row[i] = (float)(floor((double)row[i] / quantum + 0.5) * quantum);
            if (!(fabs((double)row[i]) <= RL_SCENE_HIGH))
                return rl_toml_fail(
                    scene->document, terrain != NULL ? &terrain->place : NULL,
                    "the ground with all its shapes is at %g m in cell (%d, %d), it must be from "
                    "-1e6 to 1e6",
                    (double)row[i], i, j);
        }
    }
    return RILL_OK;
}

// A generated relief that begins anew beyond its eastern end: more of it is made, and what follows
// that end passes into the beginning over two features, or a quarter of the length.
static rill_status make_round(rill_scene *scene)
{
    rill_heightfield_generate_def def = scene->terrain.generate;
    const double two = 2.0 * def.feature_size / def.cell_size, quarter = 0.25 * def.nx;
    const int nx = def.nx, more = (int)fmax(1.0, fmin(two, quarter));
    rill_heightfield *relief = NULL;
    def.nx += more;
    RILL_TRY(rill_heightfield_generate(&def, &relief));
    const rill_status status = rl_scene_create_flat(scene, &scene->ground);
    for (int j = 0; j < def.ny && status == RILL_OK; j++) {
        const float *from = rill_field_row(rill_heightfield_field(relief), j);
        float *to = rill_field_row(rill_heightfield_field(scene->ground), j);
        for (int i = 0; i < nx; i++) {
            const double t = i < more ? (i + 0.5) / more : 1.0;
            const double own = t * t * (3.0 - 2.0 * t);
            const double other = i < more ? (double)from[nx + i] : 0.0;
            to[i] = (float)(own * (double)from[i] + (1.0 - own) * other);
        }
    }
    rill_heightfield_destroy(&relief);
    return status;
}

rill_status rl_scene_make_ground(rill_scene *scene)
{
    const rl_scene_terrain *plan = &scene->terrain;
    const rl_toml_value *terrain = rl_toml_find(scene->document->root, "terrain");
    rill_status status = RILL_OK;
    if (plan->kind == RL_GROUND_SOLID)
        return rl_scene_make_solid(scene);
    if (plan->kind == RL_GROUND_FLAT) {
        RILL_TRY(rl_scene_create_flat(scene, &scene->ground));
        rill_field_fill(rill_heightfield_field(scene->ground), (float)plan->elevation);
    } else if (plan->kind == RL_GROUND_VALLEY) {
        status = rill_heightfield_valley(&plan->valley, &scene->ground);
    } else if (plan->kind == RL_GROUND_GENERATE) {
        status = scene->def.domain.repeats
                     ? make_round(scene)
                     : rill_heightfield_generate(&plan->generate, &scene->ground);
    }
    if (status != RILL_OK)
        return status == RILL_BAD_DEF ? rl_scene_blame(scene, terrain, "[terrain]", status)
                                      : status;
    rl_scene_apply_features(scene);
    return finish_ground(scene, terrain);
}

// ---- [domain] --------------------------------------------------------------------------

static rill_status check_corner(rl_toml_table root, const char *name, const char *old, int cell,
                                int most)
{
    const rl_scene_key key = rl_scene_find_key(root, name, old);
    return cell <= most ? RILL_OK
                        : rl_toml_refuse(key.table, key.name, "is %d, it must be between 0 and %d",
                                         cell, most);
}

// A river that settles is all the water there is at the start.
static rill_status read_discharge(rill_scene *scene, rl_toml_table root)
{
    static const char *const others[] = {"level", "depth",           "depth_file",
                                         "block", "velocity_x_file", "velocity_y_file",
                                         "hump",  "velocity",        NULL};
    rl_toml_table domain, water;
    rl_toml_get_table(root, "domain", &domain);
    rl_toml_get_table(root, "water", &water);
    rl_toml_get_double(domain, "discharge", 0.0, 1e9, &scene->domain.discharge);
    if (scene->domain.discharge > 0.0)
        rl_scene_refuse_keys(water, others, "must not be given together with domain.discharge");
    return root.document->failed;
}

rill_status rl_scene_read_moving_domain(rill_scene *scene, rl_toml_table root)
{
    rill_moving_domain_def *def = &scene->def.domain;
    rl_scene_moving_domain *domain = &scene->domain;
    const rill_scene_info *info = &scene->info;
    const rl_scene_key nx = rl_scene_find_key(root, "domain.nx", "window.nx");
    const rl_scene_key ny = rl_scene_find_key(root, "domain.ny", "window.ny");
    const rl_scene_key path = rl_scene_find_key(root, "domain.path", "window.path");
    if (nx.table.value == NULL && rl_toml_find(root.value, "window") == NULL)
        return root.document->failed;
    if (!rl_scene_can(scene, RILL_CAN_MOVE_DOMAIN))
        return rl_toml_refuse(nx.table, "nx", "needs world.solver = %s, this world has \"%s\"",
                              rl_scene_solvers_with(0, RILL_CAN_MOVE_DOMAIN, 0).text, info->solver);
    rl_toml_require(nx.table, nx.name);
    rl_toml_require(ny.table, ny.name);
    rl_toml_get_int(nx.table, nx.name, 4, info->nx, &domain->nx);
    rl_toml_get_int(ny.table, ny.name, 4, info->ny, &domain->ny);
    if (!def->repeats)
        check_corner(root, "domain.i", "window.i", def->i, info->nx - domain->nx);
    check_corner(root, "domain.j", "window.j", def->j, info->ny - domain->ny);
    read_discharge(scene, root);
    rl_scene_read_path(path.table, path.name, true, RILL_PATH_MAX_KEYS, def->path,
                       &def->path_count);
    for (int n = 0; n < def->path_count; n++)
        def->path[n].z = 0.0; // has no effect
    return root.document->failed;
}

static rill_status copy_field(rill_scene *scene, const rill_field *from, rill_heightfield **out)
{
    if (from->origin == NULL)
        return RILL_OK;
    RILL_TRY(rl_scene_create_flat(scene, out));
    for (int j = 0; j < scene->info.ny; j++)
        memcpy(rill_field_row(rill_heightfield_field(*out), j), rill_field_row(from, j),
               (size_t)scene->info.nx * sizeof(float));
    return RILL_OK;
}

// Water of the full terrain as maps of their own, because the domain takes it from there.
rill_status rl_scene_make_moving_domain(rill_scene *scene)
{
    rl_scene_moving_domain *domain = &scene->domain;
    if (domain->nx == 0)
        return RILL_OK;
    RILL_TRY(rl_scene_take(scene, 1, sizeof *domain->river, &domain->river));
    RILL_TRY(copy_field(scene, &scene->water.field, &domain->river->depth));
    RILL_TRY(copy_field(scene, &scene->water.velocity_x, &domain->river->velocity[0]));
    RILL_TRY(copy_field(scene, &scene->water.velocity_y, &domain->river->velocity[1]));
    scene->info.discharge = domain->discharge;
    scene->info.full_nx = scene->info.nx;
    scene->info.full_ny = scene->info.ny;
    // From here on the scene is as large as what is simulated.
    scene->info.nx = domain->nx;
    scene->info.ny = domain->ny;
    return RILL_OK;
}

void rl_scene_place_moving_domain(const rill_scene *scene, rill_world_def *def)
{
    if (scene->domain.nx == 0)
        return;
    RL_ASSERT(scene->ground != NULL && scene->solid == NULL);
    def->nx = scene->domain.nx;
    def->ny = scene->domain.ny;
    def->bed = (rill_field_view){0};
    def->depth = def->velocity_x = def->velocity_y = (rill_field_view){0};
    def->domain.full_terrain = scene->ground;
    def->domain.water = scene->domain.river->depth;
    def->domain.velocity_x = scene->domain.river->velocity[0];
    def->domain.velocity_y = scene->domain.river->velocity[1];
    def->domain.copy = 1; // the scene may be destroyed before the world
}

void rl_scene_into_domain(const rill_scene *scene, double *x, double *y)
{
    if (scene->domain.nx == 0)
        return;
    *x -= scene->def.domain.i * scene->info.cell_size;
    *y -= scene->def.domain.j * scene->info.cell_size;
}

void rl_scene_path_into_domain(const rill_scene *scene, rill_path_key *keys, int count)
{
    for (int n = 0; n < count; n++)
        rl_scene_into_domain(scene, &keys[n].x, &keys[n].y);
}
