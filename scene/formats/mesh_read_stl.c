// SPDX-License-Identifier: MIT
// mesh_read_stl.c - STL, the format of machine tools: triangles with three corners of their own
// each.
//
// Binary: 80 bytes of anything, the number of triangles, then for each a normal, three corners and
// two bytes, 50 in all, little-endian. Text: words. Binary files may begin with `solid` just as
// text does, so the size decides: a file that is exactly as long as its number of triangles asks
// for is binary. (In text the four bytes of that number would make it larger than any file.)
#include "scene/formats/mesh_read.h"

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

static bool is_binary(const rl_scan *scan)
{
    return scan->size >= HEADER_BYTES &&
           scan->size ==
               HEADER_BYTES + TRIANGLE_BYTES * (uint64_t)u32_at(scan->bytes + HEADER_BYTES - 4);
}

static bool word_is(const rl_scan *scan, const char *name)
{
    return rl_word_is(scan->word, strlen(scan->word), name);
}

// Returns whether the file begins with the word `solid`.
static bool is_text(const rl_scan *scan)
{
    rl_scan probe = *scan;
    return rl_scan_next(&probe) && word_is(&probe, "solid");
}

bool rl_mesh_is_stl(const rl_mesh_reader *reader)
{
    return is_binary(&reader->scan) || is_text(&reader->scan);
}

static bool last_three_are_a_triangle(rl_mesh_reader *reader)
{
    RL_ASSERT(reader->data->vertex_count >= 3);
    const uint32_t count = (uint32_t)reader->data->vertex_count;
    return rl_mesh_add_triangle(reader, count - 3, count - 2, count - 1);
}

// ---- Binary ----------------------------------------------------------------------------

static bool read_binary(rl_mesh_reader *reader)
{
    rl_scan *scan = &reader->scan;
    scan->binary = true;
    for (size_t at = HEADER_BYTES; at < scan->size; at += TRIANGLE_BYTES) {
        for (size_t corner = 0; corner < 3; corner++) {
            double position[3];
            const size_t byte = at + 12 + 12 * corner;
            for (size_t k = 0; k < 3; k++)
                position[k] = f32_at(scan->bytes + byte + 4 * k);
            scan->word_line = (int64_t)byte;
            if (!rl_mesh_add_vertex(reader, position, "corner"))
                return false;
        }
        if (!last_three_are_a_triangle(reader))
            return false;
    }
    return true;
}

// ---- Text ------------------------------------------------------------------------------

static bool expect(rl_scan *scan, const char *name)
{
    if (!rl_scan_next(scan))
        return false;
    if (word_is(scan, name))
        return true;
    if (scan->word[0] == '\0')
        return rl_scan_fail_line(scan, "ends where '%s' should follow", name);
    return rl_scan_fail_line(scan, "'%s' stands where '%s' should", scan->word, name);
}

static bool read_corner(rl_mesh_reader *reader)
{
    rl_scan *scan = &reader->scan;
    double position[3] = {0};
    if (!expect(scan, "vertex"))
        return false;
    for (int k = 0; k < 3; k++)
        if (!rl_scan_next(scan) || !rl_scan_number(scan, "a coordinate", &position[k]))
            return false;
    return rl_mesh_add_vertex(reader, position, "corner");
}

// Reads a triangle behind the word `facet`. The normal follows from the corners and is not used:
// many writers leave it zero, or not a number.
static bool read_facet(rl_mesh_reader *reader)
{
    rl_scan *scan = &reader->scan;
    bool went_well = expect(scan, "normal");
    for (int k = 0; k < 3 && went_well; k++)
        went_well = rl_scan_next(scan);
    went_well = went_well && expect(scan, "outer") && expect(scan, "loop");
    for (int corner = 0; corner < 3 && went_well; corner++)
        went_well = read_corner(reader);
    return went_well && expect(scan, "endloop") && expect(scan, "endfacet") &&
           last_three_are_a_triangle(reader);
}

// A file may hold several solids, one after the other; all of them are read.
static bool read_text(rl_mesh_reader *reader)
{
    rl_scan *scan = &reader->scan;
    bool within = false;
    while (rl_scan_next(scan) && scan->word[0] != '\0') {
        if (within && word_is(scan, "facet")) {
            if (!read_facet(reader))
                return false;
        } else if (word_is(scan, within ? "endsolid" : "solid")) {
            within = !within;
            rl_scan_skip_line(scan); // its name
        } else {
            return rl_scan_fail_line(scan, "'%s' stands where '%s' should", scan->word,
                                     within ? "facet' or 'endsolid" : "solid");
        }
    }
    return !within || rl_scan_fail_line(scan, "ends where 'facet' or 'endsolid' should follow");
}

bool rl_mesh_read_stl(rl_mesh_reader *reader)
{
    rl_scan *scan = &reader->scan;
    if (is_binary(scan))
        return read_binary(reader);
    if (is_text(scan))
        return read_text(reader);
    if (scan->size < HEADER_BYTES)
        return rl_scan_fail(scan,
                            "byte %zu: ends within the header of a binary STL of %d bytes, and is "
                            "no text, which begins with 'solid'",
                            scan->size, HEADER_BYTES);
    const uint32_t count = u32_at(scan->bytes + HEADER_BYTES - 4);
    return rl_scan_fail(scan,
                        "byte %d: the header of a binary STL announces %u triangles, which take "
                        "%llu bytes, and the file has %zu",
                        HEADER_BYTES - 4, (unsigned)count,
                        (unsigned long long)(HEADER_BYTES + TRIANGLE_BYTES * (uint64_t)count),
                        scan->size);
}
