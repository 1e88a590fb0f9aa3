// SPDX-License-Identifier: MIT
// test_real_river.c - the river of a real DEM, and its channels beside those of r.watershed of
// GRASS GIS. Both are skipped where they cannot be had: RILL_TEST_DATA names a folder with
// real_dem/bigtujunga.tif, the 30 m DEM of a catchment whose river rises inside and leaves in the
// south-west.
#include "tests/kit/kit.h"

#include "rill/files.h"
#include "rill/river.h"
#include "rill/terrain.h"

#include <unistd.h>

#define LEAST_AREA 5e6 // m^2: channels that are compared
#define NEAR       2   // cells

// Returns false where there is no such file.
static bool find_dem(char *path, size_t size)
{
    const char *folder = getenv("RILL_TEST_DATA");
    snprintf(path, size, "%s/real_dem/bigtujunga.tif", folder != NULL ? folder : "");
    if (folder != NULL && access(path, R_OK) == 0)
        return true;
    print_message("skipped: RILL_TEST_DATA names no folder with real_dem/bigtujunga.tif\n");
    return false;
}

static rill_heightfield *load(const char *path)
{
    const rill_heightfield_load_def def = rill_default_heightfield_load_def();
    rill_heightfield *ground = NULL;
    assert_ok(rill_heightfield_load(path, &def, &ground));
    return ground;
}

TEST(the_river_of_a_real_dem_needs_no_key)
{
    char path[1024];
    if (!find_dem(path, sizeof path))
        skip();
    SCOPED(rill_heightfield) *ground = load(path);
    const rill_field_view z = rill_heightfield_view(ground);
    const double cell = rill_heightfield_cell_size(ground);
    const rill_river_path_def def = rill_default_river_path_def();
    SCOPED(rill_river_path) *river = NULL;
    assert_ok(rill_river_path_find(z, cell, &def, NULL, &river));
    const rill_river_path_view view = rill_river_path_get(river);
    const int end = view.count - 1;
    // Big Tujunga Creek is some 45 km long and drains some 300 km^2 where it leaves the mountains.
    assert_int_equal(view.from, -1);
    assert_null(view.doubt);
    assert_true((double)view.x[end] < cell && (double)view.y[end] < 0.3 * z.ny * cell);
    assert_true((double)view.x[0] > 0.6 * z.nx * cell);
    assert_true(view.length > 30e3 && view.length < 60e3);
    assert_true((double)view.area[end] > 2.5e8 && (double)view.area[end] < 4e8);
    int run = 0;
    for (int n = 1; n <= end; n++) {
        const double dx = fabs((double)(view.x[n] - view.x[n - 1]));
        const double dy = fabs((double)(view.y[n] - view.y[n - 1]));
        run = fmin(dx, dy) < 1e-3 * cell ? run + 1 : 0;
        assert_true(run <= 10);
        assert_true(view.surface[n] <= view.surface[n - 1]);
        assert_true(view.surface[n] - view.bed[n] < 5.0f);
    }
}

// ---- GRASS GIS -------------------------------------------------------------------------

// Runs r.watershed and reads how many cells drain through each, row 0 in the south. Returns false
// when GRASS is not installed.
static bool accumulate(const char *dem, double *cells, int nx, int ny)
{
    if (system("command -v grass >/dev/null 2>&1") != 0) {
        print_message("skipped: GRASS GIS is not installed (Debian: grass-core)\n");
        return false;
    }
    char command[4096];
    const char *folder = RL_TEST_TMP "/grass";
    snprintf(command, sizeof command,
             "rm -rf %s && mkdir -p %s && grass -c XY %s/db -e >/dev/null 2>&1 && "
             "grass %s/db/PERMANENT --exec sh -c 'r.in.gdal -o input=%s output=dem && "
             "g.region raster=dem && r.watershed -s -a elevation=dem accumulation=area && "
             "r.out.ascii -h input=area output=%s/area.asc precision=0' >/dev/null 2>&1",
             folder, folder, folder, folder, dem, folder);
    if (system(command) != 0)
        fail_msg("GRASS GIS could not do: %s", command);
    FILE *file = fopen(RL_TEST_TMP "/grass/area.asc", "r");
    assert_non_null(file);
    for (int j = ny - 1; j >= 0; j--)
        for (int i = 0; i < nx; i++)
            if (fscanf(file, "%lf", &cells[j * nx + i]) != 1)
                cells[j * nx + i] = 0.0; // '*': no data
    fclose(file);
    return true;
}

// The part of the channels of one that lie near a channel of the other.
static double part_near(const bool *one, const bool *other, int nx, int ny)
{
    int count = 0, found = 0;
    for (int n = 0; n < nx * ny; n++) {
        bool near = false;
        for (int b = -NEAR; b <= NEAR && one[n]; b++)
            for (int a = -NEAR; a <= NEAR; a++) {
                const int i = n % nx + a, j = n / nx + b;
                near = near || (i >= 0 && i < nx && j >= 0 && j < ny && other[j * nx + i]);
            }
        count += one[n];
        found += near;
    }
    assert_true(count > 1000);
    return (double)found / count;
}

TEST(channels_are_where_grass_has_them)
{
    char path[1024];
    if (!find_dem(path, sizeof path))
        skip();
    SCOPED(rill_heightfield) *ground = load(path);
    const rill_field_view z = rill_heightfield_view(ground);
    const double cell = rill_heightfield_cell_size(ground), least = LEAST_AREA / (cell * cell);
    const size_t cells = (size_t)z.nx * (size_t)z.ny;
    FREED(double) *theirs = malloc(cells * sizeof *theirs);
    FREED(bool) *channel = malloc(cells), *their_channel = malloc(cells);
    assert_true(theirs != NULL && channel != NULL && their_channel != NULL);
    if (!accumulate(path, theirs, z.nx, z.ny))
        skip();
    SCOPED(rill_drainage) *drainage = NULL;
    assert_ok(rill_drainage_find(z, cell, 0.0, NULL, &drainage));
    const rill_drainage_view view = rill_drainage_get(drainage);
    for (int j = 0; j < z.ny; j++)
        for (int i = 0; i < z.nx; i++) {
            channel[j * z.nx + i] = view.area[(size_t)j * view.pitch + (size_t)i] >= least;
            their_channel[j * z.nx + i] = theirs[j * z.nx + i] >= least;
        }
    const double here = part_near(channel, their_channel, z.nx, z.ny);
    const double there = part_near(their_channel, channel, z.nx, z.ny);
    print_message("%.2f %% of the channels lie near theirs, %.2f %% of theirs near these\n",
                  100.0 * here, 100.0 * there);
    assert_true(here >= 0.95 && there >= 0.95);
}
