/* Linked with a runner whose object was compiled for the thread sanitizer, in place of that
 * (accesses.c): counts stores by cache line, word of it and thread, to find lines in which threads
 * write words of their own. Each such line goes from processor to processor, though nobody reads
 * what others wrote.
 *
 * A word has an owner where nearly all of its stores are one thread's: what is shared truly, such
 * as a counter that all add to, has none. Stores that make a line travel are at most twice those of
 * the owner who stores second most, so that few at the edge of a block stay few. Counters are
 * racy on purpose: each is one thread's, but for `turns`, which may lose some.
 *
 * Threads that could store at the same time do so here, be the processors busy with others: each
 * waits now and then until the others have stored too. One that does not come, since it waits at a
 * barrier or for a lock, is waited for once. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "runner/stores.h"

#define LINE    64 /* bytes */
#define WORDS   (LINE / 4)
#define THREADS 8         /* that are told apart; others' stores count in no line */
#define TABLE   (1 << 14) /* lines that are followed */
#define PROBES  8
#define OWNS    0.9       /* of a word's stores, by its owner */
#define STEP    64        /* stores, behind which the others are waited for */
#define WAIT_NS 20000000  /* for one that does not come: some time slices of busy processors */
#define ALL_NS  500000000 /* of all waiting in vain: then threads go as they like */
#define MEETS   0.002 /* turns a store, from which on threads store at the same time, not in turn */

/* One thread's part of a line; 128 bytes, so that parts share no line themselves. */
struct part {
    uint32_t stores[WORDS]; /* that cover the word, all of it or in part */
    uint32_t all;           /* into this line */
    uintptr_t from;         /* the address behind most of them, by majority vote */
    uint32_t votes;
} __attribute__((aligned(2 * LINE)));

struct line {
    uintptr_t at; /* 0: free */
    uint32_t turns, last;
    struct part part[THREADS];
};

static struct line table[TABLE];
static struct thread {
    uint64_t stores;
    uint64_t seen[THREADS]; /* the others' when it waited for them last */
    bool in_vain[THREADS];  /* they did not come then */
    int name;               /* OpenMP's number of it, else its place in the order of first stores */
} __attribute__((aligned(2 * LINE))) thread[THREADS];
static int threads;
static int64_t waited_ns; /* in vain */

extern const char __ehdr_start[]; /* where the program's file is mapped */
int omp_get_thread_num(void) __attribute__((weak));

/* This thread's place in the arrays, or THREADS: there is none left. */
static int own_place(void)
{
    static _Thread_local int place = -1;
    if (place >= 0)
        return place;
    place = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    place = place < THREADS ? place : THREADS;
    if (place < THREADS)
        thread[place].name = omp_get_thread_num ? omp_get_thread_num() : place;
    return place;
}

static struct line *line_at(uintptr_t at)
{
    size_t slot = (at / LINE * 0x9e3779b97f4a7c15u) >> 50;
    for (int i = 0; i < PROBES; i++, slot = (slot + 1) % TABLE) {
        uintptr_t was = __atomic_load_n(&table[slot].at, __ATOMIC_RELAXED);
        if (was == 0 && __atomic_compare_exchange_n(&table[slot].at, &was, at, false,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            was = at;
        if (was == at)
            return &table[slot];
    }
    return NULL;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Until thread t has stored since `seen`; false where it does not come. */
static bool wait_for(int t, uint64_t seen)
{
    const int64_t begin = now_ns();
    const struct timespec moment = {.tv_nsec = 20000};
    for (int i = 0; __atomic_load_n(&thread[t].stores, __ATOMIC_RELAXED) == seen; i++) {
        if (now_ns() - begin > WAIT_NS) {
            __atomic_fetch_add(&waited_ns, WAIT_NS, __ATOMIC_RELAXED);
            return false;
        }
        if (i < 20)
            sched_yield();
        else
            nanosleep(&moment, NULL);
    }
    return true;
}

static void keep_step(struct thread *own)
{
    const int n = __atomic_load_n(&threads, __ATOMIC_RELAXED);
    for (int t = 0; t < n && t < THREADS; t++) {
        const uint64_t stores = __atomic_load_n(&thread[t].stores, __ATOMIC_RELAXED);
        if (&thread[t] == own || __atomic_load_n(&waited_ns, __ATOMIC_RELAXED) > ALL_NS)
            continue;
        if (stores != own->seen[t])
            own->in_vain[t] = false;
        else if (!own->in_vain[t])
            own->in_vain[t] = !wait_for(t, stores);
        own->seen[t] = __atomic_load_n(&thread[t].stores, __ATOMIC_RELAXED);
    }
}

void runner_stores_meet(void)
{
    const int me = own_place();
    for (int t = 0; me < THREADS && t < THREADS; t++)
        thread[me].in_vain[t] = false;
}

void runner_store(const volatile void *to, size_t bytes, const void *from)
{
    const int me = own_place();
    uintptr_t at = (uintptr_t)to;
    if (me == THREADS)
        return;
    if (++thread[me].stores % STEP == 0)
        keep_step(&thread[me]);
    for (const uintptr_t end = at + bytes; at < end; at = (at | (LINE - 1)) + 1) {
        struct line *l = line_at(at & ~(uintptr_t)(LINE - 1));
        if (!l)
            continue;
        struct part *p = &l->part[me];
        const uintptr_t until = (at | (LINE - 1)) < end ? (at | (LINE - 1)) + 1 : end;
        for (uintptr_t w = at & ~(uintptr_t)3; w < until; w += 4)
            p->stores[w % LINE / 4]++;
        p->all++;
        if (l->last != (uint32_t)me) {
            l->last = (uint32_t)me;
            l->turns++;
        }
        if (p->votes == 0)
            p->from = (uintptr_t)from;
        p->votes += p->from == (uintptr_t)from ? 1 : -1u;
    }
}

/* ---- what is seen -----------------------------------------------------------------------------
 */

struct meeting {
    uint64_t stores; /* that make the line travel */
    int one, two;    /* its owners, the one of most stores first */
};

/* Stores of each thread into words that are its own. */
static void look_at_owners(const struct line *l, double own[THREADS])
{
    double words[THREADS] = {0}, owned[THREADS] = {0};
    for (int w = 0; w < WORDS; w++) {
        double all = 0;
        int owner = 0;
        for (int t = 0; t < THREADS; t++) {
            const uint32_t stores = l->part[t].stores[w];
            all += stores;
            words[t] += stores;
            owner = stores > l->part[owner].stores[w] ? t : owner;
        }
        if (l->part[owner].stores[w] >= OWNS * all)
            owned[owner] += l->part[owner].stores[w];
    }
    for (int t = 0; t < THREADS; t++) /* a store may cover several words */
        own[t] = words[t] > 0 ? l->part[t].all * owned[t] / words[t] : 0;
}

static struct meeting look(const struct line *l)
{
    struct meeting m = {.one = 0, .two = 1};
    double own[THREADS];
    look_at_owners(l, own);
    for (int t = 1; t < THREADS; t++)
        if (own[t] > own[m.one]) {
            m.two = m.one;
            m.one = t;
        } else if (t == 1 || own[t] > own[m.two]) {
            m.two = t;
        }
    m.stores = 2 * (uint64_t)own[m.two];
    if (l->turns < MEETS * (double)m.stores)
        m.stores = 0;
    return m;
}

static unsigned long in_file(const struct part *p)
{
    return p->from - 1 - (uintptr_t)__ehdr_start; /* within the call, not behind it */
}

void runner_counts(void)
{
    struct meeting most = {0};
    const struct line *where = table;
    uint64_t all = 0, travelling = 0;
    int lines = 0;
    for (int t = 0; t < THREADS; t++)
        all += thread[t].stores;
    for (const struct line *l = table; l < table + TABLE; l++) {
        const struct meeting m = l->at ? look(l) : (struct meeting){0};
        travelling += m.stores;
        lines += m.stores > 0;
        if (m.stores > most.stores) {
            most = m;
            where = l;
        }
    }
    if (most.stores > 0)
        printf("\nstores %lu travelling %lu lines %d threads %d %d from %lx %lx\n", all, travelling,
               lines, thread[most.one].name, thread[most.two].name, in_file(&where->part[most.one]),
               in_file(&where->part[most.two]));
}
