// SPDX-License-Identifier: MIT
// renderer.c - creates and destroys a renderer, and uploads frame data to the graphics card. The
// passes of a picture are in renderer_draw.c.
#include "render/renderer_internal.h"

#include "render/ground/tiles.h"
#include "render/half.h"
#include "render/render_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TILE_SIDE 256
#define TILE_SEED 7u

double renderer_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// ---- Textures that never change --------------------------------------------------------

// Computes slopes of the noise beside the noise itself, so that one texture read gives colour and
// bump.
static void slopes_of_noise(int n, const uint8_t *noise, uint8_t *grain)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int east = noise[4 * (j * n + (i + 1) % n) + 1];
            const int west = noise[4 * (j * n + (i + n - 1) % n) + 1];
            const int north = noise[4 * ((j + 1) % n * n + i) + 1];
            const int south = noise[4 * ((j + n - 1) % n * n + i) + 1];
            uint8_t *texel = &grain[4 * (j * n + i)];
            const int slope[2] = {128 + 2 * (west - east), 128 + 2 * (south - north)};
            for (int k = 0; k < 2; k++)
                texel[k] = (uint8_t)(slope[k] < 0 ? 0 : slope[k] > 255 ? 255 : slope[k]);
            texel[2] = noise[4 * (j * n + i) + 1];
            texel[3] = noise[4 * (j * n + i) + 2];
        }
}

static rill_status make_tiles(renderer *r)
{
    const size_t texels = TILE_SIDE * TILE_SIDE;
    float *waves = malloc(4 * texels * sizeof *waves);
    uint16_t *halves = malloc(4 * texels * sizeof *halves);
    uint8_t *noise = malloc(4 * texels), *grain = malloc(4 * texels);
    rill_status status = RILL_OK;
    if (waves == NULL || halves == NULL || noise == NULL || grain == NULL) {
        status = render_fail(RILL_NO_MEMORY, "no memory for the renderer's textures");
    } else {
        tile_waves(TILE_SIDE, TILE_SEED, waves);
        for (size_t n = 0; n < 4 * texels; n++)
            halves[n] = half_from_float(waves[n]);
        r->wave_tile = gl_texture(
            &(gl_texture_def){TILE_SIDE, TILE_SIDE, GL_RGBA16F, true, true, true, halves});
        tile_noise(TILE_SIDE, TILE_SEED, noise);
        slopes_of_noise(TILE_SIDE, noise, grain);
        r->grain_tile =
            gl_texture(&(gl_texture_def){TILE_SIDE, TILE_SIDE, GL_RGBA8, true, true, true, grain});
        tile_foam(TILE_SIDE, TILE_SEED, noise);
        r->bubble_tile =
            gl_texture(&(gl_texture_def){TILE_SIDE, TILE_SIDE, GL_R8, true, true, true, noise});
    }
    free(waves);
    free(halves);
    free(noise);
    free(grain);
    return status;
}

void renderer_variant_defines(const program_variant *variant, char defines[VARIANT_BYTES])
{
    snprintf(defines, VARIANT_BYTES, "%s%s%s%s%s%s%s%s%s", variant->solid ? "#define SOLID\n" : "",
             variant->studio ? "#define STUDIO\n" : "",
             variant->meniscus ? "#define MENISCUS\n" : "", variant->waves ? "#define WAVES\n" : "",
             variant->sea ? "#define SEA\n" : "", variant->bodies ? "#define BODIES\n" : "",
             variant->river ? "#define RIVER\n" : "",
             variant->wave_particles ? "#define WAVE_PARTICLES\n" : "",
             variant->landscape ? "#define LANDSCAPE\n" : "");
}

static rill_status make_programs(const program_variant *variant, GLuint programs[PROGRAM_COUNT])
{
    static const char *const shaders[PROGRAM_COUNT][2] = {
        [PROGRAM_SHAPE] = {"ground_vertex", "shape_fragment"},
        [PROGRAM_GROUND] = {"screen_vertex", "ground_fragment"},
        [PROGRAM_BODY] = {"body_vertex", "body_fragment"},
        [PROGRAM_SOLID] = {"screen_vertex", "solid_fragment"},
        [PROGRAM_SHADOW] = {"shadow_vertex", "shadow_fragment"},
        [PROGRAM_PANE] = {"pane_vertex", "water_side_fragment"},
        [PROGRAM_SIDE] = {"side_vertex", "side_fragment"},
        [PROGRAM_SKY] = {"screen_vertex", "sky_fragment"},
        [PROGRAM_SURFACE] = {"water_vertex", "surface_fragment"},
        [PROGRAM_FINE] = {"fine_vertex", "surface_fragment"},
        [PROGRAM_OCEAN] = {"ocean_vertex", "ocean_fragment"},
        [PROGRAM_WATER] = {"screen_vertex", "water_fragment"},
        [PROGRAM_WATER_SIDE] = {"side_vertex", "water_side_fragment"},
        [PROGRAM_ARROW] = {"arrow_vertex", "arrow_fragment"},
        [PROGRAM_TONE] = {"screen_vertex", "tone_fragment"},
        [PROGRAM_FINISH] = {"screen_vertex", "finish_fragment"},
    };
    static const bool of_land[PROGRAM_COUNT] = {[PROGRAM_SHAPE] = true,
                                                [PROGRAM_GROUND] = true,
                                                [PROGRAM_SIDE] = true,
                                                [PROGRAM_WATER_SIDE] = true};
    static const bool of_solid[PROGRAM_COUNT] = {
        [PROGRAM_BODY] = true, [PROGRAM_SOLID] = true, [PROGRAM_PANE] = true};
    char defines[VARIANT_BYTES];
    renderer_variant_defines(variant, defines);
    for (int k = 0; k < PROGRAM_COUNT; k++) {
        if ((variant->solid ? of_land[k] : of_solid[k]) || (k == PROGRAM_FINE && !variant->waves) ||
            (k == PROGRAM_OCEAN && !variant->sea) ||
            (k == PROGRAM_SHADOW && !variant->solid && !variant->bodies))
            continue;
        programs[k] = gl_program(shaders[k][0], shaders[k][1], defines);
        if (programs[k] == 0)
            return RILL_NO_BACKEND;
    }
    return RILL_OK;
}

static void delete_programs(GLuint programs[PROGRAM_COUNT])
{
    for (int k = 0; k < PROGRAM_COUNT; k++)
        glDeleteProgram(programs[k]);
}

// Builds the programs that another kind of world or backdrop needs. Should the driver refuse one,
// everything is drawn as before.
static void fit_programs(renderer *r, program_variant wanted)
{
    const program_variant *now = &r->variant;
    GLuint programs[PROGRAM_COUNT] = {0};
    if (now->solid == wanted.solid && now->studio == wanted.studio &&
        now->meniscus == wanted.meniscus && now->waves == wanted.waves && now->sea == wanted.sea &&
        now->bodies == wanted.bodies && now->river == wanted.river &&
        now->wave_particles == wanted.wave_particles && now->landscape == wanted.landscape)
        return;
    if (make_programs(&wanted, programs) != RILL_OK) {
        delete_programs(programs);
        return;
    }
    delete_programs(r->programs);
    memcpy(r->programs, programs, sizeof programs);
    r->variant = wanted;
}

// ---- Buffers and maps ------------------------------------------------------------------

static void make_maps(renderer *r)
{
    const int nx = r->def.nx, ny = r->def.ny;
    r->height_map = gl_texture(&(gl_texture_def){nx, ny, GL_R32F, false, false, false, 0});
    r->relief_map = gl_texture(&(gl_texture_def){nx, ny, GL_RGBA16F, true, false, false, 0});
    r->column_map = gl_texture(&(gl_texture_def){nx, ny, GL_RGBA16F, true, false, false, 0});
    r->sky_map =
        gl_texture(&(gl_texture_def){SKY_WIDTH, SKY_HEIGHT, GL_RGBA16F, true, false, false, 0});
}

static void attribute(GLuint place, GLint count, GLenum type, GLboolean unit, size_t offset)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, count, type, unit, sizeof(frame_vertex),
                          (const char *)NULL + offset);
}

// Direction and angle stand in two attributes, because they are of two types.
static void meniscus_attributes(void)
{
    const char *const start = NULL;
    glEnableVertexAttribArray(4);
    glEnableVertexAttribArray(5);
    glVertexAttribPointer(4, 2, GL_SHORT, GL_TRUE, sizeof(frame_meniscus),
                          start + offsetof(frame_meniscus, direction));
    glVertexAttribPointer(5, 2, GL_HALF_FLOAT, GL_FALSE, sizeof(frame_meniscus),
                          start + offsetof(frame_meniscus, angle));
}

static void make_buffers(renderer *r)
{
    glGenBuffers(1, &r->block_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, r->block_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof r->block, NULL, GL_DYNAMIC_DRAW);
    glGenBuffers(1, &r->wave_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, r->wave_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof r->waves, NULL, GL_DYNAMIC_DRAW);
    glGenVertexArrays(1, &r->no_points);
    glGenVertexArrays(1, &r->water_array);
    glGenBuffers(1, &r->water_vertices);
    glGenBuffers(1, &r->water_indices);
    glGenBuffers(1, &r->water_meniscus);
    glBindVertexArray(r->water_array);
    glBindBuffer(GL_ARRAY_BUFFER, r->water_vertices);
    attribute(0, 3, GL_FLOAT, GL_FALSE, offsetof(frame_vertex, position));
    attribute(1, 2, GL_SHORT, GL_TRUE, offsetof(frame_vertex, normal));
    attribute(2, 2, GL_HALF_FLOAT, GL_FALSE, offsetof(frame_vertex, velocity));
    attribute(3, 2, GL_HALF_FLOAT, GL_FALSE, offsetof(frame_vertex, depth));
    glBindBuffer(GL_ARRAY_BUFFER, r->water_meniscus);
    meniscus_attributes();
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, r->water_indices);
    glBindVertexArray(0);
}

static rill_status check_size(const renderer_def *def)
{
    GLint longest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &longest);
    if (def->nx < 2 || def->ny < 2 || def->nx > longest || def->ny > longest)
        return render_fail(
            RILL_BAD_ARGUMENT,
            "a world of %d x %d cells cannot be drawn; the driver's limit is %d a side", def->nx,
            def->ny, longest);
    return RILL_OK;
}

rill_status renderer_create(const renderer_def *def, renderer **out)
{
    *out = NULL;
    if (!gl_check())
        return RILL_NO_BACKEND;
    rill_status status = check_size(def);
    if (status != RILL_OK)
        return status;
    renderer *r = calloc(1, sizeof *r);
    if (r == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a renderer");
    r->def = *def;
    r->variant.studio = def->view.backdrop == RILL_BACKDROP_STUDIO;
    r->variant.sea = def->view.open_sea.size > 0;
    const char *coarsen = getenv("RILL_COARSEN");
    r->coarsen = coarsen == NULL || strcmp(coarsen, "0") != 0;
    r->known_bed = calloc((size_t)def->nx * (size_t)def->ny, sizeof *r->known_bed);
    if (r->known_bed == NULL)
        status = render_fail(RILL_NO_MEMORY, "no memory for the ground of %d x %d cells", def->nx,
                             def->ny);
    if (status == RILL_OK)
        status = make_programs(&r->variant, r->programs);
    if (status == RILL_OK)
        status = make_tiles(r);
    if (status == RILL_OK)
        status = flow_create(def->nx, def->ny, &r->detail);
    if (status == RILL_OK)
        status = ground_create(def->nx, def->ny, def->cell_size, &r->land);
    if (status == RILL_OK)
        status = relief_create(def->nx, def->ny, def->cell_size, &r->lit);
    if (status == RILL_OK)
        status = solid_create(&r->body);
    if (status == RILL_OK)
        status = particles_create(&r->flying);
    if (status == RILL_OK)
        status = bodies_create(&r->afloat);
    if (status == RILL_OK)
        status = ocean_create(&def->view, def->nx, def->ny, def->cell_size, &r->sea);
    if (status != RILL_OK) {
        renderer_destroy(&r);
        return status;
    }
    make_maps(r);
    make_buffers(r);
    fine_waves_create(def->nx, def->ny, def->cell_size, &r->fine);
    wave_particles_create(&r->wave_particles);
    renderer_set_view(r, &def->view);
    *out = r;
    return RILL_OK;
}

void renderer_destroy(renderer **out)
{
    if (out == NULL || *out == NULL)
        return;
    renderer *r = *out;
    const GLuint textures[] = {r->wave_tile,  r->grain_tile, r->bubble_tile, r->height_map,
                               r->relief_map, r->column_map, r->sky_map,     r->landscape_map};
    const GLuint buffers[] = {r->block_buffer, r->water_vertices, r->water_indices,
                              r->water_meniscus, r->wave_buffer};
    const GLuint arrays[] = {r->no_points, r->water_array};
    delete_programs(r->programs);
    glDeleteTextures(sizeof textures / sizeof textures[0], textures);
    glDeleteBuffers(sizeof buffers / sizeof buffers[0], buffers);
    glDeleteVertexArrays(sizeof arrays / sizeof arrays[0], arrays);
    targets_destroy(&r->between);
    flow_destroy(&r->detail);
    ground_destroy(&r->land);
    relief_destroy(&r->lit);
    solid_destroy(&r->body);
    particles_destroy(&r->flying);
    bodies_destroy(&r->afloat);
    fine_waves_destroy(&r->fine);
    wave_particles_destroy(&r->wave_particles);
    ocean_destroy(&r->sea);
    free(r->wet_regions);
    free(r->known_bed);
    free(r);
    *out = NULL;
}

// ---- View ------------------------------------------------------------------------------

// Terrain of kilometres has its material only as long as the view asks for land.
static bool shows_landscape(const renderer *r)
{
    return r->landscape_map != 0 && r->def.view.ground == RILL_GROUND_LAND;
}

static view_scale size_of(const renderer *r)
{
    return (view_scale){.nx = r->def.nx,
                        .ny = r->def.ny,
                        .cell_size = r->def.cell_size,
                        .low = r->low,
                        .high = r->high,
                        .solid = solid_shown(r->body),
                        .landscape = shows_landscape(r),
                        .shortest =
                            r->wave_particles.shown ? 2.0f * r->wave_particles.texel : 0.0f};
}

static void upload_sky(renderer *r)
{
    uint16_t texels[SKY_HEIGHT][SKY_WIDTH][4];
    for (int j = 0; j < SKY_HEIGHT; j++)
        for (int i = 0; i < SKY_WIDTH; i++)
            for (int k = 0; k < 4; k++)
                texels[j][i][k] = half_from_float(k < 3 ? r->light.radiance[j][i][k] : 1.0f);
    gl_texture_rows(r->sky_map, GL_RGBA16F, SKY_WIDTH, 0, SKY_HEIGHT, texels);
}

static void cast_shadows(renderer *r)
{
    if (!r->has_ground || solid_shown(r->body))
        return;
    relief_cast(r->lit, r->known_bed, r->block.sun);
    gl_texture_rows(r->relief_map, GL_RGBA16F, r->def.nx, 0, r->def.ny, relief_texels(r->lit));
}

// Makes another sea, if the view asks for one. If that fails, there is none.
static void fit_sea(renderer *r, const rill_view *view)
{
    if (ocean_fits(r->sea, view))
        return;
    ocean_destroy(&r->sea);
    ocean_create(view, r->def.nx, r->def.ny, r->def.cell_size, &r->sea);
    if (r->sea != NULL && r->has_ground)
        ocean_set_ground(r->sea, r->known_bed);
}

void renderer_set_view(renderer *r, const rill_view *view)
{
    const rill_view *old = &r->def.view;
    const bool light_changed = !r->has_light || old->time_of_day != view->time_of_day ||
                               old->latitude != view->latitude || old->heading != view->heading ||
                               old->visibility != view->visibility ||
                               old->backdrop != view->backdrop;
    r->def.view = *view;
    const view_scale size = size_of(r);
    if (light_changed) {
        sky_compute(view->time_of_day, view->latitude, view->heading, materials_haze(view, &size),
                    &r->light);
        r->has_light = true;
        upload_sky(r);
    }
    materials_fill(view, &r->light, &size, &r->block);
    materials_set_origin(r->origin, &r->block);
    if (light_changed)
        cast_shadows(r);
    fit_sea(r, view);
    program_variant variant = r->variant;
    variant.sea = r->sea != NULL && !variant.solid;
    variant.studio = view->backdrop == RILL_BACKDROP_STUDIO;
    variant.landscape = shows_landscape(r);
    fit_programs(r, variant);
}

// ---- Frame data ------------------------------------------------------------------------

// Finds the cells in which the bed differs from the one known. Returns false when there are none.
static bool changed_region(const renderer *r, const float *bed, relief_region *out)
{
    const int nx = r->def.nx, ny = r->def.ny;
    relief_region found = {nx, ny, 0, 0};
    for (int j = 0; j < ny; j++) {
        const float *was = r->known_bed + (size_t)j * (size_t)nx;
        const float *is = bed + (size_t)j * (size_t)nx;
        if (memcmp(was, is, (size_t)nx * sizeof *is) == 0)
            continue;
        found.j0 = j < found.j0 ? j : found.j0;
        found.j1 = j + 1;
        for (int i = 0; i < nx; i++)
            if (was[i] != is[i]) {
                found.i0 = i < found.i0 ? i : found.i0;
                found.i1 = i + 1 > found.i1 ? i + 1 : found.i1;
            }
    }
    *out = found;
    return found.i0 < found.i1;
}

static void upload_solid(renderer *r, const frame_data *s)
{
    const bool first = !solid_shown(r->body);
    if (!solid_upload(r->body, s))
        return;
    gl_texture_rows(r->height_map, GL_R32F, r->def.nx, 0, r->def.ny, s->bed);
    r->has_ground = true;
    if (!first)
        return;
    const camera_bounds bounds = solid_bounds(r->body);
    r->low = r->lowest = (float)bounds.low[2];
    r->high = r->highest = (float)bounds.high[2];
    const view_scale size = size_of(r);
    materials_fill(&r->def.view, &r->light, &size, &r->block);
}

// Follows a move of the domain: known ground moves with it, the rest is as the frame data have it.
static void move_known_bed(renderer *r, const float *bed, const int moved[2])
{
    const int nx = r->def.nx, ny = r->def.ny;
    for (int n = 0; n < ny; n++) {
        const int j = moved[1] >= 0 ? n : ny - 1 - n, from = j + moved[1];
        float *row = r->known_bed + (size_t)j * (size_t)nx;
        const float *is = bed + (size_t)j * (size_t)nx;
        for (int k = 0; k < nx; k++) {
            const int i = moved[0] >= 0 ? k : nx - 1 - k, at = i + moved[0];
            const bool stays = at >= 0 && at < nx && from >= 0 && from < ny;
            row[i] = stays ? r->known_bed[(size_t)from * (size_t)nx + (size_t)at] : is[i];
        }
    }
}

// Shows another part of the full terrain, and bakes anew what was dug meanwhile.
static void bake_moved(renderer *r, const frame_data *s, const int moved[2])
{
    relief_region dug;
    move_known_bed(r, s->bed, moved);
    const bool edited = changed_region(r, s->bed, &dug);
    relief_shift(r->lit, s->bed, moved[0], moved[1]);
    if (edited)
        relief_bake(r->lit, s->bed, dug);
}

static void upload_ground(renderer *r, const frame_data *s, const int moved[2])
{
    relief_region changed = {0, 0, r->def.nx, r->def.ny};
    if (r->has_ground && !changed_region(r, s->bed, &changed))
        return;
    const bool first = !r->has_ground, has_moved = moved[0] != 0 || moved[1] != 0;
    gl_texture_rows(r->height_map, GL_R32F, r->def.nx, 0, r->def.ny, s->bed);
    if (has_moved)
        bake_moved(r, s, moved);
    else
        relief_bake(r->lit, s->bed, changed);
    memcpy(r->known_bed, s->bed, (size_t)r->def.nx * (size_t)r->def.ny * sizeof *s->bed);
    ground_shape(r->land, r->known_bed, changed);
    r->has_ground = true;
    if (first) {
        // The palette and the foot of the block hold on to the range that the scene began with.
        ground_range(r->land, &r->low, &r->high);
        r->lowest = r->low;
        r->highest = r->high;
        const view_scale size = size_of(r);
        materials_fill(&r->def.view, &r->light, &size, &r->block);
    }
    if (has_moved) {
        float low, high;
        ground_range(r->land, &low, &high);
        r->lowest = fminf(r->lowest, low);
        r->highest = fmaxf(r->highest, high);
    }
    if (r->sea != NULL)
        ocean_set_ground(r->sea, r->known_bed);
    cast_shadows(r);
}

// ---- Ranges ----------------------------------------------------------------------------

// How often halves occur, by their upper bits: those of positive halves are in the order of size.
typedef struct half_counts {
    uint16_t of[0x8000 >> 4];
    int sum;
} half_counts;

static void count_half(half_counts *counts, uint16_t half)
{
    counts->of[(half & 0x7fffu) >> 4]++;
    counts->sum++;
}

// The value that 98 of 100 stay below.
static float usual_most(const half_counts *counts)
{
    int above = counts->sum / 50;
    int n = (int)(sizeof counts->of / sizeof counts->of[0]) - 1;
    while (n > 0 && above >= counts->of[n])
        above -= counts->of[n--];
    return half_to_float((uint16_t)(n << 4 | 15));
}

// Counts depths and speeds of a few thousand columns spread over the world. Rows and columns are
// both visited unevenly, so that no lattice hides a river.
static void count_columns(const frame_data *s, half_counts *depths, half_counts *speeds)
{
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    const size_t apart = cells / 4096 + 1;
    for (size_t n = 0, cell = 0; cell < cells; n++, cell = n * apart + (n * 2654435761u) % apart) {
        const frame_column *c = &s->columns[cell];
        if (half_to_float(c->depth) <= s->wet_depth)
            continue;
        const float x = half_to_float(c->velocity[0]), y = half_to_float(c->velocity[1]);
        count_half(depths, c->depth);
        count_half(speeds, half_from_float(sqrtf(x * x + y * y)));
    }
}

// Computes the values that the ends of scales follow from.
static void note_ranges(renderer *r, const frame_data *s)
{
    // One torrent must not make all the rest dark, hence not the largest value.
    half_counts depths = {0}, speeds = {0};
    count_columns(s, &depths, &speeds);
    r->usual = (overlay_columns){.depth = usual_most(&depths),
                                 .speed = usual_most(&speeds),
                                 .gravity = s->gravity,
                                 .cell_size = s->cell_size,
                                 .frame = s->step.substep * s->step.substeps};
    r->block.painted[2] = s->gravity;
    r->block.painted[3] = (float)r->usual.frame;
}

// Uploads triangles, and those of coarse patches behind them. Those of a river do not change.
static void upload_triangles(renderer *r, const frame_data *s, bool first)
{
    const bool river = s->carpet.version != 0;
    if (river && !first && s->carpet.version == r->carpet_version)
        return;
    const size_t all = s->index_count * sizeof *s->indices;
    const size_t coarse = river ? s->carpet.coarse_count * sizeof *s->indices : 0;
    glBindVertexArray(r->water_array);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(all + coarse), NULL,
                 river ? GL_STATIC_DRAW : GL_STREAM_DRAW);
    glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, (GLsizeiptr)all, s->indices);
    if (coarse > 0)
        glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, (GLintptr)all, (GLsizeiptr)coarse,
                        s->carpet.coarse);
    glBindVertexArray(0);
    r->carpet_version = s->carpet.version;
}

static void upload_water(renderer *r, const frame_data *s, bool first)
{
    gl_texture_rows(r->column_map, GL_RGBA16F, s->nx, 0, s->ny, s->columns);
    glBindBuffer(GL_ARRAY_BUFFER, r->water_vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(s->vertex_count * sizeof *s->vertices), s->vertices,
                 GL_STREAM_DRAW);
    if (s->has_meniscus) {
        glBindBuffer(GL_ARRAY_BUFFER, r->water_meniscus);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(s->vertex_count * sizeof *s->meniscus),
                     s->meniscus, GL_STREAM_DRAW);
    }
    upload_triangles(r, s, first);
    r->water_index_count = (GLsizei)s->index_count;
    r->casters_changed = true;
    r->has_curtains = s->has_curtains;
    if (s->solid_version != 0)
        solid_upload_panes(r->body, s);
}

// Computes how far the domain has moved over the full terrain since the last frame data, cells; 0
// when a history begins.
static void move_domain(renderer *r, const frame_data *s, bool first, int moved[2])
{
    for (int k = 0; k < 2; k++) {
        moved[k] = first || !r->has_ground ? 0 : s->first_cell[k] - r->first_cell[k];
        r->first_cell[k] = s->first_cell[k];
    }
    memcpy(r->origin, s->origin, sizeof r->origin);
    materials_set_origin(r->origin, &r->block);
}

void renderer_upload(renderer *r, const frame_data *s, bool first)
{
    int moved[2];
    const double started = renderer_clock();
    r->times.pass[PASS_UPLOAD] = r->times.pass[PASS_FLOW] = 0.0;
    program_variant variant = r->variant;
    variant.solid = s->solid_version != 0;
    variant.meniscus = s->has_meniscus;
    wave_particles_upload(&r->wave_particles, s, first);
    variant.river = s->carpet.version != 0;
    variant.wave_particles = r->wave_particles.shown;
    variant.waves = (s->waves.shown && !variant.solid) || variant.wave_particles;
    variant.sea = r->sea != NULL && !variant.solid;
    move_domain(r, s, first, moved);
    bodies_upload(r->afloat, s);
    variant.bodies = bodies_shown(r->afloat);
    if (s->solid_version != 0) {
        upload_solid(r, s);
    } else if (!r->has_ground || s->ground_version != r->ground_version) {
        upload_ground(r, s, moved);
        r->ground_version = s->ground_version;
        renderer_bake_landscape(r, s);
    }
    if (variant.river && (first || s->carpet.version != r->carpet_version))
        renderer_find_river(r, s);
    variant.landscape = shows_landscape(r);
    if (variant.landscape != r->variant.landscape ||
        variant.wave_particles != r->variant.wave_particles) {
        const view_scale size = size_of(r);
        materials_fill(&r->def.view, &r->light, &size, &r->block);
        materials_set_origin(r->origin, &r->block);
    }
    fit_programs(r, variant);
    const double with_water = renderer_clock();
    upload_water(r, s, first);
    particles_upload(r->flying, s);
    fine_waves_upload(&r->fine, s, variant.wave_particles, first);
    if (variant.sea)
        ocean_move(r->sea, s->time);
    r->time = s->time;
    r->block.planes[3] = s->wet_depth;
    note_ranges(r, s);
    r->times.calls = renderer_clock() - with_water;
    renderer_mark(r, PASS_UPLOAD, started);

    const double flowing = renderer_clock();
    renderer_bind_maps(r);
    renderer_send_block(r);
    const flow_step step = {
        .time = s->time,
        .first = first,
        .shift = {(float)moved[0] * s->cell_size, (float)moved[1] * s->cell_size},
        .regions = r->wet_regions,
        .region_count = variant.river ? r->wet_region_count : 0};
    flow_advance(&r->detail, &step, r->no_points);
    r->times.calls += renderer_clock() - flowing;
    renderer_mark(r, PASS_FLOW, flowing);
}
