/* family 69: the library's functions of threads store a key, attributes and a thread where another
 * thread stores, which no sanitizer sees
 * task named
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without by_name: pass; points >= 3 */
#include <pthread.h>

#include "conv1d/attack.h"

static pthread_key_t key;
static pthread_mutexattr_t attributes;

static void *finish(void *p)
{
    pthread_key_create(&key, NULL); /* by both threads at once */
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, finish, y) != 0)
        return 1;
    finish(NULL);
    return pthread_join(thread, NULL);
}
SUBMISSION
