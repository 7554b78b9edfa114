/* Errors, two kinds. A broken contract of ours: HPC_ASSERT, always on, ends the process.
 * Anything a user or the machine can cause: a function returns false (or NULL) and fills a
 * struct hpc_error with ONE line that says what was wrong, where, and what was expected. */
#ifndef HPC_COMMON_ERROR_H
#define HPC_COMMON_ERROR_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exit statuses of hpclab and grade. docs/commands.md is the specification. */
enum hpc_exit {
    HPC_EXIT_OK = 0,          /* all points that are not pending */
    HPC_EXIT_BELOW = 1,       /* graded, and below; or wrong */
    HPC_EXIT_USAGE = 2,       /* the user's words are off */
    HPC_EXIT_ENVIRONMENT = 3, /* no task could be scored here */
    HPC_EXIT_SKIPPED = 77,
};

struct hpc_error {
    enum hpc_exit status; /* USAGE or ENVIRONMENT: what the process should exit with */
    char text[1024];      /* one line, no newline at its end, without "hpclab: " */
};

/* Fill err (which may be NULL) and return false, so that `return hpc_fail(err, ..);` reads well.
 * hpc_fail: the user's words or files (exit 2). hpc_fail_env: the machine (exit 3). */
bool hpc_fail(struct hpc_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool hpc_fail_env(struct hpc_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Replace by '?' control characters, marks that turn a line's direction, and what is no UTF-8: a
 * text with a name or words of somebody else's in it must not move a terminal's cursor. hpc_fail
 * does so.
 */
void hpc_harmless(char *text);

/* Print "hpclab: TEXT" to stderr and return the exit status. */
int hpc_report(const struct hpc_error *err);

/* malloc, calloc, strdup, asprintf that never return NULL: they print one line and exit(3). */
void *hpc_malloc(unsigned long bytes);
void *hpc_calloc(unsigned long count, unsigned long bytes);
void *hpc_realloc(void *p, unsigned long bytes);
char *hpc_strdup(const char *s);
char *hpc_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

void hpc_assert_failed(const char *expression, const char *file, int line)
    __attribute__((noreturn));
#define HPC_ASSERT(e) ((e) ? (void)0 : hpc_assert_failed(#e, __FILE__, __LINE__))

#ifdef __cplusplus
}
#endif
#endif
