/* family 69: as 69_returned_struct.c, by a call that no variable can be put behind
 * task races
 * full
 * grade: unsafe; points <= 3; reason: being stored
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
    struct state (*const volatile call)(const void *) = finished;
    state = (*call)(p); /* by both threads at once */
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
