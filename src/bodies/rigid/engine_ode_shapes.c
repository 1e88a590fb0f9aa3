// SPDX-License-Identifier: MIT
// engine_ode_shapes.c - geoms and masses for ODE, made from the records of bodies, and contacts of
// pairs.
#ifdef RL_HAS_ODE

#include "bodies/rigid/engine_ode.h"

#include "bodies/shape/body_shape.h"

#include <string.h>

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
        rl_triangle_across(corner[0], corner[1], corner[2], plane);
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

// ---- Pairs -----------------------------------------------------------------------------
//
// Contacts of a pair of bodies. ODE gives many for most shapes, which are thinned; but for convex
// ones it gives the deepest point alone, on which a crate would rock on a deck for ever. There the
// smaller body is tilted a little in four directions: the deepest points then are the corners of
// the area where the two touch.

#define FOUND 32   // at most by ODE
#define TILT  0.01 // of half an angle, radians

static bool is_usable(const dContactGeom *c)
{
    double sum = c->depth;
    for (int k = 0; k < 3; k++)
        sum += c->pos[k] + c->normal[k];
    return isfinite(sum) && c->depth >= 0.0;
}

static int collide(dGeomID a, dGeomID b, rl_contact out[FOUND])
{
    dContactGeom found[FOUND];
    const int count = dCollide(a, b, FOUND, found, sizeof found[0]);
    int good = 0;
    for (int n = 0; n < count; n++) {
        if (!is_usable(&found[n]))
            continue;
        memcpy(out[good].point, found[n].pos, sizeof out[good].point);
        memcpy(out[good].normal, found[n].normal, sizeof out[good].normal);
        out[good++].depth = found[n].depth;
    }
    return good;
}

// A unit vector across a normal.
static void across_of(const double normal[3], double out[3])
{
    const int least = fabs(normal[0]) < fabs(normal[1])
                          ? (fabs(normal[0]) < fabs(normal[2]) ? 0 : 2)
                          : (fabs(normal[1]) < fabs(normal[2]) ? 1 : 2);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        out[k] = (k == least ? 1.0 : 0.0) - normal[least] * normal[k];
        square += out[k] * out[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] /= sqrt(square);
}

static void set_rotation(dGeomID geom, const double q[4])
{
    dBodySetQuaternion(dGeomGetBody(geom), (const dQuaternion){q[3], q[0], q[1], q[2]});
}

// A pair of which one body is tilted. `sign` is 1 when that is the first.
typedef struct tilted_pair {
    const rl_body *body;
    dGeomID tilted, a, b;
    double sign;
} tilted_pair;

// The deepest contact of the tilted body, brought back: where its point of the body lies untilted,
// and how deep. False where it is out of the other body then.
static bool collide_tilted(const tilted_pair *pair, const double tilt[4], const double normal[3],
                           rl_contact *out)
{
    double rotation[4], arm[3], untilted[3], moved = 0.0;
    rl_contact found[FOUND];
    rl_body_turns(tilt, pair->body->rotation, rotation);
    set_rotation(pair->tilted, rotation);
    if (collide(pair->a, pair->b, found) == 0)
        return false;
    rl_vector_between(pair->body->position, found[0].point, arm);
    rl_body_turn_back(tilt, arm, untilted);
    for (int k = 0; k < 3; k++) {
        moved += (arm[k] - untilted[k]) * normal[k];
        out->point[k] = pair->body->position[k] + untilted[k];
        out->normal[k] = normal[k];
    }
    out->depth = found[0].depth + pair->sign * moved;
    return out->depth >= 0.0;
}

// The corners of the area where two convex bodies touch, after the deepest point. The tilts are not
// along the axes of boxes, where an edge has no deepest point.
static int add_corners(const tilted_pair *pair, rl_contact contacts[FOUND])
{
    const double *n = contacts[0].normal;
    double u[3], v[3];
    across_of(n, u);
    rl_cross(n, u, v);
    static const double ways[4][2] = {{0.92, 0.39}, {-0.39, 0.92}, {-0.92, -0.39}, {0.39, -0.92}};
    const double scale = 1.0 / sqrt(1.0 + TILT * TILT);
    int count = 1;
    for (int way = 0; way < 4; way++) {
        double tilt[4];
        for (int k = 0; k < 3; k++)
            tilt[k] = scale * TILT * (ways[way][0] * u[k] + ways[way][1] * v[k]);
        tilt[3] = sqrt(1.0 - tilt[0] * tilt[0] - tilt[1] * tilt[1] - tilt[2] * tilt[2]);
        count += collide_tilted(pair, tilt, n, &contacts[count]);
    }
    set_rotation(pair->tilted, pair->body->rotation);
    return count;
}

int rl_ode_collide(const rl_body *first, dGeomID a, const rl_body *second, dGeomID b,
                   rl_contact out[RL_MOST_CONTACTS])
{
    rl_contact contacts[FOUND];
    int count = collide(a, b, contacts);
    const bool convex = dGeomGetClass(a) == dConvexClass || dGeomGetClass(b) == dConvexClass;
    const bool ball = dGeomGetClass(a) == dSphereClass || dGeomGetClass(b) == dSphereClass;
    if (count == 1 && convex && !ball) {
        const bool smaller = first->reach < second->reach;
        const tilted_pair pair = {smaller ? first : second, smaller ? a : b, a, b,
                                  smaller ? 1.0 : -1.0};
        count = add_corners(&pair, contacts);
    }
    count = rl_contacts_thin(contacts, count, RL_MOST_CONTACTS, fmin(first->reach, second->reach));
    RL_ASSERT(count <= RL_MOST_CONTACTS);
    memcpy(out, contacts, (size_t)count * sizeof *out);
    return count;
}

#else
typedef int rl_engine_ode_geoms; // a file may not be empty
#endif
