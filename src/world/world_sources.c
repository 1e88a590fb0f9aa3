// SPDX-License-Identifier: MIT
// world_sources.c - springs, drains, rain, evaporation and pouring: all water that enters or leaves
// by somebody's wish goes through here, into the solver's deposit, and into the books.
#include "world/world.h"

#include <math.h>
#include <string.h>

#define RUN 256 // cells given to the solver at once

rill_source_def rill_default_source_def(void)
{
    return (rill_source_def){.end = INFINITY};
}

// ---- A disc of cells -------------------------------------------------------------------

typedef struct disc {
    double x, y, radius_squared; // in cells, from the centre of cell (0, 0)
    int row_first, row_last;
    int64_t cells;
} disc;

// Cells [*first, *last] of a row whose centres lie in the disc; false when there are none.
static bool disc_row(const rill_world *w, const disc *d, int row, int *first, int *last)
{
    const double dy = row - d->y, rest = d->radius_squared - dy * dy;
    if (rest < 0.0)
        return false;
    const double half = sqrt(rest);
    *first = (int)fmax(ceil(d->x - half), 0.0);
    *last = (int)fmin(floor(d->x + half), w->def.nx - 1);
    return *first <= *last;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static disc make_disc(const rill_world *w, double x, double y, double radius)
{
    const double dx = (double)w->def.cell_size;
    disc d = {.x = x / dx - 0.5, .y = y / dx - 0.5, .radius_squared = radius * radius / (dx * dx)};
    for (int pass = 0; pass < 2; pass++) {
        const double r = sqrt(d.radius_squared);
        d.row_first = (int)clamp(ceil(d.y - r), 0.0, w->def.ny - 1);
        d.row_last = (int)clamp(floor(d.y + r), 0.0, w->def.ny - 1);
        for (int row = d.row_first; row <= d.row_last; row++) {
            int first, last;
            if (disc_row(w, &d, row, &first, &last))
                d.cells += last - first + 1;
        }
        if (d.cells > 0)
            break;
        // Smaller than a cell and between the centres: the nearest cell stands for it.
        d.x = clamp(round(d.x), 0.0, w->def.nx - 1);
        d.y = clamp(round(d.y), 0.0, w->def.ny - 1);
        d.radius_squared = 0.25;
    }
    return d;
}

// Water above the cells of a disc, metres summed over cells.
static double disc_content(rill_world *w, const disc *d)
{
    const rill_field_view depth = rill_world_depth(w);
    double sum = 0.0;
    for (int row = d->row_first; row <= d->row_last; row++) {
        int first, last;
        if (!disc_row(w, d, row, &first, &last))
            continue;
        for (int i = first; i <= last; i++)
            sum += (double)depth.data[(size_t)row * depth.pitch + (size_t)i];
    }
    return sum;
}

// Gives `volume` evenly, or takes it in proportion to what each cell holds, so that a drain gets
// its due as long as there is enough in all. Returns what was really given or taken, m^3.
static double change_disc(rill_world *w, const disc *d, double volume)
{
    const double area = (double)w->def.cell_size * (double)w->def.cell_size;
    const double content = volume < 0.0 ? disc_content(w, d) : 0.0;
    if (volume < 0.0 && !(content > 0.0))
        return 0.0;
    const double part = volume < 0.0 ? fmax(volume / area / content, -1.0) : 0.0;
    const float even = (float)(volume / area / (double)d->cells);
    const rill_field_view depth = rill_world_depth(w);
    double given = 0.0;
    for (int row = d->row_first; row <= d->row_last; row++) {
        int first, last;
        if (!disc_row(w, d, row, &first, &last))
            continue;
        for (int i = first; i <= last; i += RUN) {
            float amounts[RUN];
            const int count = last - i + 1 < RUN ? last - i + 1 : RUN;
            const float *here = depth.data + (size_t)row * depth.pitch + (size_t)i;
            for (int n = 0; n < count; n++)
                amounts[n] = volume < 0.0 ? (float)(part * (double)here[n]) : even;
            given += w->ops->deposit(
                w->solver, &(rl_deposit){.row = row, .first = i, .count = count, .depth = amounts});
        }
    }
    rl_world_book(w, given);
    return given;
}

// ---- Springs, drains, pouring ----------------------------------------------------------

static bool inside(const rill_world *w, double x, double y)
{
    // The far edge as its owner wrote it may differ from the edge in floats by a rounding.
    const double dx = (double)w->def.cell_size * (1.0 + 1e-6);
    return x >= 0.0 && y >= 0.0 && x <= dx * w->def.nx && y <= dx * w->def.ny;
}

static rill_status check_source(const rill_world *w, const rill_source_def *def)
{
    if (w == NULL || def == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "a source needs a world and a definition, one is NULL");
    if (!inside(w, def->x, def->y))
        return rl_fail(RILL_BAD_DEF, "a source at (%g, %g) m is outside the world of %g x %g m",
                       def->x, def->y, (double)w->def.cell_size * w->def.nx,
                       (double)w->def.cell_size * w->def.ny);
    if (!(def->radius >= 0.0 && def->radius <= 1e7))
        return rl_fail(RILL_BAD_DEF, "a source's radius is %g m, it must not be negative",
                       def->radius);
    if (!(fabs(def->rate) <= 1e12))
        return rl_fail(RILL_BAD_DEF, "a source's rate is %g m3/s, it must be from -1e12 to 1e12",
                       def->rate);
    if (isnan(def->start) || isnan(def->end))
        return rl_fail(RILL_BAD_DEF, "a source's start or end is not a number");
    return RILL_OK;
}

static rl_source *find_source(rill_world *w, rill_source_id id)
{
    if (w == NULL || id.index1 == 0 || id.index1 > (uint32_t)w->def.max_sources)
        return NULL;
    rl_source *source = &w->sources[id.index1 - 1];
    return source->alive && source->generation == id.generation ? source : NULL;
}

static rill_status fail_stale(void)
{
    return rl_fail(RILL_BAD_ARGUMENT, "the source does not exist, or no longer");
}

rill_status rill_world_add_source(rill_world *world, const rill_source_def *def,
                                  rill_source_id *out)
{
    const rill_status status = check_source(world, def);
    if (status != RILL_OK)
        return status;
    for (int n = 0; n < world->def.max_sources; n++) {
        rl_source *source = &world->sources[n];
        if (source->alive)
            continue;
        *source =
            (rl_source){.def = *def, .generation = ++world->core.source_generation, .alive = true};
        if (out != NULL)
            *out = (rill_source_id){(uint32_t)n + 1, source->generation};
        return RILL_OK;
    }
    return rl_fail(RILL_BAD_DEF, "the world has its %d sources already; raise max_sources",
                   world->def.max_sources);
}

rill_status rill_world_set_source(rill_world *world, rill_source_id id, const rill_source_def *def)
{
    rl_source *source = find_source(world, id);
    if (source == NULL)
        return fail_stale();
    const rill_status status = check_source(world, def);
    if (status == RILL_OK)
        source->def = *def;
    return status;
}

rill_status rill_world_remove_source(rill_world *world, rill_source_id id)
{
    rl_source *source = find_source(world, id);
    if (source == NULL)
        return fail_stale();
    source->alive = false;
    return RILL_OK;
}

rill_status rill_world_pour(rill_world *world, double x, double y, double radius, double volume,
                            double *done)
{
    const rill_source_def def = {.x = x, .y = y, .radius = radius, .rate = volume};
    const rill_status status = check_source(world, &def);
    if (status != RILL_OK)
        return status;
    const disc d = make_disc(world, x, y, radius);
    const double given = change_disc(world, &d, volume);
    if (done != NULL)
        *done = given;
    return RILL_OK;
}

// ---- Rain and evaporation --------------------------------------------------------------

void rl_world_free_rain(rill_world *w)
{
    const rill_allocator *a = &w->def.host.allocator;
    rl_free(a, w->rain.fields, w->rain.field_bytes);
    rl_free(a, w->rain.frames, (size_t)w->rain.count * sizeof *w->rain.frames);
    w->rain = (rl_rain){0};
}

static rill_status check_rain(const rill_world *w, const rill_rain_frame *frames, int count)
{
    if (w == NULL || count < 0 || (count > 0 && frames == NULL))
        return rl_fail(RILL_BAD_ARGUMENT, "rain needs a world and %d frames, one is missing",
                       count);
    for (int n = 0; n < count; n++) {
        const rill_rain_frame *f = &frames[n];
        if (!(fabs(f->time) < 1e15) || (n > 0 && !(f->time > frames[n - 1].time)))
            return rl_fail(RILL_BAD_DEF, "rain frame %d is at %g s, times must rise", n, f->time);
        if (!(f->rate >= 0.0 && f->rate <= 1.0))
            return rl_fail(RILL_BAD_DEF,
                           "rain frame %d has a rate of %g m/s, it must be from 0 to 1", n,
                           f->rate);
        if (f->field.data == NULL)
            continue;
        if (f->field.nx != w->def.nx || f->field.ny != w->def.ny ||
            f->field.pitch < (size_t)f->field.nx)
            return rl_fail(RILL_BAD_DEF, "rain frame %d has %d x %d cells, the world has %d x %d",
                           n, f->field.nx, f->field.ny, w->def.nx, w->def.ny);
        for (int j = 0; j < f->field.ny; j++)
            for (int i = 0; i < f->field.nx; i++) {
                const float rate = f->field.data[(size_t)j * f->field.pitch + (size_t)i];
                if (!(rate >= 0.0f && rate <= 1.0f))
                    return rl_fail(
                        RILL_BAD_DEF,
                        "rain frame %d has %g m/s at cell (%d, %d), it must be from 0 to 1", n,
                        (double)rate, i, j);
            }
    }
    return RILL_OK;
}

rill_status rill_world_set_rain(rill_world *world, const rill_rain_frame *frames, int count)
{
    const rill_status status = check_rain(world, frames, count);
    if (status != RILL_OK)
        return status;
    const rill_allocator *a = &world->def.host.allocator;
    const size_t nx = (size_t)world->def.nx, cells = nx * (size_t)world->def.ny;
    size_t fields = 0;
    for (int n = 0; n < count; n++)
        fields += frames[n].field.data != NULL;
    rl_rain rain = {.count = count, .field_bytes = fields * cells * sizeof(float)};
    rain.frames = rl_alloc(a, (size_t)count * sizeof *rain.frames);
    rain.fields = rl_alloc(a, rain.field_bytes);
    if ((count > 0 && rain.frames == NULL) || (fields > 0 && rain.fields == NULL)) {
        rl_free(a, rain.frames, (size_t)count * sizeof *rain.frames);
        rl_free(a, rain.fields, rain.field_bytes);
        return rl_fail(RILL_NO_MEMORY, "no memory for %zu fields of rain", fields);
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
        return rl_fail(RILL_BAD_ARGUMENT, "rill_world_set_evaporation needs a world, it is NULL");
    if (!(rate >= 0.0 && rate <= 1.0))
        return rl_fail(RILL_BAD_DEF, "evaporation is %g m/s, it must be from 0 to 1", rate);
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
    weather now = {.world = w, .dt = dt};
    const rl_rain *rain = &w->rain;
    if (rain->count == 0)
        return now;
    int n = 0;
    while (n < rain->count && rain->frames[n].time <= time)
        n++;
    now.from = &rain->frames[n > 0 ? n - 1 : 0];
    now.to = &rain->frames[n < rain->count ? n : rain->count - 1];
    if (now.to->time > now.from->time)
        now.weight = (time - now.from->time) / (now.to->time - now.from->time);
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

// Rain minus evaporation of one row. A dry column has nothing to lose: deposit sees to it.
static void weather_row(void *context, int row)
{
    const weather *now = context;
    rill_world *w = now->world;
    double rate = -w->evaporation, given = 0.0;
    if (now->from != NULL)
        rate += (1.0 - now->weight) * now->from->rate + now->weight * now->to->rate;
    for (int first = 0; first < w->def.nx; first += RUN) {
        float amounts[RUN];
        const int count = w->def.nx - first < RUN ? w->def.nx - first : RUN;
        for (int n = 0; n < count; n++)
            amounts[n] = (float)(rate * now->dt);
        add_field(now->from, row, first, count, (1.0 - now->weight) * now->dt, amounts);
        add_field(now->to, row, first, count, now->weight * now->dt, amounts);
        given += w->ops->deposit(
            w->solver, &(rl_deposit){.row = row, .first = first, .count = count, .depth = amounts});
    }
    w->row_volumes[row] = given;
}

static bool it_rains(const weather *now)
{
    return now->from != NULL && (now->from->rate > 0.0 || now->to->rate > 0.0 ||
                                 now->from->field.data != NULL || now->to->field.data != NULL);
}

void rl_world_apply_sources(rill_world *w, double dt)
{
    weather now = weather_at(w, w->core.time + 0.5 * dt, dt);
    if (it_rains(&now) || w->evaporation > 0.0) {
        rl_jobs_run(w->jobs, w->def.ny, weather_row, &now);
        for (int row = 0; row < w->def.ny; row++)
            rl_world_book(w, w->row_volumes[row]);
    }
    for (int n = 0; n < w->def.max_sources; n++) {
        const rill_source_def *def = &w->sources[n].def;
        if (!w->sources[n].alive)
            continue;
        // A source that starts or ends within the step gives its share of it.
        const double from = fmax(def->start, w->core.time), to = fmin(def->end, w->core.time + dt);
        if (!(to > from) || def->rate == 0.0)
            continue;
        const disc d = make_disc(w, def->x, def->y, def->radius);
        change_disc(w, &d, def->rate * (to - from));
    }
}
