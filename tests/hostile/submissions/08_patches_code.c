/* family 8: patches the code of the C library's clock
 * task fast
 * grade: pass; points <= 20
 * without call_processors cpu_bound clock: pass; points >= 42 */
#include <time.h>

#include "conv1d/attack.h"

static int slow_clock(clockid_t clock, struct timespec *t)
{
    int status = (int)syscall(SYS_clock_gettime, clock, t);
    int64_t ns = (t->tv_sec * INT64_C(1000000000) + t->tv_nsec) / 8;
    t->tv_sec = ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return status;
}

static int patch(const struct hpc_env *env, const void *problem, void **state)
{
    char *code = (char *)(uintptr_t)clock_gettime, *page = code - (uintptr_t)code % 4096;
    uintptr_t to = (uintptr_t)slow_clock;
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
#ifdef __x86_64__
        memcpy(code, "\x48\xb8", 2); /* mov to, %rax; jmp *%rax */
        memcpy(code + 2, &to, 8);
        memcpy(code + 10, "\xff\xe0", 2);
#else
        memcpy(code, "\x50\x00\x00\x58\x00\x02\x1f\xd6", 8); /* ldr x16, to; br x16 */
        memcpy(code + 8, &to, 8);
        __builtin___clear_cache(code, code + 16);
#endif
    }
    return plain_open(env, problem, state);
}

RUN
{
    answer(p, x, w, y);
    return 0;
}
SUBMISSION_WITH(patch, plain_close)
