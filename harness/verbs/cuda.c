/* hpclab cuda: build a standalone CUDA program for the CPU device, and run it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "harness/cuda/cuda.h"
#include "common/scratch.h"
#include "harness/verbs/verbs.h"

#define CHECK_SECONDS 120 /* default time of a run in check and asan mode */

static const char help[] =
    "usage: hpclab cuda [--mode run|check|asan] [--schedules N] [--timeout S] [-DNAME=VALUE ..]\n"
    "                   [-I DIR ..] FILE.cu .. [-- ARGUMENTS]\n"
    "Builds a CUDA program for the CPU, without a GPU, and runs it.\n"
    "  --mode check   reports races, accesses out of bounds, memory that nobody wrote, divergent\n"
    "                 barriers, pointers of the wrong side and leaks, and counts traffic "
    "(default)\n"
    "  --mode run     only runs it, on all cores: OMP_NUM_THREADS says how many\n"
    "  --mode asan    the compiler's address sanitizer, for the host's code too\n"
    "  --schedules N  runs it in N orders of threads and blocks and compares what it copies to "
    "the\n"
    "                 host and prints: forward, reverse, then random ones; in check mode\n"
    "  --timeout S    takes it for hanging after S seconds (default 120; in run mode none)\n"
    "  -DNAME=VALUE, -I DIR, -O0 .. -O3 go to the compiler\n"
    "Exit status 0 clean, 1 with reports (a leak, a hang, another status than 0 of the program), "
    "2\n"
    "if it does not compile, 3 if this machine cannot.\n"
    "Example: hpclab cuda -I common vector_add.cu -- 1000000\n";

static int wrong(const char *format, const char *word)
{
    fprintf(stderr, "hpclab cuda: ");
    fprintf(stderr, format, word);
    fputc('\n', stderr);
    return HPC_EXIT_USAGE;
}

/* A whole number from 1 to `most`; 0 where it is none. */
static int number(const char *word, int most)
{
    char *end;
    long value = word ? strtol(word, &end, 10) : 0;
    return word && *word && *end == '\0' && value >= 1 && value <= most ? (int)value : 0;
}

/* --mode, --schedules, --timeout with the value behind it; what each may be. */
static int option(struct cuda_job *job, const char *name, char *value)
{
    if (!value)
        return wrong("%s: a value is missing", name);
    if (strcmp(name, "--mode") == 0) {
        job->mode = value;
        bool known = !strcmp(value, "run") || !strcmp(value, "check") || !strcmp(value, "asan");
        return known ? HPC_EXIT_OK
                     : wrong("--mode: '%s' found, expected run, check or asan", value);
    }
    if (strcmp(name, "--schedules") == 0) {
        job->schedules = number(value, 1000);
        return job->schedules ? HPC_EXIT_OK
                              : wrong("--schedules: '%s' found, expected 1 to 1000", value);
    }
    job->timeout = number(value, 1000000);
    return job->timeout ? HPC_EXIT_OK
                        : wrong("--timeout: '%s' found, expected whole seconds from 1", value);
}

static int add_option(struct cuda_job *job, char *word)
{
    if (job->n_options == CUDA_MOST_WORDS)
        return wrong("%s: too many options", word);
    job->options[job->n_options++] = word;
    return HPC_EXIT_OK;
}

static int add_file(struct cuda_job *job, char *word)
{
    const char *dot = strrchr(word, '.');
    static const char *const kinds[] = {".cu", ".cpp", ".cc", ".cxx"};
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        known |= dot && strcmp(dot, kinds[i]) == 0;
    if (!known)
        return wrong("'%s' found, expected FILE.cu (hpclab cuda --help)", word);
    if (access(word, R_OK) != 0)
        return wrong("%s: cannot be read, expected a file", word);
    if (job->n_files == CUDA_MOST_WORDS)
        return wrong("%s: too many files", word);
    job->files[job->n_files++] = word;
    return HPC_EXIT_OK;
}

/* One word, or two; *i is left on the last of them. */
static int read_word(struct cuda_job *job, char **argv, int *i)
{
    char *word = argv[*i];
    if (!strcmp(word, "--mode") || !strcmp(word, "--schedules") || !strcmp(word, "--timeout")) {
        int status = option(job, word, argv[*i + 1]);
        *i += argv[*i + 1] != NULL;
        return status;
    }
    if (!strcmp(word, "-I") || !strcmp(word, "-D")) {
        if (!argv[*i + 1])
            return wrong("%s: a value is missing", word);
        int status = add_option(job, word);
        return status ? status : add_option(job, argv[++*i]);
    }
    if (word[0] == '-' && word[1] && strchr("IDO", word[1]) && word[2])
        return add_option(job, word);
    if (word[0] == '-')
        return wrong("unknown option %s (hpclab cuda --help)", word);
    return add_file(job, word);
}

static int read_words(struct cuda_job *job, int argc, char **argv)
{
    int i = 1, status = HPC_EXIT_OK;
    for (; i < argc && status == HPC_EXIT_OK && strcmp(argv[i], "--") != 0; i++)
        status = read_word(job, argv, &i);
    if (status != HPC_EXIT_OK)
        return status;
    if (job->n_files == 0)
        return wrong("no %s, expected at least one (hpclab cuda --help)", "FILE.cu");
    if (!job->mode)
        job->mode = "check";
    if (job->schedules > 1 && strcmp(job->mode, "check") != 0)
        return wrong("--schedules: --mode %s found, expected check", job->mode);
    if (job->timeout == 0 && strcmp(job->mode, "run") != 0)
        job->timeout = CHECK_SECONDS;
    /* The program's words: its name as the user gave it, then what stands behind --. */
    job->arguments = hpc_calloc((size_t)(argc - i) + 2, sizeof *job->arguments);
    int n = 0;
    job->arguments[n++] = hpc_strdup(job->files[0]);
    char *dot = strrchr(job->arguments[0], '.');
    if (dot)
        *dot = '\0';
    for (i++; i < argc; i++)
        job->arguments[n++] = argv[i];
    return HPC_EXIT_OK;
}

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
        job->program = hpc_printf("%s/program", job->folder);
        status = cuda_build(job, &err);
        if (status == HPC_EXIT_OK)
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
    *job = (struct cuda_job){.root = p->root, .schedules = 1};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            free(job);
            return HPC_EXIT_OK;
        }
    int status = read_words(job, argc, argv);
    if (status == HPC_EXIT_OK)
        status = build_and_run(job);
    if (job->arguments)
        free(job->arguments[0]);
    free(job->arguments);
    free(job);
    return status;
}
