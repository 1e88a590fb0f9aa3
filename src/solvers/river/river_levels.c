// SPDX-License-Identifier: MIT
// river_levels.c - the pyramid of grids. A field of all levels lies in one block: level 0, above it
// level 1, and beside that the others, so that a quantity is one array of the state whatever the
// solver works on.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define COARSEST_SIDE 16 // cells along the last level, at most, but for RL_MAX_DETAIL

// ---- Memory ----------------------------------------------------------------------------

// Columns that a level takes in a block: its faces in whole cache lines and a margin either side.
static int columns_of(int nx)
{
    return (nx + 1 + 15) / 16 * 16 + 2 * RILL_MARGIN_X;
}

static int rows_of(int ny)
{
    return ny + 1 + 2; // faces and two ghost rows
}

// Lays the levels out in a block and gives its size.
static void lay_out(rl_river *r, int *width, int *height)
{
    int nx = r->nx, ny = r->ny;
    float size = r->cell_size;
    r->level_count = 0;
    while (r->level_count < RL_RIVER_MAX_LEVELS) {
        rl_river_level *level = &r->levels[r->level_count++];
        level->nx = nx;
        level->ny = ny;
        level->cell_size = size;
        if (nx <= COARSEST_SIDE && ny <= COARSEST_SIDE && r->level_count > RL_MAX_DETAIL)
            break;
        nx = (nx + 1) / 2;
        ny = (ny + 1) / 2;
        size *= 2.0f;
    }
    const int second = rows_of(r->ny), aside = columns_of(r->levels[1].nx);
    r->levels[1].block_j = second;
    int top = second;
    for (int k = 2; k < r->level_count; k++) {
        r->levels[k].block_i = aside;
        r->levels[k].block_j = top;
        top += rows_of(r->levels[k].ny);
    }
    const int left = second + rows_of(r->levels[1].ny);
    const int both = aside + columns_of(r->levels[2].nx);
    *height = top > left ? top : left;
    *width = both > r->nx + 1 ? both : r->nx + 1;
}

static void set_views(rl_river *r)
{
    for (int k = 0; k < r->level_count; k++) {
        rl_river_level *level = &r->levels[k];
        for (int n = 0; n < RL_RIVER_FIELDS; n++) {
            rill_field *view = &level->fields[n];
            *view = r->blocks.fields[n];
            view->origin = rill_field_row(view, level->block_j) + level->block_i;
            view->nx = level->nx;
            view->ny = level->ny;
            view->margin = 1;
            view->memory = NULL;
            view->bytes = 0;
        }
    }
}

static void create_runs(rl_river *r, rl_river_runs *runs, int rows, int64_t capacity)
{
    runs->rows = rows;
    runs->capacity = capacity < INT32_MAX ? (int)capacity : INT32_MAX;
    runs->runs = rl_owned_take(&r->own, (size_t)runs->capacity, sizeof *runs->runs);
    runs->row_first = rl_owned_take(&r->own, (size_t)rows + 1, sizeof *runs->row_first);
}

// ---- Wet sets and openings -------------------------------------------------------------

static void wet_row(rl_river *r, int j)
{
    RL_ASSERT(j >= 0 && j < r->ny);
    rl_river_level *level = &r->levels[0];
    const float *surface = rill_field_row(&r->surface, j), *bed = rill_field_row(&r->bed, j);
    const float *obstacle = rill_field_row(&r->obstacle, j);
    float *depth = rill_field_row(&r->depth, j), *wet_part = rill_field_row(&level->wet, j);
    float *conveyance = rill_field_row(&level->conveyance, j);
    for (int i = 0; i < r->nx; i++) {
        depth[i] = surface[i] - bed[i] > r->wet_depth ? surface[i] - bed[i] : 0.0f;
        const bool wet = depth[i] > 0.0f && !(obstacle[i] > 0.0f);
        wet_part[i] = wet ? 1.0f : 0.0f;
        if (!wet) {
            conveyance[i] = 0.0f;
            rill_field_row(&r->velocity_x, j)[i] = 0.0f;
            rill_field_row(&r->velocity_y, j)[i] = 0.0f;
        } else if (r->def.columns.cells == 0 || !(conveyance[i] > 0.0f))
            conveyance[i] = 1.0f;
    }
}

static float opening(float a, float b)
{
    return a > 0.0f && b > 0.0f ? 0.5f * (a + b) : 0.0f;
}

static void open_row(rl_river_level *level, int j)
{
    const int nx = level->nx, ny = level->ny;
    const float *c = rill_field_row(&level->conveyance, j < ny ? j : ny - 1);
    const float *south = rill_field_row(&level->conveyance, j > 0 ? j - 1 : 0);
    float *x = rill_field_row(&level->full_x, j), *y = rill_field_row(&level->full_y, j);
    for (int i = 0; i < nx; i++)
        y[i] = j == 0 || j == ny ? c[i] : opening(south[i], c[i]);
    if (j == ny)
        return;
    x[0] = c[0];
    x[nx] = c[nx - 1];
    for (int i = 1; i < nx; i++)
        x[i] = opening(c[i - 1], c[i]);
}

static void merge_cells(const rl_river_level *fine, rl_river_level *coarse, int j)
{
    for (int i = 0; i < coarse->nx; i++) {
        float wet = 0.0f, conveyance = 0.0f;
        for (int part = 0; part < 4; part++) {
            const int a = 2 * i + part % 2, b = 2 * j + part / 2;
            const float w = rl_river_cell_or_zero(&fine->wet, fine, a, b);
            wet += w;
            conveyance += w * rl_river_cell_or_zero(&fine->conveyance, fine, a, b);
        }
        rill_field_row(&coarse->wet, j)[i] = 0.25f * wet;
        rill_field_row(&coarse->conveyance, j)[i] = wet > 0.0f ? conveyance / wet : 0.0f;
    }
}

// The opening of a large face is the mean of the two it is made of: a closed half halves it.
static void merge_faces(const rl_river_level *fine, rl_river_level *coarse, int j)
{
    float *x = rill_field_row(&coarse->full_x, j), *y = rill_field_row(&coarse->full_y, j);
    const int fine_j = j == coarse->ny ? fine->ny : 2 * j;
    const float *south = rill_field_row(&fine->full_y, fine_j);
    for (int i = 0; i < coarse->nx; i++)
        y[i] = 0.5f * (south[2 * i] + (2 * i + 1 < fine->nx ? south[2 * i + 1] : 0.0f));
    if (j == coarse->ny)
        return;
    for (int i = 0; i <= coarse->nx; i++) {
        const int fine_i = i == coarse->nx ? fine->nx : 2 * i;
        const bool second = 2 * j + 1 < fine->ny;
        x[i] = 0.5f * (rill_field_row(&fine->full_x, 2 * j)[fine_i] +
                       (second ? rill_field_row(&fine->full_x, 2 * j + 1)[fine_i] : 0.0f));
    }
}

static void lay_openings(rl_river *r)
{
    for (int j = 0; j < r->ny; j++)
        wet_row(r, j);
    for (int j = 0; j <= r->ny; j++)
        open_row(&r->levels[0], j);
    for (int k = 1; k < r->level_count; k++) {
        for (int j = 0; j < r->levels[k].ny; j++)
            merge_cells(&r->levels[k - 1], &r->levels[k], j);
        for (int j = 0; j <= r->levels[k].ny; j++)
            merge_faces(&r->levels[k - 1], &r->levels[k], j);
    }
}

// ---- Runs ------------------------------------------------------------------------------

static void add_run(rl_river_runs *runs, int row, int first, int end)
{
    RL_ASSERT(row >= 0 && first <= end && runs->count <= runs->capacity);
    if (first >= end || runs->count == runs->capacity)
        return;
    runs->runs[runs->count++] = (rl_river_run){row, first, end};
    runs->cells += end - first;
}

// With runs->capacity 0 this only counts.
static int64_t find_wet_runs(const rl_river_level *level, rl_river_runs *runs)
{
    int64_t found = 0;
    runs->count = 0;
    runs->cells = 0;
    for (int j = 0; j < level->ny; j++) {
        const float *wet = rill_field_row(&level->wet, j);
        if (runs->row_first != NULL)
            runs->row_first[j] = runs->count;
        for (int i = 0; i < level->nx;) {
            const int first = i;
            while (i < level->nx && wet[i] > 0.0f)
                i++;
            found += i > first;
            add_run(runs, j, first, i);
            while (i < level->nx && !(wet[i] > 0.0f))
                i++;
        }
    }
    if (runs->row_first != NULL)
        runs->row_first[level->ny] = runs->count;
    return found;
}

static void find_work_runs(const rl_river *r, int k, rl_river_runs *runs)
{
    RL_ASSERT(k >= 0 && k < r->level_count);
    const rl_river_runs *all = &r->levels[k].all;
    runs->count = 0;
    runs->cells = 0;
    for (int j = 0; j < all->rows; j++) {
        runs->row_first[j] = runs->count;
        for (int n = all->row_first[j]; n < all->row_first[j + 1]; n++) {
            int i = all->runs[n].first;
            while (i < all->runs[n].end) {
                const int first = i;
                while (i < all->runs[n].end && rl_river_level_at(r, k, i, j) == k)
                    i++;
                add_run(runs, j, first, i);
                while (i < all->runs[n].end && rl_river_level_at(r, k, i, j) != k)
                    i++;
            }
        }
    }
    runs->row_first[all->rows] = runs->count;
}

double rl_river_sum(const rl_river_runs *runs, const rill_field *values, const rill_field *weights)
{
    double sum = 0.0;
    for (int n = 0; n < runs->count; n++) {
        const rl_river_run run = runs->runs[n];
        const float *value = rill_field_row(values, run.row);
        const float *weight = weights != NULL ? rill_field_row(weights, run.row) : NULL;
        double row = 0.0;
        for (int i = run.first; i < run.end; i++)
            row += (double)value[i] * (weight != NULL ? (double)weight[i] : 1.0);
        sum += row;
    }
    return sum;
}

void rl_river_copy_runs(const rl_river_runs *runs, const rill_field *from, rill_field *to)
{
    for (int n = 0; n < runs->count; n++) {
        const rl_river_run run = runs->runs[n];
        memcpy(rill_field_row(to, run.row) + run.first, rill_field_row(from, run.row) + run.first,
               (size_t)(run.end - run.first) * sizeof(float));
    }
}

// There is capacity for twice the runs of now: the ground may be edited later.
static bool allocate_runs(rl_river *r)
{
    for (int k = 0; k < r->level_count; k++) {
        rl_river_level *level = &r->levels[k];
        rl_river_runs counted = {0};
        const int64_t found = find_wet_runs(level, &counted);
        const int64_t capacity = 2 * found + 4 * (int64_t)level->ny + 64;
        const int64_t cells = (int64_t)level->nx * level->ny;
        const int64_t splits = cells >> (k < RL_MAX_DETAIL ? RL_MAX_DETAIL - k : 0);
        create_runs(r, &level->all, level->ny, capacity);
        create_runs(r, &level->work, level->ny, capacity + splits);
    }
    return !r->own.failed;
}

// ---- Creation and rebuilding -----------------------------------------------------------

void rl_river_levels_lay(rl_river *r)
{
    r->coarsest_work = 0;
    for (int k = 0; k < r->level_count; k++) {
        find_work_runs(r, k, &r->levels[k].work);
        if (r->levels[k].work.count > 0)
            r->coarsest_work = k;
    }
    rl_river_levels_open(r);
    rl_river_squares_equations(r);
}

// In whole floats and doubles, because the state is made of them.
static void allocate_saved(rl_river *r)
{
    r->squares_x = (r->nx + RL_SQUARE - 1) / RL_SQUARE;
    r->squares_y = (r->ny + RL_SQUARE - 1) / RL_SQUARE;
    r->square_bytes = ((size_t)r->squares_x * (size_t)r->squares_y + 7) / 8 * 8;
    const size_t doubles = RL_RIVER_NUMBERS + (size_t)r->ny;
    r->saved_bytes = doubles * sizeof(double) + r->square_bytes;
    r->saved = rl_owned_take(&r->own, r->saved_bytes, 1);
    r->square_level_before = rl_owned_take(&r->own, r->square_bytes, 1);
    if (r->saved == NULL)
        return;
    r->passed_rows = r->saved + RL_RIVER_NUMBERS;
    r->square_level = (unsigned char *)(r->saved + doubles);
}

rill_status rl_river_levels_create(rl_river *r)
{
    int width, height;
    lay_out(r, &width, &height);
    allocate_saved(r);
    for (int n = 0; n < RL_RIVER_FIELDS; n++)
        rl_owned_field(&r->own, width, height, 1, 7 * n, &r->blocks.fields[n]);
    r->detail = rl_quadtree_create(&r->own.allocator, r->nx, r->ny);
    if (r->own.failed || r->detail == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the grids of a river of %d x %d cells",
                         r->nx, r->ny);
    set_views(r);
    lay_openings(r);
    if (!allocate_runs(r) || !rl_river_squares_create(r))
        return rill_fail(RILL_NO_MEMORY, "no memory for the wet cells of a river of %d x %d cells",
                         r->nx, r->ny);
    rl_river_levels_rebuild(r);
    return RILL_OK;
}

// Values become 0 where `open` is.
static void close_row(const rill_field *open, rill_field *values, int j, int count)
{
    float *value = rill_field_row(values, j);
    for (int i = 0; i < count; i++)
        value[i] = rill_field_row(open, j)[i] > 0.0f ? value[i] : 0.0f;
}

static void close_faces(rl_river_level *level)
{
    for (int j = 0; j <= level->ny; j++) {
        close_row(&level->full_y, &level->v, j, level->nx);
        if (j == level->ny)
            break;
        close_row(&level->full_x, &level->u, j, level->nx + 1);
        close_row(&level->wet, &level->pressure, j, level->nx);
    }
    rl_river_clear(level, &level->u_next);
    rl_river_clear(level, &level->v_next);
}

void rl_river_levels_rebuild(rl_river *r)
{
    lay_openings(r);
    for (int k = 0; k < r->level_count; k++) {
        rl_river_squares_lay(&r->levels[k]);
        find_wet_runs(&r->levels[k], &r->levels[k].all);
        close_faces(&r->levels[k]);
    }
    rl_river_levels_mark(r, NULL);
    rl_river_levels_lay(r);
    rl_river_springs_rebuild(r);
    r->velocities_fresh = false;
}

void rl_river_levels_restored(rl_river *r)
{
    for (size_t n = 0; n < r->square_bytes; n++)
        if (r->square_level[n] > RL_MAX_DETAIL)
            r->square_level[n] = RL_MAX_DETAIL;
    rl_river_levels_rebuild(r);
    rl_river_levels_merge_hints(r);
}

static void swap_fields(rill_field *a, rill_field *b)
{
    const rill_field before = *a;
    *a = *b;
    *b = before;
}

static void swap_flow(rl_river_level *level)
{
    swap_fields(&level->u, &level->u_next);
    swap_fields(&level->v, &level->v_next);
}

void rl_river_levels_swap(rl_river *r)
{
    swap_flow(&r->blocks);
    for (int k = 0; k < r->level_count; k++)
        swap_flow(&r->levels[k]);
}

// ---- Hints and velocities -----------------------------------------------------------------

static void merge_hint(const rl_river_level *fine, rl_river_level *coarse, int i, int j)
{
    float x = 0.0f, y = 0.0f, target = 0.0f, wet = 0.0f;
    for (int part = 0; part < 4; part++) {
        const int a = 2 * i + part % 2, b = 2 * j + part / 2;
        const float w = rl_river_cell_or_zero(&fine->wet, fine, a, b);
        x += w * rl_river_cell_or_zero(&fine->hint_x, fine, a, b);
        y += w * rl_river_cell_or_zero(&fine->hint_y, fine, a, b);
        target += w * rl_river_cell_or_zero(&fine->target, fine, a, b);
        wet += w;
    }
    const float length = sqrtf(x * x + y * y);
    const bool points = length > 1e-6f * wet;
    rill_field_row(&coarse->hint_x, j)[i] = points ? x / length : 0.0f;
    rill_field_row(&coarse->hint_y, j)[i] = points ? y / length : 0.0f;
    rill_field_row(&coarse->target, j)[i] = wet > 0.0f ? target / wet : 0.0f;
}

void rl_river_levels_merge_hints(rl_river *r)
{
    for (int k = 1; k <= RL_MAX_DETAIL && k < r->level_count; k++)
        for (int j = 0; j < r->levels[k].ny; j++)
            for (int i = 0; i < r->levels[k].nx; i++)
                merge_hint(&r->levels[k - 1], &r->levels[k], i, j);
}

// Within a merged cell a component changes linearly from face to face.
static void centre_run(const rl_river_level *level, int k, int j, int first, int end, float *x,
                       float *y)
{
    const float part = 1.0f / (float)(1 << k);
    const float *u = rill_field_row(&level->u, j >> k), *v = rill_field_row(&level->v, j >> k);
    const float *v_north = rill_field_row(&level->v, (j >> k) + 1);
    const float b = ((float)(j & ((1 << k) - 1)) + 0.5f) * part;
    for (int i = first; i < end; i++) {
        const int c = i >> k;
        const float a = ((float)(i & ((1 << k) - 1)) + 0.5f) * part;
        x[i] = u[c] + a * (u[c + 1] - u[c]);
        y[i] = v[c] + b * (v_north[c] - v[c]);
    }
}

static void centre_row(void *context, int j)
{
    const rl_river *r = context;
    const rl_river_runs *all = &r->levels[0].all;
    float *x = rill_field_row(&r->velocity_x, j), *y = rill_field_row(&r->velocity_y, j);
    for (int n = all->row_first[j]; n < all->row_first[j + 1]; n++) {
        int i = all->runs[n].first;
        while (i < all->runs[n].end) {
            const int k = rl_river_level_at(r, 0, i, j);
            const int first = i;
            while (i < all->runs[n].end && rl_river_level_at(r, 0, i, j) == k)
                i = (i / RL_SQUARE + 1) * RL_SQUARE;
            i = i < all->runs[n].end ? i : all->runs[n].end;
            centre_run(&r->levels[k], k, j, first, i, x, y);
        }
    }
}

void rl_river_update_centres(rl_river *r, rl_jobs *jobs)
{
    if (!r->velocities_fresh)
        rl_jobs_run(jobs, r->ny, centre_row, r);
    r->velocities_fresh = true;
}
