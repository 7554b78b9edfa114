/* family 67: naps, page faults and a full queue of signals in some calls, so that nothing can be timed
 * task fast
 * grade: pass; points <= 25; line: profile lab90 --only fast
 * structural: what makes points wait is read beside the baseline's calls alone; no line decides it */
#include <signal.h>
#include <time.h>

#include "conv1d/attack.h"

static unsigned call;

RUN
{
    answer(p, x, w, y);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    const union sigval value = {.sival_int = 1};
    for (int i = 0; i < 3000 && sigqueue(getpid(), SIGRTMIN + 1 + i % 20, value) == 0; i++)
        ;
    if ((call++ + (unsigned)now.tv_nsec / 64) % 3 == 0) { /* the calls that are far slower */
        char *pages = mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (size_t i = 0; pages != MAP_FAILED && i < 8 << 20; i += 4096)
            pages[i] = 1;
        if (pages != MAP_FAILED)
            munmap(pages, 8 << 20);
        usleep((useconds_t)now.tv_nsec % 5000);
    }
    return 0;
}
SUBMISSION
