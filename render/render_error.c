// SPDX-License-Identifier: MIT
// render_error.c - holds the message of the last error of each thread.
#include "render/render_error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char sentence[512];

rill_status render_fail(rill_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return status;
}

rill_status render_fail_from_rill(rill_status status)
{
    return render_fail(status, "%s", rill_last_error());
}

const char *render_error_text(void)
{
    return sentence;
}
