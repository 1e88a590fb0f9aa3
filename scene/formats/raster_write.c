// SPDX-License-Identifier: MIT
// raster_write.c - fields out as GeoTIFF: floats, tiled and compressed, one named band each.
#include "scene/formats/raster.h"

#include "rill/support.h"

#ifdef RL_HAS_GDAL

#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <math.h>

static rill_status check(const char *path, const rl_raster_band *bands, int band_count,
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
        return rl_gdal_fail(RILL_WRITE_FAILED, path);
    CPLErr failed = write_place(dataset, cell_size, georeference);
    for (int n = 0; failed == CE_None && n < band_count; n++)
        failed = write_band(dataset, n + 1, &bands[n]);
    const rill_status status = failed == CE_None ? RILL_OK : rl_gdal_fail(RILL_WRITE_FAILED, path);
    // Closing writes what is still in GDAL's cache, and reports errors through the handler alone.
    CPLErrorReset();
    GDALClose(dataset);
    if (status == RILL_OK && CPLGetLastErrorType() >= CE_Failure)
        return rl_gdal_fail(RILL_WRITE_FAILED, path);
    return status;
}

rill_status rl_raster_write_geotiff(const char *path, const rl_raster_band *bands, int band_count,
                                    double cell_size, const rill_georeference *georeference)
{
    RILL_TRY(check(path, bands, band_count, cell_size));
    rl_gdal_begin();
    rill_status status = write_file(path, bands, band_count, cell_size, georeference);
    rl_gdal_end();
    return status;
}

#else // without GDAL

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
