/* Words of others in files that people and spreadsheets open; one student's page. */
#define _GNU_SOURCE
#include "harness/class/page.h"
#include "harness/report/figures.h"
#include "harness/report/html.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/scratch.h"
#include "common/sha256.h"
#include "harness/record/record.h"

/* Whether a spreadsheet takes words for a formula; some take a mark's wide form for the mark. */
static bool is_formula(const char *words)
{
    static const char *const marks[] = {
        "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    words += strspn(words, " ");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(words, marks[i], strlen(marks[i])) == 0)
            return true;
    return false;
}

void page_field(struct text *t, const char *words)
{
    char *plain = hpc_strdup(words);
    hpc_harmless(plain);
    text_add(t, "\"%s", is_formula(plain) ? "'" : "");
    for (const char *p = plain; *p; p++)
        text_add(t, *p == '"' ? "\"\"" : "%c", *p);
    text_add(t, "\"");
    free(plain);
}

const char *page_ended(const struct class_state *c)
{
    const char *last = "";
    for (int i = 0; i < c->n_gradings; i++)
        if (strcmp(c->grading[i].ended, last) > 0)
            last = c->grading[i].ended;
    return last;
}

void page_begin(struct text *t, const struct class_state *c, const char *what, const char *ended)
{
    const char *folder = strrchr(c->folder, '/') ? strrchr(c->folder, '/') + 1 : c->folder;
    const bool own = strcmp(folder, c->project->lab->name) != 0; /* else what --folder is without */
    char *title = hpc_printf("%s%s%s%s%.10s%s", what, own || *ended ? " (" : "", own ? folder : "",
                             own && *ended ? ", " : "", ended, own || *ended ? ")" : "");
    text_add(t,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_words(t, title);
    text_add(t, "</title>\n<style>%s</style></head><body><main>\n<h1>", html_style);
    html_words(t, what);
    text_add(t, "</h1>\n");
    if (own || *ended) {
        text_add(t, "<p class=\"dim\">");
        html_words(t, own ? folder : "");
        text_add(t, "%s<span class=\"one\">%.10s</span></p>\n", own && *ended ? ", " : "", ended);
    }
    free(title);
}

void page_end(struct text *t)
{
    text_add(t, "</main></body></html>\n");
}

/* Whether it is there with just this text. */
static bool is_written(const char *path, const struct text *t)
{
    struct stat st;
    FILE *f = scratch_open(path);
    bool same = f && fstat(fileno(f), &st) == 0 && st.st_size == (off_t)t->length &&
                (st.st_mode & 0777) == 0600;
    char buffer[4096];
    size_t at = 0;
    for (size_t n; same && (n = fread(buffer, 1, sizeof buffer, f)) > 0; at += n)
        same = at + n <= t->length && memcmp(buffer, text_string(t) + at, n) == 0;
    if (f)
        fclose(f);
    return same && at == t->length;
}

bool page_write(const char *folder, const char *name, const struct text *t, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", folder, name);
    if (is_written(path, t)) {
        free(path);
        return true;
    }
    char *temporary = scratch_beside(path);
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool good = f && fwrite(text_string(t), 1, t->length, f) == t->length && fflush(f) == 0;
    int cause = errno;
    if (f && fclose(f) != 0)
        good = false;
    if (good && rename(temporary, path) != 0) {
        good = false;
        cause = errno;
    }
    if (!good) {
        unlink(temporary);
        hpc_fail_env(err, "%s: %s, expected room for %zu bytes", path, strerror(cause), t->length);
    }
    free(temporary);
    free(path);
    return good;
}

char *page_name(const char *id)
{
    char *name = hpc_strdup(id), hex[65];
    bool changed = false;
    for (char *p = name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@", *p) ||
            (p == name && *p == '.')) {
            *p = '_';
            changed = true;
        }
    if (!changed)
        return name;
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, id, strlen(id));
    sha256_end(&hash, hex);
    char *whole = hpc_printf("%s-%.8s", name, hex);
    free(name);
    return whole;
}

const struct standing_task *page_task(const struct standing *s, const char *name)
{
    for (int i = 0; i < s->n_tasks; i++)
        if (strcmp(s->task[i].name, name) == 0)
            return &s->task[i];
    return NULL;
}

static void add_words(struct text *t, const char *before, const char *words)
{
    if (!words[0])
        return;
    text_add(t, "%s", before);
    html_words(t, words);
}

static void add_task(struct text *t, const struct task_result *k)
{
    text_add(t, "<tr>");
    html_cell(t, k->name);
    html_cell(t, verdict_names[k->outcome.verdict]);
    if (k->correctness.cases)
        text_add(t, "<td>%d/%d</td>", k->correctness.passed, k->correctness.cases);
    else
        text_add(t, "<td>-</td>");
    text_add(t, "<td>");
    html_points(t, k);
    if (k->pending > 0)
        text_add(t, "; %g more pending", k->pending);
    text_add(t, "</td></tr>\n");
    if (!k->outcome.reason[0] && !k->outcome.hint[0] && !k->speed.measured)
        return;
    text_add(t, "<tr><td colspan=\"4\" class=\"why\">");
    add_words(t, "", k->outcome.reason);
    add_words(t, k->outcome.reason[0] ? "<br>" : "", k->outcome.hint);
    if (k->speed.measured && (k->outcome.reason[0] || k->outcome.hint[0]))
        text_add(t, "<br>");
    html_speed(t, &k->speed);
    text_add(t, "</td></tr>\n");
}

/* Which one counts. A file's name is of who handed it in, and on no page of others. */
static void add_attempt(struct text *t, const struct class_state *c, const struct standing *s)
{
    const bool own = strcasecmp(s->s->student, s->who->id) == 0;
    text_add(t, ". %s %d of %d counts%s", own ? "Attempt" : "Your group's attempt", s->s->attempt,
             class_attempts(c, s->s), own ? ": " : "");
    if (own)
        html_words(t, s->s->name);
}

static void add_head(struct text *t, const struct class_state *c, const struct standing *s)
{
    text_add(t, "<p>");
    html_words(t, c->project->lab->title);
    text_add(t, "</p>\n<p>");
    html_words(t, s->who->name[0] ? s->who->name : s->who->id);
    text_add(t, ": <b>%s</b>", s->status);
    if (s->who->has_override)
        text_add(t, ", %.1f points", s->score);
    else if (s->g) {
        char points[80];
        record_points(s->score, s->g->max_score, s->g->bonus, points, sizeof points);
        text_add(t, ", %s points", points);
    }
    if (s->g && s->g->pending > 0)
        text_add(t, "; %g more are pending", s->g->pending);
    if (s->s)
        add_attempt(t, c, s);
    text_add(t, "</p>\n");
    if (s->who->has_override) {
        text_add(t, "<p>Set by the course: ");
        html_words(t, s->who->reason);
        text_add(t, "</p>\n");
    }
    if (s->s && s->s->refused[0]) {
        text_add(t, "<p>");
        html_words(t, s->s->refused);
        text_add(t, "</p>\n");
    }
    if (s->g && s->g->quick)
        text_add(t, "<p>A quick look, nothing official.</p>\n");
    if (s->lower)
        text_add(t, "<p>A later grading has %.1f points%s, and was not taken.</p>\n",
                 s->lower->score, class_undoes(s->g, s->lower) ? ", and some that wait again" : "");
    if (s->g && s->g->note[0]) {
        text_add(t, "<p>");
        html_words(t, s->g->note);
        text_add(t, "</p>\n");
    }
}

bool page_student(const struct class_state *c, const struct standing *s, const struct record *r,
                  struct hpc_error *err)
{
    struct text t = {0};
    char *title = hpc_printf("%s: %s", c->project->lab->name, s->who->id);
    char *base = page_name(s->who->id), *name = hpc_printf("%s.html", base);
    char *folder = hpc_printf("%s/students", c->folder);
    page_begin(&t, c, title, s->g ? s->g->ended : "");
    add_head(&t, c, s);
    if (r) {
        text_add(
            &t,
            "<div "
            "class=\"wide\"><table><tr><th>task</th><th>verdict</th><th>cases</th><th>points</th>"
            "</tr>\n");
        for (int i = 0; i < r->n_tasks; i++)
            add_task(&t, &r->tasks[i]);
        text_add(&t, "</table></div>\n");
    }
    page_end(&t);
    const bool good = page_write(folder, name, &t, err);
    text_free(&t);
    free(folder);
    free(name);
    free(base);
    free(title);
    return good;
}
