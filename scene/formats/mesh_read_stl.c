// SPDX-License-Identifier: MIT
// mesh_read_stl.c - STL, the format of machine tools: triangles with three corners of their own
// each.
//
// Binary: 80 bytes of anything, the number of triangles, then for each a normal, three corners and
// two bytes, 50 in all, little-endian. Text: words. Binary files may begin with `solid` just as
// text does, so the size decides: a file that is exactly as long as its number of triangles asks
// for is binary. (In text the four bytes of that number would make it larger than any file.)
#include "scene/formats/mesh_read_parts.h"
#include "scene/scene_assert.h"

#include "rill/support.h"

#include <string.h>

#define HEADER_BYTES   84
#define TRIANGLE_BYTES 50

static uint32_t u32_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double f32_at(const unsigned char *p)
{
    const uint32_t bits = u32_at(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool is_binary(const rl_mesh_reader *reader)
{
    return reader->size >= HEADER_BYTES &&
           reader->size ==
               HEADER_BYTES + TRIANGLE_BYTES * (uint64_t)u32_at(reader->bytes + HEADER_BYTES - 4);
}

// Returns whether the file begins with the word `solid`.
static bool is_text(const rl_mesh_reader *reader)
{
    rl_mesh_reader probe = *reader;
    return rl_mesh_word(&probe) == RILL_OK && rl_mesh_word_is(&probe, "solid");
}

bool rl_mesh_is_stl(const rl_mesh_reader *reader)
{
    return is_binary(reader) || is_text(reader);
}

// ---- Binary ----------------------------------------------------------------------------

static rill_status last_three_are_a_triangle(rl_mesh_reader *reader)
{
    RL_ASSERT(reader->data->vertex_count >= 3);
    const uint32_t count = (uint32_t)reader->data->vertex_count;
    return rl_mesh_add_triangle(reader, count - 3, count - 2, count - 1);
}

static rill_status read_binary(rl_mesh_reader *reader)
{
    rill_status status = RILL_OK;
    size_t at = HEADER_BYTES;
    for (; status == RILL_OK && at < reader->size; at += TRIANGLE_BYTES) {
        for (size_t corner = 0; status == RILL_OK && corner < 3; corner++) {
            double position[3];
            const size_t byte = at + 12 + 12 * corner;
            for (size_t k = 0; k < 3; k++)
                position[k] = f32_at(reader->bytes + byte + 4 * k);
            if (!rl_mesh_is_finite(position))
                return rill_fail(RILL_BAD_FILE,
                                 "%s: byte %zu: a coordinate of the corner is not finite",
                                 reader->name, byte);
            status = rl_mesh_add_vertex(reader, position);
        }
        if (status == RILL_OK)
            status = last_three_are_a_triangle(reader);
    }
    return status;
}

// ---- Text ------------------------------------------------------------------------------

static rill_status read_numbers(rl_mesh_reader *reader, const char *what, double values[3])
{
    rill_status status = RILL_OK;
    for (int k = 0; k < 3 && status == RILL_OK; k++) {
        status = rl_mesh_word(reader);
        if (status == RILL_OK)
            status = rl_mesh_number(reader, what, &values[k]);
    }
    return status;
}

static rill_status read_corner(rl_mesh_reader *reader)
{
    double position[3];
    const rill_status status = read_numbers(reader, "a coordinate", position);
    if (status != RILL_OK)
        return status;
    if (!rl_mesh_is_finite(position))
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: a coordinate of the corner is not finite",
                         reader->name, (long long)reader->word_line);
    return rl_mesh_add_vertex(reader, position);
}

static rill_status expect(rl_mesh_reader *reader, const char *name)
{
    const rill_status status = rl_mesh_word(reader);
    if (status != RILL_OK || rl_mesh_word_is(reader, name))
        return status;
    if (reader->word[0] == '\0')
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: ends where '%s' should follow",
                         reader->name, (long long)reader->word_line, name);
    return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' stands where '%s' should", reader->name,
                     (long long)reader->word_line, reader->word, name);
}

// Reads a triangle behind the word `facet`. The normal follows from the corners and is not used:
// many writers leave it zero, or not a number.
static rill_status read_facet(rl_mesh_reader *reader)
{
    rill_status status = expect(reader, "normal");
    for (int k = 0; k < 3 && status == RILL_OK; k++)
        status = rl_mesh_word(reader);
    if (status == RILL_OK)
        status = expect(reader, "outer");
    if (status == RILL_OK)
        status = expect(reader, "loop");
    for (int corner = 0; corner < 3 && status == RILL_OK; corner++) {
        status = expect(reader, "vertex");
        if (status == RILL_OK)
            status = read_corner(reader);
    }
    if (status == RILL_OK)
        status = expect(reader, "endloop");
    if (status == RILL_OK)
        status = expect(reader, "endfacet");
    if (status == RILL_OK)
        status = last_three_are_a_triangle(reader);
    return status;
}

// A file may hold several solids, one after the other; all of them are read.
static rill_status read_text(rl_mesh_reader *reader)
{
    bool within = false;
    for (;;) {
        rill_status status = rl_mesh_word(reader);
        if (status != RILL_OK)
            return status;
        if (reader->word[0] == '\0')
            break;
        if (within && rl_mesh_word_is(reader, "facet")) {
            status = read_facet(reader);
        } else if (rl_mesh_word_is(reader, within ? "endsolid" : "solid")) {
            within = !within;
            rl_mesh_skip_line(reader); // its name
        } else {
            return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' stands where '%s' should",
                             reader->name, (long long)reader->word_line, reader->word,
                             within ? "facet' or 'endsolid" : "solid");
        }
        if (status != RILL_OK)
            return status;
    }
    if (within)
        return rill_fail(RILL_BAD_FILE,
                         "%s: line %lld: ends where 'facet' or 'endsolid' should follow",
                         reader->name, (long long)reader->word_line);
    return RILL_OK;
}

rill_status rl_mesh_read_stl(rl_mesh_reader *reader)
{
    if (is_binary(reader))
        return read_binary(reader);
    if (is_text(reader))
        return read_text(reader);
    if (reader->size < HEADER_BYTES)
        return rill_fail(RILL_BAD_FILE,
                         "%s: byte %zu: ends within the header of a binary STL of %d bytes, and is "
                         "no text, which begins with 'solid'",
                         reader->name, reader->size, HEADER_BYTES);
    const uint32_t count = u32_at(reader->bytes + HEADER_BYTES - 4);
    return rill_fail(RILL_BAD_FILE,
                     "%s: byte %d: the header of a binary STL announces %u triangles, which take "
                     "%llu bytes, and the file has %zu",
                     reader->name, HEADER_BYTES - 4, (unsigned)count,
                     (unsigned long long)(HEADER_BYTES + TRIANGLE_BYTES * (uint64_t)count),
                     reader->size);
}
