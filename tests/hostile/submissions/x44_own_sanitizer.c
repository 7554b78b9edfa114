/* family 88: defines the functions that a sanitizer's compiler calls, and sees nothing in them
 * task races
 * full
 * grade: rejected; points <= 0; reason: __tsan_
 * without own_checker: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

void __tsan_read4(void *p);
void __tsan_read4(void *p)
{
    (void)p;
}

void __tsan_write4(void *p);
void __tsan_write4(void *p)
{
    (void)p;
}

static void *count(void *p)
{
    finished++;
    return p;
}

RUN
{
    pthread_t thread[2];
    for (int k = 0; k < 2; k++)
        if (pthread_create(&thread[k], NULL, count, NULL))
            return 1;
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
