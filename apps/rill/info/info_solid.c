// SPDX-License-Identifier: MIT
// info_solid.c - describes a mesh as the ground of a scene: how closed it is and its volume. OBJ
// and STL files are read this way alone.
#include "apps/rill/command.h"
#include "apps/rill/info/info.h"
#include "apps/rill/message.h"

#include "rill/files.h"
#include "rill/solid.h"

#include <string.h>
#include <strings.h>

#define STL_HEAD   84 // bytes: a title and the number of triangles
#define STL_FACE   50 // bytes of a triangle
#define STL_TITLE  80
#define WORD_BYTES 5

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

// Text begins with a word, binary is exactly as long as its number of triangles says.
static bool is_stl(FILE *file)
{
    unsigned char head[STL_HEAD] = {0};
    rewind(file);
    const size_t got = fread(head, 1, sizeof head, file);
    const bool sought = fseek(file, 0, SEEK_END) == 0;
    const long size = sought ? ftell(file) : -1;
    rewind(file);
    if (got > WORD_BYTES && memcmp(head, "solid", WORD_BYTES) == 0)
        return true;
    if (got < sizeof head)
        return false;
    const unsigned char *n = head + STL_TITLE;
    const unsigned long faces = (unsigned long)n[0] | (unsigned long)n[1] << 8 |
                                (unsigned long)n[2] << 16 | (unsigned long)n[3] << 24;
    return size >= STL_HEAD && (unsigned long)size - STL_HEAD == faces * STL_FACE;
}

const char *info_solid_format(const char *path, FILE *file)
{
    if (ends_with(path, ".obj"))
        return "OBJ";
    return ends_with(path, ".stl") || is_stl(file) ? "STL" : NULL;
}

int info_read_solid(const char *path, bool alone, mesh_facts *facts)
{
    rill_triangles *triangles = NULL;
    const rill_status status = rill_triangles_load(path, 1.0, NULL, &triangles);
    if (status != RILL_OK && alone)
        return error_status(status);
    if (status != RILL_OK) {
        snprintf(facts->refused, sizeof facts->refused, "%s", rill_last_error());
        return STATUS_DONE;
    }
    const rill_triangles_info info = rill_triangles_view(triangles);
    rill_triangles_destroy(&triangles);
    facts->solid = true;
    facts->open_edges = (double)info.open_edges;
    facts->volume = info.volume;
    if (!alone)
        return STATUS_DONE;
    facts->vertices = (double)info.vertices;
    facts->triangles = (double)info.triangles;
    for (int axis = 0; axis < 3; axis++)
        mesh_facts_bound(facts, axis, info.low[axis], info.high[axis]);
    return STATUS_DONE;
}
