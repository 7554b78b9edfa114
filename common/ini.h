/* Reading an .ini file whole, each key with its line, so that whatever is wrong with a value can
 * be said with its place. inih parses; this counts lines and refuses what inih would pass over. */
#ifndef HPC_COMMON_INI_H
#define HPC_COMMON_INI_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ini_key {
    char *name, *value; /* lines that continue a value are joined by one space */
    int line;
    bool used; /* the reader's own mark */
};

struct ini_section {
    char *name; /* "task openmp_inner" */
    int line;   /* of the section's head */
    int n;
    struct ini_key *keys;
};

struct ini_file {
    char *shown; /* the path as messages print it: "labs/lab3/lab.ini" */
    int n;
    struct ini_section *sections;
};

/* Read all of `path`. NULL with *err filled when it can't be read, a line is malformed or too long
 * (198 characters), or a section or a key stands twice. */
struct ini_file *ini_read(const char *path, const char *shown, struct hpc_error *err);
void ini_free(struct ini_file *file); /* NULL is fine */
/* NULL where it is absent. */
struct ini_section *ini_section_find(const struct ini_file *file, const char *name);
struct ini_key *ini_find(const struct ini_section *section, const char *key);

#ifdef __cplusplus
}
#endif
#endif
