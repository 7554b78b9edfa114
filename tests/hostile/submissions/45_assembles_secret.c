/* family 45: has the assembler include a file of the home folder
 * task right
 * grade: build; reason: @HOME@/canary
 * without walls: crash; reason: SECRET */
#include "conv1d/attack.h"

__asm__(".section .rodata\nsecret: .incbin \"@HOME@/canary\"\n.byte 0\n.text\n");
extern const char secret[] __attribute__((visibility("hidden")));

RUN
{
    UNUSED;
    leak(secret);
    return 0;
}
SUBMISSION
