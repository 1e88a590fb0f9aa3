// SPDX-License-Identifier: MIT
// test_raster.c - elevations from files and fields back into them: whole files give every value and
// their place on the Earth, broken ones a sentence that begins with the path.
#include "scene/formats/formats.h"
#include "scene/formats/raster.h"
#include "scene/formats/scan.h"
#include "tests/kit/kit.h"
#include "tests/scene/formats/raster_files.h"

#include "rill/files.h"
#include "rill/terrain.h"

#include <locale.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// ---- ESRI ASCII grids ------------------------------------------------------------------

TEST(an_ascii_grid_gives_every_value_and_its_place)
{
    write_text(FILE_AT("plain.asc"), grid_text);
    rill_heightfield *heightfield = load_with(FILE_AT("plain.asc"), default_def());
    static const double wanted[2][3] = {{4.25, -0.5, 6.0}, {1.0, 2.0, 3.0}}; // south first
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 3; i++)
            assert_true(value_at(heightfield, i, j) == wanted[j][i]);
    assert_true(rill_heightfield_cell_size(heightfield) == 2.5);
    const rill_georeference place = rill_heightfield_georeference(heightfield);
    static const double transform[6] = {1000.5, 2.5, 0.0, -15.0, 0.0, -2.5};
    assert_int_equal(place.known, 1);
    assert_null(place.projection);
    for (int n = 0; n < 6; n++)
        assert_true(place.transform[n] == transform[n]);
    destroy(&heightfield);
}

TEST(an_ascii_grid_may_be_written_in_many_ways)
{
    static const char *const texts[] = {
        "NROWS 2\r\nNCOLS\t3\r\nXLLCENTER 1001.75\r\nYllCenter -18.75\r\nCELLSIZE 2.5\r\n1 2\r\n3 "
        "4.25\r\n-.5\r\n6.\r\n",
        "\xef\xbb\xbf  ncols 3 nrows 2 xllcorner 1000.5 yllcorner -20 cellsize 2.5 1 2 3 4.25 "
        "-0.50000000000000000000000000001 600e-2",
        "cellsize 25e-1\nncols 3\nnrows 2\nyllcorner -20\nxllcorner 1000.5\nnodata_value "
        "NaN\n1\n2\n3\n4.25\n-0.5\n6\n\n\n",
    };
    for (int n = 0; n < COUNT(texts); n++) {
        write_text(FILE_AT("many.asc"), texts[n]);
        rill_heightfield *heightfield = load_with(FILE_AT("many.asc"), default_def());
        assert_true(value_at(heightfield, 0, 1) == 1.0 && value_at(heightfield, 1, 0) == -0.5);
        assert_true(value_at(heightfield, 0, 0) == 4.25 && value_at(heightfield, 2, 0) == 6.0);
        const rill_georeference place = rill_heightfield_georeference(heightfield);
        assert_true(place.transform[0] == 1000.5 && place.transform[3] == -15.0);
        destroy(&heightfield);
    }
}

TEST(cell_size_scale_and_offset_of_the_definition_are_used)
{
    write_text(FILE_AT("scaled.asc"), grid_text);
    rill_heightfield_load_def def = default_def();
    def.cell_size = 7.0;
    def.scale = -2.0;
    def.offset = 100.0;
    rill_heightfield *heightfield = load_with(FILE_AT("scaled.asc"), def);
    assert_true(rill_heightfield_cell_size(heightfield) == 7.0);
    assert_true(value_at(heightfield, 0, 0) == 91.5);
    assert_true(rill_heightfield_georeference(heightfield).transform[1] == 2.5);
    destroy(&heightfield);
}

TEST(cells_without_data_are_refused_or_filled)
{
    write_text(FILE_AT("holes.asc"), "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                                     "5 5 5 5\n5 -9999 nan 5\n5 5 5 5\n");
    assert_refused(FILE_AT("holes.asc"), "2 of its cells hold no data, the first is (1, 1)");

    rill_heightfield_load_def def = default_def();
    def.no_data = RILL_NO_DATA_FILL;
    rill_heightfield *heightfield = load_with(FILE_AT("holes.asc"), def);
    assert_int_equal(rill_heightfield_filled(heightfield), 2);
    assert_true(fabs(value_at(heightfield, 1, 1) - 5.0) < 1e-5);
    destroy(&heightfield);

    write_text(FILE_AT("empty.asc"), "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                                     "nodata_value 7\n7 7\n");
    assert_refused_with(FILE_AT("empty.asc"), def, RILL_BAD_FILE, "no cell holds data");
}

TEST(a_broken_ascii_grid_is_refused_with_its_line)
{
#define HEAD "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
    static const char *const cases[][2] = {
        {HEAD "1 2\n3\n", "line 8: ends after 3 of 4 values"},
        {HEAD "1 2\n3 4\n5\n", "line 8: more than 2 x 2 values"},
        {HEAD "1 2\n3 4x\n", "line 7: '4x' is not a number"},
        {HEAD "1,5 2\n3 4\n", "line 6: '1,5' is not a number"},
        {HEAD "inf 2\n3 4\n", "line 6: 'inf' is not a word of an ASCII grid"},
        {HEAD "1 2\n3 inf\n", "line 7: 'inf' is not a number"},
        {HEAD "1 2\n3 1e39\n", "the value 1e+39 in row 2, column 2 is out of range"},
        {HEAD "1 2\n3 -1e999\n", "out of range"},
        {HEAD "1 2\n3 e5 \n", "'e5' is not a number"},
        {HEAD "1 2\n3 1e\n", "'1e' is not a number"},
        {HEAD "1 2\n3 - \n", "'-' is not a number"},
        {HEAD "nrows 2\n1 2 3 4\n", "line 6: nrows is given twice"},
        {HEAD "dx 2\n1 2 3 4\n", "line 6: 'dx' is not a word of an ASCII grid"},
        {HEAD, "line 6: ends after 0 of 4 values"},
        {"ncols", "line 1: ends before the number of ncols"},
        {"ncols two\n", "line 1: 'two' is not a number"},
        {"nrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n", "the header lacks ncols"},
        {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4\n", "the header lacks cellsize"},
        {"ncols 2\nnrows 2\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
         "must have either xllcorner or xllcenter"},
        {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\nyllcenter 0\ncellsize 1\n1 2 3 4\n",
         "must have either yllcorner or yllcenter"},
        {"ncols 2.5\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
         "ncols is 2.5, it must be a whole number"},
        {"ncols -2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
         "ncols is -2, it must be positive"},
        {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize nan\n1 2 3 4\n",
         "cellsize is nan, it must be positive"},
        {"ncols 2\nnrows 2\nxllcorner nan\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
         "xllcorner is not a finite number"},
        {"ncols 1e300\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n", "whole number"},
        {"ncols 65536\nnrows 16384\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
         "bytes cannot hold 65536 x 16384 values"},
        {"ncols 70000\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n", "cut short"},
        {HEAD "1 2 3 "
              "1111111111111111111111111111111111111111111111111111111111111111111111111111111111",
         "line 6: a word is longer than 63 characters"},
        {HEAD "1 2 3 \x01\xfe\n", "'\?\?' is not a number"},
    };
    for (int n = 0; n < COUNT(cases); n++) {
        write_text(FILE_AT("broken.asc"), cases[n][0]);
        assert_refused(FILE_AT("broken.asc"), cases[n][1]);
    }
#undef HEAD
}

// Wherever a file is cut it must be refused, or hold all its values still.
TEST(a_cut_short_ascii_grid_is_refused_at_every_byte)
{
    const size_t whole = strlen(grid_text);
    for (size_t bytes = 1; bytes < whole - 2; bytes++) {
        write_bytes(FILE_AT("cut.asc"), grid_text, bytes);
        const rill_heightfield_load_def def = default_def();
        rill_heightfield *heightfield = NULL;
        const rill_status status = rill_heightfield_load(FILE_AT("cut.asc"), &def, &heightfield);
        // A first word that is cut is no sign of an ASCII grid any more.
        assert_true(status == RILL_BAD_FILE || (bytes < 5 && status == RILL_NO_BACKEND));
        assert_null(heightfield);
    }
    assert_int_equal(bytes_in_use, 0);
}

TEST(more_cells_than_accepted_are_refused)
{
    write_text(FILE_AT("many_cells.asc"), grid_text);
    rill_heightfield_load_def def = default_def();
    def.max_cells = 5;
    assert_refused_with(FILE_AT("many_cells.asc"), def, RILL_BAD_FILE,
                        "6 cells, at most 5 are accepted");
    def.max_cells = 6;
    rill_heightfield *heightfield = load_with(FILE_AT("many_cells.asc"), def);
    destroy(&heightfield);
}

TEST(numbers_are_read_alike_in_every_locale)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0.0},
        {"-0.1", -0.1},
        {"3.14159265358979", 3.14159265358979},
        {"1e-5", 1e-5},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"0.000000000000000000000000001", 1e-27},
        {"2.5E+3", 2500.0},
        {"1e-400", 0.0},
        {"340282346638528859811704183484516925440", 340282346638528859811704183484516925440.0},
    };
    setlocale(LC_ALL, "de_DE.UTF-8"); // where there is one, its decimal point is a comma
    for (int n = 0; n < COUNT(cases); n++) {
        double value = -1.0;
        assert_true(rl_parse_number(cases[n].text, &value));
        assert_true(fabs(value - cases[n].value) <= 1e-15 * fabs(cases[n].value));
    }
    setlocale(LC_ALL, "C");
    double value;
    assert_false(rl_parse_number("", &value));
    assert_false(rl_parse_number(".", &value));
    assert_false(rl_parse_number("1..2", &value));
    assert_false(rl_parse_number("0x10", &value));
    assert_false(rl_parse_number("nano", &value));
}

// ---- PNG -------------------------------------------------------------------------------

typedef struct bytes {
    unsigned char data[8192];
    size_t count;
} bytes;

static void put(bytes *out, const void *data, size_t count)
{
    assert_true(out->count + count <= sizeof out->data);
    memcpy(out->data + out->count, data, count);
    out->count += count;
}

static void put_u32(bytes *out, uint32_t value)
{
    const unsigned char data[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 8), (unsigned char)value};
    put(out, data, 4);
}

static void put_chunk(bytes *out, const char *name, const bytes *content)
{
    put_u32(out, (uint32_t)content->count);
    const size_t start = out->count;
    put(out, name, 4);
    put(out, content->data, content->count);
    uint32_t crc = 0xffffffffu;
    for (size_t n = start; n < out->count; n++) {
        crc ^= out->data[n];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1u ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    put_u32(out, ~crc);
}

// A PNG made by hand, with rows that are stored and not compressed. `rows` holds a filter byte of
// zero before every row.
static void make_png(bytes *out, uint32_t width, uint32_t height, int depth, int colour,
                     const bytes *rows)
{
    static bytes header, data;
    const unsigned char kinds[5] = {(unsigned char)depth, (unsigned char)colour, 0, 0, 0};
    header.count = data.count = out->count = 0;
    put(out, "\x89PNG\r\n\x1a\n", 8);
    put_u32(&header, width);
    put_u32(&header, height);
    put(&header, kinds, 5);
    put_chunk(out, "IHDR", &header);

    const unsigned length = (unsigned)rows->count;
    const unsigned char stored[7] = {0x78,
                                     0x01,
                                     0x01,
                                     (unsigned char)length,
                                     (unsigned char)(length >> 8),
                                     (unsigned char)~length,
                                     (unsigned char)(~length >> 8)};
    put(&data, stored, 7);
    put(&data, rows->data, rows->count);
    uint32_t a = 1, b = 0;
    for (size_t n = 0; n < rows->count; n++) {
        a = (a + rows->data[n]) % 65521;
        b = (b + a) % 65521;
    }
    put_u32(&data, b << 16 | a);
    put_chunk(out, "IDAT", &data);
    header.count = 0;
    put_chunk(out, "IEND", &header);
}

// False, after a look at the sentence, in a build without libpng.
static bool has_png(const char *path)
{
    const rill_heightfield_load_def def = default_def();
    rill_heightfield *heightfield = NULL;
    const rill_status status = rill_heightfield_load(path, &def, &heightfield);
    rill_heightfield_destroy(&heightfield);
    if (status != RILL_NO_BACKEND)
        return true;
    assert_non_null(strstr(rill_last_error(), "libpng"));
    return false;
}

TEST(a_grey_picture_runs_from_black_to_white)
{
    static bytes file, rows;
    static const unsigned char deep[2][7] = {{0, 0, 0, 0xff, 0xff, 0x12, 0x34},
                                             {0, 0, 1, 0x80, 0x00, 0x00, 0xff}};
    rows.count = 0;
    put(&rows, deep, sizeof deep);
    make_png(&file, 3, 2, 16, 0, &rows);
    write_bytes(FILE_AT("deep.png"), file.data, file.count);
    if (!has_png(FILE_AT("deep.png")))
        skip();
    rill_heightfield_load_def def = default_def();
    def.scale = 65535.0;
    def.offset = -10.0;
    rill_heightfield *heightfield = load_with(FILE_AT("deep.png"), def);
    static const double wanted[2][3] = {{-9.0, 32758.0, 245.0}, {-10.0, 65525.0, 4650.0}};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 3; i++)
            assert_true(fabs(value_at(heightfield, i, j) - wanted[j][i]) < 0.01);
    assert_true(rill_heightfield_cell_size(heightfield) == 1.0);
    assert_int_equal(rill_heightfield_georeference(heightfield).known, 0);
    destroy(&heightfield);

    static const unsigned char shallow[2][4] = {{0, 0, 255, 51}, {0, 1, 2, 102}};
    rows.count = 0;
    put(&rows, shallow, sizeof shallow);
    make_png(&file, 3, 2, 8, 0, &rows);
    write_bytes(FILE_AT("shallow.asc"), file.data, file.count); // the name does not decide
    heightfield = load_with(FILE_AT("shallow.asc"), default_def());
    assert_true(value_at(heightfield, 0, 1) == 0.0 && value_at(heightfield, 1, 1) == 1.0);
    assert_true(fabs(value_at(heightfield, 2, 1) - 0.2) < 1e-6);
    assert_true(fabs(value_at(heightfield, 2, 0) - 0.4) < 1e-6);
    destroy(&heightfield);

    static const unsigned char bits[2][2] = {{0, 0xa0}, {0, 0x40}};
    rows.count = 0;
    put(&rows, bits, sizeof bits);
    make_png(&file, 3, 2, 1, 0, &rows);
    write_bytes(FILE_AT("bits.png"), file.data, file.count);
    heightfield = load_with(FILE_AT("bits.png"), default_def());
    assert_true(value_at(heightfield, 0, 1) == 1.0 && value_at(heightfield, 1, 1) == 0.0);
    assert_true(value_at(heightfield, 1, 0) == 1.0 && value_at(heightfield, 2, 0) == 0.0);
    destroy(&heightfield);
}

TEST(pictures_that_are_no_elevations_are_refused)
{
    static const uint8_t pixels[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9};
    static bytes file, rows;
    static const unsigned char grey_alpha[2][3] = {{0, 1, 2}, {0, 3, 4}};
    rows.count = 0;
    put(&rows, grey_alpha, sizeof grey_alpha);
    make_png(&file, 1, 2, 8, 4, &rows);
    write_bytes(FILE_AT("alpha.png"), file.data, file.count);
    if (!has_png(FILE_AT("alpha.png"))) {
        assert_int_equal(rl_png_write_rgb(FILE_AT("colour.png"), 2, 2, pixels, 6), RILL_NO_BACKEND);
        skip();
    }
    assert_refused(FILE_AT("alpha.png"), "has transparency");
    assert_int_equal(rl_png_write_rgb(FILE_AT("colour.png"), 2, 2, pixels, 6), RILL_OK);
    assert_refused(FILE_AT("colour.png"), "is a colour picture");
    assert_int_equal(rl_png_write_rgb(RL_TEST_TMP "/no/such/folder.png", 2, 2, pixels, 6),
                     RILL_WRITE_FAILED);
    assert_int_equal(rl_png_write_rgb(FILE_AT("colour.png"), 2, 2, pixels, 5), RILL_BAD_ARGUMENT);
}

TEST(a_broken_picture_is_refused)
{
    static bytes file, rows;
    rows.count = 0;
    for (int n = 0; n < 5 * 6; n++)
        put(&rows, n % 6 == 0 ? "\0" : "\7", 1);
    make_png(&file, 5, 5, 8, 0, &rows);
    write_bytes(FILE_AT("cut.png"), file.data, file.count);
    if (!has_png(FILE_AT("cut.png")))
        skip();
    for (size_t count = 8; count < file.count; count += 3) {
        write_bytes(FILE_AT("cut.png"), file.data, count);
        assert_refused(FILE_AT("cut.png"), "is not a whole PNG picture");
    }
    file.data[60] ^= 0x55;
    write_bytes(FILE_AT("cut.png"), file.data, file.count);
    assert_refused(FILE_AT("cut.png"), "is not a whole PNG picture");

    make_png(&file, 30000, 30000, 16, 0, &rows); // promises far more than it holds
    write_bytes(FILE_AT("cut.png"), file.data, file.count);
    assert_refused(FILE_AT("cut.png"), "cut short");
    make_png(&file, 70000, 1, 8, 0, &rows);
    write_bytes(FILE_AT("cut.png"), file.data, file.count);
    assert_refused(FILE_AT("cut.png"), "70000 x 1 pixels");
}

// ---- Any kind --------------------------------------------------------------------------

TEST(files_that_are_no_rasters_are_refused)
{
    const rill_status unknown_kind = has_gdal() ? RILL_BAD_FILE : RILL_NO_BACKEND;
    assert_refused(FILE_AT("missing.asc"), "cannot be opened: No such file");
    write_text(FILE_AT("nothing.asc"), "");
    assert_refused(FILE_AT("nothing.asc"), "is empty");
    write_text(FILE_AT("letter.txt"), "Dear reader, this is a letter and not a raster.\n");
    assert_refused_with(FILE_AT("letter.txt"), default_def(), unknown_kind, "letter.txt");
    assert_refused_with(RL_TEST_TMP, default_def(), unknown_kind, RL_TEST_TMP);
    assert_refused_with("/vsizip/" FILE_AT("no.zip") "/a.tif", default_def(), unknown_kind,
                        "a.tif");
}

TEST(the_loader_refuses_nonsense)
{
    static const char *const words[] = {"cell_size", "cell_size", "offset",    "scale",
                                        "scale",     "no_data",   "max_cells", "max_cells"};
    write_text(FILE_AT("sound.asc"), grid_text);
    for (int n = 0; n < COUNT(words); n++) {
        rill_heightfield_load_def def = default_def();
        def.cell_size = n == 0 ? -1.0 : n == 1 ? NAN : 0.0;
        def.offset = n == 2 ? INFINITY : 0.0;
        def.scale = n == 3 ? 0.0 : n == 4 ? NAN : 1.0;
        def.no_data = n == 5 ? (rill_no_data)9 : RILL_NO_DATA_REFUSE;
        def.max_cells = n == 6 ? 0 : n == 7 ? INT64_MAX : RILL_MAX_CELLS;
        assert_refused_with(FILE_AT("sound.asc"), def, RILL_BAD_DEF, words[n]);
    }
    const rill_heightfield_load_def def = default_def();
    rill_heightfield *out = NULL;
    assert_int_equal(rill_heightfield_load(NULL, &def, &out), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_heightfield_load(FILE_AT("sound.asc"), NULL, &out), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_heightfield_load(FILE_AT("sound.asc"), &def, NULL), RILL_BAD_ARGUMENT);
}
