/* A runner under a tool that starts it, as gdb does, on the user's terminal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/exchange/internal.h"

#define MOST_WORDS 32

/* What the child becomes. Does not return. */
static void become(const char *const *tool, const struct exchange_spec *spec,
                   const struct exchange_memory *m)
{
    char input[16], control[16], threads[16];
    const char *words[MOST_WORDS + 4];
    int n = 0;
    snprintf(input, sizeof input, "%d", m->input_fd);
    snprintf(control, sizeof control, "%d", m->control_fd);
    snprintf(threads, sizeof threads, "%d", spec->env.threads);
    setenv("OMP_NUM_THREADS", threads, 1);
    fcntl(m->input_fd, F_SETFD, 0);
    fcntl(m->control_fd, F_SETFD, 0);
    signal(SIGINT, SIG_DFL);
    while (n < MOST_WORDS && tool[n]) {
        words[n] = tool[n];
        n++;
    }
    words[n++] = spec->runner;
    words[n++] = input;
    words[n++] = control;
    words[n] = NULL;
    execv(words[0], (char **)words);
    perror(words[0]);
    _exit(127);
}

/* Wait until *word is `value`; false where the tool ended before. */
static bool wait_for(const uint32_t *word, uint32_t value, pid_t tool)
{
    const struct timespec pause = {0, 5000000};
    while (handshake_load(word) != value) {
        if (waitpid(tool, NULL, WNOHANG) != 0)
            return handshake_load(word) == value;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* open(), the steps of one call, and the word to end. */
static bool make_call(struct exchange *x, pid_t tool)
{
    static const enum hpc_step all[] = {HPC_STEP_IN, HPC_STEP_RUN, HPC_STEP_OUT};
    struct hpc_control *c = x->memory.control;
    bool good = wait_for(&c->status, HPC_STATUS_READY, tool);
    for (int i = 0; i < 3 && good; i++) {
        if (all[i] != HPC_STEP_RUN && x->device == DEVICE_HOST)
            continue;
        const uint32_t step = ++x->steps * HPC_STEPS + (uint32_t)all[i];
        handshake_signal(&c->start, step);
        good = wait_for(&c->done, step, tool);
    }
    if (good)
        memory_snapshot(&x->memory);
    handshake_signal(&c->start, HPC_QUIT);
    return good;
}

/* The tool with the runner in it, until it ends; whether the call came to its end. */
static bool work(struct exchange *x, const struct exchange_spec *spec, const char *const *tool,
                 struct hpc_error *err)
{
    fflush(NULL);
    void (*was)(int) = signal(SIGINT, SIG_IGN); /* Ctrl-C is for the tool */
    pid_t pid = fork();
    if (pid == 0)
        become(tool, spec, &x->memory);
    bool good = pid > 0 || hpc_fail_env(err, "no process for %s can be had", tool[0]);
    if (good && !make_call(x, pid))
        good = hpc_fail(err, "the call did not come to its end: nothing is compared");
    if (pid > 0)
        waitpid(pid, NULL, 0);
    signal(SIGINT, was);
    return good;
}

struct exchange *exchange_under(const struct exchange_spec *spec, uint64_t call,
                                const char *const *tool, struct exchange_call *result,
                                struct outcome *o)
{
    struct exchange *x = hpc_calloc(1, sizeof *x);
    struct hpc_error err = {.text = ""};
    *result = (struct exchange_call){0};
    bool good = exchange_prepare(x, spec, &err);
    if (good && x->memory.layout.ranks)
        good = hpc_fail(&err, "it has several ranks, expected a program of one process");
    if (good) {
        exchange_generate(x, call, false);
        memory_publish(&x->memory);
        control_fill(spec, &x->memory);
        good = work(x, spec, tool, &err);
    }
    for (int k = 0; k < HPC_MAX_ARRAYS && good; k++) {
        result->in[k] = x->memory.in_copy[k];
        result->out[k] = x->memory.out_copy[k];
    }
    if (good)
        if (x->term)
            term_answer(x, result);
    if (good)
        return x;
    outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    exchange_close(x, &(struct outcome){0}, NULL, 0);
    return NULL;
}
