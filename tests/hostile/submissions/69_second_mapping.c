/* family 69: two threads write one page at two addresses, which the kernel maps again when it is
 * asked by number
 * task races
 * full
 * grade: crash|unsafe; points <= 3; reason: system call
 * without by_number: pass; points >= 5 */
#include "conv1d/attack.h"

#include <pthread.h>

static int *first, *second;

static void *finish(void *p)
{
    (*second)++; /* what the other thread writes at *first */
    return p;
}

RUN
{
    const int shared = MAP_SHARED | MAP_ANONYMOUS, all = PROT_READ | PROT_WRITE;
    pthread_t thread;
    answer(p, x, w, y);
    first = (int *)syscall(SYS_mmap, NULL, 4096, all, shared, -1, 0);
    second = (int *)syscall(SYS_mremap, first, 0, 4096, MREMAP_MAYMOVE);
    if (pthread_create(&thread, NULL, finish, y) != 0)
        return 1;
    (*first)++;
    return pthread_join(thread, NULL);
}
SUBMISSION
