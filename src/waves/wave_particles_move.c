// SPDX-License-Identifier: MIT
// wave_particles_move.c - moves the particles with the water and fades them (Burrell section 4.2).
// They move forward, x += u dt (erratum 8 to Burrell), to second order: with the velocity half a
// step ahead.
//
// The weight of a particle is (erratum 7 to Burrell, with a polynomial in the place of sin^2, which
// has the same ends, 0 without slope, and the same middle, 1):
//
//     w = (4 t (1 - t))^2 max(0, 1 - |l - b| / L),   t = age / age of death
//
// So it changes by at most w' = 32 / (6 sqrt 3) / (death) + |u| / L a second, 3.08 / death at slow
// speed (sin^2 has 3.14), and by RL_WAVE_PARTICLE_STRANDED times the first part when it is
// stranded.
#include "core/assert.h"
#include "waves/wave_particles_internal.h"

#include <math.h>

// A particle crosses at most one cell in a move, and makes at most this many moves in a step.
#define MAX_MOVES 64

// ---- Velocity --------------------------------------------------------------------------------

typedef struct vector {
    float x, y;
} vector;

// Clamps a coordinate in cells from the first centre to the range between the outermost centres.
static float within(float cells, int count)
{
    const float last = (float)(count - 1);
    return cells > 0.0f ? (cells < last ? cells : last) : 0.0f;
}

static int lower(float cells, int count)
{
    const int i = (int)cells;
    return i < count - 2 ? i : count - 2;
}

// Interpolates between the wet ones of four columns of which some are dry: a bank has no velocity
// of its own, so it slows no particle.
static void leave_out_banks(const rl_wave_particles *d, int i, int j, float k[4])
{
    float sum = 0.0f;
    for (int n = 0; n < 4; n++) {
        const size_t at = (size_t)(j + (n >> 1)) * (size_t)d->nx + (size_t)(i + (n & 1));
        k[n] = (d->wet[at] & RL_WAVE_PARTICLE_IS_WET) != 0 ? k[n] : 0.0f;
        sum += k[n];
    }
    for (int n = 0; n < 4; n++)
        k[n] = sum > 1e-6f ? k[n] / sum : 0.0f;
}

static float between(const float *data, size_t pitch, const float k[4])
{
    const float u =
        (k[0] * data[0] + k[1] * data[1]) + (k[2] * data[pitch] + k[3] * data[pitch + 1]);
    return fabsf(u) < 1e6f ? u : 0.0f; // NaN and infinity do not spread
}

// Interpolates the velocity at (x, y), metres, bilinearly.
static vector velocity_at(const rl_wave_particles *d, float x, float y)
{
    const rill_columns *c = d->columns;
    const float cx = within(x * d->cells - 0.5f, d->nx), cy = within(y * d->cells - 0.5f, d->ny);
    const int i = lower(cx, d->nx), j = lower(cy, d->ny);
    const float px = cx - (float)i, py = cy - (float)j;
    float k[4] = {(1.0f - px) * (1.0f - py), px * (1.0f - py), (1.0f - px) * py, px * py};
    if ((d->wet[(size_t)j * (size_t)d->nx + (size_t)i] & RL_WAVE_PARTICLE_ALL_WET) == 0)
        leave_out_banks(d, i, j, k);
    const size_t at = (size_t)j * c->pitch + (size_t)i;
    return (vector){between(c->velocity_x + at, c->pitch, k),
                    between(c->velocity_y + at, c->pitch, k)};
}

// ---- Moving ----------------------------------------------------------------------------------

// Returns whether (x, y) is over water; outside the grid the nearest cell decides.
static bool is_wet(const rl_wave_particles *d, float x, float y)
{
    const int i = (int)within(x * d->cells, d->nx), j = (int)within(y * d->cells, d->ny);
    return (d->wet[(size_t)j * (size_t)d->nx + (size_t)i] & RL_WAVE_PARTICLE_IS_WET) != 0;
}

// Moves a particle from `start` + `moved` over `dt` seconds, along a bank where there is one.
// Returns false when the bank stops the particle.
static bool move(const rl_wave_particles *d, vector start, vector *moved, vector u, float dt)
{
    const float x = start.x + moved->x, y = start.y + moved->y;
    const vector middle = velocity_at(d, x + 0.5f * dt * u.x, y + 0.5f * dt * u.y);
    const vector to = {moved->x + dt * middle.x, moved->y + dt * middle.y};
    const float to_x = start.x + to.x, to_y = start.y + to.y;
    if (is_wet(d, to_x, to_y)) {
        *moved = to;
        return true;
    }
    if (middle.x != 0.0f && is_wet(d, to_x, y)) {
        moved->x = to.x;
        return true;
    }
    if (middle.y != 0.0f && is_wet(d, x, to_y)) {
        moved->y = to.y;
        return true;
    }
    return false;
}

// Moves a particle that may cross cells or touch a bank. Returns false when a bank stops it.
static bool move_anywhere(const rl_wave_particles *d, vector start, vector *moved)
{
    vector u = velocity_at(d, start.x + moved->x, start.y + moved->y);
    const float crossed = d->dt * d->cells * (fabsf(u.x) + fabsf(u.y));
    if (crossed < 1.0f)
        return move(d, start, moved, u, d->dt);
    const int moves = crossed < (float)MAX_MOVES ? 1 + (int)crossed : MAX_MOVES;
    bool free = true;
    for (int m = 0; m < moves; m++) {
        free = move(d, start, moved, u, d->dt / (float)moves) && free;
        u = velocity_at(d, start.x + moved->x, start.y + moved->y);
    }
    return free;
}

static void grow_older(rl_wave_particles *d, int n, bool free)
{
    const float age = d->age[n] + (free ? d->dt : RL_WAVE_PARTICLE_STRANDED * d->dt);
    const float death = d->death[n];
    d->age[n] = age < death ? age : death;
}

// Moves the usual particles, with wet columns all around and a step much shorter than a cell, many
// at once, and all others one by one.
static void move_block(rl_wave_particles *d, int first, int count)
{
    RL_ASSERT(d->columns != NULL && count <= RL_WAVE_PARTICLE_BLOCK);
    const rill_columns *c = d->columns;
    int at[RL_WAVE_PARTICLE_BLOCK];
    float to_x[RL_WAVE_PARTICLE_BLOCK], to_y[RL_WAVE_PARTICLE_BLOCK], u[RL_WAVE_PARTICLE_BLOCK],
        v[RL_WAVE_PARTICLE_BLOCK];
    float *moved_x = d->moved_x + first;
    float *moved_y = d->moved_y + first;
    const float *start_x = d->start_x + first;
    const float *start_y = d->start_y + first;
    d->rows->move(&(rl_wave_particles_move){count, start_x, start_y, moved_x, moved_y,
                                            c->velocity_x, c->velocity_y, (int)c->pitch, d->nx,
                                            d->ny, d->cells, d->dt, at, to_x, to_y, u, v});
    for (int n = 0; n < count; n++) {
        const int j = at[n] / (int)c->pitch, i = at[n] - j * (int)c->pitch;
        const bool usual =
            to_x[n] >= 0.0f && to_x[n] <= 1.0f && to_y[n] >= 0.0f && to_y[n] <= 1.0f &&
            (d->wet[(size_t)j * (size_t)d->nx + (size_t)i] & RL_WAVE_PARTICLE_ALL_WET) != 0;
        bool free = true;
        if (usual) {
            moved_x[n] += d->dt * u[n];
            moved_y[n] += d->dt * v[n];
        } else {
            const vector start = {start_x[n], start_y[n]};
            vector moved = {moved_x[n], moved_y[n]};
            free = move_anywhere(d, start, &moved);
            moved_x[n] = moved.x;
            moved_y[n] = moved.y;
        }
        grow_older(d, first + n, free);
    }
}

// ---- Patches ----------------------------------------------------------------------------------

// Returns the square in which a coordinate lies, or the nearest one.
static short square_along(const rl_wave_particles *d, float metres, int squares)
{
    const float at = metres * d->cells * (1.0f / (float)RL_SQUARE);
    const float last = (float)(squares - 1);
    return (short)(at > 0.0f ? (at < last ? at : last) : 0.0f);
}

bool rl_wave_particles_make_patch(rl_wave_particles *d, int n)
{
    rl_wave_particles_patch *p = &d->patches[n];
    const float moved_x = d->moved_x[n], moved_y = d->moved_y[n];
    const float start_x = d->start_x[n], start_y = d->start_y[n];
    const float x = start_x + moved_x, y = start_y + moved_y;
    const float offset_x = (d->birth_x[n] - start_x) - moved_x;
    const float offset_y = (d->birth_y[n] - start_y) - moved_y;
    const float level = d->level[n]; // a state from a file may hold any number
    p->level = level >= 2.0f ? 2 : (level >= 1.0f ? 1 : 0);
    const float reach = d->reach[p->level], far = d->farthest[p->level];
    p->west = square_along(d, x - reach, d->squares_x);
    p->east = square_along(d, x + reach, d->squares_x);
    p->south = square_along(d, y - reach, d->squares_y);
    p->north = square_along(d, y + reach, d->squares_y);
    const float t = d->age[n] / d->death[n], bump = 4.0f * t * (1.0f - t);
    const float way = sqrtf(offset_x * offset_x + offset_y * offset_y) * d->inverse_distance;
    const float weight = bump * bump * (1.0f - way);
    const bool visible = way <= 1.0f && x >= -far && y >= -far &&
                         x <= far + d->cell_size * (float)d->nx &&
                         y <= far + d->cell_size * (float)d->ny;
    p->x = x;
    p->y = y;
    p->offset_x = offset_x;
    p->offset_y = offset_y;
    p->weight = visible && weight > 0.0f ? weight : 0.0f;
    d->x[n] = x;
    d->y[n] = y;
    d->weight[n] = p->weight;
    return visible;
}

void rl_wave_particles_move_chunk(rl_wave_particles *d, int chunk)
{
    const int first = chunk * RL_WAVE_PARTICLE_CHUNK, count = rl_wave_particles_count(d);
    const int end = first + RL_WAVE_PARTICLE_CHUNK < count ? first + RL_WAVE_PARTICLE_CHUNK : count;
    for (int n = first; n < end; n += RL_WAVE_PARTICLE_BLOCK)
        move_block(d, n, n + RL_WAVE_PARTICLE_BLOCK < end ? RL_WAVE_PARTICLE_BLOCK : end - n);
    for (int n = first; n < end; n++)
        if (!rl_wave_particles_make_patch(d, n))
            d->age[n] = d->death[n];
}
