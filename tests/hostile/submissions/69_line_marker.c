/* family 69: claims that the lines which ask not to be watched are a system header's
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: line number
 * without plain_text entries: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

# 1 "/usr/include/pthread.h" 1 3 4
static int finished;

__attribute__((noinline, no_sanitize("thread"))) static void *count(void *p)
{
    (void)p;
    finished++; /* by both threads at once */
    return NULL;
}

# 30 "labs/lab90/races.c" 2
RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, count, NULL) != 0)
        return 1;
    count(NULL);
    return pthread_join(thread, NULL);
}
SUBMISSION
