// SPDX-License-Identifier: MIT
// displaced.c - water that bodies have displaced and that has not come back yet: the virtual volume
// V of 003 section 4.2. It spreads to neighbours and turns into water little by little, where no
// body is in the way; what is negative takes water away, and waits where there is none
// (docs/papers.md, 003.8). Water and what is owed together never change.
//
// Only chunks of RL_RASTER_CHUNK cells that owe something are looked at. Rows are released one row
// behind those that spread; in between, what has spread is kept on the side, or in `owed_next`
// where there is too much of it. Rows at the ends of a band are released when the bands beside it
// have seen them.
#include "bodies/blocking/body_raster.h"

#include "core/flags.h"
#include "core/prefetch.h"

#include <string.h>

#define INVERSE_E      0.36787944117144232160
#define BAND           16 // rows
#define CHUNKS_AT_ONCE 8  // of one deposit: as many as flags at once
#define ROWS_AHEAD     3  // that are brought near
#define KEPT_CHUNKS    96 // of a row that has spread and is not released yet
// In cells a second: the least that is released. It makes no wave that anybody could see, and
// without it less and less would be owed in more and more cells.
#define CRUMBS 2e-2
// In cells. What is less is forgotten; it is far below the last digit of any water.
#define NOTHING 1e-17

typedef struct owed_task {
    rl_bodies *bodies;
    rl_raster *raster;
    const rl_body_water *water;
    rl_displaced_rates rates;
} owed_task;

static unsigned char *owing_row(const rl_raster *r, int j)
{
    return r->owing + (size_t)j * (size_t)r->chunk_pitch;
}

static unsigned char *worked_row(const rl_raster *r, int j)
{
    return r->worked + (size_t)j * (size_t)r->chunk_pitch;
}

static bool row_owes(const rl_bodies *b, int j)
{
    return j >= 0 && j < b->ny && b->owed_first[j] < b->owed_end[j];
}

static int chunk_end(const rl_bodies *b, int c)
{
    const int end = (c + 1) * RL_RASTER_CHUNK;
    return end < b->nx ? end : b->nx;
}

static const float *depth_row(const owed_task *task, int j)
{
    return task->water->columns.depth + (size_t)j * task->water->columns.pitch;
}

// Whether a body is in some cell of a chunk.
static bool chunk_blocked(const rl_bodies *b, const rl_raster *r, int c, int j)
{
    return b->has_blocks && r->in_way[(size_t)j * (size_t)r->chunk_pitch + (size_t)c] != 0;
}

// Whether a body is in a cell now.
static bool is_blocked(const rl_bodies *b, const rl_raster *r, int i, int j)
{
    if (!chunk_blocked(b, r, i / RL_RASTER_CHUNK, j))
        return false;
    const rl_block block = rl_blocks_at(&b->blocks, i, j, rill_field_row(r->bed, j)[i]);
    return block.floor != rill_field_row(r->bed, j)[i] || block.lower < RL_BLOCK_NO_LOWER;
}

// What a row has spread: its chunks in the order of the row, as many as there is room for.
typedef struct kept_row {
    double values[KEPT_CHUNKS * RL_RASTER_CHUNK];
} kept_row;

static double *place_of(const owed_task *task, kept_row *kept, int n, int from, int j)
{
    if (kept != NULL && n < KEPT_CHUNKS)
        return kept->values + (size_t)n * RL_RASTER_CHUNK;
    return task->bodies->owed_next + (size_t)j * (size_t)task->bodies->nx + from;
}

// ---- Spreading -------------------------------------------------------------------------

// Whether water can be owed in a cell: it has some, or a body is in it.
static bool holds(const owed_task *task, int i, int j)
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

static void spread_carefully(const owed_task *task, int j, int from, int end, double *next)
{
    const rl_bodies *b = task->bodies;
    const int nx = b->nx, ny = b->ny;
    const double *v = b->owed + (size_t)j * (size_t)nx;
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

static void spread_chunk(const owed_task *task, int j, int from, int end, double *next)
{
    const rl_bodies *b = task->bodies;
    const int nx = b->nx;
    if (from > 0 && from + RL_RASTER_CHUNK < nx && j > 0 && j + 1 < b->ny) {
        const float *const depth[3] = {depth_row(task, j - 1) + from, depth_row(task, j) + from,
                                       depth_row(task, j + 1) + from};
        const double *owed = b->owed + (size_t)j * (size_t)nx + from;
        if (task->raster->owed_rows->spread(owed, nx, depth, &task->rates, next))
            return;
    }
    spread_carefully(task, j, from, end, next);
}

// Of eight chunks of row j from c on, of which `owing` owe or have one that does in the row south
// or north of them: those, and others that get something from a chunk beside them.
static uint64_t spreading(const owed_task *task, int j, int c, uint64_t owing)
{
    const rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    const double *v = b->owed + (size_t)j * (size_t)b->nx;
    const unsigned char *mid = owing_row(r, j);
    const uint64_t own = rl_eight_flags(mid + c);
    uint64_t beside = own << 8 | own >> 8;
    beside |= c > 0 ? mid[c - 1] : 0;
    beside |= c + 8 < r->chunks ? (uint64_t)mid[c + 8] << 56 : 0;
    for (beside &= ~owing; beside != 0; beside &= beside - 1) {
        const int n = rl_first_flag(beside), from = (c + n) * RL_RASTER_CHUNK;
        if (c + n >= r->chunks)
            break;
        const int end = chunk_end(b, c + n);
        if ((c + n > 0 && mid[c + n - 1] && v[from - 1] != 0.0) ||
            (c + n + 1 < r->chunks && mid[c + n + 1] && v[end] != 0.0))
            owing |= (uint64_t)1 << 8 * n;
    }
    return owing;
}

static void spread_row(const owed_task *task, int j, kept_row *kept)
{
    const rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    const bool below = row_owes(b, j - 1), here = row_owes(b, j), above = row_owes(b, j + 1);
    if (!below && !here && !above)
        return;
    const unsigned char *mid = owing_row(r, j);
    const unsigned char *const sides[2] = {below ? owing_row(r, j - 1) : mid,
                                           above ? owing_row(r, j + 1) : mid};
    const int row_ahead = j + ROWS_AHEAD < b->ny ? j + ROWS_AHEAD : j;
    const double *ahead = b->owed + (size_t)row_ahead * (size_t)b->nx;
    int count = 0;
    r->row_worked[j] = true;
    for (int c = 0; c < r->chunks; c += 8) {
        const uint64_t owing =
            rl_eight_flags(sides[0] + c) | rl_eight_flags(mid + c) | rl_eight_flags(sides[1] + c);
        for (uint64_t left = spreading(task, j, c, owing); left != 0; left &= left - 1) {
            const int chunk = c + rl_first_flag(left), from = chunk * RL_RASTER_CHUNK;
            worked_row(r, j)[chunk] = 1;
            // What is owed lies as it was left some steps ago, far away by now.
            RL_PREFETCH(ahead + from);
            RL_PREFETCH(ahead + from + RL_RASTER_CHUNK / 2);
            RL_PREFETCH(depth_row(task, row_ahead) + from);
            spread_chunk(task, j, from, chunk_end(b, chunk),
                         place_of(task, kept, count++, from, j));
        }
    }
}

// ---- Releasing -------------------------------------------------------------------------

static bool release_chunk(const owed_task *task, int j, int from, int end, const double *next,
                          float *gives)
{
    const rl_bodies *b = task->bodies;
    rl_displaced_chunk chunk = {
        .count = end - from, .next = next, .depth = depth_row(task, j) + from};
    if (chunk_blocked(b, task->raster, from / RL_RASTER_CHUNK, j)) {
        const rl_blocks *set = &b->blocks;
        chunk.bed = rill_field_row(task->raster->bed, j) + from;
        chunk.floor = rill_field_row(&set->floor, j) + from;
        chunk.lower = rill_field_row(&set->lower, j) + from;
    }
    return task->raster->owed_rows->release(&chunk, &task->rates, gives,
                                            b->owed + (size_t)j * (size_t)b->nx + from);
}

// A run of cells that give together.
typedef struct given_run {
    int from, end;
    float gives[CHUNKS_AT_ONCE * RL_RASTER_CHUNK];
} given_run;

// Deposits of a run, none where nothing is given: what a deposit does to the last bits of its cells
// may depend on nothing but what is owed, and not on where anybody looked for it.
static void give(const owed_task *task, int j, const given_run *run)
{
    const int count = run->end - run->from;
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

static void release_row(const owed_task *task, int j, kept_row *kept)
{
    rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    if (!r->row_worked[j])
        return;
    r->row_worked[j] = false;
    unsigned char *worked = worked_row(r, j), *owing = owing_row(r, j);
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
            const double *next = place_of(task, kept, count++, from, j);
            owing[chunk] = release_chunk(task, j, from, end, next, run.gives + (from - run.from));
            run.end = end;
            if (owing[chunk]) {
                first = from < first ? from : first;
                last = end;
            }
        }
        give(task, j, &run);
        memset(worked + c, 0, CHUNKS_AT_ONCE);
    }
    b->owed_first[j] = first;
    b->owed_end[j] = last;
}

// ---- Bands -----------------------------------------------------------------------------

static int band_end(const rl_bodies *b, int band)
{
    const int end = (band + 1) * BAND;
    return end < b->ny ? end : b->ny;
}

// Lists the bands in which some row owes, or gets something from the row beside the band; returns
// how many.
static int list_bands(const rl_bodies *b, rl_raster *r)
{
    int count = 0;
    for (int band = 0; band * BAND < b->ny; band++) {
        bool owes = false;
        for (int j = band * BAND - 1; j <= band_end(b, band); j++)
            owes |= row_owes(b, j);
        if (owes)
            r->bands[count++] = band;
    }
    return count;
}

// Row j may be released when it and both beside it have spread. The first and the last row wait
// for the bands beside.
static void work_band(void *context, int index)
{
    const owed_task *task = context;
    const int band = task->raster->bands[index];
    const int first = band * BAND, end = band_end(task->bodies, band);
    kept_row kept[2];
    for (int j = first; j < end; j++) {
        spread_row(task, j, j == first || j == end - 1 ? NULL : &kept[j % 2]);
        if (j - 1 > first)
            release_row(task, j - 1, &kept[(j - 1) % 2]);
    }
}

static void end_band(void *context, int index)
{
    const owed_task *task = context;
    const int band = task->raster->bands[index];
    const int first = band * BAND, last = band_end(task->bodies, band) - 1;
    release_row(task, first, NULL);
    if (last > first)
        release_row(task, last, NULL);
}

// After the state was brought back only the extents of rows are known.
static void find_owing(const rl_bodies *b, rl_raster *r)
{
    memset(r->owing, 0, (size_t)r->chunk_pitch * (size_t)b->ny);
    for (int j = 0; j < b->ny; j++)
        for (int i = b->owed_first[j]; i < b->owed_end[j]; i++)
            owing_row(r, j)[i / RL_RASTER_CHUNK] = 1;
    r->owing_unknown = false;
}

void rl_bodies_release(rl_bodies *bodies, const rl_body_water *water)
{
    if (!bodies->can_block)
        return;
    rl_raster *r = rl_raster_of(bodies);
    if (r->owing_unknown)
        find_owing(bodies, r);
    const int count = list_bands(bodies, r);
    if (count == 0)
        return;
    const double kept = rill_power(INVERSE_E, (double)bodies->def.release * water->dt);
    const double crumb = kept < 1.0 ? CRUMBS * bodies->cell_size * water->dt : 0.0;
    const owed_task task = {.bodies = bodies,
                            .raster = r,
                            .water = water,
                            .rates = {.tau = (double)bodies->def.spread,
                                      .alpha = 1.0 - kept,
                                      .crumb = crumb,
                                      .nothing = NOTHING * bodies->cell_size}};
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
        for (int i = bodies->owed_first[j]; i < bodies->owed_end[j]; i++)
            row += bodies->owed[(size_t)j * (size_t)bodies->nx + (size_t)i];
        rl_sum_add(&sum, row);
    }
    return rl_sum_value(&sum) * bodies->cell_size * bodies->cell_size;
}
