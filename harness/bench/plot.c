/* Pictures of tables, by gnuplot where it is here. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/bench/internal.h"

void plot_add(struct plot *p, const char *series, double x, double y, double low, double high)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 32;
        p->point = hpc_realloc(p->point, (size_t)p->room * sizeof *p->point);
    }
    struct plot_point *point = &p->point[p->n++];
    *point = (struct plot_point){.x = x, .y = y, .low = low, .high = high};
    text_fit(point->series, sizeof point->series, "%s", series);
}

void plot_add_model(struct plot *p, const char *series, double x, double y)
{
    plot_add(p, series, x, y, y, y);
    p->point[p->n - 1].model = true;
}

static bool is_first(const struct plot *p, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(p->point[k].series, p->point[i].series) == 0)
            return false;
    return true;
}

/* The points of one curve, as a block of gnuplot's; whether one has an interval. */
static bool write_block(FILE *f, const struct plot *p, int first)
{
    bool interval = false;
    fprintf(f, "$d%d << END\n", first);
    for (int i = first; i < p->n; i++) {
        const struct plot_point *q = &p->point[i];
        if (strcmp(q->series, p->point[first].series) != 0)
            continue;
        fprintf(f, "%.9g %.9g %.9g %.9g\n", q->x, q->y, q->low, q->high);
        interval |= q->low < q->high;
    }
    fprintf(f, "END\n");
    return interval;
}

/* A title comes from lab.ini and the catalogue: between single quotes, each of its own doubled. */
static char *quoted(const char *words)
{
    struct text t = {0};
    text_add(&t, "'");
    for (; *words; words++)
        text_add(&t, *words == '\'' ? "''" : "%c", *words);
    text_add(&t, "'");
    return text_take(&t);
}

#define APART 0.07 /* of the axis: the least distance of two marks */

/* Each has a contrast of 3 on white and on the dark page of a report. */
static const char *const colours[] = {"#b05fd0", "#1d8f64", "#3f86d8", "#d0601a",
                                      "#d6455a", "#85803a", "#2590a0", "#8c7f78"};

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The horizontal axis: a margin on both sides, so that no point lies on the frame, and marks where
 * points are if these are whole numbers, which powers of ten alone would not name. */
static void write_x(FILE *f, const struct plot *p)
{
    double *x = hpc_malloc((size_t)p->n * sizeof *x);
    bool whole = true;
    for (int i = 0; i < p->n; i++) {
        x[i] = p->point[i].x;
        whole &= p->point[i].model || (x[i] == floor(x[i]) && x[i] < 1e9);
    }
    qsort(x, (size_t)p->n, sizeof *x, by_value);
    const double least = x[0], most = x[p->n - 1];
    const double factor = p->log_x ? fmax(pow(most / least, 0.04), 1.1) : 1;
    const double pad = p->log_x ? 0 : most > least ? 0.08 * (most - least) : 0.2;
    fprintf(f, "set xrange [%.9g:%.9g] noextend\n", least / factor - pad, most * factor + pad);
    const double width = log(most * factor * factor / least);
    double last = 0;
    if (!p->log_x && whole && most - least <= 16) /* half a thread, or half a layer, is none */
        fprintf(f, "set xtics 1\n");
    for (int i = 0; p->log_x && whole && i < p->n; i++)
        if (i == 0 || log(x[i] / last) > APART * width) {
            fprintf(f, "%s'%.0f' %.0f", i ? ", " : "set xtics (", x[i], x[i]);
            last = x[i];
        }
    /* powers of two elsewhere: a roofline's few decades have more of them */
    fprintf(f, "%s", !p->log_x ? "" : whole ? ")\n" : "set logscale x 2\nset format x '%g'\n");
    free(x);
}

static void add_curve(FILE *f, const struct plot *p, int first, struct text *curves)
{
    const bool interval = write_block(f, p, first);
    char *title = quoted(p->point[first].series);
    const int colour = p->point[first].colour;
    text_add(curves, "%s", curves->length ? ", " : "");
    if (interval) /* first: gnuplot clears the ground where its points will be */
        text_add(curves, "$d%d using 1:2:3:4 with yerrorbars lt %d pt %d notitle, ", first, colour,
                 colour + 3);
    if (p->point[first].model)
        text_add(curves, "$d%d using 1:2 with lines lt %d lw 1.5 dt (9,6) title %s", first, colour,
                 title);
    else
        text_add(curves, "$d%d using 1:2 with linespoints lt %d lw 2 pt %d title %s", first, colour,
                 colour + 3, title);
    free(title);
}

static void write_script(FILE *f, const struct plot *p)
{
    struct text curves = {0};
    for (int measured = 0; measured < 2; measured++) /* these last: they lie above a law's curve */
        for (int i = 0; i < p->n; i++)
            if (is_first(p, i) && p->point[i].model == !measured)
                add_curve(f, p, i, &curves);
    char *title = quoted(p->title), *x = quoted(p->x), *y = quoted(p->y);
    fprintf(f,
            "set title %s noenhanced\nset xlabel %s noenhanced\nset ylabel %s noenhanced\n"
            "set key bmargin center horizontal height 1.5 spacing 1.3 noenhanced\nset grid\nset "
            "border 3\nset tics "
            "nomirror\n%s%s",
            title, x, y, p->log_x ? "set logscale x\n" : "", p->log_y ? "set logscale y\n" : "");
    const int n = sizeof colours / sizeof *colours;
    for (int i = 0; i < n; i++)
        fprintf(f, "set linetype %d linecolor rgb '%s'\n", i + 1, colours[i]);
    fprintf(f, "set linetype cycle %d\n", n);
    write_x(f, p);
    if (strcmp(p->y, "seconds") == 0) /* 10 us, not 0.000010 */
        fprintf(f, "set encoding utf8\nset format y '%%.0s %%cs'\nset ylabel 'time'\n");
    fprintf(f,
            "set terminal svg size 800,520 dynamic font 'sans,13' background 'white'\n"
            "set output '%s.svg'\nplot %s\n",
            p->name, text_string(&curves));
    fprintf(f, "set terminal png size 800,520 background 'white'\nset output '%s.png'\nreplot\n",
            p->name);
    free(title);
    free(x);
    free(y);
    text_free(&curves);
}

/* As one says it: 1096 for 1.1e+03. */
static void number(double x, char *text, size_t size)
{
    snprintf(text, size, x >= 1000 && x < 1e7 ? "%.0f" : "%.3g", x);
}

/* The number in its words: "2" in "@ threads", of which one is "1 thread". */
static void in_words(const char *words, char *number, size_t size)
{
    const char *at = strchr(words, '@');
    const int more = (int)strlen(words) - (strcmp(words, "@ threads") == 0 && !strcmp(number, "1"));
    char *all = hpc_printf("%.*s%s%.*s", (int)(at - words), words, number,
                           more - (int)(at + 1 - words), at + 1);
    text_fit(number, size, "%s", all);
    free(all);
}

/* "Speed-up over threads: flat, yours from 1x at 1 thread to 1.9x at 2 threads; .."; one point:
 * "12 GFLOP/s at 0.5 FLOP a byte". */
static void say(struct plot *p)
{
    for (int i = 0; i < p->n; i++) {
        const struct plot_point *from = &p->point[i], *to = from;
        if (!is_first(p, i))
            continue;
        for (int k = i; k < p->n; k++)
            if (strcmp(p->point[k].series, from->series) == 0)
                to = &p->point[k];
        const double at[] = {from->y, from->x, to->y, to->x};
        char word[4][80];
        for (int k = 0; k < 4; k++) {
            if (k % 2 == 0 && strcmp(p->y, "seconds") == 0)
                ui_seconds(at[k], word[k], sizeof word[k]);
            else
                number(at[k], word[k], sizeof word[k]);
            in_words(k % 2 ? p->at : p->value, word[k], sizeof word[k]);
        }
        text_fit(p->alt, sizeof p->alt, "%s%s %s ", p->alt[0] ? p->alt : p->title,
                 p->alt[0] ? ";" : ":", from->series);
        if (from == to)
            text_fit(p->alt, sizeof p->alt, "%s%s at %s", p->alt, word[0], word[1]);
        else
            text_fit(p->alt, sizeof p->alt, "%sfrom %s at %s to %s at %s", p->alt, word[0], word[1],
                     word[2], word[3]);
    }
}

static bool write_file(const struct bench *b, const char *name, const char *ending,
                       const struct plot *p)
{
    char *path = hpc_printf("%s/%s.%s", b->folder, name, ending);
    FILE *f = fopen(path, "we");
    if (f && strcmp(ending, "gp") == 0)
        write_script(f, p);
    else if (f)
        fprintf(f, "%s\n", p->alt);
    free(path);
    return f && fclose(f) == 0;
}

/* From 1: of a series that another picture has, the one it has there. */
static int colour_of(struct bench *b, const char *series)
{
    int i = 0;
    while (i < b->n_series && strcmp(b->series[i], series) != 0)
        i++;
    if (i == b->n_series && i < BENCH_SERIES)
        b->series[b->n_series++] = hpc_strdup(series);
    return i + 1;
}

/* What gnuplot said. */
static void remove_words(const struct bench *b)
{
    static const char *const names[] = {"draw.txt", "log.txt"};
    for (int i = 0; i < 2; i++) {
        char *path = hpc_printf("%s/%s", b->folder, names[i]);
        unlink(path);
        free(path);
    }
}

void plot_draw(struct bench *b, struct plot *p)
{
    struct hpc_error err;
    char *script = hpc_printf("%s.gp", p->name);
    const char *words[] = {"gnuplot", script, NULL};
    if (p->n > 0) {
        say(p);
        for (int i = 0; i < p->n; i++)
            p->point[i].colour = colour_of(b, p->point[i].series);
        if (write_file(b, p->name, "gp", p) && write_file(b, p->name, "txt", p) &&
            command_run(words, b->folder, "draw.txt", NULL, &err))
            b->made++;
        else
            b->no_gnuplot = true;
    }
    remove_words(b);
    free(script);
    free(p->point);
    p->point = NULL;
    p->n = p->room = 0;
}
