/* convpool/pool_fused_tf32: pool_fused_half for floats where TF32 is allowed.
 *
 * Changes from pool_fused_half: the sums of x are formed in fp32, then become halves with a
 * scale for each tile and 32 channels, and weights with a scale for each filter.
 * Why it wins: a half has TF32's 11 bits, and its products twice TF32's rate; the scales give
 * what is missing of its range.
 * What limits it: the sums. x has twice the bytes, and its range must be known first. */
#define POOL_ELEMENT       float
#define POOL_TYPE          CONV_TF32
#define POOL_PRODUCTS      1
#define POOL_SHAPES        POOL_SHAPES_TF32
#define POOL_MAP_SHAPES    POOL_MAPS_TF32
#define POOL_WHOLE_SHAPES  POOL_WHOLE_TF32
#define POOL_INSIDE_SHAPES POOL_INSIDE_TF32
#ifndef VARIANT
#define VARIANT pool_fused_tf32
#endif

#include "conv2d/variants/pool_fused.h"
