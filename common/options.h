/* The options of a command as one table. Parsing, --help, the lists of docs/commands.md, the man
 * page and the shells' completion are made from it. */
#ifndef HPC_COMMON_OPTIONS_H
#define HPC_COMMON_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stands at `at` in the struct of values, and what it gets. */
enum option_kind {
    OPTION_SWITCH, /* bool: true */
    OPTION_OFF,    /* bool: false */
    OPTION_TEXT,   /* const char *: the argument itself */
    OPTION_CHOICE, /* const char *: one of the words of `argument`, which | parts */
    OPTION_MAYBE,  /* const char *: what stands behind =, else "" */
    OPTION_SEED,   /* uint64_t */
    OPTION_COUNT,  /* int from low to high */
    OPTION_NUMBER, /* double from low to high */
    OPTION_MANY,   /* struct option_many: one more each time */
    OPTION_PASSED, /* struct option_many: "-IDIR", of an option of one letter for a compiler; freed
                      by option_many_clear */
};

#define OPTION_MOST 64
struct option_many {
    int n;
    const char *word[OPTION_MOST];
};

struct option_row {
    const char *name;     /* "seed"; of OPTION_PASSED one letter; NULL ends the table */
    const char *argument; /* "N"; NULL: it takes none */
    const char *help;     /* one sentence, without a full stop */
    enum option_kind kind;
    size_t at; /* offsetof the value */
    double low, high;
};

struct option_table {
    const char *command;  /* as it is typed: "./hpclab build" */
    const char *words;    /* what it takes besides options: "LAB"; "" for nothing */
    const char *title;    /* what it does, in a line of a list */
    const char *about;    /* the same in some sentences, without ends of lines */
    const char *ending;   /* what is to be said behind the options: how it ends; or NULL */
    const char *examples; /* each a line */
    int least, most;      /* how many words */
    const char *expected; /* instead of others: "one lab, such as lab3" */
    const struct option_row *rows;
};

/* Read the options among argv[1 ..] into *values; *argc and *argv become the words besides options,
 * in their order. Returns 1; 0 where --help or -h was there, and was printed; -1 with *err, which
 * names the nearest option. A "--" ends the options. */
int options_read(const struct option_table *table, int *argc, char ***argv, void *values,
                 struct hpc_error *err);
void option_many_clear(struct option_many *passed);

/* What --help prints. */
void options_help(const struct option_table *table, FILE *f);
/* The same as a section of docs/commands.md, in Markdown. */
void options_markdown(const struct option_table *table, FILE *f);
/* The same as a section of a man page. */
void options_man(const struct option_table *table, FILE *f);
/* `verb) words="--only --quick";; ` of bash, and `verb) _arguments ..;;` of zsh; for the verb at
 * the end of `command`. */
void options_bash(const struct option_table *table, FILE *f);
void options_zsh(const struct option_table *table, FILE *f);

#ifdef __cplusplus
}
#endif
#endif
