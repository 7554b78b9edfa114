/* The end of a program; of a kernel by an assert, or by a fault; fences. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"
#include "device/runtime/symbols.h"
#include "device/runtime/wall.h"

void dev_fence(void)
{
#ifdef DEV_CHECK
    check_fence(dev_self);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

void dev_atomic(const void *p, size_t bytes, const void *from)
{
    (void)p, (void)bytes, (void)from;
    MODE_CHECK(check_atomic(p, bytes, from));
}

/* assert() in a kernel ends the launch and leaves an error, as on a GPU; on the host, the program.
 * This one is found before the C library's. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    const struct worker *running = dev_worker_running();
    const struct dev_worker *w = running ? &running->pub : NULL;
    if (!w) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    fprintf(stderr,
            "%s:%u: kernel %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, w->launch->kernel, w->block_index.x, w->block_index.y, w->block_index.z,
            w->thread_index.x, w->thread_index.y, w->thread_index.z, expression);
    dev_trap(cudaErrorAssert);
}

#ifndef DEV_ASAN /* which tells of a fault itself */
/* Behind where the processor stood, as a return address is. */
static const void *place_of(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.pc + 1);
#else
    (void)c;
    return NULL;
#endif
}

/* Where the processor can, it stops behind the one instruction, and the wall stands again: so a
 * second line is told as the first is. Not for ever: a loop would take hours. */
static void step(void *context)
{
#if defined(__x86_64__)
    enum { STEP = 0x100, MOST_STEPS = 2000 };
    static atomic_int steps;
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    if (*flags & STEP) {
        *flags &= ~STEP;
        dev_wall_close();
    } else if (atomic_fetch_add(&steps, 1) < MOST_STEPS) {
        *flags |= STEP;
    }
#else
    (void)context;
#endif
}

static void stepped(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    step(context);
}

/* Whether the access that failed was a write, where the processor says so. */
static inline bool is_write(const void *context)
{
#if defined(__x86_64__)
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)context;
    return false;
#endif
}

/* Whether an access below the stack has failed: the stack is full. */
static bool is_full(const void *p, const void *context)
{
    enum { FRAME = 64 << 10 }; /* of a function that has just begun */
    const ucontext_t *c = context;
#if defined(__x86_64__)
    const uintptr_t stack = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    const uintptr_t stack = c->uc_mcontext.sp;
#else
    const uintptr_t stack = (uintptr_t)c;
#endif
    return (uintptr_t)p < stack + 256 && (uintptr_t)p + FRAME > stack;
}

static void end_kernel(struct worker *w, cudaError_t error)
{
    if (!w->kernel->plain)
        dev_trap(error);
    dev_error_sticky(error);
    siglongjmp(w->out, 1);
}

/* A kernel that uses memory which nobody has, or divides an integer by zero, ends with an error
 * that stays with the device, as on a GPU; all else ends the program. A runner's kernel does, too:
 * who measures it wants to know. */
static void fault(int number, siginfo_t *info, void *context)
{
    struct worker *w = dev_worker_running();
    const void *from = place_of(context);
    const bool divided = number == SIGFPE && info->si_code == FPE_INTDIV;
    const bool full = number == SIGSEGV && is_full(info->si_addr, context);
    if (w && divided)
        MODE_CHECK(check_divided(from));
    else if (w)
        MODE_CHECK(check_faulted(full, from));
    (void)from;
    if (!w && number == SIGSEGV && dev_wall_met(info->si_addr)) {
        MODE_CHECK(check_wall_met(info->si_addr, is_write(context), from));
        dev_wall_open();
        step(context);
        return; /* to the same place, for what else there is to tell */
    }
    if (!w || dev_phase_of_runner()) {
        signal(number, SIG_DFL);
        MODE_CHECK(check_dies());
        return; /* to the same place, and die of it */
    }
#ifndef DEV_CHECK
    dprintf(STDERR_FILENO, "hpclab: kernel %s ends: %s; --mode check may say where\n",
            w->kernel->name,
            divided ? "integer division by zero"
            : full  ? "the stack of a thread is full (cudaLimitStackSize gives it more)"
                    : "an access to memory that it does not have");
#endif
    end_kernel(w, divided ? cudaErrorLaunchFailure : cudaErrorIllegalAddress);
}

#if defined(DEV_CHECK) && !defined(__x86_64__)
/* Where the processor goes on behind a division by zero, the compiler asks before each
 * (mk/device.mk) and calls this. */
void __ubsan_handle_divrem_overflow(void *site, uintptr_t left, uintptr_t right);
void __ubsan_handle_divrem_overflow(void *site, uintptr_t left, uintptr_t right)
{
    struct worker *w = dev_worker_running();
    (void)site, (void)left, (void)right;
    if (!w)
        return;
    check_divided(__builtin_return_address(0));
    end_kernel(w, cudaErrorLaunchFailure);
}
#endif

void dev_faults_watched(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
    struct sigaction action = {.sa_sigaction = fault,
                               .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO},
                     before, behind = action;
    behind.sa_sigaction = stepped;
    if (sigaction(SIGTRAP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGTRAP, &behind, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (sigaction(faults[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(faults[i], &action, NULL);
}
#else
void dev_faults_watched(void)
{
}
#endif

/* Whole programs end with DEV_EXIT_REPORTS where there was something to report. */
static void at_exit(void)
{
    if (dev_finish() > 0) {
        fflush(NULL);
        _exit(DEV_EXIT_REPORTS);
    }
}

__attribute__((constructor(101))) static void at_start(void)
{
    dev_symbols_known();
    atexit(at_exit);
}

int dev_finish(void)
{
    static bool done;
    if (done)
        return 0;
    done = true;
#ifdef DEV_CHECK
    return check_finish();
#else
    return 0;
#endif
}
