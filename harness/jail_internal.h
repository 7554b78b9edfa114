/* What the files of the jail share. Users include harness/jail.h. */
#ifndef HPC_HARNESS_JAIL_INTERNAL_H
#define HPC_HARNESS_JAIL_INTERNAL_H

#include <linux/filter.h>

#include "harness/jail.h"

struct jail {
    pid_t pid;        /* our child: bubblewrap, or the program itself */
    pid_t program;    /* the program itself; 0: not known yet */
    int pid_fd, pipe; /* readable when it has ended; its output */
    int first_fd;     /* of the first process of its namespace; -1: not known yet, or none */
    enum jail_tier tier;
    struct jail_limits limits;
    double start;   /* seconds, CLOCK_MONOTONIC */
    char *text;     /* the first limits.output_bytes of its output */
    size_t length;  /* kept */
    size_t printed; /* kept and dropped */
    bool ended, wall_limit, output_limit, killed;
    int status;         /* of waitpid, once ended */
    double cpu_seconds; /* as last seen */
};

/* So many times the kept output may be printed before the process is ended. */
#define JAIL_DROP_FACTOR 64

/* Words of a command line, each owned. */
#define JAIL_MAX_WORDS 160
struct jail_words {
    char *word[JAIL_MAX_WORDS + 1];
    int n;
};
void jail_words_add(struct jail_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void jail_words_free(struct jail_words *words);

/* How bubblewrap is called here: which, its libraries, and how much it can do. Newer options come
 * with higher levels: 0 none of them, 1 sized temporary folders, 2 no nested namespaces. */
struct bubblewrap {
    char path[4000];
    char libraries[4000]; /* LD_LIBRARY_PATH for it, or empty */
    int level;
};
#define BUBBLEWRAP_LEVELS 3

/* The command line of a jailed program. seccomp_fd: a descriptor with a filter, or -1. */
void bubblewrap_words(const struct bubblewrap *b, const struct jail_spec *spec, int seccomp_fd,
                      struct jail_words *words);
/* As jail_start, with bubblewrap as given, or with limits alone where it is NULL. */
struct jail *jail_start_with(const struct jail_spec *spec, const struct bubblewrap *b,
                             struct hpc_error *err);
/* The bubblewrap that works here, or NULL. Found out once. */
const struct bubblewrap *bubblewrap_here(void);

/* A seccomp filter under which threads can be started but no process. */
const struct sock_fprog *jail_no_fork(void);

/* In the child, before exec: limits, descriptors, signals, standard streams. */
void jail_enter(const struct jail_spec *spec, pid_t parent, int output, int keep_fd);
/* Find the first process and the program, once they are there, and set the limits that hold only
 * inside. */
void jail_find(struct jail *jail);

/* Which limit ended it, and why in words. */
void jail_explain(const struct jail *jail, struct jail_end *end);
/* The output as ASCII text: control characters but newline and tab are removed, others are '?'. */
void jail_copy_output(const struct jail *jail, char *output, size_t size);

double jail_now(void); /* seconds, CLOCK_MONOTONIC */

#endif
