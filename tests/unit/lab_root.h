/* A small lab in a root of its own, for tests of the manifest: it is laid out anew before each
 * test, and a test breaks it. Include after cmocka.h. */
#ifndef HPC_TESTS_LAB_ROOT_H
#define HPC_TESTS_LAB_ROOT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "tests/unit/load_lab.h"

static char root[] = "/tmp/hpclab-test-manifest-XXXXXX";

static const char *const folders[] = {"labs", "labs/lab3", "handouts", "mlp", "mlp/variants"};
static inline void put(const char *file, const char *text)
{
    char *path = hpc_printf("%s/%s", root, file);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    free(path);
}

static inline void drop(const char *file)
{
    char *path = hpc_printf("%s/%s", root, file);
    unlink(path);
    free(path);
}

static const char catalogue[] = "[flat]\n"
                                "title = Flat\n"
                                "op = mlp_sgd\n"
                                "flags = -O2\n"
                                "[trainer]\n"
                                "title = Trainer\n"
                                "op = mlp_sgd\n"
                                "[withheld]\n"
                                "title = Not in this release\n"
                                "op = mlp_sgd\n"
                                "[minibatch]\n"
                                "title = Mini\n"
                                "op = mlp_minibatch\n"
                                "needs = avx2 threads:2\n";

/* Lines are numbered in the test below, so this text is only appended to. */
static const char lab_text[] = "; a comment\n"                                     /* 1 */
                               "[lab]\n"                                           /* 2 */
                               "title = When do two threads lose to one?    ; x\n" /* 3 */
                               "handout = handouts/lab3.md\n"                      /* 4 */
                               "\n"                                                /* 5 */
                               "[task trainer]\n"                                  /* 6 */
                               "title = Replicas\n"                                /* 7 */
                               "op = mlp_sgd\n"                                    /* 8 */
                               "baseline = mlp/flat\n"                             /* 9 */
                               "flags = -O2 -march=native\n"                       /* 10 */
                               "symbols = malloc free\n"                           /* 11 */
                               "   exp omp_*\n"                                    /* 12 */
                               "cases = small drawn\n"                             /* 13 */
                               "speed_case = small\n"                              /* 14 */
                               "safety = address threads\n"                        /* 15 */
                               "threads = all\n"                                   /* 16 */
                               "points_correct = 25\n"                             /* 17 */
                               "points_speed = 60\n"                               /* 18 */
                               "memory_mib = 512\n"                                /* 19 */
                               "[task quiz]\n"                                     /* 20 */
                               "title = Questions\n"                               /* 21 */
                               "kind = answers\n"                                  /* 22 */
                               "file = quiz.ini\n"                                 /* 23 */
                               "versions = 2\n"                                    /* 24 */
                               "op = mlp_sgd\n"                                    /* 25 */
                               "points_answers = 15\n"                             /* 26 */
                               "[case small]\n"                                    /* 27 */
                               "op = mlp_sgd\n"                                    /* 28 */
                               "layers = 3,2,1\n"                                  /* 29 */
                               "activations = tanh,sigmoid\n"                      /* 30 */
                               "replicas = threads\n"                              /* 31 */
                               "[case drawn]\n"                                    /* 32 */
                               "op = mlp_sgd\n"                                    /* 33 */
                               "layers = 4,3,2\n"                                  /* 34 */
                               "activations = relu,softmax\n"                      /* 35 */
                               "samples = 31..97\n"                                /* 36 */
                               "epochs = 1e1\n"                                    /* 37 */
                               "[sheet quiz]\n"                                    /* 38 */
                               "student = name\n"                                  /* 39 */
                               "size = optional number ns\n"                       /* 40 */
                               "wins = one of 16 64 never\n"                       /* 41 */
                               "[problem quiz]\n"                                  /* 42 */
                               "text = n is {n}\n"                                 /* 43 */
                               "n = 3..9 by 2\n";                                  /* 44 */

/* lab_text with `from`, which is in it once, replaced by `to`; the caller frees it. */
static inline char *changed(const char *from, const char *to)
{
    const char *at = strstr(lab_text, from);
    assert_non_null(at);
    assert_null(strstr(at + 1, from));
    return hpc_printf("%.*s%s%s", (int)(at - lab_text), lab_text, to, at + strlen(from));
}

static struct lab *lab;

/* The lab must be refused, in one line that begins with the file and `line`. */
static inline void refused(const char *file, const char *line, const char *words)
{
    struct hpc_error err = {.text = ""};
    char *place = hpc_printf("labs/lab3/%s%s", file, line);
    if (load_lab(root, "lab3", lab, &err))
        fail_msg("read, though it should say: %s .. %s", place, words);
    if (strncmp(err.text, place, strlen(place)) != 0 || !strstr(err.text, words))
        fail_msg("expected %s .. %s, found: %s", place, words, err.text);
    assert_null(strchr(err.text, '\n'));
    assert_int_equal(err.status, HPC_EXIT_USAGE);
    free(place);
}

static inline int lay_out(void **state)
{
    (void)state;
    put("labs/lab3/lab.ini", lab_text);
    put("handouts/lab3.md", "x");
    put("mlp/variants/variants.ini", catalogue);
    put("mlp/variants/flat.c", "");
    put("mlp/variants/trainer.c", "");
    put("mlp/variants/minibatch.c", "");
    drop("labs/lab3/hidden.ini");
    return 0;
}

/* The folders of other operations, with no variant. */
static inline void make_other_folders(void)
{
    for (int i = 0; hpc_ops[i]; i++) {
        if (strcmp(hpc_ops[i]->folder, "mlp") == 0)
            continue;
        char *list = hpc_printf("%s/variants/variants.ini", hpc_ops[i]->folder);
        char *path = hpc_printf("%s/%s/variants", root, hpc_ops[i]->folder);
        char *above = hpc_printf("%s/%s", root, hpc_ops[i]->folder);
        mkdir(above, 0777);
        mkdir(path, 0777);
        put(list, "");
        free(list);
        free(path);
        free(above);
    }
}

static inline int make_root(void **state)
{
    (void)state;
    lab = malloc(sizeof *lab);
    if (!lab || !mkdtemp(root))
        return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = hpc_printf("%s/%s", root, folders[i]);
        mkdir(path, 0777);
        free(path);
    }
    make_other_folders();
    return 0;
}

static inline int drop_root(void **state)
{
    (void)state;
    free(lab);
    folder_remove(root);
    return 0;
}

#endif
