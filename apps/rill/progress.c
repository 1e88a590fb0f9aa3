// SPDX-License-Identifier: MIT
// progress.c - prints the progress of long work.
#include "apps/rill/progress.h"

#include "apps/rill/message.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.1  // of the bar
#define LINE_SECONDS   5.0  // at least, between plain lines
#define LINE_PART      0.1  // progress that is worth a plain line
#define LINE_PATIENCE  60.0 // seconds after which less is worth one, too

// There is one terminal, and the next message to it must know of the bar.
static bool bar_on_line;

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(progress *p, const char *name, double end, bool silent)
{
    const double now = progress_clock();
    *p = (progress){.name = name, .end = end, .silent = silent, .started = now, .shown = now};
    p->bar = isatty(STDERR_FILENO) != 0;
}

void progress_clear(void)
{
    if (bar_on_line)
        fputs("\r\033[K", stderr);
    bar_on_line = false;
}

// ---- Text ------------------------------------------------------------------------------

static void format_left(char text[32], double seconds)
{
    if (!(seconds < 360000.0))
        snprintf(text, 32, "more than 99 h left");
    else if (seconds >= 3600.0)
        snprintf(text, 32, "%d h %02d min left", (int)(seconds / 3600.0),
                 (int)fmod(seconds / 60.0, 60.0));
    else
        snprintf(text, 32, "%d:%02d left", (int)(seconds / 60.0), (int)fmod(seconds, 60.0));
}

// Formats percent, simulated time, milliseconds a frame and time left.
static void format_figures(char text[160], const progress *p, double time, long frames, double now)
{
    const double part = p->end > 0.0 ? time / p->end : 1.0;
    const double taken = now - p->started;
    char left[32];
    format_left(left, part > 0.0 ? taken * (1.0 - part) / part : INFINITY);
    snprintf(text, 160, "%3.0f %%  %.4g of %.4g s  %.3g ms/frame  %s", floor(100.0 * part), time,
             p->end, frames > 0 ? 1e3 * taken / (double)frames : 0.0, left);
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

// The bar takes what the figures leave of the line; the last column stays empty, since a
// terminal may break the line there.
static void draw_bar(const progress *p, const char *figures, double part)
{
    char bar[42];
    int width = terminal_width() - (int)strlen(p->name) - (int)strlen(figures) - 6;
    width = width > 40 ? 40 : width;
    const int full = (int)(part * (double)width + 0.5);
    progress_clear();
    if (width >= 5) {
        for (int k = 0; k < width; k++)
            bar[k] = k < full ? '#' : '-';
        bar[width] = '\0';
        print_clean(stderr, p->name);
        fprintf(stderr, " [%s] %s", bar, figures);
    } else {
        fprintf(stderr, "%.*s", terminal_width() - 1, figures);
    }
    bar_on_line = true;
    fflush(stderr);
}

void progress_show(progress *p, double time, long frames)
{
    const double now = progress_clock(), since = now - p->shown;
    const double part = p->end > 0.0 ? time / p->end : 1.0;
    const bool due = p->bar ? since >= REDRAW_SECONDS
                            : since >= LINE_SECONDS &&
                                  (part - p->shown_part >= LINE_PART || since >= LINE_PATIENCE);
    if (p->silent || !due)
        return;
    char figures[160];
    format_figures(figures, p, time, frames, now);
    if (p->bar) {
        draw_bar(p, figures, part);
    } else {
        print_clean(stderr, p->name);
        fprintf(stderr, ": %s\n", figures);
    }
    p->shown = now;
    p->shown_part = part;
}

// ---- Being stopped ---------------------------------------------------------------------

// A signal handler can reach nothing but a global.
static volatile sig_atomic_t stop_signal;

static void remember(int number)
{
    stop_signal = number;
}

void progress_watch_signals(void)
{
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    static const int numbers[] = {SIGINT, SIGTERM};
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < 2; k++) {
        struct sigaction before;
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
    }
}

const char *progress_stop_wanted(void)
{
    return stop_signal == SIGINT ? "interrupted" : stop_signal == SIGTERM ? "terminated" : NULL;
}
