// SPDX-License-Identifier: MIT
// channel.c - a channel in which the validation cases run.
#include "validation/channel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

rill_world_def validation_swe_def(int nx, int ny, double cell_size, rill_advection advection)
{
    rill_world_def def = rill_default_world_def();
    def.solver = RILL_SOLVER_SWE;
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)cell_size;
    def.gravity = 9.81f;
    def.swe.advection = advection;
    return def;
}

double validation_channel_x(const validation_channel *channel, int i)
{
    return channel->origin + (i + 0.5) * channel->cell_size;
}

rill_status validation_compare_channel(const validation_channel *channel, rill_world *world,
                                       validation_result *out)
{
    const int n = channel->n;
    char label[32];
    snprintf(label, sizeof label, "%d cells", n);
    validation_curve *ground = NULL;
    if (channel->bed != NULL) {
        ground = validation_add_curve(&out->plot, VALIDATION_GROUND, "ground", n);
        if (ground == NULL)
            return RILL_NO_MEMORY;
    }
    validation_curve *exact = validation_add_curve(&out->plot, VALIDATION_EXACT, "exact", n);
    validation_curve *computed = validation_add_curve(&out->plot, VALIDATION_COMPUTED, label, n);
    if (exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    out->plot.x_name = channel->x_name;
    out->plot.y_name = channel->bed != NULL ? "elevation, m" : "depth, m";
    const rill_field_view depth = rill_world_depth(world);
    const float *row = depth.data + depth.pitch; // one that is not beside a wall
    validation_norms norms = {0};
    for (int i = 0; i < n; i++) {
        const double bed = ground != NULL ? (double)channel->bed[i] : 0.0;
        exact->x[i] = computed->x[i] = validation_channel_x(channel, i);
        exact->y[i] = bed + channel->exact[i];
        computed->y[i] = bed + (double)row[i];
        validation_norms_add(&norms, (double)row[i] - channel->exact[i]);
        if (ground != NULL) {
            ground->x[i] = exact->x[i];
            ground->y[i] = bed;
        }
    }
    validation_finish(out, &norms, channel->scale, world);
    return RILL_OK;
}

double validation_displaced(const double *exact, int n)
{
    double sum = 0.0;
    for (int i = 0; i + 1 < n; i++)
        sum += fabs(exact[i + 1] - exact[i]);
    return sum / n;
}

rill_status validation_create_channel(rill_world_def *def, const float *depth,
                                      const float *velocity, rill_world **out)
{
    validation_grid grids[2] = {0};
    const float *const rows[] = {depth, velocity};
    rill_status status = RILL_OK;
    for (int g = 0; g < 2 && status == RILL_OK; g++) {
        if (rows[g] == NULL)
            continue;
        if (!validation_grid_create(def->nx, def->ny, &grids[g]))
            status = RILL_NO_MEMORY;
        for (int j = 0; j < def->ny && status == RILL_OK; j++)
            for (int i = 0; i < def->nx; i++)
                grids[g].data[(size_t)j * (size_t)def->nx + (size_t)i] = rows[g][i];
    }
    if (status == RILL_OK) {
        def->depth = validation_grid_view(&grids[0]);
        if (velocity != NULL)
            def->velocity_x = validation_grid_view(&grids[1]);
        status = rill_world_create(def, out);
    }
    free(grids[0].data);
    free(grids[1].data);
    return status;
}

rill_status validation_finish_figure(rill_world *world, double error, validation_result *out)
{
    out->error_l1 = out->error_linf = error;
    out->mass_error = rill_world_ledger(world).error;
    return RILL_OK;
}
