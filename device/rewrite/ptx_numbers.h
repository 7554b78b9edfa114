/* Numbers of inline PTX as C++. */
#ifndef HPC_DEVICE_REWRITE_PTX_NUMBERS_H
#define HPC_DEVICE_REWRITE_PTX_NUMBERS_H

#include <string.h>

#include "device/rewrite/rewrite.h"

/* 12, -1, 0x1f; 0f3f800000 and 0d3ff0000000000000, which are the bits of a float and a double.
 * `cpp`: the instruction's type. False where it is none of these. */
static inline bool add_ptx_number(struct buffer *b, const char *cpp, const char *c)
{
    const bool is_float = strncmp(c, "0f", 2) == 0 || strncmp(c, "0F", 2) == 0;
    const bool is_double = strncmp(c, "0d", 2) == 0 || strncmp(c, "0D", 2) == 0;
    if (!is_float && !is_double) {
        buffer_add(b, "(%s)%s", cpp, c);
        return *c && !c[strspn(c, "-0123456789xabcdefABCDEF")];
    }
    const size_t digits = is_float ? 8 : 16;
    buffer_add(b, "::hpc_dev::ptx_as<%s>(0x%s%s)", cpp, c + 2, is_float ? "u" : "ull");
    return strspn(c + 2, "0123456789abcdefABCDEF") == digits && !c[2 + digits];
}

#endif
