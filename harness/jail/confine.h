/* The last steps into a jail, taken by the process that is to be confined: in a child of ours, or,
 * where bubblewrap stands between, in build/lib/jail-inside, which is given this struct as a file.
 * Needs nothing but the C library. */
#ifndef HPC_HARNESS_JAIL_CONFINE_H
#define HPC_HARNESS_JAIL_CONFINE_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

#define CONFINE_PROCESSORS 16 /* words of bits */
#define CONFINE_PATH       1216
#define CONFINE_MAX_PATHS  64
#define CONFINE_MAX_FILTER 1024

enum confine_access {
    CONFINE_READ,    /* read, list and start programs */
    CONFINE_WRITE,   /* read and write, make and remove; start nothing */
    CONFINE_OWN_TMP, /* the same in a folder that ends with the jail: pipes with a name too */
    CONFINE_DEVICE,  /* read, write, ioctl */
    CONFINE_OWN,     /* read and write what is there: a folder of /proc/self. It stays open, since
                        /proc forgets one that nobody holds, and the rule with it */
};

struct confine {
    uint64_t processors[CONFINE_PROCESSORS]; /* a bit each that it may run on; none: all */
    uint64_t cpu_seconds, memory_bytes, file_bytes, processes; /* 0: no limit */
    uint64_t user;          /* become this user and group; 0: stay */
    int32_t parent;         /* end where this is no longer our parent; 0: not asked */
    bool fixed_addresses;   /* no address-space layout randomisation */
    bool drop_capabilities; /* where nothing else does */
    bool alone;             /* no other process, no other program, signals to itself only */
    bool landlock;          /* the paths below, and nothing else of the file system */
    bool network;           /* Landlock lets TCP be: the namespace has a network of its own */
    uint32_t n_paths, n_filter;
    char folder[CONFINE_PATH]; /* to work in; empty: / */
    struct confine_path {
        uint32_t access; /* enum confine_access; a path that is not there is passed over */
        char name[CONFINE_PATH];
    } path[CONFINE_MAX_PATHS];
    struct sock_filter
        filter[CONFINE_MAX_FILTER]; /* of system calls, besides the one for `alone` */
};

/* The version of Landlock's interface here; 0: none. */
int confine_landlock_version(void);
/* Restrict this thread to the paths. False with errno. */
bool confine_landlock(const struct confine *c);
/* Become this user and group, without others. Where that fails, it says so and ends. */
void confine_become_user(uint64_t user);
/* The descriptor under which a program is started that may start no other: above all limits on
 * descriptors, so that no later one can take its number. */
#define CONFINE_PROGRAM_FD 1000
#define CONFINE_MAX_FDS    512
/* Timers and signals that wait, of all processes of its user. */
#define CONFINE_MAX_PENDING 1024
/* Install the filter for `alone`, then that of *c. False with errno. */
bool confine_filters(const struct confine *c);
/* All of it, then start argv[0]. Does not return: where a step fails it says which on stderr and
 * ends with status 127. */
void confine_start(const struct confine *c, char *const *argv, char *const *env)
    __attribute__((noreturn));

#endif
