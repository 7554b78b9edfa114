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

/* Memory under the veil (pieces.c), by address; no two overlap. */
struct piece {
    uintptr_t p;
    size_t bytes;
};
static inline bool pieces_overlap(const struct piece *a, const struct piece *b)
{
    return a->p < b->p + b->bytes && b->p < a->p + a->bytes;
}
/* Puts noise over a region; what it held goes beside. */
void check_piece_add(const struct dev_region *r);
/* There are none now; the next may be of any region but shared memory. */
void check_pieces_forget(void);
const struct piece *check_pieces(size_t *count);
/* The piece that holds all of an access, or NULL. */
const struct piece *check_piece_of(const struct piece *access);
/* Where what p truly holds lies; NULL: nowhere beside. */
char *check_piece_truth(uintptr_t p);

/* Noise: of the byte at p; over bytes; the first of them that is none, or `bytes`. */
uint8_t check_noise_byte(uintptr_t p);
void check_noise_fill(uintptr_t p, size_t bytes);
size_t check_noise_ends(uintptr_t p, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
