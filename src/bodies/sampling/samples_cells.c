// SPDX-License-Identifier: MIT
// samples_cells.c - boxes of cells in the scratch: each body gathers what it does to the water in
// one of its own, so that bodies can work at the same time; what they have gathered is deposited
// afterwards, in the order of their places. A body that is larger than the scratch goes through it
// some rows at a time.
#include "bodies/sampling/samples.h"

#define LARGEST_BOX 65536 // cells, for one body
#define SMALL_BOX   64    // and for each other body

// ---- The scratch -----------------------------------------------------------------------

static size_t cell_budget(const rl_bodies *b)
{
    const size_t all = (size_t)b->nx * (size_t)b->ny, row = (size_t)b->nx;
    const size_t one = all < LARGEST_BOX ? all : row > LARGEST_BOX ? row : LARGEST_BOX;
    return one + (size_t)b->def.max_bodies * SMALL_BOX;
}

typedef struct scratch_parts {
    double *vertices;
    double *cells;
    rl_cell_job *jobs;
    int *queue;
    float *rows;
    size_t bytes;
} scratch_parts;

static scratch_parts scratch_of(const rl_bodies *b)
{
    const size_t cells = cell_budget(b), most = (size_t)b->def.max_bodies;
    scratch_parts p = {0};
    p.vertices = rl_take(b->scratch, &p.bytes, 6 * (size_t)b->def.max_vertices, sizeof *p.vertices);
    p.cells = rl_take(b->scratch, &p.bytes, cells * RL_CELL_VALUES, sizeof *p.cells);
    p.jobs = rl_take(b->scratch, &p.bytes, most, sizeof *p.jobs);
    p.queue = rl_take(b->scratch, &p.bytes, cells, sizeof *p.queue);
    p.rows = rl_take(b->scratch, &p.bytes, 3 * (size_t)b->nx, sizeof *p.rows);
    return p;
}

size_t rl_samples_bytes(const rl_bodies *bodies)
{
    return bodies->def.max_bodies > 0 ? scratch_of(bodies).bytes : 0;
}

double *rl_samples_vertices(const rl_bodies *bodies, int first_vertex)
{
    return scratch_of(bodies).vertices + 6 * (size_t)first_vertex;
}

// ---- Rounds ----------------------------------------------------------------------------

static int limited(double value, int low, int high)
{
    return value > low ? (value < high ? (int)value : high) : low; // a NaN gives `low`
}

// Cells that the samples of a body can touch, widened.
static rl_box box_of(const rl_bodies *b, const rl_body *body, double path, double margin)
{
    const double scale = 1.0 / b->cell_size;
    int low[2], high[2];
    const int count[2] = {b->nx, b->ny};
    double widest = 0.0;
    for (int k = 0; k < 2; k++)
        widest = fmax(widest, (body->high[k] - body->low[k]) * scale);
    const double *spin = body->spin;
    const double turning =
        body->reach * sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    // The cells of bilinear samples reach half a cell further than their points, and whatever is
    // told to spread goes one cell further at least.
    const double more = margin > 0.0 ? ceil(margin * widest) + 1.0 : 0.0;
    for (int k = 0; k < 2; k++) {
        const double way = (fabs(body->velocity[k]) + turning) * path * scale;
        low[k] = limited(floor(body->low[k] * scale - 0.5 - way - more), 0, count[k] - 2);
        high[k] = limited(floor(body->high[k] * scale - 0.5 + way + more) + 2.0, 2, count[k]);
    }
    return (rl_box){low[0], low[1], high[0], high[1]};
}

bool rl_samples_takes_part(const rl_body *body)
{
    return body->alive && body->def.coupling != RILL_COUPLING_NONE &&
           body->high[0] - body->low[0] < 1e9 && body->high[1] - body->low[1] < 1e9;
}

// Cuts a box that is too large to the rows of its part `band`. Returns how many parts are left,
// with this one.
static int cut_band(rl_box *box, size_t budget, int band)
{
    const int rows = (int)(budget / (size_t)(box->i1 - box->i0));
    RL_ASSERT(rows > 0);
    const int bands = (box->j1 - box->j0 + rows - 1) / rows;
    box->j0 += band * rows;
    box->j1 = box->j1 - box->j0 > rows ? box->j0 + rows : box->j1;
    return bands - band;
}

// The job of the body at the cursor.
static rl_cell_job next_job(const rl_bodies *b, const rl_cell_cursor *cursor, double path,
                            double margin, size_t budget)
{
    const rl_body *body = &b->items[cursor->place];
    rl_cell_job job = {.n = cursor->place, .left = 1, .whole = true};
    if (!rl_samples_passes(body))
        return job;
    job.box = box_of(b, body, path, margin);
    if (rl_box_cells(job.box) > budget) {
        job.whole = false;
        job.left = cut_band(&job.box, budget, cursor->band);
    }
    return job;
}

int rl_samples_plan(const rl_bodies *b, rl_cell_cursor *cursor, double path, double margin,
                    int only, rl_cell_job **jobs)
{
    const scratch_parts scratch = scratch_of(b);
    const size_t budget = cell_budget(b);
    size_t used = 0;
    int count = 0;
    *jobs = scratch.jobs;
    for (; cursor->place < b->def.max_bodies; cursor->place++) {
        if (!rl_samples_takes_part(&b->items[cursor->place]) ||
            (only >= 0 && cursor->place != only))
            continue;
        rl_cell_job job = next_job(b, cursor, path, margin, budget);
        const size_t cells = rl_box_cells(job.box);
        if (count > 0 && (used + cells > budget || !job.whole))
            return count;
        RL_ASSERT(used + cells <= budget && count < b->def.max_bodies);
        job.cells = scratch.cells + used * RL_CELL_VALUES;
        job.queue = scratch.queue + used;
        used += cells;
        scratch.jobs[count++] = job;
        if (!job.whole) { // all of the scratch is its own
            cursor->band = job.left > 1 ? cursor->band + 1 : 0;
            cursor->place += job.left == 1;
            return count;
        }
    }
    return count;
}

// ---- Deposits --------------------------------------------------------------------------

// A run of cells in one row of one layer.
typedef struct deposit_run {
    float *depth, *momentum_x, *momentum_y;
    int first, count, layer;
    bool some; // is not zero
} deposit_run;

static void deposit_cells(const rl_body_water *water, int j, bool moves, deposit_run *run,
                          rl_cells_given *given)
{
    const rl_deposit whole = {
        run->layer, j, run->first, run->count, run->depth, run->momentum_x, run->momentum_y};
    if (run->count > 0 && run->some) {
        const double volume = water->ops->deposit(water->solver, &whole);
        given->volume += moves ? 0.0 : volume;
    }
    for (int n = 0; moves && n < run->count; n++) {
        given->momentum_x += (double)run->momentum_x[n];
        given->momentum_y += (double)run->momentum_y[n];
    }
    run->count = 0;
    run->some = false;
}

static void add_cell(deposit_run *run, int i, bool moves, const rl_cell_deposit *deposit)
{
    if (run->count == 0)
        run->first = i;
    const int n = run->count++;
    RL_ASSERT(i == run->first + n);
    run->layer = deposit->layer;
    run->depth[n] = moves ? 0.0f : (float)deposit->depth;
    // Water that is displaced brings no momentum, and takes none.
    run->momentum_x[n] = moves ? (float)deposit->momentum_x : 0.0f;
    run->momentum_y[n] = moves ? (float)deposit->momentum_y : 0.0f;
    if (moves)
        run->some = run->some || run->momentum_x[n] != 0.0f || run->momentum_y[n] != 0.0f;
    else
        run->some = run->some || run->depth[n] != 0.0f;
}

static void deposit_row(const rl_body_water *water, const rl_cell_job *job, int j, bool moves,
                        rl_deposit_of deposit_of, const void *context, deposit_run *run,
                        rl_cells_given *given)
{
    const int width = job->box.i1 - job->box.i0;
    const double *values = job->cells + (size_t)(j - job->box.j0) * (size_t)width * RL_CELL_VALUES;
    for (int i = job->box.i0; i < job->box.i1; i++, values += RL_CELL_VALUES) {
        const rl_cell_deposit deposit = deposit_of(context, i, j, values);
        if (deposit.layer < 0 || (run->count > 0 && deposit.layer != run->layer))
            deposit_cells(water, j, moves, run, given);
        if (deposit.layer >= 0)
            add_cell(run, i, moves, &deposit);
    }
    deposit_cells(water, j, moves, run, given);
}

rl_cells_given rl_samples_deposit(const rl_bodies *bodies, const rl_body_water *water,
                                  const rl_cell_job *job, rl_deposit_of deposit_of,
                                  const void *context)
{
    rl_cells_given given = {0};
    float *rows = scratch_of(bodies).rows;
    const size_t nx = (size_t)bodies->nx;
    deposit_run run = {.depth = rows, .momentum_x = rows + nx, .momentum_y = rows + 2 * nx};
    // Water and momentum apart: a cell that gives less water than it is asked for would lose a part
    // of its momentum with it.
    for (int moves = 0; moves < 2; moves++)
        for (int j = job->box.j0; j < job->box.j1; j++)
            deposit_row(water, job, j, moves == 1, deposit_of, context, &run, &given);
    return given;
}
