/* What the processor and the kernel count of threads in user mode: cycles, instructions, misses. */
#ifndef HPC_HARNESS_MACHINE_EVENTS_H
#define HPC_HARNESS_MACHINE_EVENTS_H

#include <stdbool.h>
#include <sys/types.h>

enum event {
    EVENT_CYCLES,
    EVENT_INSTRUCTIONS,
    EVENT_REFERENCES, /* of the last level of cache */
    EVENT_MISSES,     /* there */
    EVENT_BRANCH_MISSES,
    EVENT_FAULTS, /* pages touched for the first time, by the kernel's count */
    EVENTS
};
#define EVENT_THREADS 16

struct event_counts {
    bool has[EVENTS];
    double n[EVENTS];
    int error; /* the errno that refused the cycles; 0: none did */
};

struct events {
    int n, fd[EVENTS * EVENT_THREADS];
    enum event of[EVENTS * EVENT_THREADS];
    int error;
};

/* Count from now on what n threads (of the first EVENT_THREADS; 0 is the calling one's number) and
 * those that they start from now on do in user mode. */
void events_start(struct events *e, const pid_t *threads, int n);
/* Add what was counted to *sum, which starts as zeros, and close. */
void events_stop(struct events *e, struct event_counts *sum);
/* One sentence without a newline: "1.90 instructions a cycle, ..", and what this machine lets
 * nobody count, with why. The caller frees. */
char *events_say(const struct event_counts *c);

#endif
