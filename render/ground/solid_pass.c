// SPDX-License-Identifier: MIT
// solid_pass.c - uploads and draws a solid ground, the panes at its border and its shadow map.
#include "render/ground/solid_pass.h"

#include "render/ground/solid_trim.h"
#include "render/ground/sun_map.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST_MAP 256
#define LARGEST_MAP  2048
#define FOOT         0.035f // of the longer side, below the lowest ground
#define TRIM         1e-3f  // cells: a mesh that ends on the border is cut as well

struct solid {
    solid_mesh trimmed;
    uint64_t version;
    int nx, ny;
    float cell_size;
    camera_bounds bounds;
    GLuint array, vertices, indices;
    GLsizei index_count;
    GLuint pane_array, pane_vertices;
    GLsizei pane_count;
    // The map of the ground alone persists: what moves is drawn onto a copy of it.
    int map_side;
    GLuint ground_map, ground_target;
    GLuint shadow_map, shadow_target;
    float sun[3];
    double top;       // highest elevation that bodies have had
    bool cast;        // the ground is in its map
    bool with_moving; // the copy has liquid or bodies in it
};

// ---- Life ------------------------------------------------------------------------------

static void attribute(GLuint place, GLint count, GLenum type, GLboolean unit, size_t stride,
                      size_t offset)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, count, type, unit, (GLsizei)stride, (const char *)NULL + offset);
}

static void make_arrays(solid *s)
{
    glGenVertexArrays(1, &s->array);
    glGenBuffers(1, &s->vertices);
    glGenBuffers(1, &s->indices);
    glBindVertexArray(s->array);
    glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
    attribute(0, 3, GL_FLOAT, GL_FALSE, sizeof(frame_ground), offsetof(frame_ground, position));
    attribute(1, 4, GL_SHORT, GL_TRUE, sizeof(frame_ground), offsetof(frame_ground, normal));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    glGenVertexArrays(1, &s->pane_array);
    glGenBuffers(1, &s->pane_vertices);
    glBindVertexArray(s->pane_array);
    glBindBuffer(GL_ARRAY_BUFFER, s->pane_vertices);
    attribute(0, 4, GL_FLOAT, GL_FALSE, sizeof(frame_pane), offsetof(frame_pane, position));
    attribute(1, 2, GL_FLOAT, GL_FALSE, sizeof(frame_pane), offsetof(frame_pane, facing));
    glBindVertexArray(0);
}

static void free_maps(solid *s)
{
    const GLuint textures[] = {s->ground_map, s->shadow_map};
    const GLuint targets[] = {s->ground_target, s->shadow_target};
    glDeleteTextures(2, textures);
    glDeleteFramebuffers(2, targets);
}

static void make_maps(solid *s, int side)
{
    if (side == s->map_side)
        return;
    free_maps(s);
    s->map_side = side;
    const gl_texture_def def = {side, side, GL_DEPTH_COMPONENT24, false, false, false, NULL};
    s->ground_map = gl_texture(&def);
    s->ground_target = gl_depth_framebuffer(s->ground_map);
    s->shadow_map = gl_texture(&def);
    s->shadow_target = gl_depth_framebuffer(s->shadow_map);
}

rill_status solid_create(solid **out)
{
    solid *s = calloc(1, sizeof *s);
    *out = s;
    if (s == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for the renderer's ground");
    make_arrays(s);
    make_maps(s, 4);
    s->top = -(double)INFINITY;
    return RILL_OK;
}

void solid_destroy(solid **out)
{
    if (out == NULL || *out == NULL)
        return;
    solid *s = *out;
    const GLuint buffers[] = {s->vertices, s->indices, s->pane_vertices};
    const GLuint arrays[] = {s->array, s->pane_array};
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(2, arrays);
    free_maps(s);
    solid_mesh_free(&s->trimmed);
    free(s);
    *out = NULL;
}

// ---- Frame data ------------------------------------------------------------------------

static void measure(solid *s, const frame_data *picture)
{
    float low = INFINITY, high = -INFINITY;
    for (size_t n = 0; n < picture->ground_vertex_count; n++) {
        const float z = picture->ground_vertices[n].position[2];
        low = z < low ? z : low;
        high = z > high ? z : high;
    }
    if (low > high)
        low = high = 0.0f;
    const int side = picture->nx > picture->ny ? picture->nx : picture->ny;
    const double cell = (double)picture->cell_size;
    const double foot = (double)(low - FOOT * (float)side * picture->cell_size);
    // The foot stays where it was, as long as nothing is dug below it.
    const double known =
        s->version != 0 && s->bounds.low[2] < (double)low ? s->bounds.low[2] : foot;
    s->bounds = (camera_bounds){{0.0, 0.0, known},
                                {picture->nx * cell, picture->ny * cell, (double)high + cell}};
}

bool solid_upload(solid *s, const frame_data *picture)
{
    if (picture->solid_version == s->version)
        return false;
    s->nx = picture->nx;
    s->ny = picture->ny;
    s->cell_size = picture->cell_size;
    measure(s, picture);
    const float in = TRIM * picture->cell_size;
    const solid_box box = {in, in, (float)s->bounds.high[0] - in, (float)s->bounds.high[1] - in,
                           (float)s->bounds.low[2]};
    // Without memory the last ground stays.
    if (solid_trim(picture, &box, &s->trimmed) != RILL_OK)
        return false;
    const solid_mesh *mesh = &s->trimmed;
    glBindVertexArray(s->array);
    glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(mesh->vertex_count * sizeof *mesh->vertices),
                 mesh->vertices, GL_DYNAMIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(mesh->index_count * sizeof *mesh->indices),
                 mesh->indices, GL_DYNAMIC_DRAW);
    glBindVertexArray(0);
    s->index_count = (GLsizei)mesh->index_count;
    s->version = picture->solid_version;
    s->cast = false;
    return true;
}

void solid_upload_panes(solid *s, const frame_data *picture)
{
    glBindBuffer(GL_ARRAY_BUFFER, s->pane_vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(picture->pane_count * sizeof *picture->panes),
                 picture->panes, GL_STREAM_DRAW);
    s->pane_count = (GLsizei)picture->pane_count;
}

bool solid_shown(const solid *s)
{
    return s->version != 0;
}

camera_bounds solid_bounds(const solid *s)
{
    return s->bounds;
}

void solid_draw(const solid *s)
{
    if (s->index_count == 0)
        return;
    glBindVertexArray(s->array);
    glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}

void solid_draw_panes(const solid *s)
{
    if (s->pane_count == 0)
        return;
    glBindVertexArray(s->pane_array);
    glDrawArrays(GL_TRIANGLES, 0, s->pane_count);
    glBindVertexArray(0);
}

// ---- Shadows ---------------------------------------------------------------------------

// Computes the matrix from a place in the world to the map's cube from -1 to 1; depth grows from
// the sun onwards. Returns the longest edge of what the map covers.
static double sun_matrix(const solid *s, const float sun[3], float out[16])
{
    double axes[3][3];
    sun_map_axes(sun, axes);
    const double far[3] = {s->bounds.high[0], s->bounds.high[1], fmax(s->bounds.high[2], s->top)};
    double longest = 0.0;
    for (int row = 0; row < 3; row++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int corner = 0; corner < 8; corner++) {
            double at = 0.0;
            for (int k = 0; k < 3; k++)
                at += axes[row][k] * ((corner >> k & 1) != 0 ? far[k] : s->bounds.low[k]);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        const double margin = 0.01 * (high - low) + (double)s->cell_size;
        const double half = 0.5 * (high - low) + margin, middle = 0.5 * (low + high);
        sun_map_row(axes[row], row, middle, half, out);
        longest = row < 2 ? fmax(longest, 2.0 * half) : longest;
    }
    return longest;
}

// A texel is half a cell, so that the soft edge is as wide as a cell or two.
static int side_of_map(const solid *s, double longest)
{
    const double wanted = 2.0 * longest / (double)s->cell_size;
    const int side = (int)fmin(fmax(wanted, SMALLEST_MAP), LARGEST_MAP);
    return (side + 63) / 64 * 64;
}

static bool has_liquid(const solid_casters *casters)
{
    return casters->liquid != 0 && casters->liquid_indices > 0;
}

static void cast_ground(solid *s)
{
    sun_map_begin(s->ground_target, s->map_side);
    glClear(GL_DEPTH_BUFFER_BIT);
    solid_draw(s);
    s->cast = true;
}

// Draws what moves onto a copy of the ground's map.
static void cast_moving(const solid *s, const solid_casters *casters, GLint thin)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->ground_target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->shadow_target);
    glBlitFramebuffer(0, 0, s->map_side, s->map_side, 0, 0, s->map_side, s->map_side,
                      GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    sun_map_begin(s->shadow_target, s->map_side);
    if (casters->body_indices > 0) {
        glBindVertexArray(casters->bodies);
        glDrawElements(GL_TRIANGLES, casters->body_indices, GL_UNSIGNED_INT, NULL);
    }
    glUniform1f(thin, casters->thin);
    if (has_liquid(casters)) {
        glBindVertexArray(casters->liquid);
        glDrawElements(GL_TRIANGLES, casters->liquid_indices, GL_UNSIGNED_INT, NULL);
    }
    glBindVertexArray(0);
}

void solid_cast(solid *s, const solid_casters *casters, frame_block *block)
{
    if (!solid_shown(s))
        return;
    // Bodies may stand out over the ground. The map reaches a little higher, so that a body which
    // rises does not need another map in every picture.
    if ((double)casters->highest > fmax(s->bounds.high[2], s->top)) {
        s->top = (double)casters->highest + 0.25 * ((double)casters->highest - s->bounds.low[2]);
        s->cast = false;
    }
    const double longest = sun_matrix(s, block->sun, block->sun_view);
    const int side = side_of_map(s, longest);
    const bool moved = memcmp(s->sun, block->sun, sizeof s->sun) != 0 || side != s->map_side;
    block->solid[0] = (float)(longest / side);
    const bool anew = moved || !s->cast;
    const bool moving = has_liquid(casters) || casters->body_indices > 0;
    if (!anew && moving == s->with_moving && !(moving && casters->changed))
        return;
    memcpy(s->sun, block->sun, sizeof s->sun);
    make_maps(s, side);
    glUseProgram(casters->program);
    glUniformMatrix4fv(glGetUniformLocation(casters->program, "to_sun"), 1, GL_FALSE,
                       block->sun_view);
    const GLint thin = glGetUniformLocation(casters->program, "thin");
    glUniform1f(thin, 0.0f);
    if (anew)
        cast_ground(s);
    if (moving)
        cast_moving(s, casters, thin);
    s->with_moving = moving;
    sun_map_end();
}

GLuint solid_shadow_map(const solid *s)
{
    return s->with_moving ? s->shadow_map : s->ground_map;
}
