// SPDX-License-Identifier: MIT
// status.c - names of statuses, and the message of the last error of each thread.
#include "rill/support.h"

#include "core/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SENTENCE_BYTES 1024

static _Thread_local char last_error[SENTENCE_BYTES];

const char *rill_status_name(rill_status status)
{
    switch (status) {
#define X(name, text) \
    case RILL_##name: \
        return #name;
        RILL_STATUS_LIST(X)
#undef X
    }
    return "UNKNOWN";
}

const char *rill_status_text(rill_status status)
{
    switch (status) {
#define X(name, text) \
    case RILL_##name: \
        return text;
        RILL_STATUS_LIST(X)
#undef X
    }
    return "an unknown status";
}

const char *rill_last_error(void)
{
    return last_error;
}

#define TEXT_OF(x)                        #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *rill_version(void)
{
    return VERSION_TEXT(RILL_VERSION_MAJOR, RILL_VERSION_MINOR, RILL_VERSION_PATCH);
}

rill_status rill_fail(rill_status status, const char *format, ...)
{
    RL_ASSERT(status != RILL_OK);
    // The text is formatted aside first: an argument may be the old message itself.
    char fresh[SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    memcpy(last_error, fresh, sizeof fresh);
    return status;
}

rill_status rill_fail_prefix(rill_status status, const char *format, ...)
{
    RL_ASSERT(status != RILL_OK && last_error[0] != '\0');
    char prefix[SENTENCE_BYTES / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    char old[SENTENCE_BYTES];
    memcpy(old, last_error, sizeof old);
    snprintf(last_error, sizeof last_error, "%s: %.*s", prefix,
             (int)(sizeof last_error - strlen(prefix) - 3), old);
    return status;
}

rill_status rill_host_check(const rill_host *host)
{
    if (host != NULL && (host->allocator.allocate == NULL) != (host->allocator.release == NULL))
        return rill_fail(RILL_BAD_DEF, "the allocator has only one of its two functions");
    return RILL_OK;
}
