// SPDX-License-Identifier: MIT
// headless_group.h - an OpenGL context for a group of tests: hand open_context and close_context to
// cmocka_run_group_tests.
#pragma once

#include "render/output/headless.h"
#include "render/render_error.h"

static headless *context;

static int open_context(void **state)
{
    (void)state;
    if (headless_create(&context) == RILL_OK)
        return 0;
    print_error("%s\n", render_error_text());
    return -1;
}

static int close_context(void **state)
{
    (void)state;
    headless_destroy(&context);
    return 0;
}
