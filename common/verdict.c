#include "common/verdict.h"

const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_PASS] = "pass",
    [VERDICT_WRONG] = "wrong",
    [VERDICT_BUILD] = "build",
    [VERDICT_UNSAFE] = "unsafe",
    [VERDICT_CRASH] = "crash",
    [VERDICT_TIMEOUT] = "timeout",
    [VERDICT_MEMORY] = "memory",
    [VERDICT_REJECTED] = "rejected",
    [VERDICT_IMPOSSIBLE] = "impossible",
    [VERDICT_NOISY] = "noisy",
    [VERDICT_ENVIRONMENT] = "environment",
    [VERDICT_PENDING] = "pending",
    [VERDICT_SKIPPED] = "skipped",
};

bool verdict_waits(enum verdict verdict)
{
    return verdict == VERDICT_IMPOSSIBLE || verdict == VERDICT_NOISY ||
           verdict == VERDICT_ENVIRONMENT || verdict == VERDICT_PENDING ||
           verdict == VERDICT_SKIPPED;
}
