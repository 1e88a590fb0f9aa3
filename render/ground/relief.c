// SPDX-License-Identifier: MIT
// relief.c - normals, the part of the sky a place sees, and shadows of a heightfield.
//
// A place sees the sky above its horizon. With H the angle from the zenith down to the horizon in
// azimuth a, and n the unit normal, the part of a uniform sky's light that arrives is (Dozier and
// Frew 1990)
//
//     1/2pi  integral of  n_z sin^2 H + (n . a) (H - sin H cos H)  over a
//
// The integral is a sum over 16 azimuths whose rays pass through centres of cells, so that no
// height needs interpolating and a plane is seen as the plane it is. Along a ray the samples stand
// ever further apart, and each reads ground that is smoothed in proportion to its distance: what
// lies between two samples still counts, and a peak leaves no rings around itself.
//
// Work goes by tiles with a margin that holds all that the tile can see. A value depends on the
// ground alone, not on the tile, so an edited region comes out as if all had been baked anew.
//
// Shadows are one sweep from the sun onwards, line of cells by line of cells (relief_cast).
#include "render/ground/relief.h"

#include "render/half.h"
#include "render/render_error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REACH     64    // cells that a ray runs
#define GROWTH    1.15f // of the distance from one sample of a ray to the next
#define SHARP     3.5f  // cells from which on the first smoothed copy serves, twice for the next
#define SMOOTHED  4     // smoothed copies of the ground, each twice as smooth as the one before
#define MARGIN    79    // REACH and the radius of the smoothest copy, 2^SMOOTHED - 1
#define TILE      256   // cells of a tile, each way
#define PITCH     (TILE + 2 * MARGIN)
#define LINES     16 // lines of cells that a shadow sweeps before the next ones are read
#define FAR_ABOVE 1000.0f

#define HALF_PI 1.57079633f

_Static_assert(MARGIN == REACH + (1 << SMOOTHED) - 1, "a tile's margin holds all that it sees");

struct relief {
    int nx, ny;
    float cell_size;
    relief_texel *texels; // nx * ny
    // Bed of one tile with its margin, sharp and then ever smoother, PITCH * PITCH each, and what a
    // smoothing leaves between its two passes. All in `tile`.
    float *level[SMOOTHED + 1], *between;
    float *tile;
    // LINES lines of bed and the tops of their shadows, then the line before them. All in `sweep`.
    // A line has as many cells as the longer edge and one more at each end.
    float *bed_lines, *top_lines, *last;
    float *sweep;
    size_t line_pitch;
};

// ---- The ground of a tile ----------------------------------------------------------------

static int clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// Beyond its border the ground goes on level.
static void copy_ground(relief *r, const float *bed, relief_region tile)
{
    const int width = tile.i1 - tile.i0 + 2 * MARGIN, height = tile.j1 - tile.j0 + 2 * MARGIN;
    for (int j = 0; j < height; j++) {
        const float *from =
            bed + (size_t)clamp_int(tile.j0 - MARGIN + j, 0, r->ny - 1) * (size_t)r->nx;
        float *to = r->level[0] + (size_t)j * PITCH;
        for (int i = 0; i < width; i++)
            to[i] = from[clamp_int(tile.i0 - MARGIN + i, 0, r->nx - 1)];
    }
}

// Filters one row with the kernel (1 2 1) / 4, its taps `apart` floats apart.
static void smooth_row(float *restrict to, const float *restrict from, ptrdiff_t apart, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = 0.5f * from[i] + 0.25f * (from[i - apart] + from[i + apart]);
}

// Makes each copy from the one before it, smoothed with taps twice as far apart: after k of them
// the standard deviation is 0.7, 1.6, 3.2, 6.5 cells and the radius 2^k - 1.
static void smooth_ground(relief *r, relief_region tile)
{
    const int width = tile.i1 - tile.i0 + 2 * MARGIN, height = tile.j1 - tile.j0 + 2 * MARGIN;
    for (int k = 1; k <= SMOOTHED; k++) {
        const int apart = 1 << (k - 1), rim = (1 << k) - 1, inner = rim - apart;
        for (int j = inner; j < height - inner; j++)
            smooth_row(r->between + j * PITCH + rim, r->level[k - 1] + j * PITCH + rim, apart,
                       width - 2 * rim);
        for (int j = rim; j < height - rim; j++)
            smooth_row(r->level[k] + j * PITCH + rim, r->between + j * PITCH + rim,
                       (ptrdiff_t)apart * PITCH, width - 2 * rim);
    }
}

// ---- Openness ----------------------------------------------------------------------------

// A ray's step in cells and its weight. The weights make the sum over the 16 azimuths exact for all
// harmonics below the twelfth.
typedef struct ray {
    int x, y;
    float weight;
} ray;

#define ALONG    0.07617188f
#define BETWEEN  0.06781684f
#define DIAGONAL 0.03819444f

static const ray rays[16] = {
    {1, 0, ALONG},    {-1, 0, ALONG},    {0, 1, ALONG},     {0, -1, ALONG},
    {1, 1, DIAGONAL}, {-1, 1, DIAGONAL}, {1, -1, DIAGONAL}, {-1, -1, DIAGONAL},
    {2, 1, BETWEEN},  {-2, 1, BETWEEN},  {2, -1, BETWEEN},  {-2, -1, BETWEEN},
    {1, 2, BETWEEN},  {-1, 2, BETWEEN},  {1, -2, BETWEEN},  {-1, -2, BETWEEN},
};

// Intermediate values of the rows of a tile.
typedef struct row_of_cells {
    float slope_x[TILE], slope_y[TILE]; // of the ground
    float upright[TILE];                // z of the unit normal
    float horizon[TILE];                // tangent of the horizon's elevation
    float open[TILE];
} row_of_cells;

static void raise_horizon(float *restrict horizon, const float *restrict here,
                          const float *restrict there, float inverse_distance, int count)
{
    for (int i = 0; i < count; i++) {
        const float rise = (there[i] - here[i]) * inverse_distance;
        horizon[i] = rise > horizon[i] ? rise : horizon[i];
    }
}

// Finds the horizon in the azimuth of a ray for cells from `origin` (an index into the tile's
// ground) on. No horizon is lower than the level or than the ground's own tangent plane.
static void find_horizon(const relief *r, const ray *a, ptrdiff_t origin, int count,
                         row_of_cells *row)
{
    const float length = sqrtf((float)(a->x * a->x + a->y * a->y));
    for (int i = 0; i < count; i++) {
        const float tangent =
            (row->slope_x[i] * (float)a->x + row->slope_y[i] * (float)a->y) / length;
        row->horizon[i] = tangent > 0.0f ? tangent : 0.0f;
    }
    int level = 0;
    for (int n = 1; (float)n * length <= (float)REACH;) {
        const float distance = (float)n * length;
        while (level < SMOOTHED && distance > SHARP * (float)(1 << level))
            level++;
        raise_horizon(row->horizon, r->level[0] + origin,
                      r->level[level] + origin + (ptrdiff_t)n * (a->y * PITCH + a->x),
                      1.0f / (distance * r->cell_size), count);
        const int next = (int)((float)n * GROWTH + 0.5f);
        n = next > n ? next : n + 1;
    }
}

// Adds the integrand in one azimuth. With t the tangent of the horizon's elevation e = pi/2 - H:
// sin^2 H = 1 / (1 + t^2), sin H cos H = t / (1 + t^2), and e = 2 atan(tan(e/2)), where tan(e/2) is
// at most 1 and a polynomial does (error below 2e-6).
static void add_azimuth(const ray *a, int count, row_of_cells *restrict row)
{
    const float length = sqrtf((float)(a->x * a->x + a->y * a->y));
    const float x = (float)a->x / length, y = (float)a->y / length, weight = a->weight;
    for (int i = 0; i < count; i++) {
        const float t = row->horizon[i];
        const float square = 1.0f + t * t;
        const float u = t / (1.0f + sqrtf(square)), uu = u * u;
        const float half_elevation =
            u *
            (0.9999772f +
             uu * (-0.3326228f +
                   uu * (0.1935404f + uu * (-0.1164265f + uu * (0.0526473f - uu * 0.0117191f)))));
        const float sine_squared = 1.0f / square;
        const float lens = HALF_PI - 2.0f * half_elevation - t * sine_squared;
        const float slope = row->slope_x[i] * x + row->slope_y[i] * y;
        row->open[i] += weight * row->upright[i] * (sine_squared - slope * lens);
    }
}

// ---- Normals -----------------------------------------------------------------------------

// Computes slopes at the centres of a row's cells by central differences, one-sided at the borders.
static void find_slopes(const relief *r, const float *bed, relief_region tile, int j,
                        row_of_cells *row)
{
    const int below = clamp_int(j - 1, 0, r->ny - 1), above = clamp_int(j + 1, 0, r->ny - 1);
    const float *here = bed + (size_t)j * (size_t)r->nx;
    const float *low = bed + (size_t)below * (size_t)r->nx;
    const float *high = bed + (size_t)above * (size_t)r->nx;
    const float inverse_y = above > below ? 1.0f / ((float)(above - below) * r->cell_size) : 0.0f;
    for (int i = tile.i0; i < tile.i1; i++) {
        const int left = clamp_int(i - 1, 0, r->nx - 1), right = clamp_int(i + 1, 0, r->nx - 1);
        const float across = right - left == 2 ? 2.0f * r->cell_size : r->cell_size;
        const int k = i - tile.i0;
        row->slope_x[k] = (here[right] - here[left]) / across;
        row->slope_y[k] = (high[i] - low[i]) * inverse_y;
        row->upright[k] = 1.0f / sqrtf(1.0f + row->slope_x[k] * row->slope_x[k] +
                                       row->slope_y[k] * row->slope_y[k]);
        row->open[k] = 0.0f;
    }
}

static void store_row(relief_texel *to, const row_of_cells *row, int count)
{
    for (int i = 0; i < count; i++) {
        const float open = row->open[i] > 0.0f ? row->open[i] : 0.0f;
        to[i].normal[0] = half_from_float(-row->slope_x[i] * row->upright[i]);
        to[i].normal[1] = half_from_float(-row->slope_y[i] * row->upright[i]);
        to[i].openness = half_from_float(open < 1.0f ? open : 1.0f);
    }
}

static void bake_tile(relief *r, const float *bed, relief_region tile)
{
    copy_ground(r, bed, tile);
    smooth_ground(r, tile);
    const int count = tile.i1 - tile.i0;
    row_of_cells row;
    for (int j = tile.j0; j < tile.j1; j++) {
        const ptrdiff_t origin = (ptrdiff_t)(j - tile.j0 + MARGIN) * PITCH + MARGIN;
        find_slopes(r, bed, tile, j, &row);
        for (size_t a = 0; a < sizeof rays / sizeof rays[0]; a++) {
            find_horizon(r, &rays[a], origin, count, &row);
            add_azimuth(&rays[a], count, &row);
        }
        store_row(r->texels + (size_t)j * (size_t)r->nx + tile.i0, &row, count);
    }
}

void relief_bake(relief *r, const float *bed, relief_region changed)
{
    if (changed.i0 >= changed.i1 || changed.j0 >= changed.j1)
        return;
    const relief_region all = {changed.i0 > MARGIN ? changed.i0 - MARGIN : 0,
                               changed.j0 > MARGIN ? changed.j0 - MARGIN : 0,
                               changed.i1 < r->nx - MARGIN ? changed.i1 + MARGIN : r->nx,
                               changed.j1 < r->ny - MARGIN ? changed.j1 + MARGIN : r->ny};
    for (int j = all.j0; j < all.j1; j += TILE)
        for (int i = all.i0; i < all.i1; i += TILE)
            bake_tile(r, bed,
                      (relief_region){i, j, i + TILE < all.i1 ? i + TILE : all.i1,
                                      j + TILE < all.j1 ? j + TILE : all.j1});
}

// Moves rows in the order in which none is overwritten before it has been read.
static void move_texels(relief *r, int di, int dj)
{
    const size_t count = (size_t)(r->nx - abs(di));
    for (int n = 0; n < r->ny - abs(dj); n++) {
        const int to = dj >= 0 ? n : r->ny - 1 - n, from = to + dj;
        memmove(r->texels + (size_t)to * (size_t)r->nx + (di < 0 ? -di : 0),
                r->texels + (size_t)from * (size_t)r->nx + (di > 0 ? di : 0),
                count * sizeof *r->texels);
    }
}

void relief_shift(relief *r, const float *bed, int di, int dj)
{
    if (abs(di) + MARGIN >= r->nx || abs(dj) + MARGIN >= r->ny) {
        relief_bake(r, bed, (relief_region){0, 0, r->nx, r->ny});
        return;
    }
    move_texels(r, di, dj);
    const int i = di > 0 ? r->nx - di : 0, j = dj > 0 ? r->ny - dj : 0;
    relief_bake(r, bed, (relief_region){i, 0, i + abs(di), r->ny});
    relief_bake(r, bed, (relief_region){0, j, r->nx, j + abs(dj)});
}

// ---- Shadows -----------------------------------------------------------------------------

// The top of the shadow over cell p is s(p) = max(h(q), s(q)) - drop, where q is where the line
// before p's, one step nearer to the sun, crosses the vertical plane through p and the sun. The
// line is a row or a column, whichever lies more across the sun's direction, so that q is at most
// one cell to the side.
typedef struct sweep {
    bool columns;      // lines are columns
    bool backwards;    // the sun stands towards the last line
    int lines, length; // how many, and of how many cells
    int side;   // q lies between the cell beside p in the last line and the next on this side
    float part; // of the way to that next cell
    float drop; // metres from one line to the next
} sweep;

static sweep plan_sweep(const relief *r, const float sun[3])
{
    const bool columns = fabsf(sun[0]) > fabsf(sun[1]);
    const float ahead = columns ? sun[0] : sun[1], aside = columns ? sun[1] : sun[0];
    return (sweep){
        .columns = columns,
        .backwards = ahead > 0.0f,
        .lines = columns ? r->nx : r->ny,
        .length = columns ? r->ny : r->nx,
        .side = aside > 0.0f ? 1 : -1,
        .part = fabsf(aside / ahead),
        .drop = r->cell_size * sun[2] / fabsf(ahead),
    };
}

// Copies `count` lines from the sweep's line `first` on. Columns are read LINES at a time, because
// that many neighbours are in one cache line anyway.
static void fetch_lines(relief *r, const float *bed, const sweep *s, int first, int count)
{
    for (int n = 0; n < count; n++) {
        const int line = s->backwards ? s->lines - 1 - (first + n) : first + n;
        float *to = r->bed_lines + (size_t)n * r->line_pitch + 1;
        if (!s->columns)
            memcpy(to, bed + (size_t)line * (size_t)r->nx, (size_t)s->length * sizeof *to);
        else
            for (int k = 0; k < s->length; k++)
                to[k] = bed[(size_t)k * (size_t)r->nx + (size_t)line];
    }
}

// Sweeps one line. `last` is max(h, s) of the line before, with a cell more at each end.
static void cast_line(float *restrict top, const float *restrict last, const sweep *s)
{
    const float here = 1.0f - s->part, there = s->part, drop = s->drop;
    const float *beside = last + s->side;
    for (int k = 0; k < s->length; k++)
        top[k] = here * last[k] + there * beside[k] - drop;
}

// Beyond the ends of a line the ground goes on level and nothing casts a shadow.
static void trace_back(float *restrict last, const float *restrict bed, const float *restrict top,
                       int length)
{
    for (int k = 0; k < length; k++)
        last[k] = top[k] > bed[k] ? top[k] : bed[k];
    last[-1] = bed[0];
    last[length] = bed[length - 1];
}

static uint16_t shadow_half(float above)
{
    const float low = above > -FAR_ABOVE ? above : -FAR_ABOVE;
    return half_from_float(low < FAR_ABOVE ? low : FAR_ABOVE);
}

static void store_lines(relief *r, const sweep *s, int first, int count)
{
    for (int n = 0; n < count; n++) {
        const int line = s->backwards ? s->lines - 1 - (first + n) : first + n;
        const float *bed = r->bed_lines + (size_t)n * r->line_pitch + 1;
        const float *top = r->top_lines + (size_t)n * r->line_pitch + 1;
        const size_t stride = s->columns ? (size_t)r->nx : 1;
        relief_texel *to = r->texels + (size_t)line * (s->columns ? 1 : (size_t)r->nx);
        for (int k = 0; k < s->length; k++)
            to[(size_t)k * stride].shadow = shadow_half(top[k] - bed[k]);
    }
}

static void fill_shadow(relief *r, float above)
{
    const uint16_t half = half_from_float(above);
    for (size_t k = 0; k < (size_t)r->nx * (size_t)r->ny; k++)
        r->texels[k].shadow = half;
}

void relief_cast(relief *r, const float *bed, const float sun[3])
{
    if (!(sun[2] > 0.0f)) {
        fill_shadow(r, FAR_ABOVE);
        return;
    }
    if (!(fabsf(sun[0]) + fabsf(sun[1]) > 1e-6f * sun[2])) {
        fill_shadow(r, -FAR_ABOVE);
        return;
    }
    const sweep s = plan_sweep(r, sun);
    float *last = r->last + 1;
    for (int first = 0; first < s.lines; first += LINES) {
        const int count = first + LINES < s.lines ? LINES : s.lines - first;
        fetch_lines(r, bed, &s, first, count);
        for (int n = 0; n < count; n++) {
            const float *line = r->bed_lines + (size_t)n * r->line_pitch + 1;
            float *top = r->top_lines + (size_t)n * r->line_pitch + 1;
            if (first + n > 0)
                cast_line(top, last, &s);
            else
                for (int k = 0; k < s.length; k++)
                    top[k] = line[k] - FAR_ABOVE;
            trace_back(last, line, top, s.length);
        }
        store_lines(r, &s, first, count);
    }
}

// ---- Interface ---------------------------------------------------------------------------

const relief_texel *relief_texels(const relief *r)
{
    return r->texels;
}

void relief_destroy(relief **r)
{
    if (*r == NULL)
        return;
    free((*r)->texels);
    free((*r)->tile);
    free((*r)->sweep);
    free(*r);
    *r = NULL;
}

static rill_status allocate(relief *r)
{
    const size_t cells = (size_t)PITCH * PITCH;
    r->line_pitch = (size_t)(r->nx > r->ny ? r->nx : r->ny) + 2;
    r->texels = calloc((size_t)r->nx * (size_t)r->ny, sizeof *r->texels);
    r->tile = calloc((SMOOTHED + 2) * cells, sizeof *r->tile);
    r->sweep = calloc((2 * LINES + 1) * r->line_pitch, sizeof *r->sweep);
    if (r->texels == NULL || r->tile == NULL || r->sweep == NULL)
        return render_fail(RILL_NO_MEMORY, "there is no memory for the light on %d x %d cells",
                           r->nx, r->ny);
    for (size_t k = 0; k <= SMOOTHED; k++)
        r->level[k] = r->tile + k * cells;
    r->between = r->tile + (SMOOTHED + 1) * cells;
    r->bed_lines = r->sweep;
    r->top_lines = r->bed_lines + LINES * r->line_pitch;
    r->last = r->top_lines + LINES * r->line_pitch;
    return RILL_OK;
}

rill_status relief_create(int nx, int ny, float cell_size, relief **out)
{
    *out = NULL;
    if (nx < 1 || ny < 1)
        return render_fail(RILL_BAD_ARGUMENT, "a relief of %d x %d cells has none", nx, ny);
    if (!(cell_size > 0.0f) || !isfinite(cell_size))
        return render_fail(RILL_BAD_ARGUMENT, "a cell size of %g m is not positive",
                           (double)cell_size);
    relief *r = calloc(1, sizeof *r);
    if (r == NULL)
        return render_fail(RILL_NO_MEMORY, "there is no memory for a relief");
    r->nx = nx;
    r->ny = ny;
    r->cell_size = cell_size;
    const rill_status status = allocate(r);
    if (status != RILL_OK)
        relief_destroy(&r);
    *out = r;
    return status;
}
