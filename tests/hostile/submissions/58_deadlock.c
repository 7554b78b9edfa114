/* family 58: a deadlock
 * task right
 * long
 * grade: timeout; points <= 0; reason: did not return within 1 s
 * without deadline: hangs */
#include <pthread.h>

#include "conv1d/attack.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

RUN
{
    UNUSED;
    pthread_mutex_lock(&mutex);
    return pthread_mutex_lock(&mutex);
}
SUBMISSION
