/* A lab, from its lab.ini and hidden.ini. */
#define _GNU_SOURCE
#include "harness/lab/read.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"
#include "harness/lab/term.h"

static bool is_lab_name(const char *name)
{
    return strncmp(name, "lab", 3) == 0 && name[3] && strlen(name) < 16 &&
           name[3 + strspn(name + 3, "0123456789")] == 0;
}

static bool has_manifest(const char *root, const char *name)
{
    char path[64];
    if (!is_lab_name(name))
        return false;
    snprintf(path, sizeof path, "labs/%.16s/lab.ini", name);
    return lab_file_exists(root, path);
}

static int by_number(const void *a, const void *b)
{
    return strverscmp(a, b);
}

int lab_names(const char *root, char names[][LAB_NAME], int max)
{
    char *path = hpc_printf("%s/labs", root);
    DIR *folder = opendir(path);
    free(path);
    int n = 0;
    for (struct dirent *e; folder && n < max && (e = readdir(folder));)
        if (has_manifest(root, e->d_name))
            snprintf(names[n++], LAB_NAME, "%.16s", e->d_name);
    if (folder)
        closedir(folder);
    qsort(names, (size_t)n, LAB_NAME, by_number);
    return n;
}

static bool unknown_lab(const char *root, const char *name, struct hpc_error *err)
{
    char names[32][LAB_NAME];
    struct text list = {0};
    const char *slash = strchr(name, '/');
    int n = lab_names(root, names, 32);
    for (int i = 0; i < n && slash && !strchr(slash + 1, '/'); i++)
        if (strlen(names[i]) == (size_t)(slash - name) &&
            strncmp(names[i], name, strlen(names[i])) == 0)
            return hpc_fail(err, "'%.60s', expected a lab: %s, and --only %.40s for one task of it",
                            name, names[i], slash + 1);
    for (int i = 0; i < n; i++)
        text_list(&list, ", ", names[i]);
    hpc_fail(err, "unknown lab '%.40s', expected one of: %s", name,
             n ? text_string(&list) : "none here");
    text_free(&list);
    return false;
}

/* report and report_words, both or none. */
static bool read_report(const struct lab_reader *m, const struct ini_section *s)
{
    const struct ini_key *file = ini_find(s, "report"), *words = ini_find(s, "report_words");
    char *end = NULL;
    if (!file && !words)
        return true;
    if (!file || !words)
        return hpc_fail(m->err, "%s:%d: %s without %s, expected both", m->file->shown,
                        file ? file->line : words->line, file ? "report" : "report_words",
                        file ? "report_words" : "report");
    const long most = strtol(words->value, &end, 10);
    if (end == words->value || *end || most < 1 || most > 100000)
        return hpc_fail(m->err, "%s:%d: report_words = %.60s, expected 1 to 100000", m->file->shown,
                        words->line, words->value);
    if (!file->value[0] || file->value[0] == '.' || strchr(file->value, '/') ||
        strlen(file->value) >= sizeof m->lab->report)
        return hpc_fail(m->err, "%s:%d: report = %.60s, expected a file's name, such as report.md",
                        m->file->shown, file->line, file->value);
    snprintf(m->lab->report, sizeof m->lab->report, "%s", file->value);
    m->lab->report_words = (int)most;
    return true;
}

/* Section [lab]. */
static bool read_head(struct lab_reader *m)
{
    const char *shown = m->file->shown;
    struct ini_section *s = ini_section_find(m->file, "lab");
    if (!s)
        return hpc_fail(m->err, "%s: no section [lab]; expected one with title and handout", shown);
    if (!lab_known_keys(m->file, s, "title, handout, answers, profile, report, report_words",
                        m->err) ||
        !lab_read_switch(m->file, s, "answers", "open", "sealed", &m->lab->sealed, m->err) ||
        !lab_read_switch(m->file, s, "profile", "no", "yes", &m->lab->profile, m->err) ||
        !read_report(m, s) ||
        !lab_read_text(m->file, s, "title", m->lab->title, sizeof m->lab->title, m->err) ||
        !lab_read_text(m->file, s, "handout", m->lab->handout, sizeof m->lab->handout, m->err))
        return false;
    if (!*m->lab->title || !*m->lab->handout)
        return hpc_fail(m->err, "%s:%d: [lab] has no %s; expected one", shown, s->line,
                        *m->lab->title ? "handout" : "title");
    if (m->lab->handout[0] == '/' || strstr(m->lab->handout, "..") ||
        !lab_file_exists(m->root, m->lab->handout))
        return hpc_fail(m->err, "%s:%d: handout %s is not there; expected a file below the project",
                        shown, ini_find(s, "handout")->line, m->lab->handout);
    return true;
}

/* Points of all tasks are 100. */
static bool check_points(const struct lab_reader *m)
{
    double points = 0.0;
    for (int i = 0; i < m->lab->n_tasks; i++)
        points += lab_task_points(&m->lab->tasks[i]);
    if (fabs(points - LAB_POINTS) > 1e-9)
        return hpc_fail(m->err, "%s:%d: the tasks' points add up to %g, expected %d",
                        m->file->shown, ini_section_find(m->file, "lab")->line, points, LAB_POINTS);
    return true;
}

/* Sections [sheet NAME] and [problem NAME] belong to a task of answers. */
static bool check_owner(const struct lab_reader *m, const struct ini_section *s)
{
    const struct lab_task *t = lab_task_find(m->lab, strchr(s->name, ' ') + 1);
    return (t && t->kind == TASK_ANSWERS) ||
           hpc_fail(m->err, "%s:%d: [%s], expected the name of a task of answers", m->file->shown,
                    s->line, s->name);
}

static bool read_sections(struct lab_reader *m)
{
    static const char *const known[] = {"task ", "case ", "cases ", "sheet ", "problem "};
    for (int i = 0; i < m->file->n; i++) {
        const struct ini_section *s = &m->file->sections[i];
        bool defaults = strcmp(s->name, "tasks") == 0;
        bool found = strcmp(s->name, "lab") == 0 || defaults;
        for (int k = 0; k < 5; k++)
            found |= strncmp(s->name, known[k], strlen(known[k])) == 0;
        if (!found)
            return hpc_fail(m->err,
                            "%s:%d: unknown section [%s]; expected [lab], [tasks], [task NAME], "
                            "[sheet NAME], [problem NAME], [case NAME] or [cases OP]",
                            m->file->shown, s->line, s->name);
        if (defaults && !lab_check_defaults(m, s))
            return false;
        if (strncmp(s->name, "task ", 5) == 0 && !lab_read_task(m, s))
            return false;
    }
    for (int i = 0; i < m->file->n; i++) {
        const struct ini_section *s = &m->file->sections[i];
        if ((*s->name == 's' || *s->name == 'p') && !check_owner(m, s))
            return false;
    }
    return true;
}

static bool read_hidden(struct lab_reader *m)
{
    for (int i = 0; i < m->file->n; i++)
        if (strncmp(m->file->sections[i].name, "case ", 5) != 0)
            return hpc_fail(m->err, "%s:%d: unknown section [%s]; expected only [case NAME]",
                            m->file->shown, m->file->sections[i].line, m->file->sections[i].name);
    return lab_read_cases(m, true);
}

/* Read one file of the lab, whose path is m->lab's, by the functions above. */
static bool read_file(struct lab_reader *m, const char *file, bool hidden)
{
    char shown[LAB_NAME + 32];
    snprintf(shown, sizeof shown, "labs/%s/%s", m->lab->name, file);
    if (hidden && !lab_file_exists(m->root, shown))
        return true;
    char *path = hpc_printf("%s/%s", m->root, shown);
    struct ini_file *ini = ini_read(path, shown, m->err);
    free(path);
    if (!ini)
        return false;
    m->file = ini;
    bool good =
        hidden ? read_hidden(m)
               : read_head(m) && lab_read_cases(m, false) && read_sections(m) && check_points(m);
    ini_free(ini);
    return good;
}

bool lab_load(const char *root, const struct catalogue *catalogue, const char *name,
              struct lab *lab, struct hpc_error *err)
{
    if (!has_manifest(root, name))
        return unknown_lab(root, name, err);
    memset(lab, 0, sizeof *lab);
    snprintf(lab->name, sizeof lab->name, "%s", name);
    struct lab_reader m = {.root = root, .lab = lab, .catalogue = catalogue, .err = err};
    bool good = read_file(&m, "lab.ini", false) && read_file(&m, "hidden.ini", true) &&
                term_read(root, lab, err);
    ini_free(m.expected);
    return good;
}
