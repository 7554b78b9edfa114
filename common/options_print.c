/* What is made from a table of options: --help, Markdown, a man page, the shells' completion. */
#include <stdlib.h>
#include <string.h>

#include "common/options.h"

enum { SCREEN = 80, PAGE = 94, MOST_COLUMN = 24 }; /* columns; PAGE: of docs/ */

/* "--seed N", "-I DIR", "--tsv[=COLUMN,..]". */
static char *form(const struct option_row *row)
{
    if (row->kind == OPTION_PASSED)
        return hpc_printf("-%s%s", row->name, row->argument);
    if (row->kind == OPTION_MAYBE)
        return hpc_printf("--%s[=%s]", row->name, row->argument);
    return hpc_printf("--%s%s%s", row->name, row->argument ? " " : "",
                      row->argument ? row->argument : "");
}

/* Bytes of a word of n that go into one line: all, or where it is wider up to a | of its choices.
 */
static int piece(const char *word, int n, int room)
{
    for (int k = n > room ? room : 0; k > 0; k--)
        if (word[k - 1] == '|')
            return k;
    return n;
}

/* Print the words of text from column `at` on, in lines of at most `width` that begin at indent. */
static void print_wrapped(FILE *f, int width, const char *text, int at, int indent)
{
    int column = at;
    for (const char *w = text; *w; w += strspn(w, " ")) {
        int n = piece(w, (int)strcspn(w, " "), width - indent);
        if (w != text && column + 1 + n > width) {
            fprintf(f, "\n%*s", indent, "");
            column = indent;
        } else if (w != text) {
            fputc(' ', f);
            column++;
        }
        fwrite(w, 1, (size_t)n, f);
        column += n;
        w += n;
    }
    fputc('\n', f);
}

static char *usage_of(const struct option_table *t)
{
    char *text = hpc_printf("usage: %s%s%s", t->command, *t->words ? " " : "", t->words);
    for (const struct option_row *row = t->rows; row->name; row++) {
        char *one = form(row), *more;
        for (char *c = one; *c; c++)
            *c = *c == ' ' ? '\1' : *c; /* an option stays in one line with its argument */
        more = hpc_printf("%s [%s]%s", text, one,
                          row->kind == OPTION_MANY || row->kind == OPTION_PASSED ? "\1.." : "");
        free(one);
        free(text);
        text = more;
    }
    return text;
}

static void print_usage(const struct option_table *t, FILE *f)
{
    char *usage = usage_of(t), *page = NULL;
    size_t size;
    FILE *memory = open_memstream(&page, &size);
    HPC_ASSERT(memory);
    print_wrapped(memory, SCREEN, usage, 0, (int)strlen(t->command) + 8);
    fclose(memory);
    for (char *c = page; *c; c++)
        fputc(*c == '\1' ? ' ' : *c, f);
    free(page);
    free(usage);
}

void options_help(const struct option_table *t, FILE *f)
{
    int column = 0;
    print_usage(t, f);
    print_wrapped(f, SCREEN, t->about, 0, 0);
    for (const struct option_row *row = t->rows; row->name; row++) {
        char *text = form(row);
        const int n = (int)strlen(text);
        column = n > column && n <= MOST_COLUMN ? n : column;
        free(text);
    }
    for (const struct option_row *row = t->rows; row->name; row++) {
        char *text = form(row);
        if ((int)strlen(text) > column)
            fprintf(f, "  %s\n  %*s  ", text, column, "");
        else
            fprintf(f, "  %-*s  ", column, text);
        print_wrapped(f, SCREEN, row->help, column + 4, column + 4);
        free(text);
    }
    if (t->ending)
        print_wrapped(f, SCREEN, t->ending, 0, 0);
    for (const char *e = t->examples, *end; *e; e = end + (*end == '\n')) {
        end = e + strcspn(e, "\n");
        fprintf(f, "%s %.*s\n", e == t->examples ? "Example:" : "        ", (int)(end - e), e);
    }
}

/* Text in a cell of a Markdown table. */
static void print_cell(FILE *f, const char *text)
{
    for (; *text; text++)
        fprintf(f, "%s%c", *text == '|' ? "\\" : "", *text);
}

void options_markdown(const struct option_table *t, FILE *f)
{
    fprintf(f, "### `%s%s%s`\n\n", t->command, *t->words ? " " : "", t->words);
    print_wrapped(f, PAGE, t->about, 0, 0);
    fprintf(f, "\n");
    if (t->rows->name)
        fprintf(f, "| option | |\n|---|---|\n");
    for (const struct option_row *row = t->rows; row->name; row++) {
        char *text = form(row);
        fprintf(f, "| `");
        print_cell(f, text);
        fprintf(f, "` | ");
        print_cell(f, row->help);
        fprintf(f, " |\n");
        free(text);
    }
    if (t->rows->name)
        fprintf(f, "\n");
    if (t->ending) {
        print_wrapped(f, PAGE, t->ending, 0, 0);
        fprintf(f, "\n");
    }
    fprintf(f, "```\n%s\n```\n", t->examples);
}

/* Text of a man page: no line of it is a request, no dash a hyphen. */
static void print_man(FILE *f, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", f);
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", f);
        else if (*text == '\\')
            fputs("\\e", f);
        else
            fputc(*text, f);
        if (*text == '\n' && (text[1] == '.' || text[1] == '\''))
            fputs("\\&", f);
    }
}

void options_man(const struct option_table *t, FILE *f)
{
    fprintf(f, ".SS ");
    print_man(f, t->command);
    fprintf(f, " ");
    print_man(f, t->words);
    fprintf(f, "\n");
    print_man(f, t->about);
    fprintf(f, "\n");
    for (const struct option_row *row = t->rows; row->name; row++) {
        char *text = form(row);
        fprintf(f, ".TP\n.B ");
        print_man(f, text);
        fprintf(f, "\n");
        print_man(f, row->help);
        fprintf(f, "\n");
        free(text);
    }
    fprintf(f, ".PP\n");
    if (t->ending) {
        print_man(f, t->ending);
        fprintf(f, "\n");
    }
    fprintf(f, ".EX\n");
    print_man(f, t->examples);
    fprintf(f, "\n.EE\n");
}

/* Whether the shell is to offer labs, tasks' variants or neither behind the verb's name. */
static const char *offered(const struct option_table *t)
{
    return strstr(t->words, "LAB")       ? "labs"
           : strstr(t->words, "VARIANT") ? "variants"
           : strstr(t->words, "TASK")    ? "tasks"
           : strstr(t->words, "OP")      ? "operations"
                                         : "files";
}

/* The words that the first one is one of, as in "show STUDENT | purge", else ""; the caller's. */
static char *first_words(const struct option_table *t)
{
    char *all = hpc_printf("%s", "");
    const bool files = strcmp(offered(t), "files") == 0;
    for (const char *at = files ? t->words : NULL; at;
         at = strstr(at, " | ") ? strstr(at, " | ") + 3 : NULL) {
        const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        if (n == 0)
            continue;
        char *more = hpc_printf("%s%s%.*s", all, *all ? " " : "", (int)n, at);
        free(all);
        all = more;
    }
    return all;
}

static const char *verb_of(const struct option_table *t)
{
    return strchr(t->command, ' ') ? strrchr(t->command, ' ') + 1 : strrchr(t->command, '/') + 1;
}

/* What may stand behind an option; of a number nothing is offered. */
static const char *argument_offered(const struct option_row *row)
{
    return strcmp(row->argument, "TASK") == 0  ? "task"
           : strcmp(row->argument, "LAB") == 0 ? "labs"
           : strcmp(row->argument, "N") == 0   ? "''"
                                               : "files";
}

void options_bash(const struct option_table *t, FILE *f)
{
    fprintf(f, "    %s) offered=%s options='", verb_of(t), offered(t));
    for (const struct option_row *row = t->rows; row->name; row++)
        fprintf(f, "%s%s%s", row != t->rows ? " " : "", row->kind == OPTION_PASSED ? "-" : "--",
                row->name);
    char *first = first_words(t);
    fprintf(f, " --help'\n");
    if (*first)
        fprintf(f, "        [[ $COMP_CWORD != 2 ]] || offered='%s'\n", first);
    fprintf(f, "        case $before in\n");
    free(first);
    for (const struct option_row *row = t->rows; row->name; row++)
        if (row->kind == OPTION_CHOICE) {
            fprintf(f, "        --%s) offered='", row->name);
            for (const char *c = row->argument; *c; c++)
                fputc(*c == '|' ? ' ' : *c, f);
            fprintf(f, "' ;;\n");
        } else if (row->argument && row->kind != OPTION_MAYBE && row->kind != OPTION_PASSED) {
            fprintf(f, "        --%s) offered=%s ;;\n", row->name, argument_offered(row));
        }
    fprintf(f, "        esac ;;\n");
}

/* The same of zsh. */
static const char *argument_action(const struct option_row *row)
{
    const char *what = argument_offered(row);
    return strcmp(what, "task") == 0   ? "_hpclab_task"
           : strcmp(what, "labs") == 0 ? "_hpclab_labs"
           : strcmp(what, "''") == 0   ? " "
                                       : "_files";
}

/* Text between quotes, of zsh's _arguments. */
static void print_zsh(FILE *f, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", f);
        else
            fprintf(f, "%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
}

void options_zsh(const struct option_table *t, FILE *f)
{
    fprintf(f, "    %s) _arguments -S '--help[this list]' \\\n", verb_of(t));
    for (const struct option_row *row = t->rows; row->name; row++) {
        bool many = row->kind == OPTION_MANY || row->kind == OPTION_PASSED;
        fprintf(f, "        '%s%s%s%s[", many ? "*" : "", row->kind == OPTION_PASSED ? "-" : "--",
                row->name,
                row->kind == OPTION_MAYBE                     ? "=-"
                : row->argument && row->kind != OPTION_PASSED ? "="
                                                              : "");
        print_zsh(f, row->help);
        fprintf(f, "]");
        if (row->argument)
            fputs(row->kind == OPTION_MAYBE ? "::" : ":", f);
        if (row->kind == OPTION_CHOICE) {
            fprintf(f, "%s:(", row->name);
            for (const char *c = row->argument; *c; c++)
                fputc(*c == '|' ? ' ' : *c, f);
            fprintf(f, ")");
        } else if (row->argument) {
            print_zsh(f, row->argument);
            fprintf(f, ":%s", argument_action(row));
        }
        fprintf(f, "' \\\n");
    }
    char *first = first_words(t);
    if (*first)
        fprintf(f, "        '1:what:(%s)' \\\n", first);
    fprintf(f, "        '*:word:_hpclab_%s' ;;\n", offered(t));
    free(first);
}
