/* Running programs of the machine (gcc, gprof, gnuplot) and our own trusted ones, and the folders
 * that they write to. Nothing of a student's is run by this. */
#ifndef HPC_COMMON_COMMAND_H
#define HPC_COMMON_COMMAND_H

#include <sys/types.h>

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The words of a command line, each its own copy, NULL-ended. Starts as {0}; ends by
 * command_line_clear. */
#define COMMAND_WORDS 1024
struct command_line {
    int n;
    char *word[COMMAND_WORDS + 1];
};
void command_add(struct command_line *c, const char *word);
void command_add_printf(struct command_line *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void command_add_list(struct command_line *c, const char *const *words); /* NULL-ended */
void command_add_text(struct command_line *c, const char *text);         /* parted by blanks */
void command_line_clear(struct command_line *c);
/* A word as a shell takes it, to be pasted: as it is, or between single quotes. The caller's. */
char *command_quoted(const char *word);

struct command {
    const char *const *argv;  /* NULL-ended, found by PATH */
    const char *folder, *out; /* it runs in the folder, its stdout goes to the file `out` there */
    const char *env;          /* one more "K=V", or NULL */
    pid_t pid;                /* filled: the process it was */
    double cpu;               /* filled: its seconds, user and system */
};

/* Run n commands at once, their stderr in log.txt of their folders. False with *err, which names
 * the program and the log, when one cannot start or does not end with 0, or after Ctrl-C; none is
 * left running. */
bool commands_run(struct command *c, int n, struct hpc_error *err);
/* The same for one; *cpu may be NULL. */
bool command_run(const char *const *argv, const char *folder, const char *out, double *cpu,
                 struct hpc_error *err);
/* A file of a folder as text, to be freed; NULL with *err. */
char *command_text(const char *folder, const char *name, struct hpc_error *err);
/* The absolute path of a program in the folders of PATH, kept; NULL: not there. */
const char *command_find(const char *name);
/* Make an absolute folder and those above it. */
bool folder_make(const char *folder, struct hpc_error *err);
/* Remove it with all that is in it, as far as it goes. */
void folder_remove(const char *folder);

#ifdef __cplusplus
}
#endif
#endif
