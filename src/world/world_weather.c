// SPDX-License-Identifier: MIT
// world_weather.c - rain and evaporation: what every column that is open to the sky is given by the
// weather or loses to it. Covered columns know no weather.
#include "world/world_internal.h"

#include "core/numbers.h"
#include "gpu/device_ops.h"

#include <stdio.h>
#include <string.h>

void rl_world_free_rain(rill_world *w)
{
    const rill_allocator *a = &w->def.host.allocator;
    rill_free(a, w->rain.fields, w->rain.field_bytes);
    rill_free(a, w->rain.frames, (size_t)w->rain.count * sizeof *w->rain.frames);
    w->rain = (rl_rain){0};
}

static rill_status check_rain(const rill_world *w, const rill_rain_frame *frames, int count)
{
    if (w == NULL || count < 0 || (count > 0 && frames == NULL))
        return rill_fail(RILL_BAD_ARGUMENT, "rain needs a world and %d frames, one is missing",
                         count);
    for (int n = 0; n < count; n++) {
        const rill_rain_frame *f = &frames[n];
        if (!(fabs(f->time) < 1e15) || (n > 0 && !(f->time > frames[n - 1].time)))
            return rill_fail(RILL_BAD_DEF, "rain frame %d is at %g s, times must rise", n, f->time);
        if (!(f->rate >= 0.0 && f->rate <= 1.0))
            return rill_fail(RILL_BAD_DEF,
                             "rain frame %d has a rate of %g m/s, it must be from 0 to 1", n,
                             f->rate);
        char name[32];
        snprintf(name, sizeof name, "rain frame %d", n);
        RILL_TRY(rl_world_check_view(name, &f->field, &w->def, 0.0f, 1.0f));
    }
    return RILL_OK;
}

rill_status rill_world_set_rain(rill_world *world, const rill_rain_frame *frames, int count)
{
    RILL_TRY(check_rain(world, frames, count));
    const rill_allocator *a = &world->def.host.allocator;
    const size_t nx = (size_t)world->def.nx, cells = nx * (size_t)world->def.ny;
    size_t fields = 0;
    for (int n = 0; n < count; n++)
        fields += frames[n].field.data != NULL;
    rl_rain rain = {.count = count, .field_bytes = fields * cells * sizeof(float)};
    rain.frames = rill_alloc(a, (size_t)count * sizeof *rain.frames);
    rain.fields = rill_alloc(a, rain.field_bytes);
    if ((count > 0 && rain.frames == NULL) || (fields > 0 && rain.fields == NULL)) {
        rill_free(a, rain.frames, (size_t)count * sizeof *rain.frames);
        rill_free(a, rain.fields, rain.field_bytes);
        return rill_fail(RILL_NO_MEMORY, "no memory for %zu fields of rain", fields);
    }
    float *next = rain.fields;
    for (int n = 0; n < count; n++) {
        rain.frames[n] = frames[n];
        const rill_field_view *from = &frames[n].field;
        if (from->data == NULL)
            continue;
        for (size_t j = 0; j < (size_t)from->ny; j++)
            memcpy(next + j * nx, from->data + j * from->pitch, nx * sizeof(float));
        rain.frames[n].field = (rill_field_view){next, from->nx, from->ny, nx};
        next += cells;
    }
    rl_world_free_rain(world);
    world->rain = rain;
    return RILL_OK;
}

rill_status rill_world_set_evaporation(rill_world *world, double rate)
{
    if (world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_set_evaporation needs a world, it is NULL");
    if (!(rate >= 0.0 && rate <= 1.0))
        return rill_fail(RILL_BAD_DEF, "evaporation is %g m/s, it must be from 0 to 1", rate);
    world->evaporation = rate;
    return RILL_OK;
}

// The two frames around a moment and the weight of the second.
typedef struct weather {
    rill_world *world;
    const rill_rain_frame *from, *to;
    double weight, dt;
} weather;

static weather weather_at(rill_world *w, double time, double dt)
{
    RL_ASSERT(dt > 0.0);
    weather now = {.world = w, .dt = dt};
    const rl_rain *rain = &w->rain;
    if (rain->count == 0)
        return now;
    int around[2];
    now.weight = rl_keys_around(rain->frames, sizeof *rain->frames, rain->count, time, around);
    now.from = &rain->frames[around[0]];
    now.to = &rain->frames[around[1]];
    return now;
}

// Adds what a frame's field rains on a run of cells, times `weight`, metres.
static void add_field(const rill_rain_frame *frame, int row, int first, int count, double weight,
                      float *amounts)
{
    if (frame == NULL || frame->field.data == NULL)
        return;
    const float *rates = frame->field.data + (size_t)row * frame->field.pitch + first;
    for (int n = 0; n < count; n++)
        amounts[n] += (float)(weight * (double)rates[n]);
}

// What falls everywhere, m/s: rain minus evaporation, without the fields of rain.
static double even_rate(const weather *now)
{
    double rate = -now->world->evaporation;
    if (now->from != NULL)
        rate += (1.0 - now->weight) * now->from->rate + now->weight * now->to->rate;
    return rate;
}

// Rain minus evaporation of one row. A dry column has nothing to lose: deposit sees to it.
static void weather_row(void *context, int row)
{
    const weather *now = context;
    rill_world *w = now->world;
    RL_ASSERT(row >= 0 && row < w->def.ny);
    const double rate = even_rate(now);
    double given = 0.0;
    for (int first = 0; first < w->def.nx; first += RL_DEPOSIT_RUN) {
        float amounts[RL_DEPOSIT_RUN];
        const int count = w->def.nx - first < RL_DEPOSIT_RUN ? w->def.nx - first : RL_DEPOSIT_RUN;
        for (int n = 0; n < count; n++)
            amounts[n] = (float)(rate * now->dt);
        add_field(now->from, row, first, count, (1.0 - now->weight) * now->dt, amounts);
        add_field(now->to, row, first, count, now->weight * now->dt, amounts);
        given += w->ops->deposit(
            w->solver, &(rl_deposit){.row = row, .first = first, .count = count, .depth = amounts});
    }
    w->row_volumes[row] = given;
}

// The same for all rows at once, where the weather is even and the water can take it so.
static bool weather_at_once(const weather *now)
{
    const rill_world *w = now->world;
    const bool fields =
        now->from != NULL && (now->from->field.data != NULL || now->to->field.data != NULL);
    const rl_device_ops *device = w->ops->device;
    return !fields && device != NULL && device->rain != NULL &&
           device->rain(w->solver, (float)(even_rate(now) * now->dt), w->row_volumes);
}

static bool it_rains(const weather *now)
{
    return now->from != NULL && (now->from->rate > 0.0 || now->to->rate > 0.0 ||
                                 now->from->field.data != NULL || now->to->field.data != NULL);
}

bool rl_world_has_weather(const rill_world *w)
{
    return w->rain.count > 0 || w->evaporation > 0.0;
}

void rl_world_apply_weather(rill_world *w, double begin, double dt)
{
    weather now = weather_at(w, begin + 0.5 * dt, dt);
    if (!it_rains(&now) && !(w->evaporation > 0.0))
        return;
    if (!weather_at_once(&now))
        rl_jobs_run(w->jobs, w->def.ny, weather_row, &now);
    for (int row = 0; row < w->def.ny; row++)
        rl_world_book(w, w->row_volumes[row]);
}
