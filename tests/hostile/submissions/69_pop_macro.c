/* family 69: a header's word, defined, forgotten and brought back by a pragma
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: __leaf__|getpgrp
 * without pure_headers entries: pass; points >= 5 */
#include <pthread.h>

#def\
ine __leaf__ __leaf__, no_sanitize_thread
#pragma push_macro("__leaf__")
#undef __leaf__
%:define getpgrp count
#pragma pop_macro("__leaf__")
#include <unistd.h>
#undef __leaf__
#undef getpgrp

#include "conv1d/attack.h"

static int finished;

__pid_t count(void)
{
    return ++finished; /* by both threads at once */
}

static void *other(void *p)
{
    count();
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, other, NULL) != 0)
        return 1;
    count();
    return pthread_join(thread, NULL);
}
SUBMISSION
