/* family 70: asks for a stack that can be executed, and executes it
 * task right
 * grade: rejected; reason: stack that can be executed
 * without sections: crash; hint: LEAK */
#include "conv1d/attack.h"

__asm__(".section .note.GNU-stack,\"x\",%progbits\n.text\n");

RUN
{
    UNUSED;
#ifdef __x86_64__
    volatile unsigned char code[16] = {0xb8, 42, 0, 0, 0, 0xc3}; /* mov 42, %eax; ret */
#else
    volatile uint32_t code[4] = {0x52800540, 0xd65f03c0}; /* mov w0, 42; ret */
    __builtin___clear_cache((char *)code, (char *)(code + 2));
#endif
    if (((int (*)(void))(uintptr_t)code)() == 42)
        leak("code on the stack");
    return 0;
}
SUBMISSION
