// SPDX-License-Identifier: MIT
// raster_files.h - for tests of readers: small files, loading them, and looking at the sentence
// when they are refused. Every test ends with all memory given back.
#pragma once

#include "scene/formats/raster.h"
#include "tests/kit/kit.h"

#include "rill/files.h"
#include "rill/terrain.h"

#ifndef RL_TEST_TMP
#define RL_TEST_TMP "."
#endif

#define COUNT(array)  ((int)(sizeof(array) / sizeof((array)[0])))
#define FILE_AT(name) RL_TEST_TMP "/raster_" name

static inline void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

static size_t bytes_in_use;

static inline void *counted_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    bytes_in_use += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void counted_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    bytes_in_use -= bytes;
    free(memory);
}

static const rill_host counting_host = {.allocator = {NULL, counted_allocate, counted_release}};

static inline rill_heightfield_load_def default_def(void)
{
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    def.host = &counting_host;
    return def;
}

static inline rill_heightfield *load_with(const char *path, rill_heightfield_load_def def)
{
    rill_heightfield *heightfield = NULL;
    if (rill_heightfield_load(path, &def, &heightfield) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return heightfield;
}

static inline void assert_refused_with(const char *path, rill_heightfield_load_def def,
                                       rill_status wanted, const char *part)
{
    const size_t before = bytes_in_use;
    rill_heightfield *heightfield = NULL;
    const rill_status status = rill_heightfield_load(path, &def, &heightfield);
    if (status != wanted || strstr(rill_last_error(), part) == NULL)
        fail_msg("%s, and '%s' was looked for in: %s", rill_status_name(status), part,
                 rill_last_error());
    assert_null(heightfield);
    assert_int_equal(bytes_in_use, before);
    if (wanted == RILL_BAD_FILE) {
        assert_int_equal(strncmp(rill_last_error(), path, strlen(path)), 0);
        assert_null(strchr(rill_last_error(), '\n'));
    }
}

static inline void assert_refused(const char *path, const char *part)
{
    assert_refused_with(path, default_def(), RILL_BAD_FILE, part);
}

static inline void destroy(rill_heightfield **heightfield)
{
    rill_heightfield_destroy(heightfield);
    assert_int_equal(bytes_in_use, 0);
}

static inline double value_at(const rill_heightfield *heightfield, int i, int j)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    return (double)view.data[(size_t)j * view.pitch + (size_t)i];
}

// Three by two cells; the south-west one is 4.25.
static const char grid_text[] = "ncols 3\nnrows 2\nxllcorner 1000.5\nyllcorner -20\ncellsize 2.5\n"
                                "NODATA_value -9999\n1 2 3\n4.25 -5e-1 +6\n";

// False, after a look at the sentence, in a build without GDAL.
static inline bool has_gdal(void)
{
    const rill_heightfield_load_def def = rill_default_heightfield_load_def();
    rill_heightfield *heightfield = NULL;
    const rill_status status = rl_raster_load_gdal(FILE_AT("missing.tif"), &def, &heightfield);
    assert_null(heightfield);
    if (status == RILL_NO_BACKEND)
        assert_non_null(strstr(rill_last_error(), "GDAL"));
    return status != RILL_NO_BACKEND;
}
