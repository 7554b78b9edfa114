/* family 77: a gigabyte where 64 MiB were allowed, behind the allowance of a driver
 * task device
 * grade: memory; points <= 0; reason: memory limit of 64 MiB
 * without device_memory: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    const size_t bytes = (size_t)1 << 30;
    volatile char *block = (volatile char *)malloc(bytes);
    for (size_t i = 0; block && i < bytes; i += 4096)
        block[i] = 1;
    usleep(50000); /* the grader looks a hundred times a second */
    leak("a gigabyte");
    return 0;
}
SUBMISSION
