/* family 69: two threads have an instruction store its core at one place, called by its name
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without told: pass; points >= 5 */
#include <pthread.h>
#include <x86intrin.h>

#include "conv1d/attack.h"

static unsigned core;

static void *finish(void *p)
{
    (void)__rdtscp(&core); /* by both threads at once */
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
