// SPDX-License-Identifier: MIT
// sidebar.h - the panel on the right: scene, time, brush, light, water, overlays, graphs, probe.
#pragma once

#include "apps/view/window.h"

void sidebar(view *v);

// What has not been set by hand yet.
window_settings sidebar_settings(void);

// Notes the figures of a picture for the graphs.
void sidebar_remember(view *v);
