// SPDX-License-Identifier: MIT
// displace.c - what bodies that water runs through do to it (Chentanez and Müller section
// 2.3.2, Algorithm 2, with errata 13 to 15 to it).
//
// Water: every wet piece of a body gives the volume that it sweeps to the cells along its way, the
// less the deeper it is. What the water then has got for the body is not what the body displaces,
// so the rest follows: it is spread evenly over the body's cells and some around, and the level of
// a closed basin is right in every step. The hill (or hollow) that this makes around the body runs
// away as waves in the time that they take to cross it; until then the body does not feel it.
//
// Velocity: water takes on the velocity of the body by adaptation per second, as far as the body
// fills the column. The paper counts the area of a piece with the sign of the side that it faces;
// here it is the part of it that faces down, which is the same for level pieces and does not jump
// when an upright one leans over. A column is never driven backwards, nor beyond the body's speed.
#include "bodies/sampling/samples.h"

#include <string.h>

#define SPREAD        0.25 // how far around the body the rest goes, in parts of its width
#define MOST_SUBSTEPS 64
#define MOST_LOST     0.5 // part of a body's speed that adaptation takes in a step

// Values of a cell in a job of this file: m^3, part of the speed, the sum of its sizes, and with
// those weights the body's velocity; layer + 1 where the cell is one of the body's.
enum { VOLUME, COEFFICIENT, WEIGHT, VELOCITY_X, VELOCITY_Y, LAYER1 };

// Sums of a job.
enum { SUBMERGED, SWEPT, CELLS, MOVED, WATER };

typedef struct disturbing {
    rl_bodies *bodies;
    const rl_body_water *water;
    rl_water_view view;
    rl_cell_job *jobs;
    bool withdraws; // the body goes away
} disturbing;

typedef struct tracing {
    const disturbing *context;
    const rl_body *body;
    rl_cell_job *job;
    double area; // of a cell
} tracing;

// e^-x with the same bits everywhere: 2^-k e^-r, r < ln 2.
static double fade(double x)
{
    if (!(x < 40.0))
        return 0.0;
    const int k = (int)(x / 0.69314718055994530942);
    const double r = k * 0.69314718055994530942 - x;
    double sum = 1.0;
    for (int n = 12; n >= 1; n--)
        sum = 1.0 + sum * r * (1.0 / n);
    return ldexp(sum, -k);
}

// ---- Algorithm 2 -----------------------------------------------------------------------

// One substep: the piece at `p`, for `dt` seconds. It gives to the cells around that its level is
// from, each by its weight: pieces are not much smaller than cells, and with the nearest cell alone
// some would get twice as many as others.
static void trace_point(tracing *t, const rl_triangle *triangle, double area, const double p[3],
                        const double v[3], double dt)
{
    const rl_water_view *view = &t->context->view;
    const double *n = triangle->normal;
    rl_wet_columns columns;
    double depth = -p[2];
    if (!rl_samples_columns(view, p, &columns))
        return;
    for (int k = 0; k < columns.count; k++)
        depth += columns.weight[k] * columns.at[k].level;
    if (!(depth > 0.0))
        return;
    const double decay = fade((double)t->context->bodies->def.decay * depth);
    for (int k = 0; k < columns.count; k++) {
        const rl_wet_column *column = &columns.at[k];
        double *cell = rl_job_cell(t->job, column->i, column->j);
        if (cell == NULL)
            continue;
        const double amount = columns.weight[k] * area * decay * dt;
        const double u = (double)view->columns.velocity_x[column->slot];
        const double w = (double)view->columns.velocity_y[column->slot];
        // Against a surface that moves by itself the body sweeps nothing: that is for the rest.
        const double swept = n[0] * (v[0] - u) + n[1] * (v[1] - w) + n[2] * v[2];
        const double part = fmin(depth / column->depth, 1.0);
        const double c = -n[2] * amount / t->area * part * t->body->def.adaptation;
        cell[VOLUME] += amount * t->body->def.displacement * swept;
        cell[COEFFICIENT] += c;
        cell[WEIGHT] += fabs(c);
        cell[VELOCITY_X] += fabs(c) * v[0];
        cell[VELOCITY_Y] += fabs(c) * v[1];
        cell[LAYER1] = column->layer + 1;
    }
}

static void trace_piece(void *context, const rl_triangle *triangle, const rl_wet_part *part)
{
    tracing *t = context;
    const double dt = t->context->water->dt;
    double at[3], p[3], v[3];
    for (int c = 0; c < 3; c++)
        at[c] = part->centre[c] / part->area;
    rl_samples_mix((const double(*)[3])triangle->p, at, p);
    rl_samples_mix((const double(*)[3])triangle->v, at, v);
    t->job->sum[SUBMERGED] -= triangle->normal[2] * part->head;
    const double way = sqrt(v[0] * v[0] + v[1] * v[1]) * dt / t->context->view.cell_size + 0.5;
    const int substeps = way < 2.0 ? 1 : way < MOST_SUBSTEPS ? (int)way : MOST_SUBSTEPS;
    for (int q = 1; q <= substeps; q++) {
        // The body has moved already, so its way ends where it is.
        const double back = dt * (substeps - q) / substeps;
        const double from[3] = {p[0] - back * v[0], p[1] - back * v[1], p[2] - back * v[2]};
        trace_point(t, triangle, part->area, from, v, dt / substeps);
    }
}

// ---- Cells of a body -------------------------------------------------------------------

static void take_cell(const tracing *t, int i, int j, int *count)
{
    double *cell = rl_job_cell(t->job, i, j);
    rl_wet_column column;
    if (cell == NULL || cell[LAYER1] > 0.0 ||
        !rl_samples_column(&t->context->view, i, j, t->body->position[2], &column))
        return;
    cell[LAYER1] = column.layer + 1;
    const rl_box *box = &t->job->box;
    RL_ASSERT((size_t)*count < rl_box_cells(*box));
    t->job->queue[(*count)++] = (j - box->j0) * (box->i1 - box->i0) + (i - box->i0);
}

// The cells under a body that has left the water.
static void take_below(const tracing *t, int *count)
{
    const double size = t->context->view.cell_size;
    const rl_body *body = t->body;
    const int nx = t->context->view.columns.nx, ny = t->context->view.columns.ny;
    const int i1 = rl_cell_of(body->high[0], size, nx), j1 = rl_cell_of(body->high[1], size, ny);
    for (int j = rl_cell_of(body->low[1], size, ny); j <= j1; j++)
        for (int i = rl_cell_of(body->low[0], size, nx); i <= i1; i++)
            take_cell(t, i, j, count);
}

// Goes from the body's cells over wet ones to those around: never through a wall.
static void spread_cells(const tracing *t)
{
    const rl_box *box = &t->job->box;
    const int width = box->i1 - box->i0, height = box->j1 - box->j0;
    const rl_body *body = t->body;
    int count = 0;
    for (int n = 0; n < width * height; n++)
        if (t->job->cells[(size_t)n * RL_CELL_VALUES + LAYER1] > 0.0)
            t->job->queue[count++] = n;
    if (count == 0)
        take_below(t, &count);
    const double widest = fmax(body->high[0] - body->low[0], body->high[1] - body->low[1]);
    const int waves = (int)fmin(ceil(SPREAD * widest / t->context->view.cell_size), 1e6);
    int from = 0;
    for (int wave = 0; wave < waves; wave++)
        for (const int end = count; from < end; from++) {
            const int i = box->i0 + t->job->queue[from] % width;
            const int j = box->j0 + t->job->queue[from] / width;
            take_cell(t, i - 1, j, &count);
            take_cell(t, i + 1, j, &count);
            take_cell(t, i, j - 1, &count);
            take_cell(t, i, j + 1, &count);
        }
    t->job->sum[CELLS] = count;
}

// A column takes on the velocity of the body, no more and not the other way.
static double coefficient(const double *cell)
{
    return fmin(fmax(cell[COEFFICIENT], 0.0), 1.0);
}

static double depth_at(const rl_water_view *view, int i, int j, int layer, size_t *slot)
{
    const rill_columns *c = &view->columns;
    *slot = (size_t)layer * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
    return (double)c->depth[*slot];
}

// Swept volume, all depths, and the water that adaptation would bring to the body's velocity, m^3.
static void sum_cells(const tracing *t)
{
    const rl_box *box = &t->job->box;
    const double *cell = t->job->cells;
    for (int j = box->j0; j < box->j1; j++)
        for (int i = box->i0; i < box->i1; i++, cell += RL_CELL_VALUES) {
            size_t slot;
            if (!(cell[LAYER1] > 0.0))
                continue;
            const double depth = depth_at(&t->context->view, i, j, (int)cell[LAYER1] - 1, &slot);
            t->job->sum[WATER] += depth;
            t->job->sum[SWEPT] += cell[VOLUME];
            t->job->sum[MOVED] += coefficient(cell) * depth * t->area;
        }
}

static bool disturbs(const rl_body *body)
{
    return body->def.coupling == RILL_COUPLING_PASS && !rl_shape_is_open(body);
}

static void disturb_body(void *context, int index)
{
    const disturbing *c = context;
    const rl_bodies *b = c->bodies;
    rl_cell_job *job = &c->jobs[index];
    const rl_body *body = &b->items[job->n];
    tracing t = {c, body, job, b->cell_size * b->cell_size};
    if (!disturbs(body))
        return;
    memset(job->cells, 0, rl_box_cells(job->box) * RL_CELL_VALUES * sizeof *job->cells);
    const rl_water_view view = rl_samples_view_of(&c->view, body);
    const double largest = (double)b->def.kappa * b->cell_size * b->cell_size;
    for (int n = 0; n < body->triangle_count; n++) {
        rl_triangle triangle;
        if (rl_samples_triangle(b, body, n, largest, &triangle))
            rl_samples_each(&view, &triangle, rl_samples_level, trace_piece, &t);
    }
    if (job->sum[SUBMERGED] == 0.0 && body->displaced == 0.0)
        return;
    spread_cells(&t);
    sum_cells(&t);
}

// ---- Deposits --------------------------------------------------------------------------

// How the cells of a job turn into deposits.
typedef struct deposit_terms {
    const rl_water_view *view;
    double area;
    double swept, rest; // swept volumes count so much; metres for each cell besides
    double adapts;      // adaptation counts so much
} deposit_terms;

static rl_cell_deposit deposit_of(const void *context, int i, int j, const double *values)
{
    const deposit_terms *g = context;
    rl_cell_deposit deposit = {.layer = (int)values[LAYER1] - 1};
    if (deposit.layer < 0)
        return deposit;
    deposit.depth = g->swept * values[VOLUME] / g->area + g->rest;
    const double c = g->adapts * coefficient(values);
    if (c > 0.0) {
        size_t slot;
        const double water = depth_at(g->view, i, j, deposit.layer, &slot) * g->area * c;
        const double u = (double)g->view->columns.velocity_x[slot];
        const double v = (double)g->view->columns.velocity_y[slot];
        deposit.momentum_x = water * (values[VELOCITY_X] / values[WEIGHT] - u);
        deposit.momentum_y = water * (values[VELOCITY_Y] / values[WEIGHT] - v);
    }
    return deposit;
}

// The volume that is to follow the swept one.
static double rest_of(const rl_body *body, const rl_cell_job *job)
{
    const double *sum = job->sum;
    const double now = body->displaced + sum[SWEPT];
    const double most = fmax(body->volume, sum[SUBMERGED]);
    const double rest = sum[SUBMERGED] - now;
    return fmin(fmax(rest, -now), most - now) / job->left;
}

// What the body has around it of its own making: it gets what was given, and loses it at the rate
// at which waves cross it.
static void heap_up(const disturbing *c, const rl_cell_job *job, rl_body *body, double given)
{
    const double area = job->sum[CELLS] * c->bodies->cell_size * c->bodies->cell_size;
    const double speed = sqrt(c->bodies->gravity * job->sum[WATER] / job->sum[CELLS]);
    RL_ASSERT(area > 0.0 && speed >= 0.0);
    body->own = (body->own + given) / (1.0 + c->water->dt * speed / sqrt(area));
    body->own_area = area;
}

static double deposit_job(const disturbing *c, const rl_cell_job *job)
{
    rl_body *body = &c->bodies->items[job->n];
    const double density = (double)c->bodies->def.density;
    const double area = c->bodies->cell_size * c->bodies->cell_size;
    if (!disturbs(body) || !(job->sum[CELLS] > 0.0))
        return 0.0;
    deposit_terms g = {.view = &c->view, .area = area};
    if (c->withdraws) {
        g.rest = -body->displaced / (job->left * job->sum[CELLS] * area);
    } else {
        g.swept = 1.0;
        g.rest = rest_of(body, job) / (job->sum[CELLS] * area);
        // The body loses what the water gets, in the next step.
        const double taken = density * job->sum[MOVED] / body->mass;
        g.adapts = taken > MOST_LOST ? MOST_LOST / taken : 1.0;
    }
    RL_ASSERT(g.adapts >= 0.0 && g.adapts <= 1.0);
    const rl_cells_given given = rl_samples_deposit(c->bodies, c->water, job, deposit_of, &g);
    body->displaced += given.volume;
    if (job->whole)
        heap_up(c, job, body, given.volume);
    body->given[0] += density * given.momentum_x;
    body->given[1] += density * given.momentum_y;
    return given.volume;
}

static double disturb(disturbing *c, int only)
{
    rl_cell_cursor cursor = {0};
    double volume = 0.0;
    for (;;) {
        const int count = rl_samples_plan(c->bodies, &cursor, c->water->dt, SPREAD, only, &c->jobs);
        if (count == 0)
            return volume;
        rl_jobs_run(c->water->jobs, count, disturb_body, c);
        for (int n = 0; n < count; n++)
            volume += deposit_job(c, &c->jobs[n]);
    }
}

double rl_bodies_disturb(rl_bodies *bodies, const rl_body_water *water)
{
    disturbing context = {bodies, water, rl_samples_view(bodies, water), NULL, false};
    return disturb(&context, -1);
}

double rl_bodies_withdraw(rl_bodies *bodies, int n, const rl_body_water *water)
{
    disturbing context = {bodies, water, rl_samples_view(bodies, water), NULL, true};
    return bodies->items[n].displaced != 0.0 ? disturb(&context, n) : 0.0;
}
