// SPDX-License-Identifier: MIT
// solvers.c - the solvers that there are. A new one is its folder, its number in rill/world.h and
// its line here.
#include "solvers/solver.h"

// clang-format off
#define SOLVERS(add) \
    add(RILL_SOLVER_PIPES, rl_pipes_ops) \
    add(RILL_SOLVER_LAYERS, rl_layers_ops) \
    add(RILL_SOLVER_SWE, rl_swe_ops) \
    add(RILL_SOLVER_RIVER, rl_river_ops_table)
// clang-format on

#define DECLARE(number, ops) extern const rl_solver_ops ops;
SOLVERS(DECLARE)

#define ENTER(number, ops) [number] = &ops,
static const rl_solver_ops *const solvers[RILL_SOLVER_COUNT] = {SOLVERS(ENTER)};

const rl_solver_ops *rl_solver_of(rill_solver solver)
{
    return (unsigned)solver < RILL_SOLVER_COUNT ? solvers[solver] : NULL;
}

rill_solver_info rill_solver_about(rill_solver solver)
{
    const rl_solver_ops *ops = rl_solver_of(solver);
    if (ops == NULL)
        return (rill_solver_info){0};
    unsigned can = 0;
    can |= ops->moving_domain != NULL ? RILL_CAN_MOVE_DOMAIN : 0u;
    can |= ops->solids != NULL ? RILL_CAN_STAND_ON_SOLIDS : 0u;
    can |= ops->blocking != NULL ? RILL_CAN_BE_BLOCKED : 0u;
    can |= ops->motion != NULL ? RILL_CAN_FALL : 0u;
    can |= ops->walls != NULL ? RILL_CAN_WALL_CELLS : 0u;
    can |= ops->river != NULL ? RILL_CAN_FIND_RIVER : 0u;
    can |= ops->starts_moving ? RILL_CAN_START_MOVING : 0u;
    return (rill_solver_info){ops->name, ops->borders, can};
}
