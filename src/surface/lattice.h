// SPDX-License-Identifier: MIT
// lattice.h - the data that the passes of a surface share. A vertex can stand on every point of a
// lattice: the nx * ny cell centres and a rim of points on the border of the domain around them, so
// that the surface reaches the border and not only the outermost centres. A rim point takes
// everything but its place from the nearest cell. There is one such lattice a layer; a *slot* is a
// point of a layer.
//
//     columns --wet--> wet --links--> link, wet_link, plain, cut, level, height, link_layer of wet
//     columns --answers--> link_layer of dry ones --shore--> height of dry ones, corner
//     --own_edges--> extra, edge --quads--> quad, sums of a tile --prefix--> offsets
//     --vertices--> vertices, number --triangles--> indices
//
// Each pass reads only what earlier passes wrote, and writes only rows of its own tile (the rim
// belongs to the outermost rows), so tiles may run in any order.
//
// Links form a matching: a column is linked to at most one column of a neighbouring cell. Where
// everything is linked within one layer, quads are bits (quads.c). Everything else, at the edges of
// overhangs and along running fronts, is drawn in groups of 2x2 cells, all layers together
// (cell_group_inline.h).
#pragma once

#include "core/flags.h"
#include "surface/surface_cell.h"
#include "surface/surface_internal.h"

#include <stdbool.h>
#include <string.h>

#define RL_SURFACE_MAX_LAYERS 128

// Part of a cell size by which a level may be outside the range of a neighbour and yet be linked: a
// flooded column has its level at the ceiling, a dry one its level at the lower end, and both are
// rounded (erratum 16 to Dagenais).
#define RL_SURFACE_LINK_TOLERANCE 1e-3f

#define RL_NO_LAYER 0xff // in `link_layer`: no column there is linked
// Values of `crossed`; the second where a wet column of another layer is on one of the four sides.
enum { RL_CROSSED = 1, RL_CROSSED_WET = 3 };

// Bits of `idle`.
enum { RL_IDLE_LINKS = 1, RL_IDLE_SHORE = 2, RL_IDLE_QUADS = 4 };

// The vertices and triangles that one tile adds, and where it starts in the mesh.
typedef struct rl_surface_tile {
    size_t vertices, triangles;
    size_t first_vertex, first_triangle;
    size_t special; // triangles of cell groups among them
} rl_surface_tile;

// A row of a layer: its wet cells are in [first, end), none when end is 0; `answered` is 1 where a
// dry column is linked to another layer.
typedef struct rl_surface_row {
    int first, end;
    int answered;
} rl_surface_row;

// A column of those above each other in a cell, which lie side by side in memory: without that a
// search for what a neighbouring cell has at some elevation would read a distant place for each
// layer.
typedef struct rl_stack_entry {
    float low, base, high; // lower end of the range, floor, ceiling, metres
    int layer;
} rl_stack_entry;

// Cells [first, end) of a row that may hold columns of a layer.
typedef struct rl_surface_span {
    int first, end;
} rl_surface_span;

// What a wet column knows of the boundary column nearest to it: the distance to its centre, metres,
// which cell it is in, and twice its layer, plus one for a wall, which has no layer. Beyond the
// border are walls at -1 and at the number of cells.
enum { RL_SHORE_DISTANCE, RL_SHORE_I, RL_SHORE_J, RL_SHORE_KIND, RL_SHORE_FIELDS };

// Wet columns of a tile that are `crossed`.
typedef struct rl_shore_column {
    uint16_t i;
    uint8_t row, layer; // the row counts from the first one of the tile
} rl_shore_column;

typedef struct rl_shore_list {
    rl_shore_column *columns;
    size_t count;
} rl_shore_list;

struct rl_surface {
    rill_allocator allocator;
    int nx, ny, layers;
    rill_surface_def def;
    float fall_slope; // metres a metre; at 0 falls are drawn (rl_surface_cut_falls)
    bool fine;        // the build that is running ends surfaces within cells
    bool ranged;      // its columns have ranges
    unsigned walls;   // sides of the domain that are walls (rl_surface_set_walls)

    // Over the lattice, `pitch` values a row and `plane` values a layer; point (i, j) of layer k is
    // value rl_surface_at(s, i, j, k).
    size_t pitch, plane;
    float *level;      // base + depth of a cell, metres; the rim is not used
    float *height;     // z of the vertex, metres
    uint8_t *wet;      // 1 or 0; the rim stays 0: there is no column
    uint8_t *forward;  // links to E, NE, N and NW in this layer, bits 0 to 3; the rim stays 0
    uint8_t *only;     // four a slot, by side: the only column in reach, as far as known
                       // (cross_layer_links.c)
    uint8_t *lone;     // sides with a column of the same layer alone in reach, as far as known
    uint8_t *sure;     // links that exist at any level, with the stacks; set beyond the border
    uint8_t *link;     // linked neighbours in this layer; those beyond the border count
    uint8_t *wet_link; // linked and wet neighbours in this layer
    uint8_t *plain;    // of wet slots: neighbours in this layer that are linked and not cut; of dry
                       // ones: all to which no link of another layer goes
    uint8_t *cut;      // of wet slots: neighbours in any layer, dry, towards which the surface ends
    uint8_t *crossed;  // RL_CROSSED: `link_layer` says what is on the sides; 0: all in this layer
    uint8_t *corner;   // RL_CORNER_
    uint8_t *extra;    // of wet slots: bits 0 to 3 edge vertices that it owns, bits 4 to 7 those of
                       // them with a curtain, which has two vertices more; by side
    uint8_t *quad;     // RL_QUAD_ of the quad whose corner a is this point; 0 all around
    uint8_t *link_layer; // four a slot, by side: layers of linked columns, where `crossed`
    uint16_t *edge;      // four a slot, by side: rl_edge_code, where wet and `crossed` (edges.h)
    uint32_t *number;    // place among the vertices, where used

    // Over the points of one layer.
    uint8_t *outward; // of cells: sides with a link from a wet column to a dry one of another layer
    uint8_t *special; // lowest layer whose quad is RL_QUAD_SPECIAL, plus 1; 0: none
    uint8_t *highest; // highest such layer, where there is one

    uint8_t *below; // a row a tile: `forward` of the row below it
    rl_surface_row *rows;
    uint8_t *idle; // a byte a row: RL_IDLE_, the arrays that a row without water has left clean
                   // already

    // Triangles of cell groups, as they were counted (polygons_inline.h): `polygon_capacity`
    // triangles a tile.
    uint64_t *polygons;
    size_t polygon_capacity;

    // Columns by cell, for more than one layer; made for the ground of this version, where 0 is
    // none.
    uint32_t *stack_first;
    rl_stack_entry *stacks;
    rl_surface_span *live; // a row of a layer, with the stacks
    uint64_t stacks_version, ground_version;

    rill_vertex *vertices;
    uint32_t *indices;
    size_t vertex_capacity, triangle_capacity;
    size_t vertex_count, index_count;

    // With a meniscus only. The nearest boundary columns of wet ones, now and after the step that
    // is running; on a host, distances of all others are not a number. `moved` is 1 where the last
    // step, or this one, may have changed them.
    rill_meniscus *meniscus; // one a vertex, or NULL
    float *shore[2][RL_SHORE_FIELDS];
    uint8_t *moved[2];
    // On a host only (meniscus_steps.c).
    uint8_t *alone;         // 1 where a wet column has a wet neighbour in its layer without a link
    rl_surface_span *known; // a row of a layer: cells whose distances were set by a build
    rl_surface_span *moving[2];                   // and those with all that have `moved`
    rl_shore_list *crossing;                      // one a tile
    const struct rl_meniscus_rows *meniscus_rows; // those of this processor

    float *least; // least thickness per column, strides of the columns it was made for, and what
                  // rl_minimum_floats() has besides; or NULL
    size_t least_bytes, least_pitch, least_stride;

    rl_surface_tile *tiles;
    int tile_count;

    void *pool; // all arrays above but `least`
    size_t pool_bytes;

    rill_columns columns; // of the build that is running, or the last
};

// Returns the slot of a point: -1 <= i <= nx, -1 <= j <= ny; the cells are 0 <= i < nx, 0 <= j <
// ny.
RL_CELL size_t rl_surface_at(const rl_surface *s, int i, int j, int layer)
{
    return (size_t)layer * s->plane + (size_t)(j + 1) * s->pitch + (size_t)(i + 1);
}

// Returns the place of a column in the arrays of the view.
RL_CELL size_t rl_surface_column(const rl_surface *s, int i, int j, int layer)
{
    return (size_t)layer * s->columns.layer_stride + (size_t)j * s->columns.pitch + (size_t)i;
}

// Returns the place of the column of a lattice point.
RL_CELL size_t rl_surface_column_at(const rl_surface *s, int i, int j, int layer)
{
    return rl_surface_column(s, rl_surface_clamp(i, s->nx), rl_surface_clamp(j, s->ny), layer);
}

// Returns the lowest level that columns beside a column, or beside those of its row from it on,
// must have to be linked to it: the lower end of its range, or more where the ground is in between
// (reach.c).
RL_CELL const float *rl_surface_join(const rl_surface *s, int i, int j, int layer)
{
    if (s->least == NULL)
        return s->columns.range_min + rl_surface_column(s, i, j, layer);
    return s->least + s->least_stride * (size_t)(s->layers + layer) + (size_t)j * s->least_pitch +
           (size_t)i;
}

// Returns the columns of a cell in ascending order of their layers; `count` of them. A surface of
// one layer has no stacks: its column is written to `one`.
RL_CELL const rl_stack_entry *rl_stack_of(const rl_surface *s, int i, int j, rl_stack_entry *one,
                                          int *count)
{
    if (s->stack_first == NULL) {
        const size_t at = rl_surface_column(s, i, j, 0);
        one->low = s->columns.range_min[at];
        one->base = s->columns.base[at];
        one->high = s->columns.range_max[at];
        one->layer = 0;
        *count = 1;
        return one;
    }
    const size_t cell = (size_t)j * (size_t)s->nx + (size_t)i;
    *count = (int)(s->stack_first[cell + 1] - s->stack_first[cell]);
    return s->stacks + s->stack_first[cell];
}

RL_CELL rl_surface_row *rl_surface_row_of(const rl_surface *s, int j, int layer)
{
    return &s->rows[(size_t)layer * (size_t)(s->ny + 2) + (size_t)(j + 1)];
}

RL_CELL uint8_t *rl_surface_idle(const rl_surface *s, int j, int layer)
{
    return &s->idle[(size_t)layer * (size_t)(s->ny + 2) + (size_t)(j + 1)];
}

// Returns the lattice rows of a tile: [first, end), out of -1 to ny.
static inline int rl_surface_tile_first(int tile)
{
    return tile * RL_SURFACE_TILE_ROWS - 1;
}

static inline int rl_surface_tile_end(const rl_surface *s, int tile)
{
    const int end = rl_surface_tile_first(tile + 1);
    return end < s->ny + 1 ? end : s->ny + 1;
}

// Returns the cells [first, end) of rows `low` to `high` of a layer that are wet or beside a wet
// one; empty (end is 0) where none is.
static inline rl_surface_row rl_surface_active(const rl_surface *s, int low, int high, int layer)
{
    rl_surface_row sum = {s->nx, 0, 0};
    for (int j = low; j <= high; j++) {
        const rl_surface_row *row = rl_surface_row_of(s, j, layer);
        if (row->end == 0)
            continue;
        sum.first = row->first < sum.first ? row->first : sum.first;
        sum.end = row->end > sum.end ? row->end : sum.end;
    }
    if (sum.end == 0)
        return (rl_surface_row){0, 0, 0};
    sum.first -= sum.first > 0;
    sum.end += sum.end < s->nx;
    return sum;
}

// Returns the lattice points [first, end) of a row that can be drawn; empty where none can.
static inline rl_surface_row rl_surface_drawn(const rl_surface *s, int j, int layer)
{
    const int cj = rl_surface_clamp(j, s->ny);
    if (rl_surface_row_of(s, cj, layer)->answered)
        return (rl_surface_row){-1, s->nx + 1, 1};
    rl_surface_row active = rl_surface_active(s, cj - 1, cj + 1, layer);
    if (active.end == 0)
        return active;
    active.first -= active.first == 0;
    active.end += active.end == s->nx;
    return active;
}

// Returns the end of the values from row[i] on, up to row[end - 1], whose bits of `mask` are
// `value`. Runs are long, so eight are tested at a time.
static inline int rl_surface_run(const uint8_t *row, int i, int end, uint8_t mask, uint8_t value)
{
    const uint64_t masks = mask * RL_EIGHT_FLAGS, values = value * RL_EIGHT_FLAGS;
    while (i + 8 <= end && (rl_eight_flags(row + i) & masks) == values)
        i += 8;
    while (i < end && (row[i] & mask) == value)
        i++;
    return i;
}

// Returns the first of row[i] to row[end - 1] that is not 0, or `end`.
static inline int rl_surface_next(const uint8_t *row, int i, int end)
{
    return rl_surface_run(row, i, end, 0xff, 0);
}

// Returns whether the surfaces of two neighbouring columns are one: each level lies in the other's
// range (Dagenais section 4.1), ends included. `tolerance` is in metres. The level of a dry column
// is its floor.
RL_CELL bool rl_surface_linked(float level_i, float min_i, float max_i, float level_j, float min_j,
                               float max_j, float tolerance)
{
    return level_i >= min_j - tolerance && level_i <= max_j + tolerance &&
           level_j >= min_i - tolerance && level_j <= max_i + tolerance;
}

RL_CELL bool rl_surface_on_lattice(const rl_surface *s, int i, int j)
{
    return i >= -1 && i <= s->nx && j >= -1 && j <= s->ny;
}

RL_CELL bool rl_surface_is_wet(const rl_surface *s, int i, int j, int layer)
{
    return s->wet[rl_surface_at(s, rl_surface_clamp(i, s->nx), rl_surface_clamp(j, s->ny), layer)];
}

// Runs a pass over all rows of cells, in all layers; with `rim` 1 over the rows of the lattice
// (surface.c).
typedef void (*rl_surface_row_pass)(const rl_surface *s, int j, int layer);
void rl_surface_for_rows(const rl_surface *s, rl_surface_runner runner, rl_surface_row_pass pass,
                         int rim);

// Runs a task for each tile; its context is the surface.
void rl_surface_for_tiles(rl_surface *s, rl_surface_runner runner, rill_task task);

// Sorts s->columns, which have ranges, by cell (cross_layer_links.c).
void rl_stacks_make(rl_surface *s, rl_surface_runner runner);

// The passes, each for one row of a layer or for one tile; `context` is the rl_surface.
void rl_surface_sure_row(const rl_surface *s, int j, int layer); // links.c, when the ground changed
void rl_surface_wet_row(const rl_surface *s, int j, int layer);  // links.c
void rl_surface_links_tile(void *context, int tile);             // links.c
void rl_surface_answers_tile(void *context, int tile);           // cross_layer_links.c
void rl_surface_shore_row(const rl_surface *s, int j, int layer); // shore.c
void rl_surface_own_edges(const rl_surface *s, int j, int layer); // quads.c
void rl_surface_quads_tile(void *context, int tile);              // quads.c
void rl_surface_count_tile(void *context, int tile);              // quads.c
void rl_surface_vertices_tile(void *context, int tile);           // vertices.c
void rl_surface_triangles_tile(void *context, int tile);          // quads.c

// Finds the wet neighbours in the layer of n columns from their own flags and those of the rows
// beside them (links.c).
void rl_surface_wet_around(uint8_t *around, const uint8_t *south, const uint8_t *here,
                           const uint8_t *north, int n);

// Finds the columns to which a wet column that is not linked all around in its layer is linked
// (cross_layer_links.c).
void rl_surface_find_cross_links(rl_surface *s, int i, int j, int layer);

// Sets `level` and `height` of the wet columns among the cells i to i + n - 1 of row j (shore.c).
void rl_surface_heights(const rl_surface *s, int i, int j, int layer, int n);
// Sets up a new surface with a meniscus, and finds the boundary columns that are nearest to wet
// columns (meniscus_steps.c).
void rl_meniscus_begin(rl_surface *s);
void rl_meniscus_find_distances(rl_surface *s, rl_surface_runner runner);
// Fills s->meniscus for the mesh that was built (meniscus.c).
void rl_surface_find_meniscus(rl_surface *s, rl_surface_runner runner);
