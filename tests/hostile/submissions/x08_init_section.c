/* family 69: code that the loader runs, put there by assembly
 * task right
 * grade: rejected; reason: before or after main
 * without sections: crash; reason: LEAK */
#include "conv1d/attack.h"

__attribute__((used)) static void early(void)
{
    leak("code before main");
}
__asm__(".pushsection .init_array,\"aw\"\n.quad early\n.popsection\n");

RUN
{
    UNUSED;
    return 0;
}
SUBMISSION
