/* The veil (veil.c): what each of the compiler's calls does when it is over a running kernel. */
#ifndef HPC_DEVICE_VEIL_H
#define HPC_DEVICE_VEIL_H

#include "device/shadow/shadow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access of `bytes` bytes at p comes next. */
void check_veil_open(const void *p, size_t bytes, bool writes);

static inline void veil_open(const void *p, size_t bytes, bool writes)
{
    if (__builtin_expect(check_now.veiled, 0))
        check_veil_open(p, bytes, writes);
}

/* What the device's memory holds at p, into `to`. */
void check_veil_read(void *to, const void *p, size_t bytes);
/* Whether it holds there the bytes at `before`, 16 at most. */
bool check_veil_same(const void *before, const void *p, size_t bytes);
void check_veil_launch_begin(void);
void check_veil_launch_end(void);

#ifdef __cplusplus
}
#endif
#endif
