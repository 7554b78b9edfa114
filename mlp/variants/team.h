/* A few threads that do the same thing together, again and again, and a barrier for them: an epoch
 * of a small net takes some 50 us. Who waits looks for 2 us without the kernel; then it yields its
 * processor between looks, for some 100 us: if the one it waits for is queued on the same processor
 * it can run, and two that are always ready to run get a processor each before long, which two that
 * sleep in turn do not. Who waits longer sleeps until it is woken. */
#ifndef HPC_MLP_TEAM_H
#define HPC_MLP_TEAM_H

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEAM_SPINS  200 /* looks without the kernel */
#define TEAM_YIELDS 100 /* looks after a yield */

/* Where all of n threads wait for each other. Arriving is one store to a cache line that only its
 * owner writes; all others read it. That beats one counter that n threads add to. */
struct barrier {
    int n;
    struct team_flag {
        _Alignas(64) atomic_int round; /* how often its owner has arrived */
    } * flag;
    _Alignas(64) atomic_int asleep;
    atomic_int wakeups; /* futex: changes when somebody has arrived while others slept */
};

static inline void barrier_arrive(struct barrier *b, int me)
{
    atomic_fetch_add(&b->flag[me].round, 1);
    if (atomic_load(&b->asleep) == 0)
        return;
    atomic_fetch_add(&b->wakeups, 1);
    syscall(SYS_futex, &b->wakeups, FUTEX_WAKE_PRIVATE, b->n, NULL, NULL, 0);
}

/* Whether the owner of flag t has arrived as often as `round`, which may wrap around. */
static inline int barrier_reached(struct barrier *b, int t, int round)
{
    return (int)((unsigned)atomic_load(&b->flag[t].round) - (unsigned)round) >= 0;
}

static inline void barrier_wait(struct barrier *b, int me)
{
    barrier_arrive(b, me);
    int round = atomic_load(&b->flag[me].round), spins = 0;
    for (int t = 0; t < b->n; t++) {
        for (; !barrier_reached(b, t, round) && spins < TEAM_SPINS + TEAM_YIELDS; spins++) {
            if (spins >= TEAM_SPINS)
                sched_yield();
#ifdef __x86_64__
            else
                __builtin_ia32_pause();
#endif
        }
        if (barrier_reached(b, t, round))
            continue;
        atomic_fetch_add(&b->asleep, 1);
        for (int w = atomic_load(&b->wakeups); !barrier_reached(b, t, round);
             w = atomic_load(&b->wakeups))
            syscall(SYS_futex, &b->wakeups, FUTEX_WAIT_PRIVATE, w, NULL, NULL, 0);
        atomic_fetch_sub(&b->asleep, 1);
    }
}

/* team_run calls work(context, t) for t = 0 .. threads-1 at once, t = 0 on the caller. */
struct team {
    int threads, started;
    atomic_int quit;
    void (*work)(void *context, int thread);
    void *context;
    struct barrier gate;  /* where the others wait for a run, and the caller for its end */
    struct barrier inner; /* for work() itself */
    struct team_member {
        struct team *team;
        pthread_t id;
        int number;
    } * members;
};

static void *team_thread(void *argument)
{
    struct team_member *m = argument;
    for (;;) {
        barrier_wait(&m->team->gate, m->number);
        if (atomic_load(&m->team->quit))
            return NULL;
        m->team->work(m->team->context, m->number);
        barrier_wait(&m->team->gate, m->number);
    }
}

static inline void team_run(struct team *team)
{
    if (team->threads > 1)
        barrier_wait(&team->gate, 0);
    team->work(team->context, 0);
    if (team->threads > 1)
        barrier_wait(&team->gate, 0);
}

static inline void team_close(struct team *team)
{
    atomic_store(&team->quit, 1);
    /* For threads that could not be started, too. */
    for (int t = team->started + 1; t < team->threads; t++)
        barrier_arrive(&team->gate, t);
    if (team->started > 0)
        barrier_wait(&team->gate, 0);
    for (int t = 1; t <= team->started; t++)
        pthread_join(team->members[t].id, NULL);
    free(team->members);
    free(team->gate.flag);
    free(team->inner.flag);
}

static inline int barrier_open(struct barrier *b, int n)
{
    *b = (struct barrier){.n = n, .flag = aligned_alloc(64, (size_t)n * sizeof *b->flag)};
    for (int t = 0; b->flag && t < n; t++)
        atomic_init(&b->flag[t].round, 0);
    return b->flag == NULL;
}

/* 0, or 1 when memory or a thread can't be had; then nothing is left. `team` is aligned as its
 * type asks. */
static inline int team_open(struct team *team, int threads, void (*work)(void *, int),
                            void *context)
{
    *team = (struct team){.threads = threads, .work = work, .context = context};
    team->members = calloc((size_t)threads, sizeof *team->members);
    int failed = barrier_open(&team->gate, threads);
    failed |= barrier_open(&team->inner, threads);
    if (!team->members || failed) {
        free(team->members);
        free(team->gate.flag);
        free(team->inner.flag);
        return 1;
    }
    for (int t = 1; t < threads; t++) {
        team->members[t].team = team;
        team->members[t].number = t;
        if (pthread_create(&team->members[t].id, NULL, team_thread, &team->members[t])) {
            team_close(team);
            return 1;
        }
        team->started = t;
    }
    return 0;
}

#endif
