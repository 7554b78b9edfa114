/* family 70: code that it changes while it runs
 * task right
 * grade: rejected; reason: writable and executable
 * without sections: crash; reason: LEAK */
#include "conv1d/attack.h"

#ifdef __x86_64__
__asm__(".pushsection .soft,\"awx\"\nsoft: .byte 0xb8, 41, 0, 0, 0, 0xc3\n.popsection\n");
#else
__asm__(".pushsection .soft,\"awx\"\nsoft: .inst 0x52800520\n.inst 0xd65f03c0\n.popsection\n");
#endif
extern unsigned char soft[] __attribute__((visibility("hidden")));

RUN
{
    UNUSED;
    soft[0 + (sizeof(long) == 8 && soft[0] == 0xb8)] += soft[0] == 0xb8 ? 1 : 0x20;
    if (((int (*)(void))(uintptr_t)soft)() == 42)
        leak("code that changed");
    zeros(p, y);
    return 0;
}
SUBMISSION
