// SPDX-License-Identifier: MIT
// body_shape.c - the shapes in the box as meshes of triangles, counter-clockwise seen from outside.
// Round ones are pushed out so that the polyhedron has the volume of the round body: what floats
// then has the draught that Archimedes says. Only + - * / and square roots are used, so that every
// machine makes the same vertices.
//
// A mesh is made twice: without arrays it is only counted. Nothing is moved to the centre of mass
// here (hulls and meshes do not have it at the origin); rl_bodies_add does that for all shapes.
#include "bodies/bodies_internal.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void set_vertex(rl_body_mesh *mesh, int n, double x, double y, double z)
{
    float *vertex = mesh->vertices + 3 * (size_t)n;
    vertex[0] = (float)x;
    vertex[1] = (float)y;
    vertex[2] = (float)z;
}

// Writes a triangle and returns the number of the next.
static int set_triangle(rl_body_mesh *mesh, int n, int a, int b, int c)
{
    uint32_t *triangle = mesh->triangles + 3 * (size_t)n;
    triangle[0] = (uint32_t)a;
    triangle[1] = (uint32_t)b;
    triangle[2] = (uint32_t)c;
    return n + 1;
}

static int set_quad(rl_body_mesh *mesh, int n, int a, int b, int c, int d)
{
    n = set_triangle(mesh, n, a, b, c);
    return set_triangle(mesh, n, a, c, d);
}

// ---- Box -------------------------------------------------------------------------------

static void make_box(const rill_body_def *def, rl_body_mesh *mesh)
{
    for (int n = 0; n < 8; n++) // bits of n: upper end along x, y, z
        set_vertex(mesh, n, (n & 1 ? 0.5 : -0.5) * def->size[0],
                   (n & 2 ? 0.5 : -0.5) * def->size[1], (n & 4 ? 0.5 : -0.5) * def->size[2]);
    int t = set_quad(mesh, 0, 0, 2, 3, 1);
    t = set_quad(mesh, t, 4, 5, 7, 6);
    t = set_quad(mesh, t, 0, 1, 5, 4);
    t = set_quad(mesh, t, 2, 6, 7, 3);
    t = set_quad(mesh, t, 0, 4, 6, 2);
    set_quad(mesh, t, 1, 3, 7, 5);
}

// ---- Sphere ----------------------------------------------------------------------------

// An icosahedron whose triangles are cut into four, twice; all vertices on the unit sphere.
enum { BALL_VERTICES = 162, BALL_TRIANGLES = 320, BALL_EDGES = 120 };

typedef struct ball {
    double vertices[BALL_VERTICES][3];
    int triangles[BALL_TRIANGLES][3];
    int vertex_count, triangle_count;
    // Edges that were cut in this round: their ends (the smaller number first) and their middle.
    int cut[BALL_EDGES][3];
    int cut_count;
} ball;

static int ball_add_vertex(ball *b, double x, double y, double z)
{
    const double scale = 1.0 / sqrt(x * x + y * y + z * z);
    double *vertex = b->vertices[b->vertex_count];
    vertex[0] = x * scale;
    vertex[1] = y * scale;
    vertex[2] = z * scale;
    return b->vertex_count++;
}

static int ball_middle(ball *b, int from, int to)
{
    const int low = from < to ? from : to, high = from < to ? to : from;
    for (int n = 0; n < b->cut_count; n++)
        if (b->cut[n][0] == low && b->cut[n][1] == high)
            return b->cut[n][2];
    const double *p = b->vertices[low], *q = b->vertices[high];
    const int middle = ball_add_vertex(b, p[0] + q[0], p[1] + q[1], p[2] + q[2]);
    int *cut = b->cut[b->cut_count++];
    cut[0] = low;
    cut[1] = high;
    cut[2] = middle;
    return middle;
}

static void ball_refine(ball *b)
{
    const int count = b->triangle_count;
    b->cut_count = 0;
    for (int n = 0; n < count; n++) {
        int *t = b->triangles[n];
        const int corners[3] = {t[0], t[1], t[2]};
        int middles[3];
        for (int k = 0; k < 3; k++)
            middles[k] = ball_middle(b, corners[k], corners[(k + 1) % 3]);
        for (int k = 0; k < 3; k++) {
            int *part = b->triangles[b->triangle_count++];
            part[0] = corners[k];
            part[1] = middles[k];
            part[2] = middles[(k + 2) % 3];
        }
        memcpy(t, middles, sizeof middles);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static double ball_volume(const ball *b)
{
    double sum = 0.0;
    for (int n = 0; n < b->triangle_count; n++) {
        const int *t = b->triangles[n];
        sum += determinant(b->vertices[t[0]], b->vertices[t[1]], b->vertices[t[2]]);
    }
    return sum / 6.0;
}

// Newton's method, from above for values from 1 to 2: no math library's last bit can show.
static double cube_root(double value)
{
    double x = value;
    for (int n = 0; n < 20; n++)
        x -= (x * x * x - value) / (3.0 * x * x);
    return x;
}

// The corners of an icosahedron are the cyclic turns of (0, +-1, +-golden ratio). Two of them are
// neighbours when the cosine between them is 1/sqrt(5); it is negative for all others.
static void ball_begin(ball *b)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    for (int n = 0; n < 12; n++) {
        const double turns[3] = {0.0, n & 1 ? 1.0 : -1.0, n & 2 ? golden : -golden};
        const int turn = n / 4;
        ball_add_vertex(b, turns[turn], turns[(turn + 1) % 3], turns[(turn + 2) % 3]);
    }
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            for (int k = j + 1; k < 12; k++) {
                const double *p = b->vertices[i], *q = b->vertices[j], *r = b->vertices[k];
                if (dot(p, q) < 0.0 || dot(q, r) < 0.0 || dot(r, p) < 0.0)
                    continue;
                const bool outwards = determinant(p, q, r) > 0.0;
                int *t = b->triangles[b->triangle_count++];
                t[0] = i;
                t[1] = outwards ? j : k;
                t[2] = outwards ? k : j;
            }
}

static void make_sphere(const rill_body_def *def, rl_body_mesh *mesh)
{
    ball b;
    b.vertex_count = b.triangle_count = 0;
    ball_begin(&b);
    ball_refine(&b);
    ball_refine(&b);
    const double radius = def->radius * cube_root(4.0 / 3.0 * PI / ball_volume(&b));
    for (int n = 0; n < BALL_VERTICES; n++)
        set_vertex(mesh, n, radius * b.vertices[n][0], radius * b.vertices[n][1],
                   radius * b.vertices[n][2]);
    for (int n = 0; n < BALL_TRIANGLES; n++)
        set_triangle(mesh, n, b.triangles[n][0], b.triangles[n][1], b.triangles[n][2]);
}

// ---- Cylinder --------------------------------------------------------------------------

// A barrel of SIDES sides, each 15 degrees: their sines are square roots.
enum { SIDES = 24 };

static double sine_of_sides(int sides)
{
    const double r2 = sqrt(2.0), r3 = sqrt(3.0), r6 = sqrt(6.0);
    const double quarter[7] = {0.0,      0.25 * (r6 - r2), 0.5, 0.5 * r2,
                               0.5 * r3, 0.25 * (r6 + r2), 1.0};
    const int n = sides % SIDES, half = n % (SIDES / 2);
    const double sine = quarter[half <= SIDES / 4 ? half : SIDES / 2 - half];
    return n < SIDES / 2 ? sine : -sine;
}

// Vertices 2 n and 2 n + 1 are the lower and the upper end of edge n; the last two are the centres
// of the ends.
static void make_cylinder(const rill_body_def *def, rl_body_mesh *mesh)
{
    // A regular polygon has the area of the circle when SIDES/2 R^2 sin(15 degrees) = pi r^2.
    const double radius = def->radius * sqrt(PI / (0.5 * SIDES * sine_of_sides(1)));
    const double half = 0.5 * def->length;
    const int bottom = 2 * SIDES, top = bottom + 1;
    int t = 0;
    for (int n = 0; n < SIDES; n++) {
        const double x = radius * sine_of_sides(n + SIDES / 4), y = radius * sine_of_sides(n);
        set_vertex(mesh, 2 * n, x, y, -half);
        set_vertex(mesh, 2 * n + 1, x, y, half);
        const int here = 2 * n, next = 2 * ((n + 1) % SIDES);
        t = set_quad(mesh, t, here, next, next + 1, here + 1);
        t = set_triangle(mesh, t, bottom, next, here);
        t = set_triangle(mesh, t, top, here + 1, next + 1);
    }
    set_vertex(mesh, bottom, 0.0, 0.0, -half);
    set_vertex(mesh, top, 0.0, 0.0, half);
}

// ---- Hull ------------------------------------------------------------------------------

// Stations from the transom to the stem, with points from the starboard sheer down to the keel and
// up to the port sheer. The last station is the stem: its two sides are one line.
enum {
    STATIONS = 13,
    HALF_POINTS = 4, // of one side, without the keel
    POINTS = 2 * HALF_POINTS + 1,
    HULL_VERTICES = (STATIONS - 1) * POINTS + HALF_POINTS + 1,
    HULL_TRIANGLES = 2 * HULL_VERTICES - 4, // Euler: the surface is a deformed sphere
    WIDEST_STATION = 5
};

// Vertex of a station: `side` from -HALF_POINTS (starboard, y < 0) to HALF_POINTS (port).
static int hull_vertex(int station, int side)
{
    if (station < STATIONS - 1)
        return station * POINTS + side + HALF_POINTS;
    return station * POINTS + (side < 0 ? -side : side);
}

// Lines of a small working boat, in parts of its size: a full stern, sides that flare to the sheer,
// sections that turn from a round bilge into a V towards a raked stem.
static void hull_point(int station, int side, double point[3])
{
    static const double bilge_y[HALF_POINTS + 1] = {0.0, 0.46, 0.78, 0.92, 1.0};
    static const double bilge_z[HALF_POINTS + 1] = {0.0, 0.09, 0.27, 0.61, 1.0};
    const double t = (double)station / (STATIONS - 1);
    const double widest = (double)WIDEST_STATION / (STATIONS - 1);
    const int k = side < 0 ? -side : side;
    const double v = (double)k / HALF_POINTS, bow = t * t;
    const double from_widest = t < widest ? (widest - t) / widest : (t - widest) / (1.0 - widest);
    const double breadth = 1.0 - (t < widest ? 0.2 : 1.0) * from_widest * from_widest;
    const double rise = t < 0.6 ? 0.0 : (t - 0.6) / 0.4;
    const double keel = 0.3 * rise * rise, sheer = 0.78 + 0.22 * bow;
    const double along_y = (1.0 - bow) * bilge_y[k] + bow * v;
    const double along_z = (1.0 - bow) * bilge_z[k] + bow * v;
    point[0] = t - 0.14 * bow * bow * (1.0 - along_z) - 0.5;
    point[1] = (side < 0 ? -0.5 : 0.5) * breadth * along_y;
    point[2] = keel + (sheer - keel) * along_z - 0.5;
}

// The diagonals of port mirror those of starboard, so that the boat has no list.
static void make_hull(const rill_body_def *def, rl_body_mesh *mesh)
{
    int t = 0;
    for (int station = 0; station < STATIONS; station++)
        for (int side = -HALF_POINTS; side <= HALF_POINTS; side++) {
            double point[3];
            hull_point(station, side, point);
            set_vertex(mesh, hull_vertex(station, side), point[0] * def->size[0],
                       point[1] * def->size[1], point[2] * def->size[2]);
        }
    for (int station = 0; station < STATIONS - 1; station++)
        for (int side = -HALF_POINTS; side < HALF_POINTS; side++) {
            const int a = hull_vertex(station, side), b = hull_vertex(station, side + 1);
            const int c = hull_vertex(station + 1, side + 1), d = hull_vertex(station + 1, side);
            t = side < 0 ? set_quad(mesh, t, a, b, c, d) : set_quad(mesh, t, b, c, d, a);
        }
    const int port = HALF_POINTS, starboard = -HALF_POINTS;
    for (int station = 0; station < STATIONS - 2; station++) // deck
        t = set_quad(mesh, t, hull_vertex(station, port), hull_vertex(station, starboard),
                     hull_vertex(station + 1, starboard), hull_vertex(station + 1, port));
    t = set_triangle(mesh, t, hull_vertex(STATIONS - 2, port), hull_vertex(STATIONS - 2, starboard),
                     hull_vertex(STATIONS - 1, port));
    for (int k = HALF_POINTS; k > 1; k--) // transom
        t = set_quad(mesh, t, hull_vertex(0, -k), hull_vertex(0, k), hull_vertex(0, k - 1),
                     hull_vertex(0, 1 - k));
    set_triangle(mesh, t, hull_vertex(0, -1), hull_vertex(0, 1), hull_vertex(0, 0));
}

// ---- Mesh and sheet --------------------------------------------------------------------

static void make_mesh(const rill_body_def *def, rl_body_mesh *mesh)
{
    memcpy(mesh->vertices, def->vertices, 3 * sizeof(float) * (size_t)def->vertex_count);
    memcpy(mesh->triangles, def->triangles, 3 * sizeof(uint32_t) * (size_t)def->triangle_count);
}

// Row by row, the first vertex at the corner of least x and y. The diagonals of the squares take
// turns, so that cloth is as stiff one way as the other.
static void make_sheet(const rill_body_def *def, rl_body_mesh *mesh)
{
    const int nx = def->cells[0], ny = def->cells[1];
    int t = 0;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            set_vertex(mesh, j * (nx + 1) + i, ((double)i / nx - 0.5) * def->size[0],
                       ((double)j / ny - 0.5) * def->size[1], 0.0);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
            t = (i + j) % 2 == 0 ? set_quad(mesh, t, a, b, c, d) : set_quad(mesh, t, b, c, d, a);
        }
}

void rl_body_make_mesh(const rill_body_def *def, rl_body_mesh *mesh)
{
    static void (*const make[RILL_BODY_SHAPE_COUNT])(const rill_body_def *, rl_body_mesh *) = {
        [RILL_BODY_BOX] = make_box,           [RILL_BODY_SPHERE] = make_sphere,
        [RILL_BODY_CYLINDER] = make_cylinder, [RILL_BODY_HULL] = make_hull,
        [RILL_BODY_MESH] = make_mesh,         [RILL_BODY_SHEET] = make_sheet,
    };
    const int nx = def->cells[0], ny = def->cells[1];
    const int counts[RILL_BODY_SHAPE_COUNT][2] = {
        [RILL_BODY_BOX] = {8, 12},
        [RILL_BODY_SPHERE] = {BALL_VERTICES, BALL_TRIANGLES},
        [RILL_BODY_CYLINDER] = {2 * SIDES + 2, 4 * SIDES},
        [RILL_BODY_HULL] = {HULL_VERTICES, HULL_TRIANGLES},
        [RILL_BODY_MESH] = {def->vertex_count, def->triangle_count},
        [RILL_BODY_SHEET] = {(nx + 1) * (ny + 1), 2 * nx * ny},
    };
    mesh->vertex_count = counts[def->shape][0];
    mesh->triangle_count = counts[def->shape][1];
    if (mesh->vertices && mesh->triangles)
        make[def->shape](def, mesh);
}

void rill_body_mesh_size(const rill_body_def *def, int *vertices, int *triangles)
{
    rl_body_mesh size = {0};
    if (def != NULL && (unsigned)def->shape < RILL_BODY_SHAPE_COUNT)
        rl_body_make_mesh(def, &size);
    *vertices = size.vertex_count;
    *triangles = size.triangle_count;
}
