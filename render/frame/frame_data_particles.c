// SPDX-License-Identifier: MIT
// frame_data_particles.c - packs the particles of a frame to 24 bytes each and sorts them by kind,
// since each kind is drawn in its own way.
#include "render/frame/frame_data_particles.h"

#include "render/frame/frame_data_solid.h"
#include "render/half.h"

#include <math.h>

static bool is_shown(const rill_particles *from, size_t n)
{
    const float sum = from->x[n] + from->y[n] + from->z[n];
    return from->kind[n] < RILL_PARTICLE_KIND_COUNT && from->radius[n] > 0.0f && isfinite(sum);
}

// Returns the part of its life that foam has left. Water lives until it lands: its constant mark is
// the time of its birth, which is spread over fractions of a second.
static float mark(const rill_particles *from, size_t n, double time)
{
    if (from->kind[n] != RILL_PARTICLE_FOAM) {
        const double born = 41.0 * (time - (double)from->age[n]);
        return (float)(born - floor(born));
    }
    const float left = from->life[n] > 0.0f ? 1.0f - from->age[n] / from->life[n] : 0.0f;
    return left < 0.0f ? 0.0f : left;
}

static frame_particle pack(const rill_particles *from, size_t n, double time)
{
    return (frame_particle){
        .position = {from->x[n], from->y[n], from->z[n]},
        .velocity = {half_from_float(from->velocity_x[n]), half_from_float(from->velocity_y[n]),
                     half_from_float(from->velocity_z[n])},
        .radius = half_from_float(from->radius[n]),
        .age = half_from_float(from->age[n]),
        .mark = half_from_float(mark(from, n, time)),
    };
}

size_t frame_first_particle(const frame_data *s, rill_particle_kind kind)
{
    size_t first = 0;
    for (int k = 0; k < (int)kind; k++)
        first += s->particle_count[k];
    return first;
}

rill_status frame_set_particles(frame_data *s, const rill_particles *from)
{
    size_t next[RILL_PARTICLE_KIND_COUNT] = {0};
    void *memory = s->particles;
    const rill_status status =
        frame_grow(&memory, &s->particle_capacity, from->count, sizeof *s->particles);
    s->particles = memory;
    for (int k = 0; k < RILL_PARTICLE_KIND_COUNT; k++)
        s->particle_count[k] = 0;
    if (status != RILL_OK)
        return status;
    for (size_t n = 0; n < from->count; n++)
        if (is_shown(from, n))
            s->particle_count[from->kind[n]]++;
    for (int k = 0; k < RILL_PARTICLE_KIND_COUNT; k++)
        next[k] = frame_first_particle(s, (rill_particle_kind)k);
    for (size_t n = 0; n < from->count; n++)
        if (is_shown(from, n))
            s->particles[next[from->kind[n]]++] = pack(from, n, s->time);
    return RILL_OK;
}
