// SPDX-License-Identifier: MIT
// mesh_read.c - finds the kind of a mesh file and has the functions that its readers share. A file
// is read whole; all counts in it are checked against its size before memory is taken for them.
#include "scene/formats/mesh_read.h"

#include "scene/scene_assert.h"

#include "scene/formats/mesh_read_parts.h"
#include "scene/toml/parse_number.h"

#include "rill/support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Text ------------------------------------------------------------------------------

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

rill_status rl_mesh_word_of_line(rl_mesh_reader *reader)
{
    const unsigned char *bytes = reader->bytes;
    size_t at = reader->at, length = 0;
    while (at < reader->size && is_blank(bytes[at]))
        at++;
    reader->word_line = reader->line;
    for (; at < reader->size && bytes[at] != '\n' && !is_blank(bytes[at]); at++) {
        if (length == RL_MESH_WORD_BYTES - 1)
            return rill_fail(RILL_BAD_FILE, "%s: line %lld: a word is longer than %d characters",
                             reader->name, (long long)reader->line, RL_MESH_WORD_BYTES - 1);
        // Bytes that are no text must not reach a message.
        reader->word[length++] = (char)(bytes[at] > ' ' && bytes[at] < 127 ? bytes[at] : '?');
    }
    reader->word[length] = '\0';
    reader->at = at;
    return RILL_OK;
}

rill_status rl_mesh_word(rl_mesh_reader *reader)
{
    for (;;) {
        const rill_status status = rl_mesh_word_of_line(reader);
        if (status != RILL_OK || reader->word[0] != '\0' || reader->at == reader->size)
            return status;
        reader->at++; // the end of the line
        reader->line++;
    }
}

void rl_mesh_skip_line(rl_mesh_reader *reader)
{
    if (reader->at == reader->size)
        return;
    const unsigned char *end = memchr(reader->bytes + reader->at, '\n', reader->size - reader->at);
    reader->at = end == NULL ? reader->size : (size_t)(end - reader->bytes) + 1;
    reader->line += end != NULL;
}

rill_status rl_mesh_number(const rl_mesh_reader *reader, const char *what, double *value)
{
    if (reader->word[0] == '\0')
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: ends before %s", reader->name,
                         (long long)reader->word_line, what);
    if (!rl_parse_number(reader->word, value))
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' is not a number, as %s has to be",
                         reader->name, (long long)reader->word_line, reader->word, what);
    return RILL_OK;
}

bool rl_mesh_word_is(const rl_mesh_reader *reader, const char *name)
{
    size_t k = 0;
    for (; name[k] != '\0'; k++) {
        const char c = reader->word[k];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != name[k])
            return false;
    }
    return reader->word[k] == '\0';
}

// ---- The mesh --------------------------------------------------------------------------

rill_status rl_mesh_reserve(const rl_mesh_reader *reader, void **memory, size_t *bytes, size_t used,
                            size_t count, size_t value_bytes)
{
    RL_ASSERT(used * value_bytes <= *bytes);
    const size_t needed = (used + count) * value_bytes;
    if (needed <= *bytes)
        return RILL_OK;
    size_t fresh = *bytes < 512 ? 512 : *bytes;
    while (fresh < needed)
        fresh *= 2;
    void *moved = rill_realloc(reader->allocator, *memory, *bytes, fresh);
    if (moved == NULL)
        return rill_fail(RILL_NO_MEMORY, "%s: no memory for its triangles (%zu bytes)",
                         reader->name, fresh);
    *memory = moved;
    *bytes = fresh;
    return RILL_OK;
}

bool rl_mesh_is_finite(const double position[3])
{
    for (int k = 0; k < 3; k++)
        if (!isfinite((float)position[k]))
            return false;
    return true;
}

rill_status rl_mesh_add_vertex(rl_mesh_reader *reader, const double position[3])
{
    rl_mesh_data *data = reader->data;
    void *memory = data->vertices;
    const rill_status status = rl_mesh_reserve(reader, &memory, &data->vertex_bytes,
                                               data->vertex_count, 1, 3 * sizeof(float));
    data->vertices = memory;
    if (status != RILL_OK)
        return status;
    for (size_t k = 0; k < 3; k++)
        data->vertices[3 * data->vertex_count + k] = (float)position[k];
    data->vertex_count++;
    return RILL_OK;
}

rill_status rl_mesh_add_triangle(rl_mesh_reader *reader, uint32_t a, uint32_t b, uint32_t c)
{
    RL_ASSERT(reader->data != NULL);
    rl_mesh_data *data = reader->data;
    void *memory = data->indices;
    const rill_status status = rl_mesh_reserve(reader, &memory, &data->index_bytes,
                                               data->index_count, 3, sizeof(uint32_t));
    data->indices = memory;
    if (status != RILL_OK)
        return status;
    data->indices[data->index_count++] = a;
    data->indices[data->index_count++] = b;
    data->indices[data->index_count++] = c;
    return RILL_OK;
}

rill_status rl_mesh_add_corner(rl_mesh_reader *reader, uint32_t vertex)
{
    void *memory = reader->corners;
    const rill_status status = rl_mesh_reserve(reader, &memory, &reader->corner_bytes,
                                               reader->corner_count, 1, sizeof(uint32_t));
    reader->corners = memory;
    if (status == RILL_OK)
        reader->corners[reader->corner_count++] = vertex;
    return status;
}

void rl_mesh_data_free(const rill_allocator *allocator, rl_mesh_data *data)
{
    rill_free(allocator, data->vertices, data->vertex_bytes);
    rill_free(allocator, data->indices, data->index_bytes);
    *data = (rl_mesh_data){0};
}

// ---- Files -----------------------------------------------------------------------------

// `ending` in small letters.
static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), count = strlen(ending);
    if (length < count)
        return false;
    for (size_t k = 0; k < count; k++) {
        const char c = name[length - count + k];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != ending[k])
            return false;
    }
    return true;
}

rill_status rl_mesh_parse(const rill_allocator *allocator, const char *name, const void *bytes,
                          size_t size, rl_mesh_data *out)
{
    RL_ASSERT(bytes != NULL || size == 0);
    *out = (rl_mesh_data){0};
    rl_mesh_reader reader = {
        .allocator = allocator, .name = name, .bytes = bytes, .size = size, .line = 1, .data = out};
    rill_status status;
    if (size == 0)
        status = rill_fail(RILL_BAD_FILE, "%s: is empty", name);
    else if (rl_mesh_is_ply(&reader))
        status = rl_mesh_read_ply(&reader);
    else if (ends_in(name, ".obj"))
        status = rl_mesh_read_obj(&reader);
    else if (rl_mesh_is_stl(&reader) || ends_in(name, ".stl"))
        status = rl_mesh_read_stl(&reader);
    else
        status = rill_fail(RILL_BAD_FILE,
                           "%s: is no mesh that Rill knows: OBJ (by its ending .obj), PLY and STL "
                           "(by their content) are read",
                           name);
    if (status == RILL_OK && out->index_count == 0)
        status = rill_fail(RILL_BAD_FILE, "%s: has no triangles", name);
    rill_free(allocator, reader.corners, reader.corner_bytes);
    rill_free(allocator, reader.flat, reader.flat_bytes);
    if (status != RILL_OK)
        rl_mesh_data_free(allocator, out);
    return status;
}

static rill_status cannot_read(const char *path)
{
    return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno));
}

// Returns the size of a file. Reading one byte first detects a folder, whose size may be anything.
static rill_status measure(const char *path, FILE *file, size_t *size)
{
    errno = 0;
    const int first = fgetc(file);
    if (first == EOF && ferror(file))
        return cannot_read(path);
    if (fseeko(file, 0, SEEK_END) != 0)
        return cannot_read(path);
    const off_t length = ftello(file);
    if (length < 0 || fseeko(file, 0, SEEK_SET) != 0)
        return cannot_read(path);
    if ((uintmax_t)length > RL_MESH_MAX_BYTES)
        return rill_fail(RILL_BAD_FILE, "%s: has %lld bytes, at most %zu are read", path,
                         (long long)length, RL_MESH_MAX_BYTES);
    *size = (size_t)length;
    return RILL_OK;
}

rill_status rl_mesh_read(const rill_allocator *allocator, const char *path, rl_mesh_data *out)
{
    *out = (rl_mesh_data){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    size_t size = 0;
    unsigned char *bytes = NULL;
    rill_status status = measure(path, file, &size);
    if (status == RILL_OK && size > 0) {
        bytes = rill_alloc(allocator, size);
        if (bytes == NULL)
            status = rill_fail(RILL_NO_MEMORY, "%s: no memory for its %zu bytes", path, size);
        else if (fread(bytes, 1, size, file) != size)
            status = cannot_read(path);
    }
    fclose(file);
    if (status == RILL_OK)
        status = rl_mesh_parse(allocator, path, bytes, size, out);
    rill_free(allocator, bytes, size);
    return status;
}
