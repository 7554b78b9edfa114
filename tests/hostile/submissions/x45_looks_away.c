/* family 89: asks the compiler not to let a sanitizer look
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: no_sanitize
 * without blindfolds entries: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

#define LOOK_AWAY(what) __attribute__((no_##what##_thread))

LOOK_AWAY(sanitize) static void *count(void *p)
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
