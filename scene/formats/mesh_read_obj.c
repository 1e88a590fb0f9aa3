// SPDX-License-Identifier: MIT
// mesh_read_obj.c - Wavefront OBJ: lines of text that begin with a word. `v` gives a vertex, `f` a
// face by the numbers of its vertices, from 1 on, or from the last one backwards when negative;
// what follows a slash names textures and normals. All other lines are passed over.
#include "scene/formats/mesh_read_parts.h"

#include "rill/support.h"

#include <string.h>

static rill_status read_vertex(rl_mesh_reader *reader)
{
    static const char *const names[3] = {"x of a vertex", "y of a vertex", "z of a vertex"};
    double position[3];
    for (int k = 0; k < 3; k++) {
        rill_status status = rl_mesh_word_of_line(reader);
        if (status == RILL_OK)
            status = rl_mesh_number(reader, names[k], &position[k]);
        if (status != RILL_OK)
            return status;
    }
    if (!rl_mesh_is_finite(position))
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: a coordinate of the vertex is not finite",
                         reader->name, (long long)reader->line);
    return rl_mesh_add_vertex(reader, position);
}

// Returns the whole number before the first slash of `word`. Numbers beyond any file's count
// saturate.
static bool parse_index(const char *word, int64_t *value)
{
    const bool negative = *word == '-';
    word += negative || *word == '+';
    if (*word < '0' || *word > '9')
        return false;
    *value = 0;
    for (; *word >= '0' && *word <= '9'; word++)
        if (*value < (int64_t)1 << 40)
            *value = *value * 10 + (*word - '0');
    if (negative)
        *value = -*value;
    // What follows must look like /5, //7 or /5/7.
    for (int slashes = 0; *word != '\0'; word++)
        if (!((*word >= '0' && *word <= '9') || *word == '-' || (*word == '/' && slashes++ < 2)))
            return false;
    return true;
}

static rill_status read_corner(rl_mesh_reader *reader)
{
    const int64_t count = (int64_t)reader->data->vertex_count;
    int64_t index = 0;
    if (!parse_index(reader->word, &index))
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: '%s' is no corner of a face", reader->name,
                         (long long)reader->line, reader->word);
    const int64_t vertex = index > 0 ? index - 1 : count + index;
    if (index == 0 || vertex < 0 || vertex >= count)
        return rill_fail(RILL_BAD_FILE,
                         "%s: line %lld: the face names vertex %s, up to here there are %lld",
                         reader->name, (long long)reader->line, reader->word, (long long)count);
    return rl_mesh_add_corner(reader, (uint32_t)vertex);
}

// A line that ends in a backslash goes on in the next one; writers break long faces so. Takes the
// backslash off the word.
static bool joins_next_line(rl_mesh_reader *reader)
{
    const size_t length = strlen(reader->word);
    if (length == 0 || reader->word[length - 1] != '\\')
        return false;
    reader->word[length - 1] = '\0';
    return true;
}

static rill_status read_corners(rl_mesh_reader *reader)
{
    for (;;) {
        rill_status status = rl_mesh_word_of_line(reader);
        if (status != RILL_OK || reader->word[0] == '\0')
            return status;
        const bool joined = joins_next_line(reader);
        if (reader->word[0] != '\0')
            status = read_corner(reader);
        if (status != RILL_OK)
            return status;
        if (joined)
            rl_mesh_skip_line(reader);
    }
}

static rill_status read_face(rl_mesh_reader *reader)
{
    rill_status status = read_corners(reader);
    if (status != RILL_OK)
        return status;
    const size_t corners = reader->corner_count;
    if (corners < 3)
        return rill_fail(RILL_BAD_FILE, "%s: line %lld: a face has %zu corners, it needs three",
                         reader->name, (long long)reader->line, corners);
    bool sound;
    status = rl_mesh_end_face(reader, &sound);
    if (status == RILL_OK && !sound)
        return rill_fail(RILL_BAD_FILE,
                         "%s: line %lld: a face of %zu corners is not convex, such may have %d",
                         reader->name, (long long)reader->line, corners, RL_MESH_MAX_CONCAVE);
    return status;
}

static bool is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Returns the letter of a line that begins with a word of one letter, which is then passed; else 0.
// Other lines may hold anything, such as names too long for a word.
static char first_letter(rl_mesh_reader *reader)
{
    size_t at = reader->at;
    while (at < reader->size && (reader->bytes[at] == ' ' || reader->bytes[at] == '\t'))
        at++;
    if (at == reader->size || (at + 1 < reader->size && !is_space(reader->bytes[at + 1])))
        return 0;
    if (reader->bytes[at] == 'v' || reader->bytes[at] == 'f')
        reader->at = at + 1;
    return (char)reader->bytes[at];
}

rill_status rl_mesh_read_obj(rl_mesh_reader *reader)
{
    rill_status status = RILL_OK;
    while (status == RILL_OK && reader->at < reader->size) {
        const char letter = first_letter(reader);
        if (letter == 'v')
            status = read_vertex(reader);
        else if (letter == 'f')
            status = read_face(reader);
        rl_mesh_skip_line(reader);
    }
    return status;
}
