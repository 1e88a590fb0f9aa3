// SPDX-License-Identifier: MIT
// ground.c - see ground.h. Points of the lattice are the centres of the cells and a rim on the
// border of the world. A chunk has 64 quads a side at full detail; each coarser level takes every
// second point. What a level leaves out is measured once, and the coarsest one whose error is
// smaller than half a pixel is drawn. A hem around every chunk hides the gaps between levels.
#include "render/ground.h"

#include "render/trouble.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define CHUNK        64 // quads a side
#define LEVELS       5
#define SHOWN_PIXELS 0.7

typedef struct chunk {
    float low, high;     // elevations
    float error[LEVELS]; // metres, by level; the first is 0
} chunk;

typedef struct corner {
    int16_t x, y, hem, unused;
} corner;

// The points and triangles of one level of a chunk, the same for every chunk.
typedef struct level_mesh {
    GLuint array, points, triangles;
    GLsizei index_count;
} level_mesh;

struct ground {
    int nx, ny, chunks_x, chunks_y;
    float cell_size;
    chunk *chunks;
    level_mesh levels[LEVELS];
    GLuint no_points; // a vertex array without attributes, for the sides
};

// ---- Meshes ----------------------------------------------------------------------------

// Number of point (i, j) of a chunk with `side` quads a side; the hem's points follow the others.
static uint16_t point_at(int side, int i, int j)
{
    return (uint16_t)(j * (side + 1) + i);
}

static int add_quad(uint16_t *indices, int n, uint16_t a, uint16_t b, uint16_t c, uint16_t d)
{
    const uint16_t quad[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; k++)
        indices[n + k] = quad[k];
    return n + 6;
}

// The hem's point below point n of the chunk's edge, counter-clockwise from the lower left corner.
static void edge_place(int side, int n, int *i, int *j)
{
    const int along = n % side;
    switch (n / side) {
    case 0:
        *i = along, *j = 0;
        break;
    case 1:
        *i = side, *j = along;
        break;
    case 2:
        *i = side - along, *j = side;
        break;
    default:
        *i = 0, *j = side - along;
        break;
    }
}

static int fill_points(int side, corner *points)
{
    int count = 0;
    for (int j = 0; j <= side; j++)
        for (int i = 0; i <= side; i++)
            points[count++] = (corner){(int16_t)i, (int16_t)j, 0, 0};
    for (int n = 0; n < 4 * side; n++) {
        int i, j;
        edge_place(side, n, &i, &j);
        points[count++] = (corner){(int16_t)i, (int16_t)j, 1, 0};
    }
    return count;
}

static int fill_triangles(int side, uint16_t *indices)
{
    int count = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            count = add_quad(indices, count, point_at(side, i, j), point_at(side, i + 1, j),
                             point_at(side, i + 1, j + 1), point_at(side, i, j + 1));
    const int hem = (side + 1) * (side + 1);
    for (int n = 0; n < 4 * side; n++) {
        const int next = (n + 1) % (4 * side);
        int i, j, i2, j2;
        edge_place(side, n, &i, &j);
        edge_place(side, next, &i2, &j2);
        count = add_quad(indices, count, (uint16_t)(hem + n), (uint16_t)(hem + next),
                         point_at(side, i2, j2), point_at(side, i, j));
    }
    return count;
}

static rill_status make_level(int level, level_mesh *mesh)
{
    const int side = CHUNK >> level;
    const size_t most_points = (size_t)((side + 1) * (side + 1) + 4 * side);
    const size_t most_indices = (size_t)(6 * side * side + 24 * side);
    corner *points = malloc(most_points * sizeof *points);
    uint16_t *indices = malloc(most_indices * sizeof *indices);
    if (points == NULL || indices == NULL) {
        free(points);
        free(indices);
        return trouble(RILL_NO_MEMORY, "no memory for the ground's triangles");
    }
    const int point_count = fill_points(side, points);
    mesh->index_count = fill_triangles(side, indices);
    glGenVertexArrays(1, &mesh->array);
    glBindVertexArray(mesh->array);
    glGenBuffers(1, &mesh->points);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->points);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)point_count * sizeof *points), points,
                 GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribIPointer(0, 3, GL_SHORT, sizeof(corner), NULL);
    glGenBuffers(1, &mesh->triangles);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->triangles);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)mesh->index_count * sizeof *indices),
                 indices, GL_STATIC_DRAW);
    glBindVertexArray(0);
    free(points);
    free(indices);
    return RILL_OK;
}

rill_status ground_create(int nx, int ny, float cell_size, ground **out)
{
    *out = NULL;
    ground *g = calloc(1, sizeof *g);
    if (g == NULL)
        return trouble(RILL_NO_MEMORY, "no memory for the ground");
    g->nx = nx;
    g->ny = ny;
    g->cell_size = cell_size;
    g->chunks_x = (nx + 1 + CHUNK - 1) / CHUNK;
    g->chunks_y = (ny + 1 + CHUNK - 1) / CHUNK;
    g->chunks = calloc((size_t)g->chunks_x * (size_t)g->chunks_y, sizeof *g->chunks);
    rill_status status =
        g->chunks != NULL ? RILL_OK : trouble(RILL_NO_MEMORY, "no memory for the ground");
    for (int level = 0; level < LEVELS && status == RILL_OK; level++)
        status = make_level(level, &g->levels[level]);
    glGenVertexArrays(1, &g->no_points);
    if (status != RILL_OK)
        ground_destroy(&g);
    *out = g;
    return status;
}

void ground_destroy(ground **g)
{
    if (g == NULL || *g == NULL)
        return;
    for (int level = 0; level < LEVELS; level++) {
        glDeleteVertexArrays(1, &(*g)->levels[level].array);
        glDeleteBuffers(1, &(*g)->levels[level].points);
        glDeleteBuffers(1, &(*g)->levels[level].triangles);
    }
    glDeleteVertexArrays(1, &(*g)->no_points);
    free((*g)->chunks);
    free(*g);
    *g = NULL;
}

// ---- Measuring -------------------------------------------------------------------------

// Elevation of a point of the lattice.
static float elevation(const ground *g, const float *bed, int i, int j)
{
    const int x = i < 1 ? 0 : i > g->nx ? g->nx - 1 : i - 1;
    const int y = j < 1 ? 0 : j > g->ny ? g->ny - 1 : j - 1;
    return bed[(size_t)y * (size_t)g->nx + (size_t)x];
}

// How far the point lies from the coarser surface that leaves it out: two triangles with the
// diagonal from the lower left to the upper right corner, as they are drawn.
static float left_out(const ground *g, const float *bed, int i, int j, int stride)
{
    const int i0 = i / stride * stride, j0 = j / stride * stride;
    const float u = (float)(i - i0) / (float)stride, v = (float)(j - j0) / (float)stride;
    const float a = elevation(g, bed, i0, j0), c = elevation(g, bed, i0 + stride, j0 + stride);
    const float b = elevation(g, bed, i0 + stride, j0), d = elevation(g, bed, i0, j0 + stride);
    const float flat = u > v ? a + u * (b - a) + v * (c - b) : a + v * (d - a) + u * (c - d);
    return fabsf(elevation(g, bed, i, j) - flat);
}

static void measure_chunk(const ground *g, const float *bed, int ci, int cj, chunk *c)
{
    *c = (chunk){.low = INFINITY, .high = -INFINITY};
    const int i1 = ci * CHUNK + CHUNK < g->nx + 1 ? ci * CHUNK + CHUNK : g->nx + 1;
    const int j1 = cj * CHUNK + CHUNK < g->ny + 1 ? cj * CHUNK + CHUNK : g->ny + 1;
    for (int j = cj * CHUNK; j <= j1; j++)
        for (int i = ci * CHUNK; i <= i1; i++) {
            const float z = elevation(g, bed, i, j);
            c->low = z < c->low ? z : c->low;
            c->high = z > c->high ? z : c->high;
            for (int level = 1; level < LEVELS; level++) {
                const float error = left_out(g, bed, i, j, 1 << level);
                c->error[level] = error > c->error[level] ? error : c->error[level];
            }
        }
}

void ground_measure(ground *g, const float *bed)
{
    for (int cj = 0; cj < g->chunks_y; cj++)
        for (int ci = 0; ci < g->chunks_x; ci++)
            measure_chunk(g, bed, ci, cj, &g->chunks[cj * g->chunks_x + ci]);
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
    const box b = {{fmax((ci * CHUNK - 0.5) * cell, 0.0), fmax((cj * CHUNK - 0.5) * cell, 0.0),
                    (double)c->low},
                   {fmin((ci * CHUNK + CHUNK - 0.5) * cell, g->nx * cell),
                    fmin((cj * CHUNK + CHUNK - 0.5) * cell, g->ny * cell), (double)c->high}};
    return b;
}

// True when all corners of the box are beyond the same plane of the view.
static bool outside(const box *b, const float m[16])
{
    int beyond[5] = {0};
    for (int k = 0; k < 8; k++) {
        const double p[3] = {k & 1 ? b->high[0] : b->low[0], k & 2 ? b->high[1] : b->low[1],
                             k & 4 ? b->high[2] : b->low[2]};
        double clip[4];
        for (int row = 0; row < 4; row++)
            clip[row] = (double)m[row] * p[0] + (double)m[4 + row] * p[1] +
                        (double)m[8 + row] * p[2] + (double)m[12 + row];
        beyond[0] += clip[0] > clip[3];
        beyond[1] += clip[0] < -clip[3];
        beyond[2] += clip[1] > clip[3];
        beyond[3] += clip[1] < -clip[3];
        beyond[4] += clip[2] < -clip[3];
    }
    for (int plane = 0; plane < 5; plane++)
        if (beyond[plane] == 8)
            return true;
    return false;
}

static double distance_to(const box *b, const double eye[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double away = fmax(fmax(b->low[k] - eye[k], eye[k] - b->high[k]), 0.0);
        square += away * away;
    }
    return sqrt(square);
}

static int choose_level(const chunk *c, double distance, double pixels)
{
    int level = 0;
    while (level + 1 < LEVELS && (double)c->error[level + 1] * pixels < SHOWN_PIXELS * distance)
        level++;
    return level;
}

void ground_draw(const ground *g, GLuint program, const float view_projection[16],
                 const double eye[3], double pixels)
{
    const GLint chunk_place = glGetUniformLocation(program, "chunk");
    const GLint hem_place = glGetUniformLocation(program, "hem");
    for (int cj = 0; cj < g->chunks_y; cj++)
        for (int ci = 0; ci < g->chunks_x; ci++) {
            const box b = chunk_box(g, ci, cj);
            if (outside(&b, view_projection))
                continue;
            const chunk *c = &g->chunks[cj * g->chunks_x + ci];
            const int level = choose_level(c, distance_to(&b, eye), pixels);
            const level_mesh *mesh = &g->levels[level];
            glUniform4i(chunk_place, ci * CHUNK, cj * CHUNK, 1 << level, 0);
            // A neighbour may be coarser by any number of levels; its error is what can gape.
            glUniform1f(hem_place, c->error[LEVELS - 1] + 0.25f * g->cell_size);
            glBindVertexArray(mesh->array);
            glDrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_SHORT, NULL);
        }
    glBindVertexArray(0);
}

void ground_draw_sides(const ground *g)
{
    glBindVertexArray(g->no_points);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * 2 * (g->nx + g->ny + 4));
    glBindVertexArray(0);
}
