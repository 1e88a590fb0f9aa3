// SPDX-License-Identifier: MIT
// landing.c - water that comes back to the solver (Chentanez and Müller Eq. 18). Tens of thousands
// of particles may land in a step, mostly in a few columns: landings are sorted by column and,
// within a column, by their places in the pool, and the deposits of a column are added up in that
// order and given to the solver at once.
#include "core/assert.h"
#include "particles/pool.h"

#define FEW         48 // records that insertion sorts faster
#define DIGIT       11 // bits by which records are sorted at once
#define DIGIT_END   (1u << DIGIT)
#define WET         0x80000000u // flag in a record: foam may be left
#define STAYS       0x80000000u // flag in the list: it flies on
#define MOST_LAYERS 65          // of a world: layers.max_layers is at most 64

// The landings of a step.
typedef struct landing {
    rl_particles *particles;
    const rl_step_context *context;
    rl_landing_scene scene;
    int count;    // of the list,
    int total;    // and of the records
    int deposits; // columns that have got a deposit so far: `left` is known of them,
    int refused;  // and those that were full: deposit << 32 | its first record, in records_other
} landing;

// Returns the place of a landing in the pool.
static int place_of(const rl_particles *p, uint32_t number)
{
    return (int)(p->list[number] & ~STAYS);
}

rl_landing_scene rl_landing_scene_of(const rl_particles *p, const rl_step_context *m)
{
    return (rl_landing_scene){
        .ground = rl_flight_ground_of(m),
        .layered = rl_layered_columns_of(m),
        .nx = m->columns.nx,
        .ny = m->columns.ny,
        .cell_size = m->columns.cell_size,
        .dt = (float)m->dt,
        .foam_speed = p->def.foam_speed,
        .foam_life = p->def.foam_life,
        .foam_life_noise = p->def.foam_life_noise,
        .draws = m->draws,
    };
}

// ---- Foam ------------------------------------------------------------------------------

// Turns a particle that has landed in wet water into foam, if it leaves some.
static void try_foam(rl_particles *p, const rl_landing_scene *s, int place, float level,
                     float velocity_x, float velocity_y)
{
    float *const *a = p->arrays;
    if (!rl_landing_foams(s, p->kind[place], place, a[RL_POOL_VELOCITY_X][place],
                          a[RL_POOL_VELOCITY_Y][place], a[RL_POOL_VELOCITY_Z][place],
                          &a[RL_POOL_LIFE][place]))
        return;
    a[RL_POOL_Z][place] = level;
    a[RL_POOL_VELOCITY_X][place] = velocity_x;
    a[RL_POOL_VELOCITY_Y][place] = velocity_y;
    a[RL_POOL_VELOCITY_Z][place] = 0.0f;
    a[RL_POOL_RADIUS][place] = p->radius_of[RILL_PARTICLE_FOAM];
    a[RL_POOL_AGE][place] = 0.0f;
    a[RL_POOL_VOLUME][place] = 0.0f;
    p->kind[place] = RILL_PARTICLE_FOAM;
}

// ---- Chunks of landings ----------------------------------------------------------------

// Returns the number behind all columns, for landings that give no water.
static uint32_t nowhere(const landing *l)
{
    const int layers = l->scene.layered.water.layers;
    return (uint32_t)(layers > 1 ? layers : 1) * (uint32_t)(l->scene.nx * l->scene.ny);
}

// Returns the column of a landing inside the grid, and whether it is wet. A particle that turns
// back gives no water.
static uint32_t find_column(const landing *l, uint32_t number, int *wet)
{
    rl_particles *p = l->particles;
    const rl_landing_scene *s = &l->scene;
    const int at = place_of(p, number);
    rl_flyer f = rl_flyer_at(p->arrays, at);
    if (s->layered.water.layers == 0) {
        const int cell = rl_landing_cell(s, f.x, f.y, f.z, f.u, f.v);
        *wet = rl_landing_is_wet(s, cell);
        return (uint32_t)cell;
    }
    const int column = rl_layered_landing(&s->layered, &f, wet);
    if (column >= 0)
        return (uint32_t)column;
    rl_put_flyer(p->arrays, at, &f);
    p->list[number] |= STAYS;
    return nowhere(l);
}

// Finds the columns of a chunk of the list, and sums up the volume outside the grid.
static void find_columns(void *context, int chunk)
{
    const landing *l = context;
    rl_particles *p = l->particles;
    const int first = chunk * RL_POOL_PART, end = rl_lesser_int(first + RL_POOL_PART, l->count);
    double outside = 0.0;
    for (int n = first; n < end; n++) {
        const int at = (int)p->list[n];
        uint32_t column = nowhere(l);
        int wet = 0;
        if (rl_landing_inside(p->arrays[RL_POOL_X][at], p->arrays[RL_POOL_Y][at],
                              l->scene.cell_size, l->scene.nx, l->scene.ny))
            column = find_column(l, (uint32_t)n, &wet);
        else
            outside += (double)p->arrays[RL_POOL_VOLUME][at];
        p->records[n] = (uint64_t)column << 32 | (wet ? WET : 0) | (uint32_t)n;
    }
    p->part_sums[chunk] = outside;
}

// Leaves foam where a record has landed: interpolated between columns, or on its own column.
static void foam_of_record(const landing *l, uint64_t record)
{
    rl_particles *p = l->particles;
    const rl_flight_ground *g = &l->scene.ground;
    const rl_layered_columns *c = &l->scene.layered;
    const int place = place_of(p, (uint32_t)record & ~WET);
    if (c->water.layers > 0) {
        const size_t at = rl_layered_at(c, (int)(record >> 32));
        try_foam(p, &l->scene, place, c->water.base[at] + c->water.depth[at],
                 c->water.velocity_x[at], c->water.velocity_y[at]);
        return;
    }
    const rl_flight_place at =
        rl_flight_find(g, p->arrays[RL_POOL_X][place], p->arrays[RL_POOL_Y][place]);
    try_foam(p, &l->scene, place, rl_flight_level(g, at),
             rl_flight_between(rl_flight_gather(g->velocity_x, g->pitch, at), at),
             rl_flight_between(rl_flight_gather(g->velocity_y, g->pitch, at), at));
}

// Leaves foam of a chunk of the records. Foam of an emitter that has come down where no water is
// must not count as such any more: it leaves the pool.
static void leave_foam(void *context, int chunk)
{
    const landing *l = context;
    rl_particles *p = l->particles;
    const int first = chunk * RL_POOL_PART, end = rl_lesser_int(first + RL_POOL_PART, l->total);
    for (int n = first; n < end; n++) {
        const uint32_t number = (uint32_t)p->records[n] & ~WET;
        if (p->records[n] & WET)
            foam_of_record(l, p->records[n]);
        else if ((int)number < l->count && !(p->list[number] & STAYS))
            rl_pool_drop_foam(p, place_of(p, number));
    }
}

static int chunks(int count)
{
    return (count + RL_POOL_PART - 1) / RL_POOL_PART;
}

// ---- Sorting ---------------------------------------------------------------------------

static void sort_few(uint64_t *records, int count)
{
    for (int n = 1; n < count; n++) {
        const uint64_t record = records[n];
        int at = n;
        for (; at > 0 && records[at - 1] >> 32 > record >> 32; at--)
            records[at] = records[at - 1];
        records[at] = record;
    }
}

// Sorts by one digit of the columns; the sort is stable.
static void sort_digit(const uint64_t *from, uint64_t *to, int count, int shift)
{
    uint32_t starts[DIGIT_END] = {0}, next = 0;
    for (int n = 0; n < count; n++)
        starts[from[n] >> shift & (DIGIT_END - 1)]++;
    for (uint32_t digit = 0; digit < DIGIT_END; digit++) {
        const uint32_t here = starts[digit];
        starts[digit] = next;
        next += here;
    }
    for (int n = 0; n < count; n++)
        to[starts[from[n] >> shift & (DIGIT_END - 1)]++] = from[n];
}

static void sort_records(rl_particles *p, int count, uint32_t largest)
{
    if (count <= FEW) {
        sort_few(p->records, count);
        return;
    }
    for (int shift = 0; largest >> shift != 0; shift += DIGIT) {
        sort_digit(p->records, p->records_other, count, 32 + shift);
        uint64_t *const sorted = p->records_other;
        p->records_other = p->records;
        p->records = sorted;
    }
}

// ---- Deposits --------------------------------------------------------------------------

// Adds a record to the deposit of its column.
static void add_record(const landing *l, uint32_t number, rl_pool_extra *sum)
{
    const rl_particles *p = l->particles;
    if ((int)number >= l->count) {
        const rl_pool_extra *e = &p->extras[(int)number - l->count];
        sum->volume += e->volume;
        sum->momentum_x += e->momentum_x;
        sum->momentum_y += e->momentum_y;
        return;
    }
    const int at = place_of(p, number);
    const double volume = (double)p->arrays[RL_POOL_VOLUME][at];
    sum->volume += volume;
    sum->momentum_x += volume * (double)p->arrays[RL_POOL_VELOCITY_X][at];
    sum->momentum_y += volume * (double)p->arrays[RL_POOL_VELOCITY_Y][at];
}

// Sums up the deposit for the column of the record `first`; its records end before `end`.
static rl_pool_extra sum_of(const landing *l, int first, int *end)
{
    RL_ASSERT(first < l->total);
    const rl_particles *p = l->particles;
    rl_pool_extra sum = {.column = (int)(p->records[first] >> 32)};
    for (*end = first; *end < l->total && (int)(p->records[*end] >> 32) == sum.column; ++*end)
        add_record(l, (uint32_t)p->records[*end] & ~WET, &sum);
    if (first == 0)
        sum.volume += p->totals.rest;
    return sum;
}

// Gives that deposit to the solver. Returns what is left of it, m^3.
static double give_sum(const landing *l, const rl_pool_extra *sum)
{
    const int row = sum->column / l->scene.nx, ny = l->scene.ny;
    return sum->volume - rl_step_context_deposit(l->context, row / ny, sum->column % l->scene.nx,
                                                 row % ny, sum->volume > 0.0 ? sum->volume : 0.0,
                                                 sum->momentum_x, sum->momentum_y);
}

// ---- Refused water ---------------------------------------------------------------------
//
// A column below a ceiling may have too little capacity for what lands in it. The water that it
// refuses is offered to the open column of its cell, from all refusing columns of the cell at once.
// Where there is none, it waits: every particle that came to the column turns back with its part of
// it.

static int deposit_of(const landing *l, int refused)
{
    return (int)(l->particles->records_other[refused] >> 32);
}

static int first_record(const landing *l, int refused)
{
    return (int)(uint32_t)l->particles->records_other[refused];
}

static int column_of(const landing *l, int refused)
{
    return (int)(l->particles->records[first_record(l, refused)] >> 32);
}

// Returns the deposit that a column has refused, with the momentum that belongs to it, in floats as
// the solver got it.
static rl_pool_extra refused_of(const landing *l, int refused)
{
    int end;
    const rl_pool_extra sum = sum_of(l, first_record(l, refused), &end);
    const double left = l->particles->left[deposit_of(l, refused)];
    return (rl_pool_extra){sum.column, left,
                           rl_layered_refused((float)sum.momentum_x, sum.volume, left),
                           rl_layered_refused((float)sum.momentum_y, sum.volume, left)};
}

// Refused deposits of one layer, in the order of their cells.
typedef struct run {
    int next, end;
} run;

static int find_runs(const landing *l, run *runs)
{
    const int cells = l->scene.nx * l->scene.ny;
    int count = 0, layer = -1;
    for (int n = 0; n < l->refused; n++) {
        if (column_of(l, n) / cells != layer) {
            RL_ASSERT(count < MOST_LAYERS);
            runs[count++].next = n;
        }
        layer = column_of(l, n) / cells;
        runs[count - 1].end = n + 1;
    }
    return count;
}

// Returns the least cell of the next deposits in the runs.
static int next_cell(const landing *l, const run *runs, int count)
{
    const rl_layered_columns *c = &l->scene.layered;
    int next = c->water.nx * c->water.ny;
    for (int n = 0; n < count; n++) {
        const int cell =
            runs[n].next < runs[n].end ? rl_layered_cell(c, column_of(l, runs[n].next)) : next;
        next = cell < next ? cell : next;
    }
    return next;
}

// Gives open columns the water that those below them have refused, in the order of cells; returns
// the rest.
static double give_on_top(const landing *l)
{
    const rl_layered_columns *c = &l->scene.layered;
    run runs[MOST_LAYERS];
    const int count = find_runs(l, runs), cells = c->water.nx * c->water.ny;
    rl_part_sum rest = {0};
    for (int cell; (cell = next_cell(l, runs, count)) < cells;) {
        rl_pool_extra sum = {.column = cell};
        for (int n = 0; n < count; n++) {
            if (runs[n].next == runs[n].end ||
                rl_layered_cell(c, column_of(l, runs[n].next)) != cell)
                continue;
            const rl_pool_extra more = refused_of(l, runs[n].next++);
            sum.volume += more.volume;
            sum.momentum_x += more.momentum_x;
            sum.momentum_y += more.momentum_y;
        }
        if (rl_layered_has_open(c, cell))
            rl_part_sum_add(&rest, give_sum(l, &sum));
    }
    return rl_part_sum_value(&rest);
}

// Turns the particles of a column back, each with its part of the refused water; returns the part
// of it that they do not hold.
static double refuse(const landing *l, int refused)
{
    rl_particles *p = l->particles;
    int end;
    const int first = first_record(l, refused);
    const double wanted = sum_of(l, first, &end).volume, left = p->left[deposit_of(l, refused)];
    double held = 0.0;
    for (int n = first; n < end; n++) {
        const uint32_t number = (uint32_t)p->records[n] & ~WET;
        if ((int)number >= l->count)
            continue;
        const int place = place_of(p, number);
        const rl_flyer f = rl_flyer_at(p->arrays, place);
        const rl_flyer back = rl_layered_turned_back(&l->scene.layered, &f);
        float *volume = &p->arrays[RL_POOL_VOLUME][place];
        rl_put_flyer(p->arrays, place, &back);
        *volume = rl_layered_remainder(*volume, wanted, left);
        held += (double)*volume;
        p->list[number] |= STAYS;
        p->records[n] &= ~(uint64_t)WET;
    }
    return left - held;
}

// Finds other places for what was refused; its momentum leaves the column again. Returns what is
// left of it, m^3.
static double give_back(landing *l)
{
    const rl_layered_columns *c = &l->scene.layered;
    const double rest = l->refused > 0 ? give_on_top(l) : 0.0;
    for (int n = 0; n < l->refused; n++) {
        const rl_pool_extra r = refused_of(l, n);
        const rl_pool_extra back = {r.column, 0.0, -r.momentum_x, -r.momentum_y};
        double *left = &l->particles->left[deposit_of(l, n)];
        give_sum(l, &back);
        const bool waits = !rl_layered_has_open(c, rl_layered_cell(c, r.column));
        *left = waits ? refuse(l, n) : 0.0;
    }
    return rest;
}

// ---- Giving -----------------------------------------------------------------------------

// The solver takes as much as it can hold in floats; the rest goes with the first column of the
// next step.
static void give(landing *l)
{
    rl_particles *p = l->particles;
    for (int n = 0, end; n < l->total && p->records[n] >> 32 != nowhere(l); n = end) {
        const rl_pool_extra sum = sum_of(l, n, &end);
        const double left = give_sum(l, &sum);
        if (rl_layered_refuses(&l->scene.layered, sum.column, sum.volume, left))
            p->records_other[l->refused++] = (uint64_t)l->deposits << 32 | (uint32_t)n;
        p->left[l->deposits++] = left;
    }
    const double second = give_back(l);
    rl_part_sum rest = {0};
    for (int n = 0; n < l->deposits; n++)
        rl_part_sum_add(&rest, p->left[n]);
    if (l->deposits > 0)
        p->totals.rest = rl_part_sum_value(&rest) + second;
}

// ---- Landing ---------------------------------------------------------------------------

// Removes those that fly on from the list; returns its length.
static int drop_staying(rl_particles *p, int count)
{
    int leaving = 0;
    for (int n = 0; n < count; n++)
        if (!(p->list[n] & STAYS))
            p->list[leaving++] = p->list[n];
    return leaving;
}

void rl_particles_land(rl_particles *p, rl_step_context *m, int count)
{
    RL_ASSERT(count <= p->totals.flying && p->extra_count <= RL_POOL_EXTRAS);
    landing l = {.particles = p,
                 .context = m,
                 .scene = rl_landing_scene_of(p, m),
                 .count = count,
                 .total = count + p->extra_count};
    rl_jobs *jobs = m->flow->jobs;
    if (l.total == 0)
        return;
    rl_jobs_run(jobs, chunks(count), find_columns, &l);
    double outside = 0.0;
    for (int chunk = 0; chunk < chunks(count); chunk++)
        outside += p->part_sums[chunk];
    p->totals.gone += outside;
    for (int n = 0; n < p->extra_count; n++)
        p->records[count + n] = (uint64_t)p->extras[n].column << 32 | (uint32_t)(count + n);
    sort_records(p, l.total, nowhere(&l));
    give(&l);
    rl_jobs_run(jobs, chunks(l.total), leave_foam, &l);
    rl_pool_land(p, p->list, drop_staying(p, count));
}
