// SPDX-License-Identifier: MIT
// swe.c - the shallow-water equations on a staggered grid (Chentanez and Müller section 2.1).
//
// Depths stand in cells, velocities on the faces between them. A step carries the velocities along,
// moves water from cell to cell by them, and pushes the faces by the slope of the new surface
// (swe_cell.h has the formulas, swe_step.c the order). Moving water before pushing faces makes the
// pair stable for waves up to sqrt(g d) dt / dx = 1 / sqrt(2) on a square grid.
#include "solvers/swe/swe.h"

#include "core/assert.h"
#include "core/numbers.h"

#include "rill/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rl_swe_rules rl_swe_rules_of(const rl_swe *s)
{
    return (rl_swe_rules){.cell_size = s->cell_size,
                          .gravity = s->gravity,
                          .def = s->def,
                          .wet_depth = s->wet_depth,
                          .falls = s->fall_capacity > 0};
}

// ---- Creation --------------------------------------------------------------------------

static size_t mark_bytes(const rl_swe *s)
{
    return (size_t)s->ny * s->mark_words * sizeof(uint32_t);
}

static bool allocate(rl_swe *s, rl_isa isa)
{
    rl_owned *own = &s->own;
    const size_t ny = (size_t)s->ny, falls = (size_t)s->fall_capacity;
    int shift = 0;
    for (int n = 0; n < 2; n++) {
        rl_swe_moving *m = &s->moving[n];
        rill_field *const fields[] = {&m->depth, &m->remainder, &m->u, &m->v, &m->phi};
        for (int f = 0; f < RL_SWE_MOVING_FIELDS; f++, shift += 7)
            rl_owned_field(own, s->nx, s->ny, RL_SWE_GHOST_ROWS, shift, fields[f]);
    }
    rl_owned_field(own, s->nx, s->ny, RL_SWE_GHOST_ROWS, shift, &s->bed);
    rl_owned_field(own, s->nx, s->ny, RL_SWE_GHOST_ROWS, 0, &s->velocity_x);
    rl_owned_field(own, s->nx, s->ny, RL_SWE_GHOST_ROWS, 0, &s->velocity_y);
    rl_swe_allocate_eddies(s, shift + 7, isa);
    s->rows_of_bands =
        rl_band_rows_take_all(own, s->bed.pitch, 4 + (size_t)s->band_count * RL_SWE_SCRATCH_ROWS);
    s->bands = rl_owned_take(own, (size_t)s->band_count, sizeof *s->bands);
    s->running_max = rl_owned_take(own, ny, sizeof *s->running_max);
    s->row_sums = rl_owned_take(own, ny, sizeof *s->row_sums);
    s->absorbing.profile_y = rl_owned_take(own, ny, sizeof(float));
    s->absorbing.level_y = rl_owned_take(own, ny, sizeof(float));
    for (int axis = 0; axis < 2; axis++)
        s->marks[axis] = rl_owned_take(own, mark_bytes(s), 1);
    s->falls = rl_owned_take(own, falls, sizeof *s->falls);
    s->falls_next = rl_owned_take(own, falls, sizeof *s->falls_next);
    s->fall_rows = rl_owned_take(own, falls > 0 ? ny + 1 : 0, sizeof *s->fall_rows);
    s->along = rl_owned_take(own, s->has_along ? rl_swe_along_floats(s) : 0, sizeof *s->along);
    return !own->failed;
}

// Velocities of the faces east (axis 0) or north (1) of row y, from those of the cells beside them.
static void set_first_velocities(rl_swe *s, const rill_field_view *cells, int axis, int y)
{
    const int di = axis == 0, dj = axis == 1;
    float *row = rill_field_row(axis == 0 ? &rl_swe_now(s)->u : &rl_swe_now(s)->v, y);
    for (int i = -di; i < s->nx; i++) {
        // A border has the velocity of the cell inside.
        const int west = i < 0 ? 0 : i, south = y < 0 ? 0 : y;
        const int east = i + di < s->nx ? i + di : i, north = y + dj < s->ny ? y + dj : y;
        const rl_swe_end here = rl_swe_end_at(s, west, south), next = rl_swe_end_at(s, east, north);
        const bool wall = rl_swe_is_wall(here, next, rl_swe_fall_between(here, next), s->k);
        const float sum = rl_first_value(cells, west, south) + rl_first_value(cells, east, north);
        row[i] = wall ? -0.0f : 0.5f * sum;
    }
}

static void set_first_motion(rl_swe *s, const rill_world_def *def)
{
    const rl_swe_moving *m = rl_swe_now(s);
    for (int y = -1; y < s->ny; y++) {
        if (def->velocity_x.data != NULL && y >= 0)
            set_first_velocities(s, &def->velocity_x, 0, y);
        if (def->velocity_y.data != NULL)
            set_first_velocities(s, &def->velocity_y, 1, y);
    }
    rl_swe_settle_faces(s);
    for (int y = -1; y < s->ny; y++)
        for (int i = -1; i < s->nx; i++) {
            s->largest.u = fmaxf(s->largest.u, fabsf(rill_field_row(&m->u, y)[i]));
            s->largest.v = fmaxf(s->largest.v, fabsf(rill_field_row(&m->v, y)[i]));
        }
}

static void set_initial_state(rl_swe *s, const rill_world_def *def)
{
    RL_ASSERT(s->nx >= 4 && s->ny >= 4 && s->bed.margin >= RL_SWE_GHOST_ROWS);
    s->largest.depth = rl_first_columns(def, &s->bed, &rl_swe_now(s)->depth);
    rl_running_max_clear(s->running_max, s->ny);
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        rl_swe_set_border(s, (rill_side)side, def->border[side], def->border_level[side]);
    rl_swe_find_falls(s);
    const rl_swe_rules rules = rl_swe_rules_of(s);
    s->k = rl_swe_coefficients_of(&rules, 1.0, 0, 0.0f); // deposits read them before the first step
    set_first_motion(s, def);
}

static rill_status swe_create(const rill_world_def *def, rl_isa isa, void **self)
{
    const rill_allocator *allocator = &def->host.allocator;
    rl_swe *s = rl_owned_create(allocator, sizeof *s);
    *self = s;
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the swe solver");
    s->nx = def->nx;
    s->ny = def->ny;
    s->cell_size = (double)def->cell_size;
    s->gravity = (double)def->gravity;
    s->wet_depth = def->wet_depth;
    s->def = def->swe;
    s->fall_capacity = rl_swe_fall_capacity(def);
    s->has_along = def->domain.full_terrain != NULL && def->domain.water != NULL;
    s->mark_words = rl_swe_mark_words(def->nx);
    s->rows = RL_ROWS_OF(isa, rl_swe_rows);
    s->band_count = rl_band_count(s->ny);
    if (!allocate(s, isa)) {
        rl_owned_destroy(allocator, self);
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d cells of the swe solver", def->nx,
                         def->ny);
    }
    rl_swe_lay_bands(s);
    set_initial_state(s, def);
    return RILL_OK;
}

static uint64_t swe_memory_needed(const rill_world_def *def)
{
    const uint64_t field = rill_field_bytes(def->nx, def->ny, RL_SWE_GHOST_ROWS);
    const uint64_t falls = (uint64_t)rl_swe_fall_capacity(def) * sizeof(rl_fall);
    return (2 * RL_SWE_MOVING_FIELDS + 3) * field + 2 * falls + rl_swe_eddy_memory_needed(def);
}

// ---- The length of a step
// ----------------------------------------------------------------------------

rl_swe_largest rl_swe_largest_beyond(const rl_swe *s, rl_swe_largest most)
{
    for (int n = 0; n < RILL_SIDE_COUNT; n++) {
        const rl_swe_side *side = &s->side[n];
        if (!rl_swe_side_has_water(side))
            continue;
        float *speed = rl_side_is_column((rill_side)n) ? &most.u : &most.v;
        for (int c = 0; c < rl_side_length((rill_side)n, s->nx, s->ny); c++) {
            int x, y;
            rl_side_cell((rill_side)n, s->nx, s->ny, c, 0, &x, &y);
            const float d = rl_swe_depth_beyond(side, rill_field_row(&s->bed, y)[x],
                                                rill_field_row(&rl_swe_now(s)->depth, y)[x], c);
            const float comes = rl_swe_inflow_speed(side, d);
            most.depth = d > most.depth ? d : most.depth;
            *speed = comes > *speed ? comes : *speed;
        }
    }
    return most;
}

// The largest depth and speed of now: those of the last step, of deposits since, and of what comes
// in over the borders.
static rl_swe_largest largest_now(const rl_swe *s)
{
    rl_swe_largest most = s->largest;
    most.depth = rl_running_max_over(s->running_max, s->ny, most.depth);
    return rl_swe_largest_beyond(s, most);
}

static double swe_stable_step(const void *self)
{
    const rl_swe_rules rules = rl_swe_rules_of(self);
    return rl_swe_stable_step_of(&rules, largest_now(self));
}

static void clamp_run(float *velocity, int count, float fastest)
{
    RL_ASSERT(fastest > 0.0f);
    for (int i = 0; i < count; i++)
        velocity[i] = velocity[i] > fastest    ? fastest
                      : velocity[i] < -fastest ? -fastest
                                               : velocity[i];
}

// Velocities may exceed the clamp of this step after a shorter one or a deposit of momentum.
static void clamp_velocities(rl_swe *s)
{
    const rl_swe_moving *m = rl_swe_now(s);
    for (int y = -1; y < s->ny; y++) {
        if (y >= 0)
            clamp_run(rill_field_row(&m->u, y) - 1, s->nx + 1, s->k.fastest);
        clamp_run(rill_field_row(&m->v, y) - 1, s->nx + 2, s->k.fastest);
    }
}

// ---- Overshooting ----------------------------------------------------------------------
// Crests that waves pile up are cut where the grid cannot hold them any more (Chentanez and Müller
// section 2.2). That removes water, so it is off unless asked for, and the ledger has it.

// Depth of a cell after its crest was cut along one axis, both ways.
static float cut(const rl_swe *s, rl_swe_end crest, float before, float after)
{
    const float edge = rl_swe_crest_edge(s->def.overshoot_edge, s->cell_size);
    return rl_swe_cut_crest_both(crest, before, after, edge, s->def.overshoot);
}

// Level of a cell; beyond the grid that of the cell at its edge.
static float level_at(const rl_swe *s, int i, int y, float here)
{
    if (i < 0 || i >= s->nx || y < 0 || y >= s->ny)
        return here;
    return rl_swe_end_at(s, i, y).level;
}

// New depths of a row, into a row that holds velocities only when columns are asked for.
static void cut_row(void *context, int y)
{
    rl_swe *s = context;
    const float *depth = rill_field_row(&rl_swe_now(s)->depth, y);
    float *out = rill_field_row(&s->velocity_x, y);
    double removed = 0.0;
    for (int i = 0; i < s->nx; i++) {
        const rl_swe_end here = rl_swe_end_at(s, i, y);
        const float x =
            cut(s, here, level_at(s, i - 1, y, here.level), level_at(s, i + 1, y, here.level));
        const float z =
            cut(s, here, level_at(s, i, y - 1, here.level), level_at(s, i, y + 1, here.level));
        out[i] = x < z ? x : z;
        removed += (double)depth[i] - (double)out[i];
    }
    s->row_sums[y] = removed;
}

static void copy_row(void *context, int y)
{
    rl_swe *s = context;
    memcpy(rill_field_row(&rl_swe_now(s)->depth, y), rill_field_row(&s->velocity_x, y),
           (size_t)s->nx * sizeof(float));
}

static double cut_crests(rl_swe *s, rl_jobs *jobs)
{
    rl_jobs_run(jobs, s->ny, cut_row, s);
    rl_jobs_run(jobs, s->ny, copy_row, s);
    double removed = 0.0;
    for (int y = 0; y < s->ny; y++)
        removed += s->row_sums[y];
    return removed * s->cell_size * s->cell_size;
}

// ---- The step --------------------------------------------------------------------------

static void swe_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    RL_ASSERT(dt > 0.0);
    rl_swe *s = self;
    const rl_swe_largest before = largest_now(s);
    const rl_swe_rules rules = rl_swe_rules_of(s);
    const int too_long = rl_swe_is_too_long(dt, rl_swe_wave_step_of(&rules, before));
    s->k = rl_swe_coefficients_of(&rules, dt, too_long, before.depth);
    s->last_step = dt;
    if (before.u > s->k.fastest || before.v > s->k.fastest)
        clamp_velocities(s);
    rl_running_max_clear(s->running_max, s->ny);
    if (s->eddies.rows != NULL)
        rl_swe_strain(s, jobs);
    rl_swe_sweep(s, jobs);
    const double area = s->cell_size * s->cell_size;
    s->largest = (rl_swe_largest){0};
    for (int n = 0; n < s->band_count; n++) {
        const rl_swe_band *band = &s->bands[n];
        s->largest.depth = fmaxf(s->largest.depth, band->largest.depth);
        s->largest.u = fmaxf(s->largest.u, band->largest.u);
        s->largest.v = fmaxf(s->largest.v, band->largest.v);
        rl_exchange_add(exchange, &band->moved, area);
    }
    if (s->def.overshoot > 0.0f)
        exchange->corrected -= cut_crests(s, jobs);
}

// ---- Reading ---------------------------------------------------------------------------

static void velocity_row(void *context, int y)
{
    rl_swe *s = context;
    const rl_swe_moving *m = rl_swe_now(s);
    const rl_swe_centre_row row = {
        .nx = s->nx,
        .u = rill_field_row(&m->u, y),
        .v_south = rill_field_row(&m->v, y - 1),
        .v = rill_field_row(&m->v, y),
        .bed_south = rill_field_row(&s->bed, y - 1),
        .bed = rill_field_row(&s->bed, y),
        .bed_north = rill_field_row(&s->bed, y + 1),
        .depth_south = rill_field_row(&m->depth, y - 1),
        .depth = rill_field_row(&m->depth, y),
        .depth_north = rill_field_row(&m->depth, y + 1),
        .x = rill_field_row(&s->velocity_x, y),
        .y = rill_field_row(&s->velocity_y, y),
    };
    s->rows->centre(&row, s->k);
}

static rill_columns swe_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    rl_swe *s = self;
    if (request == NULL || request->box_count > 0)
        rl_jobs_run(jobs, s->ny, velocity_row, s);
    return rl_columns_view(&s->bed, &rl_swe_now(s)->depth, &s->velocity_x, &s->velocity_y,
                           s->cell_size, s->wet_depth);
}

static double swe_volume(const void *self, rl_jobs *jobs)
{
    const rl_swe *s = self;
    return rl_column_sum(jobs, &rl_swe_now(s)->depth, &rl_swe_now(s)->remainder, s->cell_size,
                         s->row_sums);
}

static rill_field *swe_bed(void *self)
{
    return &((rl_swe *)self)->bed;
}

static void swe_bed_changed(void *self)
{
    rl_swe_find_falls(self);
}

// Bits and falls as floats: they are only copied and hashed.
static rill_state_array bytes_of(const char *name, void *data, size_t bytes)
{
    return (rill_state_array){name, data, bytes / sizeof(float), bytes / sizeof(float), 1};
}

static int swe_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_swe *s = self;
    rl_swe_moving *m = rl_swe_now(s);
    const size_t nx = (size_t)s->nx, ny = (size_t)s->ny, pitch = s->bed.pitch;
    int n = 0;
    arrays[n++] = (rill_state_array){"bed", s->bed.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"depth", m->depth.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"remainder", m->remainder.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"u", m->u.origin - 1, pitch, nx + 1, ny};
    arrays[n++] = (rill_state_array){"v", rill_field_row(&m->v, -1), pitch, nx, ny + 1};
    arrays[n++] = (rill_state_array){"phi", m->phi.origin, pitch, nx, ny};
    arrays[n++] = (rill_state_array){"running_max", s->running_max, ny, ny, 1};
    arrays[n++] = (rill_state_array){"largest", &s->largest.depth, 3, 3, 1};
    arrays[n++] = bytes_of("marks_x", s->marks[0], mark_bytes(s));
    arrays[n++] = bytes_of("marks_y", s->marks[1], mark_bytes(s));
    if (s->fall_capacity > 0) {
        arrays[n++] = bytes_of("falls", s->falls, (size_t)s->fall_capacity * sizeof *s->falls);
        arrays[n++] = bytes_of("fall_count", &s->fall_count, sizeof s->fall_count);
    }
    return n;
}

void rl_swe_settle_faces(rl_swe *s)
{
    const rl_swe_moving *m = rl_swe_now(s);
    for (int y = -1; y < s->ny; y++) {
        float *u = rill_field_row(&m->u, y), *v = rill_field_row(&m->v, y);
        const bool closed = (y == -1 && !rl_swe_lets_through(s, RILL_SIDE_SOUTH)) ||
                            (y == s->ny - 1 && !rl_swe_lets_through(s, RILL_SIDE_NORTH));
        for (int i = 0; closed && i < s->nx; i++)
            v[i] = -0.0f;
        if (!rl_swe_lets_through(s, RILL_SIDE_WEST))
            u[-1] = -0.0f;
        if (!rl_swe_lets_through(s, RILL_SIDE_EAST))
            u[s->nx - 1] = -0.0f;
        v[-1] = v[0];
        v[s->nx] = v[s->nx - 1];
    }
}

static void swe_state_changed(void *self)
{
    rl_swe_count_marks(self);
    rl_swe_falls_restored(self);
    rl_swe_settle_faces(self);
}

static float fall_slope(const void *self)
{
    const rl_swe *s = self;
    return s->def.waterfalls ? s->def.cliff : 0.0f;
}

// ---- Checks ----------------------------------------------------------------------------

static const char *validate_row(const rl_swe *s, int y)
{
    const rl_swe_moving *m = rl_swe_now(s);
    const float *u = rill_field_row(&m->u, y), *v = rill_field_row(&m->v, y);
    const float *depth = rill_field_row(&m->depth, y), *phi = rill_field_row(&m->phi, y);
    const char *wrong =
        rl_validate_columns("swe", y, &s->bed, &m->depth, &m->remainder,
                            fmaxf(s->running_max[y], s->largest.depth), s->cell_size);
    if (wrong == NULL)
        wrong = rl_validate_values("swe", "u", y, u - 1, s->nx + 1, s->largest.u);
    if (wrong == NULL)
        wrong = rl_validate_values("swe", "v", y, v, s->nx, s->largest.v);
    if (wrong == NULL && (v[-1] != v[0] || v[s->nx] != v[s->nx - 1]))
        return RL_INVALID("swe: the copies beside row %d of v are not its ends", y);
    if (wrong == NULL && (depth[-1] != 0.0f || depth[s->nx] != 0.0f))
        return RL_INVALID("swe: there is water in a ghost cell beside row %d", y);
    for (int i = 0; i < s->nx && wrong == NULL; i++) {
        const bool absorbs = s->absorbing.on &&
                             (s->absorbing.profile_x[i] > 0.0f || s->absorbing.profile_y[y] > 0.0f);
        if (!isfinite(phi[i]) || (!absorbs && phi[i] != 0.0f))
            wrong = RL_INVALID("swe: phi of cell (%d, %d) is %g", i, y, (double)phi[i]);
        else if ((rl_swe_is_marked(s, 0, i, y) && u[i] != 0.0f) ||
                 (rl_swe_is_marked(s, 1, i, y) && v[i] != 0.0f))
            wrong = RL_INVALID("swe: water flows through a wall beside cell (%d, %d)", i, y);
    }
    return wrong;
}

static const char *validate_borders(const rl_swe *s)
{
    const rl_swe_moving *m = rl_swe_now(s);
    bool open[RILL_SIDE_COUNT];
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        open[side] = rl_swe_lets_through(s, (rill_side)side);
    const char *wrong = rl_validate_walls("swe", (const char *const[]){"u", "v"}, m->u.origin,
                                          m->v.origin, m->u.pitch, s->nx, s->ny, open);
    for (int y = -1; y <= s->ny && wrong == NULL; y++)
        for (int i = -1; i <= s->nx && wrong == NULL; i += i < 0 || y < 0 || y == s->ny ? 1 : s->nx)
            if ((i < 0 || i == s->nx || y < 0 || y == s->ny) &&
                rill_field_row(&s->bed, y)[i] != RL_WALL)
                wrong = RL_INVALID("swe: the ground beyond cell (%d, %d) is no wall", i, y);
    return wrong;
}

// Falls are between neighbours, in the order of their lower cells.
static const char *validate_falls(const rl_swe *s)
{
    if (s->fall_capacity == 0)
        return NULL;
    if (s->fall_count < 0 || s->fall_count > s->fall_capacity ||
        s->fall_rows[s->ny] != s->fall_count)
        return RL_INVALID("swe: %d falls are listed, %d are in rows, %d fit", s->fall_count,
                          s->fall_rows[s->ny], s->fall_capacity);
    for (int y = 0; y < s->ny; y++)
        for (int n = s->fall_rows[y]; n < s->fall_rows[y + 1]; n++) {
            const rl_fall *f = &s->falls[n];
            if (f->lower_j != y || abs(f->upper_i - f->lower_i) + abs(f->upper_j - y) != 1 ||
                !(f->volume >= 0.0) || !isfinite(f->volume))
                return RL_INVALID("swe: fall %d of row %d has a wrong place or %g m3", n, y,
                                  f->volume);
        }
    return NULL;
}

static const char *swe_validate(void *self)
{
    rl_swe *s = self;
    const char *wrong = NULL;
    for (int y = 0; y < s->ny && wrong == NULL; y++)
        wrong = validate_row(s, y);
    if (wrong == NULL)
        wrong = validate_borders(s);
    if (wrong == NULL)
        wrong = validate_falls(s);
    const bool some_marked = s->some_marked;
    rl_swe_count_marks(s);
    if (wrong == NULL && s->some_marked != some_marked)
        wrong = RL_INVALID("swe: walls between cells are %s", some_marked ? "none" : "forgotten");
    return wrong;
}

static const rl_moving_domain_ops moving_domain = {.shift = rl_swe_shift, .enter = rl_swe_enter};
static const rl_motion_ops motion = {
    .get = rl_swe_motion, .fall_slope = fall_slope, .falls_left_out = rl_swe_falls_left_out};
static const rl_walls_ops walls = {.mark_face = rl_swe_mark_face};
static const rl_incident_ops incident = {.set = rl_swe_set_incident,
                                         .set_profile = rl_swe_set_profile};

const rl_solver_ops rl_swe_ops = {
    .name = "swe",
    .borders = RL_SWE_BORDERS,
    .starts_moving = true,
    .memory_needed = swe_memory_needed,
    .create = swe_create,
    .destroy = rl_owned_destroy,
    .memory = rl_owned_memory,
    .stable_step = swe_stable_step,
    .step = swe_step,
    .deposit = rl_swe_deposit,
    .columns = swe_columns,
    .volume = swe_volume,
    .bed = swe_bed,
    .bed_changed = swe_bed_changed,
    .set_border = rl_swe_set_border,
    .state = swe_state,
    .state_changed = swe_state_changed,
    .validate = swe_validate,
    .moving_domain = &moving_domain,
    .motion = &motion,
    .walls = &walls,
    .incident = &incident,
};
