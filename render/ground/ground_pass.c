// SPDX-License-Identifier: MIT
// ground_pass.c - draws the ground in chunks. Points of the lattice are the centres of the cells
// and a rim on the border of the world. Every chunk has a network of triangles (ground_mesh.h) for
// each of a few error bounds, and the coarsest whose bound is smaller than a pixel is drawn.
// Shading does not depend on it: normals come from a map. A hem around every chunk hides the gaps
// between networks. A network is made when it is first drawn: under a moving domain the ground is
// new in every chunk, and most of it is seen in one detail or not at all.
#include "render/ground/ground_pass.h"

#include "render/ground/ground_mesh.h"
#include "render/render_error.h"
#include "render/view_box.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS       5
#define SHOWN_PIXELS 0.4

// Error bounds of the levels in cell sizes.
static const float bounds[LEVELS] = {0.01f, 0.06f, 0.2f, 0.7f, 2.4f};

typedef struct chunk {
    GLuint array, triangles[LEVELS];
    GLsizei count[LEVELS]; // indices; negative: not made yet
    float low, high;       // elevations
} chunk;

typedef struct corner {
    int16_t x, y, hem, unused;
} corner;

struct ground {
    int nx, ny, chunks_x, chunks_y;
    float cell_size;
    chunk *chunks;
    GLuint points;     // of a chunk, the same for all
    GLuint no_points;  // a vertex array without attributes, for the sides
    uint16_t *indices; // of one network
    const float *bed;  // the caller's
    uint8_t *wet;      // by cell; NULL: no shore is known
};

// ---- Life ------------------------------------------------------------------------------

static void make_points(ground *g)
{
    corner points[GROUND_POINTS + GROUND_HEM];
    for (int n = 0; n < GROUND_POINTS; n++)
        points[n] =
            (corner){(int16_t)(n % (GROUND_CHUNK + 1)), (int16_t)(n / (GROUND_CHUNK + 1)), 0, 0};
    for (int k = 0; k < GROUND_HEM; k++) {
        int i, j;
        ground_mesh_edge(k, &i, &j);
        points[GROUND_POINTS + k] = (corner){(int16_t)i, (int16_t)j, 1, 0};
    }
    glGenBuffers(1, &g->points);
    glBindBuffer(GL_ARRAY_BUFFER, g->points);
    glBufferData(GL_ARRAY_BUFFER, sizeof points, points, GL_STATIC_DRAW);
}

static void make_array(const ground *g, chunk *c)
{
    glGenVertexArrays(1, &c->array);
    glGenBuffers(LEVELS, c->triangles);
    glBindVertexArray(c->array);
    glBindBuffer(GL_ARRAY_BUFFER, g->points);
    glEnableVertexAttribArray(0);
    glVertexAttribIPointer(0, 3, GL_SHORT, sizeof(corner), NULL);
    glBindVertexArray(0);
}

rill_status ground_create(int nx, int ny, float cell_size, ground **out)
{
    *out = NULL;
    ground *g = calloc(1, sizeof *g);
    if (g == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for the ground");
    g->nx = nx;
    g->ny = ny;
    g->cell_size = cell_size;
    g->chunks_x = (nx + 1 + GROUND_CHUNK - 1) / GROUND_CHUNK;
    g->chunks_y = (ny + 1 + GROUND_CHUNK - 1) / GROUND_CHUNK;
    g->chunks = calloc((size_t)g->chunks_x * (size_t)g->chunks_y, sizeof *g->chunks);
    g->indices = malloc((size_t)GROUND_INDICES * sizeof *g->indices);
    if (g->chunks == NULL || g->indices == NULL) {
        ground_destroy(&g);
        return render_fail(RILL_NO_MEMORY, "no memory for the ground");
    }
    make_points(g);
    for (int n = 0; n < g->chunks_x * g->chunks_y; n++)
        make_array(g, &g->chunks[n]);
    glGenVertexArrays(1, &g->no_points);
    *out = g;
    return RILL_OK;
}

void ground_destroy(ground **out)
{
    if (out == NULL || *out == NULL)
        return;
    ground *g = *out;
    for (int n = 0; g->chunks != NULL && n < g->chunks_x * g->chunks_y; n++) {
        glDeleteVertexArrays(1, &g->chunks[n].array);
        glDeleteBuffers(LEVELS, g->chunks[n].triangles);
    }
    glDeleteBuffers(1, &g->points);
    glDeleteVertexArrays(1, &g->no_points);
    free(g->chunks);
    free(g->indices);
    free(g->wet);
    free(g);
    *out = NULL;
}

// ---- Shape -----------------------------------------------------------------------------

// Returns the elevation of a point of the lattice.
static float elevation(const ground *g, const float *bed, int i, int j)
{
    const int x = i < 1 ? 0 : i > g->nx ? g->nx - 1 : i - 1;
    const int y = j < 1 ? 0 : j > g->ny ? g->ny - 1 : j - 1;
    return bed[(size_t)y * (size_t)g->nx + (size_t)x];
}

static int quads_within(int points, int first)
{
    return points - first < GROUND_CHUNK ? points - first : GROUND_CHUNK;
}

static void fetch_heights(const ground *g, int ci, int cj, float heights[GROUND_POINTS])
{
    const int i0 = ci * GROUND_CHUNK, j0 = cj * GROUND_CHUNK;
    for (int n = 0; n < GROUND_POINTS; n++)
        heights[n] = elevation(g, g->bed, i0 + n % (GROUND_CHUNK + 1), j0 + n / (GROUND_CHUNK + 1));
}

// Forgets the networks of a chunk.
static void renew_chunk(ground *g, int ci, int cj)
{
    chunk *c = &g->chunks[cj * g->chunks_x + ci];
    float heights[GROUND_POINTS];
    fetch_heights(g, ci, cj, heights);
    c->low = INFINITY;
    c->high = -INFINITY;
    for (int n = 0; n < GROUND_POINTS; n++) {
        c->low = heights[n] < c->low ? heights[n] : c->low;
        c->high = heights[n] > c->high ? heights[n] : c->high;
    }
    for (int level = 0; level < LEVELS; level++)
        c->count[level] = -1;
}

static bool is_wet(const ground *g, int i, int j)
{
    const int x = i < 1 ? 0 : i > g->nx ? g->nx - 1 : i - 1;
    const int y = j < 1 ? 0 : j > g->ny ? g->ny - 1 : j - 1;
    return g->wet[(size_t)y * (size_t)g->nx + (size_t)x] != 0;
}

// Marks the points of the chunk within a cell of the shore.
static void find_shore(const ground *g, int ci, int cj, bool fixed[GROUND_POINTS])
{
    const int i0 = ci * GROUND_CHUNK, j0 = cj * GROUND_CHUNK;
    for (int n = 0; n < GROUND_POINTS; n++) {
        const int i = i0 + n % (GROUND_CHUNK + 1), j = j0 + n / (GROUND_CHUNK + 1);
        const bool wet = is_wet(g, i, j);
        fixed[n] = false;
        for (int k = 0; k < 9 && !fixed[n]; k++)
            fixed[n] = is_wet(g, i + k % 3 - 1, j + k / 3 - 1) != wet;
    }
}

// Makes a network. The array of the chunk is bound, and so are then its indices.
static void shape_chunk(const ground *g, chunk *c, int ci, int cj, int level)
{
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, c->triangles[level]);
    if (c->count[level] >= 0)
        return;
    float heights[GROUND_POINTS];
    bool fixed[GROUND_POINTS];
    ground_errors errors;
    const int wide = quads_within(g->nx + 1, ci * GROUND_CHUNK);
    const int high = quads_within(g->ny + 1, cj * GROUND_CHUNK);
    fetch_heights(g, ci, cj, heights);
    if (g->wet != NULL)
        find_shore(g, ci, cj, fixed);
    ground_mesh_measure(heights, g->wet != NULL ? fixed : NULL, wide, high, &errors);
    c->count[level] =
        ground_mesh_build(&errors, wide, high, bounds[level] * g->cell_size, g->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                 (GLsizeiptr)((size_t)c->count[level] * sizeof *g->indices), g->indices,
                 GL_STATIC_DRAW);
}

void ground_shape(ground *g, const float *bed, relief_region changed)
{
    g->bed = bed;
    // Cell i is point i + 1, and points on a seam belong to both chunks.
    const int ci0 = changed.i0 / GROUND_CHUNK, cj0 = changed.j0 / GROUND_CHUNK;
    for (int cj = cj0; cj < g->chunks_y && cj * GROUND_CHUNK <= changed.j1 + 1; cj++)
        for (int ci = ci0; ci < g->chunks_x && ci * GROUND_CHUNK <= changed.i1 + 1; ci++)
            renew_chunk(g, ci, cj);
}

void ground_set_shore(ground *g, const uint8_t *wet)
{
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    if (g->wet == NULL)
        g->wet = calloc(cells, 1);
    if (g->wet == NULL) // the shore is drawn like the rest
        return;
    for (int cj = 0; cj < g->chunks_y; cj++)
        for (int ci = 0; ci < g->chunks_x; ci++) {
            bool same = true;
            for (int j = cj * GROUND_CHUNK - 2; j <= (cj + 1) * GROUND_CHUNK && same; j++) {
                const int i0 = ci * GROUND_CHUNK > 2 ? ci * GROUND_CHUNK - 2 : 0;
                const int left = g->nx - i0;
                const int count = left < GROUND_CHUNK + 3 ? left : GROUND_CHUNK + 3;
                const size_t at = (size_t)(j < 0 ? 0 : j) * (size_t)g->nx + (size_t)i0;
                same =
                    j >= g->ny || count <= 0 || memcmp(g->wet + at, wet + at, (size_t)count) == 0;
            }
            for (int level = 0; !same && level < LEVELS; level++)
                g->chunks[cj * g->chunks_x + ci].count[level] = -1;
        }
    memcpy(g->wet, wet, cells);
}

void ground_range(const ground *g, float *low, float *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int n = 0; n < g->chunks_x * g->chunks_y; n++) {
        *low = g->chunks[n].low < *low ? g->chunks[n].low : *low;
        *high = g->chunks[n].high > *high ? g->chunks[n].high : *high;
    }
}

// ---- Drawing ---------------------------------------------------------------------------

typedef struct box {
    double low[3], high[3];
} box;

static box chunk_box(const ground *g, int ci, int cj)
{
    const chunk *c = &g->chunks[cj * g->chunks_x + ci];
    const double cell = (double)g->cell_size;
    const int i0 = ci * GROUND_CHUNK, j0 = cj * GROUND_CHUNK;
    return (box){{fmax((i0 - 0.5) * cell, 0.0), fmax((j0 - 0.5) * cell, 0.0), (double)c->low},
                 {fmin((i0 + GROUND_CHUNK - 0.5) * cell, g->nx * cell),
                  fmin((j0 + GROUND_CHUNK - 0.5) * cell, g->ny * cell), (double)c->high}};
}

static int choose_level(const ground *g, double distance, double pixels)
{
    int level = 0;
    while (level + 1 < LEVELS &&
           (double)(bounds[level + 1] * g->cell_size) * pixels < SHOWN_PIXELS * distance)
        level++;
    return level;
}

void ground_draw(ground *g, GLuint program, const float view_projection[16], const double eye[3],
                 double pixels, bool coarsen)
{
    const GLint chunk_place = glGetUniformLocation(program, "chunk");
    const GLint hem_place = glGetUniformLocation(program, "hem");
    for (int cj = 0; cj < g->chunks_y; cj++)
        for (int ci = 0; ci < g->chunks_x; ci++) {
            const box b = chunk_box(g, ci, cj);
            if (view_box_outside(b.low, b.high, view_projection))
                continue;
            chunk *c = &g->chunks[cj * g->chunks_x + ci];
            double nearest, farthest;
            view_box_distances(b.low, b.high, eye, &nearest, &farthest);
            const int level = coarsen ? choose_level(g, nearest, pixels) : 0;
            // A neighbour is at most a level or so coarser; its bound is what can gape.
            const int coarser = level + 2 < LEVELS ? level + 2 : LEVELS - 1;
            glUniform2i(chunk_place, ci * GROUND_CHUNK, cj * GROUND_CHUNK);
            glUniform1f(hem_place, 1.5f * bounds[coarser] * g->cell_size);
            glBindVertexArray(c->array);
            shape_chunk(g, c, ci, cj, level);
            glDrawElements(GL_TRIANGLES, c->count[level], GL_UNSIGNED_SHORT, NULL);
        }
    glBindVertexArray(0);
}

void ground_draw_sides(const ground *g)
{
    glBindVertexArray(g->no_points);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * 2 * (g->nx + g->ny + 4));
    glBindVertexArray(0);
}
