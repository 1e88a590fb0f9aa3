// SPDX-License-Identifier: MIT
#include "solvers/swe/swe_eddy_rows.h"

#include "core/cpu.h"
#include "solvers/swe/swe_eddy_cell.h"

// Loads are aligned; neighbours east and west come from the vectors beside by a lane shift.
RL_CELL rl_real load_east(const float *row, int i)
{
    return rl_east(rl_load(row + i), rl_load(row + i + RL_LANES));
}

RL_CELL rl_real load_west(const float *row, int i)
{
    return rl_west(rl_load(row + i - RL_LANES), rl_load(row + i));
}

RL_CELL rl_swe_end load_end(const float *bed, const float *depth, int i)
{
    return rl_swe_end_of(rl_load(bed + i), rl_load(depth + i));
}

RL_CELL rl_swe_end load_end_east(const float *bed, const float *depth, int i)
{
    return rl_swe_end_of(load_east(bed, i), load_east(depth, i));
}

RL_CELL rl_swe_end load_end_west(const float *bed, const float *depth, int i)
{
    return rl_swe_end_of(load_west(bed, i), load_west(depth, i));
}

static void strain(const rl_swe_strain_row *row, rl_swe_coef k)
{
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_swe_end here = load_end(row->bed, row->depth, i);
        const rl_swe_end west = load_end_west(row->bed, row->depth, i);
        const rl_swe_end east = load_end_east(row->bed, row->depth, i);
        const rl_swe_end south = load_end(row->bed_south, row->depth_south, i);
        const rl_swe_end north = load_end(row->bed_north, row->depth_north, i);
        const rl_real u = rl_load(row->u + i), v = rl_load(row->v + i);
        const rl_real x = rl_swe_stretch(load_west(row->u, i), u, west, here, east, k);
        const rl_real y = rl_swe_stretch(rl_load(row->v_south + i), v, south, here, north, k);
        rl_store(row->x + i, x);
        rl_store(row->y + i, y);
        rl_store(row->square + i, rl_swe_stretch_square(x, y));
        const rl_swe_corner corner = {.south_west = here,
                                      .south_east = east,
                                      .north_west = north,
                                      .north_east =
                                          load_end_east(row->bed_north, row->depth_north, i),
                                      .u_south = u,
                                      .u_north = rl_load(row->u_north + i),
                                      .v_west = v,
                                      .v_east = load_east(row->v, i)};
        rl_store(row->shear + i, rl_swe_shear(corner, k));
        rl_store(row->corner_depth + i, rl_swe_corner_depth(corner));
    }
}

static void stress(const rl_swe_stress_row *row, rl_swe_coef k)
{
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real square = rl_load(row->square + i), shear = rl_load(row->shear + i);
        const rl_real in_cell = rl_swe_cell_viscosity(square, load_west(row->shear_south, i),
                                                      rl_load(row->shear_south + i),
                                                      load_west(row->shear, i), shear, k);
        const rl_real depth = rl_load(row->depth + i);
        rl_store(row->normal_x + i, rl_swe_normal_stress(depth, in_cell, rl_load(row->x + i)));
        rl_store(row->normal_y + i, rl_swe_normal_stress(depth, in_cell, rl_load(row->y + i)));
        const rl_real at_corner = rl_swe_corner_viscosity(shear, square, load_east(row->square, i),
                                                          rl_load(row->square_north + i),
                                                          load_east(row->square_north, i), k);
        rl_store(row->shear_stress + i, (rl_load(row->corner_depth + i) * at_corner) * shear);
    }
}

static void strained(const rl_swe_strained_row *row, rl_swe_coef k)
{
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real depth = rl_load(row->depth + i), shear = rl_load(row->shear_stress + i);
        const rl_real x = rl_load(row->normal_x + i), y = rl_load(row->normal_y + i);
        const rl_real u = rl_swe_strained(rl_load(row->u + i), load_east(row->normal_x, i) - x,
                                          shear - rl_load(row->shear_stress_south + i), depth,
                                          load_east(row->depth, i), k);
        const rl_real v = rl_swe_strained(rl_load(row->v + i), rl_load(row->normal_y_north + i) - y,
                                          shear - load_west(row->shear_stress, i), depth,
                                          rl_load(row->depth_north + i), k);
        rl_store(row->u_out + i, u);
        rl_store(row->v_out + i, v);
    }
}

const rl_swe_eddy_rows RL_ROWS(rl_swe_eddy_rows) = {
    .isa = RL_ISA_TEXT,
    .strain = strain,
    .stress = stress,
    .strained = strained,
};
