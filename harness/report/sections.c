/* Tasks, pictures, machine. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "harness/report/figures.h"
#include "harness/report/internal.h"

static const char *class_of(enum verdict v)
{
    return v == VERDICT_PASS ? "good" : verdict_waits(v) || v == VERDICT_PENDING ? "wait" : "bad";
}

/* Columns that a lab's tasks have something in. */
struct columns {
    bool waits, speed;
};

static void task_row(struct text *t, const struct task_result *k, struct columns c)
{
    text_add(t, "<tr>");
    html_cell(t, k->name);
    text_add(t, "<td class=\"%s\">%s</td><td class=\"one\">", class_of(k->outcome.verdict),
             verdict_names[k->outcome.verdict]);
    if (k->correctness.cases > 0)
        text_add(t, "%d of %d", k->correctness.passed, k->correctness.cases);
    text_add(t, "</td><td>");
    html_points(t, k);
    if (c.waits)
        text_add(t, "</td><td>");
    if (k->pending > 0)
        text_add(t, "%g", k->pending);
    if (c.speed) {
        text_add(t, "</td><td>");
        html_speed(t, &k->speed);
    }
    text_add(t, "</td></tr>\n");
}

/* Why, what may help, and what the checker says. */
static void task_words(struct report *r, const struct task_result *k)
{
    const struct lab_task *task = lab_task_find(r->project->lab, k->name);
    struct text *t = &r->page;
    char seen[300] = "", mark[300];
    if (k->speed.measured)
        record_counters(&k->speed, seen, sizeof seen);
    text_add(t, "<h3>");
    html_words(t, k->name);
    text_add(t, ": <span class=\"%s\">%s</span></h3>\n<p>", class_of(k->outcome.verdict),
             verdict_names[k->outcome.verdict]);
    html_words(t, k->title);
    text_add(t, "</p>\n");
    const struct {
        const char *label, *words;
    } lines[] = {{"Why", k->outcome.reason},
                 {"Try", k->outcome.hint},
                 {"Seen", seen},
                 {"Safety", k->safety}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].words[0]) {
            text_add(t, "<p><b>%s:</b> ", lines[i].label);
            html_words(t, lines[i].words);
            text_add(t, "</p>\n");
        }
    if (k->reproduce[0]) {
        text_add(t, "<p><b>To repeat it:</b></p>\n<pre>");
        html_words(t, k->reproduce);
        text_add(t, "</pre>\n");
    }
    for (int i = 0; k->traffic.measured && i < k->traffic.n; i++) {
        const struct traffic_mark *m = &k->traffic.mark[i];
        text_add(t, "<p class=\"%s\">%s ", m->met ? "good" : "bad", m->met ? "✓" : "✗");
        record_mark(m, mark, sizeof mark);
        html_words(t, mark);
        text_add(t, "</p>\n");
    }
    if (task && task->kind == TASK_VARIANT)
        report_findings(r, task, k);
}

void report_tasks(struct report *r)
{
    const char *names[] = {"task", "verdict", "cases", "points", NULL, NULL, NULL};
    struct columns c = {.waits = record_pending(&r->record) > 0};
    for (int i = 0; i < r->record.n_tasks; i++)
        c.speed |= r->record.tasks[i].speed.measured;
    if (c.waits)
        names[4] = "pending";
    if (c.speed)
        names[4 + c.waits] = "speed over the baseline";
    text_add(&r->page, "<h2>Tasks</h2>\n");
    html_heads(&r->page, names);
    for (int i = 0; i < r->record.n_tasks; i++)
        task_row(&r->page, &r->record.tasks[i], c);
    text_add(&r->page, "</tbody></table></div>\n");
    for (int i = 0; i < r->record.n_tasks; i++)
        task_words(r, &r->record.tasks[i]);
}

static int is_svg(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return n > 4 && e->d_name[0] != '.' && strcmp(e->d_name + n - 4, ".svg") == 0;
}

/* A picture by gnuplot or graphviz on a dark page: its ground goes, and what is black turns light.
 * What stands in a box of its own stays black on the box's colour. */
static const char in_the_dark[] =
    "<style>@media (prefers-color-scheme:dark){rect[fill='#ffffff'],.graph>polygon{fill:none}"
    "use[color='#FFFFFF']{display:none}"
    "[color=black]{color:#e6e6e6}[stroke=black]{stroke:#e6e6e6}"
    "[fill=black],.edge text{fill:#e6e6e6}}</style>";

/* The file with that style in it; the caller's. */
static char *picture_bytes(const char *folder, const char *name, size_t *n)
{
    char *bytes = report_file(folder, name, n);
    const char *tag = bytes ? strstr(bytes, "<svg") : NULL, *end = tag ? strchr(tag, '>') : NULL;
    if (!end)
        return bytes;
    char *all = hpc_printf("%.*s%s%s", (int)(end + 1 - bytes), bytes, in_the_dark, end + 1);
    free(bytes);
    *n = strlen(all);
    return all;
}

/* The sentence of a picture, from NAME.svg.txt or NAME.txt; a longer text, such as gprof's own, is
 * none. The caller's, or NULL. */
static char *picture_words(const char *folder, const char *name)
{
    char *beside = hpc_printf("%s.txt", name);
    char *same = hpc_printf("%.*stxt", (int)strlen(name) - 3, name);
    char *words = report_file(folder, beside, NULL);
    words = words ? words : report_file(folder, same, NULL);
    const char *end = words ? strchr(words, '\n') : NULL;
    if (end && end[1]) {
        free(words);
        words = NULL;
    }
    free(beside);
    free(same);
    return words;
}

static void picture(struct report *r, const char *folder, const char *name)
{
    size_t n;
    char *bytes = picture_bytes(folder, name, &n);
    char *alt = picture_words(folder, name);
    if (bytes) {
        struct text *t = &r->page;
        text_add(t, "<figure><div class=\"wide\" tabindex=\"0\"><img alt=\"");
        html_words(t, alt ? alt : name);
        text_add(t, "\" src=\"data:image/svg+xml;base64,");
        html_base64(t, (const unsigned char *)bytes, n);
        text_add(t, "\"></div><figcaption>");
        html_words(t, alt ? alt : name);
        text_add(t, "</figcaption></figure>\n");
    }
    free(alt);
    free(bytes);
}

void report_pictures(struct report *r)
{
    static const struct {
        const char *folder, *title, *command;
    } kinds[] = {{"bench", "Measured here", "bench"}, {"profile", "Profile", "profile"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *folder = hpc_printf("%s/%s", r->folder, kinds[i].folder);
        struct dirent **entries;
        const int n = scandir(folder, &entries, is_svg, alphasort);
        text_add(&r->page, "<h2>%s</h2>\n", kinds[i].title);
        const size_t before = r->page.length;
        for (int k = 0; i == 1 && k < r->project->lab->n_tasks; k++)
            if (lab_task_cuda(&r->project->lab->tasks[k]))
                report_lines(r, &r->project->lab->tasks[k]);
        if (n <= 0 && r->page.length == before)
            text_add(&r->page, "<p>No pictures here: <code>./hpclab %s %s</code> draws them.</p>\n",
                     kinds[i].command, r->project->lab->name);
        for (int k = 0; k < n; k++) {
            picture(r, folder, entries[k]->d_name);
            free(entries[k]);
        }
        if (n >= 0)
            free(entries);
        free(folder);
    }
}

/* A key of the record's machine as a reader would say it. */
static const char *machine_label(const char *key)
{
    static const char *const labels[][2] = {{"cpu", "processor"},          {"arch", "architecture"},
                                            {"simd", "vectors"},           {"gpu", "GPU"},
                                            {"memory_gib", "memory, GiB"}, {"os", "system"}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(labels[i][0], key) == 0)
            return labels[i][1];
    return key;
}

/* Its value, the caller's; NULL: there is none to tell. */
static char *machine_word(const json_t *value)
{
    if (json_is_null(value))
        return NULL;
    return json_is_string(value) ? hpc_strdup(json_string_value(value))
           : json_is_real(value) ? hpc_printf("%.1f", json_real_value(value))
                                 : json_dumps(value, JSON_ENCODE_ANY);
}

void report_machine(struct report *r)
{
    char *path = hpc_printf("%s/record.json", r->folder);
    json_t *record = json_file(path, NULL), *value;
    const char *key;
    text_add(&r->page, "<h2>Machine</h2>\n<dl>");
    json_object_foreach(json_object_get(record, "machine"), key, value)
    {
        char *word = machine_word(value);
        if (word && *word) {
            text_add(&r->page, "<dt>");
            html_words(&r->page, machine_label(key));
            text_add(&r->page, "</dt><dd>");
            html_words(&r->page, word);
            text_add(&r->page, "</dd>\n");
        }
        free(word);
    }
    text_add(&r->page, "</dl>\n");
    json_decref(record);
    free(path);
}
