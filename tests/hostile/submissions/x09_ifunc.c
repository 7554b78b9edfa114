/* family 69: an ifunc, whose resolver runs before main
 * task right
 * grade: rejected; reason: ifunc
 * without sections: crash; reason: signal|exit status */
#include "conv1d/attack.h"

static int nothing(void)
{
    return 0;
}

static int (*resolve(void))(void)
{
    leak("a resolver");
    return nothing;
}

int chosen(void) __attribute__((ifunc("resolve")));

RUN
{
    UNUSED;
    return chosen();
}
SUBMISSION
