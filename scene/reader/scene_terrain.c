// SPDX-License-Identifier: MIT
// scene_terrain.c - [terrain] and the size of the world, which is either written in [world] or
// comes with the file of the ground.
#include "scene/reader/scene_internal.h"

#include "rill/files.h"
#include "rill/generate.h"

#include "rill/files.h"
#include "rill/generate.h"

#include <inttypes.h>
#include <math.h>

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
    const rill_status status =
        rl_toml_get_double(world, "cell_size", cell->low, cell->high, &info->cell_size);
    if (status != RILL_OK)
        return status;
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
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    int missing = (int)def.no_data;
    def.host = &scene->host;
    rl_toml_table world;
    rl_toml_get_table(root, "world", &world);
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        if (rl_toml_has(world, sizes[n]))
            rl_toml_refuse(world, sizes[n], "must not be given: terrain.file says it%s",
                           n == 2 ? ", or else terrain.cell_size" : "");
    rl_toml_require(terrain, "file");
    rl_toml_get_double(terrain, "offset", -RL_SCENE_HIGH, RL_SCENE_HIGH, &def.offset);
    rl_toml_get_double(terrain, "scale", -1e9, 1e9, &def.scale);
    rl_toml_get_double(terrain, "cell_size", 1e-6, 1e6, &def.cell_size);
    rl_toml_get_double(terrain, "smoothing", 0.0, RL_SCENE_FAR, &def.smoothing);
    rill_status status = rl_toml_get_choice(terrain, "no_data", no_data, &missing);
    if (status == RILL_OK && def.scale == 0.0)
        status = rl_toml_refuse(terrain, "scale", "is 0, it must not be");
    if (status != RILL_OK)
        return status;
    def.no_data = (rill_no_data)missing;
    const rl_toml_value *file = rl_toml_get_value(terrain, "file");
    status = rl_scene_load(scene, file, "terrain.file", &def, &scene->ground);
    if (status != RILL_OK)
        return status;
    const rill_field_view view = rill_heightfield_view(scene->ground);
    scene->info.nx = view.nx;
    scene->info.ny = view.ny;
    scene->info.cell_size = rill_heightfield_cell_size(scene->ground);
    if (view.nx < 4 || view.ny < 4)
        return rl_scene_refuse(scene, file,
                               "terrain.file: '%s' has %d x %d cells, each side must be at least 4",
                               rl_toml_text(file, NULL), view.nx, view.ny);
    if (!(scene->info.cell_size >= 1e-6 && scene->info.cell_size <= 1e6))
        return rl_scene_refuse(
            scene, file, "terrain.file: '%s' has cells of %g m, they must be from 1e-6 to 1e6 m",
            rl_toml_text(file, NULL), scene->info.cell_size);
    return RILL_OK;
}

// ---- [terrain] -------------------------------------------------------------------------

static const char *const ground_kinds[] = {"flat", "file", "generate", "solid", "valley", NULL};

// A key of another kind of ground is known, but would do nothing.
static rill_status refuse_other_kinds(rl_toml_table terrain, rl_ground_kind kind)
{
    enum {
        FILE_KIND = 1 << RL_GROUND_FILE,
        GENERATE = 1 << RL_GROUND_GENERATE,
        VALLEY = 1 << RL_GROUND_VALLEY,
        SOLID = 1 << RL_GROUND_SOLID,
    };
    static const struct {
        const char *key;
        int kinds;        // that have it,
        const char *name; // and the first of them
    } keys[] = {
        {"elevation", 1 << RL_GROUND_FLAT, "flat"},
        {"file", FILE_KIND, "file"},
        {"offset", FILE_KIND, "file"},
        {"scale", FILE_KIND, "file"},
        {"cell_size", FILE_KIND, "file"},
        {"no_data", FILE_KIND, "file"},
        {"smoothing", FILE_KIND, "file"},
        {"seed", GENERATE | VALLEY, "generate"},
        {"relief", GENERATE | VALLEY, "generate"},
        {"octaves", GENERATE, "generate"},
        {"feature_size", GENERATE, "generate"},
        {"ridges", GENERATE, "generate"},
        {"valleys", GENERATE, "generate"},
        {"tilt", GENERATE, "generate"},
        {"width", VALLEY, "valley"},
        {"depth", VALLEY, "valley"},
        {"fall", VALLEY, "valley"},
        {"wavelength", VALLEY, "valley"},
        {"amplitude", VALLEY, "valley"},
        {"floor_width", VALLEY, "valley"},
        {"rocks", VALLEY, "valley"},
        {"bars", VALLEY, "valley"},
        {"islands", VALLEY, "valley"},
        {"branch", VALLEY, "valley"},
        {"bottom", SOLID, "solid"},
        {"top", SOLID, "solid"},
        {"part", SOLID, "solid"},
        {"mover", SOLID, "solid"},
        {"cut", SOLID, "solid"},
    };
    static const char *const of_heightfields[] = {"quantum", "shape"};
    if (terrain.value == NULL)
        return RILL_OK;
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
        if ((keys[n].kinds >> kind & 1) == 0 && rl_toml_find(terrain.value, keys[n].key) != NULL)
            return rl_toml_refuse(terrain, keys[n].key,
                                  "is for terrain.kind = \"%s\", this terrain is \"%s\"",
                                  keys[n].name, ground_kinds[kind]);
    for (size_t n = 0; n < 2 && kind == RL_GROUND_SOLID; n++)
        if (rl_toml_find(terrain.value, of_heightfields[n]) != NULL)
            return rl_toml_refuse(terrain, of_heightfields[n],
                                  "is for heightfields, this terrain is \"solid\"");
    return RILL_OK;
}

static rill_status read_generate(rill_scene *scene, rl_toml_table terrain)
{
    rill_heightfield_generate_def *def = &scene->terrain.generate;
    *def = rill_default_heightfield_generate_def();
    def->nx = scene->info.nx;
    def->ny = scene->info.ny;
    def->cell_size = scene->info.cell_size;
    def->host = &scene->host;
    int64_t seed = (int64_t)def->seed;
    rl_toml_get_integer(terrain, "seed", 0, INT64_MAX, &seed);
    rl_toml_get_double(terrain, "relief", 0.0, RL_SCENE_HIGH, &def->relief);
    rl_toml_get_double(terrain, "feature_size", RL_TOML_POSITIVE, RL_SCENE_FAR, &def->feature_size);
    rl_toml_get_int(terrain, "octaves", 1, 16, &def->octaves);
    rl_toml_get_double(terrain, "ridges", 0.0, 1.0, &def->ridges);
    rl_toml_get_double(terrain, "valleys", 0.0, 1.0, &def->valleys);
    def->seed = (uint64_t)seed;
    return rl_toml_get_double(terrain, "tilt", -1.0, 1.0, &def->tilt);
}

static rill_status read_valley(rill_scene *scene, rl_toml_table terrain)
{
    rill_valley_def *def = &scene->terrain.valley;
    *def = rill_default_valley_def();
    def->nx = scene->info.nx;
    def->ny = scene->info.ny;
    def->cell_size = scene->info.cell_size;
    def->host = &scene->host;
    int64_t seed = (int64_t)def->seed;
    rl_toml_get_integer(terrain, "seed", 0, INT64_MAX, &seed);
    rl_toml_get_double(terrain, "width", RL_TOML_POSITIVE, RL_SCENE_FAR, &def->width);
    rl_toml_get_double(terrain, "depth", RL_TOML_POSITIVE, RL_SCENE_HIGH, &def->depth);
    rl_toml_get_double(terrain, "fall", 0.0, 0.02, &def->fall);
    rl_toml_get_double(terrain, "wavelength", 0.0, RL_SCENE_FAR, &def->wavelength);
    rl_toml_get_double(terrain, "amplitude", 0.0, RL_SCENE_FAR, &def->amplitude);
    rl_toml_get_double(terrain, "floor_width", 0.0, RL_SCENE_FAR, &def->floor_width);
    rl_toml_get_double(terrain, "relief", 0.0, RL_SCENE_HIGH, &def->relief);
    rl_toml_get_int(terrain, "rocks", 0, 10000, &def->rocks);
    rl_toml_get_double(terrain, "bars", 0.0, 1.0, &def->bars);
    rl_toml_get_int(terrain, "islands", 0, 100, &def->islands);
    def->seed = (uint64_t)seed;
    return rl_toml_get_double(terrain, "branch", 0.0, 1000.0, &def->branch);
}

rill_status rl_scene_read_terrain(rill_scene *scene, rl_toml_table root)
{
    rl_scene_terrain *plan = &scene->terrain;
    rl_toml_table terrain;
    int kind = RL_GROUND_FLAT;
    rl_toml_get_table(root, "terrain", &terrain);
    rl_toml_get_choice(terrain, "kind", ground_kinds, &kind);
    plan->kind = (rl_ground_kind)kind;
    rill_status status = rl_toml_get_double(terrain, "quantum", 0.0, RL_SCENE_HIGH, &plan->quantum);
    if (status == RILL_OK)
        status = refuse_other_kinds(terrain, plan->kind);
    if (status == RILL_OK)
        status = plan->kind == RL_GROUND_FILE ? load_ground(scene, root, terrain)
                                              : read_size(scene, root);
    if (status == RILL_OK && plan->kind == RL_GROUND_FLAT)
        status = rl_toml_get_double(terrain, "elevation", -RL_SCENE_HIGH, RL_SCENE_HIGH,
                                    &plan->elevation);
    if (status == RILL_OK && plan->kind == RL_GROUND_GENERATE)
        status = read_generate(scene, terrain);
    if (status == RILL_OK && plan->kind == RL_GROUND_VALLEY)
        status = read_valley(scene, terrain);
    if (status == RILL_OK)
        status = plan->kind == RL_GROUND_SOLID ? rl_scene_read_solid(scene, terrain)
                                               : rl_scene_read_features(scene, terrain);
    scene->def.nx = scene->info.nx;
    scene->def.ny = scene->info.ny;
    scene->def.cell_size = (float)scene->info.cell_size;
    return status;
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
                return rl_scene_refuse(
                    scene, terrain,
                    "the ground with all its shapes is at %g m in cell (%d, %d), it must be from "
                    "-1e6 to 1e6",
                    (double)row[i], i, j);
        }
    }
    return RILL_OK;
}

rill_status rl_scene_make_ground(rill_scene *scene)
{
    const rl_scene_terrain *plan = &scene->terrain;
    const rl_toml_value *terrain = rl_toml_find(rl_toml_root(scene->document), "terrain");
    rill_status status = RILL_OK;
    if (plan->kind == RL_GROUND_SOLID)
        return rl_scene_make_solid(scene);
    if (plan->kind == RL_GROUND_FLAT) {
        status = rill_heightfield_create_flat(scene->info.nx, scene->info.ny, scene->info.cell_size,
                                              &scene->host, &scene->ground);
        if (status == RILL_OK)
            rill_field_fill(rill_heightfield_field(scene->ground), (float)plan->elevation);
    } else if (plan->kind == RL_GROUND_GENERATE || plan->kind == RL_GROUND_VALLEY) {
        status = plan->kind == RL_GROUND_VALLEY
                     ? rill_heightfield_valley(&plan->valley, &scene->ground)
                     : rill_heightfield_generate(&plan->generate, &scene->ground);
        if (status == RILL_BAD_DEF) {
            char where[320];
            rl_toml_where(scene->document, terrain, where, sizeof where);
            status = rill_fail_prefix(RILL_BAD_SCENE, "%s: [terrain]", where);
        }
    }
    if (status == RILL_OK) {
        rl_scene_apply_features(scene);
        status = finish_ground(scene, terrain);
    }
    return status;
}
