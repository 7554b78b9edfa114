/* family 2: a constructor prints and ends the process as if all were well
 * task right
 * grade: rejected; reason: .init_array
 * without sections: crash; reason: exit status 0
 * without sections exit: pass; points >= 20 */
#include "conv1d/attack.h"

__attribute__((constructor)) static void before_main(void)
{
    puts("PASS");
    fflush(stdout);
    _exit(0);
}

RUN
{
    UNUSED;
    return 0;
}
SUBMISSION
