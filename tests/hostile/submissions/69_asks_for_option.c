/* family 69: asks gcc for an option of its own, by which it lets the sanitizer look at no variable
 * on the stack that it believes nobody else's
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without own_options: pass; points >= 5 */
#pragma GCC optimize("tree-pta")
#include <pthread.h>
#include <stdint.h>

#include "conv1d/attack.h"

static long distance;

static void *finish(void *p)
{
    *(volatile int *)(void *)((char *)p + distance) = 1;
    return p;
}

RUN
{
    pthread_t thread;
    int near[4] = {0};
    volatile int finished = 0;
    uintptr_t at = (uintptr_t)near;
    const uintptr_t to = (uintptr_t)&finished;
    for (distance = 0; at < to; at++)
        distance++;
    for (; at > to; at--)
        distance--;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, finish, near) != 0)
        return 1;
    while (!finished)
        ;
    return pthread_join(thread, NULL);
}
SUBMISSION
