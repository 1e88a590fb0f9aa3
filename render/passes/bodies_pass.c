// SPDX-License-Identifier: MIT
// bodies_pass.c - uploads bodies and draws them, material by material, and their shadows.
#include "render/passes/bodies_pass.h"

#include "render/ground/sun_map.h"
#include "render/passes/overhead_pass.h"
#include "render/render_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST_MAP 256
#define LARGEST_MAP  2048
#define ACROSS       24.0 // texels of the shadow map over half of a body, if the map allows
#define BORDER       4.0  // texels around all bodies that stay free: soft edges end there

#define VARIANT_BYTES 160

struct bodies {
    GLuint programs[RILL_MATERIAL_COUNT]; // 0: not built yet
    bool refused[RILL_MATERIAL_COUNT];    // by the driver
    char variant[VARIANT_BYTES];          // that they were built for
    GLuint array, vertices, own, indices;
    uint64_t version; // of the triangles on the card
    GLsizei index_count;
    size_t first_index[RILL_MATERIAL_COUNT + 1];
    size_t count;
    frame_body *each; // bodies of the last frame data that have a position
    size_t capacity;
    float size;
    double origin[2]; // of the grid in the full terrain, metres

    int map_side;
    GLuint map, target;
    bool moved; // since the map was drawn
    float cast[16];
    overhead above;
};

// ---- Life ------------------------------------------------------------------------------

rill_status bodies_create(bodies **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? RILL_OK : render_fail(RILL_NO_MEMORY, "no memory to draw bodies");
}

static void delete_programs(bodies *b)
{
    for (int k = 0; k < RILL_MATERIAL_COUNT; k++)
        glDeleteProgram(b->programs[k]);
    memset(b->programs, 0, sizeof b->programs);
    memset(b->refused, 0, sizeof b->refused);
}

void bodies_destroy(bodies **out)
{
    if (out == NULL || *out == NULL)
        return;
    bodies *b = *out;
    delete_programs(b);
    overhead_destroy(&b->above);
    const GLuint buffers[] = {b->vertices, b->own, b->indices};
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(1, &b->array);
    glDeleteTextures(1, &b->map);
    glDeleteFramebuffers(1, &b->target);
    free(b->each);
    free(b);
    *out = NULL;
}

static void attribute(GLuint place, GLint count, GLenum type, size_t stride, size_t offset)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, count, type, type == GL_SHORT, (GLsizei)stride,
                          (const char *)NULL + offset);
}

static void make_array(bodies *b)
{
    const size_t moving = sizeof(frame_body_vertex), fixed = sizeof(frame_body_own);
    glGenVertexArrays(1, &b->array);
    glGenBuffers(1, &b->vertices);
    glGenBuffers(1, &b->own);
    glGenBuffers(1, &b->indices);
    glBindVertexArray(b->array);
    glBindBuffer(GL_ARRAY_BUFFER, b->vertices);
    attribute(0, 3, GL_FLOAT, moving, offsetof(frame_body_vertex, position));
    attribute(1, 3, GL_SHORT, moving, offsetof(frame_body_vertex, normal));
    glBindBuffer(GL_ARRAY_BUFFER, b->own);
    attribute(4, 4, GL_FLOAT, fixed, offsetof(frame_body_own, place));
    attribute(5, 4, GL_FLOAT, fixed, offsetof(frame_body_own, half));
    attribute(6, 4, GL_FLOAT, fixed, offsetof(frame_body_own, colour));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b->indices);
    glBindVertexArray(0);
}

// ---- Frame data ------------------------------------------------------------------------

static bool is_somewhere(const frame_body *body)
{
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += body->low[k] + body->high[k];
    return isfinite(sum);
}

static bool note_boxes(bodies *b, const frame_bodies *from)
{
    b->count = 0;
    b->size = 0.0f;
    if (from->count > b->capacity) {
        frame_body *larger = realloc(b->each, (from->count + from->count / 2) * sizeof *larger);
        if (larger == NULL)
            return false;
        b->each = larger;
        b->capacity = from->count + from->count / 2;
    }
    for (size_t n = 0; n < from->count; n++) {
        if (!is_somewhere(&from->each[n]))
            continue;
        const frame_body *body = &from->each[n];
        double diagonal = 0.0;
        for (int k = 0; k < 3; k++)
            diagonal += pow((double)(body->high[k] - body->low[k]), 2.0);
        b->size += (float)(0.5 * sqrt(diagonal));
        b->each[b->count++] = *body;
    }
    b->size /= b->count > 0 ? (float)b->count : 1.0f;
    return true;
}

static void upload_own(bodies *b, const frame_bodies *from)
{
    glBindBuffer(GL_ARRAY_BUFFER, b->own);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(from->vertex_count * sizeof *from->own), from->own,
                 GL_DYNAMIC_DRAW);
    glBindVertexArray(b->array);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(from->index_count * sizeof *from->indices),
                 from->indices, GL_DYNAMIC_DRAW);
    glBindVertexArray(0);
    memcpy(b->first_index, from->first_index, sizeof b->first_index);
    b->version = from->version;
}

void bodies_upload(bodies *b, const frame_data *s)
{
    const frame_bodies *from = &s->bodies;
    b->index_count = 0;
    // Without memory the bodies are not shown.
    if (!note_boxes(b, from) || b->count == 0 || from->index_count == 0)
        return;
    if (b->array == 0)
        make_array(b);
    if (b->version != from->version)
        upload_own(b, from);
    glBindBuffer(GL_ARRAY_BUFFER, b->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(from->vertex_count * sizeof *from->vertices),
                 from->vertices, GL_STREAM_DRAW);
    b->index_count = (GLsizei)from->index_count;
    memcpy(b->origin, s->origin, sizeof b->origin);
    b->moved = true;
}

bool bodies_shown(const bodies *b)
{
    return b->index_count > 0;
}

GLuint bodies_array(const bodies *b)
{
    return b->array;
}

GLsizei bodies_index_count(const bodies *b)
{
    return b->index_count;
}

float bodies_size(const bodies *b)
{
    return b->size;
}

// Returns the program of a material, built when it is first needed.
static GLuint program_of(bodies *b, int material)
{
    static const char *const names[RILL_MATERIAL_COUNT] = {
        [RILL_MATERIAL_PLAIN] = "plain",   [RILL_MATERIAL_CRATE] = "crate",
        [RILL_MATERIAL_BARREL] = "barrel", [RILL_MATERIAL_STONE] = "stone",
        [RILL_MATERIAL_BOAT] = "boat",     [RILL_MATERIAL_CLOTH] = "cloth",
        [RILL_MATERIAL_METAL] = "metal",   [RILL_MATERIAL_BALL] = "ball"};
    char defines[2 * VARIANT_BYTES];
    if (b->programs[material] == 0 && !b->refused[material]) {
        snprintf(defines, sizeof defines, "%s#define MATERIAL %s\n", b->variant, names[material]);
        b->programs[material] = gl_program("bodies_vertex", "bodies_fragment", defines);
        b->refused[material] = b->programs[material] == 0;
    }
    return b->programs[material];
}

void bodies_draw(bodies *b, const char *variant)
{
    if (b->index_count == 0)
        return;
    if (strcmp(b->variant, variant) != 0) {
        delete_programs(b);
        snprintf(b->variant, sizeof b->variant, "%s", variant);
    }
    for (int material = 0; material < RILL_MATERIAL_COUNT; material++) {
        const size_t first = b->first_index[material], count = b->first_index[material + 1] - first;
        const GLuint program = count > 0 ? program_of(b, material) : 0;
        if (program == 0)
            continue;
        glUseProgram(program);
        glBindVertexArray(b->array);
        glDrawElements(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT,
                       (const uint32_t *)NULL + first);
    }
    glBindVertexArray(0);
}

float bodies_highest(const bodies *b)
{
    float highest = -1e9f;
    for (size_t n = 0; bodies_shown(b) && n < b->count; n++)
        highest = fmaxf(highest, b->each[n].high[2]);
    return highest;
}

void bodies_stretch(const bodies *b, camera_bounds *bounds)
{
    for (size_t n = 0; bodies_shown(b) && n < b->count; n++)
        for (int k = 0; k < 3; k++) {
            bounds->low[k] = fmin(bounds->low[k], (double)b->each[n].low[k]);
            bounds->high[k] = fmax(bounds->high[k], (double)b->each[n].high[k]);
        }
}

// ---- Shadows ---------------------------------------------------------------------------

// An interval along an axis.
typedef struct span {
    double low, high;
} span;

static void widen(span *s, const double axis[3], const double low[3], const double high[3])
{
    double least = 0.0, most = 0.0;
    for (int k = 0; k < 3; k++) {
        least += axis[k] * (axis[k] > 0.0 ? low[k] : high[k]);
        most += axis[k] * (axis[k] > 0.0 ? high[k] : low[k]);
    }
    s->low = fmin(s->low, least);
    s->high = fmax(s->high, most);
}

static span span_of_bodies(const bodies *b, const double axis[3])
{
    span s = {(double)INFINITY, -(double)INFINITY};
    for (size_t n = 0; n < b->count; n++) {
        const float *l = b->each[n].low, *h = b->each[n].high;
        const double low[3] = {(double)l[0], (double)l[1], (double)l[2]};
        const double high[3] = {(double)h[0], (double)h[1], (double)h[2]};
        widen(&s, axis, low, high);
    }
    return s;
}

// Computes the texels that a map of all bodies needs, a power of two, and the edge of a texel. It
// only takes certain sizes, so that shadows of bodies that move about do not flicker.
static double choose_texel(const bodies *b, double longest, int *side)
{
    const double wanted = fmax((double)b->size, 1e-6) / ACROSS;
    *side = SMALLEST_MAP;
    while (*side < LARGEST_MAP && longest > wanted * (*side - 2.0 * BORDER))
        *side *= 2;
    const double least = longest / (*side - 2.0 * BORDER);
    return exp2(ceil(4.0 * log2(fmax(least, wanted))) / 4.0);
}

// The map has a fixed place in the full terrain, in steps of a texel.
static double snapped(const bodies *b, const double axis[3], double middle, double texel)
{
    const double shift = axis[0] * b->origin[0] + axis[1] * b->origin[1];
    return round((middle + shift) / texel) * texel - shift;
}

static void make_map(bodies *b, int side)
{
    if (side == b->map_side)
        return;
    glDeleteTextures(1, &b->map);
    glDeleteFramebuffers(1, &b->target);
    b->map_side = side;
    b->map =
        gl_texture(&(gl_texture_def){side, side, GL_DEPTH_COMPONENT24, false, false, false, NULL});
    b->target = gl_depth_framebuffer(b->map);
}

void bodies_cast(bodies *b, GLuint program, const camera_bounds *bounds, frame_block *block)
{
    double axes[3][3];
    int side;
    sun_map_axes(block->sun, axes);
    const span x = span_of_bodies(b, axes[0]), y = span_of_bodies(b, axes[1]);
    span depth = span_of_bodies(b, axes[2]);
    widen(&depth, axes[2], bounds->low, bounds->high);
    const double texel = choose_texel(b, fmax(x.high - x.low, y.high - y.low), &side);
    const double half = 0.5 * texel * side;
    sun_map_row(axes[0], 0, snapped(b, axes[0], 0.5 * (x.low + x.high), texel), half,
                block->sun_view);
    sun_map_row(axes[1], 1, snapped(b, axes[1], 0.5 * (y.low + y.high), texel), half,
                block->sun_view);
    sun_map_row(axes[2], 2, 0.5 * (depth.low + depth.high), 0.51 * (depth.high - depth.low) + texel,
                block->sun_view);
    block->solid[0] = (float)texel;
    const bool same = !b->moved && memcmp(b->cast, block->sun_view, sizeof b->cast) == 0;
    if (same)
        return;
    b->moved = false;
    memcpy(b->cast, block->sun_view, sizeof b->cast);
    make_map(b, side);
    sun_map_begin(b->target, side);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "to_sun"), 1, GL_FALSE, block->sun_view);
    glUniform1f(glGetUniformLocation(program, "thin"), 0.0f);
    glBindVertexArray(b->array);
    glDrawElements(GL_TRIANGLES, b->index_count, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
    sun_map_end();
}

GLuint bodies_shadow_map(const bodies *b)
{
    return b->map;
}

void bodies_cover(bodies *b, GLuint no_points, frame_block *block)
{
    overhead_things things = {.array = b->array,
                              .index_count = b->index_count,
                              .low = {INFINITY, INFINITY, INFINITY},
                              .high = {-INFINITY, -INFINITY, -INFINITY},
                              .size = b->size};
    for (size_t n = 0; n < b->count; n++)
        for (int k = 0; k < 3; k++) {
            things.low[k] = fminf(things.low[k], b->each[n].low[k]);
            things.high[k] = fmaxf(things.high[k], b->each[n].high[k]);
        }
    overhead_draw(&b->above, &things, no_points, block);
}

GLuint bodies_overhead_map(const bodies *b)
{
    return overhead_map(&b->above);
}
