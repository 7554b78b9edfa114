/* Labs as their lab.ini describes them (docs/lab.md holds a complete one), and the
 * catalogue of variants, FOLDER/variants/variants.ini. One parser for both. */
#ifndef HPC_HARNESS_LAB_LAB_H
#define HPC_HARNESS_LAB_LAB_H

#include "common/params.h"
#include "harness/machine/device.h"
#include "harness/jail/jail.h"
#include "common/op.h"
#include "harness/lab/sheet.h"
#include "harness/lab/traffic.h"

#define LAB_POINTS    100 /* that the tasks of a lab add up to */
#define LAB_MAX_TASKS 16
#define LAB_MAX_CASES 32
#define LAB_NAME      40
#define LAB_TEXT      400

/* The least ratio that earns full marks for speed; smaller ones are noise. */
#define LAB_LEAST_TARGET 1.15

enum task_kind {
    TASK_VARIANT, /* a source file, graded for correctness, safety and speed */
    TASK_ANSWERS, /* an .ini file of answers (harness/lab/sheet.h) */
};

struct lab_case {
    char name[LAB_NAME];
    bool hidden; /* from hidden.ini */
    const struct hpc_op *op;
    struct hpc_params params; /* with ranges; drawn per run */
};

struct lab_task {
    char name[LAB_NAME], title[LAB_TEXT];
    enum task_kind kind;
    char file[LAB_NAME]; /* in labs/labN/: "openmp_trainer.c" */
    const struct hpc_op *op;
    const struct hpc_term *term; /* what this term asks of it; or NULL */
    char baseline[LAB_NAME];     /* "mlp/flat": what students are given */
    char reference[LAB_NAME];    /* "mlp/openmp_trainer": full marks */
    char fastest[LAB_NAME];      /* known, or empty */
    char flags[LAB_TEXT];        /* of the task's own object */
    char libraries[LAB_TEXT];    /* "-fopenmp -lm" */
    char symbols[4 * LAB_TEXT];  /* allowed undefined symbols: names and prefix* */
    char instructions[LAB_TEXT]; /* of a .cu: kinds that its PTX may hold (harness/build/ptx.h) */
    char traffic[LAB_TEXT];      /* bounds as written; parsed below */
    char needs[LAB_TEXT];        /* "avx2 amx gpu threads:2"; pending where one is missing */
    int threads;                 /* 0: all cores of the machine, else that many */
    int safety;                  /* bits of enum task_safety */
    double points_correct, points_speed, points_answers, points_traffic;
    bool bonus;         /* its points lie beyond the lab's 100 */
    double target;      /* a fixed full-marks ratio, or 0: from reference/ */
    double target_copy; /* on a GPU, of a copy's speed: full marks; 0: a ratio to the baseline */
    struct jail_limits limits;
    int task_seconds;        /* that its grading may take in all */
    int build_seconds;       /* that its compiler may take */
    int versions;            /* answers: complete ones that are marked, the last of which counts */
    int n_cases, speed_case; /* indices into lab.cases; speed_case -1: none */
    int baseline_case;       /* what the baseline runs in timings; -1: speed_case */
    int threads_case;        /* whose work several threads must do; -1: none is asked */
    bool even_ranks;         /* in which each rank has to send as much as any other, about */
    int traffic_case;        /* what traffic is measured on; -1: none */
    int n_check;             /* cases that the device's checker sees; 0: all */
    int n_bounds;            /* of traffic */
    int cases[LAB_MAX_CASES], check_cases[LAB_MAX_CASES];
    struct traffic_bound bounds[TRAFFIC_MAX_BOUNDS];
    struct lab_sheet sheet; /* answers: what is asked, and what is right as far as that is here */
};

/* SAFETY_DEVICE, the CPU device's checker, is for .cu files, and they have no other. */
enum task_safety {
    SAFETY_ADDRESS = 1,
    SAFETY_THREADS = 2,
    SAFETY_DEVICE = 4,
    SAFETY_ASSEMBLY = 8 /* inline assembly, which they do not see, is let through */
};

struct lab {
    char name[LAB_NAME], title[LAB_TEXT];
    char handout[LAB_NAME]; /* "handouts/lab3.md" */
    char report[LAB_NAME];  /* "report.md", that a hand-in is to hold; or empty */
    int report_words;       /* at most */
    char term[LAB_NAME];    /* the term's key, or empty (harness/lab/term.h) */
    bool sealed;            /* answers wait for the course to mark them */
    bool profile;           /* `hpclab profile` takes it */
    int n_tasks, n_cases;
    struct lab_task tasks[LAB_MAX_TASKS];
    struct lab_case cases[LAB_MAX_CASES];
};

struct catalogue;
/* Read labs/NAME/lab.ini and, where they are there, hidden.ini and expected.ini, below the
 * project's root. */
bool lab_load(const char *root, const struct catalogue *catalogue, const char *name,
              struct lab *lab, struct hpc_error *err);
/* All labs' names, sorted; returns how many. */
int lab_names(const char *root, char names[][LAB_NAME], int max);
/* Whether the task is a variant in CUDA. */
bool lab_task_cuda(const struct lab_task *task);
/* What `auto`, `cpu` or `cuda` means for the lab's tasks here: the CPU where none is in CUDA. */
bool lab_device(const struct lab *lab, const char *word, enum hpc_place *device,
                struct hpc_error *err);
/* Points that it can give at most, of the lab's 100: a bonus none. */
double lab_task_points(const struct lab_task *task);
/* Points that it can give at most, a bonus too. */
double lab_task_worth(const struct lab_task *task);
const struct lab_task *lab_task_find(const struct lab *lab, const char *name);
/* Behind an error about a name that no task has: nearest_hint() of those there are. */
char *lab_task_hint(const struct lab *lab, const char *name);
/* The same where a program is expected: of a sheet, what marks it; else of tasks with programs. */
char *lab_program_hint(const struct lab *lab, const char *name);

struct variant {
    char name[LAB_NAME]; /* "mlp/flat" */
    char file[LAB_TEXT]; /* "mlp/variants/flat.c" */
    char title[LAB_TEXT];
    const struct hpc_op *op;
    char flags[LAB_TEXT], libraries[LAB_TEXT], needs[LAB_TEXT];
    bool at_hand; /* its source is here: a students' release leaves solutions out */
};

#define VARIANTS_MAX 128
/* Every variant that FOLDER/variants/variants.ini of an operation lists, in their order. */
struct catalogue {
    int n;
    struct variant variant[VARIANTS_MAX];
};
bool catalogue_read(const char *root, struct catalogue *c, struct hpc_error *err);
const struct variant *catalogue_find(const struct catalogue *c, const char *name); /* or NULL */

#endif
