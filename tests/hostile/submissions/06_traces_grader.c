/* family 6: traces the grader, or reads its memory
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0
 * without filter walls: wrong; points <= 0
 * without filter walls dumpable capabilities: crash; reason: LEAK */
#include <sys/ptrace.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    char path[64];
    zeros(p, y);
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    if (getppid() > 1 && open(path, O_RDWR) >= 0)
        leak("the grader's memory");
    if (getppid() > 1 && ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0)
        leak("the grader is traced");
    return 0;
}
SUBMISSION
