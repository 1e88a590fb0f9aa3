// SPDX-License-Identifier: MIT
// raster_gdal.c - rasters by way of GDAL. Elevations come from any raster that it reads: band 1,
// its own scale, offset, unit and no-data applied, the size of a cell taken from where the file
// says it lies. Fields go out as GeoTIFF: floats, tiled and compressed, one named band each.
#include "scene/formats/raster.h"

#ifdef RL_HAS_GDAL

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <gdalwarper.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define METRES_PER_DEGREE 111320.0 // at the equator, along both axes, to 0.6 %

// Around every use of GDAL: registers its drivers the first time and keeps it from writing to the
// host's standard error. Any thread may use GDAL between its own begin and end.
static void begin(void)
{
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    pthread_once(&registered, GDALAllRegister);
    CPLPushErrorHandler(CPLQuietErrorHandler); // of this thread alone
    CPLErrorReset();
}

static void end(void)
{
    CPLPopErrorHandler();
}

// Fails with what GDAL said last, as one sentence after the path. GDAL often repeats the path and
// may say several lines.
static rill_status fail(rill_status status, const char *path)
{
    RL_ASSERT(status != RILL_OK);
    char text[512];
    const char *message = CPLGetLastErrorMsg();
    const size_t length = strlen(path);
    if (strncmp(message, path, length) == 0 && message[length] == ':')
        message += length + 1;
    while (*message == ' ')
        message++;
    snprintf(text, sizeof text, "%s", *message != '\0' ? message : "GDAL failed without a word");
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return rill_fail(status, "%s: %s", path, text);
}

// ---- Degrees ---------------------------------------------------------------------------
//
// Most free DEMs of the Earth (SRTM, Copernicus) are in degrees, and their pixels are not square
// anywhere but at the equator; they are laid on a plane.

#define WIDEST_DEGREES 12.0  // of a raster that is laid on a plane: two zones of UTM
#define MOST_LATITUDE  84.0  // degrees: UTM ends there
#define WARP_ERROR     0.125 // pixels: what the warper may be off, as its own tools have it

// The zone of UTM of a place as text, to be freed with CPLFree; NULL when there is none.
static char *zone_of(double longitude, double latitude)
{
    const double east = fmod(fmod(longitude + 180.0, 360.0) + 360.0, 360.0); // of the date line
    char *text = NULL;
    OGRSpatialReferenceH plane = OSRNewSpatialReference(NULL);
    const int zone = (int)(east / 6.0) % 60 + 1;
    if (OSRImportFromEPSG(plane, (latitude >= 0.0 ? 32600 : 32700) + zone) == OGRERR_NONE)
        OSRExportToWkt(plane, &text);
    OSRDestroySpatialReference(plane);
    return text;
}

// A number of the band's type that stands for no data: its own, or one that no elevation has.
static double no_data_of(GDALRasterBandH band)
{
    int given = 0;
    const double value = GDALGetRasterNoDataValue(band, &given);
    if (given)
        return value;
    switch (GDALGetRasterDataType(band)) {
    case GDT_Byte:
        return 255.0;
    case GDT_UInt16:
        return 65535.0;
    case GDT_UInt32:
        return 4294967295.0;
    default:
        return -32768.0;
    }
}

// Pixels of the plane that the raster does not reach hold no data.
static GDALWarpOptions *options_for(GDALRasterBandH band)
{
    GDALWarpOptions *options = GDALCreateWarpOptions();
    int given = 0;
    GDALGetRasterNoDataValue(band, &given);
    options->nBandCount = 1;
    options->panSrcBands = CPLMalloc(sizeof(int));
    options->panDstBands = CPLMalloc(sizeof(int));
    options->panSrcBands[0] = options->panDstBands[0] = 1;
    options->padfDstNoDataReal = CPLMalloc(sizeof(double));
    options->padfDstNoDataReal[0] = no_data_of(band);
    if (given) {
        options->padfSrcNoDataReal = CPLMalloc(sizeof(double));
        options->padfSrcNoDataReal[0] = no_data_of(band);
    }
    options->papszWarpOptions = CSLSetNameValue(NULL, "INIT_DEST", "NO_DATA");
    return options;
}

// A raster in degrees as one in metres: in the zone of UTM that its middle lies in, with square
// pixels, bilinear, read when it is read; to be closed before `source`. NULL: it is not in degrees,
// or lies near a pole, or is too wide.
static GDALDatasetH in_metres(GDALDatasetH source)
{
    const OGRSpatialReferenceH projection = GDALGetSpatialRef(source);
    double t[6];
    if (projection == NULL || !OSRIsGeographic(projection) || GDALGetRasterCount(source) < 1 ||
        GDALGetGeoTransform(source, t) != CE_None)
        return NULL;
    const double nx = GDALGetRasterXSize(source), ny = GDALGetRasterYSize(source);
    const double longitude = t[0] + 0.5 * nx * t[1], latitude = t[3] + 0.5 * ny * t[5];
    const double highest = fabs(latitude) + 0.5 * ny * fabs(t[5]);
    if (!(highest <= MOST_LATITUDE) || !(nx * fabs(t[1]) <= WIDEST_DEGREES))
        return NULL;
    char *plane = zone_of(longitude, latitude);
    if (plane == NULL)
        return NULL;
    const GDALRasterBandH band = GDALGetRasterBand(source, 1);
    GDALWarpOptions *options = options_for(band);
    GDALDatasetH metric =
        GDALAutoCreateWarpedVRT(source, NULL, plane, GRA_Bilinear, WARP_ERROR, options);
    if (metric != NULL) { // what the numbers mean stays
        const GDALRasterBandH warped = GDALGetRasterBand(metric, 1);
        GDALSetRasterUnitType(warped, GDALGetRasterUnitType(band));
        GDALSetRasterScale(warped, GDALGetRasterScale(band, NULL));
        GDALSetRasterOffset(warped, GDALGetRasterOffset(band, NULL));
        GDALSetRasterNoDataValue(warped, no_data_of(band));
    }
    GDALDestroyWarpOptions(options);
    CPLFree(plane);
    return metric;
}

// ---- Where it lies ---------------------------------------------------------------------

typedef struct placement {
    double cell_size;    // metres
    double transform[6]; // first row in the north, whatever the file does
    bool known;
    bool south_first; // the first row of the file is the southern one
} placement;

// Degrees are no lengths, and what they are here could not be made metres.
static rill_status refuse_degrees(const char *path, const placement *place, int ny)
{
    const double latitude = place->transform[3] + 0.5 * ny * place->transform[5];
    const double width =
        place->transform[1] * METRES_PER_DEGREE * cos(latitude * 3.14159265358979 / 180.0);
    const double height = -place->transform[5] * METRES_PER_DEGREE;
    return rill_fail(RILL_BAD_FILE,
                     "%s: its pixels are in degrees, about %.3g x %.3g m, near a pole or over more "
                     "than %g degrees; reproject it with gdalwarp, or give cell_size",
                     path, width, height, WIDEST_DEGREES);
}

static rill_status check_transform(const char *path, const double transform[6])
{
    const double width = fabs(transform[1]), height = fabs(transform[5]);
    for (int n = 0; n < 6; n++)
        if (!isfinite(transform[n]))
            return rill_fail(RILL_BAD_FILE, "%s: its place on the map is not a number", path);
    if (fabs(transform[2]) + fabs(transform[4]) > 1e-6 * (width + height))
        return rill_fail(RILL_BAD_FILE, "%s: is rotated on the map; turn it upright with gdalwarp",
                         path);
    if (!(transform[1] > 0.0) || !(height > 0.0))
        return rill_fail(RILL_BAD_FILE,
                         "%s: its pixels are %g x %g, they must have a positive size", path,
                         transform[1], transform[5]);
    return RILL_OK;
}

static rill_status find_place(const char *path, GDALDatasetH dataset,
                              const rill_heightfield_load_def *def, placement *place)
{
    const int ny = GDALGetRasterYSize(dataset);
    double *transform = place->transform;
    *place = (placement){.cell_size = def->cell_size > 0.0 ? def->cell_size : 1.0};
    if (GDALGetGeoTransform(dataset, transform) != CE_None)
        return RILL_OK;
    place->known = true;
    RILL_TRY(check_transform(path, transform));
    place->south_first = transform[5] > 0.0;
    if (place->south_first) {
        transform[3] += ny * transform[5];
        transform[5] = -transform[5];
    }
    if (def->cell_size > 0.0)
        return RILL_OK;

    const OGRSpatialReferenceH projection = GDALGetSpatialRef(dataset);
    const double width = transform[1], height = -transform[5];
    if (projection != NULL && OSRIsGeographic(projection))
        return refuse_degrees(path, place, ny);
    if (fabs(width - height) > 0.01 * (width < height ? width : height))
        return rill_fail(
            RILL_BAD_FILE,
            "%s: its pixels are %g x %g and not square; resample it with gdalwarp -tr, "
            "or give cell_size",
            path, width, height);
    const double unit = projection != NULL ? OSRGetLinearUnits(projection, NULL) : 1.0;
    place->cell_size = 0.5 * (width + height) * (unit > 0.0 ? unit : 1.0);
    return RILL_OK;
}

// ---- What the numbers mean -------------------------------------------------------------

typedef struct meaning {
    double scale, offset; // metres = offset + scale * number
    bool masked;          // some numbers stand for no data
} meaning;

// 0 for a unit that is not known.
static double metres_in(const char *unit)
{
    static const struct {
        double metres;
        const char *names[6];
    } units[] = {
        {1.0, {"", "m", "metre", "metres", "meter", "meters"}},
        {0.3048, {"ft", "foot", "feet", "international foot"}},
        {1200.0 / 3937.0, {"us survey foot", "us survey feet", "foot_us", "us-ft", "ftus"}},
        {0.01, {"cm", "centimetre"}},
        {1000.0, {"km", "kilometre"}},
    };
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++)
        for (int k = 0; k < 6 && units[n].names[k] != NULL; k++)
            if (EQUAL(unit, units[n].names[k]))
                return units[n].metres;
    return 0.0;
}

static void warn(const rill_host *host, const char *path, const char *unit)
{
    char line[512];
    if (host == NULL || host->log == NULL)
        return;
    snprintf(line, sizeof line, "%s: its unit '%s' is not known, metres are taken", path, unit);
    host->log(host->log_user, RILL_LOG_WARNING, line);
}

static rill_status find_meaning(const char *path, GDALRasterBandH band, const rill_host *host,
                                meaning *means)
{
    const GDALColorInterp colour = GDALGetRasterColorInterpretation(band);
    if (GDALDataTypeIsComplex(GDALGetRasterDataType(band)))
        return rill_fail(RILL_BAD_FILE, "%s: holds complex numbers, not elevations", path);
    if (colour == GCI_PaletteIndex || colour == GCI_RedBand)
        return rill_fail(RILL_BAD_FILE, "%s: is a colour picture, not a raster of elevations",
                         path);
    const char *unit = GDALGetRasterUnitType(band);
    double metres = metres_in(unit);
    if (metres == 0.0) {
        warn(host, path, unit);
        metres = 1.0;
    }
    means->scale = metres * GDALGetRasterScale(band, NULL);
    means->offset = metres * GDALGetRasterOffset(band, NULL);
    means->masked = (GDALGetMaskFlags(band) & GMF_ALL_VALID) == 0;
    if (!isfinite(means->scale) || !isfinite(means->offset))
        return rill_fail(RILL_BAD_FILE, "%s: its scale or offset is not a number", path);
    return RILL_OK;
}

// ---- Reading ---------------------------------------------------------------------------

// The mask covers a no-data value, a mask band and an alpha band alike.
static rill_status read_row(const char *path, GDALRasterBandH band, const meaning *means,
                            int file_row, int nx, double *numbers, unsigned char *mask)
{
    if (GDALRasterIO(band, GF_Read, 0, file_row, nx, 1, numbers, nx, 1, GDT_Float64, 0, 0) !=
        CE_None)
        return fail(RILL_BAD_FILE, path);
    if (means->masked && GDALRasterIO(GDALGetMaskBand(band), GF_Read, 0, file_row, nx, 1, mask, nx,
                                      1, GDT_Byte, 0, 0) != CE_None)
        return fail(RILL_BAD_FILE, path);
    for (int i = 0; i < nx; i++)
        numbers[i] = !isfinite(numbers[i]) || (means->masked && mask[i] == 0)
                         ? (double)NAN
                         : means->offset + means->scale * numbers[i];
    return RILL_OK;
}

static rill_status read_band(const char *path, GDALRasterBandH band, const meaning *means,
                             bool south_first, const rill_heightfield_load_def *def,
                             rill_heightfield *heightfield)
{
    const rill_field_view view = rill_heightfield_view(heightfield);
    const int nx = view.nx, ny = view.ny;
    const rill_allocator *allocator = rill_allocator_of(def->host);
    const size_t bytes = (size_t)nx * (sizeof(double) + 1);
    double *numbers = rill_alloc(allocator, bytes);
    if (numbers == NULL)
        return rill_fail(RILL_NO_MEMORY, "%s: no memory to read it", path);
    rill_status status = RILL_OK;
    for (int row = 0; status == RILL_OK && row < ny; row++) {
        status = read_row(path, band, means, south_first ? ny - 1 - row : row, nx, numbers,
                          (unsigned char *)(numbers + nx));
        for (int i = 0; status == RILL_OK && i < nx; i++)
            status = rl_raster_put(path, def, heightfield, i, row, numbers[i]);
    }
    rill_free(allocator, numbers, bytes);
    return status;
}

static rill_status check_bands(const char *path, GDALDatasetH dataset)
{
    if (GDALGetRasterCount(dataset) > 0)
        return RILL_OK;
    const char *part =
        CSLFetchNameValue(GDALGetMetadata(dataset, "SUBDATASETS"), "SUBDATASET_1_NAME");
    if (part != NULL)
        return rill_fail(RILL_BAD_FILE, "%s: holds several rasters; name one of them, such as %s",
                         path, part);
    return rill_fail(RILL_BAD_FILE, "%s: holds no raster", path);
}

static rill_status load(const char *path, GDALDatasetH dataset,
                        const rill_heightfield_load_def *def, rill_heightfield **out)
{
    placement place = {0};
    meaning means = {0};
    RILL_TRY(check_bands(path, dataset));
    const GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    RILL_TRY(find_meaning(path, band, def->host, &means));
    RILL_TRY(find_place(path, dataset, def, &place));
    RILL_TRY(rl_raster_create(path, GDALGetRasterXSize(dataset), GDALGetRasterYSize(dataset),
                              place.cell_size, def, out));
    RILL_TRY(read_band(path, band, &means, place.south_first, def, *out));
    return place.known ? rill_heightfield_set_georeference(*out, place.transform,
                                                           GDALGetProjectionRef(dataset))
                       : RILL_OK;
}

rill_status rl_raster_load_gdal(const char *path, const rill_heightfield_load_def *def,
                                rill_heightfield **out)
{
    *out = NULL;
    begin();
    rill_status status;
    GDALDatasetH dataset = GDALOpenEx(
        path, GDAL_OF_READONLY | GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (dataset == NULL) {
        status = fail(RILL_BAD_FILE, path);
    } else {
        // The size of a cell that the caller gives is that of the pixels as they are.
        GDALDatasetH metric = def->cell_size > 0.0 ? NULL : in_metres(dataset);
        status = load(path, metric != NULL ? metric : dataset, def, out);
        if (metric != NULL)
            GDALClose(metric);
        GDALClose(dataset);
    }
    end();
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}

// ---- Writing ---------------------------------------------------------------------------

static rill_status check_output(const char *path, const rl_raster_band *bands, int band_count,
                                double cell_size)
{
    if (band_count < 1)
        return rill_fail(RILL_BAD_ARGUMENT, "%s: a raster of %d bands", path, band_count);
    if (!(cell_size > 0.0) || !isfinite(cell_size))
        return rill_fail(RILL_BAD_ARGUMENT, "%s: cell_size is %g m, it must be positive", path,
                         cell_size);
    for (int n = 0; n < band_count; n++) {
        const rill_field_view *view = &bands[n].view;
        if (view->data == NULL || view->nx < 1 || view->ny < 1 || view->nx != bands[0].view.nx ||
            view->ny != bands[0].view.ny)
            return rill_fail(RILL_BAD_ARGUMENT, "%s: band %d is of another size or empty", path,
                             n + 1);
    }
    return RILL_OK;
}

static CPLErr write_band(GDALDatasetH dataset, int index, const rl_raster_band *band)
{
    GDALRasterBandH out = GDALGetRasterBand(dataset, index);
    const rill_field_view *view = &band->view;
    if (band->name != NULL)
        GDALSetDescription(out, band->name);
    CPLErr failed = band->unit != NULL ? GDALSetRasterUnitType(out, band->unit) : CE_None;
    for (int row = 0; failed == CE_None && row < view->ny; row++) {
        // GDAL takes a plain pointer for both directions; it does not write through this one.
        void *from = (void *)(uintptr_t)(view->data + (size_t)(view->ny - 1 - row) * view->pitch);
        failed =
            GDALRasterIO(out, GF_Write, 0, row, view->nx, 1, from, view->nx, 1, GDT_Float32, 0, 0);
    }
    return failed;
}

static CPLErr write_place(GDALDatasetH dataset, double cell_size,
                          const rill_georeference *georeference)
{
    double transform[6] = {0.0, cell_size, 0.0, cell_size * GDALGetRasterYSize(dataset),
                           0.0, -cell_size};
    const bool known = georeference != NULL && georeference->known;
    for (int n = 0; known && n < 6; n++)
        transform[n] = georeference->transform[n];
    const CPLErr failed = GDALSetGeoTransform(dataset, transform);
    if (failed != CE_None || !known || georeference->projection == NULL)
        return failed;
    return GDALSetProjection(dataset, georeference->projection);
}

static rill_status write_file(const char *path, const rl_raster_band *bands, int band_count,
                              double cell_size, const rill_georeference *georeference)
{
    static const char *const options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3",      "TILED=YES",
                                          "INTERLEAVE=BAND",  "BIGTIFF=IF_SAFER", NULL};
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    if (driver == NULL)
        return rill_fail(RILL_NO_BACKEND, "%s: this GDAL cannot write GeoTIFF", path);
    GDALDatasetH dataset = GDALCreate(driver, path, bands[0].view.nx, bands[0].view.ny, band_count,
                                      GDT_Float32, (CSLConstList)(uintptr_t)options);
    if (dataset == NULL)
        return fail(RILL_WRITE_FAILED, path);
    CPLErr failed = write_place(dataset, cell_size, georeference);
    for (int n = 0; failed == CE_None && n < band_count; n++)
        failed = write_band(dataset, n + 1, &bands[n]);
    const rill_status status = failed == CE_None ? RILL_OK : fail(RILL_WRITE_FAILED, path);
    // Closing writes what is still in GDAL's cache, and reports errors through the handler alone.
    CPLErrorReset();
    GDALClose(dataset);
    if (status == RILL_OK && CPLGetLastErrorType() >= CE_Failure)
        return fail(RILL_WRITE_FAILED, path);
    return status;
}

rill_status rl_raster_write_geotiff(const char *path, const rl_raster_band *bands, int band_count,
                                    double cell_size, const rill_georeference *georeference)
{
    RILL_TRY(check_output(path, bands, band_count, cell_size));
    begin();
    rill_status status = write_file(path, bands, band_count, cell_size, georeference);
    end();
    return status;
}

#else // without GDAL

rill_status rl_raster_load_gdal(const char *path, const rill_heightfield_load_def *def,
                                rill_heightfield **out)
{
    (void)def;
    *out = NULL;
    return rill_fail(
        RILL_NO_BACKEND,
        "%s: is neither a PNG picture nor an ESRI ASCII grid, and this build has no GDAL "
        "to read other kinds",
        path);
}

rill_status rl_raster_write_geotiff(const char *path, const rl_raster_band *bands, int band_count,
                                    double cell_size, const rill_georeference *georeference)
{
    (void)bands;
    (void)band_count;
    (void)cell_size;
    (void)georeference;
    return rill_fail(RILL_NO_BACKEND, "%s: cannot write GeoTIFF, this build has no GDAL", path);
}

#endif
