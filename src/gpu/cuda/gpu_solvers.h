// SPDX-License-Identifier: MIT
// gpu_solvers.h - the solvers that run on a CUDA device, as tables of functions.
#pragma once

#include "solvers/solver.h"

extern const rl_solver_ops rl_gpu_pipes_ops, rl_gpu_layers_ops, rl_gpu_swe_ops;
