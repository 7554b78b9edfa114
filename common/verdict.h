/* The verdicts of a task; verdict_names[] is their only list. */
#ifndef HPC_COMMON_VERDICT_H
#define HPC_COMMON_VERDICT_H

#include <stdbool.h>

enum verdict {
    VERDICT_PASS,        /* right, safe; speed measured or not asked for */
    VERDICT_WRONG,       /* an output is out of bounds */
    VERDICT_BUILD,       /* does not compile or link */
    VERDICT_UNSAFE,      /* right, but a race, overrun, uninitialised read or leak */
    VERDICT_CRASH,       /* the runner died of a signal or exited */
    VERDICT_TIMEOUT,     /* wall deadline or CPU limit */
    VERDICT_MEMORY,      /* memory limit */
    VERDICT_REJECTED,    /* forbidden symbol, changed output or input, .. */
    VERDICT_IMPOSSIBLE,  /* faster than compulsory bytes allow: waits for a person */
    VERDICT_NOISY,       /* right; the machine was too noisy to time it: speed points pending */
    VERDICT_ENVIRONMENT, /* the machine failed, not the student */
    VERDICT_PENDING,     /* needs something this machine lacks */
    VERDICT_SKIPPED,     /* not selected */
    VERDICT_COUNT
};

extern const char *const verdict_names[VERDICT_COUNT];

/* The points wait for another machine, moment or person: not a fault of the solution's. */
bool verdict_waits(enum verdict verdict);

#endif
