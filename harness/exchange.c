/* Calls of a variant in its runner, as design and harness/runner/abi.h describe them. The shared
 * memories are made and compared in exchange_memory.c; exchange_verdict.c finds the words. */
#define _GNU_SOURCE
#include "harness/exchange.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "harness/exchange_internal.h"

#define SLICE_MS 20 /* how often a waiting parent looks whether the runner lives */
#define LOOK_MIN                                                                                   \
    0.005 /* seconds from the first look to the second: a call-time in these bounds                \
           */
#define LOOK_MAX     0.5
#define OUTPUT_BYTES (64 * 1024)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store_and_wake(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Sleep until *word is no longer `old`, at most one slice. */
static void sleep_while(uint32_t *word, uint32_t old)
{
    struct timespec slice = {0, SLICE_MS * 1000000L};
    syscall(SYS_futex, word, FUTEX_WAIT, old, &slice, NULL, 0);
}

/* End the runner and say why, once it has done something wrong or died. `hung`: it did not answer
 * in time. Where `phase` is NULL only the runner is ended. */
static enum verdict end_runner(struct exchange *x, bool hung, const char *phase, char *reason,
                               size_t reason_size)
{
    struct jail_end end;
    x->output = hpc_malloc(OUTPUT_BYTES);
    jail_kill(x->jail, &end, x->output, OUTPUT_BYTES);
    x->jail = NULL;
    x->look_pending = false;
    enum verdict verdict = VERDICT_CRASH;
    if (phase) {
        end.wall_limit |= hung;
        struct exchange_death death = {.end = &end,
                                       .output = x->output,
                                       .phase = phase,
                                       .limits = &x->limits,
                                       .starved = load(&x->memory.control->starved) != 0,
                                       .sanitized = x->sanitized};
        verdict = death_verdict(&death, reason, reason_size);
    }
    return verdict;
}

/* The runner is ended, for a reason that the parent has found itself. */
static bool refuse(struct exchange *x, enum verdict *verdict, enum verdict value)
{
    end_runner(x, false, NULL, NULL, 0);
    *verdict = value;
    return false;
}

/* open() or run() returned a number other than 0. */
static bool refused(struct exchange *x, const char *what, enum verdict *verdict, char *reason,
                    size_t reason_size)
{
    bool starved = load(&x->memory.control->starved) != 0;
    if (starved)
        snprintf(reason, reason_size, "asked for more than its memory limit of %zu MiB",
                 x->limits.memory_bytes >> 20);
    else
        snprintf(reason, reason_size, "%s: returned %d", what, x->memory.control->code);
    return refuse(x, verdict, starved ? VERDICT_MEMORY : VERDICT_WRONG);
}

/* Wait until open() has returned. */
static bool wait_ready(struct exchange *x, enum verdict *verdict, char *reason, size_t reason_size)
{
    uint32_t *status = &x->memory.control->status;
    double until = now() + x->limits.wall_seconds;
    while (load(status) == HPC_STATUS_STARTING) {
        sleep_while(status, HPC_STATUS_STARTING);
        bool dead = !jail_alive(x->jail, 0);
        if (load(status) == HPC_STATUS_STARTING && (dead || now() > until)) {
            *verdict = end_runner(x, !dead, "open()", reason, reason_size);
            return false;
        }
    }
    if (load(status) == HPC_STATUS_READY) {
        jail_pin(x->jail); /* the threads that open() started */
        return true;
    }
    if (load(status) == HPC_STATUS_OPEN)
        return refused(x, "open() refused the problem", verdict, reason, reason_size);
    snprintf(reason, reason_size, "hpc_variant is not a variant of %s with .abi = HPC_ABI",
             x->op->name);
    return refuse(x, verdict, VERDICT_WRONG);
}

/* The parent's copies of the inputs of a call; or, with `fixed`, of those that are the same in all
 * calls. */
static void generate(struct exchange *x, uint64_t call, bool fixed)
{
    void *in[HPC_MAX_ARRAYS] = {NULL};
    for (int k = 0; k < x->memory.layout.n_in; k++)
        if (x->memory.layout.in[k].fixed == fixed)
            in[k] = x->memory.in_copy[k];
    x->op->generate(x->problem, x->seed, call, in);
}

static void free_exchange(struct exchange *x)
{
    memory_free(&x->memory);
    free(x->output);
    free(x);
}

struct exchange *exchange_open(const struct exchange_spec *spec, enum verdict *verdict,
                               char *reason, size_t reason_size)
{
    struct exchange *x = hpc_calloc(1, sizeof *x);
    struct hpc_error err = {.text = ""};
    struct hpc_layout layout;
    x->op = spec->op;
    x->seed = spec->seed;
    x->limits = spec->limits;
    memcpy(x->problem, spec->problem, sizeof x->problem);
    x->sanitized = spec->extra_env != NULL;
    x->memory.input_fd = x->memory.control_fd = -1;
    *verdict = VERDICT_PASS;
    spec->op->layout(x->problem, &layout);
    bool good = access(spec->runner, X_OK) == 0;
    if (!good)
        hpc_fail_env(&err, "%s: not there, or not a program", spec->runner);
    good = good && memory_create(&x->memory, &layout, &err);
    if (good && x->memory.fixed) {
        generate(x, 0, true);
        memory_publish_fixed(&x->memory);
    }
    good = good && runner_start(x, spec, &err);
    if (good && wait_ready(x, verdict, reason, reason_size))
        return x;
    if (!good) {
        *verdict = VERDICT_ENVIRONMENT;
        snprintf(reason, reason_size, "%s", err.text);
    }
    free_exchange(x);
    return NULL;
}

/* The second look at the outputs of the last call. */
static bool second_look(struct exchange *x, enum verdict *verdict, char *reason, size_t reason_size)
{
    if (!x->look_pending)
        return true;
    x->look_pending = false;
    const char *array = memory_changed_output(&x->memory);
    if (!array)
        return true;
    snprintf(reason, reason_size, "the output \"%s\" changed after the done signal", array);
    return refuse(x, verdict, VERDICT_REJECTED);
}

/* Wait until call n is done. */
static bool wait_done(struct exchange *x, uint32_t n, enum verdict *verdict, char *reason,
                      size_t reason_size)
{
    struct hpc_control *c = x->memory.control;
    double until = now() + x->limits.wall_seconds;
    for (uint32_t done; (done = load(&c->done)) != n;) {
        sleep_while(&c->done, done);
        if (load(&c->done) == n)
            break;
        if (load(&c->status) == HPC_STATUS_RUN)
            return refused(x, "run() failed", verdict, reason, reason_size);
        bool dead = !jail_alive(x->jail, 0);
        if (load(&c->done) != n && (dead || now() > until)) {
            *verdict = end_runner(x, !dead, "run()", reason, reason_size);
            return false;
        }
    }
    return true;
}

bool exchange_run(struct exchange *x, uint64_t call, bool look, struct exchange_call *result,
                  enum verdict *verdict, char *reason, size_t reason_size)
{
    struct exchange_memory *m = &x->memory;
    *verdict = VERDICT_PASS;
    HPC_ASSERT(x->jail);
    if (!second_look(x, verdict, reason, reason_size))
        return false;
    generate(x, call, false);
    memory_publish(m);
    uint32_t n = ++x->calls;
    double cpu = jail_cpu_seconds(x->jail), start = now();
    store_and_wake(&m->control->start, n);
    if (!wait_done(x, n, verdict, reason, reason_size))
        return false;
    double seconds = now() - start;
    memory_snapshot(m);
    if (n == 1)
        jail_pin(x->jail); /* OpenMP starts its threads in the first call */
    x->look_pending = true;
    *result =
        (struct exchange_call){.seconds = seconds, .cpu_seconds = jail_cpu_seconds(x->jail) - cpu};
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        result->in[k] = m->in_copy[k];
        result->out[k] = m->out_copy[k];
    }
    const char *array = memory_overrun(m);
    if (array) {
        snprintf(reason, reason_size, "writes outside its output array \"%s\"", array);
        return refuse(x, verdict, VERDICT_UNSAFE);
    }
    if ((array = memory_changed_input(m)) != NULL) {
        snprintf(reason, reason_size, "changed its input array \"%s\"", array);
        return refuse(x, verdict, VERDICT_REJECTED);
    }
    if (!look)
        return true;
    double wait = seconds < LOOK_MIN ? LOOK_MIN : seconds > LOOK_MAX ? LOOK_MAX : seconds;
    struct timespec pause = {0, (long)(wait * 1e9)};
    nanosleep(&pause, NULL);
    return second_look(x, verdict, reason, reason_size);
}

bool exchange_close(struct exchange *x, enum verdict *verdict, char *reason, size_t reason_size,
                    char *output, size_t output_size)
{
    *verdict = VERDICT_PASS;
    if (x->jail && second_look(x, verdict, reason, reason_size)) {
        struct hpc_control *c = x->memory.control;
        struct jail_end end;
        x->output = hpc_malloc(OUTPUT_BYTES);
        store_and_wake(&c->start, HPC_QUIT);
        jail_wait(x->jail, &end, x->output, OUTPUT_BYTES);
        if (!end.exited || end.exit_status != 0 || load(&c->status) != HPC_STATUS_FINISHED) {
            struct exchange_death death = {
                &end, x->output, "close()", &x->limits, load(&c->starved) != 0, x->sanitized};
            *verdict = death_verdict(&death, reason, reason_size);
        }
    }
    bool good = *verdict == VERDICT_PASS;
    if (output)
        snprintf(output, output_size, "%s", x->output);
    free_exchange(x);
    return good;
}
