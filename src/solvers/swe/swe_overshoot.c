// SPDX-License-Identifier: MIT
// swe_overshoot.c - cutting the crests that waves pile up where the grid cannot hold them any more
// (Chentanez and Müller section 2.2). It removes water, so it is off unless asked for, and the
// ledger has it.
#include "solvers/swe/swe.h"

#include <string.h>

static rl_swe_end end_at(const rl_swe *s, const float *depth, int i, int y)
{
    const float bed = rill_field_row(&s->bed, y)[i];
    return (rl_swe_end){bed, depth[i], bed + depth[i]};
}

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
    return end_at(s, rill_field_row(&rl_swe_now(s)->depth, y), i, y).level;
}

// New depths of a row, into a row that holds velocities only when columns are asked for.
static void cut_row(void *context, int y)
{
    rl_swe *s = context;
    const float *depth = rill_field_row(&rl_swe_now(s)->depth, y);
    float *out = rill_field_row(&s->velocity_x, y);
    double removed = 0.0;
    for (int i = 0; i < s->nx; i++) {
        const rl_swe_end here = end_at(s, depth, i, y);
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

double rl_swe_cut_crests(rl_swe *s, rl_jobs *jobs)
{
    rl_jobs_run(jobs, s->ny, cut_row, s);
    rl_jobs_run(jobs, s->ny, copy_row, s);
    double removed = 0.0;
    for (int y = 0; y < s->ny; y++)
        removed += s->row_sums[y];
    return removed * s->cell_size * s->cell_size;
}
