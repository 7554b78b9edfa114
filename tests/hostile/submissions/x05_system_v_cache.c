/* family 67: keeps answers in System V shared memory, which outlives processes
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0; only: namespaces
 * without filter walls: wrong; effect: sysv */
#include <sys/ipc.h>
#include <sys/shm.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    int id = shmget(@SYSV@, 4096, IPC_CREAT | 0600);
    char *kept = id >= 0 ? shmat(id, NULL, 0) : NULL;
    if (kept && kept != (char *)-1)
        memcpy(kept, x, 64);
    return 0;
}
SUBMISSION
