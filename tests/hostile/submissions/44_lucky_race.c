/* family 44: a race that is lucky nearly always
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without safety: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

static void *count(void *p)
{
    finished++;
    return p;
}

RUN
{
    pthread_t thread[2];
    finished = 0;
    for (int k = 0; k < 2; k++)
        if (pthread_create(&thread[k], NULL, count, NULL))
            return 1;
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    answer(p, x, w, y);
    if (finished == 0)
        y[0] = 0;
    return 0;
}
SUBMISSION
