/* family 34: does not end, and starves the baseline of memory
 * task fast
 * alone
 * grade: timeout; points <= 0; reason: close() did not return
 * without kill: noisy; points <= 10 */
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

RUN
{
    answer(p, x, w, y);
    return 0;
}

static void stay(void *state)
{
    pthread_t thread;
    (void)state;
    pthread_create(&thread, NULL, stream, NULL);
    pthread_create(&thread, NULL, stream, NULL);
    pthread_join(thread, NULL);
}
SUBMISSION_WITH(plain_open, stay)
