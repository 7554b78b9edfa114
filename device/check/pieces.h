/* Pieces of memory under the veil (pieces.c): where they are, what they truly hold, and the noise
 * that lies over it. */
#ifndef HPC_DEVICE_PIECES_H
#define HPC_DEVICE_PIECES_H

#include "device/shadow/shadow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* By address; no two overlap. */
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
