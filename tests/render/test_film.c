// SPDX-License-Identifier: MIT
// test_film.c - pictures to files: single ones, folders, videos that decode again, and everything
// that can be missing.
#include "render/output/film.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define FOLDER       RL_TEST_TMP "/film"
#define WIDTH        64
#define HEIGHT       48

static uint8_t picture[WIDTH * HEIGHT * 3];

// ---- A folder for each test ------------------------------------------------------------

static void remove_all(const char *path)
{
    char inner[1024];
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        remove_all(inner);
    }
    if (folder != NULL)
        closedir(folder);
    remove(path);
}

static int make_folder(KIT_UNUSED void **state)
{
    remove_all(FOLDER);
    return mkdir(FOLDER, 0777);
}

static int drop_folder(KIT_UNUSED void **state)
{
    remove_all(FOLDER);
    return 0;
}

static int entries_of(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder != NULL)
        closedir(folder);
    return count;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void paint(uint8_t red, uint8_t green, uint8_t blue)
{
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        picture[3 * k + 0] = red;
        picture[3 * k + 1] = green;
        picture[3 * k + 2] = blue;
    }
}

// Width and height stand in big-endian order behind the first chunk's name.
static void assert_png_size(const char *path, int width, int height)
{
    uint8_t head[24] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(head[18] << 8 | head[19], width);
    assert_int_equal(head[22] << 8 | head[23], height);
}

static void assert_said(const char *word)
{
    if (strstr(render_error_text(), word) == NULL)
        print_message("\"%s\" does not say \"%s\"\n", render_error_text(), word);
    assert_non_null(strstr(render_error_text(), word));
}

// ---- Asking ffmpeg ---------------------------------------------------------------------

// Continuous integration has ffmpeg; there its absence is a failure.
static void need_ffmpeg(void)
{
    if (system("ffmpeg -version >" FOLDER "/version 2>&1 && ffprobe -version >>" FOLDER
               "/version 2>&1") == 0 &&
        remove(FOLDER "/version") == 0)
        return;
    if (getenv("CI") != NULL)
        fail_msg("ffmpeg and ffprobe are missing");
    print_message("ffmpeg or ffprobe is missing, so videos are not tested\n");
    skip();
}

// The first line that a command prints.
static void ask(const char *command, char *answer, int bytes)
{
    FILE *out = popen(command, "r");
    assert_non_null(out);
    if (fgets(answer, bytes, out) == NULL)
        answer[0] = '\0';
    answer[strcspn(answer, "\n")] = '\0';
    assert_int_equal(pclose(out), 0);
}

static void probe(const char *path, const char *entries, char *answer, int bytes)
{
    char command[1024];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -select_streams v -show_entries %s "
             "-of csv=print_section=0 %s",
             entries, path);
    ask(command, answer, bytes);
}

// A PATH on which only what the test puts into `folder` is found. Gives the old one back.
static char *change_path(const char *folder)
{
    const char *old = getenv("PATH");
    char *kept = malloc(strlen(old) + 1);
    assert_non_null(kept);
    memcpy(kept, old, strlen(old) + 1);
    setenv("PATH", folder, 1);
    return kept;
}

static void restore_path(char *kept)
{
    setenv("PATH", kept, 1);
    free(kept);
}

// An ffmpeg of our own that does what `script` says.
static char *pretend_ffmpeg(const char *script)
{
    FILE *file = fopen(FOLDER "/ffmpeg", "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    fclose(file);
    assert_int_equal(chmod(FOLDER "/ffmpeg", 0755), 0);
    return change_path(FOLDER);
}

// ---- Kinds -----------------------------------------------------------------------------

TEST_EACH(make_folder, drop_folder);

TEST(the_name_says_the_kind)
{
    static const struct {
        const char *path;
        film_kind kind;
    } known[] = {
        {"a.png", FILM_PICTURE}, {"b/a.MP4", FILM_MP4},     {"a.b.webm", FILM_WEBM},
        {"a/", FILM_SEQUENCE},   {"a.mp4/", FILM_SEQUENCE}, {FOLDER, FILM_SEQUENCE},
    };
    for (int k = 0; k < COUNT(known); k++) {
        film_kind kind = FILM_PICTURE;
        assert_ok(film_kind_of(known[k].path, &kind));
        assert_int_equal(kind, known[k].kind);
    }
    static const char *const wrong[] = {"", "a", "a.avi", "mp4", ".mp4", "a.png.gz", "no/folder"};
    for (int k = 0; k < COUNT(wrong); k++) {
        film_kind kind;
        film *f;
        assert_int_equal(film_kind_of(wrong[k], &kind), RILL_BAD_ARGUMENT);
        assert_said(".mp4, .webm or .png");
        assert_int_equal(film_open(wrong[k], WIDTH, HEIGHT, 25.0, &f), RILL_BAD_ARGUMENT);
        assert_null(f);
    }
}

TEST(impossible_sizes_and_speeds_are_refused)
{
    film *f;
    assert_int_equal(film_open(FOLDER "/a.mp4", 63, 48, 25.0, &f), RILL_BAD_ARGUMENT);
    assert_said("63 x 48");
    assert_said("even");
    assert_int_equal(film_open(FOLDER "/a.webm", 64, 47, 25.0, &f), RILL_BAD_ARGUMENT);
    assert_int_equal(film_open(FOLDER "/a.mp4", 64, 48, 0.0, &f), RILL_BAD_ARGUMENT);
    assert_said("0 pictures a second");
    assert_int_equal(film_open(FOLDER "/a.mp4", 64, 48, 1e6, &f), RILL_BAD_ARGUMENT);
    assert_int_equal(film_open(FOLDER "/a.png", 0, 48, 25.0, &f), RILL_BAD_ARGUMENT);
    assert_int_equal(film_open(FOLDER "/a.png", 64, 20000, 25.0, &f), RILL_BAD_ARGUMENT);
    assert_int_equal(film_open(FOLDER "/a/", -1, 48, 25.0, &f), RILL_BAD_ARGUMENT);
    assert_null(f);
    assert_int_equal(entries_of(FOLDER), 0);
}

// ---- Pictures --------------------------------------------------------------------------

static film *open_pictures(const char *path, int width, int height)
{
    film *f;
    const rill_status status = film_open(path, width, height, 25.0, &f);
    if (status == RILL_NO_BACKEND) {
        print_message("%s, so pictures are not tested\n", render_error_text());
        skip();
    }
    assert_ok(status);
    return f;
}

TEST(a_picture_is_replaced_by_the_next)
{
    film *f = open_pictures(FOLDER "/a.png", 63, 47);
    assert_int_equal(entries_of(FOLDER), 0);
    struct stat first, second;
    paint(200, 30, 30);
    assert_ok(film_add(f, picture));
    assert_int_equal(stat(FOLDER "/a.png", &first), 0);
    for (int k = 0; k < (int)sizeof picture; k++)
        picture[k] = (uint8_t)(k * k >> 3);
    assert_ok(film_add(f, picture));
    assert_int_equal(stat(FOLDER "/a.png", &second), 0);
    assert_true(second.st_size > first.st_size); // noise does not compress, one colour does
    assert_ok(film_close(&f));
    assert_null(f);
    assert_int_equal(entries_of(FOLDER), 1);
    assert_png_size(FOLDER "/a.png", 63, 47);
}

TEST(a_folder_is_made_and_its_pictures_are_numbered)
{
    film *f = open_pictures(FOLDER "/x/y/z//", WIDTH, HEIGHT);
    for (int k = 0; k < 3; k++)
        assert_ok(film_add(f, picture));
    assert_ok(film_close(&f));
    assert_int_equal(entries_of(FOLDER "/x/y/z"), 3);
    assert_png_size(FOLDER "/x/y/z/frame-00000.png", WIDTH, HEIGHT);
    assert_png_size(FOLDER "/x/y/z/frame-00002.png", WIDTH, HEIGHT);
    // One that is there already needs no slash.
    f = open_pictures(FOLDER "/x/y/z", WIDTH, HEIGHT);
    film_abandon(&f);
    assert_int_equal(entries_of(FOLDER "/x/y/z"), 3);
}

TEST(an_abandoned_folder_keeps_its_pictures_and_goes_when_it_has_none)
{
    film *f = open_pictures(FOLDER "/x/", WIDTH, HEIGHT);
    assert_true(exists(FOLDER "/x"));
    film_abandon(&f);
    assert_null(f);
    assert_false(exists(FOLDER "/x"));
    f = open_pictures(FOLDER "/x/", WIDTH, HEIGHT);
    assert_ok(film_add(f, picture));
    film_abandon(&f);
    assert_int_equal(entries_of(FOLDER "/x"), 1);
    film_abandon(&f);
    film_abandon(NULL);
}

TEST(places_that_cannot_be_written_are_said)
{
    static const char *const paths[] = {
        FOLDER "/no/a.png", FOLDER "/no/a.mp4", FOLDER "/no/a.webm",  "/dev/null/a.png",
        "/dev/null/a/",     FOLDER "/file/",    FOLDER "/file/below/"};
    FILE *file = fopen(FOLDER "/file", "w");
    assert_non_null(file);
    fclose(file);
    for (int k = 0; k < COUNT(paths); k++) {
        film *f;
        assert_int_equal(film_open(paths[k], WIDTH, HEIGHT, 25.0, &f), RILL_WRITE_FAILED);
        assert_null(f);
        assert_said("cannot be written");
    }
    assert_int_equal(entries_of(FOLDER), 1);
}

// ---- Videos ----------------------------------------------------------------------------

static void film_video(const char *path, int pictures)
{
    film *f;
    assert_ok(film_open(path, WIDTH, HEIGHT, 12.5, &f));
    for (int k = 0; k < pictures; k++)
        assert_ok(film_add(f, picture));
    assert_false(exists(path)); // not before it is complete
    assert_ok(film_close(&f));
    assert_null(f);
    assert_int_equal(entries_of(FOLDER), 1);
}

static void assert_video(const char *path)
{
    char answer[256];
    probe(path, "stream=width,height,avg_frame_rate,nb_read_frames", answer, sizeof answer);
    assert_string_equal(answer, "64,48,25/2,10");
    probe(path, "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries", answer,
          sizeof answer);
    assert_string_equal(answer, "yuv420p,tv,bt709,bt709,bt709");
}

TEST(an_mp4_decodes_to_its_pictures)
{
    need_ffmpeg();
    film_video(FOLDER "/a.mp4", 10);
    assert_video(FOLDER "/a.mp4");
}

// A name that looks like an option or like another protocol of ffmpeg's is a name.
TEST(an_odd_name_is_a_name)
{
    need_ffmpeg();
    const int here = open(".", O_RDONLY | O_CLOEXEC);
    assert_int_equal(chdir(FOLDER), 0);
    film_video("-odd:name %d.mp4", 10);
    assert_int_equal(rename("-odd:name %d.mp4", "a.mp4"), 0);
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_video(FOLDER "/a.mp4");
}

TEST(a_webm_decodes_to_its_pictures)
{
    need_ffmpeg();
    film_video(FOLDER "/a.webm", 10);
    assert_video(FOLDER "/a.webm");
}

// One colour has no detail to lose: what is left is rounding to 8 bit luma and chroma (at most one
// step of about 2 each) and the quantiser. The wrong matrix would move green by 15.
TEST(colours_come_back)
{
    need_ffmpeg();
    static const uint8_t colours[][3] = {{30, 160, 90}, {200, 60, 40}, {20, 60, 180}};
    for (int k = 0; k < COUNT(colours); k++) {
        uint8_t back[WIDTH * HEIGHT * 3];
        paint(colours[k][0], colours[k][1], colours[k][2]);
        film_video(FOLDER "/a.mp4", 3);
        FILE *out = popen("ffmpeg -v error -i " FOLDER "/a.mp4 -frames:v 1 -pix_fmt rgb24 "
                          "-f rawvideo - </dev/null",
                          "r");
        assert_non_null(out);
        assert_int_equal(fread(back, 1, sizeof back, out), sizeof back);
        assert_int_equal(pclose(out), 0);
        for (int n = 0; n < WIDTH * HEIGHT * 3; n++)
            assert_in_range(back[n] + 6, colours[k][n % 3], colours[k][n % 3] + 12);
        assert_int_equal(remove(FOLDER "/a.mp4"), 0);
    }
}

TEST(an_abandoned_video_leaves_nothing_behind)
{
    need_ffmpeg();
    for (int pictures = 0; pictures < 3; pictures++) {
        film *f;
        assert_ok(film_open(FOLDER "/a.mp4", WIDTH, HEIGHT, 25.0, &f));
        for (int k = 0; k < pictures; k++)
            assert_ok(film_add(f, picture));
        film_abandon(&f);
        assert_null(f);
        assert_int_equal(entries_of(FOLDER), 0);
    }
}

TEST(a_video_without_pictures_is_none)
{
    need_ffmpeg();
    film *f;
    assert_ok(film_open(FOLDER "/a.webm", WIDTH, HEIGHT, 25.0, &f));
    assert_int_equal(film_close(&f), RILL_BAD_ARGUMENT);
    assert_said("at least one picture");
    assert_null(f);
    assert_int_equal(entries_of(FOLDER), 0);
}

// ---- Encoders that are missing, broken or die ------------------------------------------

TEST(a_missing_ffmpeg_is_said)
{
    film *f;
    char *kept = change_path(FOLDER);
    const rill_status status = film_open(FOLDER "/a.mp4", WIDTH, HEIGHT, 25.0, &f);
    restore_path(kept);
    assert_int_equal(status, RILL_NO_BACKEND);
    assert_null(f);
    assert_said("ffmpeg");
    assert_said("not found");
    assert_int_equal(entries_of(FOLDER), 0);
}

TEST(an_ffmpeg_that_lacks_the_encoder_is_quoted_before_the_first_picture)
{
    film *f;
    char *kept = pretend_ffmpeg("echo \"Unknown encoder 'libx264'\" >&2; exit 1");
    const rill_status status = film_open(FOLDER "/a.mp4", WIDTH, HEIGHT, 25.0, &f);
    restore_path(kept);
    assert_int_equal(status, RILL_DEVICE);
    assert_said("Unknown encoder 'libx264'");
    assert_null(f);
    assert_int_equal(entries_of(FOLDER), 1); // the pretender
}

// It passes the rehearsal and dies in the film, having talked more than any socket holds.
TEST(an_ffmpeg_that_dies_is_a_sentence_and_not_a_signal)
{
    static const char script[] = "if [ ! -e " FOLDER "/rehearsed ]; then\n"
                                 "  : > " FOLDER "/rehearsed; while read -r x; do :; done; exit 0\n"
                                 "fi\n"
                                 "i=0\n"
                                 "while [ $i -lt 20000 ]; do\n"
                                 "  echo \"line $i: all is not well at all with this film\" >&2\n"
                                 "  i=$((i + 1))\n"
                                 "done\n"
                                 "echo 'No space left on device' >&2; exit 1";
    film *f;
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    sigaction(SIGPIPE, &usual, &before);
    char *kept = pretend_ffmpeg(script);
    rill_status status = film_open(FOLDER "/a.mp4", WIDTH, HEIGHT, 25.0, &f);
    restore_path(kept);
    assert_ok(status);
    for (int k = 0; k < 1000 && status == RILL_OK; k++)
        status = film_add(f, picture);
    assert_int_equal(status, RILL_DEVICE);
    assert_said("No space left on device");
    assert_said("line 19999");
    assert_null(strchr(render_error_text(), '\n'));
    assert_int_equal(film_add(f, picture), RILL_DEVICE);
    assert_int_equal(film_close(&f), RILL_WRITE_FAILED);
    assert_null(f);
    assert_false(exists(FOLDER "/a.mp4"));
    assert_false(exists(FOLDER "/a.mp4.part"));
    sigaction(SIGPIPE, &before, NULL);
}

// Besides its three standard files the encoder gets none of ours. A shell, which the pretender is,
// keeps files of its own at 10 and above.
TEST(no_file_of_ours_reaches_ffmpeg)
{
    if (!exists("/proc/self/fd")) {
        print_message("there is no /proc, so open files are not looked at\n");
        skip();
    }
    for (int number = 3; number < 10; number++)
        fcntl(number, F_SETFD, FD_CLOEXEC); // what the test's own parent left open is not ours
    film *f;
    char *kept = pretend_ffmpeg("for n in 0 1 2 3 4 5 6 7 8 9; do\n"
                                "  [ -e /proc/$$/fd/$n ] && echo $n >>" FOLDER "/files\n"
                                "done; while read -r x; do :; done; exit 0");
    const rill_status status = film_open(FOLDER "/a.mp4", WIDTH, HEIGHT, 25.0, &f);
    restore_path(kept);
    assert_ok(status);
    assert_ok(film_add(f, picture));
    assert_ok(film_close(&f));
    FILE *file = fopen(FOLDER "/files", "r");
    assert_non_null(file);
    int count = 0;
    for (int number; fscanf(file, "%d", &number) == 1; count++)
        assert_in_range(number, 0, 2);
    assert_int_equal(count, 6); // three in the rehearsal, three in the film
    fclose(file);
}
