// SPDX-License-Identifier: MIT
// raster_warp.c - rasters in degrees laid on a plane. Most free DEMs of the Earth (SRTM,
// Copernicus) are in degrees, and their pixels are not square anywhere but at the equator.
#include "scene/formats/raster_gdal.h"

#ifdef RL_HAS_GDAL

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <gdalwarper.h>
#include <math.h>
#include <ogr_srs_api.h>

#define MOST_LATITUDE 84.0  // degrees: UTM ends there
#define WARP_ERROR    0.125 // pixels: what the warper may be off, as its own tools have it

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

void *rl_gdal_in_metres(void *source)
{
    const OGRSpatialReferenceH projection = GDALGetSpatialRef(source);
    double t[6];
    if (projection == NULL || !OSRIsGeographic(projection) || GDALGetRasterCount(source) < 1 ||
        GDALGetGeoTransform(source, t) != CE_None)
        return NULL;
    const double nx = GDALGetRasterXSize(source), ny = GDALGetRasterYSize(source);
    const double longitude = t[0] + 0.5 * nx * t[1], latitude = t[3] + 0.5 * ny * t[5];
    const double highest = fabs(latitude) + 0.5 * ny * fabs(t[5]);
    if (!(highest <= MOST_LATITUDE) || !(nx * fabs(t[1]) <= RL_GDAL_WIDEST_DEGREES))
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

#else

typedef int rl_no_gdal; // a file must hold something

#endif
