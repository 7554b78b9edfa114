/* A toy operation for the tests of jail, exchange and build: y = 2 x + 1, and what its variant
 * (variant.c) does besides, chosen by -DATTACK=.. */
#ifndef HPC_TESTS_TOY_H
#define HPC_TESTS_TOY_H

#include "common/abi.h"

struct toy_problem {
    int n; /* elements of x and y, f64 */
};

enum toy_attack {
    TOY_NONE,
    TOY_FIXED,       /* honest: uses what open() sees of the fixed array */
    TOY_LAZY,        /* writes nothing */
    TOY_SLEEPY,      /* needs 30 ms */
    TOY_BUSY,        /* computes for some 100 ms */
    TOY_LONG,        /* computes for 0.25 s of a processor */
    TOY_TURNS,       /* two threads compute for 0.4 s of a processor, in turn */
    TOY_CHATTY,      /* prints 1 MiB and terminal escapes */
    TOY_REFUSE,      /* open() returns 7 */
    TOY_FAIL,        /* run() returns 9 */
    TOY_FOREIGN,     /* a variant of another operation */
    TOY_CRASH,       /* follows a wild pointer */
    TOY_CRASH_OPEN,  /* in open() */
    TOY_CRASH_CLOSE, /* in close() */
    TOY_EXIT,        /* says it has finished and exits with 0, having printed a score */
    TOY_HANG,        /* never returns */
    TOY_HANG_OPEN,
    TOY_EARLY,       /* signals done before it computes */
    TOY_LATE,        /* returns, and a thread computes */
    TOY_AFTER,       /* one element short of its output, one byte over its end */
    TOY_BEFORE,      /* writes in front of its output */
    TOY_FAR,         /* writes far behind its output */
    TOY_INPUT,       /* writes its input */
    TOY_REMAP,       /* makes its input writable */
    TOY_HUNGRY,      /* allocates without end */
    TOY_GREEDY,      /* one huge malloc, and does not look at the result */
    TOY_FLOOD,       /* prints without end */
    TOY_FORK,        /* right only if it can't fork */
    TOY_SPY,         /* right only if it can't see this project, /etc, another process, a network */
    TOY_FILL,        /* right only if /tmp and /dev/shm are limited */
    TOY_LEAK,        /* never frees */
    TOY_HEAP,        /* reads behind a block of its own */
    TOY_UNDEFINED,   /* an index out of an array's bounds */
    TOY_RACE,        /* two threads add to one sum */
    TOY_OPENMP,      /* honest: OpenMP threads, a barrier, a reduction. From here on -fopenmp */
    TOY_OPENMP_RACE, /* OpenMP threads add to one sum */
    TOY_OPENMP_WAIT, /* OpenMP threads wait 150 ms for one that sleeps; prints */
};

#endif
