// SPDX-License-Identifier: MIT
// ocean_pass.c - draws the open sea around the world.
#include "render/passes/ocean_pass.h"

#include "render/passes/wave_levels.h"
#include "render/render_error.h"
#include "render/view_box.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TILES 2
// The square with the long waves is larger than the one with the short ones by this factor: no
// small whole number, so that the two together hardly ever repeat.
#define LONGER 3.79
// Waves longer than this part of the smaller square are in the larger one: what repeats has many
// waves in it.
#define CUT 0.125

#define BLEND_CELLS 10 // from the border inwards: as wide as the absorbing layer

#define RAYS      512           // around the eye
#define BLOCK     16            // rings and rays of a block
#define DISPLACED 2000.0        // metres from the eye up to which rings lie close
#define FAR_RINGS 1.09          // from ring to ring beyond that
#define HORIZON   2000.0        // times the eye's height: the rest is less than a pixel
#define LEAST_FAR 20000.0       // metres
#define FULL_TURN 6.28318530718 // radians
#define MAX_RINGS 1024

struct ocean {
    rill_sea_def def;
    double level;
    int nx, ny;
    float cell_size;
    rill_sea *seas[TILES];
    double edges[TILES]; // metres
    GLuint moves, slopes, share_map;
    GLuint array, indices;
    uint8_t *shares;
    uint16_t *halves[2];
    float *scratch;
    double time;
    bool moved;
};

// ---- Life --------------------------------------------------------------------------------

bool ocean_fits(const ocean *o, const rill_view *view)
{
    if (o == NULL || view->open_sea.size <= 0)
        return o == NULL && view->open_sea.size <= 0;
    const rill_sea_def *a = &o->def, *b = &view->open_sea;
    return a->size == b->size && a->tile == b->tile && a->wind == b->wind &&
           a->wind_direction == b->wind_direction && a->height == b->height &&
           a->shortest == b->shortest && a->longest == b->longest && a->depth == b->depth &&
           a->gravity == b->gravity && a->loop == b->loop && a->chop == b->chop &&
           a->seed == b->seed && o->level == view->open_sea_level;
}

// Returns the part of the sea in square `k`: 0 has the long waves, 1 the short ones.
static rill_sea_def part_of(const rill_sea_def *whole, int k)
{
    rill_sea_def def = *whole;
    const double cut = CUT * whole->tile;
    if (k == 0) {
        def.tile = LONGER * whole->tile;
        def.shortest = fmax(whole->shortest, cut);
    } else {
        def.longest = fmin(whole->longest, cut);
        def.seed = whole->seed + 1;
    }
    // A square is empty when all waves are on the other side of the cut.
    if (!(def.shortest < def.longest)) {
        def.height = 0.0;
        def.shortest = 0.0;
        def.longest = INFINITY;
    }
    return def;
}

static rill_status make_seas(ocean *o)
{
    for (int k = 0; k < TILES; k++) {
        const rill_sea_def def = part_of(&o->def, k);
        const rill_status status = rill_sea_create(&def, &o->seas[k]);
        if (status != RILL_OK)
            return render_fail_from_rill(status);
        o->edges[k] = def.tile;
    }
    return RILL_OK;
}

// Makes a texture for both squares, with all levels.
static GLuint make_layers(int size)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_PICTURE);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    for (int level = 0, side = size; side > 0; level++, side /= 2)
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA16F, side, side, TILES, 0, GL_RGBA,
                     GL_HALF_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    return texture;
}

// Triangles of a block over (BLOCK + 1)^2 points.
static void make_block(ocean *o)
{
    uint16_t indices[BLOCK * BLOCK * 6];
    for (int n = 0; n < BLOCK * BLOCK; n++) {
        const int row = BLOCK + 1, a = n / BLOCK * row + n % BLOCK;
        const int corners[6] = {a, a + row, a + row + 1, a, a + row + 1, a + 1};
        for (int k = 0; k < 6; k++)
            indices[6 * n + k] = (uint16_t)corners[k];
    }
    glGenVertexArrays(1, &o->array);
    glGenBuffers(1, &o->indices);
    glBindVertexArray(o->array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, o->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glBindVertexArray(0);
}

static rill_status reserve(ocean *o)
{
    const size_t texels = wave_levels_texels(o->def.size);
    o->shares = calloc((size_t)o->nx * (size_t)o->ny, 1);
    o->halves[0] = malloc(4 * texels * sizeof *o->halves[0]);
    o->halves[1] = malloc(4 * texels * sizeof *o->halves[1]);
    o->scratch = malloc(wave_levels_scratch(o->def.size) * sizeof *o->scratch);
    if (o->shares == NULL || o->halves[0] == NULL || o->halves[1] == NULL || o->scratch == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for an open sea of %d x %d points",
                           o->def.size, o->def.size);
    return RILL_OK;
}

rill_status ocean_create(const rill_view *view, int nx, int ny, float cell_size, ocean **out)
{
    *out = NULL;
    if (view->open_sea.size <= 0)
        return RILL_OK;
    ocean *o = calloc(1, sizeof *o);
    if (o == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for an open sea");
    o->def = view->open_sea;
    o->level = view->open_sea_level;
    o->nx = nx;
    o->ny = ny;
    o->cell_size = cell_size;
    rill_status status = make_seas(o);
    if (status == RILL_OK)
        status = reserve(o);
    if (status != RILL_OK) {
        ocean_destroy(&o);
        return status;
    }
    o->moves = make_layers(o->def.size);
    o->slopes = make_layers(o->def.size);
    o->share_map = gl_texture(&(gl_texture_def){nx, ny, GL_R8, true, false, false, o->shares});
    make_block(o);
    ocean_move(o, 0.0);
    *out = o;
    return RILL_OK;
}

void ocean_destroy(ocean **out)
{
    if (out == NULL || *out == NULL)
        return;
    ocean *o = *out;
    const GLuint textures[] = {o->moves, o->slopes, o->share_map};
    for (int k = 0; k < TILES; k++)
        rill_sea_destroy(&o->seas[k]);
    glDeleteTextures(3, textures);
    glDeleteBuffers(1, &o->indices);
    glDeleteVertexArrays(1, &o->array);
    free(o->shares);
    free(o->halves[0]);
    free(o->halves[1]);
    free(o->scratch);
    free(o);
    *out = NULL;
}

// ---- The border --------------------------------------------------------------------------

static float ramp(float value, float from, float to)
{
    const float t = fminf(fmaxf((value - from) / (to - from), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Returns whether the sea stands over a cell, softly: from its level down to a quarter of a cell.
static float drowned(const ocean *o, const float *bed, int i, int j)
{
    const float below = (float)o->level - bed[(size_t)j * (size_t)o->nx + (size_t)i];
    return ramp(below, 0.0f, 0.25f * o->cell_size);
}

void ocean_set_ground(ocean *o, const float *bed)
{
    for (int j = 0; j < o->ny; j++)
        for (int i = 0; i < o->nx; i++) {
            const int ends[4][3] = {
                {i, 0, j}, {o->nx - 1 - i, o->nx - 1, j}, {j, i, 0}, {o->ny - 1 - j, i, o->ny - 1}};
            float most = 0.0f;
            for (int side = 0; side < 4; side++) {
                const int *end = ends[side]; // cells from it; the cell at it
                if (end[0] < BLEND_CELLS)
                    most = fmaxf(most, ramp((float)end[0], BLEND_CELLS, 0.0f) *
                                           drowned(o, bed, end[1], end[2]));
            }
            if (most > 0.0f)
                most *= drowned(o, bed, i, j);
            o->shares[(size_t)j * (size_t)o->nx + (size_t)i] = (uint8_t)(most * 255.0f + 0.5f);
        }
    gl_texture_rows(o->share_map, GL_R8, o->nx, 0, o->ny, o->shares);
}

float ocean_share(const ocean *o, int i, int j)
{
    return (float)o->shares[(size_t)j * (size_t)o->nx + (size_t)i] / 255.0f;
}

// ---- Waves -------------------------------------------------------------------------------

static void upload_layer(GLuint texture, int layer, int size, const uint16_t *halves)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_PICTURE);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    for (int level = 0, side = size; side > 0; level++, side /= 2) {
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, side, side, 1, GL_RGBA,
                        GL_HALF_FLOAT, halves);
        halves += 4 * (size_t)side * (size_t)side;
    }
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
}

void ocean_move(ocean *o, double time)
{
    if (o->moved && time == o->time)
        return;
    for (int k = 0; k < TILES; k++) {
        if (rill_sea_update(o->seas[k], NULL, time) != RILL_OK)
            return;
        const rill_sea_view sea = rill_sea_get(o->seas[k]);
        wave_levels_pack(&sea, WAVE_FOLD, o->scratch, o->halves[0], o->halves[1]);
        upload_layer(o->moves, k, o->def.size, o->halves[0]);
        upload_layer(o->slopes, k, o->def.size, o->halves[1]);
    }
    o->time = time;
    o->moved = true;
}

void ocean_bind(const ocean *o)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_SEA_MOVES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, o->moves);
    glActiveTexture(GL_TEXTURE0 + UNIT_SEA_SLOPES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, o->slopes);
    gl_bind(UNIT_SEA_SHARE, o->share_map);
}

// Returns the highest wave to be expected, metres.
static double highest(const ocean *o)
{
    double variance = 0.0;
    for (int k = 0; k < TILES; k++)
        variance += rill_sea_get(o->seas[k]).variance;
    return 5.0 * sqrt(variance);
}

void ocean_fill(const ocean *o, wave_block *block)
{
    block->sea[0] = (float)o->level;
    block->sea[1] = (float)o->edges[0];
    block->sea[2] = (float)o->edges[1];
    block->sea[3] = (float)(FULL_TURN / RAYS);
    block->sea_waves[0] = o->cell_size;
    // Troughs stay above it.
    block->sea_waves[1] = 0.25f * o->cell_size + 0.6f * (float)highest(o);
}

// ---- Drawing -----------------------------------------------------------------------------

static double far_of(const ocean *o, const double eye[3])
{
    return fmax(HORIZON * fabs(eye[2] - o->level), LEAST_FAR);
}

void ocean_stretch(const ocean *o, const camera *eye, float projection[16])
{
    const double a = (double)projection[10], b = (double)projection[14];
    // The entries are floats and the far plane hardly shows in them, the near one does.
    const double near = b / (a - 1.0), far = far_of(o, eye->position) * 1.1;
    const double slant = 1.0 / (double)projection[0] + 1.0 / (double)projection[5] + 1.0;
    const double above = eye->position[2] - o->level - highest(o);
    const double least = 0.02 * (double)o->cell_size;
    const double nearest = fmin(near, fmax(above / slant, least));
    projection[10] = (float)(-(far + nearest) / (far - nearest));
    projection[14] = (float)(-2.0 * far * nearest / (far - nearest));
}

// Computes the distances of the rings from the camera: as far apart as their points are along them,
// but never much closer than the waves of a cell; beyond where waves can be told apart they get
// wider and wider.
static int make_rings(const ocean *o, const double eye[3], float rings[MAX_RINGS])
{
    const double last = far_of(o, eye), wide = FULL_TURN / RAYS;
    const double least = 0.5 * (double)o->cell_size;
    double radius = 0.0;
    int count = 0;
    rings[count++] = 0.0f;
    while (count < MAX_RINGS - BLOCK && radius < last) {
        radius = radius < DISPLACED ? radius + fmax(least, wide * radius) : radius * FAR_RINGS;
        rings[count++] = (float)fmin(radius, last);
    }
    while ((count - 1) % BLOCK != 0) // whole blocks; rings on top of each other are not seen
        rings[count++] = (float)last;
    return count;
}

static bool well_inside(const ocean *o, double x, double y)
{
    const double cell = (double)o->cell_size;
    return x > cell && y > cell && x < (o->nx - 1) * cell && y < (o->ny - 1) * cell;
}

// Returns whether a block of rings and rays is in the picture and not all inside the world.
static bool block_seen(const ocean *o, const double eye[3], const float *rings, int ray,
                       double high, const float view_projection[16])
{
    double low[3] = {(double)INFINITY, (double)INFINITY, o->level - high};
    double top[3] = {-(double)INFINITY, -(double)INFINITY, o->level + high};
    bool inside = true;
    for (int k = 0; k <= BLOCK; k++) {
        const double angle = FULL_TURN * (ray + k) / RAYS;
        for (int end = 0; end < 2; end++) {
            const double radius = (double)rings[end * BLOCK];
            const double x = eye[0] + radius * cos(angle), y = eye[1] + radius * sin(angle);
            inside = inside && well_inside(o, x, y);
            low[0] = fmin(low[0], x - high);
            low[1] = fmin(low[1], y - high);
            top[0] = fmax(top[0], x + high);
            top[1] = fmax(top[1], y + high);
        }
    }
    return !inside && !view_box_outside(low, top, view_projection);
}

void ocean_draw(const ocean *o, GLuint program, const float view_projection[16],
                const double eye[3])
{
    float rings[MAX_RINGS];
    const int count = make_rings(o, eye, rings);
    const double high = highest(o);
    const GLint radii_place = glGetUniformLocation(program, "radii");
    const GLint first_place = glGetUniformLocation(program, "first_ray");
    glUseProgram(program);
    glBindVertexArray(o->array);
    for (int ring = 0; ring + BLOCK < count; ring += BLOCK)
        for (int ray = 0; ray < RAYS; ray += BLOCK) {
            if (!block_seen(o, eye, rings + ring, ray, high, view_projection))
                continue;
            glUniform1fv(radii_place, BLOCK + 1, rings + ring);
            glUniform1f(first_place, (float)ray);
            glDrawElements(GL_TRIANGLES, BLOCK * BLOCK * 6, GL_UNSIGNED_SHORT, NULL);
        }
    glBindVertexArray(0);
}
