/* What lies in the device's memory under the veil (veil.c). */
#include <string.h>
#include <sys/auxv.h>

#include "device/check/veil.h"

static uint32_t noise; /* no number as a float or a double's upper half; as a pointer none either */

static __attribute__((constructor)) void noise_choose(void)
{
    const void *random =
        (const void *)getauxval(AT_RANDOM); /* NOLINT: an address of the kernel's */
    uint16_t low = 0x5A5A;
    if (random)
        memcpy(&low, random, sizeof low);
    noise = UINT32_C(0x7FFC0000) | low;
}

uint8_t check_noise_byte(uintptr_t p)
{
    return (uint8_t)(noise >> p % 4 * 8);
}

void check_noise_fill(uintptr_t p, size_t bytes)
{
    for (; bytes && p % 4; p++, bytes--)
        *(uint8_t *)p = check_noise_byte(p);
    for (; bytes >= 4; p += 4, bytes -= 4)
        *(uint32_t *)p = noise;
    for (; bytes; p++, bytes--)
        *(uint8_t *)p = check_noise_byte(p);
}

size_t check_noise_ends(uintptr_t p, size_t bytes)
{
    size_t i = 0;
    for (; i + 4 <= bytes && p % 4 == 0 && *(const uint32_t *)(p + i) == noise; i += 4)
        ;
    while (i < bytes && *(const uint8_t *)(p + i) == check_noise_byte(p + i))
        i++;
    return i;
}
