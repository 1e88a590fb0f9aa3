// SPDX-License-Identifier: MIT
#include "render/render_error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char sentence[512];

rill_status trouble(rill_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return status;
}

rill_status trouble_from_rill(rill_status status)
{
    return trouble(status, "%s", rill_last_error());
}

const char *trouble_text(void)
{
    return sentence;
}
