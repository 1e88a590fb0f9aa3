// SPDX-License-Identifier: MIT
// blocking.c - what bodies leave open of the cells (Kellomäki section 4.1). The paper
// has one blocked interval a cell; here what rests on the ground, however many bodies high, is
// ground, and one interval more hangs in the water above it.
#include "bodies/blocking/body_raster.h"

#include "core/flags.h"
#include "core/prefetch.h"

#include <string.h>

#define GAP        0.1f // in cells: what is closer to what lies below it rests on it
#define CHUNK      RL_RASTER_CHUNK
#define BAND       16 // rows of a task
#define ROWS_AHEAD 3  // that are prefetched

typedef struct block_task {
    rl_bodies *bodies;
    rl_raster *raster;
    const rill_field *bed;
    const rl_body_water *water;
    double *displaced; // NULL: the water stays as it is, and the set says nothing about it
} block_task;

// ---- One cell --------------------------------------------------------------------------

rl_block rl_block_compose(float bed, const rl_interval_list *sorted, float gap, float level)
{
    rl_block block = {bed, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
    int n = 0;
    for (; n < sorted->count && sorted->items[n].lower <= block.floor + gap; n++)
        block.floor = sorted->items[n].upper > block.floor ? sorted->items[n].upper : block.floor;
    if (n == sorted->count)
        return block;
    block.lower = sorted->items[n].lower;
    block.upper = sorted->items[n].upper;
    // Between two bodies that are both in the water there is one opening too many: it counts as
    // blocked, as in Fig. 2 b of Kellomäki.
    for (n++; n < sorted->count; n++) {
        const rl_interval next = sorted->items[n];
        if (next.lower > block.upper + gap && next.lower > level + gap)
            break;
        block.upper = next.upper > block.upper ? next.upper : block.upper;
    }
    return block;
}

// Water's level in a cell, before bodies have moved. Where one pressed the water down it is that of
// the water around.
static float level_of(const block_task *task, int i, int j, float gap,
                      const rl_interval_list *sorted)
{
    const rl_bodies *b = task->bodies;
    const rl_raster *r = task->raster;
    const rill_columns *columns = &task->water->columns;
    const float depth = columns->depth[(size_t)j * columns->pitch + (size_t)i];
    const float *bed = rill_field_row(task->bed, j);
    if (task->displaced == NULL)
        return rl_block_divide(rl_block_compose(bed[i], sorted, gap, -1e30f), depth).level;
    const rl_block old = rl_blocks_at(b->has_blocks ? &b->blocks : NULL, i, j, bed[i]);
    const rl_block_water water = rl_block_divide(old, depth);
    const float own = depth > 0.0f ? water.level : -RL_BLOCK_NO_LOWER;
    if (water.above > 0.0f || (depth > 0.0f && old.lower - old.floor - depth > gap))
        return own;
    for (int n = 0; n < r->box_count; n++) {
        const rl_box box = r->boxes[n];
        const float around = rill_field_row(&b->level, j)[i];
        if (i >= box.i0 && i < box.i1 && j >= box.j0 && j < box.j1)
            return around > own ? around : own;
    }
    return own;
}

// Only where one body hangs over another does the level matter: the higher it is, the more counts.
static rl_block compose(const block_task *task, int i, int j, float gap, rl_interval_list *list)
{
    const float bed = rill_field_row(task->bed, j)[i];
    rl_interval_sort(list);
    const rl_block least = rl_block_compose(bed, list, gap, -1e30f);
    if (list->count == 1 || rl_block_same(least, rl_block_compose(bed, list, gap, 1e30f)))
        return least;
    task->raster->crowded[j] = true;
    return rl_block_compose(bed, list, gap, level_of(task, i, j, gap, list));
}

// ---- Parts of a row --------------------------------------------------------------------

// A row of the set, which changes part by part: what is in a part is made beside the set, the water
// gives way, and then the part takes its place.
typedef struct open_row {
    int j;
    const float *bed;
    float *floor, *lower, *upper; // of the set
    unsigned char *in_way;        // of chunks
    int first, end;               // cells that are blocked now
    bool hung, hangs;             // before, and now
    rl_blocks_part *part;         // that is being made
} open_row;

// What is said of chunks while a row changes: WAS is left for those that no body comes near now.
enum { FREE, WAS, IS };

static open_row open_row_of(const block_task *task, int j, rl_blocks_part *part)
{
    const rl_raster *r = task->raster;
    const rl_blocks *set = &task->bodies->blocks;
    return (open_row){.j = j,
                      .bed = rill_field_row(task->bed, j),
                      .floor = rill_field_row(&set->floor, j),
                      .lower = rill_field_row(&set->lower, j),
                      .upper = rill_field_row(&set->upper, j),
                      .in_way = rl_raster_chunks(r, r->in_way, j),
                      .first = task->bodies->nx,
                      .hung = set->hangs[j],
                      .part = part};
}

// A part has nothing but the bed at first. What it reaches of the ghosts past a row has nothing
// else anyway.
static void begin_part(open_row *row, int first, int lines)
{
    RL_ASSERT(first % CHUNK == 0 && lines > 0 && lines <= RL_BLOCKS_PART_LINES);
    rl_blocks_part *part = row->part;
    part->row = row->j;
    part->first = first;
    part->lines = lines;
    memset(part->blocked, 0, sizeof part->blocked);
    memcpy(part->floor, row->bed + first, (size_t)(lines * CHUNK) * sizeof(float));
    for (int i = 0; i < lines * CHUNK; i++)
        part->lower[i] = RL_BLOCK_NO_LOWER;
    for (int i = 0; i < lines * CHUNK; i++)
        part->upper[i] = RL_BLOCK_NO_UPPER;
}

// Cells that lose or get water may have displaced volume afterwards:
// those of the part.
static void mark_active(const block_task *task, const open_row *row)
{
    rl_bodies *b = task->bodies;
    const rl_blocks_part *part = row->part;
    unsigned char *active = rl_raster_chunks(task->raster, task->raster->active, row->j);
    const int end = part->first + part->lines * CHUNK, last = end < b->nx ? end : b->nx;
    int *from = b->virtual_first + row->j, *to = b->virtual_end + row->j;
    const bool none = *from >= *to;
    *from = none || part->first < *from ? part->first : *from;
    *to = none || last > *to ? last : *to;
    memset(active + part->first / CHUNK, 1, (size_t)part->lines);
}

static void write_chunk(const open_row *row, int n)
{
    const rl_blocks_part *part = row->part;
    const size_t at = (size_t)n * CHUNK, to = (size_t)part->first + at;
    memcpy(row->floor + to, part->floor + at, CHUNK * sizeof(float));
    if (row->hung || row->hangs) {
        memcpy(row->lower + to, part->lower + at, CHUNK * sizeof(float));
        memcpy(row->upper + to, part->upper + at, CHUNK * sizeof(float));
    }
}

static void end_part(const block_task *task, open_row *row)
{
    const rl_blocks_part *part = row->part;
    const rl_body_water *water = task->water;
    unsigned char *in_way = row->in_way + part->first / CHUNK;
    bool differs = true;
    if (task->displaced != NULL) {
        differs = water->ops->blocking->give_way(water->solver, part, task->displaced);
        if (differs)
            mark_active(task, row);
    }
    for (int n = 0; n < part->lines; n++) {
        if (differs && (in_way[n] || part->blocked[n]))
            write_chunk(row, n);
        in_way[n] = part->blocked[n] ? IS : FREE;
    }
}

// Cells of [from, end) are blocked.
static inline void grow(open_row *row, int from, int end, bool hangs)
{
    row->first = from < end && from < row->first ? from : row->first;
    row->end = from < end && end > row->end ? end : row->end;
    row->hangs |= hangs;
}

// Writes what is left of cell i.
static void put(open_row *row, int i, rl_block block)
{
    rl_blocks_part *part = row->part;
    const int n = i - part->first;
    RL_ASSERT(n >= 0 && n < part->lines * CHUNK);
    if (block.floor == row->bed[i] && block.lower == RL_BLOCK_NO_LOWER)
        return;
    part->floor[n] = block.floor;
    part->lower[n] = block.lower;
    part->upper[n] = block.upper;
    part->blocked[n / CHUNK] = 1;
    grow(row, i, i + 1, block.lower < RL_BLOCK_NO_LOWER);
}

// Writes the cells [from, to) of the part, of which the lists say what bodies are in them.
static void put_lists(const block_task *task, rl_interval_list *lists, int from, int to,
                      open_row *row)
{
    const float gap = GAP * (float)task->bodies->cell_size;
    for (int n = from; n < to; n++) {
        const int i = row->part->first + n;
        if (lists[n].count > 0)
            put(row, i, compose(task, i, row->j, gap, &lists[n]));
    }
}

// ---- Bodies of a row -------------------------------------------------------------------

// Writes the cells of the part of which a body takes one interval.
static void put_once(const rl_raster_taken *taken, float gap, open_row *row)
{
    rl_blocks_part *part = row->part;
    float *floor = part->floor, *lower = part->lower, *upper = part->upper;
    int from = RL_BLOCKS_PART, end = 0, n = 0;
    bool some_hang = false;
    for (uint64_t left = taken->once; left != 0; left >>= 1, n++) {
        if ((left & 1) == 0)
            continue;
        const float low = taken->ends[0][n], high = taken->ends[1][n], ground = floor[n];
        const bool hangs = low > ground + gap;
        if (!hangs && !(high > ground))
            continue;
        floor[n] = hangs ? ground : high;
        lower[n] = hangs ? low : RL_BLOCK_NO_LOWER;
        upper[n] = hangs ? high : RL_BLOCK_NO_UPPER;
        part->blocked[(unsigned)n / CHUNK] = 1;
        from = n < from ? n : from;
        end = n + 1;
        some_hang |= hangs;
    }
    grow(row, part->first + from, part->first + end, some_hang);
}

// Writes the cells of the part of which it is unclear what a body takes.
static void put_unclear(const block_task *task, const rl_raster_body *body, uint64_t unclear,
                        open_row *row)
{
    const int first = row->part->first, count = row->part->lines * CHUNK;
    const int from = body->box.i0 > first ? body->box.i0 - first : 0;
    const int to = body->box.i1 < first + count ? body->box.i1 - first : count;
    rl_interval_list lists[RL_RASTER_CELLS];
    for (int n = from; n < to; n++)
        lists[n].count = 0;
    rl_raster_unclear(task->raster, body, task->bodies->cell_size, row->j, first, unclear, lists);
    put_lists(task, lists, from, to, row);
}

// A body in whose chunks there is no other.
static void block_alone(const block_task *task, const rl_raster_body *body, open_row *row)
{
    const double cell_size = task->bodies->cell_size;
    const int last = (body->box.i1 - 1) / CHUNK;
    for (int chunk = body->box.i0 / CHUNK; chunk <= last; chunk += RL_BLOCKS_PART_LINES) {
        const int left = last + 1 - chunk;
        begin_part(row, chunk * CHUNK, left < RL_BLOCKS_PART_LINES ? left : RL_BLOCKS_PART_LINES);
        rl_raster_taken taken;
        rl_raster_take(task->raster, body, cell_size, row->j, row->part->first,
                       row->part->lines * CHUNK, &taken);
        put_once(&taken, GAP * (float)cell_size, row);
        if (taken.unclear != 0)
            put_unclear(task, body, taken.unclear, row);
        end_part(task, row);
    }
}

// Begins the next part for the other bodies: from the first of their chunks that is not done, as
// far as they follow each other. False where there is none.
static bool next_part(const block_task *task, int from, int to, int done, open_row *row)
{
    const rl_raster_body *bodies = task->raster->bodies;
    int first = task->raster->chunks, lines = 0;
    for (int n = from; n < to; n++) {
        const rl_box box = bodies[n].box;
        const int next = box.i0 / CHUNK > done ? box.i0 / CHUNK : done;
        if (!bodies[n].alone && row->j < box.j1 && next * CHUNK < box.i1 && next < first)
            first = next;
    }
    unsigned theirs = 0;
    for (int n = from; n < to; n++) {
        const rl_box box = bodies[n].box;
        for (int k = 0; !bodies[n].alone && row->j < box.j1 && k < RL_BLOCKS_PART_LINES; k++)
            if (box.i0 < (first + k + 1) * CHUNK && box.i1 > (first + k) * CHUNK)
                theirs |= 1u << k;
    }
    while ((theirs >> lines & 1) != 0)
        lines++;
    if (lines > 0)
        begin_part(row, first * CHUNK, lines);
    return lines > 0;
}

// Bodies [from, to) that are not alone.
static void block_crowd(const block_task *task, int from, int to, open_row *row)
{
    const rl_raster *r = task->raster;
    rl_interval_list lists[RL_RASTER_CELLS];
    for (int done = 0; next_part(task, from, to, done, row);
         done = row->part->first / CHUNK + row->part->lines) {
        const int first = row->part->first, count = row->part->lines * CHUNK;
        for (int n = 0; n < count; n++)
            lists[n].count = 0;
        for (int n = from; n < to; n++) {
            const rl_box box = r->bodies[n].box;
            if (!r->bodies[n].alone && row->j < box.j1 && box.i0 < first + count && box.i1 > first)
                rl_raster_row(r, &r->bodies[n], task->bodies->cell_size, row->j, first, count,
                              lists);
        }
        put_lists(task, lists, 0, count, row);
        end_part(task, row);
    }
}

// Takes away what was in chunks that no body comes near any more.
static void close_row(const block_task *task, open_row *row)
{
    for (int c = 0; c < task->raster->chunks; c += 8) {
        uint64_t was = rl_eight_flags(row->in_way + c) & WAS * RL_EIGHT_FLAGS;
        for (; was != 0; was &= was - 1) {
            begin_part(row, (c + rl_first_flag(was)) * CHUNK, 1);
            end_part(task, row);
        }
        for (uint64_t is = rl_eight_flags(row->in_way + c) / IS; is != 0; is &= is - 1)
            row->in_way[c + rl_first_flag(is)] = WAS;
    }
}

// ---- Rows ------------------------------------------------------------------------------

// Everywhere but in what is blocked the floor is the bed.
static void copy_bed(const block_task *task, const open_row *row)
{
    const rl_raster *r = task->raster;
    const size_t margin = RILL_MARGIN_X * sizeof(float);
    if (r->floor_ready[row->j])
        return;
    memcpy(row->floor - RILL_MARGIN_X, row->bed - RILL_MARGIN_X, margin);
    memcpy(row->floor + task->bodies->nx, row->bed + task->bodies->nx, margin);
    for (int c = 0; c < r->chunks; c++)
        if (!row->in_way[c])
            memcpy(row->floor + c * CHUNK, row->bed + c * CHUNK, CHUNK * sizeof(float));
    r->floor_ready[row->j] = true;
}

static inline bool is_blocked(const rl_blocks *set, int j)
{
    return set->first[j] < set->end[j];
}

static void block_row(const block_task *task, int j)
{
    const rl_raster *r = task->raster;
    rl_blocks *set = &task->bodies->blocks;
    const int oldest = j + 1 > r->tallest ? j + 1 - r->tallest : 0;
    const int from = r->row_start[oldest], to = r->row_start[j + 1];
    if (from == to && !is_blocked(set, j))
        return;
    rl_blocks_part part;
    open_row row = open_row_of(task, j, &part);
    bool crowd = false;
    copy_bed(task, &row);
    for (int n = from; n < to; n++) {
        if (j < r->bodies[n].box.j1 && r->bodies[n].alone)
            block_alone(task, &r->bodies[n], &row);
        crowd |= !r->bodies[n].alone;
    }
    if (crowd)
        block_crowd(task, from, to, &row);
    close_row(task, &row);
    RL_ASSERT(row.end == 0 || (row.first >= 0 && row.first < row.end));
    set->first[j] = row.end > 0 ? row.first : 0;
    set->end[j] = row.end;
    set->hangs[j] = row.hangs;
}

// What a chunk has in the set, and its water. No function: prefetch.h says why.
#define PREFETCH_CHUNK(row, water, volume, i)          \
    do {                                               \
        RL_PREFETCH_WRITE((row).floor + (i));          \
        RL_PREFETCH_WRITE((row).lower + (i));          \
        RL_PREFETCH_WRITE((row).upper + (i));          \
        RL_PREFETCH((row).bed + (i));                  \
        RL_PREFETCH_WRITE((water) + (i));              \
        RL_PREFETCH_WRITE((volume) + (i));             \
        RL_PREFETCH_WRITE((volume) + (i) + CHUNK / 2); \
    } while (0)

// Rows change some rows after what they need was prefetched: bodies are where they were, nearly.
static void block_band(void *context, int band)
{
    const block_task *task = context;
    const rl_bodies *b = task->bodies;
    const rill_columns *columns = &task->water->columns;
    const int first = band * BAND, end = first + BAND < b->ny ? first + BAND : b->ny;
    for (int j = first; j < end + ROWS_AHEAD; j++) {
        if (j < end && is_blocked(&b->blocks, j)) {
            const open_row row = open_row_of(task, j, NULL);
            const float *depth = columns->depth + (size_t)j * columns->pitch;
            const double *volume = b->virtual_volume + (size_t)j * (size_t)b->nx;
            for (int c = 0; c < task->raster->chunks; c += 8)
                for (uint64_t left = rl_eight_flags(row.in_way + c); left != 0; left &= left - 1)
                    PREFETCH_CHUNK(row, depth, volume, (c + rl_first_flag(left)) * CHUNK);
        }
        if (j - ROWS_AHEAD >= first)
            block_row(task, j - ROWS_AHEAD);
    }
}

// ---- Sets ------------------------------------------------------------------------------

static bool some_row_blocked(const rl_bodies *b)
{
    for (int j = 0; j < b->ny; j++)
        if (is_blocked(&b->blocks, j))
            return true;
    return false;
}

// Floors of rows with bodies are copied from the bed anew: it, or what was copied, may have
// changed.
static void forget_floors(rl_bodies *b)
{
    const rl_raster *r = rl_raster_of(b);
    memset(r->floor_ready, 0, (size_t)b->ny * sizeof *r->floor_ready);
}

void rl_bodies_blocks_changed(rl_bodies *b, const rill_field *bed)
{
    const rl_raster *r = rl_raster_of(b);
    const rl_blocks *set = &b->blocks;
    memset(r->in_way, 0, (size_t)r->chunk_pitch * (size_t)b->ny);
    for (int j = 0; j < b->ny; j++)
        for (int i = set->first[j]; i < set->end[j]; i++)
            if (rill_field_row(&set->floor, j)[i] != rill_field_row(bed, j)[i] ||
                rill_field_row(&set->lower, j)[i] < RL_BLOCK_NO_LOWER)
                rl_raster_chunks(r, r->in_way, j)[i / CHUNK] = WAS;
    b->has_blocks = some_row_blocked(b);
    forget_floors(b);
}

// ---- All of it -------------------------------------------------------------------------

static void block(rl_bodies *b, const rl_body_water *water, const rill_field *bed,
                  double *displaced)
{
    rl_raster *r = rl_raster_of(b);
    rl_raster_prepare(b, water->jobs);
    RL_ASSERT(bed->nx == b->nx && bed->ny == b->ny);
    if (r->body_count == 0 && !b->has_blocks)
        return;
    r->bed = bed;
    if (!b->has_blocks) {
        forget_floors(b);
        water->ops->blocking->block(water->solver, water->jobs, &b->blocks); // nothing yet
    }
    memset(r->crowded, 0, (size_t)b->ny * sizeof *r->crowded);
    const block_task task = {b, r, bed, water, displaced};
    rl_jobs_run(water->jobs, (b->ny + BAND - 1) / BAND, block_band, (void *)&task);
    b->has_blocks = some_row_blocked(b);
    if (displaced == NULL || !b->has_blocks)
        water->ops->blocking->block(water->solver, water->jobs, b->has_blocks ? &b->blocks : NULL);
    if (memchr(r->crowded, true, (size_t)b->ny * sizeof *r->crowded) != NULL)
        r->unseen = true;
}

void rl_bodies_block(rl_bodies *bodies, const rl_body_water *water, const rill_field *bed)
{
    if (bodies->can_block && !rl_raster_info(bodies, water->jobs))
        block(bodies, water, bed, bodies->virtual_volume);
}

void rl_bodies_block_again(rl_bodies *bodies, const rl_body_water *water, const rill_field *bed)
{
    if (!bodies->can_block)
        return;
    rl_raster *r = rl_raster_of(bodies);
    forget_floors(bodies);
    r->active_unknown = true;
    rl_raster_info(bodies, water->jobs);
    block(bodies, water, bed, NULL);
    r->unseen = true;
}
