/* Check mode: what lies in the host's memory where a copy takes it from. */
#ifdef DEV_CHECK
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device/runtime/guards.h"

/* Whether a word of the host's memory can be read: the kernel says so of a futex, without a wait.
 */
static bool readable(uintptr_t p)
{
    const struct timespec at_once = {0, 0};
    const uintptr_t word = p & ~(uintptr_t)3;
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &at_once, NULL, 0) == 0 ||
           errno != EFAULT;
}

size_t dev_host_bytes(const void *p, size_t bytes)
{
    enum { PAGE = 4096 };
    const size_t room = check_guard_bytes(p, bytes);
    const uintptr_t begin = (uintptr_t)p, end = begin + room;
    uintptr_t at = begin;
    while (at < end && readable(at))
        at = (at / PAGE + 1) * PAGE;
    return (at < end ? at : end) - begin;
}

/* Of floats two that stand for a pointer would have no exponent, so that no copy of data begins so.
 */
bool dev_host_pointer_at(const void *p, size_t bytes)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0), stack = (uintptr_t)8 << 20;
    uintptr_t value;
    if ((uintptr_t)p - here >= stack || (uintptr_t)p % sizeof value || bytes <= sizeof value)
        return false;
    memcpy(&value, p, sizeof value);
    return value >> 32 && value % sizeof(float) == 0 && readable(value) &&
           readable(value + bytes - 1);
}
#endif
