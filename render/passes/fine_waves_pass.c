// SPDX-License-Identifier: MIT
// fine_waves_pass.c - uploads waves finer than the grid and draws the water that they displace.
#include "render/passes/fine_waves_pass.h"

#include "render/frame/frame_data_solid.h"
#include "render/passes/wave_levels.h"
#include "render/view_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINER      4     // times the grid
#define SIDE       5     // points along a patch
#define LEAST_CELL 14.0  // pixels: smaller cells are not refined
#define FADE_FROM  0.45f // of the distance at which the displacement is gone

// ---- Life --------------------------------------------------------------------------------

// Triangles of 4 x 4 quads over 5 x 5 points.
static void make_patch(fine_waves *f)
{
    uint16_t indices[FINER * FINER * 6];
    for (int n = 0; n < FINER * FINER; n++) {
        const int a = n / FINER * SIDE + n % FINER;
        const int corners[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
        for (int k = 0; k < 6; k++)
            indices[6 * n + k] = (uint16_t)corners[k];
    }
    glGenVertexArrays(1, &f->patch_array);
    glGenBuffers(1, &f->patch_indices);
    glGenBuffers(1, &f->quads);
    glBindVertexArray(f->patch_array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, f->patch_indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribDivisor(0, 1);
    glBindVertexArray(0);
}

void fine_waves_create(int nx, int ny, float cell_size, fine_waves *f)
{
    *f = (fine_waves){.nx = nx, .ny = ny, .cell_size = cell_size};
    make_patch(f);
}

static void delete_textures(fine_waves *f)
{
    const GLuint textures[] = {f->moves, f->slopes, f->advected[0], f->advected[1], f->points};
    glDeleteTextures(sizeof textures / sizeof textures[0], textures);
    f->moves = f->slopes = f->advected[0] = f->advected[1] = f->points = 0;
}

void fine_waves_destroy(fine_waves *f)
{
    const GLuint buffers[] = {f->patch_indices, f->quads};
    delete_textures(f);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &f->patch_array);
    free(f->blocks);
    free(f->patches);
    free(f->near);
    *f = (fine_waves){0};
}

// ---- Frame data --------------------------------------------------------------------------

// The maps of the grid are made with the first frame data that have waves: most worlds have none.
static void make_textures(fine_waves *f, int size)
{
    delete_textures(f);
    f->size = size;
    f->moves = gl_texture(&(gl_texture_def){size, size, GL_RGBA16F, true, true, true, NULL});
    f->slopes = gl_texture(&(gl_texture_def){size, size, GL_RGBA16F, true, true, true, NULL});
    for (int k = 0; k < 2; k++)
        f->advected[k] =
            gl_texture(&(gl_texture_def){f->nx, f->ny, GL_RGBA16F, true, false, false, NULL});
    f->points = gl_texture(&(gl_texture_def){f->nx, f->ny, GL_RGBA32F, false, false, false, NULL});
}

static void upload_levels(GLuint texture, int size, const uint16_t *halves)
{
    gl_bind(UNIT_PICTURE, texture);
    for (int level = 0, side = size; side > 0; level++, side /= 2) {
        glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, side, side, GL_RGBA, GL_HALF_FLOAT, halves);
        halves += 4 * (size_t)side * (size_t)side;
    }
    gl_bind(UNIT_PICTURE, 0);
}

static bool copy_blocks(fine_waves *f, const frame_waves *w)
{
    void *blocks = f->blocks;
    const rill_status status =
        frame_grow(&blocks, &f->block_capacity, w->block_count, sizeof *f->blocks);
    f->blocks = blocks;
    if (status != RILL_OK)
        return false;
    if (w->block_count > 0)
        memcpy(f->blocks, w->blocks, w->block_count * sizeof *f->blocks);
    f->block_count = w->block_count;
    return true;
}

static void upload_quads(fine_waves *f, const frame_waves *w)
{
    gl_texture_rows(f->points, GL_RGBA32F, f->nx, 0, f->ny, w->points);
    glBindBuffer(GL_ARRAY_BUFFER, f->quads);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(w->quad_count * sizeof *w->quads), w->quads,
                 GL_STREAM_DRAW);
}

static bool copy_patches(fine_waves *f, const frame_carpet *c)
{
    void *patches = f->patches, *near = f->near;
    rill_status status =
        frame_grow(&patches, &f->patch_capacity, c->patch_count, sizeof *f->patches);
    f->patches = patches;
    if (status == RILL_OK)
        status = frame_grow(&near, &f->near_capacity, c->patch_count, sizeof *f->near);
    f->near = near;
    if (status != RILL_OK)
        return false;
    memcpy(f->patches, c->patches, c->patch_count * sizeof *f->patches);
    f->patch_count = c->patch_count;
    f->patches_x = c->patches_x;
    return true;
}

// Uploads the quads of a river once: they do not change.
static void upload_carpet(fine_waves *f, const frame_data *s, bool wave_particles, bool first)
{
    const frame_waves *w = &s->waves;
    f->rest_count = (GLsizei)w->rest_count;
    if (!first && f->carpet_version == s->carpet.version && f->shown == wave_particles)
        return;
    f->block_count = 0;
    f->patch_count = 0;
    f->carpet_version = 0;
    f->shown = wave_particles && copy_blocks(f, w);
    if (!copy_patches(f, &s->carpet))
        return;
    f->first_coarse = (uint32_t)s->index_count;
    f->carpet_version = s->carpet.version;
    if (!f->shown)
        return;
    if (f->points == 0)
        f->points =
            gl_texture(&(gl_texture_def){f->nx, f->ny, GL_RGBA32F, false, false, false, NULL});
    upload_quads(f, w);
}

void fine_waves_upload(fine_waves *f, const frame_data *s, bool wave_particles, bool first)
{
    const frame_waves *w = &s->waves;
    f->origin[0] = s->origin[0];
    f->origin[1] = s->origin[1];
    if (s->carpet.version != 0) {
        upload_carpet(f, s, wave_particles, first);
        return;
    }
    f->rest_count = (GLsizei)s->index_count;
    f->block_count = f->patch_count = 0;
    f->carpet_version = 0;
    f->shown = w->shown && copy_blocks(f, w);
    if (!f->shown)
        return;
    if (f->size != w->size)
        make_textures(f, w->size);
    f->tile = w->tile;
    memcpy(f->blend, w->blend, sizeof f->blend);
    upload_levels(f->moves, w->size, w->moves);
    upload_levels(f->slopes, w->size, w->slopes);
    for (int k = 0; k < 2; k++)
        gl_texture_rows(f->advected[k], GL_RGBA16F, f->nx, 0, f->ny, w->advected[k]);
    upload_quads(f, w);
    f->rest_count = (GLsizei)w->rest_count;
}

void fine_waves_bind(const fine_waves *f)
{
    gl_bind(UNIT_FINE_MOVES, f->moves);
    gl_bind(UNIT_FINE_SLOPES, f->slopes);
    gl_bind(UNIT_ADVECTED_FIRST, f->advected[0]);
    gl_bind(UNIT_ADVECTED_LAST, f->advected[1]);
    gl_bind(UNIT_POINTS, f->points);
}

void fine_waves_fill(const fine_waves *f, double pixels, double choppiness, wave_block *block)
{
    const float cell = f->cell_size, end = (float)(pixels * (double)cell / LEAST_CELL);
    const float texel = f->size > 0 ? f->tile / (float)f->size : cell;
    memcpy(block->blend, f->blend, sizeof f->blend);
    block->blend[3] = f->tile > 0.0f ? 1.0f / f->tile : 0.0f;
    // Returns a level coarser than the distance of the points, so that what they show does not
    // depend on where exactly they stand.
    block->fine[0] = fmaxf(log2f(cell / FINER / texel) + 0.5f, 0.0f);
    block->fine[1] = FADE_FROM * end;
    block->fine[2] = end;
    block->fine[3] = (float)choppiness * cell;
    for (int k = 0; k < 2; k++)
        block->origin[k] = (float)f->origin[k];
}

// ---- Drawing -----------------------------------------------------------------------------

// Elements that are drawn by one call as long as they follow each other.
typedef struct run {
    uint32_t first, count;
} run;

// Adds `count` from `first` on; returns what does not follow on, to be drawn.
static run add_to_run(run *r, uint32_t first, uint32_t count)
{
    run done = {0, 0};
    if (r->first + r->count != first) {
        done = *r;
        *r = (run){first, 0};
    }
    r->count += count;
    return done;
}

static void draw_indices(run r)
{
    if (r.count > 0)
        glDrawElements(GL_TRIANGLES, (GLsizei)r.count, GL_UNSIGNED_INT,
                       (const uint32_t *)NULL + r.first);
}

static void draw_patches(run r)
{
    if (r.count == 0)
        return;
    glVertexAttribPointer(0, 2, GL_UNSIGNED_SHORT, GL_FALSE, sizeof(frame_quad),
                          (const frame_quad *)NULL + r.first);
    glDrawElementsInstanced(GL_TRIANGLES, FINER * FINER * 6, GL_UNSIGNED_SHORT, NULL,
                            (GLsizei)r.count);
}

static bool seen(const fine_waves *f, const frame_quad_block *b, const fine_view *view)
{
    if (b->quad_count == 0)
        return false;
    double low[3], high[3];
    for (int k = 0; k < 3; k++) { // the waves reach a little beyond
        low[k] = (double)b->low[k] - (double)f->cell_size;
        high[k] = (double)b->high[k] + (double)f->cell_size;
    }
    return !view_box_outside(low, high, view->view_projection);
}

static void distances(const frame_quad_block *b, const double eye[3], double *nearest,
                      double *farthest)
{
    const double low[3] = {(double)b->low[0], (double)b->low[1], (double)b->low[2]};
    const double high[3] = {(double)b->high[0], (double)b->high[1], (double)b->high[2]};
    view_box_distances(low, high, eye, nearest, farthest);
}

static double longest_diagonal(const fine_waves *f)
{
    double most = 0.0;
    for (size_t n = 0; n < f->block_count; n++) {
        const frame_quad_block *b = &f->blocks[n];
        double square = 0.0;
        for (int k = 0; b->quad_count > 0 && k < 3; k++)
            square += (double)(b->high[k] - b->low[k]) * (double)(b->high[k] - b->low[k]);
        most = fmax(most, sqrt(square));
    }
    return most;
}

static void patch_box(const frame_patch *p, double low[3], double high[3], double pad)
{
    for (int k = 0; k < 3; k++) {
        low[k] = (double)p->low[k] - pad;
        high[k] = (double)p->high[k] + pad;
    }
}

// Returns the coarsest level of a patch whose error is not seen from `nearest` metres; -1: full
// detail. Where waves displace the surface it always has that.
static int choose_level(const fine_waves *f, const fine_view *view, double nearest, double limit)
{
    int level = -1;
    while (view->coarsen && nearest > limit && level + 1 < CARPET_LEVELS &&
           (double)(carpet_bounds[level + 1] * f->cell_size) * view->pixels < 0.25 * nearest)
        level++;
    return level;
}

static void count_drawn(fine_waves *f, run r)
{
    f->drawn += r.count / 3;
    draw_indices(r);
}

// Draws triangles that are in no block: those of patches in the view.
static void draw_patches_of_carpet(fine_waves *f, const fine_view *view, double limit)
{
    run full = {0, 0}, coarse = {f->first_coarse, 0};
    for (size_t n = 0; n < f->patch_count; n++) {
        const frame_patch *p = &f->patches[n];
        double low[3], high[3], nearest, farthest;
        f->near[n] = false;
        if (p->low[0] > p->high[0])
            continue;
        patch_box(p, low, high, (double)f->cell_size);
        if (view_box_outside(low, high, view->view_projection))
            continue;
        patch_box(p, low, high, 0.0);
        view_box_distances(low, high, view->eye, &nearest, &farthest);
        const int level = choose_level(f, view, nearest, limit);
        f->near[n] = level < 0;
        if (level < 0)
            count_drawn(f, add_to_run(&full, p->first_rest, p->rest_count));
        else
            count_drawn(f, add_to_run(&coarse, f->first_coarse + p->first_coarse[level],
                                      p->coarse_count[level]));
    }
    count_drawn(f, full);
    count_drawn(f, coarse);
}

// Returns whether the patch that a block lies in is drawn in full detail, as all are without
// patches.
static bool in_full_detail(const fine_waves *f, size_t block)
{
    if (f->patch_count == 0)
        return true;
    const size_t across = ((size_t)f->nx + FRAME_QUAD_BLOCK - 1) / FRAME_QUAD_BLOCK;
    const size_t times = CARPET_PATCH / FRAME_QUAD_BLOCK;
    return f->near[block / across / times * (size_t)f->patches_x + block % across / times];
}

// A block is drawn coarse if some of it is farther than everything that is displaced by more than
// a block, and refined if some of it is nearer than that. One drawn both ways has no displacement,
// and between one drawn only coarse and one drawn only refined there is always such a block.
void fine_waves_draw(fine_waves *f, const fine_view *view)
{
    const double limit = f->shown ? (double)view->fade_end + longest_diagonal(f) : 0.0;
    run coarse = {0, 0}, fine = {0, 0};
    f->drawn = 0;
    glUseProgram(view->coarse);
    glBindVertexArray(view->water_array);
    if (f->patch_count > 0)
        draw_patches_of_carpet(f, view, limit);
    else
        coarse.count = (uint32_t)f->rest_count;
    for (size_t n = 0; n < f->block_count; n++) {
        const frame_quad_block *b = &f->blocks[n];
        double nearest, farthest;
        distances(b, view->eye, &nearest, &farthest);
        if (farthest >= limit && in_full_detail(f, n) && seen(f, b, view))
            count_drawn(f, add_to_run(&coarse, b->first_index, b->index_count));
    }
    count_drawn(f, coarse);
    glUseProgram(view->fine);
    glBindVertexArray(f->patch_array);
    glBindBuffer(GL_ARRAY_BUFFER, f->quads);
    for (size_t n = 0; n < f->block_count; n++) {
        const frame_quad_block *b = &f->blocks[n];
        double nearest, farthest;
        distances(b, view->eye, &nearest, &farthest);
        if (nearest < limit && in_full_detail(f, n) && seen(f, b, view))
            draw_patches(add_to_run(&fine, b->first_quad, b->quad_count));
    }
    draw_patches(fine);
    glBindVertexArray(0);
}

size_t fine_waves_drawn(const fine_waves *f)
{
    return f->drawn;
}
