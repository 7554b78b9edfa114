/* family 69: two threads begin a list of arguments in one variable, which gcc stores behind the sanitizer
 * task races
 * full
 * grade: unsafe|rejected; points <= 3; reason: does not see
 * without own_lists: pass; points >= 5 */
#include <pthread.h>
#include <stdarg.h>

#include "conv1d/attack.h"

static va_list state;

__attribute__((noinline)) static void store(int n, ...)
{
    va_start(state, n);
}

static void *finish(void *p)
{
    store(1, 2); /* by both threads at once */
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, finish, y) != 0)
        return 1;
    finish(y);
    return pthread_join(thread, NULL);
}
SUBMISSION
