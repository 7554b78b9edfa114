/* family 74: a second thread, which waits while the first does the work
 * task shared
 * grade: rejected; points <= 0; reason: one thread did
 * without threads_used: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static void *wait_a_little(void *unused)
{
    usleep(100);
    return unused;
}

RUN
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_a_little, NULL))
        return 1;
    answer(p, x, w, y);
    return pthread_join(thread, NULL);
}
SUBMISSION
