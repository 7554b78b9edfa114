/* family control: functions with lists of arguments of their own, copied and handed on, in two threads
 * task races
 * full
 * grade: pass; points >= 5 */
#include <pthread.h>
#include <stdarg.h>

#include "conv1d/attack.h"

static int summed(int n, va_list given)
{
    va_list again;
    int sum = 0;
    va_copy(again, given);
    for (int i = 0; i < n; i++)
        sum += va_arg(given, int) + va_arg(again, int);
    va_end(again);
    return sum;
}

__attribute__((noinline)) static int sum_of(int n, ...)
{
    va_list list;
    va_start(list, n);
    const int sum = summed(n, list);
    va_end(list);
    return sum;
}

static void *work(void *p)
{
    char text[20];
    snprintf(text, sizeof text, "%d", sum_of(3, 1, 2, 3));
    return strcmp(text, "12") == 0 ? p : NULL;
}

RUN
{
    pthread_t thread;
    void *ended = NULL;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, work, y) != 0)
        return 1;
    const void *mine = work(y);
    return pthread_join(thread, &ended) || ended != y || mine != y;
}
SUBMISSION
