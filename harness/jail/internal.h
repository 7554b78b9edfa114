/* What the files of the jail share. Users include harness/jail/jail.h. */
#ifndef HPC_HARNESS_JAIL_INTERNAL_H
#define HPC_HARNESS_JAIL_INTERNAL_H

#include <limits.h>

#include "common/command.h"
#include "harness/jail/jail.h"
#include "harness/jail/confine.h"

struct jail {
    pid_t pid;        /* our child: bubblewrap, or the program itself */
    pid_t program;    /* the program itself; 0: not known yet */
    pid_t rank;       /* the rank whose threads are looked at; 0: the program's are */
    int pid_fd, pipe; /* readable when it has ended; its output */
    pid_t first;      /* the first process of its namespace; 0: not known yet, or none */
    int first_fd;     /* the same; -1 */
    int program_fd;   /* of the program, where that is not our child; -1 */
    enum jail_tier tier;
    struct jail_limits limits;
    uid_t user;     /* its own, 0: ours */
    char *writable; /* what was given to that user for the time, or NULL */
    double start;   /* seconds, CLOCK_MONOTONIC */
    double watched; /* when its memory was last looked at */
    char *text;     /* the first limits.output_bytes of its output */
    size_t length;  /* kept */
    size_t printed; /* kept and dropped */
    bool ended, wall_limit, output_limit, memory_limit, process_limit, killed;
    int status;         /* of waitpid, once ended */
    double cpu_seconds; /* as last seen */
    bool held;          /* by jail_hold; its cpu seconds then, */
    double held_cpu_seconds;
    long held_switches; /* and its threads' context switches; -1: not to be had */
    size_t resident;    /* bytes of all its processes, as last seen */
    int threads;        /* and threads */
    bool makes_files;   /* in folders in memory, of its own */
    uintmax_t files;    /* that it has in one of them, as last seen */
};

/* So many times the kept output may be printed before the process is ended. */
#define JAIL_DROP_FACTOR 64

/* How bubblewrap is called here: which, its libraries, and how much it can do. Newer options come
 * with higher levels: 0 none of them, 1 sized temporary folders, 2 no nested namespaces. */
struct bubblewrap {
    char path[4000];
    char libraries[4000]; /* LD_LIBRARY_PATH for it, or empty */
    char inside[4000];    /* build/lib/jail-inside */
    int level;
};
#define BUBBLEWRAP_LEVELS 3

/* What stands before a program's command line; jail-inside finds its struct confine in
 * confine_fd. */
void bubblewrap_words(const struct bubblewrap *b, const struct jail_spec *spec, int confine_fd,
                      struct command_line *words);
/* Whether its process may make files: a variant but on a GPU may not. */
bool jail_makes_files(const struct jail_spec *spec);
/* bwrap in PATH or .deps/, and jail-inside beside this program; false where one is missing. */
bool bubblewrap_find(struct bubblewrap *b);
/* The next path of a list, one a line, into path; where the list goes on, NULL at its end. Paths
 * that are too long for any file are passed over. */
const char *jail_next_path(const char *list, char path[PATH_MAX]);
/* The nearest NAME in a folder above this program, and that folder; false where there is none. */
bool jail_find_above(const char *name, char *path, size_t size, char *folder, size_t folder_size);

/* How jails are made here: what was found out by trying. */
struct jail_way {
    enum jail_tier tier;
    struct bubblewrap bubblewrap; /* where that is the tier */
    bool own_user;                /* each jail gets a user id of its own: we are root */
    int landlock;                 /* its version, 0: none */
    bool filter;                  /* the kernel takes filters of system calls */
    char lack[320];               /* why it does not work, in a line */
    char no_user[320];            /* why root's jails get no id of their own, in a line; or "" */
};
/* As jail_start, in this way. */
struct jail *jail_start_in(const struct jail_spec *spec, const struct jail_way *way,
                           struct hpc_error *err);
/* The way for jail_tier(); NULL with *err where the one that was asked for does not work. */
const struct jail_way *jail_way_here(struct hpc_error *err);

/* GPU nodes that are there, at most `most`; pointers live as long as the program. */
int jail_gpu_nodes(const char *nodes[], int most);

/* Fill *c for a process that is to be started so, with that user id of its own; 0: none. */
void jail_plan(const struct jail_spec *spec, const struct jail_way *way, uid_t user,
               struct confine *c);
/* The system calls that it may make, into c->filter. False where that fails. */
bool jail_seccomp(const struct jail_spec *spec, struct confine *c);
/* The tier of that name; JAIL_TIERS where there is none. */
enum jail_tier jail_tier_named(const char *name);
/* "seccomp", or "filter" where the small filter is all. */
const char *jail_filter_name(void);

/* A user id that no process has, drawn by lot: containers of one host, which see nothing of each
 * other, share none. slot: a number of this process's own. 0: none can be had. */
uid_t jail_user(int slot);
/* Whether any user may walk into a folder, an absolute path. */
bool jail_others_enter(const char *folder);
/* Whether any user may walk to all that is bound, and read what is not given to him. */
bool jail_others_reach(const struct jail_spec *spec);
/* Give a folder and all in it to a user and group. */
void jail_give(const char *folder, uid_t user, gid_t group);

/* Every living jail is in a list, so that jail_kill_all reaches it: put `after` into the place of
 * `before`, NULL for none. */
void jail_register(struct jail *before, struct jail *after);
/* The number of a free place, which also tells its jail's user id from the others'. */
int jail_free_slot(void);

/* Send the program a signal; false where it has ended. */
bool jail_signal(const struct jail *jail, int number);
/* Find the first process and the program, once they are there. */
void jail_find(struct jail *jail);
/* Whether something of it has a limit that is for us to look at. */
bool jail_watched(const struct jail *jail);
/* Look at the memory and the number of all its processes, and at the number of its files; true when
 * one is over its limit. */
bool jail_over(struct jail *jail);

/* Which limit ended it, and why in words. */
void jail_explain(const struct jail *jail, struct jail_end *end);
/* The output as ASCII text: control characters but newline and tab are removed, others are '?'. */
void jail_copy_output(const struct jail *jail, char *output, size_t size);

#endif
