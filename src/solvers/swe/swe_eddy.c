// SPDX-License-Identifier: MIT
// swe_eddy.c - eddy viscosity: before a step, the velocities of before are replaced by those that
// the stresses of eddies leave of them (swe_eddy_cell.h). Stresses follow from depths and
// velocities of before alone and momentum is that of the depths of before, so nothing of it is
// lost; the step then carries it on as if it had been there.
//
// It is one sweep over bands of rows, like the step itself (swe_step.c):
//
//     row y     strain:    stretches of the cells, shears at the corners north-east of them
//     row y-1   stress:    viscosities and stresses
//     row y-2   strained:  velocities
#include "solvers/swe/swe.h"

#include "core/assert.h"
#include "solvers/swe/swe_eddy_rows.h"

#include <string.h>

// Rows of each kind that a band keeps, by row number modulo RING.
#define RING 4

struct rl_swe_eddy_band {
    float *x[RING], *y[RING], *square[RING], *shear[RING], *corner_depth[RING];
    float *normal_x[RING], *normal_y[RING], *shear_stress[RING];
};

#define KINDS_OF_ROWS 8

static int ring(int y)
{
    return y & (RING - 1);
}

uint64_t rl_swe_eddy_memory_needed(const rill_world_def *def)
{
    return rl_swe_has_eddies(&def->swe) ? 2 * rill_field_bytes(def->nx, def->ny, RL_SWE_GHOST_ROWS)
                                        : 0;
}

void rl_swe_allocate_eddies(rl_swe *s, int shift, rl_isa isa)
{
    rl_swe_eddies *e = &s->eddies;
    const size_t bands = (size_t)s->band_count;
    if (!rl_swe_has_eddies(&s->def))
        return;
    e->rows = RL_ROWS_OF(isa, rl_swe_eddy_rows);
    rl_owned_field(&s->own, s->nx, s->ny, RL_SWE_GHOST_ROWS, shift, &e->u);
    rl_owned_field(&s->own, s->nx, s->ny, RL_SWE_GHOST_ROWS, shift + 7, &e->v);
    e->bands = rl_owned_take(&s->own, bands, sizeof *e->bands);
    e->rows_of_bands = rl_band_rows_take_all(&s->own, s->bed.pitch, bands * RING * KINDS_OF_ROWS);
    if (s->own.failed)
        return;
    for (size_t n = 0; n < bands; n++) {
        rl_swe_eddy_band *b = &e->bands[n];
        float **const kinds[KINDS_OF_ROWS] = {
            b->x,        b->y,        b->square,      b->shear, b->corner_depth,
            b->normal_x, b->normal_y, b->shear_stress};
        for (int kind = 0; kind < KINDS_OF_ROWS; kind++)
            for (int r = 0; r < RING; r++)
                kinds[kind][r] = rl_band_rows_take_filled(&e->rows_of_bands, 0.0f);
    }
}

static void clear(const rl_swe *s, float *row)
{
    memset(row, 0, (size_t)s->nx * sizeof *row);
}

static void strain_row(const rl_swe *s, const rl_swe_eddy_band *b, int y)
{
    const rl_swe_moving *m = rl_swe_now(s);
    const int r = ring(y);
    if (y < 0 || y >= s->ny) {
        clear(s, b->square[r]);
        clear(s, b->shear[r]);
        return;
    }
    const rl_swe_strain_row row = {
        .nx = s->nx,
        .u = rill_field_row(&m->u, y),
        .u_north = rill_field_row(&m->u, y + 1),
        .v_south = rill_field_row(&m->v, y - 1),
        .v = rill_field_row(&m->v, y),
        .bed_south = rill_field_row(&s->bed, y - 1),
        .bed = rill_field_row(&s->bed, y),
        .bed_north = rill_field_row(&s->bed, y + 1),
        .depth_south = rill_field_row(&m->depth, y - 1),
        .depth = rill_field_row(&m->depth, y),
        .depth_north = rill_field_row(&m->depth, y + 1),
        .x = b->x[r],
        .y = b->y[r],
        .square = b->square[r],
        .shear = b->shear[r],
        .corner_depth = b->corner_depth[r],
    };
    s->eddies.rows->strain(&row, s->k);
    rl_swe_slip_at_marked(s, y, row.shear);
}

static void stress_row(const rl_swe *s, const rl_swe_eddy_band *b, int y)
{
    const int r = ring(y);
    if (y < 0 || y >= s->ny) {
        clear(s, b->normal_y[r]);
        clear(s, b->shear_stress[r]);
        return;
    }
    const rl_swe_stress_row row = {
        .nx = s->nx,
        .depth = rill_field_row(&rl_swe_now(s)->depth, y),
        .x = b->x[r],
        .y = b->y[r],
        .square = b->square[r],
        .square_north = b->square[ring(y + 1)],
        .shear_south = b->shear[ring(y - 1)],
        .shear = b->shear[r],
        .corner_depth = b->corner_depth[r],
        .normal_x = b->normal_x[r],
        .normal_y = b->normal_y[r],
        .shear_stress = b->shear_stress[r],
    };
    s->eddies.rows->stress(&row, s->k);
}

// Faces of borders keep their velocities, and so do those that the user has closed: their own rules
// say what they are.
static void strained_row(rl_swe *s, const rl_swe_eddy_band *b, int y)
{
    const rl_swe_moving *m = rl_swe_now(s);
    const int r = ring(y), last = s->nx - 1;
    const rl_swe_strained_row row = {
        .nx = s->nx,
        .u = rill_field_row(&m->u, y),
        .v = rill_field_row(&m->v, y),
        .depth = rill_field_row(&m->depth, y),
        .depth_north = rill_field_row(&m->depth, y + 1),
        .normal_x = b->normal_x[r],
        .normal_y = b->normal_y[r],
        .normal_y_north = b->normal_y[ring(y + 1)],
        .shear_stress_south = b->shear_stress[ring(y - 1)],
        .shear_stress = b->shear_stress[r],
        .u_out = rill_field_row(&s->eddies.u, y),
        .v_out = rill_field_row(&s->eddies.v, y),
    };
    s->eddies.rows->strained(&row, s->k);
    rl_swe_close_marked(s, y, row.u_out, row.v_out);
    row.u_out[-1] = row.u[-1];
    row.u_out[last] = row.u[last];
    if (y == s->ny - 1)
        memcpy(row.v_out, row.v, (size_t)s->nx * sizeof *row.v);
    row.v_out[-1] = row.v_out[0];
    row.v_out[s->nx] = row.v_out[last];
}

static void strain_band(void *context, int n)
{
    rl_swe *s = context;
    const rl_swe_eddy_band *b = &s->eddies.bands[n];
    const int y0 = s->bands[n].y0, y1 = s->bands[n].y1;
    if (y0 == 0)
        memcpy(rill_field_row(&s->eddies.v, -1) - 1, rill_field_row(&rl_swe_now(s)->v, -1) - 1,
               ((size_t)s->nx + 2) * sizeof(float));
    for (int y = y0 - 2; y <= y1 + 1; y++) {
        strain_row(s, b, y);
        if (y > y0 - 1)
            stress_row(s, b, y - 1);
        if (y > y0 + 1)
            strained_row(s, b, y - 2);
    }
}

void rl_swe_strain(rl_swe *s, rl_jobs *jobs)
{
    RL_ASSERT(s->eddies.rows != NULL);
    rl_jobs_run(jobs, s->band_count, strain_band, s);
}
