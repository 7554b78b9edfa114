#define _GNU_SOURCE
#include "common/ui.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/text.h"

/* What ui_init found; the one state of the process's terminal. */
static struct {
    bool colour, progress, symbols;
    bool line_open; /* a progress line stands on stderr */
    char line[300]; /* which one */
    int done, of;   /* parts; 0: no bar */
    double began;
} ui;

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

/* The locale's character set, by the variables' order of precedence. */
static bool utf8_locale(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++)
        if (is_set(names[i])) {
            const char *value = getenv(names[i]);
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
        }
    return false;
}

void ui_init(bool plain)
{
    const char *term = getenv("TERM");
    bool dumb = !term || strcmp(term, "dumb") == 0;
    ui.colour = !plain && !dumb && !is_set("NO_COLOR") && isatty(STDOUT_FILENO);
    ui.progress = !plain && !dumb && isatty(STDERR_FILENO);
    ui.symbols = !plain && utf8_locale();
}

const char *ui_style(enum ui_style style)
{
    static const char *const sequences[] = {
        [UI_PLAIN] = "\033[0m", [UI_GOOD] = "\033[32m", [UI_BAD] = "\033[31m",
        [UI_WARN] = "\033[33m", [UI_DIM] = "\033[2m",   [UI_BOLD] = "\033[1m",
    };
    return ui.colour ? sequences[style] : "";
}

const char *ui_tick(void)
{
    return ui.symbols ? "✓" : "ok";
}

const char *ui_cross(void)
{
    return ui.symbols ? "✗" : "x";
}

const char *ui_mark(enum ui_mark mark)
{
    static const char *const words[] = {[UI_YES] = "ok", [UI_NO] = " x", [UI_WAITS] = " -"};
    static const char *const symbols[] = {[UI_YES] = " ✓", [UI_NO] = " ✗", [UI_WAITS] = " -"};
    return ui.symbols ? symbols[mark] : words[mark];
}

#define LEAST_COLUMNS 40

/* Columns of the terminal on stdout; 0 where stdout is none, and lines are as long as they are. */
static int terminal_columns(void)
{
    struct winsize size;
    const char *said = getenv("COLUMNS");
    if (!isatty(STDOUT_FILENO))
        return 0;
    int columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                  : said && atoi(said) > 0                                        ? atoi(said)
                                                                                  : 80;
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
}

/* Columns of UTF-8 text: its characters, but for the escape sequences of ui_style. */
static int columns_of(const char *text, size_t bytes)
{
    int n = 0;
    bool escape = false;
    for (size_t i = 0; i < bytes; i++) {
        escape |= text[i] == '\033';
        n += !escape && (text[i] & 0xc0) != 0x80;
        escape &= text[i] != 'm';
    }
    return n;
}

/* Words from column `at` on, where `before` stands on their line; further lines begin at `indent`.
 */
static void print_words(int indent, int at, const char *before, const char *text)
{
    const int most = terminal_columns();
    /* of a line: no blank before the next word */
    bool begins = !*before || before[strlen(before) - 1] == ' ';
    while (*text) {
        text += strspn(text, " \n");
        size_t bytes = strcspn(text, " \n");
        int wide = columns_of(text, bytes);
        if (!bytes)
            break;
        if (most && at > indent && at + !begins + wide > most) {
            printf("\n%*s", indent, "");
            at = indent;
            begins = true;
        }
        printf("%s%.*s", begins ? "" : " ", (int)bytes, text);
        at += !begins + wide;
        begins = false;
        text += bytes;
    }
    putchar('\n');
}

void ui_paragraph(int indent, const char *label, const char *text)
{
    printf("%*s%s%s%s", indent, "", ui_style(UI_BOLD), label, ui_style(UI_PLAIN));
    print_words(indent, indent + columns_of(label, strlen(label)), label, text);
}

void ui_row(const char *columns, const char *words)
{
    const int at = columns_of(columns, strlen(columns));
    fputs(columns, stdout);
    print_words(at, at, columns, words);
}

void ui_progress_parts(int of)
{
    ui.began = clock_now();
    ui.done = 0;
    ui.of = of;
}

void ui_progress_part(void)
{
    ui.done += ui.done < ui.of;
}

/* "[####------] 2 of 5, about 40 s left: " */
static void bar(char *text, size_t size)
{
    char left[40] = "";
    const int wide = 10, full = wide * ui.done / ui.of;
    const double each = ui.done ? (clock_now() - ui.began) / ui.done : 0;
    const int seconds = (int)(each * (ui.of - ui.done) + 0.5);
    if (seconds > 90)
        snprintf(left, sizeof left, ", about %d min left", (seconds + 30) / 60);
    else if (seconds > 0)
        snprintf(left, sizeof left, ", about %d s left", seconds);
    snprintf(text, size, "[%.*s%.*s] %d of %d%s: ", full, "##########", wide - full, "----------",
             ui.done, ui.of, left);
}

/* Columns of the terminal on stderr but one, so that the line can be taken back. */
static int progress_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1 : 79;
}

void ui_progress(const char *format, ...)
{
    if (!ui.progress)
        return;
    char own[200], text[300], before[80] = "";
    const int most = progress_columns();
    va_list args;
    va_start(args, format);
    text_vfit(own, sizeof own, format, args);
    va_end(args);
    if (ui.of > 0)
        bar(before, sizeof before);
    text_fit(text, most < (int)sizeof text ? (size_t)most + 1 : sizeof text, "%s%s", before, own);
    if (ui.line_open && strcmp(text, ui.line) == 0)
        return; /* callers ask many times a second: a slow link or a log gets each line once */
    text_fit(ui.line, sizeof ui.line, "%s", text);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    ui.line_open = true;
}

void ui_step(const char *text)
{
    if (ui.progress)
        ui_progress("%s", text);
    else if (ui.of > 0)
        fprintf(stderr, "%d of %d: %s\n", ui.done + (ui.done < ui.of), ui.of, text);
}

void ui_progress_end(void)
{
    if (ui.line_open)
        fputs("\r\033[K", stderr);
    ui.line_open = false;
}

char *ui_seconds(double seconds, char *text, int size)
{
    double a = fabs(seconds);
    if (a >= 1.0)
        snprintf(text, (size_t)size, "%.2f s", seconds);
    else if (a >= 1e-3)
        snprintf(text, (size_t)size, "%.2f ms", seconds * 1e3);
    else if (a >= 1e-6)
        snprintf(text, (size_t)size, "%.2f us", seconds * 1e6);
    else
        snprintf(text, (size_t)size, "%.0f ns", seconds * 1e9);
    return text;
}
