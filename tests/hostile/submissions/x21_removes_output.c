/* family 78: frees the pages of its output behind the grader's back
 * task right
 * grade: rejected|wrong|unsafe; points <= 0
 * without second_look guard: pass; points >= 20 */
#include <pthread.h>

#include "conv1d/attack.h"

static char *page;

static void *later(void *p)
{
    usleep(2000);
    madvise(page, 4096, MADV_REMOVE);
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    page = (char *)y - (uintptr_t)y % 4096;
    return pthread_create(&thread, NULL, later, NULL) || pthread_detach(thread);
}
SUBMISSION
