// SPDX-License-Identifier: MIT
// forces.c - what the water does to bodies (Chentanez and Müller section 2.3.1). Every triangle is
// divided into pieces below kappa dx^2, and each piece is cut at the water line:
//
//   - Bodies that let water through are lifted by the prisms between their pieces and the surface
//     (Chentanez and Müller Eq. 14 with the sign of erratum 11 to it). The prism is exact and
//     stands at its own centre, so that bodies float upright, or capsize, as they do in nature.
//   - Bodies that keep water out feel its pressure on every face, with the level that stands before
//     that face: a dam is pushed downstream.
//   - Both are dragged and lifted by the flow (Chentanez and Müller Eq. 15 to 17, with the density
//   of
//     erratum 12 to it).
//
// Water that runs through a body gets the opposite of drag and lift at once, as momentum of the
// columns around each piece. What blocks the water slows it by being in its way.
#include "bodies/blocking/body_raster.h"
#include "bodies/sampling/pressure_sampling.h"
#include "bodies/soft/soft_float.h"

#include "core/prefetch.h"

#include <string.h>

// Pieces of bodies that keep water out are so much larger: the level before them is smooth, and
// each piece is integrated exactly.
#define COARSER      6.0
#define GROUPS_AHEAD 2  // groups of bodies that are prefetched, with their water
#define FEW          64 // vertices of a body: no more are

// Values of a cell in a job of this file.
enum { PUSH_X, PUSH_Y, DEPTH, LAYER1 }; // N, N, metres, layer + 1

// A body while its forces are found.
typedef struct feeling {
    const rl_water_view *view;
    rl_body *body;
    const rl_cell_job *job;
    double *vertices; // 6 each: force at rest, force of the flow
    double density, gravity, dt;
    double mass_per_area; // of soft bodies, kg/m^2
    rl_soft_sheet afloat; // of cloth that floats; else its thickness is 0
    bool sheet, soft;
    double submerged;
    double power;         // that drag takes from the motion relative to the water, W
    double dragged[3][3]; // force of the flow at the corners of the triangle at hand
} feeling;

typedef struct feel_context {
    rl_bodies *bodies;
    const rl_body_water *water;
    rl_water_view view;
    rl_cell_job *jobs;
    rl_head_fill fill; // without a raster where no body can block
} feel_context;

// ---- Pieces ----------------------------------------------------------------------------

// Lifts what lets water through.
static void press(feeling *f, const rl_triangle *t, const rl_wet_part *part)
{
    const double weight = f->density * f->gravity;
    if (f->sheet) { // the same on both of its sides but for its thickness
        if (f->afloat.thickness > 0.0)
            f->submerged += rl_soft_lift(&f->afloat, t, part, f->vertices);
        return;
    }
    f->submerged -= t->normal[2] * part->head;
    for (int c = 0; c < 3; c++)
        f->vertices[6 * (size_t)t->corner[c] + 2] -= weight * part->head_centre[c] * t->normal[2];
}

// Drag and lift of a piece that moves at `v` through the water. Returns the power of the drag,
// or -1 where there is no force at all.
static double flow_force(const rl_body *body, double density, const double normal[3],
                         const double v[3], double area, bool sheet, double force[3])
{
    double facing = rl_dot(normal, v);
    const double side = sheet && facing < 0.0 ? -1.0 : 1.0;
    facing *= side;
    force[0] = force[1] = force[2] = 0.0;
    if (facing < 0.0)
        return -1.0;
    const double speed = sqrt(rl_dot(v, v));
    if (!(speed > 1e-12))
        return -1.0;
    const double weight = body->def.area_weight;
    const double half = 0.5 * density * area * (facing * weight + (1.0 - weight) * speed);
    // v x (n x v) / |n x v| is as long as v, and upright on it: the part of n across the flow,
    // (n v v - v n v) / |n x v|.
    const double squared = speed * speed, across = sqrt(fmax(squared - facing * facing, 0.0));
    const double lift = across > 1e-9 * speed ? half * body->def.lift / across : 0.0;
    const double along = lift * facing - half * body->def.drag, aside = side * lift * squared;
    for (int k = 0; k < 3; k++)
        force[k] = along * v[k] - aside * normal[k];
    return half * body->def.drag * squared;
}

// The water around a piece takes the opposite force. Deep columns take more of it, so that all of
// them get the same speed.
static void push_water(feeling *f, const rl_wet_columns *columns, const double force[3])
{
    double sum = 0.0;
    for (int n = 0; n < columns->count; n++)
        sum += columns->weight[n] * columns->at[n].depth;
    for (int n = 0; n < columns->count; n++) {
        const rl_wet_column *at = &columns->at[n];
        double *cell = rl_job_cell(f->job, at->i, at->j);
        if (cell == NULL)
            continue;
        const double part = columns->weight[n] * at->depth / sum;
        cell[PUSH_X] -= part * force[0];
        cell[PUSH_Y] -= part * force[1];
        cell[DEPTH] = at->depth;
        cell[LAYER1] = at->layer + 1;
    }
}

// Drag and lift of a piece whose centre has the barycentric coordinates `at` and moves at `v`
// through the water. Adds the force to those of the corners, and returns it.
static void feel_flow(feeling *f, const rl_triangle *t, double area, const double at[3],
                      const double v[3], double force[3])
{
    const double power = flow_force(f->body, f->density, t->normal, v, area, f->sheet, force);
    if (power < 0.0)
        return;
    double scale = 1.0;
    if (f->soft && power > 0.0) {
        // A piece of a soft body for itself: no impulse takes more than the speed that its own mass
        // has (see limit_flow).
        const double stiffness = power / rl_dot(v, v), mass = f->mass_per_area * area;
        scale = fmin(1.0, mass / (f->dt * stiffness));
    }
    for (int k = 0; k < 3; k++)
        force[k] *= scale;
    f->power += power;
    for (int c = 0; c < 3; c++)
        rl_vector_add(f->dragged[c], at[c], force);
}

// The corners of a triangle take what its pieces were dragged by.
static void drag_corners(feeling *f, const rl_triangle *t)
{
    for (int c = 0; c < 3; c++)
        rl_vector_add(f->vertices + 6 * (size_t)t->corner[c] + 3, 1.0, f->dragged[c]);
    memset(f->dragged, 0, sizeof f->dragged);
}

// A piece that lets water through.
static void feel_piece(void *context, const rl_triangle *t, const rl_wet_part *part)
{
    feeling *f = context;
    press(f, t, part);
    double at[3] = {0}, p[3], v[3], flow[3] = {0}, force[3];
    rl_vector_add(at, 1.0 / part->area, part->centre);
    rl_samples_mix((const double(*)[3])t->p, at, p);
    rl_samples_mix((const double(*)[3])t->v, at, v);
    rl_wet_columns columns;
    const bool wet = rl_samples_columns(f->view, p, &columns);
    if (wet)
        rl_samples_flow(f->view, &columns, flow);
    rl_vector_add(v, -1.0, flow);
    feel_flow(f, t, part->area, at, v, force);
    if (f->afloat.thickness > 0.0)
        rl_soft_make_waves(&f->afloat, t, part, at, v, f->dragged, force);
    if (wet)
        push_water(f, &columns, force);
}

// Triangles that keep it out, with columns beside them that rise as they let them.
static void feel_surfaces(void *context, const rl_pressure_group *group,
                          const rl_pressure_felt *felt)
{
    feeling *f = context;
    const double weight = f->density * f->gravity;
    double power = f->power, submerged = f->submerged; // they do not go through memory each time
    for (int l = 0; l < group->count; l++) {
        const double normal[3] = {group->normal[0][l], group->normal[1][l], group->normal[2][l]};
        power += felt->power[l];
        for (int c = 0; c < 3; c++) {
            double *force = f->vertices + 6 * (size_t)group->vertex[c][l];
            const double head = felt->head[c][l], pressure = weight * head;
            submerged -= normal[2] * head;
            for (int k = 0; k < 3; k++) {
                force[k] -= pressure * normal[k];
                force[3 + k] += felt->flow[c][k][l];
            }
        }
    }
    f->power = power;
    f->submerged = submerged;
}

// ---- Bodies ----------------------------------------------------------------------------

// a . I^-1 a for a torque `a` in world axes. 0 for a body without inertia of its own.
static double turned_by(const rl_body *body, const double torque[3])
{
    const double *i = body->inertia;
    double t[3], columns[3][3];
    rl_body_turn_back(body->rotation, torque, t);
    rl_cross(&i[3], &i[6], columns[0]);
    rl_cross(&i[6], &i[0], columns[1]);
    rl_cross(&i[0], &i[3], columns[2]);
    const double determinant = rl_dot(&i[0], columns[0]);
    if (!(determinant > 0.0))
        return 0.0;
    double spin[3] = {0};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 3; k++)
            spin[k] += columns[n][k] * t[n] / determinant;
    return rl_dot(t, spin);
}

// What acts on a body: at rest, and of the flow.
typedef struct load {
    double force[3], torque[3];
} load;

static void sum_forces(const rl_bodies *b, const rl_body *body, const double *forces, load sums[2])
{
    memset(sums, 0, 2 * sizeof *sums);
    for (int v = 0; v < body->vertex_count; v++) {
        double arm[3], turn[3];
        rl_vertex_at(b->position, (size_t)(body->first_vertex + v), arm);
        rl_vector_add(arm, -1.0, body->position);
        for (int n = 0; n < 2; n++, forces += 3) {
            rl_cross(arm, forces, turn);
            rl_vector_add(sums[n].force, 1.0, forces);
            rl_vector_add(sums[n].torque, 1.0, turn);
        }
    }
}

// The part of drag and lift that acts. They grow with the speed, so that a long step could throw a
// light body back faster than it came. With the impulse s dt f the energy of the motion relative to
// the water, that of the columns included, changes by
//
//     -s dt P + s^2 dt^2 Q / 2,   Q = F F / m + T I^-1 T + sum of f_c f_c / m_c over columns,
//
// which is least at s dt = P / Q: for a body that does not spin, where it stands still in the
// water. Drag goes no further than that. Below, which is nearly always, nothing is changed, and a
// falling body gets the right speed.
static double limit_flow(const rl_bodies *b, const feeling *f, const load *flow)
{
    if (f->soft || !(f->power > 0.0))
        return 1.0;
    double q = rl_dot(flow->force, flow->force) / f->body->mass + turned_by(f->body, flow->torque);
    const rl_cell_job *job = f->job;
    const double column = f->density * b->cell_size * b->cell_size;
    const size_t cells = rl_box_cells(job->box);
    // A body that does not fit into the scratch is heavy, and so are all the columns that it meets.
    for (size_t n = 0; job->whole && n < cells; n++) {
        const double *cell = job->cells + n * RL_CELL_VALUES;
        if (cell[LAYER1] > 0.0)
            q += (cell[PUSH_X] * cell[PUSH_X] + cell[PUSH_Y] * cell[PUSH_Y]) /
                 (column * cell[DEPTH]);
    }
    return fmin(1.0, f->power / (f->dt * q));
}

static bool is_wet(const double forces[6])
{
    for (int k = 0; k < 6; k++)
        if (forces[k] != 0.0)
            return true;
    return false;
}

// Corners of a sheet that come into the water, or lie on it, set the water in motion that goes
// along with them (rl_soft_water_mass), or it them: what is so light and as wide as that moves as
// the surface does. Deeper down it is the pressure of the water that moves them.
static void lie_on_water(feeling *f, const rl_triangle *t)
{
    for (int c = 0; c < 3; c++) {
        double *own = f->vertices + 6 * (size_t)t->corner[c];
        const double head = rl_samples_level(f->view, t->p[c], t->normal) - t->p[c][2];
        rl_wet_columns columns;
        double flow[3], force[3] = {0.0, 0.0, 0.0};
        if (!is_wet(own) || head > f->afloat.thickness ||
            !rl_samples_columns(f->view, t->p[c], &columns))
            continue;
        rl_samples_flow(f->view, &columns, flow);
        const double taken = f->afloat.goes_along * t->area / (3.0 * f->dt);
        rl_vector_add(force, taken, flow);
        rl_vector_add(force, -taken, t->v[c]);
        rl_vector_add(own + 3, 1.0, force);
        push_water(f, &columns, force);
    }
}

static void finish(rl_bodies *b, const feeling *f, rl_cell_job *job)
{
    rl_body *body = f->body;
    RL_ASSERT(f->dt > 0.0 && body->mass > 0.0);
    load sums[2];
    sum_forces(b, body, f->vertices, sums);
    const load *rest = &sums[0], *flow = &sums[1];
    const double scale = limit_flow(b, f, flow);
    RL_ASSERT(scale >= 0.0 && scale <= 1.0);
    double lost[3];
    for (int k = 0; k < 3; k++) {
        lost[k] = body->given[k] / f->dt;
        body->force[k] = rest->force[k] + scale * flow->force[k] - lost[k];
        body->torque[k] = rest->torque[k] + scale * flow->torque[k];
    }
    // What was given is taken from the wet vertices: the dry ones of a soft body are in the wind.
    int wet = 0;
    for (int v = 0; v < body->vertex_count; v++)
        wet += is_wet(f->vertices + 6 * v);
    const double per_vertex = wet > 0 ? 1.0 / wet : 0.0;
    float *force = b->force + 3 * (size_t)body->first_vertex;
    for (int v = 0; v < body->vertex_count; v++) {
        const double *own = f->vertices + 6 * v;
        const double part = is_wet(own) ? per_vertex : 0.0;
        for (int k = 0; k < 3; k++)
            force[3 * v + k] = (float)(own[k] + scale * own[3 + k] - part * lost[k]);
    }
    body->submerged = f->submerged;
    job->sum[0] = scale;
}

static double area_of(const rl_bodies *b, const rl_body *body)
{
    double sum = 0.0;
    for (int t = 0; t < body->triangle_count; t++) {
        rl_triangle triangle;
        if (rl_samples_triangle(b, body, t, 1e30, &triangle))
            sum += triangle.area;
    }
    return sum;
}

static feeling begin(const feel_context *c, rl_cell_job *job, const rl_water_view *view)
{
    RL_ASSERT(job->n >= 0 && job->n < c->bodies->def.max_bodies);
    rl_bodies *b = c->bodies;
    rl_body *body = &b->items[job->n];
    feeling f = {
        .view = view,
        .body = body,
        .job = job,
        .vertices = rl_samples_vertices(b, body->first_vertex),
        .density = (double)b->def.density,
        .gravity = b->gravity,
        .dt = c->water->dt,
        .sheet = rl_shape_is_open(body),
        .soft = body->def.motion == RILL_BODY_SOFT,
    };
    memset(f.vertices, 0, 6 * (size_t)body->vertex_count * sizeof *f.vertices);
    const double area = f.soft ? fmax(area_of(b, body), 1e-30) : 1.0;
    if (f.soft)
        f.mass_per_area = body->mass / area + rl_soft_water_mass(b, body, area);
    if (f.sheet)
        f.afloat = (rl_soft_sheet){.thickness = body->def.thickness,
                                   .density = f.density,
                                   .gravity = f.gravity,
                                   .side = sqrt(area),
                                   .goes_along = rl_soft_water_mass(b, body, area),
                                   .most = f.mass_per_area / f.dt};
    return f;
}

// Size of pieces, m^2.
static double piece_size(const rl_bodies *b)
{
    return (double)b->def.kappa * b->cell_size * b->cell_size;
}

// A body that keeps water out.
static void feel_outside(const feel_context *c, rl_cell_job *job)
{
    rl_bodies *b = c->bodies;
    feeling f = begin(c, job, &c->view);
    const rill_body_def *def = &f.body->def;
    rl_pressure_grid grid;
    rl_pressure_query(&c->view, f.body, &grid);
    const rl_pressure_body of = {
        .bodies = b,
        .body = f.body,
        .view = &c->view,
        .grid = &grid,
        .pull = {.density = f.density,
                 .drag = def->drag,
                 .lift = def->lift,
                 .area_weight = def->area_weight,
                 .inert = f.soft ? f.mass_per_area / f.dt : INFINITY},
        .largest = COARSER * piece_size(b),
    };
    rl_pressure_sample(&of, feel_surfaces, &f);
    finish(b, &f, job);
}

// One that lets it through.
static void feel_pieces(const feel_context *c, rl_cell_job *job)
{
    rl_bodies *b = c->bodies;
    const rl_water_view view = rl_samples_view_of(&c->view, &b->items[job->n]);
    feeling f = begin(c, job, &view);
    memset(job->cells, 0, rl_box_cells(job->box) * RL_CELL_VALUES * sizeof *job->cells);
    for (int t = 0; t < f.body->triangle_count; t++) {
        rl_triangle triangle;
        if (!rl_samples_triangle(b, f.body, t, piece_size(b), &triangle))
            continue;
        rl_samples_each(&view, &triangle, rl_samples_level, feel_piece, &f);
        drag_corners(&f, &triangle);
    }
    for (int t = 0; f.afloat.thickness > 0.0 && t < f.body->triangle_count; t++) {
        rl_triangle triangle;
        if (rl_samples_triangle(b, f.body, t, 1e30, &triangle))
            lie_on_water(&f, &triangle);
    }
    finish(b, &f, job);
}

static void feel_body(void *context, int index)
{
    const feel_context *c = context;
    rl_cell_job *job = &c->jobs[index];
    if (rl_samples_passes(&c->bodies->items[job->n]))
        feel_pieces(c, job);
    else if (c->fill.raster == NULL || !c->fill.raster->felt[job->n])
        feel_outside(c, job);
}

// Asks for what a body has of its own and is about to be read or written: what is known of it, but
// for most of how it was added, and its vertices.
static void prefetch_body(const rl_bodies *b, const rl_body *body)
{
    const size_t first = 3 * (size_t)body->first_vertex, line = RILL_ALIGNMENT / sizeof(float);
    const size_t end = first + 3 * (size_t)(body->vertex_count < FEW ? body->vertex_count : FEW);
    const double *vertices = rl_samples_vertices(b, body->first_vertex);
    RL_PREFETCH(&body->def.coupling);
    RL_PREFETCH(&body->def.drag);
    for (const char *at = (const char *)&body->first_vertex; at <= (const char *)&body->course_next;
         at += RILL_ALIGNMENT)
        RL_PREFETCH_WRITE(at);
    for (size_t n = first; n < end; n += line) {
        RL_PREFETCH(b->position + n);
        RL_PREFETCH(b->velocity + n);
        RL_PREFETCH_WRITE(b->force + n);
        for (size_t k = 0; k < 4; k++)
            RL_PREFETCH_WRITE(vertices + 2 * (n - first) + k * (line / 2));
    }
}

// The same of a group of bodies, and the water around the first.
static void prefetch_group(const feel_context *c, int group)
{
    const rl_bodies *b = c->bodies;
    const rl_raster *r = c->fill.raster;
    const rl_box box = r->boxes[r->members[r->group_start[group]]];
    const rl_box around = rl_box_grown(box, 1, b->nx, b->ny);
    c->view.copy(c->view.solver, NULL,
                 &(rl_columns_request){.boxes = &around, .box_count = 1, .prefetch = true});
    for (int j = box.j0; j < box.j1 && r->bed != NULL; j++)
        for (int i = box.i0; i < box.i1; i += 16) {
            RL_PREFETCH(rill_field_row(r->bed, j) + i);
            RL_PREFETCH_WRITE(rill_field_row(&b->level, j) + i);
        }
    for (int n = r->group_start[group]; n < r->group_start[group + 1]; n++)
        if (r->felt_at[r->members[n]] >= 0)
            prefetch_body(b, &b->items[r->felt_at[r->members[n]]]);
}

// Bodies that block, group by group: the levels that they feel, and at once the forces, while all
// that is around them is at hand.
static void feel_group(void *context, int group)
{
    const feel_context *c = context;
    const rl_bodies *b = c->bodies;
    const rl_raster *r = c->fill.raster;
    if (group + GROUPS_AHEAD < r->group_count && c->view.copy != NULL)
        prefetch_group(c, group + GROUPS_AHEAD);
    rl_head_group(&c->fill, group);
    for (int n = r->group_start[group]; n < r->group_start[group + 1]; n++) {
        const int place = r->felt_at[r->members[n]];
        if (place < 0 || !rl_samples_takes_part(&b->items[place]))
            continue;
        rl_cell_job job = {.n = place, .left = 1, .whole = true};
        feel_outside(c, &job);
        memset(b->items[place].given, 0, sizeof b->items[place].given);
    }
}

static rl_cell_deposit reaction(const void *context, int i, int j, const double *values)
{
    (void)i;
    (void)j;
    const double scale = *(const double *)context;
    return (rl_cell_deposit){
        .layer = (int)values[LAYER1] - 1,
        .momentum_x = scale * values[PUSH_X],
        .momentum_y = scale * values[PUSH_Y],
    };
}

// Bodies that no job is made for feel nothing. Those that are felt with their groups are left to
// the threads that do it.
static void clear(rl_bodies *b, const rl_raster *r)
{
    for (int n = 0; n < b->def.max_bodies; n++) {
        rl_body *body = &b->items[n];
        if (!body->alive || (r != NULL && r->felt[n] && rl_samples_takes_part(body)))
            continue;
        memset(body->force, 0, sizeof body->force);
        memset(body->torque, 0, sizeof body->torque);
        body->submerged = 0.0;
        memset(b->force + 3 * (size_t)body->first_vertex, 0,
               3 * (size_t)body->vertex_count * sizeof(float));
    }
}

// Whether some body has not been felt with its group.
static bool some_left(const feel_context *c)
{
    const rl_bodies *b = c->bodies;
    const rl_raster *r = c->fill.raster;
    for (int n = 0; n < b->def.max_bodies; n++)
        if (b->items[n].alive && (r == NULL || !r->felt[n]))
            return true;
    return false;
}

void rl_bodies_feel(rl_bodies *bodies, const rl_body_water *water)
{
    feel_context context = {bodies, water, rl_samples_view(bodies, water), NULL, {0}};
    rl_cell_cursor cursor = {0};
    if (bodies->can_block && bodies->alive > 0) {
        context.fill = rl_head_fill_of(bodies, water);
        rl_head_plan(&context.fill);
    }
    clear(bodies, context.fill.raster);
    if (context.fill.raster != NULL)
        rl_jobs_run(water->jobs, context.fill.raster->group_count, feel_group, &context);
    if (!some_left(&context))
        return;
    for (;;) {
        const int count = rl_samples_plan(bodies, &cursor, 0.0, 0.0, -1, &context.jobs);
        if (count == 0)
            return;
        rl_jobs_run(water->jobs, count, feel_body, &context);
        for (int n = 0; n < count; n++) {
            const rl_cell_job *job = &context.jobs[n];
            const double scale = job->sum[0] * water->dt / (double)bodies->def.density;
            rl_samples_deposit(bodies, water, job, reaction, &scale);
            if (job->left == 1)
                memset(bodies->items[job->n].given, 0, sizeof bodies->items[job->n].given);
        }
    }
}
