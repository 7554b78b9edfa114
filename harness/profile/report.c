/* What a profile leaves behind: facts.json, sections.txt, pictures; and the table on the screen. */
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/text.h"
#include "harness/profile/profile.h"
#include "common/ui.h"

#define SHOWN 10 /* functions in tables and pictures */

static const char *const activation_names[] = {"",     "identity", "sigmoid",
                                               "tanh", "relu",     "softmax"};

static FILE *create(const char *folder, const char *name, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f)
        hpc_fail_env(err, "profile: cannot write %s: %s", path, strerror(errno));
    free(path);
    return f;
}

static bool finish(FILE *f, const char *folder, const char *name, struct hpc_error *err)
{
    bool good = !ferror(f);
    if (fclose(f) != 0 || !good)
        return hpc_fail_env(err, "profile: cannot write %s/%s: is the disk full?", folder, name);
    return true;
}

/* "5-7-3-9-1, softmax relu tanh sigmoid, 913 samples" */
static void describe(const struct mlp_problem *m, char *text, int size)
{
    struct text t = {0};
    for (int l = 0; l < m->n_layers; l++)
        text_add(&t, "%s%d", l ? "-" : "", m->size[l]);
    for (int l = 1; l < m->n_layers; l++)
        text_add(&t, "%s %s", l == 1 ? "," : "", activation_names[m->activation[l]]);
    text_fit(text, (size_t)size, "%s, %d samples", text_string(&t), m->samples);
    text_free(&t);
}

static void print_sections(const struct profile *p, FILE *f)
{
    double total = 0;
    for (int s = 0; s < PROFILE_SECTIONS; s++)
        total += p->section_seconds[s];
    fprintf(f, "section  share  seconds  of back_propagation, timed by clock_gettime\n");
    for (int s = 0; s < PROFILE_SECTIONS; s++)
        fprintf(f, "func%d    %4.1f%%  %7.3f  %s\n", s,
                total > 0 ? 100 * p->section_seconds[s] / total : 0, p->section_seconds[s],
                profile_section_names[s]);
}

static bool write_facts(const struct profile *p, const char *folder, struct hpc_error *err)
{
    char net[200];
    describe(&p->problem, net, sizeof net);
    json_t *sections = json_array();
    for (int s = 0; s < PROFILE_SECTIONS; s++)
        json_array_append_new(sections, json_real(p->section_seconds[s]));
    json_t *facts =
        json_pack("{s:s, s:s, s:s, s:i, s:f, s:i, s:f, s:f, s:o}", "student", p->student, "net",
                  net, "flags", "-O0 -pg", "samples", p->problem.samples, "epochs", p->epochs,
                  "runs", p->runs, "cpu_seconds", p->cpu_seconds, "gprof_seconds", p->flat.seconds,
                  "section_seconds", sections);
    char *path = hpc_printf("%s/facts.json", folder);
    bool good = facts && json_dump_file(facts, path, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    if (!good)
        hpc_fail_env(err, "profile: cannot write %s", path);
    json_decref(facts);
    free(path);
    return good;
}

static bool write_bars(const struct profile *p, const char *folder, struct hpc_error *err)
{
    FILE *f = create(folder, "profile.gp", err);
    if (!f)
        return false;
    int n = p->flat.n < SHOWN ? p->flat.n : SHOWN;
    fprintf(f,
            "set terminal svg size 800,420 font 'sans,13' background 'white'\n"
            "set output 'profile.svg'\n"
            "set title 'mlp/serial at -O0: where %.1f s of processor time went'\n"
            "set xlabel 'seconds, self'\nset xrange [0:*]\nset yrange [%d.6:-0.6]\n"
            "set style fill solid 0.8\nset grid x\nset key off\nset border 3\n"
            "set ytics nomirror scale 0 noenhanced\n"
            "plot '-' using 2:0:(0):2:($0-0.35):($0+0.35):($3 > 0 ? 0xcc6677 : 0x4477aa):ytic(1) "
            "with boxxyerror linecolor rgb variable\n",
            p->cpu_seconds, n);
    for (int i = 0; i < n; i++)
        fprintf(f, "\"%s\" %.3f 0\n", p->flat.f[i].name, p->flat.f[i].self_seconds);
    fprintf(f, "\"not seen by gprof\" %.3f 1\ne\n", p->cpu_seconds - p->flat.seconds);
    return finish(f, folder, "profile.gp", err);
}

/* Calls that take a thousandth of the time or more; a node's shade is its own share. */
static bool write_graph(const struct profile *p, const char *folder, struct hpc_error *err)
{
    FILE *f = create(folder, "graph.dot", err);
    if (!f)
        return false;
    fprintf(
        f, "digraph calls {\n    node [shape=box style=filled fillcolor=white fontname=\"sans\"];\n"
           "    edge [fontname=\"sans\" fontsize=11];\n");
    for (int i = 0; i < p->flat.n; i++) {
        double share = profile_share(&p->flat, p->flat.f[i].name);
        if (share >= 0.1)
            fprintf(f, "    \"%s\" [label=\"%s\\n%.1f%%\" fillcolor=\"0.0 %.2f 1.0\"];\n",
                    p->flat.f[i].name, p->flat.f[i].name, share, share / 100);
    }
    for (int i = 0; i < p->n_edges; i++) {
        const struct profile_edge *e = &p->edge[i];
        double share = 100 * (e->self + e->children) / p->flat.seconds;
        if (share >= 0.1)
            fprintf(f,
                    "    \"%s\" -> \"%s\" [label=\"   %.1f%%\\n   %.0f calls\" penwidth=%.1f];\n",
                    e->caller, e->callee, share, e->calls, 1 + share / 20);
    }
    fprintf(f, "}\n");
    return finish(f, folder, "graph.dot", err);
}

/* The sentence of a picture, for who does not see it: its three largest shares. */
static bool write_words(const struct profile *p, const char *folder, const char *name,
                        const char *what, struct hpc_error *err)
{
    FILE *f = create(folder, name, err);
    if (!f)
        return false;
    fprintf(f, "mlp/serial: %s", what);
    for (int i = 0; i < p->flat.n && i < 3; i++)
        fprintf(f, "%s %.1f%% in %s", i ? "," : "", profile_share(&p->flat, p->flat.f[i].name),
                p->flat.f[i].name);
    fprintf(f, "; gprof does not see %.1f%% of the processes' time\n", profile_unseen(p));
    return finish(f, folder, name, err);
}

/* Let an optional program draw; a line for the reader either way. */
static void draw(const char *const *argv, const char *folder, const char *made, char *note,
                 int note_size)
{
    struct hpc_error err;
    if (command_run(argv, folder, "draw.txt", NULL, &err))
        text_fit(note, (size_t)note_size, "%s  %s\n", note, made);
    else
        text_fit(note, (size_t)note_size, "%s  no %s: %s\n", note, made, err.text);
}

bool profile_report(const struct profile *p, const char *folder, char *note, int note_size,
                    struct hpc_error *err)
{
    note[0] = '\0';
    FILE *f = create(folder, "sections.txt", err);
    if (!f)
        return false;
    print_sections(p, f);
    if (!finish(f, folder, "sections.txt", err) || !write_facts(p, folder, err) ||
        !write_bars(p, folder, err) || !write_graph(p, folder, err) ||
        !write_words(p, folder, "profile.svg.txt", "seconds by function,", err) ||
        !write_words(p, folder, "graph.svg.txt", "who calls whom, by share:", err))
        return false;
    const char *bars[] = {"gnuplot", "profile.gp", NULL};
    const char *calls[] = {"dot", "-Tsvg", "graph.dot", "-o", "graph.svg", NULL};
    draw(bars, folder, "profile.svg", note, note_size);
    draw(calls, folder, "graph.svg", note, note_size);
    return true;
}

static void print_bar(double share)
{
    int width = (int)(share * 0.4 + 0.5);
    printf("  %.*s\n", width > 40 ? 40 : width, "########################################");
}

/* All that gprof sees, and what it does not: of the processor's time. */
static void print_amdahl(const struct profile *p)
{
    const struct profile_function *top = &p->flat.f[0];
    const double share = p->cpu_seconds > 0 ? top->self_seconds / p->cpu_seconds : 0;
    if (share < 0.99)
        printf("\nAmdahl: if %s cost nothing, the program would be %.2f times as fast: it is "
               "%.0f%% of the processor's time.\n",
               top->name, 1 / (1 - share), 100 * share);
}

static void print_events(const struct event_counts *c)
{
    char *events = events_say(c);
    printf("\nEvents: %s.\n", events);
    free(events);
}

void profile_print(const struct profile *p)
{
    char net[200];
    int n = p->flat.n < SHOWN ? p->flat.n : SHOWN;
    describe(&p->problem, net, sizeof net);
    printf("%smlp/serial on the net of \"%s\"%s: %s\n", ui_style(UI_BOLD), p->student,
           ui_style(UI_PLAIN), net);
    printf("gcc -O0 -pg, %d runs added up, %.0f epochs of %d updates\n\n", p->runs, p->epochs,
           p->problem.samples);
    printf("share of gprof's  self s         calls  function\n");
    for (int i = 0; i < n; i++) {
        const struct profile_function *f = &p->flat.f[i];
        char calls[24] = "";
        if (f->calls >= 0)
            snprintf(calls, sizeof calls, "%.0f", f->calls);
        printf("%13.1f%%  %8.2f  %12s  %-24s", 100 * f->self_seconds / p->flat.seconds,
               f->self_seconds, calls, f->name);
        print_bar(100 * f->self_seconds / p->flat.seconds);
    }
    print_amdahl(p);
    print_events(&p->events);
    putchar('\n');
    print_sections(p, stdout);
    printf(
        "\nThe processor worked for %.2f s, gprof saw %.2f s: it does not see %.0f%% of the time.\n"
        "It samples only the program's own code, not the libraries that it is linked to.\n",
        p->cpu_seconds, p->flat.seconds, profile_unseen(p));
    if (!p->has_whole) {
        printf("(No static C library here, so no second look that would show them.)\n");
        return;
    }
    printf("Linked statically, it sees them too (whole.txt):\n");
    for (int i = 0, shown = 0; i < p->whole.n && shown < SHOWN; i++) {
        const struct profile_function *f = &p->whole.f[i];
        if (profile_function(&p->flat, f->name) || f->self_seconds <= 0)
            continue;
        printf("%13.1f%%  %s\n", 100 * f->self_seconds / p->whole.seconds, f->name);
        shown++;
    }
}
