/* family 72: the word for assembly in two lines
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: inline assembly
 * without assembly: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

static void *count(void *p)
{
    __as\
m__ volatile("incl %0" : "+m"(finished)); /* by both threads at once */
    return p;
}

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
