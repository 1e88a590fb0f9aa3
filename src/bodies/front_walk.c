// SPDX-License-Identifier: MIT
// front_walk.c - what surfaces that keep water out find before them in the tile of their body: all
// that belongs to a triangle is found once; a triangle above all water is left alone; and pieces
// that are wet all over need no cutting. samples_front.c says the same of one point of any water.
#include "bodies/front_walk.h"

#include <math.h>

#define ROUNDING 1e-5f    // metres: no mean of levels exceeds the highest by more
#define NO_LEVEL (-1e30f) // RL_NO_WATER
#define THIRD    (1.0 / 3.0)

// ---- Points ----------------------------------------------------------------------------

// A row of the lattice that divides a triangle, and what its points find.
typedef struct front_points {
    float depth[RL_MAX_PARTS + 1];  // at which they lie, metres; NO_LEVEL: there is no water
    float height[RL_MAX_PARTS + 1]; // of them, from the tile's reference, metres
    float flow_x[RL_MAX_PARTS + 1], flow_y[RL_MAX_PARTS + 1];
} front_points;

// A triangle that is walked over. Its points lie at `first` + row `rows` + n `along`: two places in
// cells of the tile, where they look for water, and their height.
typedef struct front_walk {
    const rl_water_view *view;
    const rl_front_tile *tile;
    const rl_triangle *triangle;
    rl_visit_fronts visit;
    void *context;
    float first[3], rows[3], along[3];
    double scale, area; // 1 / parts, and of a piece
    double wet, head;   // of all pieces: integrals of 1, of the depth, and of both times the
    double centre[2], head_centre[2]; // second and the third barycentric coordinate
    rl_front_pieces pieces;
} front_walk;

static inline float limited(float value, float most)
{
    return value > 0.0f ? (value < most ? value : most) : 0.0f; // a NaN gives 0
}

// The mean of the four cells of a tile around a point.
static inline void mix_cells(const rl_front_tile *tile, float x, float y, float *restrict sum)
{
    const int width = tile->box.i1 - tile->box.i0, rows = tile->box.j1 - tile->box.j0;
    x = limited(x, (float)(width - 1));
    y = limited(y, (float)(rows - 1));
    const int i = (int)x < width - 2 ? (int)x : width - 2;
    const int j = (int)y < rows - 2 ? (int)y : rows - 2;
    const float *restrict south = tile->cells[j * width + i], *restrict north = south;
    north += (size_t)width * RL_FRONT_VALUES;
    const float fx = x - (float)i, fy = y - (float)j, gx = 1.0f - fx, gy = 1.0f - fy;
    const float sw = gx * gy, se = fx * gy, nw = gx * fy, ne = fx * fy;
    for (int k = 0; k < RL_FRONT_VALUES; k++)
        sum[k] = (sw * south[k] + se * south[RL_FRONT_VALUES + k]) +
                 (nw * north[k] + ne * north[RL_FRONT_VALUES + k]);
}

// What a point makes of that.
static inline void find_point(const float *sum, float height, int n, front_points *points)
{
    const bool wet = sum[RL_FRONT_WET] > 0.0f, moves = sum[RL_FRONT_MOVING] > 0.0f;
    const float part = sum[wet ? RL_FRONT_WET : RL_FRONT_HEADED];
    const float level = sum[wet ? RL_FRONT_LEVEL : RL_FRONT_HEAD];
    const bool none = !wet && (sum[RL_FRONT_FREE] > 0.0f || !(part > 0.0f));
    const float scale = moves ? 1.0f / sum[RL_FRONT_MOVING] : 0.0f;
    points->height[n] = height;
    points->depth[n] = none ? NO_LEVEL : level / part - height;
    points->flow_x[n] = scale * sum[RL_FRONT_FLOW_X];
    points->flow_y[n] = scale * sum[RL_FRONT_FLOW_Y];
}

// The same where there is no tile.
static void find_beyond(const front_walk *w, int row, front_points *points)
{
    const int parts = w->triangle->parts;
    for (int n = 0; n <= parts - row; n++) {
        const double weights[3] = {(parts - row - n) * w->scale, row * w->scale, n * w->scale};
        double p[3];
        rl_samples_mix((const double(*)[3])w->triangle->p, weights, p);
        const rl_front front = rl_samples_front(w->view, p, w->triangle->normal);
        points->height[n] = (float)(p[2] - w->tile->reference);
        points->depth[n] = front.level > RL_NO_WATER ? (float)(front.level - p[2]) : NO_LEVEL;
        points->flow_x[n] = (float)front.flow[0];
        points->flow_y[n] = (float)front.flow[1];
    }
}

static void find_points(const front_walk *w, int row, front_points *points)
{
    if (w->tile->box.i1 == w->tile->box.i0) {
        find_beyond(w, row, points);
        return;
    }
    const int count = w->triangle->parts - row + 1;
    float from[3], sums[RL_MAX_PARTS + 1][RL_FRONT_VALUES];
    for (int k = 0; k < 3; k++)
        from[k] = w->first[k] + (float)row * w->rows[k];
    for (int n = 0; n < count; n++)
        mix_cells(w->tile, from[0] + (float)n * w->along[0], from[1] + (float)n * w->along[1],
                  sums[n]);
    for (int n = 0; n < count; n++)
        find_point(sums[n], from[2] + (float)n * w->along[2], n, points);
}

// ---- Pieces ----------------------------------------------------------------------------

// A piece: what its corners find, and where they lie: their second and third barycentric
// coordinates.
typedef struct front_piece {
    double depth[3], at[2][3];
    double flow[2]; // mean of the corners that see water
} front_piece;

static void hand_over(front_walk *w)
{
    if (w->pieces.count > 0)
        w->visit(w->context, w->triangle, &w->pieces);
    w->pieces.count = 0;
}

// Adds a wet part of a piece: its integrals.
static inline void add_part(front_walk *w, const front_piece *piece, double area, double head,
                            const double centre[2], const double head_centre[2])
{
    rl_front_pieces *to = &w->pieces;
    const int n = to->count++;
    const float scale = (float)(1.0 / area);
    w->wet += area;
    w->head += head;
    for (int k = 0; k < 2; k++) {
        w->centre[k] += centre[k];
        w->head_centre[k] += head_centre[k];
        to->centre[k + 1][n] = scale * (float)centre[k];
    }
    to->centre[0][n] = (1.0f - to->centre[1][n]) - to->centre[2][n];
    to->area[n] = (float)area;
    to->flow_x[n] = (float)piece->flow[0];
    to->flow_y[n] = (float)piece->flow[1];
    if (to->count == RL_FRONT_PIECES)
        hand_over(w);
}

// rl_samples_wet has the integrals: a whole piece, the corner of one, or what is left without a
// corner.
static void walk_piece(front_walk *w, const front_piece *piece, int below)
{
    const double *d = piece->depth;
    double area = 0.0, head = 0.0, centre[2] = {0}, head_centre[2] = {0};
    if (below > 1) {
        area = w->area;
        head = area * (d[0] + d[1] + d[2]) * THIRD;
        for (int k = 0; k < 2; k++) {
            const double *at = piece->at[k], sum = at[0] + at[1] + at[2];
            const double both = d[0] * at[0] + d[1] * at[1] + d[2] * at[2];
            centre[k] = area * sum * THIRD;
            head_centre[k] = 0.25 * (head * sum + area * both * THIRD);
        }
    }
    if (below < 3) {
        int c = 0; // the corner that is alone
        for (int n = 1; n < 3; n++)
            c = (below == 1 ? d[n] > d[c] : d[n] < d[c]) ? n : c;
        const int e = c == 2 ? 0 : c + 1, f = c == 0 ? 2 : c - 1;
        const double to_e = d[c] / (d[c] - d[e]), to_f = d[c] / (d[c] - d[f]);
        const double part = (below == 1 ? w->area : -w->area) * to_e * to_f;
        area += part;
        head += part * d[c] * THIRD;
        for (int k = 0; k < 2; k++) {
            const double at = piece->at[k][c];
            const double sum =
                3.0 * at + (to_e * (piece->at[k][e] - at) + to_f * (piece->at[k][f] - at));
            centre[k] += part * sum * THIRD;
            head_centre[k] += part * d[c] * (sum + at) * (0.25 * THIRD);
        }
    }
    if (area > 1e-12 * w->area)
        add_part(w, piece, area, head, centre, head_centre);
}

// A corner without water takes the level of the others. Returns how many corners are below it.
static int complete(front_piece *piece, const float height[3], const bool seen[3])
{
    double level = 0.0;
    int count = 0, below = 0;
    for (int c = 0; c < 3; c++) {
        level += seen[c] ? (double)height[c] + piece->depth[c] : 0.0;
        count += seen[c];
    }
    for (int c = 0; c < 3 && count > 0; c++) {
        piece->depth[c] = seen[c] ? piece->depth[c] : level / count - (double)height[c];
        below += piece->depth[c] > 0.0;
    }
    for (int k = 0; k < 2 && count > 0; k++)
        piece->flow[k] *= 3.0 / count; // the flow of those that see none is 0
    return below;
}

// The pieces between two rows of the lattice. As rl_samples_piece has them: those with even numbers
// lie as the triangle does, the others upside down between them.
static void walk_row(front_walk *w, int row, const front_points *near, const front_points *far)
{
    for (int n = 0; n < 2 * (w->triangle->parts - row) - 1; n++) {
        const int at = n / 2, turned = n % 2;
        const front_points *first = turned ? far : near;
        const float d[3] = {first->depth[at], far->depth[at + turned], near->depth[at + 1]};
        const bool seen[3] = {d[0] > NO_LEVEL, d[1] > NO_LEVEL, d[2] > NO_LEVEL};
        int below = (d[0] > 0.0f) + (d[1] > 0.0f) + (d[2] > 0.0f);
        const bool all = seen[0] && seen[1] && seen[2];
        if (all && below == 0)
            continue;
        const double r = row * w->scale, a = at * w->scale, t = turned * w->scale, s = w->scale;
        front_piece piece = {
            {(double)d[0], (double)d[1], (double)d[2]},
            {{r + t, r + s, r}, {a, a + t, a + s}},
            {THIRD * (double)(first->flow_x[at] + far->flow_x[at + turned] + near->flow_x[at + 1]),
             THIRD *
                 (double)(first->flow_y[at] + far->flow_y[at + turned] + near->flow_y[at + 1])}};
        if (!all) {
            const float height[3] = {first->height[at], far->height[at + turned],
                                     near->height[at + 1]};
            below = complete(&piece, height, seen);
        }
        if (below > 0)
            walk_piece(w, &piece, below);
    }
}

// Where the points of the walk's triangle lie in the tile.
static void place(front_walk *w)
{
    const rl_triangle *t = w->triangle;
    const double per_cell = 1.0 / w->view->cell_size;
    double outside[3];
    rl_samples_outside(w->view, t->p[0], t->normal, outside);
    w->first[0] = (float)(outside[0] * per_cell - 0.5 - w->tile->box.i0);
    w->first[1] = (float)(outside[1] * per_cell - 0.5 - w->tile->box.j0);
    w->first[2] = (float)(t->p[0][2] - w->tile->reference);
    for (int k = 0; k < 3; k++) {
        const double scale = k < 2 ? w->scale * per_cell : w->scale;
        w->rows[k] = (float)((t->p[1][k] - t->p[0][k]) * scale);
        w->along[k] = (float)((t->p[2][k] - t->p[0][k]) * scale);
    }
}

rl_wet_part rl_front_walk(const rl_water_view *view, const rl_front_tile *tile,
                          const rl_triangle *t, rl_visit_fronts visit, void *context)
{
    const double lowest = fmin(t->p[0][2], fmin(t->p[1][2], t->p[2][2]));
    if ((float)(lowest - tile->reference) > tile->highest + ROUNDING)
        return (rl_wet_part){0};
    front_points points[2];
    front_walk walk;
    walk.view = view;
    walk.tile = tile;
    walk.triangle = t;
    walk.visit = visit;
    walk.context = context;
    walk.scale = 1.0 / t->parts;
    walk.area = t->area * walk.scale * walk.scale;
    walk.wet = walk.head = 0.0;
    walk.centre[0] = walk.centre[1] = walk.head_centre[0] = walk.head_centre[1] = 0.0;
    walk.pieces.count = 0;
    place(&walk);
    find_points(&walk, 0, &points[0]);
    for (int row = 0; row < t->parts; row++) {
        find_points(&walk, row + 1, &points[(row + 1) % 2]);
        walk_row(&walk, row, &points[row % 2], &points[(row + 1) % 2]);
    }
    hand_over(&walk);
    const double *c = walk.centre, *h = walk.head_centre;
    return (rl_wet_part){.area = walk.wet,
                         .centre = {walk.wet - c[0] - c[1], c[0], c[1]},
                         .head = walk.head,
                         .head_centre = {walk.head - h[0] - h[1], h[0], h[1]}};
}
