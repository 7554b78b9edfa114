/* Launches that hand two of a kernel's parameters over in each other's place. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/grade/internal.h"

#define MOST    (256 * 1024L) /* bytes of a source that are looked at */
#define MOST_N  16            /* parameters */
#define KERNELS 64            /* declarations that are looked at */
#define NAME    60

static bool of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The last word of each part of a list in brackets, p behind the first of them; "" where a part is
 * more than a word and `alone` asks for one. Returns how many parts there are. */
static int last_words(const char *p, bool alone, char words[MOST_N][NAME])
{
    int depth = 0, n = 0;
    for (const char *begin = p; *p && n < MOST_N; p++) {
        if (depth > 0 || (*p != ',' && *p != ')')) {
            depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
            continue;
        }
        const char *end = p, *from;
        while (end > begin && isspace((unsigned char)end[-1]))
            end--;
        for (from = end; from > begin && of_name(from[-1]); from--)
            ;
        begin += strspn(begin, " \n");
        snprintf(words[n++], NAME, "%.*s", alone && from != begin ? 0 : (int)(end - from), from);
        if (*p == ')')
            break;
        begin = p + 1;
    }
    return n;
}

/* Where a word stands in the text that `<<<` follows, from p on; NULL: nowhere. */
static const char *find_launch(const char *text, const char *p, const char *word)
{
    for (const char *at = strstr(p, word); at; at = strstr(at + 1, word))
        if ((at == text || !of_name(at[-1])) && strncmp(at + strlen(word), "<<<", 3) == 0)
            return at;
    return NULL;
}

/* Whether two arguments are named as each other's parameters are. */
static bool exchanged(int n, char given[MOST_N][NAME], char asked[MOST_N][NAME], int pair[2])
{
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (*given[i] && *given[k] && strcmp(given[i], given[k]) != 0 &&
                strcmp(given[i], asked[k]) == 0 && strcmp(given[k], asked[i]) == 0) {
                pair[0] = i;
                pair[1] = k;
                return true;
            }
    return false;
}

/* The launches of one kernel: the line of one with two exchanged, where all are so; else 0. */
static int look(const char *text, const char *kernel, char asked[MOST_N][NAME], int n, int pair[2])
{
    char given[MOST_N][NAME];
    const char *last = NULL;
    for (const char *p = text; (p = find_launch(text, p, kernel)); p++) {
        const char *list = strstr(p, ">>>");
        list = list ? strchr(list, '(') : NULL;
        if (!list || last_words(list + 1, true, given) != n || !exchanged(n, given, asked, pair))
            return 0;
        last = p;
    }
    int line = last != NULL;
    for (const char *q = text; last && q < last; q++)
        line += *q == '\n';
    return line;
}

void grade_exchanged(const struct grading *g, struct trial *t, struct task_result *result)
{
    char *path =
        hpc_printf("%s/labs/%s/%s", g->project->root, g->project->lab->name, t->task->file);
    char *text = hpc_calloc(MOST + 1, 1), asked[MOST_N][NAME], kernel[NAME];
    const struct outcome was = result->outcome;
    const char *said = strstr(was.reason, ": ");
    FILE *f = fopen(path, "re");
    text[f ? fread(text, 1, MOST, f) : 0] = '\0';
    if (f)
        fclose(f);
    const char *p = said ? text : NULL;
    for (int k = 0; k < KERNELS && p && (p = strstr(p, "__global__ void ")); k++, p++) {
        const char *name = p + strlen("__global__ void "), *list = strchr(name, '(');
        int pair[2] = {0, 0};
        const int length = (int)strcspn(name, "( \n");
        snprintf(kernel, sizeof kernel, "%.*s", length < NAME ? length : 0, name);
        const int n = list ? last_words(list + 1, false, asked) : 0;
        const int line = n > 1 && *kernel ? look(text, kernel, asked, n, pair) : 0;
        if (line == 0)
            continue;
        outcome_reason(&result->outcome,
                       "%.*s: the launch of %s at labs/%s/%s:%d gives it %s as its parameter %s, "
                       "and %s as %s: the order is the kernel's",
                       (int)(said - was.reason), was.reason, kernel, g->project->lab->name,
                       t->task->file, line, asked[pair[1]], asked[pair[0]], asked[pair[0]],
                       asked[pair[1]]);
        outcome_hint(&result->outcome, "%s%s%s", said + 2, *was.hint ? outcome_joint(said) : "",
                     was.hint);
        break;
    }
    free(text);
    free(path);
}
