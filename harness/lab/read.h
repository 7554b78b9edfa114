/* What the files of the parser share: read_lab.c (a lab), read_task.c (its tasks), read_case.c (its
 * cases), read_cuda.c, catalogue.c (variants), fields.c (values of keys). For no others. */
#ifndef HPC_HARNESS_LAB_READ_H
#define HPC_HARNESS_LAB_READ_H

#include "common/ini.h"
#include "harness/lab/lab.h"

/* A file of a lab being read. */
struct lab_reader {
    const char *root;
    const struct ini_file *file;
    struct ini_file *expected; /* expected.ini, once a task of answers was read; or NULL */
    struct lab *lab;
    const struct catalogue *catalogue;
    struct hpc_error *err;
};

/* Sections [case NAME] of a file, appended to lab->cases; hidden ones join the tasks that they
 * name. Each case's problem is parsed once. */
bool lab_read_cases(struct lab_reader *m, bool hidden);
/* Section [task NAME], appended to lab->tasks, and checked against cases and catalogue. */
bool lab_read_task(struct lab_reader *m, const struct ini_section *section);

/* Where a task's section stands, so that each function takes one argument. */
struct task_reader {
    struct lab_reader *m;
    const struct ini_section *s;
    struct lab_task *task;
};
/* The keys that a .cu file has and others have not; those of a variant are already read. */
bool lab_read_cuda(const struct task_reader *r);
/* Replace the sets in the task's `symbols`, such as @cuda, by what they hold. */
bool lab_expand_symbols(const struct task_reader *r);
/* The keys of [tasks], which a variant task has that does not say otherwise. */
bool lab_check_defaults(const struct lab_reader *m, const struct ini_section *section);
/* The task's keys, and of a variant those of [tasks] that it has not; keys to be freed. Texts and
 * lines stay the file's. */
struct ini_section lab_with_defaults(const struct lab_reader *m, const struct ini_section *own);
bool task_missing(const struct task_reader *r, const char *what);
/* "FILE:LINE: KEY = VALUE, expected WHAT"; at the section's line when the key is absent. */
bool task_wrong(const struct task_reader *r, const char *key, const char *value,
                const char *expected);

/* Fails on the first key that is not among `known`, "title, kind, ..". */
bool lab_known_keys(const struct ini_file *file, const struct ini_section *section,
                    const char *known, struct hpc_error *err);
/* Copy the value of a key to text; absent: text stays. */
bool lab_read_text(const struct ini_file *file, const struct ini_section *section, const char *key,
                   char *text, int size, struct hpc_error *err);
/* A key that is one of two words; absent, it is `off`. */
bool lab_read_switch(const struct ini_file *file, const struct ini_section *section,
                     const char *key, const char *off, const char *on, bool *value,
                     struct hpc_error *err);
/* Names are [a-z0-9_]+. Those of tasks and variants are so short that "folder/NAME" and "NAME.c"
 * fit LAB_NAME. */
#define LAB_NAME_LENGTH 22
#define LAB_CASE_LENGTH (LAB_NAME - 1)
bool lab_is_name(const char *text, size_t most);
/* Read `needs`: avx2 avx512 amx neon gpu threads:N. */
bool lab_read_needs(const struct ini_file *file, const struct ini_section *section, char *needs,
                    int size, struct hpc_error *err);
/* The next word of *text, a list with spaces, into word; false at its end. Longer words are cut. */
bool lab_next_word(const char **text, char *word, int size);
bool lab_file_exists(const char *root, const char *path);
int lab_case_find(const struct lab *lab, const char *name); /* -1: none */

#endif
