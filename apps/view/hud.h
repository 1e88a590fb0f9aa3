// SPDX-License-Identifier: MIT
// hud.h - text on the picture beside the panel: the line of status, the legend of an overlay,
// messages that come and go, and help.
#pragma once

#include "apps/view/window.h"

#define HUD_STATUS_HEIGHT 26.0 // points, at the lower edge
#define HUD_PANEL_WIDTH   300.0

void hud_status(view *v);
void hud_legend(view *v);
void hud_note(view *v);
void hud_help(view *v);
// Draws a line from the body that the picker holds to the mouse.
void hud_held(view *v);
// Draws a message before the first scene is there, and while another one is being opened.
void hud_opening(view *v);
