/* Calls of a variant in its runner, as design and common/abi.h describe them. The shared
 * memories are made and compared in memory.c; death.c finds the words. */
#define _GNU_SOURCE
#include "harness/exchange/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/defence.h"
#include "harness/exchange/internal.h"
#include "harness/machine/pin.h"

/* Seconds from the first look to the second: a call-time in these bounds. */
#define LOOK_MIN 0.005
#define LOOK_MAX 0.5
/* A runner may seem to move while it is held so often, by an accident of the accounting. */
#define MOST_MOVES   1
#define CALLS_A_MOVE 4 /* fewer than half of a block's calls, whose median counts */
#define MOVE_COST    4 /* times its time: what a call counts that something moved before */

void exchange_generate(struct exchange *x, uint64_t call, bool fixed)
{
    void *in[HPC_MAX_ARRAYS] = {NULL};
    uint32_t which = 0;
    for (int k = 0; k < x->memory.layout.n_in; k++)
        if (x->memory.layout.in[k].fixed == fixed) {
            in[k] = x->memory.in_copy[k];
            which |= 1u << k;
        }
    if (DEFENCE(fresh))
        x->op->generate(x->problem, x->seed, call, in);
    else
        x->op->generate(x->problem, x->seed, 1, in);
    if (x->term)
        term_ask(x, which);
}

/* What a runner finds when it starts: the inputs that are the same in all calls. */
static void publish_early(struct exchange *x)
{
    if (x->memory.fixed) {
        exchange_generate(x, 0, true);
        memory_publish_fixed(&x->memory);
    }
    if (DEFENCE(late_inputs))
        return;
    exchange_generate(x, 1, false);
    memory_publish(&x->memory);
}

static void free_exchange(struct exchange *x)
{
    if (x->printed && x->output)
        x->printed(x->printed_data, x->output);
    pin_away(0);
    memory_free(&x->memory);
    if (x->term)
        term_close(x);
    free(x->output);
    free(x);
}

bool exchange_prepare(struct exchange *x, const struct exchange_spec *spec, struct hpc_error *err)
{
    struct hpc_layout layout;
    x->runner = spec->runner;
    x->op = spec->op;
    x->seed = spec->seed;
    x->limits = spec->limits;
    x->limits.wall_seconds = 1 << 20;
    if (DEFENCE(deadline))
        x->limits.wall_seconds = spec->limits.wall_seconds;
    memcpy(x->problem, spec->problem, sizeof x->problem);
    x->sanitized = spec->sanitized;
    x->device = spec->device;
    x->linger = spec->linger;
    spec->op->layout(x->problem, &layout);
    x->threads = spec->env.threads;
    x->alone = spec->env.threads == 1 && x->device == DEVICE_HOST && !x->sanitized && !layout.ranks;
    x->printed = spec->printed;
    x->printed_data = spec->printed_data;
    x->memory.input_fd = x->memory.control_fd = -1;
    if (access(spec->runner, X_OK) != 0)
        return hpc_fail_env(err, "%s: not there, or not a program", spec->runner);
    if (!memory_create(&x->memory, &layout, x->device != DEVICE_HOST, err))
        return false;
    if (spec->term)
        term_open(x, spec->term);
    publish_early(x);
    return true;
}

struct exchange *exchange_open(const struct exchange_spec *spec, struct outcome *o)
{
    struct exchange *x = hpc_calloc(1, sizeof *x);
    struct hpc_error err = {.text = ""};
    o->verdict = VERDICT_PASS;
    bool good = exchange_prepare(x, spec, &err);
    if (x->device == DEVICE_HOST && !x->sanitized && !x->memory.layout.ranks)
        pin_away(spec->env.threads); /* what the parent does meanwhile is on other processors */
    good = good && runner_start(x, spec, &err);
    if (good && handshake_ready(x, o))
        return x;
    if (!good)
        outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    free_exchange(x);
    return NULL;
}

static bool look_again(struct exchange *x, struct outcome *o)
{
    x->look_pending = false;
    if (x->device != DEVICE_HOST && !handshake_step(x, HPC_STEP_OUT, o))
        return false;
    const char *array = memory_changed_output(&x->memory);
    if (!array)
        return true;
    outcome_set(o, VERDICT_REJECTED, "the output \"%s\" changed after the done signal", array);
    if (x->device == DEVICE_HOST)
        outcome_hint(o, "run() returns before its threads are done: join them, or wait for each, "
                        "before it returns");
    return handshake_refuse(x);
}

/* The second look at the outputs of the last call: on a device, at what lies there now. */
static bool second_look(struct exchange *x, struct outcome *o)
{
    if (DEFENCE(second_look) && x->look_pending)
        return look_again(x, o);
    return true;
}

/* Whether something of the runner, which is held, has run. */
static bool has_moved(struct exchange *x)
{
    if (DEFENCE(still) && !jail_still(x->jail)) {
        x->moved++;
        return true;
    }
    return false;
}

static bool moved_too_often(const struct exchange *x)
{
    return x->moved > MOST_MOVES + x->calls / CALLS_A_MOVE;
}

/* Between the done signal and the copies of the outputs there is no time for a thread to write. */
static void before_copies(void)
{
    if (DEFENCE(snapshot))
        return;
    usleep(150000);
}

/* The call itself: by the parent's clock, between the copies. A runner that is held is let go when
 * the clock runs: what its threads do before they let the parent go on is in its time. */
static bool timed_run(struct exchange *x, bool held, struct exchange_call *result,
                      struct outcome *o)
{
    bool device = x->device != DEVICE_HOST;
    const struct spent before = spent_before(x);
    if (device && !handshake_step(x, HPC_STEP_IN, o))
        return false;
    double start = clock_now();
    if (held)
        jail_release(x->jail);
    if (!handshake_step(x, HPC_STEP_RUN, o))
        return false;
    const double end = clock_now();
    *result = (struct exchange_call){.seconds = 1e-9 * x->memory.control->code};
    if (DEFENCE(clock))
        result->seconds = end - start;
    before_copies();
    if (!device)
        memory_snapshot(&x->memory); /* at once */
    result->ended = x->linger ? exchange_linger(x) : 0;
    spent_since(x, &before, result);
    if (!device)
        return true;
    if (!handshake_step(x, HPC_STEP_OUT, o))
        return false;
    memory_snapshot(&x->memory);
    return true;
}

void exchange_hold(struct exchange *x)
{
    HPC_ASSERT(x->jail);
    jail_hold(x->jail);
}

bool exchange_release(struct exchange *x)
{
    const bool moved = has_moved(x);
    jail_release(x->jail);
    return !moved;
}

bool exchange_run(struct exchange *x, uint64_t call, bool look, struct exchange_call *result,
                  struct outcome *o)
{
    struct exchange_memory *m = &x->memory;
    o->verdict = VERDICT_PASS;
    HPC_ASSERT(x->jail);
    if (!second_look(x, o))
        return false;
    exchange_generate(x, call, false);
    /* No thread of the variant's sees an input before the start signal. A device's are copied by
     * the runner itself, when it is told to; ranks are not timed for marks. */
    bool hold = false;
    if (DEFENCE(hold) && x->device == DEVICE_HOST && !x->sanitized && !m->layout.ranks) {
        jail_hold(x->jail);
        hold = true;
    }
    memory_publish(m);
    for (int k = 0; k < memory_pages(m); k++)
        memory_page(m, k)->allocations = memory_page(m, k)->allocated_at = 0;
    const bool moved = hold && has_moved(x);
    if (moved_too_often(x)) {
        outcome_set(o, VERDICT_REJECTED,
                    "something of it ran while it was held still, between calls");
        return handshake_refuse(x);
    }
    if (!timed_run(x, hold, result, o))
        return false;
    memory_allocations(m, result);
    if (moved) { /* it may have seen its inputs early: that call wins nothing */
        result->seconds *= MOVE_COST;
        result->waited_seconds = fmin(result->waited_seconds, 0); /* nor is a wait taken off */
    }
    if (++x->calls == 1 && x->device != DEVICE_CUDA && !m->layout.ranks)
        jail_pin(x->jail); /* OpenMP starts its threads in the first call */
    x->look_pending = true;
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        if (DEFENCE(master_copy))
            result->in[k] = m->in_copy[k];
        else
            result->in[k] = memory_shared_input(m, k);
        result->out[k] = m->out_copy[k];
    }
    if (x->term)
        term_answer(x, result);
    const char *array = memory_overrun(m);
    if (array) {
        outcome_set(o, VERDICT_UNSAFE, "writes outside its output array \"%s\"", array);
        return handshake_refuse(x);
    }
    if ((array = memory_changed_input(m)) != NULL) {
        outcome_set(o, VERDICT_REJECTED, "changed its input array \"%s\"", array);
        return handshake_refuse(x);
    }
    if (!look)
        return true;
    double wait = fmin(fmax(result->seconds, LOOK_MIN), LOOK_MAX);
    struct timespec pause = {0, (long)(wait * 1e9)};
    nanosleep(&pause, NULL);
    return second_look(x, o);
}

/* Without the defence "kill": whether the runner still lives a moment after it was told to end. */
static bool left_alone(struct exchange *x)
{
    if (DEFENCE(kill))
        return false;
    handshake_start(x, HPC_QUIT);
    return jail_alive(x->jail, 100);
}

bool exchange_close(struct exchange *x, struct outcome *o, char *output, size_t output_size)
{
    o->verdict = VERDICT_PASS;
    if (x->jail && left_alone(x))
        return true;
    if (x->jail && second_look(x, o)) {
        struct jail_end end;
        char places[300] = "";
        size_t bytes = x->limits.output_bytes + 1;
        x->output = hpc_malloc(bytes);
        handshake_start(x, HPC_QUIT);
        handshake_end(x, &end, bytes, places, sizeof places);
        if (!end.exited || end.exit_status != 0 || !handshake_finished(x)) {
            struct exchange_death death = {&end,         x->output,
                                           "close()",    places,
                                           &x->limits,   memory_starved(&x->memory),
                                           x->sanitized, x->memory.layout.ranks > 0};
            death_verdict(&death, o);
        }
    }
    bool good = o->verdict == VERDICT_PASS;
    if (output)
        snprintf(output, output_size, "%s", x->output);
    free_exchange(x);
    return good;
}
