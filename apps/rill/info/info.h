// SPDX-License-Identifier: MIT
// info.h - describes files: the parts of `rill info`, one for each kind of file. Each prints for
// people or, if `json` is asked for, as one JSON object, and returns an exit status.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

int info_scene(const char *name_or_path, bool json);
int info_raster(const char *path, bool json);
int info_mesh(const char *path, bool json);
int info_field(const char *path, bool json);

// Returns whether the file begins like a mesh that info_mesh reads, or has the ending of one.
bool info_is_mesh(const char *path, FILE *file);

// Returns whether the file begins as NRRD does.
bool info_is_field(FILE *file);

// ---- Meshes ----------------------------------------------------------------------------

#define MESH_MOST_ATTRIBUTES 64
#define MESH_NAME_BYTES      64

// Facts about a mesh.
typedef struct mesh_facts {
    const char *format;
    char maker[2 * MESH_NAME_BYTES]; // program that wrote it; empty: unknown
    double vertices, triangles;      // whole numbers, but a file may state any
    int attribute_count;
    char attributes[MESH_MOST_ATTRIBUTES][MESH_NAME_BYTES];
    bool bounded; // the two below are known
    double low[3], high[3];

    bool solid;                // it can be the ground of a scene, the two below are known
    double open_edges, volume; // m^3, if its unit is a metre
    char refused[512];         // why it cannot; empty: it can, or it was not tested
} mesh_facts;

// Adds a name to the attributes unless it is there. Cuts long names, drops what is too much.
void mesh_facts_attribute(mesh_facts *facts, const char *name);

// Widens the bounding box. A coordinate that is not finite is left out.
void mesh_facts_bound(mesh_facts *facts, int axis, double low, double high);

// Returns "OBJ" or "STL", or NULL for a file that is neither.
const char *info_solid_format(const char *path, FILE *file);

// Tests the mesh as a solid. `alone`: vertices, triangles and bounds come from here as well.
int info_read_solid(const char *path, bool alone, mesh_facts *facts);

// Read an open file from its beginning. Return an exit status; an error was reported.
int info_read_ply(const char *path, FILE *file, mesh_facts *facts);
int info_read_glb(const char *path, FILE *file, mesh_facts *facts);
