/* The shapes of pool_stream.h's tiles, as pool_shapes.h has its own, most filters first: C as well
 * as CUDA. SHAPE(filters, small, split): `small` has 4 images of 4 x 4 outputs; `split` blocks
 * share the channels, which on 8 x 8 maps takes 0.4 to 0.9 of the time from 64 channels on. */
#ifndef HPC_CONV2D_STREAM_SHAPES_H
#define HPC_CONV2D_STREAM_SHAPES_H

#include "conv2d/variants/pool_shapes.h"

#define STREAM_SHAPES_3(SHAPE)                                                                     \
    SHAPE(128, 0, 1)                                                                               \
    SHAPE(64, 0, 1)                                                                                \
    SHAPE(32, 0, 1)                                                                                \
    SHAPE(128, 1, 1)                                                                               \
    SHAPE(128, 1, 4) SHAPE(64, 1, 1) SHAPE(64, 1, 4) SHAPE(32, 1, 2) SHAPE(32, 1, 1)
#define STREAM_SHAPES_1(SHAPE) SHAPE(256, 0, 1) STREAM_SHAPES_3(SHAPE)

#define STREAM_ROW(FILTERS, SMALL, SPLIT)                                                          \
    {SMALL, 32, 1, FILTERS, 0, 0, 0, 0, 0, 0, 0, 0, SPLIT, 1, 0, 6},

#endif
