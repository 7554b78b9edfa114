/* Compiling untrusted sources, each by itself, in the build jail, and linking each with the runner.
 * build/DEVICE/LAB/IMPL/TASK/ holds runner, runner-address, runner-threads, runner-check,
 * runner-stores, runner-debug, object.o, log. */
#ifndef HPC_HARNESS_BUILD_BUILD_H
#define HPC_HARNESS_BUILD_BUILD_H

#include <stddef.h>

#include "harness/machine/device.h"
#include "common/outcome.h"

enum build_kind {
    BUILD_PLAIN,   /* runner: the one that is timed; of a .cu, for the CPU device */
    BUILD_CUDA,    /* of a .cu, runner for a GPU, by nvcc; of a .c the same as BUILD_PLAIN */
    BUILD_ADDRESS, /* runner-address: address and undefined-behaviour sanitizers */
    BUILD_THREADS, /* runner-threads: thread sanitizer (clang with Archer where OpenMP needs it) */
    BUILD_CHECK,   /* of a .cu, runner-check: the CPU device's checker */
    BUILD_STORES,  /* of a .c, runner-stores: counts which threads store where (runner/stores.c) */
    BUILD_DEBUG,   /* runner-debug: -O0, for a debugger; of a .cu, for the CPU device */
    /* object.o only, with `rename` as its one symbol, for `hpclab mlp` and benchmarks: */
    BUILD_OBJECT,      /* of a .cu, for the CPU device */
    BUILD_CUDA_OBJECT, /* of a .cu, by nvcc */
    BUILD_KINDS
};

struct build_spec {
    const char *root;      /* the project's root, absolute */
    const char *source;    /* path below root */
    const char *folder;    /* output folder below root: "build/cpu/lab3/student/openmp_trainer" */
    const char *op_folder; /* "mlp": its headers are staged beside the source */
    const char *given;     /* another folder whose headers are; NULL: none */
    const char *flags, *libraries, *symbols; /* symbols NULL: anything (trusted sources) */
    const char *instructions;                /* harness/build/ptx.h; NULL: none of them */
    bool watched;       /* a sanitizer or the checker is to see all of it: no inline assembly */
    int seconds;        /* that each tool may take; 0: 60 */
    const char *rename; /* of objects: the name that hpc_variant gets */
    enum build_kind kind;
};

struct build_result {
    /* PASS, BUILD, REJECTED, TIMEOUT, ENVIRONMENT, PENDING (no sanitizer here); the reason is the
     * compiler's first: "labs/lab3/openmp_trainer.c:17: error: .." */
    struct outcome outcome;
    bool built;         /* false: it was fresh already */
    char output[512];   /* path of the runner or object, absolute */
    const char *env[8]; /* what a sanitizer's runner needs in its environment, NULL-ended; kept
                           as long as the program */
    const char *read_only[4];    /* what it must see besides the system's folders, likewise */
    enum hpc_place device;       /* of the runner: DEVICE_HOST for a .c */
    const struct hpc_term *term; /* what is asked of it (common/op.h); NULL: as the header says */
    bool sanitized;              /* it reports faults itself */
    bool fences;                 /* whose order of atomics it does not look at, as it has fences */
};

/* Behind a runner's path: the files of the system that its jail shows, one a line. Where there is
 * no such file the jail shows all of the system's folders. */
#define BUILD_LIBRARIES ".libraries"

/* Whether the compiler warned of nothing, by BUILD_PLAIN's log, which may not be there. */
bool build_silent(const struct build_result *built);
/* The compiler's first warning about a line of the source itself, as BUILD_PLAIN's log has it:
 * "labs/lab3/x.c:17: unused variable 'j'"; one of these words, or that a
 * function or a type is not what a caller takes it for, before all others. False where there
 * is none. */
#define BUILD_UNINITIALIZED "uninitialized"
#define BUILD_FREED         "used after "               /* a pointer */
#define BUILD_UNSIGNED      "of unsigned expression in" /* of two that a comparison is of */
#define BUILD_SIGNEDNESS    "of different signedness"   /* a comparison */
#define BUILD_EMPTY         "empty body in"             /* an if that ends in a semicolon */
#define BUILD_FALLS         "may fall through"          /* from one case to the next */
#define BUILD_PRAGMA        "ignoring '#pragma"         /* as a misspelt one */
bool build_warning(const struct build_result *built, const char *source, char *text, size_t size);
/* The first warning of the kind above that a float becomes a double, *line being where, from line
 * `after` + 1 on. What is computed in double may be meant, so build_warning() leaves it out. */
bool build_promotion(const struct build_result *built, const char *source, long after, long *line);
/* The kind of runner that a device's gradings and timings use. */
enum build_kind build_plain(enum hpc_place device);
/* Where a build of this source and kind runs: DEVICE_HOST for a .c. */
enum hpc_place build_device(const char *source, enum build_kind kind);

/* The flags of a step, "cpp", "cc", "clang" or "ld", for the CPU device in a mode, "run" or
 * "traffic", to w: build/device/flags-MODE has "STEP FLAG", one a line, where ROOT stands for the
 * project's folder. */
struct command_line;
void build_device_flags(const char *root, const char *mode, const char *step,
                        struct command_line *w);

/* The source's own lines as gcc's preprocessor leaves them, in the jail, each under its number as
 * far as one line does not become several; kind is BUILD_PLAIN. The caller's; NULL where gcc does
 * not take it, or it says of lines that they are others'. */
char *build_text(const struct build_spec *spec);

/* Build if stale: when the source, a header, the runner's library, a flag or a tool has changed. */
void build_variant(const struct build_spec *spec, struct build_result *result);

#endif
