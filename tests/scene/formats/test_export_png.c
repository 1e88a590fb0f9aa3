// SPDX-License-Identifier: MIT
// test_export_png.c - pictures as PNG files: they come back pixel for pixel, through a reader of
// the test's own, and what cannot be written leaves nothing behind.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/export.h"

#include <sys/stat.h>

#define FILE_AT(name) RL_TEST_TMP "/" name

// 4 x 3 pixels without a pattern, so that whatever way rows are filtered no bytes repeat.
static const uint8_t picture[3][12] = {
    {12, 200, 7, 91, 33, 250, 148, 5, 66, 219, 171, 28},
    {240, 54, 133, 2, 187, 99, 75, 231, 16, 160, 41, 118},
    {85, 9, 222, 143, 70, 37, 255, 104, 190, 0, 61, 211},
};

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

// False, after a look at the sentence, in a build without libpng.
static bool has_png(void)
{
    const rill_status status = rill_export_png(&picture[0][0], 4, 3, FILE_AT("view_picture.png"));
    if (status == RILL_OK)
        return true;
    assert_int_equal(status, RILL_NO_BACKEND);
    assert_sentence_has("libpng");
    assert_false(exists(FILE_AT("view_picture.png.part")));
    return false;
}

typedef struct bit_stream {
    const uint8_t *data;
    size_t count, bit;
} bit_stream;

static unsigned next_bit(bit_stream *in)
{
    assert_true(in->bit / 8 < in->count);
    const unsigned bit = (unsigned)in->data[in->bit / 8] >> (in->bit % 8) & 1u;
    in->bit++;
    return bit;
}

// Deflate (RFC 1951) as far as a picture this small needs it: one block, stored or with the fixed
// codes, and no repetitions. Returns how many bytes came out.
static size_t inflate_small(bit_stream *in, uint8_t *out, size_t room)
{
    assert_int_equal(next_bit(in), 1); // the last block
    unsigned kind = next_bit(in);
    kind |= next_bit(in) << 1;
    size_t count = 0;
    if (kind == 0) {
        const uint8_t *stored = in->data + (in->bit + 7) / 8;
        count = (size_t)(stored[0] | stored[1] << 8);
        assert_true(count <= room && stored + 4 + count <= in->data + in->count);
        memcpy(out, stored + 4, count);
        return count;
    }
    assert_int_equal(kind, 1);
    for (;;) {
        unsigned code = 0;
        for (int n = 0; n < 7; n++)
            code = code << 1 | next_bit(in);
        if (code == 0)
            return count;
        code = code << 1 | next_bit(in);
        if (code >= 0xc0)
            code = code << 1 | next_bit(in);
        const bool eight = code >= 0x30 && code < 0xc0;
        assert_true(count < room && (eight || (code >= 0x190 && code < 0x200)));
        out[count++] = (uint8_t)(eight ? code - 0x30 : code - 0x190 + 144);
    }
}

// The predictors of the PNG specification, part 9: left, above, above left.
static int predicted(int filter, int a, int b, int c)
{
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    const int paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    const int by_filter[] = {0, a, b, (a + b) / 2, paeth};
    assert_in_range(filter, 0, 4);
    return by_filter[filter];
}

TEST(a_picture_comes_back_from_its_png_file)
{
    if (!has_png())
        skip();
    assert_false(exists(FILE_AT("view_picture.png.part")));
    static uint8_t file[1000];
    FILE *in = fopen(FILE_AT("view_picture.png"), "rb");
    assert_non_null(in);
    const size_t bytes = fread(file, 1, sizeof file, in);
    assert_int_equal(fclose(in), 0);
    static const uint8_t header[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0,
                                     0,    13,  'I', 'H', 'D',  'R',  0,    0,    0, 4,
                                     0,    0,   0,   3,   8,    2,    0,    0,    0};
    assert_true(bytes > sizeof header && bytes < sizeof file);
    assert_memory_equal(file, header, sizeof header);

    size_t at = 33; // the chunk after the header
    while (at + 8 < bytes && memcmp(file + at + 4, "IDAT", 4) != 0)
        at += 12 + ((size_t)file[at + 2] << 8) + file[at + 3];
    assert_true(at + 10 < bytes);
    bit_stream stream = {file + at + 10, bytes - at - 10, 0}; // after the two bytes of zlib
    uint8_t rows[3][13], pixels[4][15] = {{0}};
    assert_int_equal(inflate_small(&stream, &rows[0][0], sizeof rows), sizeof rows);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 12; i++) { // a row and a pixel of zeros lie before the first
            const uint8_t *above = &pixels[j][i];
            uint8_t *here = &pixels[j + 1][i + 3];
            *here = (uint8_t)(rows[j][i + 1] + predicted(rows[j][0], here[-3], above[3], above[0]));
            assert_int_equal(*here, picture[j][i]);
        }
}

TEST(pictures_that_cannot_be_written_are_refused)
{
    static const struct {
        int width, height;
    } sizes[] = {{0, 3}, {4, 0}, {-1, 3}, {16385, 1}, {1, 16385}};
    const uint8_t *rgb = &picture[0][0];
    const char *path = FILE_AT("view_refused.png");
    assert_int_equal(rill_export_png(NULL, 4, 3, path), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_export_png(rgb, 4, 3, NULL), RILL_BAD_ARGUMENT);
    assert_string_equal(rill_last_error(), "a PNG file needs pixels and a path, one is NULL");
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        char sentence[96];
        snprintf(sentence, sizeof sentence,
                 "a picture of %d x %d pixels, each side must be from 1 to 16384", sizes[n].width,
                 sizes[n].height);
        assert_int_equal(rill_export_png(rgb, sizes[n].width, sizes[n].height, path),
                         RILL_BAD_ARGUMENT);
        assert_sentence_has(sentence);
    }
    assert_false(exists(path));
    if (!has_png())
        skip();
    assert_int_equal(rill_export_png(rgb, 4, 3, FILE_AT("no/such/folder.png")), RILL_WRITE_FAILED);
    // A folder cannot be replaced by a file: the part must not be left beside it.
    mkdir(FILE_AT("view_folder.png"), 0700);
    assert_int_equal(rill_export_png(rgb, 4, 3, FILE_AT("view_folder.png")), RILL_WRITE_FAILED);
    assert_false(exists(FILE_AT("view_folder.png.part")));
}

TEST(pictures_of_the_largest_sides_are_written)
{
    if (!has_png())
        skip();
    static uint8_t line[3 * 16384];
    assert_int_equal(rill_export_png(line, 16384, 1, FILE_AT("view_line.png")), RILL_OK);
    assert_int_equal(rill_export_png(line, 1, 16384, FILE_AT("view_line.png")), RILL_OK);
    assert_int_equal(remove(FILE_AT("view_line.png")), 0);
}
