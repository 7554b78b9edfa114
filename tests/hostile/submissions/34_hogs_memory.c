/* family 34: does not end, and starves the baseline of memory
 * task fast
 * late
 * grade: timeout; points <= 0; reason: close() did not return
 * without kill: pass|noisy; points <= 10 */
#include <pthread.h>

#include "conv1d/attack.h"

static void *stream(void *unused)
{
    const size_t bytes = 24 << 20;
    volatile char *block = malloc(bytes);
    for (int k = 0;; k++)
        for (size_t i = 0; i < bytes; i += 64)
            block[i] = (char)k;
    return unused;
}

static int ran; /* a close() before any run() is part of open(), which has to return */

RUN
{
    ran = 1;
    answer(p, x, w, y);
    return 0;
}

/* By the address sanitizer, for a hint: it would wait six times as long. */
static int looked_at(void)
{
    return mapping("runner-address", NULL) != NULL;
}

static void stay(void *state)
{
    pthread_t thread;
    (void)state;
    if (!ran || looked_at())
        return;
    /* One: of two that share a processor each waits, which the deadline waits for. */
    pthread_create(&thread, NULL, stream, NULL);
    pthread_join(thread, NULL);
}
SUBMISSION_WITH(plain_open, stay)
