// SPDX-License-Identifier: MIT
// wave_particles_rows.c - the loops of wave_particles_rows.h over vectors of particles and texels.
#include "waves/wave_particles_rows.h"

#include "core/cell.h"
#include "core/cpu.h"

#include "rill/support.h"

#include <string.h>

// Patches that are loaded before they are needed.
#define PREFETCHED 4

static const _Alignas(RILL_ALIGNMENT) float lanes[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                         8, 9, 10, 11, 12, 13, 14, 15};

// ---- Motion ----------------------------------------------------------------------------------

// Finds the cell below a coordinate in cells from the first centre, and how far beyond it the
// coordinate lies. A NaN and places beyond the outermost centres give a valid cell; `beyond` is
// then outside [0, 1].
static void find_cells(const rl_wave_particles_move *m, const float *restrict start,
                       const float *restrict moved, int cells, int *restrict cell,
                       float *restrict beyond)
{
    const float last = (float)(cells - 2), scale = m->cells;
    for (int n = 0; n < m->count; n++) {
        const float at = (start[n] + moved[n]) * scale - 0.5f;
        const float low = at > 0.0f ? at : 0.0f;
        cell[n] = (int)(low < last ? low : last);
        beyond[n] = at - (float)cell[n];
    }
}

// Interpolates one component of the velocity at (x, y) between four columns.
static void interpolate(const float *restrict data, int pitch, const int *restrict at,
                        const float *restrict x, const float *restrict y, int count,
                        float *restrict out)
{
    for (int n = 0; n < count; n++) {
        const float *p = data + at[n];
        const float south = p[0] + x[n] * (p[1] - p[0]);
        const float north = p[pitch] + x[n] * (p[pitch + 1] - p[pitch]);
        out[n] = south + y[n] * (north - south);
    }
}

static void advance(const float *restrict from, const float *restrict velocity, float scale,
                    int count, float *restrict to)
{
    for (int n = 0; n < count; n++)
        to[n] = from[n] + scale * velocity[n];
}

// Both samples of the velocity lie between the same four columns.
static void move(const rl_wave_particles_move *m)
{
    float x[RL_WAVE_PARTICLE_BLOCK], y[RL_WAVE_PARTICLE_BLOCK], u[RL_WAVE_PARTICLE_BLOCK],
        v[RL_WAVE_PARTICLE_BLOCK];
    int j[RL_WAVE_PARTICLE_BLOCK];
    const int count = m->count, pitch = m->pitch;
    find_cells(m, m->start_x, m->moved_x, m->nx, m->at, x);
    find_cells(m, m->start_y, m->moved_y, m->ny, j, y);
    for (int n = 0; n < count; n++)
        m->at[n] += j[n] * pitch;
    interpolate(m->velocity_x, pitch, m->at, x, y, count, u);
    interpolate(m->velocity_y, pitch, m->at, x, y, count, v);
    const float scale = m->dt * m->cells;
    advance(x, u, 0.5f * scale, count, m->to_x);
    advance(y, v, 0.5f * scale, count, m->to_y);
    interpolate(m->velocity_x, pitch, m->at, m->to_x, m->to_y, count, u);
    interpolate(m->velocity_y, pitch, m->at, m->to_x, m->to_y, count, v);
    advance(x, u, scale, count, m->to_x);
    advance(y, v, scale, count, m->to_y);
    // Those that start outside the four columns must not end inside.
    for (int n = 0; n < count; n++) {
        const int inside = (x[n] >= 0.0f) & (x[n] <= 1.0f) & (y[n] >= 0.0f) & (y[n] <= 1.0f);
        m->to_x[n] = inside != 0 ? m->to_x[n] : -1.0f;
    }
    memcpy(m->mean_x, u, (size_t)count * sizeof *u);
    memcpy(m->mean_y, v, (size_t)count * sizeof *v);
}

// ---- Stamps ----------------------------------------------------------------------------------

// One patch on one lattice.
typedef struct stamp_area {
    int columns, rows; // of texels
    float x, y;        // from the particle to the first texel, in radii
    float step;        // from texel to texel, in radii
    float weight;
    // The texture under the first texel: columns interpolate by `part` between the points at
    // `south`, which is one row further south, and those `east` floats after them, half a point
    // apart; rows use the four weights `across`.
    const float *south;
    ptrdiff_t east;
    int rows_left; // before the texture starts again
    float part, across[4];
    float *sum, *total;
} stamp_area;

// Interpolates between two points. Each point is loaded once.
RL_CELL rl_real texture_at(const float *row, ptrdiff_t east, rl_real part, rl_real rest)
{
    return rest * rl_load_any(row) + part * rl_load_any(row + east);
}

// Lanes outside the disc add nothing, because their weight is 0; the lanes beyond the last column
// are never read.
static inline void stamp_columns(const rl_wave_particles_texels *t, const stamp_area *s, int i)
{
    const rl_real part = rl_set(s->part), rest = rl_set(1.0f - s->part);
    const rl_real weight = rl_set(s->weight), zero = rl_set(0.0f);
    const rl_real k0 = rl_set(s->across[0]), k1 = rl_set(s->across[1]);
    const rl_real k2 = rl_set(s->across[2]), k3 = rl_set(s->across[3]);
    const rl_real x = (rl_load(lanes) + rl_set((float)i)) * rl_set(s->step) + rl_set(s->x);
    const rl_real x2 = x * x;
    const rl_wave_particles_lattice *l = t->lattice;
    const ptrdiff_t east = s->east, pitch = (ptrdiff_t)l->texture_pitch;
    const ptrdiff_t again = pitch * l->points;
    const float *row = s->south + i;
    int left = s->rows_left;
    rl_real rows[4];
    for (int n = 0; n < 3; n++) {
        rows[n] = texture_at(row, east, part, rest);
        row += --left == 0 ? pitch - again : pitch;
    }
    float *sum = s->sum + i, *total = s->total + i;
    for (int j = 0; j < s->rows; j++) {
        rows[3] = texture_at(row, east, part, rest);
        row += --left == 0 ? pitch - again : pitch;
        const rl_real c = (k0 * rows[0] + k3 * rows[3]) + (k1 * rows[1] + k2 * rows[2]);
        const float y = s->y + (float)j * s->step;
        const rl_real inside = rl_max(rl_set(1.0f - y * y) - x2, zero);
        const rl_real k = (weight * inside) * inside;
        rl_store_any(sum, rl_load_any(sum) + k * c);
        rl_store_any(total, rl_load_any(total) + k);
        rows[0] = rows[1];
        rows[1] = rows[2];
        rows[2] = rows[3];
        sum += l->pitch;
        total += l->pitch;
    }
}

static inline int floor_of(float value)
{
    const int cut = (int)value;
    return (float)cut > value ? cut - 1 : cut;
}

// Returns the first texel of a row within `radius` of `at`, and how many there are.
static inline int cover(float at, float radius, int side, int *count)
{
    const int low = -floor_of(radius - at), high = floor_of(at + radius);
    const int first = low > 0 ? low : 0, last = high < side ? high : side - 1;
    *count = last - first + 1;
    return first;
}

// Keys' cubic (1981) with his a = -0.9: waves of three points keep 0.84 of their height halfway,
// where it is least; a = -0.5 leaves 0.69, linear interpolation 0.5.
static inline void weigh_rows(float f, float k[4])
{
    const float a = -0.9f, g = 1.0f - f;
    k[0] = a * f * (g * g);
    k[3] = a * g * (f * f);
    k[1] = ((a + 2.0f) * f - (a + 3.0f)) * (f * f) + 1.0f;
    k[2] = ((a + 2.0f) * g - (a + 3.0f)) * (g * g) + 1.0f;
}

// Finds the texture for a stamp whose first texel is (i, j) of the lattice.
static inline void find_texture(const rl_wave_particles_texels *t, const rl_wave_particles_patch *p,
                                int i, int j, stamp_area *s)
{
    const float halves = 2.0f * t->scale * p->offset_x, north = t->scale * p->offset_y;
    const int whole_x = floor_of(halves), whole_y = floor_of(north), odd = whole_x & 1;
    s->part = halves - (float)whole_x;
    weigh_rows(north - (float)whole_y, s->across);
    // Whole periods are added, so that no index is negative.
    const rl_wave_particles_lattice *l = t->lattice;
    const int column = (t->corner_x + i + (whole_x - odd) / 2 + l->ahead) % l->points;
    const int row = (t->corner_y + j + whole_y - 1 + l->ahead) % l->points;
    const ptrdiff_t plane = (ptrdiff_t)l->plane;
    s->south = l->texture + (odd != 0 ? plane : 0) + (size_t)row * l->texture_pitch + column;
    s->east = odd != 0 ? 1 - plane : plane;
    s->rows_left = l->points - row;
}

static inline void stamp_patch(const rl_wave_particles_texels *t, const rl_wave_particles_patch *p)
{
    const float radius = t->radius[p->level];
    const float x = p->x * t->scale - 0.5f - (float)t->corner_x;
    const float y = p->y * t->scale - 0.5f - (float)t->corner_y;
    stamp_area s = {.weight = p->weight, .step = t->step[p->level]};
    const int side = t->lattice->side;
    const int i = cover(x, radius, side, &s.columns), j = cover(y, radius, side, &s.rows);
    if (s.columns <= 0 || s.rows <= 0)
        return;
    s.x = ((float)i - x) * s.step;
    s.y = ((float)j - y) * s.step;
    find_texture(t, p, i, j, &s);
    s.sum = t->sum + (size_t)j * t->lattice->pitch + i;
    s.total = t->total + (size_t)j * t->lattice->pitch + i;
    for (int column = 0; column < s.columns; column += RL_LANES)
        stamp_columns(t, &s, column);
}

static void stamp(const rl_wave_particles_texels *texels, const rl_wave_particles_patch *patches,
                  const int *list, int count)
{
    // The next patches are loaded while the current one is stamped.
    rl_wave_particles_patch ahead[PREFETCHED];
    for (int k = 0; k < PREFETCHED && k < count; k++)
        ahead[k] = patches[list[k]];
    for (int k = 0; k < count; k++) {
        const rl_wave_particles_patch patch = ahead[k % PREFETCHED];
        if (k + PREFETCHED < count)
            ahead[k % PREFETCHED] = patches[list[k + PREFETCHED]];
        if (patch.weight > 0.0f)
            stamp_patch(texels, &patch);
    }
}

// ---- Tiles -----------------------------------------------------------------------------------

static void divide(const float *sum, const float *total, float floor, int count, float *out)
{
    int i = 0;
    for (; i + RL_LANES <= count; i += RL_LANES)
        rl_store_any(out + i, rl_load_any(sum + i) / rl_max(rl_load_any(total + i), rl_set(floor)));
    for (; i < count; i++)
        out[i] = sum[i] / (total[i] > floor ? total[i] : floor);
}

static void stretch(const float *restrict row, const int *restrict place,
                    const float *restrict part, int count, float *restrict out)
{
    for (int n = 0; n < count; n++) {
        const float west = row[place[n]], east = row[place[n] + 1];
        out[n] = west + part[n] * (east - west);
    }
}

static void mix(const float *low, const float *high, float part, const float *blend, int count,
                float *out)
{
    const rl_real parts = rl_set(part);
    int i = 0;
    for (; i + RL_LANES <= count; i += RL_LANES) {
        const rl_real from = rl_load_any(low + i), before = rl_load_any(out + i);
        rl_real value = from + parts * (rl_load_any(high + i) - from);
        if (blend != NULL)
            value = before + rl_load_any(blend + i) * (value - before);
        rl_store_any(out + i, value);
    }
    for (; i < count; i++) {
        const float value = low[i] + part * (high[i] - low[i]);
        out[i] = blend != NULL ? out[i] + blend[i] * (value - out[i]) : value;
    }
}

// The error is below 3 % for waves of three points and longer.
static void halfway(const float *restrict row, int count, float *restrict out)
{
    const float inner = 0.611f, next = -0.158f, far = 0.047f;
    for (int i = 0; i < count; i++)
        out[i] = (inner * (row[i + 2] + row[i + 3]) + next * (row[i + 1] + row[i + 4])) +
                 far * (row[i] + row[i + 5]);
}

const rl_wave_particles_rows RL_ROWS(rl_wave_particles_rows) = {move,    stamp, divide,
                                                                stretch, mix,   halfway};
