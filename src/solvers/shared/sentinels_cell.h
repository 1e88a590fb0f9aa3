// SPDX-License-Identifier: MIT
// sentinels_cell.h - values that stand for what is not there, the same in every solver and on every
// back end.
#pragma once

// Farther than any ground, water or ceiling can be, metres: the ceiling of a column that is open to
// the sky (RL_SOLID_SKY), the range of a slot without a column, a limit that does not bind.
#define RL_FAR 1e30f

#define RL_WALL           RL_FAR    // ground beyond a border that lets nothing through
#define RL_BLOCK_NO_LOWER RL_FAR    // underside of what hangs over a cell: nothing does
#define RL_BLOCK_NO_UPPER (-RL_FAR) // and its top
#define RL_NO_LEVEL       (-RL_FAR) // level of water where there is none

// Running maximum of a row that nothing was given to.
#define RL_NO_DEPOSIT (-1.0f)
