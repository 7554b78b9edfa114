/* family 71: closes stderr, so that nobody reads what the thread sanitizer says of its race
 * task races
 * full
 * grade: unsafe|rejected|crash; points <= 3
 * structural: who ends with a sanitizer's status is not clean, whatever it printed */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

static void *count(void *p)
{
    finished++; /* by both threads at once */
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    close(STDERR_FILENO);
    if (pthread_create(&thread, NULL, count, NULL) != 0)
        return 1;
    count(NULL);
    return pthread_join(thread, NULL);
}
SUBMISSION
