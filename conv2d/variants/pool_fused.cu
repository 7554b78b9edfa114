/* convpool/pool_fused: pool_fused_tf32 to fp32's accuracy.
 *
 * Changes from pool_fused_tf32: sums of x and weights are two halves each, 22 bits, and three of
 * the four products are made; what the tensor core has added goes to floats every 96 products.
 * Why it wins: three products of halves have twice the rate of three in TF32, with the same
 * bits.
 * What limits it: these products; the floor is a third of the fp16 peak. */
#define POOL_ELEMENT       float
#define POOL_TYPE          CONV_F32
#define POOL_PRODUCTS      3
#define POOL_SHAPES        POOL_SHAPES_FLOAT
#define POOL_MAP_SHAPES    POOL_MAPS_FLOAT
#define POOL_WHOLE_SHAPES  POOL_WHOLE_FLOAT
#define POOL_INSIDE_SHAPES POOL_INSIDE_FLOAT
#ifndef VARIANT
#define VARIANT pool_fused
#endif

#include "conv2d/variants/pool_fused.h"
