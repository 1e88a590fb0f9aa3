// SPDX-License-Identifier: MIT
// soft_damp.c - the part of a soft body's motion that a rigid one would have, and the loss of the
// rest (Mueller et al. 2007, section 3.5): momentum and angular momentum stay as they are.
#include "bodies/soft/soft_internal.h"

#define INNER 1.0 // 1/s: how fast motion within the body dies

// The same for a ball of no bounce that is being squashed, 1/s. Its links, stiff as they are, store
// the blow for a moment and give it back: what it does not keep of a fall must be lost here.
#define SQUASH 500.0

// Vertices on a line do not resist turning about it: below this part the matrix is singular.
#define SINGULAR 1e-9

// Solves I a = angular for the inertia I of the vertices about a point, by Cramer's rule.
void rl_soft_find_turn(const rl_soft_work *work, const double about[3], const double angular[3],
                       double out[3])
{
    const rl_soft *soft = work->soft;
    double row[3][3] = {{0.0}}, cross[3][3], largest = 0.0;
    for (int v = 0; v < work->vertices; v++) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = soft->x[3 * v + k] - about[k];
        const double square = rl_dot(arm, arm), mass = soft->mass[v];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l <= k; l++)
                row[k][l] += mass * ((k == l ? square : 0.0) - arm[k] * arm[l]);
    }
    row[0][1] = row[1][0];
    row[0][2] = row[2][0];
    row[1][2] = row[2][1];
    for (int k = 0; k < 3; k++) {
        rl_cross(row[(k + 1) % 3], row[(k + 2) % 3], cross[k]);
        largest = row[k][k] > largest ? row[k][k] : largest;
    }
    const double volume = rl_dot(row[0], cross[0]);
    const bool singular = !(volume > SINGULAR * largest * largest * largest);
    for (int k = 0; k < 3; k++) // symmetric: the crossed rows are also the columns of the inverse
        out[k] = singular ? 0.0 : rl_dot(cross[k], angular) / volume;
}

rl_soft_whole rl_soft_find_whole(const rl_soft_work *work, const double *field)
{
    const rl_soft *soft = work->soft;
    rl_soft_whole whole = {.centre = {0.0, 0.0, 0.0}};
    double mass = 0.0, angular[3] = {0.0, 0.0, 0.0};
    for (int v = 0; v < work->vertices; v++) {
        mass += soft->mass[v];
        for (int k = 0; k < 3; k++) {
            whole.centre[k] += soft->mass[v] * soft->x[3 * v + k];
            whole.mean[k] += soft->mass[v] * field[3 * v + k];
        }
    }
    RL_ASSERT(mass > 0.0);
    for (int k = 0; k < 3; k++) {
        whole.centre[k] /= mass;
        whole.mean[k] /= mass;
    }
    for (int v = 0; v < work->vertices; v++) {
        double arm[3], beside[3], turning[3];
        for (int k = 0; k < 3; k++) {
            arm[k] = soft->x[3 * v + k] - whole.centre[k];
            beside[k] = field[3 * v + k] - whole.mean[k];
        }
        rl_cross(arm, beside, turning);
        for (int k = 0; k < 3; k++)
            angular[k] += soft->mass[v] * turning[k];
    }
    rl_soft_find_turn(work, whole.centre, angular, whole.turn);
    return whole;
}

static bool is_touching(const rl_soft_work *w)
{
    for (int v = 0; v < w->vertices; v++)
        if (w->soft->touch[v].touches)
            return true;
    return false;
}

void rl_soft_damp(rl_soft_work *work)
{
    rl_soft *soft = work->soft;
    const bool squashed = !work->sheet && is_touching(work);
    const double rate = INNER + (squashed ? SQUASH * (1.0 - work->body->def.bounce) : 0.0);
    const double part = work->dt * rate / (1.0 + work->dt * rate);
    RL_ASSERT(part >= 0.0 && part < 1.0);
    const rl_soft_whole whole = rl_soft_find_whole(work, soft->v);
    for (int v = 0; v < work->vertices; v++) {
        double rigid[3];
        rl_soft_whole_at(&whole, soft->x + 3 * (size_t)v, rigid);
        for (int k = 0; k < 3; k++)
            soft->v[3 * v + k] += part * (rigid[k] - soft->v[3 * v + k]);
    }
}
