/* Starting one untrusted process in a jail. The only place that knows how one is made; which kinds
 * there are, and what each still lets through, stands in docs/security.md. */
#ifndef HPC_HARNESS_JAIL_JAIL_H
#define HPC_HARNESS_JAIL_JAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* Resource limits and a filter of system calls are in all of them. Each holds more than the ones
 * before it. */
enum jail_tier {
    JAIL_LIMITS,     /* nothing else: files of the same user are open to it */
    JAIL_USERID,     /* a user id of its own (we are root); and Landlock where the kernel has it */
    JAIL_LANDLOCK,   /* no files but those it needs, no network, no signals to others */
    JAIL_BUBBLEWRAP, /* namespaces, in which nothing else exists; and Landlock where there is one;
                        for root with a user id of its own, where it can have one */
    JAIL_TIERS
};

/* What the process is there for: how much the filter of system calls lets through. */
enum jail_profile {
    JAIL_RUN,       /* a variant: threads, but no process, no other program, nothing exotic */
    JAIL_SANITIZED, /* a variant with a sanitizer, which starts and traces processes of its own */
    JAIL_BUILD,     /* a compiler */
    JAIL_MPI, /* mpirun and its ranks (harness/jail/mpi.h): processes, programs, TCP and UDP over
                 a loopback that nobody else is on. No tier but JAIL_BUBBLEWRAP can hold that:
                 in others jail_start fails, and says so */
    JAIL_PROFILES
};

struct jail_limits {
    int cpu_seconds;        /* RLIMIT_CPU, of the whole process */
    int wall_seconds;       /* deadline of jail_wait */
    size_t memory_bytes;    /* RLIMIT_AS of each process; 0: none (sanitizers, CUDA reserve much) */
    size_t resident_bytes;  /* of all processes together, looked at while waiting; 0: none */
    size_t file_bytes;      /* RLIMIT_FSIZE */
    size_t temporary_bytes; /* of /tmp and of /dev/shm in the jail; 0: file_bytes each */
    size_t output_bytes;    /* kept of stdout and stderr together; the rest is read and dropped */
    int processes;          /* threads and processes together, orphans included */
    int processors;         /* it may run on: those of so many threads (harness/machine/pin.h); 0:
                               on all of ours */
};

#define JAIL_MAX_BINDS 16
#define JAIL_MAX_FDS   2
/* Files, folders and links in a jail's /tmp, and in its /dev/shm, looked at while waiting. */
#define JAIL_MOST_FILES 4096

struct jail_spec {
    const char *const *argv;               /* NULL-terminated; argv[0] an absolute path */
    const char *const *env;                /* NULL-terminated "K=V"; nothing is inherited */
    const char *read_only[JAIL_MAX_BINDS]; /* absolute paths, visible at the same path; NULL-ended;
                                              /usr, /lib*, /bin are too, without `libraries`, and
                                              /etc/ld.so.cache always */
    const char *libraries; /* absolute paths, one a line: all that it sees of /usr, /lib* and /bin;
                              or NULL */
    const char *writable;  /* one absolute folder, or NULL */
    const char *folder;    /* working folder inside, or NULL for / */
    const int *stdio;      /* its stdin, stdout and stderr; NULL: nothing, and text of jail_wait */
    int fds[JAIL_MAX_FDS]; /* descriptors to pass on under the same numbers; -1: none */
    struct jail_limits limits;
    enum jail_profile profile;
    bool gpu; /* sees the GPU's nodes and /sys; the filter lets a driver work; not with JAIL_MPI */
};

/* How a jailed process ended. */
struct jail_end {
    bool exited; /* with exit_status */
    int exit_status;
    int signal; /* that ended it, or 0 */
    bool wall_limit, cpu_limit, memory_limit, output_limit, file_limit, process_limit; /* which
                                                                                    ended it */
    double wall_seconds, cpu_seconds;
    size_t printed; /* bytes; jail_limits.output_bytes of them are kept */
    char why[200];  /* the limit, its value and what was used: "wall deadline of 10 s (10.01 s)"; or
                       "signal 11 (Segmentation fault)" */
};

struct jail; /* a running process */

/* The best tier that works here, found out once by trying; HPC_JAIL=NAME in the environment asks
 * for another, and where that one does not work no jail starts. */
enum jail_tier jail_tier(void);
bool jail_tier_works(enum jail_tier tier);
const char *jail_tier_name(enum jail_tier tier);
/* Why it does not work here, in a line; "" where it does. */
const char *jail_tier_lack(enum jail_tier tier);
/* For the record: "bubblewrap+landlock7+seccomp". */
const char *jail_description(void);
/* Whether official grading may use this jail: at least JAIL_USERID, or what the key
 * official_jail in ROOT/site.ini names. */
bool jail_official(const char *root, struct hpc_error *err);

/* Start. NULL with *err filled when the machine fails. Descriptors but spec->fds are closed. */
struct jail *jail_start(const struct jail_spec *spec, struct hpc_error *err);
/* False as soon as the process has ended; sleeps for at most milliseconds until it does. Reads the
 * process's output meanwhile, so that it can't block on a full pipe. */
bool jail_alive(struct jail *jail, int milliseconds);
/* CPU seconds used so far by the process and its threads. */
double jail_cpu_seconds(struct jail *jail);
/* Seconds that its first thread was ready and had no processor; negative where the kernel does not
 * tell. */
double jail_waited_seconds(const struct jail *jail);
/* Seconds that its living threads were ready and had no processor, of all together. */
double jail_all_waits(struct jail *jail);
/* CPU seconds of its first thread; and of that of its living threads which has used most, the
 * first's less what it had used before, `first`. */
double jail_first_seconds(const struct jail *jail);
double jail_busiest_seconds(const struct jail *jail, double first);
/* Stop the process with all its threads, until jail_release. It may have a way to go on (a
 * thread that sends SIGCONT before it has stopped itself): jail_still() is false where something of
 * it has run since. */
void jail_hold(struct jail *jail);
bool jail_still(struct jail *jail);
void jail_release(struct jail *jail);
/* Of a process that is held: where its threads stand, in the order of their own names, `most` at
 * the most; its memory; where its program's code lies. None, or false, where the kernel does not
 * show it. All of it is what the process likes it to be. */
struct jail_thread {
    int name;          /* as gettid() gives it to the thread itself */
    int id;            /* as we see it from outside its namespace */
    long call;         /* the system call that it is in; -1: none */
    uint64_t argument; /* that call's first */
    uint64_t sp, pc;
};
struct jail_code {
    uint64_t base, begin, end; /* what its file's addresses are counted from; the code itself */
};
int jail_threads(struct jail *jail, struct jail_thread *threads, int most);
bool jail_peek(struct jail *jail, uint64_t address, void *to, size_t bytes);
bool jail_code(struct jail *jail, struct jail_code *code);
/* Of an mpirun: hold its rank of that number, which the three above are about from then on, and
 * jail_release too. False where there is none, or the kernel does not show it. */
bool jail_hold_rank(struct jail *jail, int rank);
/* Bytes that went over the loopback of the jail's own network so far, by the kernel's count, with
 * headers and without. False where it does not tell, or the jail has no network of its own. */
bool jail_carried(const struct jail *jail, uint64_t *bytes, uint64_t *payload);
/* Of an mpirun: bytes that each of its ranks has written so far, to sockets and files, by the
 * kernel's count; up to `most`, always in the same order. Returns of how many it tells. */
int jail_written(const struct jail *jail, uint64_t *bytes, int most);
/* Give each thread that the process has now a processor of its own (harness/machine/pin.h). */
void jail_pin(struct jail *jail);
/* Wait for the end until the wall deadline, or Ctrl-C, then kill. `output` (text, may be NULL) gets
 * stdout and stderr with control characters removed. Frees the jail. */
void jail_wait(struct jail *jail, struct jail_end *end, char *output, size_t output_size);
/* Kill at once, all of it, then as jail_wait. */
void jail_kill(struct jail *jail, struct jail_end *end, char *output, size_t output_size);
/* Kill whatever lives; safe in a signal handler's aftermath and at exit. */
void jail_kill_all(void);

#endif
