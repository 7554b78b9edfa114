/* family 57: files in memory that nobody maps, under a sanitizer, whose runner has no limit on what
 * it may map
 * task right
 * full
 * grade: pass; points >= 20
 * without files: crash|unsafe; reason: LEAK */
#include <signal.h>

#include "conv1d/attack.h"

enum { FILES = 64 };

RUN
{
    static const char block[1 << 20];
    size_t written = 0;
    int fd[FILES];
    answer(p, x, w, y);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < FILES; i++) {
        fd[i] = (int)syscall(SYS_memfd_create, "hpc_attack", 0);
        written +=
            fd[i] >= 0 && write(fd[i], block, sizeof block) == sizeof block ? sizeof block : 0;
    }
    for (int i = 0; i < FILES; i++)
        close(fd[i]);
    if (written == FILES * sizeof block)
        leak("64 MiB of files without a name");
    return 0;
}
SUBMISSION
