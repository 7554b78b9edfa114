/* A lab by itself, for tests that keep no project. */
#ifndef HPC_TESTS_LOAD_LAB_H
#define HPC_TESTS_LOAD_LAB_H

#include "harness/lab/project.h"

/* The lab NAME below root into *lab, by the catalogue that is there now. */
static inline bool load_lab(const char *root, const char *name, struct lab *lab,
                            struct hpc_error *err)
{
    struct project p = {.root = root};
    bool good = project_lab(&p, name, err);
    if (good)
        *lab = *p.lab;
    project_close(&p);
    return good;
}

#endif
