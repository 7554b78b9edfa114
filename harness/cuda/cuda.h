/* `hpclab cuda`: any CUDA program on the CPU device, in the jail of a solution, or as the user's
 * own. */
#ifndef HPC_HARNESS_CUDA_CUDA_H
#define HPC_HARNESS_CUDA_CUDA_H

#include "common/command.h"
#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_MOST_WORDS 256

struct cuda_job {
    const char *root;
    const char *mode;                     /* check, traffic, run, asan */
    int schedules;                        /* orders of threads to compare; 1: as they come */
    int timeout;                          /* seconds; 0: none */
    bool no_jail;                         /* it has the user's files, network and environment */
    const char *options[CUDA_MOST_WORDS]; /* of the compiler: -DNAME=VALUE, -IDIR, -O.. */
    int n_options;
    struct command_line compiler, linker; /* more words of theirs */
    struct command_line passed_over;      /* nvcc's, told in one note */
    const char *output;                   /* -o: nothing is run; NULL: none */
    bool objects;                         /* -c: so is an object of each file */
    bool relocatable;                     /* -rdc=true: files use each other's device code */
    bool explain;                         /* --explain: say what it needs */
    bool watch_host;                      /* each access of the host's code is looked at */
    bool all_cuda;                        /* -x cu: whatever the files are called */
    char *files[CUDA_MOST_WORDS];
    int n_files;
    char **arguments; /* of the program, NULL-ended */
    char *folder;     /* absolute, of this run alone: objects, the program, what it copied */
    char *program;    /* in it */
};

/* Compile and link. HPC_EXIT_OK; HPC_EXIT_USAGE where the sources do not compile, the compiler's
 * lines are on stderr; HPC_EXIT_ENVIRONMENT with *err. */
int cuda_build(struct cuda_job *job, struct hpc_error *err);

/* Run it, with the terminal; how it ended is told on stderr. HPC_EXIT_OK, HPC_EXIT_BELOW for
 * reports, a hang, a signal or another status than 0; 130 after Ctrl-C. */
int cuda_run(const struct cuda_job *job, struct hpc_error *err);

/* Whether the program has the device's checker, with or without traffic. */
bool cuda_checks(const struct cuda_job *job);

/* Takes nvcc's words from word[1 .. *n): *n becomes what is left. False with *err. */
bool cuda_nvcc_words(struct cuda_job *job, int *n, char **word, struct hpc_error *err);
/* Whether an option -IDIR names the headers of an installed toolkit, and is passed over. */
bool cuda_foreign_folder(struct cuda_job *job, const char *option);
/* Takes the folders of installed toolkits out of this process's CPATH and its like. */
void cuda_forget_toolkits(void);
void cuda_tell_passed_over(const struct cuda_job *job); /* one line on stderr, or none */

/* ---- between the files of the verb --------------------------------------------------------- */

/* The options of the command line, for a file of the host's all of them, else without macros; and
 * the macros, as a file in the run's folder that is included. False with *err. */
void cuda_add_options(struct command_line *w, const struct cuda_job *job, bool host);
bool cuda_add_macros(struct command_line *w, const struct cuda_job *job, struct hpc_error *err);
/* Whether no library of the user's is linked, which may want C++'s own shared one. */
bool cuda_is_alone(const struct cuda_job *job);

#define CUDA_INTERRUPTED 130

struct cuda_end { /* how one run ended */
    bool timed_out, interrupted;
    int status; /* as waitpid gives it */
};

/* Run once with stdout and stderr in files (NULL: as they are). False with *err where the program
 * can't be started. */
bool cuda_run_once(const struct cuda_job *job, const char *out, const char *err_file,
                   struct cuda_end *end, struct hpc_error *err);
/* The same in a jail, with these descriptors: it reads the current folder and what its arguments
 * name, and writes in job->folder. */
bool cuda_run_jailed(const struct cuda_job *job, const int stdio[3], struct cuda_end *end,
                     struct hpc_error *err);
/* What is to be said of an end, on stderr; returns the exit status for it. */
int cuda_tell(const struct cuda_job *job, const struct cuda_end *end);
/* Run in job->schedules orders and compare. Exit statuses as cuda_run. */
int cuda_schedules(const struct cuda_job *job, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
