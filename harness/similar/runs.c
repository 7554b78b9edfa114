/* What texts share, by Debian's similarity-tester (sim_c): names, layout, comments and numbers do
 * not count there. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/text.h"
#include "harness/similar/similar.h"

#define LEAST_RUN "24" /* tokens in a row; sim_c's own least */

/* A run of two texts, as sim_c says it. */
struct found {
    int a, b;
    struct similar_run run;
};

static int by_pair(const void *one, const void *two)
{
    const struct found *x = one, *y = two;
    const int key[2][5] = {{x->a, x->b, -x->run.tokens, x->run.from[0], x->run.from[1]},
                           {y->a, y->b, -y->run.tokens, y->run.from[0], y->run.from[1]}};
    for (int i = 0; i < 5; i++)
        if (key[0][i] != key[1][i])
            return key[0][i] < key[1][i] ? -1 : 1;
    return 0;
}

/* Whether it is "1.c: line 5-9 |3.c: line 7-11 [28]"; "File 3.c: 974 tokens" is kept with its text.
 */
static bool read_line(struct similar *x, const char *line, struct found *f)
{
    int text, tokens;
    struct similar_run *r = &f->run;
    if (sscanf(line, "File %d.c: %d tokens", &text, &tokens) == 2 && text >= 0 && text < x->n)
        x->text[text].tokens = tokens;
    return sscanf(line, "%d.c: line %d-%d |%d.c: line %d-%d [%d]", &f->a, &r->from[0], &r->to[0],
                  &f->b, &r->from[1], &r->to[1], &r->tokens) == 7 &&
           f->a >= 0 && f->b >= 0 && f->a < x->n && f->b < x->n && f->a != f->b;
}

/* Runs sorted by pair, each pair's longest first, added as pairs. */
static void add_pairs(struct similar *x, const struct found *f, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        struct similar_pair p = {.text = {&x->text[f[i].a], &x->text[f[i].b]}};
        for (end = i; end < n && f[end].a == f[i].a && f[end].b == f[i].b; end++)
            p.tokens += f[end].run.tokens;
        p.n = (int)(end - i);
        p.run = hpc_calloc((unsigned long)p.n, sizeof *p.run);
        for (int k = 0; k < p.n; k++)
            p.run[k] = f[i + (size_t)k].run;
        if (x->n_pairs == x->room)
            x->pair =
                hpc_realloc(x->pair, (unsigned long)(x->room = 2 * x->room + 64) * sizeof *x->pair);
        x->pair[x->n_pairs++] = p;
    }
}

static bool read_runs(struct similar *x, struct hpc_error *err)
{
    char *path = hpc_printf("%s/runs", x->folder), *line = NULL;
    FILE *in = fopen(path, "re");
    struct found *f = NULL;
    size_t size = 0, n = 0, room = 0;
    if (!in)
        hpc_fail_env(err, "%s: %s", path, strerror(errno));
    while (in && getline(&line, &size, in) > 0) {
        if (n == room)
            f = hpc_realloc(f, (unsigned long)(room = 2 * room + 64) * sizeof *f);
        n += read_line(x, line, &f[n]);
    }
    if (n > 0)
        qsort(f, n, sizeof *f, by_pair);
    add_pairs(x, f, n);
    free(f);
    free(line);
    free(path);
    return in && fclose(in) == 0;
}

static bool write_text(const struct similar *x, const char *name, const char *text,
                       struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", x->folder, name);
    FILE *f = fopen(path, "we");
    bool good = f && fputs(text, f) >= 0;
    good = f && fclose(f) == 0 && good;
    if (!good)
        hpc_fail_env(err, "%s: %s", path, strerror(errno));
    free(path);
    return good;
}

bool similar_runs(struct similar *x, int first, int end, bool cpp, struct hpc_error *err)
{
    char *shell =
        hpc_printf("exec %s -n -e -s -u -r " LEAST_RUN " -i <names", cpp ? "sim_c++" : "sim_c");
    const char *const words[] = {"sh", "-c", shell, NULL};
    struct text names = {0};
    bool good = true;
    for (int i = first; i < end && good; i++) {
        char *name = hpc_printf("%d.c", i);
        if (x->text[i].old && (i == first || !x->text[i - 1].old))
            text_add(&names, "/\n");
        text_add(&names, "%s\n", name);
        char *text = similar_plain(x->text[i].text);
        good = write_text(x, name, text, err);
        free(text);
        free(name);
    }
    char *list = text_take(&names);
    good = good && write_text(x, "names", list, err) &&
           command_run(words, x->folder, "runs", NULL, err) && read_runs(x, err);
    free(list);
    free(shell);
    return good;
}
