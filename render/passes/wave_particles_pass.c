// SPDX-License-Identifier: MIT
// wave_particles_pass.c - uploads the tiles of wave particles and draws where particles were born.
#include "render/passes/wave_particles_pass.h"

#include "render/frame/frame_data_solid.h"
#include "render/render_error.h"

#include <stdlib.h>
#include <string.h>

// ---- Life ------------------------------------------------------------------------------

void wave_particles_create(wave_particles_pass *d)
{
    *d = (wave_particles_pass){0};
    glGenVertexArrays(1, &d->birth_array);
    glGenBuffers(1, &d->births);
    glBindVertexArray(d->birth_array);
    glBindBuffer(GL_ARRAY_BUFFER, d->births);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(frame_birth),
                          (const char *)NULL + offsetof(frame_birth, place));
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(frame_birth),
                          (const char *)NULL + offsetof(frame_birth, colour));
    glVertexAttribDivisor(0, 1);
    glVertexAttribDivisor(1, 1);
    glBindVertexArray(0);
}

void wave_particles_destroy(wave_particles_pass *d)
{
    const GLuint textures[2] = {d->tiles, d->index};
    glDeleteTextures(2, textures);
    glDeleteBuffers(1, &d->births);
    glDeleteVertexArrays(1, &d->birth_array);
    glDeleteProgram(d->birth_program);
    free(d->version);
    *d = (wave_particles_pass){0};
}

// ---- Tiles -----------------------------------------------------------------------------

static void make_tiles(wave_particles_pass *d)
{
    glDeleteTextures(1, &d->tiles);
    glGenTextures(1, &d->tiles);
    glActiveTexture(GL_TEXTURE0 + UNIT_WAVE_TILES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, d->tiles);
    for (int level = 0; level < d->levels; level++)
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA16F, d->side >> level, d->side >> level,
                     d->layers, 0, GL_RGBA, GL_HALF_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, d->levels - 1);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

// Returns true when the card has the capacity for the layers of the frame data.
static bool fit_tiles(wave_particles_pass *d, const frame_wave_particles *s)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &most);
    if (s->tile_count > most)
        return false; // small waves replace them
    if (d->side == s->side && d->layers >= s->tile_count && d->levels == s->levels)
        return true;
    void *memory = d->version;
    const rill_status status =
        frame_grow(&memory, &d->version_capacity, (size_t)s->tile_count, sizeof *d->version);
    d->version = memory;
    if (status != RILL_OK)
        return false;
    d->side = s->side;
    d->levels = s->levels;
    d->layers = s->tile_count;
    make_tiles(d);
    memset(d->version, 0, (size_t)d->layers * sizeof *d->version);
    return true;
}

static void upload_layers(wave_particles_pass *d, const frame_wave_particles *s)
{
    const uint16_t *layer = s->layers;
    glActiveTexture(GL_TEXTURE0 + UNIT_WAVE_TILES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, d->tiles);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int n = 0; n < s->tile_count; n++, layer += 4 * frame_wave_layer_texels(s)) {
        const uint16_t *texels = layer;
        for (int level = 0; level < s->levels && d->version[n] != s->version[n]; level++) {
            const int side = s->side >> level;
            glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, n, side, side, 1, GL_RGBA,
                            GL_HALF_FLOAT, texels);
            texels += 4 * (size_t)side * (size_t)side;
        }
        d->version[n] = s->version[n];
    }
}

static void upload_index(wave_particles_pass *d, const frame_wave_particles *s)
{
    if (d->tiles_x != s->tiles_x || d->tiles_y != s->tiles_y) {
        glDeleteTextures(1, &d->index);
        d->index = gl_texture(
            &(gl_texture_def){s->tiles_x, s->tiles_y, GL_R32F, false, false, false, NULL});
        d->tiles_x = s->tiles_x;
        d->tiles_y = s->tiles_y;
    }
    gl_texture_rows(d->index, GL_R32F, s->tiles_x, 0, s->tiles_y, s->index);
}

void wave_particles_upload(wave_particles_pass *d, const frame_data *s, bool first)
{
    const frame_wave_particles *from = &s->wave_particles;
    d->birth_count = (GLsizei)from->birth_count;
    if (from->birth_count > 0) {
        glBindBuffer(GL_ARRAY_BUFFER, d->births);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(from->birth_count * sizeof *from->births),
                     from->births, GL_STREAM_DRAW);
    }
    d->shown = from->shown && fit_tiles(d, from);
    if (!d->shown)
        return;
    if (first)
        memset(d->version, 0, (size_t)d->layers * sizeof *d->version);
    upload_layers(d, from);
    upload_index(d, from);
    d->tile_cells = from->tile_cells;
    d->texels = from->texels;
    d->texel = from->texel;
    d->variance = from->variance;
    d->cell_size = s->cell_size;
}

void wave_particles_bind(const wave_particles_pass *d)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_WAVE_TILES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, d->tiles);
    gl_bind(UNIT_WAVE_TILE_INDEX, d->index);
}

void wave_particles_fill(const wave_particles_pass *d, wave_block *block)
{
    const float side = (float)(d->side > 0 ? d->side : 1);
    block->tiles[0] = 1.0f / ((float)d->tile_cells * d->cell_size);
    block->tiles[1] = (float)d->texels / side;
    block->tiles[2] = (float)(d->tile_cells * d->texels) / side;
    block->tiles[3] = (float)(d->levels - 1);
    block->tile_slopes[0] = d->texel;
    block->tile_slopes[1] = d->variance;
}

// ---- Births ----------------------------------------------------------------------------

bool wave_particles_draw_births(wave_particles_pass *d, const char *variant)
{
    if (d->birth_program == 0)
        d->birth_program = gl_program("birth_vertex", "birth_fragment", variant);
    if (d->birth_program == 0)
        return false;
    if (d->birth_count == 0)
        return true;
    glUseProgram(d->birth_program);
    glBindVertexArray(d->birth_array);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, d->birth_count);
    glBindVertexArray(0);
    return true;
}
