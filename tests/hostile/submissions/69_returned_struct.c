/* family 69: two threads store a struct that a function returns, which gcc's thread sanitizer does
 * not look at on its way into memory
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without calls: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

struct state {
    long part[5];
};

static struct state state;

__attribute__((noinline)) static struct state finished(const void *p)
{
    return (struct state){{1, 2, 3, p != NULL}};
}

static void *finish(void *p)
{
    state = finished(p); /* by both threads at once */
    return NULL;
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
