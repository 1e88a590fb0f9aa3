// SPDX-License-Identifier: MIT
// encoder.c - runs ffmpeg at the other end of two sockets. They are sockets and not pipes, since
// writing to a dead one can be an error code instead of a signal; both are watched at the same
// time, so that an encoder which writes long messages cannot block while its pictures are being
// written.
#include "render/output/encoder.h"

#include "render/render_error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ARGUMENTS  48
#define STATUS_NOT_RUN  127 // of a child that could not become another program
#define QUOTED_BYTES    300 // of ffmpeg's message in an error
#define FIRST_FREE_FILE 3   // below are standard input, output and error

extern char **environ;

// ---- The command line ------------------------------------------------------------------

// Veryfast and realtime keep encoding cheaper than drawing; the qualities are visually lossless.
static const char *const mp4_recipe[] = {"-c:v", "libx264", "-preset",   "veryfast",
                                         "-crf", "18",      "-movflags", "+faststart"};
static const char *const webm_recipe[] = {"-c:v",      "libvpx-vp9", "-deadline", "realtime",
                                          "-cpu-used", "6",          "-row-mt",   "1",
                                          "-crf",      "30",         "-b:v",      "0"};

// Colours are converted and labelled as Rec. 709, without which players guess by the size.
static const char *const colour_recipe[] = {"-vf",
                                            "scale=out_color_matrix=bt709",
                                            "-pix_fmt",
                                            "yuv420p",
                                            "-colorspace",
                                            "bt709",
                                            "-color_primaries",
                                            "bt709",
                                            "-color_trc",
                                            "bt709",
                                            "-color_range",
                                            "tv"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void add(const char **list, size_t *count, const char *const *more, size_t more_count)
{
    memcpy(list + *count, more, more_count * sizeof *more);
    *count += more_count;
}

// ---- Starting --------------------------------------------------------------------------

// A program that was started without its standard files must not have the child's mixed up.
static bool make_sockets(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    for (int k = 0; k < 2; k++)
        if (ends[k] < FIRST_FREE_FILE) {
            const int moved = fcntl(ends[k], F_DUPFD_CLOEXEC, FIRST_FREE_FILE);
            close(ends[k]);
            ends[k] = moved;
        }
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    close(ends[0]);
    close(ends[1]);
    return false;
}

// The child has a process group of its own: Ctrl-C in a terminal reaches the command alone, which
// ends the film properly.
static int spawn(pid_t *process, int pictures, int messages, const char *const *arguments)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    int failed = posix_spawn_file_actions_init(&files);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed != 0) {
        posix_spawn_file_actions_destroy(&files);
        return failed;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    if ((failed = posix_spawn_file_actions_adddup2(&files, pictures, STDIN_FILENO)) == 0 &&
        (failed = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY,
                                                   0)) == 0 &&
        (failed = posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO)) == 0)
        // The argument list of exec has no const for historical reasons; nothing writes to it.
        failed = posix_spawnp(process, arguments[0], &files, &attributes,
                              (char *const *)(uintptr_t)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static rill_status fail_missing(void)
{
    return render_fail(RILL_NO_BACKEND, "videos need ffmpeg, which was not found on this machine's "
                                        "PATH; a folder of pictures or a .png needs none");
}

static rill_status launch(encoder *e, const char *const *arguments)
{
    int pictures[2], messages[2];
    if (!make_sockets(pictures))
        return render_fail(RILL_DEVICE, "ffmpeg cannot be started: %s", strerror(errno));
    if (!make_sockets(messages)) {
        const int reason = errno;
        close(pictures[0]);
        close(pictures[1]);
        return render_fail(RILL_DEVICE, "ffmpeg cannot be started: %s", strerror(reason));
    }
    const int failed = spawn(&e->process, pictures[1], messages[1], arguments);
    close(pictures[1]);
    close(messages[1]);
    e->pictures = pictures[0];
    e->messages = messages[0];
    if (failed == 0)
        return RILL_OK;
    close(e->pictures);
    close(e->messages);
    *e = (encoder){0};
    return failed == ENOENT || failed == ENOTDIR
               ? fail_missing()
               : render_fail(RILL_NO_BACKEND, "ffmpeg cannot be started: %s", strerror(failed));
}

rill_status encoder_start(encoder *e, const encoder_def *def)
{
    char size[32], rate[32], file[4096];
    *e = (encoder){0};
    snprintf(size, sizeof size, "%dx%d", def->width, def->height);
    snprintf(rate, sizeof rate, "%.9g", def->frames_per_second);
    // With its scheme a name may begin with a dash or contain a colon.
    const int length = snprintf(file, sizeof file, "file:%s", def->path);
    if (length < 0 || length >= (int)sizeof file)
        return render_fail(RILL_BAD_ARGUMENT, "%.200s...: the path is too long", def->path);

    const char *const input[] = {
        "ffmpeg", "-y",          "-loglevel", "error",      "-f", "rawvideo", "-pixel_format",
        "rgb24",  "-video_size", size,        "-framerate", rate, "-i",       "-"};
    const char *const output[] = {"-f", def->kind == FILM_WEBM ? "webm" : "mp4", file};
    const char *arguments[MOST_ARGUMENTS + 1] = {0};
    size_t count = 0;
    add(arguments, &count, input, COUNT(input));
    if (def->kind == FILM_WEBM)
        add(arguments, &count, webm_recipe, COUNT(webm_recipe));
    else
        add(arguments, &count, mp4_recipe, COUNT(mp4_recipe));
    add(arguments, &count, colour_recipe, COUNT(colour_recipe));
    add(arguments, &count, output, COUNT(output));
    return launch(e, arguments);
}

_Static_assert(14 + COUNT(webm_recipe) + COUNT(colour_recipe) + 3 <= MOST_ARGUMENTS &&
                   COUNT(mp4_recipe) <= COUNT(webm_recipe),
               "the arguments fit their list");

// ---- Messages --------------------------------------------------------------------------

// Reads what ffmpeg has written; the oldest text gives way. Closes the socket at its end.
static void listen_once(encoder *e)
{
    char heard[ENCODER_MESSAGE_BYTES / 2];
    const ssize_t count = recv(e->messages, heard, sizeof heard, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    if (count <= 0) {
        close(e->messages);
        e->messages = -1;
        return;
    }
    const size_t fresh = (size_t)count;
    if (e->message_bytes + fresh > sizeof e->message) {
        const size_t gone = e->message_bytes + fresh - sizeof e->message;
        memmove(e->message, e->message + gone, e->message_bytes - gone);
        e->message_bytes -= gone;
    }
    memcpy(e->message + e->message_bytes, heard, fresh);
    e->message_bytes += fresh;
}

// Quotes the last message on one line.
static void quote(const encoder *e, char out[QUOTED_BYTES + 1])
{
    size_t end = e->message_bytes, length = 0;
    while (end > 0 && (e->message[end - 1] == '\n' || e->message[end - 1] == ' '))
        end--;
    const size_t start = end > QUOTED_BYTES ? end - QUOTED_BYTES : 0;
    for (size_t k = start; k < end; k++)
        out[length++] = e->message[k] == '\n' ? ';' : e->message[k];
    out[length] = '\0';
    if (length == 0)
        snprintf(out, QUOTED_BYTES + 1, "it did not say why");
}

// ---- Ending ----------------------------------------------------------------------------

static int wait_for(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

rill_status encoder_finish(encoder *e)
{
    char quoted[QUOTED_BYTES + 1];
    close(e->pictures);
    while (e->messages >= 0) {
        struct pollfd watched = {.fd = e->messages, .events = POLLIN};
        if (poll(&watched, 1, -1) > 0)
            listen_once(e);
    }
    const int status = wait_for(e->process);
    quote(e, quoted);
    *e = (encoder){0};
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return RILL_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NOT_RUN)
        return fail_missing();
    if (WIFSIGNALED(status))
        return render_fail(RILL_DEVICE, "ffmpeg was ended by signal %d: %s", WTERMSIG(status),
                           quoted);
    return render_fail(RILL_DEVICE, "ffmpeg failed: %s", quoted);
}

void encoder_stop(encoder *e)
{
    if (e->process == 0)
        return;
    close(e->pictures);
    if (e->messages >= 0)
        close(e->messages);
    kill(e->process, SIGKILL);
    wait_for(e->process);
    *e = (encoder){0};
}

// ---- Pictures --------------------------------------------------------------------------

rill_status encoder_send(encoder *e, const uint8_t *bytes, size_t count)
{
    if (e->process == 0)
        return render_fail(RILL_DEVICE, "ffmpeg does not run any more");
    while (count > 0) {
        struct pollfd watched[2] = {{.fd = e->pictures, .events = POLLOUT},
                                    {.fd = e->messages, .events = POLLIN}}; // -1 is passed over
        if (poll(watched, 2, -1) < 0 && errno != EINTR)
            return render_fail(RILL_DEVICE, "ffmpeg cannot be waited for: %s", strerror(errno));
        if (watched[1].revents != 0)
            listen_once(e);
        if (watched[0].revents == 0)
            continue;
        const ssize_t sent = send(e->pictures, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            bytes += sent;
            count -= (size_t)sent;
        } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            // The process has ended; its own message is better than "broken pipe".
            const rill_status status = encoder_finish(e);
            return status != RILL_OK ? status
                                     : render_fail(RILL_DEVICE, "ffmpeg ended before the film did");
        }
    }
    return RILL_OK;
}
