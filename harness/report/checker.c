/* What harness/view makes of the checker's reports, as parts of the page: races in two lanes, and
 * requests to memory by line. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "harness/report/internal.h"
#include "harness/view/view.h"

/* Who, the lines around, and what is done there. */
static void add_side(struct text *t, const struct view_side *s, const char *file,
                     const char *source)
{
    char who[120];
    struct view_source lines = {0};
    if (strcmp(s->file, file) == 0)
        view_source(source, s->line, &lines);
    view_who(s, who, sizeof who);
    text_add(t, "<div><p><b>%s</b></p>\n<pre>", who);
    for (int i = 0; i < lines.n; i++) {
        const bool own = lines.from + i == s->line;
        text_add(t, "%s%4d  ", own ? "<mark>" : "", lines.from + i);
        html_words(t, lines.words[i]);
        text_add(t, "%s\n", own ? "</mark>" : "");
    }
    text_add(t, "</pre>\n<p>%s%s", s->does[0] ? s->does : "here", s->does[0] ? " at " : ", ");
    html_words(t, s->file);
    text_add(t, ":%d</p></div>\n", s->line);
}

static void add_race(struct text *t, const struct view_race *r, const char *file,
                     const char *source)
{
    text_add(t, "<p><b>");
    html_words(t, r->kind);
    text_add(t, "</b> in ");
    html_words(t, *r->kernel ? r->kernel : "host code");
    if (*r->variable) {
        text_add(t, ", on ");
        html_words(t, r->variable);
    }
    text_add(t, ": %s.</p>\n<div class=\"race\">\n", view_unordered(r));
    add_side(t, &r->first, file, source);
    add_side(t, &r->second, file, source);
    text_add(t, "</div>\n");
}

void report_races(struct report *r, const struct lab_task *task, const char *file,
                  const char *source)
{
    struct view *v = hpc_calloc(1, sizeof *v);
    char *reports = hpc_printf("%s/%s.jsonl", r->folder, task->name);
    if (view_read(reports, v))
        for (int i = 0; i < v->n_races; i++)
            add_race(&r->page, &v->race[i], file, source);
    free(reports);
    free(v);
}

static void add_row(struct text *t, const struct view_line *l, const char *file, const char *source)
{
    struct view_source around = {0};
    if (strcmp(l->file, file) == 0)
        view_source(source, l->line, &around);
    const int at = l->line - around.from;
    const bool shared = view_shared(l), word = strcmp(view_unit(l), "word") == 0;
    text_add(t, "<tr><td>%d</td><td class=\"one\">", l->line);
    html_words(t, l->access);
    text_add(t, "</td><td>%.0f</td><td class=\"one\">%.2f %s</td><td>%.1f</td><td><code>",
             l->requests, (l->requests > 0 ? l->units / l->requests : 0) + (shared || word),
             shared ? "passes"
             : word ? "words"
                    : "sectors",
             l->requests > 0 ? l->lanes / l->requests : 0);
    if (at >= 0 && at < around.n)
        html_words(t, around.words[at] + strspn(around.words[at], " "));
    text_add(t, "</code></td></tr>\n");
}

void report_lines(struct report *r, const struct lab_task *task)
{
    static const char *const names[] = {"line",  "access",   "requests", "each takes",
                                        "lanes", "the line", NULL};
    struct text *t = &r->page;
    struct view *v = hpc_calloc(1, sizeof *v);
    char *reports = hpc_printf("%s/profile/%s.jsonl", r->folder, task->name);
    char *file = hpc_printf("labs/%s/%s", r->project->lab->name, task->file);
    char *source = view_file(r->project->root, file);
    if (view_read(reports, v) && v->n_lines > 0) {
        text_add(t, "<h3>");
        html_words(t, task->name);
        text_add(t, ", line by line</h3>\n<p>What a GPU's warps would ask of memory, as the CPU "
                    "device counts it.</p>\n");
        html_heads(t, names);
        for (int i = 0; i < v->n_lines; i++)
            add_row(t, &v->line[i], file, source);
        text_add(t, "</tbody></table></div>\n");
    }
    free(source);
    free(file);
    free(reports);
    free(v);
}
