/* Starting one untrusted process under limits. The only place that knows how a jail is made:
 * bubblewrap where it works, resource limits always. */
#ifndef HPC_HARNESS_JAIL_H
#define HPC_HARNESS_JAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

enum jail_tier {
    JAIL_LIMITS,     /* resource limits only */
    JAIL_BUBBLEWRAP, /* namespaces: no network, no foreign files or processes; and limits */
};

struct jail_limits {
    int cpu_seconds;     /* RLIMIT_CPU, of the whole process */
    int wall_seconds;    /* deadline of jail_wait */
    size_t memory_bytes; /* RLIMIT_AS; 0: none (sanitizers reserve address space) */
    size_t file_bytes;   /* RLIMIT_FSIZE, and the size of /tmp and /dev/shm in the jail */
    size_t output_bytes; /* kept of stdout and stderr together; the rest is read and dropped */
    int processes;       /* threads and processes: RLIMIT_NPROC inside a namespace */
};

#define JAIL_MAX_BINDS 16
#define JAIL_MAX_FDS   2

struct jail_spec {
    const char *const *argv;               /* NULL-terminated; argv[0] an absolute path */
    const char *const *env;                /* NULL-terminated "K=V"; nothing is inherited */
    const char *read_only[JAIL_MAX_BINDS]; /* absolute paths, visible at the same path; NULL-ended;
                                              /usr, /lib*, /bin, /etc/ld.so.cache always are */
    const char *writable;                  /* one absolute folder, or NULL */
    const char *folder;                    /* working folder inside, or NULL for / */
    int fds[JAIL_MAX_FDS]; /* descriptors to pass on under the same numbers; -1: none */
    struct jail_limits limits;
    bool build; /* a compiler: may fork */
};

/* How a jailed process ended. */
struct jail_end {
    bool exited; /* with exit_status */
    int exit_status;
    int signal;                                                         /* that ended it, or 0 */
    bool wall_limit, cpu_limit, memory_limit, output_limit, file_limit; /* which limit ended it */
    double wall_seconds, cpu_seconds;
    char why[200]; /* "wall deadline of 10 s", "memory limit of 512 MiB", "signal 11 (Segmentation
                      fault)" */
};

struct jail; /* a running process */

/* The best tier that works here (HPC_JAIL=limits in the environment: limits alone), found out once
 * by trying it; and its name for the record. */
enum jail_tier jail_tier(void);
const char *jail_tier_name(enum jail_tier tier);

/* Start. NULL with *err filled when the machine fails. Descriptors but spec->fds are closed. */
struct jail *jail_start(const struct jail_spec *spec, struct hpc_error *err);
/* False as soon as the process has ended; sleeps for at most milliseconds until it does. Reads the
 * process's output meanwhile, so that it can't block on a full pipe. */
bool jail_alive(struct jail *jail, int milliseconds);
/* CPU seconds used so far by the process and its threads. */
double jail_cpu_seconds(struct jail *jail);
/* Give each thread that the process has now a processor of its own (harness/pin.h). */
void jail_pin(struct jail *jail);
/* Wait for the end until the wall deadline, then kill. `output` (text, may be NULL) gets stdout and
 * stderr with control characters removed. Frees the jail. */
void jail_wait(struct jail *jail, struct jail_end *end, char *output, size_t output_size);
/* Kill at once, all of it, then as jail_wait. */
void jail_kill(struct jail *jail, struct jail_end *end, char *output, size_t output_size);
/* Kill whatever lives; safe in a signal handler's aftermath and at exit. */
void jail_kill_all(void);

#endif
