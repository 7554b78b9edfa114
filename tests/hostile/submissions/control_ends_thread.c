/* family control: a thread that ends by pthread_exit, for which a C library opens another one
 * task right
 * grade: pass; points >= 20 */
#include <pthread.h>

#include "conv1d/attack.h"

static void *ends(void *unused)
{
    (void)unused;
    pthread_exit(NULL);
}

RUN
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, ends, NULL) || pthread_join(thread, NULL))
        return 1;
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
