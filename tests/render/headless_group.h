// SPDX-License-Identifier: MIT
// headless_group.h - an OpenGL context that all tests of a file share.
#pragma once

#include "render/output/headless.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"

static headless *context;

static int open_context(KIT_UNUSED void **state)
{
    if (headless_create(&context) == RILL_OK)
        return 0;
    print_error("%s\n", render_error_text());
    return -1;
}

static int close_context(KIT_UNUSED void **state)
{
    headless_destroy(&context);
    return 0;
}

TEST_GROUP(open_context, close_context);
