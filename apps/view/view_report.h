// SPDX-License-Identifier: MIT
// report.h - the state of window and world as JSON, for scripts.
#pragma once

#include "apps/view/window.h"

rill_status report_write(view *v, const char *path);
