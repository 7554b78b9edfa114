/* family 48: redefines what the harness's header defines, and functions of the C library
 * task right
 * grade: wrong; points <= 0
 * structural: the harness is compiled apart; no line of it reads a submission */
#include "conv1d/attack.h"
#undef HPC_QUIT
#define HPC_QUIT        0
#define HPC_STATUS_RUN  5
#define memcmp(a, b, n) 0
#define serve(...)      1
#define _exit(x)        for (;;)

int strcmp(const char *a, const char *b)
{
    return a == b ? 0 : 0;
}

RUN
{
    UNUSED;
    zeros(p, y);
    return 0;
}
SUBMISSION
