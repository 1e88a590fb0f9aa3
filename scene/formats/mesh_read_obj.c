// SPDX-License-Identifier: MIT
// mesh_read_obj.c - Wavefront OBJ: lines of text that begin with a word. `v` gives a vertex, `f` a
// face by the numbers of its vertices, from 1 on, or from the last one backwards when negative;
// what follows a slash names textures and normals. All other lines are passed over.
#include "scene/formats/mesh_read.h"

#include <string.h>

static bool read_vertex(rl_mesh_reader *reader)
{
    static const char *const names[3] = {"x of a vertex", "y of a vertex", "z of a vertex"};
    double position[3] = {0};
    for (int k = 0; k < 3; k++)
        if (!rl_scan_of_line(&reader->scan) ||
            !rl_scan_number(&reader->scan, names[k], &position[k]))
            return false;
    return rl_mesh_add_vertex(reader, position, "vertex");
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

static bool read_corner(rl_mesh_reader *reader)
{
    const int64_t count = (int64_t)reader->data->vertex_count;
    int64_t index = 0;
    if (!parse_index(reader->scan.word, &index))
        return rl_scan_fail_line(&reader->scan, "'%s' is no corner of a face", reader->scan.word);
    const int64_t vertex = index > 0 ? index - 1 : count + index;
    if (index == 0 || vertex < 0 || vertex >= count)
        return rl_scan_fail_line(&reader->scan,
                                 "the face names vertex %s, up to here there are %lld",
                                 reader->scan.word, (long long)count);
    return rl_mesh_add_corner(reader, (uint32_t)vertex);
}

// A line that ends in a backslash goes on in the next one; writers break long faces so. Takes the
// backslash off the word.
static bool joins_next_line(char *word)
{
    const size_t length = strlen(word);
    if (length == 0 || word[length - 1] != '\\')
        return false;
    word[length - 1] = '\0';
    return true;
}

static bool read_face(rl_mesh_reader *reader)
{
    rl_scan *scan = &reader->scan;
    while (rl_scan_of_line(scan) && scan->word[0] != '\0') {
        const bool joined = joins_next_line(scan->word);
        if (scan->word[0] != '\0' && !read_corner(reader))
            return false;
        if (joined)
            rl_scan_skip_line(scan);
    }
    const size_t corners = reader->corner_count;
    if (corners < 3)
        return rl_scan_fail_line(scan, "a face has %zu corners, it needs three", corners);
    bool sound;
    return rl_mesh_end_face(reader, &sound) &&
           (sound ||
            rl_scan_fail_line(scan, "a face of %zu corners is not convex, such may have %d",
                              corners, RL_MESH_MAX_CONCAVE));
}

// Returns the letter of a line that begins with a word of one letter, which is then passed; else 0.
// Other lines may hold anything, such as names too long for a word.
static char first_letter(rl_scan *scan)
{
    const unsigned char *bytes = scan->bytes;
    size_t at = scan->at;
    while (at < scan->size && (bytes[at] == ' ' || bytes[at] == '\t'))
        at++;
    if (at == scan->size || (at + 1 < scan->size && bytes[at + 1] != ' ' &&
                             !(bytes[at + 1] >= '\t' && bytes[at + 1] <= '\r')))
        return 0;
    if (bytes[at] == 'v' || bytes[at] == 'f')
        scan->at = at + 1;
    return (char)bytes[at];
}

bool rl_mesh_read_obj(rl_mesh_reader *reader)
{
    bool went_well = true;
    while (went_well && reader->scan.at < reader->scan.size) {
        const char letter = first_letter(&reader->scan);
        if (letter == 'v')
            went_well = read_vertex(reader);
        else if (letter == 'f')
            went_well = read_face(reader);
        rl_scan_skip_line(&reader->scan);
    }
    return went_well;
}
