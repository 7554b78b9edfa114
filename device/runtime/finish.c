/* The end of a program, device-side asserts, fences. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"
#include "device/runtime/symbols.h"

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
    const struct dev_worker *w = dev_self;
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
    dev_errors_unseen();
    return check_finish();
#else
    return 0;
#endif
}
