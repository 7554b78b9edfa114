/* The parent's side of the handshake: signals, waits, what a runner used of the processors from one
 * to the next, and its end. */
#define _GNU_SOURCE
#include "harness/exchange/internal.h"
#include "common/clock.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "harness/machine/busy.h"

#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How often a waiting parent looks whether the runner lives. */
#define SLICE 20000000L /* nanoseconds */

#define SPIN_SECONDS 2e-3 /* of waiting for a GPU, before the first sleep */

uint32_t handshake_load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

void handshake_signal(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void handshake_start(struct exchange *x, uint32_t step)
{
    for (int k = 0; k < memory_pages(&x->memory); k++)
        handshake_signal(&memory_page(&x->memory, k)->start, step);
}

/* The first page whose status is not that; whose last step is not that; or NULL. */
static struct hpc_control *not_yet(const struct exchange *x, uint32_t status)
{
    for (int k = 0; k < memory_pages(&x->memory); k++)
        if (handshake_load(&memory_page(&x->memory, k)->status) != status)
            return memory_page(&x->memory, k);
    return NULL;
}

static struct hpc_control *not_done(const struct exchange *x, uint32_t step)
{
    for (int k = 0; k < memory_pages(&x->memory); k++)
        if (handshake_load(&memory_page(&x->memory, k)->done) != step)
            return memory_page(&x->memory, k);
    return NULL;
}

/* The first page of one that could not open, or do a call; or NULL. */
static struct hpc_control *failing(const struct exchange *x)
{
    for (int k = 0; k < memory_pages(&x->memory); k++) {
        struct hpc_control *c = memory_page(&x->memory, k);
        const uint32_t status = handshake_load(&c->status);
        if (status != HPC_STATUS_STARTING && status != HPC_STATUS_READY)
            return c;
    }
    return NULL;
}

bool handshake_finished(const struct exchange *x)
{
    return not_yet(x, HPC_STATUS_FINISHED) == NULL;
}

/* Sleep until *word is no longer `old`, at most so many nanoseconds. */
static void sleep_while(uint32_t *word, uint32_t old, long most)
{
    struct timespec slice = {0, most};
    syscall(SYS_futex, word, FUTEX_WAIT, old, &slice, NULL, 0);
}

/* End the runner, keep what it printed. */
static void kill_runner(struct exchange *x, struct jail_end *end)
{
    size_t bytes = x->limits.output_bytes + 1;
    x->output = hpc_malloc(bytes);
    jail_kill(x->jail, end, x->output, bytes);
    x->jail = NULL;
    x->look_pending = false;
}

/* Where a runner that hangs stands, which is stopped by that. */
static void find_places(struct exchange *x, const char *phase, char *text, size_t size)
{
    if (x->memory.layout.ranks)
        hang_ranks(x, text, size);
    else
        hang_places(x, strcmp(phase, "run()") == 0, text, size);
}

/* End a runner that died or, where it `hung`, did not answer in time; false, with why. */
static bool end_runner(struct exchange *x, bool hung, const char *phase, struct outcome *o)
{
    struct jail_end end;
    char places[300] = "";
    if (hung)
        find_places(x, phase, places, sizeof places);
    kill_runner(x, &end);
    end.wall_limit |= hung;
    struct exchange_death death = {.end = &end,
                                   .output = x->output,
                                   .phase = phase,
                                   .places = places,
                                   .limits = &x->limits,
                                   .starved = memory_starved(&x->memory),
                                   .sanitized = x->sanitized,
                                   .ranks = x->memory.layout.ranks > 0};
    death_verdict(&death, o);
    return false;
}

bool handshake_refuse(struct exchange *x)
{
    struct jail_end end;
    kill_runner(x, &end);
    return false;
}

/* Ctrl-C: the runner is ended. True when there was one. */
static bool stopped(struct exchange *x, struct outcome *o)
{
    if (!hpc_interrupted())
        return false;
    outcome_set(o, VERDICT_SKIPPED, "interrupted");
    handshake_refuse(x);
    return true;
}

/* ": the launch of KERNEL at .. is refused, ..", as the device said it last, or nothing. */
static const char *refused_launch(const struct exchange *x, char *text, size_t size)
{
    static const char by[] = "hpclab: the launch of ";
    const char *line = NULL, *next = x->output;
    while (next && (next = strstr(next, by)) != NULL)
        line = next++;
    snprintf(text, size, "%s%.*s", line ? ": " : "", line ? (int)strcspn(line + 8, "\n") : 0,
             line ? line + 8 : "");
    hpc_harmless(text);
    return text;
}

/* open() or run() returned a number other than 0, by that page. */
static bool refused(struct exchange *x, const struct hpc_control *c, const char *what,
                    struct outcome *o)
{
    char launch[400];
    const bool starved = handshake_load(&c->starved) != 0;
    const int code = c->code;
    handshake_refuse(x);
    if (starved)
        outcome_set(o, VERDICT_MEMORY, "asked for more than its memory limit of %zu MiB",
                    x->limits.memory_bytes >> 20);
    else
        outcome_set(o, VERDICT_WRONG, "%s: returned %d%s", what, code,
                    refused_launch(x, launch, sizeof launch));
    return false;
}

/* The runner said that a call of the device's failed. */
static bool device_failed(struct exchange *x, const char *phase, struct outcome *o)
{
    char launch[400];
    device_verdict(x->memory.control->code, x->device, phase, o);
    handshake_refuse(x);
    refused_launch(x, launch, sizeof launch);
    if (*launch) /* which says more than the error's number */
        outcome_set(o, o->verdict, "%s%s", phase, launch);
    return false;
}

bool handshake_ready(struct exchange *x, struct outcome *o)
{
    struct hpc_control *c, *late;
    struct deadline deadline = deadline_from_now();
    while (!(c = failing(x)) && (late = not_yet(x, HPC_STATUS_READY)) != NULL) {
        sleep_while(&late->status, HPC_STATUS_STARTING, SLICE);
        if (stopped(x, o))
            return false;
        bool dead = !jail_alive(x->jail, 0);
        if ((dead || deadline_over(x, &deadline)) && !failing(x) && not_yet(x, HPC_STATUS_READY))
            return end_runner(x, !dead, "open()", o);
    }
    if (!c) {
        /* a driver's threads are not ours to place, nor is mpirun */
        if (x->device != DEVICE_CUDA && !x->memory.layout.ranks)
            jail_pin(x->jail); /* the threads that open() started */
        return true;
    }
    if (handshake_load(&c->status) == HPC_STATUS_DEVICE)
        return device_failed(x, "before open()", o);
    if (handshake_load(&c->status) == HPC_STATUS_OPEN)
        return refused(x, c, "open() refused the problem", o);
    outcome_set(o, VERDICT_WRONG, "hpc_variant is not a variant of %s with .abi = HPC_ABI",
                x->op->name);
    return handshake_refuse(x);
}

/* Look at a word for a moment: a GPU's call may be over before a sleep has begun. */
static void spin_while(const uint32_t *word, uint32_t old)
{
    for (double until = clock_now() + SPIN_SECONDS;
         handshake_load(word) == old && clock_now() < until;)
        ;
}

bool handshake_step(struct exchange *x, enum hpc_step what, struct outcome *o)
{
    struct hpc_control *late, *c;
    const char *phase = what == HPC_STEP_IN ? "the copies before run()" : "run()";
    uint32_t step = ++x->steps * HPC_STEPS + (uint32_t)what;
    struct deadline deadline = deadline_from_now();
    const uint32_t was = handshake_load(&x->memory.control->done);
    handshake_start(x, step);
    if (x->device == DEVICE_CUDA)
        spin_while(&x->memory.control->done, was);
    while ((late = not_done(x, step)) != NULL) {
        const uint32_t done = handshake_load(&late->done);
        if (done != step)
            sleep_while(&late->done, done, x->look ? x->slice : SLICE);
        if (!not_done(x, step))
            break;
        if (x->look)
            x->look(x);
        if (stopped(x, o))
            return false;
        if ((c = failing(x)) != NULL && handshake_load(&c->status) == HPC_STATUS_RUN)
            return refused(x, c, "run() failed", o);
        if (c && handshake_load(&c->status) == HPC_STATUS_DEVICE)
            return device_failed(x, phase, o);
        bool dead = !jail_alive(x->jail, 0);
        if (not_done(x, step) && (dead || deadline_over(x, &deadline)))
            return end_runner(x, !dead, phase, o);
    }
    return true;
}

void handshake_end(struct exchange *x, struct jail_end *end, size_t bytes, char *places,
                   size_t size)
{
    struct deadline deadline = deadline_from_now();
    bool living;
    while ((living = jail_alive(x->jail, 100)) && !hpc_interrupted() &&
           !deadline_over(x, &deadline))
        ;
    living = living && !hpc_interrupted();
    if (living)
        find_places(x, "close()", places, size);
    jail_kill(x->jail, end, x->output, bytes);
    end->wall_limit |= living;
}

struct spent spent_before(struct exchange *x)
{
    uint64_t carried, payload;
    const bool told = x->memory.layout.ranks && jail_carried(x->jail, &carried, &payload);
    struct spent spent = {.cpu = jail_cpu_seconds(x->jail),
                          .runner_waited = jail_waited_seconds(x->jail),
                          .parent_waited = busy_waited(0),
                          .carried = told ? (double)carried : -1,
                          .payload = told ? (double)payload : -1};
    if (told)
        spent.n_written = jail_written(x->jail, spent.written, HPC_MAX_RANKS);
    return spent;
}

/* The kernel counts the time of a thread that runs by its ticks; of one that is stopped it knows
 * all. */
void spent_since(struct exchange *x, const struct spent *before, struct exchange_call *result)
{
    if (x->alone)
        jail_hold(x->jail);
    const struct spent now = spent_before(x);
    if (x->alone)
        jail_release(x->jail);
    result->cpu_seconds = now.cpu - before->cpu;
    result->waited_seconds = -1;
    result->carried = now.carried >= 0 ? now.carried - before->carried : INFINITY;
    if (before->carried < 0)
        result->carried = -1;
    const int ranks = x->memory.layout.ranks;
    result->share = ranks ? ranks_share(ranks, before, &now) : -1;
    if (x->alone && before->runner_waited >= 0 && now.runner_waited >= before->runner_waited)
        result->waited_seconds =
            now.runner_waited - before->runner_waited + now.parent_waited - before->parent_waited;
}
