/* A few threads that do the same thing together, again and again, and a barrier for them that
 * neither sleeps nor calls the kernel while all arrive within some 20 us: an epoch of a small net
 * takes 100. Who waits longer sleeps until it is woken. */
#ifndef HPC_MLP_TEAM_H
#define HPC_MLP_TEAM_H

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEAM_SPINS 4000

/* What is written on arrival and what is waited for lie on cache lines of their own. */
struct barrier {
    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_int round;
    _Alignas(64) atomic_int asleep;
    atomic_int n; /* only changed when a team can't be completed */
};

static inline void barrier_wait(struct barrier *b)
{
    int round = atomic_load(&b->round);
    if (atomic_fetch_add(&b->arrived, 1) + 1 == atomic_load(&b->n)) {
        atomic_store(&b->arrived, 0);
        atomic_store(&b->round, round + 1);
        if (atomic_load(&b->asleep) > 0)
            syscall(SYS_futex, &b->round, FUTEX_WAKE_PRIVATE, atomic_load(&b->n), NULL, NULL, 0);
        return;
    }
    for (int i = 0; i < TEAM_SPINS; i++) {
        if (atomic_load(&b->round) != round)
            return;
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
    atomic_fetch_add(&b->asleep, 1);
    while (atomic_load(&b->round) == round)
        syscall(SYS_futex, &b->round, FUTEX_WAIT_PRIVATE, round, NULL, NULL, 0);
    atomic_fetch_sub(&b->asleep, 1);
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
        barrier_wait(&m->team->gate);
        if (atomic_load(&m->team->quit))
            return NULL;
        m->team->work(m->team->context, m->number);
        barrier_wait(&m->team->gate);
    }
}

static inline void team_run(struct team *team)
{
    if (team->threads > 1)
        barrier_wait(&team->gate);
    team->work(team->context, 0);
    if (team->threads > 1)
        barrier_wait(&team->gate);
}

static inline void team_close(struct team *team)
{
    atomic_store(&team->quit, 1);
    if (team->started > 0) {
        atomic_store(&team->gate.n, team->started + 1);
        barrier_wait(&team->gate);
    }
    for (int t = 1; t <= team->started; t++)
        pthread_join(team->members[t].id, NULL);
    free(team->members);
}

/* 0, or 1 when a thread can't be had; then nothing is left. */
static inline int team_open(struct team *team, int threads, void (*work)(void *, int),
                            void *context)
{
    *team = (struct team){.threads = threads, .work = work, .context = context};
    atomic_init(&team->gate.n, threads);
    atomic_init(&team->inner.n, threads);
    team->members = calloc((size_t)threads, sizeof *team->members);
    if (!team->members)
        return 1;
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
