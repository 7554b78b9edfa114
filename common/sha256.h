/* SHA-256 (FIPS 180-4), which names what was graded. */
#ifndef HPC_COMMON_SHA256_H
#define HPC_COMMON_SHA256_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
};

void sha256_start(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *bytes, size_t n);
/* 64 hexadecimal digits and a zero. */
void sha256_end(struct sha256 *s, char hex[65]);

#ifdef __cplusplus
}
#endif
#endif
