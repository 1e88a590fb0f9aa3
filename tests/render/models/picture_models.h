// SPDX-License-Identifier: MIT
// picture_models.h - stills made by hand for golden images: solid grounds with liquid on them,
// which depend on neither a solver nor the library's surfaces.
#pragma once

#include "render/frame/frame_data.h"

// Fills an all-zero still, which frame_data_destroy() frees, and says how to look at it.
typedef rill_view (*picture_model)(frame_data *s);

// A block of bone with a ball, a bowl, a tunnel and a shelf that hangs over; blood in the bowl, as
// a film, as a sheet that hangs from the shelf, and in the tunnel up to the border.
rill_view picture_model_bone(frame_data *s);

// The same shapes of wood under the sky, with coffee, a part of them wet.
rill_view picture_model_table(frame_data *s);

// Coffee in a round basin of plaster, as it wets the wall and as if it were flat.
rill_view picture_model_meniscus(frame_data *s);
rill_view picture_model_flat(frame_data *s);
