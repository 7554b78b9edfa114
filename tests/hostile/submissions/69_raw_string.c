/* family 69: a raw string whose lines look like the preprocessor's
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: a raw string
 * without plain_text entries: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

const char *const claim = R"(
# 1 "/usr/include/pthread.h" 1 3 4
)";
static int finished;

__attribute__((noinline, no_sanitize("thread"))) static void *count(void *p)
{
    (void)p;
    finished++; /* by both threads at once */
    return NULL;
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
