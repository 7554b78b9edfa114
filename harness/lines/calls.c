/* The samples function by function: the top of a flat profile, who calls whom, Amdahl's law. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "harness/lines/internal.h"

#define SHOWN 8

static int own(const struct exchange_function *f)
{
    return f->ran + f->called + f->waited;
}

static struct exchange_function *function_named(struct lines *l, const char *name)
{
    for (int i = 0; i < l->n_functions; i++)
        if (strcmp(l->function[i].name, name) == 0)
            return &l->function[i];
    if (l->n_functions == EXCHANGE_FUNCTIONS)
        return NULL;
    struct exchange_function *f = &l->function[l->n_functions++];
    *f = (struct exchange_function){.ran = 0};
    snprintf(f->name, sizeof f->name, "%s", name);
    return f;
}

static struct function_edge *edge_between(struct lines *l, const char *caller, const char *callee)
{
    for (int i = 0; i < l->n_edges; i++)
        if (strcmp(l->edge[i].caller, caller) == 0 && strcmp(l->edge[i].callee, callee) == 0)
            return &l->edge[i];
    if (l->n_edges == EXCHANGE_EDGES)
        return NULL;
    struct function_edge *e = &l->edge[l->n_edges++];
    *e = (struct function_edge){.samples = 0};
    snprintf(e->caller, sizeof e->caller, "%s", caller);
    snprintf(e->callee, sizeof e->callee, "%s", callee);
    return e;
}

void calls_add(struct lines *l, const struct exchange_profile *p)
{
    for (int i = 0; i < p->n_functions; i++) {
        const struct exchange_function *from = &p->function[i];
        struct exchange_function *to = from->all ? function_named(l, from->name) : NULL;
        if (!to)
            continue;
        to->ran += from->ran;
        to->called += from->called;
        to->waited += from->waited;
        to->all += from->all;
    }
    for (int i = 0; i < p->n_edges; i++) {
        const struct exchange_edge *from = &p->edge[i];
        struct function_edge *to =
            edge_between(l, p->function[from->caller].name, p->function[from->callee].name);
        if (to)
            to->samples += from->samples;
    }
}

static int most_own(const void *a, const void *b)
{
    const struct exchange_function *x = a, *y = b;
    return own(x) != own(y)   ? own(y) - own(x)
           : x->all != y->all ? y->all - x->all
                              : strcmp(x->name, y->name);
}

static int most_samples(const void *a, const void *b)
{
    const struct function_edge *x = a, *y = b;
    return y->samples - x->samples;
}

void calls_sort(struct lines *l)
{
    qsort(l->function, (size_t)l->n_functions, sizeof l->function[0], most_own);
    qsort(l->edge, (size_t)l->n_edges, sizeof l->edge[0], most_samples);
}

static double percent(const struct lines *l, int samples)
{
    return 100.0 * samples / l->samples;
}

/* Who calls a function most, and how many others do: "run 62%, 1 other". */
static void callers(const struct lines *l, const char *name, char *text, size_t size)
{
    int others = -1;
    text[0] = '\0';
    for (int i = 0; i < l->n_edges; i++) {
        if (strcmp(l->edge[i].callee, name) != 0)
            continue;
        if (others++ < 0)
            text_fit(text, size, "%.24s %.0f%%", l->edge[i].caller, percent(l, l->edge[i].samples));
    }
    if (others > 0)
        text_fit(text, size, "%s, %d other%s", text, others, others == 1 ? "" : "s");
}

/* Of the work alone: a thread that sleeps gains nothing by a function that costs nothing. */
static void print_amdahl(const struct lines *l)
{
    const struct exchange_function *top = NULL;
    int worked = 0;
    for (int i = 0; i < l->n_functions; i++) {
        const struct exchange_function *f = &l->function[i];
        worked += f->ran + f->called;
        if (!top || f->ran + f->called > top->ran + top->called)
            top = f;
    }
    const double share = worked ? (double)(top->ran + top->called) / worked : 0;
    if (share >= 0.999)
        printf("  Amdahl: %s is all of the work that was seen.\n", top->name);
    else if (share > 0)
        printf("  Amdahl: if %s cost nothing, the work would be done %.2f times as fast: it is "
               "%.0f%% of it.\n",
               top->name, 1 / (1 - share), 100 * share);
}

void calls_print(const struct lines *l)
{
    char by[80];
    if (l->n_functions == 0)
        return;
    printf("    self    all  function                  called by\n");
    for (int i = 0; i < l->n_functions && i < SHOWN; i++) {
        const struct exchange_function *f = &l->function[i];
        callers(l, f->name, by, sizeof by);
        printf("  %5.1f%% %5.1f%%  %-24.24s%s%s\n", percent(l, own(f)), percent(l, f->all), f->name,
               *by ? "  " : "", by);
    }
    print_amdahl(l);
}

/* As lab1's graph of gprof: a node's shade is its own share, an arrow's width what passes there. */
static void draw(const struct lines *l, struct text *t)
{
    text_add(t, "digraph calls {\n    node [shape=box style=filled fillcolor=white "
                "fontname=\"sans\"];\n    edge [fontname=\"sans\" fontsize=11];\n");
    for (int i = 0; i < l->n_functions; i++) {
        const struct exchange_function *f = &l->function[i];
        text_add(t, "    \"%s\" [label=\"%s\\n%.1f%%\" fillcolor=\"0.0 %.2f 1.0\"];\n", f->name,
                 f->name, percent(l, own(f)), percent(l, own(f)) / 100);
    }
    for (int i = 0; i < l->n_edges; i++) {
        const struct function_edge *e = &l->edge[i];
        text_add(t, "    \"%s\" -> \"%s\" [label=\"   %.1f%%\" penwidth=%.1f];\n", e->caller,
                 e->callee, percent(l, e->samples), 1 + percent(l, e->samples) / 20);
    }
    text_add(t, "}\n");
}

static void describe(const struct lines *l, const char *name, struct text *t)
{
    text_add(t, "%s: who calls whom, by share of %d samples", name, l->samples);
    for (int i = 0; i < l->n_functions && i < 3; i++)
        text_add(t, "%s %.0f%% in %s", i ? "," : ":", percent(l, own(&l->function[i])),
                 l->function[i].name);
    text_add(t, "\n");
}

bool calls_write(const struct lines *l, const char *folder, const char *name, struct hpc_error *err)
{
    struct text dot = {0}, alt = {0};
    struct hpc_error none;
    char *calls = hpc_printf("%s-calls", name), *graph = hpc_printf("%s.dot", calls),
         *picture = hpc_printf("%s.svg", calls), *path = hpc_printf("%s/%s", folder, picture);
    draw(l, &dot);
    describe(l, name, &alt);
    const bool good = lines_write_text(folder, calls, "dot", &dot, err) &&
                      lines_write_text(folder, calls, "txt", &alt, err);
    unlink(path); /* of a run before */
    if (good && !command_run((const char *[]){"dot", "-Tsvg", graph, "-o", picture, NULL}, folder,
                             "draw.txt", NULL, &none))
        printf("  no %s: %s\n", picture, none.text);
    free(path);
    free(picture);
    free(graph);
    free(calls);
    text_free(&dot);
    text_free(&alt);
    return good;
}
