/* family control: threads with attributes, keys, locks and names of their own, by what labs name
 * task named
 * full
 * needs archer
 * grade: pass; points >= 3 */
#include <pthread.h>

#include "conv1d/attack.h"

static pthread_mutex_t mutex;
static pthread_barrier_t both;
static pthread_key_t key;
static pthread_t threads[2];
static int own;

static void *work(void *at)
{
    pthread_setname_np(pthread_self(), "worker");
    pthread_setspecific(key, at);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&mutex);
    own += pthread_equal(threads[0], pthread_self()) || pthread_getspecific(key) == at;
    pthread_mutex_unlock(&mutex);
    return at;
}

RUN
{
    pthread_attr_t attributes;
    pthread_mutexattr_t of_mutex;
    void *ended[2];
    int failed = pthread_mutexattr_init(&of_mutex) |
                 pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_ERRORCHECK) |
                 pthread_mutex_init(&mutex, &of_mutex) | pthread_mutexattr_destroy(&of_mutex) |
                 pthread_key_create(&key, NULL) | pthread_barrier_init(&both, NULL, 2) |
                 pthread_attr_init(&attributes) | pthread_attr_setstacksize(&attributes, 1 << 20);
    for (int i = 0; i < 2 && !failed; i++)
        failed = pthread_create(&threads[i], &attributes, work, &threads[i]);
    pthread_attr_destroy(&attributes);
    answer(p, x, w, y);
    for (int i = 0; i < 2 && !failed; i++)
        failed = pthread_join(threads[i], &ended[i]) || ended[i] != &threads[i];
    pthread_barrier_destroy(&both);
    pthread_mutex_destroy(&mutex);
    pthread_key_delete(key);
    return failed || own < 2;
}
SUBMISSION
