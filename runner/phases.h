/* Between phases.c, pieces.c, locks.c and orders.c: where in OpenMP's program a thread is. */
#ifndef HPC_RUNNER_PHASES_H
#define HPC_RUNNER_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUNNER_A_TRY 128 /* bytes that a loop of tries looks at, at most */

struct runner_place {
    int phase, thread, locks, barriers;
    bool known;     /* which phase it is in */
    bool in_region; /* of several threads */
    bool in_piece;
    bool in_final;  /* a task whose own tasks are done at once */
    uint64_t piece; /* bytes of the piece that it is in */
    uint64_t chain; /* bytes before now, of this thread or of one that it waited for, since its
                       phase or its piece began */
    uint64_t since; /* bytes since it last tried a lock or looked at a word, */
    bool waits;     /* in vain; */
    uint64_t since_locked; /* those of them under the locks that it had last, */
    int set;               /* which are these */
    unsigned lockings;     /* times that it took one */
    int dimensions;        /* of the loop's iterations that wait for each other */
};

#ifdef __cplusplus
extern "C" {
extern thread_local struct runner_place runner_place;
#else
extern _Thread_local struct runner_place runner_place;
#endif

/* There is work whose phase isn't known: then nothing is said. */
extern bool runner_unknown;
/* The phase of this number begins for the thread. */
void runner_begin_phase(int number);
/* Before a barrier and behind it: all threads of a team are in one phase again. */
void runner_publish(void);
void runner_meet(void);
/* The phase lasts as long as the thread's chain. */
void runner_chain(void);
void runner_keep_most(uint64_t *most, uint64_t value);
/* The thread has waited for a lock, if it did next to nothing since it tried: that is no work. */
void runner_waited(void);
/* It tries a lock, or looks at a word. */
void runner_looks(void);
/* Whether another thread has the lock; and what follows when this one has it, behind a wait or not.
 */
bool runner_lock_is_taken(const void *at);
void runner_lock_taken(const void *at, bool waited);
/* The piece that the thread is in ends here. */
void runner_piece_end(void);
/* OpenMP's function of the name that one of the runner's has. */
void *runner_behind(const char *name);

#ifdef __cplusplus
}
#endif
#endif
