// SPDX-License-Identifier: MIT
// test_series_file.c - numbers over time out of text files as people write them, and what is said
// about files that are broken.
#include "scene/formats/series_file.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include <sys/stat.h>

#define FOLDER RL_TEST_TMP "/series_file"
#define PATH   FOLDER "/series.csv"

static const char *const names[] = {"time", "level", "wave", NULL};

static void write_file(const char *text)
{
    mkdir(FOLDER, 0777);
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(every_way_of_writing_the_same_numbers_is_read)
{
    static const char *const texts[] = {
        "time,level,wave\n0,1.5,0\n10,2,-0.25\n",
        "\xef\xbb\xbfTime;Wave;Level\r\n0;0;1.5\r\n10;-0.25;2;\r\n",
        "# a gauge at https://example.org/with/a/very/long/address/that/goes/on/and/on/and/on\n"
        "0\t1.5\t0\n\n# in between\n10 2.0 -2.5e-1",
        "time level wave\n  0 , 1.5 , 0,,\n 1e1 , 2 , -.25,,\n",
    };
    static counter count;
    const rill_host host = counting_host(&count);
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        write_file(texts[n]);
        rl_series_file series;
        assert_ok(rl_series_file_read(PATH, names, &host.allocator, &series));
        assert_int_equal(series.rows, 2);
        static const double want[2][3] = {{0.0, 1.5, 0.0}, {10.0, 2.0, -0.25}};
        for (size_t row = 0; row < 2; row++)
            for (int name = 0; name < 3; name++)
                assert_true(rl_series_file_at(&series, row, name, 99.0) == want[row][name]);
        rl_series_file_free(&host.allocator, &series);
        assert_int_equal(count.bytes, 0);
    }
}

TEST(a_column_that_is_not_there_is_said_to_be_something_else)
{
    static counter count;
    const rill_host host = counting_host(&count);
    write_file("time,wave\n0,1\n");
    rl_series_file series;
    assert_ok(rl_series_file_read(PATH, names, &host.allocator, &series));
    assert_true(rl_series_file_at(&series, 0, 1, 7.0) == 7.0);
    assert_true(rl_series_file_at(&series, 0, 2, 7.0) == 1.0);
    rl_series_file_free(&host.allocator, &series);
}

TEST(long_files_are_read_whole)
{
    static counter count;
    const rill_host host = counting_host(&count);
    mkdir(FOLDER, 0777);
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    for (int n = 0; n < 20000; n++)
        fprintf(file, "%d,%d.5\n", n, 2 * n);
    fclose(file);
    rl_series_file series;
    assert_ok(rl_series_file_read(PATH, names, &host.allocator, &series));
    assert_int_equal(series.rows, 20000);
    for (size_t n = 0; n < 20000; n++)
        assert_true(rl_series_file_at(&series, n, 1, 0.0) == 2.0 * (double)n + 0.5);
    rl_series_file_free(&host.allocator, &series);
    assert_int_equal(count.bytes, 0);
}

TEST(broken_files_are_refused_with_the_line)
{
    static const char *const cases[][2] = {
        {"", "holds no numbers"},
        {"time,level\n", "holds no numbers"},
        {"x,y\n0,1\n",
         "line 1: 'x' is not a column that is read here; they are: time, level, wave"},
        {"level,wave\n0,1\n", "line 1: has no column 'time'"},
        {"time,time\n0,1\n", "line 1: column 'time' is there twice"},
        {"time,level\n0,1\n0,2\n", "line 3: time must rise, but 0 follows 0"},
        {"time,level\n0,1\n1\n", "line 3: has 1 of 2 numbers"},
        {"time,level\n0,,\n", "line 2: has 1 of 2 numbers"},
        {"0\n", "line 1: has 1 of 2 numbers"},
        {"time,level\n0,1,2\n", "line 2: has more than 2 numbers"},
        {"0,1,2,3\n", "line 1: has more than 3 numbers"},
        {"time,level\n0,deep\n", "line 2: 'deep' is not a number"},
        {"time,level\n0,nan\n", "line 2: 'nan' is not a finite number"},
    };
    static counter count;
    const rill_host host = counting_host(&count);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char sentence[256];
        write_file(cases[n][0]);
        rl_series_file series;
        snprintf(sentence, sizeof sentence, "%s: %s", PATH, cases[n][1]);
        assert_int_equal(rl_series_file_read(PATH, names, &host.allocator, &series), RILL_BAD_FILE);
        assert_string_equal(rill_last_error(), sentence);
        assert_int_equal(count.bytes, 0);
    }
}
