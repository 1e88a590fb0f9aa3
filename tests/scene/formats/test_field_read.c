// SPDX-License-Identifier: MIT
// test_field_read.c - fields out of NRRD files and raw values in every way of writing them, and a
// list of broken files with what is said about each.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/files.h"

#include <sys/stat.h>

#define FOLDER RL_TEST_TMP "/field_read"
#define NODES  27 // 3 x 3 x 3

typedef struct bytes {
    unsigned char data[1 << 14];
    size_t count;
} bytes;

static void put(bytes *b, const void *data, size_t count)
{
    assert_true(b->count + count <= sizeof b->data);
    memcpy(b->data + b->count, data, count);
    b->count += count;
}

static void put_text(bytes *b, const char *text)
{
    put(b, text, strlen(text));
}

static void write_file(const char *path, const bytes *b)
{
    mkdir(FOLDER, 0777);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->data, 1, b->count, file), b->count);
    assert_int_equal(fclose(file), 0);
}

// Node n of the test's field: whole numbers that every type can hold, negative ones where it can.
static int value_of(int n, bool has_sign)
{
    return n * 4 - (has_sign ? 50 : 0);
}

static void put_value(bytes *b, rill_value_type type, int value, bool big)
{
    const float single = (float)value;
    const double twice = (double)value;
    uint64_t raw = (uint64_t)(int64_t)value;
    uint32_t low;
    memcpy(&low, &single, sizeof low);
    if (type == RILL_VALUE_FLOAT)
        raw = low;
    if (type == RILL_VALUE_DOUBLE)
        memcpy(&raw, &twice, sizeof raw);
    const int sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8}, size = sizes[type];
    for (int k = 0; k < size; k++) {
        const unsigned char byte = (unsigned char)(raw >> 8 * (big ? size - 1 - k : k));
        put(b, &byte, 1);
    }
}

static bool has_sign(rill_value_type type)
{
    return type != RILL_VALUE_UINT8 && type != RILL_VALUE_UINT16 && type != RILL_VALUE_UINT32 &&
           type != RILL_VALUE_UINT64;
}

static void put_values(bytes *b, rill_value_type type, bool big)
{
    for (int n = 0; n < NODES; n++)
        put_value(b, type, value_of(n, has_sign(type)), big);
}

// Loads with the middle value as the level, so that there is an inside.
static rill_distance_field *load(const char *path, double level, const rill_field_header *header)
{
    rill_distance_field_load_def def = rill_default_distance_field_load_def();
    rill_distance_field *field = NULL;
    def.level = level;
    def.header = header;
    assert_ok(rill_distance_field_load(path, &def, &field));
    return field;
}

// The distances are those of the values, which rise by 36 from sheet to sheet at a spacing of 1.
static void check_values(const rill_distance_field *field, bool is_signed)
{
    const rill_distance_field_info info = rill_distance_field_view(field);
    const int level = value_of(13, is_signed);
    assert_true(info.nx == 3 && info.ny == 3 && info.nz == 3);
    for (int n = 0; n < NODES; n++) {
        const double right = (value_of(n, is_signed) - level) / info.flattened;
        assert_true(fabs((double)info.distances[n] - right) < 1e-6);
    }
    assert_true(fabs(info.flattened - 36.0) < 1e-9);
}

// ---- Files that are read ---------------------------------------------------------------

TEST(every_type_is_read_in_both_orders)
{
    for (int type = 0; type < RILL_VALUE_TYPE_COUNT; type++)
        for (int big = 0; big < 2; big++) {
            bytes b = {.count = 0};
            put_text(&b, "NRRD0004\n# made by hand\ntype: ");
            put_text(&b, rill_value_type_name((rill_value_type)type));
            put_text(&b, "\ndimension: 3\nsizes: 3 3 3\nencoding: raw\nendian: ");
            put_text(&b, big ? "big\n\n" : "little\n\n");
            put_values(&b, (rill_value_type)type, big != 0);
            write_file(FOLDER "/type.nrrd", &b);
            const bool is_signed = has_sign((rill_value_type)type);
            rill_distance_field *field = load(FOLDER "/type.nrrd", value_of(13, is_signed), NULL);
            check_values(field, is_signed);
            rill_distance_field_destroy(&field);
        }
}

TEST(directions_origin_unit_and_level_place_the_field)
{
    bytes b = {.count = 0};
    put_text(&b, "NRRD0005\r\ntype: short\r\ndimension: 3\r\nspace: left-posterior-superior\r\n"
                 "sizes: 3 3 3\r\nspace directions: (0,2,0) (-4,0,0) (0,0,0.5)\r\n"
                 "kinds: domain domain domain\r\nendian: little\r\nencoding: raw\r\n"
                 "space units: \"mm\" \"mm\" \"mm\"\r\nspace origin: (10,-20,30)\r\n"
                 "patient:=no name\r\n\r\n");
    put_values(&b, RILL_VALUE_INT16, false);
    write_file(FOLDER "/place.nrrd", &b);
    rill_field_header header;
    rill_field_range range;
    assert_ok(rill_field_file_inspect(FOLDER "/place.nrrd", &header, &range));
    assert_string_equal(header.space, "left-posterior-superior");
    assert_string_equal(header.unit, "mm");
    assert_true(header.spacing[1] == 4.0 && header.axes[1][0] == -1.0 && header.origin[1] == -20.0);
    assert_true(range.low == -50.0 && range.high == 54.0 && fabs(range.mean - 2.0) < 1e-12);
    assert_int_equal(range.not_finite, 0);
    rill_distance_field_load_def def = rill_default_distance_field_load_def();
    rill_distance_field *field = NULL;
    def.level = 2.0, def.scale = -0.001, def.unit = 0.001;
    assert_ok(rill_distance_field_load(FOLDER "/place.nrrd", &def, &field));
    const rill_distance_field_info info = rill_distance_field_view(field);
    assert_true(info.flattened == 1.0); // 36 * 1e-6 over 0.5e-3 m
    for (int n = 0; n < NODES; n++) {
        const double x = 0.001 * (10.0 - 4.0 * (n / 3 % 3)), y = 0.001 * (-20.0 + 2.0 * (n % 3));
        const double d = rill_distance_field_distance(field, x, y, 0.001 * (30.0 + 0.5 * (n / 9)));
        assert_true(fabs(d + 1e-6 * (value_of(n, true) - 2)) < 4e-12); // half a bit of a float
    }
    rill_distance_field_destroy(&field);
}

TEST(values_may_lie_in_a_file_of_their_own)
{
    bytes head = {.count = 0}, data = {.count = 0};
    put_text(&head, "NRRD0001\ntype: unsigned char\ndimension: 3\nsizes: 3 3 3\nencoding: RAW\n"
                    "spacings: 1 1 1\naxis mins: 5 6 7\ncenters: cell cell cell\n"
                    "line skip: 2\nbyte skip: 3\ndata file: values.raw\n");
    put_text(&data, "one line\nand another\nxyz");
    put_values(&data, RILL_VALUE_UINT8, false);
    put_text(&data, "behind");
    write_file(FOLDER "/apart.nhdr", &head);
    write_file(FOLDER "/values.raw", &data);
    rill_distance_field *field = load(FOLDER "/apart.nhdr", 52.0, NULL);
    check_values(field, false);
    assert_true(rill_distance_field_view(field).origin[2] == 7.5);
    rill_distance_field_destroy(&field);
    // The last bytes of the file.
    head.count = data.count = 0;
    put_text(&head, "NRRD0001\ntype: uint8\ndimension: 3\nsizes: 3 3 3\nencoding: raw\n"
                    "byte skip: -1\ndatafile: values.raw\n");
    put_text(&data, "a header of any length");
    put_values(&data, RILL_VALUE_UINT8, false);
    write_file(FOLDER "/apart.nhdr", &head);
    write_file(FOLDER "/values.raw", &data);
    field = load(FOLDER "/apart.nhdr", 52.0, NULL);
    check_values(field, false);
    rill_distance_field_destroy(&field);
}

TEST(raw_values_are_read_as_the_caller_says)
{
    bytes b = {.count = 0};
    put_text(&b, "head");
    put_values(&b, RILL_VALUE_UINT16, true);
    write_file(FOLDER "/plain.raw", &b);
    rill_field_header header = rill_default_field_header();
    header.nx = header.ny = header.nz = 3;
    header.type = RILL_VALUE_UINT16;
    header.big_endian = 1;
    header.skip = 4;
    rill_distance_field *field = load(FOLDER "/plain.raw", 52.0, &header);
    check_values(field, false);
    rill_distance_field_destroy(&field);
    rill_distance_field_load_def def = rill_default_distance_field_load_def();
    def.header = &header;
    header.skip = 0;
    assert_int_equal(rill_distance_field_load(FOLDER "/plain.raw", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("has 4 bytes more than 3 x 3 x 3 values of uint16");
    header.nz = 4;
    assert_int_equal(rill_distance_field_load(FOLDER "/plain.raw", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("58 bytes cannot hold 3 x 3 x 4 values");
    header.nx = header.ny = header.nz = 1 << 30;
    assert_int_equal(rill_distance_field_load(FOLDER "/plain.raw", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("all together at most");
    header.nx = header.ny = header.nz = 3, header.type = RILL_VALUE_TYPE_COUNT;
    assert_int_equal(rill_distance_field_load(FOLDER "/plain.raw", &def, &field), RILL_BAD_DEF);
    header.type = RILL_VALUE_UINT16, header.skip = INT64_MAX;
    assert_int_equal(rill_distance_field_load(FOLDER "/plain.raw", &def, &field), RILL_BAD_FILE);
    def.header = NULL;
    assert_int_equal(rill_distance_field_load(FOLDER "/plain.raw", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("is no field that Rill knows");
    assert_null(field);
}

// ---- Broken files ----------------------------------------------------------------------

#define GOOD "NRRD0004\ntype: int8\ndimension: 3\nsizes: 3 3 3\nencoding: raw\n" // 5 lines

static void refused(const char *header, const char *sentence)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_distance_field_load_def def = rill_default_distance_field_load_def();
    rill_distance_field *field = (rill_distance_field *)(void *)&count; // must become NULL
    bytes b = {.count = 0};
    put_text(&b, header);
    put_values(&b, RILL_VALUE_INT8, false);
    write_file(FOLDER "/bad.nrrd", &b);
    def.host = &host;
    const rill_status status = rill_distance_field_load(FOLDER "/bad.nrrd", &def, &field);
    assert_sentence_has(sentence);
    assert_int_equal(status, RILL_BAD_FILE);
    assert_null(field);
    assert_int_equal(count.bytes, 0);
}

TEST(broken_headers_are_refused_in_words)
{
    static const struct {
        const char *header, *sentence;
    } bad[] = {
        {"", "no field that Rill knows"},
        {"NRRD0004\n", "line 2: '?"}, // values where the header should be
        {"NRRD0004\ntype: int8\ndimension: 3\nsizes: 3 3 3\n\n", "the header lacks encoding"},
        {"NRRD0004\ndimension: 3\nsizes: 3 3 3\nencoding: raw\n\n", "the header lacks type"},
        {"NRRD0004\ntype: int8\nsizes: 3 3 3\nencoding: raw\n\n", "the header lacks dimension"},
        {"NRRD0004\ntype: int8\ndimension: 3\nencoding: raw\n\n", "the header lacks sizes"},
        {"NRRD0004\ntype: short\ndimension: 3\nsizes: 3 3 3\nencoding: raw\n\n",
         "the header lacks endian"},
        {"NRRD0004\ntype: block\n", "line 2: type is 'block'"},
        {"NRRD0004\ndimension: 4\n", "line 2: dimension is 4, a field has 3"},
        {"NRRD0004\nsizes: 3 3\n", "line 2: ends before sizes"},
        {"NRRD0004\nsizes: 3 3 3 3\n", "line 2: sizes has more than 3 numbers"},
        {"NRRD0004\nsizes: 3 3 1\n", "line 2: a size is 1"},
        {"NRRD0004\nsizes: 3 -3 3\n", "line 2: a size is -3"},
        {"NRRD0004\nsizes: 3 2.5 3\n", "line 2: a size is 2.5"},
        {"NRRD0004\nsizes: 3 3 99999999999999999999\n", "line 2: a size is 1e+20"},
        {"NRRD0004\nsizes: 3 3 1e999\n", "not finite"},
        {"NRRD0004\nsizes: 3 three 3\n", "line 2: 'three' is not a number, as sizes has to be"},
        {"NRRD0004\nsizes: nan 3 3\n", "line 2: sizes has a number that is not finite"},
        {"NRRD0004\ntype: int8\ndimension: 3\nsizes: 1073741824 1073741824 1073741824\n"
         "encoding: raw\n\n",
         "all together at most 1073741824"},
        {"NRRD0004\ntype: int8\ndimension: 3\nsizes: 1024 1024 1024\nencoding: raw\n\n",
         "is cut short: 27 bytes cannot hold 1024 x 1024 x 1024 values of int8"},
        {"NRRD0004\nencoding: gzip\n", "line 2: encoding is 'gzip', only raw is read: write the "
                                       "file again without compression"},
        {"NRRD0004\nencoding: txt\n", "encoding is 'txt'"},
        {"NRRD0004\nendian: middle\n", "endian is 'middle'"},
        {"NRRD0004\nspacings: 1 0 1\n", "a spacing is 0"},
        {"NRRD0004\nspacings: 1 nan 1\n", "not finite"},
        {"NRRD0004\nspace directions: none (1,0,0) (0,1,0)\n", "an axis has no direction"},
        {"NRRD0004\nspace directions: (0,0,0) (1,0,0) (0,1,0)\n", "direction 1 has the length 0"},
        {"NRRD0004\nspace dimension: 2\n", "space dimension is 2"},
        {"NRRD0004\nspace origin: (1,2)\n", "ends before space origin"},
        {"NRRD0004\nbyte skip: 1.5\n", "byte skip is 1.5"},
        {"NRRD0004\nbyte skip: -2\n", "byte skip is -2"},
        {"NRRD0004\ndata file: LIST\n", "several files"},
        {"NRRD0004\ndata file: v%03d.raw 1 9 1\n", "several files"},
        {"NRRD0004\ndata file:\n", "the name of the data file is empty"},
        {"NRRD0004\ntype: int8\ntype: int8\n", "line 3: type is given twice"},
        {"NRRD0004\nno field\n", "line 2: 'no field' is no line of a NRRD header"},
        {GOOD "line skip: -1\n\n", "line skip is negative"},
        {GOOD "line skip: 9\n\n", "has no 9 lines to skip"},
        {GOOD "byte skip: 1\n\n", "is cut short"},
        {GOOD "byte skip: 1000000000000000\n\n", "is cut short"},
        {GOOD "data file: missing.raw\n\n", "missing.raw: cannot be opened"},
        {GOOD "data file: .\n\n", "cannot be read: Is a directory"},
        {GOOD "space directions: (1,0,0) (1,1,0) (0,0,1)\n\n", "not at right angles"},
        {GOOD "spacings: 1e30 1 1\n\n", "spacing of a field along axis 1"},
        {GOOD "space origin: (1e30,0,0)\n\n", "origin of a field"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++)
        refused(bad[n].header, bad[n].sentence);
    static char endless[6000] = "NRRD0004\n";
    memset(endless + 9, 'a', sizeof endless - 10);
    refused(endless, "line 2: is longer than 4095 bytes");
}

// Whatever is cut off, there is a sentence and nothing is left behind.
TEST(a_file_that_is_cut_short_anywhere_is_refused)
{
    bytes b = {.count = 0};
    put_text(&b, GOOD "space origin: (1,2,3)\n\n");
    put_values(&b, RILL_VALUE_INT8, false);
    const size_t whole = b.count;
    for (size_t count = 0; count < whole; count++) {
        counter counted = {0};
        const rill_host host = counting_host(&counted);
        rill_distance_field_load_def def = rill_default_distance_field_load_def();
        rill_distance_field *field = NULL;
        def.host = &host;
        b.count = count;
        write_file(FOLDER "/cut.nrrd", &b);
        assert_int_equal(rill_distance_field_load(FOLDER "/cut.nrrd", &def, &field), RILL_BAD_FILE);
        assert_null(field);
        assert_int_equal(counted.bytes, 0);
    }
}

TEST(values_that_make_no_solid_are_refused)
{
    bytes b = {.count = 0};
    put_text(&b, "NRRD0004\ntype: float\ndimension: 3\nsizes: 3 3 3\nencoding: raw\n"
                 "endian: little\n\n");
    put_values(&b, RILL_VALUE_FLOAT, false);
    write_file(FOLDER "/solid.nrrd", &b);
    rill_distance_field_load_def def = rill_default_distance_field_load_def();
    rill_distance_field *field = NULL;
    def.level = -51.0;
    assert_int_equal(rill_distance_field_load(FOLDER "/solid.nrrd", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("has nothing inside: its values go from -50 to 54, the level is -51");
    def.level = 55.0;
    assert_int_equal(rill_distance_field_load(FOLDER "/solid.nrrd", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("has nothing outside");
    def.level = 0.0, def.scale = 0.0;
    assert_int_equal(rill_distance_field_load(FOLDER "/solid.nrrd", &def, &field), RILL_BAD_DEF);
    def.scale = 1.0, def.unit = -1.0;
    assert_int_equal(rill_distance_field_load(FOLDER "/solid.nrrd", &def, &field), RILL_BAD_DEF);
    def.unit = 1.0;
    const unsigned char none[4] = {0, 0, 0xc0, 0x7f}; // a NaN as the last value
    b.count -= 4;
    put(&b, none, 4);
    write_file(FOLDER "/solid.nrrd", &b);
    assert_int_equal(rill_distance_field_load(FOLDER "/solid.nrrd", &def, &field), RILL_BAD_FILE);
    assert_sentence_has("solid.nrrd: value (2, 2, 2) of a field is nan");
    assert_int_equal(rill_distance_field_load(NULL, &def, &field), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_distance_field_load("x", NULL, &field), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_distance_field_load("x", &def, NULL), RILL_BAD_ARGUMENT);
}
