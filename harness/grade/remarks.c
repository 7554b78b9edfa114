/* What the source itself says of a result: calls whose wait is asked about once, a region that one
 * thread runs, an allocation that counts elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/grade/internal.h"

#define LINE 160

/* The first line from `after` + 1 on that has the word and, unless NULL, another: its number; 0:
 * there is none. */
static long find_line(const char *path, long after, const char *word, const char *other, char *line,
                      size_t size)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    long found = 0;
    for (long n = 1; f && !found && getline(&text, &room, f) >= 0; n++)
        if (n > after && strstr(text, word) && (!other || strstr(text, other)))
            found = n;
    free(text);
    if (f)
        fclose(f);
    return found && grade_line(path, found, line, size) ? found : 0;
}

#define ABOVE 6 /* lines, in which a loop may begin that asks again */

/* Whether the statement on line `number` hangs on an if, and on no loop. */
static bool under_if(const char *path, long number, char *line, size_t size)
{
    bool found = grade_line(path, number, line, size) && strncmp(line, "if (", 4) == 0;
    if (!found && grade_line(path, number - 1, line, size)) {
        const char *asks = strstr(line, "if (");
        found = asks && strchr("){", line[strlen(line) - 1]);
    }
    for (long k = number; k > 0 && k >= number - ABOVE && found; k--)
        if (grade_line(path, k, line, size) &&
            (strstr(line, "while (") || strstr(line, "for (") || strncmp(line, "do", 2) == 0))
            found = false;
    return found;
}

/* A wait for a condition that is asked about once: the wait may end with nobody having signalled.
 */
static bool say_wait(const char *path, const char *file, char *text, size_t size)
{
    static const char *const calls[] = {"pthread_cond_wait(", "cnd_wait("};
    char line[LINE];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (long at = 0; (at = find_line(path, at, calls[i], NULL, line, sizeof line)) > 0;)
            if (under_if(path, at, line, sizeof line))
                return text_fit(text, size,
                                "%s:%ld: %.*s() may return though nobody has signalled: what it "
                                "waits for is asked again by while (..), not once by if (..)",
                                file, at, (int)strcspn(calls[i], "("), calls[i]);
    return false;
}

/* "labs/lab3/x.c" of a task, and its path. */
static char *path_of(const struct grading *g, const struct lab_task *task, char *file, size_t size)
{
    text_fit(file, size, "labs/%s/%s", g->project->lab->name, task->file);
    return hpc_printf("%s/%s", g->project->root, file);
}

void grade_remark(const struct grading *g, struct trial *t, struct task_result *result)
{
    char file[200], text[300] = "";
    if (strcmp(g->implementation, "student") != 0 || result->outcome.verdict != VERDICT_PASS)
        return;
    char *path = path_of(g, t->task, file, sizeof file);
    const bool warned = build_warning(trial_runner(t, BUILD_PLAIN), file, text, sizeof text) &&
                        (strstr(text, "implicit declaration") || strstr(text, "incompatible") ||
                         (*result->outcome.hint && strstr(text, BUILD_FALLS)));
    static const char begin[] = "right, and yet: ";
    const char *hint = result->outcome.hint;
    char *was = hpc_strdup(hint + (strncmp(hint, begin, strlen(begin)) == 0 ? strlen(begin) : 0));
    if (warned || say_wait(path, file, text, sizeof text))
        outcome_hint(&result->outcome, "right, and yet%s%s%s%s",
                     warned ? " the compiler warns: " : ": ", text, *was ? outcome_joint(text) : "",
                     was);
    free(was);
    free(path);
}

/* A macro that is taken apart, else what the compiler says. */
static bool warned_of(const struct grading *g, struct trial *t, char *file, size_t file_size,
                      char *text, size_t size)
{
    char *path = path_of(g, t->task, file, file_size);
    const bool warned = grade_macro(path, file, text, size) ||
                        build_warning(trial_runner(t, BUILD_PLAIN), file, text, size);
    free(path);
    return warned;
}

void grade_build_warning(const struct grading *g, struct trial *t, struct task_result *result)
{
    enum { NEAR = 3 }; /* lines that a statement which ends too early is above the error */
    char file[200], text[300];
    const char *const reason = result->outcome.reason;
    char *path = path_of(g, t->task, file, sizeof file);
    const size_t n = strlen(file);
    if (result->outcome.verdict == VERDICT_BUILD && strncmp(reason, file, n) == 0 &&
        reason[n] == ':' &&
        build_warning(trial_runner(t, build_plain(g->device)), file, text, sizeof text)) {
        const long above = strtol(reason + n + 1, NULL, 10) - strtol(text + n + 1, NULL, 10);
        if (above >= 0 && above <= NEAR)
            outcome_hint(&result->outcome, "the compiler warns: %s", text);
    }
    free(path);
}

void grade_add_warning(const struct grading *g, struct trial *t, struct task_result *result)
{
    char file[200], text[300];
    const char *hint = result->outcome.hint;
    if (strcmp(g->implementation, "student") != 0 ||
        !warned_of(g, t, file, sizeof file, text, sizeof text) ||
        strlen(hint) + strlen(text) + 30 > sizeof result->outcome.hint)
        return;
    char *was = hpc_strdup(result->outcome.reason);
    const char *said = grade_without_cause(was, text);
    if (said) {
        outcome_reason(&result->outcome, "%.*s: %s%s", (int)(said - was), was,
                       strstr(text, GRADE_NO_BRACKETS) ? "" : "the compiler warns: ", text);
        outcome_hint(&result->outcome, "%s%s%s", hint, outcome_joint(hint), said + 2);
    } else {
        outcome_hint(&result->outcome, "%s%sthe compiler warns: %s", hint, outcome_joint(hint),
                     text);
    }
    free(was);
}

void grade_say_alone(const struct grading *g, struct trial *t, struct task_result *result)
{
    char file[200], text[300] = "", line[LINE];
    struct outcome *o = &result->outcome;
    const char *said = strstr(o->reason, ": one thread did ");
    if (!said || strcmp(g->implementation, "student") != 0 || !strstr(t->task->flags, "-fopenmp"))
        return;
    char *path = path_of(g, t->task, file, sizeof file), *was = hpc_strdup(o->reason);
    const int begin = (int)(said - o->reason);
    const long condition = find_line(path, 0, "omp parallel", " if", line, sizeof line);
    if (build_warning(trial_runner(t, BUILD_PLAIN), file, text, sizeof text) &&
        strstr(text, BUILD_PRAGMA))
        outcome_reason(o, "%.*s: the compiler warns: %s%s", begin, was, text, was + begin);
    else if (condition && strstr(strstr(line, " if"), "("))
        outcome_reason(o,
                       "%.*s: the region of %s:%ld begins with one thread where its if clause is "
                       "false: %s; %s",
                       begin, was, file, condition, line, was + begin + 2);
    else if (!find_line(path, 0, "#pragma omp", "parallel", line, sizeof line))
        outcome_reason(o, "%.*s: no line of %s begins a region, #pragma omp parallel; %s", begin,
                       was, file, was + begin + 2);
    free(was);
    free(path);
}

/* Whether an allocation on this line has a number of bytes that no sizeof is in, nor what may stand
 * for one; calloc multiplies itself. */
static bool of_elements(const char *line)
{
    static const char *const sizes[] = {"sizeof", "bytes", "BYTES", "* 4",   "* 8",
                                        "4 *",    "8 *",   "SIZE",  " size", "_size"};
    const char *call = strstr(line, "alloc(");
    if (!call || call == line || call[-1] == 'c')
        return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strstr(call, sizes[i]))
            return false;
    return strchr(call, ';') != NULL; /* else it goes on in the next line */
}

/* Whether the size is a variable that another line sets by sizeof. */
static bool bytes_elsewhere(const char *path, const char *line)
{
    const char *call = strstr(line, "alloc(");
    char name[LINE], other[LINE];
    call += strlen("alloc(");
    snprintf(name, sizeof name, "%.*s =", (int)strcspn(call, ",);*+ "), call);
    return find_line(path, 0, name, "sizeof", other, sizeof other);
}

void grade_say_bytes(const struct grading *g, struct trial *t, struct task_result *result)
{
    static const char *const words[] = {"allocated at ", "allocation of "};
    struct outcome *o = &result->outcome;
    char file[200], line[LINE];
    char *path = path_of(g, t->task, file, sizeof file);
    char *both = hpc_printf("%s\n%s", o->reason, o->hint), *was = hpc_strdup(o->reason);
    const char *begin = strstr(was, ": ");
    long at = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && !at; i++) {
        const char *said = strstr(both, words[i]);
        said = said ? said + strlen(words[i]) : NULL;
        if (said && strncmp(said, file, strlen(file)) == 0 && said[strlen(file)] == ':')
            at = strtol(said + strlen(file) + 1, NULL, 10);
    }
    if (at && begin && grade_line(path, at, line, sizeof line) && of_elements(line) &&
        !bytes_elsewhere(path, line))
        outcome_reason(o,
                       "%.*s: the allocation at %s:%ld counts elements, where bytes are asked for, "
                       "n * sizeof *p; %s",
                       (int)(begin - was), was, file, at, begin + 2);
    free(was);
    free(both);
    free(path);
}

/* "work(&members[t])" of "pthread_create(&thread[t], NULL, work(&members[t]), NULL)": an argument
 * that is a call. */
static bool called_argument(const char *line, int number, char *argument, size_t size)
{
    const char *p = strstr(line, "pthread_create("), *begin;
    int depth = 0;
    p = begin = p ? p + strlen("pthread_create(") : "";
    for (; *p && depth >= 0; p++) {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (depth > 0 || (*p != ',' && depth == 0))
            continue;
        begin += strspn(begin, " ");
        if (--number == 0) {
            snprintf(argument, size, "%.*s", (int)(p - begin), begin);
            return p > begin && p[-1] == ')' && *begin != '(';
        }
        begin = p + 1;
    }
    return false;
}

bool grade_called_start(const struct grading *g, struct trial *t, struct task_result *result)
{
    struct outcome *o = &result->outcome;
    char file[200], line[LINE], argument[LINE];
    char *path = path_of(g, t->task, file, sizeof file), *was = hpc_strdup(o->reason);
    const char *begin = strstr(was, ": ");
    long at = 0;
    while ((at = find_line(path, at, "pthread_create(", NULL, line, sizeof line)) > 0 &&
           !called_argument(line, 3, argument, sizeof argument))
        ;
    if (at && begin)
        outcome_reason(o,
                       "%.*s: pthread_create at %s:%ld gets what %s returns, which this thread "
                       "runs first: its third argument is the function's name alone, what it is "
                       "called with the fourth; %s",
                       (int)(begin - was), was, file, at, argument, begin + 2);
    free(was);
    free(path);
    return at && begin;
}

/* Whether the last call of a mutex before line `wait`, in its own block, gives one back. */
static bool given_back(const char *path, long wait)
{
    char line[LINE];
    for (long k = wait - 1; k > 0; k--) {
        if (!grade_line(path, k, line, sizeof line))
            continue;
        if (strchr(line, '}') || strstr(line, "_lock("))
            return false;
        if (strstr(line, "_unlock("))
            return true;
    }
    return false;
}

bool grade_unheld_wait(const struct grading *g, struct trial *t, struct task_result *result)
{
    struct outcome *o = &result->outcome;
    char file[200], line[LINE];
    char *path = path_of(g, t->task, file, sizeof file), *was = hpc_strdup(o->reason);
    const char *begin = strstr(was, ": ");
    long at = 0;
    while ((at = find_line(path, at, "cond_wait(", NULL, line, sizeof line)) > 0 &&
           !given_back(path, at))
        ;
    if (at && begin)
        outcome_reason(o,
                       "%.*s: the wait for a condition at %s:%ld begins without the mutex, and "
                       "ends with it: it is taken before, and given back behind; %s",
                       (int)(begin - was), was, file, at, begin + 2);
    free(was);
    free(path);
    return at && begin;
}
