#define _GNU_SOURCE
#include "harness/jail/mpi.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARED_MEMORY "OMPI_MCA_btl=self,vader"
#define LACK          "; run ./bootstrap --mpi"

/* The first mpirun in PATH that lies in /usr, all of which a jail sees. */
static bool find(char *path, size_t size)
{
    const char *folders = getenv("PATH");
    char *copy = hpc_strdup(folders ? folders : "/usr/bin"), *rest = NULL, real[PATH_MAX];
    bool found = false;
    for (char *p = strtok_r(copy, ":", &rest); p && !found; p = strtok_r(NULL, ":", &rest)) {
        snprintf(path, size, "%s/mpirun", p);
        found = strncmp(path, "/usr/", 5) == 0 && access(path, X_OK) == 0 && realpath(path, real) &&
                strncmp(real, "/usr/", 5) == 0;
    }
    free(copy);
    return found;
}

/* Of the last mpirun that was asked: it is asked once. */
static struct {
    char mpirun[1024], version[80];
} known;

/* The first line of what mpirun says of itself, asked in a jail. */
static bool ask(struct jail_mpi *m, struct hpc_error *err)
{
    if (strcmp(known.mpirun, m->mpirun) == 0) {
        snprintf(m->version, sizeof m->version, "%s", known.version);
        return true;
    }
    const char *const argv[] = {m->mpirun, "--version", NULL};
    struct jail_spec spec = {.argv = argv,
                             .env = m->env,
                             .fds = {-1, -1},
                             .profile = JAIL_MPI,
                             .limits = {.cpu_seconds = 10,
                                        .wall_seconds = 10,
                                        .resident_bytes = (size_t)512 << 20,
                                        .file_bytes = JAIL_MPI_FILE_BYTES(0),
                                        .output_bytes = 4096,
                                        .processes = JAIL_MPI_PROCESSES(0)}};
    struct jail *jail = jail_start(&spec, err);
    struct jail_end end;
    if (!jail)
        return false;
    jail_wait(jail, &end, m->version, sizeof m->version);
    m->version[strcspn(m->version, "\n")] = '\0';
    if (end.exited && end.exit_status == 0 && strstr(m->version, "Open MPI")) {
        snprintf(known.mpirun, sizeof known.mpirun, "%s", m->mpirun);
        snprintf(known.version, sizeof known.version, "%s", m->version);
        return true;
    }
    return hpc_fail_env(err, "%s is '%.40s', expected Open MPI's" LACK, m->mpirun,
                        m->version[0] ? m->version : end.why);
}

static int add(const char **list, int n, const char *const *words)
{
    for (; *words; words++) {
        HPC_ASSERT(n < JAIL_MPI_WORDS - 1);
        list[n++] = *words;
    }
    list[n] = NULL;
    return n;
}

bool jail_mpi(struct jail_mpi *m, int ranks, const char *const *program, struct hpc_error *err)
{
    static const char *const env[] = {
        "PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C",
        /* shared memory, by two copies: one process may not read another's here */
        "OMPI_MCA_pml=ob1", SHARED_MEMORY, "OMPI_MCA_osc=^ucx",
        "OMPI_MCA_btl_vader_single_copy_mechanism=none",
        /* a rank that waits lets others run: there may be fewer processors than ranks */
        "OMPI_MCA_mpi_yield_when_idle=1",
        /* all ranks are here: no look for ssh, without which mpirun would not start */
        "OMPI_MCA_plm=isolated",
        /* a rank that crashes prints no stack of its own */
        "OMPI_MCA_opal_signal=",
        /* no look for displays and GPUs */
        "HWLOC_COMPONENTS=-gl,-opencl,-cuda,-nvml", NULL};
    /* As root in a namespace of its own it does no harm; who runs where is the grader's to say. */
    const char *const words[] = {
        m->mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", m->ranks,
        NULL};
    HPC_ASSERT(ranks >= 1 && ranks <= JAIL_MPI_MAX_RANKS);
    if (!find(m->mpirun, sizeof m->mpirun))
        return hpc_fail_env(err, "no mpirun in PATH below /usr, expected Open MPI's" LACK);
    snprintf(m->ranks, sizeof m->ranks, "%d", ranks);
    add(m->argv, add(m->argv, 0, words), program ? program : words + 7);
    add(m->env, 0, env);
    return ask(m, err);
}

void jail_mpi_by_loopback(struct jail_mpi *m)
{
    /* nor does PMIx keep what it knows, and its locks, in memory that all ranks may write */
    static const char *const instead[] = {"OMPI_MCA_btl=self,tcp", "OMPI_MCA_btl_tcp_if_include=lo",
                                          "PMIX_MCA_gds=hash", NULL};
    int n = 0;
    for (int i = 0; m->env[i]; i++)
        if (strcmp(m->env[i], SHARED_MEMORY) != 0)
            m->env[n++] = m->env[i];
    add(m->env, n, instead);
}
