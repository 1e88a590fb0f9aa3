// SPDX-License-Identifier: MIT
// world_sources.c - springs, drains and pouring: water that enters or leaves a disc of cells by
// the wish of a caller goes through here, into the solver's deposit, and into the books.
#include "world/world_internal.h"

#include "core/numbers.h"

#define HIGH_UP     1e29 // metres: above every column that has a ceiling
#define MOST_PASSES 32   // of offering anew what full columns refused

rill_source_def rill_default_source_def(void)
{
    rill_source_def def = {.z = INFINITY};
    rl_parameters_fill(RILL_DEFINITION_SOURCE, &def);
    return def;
}

// ---- A disc of cells -------------------------------------------------------------------

typedef struct disc {
    double x, y, radius_squared; // in cells, from the centre of cell (0, 0)
    float z;                     // metres: which of the columns above each other is meant
    float highest;               // metres: columns whose floor is above this are passed over
    rill_columns ground;         // of which the base alone is right
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

static size_t place_of(const rill_columns *c, int layer, int row)
{
    return (size_t)layer * c->layer_stride + (size_t)row * c->pitch;
}

static const float *depths_of(const rill_world *w, int layer, int row)
{
    const rill_columns c = rl_world_rows(w, row, row + 1);
    return c.depth + place_of(&c, layer, row);
}

// The layer that a disc means in a cell; -1: the cell has no column there.
static int layer_of(const rill_world *w, const disc *d, int i, int j)
{
    const rl_solids_ops *solids = w->ops->solids;
    if (solids == NULL)
        return 0;
    const int layer = solids->layer_at(w->solver, i, j, d->z);
    return layer >= 0 && d->ground.base[place_of(&d->ground, layer, j) + (size_t)i] <= d->highest
               ? layer
               : -1;
}

static disc make_disc(const rill_world *w, double x, double y, double z, double radius)
{
    const double dx = (double)w->def.cell_size;
    disc d = {.x = x / dx - 0.5,
              .y = y / dx - 0.5,
              .z = (float)rl_clamp(z, -HIGH_UP, HIGH_UP),
              .ground = rl_world_rows(w, 0, 0),
              .radius_squared = radius * radius / (dx * dx)};
    for (int pass = 0; pass < 2; pass++) {
        const double r = sqrt(d.radius_squared);
        d.row_first = (int)rl_clamp(ceil(d.y - r), 0.0, w->def.ny - 1);
        d.row_last = (int)rl_clamp(floor(d.y + r), 0.0, w->def.ny - 1);
        for (int row = d.row_first; row <= d.row_last; row++) {
            int first, last;
            if (disc_row(w, &d, row, &first, &last))
                d.cells += last - first + 1;
        }
        if (d.cells > 0)
            break;
        // Smaller than a cell and between the centres: the nearest cell stands for it.
        d.x = rl_clamp(round(d.x), 0.0, w->def.nx - 1);
        d.y = rl_clamp(round(d.y), 0.0, w->def.ny - 1);
        d.radius_squared = 0.25;
    }
    return d;
}

// Neighbours in a row whose columns lie in one layer, so that the solver takes them at once.
typedef struct run {
    int layer, row, first, count;
} run;

typedef struct walk {
    rill_world *world;
    const disc *disc;
    int longest; // cells of a run, at most RL_DEPOSIT_RUN
    int row, next, last;
} walk;

static walk walk_disc(rill_world *w, const disc *d, int longest)
{
    RL_ASSERT(longest > 0 && longest <= RL_DEPOSIT_RUN);
    return (walk){
        .world = w, .disc = d, .longest = longest, .row = d->row_first - 1, .next = 0, .last = -1};
}

static bool next_run(walk *at, run *out)
{
    rill_world *w = at->world;
    for (;;) {
        while (at->next > at->last) {
            if (++at->row > at->disc->row_last)
                return false;
            if (!disc_row(w, at->disc, at->row, &at->next, &at->last))
                at->last = at->next - 1;
        }
        *out = (run){layer_of(w, at->disc, at->next, at->row), at->row, at->next, 1};
        while (out->count < at->longest && out->first + out->count <= at->last &&
               (w->ops->solids == NULL ||
                layer_of(w, at->disc, out->first + out->count, at->row) == out->layer))
            out->count++;
        at->next += out->count;
        if (out->layer >= 0)
            return true;
    }
}

// A source below an overhang does not come out on top of the wall beside it: cells whose floor is
// higher above z than the disc is wide are passed over, unless all of them are.
static disc chosen_disc(rill_world *w, double x, double y, double z, double radius)
{
    disc d = make_disc(w, x, y, z, radius);
    d.highest = (float)((double)d.z + fmax(radius, (double)w->def.cell_size));
    if (w->ops->solids == NULL)
        return d;
    int64_t cells = 0;
    run r;
    for (walk at = walk_disc(w, &d, RL_DEPOSIT_RUN); next_run(&at, &r);)
        cells += r.count;
    if (cells > 0)
        d.cells = cells;
    else
        d.highest = INFINITY;
    return d;
}

// ---- Deposits --------------------------------------------------------------------------

static double deposit(rill_world *w, const run *r, const float *amounts)
{
    RL_ASSERT(r->layer >= 0 && r->count > 0 && r->count <= RL_DEPOSIT_RUN);
    return w->ops->deposit(w->solver, &(rl_deposit){.layer = r->layer,
                                                    .row = r->row,
                                                    .first = r->first,
                                                    .count = r->count,
                                                    .depth = amounts});
}

// Offers every column `even` metres. Returns what they took, m^3, and counts the runs that took
// all.
static double offer(rill_world *w, const disc *d, float even, int longest, int64_t *takers)
{
    const double area = (double)w->def.cell_size * (double)w->def.cell_size;
    float amounts[RL_DEPOSIT_RUN];
    for (int n = 0; n < longest; n++)
        amounts[n] = even;
    double given = 0.0;
    run r;
    *takers = 0;
    for (walk at = walk_disc(w, d, longest); next_run(&at, &r);) {
        const double took = deposit(w, &r, amounts);
        *takers += took >= 0.999 * area * (double)even * r.count;
        given += took;
    }
    return given;
}

// Gives `volume` evenly. What full columns refuse is offered to the others of the disc, cell by
// cell, until it is gone or all are full.
static double give(rill_world *w, const disc *d, double volume)
{
    RL_ASSERT(volume >= 0.0 && d->cells > 0);
    const double area = (double)w->def.cell_size * (double)w->def.cell_size;
    int64_t takers = 0;
    double given = offer(w, d, (float)(volume / area / (double)d->cells), RL_DEPOSIT_RUN, &takers);
    if (w->ops->solids == NULL)
        return given;
    takers = d->cells;
    for (int pass = 0; pass < MOST_PASSES && takers > 0 && volume - given > 1e-6 * volume; pass++)
        given += offer(w, d, (float)((volume - given) / area / (double)takers), 1, &takers);
    return given;
}

// Water in the chosen columns of a disc, metres summed over cells.
static double disc_content(rill_world *w, const disc *d)
{
    double sum = 0.0;
    run r;
    for (walk at = walk_disc(w, d, RL_DEPOSIT_RUN); next_run(&at, &r);) {
        const float *here = depths_of(w, r.layer, r.row) + r.first;
        for (int n = 0; n < r.count; n++)
            sum += (double)here[n];
    }
    return sum;
}

// Takes `volume` in proportion to what each column holds, so that a drain gets its due as long as
// there is enough in all. Returns what was taken, negative.
static double take(rill_world *w, const disc *d, double volume)
{
    RL_ASSERT(volume >= 0.0);
    const double area = (double)w->def.cell_size * (double)w->def.cell_size;
    const double content = disc_content(w, d);
    if (!(content > 0.0))
        return 0.0;
    const double part = fmax(-volume / area / content, -1.0);
    double given = 0.0;
    run r;
    for (walk at = walk_disc(w, d, RL_DEPOSIT_RUN); next_run(&at, &r);) {
        const float *here = depths_of(w, r.layer, r.row) + r.first;
        float amounts[RL_DEPOSIT_RUN];
        for (int n = 0; n < r.count; n++)
            amounts[n] = (float)(part * (double)here[n]);
        given += deposit(w, &r, amounts);
    }
    return given;
}

// Returns what was really given or taken, m^3.
static double change_disc(rill_world *w, const disc *d, double volume)
{
    const double given = volume < 0.0 ? take(w, d, -volume) : give(w, d, volume);
    rl_world_book(w, given);
    return given;
}

// ---- Checks ----------------------------------------------------------------------------

static bool inside(const rill_world *w, double x, double y)
{
    // The far edge as its owner wrote it may differ from the edge in floats by a rounding.
    const double dx = (double)w->def.cell_size * (1.0 + 1e-6);
    return x >= 0.0 && y >= 0.0 && x <= dx * w->def.nx && y <= dx * w->def.ny;
}

static rill_status check_place(const rill_world *w, double x, double y, double z)
{
    if (!inside(w, x, y))
        return rill_fail(RILL_BAD_DEF, "a source at (%g, %g) m is outside the world of %g x %g m",
                         x, y, (double)w->def.cell_size * w->def.nx,
                         (double)w->def.cell_size * w->def.ny);
    if (!(z >= -HIGH_UP))
        return rill_fail(RILL_BAD_DEF,
                         "a source is at an elevation of %g m, it must be a number or infinity", z);
    return RILL_OK;
}

static rill_status check_path(const rill_world *w, const rill_source_def *def)
{
    if (def->path_count < 0 || def->path_count > RILL_PATH_MAX_KEYS)
        return rill_fail(RILL_BAD_DEF, "a source's path has %d keys, it must have from 0 to %d",
                         def->path_count, RILL_PATH_MAX_KEYS);
    for (int n = 0; n < def->path_count; n++) {
        const rill_path_key *key = &def->path[n];
        if (!(fabs(key->time) < 1e15) || (n > 0 && !(key->time > key[-1].time)))
            return rill_fail(RILL_BAD_DEF, "key %d of a source's path is at %g s, times must rise",
                             n, key->time);
        const rill_status status = check_place(w, key->x, key->y, key->z);
        if (status != RILL_OK)
            return rill_fail_prefix(status, "key %d of a path", n);
        if (isinf(key->z) != isinf(def->path[0].z))
            return rill_fail(RILL_BAD_DEF,
                             "key %d of a source's path is at an elevation of %g m and the first "
                             "one at %g m, there is no way between them",
                             n, key->z, def->path[0].z);
    }
    return RILL_OK;
}

static rill_status check_source(const rill_world *w, const rill_source_def *def)
{
    if (w == NULL || def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a source needs a world and a definition, one is NULL");
    RILL_TRY(def->path_count != 0 ? check_path(w, def) : check_place(w, def->x, def->y, def->z));
    rill_source_def spring = *def; // a drain is a spring that takes
    spring.rate = fabs(def->rate);
    return rl_parameters_check(RILL_DEFINITION_SOURCE, &spring);
}

// ---- Springs, drains, pouring ----------------------------------------------------------

static rl_source *find_source(rill_world *w, rill_source_id id)
{
    if (w == NULL || id.index1 == 0 || id.index1 > (uint32_t)w->def.max_sources)
        return NULL;
    rl_source *source = &w->sources[id.index1 - 1];
    return source->alive && source->generation == id.generation ? source : NULL;
}

static rill_status fail_stale(void)
{
    return rill_fail(RILL_BAD_ARGUMENT, "the source does not exist, or no longer");
}

rill_status rill_world_add_source(rill_world *world, const rill_source_def *def,
                                  rill_source_id *out)
{
    RILL_TRY(check_source(world, def));
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
    return rill_fail(RILL_BAD_DEF, "the world has its %d sources already; raise max_sources",
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

rill_status rill_world_pour_at(rill_world *world, double x, double y, double z, double radius,
                               double volume, double *done)
{
    const rill_source_def def = {.x = x, .y = y, .z = z, .radius = radius, .rate = volume};
    RILL_TRY(check_source(world, &def));
    const disc d = chosen_disc(world, x, y, z, radius);
    const double given = change_disc(world, &d, volume);
    if (done != NULL)
        *done = given;
    return RILL_OK;
}

rill_status rill_world_pour(rill_world *world, double x, double y, double radius, double volume,
                            double *done)
{
    return rill_world_pour_at(world, x, y, INFINITY, radius, volume, done);
}

// ---- What a step applies ---------------------------------------------------------------

// Where a source is at a moment.
static rill_path_key place_at(const rill_source_def *def, double time)
{
    if (def->path_count == 0)
        return (rill_path_key){time, def->x, def->y, def->z};
    return rl_path_at(def->path, def->path_count, time);
}

// Seconds of full flow between two moments of a beating source. One beat is 8/3 sin^4(pi f t),
// whose mean is 1; its integral is t - 2 sin(2 pi f t) / (3 pi f) + sin(4 pi f t) / (12 pi f), so a
// whole number of beats gives what a steady source does, whatever the steps.
static double flowing(const rill_source_def *def, double from, double to)
{
    const double steady = to - from, f = def->pulse;
    if (!(f > 0.0) || !(def->pulse_depth > 0.0))
        return steady;
    const double once = rill_sine_of_turns(f * to) - rill_sine_of_turns(f * from);
    const double twice = rill_sine_of_turns(2.0 * f * to) - rill_sine_of_turns(2.0 * f * from);
    const double swing = (twice - 8.0 * once) / (12.0 * 3.141592653589793 * f);
    return fmax(steady + def->pulse_depth * swing, 0.0);
}

bool rl_world_has_sources(const rill_world *w)
{
    for (int n = 0; n < w->def.max_sources; n++)
        if (w->sources[n].alive && w->sources[n].def.rate != 0.0)
            return true;
    return rl_world_has_weather(w);
}

void rl_world_apply_sources(rill_world *w, double begin, double dt)
{
    RL_ASSERT(dt > 0.0);
    rl_world_apply_weather(w, begin, dt);
    for (int n = 0; n < w->def.max_sources; n++) {
        const rill_source_def *def = &w->sources[n].def;
        if (!w->sources[n].alive)
            continue;
        // A source that starts or ends within these seconds gives its part of them.
        const double from = fmax(def->start, begin), to = fmin(def->end, begin + dt);
        if (!(to > from) || def->rate == 0.0)
            continue;
        const rill_path_key place = place_at(def, begin + 0.5 * dt);
        if (!inside(w, place.x, place.y)) // left behind by a domain that moved
            continue;
        const disc d = chosen_disc(w, place.x, place.y, place.z, def->radius);
        change_disc(w, &d, def->rate * flowing(def, from, to));
    }
}

// ---- Water at the start ----------------------------------------------------------------

// What column (i, j) of a layer lacks, metres.
static float lacking(const rill_columns *c, const rill_fill *fill, int layer, int i, int j)
{
    const size_t at = (size_t)layer * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
    const float wanted = fill->to_level ? fill->amount - c->base[at] : fill->amount;
    return fmaxf(wanted - c->depth[at], 0.0f);
}

// A block at an elevation has nothing to say about columns above it.
static bool is_meant(const rill_columns *c, const rill_fill *fill, int layer, int i, int j)
{
    const size_t at = (size_t)layer * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
    return (c->range_max == NULL || c->range_max[at] > c->range_min[at]) &&
           (!fill->at_z || c->base[at] <= fill->z);
}

rill_status rill_world_fill(rill_world *w, const rill_fill *fill)
{
    if (w == NULL || fill == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_fill needs a world and a box, one is NULL");
    if (fill->i0 < 0 || fill->i1 > w->def.nx || fill->j0 < 0 || fill->j1 > w->def.ny ||
        !isfinite(fill->amount) || isnan(fill->z))
        return rill_fail(
            RILL_BAD_ARGUMENT,
            "%g m of water in cells %d to %d by %d to %d: they must lie within %d x %d",
            (double)fill->amount, fill->i0, fill->i1, fill->j0, fill->j1, w->def.nx, w->def.ny);
    const rill_columns c = rill_world_columns(w);
    rl_sum given = {0};
    for (int j = fill->j0; j < fill->j1; j++)
        for (int i = fill->i0; i < fill->i1; i++) {
            const int chosen = !fill->at_z || w->ops->solids == NULL
                                   ? 0
                                   : w->ops->solids->layer_at(w->solver, i, j, fill->z);
            const int first = fill->at_z ? chosen : 1, last = fill->at_z ? chosen : c.layers - 1;
            for (int layer = first < 0 ? 1 : first; layer <= last; layer++) {
                if (!is_meant(&c, fill, layer, i, j))
                    continue;
                const float amount = lacking(&c, fill, layer, i, j);
                const run r = {layer, j, i, 1};
                if (amount > 0.0f)
                    rl_sum_add(&given, deposit(w, &r, &amount));
            }
        }
    w->core.books.initial += rl_sum_value(&given);
    return RILL_OK;
}
