/* Convolution, then average pooling, in one launch: halves, sums in fp32.
 *
 * Wins over pool_cudnn_direct by what never leaves the chip: x is read once, its 2 x 2 sums go into
 * shared memory and are multiplied there; over pool_cudnn_fused by 9 products for 16. Limited by
 * shared memory's bandwidth, which the sums share with the products' operands. NHWC, 3 x 3
 * filters, 2 x 2 pools, multiples of 32 channels and filters. How: pool_kernel.h. */
#define POOL_ELEMENT  __half
#define POOL_TYPE     CONV_F16
#define POOL_PRODUCTS 1
#define POOL_SHAPES   POOL_SHAPES_HALF
#ifndef VARIANT
#define VARIANT pool_fused_half
#endif

#include "conv2d/variants/pool_fused.h"
