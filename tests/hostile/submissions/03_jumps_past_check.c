/* family 3: atexit and longjmp past whatever comes behind run()
 * task right
 * grade: crash; reason: exit status 0
 * without exit: pass; points >= 20 */
#include <setjmp.h>

#include "conv1d/attack.h"

static jmp_buf before;

static void at_exit(void)
{
    struct hpc_control *c = control_page();
    c->status = HPC_STATUS_FINISHED;
    wake(&c->status);
    _exit(0);
}

RUN
{
    UNUSED;
    if (setjmp(before) == 0) {
        atexit(at_exit);
        longjmp(before, 1);
    }
    exit(1);
}
SUBMISSION
