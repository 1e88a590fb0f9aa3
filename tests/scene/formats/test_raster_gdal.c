// SPDX-License-Identifier: MIT
// test_raster_gdal.c - rasters through GDAL: what is written comes back with its place on the
// Earth, and what a file says about units, no-data and projection is honoured or refused in words.
#include "scene/formats/raster.h"
#include "tests/kit/kit.h"
#include "tests/scene/formats/raster_files.h"

#include "rill/files.h"
#include "rill/terrain.h"

#include <pthread.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char local_projection[] =
    "PROJCS[\"WGS 84 / UTM zone 32N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\","
    "SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],"
    "UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],"
    "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],"
    "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"
    "PARAMETER[\"false_northing\",0],UNIT[\"metre\",1]]";

TEST(a_geotiff_comes_back_as_it_was_written)
{
    if (!has_gdal())
        skip();
    enum { NX = 300, NY = 270, PITCH = 310 }; // more than one tile
    float *values = malloc(sizeof(float) * PITCH * NY), *other = malloc(sizeof(float) * PITCH * NY);
    assert_true(values != NULL && other != NULL);
    for (int n = 0; n < PITCH * NY; n++) {
        values[n] = (float)((n * 7919) % 10007) / 37.0f - 50.0f;
        other[n] = -values[n];
    }
    const rl_raster_band bands[2] = {{"bed", "m", {values, NX, NY, PITCH}},
                                     {"speed", "m/s", {other, NX, NY, PITCH}}};
    const rill_georeference place = {
        .transform = {400000.5, 2.5, 0.0, 5200000.25, 0.0, -2.5},
        .projection = local_projection,
        .known = 1,
    };
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("round.tif"), bands, 2, 2.5, &place), RILL_OK);
    rill_heightfield *heightfield = load_with(FILE_AT("round.tif"), default_def());
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            assert_true(value_at(heightfield, i, j) == (double)values[j * PITCH + i]);
    const rill_georeference back = rill_heightfield_georeference(heightfield);
    assert_int_equal(back.known, 1);
    for (int n = 0; n < 6; n++)
        assert_true(back.transform[n] == place.transform[n]);
    assert_non_null(strstr(back.projection, "UTM zone 32N"));
    assert_true(rill_heightfield_cell_size(heightfield) == 2.5);
    destroy(&heightfield);

    // Without a place: local metres with the south-west corner at the origin.
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("local.tif"), bands, 1, 4.0, NULL), RILL_OK);
    heightfield = load_with(FILE_AT("local.tif"), default_def());
    const rill_georeference local = rill_heightfield_georeference(heightfield);
    assert_true(local.transform[0] == 0.0 && local.transform[3] == 4.0 * NY);
    assert_true(rill_heightfield_cell_size(heightfield) == 4.0);
    assert_null(local.projection);
    destroy(&heightfield);
    free(values);
    free(other);
}

TEST(bands_that_cannot_be_written_are_refused)
{
    if (!has_gdal())
        skip();
    static const float values[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    const rl_raster_band bands[2] = {{"a", "m", {values, 2, 2, 2}}, {"b", "m", {values, 1, 2, 2}}};
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("bad.tif"), bands, 2, 1.0, NULL),
                     RILL_BAD_ARGUMENT);
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("bad.tif"), bands, 0, 1.0, NULL),
                     RILL_BAD_ARGUMENT);
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("bad.tif"), bands, 1, 0.0, NULL),
                     RILL_BAD_ARGUMENT);
    assert_int_equal(
        rl_raster_write_geotiff(RL_TEST_TMP "/no/such/folder.tif", bands, 1, 1.0, NULL),
        RILL_WRITE_FAILED);
    assert_non_null(strstr(rill_last_error(), "folder.tif"));
}

// A virtual raster: text that says how GDAL is to see the three by two grid of grid_text.
static void write_vrt(const char *path, const char *place, const char *meaning)
{
    char text[4096];
    write_text(FILE_AT("source.asc"), grid_text);
    const int length =
        snprintf(text, sizeof text,
                 "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\">%s"
                 "<VRTRasterBand dataType=\"Float64\" band=\"1\">%s<SimpleSource>"
                 "<SourceFilename relativeToVRT=\"1\">raster_source.asc</SourceFilename>"
                 "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>",
                 place, meaning);
    assert_true(length > 0 && length < (int)sizeof text);
    write_text(path, text);
}

#define PLACE "<GeoTransform>100, 2.5, 0, 50, 0, -2.5</GeoTransform>"

TEST(scale_offset_and_unit_of_a_band_are_honoured)
{
    if (!has_gdal())
        skip();
    static const struct {
        const char *meaning;
        double wanted; // of the south-west cell, 4.25 in the file
    } cases[] = {
        {"", 4.25},
        {"<UnitType>metre</UnitType>", 4.25},
        {"<UnitType>ft</UnitType>", 4.25 * 0.3048},
        {"<UnitType>Feet</UnitType>", 4.25 * 0.3048},
        {"<UnitType>US survey foot</UnitType>", 4.25 * 1200.0 / 3937.0},
        {"<Offset>10</Offset><Scale>2</Scale>", 18.5},
        {"<UnitType>foot</UnitType><Offset>10</Offset><Scale>2</Scale>", 18.5 * 0.3048},
    };
    for (int n = 0; n < COUNT(cases); n++) {
        write_vrt(FILE_AT("unit.vrt"), PLACE, cases[n].meaning);
        rill_heightfield *heightfield = load_with(FILE_AT("unit.vrt"), default_def());
        assert_true(fabs(value_at(heightfield, 0, 0) - cases[n].wanted) < 1e-5);
        assert_true(rill_heightfield_cell_size(heightfield) == 2.5);
        destroy(&heightfield);
    }
}

static char logged[512];

static void keep_line(void *user, rill_log_level level, const char *line)
{
    (void)user;
    assert_int_equal(level, RILL_LOG_WARNING);
    snprintf(logged, sizeof logged, "%s", line);
}

TEST(an_unknown_unit_is_logged)
{
    if (!has_gdal())
        skip();
    rill_host host = counting_host;
    host.log = keep_line;
    rill_heightfield_load_def def = default_def();
    def.host = &host;
    write_vrt(FILE_AT("fathom.vrt"), PLACE, "<UnitType>fathom</UnitType>");
    rill_heightfield *heightfield = load_with(FILE_AT("fathom.vrt"), def);
    assert_non_null(strstr(logged, "'fathom'"));
    destroy(&heightfield);
}

TEST(no_data_of_a_band_is_recognised)
{
    if (!has_gdal())
        skip();
    write_vrt(FILE_AT("nodata.vrt"), PLACE, "<NoDataValue>2</NoDataValue>");
    assert_refused(FILE_AT("nodata.vrt"), "1 of its cells hold no data, the first is (1, 1)");

    static float values[9] = {1.0f, 1.0f, 1.0f, 1.0f, NAN, 1.0f, 1.0f, INFINITY, 1.0f};
    const rl_raster_band band = {"z", "m", {values, 3, 3, 3}};
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("nan.tif"), &band, 1, 1.0, NULL), RILL_OK);
    assert_refused(FILE_AT("nan.tif"), "2 of its cells hold no data, the first is (1, 1)");
    rill_heightfield_load_def def = default_def();
    def.no_data = RILL_NO_DATA_FILL;
    rill_heightfield *heightfield = load_with(FILE_AT("nan.tif"), def);
    assert_int_equal(rill_heightfield_filled(heightfield), 2);
    assert_true(value_at(heightfield, 1, 1) == 1.0);
    destroy(&heightfield);
}

static const char degrees[] =
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]";

// Ground that rises to the north by one in a hundred, at `latitude`, in arc seconds.
static void write_in_degrees(const char *path, double longitude, double latitude)
{
    enum { N = 120 };
    static float values[N * N];
    const double second = 1.0 / 3600.0;
    // Metres per degree of latitude on the ellipsoid of WGS 84, to 1e-5.
    const double turn = latitude * 3.14159265358979 / 90.0;
    const double metres = 111132.95 - 559.85 * cos(turn) + 1.17 * cos(2.0 * turn);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            values[j * N + i] = (float)(500.0 + 0.01 * metres * second * (j + 0.5 - 0.5 * N));
    const rl_raster_band band = {"bed", "m", {values, N, N, N}};
    const rill_georeference place = {
        .transform = {longitude - 0.5 * N * second, second, 0.0, latitude + 0.5 * N * second, 0.0,
                      -second},
        .projection = degrees,
        .known = 1,
    };
    assert_int_equal(rl_raster_write_geotiff(path, &band, 1, 1.0, &place), RILL_OK);
}

TEST(a_raster_in_degrees_is_laid_on_a_plane)
{
    if (!has_gdal())
        skip();
    // On the middle meridian of a zone north is up and a metre is 0.9996 metres of the map.
    write_in_degrees(FILE_AT("degrees.tif"), 9.0, 47.0);
    rill_heightfield_load_def def = default_def();
    def.no_data = RILL_NO_DATA_FILL;
    rill_heightfield *heightfield = load_with(FILE_AT("degrees.tif"), def);
    const double cell = rill_heightfield_cell_size(heightfield);
    const rill_field_view view = rill_heightfield_view(heightfield);
    // A second of arc is 30.88 m to the north and 21.14 m to the east here.
    assert_true(cell > 21.0 && cell < 31.0);
    assert_true(fabs(view.nx * cell / (120 * 21.14) - 1.0) < 0.02);
    assert_true(fabs(view.ny * cell / (120 * 30.88) - 1.0) < 0.02);
    const int i = view.nx / 2, j0 = view.ny / 4, j1 = 3 * view.ny / 4;
    const double rise =
        (value_at(heightfield, i, j1) - value_at(heightfield, i, j0)) / ((j1 - j0) * cell);
    assert_true(fabs(rise * 0.9996 / 0.01 - 1.0) < 1e-3);
    const rill_georeference place = rill_heightfield_georeference(heightfield);
    assert_non_null(strstr(place.projection, "UTM zone 32N"));
    assert_true(place.transform[1] == -place.transform[5] && place.transform[1] == cell);
    destroy(&heightfield);

    write_in_degrees(FILE_AT("degrees.tif"), 9.0, -33.0);
    heightfield = load_with(FILE_AT("degrees.tif"), def);
    assert_non_null(strstr(rill_heightfield_georeference(heightfield).projection, "UTM zone 32S"));
    destroy(&heightfield);
    write_in_degrees(FILE_AT("degrees.tif"), 9.0, 85.0);
    assert_refused(FILE_AT("degrees.tif"), "near a pole");
    // The caller may know better.
    def.cell_size = 25.0;
    heightfield = load_with(FILE_AT("degrees.tif"), def);
    assert_true(rill_heightfield_cell_size(heightfield) == 25.0);
    assert_true(fabs(rill_heightfield_georeference(heightfield).transform[1] * 3600.0 - 1.0) <
                1e-9);
    destroy(&heightfield);
}

TEST(pixels_that_are_no_square_metres_are_refused)
{
    if (!has_gdal())
        skip();
    write_vrt(FILE_AT("place.vrt"), "<GeoTransform>0, 2.5, 0.1, 50, 0, -2.5</GeoTransform>", "");
    assert_refused(FILE_AT("place.vrt"), "is rotated");
    write_vrt(FILE_AT("place.vrt"), "<GeoTransform>0, 2.5, 0, 50, 0, -2.6</GeoTransform>", "");
    assert_refused(FILE_AT("place.vrt"), "2.5 x 2.6 and not square");
    write_vrt(FILE_AT("place.vrt"), "<GeoTransform>0, -2.5, 0, 50, 0, -2.5</GeoTransform>", "");
    assert_refused(FILE_AT("place.vrt"), "positive size");
    write_vrt(FILE_AT("place.vrt"), "<GeoTransform>0, 2.5, 0, 50, 0, -2.51</GeoTransform>", "");
    rill_heightfield *heightfield = load_with(FILE_AT("place.vrt"), default_def());
    assert_true(fabs(rill_heightfield_cell_size(heightfield) - 2.505) < 1e-12);
    destroy(&heightfield);
}

TEST(a_raster_that_lies_otherwise_is_turned_right)
{
    if (!has_gdal())
        skip();
    // First row in the south.
    write_vrt(FILE_AT("turned.vrt"), "<GeoTransform>0, 2.5, 0, 45, 0, 2.5</GeoTransform>", "");
    rill_heightfield *heightfield = load_with(FILE_AT("turned.vrt"), default_def());
    assert_true(value_at(heightfield, 0, 0) == 1.0 && value_at(heightfield, 0, 1) == 4.25);
    const rill_georeference place = rill_heightfield_georeference(heightfield);
    assert_true(place.transform[3] == 50.0 && place.transform[5] == -2.5);
    destroy(&heightfield);

    // A map in US survey feet, and no map at all.
    write_vrt(FILE_AT("turned.vrt"),
              "<SRS>LOCAL_CS[\"site\",UNIT[\"US survey foot\",0.3048006096012192]]</SRS>" PLACE,
              "");
    heightfield = load_with(FILE_AT("turned.vrt"), default_def());
    assert_true(fabs(rill_heightfield_cell_size(heightfield) - 2.5 * 1200.0 / 3937.0) < 1e-9);
    destroy(&heightfield);
    write_vrt(FILE_AT("turned.vrt"), "", "");
    heightfield = load_with(FILE_AT("turned.vrt"), default_def());
    assert_true(rill_heightfield_cell_size(heightfield) == 1.0);
    assert_int_equal(rill_heightfield_georeference(heightfield).known, 0);
    destroy(&heightfield);
}

TEST(rasters_of_other_things_are_refused)
{
    if (!has_gdal())
        skip();
    write_vrt(FILE_AT("other.vrt"), PLACE, "<ColorInterp>Red</ColorInterp>");
    assert_refused(FILE_AT("other.vrt"), "is a colour picture");
    write_text(FILE_AT("other.vrt"), "<VRTDataset rasterXSize=\"70000\" rasterYSize=\"2\">"
                                     "<VRTRasterBand dataType=\"Float32\" band=\"1\"/>"
                                     "</VRTDataset>");
    assert_refused(FILE_AT("other.vrt"), "70000 x 2 cells");
    write_text(FILE_AT("other.vrt"), "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\">"
                                     "<VRTRasterBand dataType=\"CFloat32\" band=\"1\"/>"
                                     "</VRTDataset>");
    assert_refused(FILE_AT("other.vrt"), "complex numbers");
}

TEST(a_cut_short_geotiff_is_refused)
{
    if (!has_gdal())
        skip();
    static float values[64 * 64];
    for (int n = 0; n < 64 * 64; n++)
        values[n] = (float)((n * 7919) % 10007);
    const rl_raster_band band = {"z", "m", {values, 64, 64, 64}};
    assert_int_equal(rl_raster_write_geotiff(FILE_AT("cut.tif"), &band, 1, 1.0, NULL), RILL_OK);
    static char content[65536];
    FILE *file = fopen(FILE_AT("cut.tif"), "rb");
    assert_non_null(file);
    const size_t whole = fread(content, 1, sizeof content, file);
    fclose(file);
    assert_true(whole > 2000 && whole < sizeof content);
    for (size_t count = 1; count < whole - 16; count += whole / 23) {
        write_bytes(FILE_AT("cut.tif"), content, count);
        assert_refused(FILE_AT("cut.tif"), ": ");
    }
}

enum { READERS = 4 };

static void *load_in_thread(void *result)
{
    rill_heightfield_load_def def = rill_default_heightfield_load_def();
    rill_heightfield *heightfield = NULL;
    rill_status status = RILL_OK;
    for (int n = 0; n < 5 && status == RILL_OK; n++) {
        status = rill_heightfield_load(FILE_AT("threads.vrt"), &def, &heightfield);
        rill_heightfield_destroy(&heightfield);
    }
    *(rill_status *)result = status;
    return NULL;
}

TEST(rasters_can_be_read_by_several_threads)
{
    if (!has_gdal())
        skip();
    write_vrt(FILE_AT("threads.vrt"), PLACE, "");
    pthread_t threads[READERS];
    rill_status statuses[READERS];
    for (int n = 0; n < READERS; n++)
        assert_int_equal(pthread_create(&threads[n], NULL, load_in_thread, &statuses[n]), 0);
    for (int n = 0; n < READERS; n++)
        pthread_join(threads[n], NULL);
    for (int n = 0; n < READERS; n++)
        assert_int_equal(statuses[n], RILL_OK);
}
