// SPDX-License-Identifier: MIT
#include "tests/kit/solids.h"

rill_solid *make_air(int nx, int ny, double cell_size, double top)
{
    rill_solid_def def = rill_default_solid_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = cell_size;
    def.top = top;
    rill_solid *solid = NULL;
    assert_ok(rill_solid_create(&def, &solid));
    return solid;
}

rill_sdf_primitive placed(rill_sdf_kind kind, double x, double y, double z)
{
    rill_sdf_primitive shape = rill_default_sdf_primitive(kind);
    set3(shape.position, x, y, z);
    return shape;
}

rill_sdf_primitive box_at(double x, double y, double z, double wide, double deep, double high)
{
    rill_sdf_primitive shape = placed(RILL_SDF_BOX, x, y, z);
    set3(shape.size, wide, deep, high);
    return shape;
}

rill_sdf_primitive ball_at(double x, double y, double z, double radius)
{
    rill_sdf_primitive shape = placed(RILL_SDF_SPHERE, x, y, z);
    shape.radius = radius;
    return shape;
}

void combine(rill_solid *solid, rill_sdf_primitive shape, rill_combine how)
{
    assert_ok(rill_solid_combine(solid, &shape, how, 0.0));
}
