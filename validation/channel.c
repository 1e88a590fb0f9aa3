// SPDX-License-Identifier: MIT
// channel.c - a channel in which the validation cases run.
#include "validation/channel.h"

#include <math.h>
#include <stdio.h>

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
