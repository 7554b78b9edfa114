/* hpclab: the trusted program. It holds the verbs and no line of a variant. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/defence.h"
#include "common/root.h"
#include "common/version.h"
#include "common/interrupt.h"
#include "common/nearest.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "harness/bench/bench.h"
#include "harness/compare/compare.h"
#include "harness/course/course.h"
#include "harness/jail/jail.h"
#include "harness/report/report.h"
#include "harness/verbs/verbs.h"
#include "harness/watch/watch.h"

static const struct verb verbs[] = {
    {"list", verb_list, &list_options},
    {"build", verb_build, &build_options},
    {"grade", verb_grade, &grade_options},
    {"watch", verb_watch, &watch_options},
    {"run", verb_run, &run_options},
    {"compare", verb_compare, &compare_options},
    {"handin", verb_handin, &handin_options},
    {"explain", verb_explain, &explain_options},
    {"bench", verb_bench, &bench_options},
    {"report", verb_report, &report_options},
    {"history", verb_history, &history_options},
    {"profile", verb_profile, &profile_options},
    {"mlp", verb_mlp, &mlp_options},
    {"cuda", verb_cuda, &cuda_options},
    {"featuremaps", verb_featuremaps, &featuremaps_options},
    {"doctor", verb_doctor, &doctor_options},
    {"reset", verb_reset, &reset_options},
    {"class", verb_class, &class_options},
    {"lint", verb_lint, &lint_options},
    {"reference", verb_reference, &reference_options},
    {"release", verb_release, &release_options},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static int unknown_verb(const char *word)
{
    const char *names[N_VERBS];
    for (int i = 0; i < N_VERBS; i++)
        names[i] = verbs[i].name;
    const char *near = nearest_word(word, names, N_VERBS);
    fprintf(stderr, "hpclab: unknown %s '%.40s', %s%s%s\n", word[0] == '-' ? "option" : "verb",
            word, near ? "did you mean '" : "expected one of `hpclab --help`", near ? near : "",
            near ? "'?" : "");
    return HPC_EXIT_USAGE;
}

/* A file that we open later must not become somebody's standard output. */
static void hold_standard_descriptors(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

#define FILES 64 /* that a grading may have open at once, with room to spare */

/* Where the shell lets a process open too few files, which would be taken for a runner's fault. */
static bool files_enough(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= FILES)
        return true;
    files.rlim_cur = files.rlim_max < FILES ? files.rlim_max : FILES;
    if (files.rlim_cur == FILES && setrlimit(RLIMIT_NOFILE, &files) == 0)
        return true;
    fprintf(stderr, "hpclab: %llu files may be open here, expected at least %d: ulimit -n %d\n",
            (unsigned long long)files.rlim_cur, FILES, FILES);
    return false;
}

/* What was printed has arrived, else a status that says so. The reason is that of a write now:
 * errno is another call's by then. Of a reader that wants no more, such as head, nothing is said.
 */
static int printed(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    const bool closed = (errno || write(STDOUT_FILENO, "\n", 1) < 0) && errno == EPIPE;
    if (!closed)
        fprintf(stderr, "hpclab: not all of it could be printed: %s\n",
                errno ? strerror(errno) : "a write failed");
    return status == HPC_EXIT_OK ? HPC_EXIT_ENVIRONMENT : status;
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    if (!files_enough())
        return HPC_EXIT_ENVIRONMENT;
    interrupt_install(jail_kill_all);
    if (DEFENCE(dumpable))
        prctl(PR_SET_DUMPABLE, 0); /* no runner of the same user may look into this process */
    ui_init(false);
    setvbuf(stdout, NULL, _IOLBF, 0); /* in a log, lines and errors stand as they came */
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        fprintf(stderr, "hpclab: no verb, expected one of `hpclab help`\n");
        return HPC_EXIT_USAGE;
    }
    if (strcmp(word, "help") == 0)
        return printed(verbs_help(verbs, N_VERBS, argc - 1, argv + 1));
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return printed(verbs_help(verbs, N_VERBS, 1, argv));
    if (strcmp(word, "--version") == 0) {
        puts("hpclab " HPC_VERSION);
        return printed(HPC_EXIT_OK);
    }
    const char *root = hpc_root();
    if (!root) {
        fprintf(stderr, "hpclab: the project's folder is not found, expected labs/ above build/\n");
        return HPC_EXIT_ENVIRONMENT;
    }
    scratch_sweep(root);
    struct project project = {.root = root};
    int i = 0;
    while (i < N_VERBS && strcmp(verbs[i].name, word) != 0)
        i++;
    int status = i < N_VERBS ? verbs[i].run(&project, argc - 1, argv + 1) : unknown_verb(word);
    project_close(&project);
    return printed(status);
}
