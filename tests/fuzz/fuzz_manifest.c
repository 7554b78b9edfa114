#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/load_lab.h"

static char root[] = "/tmp/hpclab-fuzz-XXXXXX";

static void remove_root(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", root);
    if (system(command) != 0)
        perror(root);
}

/* A project whose lab.ini and hidden.ini are files that fuzz_file fills; all else is ours. */
static void make_root(void)
{
    char command[1000];
    FUZZ_HOLDS(mkdtemp(root) != NULL);
    atexit(remove_root);
    snprintf(command, sizeof command,
             "mkdir -p %s/labs/lab99/starter && ln -s \"$PWD\"/* %s 2>/dev/null; "
             "ln -s \"$PWD\"/labs/lab1/starter/* %s/labs/lab99/starter; "
             ": >%s/labs/lab99/hidden.ini",
             root, root, root, root);
    FUZZ_HOLDS(system(command) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lab *lab;
    char place[100];
    struct hpc_error err = {.text = ""};
    const char *path = fuzz_file(data, size);
    snprintf(place, sizeof place, "%s/labs/lab99/lab.ini", root);
    if (!lab) {
        make_root();
        lab = calloc(1, sizeof *lab);
        FUZZ_HOLDS(lab && snprintf(place, sizeof place, "%s/labs/lab99/lab.ini", root) > 0);
        FUZZ_HOLDS(symlink(path, place) == 0);
    }
    memset(lab, 0x55, sizeof *lab);
    if (load_lab(root, "lab99", lab, &err))
        FUZZ_HOLDS(lab->n_tasks > 0 && lab->n_tasks <= LAB_MAX_TASKS);
    else
        FUZZ_HOLDS(err.text[0] && !strchr(err.text, '\n'));
    return 0;
}
