/* family 55: a bomb of threads
 * task right
 * grade: wrong|rejected; points <= 0
 * without processes memory: crash; reason: LEAK */
#include <pthread.h>

#include "conv1d/attack.h"

static void *stay(void *p)
{
    usleep(500000);
    return p;
}

RUN
{
    UNUSED;
    pthread_t thread;
    pthread_attr_t small;
    int born = 0;
    zeros(p, y);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = 0; i < 400; i++)
        born += pthread_create(&thread, &small, stay, NULL) == 0;
    usleep(100000);
    if (born >= 300)
        leak("three hundred threads");
    return 0;
}
SUBMISSION
