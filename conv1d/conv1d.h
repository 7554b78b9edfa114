/* One-dimensional convolution: the problem that a variant of conv1d/ solves, and its arrays.
 * This header is all that a variant sees. Source: [Dong], section 4.
 *
 *   y[i] = sum_{j = -r .. r} w[j + r] * x[i + j],  i = 0 .. n-1,  x being 0 outside [0, n)
 *
 * in[CONV1D_X]: n floats; in[CONV1D_W]: the mask, 2r + 1 floats, fixed (env->fixed[CONV1D_W] is
 * where the host can read it from open() on); out[CONV1D_Y]: n floats. All values are finite, all
 * arrays are contiguous, start at a multiple of 64 bytes and do not overlap. The mask is not
 * flipped ("cross-correlation"). It may be wider than the signal; n may be 0, or over 2^32.
 * Additions may come in any order, in fp32 or better; products of zeros may be left out.
 * Cost: one multiplication and one addition for each pair of mask and signal that meet, n(2r + 1)
 * less those that fall outside; at least 8n bytes. */
#ifndef HPC_CONV1D_CONV1D_H
#define HPC_CONV1D_CONV1D_H

#include <stddef.h>
#include <stdint.h>

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CONV1D_MAX_RADIUS 8191
#define CONV1D_MAX_MASK   (2 * CONV1D_MAX_RADIUS + 1) /* 64 KiB of constant memory, less a word */

enum { CONV1D_X, CONV1D_W, CONV1D_N_IN };
enum { CONV1D_Y, CONV1D_N_OUT };

struct conv1d_problem {
    uint64_t n;     /* outputs, and inputs */
    int32_t radius; /* 0 .. CONV1D_MAX_RADIUS; the mask has 2 * radius + 1 taps */
    int32_t block;  /* threads of a block, 1 .. 1024, as the user asked; 0: the variant's choice. A
                       variant that has no blocks ignores it */
};

#ifdef __cplusplus
}
#endif
#endif
