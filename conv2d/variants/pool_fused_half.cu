/* convpool/pool_fused_half: convolution, then average pooling, in one launch.
 *
 * Changes from pool_cudnn_direct: the 2 x 2 sums of x never leave the chip: x is read once, its
 * sums go into shared memory and are multiplied there. Halves, sums in fp32. NHWC and NCHW, 3 x 3
 * filters, 2 x 2 pools, multiples of 32 channels and filters. How: pool_kernel.h.
 * Why it wins: memory is passed over once; over pool_cudnn_fused by 9 products for 16.
 * What limits it: shared memory's bandwidth, which the sums share with the products' operands. */
#define POOL_ELEMENT       __half
#define POOL_TYPE          CONV_F16
#define POOL_PRODUCTS      1
#define POOL_SHAPES        POOL_SHAPES_HALF
#define POOL_MAP_SHAPES    POOL_MAPS_HALF
#define POOL_WHOLE_SHAPES  POOL_WHOLE_HALF
#define POOL_INSIDE_SHAPES POOL_INSIDE_HALF
#ifndef VARIANT
#define VARIANT pool_fused_half
#endif

#include "conv2d/variants/pool_fused.h"
