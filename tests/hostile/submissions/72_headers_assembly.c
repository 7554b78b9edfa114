/* family 72: a macro that puts a race in assembly into a header's function
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: __builtin_bswap32
 * without pure_headers: pass; points >= 5 */
#include <pthread.h>

static int finished;

#define __builtin_bswap32(x) ({ __asm__ volatile("incl %0" : "+m"(finished)); (x); })
#include <byteswap.h>

#include "conv1d/attack.h"

static void *count(void *p)
{
    bswap_32(1); /* by both threads at once */
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
