// SPDX-License-Identifier: MIT
// wave_particles_texels.c - the output of the wave particles: tiles of texels where there is water.
// A texel is the mean over the patches of texture of the particles (Burrell Eq. 4.3, with erratum 7
// to Burrell):
//
//     O(x) = sum w_i k_i c_i / max(sum w_i k_i, floor),   c_i = texture(x + b_i - l_i),
//     k_i = max(0, 1 - |x - l_i|^2 / R^2)^2
//
// Nothing pops. Let W = max(sum w_i k_i, floor), and let n particles reach the texel. From a frame
// to the next, dt later, w_i changes by at most w' dt (wave_particles_move.c), k_i by at most k'
// |u| dt with its steepest slope k' = 8 / (3 sqrt 3 R), and c_i by at most c' |u| dt + c_t, the
// slope of the texture and its own change. A mean changes by the change of its weights times the
// distance of the values from it, which is at most 2 C, C the highest wave:
//
//     |O' - O| <= n (w' + k' |u|) dt 2 C / W + c' |u| dt + c_t
//
// Tiles far from the viewer are worked out on coarser lattices of texels, with a texture from which
// the waves that those cannot hold are taken out by averaging, and interpolated. Where lattices
// meet they are blended: each corner of a tile has a level, that of its coarsest neighbour, and
// between corners levels are interpolated, so that both sides of a seam have the same values. A
// level changes by RL_WAVE_PARTICLE_BLEND a second, which adds RL_WAVE_PARTICLE_BLEND (1 + 2 EDGE)
// dt 2 C.
#include "core/assert.h"
#include "waves/wave_particles_internal.h"

#include <math.h>
#include <string.h>

// Blending starts so far from a whole level that the rim of a tile, which belongs to the next
// one, needs no lattice that the tile itself does not: half a texel of 16 and more.
#define EDGE 0.03125f

#define TEXTURE_ROWS_PER_TASK 16

// ---- Which squares have tiles ----------------------------------------------------------------

static bool has_water(const rl_wave_particles *d, int si, int sj)
{
    const int i0 = si * RL_SQUARE - 1, j0 = sj * RL_SQUARE - 1;
    for (int j = j0 < 0 ? 0 : j0; j < d->ny && j <= j0 + RL_SQUARE + 1; j++)
        for (int i = i0 < 0 ? 0 : i0; i < d->nx && i <= i0 + RL_SQUARE + 1; i++)
            if ((d->wet[(size_t)j * (size_t)d->nx + (size_t)i] & RL_WAVE_PARTICLE_IS_WET) != 0)
                return true;
    return false;
}

bool rl_wave_particles_fill_tiles(rl_wave_particles *d)
{
    const int squares = d->squares_x * d->squares_y;
    rl_wave_particles_tiles *p = rl_owned_create(&d->own.allocator, sizeof *p);
    if (p == NULL)
        return false;
    p->index = rl_owned_take(&p->own, (size_t)squares, sizeof *p->index);
    for (int n = 0; n < squares && p->index != NULL; n++)
        p->index[n] = has_water(d, n % d->squares_x, n / d->squares_x) ? p->count++ : -1;
    const size_t count = (size_t)p->count + 1; // one more, so that no array is empty
    p->square = rl_owned_take(&p->own, count, sizeof *p->square);
    p->texels =
        rl_owned_take(&p->own, count, (size_t)(d->tile_side * d->tile_side) * sizeof(float));
    p->at = rl_owned_take(&p->own, count, RL_WAVE_PARTICLE_TILE_AREA * sizeof *p->at);
    p->top = rl_owned_take(&p->own, count, 1);
    p->merged = rl_owned_take(&p->own, count, 1);
    p->first = rl_owned_take(&p->own, count, sizeof *p->first);
    p->counts = rl_owned_take(&p->own, (size_t)d->chunks * count, sizeof *p->counts);
    p->births = rl_owned_take(&p->own, count, sizeof *p->births);
    p->born = rl_owned_take(&p->own, count, RL_WAVE_PARTICLE_TILE_AREA / 8);
    void *unfinished = p;
    if (p->own.failed) {
        rl_owned_destroy(NULL, &unfinished);
        return false;
    }
    for (int n = 0; n < squares; n++)
        if (p->index[n] >= 0)
            p->square[p->index[n]] = n;
    rl_wave_particles_free_tiles(d);
    d->tiles = p;
    d->listed = d->drawn = false;
    return true;
}

void rl_wave_particles_free_tiles(rl_wave_particles *d)
{
    void *tiles = d->tiles;
    rl_owned_destroy(NULL, &tiles);
    d->tiles = NULL;
}

// ---- Detail ----------------------------------------------------------------------------------

static float shown_at(const rl_wave_particles *d, int i, int j)
{
    if (i < 0 || j < 0 || i >= d->squares_x || j >= d->squares_y)
        return 0.0f;
    const int square = j * d->squares_x + i;
    return d->tiles->index[square] < 0 ? 0.0f : d->shown[square];
}

// Returns the level of the south-western corner of square (i, j): that of the coarsest tile around
// it.
static float corner_level(const rl_wave_particles *d, int i, int j)
{
    const float south = fmaxf(shown_at(d, i - 1, j - 1), shown_at(d, i, j - 1));
    const float north = fmaxf(shown_at(d, i - 1, j), shown_at(d, i, j));
    return fmaxf(south, north);
}

// The levels of a tile's corners and of those around them.
typedef struct corners {
    float level[4][4];
} corners;

static corners corners_of(const rl_wave_particles *d, int tile)
{
    const int i0 = d->tiles->square[tile] % d->squares_x,
              j0 = d->tiles->square[tile] / d->squares_x;
    corners c;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            c.level[j][i] = corner_level(d, i0 + i - 1, j0 + j - 1);
    return c;
}

// Returns the coarsest lattice that a tile needs: one whose largest blend is above 0.
static int top_of(const corners *c)
{
    const float highest =
        fmaxf(fmaxf(c->level[1][1], c->level[1][2]), fmaxf(c->level[2][1], c->level[2][2]));
    const int whole = (int)highest;
    return highest - (float)whole > 0.0f ? whole + 1 : whole;
}

void rl_wave_particles_follow_detail(rl_wave_particles *d, const rl_quadtree *detail, double dt)
{
    const rl_quadtree_view view =
        detail != NULL ? rl_quadtree_squares(detail) : (rl_quadtree_view){0};
    const float most = RL_WAVE_PARTICLE_BLEND * (float)dt;
    const bool fits = view.squares_x == d->squares_x && view.squares_y == d->squares_y;
    for (int n = 0; n < d->squares_x * d->squares_y; n++) {
        const int level = fits ? view.level[n] : 0;
        const float wanted = (float)(level < d->coarsest ? level : d->coarsest);
        const float change = wanted - d->shown[n];
        d->shown[n] += change > most ? most : (change < -most ? -most : change);
        if (d->tiles->index[n] >= 0)
            d->tiles->merged[d->tiles->index[n]] =
                (unsigned char)(level < RL_WAVE_PARTICLE_MAX_MERGE ? level
                                                                   : RL_WAVE_PARTICLE_MAX_MERGE);
    }
    d->highest = 0;
    for (int tile = 0; tile < d->tiles->count; tile++) {
        const corners c = corners_of(d, tile);
        const int top = top_of(&c);
        d->tiles->top[tile] = (unsigned char)top;
        d->highest = top > d->highest ? top : d->highest;
    }
    for (int level = 0; level <= RL_WAVE_PARTICLE_MAX_MERGE; level++) {
        d->reach[level] = rl_wave_particles_reach(d, d->highest, level);
        d->farthest[level] = rl_wave_particles_reach(d, d->coarsest, level) + d->cell_size;
    }
}

// ---- The texture -----------------------------------------------------------------------------

// Returns a row of one of the two textures of a lattice: 0 at its points, 1 half a point east of
// them.
static float *texture_row(const rl_wave_particles_lattice *l, int which, int j)
{
    const int row = j < 0 ? j + l->points : (j < l->points ? j : j - l->points);
    return l->texture + (size_t)which * l->plane + (size_t)row * l->texture_pitch;
}

// Continues a row beyond its period, as far as a patch reaches and vectors read.
static void wrap_row(const rl_wave_particles_lattice *l, float *row)
{
    for (size_t i = (size_t)l->points; i < l->texture_pitch; i++)
        row[i] = row[i - (size_t)l->points];
}

// Samples the sea at the points of the finest lattice: its own points, or between them.
static void sample_sea(const rill_sea_view *sea, int j, int points, float *row)
{
    const float scale = (float)sea->size / (float)points;
    const float y = (float)j * scale;
    const int j0 = (int)y, j1 = (j0 + 1) % sea->size;
    const float *low = sea->height + (size_t)j0 * (size_t)sea->size;
    const float *high = sea->height + (size_t)j1 * (size_t)sea->size;
    if (points == sea->size) {
        memcpy(row, low, (size_t)points * sizeof *row);
        return;
    }
    for (int i = 0; i < points; i++) {
        const float x = (float)i * scale, part = x - (float)(int)x;
        const int i0 = (int)x, i1 = (i0 + 1) % sea->size;
        const float south = low[i0] + part * (low[i1] - low[i0]);
        const float north = high[i0] + part * (high[i1] - high[i0]);
        row[i] = south + (y - (float)j0) * (north - south);
    }
}

// Computes the means over four points of the next finer lattice.
static void average(const rl_wave_particles_lattice *fine, int j, int points, float *row)
{
    const float *low = texture_row(fine, 0, 2 * j), *high = texture_row(fine, 0, 2 * j + 1);
    for (int i = 0; i < points; i++)
        row[i] = 0.25f * ((low[2 * i] + low[2 * i + 1]) + (high[2 * i] + high[2 * i + 1]));
}

static int end_of_rows(const rl_wave_particles_lattice *l, int task)
{
    const int end = (task + 1) * TEXTURE_ROWS_PER_TASK;
    return end < l->points ? end : l->points;
}

// Fills rows of the texture at the points, and half a point east of them.
static void east_task(void *context, int task)
{
    const rl_wave_particles *d = context;
    const rl_wave_particles_lattice *l = &d->lattices[d->laid];
    const rill_sea_view sea = rl_sea_view(d->sea);
    for (int j = task * TEXTURE_ROWS_PER_TASK; j < end_of_rows(l, task); j++) {
        float *row = texture_row(l, 0, j), *east = texture_row(l, 1, j);
        if (d->laid == 0)
            sample_sea(&sea, j, l->points, row);
        else
            average(&d->lattices[d->laid - 1], j, l->points, row);
        wrap_row(l, row);
        // The results start two points further, because the first two have no points before them.
        const int points = l->points;
        d->rows->halfway(row, points, east + 2);
        east[0] = east[points];
        east[1] = east[points + 1];
        wrap_row(l, east);
    }
}

void rl_wave_particles_lay_texture(rl_wave_particles *d, rl_jobs *jobs)
{
    RL_ASSERT(d->highest <= d->coarsest);
    for (int level = 0; level <= d->highest; level++) {
        const int points = d->lattices[level].points;
        const int tasks = (points + TEXTURE_ROWS_PER_TASK - 1) / TEXTURE_ROWS_PER_TASK;
        d->laid = level;
        rl_jobs_run(jobs, tasks, east_task, d);
    }
}

// ---- Tiles -----------------------------------------------------------------------------------

// Stamps the patches of a tile on one lattice, into `sum` and `total` in rows of its pitch.
static void draw_lattice(const rl_wave_particles *d, int tile, int level, float *sum, float *total)
{
    RL_ASSERT(d->listed && level <= d->coarsest);
    const rl_wave_particles_lattice *l = &d->lattices[level];
    const int square = d->tiles->square[tile], inner = l->side - 2;
    memset(sum, 0, (size_t)l->side * l->pitch * sizeof *sum);
    memset(total, 0, (size_t)l->side * l->pitch * sizeof *total);
    rl_wave_particles_texels texels = {
        .lattice = l,
        .scale = 1.0f / l->texel,
        .corner_x = square % d->squares_x * inner - 1,
        .corner_y = square / d->squares_x * inner - 1,
        .sum = sum,
        .total = total,
    };
    for (int k = 0; k <= RL_WAVE_PARTICLE_MAX_MERGE; k++) {
        const float wide = RL_WAVE_PARTICLE_RADIUS * d->cell_size * (float)(1 << k) / l->texel;
        texels.radius[k] = fmaxf(wide, RL_WAVE_PARTICLE_RADIUS);
        texels.step[k] = 1.0f / texels.radius[k];
    }
    const int first = d->tiles->first[tile];
    d->rows->stamp(&texels, d->patches, d->list + first, d->tiles->first[tile + 1] - first);
}

static void draw_fine(const rl_wave_particles *d, int tile, float *scratch)
{
    const rl_wave_particles_lattice *l = &d->lattices[0];
    float *sum = scratch, *total = scratch + d->scratch_floats;
    float *out = d->tiles->texels + (size_t)tile * (size_t)(l->side * l->side);
    draw_lattice(d, tile, 0, sum, total);
    for (int j = 0; j < l->side; j++)
        d->rows->divide(sum + (size_t)j * l->pitch, total + (size_t)j * l->pitch,
                        RL_WAVE_PARTICLE_FLOOR, l->side, out + (size_t)j * (size_t)l->side);
}

// Returns the corner before fine texel n of a tile, counted from the one before the tile, and the
// part of the next one.
static int between_corners(int n, int inner, float *part)
{
    const float at = ((float)n - 0.5f) / (float)inner;
    const int before = n == 0 ? 0 : (n > inner ? 2 : 1);
    *part = at - (float)(before - 1);
    return before;
}

static float blend_of(float here, int level)
{
    const float part = (here - (float)(level - 1)) * (1.0f + 2.0f * EDGE) - EDGE;
    return part > 0.0f ? (part < 1.0f ? part : 1.0f) : 0.0f;
}

// Computes how far the lattice of `level` replaces the finer one, along row j.
static void blend_row(const rl_wave_particles *d, const corners *c, int level, int j, float *blend)
{
    const int last = d->tile_side - 1, inner = last - 1;
    float y, x, along[4];
    const int south = between_corners(j, inner, &y);
    for (int i = 0; i < 4; i++)
        along[i] = c->level[south][i] + y * (c->level[south + 1][i] - c->level[south][i]);
    const float scale = 1.0f / (float)inner, rise = along[2] - along[1];
    for (int i = 1; i < last; i++)
        blend[i] = blend_of(along[1] + ((float)i - 0.5f) * scale * rise, level);
    between_corners(0, inner, &x);
    blend[0] = blend_of(along[0] + x * (along[1] - along[0]), level);
    between_corners(last, inner, &x);
    blend[last] = blend_of(along[2] + x * (along[3] - along[2]), level);
}

// Blends one coarse lattice over the tile.
static void draw_coarse(const rl_wave_particles *d, int tile, int level, const corners *c,
                        bool replace, float *scratch)
{
    const rl_wave_particles_lattice *l = &d->lattices[level];
    const int side = d->tile_side;
    float *sum = scratch, *total = sum + d->scratch_floats, *wide = total + d->scratch_floats;
    float *out = d->tiles->texels + (size_t)tile * (size_t)(side * side);
    draw_lattice(d, tile, level, sum, total);
    for (int j = 0; j < l->side; j++) {
        float *row = sum + (size_t)j * l->pitch;
        d->rows->divide(row, total + (size_t)j * l->pitch, RL_WAVE_PARTICLE_FLOOR, l->side, row);
        d->rows->stretch(row, l->stretch, l->part, side, wide + (size_t)(j * side));
    }
    float *blend = total;
    for (int j = 0; j < side; j++) {
        if (!replace)
            blend_row(d, c, level, j, blend);
        const float *low = wide + (size_t)(l->stretch[j] * side);
        d->rows->mix(low, low + side, l->part[j], replace ? NULL : blend, side,
                     out + (size_t)j * (size_t)side);
    }
}

static void draw_tile(const rl_wave_particles *d, int tile, float *scratch)
{
    const int top = d->tiles->top[tile];
    if (top == 0) {
        draw_fine(d, tile, scratch);
        return;
    }
    const corners c = corners_of(d, tile);
    const int base = (int)fminf(fminf(c.level[1][1], c.level[1][2]),
                                fminf(c.level[2][1], c.level[2][2])); // of the lowest corner
    if (base == 0)
        draw_fine(d, tile, scratch);
    else
        draw_coarse(d, tile, base, &c, true, scratch);
    for (int level = base + 1; level <= top; level++)
        draw_coarse(d, tile, level, &c, false, scratch);
}

static void draw_task(void *context, int slot)
{
    const rl_wave_particles *d = context;
    float *scratch = d->scratch + (size_t)slot * 3 * d->scratch_floats;
    for (int tile = slot; tile < d->tiles->count; tile += RL_WAVE_PARTICLE_SLOTS)
        draw_tile(d, tile, scratch);
}

void rl_wave_particles_draw(rl_wave_particles *d, rl_jobs *jobs)
{
    rl_jobs_run(jobs, RL_WAVE_PARTICLE_SLOTS, draw_task, d);
}
