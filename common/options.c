/* Reading a command line by its table. */
#define _GNU_SOURCE
#include "common/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "common/text.h"

enum { FIRST = 256 }; /* what getopt_long returns for row 0; letters are below */

/* "auto, cpu or cuda" of "auto|cpu|cuda". */
static void list_choices(const char *choices, char *list, size_t size)
{
    struct text t = {0};
    for (const char *c = choices; *c; c++)
        if (*c == '|')
            text_add(&t, "%s", strchr(c + 1, '|') ? ", " : " or ");
        else
            text_add(&t, "%c", *c);
    text_fit(list, size, "%s", text_string(&t));
    text_free(&t);
}

static bool is_choice(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (const char *c = choices; c; c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL)
        if (strncmp(c, word, n) == 0 && (c[n] == '|' || c[n] == '\0'))
            return n > 0;
    return false;
}

static bool read_choice(const struct option_row *row, const char *text, const char **value,
                        struct hpc_error *err)
{
    char list[200];
    *value = text;
    if (is_choice(row->argument, text))
        return true;
    list_choices(row->argument, list, sizeof list);
    return hpc_fail(err, "--%s %.60s: expected %s", row->name, text, list);
}

static bool read_seed(const struct option_row *row, const char *text, uint64_t *value,
                      struct hpc_error *err)
{
    char *stop;
    errno = 0;
    *value = strtoull(text, &stop, 10);
    return (!errno && !*stop && stop != text && *text != '-') ||
           hpc_fail(err, "--%s %.60s: expected a number from 0 to %llu", row->name, text,
                    (unsigned long long)UINT64_MAX);
}

static bool read_number(const struct option_row *row, const char *text, double *value,
                        struct hpc_error *err)
{
    char *stop;
    errno = 0;
    *value = strtod(text, &stop);
    bool whole = row->kind != OPTION_COUNT || strspn(text, "0123456789") == strlen(text);
    return (!errno && !*stop && stop != text && whole && *value >= row->low &&
            *value <= row->high) ||
           hpc_fail(err, "--%s %.60s: expected a number from %.15g to %.15g", row->name, text,
                    row->low, row->high);
}

static bool add_word(const struct option_row *row, struct option_many *many, const char *text,
                     struct hpc_error *err)
{
    if (many->n == OPTION_MOST)
        return hpc_fail(err, "--%s %.60s: expected at most %d of them", row->name, text,
                        OPTION_MOST);
    many->word[many->n++] = text;
    return true;
}

static bool read_value(const struct option_row *row, const char *text, void *at,
                       struct hpc_error *err)
{
    double number = 0;
    switch (row->kind) {
    case OPTION_SWITCH:
    case OPTION_OFF:
        *(bool *)at = row->kind == OPTION_SWITCH;
        return true;
    case OPTION_TEXT:
    case OPTION_MAYBE:
        *(const char **)at = text ? text : "";
        return true;
    case OPTION_CHOICE:
        return read_choice(row, text, at, err);
    case OPTION_SEED:
        return read_seed(row, text, at, err);
    case OPTION_COUNT:
        if (!read_number(row, text, &number, err))
            return false;
        *(int *)at = (int)number;
        return true;
    case OPTION_NUMBER:
        return read_number(row, text, at, err);
    case OPTION_MANY:
        return add_word(row, at, text, err);
    case OPTION_PASSED:
        return add_word(row, at, hpc_printf("-%s%s", row->name, text), err);
    }
    return false;
}

void option_many_clear(struct option_many *passed)
{
    while (passed->n > 0)
        free((void *)(uintptr_t)passed->word[--passed->n]);
}

/* What getopt_long takes for an option: the table's rows, and --help. */
struct forms {
    struct option longs[OPTION_MOST + 2];
    char letters[3 + 2 * OPTION_MOST];
    const char *names[OPTION_MOST + 1];
    int n;
};

static struct forms make_forms(const struct option_row *rows)
{
    struct forms f = {.letters = ":h"};
    size_t end = 2;
    int longs = 0;
    for (; rows[f.n].name; f.n++) {
        const struct option_row *row = &rows[f.n];
        HPC_ASSERT(f.n < OPTION_MOST);
        f.names[f.n] = row->name;
        if (row->kind == OPTION_PASSED) {
            f.letters[end++] = row->name[0];
            f.letters[end++] = ':';
        } else {
            int takes = row->kind == OPTION_MAYBE ? optional_argument
                        : row->argument           ? required_argument
                                                  : no_argument;
            f.longs[longs++] = (struct option){row->name, takes, NULL, FIRST + f.n};
        }
    }
    f.longs[longs] = (struct option){"help", no_argument, NULL, 'h'};
    f.names[f.n] = "help";
    return f;
}

/* "build" of "./hpclab build", "grade" of "./grade". */
static const char *verb_of(const struct option_table *t)
{
    return strpbrk(t->command, " ") ? strrchr(t->command, ' ') + 1 : strrchr(t->command, '/') + 1;
}

/* What getopt_long did not take. Always -1. */
static int refuse(const struct option_table *t, const struct forms *f, bool lacking,
                  const char *word, struct hpc_error *err)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    if (lacking) {
        hpc_fail(err, "%s: a value is missing after %s; see %s --help", verb_of(t), word,
                 t->command);
        return -1;
    }
    const char *plain = name + strspn(name, "-");
    const char *near = *plain ? nearest_word(plain, f->names, f->n + 1) : NULL;
    if (near && strcmp(near, plain) == 0 && strchr(word, '='))
        hpc_fail(err, "%s: %.60s: --%s takes no value; see %s --help", verb_of(t), word, near,
                 t->command);
    else if (near)
        hpc_fail(err, "%s: unknown option %.60s, did you mean %s%s? see %s --help", verb_of(t),
                 name, near[1] ? "--" : "-", near, t->command);
    else
        hpc_fail(err, "%s: unknown option %.60s; see %s --help", verb_of(t), name, t->command);
    return -1;
}

/* Whether there are as many words as the table says. */
static int count_words(const struct option_table *t, int n, char **words, struct hpc_error *err)
{
    if (n >= t->least && n <= t->most)
        return 1;
    if (n > t->most)
        hpc_fail(err, "%s: expected %s, found also \"%.60s\"", verb_of(t), t->expected,
                 words[t->most]);
    else
        hpc_fail(err, "%s: expected %s; see %s --help", verb_of(t), t->expected, t->command);
    return -1;
}

/* Whether a word is an option of the table's, --NAME or --NAME=VALUE, and no value of another's. */
static bool is_option(const struct forms *f, const char *word)
{
    const size_t n = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    bool found = false;
    for (int i = 0; i <= f->n; i++)
        found |= n > 0 && strlen(f->names[i]) == n && strncmp(f->names[i], word + 2, n) == 0;
    return found;
}

int options_read(const struct option_table *t, int *argc, char ***argv, void *values,
                 struct hpc_error *err)
{
    struct forms f = make_forms(t->rows);
    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(*argc, *argv, f.letters, f.longs, NULL)) != -1;) {
        if (c == 'h')
            return options_help(t, stdout), 0;
        const char letter[] = {'-', (char)optopt, '\0'}; /* optind is yet at a word with more */
        if (c == ':' || c == '?')
            return refuse(t, &f, c == ':',
                          c == '?' && optopt > 0 && optopt < FIRST ? letter : (*argv)[optind - 1],
                          err);
        if (optarg && optarg == (*argv)[optind - 1] && is_option(&f, optarg))
            return refuse(t, &f, true, (*argv)[optind - 2], err);
        int row = c - FIRST;
        for (int i = 0; c < FIRST && i < f.n; i++)
            if (t->rows[i].kind == OPTION_PASSED && t->rows[i].name[0] == c)
                row = i;
        if (!read_value(&t->rows[row], optarg, (char *)values + t->rows[row].at, err))
            return -1;
    }
    *argc -= optind;
    *argv += optind;
    return count_words(t, *argc, *argv, err);
}
