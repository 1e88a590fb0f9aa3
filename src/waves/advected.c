// SPDX-License-Identifier: MIT
// advected.c - the texture coordinates that move with the flow (Chentanez and Müller section
// 2.5.2).
//
// Each of the three sets holds offsets from the place, (s - x, t - y) in metres. The water at x was
// at x + r a step ago, so the offset becomes offset(x + r) + r. A step is these passes, the last
// two as often as the fastest water crosses cells:
//
//     velocities --fastest--> number of moves
//     offsets    --copy-----> copies of the rows at the borders of the bands
//     offsets    --move-----> offsets, in place
//
// A move sweeps each band of rows from south to north, in place: the previous values of a row stay
// until the next row is done, and the rows beside the band come from the copies made before. Bands
// are of fixed height, on any number of threads.
//
// Weights are computed when the caller asks for a view: the step does not need them.
#include "waves/advected.h"

#include "core/assert.h"
#include "core/owned.h"
#include "waves/advected_rows.h"

#include "rill/support.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SETS      3
#define AXES      2
#define BAND_ROWS 32

// Water faster than this many cells a step moves the coordinates at that speed.
#define MAX_MOVES 64

#define TURN 6.283185307179586

// The rows of a row of cells: the coordinates of the sets, then these.
enum { WET = SETS * AXES, WEIGHT, ROWS_OF_CELLS };

// Rows of a band's own memory: the previous offsets of two rows, the two rows beyond the band, and
// three rows of the flow.
enum {
    PREVIOUS = 0,
    BEYOND = PREVIOUS + 2 * SETS * AXES,
    SHIFT_X = BEYOND + 2 * SETS * AXES,
    SHIFT_Y = SHIFT_X + 3,
    WETNESS = SHIFT_Y + 3,
    ROWS_OF_BAND = WETNESS + 3
};

struct rl_advected {
    rl_owned own;
    const rl_advected_rows *table;
    rill_waves_def def;
    int nx, ny, bands;
    float cell_size;
    rl_sea *texture;
    double texture_time;
    rill_field cells;     // ROWS_OF_CELLS rows for each row of cells
    rill_field of_bands;  // ROWS_OF_BAND rows for each band, of the same pitch
    rill_field speeds;    // one value for each band: the fastest water in it
    float renewals[SETS]; // how often the clock has reset each set
    bool weighed;         // the weights belong to the coordinates

    // Arguments of the step that is running.
    const rill_columns *columns;
    float scale; // cells per m/s
    bool last;   // this is the last move
    bool renew[SETS];
};

// ---- Creation and destruction ----------------------------------------------------------------

static rill_status create_texture(rl_advected *w, float gravity, uint64_t seed, rl_isa isa)
{
    const rill_waves_def *def = &w->def;
    const rill_sea_def sea = {
        .size = def->size,
        .tile = (double)(def->tile > 0.0f ? def->tile : 16.0f * w->cell_size),
        .wind = (double)def->wind,
        .wind_direction = (double)def->wind_direction,
        .height = (double)def->height,
        .longest = (double)(def->longest > 0.0f ? def->longest : 2.0f * w->cell_size),
        .depth = (double)INFINITY,
        .gravity = (double)gravity,
        .chop = (double)def->chop,
        .seed = seed,
    };
    return rl_sea_create_with(&sea, isa, &w->own.allocator, &w->texture);
}

rill_status rl_advected_create(const rill_waves_def *def, int nx, int ny, float cell_size,
                               float gravity, uint64_t seed, rl_isa isa,
                               const rill_allocator *allocator, rl_advected **out)
{
    RL_ASSERT(nx >= 2 && ny >= 2 && cell_size > 0.0f);
    RL_ASSERT(def->size > 0);
    *out = NULL;
    rl_advected *w = rl_owned_create(allocator, sizeof *w);
    if (w == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for fine waves");
    w->table = RL_ROWS_OF(isa, rl_advected_rows);
    w->def = *def;
    w->nx = nx;
    w->ny = ny;
    w->bands = (ny + BAND_ROWS - 1) / BAND_ROWS;
    w->cell_size = cell_size;
    for (int k = 0; k < SETS; k++)
        w->renewals[k] = (float)floor(-k / 3.0);
    rl_owned_field(&w->own, nx, ny * ROWS_OF_CELLS, 0, 0, &w->cells);
    rl_owned_field(&w->own, nx, w->bands * ROWS_OF_BAND, 0, 0, &w->of_bands);
    rl_owned_field(&w->own, w->bands, 1, 0, 0, &w->speeds);
    const rill_status status =
        w->own.failed
            ? rill_fail(RILL_NO_MEMORY, "no memory for the fine waves of %d x %d cells", nx, ny)
            : create_texture(w, gravity, seed, isa);
    if (status != RILL_OK)
        rl_advected_destroy(&w);
    *out = w;
    return status;
}

void rl_advected_destroy(rl_advected **waves)
{
    void *object = *waves;
    if (object != NULL)
        rl_sea_destroy(&(*waves)->texture);
    rl_owned_destroy(NULL, &object);
    *waves = NULL;
}

size_t rl_advected_memory(const rl_advected *waves)
{
    return waves == NULL ? 0 : rl_owned_memory(waves) + rl_sea_memory(waves->texture);
}

// ---- Passes ----------------------------------------------------------------------------------

static int band_start(int band)
{
    return band * BAND_ROWS;
}

static int band_end(const rl_advected *w, int band)
{
    return band + 1 < w->bands ? (band + 1) * BAND_ROWS : w->ny;
}

static float *cell_row(const rl_advected *w, int j, int row)
{
    return rill_field_row(&w->cells, j * ROWS_OF_CELLS + row);
}

static float *own_row(const rl_advected *w, int band, int row)
{
    return rill_field_row(&w->of_bands, band * ROWS_OF_BAND + row);
}

static int within(const rl_advected *w, int j)
{
    return j < 0 ? 0 : (j < w->ny ? j : w->ny - 1);
}

static void fastest_pass(void *context, int band)
{
    const rl_advected *w = context;
    const rill_columns *c = w->columns;
    float largest = 0.0f;
    for (int j = band_start(band); j < band_end(w, band); j++) {
        const size_t at = (size_t)j * c->pitch;
        const float speed = w->table->fastest(c->velocity_x + at, c->velocity_y + at, w->nx);
        largest = speed > largest ? speed : largest;
    }
    w->speeds.origin[band] = largest;
}

// Fills the ghost cells at both ends with copies of the last cells.
static void close_row(float *row, int nx)
{
    row[-1] = row[0];
    row[nx] = row[nx - 1];
}

static void copy_offsets(const rl_advected *w, const float *from, float *to)
{
    for (int n = 0; n < SETS * AXES; n++) {
        memcpy(to, from, (size_t)w->nx * sizeof(float));
        close_row(to, w->nx);
        from += w->cells.pitch;
        to += w->of_bands.pitch;
    }
}

static float *beyond_row(const rl_advected *w, int band, int side)
{
    RL_ASSERT(side == 0 || side == 1);
    return own_row(w, band, BEYOND + side * SETS * AXES);
}

static void copy_pass(void *context, int band)
{
    const rl_advected *w = context;
    const int south = within(w, band_start(band) - 1), north = within(w, band_end(w, band));
    copy_offsets(w, cell_row(w, south, 0), beyond_row(w, band, 0));
    copy_offsets(w, cell_row(w, north, 0), beyond_row(w, band, 1));
}

static int slot_of(int j)
{
    return (j + 3) % 3;
}

// Computes the flow of row j in its slot. Returns 1 when some cell of it is dry.
static int take_flow(const rl_advected *w, int band, int j)
{
    const rill_columns *c = w->columns;
    const size_t at = (size_t)within(w, j) * c->pitch;
    const int slot = slot_of(j);
    return w->table->take(&(rl_advected_take_row){
        .nx = w->nx,
        .velocity_x = c->velocity_x + at,
        .velocity_y = c->velocity_y + at,
        .depth = c->depth + at,
        .wet_depth = c->wet_depth,
        .scale = w->scale,
        .shift_x = own_row(w, band, SHIFT_X + slot),
        .shift_y = own_row(w, band, SHIFT_Y + slot),
        .wet = own_row(w, band, WETNESS + slot),
    });
}

static float *previous_row(const rl_advected *w, int band, int j)
{
    return own_row(w, band, PREVIOUS + (j & 1) * SETS * AXES);
}

// Returns a row of the band in the grid, with its ghost cells, or the copy of the row beyond the
// band.
static float *closed_row(const rl_advected *w, int band, int j)
{
    RL_ASSERT(j >= band_start(band));
    if (j >= band_end(w, band))
        return beyond_row(w, band, 1);
    for (int n = 0; n < SETS * AXES; n++)
        close_row(cell_row(w, j, n), w->nx);
    return cell_row(w, j, 0);
}

static void move_cells(const rl_advected *w, int band, int j, bool shore)
{
    const bool first = j == band_start(band);
    rl_advected_move_row row = {
        .nx = w->nx,
        .cell_size = w->cell_size,
        .south = first ? beyond_row(w, band, 0) : previous_row(w, band, j - 1),
        .here = first ? closed_row(w, band, j) : cell_row(w, j, 0),
        .north = closed_row(w, band, j + 1),
        .previous = previous_row(w, band, j),
        .stride = w->cells.pitch,
    };
    for (int r = 0; r < 3; r++) {
        const int slot = slot_of(j + r - 1);
        row.shift_x[r] = own_row(w, band, SHIFT_X + slot);
        row.shift_y[r] = own_row(w, band, SHIFT_Y + slot);
        row.wet[r] = own_row(w, band, WETNESS + slot);
    }
    for (size_t n = 0; n < SETS * AXES; n++)
        row.previous[n * row.stride - 1] = row.here[n * row.stride - 1];
    if (shore)
        w->table->move_shore(&row);
    else
        w->table->move(&row);
    for (size_t n = 0; n < SETS * AXES; n++)
        close_row(row.previous + n * row.stride, w->nx);
    if (!w->last)
        return;
    for (int n = 0; n < SETS * AXES; n++)
        if (w->renew[n / AXES])
            memset(cell_row(w, j, n), 0, (size_t)w->nx * sizeof(float));
    memcpy(cell_row(w, j, WET), row.wet[RL_THIS_ROW], (size_t)w->nx * sizeof(float));
}

static void move_pass(void *context, int band)
{
    const rl_advected *w = context;
    const int start = band_start(band), end = band_end(w, band);
    int south = take_flow(w, band, start - 1), here = take_flow(w, band, start);
    for (int j = start; j < end; j++) {
        const int north = take_flow(w, band, j + 1);
        move_cells(w, band, j, (south | here | north) != 0);
        south = here;
        here = north;
    }
}

// ---- Weights ---------------------------------------------------------------------------------

// Differences are central, and one-sided at the borders of the grid: what lies beyond is on the
// straight line through the last two cells. Along x those are ghost cells of the row.
static void extend_row(float *row, int nx)
{
    row[-1] = 2.0f * row[0] - row[1];
    row[nx] = 2.0f * row[nx - 1] - row[nx - 2];
}

// Along y, it is a row of the band's own memory.
static const float *row_beyond(const rl_advected *w, int band, int last, int before)
{
    float *beyond = beyond_row(w, band, last == 0 ? 0 : 1);
    for (int n = 0; n < SETS * AXES; n++) {
        const float *a = cell_row(w, last, n), *b = cell_row(w, before, n);
        float *to = beyond + (size_t)n * w->of_bands.pitch;
        for (int i = 0; i < w->nx; i++)
            to[i] = 2.0f * a[i] - b[i];
    }
    return beyond;
}

static void weigh_pass(void *context, int band)
{
    const rl_advected *w = context;
    const int top = w->ny - 1;
    for (int j = band_start(band); j < band_end(w, band); j++) {
        for (int n = 0; n < SETS * AXES; n++)
            extend_row(cell_row(w, j, n), w->nx);
        w->table->weigh(&(rl_advected_weigh_row){
            .nx = w->nx,
            .cell_size = w->cell_size,
            .stretch = w->def.stretch,
            .offset = {j > 0 ? cell_row(w, j - 1, 0) : row_beyond(w, band, 0, 1), cell_row(w, j, 0),
                       j < top ? cell_row(w, j + 1, 0) : row_beyond(w, band, top, top - 1)},
            .stride = w->cells.pitch,
            .wet = cell_row(w, j, WET),
            .weight = cell_row(w, j, WEIGHT),
        });
    }
}

// ---- Interface -------------------------------------------------------------------------------

// Returns how often set k has been reset until `time`.
static double renewals_until(const rl_advected *w, int k, double time)
{
    return floor(time / (double)w->def.period - k / 3.0);
}

bool rl_advected_step(rl_advected *w, rl_jobs *jobs, const rill_columns *columns, double dt,
                      double time)
{
    RL_ASSERT(columns->nx == w->nx && columns->ny == w->ny);
    RL_ASSERT(dt > 0.0);
    w->columns = columns;
    rl_jobs_run(jobs, w->bands, fastest_pass, w);
    float fastest = 0.0f;
    for (int band = 0; band < w->bands; band++)
        fastest = w->speeds.origin[band] > fastest ? w->speeds.origin[band] : fastest;
    const double cells = (double)fastest * dt / (double)w->cell_size;
    const int moves = cells < 1.0 ? 1 : (cells < MAX_MOVES ? (int)ceil(cells) : MAX_MOVES);
    w->scale = (float)(dt / moves / (double)w->cell_size);
    for (int k = 0; k < SETS; k++) {
        const float count = (float)renewals_until(w, k, time);
        w->renew[k] = count != w->renewals[k];
        w->renewals[k] = count;
    }
    for (int move = 0; move < moves; move++) {
        w->last = move == moves - 1;
        rl_jobs_run(jobs, w->bands, copy_pass, w);
        rl_jobs_run(jobs, w->bands, move_pass, w);
    }
    w->weighed = false;
    w->columns = NULL;
    return cells <= MAX_MOVES;
}

// Moves a row of cells along x; new cells take the value of the nearest old one.
static void shift_row(const float *from, float *to, int nx, int di)
{
    const int first = di > 0 ? 0 : -di, end = di > 0 ? nx - di : nx;
    memmove(to + first, from + first + di, (size_t)(end - first) * sizeof(float));
    for (int i = 0; i < first; i++)
        to[i] = to[first];
    for (int i = end; i < nx; i++)
        to[i] = to[end - 1];
}

// Rows are moved in the order in which none is overwritten before it is read.
void rl_advected_shift(rl_advected *w, int di, int dj)
{
    const int nx = w->nx, ny = w->ny;
    w->weighed = false;
    if (di <= -nx || di >= nx || dj <= -ny || dj >= ny) {
        rill_field_fill(&w->cells, 0.0f);
        return;
    }
    for (int step = 0; step < ny; step++) {
        const int j = dj >= 0 ? step : ny - 1 - step;
        for (int n = 0; n <= WET; n++)
            shift_row(cell_row(w, within(w, j + dj), n), cell_row(w, j, n), nx, di);
    }
}

rill_waves rl_advected_view(rl_advected *w, rl_jobs *jobs, double time)
{
    if (w->texture_time != time)
        rl_sea_update(w->texture, jobs, time);
    w->texture_time = time;
    if (!w->weighed)
        rl_jobs_run(jobs, w->bands, weigh_pass, w);
    w->weighed = true;
    rill_waves view = {.texture = rl_sea_view(w->texture),
                       .nx = w->nx,
                       .ny = w->ny,
                       .pitch = w->cells.pitch * ROWS_OF_CELLS,
                       .weight = cell_row(w, 0, WEIGHT)};
    for (int k = 0; k < SETS; k++) {
        view.s[k] = cell_row(w, 0, AXES * k);
        view.t[k] = cell_row(w, 0, AXES * k + 1);
        const double phase = time / (double)w->def.period - k / 3.0;
        view.blend[k] = (float)((1.0 - cos(TURN * (phase - floor(phase)))) / 3.0);
    }
    return view;
}

int rl_advected_state(rl_advected *w, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    static const char *const names[] = {"wave_s0", "wave_t0", "wave_s1", "wave_t1",
                                        "wave_s2", "wave_t2", "wave_wet"};
    // The caller may write to the arrays, so the weights become invalid.
    w->weighed = false;
    for (int n = 0; n <= WET; n++)
        arrays[n] = (rill_state_array){names[n], cell_row(w, 0, n), w->cells.pitch * ROWS_OF_CELLS,
                                       (size_t)w->nx, (size_t)w->ny};
    arrays[WET + 1] = (rill_state_array){"wave_renewals", w->renewals, SETS, SETS, 1};
    return WET + 2;
}
