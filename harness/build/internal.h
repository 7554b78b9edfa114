/* What the files of the build share. Users include harness/build/build.h. */
#ifndef HPC_HARNESS_BUILD_INTERNAL_H
#define HPC_HARNESS_BUILD_INTERNAL_H

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "harness/build/build.h"
#include "harness/machine/cudnn.h"
#include "harness/jail/jail.h"

#define BUILD_PATH 1200 /* the longest path that is made here */

/* The tools for one kind of build; all strings live as long as the program. */
struct build_tools {
    const char *compiler;     /* absolute path; NULL: not here */
    const char *linker;       /* where it is another than the compiler, else NULL */
    const char *missing;      /* why the kind can't be built here, or NULL */
    bool to_install;          /* that is for this machine's owner to mend: nothing can be graded */
    const char *prefix;       /* a folder that the jail must see besides /usr, or NULL */
    const char *const *flags; /* of compiling, NULL-ended */
    const char *const *link;  /* of linking */
    const char *headers;      /* "-IFOLDER" of those that a source includes, or NULL */
    const char *runner;       /* "runner-address": the runner's object and the output's name */
    const char *env[8];       /* what the runner's environment needs, NULL-ended */
    bool limit_memory;        /* whether the compiler lives with an address-space limit */
    /* Of a CUDA source: */
    const char *mode;                /* of the CPU device: "run", "traffic"; NULL: by nvcc */
    const char *nvcc;                /* which compiles it too, to see whether it is CUDA; or NULL */
    const char *const *parts;        /* what else a runner is made of and with, below the root */
    const struct cudnn_place *cudnn; /* where nvcc links it; NULL: it does not */
};
void build_tools_for(const struct build_spec *spec, struct build_tools *tools);
/* Whether `make` has made what the tools link: that of the CPU device it makes for labs in CUDA
 * only. */
bool tools_made(const struct build_tools *tools, const char *root, struct outcome *outcome);
/* Where the tools' own CUDA libraries lie, for a runner by nvcc: into the result. */
void tools_read_only(const struct build_tools *tools, struct build_result *result);

/* What the address sanitizer is asked for: to gcc, and to the runner. */
#define BUILD_ADDRESS_FLAGS "-fsanitize=address,undefined", "-fno-sanitize-recover=all"
#define BUILD_ASAN_OPTIONS                                                                         \
    "exitcode=66:halt_on_error=1:detect_stack_use_after_return=1:hard_rss_limit_mb=2048:"
#define BUILD_UBSAN_OPTIONS "UBSAN_OPTIONS=exitcode=66:halt_on_error=1:print_stacktrace=1"

/* mpi.c: whether a source is a rank's of an MPI program; and the tools for one. */
static inline bool mpi_wanted(const struct build_spec *spec)
{
    return spec->libraries && strstr(spec->libraries, "-lmpi");
}
void mpi_tools(const struct build_spec *spec, struct build_tools *tools);

/* gcc's words, NULL-ended, with which -g says of optimised code where its lines and functions are,
 * and not where each variable is at each instruction: a quarter of a compilation, and read by a
 * debugger alone, which has its own kind of build. */
extern const char *const build_lines_only[];

/* Whether a sanitizer, the checker or the counting of stores looks at what is built. */
static inline bool is_sanitized(enum build_kind kind)
{
    return kind == BUILD_ADDRESS || kind == BUILD_THREADS || kind == BUILD_CHECK ||
           kind == BUILD_STORES;
}

/* One build under way. */
struct building {
    const struct build_spec *spec;
    const struct build_tools *tools;
    struct build_result *result;
    char stage[BUILD_PATH];
    FILE *log;     /* in the stage */
    char *said;    /* what the last tool printed */
    char text[65]; /* SHA-256 of the student's lines, preprocessed, by building_watched */
};
/* End it with a verdict and a reason; false. */
bool building_fail(struct building *b, enum verdict verdict, const char *reason);

/* Run a tool in the jail, in the stage, and clear its command line; false with the log's first
 * error as the reason. */
bool building_run(struct building *b, struct command_line *argv);
/* said.c: the same reason, of a tool that failed and printed `log`; false. */
bool building_explain(struct building *b, const struct jail_end *end, const char *log);
#define BUILD_LOG_BYTES  (256 * 1024)       /* of what tools print */
#define BUILD_FILE_BYTES ((size_t)64 << 20) /* that a tool or a look may write */

/* The processor's seconds that a tool, or a look at what it made, may take. */
static inline int build_seconds(const struct build_spec *spec)
{
    return spec->seconds ? spec->seconds : 60;
}

/* look() in a process of its own, whose time, depth and files are bounded: what it returns,
 * with the outcome and the hash that it sets; where it does not come to its end, false with the
 * verdict. Of all else that it writes the grader sees building_room's alone, munmap()'s to free. */
bool building_look(struct building *b, bool (*look)(struct building *b, const void *data),
                   const void *data);
void *building_room(size_t bytes);

/* watch.c: whether a source holds nothing that blinds a look at its preprocessed text; and whether
 * a sanitizer may look at all of that text, a file of the stage. Else false with the verdict
 * `rejected`. */
bool building_plain_text(struct building *b);
bool building_watched(struct building *b, const char *preprocessed);
/* A file of the stage, which a jailed compiler may have written: the caller's; NULL with the
 * verdict where it is not there, no regular one, or too long. */
char *read_stage(struct building *b, const char *name, size_t *length);
/* A new file of the stage; false with an outcome where it can't be made. */
bool write_stage(struct building *b, const char *name, const char *text);
/* Whether the file of n characters that a preprocessor's marker names is ours or the system's; all
 * else is the student's, who may include the source once more by another path. */
bool trusted_file(const struct build_spec *spec, const char *name, size_t n);
/* Of C's text at p: behind blanks, comments and spliced lines; behind the string or character
 * constant that begins there; and whether a character belongs to a word. */
const char *behind_blanks(const char *p);
const char *behind_string(const char *p);
/* Whether the argument behind a word of preprocessed text, whose end p is, holds a string, wherever
 * in it and on whichever line; sets *text where one could end a line of the assembler's. */
bool takes_string(const char *p, bool *text);
static inline bool in_c_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* headers.c: whether no macro of the source's stands in a header that is included behind it, so
 * that what a header's lines say is ours or the system's. `directives` makes directives.i of the
 * source, where directives are followed and no macro is replaced. False with the verdict. */
#define DIRECTIVES_TEXT "directives.i"
bool building_pure_headers(struct building *b, bool (*directives)(struct building *b));

/* entries.c: whether a thread sanitizer's compiler looks at each function of the source, by what it
 * made of them in a file of the stage: an object in which each has a call. False with the verdict.
 */
bool building_entries(struct building *b, const char *made);

/* calls.c: whether gcc's thread sanitizer saw all that calls load and store, by CALLS_DUMP of the
 * stage, the compiler's last form of whole.o; where it did not, `again` compiles SEEN_TEXT to both,
 * in which they go through variables of their own. False with the verdict. */
#define CALLS_DUMP "calls"
#define SEEN_TEXT  "seen.i"
bool building_calls(struct building *b, bool (*again)(struct building *b));
/* cuts.c: what is not seen of one call; and SEEN_TEXT made of whole.i, in which what can be has a
 * variable of its own: false where that is none; building_look's, `calls` a struct unseen_calls **.
 */
#define UNSEEN_MOST 2000 /* calls of one source that are cut */
#define CALL_RESULT (-1)
struct unseen_call {
    int line, column;
    int which;   /* CALL_RESULT, or the argument of that number, from 0 */
    bool copies; /* what it was called for: where is not known */
    bool cut;
    char name[80];
};
struct unseen_calls { /* of a source, in a building_room */
    int n;
    struct unseen_call call[UNSEEN_MOST + 1];
};
bool building_cut(struct building *b, const void *calls);
/* Sorted by place, each once: how many are left. */
int building_once(struct unseen_call *u, int n);

/* compile.c: whole.o from a C source, as from a student's only if it may be looked at; what its
 * runner is linked with besides, object.o with the rest; and whether a runner under the thread
 * sanitizer was linked as one with fences is. */
bool c_compile(struct building *b);
void c_parts(const struct building *b, struct command_line *w);
bool c_fenced(const char *runner);

/* nvcc.c: whole.o from a CUDA source, and a runner from object.o. */
bool cuda_compile(struct building *b);
/* whole.i, its text for the CPU device. */
bool cuda_text(struct building *b);
bool cuda_link(struct building *b);

/* A runner's name in the stage, which no folder of a source there has. */
#define BUILD_LINKED "linked"

/* A stage: a folder of scratch_name with what a compilation may see. */
bool stage_make(const struct build_spec *spec, char *stage, size_t size, char *reason,
                size_t reason_size);
/* Call `visit` with the path below root of every file that a compilation may see: the source, the
 * runner's interface, the headers of the operation's folder, and, for the catalogue's own
 * variants, the headers beside them. False as soon as a visit fails. */
bool stage_each(const struct build_spec *spec, bool (*visit)(void *, const char *), void *data);
/* A regular file's text, owned by the caller; NULL with errno where it is something else. */
char *stage_read(const char *path, size_t *length);
/* Why it gave NULL with that errno, in words. */
const char *stage_lack(const char *path, int error);
/* A hash of all that an output depends on. False with an outcome where a source can't be read. */
bool build_hash(const struct build_spec *spec, const struct build_tools *tools, uint64_t *hash,
                struct outcome *o);

/* kept.c: links in `folder` to the outputs that another build of this hash left; `output` is the
 * name of its own. False where there are none. */
bool kept_take(const struct build_tools *tools, uint64_t hash, const char *output,
               const char *folder);
/* Keep them, where something is kept. */
void kept_add(const struct build_tools *tools, uint64_t hash, const char *output,
              const char *folder);

/* What an object was compiled from and for. */
struct object_kind {
    bool cuda, sanitized; /* of a .cu; by a sanitizer's or the checker's compiler */
    bool threads, openmp; /* that is one of threads; and with OpenMP */
};
/* Whether a compiled object is what a variant's may be: defines hpc_variant and no name of ours
 * and, where `symbols` is not NULL, leaves no other symbol undefined than these and those that the
 * compiler puts in, and runs nothing before main (nvcc's objects register their kernels there). */
bool object_allowed(const char *path, const char *symbols, const struct object_kind *kind,
                    struct outcome *o);
/* The same of whole.o of the stage: building_look's. */
bool building_object(struct building *b, const void *none);
/* Whether an object leaves a symbol of the name to others. */
bool object_leaves(const char *path, const char *name);
/* names.c: whether an object may leave a name undefined; and what is wrong with defining one, or
 * NULL. */
bool name_called(const char *name, const char *patterns, const struct object_kind *kind);
/* Whether a thread sanitizer follows what a function of the name loads and stores, or the task
 * names it, in another word than *. */
bool name_watched(const char *name, const char *patterns, const struct object_kind *kind);
const char *name_defined(const char *name, const Elf64_Sym *symbol, const struct object_kind *kind);
/* Why a name that is not among the patterns may not be called. */
void name_refused(const char *name, const char *patterns, char *reason, size_t size);
/* Whether `name` is one of the words of `patterns`; a * at a word's end stands for any rest. */
bool listed(const char *name, size_t length, const char *patterns);

#endif
