// SPDX-License-Identifier: MIT
#include "render/passes/wave_particles_pass.h"

#include "render/frame/frame_data_solid.h"
#include "render/render_error.h"

#include <stdlib.h>
#include <string.h>

// ---- Life ------------------------------------------------------------------------------

void drift_create(drift *d)
{
    *d = (drift){0};
    glGenVertexArrays(1, &d->birth_array);
    glGenBuffers(1, &d->births);
    glBindVertexArray(d->birth_array);
    glBindBuffer(GL_ARRAY_BUFFER, d->births);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(still_birth),
                          (const char *)NULL + offsetof(still_birth, place));
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(still_birth),
                          (const char *)NULL + offsetof(still_birth, colour));
    glVertexAttribDivisor(0, 1);
    glVertexAttribDivisor(1, 1);
    glBindVertexArray(0);
}

void drift_destroy(drift *d)
{
    const GLuint textures[2] = {d->pages, d->index};
    glDeleteTextures(2, textures);
    glDeleteBuffers(1, &d->births);
    glDeleteVertexArrays(1, &d->birth_array);
    glDeleteProgram(d->birth_program);
    free(d->version);
    *d = (drift){0};
}

// ---- Pages -----------------------------------------------------------------------------

static void make_pages(drift *d)
{
    glDeleteTextures(1, &d->pages);
    glGenTextures(1, &d->pages);
    glActiveTexture(GL_TEXTURE0 + UNIT_DRIFT_PAGES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, d->pages);
    for (int level = 0; level < d->levels; level++)
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA16F, d->side >> level, d->side >> level,
                     d->layers, 0, GL_RGBA, GL_HALF_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, d->levels - 1);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

// True when the card has room for the layers of the still.
static bool fit_pages(drift *d, const still_drift *s)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &most);
    if (s->page_count > most)
        return false; // small waves must do
    if (d->side == s->side && d->layers >= s->page_count && d->levels == s->levels)
        return true;
    void *memory = d->version;
    const rill_status status =
        still_grow(&memory, &d->version_capacity, (size_t)s->page_count, sizeof *d->version);
    d->version = memory;
    if (status != RILL_OK)
        return false;
    d->side = s->side;
    d->levels = s->levels;
    d->layers = s->page_count;
    make_pages(d);
    memset(d->version, 0, (size_t)d->layers * sizeof *d->version);
    return true;
}

static void upload_layers(drift *d, const still_drift *s)
{
    const uint16_t *layer = s->layers;
    glActiveTexture(GL_TEXTURE0 + UNIT_DRIFT_PAGES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, d->pages);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int n = 0; n < s->page_count; n++, layer += 4 * still_drift_layer_texels(s)) {
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

static void upload_index(drift *d, const still_drift *s)
{
    if (d->pages_x != s->pages_x || d->pages_y != s->pages_y) {
        glDeleteTextures(1, &d->index);
        d->index = gl_texture(
            &(gl_texture_def){s->pages_x, s->pages_y, GL_R32F, false, false, false, NULL});
        d->pages_x = s->pages_x;
        d->pages_y = s->pages_y;
    }
    gl_texture_rows(d->index, GL_R32F, s->pages_x, 0, s->pages_y, s->index);
}

void drift_upload(drift *d, const still *s, bool first)
{
    const still_drift *from = &s->drift;
    d->birth_count = (GLsizei)from->birth_count;
    if (from->birth_count > 0) {
        glBindBuffer(GL_ARRAY_BUFFER, d->births);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(from->birth_count * sizeof *from->births),
                     from->births, GL_STREAM_DRAW);
    }
    d->shown = from->shown && fit_pages(d, from);
    if (!d->shown)
        return;
    if (first)
        memset(d->version, 0, (size_t)d->layers * sizeof *d->version);
    upload_layers(d, from);
    upload_index(d, from);
    d->page_cells = from->page_cells;
    d->texels = from->texels;
    d->texel = from->texel;
    d->variance = from->variance;
    d->cell_size = s->cell_size;
}

void drift_bind(const drift *d)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_DRIFT_PAGES);
    glBindTexture(GL_TEXTURE_2D_ARRAY, d->pages);
    gl_bind(UNIT_DRIFT_INDEX, d->index);
}

void drift_fill(const drift *d, wave_block *block)
{
    const float side = (float)(d->side > 0 ? d->side : 1);
    block->pages[0] = 1.0f / ((float)d->page_cells * d->cell_size);
    block->pages[1] = (float)d->texels / side;
    block->pages[2] = (float)(d->page_cells * d->texels) / side;
    block->pages[3] = (float)(d->levels - 1);
    block->page_waves[0] = d->texel;
    block->page_waves[1] = d->variance;
}

// ---- Births ----------------------------------------------------------------------------

bool drift_draw_births(drift *d, const char *variant)
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
