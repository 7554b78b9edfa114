/* hpclab cuda: build a standalone CUDA program for the CPU device, and run it. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "harness/cuda/cuda.h"
#include "common/scratch.h"
#include "harness/verbs/verbs.h"

#define CHECK_SECONDS 120 /* default time of a run in check and asan mode */

struct values {
    const char *mode, *leaks;
    int schedules, timeout;
    bool no_jail, explain, watch_host;
    struct option_many passed;
};

#define AT(member) .at = offsetof(struct values, member)
static const struct option_row rows[] = {
    {"mode", "check|traffic|run|asan",
     "check reports races, accesses out of bounds, memory that nobody wrote, divergent barriers, "
     "pointers of the wrong side and leaks (default); traffic is check that counts the requests "
     "and sectors of memory, too; run only runs it, on all cores: OMP_NUM_THREADS says how many; "
     "asan has the compiler's address sanitizer, for the host's code too",
     OPTION_CHOICE, AT(mode)},
    {"schedules", "N",
     "runs it in N orders of threads and blocks and compares what it copies to the host and "
     "prints: "
     "forward, reverse, then random ones; in check and traffic mode",
     OPTION_COUNT, AT(schedules), 1, 1000},
    {"leaks", "note|error",
     "memory that is never freed: a note, which leaves the exit status (default), or an error; in "
     "check mode",
     OPTION_CHOICE, AT(leaks)},
    {"timeout", "S", "takes it for hanging after S seconds (default 120; in run mode none)",
     OPTION_COUNT, AT(timeout), 1, 1000000},
    {"no-jail", NULL,
     "runs it as yours, with your files, network and environment; without, it reads the current "
     "folder and the files that its arguments name, and writes in $TMPDIR, a folder that goes with "
     "it",
     OPTION_SWITCH, AT(no_jail)},
    {"watch-host", NULL,
     "looks at each access of the host's code, to its heap too, where check and traffic mode look "
     "at what may meet the device's memory alone: loops of the host take some ten times as long",
     OPTION_SWITCH, AT(watch_host)},
    {"explain", NULL,
     "builds and runs nothing: lists what the program needs of CUDA, with its first place, and "
     "what "
     "of it is not supported",
     OPTION_SWITCH, AT(explain)},
    {"D", "NAME=VALUE", "goes to the compiler", OPTION_PASSED, AT(passed)},
    {"I", "DIR", "goes to the compiler", OPTION_PASSED, AT(passed)},
    {"O", "0 .. 3", "goes to the compiler", OPTION_PASSED, AT(passed)},
    {0},
};
const struct option_table cuda_options = {
    .command = "./hpclab cuda",
    .words = "FILE.cu .. [-- ARGUMENTS]",
    .title = "any CUDA program on the CPU device, with its checker",
    .about =
        "Builds a CUDA program for the CPU, without a GPU, and runs it. With nvcc's -o PROGRAM "
        "or -c it leaves the program or the objects, in run mode where --mode says no other, "
        "and runs nothing; of nvcc's other options it takes what a CPU has a use for and names "
        "the rest in one note. So NVCC='./hpclab cuda' will do for a Makefile.",
    .ending =
        "Exit status 0 clean or with notes alone (leaks, threads that write the same value), 1 "
        "with reports (a hang, another status than 0 of the program too), 2 if it does not "
        "compile, 3 if this machine cannot.",
    .examples = "./hpclab cuda -I common vector_add.cu -- 1000000",
    .least = 1,
    .most = CUDA_MOST_WORDS,
    .expected = "at least one FILE.cu",
    .rows = rows,
};

static bool add_file(struct cuda_job *job, char *word, struct hpc_error *err)
{
    const char *dot = strrchr(word, '.');
    static const char *const kinds[] = {".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"};
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        known |= dot && strcmp(dot, kinds[i]) == 0;
    if (!known)
        return hpc_fail(err, "cuda: '%s' found, expected FILE.cu; see ./hpclab cuda --help", word);
    if (access(word, R_OK) != 0)
        return hpc_fail(err, "cuda: %s: cannot be read, expected a file", word);
    job->files[job->n_files++] = word;
    return true;
}

/* Behind "--" are the program's words. 1: go on; 0: help was printed; -1: err. */
static int read_words(struct cuda_job *job, int argc, char **argv, struct option_many *passed,
                      struct hpc_error *err)
{
    struct values o = {.schedules = 1};
    int end = 1;
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    char **arguments = argv + end + 1;
    int n_arguments = argc - end - 1, n_words = end;
    if (!cuda_nvcc_words(job, &n_words, argv, err))
        return -1;
    int go = options_read(&cuda_options, &n_words, &argv, &o, err);
    *passed = o.passed;
    for (int i = 0; go > 0 && i < n_words; i++)
        go = add_file(job, argv[i], err) ? 1 : -1;
    if (go <= 0)
        return go;
    for (int i = 0; i < passed->n; i++)
        if (!cuda_foreign_folder(job, passed->word[i]))
            job->options[job->n_options++] = passed->word[i];
    const bool keeps = job->output || job->objects;
    job->mode = o.mode ? o.mode : keeps ? "run" : "check";
    job->explain = o.explain;
    job->watch_host = o.watch_host;
    if (job->objects && job->output && job->n_files > 1)
        return hpc_fail(err, "cuda: -c -o %s: %d files found, expected one", job->output,
                        job->n_files),
               -1;
    job->schedules = o.schedules;
    job->timeout = o.timeout;
    if (o.leaks && setenv("HPC_DEVICE_LEAKS", o.leaks, 1) != 0) /* the runtime reads it */
        return hpc_fail(err, "--leaks: no memory"), -1;
    job->no_jail = o.no_jail;
    if (job->schedules > 1 && !cuda_checks(job))
        return hpc_fail(err, "--schedules: --mode %s found, expected check or traffic", job->mode),
               -1;
    if (job->timeout == 0 && strcmp(job->mode, "run") != 0)
        job->timeout = CHECK_SECONDS;
    /* The program's words: its name as the user gave it, then what stands behind --. */
    job->arguments =
        hpc_calloc((size_t)(n_arguments > 0 ? n_arguments : 0) + 2, sizeof *job->arguments);
    int n = 0;
    job->arguments[n++] = hpc_strdup(job->files[0]);
    char *dot = strrchr(job->arguments[0], '.');
    if (dot)
        *dot = '\0';
    for (int i = 0; i < n_arguments; i++)
        job->arguments[n++] = arguments[i];
    return 1;
}

/* In a folder of its own; with -o, -c and --explain nothing is run. */
static int build_and_run(struct cuda_job *job)
{
    struct hpc_error err = {0};
    char *folders = hpc_printf("%s/build/tmp", job->root);
    job->folder = scratch_name(job->root, "cuda-XXXXXX");
    int status = HPC_EXIT_ENVIRONMENT;
    if (!folder_make(folders, &err) || !mkdtemp(job->folder)) {
        if (!err.text[0])
            hpc_fail_env(&err, "cannot make a folder in %s", folders);
    } else {
        job->program =
            job->output ? hpc_strdup(job->output) : hpc_printf("%s/program", job->folder);
        cuda_tell_passed_over(job);
        cuda_forget_toolkits();
        status = cuda_build(job, &err);
        if (status == HPC_EXIT_OK && !job->output && !job->objects && !job->explain)
            status = cuda_run(job, &err);
        free(job->program);
        folder_remove(job->folder);
    }
    if (status == HPC_EXIT_ENVIRONMENT)
        hpc_report(&err);
    free(job->folder);
    free(folders);
    return status;
}

int verb_cuda(struct project *p, int argc, char **argv)
{
    struct cuda_job *job = hpc_calloc(1, sizeof *job);
    struct option_many passed = {0};
    struct hpc_error err;
    *job = (struct cuda_job){.root = p->root};
    int go = read_words(job, argc, argv, &passed, &err);
    int status = go > 0 ? build_and_run(job) : go ? hpc_report(&err) : HPC_EXIT_OK;
    if (job->arguments)
        free(job->arguments[0]);
    free(job->arguments);
    command_line_clear(&job->compiler);
    command_line_clear(&job->linker);
    command_line_clear(&job->passed_over);
    option_many_clear(&passed);
    free(job);
    return status;
}
