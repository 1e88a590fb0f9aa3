// SPDX-License-Identifier: MIT
// blocking.c - what bodies leave open of the cells (003 section 4.1). 003 has one blocked interval
// a cell; here what rests on the ground, however many bodies high, is ground, and one interval more
// hangs in the water above it.
#include "bodies/raster.h"

#include "core/prefetch.h"

#include <string.h>

#define GAP           0.1f // in cells: what is closer to what lies below it rests on it
#define ROWS_PER_TASK 8
#define ROWS_AHEAD    2

typedef struct block_task {
    rl_bodies *bodies;
    rl_raster *raster;
    const rl_field *bed;
    const rill_columns *columns;
    int set;    // that is made
    bool again; // the other set says nothing about the water
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
    // blocked, as in Fig. 2 b of 003.
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
    const float depth = task->columns->depth[(size_t)j * task->columns->pitch + (size_t)i];
    const float *bed = rl_field_row(task->bed, j);
    if (task->again)
        return rl_block_divide(rl_block_compose(bed[i], sorted, gap, -1e30f), depth).level;
    const rl_block old = rl_blocks_at(b->has_blocks ? &b->blocks[b->now] : NULL, i, j, bed[i]);
    const rl_block_water water = rl_block_divide(old, depth);
    const float own = depth > 0.0f ? water.level : -RL_BLOCK_NO_LOWER;
    if (water.above > 0.0f || (depth > 0.0f && old.lower - old.floor - depth > gap))
        return own;
    for (int n = 0; n < r->box_count; n++) {
        const rl_box box = r->boxes[n];
        const float around = rl_field_row(&b->level, j)[i];
        if (i >= box.i0 && i < box.i1 && j >= box.j0 && j < box.j1)
            return around > own ? around : own;
    }
    return own;
}

static rl_block compose_one(float bed, rl_interval one, float gap)
{
    if (one.lower > bed + gap)
        return (rl_block){bed, one.lower, one.upper};
    return (rl_block){one.upper > bed ? one.upper : bed, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
}

// Only where one body hangs over another does the level matter: the higher it is, the more counts.
static rl_block compose_many(const block_task *task, int i, int j, float gap,
                             rl_interval_list *list)
{
    const float bed = rl_field_row(task->bed, j)[i];
    rl_interval_sort(list);
    const rl_block least = rl_block_compose(bed, list, gap, -1e30f);
    if (rl_block_same(least, rl_block_compose(bed, list, gap, 1e30f)))
        return least;
    task->raster->crowded[j] = true;
    return rl_block_compose(bed, list, gap, level_of(task, i, j, gap, list));
}

// ---- One row ---------------------------------------------------------------------------

// A row of the set that is made: its cells, and which of them are blocked.
typedef struct open_row {
    const float *bed;
    float *floor, *lower, *upper;
    unsigned char *in_way; // of chunks
    int first, end;
    bool hangs;
} open_row;

// Everywhere but in what is blocked the floor is the bed.
static void copy_bed(const block_task *task, int j)
{
    const rl_field *floor = &task->bodies->blocks[task->set].floor;
    if (task->raster->floor_ready[task->set][j])
        return;
    memcpy(rl_field_row(floor, j) - RL_MARGIN_X, rl_field_row(task->bed, j) - RL_MARGIN_X,
           floor->pitch * sizeof(float));
    task->raster->floor_ready[task->set][j] = true;
}

static open_row open_row_of(const block_task *task, int j)
{
    const rl_raster *r = task->raster;
    const rl_blocks *set = &task->bodies->blocks[task->set];
    return (open_row){.bed = rl_field_row(task->bed, j),
                      .floor = rl_field_row(&set->floor, j),
                      .lower = rl_field_row(&set->lower, j),
                      .upper = rl_field_row(&set->upper, j),
                      .in_way = r->in_way[task->set] + (size_t)j * (size_t)r->chunk_pitch,
                      .first = task->bodies->nx};
}

// Leaves nothing but the bed in a chunk that begins with cell `from`. What it reaches of the ghosts
// past a row has nothing else anyway.
static void clear_chunk(const open_row *row, int from)
{
    float *restrict lower = row->lower + from, *restrict upper = row->upper + from;
    memcpy(row->floor + from, row->bed + from, RL_RASTER_CHUNK * sizeof(float));
    for (int i = 0; i < RL_RASTER_CHUNK; i++)
        lower[i] = RL_BLOCK_NO_LOWER;
    for (int i = 0; i < RL_RASTER_CHUNK; i++)
        upper[i] = RL_BLOCK_NO_UPPER;
}

// Takes away what the set had in this row when it was last in use: only chunks with a body in them
// differ from what is everywhere. Bodies go on in the next rows as a rule, which were last looked
// at two steps ago.
static void clear_row(const block_task *task, int j, const open_row *row)
{
    const rl_blocks *set = &task->bodies->blocks[task->set];
    if (set->first[j] >= set->end[j])
        return;
    const int last = (set->end[j] - 1) / RL_RASTER_CHUNK;
    const int ahead = j + ROWS_AHEAD < task->bodies->ny ? j + ROWS_AHEAD : j;
    const ptrdiff_t floats = (ptrdiff_t)(ahead - j) * (ptrdiff_t)set->floor.pitch;
    const bool known = !task->raster->way_unknown[task->set];
    for (int c = set->first[j] / RL_RASTER_CHUNK; c <= last; c++) {
        const int from = c * RL_RASTER_CHUNK;
        if (known && c % 8 == 0 && rl_eight_flags(row->in_way + c) == 0)
            c += 7;
        if (known && !row->in_way[c])
            continue;
        RL_PREFETCH_WRITE(row->floor + floats + from);
        RL_PREFETCH_WRITE(row->lower + floats + from);
        RL_PREFETCH_WRITE(row->upper + floats + from);
        RL_PREFETCH(row->bed + floats + from);
        clear_chunk(row, from);
        row->in_way[c] = 0;
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
    if (block.floor == row->bed[i] && block.lower == RL_BLOCK_NO_LOWER)
        return;
    row->floor[i] = block.floor;
    row->lower[i] = block.lower;
    row->upper[i] = block.upper;
    row->in_way[i / RL_RASTER_CHUNK] = 1;
    grow(row, i, i + 1, block.lower < RL_BLOCK_NO_LOWER);
}

// Writes the cells [first, first + count) of which the lists say what bodies are in them.
static void put_lists(const block_task *task, int j, int first, int count, rl_interval_list *lists,
                      open_row *row)
{
    const float gap = GAP * (float)task->bodies->cell_size;
    for (int n = 0; n < count; n++) {
        const int i = first + n;
        if (lists[n].count == 1)
            put(row, i, compose_one(row->bed[i], lists[n].items[0], gap));
        else if (lists[n].count > 1)
            put(row, i, compose_many(task, i, j, gap, &lists[n]));
    }
}

// ---- Bodies of a row -------------------------------------------------------------------

// Writes cells from `first` on of which a body takes one interval.
static void put_once(const rl_raster_taken *taken, int first, int count, float gap, open_row *row)
{
    const uint64_t once = taken->once;
    float *floor = row->floor + first, *lower = row->lower + first, *upper = row->upper + first;
    const float *bed = row->bed + first;
    int from = count, end = 0;
    bool some_hang = false;
    for (int n = 0; n < count; n++) {
        if ((once >> n & 1) == 0)
            continue;
        const float low = taken->ends[0][n], high = taken->ends[1][n], ground = bed[n];
        const bool hangs = low > ground + gap;
        if (!hangs && !(high > ground))
            continue;
        floor[n] = hangs ? ground : high;
        lower[n] = hangs ? low : RL_BLOCK_NO_LOWER;
        upper[n] = hangs ? high : RL_BLOCK_NO_UPPER;
        row->in_way[(unsigned)(first + n) / RL_RASTER_CHUNK] = 1;
        from = n < from ? n : from;
        end = n + 1;
        some_hang |= hangs;
    }
    grow(row, first + from, first + end, some_hang);
}

// A body in whose cells there is no other.
static void block_alone(const block_task *task, int j, const rl_raster_body *body, open_row *row)
{
    const rl_raster *r = task->raster;
    const double cell_size = task->bodies->cell_size;
    for (int first = body->box.i0; first < body->box.i1; first += RL_RASTER_TILE) {
        const int left = body->box.i1 - first;
        const int count = left < RL_RASTER_TILE ? left : RL_RASTER_TILE;
        rl_raster_taken taken;
        rl_raster_take(r, body, cell_size, j, first, count, &taken);
        put_once(&taken, first, count, GAP * (float)cell_size, row);
        if (taken.unclear == 0)
            continue;
        rl_interval_list lists[RL_RASTER_TILE];
        for (int n = 0; n < count; n++)
            lists[n].count = 0;
        rl_raster_unclear(r, body, cell_size, j, first, count, taken.unclear, lists);
        put_lists(task, j, first, count, lists, row);
    }
}

// The next tile of the others: from the first cell of one that is not done, as far as they go.
static int next_tile(const block_task *task, int j, int from, int to, int done, int *count)
{
    const rl_raster_body *bodies = task->raster->bodies;
    int first = task->bodies->nx, end = 0;
    for (int n = from; n < to; n++) {
        const rl_box box = bodies[n].box;
        const int next = box.i0 > done ? box.i0 : done;
        if (!bodies[n].alone && j < box.j1 && next < box.i1 && next < first)
            first = next;
    }
    const int most = first + RL_RASTER_TILE;
    for (int n = from; n < to; n++) {
        const rl_box box = bodies[n].box;
        if (!bodies[n].alone && j < box.j1 && box.i0 < most && box.i1 > end)
            end = box.i1;
    }
    *count = (end < most ? end : most) - first;
    return first;
}

// Bodies [from, to) that are not alone.
static void block_crowd(const block_task *task, int j, int from, int to, open_row *row)
{
    const rl_raster *r = task->raster;
    rl_interval_list lists[RL_RASTER_TILE];
    int count = 0;
    for (int done = 0;; done += count) {
        done = next_tile(task, j, from, to, done, &count);
        if (done == task->bodies->nx)
            return;
        for (int n = 0; n < count; n++)
            lists[n].count = 0;
        for (int n = from; n < to; n++) {
            const rl_box box = r->bodies[n].box;
            if (!r->bodies[n].alone && j < box.j1 && box.i0 < done + count && box.i1 > done)
                rl_raster_row(r, &r->bodies[n], task->bodies->cell_size, j, done, count, lists);
        }
        put_lists(task, j, done, count, lists, row);
    }
}

static void block_row(const block_task *task, int j)
{
    const rl_raster *r = task->raster;
    rl_blocks *set = &task->bodies->blocks[task->set];
    open_row row = open_row_of(task, j);
    clear_row(task, j, &row);
    r->crowded[j] = false;
    const int oldest = j + 1 > r->tallest ? j + 1 - r->tallest : 0;
    const int from = r->row_start[oldest], to = r->row_start[j + 1];
    bool crowd = false;
    copy_bed(task, j);
    for (int n = from; n < to; n++) {
        if (j < r->bodies[n].box.j1 && r->bodies[n].alone)
            block_alone(task, j, &r->bodies[n], &row);
        crowd |= !r->bodies[n].alone;
    }
    if (crowd)
        block_crowd(task, j, from, to, &row);
    set->first[j] = row.end > 0 ? row.first : 0;
    set->end[j] = row.end;
    set->hangs[j] = row.hangs;
}

static void block_rows(void *context, int index)
{
    const block_task *task = context;
    const rl_raster *r = task->raster;
    for (int n = index * ROWS_PER_TASK; n < (index + 1) * ROWS_PER_TASK && n < r->row_count; n++)
        block_row(task, r->rows[n]);
}

// ---- Rows ------------------------------------------------------------------------------

// Cells whose block may change may owe afterwards.
static void mark_owing(rl_bodies *b, const rl_raster *r)
{
    for (int n = 0; n < r->body_count; n++) {
        const rl_box box = r->bodies[n].box;
        for (int j = box.j0; j < box.j1; j++) {
            const bool none = b->owed_first[j] >= b->owed_end[j];
            b->owed_first[j] = none || box.i0 < b->owed_first[j] ? box.i0 : b->owed_first[j];
            b->owed_end[j] = none || box.i1 > b->owed_end[j] ? box.i1 : b->owed_end[j];
            unsigned char *owing = r->owing + (size_t)j * (size_t)r->chunk_pitch;
            for (int c = box.i0 / RL_RASTER_CHUNK; c <= (box.i1 - 1) / RL_RASTER_CHUNK; c++)
                owing[c] = 1;
        }
    }
}

// The same for all that the water has as blocked: after the state was brought back the boxes of
// bodies are no longer those that it was found with.
static void mark_blocked(rl_bodies *b)
{
    const rl_blocks *set = &b->blocks[b->now];
    for (int j = 0; j < b->ny; j++) {
        if (set->first[j] >= set->end[j])
            continue;
        const bool none = b->owed_first[j] >= b->owed_end[j];
        b->owed_first[j] =
            none || set->first[j] < b->owed_first[j] ? set->first[j] : b->owed_first[j];
        b->owed_end[j] = none || set->end[j] > b->owed_end[j] ? set->end[j] : b->owed_end[j];
    }
}

// Rows to look at: those with bodies, and those that the set remembers from its last use.
static void list_rows(const rl_bodies *b, rl_raster *r, const rl_blocks *set)
{
    for (int j = 0; j < b->ny; j++)
        r->touched[j] = set->first[j] < set->end[j];
    for (int n = 0; n < r->body_count; n++)
        for (int j = r->bodies[n].box.j0; j < r->bodies[n].box.j1; j++)
            r->touched[j] = true;
    r->row_count = 0;
    for (int j = 0; j < b->ny; j++)
        if (r->touched[j])
            r->rows[r->row_count++] = j;
}

static bool some_row_blocked(const rl_raster *r, const rl_blocks *set)
{
    for (int n = 0; n < r->row_count; n++)
        if (set->first[r->rows[n]] < set->end[r->rows[n]])
            return true;
    return false;
}

void rl_bodies_forget_floors(rl_bodies *b)
{
    const rl_raster *r = rl_raster_of(b);
    for (int n = 0; n < 2; n++)
        memset(r->floor_ready[n], 0, (size_t)b->ny * sizeof *r->floor_ready[n]);
}

// ---- Bodies at rest --------------------------------------------------------------------

static bool some_row_crowded(const rl_raster *r)
{
    for (int n = 0; n < r->row_count; n++)
        if (r->crowded[r->rows[n]])
            return true;
    return false;
}

// Notes a body; returns whether it is as it was.
static bool is_known(const rl_bodies *b, rl_raster *r, int place, rl_raster_known *known)
{
    const rl_body *body = &b->items[place];
    const rl_raster_known now = {place, body->first_vertex, body->first_triangle, body->generation};
    const float *position = b->position + 3 * (size_t)body->first_vertex;
    float *vertices = r->vertices + 3 * (size_t)body->first_vertex;
    const size_t bytes = 3 * (size_t)body->vertex_count * sizeof *vertices;
    const bool same = known->place == now.place && known->first_vertex == now.first_vertex &&
                      known->first_triangle == now.first_triangle &&
                      known->generation == now.generation && memcmp(vertices, position, bytes) == 0;
    *known = now;
    if (!same)
        memcpy(vertices, position, bytes);
    return same;
}

// Notes where the blocking bodies are; returns whether all of them are where they were, so that
// what they block is what the water has.
static bool all_at_rest(const rl_bodies *b, rl_raster *r)
{
    const int known = r->known_count;
    bool rest = true;
    int count = 0;
    for (int n = 0; n < b->def.max_bodies; n++)
        if (rl_body_blocks(&b->items[n]))
            rest &= is_known(b, r, n, &r->known[count++]);
    r->known_count = count;
    return rest && count == known;
}

// ---- All of it -------------------------------------------------------------------------

static void block(rl_bodies *b, const rl_body_water *water, const rl_field *bed, double *owed)
{
    if (!b->can_block || water->ops->block == NULL)
        return;
    rl_raster *r = rl_raster_of(b);
    if (owed != NULL && all_at_rest(b, r)) {
        if (b->has_blocks)
            water->ops->block(water->solver, water->jobs, &b->blocks[b->now], owed);
        return;
    }
    if (owed != NULL && r->owing_unknown)
        mark_blocked(b); // chunks are found from the extents of rows then
    else if (owed != NULL)
        mark_owing(b, r);
    rl_raster_prepare(b, water->jobs);
    if (r->body_count == 0 && !b->has_blocks)
        return;
    if (owed != NULL)
        mark_owing(b, r);
    if (!b->has_blocks)
        rl_bodies_forget_floors(b);
    r->bed = bed;
    const int next = 1 - b->now;
    rl_blocks *set = &b->blocks[next];
    list_rows(b, r, set);
    const block_task task = {b, r, bed, &water->columns, next, owed == NULL};
    rl_jobs_run(water->jobs, (r->row_count + ROWS_PER_TASK - 1) / ROWS_PER_TASK, block_rows,
                (void *)&task);
    r->way_unknown[next] = false;
    set->lines = r->in_way[next];
    set->lines_pitch = (size_t)r->chunk_pitch;
    const bool some = some_row_blocked(r, set);
    if (some || b->has_blocks) {
        water->ops->block(water->solver, water->jobs, set, owed);
        b->now = next;
    }
    if (!some && b->has_blocks)
        water->ops->block(water->solver, water->jobs, NULL, owed);
    b->has_blocks = some;
    if (some_row_crowded(r))
        r->known_count = -1;
}

void rl_bodies_block(rl_bodies *bodies, const rl_body_water *water, const rl_field *bed)
{
    block(bodies, water, bed, bodies->owed);
}

void rl_bodies_block_again(rl_bodies *bodies, const rl_body_water *water, const rl_field *bed)
{
    if (!bodies->can_block)
        return;
    rl_raster *r = rl_raster_of(bodies);
    rl_bodies_forget_floors(bodies);
    r->owing_unknown = true;
    r->known_count = -1;
    block(bodies, water, bed, NULL);
    r->way_unknown[bodies->now] = true;
}
