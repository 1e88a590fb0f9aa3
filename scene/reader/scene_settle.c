// SPDX-License-Identifier: MIT
// scene_settle.c - the river that a moving domain goes along (domain.discharge): before the first
// world of a scene is made, the scene's own solver lets a river of that discharge come in at the
// western end of the full terrain and run until it is steady, first on a coarse grid, where that
// is quick, then on finer ones. Its depths and velocities become the full terrain's water.
//
// Where the terrain repeats, the grid is longer than it: the river comes in some way upstream and
// leaves some way downstream, so that at both ends it is what it is anywhere.
#include "scene/reader/scene_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// Cells of the terrain along a cell of the first grid; each next grid has half as many.
#define COARSEST 4

// How much of the full terrain lies upstream and downstream of it again, in times its width: the
// free fall at the eastern end draws the river down for some way.
#define LEAD_WIDTHS 2
#define TAIL_WIDTHS 4

// The river is steady when what leaves differs from what comes in by at most this part of it, for
// so many spans of time one after the other.
#define STEADY       0.005
#define STEADY_SPANS 4
#define SPAN         10.0 // seconds

// No river takes longer over a length than at this speed, m/s.
#define SLOWEST 0.1

// A finer grid begins with the river of the one before it. It takes rounds of so many seconds, in
// which that changes locally, until no more than this part of the discharge lacks; the last grid at
// most so many rounds, the one before it more.
#define ROUND   15.0
#define ROUNDS  2
#define NEAR    0.01
#define REACHES 16 // of the river, over which discharges are means

#define DROP_CELLS   0.15 // radius of drops, cells
#define WET_CELLS    0.01 // depth of a river, cells
#define BANK_CELLS   2    // rows of the first grid that stay beside its water
#define SPRING_CELLS 8.0  // radius of the spring, cells of the terrain

typedef struct grid {
    int factor;     // cells of the terrain along a cell
    int nx, ny, j0; // j0: rows of the terrain that are left out south of it, in cells of the grid
    double cell;    // metres
    rill_field bed, depth, u, v; // depth and velocities: at the start, and when it has settled
    double spring_x, spring_y;   // metres
} grid;

typedef struct settling {
    const rill_scene *scene;
    int lead, columns; // of the terrain: upstream of it, and in all
    int row, rows;     // that may be wet
    int workers;
} settling;

// ---- Grids -----------------------------------------------------------------------------

// Elevation of column i of the longer terrain, row j.
static double ground_at(const settling *s, int i, int j)
{
    const rill_field *ground = rill_heightfield_field(s->scene->ground);
    int x = i - s->lead, turns = 0;
    if (x >= ground->nx && !s->scene->def.domain.repeats)
        x = ground->nx - 1;
    for (; x < 0; x += ground->nx)
        turns--;
    for (; x >= ground->nx; x -= ground->nx)
        turns++;
    const float here = rill_field_row(ground, j < ground->ny ? j : ground->ny - 1)[x];
    return (double)here - turns * (double)s->scene->def.domain.fall;
}

static void lay_bed(const settling *s, grid *g)
{
    const int factor = g->factor;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            double sum = 0.0;
            for (int y = 0; y < factor; y++)
                for (int x = 0; x < factor; x++)
                    sum += ground_at(s, i * factor + x, s->row + j * factor + y);
            rill_field_row(&g->bed, j)[i] = (float)(sum / (factor * factor));
        }
}

// The spring lies over the lowest ground of its column.
static void place_spring(const settling *s, grid *g)
{
    const double radius = SPRING_CELLS * s->scene->info.cell_size;
    const int i = (int)(radius / g->cell);
    int lowest = 0;
    for (int j = 1; j < g->ny; j++)
        if (rill_field_row(&g->bed, j)[i] < rill_field_row(&g->bed, lowest)[i])
            lowest = j;
    g->spring_x = (i + 0.5) * g->cell;
    g->spring_y = (lowest + 0.5) * g->cell;
}

static void free_grid(const settling *s, grid *g)
{
    rill_field *const fields[] = {&g->bed, &g->depth, &g->u, &g->v};
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++)
        rill_field_destroy(&s->scene->host.allocator, fields[n]);
}

static rill_status make_grid(const settling *s, int factor, grid *g)
{
    *g = (grid){.factor = factor, .cell = factor * s->scene->info.cell_size};
    g->nx = (s->columns + factor - 1) / factor;
    g->ny = (s->rows + factor - 1) / factor;
    g->j0 = s->row / factor;
    rill_field *const fields[] = {&g->bed, &g->depth, &g->u, &g->v};
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++)
        if (!rill_field_create(&s->scene->host.allocator, g->nx, g->ny, 0, fields[n]))
            return rill_fail(RILL_NO_MEMORY, "no memory for a river on %d x %d cells", g->nx,
                             g->ny);
    lay_bed(s, g);
    place_spring(s, g);
    return RILL_OK;
}

// The river of a grid on the one with cells of half the size: the same levels and velocities.
static void refine(const grid *coarse, grid *fine)
{
    for (int j = 0; j < fine->ny; j++)
        for (int i = 0; i < fine->nx; i++) {
            const int x = i / 2, y = (fine->j0 + j) / 2 - coarse->j0;
            const float depth = rill_field_row(&coarse->depth, y)[x];
            const float level = rill_field_row(&coarse->bed, y)[x] + depth;
            const float over = level - rill_field_row(&fine->bed, j)[i];
            rill_field_row(&fine->depth, j)[i] = depth > 0.0f && over > 0.0f ? over : 0.0f;
            rill_field_row(&fine->u, j)[i] = rill_field_row(&coarse->u, y)[x];
            rill_field_row(&fine->v, j)[i] = rill_field_row(&coarse->v, y)[x];
        }
}

// ---- Running ---------------------------------------------------------------------------

// Water that falls lands with the speed it had at the brink, and what it has gained on its way down
// is lost: pools below falls are deeper than without particles. So they fall here as well, but in
// larger drops, and nothing else makes any.
static void take_particles(const grid *g, rill_world_def *def)
{
    const float radius = (float)(DROP_CELLS * g->cell);
    def->particles.radius = fmaxf(radius, def->particles.radius);
    def->particles.breaking_amount = 0.0f;
    def->particles.foam_speed = 0.0f;
    def->swe.cliff /= (float)g->factor;
}

static rill_status make_world(const settling *s, const grid *g, rill_world **out)
{
    rill_world_def def = s->scene->def;
    def.nx = g->nx;
    def.ny = g->ny;
    def.cell_size = (float)g->cell;
    def.bed = rill_field_view_of(&g->bed);
    def.depth = rill_field_view_of(&g->depth);
    def.velocity_x = rill_field_view_of(&g->u);
    def.velocity_y = rill_field_view_of(&g->v);
    def.use_level = 0;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        def.border[side] = side == RILL_SIDE_EAST ? RILL_BORDER_DRAIN : RILL_BORDER_WALL;
    def.domain = (rill_moving_domain_def){0};
    take_particles(g, &def);
    def.bodies.max_bodies = def.bodies.max_vertices = def.bodies.max_triangles = 0;
    def.waves.size = 0;
    def.wet_depth = 0.0f;
    def.max_sources = 1;
    def.host = s->scene->host;
    def.worker_count = s->workers;
    RILL_TRY(rill_world_create(&def, out));
    rill_source_def spring = rill_default_source_def();
    spring.x = g->spring_x;
    spring.y = g->spring_y;
    spring.radius = SPRING_CELLS * s->scene->info.cell_size;
    spring.rate = s->scene->domain.discharge;
    return rill_world_add_source(*out, &spring, NULL);
}

// Runs the first grid until the river is steady.
static rill_status run_until_steady(const settling *s, const grid *g, rill_world *world)
{
    const double step = s->scene->info.frame * g->factor, discharge = s->scene->domain.discharge;
    const double longest = g->nx * g->cell / SLOWEST;
    const int steps = step < SPAN ? (int)(SPAN / step) : 1;
    for (int steady = 0; steady < STEADY_SPANS && rill_world_time(world) < longest;) {
        const double before = rill_world_ledger(world).drained;
        for (int n = 0; n < steps; n++)
            RILL_TRY(rill_world_step(world, step));
        const double left = (rill_world_ledger(world).drained - before) / (steps * step);
        steady = fabs(left - discharge) <= STEADY * discharge ? steady + 1 : 0;
    }
    return RILL_OK;
}

// Adds the discharge of every column of cells, m^3/s, with what flies there.
static void add_discharges(rill_world *world, const grid *g, double weight, double *discharge)
{
    const rill_columns c = rill_world_columns(world);
    for (int j = 0; j < g->ny; j++) {
        const float *depth = c.depth + (size_t)j * c.pitch, *u = c.velocity_x + (size_t)j * c.pitch;
        for (int i = 0; i < g->nx; i++)
            discharge[i] += weight * (double)depth[i] * (double)u[i] * g->cell;
    }
    const rill_particles p = rill_world_particles(world);
    for (size_t n = 0; n < p.count; n++) {
        const int i = (int)((double)p.x[n] / g->cell);
        if (i >= 0 && i < g->nx)
            discharge[i] += weight * (double)p.volume[n] * (double)p.velocity_x[n] / g->cell;
    }
}

// Runs a finer grid for a round and finds its discharges in the second half of that.
static rill_status run_round(const settling *s, const grid *g, rill_world *world, double *discharge)
{
    const double step = s->scene->info.frame * g->factor;
    const int steps = (int)(ROUND * g->factor / step) / 20 * 20 + 20;
    memset(discharge, 0, (size_t)g->nx * sizeof *discharge);
    for (int n = 1; n <= steps; n++) {
        RILL_TRY(rill_world_step(world, step));
        if (n > steps / 2 && n % 10 == 0)
            add_discharges(world, g, 20.0 / steps, discharge);
    }
    return RILL_OK;
}

static void store(rill_world *world, grid *g)
{
    const rill_columns c = rill_world_columns(world);
    for (int j = 0; j < g->ny; j++) {
        const size_t at = (size_t)j * c.pitch, bytes = (size_t)g->nx * sizeof(float);
        memcpy(rill_field_row(&g->depth, j), c.depth + at, bytes);
        memcpy(rill_field_row(&g->u, j), c.velocity_x + at, bytes);
        memcpy(rill_field_row(&g->v, j), c.velocity_y + at, bytes);
    }
}

// By how much more, as a factor, the discharge around a column should be. Upstream of the spring
// there is none, and near it what comes in has no way yet: what passes after it holds there too.
static double lacks(const settling *s, const grid *g, const double *discharge, int i)
{
    const double wanted = s->scene->domain.discharge;
    const double free_of_spring = g->spring_x + 2.0 * SPRING_CELLS * s->scene->info.cell_size;
    const int reach = g->nx / REACHES, least = (int)(free_of_spring / g->cell);
    const int first = i - reach > least ? i - reach : least;
    int last = i + reach > first + reach ? i + reach : first + reach;
    last = last < g->nx ? last : g->nx - 1;
    double sum = 0.0;
    for (int n = first; n <= last; n++)
        sum += discharge[n];
    const double has = sum / (last - first + 1);
    return wanted / fmin(fmax(has, 0.5 * wanted), 2.0 * wanted);
}

static bool is_near(const settling *s, const grid *g, const double *discharge)
{
    double off = 0.0;
    for (int i = 0; i < g->nx; i++)
        off += fabs(lacks(s, g, discharge, i) - 1.0) / g->nx;
    return off <= NEAR;
}

// A grid that shows more of the ground than the one before it holds the river up: less passes until
// all of it has become deeper, which takes long. So the water is made deeper by half of what its
// discharge lacks.
static void make_deeper(const settling *s, grid *g, const double *discharge)
{
    for (int i = 0; i < g->nx; i++) {
        const float deeper = (float)sqrt(lacks(s, g, discharge, i));
        for (int j = 0; j < g->ny; j++)
            rill_field_row(&g->depth, j)[i] *= deeper;
    }
}

static rill_status settle_round(const settling *s, grid *g, double *discharge)
{
    rill_world *world = NULL;
    rill_status status = make_world(s, g, &world);
    if (status == RILL_OK)
        status = g->factor == COARSEST ? run_until_steady(s, g, world)
                                       : run_round(s, g, world, discharge);
    if (status == RILL_OK)
        store(world, g);
    rill_world_destroy(&world);
    return status;
}

static rill_status settle_grid(const settling *s, grid *g)
{
    const rill_allocator *allocator = &s->scene->host.allocator;
    const size_t bytes = (size_t)g->nx * sizeof(double);
    double *discharge = rill_alloc(allocator, bytes);
    rill_status status = discharge != NULL ? settle_round(s, g, discharge)
                                           : rill_fail(RILL_NO_MEMORY, "no memory for a river");
    for (int n = 1; n < ROUNDS * g->factor && g->factor < COARSEST && status == RILL_OK; n++) {
        if (is_near(s, g, discharge))
            break;
        make_deeper(s, g, discharge);
        status = settle_round(s, g, discharge);
    }
    rill_free(allocator, discharge, bytes);
    return status;
}

// Finer grids leave out what lies beyond the banks: rows without water, but for some beside it.
static void leave_out_banks(settling *s, const grid *g)
{
    int first = g->ny, last = -1;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            if ((double)rill_field_row(&g->depth, j)[i] > WET_CELLS * g->cell) {
                first = first < j ? first : j;
                last = j;
            }
    if (last < 0)
        return;
    const int end = s->rows;
    s->row = first > BANK_CELLS ? (first - BANK_CELLS) * g->factor : 0;
    s->rows = (last + 1 + BANK_CELLS) * g->factor - s->row;
    s->rows = s->rows < end - s->row ? s->rows : end - s->row;
}

// From the coarsest grid to that of the terrain, `g`.
static rill_status settle_grids(settling *s, grid *g)
{
    rill_status status = make_grid(s, COARSEST, g);
    if (status == RILL_OK)
        status = settle_grid(s, g);
    if (status == RILL_OK)
        leave_out_banks(s, g);
    while (status == RILL_OK && g->factor > 1) {
        grid fine;
        status = make_grid(s, g->factor / 2, &fine);
        if (status == RILL_OK)
            refine(g, &fine);
        free_grid(s, g);
        *g = fine;
        if (status == RILL_OK)
            status = settle_grid(s, g);
    }
    return status;
}

// ---- The scene's -----------------------------------------------------------------------

static rill_status cut_out(const settling *s, const rill_field *from, rill_heightfield **out)
{
    const int ny =
        from->ny < s->scene->info.full_ny - s->row ? from->ny : s->scene->info.full_ny - s->row;
    RILL_TRY(rill_heightfield_create_flat(s->scene->info.full_nx, s->scene->info.full_ny,
                                          s->scene->info.cell_size, &s->scene->host, out));
    for (int j = 0; j < ny; j++)
        memcpy(rill_field_row(rill_heightfield_field(*out), s->row + j),
               rill_field_row(from, j) + s->lead, (size_t)s->scene->info.full_nx * sizeof(float));
    return RILL_OK;
}

static void tell(const rill_scene *scene)
{
    char line[160];
    if (scene->host.log == NULL)
        return;
    snprintf(line, sizeof line, "the river of '%s' settles: %g m3/s over %g m", scene->info.name,
             scene->domain.discharge, scene->info.full_nx * scene->info.cell_size);
    scene->host.log(scene->host.log_user, RILL_LOG_INFO, line);
}

static rill_status settle(const rill_scene *scene, int workers, rl_scene_river *river)
{
    const int nx = scene->info.full_nx;
    settling s = {.scene = scene, .columns = nx, .rows = scene->info.full_ny, .workers = workers};
    if (scene->def.domain.repeats) {
        s.lead = LEAD_WIDTHS * scene->info.full_ny / COARSEST * COARSEST;
        s.columns = s.lead + nx + TAIL_WIDTHS * scene->info.full_ny;
    }
    grid g = {0};
    tell(scene);
    rill_status status = settle_grids(&s, &g);
    if (status == RILL_OK)
        status = cut_out(&s, &g.depth, &river->depth);
    if (status == RILL_OK)
        status = cut_out(&s, &g.u, &river->velocity[0]);
    if (status == RILL_OK)
        status = cut_out(&s, &g.v, &river->velocity[1]);
    free_grid(&s, &g);
    if (status != RILL_OK)
        rl_scene_river_destroy(river);
    return status;
}

void rl_scene_river_destroy(rl_scene_river *river)
{
    rill_heightfield_destroy(&river->depth);
    for (int axis = 0; axis < 2; axis++)
        rill_heightfield_destroy(&river->velocity[axis]);
}

rill_status rl_scene_settle(const rill_scene *scene, int workers)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    rl_scene_river *river = scene->domain.river;
    RL_ASSERT(river != NULL && scene->domain.discharge > 0.0);
    pthread_mutex_lock(&one_at_a_time);
    const rill_status status = river->velocity[1] == NULL ? settle(scene, workers, river) : RILL_OK;
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}
