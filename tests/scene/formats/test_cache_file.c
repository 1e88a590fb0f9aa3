// SPDX-License-Identifier: MIT
// Arrays kept in a file: what was written comes back, and a file that is not whole, or not for
// this, changes nothing and is told in words.
#include "scene/formats/formats.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 5, ROWS = 3, PITCH = 8, KEY = 1234567 };

#define PLACE RL_TEST_TMP "/kept"

typedef struct store {
    float wide[PITCH * ROWS], flat[WIDTH];
    double numbers[2];
} store;

static void arrays_of(store *s, rill_state_array arrays[2])
{
    arrays[0] = (rill_state_array){"wide", s->wide, PITCH, WIDTH, ROWS};
    arrays[1] = (rill_state_array){"flat", s->flat, WIDTH, WIDTH, 1};
}

static store filled(float first)
{
    store s;
    for (int n = 0; n < PITCH * ROWS; n++)
        s.wide[n] = first + 0.1f * (float)n;
    for (int n = 0; n < WIDTH; n++)
        s.flat[n] = -first * (float)n;
    s.numbers[0] = 1.0 / 3.0;
    s.numbers[1] = -1e300;
    return s;
}

static rill_status write_store(store *s, const char *path)
{
    rill_state_array arrays[2];
    arrays_of(s, arrays);
    return rl_cache_file_write(path, KEY, arrays, 2, s->numbers, 2);
}

static rill_status read_store(store *s, const char *path, uint64_t key)
{
    rill_state_array arrays[2];
    arrays_of(s, arrays);
    return rl_cache_file_read(path, key, arrays, 2, s->numbers, 2, NULL);
}

// Reading must fail, change nothing and say `word`.
static void assert_refused(const char *path, uint64_t key, const char *word)
{
    store s = filled(50.0f);
    const store before = s;
    assert_int_equal(read_store(&s, path, key), RILL_BAD_FILE);
    assert_memory_equal(&s, &before, sizeof s);
    assert_sentence_has(word);
    assert_sentence_has(path);
}

static long length_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    fclose(file);
    return length;
}

TEST(what_was_written_comes_back)
{
    store out = filled(1.0f), in = filled(7.0f);
    const store untouched = in;
    assert_int_equal(write_store(&out, PLACE), RILL_OK);
    assert_int_equal(read_store(&in, PLACE, KEY), RILL_OK);
    for (int row = 0; row < ROWS; row++) {
        assert_memory_equal(in.wide + row * PITCH, out.wide + row * PITCH, WIDTH * sizeof(float));
        assert_memory_equal(in.wide + row * PITCH + WIDTH, untouched.wide + row * PITCH + WIDTH,
                            (PITCH - WIDTH) * sizeof(float));
    }
    assert_memory_equal(in.flat, out.flat, sizeof in.flat);
    assert_memory_equal(in.numbers, out.numbers, sizeof in.numbers);
}

TEST(the_bytes_are_the_same_on_every_machine)
{
    float values[7] = {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f};
    const double number = 1.0;
    const rill_state_array array = {"a", values, 7, 7, 1};
    assert_int_equal(rl_cache_file_write(PLACE, 0x0102030405060708u, &array, 1, &number, 1),
                     RILL_OK);
    static const char head[] = "RILLKEEP"
                               "\1\0\0\0" // version
                               "\1\0\0\0" // arrays
                               "\1\0\0\0" // numbers
                               "\x08\7\6\5\4\3\2\1"
                               "\1\0\0\0"
                               "a"
                               "\7\0\0\0\0\0\0\0" // width
                               "\1\0\0\0\0\0\0\0" // rows
                               "\0\0\0\0\0\0\xf0\x3f"
                               "\1\0\0\0" // one value
                               "\0\0\x80\x3f"
                               "\5\0\0\x80" // five alike
                               "\0\0\0\0"
                               "\1\0\0\0"
                               "\0\0\x80\x3f";
    enum { LENGTH = sizeof head - 1 };
    char found[LENGTH];
    FILE *file = fopen(PLACE, "rb");
    assert_int_equal(fread(found, 1, LENGTH, file), LENGTH);
    fclose(file);
    assert_memory_equal(found, head, LENGTH);
    assert_int_equal(length_of(PLACE), LENGTH + 8);
}

// Runs of every length at every place, longer than what is written at a time.
TEST(values_alike_take_little_room_and_come_back)
{
    enum { LONG = 9000, LEAST = 200 };
    static float values[LONG], back[LONG];
    for (int kind = 0; kind < 4; kind++) {
        for (int n = 0; n < LONG; n++) {
            const int length = kind == 0 ? LONG : kind == 1 ? 1 : kind == 2 ? 3 : 2 + n / 100 % 9;
            values[n] = kind == 0 ? -1e30f : (float)(n / length);
            back[n] = 0.0f;
        }
        const rill_state_array out = {"a", values, LONG, LONG, 1}, in = {"a", back, LONG, LONG, 1};
        assert_int_equal(rl_cache_file_write(PLACE, KEY, &out, 1, NULL, 0), RILL_OK);
        if (kind == 0)
            assert_true(length_of(PLACE) < LEAST);
        assert_int_equal(rl_cache_file_read(PLACE, KEY, &in, 1, NULL, 0, NULL), RILL_OK);
        assert_memory_equal(values, back, sizeof values);
    }
}

TEST(a_missing_file_is_told)
{
    assert_refused(RL_TEST_TMP "/no-such-file", KEY, "cannot be read");
}

TEST(another_key_is_told)
{
    store s = filled(1.0f);
    assert_int_equal(write_store(&s, PLACE), RILL_OK);
    assert_refused(PLACE, KEY + 1, "something else");
}

TEST(a_file_cut_anywhere_is_told)
{
    store s = filled(1.0f);
    assert_int_equal(write_store(&s, PLACE), RILL_OK);
    for (long length = length_of(PLACE) - 1; length >= 0; length--) {
        assert_int_equal(truncate(PLACE, length), 0);
        assert_refused(PLACE, KEY, length < 8 ? "is no cache file" : "is cut short");
    }
}

TEST(any_damaged_byte_is_noticed)
{
    store s = filled(1.0f);
    assert_int_equal(write_store(&s, PLACE), RILL_OK);
    const long length = length_of(PLACE);
    for (long at = 0; at < length; at++) {
        FILE *file = fopen(PLACE, "r+b");
        assert_non_null(file);
        for (int turn = 0; turn < 2; turn++) {
            fseek(file, at, SEEK_SET);
            const int byte = fgetc(file);
            fseek(file, at, SEEK_SET);
            fputc(byte ^ 0x10, file);
            fflush(file);
            if (turn == 0)
                assert_refused(PLACE, KEY, PLACE);
        }
        fclose(file);
    }
    assert_int_equal(read_store(&s, PLACE, KEY), RILL_OK);
    FILE *file = fopen(PLACE, "ab");
    fputc(0, file);
    fclose(file);
    assert_refused(PLACE, KEY, "follows its checksum");
}

TEST(other_arrays_are_told)
{
    store s = filled(1.0f);
    const store before = s;
    assert_int_equal(write_store(&s, PLACE), RILL_OK);
    rill_state_array arrays[2];
    arrays_of(&s, arrays);
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 1, s.numbers, 2, NULL), RILL_BAD_FILE);
    assert_sentence_has("has 2 arrays and 2 numbers, not 1 and 2");
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 2, s.numbers, 1, NULL), RILL_BAD_FILE);
    arrays[1].name = "flatter";
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 2, s.numbers, 2, NULL), RILL_BAD_FILE);
    assert_sentence_has("in the place of flatter");
    arrays[1].name = "tall";
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 2, s.numbers, 2, NULL), RILL_BAD_FILE);
    assert_sentence_has("in the place of tall");
    arrays_of(&s, arrays);
    arrays[0].rows = ROWS - 1;
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 2, s.numbers, 2, NULL), RILL_BAD_FILE);
    assert_sentence_has("wide has 5 x 3 values, not 5 x 2");
    assert_memory_equal(&s, &before, sizeof s);
}

TEST(a_folder_that_cannot_be_written_is_told)
{
    store s = filled(1.0f);
    assert_int_equal(write_store(&s, RL_TEST_TMP "/no-such-folder/kept"), RILL_WRITE_FAILED);
    assert_sentence_has("no-such-folder/kept: cannot be written");
    // A folder in the place of the file: what was written beside it is cleared away.
    mkdir(RL_TEST_TMP "/kept-folder", 0777);
    assert_int_equal(write_store(&s, RL_TEST_TMP "/kept-folder"), RILL_WRITE_FAILED);
    assert_int_not_equal(access(RL_TEST_TMP "/kept-folder.part", F_OK), 0);
}

TEST(a_new_file_takes_the_place_of_the_old_one_at_once)
{
    store first = filled(1.0f), second = filled(2.0f), s = filled(3.0f);
    assert_int_equal(write_store(&first, PLACE), RILL_OK);
    FILE *reader = fopen(PLACE, "rb"); // keeps the old one
    assert_int_equal(write_store(&second, PLACE), RILL_OK);
    assert_int_equal(read_store(&s, PLACE, KEY), RILL_OK);
    assert_memory_equal(s.flat, second.flat, sizeof s.flat);
    struct stat old, now;
    assert_int_equal(fstat(fileno(reader), &old), 0);
    assert_int_equal(stat(PLACE, &now), 0);
    assert_true(old.st_ino != now.st_ino); // renamed over, not written into
    fclose(reader);
    assert_int_not_equal(access(PLACE ".part", F_OK), 0);
}

TEST(without_memory_nothing_changes)
{
    store s = filled(1.0f);
    assert_int_equal(write_store(&s, PLACE), RILL_OK);
    counter count = {.fail_at = 1};
    const rill_host host = counting_host(&count);
    rill_state_array arrays[2];
    store in = filled(9.0f);
    const store before = in;
    arrays_of(&in, arrays);
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 2, in.numbers, 2, &host.allocator),
                     RILL_NO_MEMORY);
    assert_memory_equal(&in, &before, sizeof in);
    count.fail_at = 0;
    assert_int_equal(rl_cache_file_read(PLACE, KEY, arrays, 2, in.numbers, 2, &host.allocator),
                     RILL_OK);
    assert_int_equal(count.bytes, 0);
}
