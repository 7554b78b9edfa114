/* What the checker found, and the student's own lines that it and the record name. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/internal.h"

#define PLACES 6
#define AROUND 3     /* lines before and behind */
#define LIST   20000 /* bytes of the checker's list */

/* Numbers behind "FILE:" in a text, each once, in order; how many there are now. */
static int find_places(const char *text, const char *file, long *place, int n)
{
    for (const char *p = text; n < PLACES && (p = strstr(p, file)) != NULL; p++) {
        const char *end = p + strlen(file);
        const long number = *end == ':' ? strtol(end + 1, NULL, 10) : 0;
        bool known = number < 1;
        for (int i = 0; i < n; i++)
            known |= place[i] == number;
        if (!known)
            place[n++] = number;
    }
    return n;
}

static int by_line(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Lines from before the first place to behind the last one; the places are marked. */
static void add_lines(struct text *t, const char *source, const long *place, int n)
{
    long at = 1;
    int next = 0;
    text_add(t, "<pre>");
    for (const char *line = source; line && at <= place[n - 1] + AROUND; at++) {
        const size_t length = strcspn(line, "\n");
        const bool named = next < n && place[next] == at;
        if (at >= place[0] - AROUND && (line[length] || length)) {
            char *own = hpc_printf("%.*s", (int)(length < 400 ? length : 400), line);
            text_add(t, "%s%4ld  ", named ? "<mark>" : "", at);
            html_words(t, own);
            text_add(t, "%s\n", named ? "</mark>" : "");
            free(own);
        } else if (at >= place[0] - AROUND) {
            text_add(t, "%4ld\n", at);
        }
        next += named;
        line = line[length] ? line + length + 1 : NULL;
    }
    text_add(t, "</pre>\n");
}

/* Places whose lines would overlap or touch stand together. */
static void add_places(struct text *t, const char *file, const char *source, long *place, int n)
{
    qsort(place, (size_t)n, sizeof *place, by_line);
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && place[end] - place[end - 1] <= 2 * AROUND + 1;)
            end++;
        text_add(t, "<p>Line%s %ld", end > i + 1 ? "s" : "", place[i]);
        for (int k = i + 1; k < end; k++)
            text_add(t, "%s%ld", k + 1 < end ? ", " : " and ", place[k]);
        text_add(t, " of <code>");
        html_words(t, file);
        text_add(t, "</code> as it is now:</p>\n");
        add_lines(t, source, place + i, end - i);
    }
}

void report_findings(struct report *r, const struct lab_task *task, const struct task_result *k)
{
    struct text *t = &r->page;
    char *labs = hpc_printf("%s/labs/%s", r->project->root, r->project->lab->name);
    char *file = hpc_printf("labs/%s/%s", r->project->lab->name, task->file);
    char *name = hpc_printf("%s.txt", task->name);
    char *list = report_file(r->folder, name, NULL), *source = report_file(labs, task->file, NULL);
    long place[PLACES];
    int n = find_places(k->outcome.reason, file, place, 0);
    n = find_places(k->outcome.hint, file, place, n);
    if (list && k->outcome.verdict != VERDICT_PASS) {
        n = find_places(list, file, place, n);
        char *timelines = strstr(list, "\n\n"); /* the page has its own */
        if (timelines)
            timelines[1] = '\0';
        if (strlen(list) > LIST)
            list[LIST] = '\0';
        text_add(t, "<p><b>What the checker found:</b></p>\n<pre class=\"said\">");
        html_words(t, list);
        text_add(t, "</pre>\n");
        report_races(r, task, file, source);
    }
    if (source)
        add_places(t, file, source, place, n);
    free(source);
    free(list);
    free(name);
    free(file);
    free(labs);
}
