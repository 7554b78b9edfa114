/* A lab of one task of answers, in a folder of its own. Include after cmocka.h. */
#ifndef HPC_TESTS_ANSWERS_CASE_H
#define HPC_TESTS_ANSWERS_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "harness/answers/answers.h"
#include "harness/answers/internal.h"

struct fixture {
    char root[64], path[120], kept[80];
    struct lab lab;
    struct project project;
    struct lab_task task;
    struct marking m;
    struct task_result result;
    struct sheet sheet;
};

static inline void put(const struct fixture *f, const char *name, const char *text, size_t bytes)
{
    char *path = hpc_printf("%s/labs/lab90/%s", f->root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
    free(path);
}

static inline void put_text(const struct fixture *f, const char *name, const char *text)
{
    put(f, name, text, strlen(text));
}

static const char form[] = "[sheet quiz]\n"
                           "a = number\nb = number us\nc = positive\nd = word\n"
                           "e = one of 16 never\nf = optional number\n";
static const char expected[] =
    "[question quiz a]\nanswer = 24\nwhy = four times six\n"
    "[question quiz b]\nanswer = 100\ntolerance = 5%\n"
    "[question quiz c]\nanswer = 2\ntolerance = factor 1.3 half 1.6\n"
    "[question quiz d]\nanswer = cache | L1 | table of pages\nnot = memory | "
    "DRAM | shared | register\nwhy = it is near\n"
    "[question quiz e]\nanswer = never\n";

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->root, "/tmp/hpclab-answers-XXXXXX");
    if (!mkdtemp(f->root))
        return -1;
    for (const char *part = "labs\0labs/lab90\0kept\0"; *part; part += strlen(part) + 1) {
        char *path = hpc_printf("%s/%s", f->root, part);
        mkdir(path, 0777);
        free(path);
    }
    snprintf(f->path, sizeof f->path, "%s/labs/lab90/quiz.ini", f->root);
    snprintf(f->kept, sizeof f->kept, "%s/kept", f->root);
    strcpy(f->lab.name, "lab90");
    strcpy(f->task.name, "quiz");
    strcpy(f->task.file, "quiz.ini");
    f->task.points_answers = 50;
    f->task.versions = 1;
    f->project = (struct project){.root = f->root, .lab = &f->lab};
    f->m = (struct marking){
        .project = &f->project, .implementation = "student", .task = &f->task, .kept = f->kept};
    put_text(f, "lab.ini", form);
    put_text(f, "expected.ini", expected);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    folder_remove(f->root);
    free(f);
    return 0;
}

/* The sheet, as a lab's reader reads it. */
static inline void read_sheet(struct fixture *f)
{
    struct lab_sheet *sheet = &f->task.sheet;
    struct hpc_error err;
    for (int i = 0; i < 2; i++) {
        char *path = hpc_printf("%s/labs/lab90/%s.ini", f->root, i ? "expected" : "lab");
        if (i == 0 || access(path, R_OK) == 0) {
            struct ini_file *file = ini_read(path, path, &err);
            assert_non_null(file);
            assert_true((i ? sheet_expected : sheet_form)(file, "quiz", sheet, &err));
            ini_free(file);
        }
        free(path);
    }
}

static inline void grade(struct fixture *f, const char *text)
{
    if (text)
        put_text(f, "quiz.ini", text);
    memset(&f->result, 0, sizeof f->result);
    f->result.max_points = f->task.points_answers;
    f->result.points = 7; /* must not survive */
    read_sheet(f);
    answers_grade(&f->m, &f->result);
}

static inline void says(struct fixture *f, enum verdict verdict, double points, const char *reason)
{
    if (f->result.outcome.verdict != verdict || f->result.points != points ||
        !strstr(f->result.outcome.reason, reason))
        fail_msg("%s, %g points: %s", verdict_names[f->result.outcome.verdict], f->result.points,
                 f->result.outcome.reason);
}

static inline char *marks(const struct fixture *f)
{
    return command_text(f->root, "results/lab90/quiz.txt", NULL);
}

static const char half[] = "[answers]\na = 12\nb = 104 us\nc = 3\nd = the l1 CACHE\ne = 16\nf =\n";
static const char right[] = "[answers]\na = 24\nb = 100\nc = 2\nd = L1\ne = never\n";

#endif
