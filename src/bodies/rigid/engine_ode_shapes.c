// SPDX-License-Identifier: MIT
// engine_ode_shapes.c - geoms and masses for ODE, made from the records of bodies.
#ifdef RL_HAS_ODE

#include "bodies/rigid/engine_ode.h"

#include "bodies/shape/body_shape.h"

#define MOST_CONVEX 4e6 // vertices times triangles of a mesh that is tested for being convex

// Copies a mesh and finds the planes of its triangles, at the same places as in the arrays of
// bodies.
static void copy_mesh(const rl_bodies *bodies, const rl_body *body, rl_ode_geoms *s)
{
    const size_t first = 3 * (size_t)body->first_vertex, count = 3 * (size_t)body->vertex_count;
    for (size_t k = first; k < first + count; k++)
        s->points[k] = (double)bodies->rest[k];
    for (int t = body->first_triangle; t < body->first_triangle + body->triangle_count; t++) {
        const uint32_t *triangle = bodies->triangles + 3 * (size_t)t;
        const double *corner[3];
        unsigned *polygon = s->polygons + 4 * (size_t)t;
        polygon[0] = 3;
        for (size_t k = 0; k < 3; k++) {
            corner[k] = s->points + first + 3 * (size_t)triangle[k];
            polygon[k + 1] = triangle[k];
            s->corners[3 * (size_t)t + k] = triangle[k];
        }
        double *plane = s->planes + 4 * (size_t)t;
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            plane[k] = (corner[1][l] - corner[0][l]) * (corner[2][m] - corner[0][m]) -
                       (corner[1][m] - corner[0][m]) * (corner[2][l] - corner[0][l]);
        }
        const double length = sqrt(rl_dot(plane, plane));
        for (int k = 0; k < 3; k++)
            plane[k] = length > 0.0 ? plane[k] / length : 0.0;
        plane[3] = rl_dot(plane, corner[0]);
    }
}

static bool is_convex(const rl_body *body, const rl_ode_geoms *s)
{
    if ((double)body->vertex_count * body->triangle_count > MOST_CONVEX)
        return false;
    const double *points = s->points + 3 * (size_t)body->first_vertex;
    for (int t = body->first_triangle; t < body->first_triangle + body->triangle_count; t++) {
        const double *plane = s->planes + 4 * (size_t)t;
        for (int v = 0; v < body->vertex_count; v++)
            if (rl_dot(plane, points + 3 * (size_t)v) - plane[3] > 1e-4 * body->reach)
                return false;
    }
    return true;
}

static dGeomID make_mesh_geom(const rl_bodies *bodies, const rl_body *body, rl_ode_geoms *s,
                              dTriMeshDataID *mesh)
{
    copy_mesh(bodies, body, s);
    double *points = s->points + 3 * (size_t)body->first_vertex;
    const size_t triangle = (size_t)body->first_triangle;
    if (rl_shape_of(&body->def)->geom == RL_GEOM_CONVEX || is_convex(body, s))
        return dCreateConvex(NULL, s->planes + 4 * triangle, (unsigned)body->triangle_count, points,
                             (unsigned)body->vertex_count, s->polygons + 4 * triangle);
    *mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(*mesh, points, 3 * sizeof(double), body->vertex_count,
                                s->corners + 3 * triangle, 3 * body->triangle_count,
                                3 * sizeof(dTriIndex));
    dGeomTriMeshDataPreprocess2(*mesh, // what convex geoms need of a trimesh
                                1u << dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES |
                                    1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES,
                                NULL);
    return dCreateTriMesh(NULL, *mesh, NULL, NULL, NULL);
}

dGeomID rl_ode_make_geom(const rl_bodies *bodies, const rl_body *body, rl_ode_geoms *s,
                         dTriMeshDataID *mesh)
{
    const rill_body_def *def = &body->def;
    *mesh = NULL;
    switch (rl_shape_of(def)->geom) {
    case RL_GEOM_BOX:
        return dCreateBox(NULL, def->size[0], def->size[1], def->size[2]);
    case RL_GEOM_SPHERE:
        return dCreateSphere(NULL, def->radius);
    case RL_GEOM_CYLINDER:
        return dCreateCylinder(NULL, def->radius, def->length);
    default:
        return make_mesh_geom(bodies, body, s, mesh);
    }
}

void rl_ode_set_mass(const rl_body *body, dBodyID to)
{
    dMass mass;
    RL_ASSERT(body->mass > 0.0 && body->inertia[0] > 0.0);
    const double *i = body->inertia;
    dMassSetZero(&mass);
    dMassSetParameters(&mass, body->mass, 0, 0, 0, i[0], i[4], i[8], i[1], i[2], i[5]);
    dBodySetMass(to, &mass);
}

#else
typedef int rl_engine_ode_geoms; // a file may not be empty
#endif
