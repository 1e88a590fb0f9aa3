// SPDX-License-Identifier: MIT
// displaced.c - water that bodies have displaced and that has not come back yet: the virtual volume
// V of Kellomäki section 4.2. It spreads to neighbours and turns into water little by little, where
// no body is in the way; what is negative takes water away, and waits where there is none (erratum
// 8 to Kellomäki). The sum of water and displaced volume never changes.
//
// Only chunks of RL_RASTER_CHUNK cells with some of it, the active ones, are visited. Rows are
// released one row behind those that spread; in between, what has spread is held on the side, or in
// `virtual_next` where there is too much of it. Rows at the ends of a band are released when the
// bands beside it have seen them.
#include "bodies/blocking/body_raster.h"

#include "core/flags.h"
#include "core/prefetch.h"

#include <string.h>

#define INVERSE_E      0.36787944117144232160
#define BAND           16 // rows
#define CHUNKS_AT_ONCE 8  // of one deposit: as many as flags at once
#define ROWS_AHEAD     3  // that are prefetched
#define HELD_CHUNKS    96 // of a row that has spread and is not released yet
// In cells a second: the least that is released. It makes no wave that could be seen, and
// without it less and less volume would lie in more and more cells.
#define CRUMBS 2e-2
// In cells. What is less is forgotten; it is far below the last digit of any water.
#define NOTHING 1e-17

typedef struct displaced_task {
    rl_bodies *bodies;
    rl_raster *raster;
    const rl_body_water *water;
    rl_displaced_rates rates;
    bool releases; // else the displaced volume only spreads
} displaced_task;

static bool row_is_active(const rl_bodies *b, int j)
{
    return j >= 0 && j < b->ny && b->virtual_first[j] < b->virtual_end[j];
}

static int chunk_end(const rl_bodies *b, int c)
{
    const int end = (c + 1) * RL_RASTER_CHUNK;
    return end < b->nx ? end : b->nx;
}

static const float *depth_row(const displaced_task *task, int j)
{
    return task->water->columns.depth + (size_t)j * task->water->columns.pitch;
}

// Whether a body is in some cell of a chunk.
static bool chunk_blocked(const rl_bodies *b, const rl_raster *r, int c, int j)
{
    return b->has_blocks && rl_raster_chunks(r, r->in_way, j)[c] != 0;
}

// Whether a body is in a cell now.
static bool is_blocked(const rl_bodies *b, const rl_raster *r, int i, int j)
{
    if (!chunk_blocked(b, r, i / RL_RASTER_CHUNK, j))
        return false;
    const rl_block block = rl_blocks_at(&b->blocks, i, j, rill_field_row(r->bed, j)[i]);
    return block.floor != rill_field_row(r->bed, j)[i] || block.lower < RL_BLOCK_NO_LOWER;
}

// What a row has spread: its chunks in the order of the row, as many as fit.
typedef double row_values[HELD_CHUNKS * RL_RASTER_CHUNK];

static double *place_of(const displaced_task *task, double *held, int n, int from, int j)
{
    if (held != NULL && n < HELD_CHUNKS)
        return held + (size_t)n * RL_RASTER_CHUNK;
    return task->bodies->virtual_next + (size_t)j * (size_t)task->bodies->nx + from;
}

// ---- Spreading -------------------------------------------------------------------------

// Whether a cell can have displaced volume: it has water, or a body is in it.
static bool holds(const displaced_task *task, int i, int j)
{
    return depth_row(task, j)[i] > 0.0f || is_blocked(task->bodies, task->raster, i, j);
}

// What a cell gets from a neighbour, before tau. Between two cells that hold it is their
// difference; one that holds nothing gives what it has and gets nothing.
static double gets(double own, bool own_holds, double other, bool other_holds)
{
    if (own_holds && other_holds)
        return other - own;
    return own_holds ? other : other_holds ? -own : 0.0;
}

static void spread_carefully(const displaced_task *task, int j, int from, int end, double *next)
{
    const rl_bodies *b = task->bodies;
    const int nx = b->nx, ny = b->ny;
    const double *v = b->virtual_volume + (size_t)j * (size_t)nx;
    for (int i = from; i < end; i++) {
        const bool here = holds(task, i, j);
        double west = 0.0, east = 0.0, south = 0.0, north = 0.0;
        if (i > 0)
            west = gets(v[i], here, v[i - 1], holds(task, i - 1, j));
        if (i + 1 < nx)
            east = gets(v[i], here, v[i + 1], holds(task, i + 1, j));
        if (j > 0)
            south = gets(v[i], here, v[i - nx], holds(task, i, j - 1));
        if (j + 1 < ny)
            north = gets(v[i], here, v[i + nx], holds(task, i, j + 1));
        next[i - from] = v[i] + task->rates.tau * ((west + east) + (south + north));
    }
}

static void spread_chunk(const displaced_task *task, int j, int from, int end, double *next)
{
    const rl_bodies *b = task->bodies;
    const int nx = b->nx;
    if (from > 0 && from + RL_RASTER_CHUNK < nx && j > 0 && j + 1 < b->ny) {
        const float *const depth[3] = {depth_row(task, j - 1) + from, depth_row(task, j) + from,
                                       depth_row(task, j + 1) + from};
        const double *volume = b->virtual_volume + (size_t)j * (size_t)nx + from;
        if (task->raster->displaced_rows->spread(volume, nx, depth, &task->rates, next))
            return;
    }
    spread_carefully(task, j, from, end, next);
}

// Of eight chunks of row j from c on, of which `active` have volume or a chunk with some south or
// north of them: those, and the ones that get something from a chunk beside them.
static uint64_t spreading(const displaced_task *task, int j, int c, uint64_t active)
{
    const rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    const double *v = b->virtual_volume + (size_t)j * (size_t)b->nx;
    const unsigned char *mid = rl_raster_chunks(r, r->active, j);
    const uint64_t own = rl_eight_flags(mid + c);
    uint64_t beside = own << 8 | own >> 8;
    beside |= c > 0 ? mid[c - 1] : 0;
    beside |= c + 8 < r->chunks ? (uint64_t)mid[c + 8] << 56 : 0;
    for (beside &= ~active; beside != 0; beside &= beside - 1) {
        const int n = rl_first_flag(beside), from = (c + n) * RL_RASTER_CHUNK;
        if (c + n >= r->chunks)
            break;
        const int end = chunk_end(b, c + n);
        if ((c + n > 0 && mid[c + n - 1] && v[from - 1] != 0.0) ||
            (c + n + 1 < r->chunks && mid[c + n + 1] && v[end] != 0.0))
            active |= (uint64_t)1 << 8 * n;
    }
    return active;
}

static void spread_row(const displaced_task *task, int j, double *held)
{
    const rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    const bool below = row_is_active(b, j - 1), here = row_is_active(b, j),
               above = row_is_active(b, j + 1);
    if (!below && !here && !above)
        return;
    const unsigned char *mid = rl_raster_chunks(r, r->active, j);
    const unsigned char *const sides[2] = {below ? rl_raster_chunks(r, r->active, j - 1) : mid,
                                           above ? rl_raster_chunks(r, r->active, j + 1) : mid};
    const int row_ahead = j + ROWS_AHEAD < b->ny ? j + ROWS_AHEAD : j;
    const double *ahead = b->virtual_volume + (size_t)row_ahead * (size_t)b->nx;
    int count = 0;
    r->row_worked[j] = true;
    for (int c = 0; c < r->chunks; c += 8) {
        const uint64_t active =
            rl_eight_flags(sides[0] + c) | rl_eight_flags(mid + c) | rl_eight_flags(sides[1] + c);
        for (uint64_t left = spreading(task, j, c, active); left != 0; left &= left - 1) {
            const int chunk = c + rl_first_flag(left), from = chunk * RL_RASTER_CHUNK;
            rl_raster_chunks(r, r->worked, j)[chunk] = 1;
            // The volume lies as it was left some steps ago, out of the cache by now.
            RL_PREFETCH(ahead + from);
            RL_PREFETCH(ahead + from + RL_RASTER_CHUNK / 2);
            RL_PREFETCH(depth_row(task, row_ahead) + from);
            spread_chunk(task, j, from, chunk_end(b, chunk),
                         place_of(task, held, count++, from, j));
        }
    }
}

// ---- Releasing -------------------------------------------------------------------------

static bool release_chunk(const displaced_task *task, int j, int from, int end, const double *next,
                          float *gives)
{
    const rl_bodies *b = task->bodies;
    rl_displaced_chunk chunk = {
        .count = end - from, .next = next, .depth = depth_row(task, j) + from};
    if (task->releases && chunk_blocked(b, task->raster, from / RL_RASTER_CHUNK, j)) {
        const rl_blocks *set = &b->blocks;
        chunk.bed = rill_field_row(task->raster->bed, j) + from;
        chunk.floor = rill_field_row(&set->floor, j) + from;
        chunk.lower = rill_field_row(&set->lower, j) + from;
    }
    return task->raster->displaced_rows->release(
        &chunk, &task->rates, task->releases ? gives : NULL,
        b->virtual_volume + (size_t)j * (size_t)b->nx + from);
}

// A run of cells that give together.
typedef struct given_run {
    int from, end;
    float gives[CHUNKS_AT_ONCE * RL_RASTER_CHUNK];
} given_run;

// Deposits of a run, none where nothing is given: what a deposit does to the last bits of its cells
// may depend on nothing but the displaced volume, and not on how its cells were found.
static void give(const displaced_task *task, int j, const given_run *run)
{
    const int count = task->releases ? run->end - run->from : 0;
    RL_ASSERT(count >= 0 && count <= CHUNKS_AT_ONCE * RL_RASTER_CHUNK);
    for (int n = 0; n < count;) {
        if (run->gives[n] == 0.0f) {
            n++;
            continue;
        }
        const int first = n;
        while (n < count && run->gives[n] != 0.0f)
            n++;
        const rl_deposit deposit = {
            .row = j, .first = run->from + first, .count = n - first, .depth = run->gives + first};
        task->water->ops->deposit(task->water->solver, &deposit);
    }
}

static void release_row(const displaced_task *task, int j, double *held)
{
    rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    if (!r->row_worked[j])
        return;
    r->row_worked[j] = false;
    unsigned char *worked = rl_raster_chunks(r, r->worked, j),
                  *active = rl_raster_chunks(r, r->active, j);
    int first = b->nx, last = 0, count = 0;
    given_run run;
    for (int c = 0; c < r->chunks; c += CHUNKS_AT_ONCE) {
        run.from = run.end = 0;
        for (uint64_t left = rl_eight_flags(worked + c); left != 0; left &= left - 1) {
            const int chunk = c + rl_first_flag(left), from = chunk * RL_RASTER_CHUNK;
            const int end = chunk_end(b, chunk);
            if (from != run.end) {
                give(task, j, &run);
                run.from = from;
            }
            const double *next = place_of(task, held, count++, from, j);
            active[chunk] = release_chunk(task, j, from, end, next, run.gives + (from - run.from));
            run.end = end;
            if (active[chunk]) {
                first = from < first ? from : first;
                last = end;
            }
        }
        give(task, j, &run);
        memset(worked + c, 0, CHUNKS_AT_ONCE);
    }
    RL_ASSERT(last <= b->nx);
    b->virtual_first[j] = first;
    b->virtual_end[j] = last;
}

// ---- Bands -----------------------------------------------------------------------------

static int band_end(const rl_bodies *b, int band)
{
    const int end = (band + 1) * BAND;
    return end < b->ny ? end : b->ny;
}

// Lists the bands in which some row is active, or gets something from the row beside the band;
// returns how many.
static int list_bands(const rl_bodies *b, rl_raster *r)
{
    int count = 0;
    for (int band = 0; band * BAND < b->ny; band++) {
        bool any = false;
        for (int j = band * BAND - 1; j <= band_end(b, band); j++)
            any |= row_is_active(b, j);
        if (any)
            r->bands[count++] = band;
    }
    return count;
}

// Row j may be released when it and both beside it have spread. The first and the last row wait
// for the bands beside.
static void work_band(void *context, int index)
{
    const displaced_task *task = context;
    const int band = task->raster->bands[index];
    const int first = band * BAND, end = band_end(task->bodies, band);
    row_values held[2];
    for (int j = first; j < end; j++) {
        spread_row(task, j, j == first || j == end - 1 ? NULL : held[j % 2]);
        if (j - 1 > first)
            release_row(task, j - 1, held[(j - 1) % 2]);
    }
}

static void end_band(void *context, int index)
{
    const displaced_task *task = context;
    const int band = task->raster->bands[index];
    const int first = band * BAND, last = band_end(task->bodies, band) - 1;
    release_row(task, first, NULL);
    if (last > first)
        release_row(task, last, NULL);
}

// After the state was brought back only the extents of rows are known.
static void find_active(const rl_bodies *b, rl_raster *r)
{
    memset(r->active, 0, (size_t)r->chunk_pitch * (size_t)b->ny);
    for (int j = 0; j < b->ny; j++)
        for (int i = b->virtual_first[j]; i < b->virtual_end[j]; i++)
            rl_raster_chunks(r, r->active, j)[i / RL_RASTER_CHUNK] = 1;
    r->active_unknown = false;
}

void rl_bodies_release(rl_bodies *bodies, const rl_body_water *water)
{
    if (!bodies->can_block)
        return;
    rl_raster *r = rl_raster_of(bodies);
    if (r->active_unknown)
        find_active(bodies, r);
    const int count = list_bands(bodies, r);
    if (count == 0)
        return;
    const double kept = rill_power(INVERSE_E, (double)bodies->def.release * water->dt);
    RL_ASSERT(kept >= 0.0 && kept <= 1.0);
    const double crumb = kept < 1.0 ? CRUMBS * bodies->cell_size * water->dt : 0.0;
    const displaced_task task = {.bodies = bodies,
                                 .raster = r,
                                 .water = water,
                                 .rates = {.tau = (double)bodies->def.spread,
                                           .alpha = 1.0 - kept,
                                           .crumb = crumb,
                                           .nothing = NOTHING * bodies->cell_size},
                                 .releases = kept < 1.0};
    rl_jobs_run(water->jobs, count, work_band, (void *)&task);
    rl_jobs_run(water->jobs, count, end_band, (void *)&task);
}

double rl_bodies_displaced(const rl_bodies *bodies)
{
    if (!bodies->can_block)
        return 0.0;
    rl_sum sum = {0};
    for (int j = 0; j < bodies->ny; j++) {
        double row = 0.0;
        for (int i = bodies->virtual_first[j]; i < bodies->virtual_end[j]; i++)
            row += bodies->virtual_volume[(size_t)j * (size_t)bodies->nx + (size_t)i];
        rl_sum_add(&sum, row);
    }
    return rl_sum_value(&sum) * bodies->cell_size * bodies->cell_size;
}
