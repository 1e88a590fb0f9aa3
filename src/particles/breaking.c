// SPDX-License-Identifier: MIT
// breaking.c - waves that break (002 section 2.4.2). Rows are searched in parallel. Then, in the
// order of the cells, new particles are drawn from the water as it is, and only when all are known
// is the water taken: no cell sees what its neighbour has lost.
#include "particles/pool.h"

#include "core/sample.h"

#include <math.h>

#define SEGMENT   512   // cells searched at once
#define MOST_PART 0.5   // of a column that may break off in a step
#define TOO_SMALL 0.125 // part of V_eff below which no particle is made

// A cell with a breaking wave.
typedef struct crest {
    int i, j;
    float slope_x, slope_y, slope; // grad eta (Eq. 19) and its size
    float rise;                    // m/s
    float level, depth;            // metres
} crest;

static rl_breaking_row row_of(const rl_particles *p, const rl_moment *m, int j)
{
    const rill_columns *c = &m->columns;
    const size_t here = (size_t)j * c->pitch, south = j > 0 ? here - c->pitch : here;
    const size_t north = j + 1 < c->ny ? here + c->pitch : here;
    const float dx = c->cell_size, slope = p->def.breaking_slope * dx;
    return (rl_breaking_row){
        .nx = c->nx,
        .base = c->base + here,
        .depth = c->depth + here,
        .before = m->motion.depth_before + here,
        .base_south = c->base + south,
        .depth_south = c->depth + south,
        .base_north = c->base + north,
        .depth_north = c->depth + north,
        .rise = p->def.breaking_rise * (float)m->motion.step,
        .slope_squared = slope * slope,
        .curvature = p->def.breaking_curvature * dx * dx,
        .wet_depth = c->wet_depth,
    };
}

// ---- Finding ---------------------------------------------------------------------------

typedef struct search {
    rl_particles *particles;
    const rl_moment *moment;
} search;

static int first_row(int band, int ny)
{
    return (int)((int64_t)band * ny / RL_POOL_BANDS);
}

// Whether any wave breaks in a band of rows.
static void search_band(void *context, int band)
{
    const search *s = context;
    const int ny = s->moment->columns.ny, end = first_row(band + 1, ny);
    int found = 0;
    for (int j = first_row(band, ny); j < end && !found; j++) {
        const rl_breaking_row row = row_of(s->particles, s->moment, j);
        found = s->particles->rows->find_breaking(&row, 0, row.nx, NULL);
    }
    s->particles->list_counts[band] = found;
}

// Level of a neighbour as the wave sees it, as in the row loop.
static float seen(const rill_columns *c, int i, int j, float level)
{
    const int x = i < 0 ? 0 : i < c->nx ? i : c->nx - 1;
    const int y = j < 0 ? 0 : j < c->ny ? j : c->ny - 1;
    const size_t at = (size_t)y * c->pitch + (size_t)x;
    const float there = c->base[at] + c->depth[at];
    return c->depth[at] > c->wet_depth || there < level ? there : level;
}

static float max_abs(float s, float t)
{
    return fabsf(s) > fabsf(t) ? s : t;
}

static crest crest_at(const rl_moment *m, int i, int j)
{
    const rill_columns *c = &m->columns;
    const size_t at = (size_t)j * c->pitch + (size_t)i;
    crest k = {.i = i, .j = j, .depth = c->depth[at]};
    k.level = c->base[at] + k.depth;
    k.rise = (k.depth - m->motion.depth_before[at]) / (float)m->motion.step;
    k.slope_x =
        max_abs(seen(c, i + 1, j, k.level) - k.level, k.level - seen(c, i - 1, j, k.level)) /
        c->cell_size;
    k.slope_y =
        max_abs(seen(c, i, j + 1, k.level) - k.level, k.level - seen(c, i, j - 1, k.level)) /
        c->cell_size;
    k.slope = sqrtf(k.slope_x * k.slope_x + k.slope_y * k.slope_y);
    return k;
}

// ---- Drawing ---------------------------------------------------------------------------

static float level_at(const rill_columns *c, float x, float y)
{
    const rl_sample_place place = rl_sample_find(c->nx, c->ny, (double)(x / c->cell_size) - 0.5,
                                                 (double)(y / c->cell_size) - 0.5);
    return rl_sample(c->base, c->pitch, place) + rl_sample(c->depth, c->pitch, place);
}

static float within(float value, float high)
{
    return value < 0.0f ? 0.0f : value < high ? value : 0.999999f * high;
}

// In the rectangle of Fig. 5b, which stands on the line through the cell's centre across the slope,
// clipped by the cell, then moved by up to half a cell. It reaches from the crest up to where the
// slope would be at the cell's edge; a particle never starts below the surface.
static void place_birth(const rl_particles *p, rl_moment *m, const crest *k, rl_birth *birth)
{
    const float dx = m->water->cell_size, ax = fabsf(k->slope_x), ay = fabsf(k->slope_y);
    const float part = rl_moment_draw_sign(p, m) * 0.5f * dx / (ax > ay ? ax : ay);
    const float jitter_x = 0.5f * dx * rl_moment_draw_sign(p, m);
    const float jitter_y = 0.5f * dx * rl_moment_draw_sign(p, m);
    const float x = dx * ((float)k->i + 0.5f) - part * k->slope_y + jitter_x;
    const float y = dx * ((float)k->j + 0.5f) + part * k->slope_x + jitter_y;
    const float z = k->level + 0.5f * dx * k->slope * rl_moment_draw(p, m);
    birth->position[0] = within(x, dx * (float)m->columns.nx);
    birth->position[1] = within(y, dx * (float)m->columns.ny);
    const float surface = level_at(&m->columns, birth->position[0], birth->position[1]);
    birth->position[2] = z > surface ? z : surface;
}

// Forward with the speed of the wave, upward with a part of the surface's.
static void throw_birth(const rl_particles *p, rl_moment *m, const crest *k, rl_birth *birth)
{
    const float limit = m->motion.depth_limit;
    const float depth = limit > 0.0f && limit < k->depth ? limit : k->depth;
    const float speed = sqrtf(m->water->gravity * depth) / k->slope;
    birth->velocity[0] = -k->slope_x * speed;
    birth->velocity[1] = -k->slope_y * speed;
    birth->velocity[2] = p->def.breaking_lift * k->rise;
    rl_birth_shake(p, m, p->def.velocity_noise, birth->velocity);
}

// A whole number whose mean is `value`.
static int round_by_chance(const rl_particles *p, rl_moment *m, double value)
{
    const double most = 1e6, bounded = value < most ? value : most;
    const int whole = (int)bounded;
    return whole + ((double)rl_moment_draw(p, m) < bounded - whole ? 1 : 0);
}

// Draws what breaks off at one cell: `amount` of the rising water per unit of slope, and never more
// than rises. Returns the end of the list of the cells that new particles come from.
static int draw_crest(rl_particles *p, rl_moment *m, const crest *k, int listed)
{
    const double part = fmin((double)(p->def.breaking_amount * k->slope), 1.0);
    const double breaks = part * (double)k->rise * m->dt * m->area;
    const double share = (double)p->def.spray_share;
    const int count[2] = {
        round_by_chance(p, m, breaks * share / (double)p->volume_of[RILL_PARTICLE_SPRAY]),
        round_by_chance(p, m, breaks * (1.0 - share) / (double)p->volume_of[RILL_PARTICLE_SPLASH])};
    const double wanted = count[0] * (double)p->volume_of[0] + count[1] * (double)p->volume_of[1];
    const double most = MOST_PART * (double)k->depth * m->area;
    const double scale = wanted > most ? most / wanted : 1.0;
    if (scale < TOO_SMALL)
        return listed;
    for (int kind = 0; kind < 2; kind++)
        for (int n = 0; n < count[kind] && rl_pool_room(p) > 0; n++) {
            rl_birth birth = {.kind = (rill_particle_kind)kind,
                              .volume = (float)(scale * (double)p->volume_of[kind])};
            place_birth(p, m, k, &birth);
            throw_birth(p, m, k, &birth);
            const double since = m->dt * (double)rl_moment_draw(p, m);
            rl_birth_advance(&birth, since, m->water->gravity);
            rl_pool_add(p, &birth);
            p->list[listed++] = (uint32_t)k->j * (uint32_t)m->columns.nx + (uint32_t)k->i;
        }
    return listed;
}

static int draw_band(rl_particles *p, rl_moment *m, int band, int listed)
{
    const int nx = m->columns.nx, end = first_row(band + 1, m->columns.ny);
    for (int j = first_row(band, m->columns.ny); j < end; j++) {
        const rl_breaking_row row = row_of(p, m, j);
        for (int i = 0; i < nx && rl_pool_room(p) > 0; i += SEGMENT) {
            uint32_t found[SEGMENT];
            const int last = i + SEGMENT < nx ? i + SEGMENT : nx;
            const int count = p->rows->find_breaking(&row, i, last, found);
            for (int n = 0; n < count; n++) {
                const crest k = crest_at(m, (int)found[n], j);
                listed = draw_crest(p, m, &k, listed);
            }
        }
    }
    return listed;
}

// ---- Taking ----------------------------------------------------------------------------

// Takes the water of new particles [first, end), all of one cell, and gives each its share of what
// there really was (a cell that gives less of it gives as much less momentum). Returns that share.
static double take_water(rl_particles *p, const rl_moment *m, uint32_t cell, int first, int end)
{
    const int i = (int)(cell % (uint32_t)m->columns.nx), j = (int)(cell / (uint32_t)m->columns.nx);
    float *volume = p->arrays[RL_POOL_VOLUME];
    double wanted = 0.0, x = 0.0, y = 0.0;
    for (int n = first; n < end; n++) {
        wanted += (double)volume[n];
        x += (double)volume[n] * (double)p->arrays[RL_POOL_VELOCITY_X][n];
        y += (double)volume[n] * (double)p->arrays[RL_POOL_VELOCITY_Y][n];
    }
    const double taken = -rl_moment_deposit(m, 0, i, j, -wanted, -x, -y);
    const double share = taken > 0.0 ? taken / wanted : 0.0;
    double held = 0.0;
    for (int n = first; n < end; n++) {
        volume[n] = (float)((double)volume[n] * share);
        held += (double)volume[n];
    }
    p->kept.rest += taken - held;
    return share;
}

void rl_particles_break_waves(rl_particles *p, rl_moment *m)
{
    search s = {p, m};
    if (rl_pool_room(p) <= 0 || m->motion.depth_before == NULL)
        return;
    rl_jobs_run(m->water->jobs, RL_POOL_BANDS, search_band, &s);
    const int start = p->kept.flying;
    int listed = 0;
    for (int band = 0; band < RL_POOL_BANDS; band++)
        if (p->list_counts[band] != 0)
            listed = draw_band(p, m, band, listed);
    int kept = start;
    for (int n = 0, end; n < listed; n = end) {
        for (end = n + 1; end < listed && p->list[end] == p->list[n];)
            end++;
        if (!(take_water(p, m, p->list[n], start + n, start + end) > 0.0))
            continue;
        for (int from = start + n; from < start + end; from++, kept++)
            if (from != kept)
                rl_pool_copy(p, from, kept);
    }
    if (kept < p->kept.flying)
        rl_pool_close_gap(p, kept, p->kept.flying - kept);
}
