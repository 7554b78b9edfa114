/* Two threads that compute in turn, four times 50 ms of a processor each. */
#ifndef HPC_TESTS_TOY_TURNS_H
#define HPC_TESTS_TOY_TURNS_H

#include <pthread.h>
#include <time.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t next;
    int turn;
} turns = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static inline void *take_turns(void *odd)
{
    for (int i = 0; i < 4; i++) {
        struct timespec used, until;
        pthread_mutex_lock(&turns.lock);
        while (turns.turn % 2 != (odd != NULL))
            pthread_cond_wait(&turns.next, &turns.lock);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &until);
        until.tv_nsec += 50000000;
        do
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        while (used.tv_sec == until.tv_sec && used.tv_nsec < until.tv_nsec);
        turns.turn++;
        pthread_cond_broadcast(&turns.next);
        pthread_mutex_unlock(&turns.lock);
    }
    return NULL;
}

static inline void turns_taken(void)
{
    pthread_t other;
    pthread_create(&other, NULL, take_turns, &turns);
    take_turns(NULL);
    pthread_join(other, NULL);
}

#endif
